// Ruts: creation, the pool of slots, its lists and its hash.

#include "terrain/rut_internal.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <math.h>
#include <string.h>

#define LEAST_MEMORY ( (size_t)64 << 10 )
#define MOST_MEMORY  ( (uint64_t)64 << 30 )
#define LEAST_CELL   1e-3
#define MOST_CELL    10.0
#define DEGREE       ( DS_PI / 180 )

// ---- lists ---------------------------------------------------------------------------------------------------------

static const ds_rut_list empty_list = { DS_RUT_NONE, DS_RUT_NONE, 0 };

static ds_rut_link *link_of( ds_rut *rut, const ds_rut_list *list, int32_t slot )
{
	ds_rut_slot *s = &rut->slots[slot];
	return list == &rut->marks ? &s->mark.all : list == &rut->queue ? &s->page.queue : &s->page.recent;
}

static void append( ds_rut *rut, ds_rut_list *list, int32_t slot )
{
	*link_of( rut, list, slot ) = ( ds_rut_link ){ DS_RUT_NONE, list->last };
	*( list->count ? &link_of( rut, list, list->last )->next : &list->first ) = slot;
	list->last = slot;
	list->count++;
}

static void take_out( ds_rut *rut, ds_rut_list *list, int32_t slot )
{
	ds_rut_link link = *link_of( rut, list, slot );
	*( link.prev == DS_RUT_NONE ? &list->first : &link_of( rut, list, link.prev )->next ) = link.next;
	*( link.next == DS_RUT_NONE ? &list->last : &link_of( rut, list, link.next )->prev ) = link.prev;
	list->count--;
}

void ds_rut_enqueue( ds_rut *rut, int32_t slot )
{
	if ( !rut->slots[slot].page.queued )
	{
		rut->slots[slot].page.queued = 1;
		append( rut, &rut->queue, slot );
	}
}

void ds_rut_dequeue( ds_rut *rut, int32_t slot )
{
	if ( rut->slots[slot].page.queued )
	{
		rut->slots[slot].page.queued = 0;
		take_out( rut, &rut->queue, slot );
	}
}

// ---- hash ----------------------------------------------------------------------------------------------------------

static void table_add( ds_rut *rut, int32_t slot )
{
	uint32_t i = ds_rut_hash( rut, rut->slots[slot].page.north, rut->slots[slot].page.east );
	while ( rut->table[i] )
	{
		i = ( i + 1 ) & rut->table_mask;
	}
	rut->table[i] = slot + 1;
}

// Closes the gap by moving up what was pushed past it.
static void table_remove( ds_rut *rut, int32_t slot )
{
	uint32_t mask = rut->table_mask;
	uint32_t gap = ds_rut_hash( rut, rut->slots[slot].page.north, rut->slots[slot].page.east );
	while ( rut->table[gap] != slot + 1 )
	{
		gap = ( gap + 1 ) & mask;
	}
	for ( uint32_t i = ( gap + 1 ) & mask; rut->table[i]; i = ( i + 1 ) & mask )
	{
		const ds_rut_page *page = &rut->slots[rut->table[i] - 1].page;
		uint32_t home = ds_rut_hash( rut, page->north, page->east );
		if ( ( ( i - home ) & mask ) >= ( ( i - gap ) & mask ) )
		{
			rut->table[gap] = rut->table[i];
			gap = i;
		}
	}
	rut->table[gap] = 0;
}

// ---- slots ---------------------------------------------------------------------------------------------------------

static void give_back( ds_rut *rut, int32_t slot )
{
	rut->slots[slot].next_free = rut->free;
	rut->free = slot;
}

void ds_rut_mark_free( ds_rut *rut, int32_t slot )
{
	ds_rut_mark *mark = &rut->slots[slot].mark;
	int32_t *next = &rut->slots[mark->page].page.marks;
	while ( *next != slot )
	{
		next = &rut->slots[*next].mark.next;
	}
	*next = mark->next;
	take_out( rut, &rut->marks, slot );
	give_back( rut, slot );
}

static void give_up( ds_rut *rut, int32_t slot )
{
	ds_rut_page *page = &rut->slots[slot].page;
	while ( page->marks != DS_RUT_NONE )
	{
		ds_rut_mark_free( rut, page->marks );
	}
	if ( page->batch != DS_RUT_NONE )
	{
		rut->batch[page->batch].page = DS_RUT_NONE;
	}
	ds_rut_dequeue( rut, slot );
	take_out( rut, &rut->recent, slot );
	table_remove( rut, slot );
	give_back( rut, slot );
	rut->given_up++;
}

// A zeroed slot; the page that was touched longest ago is given up for it, unless that is `keep`.
static int32_t take_slot( ds_rut *rut, int32_t keep )
{
	if ( rut->free == DS_RUT_NONE && rut->fresh == rut->slot_count )
	{
		if ( rut->recent.first == DS_RUT_NONE || rut->recent.first == keep )
		{
			return DS_RUT_NONE;
		}
		give_up( rut, rut->recent.first );
	}
	int32_t slot = rut->free;
	if ( slot != DS_RUT_NONE )
	{
		rut->free = rut->slots[slot].next_free;
	}
	else
	{
		slot = rut->fresh++;
	}
	memset( &rut->slots[slot], 0, sizeof( ds_rut_slot ) );
	return slot;
}

int32_t ds_rut_page_new( ds_rut *rut, int32_t north, int32_t east )
{
	int32_t slot = take_slot( rut, DS_RUT_NONE );
	if ( slot != DS_RUT_NONE )
	{
		ds_rut_page *page = &rut->slots[slot].page;
		page->north = north;
		page->east = east;
		page->marks = page->batch = DS_RUT_NONE;
		append( rut, &rut->recent, slot );
		table_add( rut, slot );
	}
	return slot;
}

int32_t ds_rut_page_at( ds_rut *rut, int32_t north, int32_t east, int64_t tick )
{
	int32_t slot = ds_rut_find( rut, north, east );
	if ( slot == DS_RUT_NONE )
	{
		slot = ds_rut_page_new( rut, north, east );
	}
	else if ( rut->slots[slot].page.tick != tick )
	{
		take_out( rut, &rut->recent, slot );
		append( rut, &rut->recent, slot );
	}
	if ( slot != DS_RUT_NONE )
	{
		rut->slots[slot].page.tick = tick;
	}
	return slot;
}

int32_t ds_rut_mark_new( ds_rut *rut, int32_t page, int32_t toucher )
{
	int32_t slot = take_slot( rut, page );
	if ( slot != DS_RUT_NONE )
	{
		ds_rut_mark *mark = &rut->slots[slot].mark;
		mark->page = page;
		mark->toucher = toucher;
		mark->next = rut->slots[page].page.marks;
		rut->slots[page].page.marks = slot;
		append( rut, &rut->marks, slot );
	}
	return slot;
}

// ---- creation ------------------------------------------------------------------------------------------------------

static ds_status check( const ds_rut_def *def )
{
	if ( !( def->cell >= LEAST_CELL && def->cell <= MOST_CELL ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "cells of ruts: expected a size in [%g, %g] m, got %g", LEAST_CELL, MOST_CELL, def->cell );
	}
	if ( def->memory < LEAST_MEMORY || def->memory > MOST_MEMORY )
	{
		return ds_error( DS_ERROR_RANGE, "memory of ruts: expected 64 KiB to 64 GiB, got %zu bytes", def->memory );
	}
	if ( !( def->repose >= DEGREE && def->repose <= 85 * DEGREE ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "angle of repose of ruts: expected 1 to 85 degrees, got %g degrees", def->repose / DEGREE );
	}
	return DS_OK;
}

static void set_limits( ds_rut *rut )
{
	double limit = tan( rut->def.repose ) * rut->def.cell * DS_RUT_UNIT;
	for ( int k = 0; k < 2; ++k )
	{
		rut->limit[k] = (int32_t)floor( limit * ( k ? sqrt( 2 ) : 1 ) + 0.5 );
		rut->slack[k] = rut->limit[k] / 64 > 16 ? rut->limit[k] / 64 : 16; // a 16th of it is not 0
	}
	rut->wall = rut->limit[0] + rut->slack[0];
	rut->wall_scale = 1.0 / rut->wall;
}

ds_status ds_rut_make( const ds_allocator *allocator, const ds_rut_def *def, int32_t slots, ds_rut **rut )
{
	*rut = NULL;
	ds_rut *made;
	DS_TRY( DS_NEW( allocator, 1, &made ) );
	made->allocator = allocator ? *allocator : ( ds_allocator ){ NULL, NULL, NULL };
	made->def = *def;
	made->per_cell = 1 / def->cell;
	made->slot_count = slots;
	set_limits( made );

	// a table at most half full: two to four entries a slot
	uint32_t size = 2;
	made->table_shift = 63;
	while ( size < 2 * (uint32_t)slots )
	{
		size *= 2;
		made->table_shift--;
	}
	made->table_mask = size - 1;
	ds_status status = DS_NEW( allocator, slots, &made->slots );
	status = status == DS_OK ? DS_NEW( allocator, size, &made->table ) : status;
	status = status == DS_OK ? DS_NEW( allocator, DS_RUT_BATCH, &made->batch ) : status;
	if ( status != DS_OK )
	{
		ds_rut_destroy( made );
		return status;
	}
	ds_rut_clear( made );
	*rut = made;
	return DS_OK;
}

ds_status ds_rut_create( const ds_allocator *allocator, const ds_rut_def *def, ds_rut **rut )
{
	if ( def == NULL || rut == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_rut_create needs a definition and a place for the result" );
	}
	*rut = NULL;
	DS_TRY( check( def ) );
	size_t slots = def->memory / ( sizeof( ds_rut_slot ) + 4 * sizeof( int32_t ) );
	return ds_rut_make( allocator, def, (int32_t)slots, rut );
}

void ds_rut_destroy( ds_rut *rut )
{
	if ( rut == NULL )
	{
		return;
	}
	ds_allocator allocator = rut->allocator;
	DS_FREE( &allocator, rut->slots, rut->slot_count );
	DS_FREE( &allocator, rut->table, (size_t)rut->table_mask + 1 );
	DS_FREE( &allocator, rut->batch, DS_RUT_BATCH );
	DS_FREE( &allocator, rut, 1 );
}

void ds_rut_clear( ds_rut *rut )
{
	memset( rut->table, 0, ( (size_t)rut->table_mask + 1 ) * sizeof( rut->table[0] ) );
	rut->fresh = 0;
	rut->free = DS_RUT_NONE;
	rut->recent = rut->queue = rut->marks = empty_list;
	rut->given_up = 0;
	rut->deepest = 0;
}

ds_rut_use ds_rut_measure( const ds_rut *rut )
{
	return ( ds_rut_use ){ .pages = rut->recent.count,
		.pages_given_up = rut->given_up,
		.bytes = (size_t)( rut->recent.count + rut->marks.count ) * sizeof( ds_rut_slot ),
		.deepest = rut->deepest / DS_RUT_UNIT };
}

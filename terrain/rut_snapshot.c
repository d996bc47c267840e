// Ruts as bytes: a header, pages from the one touched longest ago on, the queue, marks in their order. Slots and the hash's layout
// are not kept: nothing depends on them.

#include "base/base.h"
#include "terrain/rut_internal.h"

#include <string.h>

#define MAGIC UINT64_C( 0x3130545552534400 )

typedef struct head
{
	uint64_t magic;
	double cell, repose;
	int64_t erosion, slots; // of the ground that it fits
	int64_t pages, queued, marks;
	int64_t given_up, deepest;
} head;

typedef struct place
{
	int32_t north, east; // of a page
} place;

typedef struct page_bytes
{
	place place;
	int64_t tick;
	uint64_t dirty;
	ds_rut_cell cells[DS_RUT_CELLS];
} page_bytes;

typedef struct mark_bytes
{
	place place;
	int32_t toucher, unused;
	uint64_t now, held;
	int32_t sinkage[DS_RUT_CELLS];
} mark_bytes;

static head head_of( const ds_rut *rut )
{
	return ( head ){ .magic = MAGIC,
		.cell = rut->def.cell,
		.repose = rut->def.repose,
		.erosion = rut->def.erosion,
		.slots = rut->slot_count,
		.pages = rut->recent.count,
		.queued = rut->queue.count,
		.marks = rut->marks.count,
		.given_up = rut->given_up,
		.deepest = rut->deepest };
}

static size_t size_of( const head *h )
{
	return sizeof( head ) + (size_t)h->pages * sizeof( page_bytes ) + (size_t)h->queued * sizeof( place ) +
		   (size_t)h->marks * sizeof( mark_bytes );
}

size_t ds_rut_save_size( const ds_rut *rut )
{
	head h = head_of( rut );
	return size_of( &h );
}

// ---- saving --------------------------------------------------------------------------------------------------------

static void put( unsigned char **to, const void *from, size_t size )
{
	memcpy( *to, from, size );
	*to += size;
}

static place place_of( const ds_rut *rut, int32_t slot )
{
	return ( place ){ rut->slots[slot].page.north, rut->slots[slot].page.east };
}

static void put_page( unsigned char **to, const ds_rut *rut, int32_t slot )
{
	const ds_rut_page *page = &rut->slots[slot].page;
	page_bytes bytes = { place_of( rut, slot ), page->tick, page->dirty, { { 0, 0 } } };
	memcpy( bytes.cells, page->cells, sizeof( bytes.cells ) );
	put( to, &bytes, sizeof( bytes ) );
}

static void put_mark( unsigned char **to, const ds_rut *rut, const ds_rut_mark *mark )
{
	mark_bytes bytes = { place_of( rut, mark->page ), mark->toucher, 0, mark->now, mark->held, { 0 } };
	for ( int k = 0; k < DS_RUT_CELLS; ++k )
	{
		bytes.sinkage[k] = ( mark->now | mark->held ) >> k & 1 ? mark->sinkage[k] : 0;
	}
	put( to, &bytes, sizeof( bytes ) );
}

void ds_rut_save( const ds_rut *rut, void *bytes )
{
	unsigned char *to = bytes;
	head h = head_of( rut );
	put( &to, &h, sizeof( h ) );
	for ( int32_t slot = rut->recent.first; slot != DS_RUT_NONE; slot = rut->slots[slot].page.recent.next )
	{
		put_page( &to, rut, slot );
	}
	for ( int32_t slot = rut->queue.first; slot != DS_RUT_NONE; slot = rut->slots[slot].page.queue.next )
	{
		place where = place_of( rut, slot );
		put( &to, &where, sizeof( where ) );
	}
	for ( int32_t slot = rut->marks.first; slot != DS_RUT_NONE; slot = rut->slots[slot].mark.all.next )
	{
		put_mark( &to, rut, &rut->slots[slot].mark );
	}
}

// ---- loading -------------------------------------------------------------------------------------------------------

static ds_status damaged( const char *what, int64_t index )
{
	return ds_error( DS_ERROR_FORMAT, "saved ruts are damaged: %s %lld: save them anew", what, (long long)index );
}

static ds_status check_head( const ds_rut *rut, const head *h, size_t size )
{
	head own = head_of( rut );
	if ( h->magic != MAGIC )
	{
		return ds_error( DS_ERROR_FORMAT, "these bytes are no ruts that ds_rut_save of this version wrote" );
	}
	if ( memcmp( &h->cell, &own.cell, sizeof( own.cell ) ) || memcmp( &h->repose, &own.repose, sizeof( own.repose ) ) ||
		 h->erosion != own.erosion || h->slots != own.slots )
	{
		return ds_error( DS_ERROR_FORMAT,
			"saved ruts are of another ground: cells of %g m, repose %g rad, erosion %lld, %lld pages of memory; this "
			"one "
			"has %g m, %g rad, %lld, %lld",
			h->cell, h->repose, (long long)h->erosion, (long long)h->slots, own.cell, own.repose,
			(long long)own.erosion, (long long)own.slots );
	}
	if ( h->pages < 0 || h->pages > own.slots || h->queued < 0 || h->queued > h->pages || h->marks < 0 ||
		 h->marks > own.slots - h->pages || h->given_up < 0 || h->deepest < 0 || h->deepest > DS_RUT_DEEPEST )
	{
		return ds_error( DS_ERROR_FORMAT, "saved ruts are damaged: counts are impossible: save them anew" );
	}
	if ( size != size_of( h ) )
	{
		return ds_error( DS_ERROR_FORMAT, "saved ruts are damaged: expected %zu bytes, got %zu: save them anew",
			size_of( h ), size );
	}
	return DS_OK;
}

static bool is_depth( int32_t depth, int64_t least, int64_t most )
{
	return depth >= least && depth <= most;
}

// Slides and wide touches reach beyond the farthest places, not by much.
static bool is_far( const ds_rut *rut, int32_t page )
{
	double farthest = DS_RUT_PLACES * rut->per_cell / DS_RUT_SIDE + 1e6;
	return (double)page > farthest || (double)page < -farthest;
}

static ds_status load_page( ds_rut *rut, const unsigned char *from, int64_t index, int64_t deepest )
{
	page_bytes bytes;
	memcpy( &bytes, from, sizeof( bytes ) );
	if ( is_far( rut, bytes.place.north ) || is_far( rut, bytes.place.east ) || ( bytes.dirty && !rut->def.erosion ) ||
		 ds_rut_find( rut, bytes.place.north, bytes.place.east ) != DS_RUT_NONE )
	{
		return damaged( "the place of page", index );
	}
	for ( int k = 0; k < DS_RUT_CELLS; ++k )
	{
		if ( !is_depth( bytes.cells[k].packed, 0, deepest ) ||
			 !is_depth( bytes.cells[k].surface, 0, bytes.cells[k].packed ) )
		{
			return damaged( "a depth of page", index );
		}
	}
	ds_rut_page *page = &rut->slots[ds_rut_page_new( rut, bytes.place.north, bytes.place.east )].page;
	page->tick = bytes.tick;
	page->dirty = bytes.dirty;
	memcpy( page->cells, bytes.cells, sizeof( page->cells ) );
	return DS_OK;
}

static ds_status load_queue( ds_rut *rut, const unsigned char *from, int64_t count )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		place where;
		memcpy( &where, from + (size_t)i * sizeof( where ), sizeof( where ) );
		int32_t slot = ds_rut_find( rut, where.north, where.east );
		if ( slot == DS_RUT_NONE || rut->slots[slot].page.queued || rut->slots[slot].page.dirty == 0 )
		{
			return damaged( "place in the queue", i );
		}
		ds_rut_enqueue( rut, slot );
	}
	int64_t dirty = 0;
	for ( int32_t slot = rut->recent.first; slot != DS_RUT_NONE; slot = rut->slots[slot].page.recent.next )
	{
		dirty += rut->slots[slot].page.dirty != 0;
	}
	return dirty == count ? DS_OK : damaged( "length of the queue", count );
}

static ds_status load_mark( ds_rut *rut, const unsigned char *from, int64_t index )
{
	mark_bytes bytes;
	memcpy( &bytes, from, sizeof( bytes ) );
	uint64_t cells = bytes.now | bytes.held;
	int32_t page = ds_rut_find( rut, bytes.place.north, bytes.place.east );
	if ( page == DS_RUT_NONE || cells == 0 || bytes.unused )
	{
		return damaged( "the place of mark", index );
	}
	for ( int32_t m = rut->slots[page].page.marks; m != DS_RUT_NONE; m = rut->slots[m].mark.next )
	{
		if ( rut->slots[m].mark.toucher == bytes.toucher )
		{
			return damaged( "twice the toucher of mark", index );
		}
	}
	for ( int k = 0; k < DS_RUT_CELLS; ++k )
	{
		bool set = cells >> k & 1;
		if ( !is_depth( bytes.sinkage[k], set, set ? DS_RUT_DEEPEST : 0 ) )
		{
			return damaged( "a depth of mark", index );
		}
	}
	ds_rut_mark *mark = &rut->slots[ds_rut_mark_new( rut, page, bytes.toucher )].mark;
	mark->now = bytes.now;
	mark->held = bytes.held;
	memcpy( mark->sinkage, bytes.sinkage, sizeof( mark->sinkage ) );
	rut->slots[page].page.held |= bytes.held;
	return DS_OK;
}

// Fills empty ground that has room for all.
static ds_status fill( ds_rut *rut, const head *h, const unsigned char *bytes )
{
	const unsigned char *from = bytes + sizeof( *h );
	for ( int64_t i = 0; i < h->pages; ++i, from += sizeof( page_bytes ) )
	{
		DS_TRY( load_page( rut, from, i, h->deepest ) );
	}
	DS_TRY( load_queue( rut, from, h->queued ) );
	from += (size_t)h->queued * sizeof( place );
	for ( int64_t i = 0; i < h->marks; ++i, from += sizeof( mark_bytes ) )
	{
		DS_TRY( load_mark( rut, from, i ) );
	}
	rut->given_up = h->given_up;
	rut->deepest = (int32_t)h->deepest;
	return DS_OK;
}

ds_status ds_rut_load( ds_rut *rut, const void *bytes, size_t size )
{
	head h;
	if ( bytes == NULL || size < sizeof( h ) )
	{
		return ds_error( DS_ERROR_FORMAT, "saved ruts are damaged: %zu bytes are too few: save them anew", size );
	}
	memcpy( &h, bytes, sizeof( h ) );
	DS_TRY( check_head( rut, &h, size ) );

	// tried on ground that is just large enough: then nothing can fail
	ds_rut *trial;
	DS_TRY( ds_rut_make( &rut->allocator, &rut->def, (int32_t)( h.pages + h.marks ), &trial ) );
	ds_status status = fill( trial, &h, bytes );
	ds_rut_destroy( trial );
	if ( status == DS_OK )
	{
		ds_rut_clear( rut );
		status = fill( rut, &h, bytes );
	}
	return status;
}

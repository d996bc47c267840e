// Inside the ruts: the pool of slots, its lists and its hash.

#ifndef DEEPSIM_TERRAIN_RUT_INTERNAL_H
#define DEEPSIM_TERRAIN_RUT_INTERNAL_H

#include "terrain/rut.h"

#define DS_RUT_SIDE    8 // cells along a side of a page: the cells of a page are the bits of a word
#define DS_RUT_CELLS   64 // bit and index: 8 row + column; rows go north, columns east
#define DS_RUT_UNIT    8388608.0 // of depth: 1 / m
#define DS_RUT_DEEPEST ( 100 * 8388608 ) // the difference of two depths fits int32_t
#define DS_RUT_PLACES  1e7 // farthest north and east [m]
#define DS_RUT_NONE    ( -1 )

typedef struct ds_rut_cell
{
	int32_t packed, surface; // 0 <= surface <= packed
} ds_rut_cell;

typedef struct ds_rut_link
{
	int32_t next, prev; // slots
} ds_rut_link;

typedef struct ds_rut_page
{
	ds_rut_link recent, queue; // in rut->recent; in rut->queue, when queued
	int32_t north, east; // cells / 8
	int64_t tick; // of the last touch
	uint64_t dirty; // cells that may slide: none without being in the queue
	uint64_t held; // cells that some mark of this page is on
	int32_t marks; // slot of the first
	int32_t batch; // index in rut->batch during a slide
	int32_t queued, unused;
	ds_rut_cell cells[DS_RUT_CELLS];
} ds_rut_page;

// What one toucher has pending in one page.
typedef struct ds_rut_mark
{
	ds_rut_link all; // in rut->marks
	int32_t page, toucher;
	int32_t next, unused; // of the same page
	uint64_t now, held; // cells touched since the last settling; and in the tick before
	int32_t sinkage[DS_RUT_CELLS]; // of cells in either
} ds_rut_mark;

typedef union ds_rut_slot
{
	ds_rut_page page;
	ds_rut_mark mark;
	int32_t next_free;
} ds_rut_slot;

typedef struct ds_rut_list
{
	int32_t first, last, count;
} ds_rut_list;

typedef struct ds_rut_slide
{
	int32_t page; // slot; DS_RUT_NONE: given up meanwhile
	uint64_t moved; // cells that change, or wait for a neighbour
	int32_t surface[DS_RUT_CELLS];
} ds_rut_slide;

struct ds_rut
{
	ds_allocator allocator;
	ds_rut_def def;
	double per_cell; // 1 / cell [1/m]
	int32_t limit[2]; // differences of cells at the slope of repose: along the axes, along diagonals
	int32_t slack[2]; // differences beyond the limit that still stand
	int32_t wall; // differences along the axes up to this are no walls: what slides leaves
	double wall_scale; // 1 / wall

	ds_rut_slot *slots;
	int32_t slot_count, fresh; // slots from `fresh` on were never used
	int32_t free; // first of those given back
	int32_t *table; // slot + 1 of pages by hash; 0: empty
	uint32_t table_mask, table_shift; // its size is a power of two
	ds_rut_slide *batch; // DS_RUT_BATCH

	ds_rut_list recent; // pages, those touched longest ago first
	ds_rut_list queue; // pages with dirty cells, in the order that they slide
	ds_rut_list marks; // all
	int64_t given_up;
	int32_t deepest;
};

// Sums of multiples of 1/r and 1/r^2, r^3 = r + 1, modulo 1 in units of 2^-64: small multiples of the two (cubic numbers of one
// field) never add up to nearly a whole number, so that pages near one another do not collide.
static inline uint32_t ds_rut_hash( const ds_rut *rut, int32_t north, int32_t east )
{
	uint64_t sum = (uint64_t)north * UINT64_C( 0xC13FA9A902A6328F ) + (uint64_t)east * UINT64_C( 0x91E10DA5C79E7B1D );
	return (uint32_t)( sum >> rut->table_shift );
}

// Slot of a page, or DS_RUT_NONE.
static inline int32_t ds_rut_find( const ds_rut *rut, int32_t north, int32_t east )
{
	for ( uint32_t i = ds_rut_hash( rut, north, east ); rut->table[i]; i = ( i + 1 ) & rut->table_mask )
	{
		const ds_rut_page *page = &rut->slots[rut->table[i] - 1].page;
		if ( page->north == north && page->east == east )
		{
			return rut->table[i] - 1;
		}
	}
	return DS_RUT_NONE;
}

// Ground of a checked definition with this many slots.
ds_status ds_rut_make( const ds_allocator *allocator, const ds_rut_def *def, int32_t slots, ds_rut **rut );

// The page, made when there is none, as the one touched last; DS_RUT_NONE: no room.
int32_t ds_rut_page_at( ds_rut *rut, int32_t north, int32_t east, int64_t tick );

// A new page at the end of `recent`, and a new mark at the end of `marks`; DS_RUT_NONE: no room. The mark's page is not given up.
int32_t ds_rut_page_new( ds_rut *rut, int32_t north, int32_t east );
int32_t ds_rut_mark_new( ds_rut *rut, int32_t page, int32_t toucher );
void ds_rut_mark_free( ds_rut *rut, int32_t slot );

// Appends a page to the queue of those that may slide, if it is not there.
void ds_rut_enqueue( ds_rut *rut, int32_t slot );
void ds_rut_dequeue( ds_rut *rut, int32_t slot );

// Lets walls slide, once.
void ds_rut_slide_walls( ds_rut *rut, int64_t tick );

// Cells and their eight neighbours may slide, as far as there are pages.
void ds_rut_disturb( ds_rut *rut, int32_t slot, uint64_t cells );

#endif

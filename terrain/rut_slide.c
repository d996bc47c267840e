// Ruts: walls that are too steep slide.
//
// One relaxation a tick over the pages at the head of the queue: between two neighbours (of eight) that differ by d, more than the
// slope of repose lets stand, a 16th of the excess goes down. All differences are those before the slide, so that neither side nor
// the order of cells is preferred; with 8 / 16 no cell goes past its neighbours. What one cell gives the other gets, in whole units.

#include "terrain/rut_internal.h"

#include <stdlib.h>
#include <string.h>

#define SHARE 16
#define FRAME ( DS_RUT_SIDE + 2 ) // a page with the nearest cells of its neighbours

#define FIRST_COLUMN UINT64_C( 0x0101010101010101 )
#define LAST_COLUMN  ( FIRST_COLUMN << 7 )

enum
{
	NO_PAGE,
	AT_REST, // not in this slide
	SLIDES,
	HELD // something stands there
};

typedef struct frame
{
	int32_t surface[FRAME * FRAME];
	uint8_t state[FRAME * FRAME];
} frame;

// Cells of the page `north`, `east` pages farther on (-1, 0, 1) that are among `cells` or their neighbours.
static uint64_t spread( uint64_t cells, int north, int east )
{
	uint64_t x = east > 0   ? ( cells & LAST_COLUMN ) >> 7
				 : east < 0 ? ( cells & FIRST_COLUMN ) << 7
							: cells | ( cells & ~LAST_COLUMN ) << 1 | ( cells & ~FIRST_COLUMN ) >> 1;
	return north > 0 ? x >> 56 : north < 0 ? x << 56 : x | x << 8 | x >> 8;
}

void ds_rut_disturb( ds_rut *rut, int32_t slot, uint64_t cells )
{
	if ( !rut->def.erosion )
	{
		return;
	}
	const ds_rut_page *page = &rut->slots[slot].page;
	for ( int32_t k = 0; k < 9; ++k )
	{
		int32_t north = k / 3 - 1, east = k % 3 - 1;
		uint64_t there = spread( cells, north, east );
		int32_t other = there ? ds_rut_find( rut, page->north + north, page->east + east ) : DS_RUT_NONE;
		if ( other != DS_RUT_NONE )
		{
			rut->slots[other].page.dirty |= there;
			ds_rut_enqueue( rut, other );
		}
	}
}

// Makes the neighbours that soil will slide from: untouched ground beside deep cells at the edge.
static void open_neighbours( ds_rut *rut, int32_t slot, int64_t tick )
{
	ds_rut_page page = rut->slots[slot].page; // it may be given up for one of them
	uint64_t steep[2] = { 0, 0 };
	for ( int32_t k = 0; k < DS_RUT_CELLS; ++k )
	{
		uint64_t bit = page.dirty & ~page.held & UINT64_C( 1 ) << k;
		for ( int diagonal = 0; diagonal < 2 && bit; ++diagonal )
		{
			bool falls = page.cells[k].surface > rut->limit[diagonal] + rut->slack[diagonal];
			steep[diagonal] |= falls ? bit : 0;
		}
	}
	for ( int32_t k = 0; k < 9 && steep[0]; ++k )
	{
		int32_t north = k / 3 - 1, east = k % 3 - 1;
		uint64_t there = spread( steep[north && east], north, east );
		if ( there && ds_rut_find( rut, page.north + north, page.east + east ) == DS_RUT_NONE )
		{
			int32_t made = ds_rut_page_at( rut, page.north + north, page.east + east, tick );
			if ( made != DS_RUT_NONE )
			{
				rut->slots[made].page.dirty = there;
				ds_rut_enqueue( rut, made );
			}
		}
	}
}

static void fill_frame( const ds_rut *rut, const ds_rut_page *page, frame *f )
{
	memset( f, 0, sizeof( *f ) );
	for ( int32_t k = 0; k < 9; ++k )
	{
		int32_t north = k / 3 - 1, east = k % 3 - 1;
		int32_t slot = ds_rut_find( rut, page->north + north, page->east + east );
		if ( slot == DS_RUT_NONE )
		{
			continue;
		}
		const ds_rut_page *p = &rut->slots[slot].page;
		uint64_t slides = p->batch == DS_RUT_NONE ? 0 : p->dirty;
		int32_t top = north < 0 ? 7 : 0, bottom = north > 0 ? 0 : 7;
		int32_t left = east < 0 ? 7 : 0, right = east > 0 ? 0 : 7;
		for ( int32_t row = top; row <= bottom; ++row )
		{
			for ( int32_t column = left; column <= right; ++column )
			{
				int32_t c = row * DS_RUT_SIDE + column;
				int32_t to = ( row + 1 + DS_RUT_SIDE * north ) * FRAME + column + 1 + DS_RUT_SIDE * east;
				f->surface[to] = p->cells[c].surface;
				f->state[to] = (uint8_t)( p->held >> c & 1 ? HELD : slides >> c & 1 ? SLIDES : AT_REST );
			}
		}
	}
}

// New surface of a cell of a frame. Sets *moves if it changes, or would if its neighbour were in the slide.
static int32_t slide_cell( const ds_rut *rut, const frame *f, int32_t at, bool *moves )
{
	static const int8_t steps[8] = { -FRAME, -1, 1, FRAME, -FRAME - 1, -FRAME + 1, FRAME - 1, FRAME + 1 };
	int32_t surface = f->surface[at], sum = 0;
	for ( int k = 0; k < 8; ++k )
	{
		int32_t other = at + steps[k], difference = f->surface[other] - surface, diagonal = k >= 4;
		int32_t excess = abs( difference ) - rut->limit[diagonal];
		if ( excess <= rut->slack[diagonal] || f->state[other] == NO_PAGE || f->state[other] == HELD )
		{
			continue;
		}
		*moves = true;
		if ( f->state[other] == SLIDES )
		{
			sum += difference > 0 ? excess / SHARE : -( excess / SHARE );
		}
	}
	return surface + sum;
}

static void find_slide( const ds_rut *rut, ds_rut_slide *slide )
{
	frame f;
	fill_frame( rut, &rut->slots[slide->page].page, &f );
	slide->moved = 0;
	for ( int32_t k = 0; k < DS_RUT_CELLS; ++k )
	{
		int32_t at = ( k / DS_RUT_SIDE + 1 ) * FRAME + k % DS_RUT_SIDE + 1;
		bool moves = false;
		slide->surface[k] = f.state[at] == SLIDES ? slide_cell( rut, &f, at, &moves ) : f.surface[at];
		slide->moved |= moves ? UINT64_C( 1 ) << k : 0;
	}
}

static void put_slide( ds_rut *rut, const ds_rut_slide *slide )
{
	ds_rut_page *page = &rut->slots[slide->page].page;
	page->dirty = 0;
	page->batch = DS_RUT_NONE;
	for ( int32_t k = 0; k < DS_RUT_CELLS; ++k )
	{
		ds_rut_cell *cell = &page->cells[k];
		cell->surface = slide->surface[k];
		cell->packed = cell->packed > cell->surface ? cell->packed : cell->surface;
	}
}

void ds_rut_slide_walls( ds_rut *rut, int64_t tick )
{
	int32_t count = rut->queue.count < DS_RUT_BATCH ? rut->queue.count : DS_RUT_BATCH;
	for ( int32_t b = 0; b < count; ++b )
	{
		int32_t slot = rut->queue.first;
		ds_rut_dequeue( rut, slot );
		rut->batch[b].page = slot;
		rut->slots[slot].page.batch = b;
	}
	for ( int32_t b = 0; b < count; ++b )
	{
		if ( rut->batch[b].page != DS_RUT_NONE )
		{
			open_neighbours( rut, rut->batch[b].page, tick );
		}
	}
	// from here on no page is given up
	for ( int32_t b = 0; b < count; ++b )
	{
		if ( rut->batch[b].page != DS_RUT_NONE )
		{
			find_slide( rut, &rut->batch[b] );
		}
	}
	for ( int32_t b = 0; b < count; ++b )
	{
		if ( rut->batch[b].page != DS_RUT_NONE )
		{
			put_slide( rut, &rut->batch[b] );
		}
	}
	for ( int32_t b = 0; b < count; ++b )
	{
		if ( rut->batch[b].page != DS_RUT_NONE && rut->batch[b].moved )
		{
			ds_rut_disturb( rut, rut->batch[b].page, rut->batch[b].moved );
		}
	}
}

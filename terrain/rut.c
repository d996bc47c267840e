#include "terrain/rut.h"

#include "terrain/rut_internal.h"

#include <math.h>

#define WIDEST  256.0 // square of a touch [cells]
#define ON_EDGE 1e-5 // more than places of 1e10 cells are rounded by [cells]

static bool is_place( double north, double east )
{
	return fabs( north ) <= DS_RUT_PLACES && fabs( east ) <= DS_RUT_PLACES;
}

static int64_t whole( double x )
{
	int64_t i = (int64_t)x;
	return i - ( x < (double)i );
}

// Page of a cell, and its place in the page; cells count on without a gap below 0.
static int32_t page_of( int64_t cell )
{
	return (int32_t)( ( cell - ( cell & ( DS_RUT_SIDE - 1 ) ) ) / DS_RUT_SIDE );
}

static int32_t within( int64_t north, int64_t east )
{
	return (int32_t)( ( north & ( DS_RUT_SIDE - 1 ) ) * DS_RUT_SIDE + ( east & ( DS_RUT_SIDE - 1 ) ) );
}

// ---- the ground ----------------------------------------------------------------------------------------------------

// The cell of a place, and its neighbours towards the side that the place lies on: along north, along east, along both.
typedef struct corners
{
	const ds_rut_cell *home, *north, *east, *both;
} corners;

static const ds_rut_cell flat = { 0, 0 };

static const ds_rut_cell *cell_in( const ds_rut *rut, int32_t slot, int64_t north, int64_t east )
{
	return slot == DS_RUT_NONE ? &flat : &rut->slots[slot].page.cells[within( north, east )];
}

// Of a cell at the edge of its page.
static corners corners_across( const ds_rut *rut, int64_t i, int64_t j, int64_t i1, int64_t j1 )
{
	int32_t p = page_of( i ), q = page_of( j ), p1 = page_of( i1 ), q1 = page_of( j1 );
	int32_t home = ds_rut_find( rut, p, q );
	int32_t north = p1 == p ? home : ds_rut_find( rut, p1, q );
	int32_t east = q1 == q ? home : ds_rut_find( rut, p, q1 );
	int32_t both = p1 == p ? east : q1 == q ? north : ds_rut_find( rut, p1, q1 );
	return ( corners ){ cell_in( rut, home, i, j ), cell_in( rut, north, i1, j ), cell_in( rut, east, i, j1 ),
		cell_in( rut, both, i1, j1 ) };
}

// How far a difference between neighbours is none of a wall: 1 up to the limit, 0 from twice that on.
static double not_wall( int32_t difference, double wall_scale )
{
	double share = 2 - fabs( (double)difference ) * wall_scale;
	return share > 1 ? 1 : share > 0 ? share : 0;
}

// Depth at `a`, `b` cells from the centre of its home towards the neighbours. The one across the corner is reached around walls.
static double interpolate(
	const ds_rut *rut, int32_t home, int32_t north, int32_t east, int32_t both, double a, double b )
{
	int32_t steps[4] = { north - home, east - home, both - north, both - east };
	double share[3] = { 1, 1, 1 };
	uint32_t limit = (uint32_t)rut->wall, twice = 2 * limit;
	if ( ( (uint32_t)steps[0] + limit > twice ) | ( (uint32_t)steps[1] + limit > twice ) |
		 ( (uint32_t)steps[2] + limit > twice ) | ( (uint32_t)steps[3] + limit > twice ) )
	{
		share[0] = not_wall( steps[0], rut->wall_scale );
		share[1] = not_wall( steps[1], rut->wall_scale );
		double over_north = share[0] * not_wall( steps[2], rut->wall_scale );
		double over_east = share[1] * not_wall( steps[3], rut->wall_scale );
		share[2] = over_north > over_east ? over_north : over_east;
	}
	double rise =
		a * ( 1 - b ) * share[0] * steps[0] + ( 1 - a ) * b * share[1] * steps[1] + a * b * share[2] * ( both - home );
	return ( home + rise ) * ( 1 / DS_RUT_UNIT );
}

ds_rut_point ds_rut_at( const ds_rut *rut, double north, double east, int64_t tick, int32_t toucher )
{
	(void)tick;
	(void)toucher;
	if ( rut->recent.count == 0 || !is_place( north, east ) )
	{
		return ( ds_rut_point ){ 0, 0 };
	}
	double u = north * rut->per_cell, v = east * rut->per_cell;
	int64_t i = whole( u ), j = whole( v );
	double a = u - (double)i - 0.5, b = v - (double)j - 0.5;
	int64_t di = a < 0 ? -1 : 1, dj = b < 0 ? -1 : 1;
	corners c;
	if ( ( ( ( i + di ) ^ i ) | ( ( j + dj ) ^ j ) ) & -DS_RUT_SIDE )
	{
		c = corners_across( rut, i, j, i + di, j + dj );
	}
	else
	{
		int32_t slot = ds_rut_find( rut, page_of( i ), page_of( j ) );
		if ( slot == DS_RUT_NONE )
		{
			return ( ds_rut_point ){ 0, 0 };
		}
		c.home = &rut->slots[slot].page.cells[within( i, j )];
		c.north = c.home + di * DS_RUT_SIDE;
		c.east = c.home + dj;
		c.both = c.north + dj;
	}
	a = fabs( a );
	b = fabs( b );
	return ( ds_rut_point ){ interpolate( rut, c.home->packed, c.north->packed, c.east->packed, c.both->packed, a, b ),
		interpolate( rut, c.home->surface, c.north->surface, c.east->surface, c.both->surface, a, b ) };
}

// ---- touches -------------------------------------------------------------------------------------------------------

typedef struct span
{
	int64_t first, last; // cells
} span;

// Cells whose centres lie within `half` of x, and the one of x; in cells. Where squares meet, on a centre, both have it.
static span cells_about( double x, double half )
{
	int64_t home = whole( x );
	int64_t first = -whole( half + 0.5 - x + ON_EDGE ), last = whole( x + half - 0.5 + ON_EDGE );
	return ( span ){ first < home ? first : home, last > home ? last : home };
}

// The part of cells that lies in a page, counted in it.
static span in_page( span cells, int32_t page )
{
	int64_t start = (int64_t)page * DS_RUT_SIDE, first = cells.first - start, last = cells.last - start;
	return ( span ){ first > 0 ? first : 0, last < DS_RUT_SIDE - 1 ? last : DS_RUT_SIDE - 1 };
}

static int32_t mark_of( ds_rut *rut, int32_t page, int32_t toucher )
{
	for ( int32_t slot = rut->slots[page].page.marks; slot != DS_RUT_NONE; slot = rut->slots[slot].mark.next )
	{
		if ( rut->slots[slot].mark.toucher == toucher )
		{
			return slot;
		}
	}
	return ds_rut_mark_new( rut, page, toucher );
}

static void mark_cells( ds_rut_mark *mark, span rows, span columns, int32_t sinkage )
{
	uint64_t known = mark->now | mark->held;
	for ( int64_t row = rows.first; row <= rows.last; ++row )
	{
		for ( int64_t column = columns.first; column <= columns.last; ++column )
		{
			int64_t k = row * DS_RUT_SIDE + column;
			uint64_t bit = UINT64_C( 1 ) << k;
			if ( !( known & bit ) || mark->sinkage[k] < sinkage )
			{
				mark->sinkage[k] = sinkage;
			}
			mark->now |= bit;
		}
	}
}

void ds_rut_touch( ds_rut *rut, double north, double east, double area, double sinkage, int64_t tick, int32_t toucher )
{
	if ( !is_place( north, east ) || !( area >= 0 ) || !( sinkage > 0 ) )
	{
		return;
	}
	double depth = sinkage * DS_RUT_UNIT + 0.5, width = sqrt( area ) * rut->per_cell;
	int32_t units = depth < DS_RUT_DEEPEST ? (int32_t)depth : DS_RUT_DEEPEST;
	double half = 0.5 * ( width < WIDEST ? width : WIDEST );
	if ( units == 0 )
	{
		return;
	}
	span rows = cells_about( north * rut->per_cell, half ), columns = cells_about( east * rut->per_cell, half );
	for ( int32_t p = page_of( rows.first ); p <= page_of( rows.last ); ++p )
	{
		for ( int32_t q = page_of( columns.first ); q <= page_of( columns.last ); ++q )
		{
			int32_t page = ds_rut_page_at( rut, p, q, tick );
			int32_t mark = page == DS_RUT_NONE ? page : mark_of( rut, page, toucher );
			if ( mark != DS_RUT_NONE )
			{
				mark_cells( &rut->slots[mark].mark, in_page( rows, p ), in_page( columns, q ), units );
			}
		}
	}
}

// ---- the end of a tick ---------------------------------------------------------------------------------------------

// Presses cells of a page as a toucher left them.
static void press( ds_rut *rut, ds_rut_page *page, const ds_rut_mark *mark, uint64_t gone )
{
	for ( int32_t k = 0; k < DS_RUT_CELLS; ++k )
	{
		if ( gone >> k & 1 )
		{
			int32_t sinkage = mark->sinkage[k];
			ds_rut_cell *cell = &page->cells[k];
			cell->packed = cell->packed > sinkage ? cell->packed : sinkage;
			cell->surface = cell->surface > sinkage ? cell->surface : sinkage;
			rut->deepest = rut->deepest > sinkage ? rut->deepest : sinkage;
		}
	}
}

void ds_rut_settle( ds_rut *rut, int64_t tick )
{
	for ( int32_t slot = rut->marks.first; slot != DS_RUT_NONE; slot = rut->slots[slot].mark.all.next )
	{
		rut->slots[rut->slots[slot].mark.page].page.held = 0;
	}
	for ( int32_t slot = rut->marks.first, next; slot != DS_RUT_NONE; slot = next )
	{
		ds_rut_mark *mark = &rut->slots[slot].mark;
		ds_rut_page *page = &rut->slots[mark->page].page;
		next = mark->all.next;
		uint64_t gone = mark->held & ~mark->now;
		if ( gone )
		{
			press( rut, page, mark, gone );
			ds_rut_disturb( rut, mark->page, gone );
		}
		page->held |= mark->now;
		mark->held = mark->now;
		mark->now = 0;
		if ( mark->held == 0 )
		{
			ds_rut_mark_free( rut, slot );
		}
	}
	if ( rut->def.erosion )
	{
		ds_rut_slide_walls( rut, tick );
	}
}

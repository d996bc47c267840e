#include "terrain/rut.h"

#include "terrain/rut_internal.h"

#include <math.h>

#define WIDEST 256.0 // square of a touch [cells]

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

// Difference of a neighbour as far as it is no wall: all of it up to the limit, nothing from twice that on.
static double not_wall( int32_t difference, double limit_scale )
{
	double share = 2 - fabs( (double)difference ) * limit_scale;
	share = share > 1 ? 1 : share < 0 ? 0 : share;
	return share * difference;
}

static double interpolate( int32_t home, const int32_t around[3], const double weights[3], const double scale[2] )
{
	double sum = home;
	for ( int k = 0; k < 3; ++k )
	{
		sum += weights[k] * not_wall( around[k] - home, scale[k == 2] );
	}
	return sum * ( 1 / DS_RUT_UNIT );
}

ds_rut_point ds_rut_at( const ds_rut *rut, double north, double east, int64_t tick, int32_t toucher )
{
	(void)tick;
	(void)toucher;
	ds_rut_point point = { 0, 0 };
	if ( rut->recent.count == 0 || !is_place( north, east ) )
	{
		return point;
	}

	// the cell of the place, and the next ones towards the side that the place lies on
	double u = north * rut->per_cell, v = east * rut->per_cell;
	int64_t i = whole( u ), j = whole( v );
	double a = u - (double)i - 0.5, b = v - (double)j - 0.5;
	int64_t i1 = a < 0 ? i - 1 : i + 1, j1 = b < 0 ? j - 1 : j + 1;
	a = fabs( a );
	b = fabs( b );
	int32_t p = page_of( i ), q = page_of( j ), p1 = page_of( i1 ), q1 = page_of( j1 );
	int32_t home = ds_rut_find( rut, p, q );
	int32_t pages[3] = { home, home, home };
	if ( p1 != p || q1 != q )
	{
		pages[0] = p1 != p ? ds_rut_find( rut, p1, q ) : home;
		pages[1] = q1 != q ? ds_rut_find( rut, p, q1 ) : home;
		pages[2] = p1 == p ? pages[1] : q1 == q ? pages[0] : ds_rut_find( rut, p1, q1 );
	}
	if ( home == DS_RUT_NONE && pages[0] == DS_RUT_NONE && pages[1] == DS_RUT_NONE && pages[2] == DS_RUT_NONE )
	{
		return point;
	}

	static const ds_rut_cell flat = { 0, 0 };
	const ds_rut_cell *c = home == DS_RUT_NONE ? &flat : &rut->slots[home].page.cells[within( i, j )];
	const int32_t places[3] = { within( i1, j ), within( i, j1 ), within( i1, j1 ) };
	int32_t packed[3], surface[3];
	for ( int k = 0; k < 3; ++k )
	{
		const ds_rut_cell *n = pages[k] == DS_RUT_NONE ? &flat : &rut->slots[pages[k]].page.cells[places[k]];
		packed[k] = n->packed;
		surface[k] = n->surface;
	}
	const double weights[3] = { a * ( 1 - b ), ( 1 - a ) * b, a * b };
	point.packed = interpolate( c->packed, packed, weights, rut->limit_scale );
	point.surface = interpolate( c->surface, surface, weights, rut->limit_scale );
	return point;
}

// ---- touches -------------------------------------------------------------------------------------------------------

typedef struct span
{
	int64_t first, last; // cells
} span;

// Cells whose centres lie in [x - half, x + half), and the one of x; in cells.
static span cells_about( double x, double half )
{
	int64_t home = whole( x );
	int64_t first = -whole( -( x - half - 0.5 ) ), last = -whole( -( x + half - 0.5 ) ) - 1;
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

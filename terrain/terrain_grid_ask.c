// Grids of heights: asking.

#include "terrain/terrain_internal.h"

// A place this near to an edge of a cell [cells] is on it, where that finds ground beside a hole: positions are rounded.
#define EDGE 1e-9

// A place in a hole that lies on the edge of other triangles, too: the first of them that is ground, in the order of numbers.
static double on_edge( const ds_lattice *g, ds_place p, double *slope_north, double *slope_east )
{
	int32_t i0 = p.u < EDGE && p.i > 0 ? p.i - 1 : p.i, i1 = p.u > 1 - EDGE && p.i < g->last_i ? p.i + 1 : p.i;
	int32_t j0 = p.v < EDGE && p.j > 0 ? p.j - 1 : p.j, j1 = p.v > 1 - EDGE && p.j < g->last_j ? p.j + 1 : p.j;
	for ( int32_t i = i0; i <= i1; ++i )
	{
		for ( int32_t j = j0; j <= j1; ++j )
		{
			ds_place q = { i, j, ds_within( p.u + ( p.i - i ), 1 ), ds_within( p.v + ( p.j - j ), 1 ) };
			for ( int second = q.u + q.v > 1 + EDGE; second <= ( q.u + q.v >= 1 - EDGE ); ++second )
			{
				ds_rises r = ds_lattice_rises( g, i * g->columns + j, second );
				double z = g->base + ( r.corner + ( q.u * r.north + ( q.v - 1 ) * r.east ) );
				if ( z == z )
				{
					*slope_north = r.north * g->per_north;
					*slope_east = r.east * g->per_east;
					return z;
				}
			}
		}
	}
	return NAN;
}

void ds_grid_at_many( const ds_terrain *t, int64_t count, const double *north, const double *east, double *z,
	double *slope_north, double *slope_east )
{
	const ds_lattice *g = &t->lattice;
	t->kernel->slopes( g, count, north, east, z, slope_north, slope_east );
	for ( int64_t k = 0; t->holes && k < count; ++k )
	{
		if ( z[k] != z[k] && ds_lattice_inside( g, north[k], east[k] ) )
		{
			z[k] = on_edge( g, ds_lattice_find( g, north[k], east[k] ), &slope_north[k], &slope_east[k] );
		}
	}
}

// ---- rectangles and triangles --------------------------------------------------------------------------------------

// Cells that touch a rectangle, first and last.
typedef struct cells
{
	int64_t i0, i1, j0, j1;
} cells;

static bool cells_in( const ds_terrain *t, const ds_rectangle *w, cells *found )
{
	const ds_lattice *g = &t->lattice;
	if ( w->south > g->last_north || w->north < g->north || w->west > g->last_east || w->east < g->east )
	{
		return false;
	}
	ds_place first = ds_lattice_find( g, w->south, w->west ), last = ds_lattice_find( g, w->north, w->east );
	// on the edge of a cell, the one before touches as well
	*found = ( cells ){ first.u == 0 && first.i > 0 ? first.i - 1 : first.i, last.i,
		first.v == 0 && first.j > 0 ? first.j - 1 : first.j, last.j };
	return true;
}

bool ds_grid_bounds( const ds_terrain *t, const ds_rectangle *where, double *top, double *bottom )
{
	cells in;
	if ( !cells_in( t, where, &in ) )
	{
		return false;
	}
	ds_extremes e = ds_extremes_none();
	if ( in.i1 - in.i0 < DS_TERRAIN_BLOCK && in.j1 - in.j0 < DS_TERRAIN_BLOCK )
	{
		for ( int64_t i = in.i0; i <= in.i1 + 1; ++i )
		{
			const float *row = t->z + i * t->view.columns;
			for ( int64_t j = in.j0; j <= in.j1 + 1; ++j )
			{
				ds_extremes_add( &e, row[j], row[j] );
			}
		}
	}
	else
	{
		e = ds_pyramid_bounds( &t->pyramid, in.i0 / DS_TERRAIN_BLOCK, in.i1 / DS_TERRAIN_BLOCK,
			in.j0 / DS_TERRAIN_BLOCK, in.j1 / DS_TERRAIN_BLOCK );
	}
	*top = t->view.base + (double)e.top;
	*bottom = t->view.base + (double)e.bottom;
	return e.top <= e.bottom;
}

static ds_vec3 sample( const ds_terrain *t, int64_t i, int64_t j )
{
	const ds_terrain_view *v = &t->view;
	return ds_v3( v->north + (double)i * v->spacing_north, v->east + (double)j * v->spacing_east,
		v->base + (double)v->z[i * v->columns + j] );
}

// Counter-clockwise seen from above; false: a hole.
static bool triangle_of( const ds_terrain *t, int64_t i, int64_t j, bool second, ds_vec3 corners[3] )
{
	corners[0] = second ? sample( t, i + 1, j + 1 ) : sample( t, i, j );
	corners[1] = second ? sample( t, i + 1, j ) : sample( t, i, j + 1 );
	corners[2] = second ? sample( t, i, j + 1 ) : sample( t, i + 1, j );
	double sum = corners[0].z + corners[1].z + corners[2].z;
	return sum == sum;
}

bool ds_grid_triangle( const ds_terrain *t, int64_t index, ds_vec3 corners[3] )
{
	int64_t width = t->view.columns - 1, cell = index / 2;
	if ( index < 0 || cell >= width * ( t->view.rows - 1 ) )
	{
		return false;
	}
	return triangle_of( t, cell / width, cell % width, index % 2 == 1, corners );
}

void ds_grid_visit( const ds_terrain *t, const ds_rectangle *where, ds_triangle_fn *visit, void *user )
{
	cells in;
	if ( !cells_in( t, where, &in ) )
	{
		return;
	}
	for ( int64_t i = in.i0; i <= in.i1; ++i )
	{
		for ( int64_t j = in.j0; j <= in.j1; ++j )
		{
			int64_t index = 2 * ( i * ( t->view.columns - 1 ) + j );
			for ( int second = 0; second < 2; ++second )
			{
				ds_vec3 corners[3];
				if ( triangle_of( t, i, j, second, corners ) && !visit( user, index + second, corners ) )
				{
					return;
				}
			}
		}
	}
}

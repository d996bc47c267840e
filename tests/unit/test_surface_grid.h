// A grid of triangles that a surface of the Bullet shim asks for: level, sloping or rough, with a hole or without.

#ifndef TEST_SURFACE_GRID_H
#define TEST_SURFACE_GRID_H

#include "test_bullet_sim.h"

#include <stdlib.h>

// A grid of heights about `north`, `east`; each cell two triangles, parted as those of a terrain.
typedef struct grid
{
	double north, east, cell;
	int n; // cells along each side
	double ( *height )( const struct grid *g, int i, int j ); // NaN: none
	double slope_north, slope_east, roughness;
	int hole; // half side of the square hole in the middle [cells]; 0: none
	double top, bottom; // of all z
	int64_t visited;
	int references;
} grid;

static inline double plane_height( const grid *g, int i, int j )
{
	double x = g->cell * ( i - g->n / 2 ), y = g->cell * ( j - g->n / 2 );
	bool hole = abs( i - g->n / 2 ) < g->hole && abs( j - g->n / 2 ) < g->hole;
	return hole ? NAN : g->slope_north * x + g->slope_east * y;
}

static inline double rough_height( const grid *g, int i, int j )
{
	return g->roughness * ( sin( 3.1 * i + 1.7 * j ) + 0.6 * cos( 2.3 * i * j ) );
}

static inline ds_vec3 grid_corner( const grid *g, int i, int j )
{
	return ds_v3( g->north + g->cell * ( i - g->n / 2 ), g->east + g->cell * ( j - g->n / 2 ), g->height( g, i, j ) );
}

static inline bool grid_triangle( const grid *g, int64_t index, ds_vec3 corners[3] )
{
	int i = (int)( index / 2 / g->n ), j = (int)( index / 2 % g->n );
	ds_vec3 b = grid_corner( g, i, j + 1 ), c = grid_corner( g, i + 1, j );
	corners[0] = index % 2 ? b : grid_corner( g, i, j );
	corners[1] = index % 2 ? grid_corner( g, i + 1, j + 1 ) : b;
	corners[2] = c;
	return !isnan( corners[0].z + corners[1].z + corners[2].z );
}

static inline int grid_cell( const grid *g, double x )
{
	double i = floor( x / g->cell ) + g->n / 2;
	return (int)fmin( fmax( i, 0 ), g->n - 1 );
}

static inline void grid_visit( void *user, ds_vec3 lower, ds_vec3 upper, dsb_triangle_fn *fn, void *context )
{
	grid *g = user;
	double half = g->cell * ( g->n / 2 ), x0 = lower.x - g->north, x1 = upper.x - g->north, y0 = lower.y - g->east,
		   y1 = upper.y - g->east;
	if ( x0 > half || x1 < -half || y0 > half || y1 < -half )
	{
		return;
	}
	for ( int i = grid_cell( g, x0 ); i <= grid_cell( g, x1 ); ++i )
	{
		for ( int j = grid_cell( g, y0 ); j <= grid_cell( g, y1 ); ++j )
		{
			for ( int k = 0; k < 2; ++k )
			{
				ds_vec3 corners[3];
				int64_t index = 2 * ( (int64_t)i * g->n + j ) + k;
				++g->visited;
				if ( grid_triangle( g, index, corners ) && !fn( context, index, corners ) )
				{
					return;
				}
			}
		}
	}
}

static inline bool grid_reaches( void *user, ds_vec3 lower, ds_vec3 upper )
{
	const grid *g = user;
	return lower.z <= g->bottom && upper.z >= g->top;
}

static inline void grid_retain( void *user )
{
	++( (grid *)user )->references;
}

static inline void grid_release( void *user )
{
	--( (grid *)user )->references;
}

static inline dsb_surface surface_of( grid *g )
{
	double half = g->cell * ( g->n / 2 );
	double rise =
		g->height == rough_height ? 1.6 * g->roughness : half * ( fabs( g->slope_north ) + fabs( g->slope_east ) );
	g->top = -rise;
	g->bottom = rise;
	dsb_surface s = { g, grid_visit, grid_reaches, grid_retain, grid_release,
		{ g->north - half, g->east - half, g->top }, { g->north + half, g->east + half, g->bottom }, g->cell, INFINITY,
		0 };
	return s;
}

static inline dsb_shape *grid_shape( grid *g )
{
	dsb_surface s = surface_of( g );
	dsb_shape *shape;
	assert_int_equal( dsb_shape_surface( &s, &shape ), DS_OK );
	return shape;
}

static inline grid plane_grid( double slope_north, double slope_east )
{
	grid g = { 0 };
	g.cell = 0.25;
	g.n = 120;
	g.height = plane_height;
	g.slope_north = slope_north;
	g.slope_east = slope_east;
	return g;
}

#endif

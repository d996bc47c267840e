// The arithmetic of looks, all rays of a packet side by side: plain loops, which the compiler makes vectors of. Included by looks_*.c, one
// per instruction set. No branch changes the numbers: the same bits everywhere.

#include "core/looks.h"

#include <math.h>
#include <string.h>

// Makes directions unit vectors. Not 0: some ray is not as it should be, or its direction is so long or so short that it needs care.
static int load( ds_ray_packet *p, const double *time, const double *footprint, double *greatest )
{
	double length2[DS_RAY_LANES], most = 0;
	int64_t bad[DS_RAY_LANES], all = 0;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double x = p->direction[0][k], y = p->direction[1][k], z = p->direction[2][k];
		length2[k] = x * x + y * y + z * z;
	}
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double scale = 1 / sqrt( length2[k] );
		p->direction[0][k] *= scale;
		p->direction[1][k] *= scale;
		p->direction[2][k] *= scale;
	}
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double place = fabs( p->origin[0][k] ) + fabs( p->origin[1][k] ) + fabs( p->origin[2][k] );
		// so that what is not finite is not good
		bad[k] =
			!( ( length2[k] > 1e-200 ) & ( length2[k] < 1e200 ) & ( p->far[k] > 0 ) & ( p->far[k] < INFINITY ) &
				( footprint[k] >= 0 ) & ( footprint[k] < INFINITY ) & ( fabs( time[k] ) <= 1 ) & ( place < INFINITY ) );
	}
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		all |= bad[k];
		most = fabs( time[k] ) > most ? fabs( time[k] ) : most;
	}
	*greatest = most;
	return all != 0;
}

static void place( const ds_ray_packet *p, const double *footprint, ds_look_places *at )
{
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double t = p->far[k], x = p->normal[0][k], y = p->normal[1][k], z = p->normal[2][k];
		const double along = x * p->direction[0][k] + y * p->direction[1][k] + z * p->direction[2][k];
		const double side = along > 0 ? -1 : 1;
		at->facet[0][k] = side * x;
		at->facet[1][k] = side * y;
		at->facet[2][k] = side * z;
		at->footprint[k] = t * footprint[k];
	}
	for ( int x = 0; x < 3; ++x )
	{
		for ( int k = 0; k < DS_RAY_LANES; ++k )
		{
			at->point[x][k] = p->origin[x][k] + p->far[k] * p->direction[x][k];
		}
	}
}

// ---- smooth ground ---------------------------------------------------------------------------------------------------

// Heights around places on a grid: about each cell (i, j) rows i - 1 to i + 2 and columns j - 1 to j + 2 as far as there are some, without
// their corners, and one over the steps between those that make a slope.
typedef struct neighbours
{
	alignas( 64 ) float up[DS_RAY_LANES][2], down[DS_RAY_LANES][2]; // rows i - 1 and i + 2; columns j, j + 1
	float near[DS_RAY_LANES][4], far[DS_RAY_LANES][4]; // rows i and i + 1; columns j - 1 to j + 2
	float per_up[DS_RAY_LANES], per_down[DS_RAY_LANES], per_left[DS_RAY_LANES], per_right[DS_RAY_LANES];
	float u[DS_RAY_LANES], v[DS_RAY_LANES]; // in the cell, 0 to 1
} neighbours;

// Cells along one axis, held within the grid, and the places in them. A sum with 1.5 * 2^52 rounds to an integer.
static inline void find_cells( const double *x, double start, double per, double last, double *cell, float *part )
{
	const double shift = 6755399441055744.0;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double u = ( x[k] - start ) * per;
		double i = u > 0 ? u : 0;
		i = i < last ? i : last;
		double whole = ( i + shift ) - shift;
		whole -= whole > i ? 1.0 : 0.0;
		cell[k] = whole;
		const float share = (float)( u - whole );
		part[k] = share > 0 ? share < 1 ? share : 1 : 0;
	}
}

static inline void take_edge( const ds_terrain_view *g, int64_t i, int64_t j, int k, neighbours *n )
{
	const int64_t up = i > 0 ? 1 : 0, down = i + 2 < g->rows ? 2 : 1;
	const int64_t left = j > 0 ? 1 : 0, right = j + 2 < g->columns ? 2 : 1;
	const float *z = g->z + i * g->columns + j, *y = z + g->columns;
	const float near[4] = { z[-left], z[0], z[1], z[right] }, far[4] = { y[-left], y[0], y[1], y[right] };
	memcpy( n->up[k], z - up * g->columns, sizeof( n->up[k] ) );
	memcpy( n->near[k], near, sizeof( near ) );
	memcpy( n->far[k], far, sizeof( far ) );
	memcpy( n->down[k], z + down * g->columns, sizeof( n->down[k] ) );
	n->per_up[k] = up ? 0.5f : 1;
	n->per_down[k] = down == 2 ? 0.5f : 1;
	n->per_left[k] = left ? 0.5f : 1;
	n->per_right[k] = right == 2 ? 0.5f : 1;
}

static inline void find_neighbours(
	const ds_terrain_view *g, const double *north, const double *east, uint32_t lanes, neighbours *n )
{
	double rows[DS_RAY_LANES], columns[DS_RAY_LANES];
	find_cells( north, g->north, 1 / g->spacing_north, (double)( g->rows - 2 ), rows, n->u );
	find_cells( east, g->east, 1 / g->spacing_east, (double)( g->columns - 2 ), columns, n->v );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		n->per_up[k] = n->per_down[k] = n->per_left[k] = n->per_right[k] = 0.5f;
	}
	for ( ; lanes; lanes &= lanes - 1 )
	{
		const int k = __builtin_ctz( lanes );
		const int64_t i = (int64_t)rows[k], j = (int64_t)columns[k];
		if ( ( i > 0 ) & ( i + 2 < g->rows ) & ( j > 0 ) & ( j + 2 < g->columns ) )
		{
			const float *z = g->z + i * g->columns + j;
			memcpy( n->up[k], z - g->columns, sizeof( n->up[k] ) );
			memcpy( n->near[k], z - 1, sizeof( n->near[k] ) );
			memcpy( n->far[k], z + g->columns - 1, sizeof( n->far[k] ) );
			memcpy( n->down[k], z + 2 * g->columns, sizeof( n->down[k] ) );
		}
		else
		{
			take_edge( g, i, j, k, n );
		}
	}
}

// Normals of the grid as a smooth surface: slopes at samples are those between their neighbours, bilinear between samples. NaN next to a
// hole.
static inline void smooth_normals( const neighbours *n, const double per[2], float normal[3][DS_RAY_LANES] )
{
	const float per_north = (float)per[0], per_east = (float)per[1];
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const float u = n->u[k], v = n->v[k], *near = n->near[k], *far = n->far[k];
		const float n00 = n->per_up[k] * ( far[1] - n->up[k][0] );
		const float n01 = n->per_up[k] * ( far[2] - n->up[k][1] );
		const float n10 = n->per_down[k] * ( n->down[k][0] - near[1] );
		const float n11 = n->per_down[k] * ( n->down[k][1] - near[2] );
		const float e00 = n->per_left[k] * ( near[2] - near[0] );
		const float e10 = n->per_left[k] * ( far[2] - far[0] );
		const float e01 = n->per_right[k] * ( near[3] - near[1] );
		const float e11 = n->per_right[k] * ( far[3] - far[1] );
		const float n0 = n00 + v * ( n01 - n00 ), n1 = n10 + v * ( n11 - n10 );
		const float e0 = e00 + v * ( e01 - e00 ), e1 = e10 + v * ( e11 - e10 );
		const float a = per_north * ( n0 + u * ( n1 - n0 ) ), b = per_east * ( e0 + u * ( e1 - e0 ) );
		const float scale = 1 / sqrtf( 1 + a * a + b * b );
		normal[0][k] = scale * a;
		normal[1][k] = scale * b;
		normal[2][k] = -scale;
	}
}

static void ask( const ds_terrain_view *grid, const ds_look_places *at, uint32_t lanes, ds_seabed_places *ground )
{
	float smooth[3][DS_RAY_LANES];
	if ( grid )
	{
		const double per[2] = { 1 / grid->spacing_north, 1 / grid->spacing_east };
		neighbours n;
		if ( lanes != DS_LOOK_ALL )
		{
			memset( &n, 0, sizeof( n ) );
		}
		find_neighbours( grid, at->point[0], at->point[1], lanes, &n );
		smooth_normals( &n, per, smooth );
	}
	else
	{
		memset( smooth, 0, sizeof( smooth ) );
	}
	memcpy( ground->north, at->point[0], sizeof( ground->north ) );
	memcpy( ground->east, at->point[1], sizeof( ground->east ) );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double side = at->facet[2][k] > 0 ? -1 : 1;
		const float x = (float)( side * at->facet[0][k] ), y = (float)( side * at->facet[1][k] ),
					z = (float)( side * at->facet[2][k] );
		const bool is_smooth = smooth[2][k] < 0;
		ground->up[0][k] = is_smooth ? smooth[0][k] : x;
		ground->up[1][k] = is_smooth ? smooth[1][k] : y;
		ground->up[2][k] = is_smooth ? smooth[2][k] : z;
		ground->footprint[k] = (float)( at->footprint[k] < 1e6 ? at->footprint[k] : 1e6 );
	}
}

static void face( const ds_look_places *at, ds_seabed_places *ground )
{
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const float x = ground->normal[0][k], y = ground->normal[1][k], z = ground->normal[2][k];
		const float along = x * (float)at->facet[0][k] + y * (float)at->facet[1][k] + z * (float)at->facet[2][k];
		const float side = along < 0 ? -1 : 1;
		ground->normal[0][k] = side * x;
		ground->normal[1][k] = side * y;
		ground->normal[2][k] = side * z;
	}
}

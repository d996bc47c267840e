// Inside terrains: a place on a grid, and the loops over many of them, which are compiled for several kinds of registers.
//
// Every variant gives the same bits: the same operations, each rounded once.

#ifndef DEEPSIM_TERRAIN_TERRAIN_AT_H
#define DEEPSIM_TERRAIN_TERRAIN_AT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// A grid as queries need it.
typedef struct ds_lattice
{
	double north, east, last_north, last_east; // edges [m]
	double per_north, per_east; // 1 / spacing [1/m]
	double base;
	int32_t last_i, last_j; // the last cell
	int64_t columns;
	const float *z;
} ds_lattice;

// Points that are worked on together, at most.
#define DS_TERRAIN_BATCH 256

typedef struct ds_ground_kernel
{
	const char *name;
	// Depths (NaN: none) and slopes at `count` places; holes are what they are, even where a place lies on their edge.
	void ( *slopes )( const ds_lattice *lattice, int64_t count, const double *north, const double *east, double *z,
		double *slope_north, double *slope_east );
	// Slopes into unit normals, out of the ground, in place; straight up where z is NaN.
	void ( *normals )( int64_t count, const double *z, double *x, double *y, double *down );
} ds_ground_kernel;

extern const ds_ground_kernel ds_ground_kernel_plain, ds_ground_kernel_avx2;

// The kernels this processor can run, the fastest first; returns their number (at most 2).
int ds_ground_kernels( const ds_ground_kernel *kernels[2] );

// Where a place lies: its cell, and how far into it, each way in [0, 1] and scaled to the cell.
typedef struct ds_place
{
	int32_t i, j;
	double u, v;
} ds_place;

static inline double ds_within( double x, double last )
{
	x = x > 0 ? x : 0; // NaN too
	return x < last ? x : last;
}

// The nearest place of the grid.
static inline ds_place ds_lattice_find( const ds_lattice *g, double north, double east )
{
	double u = ds_within( ( north - g->north ) * g->per_north, g->last_i + 1.0 );
	double v = ds_within( ( east - g->east ) * g->per_east, g->last_j + 1.0 );
	int32_t i = (int32_t)( u < g->last_i ? u : g->last_i ), j = (int32_t)( v < g->last_j ? v : g->last_j );
	ds_place p = { i, j, u - i, v - j };
	return p;
}

static inline bool ds_lattice_inside( const ds_lattice *g, double north, double east )
{
	return ( north >= g->north ) & ( north <= g->last_north ) & ( east >= g->east ) & ( east <= g->last_east );
}

// One of a cell's two triangles: depth about the base of the corner (0, 1), which both have, and rise a cell each way. NaN: a hole.
typedef struct ds_rises
{
	double corner, north, east;
} ds_rises;

// The corners are found by number and not by a branch: which triangle it is nobody can predict.
static inline ds_rises ds_lattice_rises( const ds_lattice *g, int64_t first, bool second )
{
	const int64_t k = second;
	const float *near_row = g->z + first, *far_row = near_row + g->columns, *row = near_row + k * g->columns;
	ds_rises r = { (double)near_row[1], (double)far_row[k] - (double)near_row[k], (double)row[1] - (double)row[0] };
	return r;
}

#endif

// Inside terrains: what all three kinds share.

#ifndef DEEPSIM_TERRAIN_TERRAIN_INTERNAL_H
#define DEEPSIM_TERRAIN_TERRAIN_INTERNAL_H

#include "base/base.h"
#include "deepsim/math.h"
#include "terrain/terrain.h"
#include "terrain/terrain_at.h"

#include <stdatomic.h>

// No place lies farther from the origin, no ground higher or deeper [m].
#define DS_TERRAIN_FARTHEST 1e9
#define DS_TERRAIN_DEEPEST  1e6

// Cells along a side of the lowest blocks of a grid's pyramid.
#define DS_TERRAIN_BLOCK 8

// Samples of a grid, each a float: their numbers fit 32 bits.
#define DS_TERRAIN_MAX_SAMPLES INT64_C( 2147483647 )

// Least and greatest z of a block of ground, about the terrain's base [m]; top > bottom: nothing there.
typedef struct ds_extremes
{
	float top, bottom;
} ds_extremes;

// Extremes of a lattice of blocks, of blocks of 2 x 2 blocks, and so on up to one.
typedef struct ds_pyramid
{
	int32_t levels;
	int64_t rows[32], columns[32]; // of each level
	ds_extremes *blocks[32]; // row by row; all in one piece of memory
	size_t count;
} ds_pyramid;

// Makes room for the levels over `rows` x `columns` blocks; the caller fills blocks[0], then ds_pyramid_build the rest.
ds_status ds_pyramid_create( const ds_allocator *allocator, int64_t rows, int64_t columns, ds_pyramid *pyramid );
void ds_pyramid_build( ds_pyramid *pyramid );
void ds_pyramid_destroy( const ds_allocator *allocator, ds_pyramid *pyramid );

static inline ds_extremes ds_extremes_none( void )
{
	ds_extremes none = { INFINITY, -INFINITY };
	return none;
}

// NaN changes nothing.
static inline void ds_extremes_add( ds_extremes *e, float top, float bottom )
{
	e->top = top < e->top ? top : e->top;
	e->bottom = bottom > e->bottom ? bottom : e->bottom;
}

// Extremes of the blocks (rows r0 to r1, columns c0 to c1, inclusive, of the lowest level) and maybe of some beside them: from a
// level that needs few blocks, so that the time does not grow with the rectangle.
ds_extremes ds_pyramid_bounds( const ds_pyramid *pyramid, int64_t r0, int64_t r1, int64_t c0, int64_t c1 );

// A lattice of bins over a mesh's extent; each lists the triangles whose bounding boxes reach into it.
typedef struct ds_bins
{
	double south, west, per_north, per_east; // corner of the first bin [m]; bins per metre
	int64_t rows, columns;
	int64_t *starts; // rows * columns + 1: where each bin's list starts
	int32_t *triangles; // ascending in each list
	int64_t entries;
} ds_bins;

struct ds_terrain
{
	ds_allocator allocator;
	atomic_int references;
	uint64_t serial;
	_Atomic( void * ) kept; // of others
	void ( *release_kept )( void *built );
	ds_terrain_view view;
	ds_terrain_properties properties;
	ds_pyramid pyramid; // grid, mesh
	// plane
	ds_vec3 normal;
	// grid
	ds_lattice lattice;
	const ds_ground_kernel *kernel; // the fastest here
	bool holes;
	float *z;
	// mesh
	ds_vec3 *vertices;
	int32_t *triangles;
	ds_bins bins;
};

// A terrain that holds nothing yet, with one reference.
ds_status ds_terrain_new( const ds_hooks *hooks, int32_t kind, ds_terrain **terrain );

// A grid's memory, its samples still to be written about `base`; then ds_terrain_grid_finish builds the rest.
typedef struct ds_grid_frame
{
	double north, east, spacing_north, spacing_east;
	int64_t rows, columns;
} ds_grid_frame;
ds_status ds_terrain_grid_new( const ds_hooks *hooks, const ds_grid_frame *frame, double base, ds_terrain **terrain );
ds_status ds_terrain_grid_finish( ds_terrain *terrain );

// ---- a kind's own part of the queries; at_many: DS_TERRAIN_BATCH points at most

void ds_grid_at_many( const ds_terrain *t, int64_t count, const double *north, const double *east, double *z,
	double *slope_north, double *slope_east );
bool ds_grid_bounds( const ds_terrain *t, const ds_rectangle *where, double *top, double *bottom );
void ds_grid_visit( const ds_terrain *t, const ds_rectangle *where, ds_triangle_fn *visit, void *user );
bool ds_grid_triangle( const ds_terrain *t, int64_t index, ds_vec3 corners[3] );

void ds_ground_mesh_at_many( const ds_terrain *t, int64_t count, const double *north, const double *east, double *z,
	double *slope_north, double *slope_east );
bool ds_ground_mesh_bounds( const ds_terrain *t, const ds_rectangle *where, double *top, double *bottom );
void ds_ground_mesh_visit( const ds_terrain *t, const ds_rectangle *where, ds_triangle_fn *visit, void *user );
bool ds_ground_mesh_triangle( const ds_terrain *t, int64_t index, ds_vec3 corners[3] );

#endif

// Inside the library: what a terrain is made of, for rays, collision and contact.

#ifndef DEEPSIM_TERRAIN_TERRAIN_H
#define DEEPSIM_TERRAIN_TERRAIN_H

#include "deepsim/terrain.h"

typedef enum ds_ground_kind
{
	DS_GROUND_PLANE,
	DS_GROUND_GRID,
	DS_GROUND_MESH
} ds_ground_kind;

// A terrain's data, which live as long as it does.
typedef struct ds_terrain_view
{
	int32_t kind; // ds_ground_kind
	// plane: z = base + slope_north north + slope_east east
	double base, slope_north, slope_east;
	// grid: sample (i, j) at north + i spacing_north, east + j spacing_east, z = base + z[i * columns + j]; NaN: none. Triangles: see
	// ds_terrain_visit
	double north, east, spacing_north, spacing_east;
	int64_t rows, columns;
	const float *z;
	// mesh, in the world: 3 indices a triangle, wound so that its normal points up
	const ds_vec3 *vertices;
	const int32_t *triangles;
	int64_t vertex_count, triangle_count;
} ds_terrain_view;

const ds_terrain_view *ds_terrain_see( const ds_terrain *terrain );

// A number of its own for every terrain ever made by this process: what is built from one can be kept by it.
uint64_t ds_terrain_serial( const ds_terrain *terrain );

// What others build of a terrain, for rays: kept with it until it goes, then given to `release`. One thing for a terrain, put there
// once, by one thread at a time. NULL: nothing yet. Memory of it comes from the terrain's allocator.
void *ds_terrain_kept( const ds_terrain *terrain );
void ds_terrain_keep( const ds_terrain *terrain, void *built, void ( *release )( void *built ) );
const ds_allocator *ds_terrain_allocator( const ds_terrain *terrain );

typedef struct ds_rectangle
{
	double south, west, north, east;
} ds_rectangle;

// Bounds of the ground in a rectangle: no ground there lies above `top` or below `bottom`, but for rounding (conservative: a pyramid
// of blocks; up to a few cells or a quarter of the rectangle around it count as well). False: there is no ground at all. Takes the
// same short time for every rectangle, which may be infinite.
bool ds_terrain_bounds( const ds_terrain *terrain, const ds_rectangle *where, double *top, double *bottom );

// Calls `visit` for every triangle that may reach into a rectangle, in a fixed order; corners in the world, wound so that the
// normal points up; `index` is its number: grid 2 * cell (+ 1), cell = i * (columns - 1) + j. Stops when `visit` returns false.
// Grid: by rising numbers, with those that only touch it; (i, j), (i, j + 1), (i + 1, j) or (i + 1, j + 1), (i + 1, j), (i, j + 1).
// Mesh: those whose bounding boxes touch it. A plane is given as two triangles, 0 and 1, that cover the rectangle (if it is finite).
typedef bool ds_triangle_fn( void *user, int64_t index, const ds_vec3 corners[3] );
void ds_terrain_visit( const ds_terrain *terrain, const ds_rectangle *where, ds_triangle_fn *visit, void *user );

// Corners of one triangle by its number, as ds_terrain_visit gives them; false: a hole, or no such number (a plane has none).
bool ds_terrain_triangle( const ds_terrain *terrain, int64_t index, ds_vec3 corners[3] );

// ds_terrain_at for many places at once, with the very same bits: z (NaN: no ground, the normal straight up) and the normal's three
// numbers, each an array of `count`. Outputs must not overlap inputs.
void ds_terrain_at_many( const ds_terrain *terrain, int64_t count, const double *north, const double *east, double *z,
	double *normal_x, double *normal_y, double *normal_z );

#endif

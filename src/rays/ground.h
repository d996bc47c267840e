// Inside rays: a grid of heights, as rays meet it. The grid lies in a tree as blocks of cells; the kernel walks a ray through the cells
// of a block in double precision.
//
// Coordinates: u = rows, v = columns from the first sample, w = z below the base [m]. Along a ray all are linear in the distance t.
// A cell (i, j) is parted by the line u + v = i + j + 1: triangle A (number 2 cell) has the corner (i, j), triangle B (number
// 2 cell + 1) the corner (i + 1, j + 1). In each, f = w - height is linear in t too, so a ray meets the triangle where f changes sign
// between the line's entry and its exit. Neighbours see the same f on their common edge, so no ray slips through between them.
//
// Every variant of the kernel does the same operations on each lane: same bits.

#ifndef DEEPSIM_SRC_RAYS_GROUND_H
#define DEEPSIM_SRC_RAYS_GROUND_H

#include "rays/packet.h"
#include "rays/set.h"

#define DS_RAY_BLOCK 8 // cells along a side

// Where a grid lies.
typedef struct ds_ray_frame
{
	double north, east, base; // of the sample (0, 0) [m]
	double spacing_north, spacing_east; // [m]
	double per_north, per_east; // [1/m]
	double low[3], high[3]; // of u, v, w, with a margin
	double last[2]; // greatest u, v of samples
	double center[3]; // of u, v, w: the origin of the tree
	double tolerance; // of f [m]
} ds_ray_frame;

// Rays in the coordinates of the grid, from an origin that was moved into the box of the ground.
typedef struct ds_ray_tracks
{
	alignas( 64 ) double u[DS_RAY_LANES], v[DS_RAY_LANES], w[DS_RAY_LANES]; // at t = 0
	double du[DS_RAY_LANES], dv[DS_RAY_LANES], dw[DS_RAY_LANES]; // per metre
	double iu[DS_RAY_LANES], iv[DS_RAY_LANES], iw[DS_RAY_LANES]; // 1/du, 1/dv, 1/dw; DS_RAY_ENDLESS for 0
	double is[DS_RAY_LANES]; // 1/(du + dv); DS_RAY_ENDLESS for 0
	// what was found
	double far[DS_RAY_LANES]; // distance, at first that at which the search ends [m]
	double triangle[DS_RAY_LANES]; // its number; < 0: none
	double gu[DS_RAY_LANES], gv[DS_RAY_LANES]; // its slope: dh/du, dh/dv [m]
	double shift[DS_RAY_LANES]; // way that the origin was moved along the ray [m]
	double tolerance; // of f [m]
} ds_ray_tracks;

// Cells [row, row_end) x [column, column_end), in numbers as the kernel needs them.
typedef struct ds_ray_block
{
	double row, row_end, column, column_end;
	double top, bottom; // least and greatest w, with a margin [m]
	double stride; // samples in a row of the grid
	const float *z, *z_next; // samples (row, column) and (row + 1, column); NaN: none
} ds_ray_block;

// All of a grid, for rays that need no tree. Its samples and blocks are so few that an int32_t counts them.
typedef struct ds_ray_grid
{
	ds_ray_block all;
	double block_rows, block_columns;
	const float *extremes; // least and greatest w of each block, without a margin
	double margin; // [m]
} ds_ray_grid;

typedef struct ds_ray_kernel
{
	const char *name;
	// Moves the rays of a packet into the box of the ground, for the grid and for the tree, whose `lanes` are those that enter it.
	void ( *prepare )(
		const ds_ray_frame *frame, const ds_ray_packet *packet, ds_ray_tracks *rays, ds_tree_packet *single );
	// Looks for the nearest triangle of a block for the rays of `lanes`; of equally near ones the lowest number. Lanes that met none
	// keep what they have. Unused lanes may hold anything.
	void ( *walk )( const ds_ray_block *block, ds_ray_tracks *rays, uint32_t lanes );
	// The same over all of a grid, for the rays of `lanes` that touch at most `most` blocks; returns which these are.
	uint32_t ( *walk_short )( const ds_ray_grid *grid, ds_ray_tracks *rays, uint32_t lanes, int most );
	// Puts what was met within the packet's `far` into the packet.
	void ( *finish )( const ds_ray_frame *frame, const ds_ray_tracks *rays, uint32_t lanes, ds_ray_packet *packet );
} ds_ray_kernel;

extern const ds_ray_kernel ds_ray_kernel_scalar;
#if defined( __x86_64__ )
extern const ds_ray_kernel ds_ray_kernel_avx2, ds_ray_kernel_avx512;
#endif

// The fastest that this processor has.
const ds_ray_kernel *ds_ray_kernel_best( void );

// A terrain as rays meet it, immutable.
typedef struct ds_ray_ground ds_ray_ground;

// What was built of a terrain; builds and keeps it with the terrain on first use. Thread-safe. `ground` is NULL for a plane.
ds_status ds_ray_ground_of( const ds_terrain *terrain, const ds_ray_ground **ground );

// Writes what the rays of a packet meet into it: `item` is the number of the triangle. `kernel`: NULL for the best.
void ds_ray_ground_cast( const ds_ray_ground *ground, const ds_ray_kernel *kernel, ds_ray_packet *packet );

#endif

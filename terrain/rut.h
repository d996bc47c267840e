// Ground that remembers: plastic sinkage and what slid from the walls of ruts, in a sparse grid over the terrain. Memory grows with
// the track, not with the map: pages of 8 x 8 cells in a pool that is taken whole at creation, so that no step allocates.
//
// Two depths are kept in a cell, below the terrain's own surface, positive down, 0 or more: `packed`, down to which the soil was
// pressed and has its strength, and `surface`, where the soil now begins: above `packed` where something slid in and lies loose,
// never below it (where a bank slid away, what is left begins at the new surface). Depths are whole numbers of 2^-23 m, so that
// sums do not depend on their order and no soil is lost; greatest depth 100 m.
//
// What presses now does not feel its own mark. A touch is pending, and nobody sees it, until its toucher has been gone from the
// cell for a whole tick (touched in tick t - 1, not in t: ground from t + 1 on). Every toucher has marks of its own: where one
// stands, another may pass and leave its rut, and the first finds it under itself. So front and rear wheel, a second pass and
// another vehicle find the rut, and a belt does not fight itself. Within a tick the ground that all find is that of the tick's
// start: results do not depend on the order of touchers, except which page is given up when the pool is full.
//
// Soil that is pressed is compacted, not heaped. Slides move soil between cells and neither make nor lose any, at most once a tick
// and over DS_RUT_BATCH pages; not where something stands. Slopes are those against the terrain's own surface.
//
// Places lie within 1e7 m of the origin; elsewhere, and for numbers that are not finite, there is no rut and touches leave none.
// Const calls may run together; no other call may run beside any.

#ifndef DEEPSIM_TERRAIN_RUT_H
#define DEEPSIM_TERRAIN_RUT_H

#include "deepsim/base.h"
#include "deepsim/types.h"

#define DS_RUT_BATCH 256 // pages that may slide in a tick; the others wait in line

typedef struct ds_rut ds_rut;

typedef struct ds_rut_def
{
	double cell; // [m], 0.001 to 10
	size_t
		memory; // of the pool [bytes], 64 KiB to 64 GiB; when it is full, the page that was touched longest ago is given up
	double repose; // angle of repose [rad], 1 to 85 degrees; see ds_rut_at and `erosion`
	bool erosion; // walls steeper than that (by more than a 64th) slide until they are not
} ds_rut_def;

// Errors: ARGUMENT, RANGE, MEMORY.
ds_status ds_rut_create( const ds_allocator *allocator, const ds_rut_def *def, ds_rut **rut );
void ds_rut_destroy( ds_rut *rut );

typedef struct ds_rut_point
{
	double packed, surface; // [m], interpolated between cells; 0, 0 where nothing ever was
} ds_rut_point;

// The ground that `toucher` finds at a place in a tick; the same for all of them.
//
// Bilinear between the centres of cells as long as neighbours differ by no more than the slope of repose (and the 64th that still
// stands). Steeper steps are walls and stay sharp: a neighbour behind one counts less from there on, and nothing from twice that
// slope on, so that neither the foot of a wall is lifted (what rolls in a rut would touch it) nor its edge lowered. Continuous in
// the depths always; in the place, but for walls and the cells beside them.
ds_rut_point ds_rut_at( const ds_rut *rut, double north, double east, int64_t tick, int32_t toucher );

// `toucher` has pressed the place down to `sinkage` below the terrain's surface, over `area` [m2]: the cell of the place, and all
// whose centres lie in the square of that area about it, axes north and east (at most 256 cells wide). A sinkage of 0 or less
// leaves no mark.
void ds_rut_touch( ds_rut *rut, double north, double east, double area, double sinkage, int64_t tick, int32_t toucher );

// At the end of a tick, every tick: what was left becomes ground, walls slide.
void ds_rut_settle( ds_rut *rut, int64_t tick );

typedef struct ds_rut_use
{
	int64_t pages, pages_given_up;
	size_t bytes; // of pages in use and pending marks
	double deepest; // that was ever pressed, given up or not [m]
} ds_rut_use;
ds_rut_use ds_rut_measure( const ds_rut *rut );

// All that changes, as bytes: only pages in use. ds_rut_load checks the bytes (DS_ERROR_FORMAT: damaged, or of ground of another
// definition; MEMORY) and leaves the rut as it was on error. A loaded rut goes on bit for bit as the saved one would have. Depths
// that were changed into other possible ones are not noticed: that is for a sum over the whole.
size_t ds_rut_save_size( const ds_rut *rut );
void ds_rut_save( const ds_rut *rut, void *bytes );
ds_status ds_rut_load( ds_rut *rut, const void *bytes, size_t size );

// As it was created.
void ds_rut_clear( ds_rut *rut );

#endif

// Ground that remembers: plastic sinkage and what slid from the walls of ruts, in a sparse grid over the terrain. Memory grows with
// the track, not with the map: pages of cells in a pool that is taken whole at creation, so that no step allocates.
//
// Two depths are kept in a cell, below the terrain's own surface, positive down: `packed`, down to which the soil was pressed and has
// its strength, and `surface`, where the soil now begins (above `packed` where something slid in, negative on a berm).
//
// What presses now does not feel its own mark: a touch is pending until its toucher has been gone from the cell for a tick, then it
// is part of the ground. So front and rear wheel, a second pass and another vehicle find the rut, and a belt does not fight itself.

#ifndef DEEPSIM_TERRAIN_RUT_H
#define DEEPSIM_TERRAIN_RUT_H

#include "deepsim/base.h"
#include "deepsim/types.h"

typedef struct ds_rut ds_rut;

typedef struct ds_rut_def
{
	double cell; // [m]
	size_t memory; // of the pool [bytes]; when it is full, the page that was touched longest ago is given up
	double repose; // angle of repose [rad]
	bool erosion; // walls steeper than that slide
} ds_rut_def;

// Errors: ARGUMENT, RANGE, MEMORY.
ds_status ds_rut_create( const ds_allocator *allocator, const ds_rut_def *def, ds_rut **rut );
void ds_rut_destroy( ds_rut *rut );

typedef struct ds_rut_point
{
	double packed, surface; // [m], interpolated between cells; 0, 0 where nothing ever was
} ds_rut_point;

// The ground that `toucher` finds at a place in a tick.
ds_rut_point ds_rut_at( const ds_rut *rut, double north, double east, int64_t tick, int32_t toucher );

// `toucher` has pressed the place down to `sinkage` below the terrain's surface, over `area` [m2].
void ds_rut_touch( ds_rut *rut, double north, double east, double area, double sinkage, int64_t tick, int32_t toucher );

// At the end of a tick: what was left becomes ground, walls slide.
void ds_rut_settle( ds_rut *rut, int64_t tick );

typedef struct ds_rut_use
{
	int64_t pages, pages_given_up;
	size_t bytes; // of pages in use
	double deepest; // [m]
} ds_rut_use;
ds_rut_use ds_rut_measure( const ds_rut *rut );

// All that changes, as bytes: only pages in use. ds_rut_load checks the bytes (DS_ERROR_FORMAT) and leaves the rut as it was on error.
// A loaded rut goes on bit for bit as the saved one would have.
size_t ds_rut_save_size( const ds_rut *rut );
void ds_rut_save( const ds_rut *rut, void *bytes );
ds_status ds_rut_load( ds_rut *rut, const void *bytes, size_t size );
void ds_rut_clear( ds_rut *rut );

#endif

// Inside io: what the readers of rasters share. A reader fills in how the samples lie (ds_raster), takes the part that is wanted
// (ds_raster_take), and then the values; raster.c makes depths of them and places them in the world.

#ifndef DEEPSIM_SRC_RASTER_H
#define DEEPSIM_SRC_RASTER_H

#include "deepsim/base.h"
#include "deepsim/terrain.h"

#include <stdio.h>

typedef struct ds_raster
{
	// of the call
	const char *path;
	const ds_raster_options *options;
	const ds_hooks *hooks; // never NULL

	// what the file says
	char format[32], crs[128];
	int32_t kind; // ds_raster_crs; DS_CRS_AUTO: the file does not say
	bool has_place; // false: its coordinates are about its own centre, by `cell`
	int64_t rows, columns; // all of them, then (ds_raster_take) those that are read
	double x, y; // centre of the western column, of the southern row
	double dx, dy; // spacing, greater than 0
	double scale, offset; // height = scale * value + offset
	double nodata; // NaN: none

	// what was taken
	int64_t first_row, first_column; // in the file, from the north-western sample
	double south, west, north, east; // edges
	int64_t count; // of values
	double *values; // rows from the north
} ds_raster;

// Reads the samples of a file as depths (or, with options.depths, as what they are): `def` is the grid, its z the raster's values,
// until ds_raster_release. `report`: extremes and holes.
ds_status ds_raster_load( const char *path, const ds_raster_options *options, const ds_hooks *hooks, ds_raster *raster,
	ds_raster_report *report, ds_terrain_grid_def *def );
void ds_raster_release( ds_raster *raster );

// Finds the part that the window leaves, sets rows, columns, x, y and the edges to it.
ds_status ds_raster_take( ds_raster *raster );

// Room for the values of all rows and columns; DS_ERROR_LIMIT beyond max_cells.
ds_status ds_raster_allocate( ds_raster *raster );

// Readers of an open file of `size` bytes.
ds_status ds_raster_read_ascii( FILE *file, int64_t size, ds_raster *raster );
ds_status ds_raster_read_png( FILE *file, int64_t size, ds_raster *raster );

// Makes depths of the values, in place, rows from the south; fills in extremes and holes of the report.
ds_status ds_raster_to_depths( ds_raster *raster, ds_raster_report *report );

// Where the samples lie in the world: north, east and spacings of the grid.
ds_status ds_raster_place( ds_raster *raster, ds_terrain_grid_def *def );

// The table of the module raster_gdal. A set is what `open` has opened.
typedef struct ds_raster_gdal
{
	// Fills in what the file says.
	ds_status ( *open )( ds_raster *raster, void **set );
	// After ds_raster_take: rows, columns, x, y, dx, dy and kind become those of what `read` gives, reprojected if need be.
	ds_status ( *prepare )( void *set, ds_raster *raster );
	ds_status ( *read )( void *set, ds_raster *raster );
	void ( *close )( void *set );
} ds_raster_gdal;

#endif

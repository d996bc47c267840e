// Inside the module raster_gdal.

#ifndef DEEPSIM_SRC_RASTER_GDAL_H
#define DEEPSIM_SRC_RASTER_GDAL_H

#include "base/module.h"
#include "io/raster.h"

#include <gdal.h>

typedef struct ds_gdal_set
{
	const ds_module_host *host;
	const ds_raster *raster;
	GDALDatasetH source;
	GDALDatasetH part, warped; // what is reprojected, and the result; NULL: the source is read as it is
	int band;
	int file_rows;
	bool south_up; // the first row of the file is the southernmost
	bool rotated, reproject;
	double transform[6];
	char message[600]; // of GDAL's first error in a call
	char *barred; // the setting that was there before
} ds_gdal_set;

// An error that names the file and what GDAL said.
ds_status ds_gdal_fail( const ds_gdal_set *set, ds_status status, const char *what );

// Makes degrees about WGS-84 of the part that was taken.
ds_status ds_gdal_reproject( ds_gdal_set *set, ds_raster *raster );

#endif

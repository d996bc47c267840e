// Inside the library: profiles of the water against depth, from files of comma-separated values.
//
// One row of headers, `name[unit]` as in this library's logs, then one row a level, from the surface down:
//   depth[m] or pressure[dbar|bar|Pa|kPa|MPa]   pressure is that of the water, 0 at the surface (gauge), and becomes depth by the
//                                               standard ocean (ds_depth_of_pressure); where both are there, depth counts
//   temperature[degC|K]                         in situ, ITS-90
//   salinity[PSU]                               practical
//   density[kg/m3]
// in any order. Other columns are passed over, and so are blank lines and those that start with # or %. Names and units go
// without regard to case.

#ifndef DEEPSIM_SRC_PROFILE_CSV_H
#define DEEPSIM_SRC_PROFILE_CSV_H

#include "base/base.h"

// What has to be there besides depth or pressure.
#define DS_PROFILE_TEMPERATURE 1u
#define DS_PROFILE_SALINITY    2u
#define DS_PROFILE_DENSITY     4u

typedef struct ds_profile
{
	ds_allocator allocator;
	int64_t count, capacity;
	double *depth; // [m], rising
	double *temperature; // [degC]; NULL: no such column
	double *salinity; // practical; NULL: no such column
	double *density; // [kg/m3]; NULL: no such column
} ds_profile;

// Reads a file. `latitude` [rad] is for columns over pressure. Every error starts with "file:line:" (line 0: of no line).
// Errors: IO, LIMIT (over 64 MiB), FORMAT (no header, no level, a cell that is no number, a row of another length), NOT_FOUND (a
// column that is needed), UNSUPPORTED (a unit), DUPLICATE (a column twice), RANGE (levels that do not go deeper; a value outside
// what a water column takes), NOT_FINITE, MEMORY.
ds_status ds_profile_read(
	const ds_allocator *allocator, const char *path, double latitude, unsigned needs, ds_profile *profile );

// The same from memory; `name` stands for the file in errors.
ds_status ds_profile_parse( const ds_allocator *allocator, const char *name, const uint8_t *bytes, int64_t size,
	double latitude, unsigned needs, ds_profile *profile );

// Gives the arrays back. A zeroed profile is nothing.
void ds_profile_free( ds_profile *profile );

#endif

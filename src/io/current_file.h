// Currents and profiles of currents from files, for the program.

#ifndef DEEPSIM_SRC_CURRENT_FILE_H
#define DEEPSIM_SRC_CURRENT_FILE_H

#include "base/base.h"
#include "hydro/current.h"

typedef struct ds_current_file
{
	ds_arena arena; // holds the arrays
	const ds_current_def *defs;
	int64_t count;
	ds_currents_setting setting; // of a scenario: latitude of the origin, level seabed
	uint64_t seed;
} ds_current_file;

// Reads a scenario's currents, or JSON that is a current, an array of currents, or { "currents": [...] } with or without
// "latitude_deg" and "bed" (z of a level bed). Errors read "file:line: path: what would be right".
ds_status ds_current_file_load( const char *path, ds_current_file *file );
void ds_current_file_free( ds_current_file *file );

// Reads a profile: comma-separated values with one row of headers that start with depth (or z), north (or v) and east
// (or u), in m and m/s, in any order, and one row a level; other columns, blank lines and lines that start with # or %
// are passed over. In memory of `allocator`; free *levels by DS_FREE with *capacity.
// Errors start with "file:line:". IO, LIMIT, FORMAT, NOT_FOUND, MEMORY.
ds_status ds_current_levels_load(
	const ds_allocator *allocator, const char *path, ds_current_level **levels, int64_t *capacity, int64_t *count );

#endif

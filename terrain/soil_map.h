// Inside the library: which soil lies where.

#ifndef DEEPSIM_TERRAIN_SOIL_MAP_H
#define DEEPSIM_TERRAIN_SOIL_MAP_H

#include "deepsim/soil.h"

// Immutable; may be shared by threads.
typedef struct ds_soil_map ds_soil_map;

typedef struct ds_soil_map_def
{
	ds_soil soil; // number 0: everywhere else
	// Polygons; of several that hold a point, the last. Inside is even-odd: what an outline that crosses itself goes around twice is
	// outside. Edges belong to what lies north or east of them, so that of polygons with a common edge one holds each of its points.
	const ds_soil_patch *patches;
	int64_t patch_count;
	const ds_soil *soils; // of the mask: numbers 1 to soil_count; polygons lie over the mask
	int64_t soil_count;
	const ds_soil_mask *mask; // its index is copied; NULL: none
} ds_soil_map_def;

// Errors: ARGUMENT, RANGE, NOT_FINITE (they name the patch, the corner, the soil), LIMIT, MEMORY.
ds_status ds_soil_map_create( const ds_allocator *allocator, const ds_soil_map_def *def, ds_soil_map **map );
void ds_soil_map_destroy( ds_soil_map *map );

// The soil at a place. With one soil everywhere (`ds_soil_map_uniform` not NULL) it is always that.
const ds_soil *ds_soil_map_at( const ds_soil_map *map, double north, double east );
const ds_soil *ds_soil_map_uniform( const ds_soil_map *map );

// The one soil of a rectangle, its edges included, or NULL where there are or may be several: asked once for a body, it spares asking
// for each of its pieces.
const ds_soil *ds_soil_map_within( const ds_soil_map *map, double south, double west, double north, double east );

#endif

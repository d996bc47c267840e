// A world in which all of the sea moves, as scenario text, and snapshots of it to compare.

#ifndef DEEPSIM_TESTS_SEA_STORM_H
#define DEEPSIM_TESTS_SEA_STORM_H

#include "../unit/sea_kit.h"

// Everything at once: stratified water, currents that change in place, in time and at random, waves, gusts, a turning Earth.
#define STORM                                                                                                          \
	"{ 'earth_rotation': true, 'gravity': 'latitude',\n"                                                               \
	"'water': { 'density': { 'model': 'teos10' }, 'profile': [ { 'depth': 0, 'temperature': 18, 'salinity': 36 }, { "  \
	"'depth': 60, 'temperature': 8, 'salinity': 35 } ] },\n"                                                           \
	"'currents': [ { 'model': 'ekman', 'surface_layer': 40, 'bed_layer': 20, 'stress': { 'wind_speed': 12, "           \
	"'wind_direction_deg': 30 } }, { 'model': 'tidal', 'constituents': [ { 'period': 'M2', 'major': 0.3 } ] }, { "     \
	"'model': 'gauss_markov', 'deviation': [0.1, 0.1, 0.02], 'correlation_time': 2 }, { 'model': 'jet', 'position': "  \
	"[3, "                                                                                                             \
	"0, 2], 'direction': [0, 1, 0], 'radius': 0.2, 'speed': 1 } ],\n"                                                  \
	"'waves': { 'model': 'jonswap', 'height': 1.5, 'period': 6, 'components': 24, 'seed': 7 },\n"                      \
	"'wind': { 'model': 'logarithmic', 'velocity': [8, 5, 0], 'gust': [2, 1, 0.5], 'gust_time': 3, 'seed': 9 },\n"     \
	"'seabed': { 'elevation': { 'model': 'flat', 'depth': 200 } } }"

#define CRAFT( name_, z_, model_ )                                                                                     \
	"{ 'name': '" name_                                                                                                \
	"', 'mesh': { 'make': 'capsule', 'radius': 0.2, 'length': 1, 'faces': 160 }, 'mass': 150, 'pose': { "              \
	"'position': [0, 3, " z_ "], 'rpy_deg': [5, 10, 40] }, 'velocity': { 'linear': [1, 0, 0] }, 'hydrodynamics': { "   \
	"'model': '" model_ "', 'lift': 0.4, 'magnus': 0.2, 'damping': { 'linear': [9, 9, 9, 1, 1, 1] } } }"
#define FLEET                                                                                                          \
	", 'rate': 100, 'origin': { 'latitude_deg': 48 }, 'bodies': [ " CRAFT( "a", "0", "mesh" ) ", " CRAFT(              \
		"b", "5", "mesh" ) ", " CRAFT( "c", "30", "fossen" ) ", " CRAFT( "d", "-0.3",                                  \
		"fossen_simplified" ) " ], 'sensors': [ { 'name': 'gauge', 'type': 'pressure', 'body': 'a', 'rate': 20, "      \
							  "'config': { 'noise': 10 } }, { "                                                        \
							  "'name': 'odo', 'type': 'odometry', 'body': 'b', 'rate': 50 } ]"
typedef struct saved
{
	size_t size;
	void *bytes;
} saved;

static inline saved save( const ds_world *world )
{
	saved s = { ds_world_save_size( world ), NULL };
	s.bytes = malloc( s.size );
	OK( ds_world_save( world, s.bytes, s.size ) );
	return s;
}

static inline void same( saved a, saved b )
{
	assert_int_equal( a.size, b.size );
	assert_memory_equal( a.bytes, b.bytes, a.size );
	free( b.bytes );
}

#endif

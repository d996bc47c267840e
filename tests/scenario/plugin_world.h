// Worlds with the plugins of tests/plugins, from scenario texts. JSON is written with ' for ".

#ifndef DEEPSIM_TESTS_PLUGIN_WORLD_H
#define DEEPSIM_TESTS_PLUGIN_WORLD_H

#include "deepsim/deepsim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// The readings of the plugins, as their tables say.
typedef struct range_fan_reading
{
	double nearest;
	int64_t hits;
	double pressure, pressure_age;
	ds_span ranges;
} range_fan_reading;

typedef struct depth_hold_reading
{
	double depth, error, command;
	bool valid;
} depth_hold_reading;

static inline void assert_near( double value, double expected, double tolerance )
{
	double error = value - expected;
	if ( !( error <= tolerance && -error <= tolerance ) )
	{
		fail_msg( "got %.17g, expected %.17g within %g", value, expected, tolerance );
	}
}

static inline void assert_ok( ds_status status )
{
	if ( status != DS_OK )
	{
		fail_msg( "%s: %s", ds_status_name( status ), ds_last_error() );
	}
}

static inline void assert_message( ds_status status, ds_status expected, const char *part )
{
	if ( status != expected || strstr( ds_last_error(), part ) == NULL )
	{
		fail_msg( "expected %s with \"%s\", got %s: %s", ds_status_name( expected ), part, ds_status_name( status ),
			ds_last_error() );
	}
}

// Puts a scenario together and loads it: `head` and `parts` are members of the top level.
static inline ds_status load_scenario( const char *head, const char *parts, ds_scenario **scenario )
{
	static char text[16384];
	int length = snprintf( text, sizeof( text ),
		"{ 'deepsim': 1, 'rate': 100, 'seed': 42, 'plugins': ['range_fan.so', 'ballast_tank.so', 'tether.so', "
		"'depth_hold.so', 'misbehave.so'], %s%s%s }",
		head, parts[0] ? ", " : "", parts );
	assert_true( length > 0 && (size_t)length < sizeof( text ) );
	for ( char *c = text; *c; ++c )
	{
		*c = *c == '\'' ? '"' : *c;
	}
	return ds_scenario_parse( text, "test.json", DEEPSIM_TEST_PLUGINS, NULL, 0, NULL, scenario );
}

// A world of a scenario; all faults up to the first step included.
static inline ds_status try_world( const char *head, const char *parts, ds_world **world )
{
	*world = NULL;
	ds_scenario *scenario;
	ds_status status = load_scenario( head, parts, &scenario );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	status = ds_world_create( &def, world );
	ds_scenario_release( scenario );
	if ( status == DS_OK )
	{
		status = ds_world_step( *world, 0 );
	}
	return status;
}

static inline ds_world *make_world( const char *head, const char *parts )
{
	ds_world *world;
	assert_ok( try_world( head, parts, &world ) );
	return world;
}

static inline ds_id find( const ds_world *world, ds_kind kind, const char *name )
{
	ds_id id;
	assert_ok( ds_world_find( world, kind, name, &id ) );
	return id;
}

static inline ds_body_motion motion_of( const ds_world *world, const char *name )
{
	ds_body_motion motion;
	assert_ok( ds_body_motion_get( world, find( world, DS_BODY, name ), &motion ) );
	return motion;
}

// Still water over a flat bottom at 30 m, and a neutral box of 1000 kg at rest 10 m deep.
#define STILL_BOX                                                                                                      \
	"'environment': { 'seabed': { 'elevation': { 'model': 'flat', 'depth': 30 } } }, 'bodies': [ { 'name': 'box', "    \
	"'mesh': { 'make': 'box', 'size': [1, 1, 1] }, 'mass': 1000, 'pose': { 'position': [5, -3, 10] }, "                \
	"'hydrodynamics': { 'volume': 'neutral', 'added_mass': 'none' } } ]"

#endif

// Worlds in a sea, from scenario texts. JSON is written with ' for ".

#ifndef DEEPSIM_TESTS_SEA_KIT_H
#define DEEPSIM_TESTS_SEA_KIT_H

#include "world_kit.h"

#include <math.h>

// Reads a scenario of an environment and of other members of the top level ("" or ", 'bodies': ..."). A "rate" is among them.
static inline ds_status sea_parse( const char *environment, const char *rest, ds_scenario **scenario )
{
	static char text[32768];
	int length =
		snprintf( text, sizeof( text ), "{ 'deepsim': 1, 'seed': 42,\n'environment':\n%s%s }", environment, rest );
	assert_true( length > 0 && (size_t)length < sizeof( text ) );
	for ( char *c = text; *c; ++c )
	{
		*c = *c == '\'' ? '"' : *c;
	}
	return ds_scenario_parse( text, "sea.json", DEEPSIM_TEST_TMP, NULL, 0, NULL, scenario );
}

// A world of it; faults of reading and making are returned.
static inline ds_status sea_try( const char *environment, const char *rest, ds_world **world )
{
	ds_scenario *scenario;
	*world = NULL;
	ds_status status = sea_parse( environment, rest, &scenario );
	if ( status == DS_OK )
	{
		ds_world_def def = ds_world_def_default();
		def.scenario = scenario;
		status = ds_world_create( &def, world );
		ds_scenario_release( scenario );
	}
	return status;
}

static inline ds_world *sea_world( const char *environment, const char *rest )
{
	ds_world *world;
	OK( sea_try( environment, rest, &world ) );
	return world;
}

static inline ds_water sea_at( const ds_world *world, double north, double east, double down )
{
	ds_water water;
	OK( ds_water_at( world, ds_v3( north, east, down ), &water ) );
	return water;
}

static inline void sea_file( const char *name, const char *text )
{
	char path[1024];
	snprintf( path, sizeof( path ), "%s/%s", DEEPSIM_TEST_TMP, name );
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	fputs( text, file );
	assert_int_equal( fclose( file ), 0 );
}

static inline double sea_seconds( const ds_world *world )
{
	return 1e-9 * (double)ds_world_time( world );
}

static inline ds_id sea_body( const ds_world *world, const char *name )
{
	ds_id id;
	OK( ds_world_find( world, DS_BODY, name, &id ) );
	return id;
}

#endif

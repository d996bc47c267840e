// libFuzzer target over the sea: the bytes are the "environment" of a scenario with a floating, a sinking and a volume-only body.
// What is taken makes a world, which is stepped and asked for its water. Built by hand, against a static library built with the
// same sanitizers:
//
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -DDEEPSIM_STATIC -Iinclude -Isrc -I.
//     tests/fuzz/fuzz_sea.c libdeepsim.a -lassimp -lcjson -lBulletDynamics-float64 -lBulletCollision-float64
//     -lLinearMath-float64 -lstdc++ -lm -ldl -o fuzz_sea
//   ./fuzz_sea -timeout=10 -max_len=4096 CORPUS
//
// Whatever the text: an error says something on one line; a world that was made has finite water, and its bodies move by finite
// numbers or the step says why not.

#include "deepsim/deepsim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

static const char before[] = "{\"deepsim\":1,\"rate\":20,\"origin\":{\"latitude_deg\":30},\"environment\":";
static const char after[] =
	",\"bodies\":["
	"{\"name\":\"float\",\"mesh\":{\"make\":\"sphere\",\"radius\":0.5,\"faces\":80},\"mass\":260,"
	"\"hydrodynamics\":{\"model\":\"mesh\",\"lift\":1,\"magnus\":0.5}},"
	"{\"name\":\"deep\",\"mesh\":{\"make\":\"box\",\"size\":[2,1,0.5]},\"mass\":1100,\"pose\":{\"position\":[9,0,500]},"
	"\"hydrodynamics\":{\"model\":\"mesh\",\"entrained_mass\":50}},"
	"{\"name\":\"set\",\"mass\":100,\"inertia\":[5,5,5],\"pose\":{\"position\":[-9,0,3]},\"hydrodynamics\":"
	"{\"model\":\"fossen\",\"volume\":0.1,\"cb\":[0,0,-0.1],\"damping\":{\"linear\":[9,9,9,9,9,9]},"
	"\"added_mass\":[50,90,90,1,2,3]}}]}";

static void must( bool good )
{
	if ( !good )
	{
		abort();
	}
}

static void must_say( void )
{
	must( ds_last_error()[0] != 0 && strchr( ds_last_error(), '\n' ) == NULL );
}

static void check_water( const ds_world *world )
{
	static const double depths[] = { -20, -0.5, 0, 0.3, 10, 999, 1001, 30000 };
	for ( size_t i = 0; i < sizeof( depths ) / sizeof( depths[0] ); ++i )
	{
		ds_water water;
		must( ds_water_at( world, ds_v3( 3, -40, depths[i] ), &water ) == DS_OK );
		if ( water.present )
		{
			must( water.density > 0 && isfinite( water.pressure ) && isfinite( water.temperature ) );
			must( ds_finite( water.velocity ) && isfinite( water.salinity ) && isfinite( water.sound_speed ) );
		}
	}
}

static void check_world( ds_scenario *scenario )
{
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	ds_world *world;
	if ( ds_world_create( &def, &world ) != DS_OK )
	{
		must_say();
		return;
	}
	check_water( world );
	for ( int i = 0; i < 4; ++i )
	{
		if ( ds_world_step( world, 1 ) != DS_OK )
		{
			must_say();
			break;
		}
		check_water( world );
		ds_id id;
		ds_body_motion motion;
		must( ds_world_find( world, DS_BODY, "float", &id ) == DS_OK &&
			  ds_body_motion_get( world, id, &motion ) == DS_OK );
		must( ds_finite( motion.pose.position ) && ds_finite( motion.velocity_world.angular ) );
	}
	ds_world_destroy( world );
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	char *text = malloc( size + sizeof( before ) + sizeof( after ) );
	if ( text == NULL )
	{
		return 0;
	}
	size_t start = sizeof( before ) - 1;
	memcpy( text, before, start );
	memcpy( text + start, data, size );
	memcpy( text + start + size, after, sizeof( after ) );

	// files of this machine are no part of what is tested
	ds_scenario *scenario;
	if ( memchr( data, 0, size ) == NULL &&
		 ds_scenario_parse( text, "fuzz.json", "/nonexistent", NULL, 0, NULL, &scenario ) == DS_OK )
	{
		check_world( scenario );
		ds_scenario_release( scenario );
	}
	free( text );
	return 0;
}

// Every sensor at once: two worlds in two threads do what one does, bit for bit; a world goes on from its snapshot and as its clone;
// bytes that are broken are refused or harmless.

#include "world_kit.h"

#include <math.h>
#include <pthread.h>

#define TICKS 150

#define SENSOR( name, type, more )                                                                                     \
	"{ \"name\": \"" name "\", \"type\": \"" type "\", \"body\": \"b\", \"rate\": 50" more " }"
#define LAST                                                                                                           \
	SENSOR( "lbl", "lbl",                                                                                              \
		", \"config\": { \"range_noise\": 1, \"beacons\": [ { \"position\": [0, 0, 90] }, { \"position\": [50, 0, "    \
		"90] }, "                                                                                                      \
		"{ \"position\": [0, 60, 80] }, { \"position\": [50, 60, 90] } ] }" )

static const char scenario_text[] =
	"{ \"deepsim\": 1, \"name\": \"all\", \"rate\": 100, \"seed\": 5, \"duration\": 10, "
	"\"origin\": { \"latitude_deg\": 45, \"longitude_deg\": 179.9999, \"date\": \"2026-06-01T00:00:00Z\" }, "
	"\"environment\": { \"seabed\": { \"elevation\": { \"model\": \"flat\", \"depth\": 100 } }, \"magnetic\": { "
	"\"dipoles\": [ { \"position\": [0, 0, 60], \"moment\": [100, 0, 0] } ], "
	"\"cables\": [ { \"from\": [0, 0, 100], \"to\": [0, 50, 100], \"current\": 100, \"frequency\": 50 } ] } }, "
	"\"bodies\": [ { \"name\": \"b\", \"mass\": 100, \"inertia\": [10, 10, 10], \"pose\": { \"position\": [0, 0, 50] "
	"}, "
	"\"velocity\": { \"linear\": [1, 0.2, 0.1], \"angular\": [0.1, 0.2, 0.3] } } ], \"sensors\": [ " SENSOR(
		"imu", "imu", ", \"config\": { \"preset\": \"mti1\" }" ) ", " SENSOR( "magnetometer", "magnetometer",
		", \"config\": { \"N\": 1e-8, \"K\": 1e-9, \"markov_sigma\": 1e-8 }" ) ", " SENSOR( "pressure", "pressure",
		", \"config\": { \"preset\": \"bar30\" }" ) ", " SENSOR( "depth", "depth",
		", \"config\": { \"gauge\": { \"noise\": 10, \"walk\": 1 } }" ) ", " SENSOR( "dvl", "dvl",
		", \"config\": { \"noise\": 0.01, \"bias_walk\": 1e-4, \"track\": \"both\" }" ) ", " SENSOR( "adcp", "adcp",
		"" ) ", " SENSOR( "ahrs", "ahrs",
		", \"inputs\": { \"imu\": \"imu\", \"magnetometer\": \"magnetometer\" }, "
		"\"config\": { \"filter\": \"complementary\" }" ) ", " SENSOR( "altimeter", "altimeter",
		", \"config\": { \"noise\": 0.1 }" ) ", " SENSOR( "ctd", "ctd",
		", \"config\": { \"preset\": \"sbe19plus_v2\" }" ) ", " SENSOR( "gnss", "gnss", "" ) ", " SENSOR( "odometry",
		"odometry", ", \"config\": { \"position_walk\": 0.1 }" ) ", " SENSOR( "contact", "contact",
		"" ) ", " SENSOR( "usbl", "usbl", ", \"latency\": 0.05" ) ", " LAST " ] }";

static ds_scenario *scenario;

static ds_status make_of( ds_scenario *from, ds_world **world )
{
	ds_world_def def = ds_world_def_default();
	def.scenario = from;
	return ds_world_create( &def, world );
}

static ds_world *make( void )
{
	ds_world *world;
	OK( make_of( scenario, &world ) );
	return world;
}

static void *save( const ds_world *world, size_t *size )
{
	*size = ds_world_save_size( world );
	void *bytes = malloc( *size );
	assert_non_null( bytes );
	OK( ds_world_save( world, bytes, *size ) );
	return bytes;
}

static void *step_thread( void *world )
{
	return ds_world_step( world, TICKS ) == DS_OK ? world : NULL;
}

static void expect_like( const ds_world *a, const ds_world *b )
{
	size_t size, other;
	void *bytes = save( a, &size ), *more = save( b, &other );
	assert_int_equal( size, other );
	assert_memory_equal( bytes, more, size );
	free( bytes );
	free( more );
}

static void test_threads( void **state )
{
	(void)state;
	ds_world *worlds[3] = { make(), make(), make() };
	pthread_t threads[2];
	for ( int i = 0; i < 2; ++i )
	{
		assert_int_equal( pthread_create( &threads[i], NULL, step_thread, worlds[i] ), 0 );
	}
	OK( ds_world_step( worlds[2], TICKS ) );
	for ( int i = 0; i < 2; ++i )
	{
		void *done;
		pthread_join( threads[i], &done );
		assert_non_null( done );
		expect_like( worlds[i], worlds[2] );
	}
	for ( int i = 0; i < 3; ++i )
	{
		ds_world_destroy( worlds[i] );
	}
}

static void test_snapshots_and_clones( void **state )
{
	(void)state;
	ds_world *world = make(), *other = make(), *clone;
	OK( ds_world_step( world, 37 ) );
	size_t size;
	void *bytes = save( world, &size );
	OK( ds_world_clone( world, &clone ) );
	OK( ds_world_restore( other, bytes, size ) );
	OK( ds_world_step( world, 100 ) );
	OK( ds_world_step( other, 100 ) );
	OK( ds_world_step( clone, 100 ) );
	expect_like( world, other );
	expect_like( world, clone );
	ds_world_destroy( clone );
	ds_world_destroy( other );
	ds_world_destroy( world );
	free( bytes );
}

static void test_broken_snapshots( void **state )
{
	(void)state;
	ds_world *world = make();
	OK( ds_world_step( world, 20 ) );
	size_t size;
	unsigned char *bytes = save( world, &size ), *broken = malloc( size );
	uint64_t chance = 88172645463325252u;
	for ( int i = 0; i < 300; ++i )
	{
		memcpy( broken, bytes, size );
		for ( int k = 0; k < 1 + i % 8; ++k )
		{
			chance ^= chance << 13;
			chance ^= chance >> 7;
			chance ^= chance << 17;
			broken[chance % size] ^= (unsigned char)( 1u + ( chance >> 32 ) % 255u );
		}
		size_t part = i % 5 == 0 ? chance % size : size;
		if ( ds_world_restore( world, broken, part ) == DS_OK )
		{
			(void)ds_world_step( world, 3 );
		}
		else
		{
			assert_int_not_equal( ds_last_error()[0], 0 );
		}
	}
	OK( ds_world_restore( world, bytes, size ) );
	OK( ds_world_step( world, 3 ) );
	free( broken );
	free( bytes );
	ds_world_destroy( world );
}

// Runs the scenario with overrides for a tick.
static ds_status run_with( const char *const *overrides, int32_t count )
{
	ds_scenario *changed;
	ds_world *world;
	OK( ds_scenario_parse( scenario_text, "all.json", ".", overrides, count, NULL, &changed ) );
	ds_status status = make_of( changed, &world );
	if ( status == DS_OK )
	{
		status = ds_world_step( world, 2 );
		ds_world_destroy( world );
	}
	ds_scenario_release( changed );
	return status;
}

static void test_poles_and_inputs( void **state )
{
	(void)state;
	// at a pole longitude has no meaning, and depth needs none
	const char *pole[] = { "origin.latitude_deg=90", "sensors.gnss.type=pressure" };
	OK( run_with( pole, 2 ) );
	FAILS( run_with( pole, 1 ), DS_ERROR_RANGE, "away from it" );
	const char *vibration[] = { "sensors.imu.inputs={\"vibration\": \"contact\"}" };
	FAILS( run_with( vibration, 1 ), DS_ERROR_NOT_FOUND, "neither a reading" );
}

static int begin( void **state )
{
	(void)state;
	OK( ds_scenario_parse( scenario_text, "all.json", ".", NULL, 0, NULL, &scenario ) );
	return 0;
}

static int end( void **state )
{
	(void)state;
	ds_scenario_release( scenario );
	return 0;
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_threads ),
		cmocka_unit_test( test_snapshots_and_clones ),
		cmocka_unit_test( test_broken_snapshots ),
		cmocka_unit_test( test_poles_and_inputs ),
	};
	return cmocka_run_group_tests( tests, begin, end );
}

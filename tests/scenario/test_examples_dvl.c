// The example dvl_drift: three hours of it, dead reckoned from every reading.

#include "examples_kit.h"

#include <string.h>

#define DVL_DRIFT EXAMPLES "dvl_drift/dvl_drift.json"

typedef struct reckoned
{
	double drift[2]; // north, east [m]
	double deviation; // of a velocity [m/s]
} reckoned;

static void reckon( const char *path, double seconds, reckoned out[2] )
{
	static const char *const names[2] = { "white", "walk" };
	ds_world *world = world_of( path, NULL, 0 );
	ds_id sensors[2];
	memset( out, 0, 2 * sizeof( *out ) );
	int64_t ticks = ds_world_ticks( world, seconds );
	for ( int64_t k = 0; k < ticks; ++k )
	{
		OK( ds_world_step( world, 1 ) );
		for ( int i = 0; i < 2; ++i )
		{
			ds_dvl r;
			ds_sample_header header;
			OK( ds_world_find( world, DS_SENSOR, names[i], sensors + i ) );
			OK( ds_sensor_latest( world, sensors[i], &header, &r, sizeof( r ) ) );
			assert_true( r.bottom_valid && r.fresh );
			out[i].drift[0] += 0.1 * r.velocity[0];
			out[i].drift[1] += 0.1 * r.velocity[1];
			out[i].deviation += r.velocity[0] * r.velocity[0] / (double)ticks;
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		out[i].deviation = sqrt( out[i].deviation );
	}
	ds_world_destroy( world );
}

static void test_three_hours( void **state )
{
	(void)state;
	reckoned r[2];
	reckon( DVL_DRIFT, 10800, r );
	const double expected[2] = { 0.6573, 1.6825 }; // [m]: 0.219 and 0.561 m/h
	for ( int i = 0; i < 2; ++i )
	{
		assert_near( r[i].deviation, 0.02, 0.01 );
		assert_small( r[i].drift[0], 3 * expected[i] );
		assert_small( r[i].drift[1], 3 * expected[i] );
	}
	// the numbers of its page
	assert_near( r[0].drift[0] / 3, -0.187678, 0.01 );
	assert_near( r[1].drift[1] / 3, -0.869165, 0.01 );
}

static void test_printed( void **state )
{
	(void)state;
	reckoned r[2];
	reckon( EXAMPLES "dvl_drift/dvl_drift-printed.json", 60, r );
	assert_near( r[0].deviation, 0.02, 0.15 );
	// the same noise in other streams; the walk of a minute is out of sight
	assert_near( r[1].deviation, 0.02, 0.15 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_three_hours ),
		cmocka_unit_test( test_printed ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

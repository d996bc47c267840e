// The built-in parts as plain models, without a world: odometry, pressure, thruster.

#include "base/random.h"
#include "deepsim/math.h"
#include "sensors/odometry.h"
#include "sensors/pressure.h"
#include "vehicle/thruster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define N     200000
#define BOUND 4.5 // standard errors

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "got %.17g, expected %.17g within %g", value, expected, tolerance );
	}
}

static void start_stream( ds_random *random, const char *name )
{
	uint32_t key[2];
	ds_random_key( 1, name, key );
	ds_random_start( random, key, 0, 0 );
}

// Reads a config from JSON, as a scenario would give it.
static void parse( const ds_table *table, const char *json, void *config )
{
	if ( ds_table_parse( table, json, config ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
}

static void assert_refused( const ds_table *table, const char *json, const char *message )
{
	char config[256];
	assert_true( table->size <= sizeof( config ) );
	assert_int_not_equal( ds_table_parse( table, json, config ), DS_OK );
	if ( strstr( ds_last_error(), message ) == NULL )
	{
		fail_msg( "\"%s\" is not in \"%s\"", message, ds_last_error() );
	}
}

static void test_tables( void **state )
{
	(void)state;
	const ds_table *tables[] = { &ds_odometry_options, &ds_odometry_readings, &ds_pressure_options,
		&ds_pressure_readings, &ds_thruster_config_table, &ds_thruster_table };
	for ( size_t i = 0; i < sizeof( tables ) / sizeof( tables[0] ); ++i )
	{
		if ( ds_table_check( tables[i] ) != DS_OK )
		{
			fail_msg( "%s", ds_last_error() );
		}
	}
}

// ---- odometry ----------------------------------------------------------------------------------------------------

static const ds_odometry_truth truth = { { { 1000, -20, 3000 }, { 0.5, 0.5, -0.5, 0.5 } }, { 1, 2, 3 },
	{ 0.1, 0.2, 0.3 }, 0 };

static void test_odometry_is_the_truth( void **state )
{
	(void)state;
	ds_odometry_config config;
	parse( &ds_odometry_options, "{}", &config );
	assert_true( ds_odometry_is_exact( &config ) );
	double normal[DS_ODOMETRY_NORMALS] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
	const double *given[] = { NULL, normal };
	for ( int i = 0; i < 2; ++i )
	{
		ds_odometry r;
		ds_odometry_step( &config, &truth, given[i], NULL, &r );
		assert_memory_equal( r.position, &truth.pose.position, sizeof( r.position ) );
		assert_memory_equal( r.attitude, &truth.pose.attitude, sizeof( r.attitude ) );
		assert_memory_equal( r.angular_velocity, &truth.rate, sizeof( r.angular_velocity ) );
		// the mount's axes are down, south and west in the world
		assert_near( r.linear_velocity[0], 3, 1e-15 );
		assert_near( r.linear_velocity[1], -1, 1e-15 );
		assert_near( r.linear_velocity[2], -2, 1e-15 );
	}
}

// Every channel has its own standard deviation, a mean of zero, and no correlation with another one's.
static void test_odometry_noise( void **state )
{
	(void)state;
	ds_odometry_config config;
	parse( &ds_odometry_options,
		"{\"position_noise\": 2, \"attitude_noise_deg\": 0.01, \"linear_velocity_noise\": 0.03, "
		"\"angular_velocity_noise\": 0.004}",
		&config );
	const double sigma[] = { 2, 0.01 * DS_PI / 180, 0.03, 0.004 };
	ds_random random;
	start_stream( &random, "odometry" );
	ds_odometry exact;
	ds_odometry_step( &config, &truth, NULL, NULL, &exact );
	double mean[12] = { 0 }, product[12][12] = { { 0 } };
	for ( int i = 0; i < N; ++i )
	{
		double normal[DS_ODOMETRY_NORMALS], e[12];
		for ( int k = 0; k < DS_ODOMETRY_NORMALS; ++k )
		{
			normal[k] = ds_random_normal( &random );
		}
		ds_odometry r;
		ds_odometry_step( &config, &truth, normal, NULL, &r );
		ds_quat q = { r.attitude[0], r.attitude[1], r.attitude[2], r.attitude[3] };
		ds_vec3 turn = ds_quat_log( ds_quat_mul( ds_quat_conjugate( truth.pose.attitude ), q ) );
		memcpy( e + 3, &turn, sizeof( turn ) );
		for ( int k = 0; k < 3; ++k )
		{
			e[k] = r.position[k] - exact.position[k];
			e[6 + k] = r.linear_velocity[k] - exact.linear_velocity[k];
			e[9 + k] = r.angular_velocity[k] - exact.angular_velocity[k];
		}
		for ( int k = 0; k < 12; ++k )
		{
			mean[k] += e[k] / sigma[k / 3] / N;
			for ( int j = 0; j <= k; ++j )
			{
				product[k][j] += e[k] * e[j] / ( sigma[k / 3] * sigma[j / 3] ) / N;
			}
		}
	}
	for ( int k = 0; k < 12; ++k )
	{
		assert_near( mean[k], 0, BOUND / sqrt( N ) );
		assert_near( product[k][k], 1, BOUND * sqrt( 2.0 / N ) );
		for ( int j = 0; j < k; ++j )
		{
			assert_near( product[k][j], 0, BOUND / sqrt( N ) );
		}
	}
}

// A parameter changes its own channel and no other one's bits.
static void test_odometry_channels_are_apart( void **state )
{
	(void)state;
	ds_odometry_config both = { .position_noise = 1,
		.attitude_noise = 0.1,
		.linear_velocity_noise = 1,
		.angular_velocity_noise = 1 },
					   one = both;
	one.attitude_noise = 0.2;
	double normal[DS_ODOMETRY_NORMALS] = { 1, -1, 0.5, 0.3, 0.2, -0.7, 1, 2, 3, -1, -2, -3 };
	ds_odometry a, b;
	ds_odometry_step( &both, &truth, normal, NULL, &a );
	ds_odometry_step( &one, &truth, normal, NULL, &b );
	assert_memory_equal( a.position, b.position, sizeof( a.position ) );
	assert_memory_equal( a.linear_velocity, b.linear_velocity, sizeof( a.linear_velocity ) );
	assert_memory_equal( a.angular_velocity, b.angular_velocity, sizeof( a.angular_velocity ) );
	assert_memory_not_equal( a.attitude, b.attitude, sizeof( a.attitude ) );
}

// The quaternion follows a body through many turns without a jump of its sign.
static void test_odometry_attitude_is_continuous( void **state )
{
	(void)state;
	ds_odometry_config config = { .attitude_noise = 1e-3 };
	ds_random random;
	start_stream( &random, "continuous" );
	ds_odometry_truth now = truth;
	ds_quat step = ds_quat_exp( ds_v3( 0.01, 0.02, -0.015 ) ), last = now.pose.attitude;
	for ( int i = 0; i < 2000; ++i )
	{
		now.pose.attitude = ds_quat_normalize( ds_quat_mul( now.pose.attitude, step ) );
		double normal[DS_ODOMETRY_NORMALS];
		for ( int k = 0; k < DS_ODOMETRY_NORMALS; ++k )
		{
			normal[k] = ds_random_normal( &random );
		}
		ds_odometry r;
		ds_odometry_step( &config, &now, normal, NULL, &r );
		double *q = r.attitude;
		assert_near( q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14 );
		assert_true( q[0] * last.w + q[1] * last.x + q[2] * last.y + q[3] * last.z > 0.99 );
		last = ( ds_quat ){ q[0], q[1], q[2], q[3] };
	}
}

// ---- pressure ----------------------------------------------------------------------------------------------------

// A reading at the start of a run with a white number given.
static double measure( const ds_pressure_config *config, const ds_water *water, double normal )
{
	ds_pressure_truth now = ds_pressure_truth_of( config, water, 0 );
	ds_random stream = ds_random_stream( 1, "pressure", DS_RANDOM_RESET, 0 );
	ds_pressure_state state;
	ds_pressure_reset( config, &now, &stream, &state );
	const double normals[DS_PRESSURE_NORMALS] = { normal, 9, 9 };
	ds_pressure reading;
	ds_pressure_step( config, &now, normals, &state, &reading );
	return reading.pressure;
}

static double pressure_of( const char *json, const ds_water *water, double normal )
{
	ds_pressure_config config;
	parse( &ds_pressure_options, json, &config );
	return measure( &config, water, normal );
}

static void test_pressure( void **state )
{
	(void)state;
	const double gauge = 1025 * 9.81 * 3000; // under 3000 m of water
	const ds_water deep = { true, { 0, 0, 0 }, 1025, 101325 + gauge, gauge, 4, 35, 1500 };
	const ds_water air = { .pressure = 101325 };
	assert_near( pressure_of( "{}", &deep, 9 ), 101325 + gauge, 0 );
	assert_near( pressure_of( "{\"reference\": \"absolute\"}", &deep, 9 ), 101325 + gauge, 0 );
	assert_near( pressure_of( "{\"reference\": \"gauge\"}", &deep, 9 ), gauge, 0 );
	assert_near( pressure_of( "{}", &air, 9 ), 101325, 0 );
	assert_near( pressure_of( "{\"reference\": \"gauge\"}", &air, 9 ), 0, 0 );

	// noise is not cut at 0, unless the range says so
	assert_near( pressure_of( "{\"reference\": \"gauge\", \"noise\": 10}", &air, -2 ), -20, 0 );
	assert_near( pressure_of( "{\"reference\": \"gauge\", \"noise\": 10, \"minimum\": 0}", &air, -2 ), 0, 0 );
	assert_near( pressure_of( "{\"noise\": 10, \"maximum\": 2e7}", &deep, 1 ), 2e7, 0 );

	// noise, then range, then resolution
	assert_near( pressure_of( "{\"resolution\": 100}", &air, 0 ), 101300, 0 );
	assert_near( pressure_of( "{\"resolution\": 100, \"noise\": 50}", &air, 1 ), 101400, 0 );
	assert_near( pressure_of( "{\"resolution\": 100, \"maximum\": 101249}", &air, 0 ), 101200, 0 );
}

static void test_pressure_noise( void **state )
{
	(void)state;
	const ds_water water = { true, { 0, 0, 0 }, 1025, 201325, 100000, 4, 35, 1500 };
	ds_pressure_config config;
	parse( &ds_pressure_options, "{\"noise\": 25}", &config );
	ds_random random;
	start_stream( &random, "pressure" );
	double mean = 0, square = 0;
	for ( int i = 0; i < N; ++i )
	{
		double error = measure( &config, &water, ds_random_normal( &random ) ) - 201325;
		mean += error / 25 / N;
		square += error * error / 625 / N;
	}
	assert_near( mean, 0, BOUND / sqrt( N ) );
	assert_near( square, 1, BOUND * sqrt( 2.0 / N ) );
}

static void test_pressure_config( void **state )
{
	(void)state;
	const ds_table *table = &ds_pressure_options;
	assert_refused( table, "{\"minimum\": 5, \"maximum\": 5}", "minimum must be below maximum, got 5 and 5 Pa" );
	assert_refused( table, "{\"noise\": -1}", "noise" );
	assert_refused( table, "{\"reference\": \"depth\"}", "absolute" );
	assert_refused( table, "{\"resoluton\": 1}", "resolution" );
}

// ---- thruster ----------------------------------------------------------------------------------------------------

static ds_thruster run( const char *json, double command )
{
	ds_thruster_config config;
	parse( &ds_thruster_config_table, json, &config );
	ds_thruster now;
	ds_thruster_run( &config, command, &now );
	return now;
}

static void test_thruster_normalized( void **state )
{
	(void)state;
	const char *json = "{\"forward\": 80, \"reverse\": 50, \"power\": 640}";
	static const double cases[][3] = { { 1, 80, 640 }, { 0.25, 20, 80 }, { -1, -50, 640 * 0.49410588440130926 },
		{ -0.4, -20, 80 }, { 0, 0, 0 }, { 3, 80, 640 }, { -3, -50, 640 * 0.49410588440130926 } };
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_thruster now = run( json, cases[i][0] );
		assert_near( now.command, cases[i][0], 0 );
		assert_near( now.thrust, cases[i][1], 1e-13 );
		assert_near( now.power, cases[i][2], 1e-12 );
	}
	assert_true( run( json, 0 ).thrust == 0 && run( json, 0 ).power == 0 );
}

static void test_thruster_in_newtons( void **state )
{
	(void)state;
	const char *json = "{\"forward\": 80, \"reverse\": 50, \"command\": \"force\"}";
	assert_near( run( json, 33 ).thrust, 33, 0 );
	assert_near( run( json, -49 ).thrust, -49, 0 );
	assert_near( run( json, 81 ).thrust, 80, 0 );
	assert_near( run( json, -51 ).thrust, -50, 0 );
	assert_true( run( json, 0 ).thrust == 0 );

	ds_thruster_config config;
	double low, high;
	parse( &ds_thruster_config_table, json, &config );
	ds_thruster_limits( &config, &low, &high );
	assert_true( low == -50 && high == 80 );
	config.command = DS_THRUSTER_NORMALIZED;
	ds_thruster_limits( &config, &low, &high );
	assert_true( low == -1 && high == 1 );
}

// A thruster that cannot reverse.
static void test_thruster_one_way( void **state )
{
	(void)state;
	ds_thruster now = run( "{\"forward\": 80, \"reverse\": 0}", -1 );
	assert_true( now.thrust == 0 && now.power == 0 );
	assert_refused( &ds_thruster_config_table, "{\"forward\": 0}", "forward" );
	assert_refused( &ds_thruster_config_table, "{\"reverse\": -1}", "reverse" );
}

// Power against the measured T200 (Blue Robotics, public performance data, September 2019, 16 V): within 15 % from a
// quarter of the thrust on.
static void test_thruster_power_against_measurement( void **state )
{
	(void)state;
	static const double measured[][2] = { { 12.160, 38.4 }, { 17.260, 68.8 }, { 23.340, 107.2 }, { 29.910, 160.2 },
		{ 36.677, 216.6 }, { 44.424, 296.0 }, { 51.191, 382.4 } }; // N, W
	for ( size_t i = 0; i < sizeof( measured ) / sizeof( measured[0] ); ++i )
	{
		ds_thruster now = run( "{\"command\": \"force\"}", measured[i][0] );
		assert_near( now.power / measured[i][1], 1, 0.15 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_tables ),
		cmocka_unit_test( test_odometry_is_the_truth ),
		cmocka_unit_test( test_odometry_noise ),
		cmocka_unit_test( test_odometry_channels_are_apart ),
		cmocka_unit_test( test_odometry_attitude_is_continuous ),
		cmocka_unit_test( test_pressure ),
		cmocka_unit_test( test_pressure_noise ),
		cmocka_unit_test( test_pressure_config ),
		cmocka_unit_test( test_thruster_normalized ),
		cmocka_unit_test( test_thruster_in_newtons ),
		cmocka_unit_test( test_thruster_one_way ),
		cmocka_unit_test( test_thruster_power_against_measurement ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

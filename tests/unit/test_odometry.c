// Odometry that drifts: walks and Gauss-Markov processes of each channel. (Its white noise and the truth: test_parts.c.)

#include "sensor_kit.h"
#include "sensors/odometry.h"

static ds_odometry_config config_of( const char *json )
{
	ds_odometry_config config;
	OK( ds_table_parse( &ds_odometry_options, json, &config ) );
	return config;
}

// Errors of the four channels, three numbers each, `time` after the start of a run, sampled `count` times.
static ds_odometry run( const ds_odometry_config *c, uint64_t run, double time, int count, double errors[12] )
{
	const ds_odometry_truth start = { { { 10, 20, 30 }, { 0.5, 0.5, -0.5, 0.5 } }, { 1, 2, 3 }, { 0.1, 0.2, 0.3 }, 0 };
	ds_random stream = ds_random_stream( run, "odometry", DS_RANDOM_RESET, 0 );
	ds_odometry_state s;
	ds_odometry_reset( c, 0, &stream, &s );
	ds_odometry r = { 0 }, exact;
	for ( int i = 1; i <= count; ++i )
	{
		ds_odometry_truth truth = start;
		truth.time = time * i / count;
		stream = ds_random_stream( run, "odometry", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_odometry_measure( c, &truth, &stream, &s, &r );
	}
	ds_odometry_step( c, &start, NULL, NULL, &exact );
	ds_quat q = { r.attitude[0], r.attitude[1], r.attitude[2], r.attitude[3] };
	ds_vec3 turn = ds_quat_log( ds_quat_mul( ds_quat_conjugate( start.pose.attitude ), q ) );
	memcpy( errors + 3, &turn, sizeof( turn ) );
	for ( int k = 0; k < 3; ++k )
	{
		errors[k] = r.position[k] - exact.position[k];
		errors[6 + k] = r.linear_velocity[k] - exact.linear_velocity[k];
		errors[9 + k] = r.angular_velocity[k] - exact.angular_velocity[k];
	}
	return r;
}

static void test_options( void **state )
{
	(void)state;
	kit_check_ranges( &ds_odometry_options, "" );
}

// Over runs each axis has the variance that the reading says, at any rate.
static void test_drift( void **state )
{
	(void)state;
	ds_odometry_config c =
		config_of( "{ \"position_noise\": 0.1, \"position_walk\": 0.05, \"position_sigma\": 0.3, \"position_tau\": 20, "
				   "\"attitude_walk_deg\": 0.01, \"attitude_sigma_deg\": 0.1, \"attitude_tau\": 40, "
				   "\"linear_velocity_sigma\": 0.02, \"linear_velocity_tau\": 60, \"linear_velocity_noise\": 0.01, "
				   "\"angular_velocity_sigma\": 0.001, \"angular_velocity_tau\": 10 }" );
	const double degree = DS_PI / 180;
	const double expected[4] = { 0.01 + 0.0025 * 50 + 0.09, ( 1e-4 * 50 + 0.01 ) * degree * degree, 5e-4, 1e-6 };
	const int counts[2] = { 1, 25 };
	for ( int k = 0; k < 2; ++k )
	{
		kit_moments m[12] = { { 0 } };
		for ( uint64_t i = 0; i < 4000; ++i )
		{
			double e[12];
			ds_odometry r = run( &c, i, 50, counts[k], e );
			const double said[4] = { r.position_variance, r.attitude_variance, r.linear_velocity_variance,
				r.angular_velocity_variance };
			assert_true( r.valid );
			for ( int j = 0; j < 12; ++j )
			{
				NEAR( said[j / 3], expected[j / 3], 1e-9 * expected[j / 3] );
				kit_take( m + j, e[j] );
			}
		}
		for ( int j = 0; j < 12; ++j )
		{
			KIT_NORMAL( m[j], 0, sqrt( expected[j / 3] ) );
		}
	}
}

static void test_channels_are_apart( void **state )
{
	(void)state;
	const char *const more[4] = { "\"position_walk\": 0.1", "\"attitude_sigma_deg\": 1, \"attitude_tau\": 5",
		"\"linear_velocity_sigma\": 1, \"linear_velocity_tau\": 2", "\"angular_velocity_sigma\": 1" };
	double e[5][12];
	for ( int k = 0; k < 5; ++k )
	{
		char json[512];
		snprintf( json, sizeof( json ),
			"{ \"position_noise\": 1, \"attitude_noise_deg\": 1, \"linear_velocity_noise\": 1, "
			"\"angular_velocity_noise\": 1%s%s }",
			k < 4 ? ", " : "", k < 4 ? more[k] : "" );
		ds_odometry_config c = config_of( json );
		run( &c, 1, 10, 5, e[k] );
	}
	for ( int k = 0; k < 4; ++k )
	{
		for ( int j = 0; j < 12; ++j )
		{
			assert_true( ( e[k][j] == e[4][j] ) == ( j / 3 != k ) );
		}
	}
}

static void test_life( void **state )
{
	(void)state;
	kit_life life = { .type = "odometry",
		.config = "{ \"position_walk\": 0.1, \"attitude_sigma_deg\": 1, \"attitude_tau\": 5, "
				  "\"linear_velocity_noise\": 0.1 }",
		.start = { 0, 0, 10 } };
	kit_sensor_life( &life, true );
	life.config = "{}";
	kit_sensor_life( &life, false );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_drift ),
		cmocka_unit_test( test_channels_are_apart ),
		cmocka_unit_test( test_life ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Bad calls of sensor models and of the Allan analysis, without a world: numbers that are not finite or out of all bounds, nothing
// where something is needed. No reading is called valid that has a number which is not finite, and what is bad leaves no trace in
// the samples after it.

#include "imu_kit.h"

#include "deepsim/sensor_test.h"

#include <math.h>

static const double strange[] = { NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e200, 1e30, -1e30, 5e-324, -1, 0 };
#define STRANGE ( sizeof( strange ) / sizeof( strange[0] ) )

static bool all_finite( const double *numbers, size_t count )
{
	bool finite = true;
	for ( size_t i = 0; i < count; ++i )
	{
		finite = finite && isfinite( numbers[i] );
	}
	return finite;
}

// ---- imu ---------------------------------------------------------------------------------------------------------

static bool imu_finite( const ds_imu *r )
{
	const size_t count = ( sizeof( ds_imu ) - offsetof( ds_imu, angular_velocity ) ) / sizeof( double );
	return all_finite( r->angular_velocity, count );
}

static ds_imu_config every_term( void )
{
	ds_imu_config c = ds_imu_config_default();
	ds_inertial_config *triads[] = { &c.gyro, &c.accel };
	for ( int k = 0; k < 2; ++k )
	{
		for ( int i = 0; i < 3; ++i )
		{
			triads[k]->N[i] = triads[k]->B[i] = triads[k]->K[i] = triads[k]->markov_sigma[i] = 1e-3;
			triads[k]->temperature_coefficient[i] = 1e-3;
			triads[k]->misalignment[i] = 2;
		}
		triads[k]->bandwidth = 20;
		triads[k]->resolution = 1e-6;
	}
	return c;
}

static void attack_imu( ds_imu_config config )
{
	static const size_t members[] = { offsetof( ds_imu_truth, delta_angle.x ), offsetof( ds_imu_truth, delta_angle.z ),
		offsetof( ds_imu_truth, delta_velocity.y ), offsetof( ds_imu_truth, interval ), offsetof( ds_imu_truth, time ),
		offsetof( ds_imu_truth, temperature ), offsetof( ds_imu_truth, speed ) };
	kit_imu imu = kit_imu_make( &config, 100, 3 );
	kit_imu_hold( &imu, ds_v3( 0.1, 0.2, 0.3 ), ds_v3( 0, 0, -9.81 ) );
	for ( size_t k = 0; k < sizeof( members ) / sizeof( members[0] ); ++k )
	{
		for ( size_t i = 0; i < STRANGE; ++i )
		{
			ds_imu_truth kept = imu.truth;
			memcpy( (char *)&imu.truth + members[k], &strange[i], sizeof( double ) );
			ds_imu reading = kit_imu_next( &imu );
			if ( reading.valid && !imu_finite( &reading ) )
			{
				fail_msg( "a valid reading that is not finite: member %zu is %g", k, strange[i] );
			}
			imu.truth = kept;
			for ( int n = 0; n < 3; ++n )
			{
				reading = kit_imu_next( &imu );
				if ( !reading.valid || !imu_finite( &reading ) )
				{
					fail_msg( "not finite any more after member %zu was %g", k, strange[i] );
				}
			}
		}
	}
	ds_imu_destroy( imu.model );
}

static void test_imu( void **state )
{
	(void)state;
	attack_imu( ds_imu_config_default() );
	attack_imu( every_term() );
	ds_imu_config increments = every_term();
	increments.output = DS_IMU_INCREMENTS;
	attack_imu( increments );
}

// ---- Allan analysis ----------------------------------------------------------------------------------------------

static void test_allan_without_arguments( void **state )
{
	(void)state;
	double data[8] = { 1, 2, 1, 3, 2, 1, 4, 1 }, low, high;
	int64_t m[2] = { 1, 2 }, count;
	ds_allan_point points[8];
	ds_allan_stream *stream = NULL;
	ds_allan_model model = { .N = 1 };
	ds_allan_fit fit;
	ds_allan_stream_def def = ds_allan_stream_def_default();
	FAILS( ds_allan_deviation( DS_ALLAN_OADEV, NULL, 8, 1, m, 2, 0, points ), DS_ERROR_ARGUMENT, "data" );
	FAILS( ds_allan_deviation( DS_ALLAN_OADEV, data, 0, 1, m, 2, 0, points ), DS_ERROR_ARGUMENT, "data" );
	FAILS( ds_allan_stream_create( NULL, &stream ), DS_ERROR_ARGUMENT, "ds_allan_stream_def_default" );
	FAILS( ds_allan_stream_create( &def, NULL ), DS_ERROR_ARGUMENT, "room" );
	def.channels = 0;
	FAILS( ds_allan_stream_create( &def, &stream ), DS_ERROR_RANGE, "channels" );
	def.channels = 1;
	FAILS( ds_allan_stream_push( NULL, data, 8 ), DS_ERROR_ARGUMENT, "stream" );
	FAILS( ds_allan_stream_curve( NULL, 0, DS_ALLAN_OADEV, 0.95, points, 8, &count ), DS_ERROR_ARGUMENT, "stream" );
	assert_int_equal( ds_allan_stream_count( NULL ), 0 );
	ds_allan_stream_destroy( NULL );
	OK( ds_allan_stream_create( &def, &stream ) );
	FAILS( ds_allan_stream_push( stream, NULL, 8 ), DS_ERROR_ARGUMENT, "samples" );
	FAILS( ds_allan_stream_push( stream, data, -1 ), DS_ERROR_ARGUMENT, "samples" );
	FAILS( ds_allan_stream_curve( stream, 0, DS_ALLAN_OADEV, 0.95, points, 8, NULL ), DS_ERROR_ARGUMENT, "room" );
	OK( ds_allan_stream_push( stream, NULL, 0 ) );
	ds_allan_stream_destroy( stream );
	FAILS( ds_allan_theory_interval( NULL, DS_ALLAN_OADEV, 1, 1, 100, 0.95, &low, &high ), DS_ERROR_ARGUMENT, "model" );
	FAILS(
		ds_allan_theory_interval( &model, DS_ALLAN_OADEV, 1, 1, 100, 0.95, NULL, &high ), DS_ERROR_ARGUMENT, "room" );
	FAILS( ds_allan_fit_curve( NULL, 5, 1, 0, NULL, &fit ), DS_ERROR_ARGUMENT, "points" );
	FAILS( ds_allan_fit_curve( points, 0, 1, 0, NULL, NULL ), DS_ERROR_ARGUMENT, "room" );
	assert_true( isnan( ds_allan_theory( NULL, DS_ALLAN_OADEV, 1, 1 ) ) );
}

static void test_allan_out_of_bounds( void **state )
{
	(void)state;
	double data[8] = { 1, 2, 1, 3, 2, 1, 4, 1 }, low, high;
	const int64_t huge[] = { INT64_MAX, INT64_MAX / 2, INT64_MIN, -1, 0 };
	ds_allan_point points[8];
	ds_allan_model model = { .N = 1 };
	for ( size_t i = 0; i < sizeof( huge ) / sizeof( huge[0] ); ++i )
	{
		for ( int kind = -1; kind <= DS_ALLAN_KIND_COUNT; ++kind )
		{
			assert_int_not_equal(
				ds_allan_deviation( (ds_allan_kind)kind, data, 8, 1, &huge[i], 1, 0.95, points ), DS_OK );
			assert_int_not_equal(
				ds_allan_theory_interval( &model, (ds_allan_kind)kind, 1, huge[i], 8, 0.95, &low, &high ), DS_OK );
		}
		(void)ds_allan_theory( &model, DS_ALLAN_OADEV, 1, huge[i] );
	}
	int64_t one = 1;
	const double rates[] = { NAN, INFINITY, -1, 0, 5e-324, 1e308 };
	for ( size_t i = 0; i < sizeof( rates ) / sizeof( rates[0] ); ++i )
	{
		ds_allan_fit fit;
		FAILS( ds_allan_deviation( DS_ALLAN_OADEV, data, 8, rates[i], &one, 1, 0.95, points ), DS_ERROR_RANGE, "rate" );
		FAILS( ds_allan_fit_curve( points, 1, rates[i], 0, NULL, &fit ), DS_ERROR_RANGE, "rate" );
		assert_true( isnan( ds_allan_theory( &model, DS_ALLAN_OADEV, rates[i], 1 ) ) );
	}
	// squares of these are no numbers
	data[3] = 1e308;
	FAILS( ds_allan_deviation( DS_ALLAN_OADEV, data, 8, 1, &one, 1, 0.95, points ), DS_ERROR_RANGE, "sample 3" );
	// a low-pass that reaches over the whole record and beyond would take hours
	model.bandwidth = 1e-6;
	FAILS(
		ds_allan_theory_interval( &model, DS_ALLAN_OADEV, 1, 1, 8, 0.95, &low, &high ), DS_ERROR_RANGE, "bandwidth" );
	assert_true( isnan( ds_allan_theory( &model, DS_ALLAN_OADEV, 1, 1 ) ) );
	// and so would as many times a decade
	assert_int_equal( ds_allan_taus( INT64_MAX, INT32_MAX, NULL, 0 ), 0 );
}

static void test_fits_of_little( void **state )
{
	(void)state;
	ds_allan_point points[3] = { { .m = 1, .tau = 1, .deviation = 1 }, { .m = 2, .tau = 2, .deviation = NAN },
		{ .m = 3, .tau = 3, .deviation = 1e300 } };
	ds_allan_fit fit;
	FAILS( ds_allan_fit_curve( points, 0, 1, 0, NULL, &fit ), DS_ERROR_RANGE, "needs 4" );
	FAILS( ds_allan_fit_curve( points, 1, 1, 0, NULL, &fit ), DS_ERROR_RANGE, "needs 4" );
	FAILS( ds_allan_fit_curve( points, 2, 1, 0, NULL, &fit ), DS_ERROR_NOT_FINITE, "points[1]" );
	points[1].deviation = 1;
	FAILS( ds_allan_fit_curve( points, 3, 1, 0, NULL, &fit ), DS_ERROR_NOT_FINITE, "points[2]" );
}

// A fixture that expects nothing, or exactly one number, is passed by nothing else.
static void test_fixtures_that_expect_nothing( void **state )
{
	(void)state;
	double data[1000];
	for ( int i = 0; i < 1000; ++i )
	{
		data[i] = sin( 1e3 * i * i );
	}
	ds_sensor_report report;
	ds_sensor_fixture fixture = ds_sensor_fixture_default();
	fixture.confidence = 0;
	fixture.model.N = 1e-200;
	FAILS( ds_sensor_test_allan( data, 1000, 100, &fixture, &report ), DS_ERROR_ARGUMENT, "no deviation" );
	fixture.model.N = 1;
	fixture.model.bandwidth = 1e-4;
	FAILS( ds_sensor_test_allan( data, 1000, 100, &fixture, &report ), DS_ERROR_ARGUMENT, "bandwidth" );
	fixture.model.bandwidth = 0;
	fixture.tolerance = 0;
	// the sensor is far better than the fixture says, which is not what the fixture says
	assert_int_not_equal( ds_sensor_test_allan( data, 1000, 100, &fixture, &report ), DS_OK );
	assert_true( report.failed > 0 );
}

// ---- other models ------------------------------------------------------------------------------------------------

static void test_magnetometer( void **state )
{
	(void)state;
	static const size_t members[] = { offsetof( ds_magnetometer_truth, field.x ),
		offsetof( ds_magnetometer_truth, vehicle.y ), offsetof( ds_magnetometer_truth, attitude.w ),
		offsetof( ds_magnetometer_truth, interval ), offsetof( ds_magnetometer_truth, period ) };
	ds_magnetometer_config config = ds_magnetometer_config_default();
	for ( int i = 0; i < 3; ++i )
	{
		config.N[i] = config.K[i] = config.markov_sigma[i] = 1e-8;
	}
	ds_magnetometer_state magnetometer;
	ds_random stream = ds_random_stream( 1, "m", DS_RANDOM_RESET, 0 );
	ds_magnetometer_reset( &config, &magnetometer, &stream );
	const ds_magnetometer_truth good = {
		.field = { 2e-5, 0, 4e-5 }, .attitude = { 1, 0, 0, 0 }, .interval = 0.1, .period = 0.1
	};
	for ( size_t k = 0; k < sizeof( members ) / sizeof( members[0] ); ++k )
	{
		for ( size_t i = 0; i < STRANGE; ++i )
		{
			ds_magnetometer_truth truth = good;
			memcpy( (char *)&truth + members[k], &strange[i], sizeof( double ) );
			ds_magnetometer reading;
			ds_magnetometer_measure( &config, &magnetometer, &truth, &stream, &reading );
			if ( reading.valid && !( all_finite( reading.field, 3 ) && all_finite( reading.variance, 3 ) ) )
			{
				fail_msg( "a valid reading that is not finite: member %zu is %g", k, strange[i] );
			}
			ds_magnetometer_measure( &config, &magnetometer, &good, &stream, &reading );
			if ( !reading.valid || !all_finite( reading.field, 3 ) )
			{
				fail_msg( "not finite any more after member %zu was %g", k, strange[i] );
			}
		}
	}
}

static void test_gauges( void **state )
{
	(void)state;
	static const size_t members[] = { offsetof( ds_pressure_truth, pressure ),
		offsetof( ds_pressure_truth, temperature ), offsetof( ds_pressure_truth, time ) };
	ds_pressure_config config = ds_pressure_config_default();
	config.walk = config.markov_sigma = 1;
	config.hysteresis = 1e-4;
	config.thermal_tau = 10;
	config.noise_density = 1;
	for ( size_t k = 0; k < sizeof( members ) / sizeof( members[0] ); ++k )
	{
		for ( size_t i = 0; i < STRANGE; ++i )
		{
			ds_pressure_truth truth = { .pressure = 1e6, .temperature = 4, .period = 1 };
			ds_pressure_state gauge;
			ds_pressure reading;
			ds_random stream = ds_random_stream( 1, "p", DS_RANDOM_RESET, 0 );
			ds_pressure_reset( &config, &truth, &stream, &gauge );
			memcpy( (char *)&truth + members[k], &strange[i], sizeof( double ) );
			ds_pressure_measure( &config, &truth, &stream, &gauge, &reading );
			if ( reading.valid && !isfinite( reading.pressure ) )
			{
				fail_msg( "a valid reading that is not finite: member %zu is %g", k, strange[i] );
			}
			truth = ( ds_pressure_truth ){ .pressure = 1e6, .temperature = 4, .time = 10, .period = 1 };
			ds_pressure_measure( &config, &truth, &stream, &gauge, &reading );
			if ( !isfinite( reading.pressure ) )
			{
				fail_msg( "not finite any more after member %zu was %g", k, strange[i] );
			}
		}
	}
}

static void test_ctd( void **state )
{
	(void)state;
	static const size_t members[] = { offsetof( ds_ctd_truth, salinity ), offsetof( ds_ctd_truth, temperature ),
		offsetof( ds_ctd_truth, gauge_pressure ), offsetof( ds_ctd_truth, pressure ), offsetof( ds_ctd_truth, time ),
		offsetof( ds_ctd_truth, period ) };
	ds_ctd_config config = ds_ctd_config_default();
	config.conductivity.walk = config.temperature.walk = 1e-6;
	config.conductivity.tau = config.temperature.tau = 1;
	for ( size_t k = 0; k < sizeof( members ) / sizeof( members[0] ); ++k )
	{
		for ( size_t i = 0; i < STRANGE; ++i )
		{
			const ds_ctd_truth good = {
				.wet = true, .salinity = 35, .temperature = 4, .gauge_pressure = 1e6, .pressure = 1e6, .period = 1
			};
			ds_ctd_truth truth = good;
			ds_ctd_state ctd;
			ds_ctd reading;
			ds_random stream = ds_random_stream( 1, "c", DS_RANDOM_RESET, 0 );
			ds_ctd_reset( &config, &truth, &stream, &ctd );
			memcpy( (char *)&truth + members[k], &strange[i], sizeof( double ) );
			ds_ctd_measure( &config, &truth, &stream, &ctd, &reading );
			if ( reading.valid && !all_finite( &reading.conductivity, 10 ) )
			{
				fail_msg( "a valid reading that is not finite: member %zu is %g", k, strange[i] );
			}
			if ( fabs( strange[i] ) <= 1e30 )
			{
				continue;
			}
			truth = good;
			truth.time = 10;
			ds_ctd_measure( &config, &truth, &stream, &ctd, &reading );
			if ( !reading.valid || !all_finite( &reading.conductivity, 10 ) )
			{
				fail_msg( "not finite any more after member %zu was %g", k, strange[i] );
			}
		}
	}
}

static void test_places( void **state )
{
	(void)state;
	ds_gnss_config config = ds_gnss_config_default();
	ds_odometry_config exact = { 0 }, noisy = { .position_walk = 1, .position_sigma = 1, .position_tau = 1 };
	for ( size_t i = 0; i < STRANGE; ++i )
	{
		const double s = strange[i];
		const ds_gnss_truth truths[] = { { .place = { s, 0, 0 } }, { .place = { 0, s, 0 } }, { .place = { 0, 0, s } },
			{ .velocity = { s, 0, 0 } }, { .time = s } };
		for ( size_t k = 0; k < sizeof( truths ) / sizeof( truths[0] ); ++k )
		{
			ds_gnss_state gnss;
			ds_gnss reading;
			ds_random stream = ds_random_stream( 1, "g", DS_RANDOM_RESET, 0 );
			ds_gnss_reset( &config, 0, &stream, &gnss );
			ds_gnss_measure( &config, &truths[k], &stream, &gnss, &reading );
			if ( reading.valid && !( all_finite( &reading.latitude, 4 ) && all_finite( reading.velocity, 3 ) ) )
			{
				fail_msg( "a fix that is not finite: truth %zu of %g", k, s );
			}
			assert_true( isfinite( gnss.last ) );
		}
		for ( int k = 0; k < 2; ++k )
		{
			const ds_odometry_truth truth = { .pose = { { 0, s, 0 }, { 1, 0, 0, 0 } }, .time = s };
			ds_odometry_state odometry;
			ds_odometry reading;
			ds_random stream = ds_random_stream( 1, "o", DS_RANDOM_RESET, 0 );
			ds_odometry_reset( k ? &noisy : &exact, 0, &stream, &odometry );
			ds_odometry_measure( k ? &noisy : &exact, &truth, &stream, &odometry, &reading );
			assert_true( !reading.valid || all_finite( reading.position, 3 ) );
			assert_true( isfinite( odometry.last ) );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_imu ),
		cmocka_unit_test( test_magnetometer ),
		cmocka_unit_test( test_gauges ),
		cmocka_unit_test( test_ctd ),
		cmocka_unit_test( test_places ),
		cmocka_unit_test( test_allan_without_arguments ),
		cmocka_unit_test( test_allan_out_of_bounds ),
		cmocka_unit_test( test_fits_of_little ),
		cmocka_unit_test( test_fixtures_that_expect_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Presets of the IMU: each number is its source's figure, converted by the parser of datasheets, and each unit, simulated at rest, has
// the Allan deviation that its figures stand for (formulas of IEEE Std 952, by an estimator of this test's own).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/field_io.h"
#include "deepsim/imu.h"
#include "deepsim/random.h"
#include "sensors/imu_presets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT( array ) ( sizeof( array ) / sizeof( ( array )[0] ) )
#define FLOOR          ( 1 / 0.664 ) // of a figure read at the lowest point of the curve

enum
{
	GYRO,
	ACCEL
};

// clang-format off
// What the sources say. axis -1: all three. Factors of rotors_adis16448: sqrt( tau / 2 ).
static const struct
{
	const char *preset;
	int triad;
	const char *field;
	int axis;
	const char *figure;
	double factor;
} figures[] = {
	{ "paper_old", GYRO, "N", -1, "1.6e-3 rad/s/sqrt(Hz)", 1 },
	{ "paper_new", GYRO, "N", -1, "5e-4 rad/s/sqrt(Hz)", 1 },
	{ "paper_new", GYRO, "B", -1, "3.162e-6 rad/s", 1 },
	{ "generic_consumer", GYRO, "N", -1, "3 deg/sqrt(h)", 1 },
	{ "generic_consumer", GYRO, "B", -1, "10 deg/h", 1 },
	{ "generic_consumer", GYRO, "turn_on", -1, "0.1 deg/s", 1 },
	{ "generic_consumer", ACCEL, "N", -1, "230 ug/sqrt(Hz)", 1 },
	{ "generic_consumer", ACCEL, "B", -1, "2e-4 m/s2", 1 },
	{ "generic_consumer", ACCEL, "turn_on", -1, "20 mg", 1 },
	{ "generic_industrial", GYRO, "N", -1, "0.15 deg/sqrt(h)", 1 },
	{ "generic_industrial", GYRO, "B", -1, "7 deg/h", 1 },
	{ "generic_industrial", GYRO, "turn_on", -1, "70 deg/h", 1 },
	{ "generic_industrial", ACCEL, "N", -1, "0.033 m/s/sqrt(h)", 1 },
	{ "generic_industrial", ACCEL, "B", -1, "0.014 mg", 1 },
	{ "generic_industrial", ACCEL, "turn_on", -1, "0.14 mg", 1 },
	{ "generic_tactical", GYRO, "N", -1, "0.05 deg/sqrt(h)", 1 },
	{ "generic_tactical", GYRO, "B", -1, "1 deg/h", 1 },
	{ "generic_tactical", GYRO, "turn_on", -1, "1 deg/h", 1 },
	{ "generic_tactical", ACCEL, "N", -1, "0.065 ft/s/sqrt(h)", 1 },
	{ "generic_tactical", ACCEL, "B", -1, "0.05 mg", 1 },
	{ "generic_tactical", ACCEL, "turn_on", -1, "1 mg", 1 },
	{ "generic_navigation", GYRO, "N", -1, "0.002 deg/sqrt(h)", 1 },
	{ "generic_navigation", GYRO, "B", -1, "0.0035 deg/h", 1 },
	{ "generic_navigation", GYRO, "turn_on", -1, "0.01 deg/h", 1 },
	{ "generic_navigation", ACCEL, "N", -1, "2.5e-5 m/s/sqrt(h)", 1 },
	{ "generic_navigation", ACCEL, "B", -1, "3.6e-6 m/s2", 1 },
	{ "generic_navigation", ACCEL, "turn_on", -1, "25 ug", 1 },
	{ "mpu6000", GYRO, "N", -1, "0.30 deg/sqrt(h)", 1 },
	{ "mpu6000", GYRO, "B", -1, "4.6 deg/h", 1 },
	{ "mpu6000", ACCEL, "N", -1, "0.24 mg/sqrt(Hz)", 1 },
	{ "mpu6000", ACCEL, "B", -1, "36 ug", 1 },
	{ "bmi088", GYRO, "N", -1, "0.014 deg/s/sqrt(Hz)", 1 },
	{ "bmi088", GYRO, "temperature_coefficient", -1, "0.015 deg/s/K", 1 },
	{ "bmi088", GYRO, "range", -1, "2000 deg/s", 1 },
	{ "bmi088", GYRO, "resolution", -1, "16.384 LSB/(deg/s)", 1 },
	{ "bmi088", ACCEL, "N", 0, "160 ug/sqrt(Hz)", 1 },
	{ "bmi088", ACCEL, "N", 1, "160 ug/sqrt(Hz)", 1 },
	{ "bmi088", ACCEL, "N", 2, "190 ug/sqrt(Hz)", 1 },
	{ "bmi088", ACCEL, "temperature_coefficient", -1, "0.2 mg/K", 1 },
	{ "bmi088", ACCEL, "range", -1, "24 g", 1 },
	{ "bmi088", ACCEL, "resolution", -1, "1365 LSB/g", 1 },
	{ "adis16448", GYRO, "N", -1, "0.66 deg/sqrt(h)", 1 },
	{ "adis16448", ACCEL, "N", -1, "0.11 m/s/sqrt(h)", 1 },
	{ "rotors_adis16448", GYRO, "N", -1, "3.394e-4 rad/s/sqrt(Hz)", 1 },
	{ "rotors_adis16448", GYRO, "markov_sigma", -1, "3.8785e-5 rad/s", 22.360679775 },
	{ "rotors_adis16448", GYRO, "markov_tau", -1, "1000 s", 1 },
	{ "rotors_adis16448", GYRO, "turn_on", -1, "0.0087 rad/s", 1 },
	{ "rotors_adis16448", ACCEL, "N", -1, "4e-3 m/s2/sqrt(Hz)", 1 },
	{ "rotors_adis16448", ACCEL, "markov_sigma", -1, "6e-3 m/s2", 12.247448714 },
	{ "rotors_adis16448", ACCEL, "markov_tau", -1, "300 s", 1 },
	{ "rotors_adis16448", ACCEL, "turn_on", -1, "0.196 m/s2", 1 },
	{ "mti1", GYRO, "N", -1, "0.007 deg/s/sqrt(Hz)", 1 },
	{ "mti1", GYRO, "B", -1, "10 deg/h", 1 },
	{ "mti1", GYRO, "bandwidth", -1, "255 Hz", 1 },
	{ "mti1", GYRO, "range", -1, "2000 deg/s", 1 },
	{ "mti1", ACCEL, "N", -1, "120 ug/sqrt(Hz)", 1 },
	{ "mti1", ACCEL, "B", -1, "0.03 mg", 1 },
	{ "mti1", ACCEL, "bandwidth", -1, "324 Hz", 1 },
	{ "mti1", ACCEL, "range", -1, "16 g", 1 },
	{ "mti630", GYRO, "N", -1, "0.007 deg/s/sqrt(Hz)", 1 },
	{ "mti630", GYRO, "B", -1, "8 deg/h", 1 },
	{ "mti630", ACCEL, "N", -1, "60 ug/sqrt(Hz)", 1 },
	{ "mti630", ACCEL, "B", -1, "15 ug", 1 },
	{ "vn100", GYRO, "N", -1, "0.0035 deg/s/sqrt(Hz)", 1 },
	{ "vn100", ACCEL, "N", -1, "0.14 mg/sqrt(Hz)", 1 },
	{ "vn100", ACCEL, "K", -1, "5e-5 m/s3/sqrt(Hz)", 1 },
	{ "openrtk330", GYRO, "N", -1, "0.3 deg/sqrt(h)", 1 },
	{ "openrtk330", GYRO, "B", -1, "6 deg/h", 1 },
	{ "openrtk330", GYRO, "range", -1, "400 deg/s", 1 },
	{ "openrtk330", ACCEL, "N", -1, "0.05 m/s/sqrt(h)", 1 },
	{ "openrtk330", ACCEL, "B", -1, "20 ug", 1 },
	{ "openrtk330", ACCEL, "range", -1, "8 g", 1 },
	{ "adis16460", GYRO, "N", 0, "0.12 deg/sqrt(h)", 1 },
	{ "adis16460", GYRO, "N", 1, "0.17 deg/sqrt(h)", 1 },
	{ "adis16460", GYRO, "N", 2, "0.17 deg/sqrt(h)", 1 },
	{ "adis16460", GYRO, "B", -1, "8 deg/h", 1 },
	{ "adis16460", GYRO, "turn_on", -1, "0.5 deg/s", 1 },
	{ "adis16460", GYRO, "temperature_coefficient", -1, "0.007 deg/s/K", 1 },
	{ "adis16460", GYRO, "bandwidth", -1, "375 Hz", 1 },
	{ "adis16460", GYRO, "range", -1, "100 deg/s", 1 },
	{ "adis16460", GYRO, "resolution", -1, "0.005 deg/s/LSB", 1 },
	{ "adis16460", ACCEL, "N", -1, "0.09 m/s/sqrt(h)", 1 },
	{ "adis16460", ACCEL, "B", -1, "0.2 mg", 1 },
	{ "adis16460", ACCEL, "turn_on", -1, "15 mg", 1 },
	{ "adis16460", ACCEL, "temperature_coefficient", -1, "0.05 mg/K", 1 },
	{ "adis16460", ACCEL, "bandwidth", -1, "350 Hz", 1 },
	{ "adis16460", ACCEL, "range", -1, "5 g", 1 },
	{ "adis16460", ACCEL, "resolution", -1, "0.25 mg/LSB", 1 },
	{ "imx6", GYRO, "N", -1, "0.10 deg/sqrt(h)", 1 },
	{ "imx6", GYRO, "B", -1, "1.5 deg/h", 1 },
	{ "imx6", ACCEL, "N", -1, "0.013 m/s/sqrt(h)", 1 },
	{ "imx6", ACCEL, "B", -1, "2.8 ug", 1 },
	{ "stim300", GYRO, "N", -1, "0.15 deg/sqrt(h)", 1 },
	{ "stim300", GYRO, "B", -1, "0.5 deg/h", FLOOR },
	{ "stim300", GYRO, "range", -1, "400 deg/s", 1 },
	{ "stim300", ACCEL, "N", -1, "0.06 m/s/sqrt(h)", 1 },
	{ "stim300", ACCEL, "B", -1, "0.05 mg", FLOOR },
	{ "stim300", ACCEL, "turn_on", -1, "0.75 mg", 1 },
	{ "stim300", ACCEL, "range", -1, "10 g", 1 },
	{ "hg1700", GYRO, "N", -1, "0.125 deg/sqrt(h)", 1 },
	{ "hg1700", GYRO, "turn_on", -1, "1 deg/h", 1 },
	{ "hg1700", ACCEL, "N", -1, "0.065 ft/s/sqrt(h)", 1 },
	{ "hg1700", ACCEL, "turn_on", -1, "1 mg", 1 },
	{ "hg9900", GYRO, "N", -1, "0.002 deg/sqrt(h)", 1 },
	{ "hg9900", GYRO, "turn_on", -1, "0.0035 deg/h", 1 },
	{ "hg9900", ACCEL, "turn_on", -1, "25 ug", 1 },
};
// clang-format on

static void expect_close( double got, double want, double tolerance )
{
	if ( !( fabs( got - want ) <= tolerance ) )
	{
		print_error( "got %.17g, want %.17g within %g\n", got, want, tolerance );
		fail();
	}
}

static const ds_table *triad_table( int triad )
{
	return ds_table_find( ds_imu_config_table(), triad == GYRO ? "gyro" : "accel" )->table;
}

static ds_inertial_config *triad_of( ds_imu_config *config, int triad )
{
	return triad == GYRO ? &config->gyro : &config->accel;
}

static double *number_of( ds_imu_config *config, int triad, const char *name, int axis )
{
	const ds_field *field = ds_table_find( triad_table( triad ), name );
	assert_non_null( field );
	char *at = (char *)triad_of( config, triad ) + field->offset;
	return (double *)(void *)at + ( field->count == 3 ? axis : 0 );
}

static void test_figures( void **state )
{
	(void)state;
	for ( size_t i = 0; i < COUNT( figures ); ++i )
	{
		ds_imu_config config;
		ds_imu_quantity q;
		assert_int_equal( ds_imu_config_preset( figures[i].preset, &config ), DS_OK );
		assert_int_equal( ds_imu_parse( figures[i].figure, &q ), DS_OK );
		for ( int axis = 0; axis < 3; ++axis )
		{
			double got = *number_of( &config, figures[i].triad, figures[i].field, axis );
			double want = q.value * figures[i].factor;
			if ( ( figures[i].axis < 0 || figures[i].axis == axis ) && !( fabs( got - want ) <= 1e-5 * want ) )
			{
				print_error(
					"%s: %s %s: got %g, want %g\n", figures[i].preset, figures[i].field, figures[i].figure, got, want );
				fail();
			}
		}
		assert_true( figures[i].triad == GYRO ? q.gyro : q.accel );
	}
}

// Every number that a preset sets has a figure above: what has none is as in the default.
static void test_nothing_else( void **state )
{
	(void)state;
	for ( int32_t p = 0; p < DS_IMU_PRESET_COUNT; ++p )
	{
		ds_imu_config config, plain = ds_imu_config_default();
		assert_int_equal( ds_imu_config_preset( ds_imu_presets[p].name, &config ), DS_OK );
		int found = 0;
		for ( size_t i = 0; i < COUNT( figures ); ++i )
		{
			for ( int axis = 0; strcmp( figures[i].preset, ds_imu_presets[p].name ) == 0 && axis < 3; ++axis )
			{
				++found;
				*number_of( &config, figures[i].triad, figures[i].field, axis ) =
					*number_of( &plain, figures[i].triad, figures[i].field, axis );
			}
		}
		assert_true( found > 0 );
		assert_memory_equal( &config, &plain, sizeof( config ) );
	}
}

static void test_names( void **state )
{
	(void)state;
	ds_imu_config config, plain = ds_imu_config_default();
	memset( &config, 0x5A, sizeof( config ) );
	assert_int_equal( ds_imu_config_preset( "stim30", &config ), DS_ERROR_NOT_FOUND );
	assert_non_null(
		strstr( ds_last_error(), "imu_config: expected a preset, got \"stim30\"; did you mean \"stim300\"?" ) );
	assert_memory_equal( &config, &plain, sizeof( config ) );
	assert_int_equal( ds_imu_config_preset( "", &config ), DS_ERROR_NOT_FOUND );
	assert_non_null( strstr( ds_last_error(), "got \"\"; there are \"paper_old\", " ) );
	assert_int_equal( ds_imu_config_preset( NULL, &config ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_imu_config_preset( "stim300", NULL ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_table_check( ds_imu_config_table() ), DS_OK );

	// in JSON the same, and single values change
	ds_imu_config json;
	assert_int_equal( ds_imu_config_preset( "stim300", &config ), DS_OK );
	assert_int_equal( ds_table_parse( ds_imu_config_table(), "{\"preset\": \"stim300\"}", &json ), DS_OK );
	assert_memory_equal( &config, &json, sizeof( json ) );
	assert_int_equal(
		ds_table_parse( ds_imu_config_table(), "{\"preset\": \"stim300\", \"gyro\": {\"N\": 1e-4}}", &json ), DS_OK );
	assert_true( json.gyro.N[0] == 1e-4 && json.gyro.N[2] == 1e-4 );
	config.gyro.N[0] = config.gyro.N[1] = config.gyro.N[2] = 1e-4;
	assert_memory_equal( &config, &json, sizeof( json ) );
}

// ---- what is simulated ---------------------------------------------------------------------------------------------

#define SAMPLES 40000

// Overlapping Allan variance at a cluster of m samples, from running sums.
static double allan_variance( const double *x, int m )
{
	static double sum[SAMPLES + 1];
	sum[0] = 0;
	for ( int i = 0; i < SAMPLES; ++i )
	{
		sum[i + 1] = sum[i] + x[i];
	}
	double square = 0;
	for ( int i = 0; i + 2 * m <= SAMPLES; ++i )
	{
		double d = ( sum[i + 2 * m] - 2 * sum[i + m] + sum[i] ) / m;
		square += d * d;
	}
	return square / ( 2.0 * ( SAMPLES - 2 * m + 1 ) );
}

// IEEE Std 952: white noise, bias instability where it is flat, rate random walk.
static double ieee_variance( const ds_inertial_config *c, int axis, double tau )
{
	double flat = 0.664 * c->B[axis];
	return c->N[axis] * c->N[axis] / tau + flat * flat + c->K[axis] * c->K[axis] * tau / 3;
}

// The averaging time at which white noise and what follows it are alike.
static double crossing( const ds_inertial_config *c )
{
	double flat = 0.664 * c->B[1];
	return c->N[1] > 0 && flat > 0      ? pow( c->N[1] / flat, 2 )
		   : c->N[1] > 0 && c->K[1] > 0 ? sqrt( 3 ) * c->N[1] / c->K[1]
										: 10;
}

// Samples of a triad at rest, every dt, by the model with these random errors alone.
static void simulate( const ds_inertial_config *triad, int kind, double dt, double ( *x )[SAMPLES] )
{
	ds_imu_config config = ds_imu_config_default();
	ds_inertial_config *c = triad_of( &config, kind );
	memcpy( c->N, triad->N, sizeof( c->N ) );
	memcpy( c->B, triad->B, sizeof( c->B ) );
	memcpy( c->K, triad->K, sizeof( c->K ) );
	ds_imu_model *model;
	assert_int_equal( ds_imu_create( NULL, &config, &model ), DS_OK );
	void *state = calloc( 1, ds_imu_state_size() );
	assert_non_null( state );
	ds_random stream = ds_random_stream( 11, "imu", DS_RANDOM_RESET, 0 );
	ds_imu_reset( model, state, &stream, 25 );
	for ( int i = 0; i < SAMPLES; ++i )
	{
		ds_imu reading;
		ds_imu_truth truth = { .interval = dt, .time = dt * ( i + 1 ), .temperature = 25 };
		stream = ds_random_stream( 11, "imu", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_imu_measure( model, state, &truth, truth.delta_angle, truth.delta_angle, &stream, &reading );
		for ( int axis = 0; axis < 3; ++axis )
		{
			x[axis][i] = kind == GYRO ? reading.angular_velocity[axis] : reading.linear_acceleration[axis];
		}
	}
	free( state );
	ds_imu_destroy( model );
}

// The mean ratio over the axes of what is measured to what the figures say, as a deviation.
static double ratio( const ds_inertial_config *c, double ( *x )[SAMPLES], double dt, int m )
{
	double sum = 0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		sum += sqrt( allan_variance( x[axis], m ) / ieee_variance( c, axis, m * dt ) );
	}
	return sum / 3;
}

static void expect_one( double got, const char *preset, int kind, const char *what, double tau )
{
	if ( !( fabs( got - 1 ) <= 0.1 ) )
	{
		print_error( "%s, %s: %.3f of %s at %g s\n", preset, kind == GYRO ? "gyro" : "accel", got, what, tau );
		fail();
	}
}

// At a tenth of the crossing white noise has 90 % of the variance, at ten crossings what follows it has.
static void test_allan( void **state )
{
	(void)state;
	static double x[3][SAMPLES];
	for ( int32_t p = 0; p < DS_IMU_PRESET_COUNT; ++p )
	{
		for ( int kind = 0; kind < 2; ++kind )
		{
			ds_imu_config config;
			const char *name = ds_imu_presets[p].name;
			assert_int_equal( ds_imu_config_preset( name, &config ), DS_OK );
			ds_inertial_config *c = triad_of( &config, kind );
			if ( c->N[0] == 0 )
			{
				continue;
			}
			double dt = crossing( c ) / 10;
			simulate( c, kind, dt, x );
			expect_one( ratio( c, x, dt, 1 ), name, kind, "N", dt );
			if ( 100 * dt > 1e5 )
			{
				// weeks: its flat end lies below the white noise for longer than anybody records; it is looked at alone
				dt = 100;
				memset( c->N, 0, sizeof( c->N ) );
				simulate( c, kind, dt, x );
			}
			expect_one( ratio( c, x, dt, 100 ), name, kind, "B or K", 100 * dt );
		}
	}
}

// The old model of the paper has no floor of its own: what its figure shows as one is the slope at a tenth of 9 hours.
static void test_paper( void **state )
{
	(void)state;
	ds_imu_config old, new;
	assert_int_equal( ds_imu_config_preset( "paper_old", &old ), DS_OK );
	assert_int_equal( ds_imu_config_preset( "paper_new", &new ), DS_OK );
	double end = 9 * 3600.0 / 10;
	expect_close( sqrt( ieee_variance( &old.gyro, 0, end ) ), 3e-5, 0.3e-5 );
	double lowest = sqrt( ieee_variance( &new.gyro, 0, end ) );
	assert_true( lowest > 4e-6 && lowest < 1.2e-5 );
	// white noise is still the larger there
	assert_true( pow( new.gyro.N[0], 2 ) / end > pow( 0.664 * new.gyro.B[0], 2 ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_figures ),
		cmocka_unit_test( test_nothing_else ),
		cmocka_unit_test( test_names ),
		cmocka_unit_test( test_allan ),
		cmocka_unit_test( test_paper ),
	};
	return cmocka_run_group_tests_name( "imu_presets", tests, NULL, NULL );
}

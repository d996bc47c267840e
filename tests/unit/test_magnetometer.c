// The magnetometer: case P10, every attitude, iron, magnets and cables against formulas by hand, each parameter on its own channel,
// printed order, ranges. test_magnetometer_world.c puts it into worlds.

#include "sensor_kit.h"
#include "sensors/magnetometer.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )
#define NANO   1e-9

static ds_vec3 vec( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

static const ds_vec3 p10_field = { 17510.2e-9, -3045.2e-9, -13553.1e-9 };

// One reading of the model, without a world, at 10 Hz.
static ds_magnetometer measure( const ds_magnetometer_config *c, ds_vec3 field, ds_quat attitude )
{
	ds_magnetometer_state state;
	ds_magnetometer reading;
	ds_random start = ds_random_stream( 1, "m", DS_RANDOM_RESET, 0 ),
			  stream = ds_random_stream( 1, "m", DS_RANDOM_SAMPLE, 7 );
	OK( ds_magnetometer_check( c ) );
	ds_magnetometer_reset( c, &state, &start );
	ds_magnetometer_truth truth = { field, ds_magnetometer_vehicle_field( c, ds_pose_identity(), NULL ), attitude, 0.1,
		0.1 };
	ds_magnetometer_measure( c, &state, &truth, &stream, &reading );
	return reading;
}

static ds_quat rpy( double roll, double pitch, double yaw )
{
	return ds_quat_from_rpy( ds_v3( roll * DEGREE, pitch * DEGREE, yaw * DEGREE ) );
}

// Reference case P10.
static void test_p10( void **state )
{
	(void)state;
	ds_magnetometer_config c = ds_magnetometer_config_default();
	NEAR3( vec( measure( &c, p10_field, rpy( 0, 0, 0 ) ).field ), ds_v3( 1.75102e-5, -3.0452e-6, -1.35531e-5 ), 1e-15 );
	NEAR3(
		vec( measure( &c, p10_field, rpy( 0, 0, 90 ) ).field ), ds_v3( -3.0452e-6, -1.75102e-5, -1.35531e-5 ), 1e-15 );
	ds_vec3 b = vec( measure( &c, p10_field, rpy( 30, 20, 120 ) ).field );
	NEAR3( b, ds_v3( -6.06985e-6, -2.01301e-5, -7.58303e-6 ), 2e-11 ); // printed to six digits
	NEAR( ds_length( b ), 2.23510e-5, 5e-11 );
}

// Any attitude: the reading turned back is the field.
static void test_attitudes( void **state )
{
	(void)state;
	ds_magnetometer_config c = ds_magnetometer_config_default();
	ds_random random = ds_random_stream( 3, "attitudes", 0, 0 );
	for ( int i = 0; i < 2000; ++i )
	{
		double q[4];
		for ( int k = 0; k < 4; ++k )
		{
			q[k] = ds_random_normal( &random );
		}
		ds_quat attitude = ds_quat_normalize( ( ds_quat ){ q[0], q[1], q[2], q[3] } );
		ds_magnetometer r = measure( &c, p10_field, attitude );
		// by the matrix, which the model does not use
		ds_mat3 m = ds_mat3_from_quat( attitude );
		NEAR3( vec( r.field ), ds_mat3_tmul_vec( &m, p10_field ), 1e-12 * ds_length( p10_field ) );
		assert_true( r.valid && !r.saturated && !r.heading_unreliable );
	}
}

// Iron in body axes by hand: m = S R^T B + h. Turning the vehicle turns neither S nor h.
static void test_iron( void **state )
{
	(void)state;
	ds_magnetometer_config c = ds_magnetometer_config_default();
	const double s[9] = { 1.1, 0.02, 0, 0.02, 0.95, -0.01, 0, -0.01, 1.03 };
	memcpy( c.soft_iron, s, sizeof( s ) );
	c.hard_iron[0] = 3e-6;
	c.hard_iron[1] = -1e-6;
	c.hard_iron[2] = 2e-6;
	ds_vec3 field = ds_v3( 2e-5, 0, 4e-5 );
	NEAR3( vec( measure( &c, field, rpy( 0, 0, 0 ) ).field ), ds_v3( 2.5e-5, -1e-6, 4.32e-5 ), 1e-18 );
	// yaw 180: the field in the body is (-2e-5, 0, 4e-5)
	ds_vec3 turned = vec( measure( &c, field, rpy( 0, 0, 180 ) ).field );
	NEAR3( turned, ds_v3( -1.9e-5, -1.8e-6, 4.32e-5 ), 1e-18 );
	// as printed S acts before the turn: S ( B + R h ), turned back
	c.order = DS_MAGNETOMETER_PRINTED;
	turned = vec( measure( &c, field, rpy( 0, 0, 180 ) ).field );
	// R h = (-3e-6, 1e-6, 2e-6); S (1.7e-5, 1e-6, 4.2e-5) = (1.872e-5, 0.87e-6, 4.325e-5)
	NEAR3( turned, ds_v3( -1.872e-5, -8.7e-7, 4.325e-5 ), 1e-18 );
}

// On the axis of a dipole B = mu0/4pi 2 m / r^3, across it -mu0/4pi m / r^3, at 45 degrees both parts; inside the ball uniform.
static void test_dipole( void **state )
{
	(void)state;
	ds_magnetic_dipole d = { { 1, 2, 3 }, { 0, 0, 50 }, 0.1 };
	NEAR3( ds_magnetic_dipole_at( &d, ds_v3( 1, 2, 5 ) ), ds_v3( 0, 0, 1e-7 * 2 * 50 / 8 ), 1e-18 );
	NEAR3( ds_magnetic_dipole_at( &d, ds_v3( 1, 2, 1 ) ), ds_v3( 0, 0, 1e-7 * 2 * 50 / 8 ), 1e-18 );
	NEAR3( ds_magnetic_dipole_at( &d, ds_v3( 3, 2, 3 ) ), ds_v3( 0, 0, -1e-7 * 50 / 8 ), 1e-18 );
	NEAR3( ds_magnetic_dipole_at( &d, ds_v3( 2, 2, 4 ) ), ds_scale( 1e-7 * 50 / pow( 2, 1.5 ), ds_v3( 1.5, 0, 0.5 ) ),
		1e-18 );
	// inside 2 mu0/3 of the magnetisation; on the axis the normal part goes through the ball's face unchanged
	double magnetisation = 50 / ( 4.0 / 3 * DS_PI * 1e-3 );
	NEAR3( ds_magnetic_dipole_at( &d, ds_v3( 1.03, 2, 3.02 ) ), ds_v3( 0, 0, 2.0 / 3 * 4e-7 * DS_PI * magnetisation ),
		1e-12 );
	NEAR( ds_magnetic_dipole_at( &d, ds_v3( 1, 2, 3.1 + 1e-9 ) ).z, ds_magnetic_dipole_at( &d, ds_v3( 1, 2, 3.09 ) ).z,
		1e-9 );
}

static void test_cable( void **state )
{
	(void)state;
	// 500 A to the north, 40 m below: mu0 I / (2 pi r) = 2.5 uT
	ds_magnetic_cable c = { { -100, 0, 40 }, { 100, 0, 40 }, 500, 0, 0, 0.05, true };
	ds_vec3 above = ds_magnetic_cable_at( &c, ds_v3( 7, 0, 0 ), 0 );
	NEAR( ds_length( above ), 4e-7 * DS_PI * 500 / ( 2 * DS_PI * 40 ), 1e-18 );
	// u x r = north x up = (1,0,0) x (0,0,-1) = (0, 1, 0): east
	NEAR3( above, ds_v3( 0, 2.5e-6, 0 ), 1e-18 );
	NEAR3( ds_magnetic_cable_at( &c, ds_v3( 0, 40, 40 ), 0 ), ds_v3( 0, 0, 2.5e-6 ), 1e-18 );
	// a segment seen from its middle: times L / sqrt( L^2 + d^2 )
	c.infinite = false;
	double half = 100 / sqrt( 100.0 * 100 + 40 * 40 );
	NEAR3( ds_magnetic_cable_at( &c, ds_v3( 0, 0, 0 ), 0 ), ds_v3( 0, 2.5e-6 * half, 0 ), 1e-18 );
	// a hand-summed Biot-Savart integral from an odd place
	ds_vec3 place = ds_v3( 130, -20, 10 ), sum = ds_v3( 0, 0, 0 );
	const int pieces = 20000;
	for ( int i = 0; i < pieces; ++i )
	{
		double dl = 200.0 / pieces;
		ds_vec3 r = ds_sub( place, ds_v3( -100 + ( i + 0.5 ) * dl, 0, 40 ) );
		sum = ds_mad( sum, 1e-7 * 500 * dl / pow( ds_length( r ), 3 ), ds_cross( ds_v3( 1, 0, 0 ), r ) );
	}
	NEAR3( ds_magnetic_cable_at( &c, place, 0 ), sum, 1e-6 * ds_length( sum ) );
	// inside: grows with the distance from the axis; on the axis nothing, past the ends too
	c.infinite = true;
	NEAR3( ds_magnetic_cable_at( &c, ds_v3( 0, 0, 39.975 ), 0 ), ds_v3( 0, 0.5 * 1e-7 * 2 * 500 / 0.05, 0 ), 1e-15 );
	NEAR3( ds_magnetic_cable_at( &c, ds_v3( 0, 0, 40 ), 0 ), ds_v3( 0, 0, 0 ), 0 );
	c.infinite = false;
	NEAR3( ds_magnetic_cable_at( &c, ds_v3( 300, 0, 40 ), 0 ), ds_v3( 0, 0, 0 ), 0 );
	// an alternating current
	c.infinite = true;
	c.frequency = 50;
	c.phase = 30 * DEGREE;
	NEAR( ds_magnetic_cable_at( &c, ds_v3( 0, 0, 0 ), 0 ).y, 2.5e-6 * cos( 30 * DEGREE ), 1e-18 );
	NEAR( ds_magnetic_cable_at( &c, ds_v3( 0, 0, 0 ), 0.005 ).y, -2.5e-6 * sin( 30 * DEGREE ), 1e-18 );
}

// Vehicle dipoles: by the lever arm of the mount, in its axes, and with an input's number.
static void test_vehicle_dipoles( void **state )
{
	(void)state;
	ds_magnetometer_dipole dipoles[2] = { { { { -1, 0, 0 }, { 10, 0, 0 }, 0.05 }, "", "" },
		{ { { 0, 0, 0.5 }, { 0, 2, 0 }, 0.05 }, "motor", "power" } };
	ds_magnetometer_config c = ds_magnetometer_config_default();
	c.dipoles = ( ds_array ){ dipoles, 2 };
	OK( ds_magnetometer_check( &c ) );
	ds_pose mount = { { 1, 0, 0.5 }, rpy( 0, 0, 90 ) };
	const double factors[2] = { 1, 3 };
	// the first from 2 m ahead and 0.5 m below; the second 1 m aside, broadside: -mu0/4pi m / r^3 = -6e-7 T along y
	double r = sqrt( 4.25 ), along = 10 * 2 / r;
	ds_vec3 first = ds_scale( 1e-7 / ( r * r * r ), ds_v3( 3 * along * 2 / r - 10, 0, 3 * along * 0.5 / r ) );
	ds_vec3 body = ds_add( first, ds_v3( 0, -6e-7, 0 ) );
	// the mount's x is the body's y
	NEAR3( ds_magnetometer_vehicle_field( &c, mount, factors ), ds_v3( body.y, -body.x, body.z ), 1e-18 );
	strcpy( dipoles[1].reading, "" );
	FAILS( ds_magnetometer_check( &c ), DS_ERROR_ARGUMENT, "must be given together" );
	ds_magnetometer_dipole many[17] = { { { { 0, 0, 0 }, { 0, 0, 0 }, 0.1 }, "", "" } };
	for ( int i = 1; i < 17; ++i )
	{
		many[i] = many[0];
	}
	c.dipoles = ( ds_array ){ many, 17 };
	FAILS( ds_magnetometer_check( &c ), DS_ERROR_LIMIT, "at most 16 dipoles" );
}

// The readings of 4000 samples at 10 Hz.
#define SAMPLES 4000
static void run( const ds_magnetometer_config *c, uint64_t seed, double out[SAMPLES][3] )
{
	ds_magnetometer_state state;
	ds_random start = ds_random_stream( seed, "m", DS_RANDOM_RESET, 0 );
	ds_magnetometer_reset( c, &state, &start );
	for ( int i = 0; i < SAMPLES; ++i )
	{
		ds_magnetometer reading;
		ds_random stream = ds_random_stream( seed, "m", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_magnetometer_truth truth = { p10_field, { 0, 0, 0 }, { 1, 0, 0, 0 }, i > 0 ? 0.1 : 0, 0.1 };
		ds_magnetometer_measure( c, &state, &truth, &stream, &reading );
		memcpy( out[i], reading.field, sizeof( reading.field ) );
	}
}

static double series[3][SAMPLES][3];

// Each number of the config moves the axis that it belongs to, and no other term's noise.
static void test_channels( void **state )
{
	(void)state;
	ds_magnetometer_config all = ds_magnetometer_config_default();
	for ( int i = 0; i < 3; ++i )
	{
		all.N[i] = 2e-9;
		all.K[i] = 1e-10;
		all.markov_sigma[i] = 5e-9;
		all.markov_tau[i] = 20;
		all.turn_on[i] = 3e-8;
	}
	double *const members[5] = { all.N, all.K, all.markov_sigma, all.markov_tau, all.turn_on };
	run( &all, 5, series[0] );
	for ( int p = 0; p < 5; ++p )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			double kept = members[p][axis];
			members[p][axis] = 0;
			run( &all, 5, series[1] );
			members[p][axis] = 2 * kept;
			run( &all, 5, series[2] );
			members[p][axis] = kept;
			int moved = 0;
			for ( int i = 0; i < SAMPLES; ++i )
			{
				for ( int k = 0; k < 3; ++k )
				{
					moved += k == axis && series[1][i][k] != series[0][i][k];
					assert_true(
						k == axis || ( series[1][i][k] == series[0][i][k] && series[2][i][k] == series[0][i][k] ) );
					// twice the number is twice its term: the other terms keep their noise
					double up = series[2][i][k] - series[0][i][k], down = series[0][i][k] - series[1][i][k];
					assert_true( members[p] == all.markov_tau || fabs( up - down ) < 1e-18 );
				}
			}
			assert_true( moved > SAMPLES - 10 );
		}
	}
}

// White noise N sqrt(rate); the walk grows by K sqrt(t); a Gauss-Markov process has its own sigma and phi.
static void test_statistics( void **state )
{
	(void)state;
	ds_magnetometer_config c = ds_magnetometer_config_default();
	c.N[0] = 2e-9;
	c.markov_sigma[1] = 5e-9;
	c.markov_tau[1] = 1;
	c.K[2] = 1e-10;
	double white = 0, markov = 0, lagged = 0, walk = 0;
	const int seeds = 60;
	for ( int seed = 1; seed <= seeds; ++seed )
	{
		run( &c, (uint64_t)seed, series[0] );
		for ( int i = 0; i < SAMPLES; ++i )
		{
			double x = series[0][i][0] - p10_field.x, y = series[0][i][1] - p10_field.y;
			white += x * x;
			markov += y * y;
			lagged += i > 0 ? y * ( series[0][i - 1][1] - p10_field.y ) : 0;
		}
		double end = series[0][SAMPLES - 1][2] - p10_field.z;
		walk += end * end;
	}
	NEAR( sqrt( white / ( seeds * SAMPLES ) ), 2e-9 * sqrt( 10 ), 0.01 * 2e-9 * sqrt( 10 ) );
	NEAR( sqrt( markov / ( seeds * SAMPLES ) ), 5e-9, 0.05 * 5e-9 );
	NEAR( lagged / markov, exp( -0.1 ), 0.01 );
	double grown = 1e-10 * sqrt( 0.1 * ( SAMPLES - 1 ) );
	NEAR( sqrt( walk / seeds ) / grown, 1, 3 / sqrt( 2.0 * seeds ) );
}

static void test_limits( void **state )
{
	(void)state;
	ds_magnetometer_config c = ds_magnetometer_config_default();
	c.range = 1.6e-5;
	c.resolution = 1e-7;
	c.N[0] = c.N[1] = c.N[2] = 1e-9;
	c.scale[1] = 0.5;
	c.misalignment[2] = 0.1; // x sees 0.1 z
	ds_magnetometer r = measure( &c, ds_v3( 1e-5, 1e-6, 2e-5 ), rpy( 0, 0, 0 ) );
	assert_true( r.saturated && !r.valid && !r.heading_unreliable );
	NEAR( r.field[0], 1.2e-5, 1e-15 );
	NEAR( r.field[1], 1.5e-6, 1e-15 );
	NEAR( r.field[2], 1.6e-5, 1e-15 );
	NEAR( r.variance[0], 1e-18 * 10 + 1e-14 / 12, 1e-25 );
	c.range = 1.668e-5; // no multiple of the resolution: no reading lies beyond it
	r = measure( &c, ds_v3( 0, 0, -2e-5 ), rpy( 0, 0, 0 ) );
	NEAR( r.field[2], -1.66e-5, 1e-15 );
	r = measure( &c, ds_v3( -1e-6, 1.5e-6, 1e-5 ), rpy( 0, 0, 0 ) );
	assert_true( r.valid && r.heading_unreliable );
	// as printed, variances turn with the axes
	c.order = DS_MAGNETOMETER_PRINTED;
	c.resolution = 0;
	c.N[1] = 0;
	r = measure( &c, ds_v3( 1e-5, 1e-6, 1e-5 ), rpy( 0, 0, 90 ) );
	NEAR( r.variance[0], 0, 1e-30 );
	NEAR( r.variance[1], 1e-17, 1e-30 );
}

static void test_ranges( void **state )
{
	(void)state;
	kit_check_ranges( ds_magnetometer_config_table(), "" );
	ds_magnetometer_config parsed;
	FAILS( ds_table_parse( ds_magnetometer_config_table(), "{ \"hard_irom\": [0, 0, 0] }", &parsed ),
		DS_ERROR_UNKNOWN_KEY, "did you mean \"hard_iron\"" );
	OK( ds_table_parse( ds_magnetometer_config_table(), "{ \"N\": 2e-9 }", &parsed ) );
	assert_true( parsed.N[0] == 2e-9 && parsed.N[2] == 2e-9 );
	OK( ds_table_check( ds_magnetometer_config_table() ) );
	OK( ds_table_check( ds_magnetometer_table() ) );
	// the same from C
	ds_magnetometer_config c = ds_magnetometer_config_default();
	c.N[1] = NAN;
	FAILS( ds_magnetometer_check( &c ), DS_ERROR_NOT_FINITE, "N[1]: expected a number" );
	c.N[1] = 0;
	c.markov_tau[2] = 0;
	FAILS( ds_magnetometer_check( &c ), DS_ERROR_RANGE,
		"markov_tau[2]: expected a number in [1e-06, 1000000000] s, got 0" );
	c.markov_tau[2] = 1;
	c.order = 2;
	FAILS( ds_magnetometer_check( &c ), DS_ERROR_RANGE, "order" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_p10 ),
		cmocka_unit_test( test_attitudes ),
		cmocka_unit_test( test_iron ),
		cmocka_unit_test( test_dipole ),
		cmocka_unit_test( test_cable ),
		cmocka_unit_test( test_vehicle_dipoles ),
		cmocka_unit_test( test_channels ),
		cmocka_unit_test( test_statistics ),
		cmocka_unit_test( test_limits ),
		cmocka_unit_test( test_ranges ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

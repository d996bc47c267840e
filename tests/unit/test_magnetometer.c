// The magnetometer: case P10, every mount and attitude, iron, magnets and cables against formulas by hand, each parameter on its own
// channel, printed order, ranges, worlds, snapshots.

#include "sensors/magnetometer.h"
#include "world_kit.h"

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
	c.dipoles.count = 17;
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
	static const struct
	{
		const char *json, *text;
	} wrong[] = { { "{ \"N\": [-1, 0, 0] }", "[0, 1]" }, { "{ \"N\": [0, 2, 0] }", "[0, 1]" },
		{ "{ \"K\": [0, 0, 1.1] }", "[0, 1]" }, { "{ \"markov_sigma\": [0, 0, -1e-9] }", "[0, 1]" },
		{ "{ \"markov_tau\": [1, 0, 1] }", "[1e-06, 1000000000]" }, { "{ \"turn_on\": [2, 0, 0] }", "[0, 1]" },
		{ "{ \"hard_iron\": [0, -2, 0] }", "[-1, 1]" },
		{ "{ \"soft_iron\": [[1, 0, 0], [0, 11, 0], [0, 0, 1]] }", "[-10, 10]" },
		{ "{ \"scale\": [-1, 0, 0] }", "[-0.9, 10]" },
		{ "{ \"misalignment\": [[1, 0, 0], [0, 1, 0], [0, -11, 1]] }", "[-10, 10]" },
		{ "{ \"range\": 1.5 }", "[0, 1]" }, { "{ \"resolution\": -1e-9 }", "[0, 1]" },
		{ "{ \"order\": \"world\" }", "\"printed\"" },
		{ "{ \"hard_irom\": [0, 0, 0] }", "did you mean \"hard_iron\"" } };
	for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
	{
		ds_magnetometer_config c;
		ds_status status = ds_table_parse( ds_magnetometer_config_table(), wrong[i].json, &c );
		if ( status == DS_OK || strstr( ds_last_error(), wrong[i].text ) == NULL )
		{
			fail_msg( "%s: %s", wrong[i].json, status == DS_OK ? "taken" : ds_last_error() );
		}
	}
	OK( ds_table_check( ds_magnetometer_config_table() ) );
	OK( ds_table_check( ds_magnetometer_table() ) );
	// the same from C
	ds_magnetometer_config c = ds_magnetometer_config_default();
	c.N[1] = NAN;
	FAILS( ds_magnetometer_check( &c ), DS_ERROR_NOT_FINITE, "N is not finite" );
	c.N[1] = 0;
	c.markov_tau[2] = 0;
	FAILS( ds_magnetometer_check( &c ), DS_ERROR_RANGE, "expected markov_tau in [1e-06, 1e+09] s, got 0" );
	c.markov_tau[2] = 1;
	c.order = 2;
	FAILS( ds_magnetometer_check( &c ), DS_ERROR_RANGE, "order" );
}

// ---- in a world --------------------------------------------------------------------------------------------------

static ds_environment_def space( ds_vec3 field )
{
	ds_environment_def e = kit_vacuum( 0 );
	e.magnetic.earth = DS_EARTH_FIELD_UNIFORM;
	e.magnetic.field[0] = field.x;
	e.magnetic.field[1] = field.y;
	e.magnetic.field[2] = field.z;
	return e;
}

static ds_id add_sensor( ds_world *world, const char *name, ds_id body, ds_pose mount, const ds_magnetometer_config *c )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "magnetometer" );
	def.body = body;
	def.mount = mount;
	def.config = c;
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	return id;
}

static ds_magnetometer latest( const ds_world *world, ds_id sensor )
{
	ds_sample_header header;
	ds_magnetometer reading;
	OK( ds_sensor_latest( world, sensor, &header, &reading, sizeof( reading ) ) );
	return reading;
}

// All 24 mounts along the axes on a tilted body that turns.
static void test_mounts( void **state )
{
	(void)state;
	ds_environment_def e = space( p10_field );
	ds_world *world = kit_world( 100, &e );
	ds_body_def def = kit_point( "body", 1, 1, 1, 1 );
	def.pose.attitude = rpy( 30, 20, 120 );
	ds_id body, sensors[24];
	OK( ds_body_create( world, &def, &body ) );
	ds_quat mounts[24];
	int count = 0;
	for ( int roll = 0; roll < 4; ++roll )
	{
		for ( int pitch = -1; pitch < 2; ++pitch )
		{
			for ( int yaw = 0; yaw < 4; ++yaw )
			{
				if ( pitch == 0 || roll == 0 ) // at a pitch of +-90 degrees roll and yaw are one
				{
					mounts[count++] = rpy( 90 * roll, 90 * pitch, 90 * yaw );
				}
			}
		}
	}
	assert_int_equal( count, 24 );
	for ( int i = 0; i < 24; ++i )
	{
		char name[8];
		snprintf( name, sizeof( name ), "m%d", i );
		sensors[i] = add_sensor( world, name, body, ( ds_pose ){ { 0.1 * i, 0, 1 }, mounts[i] }, NULL );
	}
	OK( ds_world_step( world, 1 ) );
	for ( int i = 0; i < 24; ++i )
	{
		ds_vec3 b = ds_rotate( mounts[i], vec( latest( world, sensors[i] ).field ) );
		NEAR3( b, ds_unrotate( rpy( 30, 20, 120 ), p10_field ), 1e-12 * ds_length( p10_field ) );
		for ( int k = 0; k < i; ++k )
		{
			assert_true( ds_length( ds_sub( vec( latest( world, sensors[i] ).field ),
							 vec( latest( world, sensors[k] ).field ) ) ) > 1e-6 );
		}
	}
	ds_world_destroy( world );
}

// The field is that of the mount's place: along a track past a magnet and over a cable, and by latitude and date.
static void test_track( void **state )
{
	(void)state;
	ds_magnetic_dipole dipole = { { 50, 5, 10 }, { 0, 0, 2000 }, 0.5 };
	ds_magnetic_cable cable = { { 80, -1000, 20 }, { 80, 1000, 20 }, 300, 0, 0, 0.1, true };
	ds_environment_def e = space( p10_field );
	e.magnetic.dipoles = ( ds_array ){ &dipole, 1 };
	e.magnetic.cables = ( ds_array ){ &cable, 1 };
	ds_world *world = kit_world( 10, &e );
	ds_body_def def = kit_point( "body", 1, 1, 1, 1 );
	def.velocity.linear = ds_v3( 2, 0, 0 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_id sensor = add_sensor( world, "m", body, ( ds_pose ){ { 1, 0.5, 0 }, { 1, 0, 0, 0 } }, NULL );
	dipole.moment[2] = cable.current = 0; // the world has copies
	for ( int i = 0; i < 500; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		ds_vec3 at = ds_v3( 1 + 0.2 * ( i + 1 ), 0.5, 0 );
		ds_vec3 r = ds_sub( at, ds_v3( 50, 5, 10 ) );
		double d = ds_length( r );
		ds_vec3 magnet =
			ds_scale( 1e-7 * 2000 / ( d * d * d ), ds_sub( ds_scale( 3 * r.z / ( d * d ), r ), ds_v3( 0, 0, 1 ) ) );
		double n = at.x - 80, z = -20, square = n * n + z * z; // east x (n, 0, z) = (z, 0, -n)
		ds_vec3 line = ds_scale( 2e-7 * 300 / square, ds_v3( z, 0, -n ) );
		ds_vec3 right = ds_add( p10_field, ds_add( magnet, line ) ), field;
		NEAR3( vec( latest( world, sensor ).field ), right, 1e-15 );
		OK( ds_magnetic_field_at( world, at, &field ) );
		NEAR3( field, right, 1e-15 );
		OK( ds_earth_field_at( world, at, &field ) );
		NEAR3( field, p10_field, 0 );
	}
	ds_world_destroy( world );
}

static void test_earth( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.latitude = 45 * DEGREE;
	e.longitude = -30 * DEGREE;
	snprintf( e.date, sizeof( e.date ), "2026-07-02T12:00:00Z" );
	for ( int igrf = 0; igrf < 2; ++igrf )
	{
		e.magnetic.earth = igrf ? DS_EARTH_FIELD_IGRF14 : DS_EARTH_FIELD_WMM2025;
		ds_world *world = kit_world( 1, &e ), *clone;
		OK( ds_world_clone( world, &clone ) );
		ds_vec3 place = ds_v3( 30000, -20000, 3000 ), field, same;
		ds_geodetic g;
		OK( ds_geodetic_at( world, place, &g ) );
		ds_geomagnetic right;
		const ds_geomagnetic_model *model = igrf ? ds_geomagnetic_igrf14() : ds_geomagnetic_wmm2025();
		OK( ds_geomagnetic_at( model, g.latitude, g.longitude, -3000, 2026.5, &right ) );
		OK( ds_magnetic_field_at( world, place, &field ) );
		NEAR3( field, right.field, 1e-18 );
		OK( ds_world_step( clone, 86400 ) ); // a day on
		ds_world_destroy( world );
		OK( ds_magnetic_field_at( clone, place, &same ) );
		NEAR3( ds_sub( same, field ), ds_scale( 1 / 365.0, right.field_rate ), 1e-16 );
		assert_true( ds_length( ds_sub( same, field ) ) > 1e-11 );
		FAILS( ds_magnetic_field_at( clone, ds_v3( 0, NAN, 0 ), &field ), DS_ERROR_NOT_FINITE, "not finite" );
		ds_world_destroy( clone );
	}
	// at a pole the origin stands for the place
	e.magnetic.earth = DS_EARTH_FIELD_WMM2025;
	e.latitude = 0.5 * DS_PI;
	ds_world *pole = kit_world( 1, &e );
	ds_vec3 field;
	OK( ds_magnetic_field_at( pole, ds_v3( 100, 100, 0 ), &field ) );
	assert_true( ds_finite( field ) && ds_length( field ) > 5e-5 );
	ds_world_destroy( pole );
}

// The default: every world has a field, of a strength that the Earth has.
static void test_default( void **state )
{
	(void)state;
	ds_world *world = kit_world( 10, NULL );
	ds_body_def def = kit_point( "body", 1, 1, 1, 1 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_id sensor = add_sensor( world, "m", body, ds_pose_identity(), NULL );
	OK( ds_world_step( world, 1 ) );
	double f = ds_length( vec( latest( world, sensor ).field ) );
	assert_true( f > 2.2e-5 && f < 6.7e-5 );
	ds_world_destroy( world );
}

static int warnings;
static char warning[512];

static void count_warnings( void *user, ds_log_level level, const char *message )
{
	(void)user;
	warnings += level == DS_LOG_WARNING;
	snprintf( warning, sizeof( warning ), "%s", message );
}

// Dates and zones are warned of once, when something asks; a world without a field says so.
static void test_warnings( void **state )
{
	(void)state;
	ds_world_def def = ds_world_def_default();
	ds_environment_def e = ds_environment_def_default();
	def.environment = &e;
	def.hooks.log = count_warnings;
	e.latitude = 86 * DEGREE;
	e.longitude = 140 * DEGREE; // near the magnetic pole
	snprintf( e.date, sizeof( e.date ), "2031-01-01T00:00:00Z" );
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	assert_int_equal( warnings, 0 );
	ds_body_def point = kit_point( "body", 1, 1, 1, 1 );
	ds_id body;
	OK( ds_body_create( world, &point, &body ) );
	ds_id sensor = add_sensor( world, "a", body, ds_pose_identity(), NULL );
	add_sensor( world, "b", body, ds_pose_identity(), NULL );
	assert_int_equal( warnings, 1 );
	assert_non_null( strstr( warning, "2025 to 2030" ) );
	assert_non_null( strstr( warning, "blackout zone" ) );
	OK( ds_world_step( world, 100 ) );
	OK( ds_world_reset( world, 2 ) );
	OK( ds_world_step( world, 10 ) );
	assert_int_equal( warnings, 1 );
	assert_true( latest( world, sensor ).heading_unreliable );
	ds_world_destroy( world );

	e.magnetic.earth = DS_EARTH_FIELD_ABSENT;
	world = kit_world( 10, &e );
	OK( ds_body_create( world, &point, &body ) );
	ds_sensor_def missing = ds_sensor_def_default();
	snprintf( missing.name, sizeof( missing.name ), "m" );
	snprintf( missing.type, sizeof( missing.type ), "magnetometer" );
	missing.body = body;
	FAILS( ds_sensor_create( world, &missing, &sensor ), DS_ERROR_UNSUPPORTED, "environment.magnetic is null" );
	ds_world_destroy( world );
}

static void test_environment_errors( void **state )
{
	(void)state;
	ds_world_def def = ds_world_def_default();
	ds_world *world;
	ds_magnetic_dipole dipole = { { 0, 0, 0 }, { 0, 0, 1 }, 0 };
	ds_magnetic_cable cable = { { 1, 1, 1 }, { 1, 1, 1 }, 1, 0, 0, 0.1, false };
	ds_environment_def e = ds_environment_def_default();
	def.environment = &e;
	e.magnetic.earth = 9;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "unknown kind" );
	e.magnetic.earth = DS_EARTH_FIELD_UNIFORM;
	e.magnetic.field[1] = NAN;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "at most 1 T" );
	e.magnetic.field[1] = 0;
	e.magnetic.dipoles = ( ds_array ){ &dipole, 1 };
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE,
		"magnetic: dipoles[0]: dipole: expected radius in [0.001, 10000] m" );
	dipole.radius = 0.1;
	dipole.moment[0] = INFINITY;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_NOT_FINITE, "moment is not finite" );
	e.magnetic.dipoles.data = NULL;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_ARGUMENT, "must have data" );
	e.magnetic.dipoles.count = 0;
	e.magnetic.cables = ( ds_array ){ &cable, 1 };
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "cables[0]: \"from\" and \"to\" must be two points" );
}

static void test_snapshot( void **state )
{
	(void)state;
	ds_environment_def e = space( p10_field );
	ds_magnetometer_config c = ds_magnetometer_config_default();
	for ( int i = 0; i < 3; ++i )
	{
		c.N[i] = 1e-9;
		c.K[i] = 1e-10;
		c.markov_sigma[i] = 1e-8;
		c.turn_on[i] = 1e-8;
	}
	ds_world *world = kit_world( 50, &e );
	ds_body_def def = kit_point( "body", 1, 1, 2, 3 );
	def.velocity.angular = ds_v3( 0.3, 0.2, -0.5 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_id sensor = add_sensor( world, "m", body, ds_pose_identity(), &c );
	OK( ds_world_step( world, 100 ) );
	size_t size = ds_world_save_size( world );
	void *bytes = malloc( size );
	OK( ds_world_save( world, bytes, size ) );
	OK( ds_world_step( world, 100 ) );
	ds_magnetometer first = latest( world, sensor );
	OK( ds_world_restore( world, bytes, size ) );
	OK( ds_world_step( world, 100 ) );
	ds_magnetometer again = latest( world, sensor );
	assert_memory_equal( &first, &again, sizeof( first ) );
	free( bytes );
	ds_world_destroy( world );
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
		cmocka_unit_test( test_mounts ),
		cmocka_unit_test( test_track ),
		cmocka_unit_test( test_earth ),
		cmocka_unit_test( test_default ),
		cmocka_unit_test( test_warnings ),
		cmocka_unit_test( test_environment_errors ),
		cmocka_unit_test( test_snapshot ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The sensor "imu" in a world: what it reads at rest, in flight, on a lever arm, on the turning Earth, at rates of all kinds; what
// survives snapshots; what it has no influence on.

#include "../unit/world_kit.h"

#include <math.h>

#define G      9.81
#define OMEGA  7.292115e-5 // rad/s (WGS-84, NIMA TR8350.2)
#define DEGREE ( DS_PI / 180 )

static ds_id add_imu(
	ds_world *world, ds_id body, const char *name, ds_pose mount, double rate, const ds_imu_config *c )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "imu" );
	def.body = body;
	def.mount = mount;
	def.rate = rate;
	def.config = c;
	def.queue = 4096;
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	return id;
}

static ds_imu latest( const ds_world *world, ds_id id )
{
	ds_imu r;
	OK( ds_sensor_latest( world, id, NULL, &r, sizeof( r ) ) );
	return r;
}

static ds_vec3 get( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

static ds_pose turned( double roll, double pitch, double yaw )
{
	ds_pose p = { { 0, 0, 0 }, ds_quat_from_rpy( ds_v3( roll, pitch, yaw ) ) };
	return p;
}

// All random terms, a low-pass and steps.
static ds_imu_config noisy( void )
{
	ds_imu_config c = ds_imu_config_default();
	ds_inertial_config *triads[] = { &c.gyro, &c.accel };
	for ( int t = 0; t < 2; ++t )
	{
		for ( int i = 0; i < 3; ++i )
		{
			triads[t]->N[i] = triads[t]->B[i] = triads[t]->K[i] = 1e-3;
			triads[t]->markov_sigma[i] = triads[t]->turn_on[i] = 1e-3;
		}
		triads[t]->bandwidth = 20;
		triads[t]->resolution = 1e-6;
	}
	c.output = DS_IMU_INCREMENTS;
	c.self_heating = 5;
	c.stamp_jitter = 1e-4;
	return c;
}

// ---- rest and flight (reference case P07) ------------------------------------------------------------------------

static void test_rest_and_free_fall( void **state )
{
	(void)state;
	ds_world *world = kit_world( 100, NULL );
	ds_body_def def = kit_point( "level", 10, 1, 1, 1 );
	def.fixed = true;
	ds_id level, tilted, sensors[3];
	OK( ds_body_create( world, &def, &level ) );
	snprintf( def.name, sizeof( def.name ), "tilted" );
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 10 * DEGREE, 20 * DEGREE, 30 * DEGREE ) );
	OK( ds_body_create( world, &def, &tilted ) );
	sensors[0] = add_imu( world, level, "frd", ds_pose_identity(), 50, NULL );
	sensors[1] = add_imu( world, level, "flu", turned( DS_PI, 0, 0 ), 50, NULL );
	sensors[2] = add_imu( world, tilted, "oblique", ds_pose_identity(), 50, NULL );
	OK( ds_world_step( world, 100 ) );
	const ds_vec3 expected[3] = { { 0, 0, -G }, { 0, 0, G }, { 3.3552, -1.6008, -9.0783 } };
	for ( int i = 0; i < 3; ++i )
	{
		ds_imu r = latest( world, sensors[i] );
		NEAR3( get( r.linear_acceleration ), expected[i], 1e-4 );
		NEAR3( get( r.angular_velocity ), ds_v3( 0, 0, 0 ), 1e-15 );
		assert_true( r.valid && !r.saturated );
	}
	ds_world_destroy( world );

	ds_environment_def vacuum = kit_vacuum( G );
	world = kit_world( 100, &vacuum );
	def = kit_point( "stone", 10, 2, 3, 4 );
	def.velocity.linear = ds_v3( 3, 2, -30 );
	ds_id stone;
	OK( ds_body_create( world, &def, &stone ) );
	ds_id falling = add_imu( world, stone, "imu", turned( 1, 2, 3 ), 20, NULL );
	OK( ds_world_step( world, 500 ) );
	NEAR3( get( latest( world, falling ).linear_acceleration ), ds_v3( 0, 0, 0 ), 1e-9 );
	ds_world_destroy( world );
}

// The first sample is of an instant: gravity and the Earth's turn are there, increments are not.
static void test_first_sample_and_earth_rate( void **state )
{
	(void)state;
	for ( int on = 0; on < 2; ++on )
	{
		ds_environment_def e = ds_environment_def_default();
		e.earth_rotation = on;
		e.latitude = 50 * DEGREE;
		ds_world *world = kit_world( 200, &e );
		ds_body_def def = kit_point( "rig", 10, 1, 1, 1 );
		def.fixed = true;
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, -0.8, 2.1 ) );
		ds_id body;
		OK( ds_body_create( world, &def, &body ) );
		ds_id imu = add_imu( world, body, "imu", ds_pose_identity(), 100, NULL );
		OK( ds_world_step( world, 1 ) );
		OK( ds_world_step( world, 99 ) );
		ds_vec3 axis = ds_v3( OMEGA * cos( e.latitude ), 0, -OMEGA * sin( e.latitude ) );
		ds_vec3 turn = on ? ds_unrotate( def.pose.attitude, axis ) : ds_v3( 0, 0, 0 );
		ds_vec3 up = ds_unrotate( def.pose.attitude, ds_v3( 0, 0, -G ) );
		int count = 0;
		ds_imu r;
		while ( ds_sensor_next( world, imu, NULL, &r, sizeof( r ) ) == DS_OK )
		{
			NEAR( r.interval, count == 0 ? 0 : 0.01, 1e-12 );
			NEAR3( get( r.angular_velocity ), turn, 1e-13 );
			NEAR3( get( r.linear_acceleration ), up, 1e-9 );
			NEAR3( get( r.delta_angle ), ds_scale( r.interval, turn ), 1e-15 );
			++count;
		}
		assert_true( count == 50 || count == 51 );
		ds_world_destroy( world );
	}
}

// ---- mounts ------------------------------------------------------------------------------------------------------

// A top that spins about a principal axis: a lever arm feels w x (w x r) alone. In the 24 mounts along axes, and oblique ones.
static void test_mounts_on_a_spinning_body( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_world( 100, &e );
	ds_body_def def = kit_point( "top", 10, 2, 2.5, 4 );
	ds_vec3 w = ds_v3( 0, 0, 3 ), arm = ds_v3( 0.3, -0.2, 0.1 );
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.4, -0.7, 2 ) );
	def.velocity.angular = ds_rotate( def.pose.attitude, w );
	ds_id body, sensors[84];
	OK( ds_body_create( world, &def, &body ) );
	ds_vec3 rpy[84];
	for ( int i = 0; i < 84; ++i )
	{
		// quarter turns: 64 of them are all 24 mounts along axes, some of them more than once
		rpy[i] = i < 64 ? ds_scale( 0.5 * DS_PI, ds_v3( i % 4, i / 4 % 4, i / 16 ) )
						: ds_v3( sin( 3 * i ), sin( 5 * i + 1 ), 3 * sin( 7 * i ) );
		char name[16];
		snprintf( name, sizeof( name ), "s%d", i );
		ds_pose mount = { arm, ds_quat_from_rpy( rpy[i] ) };
		sensors[i] = add_imu( world, body, name, mount, 50, NULL );
	}
	OK( ds_world_step( world, 50 ) );
	ds_vec3 felt = ds_cross( w, ds_cross( w, arm ) );
	for ( int i = 0; i < 84; ++i )
	{
		double cr = cos( rpy[i].x ), sr = sin( rpy[i].x ), cp = cos( rpy[i].y ), sp = sin( rpy[i].y );
		double cy = cos( rpy[i].z ), sy = sin( rpy[i].z );
		// R = Rz Ry Rx by its elements
		const ds_mat3 m = { { { cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr },
			{ sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr }, { -sp, cp * sr, cp * cr } } };
		ds_imu r = latest( world, sensors[i] );
		NEAR3( get( r.angular_velocity ), ds_mat3_tmul_vec( &m, w ), 1e-9 );
		NEAR3( get( r.linear_acceleration ), ds_mat3_tmul_vec( &m, felt ), 1e-8 );
		NEAR3( get( r.delta_angle ), ds_scale( 0.02, ds_mat3_tmul_vec( &m, w ) ), 1e-10 );
	}
	ds_world_destroy( world );
}

// A torque about an axis: a lever arm feels alpha x r + w x (w x r), as a mean over each interval.
static void test_tangential_acceleration( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_world( 1000, &e );
	ds_body_def def = kit_point( "arm", 10, 2, 2.5, 4 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_vec3 place = ds_v3( 0.8, 0, 0 );
	ds_id imu = add_imu( world, body, "imu", ( ds_pose ){ place, { 1, 0, 0, 0 } }, 100, NULL );
	double alpha = 6.0 / 4;
	for ( int i = 0; i < 500; ++i )
	{
		OK( ds_body_apply_wrench_body( world, body, ( ds_wrench ){ { 0, 0, 0 }, { 0, 0, 6 } }, ds_v3( 0, 0, 0 ) ) );
		OK( ds_world_step( world, 1 ) );
	}
	// over [0.49, 0.5] s: the means of alpha r and of (alpha t)^2 r
	ds_imu r = latest( world, imu );
	double t = 0.5, t0 = 0.49;
	NEAR( r.angular_velocity[2], alpha * 0.495, 1e-6 );
	NEAR( r.linear_acceleration[1], alpha * 0.8, 1e-4 );
	NEAR( r.linear_acceleration[0], -0.8 * alpha * alpha * ( t * t * t - t0 * t0 * t0 ) / 3 / 0.01, 1e-4 );
	ds_world_destroy( world );
}

// ---- rates -------------------------------------------------------------------------------------------------------

// Sensors of many rates in a tumbling body: their rotations, put together, are all the same rotation, at 30 Hz too, whose intervals
// change in a world of 200 Hz. A rate above the world's is refused.
static void test_rates( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_world( 200, &e );
	ds_body_def def = kit_point( "tumbler", 10, 2, 2.5, 4 );
	def.velocity.angular = ds_v3( 1, 2, -1.5 );
	ds_id body, sensors[5];
	OK( ds_body_create( world, &def, &body ) );
	const double rates[] = { 200, 100, 30, 7, 1 };
	for ( int i = 0; i < 5; ++i )
	{
		char name[16];
		snprintf( name, sizeof( name ), "s%d", i );
		sensors[i] = add_imu( world, body, name, ds_pose_identity(), rates[i], NULL );
	}
	OK( ds_world_step( world, 400 ) ); // samples at 0 and 2 s for all
	ds_quat whole = kit_motion( world, body ).pose.attitude;
	for ( int i = 0; i < 5; ++i )
	{
		ds_quat q = def.pose.attitude;
		double time = 0, shortest = 1e9, longest = 0;
		ds_imu r;
		while ( ds_sensor_next( world, sensors[i], NULL, &r, sizeof( r ) ) == DS_OK )
		{
			NEAR3( ds_scale( r.interval, get( r.angular_velocity ) ), get( r.delta_angle ), 1e-15 );
			q = ds_quat_mul( q, ds_quat_exp( get( r.delta_angle ) ) );
			time += r.interval;
			NEAR( r.stamp, time, 1e-9 );
			shortest = r.interval > 0 ? fmin( shortest, r.interval ) : shortest;
			longest = fmax( longest, r.interval );
		}
		NEAR( time, 2, 1e-9 );
		NEAR3( ds_quat_log( ds_quat_mul( ds_quat_conjugate( q ), whole ) ), ds_v3( 0, 0, 0 ), 1e-9 );
		assert_true( ( longest - shortest > 1e-6 ) == ( rates[i] == 30 || rates[i] == 7 ) );
	}
	ds_sensor_def fast = ds_sensor_def_default();
	snprintf( fast.name, sizeof( fast.name ), "fast" );
	snprintf( fast.type, sizeof( fast.type ), "imu" );
	fast.body = body;
	fast.rate = 400;
	ds_id id;
	FAILS( ds_sensor_create( world, &fast, &id ), DS_ERROR_RANGE, "rate" );
	ds_world_destroy( world );
}

// White noise follows the interval that a sample has, regular or not: 30 Hz in a world of 200 Hz.
static void test_noise_of_irregular_intervals( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.gyro.N[0] = 1e-3;
	ds_world *world = kit_world( 200, NULL );
	ds_body_def def = kit_point( "rig", 10, 1, 1, 1 );
	def.fixed = true;
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	ds_id imu = add_imu( world, body, "imu", ds_pose_identity(), 30, &c );
	double squares[2] = { 0 };
	int counts[2] = { 0 };
	for ( int k = 0; k < 200; ++k )
	{
		OK( ds_world_step( world, 1000 ) );
		ds_imu r;
		while ( ds_sensor_next( world, imu, NULL, &r, sizeof( r ) ) == DS_OK )
		{
			int longer = r.interval > 0.0325;
			if ( r.interval > 0 )
			{
				NEAR( r.angular_velocity_variance[0], 1e-6 / r.interval, 1e-12 );
				squares[longer] += r.angular_velocity[0] * r.angular_velocity[0] * r.interval / 1e-6;
				counts[longer]++;
			}
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		assert_true( counts[i] > 5000 );
		NEAR( squares[i] / counts[i], 1, 4 * sqrt( 2.0 / counts[i] ) );
	}
	ds_world_destroy( world );
}

// ---- snapshots and neighbours ------------------------------------------------------------------------------------

static ds_world *noisy_world( bool neighbour, double other, ds_id *imu )
{
	ds_imu_config c = noisy();
	ds_world *world = kit_world( 200, NULL );
	ds_body_def def = kit_point( "rig", 10, 1, 2, 3 );
	def.velocity.angular = ds_v3( 0.1, 0.2, 0.3 );
	ds_id body;
	OK( ds_body_create( world, &def, &body ) );
	*imu = add_imu( world, body, "imu", ds_pose_identity(), 30, &c );
	if ( neighbour )
	{
		c.gyro.N[1] = other;
		add_imu( world, body, "second", turned( 1, 0, 0 ), 100, &c );
	}
	return world;
}

static void assert_same_readings( ds_world *a, ds_id in_a, ds_world *b, ds_id in_b, int least )
{
	ds_imu x, y;
	int count = 0;
	while ( ds_sensor_next( a, in_a, NULL, &x, sizeof( x ) ) == DS_OK )
	{
		OK( ds_sensor_next( b, in_b, NULL, &y, sizeof( y ) ) );
		assert_memory_equal( &x, &y, sizeof( x ) );
		++count;
	}
	FAILS( ds_sensor_next( b, in_b, NULL, &y, sizeof( y ) ), DS_ERROR_EMPTY, "imu" );
	assert_true( count >= least );
}

static void test_snapshots( void **state )
{
	(void)state;
	ds_id imu, second;
	ds_world *world = noisy_world( false, 0, &imu ), *other = noisy_world( false, 0, &second ), *clone;
	OK( ds_world_step( world, 333 ) );
	size_t size = ds_world_save_size( world );
	void *bytes = malloc( size );
	OK( ds_world_save( world, bytes, size ) );
	OK( ds_world_clone( world, &clone ) );
	OK( ds_world_step( other, 77 ) );
	OK( ds_world_restore( other, bytes, size ) );
	ds_world *worlds[] = { world, clone, other };
	for ( int i = 0; i < 3; ++i )
	{
		OK( ds_world_step( worlds[i], 1000 ) );
	}
	ds_world *again = noisy_world( false, 0, &second );
	OK( ds_world_step( again, 1333 ) );
	// what was saved went on as what was never stopped
	ds_imu r[4];
	for ( int i = 0; i < 3; ++i )
	{
		r[i] = latest( worlds[i], imu );
		assert_memory_equal( &r[i], &r[0], sizeof( r[0] ) );
	}
	r[3] = latest( again, second );
	assert_memory_equal( &r[3], &r[0], sizeof( r[0] ) );
	assert_same_readings( world, imu, again, second, 190 );
	OK( ds_world_reset( world, 0 ) );
	OK( ds_world_reset( again, 1 ) );
	OK( ds_world_step( world, 100 ) );
	OK( ds_world_step( again, 100 ) );
	r[0] = latest( world, imu );
	r[1] = latest( again, second );
	for ( int i = 0; i < 3; ++i )
	{
		assert_true( r[0].angular_velocity[i] != r[1].angular_velocity[i] ); // another seed
	}
	free( bytes );
	ds_world_destroy( world );
	ds_world_destroy( other );
	ds_world_destroy( clone );
	ds_world_destroy( again );
}

static void test_neighbours_change_nothing( void **state )
{
	(void)state;
	ds_id alone, beside, changed;
	ds_world *a = noisy_world( false, 0, &alone ), *b = noisy_world( true, 1, &beside ),
			 *c = noisy_world( true, 2, &changed );
	OK( ds_world_step( a, 500 ) );
	OK( ds_world_step( b, 500 ) );
	OK( ds_world_step( c, 500 ) );
	assert_same_readings( a, alone, b, beside, 70 );
	OK( ds_world_reset( a, 7 ) );
	OK( ds_world_reset( c, 7 ) );
	OK( ds_world_step( a, 500 ) );
	OK( ds_world_step( c, 500 ) );
	assert_same_readings( a, alone, c, changed, 70 );
	ds_world_destroy( a );
	ds_world_destroy( b );
	ds_world_destroy( c );
}

// ---- vibration ---------------------------------------------------------------------------------------------------

// Lines follow a thruster: n = 4 sqrt( T ) rev/s; at 25 N 20 rev/s, three blades shake with 60 Hz and four times the amplitude.
static void test_vibration_of_a_thruster( void **state )
{
	(void)state;
	static const char text[] =
		"{ \"deepsim\": 1, \"name\": \"shaker\", \"duration\": 10, \"rate\": 400,"
		"  \"bodies\": [ { \"name\": \"b\", \"mass\": 1000, \"inertia\": [100, 100, 100], \"fixed\": true,"
		"    \"collision\": \"none\" } ],"
		"  \"actuators\": [ { \"name\": \"t\", \"type\": \"thruster\", \"body\": \"b\","
		"    \"config\": { \"forward\": 100, \"command\": \"force\" } } ],"
		"  \"sensors\": [ { \"name\": \"imu\", \"type\": \"imu\", \"body\": \"b\", \"inputs\": { \"vibration\": \"t\" "
		"},"
		"    \"config\": { \"propeller_speed\": 4, \"vibration\": [ { \"order\": 3, \"acceleration\": [0.5, 0, 0] } ] "
		"} } ],"
		"  \"commands\": [ { \"t\": 0, \"actuator\": \"t\", \"value\": 25 } ] }";
	ds_scenario *scenario;
	OK( ds_scenario_parse( text, "shaker", NULL, NULL, 0, NULL, &scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_scenario_release( scenario );
	ds_id imu;
	OK( ds_world_find( world, DS_SENSOR, "imu", &imu ) );
	OK( ds_world_step( world, 400 ) ); // the thruster reports 10 times a second
	double in = 0, out = 0, total = 0;
	for ( int i = 0; i < 400; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		double x = latest( world, imu ).linear_acceleration[0], angle = 2 * DS_PI * 60 * i / 400.0;
		in += x * sin( angle ) / 200;
		out += x * cos( angle ) / 200;
		total += x * x / 400;
	}
	double sinc = sin( DS_PI * 60 / 400 ) / ( DS_PI * 60 / 400 );
	NEAR( hypot( in, out ), 2 * sinc, 1e-6 );
	NEAR( total, 0.5 * pow( 2 * sinc, 2 ), 1e-6 ); // and nothing else
	ds_world_destroy( world );
}

// Latency and the device's own stamp: the header says when it was, the stamp what the device takes it for.
static void test_stamp_and_latency( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.stamp_jitter = 1e-3;
	ds_world *world = kit_world( 100, NULL );
	ds_body_def def = kit_point( "rig", 10, 1, 1, 1 );
	def.fixed = true;
	ds_id body, imu;
	OK( ds_body_create( world, &def, &body ) );
	ds_sensor_def sensor = ds_sensor_def_default();
	snprintf( sensor.name, sizeof( sensor.name ), "imu" );
	snprintf( sensor.type, sizeof( sensor.type ), "imu" );
	sensor.body = body;
	sensor.config = &c;
	sensor.latency = 0.03;
	sensor.queue = 2000;
	OK( ds_sensor_create( world, &sensor, &imu ) );
	OK( ds_world_step( world, 1000 ) );
	double squares = 0;
	int count = 0;
	ds_sample_header header;
	ds_imu r;
	while ( ds_sensor_next( world, imu, &header, &r, sizeof( r ) ) == DS_OK )
	{
		assert_int_equal( header.available - header.time, 30000000 );
		squares += count > 0 ? pow( r.stamp - 1e-9 * (double)header.time, 2 ) : 0;
		++count;
	}
	assert_in_range( count, 997, 998 );
	NEAR( sqrt( squares / count ), 1e-3, 1e-3 * 4 / sqrt( 2.0 * count ) );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_rest_and_free_fall ),
		cmocka_unit_test( test_first_sample_and_earth_rate ),
		cmocka_unit_test( test_mounts_on_a_spinning_body ),
		cmocka_unit_test( test_tangential_acceleration ),
		cmocka_unit_test( test_rates ),
		cmocka_unit_test( test_noise_of_irregular_intervals ),
		cmocka_unit_test( test_snapshots ),
		cmocka_unit_test( test_neighbours_change_nothing ),
		cmocka_unit_test( test_vibration_of_a_thruster ),
		cmocka_unit_test( test_stamp_and_latency ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

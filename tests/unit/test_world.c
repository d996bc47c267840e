// Worlds: ids, names, definitions, snapshots, resets, clones, time, readings, failures.

#include "world_kit.h"

// ---- ids and names -----------------------------------------------------------------------------------------------

static void test_ids_of_destroyed_parts_are_stale( void **state )
{
	(void)state;
	ds_world *world = kit_world( 100, NULL );
	ds_body_def def = kit_point( "a", 1, 1, 1, 1 );
	ds_id a, b, motionless = DS_NO_ID;
	OK( ds_body_create( world, &def, &a ) );
	OK( ds_body_destroy( world, a ) );
	ds_body_motion motion;
	FAILS( ds_body_motion_get( world, a, &motion ), DS_ERROR_STALE, "does not exist" );
	OK( ds_body_create( world, &def, &b ) ); // takes the place of the first
	assert_true( a != b );
	FAILS( ds_body_motion_get( world, a, &motion ), DS_ERROR_STALE, "does not exist" );
	FAILS( ds_body_motion_get( world, motionless, &motion ), DS_ERROR_STALE, "no id" );
	FAILS( ds_sensor_latest( world, b, NULL, &motion, sizeof( motion ) ), DS_ERROR_TYPE, "sensor" );
	assert_null( ds_world_name( world, a ) );
	assert_string_equal( ds_world_name( world, b ), "a" );
	ds_world_destroy( world );
}

static void test_names_are_checked_and_unique( void **state )
{
	(void)state;
	ds_world *world = kit_world( 100, NULL );
	const char *bad[] = { "", "1a", "a b", "a/", "/a", "a//b", "a/1", "\xc3\xa9" };
	ds_id id;
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
	{
		ds_body_def def = kit_point( bad[i], 1, 1, 1, 1 );
		FAILS( ds_body_create( world, &def, &id ), DS_ERROR_ARGUMENT, "a name starts with a letter" );
		assert_int_equal( id, DS_NO_ID );
	}
	ds_body_def def = kit_point( "fleet/auv_1", 1, 1, 1, 1 );
	OK( ds_body_create( world, &def, &id ) );
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_DUPLICATE, "fleet/auv_1" );
	FAILS( ds_world_find( world, DS_BODY, "fleet/auv_2", &id ), DS_ERROR_NOT_FOUND, "did you mean \"fleet/auv_1\"" );
	OK( ds_world_find( world, DS_BODY, "fleet/auv_1", &id ) );
	assert_int_equal( ds_world_at( world, DS_BODY, 0 ), id );
	ds_world_destroy( world );
}

// Logs, inputs and random streams know parts by name alone.
static void test_parts_of_all_kinds_share_their_names( void **state )
{
	(void)state;
	ds_world *world = kit_world( 100, NULL );
	ds_body_def body = kit_point( "x", 1, 1, 1, 1 );
	ds_id a, id;
	OK( ds_body_create( world, &body, &a ) );
	ds_sensor_def sensor = ds_sensor_def_default();
	snprintf( sensor.name, sizeof( sensor.name ), "x" ); // a body may have the name of its sensor
	snprintf( sensor.type, sizeof( sensor.type ), "pressure" );
	sensor.body = a;
	OK( ds_sensor_create( world, &sensor, &id ) );
	ds_actuator_def actuator = ds_actuator_def_default();
	snprintf( actuator.name, sizeof( actuator.name ), "x" );
	snprintf( actuator.type, sizeof( actuator.type ), "thruster" );
	actuator.body = a;
	FAILS( ds_actuator_create( world, &actuator, &id ), DS_ERROR_DUPLICATE, "there is a sensor of this name already" );
	ds_world_destroy( world );
}

static void test_definitions_must_come_from_their_defaults( void **state )
{
	(void)state;
	ds_world *world = kit_world( 100, NULL );
	ds_body_def body;
	memset( &body, 0, sizeof( body ) );
	ds_id id;
	FAILS( ds_body_create( world, &body, &id ), DS_ERROR_ARGUMENT, "ds_body_def_default" );
	ds_world_def def;
	memset( &def, 0, sizeof( def ) );
	ds_world *none;
	FAILS( ds_world_create( &def, &none ), DS_ERROR_ARGUMENT, "ds_world_def_default" );
	ds_world_destroy( world );
}

static void test_bad_bodies_are_refused_by_field( void **state )
{
	(void)state;
	ds_world *world = kit_world( 100, NULL );
	ds_body_def good = kit_point( "a", 1, 1, 1, 1 ), def = good;
	ds_id id;
	def.mass = 0;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "mass must be positive" );
	def = good;
	def.mass = NAN;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_NOT_FINITE, "mass" );
	def = good;
	def.pose.position.y = INFINITY;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_NOT_FINITE, "pose" );
	def = good;
	def.inertia_diagonal[2] = 2.1; // more than the sum of the others
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "impossible" );
	def.inertia_diagonal[2] = -1;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "positive definite" );
	def = good;
	def.inertia_kind = DS_INERTIA_FULL;
	const double full[9] = { 1, 0.1, 0, 0, 1, 0, 0, 0, 1 };
	memcpy( def.inertia_full, full, sizeof( full ) );
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "not symmetric" );
	def = good;
	def.inertia_kind = DS_INERTIA_MESH;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "needs a mesh" );
	def = good;
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
	def.hydrodynamics.added_mass[1] = -3;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "added_mass" );
	def = good;
	def.restitution = 1.5;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "restitution" );
	def = good;
	def.collision = DS_COLLISION_MESH;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "fixed bodies" );
	assert_int_equal( ds_world_count( world, DS_BODY ), 0 );
	ds_world_destroy( world );
}

// ---- time --------------------------------------------------------------------------------------------------------

static void test_ticks_lie_at_whole_nanoseconds( void **state )
{
	(void)state;
	const double rates[] = { 3, 7, 60, 200, 997, 1000 };
	for ( size_t i = 0; i < sizeof( rates ) / sizeof( rates[0] ); ++i )
	{
		ds_world *world = kit_world( rates[i], NULL );
		for ( int64_t k = 0; k < 2500; ++k )
		{
			int64_t r = (int64_t)rates[i];
			assert_int_equal( ds_world_time( world ), ( k * 1000000000 + r / 2 ) / r );
			OK( ds_world_step( world, 1 ) );
		}
		ds_world_destroy( world );
	}
	ds_world *world = kit_world( 62.5, NULL );
	OK( ds_world_step( world, 1000 ) );
	assert_int_equal( ds_world_time( world ), INT64_C( 16000000000 ) );
	ds_world_destroy( world );
}

static void test_samples_lie_at_the_first_tick_after_their_time( void **state )
{
	(void)state;
	ds_world *world = kit_world( 200, NULL );
	ds_body_def body = kit_point( "a", 1, 1, 1, 1 );
	ds_id a, s;
	OK( ds_body_create( world, &body, &a ) );
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "odo" );
	snprintf( def.type, sizeof( def.type ), "odometry" );
	def.body = a;
	def.rate = 30;
	def.offset = 0.011;
	def.queue = 100;
	OK( ds_sensor_create( world, &def, &s ) );
	OK( ds_world_step( world, 400 ) );
	ds_sample_header header;
	ds_odometry reading;
	for ( int64_t k = 0; k < 60; ++k )
	{
		OK( ds_sensor_next( world, s, &header, &reading, sizeof( reading ) ) );
		assert_int_equal( header.sequence, k );
		// the first multiple of 5 ms at or after 11 ms + k / 30 s
		int64_t due = 11000000 + ( k * 1000000000 + 15 ) / 30;
		assert_int_equal( header.time, ( due + 4999999 ) / 5000000 * 5000000 );
	}
	FAILS( ds_sensor_next( world, s, &header, &reading, sizeof( reading ) ), DS_ERROR_EMPTY, "odo" );
	def.rate = 201;
	snprintf( def.name, sizeof( def.name ), "fast" );
	FAILS( ds_sensor_create( world, &def, &s ), DS_ERROR_RANGE, "the world's rate" );
	ds_world_destroy( world );
}

static void test_latency_and_queue( void **state )
{
	(void)state;
	ds_world *world = kit_world( 100, NULL );
	ds_body_def body = kit_point( "a", 1, 1, 1, 1 );
	ds_id a, s;
	OK( ds_body_create( world, &body, &a ) );
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "odo" );
	snprintf( def.type, sizeof( def.type ), "odometry" );
	def.body = a;
	def.rate = 10;
	def.latency = 0.25;
	def.queue = 4;
	OK( ds_sensor_create( world, &def, &s ) );
	ds_sample_header header;
	ds_odometry reading;
	OK( ds_world_step( world, 24 ) ); // 0.24 s: made at 0, 0.1, 0.2; none can be seen
	FAILS( ds_sensor_latest( world, s, &header, &reading, sizeof( reading ) ), DS_ERROR_EMPTY, "odo" );
	OK( ds_world_step( world, 1 ) );
	OK( ds_sensor_latest( world, s, &header, &reading, sizeof( reading ) ) );
	assert_int_equal( header.time, 0 );
	assert_int_equal( header.available, 250000000 );
	OK( ds_world_step( world, 100 ) ); // 1.25 s: 0 to 10 can be seen, four are kept
	int64_t samples, dropped;
	OK( ds_sensor_counts( world, s, &samples, &dropped ) );
	assert_int_equal( samples, 13 );
	assert_int_equal( dropped, 7 );
	for ( int64_t k = 7; k <= 10; ++k )
	{
		OK( ds_sensor_next( world, s, &header, &reading, sizeof( reading ) ) );
		assert_int_equal( header.sequence, k );
	}
	FAILS( ds_sensor_next( world, s, &header, &reading, sizeof( reading ) ), DS_ERROR_EMPTY, "odo" );
	FAILS( ds_sensor_latest( world, s, &header, &reading, 3 ), DS_ERROR_ARGUMENT, "room" );
	ds_world_destroy( world );
}

// ---- snapshots, resets, clones -----------------------------------------------------------------------------------

// A driven body with noise: thruster, two sensors.
static ds_world *busy_world( uint64_t seed, const ds_mesh *mesh, const ds_allocator *allocator )
{
	ds_environment_def e = ds_environment_def_default();
	ds_current_def current = { .kind = DS_CURRENT_UNIFORM, .velocity = { 0.2, -0.1, 0 } };
	e.currents = ( ds_array ){ &current, 1 };
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = 3;
	ds_world_def def = ds_world_def_default();
	def.rate = 200;
	def.environment = &e;
	def.seed = &seed;
	if ( allocator )
	{
		def.hooks.allocator = *allocator;
	}
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_body_def body = ds_body_def_default();
	snprintf( body.name, sizeof( body.name ), "auv" );
	body.mesh = mesh;
	body.mass = 600;
	body.pose.position = ds_v3( 0, 0, 1.5 );
	body.pose.attitude = ds_quat_from_rpy( ds_v3( 0.1, 0.2, 0.3 ) );
	ds_id a, t, s;
	OK( ds_body_create( world, &body, &a ) );
	ds_actuator_def thruster = ds_actuator_def_default();
	snprintf( thruster.name, sizeof( thruster.name ), "t1" );
	snprintf( thruster.type, sizeof( thruster.type ), "thruster" );
	thruster.body = a;
	thruster.mount.position = ds_v3( -0.3, 0.1, 0 );
	OK( ds_actuator_create( world, &thruster, &t ) );
	const double push = 0.7;
	OK( ds_actuator_set( world, t, &push, 1 ) );
	ds_sensor_def odo = ds_sensor_def_default();
	snprintf( odo.name, sizeof( odo.name ), "odo" );
	snprintf( odo.type, sizeof( odo.type ), "odometry" );
	odo.body = a;
	ds_odometry_config noise = {
		.position_noise = 0.1, .attitude_noise = 0.01, .linear_velocity_noise = 0.02, .angular_velocity_noise = 0.03
	};
	odo.config = &noise;
	OK( ds_sensor_create( world, &odo, &s ) );
	return world;
}

static ds_odometry latest( const ds_world *world )
{
	ds_id s;
	ds_odometry reading;
	OK( ds_world_find( world, DS_SENSOR, "odo", &s ) );
	OK( ds_sensor_latest( world, s, NULL, &reading, sizeof( reading ) ) );
	return reading;
}

static void assert_same_world( const ds_world *a, const ds_world *b )
{
	size_t size = ds_world_save_size( a );
	assert_int_equal( size, ds_world_save_size( b ) );
	unsigned char *x = malloc( size ), *y = malloc( size );
	OK( ds_world_save( a, x, size ) );
	OK( ds_world_save( b, y, size ) );
	assert_memory_equal( x, y, size );
	free( x );
	free( y );
}

static void test_runs_are_bit_identical( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 320 );
	ds_world *a = busy_world( 42, mesh, NULL ), *b = busy_world( 42, mesh, NULL );
	ds_id t;
	OK( ds_world_find( a, DS_ACTUATOR, "t1", &t ) );
	OK( ds_world_step( a, 1000 ) );
	OK( ds_world_step( b, 400 ) );

	// restored into a fresh world, the second half is the same; reset and clone too
	size_t size = ds_world_save_size( b );
	void *bytes = malloc( size );
	OK( ds_world_save( b, bytes, size ) );
	ds_world *fresh = busy_world( 7, mesh, NULL ), *clone;
	OK( ds_world_clone( b, &clone ) );
	OK( ds_world_restore( fresh, bytes, size ) );
	OK( ds_world_step( fresh, 600 ) );
	OK( ds_world_step( clone, 600 ) );
	OK( ds_world_step( b, 600 ) );
	assert_same_world( a, b );
	assert_same_world( a, fresh );
	assert_same_world( a, clone );
	const double push = 0.7;
	OK( ds_world_reset( fresh, 42 ) );
	OK( ds_actuator_set( fresh, t, &push, 1 ) );
	OK( ds_world_step( fresh, 1000 ) );
	assert_same_world( a, fresh );

	// another seed: other noise, the same motion
	OK( ds_world_reset( b, 43 ) );
	OK( ds_actuator_set( b, t, &push, 1 ) );
	OK( ds_world_step( b, 1000 ) );
	ds_odometry x = latest( a ), y = latest( b );
	assert_true( x.position[0] != y.position[0] );
	ds_body_motion p = kit_motion( a, ds_world_at( a, DS_BODY, 0 ) ), q = kit_motion( b, ds_world_at( b, DS_BODY, 0 ) );
	assert_memory_equal( &p, &q, sizeof( p ) );

	// the world touched the bottom on its way, or this test would say nothing of contacts
	assert_true( p.depth > 2.4 );
	free( bytes );
	ds_world_destroy( a );
	ds_world_destroy( b );
	ds_world_destroy( fresh );
	ds_world_destroy( clone );
	ds_mesh_release( mesh );
}

static void test_another_sensor_changes_no_other( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 320 );
	ds_world *a = busy_world( 42, mesh, NULL ), *b = busy_world( 42, mesh, NULL );
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "odo2" );
	snprintf( def.type, sizeof( def.type ), "odometry" );
	def.body = ds_world_at( b, DS_BODY, 0 );
	ds_odometry_config noise = {
		.position_noise = 0.1, .attitude_noise = 0.01, .linear_velocity_noise = 0.02, .angular_velocity_noise = 0.03
	};
	def.config = &noise;
	ds_id s;
	OK( ds_sensor_create( b, &def, &s ) );
	for ( int i = 0; i < 50; ++i )
	{
		OK( ds_world_step( a, 10 ) );
		OK( ds_world_step( b, 10 ) );
		ds_odometry x = latest( a ), y = latest( b ), z;
		assert_memory_equal( &x, &y, sizeof( x ) );
		OK( ds_sensor_latest( b, s, NULL, &z, sizeof( z ) ) );
		assert_true( memcmp( &x, &z, sizeof( x ) ) != 0 );
	}
	ds_world_destroy( a );
	ds_world_destroy( b );
	ds_mesh_release( mesh );
}

static void test_snapshots_fit_their_structure_only( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 80 );
	ds_world *a = busy_world( 1, mesh, NULL ), *b = kit_world( 200, NULL );
	size_t size = ds_world_save_size( a );
	unsigned char *bytes = calloc( 1, size );
	FAILS( ds_world_restore( a, bytes, size ), DS_ERROR_FORMAT, "not a snapshot" );
	FAILS( ds_world_restore( a, bytes, 5 ), DS_ERROR_FORMAT, "too few" );
	OK( ds_world_save( a, bytes, size ) );
	FAILS( ds_world_restore( b, bytes, size ), DS_ERROR_STRUCTURE, "another structure" );
	FAILS( ds_world_restore( a, bytes, size - 1 ), DS_ERROR_FORMAT, "truncated" );
	FAILS( ds_world_save( a, bytes, size - 1 ), DS_ERROR_ARGUMENT, "room" );
	OK( ds_world_restore( a, bytes, size ) );
	free( bytes );
	ds_world_destroy( a );
	ds_world_destroy( b );
	ds_mesh_release( mesh );
}

// ---- failures ----------------------------------------------------------------------------------------------------

static void test_absurd_force_names_body_tick_and_force( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 80 );
	ds_world *world = busy_world( 1, mesh, NULL );
	ds_id a = ds_world_at( world, DS_BODY, 0 );
	OK( ds_world_step( world, 12 ) );
	ds_body_motion before = kit_motion( world, a );
	ds_wrench wrench = { { 1e300, 0, 0 }, { 0, 0, 0 } };
	OK( ds_body_apply_wrench_world( world, a, wrench, before.pose.position ) );
	assert_int_equal( ds_world_step( world, 1 ), DS_ERROR_NOT_FINITE );
	assert_non_null( strstr( ds_last_error(), "body \"auv\"" ) );
	assert_non_null( strstr( ds_last_error(), "tick 12" ) );
	assert_non_null( strstr( ds_last_error(), "that of the user's wrench (" ) );
	FAILS( ds_world_step( world, 1 ), DS_ERROR_STATE, "has failed" );
	ds_body_motion after = kit_motion( world, a ); // still readable
	assert_true( isfinite( after.pose.position.x ) );
	OK( ds_world_reset( world, 1 ) );
	OK( ds_world_step( world, 100 ) );
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

static void test_commands_out_of_range_are_errors( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 80 );
	ds_world *world = busy_world( 1, mesh, NULL );
	ds_id t = ds_world_at( world, DS_ACTUATOR, 0 );
	const double bad[] = { 1.01, -1.01, NAN }, two[2] = { 0, 0 };
	FAILS( ds_actuator_set( world, t, bad, 1 ), DS_ERROR_RANGE, "\"t1\": expected command 0 in [-1, 1], got 1.01" );
	FAILS( ds_actuator_set( world, t, bad + 1, 1 ), DS_ERROR_RANGE, "got -1.01" );
	FAILS( ds_actuator_set( world, t, bad + 2, 1 ), DS_ERROR_NOT_FINITE, "not finite" );
	FAILS( ds_actuator_set( world, t, two, 2 ), DS_ERROR_ARGUMENT, "takes 1 numbers, got 2" );
	double now;
	OK( ds_actuator_command( world, t, &now, 1 ) );
	NEAR( now, 0.7, 0 ); // the old one stays
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

static bool cancel_at_tick( void *user )
{
	return ds_world_tick( *(ds_world **)user ) >= 37;
}

static void count_progress( void *user, int64_t done, int64_t wanted )
{
	(void)user;
	assert_int_equal( done % 10, 0 );
	assert_int_equal( wanted, 1000 );
}

static void test_cancel_ends_between_ticks( void **state )
{
	(void)state;
	ds_world *world = NULL;
	ds_world_def def = ds_world_def_default();
	def.cancel = cancel_at_tick;
	def.progress = count_progress;
	def.progress_ticks = 10;
	def.user = &world;
	OK( ds_world_create( &def, &world ) );
	FAILS( ds_world_step( world, 1000 ), DS_ERROR_CANCELLED, "tick 37" );
	assert_int_equal( ds_world_tick( world ), 37 );
	ds_world_destroy( world );
}

// ---- memory ------------------------------------------------------------------------------------------------------

typedef struct counter
{
	int64_t allocations, live, fail_after;
} counter;

static void *counted_allocate( void *user, size_t size, size_t alignment )
{
	counter *c = user;
	c->allocations++;
	if ( c->fail_after >= 0 && c->allocations > c->fail_after )
	{
		return NULL;
	}
	c->live++;
	return aligned_alloc( alignment, size );
}

static void counted_release( void *user, void *memory, size_t size )
{
	(void)size;
	( (counter *)user )->live--;
	free( memory );
}

static void test_a_step_allocates_nothing_of_ours( void **state )
{
	(void)state;
	counter count = { 0, 0, -1 };
	ds_allocator allocator = { counted_allocate, counted_release, &count };
	ds_mesh *mesh = kit_sphere( 0.5, 320 );
	ds_world *world = busy_world( 42, mesh, &allocator );
	OK( ds_world_step( world, 0 ) );
	int64_t before = count.allocations;
	assert_true( before > 0 );
	OK( ds_world_step( world, 1000 ) );
	assert_int_equal( count.allocations, before );
	ds_world_destroy( world );
	assert_int_equal( count.live, 0 );
	ds_mesh_release( mesh );
}

static void test_every_failed_allocation_is_an_error_without_a_leak( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 80 );
	bool made = false;
	for ( int64_t limit = 0; !made && limit < 500; ++limit )
	{
		counter count = { 0, 0, limit };
		ds_world_def def = ds_world_def_default();
		def.hooks.allocator = ( ds_allocator ){ counted_allocate, counted_release, &count };
		ds_world *world;
		ds_status status = ds_world_create( &def, &world );
		if ( status == DS_OK )
		{
			ds_body_def body = ds_body_def_default();
			snprintf( body.name, sizeof( body.name ), "a" );
			body.mesh = mesh;
			ds_id a, s;
			status = ds_body_create( world, &body, &a );
			if ( status == DS_OK )
			{
				ds_sensor_def def2 = ds_sensor_def_default();
				snprintf( def2.name, sizeof( def2.name ), "p" );
				snprintf( def2.type, sizeof( def2.type ), "pressure" );
				def2.body = a;
				status = ds_sensor_create( world, &def2, &s );
			}
			if ( status == DS_OK )
			{
				status = ds_world_step( world, 3 );
				made = status == DS_OK;
			}
			ds_world_destroy( world );
		}
		assert_true( status == DS_OK || status == DS_ERROR_MEMORY );
		assert_int_equal( count.live, 0 );
	}
	assert_true( made );
	ds_mesh_release( mesh );
}

static void test_parts_come_and_go( void **state )
{
	(void)state;
	counter count = { 0, 0, -1 };
	ds_world_def def = ds_world_def_default();
	def.hooks.allocator = ( ds_allocator ){ counted_allocate, counted_release, &count };
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_body_def body = kit_point( "a", 1, 1, 1, 1 );
	ds_id a, s;
	OK( ds_body_create( world, &body, &a ) );
	int64_t live = 0;
	for ( int i = 0; i < 1000; ++i )
	{
		ds_sensor_def sensor = ds_sensor_def_default();
		snprintf( sensor.name, sizeof( sensor.name ), "p" );
		snprintf( sensor.type, sizeof( sensor.type ), "pressure" );
		sensor.body = a;
		OK( ds_sensor_create( world, &sensor, &s ) );
		OK( ds_world_step( world, 1 ) );
		OK( ds_sensor_destroy( world, s ) );
		live = i == 10 ? count.live : live;
	}
	assert_int_equal( count.live, live );
	OK( ds_body_destroy( world, a ) );
	OK( ds_world_step( world, 1 ) );
	ds_world_destroy( world );
	assert_int_equal( count.live, 0 );
}

// ---- queries -----------------------------------------------------------------------------------------------------

static void test_water_and_geodetic_queries( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	ds_current_def currents[2] = { { .kind = DS_CURRENT_UNIFORM, .velocity = { 0.1, 0.2, 0 } },
		{ .kind = DS_CURRENT_UNIFORM, .velocity = { 0, 0.3, -0.05 } } };
	e.currents = ( ds_array ){ currents, 2 };
	e.latitude = 45 * DS_PI / 180;
	e.longitude = -8 * DS_PI / 180;
	snprintf( e.date, sizeof( e.date ), "2028-02-28T23:59:59Z" );
	ds_world *world = kit_world( 4, &e );
	ds_water water;
	OK( ds_water_at( world, ds_v3( 5, 5, 3000 ), &water ) );
	NEAR3( water.velocity, ds_v3( 0.1, 0.5, -0.05 ), 1e-15 );
	NEAR( water.gauge_pressure, 1025 * 9.81 * 3000, 1e-6 );
	NEAR( water.pressure, 101325 + 1025 * 9.81 * 3000, 1e-6 );
	OK( ds_water_at( world, ds_v3( 0, 0, -1 ), &water ) );
	assert_false( water.present );
	NEAR( water.density, 0, 0 );
	FAILS( ds_water_at( world, ds_v3( NAN, 0, 0 ), &water ), DS_ERROR_NOT_FINITE, "position" );

	// a degree of latitude at 45 N is 111131.8 m, of longitude 78846.8 m (WGS-84, e.g. NGA tables)
	ds_geodetic g;
	OK( ds_geodetic_at( world, ds_v3( 1111.318, 788.468, 20 ), &g ) );
	NEAR( g.latitude * 180 / DS_PI, 45.01, 1e-7 );
	NEAR( g.longitude * 180 / DS_PI, -7.99, 1e-7 );
	NEAR( g.height, -20, 0 );
	OK( ds_world_step( world, 7 ) );
	char date[32];
	OK( ds_world_date( world, date, sizeof( date ) ) );
	assert_string_equal( date, "2028-02-29T00:00:00.750Z" ); // a leap day
	ds_world_destroy( world );
	snprintf( e.date, sizeof( e.date ), "2027-02-29T00:00:00Z" );
	ds_world_def def = ds_world_def_default();
	def.environment = &e;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_FORMAT, "date" );
}

static void test_rays_meet_seabed_and_shapes( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = 100;
	const double far[] = { 0, 1e6 };
	for ( int i = 0; i < 2; ++i )
	{
		ds_world *world = kit_world( 100, &e );
		ds_body_def def = kit_point( "ball", 1, 1, 1, 1 );
		ds_shape_def ball = { .kind = DS_SHAPE_SPHERE, .radius = 2, .position = { 0, 0, 0.5 } };
		def.collision = DS_COLLISION_SHAPES;
		def.shapes = &ball;
		def.shape_count = 1;
		def.cg[0] = 0.3; // the reference point is not the origin
		def.pose.position = ds_v3( far[i], 0, 50 );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		OK( ds_world_step( world, 0 ) );
		ds_ray_hit hit;
		OK( ds_ray_cast( world, ds_v3( far[i], 0, 10 ), ds_v3( 0, 0, 3 ), 1000, DS_NO_ID, &hit ) );
		assert_true( hit.hit );
		assert_true( hit.body == id );
		NEAR( hit.distance, 50.5 - 2 - 10, 1e-6 );
		NEAR3( hit.normal, ds_v3( 0, 0, -1 ), 1e-9 );
		OK( ds_ray_cast( world, ds_v3( far[i], 0, 10 ), ds_v3( 0, 0, 1 ), 1000, id, &hit ) );
		assert_true( hit.hit && hit.body == DS_NO_ID );
		NEAR( hit.distance, 90, 1e-9 );
		OK( ds_ray_cast( world, ds_v3( far[i], 10, 10 ), ds_v3( 0, 1, 1 ), 1000, DS_NO_ID, &hit ) );
		NEAR( hit.distance, 90 * sqrt( 2 ), 1e-9 );
		OK( ds_ray_cast( world, ds_v3( far[i], 10, 10 ), ds_v3( 0, 1, 1 ), 100, DS_NO_ID, &hit ) );
		assert_false( hit.hit );
		FAILS(
			ds_ray_cast( world, ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 0 ), 1, DS_NO_ID, &hit ), DS_ERROR_RANGE, "direction" );
		ds_world_destroy( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_ids_of_destroyed_parts_are_stale ),
		cmocka_unit_test( test_names_are_checked_and_unique ),
		cmocka_unit_test( test_parts_of_all_kinds_share_their_names ),
		cmocka_unit_test( test_definitions_must_come_from_their_defaults ),
		cmocka_unit_test( test_bad_bodies_are_refused_by_field ),
		cmocka_unit_test( test_ticks_lie_at_whole_nanoseconds ),
		cmocka_unit_test( test_samples_lie_at_the_first_tick_after_their_time ),
		cmocka_unit_test( test_latency_and_queue ),
		cmocka_unit_test( test_runs_are_bit_identical ),
		cmocka_unit_test( test_another_sensor_changes_no_other ),
		cmocka_unit_test( test_snapshots_fit_their_structure_only ),
		cmocka_unit_test( test_absurd_force_names_body_tick_and_force ),
		cmocka_unit_test( test_commands_out_of_range_are_errors ),
		cmocka_unit_test( test_cancel_ends_between_ticks ),
		cmocka_unit_test( test_a_step_allocates_nothing_of_ours ),
		cmocka_unit_test( test_every_failed_allocation_is_an_error_without_a_leak ),
		cmocka_unit_test( test_parts_come_and_go ),
		cmocka_unit_test( test_water_and_geodetic_queries ),
		cmocka_unit_test( test_rays_meet_seabed_and_shapes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// What the host offers to plugins: every function, with good and bad arguments, in every call in which it may be used.

#include "world_kit.h"

#include <math.h>

#define EARTH_RATE 7.292115e-5 // [rad/s], WGS-84

// ---- a plugin that does what a test tells it -------------------------------------------------------------------------

typedef ds_status deed( ds_context *context );

typedef struct probe_config
{
	int64_t which; // of `deeds`
} probe_config;

static const ds_field probe_fields[] = {
	DS_I64( probe_config, which, "", "0", 0, 7, "deed" ),
};
static const ds_table probe_table = DS_TABLE( "probe", "Which deed", probe_config, probe_fields );

typedef struct probe_model
{
	const ds_host *host;
	probe_config config;
} probe_model;

static deed *deeds[8], *at_reset, *at_tick, *at_effort;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)layout;
	probe_model *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "no memory" );
	}
	m->host = host;
	m->config = *(const probe_config *)config;
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	probe_model *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status do_sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	(void)output;
	deed *d = deeds[( (const probe_model *)model )->config.which];
	return d ? d( context ) : DS_OK;
}

static ds_status do_reset( const void *model, void *state, ds_context *context )
{
	(void)model;
	(void)state;
	return at_reset ? at_reset( context ) : DS_OK;
}

static ds_status do_tick( const void *model, void *state, ds_context *context )
{
	(void)model;
	(void)state;
	return at_tick ? at_tick( context ) : DS_OK;
}

static ds_status do_effort( const void *model, void *state, ds_context *context, ds_effort *effort )
{
	(void)model;
	(void)state;
	(void)effort;
	return at_effort ? at_effort( context ) : DS_OK;
}

static const ds_type probe = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "probe",
	.doc = "does what it is told",
	.config = &probe_table,
	.create = create,
	.destroy = destroy,
	.reset = do_reset,
	.tick = do_tick,
	.sample = do_sample,
};

static const ds_type pusher = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_FORCE,
	.name = "pusher",
	.doc = "does what it is told",
	.config = &probe_table,
	.create = create,
	.destroy = destroy,
	.effort = do_effort,
};

typedef struct scene
{
	ds_world *world;
	ds_id hull, other, sensor;
} scene;

// Two boxes over a flat seabed at 50 m; a probe on the first one, and a force.
static scene make_scene( const ds_environment_def *environment, double rate )
{
	scene s;
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &probe ) );
	OK( ds_registry_add( registry, &pusher ) );
	uint64_t seed = 77;
	ds_world_def def = ds_world_def_default();
	def.rate = rate;
	def.environment = environment;
	def.registry = registry;
	def.seed = &seed;
	OK( ds_world_create( &def, &s.world ) );
	ds_registry_release( registry );
	ds_mesh *mesh = kit_box( 2, 2, 2 );
	ds_body_def body = kit_hull( "hull", mesh, 8200 );
	body.collision = DS_COLLISION_HULL;
	body.pose.position = ds_v3( 0, 0, 20 );
	OK( ds_body_create( s.world, &body, &s.hull ) );
	snprintf( body.name, sizeof( body.name ), "other" );
	body.pose.position = ds_v3( 10, 0, 20 );
	body.velocity.linear = ds_v3( 0.5, -0.25, 1 );
	body.velocity.angular = ds_v3( 0.1, 0.2, -0.3 );
	OK( ds_body_create( s.world, &body, &s.other ) );
	ds_mesh_release( mesh );
	ds_sensor_def sensor = ds_sensor_def_default();
	snprintf( sensor.name, sizeof( sensor.name ), "eye" );
	snprintf( sensor.type, sizeof( sensor.type ), "probe" );
	sensor.body = s.hull;
	sensor.mount.position = ds_v3( 0.25, 0, 0.5 );
	OK( ds_sensor_create( s.world, &sensor, &s.sensor ) );
	ds_actuator_def force = ds_actuator_def_default();
	snprintf( force.name, sizeof( force.name ), "push" );
	snprintf( force.type, sizeof( force.type ), "pusher" );
	force.body = s.hull;
	ds_id id;
	OK( ds_force_create( s.world, &force, &id ) );
	return s;
}

static ds_environment_def flat_sea( void )
{
	ds_environment_def e = ds_environment_def_default();
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = 50;
	e.earth_rotation = true;
	e.gravity_by_latitude = true;
	e.latitude = 0.8;
	e.longitude = -0.3;
	return e;
}

static scene now; // what the deeds see
static int done; // deeds done

static void run( deed *d, int64_t ticks )
{
	ds_environment_def e = flat_sea();
	now = make_scene( &e, 100 );
	deeds[0] = d;
	done = 0;
	OK( ds_world_step( now.world, ticks ) );
	assert_true( done > 0 );
	ds_world_destroy( now.world );
	memset( deeds, 0, sizeof( deeds ) );
}

// ---- random numbers --------------------------------------------------------------------------------------------------

static void assert_stream( ds_context *context, const char *name, uint32_t domain, uint64_t index )
{
	const ds_host *host = context->host;
	ds_random stream = host->random_stream( context ), own = ds_random_stream( 77, name, domain, index );
	assert_memory_equal( &stream, &own, sizeof( own ) );
	double slots[20], expected[20], uniform[20], uniform_expected[20];
	host->random_normals( &stream, 3, 20, slots );
	ds_random_normals( &own, 3, 20, expected );
	assert_memory_equal( slots, expected, sizeof( slots ) );
	host->random_uniforms( &stream, 1, 20, uniform );
	ds_random_uniforms( &own, 1, 20, uniform_expected );
	assert_memory_equal( uniform, uniform_expected, sizeof( uniform ) );

	// what is drawn in turn goes on, and the slots stay where they are
	for ( int i = 0; i < 5; ++i )
	{
		assert_true( host->random_uniform( context ) == ds_random_uniform( &own ) );
		assert_true( host->random_normal( context ) == ds_random_normal( &own ) );
	}
	stream = host->random_stream( context );
	host->random_normals( &stream, 3, 20, slots );
	assert_memory_equal( slots, expected, sizeof( slots ) );
	++done;
}

static ds_status draw_sample( ds_context *context )
{
	assert_int_equal( context->sequence, context->tick );
	assert_stream( context, "eye", DS_RANDOM_SAMPLE, (uint64_t)context->sequence );
	return DS_OK;
}

static ds_status draw_tick( ds_context *context )
{
	assert_stream( context, "eye", DS_RANDOM_TICK, (uint64_t)context->tick );
	return DS_OK;
}

static ds_status draw_reset( ds_context *context )
{
	assert_stream( context, "eye", DS_RANDOM_RESET, 0 );
	return DS_OK;
}

static ds_status draw_effort( ds_context *context )
{
	assert_stream( context, "push", DS_RANDOM_EFFORT, (uint64_t)context->tick );
	return DS_OK;
}

static void test_random_streams( void **state )
{
	(void)state;
	at_reset = draw_reset;
	at_tick = draw_tick;
	at_effort = draw_effort;
	run( draw_sample, 5 );
	assert_int_equal( done, 6 + 5 + 5 ); // samples from time 0 on, ticks, efforts; resets come before they are counted
	at_reset = at_tick = at_effort = NULL;
}

// ---- rays ------------------------------------------------------------------------------------------------------------

static ds_status cast( ds_context *context )
{
	const ds_host *host = context->host;
	ds_vec3 origins[300], directions[300];
	ds_ray_hit many[300], one;
	int hull = 0, other = 0, bed = 0;
	for ( int i = 0; i < 300; ++i )
	{
		origins[i] = ds_add( context->pose.position, ds_v3( 0.01 * ( i % 7 ), 0.02 * ( i % 5 ), 0 ) );
		directions[i] = ds_v3( 2 + cos( i ), 0.1 * sin( 3.0 * i ), i % 3 == 0 ? 3 : 0.05 );
	}
	assert_int_equal( host->ray_cast_many( context, 300, origins, directions, 60, many ), DS_OK );
	for ( int i = 0; i < 300; ++i )
	{
		assert_int_equal( host->ray_cast( context, origins[i], directions[i], 60, &one ), DS_OK );
		assert_int_equal( one.hit, many[i].hit );
		NEAR( one.distance, many[i].distance, 0 );
		NEAR3( one.point, many[i].point, 0 );
		NEAR3( one.normal, many[i].normal, 0 );
		assert_true( one.body == many[i].body );
		hull += one.hit && one.body == now.hull;
		other += one.hit && one.body == now.other;
		bed += one.hit && one.body == DS_NO_ID;
	}
	assert_int_equal( hull, 0 ); // its own body is not seen
	assert_true( other > 50 && bed > 50 );

	assert_int_equal( host->ray_cast_many( context, 0, NULL, NULL, 60, NULL ), DS_OK );
	FAILS( host->ray_cast_many( context, -1, origins, directions, 60, many ), DS_ERROR_ARGUMENT, "ray_cast_many" );
	FAILS( host->ray_cast_many( context, 3, NULL, directions, 60, many ), DS_ERROR_ARGUMENT, "ray_cast_many" );
	FAILS( host->ray_cast_many( context, 3, origins, NULL, 60, many ), DS_ERROR_ARGUMENT, "ray_cast_many" );
	FAILS( host->ray_cast_many( context, 3, origins, directions, 60, NULL ), DS_ERROR_ARGUMENT, "ray_cast_many" );
	FAILS( host->ray_cast_many( context, 3, origins, directions, (double)NAN, many ), DS_ERROR_NOT_FINITE, "ray 0" );
	FAILS( host->ray_cast_many( context, 3, origins, directions, -5, many ), DS_ERROR_RANGE, "ray 0" );
	origins[1].y = (double)NAN;
	FAILS( host->ray_cast_many( context, 3, origins, directions, 60, many ), DS_ERROR_NOT_FINITE, "ray 1" );
	directions[0] = ds_v3( 0, 0, 0 );
	FAILS( host->ray_cast_many( context, 3, origins, directions, 60, many ), DS_ERROR_RANGE, "ray 0" );
	FAILS( host->ray_cast( context, origins[0], directions[1], 60, NULL ), DS_ERROR_ARGUMENT, "ray_cast" );
	++done;
	return DS_OK;
}

static void test_rays( void **state )
{
	(void)state;
	run( cast, 3 );
}

// ---- places, velocities, water, ground ---------------------------------------------------------------------------

static void assert_same_water( const ds_water *a, const ds_water *b )
{
	assert_int_equal( a->present, b->present );
	NEAR3( a->velocity, b->velocity, 0 );
	NEAR( a->density, b->density, 0 );
	NEAR( a->pressure, b->pressure, 0 );
	NEAR( a->gauge_pressure, b->gauge_pressure, 0 );
	NEAR( a->temperature, b->temperature, 0 );
	NEAR( a->salinity, b->salinity, 0 );
	NEAR( a->sound_speed, b->sound_speed, 0 );
}

static ds_status ask( ds_context *context )
{
	const ds_host *host = context->host;
	ds_vec3 place = ds_v3( 1200, -3400, 45 ), nowhere = ds_v3( 0, (double)INFINITY, 0 );
	ds_geodetic seen, expected;
	assert_int_equal( host->geodetic_at( context, place, &seen ), DS_OK );
	OK( ds_geodetic_at( now.world, place, &expected ) );
	assert_memory_equal( &seen, &expected, sizeof( seen ) );
	NEAR( seen.height, -45, 0 );
	assert_true( seen.latitude > 0.8 && seen.longitude < -0.3 );
	FAILS( host->geodetic_at( context, place, NULL ), DS_ERROR_ARGUMENT, "geodetic_at" );
	FAILS( host->geodetic_at( context, nowhere, &seen ), DS_ERROR_NOT_FINITE, "position" );

	ds_vec3 velocity;
	ds_body_motion m = kit_motion( now.world, now.other );
	ds_vec3 at = ds_add( m.pose.position, ds_v3( 1, 0.5, -0.25 ) );
	assert_int_equal( host->velocity_at( context, now.other, at, &velocity ), DS_OK );
	NEAR3( velocity, ds_add( m.velocity_world.linear, ds_cross( m.velocity_world.angular, ds_v3( 1, 0.5, -0.25 ) ) ),
		1e-13 );
	assert_int_equal( host->velocity_at( context, now.hull, context->pose.position, &velocity ), DS_OK );
	NEAR3( velocity, context->velocity, 1e-15 );
	velocity = at;
	assert_int_equal( host->velocity_at( context, DS_NO_ID, at, &velocity ), DS_OK );
	NEAR3( velocity, ds_v3( 0, 0, 0 ), 0 );
	FAILS( host->velocity_at( context, now.other, at, NULL ), DS_ERROR_ARGUMENT, "velocity_at" );
	FAILS( host->velocity_at( context, now.other, nowhere, &velocity ), DS_ERROR_NOT_FINITE, "position" );
	assert_true( host->velocity_at( context, now.other + 1, at, &velocity ) != DS_OK );
	assert_true( host->velocity_at( context, now.sensor, at, &velocity ) != DS_OK );

	ds_water water, twin;
	assert_int_equal( host->water_at( context, context->pose.position, &water ), DS_OK );
	assert_same_water( &water, &context->water );
	OK( ds_water_at( now.world, place, &twin ) );
	assert_int_equal( host->water_at( context, place, &water ), DS_OK );
	NEAR( water.pressure, twin.pressure, 0 );
	NEAR( water.sound_speed, twin.sound_speed, 0 );
	FAILS( host->water_at( context, nowhere, &water ), DS_ERROR_NOT_FINITE, "position" );
	FAILS( host->water_at( context, place, NULL ), DS_ERROR_ARGUMENT, "water_at" );

	ds_ground_point ground;
	assert_int_equal( host->ground_at( context, 3, 4, &ground ), DS_OK );
	NEAR( ground.z, 50, 0 );
	FAILS( host->ground_at( context, 3, (double)NAN, &ground ), DS_ERROR_NOT_FINITE, "finite" );
	FAILS( host->ground_at( context, 3, 4, NULL ), DS_ERROR_ARGUMENT, "ground_at" );

	ds_touch touch;
	assert_int_equal( host->touch( context, 1, &touch ), DS_OK );
	assert_int_equal( touch.elements, 0 );
	FAILS( host->touch( context, (double)NAN, &touch ), DS_ERROR_ARGUMENT, "touch" );
	FAILS( host->touch( context, -1, &touch ), DS_ERROR_ARGUMENT, "touch" );
	FAILS( host->touch( context, 1, NULL ), DS_ERROR_ARGUMENT, "touch" );

	FAILS( host->command_set( context, 0, NULL, 0 ), DS_ERROR_RANGE, "no output" );
	++done;
	return DS_OK;
}

static void test_questions( void **state )
{
	(void)state;
	run( ask, 3 );
}

// ---- what every context holds ----------------------------------------------------------------------------------------

static ds_status look( ds_context *context )
{
	assert_int_equal( context->struct_size, sizeof( ds_context ) );
	assert_int_equal( context->host->struct_size, sizeof( ds_host ) );
	assert_int_equal( context->host->abi_version, DS_ABI_VERSION );
	NEAR3( context->earth_rate, ds_v3( EARTH_RATE * cos( 0.8 ), 0, -EARTH_RATE * sin( 0.8 ) ), 1e-18 );
	// Somigliana's formula with the numbers of WGS-84 (NIMA TR8350.2, 3rd ed., eq. 4-1)
	double s = sin( 0.8 ) * sin( 0.8 );
	NEAR( context->gravity, 9.7803253359 * ( 1 + 0.00193185265241 * s ) / sqrt( 1 - 0.00669437999014 * s ), 1e-9 );
	NEAR( context->dt, 0.01, 1e-18 );
	assert_int_equal( context->time, context->tick * 10000000 );
	NEAR3( context->mount.position, ds_v3( 0.25, 0, 0.5 ), 0 );
	assert_null( context->gear );
	assert_int_equal( context->command_count, 0 );
	assert_int_equal( context->input_count, 0 );
	assert_int_equal( context->output_count, 0 );
	assert_true( context->water.present && context->water.density > 1000 );
	++done;
	return DS_OK;
}

static ds_status look_at_sample( ds_context *context )
{
	OK( look( context ) );
	NEAR( context->interval, context->sequence > 0 ? 0.01 : 0, 1e-16 );
	NEAR( context->period, 0.01, 1e-18 );
	// at rest the turn of the Earth alone is seen
	NEAR3( context->delta_angle,
		ds_scale( context->interval, ds_unrotate( context->pose.attitude, context->earth_rate ) ), 1e-9 );
	return DS_OK;
}

static ds_status look_at_tick( ds_context *context )
{
	OK( look( context ) );
	NEAR( context->interval, 0, 0 );
	NEAR3( context->delta_angle, ds_v3( 0, 0, 0 ), 0 );
	NEAR3( context->delta_velocity, ds_v3( 0, 0, 0 ), 0 );
	assert_int_equal( context->sequence, 0 );
	return DS_OK;
}

static void test_context( void **state )
{
	(void)state;
	at_reset = look;
	at_tick = look_at_tick;
	run( look_at_sample, 20 );
	at_reset = at_tick = NULL;
}

// Two sensors at one place see the same water, which is that of the place; so do others beside them, after a restore too.
static ds_status compare_water( ds_context *context )
{
	ds_water own;
	OK( context->host->water_at( context, context->pose.position, &own ) );
	assert_same_water( &own, &context->water );
	++done;
	return DS_OK;
}

static void test_shared_water( void **state )
{
	(void)state;
	ds_environment_def e = flat_sea();
	e.density_kind = DS_DENSITY_TEOS10;
	now = make_scene( &e, 50 );
	for ( int i = 0; i < 8; ++i )
	{
		deeds[i] = compare_water;
		ds_sensor_def sensor = ds_sensor_def_default();
		probe_config config = { i };
		snprintf( sensor.name, sizeof( sensor.name ), "eye%d", i );
		snprintf( sensor.type, sizeof( sensor.type ), "probe" );
		sensor.config = &config;
		sensor.body = i < 6 ? now.other : now.hull;
		sensor.rate = i % 2 ? 50 : 20;
		sensor.mount.position = ds_v3( i / 2 == 1 ? 0.5 : 0.25, 0, i < 6 ? 0.25 : 0.5 );
		ds_id id;
		OK( ds_sensor_create( now.world, &sensor, &id ) );
	}
	done = 0;
	OK( ds_world_step( now.world, 30 ) );
	size_t size = ds_world_save_size( now.world );
	void *bytes = malloc( size );
	OK( ds_world_save( now.world, bytes, size ) );
	OK( ds_world_step( now.world, 30 ) );
	OK( ds_world_restore( now.world, bytes, size ) );
	OK( ds_world_step( now.world, 30 ) );
	OK( ds_world_reset( now.world, 3 ) );
	OK( ds_world_step( now.world, 30 ) );
	assert_true( done > 500 );
	free( bytes );
	ds_world_destroy( now.world );
	memset( deeds, 0, sizeof( deeds ) );
}

// A world at a pole has no longitudes, and says so.
static ds_status ask_pole( ds_context *context )
{
	ds_geodetic g;
	FAILS( context->host->geodetic_at( context, ds_v3( 1, 2, 3 ), &g ), DS_ERROR_RANGE, "pole" );
	++done;
	return DS_OK;
}

static void test_pole( void **state )
{
	(void)state;
	ds_environment_def e = flat_sea();
	e.latitude = 0.5 * DS_PI;
	now = make_scene( &e, 50 );
	deeds[0] = ask_pole;
	done = 0;
	OK( ds_world_step( now.world, 2 ) );
	assert_true( done == 3 );
	ds_world_destroy( now.world );
	deeds[0] = NULL;
}

// The frame of a reading is the sensor's name, its parent the body.
static void test_frames( void **state )
{
	(void)state;
	ds_environment_def e = flat_sea();
	scene s = make_scene( &e, 50 );
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "tilted" );
	snprintf( def.type, sizeof( def.type ), "probe" );
	def.body = s.other;
	def.mount = ( ds_pose ){ ds_v3( 1, 2, 3 ), ds_quat_from_rpy( ds_v3( 0.1, -0.2, 3 ) ) };
	ds_id sensor, body, force;
	ds_pose mount;
	OK( ds_sensor_create( s.world, &def, &sensor ) );
	OK( ds_sensor_frame( s.world, sensor, &body, &mount ) );
	assert_true( body == s.other );
	NEAR3( mount.position, def.mount.position, 0 );
	NEAR( mount.attitude.w, def.mount.attitude.w, 1e-15 );
	NEAR( mount.attitude.z, def.mount.attitude.z, 1e-15 );
	OK( ds_sensor_frame( s.world, s.sensor, &body, NULL ) );
	assert_true( body == s.hull );
	OK( ds_sensor_frame( s.world, s.sensor, NULL, NULL ) );
	OK( ds_world_find( s.world, DS_FORCE, "push", &force ) );
	OK( ds_sensor_frame( s.world, force, &body, &mount ) );
	assert_true( body == s.hull );
	assert_true( ds_sensor_frame( s.world, s.hull, &body, &mount ) != DS_OK );
	assert_true( ds_sensor_frame( s.world, DS_NO_ID, &body, &mount ) != DS_OK );
	FAILS( ds_sensor_frame( NULL, s.sensor, &body, &mount ), DS_ERROR_ARGUMENT, "" );
	OK( ds_sensor_destroy( s.world, sensor ) );
	FAILS( ds_sensor_frame( s.world, sensor, &body, &mount ), DS_ERROR_STALE, "" );
	ds_world_destroy( s.world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_random_streams ),
		cmocka_unit_test( test_rays ),
		cmocka_unit_test( test_questions ),
		cmocka_unit_test( test_context ),
		cmocka_unit_test( test_shared_water ),
		cmocka_unit_test( test_pole ),
		cmocka_unit_test( test_frames ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

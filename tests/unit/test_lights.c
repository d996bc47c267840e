// Lamps of a world: levels by command, what light_view says of them, and delays of sensors.

#include "looks_kit.h"
#include "rays/rays.h"

#include <math.h>

static ds_light_view seen;
static ds_light lights[8];

static ds_status look_at_lights( ds_context *context )
{
	ds_status status = context->host->light_view( context, &seen );
	for ( int32_t i = 0; status == DS_OK && i < seen.light_count; ++i )
	{
		lights[i] = seen.lights[i];
	}
	return status;
}

static ds_world *make_world( bool water )
{
	ds_environment_def e = water ? ds_environment_def_default() : kit_vacuum( 0 );
	e.sky.dark = true;
	looks_at_sample = look_at_lights;
	return kit_looks_world( &e, 0 );
}

static void test_levels( void **state )
{
	(void)state;
	ds_world *world = make_world( false );
	ds_body_def def = kit_point( "rov", 10, 1, 1, 1 );
	def.cg[2] = 0.5;
	def.velocity = ( ds_twist ){ { 1, 0, 0 }, { 0, 0, 0.5 } };
	ds_body_def stand = kit_point( "stand", 10, 1, 1, 1 );
	stand.fixed = true;
	stand.pose.position = ds_v3( 5, 0, 0 );
	ds_id rov, fixed;
	OK( ds_body_create( world, &def, &rov ) );
	OK( ds_body_create( world, &stand, &fixed ) );
	const ds_pose left = { { 0, -1, 0 }, ds_quat_identity() }, right = { { 0, 1, 0 }, { 0, 0, 0, 1 } };
	ds_id a = kit_lantern( world, "a", rov, left );
	ds_id b = kit_lantern( world, "b", fixed, ds_pose_identity() );
	ds_id c = kit_lantern( world, "c", rov, right );
	kit_looker( world, rov );

	// at time 0: the level until the first command
	OK( ds_world_step( world, 0 ) );
	assert_int_equal( seen.light_count, 3 );
	assert_ptr_equal( seen.water, NULL );
	assert_true( seen.sky->dark );
	NEAR( lights[0].level, 0.75, 0 );
	assert_ptr_equal( lights[0].lamp, &lantern_lamp );
	assert_int_equal( lights[0].body, rov );
	assert_int_equal( lights[1].body, fixed );
	double command;
	OK( ds_actuator_command( world, a, &command, 1 ) );
	NEAR( command, 0.75, 0 );

	// by command; also on what never moves
	const double full = 1, none = 0;
	OK( ds_actuator_set( world, a, &none, 1 ) );
	OK( ds_actuator_set( world, b, &full, 1 ) );
	OK( ds_world_step( world, 10 ) );
	assert_int_equal( seen.light_count, 2 );
	NEAR( lights[0].level, 1, 0 );
	assert_int_equal( lights[0].body, fixed );
	NEAR3( lights[0].pose.position, ds_v3( 5, 0, 0 ), 0 );
	NEAR( lights[1].level, 0.75, 0 );
	ds_effort effort;
	OK( ds_actuator_effort( world, c, &effort ) );
	NEAR( effort.light, 0.75, 0 );
	NEAR( effort.electric_power, 75, 1e-12 );

	// where it is and how it moves
	const ds_body_motion m = kit_motion( world, rov );
	const ds_vec3 place = ds_pose_point( m.pose, ds_v3( 0, 1, 0 ) );
	NEAR3( lights[1].pose.position, place, 1e-12 );
	NEAR3( ds_rotate( lights[1].pose.attitude, ds_v3( 1, 0, 0 ) ), ds_rotate( m.pose.attitude, ds_v3( -1, 0, 0 ) ),
		1e-12 );
	const ds_vec3 w = m.velocity_world.angular;
	NEAR3( lights[1].velocity.linear,
		ds_add( m.velocity_world.linear, ds_cross( w, ds_sub( place, m.pose.position ) ) ), 1e-12 );
	NEAR3( lights[1].velocity.angular, w, 1e-12 );

	// snapshot, restore, clone, reset
	const size_t size = ds_world_save_size( world );
	void *bytes = malloc( size );
	OK( ds_world_save( world, bytes, size ) );
	OK( ds_actuator_set( world, a, &full, 1 ) );
	OK( ds_world_step( world, 10 ) );
	assert_int_equal( seen.light_count, 3 );
	OK( ds_world_restore( world, bytes, size ) );
	ds_world *clone;
	OK( ds_world_clone( world, &clone ) );
	OK( ds_world_step( world, 10 ) );
	assert_int_equal( seen.light_count, 2 );
	const ds_light before = lights[1];
	OK( ds_world_step( clone, 10 ) );
	assert_int_equal( seen.light_count, 2 );
	assert_memory_equal( &before.pose, &lights[1].pose, sizeof( before.pose ) );
	NEAR( lights[1].level, 0.75, 0 );
	ds_world_destroy( clone );
	OK( ds_world_reset( world, 1 ) );
	OK( ds_world_step( world, 0 ) );
	assert_int_equal( seen.light_count, 3 );
	NEAR( lights[0].level, 0.75, 0 );
	OK( ds_actuator_destroy( world, a ) );
	OK( ds_world_step( world, 10 ) );
	assert_int_equal( seen.light_count, 2 );
	free( bytes );
	ds_world_destroy( world );
}

static void test_water_and_sky( void **state )
{
	(void)state;
	ds_world *world = make_world( true );
	ds_body_def def = kit_point( "rov", 10, 1, 1, 1 );
	ds_id rov;
	OK( ds_body_create( world, &def, &rov ) );
	kit_looker( world, rov );
	OK( ds_world_step( world, 0 ) );
	assert_int_equal( seen.light_count, 0 );
	assert_non_null( seen.water );
	assert_true( ds_water_optics_at( seen.water, 10, 450 ).c > 0.01 );
	ds_world *clone;
	OK( ds_world_clone( world, &clone ) );
	const ds_water_optics *water = seen.water;
	ds_world_destroy( world );
	OK( ds_world_step( clone, 10 ) );
	assert_ptr_equal( seen.water, water ); // shared
	assert_true( ds_water_optics_at( seen.water, 10, 450 ).c > 0.01 );
	ds_world_destroy( clone );
}

static void test_wrong_environments( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	ds_world_def def = ds_world_def_default();
	ds_world *world;
	def.environment = &e;
	e.optics.turbidity = -1;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "environment: water: optics: " );
	e.optics.turbidity = 1;
	e.seabed_look.roughness = NAN;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_NOT_FINITE, "environment: seabed: appearance: roughness" );
}

// A reading is there when its exposure has ended, and its latency has passed.
static void test_delay( void **state )
{
	(void)state;
	ds_world *world = make_world( false );
	ds_body_def def = kit_point( "rov", 10, 1, 1, 1 );
	ds_id rov;
	OK( ds_body_create( world, &def, &rov ) );
	ds_sensor_def sensor = ds_sensor_def_default();
	snprintf( sensor.name, sizeof( sensor.name ), "eye" );
	snprintf( sensor.type, sizeof( sensor.type ), "looker" );
	sensor.body = rov;
	sensor.rate = 10;
	sensor.latency = 0.1;
	sensor.queue = 1;
	ds_id eye;
	OK( ds_sensor_create( world, &sensor, &eye ) );
	looker_reading reading;
	ds_sample_header header;
	OK( ds_world_step( world, 17 ) ); // 0.34 s
	FAILS( ds_sensor_latest( world, eye, &header, &reading, sizeof( reading ) ), DS_ERROR_EMPTY, "eye" );
	OK( ds_world_step( world, 1 ) );
	OK( ds_sensor_latest( world, eye, &header, &reading, sizeof( reading ) ) );
	assert_int_equal( header.time, 0 );
	assert_int_equal( header.available, 350000000 );
	for ( int i = 1; i < 40; ++i )
	{
		OK( ds_world_step( world, 5 ) );
		OK( ds_sensor_latest( world, eye, &header, &reading, sizeof( reading ) ) );
		assert_int_equal( header.sequence, i );
	}
	ds_world_destroy( world );
}

int main( void )
{
	if ( ds_rays_open( NULL ) == DS_ERROR_UNSUPPORTED )
	{
		return 77;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_levels ),
		cmocka_unit_test( test_water_and_sky ),
		cmocka_unit_test( test_wrong_environments ),
		cmocka_unit_test( test_delay ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

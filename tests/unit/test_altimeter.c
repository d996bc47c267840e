// The altimeter: its rays and its readings, alone and over ground.

#include "sensors/altimeter.h"
#include "world_kit.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static ds_altimeter_config config_of( const char *json )
{
	ds_altimeter_config config;
	OK( ds_table_parse( &ds_altimeter_config_table, json, &config ) );
	return config;
}

// Unit, within the cone, the first along its axis, the outermost on its edge, their sum along the axis.
static void test_rays_fill_the_cone( void **state )
{
	(void)state;
	for ( int64_t count = 1; count <= DS_ALTIMETER_MAX_RAYS; ++count )
	{
		ds_vec3 rays[DS_ALTIMETER_MAX_RAYS], sum = ds_v3( 0, 0, 0 );
		double beam = 20 * DEGREE, widest = 0;
		ds_altimeter_rays( beam, count, rays );
		NEAR3( rays[0], ds_v3( 0, 0, 1 ), 0 );
		for ( int64_t i = 0; i < count; ++i )
		{
			NEAR( ds_length( rays[i] ), 1, 1e-15 );
			widest = fmax( widest, acos( fmin( rays[i].z, 1 ) ) );
			sum = ds_add( sum, rays[i] );
		}
		NEAR( widest, count > 1 ? 0.5 * beam : 0, 1e-7 );
		if ( count != 2 && ( count - 1 ) % 6 != 1 ) // a ring of one has no balance
		{
			NEAR( hypot( sum.x, sum.y ), 0, 1e-12 );
		}
	}
}

static void test_readings( void **state )
{
	(void)state;
	ds_altimeter reading;
	ds_altimeter_config c = config_of( "{ \"minimum\": 1, \"maximum\": 50, \"noise\": 0.5, \"resolution\": 0.25 }" );
	ds_altimeter_measure( &c, 10, 1500, 0.4, &reading );
	assert_true( reading.valid );
	NEAR( reading.range, 10.25, 0 ); // 10.2 to the nearest quarter
	ds_altimeter_measure( &c, 0.8, 1500, 0, &reading );
	assert_true( !reading.valid && reading.range == 0 );
	ds_altimeter_measure( &c, 51, 1500, 0, &reading );
	assert_true( !reading.valid && reading.range == 0 );
}

static void test_sound_speed_scales( void **state )
{
	(void)state;
	ds_altimeter reading;
	ds_altimeter_config c = config_of( "{ \"sound_speed\": 1500 }" );
	ds_altimeter_measure( &c, 30, 1550, 0, &reading );
	NEAR( reading.range, 30 * 1500.0 / 1550.0, 1e-12 );
	ds_altimeter_measure( &c, -1, 1550, 0, &reading );
	assert_true( !reading.valid && reading.range == 0 );
	FAILS( ds_table_parse( &ds_altimeter_config_table, "{ \"minimum\": 5, \"maximum\": 5 }", &c ), DS_ERROR_RANGE,
		"minimum must be below maximum" );
}

// Over a slope of 30 degrees, level: a single ray meets it below; a cone of 60 degrees also across it, at the foot of the normal.
static void test_over_a_slope( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *terrain;
	OK( ds_terrain_plane( 100, 30 * DEGREE, 0, NULL, &terrain ) );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	ds_world *world = kit_world( 100, &e );
	ds_terrain_release( terrain );
	ds_body_def def = kit_point( "body", 1, 1, 1, 1 );
	def.hydrodynamics.model = DS_HYDRO_NONE;
	def.fixed = true;
	def.pose.position.z = 60;
	ds_id body, sensors[3];
	OK( ds_body_create( world, &def, &body ) );
	const double beams[3] = { 0, 60 * DEGREE, 60 * DEGREE };
	const double expected[3] = { 40, 40 * cos( 30 * DEGREE ), 0 };
	for ( int i = 0; i < 3; ++i )
	{
		ds_altimeter_config c = config_of( "{ \"rays\": 61 }" );
		c.beam = beams[i];
		ds_sensor_def sensor = ds_sensor_def_default();
		snprintf( sensor.name, sizeof( sensor.name ), "altimeter%d", i );
		snprintf( sensor.type, sizeof( sensor.type ), "altimeter" );
		sensor.body = body;
		sensor.config = &c;
		// the third looks up
		sensor.mount.attitude = ds_quat_from_rpy( ds_v3( i == 2 ? DS_PI : 0, 0, 0 ) );
		OK( ds_sensor_create( world, &sensor, sensors + i ) );
	}
	OK( ds_world_step( world, 1 ) );
	for ( int i = 0; i < 3; ++i )
	{
		ds_sample_header header;
		ds_altimeter reading;
		OK( ds_sensor_latest( world, sensors[i], &header, &reading, sizeof( reading ) ) );
		assert_int_equal( reading.valid, expected[i] > 0 );
		NEAR( reading.range, expected[i], 1e-5 * 40 );
	}
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_rays_fill_the_cone ),
		cmocka_unit_test( test_readings ),
		cmocka_unit_test( test_sound_speed_scales ),
		cmocka_unit_test( test_over_a_slope ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

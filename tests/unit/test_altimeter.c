// The altimeter: its rays and its readings, alone and over ground.

#include "sea_kit.h"
#include "sensor_kit.h"
#include "sensors/altimeter.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static ds_altimeter_config config_of( const char *json )
{
	ds_altimeter_config config;
	OK( ds_table_parse( &ds_altimeter_options, json, &config ) );
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
	ds_altimeter_step( &c, 10, 1500, 0.4, &reading );
	assert_true( reading.valid );
	NEAR( reading.range, 10.25, 0 ); // 10.2 to the nearest quarter
	ds_altimeter_step( &c, 0.8, 1500, 0, &reading );
	assert_true( !reading.valid && reading.range == 0 );
	ds_altimeter_step( &c, 51, 1500, 0, &reading );
	assert_true( !reading.valid && reading.range == 0 );
}

static void test_sound_speed_scales( void **state )
{
	(void)state;
	ds_altimeter reading;
	ds_altimeter_config c = config_of( "{ \"sound_speed\": 1500 }" );
	ds_altimeter_step( &c, 30, 1550, 0, &reading );
	NEAR( reading.range, 30 * 1500.0 / 1550.0, 1e-12 );
	ds_altimeter_step( &c, -1, 1550, 0, &reading );
	assert_true( !reading.valid && reading.range == 0 );
	FAILS( ds_table_parse( &ds_altimeter_options, "{ \"minimum\": 5, \"maximum\": 5 }", &c ), DS_ERROR_RANGE,
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

static void test_options( void **state )
{
	(void)state;
	kit_check_ranges( &ds_altimeter_options, "" );
}

// White noise, part of it growing with range; the variance that the reading says.
static void test_noise( void **state )
{
	(void)state;
	ds_altimeter_config c = config_of( "{ \"noise\": 0.03, \"noise_ratio\": 0.01, \"bias\": 0.2 }" );
	const double distances[2] = { 4, 40 };
	for ( int k = 0; k < 2; ++k )
	{
		ds_altimeter_truth truth = { distances[k], 1500 };
		kit_moments m = { 0 };
		double deviation = hypot( 0.03, 0.01 * distances[k] );
		for ( uint64_t i = 0; i < 40000; ++i )
		{
			ds_random stream = ds_random_stream( 1, "altimeter", DS_RANDOM_SAMPLE, i );
			ds_altimeter r;
			ds_altimeter_measure( &c, &truth, &stream, &r );
			assert_true( r.valid );
			NEAR( r.variance, deviation * deviation, 1e-12 );
			kit_take( &m, r.range - distances[k] );
		}
		KIT_NORMAL( m, 0.2, deviation );
	}
}

// Dropouts and outliers come as often as they should, and leave the other readings as they are; outliers lie anywhere in the range.
static void test_dropouts_and_outliers( void **state )
{
	(void)state;
	ds_altimeter_config clean = config_of( "{ \"minimum\": 1, \"maximum\": 101, \"noise\": 0.01 }" ), c = clean;
	c.dropout_rate = 0.05;
	c.outlier_rate = 0.02;
	ds_altimeter_truth truth = { 20, 1500 }, nothing = { -1, 1500 };
	double lost = 0, outliers = 0, ghosts = 0, n = 50000;
	kit_moments m = { 0 };
	for ( uint64_t i = 0; i < (uint64_t)n; ++i )
	{
		ds_random stream = ds_random_stream( 1, "altimeter", DS_RANDOM_SAMPLE, i );
		ds_altimeter a, b, none;
		ds_altimeter_measure( &clean, &truth, &stream, &a );
		ds_altimeter_measure( &c, &truth, &stream, &b );
		ds_altimeter_measure( &c, &nothing, &stream, &none );
		lost += !b.valid;
		ghosts += none.valid;
		if ( b.valid && b.range != a.range )
		{
			outliers += 1;
			kit_take( &m, b.range );
			assert_true( b.range >= 1 && b.range <= 101 );
		}
	}
	NEAR( lost, n * 0.05 * 0.98, 4.5 * sqrt( n * 0.05 ) );
	NEAR( outliers, n * 0.02, 4.5 * sqrt( n * 0.02 ) );
	assert_true( ghosts == outliers );
	NEAR( m.mean, 51, 4.5 * 100 / sqrt( 12 * outliers ) );
	NEAR( kit_deviation( &m ), 100 / sqrt( 12 ), 1.5 );
}

// Over a slope of 30 degrees a ray straight down meets it at 30 degrees: no echo where that is too flat. In a cone of 80 degrees the
// nearest point that sends one back is the foot of the normal.
static void test_incidence( void **state )
{
	(void)state;
	static const struct
	{
		const char *config;
		double range;
	} cases[] = { { "{ \"incidence_deg\": 31 }", 40 }, { "{ \"incidence_deg\": 29 }", 0 },
		{ "{ \"incidence_deg\": 5, \"beam_deg\": 60, \"rays\": 61 }", 40 * 0.8660254037844386 } };
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *terrain;
	OK( ds_terrain_plane( 100, 30 * DEGREE, 0, NULL, &terrain ) );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	for ( int i = 0; i < 3; ++i )
	{
		kit_memory memory = { 0, 0 };
		kit_life life = { .type = "altimeter", .config = cases[i].config, .environment = &e, .start = { 0, 0, 60 } };
		ds_world *world = kit_life_world( &life, &memory, 1 );
		ds_id id = kit_add_sensor( world, &life, "altimeter" );
		OK( ds_world_step( world, 0 ) );
		ds_altimeter r;
		OK( ds_sensor_latest( world, id, NULL, &r, sizeof( r ) ) );
		assert_int_equal( r.valid, cases[i].range > 0 );
		NEAR( r.range, cases[i].range, 1e-5 * 40 );
		ds_world_destroy( world );
	}
	ds_terrain_release( terrain );
}

// Sound does not leave the water: 20 m of it are heard from below its surface, not from the air above.
static void test_in_the_air( void **state )
{
	(void)state;
	for ( int in_air = 0; in_air < 2; ++in_air )
	{
		char rest[512];
		snprintf( rest, sizeof( rest ),
			", 'rate': 20, 'duration': 1, 'bodies': [ { 'name': 'b', 'mass': 10, 'inertia': [1, 1, 1], 'fixed': true, "
			"'pose': { 'position': [0, 0, %d] } } ], 'sensors': [ { 'name': 's', 'body': 'b', 'rate': 4, 'type': "
			"'altimeter' } ]",
			in_air ? -5 : 5 );
		ds_world *world = sea_world( "{ 'seabed': { 'elevation': { 'model': 'flat', 'depth': 20 } } }", rest );
		OK( ds_world_step( world, 1 ) );
		ds_id id;
		ds_altimeter r;
		OK( ds_world_find( world, DS_SENSOR, "s", &id ) );
		OK( ds_sensor_latest( world, id, NULL, &r, sizeof( r ) ) );
		assert_int_equal( r.valid, !in_air );
		NEAR( r.range, in_air ? 0 : 15, 1e-9 );
		ds_world_destroy( world );
	}
}

static void test_life( void **state )
{
	(void)state;
	kit_life life = { .type = "altimeter",
		.config = "{ \"noise\": 0.05, \"beam_deg\": 10, \"dropout_rate\": 0.1, \"outlier_rate\": 0.1 }",
		.start = { 0, 0, 150 } };
	kit_sensor_life( &life, true );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_rays_fill_the_cone ),
		cmocka_unit_test( test_readings ),
		cmocka_unit_test( test_sound_speed_scales ),
		cmocka_unit_test( test_over_a_slope ),
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_noise ),
		cmocka_unit_test( test_dropouts_and_outliers ),
		cmocka_unit_test( test_incidence ),
		cmocka_unit_test( test_in_the_air ),
		cmocka_unit_test( test_life ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

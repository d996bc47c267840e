// Bodies on soil in a world: sinkage, rest at any rate, slopes, joints, snapshots, running gear.

#include "world_kit.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

// Vacuum over soil: a plane at z = 0 that falls to the north.
static ds_environment_def ground_of( const char *soil, double slope )
{
	ds_environment_def e = kit_vacuum( 9.81 );
	const ds_soil_set *set = ds_soil_find( soil );
	assert_non_null( set );
	e.has_soil = true;
	e.soil = set->soil;
	e.seabed = DS_SEABED_FLAT;
	if ( slope != 0 )
	{
		e.seabed = DS_SEABED_TERRAIN;
		ds_terrain *terrain;
		OK( ds_terrain_plane( 0, slope, 0, NULL, &terrain ) );
		e.terrain = terrain;
	}
	return e;
}

static ds_world *world_on( double rate, ds_environment_def *e )
{
	ds_world *world = kit_world( rate, e );
	ds_terrain_release( (ds_terrain *)(uintptr_t)e->terrain );
	e->terrain = NULL;
	return world;
}

// A box that stands on its face `size.x` by `size.y`, its base `height` above z = 0.
static ds_id add_box( ds_world *world, const char *name, ds_vec3 size, double mass, double height )
{
	ds_mesh *mesh = kit_box( size.x, size.y, size.z );
	ds_body_def def = kit_hull( name, mesh, mass );
	def.pose.position.z = -height - 0.5 * size.z;
	def.soil_spacing = 0.1; // coarse, for speed: what a flat face bears does not depend on it
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	ds_mesh_release( mesh );
	return id;
}

static double base_of( const ds_world *world, ds_id id, double height )
{
	return kit_motion( world, id ).pose.position.z + 0.5 * height;
}

// Reference case P12, settled in a world.
static void test_plate_sinks_as_bekker_says( void **state )
{
	(void)state;
	ds_environment_def e = ground_of( "dry_sand", 0 );
	e.soil.damping = 1e6; // sinks so slowly that it does not swing past
	ds_world *world = world_on( 200, &e );
	ds_id plate = add_box( world, "plate", ds_v3( 0.5, 0.2, 0.1 ), 2000 / 9.81, 0 );
	OK( ds_world_step( world, 200 * 20 ) );
	NEAR( base_of( world, plate, 0.1 ), 0.019351, 0.01 * 0.019351 );
	ds_body_forces f;
	OK( ds_body_forces_get( world, plate, &f ) );
	NEAR( f.soil.force.z, -2000, 1 );
	NEAR( ds_length( kit_motion( world, plate ).velocity_world.linear ), 0, 1e-4 );
	ds_world_destroy( world );
}

// Dropped from 0.1 m: at rest, no shallower than the static sinkage, and the same at all rates.
static void test_drop_comes_to_rest_at_any_rate( void **state )
{
	(void)state;
	static const char *const soils[] = { "dry_sand", "clayey_soil", "deep_sea_clay" };
	static const double rates[] = { 50, 100, 500, 2000 };
	for ( size_t s = 0; s < sizeof( soils ) / sizeof( soils[0] ); ++s )
	{
		double first = 0;
		for ( size_t r = 0; r < sizeof( rates ) / sizeof( rates[0] ); ++r )
		{
			ds_environment_def e = ground_of( soils[s], 0 );
			double mass = 20, still = ds_soil_sinkage( &e.soil, 0.2, mass * 9.81 / 0.1 );
			ds_world *world = world_on( rates[r], &e );
			ds_id plate = add_box( world, "plate", ds_v3( 0.5, 0.2, 0.1 ), mass, 0.1 );
			OK( ds_world_step( world, (int64_t)( 5 * rates[r] ) ) );
			double sinkage = base_of( world, plate, 0.1 );
			first = r == 0 ? sinkage : first;
			NEAR( ds_length( kit_motion( world, plate ).velocity_world.linear ), 0, 1e-3 );
			if ( !( sinkage >= 0.99 * still ) )
			{
				fail_msg(
					"%s, %g Hz: %g m is less than the static sinkage of %g m", soils[s], rates[r], sinkage, still );
			}
			NEAR( sinkage, first, 0.05 * first );
			ds_world_destroy( world );
		}
	}
}

// A box on a slope stands still below the strength of the soil, and slides above it.
static void test_slope_holds_or_not( void **state )
{
	(void)state;
	for ( int slides = 0; slides < 2; ++slides )
	{
		ds_environment_def e = ground_of( "dry_sand", 0 );
		e.soil.cohesion = 0;
		e.soil.friction = 28 * DEGREE;
		double slope = ( slides ? 32 : 15 ) * DEGREE;
		ds_terrain *terrain;
		OK( ds_terrain_plane( 0, slope, 0, NULL, &terrain ) );
		e.seabed = DS_SEABED_TERRAIN;
		e.terrain = terrain;
		ds_world *world = world_on( 100, &e );
		ds_mesh *mesh = kit_box( 0.5, 0.5, 0.1 );
		ds_body_def def = kit_hull( "box", mesh, 50 );
		def.soil_spacing = 0.1;
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 0, -slope, 0 ) );
		def.pose.position = ds_scale( -0.05, ds_v3( -sin( slope ), 0, cos( slope ) ) );
		ds_id box;
		OK( ds_body_create( world, &def, &box ) );
		ds_mesh_release( mesh );
		OK( ds_world_step( world, 100 * 10 ) );
		ds_vec3 before = kit_motion( world, box ).pose.position;
		OK( ds_world_step( world, 100 * 20 ) );
		double way = ds_length( ds_sub( kit_motion( world, box ).pose.position, before ) );
		if ( slides ? way < 1 : way > 1e-3 )
		{
			fail_msg( "on %g degrees it went %g m", slope / DEGREE, way );
		}
		ds_world_destroy( world );
	}
}

// What is welded to a plate sinks it as its own weight would: soil and joints know of each other.
static void test_load_on_a_joint_presses( void **state )
{
	(void)state;
	ds_environment_def e = ground_of( "dry_sand", 0 );
	e.soil.damping = 1e6;
	ds_world *world = world_on( 200, &e );
	ds_id plate = add_box( world, "plate", ds_v3( 0.5, 0.2, 0.1 ), 4, 0 );
	ds_body_def load = kit_point( "load", 2000 / 9.81 - 4, 10, 10, 10 );
	load.pose.position.z = -0.5;
	ds_id body, joint;
	OK( ds_body_create( world, &load, &body ) );
	ds_joint_def def = ds_joint_def_default();
	snprintf( def.name, sizeof( def.name ), "weld" );
	def.body_a = plate;
	def.body_b = body;
	OK( ds_joint_create( world, &def, &joint ) );
	OK( ds_world_step( world, 200 * 20 ) );
	NEAR( base_of( world, plate, 0.1 ), 0.019351, 0.02 * 0.019351 );
	ds_world_destroy( world );
}

// A crawler of two tracks on soil that keeps ruts.
static ds_world *crawler( double rate, bool deformable )
{
	ds_environment_def e = ground_of( "dry_sand", 0 );
	e.deformable = deformable;
	e.rut_memory = 4e6;
	ds_world *world = world_on( rate, &e );
	ds_id body = add_box( world, "crawler", ds_v3( 1.5, 0.6, 0.4 ), 200, 0.25 );
	static const char *const names[] = { "port", "starboard" };
	for ( int i = 0; i < 2; ++i )
	{
		ds_actuator_def track = ds_actuator_def_default();
		snprintf( track.name, sizeof( track.name ), "%s", names[i] );
		snprintf( track.type, sizeof( track.type ), "track" );
		track.body = body;
		track.mount.position = ds_v3( 0, i ? 0.45 : -0.45, 0.3 );
		ds_track_config config;
		config = ( ds_track_config ){ .length = 1.2,
			.radius = 0.15,
			.width = 0.2,
			.speed = 1,
			.torque = 500,
			.efficiency = 0.7,
			.inertia = 0.5,
			.pads = 96,
			.lanes = 3 };
		track.config = &config;
		ds_id id;
		OK( ds_actuator_create( world, &track, &id ) );
	}
	return world;
}

static void drive( ds_world *world, double port, double starboard )
{
	ds_id id;
	OK( ds_world_find( world, DS_ACTUATOR, "port", &id ) );
	OK( ds_actuator_set( world, id, &port, 1 ) );
	OK( ds_world_find( world, DS_ACTUATOR, "starboard", &id ) );
	OK( ds_actuator_set( world, id, &starboard, 1 ) );
}

static ds_track reading_of( const ds_world *world, const char *name )
{
	ds_id id;
	ds_sample_header header;
	ds_track reading;
	OK( ds_world_find( world, DS_ACTUATOR, name, &id ) );
	OK( ds_sensor_latest( world, id, &header, &reading, sizeof( reading ) ) );
	return reading;
}

static void test_crawler_drives_straight_and_turns( void **state )
{
	(void)state;
	ds_world *world = crawler( 200, false );
	OK( ds_world_step( world, 200 * 2 ) );
	drive( world, 0.3, 0.3 );
	OK( ds_world_step( world, 200 * 10 ) );
	ds_id body = ds_world_at( world, DS_BODY, 0 );
	ds_body_motion m = kit_motion( world, body );
	NEAR( m.velocity_body.linear.x, 0.3, 0.003 ); // nothing but its rolling resistance to overcome
	NEAR( m.pose.position.y, 0, 1e-5 );
	ds_track port = reading_of( world, "port" ), starboard = reading_of( world, "starboard" );
	NEAR( port.drawbar_pull, starboard.drawbar_pull, 1e-6 * port.normal_force );
	NEAR( port.side_force, -starboard.side_force, 1e-6 * port.normal_force );
	NEAR( port.slip, 0, 0.01 );
	NEAR( port.normal_force + starboard.normal_force, 200 * 9.81, 0.05 * 200 * 9.81 );
	drive( world, 0.3, -0.3 );
	double yaw = m.rpy.z;
	OK( ds_world_step( world, 200 * 3 ) );
	assert_true( kit_motion( world, body ).rpy.z - yaw > 0.2 ); // port ahead: to starboard
	ds_world_destroy( world );
}

// Save, restore into the same and into a clone, reset: all go on bit for bit, ruts and belts included.
static void test_snapshots_hold_the_soil( void **state )
{
	(void)state;
	for ( int deformable = 0; deformable < 2; ++deformable )
	{
		ds_world *world = crawler( 100, deformable );
		drive( world, 0.3, 0.2 );
		OK( ds_world_step( world, 300 ) );
		size_t size = ds_world_save_size( world );
		void *bytes = malloc( size );
		OK( ds_world_save( world, bytes, size ) );
		ds_world *clone;
		OK( ds_world_clone( world, &clone ) );
		OK( ds_world_step( world, 200 ) );
		ds_body_motion end = kit_motion( world, ds_world_at( world, DS_BODY, 0 ) );
		OK( ds_world_step( clone, 200 ) );
		ds_body_motion other = kit_motion( clone, ds_world_at( clone, DS_BODY, 0 ) );
		assert_memory_equal( &end, &other, sizeof( end ) );
		OK( ds_world_restore( world, bytes, size ) );
		OK( ds_world_step( world, 200 ) );
		other = kit_motion( world, ds_world_at( world, DS_BODY, 0 ) );
		assert_memory_equal( &end, &other, sizeof( end ) );
		OK( ds_world_reset( world, 0 ) );
		drive( world, 0.3, 0.2 );
		OK( ds_world_step( world, 500 ) );
		other = kit_motion( world, ds_world_at( world, DS_BODY, 0 ) );
		assert_memory_equal( &end, &other, sizeof( end ) );
		free( bytes );
		ds_world_destroy( clone );
		ds_world_destroy( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_plate_sinks_as_bekker_says ),
		cmocka_unit_test( test_drop_comes_to_rest_at_any_rate ),
		cmocka_unit_test( test_slope_holds_or_not ),
		cmocka_unit_test( test_load_on_a_joint_presses ),
		cmocka_unit_test( test_crawler_drives_straight_and_turns ),
		cmocka_unit_test( test_snapshots_hold_the_soil ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Rigid contact of bodies with terrain in a world: rest on a plane, a grid and a mesh of the same ground, above 33 million
// triangles, beside the edge, from below, far from the origin.

#include "world_kit.h"

static const double SLOPE = 0.1; // of the ground [rad], towards north

// A grid about (north, east) of the plane z = 50 + tan( SLOPE ) north.
static ds_terrain *slope_grid( double north, double east, int64_t samples, double spacing )
{
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.rows = def.columns = samples;
	def.spacing_north = def.spacing_east = spacing;
	def.north = north - 0.5 * spacing * (double)( samples - 1 );
	def.east = east - 0.5 * spacing * (double)( samples - 1 );
	double *z = malloc( sizeof( double ) * (size_t)( samples * samples ) );
	assert_non_null( z );
	for ( int64_t i = 0; i < samples * samples; ++i )
	{
		z[i] = 50 + tan( SLOPE ) * ( def.north - north + spacing * (double)( i / samples ) );
	}
	def.z = z;
	ds_terrain *terrain;
	OK( ds_terrain_grid( &def, NULL, &terrain ) );
	free( z );
	return terrain;
}

static ds_world *world_on( const ds_terrain *terrain )
{
	ds_environment_def e = kit_vacuum( 9.81 );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	e.seabed_friction = 1;
	return kit_world( 200, &e );
}

// A box of 1 x 0.8 x 0.4 m and 100 kg.
static ds_id add_box( ds_world *world, double north, double east, double z )
{
	static const ds_shape_def box = { .kind = DS_SHAPE_BOX, .size = { 1, 0.8, 0.4 } };
	ds_body_def def = kit_point( "box", 100, 6.67, 9.67, 11.67 );
	def.collision = DS_COLLISION_SHAPES;
	def.shapes = &box;
	def.shape_count = 1;
	def.friction = 1;
	def.pose.position = ds_v3( north, east, z );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	return id;
}

// How far the box's middle is above the sloping plane through z = 50 at `north`, less half its height.
static double gap_of( ds_vec3 position, double north )
{
	return ( 50 + tan( SLOPE ) * ( position.x - north ) - position.z ) * cos( SLOPE ) - 0.2;
}

static void expect_rest( ds_world *world, ds_id box, double north, double tolerance )
{
	ds_body_motion motion = kit_motion( world, box );
	ds_body_forces forces;
	OK( ds_body_forces_get( world, box, &forces ) );
	NEAR( gap_of( motion.pose.position, north ), 0, tolerance );
	ds_vec3 down = ds_rotate( motion.pose.attitude, ds_v3( 0, 0, 1 ) );
	NEAR3( down, ds_v3( -sin( SLOPE ), 0, cos( SLOPE ) ), tolerance );
	NEAR( ds_length( motion.velocity_world.linear ), 0, 1e-6 );
	NEAR( ds_length( forces.contact.force ), 981, 1e-3 );
}

// The same slope as a plane, a grid and a mesh, with the box dropped and from below.
static void rests_on_every_terrain( void **state )
{
	(void)state;
	for ( int kind = 0; kind < 3; ++kind )
	{
		for ( int below = 0; below < 2; ++below )
		{
			ds_terrain *terrain;
			if ( kind == 0 )
			{
				OK( ds_terrain_plane( 50, SLOPE, 0, NULL, &terrain ) );
			}
			else if ( kind == 1 )
			{
				terrain = slope_grid( 0, 0, 101, 0.4 );
			}
			else
			{
				// The upper side of a slab is the ground.
				ds_mesh *slab = kit_box( 40, 40, 10 );
				ds_pose pose = { ds_v3( 5 * sin( -SLOPE ), 0, 50 + 5 * cos( SLOPE ) ),
					ds_quat_from_rpy( ds_v3( 0, -SLOPE, 0 ) ) };
				OK( ds_terrain_mesh( slab, pose, NULL, &terrain ) );
				ds_mesh_release( slab );
			}
			ds_world *world = world_on( terrain );
			ds_id box = add_box( world, 0.1, 0.2, below ? 50.7 : 49.5 );
			OK( ds_world_step( world, 1200 ) );
			expect_rest( world, box, 0, kind == 1 ? 1e-5 : 1e-6 );
			ds_world_destroy( world );
			ds_terrain_release( terrain );
		}
	}
}

// Rest on 33 million triangles, 1000 km away; and a box beside them falls on.
static void rests_on_many_triangles( void **state )
{
	(void)state;
	const double north = 1e6, east = -1e6;
	ds_terrain *terrain = slope_grid( north, east, 4097, 1 );
	ds_world *world = world_on( terrain );
	ds_id box = add_box( world, north + 0.3, east + 0.2, 49.5 );
	OK( ds_world_step( world, 1200 ) );
	expect_rest( world, box, north, 1e-4 );
	OK( ds_body_destroy( world, box ) );
	box = add_box( world, north, east + 2049.5, 49.5 );
	OK( ds_world_step( world, 400 ) );
	NEAR( kit_motion( world, box ).pose.position.z, 49.5 + 0.5 * 9.81 * 4, 1e-6 );
	ds_world_destroy( world );
	ds_terrain_release( terrain );
}

// Without friction a box and a ball slide down a grid of floats as down the plane: nothing is felt of 35 cells.
static void slides_down_without_bumps( void **state )
{
	(void)state;
	ds_terrain *terrain = slope_grid( 0, 0, 101, 0.4 );
	for ( int ball = 0; ball < 2; ++ball )
	{
		ds_environment_def e = kit_vacuum( 9.81 );
		e.seabed = DS_SEABED_TERRAIN;
		e.terrain = terrain;
		e.seabed_friction = 0;
		ds_world *world = kit_world( 200, &e );
		const ds_shape_def shape = {
			.kind = ball ? DS_SHAPE_SPHERE : DS_SHAPE_BOX, .size = { 1, 0.8, 0.4 }, .radius = 0.2
		};
		ds_body_def def = kit_point( "slider", 100, 6.67, 9.67, 11.67 );
		def.collision = DS_COLLISION_SHAPES;
		def.shapes = &shape;
		def.shape_count = 1;
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 0, -SLOPE, 0 ) );
		ds_vec3 start = ds_v3( 12 + 0.2 * sin( SLOPE ), 0.13, 50 + 12 * tan( SLOPE ) - 0.2 * cos( SLOPE ) );
		def.pose.position = start;
		// Uphill, to the top and down again.
		def.velocity.linear = ds_v3( -3 * cos( SLOPE ), 0, -3 * sin( SLOPE ) );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		for ( int k = 1; k <= 8; ++k )
		{
			OK( ds_world_step( world, 200 ) );
			ds_body_motion motion = kit_motion( world, id );
			double way = -3.0 * k + 0.5 * 9.81 * sin( SLOPE ) * k * k;
			ds_vec3 due = ds_mad( start, way, ds_v3( cos( SLOPE ), 0, sin( SLOPE ) ) );
			NEAR3( motion.pose.position, due, 1e-4 );
			NEAR( ds_length( motion.velocity_world.angular ), 0, 1e-4 );
		}
		ds_world_destroy( world );
	}
	ds_terrain_release( terrain );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( rests_on_every_terrain ),
		cmocka_unit_test( rests_on_many_triangles ),
		cmocka_unit_test( slides_down_without_bumps ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

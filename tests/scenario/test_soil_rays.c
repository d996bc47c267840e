// Rays of a world over terrain: spheres, planes, grids and hulls against analytic distances, near the origin and 1000 km off it; many at
// once; after bodies were set and worlds restored. The same numbers hold in a build without Embree, where Bullet answers.

#include "../unit/soil_kit.h"

// The origin is moved 1000 km to the north-west, as far as a grid of heights reaches.
static const ds_vec3 PLACES[] = { { 0, 0, 0 }, { 1e6, -1e6, 0 } };

static uint64_t counter = 1;

static double uniform( void )
{
	counter = counter * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return (double)( counter >> 11 ) / 4503599627370496.0 - 1;
}

static double cast( const ds_world *world, ds_vec3 from, ds_vec3 direction, ds_id *body )
{
	ds_ray_hit hit;
	OK( ds_ray_cast( world, from, direction, 1000, DS_NO_ID, &hit ) );
	if ( body )
	{
		*body = hit.hit ? hit.body : DS_NO_ID;
	}
	if ( hit.hit )
	{
		ds_vec3 unit = ds_scale( 1 / ds_length( direction ), direction );
		NEAR3( hit.point, ds_mad( from, hit.distance, unit ), 1e-9 * ( 1 + ds_length( from ) ) );
		assert_true( ds_dot( hit.normal, unit ) < 0 );
		NEAR( ds_length( hit.normal ), 1, 1e-12 );
	}
	return hit.hit ? hit.distance : -1;
}

static ds_id add_sphere( ds_world *world, double radius, ds_vec3 at )
{
	ds_body_def def = kit_point( "sphere", 10, 1, 1, 1 );
	ds_shape_def shape = { .kind = DS_SHAPE_SPHERE, .radius = radius };
	def.collision = DS_COLLISION_SHAPES;
	def.shapes = &shape;
	def.shape_count = 1;
	def.pose.position = at;
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	return id;
}

// An inclined plane as a grid of cells of 2 m, a sphere of 1.5 m above it.
static void test_plane_and_sphere( void **state )
{
	(void)state;
	const double slope = 10 * DEGREE;
	for ( size_t k = 0; k < 2; ++k )
	{
		ds_vec3 o = PLACES[k];
		ds_soil soil = soil_named( "dry_sand" );
		ds_world *world = soil_world_on( 100, soil_ground( &soil ), soil_grid( slope, 2, 100, o.x, o.y ) );
		ds_vec3 centre = ds_add( o, ds_v3( 3, 4, -12 ) );
		ds_id sphere = add_sphere( world, 1.5, centre );
		OK( ds_world_step( world, 0 ) );
		int spheres = 0, grounds = 0;
		for ( int i = 0; i < 2000; ++i )
		{
			ds_vec3 from = ds_add( o, ds_v3( 20 * uniform(), 20 * uniform(), -20 + 4 * uniform() ) );
			ds_vec3 aim = ds_add( centre, ds_v3( 3 * uniform(), 3 * uniform(), 1 + 3 * uniform() ) );
			ds_vec3 unit = ds_sub( aim, from );
			unit = ds_scale( 1 / ds_length( unit ), unit );
			ds_vec3 to = ds_sub( centre, from );
			double along = ds_dot( to, unit ), off = ds_dot( to, to ) - along * along;
			double normal = tan( slope ) * unit.x - unit.z;
			double plane = ( from.z - tan( slope ) * ( from.x - o.x ) ) / normal;
			double expected = normal < 0 && plane < 1000 ? plane : -1;
			bool is_sphere = along > 0 && off < 1.5 * 1.5 && ( expected < 0 || along - sqrt( 2.25 - off ) < expected );
			expected = is_sphere ? along - sqrt( 2.25 - off ) : expected;
			if ( fabs( off - 2.25 ) < 1e-3 )
			{
				continue; // grazes
			}
			ds_vec3 at = ds_mad( from, expected, unit );
			if ( !is_sphere && ( expected < 0 || fabs( at.x - o.x ) > 99 || fabs( at.y - o.y ) > 99 ) )
			{
				continue; // beyond the grid
			}
			ds_id body;
			double got = cast( world, from, unit, &body );
			NEAR( got, expected, 1e-5 * expected );
			assert_true( is_sphere ? body == sphere : body == DS_NO_ID );
			spheres += is_sphere;
			grounds += !is_sphere;
		}
		assert_true( spheres > 200 && grounds > 200 );
		ds_world_destroy( world );
	}
}

// The surface of a sinusoid's own triangles: where a ray meets, the ground of ds_ground_at lies there, and not before.
static void test_heightfield( void **state )
{
	(void)state;
	ds_terrain_shape shape = ds_terrain_shape_default( DS_TERRAIN_SINUSOID );
	shape.depth = 100;
	shape.size[0] = shape.size[1] = 200;
	shape.spacing = 0.5;
	shape.amplitude = 3;
	shape.wavelength[0] = 17;
	shape.wavelength[1] = 29;
	ds_terrain *terrain;
	OK( ds_terrain_make( &shape, NULL, &terrain ) );
	ds_soil soil = soil_named( "deep_sea_clay" );
	ds_world *world = soil_world_on( 100, soil_ground( &soil ), terrain );
	OK( ds_world_step( world, 0 ) );
	int met = 0;
	for ( int i = 0; i < 2000; ++i )
	{
		ds_vec3 from = ds_v3( 60 * uniform(), 60 * uniform(), 85 + 5 * uniform() );
		ds_vec3 direction = ds_v3( uniform(), uniform(), 0.3 + 0.3 * uniform() + 0.01 );
		double d = cast( world, from, direction, NULL );
		if ( d < 0 )
		{
			continue;
		}
		++met;
		ds_vec3 unit = ds_scale( 1 / ds_length( direction ), direction );
		for ( int k = 1; k <= 64; ++k )
		{
			ds_vec3 p = ds_mad( from, d * k / 64, unit );
			ds_ground_point ground;
			OK( ds_ground_at( world, p.x, p.y, &ground ) );
			double above = ground.z - p.z;
			assert_true( above > -1e-5 * d );
			if ( k == 64 )
			{
				// the way left along the ray, not straight down
				NEAR( above * -ground.normal.z / fmax( 1e-3, fabs( ds_dot( ground.normal, unit ) ) ), 0, 1e-5 * d );
			}
		}
	}
	assert_true( met > 500 );
	ds_world_destroy( world );
}

// A hollow body collides by its convex hull, and so it is met by rays: an L of two boxes has a wall across its corner.
static void test_a_hull_is_met_as_it_collides( void **state )
{
	(void)state;
	for ( int grid = 0; grid < 2; ++grid )
	{
		const ds_vec3 v[] = { { 0, 0, -1 }, { 2, 0, -1 }, { 2, 1, -1 }, { 1, 1, -1 }, { 1, 2, -1 }, { 0, 2, -1 },
			{ 0, 0, 1 }, { 2, 0, 1 }, { 2, 1, 1 }, { 1, 1, 1 }, { 1, 2, 1 }, { 0, 2, 1 } };
		const int32_t t[] = { 0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 5, 4, 6, 7, 8, 6, 8, 9, 6, 9, 10, 6, 10, 11, 0, 1, 7, 0, 7,
			6, 1, 2, 8, 1, 8, 7, 2, 3, 9, 2, 9, 8, 3, 4, 10, 3, 10, 9, 4, 5, 11, 4, 11, 10, 5, 0, 6, 5, 6, 11 };
		ds_mesh *mesh;
		OK( ds_mesh_create( v, 12, t, 20, NULL, NULL, &mesh, NULL ) );
		ds_soil soil = soil_named( "dry_sand" );
		ds_world *world = grid ? soil_world_on( 100, soil_ground( &soil ), soil_grid( 0, 2, 50, 0, 0 ) )
							   : soil_world_on( 100, soil_ground( &soil ), soil_plane( 0 ) );
		ds_body_def def = kit_hull( "angle", mesh, 100 );
		def.collision = DS_COLLISION_HULL;
		def.cg[0] = def.cg[1] = 0.7;
		def.pose.position.z = -10;
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.2, 0.3, 0.4 ) );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		ds_mesh_release( mesh );
		OK( ds_world_step( world, 0 ) );
		const double s = sqrt( 0.5 );
		// from outside, towards the reentrant corner: the hull's wall from (2, 1) to (1, 2)
		ds_vec3 from = ds_pose_point( def.pose, ds_v3( 4.5, 4.5, 0.3 ) ),
				to = ds_rotate( def.pose.attitude, ds_v3( -s, -s, 0 ) );
		ds_id body;
		NEAR( cast( world, from, to, &body ), 3 / s, 1e-5 * 3 / s );
		assert_true( body == id );
		// from within the hull: nothing but the ground
		from = ds_pose_point( def.pose, ds_v3( 1.2, 1.2, 0.3 ) );
		NEAR( cast( world, from, ds_v3( 0, 0, 1 ), &body ), -from.z, 1e-5 * -from.z );
		assert_true( body == DS_NO_ID );
		assert_true( cast( world, from, ds_v3( 0.1, 0, -1 ), &body ) < 0 );
		ds_world_destroy( world );
	}
}

// Many at once are one by one, to the bit.
static void test_many_are_single_ones( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	ds_world *world = soil_world_on( 100, soil_ground( &soil ), soil_grid( 0.1, 0.7, 60, 0, 0 ) );
	add_sphere( world, 2, ds_v3( 0, 0, -6 ) );
	OK( ds_world_step( world, 0 ) );
	enum
	{
		COUNT = 3001
	};
	static ds_vec3 origins[COUNT], directions[COUNT];
	static ds_ray_hit hits[COUNT];
	int met = 0;
	for ( int i = 0; i < COUNT; ++i )
	{
		origins[i] = ds_v3( 9 * uniform(), 9 * uniform(), -20 );
		directions[i] = ds_v3( uniform(), uniform(), 1.5 );
	}
	OK( ds_ray_cast_many( world, COUNT, origins, directions, 40, DS_NO_ID, hits ) );
	for ( int i = 0; i < COUNT; ++i )
	{
		ds_ray_hit one;
		OK( ds_ray_cast( world, origins[i], directions[i], 40, DS_NO_ID, &one ) );
		assert_true( one.hit == hits[i].hit && one.distance == hits[i].distance && one.body == hits[i].body );
		assert_memory_equal( &one.point, &hits[i].point, sizeof( one.point ) );
		assert_memory_equal( &one.normal, &hits[i].normal, sizeof( one.normal ) );
		met += one.hit;
	}
	assert_true( met > COUNT / 2 );
	ds_world_destroy( world );
}

// Rays see where bodies are now: after a set, steps, a restore, a reset, and in a clone.
static void test_rays_follow_bodies( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	ds_world *world = soil_world_on( 100, soil_ground( &soil ), soil_grid( 0, 1, 60, 0, 0 ) );
	ds_id ball = add_sphere( world, 1, ds_v3( 0, 0, -30 ) );
	OK( ds_world_step( world, 0 ) );
	const ds_vec3 above = { 0, 0, -50 }, down = { 0, 0, 1 };
	NEAR( cast( world, above, down, NULL ), 19, 1e-12 );
	size_t size = ds_world_save_size( world );
	void *bytes = malloc( size );
	OK( ds_world_save( world, bytes, size ) );
	OK( ds_world_step( world, 100 ) );
	double fallen = kit_motion( world, ball ).pose.position.z + 30;
	assert_true( fallen > 4 );
	NEAR( cast( world, above, down, NULL ), 19 + fallen, 1e-9 );
	ds_twist still = { { 0, 0, 0 }, { 0, 0, 0 } };
	OK( ds_body_set( world, ball, soil_level( 5, 0, -30 ), still ) );
	NEAR( cast( world, above, down, NULL ), 50, 1e-9 );
	ds_world *clone;
	OK( ds_world_clone( world, &clone ) );
	NEAR( cast( clone, above, down, NULL ), 50, 1e-9 );
	NEAR( cast( clone, ds_v3( 5, 0, -50 ), down, NULL ), 19, 1e-9 );
	OK( ds_world_restore( world, bytes, size ) );
	NEAR( cast( world, above, down, NULL ), 19, 1e-12 );
	OK( ds_world_step( world, 50 ) );
	OK( ds_world_reset( world, 0 ) );
	NEAR( cast( world, above, down, NULL ), 19, 1e-12 );
	free( bytes );
	ds_world_destroy( clone );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_plane_and_sphere ),
		cmocka_unit_test( test_heightfield ),
		cmocka_unit_test( test_a_hull_is_met_as_it_collides ),
		cmocka_unit_test( test_many_are_single_ones ),
		cmocka_unit_test( test_rays_follow_bodies ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

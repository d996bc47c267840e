// What is seen: visuals apart from what collides, materials, normals, instances, velocities, and things that move.

#include "looks_kit.h"
#include "rays_kit.h"

#include <math.h>

// A free body without weight in vacuum.
static ds_body_def floating( const char *name, ds_vec3 position )
{
	ds_body_def def = kit_point( name, 10, 1, 1, 1 );
	def.pose.position = position;
	return def;
}

static ds_visual *sphere_visual( double radius, const double color[3] )
{
	ds_mesh *mesh = kit_sphere( radius, 20 * 32 * 32 );
	ds_material material = ds_material_default();
	memcpy( material.color, color, sizeof( material.color ) );
	material.roughness = 0.25;
	material.metallic = 0.5;
	ds_visual *visual;
	OK( ds_visual_from_mesh( mesh, ds_pose_identity(), &material, NULL, &visual ) );
	ds_mesh_release( mesh );
	return visual;
}

// ---- visuals and what collides ---------------------------------------------------------------------------------------

static void test_visual_apart_from_shape( void **state )
{
	(void)state;
	for ( int terrain = 0; terrain < 2; ++terrain )
	{
		// over terrain rays that collide go by Embree, else by Bullet
		ds_environment_def e = kit_vacuum( 0 );
		ds_terrain *hills = kit_hills( 30, 30, 1, ds_v3( 0, 0, 80 ), false );
		e.seabed = terrain ? DS_SEABED_TERRAIN : DS_SEABED_NONE;
		e.terrain = hills;
		ds_world *world = kit_looks_world( &e, 0 );
		ds_shape_def box = { .kind = DS_SHAPE_BOX, .size = { 2, 2, 2 } };
		const double red[3] = { 0.8, 0.1, 0.05 };
		ds_visual *visual = sphere_visual( 3, red );
		ds_body_def def = floating( "ball", ds_v3( 10, 0, 0 ) );
		def.collision = DS_COLLISION_SHAPES;
		def.shapes = &box;
		def.shape_count = 1;
		def.visual_kind = DS_VISUAL_GIVEN;
		def.visual = visual;
		def.visual_pose.position = ds_v3( 0, 0, -1 );
		def.cg[0] = 0.5;
		ds_id ball;
		OK( ds_body_create( world, &def, &ball ) );
		ds_visual_release( visual );
		OK( ds_world_step( world, 0 ) );

		ds_ray_hit hit;
		OK( ds_ray_cast( world, ds_v3( 0, 0, 0 ), ds_v3( 1, 0, 0 ), 100, DS_NO_ID, &hit ) );
		assert_true( hit.hit );
		NEAR( hit.distance, 9, 1e-6 );
		OK( ds_ray_cast( world, ds_v3( 0, 0, -3 ), ds_v3( 1, 0, 0 ), 100, DS_NO_ID, &hit ) );
		assert_false( hit.hit );

		ds_look look = kit_see( world, kit_look( ds_v3( 0, 0, -1 ), ds_v3( 3, 0, 0 ), 100 ) );
		NEAR( look.distance, 7, 3e-3 ); // facets of the sphere
		assert_int_equal( look.body, ball );
		assert_int_equal( look.instance, 2 );
		NEAR( look.color[0], 0.8, 1e-6 );
		NEAR( look.color[2], 0.05, 1e-6 );
		NEAR( look.roughness, 0.25, 1e-6 );
		NEAR( look.metallic, 0.5, 1e-6 );
		NEAR3( kit_vec( look.facet ), ds_v3( -1, 0, 0 ), 0.03 );
		look = kit_see( world, kit_look( ds_v3( 0, 1.5, -3 ), ds_v3( 1, 0, 0 ), 100 ) );
		NEAR( look.distance, 10 - sqrt( 9 - 2.25 - 4 ), 5e-3 );

		// from inside the back of the triangles is seen, with normals towards the eye
		look = kit_see( world, kit_look( ds_v3( 10, 0, -1 ), ds_v3( 0, 1, 0 ), 100 ) );
		NEAR( look.distance, 3, 3e-3 );
		assert_true( look.facet[1] < 0 && look.normal[1] < 0 );

		// what is left out, and what is out of range
		ds_look_ray ray = kit_look( ds_v3( 0, 0, -1 ), ds_v3( 1, 0, 0 ), 100 );
		ray.ignore = ball;
		assert_true( kit_see( world, ray ).distance < 0 );
		look = kit_see( world, kit_look( ds_v3( 0, 0, -1 ), ds_v3( 1, 0, 0 ), 6.9 ) );
		assert_true( look.distance < 0 && look.instance == 0 && look.body == DS_NO_ID );
		ds_world_destroy( world );
		ds_terrain_release( hills );
	}
}

static void test_own_mesh_and_none( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_looks_world( &e, 0 );
	ds_mesh *box = kit_box( 2, 4, 6 );
	ds_body_def def = floating( "a", ds_v3( 10, 0, 0 ) );
	def.mesh = box;
	def.hydrodynamics.model = DS_HYDRO_NONE;
	def.mesh_pose.position = ds_v3( 0.5, 0, 0 );
	def.material.color[1] = 0.125;
	ds_id a, b;
	OK( ds_body_create( world, &def, &a ) );
	snprintf( def.name, sizeof( def.name ), "b" );
	def.pose.position = ds_v3( 5, 0, 0 );
	def.visual_kind = DS_VISUAL_NONE;
	OK( ds_body_create( world, &def, &b ) );
	OK( ds_world_step( world, 0 ) );
	ds_look look = kit_see( world, kit_look( ds_v3( 0, 0, 0 ), ds_v3( 1, 0, 0 ), 100 ) );
	NEAR( look.distance, 9.5, 1e-9 );
	assert_int_equal( look.body, a );
	NEAR( look.color[1], 0.125, 1e-6 );
	NEAR3( kit_vec( look.normal ), ds_v3( -1, 0, 0 ), 1e-6 );
	assert_string_equal( ds_instance_name( world, 0 ), "water" );
	assert_null( ds_instance_name( world, 1 ) ); // there is no seabed
	assert_string_equal( ds_instance_name( world, 2 ), "a" );
	assert_string_equal( ds_instance_name( world, 3 ), "b" );
	assert_null( ds_instance_name( world, 4 ) );
	assert_null( ds_instance_name( world, -1 ) );
	assert_null( ds_instance_name( world, ( 1 << 23 ) + 1 ) );
	// numbers follow the order of bodies that are left
	OK( ds_body_destroy( world, a ) );
	OK( ds_world_step( world, 0 ) );
	assert_string_equal( ds_instance_name( world, 2 ), "b" );
	assert_true( kit_see( world, kit_look( ds_v3( 0, 0, 0 ), ds_v3( 1, 0, 0 ), 100 ) ).distance < 0 );
	ds_mesh_release( box );
	ds_world_destroy( world );
}

static void test_wrong_definitions( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_looks_world( &e, 0 );
	ds_body_def def = floating( "a", ds_v3( 0, 0, 0 ) );
	ds_id id;
	def.visual_kind = DS_VISUAL_GIVEN;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "body \"a\": a given visual is missing" );
	def.visual_kind = 7;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "visual_kind has no kind 7" );
	def.visual_kind = DS_VISUAL_MESH;
	def.material.roughness = 2;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_RANGE, "body \"a\": material: roughness" );
	def.material.roughness = 1;
	def.visual_pose.position.x = NAN;
	FAILS( ds_body_create( world, &def, &id ), DS_ERROR_NOT_FINITE, "visual_pose" );
	ds_world_destroy( world );
}

// ---- the ground ------------------------------------------------------------------------------------------------------

static void test_flat_seabed( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = 50;
	e.seabed_look.mottling = e.seabed_look.ripple = e.seabed_look.nodule_cover = 0;
	e.seabed_look.color[0] = 0.25;
	ds_world *world = kit_looks_world( &e, 0 );
	OK( ds_world_step( world, 0 ) );
	ds_look look = kit_see( world, kit_look( ds_v3( 3, 4, 10 ), ds_v3( 3, 0, 4 ), 1000 ) );
	NEAR( look.distance, 50, 1e-9 );
	assert_int_equal( look.body, DS_NO_ID );
	assert_int_equal( look.instance, 1 );
	assert_string_equal( ds_instance_name( world, 1 ), "seabed" );
	NEAR( look.color[0], 0.25, 1e-6 );
	NEAR3( kit_vec( look.normal ), ds_v3( 0, 0, -1 ), 1e-6 );
	NEAR3( kit_vec( look.facet ), ds_v3( 0, 0, -1 ), 1e-6 );
	NEAR3( kit_vec( look.velocity ), ds_v3( 0, 0, 0 ), 0 );
	// from below the normals look down
	look = kit_see( world, kit_look( ds_v3( 3, 4, 60 ), ds_v3( 0, 0, -1 ), 1000 ) );
	NEAR( look.distance, 10, 1e-9 );
	NEAR3( kit_vec( look.normal ), ds_v3( 0, 0, 1 ), 1e-6 );
	ds_world_destroy( world );
}

// The smooth normal of a fine grid is the surface's own, and without jumps over its triangles' edges.
static void test_smooth_ground( void **state )
{
	(void)state;
	const double spacing = 0.1;
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *hills = kit_hills( 200, 200, spacing, ds_v3( 0, 0, 30 ), false );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = hills;
	e.seabed_look.mottling = e.seabed_look.ripple = e.seabed_look.nodule_cover = 0;
	ds_world *world = kit_looks_world( &e, 0 );
	OK( ds_world_step( world, 0 ) );
	const double half = 0.5 * 199 * spacing, d = 1e-5;
	uint64_t s = 3;
	double worst = 0, worst_facet = 0;
	for ( int i = 0; i < 2000; ++i )
	{
		double n = 0.98 * half * kit_uniform( &s ), m = 0.98 * half * kit_uniform( &s ), x = n + half, y = m + half;
		ds_look look = kit_see( world, kit_look( ds_v3( n, m, 0 ), ds_v3( 0, 0, 1 ), 100 ) );
		double a = ( kit_hill( x + d, y ) - kit_hill( x - d, y ) ) / ( 2 * d );
		double b = ( kit_hill( x, y + d ) - kit_hill( x, y - d ) ) / ( 2 * d );
		ds_vec3 true_normal = ds_scale( 1 / sqrt( 1 + a * a + b * b ), ds_v3( a, b, -1 ) );
		worst = fmax( worst, ds_length( ds_sub( kit_vec( look.normal ), true_normal ) ) );
		worst_facet = fmax( worst_facet, ds_length( ds_sub( kit_vec( look.facet ), true_normal ) ) );
	}
	// central differences are off by some f''' h^2 / 6, bilinear by f''' h^2 / 8, f''' = 3.4: 1 % here; a facet by f'' h / 2
	assert_true( worst < 0.012 );
	assert_true( worst_facet > 3 * worst );

	double jump = 0;
	ds_vec3 last = ds_v3( 0, 0, 0 );
	for ( int i = 0; i < 4000; ++i )
	{
		ds_vec3 at = ds_v3( -half + 5 + 0.001 * i, -half + 7 + 0.0013 * i, 0 );
		ds_vec3 normal = kit_vec( kit_see( world, kit_look( at, ds_v3( 0, 0, 1 ), 100 ) ).normal );
		jump = i > 0 ? fmax( jump, ds_length( ds_sub( normal, last ) ) ) : 0;
		last = normal;
	}
	assert_true( jump < 0.004 ); // way of 1.6 mm, curvature below 1 /m and some
	ds_world_destroy( world );
	ds_terrain_release( hills );
}

static void test_ground_with_holes( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *hills = kit_hills( 60, 60, 0.5, ds_v3( 0, 0, 30 ), true );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = hills;
	ds_world *world = kit_looks_world( &e, 0 );
	OK( ds_world_step( world, 0 ) );
	uint64_t s = 9;
	int seen = 0;
	for ( int i = 0; i < 3000; ++i )
	{
		ds_vec3 at = ds_v3( 15 * kit_uniform( &s ), 15 * kit_uniform( &s ), 0 );
		ds_look look = kit_see( world, kit_look( at, ds_add( ds_v3( 0, 0, 2 ), kit_direction( &s ) ), 100 ) );
		if ( look.distance >= 0 )
		{
			++seen;
			NEAR( ds_length( kit_vec( look.normal ) ), 1, 1e-5 );
			NEAR( ds_length( kit_vec( look.facet ) ), 1, 1e-5 );
			assert_true( ds_dot( kit_vec( look.normal ), kit_vec( look.facet ) ) > 0 );
		}
	}
	assert_true( seen > 1000 );
	ds_world_destroy( world );
	ds_terrain_release( hills );
}

// ---- motion ------------------------------------------------------------------------------------------------------------

#define MANY 12 // so many bodies lie in a tree

// Balls that fly and turn about their centres of gravity, which are not their bodies' origins.
static ds_world *moving_world( int count, ds_id *balls )
{
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_looks_world( &e, 0 );
	const double gray[3] = { 0.5, 0.5, 0.5 };
	ds_visual *visual = sphere_visual( 0.25, gray );
	for ( int i = 0; i < count; ++i )
	{
		ds_body_def def = floating( "ball0", ds_v3( 20, 3 * i, 0 ) );
		def.name[4] = (char)( 'a' + i );
		def.visual_kind = DS_VISUAL_GIVEN;
		def.visual = visual;
		def.visual_pose.position = ds_v3( 0, 0, 2 );
		def.cg[1] = 0.5;
		def.velocity.linear = ds_v3( -4, 1 - 0.25 * i, 0.5 );
		def.velocity.angular = ds_v3( 0.3, -0.7, 1 + 0.1 * i );
		OK( ds_body_create( world, &def, &balls[i] ) );
	}
	ds_visual_release( visual );
	OK( ds_world_step( world, 0 ) );
	return world;
}

// Where the middle of a ball is after a time, by constant velocity of its centre of gravity, and constant turn about it.
static ds_vec3 middle_at( const ds_world *world, ds_id ball, double time, ds_vec3 *velocity )
{
	ds_body_motion m = kit_motion( world, ball );
	const ds_vec3 w = m.velocity_world.angular, cg = ds_v3( 0, 0.5, 0 );
	const ds_vec3 c = ds_pose_point( m.pose, cg );
	const ds_vec3 v = ds_add( m.velocity_world.linear, ds_cross( w, ds_sub( c, m.pose.position ) ) );
	const ds_vec3 arm0 = ds_rotate( m.pose.attitude, ds_sub( ds_v3( 0, 0, 2 ), cg ) );
	// Rodrigues' formula
	const double angle = ds_length( w ) * time;
	const ds_vec3 k = ds_scale( 1 / ds_length( w ), w );
	ds_vec3 arm = ds_add( ds_scale( cos( angle ), arm0 ), ds_scale( sin( angle ), ds_cross( k, arm0 ) ) );
	arm = ds_mad( arm, ds_dot( k, arm0 ) * ( 1 - cos( angle ) ), k );
	*velocity = ds_add( v, ds_cross( w, arm ) );
	return ds_add( ds_mad( c, time, v ), arm );
}

static void test_motion( void **state )
{
	(void)state;
	static const double times[] = { 0, 0.004, -0.02, 0.03125, 0.1, -0.25, 0.5, -1, 1 };
	for ( int count = 3; count <= MANY; count += MANY - 3 )
	{
		ds_id balls[MANY];
		ds_world *world = moving_world( count, balls );
		for ( int i = 0; i < count; ++i )
		{
			for ( size_t t = 0; t < sizeof( times ) / sizeof( times[0] ); ++t )
			{
				ds_vec3 velocity, middle = middle_at( world, balls[i], times[t], &velocity );
				const ds_vec3 eye = ds_v3( middle.x + 3, middle.y - 4, middle.z - 12 );
				ds_look_ray ray = kit_look( eye, ds_sub( middle, eye ), 100 );
				ray.time = times[t];
				ds_look look = kit_see( world, ray );
				assert_int_equal( look.body, balls[i] );
				NEAR( look.distance, 13 - 0.25, 3e-4 );
				const ds_vec3 at = ds_mad( eye, look.distance / 13, ray.direction );
				// by the velocity of the surface there
				const ds_body_motion m = kit_motion( world, balls[i] );
				velocity = ds_add( velocity, ds_cross( m.velocity_world.angular, ds_sub( at, middle ) ) );
				NEAR3( kit_vec( look.velocity ), velocity, 1e-5 );
				// a ray that passes by the ball's edge
				ds_vec3 beside = ds_scale( 1 / 13.0, ds_sub( middle, eye ) );
				beside = ds_cross( beside, ds_v3( 0, 1, 0 ) );
				beside = ds_scale( 0.27 / ds_length( beside ), beside );
				ray.origin = ds_add( eye, beside );
				assert_true( kit_see( world, ray ).distance < 0 );
				ray.origin = ds_mad( eye, 0.24 / 0.27, beside );
				assert_int_equal( kit_see( world, ray ).body, balls[i] );
			}
		}
		ds_world_destroy( world );
	}
}

// Rays of one call may have all kinds of times, and each finds what it finds alone.
static void test_mixed_times( void **state )
{
	(void)state;
	for ( int count = 3; count <= MANY; count += MANY - 3 )
	{
		enum
		{
			COUNT = 777
		};
		static ds_look_ray rays[COUNT];
		static ds_look looks[COUNT], alone;
		static bool blocked[COUNT];
		ds_id balls[MANY];
		ds_world *world = moving_world( count, balls );
		uint64_t s = 4;
		int seen = 0;
		for ( int i = 0; i < COUNT; ++i )
		{
			ds_vec3 velocity;
			const double time = i % 3 == 0 ? 0 : kit_uniform( &s );
			const ds_vec3 middle = middle_at( world, balls[i % count], time, &velocity );
			rays[i] = kit_look( ds_v3( 0, 0, -20 ), ds_v3( 0, 0, 0 ), 100 );
			rays[i].direction = ds_mad( ds_sub( middle, rays[i].origin ), 0.3, kit_direction( &s ) );
			rays[i].time = time;
			rays[i].ignore = i % 5 == 0 ? balls[( i + 1 ) % count] : DS_NO_ID;
			rays[i].footprint = 0.001;
		}
		OK( ds_look_many( world, COUNT, rays, looks ) );
		for ( int i = 0; i < COUNT; ++i )
		{
			OK( ds_look_many( world, 1, rays + i, &alone ) );
			assert_memory_equal( &alone, looks + i, sizeof( alone ) );
			seen += alone.distance >= 0;
		}
		assert_true( seen > COUNT / 4 && seen < COUNT );
		(void)blocked;
		ds_world_destroy( world );
	}
}

// ---- errors --------------------------------------------------------------------------------------------------------------

static void test_wrong_rays( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_looks_world( &e, 0 );
	ds_body_def def = floating( "a", ds_v3( 0, 0, 0 ) );
	ds_id a;
	OK( ds_body_create( world, &def, &a ) );
	ds_look_ray ray = kit_look( ds_v3( 0, 0, 0 ), ds_v3( 1, 0, 0 ), 10 ), rays[40];
	ds_look looks[40];
	FAILS( ds_look_many( world, 1, &ray, looks ), DS_ERROR_STATE, "ds_world_step( world, 0 )" );
	OK( ds_world_step( world, 0 ) );
	OK( ds_look_many( world, 0, NULL, NULL ) );
	FAILS( ds_look_many( NULL, 1, &ray, looks ), DS_ERROR_ARGUMENT, "ds_look_many needs" );
	FAILS( ds_look_many( world, 1, NULL, looks ), DS_ERROR_ARGUMENT, "ds_look_many needs" );
	FAILS( ds_look_many( world, -1, &ray, looks ), DS_ERROR_ARGUMENT, "ds_look_many needs" );
	for ( int i = 0; i < 40; ++i )
	{
		rays[i] = ray;
	}
	rays[37].direction.y = NAN;
	FAILS( ds_look_many( world, 40, rays, looks ), DS_ERROR_NOT_FINITE, "ray 37: " );
	rays[37] = ray;
	rays[3].time = 1.01;
	FAILS( ds_look_many( world, 40, rays, looks ), DS_ERROR_RANGE,
		"ray 3: look: expected the time of a ray in [-1, 1] s" );
	rays[3] = ray;
	rays[3].direction = ds_v3( 0, 0, 0 );
	FAILS( ds_look_many( world, 40, rays, looks ), DS_ERROR_RANGE, "longer than 0" );
	rays[3] = ray;
	rays[3].range = 0;
	FAILS( ds_look_many( world, 40, rays, looks ), DS_ERROR_RANGE, "longer than 0" );
	rays[3].range = INFINITY;
	FAILS( ds_look_many( world, 40, rays, looks ), DS_ERROR_NOT_FINITE, "finite" );
	rays[3] = ray;
	rays[3].footprint = -1;
	FAILS( ds_look_many( world, 40, rays, looks ), DS_ERROR_RANGE, "footprint" );
	rays[3] = ray;
	OK( ds_body_destroy( world, a ) );
	OK( ds_world_step( world, 0 ) );
	rays[20].ignore = a;
	FAILS( ds_look_many( world, 40, rays, looks ), DS_ERROR_STALE, "ray 20: " );
	rays[20].ignore = DS_NO_ID;
	// tiny and huge directions are directions too
	rays[1].direction = ds_v3( 1e-160, 0, 0 );
	rays[2].direction = ds_v3( 0, 1e160, 0 );
	OK( ds_look_many( world, 40, rays, looks ) );
	ds_world_destroy( world );
}

// Without Embree nobody sees: a clear word, and worlds that do not look go on.
static void test_without_embree( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = 50;
	ds_world *world = kit_looks_world( &e, 0 );
	ds_body_def def = kit_point( "a", 10, 1, 1, 1 );
	ds_id a;
	OK( ds_body_create( world, &def, &a ) );
	OK( ds_world_step( world, 1 ) );
	ds_look_ray ray = kit_look( ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 1 ), 100 );
	ds_look look;
	FAILS( ds_look_many( world, 1, &ray, &look ), DS_ERROR_UNSUPPORTED, "cameras need Embree" );
	ds_ray_hit hit;
	OK( ds_ray_cast( world, ray.origin, ray.direction, 100, DS_NO_ID, &hit ) );
	NEAR( hit.distance, 50, 1e-9 );
	kit_looker( world, a );
	FAILS( ds_world_step( world, 1 ), DS_ERROR_UNSUPPORTED, "cameras need Embree" );
	ds_world_destroy( world );
}

int main( void )
{
	if ( ds_rays_open( NULL ) == DS_ERROR_UNSUPPORTED )
	{
		const struct CMUnitTest blind[] = { cmocka_unit_test( test_without_embree ) };
		return cmocka_run_group_tests( blind, NULL, NULL );
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_visual_apart_from_shape ),
		cmocka_unit_test( test_own_mesh_and_none ),
		cmocka_unit_test( test_wrong_definitions ),
		cmocka_unit_test( test_flat_seabed ),
		cmocka_unit_test( test_smooth_ground ),
		cmocka_unit_test( test_ground_with_holes ),
		cmocka_unit_test( test_motion ),
		cmocka_unit_test( test_mixed_times ),
		cmocka_unit_test( test_wrong_rays ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Ray tests of the Bullet shim against geometry by hand, near the origin and 1000 km away; and what shapes refuse.

#include "test_bullet_sim.h"

static void expect_hit( const sim *s, ds_vec3 from, ds_vec3 to, double fraction, ds_vec3 normal, double tolerance )
{
	dsb_hit hit;
	ds_status status = dsb_ray_test( s->world, from, to, DSB_NONE, &hit );
	if ( status != DS_OK || fabs( hit.fraction - fraction ) > tolerance * fraction ||
		 ds_length( ds_sub( hit.normal, normal ) ) > 100 * tolerance )
	{
		fail_msg( "status %d, fraction %.17g not %.17g, normal %g %g %g not %g %g %g", status, hit.fraction, fraction,
			hit.normal.x, hit.normal.y, hit.normal.z, normal.x, normal.y, normal.z );
	}
	ds_vec3 point = ds_mad( from, fraction, ds_sub( to, from ) );
	assert_true( ds_length( ds_sub( hit.point, point ) ) < 1e-9 * ( 1 + ds_length( point ) ) );
}

static void expect_miss( const sim *s, ds_vec3 from, ds_vec3 to )
{
	dsb_hit hit;
	assert_int_equal( dsb_ray_test( s->world, from, to, DSB_NONE, &hit ), DS_ERROR_NOT_FOUND );
	assert_int_equal( hit.body, DSB_NONE );
}

// One static body with a shape at a turned pose, and a ray given in the shape's frame.
typedef struct scene
{
	sim s;
	ds_pose pose;
	double tolerance;
} scene;

static void scene_start( scene *c, dsb_shape *shape, int far )
{
	sim_start( &c->s, 0.01 );
	c->pose = far ? sim_at( 1e6, -1e6, 4000 ) : sim_at( 1, -2, 3 );
	c->pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, -0.5, 1.2 ) );
	c->tolerance = far ? 1e-9 : 1e-12;
	sim_add( &c->s, shape, c->pose, NULL, 0, 0 );
}

static void local_hit( const scene *c, ds_vec3 from, ds_vec3 to, double fraction, ds_vec3 normal )
{
	expect_hit( &c->s, ds_pose_point( c->pose, from ), ds_pose_point( c->pose, to ), fraction,
		ds_rotate( c->pose.attitude, normal ), c->tolerance );
}

static void local_miss( const scene *c, ds_vec3 from, ds_vec3 to )
{
	expect_miss( &c->s, ds_pose_point( c->pose, from ), ds_pose_point( c->pose, to ) );
}

static void rays_on_box( void **state )
{
	(void)state;
	for ( int far = 0; far < 2; ++far )
	{
		scene c;
		scene_start( &c, sim_box( ds_v3( 1, 2, 3 ) ), far );
		local_hit( &c, ds_v3( 5, 0.5, 1 ), ds_v3( -5, 0.5, 1 ), 0.4, ds_v3( 1, 0, 0 ) );
		local_hit( &c, ds_v3( 0.3, 12, 0.1 ), ds_v3( 0.3, -8, 0.1 ), 0.5, ds_v3( 0, 1, 0 ) );
		local_hit( &c, ds_v3( -3, 0, -5 ), ds_v3( 5, 0, 11 ), 0.25, ds_v3( -1, 0, 0 ) );
		local_miss( &c, ds_v3( 5, 2.1, 1 ), ds_v3( -5, 2.1, 1 ) );
		local_miss( &c, ds_v3( 5, 0, 0 ), ds_v3( 1.1, 0, 0 ) );
		local_miss( &c, ds_v3( 0, 0, 0 ), ds_v3( 9, 0, 0 ) ); // from inside
		sim_end( &c.s );
	}
}

static void rays_on_round_shapes( void **state )
{
	(void)state;
	for ( int far = 0; far < 2; ++far )
	{
		scene c;
		dsb_shape *shape;
		assert_int_equal( dsb_shape_sphere( 2, &shape ), DS_OK );
		scene_start( &c, shape, far );
		local_hit( &c, ds_v3( 10, 0, 0 ), ds_v3( -10, 0, 0 ), 0.4, ds_v3( 1, 0, 0 ) );
		local_hit( &c, ds_v3( 1.2, 10, 0 ), ds_v3( 1.2, -10, 0 ), ( 10 - 1.6 ) / 20, ds_v3( 0.6, 0.8, 0 ) );
		local_miss( &c, ds_v3( 2.001, 10, 0 ), ds_v3( 2.001, -10, 0 ) );
		local_miss( &c, ds_v3( 0.1, 0, 0 ), ds_v3( 9, 0, 0 ) );
		sim_end( &c.s );

		// A capsule along x: its side, and a cap off its axis.
		assert_int_equal( dsb_shape_capsule( 0.5, 2, &shape ), DS_OK );
		scene_start( &c, shape, far );
		local_hit( &c, ds_v3( 0.7, 0, 5 ), ds_v3( 0.7, 0, -5 ), 0.45, ds_v3( 0, 0, 1 ) );
		local_hit( &c, ds_v3( 6, 0.3, 0 ), ds_v3( -4, 0.3, 0 ), ( 6 - 1.4 ) / 10, ds_v3( 0.8, 0.6, 0 ) );
		local_miss( &c, ds_v3( 1.4, 0.4, 5 ), ds_v3( 1.4, 0.4, -5 ) );
		local_miss( &c, ds_v3( -1.2, 0, 0 ), ds_v3( 9, 0, 0 ) );
		sim_end( &c.s );

		// A cylinder along x: side, end, past the rim, along the axis from within its extension.
		assert_int_equal( dsb_shape_cylinder( 0.5, 2, &shape ), DS_OK );
		scene_start( &c, shape, far );
		local_hit( &c, ds_v3( 0.7, 0.3, 5 ), ds_v3( 0.7, 0.3, -5 ), 0.46, ds_v3( 0, 0.6, 0.8 ) );
		local_hit( &c, ds_v3( 5, 0.2, 0.3 ), ds_v3( -5, 0.2, 0.3 ), 0.4, ds_v3( 1, 0, 0 ) );
		local_hit( &c, ds_v3( -3, 2, 0 ), ds_v3( 1, -2, 0 ), 0.5, ds_v3( -1, 0, 0 ) );
		local_miss( &c, ds_v3( 1.1, 0, 5 ), ds_v3( 1.1, 0, -5 ) );
		local_miss( &c, ds_v3( 3, 0, 0 ), ds_v3( 1, 3, 0 ) );
		local_miss( &c, ds_v3( 0, 0, 0 ), ds_v3( 0, 3, 0 ) );
		sim_end( &c.s );
	}
}

static void rays_on_hull_and_plane( void **state )
{
	(void)state;
	ds_vec3 points[7] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 },
		{ 0.1, 0, 0 } };
	double third = 1 / sqrt( 3.0 );
	for ( int far = 0; far < 2; ++far )
	{
		scene c;
		dsb_shape *shape;
		assert_int_equal( dsb_shape_hull( points, 7, &shape ), DS_OK );
		scene_start( &c, shape, far );
		local_hit( &c, ds_v3( 5, 0.2, 0.3 ), ds_v3( -5, 0.2, 0.3 ), 0.45, ds_v3( third, third, third ) );
		local_hit( &c, ds_v3( -0.5, -0.25, -5 ), ds_v3( -0.5, -0.25, 5 ), 0.475, ds_v3( -third, -third, -third ) );
		local_miss( &c, ds_v3( 5, 0.6, 0.5 ), ds_v3( -5, 0.6, 0.5 ) );
		sim_end( &c.s );

		assert_int_equal( dsb_shape_plane( ds_v3( 0, 0, -2 ), -4, &shape ), DS_OK ); // z >= 2 is solid
		scene_start( &c, shape, far );
		local_hit( &c, ds_v3( 1, 2, -2 ), ds_v3( 3, 4, 14 ), 0.25, ds_v3( 0, 0, -1 ) );
		local_miss( &c, ds_v3( 1, 2, -2 ), ds_v3( 3, 4, 1.9 ) );
		local_miss( &c, ds_v3( 1, 2, 3 ), ds_v3( 3, 4, 14 ) );
		sim_end( &c.s );
	}
}

// A wavy mesh, and every ray held against the same two triangles by hand.
static double wave( double x, double y )
{
	return 0.3 * sin( 1.3 * x ) * cos( 0.9 * y );
}

static void rays_on_mesh( void **state )
{
	(void)state;
	enum
	{
		N = 33
	};
	static ds_vec3 vertices[N * N];
	static int32_t triangles[6 * ( N - 1 ) * ( N - 1 )];
	int n = 0;
	for ( int i = 0; i < N; ++i )
	{
		for ( int j = 0; j < N; ++j )
		{
			vertices[N * i + j] = ds_v3( i - 16, j - 16, wave( i - 16, j - 16 ) );
			if ( i < N - 1 && j < N - 1 )
			{
				int32_t a = N * i + j, t[6] = { a, a + 1, a + N, a + N, a + 1, a + N + 1 };
				memcpy( triangles + n, t, sizeof t );
				n += 6;
			}
		}
	}
	for ( int far = 0; far < 2; ++far )
	{
		scene c;
		dsb_shape *shape;
		assert_int_equal( dsb_shape_mesh( vertices, N * N, triangles, n / 3, &shape ), DS_OK );
		scene_start( &c, shape, far );
		for ( int k = 0; k < 500; ++k )
		{
			// Straight down at (x, y): the cell, which of its triangles, its height and normal.
			double x = -15.9 + 0.0637 * k, y = 15.7 - 0.0571 * k;
			int i = (int)floor( x ) + 16, j = (int)floor( y ) + 16;
			double u = x - floor( x ), v = y - floor( y );
			int upper = u + v > 1;
			ds_vec3 p = vertices[N * ( i + upper ) + j + upper];
			double dx = upper ? p.z - vertices[N * i + j + 1].z : vertices[N * ( i + 1 ) + j].z - p.z;
			double dy = upper ? p.z - vertices[N * ( i + 1 ) + j].z : vertices[N * i + j + 1].z - p.z;
			double z = p.z + dx * ( u - upper ) + dy * ( v - upper );
			ds_vec3 normal = ds_v3( dx, dy, -1 );
			local_hit( &c, ds_v3( x, y, -50 ), ds_v3( x, y, 150 ), ( 50 + z ) / 200,
				ds_scale( 1 / ds_length( normal ), normal ) );
			local_hit( &c, ds_v3( x, y, 50 ), ds_v3( x, y, -150 ), ( 50 - z ) / 200,
				ds_scale( -1 / ds_length( normal ), normal ) );
		}
		local_miss( &c, ds_v3( 16.1, 0, -50 ), ds_v3( 16.1, 0, 50 ) );
		local_miss( &c, ds_v3( 0, 0, -50 ), ds_v3( 0, 0, -0.31 ) );
		sim_end( &c.s );
	}
}

// The nearest of several bodies, one of them ignored or inactive, children of a compound, a body that moved.
static void rays_among_bodies( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 0.01 );
	dsb_shape *parts[2], *compound;
	parts[0] = sim_box( ds_v3( 0.1, 1, 1 ) );
	assert_int_equal( dsb_shape_sphere( 0.5, &parts[1] ), DS_OK );
	ds_pose poses[2] = { sim_at( 1, 0, 0 ), sim_at( -1, 0, 0 ) };
	assert_int_equal( dsb_shape_compound( parts, poses, 2, &compound ), DS_OK );
	dsb_shape_release( parts[0] );
	dsb_shape_release( parts[1] );
	ds_mat6 mass = sim_mass( 1, 1, 1, 1, 1, 1 );
	sim_body *a = sim_add( &s, dsb_shape_retain( compound ), sim_at( 10, 0, 0 ), &mass, 0, 0 );
	sim_body *b = sim_add( &s, compound, sim_at( 20, 0, 0 ), NULL, 0, 0 );
	dsb_hit hit;
	ds_vec3 from = ds_v3( 0, 0, 0 ), to = ds_v3( 40, 0, 0 );
	assert_int_equal( dsb_ray_test( s.world, from, to, DSB_NONE, &hit ), DS_OK );
	assert_true( hit.body == a->index && hit.child == 1 && fabs( hit.fraction - 8.5 / 40 ) < 1e-15 );
	assert_int_equal( dsb_ray_test( s.world, from, to, a->index, &hit ), DS_OK );
	assert_true( hit.body == b->index && hit.child == 1 && fabs( hit.fraction - 18.5 / 40 ) < 1e-15 );
	assert_int_equal( dsb_ray_test( s.world, to, from, DSB_NONE, &hit ), DS_OK );
	assert_true( hit.body == b->index && hit.child == 0 && fabs( hit.point.x - 21.1 ) < 1e-12 );
	ds_pose pose = sim_at( 10, 5, 0 );
	ds_twist still = { { 0, 0, 0 }, { 0, 0, 0 } };
	dsb_body_reset_pose_velocity( s.world, a->index, &pose, &still );
	assert_int_equal( dsb_ray_test( s.world, from, to, DSB_NONE, &hit ), DS_OK );
	assert_int_equal( hit.body, b->index );
	dsb_body_set_active( s.world, b->index, false );
	expect_miss( &s, from, to );
	assert_int_equal( dsb_ray_test( s.world, ds_v3( NAN, 0, 0 ), to, DSB_NONE, &hit ), DS_ERROR_NOT_FINITE );
	sim_end( &s );
}

// Sizes and meshes that cannot be, and bodies that must not have a shape.
static void wrong_shapes( void **state )
{
	(void)state;
	dsb_shape *shape = NULL;
	ds_vec3 flat[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 0.5, 0.5, 0 } };
	int32_t triangles[6] = { 0, 1, 2, 1, 3, 7 };
	assert_int_equal( dsb_shape_box( ds_v3( 1, 0, 1 ), &shape ), DS_ERROR_RANGE );
	assert_null( shape );
	assert_int_equal( dsb_shape_sphere( -1, &shape ), DS_ERROR_RANGE );
	assert_int_equal( dsb_shape_capsule( 1, NAN, &shape ), DS_ERROR_RANGE );
	assert_int_equal( dsb_shape_cylinder( INFINITY, 1, &shape ), DS_ERROR_RANGE );
	assert_int_equal( dsb_shape_plane( ds_v3( 0, 0, 0 ), 1, &shape ), DS_ERROR_RANGE );
	assert_int_equal( dsb_shape_hull( flat, 5, &shape ), DS_ERROR_MESH_VOLUME );
	assert_int_equal( dsb_shape_hull( flat, 2, &shape ), DS_ERROR_MESH_VOLUME );
	assert_int_equal( dsb_shape_mesh( flat, 5, triangles, 2, &shape ), DS_ERROR_RANGE );
	assert_int_equal( dsb_shape_mesh( flat, 5, triangles, 0, &shape ), DS_ERROR_MESH_EMPTY );
	flat[0].x = NAN;
	assert_int_equal( dsb_shape_hull( flat, 5, &shape ), DS_ERROR_NOT_FINITE );
	assert_null( shape );

	dsb_world *world;
	int32_t body;
	dsb_body_def def = dsb_body_def_default();
	assert_int_equal( dsb_world_create( &world ), DS_OK );
	shape = sim_floor();
	assert_false( dsb_shape_can_move( shape ) );
	assert_int_equal( dsb_body_create( world, shape, &def, &body ), DS_ERROR_TYPE );
	def.is_static = true;
	def.friction = -1;
	assert_int_equal( dsb_body_create( world, shape, &def, &body ), DS_ERROR_RANGE );
	def.friction = 1;
	def.pose.position.y = NAN;
	assert_int_equal( dsb_body_create( world, shape, &def, &body ), DS_ERROR_NOT_FINITE );
	assert_int_equal( body, DSB_NONE );
	dsb_shape_release( shape );
	dsb_world_destroy( world );
}

// The hull of points on a sphere: every point is on or inside every face (rays from all sides meet it within the chord).
static void hull_of_many_points( void **state )
{
	(void)state;
	enum
	{
		N = 600
	};
	static ds_vec3 points[2 * N];
	for ( int i = 0; i < N; ++i )
	{
		double z = 1 - 2 * ( i + 0.5 ) / N, r = sqrt( 1 - z * z ), a = 2.399963229728653 * i;
		points[i] = ds_v3( r * cos( a ), r * sin( a ), z );
		points[N + i] = ds_scale( 0.9, points[i] ); // inside
	}
	dsb_shape *shape;
	assert_int_equal( dsb_shape_hull( points, 2 * N, &shape ), DS_OK );
	sim s;
	sim_start( &s, 0.01 );
	sim_add( &s, shape, ds_pose_identity(), NULL, 0, 0 );
	for ( int i = 0; i < N; ++i )
	{
		dsb_hit hit;
		ds_vec3 from = ds_scale( 3, points[( 7 * i ) % N] );
		assert_int_equal( dsb_ray_test( s.world, from, ds_v3( 0, 0, 0 ), DSB_NONE, &hit ), DS_OK );
		assert_true( fabs( ds_length( hit.point ) - 1 ) < 1e-9 ); // straight at a corner
		from = ds_v3( 3 * cos( i ), 3 * sin( i ), 0.004 * ( i - N / 2 ) );
		assert_int_equal( dsb_ray_test( s.world, from, ds_v3( 0, 0, 0 ), DSB_NONE, &hit ), DS_OK );
		assert_true( ds_length( hit.point ) < 1 + 1e-12 && ds_length( hit.point ) > 0.99 );
	}
	sim_end( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( rays_on_box ),
		cmocka_unit_test( rays_on_round_shapes ),
		cmocka_unit_test( rays_on_hull_and_plane ),
		cmocka_unit_test( rays_on_mesh ),
		cmocka_unit_test( rays_among_bodies ),
		cmocka_unit_test( wrong_shapes ),
		cmocka_unit_test( hull_of_many_points ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

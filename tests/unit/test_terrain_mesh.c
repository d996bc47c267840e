// Ground of triangles: against grids of the same surface, shapes whose height is known, and a search through all triangles.

#include "deepsim/mesh.h"
#include "tests/unit/terrain_kit.h"

static ds_mesh *mesh_of( const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles, int64_t face_count )
{
	ds_mesh_options options = ds_mesh_options_default();
	options.topology = DS_MESH_OPEN_ALLOWED;
	options.repair_winding = false;
	ds_mesh *mesh = NULL;
	assert_ok( ds_mesh_create( vertices, vertex_count, triangles, face_count, &options, NULL, &mesh, NULL ) );
	return mesh;
}

static ds_terrain *ground_of( ds_mesh *mesh, ds_pose pose )
{
	ds_terrain *t = NULL;
	assert_ok( ds_terrain_mesh( mesh, pose, NULL, &t ) );
	ds_mesh_release( mesh );
	return t;
}

static ds_pose pose_of( double x, double y, double z, double roll, double pitch, double yaw )
{
	ds_pose pose = { { x, y, z }, ds_quat_from_rpy( ds_v3( roll, pitch, yaw ) ) };
	return pose;
}

// ---- surfaces that are known ---------------------------------------------------------------------------------------

// The triangles of a grid, every other one wound the wrong way.
static ds_mesh *mesh_of_grid( const ds_terrain *grid, ds_vec3 origin )
{
	const ds_terrain_view *v = ds_terrain_see( grid );
	int64_t faces = 0, count = 2 * ( v->rows - 1 ) * ( v->columns - 1 );
	ds_vec3 *vertices = malloc( 3 * (size_t)count * sizeof( ds_vec3 ) );
	int32_t *triangles = malloc( 3 * (size_t)count * sizeof( int32_t ) );
	for ( int64_t k = 0; k < count; ++k )
	{
		ds_vec3 c[3];
		if ( !ds_terrain_triangle( grid, k, c ) )
		{
			continue;
		}
		for ( int corner = 0; corner < 3; ++corner )
		{
			int at = (int)( 3 * faces ) + ( k % 2 == 0 ? corner : 2 - corner );
			vertices[at] = ds_sub( c[corner], origin );
			triangles[at] = at;
		}
		faces += 1;
	}
	ds_mesh *mesh = mesh_of( vertices, 3 * faces, triangles, faces );
	free( vertices );
	free( triangles );
	return mesh;
}

static void test_same_as_a_grid( void **state )
{
	(void)state;
	for ( int far = 0; far < 2; ++far )
	{
		ds_vec3 origin = ds_v3( far * 1e6, far * -5e5, 3000 );
		ds_terrain *grid = rough_grid( 30, 20, origin.x, origin.y, 0.05 );
		ds_pose pose = { origin, ds_quat_identity() };
		ds_terrain *mesh = ground_of( mesh_of_grid( grid, origin ), pose );
		ds_terrain_properties m = ds_terrain_measure( mesh ), g = ds_terrain_measure( grid );
		assert_true( m.bounded && m.triangles == g.triangles && m.rows == 0 );
		assert_near( m.top, g.top, 1e-9 );
		assert_near( m.bottom, g.bottom, 1e-9 );
		ds_random random = numbers( 1 );
		int found = 0;
		for ( int k = 0; k < 5000; ++k )
		{
			double north = between( &random, g.south - 1, g.north + 1 ),
				   east = between( &random, g.west - 1, g.east + 1 );
			ds_terrain_point p, q;
			bool there = ds_terrain_at( grid, north, east, &p );
			assert_true( there == ds_terrain_at( mesh, north, east, &q ) );
			if ( there )
			{
				assert_near( q.z, p.z, 1e-8 );
				assert_near( ds_length( ds_sub( p.normal, q.normal ) ), 0, 1e-8 );
				found += 1;
			}
		}
		assert_true( found > 3000 );
		ds_terrain_release( grid );
		ds_terrain_release( mesh );
	}
}

// A sphere is ground by its upper half; the lower one, an overhang, is never the uppermost.
static void test_sphere( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.radius = 2;
	shape.faces = 20000;
	ds_mesh *mesh = NULL;
	assert_ok( ds_mesh_make( &shape, NULL, &mesh ) );
	ds_terrain *t = ground_of( mesh, pose_of( 10, -7, 55, 0.3, 1, -2 ) );
	ds_random random = numbers( 2 );
	for ( int k = 0; k < 2000; ++k )
	{
		double n = between( &random, -2.1, 2.1 ), e = between( &random, -2.1, 2.1 ), r = sqrt( n * n + e * e );
		ds_terrain_point p;
		bool there = ds_terrain_at( t, 10 + n, -7 + e, &p );
		assert_true( r > 1.98 || there );
		assert_true( r < 2 || !there );
		if ( r < 1.9 )
		{
			double up = sqrt( 4 - r * r );
			assert_near( p.z, 55 - up, 5e-3 );
			assert_near( ds_dot( p.normal, ds_v3( n / 2, e / 2, -up / 2 ) ), 1, 1e-3 );
		}
	}
	ds_terrain_release( t );
}

// A tilted box over a wide floor: on the box its top, beside it the floor; upright walls are met by neither.
static void test_box_on_a_floor( void **state )
{
	(void)state;
	const ds_vec3 v[12] = { { -50, -50, 10 }, { 50, -50, 10 }, { 50, 50, 10 }, { -50, 50, 10 }, { -1, -2, 7 },
		{ 1, -2, 7 }, { 1, 2, 7 }, { -1, 2, 7 }, { -1, -2, 9 }, { 1, -2, 9 }, { 1, 2, 9 }, { -1, 2, 9 } };
	const int32_t f[] = { 0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 8, 10, 9, 8, 11, 10, 4, 8, 9, 4, 9, 5, 6, 10, 11, 6, 11,
		7 };
	ds_terrain *t = ground_of( mesh_of( v, 12, f, 10 ), pose_of( 0, 0, 100, 0, 0, DS_PI / 2 ) );
	ds_terrain_point p;
	// turned by 90 degrees: 4 m north, 2 m east
	const double cases[][3] = { { 0, 0, 107 }, { 1.9, 0.9, 107 }, { 2.1, 0, 110 }, { 0, 1.1, 110 }, { -49, 49, 110 },
		{ -1.9, -0.9, 107 } };
	for ( int k = 0; k < DS_COUNT( cases ); ++k )
	{
		assert_true( ds_terrain_at( t, cases[k][0], cases[k][1], &p ) );
		assert_near( p.z, cases[k][2], 1e-12 );
		assert_near( p.normal.z, -1, 1e-15 );
	}
	assert_false( ds_terrain_at( t, 50.001, 0, &p ) );
	ds_terrain_properties m = ds_terrain_measure( t );
	assert_near( m.top, 107, 1e-12 );
	assert_near( m.bottom, 110, 1e-12 );
	assert_int_equal( m.triangles, 10 );
	ds_terrain_release( t );
}

// Nothing but a wall: no ground to stand on, but rays meet it.
static bool count_visits( void *user, int64_t index, const ds_vec3 corners[3] )
{
	(void)index;
	(void)corners;
	*(int *)user += 1;
	return true;
}

static void test_wall( void **state )
{
	(void)state;
	const ds_vec3 v[4] = { { 3, 0, 0 }, { 3, 5, 0 }, { 3, 5, 9 }, { 3, 0, 9 } };
	const int32_t f[] = { 0, 1, 2, 0, 2, 3 };
	ds_terrain *t = ground_of( mesh_of( v, 4, f, 2 ), ds_pose_identity() );
	ds_terrain_point p;
	assert_false( ds_terrain_at( t, 3, 2, &p ) );
	ds_rectangle w = { 2, 1, 4, 4 };
	int count = 0;
	double top, bottom;
	ds_terrain_visit( t, &w, count_visits, &count );
	assert_int_equal( count, 2 );
	assert_true( ds_terrain_bounds( t, &w, &top, &bottom ) );
	assert_true( top == 0 && bottom == 9 );
	ds_terrain_release( t );
}

// A fan of many triangles has ground at its hub, on its spokes and everywhere between, near the origin and far away.
static void test_no_cracks( void **state )
{
	(void)state;
	enum
	{
		N = 97
	};
	ds_vec3 v[N + 1];
	int32_t f[3 * N];
	ds_random random = numbers( 3 );
	v[N] = ds_v3( 0.1, 0.2, 3 );
	for ( int k = 0; k < N; ++k )
	{
		double r = between( &random, 5, 9 );
		v[k] = ds_v3( r * cos( 2 * DS_PI * k / N ), r * sin( 2 * DS_PI * k / N ), between( &random, 0, 5 ) );
		f[3 * k] = N;
		f[3 * k + 1] = k;
		f[3 * k + 2] = ( k + 1 ) % N;
	}
	for ( int far = 0; far < 2; ++far )
	{
		ds_terrain *t = ground_of( mesh_of( v, N + 1, f, N ), pose_of( far * 1e6, far * 3e5, 1000, 0, 0, 0.7 * far ) );
		const ds_terrain_view *view = ds_terrain_see( t );
		for ( int k = 0; k < 20000; ++k )
		{
			int64_t at = 3 * ( k % N );
			ds_vec3 a = view->vertices[view->triangles[at]], b = view->vertices[view->triangles[at + 1]];
			ds_vec3 c = view->vertices[view->triangles[at + 2]];
			double s = between( &random, 0, 1 ), u = k % 3 == 0 ? 0 : between( &random, 0, 1 - s );
			s = k % 7 == 0 ? 1e-9 * s : k % 11 == 0 ? 0 : s;
			// a point of the triangle, often on a spoke, near the hub or at it; the rim may be rounded outward
			double x = a.x + 0.999 * ( s * ( b.x - a.x ) + u * ( c.x - a.x ) );
			double y = a.y + 0.999 * ( s * ( b.y - a.y ) + u * ( c.y - a.y ) );
			double z = a.z + 0.999 * ( s * ( b.z - a.z ) + u * ( c.z - a.z ) );
			ds_terrain_point p;
			assert_true( ds_terrain_at( t, x, y, &p ) );
			assert_near( p.z, z, 1e-8 );
		}
		ds_terrain_release( t );
	}
}

// ---- against a search through all ----------------------------------------------------------------------------------

enum
{
	SOUP = 400
};

// Triangles of all sizes and attitudes that pass through one another.
static ds_terrain *soup( void )
{
	static ds_vec3 v[3 * SOUP];
	static int32_t f[3 * SOUP];
	ds_random random = numbers( 4 );
	for ( int k = 0; k < SOUP; ++k )
	{
		double size = k == 0 ? 300 : pow( 10, between( &random, -1, 1.7 ) );
		ds_vec3 middle = ds_v3( between( &random, -50, 50 ), between( &random, -30, 30 ), between( &random, 90, 110 ) );
		for ( int c = 0; c < 3; ++c )
		{
			ds_vec3 off = ds_v3( between( &random, -1, 1 ), between( &random, -1, 1 ), between( &random, -0.5, 0.5 ) );
			v[3 * k + c] = ds_mad( middle, size, off );
			f[3 * k + c] = 3 * k + c;
		}
	}
	return ground_of( mesh_of( v, 3 * SOUP, f, SOUP ), ds_pose_identity() );
}

static void test_uppermost( void **state )
{
	(void)state;
	ds_terrain *t = soup();
	ds_random random = numbers( 5 );
	int several = 0;
	for ( int k = 0; k < 3000; ++k )
	{
		double north = between( &random, -90, 90 ), east = between( &random, -70, 70 ), z = INFINITY;
		int over = 0;
		for ( int64_t index = 0; index < SOUP; ++index )
		{
			ds_vec3 c[3];
			assert_true( ds_terrain_triangle( t, index, c ) );
			assert_true( triangle_normal( c ).z < 0 );
			if ( covers( c, north, east, 0 ) )
			{
				z = fmin( z, plane_z( c, north, east ) );
				over += 1;
			}
		}
		ds_terrain_point p;
		assert_true( ds_terrain_at( t, north, east, &p ) == ( over > 0 ) );
		assert_true( over == 0 || fabs( p.z - z ) < 1e-9 * ( 1 + fabs( z ) ) );
		several += over > 1;
	}
	assert_true( several > 200 );
	ds_vec3 c[3];
	assert_false( ds_terrain_triangle( t, SOUP, c ) );
	assert_false( ds_terrain_triangle( t, -1, c ) );
	ds_terrain_release( t );
}

typedef struct visits
{
	int times[SOUP];
	double top, bottom;
} visits;

static bool note( void *user, int64_t index, const ds_vec3 corners[3] )
{
	visits *s = user;
	s->times[index] += 1;
	for ( int k = 0; k < 3; ++k )
	{
		s->top = fmin( s->top, corners[k].z );
		s->bottom = fmax( s->bottom, corners[k].z );
	}
	return true;
}

static void test_rectangles( void **state )
{
	(void)state;
	ds_terrain *t = soup();
	ds_random random = numbers( 6 );
	for ( int k = 0; k < 500; ++k )
	{
		double n = between( &random, -400, 400 ), e = between( &random, -400, 400 ), size = between( &random, 0, 200 );
		ds_rectangle w = { n, e, n + size, e + size * ds_random_uniform( &random ) };
		visits seen = { .top = INFINITY, .bottom = -INFINITY };
		ds_terrain_visit( t, &w, note, &seen );
		int any = 0;
		for ( int64_t index = 0; index < SOUP; ++index )
		{
			ds_vec3 c[3];
			ds_terrain_triangle( t, index, c );
			double south = fmin( c[0].x, fmin( c[1].x, c[2].x ) ), north = fmax( c[0].x, fmax( c[1].x, c[2].x ) );
			double west = fmin( c[0].y, fmin( c[1].y, c[2].y ) ), east = fmax( c[0].y, fmax( c[1].y, c[2].y ) );
			bool meets = south <= w.north && north >= w.south && west <= w.east && east >= w.west;
			assert_int_equal( seen.times[index], meets );
			any += meets;
		}
		double top, bottom;
		bool found = ds_terrain_bounds( t, &w, &top, &bottom );
		assert_true( found || any == 0 );
		assert_true( !found || ( top <= seen.top && bottom >= seen.bottom ) || any == 0 );
	}
	ds_terrain_release( t );
}

// Large triangles over many small ones cost no more than their number.
static void test_memory_is_bounded( void **state )
{
	(void)state;
	enum
	{
		N = 20000
	};
	ds_vec3 *v = malloc( 3 * N * sizeof( ds_vec3 ) );
	int32_t *f = malloc( 3 * N * sizeof( int32_t ) );
	ds_random random = numbers( 8 );
	for ( int k = 0; k < 3 * N; ++k )
	{
		f[k] = k;
		v[k] = ds_v3( between( &random, -100, 100 ), between( &random, -100, 100 ), between( &random, 0, 1 ) );
	}
	ds_mesh *mesh = mesh_of( v, 3 * N, f, N );
	purse p = { .left = -1 };
	ds_hooks hooks = purse_hooks( &p );
	ds_terrain *t;
	assert_ok( ds_terrain_mesh( mesh, ds_pose_identity(), &hooks, &t ) );
	assert_true( p.bytes < N * (size_t)200 );
	ds_mesh_release( mesh );
	ds_terrain_point point;
	assert_true( ds_terrain_at( t, 0, 0, &point ) );
	ds_terrain_release( t );
	assert_int_equal( p.bytes, 0 );
	free( v );
	free( f );
}

// ---- errors --------------------------------------------------------------------------------------------------------

static ds_status make_mesh( const void *user, const ds_hooks *hooks, ds_terrain **terrain )
{
	return ds_terrain_mesh( user, ds_pose_identity(), hooks, terrain );
}

static void test_bad_meshes( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ds_v3( 1, 2, 3 );
	ds_mesh *box = NULL;
	ds_terrain *t = NULL;
	assert_ok( ds_mesh_make( &shape, NULL, &box ) );
	ds_pose pose = ds_pose_identity();
	assert_int_equal( ds_terrain_mesh( NULL, pose, NULL, &t ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_terrain_mesh( box, pose, NULL, NULL ), DS_ERROR_ARGUMENT );
	pose.position.x = NAN;
	assert_int_equal( ds_terrain_mesh( box, pose, NULL, &t ), DS_ERROR_NOT_FINITE );
	pose.position.x = 1e12;
	assert_int_equal( ds_terrain_mesh( box, pose, NULL, &t ), DS_ERROR_RANGE );
	pose = ds_pose_identity();
	pose.attitude.w = 0.5;
	assert_int_equal( ds_terrain_mesh( box, pose, NULL, &t ), DS_ERROR_RANGE );
	pose.attitude.w = INFINITY;
	assert_int_equal( ds_terrain_mesh( box, pose, NULL, &t ), DS_ERROR_NOT_FINITE );
	assert_null( t );
	assert_int_equal( survives_failures( make_mesh, box ), 6 );
	ds_mesh_release( box );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_same_as_a_grid ),
		cmocka_unit_test( test_sphere ),
		cmocka_unit_test( test_box_on_a_floor ),
		cmocka_unit_test( test_wall ),
		cmocka_unit_test( test_no_cracks ),
		cmocka_unit_test( test_uppermost ),
		cmocka_unit_test( test_rectangles ),
		cmocka_unit_test( test_memory_is_bounded ),
		cmocka_unit_test( test_bad_meshes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

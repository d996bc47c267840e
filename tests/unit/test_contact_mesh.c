// Elements of meshes: parts of faces, patches and their least widths, and bodies on meshes of any fineness and grids of any cell.

#include "tests/unit/contact_kit.h"

static double total_area( const ds_elements *e )
{
	double sum = 0;
	for ( int i = 0; i < e->count; ++i )
	{
		sum += e->area[i];
	}
	return sum;
}

static void see( body *b, const ds_ground *ground )
{
	ds_contact_step step = { b->pose, b->velocity, 0.0005, 0, 1 };
	ds_contact_mesh_see( b->mesh, ground, &step, b->scratch, &b->elements );
}

static void test_parts( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	site s = site_plane( 0, &soil );
	const double spacings[4] = { 10, 0.3, 0.1, 0 };
	for ( int k = 0; k < 4; ++k )
	{
		body b = body_of( mesh_box( 0.6, 0.5, 0.4, 12 ), spacings[k], 100, 0 );
		see( &b, &s.ground );
		assert_near( total_area( &b.elements ), 2 * ( 0.3 + 0.24 + 0.2 ), 1e-12 );
		double longest = spacings[k] > 0 ? spacings[k] : sqrt( 0.36 + 0.25 + 0.16 ) / 32;
		assert_true( k > 0 ? b.elements.count > 12 : b.elements.count == 12 );
		double moment = 0;
		for ( int i = 0; i < b.elements.count; ++i )
		{
			// an element is at most half as high as its longest edge, times the height
			assert_less( b.elements.area[i], 0.5 * longest * longest );
			moment += b.elements.area[i] * b.elements.x[i];
		}
		assert_near( moment, 0, 1e-12 );
		body_free( &b );
	}
	site_free( &s );
}

static void test_bad_meshes( void **state )
{
	(void)state;
	const ds_vec3 v[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { NAN, 0, 0 } };
	const int32_t good[3] = { 0, 1, 2 }, far[3] = { 0, 1, 7 }, flat[3] = { 0, 1, 1 };
	ds_contact_mesh_def def = { .vertices = v, .vertex_count = 3, .triangles = good, .face_count = 1 };
	ds_contact_mesh *mesh = NULL;
	assert_int_equal( ds_contact_mesh_create( NULL, &def, &mesh ), DS_ERROR_NOT_FINITE ); // no attitude
	def.pose = ds_pose_identity();
	assert_int_equal( ds_contact_mesh_create( NULL, &def, NULL ), DS_ERROR_ARGUMENT );
	def.vertex_count = 4;
	assert_int_equal( ds_contact_mesh_create( NULL, &def, &mesh ), DS_ERROR_NOT_FINITE );
	def.vertex_count = 3;
	def.triangles = far;
	assert_int_equal( ds_contact_mesh_create( NULL, &def, &mesh ), DS_ERROR_RANGE );
	def.triangles = flat;
	assert_int_equal( ds_contact_mesh_create( NULL, &def, &mesh ), DS_ERROR_RANGE );
	def.triangles = good;
	def.spacing = -1;
	assert_int_equal( ds_contact_mesh_create( NULL, &def, &mesh ), DS_ERROR_RANGE );
	def.spacing = 1e-5;
	assert_int_equal( ds_contact_mesh_create( NULL, &def, &mesh ), DS_ERROR_LIMIT );
	def.triangles = NULL;
	assert_int_equal( ds_contact_mesh_create( NULL, &def, &mesh ), DS_ERROR_ARGUMENT );
	assert_null( mesh );
}

// ---- widths ------------------------------------------------------------------------------------------------------

static void add_box( ds_vec3 *v, int32_t *t, int *boxes, ds_vec3 center, ds_vec3 size )
{
	static const int32_t faces[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 },
		{ 2, 6, 7 }, { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
	for ( int i = 0; i < 8; ++i )
	{
		v[8 * *boxes + i] = ds_add( center, ds_v3( ( i & 1 ? 0.5 : -0.5 ) * size.x, ( i & 2 ? 0.5 : -0.5 ) * size.y,
												( i & 4 ? 0.5 : -0.5 ) * size.z ) );
	}
	for ( int i = 0; i < 36; ++i )
	{
		t[36 * *boxes + i] = 8 * *boxes + faces[i / 3][i % 3];
	}
	++*boxes;
}

// Four feet: four patches, each of its own width, at any yaw, on a slope too.
static void test_feet( void **state )
{
	(void)state;
	ds_vec3 v[40];
	int32_t t[180];
	int boxes = 0;
	const double feet[4][2] = { { 0.1, 0.2 }, { 0.3, 0.15 }, { 0.12, 0.12 }, { 0.05, 0.4 } };
	for ( int i = 0; i < 4; ++i )
	{
		add_box(
			v, t, &boxes, ds_v3( i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0.5 ), ds_v3( feet[i][0], feet[i][1], 0.1 ) );
	}
	add_box( v, t, &boxes, ds_v3( 0, 0, 0 ), ds_v3( 1.6, 1.6, 0.3 ) );
	ds_soil soil = soil_named( "dry_sand" );
	for ( int k = 0; k < 9; ++k )
	{
		double slope = k % 3 == 2 ? 0.3 : 0;
		site s = site_plane( slope, &soil );
		ds_contact_mesh_def def = { v, 40, t, 60, ds_pose_identity(), k % 2 ? 0.06 : 5, 0 };
		body b = { .velocity = { { 0, 0, 0 }, { 0, 0, 0 } } };
		assert_ok( ds_contact_mesh_create( NULL, &def, &b.mesh ) );
		b.scratch = calloc( 1, ds_contact_scratch_size( b.mesh ) );
		ds_quat tilt = ds_quat_from_rpy( ds_v3( 0, -slope, 0 ) );
		b.pose.attitude = ds_quat_mul( tilt, ds_quat_from_rpy( ds_v3( 0, 0, 0.37 * k ) ) );
		b.pose.position = ds_rotate( tilt, ds_v3( 0, 0, -0.54 ) );
		see( &b, &s.ground );
		int32_t count = 0;
		const int32_t *patches = ds_contact_mesh_patches( b.mesh, b.scratch, &count );
		assert_int_equal( count, 4 );
		double area[4] = { 0, 0, 0, 0 };
		for ( int i = 0; i < b.elements.count; ++i )
		{
			if ( patches[i] < 0 )
			{
				continue;
			}
			int foot = ( b.elements.x[i] > 0 ) + 2 * ( b.elements.y[i] > 0 );
			area[patches[i]] += b.elements.area[i];
			assert_near( b.elements.width[i], fmin( feet[foot][0], feet[foot][1] ), 1e-9 );
		}
		for ( int i = 0; i < 4; ++i )
		{
			assert_true( area[i] > 0 );
		}
		b.pose.position.z = -2;
		see( &b, &s.ground );
		patches = ds_contact_mesh_patches( b.mesh, b.scratch, &count );
		assert_int_equal( count, 0 );
		assert_int_equal( patches[3], -1 );
		body_free( &b );
		site_free( &s );
	}
}

// The outline is that at the ground: a wedge that sinks edge first is as wide as its section there, for coarse faces too.
static void test_clipped_outline( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	site s = site_plane( 0, &soil );
	for ( int k = 0; k < 2; ++k )
	{
		body b = body_of( mesh_box( 1, 3, 1, 12 ), k ? 0.05 : 9, 100, 0 );
		b.pose.attitude = ds_quat_from_rpy( ds_v3( 0, 0.25 * DS_PI, 0 ) );
		b.pose.position.z = 0.2 - sqrt( 0.5 );
		see( &b, &s.ground );
		int32_t count = 0;
		const int32_t *patches = ds_contact_mesh_patches( b.mesh, b.scratch, &count );
		assert_int_equal( count, 1 );
		for ( int i = 0; i < b.elements.count; ++i )
		{
			if ( patches[i] == 0 )
			{
				assert_near( b.elements.width[i], 0.4, 1e-9 );
			}
		}
		body_free( &b );
	}
	// a sphere: a circle
	body b = body_of( mesh_sphere( 0.5, 20480 ), 0, 100, 0 );
	b.pose.position.z = -0.4;
	see( &b, &s.ground );
	int32_t count = 0;
	const int32_t *patches = ds_contact_mesh_patches( b.mesh, b.scratch, &count );
	assert_int_equal( count, 1 );
	for ( int i = 0; i < b.elements.count; ++i )
	{
		if ( patches[i] == 0 )
		{
			assert_near( b.elements.width[i], 0.6, 0.006 );
		}
	}
	body_free( &b );
	site_free( &s );
}

// ---- bodies ------------------------------------------------------------------------------------------------------

// Settles a body of 2000 N; its depth below where it first touches.
static double settle( ds_mesh *mesh, double spacing, const site *s, double bottom )
{
	body b = body_of( mesh, spacing, 2000 / 9.81, 2000 );
	b.pose.position.z = -bottom;
	body_settle_by( &b, &s->ground, 2000, 0.004 );
	double z = b.pose.position.z + bottom;
	body_free( &b );
	return z;
}

// P12 for meshes: 12 faces, 1280, 20480: the same sinkage; a sphere of 1280 and of 20480 faces too.
static void test_refinement( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	soil.kc = 50000; // so that a wrong b would be seen
	site s = site_plane( 0, &soil );
	double expected = ds_soil_sinkage( &soil, 0.2, 20000 );
	const int64_t faces[3] = { 12, 1280, 20480 };
	for ( int k = 0; k < 3; ++k )
	{
		double z = settle( mesh_box( 0.5, 0.2, 0.3, faces[k] ), k ? 10 : 0.2, &s, 0.15 );
		assert_near( z, expected, 0.01 * expected );
	}

	// spheres of the same volume: their vertices lie on larger ones
	double depth[2];
	for ( int k = 0; k < 2; ++k )
	{
		const int64_t count = k ? 20480 : 1280;
		ds_mesh *unit = mesh_sphere( 1, count );
		double radius = 0.3 * cbrt( 4.0 / 3 * DS_PI / ds_mesh_measure( unit ).volume );
		ds_mesh_release( unit );
		depth[k] = settle( mesh_sphere( radius, count ), 0, &s, 0.3 );
	}
	assert_near( depth[0], depth[1], 0.01 * depth[1] );
	site_free( &s );
}

// The same sinkage on grids of any cell, level or inclined.
static void test_grids( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	const double cells[4] = { 0.037, 0.1, 0.5, 5 };
	const double expected = ds_soil_sinkage( &soil, 0.2, 20000 );
	for ( int k = 0; k < 8; ++k )
	{
		const double slope = k < 4 ? 0 : 0.2;
		const int n = k % 4 == 3 ? 4 : 41;
		double *z = malloc( sizeof( *z ) * (size_t)( n * n ) );
		ds_terrain_grid_def def = ds_terrain_grid_default();
		def.spacing_north = def.spacing_east = cells[k % 4];
		def.rows = def.columns = n;
		def.north = def.east = -0.5 * ( n - 1 ) * cells[k % 4];
		for ( int i = 0; i < n * n; ++i )
		{
			z[i] = 4000 + tan( slope ) * ( def.north + i / n * def.spacing_north );
		}
		def.z = z;
		ds_terrain *terrain = NULL;
		assert_ok( ds_terrain_grid( &def, NULL, &terrain ) );
		free( z );
		site s = site_on( terrain, &soil );
		body b = body_of( mesh_box( 0.5, 0.2, 0.3, 12 ), 0.1, 2000 / 9.81, 0 );
		ds_quat tilt = ds_quat_from_rpy( ds_v3( 0, -slope, 0 ) );
		b.pose.attitude = ds_quat_mul( tilt, ds_quat_from_rpy( ds_v3( 0, 0, 0.4 ) ) );
		ds_vec3 start = ds_add( ds_v3( 0, 0, 4000 ), ds_rotate( tilt, ds_v3( 0, 0, -0.15 ) ) );
		b.pose.position = start;
		b.force = ds_rotate( tilt, ds_v3( 0, 0, 1 ) );
		body_settle_by( &b, &s.ground, 2000, 0.004 );
		double sunk = ds_dot( ds_sub( b.pose.position, start ), ds_rotate( tilt, ds_v3( 0, 0, 1 ) ) );
		assert_near( sunk, expected, 0.02 * expected );
		body_free( &b );
		site_free( &s );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_parts ),
		cmocka_unit_test( test_bad_meshes ),
		cmocka_unit_test( test_feet ),
		cmocka_unit_test( test_clipped_outline ),
		cmocka_unit_test( test_refinement ),
		cmocka_unit_test( test_grids ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Repair: holes, duplicates, winding and split vertices, through files and back.

#include "mesh_kit.h"

// Writes the parts, repairs the file, writes the result and reads it again.
static result repair( const parts *p, int64_t max_hole, double weld )
{
	const char *path = DEEPSIM_TEST_TMP "/broken.obj";
	FILE *file = fopen( path, "w" );
	assert_non_null( file );
	for ( int i = 0; i < p->vertices; ++i )
	{
		fprintf( file, "v %.9g %.9g %.9g\n", p->v[i].x, p->v[i].y, p->v[i].z );
	}
	for ( int f = 0; f < p->faces; ++f )
	{
		fprintf( file, "f %d %d %d\n", p->t[3 * f] + 1, p->t[3 * f + 1] + 1, p->t[3 * f + 2] + 1 );
	}
	fclose( file );
	result r;
	memset( &r, 0, sizeof( r ) );
	ds_hooks hooks = { { NULL, NULL, NULL }, count_warnings, &r.warnings };
	ds_mesh_options options = ds_mesh_options_default();
	options.weld_distance = weld;
	ds_mesh *mesh;
	r.status = ds_mesh_repair( path, &options, max_hole, &hooks, &mesh, &r.report );
	r.is = ds_mesh_measure( mesh );
	if ( r.status == DS_OK )
	{
		// what is repaired is written and read as a proper mesh
		assert_int_equal( ds_mesh_save( mesh, DEEPSIM_TEST_TMP "/mended.ply" ), DS_OK );
		ds_mesh *again;
		assert_int_equal( ds_mesh_load( DEEPSIM_TEST_TMP "/mended.ply", NULL, NULL, &again, NULL ), DS_OK );
		assert_near( ds_mesh_measure( again ).volume, r.is.volume, 1e-12 * r.is.volume );
		ds_mesh_release( again );
	}
	ds_mesh_release( mesh );
	return r;
}

static void test_repair_holes( void **state )
{
	(void)state;
	parts p = cube();
	remove_face( &p, 11 ); // a triangle
	result r = repair( &p, 3, 0 );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.holes_closed, 1 );
	assert_int_equal( r.report.faces_added, 1 );
	assert_near( r.is.volume, 1, 1e-14 );

	p = cube(); // two whole sides
	remove_face( &p, 11 );
	remove_face( &p, 10 );
	remove_face( &p, 1 );
	remove_face( &p, 0 );
	assert_int_equal( repair( &p, 3, 0 ).status, DS_ERROR_MESH_OPEN );
	r = repair( &p, 8, 0 );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_added, 4 );
	assert_near( r.is.volume, 1, 1e-14 );
	assert_near( r.is.area, 6, 1e-14 );
}

// Turned faces, doubled faces, split vertices and a hole at once.
static void test_repair_all( void **state )
{
	(void)state;
	parts p = cube();
	turn( &p, 2 );
	turn( &p, 9 );
	remove_face( &p, 4 );
	memcpy( p.t + 3 * p.faces, p.t, 6 * sizeof( int32_t ) ); // two faces again, one of them turned
	p.faces += 2;
	turn( &p, p.faces - 1 );
	p.v[8] = ds_v3( 1, 1, 1 + 1e-5 );
	p.vertices = 9;
	p.t[3 * 3 + 1] = 8; // a corner apart from its place
	assert_int_not_equal( check( &p, NULL ).status, DS_OK );
	result r = repair( &p, 10, 1e-3 );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_duplicate, 2 );
	assert_int_equal( r.report.holes_closed, 1 );
	assert_int_equal( r.report.vertices_welded, 1 );
	assert_near( r.is.volume, 1, 1e-9 );
}

// A box that is inside out but for two faces, and open: nine faces are turned in the end, whatever the way there.
static void test_repair_inward( void **state )
{
	(void)state;
	parts p;
	memset( &p, 0, sizeof( p ) );
	add_box( &p, ds_v3( 0, 0, 0 ), ds_v3( 1, 2, 3 ), true );
	turn( &p, 2 );
	turn( &p, 5 );
	remove_face( &p, 11 );
	result r = repair( &p, 3, 0 );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_turned, 9 );
	assert_near( r.is.volume, 6, 1e-13 );
}

// Holes that meet in a vertex are closed one by one.
static void test_repair_bow_tie( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.faces = 80;
	ds_mesh *sphere;
	assert_int_equal( ds_mesh_make( &shape, NULL, &sphere ), DS_OK );
	parts p;
	memset( &p, 0, sizeof( p ) );
	int64_t vertices, faces;
	const ds_vec3 *v = ds_mesh_vertices( sphere, &vertices );
	const int32_t *t = ds_mesh_triangles( sphere, &faces );
	memcpy( p.v, v, (size_t)vertices * sizeof( *v ) );
	memcpy( p.t, t, (size_t)faces * 3 * sizeof( *t ) );
	p.vertices = (int)vertices;
	p.faces = (int)faces;

	// two faces that have one vertex in common
	int other = 0, shared = 0;
	while ( shared != 1 )
	{
		++other;
		shared = 0;
		for ( int i = 0; i < 9; ++i )
		{
			shared += t[i / 3] == t[3 * other + i % 3];
		}
	}
	remove_face( &p, other );
	remove_face( &p, 0 );
	result r = repair( &p, 3, 0 );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.holes_closed, 2 );
	assert_near( r.is.volume, ds_mesh_measure( sphere ).volume, 1e-7 );
	ds_mesh_release( sphere );
}

static void test_repair_cannot( void **state )
{
	(void)state;
	parts p = cube();
	add_box( &p, ds_v3( 1, 1, 0 ), ds_v3( 2, 2, 1 ), false );
	assert_int_equal( repair( &p, 100, 0 ).status, DS_ERROR_MESH_NON_MANIFOLD );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_repair_holes ),
		cmocka_unit_test( test_repair_all ),
		cmocka_unit_test( test_repair_inward ),
		cmocka_unit_test( test_repair_bow_tie ),
		cmocka_unit_test( test_repair_cannot ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

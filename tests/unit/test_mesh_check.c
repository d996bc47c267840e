// Topology: what is refused and with which error, winding, cavities, welding, degenerate faces.

#include "mesh_kit.h"

// ---- errors

static void test_open( void **state )
{
	(void)state;
	parts p = cube();
	remove_face( &p, 11 );
	result r = check( &p, NULL );
	assert_int_equal( r.status, DS_ERROR_MESH_OPEN );
	assert_int_equal( r.report.edges_open, 3 );
	assert_said( "3 of the mesh's edges are open" );
	assert_said( "such as the one from (1, 0, 0) to (1, 0, 1)" );
	assert_said( "deepsim mesh repair" );

	ds_mesh_options open = ds_mesh_options_default();
	open.topology = DS_MESH_OPEN_ALLOWED;
	r = check( &p, &open );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.edges_open, 3 );
	assert_false( r.is.closed );
	assert_near( r.is.volume, 0, 0 );
	assert_near( r.is.area, 5.5, 1e-14 );
}

static void test_non_manifold( void **state )
{
	(void)state;
	// two cubes that share an edge: it has four faces
	parts p = cube();
	add_box( &p, ds_v3( 1, 1, 0 ), ds_v3( 2, 2, 1 ), false );
	result r = check( &p, NULL );
	assert_int_equal( r.status, DS_ERROR_MESH_NON_MANIFOLD );
	assert_int_equal( r.report.edges_non_manifold, 1 );
	assert_said( "1 of the mesh's edges have more than two faces" );
	assert_said( "(1, 1, 0)" );
	assert_said( "(1, 1, 1)" );

	// two that share a corner only are fine
	p = cube();
	add_box( &p, ds_v3( 1, 1, 1 ), ds_v3( 2, 2, 2 ), false );
	r = check( &p, NULL );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.components, 2 );
	assert_int_equal( r.is.vertices, 15 );
	assert_near( r.is.volume, 2, 1e-14 );
}

static void test_volume( void **state )
{
	(void)state;
	// a triangle seen from both sides is closed and flat
	parts p;
	memset( &p, 0, sizeof( p ) );
	p.v[1].x = p.v[2].y = 1;
	p.vertices = 3;
	const int32_t faces[6] = { 0, 1, 2, 0, 2, 1 };
	memcpy( p.t, faces, sizeof( faces ) );
	p.faces = 2;
	assert_int_equal( check( &p, NULL ).status, DS_ERROR_MESH_VOLUME );
	assert_said( "encloses no volume" );
}

static void test_empty( void **state )
{
	(void)state;
	parts p;
	memset( &p, 0, sizeof( p ) );
	assert_int_equal( check( &p, NULL ).status, DS_ERROR_MESH_EMPTY );
	p.vertices = 3;
	p.faces = 1;
	p.t[1] = 1;
	p.t[2] = 2;
	assert_int_equal( check( &p, NULL ).status, DS_ERROR_MESH_EMPTY ); // all corners are equal
	p.t[2] = 3;
	assert_int_equal( check( &p, NULL ).status, DS_ERROR_RANGE );
	assert_said( "names vertex 3 of 3" );
	p = cube();
	p.v[5].y = NAN;
	assert_int_equal( check( &p, NULL ).status, DS_ERROR_NOT_FINITE );
	p.v[5].y = 1e60;
	assert_int_equal( check( &p, NULL ).status, DS_ERROR_RANGE );
	assert_int_equal( ds_mesh_create( NULL, 3, NULL, 1, NULL, NULL, NULL, NULL ), DS_ERROR_ARGUMENT );
}

// ---- winding

static void test_mixed_winding( void **state )
{
	(void)state;
	parts p = cube();
	turn( &p, 3 );
	turn( &p, 7 );
	result r = check( &p, NULL );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_turned, 2 );
	assert_int_equal( r.warnings, 1 );
	assert_near( r.is.volume, 1, 1e-14 );

	ds_mesh_options strict = ds_mesh_options_default();
	strict.repair_winding = false;
	r = check( &p, &strict );
	assert_int_equal( r.status, DS_ERROR_MESH_WINDING );
	assert_said( "wound against each other" );
}

static void test_inward( void **state )
{
	(void)state;
	parts p;
	memset( &p, 0, sizeof( p ) );
	add_box( &p, ds_v3( 0, 0, 0 ), ds_v3( 1, 2, 3 ), true );
	result r = check( &p, NULL );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_turned, 12 );
	assert_near( r.is.volume, 6, 1e-13 );
	ds_mesh_options strict = ds_mesh_options_default();
	strict.repair_winding = false;
	assert_int_equal( check( &p, &strict ).status, DS_ERROR_MESH_WINDING );
	assert_said( "point inward" );
}

// A cavity faces inward by right; a file that is inside out as a whole keeps its cavity when it is turned.
static void test_cavities( void **state )
{
	(void)state;
	ds_mesh_options strict = ds_mesh_options_default();
	strict.repair_winding = false;
	for ( int inverted = 0; inverted < 2; ++inverted )
	{
		parts p;
		memset( &p, 0, sizeof( p ) );
		add_box( &p, ds_v3( 1, 1, 1 ), ds_v3( 2, 2, 2 ), !inverted ); // the cavity stands first in the file
		add_box( &p, ds_v3( 0, 0, 0 ), ds_v3( 4, 4, 4 ), inverted );
		add_box( &p, ds_v3( 10, 0, 0 ), ds_v3( 11, 1, 1 ), false );
		result r = check( &p, NULL );
		assert_int_equal( r.status, DS_OK );
		assert_int_equal( r.report.components, 3 );
		assert_int_equal( r.report.faces_turned, inverted ? 24 : 0 );
		assert_near( r.is.volume, 64 - 1 + 1, 1e-12 );
		assert_int_equal( check( &p, &strict ).status, inverted ? DS_ERROR_MESH_WINDING : DS_OK );
	}

	// a part whose bounds lie within another's, but which is outside of it, is no cavity: two slabs of an L and a cube
	// in its corner
	parts p;
	memset( &p, 0, sizeof( p ) );
	const double outline[6][2] = { { 0, 0 }, { 4, 0 }, { 4, 1 }, { 1, 1 }, { 1, 4 }, { 0, 4 } };
	for ( int i = 0; i < 12; ++i )
	{
		p.v[p.vertices++] = ds_v3( outline[i % 6][0], outline[i % 6][1], i < 6 ? 0 : 4 );
	}
	const int32_t cap[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 5 }, { 3, 4, 5 } };
	for ( int i = 0; i < 8; ++i, ++p.faces )
	{
		for ( int k = 0; k < 3; ++k )
		{
			p.t[3 * p.faces + k] = i < 4 ? cap[i][2 - k] : cap[i - 4][k] + 6;
		}
	}
	for ( int i = 0; i < 6; ++i )
	{
		int32_t a = i, b = ( i + 1 ) % 6, side[6] = { a, b, b + 6, a, b + 6, a + 6 };
		memcpy( p.t + 3 * p.faces, side, sizeof( side ) );
		p.faces += 2;
	}
	add_box( &p, ds_v3( 2, 2, 1 ), ds_v3( 3, 3, 2 ), true );
	result r = check( &p, NULL );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_turned, 12 );
	assert_near( r.is.volume, 7 * 4 + 1, 1e-12 );
}

// The tetrahemihexahedron's relative that is easiest to write: the six-vertex projective plane. Closed, each edge with two
// faces, and one-sided.
static void test_one_sided( void **state )
{
	(void)state;
	static const int32_t faces[10][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 0, 4, 5 }, { 0, 5, 1 }, { 1, 2, 4 },
		{ 2, 3, 5 }, { 3, 4, 1 }, { 4, 5, 2 }, { 5, 1, 3 } };
	parts p;
	memset( &p, 0, sizeof( p ) );
	for ( int i = 0; i < 6; ++i )
	{
		p.v[i] = ds_v3( i * i, i * i * i - 3 * i, i % 3 );
	}
	p.vertices = 6;
	p.faces = 10;
	memcpy( p.t, faces, sizeof( faces ) );
	result r = check( &p, NULL );
	assert_int_equal( r.status, DS_ERROR_MESH_WINDING );
	assert_said( "cannot be wound alike" );
	ds_mesh_options open = ds_mesh_options_default();
	open.topology = DS_MESH_OPEN_ALLOWED;
	assert_int_equal( check( &p, &open ).status, DS_OK );
}

// ---- welding and degenerate faces

static void test_weld( void **state )
{
	(void)state;
	// three corners a face of its own, each a little off
	parts box = cube(), p;
	memset( &p, 0, sizeof( p ) );
	for ( int i = 0; i < 36; ++i )
	{
		ds_vec3 off = ds_v3( 1e-6 * ( i % 5 - 2 ), 1e-6 * ( i % 3 - 1 ), 1e-6 * ( i % 7 - 3 ) );
		p.v[i] = ds_add( box.v[box.t[i]], off );
		p.t[i] = i;
	}
	p.vertices = 36;
	p.faces = 12;
	ds_mesh_options options = ds_mesh_options_default();
	assert_int_equal( check( &p, &options ).status, DS_ERROR_MESH_OPEN );
	options.weld_distance = 1e-5;
	result r = check( &p, &options );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.vertices_welded, 28 );
	assert_int_equal( r.is.vertices, 8 );
	assert_near( r.is.volume, 1, 2e-5 );

	// as wide as the box: nothing is left
	options.weld_distance = 2;
	assert_int_equal( check( &p, &options ).status, DS_ERROR_MESH_EMPTY );

	// zeros of both signs are one place
	p = cube();
	for ( int i = 0; i < 8; ++i )
	{
		p.v[8 + i] = ds_scale( i % 2 ? 1 : -1, ds_v3( 0, 0, 0 ) );
		p.v[8 + i] = ds_add( p.v[i], p.v[8 + i] );
	}
	p.v[0].x = -0.0;
	p.t[0] = 8;
	p.vertices = 16;
	assert_int_equal( check( &p, NULL ).status, DS_OK );
}

// Welding agrees with a search of all pairs on scattered points.
static void test_weld_against_search( void **state )
{
	(void)state;
	enum
	{
		COUNT = 2000
	};
	static ds_vec3 v[COUNT], kept[COUNT];
	uint32_t seed = 7;
	for ( int i = 0; i < COUNT; ++i )
	{
		double c[3];
		for ( int k = 0; k < 3; ++k )
		{
			seed = seed * 1664525u + 1013904223u;
			c[k] = (double)( seed >> 8 ) / 16777216.0 - 0.5;
		}
		v[i] = ds_v3( c[0], c[1], c[2] );
	}
	double distance = 0.06;
	int count = 0;
	for ( int i = 0; i < COUNT; ++i )
	{
		bool near = false;
		for ( int k = 0; k < count && !near; ++k )
		{
			near = ds_length( ds_sub( v[i], kept[k] ) ) < distance;
		}
		if ( !near )
		{
			kept[count++] = v[i];
		}
	}
	ds_mesh_options options = ds_mesh_options_default();
	options.weld_distance = distance;
	ds_mesh_report report;
	memset( &report, 0, sizeof( report ) );
	ds_soup soup;
	memset( &soup, 0, sizeof( soup ) );
	soup.name = "points";
	soup.options = &options;
	soup.report = &report;
	soup.deadline = ds_mesh_clock() + 60;
	for ( int i = 0; i < COUNT; ++i )
	{
		assert_int_equal( ds_soup_add_vertex( &soup, v[i] ), DS_OK );
	}
	assert_int_equal( ds_soup_weld( &soup ), DS_OK );
	assert_true( count < COUNT * 3 / 4 );
	assert_int_equal( soup.vertex_count, count );
	assert_memory_equal( soup.vertices, kept, (size_t)count * sizeof( *kept ) );
	ds_soup_free( &soup );
}

// A face without area between two whole ones: the corner of one stands on the edge of the other. It goes, and the mesh stays
// closed, for the neighbour is cut in two there.
static void test_degenerate( void **state )
{
	(void)state;
	parts p = cube();
	p.v[8] = ds_v3( 0.5, 0.5, 0 ); // on the diagonal 0-3 of the first two faces
	p.vertices = 9;
	const int32_t faces[9] = { 0, 2, 8, 8, 2, 3, 0, 8, 3 }; // the first face in two, and the sliver
	memcpy( p.t, faces, 3 * sizeof( int32_t ) );
	memcpy( p.t + 36, faces + 3, 6 * sizeof( int32_t ) );
	p.faces = 14;
	result r = check( &p, NULL );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_degenerate, 1 );
	assert_int_equal( r.warnings, 1 );
	assert_int_equal( r.is.vertices, 9 );
	assert_int_equal( r.is.faces, 14 );
	assert_near( r.is.volume, 1, 1e-14 );
	assert_near( r.is.area, 6, 1e-14 );

	// a face with two equal corners
	p = cube();
	const int32_t collapsed[3] = { 1, 1, 5 };
	memcpy( p.t + 36, collapsed, sizeof( collapsed ) );
	p.faces = 13;
	r = check( &p, NULL );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_degenerate, 1 );
	assert_int_equal( r.is.faces, 12 );
}

// A whole fan of faces without area along one edge, as triangulating a flat polygon with many corners on a line makes it.
static void test_degenerate_row( void **state )
{
	(void)state;
	enum
	{
		POINTS = 100
	};
	parts p;
	memset( &p, 0, sizeof( p ) );
	for ( int i = 0; i <= POINTS; ++i )
	{
		p.v[p.vertices++] = ds_v3( (double)i / POINTS, 0, 0 );
	}
	int32_t a = p.vertices, b = a + 1, last = POINTS;
	p.v[p.vertices++] = ds_v3( 0.5, 1, 0 );
	p.v[p.vertices++] = ds_v3( 0.5, 0, 1 );
	const int32_t whole[9] = { last, 0, b, 0, a, b, last, b, a };
	memcpy( p.t, whole, sizeof( whole ) );
	p.faces = 3;
	for ( int32_t i = 0; i < POINTS; ++i )
	{
		const int32_t side[3] = { i + 1, a, i }, flat[3] = { 0, i + 1, i };
		memcpy( p.t + 3 * p.faces++, side, sizeof( side ) );
		if ( i > 0 )
		{
			memcpy( p.t + 3 * p.faces++, flat, sizeof( flat ) );
		}
	}
	for ( int f = 3; f < p.faces; ++f )
	{
		turn( &p, f );
	}
	result r = check( &p, NULL );
	assert_int_equal( r.status, DS_OK );
	assert_int_equal( r.report.faces_degenerate, POINTS - 1 );
	assert_int_equal( r.is.vertices, POINTS + 3 );
	assert_near( r.is.volume, 1.0 / 6, 1e-14 );
}

// Concave polygons are cut into the triangles they cover: an L-shaped prism of polygons.
static void test_concave_polygons( void **state )
{
	(void)state;
	static const char text[] =
		"v 0 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 4 0\nv 0 4 0\nv 0 0 2\nv 4 0 2\nv 4 1 2\nv 1 1 2\n"
		"v 1 4 2\nv 0 4 2\nf 6 5 4 3 2 1\nf 10 11 12 7 8 9\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\n"
		"f 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
	ds_mesh_options options = ds_mesh_options_default();
	ds_mesh_report report;
	memset( &report, 0, sizeof( report ) );
	ds_mesh *mesh;
	assert_int_equal(
		ds_mesh_parse( "l.obj", (const uint8_t *)text, sizeof( text ) - 1, -1, &options, NULL, &mesh, &report ),
		DS_OK );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	assert_int_equal( p.faces, 20 );
	assert_near( p.volume, 14, 1e-13 );
	assert_near( p.area, 2 * 7 + 16 * 2, 1e-13 );
	ds_mesh_release( mesh );
}

// ---- references

static void test_references( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	ds_mesh *mesh;
	assert_int_equal( ds_mesh_make( &shape, NULL, &mesh ), DS_OK );
	assert_ptr_equal( ds_mesh_retain( mesh ), mesh );
	ds_mesh_release( mesh );
	int64_t count;
	assert_non_null( ds_mesh_vertices( mesh, &count ) );
	assert_int_equal( count, 8 );
	ds_mesh_release( mesh );
	ds_mesh_release( NULL );
	assert_null( ds_mesh_retain( NULL ) );
	assert_null( ds_mesh_triangles( NULL, &count ) );
	assert_int_equal( count, 0 );
	assert_false( ds_mesh_measure( NULL ).closed );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_open ),
		cmocka_unit_test( test_non_manifold ),
		cmocka_unit_test( test_volume ),
		cmocka_unit_test( test_empty ),
		cmocka_unit_test( test_mixed_winding ),
		cmocka_unit_test( test_inward ),
		cmocka_unit_test( test_cavities ),
		cmocka_unit_test( test_one_sided ),
		cmocka_unit_test( test_weld ),
		cmocka_unit_test( test_weld_against_search ),
		cmocka_unit_test( test_degenerate ),
		cmocka_unit_test( test_degenerate_row ),
		cmocka_unit_test( test_concave_polygons ),
		cmocka_unit_test( test_references ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

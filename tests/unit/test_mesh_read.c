// Reading and writing mesh files: every format, options, limits, malformed files, and thousands of damaged ones.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/mesh_internal.h"
#include "io/mesh_scan.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIXTURES DEEPSIM_SOURCE_DIR "/tests/fixtures/mesh/"

// The same box from (1, 2, 3) to (2, 4, 6) in every format and coding.
static const char *const boxes[] = { "box.obj", "box.stl", "box_text.stl", "box.ply", "box_big.ply", "box_text.ply",
	"box.glb", "box.gltf", "box_mirrored.gltf" };
#define BOX_COUNT (int)( sizeof( boxes ) / sizeof( boxes[0] ) )

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.17g is not %.17g within %g", value, expected, tolerance );
	}
}

static void assert_box( const ds_mesh *mesh, ds_vec3 lower, ds_vec3 upper, double tolerance )
{
	ds_mesh_properties p = ds_mesh_measure( mesh );
	ds_vec3 size = ds_sub( upper, lower ), middle = ds_scale( 0.5, ds_add( lower, upper ) );
	double volume = size.x * size.y * size.z;
	assert_int_equal( p.vertices, 8 );
	assert_int_equal( p.faces, 12 );
	assert_true( p.closed );
	assert_near( p.volume, volume, tolerance * volume );
	assert_near( p.inertia.m[0][0], volume / 12 * ( size.y * size.y + size.z * size.z ), tolerance * 100 );
	assert_near( ds_length( ds_sub( p.centroid, middle ) ), 0, tolerance * 10 );
	assert_near( ds_length( ds_sub( p.lower, lower ) ), 0, tolerance * 10 );
	assert_near( ds_length( ds_sub( p.upper, upper ) ), 0, tolerance * 10 );
}

typedef struct messages
{
	int count;
	char last[512];
} messages;

static void note( void *user, ds_log_level level, const char *message )
{
	messages *m = user;
	m->count += level == DS_LOG_WARNING;
	snprintf( m->last, sizeof( m->last ), "%s", message );
}

static void test_formats( void **state )
{
	(void)state;
	for ( int i = 0; i < BOX_COUNT; ++i )
	{
		char path[512];
		snprintf( path, sizeof( path ), FIXTURES "%s", boxes[i] );
		messages heard = { 0, "" };
		ds_hooks hooks = { { NULL, NULL, NULL }, note, &heard };
		ds_mesh *mesh;
		ds_mesh_report report;
		if ( ds_mesh_load( path, NULL, &hooks, &mesh, &report ) != DS_OK )
		{
			fail_msg( "%s", ds_last_error() );
		}
		assert_box( mesh, ds_v3( 1, 2, 3 ), ds_v3( 2, 4, 6 ), 1e-15 );
		bool stl = strstr( boxes[i], ".stl" ) != NULL;
		assert_int_equal( report.vertices_read, stl ? 36 : 8 );
		assert_int_equal( report.components, 1 );
		assert_int_equal( report.faces_turned, 0 );
		assert_int_equal( report.edges_open, 0 );
		assert_int_equal( heard.count, 0 );
		ds_mesh_release( mesh );
	}
}

static void test_scale_and_axes( void **state )
{
	(void)state;
	for ( int i = 0; i < BOX_COUNT; ++i )
	{
		char path[512];
		snprintf( path, sizeof( path ), FIXTURES "%s", boxes[i] );
		ds_mesh_options options = ds_mesh_options_default();
		ds_mesh *mesh;
		options.scale = 0.5;
		options.axes = DS_AXES_FLU; // (x, -y, -z)
		assert_int_equal( ds_mesh_load( path, &options, NULL, &mesh, NULL ), DS_OK );
		assert_box( mesh, ds_v3( 0.5, -2, -3 ), ds_v3( 1, -1, -1.5 ), 1e-15 );
		ds_mesh_release( mesh );
		options.axes = DS_AXES_Y_UP; // (z, -x, -y)
		assert_int_equal( ds_mesh_load( path, &options, NULL, &mesh, NULL ), DS_OK );
		assert_box( mesh, ds_v3( 1.5, -1, -2 ), ds_v3( 3, -0.5, -1 ), 1e-15 );
		ds_mesh_release( mesh );
	}
}

static void test_options( void **state )
{
	(void)state;
	ds_mesh *mesh;
	ds_mesh_options options = ds_mesh_options_default();
	options.scale = 0;
	assert_int_equal( ds_mesh_load( FIXTURES "box.stl", &options, NULL, &mesh, NULL ), DS_ERROR_RANGE );
	options = ds_mesh_options_default();
	options.weld_distance = -1;
	assert_int_equal( ds_mesh_load( FIXTURES "box.stl", &options, NULL, &mesh, NULL ), DS_ERROR_RANGE );
	options = ds_mesh_options_default();
	options.struct_size = 4;
	assert_int_equal( ds_mesh_load( FIXTURES "box.stl", &options, NULL, &mesh, NULL ), DS_ERROR_ARGUMENT );
	options = ds_mesh_options_default();
	options.max_bytes = 683;
	assert_int_equal( ds_mesh_load( FIXTURES "box.stl", &options, NULL, &mesh, NULL ), DS_ERROR_LIMIT );
	assert_null( mesh );
	for ( int i = 0; i < BOX_COUNT; ++i )
	{
		char path[512];
		snprintf( path, sizeof( path ), FIXTURES "%s", boxes[i] );
		options = ds_mesh_options_default();
		options.max_faces = 11;
		assert_int_equal( ds_mesh_load( path, &options, NULL, &mesh, NULL ), DS_ERROR_LIMIT );
		options.max_faces = 12;
		assert_int_equal( ds_mesh_load( path, &options, NULL, &mesh, NULL ), DS_OK );
		ds_mesh_release( mesh );
	}
	assert_int_equal( ds_mesh_load( NULL, NULL, NULL, &mesh, NULL ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_mesh_load( FIXTURES "none.stl", NULL, NULL, &mesh, NULL ), DS_ERROR_IO );
	assert_non_null( strstr( ds_last_error(), "none.stl" ) );
	assert_int_equal( ds_mesh_load( "/dev/zero", NULL, NULL, &mesh, NULL ), DS_ERROR_IO );
	assert_int_equal( ds_mesh_load( FIXTURES, NULL, NULL, &mesh, NULL ), DS_ERROR_IO );
	assert_int_equal( ds_mesh_load( DEEPSIM_SOURCE_DIR "/LICENSE", NULL, NULL, &mesh, NULL ), DS_ERROR_FORMAT );
}

// ---- writing

static void test_round_trip( void **state )
{
	(void)state;
	static const char *const endings[] = { "obj", "stl", "ply" };
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_MYRING );
	ds_mesh *mesh;
	assert_int_equal( ds_mesh_make( &shape, NULL, &mesh ), DS_OK );
	ds_mesh_properties p = ds_mesh_measure( mesh );
	for ( int i = 0; i < 3; ++i )
	{
		char path[512];
		snprintf( path, sizeof( path ), DEEPSIM_TEST_TMP "/hull.%s", endings[i] );
		assert_int_equal( ds_mesh_save( mesh, path ), DS_OK );
		ds_mesh *back;
		ds_mesh_report report;
		assert_int_equal( ds_mesh_load( path, NULL, NULL, &back, &report ), DS_OK );
		ds_mesh_properties q = ds_mesh_measure( back );
		assert_int_equal( q.vertices, p.vertices );
		assert_int_equal( q.faces, p.faces );
		assert_int_equal( report.faces_turned, 0 );

		// PLY keeps doubles; the others have been through floats
		double tolerance = i == 2 ? 0 : 1e-6;
		assert_near( q.volume, p.volume, tolerance * p.volume );
		assert_near( q.area, p.area, tolerance * p.area );
		assert_near( q.inertia.m[1][1], p.inertia.m[1][1], tolerance * p.inertia.m[1][1] );
		ds_mesh_release( back );
		snprintf( path, sizeof( path ), DEEPSIM_TEST_TMP "/hull.%s.part", endings[i] );
		assert_int_not_equal( access( path, F_OK ), 0 );
	}
	assert_int_equal( ds_mesh_save( mesh, DEEPSIM_TEST_TMP "/hull.glb" ), DS_ERROR_FORMAT );
	assert_int_equal( ds_mesh_save( mesh, DEEPSIM_TEST_TMP "/none/hull.stl" ), DS_ERROR_IO );
	assert_int_equal( ds_mesh_save( NULL, DEEPSIM_TEST_TMP "/hull.stl" ), DS_ERROR_ARGUMENT );
	ds_mesh_release( mesh );
}

// What cannot get its name leaves nothing behind, and keeps what was there.
static void test_failed_save( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	ds_mesh *mesh;
	assert_int_equal( ds_mesh_make( &shape, NULL, &mesh ), DS_OK );
	mkdir( DEEPSIM_TEST_TMP "/taken.stl", 0700 );
	assert_int_equal( ds_mesh_save( mesh, DEEPSIM_TEST_TMP "/taken.stl" ), DS_ERROR_IO );
	assert_non_null( strstr( ds_last_error(), "taken.stl" ) );
	assert_int_not_equal( access( DEEPSIM_TEST_TMP "/taken.stl.part", F_OK ), 0 );
	assert_int_equal( rmdir( DEEPSIM_TEST_TMP "/taken.stl" ), 0 );
	ds_mesh_release( mesh );
}

// ---- malformed text and data, in memory

static ds_status parse( const char *name, const void *bytes, size_t size )
{
	ds_mesh_options options = ds_mesh_options_default();
	ds_mesh_report report;
	memset( &report, 0, sizeof( report ) );
	ds_mesh *mesh = NULL;
	ds_status status = ds_mesh_parse( name, bytes, (int64_t)size, -1, &options, NULL, &mesh, &report );
	assert_true( ( status == DS_OK ) == ( mesh != NULL ) );
	ds_mesh_release( mesh );
	return status;
}

static void expect_error( const char *name, const char *text, ds_status expected, const char *words )
{
	ds_status status = parse( name, text, strlen( text ) );
	if ( status != expected || strstr( ds_last_error(), words ) == NULL )
	{
		fail_msg( "%s: status %d, not %d, \"%s\" for: %s", name, status, expected, ds_last_error(), text );
	}
}

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

static void test_obj_errors( void **state )
{
	(void)state;
	assert_int_equal( parse( "t.obj", TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
						  strlen( TETRAHEDRON "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n" ) ),
		DS_OK );
	expect_error( "a.obj", "", DS_ERROR_MESH_EMPTY, "a.obj: the mesh has no faces" );
	expect_error( "a.obj", TETRAHEDRON, DS_ERROR_MESH_EMPTY, "no faces" );
	expect_error( "a.obj", "v 0 0\n", DS_ERROR_FORMAT, "a.obj:1: expected three numbers" );
	expect_error( "a.obj", "v 0 0 x\n", DS_ERROR_FORMAT, "a.obj:1: expected three numbers" );
	expect_error( "a.obj", "v 0 0 1e99999\n", DS_ERROR_NOT_FINITE, "1e99999" );
	expect_error( "a.obj", "\nv 0 nan 0\n", DS_ERROR_NOT_FINITE, "a.obj:2: a vertex has the coordinate nan" );
	expect_error( "a.obj", "v 0 0 -inf\n", DS_ERROR_NOT_FINITE, "-inf" );
	expect_error( "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1e300 0\nf 1 2 3", DS_ERROR_NOT_FINITE, "must be finite" );
	expect_error( "a.obj", TETRAHEDRON "f 1 2 5\n", DS_ERROR_FORMAT, "a.obj:5: a face names vertex 5, but 4" );
	expect_error( "a.obj", TETRAHEDRON "f 1 2 0\n", DS_ERROR_FORMAT, "vertex 0" );
	expect_error( "a.obj", TETRAHEDRON "f 1 2 -5\n", DS_ERROR_FORMAT, "vertex -5" );
	expect_error( "a.obj", TETRAHEDRON "f 1 2 x\n", DS_ERROR_FORMAT, "expected vertex numbers" );
	expect_error( "a.obj", TETRAHEDRON "l 1 2\np 1\nf 1 2\n", DS_ERROR_MESH_EMPTY, "no faces" );
	expect_error( "a.obj", TETRAHEDRON "f 1 2 3\n", DS_ERROR_MESH_OPEN, "3 of the mesh's edges are open" );
}

static void test_stl_errors( void **state )
{
	(void)state;
	expect_error( "a.stl", "", DS_ERROR_FORMAT, "a.stl" );
	expect_error( "a.stl", "solid\n", DS_ERROR_FORMAT, "endsolid" );
	expect_error( "a.stl", "solid\nendsolid\n", DS_ERROR_MESH_EMPTY, "no faces" );
	expect_error(
		"a.stl", "solid\nfacet\nouter loop\nvertex 0 0\nendloop", DS_ERROR_FORMAT, "a.stl:5: expected three numbers" );
	expect_error( "a.stl", "solid\nfacet\nouter loop\nvertex 0 0 nan", DS_ERROR_NOT_FINITE, "nan" );
	expect_error( "a.stl", "solid\nfacet\nouter ring", DS_ERROR_FORMAT, "a.stl:3: expected loop" );
	uint8_t binary[84] = { 0 };
	binary[80] = 7;
	assert_int_equal( parse( "a.stl", binary, 84 ), DS_ERROR_FORMAT );
	assert_non_null( strstr( ds_last_error(), "of 7 faces has 434 bytes, but this one has 84" ) );
	binary[83] = 0xFF;
	assert_int_equal( parse( "a.stl", binary, 84 ), DS_ERROR_FORMAT );
}

#define PLY_HEAD "ply\nformat ascii 1.0\n"
#define PLY_XYZ  "property float x\nproperty float y\nproperty float z\n"

static void test_ply_errors( void **state )
{
	(void)state;
	expect_error( "a.ply", "", DS_ERROR_FORMAT, "expected ply" );
	expect_error( "a.ply", "ply\n", DS_ERROR_FORMAT, "end_header" );
	expect_error( "a.ply", "ply\nformat ascii 2.0\nend_header\n", DS_ERROR_FORMAT, "a.ply:2: expected format" );
	expect_error( "a.ply", "ply\nend_header\n", DS_ERROR_FORMAT, "format" );
	expect_error( "a.ply", PLY_HEAD "element vertex -1\nend_header\n", DS_ERROR_FORMAT, "element NAME COUNT" );
	expect_error( "a.ply", PLY_HEAD "element vertex 3\nproperty half x\n", DS_ERROR_FORMAT, "a.ply:4" );
	expect_error( "a.ply", PLY_HEAD "element vertex 1\nproperty float x\nend_header\n1\n", DS_ERROR_FORMAT, "x, y, z" );
	expect_error( "a.ply", PLY_HEAD "element vertex 1000000000000\n" PLY_XYZ "end_header\n0 0 0\n", DS_ERROR_FORMAT,
		"promises 1000000000000" );
	expect_error( "a.ply", PLY_HEAD "element vertex 1\n" PLY_XYZ "end_header\n0 nan 0\n", DS_ERROR_NOT_FINITE, "nan" );
	expect_error( "a.ply",
		PLY_HEAD "element vertex 1\n" PLY_XYZ "element face 1\nproperty list uchar int vertex_index\n"
				 "end_header\n0 0 0\n3 0 0 1\n",
		DS_ERROR_FORMAT, "vertex index 1 is not an integer in [0, 0]" );
	expect_error( "a.ply",
		PLY_HEAD "element face 1\nproperty list uchar int vertex_index\nelement vertex 1\n" PLY_XYZ
				 "end_header\n3 0 0 0\n0 0 0\n",
		DS_ERROR_FORMAT, "before the element vertex" );
	expect_error( "a.ply",
		PLY_HEAD "element vertex 1\n" PLY_XYZ "element face 1\nproperty list float int vertex_index\n", DS_ERROR_FORMAT,
		"a.ply:8: expected property list" );
}

#define GLTF_HEAD "{\"asset\":{\"version\":\"2.0\"},"

// A token of a text file may hold NUL bytes and be longer than the word it is compared with.
static void test_tokens_with_nul( void **state )
{
	(void)state;
	static const char words[] = "inf\0xyz nan\0 infinity\0\0\0\0 ply\0";
	const ds_token tokens[] = { { words, 7 }, { words + 8, 4 }, { words + 13, 12 }, { words + 26, 4 } };
	for ( size_t i = 0; i < sizeof( tokens ) / sizeof( tokens[0] ); ++i )
	{
		double number;
		assert_false( ds_token_is( tokens[i], "ply" ) );
		assert_false( ds_token_number( tokens[i], &number ) );
	}
	assert_true( ds_token_is( ( ds_token ){ words + 26, 3 }, "PLY" ) );
}

static void test_gltf_errors( void **state )
{
	(void)state;
	expect_error( "a.gltf", "", DS_ERROR_FORMAT, "a.gltf" );
	expect_error( "a.gltf", "[]", DS_ERROR_FORMAT, "expected an object" );
	expect_error( "a.gltf", "{\"asset\":{\"version\":\"1.0\"}}", DS_ERROR_UNSUPPORTED, "2.0" );
	expect_error( "a.gltf", GLTF_HEAD "\"nodes\":[]}", DS_ERROR_MESH_EMPTY, "no faces" );
	expect_error( "a.gltf", GLTF_HEAD "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", DS_ERROR_UNSUPPORTED,
		"KHR_draco_mesh_compression is not supported" );
	expect_error( "a.gltf", GLTF_HEAD "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}",
		DS_ERROR_FORMAT, "its own ancestor" );
	expect_error(
		"a.gltf", GLTF_HEAD "\"scenes\":[{\"nodes\":[0,0]}],\"nodes\":[{}]}", DS_ERROR_FORMAT, "two parents" );
	expect_error(
		"a.gltf", GLTF_HEAD "\"scenes\":[{\"nodes\":[3]}],\"nodes\":[{}]}", DS_ERROR_FORMAT, "one of 1 nodes" );
	expect_error( "a.gltf", GLTF_HEAD "\"nodes\":[{\"mesh\":0}]}", DS_ERROR_FORMAT, "nodes[0].mesh" );
	expect_error( "a.glb", "glTF", DS_ERROR_FORMAT, "GLB" );
	static const char *const paths[] = { "../x.bin", "/etc/passwd", "a/../../x.bin", "file:///etc/passwd",
		"%2e%2e/x.bin", "..%2fx.bin", "C:\\\\x.bin", "", "a/.." };
	for ( size_t i = 0; i < sizeof( paths ) / sizeof( paths[0] ); ++i )
	{
		char text[512];
		snprintf( text, sizeof( text ),
			GLTF_HEAD
			"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
			"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
			"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}]}",
			paths[i] );
		expect_error( "a.gltf", text, DS_ERROR_FORMAT, "in the folder of the glTF file" );
	}
}

// One triangle whose accessor, view and buffer numbers can be varied.
static void expect_accessor(
	const char *accessor, const char *view, const char *buffer, ds_status expected, const char *words )
{
	char text[1024];
	snprintf( text, sizeof( text ),
		GLTF_HEAD "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
				  "\"accessors\":[{\"bufferView\":0,\"type\":\"VEC3\",%s}],\"bufferViews\":[{\"buffer\":0,%s}],"
				  "\"buffers\":[{%s}]}",
		accessor, view, buffer );
	expect_error( "a.gltf", text, expected, words );
}

static void test_gltf_bounds( void **state )
{
	(void)state;
	// 36 bytes: (0 0 0), (1 0 0), (0 1 0)
	const char *data = "\"byteLength\":36,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"";
	const char *good = "\"componentType\":5126,\"count\":3", *view = "\"byteLength\":36";
	expect_accessor( good, view, data, DS_ERROR_MESH_OPEN, "3 of the mesh's edges" );
	expect_accessor( "\"componentType\":5126,\"count\":4", view, data, DS_ERROR_FORMAT, "do not fit" );
	expect_accessor( "\"componentType\":5126,\"count\":3,\"byteOffset\":4", view, data, DS_ERROR_FORMAT, "do not fit" );
	expect_accessor( "\"componentType\":5126,\"count\":1e18", view, data, DS_ERROR_FORMAT, "count" );
	expect_accessor( "\"componentType\":5126,\"count\":-1", view, data, DS_ERROR_FORMAT, "count" );
	expect_accessor( "\"componentType\":5126,\"count\":2.5", view, data, DS_ERROR_FORMAT, "count" );
	expect_accessor( "\"componentType\":5126,\"count\":2", view, data, DS_ERROR_FORMAT, "whole triangles" );
	expect_accessor( "\"componentType\":5125,\"count\":3", view, data, DS_ERROR_FORMAT, "componentType 5125" );
	expect_accessor(
		"\"componentType\":5126,\"normalized\":true,\"count\":3", view, data, DS_ERROR_FORMAT, "normalized" );
	expect_accessor( "\"componentType\":5126,\"count\":3,\"sparse\":{}", view, data, DS_ERROR_UNSUPPORTED, "sparse" );
	expect_accessor( good, "\"byteLength\":40", data, DS_ERROR_FORMAT, "byteLength" );
	expect_accessor( good, "\"byteLength\":36,\"byteOffset\":1", data, DS_ERROR_FORMAT, "bufferViews[0]" );
	expect_accessor( good, "\"byteLength\":36,\"byteStride\":8", data, DS_ERROR_FORMAT, "byteStride" );
	expect_accessor( good, "\"byteLength\":36,\"byteStride\":16", data, DS_ERROR_FORMAT, "do not fit" );
	expect_accessor( good, view, "\"byteLength\":36,\"uri\":\"data:;base64,AAAA\"", DS_ERROR_FORMAT, "only 3 bytes" );
	expect_accessor( good, view, "\"byteLength\":3,\"uri\":\"data:;base64,A*AA\"", DS_ERROR_FORMAT, "not base64" );
	expect_accessor( good, view, "\"byteLength\":36", DS_ERROR_FORMAT, "uri is missing" );
	expect_accessor( good, view, "\"byteLength\":36,\"uri\":\"none.bin\"", DS_ERROR_IO, "none.bin" );
	expect_accessor( "\"componentType\":5126,\"count\":3", view,
		"\"byteLength\":36,\"uri\":\"data:;base64,AADAfwAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"",
		DS_ERROR_NOT_FINITE, "not finite" );
}

// Positions of small integers, plain and normalized: a tetrahedron whose corners are (0 0 0), (127 0 0), (0 127 0), (0 0 -128).
static void test_gltf_quantized( void **state )
{
	(void)state;
	for ( int normalized = 0; normalized < 2; ++normalized )
	{
		char text[1024];
		snprintf( text, sizeof( text ),
			GLTF_HEAD
			"\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
			"\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5120,"
			"\"normalized\":%s,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5121,\"count\":12,"
			"\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":16,\"byteStride\":4},{\"buffer\":0,"
			"\"byteOffset\":16,\"byteLength\":12}],\"buffers\":[{\"byteLength\":28,"
			"\"uri\":\"data:;base64,AAAAAH8AAAAAfwAAAACAAAABAgADAQACAwEDAg==\"}]}",
			normalized ? "true" : "false" );
		ds_mesh_options options = ds_mesh_options_default();
		ds_mesh_report report;
		memset( &report, 0, sizeof( report ) );
		ds_mesh *mesh;
		if ( ds_mesh_parse( "q.gltf", (const uint8_t *)text, (int64_t)strlen( text ), -1, &options, NULL, &mesh,
				 &report ) != DS_OK )
		{
			fail_msg( "%s", ds_last_error() );
		}
		ds_mesh_properties p = ds_mesh_measure( mesh );
		assert_near( p.volume, normalized ? 1.0 / 6 : 127.0 * 127 * 128 / 6, 1e-9 );
		assert_near( p.upper.y, normalized ? 1 : 127, 0 );
		assert_near( p.lower.z, normalized ? -1 : -128, 0 );
		assert_int_equal( report.faces_turned, 0 );
		ds_mesh_release( mesh );
	}
}

// A node chain deeper than any stack, and a face of more corners than are read.
static void test_deep_and_wide( void **state )
{
	(void)state;
	enum
	{
		DEPTH = 100000
	};
	char *text = malloc( 64 * DEPTH ), *p = text;
	p += sprintf( p, GLTF_HEAD "\"nodes\":[" );
	for ( int i = 0; i < DEPTH; ++i )
	{
		p += sprintf( p, "{\"translation\":[1,0,0],\"children\":[%d]},", i + 1 );
	}
	p += sprintf( p, "{}]}" );
	assert_int_equal( parse( "deep.gltf", text, (size_t)( p - text ) ), DS_ERROR_MESH_EMPTY );

	p = text;
	p += sprintf( p, TETRAHEDRON "f" );
	for ( int i = 0; i <= DS_MESH_MAX_CORNERS; ++i )
	{
		p += sprintf( p, " %d", i % 4 + 1 );
	}
	assert_int_equal( parse( "wide.obj", text, (size_t)( p - text ) ), DS_ERROR_LIMIT );
	free( text );
}

// ---- damaged files: no crash, no hang, no leak, and an error or a proper mesh

static uint8_t *read_fixture( const char *name, int64_t *size )
{
	char path[512];
	snprintf( path, sizeof( path ), FIXTURES "%s", name );
	uint8_t *bytes = NULL, *copy;
	assert_int_equal( ds_mesh_file_read( path, 1 << 20, NULL, &bytes, size ), DS_OK );

	// exactly as long as the file, so that a byte too far is found
	copy = malloc( (size_t)*size );
	memcpy( copy, bytes, (size_t)*size );
	ds_memory_free( NULL, bytes, (size_t)*size + 1, 1 );
	return copy;
}

static void test_truncated( void **state )
{
	(void)state;
	for ( int i = 0; i < BOX_COUNT; ++i )
	{
		int64_t size;
		uint8_t *bytes = read_fixture( boxes[i], &size );
		char name[512];
		snprintf( name, sizeof( name ), FIXTURES "%s", boxes[i] );
		for ( int k = 0; k < 64; ++k )
		{
			size_t cut = (size_t)( size * k / 64 );
			uint8_t *part = malloc( cut + 1 );
			memcpy( part, bytes, cut );
			ds_status status = parse( name, part, cut );
			if ( status == DS_OK )
			{
				fail_msg( "%s of %zu bytes was read", name, cut );
			}
			free( part );
		}
		free( bytes );
	}
}

static uint32_t next_random( uint32_t *seed )
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void test_mutated( void **state )
{
	(void)state;
	uint32_t seed = 1;
	for ( int i = 0; i < BOX_COUNT; ++i )
	{
		int64_t size;
		uint8_t *bytes = read_fixture( boxes[i], &size ), *copy = malloc( (size_t)size );
		char name[512];
		snprintf( name, sizeof( name ), FIXTURES "%s", boxes[i] );
		int read = 0;
		for ( int k = 0; k < 600; ++k )
		{
			memcpy( copy, bytes, (size_t)size );
			for ( uint32_t n = 1 + next_random( &seed ) % 4; n > 0; --n )
			{
				size_t at = next_random( &seed ) % (uint32_t)size;
				uint32_t kind = next_random( &seed ) % 3;
				const char *likely = "0-9.,e \n{}[]\"/\xFF";
				unsigned value = kind == 0   ? copy[at] ^ 1u << next_random( &seed ) % 8
								 : kind == 1 ? next_random( &seed )
											 : (unsigned char)likely[next_random( &seed ) % 16];
				copy[at] = (uint8_t)value;
			}
			read += parse( name, copy, (size_t)size ) == DS_OK;
		}
		assert_true( read < 600 );
		free( copy );
		free( bytes );
	}
}

// Numbers are read and written with a point in a locale that has a comma; where there is none such, in the usual one.
static void test_locale( void **state )
{
	(void)state;
	if ( setlocale( LC_NUMERIC, "de_DE.UTF-8" ) == NULL )
	{
		setlocale( LC_NUMERIC, "fr_FR.UTF-8" );
	}
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ds_v3( 0.1, 1.5, 2.25 );
	ds_mesh *mesh, *back;
	assert_int_equal( ds_mesh_make( &shape, NULL, &mesh ), DS_OK );
	assert_int_equal( ds_mesh_save( mesh, DEEPSIM_TEST_TMP "/locale.obj" ), DS_OK );
	assert_int_equal( ds_mesh_load( DEEPSIM_TEST_TMP "/locale.obj", NULL, NULL, &back, NULL ), DS_OK );
	assert_box( back, ds_v3( -0.05, -0.75, -1.125 ), ds_v3( 0.05, 0.75, 1.125 ), 1e-7 );
	ds_mesh_release( back );
	assert_int_equal( ds_mesh_load( FIXTURES "box_text.stl", NULL, NULL, &back, NULL ), DS_OK );
	ds_mesh_release( back );
	ds_mesh_release( mesh );
	setlocale( LC_NUMERIC, "C" );
}

// ---- memory

typedef struct heap
{
	int64_t held, budget;
} heap;

static void *take( void *user, size_t size, size_t alignment )
{
	heap *h = user;
	if ( h->budget-- <= 0 )
	{
		return NULL;
	}
	h->held += (int64_t)size;
	return aligned_alloc( alignment, size );
}

static void give( void *user, void *memory, size_t size )
{
	( (heap *)user )->held -= (int64_t)size;
	free( memory );
}

// Whichever allocation fails, nothing is left.
static void test_out_of_memory( void **state )
{
	(void)state;
	for ( int i = 0; i < BOX_COUNT; ++i )
	{
		char path[512];
		snprintf( path, sizeof( path ), FIXTURES "%s", boxes[i] );
		ds_status status = DS_ERROR_MEMORY;
		for ( int64_t budget = 0; status != DS_OK; ++budget )
		{
			heap h = { 0, budget };
			ds_hooks hooks = { { take, give, &h }, NULL, NULL };
			ds_mesh *mesh;
			status = ds_mesh_repair( path, NULL, 10, &hooks, &mesh, NULL );
			assert_true( status == DS_OK || status == DS_ERROR_MEMORY );
			assert_true( budget < 200 );
			ds_mesh_release( mesh );
			assert_int_equal( h.held, 0 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_formats ),
		cmocka_unit_test( test_scale_and_axes ),
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_round_trip ),
		cmocka_unit_test( test_failed_save ),
		cmocka_unit_test( test_obj_errors ),
		cmocka_unit_test( test_stl_errors ),
		cmocka_unit_test( test_ply_errors ),
		cmocka_unit_test( test_tokens_with_nul ),
		cmocka_unit_test( test_gltf_errors ),
		cmocka_unit_test( test_gltf_bounds ),
		cmocka_unit_test( test_gltf_quantized ),
		cmocka_unit_test( test_deep_and_wide ),
		cmocka_unit_test( test_truncated ),
		cmocka_unit_test( test_mutated ),
		cmocka_unit_test( test_locale ),
		cmocka_unit_test( test_out_of_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Visuals from OBJ with MTL, PLY and STL, saving them, boards, and damaged files.

#include "tests/unit/visual_kit.h"

static void test_obj( void **state )
{
	(void)state;
	uint8_t picture[1024];
	read_picture( picture, sizeof( picture ) );
	write_text( ROOT "a b.mtl", "# colours\nnewmtl red paint\r\nKd 0.7 0.1 0.05\nPr 0.3\nPm 1\nNs 20\nnewmtl "
								"picture\nKd 0 0 0\nmap_Kd -s 1 1 1 two.png\n"
								"newmtl gray\nKd 0.4\n" );
	write_text( ROOT "a.obj",
		"mtllib a b.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0.6 0 0.8\n"
		"usemtl red paint\nf 1//1 2//1 3//1 -1//-1\nusemtl picture\nf 1/1 2/2 \\\n3/3 4/4\nusemtl gray\nf 3 2 1\n" );
	ds_visual *v;
	assert_int_equal( ds_visual_load( ROOT "a.obj", NULL, NULL, &v ), DS_OK );
	assert_int_equal( v->face_count, 5 );
	ds_surface s = surface_at( v, 0, 0.3, 0.3 );
	assert_true( s.color[0] == 0.7f && s.roughness == 0.3f && s.metallic == 1 );
	assert_near( s.normal[0], 0.6, 1e-6 );
	for ( int64_t f = 2; f < 4; ++f )
	{
		// red is at the top left of the picture: y up in OBJ
		ds_visual_at( v, f, ds_v3( 0.5, 0.75, 0 ), 0, &s );
		if ( f == 3 )
		{
			assert_near( s.color[0], 1, 1e-3 );
			assert_near( s.color[1], 0, 1e-3 );
		}
	}
	s = surface_at( v, 4, 0.3, 0.3 );
	assert_true( s.color[2] == 0.4f && s.normal[2] == -1 );
	ds_visual_release( v );

	// colours of vertices, sRGB
	assert_int_equal( parse( "a.obj", "v 0 0 0 1 0 0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 0 0 1\nf 1 2 3\n", &v ), DS_OK );
	s = surface_at( v, 0, 1, 0 );
	assert_near( s.color[0], pow( 0.555 / 1.055, 2.4 ), 1e-4 );
	ds_visual_release( v );
	expect_error( "a.obj", "v 0 0 0\nf 1 2 3\n", DS_ERROR_FORMAT, "names v 2" );
	expect_error( "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2/1 3/1\n", DS_ERROR_FORMAT, "names vt 1" );
	expect_error( "a.obj", "v 0 0 nan\n", DS_ERROR_NOT_FINITE, "finite" );
	expect_error( "a.obj", "v 0 0\n", DS_ERROR_FORMAT, "a.obj:1: expected more numbers" );
	expect_error( "a.obj", "mtllib ../secret.mtl\n", DS_ERROR_FORMAT, "not a file in the folder" );
	write_text( ROOT "bad.mtl", "newmtl a\nKd 2 0 0\n" );
	expect_error( ROOT "x.obj", "mtllib bad.mtl\n", DS_ERROR_FORMAT, "bad.mtl:2: expected numbers in [0, 1]" );
	write_text( ROOT "far.mtl", "newmtl a\nmap_Kd /etc/x.png\n" );
	expect_error( ROOT "x.obj", "mtllib far.mtl\n", DS_ERROR_FORMAT, "in the folder of the MTL file" );
	assert_int_equal( parse( ROOT "x.obj", "mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &v ), DS_OK );
	ds_visual_release( v );
}

static void test_ply_stl( void **state )
{
	(void)state;
	ds_visual *v;
	assert_int_equal(
		parse( "a.ply",
			"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
			"property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n"
			"property list uchar int vertex_indices\nend_header\n0 0 0 255 0 0\n1 0 0 0 188 0\n0 1 0 0 0 255\n3 0 1 "
			"2\n",
			&v ),
		DS_OK );
	ds_surface s = surface_at( v, 0, 1, 0 );
	assert_near( s.color[1], 0.5029, 1e-3 );
	ds_visual_release( v );
	static const char *const boxes[] = { "box.ply", "box.stl", "box_big.ply", "box.glb", "box.gltf",
		"box_mirrored.gltf" };
	// its mtllib leads to a device
	assert_int_equal(
		ds_visual_load( DEEPSIM_SOURCE_DIR "/tests/fixtures/mesh/box.obj", NULL, NULL, &v ), DS_ERROR_FORMAT );
	for ( int i = 0; i < 6; ++i )
	{
		char path[512];
		snprintf( path, sizeof( path ), "%s/tests/fixtures/mesh/%s", DEEPSIM_SOURCE_DIR, boxes[i] );
		if ( ds_visual_load( path, NULL, NULL, &v ) != DS_OK )
		{
			fail_msg( "%s", ds_last_error() );
		}
		assert_int_equal( v->face_count, 12 );
		for ( int64_t f = 0; f < 12; ++f )
		{
			// a box from (1, 2, 3) to (2, 4, 6): normals point outward, square to its faces
			ds_vec3 p = ds_scale(
				1.0 / 3, ds_add( v->vertices[v->triangles[3 * f]],
							 ds_add( v->vertices[v->triangles[3 * f + 1]], v->vertices[v->triangles[3 * f + 2]] ) ) );
			s = surface_at( v, f, 0.98, 0.01 );
			double out =
				s.normal[0] * ( p.x - 1.5 ) * 2 + s.normal[1] * ( p.y - 3 ) + s.normal[2] * ( p.z - 4.5 ) / 1.5;
			assert_near( out, 1, 1e-5 );
		}
		ds_visual_release( v );
	}
}

// The number of vertices of the only primitive of a GLB that was saved: what its first accessor counts.
static int64_t saved_vertices( const char *path )
{
	static const char key[] = "\"type\":\"VEC3\",\"count\":";
	char text[4096] = "";
	FILE *file = fopen( path, "rb" );
	assert_non_null( file );
	assert_int_equal( fseek( file, 20, SEEK_SET ), 0 );
	const size_t size = fread( text, 1, sizeof( text ) - 1, file );
	assert_int_equal( fclose( file ), 0 );
	text[size] = '\0';
	const char *at = strstr( text, key );
	assert_non_null( at );
	return strtoll( at + sizeof( key ) - 1, NULL, 10 );
}

static void test_save( void **state )
{
	(void)state;
	glb g;
	ds_visual *v, *again;
	make_glb( &g, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"COLOR_0\":3},\"indices\":4,\"material\":1", "",
		"\"materials\":[{},{\"pbrMetallicRoughness\":{\"metallicFactor\":0.5,\"roughnessFactor\":0.25}}]," );
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_OK );
	assert_int_equal( ds_visual_save( v, ROOT "saved.glb" ), DS_OK );
	assert_int_equal( saved_vertices( ROOT "saved.glb" ), v->vertex_count );
	assert_int_equal( ds_visual_load( ROOT "saved.glb", NULL, NULL, &again ), DS_OK );
	assert_int_equal( again->face_count, v->face_count );
	for ( int64_t f = 0; f < v->face_count; ++f )
	{
		for ( int k = 0; k < 5; ++k )
		{
			ds_surface a = surface_at( v, f, 0.2 * k, 0.1 ), b = surface_at( again, f, 0.2 * k, 0.1 );
			for ( int c = 0; c < 3; ++c )
			{
				assert_near( a.color[c], b.color[c], 1e-6 );
				assert_near( a.normal[c], b.normal[c], 1e-6 );
			}
			assert_true( b.metallic == 0.5f && b.roughness == 0.25f );
		}
	}
	ds_visual_release( again );

	// assimp reads it too
	ds_mesh_options options = ds_mesh_options_default();
	options.topology = DS_MESH_OPEN_ALLOWED;
	ds_mesh *mesh;
	assert_int_equal( ds_mesh_load( ROOT "saved.glb", &options, NULL, &mesh, NULL ), DS_OK );
	assert_near( ds_mesh_measure( mesh ).area, 2, 1e-6 );
	ds_mesh_release( mesh );
	assert_int_equal( ds_visual_save( v, ROOT "saved.obj" ), DS_ERROR_FORMAT );
	assert_int_equal( ds_visual_save( v, ROOT "nowhere/saved.glb" ), DS_ERROR_IO );
	ds_visual_release( v );
}

static void test_boards( void **state )
{
	(void)state;
	for ( int kind = 0; kind < DS_BOARD_KIND_COUNT; ++kind )
	{
		assert_int_equal( ds_table_check( ds_board_table( (ds_board_kind)kind ) ), DS_OK );
		ds_board board = ds_board_default( (ds_board_kind)kind );
		ds_visual *v;
		assert_int_equal( ds_visual_board( &board, NULL, &v ), DS_OK );
		ds_vec3 corner;
		assert_int_equal( ds_board_corner( &board, 0, &corner ), DS_OK );
		bool found = false;
		for ( int64_t i = 0; i < v->vertex_count; ++i )
		{
			found |= ds_length( ds_sub( v->vertices[i], corner ) ) == 0;
		}
		assert_true( found );
		ds_visual_release( v );
		assert_int_equal( ds_board_corner( &board, -1, &corner ), DS_ERROR_RANGE );
		assert_int_equal( ds_board_corner( &board, 4 * 24, &corner ), DS_ERROR_RANGE );
	}
	ds_board board = ds_board_default( DS_BOARD_CHECKERBOARD );
	ds_vec3 corner;
	assert_int_equal( ds_board_corner( &board, 10, &corner ), DS_OK ); // row 1, column 1 of 6 x 9
	assert_near( corner.y, ( 2 - 5 ) * 0.05, 1e-15 );
	assert_near( corner.z, ( 2 - 3.5 ) * 0.05, 1e-15 );
	board = ds_board_default( DS_BOARD_TAGS );
	assert_int_equal(
		ds_board_corner( &board, 4 * 7 + 2, &corner ), DS_OK ); // bottom right of the tag in row 1, column 1 of 4 x 6
	assert_near( corner.y, 0.08 * ( 1.3 * ( 1 - 2.5 ) + 0.5 ), 1e-15 );
	assert_near( corner.z, 0.08 * ( 1.3 * ( 1 - 1.5 ) + 0.5 ), 1e-15 );
	board.first = 570;
	ds_visual *v;
	assert_int_equal( ds_visual_board( &board, NULL, &v ), DS_ERROR_RANGE );
	board.square = NAN;
	assert_int_equal( ds_visual_board( &board, NULL, &v ), DS_ERROR_NOT_FINITE );
	board.kind = 7;
	assert_int_equal( ds_visual_board( &board, NULL, &v ), DS_ERROR_RANGE );
}

// ---- damage --------------------------------------------------------------------------------------------------------

static uint32_t seed = 1;

static uint32_t draw( uint32_t limit )
{
	seed = seed * 1664525 + 1013904223;
	return ( seed >> 8 ) % limit;
}

static void try_bytes( const char *name, const uint8_t *bytes, size_t size )
{
	ds_visual_options options = ds_visual_options_default();
	options.max_faces = 1000;
	options.max_pixels = 10000;
	ds_visual *v = NULL;
	ds_status status = ds_visual_parse( name, bytes, (int64_t)size, &options, NULL, &v );
	assert_true( ( status == DS_OK ) == ( v != NULL ) );
	for ( int64_t f = 0; v && f < v->face_count; ++f )
	{
		ds_surface s = surface_at( v, f, 0.3, 0.3 );
		assert_true( s.color[0] >= 0 && s.color[0] <= 1 && fabsf( s.normal[0] ) <= 1.001f );
	}
	ds_visual_release( v );
}

static void test_damage( void **state )
{
	(void)state;
	glb whole;
	make_glb( &whole,
		"\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2,\"COLOR_0\":3},\"indices\":4,\"material\":0",
		",\"scale\":[1,2,3]",
		TEXTURES
		"\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},\"metallicRoughnessTexture\":{"
		"\"index\":0}}}]," );
	static const char obj[] =
		"mtllib m.mtl\nv 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nvt 0 1\nvn 0 0 1\nusemtl a\nf 1/1/1 2/1/1 3/1/1\nf -1 -2 -3\n";
	static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
							  "float z\nproperty uchar red\n"
							  "property uchar green\nproperty uchar blue\nelement face 1\nproperty list uchar int "
							  "vertex_indices\nend_header\n"
							  "0 0 0 255 0 0\n1 0 0 0 188 0\n0 1 0 0 0 255\n3 0 1 2\n";
	const struct
	{
		const char *name;
		const uint8_t *bytes;
		size_t size;
	} files[] = { { ROOT "d.glb", whole.bytes, whole.size }, { ROOT "d.obj", (const uint8_t *)obj, sizeof( obj ) - 1 },
		{ ROOT "d.ply", (const uint8_t *)ply, sizeof( ply ) - 1 } };
	for ( int round = 0; round < 6000; ++round )
	{
		int which = round % 3;
		uint8_t bytes[8192];
		size_t size = files[which].size;
		memcpy( bytes, files[which].bytes, size );
		for ( uint32_t i = 0, n = 1 + draw( 4 ); i < n; ++i )
		{
			uint32_t at = draw( (uint32_t)size );
			static const char likely[] = "0123456789-.,:{}[]\"/ \n";
			bytes[at] = draw( 3 ) ? (uint8_t)likely[draw( sizeof( likely ) - 1 )] : (uint8_t)draw( 256 );
		}
		size = draw( 8 ) ? size : draw( (uint32_t)size );
		try_bytes( files[which].name, bytes, size );
	}
}

static void test_arguments( void **state )
{
	(void)state;
	ds_visual *v;
	assert_int_equal( ds_visual_load( NULL, NULL, NULL, &v ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_visual_load( ROOT "nothing.glb", NULL, NULL, &v ), DS_ERROR_IO );
	assert_int_equal( ds_visual_load( ROOT, NULL, NULL, &v ), DS_ERROR_IO );
	write_text( ROOT "a.dae", "x" );
	assert_int_equal( ds_visual_load( ROOT "a.dae", NULL, NULL, &v ), DS_ERROR_FORMAT );
	ds_visual_options options = ds_visual_options_default();
	options.scale = -1;
	assert_int_equal( ds_visual_load( ROOT "a.obj", &options, NULL, &v ), DS_ERROR_RANGE );
	options = ds_visual_options_default();
	options.struct_size = 0;
	assert_int_equal( ds_visual_load( ROOT "a.obj", &options, NULL, &v ), DS_ERROR_ARGUMENT );
	options = ds_visual_options_default();
	options.max_bytes = 3;
	assert_int_equal( ds_visual_load( ROOT "a.obj", &options, NULL, &v ), DS_ERROR_LIMIT );
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_obj ), cmocka_unit_test( test_ply_stl ),
		cmocka_unit_test( test_save ), cmocka_unit_test( test_boards ), cmocka_unit_test( test_damage ),
		cmocka_unit_test( test_arguments ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

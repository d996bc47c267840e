// Visuals from files: glTF with materials and textures, OBJ with MTL, PLY, STL; what is refused, with which words; damaged files.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/image.h"
#include "io/visual_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT DEEPSIM_TEST_TMP "/"

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.9g is not %.9g within %g", value, expected, tolerance );
	}
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

static ds_status parse( const char *name, const char *text, ds_visual **visual )
{
	ds_visual_options options = ds_visual_options_default();
	*visual = NULL;
	return ds_visual_parse( name, (const uint8_t *)text, (int64_t)strlen( text ), &options, NULL, visual );
}

static void expect_error( const char *name, const char *text, ds_status expected, const char *words )
{
	ds_visual *v;
	ds_status status = parse( name, text, &v );
	if ( status != expected || strstr( ds_last_error(), words ) == NULL )
	{
		fail_msg( "%s gives \"%s\" (%s), not %s with \"%s\"", text, ds_last_error(), ds_status_name( status ),
			ds_status_name( expected ), words );
	}
	assert_null( v );
}

static void write_bytes( const char *path, const void *bytes, size_t size )
{
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( bytes, 1, size, file ), size );
	assert_int_equal( fclose( file ), 0 );
}

static void write_text( const char *path, const char *text )
{
	write_bytes( path, text, strlen( text ) );
}

static ds_surface surface_at( const ds_visual *v, int64_t f, double b, double c )
{
	const int32_t *t = v->triangles + 3 * f;
	ds_surface s;
	ds_vec3 p = ds_add( ds_scale( 1 - b - c, v->vertices[t[0]] ),
		ds_add( ds_scale( b, v->vertices[t[1]] ), ds_scale( c, v->vertices[t[2]] ) ) );
	ds_visual_at( v, f, p, 0, &s );
	return s;
}

// ---- GLB files of this test ----------------------------------------------------------------------------------------

// What a quad of 2 m x 1 m has: at 0 positions (4 VEC3 f32), 48 normals (VEC3 f32), 96 uv (VEC2 u16, normalised), 112 colours (VEC4 u8,
// normalised), 128 indices (6 u16), 140 a picture.
typedef struct glb
{
	uint8_t bytes[8192];
	size_t size;
} glb;

static void put32( glb *g, size_t at, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		g->bytes[at + (size_t)i] = (uint8_t)( word >> 8 * i );
	}
}

static void put_data( uint8_t *data )
{
	static const float positions[12] = { 0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0 };
	static const float normals[12] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0.6f, 0, 0.8f };
	static const uint16_t uv[8] = { 0, 65535, 65535, 65535, 65535, 0, 0, 0 };
	static const uint8_t colors[16] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 51, 102, 153, 0 };
	static const uint16_t indices[6] = { 0, 1, 2, 0, 2, 3 };
	memcpy( data, positions, 48 );
	memcpy( data + 48, normals, 48 );
	memcpy( data + 96, uv, 16 );
	memcpy( data + 112, colors, 16 );
	memcpy( data + 128, indices, 12 );
}

static size_t read_picture( uint8_t *out, size_t room )
{
	static const uint8_t pixels[12] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255 };
	assert_int_equal( ds_image_write_png( ROOT "two.png", 2, 2, 3, 8, pixels ), DS_OK );
	FILE *file = fopen( ROOT "two.png", "rb" );
	assert_non_null( file );
	size_t size = fread( out, 1, room, file );
	assert_true( size > 0 && size < room );
	fclose( file );
	return size;
}

#define VIEWS                                                                                                          \
	"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48},"            \
	"{\"buffer\":0,\"byteOffset\":96,\"byteLength\":16},{\"buffer\":0,\"byteOffset\":112,\"byteLength\":16},"          \
	"{\"buffer\":0,\"byteOffset\":128,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":140,\"byteLength\":%d}],"
#define ACCESSORS                                                                                                      \
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":["  \
	"2,1,0]},"                                                                                                         \
	"{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                                         \
	"{\"bufferView\":2,\"componentType\":5123,\"normalized\":true,\"count\":4,\"type\":\"VEC2\"},"                     \
	"{\"bufferView\":3,\"componentType\":5121,\"normalized\":true,\"count\":4,\"type\":\"VEC4\"},"                     \
	"{\"bufferView\":4,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],"

// A GLB of that quad; `primitive`, `node` and `rest` are JSON that goes with it.
static void make_glb( glb *g, const char *primitive, const char *node, const char *rest )
{
	uint8_t data[1024];
	put_data( data );
	size_t picture = read_picture( data + 140, sizeof( data ) - 140 ), total = 140 + picture;
	char json[4096];
	int length = snprintf( json, sizeof( json ),
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0%s}],\"meshes\":[{"
		"\"primitives\":[{%s}]}]"
		"," ACCESSORS VIEWS "%s\"buffers\":[{\"byteLength\":%d}]}",
		node, primitive, (int)picture, rest, (int)total );
	assert_true( length > 0 && length < (int)sizeof( json ) - 4 );
	while ( length % 4 != 0 )
	{
		json[length++] = ' ';
	}
	size_t padded = ( total + 3 ) / 4 * 4;
	memset( g, 0, sizeof( *g ) );
	g->size = 12 + 8 + (size_t)length + 8 + padded;
	assert_true( g->size <= sizeof( g->bytes ) );
	put32( g, 0, 0x46546C67 );
	put32( g, 4, 2 );
	put32( g, 8, (uint32_t)g->size );
	put32( g, 12, (uint32_t)length );
	put32( g, 16, 0x4E4F534A );
	memcpy( g->bytes + 20, json, (size_t)length );
	put32( g, 20 + (size_t)length, (uint32_t)padded );
	put32( g, 24 + (size_t)length, 0x004E4942 );
	memcpy( g->bytes + 28 + length, data, total );
}

static ds_status load( const glb *g, const ds_visual_options *options, messages *told, ds_visual **v )
{
	ds_visual_options standard = ds_visual_options_default();
	ds_hooks hooks;
	memset( &hooks, 0, sizeof( hooks ) );
	hooks.log = told ? note : NULL;
	hooks.log_user = told;
	*v = NULL;
	return ds_visual_parse( "a.glb", g->bytes, (int64_t)g->size, options ? options : &standard, &hooks, v );
}

#define QUAD     "\"attributes\":{\"POSITION\":0},\"indices\":4"
#define TEXTURES "\"textures\":[{\"source\":0}],\"images\":[{\"bufferView\":5,\"mimeType\":\"image/png\"}],"

static void test_gltf_attributes( void **state )
{
	(void)state;
	glb g;
	ds_visual *v;
	make_glb( &g, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"COLOR_0\":3},\"indices\":4", "", "" );
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_OK );
	assert_int_equal( v->face_count, 2 );
	assert_int_equal( v->vertex_count, 4 );
	ds_surface s = surface_at( v, 1, 0, 1 ); // vertex 3
	assert_near( s.normal[0], 0.6, 1e-6 );
	assert_near( s.color[0], 0.2, 1e-6 ); // colours are linear; without a material they are the whole colour
	assert_near( s.color[2], 0.6, 1e-6 );
	s = surface_at( v, 0, 0.5, 0 );
	assert_near( s.color[0], 0.5, 1e-6 );
	assert_near( s.color[1], 0.5, 1e-6 );
	ds_visual_release( v );
}

static void test_gltf_texture( void **state )
{
	(void)state;
	glb g;
	ds_visual *v;
	make_glb( &g, "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":2},\"indices\":4,\"material\":0", "",
		TEXTURES "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,1,1,1],\"metallicFactor\":0.25,"
				 "\"baseColorTexture\":{\"index\":0}}}]," );
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_OK );

	// the picture stands upright: red, green above blue, white; v = 0 is at its top, where the quad has y = 1
	ds_surface s;
	static const struct
	{
		double x, y;
		float color[3];
	} cases[] = { { 0.5, 0.75, { 0.5f, 0, 0 } }, { 1.5, 0.75, { 0, 1, 0 } }, { 0.5, 0.25, { 0, 0, 1 } },
		{ 1.5, 0.25, { 0.5f, 1, 1 } } };
	for ( int i = 0; i < 4; ++i )
	{
		int64_t face = cases[i].y * 2 > cases[i].x ? 1 : 0;
		ds_visual_at( v, face, ds_v3( cases[i].x, cases[i].y, 0 ), 0, &s );
		for ( int k = 0; k < 3; ++k )
		{
			assert_near( s.color[k], cases[i].color[k], 1e-3 );
		}
		assert_true( s.metallic == 0.25f && s.roughness == 1 );
	}
	ds_visual_release( v );

	// metallic-roughness: not sRGB; KHR_texture_transform puts the blue texel under the whole quad
	make_glb( &g, "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":2},\"indices\":4,\"material\":0", "",
		TEXTURES
		"\"materials\":[{\"pbrMetallicRoughness\":{\"roughnessFactor\":0.5,\"metallicRoughnessTexture\":{\"index\":0,"
		"\"extensions\":{\"KHR_texture_transform\":{\"scale\":[0,0],\"offset\":[0.25,0.75]}}}}}]," );
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_OK );
	s = surface_at( v, 0, 0.3, 0.2 );
	assert_near( s.metallic, 1, 1e-4 );
	assert_near( s.roughness, 0, 1e-4 );
	ds_visual_release( v );

	// a material in place of the file's: no pictures are read
	ds_material blue = { { 0, 0, 0.5 }, 0, 0.3 };
	ds_visual_options options = ds_visual_options_default();
	options.material = &blue;
	options.max_pixels = 0;
	assert_int_equal( load( &g, &options, NULL, &v ), DS_OK );
	s = surface_at( v, 0, 0.3, 0.2 );
	assert_true( s.color[0] == 0 && s.color[2] == 0.5f && s.roughness == 0.3f && v->texture_count == 0 );
	ds_visual_release( v );
	options.material = NULL;
	assert_int_equal( load( &g, &options, NULL, &v ), DS_ERROR_LIMIT );
	assert_non_null( strstr( ds_last_error(), "images[0]" ) );
}

// Normals keep square to a surface that is squeezed, and to its front where it is mirrored.
static void test_gltf_transform( void **state )
{
	(void)state;
	static const char *const nodes[] = { ",\"scale\":[1,1,3]", ",\"scale\":[-1,1,1]", ",\"scale\":[2,0.5,-4]",
		",\"rotation\":[0,0.6,0,0.8],\"scale\":[3,1,1],\"translation\":[1,2,3]" };
	for ( int i = 0; i < 4; ++i )
	{
		glb g;
		ds_visual *v;
		make_glb( &g, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":4", nodes[i], "" );
		ds_visual_options options = ds_visual_options_default();
		options.axes = i == 1 ? DS_AXES_Y_UP : DS_AXES_XYZ;
		options.scale = 10;
		assert_int_equal( load( &g, &options, NULL, &v ), DS_OK );
		const int32_t *t = v->triangles;
		ds_vec3 own =
			ds_cross( ds_sub( v->vertices[t[1]], v->vertices[t[0]] ), ds_sub( v->vertices[t[2]], v->vertices[t[0]] ) );
		own = ds_scale( 1 / ds_length( own ), own );
		ds_surface s = surface_at( v, 0, 0.3, 0.3 );
		assert_near( s.normal[0], own.x, 1e-6 );
		assert_near( s.normal[1], own.y, 1e-6 );
		assert_near( s.normal[2], own.z, 1e-6 );
		if ( i == 1 )
		{
			// file (-2, 0, 0) at scale 10 and +y up, +z forward: body y = 20
			double most = 0;
			for ( int64_t k = 0; k < v->vertex_count; ++k )
			{
				most = v->vertices[k].y > most ? v->vertices[k].y : most;
			}
			assert_near( most, 20, 1e-6 );
		}
		ds_visual_release( v );
	}
}

static void test_gltf_modes( void **state )
{
	(void)state;
	glb g;
	ds_visual *v;
	messages told = { 0, "" };
	make_glb( &g, "\"attributes\":{\"POSITION\":0},\"mode\":6", "", "" ); // a fan: both faces look along +z
	assert_int_equal( load( &g, NULL, &told, &v ), DS_OK );
	assert_int_equal( v->face_count, 2 );
	assert_true( surface_at( v, 0, 0.2, 0.2 ).normal[2] == 1 && surface_at( v, 1, 0.2, 0.2 ).normal[2] == 1 );
	ds_visual_release( v );
	make_glb( &g, "\"attributes\":{\"POSITION\":0},\"mode\":5,\"indices\":4", "", "" ); // 0 1 2 0 2 3: the strip folds
	assert_int_equal( load( &g, NULL, &told, &v ), DS_OK );
	ds_visual_release( v );
	make_glb( &g, "\"attributes\":{\"POSITION\":0}", "", "" ); // four corners: one triangle, and one over
	told.count = 0;
	assert_int_equal( load( &g, NULL, &told, &v ), DS_OK );
	assert_int_equal( v->face_count, 1 );
	assert_int_equal( told.count, 1 );
	ds_visual_release( v );
	make_glb( &g, "\"attributes\":{\"POSITION\":0},\"mode\":1", "", "" );
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_ERROR_MESH_EMPTY );

	// transparent materials are drawn opaque, with a word
	make_glb( &g, QUAD ",\"material\":0", "", "\"materials\":[{\"alphaMode\":\"MASK\",\"doubleSided\":true}]," );
	told.count = 0;
	assert_int_equal( load( &g, NULL, &told, &v ), DS_OK );
	assert_int_equal( told.count, 1 );
	assert_non_null( strstr( told.last, "opaque" ) );
	ds_visual_release( v );
}

static void test_gltf_mistakes( void **state )
{
	(void)state;
	static const struct
	{
		const char *primitive, *rest, *words;
		ds_status status;
	} cases[] = {
		{ QUAD ",\"material\":0", "", "material: expected an integer", DS_ERROR_FORMAT },
		{ "\"attributes\":{\"POSITION\":0,\"NORMAL\":4},\"indices\":4", "", "expected the type \"VEC3\"",
			DS_ERROR_FORMAT },
		{ "\"attributes\":{\"POSITION\":0,\"NORMAL\":9},\"indices\":4", "", "expected an integer in [0, 4]",
			DS_ERROR_FORMAT },
		{ QUAD ",\"material\":0", "\"materials\":[{\"alphaMode\":\"GLASS\"}],", "\"OPAQUE\", \"MASK\" or \"BLEND\"",
			DS_ERROR_FORMAT },
		{ QUAD ",\"material\":0", "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,2,1,1]}}],",
			"number in [0, 1]", DS_ERROR_FORMAT },
		{ QUAD ",\"material\":0", "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":3}}}],",
			"baseColorTexture.index", DS_ERROR_FORMAT },
		{ QUAD ",\"material\":0",
			"\"textures\":[{}],\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],",
			"no source", DS_ERROR_UNSUPPORTED },
		{ QUAD ",\"material\":0",
			"\"textures\":[{\"source\":0}],\"images\":[{\"bufferView\":0}],\"materials\":[{\"pbrMetallicRoughness\":{"
			"\"baseColorTexture\":{\"index\":0}}}],",
			"neither a PNG nor a JPEG", DS_ERROR_FORMAT },
		{ QUAD ",\"material\":0",
			"\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"../two.png\"}],\"materials\":[{"
			"\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],",
			"an image must be a data URI or a file in the folder", DS_ERROR_FORMAT },
		{ QUAD ",\"material\":0",
			"\"samplers\":[{\"wrapS\":7}],\"textures\":[{\"source\":0,\"sampler\":0}],\"images\":[{\"bufferView\":5}],"
			"\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],",
			"wrapS is 7", DS_ERROR_FORMAT },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		glb g;
		ds_visual *v;
		make_glb( &g, cases[i].primitive, "", cases[i].rest );
		ds_status status = load( &g, NULL, NULL, &v );
		if ( status != cases[i].status || strstr( ds_last_error(), cases[i].words ) == NULL )
		{
			fail_msg( "case %d gives \"%s\"", (int)i, ds_last_error() );
		}
	}
	glb g;
	ds_visual *v;
	make_glb( &g, QUAD, "", "" );
	ds_visual_options options = ds_visual_options_default();
	options.max_faces = 1;
	assert_int_equal( load( &g, &options, NULL, &v ), DS_ERROR_LIMIT );
}

// ---- the rules of the glTF validator -------------------------------------------------------------------------------

#define HEAD "{\"asset\":{\"version\":\"2.0\"},"

// Equivalents, written for this test, of the 50 files in test/base/data of KhronosGroup/glTF-Validator (Apache-2.0, commit
// 434283be08a6) that are looked at here: the same faults, by the same names. Those in which the validator finds no error but which
// show no triangle, and those whose error lies in animations, skins or bounds, which are not read, are refused as showing nothing.
static void test_validator_rules( void **state )
{
	(void)state;
	static const struct
	{
		const char *name, *text;
		ds_status status;
		const char *words;
	} cases[] = {
		{ "accessor/byteoffset_no_bufferview",
			HEAD "\"accessors\":[{\"byteOffset\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}]}",
			DS_ERROR_FORMAT, "without a bufferView" },
		{ "accessor/empty_array", HEAD "\"accessors\":[]}", DS_ERROR_FORMAT, "not empty" },
		{ "accessor/float_normalized",
			HEAD "\"accessors\":[{\"componentType\":5126,\"count\":1,\"normalized\":true,\"type\":\"VEC3\"}]}",
			DS_ERROR_FORMAT, "normalized" },
		{ "accessor/small_stride",
			HEAD "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC4\"}],"
				 "\"bufferViews\":[{\"buffer\":"
				 "0,\"byteLength\":16,\"byteStride\":4}],\"buffers\":[{\"byteLength\":16}]}",
			DS_ERROR_FORMAT, "byteStride 4 is less than the 16 bytes" },
		{ "accessor_data/get_elements_matrix",
			HEAD "\"accessors\":[{\"componentType\":5121,\"count\":1,\"type\":\"MAT2\"}]}", DS_ERROR_MESH_EMPTY,
			"no triangles" },
		{ "accessor_data/get_elements_sparse",
			HEAD "\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\",\"sparse\":{\"count\":1}}]}",
			DS_ERROR_MESH_EMPTY, "no triangles" },
		{ "accessor_data/out_of_range_elements",
			HEAD
			"\"accessors\":[{\"componentType\":5120,\"count\":1,\"type\":\"VEC3\",\"min\":[1,1,1],\"max\":[2,2,2]}]}",
			DS_ERROR_MESH_EMPTY, "no triangles" },
		{ "animation/channel_duplicate_targets", HEAD "\"animations\":[{\"channels\":[{},{}],\"samplers\":[{}]}]}",
			DS_ERROR_MESH_EMPTY, "no triangles" },
		{ "asset/invalid_version", "{\"asset\":{\"version\":\"1.x\"}}", DS_ERROR_UNSUPPORTED, "2.0" },
		{ "buffer/invalid_uri_data",
			HEAD "\"buffers\":[{\"byteLength\":3,\"uri\":\"data:application/octet-stream;base64,A*BC\"}]}",
			DS_ERROR_MESH_EMPTY, "no triangles" },
		{ "buffer/not_found", HEAD "\"buffers\":[{\"byteLength\":3,\"uri\":\"nothing.bin\"}]}", DS_ERROR_MESH_EMPTY,
			"no triangles" },
		{ "buffer_view/zero_bytelength",
			HEAD "\"bufferViews\":[{\"buffer\":0,\"byteLength\":0}],\"buffers\":[{\"byteLength\":1}]}", DS_ERROR_FORMAT,
			"at least 1" },
		{ "camera/empty_array", HEAD "\"cameras\":[]}", DS_ERROR_FORMAT,
			"cameras: expected an array that is not empty" },
		{ "image/custom_property", HEAD "\"images\":[{\"uri\":\"a.png\",\"custom\":1}]}", DS_ERROR_MESH_EMPTY,
			"no triangles" },
		{ "json/bom", "\xEF\xBB\xBF" HEAD "\"nodes\":[{}]}", DS_ERROR_FORMAT, "byte-order mark" },
		{ "json/empty_file", "", DS_ERROR_FORMAT, "empty" },
		{ "json/invalid_syntax", "{]", DS_ERROR_FORMAT, "1:" },
		{ "material/alpha_modes", HEAD "\"materials\":[{\"alphaMode\":\"BLEND\"},{\"alphaMode\":\"MASK\"}]}",
			DS_ERROR_MESH_EMPTY, "no triangles" },
		{ "material/unresolved_occlusion", HEAD "\"materials\":[{\"occlusionTexture\":{\"index\":0}}]}",
			DS_ERROR_FORMAT, "occlusionTexture.index" },
		{ "mesh/morph_attribute_invalid_count",
			HEAD "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{"
				 "\"POSITION\":1}]}"
				 "]}],\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,"
				 "1,1]},{"
				 "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,1]}]}",
			DS_ERROR_FORMAT, "4 elements, but POSITION has 3" },
		{ "mesh/morph_weights_wrong_count",
			HEAD "\"meshes\":[{\"weights\":[0,0],\"primitives\":[{\"attributes\":{},\"targets\":[{}]}]}]}",
			DS_ERROR_FORMAT, "2 weights for 1 targets" },
		{ "mesh/position_accessor_no_bounds",
			HEAD "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":"
				 "5126,\"count\":3,"
				 "\"type\":\"VEC3\"}]}",
			DS_ERROR_FORMAT, "min and max" },
		{ "node/empty_array", HEAD "\"nodes\":[]}", DS_ERROR_FORMAT, "nodes: expected an array that is not empty" },
		{ "node/empty_children_array", HEAD "\"nodes\":[{\"children\":[]}]}", DS_ERROR_FORMAT, "nodes[0].children" },
		{ "node/infinite_transform", HEAD "\"nodes\":[{\"translation\":[1e999,0,0]}]}", DS_ERROR_NOT_FINITE,
			"translation" },
		{ "node/node_loop", HEAD "\"nodes\":[{\"children\":[1]},{\"children\":[2]},{\"children\":[0]}]}",
			DS_ERROR_FORMAT, "its own ancestor" },
		{ "node/loop_of_itself", HEAD "\"nodes\":[{\"children\":[0]}]}", DS_ERROR_FORMAT, "its own ancestor" },
		{ "node/unresolved_camera", HEAD "\"nodes\":[{\"camera\":0}]}", DS_ERROR_FORMAT, "nodes[0].camera" },
		{ "node/unresolved_skin", HEAD "\"nodes\":[{\"skin\":0}]}", DS_ERROR_FORMAT, "nodes[0].skin" },
		{ "root/duplicate_extension_entry",
			HEAD "\"extensionsUsed\":[\"KHR_materials_unlit\",\"KHR_materials_unlit\"]}", DS_ERROR_FORMAT,
			"named twice" },
		{ "scene/non_root_node", HEAD "\"scenes\":[{\"nodes\":[1]}],\"nodes\":[{\"children\":[1]},{}]}",
			DS_ERROR_FORMAT, "root nodes only" },
		{ "scene/unresolved_child_node", HEAD "\"nodes\":[{\"children\":[4]}]}", DS_ERROR_FORMAT, "number of a node" },
		{ "skin/empty_array", HEAD "\"skins\":[]}", DS_ERROR_FORMAT, "skins: expected an array that is not empty" },
		{ "texture/unresolved_sampler", HEAD "\"textures\":[{\"sampler\":0}]}", DS_ERROR_FORMAT,
			"textures[0].sampler" },
		{ "texture/valid", HEAD "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"a.png\"}]}", DS_ERROR_MESH_EMPTY,
			"no triangles" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		expect_error( "a.gltf", cases[i].text, cases[i].status, cases[i].words );
	}

	// glb/extra_data: what follows the GLB is not of it. invalid_version, truncated_chunk_data, unaligned_chunk
	glb g;
	ds_visual *v;
	make_glb( &g, QUAD, "", "" );
	g.size += 5;
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_OK );
	ds_visual_release( v );
	make_glb( &g, QUAD, "", "" );
	--g.size;
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_ERROR_FORMAT );
	assert_non_null( strstr( ds_last_error(), "cut off" ) );
	++g.size;
	put32( &g, 4, 1 );
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_ERROR_UNSUPPORTED );
	put32( &g, 4, 2 );
	++g.bytes[12];
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_ERROR_FORMAT );
	assert_non_null( strstr( ds_last_error(), "chunk 1" ) );
}

// ---- other formats -------------------------------------------------------------------------------------------------

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

static void test_save( void **state )
{
	(void)state;
	glb g;
	ds_visual *v, *again;
	make_glb( &g, "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"COLOR_0\":3},\"indices\":4,\"material\":1", "",
		"\"materials\":[{},{\"pbrMetallicRoughness\":{\"metallicFactor\":0.5,\"roughnessFactor\":0.25}}]," );
	assert_int_equal( load( &g, NULL, NULL, &v ), DS_OK );
	assert_int_equal( ds_visual_save( v, ROOT "saved.glb" ), DS_OK );
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
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_gltf_attributes ), cmocka_unit_test( test_gltf_texture ),
		cmocka_unit_test( test_gltf_transform ), cmocka_unit_test( test_gltf_modes ),
		cmocka_unit_test( test_gltf_mistakes ), cmocka_unit_test( test_validator_rules ), cmocka_unit_test( test_obj ),
		cmocka_unit_test( test_ply_stl ), cmocka_unit_test( test_save ), cmocka_unit_test( test_boards ),
		cmocka_unit_test( test_damage ), cmocka_unit_test( test_arguments ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

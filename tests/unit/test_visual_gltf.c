// Visuals from glTF: attributes, textures, transforms, modes; what is refused, with which words.

#include "tests/unit/visual_kit.h"

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

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_gltf_attributes ), cmocka_unit_test( test_gltf_texture ),
		cmocka_unit_test( test_gltf_transform ), cmocka_unit_test( test_gltf_modes ),
		cmocka_unit_test( test_gltf_mistakes ), cmocka_unit_test( test_validator_rules ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

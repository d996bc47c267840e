// What a glTF file must be beyond what is read of it: the rules of glTF 2.0 on references, counts and empty arrays, for all that has to
// do with what is seen. Animations are not looked into.

#include "io/visual_internal.h"

#include <string.h>

// Is `value`, if given, a number of one of `count` things?
static ds_status check_reference( const ds_json *object, const char *key, int64_t count )
{
	int64_t number;
	return ds_json_find( object, key ) ? ds_gltf_integer( object, key, -1, count - 1, &number ) : DS_OK;
}

static ds_status check_not_empty( const ds_json *object, const char *key )
{
	const ds_json *array = ds_json_find( object, key );
	if ( array && ( array->type != DS_JSON_ARRAY || array->count == 0 ) )
	{
		return ds_json_error( DS_ERROR_FORMAT, array, "expected an array that is not empty" );
	}
	return DS_OK;
}

static int64_t count_of( const ds_gltf *gltf, const char *key )
{
	const ds_json *array = ds_json_find( gltf->root, key );
	return array ? array->count : 0;
}

static ds_status check_root( const ds_gltf *gltf )
{
	static const char *const keys[] = { "accessors", "animations", "buffers", "bufferViews", "cameras", "images",
		"materials", "meshes", "nodes", "samplers", "scenes", "skins", "textures", "extensionsUsed",
		"extensionsRequired" };
	for ( size_t i = 0; i < sizeof( keys ) / sizeof( keys[0] ); ++i )
	{
		DS_TRY( check_not_empty( gltf->root, keys[i] ) );
	}
	const ds_json *used = ds_json_find( gltf->root, "extensionsUsed" );
	for ( const ds_json *a = used ? used->first : NULL; a; a = a->next )
	{
		for ( const ds_json *b = used->first; b != a && used->count < 1000; b = b->next )
		{
			if ( a->type == DS_JSON_STRING && b->type == DS_JSON_STRING && strcmp( a->string, b->string ) == 0 )
			{
				return ds_json_error( DS_ERROR_FORMAT, a, "%s is named twice", a->string );
			}
		}
	}
	return DS_OK;
}

// ---- data ----------------------------------------------------------------------------------------------------------

static ds_status check_views( const ds_gltf *gltf )
{
	for ( int64_t i = 0; i < gltf->views.count; ++i )
	{
		const ds_json *view = gltf->views.items[i];
		int64_t length, stride;
		DS_TRY( check_reference( view, "buffer", gltf->buffer_count ) );
		DS_TRY( ds_gltf_integer( view, "byteLength", -1, INT64_C( 1 ) << 40, &length ) );
		DS_TRY( ds_gltf_integer( view, "byteStride", 4, 252, &stride ) );
		if ( length == 0 || stride < 4 || stride % 4 != 0 )
		{
			return ds_json_error( DS_ERROR_FORMAT, view, "%s",
				length == 0 ? "byteLength must be at least 1" : "byteStride must be 4, 8, ... 252" );
		}
	}
	return DS_OK;
}

// Bytes of a component, 0 if there is no such kind.
static int64_t component_size( int64_t component )
{
	return component == 5120 || component == 5121   ? 1
		   : component == 5122 || component == 5123 ? 2
		   : component == 5125 || component == 5126 ? 4
													: 0;
}

static int64_t components_of( const ds_json *type )
{
	static const struct
	{
		const char *name;
		int64_t count;
	} types[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT2", 4 }, { "MAT3", 9 },
		{ "MAT4", 16 } };
	for ( size_t i = 0; i < sizeof( types ) / sizeof( types[0] ) && type && type->type == DS_JSON_STRING; ++i )
	{
		if ( strcmp( type->string, types[i].name ) == 0 )
		{
			return types[i].count;
		}
	}
	return 0;
}

static ds_status check_accessor( const ds_gltf *gltf, const ds_json *accessor )
{
	int64_t component, stride, view;
	DS_TRY( ds_gltf_integer( accessor, "componentType", -1, 65535, &component ) );
	int64_t size = component_size( component ), width = components_of( ds_json_find( accessor, "type" ) );
	if ( size == 0 || width == 0 )
	{
		return ds_json_error( DS_ERROR_FORMAT, accessor, "%s has no such value", size == 0 ? "componentType" : "type" );
	}
	const ds_json *normalized = ds_json_find( accessor, "normalized" );
	if ( normalized && normalized->number != 0 && size == 4 )
	{
		return ds_json_error( DS_ERROR_FORMAT, normalized, "only numbers of 8 or 16 bits can be normalized" );
	}
	if ( ds_json_find( accessor, "bufferView" ) == NULL )
	{
		return ds_json_find( accessor, "byteOffset" )
				   ? ds_json_error( DS_ERROR_FORMAT, accessor, "byteOffset is given without a bufferView" )
				   : DS_OK;
	}
	DS_TRY( ds_gltf_integer( accessor, "bufferView", -1, gltf->views.count - 1, &view ) );
	DS_TRY( ds_gltf_integer( gltf->views.items[view], "byteStride", 252, 252, &stride ) );
	if ( stride < size * width )
	{
		return ds_json_error( DS_ERROR_FORMAT, gltf->views.items[view],
			"byteStride %lld is less than the %lld bytes of an element", (long long)stride,
			(long long)( size * width ) );
	}
	return DS_OK;
}

// ---- materials -----------------------------------------------------------------------------------------------------

static ds_status check_texture_info( const ds_gltf *gltf, const ds_json *object, const char *key )
{
	const ds_json *info = ds_json_find( object, key );
	int64_t number;
	return info ? ds_gltf_integer( info, "index", -1, count_of( gltf, "textures" ) - 1, &number ) : DS_OK;
}

static ds_status check_material( const ds_gltf *gltf, const ds_json *material )
{
	const ds_json *pbr = ds_json_find( material, "pbrMetallicRoughness" );
	DS_TRY( check_texture_info( gltf, pbr, "baseColorTexture" ) );
	DS_TRY( check_texture_info( gltf, pbr, "metallicRoughnessTexture" ) );
	DS_TRY( check_texture_info( gltf, material, "normalTexture" ) );
	DS_TRY( check_texture_info( gltf, material, "occlusionTexture" ) );
	return check_texture_info( gltf, material, "emissiveTexture" );
}

// ---- meshes, nodes -------------------------------------------------------------------------------------------------

// POSITION must say its bounds; targets have as many elements as what they move.
static ds_status check_primitive( const ds_gltf *gltf, const ds_json *primitive )
{
	const ds_json *attributes = ds_json_find( primitive, "attributes" );
	int64_t position, count = -1, other, other_count;
	DS_TRY( check_reference( primitive, "material", count_of( gltf, "materials" ) ) );
	if ( ds_json_find( attributes, "POSITION" ) )
	{
		DS_TRY( ds_gltf_integer( attributes, "POSITION", -1, gltf->accessors.count - 1, &position ) );
		const ds_json *accessor = gltf->accessors.items[position];
		if ( ds_json_find( accessor, "min" ) == NULL || ds_json_find( accessor, "max" ) == NULL )
		{
			return ds_json_error( DS_ERROR_FORMAT, accessor, "an accessor of positions must have min and max" );
		}
		DS_TRY( ds_gltf_integer( accessor, "count", -1, INT32_MAX, &count ) );
	}
	const ds_json *targets = ds_json_find( primitive, "targets" );
	for ( const ds_json *target = targets ? targets->first : NULL; target; target = target->next )
	{
		for ( const ds_json *item = target->first; item; item = item->next )
		{
			DS_TRY( ds_gltf_integer( target, item->key ? item->key : "", -1, gltf->accessors.count - 1, &other ) );
			DS_TRY( ds_gltf_integer( gltf->accessors.items[other], "count", -1, INT32_MAX, &other_count ) );
			if ( count >= 0 && other_count != count )
			{
				return ds_json_error( DS_ERROR_FORMAT, item, "this accessor has %lld elements, but POSITION has %lld",
					(long long)other_count, (long long)count );
			}
		}
	}
	return DS_OK;
}

static ds_status check_mesh( const ds_gltf *gltf, const ds_json *mesh )
{
	const ds_json *list = ds_json_find( mesh, "primitives" ), *weights = ds_json_find( mesh, "weights" );
	for ( const ds_json *item = list ? list->first : NULL; item; item = item->next )
	{
		DS_TRY( check_primitive( gltf, item ) );
		const ds_json *targets = ds_json_find( item, "targets" );
		if ( weights && weights->count != ( targets ? targets->count : 0 ) )
		{
			return ds_json_error( DS_ERROR_FORMAT, weights, "there are %lld weights for %lld targets",
				(long long)weights->count, (long long)( targets ? targets->count : 0 ) );
		}
	}
	return DS_OK;
}

static ds_status check_node( const ds_gltf *gltf, const ds_json *node )
{
	DS_TRY( check_not_empty( node, "children" ) );
	DS_TRY( check_reference( node, "mesh", gltf->meshes.count ) );
	DS_TRY( check_reference( node, "camera", count_of( gltf, "cameras" ) ) );
	DS_TRY( check_reference( node, "skin", count_of( gltf, "skins" ) ) );
	const ds_json *skin = ds_json_find( node, "skin" );
	return skin && ds_json_find( node, "mesh" ) == NULL
			   ? ds_json_error( DS_ERROR_FORMAT, skin, "a node with a skin must have a mesh" )
			   : DS_OK;
}

// Each node has one parent at most, and none is below itself; the nodes of scenes have none.
static ds_status check_tree( ds_gltf *gltf )
{
	void *memory;
	DS_TRY( ds_arena_new( &gltf->arena, 2 * (size_t)gltf->nodes.count * sizeof( int64_t ), &memory ) );
	int64_t *parents = memory, number;
	for ( int64_t i = 0; i < gltf->nodes.count; ++i )
	{
		const ds_json *children = ds_json_find( gltf->nodes.items[i], "children" );
		for ( const ds_json *item = children ? children->first : NULL; item; item = item->next )
		{
			number = item->type == DS_JSON_NUMBER && item->number >= 0 && item->number < (double)gltf->nodes.count
						 ? (int64_t)item->number
						 : -1;
			if ( number < 0 || (double)number != item->number || parents[number] )
			{
				return ds_json_error( DS_ERROR_FORMAT, item,
					number < 0 || (double)number != item->number ? "expected the number of a node"
																 : "this node has two parents" );
			}
			parents[number] = i + 1;
		}
	}

	// going up from any node must come to an end: each node is passed once on one way, then known to be good
	int64_t *passed = parents + gltf->nodes.count;
	for ( int64_t i = 0; i < gltf->nodes.count; ++i )
	{
		for ( int64_t at = i; passed[at] == 0 || passed[at] == i + 1; at = parents[at] - 1 )
		{
			if ( passed[at] )
			{
				return ds_json_error( DS_ERROR_FORMAT, gltf->nodes.items[at], "this node is its own ancestor" );
			}
			passed[at] = i + 1;
			if ( parents[at] == 0 )
			{
				break;
			}
		}
	}
	const ds_json *scenes = ds_json_find( gltf->root, "scenes" );
	for ( const ds_json *scene = scenes ? scenes->first : NULL; scene; scene = scene->next )
	{
		const ds_json *list = ds_json_find( scene, "nodes" );
		DS_TRY( check_not_empty( scene, "nodes" ) );
		for ( const ds_json *item = list ? list->first : NULL; item; item = item->next )
		{
			bool known = item->type == DS_JSON_NUMBER && item->number >= 0 && item->number < (double)gltf->nodes.count;
			if ( known && parents[(int64_t)item->number] )
			{
				return ds_json_error(
					DS_ERROR_FORMAT, item, "a scene must name root nodes only, but this one has a parent" );
			}
		}
	}
	return DS_OK;
}

ds_status ds_gltf_check( ds_gltf *gltf )
{
	DS_TRY( check_root( gltf ) );
	DS_TRY( check_views( gltf ) );
	for ( int64_t i = 0; i < gltf->accessors.count; ++i )
	{
		DS_TRY( check_accessor( gltf, gltf->accessors.items[i] ) );
	}
	ds_gltf_list list;
	DS_TRY( ds_gltf_list_read( gltf, "textures", &list ) );
	for ( int64_t i = 0; i < list.count; ++i )
	{
		DS_TRY( check_reference( list.items[i], "sampler", count_of( gltf, "samplers" ) ) );
		DS_TRY( check_reference( list.items[i], "source", count_of( gltf, "images" ) ) );
	}
	DS_TRY( ds_gltf_list_read( gltf, "materials", &list ) );
	for ( int64_t i = 0; i < list.count; ++i )
	{
		DS_TRY( check_material( gltf, list.items[i] ) );
	}
	for ( int64_t i = 0; i < gltf->meshes.count; ++i )
	{
		DS_TRY( check_mesh( gltf, gltf->meshes.items[i] ) );
	}
	for ( int64_t i = 0; i < gltf->nodes.count; ++i )
	{
		DS_TRY( check_node( gltf, gltf->nodes.items[i] ) );
	}
	return check_tree( gltf );
}

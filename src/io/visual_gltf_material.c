// Materials of glTF 2.0 (metallic-roughness), their textures, and the pictures of those.

#include "io/visual_internal.h"

#include <stdio.h>
#include <string.h>

// ---- numbers -------------------------------------------------------------------------------------------------------

static ds_status read_number( const ds_json *value, double low, double high, float *out )
{
	if ( value == NULL )
	{
		return DS_OK;
	}
	if ( value->type != DS_JSON_NUMBER || !( value->number >= low && value->number <= high ) )
	{
		return ds_json_error( DS_ERROR_FORMAT, value, "expected a number in [%g, %g]", low, high );
	}
	*out = (float)value->number;
	return DS_OK;
}

static ds_status read_numbers( const ds_json *array, int count, double low, double high, float *out )
{
	if ( array == NULL )
	{
		return DS_OK;
	}
	if ( array->type != DS_JSON_ARRAY || array->count != count )
	{
		return ds_json_error( DS_ERROR_FORMAT, array, "expected an array of %d numbers", count );
	}
	const ds_json *item = array->first;
	for ( int k = 0; k < count; ++k, item = item->next )
	{
		DS_TRY( read_number( item, low, high, out + k ) );
	}
	return DS_OK;
}

// ---- pictures ------------------------------------------------------------------------------------------------------

static ds_status decode( ds_gltf_looks *looks, const ds_json *image, int64_t index, bool srgb, int32_t *number )
{
	ds_gltf *gltf = looks->gltf;
	ds_gltf_buffer file;
	memset( &file, 0, sizeof( file ) );
	const ds_json *uri = ds_json_find( image, "uri" );
	if ( uri )
	{
		DS_TRY( ds_gltf_read_uri( gltf, uri, "an image", gltf->bytes_left, &file ) );
		gltf->bytes_left -= file.owned_size;
	}
	else
	{
		int64_t view;
		DS_TRY( ds_gltf_integer( image, "bufferView", -1, gltf->views.count - 1, &view ) );
		DS_TRY( ds_gltf_view( gltf, view, &file.bytes, &file.size ) );
	}
	char what[1200];
	snprintf( what, sizeof( what ), "%s: images[%lld]", gltf->soup->name, (long long)index );
	ds_status status = ds_visual_draft_texture( looks->draft, what, file.bytes, file.size, srgb, number );
	DS_FREE( gltf->soup->allocator, file.owned, file.owned_size );
	return status;
}

static uint8_t wrap_of( int64_t mode )
{
	return mode == 33071 ? DS_WRAP_CLAMP : mode == 33648 ? DS_WRAP_MIRROR : DS_WRAP_REPEAT;
}

static ds_status read_wrap( ds_gltf_looks *looks, const ds_json *texture, uint8_t wrap[2] )
{
	static const char *const keys[2] = { "wrapS", "wrapT" };
	if ( ds_json_find( texture, "sampler" ) == NULL )
	{
		return DS_OK;
	}
	int64_t number, mode;
	DS_TRY( ds_gltf_integer( texture, "sampler", -1, looks->samplers.count - 1, &number ) );
	for ( int k = 0; k < 2; ++k )
	{
		DS_TRY( ds_gltf_integer( looks->samplers.items[number], keys[k], 10497, 65535, &mode ) );
		if ( mode != 10497 && mode != 33071 && mode != 33648 )
		{
			return ds_json_error( DS_ERROR_FORMAT, looks->samplers.items[number],
				"%s is %lld: it must be 10497 (repeat), 33071 (clamp to edge) or 33648 (mirrored repeat)", keys[k],
				(long long)mode );
		}
		wrap[k] = wrap_of( mode );
	}
	return DS_OK;
}

// u' = offset + rotation . scale . u, as KHR_texture_transform has it.
static ds_status read_transform( const ds_json *info, ds_gltf_use *use )
{
	const ds_json *t = ds_json_find( ds_json_find( info, "extensions" ), "KHR_texture_transform" );
	float offset[2] = { 0, 0 }, scale[2] = { 1, 1 }, turn = 0;
	int64_t set;
	DS_TRY( ds_gltf_integer( info, "texCoord", 0, 99, &set ) );
	if ( t )
	{
		DS_TRY( read_numbers( ds_json_find( t, "offset" ), 2, -1e6, 1e6, offset ) );
		DS_TRY( read_numbers( ds_json_find( t, "scale" ), 2, -1e6, 1e6, scale ) );
		DS_TRY( read_number( ds_json_find( t, "rotation" ), -1e3, 1e3, &turn ) );
		DS_TRY( ds_gltf_integer( t, "texCoord", set, 99, &set ) );
	}
	float c = cosf( turn ), s = sinf( turn );
	const float m[6] = { c * scale[0], s * scale[1], offset[0], -s * scale[0], c * scale[1], offset[1] };
	memcpy( use->m, m, sizeof( m ) );
	use->set = (int)set;
	return DS_OK;
}

static ds_status use_texture( ds_gltf_looks *looks, const ds_json *info, bool srgb, ds_gltf_use *use )
{
	int64_t number, image;
	if ( info == NULL )
	{
		return DS_OK;
	}
	DS_TRY( ds_gltf_integer( info, "index", -1, looks->textures.count - 1, &number ) );
	const ds_json *texture = looks->textures.items[number];
	if ( ds_json_find( texture, "source" ) == NULL )
	{
		return ds_json_error(
			DS_ERROR_UNSUPPORTED, texture, "this texture has no source that could be read: only PNG and JPEG are" );
	}
	DS_TRY( ds_gltf_integer( texture, "source", -1, looks->images.count - 1, &image ) );
	DS_TRY( read_wrap( looks, texture, use->wrap ) );
	DS_TRY( read_transform( info, use ) );
	int32_t *decoded = looks->decoded + 2 * image + srgb;
	if ( *decoded == 0 )
	{
		DS_TRY( decode( looks, looks->images.items[image], image, srgb, decoded ) );
		++*decoded;
	}
	use->texture = *decoded - 1;
	return DS_OK;
}

// ---- materials -----------------------------------------------------------------------------------------------------

static ds_status note_alpha( ds_gltf_looks *looks, const ds_json *material )
{
	static const char *const modes[] = { "OPAQUE", "MASK", "BLEND" };
	const ds_json *mode = ds_json_find( material, "alphaMode" );
	if ( mode == NULL )
	{
		return DS_OK;
	}
	for ( int i = 0; i < 3 && mode->type == DS_JSON_STRING; ++i )
	{
		if ( strcmp( mode->string, modes[i] ) == 0 )
		{
			looks->draft->told_alpha |= i > 0;
			return DS_OK;
		}
	}
	return ds_json_error( DS_ERROR_FORMAT, mode, "expected \"OPAQUE\", \"MASK\" or \"BLEND\"" );
}

static ds_status read_look( ds_gltf_looks *looks, const ds_json *material, ds_gltf_look *look )
{
	float factor[4] = { 1, 1, 1, 1 };
	const ds_json *pbr = ds_json_find( material, "pbrMetallicRoughness" );
	if ( pbr && pbr->type != DS_JSON_OBJECT )
	{
		return ds_json_error( DS_ERROR_FORMAT, pbr, "expected an object" );
	}
	ds_visual_material *m = &look->material;
	m->metallic = m->roughness = 1;
	DS_TRY( read_numbers( ds_json_find( pbr, "baseColorFactor" ), 4, 0, 1, factor ) );
	DS_TRY( read_number( ds_json_find( pbr, "metallicFactor" ), 0, 1, &m->metallic ) );
	DS_TRY( read_number( ds_json_find( pbr, "roughnessFactor" ), 0, 1, &m->roughness ) );
	memcpy( m->color, factor, sizeof( m->color ) );
	DS_TRY( note_alpha( looks, material ) );
	DS_TRY( use_texture( looks, ds_json_find( pbr, "baseColorTexture" ), true, &look->color ) );
	DS_TRY( use_texture( looks, ds_json_find( pbr, "metallicRoughnessTexture" ), false, &look->surface ) );
	m->color_texture = look->color.texture;
	m->surface_texture = look->surface.texture;
	memcpy( m->color_wrap, look->color.wrap, sizeof( m->color_wrap ) );
	memcpy( m->surface_wrap, look->surface.wrap, sizeof( m->surface_wrap ) );
	return DS_OK;
}

ds_status ds_gltf_looks_open( ds_gltf_looks *looks, ds_gltf *gltf, ds_visual_draft *draft )
{
	memset( looks, 0, sizeof( *looks ) );
	looks->gltf = gltf;
	looks->draft = draft;
	DS_TRY( ds_gltf_list_read( gltf, "materials", &looks->materials ) );
	DS_TRY( ds_gltf_list_read( gltf, "textures", &looks->textures ) );
	DS_TRY( ds_gltf_list_read( gltf, "images", &looks->images ) );
	DS_TRY( ds_gltf_list_read( gltf, "samplers", &looks->samplers ) );
	void *memory;
	DS_TRY( ds_arena_new( &gltf->arena, (size_t)looks->materials.count * sizeof( *looks->looks ), &memory ) );
	looks->looks = memory;
	DS_TRY( ds_arena_new( &gltf->arena, (size_t)looks->images.count * 2 * sizeof( *looks->decoded ), &memory ) );
	looks->decoded = memory;
	for ( int64_t i = -2; i < looks->materials.count; ++i )
	{
		ds_gltf_look *look = i < 0 ? looks->none + ( -1 - i ) : looks->looks + i;
		look->number = look->color.texture = look->surface.texture = -1;
	}
	return DS_OK;
}

ds_status ds_gltf_look_of( ds_gltf_looks *looks, int64_t index, const ds_gltf_look **out )
{
	ds_gltf_look *look = index < 0 ? looks->none + ( -1 - index ) : looks->looks + index;
	*out = look;
	if ( look->number >= 0 )
	{
		return DS_OK;
	}
	look->material = ds_visual_material_of( NULL );
	if ( index == DS_GLTF_NO_MATERIAL_COLORED )
	{
		look->material.color[0] = look->material.color[1] = look->material.color[2] = 1;
	}
	if ( index >= 0 && looks->draft->options->material == NULL )
	{
		DS_TRY( read_look( looks, looks->materials.items[index], look ) );
	}
	return ds_visual_draft_material( looks->draft, &look->material, &look->number );
}

// Buffers and accessors of glTF 2.0 (Khronos specification, sections 3.6 and 4.4), each checked against the bytes there are.

#include "io/mesh_gltf.h"

#include <string.h>

ds_status ds_gltf_list_read( ds_gltf *gltf, const char *key, ds_gltf_list *list )
{
	const ds_json *array = ds_json_find( gltf->root, key );
	memset( list, 0, sizeof( *list ) );
	list->key = key;
	if ( array == NULL )
	{
		return DS_OK;
	}
	if ( array->type != DS_JSON_ARRAY )
	{
		return ds_json_error( DS_ERROR_FORMAT, array, "expected an array" );
	}
	void *items;
	DS_TRY( ds_arena_new( &gltf->arena, (size_t)array->count * sizeof( *list->items ), &items ) );
	list->items = items;
	for ( ds_json *item = array->first; item; item = item->next )
	{
		if ( item->type != DS_JSON_OBJECT )
		{
			return ds_json_error( DS_ERROR_FORMAT, item, "expected an object" );
		}
		list->items[list->count++] = item;
	}
	return DS_OK;
}

ds_status ds_gltf_integer( const ds_json *object, const char *key, int64_t missing, int64_t most, int64_t *out )
{
	const ds_json *value = ds_json_find( object, key );
	*out = missing;
	if ( value == NULL && missing < 0 )
	{
		return ds_json_error( DS_ERROR_FORMAT, object, "%s is missing", key );
	}
	if ( value == NULL )
	{
		return DS_OK;
	}
	if ( value->type != DS_JSON_NUMBER || !( value->number >= 0 && value->number <= (double)most ) ||
		 floor( value->number ) != value->number )
	{
		return ds_json_error( DS_ERROR_FORMAT, value, "expected an integer in [0, %lld]", (long long)most );
	}
	*out = (int64_t)value->number;
	return DS_OK;
}

// ---- URIs

static int base64_value( char c )
{
	return c >= 'A' && c <= 'Z'   ? c - 'A'
		   : c >= 'a' && c <= 'z' ? c - 'a' + 26
		   : c >= '0' && c <= '9' ? c - '0' + 52
		   : c == '+' || c == '-' ? 62
		   : c == '/' || c == '_' ? 63
								  : -1;
}

static ds_status decode_base64( ds_gltf *gltf, const ds_json *uri, const char *text, ds_gltf_buffer *buffer )
{
	size_t length = strlen( text );
	while ( length > 0 && text[length - 1] == '=' )
	{
		--length;
	}
	buffer->owned_size = (int64_t)( length / 4 * 3 + 3 );
	DS_TRY( DS_NEW( gltf->soup->allocator, buffer->owned_size, &buffer->owned ) );
	uint32_t bits = 0;
	int held = 0;
	int64_t size = 0;
	for ( size_t i = 0; i < length; ++i )
	{
		int value = base64_value( text[i] );
		if ( value < 0 )
		{
			return ds_json_error( DS_ERROR_FORMAT, uri, "character %zu of the data is not base64", i + 1 );
		}
		bits = bits << 6 | (uint32_t)value;
		held += 6;
		if ( held >= 8 )
		{
			held -= 8;
			buffer->owned[size++] = (uint8_t)( bits >> held );
		}
	}
	buffer->bytes = buffer->owned;
	buffer->size = size;
	return DS_OK;
}

ds_status ds_gltf_read_uri( ds_gltf *gltf, const ds_json *uri, const char *what, int64_t most, ds_gltf_buffer *buffer )
{
	if ( uri->type != DS_JSON_STRING )
	{
		return ds_json_error( DS_ERROR_FORMAT, uri, "expected a string" );
	}
	if ( strncmp( uri->string, "data:", 5 ) == 0 )
	{
		const char *data = strstr( uri->string, ";base64," );
		return data ? decode_base64( gltf, uri, data + 8, buffer )
					: ds_json_error( DS_ERROR_FORMAT, uri, "a data URI must be in base64" );
	}
	char *path;
	DS_TRY( ds_mesh_local_path( &gltf->arena, gltf->soup->name, uri->string, true, &path ) );
	if ( path == NULL )
	{
		return ds_json_error(
			DS_ERROR_FORMAT, uri, "%s must be a data URI or a file in the folder of the glTF file", what );
	}
	DS_TRY( ds_mesh_file_read( path, most, gltf->soup->allocator, &buffer->owned, &buffer->size ) );
	buffer->owned_size = buffer->size + 1;
	buffer->bytes = buffer->owned;
	return DS_OK;
}

// ---- buffers

static ds_status read_buffer( ds_gltf *gltf, const ds_json *object, int64_t most, ds_gltf_buffer *buffer )
{
	const ds_json *uri = ds_json_find( object, "uri" );
	int64_t length;
	DS_TRY( ds_gltf_integer( object, "byteLength", -1, INT64_C( 1 ) << 40, &length ) );
	if ( uri )
	{
		DS_TRY( ds_gltf_read_uri( gltf, uri, "a buffer", most, buffer ) );
	}
	else if ( buffer == gltf->buffers && gltf->binary )
	{
		buffer->bytes = gltf->binary;
		buffer->size = gltf->binary_size;
	}
	else
	{
		return ds_json_error( DS_ERROR_FORMAT, object, "uri is missing" );
	}
	if ( buffer->size < length )
	{
		return ds_json_error( DS_ERROR_FORMAT, object, "byteLength is %lld, but there are only %lld bytes",
			(long long)length, (long long)buffer->size );
	}
	buffer->size = length;
	return DS_OK;
}

ds_status ds_gltf_list_buffers( ds_gltf *gltf )
{
	ds_gltf_list list;
	DS_TRY( ds_gltf_list_read( gltf, "buffers", &list ) );
	void *memory;
	DS_TRY( ds_arena_new( &gltf->arena, (size_t)list.count * sizeof( *gltf->buffers ), &memory ) );
	gltf->buffers = memory;
	gltf->buffer_count = list.count;
	gltf->bytes_left = gltf->soup->options->max_bytes;
	for ( int64_t i = 0; i < list.count; ++i )
	{
		gltf->buffers[i].json = list.items[i];
	}
	return DS_OK;
}

// Buffers are read when geometry first needs them: those of images and animations never are.
static ds_status open_buffer( ds_gltf *gltf, int64_t index )
{
	ds_gltf_buffer *buffer = gltf->buffers + index;
	if ( buffer->bytes )
	{
		return DS_OK;
	}
	DS_TRY( read_buffer( gltf, buffer->json, gltf->bytes_left, buffer ) );
	gltf->bytes_left -= buffer->owned_size;
	if ( gltf->bytes_left < 0 )
	{
		return ds_json_error( DS_ERROR_LIMIT, buffer->json, "the buffers have more than max_bytes = %lld bytes",
			(long long)gltf->soup->options->max_bytes );
	}
	return ds_soup_check_time( gltf->soup );
}

ds_status ds_gltf_view( ds_gltf *gltf, int64_t index, const uint8_t **bytes, int64_t *size )
{
	const ds_json *view = gltf->views.items[index];
	int64_t number, start;
	DS_TRY( ds_gltf_integer( view, "buffer", -1, gltf->buffer_count - 1, &number ) );
	DS_TRY( open_buffer( gltf, number ) );
	const ds_gltf_buffer *buffer = gltf->buffers + number;
	DS_TRY( ds_gltf_integer( view, "byteOffset", 0, buffer->size, &start ) );
	DS_TRY( ds_gltf_integer( view, "byteLength", -1, buffer->size - start, size ) );
	*bytes = buffer->bytes + start;
	return DS_OK;
}

void ds_gltf_free_buffers( ds_gltf *gltf )
{
	for ( int64_t i = 0; i < gltf->buffer_count; ++i )
	{
		DS_FREE( gltf->soup->allocator, gltf->buffers[i].owned, gltf->buffers[i].owned_size );
	}
}

// ---- accessors

static bool is_string( const ds_json *value, const char *text )
{
	return value && value->type == DS_JSON_STRING && strcmp( value->string, text ) == 0;
}

static ds_status check_kind( const ds_json *accessor, const char *type, const int *components, ds_gltf_data *data )
{
	const ds_json *normalized = ds_json_find( accessor, "normalized" );
	int64_t number;
	DS_TRY( ds_gltf_integer( accessor, "componentType", -1, 65535, &number ) );
	if ( ds_json_find( accessor, "sparse" ) )
	{
		return ds_json_error( DS_ERROR_UNSUPPORTED, accessor, "sparse accessors are not read; export it without them" );
	}
	if ( !is_string( ds_json_find( accessor, "type" ), type ) )
	{
		return ds_json_error( DS_ERROR_FORMAT, accessor, "expected the type \"%s\"", type );
	}
	data->normalized = normalized && normalized->type == DS_JSON_BOOL && normalized->number != 0;
	if ( data->normalized && ( number >= 5125 || type[0] != 'V' ) )
	{
		return ds_json_error( DS_ERROR_FORMAT, accessor, "only small integers of a position can be normalized" );
	}
	for ( ; *components; ++components )
	{
		if ( *components == number )
		{
			data->component = *components;
			return DS_OK;
		}
	}
	return ds_json_error( DS_ERROR_FORMAT, accessor, "componentType %lld is not permitted here", (long long)number );
}

ds_status ds_gltf_accessor(
	ds_gltf *gltf, int64_t index, const char *type, int width, const int *components, ds_gltf_data *data )
{
	const ds_json *accessor = gltf->accessors.items[index];
	DS_TRY( check_kind( accessor, type, components, data ) );
	int64_t size = width * ( data->component <= 5121 ? 1 : data->component <= 5123 ? 2 : 4 );

	int64_t number, length, offset;
	const uint8_t *bytes;
	DS_TRY( ds_gltf_integer( accessor, "bufferView", -1, gltf->views.count - 1, &number ) );
	DS_TRY( ds_gltf_view( gltf, number, &bytes, &length ) );
	const ds_json *view = gltf->views.items[number];
	DS_TRY( ds_gltf_integer( view, "byteStride", size, 252, &data->stride ) );

	// where the elements lie in the view
	DS_TRY( ds_gltf_integer( accessor, "byteOffset", 0, length, &offset ) );
	DS_TRY( ds_gltf_integer( accessor, "count", -1, INT32_MAX, &data->count ) );
	if ( data->stride < size )
	{
		return ds_json_error(
			DS_ERROR_FORMAT, view, "byteStride is less than the %lld bytes of an element", (long long)size );
	}
	if ( data->count > 0 && ( data->count - 1 ) * data->stride + size > length - offset )
	{
		return ds_json_error( DS_ERROR_FORMAT, accessor,
			"%lld elements of %lld bytes do not fit into the %lld bytes that the bufferView has for them",
			(long long)data->count, (long long)data->stride, (long long)( length - offset ) );
	}
	data->bytes = bytes + offset;
	return DS_OK;
}

// glTF 2.0 and GLB: the file is checked here as far as positions, faces and nodes go, and assimp gets a GLB of exactly these:
// dense positions and indices that are in range, and one node a mesh instance with its whole transform. Materials, images,
// skins, animations and extensions never reach it.

#include "io/mesh_gltf.h"

#include <string.h>

// ---- container

static uint32_t little32( const uint8_t *p )
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

#define GLB_MAGIC 0x46546C67u // "glTF"
#define GLB_JSON  0x4E4F534Au // "JSON"
#define GLB_BIN   0x004E4942u // "BIN\0"

// Finds the JSON and BIN chunks of a GLB.
static ds_status open_binary(
	ds_gltf *gltf, const uint8_t *bytes, int64_t size, const uint8_t **json, int64_t *json_size )
{
	const char *name = gltf->soup->name;
	if ( size < 20 || little32( bytes ) != GLB_MAGIC )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: is not a GLB file: it does not begin with \"glTF\"", name );
	}
	if ( little32( bytes + 4 ) != 2 )
	{
		return ds_error(
			DS_ERROR_UNSUPPORTED, "%s: is GLB of version %u; only 2 is read", name, (unsigned)little32( bytes + 4 ) );
	}
	if ( (int64_t)little32( bytes + 8 ) > size )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s: the header promises %u bytes, but there are %lld: it is cut off or damaged", name,
			(unsigned)little32( bytes + 8 ), (long long)size );
	}
	size = (int64_t)little32( bytes + 8 ); // what follows is none of the GLB
	for ( int64_t at = 12, chunk = 0; at < size; ++chunk )
	{
		int64_t length = size - at < 8 ? size : (int64_t)little32( bytes + at );
		if ( length > size - at - 8 || length % 4 != 0 )
		{
			return ds_error( DS_ERROR_FORMAT, "%s: chunk %lld does not fit into the file", name, (long long)chunk + 1 );
		}
		uint32_t kind = little32( bytes + at + 4 );
		if ( ( chunk == 0 ) != ( kind == GLB_JSON ) )
		{
			return ds_error( DS_ERROR_FORMAT, "%s: the first chunk, and only the first, must be JSON", name );
		}
		if ( kind == GLB_JSON )
		{
			*json = bytes + at + 8;
			*json_size = length;
		}
		else if ( kind == GLB_BIN && gltf->binary == NULL )
		{
			gltf->binary = bytes + at + 8;
			gltf->binary_size = length;
		}
		at += 8 + length;
	}
	return DS_OK;
}

// Extensions that change what a reader must do with the geometry.
static ds_status check_required( const ds_gltf *gltf )
{
	const ds_json *asset = ds_json_find( gltf->root, "asset" ), *version = ds_json_find( asset, "version" );
	if ( version == NULL || version->type != DS_JSON_STRING || strncmp( version->string, "2.", 2 ) != 0 )
	{
		return ds_json_error( DS_ERROR_UNSUPPORTED, gltf->root, "expected \"asset\": { \"version\": \"2.0\" }" );
	}
	const ds_json *list = ds_json_find( gltf->root, "extensionsRequired" );
	for ( const ds_json *item = list ? list->first : NULL; item; item = item->next )
	{
		static const char *const harmless[] = { "KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_",
			"KHR_mesh_quantization" };
		bool known = false;
		for ( size_t i = 0; i < sizeof( harmless ) / sizeof( harmless[0] ) && item->type == DS_JSON_STRING; ++i )
		{
			known |= strncmp( item->string, harmless[i], strlen( harmless[i] ) ) == 0;
		}
		if ( !known )
		{
			return ds_json_error( DS_ERROR_UNSUPPORTED, item, "%s is not supported; export it without",
				item->type == DS_JSON_STRING ? item->string : "this" );
		}
	}
	return DS_OK;
}

// ---- rewriting

// What is handed over: bytes, and the JSON that tells them. Accessor i, view i and blob i are the same.
typedef struct rewriting
{
	ds_bytes bytes, blobs; // blobs: int64_t triples offset, count, width (3 positions, 1 indices)
	ds_text meshes, nodes;
	int64_t blob_count, mesh_count, node_count;
	int64_t faces, total; // of the mesh at hand, and of all that is shown
} rewriting;

static ds_status add_blob( rewriting *out, int64_t offset, int64_t count, int64_t width )
{
	int64_t blob[3] = { offset, count, width };
	++out->blob_count;
	return ds_bytes_add( &out->blobs, blob, sizeof( blob ) );
}

static uint32_t index_at( const ds_gltf_data *data, int64_t i )
{
	const uint8_t *p = data->bytes + i * data->stride;
	return data->component == 5121   ? p[0]
		   : data->component == 5123 ? (uint32_t)p[0] | (uint32_t)p[1] << 8
									 : little32( p );
}

static ds_status check_indices( const ds_json *accessor, const ds_gltf_data *indices, int64_t vertices )
{
	for ( int64_t i = 0; i < indices->count; ++i )
	{
		if ( (int64_t)index_at( indices, i ) >= vertices )
		{
			return ds_json_error( DS_ERROR_FORMAT, accessor, "index %lld names vertex %u of %lld", (long long)i,
				(unsigned)index_at( indices, i ), (long long)vertices );
		}
	}
	return DS_OK;
}

// Coordinate `k` of an element as the bits of a float; integers by the rules of KHR_mesh_quantization.
static uint32_t position_bits( const ds_gltf_data *data, const uint8_t *p, int k )
{
	if ( data->component == 5126 )
	{
		return little32( p + 4 * k );
	}
	bool wide = data->component >= 5122, is_signed = data->component == 5120 || data->component == 5122;
	int value = wide ? p[2 * k] | p[2 * k + 1] << 8 : p[k], half = wide ? 0x8000 : 0x80;
	value -= is_signed && value >= half ? 2 * half : 0;
	float number = (float)value;
	if ( data->normalized )
	{
		double unit = (double)value / ( is_signed ? half - 1 : 2 * half - 1 );
		number = (float)( unit < -1 ? -1 : unit );
	}
	uint32_t bits;
	memcpy( &bits, &number, 4 );
	return bits;
}

// Copies positions densely: all of them in order, or those that `order` names.
static ds_status copy_positions(
	ds_gltf *gltf, rewriting *out, const ds_json *accessor, const ds_gltf_data *data, const ds_gltf_data *order )
{
	int64_t count = order ? order->count : data->count;
	DS_TRY( add_blob( out, out->bytes.size, count, 3 ) );
	DS_TRY( ds_bytes_reserve( &out->bytes, 12 * count ) );
	for ( int64_t i = 0; i < count; ++i )
	{
		const uint8_t *p = data->bytes + ( order ? (int64_t)index_at( order, i ) : i ) * data->stride;
		uint8_t *to = out->bytes.data + out->bytes.size;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t bits = position_bits( data, p, k );
			uint8_t word[4] = { (uint8_t)bits, (uint8_t)( bits >> 8 ), (uint8_t)( bits >> 16 ),
				(uint8_t)( bits >> 24 ) };
			memcpy( to + 4 * k, word, 4 );

			// an exponent of ones is an infinity or not a number
			if ( ( bits & 0x7F800000u ) == 0x7F800000u )
			{
				return ds_json_error(
					DS_ERROR_NOT_FINITE, accessor, "a coordinate of element %lld is not finite", (long long)i );
			}
		}
		out->bytes.size += 12;
	}
	gltf->soup->report->vertices_read += count;
	return DS_OK;
}

static ds_status copy_indices( rewriting *out, const ds_gltf_data *indices )
{
	DS_TRY( add_blob( out, out->bytes.size, indices->count, 1 ) );
	DS_TRY( ds_bytes_reserve( &out->bytes, 4 * indices->count ) );
	uint8_t *p = out->bytes.data + out->bytes.size;
	for ( int64_t i = 0; i < indices->count; ++i, p += 4 )
	{
		uint32_t index = index_at( indices, i );
		p[0] = (uint8_t)index;
		p[1] = (uint8_t)( index >> 8 );
		p[2] = (uint8_t)( index >> 16 );
		p[3] = (uint8_t)( index >> 24 );
	}
	out->bytes.size += 4 * indices->count;
	return DS_OK;
}

// How many triangles `count` corners make in a mode, or -1 if they do not fit it.
static int64_t triangles_of( int64_t mode, int64_t count )
{
	if ( mode == 4 )
	{
		return count % 3 == 0 ? count / 3 : -1;
	}
	return count >= 3 ? count - 2 : -1;
}

typedef struct corners
{
	const ds_json *position, *index; // accessors; `index` may be NULL
	ds_gltf_data positions, indices;
	int64_t mode, count;
} corners;

static ds_status find_corners( ds_gltf *gltf, const ds_json *primitive, corners *c )
{
	static const int numbers[] = { 5126, 5120, 5121, 5122, 5123, 0 }, integers[] = { 5121, 5123, 5125, 0 };
	int64_t number;
	DS_TRY( ds_gltf_integer(
		ds_json_find( primitive, "attributes" ), "POSITION", -1, gltf->accessors.count - 1, &number ) );
	c->position = gltf->accessors.items[number];
	DS_TRY( ds_gltf_accessor( gltf, number, "VEC3", 3, numbers, &c->positions ) );
	c->count = c->positions.count;
	c->index = NULL;
	if ( ds_json_find( primitive, "indices" ) )
	{
		DS_TRY( ds_gltf_integer( primitive, "indices", -1, gltf->accessors.count - 1, &number ) );
		c->index = gltf->accessors.items[number];
		DS_TRY( ds_gltf_accessor( gltf, number, "SCALAR", 1, integers, &c->indices ) );
		DS_TRY( check_indices( c->index, &c->indices, c->positions.count ) );
		c->count = c->indices.count;
	}
	return DS_OK;
}

static ds_status count_faces( const ds_gltf *gltf, rewriting *out, int64_t more )
{
	out->faces += more;
	out->total += more;
	if ( out->total > gltf->soup->options->max_faces )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: more than max_faces = %lld faces", gltf->soup->name,
			(long long)gltf->soup->options->max_faces );
	}
	return DS_OK;
}

static ds_status copy_primitive( ds_gltf *gltf, rewriting *out, const ds_json *primitive, int64_t *made )
{
	corners c;
	DS_TRY( ds_gltf_integer( primitive, "mode", 4, 6, &c.mode ) );
	if ( c.mode < 4 || ds_json_find( ds_json_find( primitive, "attributes" ), "POSITION" ) == NULL )
	{
		++gltf->soup->skipped;
		return DS_OK;
	}
	DS_TRY( find_corners( gltf, primitive, &c ) );
	if ( c.count == 0 )
	{
		return DS_OK;
	}
	int64_t triangles = triangles_of( c.mode, c.count );
	if ( triangles < 0 )
	{
		return ds_json_error(
			DS_ERROR_FORMAT, primitive, "%lld corners do not make whole triangles", (long long)c.count );
	}
	DS_TRY( count_faces( gltf, out, triangles ) );

	// a primitive that uses a small part of a shared vertex buffer gets its own corners and no indices
	bool indexed = c.index && c.count >= c.positions.count;
	DS_TRY( copy_positions( gltf, out, c.position, &c.positions, c.index && !indexed ? &c.indices : NULL ) );
	ds_text_format( &out->meshes, "%s{\"mode\":%d,\"attributes\":{\"POSITION\":%lld}", *made > 0 ? "," : "",
		(int)c.mode, (long long)out->blob_count - 1 );
	if ( indexed )
	{
		DS_TRY( copy_indices( out, &c.indices ) );
		ds_text_format( &out->meshes, ",\"indices\":%lld", (long long)out->blob_count - 1 );
	}
	ds_text_string( &out->meshes, "}" );
	++*made;
	return ds_soup_check_time( gltf->soup );
}

// Copies a mesh; *number is its new one, or -1 if it has no triangles.
static ds_status copy_mesh( ds_gltf *gltf, rewriting *out, const ds_json *mesh, int64_t *number )
{
	const ds_json *primitives = ds_json_find( mesh, "primitives" );
	int64_t made = 0;
	out->faces = 0;
	*number = -1;
	if ( primitives == NULL || primitives->type != DS_JSON_ARRAY )
	{
		return ds_json_error( DS_ERROR_FORMAT, mesh, "expected an array \"primitives\"" );
	}
	size_t before = out->meshes.length;
	ds_text_string( &out->meshes, out->mesh_count > 0 ? ",{\"primitives\":[" : "{\"primitives\":[" );
	for ( const ds_json *item = primitives->first; item; item = item->next )
	{
		DS_TRY( copy_primitive( gltf, out, item, &made ) );
	}
	ds_text_string( &out->meshes, "]}" );
	if ( made > 0 )
	{
		*number = out->mesh_count++;
	}
	else if ( out->meshes.status == DS_OK )
	{
		out->meshes.length = before;
		out->meshes.data[before] = '\0';
	}
	return out->meshes.status;
}

static void put_node( rewriting *out, int64_t mesh, const double matrix[16] )
{
	ds_text_format( &out->nodes, "%s{\"mesh\":%lld,\"matrix\":[", out->node_count > 0 ? "," : "", (long long)mesh );
	for ( int i = 0; i < 16; ++i )
	{
		char number[40];
		ds_print_number_17( number, sizeof( number ), matrix[i] );
		ds_text_string( &out->nodes, i > 0 ? "," : "" );
		ds_text_string( &out->nodes, number );
	}
	ds_text_string( &out->nodes, "]}" );
	++out->node_count;
}

// Copies every mesh that a node shows, once, and a node for each time it is shown.
static ds_status copy_instances( ds_gltf *gltf, rewriting *out, const ds_gltf_instance *instances, int64_t count )
{
	void *memory;
	DS_TRY( ds_arena_new( &gltf->arena, (size_t)gltf->meshes.count * 3 * sizeof( int64_t ), &memory ) );
	int64_t *known = memory, *numbers = known + gltf->meshes.count, *faces = numbers + gltf->meshes.count;
	for ( int64_t i = 0; i < count; ++i )
	{
		const ds_gltf_instance *shown = instances + i;
		int64_t mesh = shown->mesh;
		if ( !known[mesh] )
		{
			DS_TRY( ds_soup_check_time( gltf->soup ) );
			DS_TRY( copy_mesh( gltf, out, gltf->meshes.items[mesh], &numbers[mesh] ) );
			known[mesh] = 1;
			faces[mesh] = out->faces;
		}
		else
		{
			DS_TRY( count_faces( gltf, out, faces[mesh] ) );
		}
		if ( numbers[mesh] >= 0 )
		{
			put_node( out, numbers[mesh], shown->matrix );
		}
	}
	return out->nodes.status;
}

static void put_json( const rewriting *out, ds_text *json )
{
	ds_text_string( json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[" );
	for ( int64_t i = 0; i < out->node_count; ++i )
	{
		ds_text_format( json, i > 0 ? ",%lld" : "%lld", (long long)i );
	}
	ds_text_format( json, "]}],\"nodes\":[%s],\"meshes\":[%s],\"buffers\":[{\"byteLength\":%lld}],\"bufferViews\":[",
		ds_text_get( &out->nodes ), ds_text_get( &out->meshes ), (long long)out->bytes.size );
	for ( int64_t i = 0; i < out->blob_count; ++i )
	{
		int64_t blob[3];
		memcpy( blob, out->blobs.data + i * (int64_t)sizeof( blob ), sizeof( blob ) );
		ds_text_format( json, "%s{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld}", i > 0 ? "," : "",
			(long long)blob[0], (long long)( 4 * blob[1] * blob[2] ) );
	}
	ds_text_string( json, "],\"accessors\":[" );
	for ( int64_t i = 0; i < out->blob_count; ++i )
	{
		int64_t blob[3];
		memcpy( blob, out->blobs.data + i * (int64_t)sizeof( blob ), sizeof( blob ) );
		ds_text_format( json, "%s{\"bufferView\":%lld,\"componentType\":%d,\"count\":%lld,\"type\":\"%s\"}",
			i > 0 ? "," : "", (long long)i, blob[2] == 3 ? 5126 : 5125, (long long)blob[1],
			blob[2] == 3 ? "VEC3" : "SCALAR" );
	}
	ds_text_string( json, "]}" );
	while ( json->length % 4 != 0 && json->status == DS_OK )
	{
		ds_text_string( json, " " );
	}
}

static ds_status hand_over( ds_gltf *gltf, const rewriting *out, ds_text *json, ds_bytes *glb )
{
	put_json( out, json );
	DS_TRY( json->status );
	int64_t length = (int64_t)json->length, total = 12 + 8 + length + 8 + out->bytes.size;
	if ( total > UINT32_MAX )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: more than 4 GiB of positions and indices", gltf->soup->name );
	}
	DS_TRY( ds_bytes_reserve( glb, total ) );
	DS_TRY( ds_bytes_add_little32( glb, GLB_MAGIC ) );
	DS_TRY( ds_bytes_add_little32( glb, 2 ) );
	DS_TRY( ds_bytes_add_little32( glb, (uint32_t)total ) );
	DS_TRY( ds_bytes_add_little32( glb, (uint32_t)length ) );
	DS_TRY( ds_bytes_add_little32( glb, GLB_JSON ) );
	DS_TRY( ds_bytes_add( glb, ds_text_get( json ), length ) );
	DS_TRY( ds_bytes_add_little32( glb, (uint32_t)out->bytes.size ) );
	DS_TRY( ds_bytes_add_little32( glb, GLB_BIN ) );
	DS_TRY( ds_bytes_add( glb, out->bytes.data, out->bytes.size ) );
	return ds_mesh_read_assimp( gltf->soup, "mesh.glb", glb->data, glb->size );
}

static ds_status rewrite( ds_gltf *gltf, const ds_gltf_instance *instances, int64_t count )
{
	const ds_allocator *allocator = gltf->soup->allocator;
	rewriting out;
	memset( &out, 0, sizeof( out ) );
	out.bytes.allocator = out.blobs.allocator = allocator;
	ds_text_init( &out.meshes, allocator );
	ds_text_init( &out.nodes, allocator );
	ds_text json;
	ds_text_init( &json, allocator );
	ds_bytes glb = { allocator, NULL, 0, 0 };
	ds_status status = copy_instances( gltf, &out, instances, count );
	if ( status == DS_OK && out.node_count > 0 )
	{
		status = hand_over( gltf, &out, &json, &glb );
	}
	ds_bytes_free( &glb );
	ds_text_clear( &json );
	ds_text_clear( &out.nodes );
	ds_text_clear( &out.meshes );
	ds_bytes_free( &out.blobs );
	ds_bytes_free( &out.bytes );
	return status;
}

ds_status ds_gltf_open( ds_gltf *gltf, ds_soup *soup, const uint8_t *bytes, int64_t size, bool binary )
{
	memset( gltf, 0, sizeof( *gltf ) );
	gltf->soup = soup;
	ds_arena_init( &gltf->arena, soup->allocator );
	const uint8_t *json = bytes;
	int64_t json_size = size;
	if ( binary )
	{
		json_size = 0;
		DS_TRY( open_binary( gltf, bytes, size, &json, &json_size ) );
	}
	DS_TRY( ds_json_parse( &gltf->arena, soup->name, 1, (const char *)json, (size_t)json_size, &gltf->root ) );
	if ( gltf->root->type != DS_JSON_OBJECT )
	{
		return ds_json_error( DS_ERROR_FORMAT, gltf->root, "expected an object" );
	}
	DS_TRY( check_required( gltf ) );
	DS_TRY( ds_gltf_list_read( gltf, "accessors", &gltf->accessors ) );
	DS_TRY( ds_gltf_list_read( gltf, "bufferViews", &gltf->views ) );
	DS_TRY( ds_gltf_list_read( gltf, "meshes", &gltf->meshes ) );
	DS_TRY( ds_gltf_list_read( gltf, "nodes", &gltf->nodes ) );
	return ds_gltf_list_buffers( gltf );
}

void ds_gltf_close( ds_gltf *gltf )
{
	ds_gltf_free_buffers( gltf );
	ds_arena_free( &gltf->arena );
}

ds_status ds_mesh_read_gltf( ds_soup *soup, const uint8_t *bytes, int64_t size, bool binary )
{
	ds_gltf gltf;
	ds_gltf_instance *instances;
	int64_t count;
	ds_status status = ds_gltf_open( &gltf, soup, bytes, size, binary );
	status = status == DS_OK ? ds_gltf_walk( &gltf, &instances, &count ) : status;
	status = status == DS_OK ? rewrite( &gltf, instances, count ) : status;
	ds_gltf_close( &gltf );
	return status;
}

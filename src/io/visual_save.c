// Writing a visual as GLB: a mesh primitive for each material, whose vertices have position, normal and colour as 32-bit floats. Corners
// of faces that are equal in all three, bit for bit, share a vertex.

#include "deepsim/math.h"
#include "io/log_file.h"
#include "io/mesh_scan.h"
#include "io/visual_internal.h"

#include <string.h>

#define GLB_MAGIC 0x46546C67u // "glTF"
#define GLB_JSON  0x4E4F534Au // "JSON"
#define GLB_BIN   0x004E4942u // "BIN\0"

#define GLTF_UINT32 5125 // componentType
#define GLTF_FLOAT  5126

enum
{
	POSITION,
	NORMAL,
	COLOR,
	KINDS
};

typedef struct glb_vertex
{
	float values[KINDS][3];
} glb_vertex;

typedef struct glb_writer
{
	const ds_visual *visual;
	const char *path;
	int32_t *order; // faces by material
	int64_t *starts; // of each material in `order`, and the end
	// of the primitive at hand
	glb_vertex *vertices;
	int64_t vertex_count;
	int32_t *corners; // vertex of each corner
	int32_t *slots; // open hash table of vertices, -1 where free
	int64_t slot_capacity; // a power of two
	int64_t primitives, accessor_count;
	ds_bytes bytes;
	ds_text json, views, accessors, meshes, materials;
} glb_writer;

static void sort_faces( glb_writer *w )
{
	const ds_visual *v = w->visual;
	for ( int64_t f = 0; f < v->face_count; ++f )
	{
		++w->starts[( v->face_materials ? v->face_materials[f] : 0 ) + 1];
	}
	for ( int32_t m = 0; m < v->material_count; ++m )
	{
		w->starts[m + 1] += w->starts[m];
	}
	for ( int64_t f = 0; f < v->face_count; ++f )
	{
		w->order[w->starts[v->face_materials ? v->face_materials[f] : 0]++] = (int32_t)f;
	}
	for ( int32_t m = v->material_count; m > 0; --m )
	{
		w->starts[m] = w->starts[m - 1];
	}
	w->starts[0] = 0;
}

// What a corner looks like: textures count with the mean of as much of them as the face is wide.
static void look_of_corner( const ds_visual *v, int64_t face, int k, ds_surface *out )
{
	const int32_t *t = v->triangles + 3 * face;
	ds_vec3 a = v->vertices[t[0]];
	ds_vec3 n = ds_cross( ds_sub( v->vertices[t[1]], a ), ds_sub( v->vertices[t[2]], a ) );
	ds_visual_at( v, face, v->vertices[t[k]], sqrt( 0.5 * ds_length( n ) ), out );
}

static void put_three( ds_text *text, const char *key, const float values[3] )
{
	ds_text_format( text, ",\"%s\":[", key );
	for ( int k = 0; k < 3; ++k )
	{
		char digits[40];
		ds_print_number( digits, sizeof( digits ), values[k] );
		ds_text_format( text, "%s%s", k > 0 ? "," : "", digits );
	}
	ds_text_string( text, "]" );
}

static glb_vertex corner_of( const ds_visual *v, int64_t face, int k )
{
	const ds_vec3 p = v->vertices[v->triangles[3 * face + k]];
	ds_surface surface;
	look_of_corner( v, face, k, &surface );
	glb_vertex out = { { { (float)p.x, (float)p.y, (float)p.z } } };
	memcpy( out.values[NORMAL], v->normals[3 * face + k], sizeof( out.values[NORMAL] ) );
	memcpy( out.values[COLOR], surface.color, sizeof( out.values[COLOR] ) );
	return out;
}

// The number of a vertex, which is added if it is not there yet; `slots` of the table are in use.
static int32_t find_vertex( glb_writer *w, int64_t slots, const glb_vertex *vertex )
{
	const uint64_t mask = (uint64_t)slots - 1;
	uint64_t at = ds_hash_bytes( 0, vertex, sizeof( *vertex ) ) & mask;
	while ( w->slots[at] >= 0 && memcmp( w->vertices + w->slots[at], vertex, sizeof( *vertex ) ) != 0 )
	{
		at = ( at + 1 ) & mask;
	}
	if ( w->slots[at] < 0 )
	{
		w->slots[at] = (int32_t)w->vertex_count;
		w->vertices[w->vertex_count++] = *vertex;
	}
	return w->slots[at];
}

static int64_t slots_for( int64_t corners )
{
	int64_t slots = 16;
	while ( slots < 2 * corners )
	{
		slots *= 2;
	}
	return slots;
}

// Vertices of `faces` faces from place `first` on, in the order in which they are met.
static void gather( glb_writer *w, int64_t first, int64_t faces )
{
	const int64_t slots = slots_for( 3 * faces );
	memset( w->slots, 0xff, (size_t)slots * sizeof( *w->slots ) );
	w->vertex_count = 0;
	for ( int64_t i = 0; i < 3 * faces; ++i )
	{
		const glb_vertex vertex = corner_of( w->visual, w->order[first + i / 3], (int)( i % 3 ) );
		w->corners[i] = find_vertex( w, slots, &vertex );
	}
}

// The view and the accessor of what was put into the buffer from `start` on; the accessor is left open.
static void put_accessor( glb_writer *w, int64_t start, int component, const char *type, int64_t count )
{
	const char *comma = w->accessor_count > 0 ? "," : "";
	ds_text_format( &w->views, "%s{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld}", comma, (long long)start,
		(long long)( w->bytes.size - start ) );
	ds_text_format( &w->accessors, "%s{\"bufferView\":%lld,\"componentType\":%d,\"type\":\"%s\",\"count\":%lld", comma,
		(long long)w->accessor_count, component, type, (long long)count );
	++w->accessor_count;
}

static ds_status put_vertices( glb_writer *w, int kind )
{
	float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
	const int64_t start = w->bytes.size;
	for ( int64_t i = 0; i < 3 * w->vertex_count; ++i )
	{
		const float value = w->vertices[i / 3].values[kind][i % 3];
		uint32_t bits;
		memcpy( &bits, &value, 4 );
		DS_TRY( ds_bytes_add_little32( &w->bytes, bits ) );
		low[i % 3] = value < low[i % 3] ? value : low[i % 3];
		high[i % 3] = value > high[i % 3] ? value : high[i % 3];
	}
	put_accessor( w, start, GLTF_FLOAT, "VEC3", w->vertex_count );
	if ( kind == POSITION )
	{
		put_three( &w->accessors, "min", low );
		put_three( &w->accessors, "max", high );
	}
	ds_text_string( &w->accessors, "}" );
	return DS_OK;
}

static ds_status put_indices( glb_writer *w, int64_t count )
{
	const int64_t start = w->bytes.size;
	for ( int64_t i = 0; i < count; ++i )
	{
		DS_TRY( ds_bytes_add_little32( &w->bytes, (uint32_t)w->corners[i] ) );
	}
	put_accessor( w, start, GLTF_UINT32, "SCALAR", count );
	ds_text_string( &w->accessors, "}" );
	return DS_OK;
}

static ds_status put_primitive( glb_writer *w, int32_t material )
{
	static const char *const names[KINDS] = { "POSITION", "NORMAL", "COLOR_0" };
	const int64_t first = w->starts[material], faces = w->starts[material + 1] - first;
	if ( faces == 0 )
	{
		return DS_OK;
	}
	gather( w, first, faces );
	ds_text_string( &w->meshes, w->primitives > 0 ? ",{\"attributes\":{" : "{\"attributes\":{" );
	for ( int kind = 0; kind < KINDS; ++kind )
	{
		ds_text_format( &w->meshes, "%s\"%s\":%lld", kind > 0 ? "," : "", names[kind], (long long)w->accessor_count );
		DS_TRY( put_vertices( w, kind ) );
	}
	ds_text_format(
		&w->meshes, "},\"indices\":%lld,\"material\":%lld}", (long long)w->accessor_count, (long long)w->primitives );
	DS_TRY( put_indices( w, 3 * faces ) );
	char metallic[40], roughness[40];
	ds_print_number( metallic, sizeof( metallic ), w->visual->materials[material].metallic );
	ds_print_number( roughness, sizeof( roughness ), w->visual->materials[material].roughness );
	ds_text_format( &w->materials, "%s{\"pbrMetallicRoughness\":{\"metallicFactor\":%s,\"roughnessFactor\":%s}}",
		w->primitives > 0 ? "," : "", metallic, roughness );
	++w->primitives;
	return DS_OK;
}

static ds_status put_json( glb_writer *w )
{
	ds_text_format( &w->json,
		"{\"asset\":{\"version\":\"2.0\",\"generator\":\"libdeepsim %s\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[",
		ds_version() );
	const ds_text *parts[4] = { &w->meshes, &w->materials, &w->views, &w->accessors };
	static const char *const after[4] = { "]}],\"materials\":[", "],\"bufferViews\":[", "],\"accessors\":[",
		"],\"buffers\":[{\"byteLength\":" };
	for ( int i = 0; i < 4; ++i )
	{
		DS_TRY( parts[i]->status );
		ds_text_string( &w->json, ds_text_get( parts[i] ) );
		ds_text_string( &w->json, after[i] );
	}
	ds_text_format( &w->json, "%lld}]}", (long long)w->bytes.size );
	while ( w->json.length % 4 != 0 && w->json.status == DS_OK )
	{
		ds_text_string( &w->json, " " );
	}
	return w->json.status;
}

static ds_status check_size( const glb_writer *w, int64_t size )
{
	return size <= UINT32_MAX ? DS_OK
							  : ds_error( DS_ERROR_LIMIT,
									"%s: cannot be written: a GLB holds 4 GiB at most, and %lld bytes are needed",
									w->path, (long long)size );
}

static ds_status write_file( glb_writer *w )
{
	int64_t length = (int64_t)w->json.length, total = 12 + 8 + length + 8 + w->bytes.size;
	DS_TRY( check_size( w, total ) );
	ds_bytes glb = { w->bytes.allocator, NULL, 0, 0 };
	const uint32_t head[5] = { GLB_MAGIC, 2, (uint32_t)total, (uint32_t)length, GLB_JSON };
	ds_status status = ds_bytes_reserve( &glb, total );
	for ( int i = 0; i < 5 && status == DS_OK; ++i )
	{
		status = ds_bytes_add_little32( &glb, head[i] );
	}
	status = status == DS_OK ? ds_bytes_add( &glb, ds_text_get( &w->json ), length ) : status;
	status = status == DS_OK ? ds_bytes_add_little32( &glb, (uint32_t)w->bytes.size ) : status;
	status = status == DS_OK ? ds_bytes_add_little32( &glb, GLB_BIN ) : status;
	status = status == DS_OK ? ds_bytes_add( &glb, w->bytes.data, w->bytes.size ) : status;
	status = status == DS_OK ? ds_log_file_replace( w->path, glb.data, (size_t)glb.size ) : status;
	ds_bytes_free( &glb );
	return status;
}

static ds_status write_all( glb_writer *w )
{
	const ds_visual *v = w->visual;
	const int64_t corners = 3 * v->face_count;
	DS_TRY( check_size( w, (int64_t)sizeof( uint32_t ) * corners ) ); // of indices alone: they fit into 32 bits then
	w->slot_capacity = slots_for( corners );
	DS_TRY( DS_NEW( &v->allocator, v->face_count, &w->order ) );
	DS_TRY( DS_NEW( &v->allocator, corners, &w->vertices ) );
	DS_TRY( DS_NEW( &v->allocator, corners, &w->corners ) );
	DS_TRY( DS_NEW( &v->allocator, w->slot_capacity, &w->slots ) );
	DS_TRY( DS_NEW( &v->allocator, v->material_count + 2, &w->starts ) );
	sort_faces( w );
	for ( int32_t m = 0; m < v->material_count; ++m )
	{
		DS_TRY( put_primitive( w, m ) );
	}
	DS_TRY( put_json( w ) );
	return write_file( w );
}

ds_status ds_visual_save( const ds_visual *visual, const char *path )
{
	if ( visual == NULL || path == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "saving a visual needs a visual and a path" );
	}
	const char *dot = strrchr( path, '.' );
	ds_token ending = { dot ? dot + 1 : "", dot ? strlen( dot + 1 ) : 0 };
	if ( !ds_token_is( ending, "glb" ) )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: the ending must be .glb", path );
	}
	const ds_allocator *allocator = &visual->allocator;
	glb_writer w;
	memset( &w, 0, sizeof( w ) );
	w.visual = visual;
	w.path = path;
	w.bytes.allocator = allocator;
	ds_text *texts[] = { &w.json, &w.views, &w.accessors, &w.meshes, &w.materials };
	for ( int i = 0; i < 5; ++i )
	{
		ds_text_init( texts[i], allocator );
	}
	ds_status status = write_all( &w );
	for ( int i = 0; i < 5; ++i )
	{
		ds_text_clear( texts[i] );
	}
	ds_bytes_free( &w.bytes );
	DS_FREE( allocator, w.order, visual->face_count );
	DS_FREE( allocator, w.vertices, 3 * visual->face_count );
	DS_FREE( allocator, w.corners, 3 * visual->face_count );
	DS_FREE( allocator, w.slots, w.slot_capacity );
	DS_FREE( allocator, w.starts, visual->material_count + 2 );
	return status;
}

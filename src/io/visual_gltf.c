// glTF 2.0 and GLB: what the scene shows, with normals, texture coordinates, vertex colours and materials. The container, buffers,
// accessors and nodes are checked as for meshes (mesh_gltf*.c); numbers are then taken straight from the accessors.

#include "io/visual_internal.h"

#include <stdio.h>
#include <string.h>

static const int floats[] = { 5126, 5120, 5121, 5122, 5123, 0 }, indices_of[] = { 5121, 5123, 5125, 0 };

static uint32_t little( const uint8_t *p, int bytes )
{
	uint32_t value = 0;
	for ( int i = bytes - 1; i >= 0; --i )
	{
		value = value << 8 | p[i];
	}
	return value;
}

// Number `k` of element `i`; whole numbers as they are, or, if they are normalised, in [-1, 1] or [0, 1] (glTF 2.0, 3.11).
static double number_at( const ds_gltf_data *data, int64_t i, int k )
{
	const uint8_t *p = data->bytes + i * data->stride;
	int size = data->component <= 5121 ? 1 : data->component <= 5123 ? 2 : 4;
	uint32_t bits = little( p + size * k, size );
	if ( data->component == 5126 )
	{
		float value;
		memcpy( &value, &bits, 4 );
		return value;
	}
	double half = size == 1 ? 128 : 32768, value = bits;
	bool is_signed = data->component == 5120 || data->component == 5122;
	value -= is_signed && value >= half ? 2 * half : 0;
	if ( data->normalized )
	{
		value /= is_signed ? half - 1 : 2 * half - 1;
		value = value < -1 ? -1 : value;
	}
	return value;
}

static uint32_t index_at( const ds_gltf_data *data, int64_t i )
{
	int size = data->component <= 5121 ? 1 : data->component <= 5123 ? 2 : 4;
	return little( data->bytes + i * data->stride, size );
}

// ---- a primitive ---------------------------------------------------------------------------------------------------

typedef struct primitive
{
	ds_visual_draft *draft;
	const ds_json *json;
	const ds_gltf_look *look;
	int64_t mode, count; // of corners
	ds_gltf_data positions, indices, normals, uv, surface_uv, colors; // `bytes` is NULL where there are none
	int color_width;
	double matrix[16], cofactors[9]; // of the node, and for normals: column major, row major
	bool mirrored;
	int32_t first; // of its vertices in the soup
	bool own; // each corner has a vertex of its own there
} primitive;

// An attribute of as many elements as there are positions.
static ds_status find_attribute(
	ds_gltf *gltf, primitive *p, const char *key, const char *type, int width, ds_gltf_data *data )
{
	const ds_json *attributes = ds_json_find( p->json, "attributes" );
	int64_t number;
	data->bytes = NULL;
	if ( ds_json_find( attributes, key ) == NULL )
	{
		return DS_OK;
	}
	DS_TRY( ds_gltf_integer( attributes, key, -1, gltf->accessors.count - 1, &number ) );
	DS_TRY( ds_gltf_accessor( gltf, number, type, width, floats, data ) );
	if ( data->count != p->positions.count )
	{
		return ds_json_error( DS_ERROR_FORMAT, ds_json_find( attributes, key ),
			"this accessor has %lld elements, but POSITION has %lld", (long long)data->count,
			(long long)p->positions.count );
	}
	for ( int64_t i = 0; i < width * data->count && data->component == 5126; ++i )
	{
		if ( !isfinite( number_at( data, i / width, (int)( i % width ) ) ) )
		{
			return ds_json_error( DS_ERROR_NOT_FINITE, gltf->accessors.items[number],
				"%s of element %lld is not finite", key, (long long)( i / width ) );
		}
	}
	return DS_OK;
}

static ds_status find_colors( ds_gltf *gltf, primitive *p )
{
	const ds_json *attributes = ds_json_find( p->json, "attributes" ), *color = ds_json_find( attributes, "COLOR_0" );
	p->color_width = 3;
	if ( color == NULL || p->draft->options->material )
	{
		return DS_OK;
	}
	int64_t number;
	DS_TRY( ds_gltf_integer( attributes, "COLOR_0", -1, gltf->accessors.count - 1, &number ) );
	const ds_json *type = ds_json_find( gltf->accessors.items[number], "type" );
	p->color_width = type && type->type == DS_JSON_STRING && strcmp( type->string, "VEC4" ) == 0 ? 4 : 3;
	DS_TRY( find_attribute( gltf, p, "COLOR_0", p->color_width == 4 ? "VEC4" : "VEC3", p->color_width, &p->colors ) );
	if ( p->colors.component != 5126 && !p->colors.normalized )
	{
		return ds_json_error(
			DS_ERROR_FORMAT, gltf->accessors.items[number], "whole numbers of a colour must be normalized" );
	}
	return DS_OK;
}

static ds_status find_coordinates( ds_gltf *gltf, primitive *p )
{
	char key[32];
	snprintf( key, sizeof( key ), "TEXCOORD_%d", p->look->color.set );
	if ( p->look->color.texture >= 0 )
	{
		DS_TRY( find_attribute( gltf, p, key, "VEC2", 2, &p->uv ) );
	}
	snprintf( key, sizeof( key ), "TEXCOORD_%d", p->look->surface.set );
	if ( p->look->surface.texture >= 0 )
	{
		DS_TRY( find_attribute( gltf, p, key, "VEC2", 2, &p->surface_uv ) );
	}
	return DS_OK;
}

static ds_status find_corners( ds_gltf *gltf, primitive *p )
{
	const ds_json *attributes = ds_json_find( p->json, "attributes" );
	int64_t number;
	DS_TRY( ds_gltf_integer( attributes, "POSITION", -1, gltf->accessors.count - 1, &number ) );
	DS_TRY( ds_gltf_accessor( gltf, number, "VEC3", 3, floats, &p->positions ) );
	p->count = p->positions.count;
	if ( ds_json_find( p->json, "indices" ) )
	{
		DS_TRY( ds_gltf_integer( p->json, "indices", -1, gltf->accessors.count - 1, &number ) );
		DS_TRY( ds_gltf_accessor( gltf, number, "SCALAR", 1, indices_of, &p->indices ) );
		p->count = p->indices.count;
		for ( int64_t i = 0; i < p->count; ++i )
		{
			if ( (int64_t)index_at( &p->indices, i ) >= p->positions.count )
			{
				return ds_json_error( DS_ERROR_FORMAT, gltf->accessors.items[number],
					"index %lld names vertex %u of %lld", (long long)i, (unsigned)index_at( &p->indices, i ),
					(long long)p->positions.count );
			}
		}
	}
	DS_TRY( find_attribute( gltf, p, "NORMAL", "VEC3", 3, &p->normals ) );
	DS_TRY( find_coordinates( gltf, p ) );
	return find_colors( gltf, p );
}

static ds_vec3 position( const primitive *p, int64_t i )
{
	const double *m = p->matrix;
	double x = number_at( &p->positions, i, 0 ), y = number_at( &p->positions, i, 1 ),
		   z = number_at( &p->positions, i, 2 );
	return ds_v3( m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13],
		m[2] * x + m[6] * y + m[10] * z + m[14] );
}

static void put_uv( const ds_gltf_use *use, const ds_gltf_data *data, int64_t i, float out[2] )
{
	if ( data->bytes )
	{
		float u = (float)number_at( data, i, 0 ), v = (float)number_at( data, i, 1 );
		out[0] = use->m[0] * u + use->m[1] * v + use->m[2];
		out[1] = use->m[3] * u + use->m[4] * v + use->m[5];
	}
}

static ds_visual_corner corner( const primitive *p, int64_t i )
{
	ds_visual_corner c = ds_visual_corner_none();
	if ( p->normals.bytes )
	{
		const double *m = p->cofactors;
		double n[3] = { number_at( &p->normals, i, 0 ), number_at( &p->normals, i, 1 ),
			number_at( &p->normals, i, 2 ) };
		double turned[3], most = 0;
		for ( int k = 0; k < 3; ++k )
		{
			turned[k] = m[3 * k] * n[0] + m[3 * k + 1] * n[1] + m[3 * k + 2] * n[2];
			most = fabs( turned[k] ) > most ? fabs( turned[k] ) : most;
		}
		for ( int k = 0; k < 3; ++k )
		{
			c.normal[k] = most > 0 && isfinite( most ) ? (float)( turned[k] / most ) : 0; // 0: the face's
		}
	}
	put_uv( &p->look->color, &p->uv, i, c.uv );
	put_uv( &p->look->surface, &p->surface_uv, i, c.surface_uv );
	for ( int k = 0; k < 3 && p->colors.bytes; ++k )
	{
		float value = (float)number_at( &p->colors, i, k );
		c.color[k] = value < 0 ? 0 : value > 1 ? 1 : value;
	}
	return c;
}

// Corners `order` of the primitive as a face.
static ds_status add_face( primitive *p, const int64_t order[3] )
{
	int32_t vertices[3];
	ds_visual_corner corners[3];
	for ( int k = 0; k < 3; ++k )
	{
		int64_t at = order[p->mirrored ? 2 - k : k], i = p->indices.bytes ? (int64_t)index_at( &p->indices, at ) : at;
		vertices[k] = p->first + (int32_t)( p->own ? at : i );
		corners[k] = corner( p, i );
	}
	return ds_visual_draft_face( p->draft, vertices, corners, p->look->number );
}

static ds_status add_faces( primitive *p )
{
	// corners at the end that make no whole triangle are left
	int64_t faces = p->mode == 4 ? p->count / 3 : p->count - 2;
	if ( faces <= 0 || ( p->mode == 4 && p->count % 3 != 0 ) )
	{
		++p->draft->soup.skipped;
	}
	if ( faces <= 0 )
	{
		return DS_OK;
	}
	if ( p->mode == 4 )
	{
		p->count = 3 * faces;
	}

	// a primitive that uses a small part of a shared vertex buffer gets a vertex for each corner
	ds_soup *soup = &p->draft->soup;
	p->first = (int32_t)soup->vertex_count;
	p->own = p->indices.bytes && p->count < p->positions.count;
	int64_t vertices = p->own ? p->count : p->positions.count;
	DS_TRY( ds_soup_reserve( soup, vertices, faces ) );
	for ( int64_t i = 0; i < vertices; ++i )
	{
		DS_TRY( ds_soup_add_vertex( soup, position( p, p->own ? (int64_t)index_at( &p->indices, i ) : i ) ) );
	}
	for ( int64_t f = 0; f < faces; ++f )
	{
		int64_t list[3] = { 3 * f, 3 * f + 1, 3 * f + 2 }, strip[3] = { f, f + 1 + f % 2, f + 2 - f % 2 };
		int64_t fan[3] = { f + 1, f + 2, 0 };
		DS_TRY( add_face( p, p->mode == 4 ? list : p->mode == 5 ? strip : fan ) );
		if ( f % 65536 == 65535 )
		{
			DS_TRY( ds_soup_check_time( soup ) );
		}
	}
	return DS_OK;
}

// ---- the scene -----------------------------------------------------------------------------------------------------

// Normals turn by the transposed inverse, which is the matrix of cofactors but for its scale; a mirror changes its sign.
static void set_matrix( primitive *p, const double m[16] )
{
	ds_vec3 a = { m[0], m[1], m[2] }, b = { m[4], m[5], m[6] }, c = { m[8], m[9], m[10] };
	ds_vec3 columns[3] = { ds_cross( b, c ), ds_cross( c, a ), ds_cross( a, b ) };
	double volume = ds_dot( a, columns[0] ), sign = volume < 0 ? -1 : 1;
	memcpy( p->matrix, m, sizeof( p->matrix ) );
	p->mirrored = volume < 0;
	for ( int k = 0; k < 3; ++k )
	{
		p->cofactors[k] = sign * columns[k].x;
		p->cofactors[3 + k] = sign * columns[k].y;
		p->cofactors[6 + k] = sign * columns[k].z;
	}
}

static ds_status show_primitive( ds_gltf_looks *looks, const ds_json *json, const double matrix[16] )
{
	ds_visual_draft *draft = looks->draft;
	primitive p;
	memset( &p, 0, sizeof( p ) );
	p.draft = draft;
	p.json = json;
	DS_TRY( ds_gltf_integer( json, "mode", 4, 6, &p.mode ) );
	if ( p.mode < 4 || ds_json_find( ds_json_find( json, "attributes" ), "POSITION" ) == NULL )
	{
		++draft->soup.skipped;
		return DS_OK;
	}
	bool colored = ds_json_find( ds_json_find( json, "attributes" ), "COLOR_0" ) != NULL;
	int64_t material = colored ? DS_GLTF_NO_MATERIAL_COLORED : DS_GLTF_NO_MATERIAL;
	if ( ds_json_find( json, "material" ) )
	{
		DS_TRY( ds_gltf_integer( json, "material", -1, looks->materials.count - 1, &material ) );
	}
	DS_TRY( ds_gltf_look_of( looks, material, &p.look ) );
	DS_TRY( find_corners( looks->gltf, &p ) );
	if ( p.count == 0 )
	{
		return DS_OK;
	}
	draft->told_morph |= ds_json_find( json, "targets" ) != NULL;
	draft->any_normals |= p.normals.bytes != NULL;
	draft->any_uv |= p.look->color.texture >= 0 || p.look->surface.texture >= 0;
	draft->any_surface_uv |= p.look->surface.texture >= 0;
	draft->any_colors |= p.colors.bytes != NULL;
	set_matrix( &p, matrix );
	return add_faces( &p );
}

static ds_status show_mesh( ds_gltf_looks *looks, const ds_gltf_instance *instance )
{
	const ds_json *mesh = looks->gltf->meshes.items[instance->mesh], *list = ds_json_find( mesh, "primitives" );
	if ( list == NULL || list->type != DS_JSON_ARRAY )
	{
		return ds_json_error( DS_ERROR_FORMAT, mesh, "expected an array \"primitives\"" );
	}
	for ( const ds_json *item = list->first; item; item = item->next )
	{
		DS_TRY( show_primitive( looks, item, instance->matrix ) );
	}
	return ds_soup_check_time( &looks->draft->soup );
}

static ds_status show( ds_gltf *gltf, ds_visual_draft *draft )
{
	DS_TRY( ds_gltf_check( gltf ) );
	ds_gltf_looks looks;
	DS_TRY( ds_gltf_looks_open( &looks, gltf, draft ) );
	ds_gltf_instance *instances;
	int64_t count;
	DS_TRY( ds_gltf_walk( gltf, &instances, &count ) );
	for ( int64_t i = 0; i < count; ++i )
	{
		DS_TRY( show_mesh( &looks, instances + i ) );
	}
	return DS_OK;
}

ds_status ds_visual_read_gltf( ds_visual_draft *draft, const uint8_t *bytes, int64_t size, bool binary )
{
	ds_gltf gltf;
	ds_status status = ds_gltf_open( &gltf, &draft->soup, bytes, size, binary );
	status = status == DS_OK ? show( &gltf, draft ) : status;
	ds_gltf_close( &gltf );
	return status;
}

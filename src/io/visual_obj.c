// OBJ with colours: v (with r g b after x y z), vt, vn, f, usemtl and mtllib are read; groups, curves and smoothing are not.

#include "io/mesh_scan.h"
#include "io/visual_internal.h"

#include <string.h>

#define COMPARED_AT_ONCE 1000000

typedef struct obj_reader
{
	ds_visual_draft *draft;
	ds_arena arena;
	ds_scan scan;
	ds_bytes colors; // float[3] a vertex
	ds_bytes coordinates; // float[2]
	ds_bytes normals; // float[3]
	ds_bytes materials; // ds_mtl_material
	int32_t material; // in use; -1: none, which is made when a face first needs it
	int32_t none;
	bool textured; // the material in use
	bool continued;
	int64_t compared; // names of materials since the clock was last looked at
	// of the face at hand: index of v, vt, vn, or -1
	int32_t corners[DS_MESH_MAX_CORNERS][3];
	int32_t vertices[DS_MESH_MAX_CORNERS], scratch[DS_MESH_MAX_CORNERS], cut[3 * DS_MESH_MAX_CORNERS];
} obj_reader;

static ds_status malformed( const obj_reader *r, const char *expected )
{
	return ds_error( DS_ERROR_FORMAT, "%s:%lld: expected %s", r->draft->soup.name, (long long)r->scan.line, expected );
}

// Up to `most` numbers, at least `least`; *count of them were there.
static ds_status read_numbers( obj_reader *r, int least, int most, double *out, int *count )
{
	ds_token token;
	*count = 0;
	while ( *count < most && ds_scan_joined_token( &r->scan, &r->continued, &token ) )
	{
		if ( !ds_token_number( token, out + *count ) )
		{
			return malformed( r, "numbers" );
		}
		if ( !isfinite( out[*count] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "%s:%lld: a number is %.*s: it must be finite", r->draft->soup.name,
				(long long)r->scan.line, (int)( token.size < 40 ? token.size : 40 ), token.at );
		}
		++*count;
	}
	return *count < least ? malformed( r, "more numbers" ) : DS_OK;
}

static ds_status read_vertex( obj_reader *r )
{
	double n[6] = { 0 };
	int count;
	DS_TRY( read_numbers( r, 3, 6, n, &count ) );
	float color[3] = { 1, 1, 1 };
	for ( int k = 0; k < 3 && count == 6; ++k )
	{
		double c = n[3 + k] < 0 ? 0 : n[3 + k] > 1 ? 1 : n[3 + k];
		color[k] = (float)ds_srgb_decode( c );
	}
	r->draft->any_colors |= count == 6;
	DS_TRY( ds_bytes_add( &r->colors, color, sizeof( color ) ) );
	return ds_soup_add_vertex( &r->draft->soup, ds_v3( n[0], n[1], n[2] ) );
}

static ds_status read_coordinate( obj_reader *r )
{
	double n[3] = { 0 };
	int count;
	DS_TRY( read_numbers( r, 1, 3, n, &count ) );
	float uv[2] = { (float)n[0], (float)( 1 - n[1] ) }; // v is up in OBJ
	return ds_bytes_add( &r->coordinates, uv, sizeof( uv ) );
}

static ds_status read_normal( obj_reader *r )
{
	double n[3] = { 0 };
	int count;
	DS_TRY( read_numbers( r, 3, 3, n, &count ) );
	float normal[3] = { (float)n[0], (float)n[1], (float)n[2] };
	return ds_bytes_add( &r->normals, normal, sizeof( normal ) );
}

// ---- materials -----------------------------------------------------------------------------------------------------

// The rest of the line, without blanks at its ends: names of files and materials may hold some.
static void read_name( obj_reader *r, char *out, size_t size )
{
	const char *at = r->scan.at, *end = at;
	while ( end < r->scan.end && *end != '\n' && *end != '\r' )
	{
		++end;
	}
	for ( ; at < end && ( *at == ' ' || *at == '\t' ); ++at )
	{
	}
	for ( ; end > at && ( end[-1] == ' ' || end[-1] == '\t' ); --end )
	{
	}
	size_t length = (size_t)( end - at ) < size - 1 ? (size_t)( end - at ) : size - 1;
	memcpy( out, at, length );
	out[length] = '\0';
}

static ds_status read_library( obj_reader *r )
{
	char name[1024];
	read_name( r, name, sizeof( name ) );
	return r->draft->options->material ? DS_OK : ds_visual_read_mtl( r->draft, &r->arena, name, &r->materials );
}

static ds_status use_material( obj_reader *r )
{
	char name[256];
	read_name( r, name, sizeof( name ) );
	const ds_mtl_material *list = (const ds_mtl_material *)(const void *)r->materials.data;
	int64_t count = r->materials.size / (int64_t)sizeof( *list );
	r->compared += count;
	if ( r->compared > COMPARED_AT_ONCE )
	{
		r->compared = 0;
		DS_TRY( ds_soup_check_time( &r->draft->soup ) );
	}
	r->material = -1;
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( strcmp( list[i].name, name ) == 0 )
		{
			const ds_visual_material *all = (const ds_visual_material *)(const void *)r->draft->materials.data;
			r->material = list[i].number;
			r->textured = all[r->material].color_texture >= 0;
			r->draft->any_uv |= r->textured;
		}
	}
	if ( r->material < 0 && count > 0 )
	{
		ds_logf( r->draft->soup.hooks, DS_LOG_WARNING, "%s:%lld: there is no material \"%s\" in its MTL files",
			r->draft->soup.name, (long long)r->scan.line, name );
	}
	return DS_OK;
}

// The number of the material in use.
static ds_status material_of( obj_reader *r, int32_t *number )
{
	*number = r->material >= 0 ? r->material : r->none;
	if ( *number < 0 )
	{
		ds_visual_material none = ds_visual_material_of( NULL );
		if ( r->draft->any_colors )
		{
			none.color[0] = none.color[1] = none.color[2] = 1;
		}
		DS_TRY( ds_visual_draft_material( r->draft, &none, &r->none ) );
		*number = r->none;
	}
	return DS_OK;
}

// ---- faces ---------------------------------------------------------------------------------------------------------

// "7", "7/1", "7//3", "7/1/3"; numbers from the end if they are negative.
static ds_status read_corner( const obj_reader *r, ds_token token, int32_t out[3] )
{
	static const char *const kinds[3] = { "v", "vt", "vn" };
	const int64_t counts[3] = { r->draft->soup.vertex_count, r->coordinates.size / 8, r->normals.size / 12 };
	const char *at = token.at, *end = token.at + token.size;
	for ( int k = 0; k < 3; ++k )
	{
		const char *slash = at < end ? memchr( at, '/', (size_t)( end - at ) ) : NULL;
		ds_token number = { at, (size_t)( ( slash ? slash : end ) - at ) };
		int64_t index = 0;
		out[k] = -1;
		if ( number.size == 0 && k > 0 )
		{
			at = slash ? slash + 1 : end;
			continue;
		}
		if ( !ds_token_integer( number, &index ) )
		{
			return malformed( r, "numbers of vertices (7, 7/1, 7//3 or 7/1/3) after f" );
		}
		index += index < 0 ? counts[k] + 1 : 0;
		if ( index < 1 || index > counts[k] )
		{
			return ds_error( DS_ERROR_FORMAT, "%s:%lld: a face names %s %.*s, but there are %lld before it",
				r->draft->soup.name, (long long)r->scan.line, kinds[k], (int)( number.size < 40 ? number.size : 40 ),
				number.at, (long long)counts[k] );
		}
		out[k] = (int32_t)( index - 1 );
		at = slash ? slash + 1 : end;
	}
	return at < end ? malformed( r, "at most three numbers a corner" ) : DS_OK;
}

static ds_visual_corner corner_of( const obj_reader *r, const int32_t index[3] )
{
	ds_visual_corner c = ds_visual_corner_none();
	memcpy( c.color, r->colors.data + 12 * (int64_t)index[0], sizeof( c.color ) );
	if ( index[1] >= 0 )
	{
		memcpy( c.uv, r->coordinates.data + 8 * (int64_t)index[1], sizeof( c.uv ) );
	}
	if ( index[2] >= 0 )
	{
		memcpy( c.normal, r->normals.data + 12 * (int64_t)index[2], sizeof( c.normal ) );
	}
	return c;
}

static ds_status read_face( obj_reader *r )
{
	int32_t count = 0, material;
	ds_token token;
	while ( ds_scan_joined_token( &r->scan, &r->continued, &token ) )
	{
		if ( count == DS_MESH_MAX_CORNERS )
		{
			return ds_error( DS_ERROR_LIMIT, "%s:%lld: a face has more than %d corners", r->draft->soup.name,
				(long long)r->scan.line, DS_MESH_MAX_CORNERS );
		}
		DS_TRY( read_corner( r, token, r->corners[count] ) );
		r->vertices[count] = r->corners[count][0];
		r->draft->any_normals |= r->corners[count][2] >= 0;
		++count;
	}
	if ( count < 3 )
	{
		++r->draft->soup.skipped;
		return DS_OK;
	}
	DS_TRY( material_of( r, &material ) );
	DS_TRY( ds_soup_reserve( &r->draft->soup, 0, count - 2 ) );
	ds_polygon_triangulate( r->draft->soup.vertices, r->vertices, count, r->scratch, r->cut );
	for ( int32_t f = 0; f < count - 2; ++f )
	{
		int32_t vertices[3];
		ds_visual_corner corners[3];
		for ( int k = 0; k < 3; ++k )
		{
			int32_t at = r->cut[3 * f + k];
			vertices[k] = r->vertices[at];
			corners[k] = corner_of( r, r->corners[at] );
		}
		DS_TRY( ds_visual_draft_face( r->draft, vertices, corners, material ) );
	}
	return DS_OK;
}

// ---- lines ---------------------------------------------------------------------------------------------------------

static ds_status read_line( obj_reader *r )
{
	static const struct
	{
		const char *word;
		ds_status ( *read )( obj_reader *r );
	} kinds[] = { { "v", read_vertex }, { "vt", read_coordinate }, { "vn", read_normal }, { "f", read_face },
		{ "mtllib", read_library }, { "usemtl", use_material } };
	ds_token word;
	r->continued = false;
	if ( !ds_scan_joined_token( &r->scan, &r->continued, &word ) )
	{
		return DS_OK;
	}
	for ( size_t i = 0; i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
	{
		if ( word.size == strlen( kinds[i].word ) && memcmp( word.at, kinds[i].word, word.size ) == 0 )
		{
			DS_TRY( kinds[i].read( r ) );
		}
	}
	r->draft->soup.skipped += word.size == 1 && ( word.at[0] == 'l' || word.at[0] == 'p' );
	// what is left of the line, with what is joined to it
	ds_token rest;
	while ( r->continued && ds_scan_joined_token( &r->scan, &r->continued, &rest ) )
	{
	}
	return DS_OK;
}

static ds_status read_lines( obj_reader *r )
{
	while ( r->scan.at < r->scan.end )
	{
		DS_TRY( read_line( r ) );
		ds_scan_next_line( &r->scan );
		if ( r->scan.line % 65536 == 0 )
		{
			DS_TRY( ds_soup_check_time( &r->draft->soup ) );
		}
	}
	return DS_OK;
}

ds_status ds_visual_read_obj( ds_visual_draft *draft, const uint8_t *bytes, int64_t size )
{
	obj_reader *r;
	const ds_allocator *allocator = draft->soup.allocator;
	DS_TRY( DS_NEW( allocator, 1, &r ) );
	r->draft = draft;
	r->scan = ds_scan_start( bytes, size );
	r->colors.allocator = r->coordinates.allocator = r->normals.allocator = r->materials.allocator = allocator;
	r->material = r->none = -1;
	ds_arena_init( &r->arena, allocator );
	ds_status status = read_lines( r );
	ds_arena_free( &r->arena );
	ds_bytes_free( &r->colors );
	ds_bytes_free( &r->coordinates );
	ds_bytes_free( &r->normals );
	ds_bytes_free( &r->materials );
	DS_FREE( allocator, r, 1 );
	return status;
}

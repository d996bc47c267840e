// OBJ: every line is checked here, and assimp gets a text of "v" and "f" lines only, whose numbers are numbers and whose
// indices are absolute and in range. Materials, normals, groups and curves never reach it.

#include "io/mesh_bytes.h"
#include "io/mesh_internal.h"
#include "io/mesh_scan.h"

#include <string.h>

#define MOST_DIGITS 64

typedef struct obj_reader
{
	ds_soup *soup;
	ds_scan scan;
	ds_bytes out;
	bool continued; // the last token ended with a backslash: the line goes on
	int64_t vertices, faces, triangles;
} obj_reader;

static ds_status malformed( const obj_reader *r, const char *expected )
{
	return ds_error( DS_ERROR_FORMAT, "%s:%lld: expected %s", r->soup->name, (long long)r->scan.line, expected );
}

static ds_status put_vertex( obj_reader *r )
{
	DS_TRY( ds_bytes_reserve( &r->out, 3 * ( MOST_DIGITS + 1 ) + 2 ) );
	uint8_t *p = r->out.data + r->out.size;
	*p++ = 'v';
	for ( int k = 0; k < 3; ++k )
	{
		ds_token token;
		double number;
		bool found = ds_scan_joined_token( &r->scan, &r->continued, &token );
		if ( found && !ds_token_is_decimal( token ) && ds_token_number( token, &number ) && !isfinite( number ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE,
				"%s:%lld: a vertex has the coordinate %.*s: coordinates must be finite", r->soup->name,
				(long long)r->scan.line, (int)token.size, token.at );
		}
		if ( !found || token.size > MOST_DIGITS || !ds_token_is_decimal( token ) )
		{
			return malformed( r, "three numbers of at most 64 characters after v" );
		}
		*p++ = ' ';
		memcpy( p, token.at, token.size );
		p += token.size;
	}
	*p++ = '\n';
	r->out.size = p - r->out.data;
	++r->vertices;
	return DS_OK;
}

static uint8_t *put_integer( uint8_t *p, int64_t number )
{
	uint8_t digits[20];
	int count = 0;
	do
	{
		digits[count++] = (uint8_t)( '0' + number % 10 );
		number /= 10;
	}
	while ( number > 0 );
	while ( count > 0 )
	{
		*p++ = digits[--count];
	}
	return p;
}

// "7", "7/1", "7//3", "7/1/3": the number before the first slash; from the end if it is negative.
static ds_status read_corner( const obj_reader *r, ds_token token, int64_t *index )
{
	const char *slash = memchr( token.at, '/', token.size );
	ds_token number = { token.at, slash ? (size_t)( slash - token.at ) : token.size };
	if ( !ds_token_integer( number, index ) )
	{
		return malformed( r, "vertex numbers after f" );
	}
	*index += *index < 0 ? r->vertices + 1 : 0;
	if ( *index < 1 || *index > r->vertices )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%lld: a face names vertex %.*s, but %lld vertices stand before it",
			r->soup->name, (long long)r->scan.line, (int)number.size, number.at, (long long)r->vertices );
	}
	return DS_OK;
}

static ds_status put_face( obj_reader *r )
{
	int64_t start = r->out.size, corners = 0;
	DS_TRY( ds_bytes_add( &r->out, "f", 1 ) );
	ds_token token;
	while ( ds_scan_joined_token( &r->scan, &r->continued, &token ) )
	{
		int64_t index;
		DS_TRY( read_corner( r, token, &index ) );
		if ( ++corners > DS_MESH_MAX_CORNERS )
		{
			return ds_error( DS_ERROR_LIMIT, "%s:%lld: a face has more than %d corners", r->soup->name,
				(long long)r->scan.line, DS_MESH_MAX_CORNERS );
		}
		DS_TRY( ds_bytes_reserve( &r->out, 24 ) );
		uint8_t *p = r->out.data + r->out.size;
		*p++ = ' ';
		r->out.size = put_integer( p, index ) - r->out.data;
	}
	if ( corners < 3 )
	{
		++r->soup->skipped;
		r->out.size = start;
		return DS_OK;
	}
	++r->faces;
	r->triangles += corners - 2;
	if ( r->triangles > r->soup->options->max_faces )
	{
		return ds_error( DS_ERROR_LIMIT, "%s:%lld: more than max_faces = %lld faces", r->soup->name,
			(long long)r->scan.line, (long long)r->soup->options->max_faces );
	}
	return ds_bytes_add( &r->out, "\n", 1 );
}

static ds_status read_line( obj_reader *r )
{
	ds_token word;
	r->continued = false;
	if ( !ds_scan_joined_token( &r->scan, &r->continued, &word ) )
	{
		return DS_OK;
	}
	if ( word.size == 1 && word.at[0] == 'v' )
	{
		DS_TRY( put_vertex( r ) );
	}
	else if ( word.size == 1 && word.at[0] == 'f' )
	{
		DS_TRY( put_face( r ) );
	}
	else if ( word.size == 1 && ( word.at[0] == 'l' || word.at[0] == 'p' ) )
	{
		++r->soup->skipped;
	}
	// what is left of the line, with what is joined to it
	ds_token rest;
	while ( r->continued && ds_scan_joined_token( &r->scan, &r->continued, &rest ) )
	{
	}
	return DS_OK;
}

static ds_status read_lines( obj_reader *r )
{
	static const char comment[] = "# vertices and faces\n";
	DS_TRY( ds_bytes_add( &r->out, comment, sizeof( comment ) - 1 ) );
	while ( r->scan.at < r->scan.end )
	{
		DS_TRY( read_line( r ) );
		ds_scan_next_line( &r->scan );
		if ( r->scan.line % 65536 == 0 )
		{
			DS_TRY( ds_soup_check_time( r->soup ) );
		}
	}
	return DS_OK;
}

ds_status ds_mesh_read_obj( ds_soup *soup, const uint8_t *bytes, int64_t size )
{
	obj_reader r = { soup, ds_scan_start( bytes, size ), { soup->allocator, NULL, 0, 0 }, false, 0, 0, 0 };
	ds_status status = ds_bytes_reserve( &r.out, size + 64 );
	status = status == DS_OK ? read_lines( &r ) : status;
	if ( status == DS_OK && r.faces > 0 )
	{
		status = ds_mesh_read_assimp( soup, "mesh.obj", r.out.data, r.out.size );
	}
	if ( status == DS_OK )
	{
		soup->report->vertices_read = r.vertices;
	}
	ds_bytes_free( &r.out );
	return status;
}

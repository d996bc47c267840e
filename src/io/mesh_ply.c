// PLY (Turk 1994): text or binary of either byte order. Of the elements, "vertex" with x, y, z and "face" with a list
// vertex_indices (or vertex_index) are read; all others are stepped over.

#include "io/mesh_internal.h"
#include "io/mesh_scan.h"

#include <string.h>

typedef enum ply_type
{
	PLY_NONE,
	PLY_I8,
	PLY_U8,
	PLY_I16,
	PLY_U16,
	PLY_I32,
	PLY_U32,
	PLY_F32,
	PLY_F64
} ply_type;

static const int type_sizes[] = { 0, 1, 1, 2, 2, 4, 4, 4, 8 };

typedef struct ply_property
{
	ply_type type, count_type; // count_type: of a list's length; PLY_NONE for a scalar
	int role; // in "vertex" 0, 1, 2 for x, y, z and 3, 4, 5 for red, green, blue; in "face" 0 for the corners; -1 for others
} ply_property;

#define MOST_PROPERTIES 256
#define MOST_ELEMENTS   64

typedef struct ply_element
{
	bool vertex, face, colored;
	int64_t count;
	int first_property, property_count;
} ply_element;

typedef enum ply_coding
{
	PLY_TEXT = 1,
	PLY_LITTLE,
	PLY_BIG
} ply_coding;

typedef struct ply_reader
{
	ds_soup *soup;
	ds_scan scan; // in the header and in text
	const uint8_t *at, *end; // in binary data
	ply_coding coding;
	ply_element elements[MOST_ELEMENTS];
	ply_property properties[MOST_PROPERTIES];
	int element_count, property_count;
	int64_t vertices; // declared
	int32_t corners[DS_MESH_MAX_CORNERS];
} ply_reader;

static ds_status malformed( const ply_reader *r, const char *expected )
{
	return ds_error( DS_ERROR_FORMAT, "%s:%lld: expected %s", r->soup->name, (long long)r->scan.line, expected );
}

// ---- header

static ply_type type_of( ds_token token )
{
	static const struct
	{
		const char *name;
		ply_type type;
	} names[] = { { "char", PLY_I8 }, { "int8", PLY_I8 }, { "uchar", PLY_U8 }, { "uint8", PLY_U8 },
		{ "short", PLY_I16 }, { "int16", PLY_I16 }, { "ushort", PLY_U16 }, { "uint16", PLY_U16 }, { "int", PLY_I32 },
		{ "int32", PLY_I32 }, { "uint", PLY_U32 }, { "uint32", PLY_U32 }, { "float", PLY_F32 }, { "float32", PLY_F32 },
		{ "double", PLY_F64 }, { "float64", PLY_F64 } };
	for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
	{
		if ( ds_token_is( token, names[i].name ) )
		{
			return names[i].type;
		}
	}
	return PLY_NONE;
}

static ds_status read_format( ply_reader *r )
{
	ds_token coding, version;
	if ( !ds_scan_line_token( &r->scan, &coding ) || !ds_scan_line_token( &r->scan, &version ) ||
		 !ds_token_is( version, "1.0" ) )
	{
		return malformed( r, "format ascii, binary_little_endian or binary_big_endian, version 1.0" );
	}
	r->coding = ds_token_is( coding, "ascii" )                  ? PLY_TEXT
				: ds_token_is( coding, "binary_little_endian" ) ? PLY_LITTLE
				: ds_token_is( coding, "binary_big_endian" )    ? PLY_BIG
																: 0;
	return r->coding ? DS_OK : malformed( r, "format ascii, binary_little_endian or binary_big_endian" );
}

static ds_status read_element( ply_reader *r )
{
	ds_token name, number;
	ply_element e = { false, false, false, 0, r->property_count, 0 };
	if ( !ds_scan_line_token( &r->scan, &name ) || !ds_scan_line_token( &r->scan, &number ) ||
		 !ds_token_integer( number, &e.count ) || e.count < 0 )
	{
		return malformed( r, "element NAME COUNT" );
	}
	if ( r->element_count == MOST_ELEMENTS )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: more than %d elements", r->soup->name, MOST_ELEMENTS );
	}
	e.vertex = ds_token_is( name, "vertex" );
	e.face = ds_token_is( name, "face" );
	for ( int i = 0; i < r->element_count; ++i )
	{
		if ( ( e.vertex && r->elements[i].vertex ) || ( e.face && r->elements[i].face ) )
		{
			return malformed( r, "one element vertex and one element face only" );
		}
	}
	r->vertices = e.vertex ? e.count : r->vertices;
	r->elements[r->element_count++] = e;
	return DS_OK;
}

static int role_of( const ply_element *e, const ply_property *p, ds_token name )
{
	if ( e->vertex && p->count_type == PLY_NONE && name.size == 1 && name.at[0] >= 'x' && name.at[0] <= 'z' )
	{
		return name.at[0] - 'x';
	}
	static const char *const colors[] = { "red", "green", "blue" };
	for ( int k = 0; k < 3 && e->vertex && p->count_type == PLY_NONE; ++k )
	{
		if ( ds_token_is( name, colors[k] ) )
		{
			return 3 + k;
		}
	}
	bool corners = ds_token_is( name, "vertex_indices" ) || ds_token_is( name, "vertex_index" );
	return e->face && p->count_type != PLY_NONE && corners ? 0 : -1;
}

static ds_status read_property( ply_reader *r )
{
	ds_token token;
	ply_property p = { PLY_NONE, PLY_NONE, -1 };
	if ( r->element_count == 0 || !ds_scan_line_token( &r->scan, &token ) )
	{
		return malformed( r, "property TYPE NAME after an element" );
	}
	if ( r->property_count == MOST_PROPERTIES )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: more than %d properties", r->soup->name, MOST_PROPERTIES );
	}
	if ( ds_token_is( token, "list" ) )
	{
		p.count_type = ds_scan_line_token( &r->scan, &token ) ? type_of( token ) : PLY_NONE;
		if ( p.count_type == PLY_NONE || p.count_type >= PLY_F32 || !ds_scan_line_token( &r->scan, &token ) )
		{
			return malformed( r, "property list INTEGER_TYPE TYPE NAME" );
		}
	}
	p.type = type_of( token );
	if ( p.type == PLY_NONE || !ds_scan_line_token( &r->scan, &token ) )
	{
		return malformed( r, "property TYPE NAME with a type of char, uchar, short, ushort, int, uint, float, double" );
	}
	ply_element *e = r->elements + r->element_count - 1;
	p.role = role_of( e, &p, token );
	r->properties[r->property_count++] = p;
	++e->property_count;
	return DS_OK;
}

static ds_status read_header( ply_reader *r )
{
	ds_token token;
	if ( !ds_scan_line_token( &r->scan, &token ) || !ds_token_is( token, "ply" ) )
	{
		return malformed( r, "ply" );
	}
	for ( ;; )
	{
		ds_scan_next_line( &r->scan );
		if ( !ds_scan_line_token( &r->scan, &token ) )
		{
			if ( r->scan.at == r->scan.end )
			{
				return malformed( r, "end_header" );
			}
			continue;
		}
		if ( ds_token_is( token, "format" ) )
		{
			DS_TRY( read_format( r ) );
		}
		else if ( ds_token_is( token, "element" ) )
		{
			DS_TRY( read_element( r ) );
		}
		else if ( ds_token_is( token, "property" ) )
		{
			DS_TRY( read_property( r ) );
		}
		else if ( ds_token_is( token, "end_header" ) )
		{
			ds_scan_next_line( &r->scan );
			return r->coding ? DS_OK : malformed( r, "format before end_header" );
		}
		else if ( !ds_token_is( token, "comment" ) && !ds_token_is( token, "obj_info" ) )
		{
			return malformed( r, "format, element, property, comment or end_header" );
		}
	}
}

// Are there as many bytes left as the element takes at least? A mutated count must not ask for memory.
static ds_status check_count( const ply_reader *r, ply_element *e )
{
	int64_t least = 0;
	unsigned found = 0;
	for ( int i = e->first_property; i < e->first_property + e->property_count; ++i )
	{
		const ply_property *p = r->properties + i;
		int bytes = type_sizes[p->count_type != PLY_NONE ? p->count_type : p->type];
		least += r->coding == PLY_TEXT ? 2 : bytes;
		found |= p->role >= 0 ? 1u << p->role : 0;
	}
	e->colored = e->vertex && ( found & 070 ) == 070;
	if ( ( e->vertex && ( found & 7 ) != 7 ) || ( e->face && found != 1 ) )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: element %s has no %s", r->soup->name, e->vertex ? "vertex" : "face",
			e->vertex ? "properties x, y, z" : "list vertex_indices" );
	}

	// the last number of a text needs no blank after it; elements without properties take no bytes, and need no reading
	int64_t left = r->coding == PLY_TEXT ? (int64_t)( r->scan.end - r->scan.at ) + 1 : (int64_t)( r->end - r->at );
	if ( least > 0 && e->count > left / least )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s: the header promises %lld of an element that takes at least %lld bytes, but only %lld bytes are left: "
			"the file is "
			"cut off or damaged",
			r->soup->name, (long long)e->count, (long long)least, (long long)left );
	}
	return DS_OK;
}

// ---- data

static bool read_binary_number( ply_reader *r, ply_type type, double *number )
{
	int size = type_sizes[type];
	if ( r->end - r->at < size )
	{
		return false;
	}
	uint64_t bits = 0;
	for ( int i = 0; i < size; ++i )
	{
		bits = bits << 8 | r->at[r->coding == PLY_LITTLE ? size - 1 - i : i];
	}
	r->at += size;
	uint32_t word = (uint32_t)bits;
	float narrow;
	switch ( type )
	{
		case PLY_I8:
			*number = (double)bits - ( bits >= 0x80 ? 0x100 : 0 );
			break;
		case PLY_I16:
			*number = (double)bits - ( bits >= 0x8000 ? 0x10000 : 0 );
			break;
		case PLY_I32:
			*number = (double)bits - ( bits >= 0x80000000u ? 4294967296.0 : 0 );
			break;
		case PLY_F32:
			memcpy( &narrow, &word, 4 );
			*number = narrow;
			break;
		case PLY_F64:
			memcpy( number, &bits, 8 );
			break;
		default:
			*number = (double)bits;
	}
	return true;
}

static ds_status read_number( ply_reader *r, ply_type type, double *number )
{
	if ( r->coding == PLY_TEXT )
	{
		ds_token token;
		if ( !ds_scan_token( &r->scan, &token ) || !ds_token_number( token, number ) )
		{
			return malformed( r, "a number" );
		}
		return DS_OK;
	}
	if ( !read_binary_number( r, type, number ) )
	{
		return ds_error(
			DS_ERROR_FORMAT, "%s: the data ends too early: the file is cut off or damaged", r->soup->name );
	}
	return DS_OK;
}

// An integer in [0, limit).
static ds_status read_index( ply_reader *r, ply_type type, int64_t limit, const char *what, int64_t *index )
{
	double number;
	DS_TRY( read_number( r, type, &number ) );
	if ( !( number >= 0 && number < (double)limit && floor( number ) == number ) )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: face %lld: %s %g is not an integer in [0, %lld]", r->soup->name,
			(long long)r->soup->report->faces_read + 1, what, number, (long long)limit - 1 );
	}
	*index = (int64_t)number;
	return DS_OK;
}

static ds_status read_list( ply_reader *r, const ply_property *p )
{
	int64_t count = 0;
	int64_t limit = p->role == 0 ? DS_MESH_MAX_CORNERS + 1 : INT64_C( 1 ) << 32;
	DS_TRY( read_index( r, p->count_type, limit, "list length", &count ) );
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( p->role == 0 )
		{
			int64_t corner = 0;
			DS_TRY( read_index( r, p->type, r->vertices, "vertex index", &corner ) );
			r->corners[i] = (int32_t)corner;
		}
		else
		{
			double ignored;
			DS_TRY( read_number( r, p->type, &ignored ) );
		}
	}
	return p->role == 0 ? ds_soup_add_polygon( r->soup, r->corners, count ) : DS_OK;
}

// Whole numbers of a colour are shares of the largest one of their type.
static double color_of( ply_type type, double number )
{
	double most = type == PLY_U8 ? 255 : type == PLY_U16 ? 65535 : type == PLY_U32 ? 4294967295.0 : 1;
	number /= most;
	return number > 0 ? number < 1 ? number : 1 : 0;
}

static ds_status read_item( ply_reader *r, const ply_element *e )
{
	double values[6] = { 0, 0, 0, 0, 0, 0 }, ignored;
	for ( int i = e->first_property; i < e->first_property + e->property_count; ++i )
	{
		const ply_property *p = r->properties + i;
		if ( p->count_type != PLY_NONE )
		{
			DS_TRY( read_list( r, p ) );
		}
		else
		{
			DS_TRY( read_number( r, p->type, p->role >= 0 ? &values[p->role] : &ignored ) );
			if ( p->role >= 3 )
			{
				values[p->role] = color_of( p->type, values[p->role] );
			}
		}
	}
	r->soup->report->faces_read += e->face;
	if ( e->colored && r->soup->colors )
	{
		float *color = r->soup->colors + 3 * r->soup->vertex_count;
		color[0] = (float)values[3];
		color[1] = (float)values[4];
		color[2] = (float)values[5];
	}
	return e->vertex ? ds_soup_add_vertex( r->soup, ds_v3( values[0], values[1], values[2] ) ) : DS_OK;
}

static ds_status read_element_data( ply_reader *r, ply_element *e )
{
	DS_TRY( check_count( r, e ) );
	if ( e->colored && r->soup->want_colors )
	{
		DS_TRY( DS_NEW( r->soup->allocator, 3 * e->count, &r->soup->colors ) );
		r->soup->color_capacity = 3 * e->count;
	}
	DS_TRY( ds_soup_reserve( r->soup, e->vertex ? e->count : 0, e->face ? e->count : 0 ) );
	if ( e->face && r->soup->vertex_count < r->vertices )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: the element face stands before the element vertex", r->soup->name );
	}
	for ( int64_t i = 0; i < e->count && e->property_count > 0; ++i )
	{
		DS_TRY( read_item( r, e ) );
	}
	return DS_OK;
}

ds_status ds_mesh_read_ply( ds_soup *soup, const uint8_t *bytes, int64_t size )
{
	ply_reader *r;
	DS_TRY( DS_NEW( soup->allocator, 1, &r ) );
	r->soup = soup;
	r->scan = ds_scan_start( bytes, size );
	ds_status status = read_header( r );
	r->at = (const uint8_t *)r->scan.at;
	r->end = (const uint8_t *)r->scan.end;
	for ( int i = 0; i < r->element_count && status == DS_OK; ++i )
	{
		status = read_element_data( r, r->elements + i );
	}
	DS_FREE( soup->allocator, r, 1 );
	return status;
}

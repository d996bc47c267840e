// STL: 80 bytes of header, a count, 50 bytes a face; or text that begins with "solid". Normals and colours are not read.

#include "io/mesh_internal.h"
#include "io/mesh_scan.h"

#include <string.h>

#define HEADER 84
#define RECORD 50

static uint32_t little32( const uint8_t *p )
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double little_float( const uint8_t *p )
{
	uint32_t bits = little32( p );
	float value;
	memcpy( &value, &bits, 4 );
	return value;
}

static ds_status read_binary( ds_soup *soup, const uint8_t *bytes, int64_t size )
{
	int64_t count = size < HEADER ? 0 : (int64_t)little32( bytes + 80 );
	if ( size < HEADER || size != HEADER + RECORD * count )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s: a binary STL file of %lld faces has %lld bytes, but this one has %lld: it is cut off or damaged",
			soup->name, (long long)count, (long long)( HEADER + RECORD * count ), (long long)size );
	}
	soup->report->faces_read = count;
	DS_TRY( ds_soup_reserve( soup, 3 * count, count ) );
	for ( int64_t f = 0; f < count; ++f )
	{
		const uint8_t *p = bytes + HEADER + RECORD * f + 12;
		int32_t first = (int32_t)soup->vertex_count;
		for ( int k = 0; k < 3; ++k, p += 12 )
		{
			ds_vec3 v = { little_float( p ), little_float( p + 4 ), little_float( p + 8 ) };
			DS_TRY( ds_soup_add_vertex( soup, v ) );
		}
		DS_TRY( ds_soup_add_triangle( soup, first, first + 1, first + 2 ) );
	}
	return DS_OK;
}

static ds_status malformed( const ds_soup *soup, const ds_scan *scan, const char *expected )
{
	return ds_error( DS_ERROR_FORMAT, "%s:%lld: expected %s", soup->name, (long long)scan->line, expected );
}

static ds_status expect( const ds_soup *soup, ds_scan *scan, const char *word )
{
	ds_token token;
	if ( !ds_scan_token( scan, &token ) || !ds_token_is( token, word ) )
	{
		return malformed( soup, scan, word );
	}
	return DS_OK;
}

static ds_status read_vertex( ds_soup *soup, ds_scan *scan )
{
	double p[3];
	DS_TRY( expect( soup, scan, "vertex" ) );
	for ( int k = 0; k < 3; ++k )
	{
		ds_token token;
		if ( !ds_scan_token( scan, &token ) || !ds_token_number( token, &p[k] ) )
		{
			return malformed( soup, scan, "three numbers after vertex" );
		}
	}
	return ds_soup_add_vertex( soup, ds_v3( p[0], p[1], p[2] ) );
}

// One face, after the word "facet". The rest of that line is its normal.
static ds_status read_facet( ds_soup *soup, ds_scan *scan )
{
	ds_scan_next_line( scan );
	DS_TRY( expect( soup, scan, "outer" ) );
	DS_TRY( expect( soup, scan, "loop" ) );
	int32_t first = (int32_t)soup->vertex_count;
	for ( int k = 0; k < 3; ++k )
	{
		DS_TRY( read_vertex( soup, scan ) );
	}
	DS_TRY( expect( soup, scan, "endloop" ) );
	DS_TRY( expect( soup, scan, "endfacet" ) );
	++soup->report->faces_read;
	return ds_soup_add_triangle( soup, first, first + 1, first + 2 );
}

// A file may hold several solids, one after the other; the rest of the lines "solid" and "endsolid" is their name.
static ds_status read_ascii( ds_soup *soup, const uint8_t *bytes, int64_t size )
{
	ds_scan scan = ds_scan_start( bytes, size );
	ds_token token;
	bool open = false;
	while ( ds_scan_token( &scan, &token ) )
	{
		if ( ds_token_is( token, open ? "endsolid" : "solid" ) )
		{
			open = !open;
			ds_scan_next_line( &scan );
		}
		else if ( open && ds_token_is( token, "facet" ) )
		{
			DS_TRY( read_facet( soup, &scan ) );
		}
		else
		{
			return malformed( soup, &scan, open ? "facet or endsolid" : "solid" );
		}
	}
	return open ? malformed( soup, &scan, "endsolid, but the file ends here" ) : DS_OK;
}

ds_status ds_mesh_read_stl( ds_soup *soup, const uint8_t *bytes, int64_t size )
{
	// binary headers may begin with "solid", too: the size decides
	bool counted = size >= HEADER && size == HEADER + RECORD * (int64_t)little32( bytes + 80 );
	ds_scan scan = ds_scan_start( bytes, size );
	ds_token token;
	bool text = ds_scan_token( &scan, &token ) && ds_token_is( token, "solid" );
	ds_status status = counted || !text ? read_binary( soup, bytes, size ) : read_ascii( soup, bytes, size );
	return status;
}

#include "io/profile_csv.h"

#include "hydro/column.h"
#include "hydro/gravity.h"
#include "io/mesh_internal.h"
#include "io/mesh_scan.h"

#include <math.h>
#include <string.h>

#define MOST_BYTES   ( 64 << 20 )
#define MOST_COLUMNS 256
#define SHOWN        60 // characters of a cell in an error

enum
{
	DEPTH,
	PRESSURE,
	TEMPERATURE,
	SALINITY,
	DENSITY,
	QUANTITY_COUNT
};

// value = number * factor + offset
typedef struct unit
{
	const char *name;
	double factor, offset;
} unit;

typedef struct quantity
{
	const char *name, *heading; // heading: an example for messages
	unsigned flag;
	double minimum, maximum;
	unit units[6];
} quantity;

static const quantity quantities[QUANTITY_COUNT] = {
	[DEPTH] = { "depth", "depth[m]", 0, 0, DS_COLUMN_DEEPEST, { { "m", 1, 0 } } },
	[PRESSURE] = { "pressure", "pressure[dbar]", 0, 0, 2e8,
		{ { "dbar", 1e4, 0 }, { "bar", 1e5, 0 }, { "Pa", 1, 0 }, { "kPa", 1e3, 0 }, { "MPa", 1e6, 0 } } },
	[TEMPERATURE] = { "temperature", "temperature[degC]", DS_PROFILE_TEMPERATURE, DS_COLUMN_COLDEST, DS_COLUMN_HOTTEST,
		{ { "degC", 1, 0 }, { "K", 1, -273.15 } } },
	[SALINITY] = { "salinity", "salinity[PSU]", DS_PROFILE_SALINITY, 0, DS_COLUMN_SALTIEST, { { "PSU", 1, 0 } } },
	[DENSITY] = { "density", "density[kg/m3]", DS_PROFILE_DENSITY, 1, 20000, { { "kg/m3", 1, 0 } } },
};

typedef struct reader
{
	const char *name;
	const char *at, *end;
	int64_t line; // of the row last taken
	double latitude;
	int column_count;
	int column[QUANTITY_COUNT]; // its place in a row, -1: not there
	const unit *units[QUANTITY_COUNT];
	ds_profile *profile;
} reader;

#define FAIL( r, status, ... )                                                                                         \
	ds_error_prefix( ds_error( status, __VA_ARGS__ ), "%s:%lld: ", ( r )->name, (long long)( r )->line )

// ---- rows and cells --------------------------------------------------------------------------------------------------

static ds_token trim( const char *at, const char *end )
{
	while ( at < end && ( *at == ' ' || *at == '\t' ) )
	{
		++at;
	}
	while ( end > at && ( end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' ) )
	{
		--end;
	}
	return ( ds_token ){ at, (size_t)( end - at ) };
}

// The next line that is neither blank nor a comment; false at the end.
static bool next_row( reader *r, ds_token *row )
{
	while ( r->at < r->end )
	{
		const char *stop = memchr( r->at, '\n', (size_t)( r->end - r->at ) );
		*row = trim( r->at, stop ? stop : r->end );
		r->at = stop ? stop + 1 : r->end;
		++r->line;
		if ( row->size > 0 && row->at[0] != '#' && row->at[0] != '%' )
		{
			return true;
		}
	}
	return false;
}

// The next cell of a row; false when there is none left. *at starts at the row's start and ends as NULL.
static bool next_cell( ds_token row, const char **at, ds_token *cell )
{
	if ( *at == NULL )
	{
		return false;
	}
	const char *end = row.at + row.size, *comma = memchr( *at, ',', (size_t)( end - *at ) );
	*cell = trim( *at, comma ? comma : end );
	*at = comma ? comma + 1 : NULL;
	return true;
}

static int shown( ds_token cell )
{
	return (int)( cell.size < SHOWN ? cell.size : SHOWN );
}

// ---- the header ------------------------------------------------------------------------------------------------------

static const unit *find_unit( const quantity *q, ds_token name )
{
	for ( const unit *u = q->units; u->name; ++u )
	{
		if ( ds_token_is( name, u->name ) )
		{
			return u;
		}
	}
	return NULL;
}

// Takes one heading: a quantity with its unit, or something else.
static ds_status take_heading( reader *r, ds_token cell, int place )
{
	const char *end = cell.at + cell.size, *open = memchr( cell.at, '[', cell.size );
	ds_token name = trim( cell.at, open ? open : end );
	for ( int i = 0; i < QUANTITY_COUNT; ++i )
	{
		const quantity *q = &quantities[i];
		if ( !ds_token_is( name, q->name ) )
		{
			continue;
		}
		if ( r->column[i] >= 0 )
		{
			return FAIL( r, DS_ERROR_DUPLICATE, "there are two columns of %s", q->name );
		}
		if ( open == NULL || end[-1] != ']' )
		{
			return FAIL(
				r, DS_ERROR_FORMAT, "the column \"%.*s\" needs its unit, like %s", shown( cell ), cell.at, q->heading );
		}
		r->units[i] = find_unit( q, trim( open + 1, end - 1 ) );
		if ( r->units[i] == NULL )
		{
			return FAIL( r, DS_ERROR_UNSUPPORTED, "the unit of \"%.*s\" is not known; expected one like %s",
				shown( cell ), cell.at, q->heading );
		}
		r->column[i] = place;
	}
	return DS_OK;
}

static ds_status read_header( reader *r, unsigned needs )
{
	ds_token row, cell;
	if ( !next_row( r, &row ) )
	{
		r->line = 0;
		return FAIL( r, DS_ERROR_FORMAT,
			"the file is empty; expected a row of headers like depth[m],temperature[degC],salinity[PSU]" );
	}
	for ( int i = 0; i < QUANTITY_COUNT; ++i )
	{
		r->column[i] = -1;
	}
	const char *at = row.at;
	while ( next_cell( row, &at, &cell ) )
	{
		if ( r->column_count == MOST_COLUMNS )
		{
			return FAIL( r, DS_ERROR_LIMIT, "there are more than %d columns", MOST_COLUMNS );
		}
		DS_TRY( take_heading( r, cell, r->column_count++ ) );
	}
	if ( r->column[DEPTH] < 0 && r->column[PRESSURE] < 0 )
	{
		return FAIL( r, DS_ERROR_NOT_FOUND, "there is no column depth[m] or pressure[dbar]" );
	}
	for ( int i = TEMPERATURE; i < QUANTITY_COUNT; ++i )
	{
		if ( r->column[i] < 0 && ( needs & quantities[i].flag ) )
		{
			return FAIL( r, DS_ERROR_NOT_FOUND, "there is no column %s", quantities[i].heading );
		}
	}
	return DS_OK;
}

// ---- levels ----------------------------------------------------------------------------------------------------------

static ds_status read_cell( const reader *r, int index, ds_token cell, double *value )
{
	const quantity *q = &quantities[index];
	double number;
	if ( cell.size == 0 )
	{
		return FAIL( r, DS_ERROR_FORMAT, "%s is missing", q->name );
	}
	if ( !ds_token_number( cell, &number ) )
	{
		return FAIL( r, DS_ERROR_FORMAT, "%s is \"%.*s\", which is not a number", q->name, shown( cell ), cell.at );
	}
	if ( !isfinite( number ) )
	{
		return FAIL( r, DS_ERROR_NOT_FINITE, "%s is \"%.*s\", and must be finite", q->name, shown( cell ), cell.at );
	}
	*value = number * r->units[index]->factor + r->units[index]->offset;
	if ( *value < q->minimum || *value > q->maximum )
	{
		const unit *u = &q->units[0];
		double scale = index == PRESSURE ? 1e-4 : 1; // shown in the first unit
		return FAIL( r, DS_ERROR_RANGE, "%s is %g %s, and must lie in [%g, %g]", q->name, *value * scale, u->name,
			q->minimum * scale, q->maximum * scale );
	}
	return DS_OK;
}

// Takes one row as the next level.
static ds_status read_row( reader *r, ds_token row )
{
	double values[QUANTITY_COUNT] = { 0 };
	const char *at = row.at;
	ds_token cell;
	int place = 0;
	for ( ; next_cell( row, &at, &cell ); ++place )
	{
		for ( int i = 0; i < QUANTITY_COUNT; ++i )
		{
			if ( r->column[i] == place )
			{
				DS_TRY( read_cell( r, i, cell, &values[i] ) );
			}
		}
	}
	if ( place != r->column_count )
	{
		return FAIL( r, DS_ERROR_FORMAT, "the row has %d cells; the header has %d", place, r->column_count );
	}
	ds_profile *p = r->profile;
	double depth = r->column[DEPTH] >= 0 ? values[DEPTH] : ds_depth_of_pressure( values[PRESSURE], r->latitude );
	if ( p->count > 0 && !( depth > p->depth[p->count - 1] ) )
	{
		return FAIL( r, DS_ERROR_RANGE, "the level at %g m must lie deeper than the one before, at %g m", depth,
			p->depth[p->count - 1] );
	}
	double *arrays[] = { p->temperature, p->salinity, p->density };
	for ( int i = 0; i < 3; ++i )
	{
		if ( arrays[i] )
		{
			arrays[i][p->count] = values[TEMPERATURE + i];
		}
	}
	p->depth[p->count++] = depth;
	return DS_OK;
}

// Room for as many levels as there are lines left.
static ds_status make_room( reader *r )
{
	ds_profile *p = r->profile;
	p->capacity = 1;
	for ( const char *c = r->at; c < r->end; ++c )
	{
		p->capacity += *c == '\n';
	}
	DS_TRY( DS_NEW( &p->allocator, p->capacity, &p->depth ) );
	double **arrays[] = { &p->temperature, &p->salinity, &p->density };
	for ( int i = 0; i < 3; ++i )
	{
		if ( r->column[TEMPERATURE + i] >= 0 )
		{
			DS_TRY( DS_NEW( &p->allocator, p->capacity, arrays[i] ) );
		}
	}
	return DS_OK;
}

static ds_status read_all( reader *r, unsigned needs )
{
	ds_token row;
	DS_TRY( read_header( r, needs ) );
	DS_TRY( make_room( r ) );
	while ( next_row( r, &row ) )
	{
		DS_TRY( read_row( r, row ) );
	}
	if ( r->profile->count == 0 )
	{
		return FAIL( r, DS_ERROR_FORMAT, "there is no level below the header" );
	}
	return DS_OK;
}

ds_status ds_profile_parse( const ds_allocator *allocator, const char *name, const uint8_t *bytes, int64_t size,
	double latitude, unsigned needs, ds_profile *profile )
{
	*profile = ( ds_profile ){ 0 };
	if ( allocator )
	{
		profile->allocator = *allocator;
	}
	const char *text = (const char *)bytes;
	reader r = { .name = name, .at = text, .end = text + size, .latitude = latitude, .profile = profile };
	if ( size >= 3 && memcmp( text, "\xEF\xBB\xBF", 3 ) == 0 )
	{
		r.at += 3; // the mark of UTF-8
	}
	if ( size > 0 && memchr( text, 0, (size_t)size ) )
	{
		return FAIL( &r, DS_ERROR_FORMAT, "the file has bytes of zero, and is not text" );
	}
	ds_status status = read_all( &r, needs );
	if ( status != DS_OK )
	{
		ds_profile_free( profile );
	}
	return status;
}

ds_status ds_profile_read(
	const ds_allocator *allocator, const char *path, double latitude, unsigned needs, ds_profile *profile )
{
	*profile = ( ds_profile ){ 0 };
	uint8_t *bytes;
	int64_t size;
	DS_TRY( ds_mesh_file_read( path, MOST_BYTES, allocator, &bytes, &size ) );
	ds_status status = ds_profile_parse( allocator, path, bytes, size, latitude, needs, profile );
	DS_FREE( allocator, bytes, size + 1 );
	return status;
}

void ds_profile_free( ds_profile *p )
{
	DS_FREE( &p->allocator, p->depth, p->capacity );
	DS_FREE( &p->allocator, p->temperature, p->capacity );
	DS_FREE( &p->allocator, p->salinity, p->capacity );
	DS_FREE( &p->allocator, p->density, p->capacity );
	*p = ( ds_profile ){ 0 };
}

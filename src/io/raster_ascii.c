// ESRI ASCII grids: a header of names and numbers in any order and case, then the rows from the north, which may be broken into
// lines anywhere. Format: Esri, "ASCII raster format" (ArcGIS documentation).

#include "io/raster.h"

#include "base/base.h"
#include "io/mesh_scan.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define BUFFER  ( 1 << 18 )
#define LONGEST 255 // characters of a word

typedef struct reader
{
	FILE *file;
	const char *path;
	int64_t line; // of `at`
	char *buffer, *at, *end;
	bool over; // nothing comes after `end`
} reader;

// ---- words ---------------------------------------------------------------------------------------------------------

// Moves what is left to the front and fills the buffer up.
static ds_status refill( reader *r )
{
	size_t left = (size_t)( r->end - r->at );
	memmove( r->buffer, r->at, left );
	size_t got = fread( r->buffer + left, 1, BUFFER - left, r->file );
	r->at = r->buffer;
	r->end = r->buffer + left + got;
	r->over = got < BUFFER - left;
	if ( r->over && ferror( r->file ) )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be read: %s", r->path, strerror( errno ) );
	}
	return DS_OK;
}

static bool is_space( char c )
{
	return c == ' ' || ( c >= '\t' && c <= '\r' );
}

// The next word; of size 0 at the end of the file.
static ds_status next_word( reader *r, ds_token *word )
{
	for ( ;; )
	{
		while ( r->at < r->end && is_space( *r->at ) )
		{
			r->line += *r->at == '\n';
			++r->at;
		}
		if ( r->over || r->end - r->at > LONGEST )
		{
			break;
		}
		DS_TRY( refill( r ) );
	}
	char *p = r->at;
	while ( p < r->end && !is_space( *p ) )
	{
		++p;
	}
	word->at = r->at;
	word->size = (size_t)( p - r->at );
	if ( word->size > LONGEST )
	{
		return ds_error( DS_ERROR_FORMAT, "%s:%lld: a word of more than %d characters: expected numbers between spaces",
			r->path, (long long)r->line, LONGEST );
	}
	r->at = p;
	return DS_OK;
}

// A word for a message: short, and no other bytes than printable ones.
typedef struct shown
{
	char text[32];
} shown;

static shown show( ds_token word )
{
	shown s = { "" };
	size_t size = word.size < sizeof( s.text ) - 1 ? word.size : sizeof( s.text ) - 1;
	for ( size_t i = 0; i < size; ++i )
	{
		s.text[i] = word.at[i] > 0x20 && word.at[i] < 0x7f ? word.at[i] : '?';
	}
	return s;
}

// ---- header --------------------------------------------------------------------------------------------------------

enum
{
	NCOLS,
	NROWS,
	XLLCORNER,
	XLLCENTER,
	YLLCORNER,
	YLLCENTER,
	CELLSIZE,
	DX,
	DY,
	NODATA,
	NAME_COUNT
};

static const char *const names[NAME_COUNT] = { "ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter",
	"cellsize", "dx", "dy", "nodata_value" };

typedef struct header
{
	double value[NAME_COUNT];
	int64_t line[NAME_COUNT]; // 0: not given
} header;

static int find_name( ds_token word )
{
	for ( int i = 0; i < NAME_COUNT; ++i )
	{
		if ( ds_token_is( word, names[i] ) )
		{
			return i;
		}
	}
	return -1;
}

static ds_status unknown_name( const reader *r, ds_token word )
{
	shown s = show( word );
	const char *nearest = ds_nearest_name( s.text, names, NAME_COUNT );
	return ds_error( DS_ERROR_FORMAT, "%s:%lld: \"%s\" is no name of an ESRI ASCII grid's header%s%s%s", r->path,
		(long long)r->line, s.text,
		nearest ? "; did you mean " : " (ncols, nrows, xllcorner, yllcorner, cellsize, ...)", nearest ? nearest : "",
		nearest ? "?" : "" );
}

// Names and their numbers, up to the first word that is a number itself, which is left.
static ds_status read_header( reader *r, header *h )
{
	for ( ;; )
	{
		ds_token word;
		double number;
		DS_TRY( next_word( r, &word ) );
		if ( word.size == 0 || ds_token_number( word, &number ) )
		{
			r->at -= word.size;
			return DS_OK;
		}
		int name = find_name( word );
		if ( name < 0 )
		{
			return unknown_name( r, word );
		}
		int64_t line = r->line;
		if ( h->line[name] )
		{
			return ds_error( DS_ERROR_FORMAT, "%s:%lld: %s stands there twice (line %lld)", r->path, (long long)line,
				names[name], (long long)h->line[name] );
		}
		DS_TRY( next_word( r, &word ) );
		bool finite = ds_token_number( word, &number ) && ( isfinite( number ) || name == NODATA );
		if ( !finite )
		{
			return ds_error( DS_ERROR_FORMAT, "%s:%lld: %s: expected a number, got \"%s\"", r->path, (long long)r->line,
				names[name], show( word ).text );
		}
		h->line[name] = line;
		h->value[name] = number;
	}
}

// A whole number of rows or columns.
static ds_status take_count( const reader *r, const header *h, int name, int64_t *count )
{
	double value = h->value[name];
	if ( h->line[name] == 0 )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: the header of the ESRI ASCII grid lacks %s", r->path, names[name] );
	}
	if ( value != floor( value ) || value < 1 || value > 1e9 )
	{
		return ds_error( DS_ERROR_RANGE, "%s:%lld: %s must be a whole number from 1 to 1e9, got %g", r->path,
			(long long)h->line[name], names[name], value );
	}
	*count = (int64_t)value;
	return DS_OK;
}

// The spacing by one of two names.
static ds_status take_spacing( const reader *r, const header *h, int own, double *spacing )
{
	int name = h->line[own] ? own : CELLSIZE;
	if ( h->line[name] == 0 || ( h->line[own] && h->line[CELLSIZE] ) )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: the header must have cellsize, or dx and dy%s", r->path,
			h->line[name] ? ", not both" : "" );
	}
	*spacing = h->value[name];
	if ( !( *spacing > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "%s:%lld: %s must be greater than 0, got %g", r->path,
			(long long)h->line[name], names[name], *spacing );
	}
	return DS_OK;
}

// The centre of the first sample, from a corner or from itself.
static ds_status take_origin( const reader *r, const header *h, int corner, double spacing, double *origin )
{
	int centre = corner + 1;
	if ( !h->line[corner] == !h->line[centre] )
	{
		return ds_error( DS_ERROR_FORMAT, "%s: the header must have %s or %s%s", r->path, names[corner], names[centre],
			h->line[corner] ? ", not both" : "" );
	}
	*origin = h->line[centre] ? h->value[centre] : h->value[corner] + 0.5 * spacing;
	return DS_OK;
}

static ds_status take_header( reader *r, ds_raster *raster )
{
	header h;
	memset( &h, 0, sizeof( h ) );
	DS_TRY( read_header( r, &h ) );
	DS_TRY( take_count( r, &h, NROWS, &raster->rows ) );
	DS_TRY( take_count( r, &h, NCOLS, &raster->columns ) );
	DS_TRY( take_spacing( r, &h, DX, &raster->dx ) );
	DS_TRY( take_spacing( r, &h, DY, &raster->dy ) );
	DS_TRY( take_origin( r, &h, XLLCORNER, raster->dx, &raster->x ) );
	DS_TRY( take_origin( r, &h, YLLCORNER, raster->dy, &raster->y ) );
	raster->nodata = h.line[NODATA] ? h.value[NODATA] : NAN;
	return DS_OK;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static ds_status refuse_word(
	const reader *r, ds_token word, int64_t row, int64_t column, int64_t rows, int64_t columns )
{
	if ( word.size == 0 )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s:%lld: the file ends in row %lld, column %lld; its header says %lld rows of %lld columns", r->path,
			(long long)r->line, (long long)( row + 1 ), (long long)( column + 1 ), (long long)rows,
			(long long)columns );
	}
	return ds_error( DS_ERROR_FORMAT, "%s:%lld: row %lld, column %lld: expected a number, got \"%s\"", r->path,
		(long long)r->line, (long long)( row + 1 ), (long long)( column + 1 ), show( word ).text );
}

static ds_status read_rows( reader *r, ds_raster *raster, int64_t rows, int64_t columns )
{
	for ( int64_t row = 0; row < rows; ++row )
	{
		int64_t to = row - raster->first_row;
		double *out = to >= 0 && to < raster->rows ? raster->values + to * raster->columns : NULL;
		for ( int64_t column = 0; column < columns; ++column )
		{
			ds_token word;
			double value;
			DS_TRY( next_word( r, &word ) );
			if ( !ds_token_number( word, &value ) )
			{
				return refuse_word( r, word, row, column, rows, columns );
			}
			int64_t k = column - raster->first_column;
			if ( out && k >= 0 && k < raster->columns )
			{
				out[k] = value;
			}
		}
	}
	ds_token word;
	DS_TRY( next_word( r, &word ) );
	if ( word.size > 0 )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s:%lld: there is more (\"%s\") after the %lld rows of %lld columns that the header says", r->path,
			(long long)r->line, show( word ).text, (long long)rows, (long long)columns );
	}
	return DS_OK;
}

static ds_status read_grid( reader *r, int64_t size, ds_raster *raster )
{
	DS_TRY( take_header( r, raster ) );
	int64_t rows = raster->rows, columns = raster->columns;
	// a number and the space after it take two bytes
	if ( rows * columns > ( size + 1 ) / 2 )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s: the header says %lld rows of %lld columns, for which the file of %lld bytes is too short", r->path,
			(long long)rows, (long long)columns, (long long)size );
	}
	DS_TRY( ds_raster_take( raster ) );
	DS_TRY( ds_raster_allocate( raster ) );
	return read_rows( r, raster, rows, columns );
}

ds_status ds_raster_read_ascii( FILE *file, int64_t size, ds_raster *raster )
{
	reader r = { .file = file, .path = raster->path, .line = 1 };
	DS_TRY( DS_NEW( &raster->hooks->allocator, BUFFER, &r.buffer ) );
	r.at = r.end = r.buffer;
	ds_status status = read_grid( &r, size, raster );
	DS_FREE( &raster->hooks->allocator, r.buffer, BUFFER );
	return status;
}

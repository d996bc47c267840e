#include "io/series_csv.h"

#include "io/mesh_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ( 1 << 20 )
#define HEAD_SIZE   ( 1 << 14 ) // looked at for headings and even steps
#define SHOWN       40 // characters of a cell in an error
#define EVEN_ROWS   50 // that tell whether the first column is time
#define EVEN_STEPS  0.02 // how much steps of time may differ, of their mean

struct ds_series
{
	int file;
	const char *name; // for errors
	char path[1024];
	int64_t size, taken; // bytes
	char *buffer;
	size_t at, end; // of what is in the buffer
	bool ended; // the file
	int64_t line; // of the row taken last
	char separator; // ' ': any blanks
	int32_t count, time;
	double time_scale;
	ds_series_column columns[DS_SERIES_MOST_COLUMNS];
};

#define FAIL( s, status, ... )                                                                                         \
	ds_error_prefix(                                                                                                   \
		ds_error( status, __VA_ARGS__ ), ( s )->line > 0 ? "%s:%lld: " : "%s: ", ( s )->name, (long long)( s )->line )

// ---- rows and cells ----------------------------------------------------------------------------------------------

static bool is_blank( char c )
{
	return c == ' ' || c == '\t' || c == '\r';
}

static ds_token trim( const char *at, const char *end )
{
	while ( at < end && is_blank( *at ) )
	{
		++at;
	}
	while ( end > at && is_blank( end[-1] ) )
	{
		--end;
	}
	return ( ds_token ){ at, (size_t)( end - at ) };
}

// A cell without blanks and quotes around it.
static ds_token bare( const char *at, const char *end )
{
	ds_token cell = trim( at, end );
	bool quoted = cell.size >= 2 && cell.at[0] == '"' && cell.at[cell.size - 1] == '"';
	return quoted ? ( ds_token ){ cell.at + 1, cell.size - 2 } : cell;
}

static ds_status fill( ds_series *s )
{
	memmove( s->buffer, s->buffer + s->at, s->end - s->at );
	s->end -= s->at;
	s->at = 0;
	// what is there, not a full buffer: rows of a pipe come in time, and so does a signal
	ssize_t got = read( s->file, s->buffer + s->end, BUFFER_SIZE - s->end );
	if ( got < 0 )
	{
		return errno == EINTR ? FAIL( s, DS_ERROR_CANCELLED, "reading was interrupted by a signal" )
							  : FAIL( s, DS_ERROR_IO, "cannot be read: %s", strerror( errno ) );
	}
	s->ended = got == 0;
	if ( memchr( s->buffer + s->end, 0, (size_t)got ) )
	{
		return FAIL( s, DS_ERROR_FORMAT, "the file has bytes of zero, and is not text; export it as CSV" );
	}
	s->end += (size_t)got;
	s->taken += got;
	return DS_OK;
}

// The next line, without its end; `row->at` is NULL at the end of the file.
static ds_status next_line( ds_series *s, ds_token *row )
{
	size_t looked = 0;
	for ( ;; )
	{
		const char *start = s->buffer + s->at;
		const char *stop = memchr( start + looked, '\n', s->end - s->at - looked );
		if ( stop || ( s->ended && s->end > s->at ) )
		{
			size_t size = stop ? (size_t)( stop - start ) : s->end - s->at;
			*row = ( ds_token ){ start, size };
			s->at += size + ( stop ? 1 : 0 );
			++s->line;
			return DS_OK;
		}
		if ( s->ended )
		{
			*row = ( ds_token ){ NULL, 0 };
			return DS_OK;
		}
		looked = s->end - s->at;
		if ( looked == BUFFER_SIZE )
		{
			++s->line;
			return FAIL( s, DS_ERROR_LIMIT, "the line is longer than a megabyte; expected a row of numbers" );
		}
		DS_TRY( fill( s ) );
	}
}

static bool is_comment( ds_token row )
{
	return row.at[0] == '#' || row.at[0] == '%' || ( row.size > 1 && row.at[0] == '/' && row.at[1] == '/' );
}

// The next line that is neither blank nor a comment. `comment`, where it is given, gets the last comment.
static ds_status next_row( ds_series *s, ds_token *row, char *comment, size_t size )
{
	for ( ;; )
	{
		DS_TRY( next_line( s, row ) );
		if ( row->at == NULL )
		{
			return DS_OK;
		}
		*row = trim( row->at, row->at + row->size );
		if ( row->size > 0 && !is_comment( *row ) )
		{
			return DS_OK;
		}
		if ( row->size > 0 && comment )
		{
			snprintf( comment, size, "%.*s", (int)( row->size < size ? row->size : size ), row->at );
		}
	}
}

// Behind the quote that ends a cell, if one starts it: what it holds parts no cells.
static const char *skip_quoted( const char *at, const char *end )
{
	const char *quote = at;
	while ( quote < end && *quote == ' ' )
	{
		++quote;
	}
	while ( quote < end && *quote == '"' )
	{
		// two quotes are one of the text
		const char *close = memchr( quote + 1, '"', (size_t)( end - quote - 1 ) );
		if ( close == NULL )
		{
			return at;
		}
		quote = close + 1;
		at = quote;
	}
	return at;
}

// The next cell of a row; false when there is none left. *at starts at the row's start and ends as NULL.
static bool next_cell( ds_token row, char separator, const char **at, ds_token *cell )
{
	const char *end = row.at + row.size, *stop = *at;
	if ( *at == NULL )
	{
		return false;
	}
	if ( stop < end && ( *stop == '"' || *stop == ' ' ) )
	{
		stop = skip_quoted( stop, end );
	}
	if ( separator == ' ' )
	{
		while ( stop < end && !is_blank( *stop ) )
		{
			++stop;
		}
		*cell = bare( *at, stop );
		while ( stop < end && is_blank( *stop ) )
		{
			++stop;
		}
		*at = stop < end ? stop : NULL;
		return true;
	}
	stop = stop < end ? memchr( stop, separator, (size_t)( end - stop ) ) : NULL;
	*cell = bare( *at, stop ? stop : end );
	*at = stop ? stop + 1 : NULL;
	return true;
}

static int shown( ds_token cell )
{
	return (int)( cell.size < SHOWN ? cell.size : SHOWN );
}

// ---- headings ----------------------------------------------------------------------------------------------------

static bool has_outside_quotes( ds_token row, char c )
{
	bool quoted = false, found = false;
	for ( size_t i = 0; i < row.size; ++i )
	{
		quoted = quoted != ( row.at[i] == '"' );
		found = found || ( !quoted && row.at[i] == c );
	}
	// a quote without its other half quotes nothing
	return found || ( quoted && memchr( row.at, c, row.size ) != NULL );
}

static char separator_of( ds_token row )
{
	return has_outside_quotes( row, ';' )    ? ';'
		   : has_outside_quotes( row, ',' )  ? ','
		   : has_outside_quotes( row, '\t' ) ? '\t'
											 : ' ';
}

static int32_t count_cells( ds_token row, char separator )
{
	const char *at = row.at;
	ds_token cell;
	int32_t count = 0;
	while ( next_cell( row, separator, &at, &cell ) )
	{
		++count;
	}
	return count;
}

// At most 63 characters, of which none moves a terminal's cursor.
static void copy_text( char *out, ds_token text )
{
	size_t size = text.size < DS_NAME_SIZE ? text.size : DS_NAME_SIZE - 1;
	for ( size_t i = 0; i < size; ++i )
	{
		unsigned char c = (unsigned char)text.at[i];
		out[i] = (char)( c < ' ' || c == 127 ? '?' : c );
	}
	out[size] = '\0';
}

// "gx[rad/s]", "gx [rad/s]" or "gx (rad/s)".
static void take_heading( ds_token cell, ds_series_column *column )
{
	const char *end = cell.at + cell.size, *open = NULL;
	if ( cell.size > 1 && ( end[-1] == ']' || end[-1] == ')' ) )
	{
		open = memchr( cell.at, end[-1] == ']' ? '[' : '(', cell.size );
	}
	ds_token name = trim( cell.at, open ? open : end );
	copy_text( column->name, name );
	column->unit[0] = '\0';
	if ( open )
	{
		copy_text( column->unit, trim( open + 1, end - 1 ) );
	}
}

static void take_headings( ds_series *s, ds_token row )
{
	const char *at = row.at;
	ds_token cell;
	for ( int32_t i = 0; i < s->count && next_cell( row, s->separator, &at, &cell ); ++i )
	{
		take_heading( cell, &s->columns[i] );
	}
}

static bool all_numbers( ds_token row, char separator )
{
	const char *at = row.at;
	ds_token cell;
	double number;
	while ( next_cell( row, separator, &at, &cell ) )
	{
		if ( !ds_token_number( cell, &number ) )
		{
			return false;
		}
	}
	return true;
}

static ds_status read_cell( const ds_series *s, int32_t column, ds_token cell, double *value )
{
	const char *name = s->columns[column].name;
	if ( !ds_token_number( cell, value ) )
	{
		bool comma = s->separator == ';' && memchr( cell.at, ',', cell.size ) != NULL;
		return FAIL( s, DS_ERROR_FORMAT, "column %s: \"%.*s\" is not a number; %s", name, shown( cell ), cell.at,
			comma ? "write decimal points, not commas" : "mend or delete the row, or choose columns without it" );
	}
	if ( !isfinite( *value ) )
	{
		return FAIL( s, DS_ERROR_NOT_FINITE,
			"column %s is %.*s; expected a finite number in every row: bridge the gap or cut "
			"the record there",
			name, shown( cell ), cell.at );
	}
	return DS_OK;
}

// Which columns hold numbers, by the first row of them, which is not taken.
static ds_status look_at_row( ds_series *s, ds_token row )
{
	const char *at = row.at;
	ds_token cell;
	double number;
	bool any = false;
	for ( int32_t i = 0; i < s->count && next_cell( row, s->separator, &at, &cell ); ++i )
	{
		s->columns[i].number = ds_token_number( cell, &number );
		if ( !s->columns[i].number && s->separator == ';' && memchr( cell.at, ',', cell.size ) )
		{
			DS_TRY( read_cell( s, i, cell, &number ) );
		}
		any = any || s->columns[i].number;
	}
	return any ? DS_OK
			   : FAIL( s, DS_ERROR_FORMAT, "expected a row of numbers after the headings, got \"%.*s\"", shown( row ),
					 row.at );
}

// Names of columns by a comment: "# t, x, y" over rows of three cells.
static void headings_of_comment( ds_series *s, const char *comment )
{
	const char *start = comment + strspn( comment, "#%/ \t" );
	ds_token row = trim( start, start + strlen( start ) );
	char separator = separator_of( row );
	if ( row.size > 0 && count_cells( row, separator ) == s->count && !all_numbers( row, separator ) )
	{
		char kept = s->separator;
		s->separator = separator;
		take_headings( s, row );
		s->separator = kept;
	}
}

static bool time_unit( const char *unit, double *scale )
{
	static const struct
	{
		const char *name;
		double scale;
	} units[] = { { "", 1 }, { "s", 1 }, { "sec", 1 }, { "seconds", 1 }, { "ms", 1e-3 }, { "us", 1e-6 },
		{ "ns", 1e-9 } };
	for ( size_t i = 0; i < sizeof( units ) / sizeof( units[0] ); ++i )
	{
		if ( strcmp( unit, units[i].name ) == 0 )
		{
			*scale = units[i].scale;
			return true;
		}
	}
	return false;
}

static void find_time( ds_series *s )
{
	static const char *const names[] = { "t", "time", "timestamp", "stamp" };
	for ( int32_t i = 0; i < s->count; ++i )
	{
		const ds_series_column *c = &s->columns[i];
		ds_token name = { c->name, strlen( c->name ) };
		for ( size_t k = 0; k < sizeof( names ) / sizeof( names[0] ); ++k )
		{
			if ( ds_token_is( name, names[k] ) && c->number && time_unit( c->unit, &s->time_scale ) )
			{
				s->time = i;
				return;
			}
		}
	}
}

// Without headings: does the first column rise in even steps? By what is in the buffer.
static bool first_is_even( const ds_series *s )
{
	double first = 0, last = 0, least = INFINITY, most = -INFINITY;
	int rows = 0;
	const char *at = s->buffer + s->at, *end = s->buffer + s->end, *stop;
	for ( ; rows < EVEN_ROWS && ( stop = memchr( at, '\n', (size_t)( end - at ) ) ) != NULL; at = stop + 1 )
	{
		ds_token row = trim( at, stop ), cell;
		const char *place = row.at;
		double number;
		if ( row.size == 0 || is_comment( row ) )
		{
			continue;
		}
		if ( !next_cell( row, s->separator, &place, &cell ) || !ds_token_number( cell, &number ) )
		{
			return false;
		}
		least = rows > 0 ? fmin( least, number - last ) : least;
		most = rows > 0 ? fmax( most, number - last ) : most;
		first = rows == 0 ? number : first;
		last = number;
		++rows;
	}
	double mean = ( last - first ) / ( rows - 1 );
	return rows >= 4 && least > 0 && most - least <= EVEN_STEPS * mean;
}

static ds_status read_head( ds_series *s )
{
	char comment[4096] = "";
	ds_token row;
	while ( !s->ended && s->end < HEAD_SIZE )
	{
		DS_TRY( fill( s ) );
	}
	s->at = s->end >= 3 && memcmp( s->buffer, "\xEF\xBB\xBF", 3 ) == 0 ? 3 : 0; // the mark of UTF-8
	DS_TRY( next_row( s, &row, comment, sizeof( comment ) ) );
	if ( row.at == NULL )
	{
		return FAIL(
			s, DS_ERROR_FORMAT, "the file is empty; expected rows of numbers under headings like t[s],gx[rad/s]" );
	}
	if ( memchr( row.at, '\r', row.size ) )
	{
		return FAIL( s, DS_ERROR_FORMAT, "lines end with carriage returns alone; save the file with line feeds" );
	}
	s->separator = separator_of( row );
	s->count = count_cells( row, s->separator );
	if ( s->count > DS_SERIES_MOST_COLUMNS )
	{
		return FAIL( s, DS_ERROR_LIMIT,
			"there are %d columns; at most %d can be read: leave out those that are not needed", s->count,
			DS_SERIES_MOST_COLUMNS );
	}
	for ( int32_t i = 0; i < s->count; ++i )
	{
		snprintf( s->columns[i].name, sizeof( s->columns[i].name ), "%d", i + 1 );
	}
	bool headings = !all_numbers( row, s->separator );
	if ( headings )
	{
		take_headings( s, row );
		DS_TRY( next_row( s, &row, NULL, 0 ) );
		if ( row.at == NULL )
		{
			return FAIL( s, DS_ERROR_FORMAT, "there is no row below the headings" );
		}
	}
	else
	{
		headings_of_comment( s, comment );
	}

	// the first row is read again
	s->at = (size_t)( row.at - s->buffer );
	--s->line;
	DS_TRY( look_at_row( s, row ) );
	find_time( s );
	if ( s->time < 0 && !headings && s->count > 1 && s->columns[0].name[0] == '1' && first_is_even( s ) )
	{
		s->time = 0;
	}
	return DS_OK;
}

// ---- what is asked -----------------------------------------------------------------------------------------------

static ds_status open_file( ds_series *s, const char *path )
{
	struct stat status;
	bool standard = strcmp( path, "-" ) == 0;
	snprintf( s->path, sizeof( s->path ), "%s", standard ? "standard input" : path );
	s->name = s->path;
	s->file = standard ? STDIN_FILENO : open( path, O_RDONLY | O_CLOEXEC );
	if ( s->file < 0 )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be opened: %s", path, strerror( errno ) );
	}
	if ( fstat( s->file, &status ) == 0 && S_ISDIR( status.st_mode ) )
	{
		return ds_error( DS_ERROR_IO, "%s: is a folder, not a file", path );
	}
	s->size = standard ? 0 : (int64_t)status.st_size;
	return DS_NEW( NULL, BUFFER_SIZE, &s->buffer );
}

ds_status ds_series_open( const char *path, ds_series **series )
{
	ds_series *s;
	*series = NULL;
	DS_TRY( DS_NEW( NULL, 1, &s ) );
	s->file = -1;
	s->time = -1;
	s->time_scale = 1;
	ds_status status = open_file( s, path );
	status = status == DS_OK ? read_head( s ) : status;
	if ( status != DS_OK )
	{
		ds_series_close( s );
		return status;
	}
	*series = s;
	return DS_OK;
}

void ds_series_close( ds_series *s )
{
	if ( s == NULL )
	{
		return;
	}
	if ( s->file > STDIN_FILENO )
	{
		(void)close( s->file );
	}
	DS_FREE( NULL, s->buffer, BUFFER_SIZE );
	DS_FREE( NULL, s, 1 );
}

int32_t ds_series_count( const ds_series *s )
{
	return s->count;
}

const ds_series_column *ds_series_columns( const ds_series *s )
{
	return s->columns;
}

int32_t ds_series_time( const ds_series *s, double *scale )
{
	*scale = s->time_scale;
	return s->time;
}

int64_t ds_series_line( const ds_series *s )
{
	return s->line;
}

double ds_series_done( const ds_series *s )
{
	double done = s->size > 0 ? (double)( s->taken - (int64_t)( s->end - s->at ) ) / (double)s->size : 0;
	return done < 1 ? done : 1;
}

static ds_status read_row( const ds_series *s, ds_token row, const int16_t *slots, double *out )
{
	const char *at = row.at;
	ds_token cell;
	int32_t place = 0;
	for ( ; next_cell( row, s->separator, &at, &cell ); ++place )
	{
		if ( place < s->count && slots[place] >= 0 )
		{
			DS_TRY( read_cell( s, place, cell, &out[slots[place]] ) );
		}
	}
	if ( place != s->count )
	{
		return FAIL(
			s, DS_ERROR_FORMAT, "the row has %d cells and the first has %d; mend or delete the row", place, s->count );
	}
	return DS_OK;
}

ds_status ds_series_read(
	ds_series *s, const int32_t *columns, int32_t count, double *rows, int64_t most, int64_t *got )
{
	int16_t slots[DS_SERIES_MOST_COLUMNS];
	*got = 0;
	for ( int32_t i = 0; i < s->count; ++i )
	{
		slots[i] = -1;
	}
	for ( int32_t i = 0; i < count; ++i )
	{
		slots[columns[i]] = (int16_t)i;
	}
	while ( *got < most )
	{
		ds_token row;
		DS_TRY( next_row( s, &row, NULL, 0 ) );
		if ( row.at == NULL )
		{
			break;
		}
		DS_TRY( read_row( s, row, slots, rows + *got * count ) );
		++*got;
	}
	return DS_OK;
}

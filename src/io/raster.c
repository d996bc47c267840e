// Rasters: what kind of file it is, which part of it is read, and the way from a file to a terrain.

#include "io/raster.h"

#include "base/base.h"
#include "base/module.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define DEFAULT_MAX_CELLS INT64_C( 400000000 )

ds_raster_options ds_raster_options_default( void )
{
	return ( ds_raster_options ){
		.struct_size = sizeof( ds_raster_options ),
		.crs = DS_CRS_AUTO,
		.latitude = NAN,
		.longitude = NAN,
		.scale = NAN,
		.nodata = NAN,
		.band = 1,
		.max_cells = DEFAULT_MAX_CELLS,
	};
}

// ---- options -----------------------------------------------------------------------------------------------------

static ds_status check_window( const ds_raster_options *o )
{
	const double *w = o->window;
	for ( int i = 0; i < 4; ++i )
	{
		if ( !isfinite( w[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "raster: the window must be four finite numbers" );
		}
	}
	bool none = w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0;
	if ( !none && ( w[0] >= w[2] || w[1] >= w[3] ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"raster: the window is south, west, north, east, with south < north and west < east; got %g, %g, %g, %g",
			w[0], w[1], w[2], w[3] );
	}
	return DS_OK;
}

static ds_status check_options( const ds_raster_options *o )
{
	if ( o->struct_size != sizeof( ds_raster_options ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "raster: start from ds_raster_options_default()" );
	}
	if ( (uint32_t)o->crs > DS_CRS_GEOGRAPHIC )
	{
		return ds_error( DS_ERROR_RANGE, "raster: crs must be a ds_raster_crs, got %d", (int)o->crs );
	}
	if ( isinf( o->latitude ) || isinf( o->longitude ) || isinf( o->scale ) || !isfinite( o->offset ) ||
		 !isfinite( o->cell ) || !isfinite( o->position[0] ) || !isfinite( o->position[1] ) )
	{
		return ds_error(
			DS_ERROR_NOT_FINITE, "raster: latitude, longitude, position, cell, scale and offset must be finite" );
	}
	if ( fabs( o->latitude ) > 1.5707963267948968 || fabs( o->longitude ) > 6.2831853071795871 )
	{
		return ds_error(
			DS_ERROR_RANGE, "raster: the origin must lie within 90 degrees of latitude and 360 of longitude" );
	}
	if ( isnan( o->latitude ) != isnan( o->longitude ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "raster: latitude and longitude of the origin go together" );
	}
	if ( o->cell < 0 || o->scale == 0 || o->band < 1 || o->max_cells < 4 )
	{
		return ds_error( DS_ERROR_RANGE,
			"raster: cell must be 0 or greater, scale not 0, band 1 or greater, max_cells 4 or greater" );
	}
	if ( memchr( o->variable, 0, sizeof( o->variable ) ) == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "raster: variable must be a string of at most 63 bytes" );
	}
	return check_window( o );
}

// ---- the part that is read -----------------------------------------------------------------------------------------

// Indices first to last of samples at origin + i * step that lie in [from, to]; a sample on the edge is inside.
static void clip( double origin, double step, int64_t count, double from, double to, int64_t *first, int64_t *last )
{
	const double slack = 1e-6; // of a cell: coordinates are decimals of few digits
	double a = ceil( ( from - origin ) / step - slack ), b = floor( ( to - origin ) / step + slack );
	*first = a > 0 ? (int64_t)fmin( a, (double)count ) : 0;
	*last = b < (double)( count - 1 ) ? (int64_t)fmax( b, -1 ) : count - 1;
}

ds_status ds_raster_take( ds_raster *r )
{
	if ( r->has_place && r->options->cell > 0 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "%s: the file itself says where its samples lie: leave cell out", r->path );
	}
	const double *w = r->options->window;
	int64_t row0 = 0, row1 = r->rows - 1, column0 = 0, column1 = r->columns - 1; // rows from the south
	if ( w[0] != 0 || w[1] != 0 || w[2] != 0 || w[3] != 0 )
	{
		clip( r->y, r->dy, r->rows, w[0], w[2], &row0, &row1 );
		clip( r->x, r->dx, r->columns, w[1], w[3], &column0, &column1 );
		if ( row1 - row0 < 1 || column1 - column0 < 1 )
		{
			return ds_error( DS_ERROR_RANGE,
				"%s: the window holds fewer than 2 x 2 samples; the raster's samples go from %.10g to %.10g (south to "
				"north) by %.6g and from %.10g to %.10g (west to east) by %.6g",
				r->path, r->y, r->y + (double)( r->rows - 1 ) * r->dy, r->dy, r->x,
				r->x + (double)( r->columns - 1 ) * r->dx, r->dx );
		}
	}
	if ( row1 - row0 < 1 || column1 - column0 < 1 )
	{
		return ds_error( DS_ERROR_RANGE, "%s: a terrain needs 2 rows and 2 columns or more, got %lld and %lld", r->path,
			(long long)r->rows, (long long)r->columns );
	}
	r->first_row = r->rows - 1 - row1;
	r->first_column = column0;
	r->rows = row1 - row0 + 1;
	r->columns = column1 - column0 + 1;
	r->y += (double)row0 * r->dy;
	r->x += (double)column0 * r->dx;
	r->south = r->y - 0.5 * r->dy;
	r->west = r->x - 0.5 * r->dx;
	r->north = r->y + ( (double)r->rows - 0.5 ) * r->dy;
	r->east = r->x + ( (double)r->columns - 0.5 ) * r->dx;
	return DS_OK;
}

ds_status ds_raster_allocate( ds_raster *r )
{
	if ( r->columns > r->options->max_cells / r->rows )
	{
		return ds_error( DS_ERROR_LIMIT,
			"%s: %lld x %lld samples are more than max_cells = %lld; read a part of it (window), or raise max_cells",
			r->path, (long long)r->rows, (long long)r->columns, (long long)r->options->max_cells );
	}
	r->count = r->rows * r->columns;
	return DS_NEW( &r->hooks->allocator, r->count, &r->values );
}

// ---- files ---------------------------------------------------------------------------------------------------------

typedef enum file_kind
{
	FILE_ASCII,
	FILE_PNG,
	FILE_OTHER // GDAL's affair
} file_kind;

static bool is_blank( unsigned char c )
{
	return c == ' ' || ( c >= '\t' && c <= '\r' );
}

// By the first bytes; an ESRI ASCII grid starts with one of the names of its header.
static file_kind find_kind( FILE *file )
{
	static const char *const words[] = { "ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter",
		"cellsize", "dx", "dy", "nodata_value" };
	unsigned char start[64] = { 0 };
	size_t size = fread( start, 1, sizeof( start ) - 1, file );
	rewind( file );
	if ( size >= 8 && memcmp( start, "\x89PNG\r\n\x1a\n", 8 ) == 0 )
	{
		return FILE_PNG;
	}
	size_t at = 0;
	while ( at < size && is_blank( start[at] ) )
	{
		++at;
	}
	for ( size_t i = 0; i < sizeof( words ) / sizeof( *words ); ++i )
	{
		size_t length = strlen( words[i] ), k = 0;
		while ( k < length && ( start[at + k] | 0x20 ) == ( words[i][k] | 0x20 ) )
		{
			++k;
		}
		if ( k == length && at + k < size && is_blank( start[at + k] ) )
		{
			return FILE_ASCII;
		}
	}
	return FILE_OTHER;
}

// Is there a projection file that says that the coordinates are neither degrees nor plain metres? Notes degrees.
static bool is_projected( ds_raster *r )
{
	char path[1024], start[64] = { 0 };
	size_t length = strlen( r->path );
	const char *dot = strrchr( r->path, '.' ), *slash = strrchr( r->path, '/' );
	length = dot && ( slash == NULL || dot > slash ) ? (size_t)( dot - r->path ) : length;
	if ( length + 5 > sizeof( path ) )
	{
		return false;
	}
	memcpy( path, r->path, length );
	memcpy( path + length, ".prj", 5 );
	struct stat info;
	FILE *file = stat( path, &info ) == 0 && S_ISREG( info.st_mode ) ? fopen( path, "rb" ) : NULL;
	if ( file == NULL )
	{
		return false;
	}
	size_t size = fread( start, 1, sizeof( start ) - 1, file );
	fclose( file );
	if ( size == 0 )
	{
		return false;
	}
	if ( strncmp( start, "GEOGCS", 6 ) == 0 || strncmp( start, "GEOGCRS", 7 ) == 0 )
	{
		r->kind = DS_CRS_GEOGRAPHIC;
		return false;
	}
	return true;
}

// `projected`: the file has a projection beside it, which GDAL must have understood.
static ds_status read_by_gdal( ds_raster *r, bool projected )
{
	const void *found;
	ds_status status = ds_module_open( "raster_gdal", r->hooks, &found );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "%s: is read by GDAL, and ", r->path );
	}
	const ds_raster_gdal *gdal = found;
	void *set;
	DS_TRY( gdal->open( r, &set ) );
	status = ds_raster_take( r );
	if ( status == DS_OK && projected && r->kind == DS_CRS_AUTO )
	{
		status = ds_error( DS_ERROR_FORMAT,
			"%s: the projection in its .prj file cannot be read: say what the coordinates are (crs local, if metres)",
			r->path );
	}
	if ( status == DS_OK )
	{
		status = gdal->prepare( set, r );
	}
	if ( status == DS_OK )
	{
		status = ds_raster_allocate( r );
	}
	if ( status == DS_OK )
	{
		status = gdal->read( set, r );
	}
	gdal->close( set );
	return status;
}

static ds_status refuse_gdal_options( const ds_raster *r )
{
	if ( r->options->band > 1 || r->options->variable[0] )
	{
		return ds_error( DS_ERROR_ARGUMENT, "%s: an %s file has one band and no variables: leave band and variable out",
			r->path, r->format );
	}
	return DS_OK;
}

static ds_status read_file( ds_raster *r )
{
	// a pipe or a device would block before it could be asked for its kind
	struct stat info;
	if ( stat( r->path, &info ) != 0 )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be opened: %s", r->path, strerror( errno ) );
	}
	if ( !S_ISREG( info.st_mode ) )
	{
		return ds_error( DS_ERROR_IO, "%s: is not a regular file", r->path );
	}
	FILE *file = fopen( r->path, "rb" );
	if ( file == NULL )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be opened: %s", r->path, strerror( errno ) );
	}
	file_kind kind = find_kind( file );
	ds_status status = DS_OK;
	if ( kind == FILE_PNG )
	{
		ds_copy_string( r->format, sizeof( r->format ), "PNG" );
		status = refuse_gdal_options( r );
		status = status == DS_OK ? ds_raster_read_png( file, (int64_t)info.st_size, r ) : status;
	}
	else if ( kind == FILE_ASCII && ( r->options->crs == DS_CRS_LOCAL || !is_projected( r ) ) )
	{
		ds_copy_string( r->format, sizeof( r->format ), "ESRI ASCII" );
		status = refuse_gdal_options( r );
		status = status == DS_OK ? ds_raster_read_ascii( file, (int64_t)info.st_size, r ) : status;
	}
	else
	{
		fclose( file );
		return read_by_gdal( r, kind == FILE_ASCII );
	}
	fclose( file );
	return status;
}

// ---- terrain -------------------------------------------------------------------------------------------------------

static double seconds( void )
{
	struct timespec now = { 0, 0 };
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ds_raster_release( ds_raster *r )
{
	DS_FREE( &r->hooks->allocator, r->values, r->count );
	r->values = NULL;
	r->count = 0;
}

ds_status ds_raster_load( const char *path, const ds_raster_options *options, const ds_hooks *hooks, ds_raster *r,
	ds_raster_report *report, ds_terrain_grid_def *def )
{
	static const ds_hooks none = { 0 };
	DS_TRY( check_options( options ) );
	*r = ( ds_raster ){
		.path = path, .options = options, .hooks = hooks ? hooks : &none, .scale = 1, .nodata = NAN, .has_place = true
	};
	*def = ds_terrain_grid_default();
	ds_status status = read_file( r );
	status = status == DS_OK ? ds_raster_to_depths( r, report ) : status;
	status = status == DS_OK ? ds_raster_place( r, def ) : status;
	if ( status != DS_OK )
	{
		ds_raster_release( r );
		return status;
	}
	def->rows = r->rows;
	def->columns = r->columns;
	def->z = r->values;
	return DS_OK;
}

static void fill_report( const ds_raster *r, const ds_terrain_grid_def *def, ds_raster_report *report )
{
	report->rows = r->rows;
	report->columns = r->columns;
	report->spacing_north = def->spacing_north;
	report->spacing_east = def->spacing_east;
	report->south = r->south;
	report->west = r->west;
	report->north = r->north;
	report->east = r->east;
	memcpy( report->format, r->format, sizeof( report->format ) );
	memcpy( report->crs, r->crs, sizeof( report->crs ) );
}

ds_status ds_terrain_load( const char *path, const ds_raster_options *options, const ds_hooks *hooks,
	ds_terrain **terrain, ds_raster_report *report )
{
	if ( path == NULL || path[0] == '\0' || terrain == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_terrain_load needs a path and room for the terrain" );
	}
	*terrain = NULL;
	double start = seconds();
	ds_raster_options defaults = ds_raster_options_default();
	ds_raster r;
	ds_terrain_grid_def def;
	ds_raster_report found;
	memset( &found, 0, sizeof( found ) );
	DS_TRY( ds_raster_load( path, options ? options : &defaults, hooks, &r, &found, &def ) );
	ds_status status = ds_terrain_grid( &def, r.hooks, terrain );
	fill_report( &r, &def, &found );
	ds_raster_release( &r );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "%s: ", path );
	}
	if ( report )
	{
		found.seconds = seconds() - start;
		*report = found;
	}
	return DS_OK;
}

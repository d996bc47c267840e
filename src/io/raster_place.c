// From a raster's values to depths, and from its coordinates to the world's.

#include "io/raster.h"

#include "base/base.h"
#include "base/geodesy.h"

#include <math.h>
#include <string.h>

#define RADIANS  ( 3.14159265358979323846 / 180 )
#define FAR      500e3 // [m] off the raster: the world's origin is hardly meant to be there
#define GREATEST 100e3 // [m]: no ground of this planet is a tenth as high or deep

// ---- depths --------------------------------------------------------------------------------------------------------

typedef struct converter
{
	const ds_raster *raster;
	double scale, offset, nodata; // z = scale * value + offset
	double top, bottom;
	int64_t holes;
} converter;

static ds_status refuse_value( const converter *c, int64_t row, int64_t column, double value, double z )
{
	const ds_raster *r = c->raster;
	double y = r->y + (double)( r->rows - 1 - row ) * r->dy, x = r->x + (double)column * r->dx;
	bool infinite = !isfinite( value );
	return ds_error( infinite ? DS_ERROR_NOT_FINITE : DS_ERROR_RANGE,
		"%s: the value in row %lld, column %lld (x %.10g, y %.10g) is %g%s: if it stands for no ground, name it as "
		"nodata",
		r->path, (long long)( r->first_row + row + 1 ), (long long)( r->first_column + column + 1 ), x, y, value,
		infinite ? ""
		: z > 0  ? ", a depth beyond 100 km"
				 : ", a height beyond 100 km" );
}

static ds_status convert_row( converter *c, int64_t row, double *values )
{
	for ( int64_t i = 0; i < c->raster->columns; ++i )
	{
		double value = values[i];
		if ( value == c->nodata || value != value )
		{
			values[i] = NAN;
			c->holes += 1;
			continue;
		}
		double z = c->scale * value + c->offset;
		if ( !( fabs( z ) <= GREATEST ) )
		{
			return refuse_value( c, row, i, value, z );
		}
		c->top = z < c->top ? z : c->top;
		c->bottom = z > c->bottom ? z : c->bottom;
		values[i] = z + 0; // never -0
	}
	return DS_OK;
}

static void swap_rows( double *a, double *b, int64_t count )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		double t = a[i];
		a[i] = b[i];
		b[i] = t;
	}
}

ds_status ds_raster_to_depths( ds_raster *r, ds_raster_report *report )
{
	const ds_raster_options *o = r->options;
	double scale = isnan( o->scale ) ? r->scale : o->scale;
	double offset = isnan( o->scale ) ? r->offset + o->offset : o->offset;
	double down = o->depths ? 1 : -1;
	converter c = { .raster = r,
		.scale = down * scale,
		.offset = down * offset,
		.nodata = isnan( o->nodata ) ? r->nodata : o->nodata,
		.top = INFINITY,
		.bottom = -INFINITY };
	for ( int64_t row = 0; row < r->rows; ++row )
	{
		DS_TRY( convert_row( &c, row, r->values + row * r->columns ) );
	}
	if ( c.holes == r->rows * r->columns )
	{
		return ds_error( DS_ERROR_RANGE,
			"%s: no sample has ground: all %lld %sare nodata (%g) or NaN; name another nodata or another part of the "
			"raster",
			r->path, (long long)c.holes, o->window[0] < o->window[2] ? "in the window " : "", c.nodata );
	}
	for ( int64_t row = 0; row < r->rows / 2; ++row )
	{
		swap_rows( r->values + row * r->columns, r->values + ( r->rows - 1 - row ) * r->columns, r->columns );
	}
	report->holes = c.holes;
	report->top = c.top + 0;
	report->bottom = c.bottom + 0;
	return DS_OK;
}

// ---- coordinates ---------------------------------------------------------------------------------------------------

// Without a word in the file: degrees where all coordinates can be such, and cells are below 5.
static bool looks_geographic( const ds_raster *r )
{
	double north = r->y + (double)( r->rows - 1 ) * r->dy, east = r->x + (double)( r->columns - 1 ) * r->dx;
	return r->dx < 5 && r->dy < 5 && r->y >= -90 && north <= 90 && r->x >= -180 && east <= 360;
}

static ds_status decide_kind( ds_raster *r )
{
	int32_t asked = r->options->crs;
	if ( asked == DS_CRS_GEOGRAPHIC && !r->has_place )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"%s: has no coordinates, so it cannot be geographic: say crs local (or auto), and place it by position",
			r->path );
	}
	if ( asked != DS_CRS_AUTO )
	{
		r->kind = asked;
	}
	else if ( r->kind == DS_CRS_AUTO )
	{
		r->kind = r->has_place && looks_geographic( r ) ? DS_CRS_GEOGRAPHIC : DS_CRS_LOCAL;
		if ( r->kind == DS_CRS_GEOGRAPHIC )
		{
			ds_logf( r->hooks, DS_LOG_WARNING,
				"%s: its coordinates are taken for degrees, in cells of %g: say crs geographic, or crs local if they "
				"are metres",
				r->path, r->dx );
		}
	}
	if ( r->crs[0] == '\0' )
	{
		ds_copy_string( r->crs, sizeof( r->crs ), r->kind == DS_CRS_GEOGRAPHIC ? "geographic" : "local" );
	}
	return DS_OK;
}

// Degrees about the origin; without an origin, or when placed, about the raster's own centre.
static ds_status place_geographic( const ds_raster *r, ds_terrain_grid_def *def )
{
	const ds_raster_options *o = r->options;
	double north = r->y + (double)( r->rows - 1 ) * r->dy, width = (double)( r->columns - 1 ) * r->dx;
	if ( r->y < -90.0000001 || north > 90.0000001 || width > 360.0000001 || fabs( r->x ) > 720 )
	{
		return ds_error( DS_ERROR_RANGE,
			"%s: latitudes %.10g to %.10g, longitudes %.10g to %.10g cannot be degrees; say crs local if they are "
			"metres",
			r->path, r->y, north, r->x, r->x + width );
	}
	double latitude = 0.5 * ( r->y + north ), longitude = r->x + 0.5 * width;
	if ( !o->placed && !isnan( o->latitude ) )
	{
		latitude = o->latitude / RADIANS;
		longitude = o->longitude / RADIANS;
	}
	double meridian, parallel;
	ds_earth_radii( latitude * RADIANS, &meridian, &parallel );
	if ( parallel < 1 )
	{
		return ds_error( DS_ERROR_RANGE, "%s: longitude has no meaning for an origin at a pole", r->path );
	}
	// longitudes of 0 to 360 and of -180 to 180 are one
	double turn = 360 * round( ( longitude - r->x - 0.5 * width ) / 360 );
	def->spacing_north = r->dy * RADIANS * meridian;
	def->spacing_east = r->dx * RADIANS * parallel;
	def->north = ( r->y - latitude ) * RADIANS * meridian;
	def->east = ( r->x + turn - longitude ) * RADIANS * parallel;
	return DS_OK;
}

// Metres from the world's origin to the nearest edge.
static double distance_of( const ds_terrain_grid_def *def, int64_t rows, int64_t columns )
{
	double north = def->north + (double)( rows - 1 ) * def->spacing_north;
	double east = def->east + (double)( columns - 1 ) * def->spacing_east;
	return hypot( fmax( 0, fmax( def->north, -north ) ), fmax( 0, fmax( def->east, -east ) ) );
}

ds_status ds_raster_place( ds_raster *r, ds_terrain_grid_def *def )
{
	const ds_raster_options *o = r->options;
	DS_TRY( decide_kind( r ) );
	if ( r->kind == DS_CRS_GEOGRAPHIC )
	{
		DS_TRY( place_geographic( r, def ) );
	}
	else
	{
		def->spacing_north = r->dy;
		def->spacing_east = r->dx;
		def->north = r->y;
		def->east = r->x;
	}
	if ( o->placed )
	{
		def->north = o->position[0] - 0.5 * (double)( r->rows - 1 ) * def->spacing_north;
		def->east = o->position[1] - 0.5 * (double)( r->columns - 1 ) * def->spacing_east;
	}
	double distance = distance_of( def, r->rows, r->columns );
	if ( !o->placed && distance > FAR )
	{
		ds_logf( r->hooks, DS_LOG_WARNING,
			"%s: lies %.0f km from the world's origin: set latitude and longitude, or place it by position", r->path,
			1e-3 * distance );
	}
	return DS_OK;
}

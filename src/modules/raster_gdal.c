// The module raster_gdal: GeoTIFF, NetCDF and the rest by GDAL. Only files of this machine are read: drivers that follow names in
// a file to elsewhere (VRT, WMS, ...) are left out, and GDAL's own access to the network is barred for the time of a call.
// What GDAL says goes to the library's errors and log, never to the standard error output.

#include "modules/raster_gdal.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <string.h>

#define DEGREE ( 3.14159265358979323846 / 180 )
#define STRIP  64 // rows that are read at once

static const ds_module_host *host;

// ---- what GDAL says --------------------------------------------------------------------------------------------------

#define BAR "CPL_VSIL_CURL_ALLOWED_FILENAME"

static void CPL_STDCALL on_message( CPLErr level, CPLErrorNum number, const char *message )
{
	(void)number;
	ds_gdal_set *s = CPLGetErrorHandlerUserData();
	if ( level >= CE_Failure && s->message[0] == '\0' )
	{
		snprintf( s->message, sizeof( s->message ), "%s", message );
	}
	else if ( level == CE_Warning )
	{
		host->log( s->raster->hooks, DS_LOG_WARNING, "%s: GDAL: %s", s->raster->path, message );
	}
}

// Around every call: messages come here, and no file is fetched.
static void enter( ds_gdal_set *s )
{
	s->message[0] = '\0';
	CPLPushErrorHandlerEx( on_message, s );
	const char *before = CPLGetThreadLocalConfigOption( BAR, NULL );
	s->barred = before ? CPLStrdup( before ) : NULL;
	CPLSetThreadLocalConfigOption( BAR, "none" );
}

static void leave( ds_gdal_set *s )
{
	CPLSetThreadLocalConfigOption( BAR, s->barred );
	CPLFree( s->barred );
	s->barred = NULL;
	CPLErrorReset();
	CPLPopErrorHandler();
}

ds_status ds_gdal_fail( const ds_gdal_set *s, ds_status status, const char *what )
{
	return host->error( status, "%s: %s%s%s", s->raster->path, what, s->message[0] ? ": GDAL: " : "", s->message );
}

// ---- opening ---------------------------------------------------------------------------------------------------------

// Formats of rasters whose data lie in the file itself.
static const char *const drivers[] = { "GTiff", "netCDF", "HDF5", "HDF5Image", "HDF4", "HDF4Image", "BAG", "S102",
	"AAIGrid", "AIG", "GRASSASCIIGrid", "EHdr", "ENVI", "HFA", "SRTMHGT", "DTED", "USGSDEM", "NITF", "GMT", "GSAG",
	"GSBG", "GS7BG", "XYZ", "RST", "SAGA", "PNG", "JP2OpenJPEG", "GRIB", "GPKG", "BT", "Terragen", "BYN", "NWT_GRD",
	"GXF", "ZMap", NULL };

// Does the name of a subdataset (NETCDF:"file":elevation, HDF5:"file"://group/elevation) end in the variable?
static bool is_variable( const char *name, const char *variable )
{
	size_t length = strlen( name ), size = strlen( variable );
	return length > size && strcmp( name + length - size, variable ) == 0 && strchr( ":/", name[length - size - 1] );
}

// Names of the variables, for a message.
static void list_variables( char **subsets, char *text, size_t size )
{
	size_t used = 0;
	text[0] = '\0';
	for ( int i = 1; used + 8 < size; ++i )
	{
		char key[40];
		snprintf( key, sizeof( key ), "SUBDATASET_%d_NAME", i );
		const char *name = CSLFetchNameValue( subsets, key );
		if ( name == NULL )
		{
			break;
		}
		const char *colon = strrchr( name, ':' );
		const char *own = colon ? colon + 1 : name;
		own += strspn( own, "/" );
		int written = snprintf( text + used, size - used, "%s%s", used ? ", " : "", own );
		used += written > 0 ? (size_t)written : 0;
	}
}

// Opens the variable of a file that holds several: the one that is asked for, or the first.
static ds_status open_variable( ds_gdal_set *s, char **subsets )
{
	const char *wanted = s->raster->options->variable, *found = NULL;
	for ( int i = 1; found == NULL; ++i )
	{
		char key[40];
		snprintf( key, sizeof( key ), "SUBDATASET_%d_NAME", i );
		const char *name = CSLFetchNameValue( subsets, key );
		if ( name == NULL )
		{
			char known[300];
			list_variables( subsets, known, sizeof( known ) );
			return host->error(
				DS_ERROR_NOT_FOUND, "%s: has no variable \"%s\"; it has: %s", s->raster->path, wanted, known );
		}
		found = wanted[0] == '\0' || is_variable( name, wanted ) ? name : NULL;
	}
	GDALDatasetH inner = GDALOpenEx( found, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, drivers, NULL, NULL );
	if ( inner == NULL )
	{
		return ds_gdal_fail( s, DS_ERROR_FORMAT, "the variable cannot be read" );
	}
	GDALClose( s->source );
	s->source = inner;
	return DS_OK;
}

static ds_status open_file( ds_gdal_set *s )
{
	const char *variable = s->raster->options->variable;
	s->source = GDALOpenEx( s->raster->path, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, drivers, NULL, NULL );
	if ( s->source == NULL )
	{
		return ds_gdal_fail( s, DS_ERROR_FORMAT, "is no raster that can be read" );
	}
	char **subsets = GDALGetMetadata( s->source, "SUBDATASETS" );
	bool empty = GDALGetRasterCount( s->source ) == 0;
	if ( subsets && CSLCount( subsets ) > 0 && ( empty || variable[0] ) )
	{
		char **copy = CSLDuplicate( subsets );
		ds_status status = open_variable( s, copy );
		CSLDestroy( copy );
		return status;
	}
	if ( variable[0] )
	{
		const char *only =
			empty ? NULL : GDALGetMetadataItem( GDALGetRasterBand( s->source, 1 ), "NETCDF_VARNAME", NULL );
		if ( only == NULL || strcmp( only, variable ) != 0 )
		{
			return host->error( DS_ERROR_NOT_FOUND, "%s: has no variable \"%s\"%s%s", s->raster->path, variable,
				only ? "; it has: " : ": a file of this format has bands only", only ? only : "" );
		}
	}
	return DS_OK;
}

// ---- what the file says ------------------------------------------------------------------------------------------------

static ds_status check_band( ds_gdal_set *s, GDALRasterBandH band )
{
	if ( GDALDataTypeIsComplex( GDALGetRasterDataType( band ) ) )
	{
		return host->error(
			DS_ERROR_UNSUPPORTED, "%s: band %d holds complex numbers: expected heights", s->raster->path, s->band );
	}
	GDALColorInterp colour = GDALGetRasterColorInterpretation( band );
	if ( colour == GCI_PaletteIndex || colour == GCI_RedBand || colour == GCI_GreenBand || colour == GCI_BlueBand ||
		 colour == GCI_AlphaBand )
	{
		return host->error( DS_ERROR_UNSUPPORTED, "%s: band %d is an image's (%s): expected heights", s->raster->path,
			s->band, GDALGetColorInterpretationName( colour ) );
	}
	return DS_OK;
}

// Metres in the band's unit of height; 0: none that is known.
static double unit_of( const char *unit )
{
	static const struct
	{
		const char *name;
		double metres;
	} units[] = { { "", 1 }, { "m", 1 }, { "metre", 1 }, { "metres", 1 }, { "meter", 1 }, { "meters", 1 },
		{ "km", 1000 }, { "cm", 0.01 }, { "mm", 0.001 }, { "ft", 0.3048 }, { "foot", 0.3048 }, { "feet", 0.3048 },
		// NIST Special Publication 811, appendix B.6
		{ "US survey foot", 1200.0 / 3937 }, { "ftUS", 1200.0 / 3937 } };
	for ( size_t i = 0; i < sizeof( units ) / sizeof( *units ); ++i )
	{
		if ( EQUAL( unit, units[i].name ) )
		{
			return units[i].metres;
		}
	}
	return 0;
}

static ds_status read_band( ds_gdal_set *s, ds_raster *r )
{
	int count = GDALGetRasterCount( s->source );
	if ( s->band > count )
	{
		return host->error( DS_ERROR_RANGE, "%s: has %d band%s, so band %d cannot be read", r->path, count,
			count == 1 ? "" : "s", s->band );
	}
	GDALRasterBandH band = GDALGetRasterBand( s->source, s->band );
	ds_status status = check_band( s, band );
	if ( status != DS_OK )
	{
		return status;
	}
	int known = 0;
	double nodata = GDALGetRasterNoDataValue( band, &known );
	bool single = GDALGetRasterDataType( band ) == GDT_Float32;
	r->nodata =
		known ? single && isfinite( nodata ) && fabs( nodata ) < 3.4028235e38 ? (double)(float)nodata : nodata : NAN;

	const char *unit = GDALGetRasterUnitType( band );
	double metres = unit_of( unit ? unit : "" );
	if ( metres == 0 )
	{
		host->log( r->hooks, DS_LOG_WARNING, "%s: the unit of heights \"%s\" is not known: metres are assumed", r->path,
			unit );
		metres = 1;
	}
	double scale = GDALGetRasterScale( band, NULL ), offset = GDALGetRasterOffset( band, NULL );
	r->scale = metres * scale;
	r->offset = metres * offset;
	if ( !isfinite( r->scale ) || r->scale == 0 || !isfinite( r->offset ) )
	{
		return host->error( DS_ERROR_RANGE, "%s: the file's scale %g and offset %g make no heights: give a scale",
			r->path, scale, offset );
	}
	return DS_OK;
}

// Degrees about Greenwich on an ellipsoid and a datum that differ from WGS-84 by a few metres at most?
static bool is_wgs84_like( OGRSpatialReferenceH srs )
{
	// the ellipsoids of WGS-84 and of GRS-80 (NAD83, ETRS89, GDA94, ...) part by 0.1 mm
	double axis = OSRGetSemiMajor( srs, NULL ), inverse = OSRGetInvFlattening( srs, NULL );
	return OSRIsGeographic( srs ) && fabs( axis - 6378137 ) < 0.5 && fabs( inverse - 298.257223563 ) < 1e-4 &&
		   fabs( OSRGetAngularUnits( srs, NULL ) - DEGREE ) < 1e-9 && OSRGetPrimeMeridian( srs, NULL ) == 0;
}

static ds_status read_crs( ds_gdal_set *s, ds_raster *r )
{
	OGRSpatialReferenceH srs = GDALGetSpatialRef( s->source );
	if ( r->options->crs == DS_CRS_LOCAL || srs == NULL )
	{
		r->kind = r->options->crs == DS_CRS_LOCAL ? DS_CRS_LOCAL : DS_CRS_AUTO;
		return DS_OK;
	}
	if ( OSRIsLocal( srs ) )
	{
		char *unit = NULL;
		double metres = OSRGetLinearUnits( srs, &unit );
		// GDAL writes a local system of an unknown unit into a GeoTIFF of which it knows nothing
		r->kind = unit && strcmp( unit, "unknown" ) == 0 ? DS_CRS_AUTO : DS_CRS_LOCAL;
		return fabs( metres - 1 ) < 1e-9
				   ? DS_OK
				   : host->error( DS_ERROR_UNSUPPORTED,
						 "%s: its local coordinates are in units of %g m: expected metres", r->path, metres );
	}
	if ( is_wgs84_like( srs ) && !s->rotated )
	{
		r->kind = DS_CRS_GEOGRAPHIC;
		return DS_OK;
	}
	if ( !OSRIsGeographic( srs ) && !OSRIsProjected( srs ) )
	{
		return host->error( DS_ERROR_UNSUPPORTED,
			"%s: its coordinates are neither geographic nor projected (%s): reproject it by gdalwarp -t_srs EPSG:4326",
			r->path, OSRGetName( srs ) );
	}
	s->reproject = true;
	r->kind = DS_CRS_LOCAL; // until it is reprojected
	snprintf( r->crs, sizeof( r->crs ), "%s", OSRGetName( srs ) ? OSRGetName( srs ) : "without a name" );
	return DS_OK;
}

// The library of NetCDF reads zeros where a file of the classic format was cut off. Its values are not compressed.
static ds_status check_classic( const ds_gdal_set *s )
{
	char magic[3] = "";
	double bytes = 0;
	FILE *file = fopen( s->raster->path, "rb" );
	if ( file )
	{
		size_t got = fread( magic, 1, sizeof( magic ), file );
		bytes = got == sizeof( magic ) && fseeko( file, 0, SEEK_END ) == 0 ? (double)ftello( file ) : 0;
		fclose( file );
	}
	int size = GDALGetDataTypeSizeBytes( GDALGetRasterDataType( GDALGetRasterBand( s->source, s->band ) ) );
	double least = (double)GDALGetRasterXSize( s->source ) * GDALGetRasterYSize( s->source ) * size;
	if ( memcmp( magic, "CDF", sizeof( magic ) ) == 0 && bytes < least )
	{
		return host->error(
			DS_ERROR_FORMAT, "%s: is cut off: its values need %.0f bytes, it has %.0f", s->raster->path, least, bytes );
	}
	return DS_OK;
}

static ds_status read_place( ds_gdal_set *s, ds_raster *r )
{
	double *t = s->transform;
	r->columns = GDALGetRasterXSize( s->source );
	r->rows = s->file_rows = GDALGetRasterYSize( s->source );
	r->has_place = GDALGetGeoTransform( s->source, t ) == CE_None;
	if ( !r->has_place )
	{
		if ( GDALGetGCPCount( s->source ) > 0 )
		{
			return host->error( DS_ERROR_UNSUPPORTED,
				"%s: is placed by ground control points only: rectify it by gdalwarp -t_srs EPSG:4326", r->path );
		}
		double cell = r->options->cell;
		if ( !( cell > 0 ) )
		{
			return host->error( DS_ERROR_ARGUMENT,
				"%s: has no coordinates: the spacing of its samples (cell, in metres) is needed", r->path );
		}
		const double own[6] = { -0.5 * cell * (double)r->columns, cell, 0, 0.5 * cell * (double)r->rows, 0, -cell };
		memcpy( t, own, sizeof( own ) );
	}
	s->rotated = fabs( t[2] ) > 1e-9 * fabs( t[5] ) || fabs( t[4] ) > 1e-9 * fabs( t[1] );
	s->south_up = t[5] > 0;
	r->dx = hypot( t[1], t[4] );
	r->dy = hypot( t[2], t[5] );
	double centre_x = t[0] + 0.5 * ( t[1] * (double)r->columns + t[2] * (double)r->rows );
	double centre_y = t[3] + 0.5 * ( t[4] * (double)r->columns + t[5] * (double)r->rows );
	r->x = centre_x - 0.5 * r->dx * (double)( r->columns - 1 );
	r->y = centre_y - 0.5 * r->dy * (double)( r->rows - 1 );
	if ( !s->rotated && !( t[1] > 0 ) )
	{
		return host->error(
			DS_ERROR_UNSUPPORTED, "%s: its columns go from east to west: turn it round by gdalwarp", r->path );
	}
	if ( !isfinite( r->x ) || !isfinite( r->y ) || !( r->dx > 0 ) || !( r->dy > 0 ) )
	{
		return host->error( DS_ERROR_FORMAT, "%s: its place or its spacing is not finite, or 0", r->path );
	}
	return DS_OK;
}

static ds_status check_rotation( const ds_gdal_set *s, const ds_raster *r )
{
	const double *w = r->options->window;
	if ( s->rotated && !s->reproject )
	{
		return host->error( DS_ERROR_UNSUPPORTED,
			"%s: its rows are turned by %.3g degrees against the east: make it level by gdalwarp", r->path,
			atan2( s->transform[4], s->transform[1] ) / DEGREE );
	}
	if ( s->rotated && w[0] < w[2] )
	{
		return host->error( DS_ERROR_UNSUPPORTED,
			"%s: is turned, so a window of its coordinates is no rectangle of samples: leave the window out", r->path );
	}
	return DS_OK;
}

static ds_status describe( ds_gdal_set *s, ds_raster *r )
{
	ds_status status = open_file( s );
	status = status == DS_OK ? read_band( s, r ) : status;
	status = status == DS_OK ? check_classic( s ) : status;
	status = status == DS_OK ? read_place( s, r ) : status;
	status = status == DS_OK ? read_crs( s, r ) : status;
	status = status == DS_OK ? check_rotation( s, r ) : status;
	if ( status == DS_OK )
	{
		GDALDriverH driver = GDALGetDatasetDriver( s->source );
		snprintf( r->format, sizeof( r->format ), "%s", driver ? GDALGetDriverShortName( driver ) : "GDAL" );
	}
	return status;
}

// ---- the table ---------------------------------------------------------------------------------------------------------

static void close_set( void *opened )
{
	ds_gdal_set *s = opened;
	const ds_raster *r = s->raster;
	enter( s );
	// each reads from the next
	GDALClose( s->warped );
	GDALClose( s->part );
	GDALClose( s->source );
	leave( s );
	host->memory_free( &r->hooks->allocator, s, 1, sizeof( *s ) );
}

static ds_status open_set( ds_raster *r, void **opened )
{
	void *memory;
	ds_status status = host->memory_new( &r->hooks->allocator, 1, sizeof( ds_gdal_set ), &memory );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_gdal_set *s = memory;
	s->host = host;
	s->raster = r;
	s->band = r->options->band;
	enter( s );
	GDALAllRegister();
	status = describe( s, r );
	leave( s );
	if ( status != DS_OK )
	{
		close_set( s );
		return status;
	}
	*opened = s;
	return DS_OK;
}

static ds_status prepare_set( void *opened, ds_raster *r )
{
	ds_gdal_set *s = opened;
	if ( !s->reproject )
	{
		return DS_OK;
	}
	enter( s );
	ds_status status = ds_gdal_reproject( s, r );
	leave( s );
	return status;
}

// ---- values ------------------------------------------------------------------------------------------------------------

typedef struct strip
{
	GDALRasterBandH band, mask; // mask: NULL: all are valid, or nodata says which are not
	uint8_t *valid;
	int column, columns;
} strip;

static ds_status read_strip( ds_gdal_set *s, const strip *p, int row, int rows, double *out )
{
	bool done = GDALRasterIO( p->band, GF_Read, p->column, row, p->columns, rows, out, p->columns, rows, GDT_Float64, 0,
					0 ) == CE_None;
	done = done && ( p->mask == NULL || GDALRasterIO( p->mask, GF_Read, p->column, row, p->columns, rows, p->valid,
											p->columns, rows, GDT_Byte, 0, 0 ) == CE_None );
	if ( !done )
	{
		return ds_gdal_fail( s, DS_ERROR_FORMAT, "cannot be read: it is broken or cut off" );
	}
	for ( int64_t i = 0; p->mask && i < (int64_t)rows * p->columns; ++i )
	{
		out[i] = p->valid[i] ? out[i] : NAN;
	}
	return DS_OK;
}

static void turn_over( double *values, int64_t rows, int64_t columns )
{
	for ( int64_t i = 0; i < rows / 2; ++i )
	{
		double *a = values + i * columns, *b = values + ( rows - 1 - i ) * columns;
		for ( int64_t k = 0; k < columns; ++k )
		{
			double t = a[k];
			a[k] = b[k];
			b[k] = t;
		}
	}
}

static ds_status read_values( ds_gdal_set *s, ds_raster *r, strip *p )
{
	int first = 0;
	if ( s->warped == NULL )
	{
		first = (int)( s->south_up ? s->file_rows - r->first_row - r->rows : r->first_row );
	}
	for ( int64_t row = 0; row < r->rows; row += STRIP )
	{
		int rows = (int)( r->rows - row < STRIP ? r->rows - row : STRIP );
		ds_status status = read_strip( s, p, first + (int)row, rows, r->values + row * r->columns );
		if ( status != DS_OK )
		{
			return status;
		}
	}
	if ( s->warped == NULL && s->south_up )
	{
		turn_over( r->values, r->rows, r->columns );
	}
	return DS_OK;
}

static ds_status read_set( void *opened, ds_raster *r )
{
	ds_gdal_set *s = opened;
	enter( s );
	strip p = { .columns = (int)r->columns, .column = s->warped ? 0 : (int)r->first_column };
	p.band = GDALGetRasterBand( s->warped ? s->warped : s->source, s->warped ? 1 : s->band );
	void *valid = NULL;
	size_t room = 0;
	if ( GDALGetMaskFlags( p.band ) & ( GMF_PER_DATASET | GMF_ALPHA ) )
	{
		p.mask = GDALGetMaskBand( p.band );
		room = STRIP * (size_t)r->columns;
	}
	ds_status status = host->memory_new( &r->hooks->allocator, room, 1, &valid );
	if ( status == DS_OK )
	{
		p.valid = valid;
		status = read_values( s, r, &p );
	}
	host->memory_free( &r->hooks->allocator, valid, room, 1 );
	leave( s );
	return status;
}

DS_MODULE_EXPORT const void *ds_module_table( uint32_t version, const ds_module_host *of );

const void *ds_module_table( uint32_t version, const ds_module_host *of )
{
	static const ds_raster_gdal table = { open_set, prepare_set, read_set, close_set };
	if ( version != DS_MODULE_VERSION )
	{
		return NULL;
	}
	host = of;
	return &table;
}

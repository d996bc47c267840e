// Rasters of projected coordinates, and of other datums, made rasters of degrees about WGS-84.

#include "modules/raster_gdal.h"

#include "base/geodesy.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal_utils.h>
#include <math.h>
#include <ogr_srs_api.h>

#define DEGREE ( 3.14159265358979323846 / 180 )

// Metres of a step of one column and one row at the centre of the part that is taken.
static bool measure_cell(
	const ds_gdal_set *s, const ds_raster *r, OGRSpatialReferenceH wgs84, double *spacing, double *latitude )
{
	const double *t = s->transform;
	int64_t first = s->south_up ? s->file_rows - r->first_row - r->rows : r->first_row;
	double column = (double)r->first_column + 0.5 * (double)r->columns, row = (double)first + 0.5 * (double)r->rows;
	double x[5], y[5];
	for ( int i = 0; i < 5; ++i )
	{
		double c = column + ( i == 1 ) * -0.5 + ( i == 2 ) * 0.5, k = row + ( i == 3 ) * -0.5 + ( i == 4 ) * 0.5;
		x[i] = t[0] + t[1] * c + t[2] * k;
		y[i] = t[3] + t[4] * c + t[5] * k;
	}
	OGRSpatialReferenceH own = OSRClone( GDALGetSpatialRef( s->source ) );
	OSRSetAxisMappingStrategy( own, OAMS_TRADITIONAL_GIS_ORDER );
	OGRCoordinateTransformationH to = OCTNewCoordinateTransformation( own, wgs84 );
	bool done = to && OCTTransform( to, 5, x, y, NULL );
	OCTDestroyCoordinateTransformation( to );
	OSRRelease( own );
	if ( !done || !( fabs( y[0] ) < 89.9 ) )
	{
		return false;
	}
	double meridian, parallel;
	ds_earth_radii( y[0] * DEGREE, &meridian, &parallel );
	for ( int i = 0; i < 2; ++i )
	{
		double east = ( x[2 * i + 2] - x[2 * i + 1] ) * DEGREE * parallel;
		double north = ( y[2 * i + 2] - y[2 * i + 1] ) * DEGREE * meridian;
		spacing[i] = hypot( east, north );
	}
	*latitude = y[0];
	return spacing[0] > 0 && spacing[1] > 0 && isfinite( spacing[0] ) && isfinite( spacing[1] );
}

// The part that is taken, as a data set of its own.
static bool make_part( ds_gdal_set *s, const ds_raster *r )
{
	int64_t first = s->south_up ? s->file_rows - r->first_row - r->rows : r->first_row;
	char **arguments = NULL;
	arguments = CSLAddString( arguments, "-of" );
	arguments = CSLAddString( arguments, "VRT" );
	arguments = CSLAddString( arguments, "-b" );
	arguments = CSLAddString( arguments, CPLSPrintf( "%d", s->band ) );
	arguments = CSLAddString( arguments, "-srcwin" );
	arguments = CSLAddString( arguments, CPLSPrintf( "%lld", (long long)r->first_column ) );
	arguments = CSLAddString( arguments, CPLSPrintf( "%lld", (long long)first ) );
	arguments = CSLAddString( arguments, CPLSPrintf( "%lld", (long long)r->columns ) );
	arguments = CSLAddString( arguments, CPLSPrintf( "%lld", (long long)r->rows ) );
	GDALTranslateOptions *options = GDALTranslateOptionsNew( arguments, NULL );
	s->part = options ? GDALTranslate( "", s->source, options, NULL ) : NULL;
	GDALTranslateOptionsFree( options );
	CSLDestroy( arguments );
	return s->part != NULL;
}

// The part in degrees, of cells of the same size in metres; what it does not cover is NaN.
static bool make_warped( ds_gdal_set *s, const ds_raster *r, const double *spacing, double latitude )
{
	double meridian, parallel;
	ds_earth_radii( latitude * DEGREE, &meridian, &parallel );
	double nodata = isnan( r->options->nodata ) ? r->nodata : r->options->nodata;
	char **arguments = NULL;
	static const char *const fixed[] = { "-of", "VRT", "-t_srs", "EPSG:4326", "-r", "bilinear", "-et", "0.01", "-ot",
		"Float64", "-dstnodata", "nan", "-novshift", NULL };
	for ( int i = 0; fixed[i]; ++i )
	{
		arguments = CSLAddString( arguments, fixed[i] );
	}
	if ( !isnan( nodata ) )
	{
		arguments = CSLAddString( arguments, "-srcnodata" );
		arguments = CSLAddString( arguments, CPLSPrintf( "%.17g", nodata ) );
	}
	arguments = CSLAddString( arguments, "-tr" );
	arguments = CSLAddString( arguments, CPLSPrintf( "%.17g", spacing[0] / parallel / DEGREE ) );
	arguments = CSLAddString( arguments, CPLSPrintf( "%.17g", spacing[1] / meridian / DEGREE ) );
	GDALWarpAppOptions *options = GDALWarpAppOptionsNew( arguments, NULL );
	s->warped = options ? GDALWarp( "", NULL, 1, &s->part, options, NULL ) : NULL;
	GDALWarpAppOptionsFree( options );
	CSLDestroy( arguments );
	return s->warped != NULL;
}

ds_status ds_gdal_reproject( ds_gdal_set *s, ds_raster *r )
{
	OGRSpatialReferenceH wgs84 = OSRNewSpatialReference( NULL );
	bool known = wgs84 && OSRImportFromEPSG( wgs84, 4326 ) == OGRERR_NONE;
	double spacing[2], latitude;
	if ( known )
	{
		OSRSetAxisMappingStrategy( wgs84, OAMS_TRADITIONAL_GIS_ORDER );
	}
	bool measured = known && measure_cell( s, r, wgs84, spacing, &latitude );
	OSRRelease( wgs84 );
	if ( !measured || !make_part( s, r ) || !make_warped( s, r, spacing, latitude ) )
	{
		return ds_gdal_fail( s, DS_ERROR_FORMAT, "cannot be reprojected to WGS-84" );
	}
	double t[6];
	if ( GDALGetGeoTransform( s->warped, t ) != CE_None || !( t[1] > 0 ) || !( t[5] < 0 ) )
	{
		return ds_gdal_fail( s, DS_ERROR_INTERNAL, "reprojection gives no grid" );
	}
	r->columns = GDALGetRasterXSize( s->warped );
	r->rows = GDALGetRasterYSize( s->warped );
	r->dx = t[1];
	r->dy = -t[5];
	r->x = t[0] + 0.5 * t[1];
	r->y = t[3] + ( (double)r->rows - 0.5 ) * t[5];
	r->kind = DS_CRS_GEOGRAPHIC;
	r->nodata = NAN;
	return r->rows >= 2 && r->columns >= 2
			   ? DS_OK
			   : s->host->error(
					 DS_ERROR_RANGE, "%s: reprojected to WGS-84, less than 2 rows or columns are left", r->path );
}

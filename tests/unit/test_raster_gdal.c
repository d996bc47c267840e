// Rasters that GDAL reads, from files written here byte by byte: GRASS ASCII grids, ESRI ASCII grids with a projection, and headers of
// raw numbers (ENVI). Skipped in a build without GDAL; tests/oracle/test_raster_gdal.py holds more formats against GDAL's programs.

#include "tests/unit/raster_kit.h"

#include "base/module.h"

#define DEGREE ( 3.14159265358979323846 / 180 )
#define ASC    RASTER_PATH( "utm.asc" )
#define PRJ    RASTER_PATH( "utm.prj" )
#define RAW    RASTER_PATH( "raw.dat" )
#define HDR    RASTER_PATH( "raw.hdr" )

static bool has_module( void )
{
	const void *table;
	return ds_module_open( "raster_gdal", NULL, &table ) == DS_OK;
}

static void test_grass( void **state )
{
	(void)state;
	const char *path = RASTER_PATH( "grass.txt" );
	write_text( path, "north: 40\nsouth: 0\neast: 30\nwest: 0\nrows: 4\ncols: 3\nnull: -99\n"
					  "1 2 3\n4 5 6\n7 8 9\n10 -99 12\n" );
	ds_raster_report report;
	ds_terrain *t = load( path, NULL, &report );
	assert_string_equal( report.format, "GRASSASCIIGrid" );
	assert_string_equal( report.crs, "local" );
	assert_int_equal( report.holes, 1 );
	expect_near( depth_at( t, 35, 5 ), -1, 1e-6 );
	expect_near( depth_at( t, 25, 25 ), -6, 1e-6 );
	expect_near( depth_at( t, 5, 25 ), -12, 1e-6 );
	expect_near( report.north, 40, 1e-9 );
	ds_terrain_release( t );

	// a part of it
	ds_raster_options o = ds_raster_options_default();
	const double window[4] = { 10, 10, 30, 30 };
	memcpy( o.window, window, sizeof( window ) );
	t = load( path, &o, &report );
	assert_int_equal( report.rows, 2 );
	assert_int_equal( report.columns, 2 );
	expect_near( depth_at( t, 25, 15 ), -5, 1e-6 );
	expect_near( depth_at( t, 15, 25 ), -9, 1e-6 );
	ds_terrain_release( t );
}

// ---- a header and raw floats ---------------------------------------------------------------------------------------

// 6 lines of 5 samples of `type` (ENVI's codes: 4 float, 6 complex), value 100 line + sample.
static void write_envi( int type, const char *more )
{
	char header[1024];
	snprintf( header, sizeof( header ),
		"ENVI\nsamples = 5\nlines = 6\nbands = 2\nheader offset = 0\nfile type = ENVI Standard\ndata type = %d\n"
		"interleave = bsq\nbyte order = 0\n%s",
		type, more );
	write_text( HDR, header );
	float values[2 * 2 * 30] = { 0 };
	for ( int i = 0; i < 60; ++i )
	{
		values[i] = (float)( 1000 * ( i / 30 ) + 100 * ( i % 30 / 5 ) + i % 5 );
	}
	write_bytes( RAW, values, sizeof( float ) * ( type == 6 ? 120 : 60 ) );
	remove( RASTER_PATH( "raw.dat.aux.xml" ) );
}

#define METRES "map info = {Arbitrary, 1, 1, 1000, 2000, 10, 20, 0, units=Meters}\n"

static void test_bands( void **state )
{
	(void)state;
	write_envi( 4, METRES "data ignore value = 203\n" );
	ds_raster_options o = ds_raster_options_default();
	o.crs = DS_CRS_LOCAL;
	ds_raster_report report;
	ds_terrain *t = load( RAW, &o, &report );
	assert_string_equal( report.format, "ENVI" );
	assert_int_equal( report.holes, 1 );
	expect_near( report.spacing_north, 20, 1e-9 );
	expect_near( report.spacing_east, 10, 1e-9 );
	// the corner of the first sample is at 1000, 2000
	expect_near( depth_at( t, 1990, 1005 ), 0, 1e-6 );
	expect_near( depth_at( t, 1890, 1045 ), -504, 1e-4 );
	ds_terrain_release( t );
	o.band = 2;
	o.scale = 2;
	o.offset = -5000;
	o.nodata = 1000;
	t = load( RAW, &o, &report );
	assert_int_equal( report.holes, 1 );
	expect_near( depth_at( t, 1890, 1045 ), 5000 - 2 * 1504, 1e-3 );
	ds_terrain_release( t );
	o.band = 3;
	expect_refused( RAW, &o, DS_ERROR_RANGE, "has 2 bands, so band 3 cannot be read" );
	o.band = 1;
	o.cell = 4;
	expect_refused( RAW, &o, DS_ERROR_ARGUMENT, "leave cell out" );
	o.cell = 0;
	snprintf( o.variable, sizeof( o.variable ), "elevation" );
	expect_refused( RAW, &o, DS_ERROR_NOT_FOUND, "has no variable \"elevation\"" );
}

static void test_memory( void **state )
{
	(void)state;
	write_envi( 4, METRES );
	expect_memory_handled( RAW, NULL, 3 );
}

static void test_without_coordinates( void **state )
{
	(void)state;
	write_envi( 4, "" );
	expect_refused( RAW, NULL, DS_ERROR_ARGUMENT, "has no coordinates" );
	ds_raster_options o = ds_raster_options_default();
	o.cell = 2;
	ds_terrain *t = load( RAW, &o, NULL );
	expect_near( depth_at( t, 5, -4 ), 0, 1e-6 ); // six rows and five columns about the origin
	expect_near( depth_at( t, -5, 4 ), -504, 1e-4 );
	ds_terrain_release( t );
}

static void test_refused( void **state )
{
	(void)state;
	write_envi( 6, METRES );
	expect_refused( RAW, NULL, DS_ERROR_UNSUPPORTED, "complex" );
	write_envi( 4, "map info = {Arbitrary, 1, 1, 1000, 2000, 10, 20, 0, units=Meters, rotation=30}\n" );
	expect_refused( RAW, NULL, DS_ERROR_UNSUPPORTED, "turned by" );
	const char *path = RASTER_PATH( "other.bin" );
	write_text( path, "no raster at all, of no format that there is\n" );
	expect_refused( path, NULL, DS_ERROR_FORMAT, "is no raster that can be read" );

	// names that lead elsewhere: neither a file that names others, nor GDAL's own file systems
	path = RASTER_PATH( "other.vrt" );
	write_text( path, "<VRTDataset rasterXSize=\"5\" rasterYSize=\"6\"><VRTRasterBand dataType=\"Float32\" band=\"1\">"
					  "<SimpleSource><SourceFilename relativeToVRT=\"1\">raw.dat</SourceFilename><SourceBand>1"
					  "</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>\n" );
	expect_refused( path, NULL, DS_ERROR_FORMAT, "is no raster that can be read" );
	expect_refused( "/vsicurl/http://127.0.0.1:1/x.tif", NULL, DS_ERROR_IO, "cannot be opened" );
	expect_refused( "/vsizip/" RAW, NULL, DS_ERROR_IO, "cannot be opened" );
	expect_refused( "NETCDF:\"x.nc\":z", NULL, DS_ERROR_IO, "cannot be opened" );
}

// ---- projections ---------------------------------------------------------------------------------------------------

static const char utm33[] =
	"PROJCS[\"WGS_1984_UTM_Zone_33N\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137,"
	"298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"Degree\",0.017453292519943295]],PROJECTION[\"Transverse_Mercator\"]"
	","
	"PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",15],PARAMETER[\"scale_factor\",0.9996],"
	"PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",0],UNIT[\"Meter\",1]]";

// A slope of depth along northing and easting: 41 x 41 samples, 100 m apart, about 500000 E, `northing`.
static void write_slope( double northing )
{
	static char text[200000];
	int used = snprintf(
		text, sizeof( text ), "ncols 41\nnrows 41\nxllcenter 498000\nyllcenter %.1f\ncellsize 100\n", northing - 2000 );
	for ( int row = 0; row < 41; ++row )
	{
		for ( int column = 0; column < 41; ++column )
		{
			double north = 100 * ( 20 - row ), east = 100 * ( column - 20 );
			used += snprintf( text + used, sizeof( text ) - (size_t)used, "%.4f ", -3000 - 0.05 * north + 0.02 * east );
		}
	}
	write_text( ASC, text );
}

// On the central meridian of UTM a metre of the map is 1/0.9996 m of the ground, and north is north.
static void test_utm( void **state )
{
	(void)state;
	write_text( PRJ, utm33 );
	// meridian arc of WGS-84 to 60 degrees: 6654072.819 m (Deakin, "Geodesics on an ellipsoid", RMIT 2010, and the series of
	// Helmert), times 0.9996
	const double northing = 0.9996 * 6654072.8194;
	write_slope( northing );
	ds_raster_options o = ds_raster_options_default();
	o.latitude = 60 * DEGREE;
	o.longitude = 15 * DEGREE;
	ds_raster_report report;
	ds_terrain *t = load( ASC, &o, &report );
	assert_string_equal( report.format, "AAIGrid" );
	assert_non_null( strstr( report.crs, "UTM" ) );
	expect_near( report.spacing_north, 100 / 0.9996, 0.02 );
	expect_near( report.spacing_east, 100 / 0.9996, 0.02 );
	for ( int i = -3; i <= 3; ++i )
	{
		for ( int k = -3; k <= 3; ++k )
		{
			double north = 500.0 * i, east = 500.0 * k;
			double wanted = 3000 + 0.05 * 0.9996 * north - 0.02 * 0.9996 * east;
			expect_near( depth_at( t, north, east ), wanted, 0.05 );
		}
	}
	ds_terrain_release( t );

	// a part, in the raster's own coordinates
	const double window[4] = { northing - 501, 499499, northing + 501, 500501 };
	memcpy( o.window, window, sizeof( window ) );
	t = load( ASC, &o, &report );
	expect_near( report.south, northing - 550, 0.1 );
	expect_near( report.east, 500550, 0.1 );
	ds_terrain_properties p = ds_terrain_measure( t );
	expect_near( p.north, 500, 60 );
	expect_near( p.west, -500, 60 );
	expect_near( depth_at( t, 100, 200 ), 3000 + 5 - 4, 0.05 );
	ds_terrain_release( t );

	// as they are: metres, read by us
	o = ds_raster_options_default();
	o.crs = DS_CRS_LOCAL;
	t = load( ASC, &o, &report );
	assert_string_equal( report.format, "ESRI ASCII" );
	expect_near( depth_at( t, northing, 500000 ), 3000, 1e-3 );
	ds_terrain_release( t );
	write_text( PRJ, "PROJCS[\"nonsense\"]" );
	expect_refused( ASC, NULL, DS_ERROR_FORMAT, ".prj" );
	remove( PRJ );
}

static void test_degrees( void **state )
{
	(void)state;
	write_text( RASTER_PATH( "degrees.prj" ),
		"GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137,298.257223563]],"
		"PRIMEM[\"Greenwich\",0],UNIT[\"Degree\",0.017453292519943295]]" );
	// cells of 6 degrees would be metres without a word
	write_text( RASTER_PATH( "degrees.asc" ), "ncols 2 nrows 2 xllcenter 0 yllcenter 0 cellsize 6\n1 2 3 4\n" );
	ds_raster_report report;
	ds_terrain_release( load( RASTER_PATH( "degrees.asc" ), NULL, &report ) );
	assert_string_equal( report.crs, "geographic" );
	assert_string_equal( report.format, "ESRI ASCII" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_grass ),
		cmocka_unit_test( test_bands ),
		cmocka_unit_test( test_memory ),
		cmocka_unit_test( test_without_coordinates ),
		cmocka_unit_test( test_refused ),
		cmocka_unit_test( test_utm ),
		cmocka_unit_test( test_degrees ),
	};
	if ( !has_module() )
	{
		print_message( "no module raster_gdal: %s\n", ds_last_error() );
		return 77;
	}
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// ESRI ASCII grids: where samples come to lie, what the options do, and what is refused.

#include "tests/unit/raster_kit.h"

#include <locale.h>

#define PATH   RASTER_PATH( "grid.asc" )
#define DEGREE ( 3.14159265358979323846 / 180 )

// ---- places and values ---------------------------------------------------------------------------------------------

static void test_rows_start_in_the_north( void **state )
{
	(void)state;
	write_text( PATH, "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -9999\n"
					  "-1 -2 -3\n-4 -5 -6.5\n" );
	ds_raster_report report;
	ds_terrain *t = load( PATH, NULL, &report );
	// centres of cells: 105, 115, 125 east; 205 (second line of numbers), 215 north
	expect_near( depth_at( t, 215, 105 ), 1, 1e-6 );
	expect_near( depth_at( t, 215, 125 ), 3, 1e-6 );
	expect_near( depth_at( t, 205, 105 ), 4, 1e-6 );
	expect_near( depth_at( t, 205, 125 ), 6.5, 1e-6 );
	expect_near( depth_at( t, 205, 110 ), 4.5, 1e-6 );
	ds_terrain_point point;
	assert_false( ds_terrain_at( t, 204, 105, &point ) );
	assert_string_equal( report.format, "ESRI ASCII" );
	assert_string_equal( report.crs, "local" );
	assert_int_equal( report.rows, 2 );
	assert_int_equal( report.columns, 3 );
	assert_int_equal( report.holes, 0 );
	expect_near( report.south, 200, 1e-9 );
	expect_near( report.west, 100, 1e-9 );
	expect_near( report.north, 220, 1e-9 );
	expect_near( report.east, 130, 1e-9 );
	expect_near( report.top, 1, 0 );
	expect_near( report.bottom, 6.5, 0 );
	ds_terrain_release( t );
}

static void test_header_in_any_form( void **state )
{
	(void)state;
	// order, case, spacing by axis, centres, broken lines, exponents, no end of line
	write_text( PATH, "  DX 2\r\nnRows 2\r\nNCOLS 2\r\nDY 5\r\nYLLCENTER 1e1\r\nXllCenter -2.5E0\r\n"
					  "nodata_VALUE -1e10\r\n1e0 +2.50e+0\r\n\r\n\t.5 -125E-2" );
	ds_raster_report report;
	ds_terrain *t = load( PATH, NULL, &report );
	expect_near( report.spacing_north, 5, 0 );
	expect_near( report.spacing_east, 2, 0 );
	expect_near( depth_at( t, 15, -2.5 ), -1, 1e-6 );
	expect_near( depth_at( t, 15, -0.5 ), -2.5, 1e-6 );
	expect_near( depth_at( t, 10, -2.5 ), -0.5, 1e-6 );
	expect_near( depth_at( t, 10, -0.5 ), 1.25, 1e-6 );
	expect_near( report.south, 7.5, 1e-9 );
	ds_terrain_release( t );
}

#define SMALL "ncols 3 nrows 3 xllcenter 0 yllcenter 0 cellsize 10 nodata_value -99\n"

static void test_holes( void **state )
{
	(void)state;
	write_text( PATH, SMALL "-1 -1 -1\n-1 -1 nan\n-99 -1 -1\n" );
	ds_raster_report report;
	ds_terrain *t = load( PATH, NULL, &report );
	assert_int_equal( report.holes, 2 );
	ds_terrain_point point;
	assert_false( ds_terrain_at( t, 0, 0, &point ) ); // the hole is in the south-west
	assert_false( ds_terrain_at( t, 10, 20, &point ) ); // and at the middle of the east
	assert_true( ds_terrain_at( t, 20, 0, &point ) );
	ds_terrain_release( t );

	// another value for no ground: the file's own is a height then
	ds_raster_options o = ds_raster_options_default();
	o.nodata = -1;
	write_text( PATH, SMALL "-2 -2 -2\n-2 -2 -2\n-99 -2 -1\n" );
	t = load( PATH, &o, &report );
	assert_int_equal( report.holes, 1 );
	expect_near( depth_at( t, 0, 0 ), 99, 1e-4 );
	ds_terrain_release( t );

	write_text( PATH, SMALL "-99 -99 -99 -99 -99 -99 -99 nan -99" );
	expect_refused( PATH, NULL, DS_ERROR_RANGE, "no sample has ground" );
}

static void test_scale_and_depths( void **state )
{
	(void)state;
	write_text( PATH, SMALL "1 2 3 4 5 6 7 8 9\n" );
	ds_raster_options o = ds_raster_options_default();
	o.scale = 0.5;
	o.offset = -100; // height = 0.5 value - 100
	ds_terrain *t = load( PATH, &o, NULL );
	expect_near( depth_at( t, 20, 0 ), 99.5, 1e-6 );
	expect_near( depth_at( t, 0, 20 ), 95.5, 1e-6 );
	ds_terrain_release( t );
	o.depths = true;
	o.offset = 100;
	t = load( PATH, &o, NULL );
	expect_near( depth_at( t, 20, 0 ), 100.5, 1e-6 );
	ds_terrain_release( t );
}

static void test_window( void **state )
{
	(void)state;
	write_text( PATH, SMALL "-1 -2 -3 -4 -5 -6 -7 -8 -9\n" );
	ds_raster_options o = ds_raster_options_default();
	const double window[4] = { 0, 10, 10, 99 }; // south, west, north, east
	memcpy( o.window, window, sizeof( window ) );
	ds_raster_report report;
	ds_terrain *t = load( PATH, &o, &report );
	assert_int_equal( report.rows, 2 );
	assert_int_equal( report.columns, 2 );
	expect_near( depth_at( t, 10, 10 ), 5, 1e-6 );
	expect_near( depth_at( t, 0, 20 ), 9, 1e-6 );
	expect_near( report.west, 5, 1e-9 );
	expect_near( report.north, 15, 1e-9 );
	ds_terrain_release( t );

	// the limit is on what is read
	o.max_cells = 4;
	ds_terrain_release( load( PATH, &o, NULL ) );
	memset( o.window, 0, sizeof( o.window ) );
	expect_refused( PATH, &o, DS_ERROR_LIMIT, "3 x 3 samples are more than max_cells = 4" );
	o.window[0] = 11;
	o.window[2] = 19;
	o.window[3] = 20;
	expect_refused( PATH, &o, DS_ERROR_RANGE, "the window holds fewer than 2 x 2 samples" );
	o.window[2] = 5;
	expect_refused( PATH, &o, DS_ERROR_RANGE, "south < north" );
}

static void test_placed( void **state )
{
	(void)state;
	write_text( PATH, "ncols 3 nrows 3 xllcorner 500000 yllcorner 4e6 cellsize 10\n-1 -2 -3 -4 -5 -6 -7 -8 -9\n" );
	ds_raster_options o = ds_raster_options_default();
	o.placed = true;
	o.position[0] = 100;
	o.position[1] = -50;
	ds_terrain *t = load( PATH, &o, NULL );
	expect_near( depth_at( t, 100, -50 ), 5, 1e-6 );
	expect_near( depth_at( t, 110, -60 ), 1, 1e-6 );
	ds_terrain_release( t );
}

// ---- degrees -------------------------------------------------------------------------------------------------------

// Metres of a degree of latitude and of longitude: the series of Snyder, "Map Projections: A Working Manual", USGS Professional
// Paper 1395 (1987), eqs. 3-20 and 4-19 rounded to 1 cm for WGS-84, as the National Geospatial-Intelligence Agency gives it.
static double degree_north( double latitude )
{
	double a = latitude * DEGREE;
	return 111132.92 - 559.82 * cos( 2 * a ) + 1.175 * cos( 4 * a ) - 0.0023 * cos( 6 * a );
}

static double degree_east( double latitude )
{
	double a = latitude * DEGREE;
	return 111412.84 * cos( a ) - 93.5 * cos( 3 * a ) + 0.118 * cos( 5 * a );
}

static void test_degrees( void **state )
{
	(void)state;
	write_text( PATH, "ncols 3 nrows 3 xllcenter 204 yllcenter 44 cellsize 0.5\n-1 -2 -3 -4 -5 -6 -7 -8 -9\n" );
	ds_raster_options o = ds_raster_options_default();
	ds_raster_report report;
	ds_terrain *t = load( PATH, &o, &report );
	assert_string_equal( report.crs, "geographic" );
	// without an origin, about its own centre: latitude 44.5
	expect_near( report.spacing_north, 0.5 * degree_north( 44.5 ), 0.02 );
	expect_near( report.spacing_east, 0.5 * degree_east( 44.5 ), 0.02 );
	expect_near( depth_at( t, 0, 0 ), 5, 1e-6 );
	ds_terrain_release( t );

	// about an origin; 204 east is 156 west
	o.latitude = 43 * DEGREE;
	o.longitude = -156.25 * DEGREE;
	t = load( PATH, &o, &report );
	expect_near( report.spacing_east, 0.5 * degree_east( 43 ), 0.02 );
	double north = 1.5 * degree_north( 43 ), east = 0.75 * degree_east( 43 );
	expect_near( depth_at( t, north, east ), 5, 1e-5 );
	ds_terrain_properties p = ds_terrain_measure( t );
	expect_near( p.south, 1.0 * degree_north( 43 ), 0.05 );
	expect_near( p.west, 0.25 * degree_east( 43 ), 0.05 );
	ds_terrain_release( t );

	// placed: true to size at its own latitude
	o.placed = true;
	t = load( PATH, &o, &report );
	expect_near( report.spacing_east, 0.5 * degree_east( 44.5 ), 0.02 );
	expect_near( depth_at( t, 0, 0 ), 5, 1e-6 );
	ds_terrain_release( t );

	// the same numbers as metres
	o = ds_raster_options_default();
	o.crs = DS_CRS_LOCAL;
	t = load( PATH, &o, &report );
	assert_string_equal( report.crs, "local" );
	expect_near( depth_at( t, 44.5, 204.5 ), 5, 1e-6 );
	ds_terrain_release( t );
}

static void test_degrees_or_metres( void **state )
{
	(void)state;
	ds_raster_report report;
	write_text( PATH, "ncols 2 nrows 2 xllcenter 0 yllcenter 0 cellsize 5\n1 2 3 4\n" ); // cells too large for degrees
	ds_terrain_release( load( PATH, NULL, &report ) );
	assert_string_equal( report.crs, "local" );
	write_text( PATH, "ncols 2 nrows 2 xllcenter 0 yllcenter 89.5 cellsize 1\n1 2 3 4\n" ); // beyond the pole
	ds_terrain_release( load( PATH, NULL, &report ) );
	assert_string_equal( report.crs, "local" );
	ds_raster_options o = ds_raster_options_default();
	o.crs = DS_CRS_GEOGRAPHIC;
	expect_refused( PATH, &o, DS_ERROR_RANGE, "cannot be degrees" );
	o.latitude = 90 * DEGREE;
	o.longitude = 0;
	write_text( PATH, "ncols 2 nrows 2 xllcenter 0 yllcenter 88 cellsize 1\n1 2 3 4\n" );
	expect_refused( PATH, &o, DS_ERROR_RANGE, "pole" );
}

// ---- mistakes ------------------------------------------------------------------------------------------------------

#define HEAD "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n"

static void test_broken_files( void **state )
{
	(void)state;
	static const struct
	{
		const char *text;
		ds_status status;
		const char *part;
	} cases[] = {
		{ HEAD "1 2\n3\n", DS_ERROR_FORMAT, "grid.asc:8: the file ends in row 2, column 2" },
		{ HEAD "1 2\n3 4 5\n", DS_ERROR_FORMAT, "grid.asc:7: there is more (\"5\")" },
		{ HEAD "1 2\n3 x4\n", DS_ERROR_FORMAT, "grid.asc:7: row 2, column 2: expected a number, got \"x4\"" },
		{ HEAD "1 2\n3,5 4\n", DS_ERROR_FORMAT, "grid.asc:7: row 2, column 1: expected a number, got \"3,5\"" },
		{ HEAD "1 2\n3 inf\n", DS_ERROR_NOT_FINITE, "row 2, column 2 (x 15, y 5) is inf" },
		{ HEAD "1 2\n3 1e39\n", DS_ERROR_RANGE, "a height beyond 100 km" },
		{ HEAD "", DS_ERROR_FORMAT, "the file ends in row 1, column 1" },
		{ "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncelsize 10\n1 2 3 4", DS_ERROR_FORMAT,
			"grid.asc:5: \"celsize\" is no name of an ESRI ASCII grid's header; did you mean cellsize?" },
		{ "ncols 2\nncols 2\n", DS_ERROR_FORMAT, "grid.asc:2: ncols stands there twice (line 1)" },
		{ "ncols 2\nnrows 2\nxllcorner 0\ncellsize 10\n1 2 3 4", DS_ERROR_FORMAT, "must have yllcorner or yllcenter" },
		{ HEAD "xllcenter 0\n1 2 3 4", DS_ERROR_FORMAT, "xllcorner or xllcenter, not both" },
		{ "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2 3 4", DS_ERROR_FORMAT, "must have cellsize, or dx and dy" },
		{ HEAD "dx 1\n1 2 3 4", DS_ERROR_FORMAT, "not both" },
		{ "ncols 2.5\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3 4", DS_ERROR_RANGE, "grid.asc:1: ncols" },
		{ "ncols 1e9\nnrows 1e9\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3 4", DS_ERROR_FORMAT, "is too short" },
		{ "ncols 1\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3 4", DS_ERROR_RANGE, "2 columns or more" },
		{ "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n1 2 3 4", DS_ERROR_RANGE, "greater than 0" },
		{ "ncols 2\nnrows 2\nxllcorner nan\nyllcorner 0\ncellsize 10\n1 2 3 4", DS_ERROR_FORMAT,
			"grid.asc:3: xllcorner: expected a number, got \"nan\"" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( *cases ); ++i )
	{
		write_text( PATH, cases[i].text );
		expect_refused( PATH, NULL, cases[i].status, cases[i].part );
	}
}

static void test_strange_bytes( void **state )
{
	(void)state;
	const char nul[] = HEAD "1 2 3\0004 5\n";
	write_bytes( PATH, nul, sizeof( nul ) - 1 );
	expect_refused( PATH, NULL, DS_ERROR_FORMAT, "grid.asc:6: row 2, column 1: expected a number, got \"3?4\"" );

	size_t size = 1 << 20;
	char *text = malloc( size );
	memset( text, '1', size );
	memcpy( text, HEAD, strlen( HEAD ) );
	write_bytes( PATH, text, size );
	expect_refused( PATH, NULL, DS_ERROR_FORMAT, "grid.asc:6: a word of more than 255 characters" );

	// one line longer than any buffer is no fault
	int used = snprintf( text, size, "ncols 400 nrows 500 xllcorner 0 yllcorner 0 cellsize 10\n" );
	for ( int i = 0; i < 400 * 500; ++i )
	{
		used += snprintf( text + used, size - (size_t)used, "%d ", i % 977 );
	}
	write_bytes( PATH, text, (size_t)used );
	ds_terrain *t = load( PATH, NULL, NULL );
	for ( int row = 0; row < 500; row += 7 )
	{
		for ( int column = 0; column < 400; column += 11 )
		{
			double wanted = -( ( row * 400 + column ) % 977 );
			expect_near( depth_at( t, 5 + 10 * ( 499 - row ), 5 + 10 * column ), wanted, 1e-3 );
		}
	}
	ds_terrain_release( t );
	free( text );
}

static void test_other_files( void **state )
{
	(void)state;
	expect_refused( RASTER_PATH( "nothing" ), NULL, DS_ERROR_IO, "cannot be opened" );
	expect_refused( DEEPSIM_TEST_TMP, NULL, DS_ERROR_IO, "is not a regular file" );
	expect_refused( "/dev/zero", NULL, DS_ERROR_IO, "is not a regular file" );
	ds_terrain *terrain;
	assert_int_equal( ds_terrain_load( NULL, NULL, NULL, &terrain, NULL ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_terrain_load( PATH, NULL, NULL, NULL, NULL ), DS_ERROR_ARGUMENT );
}

static void test_options( void **state )
{
	(void)state;
	write_text( PATH, SMALL "1 2 3 4 5 6 7 8 9\n" );
	ds_raster_options o = { 0 };
	expect_refused( PATH, &o, DS_ERROR_ARGUMENT, "ds_raster_options_default" );
#define WRONG( field, value, status, part )                                                                            \
	o = ds_raster_options_default();                                                                                   \
	o.field = value;                                                                                                   \
	expect_refused( PATH, &o, status, part )
	WRONG( crs, 3, DS_ERROR_RANGE, "crs" );
	WRONG( scale, 0, DS_ERROR_RANGE, "scale not 0" );
	WRONG( offset, NAN, DS_ERROR_NOT_FINITE, "offset" );
	WRONG( latitude, 0, DS_ERROR_ARGUMENT, "go together" );
	WRONG( band, 0, DS_ERROR_RANGE, "band" );
	WRONG( band, 2, DS_ERROR_ARGUMENT, "has one band" );
	WRONG( variable[0], 'z', DS_ERROR_ARGUMENT, "no variables" );
	WRONG( cell, 5, DS_ERROR_ARGUMENT, "leave cell out" );
	WRONG( cell, -5, DS_ERROR_RANGE, "cell" );
	WRONG( max_cells, 3, DS_ERROR_RANGE, "max_cells" );
	WRONG( position[1], INFINITY, DS_ERROR_NOT_FINITE, "position" );
	o = ds_raster_options_default();
	memset( o.variable, 'x', sizeof( o.variable ) );
	expect_refused( PATH, &o, DS_ERROR_ARGUMENT, "63 bytes" );
}

// The numbers of a file mean the same whatever the program's locale.
static void test_locale( void **state )
{
	(void)state;
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8" };
	write_text( PATH, SMALL "1.123456789012345678901 2 3 4 5 6 7 8 9\n" );
	for ( int i = 0; i < 4; ++i )
	{
		if ( setlocale( LC_NUMERIC, names[i] ) )
		{
			ds_terrain *t = load( PATH, NULL, NULL );
			setlocale( LC_NUMERIC, "C" );
			expect_near( depth_at( t, 20, 0 ), -1.123456789, 1e-6 );
			ds_terrain_release( t );
			return;
		}
	}
	skip();
}

// ---- memory --------------------------------------------------------------------------------------------------------

static void test_memory( void **state )
{
	(void)state;
	write_text( PATH, SMALL "1 2 3 4 5 6 7 8 9\n" );
	expect_memory_handled( PATH, NULL, 3 );
}

// ETOPO1 about Hawaii: Mauna Loa stands 4000 m above the sea on a 2' grid, at 19.47 N 155.60 W (data/README.md of the reference).
static void test_hawaii( void **state )
{
	(void)state;
	const char *folder = getenv( "DEEPSIM_REFERENCE_DATA" );
	if ( folder == NULL )
	{
		skip();
	}
	char path[1024];
	snprintf( path, sizeof( path ), "%s/bathy/hawaii_etopo1.asc", folder );
	ds_raster_options o = ds_raster_options_default();
	o.latitude = 19.47 * DEGREE;
	o.longitude = -155.60 * DEGREE;
	ds_raster_report report;
	ds_terrain *t = load( path, &o, &report );
	assert_int_equal( report.rows, 209 );
	assert_int_equal( report.columns, 299 );
	expect_near( report.top, -4000, 0 );
	expect_near( report.bottom, 6134, 0 );
	// the summit lies within a cell of the origin
	double least = 0;
	for ( int i = -4; i <= 4; ++i )
	{
		for ( int k = -4; k <= 4; ++k )
		{
			least = fmin( least, depth_at( t, i * 500.0, k * 500.0 ) );
		}
	}
	expect_near( least, -4000, 60 );
	ds_terrain_release( t );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_rows_start_in_the_north ),
		cmocka_unit_test( test_header_in_any_form ),
		cmocka_unit_test( test_holes ),
		cmocka_unit_test( test_scale_and_depths ),
		cmocka_unit_test( test_window ),
		cmocka_unit_test( test_placed ),
		cmocka_unit_test( test_degrees ),
		cmocka_unit_test( test_degrees_or_metres ),
		cmocka_unit_test( test_broken_files ),
		cmocka_unit_test( test_strange_bytes ),
		cmocka_unit_test( test_other_files ),
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_locale ),
		cmocka_unit_test( test_memory ),
		cmocka_unit_test( test_hawaii ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

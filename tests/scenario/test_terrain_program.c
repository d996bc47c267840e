// deepsim terrain info and render, as people use them.

#include "tests/scenario/program.h"

#include <math.h>
#include <png.h>

// A ridge from south-west to north-east, 60 x 40 samples of 25 m, with one hole.
static void write_ridge( void )
{
	FILE *file = fopen( ROOT "ridge.asc", "w" );
	assert_non_null( file );
	fprintf( file, "ncols 60\nnrows 40\nxllcorner 0\nyllcorner 0\ncellsize 25\nNODATA_value -9999\n" );
	for ( int row = 0; row < 40; ++row )
	{
		for ( int column = 0; column < 60; ++column )
		{
			double across = ( column - 30 ) - ( 20 - row );
			double height = -3000 + 400 * exp( -across * across / 100 );
			fprintf( file, "%.2f ", row == 35 && column == 50 ? -9999 : height );
		}
		fprintf( file, "\n" );
	}
	assert_int_equal( fclose( file ), 0 );
}

static double number( const ds_json *object, const char *key )
{
	const ds_json *value = member( object, key );
	assert_true( value->type == DS_JSON_NUMBER );
	return value->number;
}

static void test_info( void **state )
{
	(void)state;
	write_ridge();
	assert_int_equal( deepsim( "terrain info ridge.asc" ), 0 );
	expect_empty( ERR );
	expect_text( OUT, "format                   ESRI ASCII" );
	expect_text( OUT, "samples                  40 x 60" );
	expect_text( OUT, "spacing                  25 m north, 25 m east" );
	expect_text( OUT, "z, down                  2600 to 3000 m (all below the sea)" );
	expect_text( OUT, "holes                    1" );
	assert_int_equal( deepsim( "terrain info ridge.asc --position=-100,200 --scale 2 --offset 10 --json" ), 0 );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	assert_true( fabs( number( root, "top" ) - 5190 ) < 1e-9 );
	assert_true( fabs( number( root, "bottom" ) - 5990 ) < 0.1 );
	assert_true( number( root, "holes" ) == 1 );
	// two triangles a cell, less the six about the hole
	assert_true( number( root, "triangles" ) == 2 * 39 * 59 - 6 );
	const ds_json *extent = member( root, "extent" );
	const double wanted[4] = { -100 - 39 * 12.5, 200 - 59 * 12.5, -100 + 39 * 12.5, 200 + 59 * 12.5 };
	int i = 0;
	for ( const ds_json *at = extent->first; at; at = at->next, ++i )
	{
		assert_true( fabs( at->number - wanted[i] ) < 1e-9 );
	}
	assert_int_equal( i, 4 );
	ds_arena_free( &arena );

	// every other option takes effect
	assert_int_equal( deepsim( "terrain info ridge.asc --window=0,0,500,500 --nodata=-3000 --json" ), 0 );
	expect_text( OUT, "\"rows\": 20" );
	assert_int_equal( deepsim( "terrain info ridge.asc --crs geographic" ), 1 );
	expect_text( ERR, "cannot be degrees" );
	assert_int_equal( deepsim( "terrain info ridge.asc --max-cells 2399" ), 1 );
	expect_text( ERR, "40 x 60 samples are more than max_cells = 2399" );
	assert_int_equal( deepsim( "terrain info ridge.asc --cell 3" ), 1 );
	assert_int_equal( deepsim( "terrain info ridge.asc --band 2" ), 1 );
	assert_int_equal( deepsim( "terrain info ridge.asc --variable z" ), 1 );
	assert_int_equal( deepsim( "terrain info ridge.asc --depths --scale -1" ), 0 );
	expect_text( OUT, "2600 to 3000 m" );
}

static void test_origin( void **state )
{
	(void)state;
	write_file( ROOT "sea.asc", "ncols 3 nrows 3 xllcenter -135 yllcenter 12 cellsize 0.5 1 2 3 4 5 6 7 8 9\n" );
	assert_int_equal( deepsim( "terrain info sea.asc" ), 0 );
	expect_text( OUT, "coordinates              geographic" );
	expect_text( OUT, "(110.6" ); // centred: two half degrees of latitude, to both sides
	assert_int_equal( deepsim( "terrain info sea.asc --latitude 12 --longitude 225" ), 0 );
	expect_text( OUT, "north                    0 to 110.6" );
	expect_text( OUT, "east                     0 to 108.9" );
	assert_int_equal( deepsim( "terrain info sea.asc --latitude 12" ), 1 );
	expect_text( ERR, "latitude and longitude of the origin go together" );
	assert_int_equal( deepsim( "terrain info sea.asc --latitude=-40 --longitude 0" ), 0 );
	expect_text( ERR, "from the world's origin" );
}

static void test_mistakes( void **state )
{
	(void)state;
	write_ridge();
	static const struct
	{
		const char *line, *part;
		int code;
	} cases[] = {
		{ "terrain", "usage: deepsim terrain", 2 },
		{ "terrain show x.asc", "unknown verb show", 2 },
		{ "terrain info", "a file is missing", 2 },
		{ "terrain info a.asc b.asc", "one file at a time", 2 },
		{ "terrain info ridge.asc --crs utm", "expected auto, local or geographic", 2 },
		{ "terrain info ridge.asc --latitude 91", "expected degrees from -90 to 90", 2 },
		{ "terrain info ridge.asc --window 1,2,3", "expected four numbers", 2 },
		{ "terrain info ridge.asc --window 3,2,1,4", "expected four numbers", 2 },
		{ "terrain info ridge.asc --position 1,2,3", "expected two numbers", 2 },
		{ "terrain info ridge.asc --scale 0", "expected a number that is not 0", 2 },
		{ "terrain info ridge.asc --band 0", "expected a whole number from 1", 2 },
		{ "terrain info ridge.asc --winow 1", "did you mean --window?", 2 },
		{ "terrain info nothing.asc", "nothing.asc: cannot be opened", 1 },
		{ "terrain render ridge.asc", "-o FILE is missing", 2 },
		{ "terrain render ridge.asc -o x.png --width 10", "from 200 to 16384", 2 },
		{ "terrain render ridge.asc -o x.png --light 315", "azimuth and elevation", 2 },
		{ "terrain render ridge.asc -o x.png --light 315,0", "azimuth and elevation", 2 },
		{ "terrain render ridge.asc -o x.png --exaggeration -1", "expected a positive number", 2 },
		{ "terrain render ridge.asc -o x.png --contours 0", "positive number of metres", 2 },
		{ "terrain render ridge.asc -o x.png --contours 0.01", "lines: give a step of", 2 },
		{ "terrain render ridge.asc -o nowhere/x.png", "nowhere/x.png: cannot open for writing", 1 },
		{ "terrain render nothing.asc -o x.png", "nothing.asc: cannot be opened", 1 },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( *cases ); ++i )
	{
		assert_int_equal( deepsim( cases[i].line ), cases[i].code );
		expect_text( ERR, cases[i].part );
	}
	assert_int_equal( access( ROOT "x.png", F_OK ), -1 );
}

// ---- pictures ------------------------------------------------------------------------------------------------------

typedef struct seen
{
	png_image image;
	unsigned char *rgb;
} seen;

static seen look( const char *path )
{
	seen s;
	memset( &s, 0, sizeof( s ) );
	s.image.version = PNG_IMAGE_VERSION;
	assert_int_not_equal( png_image_begin_read_from_file( &s.image, path ), 0 );
	s.image.format = PNG_FORMAT_RGB;
	s.rgb = malloc( PNG_IMAGE_SIZE( s.image ) );
	assert_int_not_equal( png_image_finish_read( &s.image, NULL, s.rgb, 0, NULL ), 0 );
	return s;
}

// Mean lightness about a place of the map, given as parts of its sides from the west and the north.
static double lightness( const seen *s, double x, double y )
{
	// the map's frame is the only column, and the only row, of dark pixels near to the left and the upper edge
	int width = (int)s->image.width, left = 0, upper = 0, right, lower;
	while ( s->rgb[3 * ( 100 * width + left )] > 100 )
	{
		++left;
	}
	while ( s->rgb[3 * ( upper * width + 100 )] > 100 )
	{
		++upper;
	}
	right = left + 1;
	while ( s->rgb[3 * ( 100 * width + right ) + 1] < 250 || s->rgb[3 * ( 100 * width + right )] < 250 )
	{
		++right;
	}
	lower = upper + ( right - left ) * 39 / 59;
	double sum = 0;
	int count = 0, cx = left + (int)( x * ( right - left ) ), cy = upper + (int)( y * ( lower - upper ) );
	for ( int row = cy - 6; row <= cy + 6; ++row )
	{
		for ( int column = cx - 6; column <= cx + 6; ++column )
		{
			const unsigned char *p = s->rgb + 3 * ( row * width + column );
			sum += p[0] + p[1] + p[2];
			++count;
		}
	}
	return sum / ( 3.0 * count );
}

static void test_render( void **state )
{
	(void)state;
	write_ridge();
	assert_int_equal( deepsim( "terrain render ridge.asc -o ridge.png" ), 0 );
	expect_empty( ERR );
	expect_text( OUT, "written" );
	seen s = look( ROOT "ridge.png" );
	assert_int_equal( s.image.width, 1200 );
	assert_in_range( s.image.height, 600, 900 );
	// the ridge runs through the middle to the north-east: its crest is lighter than the plain, and with light from the north-west
	// its north-western flank is lighter than the other
	double north_west = lightness( &s, 0.5 - 0.09, 0.5 - 0.13 ), south_east = lightness( &s, 0.5 + 0.09, 0.5 + 0.13 );
	double plain = lightness( &s, 0.15, 0.2 ), crest = lightness( &s, 0.5, 0.5 );
	assert_true( crest > plain + 30 );
	assert_true( north_west > south_east + 20 );
	free( s.rgb );

	// light from the other side
	assert_int_equal( deepsim( "terrain render ridge.asc -o ridge.png --light 135,45 --width 800" ), 0 );
	s = look( ROOT "ridge.png" );
	assert_int_equal( s.image.width, 800 );
	assert_true( lightness( &s, 0.5 + 0.09, 0.5 + 0.13 ) > lightness( &s, 0.5 - 0.09, 0.5 - 0.13 ) + 20 );
	free( s.rgb );

	// same picture, same bytes; other options, other pictures
	assert_int_equal( deepsim( "terrain render ridge.asc -o - --width 800 --light 135,45" ), 0 );
	assert_int_equal( shell( "cmp '" OUT "' '" ROOT "ridge.png'" ), 0 );
	assert_int_equal( deepsim( "terrain render ridge.asc -o a.png --width 800" ), 0 );
	assert_int_equal( deepsim( "terrain render ridge.asc -o b.png --width 800 --exaggeration 7" ), 0 );
	assert_int_equal( deepsim( "terrain render ridge.asc -o c.png --width 800 --contours 50" ), 0 );
	assert_int_equal( shell( "cmp -s '" ROOT "a.png' '" ROOT "b.png'" ), 1 );
	assert_int_equal( shell( "cmp -s '" ROOT "a.png' '" ROOT "c.png'" ), 1 );
	assert_int_equal( access( ROOT "a.png.part", F_OK ), -1 );

	// shapes far from square, and level ground
	write_file( ROOT "long.asc",
		"ncols 40 nrows 2 xllcenter 0 yllcenter 0 cellsize 10\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
		" 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
		" 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n" );
	assert_int_equal( deepsim( "terrain render long.asc -o long.png --contours 1" ), 0 );
	write_file( ROOT "tall.asc", "ncols 2 nrows 6 xllcenter 0 yllcenter 0 cellsize 10\n1 2 3 4 5 6 7 8 9 10 11 12\n" );
	assert_int_equal( deepsim( "terrain render tall.asc -o tall.png" ), 0 );
	s = look( ROOT "tall.png" );
	assert_in_range( s.image.height, 1190, 1210 );
	free( s.rgb );
}

// The seabed of a scenario, which says itself how it lies.
static void test_render_scenario( void **state )
{
	(void)state;
#define SCENE( elevation ) "{\"deepsim\":1,\"environment\":{\"seabed\":{\"elevation\":" elevation "}}}"
	write_file( ROOT "mount.json",
		SCENE( "{\"model\":\"seamount\",\"depth\":900,\"height\":300,\"radius\":200,\"spacing\":5}" ) );
	assert_int_equal( deepsim( "terrain render mount.json -o mount.png --width 600" ), 0 );
	expect_empty( ERR );
	seen s = look( ROOT "mount.png" );
	assert_int_equal( s.image.width, 600 );
	assert_true( lightness( &s, 0.5, 0.5 ) > lightness( &s, 0.1, 0.9 ) + 20 ); // its top is lighter than the plain
	free( s.rgb );
	write_file( ROOT "plain.json", SCENE( "{\"model\":\"slope\",\"depth\":900,\"slope_deg\":3}" ) );
	assert_int_equal( deepsim( "terrain render plain.json -o plain.png" ), 1 );
	expect_text( ERR, "there is nothing to draw" );
	assert_int_equal( deepsim( "terrain render mount.json -o mount.png --cell 2" ), 2 );
	expect_text( ERR, "--cell is for rasters" );
	write_file( ROOT "bad.json", "{\"deepsim\":1,\"enviroment\":{}}" );
	assert_int_equal( deepsim( "terrain render bad.json -o bad.png" ), 1 );
	expect_text( ERR, "enviroment" );
}

// A full disk is an error, and leaves no half file.
static void test_full_disk( void **state )
{
	(void)state;
	write_ridge();
	assert_int_equal( deepsim( "terrain render ridge.asc -o /dev/full" ), 1 );
	expect_text( ERR, "/dev/full: cannot write: No space left on device" );
	char line[1024];
	snprintf( line, sizeof( line ), "cd '%s' && '%s' terrain render ridge.asc -o - >/dev/full 2>'%s'", DEEPSIM_TEST_TMP,
		DEEPSIM_PROGRAM, ERR );
	assert_int_equal( shell( line ), 1 );
	expect_text( ERR, "No space left on device" );
	// a limit on the size of files stands for a full disk; the older picture stays
	write_file( ROOT "old.png", "old" );
	snprintf( line, sizeof( line ), "cd '%s' && ulimit -f 8 && '%s' terrain render ridge.asc -o old.png 2>'%s'",
		DEEPSIM_TEST_TMP, DEEPSIM_PROGRAM, ERR );
	assert_int_equal( shell( line ), 1 );
	expect_text( ERR, "old.png: cannot write: File too large" );
	char *text = read_file( ROOT "old.png" );
	assert_string_equal( text, "old" );
	free( text );
	assert_int_equal( access( ROOT "old.png.part", F_OK ), -1 );
}

// Without the module, other formats are refused with what would give it.
static void test_without_module( void **state )
{
	(void)state;
	write_file( ROOT "x.tif", "II*" );
	mkdir( ROOT "alone", 0777 );
	char line[4096];
	snprintf( line, sizeof( line ),
		"cp '%s' '" ROOT "alone/deepsim' && cd '%s' && DEEPSIM_MODULE_PATH=/nowhere '" ROOT
		"alone/deepsim' terrain info x.tif 2>'%s'",
		DEEPSIM_PROGRAM, DEEPSIM_TEST_TMP, ERR );
	assert_int_equal( shell( line ), 1 );
	if ( access( "/usr/local/lib/deepsim/raster_gdal.so", F_OK ) != 0 )
	{
		expect_text( ERR, "x.tif: is read by GDAL, and the module raster_gdal.so is not there (looked in /nowhere, " );
		expect_text( ERR, "alone/deepsim" );
		expect_text( ERR, "-DDEEPSIM_GDAL=ON (Debian: libgdal-dev)" );
	}
	remove( ROOT "alone/deepsim" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_info ),
		cmocka_unit_test( test_origin ),
		cmocka_unit_test( test_mistakes ),
		cmocka_unit_test( test_render ),
		cmocka_unit_test( test_render_scenario ),
		cmocka_unit_test( test_full_disk ),
		cmocka_unit_test( test_without_module ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

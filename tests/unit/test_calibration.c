// Calibration files: all formats read and written, every fault refused by file, line and member, nothing that crashes.

#include "optics/calibration.h"
#include "optics/lens_internal.h"
#include "world_kit.h"

#include <locale.h>
#include <math.h>
#include <unistd.h>

// As FileStorage of OpenCV 4 writes what its sample calibration.cpp gives it.
static const char opencv_yaml[] = "%YAML:1.0\n"
								  "---\n"
								  "calibration_time: \"Tue 02 Jan 2024 10:00:00 AM UTC\"\n"
								  "nframes: 2\n"
								  "image_width: 960\n"
								  "image_height: 540\n"
								  "board_width: 9\n"
								  "square_size: 2.5000000372529030e-02\n"
								  "# flags: +fix_k3\n"
								  "flags: 128\n"
								  "camera_matrix: !!opencv-matrix\n"
								  "   rows: 3\n"
								  "   cols: 3\n"
								  "   dt: d\n"
								  "   data: [ 5.8275853626878380e+02, 0., 4.7995702656023155e+02, 0.,\n"
								  "       5.8084463491789920e+02, 2.7182989292122550e+02, 0., 0., 1. ]\n"
								  "distortion_coefficients: !!opencv-matrix\n"
								  "   rows: 5\n"
								  "   cols: 1\n"
								  "   dt: d\n"
								  "   data: [ -1.1509741413409470e-01, 1.0292772047643643e-01,\n"
								  "       1.4198363248160380e-03, -1.8378214527896284e-03, 0. ]\n"
								  "avg_reprojection_error: .3125\n"
								  "per_view_reprojection_errors: !!opencv-matrix\n"
								  "   rows: 2\n"
								  "   cols: 1\n"
								  "   dt: f\n"
								  "   data: [ 3.07290554e-01, .Nan ]\n"
								  "image_points: !!opencv-matrix\n"
								  "   rows: 1\n"
								  "   cols: 2\n"
								  "   dt: \"2f\"\n"
								  "   data: [ 1., 2., 3., 4. ]\n"
								  "names:\n"
								  "   - left01.png\n"
								  "   - { x: 1, y: [ 2, 3 ] }\n";

static const char opencv_xml[] =
	"<?xml version=\"1.0\"?>\n"
	"<opencv_storage>\n"
	"<!-- flags: +fix_k3 -->\n"
	"<calibration_Time>\"Tue 02 Jan 2024\"</calibration_Time>\n"
	"<image_Width>960</image_Width>\n"
	"<image_Height>540</image_Height>\n"
	"<names><_>left01.png</_><_>left02.png</_></names>\n"
	"<Camera_Matrix type_id=\"opencv-matrix\">\n"
	"  <rows>3</rows>\n"
	"  <cols>3</cols>\n"
	"  <dt>d</dt>\n"
	"  <data>\n"
	"    5.8275853626878380e+02 0. 4.7995702656023155e+02 0.\n"
	"    5.8084463491789920e+02 2.7182989292122550e+02 0. 0. 1.</data></Camera_Matrix>\n"
	"<Distortion_Coefficients type_id=\"opencv-matrix\">\n"
	"  <rows>5</rows>\n"
	"  <cols>1</cols>\n"
	"  <dt>d</dt>\n"
	"  <data>\n"
	"    -1.1509741413409470e-01 1.0292772047643643e-01\n"
	"    1.4198363248160380e-03 -1.8378214527896284e-03 0.</data></Distortion_Coefficients>\n"
	"</opencv_storage>\n";

static const char ros_yaml[] =
	"image_width: 960\n"
	"image_height: 540\n"
	"camera_name: gopro\n"
	"camera_matrix:\n"
	"  rows: 3\n"
	"  cols: 3\n"
	"  data: [582.7585362687838, 0, 479.95702656023155, 0, 580.844634917899200, 271.8298929212255, 0, 0, 1]\n"
	"distortion_model: plumb_bob\n"
	"distortion_coefficients:\n"
	"  rows: 1\n"
	"  cols: 5\n"
	"  data: [-0.1150974141340947, 0.10292772047643643, 0.001419836324816038, -0.0018378214527896284, 0]\n"
	"rectification_matrix:\n"
	"  rows: 3\n"
	"  cols: 3\n"
	"  data: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n"
	"projection_matrix:\n"
	"  rows: 3\n"
	"  cols: 4\n"
	"  data: [582.7, 0, 479.9, 0, 0, 580.8, 271.8, 0, 0, 0, 1, 0]\n";

static ds_status parse( const char *text, ds_lens *lens )
{
	memset( lens, 0, sizeof( *lens ) );
	return ds_calibration_parse( "file", text, strlen( text ), lens );
}

static void check_gopro( const char *text )
{
	ds_lens lens;
	OK( parse( text, &lens ) );
	assert_int_equal( lens.model, DS_LENS_RECTILINEAR );
	assert_int_equal( lens.width, 960 );
	assert_int_equal( lens.height, 540 );
	NEAR( lens.fx, 582.7585362687838, 0 );
	NEAR( lens.fy, 580.8446349178992, 0 );
	NEAR( lens.cx, 479.95702656023155, 0 );
	NEAR( lens.cy, 271.8298929212255, 0 );
	NEAR( lens.k[0], -0.1150974141340947, 0 );
	NEAR( lens.k[1], 0.10292772047643643, 0 );
	NEAR( lens.k[2], 0, 0 );
	NEAR( lens.p[0], 0.001419836324816038, 0 );
	NEAR( lens.p[1], -0.0018378214527896284, 0 );
}

static void test_formats( void **state )
{
	(void)state;
	check_gopro( opencv_yaml );
	check_gopro( opencv_xml );
	check_gopro( ros_yaml );
}

// Whatever decimal point the program's language has.
static void test_locale( void **state )
{
	(void)state;
	if ( setlocale( LC_ALL, "de_DE.UTF-8" ) )
	{
		check_gopro( opencv_yaml );
		check_gopro( opencv_xml );
	}
	setlocale( LC_ALL, "C" );
}

// ---- models and coefficients -------------------------------------------------------------------------------------------

#define HEAD "image_width: 640\nimage_height: 480\n"
#define K    "K: [500, 0, 320, 0, 510, 240, 0, 0, 1]\n"

static void test_coefficients( void **state )
{
	(void)state;
	ds_lens lens;
	OK( parse( HEAD K "D: [1, 2, 3, 4]\n", &lens ) ); // a pinhole, as nothing says otherwise
	assert_int_equal( lens.model, DS_LENS_RECTILINEAR );
	NEAR( lens.p[1], 4, 0 );
	OK( parse( HEAD K "D: [1, 2, 3, 4, 5]\n", &lens ) );
	NEAR( lens.k[2], 5, 0 );
	OK( parse( HEAD K "distortion_model: rational_polynomial\nD: [1, 2, 3, 4, 5, 0, 0, 0]\n", &lens ) );
	NEAR( lens.k[2], 5, 0 );
	OK( parse( HEAD K "D: [1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0]\n", &lens ) );
	OK( parse( HEAD K "D: [1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n", &lens ) );
	FAILS( parse( HEAD K "D: [1, 2, 3, 4, 5, 0, 0.5, 0]\n", &lens ), DS_ERROR_UNSUPPORTED,
		"file:4: D[6] (k5): lenses here" );
	FAILS( parse( HEAD K "D: [1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 1]\n", &lens ), DS_ERROR_UNSUPPORTED, "D[11] (s4)" );
	FAILS( parse( HEAD K "D: [0, 0, 0, 0, 0, 0]\n", &lens ), DS_ERROR_FORMAT, "4, 5, 8, 12 or 14 numbers, got 6" );
	FAILS( parse( HEAD K "D: []\n", &lens ), DS_ERROR_FORMAT, "got 0" );

	const char *fisheyes[] = { "distortion_model: equidistant\n", "distortion_model: fisheye\n", "fisheye_model: 1\n",
		"fisheye_model: true\n", "camera_model: \"equidistant\"\n" };
	for ( size_t i = 0; i < sizeof( fisheyes ) / sizeof( fisheyes[0] ); ++i )
	{
		char text[400];
		snprintf( text, sizeof( text ), HEAD K "%sD: [0.1, 0.2, 0.3, 0.4]\n", fisheyes[i] );
		OK( parse( text, &lens ) );
		assert_int_equal( lens.model, DS_LENS_FISHEYE );
		NEAR( lens.k[3], 0.4, 0 );
		NEAR( lens.p[1], 0, 0 );
	}
	FAILS( parse( HEAD K "fisheye_model: 1\nD: [1, 2, 3, 4, 5]\n", &lens ), DS_ERROR_FORMAT, "of 4 numbers, got 5" );
	FAILS( parse( HEAD K "fisheye_model: 0\ndistortion_model: equidistant\nD: [1, 2, 3, 4]\n", &lens ), DS_ERROR_FORMAT,
		"fisheye_model says another model than distortion_model (line 5)" );
	FAILS( parse( HEAD K "distortion_model: omni\nD: [1, 2, 3, 4]\n", &lens ), DS_ERROR_UNSUPPORTED,
		"file:4: distortion_model: expected plumb_bob" );
}

// ---- faults ------------------------------------------------------------------------------------------------------------

static void test_faults( void **state )
{
	(void)state;
	static const struct
	{
		const char *text;
		ds_status status;
		const char *message;
	} faults[] = {
		{ "", DS_ERROR_FORMAT, "file: no calibration" },
		{ "42\n", DS_ERROR_FORMAT, "no calibration" },
		{ "- 1\n- 2\n", DS_ERROR_FORMAT, "no calibration" },
		{ HEAD, DS_ERROR_FORMAT, "lacks camera_matrix" },
		{ HEAD K, DS_ERROR_FORMAT, "lacks distortion_coefficients" },
		{ "image_width: 640\n" K "D: [0, 0, 0, 0]\n", DS_ERROR_FORMAT, "lacks image_height" },
		{ "image_width: 640.5\nimage_height: 480\n", DS_ERROR_RANGE, "file:1: image_width: expected an integer" },
		{ "image_width: 640\nimage_height: -3\n", DS_ERROR_RANGE, "file:2: image_height" },
		{ "image_width: wide\n", DS_ERROR_FORMAT, "file:1: image_width[0]: expected a finite number, got \"wide\"" },
		{ "image_width: 0x40\n", DS_ERROR_FORMAT, "0x40" },
		{ "image_width: nan\n", DS_ERROR_FORMAT, "\"nan\"" },
		{ "image_width: 1e999\n", DS_ERROR_FORMAT, "\"1e999\"" },
		{ "image_width: [1, 2]\n", DS_ERROR_FORMAT, "expected one number, got 2" },
		{ "image_width: { a: 1 }\n", DS_ERROR_FORMAT, "expected numbers, got members" },
		{ "image_width: 1\nimage_width: 2\n", DS_ERROR_FORMAT, "file:2: image_width stands there twice (line 1)" },
		{ HEAD "width: 640\n", DS_ERROR_FORMAT, "file:3: width says the same as image_width (line 1)" },
		{ HEAD "K: [500, 0, 320, 0, 510, 240]\n", DS_ERROR_FORMAT, "file:3: K: expected 3 rows of 3 numbers, got 6" },
		{ HEAD "K: [500, 1, 320, 0, 510, 240, 0, 0, 1]\n", DS_ERROR_UNSUPPORTED, "no skew" },
		{ HEAD "K: [500, 0, 320, 0, 510, 240, 0, 0, 2]\n", DS_ERROR_FORMAT, "0, 0, 1]" },
		{ HEAD "K: [0, 0, 0, 0, 0, 0, 0, 0, 1]\n", DS_ERROR_RANGE,
			"fx: expected a number in [0.001, 1e6] px, got 0 (a camera" },
		{ HEAD "K: [500, 0, 320, 0, -510, 240, 0, 0, 1]\n", DS_ERROR_RANGE, "fy" },
		{ HEAD K "D: [1e9, 0, 0, 0]\n", DS_ERROR_RANGE, "D[0]" },
		{ HEAD "K: { rows: 3, cols: 3 }\n", DS_ERROR_FORMAT, "K: expected a matrix with rows, cols and data" },
		{ HEAD "K: { rows: 3, cols: 2, data: [500, 0, 320, 0, 510, 240, 0, 0, 1] }\n", DS_ERROR_FORMAT,
			"3 rows of 2 columns, but 9 numbers" },
		{ HEAD "K: { rows: 1, cols: 9, data: [500, 0, 320, 0, 510, 240, 0, 0, 1] }\n", DS_ERROR_FORMAT, "in 1 rows" },
		{ HEAD "K: { rows: 3, cols: 3, dt: 2d, data: [500, 0, 320, 0, 510, 240, 0, 0, 1] }\n", DS_ERROR_FORMAT,
			"\"2d\"" },
		{ HEAD "K: { rows: 3, cols: 3, data: [500, 0, 320, 0, x, 240, 0, 0, 1] }\n", DS_ERROR_FORMAT,
			"file:3: K.data[4]: expected a finite number, got \"x\"" },
		{ HEAD "K: { rows: 3, cols: 3, data: [500, 0, 320\n", DS_ERROR_FORMAT, "file:4: no YAML" },
		{ "a: &x [1]\nb: *x\n", DS_ERROR_FORMAT, "file:2: an alias (*x)" },
		{ "---\na: 1\n---\nb: 2\n", DS_ERROR_FORMAT, "file:3: a second document" },
		{ "? [1, 2]\n: 3\n", DS_ERROR_FORMAT, "a member's name must be a text" },
		{ "a: \"x\\0y\"\n", DS_ERROR_FORMAT, "NUL" },
		{ "%YAML:1.0\n---\na: [\n", DS_ERROR_FORMAT, "file:4: no YAML" },
		{ "<a/>", DS_ERROR_FORMAT, "file:1: the outermost element is <a>" },
		{ "<opencv_storage>\n<a>\n</b>\n</opencv_storage>", DS_ERROR_FORMAT, "file:3: no XML: mismatched tag" },
		{ "<opencv_storage>x<a>1</a></opencv_storage>", DS_ERROR_FORMAT, "text beside the element a" },
		{ "<opencv_storage><a><_>1</_><b>1</b></a></opencv_storage>", DS_ERROR_FORMAT, "side by side" },
		{ "<opencv_storage>\n<image_width>1</image_width>\n<image_width>1</image_width></opencv_storage>",
			DS_ERROR_FORMAT, "file:3: image_width stands there twice" },
		{ "<opencv_storage>\n<K>\n1 2\nfour</K></opencv_storage>", DS_ERROR_FORMAT, "file:4: K[2]" },
		{ "<!DOCTYPE a [<!ENTITY b \"bb\">]><opencv_storage>&b;</opencv_storage>", DS_ERROR_FORMAT, "a document type" },
	};
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		ds_lens lens;
		FAILS( parse( faults[i].text, &lens ), faults[i].status, faults[i].message );
	}
}

// Deep and wide files end at their limits.
static void test_limits( void **state )
{
	(void)state;
	ds_lens lens;
	size_t size = (size_t)4 << 20;
	char *text = malloc( size + 1 );
	assert_non_null( text );
	memset( text, '[', 100000 );
	text[100000] = '\0';
	FAILS( parse( text, &lens ), DS_ERROR_LIMIT, "more than 32 levels" );
	size_t used = (size_t)sprintf( text, "<opencv_storage>" );
	for ( int i = 0; i < 40; ++i )
	{
		used += (size_t)sprintf( text + used, "<_>" );
	}
	FAILS( parse( text, &lens ), DS_ERROR_LIMIT, "more than 32 levels" );
	used = (size_t)sprintf( text, "a: [" );
	while ( used < 1100000 )
	{
		memcpy( text + used, "1,", 3 );
		used += 2;
	}
	FAILS( parse( text, &lens ), DS_ERROR_LIMIT, "more than 500000 values" );
	used = 0;
	for ( int i = 0; i < 2000; ++i )
	{
		used += (size_t)sprintf( text + used, "a%d: 1\n", i );
	}
	FAILS( parse( text, &lens ), DS_ERROR_LIMIT, "more than 1000 members" );
	FAILS( ds_calibration_parse( "file", text, ( (size_t)16 << 20 ) + 1, &lens ), DS_ERROR_LIMIT, "bytes" );
	free( text );
}

static void check_any( const char *text, size_t size )
{
	ds_lens lens;
	memset( &lens, 0, sizeof( lens ) );
	ds_error( DS_OK, "%s", "" );
	ds_status status = ds_calibration_parse( "file", text, size, &lens );
	if ( status != DS_OK )
	{
		assert_true( ds_last_error()[0] != '\0' );
		return;
	}
	if ( lens.width > 0 )
	{
		OK( ds_lens_finish( &lens, "file" ) );
	}
}

static void test_damage( void **state )
{
	(void)state;
	const char *texts[] = { opencv_yaml, opencv_xml, ros_yaml };
	uint32_t x = 1;
	for ( int i = 0; i < 3; ++i )
	{
		size_t size = strlen( texts[i] );
		char *copy = malloc( size );
		assert_non_null( copy );
		for ( size_t cut = 0; cut <= size; ++cut )
		{
			memcpy( copy, texts[i], size );
			check_any( copy, cut );
		}
		for ( int k = 0; k < 4000; ++k )
		{
			memcpy( copy, texts[i], size );
			for ( int changes = 0; changes <= k % 4; ++changes )
			{
				x = x * 1664525u + 1013904223u;
				static const char likely[] = "0-.:[]{}<>&*!\"'%#, \n\t\xff\xc3_e";
				size_t at = ( x >> 8 ) % size;
				x = x * 1664525u + 1013904223u;
				copy[at] = x >> 31 ? (char)( x >> 20 ) : likely[( x >> 8 ) % sizeof( likely )];
			}
			check_any( copy, size );
		}
		free( copy );
	}
}

// ---- files -------------------------------------------------------------------------------------------------------------

static ds_lens odd_lens( int32_t model )
{
	ds_lens_config config = ds_lens_config_default();
	config.model = model;
	config.width = 1601;
	config.height = 1199;
	config.fx = 1000 * sqrt( 2 );
	config.fy = 1000 / 0.7;
	config.center_kind = DS_LENS_CENTER_GIVEN;
	config.center[0] = 800;
	config.center[1] = 600.1;
	for ( int i = 0; i < 4; ++i )
	{
		config.k[i] = i == 3 && model == DS_LENS_RECTILINEAR ? 0 : sin( i + 1 ) * pow( 10, -3 * i );
	}
	config.p[0] = model == DS_LENS_RECTILINEAR ? 1.0 / 3e3 : 0;
	config.p[1] = model == DS_LENS_RECTILINEAR ? -1e-300 : 0;
	ds_lens lens;
	OK( ds_lens_make( &config, &lens ) );
	return lens;
}

static void test_round_trip( void **state )
{
	(void)state;
	char path[1024];
	snprintf( path, sizeof( path ), "%s/lens.file", DEEPSIM_TEST_TMP );
	for ( int format = 0; format < DS_LENS_FORMAT_COUNT; ++format )
	{
		for ( int32_t model = 0; model <= DS_LENS_FISHEYE; ++model )
		{
			ds_lens lens = odd_lens( model ), back;
			OK( ds_lens_save( &lens, "a \"b\\c\"\n", (ds_lens_format)format, path ) );
			OK( ds_lens_load( path, &back ) );
			assert_memory_equal( &lens, &back, sizeof( lens ) );

			// the config that names the file gives the same lens, with the vignetting of its own
			ds_lens_config config = ds_lens_config_default();
			snprintf( config.calibration, sizeof( config.calibration ), "%s", path );
			config.fov = 3.5; // has no say
			config.vignetting = 4;
			OK( ds_lens_make( &config, &back ) );
			lens.vignetting = 4;
			assert_memory_equal( &lens, &back, sizeof( lens ) );
		}
	}
	ds_lens lens = odd_lens( DS_LENS_RECTILINEAR );
	lens.model = DS_LENS_STEREOGRAPHIC;
	FAILS( ds_lens_save( &lens, NULL, DS_LENS_ROS_YAML, path ), DS_ERROR_UNSUPPORTED, "stereographic" );
	lens.fx = NAN;
	FAILS( ds_lens_save( &lens, NULL, DS_LENS_ROS_YAML, path ), DS_ERROR_RANGE, "fx" );
	lens = odd_lens( DS_LENS_RECTILINEAR );
	FAILS( ds_lens_save( &lens, NULL, DS_LENS_ROS_YAML, DEEPSIM_TEST_TMP ), DS_ERROR_IO, "is no file" );
	FAILS(
		ds_lens_save( &lens, NULL, DS_LENS_ROS_YAML, DEEPSIM_TEST_TMP "/no/file" ), DS_ERROR_IO, "cannot be written" );
	FAILS( ds_lens_save( &lens, NULL, DS_LENS_FORMAT_COUNT, path ), DS_ERROR_ARGUMENT, "format" );
	FAILS( ds_lens_load( DEEPSIM_TEST_TMP "/none", &lens ), DS_ERROR_IO, "cannot be opened" );
	FAILS( ds_lens_load( DEEPSIM_TEST_TMP, &lens ), DS_ERROR_IO, "not a regular file" );
}

// A file without a size: the config's own holds; without a config it is missing.
static void test_size( void **state )
{
	(void)state;
	char path[1024];
	snprintf( path, sizeof( path ), "%s/nosize.yaml", DEEPSIM_TEST_TMP );
	FILE *file = fopen( path, "w" );
	assert_non_null( file );
	fputs( K "D: [0, 0, 0, 0]\n", file );
	fclose( file );
	ds_lens lens;
	FAILS( ds_lens_load( path, &lens ), DS_ERROR_FORMAT, "lacks the size" );
	ds_lens_config config = ds_lens_config_default();
	config.width = 800;
	snprintf( config.calibration, sizeof( config.calibration ), "%s", path );
	OK( ds_lens_make( &config, &lens ) );
	assert_int_equal( lens.width, 800 );
	assert_int_equal( lens.height, 480 );
	NEAR( lens.fx, 500, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_formats ),
		cmocka_unit_test( test_locale ),
		cmocka_unit_test( test_coefficients ),
		cmocka_unit_test( test_faults ),
		cmocka_unit_test( test_limits ),
		cmocka_unit_test( test_damage ),
		cmocka_unit_test( test_round_trip ),
		cmocka_unit_test( test_size ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

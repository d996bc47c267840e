// deepsim render, as people use it.

#include "tests/scenario/program.h"

#include "io/image.h"

#include <math.h>

// A vehicle with two cameras that flies over the seabed towards a ball.
static void write_scene( const char *path, bool second )
{
	char text[4096];
	snprintf( text, sizeof( text ),
		"{ \"deepsim\": 1, \"name\": \"scene\", \"duration\": 2, \"rate\": 20, \"seed\": 5,\n"
		"  \"environment\": { \"gravity\": 0, \"seabed\": { \"elevation\": { \"model\": \"flat\", \"depth\": 3003 } } "
		"},\n"
		"  \"bodies\": [ { \"name\": \"rov\", \"mass\": 10, \"inertia\": [1, 1, 1], \"hydrodynamics\": { \"model\": "
		"\"none\" },\n"
		"    \"pose\": { \"position\": [0, 0, 3000], \"rpy_deg\": [0, -30, 0] }, \"velocity\": { \"linear\": [0.5, 0, "
		"0] } },\n"
		"    { \"name\": \"ball\", \"mesh\": { \"make\": \"sphere\", \"radius\": 0.4, \"faces\": 1280 }, \"mass\": "
		"10,\n"
		"    \"inertia\": \"mesh\", \"fixed\": true, \"pose\": { \"position\": [4, 0, 3002.5] } } ],\n"
		"  \"actuators\": [ { \"name\": \"lamp\", \"type\": \"lamp\", \"body\": \"rov\", \"mount\": { \"position\": "
		"[0, 0, -0.4] },\n"
		"    \"config\": { \"level\": 1, \"flux\": 60 } } ],\n"
		"  \"sensors\": [ { \"name\": \"front\", \"type\": \"camera\", \"body\": \"rov\", \"rate\": 5, \"config\": {\n"
		"    \"lens\": { \"width\": 80, \"height\": 60 }, \"sensor\": { \"shot_noise\": false, \"read_noise\": 0 } } "
		"}%s ]\n"
		"}\n",
		second ? ",\n    { \"name\": \"back\", \"type\": \"camera\", \"body\": \"rov\", \"rate\": 5 }" : "" );
	write_file( path, text );
}

static void read_image( const char *path, int64_t width, int64_t height, int channels, int bits, ds_image *image )
{
	FILE *file = fopen( path, "rb" );
	assert_non_null( file );
	static uint8_t bytes[1 << 20];
	size_t size = fread( bytes, 1, sizeof( bytes ), file );
	fclose( file );
	if ( ds_image_decode( path, bytes, (int64_t)size, 1 << 24, NULL, image ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	assert_int_equal( image->width, width );
	assert_int_equal( image->height, height );
	assert_int_equal( image->channels, channels );
	assert_int_equal( image->bits, bits );
}

static void test_frames( void **state )
{
	(void)state;
	write_scene( ROOT "scene.json", false );
	assert_int_equal( deepsim( "render scene.json --time 0.9 -o c.png --depth d.png --z-depth z.npy --normals n.png "
							   "--segmentation s.png --flow f.npy --radiance r.npy" ),
		0 );
	expect_text( OUT, "front, 80 x 60 pixels, t = 1 s" );
	expect_text( OUT, "seen         100.0 % of the pixels" );
	expect_text( OUT, "colour       c.png" );
	expect_text( OUT, "flow         f.npy" );
	ds_image color, depth, ids, normals;
	read_image( ROOT "c.png", 80, 60, 3, 8, &color );
	read_image( ROOT "d.png", 80, 60, 1, 16, &depth );
	read_image( ROOT "n.png", 80, 60, 3, 8, &normals );
	read_image( ROOT "s.png", 80, 60, 3, 8, &ids );
	// on the axis it sees the seabed, or the ball
	const int middle = 30 * 80 + 40;
	double angle = atan( 0.5 / ( 40 / tan( 35 * 3.14159265358979 / 180 ) ) );
	int id = ( (uint8_t *)ids.pixels )[3 * middle], bottom = ( (uint8_t *)ids.pixels )[3 * ( 59 * 80 + 40 )];
	assert_true( id == 1 || id == 3 );
	assert_int_equal( bottom, 1 );
	assert_true( angle > 0 );
	// the row below the middle by 29.5 pixels looks down by 30 degrees and the angle of that
	double down = 30 * 3.14159265358979 / 180 + atan( 29.5 / ( 40 / tan( 35 * 3.14159265358979 / 180 ) ) );
	double range = 3 / sin( down );
	assert_true( fabs( ( (uint16_t *)depth.pixels )[59 * 80 + 40] - 1000 * range ) < 2 );
	// the seabed's normal there points up and back: ahead is sin( 30 degrees ) downwards
	const uint8_t *n = (uint8_t *)normals.pixels + 3 * ( 59 * 80 + 40 );
	assert_true( abs( n[0] - 128 ) < 12 && n[1] < 40 && n[2] < 100 );
	ds_image_free( NULL, &color );
	ds_image_free( NULL, &depth );
	ds_image_free( NULL, &normals );
	ds_image_free( NULL, &ids );
}

// What render makes is the frame of a run, whose log has it too; threads change nothing.
static void test_same_as_the_log( void **state )
{
	(void)state;
	write_scene( ROOT "scene.json", false );
	assert_int_equal( deepsim( "run scene.json --log log --quiet" ), 0 );
	assert_int_equal( deepsim( "render scene.json --time 1 -o one.png --quiet" ), 0 );
	expect_empty( OUT );
	assert_int_equal( deepsim( "render scene.json --time 1 -o two.png --threads 2 --quiet" ), 0 );
	assert_int_equal( shell( "cmp '" ROOT "one.png' '" ROOT "two.png'" ), 0 );
	ds_image one, logged;
	read_image( ROOT "one.png", 80, 60, 3, 8, &one );
	char line[1024], path[1100] = "";
	FILE *csv = fopen( ROOT "log/front.csv", "r" );
	assert_non_null( csv );
	for ( int i = 0; i < 7; ++i ) // header, frames 0 to 5: the last at 1 s
	{
		assert_non_null( fgets( line, sizeof( line ), csv ) );
	}
	fclose( csv );
	for ( char *cell = strtok( line, ",\n" ); cell; cell = strtok( NULL, ",\n" ) )
	{
		if ( strstr( cell, ".png" ) && path[0] == '\0' )
		{
			snprintf( path, sizeof( path ), "%slog/%s", ROOT, cell );
		}
	}
	assert_true( path[0] );
	read_image( path, 80, 60, 3, 8, &logged );
	assert_memory_equal( one.pixels, logged.pixels, one.size );
	ds_image_free( NULL, &one );
	ds_image_free( NULL, &logged );
}

static void test_size_and_bits( void **state )
{
	(void)state;
	write_scene( ROOT "scene.json", true );
	assert_int_equal(
		deepsim(
			"render scene.json --camera front -o big.png --size 123x45 --set sensors.front.config.sensor.bits=12" ),
		0 );
	ds_image image;
	read_image( ROOT "big.png", 123, 45, 3, 16, &image );
	ds_image_free( NULL, &image );
}

static void test_errors( void **state )
{
	(void)state;
	write_scene( ROOT "one.json", false );
	write_scene( ROOT "two.json", true );
	static const struct
	{
		const char *arguments, *said;
		int code;
	} cases[] = {
		{ "render", "which scenario?", 2 },
		{ "render one.json", "nothing to write", 2 },
		{ "render one.json two.json -o a.png", "one scenario at a time", 2 },
		{ "render one.json -o a.jpg", "expected a file that ends in .png", 2 },
		{ "render one.json --flow a.png", "expected a file that ends in .npy", 2 },
		{ "render one.json --depth a.txt", "expected a file that ends in .png or .npy", 2 },
		{ "render one.json -o a.png --time -1", "expected seconds", 2 },
		{ "render one.json -o a.png --time soon", "expected seconds", 2 },
		{ "render one.json -o a.png --threads 0", "expected a number of threads", 2 },
		{ "render one.json -o a.png --size 640", "expected a width and a height", 2 },
		{ "render one.json -o a.png --size 100000x100000", "sensors.front.config", 1 },
		{ "render one.json -o a.png --camra front", "did you mean --camera?", 2 },
		{ "render two.json -o a.png", "has 2 cameras: name one of front, back by --camera", 1 },
		{ "render two.json -o a.png --camera side", "has no camera \"side\": expected one of front, back", 1 },
		{ "render drop.json -o a.png", "has no camera", 1 },
		{ "render one.json -o a.png --time 9", "the scenario ends at 2 s", 2 },
		{ "render none.json -o a.png", "none.json", 1 },
		{ "render one.json -o nowhere/a.png", "nowhere/a.png", 1 },
		{ "render one.json -o a.png --size 64x48 --set sensors.front.config.lens.fx=500", "focal lengths in pixels",
			1 },
		{ "render one.json --radiance a.npy --set sensors.front.config.lit=false", "lit must be true", 1 },
	};
	write_drop( ROOT "drop.json" );
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		int code = deepsim( cases[i].arguments );
		if ( code != cases[i].code )
		{
			fail_msg( "%s: code %d, expected %d", cases[i].arguments, code, cases[i].code );
		}
		expect_text( ERR, cases[i].said );
	}
	assert_int_equal( deepsim( "render --help" ), 0 );
	expect_text( OUT, "--segmentation FILE.png" );
	assert_int_equal( access( ROOT "a.png", F_OK ), -1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_frames ),
		cmocka_unit_test( test_same_as_the_log ),
		cmocka_unit_test( test_size_and_bits ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

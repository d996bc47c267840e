// deepsim optics camera, as people use it.

#include "tests/scenario/program.h"

#include <math.h>

#define SCENARIO ROOT "cameras.json"

static void write_scenario( void )
{
	write_file( SCENARIO,
		"{ \"deepsim\": 1, \"name\": \"cameras\", \"duration\": 1, \"rate\": 100,\n"
		"  \"environment\": { \"water\": { \"temperature\": 4, \"salinity\": 35 },\n"
		"    \"seabed\": { \"elevation\": { \"model\": \"flat\", \"depth\": 4010 } } },\n"
		"  \"bodies\": [ { \"name\": \"rov\", \"mass\": 1000, \"inertia\": [100, 100, 100],\n"
		"    \"pose\": { \"position\": [0, 0, 4000] }, \"fixed\": true } ],\n"
		"  \"sensors\": [\n"
		"    { \"name\": \"pilot\", \"type\": \"camera\", \"body\": \"rov\", \"rate\": 10,\n"
		"      \"config\": { \"lens\": { \"width\": 1280, \"height\": 960, \"fov_deg\": 70 }, \"port\": {\n"
		"        \"kind\": \"flat\", \"glass\": \"sapphire\", \"distance\": 0.015, \"thickness\": 0.012 } } },\n"
		"    { \"name\": \"depth\", \"type\": \"pressure\", \"body\": \"rov\", \"rate\": 10 },\n"
		"    { \"name\": \"plain\", \"type\": \"camera\", \"body\": \"rov\", \"rate\": 10,\n"
		"      \"config\": { \"lens\": { \"model\": \"fisheye\", \"fov_deg\": 100 } } } ] }\n" );
}

static double number( const ds_json *object, const char *key )
{
	const ds_json *value = member( object, key );
	assert_true( value->type == DS_JSON_NUMBER );
	return value->number;
}

static void expect_near( double got, double right, double tolerance )
{
	if ( !( fabs( got - right ) <= tolerance ) )
	{
		fail_msg( "%.9g, expected %.9g", got, right );
	}
}

// A flat port of any thickness and distance turns the angle a into asin( sin a / n ).
static double in_water( double degrees, double n )
{
	const double degree = acos( -1.0 ) / 180;
	return 2 * asin( sin( 0.5 * degrees * degree ) / n ) / degree;
}

static void test_json( void **state )
{
	(void)state;
	write_scenario();
	assert_int_equal( deepsim( "optics camera cameras.json --json --distance 1" ), 0 );
	expect_empty( ERR );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	assert_int_equal( root->count, 2 );
	const ds_json *pilot = ds_json_at( root, 0 ), *plain = ds_json_at( root, 1 );
	expect_near( number( pilot, "depth" ), 4000, 0 );
	double n = number( pilot, "index_water" ) / number( pilot, "index_air" );
	expect_near( n, 1.3428, 1e-3 );
	expect_near( number( pilot, "index_water_there" ) - number( pilot, "index_water" ), 0.0058, 3e-4 );
	expect_near( ds_json_at( member( pilot, "field_of_lens_deg" ), 0 )->number, 70, 1e-9 );
	expect_near( ds_json_at( member( pilot, "field_in_water_deg" ), 0 )->number, in_water( 70, n ), 1e-9 );
	expect_near( number( pilot, "light_middle" ), 0.905, 2e-3 ); // sapphire: 7.7 % at air, 1.9 % at water
	const ds_json *fit = member( pilot, "pinhole" );
	expect_near( number( fit, "near_distance" ), 0.5, 0 );
	assert_true( number( fit, "worst" ) < 0.1 && number( fit, "near_worst" ) > 2 );
	double focal = number( member( pilot, "lens" ), "fx" ), wet = number( member( fit, "lens" ), "fx" );
	assert_true( wet > 1.3 * focal && wet < 1.36 * focal );
	// without a port all is the lens's
	expect_near( ds_json_at( member( plain, "field_in_water_deg" ), 0 )->number, 100, 1e-9 );
	expect_near( number( plain, "light_corner" ), 1, 0 );
	assert_true( number( member( plain, "pinhole" ), "far_worst" ) < 1e-8 );
	ds_arena_free( &arena );
}

static void test_text( void **state )
{
	(void)state;
	write_scenario();
	assert_int_equal( deepsim( "optics camera cameras.json pilot" ), 0 );
	expect_text( OUT, "camera pilot, 4000 m deep" );
	expect_text( OUT, "flat, 12 mm of sapphire, 15 mm away" );
	expect_text( OUT, "images are 0.45 % too small" );
	expect_text( OUT, "pinhole in the water   rectilinear, 1280 x 960 px" );
	char *text = read_file( OUT );
	assert_null( strstr( text, "camera plain" ) );
	free( text );
	assert_int_equal(
		deepsim( "optics camera cameras.json pilot --set sensors.pilot.config.port.pressure=40.4e6" ), 0 );
	text = read_file( OUT );
	assert_null( strstr( text, "too small" ) );
	free( text );
	assert_int_equal(
		deepsim( "optics camera cameras.json pilot --set sensors.pilot.config.lens.model=equirectangular" ), 0 );
	expect_text( OUT, "pinhole in the water   none: fit of a pinhole: a panorama is none" );
}

static void test_errors( void **state )
{
	(void)state;
	write_scenario();
	assert_int_equal( deepsim( "optics camera cameras.json nobody" ), 1 );
	expect_text( ERR, "no sensor \"nobody\" of type camera" );
	assert_int_equal( deepsim( "optics camera cameras.json depth" ), 1 );
	assert_int_equal( deepsim( "optics camera missing.json" ), 1 );
	expect_text( ERR, "missing.json" );
	assert_int_equal( deepsim( "optics camera" ), 2 );
	assert_int_equal( deepsim( "optics camera a b c" ), 2 );
	assert_int_equal( deepsim( "optics camera cameras.json --distance 0" ), 2 );
	assert_int_equal( deepsim( "optics camera cameras.json --distance nan" ), 2 );
	assert_int_equal( deepsim( "optics camera cameras.json --set sensors.pilot.config.port.kind=cube" ), 1 );
	assert_int_equal( deepsim( "optics" ), 2 );
	assert_int_equal( deepsim( "optics camrea" ), 2 );
	expect_text( ERR, "did you mean camera?" );
	assert_int_equal( deepsim( "optics --help" ), 0 );
	expect_text( OUT, "water" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_json ),
		cmocka_unit_test( test_text ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

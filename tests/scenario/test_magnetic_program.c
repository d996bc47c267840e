// deepsim magnetic, as people use it; and "environment": { "magnetic": ... } of a scenario.

#include "tests/scenario/program.h"

#include <math.h>

static double number( const ds_json *object, const char *key )
{
	const ds_json *value = member( object, key );
	assert_true( value->type == DS_JSON_NUMBER );
	return value->number;
}

static void expect_number( const ds_json *object, const char *key, double right, double tolerance )
{
	if ( !( fabs( number( object, key ) - right ) <= tolerance ) )
	{
		print_error( "%s is %.9g, expected %.9g\n", key, number( object, key ), right );
		fail();
	}
}

// A row of the official test values, with negative numbers as arguments.
static void test_official_row( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "magnetic -29 -110 94000 2025.0" ), 0 );
	expect_empty( ERR );
	expect_text( OUT, "WMM2025, degree 12" );
	expect_text( OUT, "X       23275.5 nT       -39.60 nT/year    north" );
	expect_text( OUT, "Y        6559.0 nT" );
	expect_text( OUT, "Z      -19063.6 nT" );
	expect_text( OUT, "H       24182.0 nT" );
	expect_text( OUT, "F       30792.7 nT" );
	expect_text( OUT, "D       15.7379 deg     -0.0111 deg/year   declination" );
	expect_text( OUT, "I      -38.2501 deg" );
	assert_int_equal( deepsim( "magnetic -29 -110 94000 2025-01-01 --json" ), 0 );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	expect_number( root, "x_nT", 23275.471080, 0.002 );
	expect_number( root, "y_nT", 6559.046509, 0.002 );
	expect_number( root, "z_nT", -19063.605287, 0.002 );
	expect_number( root, "f_nT", 30792.688931, 0.002 );
	expect_number( root, "d_deg", 15.74, 0.005 );
	expect_number( root, "i_deg", -38.25, 0.005 );
	expect_number( root, "x_nT_per_year", -39.595926, 1e-4 );
	expect_number( root, "d_deg_per_year", -0.011062, 1e-6 );
	expect_number( root, "decimal_year", 2025, 0 );
	assert_int_equal( member( root, "warnings" )->count, 0 );
	ds_arena_free( &arena );
}

static void test_models_and_warnings( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "magnetic 89 -121 28e3 2031.5" ), 0 );
	expect_text( OUT, "warning: the date is outside the years 2025 to 2030 of WMM2025" );
	expect_text( OUT, "warning: blackout zone" );
	assert_int_equal( deepsim( "magnetic 86 160 -2000 2024-12-31T23:59:59Z --json" ), 0 );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	const ds_json *w = member( root, "warnings" );
	assert_int_equal( w->count, 3 );
	assert_string_equal( w->first->string, "date" );
	assert_string_equal( w->first->next->string, "altitude" );
	ds_arena_free( &arena );
	// DGRF 2010: row 80 N, 150 W, 5 km of NOAA's calculator
	assert_int_equal( deepsim( "magnetic 80 -150 5000 2010-01-01 --model igrf14 --json" ), 0 );
	root = load_json( &arena, OUT );
	expect_number( root, "x_nT", 2862.8, 0.05 );
	expect_number( root, "y_nT", 1412.5, 0.05 );
	expect_number( root, "z_nT", 57317.8, 0.05 );
	ds_arena_free( &arena );
}

static void test_mistakes( void **state )
{
	(void)state;
	static const char *const wrong[][2] = {
		{ "magnetic", "expected four arguments" },
		{ "magnetic 45 -30 0", "expected four arguments" },
		{ "magnetic 45 -30 0 2026 7", "got \"7\" too" },
		{ "magnetic 91 0 0 2026", "LAT cannot be \"91\": expected degrees from -90 to 90" },
		{ "magnetic 45 nan 0 2026", "LON cannot be \"nan\"" },
		{ "magnetic 45 0 deep 2026", "ALT cannot be \"deep\"" },
		{ "magnetic 45 0 0 2026-13-01", "expected a UTC date" },
		{ "magnetic 45 0 0 -5", "expected a UTC date" },
		{ "magnetic 45 0 0 30000", "a year from 1000 to 3000" },
		{ "magnetic 45 0 0 2026 --model wmm2020", "expected wmm2025 or igrf14" },
		{ "magnetic 45 0 0 2026 --jso", "did you mean --json" },
	};
	for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
	{
		assert_int_equal( deepsim( wrong[i][0] ), 2 );
		expect_text( ERR, wrong[i][1] );
		expect_empty( OUT );
	}
	assert_int_equal( deepsim( "magnetic 45 0 -1e7 2026" ), 1 );
	expect_text( ERR, "height above the ellipsoid must lie in" );
	assert_int_equal( deepsim( "magnetic --help" ), 0 );
	expect_text( OUT, "LAT LON ALT DATE" );
}

// ---- scenarios ---------------------------------------------------------------------------------------------------

static void write_scenario( const char *origin, const char *magnetic )
{
	char text[2048];
	snprintf( text, sizeof( text ),
		"{ \"deepsim\": 1, \"name\": \"m\", \"duration\": 1, \"rate\": 10,%s \"environment\": { \"water\": null, "
		"\"gravity\": 0%s },\n"
		"  \"bodies\": [ { \"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], \"pose\": { \"position\": [0, 0, 10] "
		"} } ],\n"
		"  \"sensors\": [ { \"name\": \"mag\", \"type\": \"magnetometer\", \"body\": \"b\" } ] }\n",
		origin, magnetic );
	write_file( ROOT "m.json", text );
}

static void expect_field( double x, double y, double z, double tolerance )
{
	assert_int_equal( deepsim( "run m.json --quiet --summary -" ), 0 );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	const ds_json *field = member( member( member( member( root, "sensors" ), "mag" ), "last" ), "field" );
	const double right[3] = { x, y, z };
	int i = 0;
	for ( const ds_json *at = field->first; at; at = at->next, ++i )
	{
		if ( !( fabs( at->number - right[i] ) <= tolerance ) )
		{
			print_error( "field[%d] is %.9g, expected %.9g\n", i, at->number, right[i] );
			fail();
		}
	}
	assert_int_equal( i, 3 );
	ds_arena_free( &arena );
}

static void test_scenarios( void **state )
{
	(void)state;
	const char *origin =
		" \"origin\": { \"latitude_deg\": -29, \"longitude_deg\": -110, \"date\": \"2025-01-01T00:00:00Z\" },";
	assert_int_equal( deepsim( "magnetic -29 -110 -10 2025 --json" ), 0 );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	double x = 1e-9 * number( root, "x_nT" ), y = 1e-9 * number( root, "y_nT" ), z = 1e-9 * number( root, "z_nT" );
	ds_arena_free( &arena );
	write_scenario( origin, "" );
	expect_field( x, y, z, 1e-14 );
	expect_empty( ERR );
	// a magnet 2 m above, and a current to the east 3 m below, 600 A: 2e-7 I / r = 4e-5 T, along east x up
	write_scenario( origin,
		", \"magnetic\": { \"dipoles\": [ { \"position\": [0, 0, 8], \"moment\": [0, 0, 20] } ],"
		" \"cables\": [ { \"from\": [0, 0, 13], \"to\": [0, 1, 13], \"current\": 600, \"infinite\": true } ] }" );
	expect_field( x - 4e-5, y, z + 1e-7 * 2 * 20 / 8, 1e-14 );
	write_scenario( "", ", \"magnetic\": { \"model\": { \"uniform\": [1e-5, 2e-5, 3e-5] } }" );
	expect_field( 1e-5, 2e-5, 3e-5, 0 );
	write_scenario( "", ", \"magnetic\": { \"model\": null }" );
	expect_field( 0, 0, 0, 0 );

	static const char *const wrong[][2] = {
		{ ", \"magnetic\": null", "environment.magnetic is null" },
		{ ", \"magnetic\": { \"model\": \"wmm2025\" }", "environment.magnetic.model: origin.latitude_deg is missing" },
		{ ", \"magnetic\": { \"model\": \"wmm2020\" }", "m.json:1: environment.magnetic.model: expected" },
		{ ", \"magnetic\": { \"dipole\": [] }", "did you mean \"dipoles\"?" },
		{ ", \"magnetic\": { \"dipoles\": [ { \"radius\": 0 } ] }",
			"environment.magnetic.dipoles[0].radius: expected" },
		{ ", \"magnetic\": { \"cables\": [ { \"to\": [0, 0, 0] } ] }", "\"from\" and \"to\" must be two points" },
		{ ", \"magnetic\": { \"model\": { \"uniform\": [1, 0, 0] } }", "[-0.5, 0.5] T" },
	};
	for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
	{
		write_scenario( "", wrong[i][0] );
		assert_int_equal( deepsim( "validate m.json" ), 1 );
		expect_text( ERR, wrong[i][1] );
	}
	// once, at load
	write_scenario( " \"origin\": { \"latitude_deg\": 45, \"date\": \"2024-01-01T00:00:00Z\" },", "" );
	assert_int_equal( deepsim( "run m.json" ), 0 );
	expect_text( ERR, "at the origin: the date is outside the years 2025 to 2030" );
	expect_text( ERR, "warning: " );
}

// A motor whose magnet grows with its power, 1 m behind the magnetometer; without the input, and with a reading that it has not.
static void test_motor( void **state )
{
	(void)state;
	const char *scenario = "{ \"deepsim\": 1, \"name\": \"m\", \"duration\": 1, \"rate\": 10,\n"
						   "  \"environment\": { \"water\": null, \"gravity\": 0, \"magnetic\": { \"model\": { "
						   "\"uniform\": [1e-5, 2e-5, 3e-5] } } },\n"
						   "  \"bodies\": [ { \"name\": \"b\", \"mass\": 1e6, \"inertia\": [1e6, 1e6, 1e6] } ],\n"
						   "  \"actuators\": [ { \"name\": \"t1\", \"type\": \"thruster\", \"body\": \"b\", "
						   "\"config\": { \"power\": 400 } } ],\n"
						   "  \"commands\": [ { \"t\": 0, \"actuator\": \"t1\", \"value\": 1 } ],\n"
						   "  \"sensors\": [ { \"name\": \"mag\", \"type\": \"magnetometer\", \"body\": \"b\", "
						   "\"mount\": { \"position\": [1, 0, 0] }, %s\n"
						   "    \"config\": { \"dipoles\": [ { \"moment\": [0.01, 0, 0], \"input\": \"motor\", "
						   "\"reading\": \"%s\" } ] } } ] }\n";
	char text[2048];
	snprintf( text, sizeof( text ), scenario, "\"inputs\": { \"motor\": \"t1\" },", "power" );
	write_file( ROOT "m.json", text );
	expect_field( 1e-5 + 1e-7 * 2 * 0.01 * 400, 2e-5, 3e-5, 1e-15 );
	snprintf( text, sizeof( text ), scenario, "", "power" );
	write_file( ROOT "m.json", text );
	assert_int_equal( deepsim( "run m.json --quiet" ), 1 );
	expect_text( ERR, "follows the input \"motor\", which is missing" );
	snprintf( text, sizeof( text ), scenario, "\"inputs\": { \"motor\": \"t1\" },", "powr" );
	write_file( ROOT "m.json", text );
	assert_int_equal( deepsim( "run m.json --quiet" ), 1 );
	expect_text( ERR, "the input \"motor\" (thruster) has no reading \"powr\"" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_official_row ),
		cmocka_unit_test( test_models_and_warnings ),
		cmocka_unit_test( test_mistakes ),
		cmocka_unit_test( test_scenarios ),
		cmocka_unit_test( test_motor ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// deepsim mesh added-mass, as people use it.

#include "tests/scenario/program.h"

#include <math.h>

static double entry( const ds_json *matrix, int row, int column )
{
	return ds_json_at( ds_json_at( matrix, row ), column )->number;
}

static void expect_sphere( const char *arguments, bool kept, double density, double arm )
{
	char line[512];
	snprintf( line, sizeof( line ), "mesh added-mass ball.ply --json %s", arguments );
	assert_int_equal( deepsim( line ), 0 );
	expect_empty( ERR );
	ds_arena arena;
	const ds_json *found = load_json( &arena, OUT ), *matrix = member( found, "matrix" );
	assert_int_equal( member( found, "kept" )->number, kept );
	double half = 0.5 * density * member( found, "volume" )->number;
	assert_true( fabs( entry( matrix, 0, 0 ) / half - 1 ) < 0.01 );
	assert_true( fabs( entry( matrix, 2, 4 ) / half - arm ) < 0.01 );
	const ds_json *ellipsoid = member( member( found, "ellipsoid" ), "matrix" );
	assert_true( fabs( entry( ellipsoid, 0, 0 ) / half - 1 ) < 1e-6 );
	assert_true( fabs( entry( ellipsoid, 2, 4 ) / half - arm ) < 1e-6 );
	ds_arena_free( &arena );
}

static void test_added_mass( void **state )
{
	(void)state;
	(void)remove( ROOT "ball.ply.added-mass" );
	assert_int_equal( deepsim( "mesh make sphere --radius 0.5 --faces 1280 -o ball.ply" ), 0 );
	expect_sphere( "--no-cache", false, 1025, 0 );
	assert_int_equal( access( ROOT "ball.ply.added-mass", F_OK ), -1 );
	expect_sphere( "", false, 1025, 0 );
	expect_sphere( "", true, 1025, 0 );
	expect_sphere( "--density 1000 --about 0.5,0,0", true, 1000, 0.5 );

	assert_int_equal( deepsim( "mesh added-mass ball.ply --seabed 0.75" ), 0 );
	expect_text( OUT, "seabed" );
	expect_text( OUT, "along z [kg]" );
	assert_int_equal( deepsim( "mesh added-mass ball.ply --scale 0.001 --surface=0.01" ), 0 );
}

static void test_mistakes( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "mesh make box --size 1,2,3 -o box.stl" ), 0 );
	assert_int_equal( deepsim( "mesh added-mass" ), 2 );
	expect_text( ERR, "a file is missing" );
	assert_int_equal( deepsim( "mesh added-mass box.stl box.stl" ), 2 );
	assert_int_equal( deepsim( "mesh added-mass box.stl --density 0" ), 2 );
	expect_text( ERR, "--density cannot be \"0\": expected a positive number" );
	const char *const points[] = { "1,2", "1,2,3,4", "1,,3", "a,b,c", "" };
	for ( int i = 0; i < 5; i++ )
	{
		char line[128];
		snprintf( line, sizeof( line ), "mesh added-mass box.stl --about '%s'", points[i] );
		assert_int_equal( deepsim( line ), 2 );
		expect_text( ERR, "three numbers with commas between them" );
	}
	assert_int_equal( deepsim( "mesh added-mass box.stl --surface 5 --seabed 5" ), 2 );
	assert_int_equal( deepsim( "mesh added-mass box.stl --surface 1" ), 1 );
	expect_text( ERR, "through the surface" );
	assert_int_equal( deepsim( "mesh added-mass box.stl --panels 4000" ), 2 );
	expect_text( ERR, "a whole number in [0, 3000]" );
	assert_int_equal( deepsim( "mesh added-mass none.stl" ), 1 );
	assert_int_equal( deepsim( "mesh added-mass box.stl --axes zyx" ), 2 );
	assert_int_equal( deepsim( "mesh make sphere --faces 20480 -o fine.ply" ), 0 );
	assert_int_equal( deepsim( "mesh added-mass fine.ply" ), 1 );
	expect_text( ERR, "give a coarser mesh" );
	assert_int_equal( deepsim( "mesh added-mass --help" ), 0 );
	expect_text( OUT, "--seabed D" );
	assert_int_equal( deepsim( "mesh added-mas box.stl" ), 2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_added_mass ),
		cmocka_unit_test( test_mistakes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// deepsim mesh info, repair and make, as people use them.

#include "tests/scenario/program.h"

#include <math.h>

#define PI 3.14159265358979323846

static double number( const ds_json *object, const char *key )
{
	const ds_json *value = ds_json_find( object, key );
	assert_non_null( value );
	assert_true( value->type == DS_JSON_NUMBER );
	return value->number;
}

// Makes a mesh and reads back what info says of it.
static void expect_made( const char *arguments, double faces, double volume, double tolerance )
{
	char line[512];
	snprintf( line, sizeof( line ), "mesh make %s -o made.ply", arguments );
	assert_int_equal( deepsim( line ), 0 );
	expect_text( OUT, "written made.ply" );
	assert_int_equal( deepsim( "mesh info made.ply --json" ), 0 );
	expect_empty( ERR );
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	const ds_json *info = load_json( &arena, OUT );
	assert_true( fabs( number( info, "faces" ) - faces ) < 1e-9 );
	assert_true( fabs( number( info, "volume" ) - volume ) < tolerance * volume );
	ds_arena_free( &arena );
}

static void test_make( void **state )
{
	(void)state;
	expect_made( "box --size 1,2,3", 12, 6, 1e-14 );
	expect_made( "sphere --radius 0.5 --faces 5120", 5120, 4.0 / 3 * PI * 0.125, 0.003 );
	expect_made( "ellipsoid --semi_axes=2,1,0.5 --faces 1280", 1280, 4.0 / 3 * PI, 0.01 );

	// both spellings of an angle, which is in degrees: a blunter tail holds more
	assert_int_equal( deepsim( "mesh make myring --tail_angle_deg 20 -o a.stl" ), 0 );
	assert_int_equal( deepsim( "mesh make myring --tail-angle-deg=20 -o b.stl" ), 0 );
	assert_int_equal( deepsim( "mesh make myring --tail-angle-deg 30 -o c.stl" ), 0 );
	assert_int_equal( shell( "cmp '" ROOT "a.stl' '" ROOT "b.stl'" ), 0 );
	assert_int_equal( shell( "cmp -s '" ROOT "a.stl' '" ROOT "c.stl'" ), 1 );
}

static void test_make_mistakes( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "mesh make" ), 2 );
	assert_int_equal( deepsim( "mesh make spere -o x.stl" ), 2 );
	expect_text( ERR, "did you mean sphere?" );
	assert_int_equal( deepsim( "mesh make sphere" ), 2 );
	expect_text( ERR, "-o FILE is missing" );
	assert_int_equal( deepsim( "mesh make sphere --radius -1 -o x.stl" ), 2 );
	expect_text( ERR, "radius: expected a number in (0, 1000000] m, got -1" );
	assert_int_equal( deepsim( "mesh make sphere --radius big -o x.stl" ), 2 );
	expect_text( ERR, "--radius cannot be \"big\"" );
	assert_int_equal( deepsim( "mesh make sphere --length 1 -o x.stl" ), 2 );
	expect_text( ERR, "unknown option --length" );
	assert_int_equal( deepsim( "mesh make box --size 1,2 -o x.stl" ), 2 );
	assert_int_equal( deepsim( "mesh make box -o x.step" ), 1 );
	expect_text( ERR, "the ending must be .obj, .stl or .ply" );
	assert_int_equal( access( ROOT "x.stl", F_OK ), -1 );
}

static void test_help( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "mesh --help" ), 0 );
	assert_int_equal( deepsim( "mesh info --help" ), 0 );
	expect_text( OUT, "--axes" );
	assert_int_equal( deepsim( "mesh repair --help" ), 0 );
	expect_text( OUT, "--max-hole N" );
	assert_int_equal( deepsim( "mesh make --help" ), 0 );
	expect_text( OUT, "capsule" );
	assert_int_equal( deepsim( "mesh make myring --help" ), 0 );
	expect_text( OUT, "--tail_angle_deg X" );
	expect_text( OUT, "[degrees] (25)" );
	assert_int_equal( deepsim( "mesh" ), 2 );
	assert_int_equal( deepsim( "mesh mend x" ), 2 );
	assert_int_equal( deepsim( "mesh info" ), 2 );
	assert_int_equal( deepsim( "mesh info a.stl --scale 0" ), 2 );
	assert_int_equal( deepsim( "mesh info a.stl --axes up" ), 2 );
	expect_text( ERR, "xyz, flu or y_up" );
}

#define OPEN_TETRAHEDRON "v 0 0 0\nv 6 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

// An open mesh: info shows what there is and fails; repair closes it; info is content.
static void test_repair( void **state )
{
	(void)state;
	write_file( ROOT "open.obj", OPEN_TETRAHEDRON );
	assert_int_equal( deepsim( "mesh info open.obj" ), 1 );
	expect_text( OUT, "open edges               3" );
	expect_text( ERR, "open.obj: 3 of the mesh's edges are open" );
	assert_int_equal( deepsim( "mesh repair open.obj -o none.stl --max-hole 2" ), 1 );
	assert_int_equal( access( ROOT "none.stl", F_OK ), -1 );
	assert_int_equal( deepsim( "mesh repair open.obj -o closed.obj --axes flu" ), 0 );
	expect_text( OUT, "holes closed             1" );
	expect_text( OUT, "written                  closed.obj: 4 faces, 1 m3" );
	assert_int_equal( deepsim( "mesh info closed.obj --scale 2" ), 0 );
	expect_text( OUT, "volume                   8 m3" );
	assert_int_equal( deepsim( "mesh info gone.obj" ), 1 );
	expect_text( ERR, "gone.obj" );
	expect_empty( OUT );
}

// A full disk is an error, and the file that was there stays.
static void test_full_disk( void **state )
{
	(void)state;
	write_file( ROOT "kept.stl", "as it was" );
	char line[4096];
	snprintf( line, sizeof( line ),
		"cd '%s' && ulimit -f 8 && '%s' mesh make sphere --faces 5120 -o kept.stl >'%s' 2>'%s'", DEEPSIM_TEST_TMP,
		DEEPSIM_PROGRAM, OUT, ERR );
	assert_int_equal( shell( line ), 1 );
	expect_text( ERR, "kept.stl: cannot be written" );
	char *text = read_file( ROOT "kept.stl" );
	assert_string_equal( text, "as it was" );
	free( text );
	assert_int_equal( access( ROOT "kept.stl.part", F_OK ), -1 );
}

int main( void )
{
	if ( DEEPSIM_PROGRAM[0] == '\0' )
	{
		return 77;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_make ),
		cmocka_unit_test( test_make_mistakes ),
		cmocka_unit_test( test_help ),
		cmocka_unit_test( test_repair ),
		cmocka_unit_test( test_full_disk ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

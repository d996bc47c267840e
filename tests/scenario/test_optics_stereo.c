// deepsim optics stereo, as people use it.

#include "tests/scenario/program.h"

#include <math.h>

// Without supersampling: fewer rays to find, of which nothing here is told.
#define RIG                                                                                                            \
	"'" DEEPSIM_SOURCE_DIR "/examples/stereo_rig/stereo_rig.json' --set sensors.left.config.supersampling=1 "          \
	"--set sensors.right.config.supersampling=1"

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

static void expect_name( const ds_json *cameras, int index, const char *name, const char *side )
{
	const ds_json *camera = ds_json_at( cameras, index );
	assert_string_equal( member( camera, "name" )->string, name );
	assert_string_equal( member( camera, "side" )->string, side );
}

// 0.2 m apart, both turned in by 2 degrees.
static void test_json( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "optics stereo " RIG " --json" ), 0 );
	expect_empty( ERR );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT ), *cameras = member( root, "cameras" );
	expect_name( cameras, 0, "left", "left" );
	expect_name( cameras, 1, "right", "right" );
	expect_near( number( root, "baseline" ), 0.2, 1e-12 );
	expect_near( number( root, "vergence_deg" ), 4, 1e-9 );
	const double angle = 2 * acos( -1.0 ) / 180;
	expect_near( ds_json_at( member( root, "T" ), 0 )->number, -0.2 * cos( angle ), 1e-12 );
	expect_near( ds_json_at( member( root, "T" ), 2 )->number, 0.2 * sin( angle ), 1e-12 );
	double focal = 320 / tan( 16 * angle );
	const ds_json *at_5 = ds_json_at( member( root, "distances" ), 2 );
	expect_near( number( at_5, "disparity" ), focal * 0.2 / 5, 1e-9 );
	expect_near( number( at_5, "resolution" ), 25 / ( focal * 0.2 ), 1e-9 );
	assert_true( member( ds_json_at( cameras, 0 ), "fit" )->type == DS_JSON_NULL );
	ds_arena_free( &arena );
}

// A flat port is told as its pinhole, with how far it is off.
static void test_port( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "optics stereo " RIG " --distance 1.5 --set sensors.left.config.port.kind=flat" ), 0 );
	expect_text( OUT, "fitted at 1.5 m from the port" );
	expect_text( OUT, "px rms" );
	assert_int_equal( deepsim( "optics stereo " RIG " --json --set sensors.left.config.port.kind=flat" ), 0 );
	ds_arena arena;
	const ds_json *left = ds_json_at( member( load_json( &arena, OUT ), "cameras" ), 0 );
	double focal = ds_json_at( member( left, "focal" ), 0 )->number;
	assert_true( focal > 1.3 * 512 && focal < 1.36 * 512 );
	assert_true( number( member( left, "fit" ), "near_worst" ) > number( member( left, "fit" ), "worst" ) );
	ds_arena_free( &arena );
}

// Names give the order; without them the left one is first wherever it stands in the scenario.
static void test_order( void **state )
{
	(void)state;
	ds_arena arena;
	assert_int_equal( deepsim( "optics stereo " RIG " right left --json" ), 0 );
	const ds_json *cameras = member( load_json( &arena, OUT ), "cameras" );
	expect_name( cameras, 0, "right", "right" );
	expect_name( cameras, 1, "left", "left" );
	ds_arena_free( &arena );
	assert_int_equal( deepsim( "optics stereo " RIG " --json --set sensors.left.mount.position=[0,0.5,0]" ), 0 );
	cameras = member( load_json( &arena, OUT ), "cameras" );
	expect_name( cameras, 0, "right", "left" );
	expect_name( cameras, 1, "left", "right" );
	ds_arena_free( &arena );
}

static void test_files( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "optics stereo " RIG " left right -o pair.yaml --ros l.yaml r.yaml" ), 0 );
	expect_text( OUT, "pair.yaml (OpenCV)" );
	static const char *const names[] = { "M1:", "D1:", "M2:", "D2:", "R:", "T:", "E:", "F:", "R1:", "R2:", "P1:", "P2:",
		"Q:", "image_width: 640", "image_height: 480" };
	for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
	{
		expect_text( ROOT "pair.yaml", names[i] );
	}
	expect_text( ROOT "l.yaml", "camera_name: left" );
	expect_text( ROOT "r.yaml", "camera_name: right" );
	expect_text( ROOT "r.yaml", "-102.421409" ); // -0.2 * 320 / tan( 32 deg )
	assert_int_equal( deepsim( "optics lens r.yaml" ), 0 );
}

static void test_errors( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "optics stereo" ), 2 );
	assert_int_equal( deepsim( "optics stereo " RIG " left" ), 2 );
	assert_int_equal( deepsim( "optics stereo " RIG " left left" ), 2 );
	assert_int_equal( deepsim( "optics stereo " RIG " left right more" ), 2 );
	assert_int_equal( deepsim( "optics stereo " RIG " --ros l.yaml" ), 2 );
	assert_int_equal( deepsim( "optics stereo " RIG " --distance 0" ), 2 );
	assert_int_equal( deepsim( "optics stereo missing.json" ), 1 );
	assert_int_equal( deepsim( "optics stereo " RIG " left nobody" ), 1 );
	expect_text( ERR, "no sensor \"nobody\" of type camera" );
	assert_int_equal( deepsim( "optics stereo " RIG " --set sensors.left.mount.position=[0,0,0] "
							   "--set sensors.right.mount.position=[0,0,0]" ),
		1 );
	expect_text( ERR, "baseline above 0" );
	assert_int_equal(
		deepsim( "optics stereo " RIG " --set 'sensors.left.config.lens={\"model\":\"stereographic\"}'" ), 1 );
	expect_text( ERR, "no camera matrix" );
	assert_int_equal( deepsim( "optics stereo " RIG " --set sensors.left.body=board" ), 1 );
	expect_text( ERR, "on different bodies" );
	write_file( ROOT "none.json", "{ \"deepsim\": 1, \"name\": \"none\", \"duration\": 1, \"rate\": 10 }" );
	assert_int_equal( deepsim( "optics stereo none.json" ), 1 );
	expect_text( ERR, "has 0 sensors of type camera" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_json ),
		cmocka_unit_test( test_port ),
		cmocka_unit_test( test_order ),
		cmocka_unit_test( test_files ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// deepsim optics lens, as people use it.

#include "tests/scenario/program.h"

#include <math.h>

// A pinhole of 90 degrees across, and the same with barrel distortion that turns back: r - r^3/3 at 45 degrees.
static const char plain[] = "image_width: 640\nimage_height: 480\nK: [320, 0, 319.5, 0, 320, 239.5, 0, 0, 1]\n"
							"D: [0, 0, 0, 0, 0]\n";
static const char barrel[] = "image_width: 640\nimage_height: 480\nK: [480, 0, 319.5, 0, 480, 239.5, 0, 0, 1]\n"
							 "D: [-0.33333333333333333, 0, 0, 0, 0]\n";

static void test_report( void **state )
{
	(void)state;
	write_file( ROOT "plain.yaml", plain );
	assert_int_equal( deepsim( "optics lens plain.yaml" ), 0 );
	expect_empty( ERR );
	expect_text( OUT, "model                    rectilinear" );
	expect_text( OUT, "image                    640 x 480 px" );
	expect_text( OUT, "focal lengths            320, 320 px" );
	expect_text( OUT, "field of view across     90 deg" );
	expect_text( OUT, "field of view down       73.74 deg" ); // 2 atan( 240 / 320 )
	expect_text( OUT, "field of view diagonal   102.7 deg" ); // 2 atan( 400 / 320 )
	expect_text( OUT, "top left               moved by +0.00, +0.00 px" );
	expect_text( OUT, "one-to-one up to         90 deg" );

	write_file( ROOT "barrel.yaml", barrel );
	assert_int_equal( deepsim( "optics lens barrel.yaml" ), 0 );
	expect_text( OUT, "one-to-one up to         45 deg from the axis, where the distortion turns back" );
	expect_text( OUT, "top left               no direction" ); // at 400/480 of a focal length; the map reaches to 2/3
	assert_int_equal( deepsim( "optics lens barrel.yaml --json" ), 0 );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	assert_true( fabs( member( root, "limit_deg" )->number - 45 ) < 1e-12 );
	assert_true( member( root, "corners" )->first->type == DS_JSON_NULL );
	// the image ends at half a focal length above and below
	double down = member( root, "fov_deg" )->first->next->number, r = tan( down / 360 * 3.14159265358979323846 );
	assert_true( fabs( r - r * r * r / 3 - 0.5 ) < 1e-12 );
	ds_arena_free( &arena );
}

// Written in all formats, each says the same.
static void test_write( void **state )
{
	(void)state;
	write_file( ROOT "barrel.yaml", barrel );
	assert_int_equal(
		deepsim( "optics lens barrel.yaml --write opencv_xml a.xml --write ros_yaml b.yaml --name left" ), 0 );
	expect_text( OUT, "written                  a.xml (opencv_xml)" );
	expect_text( ROOT "a.xml", "<opencv_storage>" );
	expect_text( ROOT "b.yaml", "camera_name: left\n" );
	assert_int_equal( deepsim( "optics lens a.xml --write=opencv_yaml c.yaml" ), 0 );
	assert_int_equal( deepsim( "optics lens b.yaml --write opencv_yaml d.yaml" ), 0 );
	expect_text( ROOT "c.yaml", "%YAML:1.0\n" );
	expect_same( ROOT "c.yaml", ROOT "d.yaml" );
}

static void test_faults( void **state )
{
	(void)state;
	write_file( ROOT "plain.yaml", plain );
	write_file( ROOT "bad.yaml", "image_width: 640\nimage_height: 480\nK: [320, 0, 319.5, 0, 320, 239.5, 0, 0, 1]\n"
								 "D: [0, 0, 0, 0, 0, 1, 0, 0]\n" );
	assert_int_equal( deepsim( "optics lens bad.yaml" ), 1 );
	expect_empty( OUT );
	expect_text( ERR, "bad.yaml:4: D[5] (k4): lenses here have k1 k2 p1 p2 k3: expected 0, got 1" );
	assert_int_equal( deepsim( "optics lens none.yaml" ), 1 );
	expect_text( ERR, "none.yaml: cannot be opened" );
	assert_int_equal( deepsim( "optics lens" ), 2 );
	expect_text( ERR, "a file is missing" );
	assert_int_equal( deepsim( "optics lens plain.yaml bad.yaml" ), 2 );
	assert_int_equal( deepsim( "optics lens plain.yaml --write png x" ), 2 );
	expect_text( ERR, "--write png: expected opencv_yaml, opencv_xml or ros_yaml" );
	assert_int_equal( deepsim( "optics lens plain.yaml --write ros_yaml" ), 2 );
	assert_int_equal( deepsim( "optics lens plain.yaml --write ros_yaml /no/folder/x" ), 1 );
	expect_text( ERR, "cannot be written" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_report ),
		cmocka_unit_test( test_write ),
		cmocka_unit_test( test_faults ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

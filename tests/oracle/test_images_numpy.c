// Images as others read them: PNG by OpenCV, .npy by NumPy (images_numpy.py).

#include "../unit/world_kit.h"

#include "io/image.h"

#include <math.h>

#define W 33
#define H 24

#define FILE_OF( name ) DEEPSIM_TEST_TMP "/" name

static void test_others_read_them( void **state )
{
	(void)state;
	static uint8_t color8[3 * W * H];
	static uint16_t color16[3 * W * H], grey16[W * H];
	static int32_t ids[W * H];
	static float depth[W * H], flow[2 * W * H];
	for ( int i = 0; i < W * H; ++i )
	{
		int y = i / W, x = i % W;
		for ( int c = 0; c < 3; ++c )
		{
			color8[3 * i + c] = (uint8_t)( 1000 * y + 37 * x + 7919 * c );
			color16[3 * i + c] = (uint16_t)( 1000 * y + 37 * x + 7919 * c );
		}
		grey16[i] = color16[3 * i];
		ids[i] = 8388608 + 1000 * y + x;
		depth[i] = 100 * (float)y + 0.25f * (float)x;
		flow[2 * i] = depth[i];
		flow[2 * i + 1] = depth[i] + 1;
	}
	depth[0] = INFINITY;
	OK( ds_image_write_png( FILE_OF( "color8.png" ), W, H, 3, 8, color8 ) );
	OK( ds_image_write_png( FILE_OF( "color16.png" ), W, H, 3, 16, color16 ) );
	OK( ds_image_write_png( FILE_OF( "grey16.png" ), W, H, 1, 16, grey16 ) );
	OK( ds_image_write_ids( FILE_OF( "ids.png" ), W, H, ids ) );
	OK( ds_image_write_npy( FILE_OF( "depth.npy" ), W, H, 1, depth ) );
	OK( ds_image_write_npy( FILE_OF( "flow.npy" ), W, H, 2, flow ) );
	int code = system(
		"PATH=/usr/bin:$PATH python3 '" DEEPSIM_SOURCE_DIR "/tests/oracle/images_numpy.py' '" DEEPSIM_TEST_TMP "'" );
	if ( ( ( code >> 8 ) & 255 ) == 77 )
	{
		exit( 77 );
	}
	assert_int_equal( code, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_others_read_them ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Practical salinity and depth against the Gibbs SeaWater toolbox (python3-gsw), whose numbers companions_gsw.py prints.

#include "../unit/world_kit.h"

#include <math.h>

#define RAD ( DS_PI / 180 )

static void test_against_gsw( void **state )
{
	(void)state;
	FILE *pipe = popen( "PATH=/usr/bin:$PATH python3 '" DEEPSIM_SOURCE_DIR "/tests/oracle/companions_gsw.py'", "r" );
	assert_non_null( pipe );
	char line[400];
	int salinities = 0, depths = 0;
	while ( fgets( line, sizeof( line ), pipe ) )
	{
		double n[4];
		if ( sscanf( line, "salinity %lf %lf %lf %lf", n, n + 1, n + 2, n + 3 ) == 4 )
		{
			// conductivities in mS/cm; temperatures are scaled from the ITS-90 as the toolbox does it
			double t68 = 1.00024 * n[1], ratio = n[3] / ( 10 * DS_CONDUCTIVITY_35_15_0 );
			NEAR( ds_pss78_salinity( ratio, t68, n[2] * 1e4 ), n[0], 1e-9 );
			NEAR( ds_pss78_ratio( n[0], t68, n[2] * 1e4 ), ratio, 1e-10 );
			salinities++;
		}
		else if ( sscanf( line, "depth %lf %lf %lf", n, n + 1, n + 2 ) == 3 )
		{
			NEAR( ds_depth_teos10( n[0] * 1e4, n[1] * RAD ), n[2], 1e-7 );
			NEAR( ds_depth_unesco44( n[0] * 1e4, n[1] * RAD ), n[2], 0.05 + 1.3e-8 * n[2] * n[2] ); // two standards
			depths++;
		}
	}
	int code = pclose( pipe );
	if ( ( ( code >> 8 ) & 255 ) == 77 )
	{
		exit( 77 );
	}
	assert_int_equal( code, 0 );
	assert_int_equal( salinities, 1000 );
	assert_int_equal( depths, 1000 );
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_against_gsw ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// deepsim optics water, as people use it; "optics" of a scenario's water, its sky and its lamps.

#include "tests/scenario/program.h"

#include <math.h>

static const char scenario[] =
	"{ \"deepsim\": 1, \"name\": \"w\", \"duration\": 1, \"rate\": 50,\n"
	"\"environment\": { \"water\": { \"optics\": { \"model\": \"measured\", \"turbidity\": 2,\n"
	"  \"levels\": [ { \"wavelength\": 500, \"absorption\": 1, \"scattering\": 3 } ],\n"
	"  \"phase\": { \"model\": \"henyey_greenstein\", \"g\": 0.9 },\n"
	"  \"profile\": [ { \"depth\": 10, \"factor\": 1 }, { \"depth\": %s, \"factor\": 0 } ] } },\n"
	"  \"sky\": null },\n"
	"\"bodies\": [ { \"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], \"hydrodynamics\": { \"model\": \"none\" } "
	"} ],\n"
	"\"actuators\": [ { \"name\": \"l\", \"type\": \"lamp\", \"body\": \"b\", \"config\": { \"power\": 30, \"beam\": "
	"\"table\",\n"
	"  \"profile\": [ { \"angle_deg\": 0, \"intensity\": 1 }, { \"angle_deg\": 60, \"intensity\": %s } ] } } ],\n"
	"\"commands\": [ { \"t\": 0.5, \"actuator\": \"l\", \"value\": 0.5 } ] }\n";

static void write_scenario( const char *deep, const char *intensity )
{
	FILE *file = fopen( DEEPSIM_TEST_TMP "/water.json", "w" );
	assert_non_null( file );
	fprintf( file, scenario, deep, intensity );
	assert_int_equal( fclose( file ), 0 );
}

static void test_types( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "optics water pure" ), 0 );
	expect_empty( ERR );
	// Pope and Fry 1997 at 600 nm
	expect_text( OUT, "600         0.22240" );
	assert_int_equal( deepsim( "optics water" ), 0 );
	expect_text( OUT, "0.03300" ); // Kd of IB at 475 nm
	expect_text( OUT, "phase function petzold, 0.0183 of it backwards, mean cosine 0.9241" );
	assert_int_equal( deepsim( "optics water 4C" ), 1 );
	expect_text( ERR, "expected pure, a type of Jerlov's" );
	assert_int_equal( deepsim( "optics water ib" ), 1 );
	expect_text( ERR, "did you mean IB?" );
	assert_int_equal( deepsim( "optics water IB --turbidity -1" ), 1 );
	expect_text( ERR, "turbidity: expected a number in [0, 10000]" );
	assert_int_equal( deepsim( "optics water IB --depth x" ), 2 );
	assert_int_equal( deepsim( "optics water IB II" ), 2 );
	assert_int_equal( deepsim( "optics water IB --csv /nowhere/x.csv" ), 1 );
	assert_int_equal( deepsim( "optics water missing.json" ), 1 );
}

// Pure water's a plus twice what is more; half of that at the middle of the profile. A row of the file at 550 nm.
static void test_scenario( void **state )
{
	(void)state;
	write_scenario( "30", "0.2" );
	assert_int_equal( deepsim( "optics water " DEEPSIM_TEST_TMP "/water.json --depth 20 --csv -" ), 0 );
	expect_empty( ERR );
	expect_text( OUT, "wavelength[nm],a[1/m],b_water[1/m],b_particles[1/m],b[1/m],bb[1/m],c[1/m],Kd[1/m]" );
	FILE *file = fopen( OUT, "r" );
	assert_non_null( file );
	char line[1024];
	int rows = 0;
	double w, a, bw, bp, sun = -1, sky = -1;
	while ( fgets( line, sizeof( line ), file ) )
	{
		if ( sscanf( line, "%lf,%lf,%lf,%lf,%*f,%*f,%*f,%*f,%*f,%*f,%lf,%lf", &w, &a, &bw, &bp, &sun, &sky ) == 6 )
		{
			++rows;
			if ( w == 550 )
			{
				assert_true( fabs( a - 1 ) < 1e-12 && fabs( bw + bp - 3 ) < 1e-12 );
			}
			assert_true( sun == 0 && sky == 0 );
		}
	}
	fclose( file );
	assert_int_equal( rows, 61 );
	assert_int_equal( deepsim( "optics water " DEEPSIM_TEST_TMP "/water.json --depth 1" ), 0 );
	expect_text( OUT, "550         1.94350" );
	expect_text( OUT, "henyey_greenstein" );
}

static void test_lamp( void **state )
{
	(void)state;
	write_scenario( "30", "0.2" );
	assert_int_equal( deepsim( "run " DEEPSIM_TEST_TMP "/water.json --quiet --log " DEEPSIM_TEST_TMP "/log" ), 0 );
	expect_text( DEEPSIM_TEST_TMP "/log/l.csv", "t[s],level,power[W]\n0.000000000,1,30\n" );
	expect_text( DEEPSIM_TEST_TMP "/log/l.csv", "0.900000000,0.5,15\n" );
}

static void test_errors( void **state )
{
	(void)state;
	write_scenario( "5", "0.2" );
	assert_int_equal( deepsim( "validate " DEEPSIM_TEST_TMP "/water.json" ), 1 );
	expect_text( ERR, "profile[1].depth: expected more than the 10 m of the level before, got 5" );
	write_scenario( "30", "-1" );
	assert_int_equal( deepsim( "validate " DEEPSIM_TEST_TMP "/water.json" ), 1 );
	expect_text( ERR, "profile[1].intensity: expected a number in [0, 1000000000]" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_types ),
		cmocka_unit_test( test_scenario ),
		cmocka_unit_test( test_lamp ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

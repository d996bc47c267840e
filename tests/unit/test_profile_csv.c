// Profiles of the water from CSV.

#include "base/base.h"
#include "hydro/gravity.h"
#include "hydro_shapes.h"
#include "io/profile_csv.h"

#define BOTH ( DS_PROFILE_TEMPERATURE | DS_PROFILE_SALINITY )

static ds_status parse( const char *text, unsigned needs, ds_profile *profile )
{
	return ds_profile_parse( NULL, "cast.csv", (const uint8_t *)text, (int64_t)strlen( text ), 0.5, needs, profile );
}

static void test_depths( void **state )
{
	(void)state;
	ds_profile p;
	// columns in any order, others between them, comments, blank lines, ends of lines of Windows, the mark of UTF-8
	const char *text = "\xEF\xBB\xBF# a cast\r\n% by hand\r\n\r\n"
					   "Salinity[psu], note ,DEPTH[m],temperature[degC],sound_speed[m/s]\r\n"
					   "35.5,mixed layer,0,20,1521\r\n"
					   "\r\n"
					   " 35.25 , , 1e2 , 12.5 , \r\n"
					   "# the deep\n"
					   "34.7,x,4000,1.5,1520";
	assert_int_equal( parse( text, BOTH, &p ), DS_OK );
	assert_int_equal( p.count, 3 );
	const double depth[] = { 0, 100, 4000 }, temperature[] = { 20, 12.5, 1.5 }, salinity[] = { 35.5, 35.25, 34.7 };
	assert_memory_equal( p.depth, depth, sizeof( depth ) );
	assert_memory_equal( p.temperature, temperature, sizeof( temperature ) );
	assert_memory_equal( p.salinity, salinity, sizeof( salinity ) );
	assert_null( p.density );
	ds_profile_free( &p );
	ds_profile_free( &p );
}

static void test_units( void **state )
{
	(void)state;
	static const char *const headers[] = { "pressure[dbar]", "pressure[bar]", "pressure[Pa]", "pressure[kPa]",
		"pressure[MPa]" };
	static const char *const cells[] = { "1000", "100", "1e7", "10000", "10" };
	for ( int i = 0; i < 5; ++i )
	{
		char text[200];
		snprintf( text, sizeof( text ), "%s,temperature[K],density[kg/m3]\n%s,275.65,1031.5\n", headers[i], cells[i] );
		ds_profile p;
		assert_int_equal( parse( text, DS_PROFILE_TEMPERATURE | DS_PROFILE_DENSITY, &p ), DS_OK );
		ASSERT_NEAR( p.depth[0], ds_depth_of_pressure( 1e7, 0.5 ), 1e-9 );
		ASSERT_NEAR( p.temperature[0], 2.5, 1e-12 );
		ASSERT_NEAR( p.density[0], 1031.5, 0 );
		assert_null( p.salinity );
		ds_profile_free( &p );
	}
	// depth counts where both are there
	ds_profile p;
	assert_int_equal( parse( "pressure[dbar],depth[m]\n1000,500\n", 0, &p ), DS_OK );
	ASSERT_NEAR( p.depth[0], 500, 0 );
	ds_profile_free( &p );
}

static void test_errors( void **state )
{
	(void)state;
	static const struct
	{
		const char *text;
		ds_status status;
		const char *words;
	} rows[] = {
		{ "", DS_ERROR_FORMAT, "cast.csv:0: the file is empty" },
		{ "# nothing\n\n", DS_ERROR_FORMAT, "empty" },
		{ "depth[m],temperature[degC],salinity[PSU]\n", DS_ERROR_FORMAT, "no level" },
		{ "depth,temperature[degC],salinity[PSU]\n0,1,35\n", DS_ERROR_FORMAT,
			"cast.csv:1: the column \"depth\" needs its unit" },
		{ "depth[ft],temperature[degC],salinity[PSU]\n0,1,35\n", DS_ERROR_UNSUPPORTED, "\"depth[ft]\"" },
		{ "depth[m],temperature[degF],salinity[PSU]\n0,1,35\n", DS_ERROR_UNSUPPORTED, "temperature[degC]" },
		{ "temperature[degC],salinity[PSU]\n1,35\n", DS_ERROR_NOT_FOUND, "no column depth[m] or pressure[dbar]" },
		{ "depth[m],temperature[degC],salinty[PSU]\n0,1,35\n", DS_ERROR_NOT_FOUND, "no column salinity[PSU]" },
		{ "depth[m],depth[m],temperature[degC],salinity[PSU]\n0,0,1,35\n", DS_ERROR_DUPLICATE, "two columns of depth" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,1,35\n5,1\n", DS_ERROR_FORMAT,
			"cast.csv:3: the row has 2 cells" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,1,35\n\n5,warm,35\n", DS_ERROR_FORMAT,
			"cast.csv:4: temperature is \"warm\"" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,,35\n", DS_ERROR_FORMAT, "temperature is missing" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,nan,35\n", DS_ERROR_NOT_FINITE, "finite" },
		{ "depth[m],temperature[degC],salinity[PSU]\n0,1,135\n", DS_ERROR_RANGE, "salinity is 135 PSU" },
		{ "depth[m],temperature[degC],salinity[PSU]\n-1,1,35\n", DS_ERROR_RANGE, "depth is -1 m" },
		{ "depth[m],temperature[degC],salinity[PSU]\n9,1,35\n9,1,35\n", DS_ERROR_RANGE,
			"cast.csv:3: the level at 9 m must lie deeper" },
		{ "pressure[bar],temperature[degC],salinity[PSU]\n-1,1,35\n", DS_ERROR_RANGE, "pressure is -10 dbar" },
	};
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		ds_profile p;
		ds_status status = parse( rows[i].text, BOTH, &p );
		if ( status != rows[i].status || strstr( ds_last_error(), rows[i].words ) == NULL )
		{
			fail_msg( "%s: status %d, \"%s\"", rows[i].text, (int)status, ds_last_error() );
		}
		assert_null( p.depth );
	}
}

// Every cut of a proper text either reads or is an error, and reads nothing beyond it (what sanitizers watch).
static void test_cut( void **state )
{
	(void)state;
	const char *text = "depth[m],temperature[degC],salinity[PSU]\r\n0,20,35.5\r\n100,12,35.25\r\n";
	for ( size_t size = 0; size <= strlen( text ); ++size )
	{
		uint8_t *copy = malloc( size + 1 );
		assert_non_null( copy );
		memcpy( copy, text, size );
		uint8_t *exact = realloc( copy, size ? size : 1 );
		ds_profile p;
		if ( ds_profile_parse( NULL, "cut", exact, (int64_t)size, 0, BOTH, &p ) == DS_OK )
		{
			assert_true( p.count == 1 || p.count == 2 );
		}
		ds_profile_free( &p );
		free( exact );
	}
	ds_profile p;
	assert_int_equal( ds_profile_parse( NULL, "zero", (const uint8_t *)"depth[m]\0", 9, 0, 0, &p ), DS_ERROR_FORMAT );
}

static void test_file( void **state )
{
	(void)state;
	const char *path = DEEPSIM_TEST_TMP "/cast.csv";
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	fputs( "depth[m],temperature[degC],salinity[PSU]\n0,20,35\n10,19,35\n", file );
	fclose( file );
	ds_profile p;
	assert_int_equal( ds_profile_read( NULL, path, 0, BOTH, &p ), DS_OK );
	assert_int_equal( p.count, 2 );
	ds_profile_free( &p );
	assert_int_equal( ds_profile_read( NULL, DEEPSIM_TEST_TMP "/none.csv", 0, BOTH, &p ), DS_ERROR_IO );
	assert_non_null( strstr( ds_last_error(), "none.csv" ) );
	assert_int_equal( ds_profile_read( NULL, DEEPSIM_TEST_TMP, 0, BOTH, &p ), DS_ERROR_IO );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_depths ),
		cmocka_unit_test( test_units ),
		cmocka_unit_test( test_errors ),
		cmocka_unit_test( test_cut ),
		cmocka_unit_test( test_file ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

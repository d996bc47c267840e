// The fit of an Ekman flow: it finds what a profile was made of, and follows two published profiles.

#include "deepsim/math.h"
#include "hydro/ekman.h"
#include "io/current_file.h"
#include "io/current_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DEGREE ( DS_PI / 180 )

static void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

#define assert_near( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )

enum
{
	LEVELS = 40
};

static void make_profile( const ds_current_def *def, double latitude, double depth, ds_current_level levels[LEVELS] )
{
	ds_ekman ekman = ds_ekman_make( def, latitude );
	ds_ekman_column column = ds_ekman_solve( &ekman, depth );
	for ( int i = 0; i < LEVELS; ++i )
	{
		double z = depth * pow( ( i + 0.5 ) / LEVELS, 1.5 );
		ds_complex w = ds_ekman_at( &ekman, &column, z, NULL );
		levels[i] = ( ds_current_level ){ z, { w.re, w.im, 0 } };
	}
}

static void test_recovers( void **state )
{
	(void)state;
	for ( int k = 0; k < 6; ++k )
	{
		double latitude = ( k % 2 ? -35 : 50 ) * DEGREE, depth = 150 + 60 * k;
		ds_current_def d = ds_current_def_default( DS_CURRENT_EKMAN );
		d.velocity[0] = 0.1 + 0.02 * k;
		d.velocity[1] = -0.15;
		d.surface_layer = 30 + 7 * k;
		d.bed_layer = 15 + 9 * k;
		d.wind_speed = 8 + k;
		d.wind_direction = 60 * k * DEGREE;
		ds_current_level levels[LEVELS];
		make_profile( &d, latitude, depth, levels );
		double stress[2];
		ds_ekman_stress( &d, stress );
		for ( int given = 0; given < 2; ++given )
		{
			ds_current_fit_setting setting = { latitude, depth, 1026, given ? &d : NULL };
			ds_current_fit fit;
			assert_int_equal( ds_current_fit_levels( levels, LEVELS, &setting, &fit ), DS_OK );
			assert_near( fit.current.velocity[0], d.velocity[0], 1e-5 );
			assert_near( fit.current.velocity[1], d.velocity[1], 1e-5 );
			assert_near( fit.current.surface_layer, d.surface_layer, 1e-3 * d.surface_layer );
			assert_near( fit.current.bed_layer, d.bed_layer, 1e-3 * d.bed_layer );
			assert_near( fit.stress[0], stress[0], 1e-4 );
			assert_near( fit.stress[1], stress[1], 1e-4 );
			assert_true( fit.all.rmse < 1e-5 && fit.all.levels == LEVELS );
			assert_true( fit.surface.levels + fit.interior.levels + fit.bed.levels == LEVELS );
			assert_true( !fit.surface_bounded && !fit.bed_bounded );

			// the block it gives is the flow it fitted
			ds_currents *c;
			assert_int_equal( ds_currents_create( NULL, &fit.current, 1, NULL, &c ), DS_OK );
			ds_vec3 v = ds_currents_at( c, NULL, ds_v3( 0, 0, levels[3].depth ), 0 );
			assert_near( v.x, levels[3].velocity[0], 5e-5 );
			assert_near( v.y, levels[3].velocity[1], 5e-5 );
			ds_currents_destroy( c );
		}
	}
}

static void fit_brest( const char *name, double most_free, double most_wind )
{
	char path[1024];
	snprintf( path, sizeof( path ), "%s/tests/fixtures/current/%s", DEEPSIM_SOURCE_DIR, name );
	ds_current_level *levels;
	int64_t capacity, count;
	assert_int_equal( ds_current_levels_load( NULL, path, &levels, &capacity, &count ), DS_OK );
	assert_int_equal( count, 35 );
	ds_current_def wind = ds_current_def_default( DS_CURRENT_EKMAN );
	wind.wind_speed = hypot( 21.89, 2.42 );
	wind.wind_direction = atan2( 21.89, 2.42 );
	wind.air_density = 1.185;
	// the surface there flows 54 to 55 degrees right of the wind
	double turn = atan2( levels[0].velocity[1], levels[0].velocity[0] ) - wind.wind_direction;
	assert_near( turn, 54.7 * DEGREE, 1 * DEGREE );

	ds_current_fit_setting setting = { 46.66667 * DEGREE, 0, 1026, NULL };
	ds_current_fit fit, given;
	assert_int_equal( ds_current_fit_levels( levels, count, &setting, &fit ), DS_OK );
	setting.wind = &wind;
	assert_int_equal( ds_current_fit_levels( levels, count, &setting, &given ), DS_OK );
	print_message( "%s: %.4f m/s of error, %.3f of the mean current's; with the wind's stress %.4f m/s, %.3f\n", name,
		fit.all.rmse, fit.all.rmse / fit.rmse_of_mean, given.all.rmse, given.all.rmse / given.rmse_of_mean );
	assert_true( fit.all.rmse <= most_free * fit.rmse_of_mean );
	assert_true( given.all.rmse <= most_wind * given.rmse_of_mean );
	assert_true( given.all.rmse >= fit.all.rmse );
	assert_near( given.stress[1] / hypot( given.stress[0], given.stress[1] ), sin( wind.wind_direction ), 1e-9 );
	// a free stress finds the wind's direction by itself
	assert_near( atan2( fit.stress[1], fit.stress[0] ), wind.wind_direction, 15 * DEGREE );
	DS_FREE( NULL, levels, capacity );
}

static void test_measured_profiles( void **state )
{
	(void)state;
	fit_brest( "brest_20231102_a.csv", 0.45, 0.55 );
	fit_brest( "brest_20231102_b.csv", 0.45, 0.55 );
}

static void test_fit_errors( void **state )
{
	(void)state;
	ds_current_level levels[4] = { { 1, { 0 } }, { 2, { 0 } }, { 3, { 0 } }, { 4, { 0 } } };
	ds_current_fit_setting setting = { 0.8, 0, 0, NULL };
	ds_current_fit fit;
	assert_int_equal( ds_current_fit_levels( levels, 3, &setting, &fit ), DS_ERROR_RANGE );
	// still water is a flow, too
	assert_int_equal( ds_current_fit_levels( levels, 4, &setting, &fit ), DS_OK );
	assert_true( fit.all.rmse == 0 && fit.stress[0] == 0 );
	setting.bed_depth = 3.5;
	assert_int_equal( ds_current_fit_levels( levels, 4, &setting, &fit ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "the bed at 3.5 m lies above the deepest level" ) );
	setting.bed_depth = 0;
	levels[2].depth = 2;
	assert_int_equal( ds_current_fit_levels( levels, 4, &setting, &fit ), DS_ERROR_RANGE );
	levels[2].velocity[1] = NAN;
	assert_int_equal( ds_current_fit_levels( levels, 4, &setting, &fit ), DS_ERROR_NOT_FINITE );
}

static const char *write_file( const char *text )
{
	static char path[1024];
	snprintf( path, sizeof( path ), "%s/file", DEEPSIM_TEST_TMP );
	FILE *f = fopen( path, "w" );
	assert_non_null( f );
	assert_true( fputs( text, f ) >= 0 && fclose( f ) == 0 );
	return path;
}

static void test_profile_files( void **state )
{
	(void)state;
	ds_current_level *levels;
	int64_t capacity, count;
	const char *path =
		write_file( "% by hand\n\nstation,u_m_s,depth [m],v_m_s\r\nA,0.5,1,-0.25\r\n# no\nB,0.25,20,0\n" );
	assert_int_equal( ds_current_levels_load( NULL, path, &levels, &capacity, &count ), DS_OK );
	assert_int_equal( count, 2 );
	assert_true( levels[0].depth == 1 && levels[0].velocity[0] == -0.25 && levels[0].velocity[1] == 0.5 );
	assert_true( levels[1].depth == 20 && levels[1].velocity[0] == 0 && levels[1].velocity[1] == 0.25 );
	DS_FREE( NULL, levels, capacity );
	path = write_file( "\xef\xbb\xbf"
					   "z (m),u (m s-1),v [m/s]\n1,2,3\n" );
	assert_int_equal( ds_current_levels_load( NULL, path, &levels, &capacity, &count ), DS_OK );
	assert_true( count == 1 && levels[0].depth == 1 && levels[0].velocity[0] == 3 && levels[0].velocity[1] == 2 );
	DS_FREE( NULL, levels, capacity );
	static const struct
	{
		const char *text, *message;
	} faults[] = { { "depth,east\n1,2\n", ":1: there is no column \"north\"" }, { "", "no column" },
		{ "depth,north,east\n1,2,3\n1,2\n", ":3: the row has 2 cells" },
		{ "depth,north,east\n1,x2,3\n", ":2: \"x2\" is not a number" },
		{ "depth,north,east\n1,nan,3\n", ":2: \"nan\" is not a number" },
		{ "depth[m],north[cm/s],east[cm/s]\n1,2,3\n", ":1: column \"north\" is in [cm/s], expected [m/s]" },
		{ "z (ft),u,v\n1,2,3\n", "column \"depth\" is in (ft), expected [m]" } };
	for ( size_t i = 0; i < sizeof( faults ) / sizeof( faults[0] ); ++i )
	{
		path = write_file( faults[i].text );
		assert_int_not_equal( ds_current_levels_load( NULL, path, &levels, &capacity, &count ), DS_OK );
		assert_null( levels );
		if ( strstr( ds_last_error(), faults[i].message ) == NULL )
		{
			print_error( "%s\n", ds_last_error() );
			fail();
		}
	}
	assert_int_not_equal( ds_current_levels_load( NULL, "no/such", &levels, &capacity, &count ), DS_OK );
}

// Currents as JSON: a block, an array, one alone, a scenario.
static void test_current_files( void **state )
{
	(void)state;
#define EKMAN "{\"model\": \"ekman\", \"surface_layer\": 40, \"bed_layer\": 10, \"stress\": {\"wind_speed\": 9}}"
#define TIDE                                                                                                           \
	"{\"model\": \"tidal\", \"constituents\": [{\"period\": \"M2\", \"major\": 0.5, \"axis_deg\": 90}, "               \
	"{\"period\": 3600, \"major\": 0.1}]}"
	static const struct
	{
		const char *text;
		int count;
		double latitude;
	} files[] = { { EKMAN, 1, 0 }, { "[" EKMAN ", " TIDE "]", 2, 0 }, { "[]", 0, 0 },
		{ "{\"latitude_deg\": 30, \"bed\": 70, \"currents\": [" TIDE ", " EKMAN "]}", 2, 30 },
		{ "{\"deepsim\": 1, \"name\": \"s\", \"duration\": 1, \"rate\": 100, \"origin\": {\"latitude_deg\": -20}, "
		  "\"environment\": {\"currents\": [" TIDE "]}, \"bodies\": []}",
			1, -20 } };
	for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); ++i )
	{
		ds_current_file file;
		if ( ds_current_file_load( write_file( files[i].text ), &file ) != DS_OK )
		{
			print_error( "%s\n", ds_last_error() );
			fail();
		}
		assert_int_equal( file.count, files[i].count );
		assert_near( file.setting.latitude, files[i].latitude * DEGREE, 1e-15 );
		ds_currents *c;
		assert_int_equal( ds_currents_create( NULL, file.defs, file.count, &file.setting, &c ), DS_OK );
		ds_currents_destroy( c );
		ds_current_file_free( &file );
	}
	ds_current_file file;
	assert_int_not_equal( ds_current_file_load( write_file( "{\"model\": \"ekmann\"}" ), &file ), DS_OK );
	assert_non_null( strstr( ds_last_error(), "did you mean \"ekman\"" ) );
	assert_int_not_equal( ds_current_file_load( write_file( "[{\"model\": \"jet\", \"depth\": 1}]" ), &file ), DS_OK );
	assert_non_null( strstr( ds_last_error(), "currents[0].depth" ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_recovers ),
		cmocka_unit_test( test_measured_profiles ),
		cmocka_unit_test( test_fit_errors ),
		cmocka_unit_test( test_profile_files ),
		cmocka_unit_test( test_current_files ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

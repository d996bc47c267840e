// Sea water against the Gibbs SeaWater toolbox (python3-gsw) and scipy, whose numbers seawater_gsw.py prints.

#include "../unit/hydro_shapes.h"
#include "base/base.h"
#include "hydro/column.h"
#include "hydro/seawater.h"

#define MOST         2000
#define MOST_NUMBERS 9

typedef struct records
{
	int count;
	double of[MOST][MOST_NUMBERS];
} records;

static records gravity, states, levels, columns, ocean, depths;

static records *records_of( const char *word )
{
	static const struct
	{
		const char *word;
		records *records;
	} all[] = { { "gravity", &gravity }, { "state", &states }, { "level", &levels }, { "column", &columns },
		{ "ocean", &ocean }, { "depth", &depths } };
	for ( size_t i = 0; i < sizeof( all ) / sizeof( all[0] ); ++i )
	{
		if ( strcmp( word, all[i].word ) == 0 )
		{
			return all[i].records;
		}
	}
	return NULL;
}

static bool take_line( char *line )
{
	char *word = strtok( line, " \n" );
	records *r = word ? records_of( word ) : NULL;
	if ( r == NULL || r->count == MOST )
	{
		return false;
	}
	double *number = r->of[r->count++];
	for ( int i = 0; i < MOST_NUMBERS; ++i )
	{
		char *text = strtok( NULL, " \n" );
		number[i] = text ? strtod( text, NULL ) : NAN;
	}
	return true;
}

// Runs the script: 0 if all was read, its exit code otherwise.
static int read_script( void )
{
	FILE *pipe = popen( "PATH=/usr/bin:$PATH python3 '" DEEPSIM_SOURCE_DIR "/tests/oracle/seawater_gsw.py'", "r" );
	if ( pipe == NULL )
	{
		return 1;
	}
	char line[400];
	bool proper = true;
	while ( fgets( line, sizeof( line ), pipe ) )
	{
		proper = take_line( line ) && proper;
	}
	int status = pclose( pipe );
	return status == 0 ? ( proper ? 0 : 1 ) : ( status >> 8 ) & 255;
}

static void test_states( void **state )
{
	(void)state;
	assert_true( states.count > 900 );
	for ( int i = 0; i < states.count; ++i )
	{
		const double *n = states.of[i];
		double p = n[2] * 1e4, sa = ds_teos10_absolute_salinity( n[0] );
		ASSERT_NEAR( sa, n[3], 1e-12 );
		// the toolbox stops its Newton steps at some 1e-12 K
		double ct = ds_teos10_conservative_temperature( sa, n[1], p );
		ASSERT_NEAR( ct, n[4], 1e-9 );
		ASSERT_NEAR( ds_teos10_density( sa, ct, p ), n[5], 1e-9 );
		ASSERT_NEAR( ds_teos10_sound( sa, ct, p ), n[6], 1e-8 );
		ds_gibbs g = ds_teos10_gibbs( sa, n[1], p );
		ASSERT_NEAR( 1 / g.g_p, n[7], 1e-9 );
		ASSERT_NEAR( g.g_p * sqrt( g.g_tt / ( g.g_tp * g.g_tp - g.g_tt * g.g_pp ) ), n[8], 1e-8 );
	}
}

static ds_water_column *column_of( const records *profile, double g, double gradient, double step )
{
	static double z[MOST], t[MOST], s[MOST];
	for ( int i = 0; i < profile->count; ++i )
	{
		z[i] = profile->of[i][0];
		t[i] = profile->of[i][1];
		s[i] = isnan( profile->of[i][2] ) ? 35 : profile->of[i][2];
	}
	ds_column_def def = ds_column_def_default();
	def.kind = DS_COLUMN_TEOS10;
	def.profile = ( ds_column_profile ){ z, t, s, profile->count };
	def.gravity = g;
	def.gravity_gradient = gradient;
	def.step = step;
	ds_water_column *column = NULL;
	assert_int_equal( ds_column_create( NULL, &def, &column ), DS_OK );
	return column;
}

static void test_column( void **state )
{
	(void)state;
	assert_int_equal( columns.count, 40 );
	ds_water_column *column = column_of( &levels, gravity.of[0][0], gravity.of[0][1], 0 );
	for ( int i = 0; i < columns.count; ++i )
	{
		const double *n = columns.of[i];
		ds_water w;
		ds_column_query( column, n[0], &w );
		// at levels, where the profile's curvature jumps, the cubics of the grid are off by 0.03 Pa; elsewhere by 1e-4
		ASSERT_NEAR( w.gauge_pressure, n[1], 0.05 );
		ASSERT_NEAR( w.density, n[2], 5e-8 );
		ASSERT_NEAR( w.temperature, n[3], 1e-11 );
		ASSERT_NEAR( w.salinity, n[4], 1e-11 );
	}
	ds_column_destroy( column );
}

static void test_standard_ocean( void **state )
{
	(void)state;
	assert_int_equal( depths.count, 12 );
	ds_water_column *column = column_of( &ocean, gravity.of[0][2], gravity.of[0][3], 0 );
	for ( int i = 0; i < depths.count; ++i )
	{
		ds_water w;
		ds_column_query( column, depths.of[i][0], &w );
		ASSERT_NEAR( w.gauge_pressure, depths.of[i][1], 0.01 );
	}
	ds_column_destroy( column );
}

int main( void )
{
	int code = read_script();
	if ( code != 0 )
	{
		printf( "%s\n", code == 77 ? "skipped: python3-gsw or python3-scipy is not installed"
								   : "tests/oracle/seawater_gsw.py failed" );
		return code;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_states ),
		cmocka_unit_test( test_column ),
		cmocka_unit_test( test_standard_ocean ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

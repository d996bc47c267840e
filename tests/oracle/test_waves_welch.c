// Records of seas, whose spectrum and direction scipy estimates: tests/oracle/waves_welch.py.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hydro/waves.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define SEAS     16
#define SAMPLES  16384
#define INTERVAL 0.5 // [s]

static double record[3][SAMPLES];

static void write_sea( FILE *file, const ds_waves_def *def )
{
	ds_waves *waves = NULL;
	assert_int_equal( ds_waves_create( NULL, def, &waves ), DS_OK );
	for ( int i = 0; i < SAMPLES; ++i )
	{
		ds_wave_point at;
		ds_vec3 place = { 20, -30, 1 };
		ds_waves_at( waves, place, INTERVAL * i, &at );
		record[0][i] = at.elevation;
		record[1][i] = at.velocity.x;
		record[2][i] = at.velocity.y;
	}
	assert_int_equal( fwrite( record, sizeof( record ), 1, file ), 1 );
	ds_waves_destroy( waves );
}

static void run( int32_t kind, double direction, double spreading )
{
	ds_waves_def def = ds_waves_def_default();
	def.kind = kind;
	def.height = 1;
	def.period = 9;
	def.direction = direction;
	def.spreading = spreading;
	FILE *file = fopen( DEEPSIM_TEST_TMP "/seas", "wb" );
	assert_non_null( file );
	const double header[9] = { kind, def.height, def.period, def.peak_enhancement, direction, spreading, SEAS, SAMPLES,
		INTERVAL };
	assert_int_equal( fwrite( header, sizeof( header ), 1, file ), 1 );
	for ( int seed = 0; seed < SEAS; ++seed )
	{
		def.seed = seed;
		write_sea( file, &def );
	}
	assert_int_equal( fclose( file ), 0 );

	int status = system( "PATH=/usr/bin:$PATH python3 '" DEEPSIM_SOURCE_DIR
						 "/tests/oracle/waves_welch.py' '" DEEPSIM_TEST_TMP "/seas'" );
	assert_true( WIFEXITED( status ) );
	if ( WEXITSTATUS( status ) == 77 || WEXITSTATUS( status ) == 127 )
	{
		skip();
	}
	assert_int_equal( WEXITSTATUS( status ), 0 );
}

static void test_jonswap( void **state )
{
	(void)state;
	run( DS_WAVES_JONSWAP, 0.5, 15 );
}

static void test_pierson_moskowitz( void **state )
{
	(void)state;
	run( DS_WAVES_PIERSON_MOSKOWITZ, -2.2, 40 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_jonswap ),
		cmocka_unit_test( test_pierson_moskowitz ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

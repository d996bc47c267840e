// Lenses against OpenCV (python3-opencv), whose numbers lens_opencv.py prints: projections, inverses, files both ways.

#include "../unit/world_kit.h"
#include "deepsim/lens.h"
#include "deepsim/math.h"

#include <math.h>

#define SCRIPT   "PATH=/usr/bin:$PATH python3 '" DEEPSIM_SOURCE_DIR "/tests/oracle/lens_opencv.py' "
#define FIXTURES DEEPSIM_SOURCE_DIR "/tests/fixtures/optics/"

// Ends the test as skipped where the script says so.
static void end( FILE *pipe )
{
	int code = pclose( pipe );
	if ( ( ( code >> 8 ) & 255 ) == 77 )
	{
		exit( 77 );
	}
	assert_int_equal( code, 0 );
}

static bool read_lens( const char *line, ds_lens *lens )
{
	double n[12];
	if ( sscanf( line, "lens %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", n, n + 1, n + 2, n + 3, n + 4, n + 5,
			 n + 6, n + 7, n + 8, n + 9, n + 10, n + 11 ) != 12 )
	{
		return false;
	}
	ds_lens_config config = ds_lens_config_default();
	bool fisheye = n[0] == 1;
	config.model = fisheye ? DS_LENS_FISHEYE : DS_LENS_RECTILINEAR;
	config.width = (int64_t)n[1];
	config.height = (int64_t)n[2];
	config.fx = n[3];
	config.fy = n[4];
	config.center_kind = DS_LENS_CENTER_GIVEN;
	config.center[0] = n[5];
	config.center[1] = n[6];
	config.k[0] = n[7];
	config.k[1] = n[8];
	config.k[2] = fisheye ? n[9] : n[11];
	config.k[3] = fisheye ? n[10] : 0;
	config.p[0] = fisheye ? 0 : n[9];
	config.p[1] = fisheye ? 0 : n[10];
	OK( ds_lens_make( &config, lens ) );
	return true;
}

typedef struct counts
{
	int lenses, points, backs, files;
} counts;

static void check_line( const char *line, ds_lens *lens, counts *c )
{
	double n[5], pixel[2];
	char path[1024];
	ds_lens read;
	ds_vec3 d;
	if ( read_lens( line, &read ) )
	{
		*lens = read;
		c->lenses++;
	}
	else if ( sscanf( line, "point %lf %lf %lf %lf %lf", n, n + 1, n + 2, n + 3, n + 4 ) == 5 )
	{
		OK( ds_lens_project( lens, ds_v3( n[0], n[1], n[2] ), pixel ) );
		NEAR( pixel[0], n[3], 1e-9 );
		NEAR( pixel[1], n[4], 1e-9 );
		OK( ds_lens_ray( lens, n[3], n[4], &d ) );
		NEAR3( d, ds_scale( 1 / ds_length( ds_v3( n[0], n[1], n[2] ) ), ds_v3( n[0], n[1], n[2] ) ), 1e-11 );
		c->points++;
	}
	else if ( sscanf( line, "back %lf %lf %lf %lf", n, n + 1, n + 2, n + 3 ) == 4 )
	{
		// OpenCV's inverses end early: 1e-8 of Newton's method for fisheyes, a fixed point for pinholes
		OK( ds_lens_ray( lens, n[0], n[1], &d ) );
		double farther = 1 + n[2] * n[2] + n[3] * n[3];
		NEAR( d.x / d.z, n[2], 1e-7 * farther );
		NEAR( d.y / d.z, n[3], 1e-7 * farther );
		c->backs++;
	}
	else if ( sscanf( line, "file %1000[^\n]", path ) == 1 )
	{
		OK( ds_lens_load( path, &read ) );
		assert_memory_equal( &read, lens, sizeof( read ) );
		c->files++;
	}
}

static void test_against_opencv( void **state )
{
	(void)state;
	FILE *pipe = popen( SCRIPT "'" DEEPSIM_TEST_TMP "' '" FIXTURES "underwater_calibrations.csv'", "r" );
	assert_non_null( pipe );
	counts c = { 0, 0, 0, 0 };
	ds_lens lens;
	char line[1200];
	while ( fgets( line, sizeof( line ), pipe ) )
	{
		check_line( line, &lens, &c );
	}
	end( pipe );
	assert_int_equal( c.lenses, 12 + 4 );
	assert_int_equal( c.points, 200 * c.lenses );
	assert_true( c.backs > 180 * c.lenses ); // the others are those where OpenCV's does not converge
	assert_int_equal( c.files, 3 * c.lenses );
}

static void test_files_of_ours( void **state )
{
	(void)state;
	static const char *const endings[] = { "yaml", "xml", "ros.yaml" };
	for ( int model = 0; model < 2; ++model )
	{
		ds_lens_config config = ds_lens_config_default();
		config.model = model == 0 ? DS_LENS_RECTILINEAR : DS_LENS_FISHEYE;
		config.fx = 1000.0 / 3;
		config.fy = 400;
		config.k[0] = -0.1 / 3;
		config.k[1] = 1e-9 / 7;
		config.k[2] = 0.25;
		config.k[3] = model == 0 ? 0 : -1e-3 / 9;
		config.p[0] = model == 0 ? 1 / 7e3 : 0;
		ds_lens lens, read;
		OK( ds_lens_make( &config, &lens ) );
		for ( int format = 0; format < DS_LENS_FORMAT_COUNT; ++format )
		{
			char path[600], command[2000], line[1200] = "";
			snprintf( path, sizeof( path ), "%s/ours%d.%s", DEEPSIM_TEST_TMP, model, endings[format] );
			OK( ds_lens_save( &lens, "the \"left\" one", (ds_lens_format)format, path ) );
			snprintf( command, sizeof( command ), SCRIPT "read '%s'", path );
			FILE *pipe = popen( command, "r" );
			assert_non_null( pipe );
			bool any = fgets( line, sizeof( line ), pipe ) != NULL;
			end( pipe );
			assert_true( any );
			if ( strncmp( line, "none", 4 ) != 0 )
			{
				assert_true( read_lens( line, &read ) );
				assert_memory_equal( &read, &lens, sizeof( read ) );
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_against_opencv ),
		cmocka_unit_test( test_files_of_ours ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

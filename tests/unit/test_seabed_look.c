// What the seabed looks like: means, spreads, covers and sizes as asked for, and the same from near and far.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/math.h"
#include "deepsim/random.h"
#include "optics/seabed_look.h"

#include <stdlib.h>
#include <string.h>

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.9g is not %.9g within %g", value, expected, tolerance );
	}
}

static const ds_vec3 level = { 0, 0, -1 };

// Statistics of many places of a square of `side`, at random.
typedef struct sums
{
	double color[3], color2, normal[3], slope2[2], under;
} sums;

static sums measure( const ds_seabed_look *look, double side, double footprint, ds_vec3 normal, int count )
{
	ds_random random = ds_random_stream( 5, "places", DS_RANDOM_SAMPLE, 0 );
	sums s;
	memset( &s, 0, sizeof( s ) );
	for ( int i = 0; i < count; ++i )
	{
		ds_surface at;
		int32_t instance;
		double north = side * ( ds_random_uniform( &random ) - 0.5 ),
			   east = side * ( ds_random_uniform( &random ) - 0.5 );
		ds_seabed_look_at( look, north, east, normal, footprint, &at, &instance );
		for ( int k = 0; k < 3; ++k )
		{
			s.color[k] += at.color[k] / (double)count;
			s.normal[k] += at.normal[k] / (double)count;
		}
		double square = 0;
		for ( int k = 0; k < 3; ++k )
		{
			square += (double)at.normal[k] * at.normal[k];
		}
		assert_near( square, 1, 1e-5 );
		s.color2 += (double)at.color[0] * at.color[0] / count;
		s.slope2[0] += pow( at.normal[0] / at.normal[2], 2 ) / count;
		s.slope2[1] += pow( at.normal[1] / at.normal[2], 2 ) / count;
		s.under += ( instance != 0 ) / (double)count;
		assert_true( instance >= 0 && instance < 1 << 23 );
	}
	return s;
}

static void test_tables( void **state )
{
	(void)state;
	assert_int_equal( ds_table_check( ds_seabed_look_table() ), DS_OK );
	ds_seabed_look look = ds_seabed_look_default();
	assert_int_equal( ds_table_check_value( ds_seabed_look_table(), &look ), DS_OK );
	assert_true( look.nodule_cover == 0 );
	look.nodule_cover = 0.7;
	assert_int_equal( ds_table_check_value( ds_seabed_look_table(), &look ), DS_ERROR_RANGE );
}

static void test_sediment( void **state )
{
	(void)state;
	ds_seabed_look look = ds_seabed_look_default();
	sums s = measure( &look, 300, 0, level, 300000 );
	double deviation = sqrt( s.color2 - s.color[0] * s.color[0] );
	assert_near( s.color[0] / look.color[0], 1, 0.003 );
	assert_near( s.color[2] / look.color[2], 1, 0.003 );
	assert_near( deviation / s.color[0] / look.mottling, 1, 0.02 );
	assert_near( sqrt( s.slope2[0] ) / look.ripple, 1, 0.02 );
	assert_near( sqrt( s.slope2[1] ) / look.ripple, 1, 0.02 );
	assert_true( s.under == 0 );
}

// The share under nodules, and the mean colour that follows from it.
static void test_cover( void **state )
{
	(void)state;
	static const double covers[] = { 0.02, 0.2, 0.4, 0.6 }, spreads[] = { 1, 1.4, 2 };
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			ds_seabed_look look = ds_seabed_look_default();
			look.nodule_cover = covers[i];
			look.nodule_spread = spreads[j];
			look.seed = 11 * i + j;
			sums s = measure( &look, 300, 0, level, 100000 );
			assert_near( s.under, covers[i], 0.005 );
			double mean = covers[i] * look.nodule_color[0] + ( 1 - covers[i] ) * look.color[0];
			assert_near( s.color[0] / mean, 1, 0.01 );
		}
	}
}

static int compare( const void *a, const void *b )
{
	double x = *(const double *)a, y = *(const double *)b;
	return ( x > y ) - ( x < y );
}

// Areas by instance on a raster: median and spread of the diameters of circles of the same area.
static void test_sizes( void **state )
{
	(void)state;
	ds_seabed_look look = ds_seabed_look_default();
	look.nodule_cover = 0.05;
	uint16_t *areas = calloc( 1 << 23, sizeof( *areas ) );
	double *sizes = calloc( 1 << 16, sizeof( *sizes ) );
	assert_non_null( areas );
	assert_non_null( sizes );
	const int n = 1400;
	const double step = 0.004;
	for ( int i = 0; i < n * n; ++i )
	{
		ds_surface at;
		int32_t instance;
		ds_seabed_look_at( &look, step * ( i / n ), step * ( i % n ), level, step, &at, &instance );
		++areas[instance];
	}
	int count = 0;
	double sum = 0, sum2 = 0;
	for ( int i = 1; i < 1 << 23; ++i )
	{
		if ( areas[i] )
		{
			assert_true( count < 1 << 16 );
			sizes[count++] = sqrt( 4 / DS_PI * areas[i] * step * step );
		}
	}
	assert_true( count > 500 );
	for ( int i = 0; i < count; ++i )
	{
		sum += log( sizes[i] ) / count;
		sum2 += log( sizes[i] ) * log( sizes[i] ) / count;
	}
	qsort( sizes, (size_t)count, sizeof( *sizes ), compare );
	assert_near( sizes[count / 2] / look.nodule_size, 1, 0.05 );
	assert_near( exp( sqrt( sum2 - sum * sum ) ) / look.nodule_spread, 1, 0.04 );
	assert_true( sizes[count - 1] < look.nodule_size * pow( look.nodule_spread, 2.6 ) );
	free( areas );
	free( sizes );
}

// The mean is the same however wide a pixel is, and what is smaller than the pixel is gone.
static void test_filtering( void **state )
{
	(void)state;
	ds_seabed_look look = ds_seabed_look_default();
	look.nodule_cover = 0.3;
	double mean = 0.3 * look.nodule_color[0] + 0.7 * look.color[0], before = 1;
	static const double footprints[] = { 0.001, 0.01, 0.02, 0.03, 0.05, 0.1, 0.3 };
	for ( int i = 0; i < 7; ++i )
	{
		sums s = measure( &look, 200, footprints[i], level, 100000 );
		double deviation = sqrt( s.color2 - s.color[0] * s.color[0] ) / mean;
		assert_near( s.color[0] / mean, 1, 0.015 );
		assert_true( deviation < before + 0.005 );
		assert_near( s.under, 0.3, 0.005 ); // where nodules lie does not depend on who looks
		before = deviation;
	}
	sums far = measure( &look, 200, 5, level, 1000 );
	assert_near( far.color[0] / mean, 1, 1e-5 );
	assert_near( far.normal[2], -1, 1e-6 );
	assert_near( far.color2 - far.color[0] * far.color[0], 0, 1e-9 );
}

static void test_continuity( void **state )
{
	(void)state;
	ds_seabed_look look = ds_seabed_look_default();
	look.nodule_cover = 0.3;
	ds_surface last;
	int32_t instance, last_instance = 0;
	int changes = 0, jumps = 0;
	for ( int i = 0; i < 200000; ++i )
	{
		// 0.02 mm a step, seen by pixels of 5 mm: colours change by a few parts in a thousand
		ds_surface at;
		ds_seabed_look_at( &look, 7 + 1.6e-5 * i, -3 + 1.2e-5 * i, level, 0.005, &at, &instance );
		if ( i > 0 )
		{
			// but where one nodule leans on another, whose brightness may be another
			double change = fabs( (double)at.color[0] - last.color[0] );
			assert_true( change < 0.5 * look.nodule_color[0] );
			jumps += change > 0.004;
			changes += instance != last_instance;
		}
		last = at;
		last_instance = instance;
	}
	assert_in_range( changes, 40, 400 ); // 4 m of ground
	assert_true( jumps < changes / 8 );

	// sediment alone: the slopes too
	look.nodule_cover = 0;
	for ( int i = 0; i < 100000; ++i )
	{
		ds_surface at;
		ds_seabed_look_at( &look, 7 + 1.6e-5 * i, -3 + 1.2e-5 * i, level, 0, &at, &instance );
		for ( int k = 0; k < 3 && i > 0; ++k )
		{
			assert_near( at.normal[k], last.normal[k], 2e-3 );
		}
		last = at;
	}
}

static void test_seeds_and_repeats( void **state )
{
	(void)state;
	ds_seabed_look a = ds_seabed_look_default(), b;
	a.nodule_cover = 0.3;
	b = a;
	b.seed = 2;
	int differ = 0, nodules = 0;
	for ( int i = 0; i < 2000; ++i )
	{
		ds_surface s, t, u;
		int32_t m, n, o;
		double north = 0.013 * i, east = 500 - 0.017 * i;
		ds_seabed_look_at( &a, north, east, level, 0.002, &s, &m );
		ds_seabed_look_at( &b, north, east, level, 0.002, &t, &n ); // another look in between
		ds_seabed_look_at( &a, north, east, ds_v3( 0.6, 0, -0.8 ), 0.2, &u, &o );
		assert_int_equal( m, o );
		nodules += m != 0;
		differ += ( m != 0 ) != ( n != 0 );
		ds_seabed_look_at( &a, north, east, level, 0.002, &t, &n );
		assert_memory_equal( &s, &t, sizeof( s ) );
	}
	assert_in_range( nodules, 400, 800 );
	assert_in_range( differ, 600, 1100 ); // 2 * 0.3 * 0.7
}

// On a slope the small shapes lean with the ground; the middle of a nodule looks along the ground's normal, its rim away from there.
static void test_normals( void **state )
{
	(void)state;
	ds_seabed_look look = ds_seabed_look_default();
	ds_vec3 slope = { 0.6, 0, -0.8 };
	sums s = measure( &look, 100, 0, slope, 50000 );
	assert_near( s.normal[0] / 0.6, 1 - look.ripple * look.ripple, 0.01 );
	assert_near( s.normal[1], 0, 0.003 );
	assert_near( s.normal[2] / -0.8, 1 - look.ripple * look.ripple, 0.01 );

	look.nodule_cover = 0.3;
	look.ripple = 0;
	look.nodule_burial = 0.5;
	double steepest = 1;
	for ( int i = 0; i < 20000; ++i )
	{
		ds_surface at;
		int32_t instance;
		ds_seabed_look_at( &look, 3e-4 * i, 1e-4 * i, slope, 0, &at, &instance );
		double along = at.normal[0] * slope.x + at.normal[2] * slope.z;
		assert_true( along > -1e-6 );
		assert_true( instance || along > 1 - 1e-6 );
		steepest = along < steepest ? along : steepest;
	}
	assert_true( steepest < 0.15 ); // half buried: upright at the rim
}

static void test_bad_input( void **state )
{
	(void)state;
	ds_seabed_look look = ds_seabed_look_default();
	look.nodule_cover = 0.5;
	static const double places[] = { NAN, INFINITY, -INFINITY, 1e300, -1e8, 99999999 };
	for ( int i = 0; i < 6; ++i )
	{
		ds_surface at;
		int32_t instance;
		ds_seabed_look_at( &look, places[i], -places[i], level, places[i], &at, &instance );
		assert_true( at.color[0] >= 0 && at.color[0] <= 1 );
	}
	ds_surface at;
	int32_t instance;
	ds_seabed_look_at( &look, 1, 2, ds_v3( 0, 0, 1 ), 0, &at, &instance ); // a ceiling
	assert_true( at.normal[2] > 0 );
}

static ds_vec3 unit_of( ds_vec3 v )
{
	return ds_scale( 1 / ds_length( v ), v );
}

// Places of a packet: near and far, small and large, on level and steep ground, and some that are none.
static void scatter_places( ds_random *random, int round, ds_seabed_places *p )
{
	const double side = round % 3 == 0 ? 0.5 : round % 3 == 1 ? 1000 : 3e8;
	memset( p, 0, sizeof( *p ) );
	for ( int k = 0; k < DS_SEABED_PLACES; ++k )
	{
		ds_vec3 up = unit_of( ds_v3( ds_random_uniform( random ) - 0.5, ds_random_uniform( random ) - 0.5,
			-ds_random_uniform( random ) - ( k == 3 ? 0 : 0.01 ) ) );
		p->north[k] = k == 5 ? NAN : side * ( ds_random_uniform( random ) - 0.5 );
		p->east[k] = k == 6 ? INFINITY : side * ( ds_random_uniform( random ) - 0.5 );
		p->up[0][k] = (float)up.x;
		p->up[1][k] = (float)up.y;
		p->up[2][k] = (float)( k == 7 ? 1 : up.z );
		p->footprint[k] = k % 4 == 0 ? 0 : (float)pow( 10, 4 * ds_random_uniform( random ) - 3.5 );
	}
}

// Every variant gives the same bits, and one place alone what it gives among others.
static void test_kernels( void **state )
{
	(void)state;
	const ds_seabed_kernel *kernels[DS_SEABED_KERNELS];
	const int count = ds_seabed_kernels( kernels );
	assert_ptr_equal( kernels[count - 1], &ds_seabed_kernel_plain );
	const double covers[3] = { 0, 0.2, 0.6 };
	ds_random random = ds_random_stream( 8, "kernels", DS_RANDOM_SAMPLE, 0 );
	ds_seabed_plan plan;
	ds_seabed_places given, plain, other;
	for ( int round = 0; round < 300; ++round )
	{
		ds_seabed_look look = ds_seabed_look_default();
		const int which = round / 30;
		look.nodule_cover = covers[which % 3];
		look.nodule_size = which % 2 ? 0.04 : 0.3;
		look.nodule_spread = which % 5 ? 1.4 : 2;
		look.seed = which;
		if ( round % 30 == 0 )
		{
			ds_seabed_plan_make( &look, &plan );
		}
		scatter_places( &random, round, &given );
		plain = given;
		ds_seabed_kernel_plain.look( &plan, DS_SEABED_PLACES, &plain );
		for ( int i = 0; i < count; ++i )
		{
			other = given;
			kernels[i]->look( &plan, DS_SEABED_PLACES, &other );
			assert_memory_equal( &other, &plain, sizeof( plain ) );
		}
		const int k = round % DS_SEABED_PLACES;
		ds_surface at;
		int32_t instance;
		const ds_vec3 up = ds_v3( (double)given.up[0][k], (double)given.up[1][k], (double)given.up[2][k] );
		ds_seabed_look_at( &look, given.north[k], given.east[k], up, (double)given.footprint[k], &at, &instance );
		assert_int_equal( instance, plain.instance[k] );
		for ( int x = 0; x < 3; ++x )
		{
			assert_true( at.normal[x] == plain.normal[x][k] && at.color[x] == plain.color[x][k] );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_tables ), cmocka_unit_test( test_sediment ),
		cmocka_unit_test( test_cover ), cmocka_unit_test( test_sizes ), cmocka_unit_test( test_filtering ),
		cmocka_unit_test( test_continuity ), cmocka_unit_test( test_seeds_and_repeats ),
		cmocka_unit_test( test_normals ), cmocka_unit_test( test_bad_input ), cmocka_unit_test( test_kernels ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

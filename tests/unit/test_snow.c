// Marine snow: how many particles, how large, where; that they stay where they are; what they look like.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/math.h"
#include "optics/snow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 200000

static ds_snow_particle first[MOST], second[MOST];

static ds_snow_config config_of( double density, double slope )
{
	return ( ds_snow_config ){ .density = density,
		.minimum = 0.5e-3,
		.maximum = 5e-3,
		.slope = slope,
		.reflectance = 0.4,
		.sinking = 0.001,
		.range = 8 };
}

// Looks along +x from a place.
static ds_snow_view view_of( ds_vec3 eye, double half_angle )
{
	return ( ds_snow_view ){ eye, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 }, { 0, 0, 0 }, half_angle, 0 };
}

static double volume( double range, double half_angle )
{
	return 2 * DS_PI / 3 * ( 1 - cos( half_angle ) ) * range * range * range;
}

// Means over many places: Poisson numbers, variance as mean.
static void test_number( void **state )
{
	(void)state;
	const double angles[3] = { 0.2, 0.8, 3.14159265 };
	for ( int a = 0; a < 3; ++a )
	{
		ds_snow_config config = config_of( 40, 3 );
		config.range = a == 0 ? 6 : a == 1 ? 3 : 1.5;
		ds_snow snow;
		ds_snow_make( &config, 7, &snow );
		double sum = 0, squares = 0;
		const int runs = 600;
		for ( int i = 0; i < runs; ++i )
		{
			ds_snow_view view = view_of( ds_v3( 100.0 * i - 3e4, 7.7 * i, 1000 - 13.0 * i ), angles[a] );
			double n = (double)ds_snow_visit( &snow, &view, MOST, first );
			sum += n;
			squares += n * n;
		}
		double mean = sum / runs, variance = squares / runs - mean * mean;
		double expected = 40 * volume( config.range, angles[a] );
		assert_true( fabs( mean - expected ) < 4 * sqrt( expected / runs ) );
		assert_true( fabs( variance / expected - 1 ) < 4 * sqrt( 2.0 / runs ) );
	}
}

// Shares of particles larger than d against Junge's law, and uniform in the cone: half of them within 2^(-1/3) of the range.
static void test_sizes_and_places( void **state )
{
	(void)state;
	const double slopes[3] = { 3, 4, 0 };
	for ( int s = 0; s < 3; ++s )
	{
		ds_snow_config config = config_of( 2000, slopes[s] );
		config.range = 4;
		ds_snow snow;
		ds_snow_make( &config, 1, &snow );
		ds_snow_view view = view_of( ds_v3( 5, 5, 5 ), 0.7 );
		int64_t n = ds_snow_visit( &snow, &view, MOST, first );
		double expected = 2000 * volume( 4, 0.7 );
		assert_true( fabs( (double)n - expected ) < 4 * sqrt( expected ) );
		for ( double d = 0.6e-3; d < 5e-3; d *= 1.3 )
		{
			double low = pow( 5e-3, -slopes[s] ), high = pow( 0.5e-3, -slopes[s] );
			double share =
				slopes[s] > 0 ? ( pow( d, -slopes[s] ) - low ) / ( high - low ) : log( 5e-3 / d ) / log( 10 );
			int64_t larger = 0;
			for ( int64_t i = 0; i < n; ++i )
			{
				larger += first[i].diameter > (float)d;
			}
			assert_true( fabs( (double)larger - share * (double)n ) < 4 * sqrt( share * (double)n ) + 1 );
		}
		int64_t near = 0, left = 0, above = 0;
		for ( int64_t i = 0; i < n; ++i )
		{
			const float *p = first[i].position;
			assert_true( first[i].diameter >= 0.4999e-3f && first[i].diameter <= 5.0001e-3f );
			assert_true( fabsf( sqrtf( p[0] * p[0] + p[1] * p[1] + p[2] * p[2] ) - first[i].range ) < 1e-5f );
			assert_true( p[2] >= first[i].range * 0.7648f );
			near += first[i].range < 4 * cbrt( 0.5 );
			left += p[0] < 0;
			above += p[1] < 0;
		}
		assert_true( fabs( (double)( 2 * near - n ) ) < 4 * sqrt( (double)n ) );
		assert_true( fabs( (double)( 2 * left - n ) ) < 4 * sqrt( (double)n ) );
		assert_true( fabs( (double)( 2 * above - n ) ) < 4 * sqrt( (double)n ) );
	}
}

// Finds a place in the world among particles; their number there.
static int find( const ds_snow_particle *particles, int64_t count, const ds_snow_view *view, ds_vec3 place )
{
	ds_vec3 at = ds_sub( place, view->eye );
	int found = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		const float *p = particles[i].position;
		found += fabs( p[0] - ds_dot( at, view->right ) ) < 1e-5 && fabs( p[1] - ds_dot( at, view->down ) ) < 1e-5 &&
				 fabs( p[2] - ds_dot( at, view->ahead ) ) < 1e-5;
	}
	return found;
}

static ds_vec3 place_of( const ds_snow_particle *p, const ds_snow_view *view )
{
	ds_vec3 at = ds_add( ds_scale( p->position[0], view->right ), ds_scale( p->position[1], view->down ) );
	return ds_add( view->eye, ds_add( at, ds_scale( p->position[2], view->ahead ) ) );
}

// Another camera sees the same particles where both look; so does the same one after the water and it have moved alike.
static void test_same_from_elsewhere( void **state )
{
	(void)state;
	ds_snow_config config = config_of( 200, 3 );
	config.range = 3;
	ds_snow snow;
	ds_snow_make( &config, 11, &snow );
	ds_snow_view a = view_of( ds_v3( -20, 3, 900 ), 0.6 ), b = a;
	ds_mat3 turn = ds_mat3_from_quat( ds_quat_from_rpy( ds_v3( 0.5, 0.3, 2.0 ) ) );
	b.eye = ds_v3( -18, 4, 901 );
	b.ahead = ds_mat3_mul_vec( &turn, ds_v3( 1, 0, 0 ) );
	b.right = ds_mat3_mul_vec( &turn, ds_v3( 0, 1, 0 ) );
	b.down = ds_mat3_mul_vec( &turn, ds_v3( 0, 0, 1 ) );
	b.half_angle = 1.5;
	int64_t n = ds_snow_visit( &snow, &a, MOST, first ), m = ds_snow_visit( &snow, &b, MOST, second );
	int both = 0;
	for ( int64_t i = 0; i < n; ++i )
	{
		ds_vec3 place = place_of( first + i, &a ), at = ds_sub( place, b.eye );
		double range = ds_length( at ), angle = acos( ds_dot( at, b.ahead ) / range );
		if ( range < 2.999 && angle < 1.499 )
		{
			assert_int_equal( find( second, m, &b, place ), 1 );
			++both;
		}
	}
	assert_true( both > 50 );
	// motion
	b = a;
	b.moved = ds_v3( 0.25, -0.5, 0.125 );
	b.eye = ds_add( a.eye, b.moved );
	m = ds_snow_visit( &snow, &b, MOST, second );
	assert_int_equal( m, n );
	assert_memory_equal( first, second, (size_t)n * sizeof( first[0] ) );
	b.eye = a.eye;
	m = ds_snow_visit( &snow, &b, MOST, second );
	both = 0;
	for ( int64_t i = 0; i < n; ++i )
	{
		ds_vec3 place = ds_add( place_of( first + i, &a ), b.moved ), at = ds_sub( place, b.eye );
		if ( ds_length( at ) < 2.999 && ds_dot( at, b.ahead ) > 0.83 * ds_length( at ) )
		{
			assert_int_equal( find( second, m, &b, place ), 1 );
			++both;
		}
	}
	assert_true( both > 50 );
	// another seed: none of them
	ds_snow other;
	ds_snow_make( &config, 12, &other );
	m = ds_snow_visit( &other, &a, MOST, second );
	for ( int64_t i = 0; i < n; ++i )
	{
		assert_int_equal( find( second, m, &a, place_of( first + i, &a ) ), 0 );
	}
}

// Many particles: fewer are gone through, by less range, wherever the eye is.
static void test_bounded( void **state )
{
	(void)state;
	ds_snow_config config = config_of( 1e6, 3 );
	config.range = 50;
	ds_snow snow;
	ds_snow_make( &config, 3, &snow );
	for ( int narrow = 0; narrow < 2; ++narrow )
	{
		double half = narrow ? 0.01 : 0.6;
		for ( int i = 0; i < 20; ++i )
		{
			ds_snow_view view = view_of( ds_v3( 3.3 * i, 1, 2 ), half );
			double reach = ds_snow_reach( &snow, &view, 5000 );
			double expected = 1e6 * volume( reach, half );
			int64_t n = ds_snow_visit( &snow, &view, 5000, first );
			assert_true( expected + 6 * sqrt( expected ) < 5000.001 );
			assert_true( n < 5000 && fabs( (double)n - expected ) < 6 * sqrt( expected ) + 6 );
			assert_true( narrow || expected > 4500 );
		}
	}
	ds_snow_view view = view_of( ds_v3( 1, 1, 2 ), 0.6 );
	assert_int_equal( ds_snow_visit( &snow, &view, 0, first ), 0 );
	view.eye.x = NAN;
	assert_int_equal( ds_snow_visit( &snow, &view, 5000, first ), 0 );
	view.eye.x = 1e300;
	assert_int_equal( ds_snow_visit( &snow, &view, 5000, first ), 0 );
	config.density = 0;
	ds_snow_make( &config, 3, &snow );
	view = view_of( ds_v3( 1, 1, 2 ), 0.6 );
	assert_int_equal( ds_snow_visit( &snow, &view, 5000, first ), 0 );
}

// ---- drawing -------------------------------------------------------------------------------------------------------

#define W 64
#define H 48

static float planes[3][W * H], ranges[W * H];

static ds_snow_frame frame_of( float start )
{
	for ( int i = 0; i < W * H; ++i )
	{
		planes[0][i] = planes[1][i] = planes[2][i] = start;
		ranges[i] = INFINITY;
	}
	return ( ds_snow_frame ){ W, H, 3, { planes[0], planes[1], planes[2] }, ranges, 1.4f };
}

static double sum_of( int band )
{
	double sum = 0;
	for ( int i = 0; i < W * H; ++i )
	{
		sum += planes[band][i];
	}
	return sum;
}

static void test_energy( void **state )
{
	(void)state;
	const float diameters[6] = { 0.01f, 0.3f, 1, 1.4f, 3.7f, 20 };
	for ( int d = 0; d < 6; ++d )
	{
		for ( int i = 0; i < 20; ++i )
		{
			ds_snow_frame frame = frame_of( 0 );
			ds_snow_spot spot = { 30 + 0.173f * (float)i, 22 + 0.071f * (float)i, diameters[d], 2, { 1, 2, 0.5f } };
			frame.blur = i < 10 ? 1.4f : 0;
			ds_snow_splat( &frame, &spot, 1 );
			double area = 0.25 * DS_PI * diameters[d] * diameters[d];
			assert_true( fabs( sum_of( 0 ) / area - 1 ) < 1e-5 );
			assert_true( fabs( sum_of( 1 ) / area - 2 ) < 2e-5 );
			assert_true( fabs( sum_of( 2 ) / area - 0.5 ) < 1e-5 );
		}
	}
}

// Its centre of light is where it was put; a wide one looks as it is in its middle, whatever is behind it.
static void test_place( void **state )
{
	(void)state;
	ds_snow_frame frame = frame_of( 0 );
	ds_snow_spot spot = { 30.3f, 22.6f, 2.5f, 2, { 1, 1, 1 } };
	ds_snow_splat( &frame, &spot, 1 );
	double u = 0, v = 0;
	for ( int i = 0; i < W * H; ++i )
	{
		u += (double)planes[0][i] * ( i % W );
		v += (double)planes[0][i] * ( i / W );
	}
	assert_true( fabs( u / sum_of( 0 ) - 30.3 ) < 0.1 && fabs( v / sum_of( 0 ) - 22.6 ) < 0.1 );
	frame = frame_of( 5 );
	spot = ( ds_snow_spot ){ 30, 22, 15, 2, { 1, 1, 1 } };
	ds_snow_splat( &frame, &spot, 1 );
	assert_true( fabsf( planes[0][22 * W + 30] - 1 ) < 0.02f );
	assert_true( planes[0][22 * W + 40] == 5 );
}

static void test_hidden( void **state )
{
	(void)state;
	ds_snow_frame frame = frame_of( 0 );
	for ( int i = 0; i < W * H; ++i )
	{
		ranges[i] = i % W < 30 ? 1 : 3;
	}
	ds_snow_spot spot = { 29.5f, 22, 6, 2, { 1, 1, 1 } };
	ds_snow_splat( &frame, &spot, 1 );
	assert_true( planes[0][22 * W + 28] == 0 && planes[0][22 * W + 31] > 0.9f );
	assert_true( fabs( sum_of( 0 ) / ( 9 * DS_PI ) - 0.5 ) < 1e-5 );
}

// At the border, outside, and of no sense: nothing is written beyond the planes (sanitizers look).
static void test_borders( void **state )
{
	(void)state;
	ds_snow_frame frame = frame_of( 0 );
	ds_snow_spot corner = { -0.5f, -0.5f, 8, 2, { 1, 1, 1 } };
	ds_snow_splat( &frame, &corner, 1 );
	assert_true( fabs( sum_of( 0 ) / ( 16 * DS_PI ) - 0.25 ) < 1e-5 );
	frame = frame_of( 0 );
	const ds_snow_spot bad[] = { { NAN, 1, 1, 1, { 1 } }, { 1, INFINITY, 1, 1, { 1 } }, { 1, 1, NAN, 1, { 1 } },
		{ 1, 1, 0, 1, { 1 } }, { 1, 1, 1e9f, 1, { 1 } }, { 1e30f, 1, 1, 1, { 1 } }, { -5, 10, 2, 1, { 1 } },
		{ W + 4, 10, 2, 1, { 1 } }, { 1, -1e30f, 1, 1, { 1 } } };
	ds_snow_splat( &frame, bad, sizeof( bad ) / sizeof( bad[0] ) );
	assert_true( sum_of( 0 ) == 0 );
}

// A tile's particles face the eye; what they look like is their light, dimmed on its way, and the water's before them.
static void test_light( void **state )
{
	(void)state;
	static ds_tile tile;
	static ds_light_scene scene = { .bands = 2, .c = { 0.1f, 0.4f } };
	const ds_snow_particle particles[2] = { { { 0, 0, 2 }, 2, 1e-3f, 0.25f }, { { 0.6f, 0, 0.8f }, 1, 2e-3f, 0.5f } };
	ds_snow_tile( particles, 2, &tile );
	assert_int_equal( tile.count, 2 );
	assert_true( tile.direction[0][1] == 0.6f && tile.direction[2][1] == 0.8f && tile.normal[2][0] == -1 );
	assert_true( tile.color[1][1] == 0.5f && tile.range[0] == 2 && tile.visible[DS_MAX_LAMPS - 1][1] == 1 );
	tile.surface[0][0] = 3;
	tile.surface[1][0] = 5;
	tile.scattered[0][0] = 0.5f;
	tile.scattered[1][0] = 0.25f;
	ds_snow_spot spot = { 0 };
	ds_snow_take( &scene, &tile, 0, &spot );
	assert_true( fabs( spot.radiance[0] - ( 3 * exp( -0.2 ) + 0.5 ) ) < 1e-6 );
	assert_true( fabs( spot.radiance[1] - ( 5 * exp( -0.8 ) + 0.25 ) ) < 1e-6 );
	assert_true( spot.range == 2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_number ),
		cmocka_unit_test( test_sizes_and_places ),
		cmocka_unit_test( test_same_from_elsewhere ),
		cmocka_unit_test( test_bounded ),
		cmocka_unit_test( test_energy ),
		cmocka_unit_test( test_place ),
		cmocka_unit_test( test_hidden ),
		cmocka_unit_test( test_borders ),
		cmocka_unit_test( test_light ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Lists of currents: every model against its formula, sums, derivatives, random currents against their statistics.

#include "deepsim/math.h"
#include "hydro/current.h"
#include "hydro/ekman.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

#define assert_near( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )

static void vector_at( ds_vec3 v, double x, double y, double z, double tolerance, int line )
{
	near_at( v.x, x, tolerance, line );
	near_at( v.y, y, tolerance, line );
	near_at( v.z, z, tolerance, line );
}

#define assert_vector( v, x, y, z, tolerance ) vector_at( v, x, y, z, tolerance, __LINE__ )

static ds_currents *make( const ds_current_def *defs, int count, const ds_currents_setting *setting )
{
	ds_currents *currents = NULL;
	if ( ds_currents_create( NULL, defs, count, setting, &currents ) != DS_OK )
	{
		print_error( "%s\n", ds_last_error() );
		fail();
	}
	return currents;
}

static ds_current_def with_velocity( int32_t kind, double x, double y, double z )
{
	ds_current_def d = ds_current_def_default( kind );
	d.velocity[0] = x;
	d.velocity[1] = y;
	d.velocity[2] = z;
	return d;
}

static ds_vec3 one_at( const ds_current_def *def, const ds_currents_setting *setting, ds_vec3 place, double time )
{
	ds_currents *c = make( def, 1, setting );
	ds_vec3 v = ds_currents_at( c, NULL, place, time );
	ds_currents_destroy( c );
	return v;
}

// ---- depth ---------------------------------------------------------------------------------------------------------

static void test_uniform_and_none( void **state )
{
	(void)state;
	ds_current_def d[2] = { with_velocity( DS_CURRENT_UNIFORM, 0.1, -0.2, 0.03 ),
		with_velocity( DS_CURRENT_UNIFORM, 0.4, 0.1, 0 ) };
	ds_currents *c = make( d, 2, NULL ), *none = make( NULL, 0, NULL );
	assert_vector( ds_currents_at( c, NULL, ds_v3( 1e5, -3, 4000 ), 1e6 ), 0.5, -0.1, 0.03, 1e-16 );
	assert_vector( ds_currents_acceleration( c, NULL, ds_v3( 0, 0, 5 ), 0 ), 0, 0, 0, 0 );
	assert_false( ds_currents_vary_in_space( c ) || ds_currents_vary_in_time( c ) );
	assert_vector( ds_currents_at( none, NULL, ds_v3( 0, 0, 5 ), 0 ), 0, 0, 0, 0 );
	assert_vector( ds_currents_at( NULL, NULL, ds_v3( 0, 0, 5 ), 0 ), 0, 0, 0, 0 );
	ds_currents_destroy( c );
	ds_currents_destroy( none );
	ds_currents_destroy( NULL );
}

static void test_exponential( void **state )
{
	(void)state;
	ds_current_def d = with_velocity( DS_CURRENT_EXPONENTIAL, 0.8, 0.4, 0 );
	d.depth = 200;
	assert_vector( one_at( &d, NULL, ds_v3( 0, 0, 0 ), 0 ), 0.8, 0.4, 0, 1e-15 );
	assert_vector( one_at( &d, NULL, ds_v3( 9, 9, 200 ), 5 ), 0.8 / exp( 1 ), 0.4 / exp( 1 ), 0, 1e-15 );
	assert_vector( one_at( &d, NULL, ds_v3( 0, 0, -3 ), 0 ), 0.8, 0.4, 0, 1e-15 );
	ds_currents *c = make( &d, 1, NULL );
	ds_current_column column;
	ds_currents_column( c, NULL, ds_v3( 0, 0, 100 ), 0, 0.5, &column );
	assert_near( column.velocity.x, 0.8 * exp( -0.5 ), 1e-15 );
	assert_near( column.gradient.x, -0.8 / 200 * exp( -0.5 ), 1e-8 );
	assert_near( column.curvature.x, 0.8 / 40000 * exp( -0.5 ), 1e-10 );
	ds_currents_destroy( c );
}

// The seventh-root law of tidal streams; zero at the bed; the velocity at its height.
static void test_power( void **state )
{
	(void)state;
	ds_currents_setting setting = { .has_bed = true, .bed_depth = 64 };
	ds_current_def d = with_velocity( DS_CURRENT_POWER, 2, 0, 0 );
	d.height = 0.5;
	assert_near( one_at( &d, &setting, ds_v3( 0, 0, 63.5 ), 0 ).x, 2, 1e-14 );
	assert_near( one_at( &d, &setting, ds_v3( 0, 0, 0 ), 0 ).x, 4, 1e-14 ); // 128 = 2^7
	assert_near( one_at( &d, &setting, ds_v3( 0, 0, 64 ), 0 ).x, 0, 0 );
	assert_near( one_at( &d, &setting, ds_v3( 0, 0, 99 ), 0 ).x, 0, 0 );
	d.height = 0;
	assert_near( one_at( &d, &setting, ds_v3( 0, 0, 0 ), 0 ).x, 2, 1e-14 );
	assert_near( one_at( &d, &setting, ds_v3( 0, 0, 32 ), 0 ).x, 2 * pow( 0.5, 1.0 / 7 ), 1e-14 );
	// the straight part above the bed meets the law
	double at = 64 - 0.064;
	assert_near( one_at( &d, &setting, ds_v3( 0, 0, at - 1e-9 ), 0 ).x,
		one_at( &d, &setting, ds_v3( 0, 0, at + 1e-9 ), 0 ).x, 1e-7 );
	d.bed_source = DS_CURRENT_OF_DEF;
	d.bed_depth = 128;
	assert_near( one_at( &d, &setting, ds_v3( 0, 0, 64 ), 0 ).x, 2 * pow( 0.5, 1.0 / 7 ), 1e-14 );
}

static double slope_bed( const void *user, double north, double east )
{
	const double *s = user;
	return s[0] + s[1] * north + s[2] * east;
}

// Over bathymetry the flow is that of the depth below the point.
static void test_bathymetry( void **state )
{
	(void)state;
	const double slope[3] = { 100, 0.5, -0.25 };
	ds_currents_setting setting = { .latitude = 0.8, .bed = slope_bed, .user = slope };
	ds_current_def d = with_velocity( DS_CURRENT_EKMAN, 0.2, 0.1, 0 );
	d.wind_speed = 12;
	d.wind_direction = 1;
	ds_currents *c = make( &d, 1, &setting );
	ds_ekman e = ds_ekman_make( &d, 0.8 );
	for ( int i = 0; i < 100; ++i )
	{
		double north = 3 * i - 100, east = 40 - 2 * i, z = 1.1 * i;
		ds_ekman_column column = ds_ekman_solve( &e, slope_bed( slope, north, east ) );
		ds_complex w = ds_ekman_at( &e, &column, z, NULL );
		assert_vector( ds_currents_at( c, NULL, ds_v3( north, east, z ), 7 ), w.re, w.im, 0, 1e-16 );
		double bed = slope_bed( slope, north, east );
		assert_vector( ds_currents_at( c, NULL, ds_v3( north, east, bed ), 7 ), 0, 0, 0, 0 );
	}
	ds_currents_destroy( c );

	// without a seabed the water is infinitely deep
	ds_currents_setting open = { .latitude = 0.8 };
	ds_vec3 v = one_at( &d, &open, ds_v3( 0, 0, 11000 ), 0 );
	assert_vector( v, 0.2, 0.1, 0, 1e-15 );
	d.latitude_source = DS_CURRENT_OF_DEF;
	d.latitude = -0.8;
	v = one_at( &d, &open, ds_v3( 0, 0, 0 ), 0 );
	e = ds_ekman_make( &d, -0.8 );
	assert_vector( v, 0.2 + e.surface.re, 0.1 + e.surface.im, 0, 1e-15 );
}

static void test_profile( void **state )
{
	(void)state;
	const ds_current_level levels[] = { { 10, { 0.5, 0, 0 } }, { 20, { 0.4, 0.1, 0 } }, { 50, { 0.1, 0.1, -0.02 } },
		{ 60, { 0.1, 0.3, 0 } }, { 200, { 0, 0, 0 } } };
	ds_current_def d = ds_current_def_default( DS_CURRENT_PROFILE );
	d.levels.data = levels;
	d.levels.count = 5;
	ds_currents *c = make( &d, 1, NULL );
	for ( int i = 0; i < 5; ++i )
	{
		const double *v = levels[i].velocity;
		assert_vector( ds_currents_at( c, NULL, ds_v3( 0, 0, levels[i].depth ), 0 ), v[0], v[1], v[2], 1e-15 );
	}
	assert_vector( ds_currents_at( c, NULL, ds_v3( 0, 0, -5 ), 0 ), 0.5, 0, 0, 0 );
	assert_vector( ds_currents_at( c, NULL, ds_v3( 0, 0, 1e4 ), 0 ), 0, 0, 0, 0 );
	// between neighbours, monotone, with a continuous slope
	ds_vec3 before = ds_currents_at( c, NULL, ds_v3( 0, 0, 0 ), 0 ), slope = ds_v3( 0, 0, 0 );
	for ( int i = 1; i <= 2500; ++i )
	{
		ds_vec3 v = ds_currents_at( c, NULL, ds_v3( 0, 0, 0.1 * i ), 0 );
		assert_true( v.x <= before.x + 1e-15 && v.y >= -1e-15 && v.y <= 0.3 + 1e-15 && v.z <= 1e-15 && v.z >= -0.02 );
		ds_vec3 s = ds_scale( 10, ds_sub( v, before ) );
		assert_true( ds_length( ds_sub( s, slope ) ) < 2e-3 );
		slope = s;
		before = v;
	}
	ds_currents_destroy( c );
	// one level is a uniform current; a straight profile stays straight inside
	d.levels.count = 1;
	assert_vector( one_at( &d, NULL, ds_v3( 0, 0, 77 ), 0 ), 0.5, 0, 0, 0 );
	ds_current_level line[6];
	for ( int i = 0; i < 6; ++i )
	{
		line[i] = ( ds_current_level ){ 10.0 * i, { 1 - 0.1 * i, 0.2 * i, 0 } };
	}
	d.levels.data = line;
	d.levels.count = 6;
	assert_vector( one_at( &d, NULL, ds_v3( 0, 0, 23 ), 0 ), 0.77, 0.46, 0, 1e-14 );
}

// ---- time ----------------------------------------------------------------------------------------------------------

static void test_tide( void **state )
{
	(void)state;
	// M2 along 30 degrees, K1 as a circle that turns counterclockwise
	const ds_tidal_constituent parts[] = { { DS_TIDE_M2, 0, 0.6, 0, 0.5, DS_PI / 6 },
		{ DS_TIDE_OTHER, 86164.09, 0.2, -0.2, 0, 0 } };
	ds_current_def d = ds_current_def_default( DS_CURRENT_TIDAL );
	d.constituents.data = parts;
	d.constituents.count = 2;
	ds_currents *c = make( &d, 1, NULL );
	for ( int i = 0; i < 60; ++i )
	{
		double t = 3600 * i, a = 2 * DS_PI * t / 44714.165 - 0.5, b = 2 * DS_PI * t / 86164.09;
		double x = 0.6 * cos( a ) * cos( DS_PI / 6 ) + 0.2 * cos( b );
		double y = 0.6 * cos( a ) * sin( DS_PI / 6 ) - 0.2 * sin( b );
		assert_vector( ds_currents_at( c, NULL, ds_v3( 1, 2, 3 ), t ), x, y, 0, 1e-6 );
		double h = 1;
		ds_vec3 rate = ds_currents_acceleration( c, NULL, ds_v3( 1, 2, 3 ), t );
		ds_vec3 ahead = ds_currents_at( c, NULL, ds_v3( 0, 0, 0 ), t + h ),
				behind = ds_currents_at( c, NULL, ds_v3( 0, 0, 0 ), t - h );
		ds_vec3 by_differences = ds_scale( 0.5 / h, ds_sub( ahead, behind ) );
		assert_vector( rate, by_differences.x, by_differences.y, 0, 1e-11 );
	}
	assert_true( ds_currents_vary_in_time( c ) && !ds_currents_vary_in_space( c ) );
	ds_currents_destroy( c );
}

static ds_current_def random_def( double time )
{
	ds_current_def d = ds_current_def_default( DS_CURRENT_GAUSS_MARKOV );
	d.deviation[0] = 0.1;
	d.deviation[1] = 0.2;
	d.correlation_time = time;
	return d;
}

static ds_vec3 random_at( const ds_currents *c, uint64_t seed, double time )
{
	ds_currents_state state = { seed, NAN, { 0, 0, 0 }, { 0, 0, 0 } };
	return ds_currents_at( c, &state, ds_v3( 0, 0, 0 ), time );
}

// Over many seeds: variance at any time (the start too), and correlation exp( -lag/T ), at knots of T/64.
static void test_random_statistics( void **state )
{
	(void)state;
	ds_current_def d = random_def( 64 );
	ds_currents *c = make( &d, 1, NULL );
	static const double times[] = { 0, 1, 37, 4095, 4096, 100000 }, lags[] = { 1, 16, 64, 128 };
	enum
	{
		N = 20000
	};
	for ( int k = 0; k < 6; ++k )
	{
		double mean = 0, square[2] = { 0, 0 }, cross = 0, together[4] = { 0, 0, 0, 0 };
		for ( int i = 0; i < N; ++i )
		{
			ds_vec3 v = random_at( c, (uint64_t)( 1000 * k + i ), times[k] );
			assert_true( v.z == 0 );
			mean += v.x / N;
			square[0] += v.x * v.x / N;
			square[1] += v.y * v.y / N;
			cross += v.x * v.y / N;
			if ( k % 3 == 0 )
			{
				for ( int j = 0; j < 4; ++j )
				{
					together[j] += v.x * random_at( c, (uint64_t)( 1000 * k + i ), times[k] + lags[j] ).x / N;
				}
			}
		}
		// five standard errors
		assert_near( mean, 0, 5 * 0.1 / sqrt( N ) );
		assert_near( square[0], 0.01, 5 * 0.01 * sqrt( 2.0 / N ) );
		assert_near( square[1], 0.04, 5 * 0.04 * sqrt( 2.0 / N ) );
		assert_near( cross, 0, 5 * 0.02 / sqrt( N ) );
		for ( int j = 0; j < 4 && k % 3 == 0; ++j )
		{
			assert_near( together[j], 0.01 * exp( -lags[j] / 64 ), 5 * 0.01 * sqrt( 2.0 / N ) );
		}
	}
	ds_currents_destroy( c );
}

// One path: correlated as it should be, Markov (the next value depends on the last only), straight between knots.
static void test_random_path( void **state )
{
	(void)state;
	ds_current_def d = random_def( 64 );
	ds_currents *c = make( &d, 1, NULL );
	enum
	{
		N = 100000
	};
	double phi = exp( -1.0 / 64 ), innovation = 0, lagged = 0, last = 0;
	double before = random_at( c, 42, 0 ).x;
	for ( int i = 1; i <= N; ++i )
	{
		double now = random_at( c, 42, i ).x, w = now - phi * before;
		innovation += w * w / N;
		lagged += i > 1 ? w * last / N : 0;
		last = w;
		before = now;
	}
	double expected = 0.01 * ( 1 - phi * phi );
	assert_near( innovation, expected, 5 * expected * sqrt( 2.0 / N ) );
	assert_near( lagged, 0, 5 * expected / sqrt( N ) );
	// interpolation and rate
	for ( int i = 0; i < 50; ++i )
	{
		double t = 37.0 * i, u = random_at( c, 42, t ).y, v = random_at( c, 42, t + 1 ).y;
		assert_near( random_at( c, 42, t + 0.25 ).y, 0.75 * u + 0.25 * v, 1e-12 );
		ds_currents_state s = { 42, NAN, { 0, 0, 0 }, { 0, 0, 0 } };
		assert_near( ds_currents_acceleration( c, &s, ds_v3( 0, 0, 0 ), t + 0.5 ).y, v - u, 1e-12 );
	}
	ds_currents_destroy( c );
}

// The same seed gives the same path in whatever order, another seed another; two random currents differ.
static void test_random_is_reproducible( void **state )
{
	(void)state;
	ds_current_def d[3] = { random_def( 100 ), with_velocity( DS_CURRENT_UNIFORM, 1, 0, 0 ), random_def( 100 ) };
	ds_currents *one = make( d, 1, NULL ), *two = make( d, 3, NULL );
	int differ = 0;
	for ( int i = 0; i < 50; ++i )
	{
		double t = 1.37 * ( i * 29 % 50 );
		ds_vec3 a = random_at( one, 7, t ), b = random_at( one, 7, t ), other = random_at( one, 8, t );
		assert_memory_equal( &a, &b, sizeof( a ) );
		ds_vec3 sum = random_at( two, 7, t );
		// what the second random current adds
		differ += fabs( sum.x - 1 - 2 * a.x ) > 1e-6 && fabs( other.x - a.x ) > 1e-6;
		assert_true( fabs( sum.x ) < 3 );
		ds_currents_state s = { 7, NAN, { 0, 0, 0 }, { 0, 0, 0 } };
		ds_currents_prepare( one, t, &s );
		ds_vec3 prepared = ds_currents_at( one, &s, ds_v3( 0, 0, 0 ), t );
		assert_memory_equal( &a, &prepared, sizeof( a ) );
	}
	assert_int_equal( differ, 50 );
	ds_vec3 start = random_at( one, 7, 0 ), earlier = random_at( one, 7, -10 );
	assert_memory_equal( &start, &earlier, sizeof( start ) );
	ds_currents_destroy( one );
	ds_currents_destroy( two );
}

// ---- jet and pipe --------------------------------------------------------------------------------------------------

// Momentum through every section is that of the nozzle; far off the axis falls with 1/x and the profile is a Gaussian.
static void test_jet( void **state )
{
	(void)state;
	ds_current_def d = ds_current_def_default( DS_CURRENT_JET );
	d.position[0] = 5;
	d.position[2] = 20;
	d.direction[0] = 0;
	d.direction[1] = -3;
	d.radius = 0.1;
	d.speed = 4;
	ds_currents *c = make( &d, 1, NULL );
	assert_vector( ds_currents_at( c, NULL, ds_v3( 5, 0, 20 ), 0 ), 0, -4, 0, 1e-12 );
	static const double distances[] = { 0, 0.3, 1, 2.5, 10, 100 };
	for ( int k = 0; k < 6; ++k )
	{
		double x = distances[k], flux = 0, h = 1e-4 * ( 1 + 5 * x );
		for ( int i = 0; i < 12000; ++i )
		{
			double r = ( i + 0.5 ) * h, u = ds_currents_at( c, NULL, ds_v3( 5, -x, 20 + r ), 0 ).y;
			flux += u * u * 2 * DS_PI * r * h;
		}
		assert_near( flux, DS_PI * 0.01 * 16, 1e-4 * DS_PI * 0.16 );
	}
	// half of the axis's velocity at 0.096 of the distance, and B d/x on the axis with B = 6.13
	double axis = ds_currents_at( c, NULL, ds_v3( 5, -50, 20 ), 0 ).y;
	assert_near( axis, -4 * 6.132 * 0.2 / 50, 1e-4 );
	assert_near( ds_currents_at( c, NULL, ds_v3( 5 + 4.8, -50, 20 ), 0 ).y, 0.5 * axis, 1e-6 );
	assert_near( ds_currents_at( c, NULL, ds_v3( 5, -0.5, 20 ), 0 ).y, -4, 0.04 ); // the core
	assert_vector( ds_currents_at( c, NULL, ds_v3( 5, 1, 20 ), 0 ), 0, 0, 0, 0 );
	ds_currents_destroy( c );
}

// The mean over the section is half the speed on the axis; nothing outside.
static void test_pipe( void **state )
{
	(void)state;
	ds_current_def d = ds_current_def_default( DS_CURRENT_PIPE );
	d.position[0] = -2;
	d.position[2] = 3;
	d.direction[0] = 2;
	d.direction[2] = 0;
	d.radius = 0.5;
	d.length = 4;
	d.speed = 1.5;
	ds_currents *c = make( &d, 1, NULL );
	assert_vector( ds_currents_at( c, NULL, ds_v3( 0, 0, 3 ), 0 ), 1.5, 0, 0, 1e-15 );
	assert_vector( ds_currents_at( c, NULL, ds_v3( 0, 0.25, 3 ), 0 ), 1.5 * 0.75, 0, 0, 1e-15 );
	assert_vector( ds_currents_at( c, NULL, ds_v3( 0, 0.4, 3.31 ), 0 ), 0, 0, 0, 0 );
	assert_vector( ds_currents_at( c, NULL, ds_v3( 2.25, 0, 3 ), 0 ), 0.75, 0, 0, 1e-15 );
	assert_vector( ds_currents_at( c, NULL, ds_v3( 2.6, 0, 3 ), 0 ), 0, 0, 0, 0 );
	assert_vector( ds_currents_at( c, NULL, ds_v3( -2.6, 0, 3 ), 0 ), 0, 0, 0, 0 );
	double flow = 0;
	for ( int i = 0; i < 1000; ++i )
	{
		double r = ( i + 0.5 ) * 0.0005;
		flow += ds_currents_at( c, NULL, ds_v3( 0, r, 3 ), 0 ).x * 2 * DS_PI * r * 0.0005;
	}
	assert_near( flow, 0.75 * DS_PI * 0.25, 1e-6 );
	ds_currents_destroy( c );
}

// ---- derivatives ---------------------------------------------------------------------------------------------------

// Du/Dt by following the water for a moment.
static void test_acceleration( void **state )
{
	(void)state;
	const double slope[3] = { 120, 0.05, 0.02 };
	const ds_tidal_constituent tide = { DS_TIDE_OTHER, 4000, 0.3, 0.1, 1, 0.4 };
	ds_currents_setting setting = { .latitude = 0.8, .bed = slope_bed, .user = slope };
	ds_current_def d[5] = { with_velocity( DS_CURRENT_UNIFORM, 0.1, 0.05, 0.02 ),
		with_velocity( DS_CURRENT_EKMAN, 0.2, 0.1, 0 ), ds_current_def_default( DS_CURRENT_TIDAL ),
		ds_current_def_default( DS_CURRENT_JET ), with_velocity( DS_CURRENT_EXPONENTIAL, 0.2, 0, 0.1 ) };
	d[1].wind_speed = 15;
	d[2].constituents.data = &tide;
	d[2].constituents.count = 1;
	d[3].radius = 1;
	d[3].speed = 3;
	d[3].position[2] = 30;
	ds_currents *c = make( d, 5, &setting );
	for ( int i = 0; i < 60; ++i )
	{
		ds_vec3 x = ds_v3( 0.5 + 0.5 * i, 0.1 * i - 2, 29 + 0.05 * i );
		double t = 100 * i, h = 1e-3;
		// one step of a third-order method to either side
		ds_vec3 u = ds_currents_at( c, NULL, x, t ), along[2];
		for ( int k = 0; k < 2; ++k )
		{
			double s = k ? h : -h;
			ds_vec3 middle = ds_mad( x, 0.5 * s, u );
			ds_vec3 v = ds_currents_at( c, NULL, middle, t + 0.5 * s );
			along[k] = ds_currents_at( c, NULL, ds_mad( x, s, v ), t + s );
		}
		ds_vec3 expected = ds_scale( 0.5 / h, ds_sub( along[1], along[0] ) );
		ds_vec3 found = ds_currents_acceleration( c, NULL, x, t );
		assert_vector( found, expected.x, expected.y, expected.z, 2e-6 * ( 1 + ds_length( expected ) ) );
	}
	ds_currents_destroy( c );
}

// The column holds at its three points.
static void test_column( void **state )
{
	(void)state;
	ds_currents_setting setting = { .latitude = 0.8, .has_bed = true, .bed_depth = 80 };
	ds_current_def d[2] = { with_velocity( DS_CURRENT_EKMAN, 0.2, 0.1, 0 ),
		with_velocity( DS_CURRENT_UNIFORM, 0.1, 0.05, 0.02 ) };
	d[0].wind_speed = 15;
	ds_currents *c = make( d, 2, &setting );
	for ( int i = 0; i <= 80; ++i )
	{
		ds_current_column column;
		ds_currents_column( c, NULL, ds_v3( 0, 0, i ), 3, 0.7, &column );
		for ( int k = -1; k <= 1; ++k )
		{
			double s = 0.7 * k;
			ds_vec3 v = ds_mad( ds_mad( column.velocity, s, column.gradient ), 0.5 * s * s, column.curvature );
			ds_vec3 there = ds_currents_at( c, NULL, ds_v3( 0, 0, i + s ), 3 );
			assert_vector( v, there.x, there.y, there.z, 1e-14 );
		}
	}
	ds_currents_destroy( c );
}

// ---- errors --------------------------------------------------------------------------------------------------------

static void refuse( ds_current_def def, ds_status status, const char *part )
{
	ds_currents *c = (ds_currents *)&def;
	assert_int_equal( ds_currents_create( NULL, &def, 1, NULL, &c ), status );
	assert_null( c );
	if ( strstr( ds_last_error(), part ) == NULL )
	{
		print_error( "\"%s\" is not in: %s\n", part, ds_last_error() );
		fail();
	}
}

static void test_errors( void **state )
{
	(void)state;
	ds_current_def d = with_velocity( DS_CURRENT_UNIFORM, NAN, 0, 0 );
	refuse( d, DS_ERROR_NOT_FINITE, "current 0 (uniform): the velocity" );
	d = ds_current_def_default( 99 );
	refuse( d, DS_ERROR_ARGUMENT, "no kind 99" );
	d = ds_current_def_default( DS_CURRENT_EXPONENTIAL );
	d.depth = 0;
	refuse( d, DS_ERROR_RANGE, "the depth must be positive" );
	d = ds_current_def_default( DS_CURRENT_POWER );
	refuse( d, DS_ERROR_RANGE, "a seabed is missing" );
	d = ds_current_def_default( DS_CURRENT_EKMAN );
	d.surface_layer = -1;
	refuse( d, DS_ERROR_RANGE, "surface layer" );
	d = ds_current_def_default( DS_CURRENT_EKMAN );
	d.latitude = 2;
	refuse( d, DS_ERROR_RANGE, "latitude" );
	d = ds_current_def_default( DS_CURRENT_PROFILE );
	refuse( d, DS_ERROR_RANGE, "at least one level" );
	const ds_current_level levels[2] = { { 5, { 0, 0, 0 } }, { 5, { 1, 0, 0 } } };
	d.levels.data = levels;
	d.levels.count = 2;
	refuse( d, DS_ERROR_RANGE, "level 1 is at 5 m" );
	const ds_tidal_constituent still = { DS_TIDE_OTHER, 0, 1, 0, 0, 0 };
	d = ds_current_def_default( DS_CURRENT_TIDAL );
	d.constituents.data = &still;
	d.constituents.count = 1;
	refuse( d, DS_ERROR_RANGE, "the period of a constituent" );
	d = ds_current_def_default( DS_CURRENT_GAUSS_MARKOV );
	d.deviation[1] = -1;
	refuse( d, DS_ERROR_RANGE, "cannot be negative" );
	d = ds_current_def_default( DS_CURRENT_JET );
	d.direction[0] = 0;
	refuse( d, DS_ERROR_RANGE, "the direction must not be zero" );
	d = ds_current_def_default( DS_CURRENT_PIPE );
	d.length = INFINITY;
	refuse( d, DS_ERROR_NOT_FINITE, "the length" );
	ds_currents *c;
	assert_int_equal( ds_currents_create( NULL, NULL, 2, NULL, &c ), DS_ERROR_ARGUMENT );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_uniform_and_none ),
		cmocka_unit_test( test_exponential ),
		cmocka_unit_test( test_power ),
		cmocka_unit_test( test_bathymetry ),
		cmocka_unit_test( test_profile ),
		cmocka_unit_test( test_tide ),
		cmocka_unit_test( test_random_statistics ),
		cmocka_unit_test( test_random_path ),
		cmocka_unit_test( test_random_is_reproducible ),
		cmocka_unit_test( test_jet ),
		cmocka_unit_test( test_pipe ),
		cmocka_unit_test( test_acceleration ),
		cmocka_unit_test( test_column ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

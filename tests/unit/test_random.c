// Random streams: known answers, statistics, and independence of everything that a stream is keyed and counted by.
// The streams are fixed, so bounds of four to five standard errors never fail by chance.

#include "base/base.h"
#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BOUND 4.5 // standard errors

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "got %.17g, expected %.17g within %g", value, expected, tolerance );
	}
}

// Lines "philox4x32 10" of the file kat_vectors of the Random123 distribution (D. E. Shaw Research).
static void test_known_answers( void **state )
{
	(void)state;
	static const struct
	{
		uint32_t counter[4], key[2], out[4];
	} cases[] = {
		{ { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
		{ { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff }, { 0xffffffff, 0xffffffff },
			{ 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
		{ { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }, { 0xa4093822, 0x299f31d0 },
			{ 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		uint32_t out[4];
		ds_philox( cases[i].counter, cases[i].key, out );
		assert_memory_equal( out, cases[i].out, sizeof( out ) );
	}
}

// The counter holds draw, domain and index as the header says: the stream is the blocks of successive counters.
static void test_stream_is_its_blocks( void **state )
{
	(void)state;
	uint32_t key[2];
	ds_random_key( 42, "imu", key );
	ds_random random;
	ds_random_start( &random, key, 3, UINT64_C( 0x123456789abcdef0 ) );
	for ( uint32_t block = 0; block < 100; ++block )
	{
		uint32_t counter[4] = { block, 3, 0x9abcdef0, 0x12345678 }, out[4];
		ds_philox( counter, key, out );
		for ( int i = 0; i < 4; i += 2 )
		{
			uint64_t bits = ( (uint64_t)out[i] << 32 | out[i + 1] ) >> 11;
			assert_true( ds_random_uniform( &random ) == ldexp( (double)bits, -53 ) );
		}
	}
}

static void test_normal_takes_two_draws( void **state )
{
	(void)state;
	uint32_t key[2];
	ds_random_key( 7, "pressure", key );
	ds_random a, b;
	ds_random_start( &a, key, 0, 5 );
	ds_random_start( &b, key, 0, 5 );
	for ( int i = 0; i < 1000; ++i )
	{
		double u = ds_random_uniform( &b ), v = ds_random_uniform( &b );
		double expected = sqrt( -2 * log1p( -u ) ) * cos( 2 * acos( -1 ) * v );
		assert_near( ds_random_normal( &a ), expected, 1e-13 );
	}
	assert_true( ds_random_uniform( &a ) == ds_random_uniform( &b ) );
}

static void test_uniform_statistics( void **state )
{
	(void)state;
	enum
	{
		N = 1000000,
		BINS = 256
	};
	uint32_t key[2];
	ds_random_key( 1, "uniform", key );
	ds_random random;
	ds_random_start( &random, key, 0, 0 );
	double sum = 0, square = 0, odd = 0;
	static double bins[BINS];
	for ( int i = 0; i < N; ++i )
	{
		double u = ds_random_uniform( &random );
		assert_true( u >= 0 && u < 1 );
		sum += u;
		square += ( u - 0.5 ) * ( u - 0.5 );
		odd += fmod( u * 0x1p53, 2 );
		bins[(int)( u * BINS )] += 1;
	}
	assert_near( sum / N, 0.5, BOUND * sqrt( 1.0 / 12 / N ) );
	assert_near( square / N, 1.0 / 12, BOUND * sqrt( 1.0 / 180 / N ) );
	assert_near( odd / N, 0.5, BOUND * sqrt( 0.25 / N ) ); // the lowest of the 53 bits

	// chi-squared of the bins: mean BINS - 1, variance twice that
	double chi = 0, expected = (double)N / BINS;
	for ( int i = 0; i < BINS; ++i )
	{
		chi += ( bins[i] - expected ) * ( bins[i] - expected ) / expected;
	}
	assert_near( chi, BINS - 1, BOUND * sqrt( 2.0 * ( BINS - 1 ) ) );
}

#define NORMALS 1000000
static double normals[NORMALS];

static void fill_normals( const char *name )
{
	uint32_t key[2];
	ds_random_key( 2, name, key );
	ds_random random;
	ds_random_start( &random, key, 0, 0 );
	for ( int i = 0; i < NORMALS; ++i )
	{
		normals[i] = ds_random_normal( &random );
	}
}

static void test_normal_moments( void **state )
{
	(void)state;
	const double n = NORMALS;
	fill_normals( "normal" );
	double m[5] = { 0 };
	for ( int i = 0; i < NORMALS; ++i )
	{
		double x = normals[i], power = x;
		for ( int k = 1; k <= 4; ++k, power *= x )
		{
			m[k] += power / n;
		}
	}
	assert_near( m[1], 0, BOUND * sqrt( 1 / n ) );
	assert_near( m[2], 1, BOUND * sqrt( 2 / n ) );
	assert_near( m[3], 0, BOUND * sqrt( 15 / n ) ); // Var x^3 = 15
	assert_near( m[4], 3, BOUND * sqrt( 96 / n ) ); // Var x^4 = 105 - 9
}

// The distribution function at whole and half numbers, tails included, against erfc.
static void test_normal_distribution( void **state )
{
	(void)state;
	const double n = NORMALS;
	fill_normals( "distribution" );
	for ( double at = -4; at <= 4; at += 0.5 )
	{
		double below = 0, p = 0.5 * erfc( -at / sqrt( 2 ) );
		for ( int i = 0; i < NORMALS; ++i )
		{
			below += normals[i] < at;
		}
		assert_near( below / n, p, BOUND * sqrt( p * ( 1 - p ) / n ) );
	}
}

static void test_normal_correlation( void **state )
{
	(void)state;
	fill_normals( "correlation" );
	for ( int lag = 1; lag <= 24; ++lag )
	{
		double sum = 0, squares = 0;
		for ( int i = 0; i + lag < NORMALS; ++i )
		{
			double a = normals[i], b = normals[i + lag];
			sum += a * b;
			squares += ( a * a - 1 ) * ( b * b - 1 ) / 2;
		}
		assert_near( sum / NORMALS, 0, BOUND / sqrt( NORMALS ) );
		assert_near( squares / NORMALS, 0, BOUND / sqrt( NORMALS ) );
	}
}

// One stream of a family: which seed, name, domain and first index.
typedef struct stream
{
	uint64_t seed;
	const char *name;
	uint32_t domain;
	uint64_t index;
} stream;

// First normal number of sample i, as a sensor draws it.
static double sample_normal( const stream *s, uint64_t i )
{
	uint32_t key[2];
	ds_random_key( s->seed, s->name, key );
	ds_random random;
	ds_random_start( &random, key, s->domain, s->index + i );
	return ds_random_normal( &random );
}

// Streams that differ in one thing alone, by the least there is, are not correlated, nor is one with itself a sample on.
static void test_streams_are_independent( void **state )
{
	(void)state;
	enum
	{
		N = 100000
	};
	static const stream base = { 42, "imu1", 0, 0 };
	static const stream others[] = { { 43, "imu1", 0, 0 }, { 42, "imu2", 0, 0 }, { 42, "imu1", 1, 0 },
		{ 42, "imu1", 2, 0 }, { 42, "imu1", 0, 1 }, { 42, "imu1", 0, UINT64_C( 1 ) << 32 },
		{ 42 + ( UINT64_C( 1 ) << 63 ), "imu1", 0, 0 }, { 42, "1imu", 0, 0 }, { 42, "", 0, 0 }, { 0, "imu1", 0, 0 } };
	for ( size_t k = 0; k < sizeof( others ) / sizeof( others[0] ); ++k )
	{
		double mean = 0, product = 0, equal = 0;
		for ( uint64_t i = 0; i < N; ++i )
		{
			double a = sample_normal( &base, i ), b = sample_normal( &others[k], i );
			mean += b / N;
			product += a * b / N;
			equal += a == b;
		}
		assert_near( mean, 0, BOUND / sqrt( N ) );
		assert_near( product, 0, BOUND / sqrt( N ) );
		assert_near( equal, 0, 0 );
	}
}

static int compare_keys( const void *a, const void *b )
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return ( x > y ) - ( x < y );
}

// No two of 100000 small seeds and similar names share a key (by chance, one in 4e9 such sets would).
static void test_keys_differ( void **state )
{
	(void)state;
	enum
	{
		SEEDS = 100,
		NAMES = 1000
	};
	static uint64_t keys[SEEDS * NAMES];
	for ( uint64_t seed = 0; seed < SEEDS; ++seed )
	{
		for ( uint64_t i = 0; i < NAMES; ++i )
		{
			char name[32];
			uint32_t key[2];
			snprintf( name, sizeof( name ), "sensor%u", (unsigned)i );
			ds_random_key( seed, name, key );
			keys[seed * NAMES + i] = (uint64_t)key[1] << 32 | key[0];
		}
	}
	qsort( keys, SEEDS * NAMES, sizeof( keys[0] ), compare_keys );
	for ( int i = 1; i < SEEDS * NAMES; ++i )
	{
		assert_true( keys[i] != keys[i - 1] );
	}
}

// Each bit of the seed changes each bit of the key half of the time.
static void test_key_avalanche( void **state )
{
	(void)state;
	enum
	{
		TRIALS = 2000
	};
	static double flips[64][64];
	for ( uint64_t t = 0; t < TRIALS; ++t )
	{
		uint32_t key[2], other[2];
		ds_random_key( t, "part", key );
		for ( int bit = 0; bit < 64; ++bit )
		{
			ds_random_key( t ^ UINT64_C( 1 ) << bit, "part", other );
			uint64_t change = (uint64_t)( key[1] ^ other[1] ) << 32 | ( key[0] ^ other[0] );
			for ( int i = 0; i < 64; ++i )
			{
				flips[bit][i] += (double)( change >> i & 1 );
			}
		}
	}
	for ( int i = 0; i < 64 * 64; ++i )
	{
		assert_near( flips[i / 64][i % 64] / TRIALS, 0.5, 5.5 * sqrt( 0.25 / TRIALS ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_known_answers ),
		cmocka_unit_test( test_stream_is_its_blocks ),
		cmocka_unit_test( test_normal_takes_two_draws ),
		cmocka_unit_test( test_uniform_statistics ),
		cmocka_unit_test( test_normal_moments ),
		cmocka_unit_test( test_normal_distribution ),
		cmocka_unit_test( test_normal_correlation ),
		cmocka_unit_test( test_streams_are_independent ),
		cmocka_unit_test( test_keys_differ ),
		cmocka_unit_test( test_key_avalanche ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

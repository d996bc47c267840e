// Normal numbers by slots: known answers, the same bits by every instruction set and in any piece, accuracy of the transform, and
// the law. Streams are fixed, so bounds of four to five standard errors never fail by chance.

#include "base/random.h"
#include "base/random_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BOUND 4.5 // standard errors
#define COUNT ( 1 << 20 )

static double numbers[COUNT], others[COUNT];

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "got %.17g, expected %.17g within %g", value, expected, tolerance );
	}
}

static ds_random stream_of( uint32_t key0, uint32_t key1, uint32_t domain, uint64_t index )
{
	const uint32_t key[2] = { key0, key1 };
	ds_random stream;
	ds_random_start( &stream, key, domain, index );
	return stream;
}

// From the transform of random_loop.h in 40 digits, and Philox, both written anew in Python with mpmath.
static void test_known_answers( void **state )
{
	(void)state;
	static const struct
	{
		uint32_t key[2], domain;
		uint64_t index;
		uint32_t slot;
		double value;
	} cases[] = {
		{ { 0x1, 0x2 }, 0, UINT64_C( 0x0 ), 0, 0.38145529727141622339 },
		{ { 0x1, 0x2 }, 0, UINT64_C( 0x0 ), 1, -0.58913521923571651839 },
		{ { 0x1, 0x2 }, 0, UINT64_C( 0x0 ), 2, 0.74903509630205783419 },
		{ { 0x1, 0x2 }, 0, UINT64_C( 0x0 ), 3, -1.137405914975265132 },
		{ { 0xdeadbeef, 0x12345678 }, 3, UINT64_C( 0x123456789abcdef0 ), 12345, -0.13499465201468287976 },
		{ { 0xdeadbeef, 0x12345678 }, 1, UINT64_C( 0x7 ), 536870911, -0.37447575582407453331 },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_random stream = stream_of( cases[i].key[0], cases[i].key[1], cases[i].domain, cases[i].index );
		double value;
		ds_random_normals( &stream, cases[i].slot, 1, &value );
		assert_near( value, cases[i].value, 1e-13 );
	}
}

// Bits of 2^20 numbers (FNV-1a), so that no machine and no compiler changes a run.
static void test_bits_are_those_of_every_machine( void **state )
{
	(void)state;
	ds_random stream = ds_random_stream( 42, "imu", DS_RANDOM_SAMPLE, 7 );
	ds_random_normals( &stream, 0, COUNT, numbers );
	uint64_t hash = UINT64_C( 0xcbf29ce484222325 );
	for ( int i = 0; i < COUNT; ++i )
	{
		uint64_t bits;
		memcpy( &bits, numbers + i, sizeof( bits ) );
		hash = ( hash ^ bits ) * UINT64_C( 0x100000001b3 );
	}
	assert_int_equal( hash, UINT64_C( 0x42f638b8e2fc1d5b ) );
}

static void test_kernels_agree( void **state )
{
	(void)state;
	const ds_random_kernel *kernels[4];
	int count = ds_random_kernels( kernels );
	assert_string_equal( kernels[count - 1]->name, "scalar" );
	ds_random stream = ds_random_stream( 1, "imu", DS_RANDOM_SAMPLE, 99 );
	ds_random_normals_by( kernels[count - 1], &stream, 5, COUNT, others );
	for ( int k = 0; k < count; ++k )
	{
		memset( numbers, 0, sizeof( numbers ) );
		ds_random_normals_by( kernels[k], &stream, 5, COUNT, numbers );
		assert_memory_equal( numbers, others, sizeof( numbers ) );
	}
}

// Any piece of the slots holds the values that they have one by one, and nothing is written beside it.
static void test_any_piece( void **state )
{
	(void)state;
	const ds_random_kernel *kernels[4];
	int count = ds_random_kernels( kernels );
	ds_random stream = ds_random_stream( 1, "imu", DS_RANDOM_SAMPLE, 5 ), before = stream;
	double alone[200], uniform[200], piece[200 + 2];
	for ( uint32_t i = 0; i < 200; ++i )
	{
		ds_random_normals( &stream, i, 1, alone + i );
		ds_random_uniforms( &stream, i, 1, uniform + i );
	}
	for ( uint32_t first = 0; first < 40; ++first )
	{
		for ( uint32_t n = 0; n < 120; ++n )
		{
			for ( int k = 0; k <= count; ++k )
			{
				piece[0] = piece[n + 1] = 99;
				if ( k < count )
				{
					ds_random_normals_by( kernels[k], &stream, first, n, piece + 1 );
				}
				else
				{
					ds_random_uniforms( &stream, first, n, piece + 1 );
				}
				assert_memory_equal( piece + 1, ( k < count ? alone : uniform ) + first, n * sizeof( double ) );
				assert_true( piece[0] == 99 && piece[n + 1] == 99 );
			}
		}
	}
	assert_memory_equal( &stream, &before, sizeof( stream ) );
}

// Against the C library in long double, from the same words.
static void test_transform( void **state )
{
	(void)state;
	ds_random stream = ds_random_stream( 3, "transform", DS_RANDOM_SAMPLE, 0 );
	ds_random_normals( &stream, 0, COUNT, numbers );
	const long double quarter = atanl( 1 );
	for ( uint32_t block = 0; block < COUNT / DS_NORMALS_BLOCK; ++block )
	{
		uint32_t counter[4] = { 0x80000000 + block, DS_RANDOM_SAMPLE, 0, 0 }, words[4];
		ds_philox( counter, stream.key, words );
		for ( uint32_t p = 0; p < 2; ++p )
		{
			uint64_t w = (uint64_t)words[2 * p] << 32 | words[2 * p + 1];
			long double r = sqrtl( -2 * logl( ( (long double)( w >> 24 ) + 0.5L ) * 0x1p-40L ) );
			long double a = quarter + ( (long double)( w >> 1 & 0x3fffff ) + 0.5L - 2097152 ) * 0x1p-21L * quarter;
			const double *pair = numbers + DS_NORMALS_BLOCK * block + 2 * p;
			assert_near( pair[0], (double)( ( w >> 23 & 1 ? -r : r ) * cosl( a ) ), 1e-13 * (double)r );
			assert_near( pair[1], (double)( ( w & 1 ? -r : r ) * sinl( a ) ), 1e-13 * (double)r );
		}
	}
}

// ---- the law -----------------------------------------------------------------------------------------------------

#define ROUNDS 10

// Moments and tails of ten million numbers, of which each million has an index of its own.
static void test_moments_and_tails( void **state )
{
	(void)state;
	const double n = (double)ROUNDS * COUNT;
	double m[7] = { 0 }, beyond[7] = { 0 }, greatest = 0;
	for ( uint64_t index = 0; index < ROUNDS; ++index )
	{
		ds_random stream = ds_random_stream( 2, "law", DS_RANDOM_SAMPLE, index );
		ds_random_normals( &stream, 0, COUNT, numbers );
		for ( int i = 0; i < COUNT; ++i )
		{
			double x = numbers[i], x2 = x * x;
			m[1] += x;
			m[2] += x2;
			m[3] += x * x2;
			m[4] += x2 * x2;
			m[6] += x2 * x2 * x2;
			if ( x2 > 4 )
			{
				double size = fabs( x );
				greatest = size > greatest ? size : greatest;
				for ( int k = 2; k <= 6; ++k )
				{
					beyond[k] += size > k;
				}
			}
		}
	}
	// variances of the powers: E x^2k - (E x^k)^2, with E x^2k = (2k - 1)!!
	assert_near( m[1] / n, 0, BOUND * sqrt( 1 / n ) );
	assert_near( m[2] / n, 1, BOUND * sqrt( 2 / n ) );
	assert_near( m[3] / n, 0, BOUND * sqrt( 15 / n ) );
	assert_near( m[4] / n, 3, BOUND * sqrt( 96 / n ) );
	assert_near( m[6] / n, 15, BOUND * sqrt( ( 10395 - 225 ) / n ) );
	for ( int k = 2; k <= 6; ++k )
	{
		double p = erfc( k / sqrt( 2 ) );
		assert_near( beyond[k], n * p, BOUND * sqrt( n * p ) + 1 ); // 28307, 664, 6 and 0 of 3 sigma and more
	}
	assert_true( beyond[5] > 0 && greatest < 7.54 );
}

static int compare( const void *a, const void *b )
{
	double x = *(const double *)a, y = *(const double *)b;
	return ( x > y ) - ( x < y );
}

// Kolmogorov-Smirnov and Anderson-Darling against the normal law: the statistics stay below their 0.1 % points, 1.95 and 6.0
// (Stephens, "EDF statistics for goodness of fit", JASA 69, 1974, case 0).
static void test_goodness_of_fit( void **state )
{
	(void)state;
	static const struct
	{
		const char *name;
		uint32_t stride; // slots that are looked at
	} cases[] = { { "fit", 1 }, { "even", 2 }, { "quarters", 4 } };
	for ( size_t c = 0; c < sizeof( cases ) / sizeof( cases[0] ); ++c )
	{
		ds_random stream = ds_random_stream( 5, cases[c].name, DS_RANDOM_SAMPLE, 1 );
		ds_random_normals( &stream, 0, COUNT, numbers );
		int n = COUNT / (int)cases[c].stride;
		for ( int i = 0; i < n; ++i )
		{
			numbers[i] = numbers[(uint32_t)i * cases[c].stride];
		}
		qsort( numbers, (size_t)n, sizeof( double ), compare );
		double farthest = 0, sum = 0;
		for ( int i = 0; i < n; ++i )
		{
			double p = 0.5 * erfc( -numbers[i] / sqrt( 2 ) ), q = 0.5 * erfc( numbers[n - 1 - i] / sqrt( 2 ) );
			farthest = fmax( farthest, fmax( p - (double)i / n, (double)( i + 1 ) / n - p ) );
			sum += ( 2.0 * i + 1 ) / n * ( log( p ) + log( q ) );
		}
		assert_true( farthest * sqrt( n ) < 1.95 );
		assert_true( -n - sum < 6.0 );
	}
}

// ---- independence ------------------------------------------------------------------------------------------------

// Products of numbers and of their squares at a distance: white.
static void assert_uncorrelated( const double *a, const double *b, int n )
{
	double sum = 0, squares = 0, mixed = 0;
	for ( int i = 0; i < n; ++i )
	{
		sum += a[i] * b[i];
		squares += ( a[i] * a[i] - 1 ) * ( b[i] * b[i] - 1 ) / 2;
		mixed += a[i] * ( b[i] * b[i] - 1 ) / sqrt( 2 );
	}
	assert_near( sum / n, 0, BOUND / sqrt( n ) );
	assert_near( squares / n, 0, BOUND / sqrt( n ) );
	assert_near( mixed / n, 0, BOUND / sqrt( n ) );
}

static void test_slots_are_independent( void **state )
{
	(void)state;
	ds_random stream = ds_random_stream( 2, "slots", DS_RANDOM_SAMPLE, 0 );
	ds_random_normals( &stream, 0, COUNT, numbers );
	for ( int lag = 1; lag <= 33; ++lag )
	{
		assert_uncorrelated( numbers, numbers + lag, COUNT - lag );
	}
}

#define SAMPLES 100000
#define SLOTS   8

// Slot `slot` of samples 0, 1, 2, ... as a sensor draws it.
static void fill_samples( uint64_t seed, const char *name, uint32_t domain, uint64_t from, double *out )
{
	uint32_t key[2];
	ds_random_key( seed, name, key );
	for ( uint64_t i = 0; i < SAMPLES; ++i )
	{
		ds_random stream;
		ds_random_start( &stream, key, domain, from + i );
		ds_random_normals( &stream, 0, SLOTS, out + SLOTS * i );
	}
}

// Streams that differ in one thing alone, by the least there is; and a slot with itself and others one sample on.
static void test_streams_are_independent( void **state )
{
	(void)state;
	static const struct
	{
		uint64_t seed;
		const char *name;
		uint32_t domain;
		uint64_t from;
	} cases[] = { { 43, "imu1", 0, 0 }, { 42, "imu2", 0, 0 }, { 42, "imu1", 1, 0 }, { 42, "imu1", 3, 0 },
		{ 42, "imu1", 0, 1 }, { 42, "imu1", 0, UINT64_C( 1 ) << 32 } };
	fill_samples( 42, "imu1", 0, 0, numbers );
	for ( size_t k = 0; k < sizeof( cases ) / sizeof( cases[0] ); ++k )
	{
		fill_samples( cases[k].seed, cases[k].name, cases[k].domain, cases[k].from, others );
		assert_uncorrelated( numbers, others, SAMPLES * SLOTS );
		assert_uncorrelated( numbers, others + 1, SAMPLES * SLOTS - 1 );
		assert_uncorrelated( numbers + SLOTS - 1, others, SAMPLES * SLOTS - SLOTS + 1 );
	}
}

// Not of the uniforms of the same slots, nor of what is drawn in turn.
static void test_kinds_are_independent( void **state )
{
	(void)state;
	ds_random stream = ds_random_stream( 6, "kinds", DS_RANDOM_SAMPLE, 0 );
	ds_random_normals( &stream, 0, COUNT, numbers );
	ds_random_uniforms( &stream, 0, COUNT, others );
	double mean = 0;
	for ( int i = 0; i < COUNT; ++i )
	{
		assert_true( others[i] >= 0 && others[i] < 1 );
		mean += others[i] / COUNT;
		others[i] = ( others[i] - 0.5 ) * sqrt( 12 ); // variance 1
	}
	assert_near( mean, 0.5, BOUND / sqrt( 12.0 * COUNT ) );
	assert_uncorrelated( others, numbers, COUNT );
	assert_uncorrelated( others + 1, numbers, COUNT - 1 );
	for ( int i = 0; i < COUNT; ++i )
	{
		others[i] = ( ds_random_uniform( &stream ) - 0.5 ) * sqrt( 12 );
	}
	assert_uncorrelated( others, numbers, COUNT );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_known_answers ),
		cmocka_unit_test( test_bits_are_those_of_every_machine ),
		cmocka_unit_test( test_kernels_agree ),
		cmocka_unit_test( test_any_piece ),
		cmocka_unit_test( test_transform ),
		cmocka_unit_test( test_moments_and_tails ),
		cmocka_unit_test( test_goodness_of_fit ),
		cmocka_unit_test( test_slots_are_independent ),
		cmocka_unit_test( test_streams_are_independent ),
		cmocka_unit_test( test_kinds_are_independent ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

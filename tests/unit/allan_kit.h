// For tests of Allan analysis: fixtures, noise, and deviations straight from their definitions.

#ifndef DEEPSIM_TESTS_ALLAN_KIT_H
#define DEEPSIM_TESTS_ALLAN_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/allan.h"
#include "deepsim/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALLAN_FIXTURES DEEPSIM_SOURCE_DIR "/tests/fixtures/allan/"

static const char *const allan_names[DS_ALLAN_KIND_COUNT] = { "adev", "oadev", "mdev", "hdev", "ohdev", "tdev" };

static inline void expect_near( double value, double wanted, double tolerance, const char *what )
{
	if ( !( fabs( value - wanted ) <= tolerance ) )
	{
		print_error( "%s: %.12g, wanted %.12g +- %.3g\n", what, value, wanted, tolerance );
		fail();
	}
}

static inline void expect_ok( ds_status status )
{
	if ( status != DS_OK )
	{
		print_error( "%s\n", ds_last_error() );
		fail();
	}
}

// One column of numbers under comments and a header.
static inline int64_t load_numbers( const char *path, double *out, int64_t size )
{
	FILE *file = fopen( path, "r" );
	assert_non_null( file );
	char line[256];
	int64_t count = 0;
	while ( fgets( line, sizeof( line ), file ) && count < size )
	{
		char *end;
		double value = strtod( line, &end );
		count += end != line;
		out[end != line ? count - 1 : 0] = end != line ? value : out[0];
	}
	fclose( file );
	return count;
}

typedef struct published
{
	ds_allan_kind kind;
	long long m, count;
	int noise;
	double low, deviation, high;
} published;

static inline int load_published( const char *path, published *out, int size )
{
	FILE *file = fopen( path, "r" );
	assert_non_null( file );
	char line[256], name[16];
	int count = 0;
	while ( fgets( line, sizeof( line ), file ) && count < size )
	{
		published *p = &out[count];
		if ( sscanf( line, "%15[a-z],%lld,%lld,%d,%lf,%lf,%lf", name, &p->m, &p->count, &p->noise, &p->low,
				 &p->deviation, &p->high ) != 7 )
		{
			continue;
		}
		for ( int k = 0; k < DS_ALLAN_KIND_COUNT; ++k )
		{
			p->kind = strcmp( name, allan_names[k] ) == 0 ? (ds_allan_kind)k : p->kind;
		}
		++count;
	}
	fclose( file );
	return count;
}

// White noise of standard deviation 1.
static inline double *white_noise( int64_t count, uint64_t seed )
{
	double *data = malloc( (size_t)count * sizeof( double ) );
	assert_non_null( data );
	for ( int64_t i = 0; i < count; i += 4096 )
	{
		ds_random stream = ds_random_stream( seed, "allan", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_random_normals( &stream, 0, (uint32_t)( count - i < 4096 ? count - i : 4096 ), data + i );
	}
	return data;
}

// A deviation straight from its definition in cluster means of rate data (SP 1065, eqs. 7, 9, 19, 24, 29): no phase, long double.
static inline double by_definition( ds_allan_kind kind, const double *y, int64_t count, int64_t m, double rate )
{
	int order = kind == DS_ALLAN_HDEV || kind == DS_ALLAN_OHDEV ? 3 : 2;
	int modified = kind == DS_ALLAN_MDEV || kind == DS_ALLAN_TDEV;
	int64_t step = kind == DS_ALLAN_ADEV || kind == DS_ALLAN_HDEV ? m : 1, terms = 0;
	long double sum = 0;
	for ( int64_t i = 0; i + order * m + ( modified ? m - 1 : 0 ) <= count; i += step, ++terms )
	{
		long double d = 0;
		for ( int64_t j = 0; j < ( modified ? m : 1 ); ++j )
		{
			for ( int64_t k = 0; k < m; ++k )
			{
				const double *at = y + i + j + k;
				d += order == 2 ? (long double)at[m] - at[0] : (long double)at[2 * m] - 2 * (long double)at[m] + at[0];
			}
		}
		d /= (long double)m * ( modified ? m : 1 );
		sum += d * d;
	}
	double deviation = (double)sqrtl( sum / ( order == 2 ? 2 : 6 ) / terms );
	return kind == DS_ALLAN_TDEV ? deviation * (double)m / rate / sqrt( 3 ) : deviation;
}

#endif

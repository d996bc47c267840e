// Time of the overlapping Allan deviation of 9 h at 100 Hz (3.24 million samples of white noise) at 100 averaging times, with
// and without confidence intervals, which need the noise at each. Seconds, one thread, the median of repeats.

#include "deepsim/allan.h"
#include "deepsim/random.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double bench_oadev_3m( char *detail, size_t size );

#define COUNT      3240000
#define TAUS       100
#define REPEATS    5
#define PER_DECADE 18 // the first 100 averaging times reach a million samples

static double time_deviation( const double *data, const int64_t *m, double confidence )
{
	static ds_allan_point points[TAUS];
	double times[REPEATS];
	for ( int i = 0; i < REPEATS; ++i )
	{
		double start = bench_clock();
		if ( ds_allan_deviation( DS_ALLAN_OADEV, data, COUNT, 100, m, TAUS, confidence, points ) != DS_OK )
		{
			return NAN;
		}
		times[i] = bench_clock() - start;
	}
	return bench_median( times, REPEATS );
}

double bench_oadev_3m( char *detail, size_t size )
{
	double *data = malloc( COUNT * sizeof( double ) );
	if ( data == NULL )
	{
		snprintf( detail, size, "no memory" );
		return NAN;
	}
	for ( int i = 0; i < COUNT; i += 1000 )
	{
		ds_random stream = ds_random_stream( 1, "bench", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_random_normals( &stream, 0, 1000, data + i );
	}
	int64_t m[TAUS];
	(void)ds_allan_taus( COUNT / 2, PER_DECADE, m, TAUS );
	double plain = time_deviation( data, m, 0 ), sure = time_deviation( data, m, 0.95 );
	free( data );
	snprintf( detail, size, "9 h at 100 Hz, 100 averaging times to %lld samples; with intervals %.3g s",
		(long long)m[TAUS - 1], sure );
	return isnan( plain ) ? bench_fail( detail, size ) : plain;
}

// Random numbers, as sensors draw them.

#include "tests/bench/bench.h"

#include "deepsim/random.h"

#include <stdio.h>

// Bench name and its function: random_normals [ns/number].
double bench_random_normals( char *detail, size_t size );

#define SLOTS   64 // of a sample
#define SAMPLES 20000
#define REPEATS 15

double bench_random_normals( char *detail, size_t size )
{
	double seconds[REPEATS], numbers[SLOTS], sum = 0;
	for ( int k = 0; k < REPEATS; ++k )
	{
		ds_random stream = ds_random_stream( 1, "bench", DS_RANDOM_SAMPLE, 0 );
		double start = bench_clock();
		for ( uint32_t i = 0; i < SAMPLES; ++i )
		{
			stream.counter[2] = i;
			ds_random_normals( &stream, 0, SLOTS, numbers );
			sum += numbers[i % SLOTS];
		}
		seconds[k] = bench_clock() - start;
	}
	snprintf( detail, size, "%d slots of each of %d samples; mean of some %.3g", SLOTS, SAMPLES,
		sum / ( (double)REPEATS * SAMPLES ) );
	return 1e9 * bench_median( seconds, REPEATS ) / ( (double)SLOTS * SAMPLES );
}

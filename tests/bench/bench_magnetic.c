// Time of the geomagnetic model: WMM2025 to degree 12 with its secular variation, at places and dates that differ from call to call.

#include "deepsim/geomagnetic.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>

double bench_wmm( char *detail, size_t size );

#define REPEATS 41
#define CALLS   1000

double bench_wmm( char *detail, size_t size )
{
	double times[REPEATS], sum = 0;
	for ( int i = 0; i < REPEATS; ++i )
	{
		double start = bench_clock();
		for ( int k = 0; k < CALLS; ++k )
		{
			ds_geomagnetic f;
			if ( ds_geomagnetic_at(
					 ds_geomagnetic_wmm2025(), 0.8 + 1e-6 * k, -0.5 + 1e-6 * i, -2000, 2026 + 1e-6 * k, &f ) != DS_OK )
			{
				return bench_fail( detail, size );
			}
			sum += f.field.x;
		}
		times[i] = 1e6 * ( bench_clock() - start ) / CALLS;
	}
	snprintf( detail, size, "degree 12, field and secular variation, all seven elements (mean X %.0f nT)",
		1e9 * sum / ( REPEATS * CALLS ) );
	return bench_median( times, REPEATS );
}

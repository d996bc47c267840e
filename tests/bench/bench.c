#include "tests/bench/bench.h"

#include "deepsim/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double bench_clock( void )
{
	struct timespec now = { 0, 0 };
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare( const void *a, const void *b )
{
	double x = *(const double *)a, y = *(const double *)b;
	return ( x > y ) - ( x < y );
}

double bench_median( double *values, int count )
{
	qsort( values, (size_t)count, sizeof( *values ), compare );
	return count % 2 == 1 ? values[count / 2] : 0.5 * ( values[count / 2 - 1] + values[count / 2] );
}

double bench_fail( char *detail, size_t size )
{
	snprintf( detail, size, "%s", ds_last_error() );
	return (double)NAN;
}

// Sums of squared differences of phase: the inner loops of Allan analysis. Eight partial sums side by side, so that the compiler
// makes vectors of them without reordering anything else: the same bits on every machine.

#include "sensors/allan.h"

#include <math.h>

#define LANES 8
#define CHUNK 1024

ds_allan_form ds_allan_form_of( ds_allan_kind kind )
{
	switch ( kind )
	{
		case DS_ALLAN_ADEV:
			return ( ds_allan_form ){ 2, false, false, true };
		case DS_ALLAN_MDEV:
		case DS_ALLAN_TDEV:
			return ( ds_allan_form ){ 2, true, true, true };
		case DS_ALLAN_HDEV:
			return ( ds_allan_form ){ 3, false, false, true };
		case DS_ALLAN_OHDEV:
			return ( ds_allan_form ){ 3, true, false, true };
		default:
			return ( ds_allan_form ){ 2, true, false, true };
	}
}

int64_t ds_allan_differences( const ds_allan_form *form, int64_t phases, int64_t m )
{
	// phases - order m, without overflow
	if ( m < 1 || m > phases / form->order )
	{
		return 0;
	}
	int64_t starts = phases - form->order * m;
	starts -= form->modified ? m - 1 : 0;
	return starts < 1 ? 0 : form->overlapping ? starts : ( starts - 1 ) / m + 1;
}

double ds_allan_scale( ds_allan_kind kind, double sum, int64_t count, int64_t m, double rate )
{
	// SP 1065: eqs. 10, 14 (2 differences), 21, 25 (3), 15 (modified), 20 (time)
	ds_allan_form form = ds_allan_form_of( kind );
	double length = (double)m;
	double deviation = sqrt( sum / ( ( form.order == 2 ? 2 : 6 ) * (double)count ) ) / length;
	return kind == DS_ALLAN_TDEV ? deviation * length / rate / sqrt( 3 ) : deviation;
}

static double total( const double lanes[LANES] )
{
	double four[4];
	for ( int k = 0; k < 4; ++k )
	{
		four[k] = lanes[k] + lanes[k + 4];
	}
	return ( four[0] + four[2] ) + ( four[1] + four[3] );
}

static double second_dense(
	const double *restrict x, const double *restrict y, const double *restrict z, int64_t n, double add )
{
	double lanes[LANES] = { 0 };
	int64_t i = 0;
	for ( ; i + LANES <= n; i += LANES )
	{
		for ( int k = 0; k < LANES; ++k )
		{
			double d = ( z[i + k] - y[i + k] ) - ( y[i + k] - x[i + k] ) + add;
			lanes[k] += d * d;
		}
	}
	for ( ; i < n; ++i )
	{
		double d = ( z[i] - y[i] ) - ( y[i] - x[i] ) + add;
		lanes[i % LANES] += d * d;
	}
	return total( lanes );
}

static double third_dense(
	const double *restrict x, const double *restrict y, const double *restrict z, const double *restrict w, int64_t n )
{
	double lanes[LANES] = { 0 };
	int64_t i = 0;
	for ( ; i + LANES <= n; i += LANES )
	{
		for ( int k = 0; k < LANES; ++k )
		{
			double d = ( w[i + k] - x[i + k] ) - 3 * ( z[i + k] - y[i + k] );
			lanes[k] += d * d;
		}
	}
	for ( ; i < n; ++i )
	{
		double d = ( w[i] - x[i] ) - 3 * ( z[i] - y[i] );
		lanes[i % LANES] += d * d;
	}
	return total( lanes );
}

double ds_allan_second( const double *x, int64_t n, int64_t step, int64_t m, double add )
{
	if ( step == 1 )
	{
		return second_dense( x, x + m, x + 2 * m, n, add );
	}
	double sum = 0;
	for ( int64_t i = 0; i < n; i += step )
	{
		double d = ( x[i + 2 * m] - x[i + m] ) - ( x[i + m] - x[i] ) + add;
		sum += d * d;
	}
	return sum;
}

double ds_allan_third( const double *x, int64_t n, int64_t step, int64_t m )
{
	if ( step == 1 )
	{
		return third_dense( x, x + m, x + 2 * m, x + 3 * m, n );
	}
	double sum = 0;
	for ( int64_t i = 0; i < n; i += step )
	{
		double d = ( x[i + 3 * m] - x[i] ) - 3 * ( x[i + 2 * m] - x[i + m] );
		sum += d * d;
	}
	return sum;
}

ds_allan_running ds_allan_running_start( const double *x, int64_t m )
{
	ds_allan_running running = { 0, 0 };
	for ( int64_t k = 0; k < m; ++k )
	{
		ds_allan_add( &running.high, &running.low, ( x[k + 2 * m] - x[k + m] ) - ( x[k + m] - x[k] ) );
	}
	return running;
}

// Steps of the running sum from one start to the next are third differences.
static void steps( const double *restrict x, int64_t n, int64_t m, double *restrict out )
{
	const double *y = x + m, *z = y + m, *w = z + m;
	for ( int64_t i = 0; i < n; ++i )
	{
		out[i] = ( w[i] - x[i] ) - 3 * ( z[i] - y[i] );
	}
}

double ds_allan_modified( const double *x, int64_t n, int64_t m, double add, ds_allan_running *running, bool more )
{
	double sum = 0, scale = 1 / (double)m, buffer[CHUNK];
	for ( int64_t start = 0; start < n; start += CHUNK )
	{
		int64_t count = n - start < CHUNK ? n - start : CHUNK;
		bool last = start + count == n && !more;
		steps( x + start, last ? count - 1 : count, m, buffer );

		// the buffer becomes the sums, from the first start of the chunk on
		double moved = 0, value = running->high + running->low, squares = 0;
		for ( int64_t i = 0; i < count; ++i )
		{
			double d = ( value + moved ) * scale + add;
			squares += d * d;
			moved += last && i == count - 1 ? 0 : buffer[i];
		}
		ds_allan_add( &running->high, &running->low, moved );
		sum += squares;
	}
	return sum;
}

// What the column of time tells: the rate, and gaps.

#include "cli/allan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MISSING 1e-3 // of the samples, until a record is refused
#define MOST_UNEVEN  0.05 // how far the mean step of all rows may lie from that of the first ones, of it
#define MOST_STEPS   1e9 // that a gap counts
#define LEAST_RATE   1e-6 // that a column of time may tell [Hz]
#define MOST_RATE    1e9

static int ascending( const void *a, const void *b )
{
	double x = *(const double *)a, y = *(const double *)b;
	return ( x > y ) - ( x < y );
}

// Counts what a step leaves out.
static void pass_step( allan_clock *c, double step )
{
	int64_t steps = step < MOST_STEPS * c->step ? llround( step / c->step ) : (int64_t)MOST_STEPS;
	c->gaps += steps > 1;
	c->missing += steps > 1 ? steps - 1 : 0;
}

// Finds the usual step: the median of the first ones.
static void learn_step( allan_clock *c )
{
	int64_t count = c->rows - 1 < ALLAN_FIRST_STEPS ? c->rows - 1 : ALLAN_FIRST_STEPS;
	if ( c->step > 0 || count < 1 )
	{
		return;
	}
	double sorted[ALLAN_FIRST_STEPS];
	memcpy( sorted, c->early, (size_t)count * sizeof( double ) );
	qsort( sorted, (size_t)count, sizeof( double ), ascending );
	c->step = sorted[count / 2];
	for ( int64_t i = 0; i < count; ++i )
	{
		c->early_sum += c->early[i];
		pass_step( c, c->early[i] );
	}
	c->early_steps = (double)( count + c->missing );
}

bool allan_take_time( allan_clock *c, const char *file, int64_t line, double value )
{
	double time = value * c->scale, step = time - c->last;
	if ( c->rows > 0 && !( step > 0 ) )
	{
		cli_error( "%s:%lld: time does not rise: %.9g s follows %.9g s; sort the rows, or delete what is twice", file,
			(long long)line, time, c->last );
		return false;
	}
	c->first = c->rows == 0 ? time : c->first;
	if ( c->rows > 0 && c->rows <= ALLAN_FIRST_STEPS )
	{
		c->early[c->rows - 1] = step;
	}
	else if ( c->rows > 0 )
	{
		learn_step( c );
		pass_step( c, step );
	}
	c->last = time;
	++c->rows;
	return true;
}

static int take_rate( const allan_options *o, const allan_clock *c, allan_result *r )
{
	double mean = ( c->last - c->first ) / (double)( c->rows - 1 + c->missing ), early = c->early_sum / c->early_steps;
	r->rate = 1 / mean;
	r->rate_from_time = true;
	if ( !( r->rate >= LEAST_RATE && r->rate <= MOST_RATE ) )
	{
		cli_error( "%s: time rises by %.4g s a sample, where 1e-9 to 1e6 s can be; the unit of time stands in its "
				   "heading: t[s], t[ms], t[us] or t[ns]",
			o->file, mean );
		return CLI_FAILURE;
	}
	if ( !( fabs( mean - early ) <= MOST_UNEVEN * early ) )
	{
		cli_error(
			"%s: time rises by %.4g s a sample at first and by %.4g s in the mean; cut the record where the rate "
			"changes, or name one by --rate HZ",
			o->file, early, mean );
		return CLI_FAILURE;
	}
	return CLI_OK;
}

// The rate by the times of the file: gaps counted as what they miss.
int allan_rate_of_clock( const allan_options *o, allan_clock *c, allan_result *r )
{
	learn_step( c );
	r->gaps = c->gaps;
	r->missing = c->missing;
	if ( c->rows < 2 && o->rate > 0 )
	{
		return CLI_OK;
	}
	if ( !( c->step > 0 ) )
	{
		cli_error( "%s: one row tells no rate; name it by --rate HZ", o->file );
		return CLI_FAILURE;
	}
	if ( (double)c->missing > MOST_MISSING * (double)c->rows )
	{
		cli_error( "%s: time has %lld gaps with %lld of %lld samples missing, where one in a thousand may be; cut the "
				   "record at "
				   "long gaps, or fill them",
			o->file, (long long)c->gaps, (long long)c->missing, (long long)( c->missing + c->rows ) );
		return CLI_FAILURE;
	}
	return o->rate == 0 ? take_rate( o, c, r ) : CLI_OK;
}

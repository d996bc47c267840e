// What the column of time tells: the rate, and gaps.

#include "cli/allan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MISSING 1e-3 // of the samples, until a record is refused

static int ascending( const void *a, const void *b )
{
	double x = *(const double *)a, y = *(const double *)b;
	return ( x > y ) - ( x < y );
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
		int64_t steps = llround( c->early[i] / c->step );
		c->gaps += steps > 1;
		c->missing += steps > 1 ? steps - 1 : 0;
	}
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
		int64_t steps = step < 1e9 * c->step ? llround( step / c->step ) : 1000000000;
		c->gaps += steps > 1;
		c->missing += steps > 1 ? steps - 1 : 0;
	}
	c->last = time;
	++c->rows;
	return true;
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
	if ( o->rate == 0 )
	{
		r->rate = (double)( c->rows - 1 + c->missing ) / ( c->last - c->first );
		r->rate_from_time = true;
	}
	return CLI_OK;
}

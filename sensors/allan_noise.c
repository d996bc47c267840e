// The noise that prevails at an averaging time, by the lag-1 autocorrelation of cluster means: W. Riley and C. Greenhall, "Power
// law noise identification using the lag 1 autocorrelation", 18th European Frequency and Time Forum, 2004; NIST SP 1065,
// section 5.5.6. For fractionally integrated noise of spectrum f^alpha, r1 / (1 + r1) = -alpha / 2 while it is stationary; what is
// not, is differenced first.

#include "sensors/allan.h"

#include <math.h>

#define FEWEST 30

void ds_allan_lag_add( ds_allan_lag *lag, double mean )
{
	if ( lag->count == 0 )
	{
		lag->offset = mean;
	}
	double z = mean - lag->offset, difference = z - lag->last, second = difference - lag->last_difference;
	lag->sum += z;
	lag->moment += (double)lag->count * z;
	lag->square[0] += z * z;
	lag->cross[0] += z * lag->last;
	if ( lag->count >= 3 )
	{
		lag->square[1] += difference * difference;
		lag->cross[1] += difference * lag->last_difference;
		lag->square[2] += second * second;
		lag->cross[2] += second * lag->last_second;
	}
	else if ( lag->count >= 1 )
	{
		bool first = lag->count == 1;
		lag->first_difference = first ? difference : lag->first_difference;
		lag->square[1] += difference * difference;
		lag->cross[1] += first ? 0 : difference * lag->last_difference;
		lag->first_second = first ? 0 : second;
		lag->square[2] += first ? 0 : second * second;
	}
	lag->last_second = second;
	lag->last_difference = difference;
	lag->last = z;
	++lag->count;
}

// r1 of n values about their mean.
static double about_mean( double n, double sum, double square, double cross, double first, double last )
{
	double mean = sum / n;
	double variance = square - n * mean * mean;
	return variance > 0 ? ( cross - mean * ( 2 * sum - first - last ) + ( n - 1 ) * mean * mean ) / variance : 0;
}

// r1 of the means about their straight line. `first` is 0: it is the offset.
static double about_line( const ds_allan_lag *s )
{
	double n = (double)s->count, centre = 0.5 * ( n - 1 ), spread = n * ( n * n - 1 ) / 12;
	double mean = s->sum / n, moment = s->moment - centre * s->sum, slope = moment / spread;
	double variance = s->square[0] - n * mean * mean - slope * moment;
	double above = mean * ( s->sum - s->last ) + slope * ( moment - s->last * centre + s->sum - s->last );
	double below = mean * s->sum + slope * ( moment - s->sum );
	double line = ( n - 1 ) * mean * mean + slope * slope * ( spread - centre * ( centre + 1 ) );
	return variance > 0 ? ( s->cross[0] - above - below + line ) / variance : 0;
}

bool ds_allan_lag_noise( const ds_allan_lag *s, int order, int *noise )
{
	if ( s->count < FEWEST )
	{
		return false;
	}
	int most = order - 1; // differences of means that the deviation itself takes
	double n = (double)s->count, r[3];
	r[0] = about_line( s );
	r[1] = about_mean( n - 1, s->last, s->square[1], s->cross[1], s->first_difference, s->last_difference );
	r[2] = about_mean(
		n - 2, s->last_difference - s->first_difference, s->square[2], s->cross[2], s->first_second, s->last_second );
	int d = 0;
	double delta = r[0] / ( 1 + r[0] );
	while ( delta >= 0.25 && d < most )
	{
		++d;
		delta = r[d] / ( 1 + r[d] );
	}
	double power = fmin( 2, fmax( order == 3 ? -4 : -2, -2 * ( delta + d ) ) );
	*noise = (int)lround( power );
	return true;
}

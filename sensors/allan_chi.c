// Quantiles of chi squared: the inverse of the incomplete gamma function.
//
// P and Q by series and continued fraction (NIST Digital Library of Mathematical Functions, 8.11.4 and 8.9.2), the first guess by
// Wilson and Hilferty (1931), the rest by Newton's steps kept within a bracket.

#include "sensors/allan.h"

#include <float.h>
#include <math.h>

#define MOST_TERMS 1000000

static const double two_pi = 6.28318530717958647692;

// x^a e^-x / Gamma( a + 1 ). For large a by Stirling's series (DLMF 5.11.1), so that nothing cancels.
static double power_term( double a, double x )
{
	if ( a < 15 )
	{
		return exp( a * log( x ) - x ) / tgamma( a + 1 );
	}
	double mu = ( x - a ) / a, b = 1 / ( a * a );
	double series = ( 1 / 12.0 - b * ( 1 / 360.0 - b * ( 1 / 1260.0 - b * ( 1 / 1680.0 - b / 1188.0 ) ) ) ) / a;
	return exp( -a * ( mu - log1p( mu ) ) - series ) / sqrt( two_pi * a );
}

// Lower and upper tail of the gamma distribution of shape a. One is computed, the smaller where it can be.
static void gamma_tails( double a, double x, double *lower, double *upper )
{
	double term = power_term( a, x );
	if ( x < a + 1 )
	{
		double sum = 1, next = 1;
		for ( int n = 1; n < MOST_TERMS && next > sum * DBL_EPSILON; ++n )
		{
			next *= x / ( a + n );
			sum += next;
		}
		*lower = fmin( 1, term * sum );
		*upper = 1 - *lower;
		return;
	}
	// Lentz's method
	double b = x + 1 - a, c = 1 / DBL_MIN, d = 1 / b, h = d;
	for ( int n = 1; n < MOST_TERMS; ++n )
	{
		double an = -n * ( n - a );
		b += 2;
		d = an * d + b;
		c = b + an / c;
		d = 1 / ( fabs( d ) < DBL_MIN ? DBL_MIN : d );
		c = fabs( c ) < DBL_MIN ? DBL_MIN : c;
		h *= d * c;
		if ( fabs( d * c - 1 ) < 2 * DBL_EPSILON )
		{
			break;
		}
	}
	*upper = fmin( 1, term * a * h );
	*lower = 1 - *upper;
}

// Standard normal quantile to about 4e-4: Abramowitz and Stegun 26.2.23.
static double rough_normal( double p )
{
	double tail = p < 0.5 ? p : 1 - p, t = sqrt( -2 * log( tail ) );
	double z =
		t - ( 2.515517 + t * ( 0.802853 + t * 0.010328 ) ) / ( 1 + t * ( 1.432788 + t * ( 0.189269 + t * 0.001308 ) ) );
	return p < 0.5 ? -z : z;
}

static double first_guess( double p, double a )
{
	double c = 1 / ( 9 * a ), root = 1 - c + rough_normal( p ) * sqrt( c );
	double x = a * root * root * root;
	// far down, P is about its first term
	return root > 0.1 ? x : exp( ( log( p ) + log( tgamma( fmin( a, 100 ) + 1 ) ) ) / fmin( a, 100 ) );
}

double ds_chi_squared_quantile( double p, double freedom )
{
	double a = 0.5 * freedom, x = first_guess( p, a ), low = 0, high = INFINITY;
	x = x > DBL_MIN ? x : DBL_MIN;
	for ( int i = 0; i < 200; ++i )
	{
		double lower, upper;
		gamma_tails( a, x, &lower, &upper );
		double miss = p < 0.5 ? lower - p : ( 1 - p ) - upper;
		low = miss < 0 ? x : low;
		high = miss < 0 ? high : x;
		double next = x - miss * x / ( a * power_term( a, x ) );
		if ( !( next > low && next < high ) )
		{
			next = isinf( high ) ? 2 * x : low > 0 ? sqrt( low ) * sqrt( high ) : 0.5 * high;
		}
		if ( fabs( next - x ) <= 4 * DBL_EPSILON * x || high - low <= 4 * DBL_EPSILON * x )
		{
			return 2 * next;
		}
		x = next;
	}
	return 2 * x;
}

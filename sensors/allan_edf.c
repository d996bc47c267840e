// Equivalent degrees of freedom of stability variances: C. A. Greenhall and W. J. Riley, "Uncertainty of stability variances based
// on finite differences", 35th Precise Time and Time Interval Meeting, 2003, the general algorithm; NIST SP 1065, section 5.4.1.
// The letters are theirs: d order of difference, F filter factor (1 modified, m not), S stride factor (a difference every m / S
// samples), M differences, J their correlated ones.
//
// They take phase as a mean over the sample interval. The phase of rate data is the exact integral instead, which matters where m is
// small (white noise at m = 1 has 2/3 of M degrees of freedom, not 0.78 of them): there the sum over correlated differences is taken
// for that phase. At long m it is the same.

#include "sensors/allan.h"

#include <math.h>

#define MOST_TERMS 100 // J_max

// Generalised autocovariance of phase noise but for a factor, eq. 7. `power` up to 4 - ( -2 ): that of f in rate noise.
static double sw( double t, int power )
{
	double a = fabs( t ), square = a * a;
	switch ( power )
	{
		case 2:
			return -a;
		case 1:
			return a > 0 ? square * log( a ) : 0;
		case 0:
			return square * a;
		case -1:
			return a > 0 ? -square * square * log( a ) : 0;
		case -2:
			return -square * square * a;
		case -3:
			return a > 0 ? square * square * square * log( a ) : 0;
		default:
			return square * square * square * a;
	}
}

// Of filtered phase, eq. 8. F infinite: phase in continuous time.
static double sx( double t, double F, int power )
{
	return isinf( F ) ? -sw( t, power + 2 )
					  : F * F * ( 2 * sw( t, power ) - sw( t - 1 / F, power ) - sw( t + 1 / F, power ) );
}

// The same of means over m phases that are exact integrals of rate noise; m = 1: of the phases.
static double sx_sampled( double t, int m, int power )
{
	double sum = -sw( t, power + 2 ) / m;
	for ( int k = 1; k < m; ++k )
	{
		double away = (double)k / m;
		sum -= ( 1 - away ) / m * ( sw( t - away, power + 2 ) + sw( t + away, power + 2 ) );
	}
	return sum;
}

// What is differenced: eq. 8 with F, or with `mean` > 0 means over so many exact phases.
typedef struct filter
{
	double F;
	int mean;
} filter;

static double filtered( double t, filter f, int power )
{
	return f.mean > 0 ? sx_sampled( t, f.mean, power ) : sx( t, f.F, power );
}

// Of its differences of order d, eq. 9.
static double sz( double t, filter F, int power, int d )
{
	static const double weights[4][4] = { { 1 }, { 2, -1 }, { 6, -4, 1 }, { 20, -15, 6, -1 } };
	double sum = weights[d][0] * filtered( t, F, power );
	for ( int k = 1; k <= d; ++k )
	{
		sum += weights[d][k] * ( filtered( t - k, F, power ) + filtered( t + k, F, power ) );
	}
	return sum;
}

// Eq. 10.
static double basic_sum( int J, double M, double S, filter F, int power, int d )
{
	double first = sz( 0, F, power, d ), last = sz( J / S, F, power, d );
	double sum = first * first + ( 1 - J / M ) * last * last;
	for ( int j = 1; j < J; ++j )
	{
		double z = sz( j / S, F, power, d );
		sum += 2 * ( 1 - j / M ) * z * z;
	}
	return sum;
}

// Their tables 1 and 2: a0 and a1 for d = 2 and 3, by 2 - power.
static const double table1[7][2][2] = { { { 7 / 9.0, 1 / 2.0 }, { 22 / 25.0, 2 / 3.0 } },
	{ { 0.997, 0.616 }, { 1.141, 0.843 } }, { { 1.033, 0.607 }, { 1.184, 0.848 } },
	{ { 1.048, 0.534 }, { 1.180, 0.816 } }, { { 1.302, 0.535 }, { 1.175, 0.777 } }, { { 0, 0 }, { 1.194, 0.703 } },
	{ { 0, 0 }, { 1.489, 0.702 } } };
static const double table2[7][2][2] = { { { 35 / 18.0, 1 }, { 231 / 100.0, 3 / 2.0 } },
	{ { 790, 410 }, { 9950, 6520 } }, { { 2 / 3.0, 1 / 3.0 }, { 7 / 9.0, 1 / 2.0 } },
	{ { 0.852, 0.375 }, { 0.997, 0.617 } }, { { 1.079, 0.368 }, { 1.033, 0.607 } }, { { 0, 0 }, { 1.053, 0.553 } },
	{ { 0, 0 }, { 1.302, 0.535 } } };
static const double table3[2][2] = { { 15.23, 12 }, { 47.8, 40 } };

// White phase noise: differences m apart are correlated, others not. Over all that are; their closed form is the same.
static double white_phase( double M, double r, int d )
{
	static const double binomials[4][4] = { { 1 }, { 2, 1 }, { 6, 4, 1 }, { 20, 15, 6, 1 } };
	double sum = 1;
	for ( int k = 1; k <= d && k < r; ++k )
	{
		double correlation = binomials[d][k] / binomials[d][0];
		sum += 2 * ( 1 - k / r ) * correlation * correlation;
	}
	return sum / M;
}

double ds_allan_freedom( const ds_allan_form *form, int noise, int64_t m, int64_t stride, int64_t phases )
{
	int d = form->order, row = 2 - noise;
	int64_t length = form->modified ? m * ( d + 1 ) : m * d + 1;
	if ( phases < length || noise > 2 || noise < ( d == 3 ? -4 : -2 ) )
	{
		return 0;
	}
	double M = 1 + (double)( ( phases - length ) / stride ), S = (double)m / (double)stride, r = M / S;
	filter F = { form->modified ? 1 : (double)m, 0 };
	if ( !form->modified && noise == 2 )
	{
		return 1 / white_phase( M, r, d );
	}
	double J = fmin( M, ( d + 1 ) * S );
	if ( J <= MOST_TERMS )
	{
		if ( form->sampled && noise <= 0 )
		{
			F.mean = form->modified ? (int)fmin( (double)m, MOST_TERMS ) : 1;
		}
		else if ( !form->modified && noise <= 0 && m * ( d + 1 ) > MOST_TERMS )
		{
			F.F = INFINITY;
		}
		double z = sz( 0, F, noise, d );
		return M * z * z / basic_sum( (int)J, M, S, F, noise, d );
	}
	const double *a = ( form->modified ? table1 : table2 )[row][d - 2];
	bool flicker_phase = !form->modified && noise == 1;
	double scale = flicker_phase ? table3[d - 2][0] + table3[d - 2][1] * log( (double)m ) : 1;
	if ( r >= d + 1 )
	{
		return scale * scale * r / ( a[0] - a[1] / r );
	}
	double few = MOST_TERMS / r; // m' of the paper
	F.F = form->modified ? 1 : flicker_phase ? few : INFINITY;
	scale = flicker_phase ? scale : sz( 0, F, noise, d );
	return scale * scale * MOST_TERMS / basic_sum( MOST_TERMS, MOST_TERMS, few, F, noise, d );
}

void ds_allan_interval(
	const ds_allan_form *form, int64_t stride, int64_t phases, double confidence, ds_allan_point *point )
{
	double freedom = ds_allan_freedom( form, point->noise, point->m, stride, phases );
	point->freedom = freedom;
	if ( freedom > 0 )
	{
		double tail = 0.5 * ( 1 - confidence );
		point->low = point->deviation * sqrt( freedom / ds_chi_squared_quantile( 1 - tail, freedom ) );
		point->high = point->deviation * sqrt( freedom / ds_chi_squared_quantile( tail, freedom ) );
	}
}

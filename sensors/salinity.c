// The practical salinity scale of 1978, both ways.

#include "deepsim/ctd.h"

#include <math.h>

// Coefficients: UNESCO technical paper 44. Pressure in dbar, temperature t on the IPTS-68.

// Of salinity 35, the ratio of its conductivity at t to that at 15 degC.
static double ratio_of_temperature( double t )
{
	return 0.6766097 + t * ( 2.00564e-2 + t * ( 1.104259e-4 + t * ( -6.9698e-7 + t * 1.0031e-9 ) ) );
}

static double of_pressure( double p )
{
	return p * ( 2.070e-5 + p * ( -6.370e-10 + p * 3.989e-15 ) );
}

static double of_temperature( double t )
{
	return 1 + t * ( 3.426e-2 + t * 4.464e-4 );
}

static double of_ratio( double t )
{
	return 4.215e-1 - 3.107e-3 * t;
}

// Salinity of x, the root of the ratio at the surface and t; and its derivative.
static double salinity_of_root( double x, double t, double *slope )
{
	const double f = ( t - 15 ) / ( 1 + 0.0162 * ( t - 15 ) );
	static const double a[6] = { 0.0080, -0.1692, 25.3851, 14.0941, -7.0261, 2.7081 };
	static const double b[6] = { 0.0005, -0.0056, -0.0066, -0.0375, 0.0636, -0.0144 };
	double s = 0, d = 0;
	for ( int i = 5; i >= 0; --i )
	{
		d = d * x + s;
		s = s * x + a[i] + f * b[i];
	}
	*slope = d;
	return s;
}

double ds_pss78_salinity( double ratio, double t68, double gauge_pressure )
{
	if ( !( ratio > 0 ) )
	{
		return 0;
	}
	double compressed = 1 + of_pressure( gauge_pressure * 1e-4 ) / ( of_temperature( t68 ) + of_ratio( t68 ) * ratio );
	double x = sqrt( ratio / ( compressed * ratio_of_temperature( t68 ) ) ), slope;
	return fmax( 0, salinity_of_root( x, t68, &slope ) );
}

double ds_pss78_ratio( double salinity, double t68, double gauge_pressure )
{
	if ( !( salinity > 0 ) )
	{
		return 0;
	}
	// Newton's method from above, where the polynomial is convex; below some 0.01 it has no more slope
	double x = fmax( sqrt( salinity / 35 ), 0.02 );
	for ( int i = 0; i < 12; ++i )
	{
		double slope, error = salinity_of_root( x, t68, &slope ) - salinity;
		double step = slope > 0.1 ? error / slope : 0;
		x = fmax( x - step, 0.004 );
		if ( fabs( step ) < 1e-15 )
		{
			break;
		}
	}
	// R = x^2 rt (1 + A / (B + C R)) is quadratic in R
	double q = x * x * ratio_of_temperature( t68 );
	double a = of_pressure( gauge_pressure * 1e-4 ), b = of_temperature( t68 ), c = of_ratio( t68 );
	double half = 0.5 * ( b - c * q );
	return ( sqrt( half * half + c * q * ( a + b ) ) - half ) / c;
}

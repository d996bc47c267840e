#include "hydro/gravity.h"

#include <math.h>

#define DBAR 1e4 // [Pa]

double ds_gravity_normal( double latitude )
{
	const double equator = 9.7803253359, k = 0.00193185265241, e2 = 0.00669437999013; // NIMA TR8350.2
	double s = sin( latitude );
	return equator * ( 1 + k * s * s ) / sqrt( 1 - e2 * s * s );
}

double ds_depth_of_pressure( double gauge_pressure, double latitude )
{
	double p = gauge_pressure / DBAR, s = sin( latitude ), x = s * s;
	double gravity = 9.780318 * ( 1 + x * ( 5.2788e-3 + x * 2.36e-5 ) ) + 1.092e-6 * p;
	return p * ( 9.72659 + p * ( -2.2512e-5 + p * ( 2.279e-10 - p * 1.82e-15 ) ) ) / gravity;
}

double ds_pressure_of_depth( double depth, double latitude )
{
	double s = sin( latitude ), b = 1 - ( 5.92 + 5.25 * s * s ) * 1e-3;
	return DBAR * ( b - sqrt( b * b - 8.84e-6 * depth ) ) / 4.42e-6;
}

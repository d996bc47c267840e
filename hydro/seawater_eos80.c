// EOS-80 and the equations for the speed of sound of its time.

#include "hydro/seawater.h"

#include <math.h>

double ds_t68_of_t90( double t90 )
{
	return 1.00024 * t90;
}

// Density at atmospheric pressure, Millero and Poisson (1981): pure water, and the terms of S, S^(3/2) and S^2.
static double surface_density( double s, double t )
{
	double water =
		999.842594 +
		t * ( 6.793952e-2 + t * ( -9.095290e-3 + t * ( 1.001685e-4 + t * ( -1.120083e-6 + t * 6.536332e-9 ) ) ) );
	double a = 8.24493e-1 + t * ( -4.0899e-3 + t * ( 7.6438e-5 + t * ( -8.2467e-7 + t * 5.3875e-9 ) ) );
	double b = -5.72466e-3 + t * ( 1.0227e-4 - t * 1.6546e-6 );
	return water + s * ( a + b * sqrt( s ) + 4.8314e-4 * s );
}

// Secant bulk modulus [bar] at p [bar]: UNESCO 44.
static double secant_modulus( double s, double t, double p )
{
	double root = sqrt( s );
	double water = 19652.21 + t * ( 148.4206 + t * ( -2.327105 + t * ( 1.360477e-2 - t * 5.155288e-5 ) ) );
	double surface = water + s * ( 54.6746 + t * ( -0.603459 + t * ( 1.09987e-2 - t * 6.1670e-5 ) ) ) +
					 s * root * ( 7.944e-2 + t * ( 1.6483e-2 - t * 5.3009e-4 ) );
	double a = 3.239908 + t * ( 1.43713e-3 + t * ( 1.16092e-4 - t * 5.77905e-7 ) ) +
			   s * ( 2.2838e-3 - t * ( 1.0981e-5 + t * 1.6078e-6 ) ) + 1.91075e-4 * s * root;
	double b =
		8.50935e-5 + t * ( -6.12293e-6 + t * 5.2787e-8 ) + s * ( -9.9348e-7 + t * ( 2.0816e-8 + t * 9.1697e-10 ) );
	return surface + p * ( a + p * b );
}

double ds_eos80_density( double salinity, double t68, double pressure )
{
	double s = fmax( salinity, 0 ), bar = pressure * 1e-5;
	return surface_density( s, t68 ) / ( 1 - bar / secant_modulus( s, t68, bar ) );
}

// The coefficients of UNESCO 44: of S^0 (cw), S (a), S^(3/2) (b) and S^2 (d), each a polynomial in t and p [bar].
double ds_sound_chen_millero( double salinity, double t68, double pressure )
{
	double s = fmax( salinity, 0 ), t = t68, p = pressure * 1e-5;
	double cw0 =
		1402.388 + t * ( 5.03711 + t * ( -5.80852e-2 + t * ( 3.3420e-4 + t * ( -1.47800e-6 + t * 3.1464e-9 ) ) ) );
	double cw1 = 0.153563 + t * ( 6.8982e-4 + t * ( -8.1788e-6 + t * ( 1.3621e-7 - t * 6.1185e-10 ) ) );
	double cw2 = 3.1260e-5 + t * ( -1.7107e-6 + t * ( 2.5974e-8 + t * ( -2.5335e-10 + t * 1.0405e-12 ) ) );
	double cw3 = -9.7729e-9 + t * ( 3.8504e-10 - t * 2.3643e-12 );
	double a0 = 1.389 + t * ( -1.262e-2 + t * ( 7.164e-5 + t * ( 2.006e-6 - t * 3.21e-8 ) ) );
	double a1 = 9.4742e-5 + t * ( -1.2580e-5 + t * ( -6.4885e-8 + t * ( 1.0507e-8 - t * 2.0122e-10 ) ) );
	double a2 = -3.9064e-7 + t * ( 9.1041e-9 + t * ( -1.6002e-10 + t * 7.988e-12 ) );
	double a3 = 1.100e-10 + t * ( 6.649e-12 - t * 3.389e-13 );
	double cw = cw0 + p * ( cw1 + p * ( cw2 + p * cw3 ) );
	double a = a0 + p * ( a1 + p * ( a2 + p * a3 ) );
	double b = -1.922e-2 - 4.42e-5 * t + p * ( 7.3637e-5 + 1.7945e-7 * t );
	double d = 1.727e-3 - 7.9836e-6 * p;
	return cw + s * ( a + b * sqrt( s ) + d * s );
}

double ds_sound_mackenzie( double salinity, double t68, double depth )
{
	double t = t68, s = salinity - 35, d = depth;
	return 1448.96 + t * ( 4.591 + t * ( -5.304e-2 + t * 2.374e-4 ) ) + s * ( 1.340 - 1.025e-2 * t ) +
		   d * ( 1.630e-2 + d * ( 1.675e-7 - 7.139e-13 * t * d ) );
}

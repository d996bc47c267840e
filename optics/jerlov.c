// Jerlov's water types: absorption and scattering from his table of diffuse attenuation. docs/optics-water.md says how far that goes.

#include "optics/pure_water.h"

#include <math.h>

const char *const ds_jerlov_names[DS_JERLOV_COUNT] = { "I", "IA", "IB", "II", "III", "1C", "3C", "5C", "7C", "9C" };

// N. G. Jerlov, "Marine Optics" (1976), table XXVII: diffuse attenuation of downward irradiance [1/m] from 350 nm by 25 nm, for a high sun.
static const double table[DS_JERLOV_COUNT][DS_JERLOV_ROWS] = {
	{ 0.062, 0.038, 0.028, 0.022, 0.019, 0.018, 0.027, 0.043, 0.063, 0.089, 0.235, 0.305, 0.36, 0.42, 0.56 },
	{ 0.078, 0.052, 0.038, 0.031, 0.026, 0.025, 0.032, 0.048, 0.067, 0.094, 0.24, 0.31, 0.37, 0.43, 0.57 },
	{ 0.1, 0.066, 0.051, 0.042, 0.036, 0.033, 0.042, 0.054, 0.072, 0.099, 0.245, 0.315, 0.375, 0.435, 0.58 },
	{ 0.175, 0.122, 0.096, 0.081, 0.068, 0.062, 0.07, 0.076, 0.089, 0.115, 0.26, 0.335, 0.4, 0.465, 0.61 },
	{ 0.32, 0.22, 0.185, 0.16, 0.135, 0.116, 0.115, 0.116, 0.12, 0.148, 0.295, 0.375, 0.445, 0.52, 0.66 },
	{ 1.2, 0.8, 0.51, 0.36, 0.25, 0.17, 0.14, 0.13, 0.12, 0.15, 0.3, 0.37, 0.45, 0.51, 0.65 },
	{ 1.7, 1.1, 0.78, 0.54, 0.39, 0.29, 0.22, 0.2, 0.19, 0.21, 0.33, 0.4, 0.46, 0.56, 0.71 },
	{ 2.3, 1.6, 1.1, 0.78, 0.56, 0.43, 0.36, 0.31, 0.3, 0.33, 0.4, 0.48, 0.54, 0.65, 0.8 },
	{ 3.0, 2.1, 1.6, 1.2, 0.89, 0.71, 0.58, 0.49, 0.46, 0.46, 0.48, 0.54, 0.63, 0.78, 0.92 },
	{ 3.9, 3.0, 2.4, 1.9, 1.6, 1.23, 0.99, 0.78, 0.63, 0.58, 0.6, 0.65, 0.76, 0.92, 1.1 },
};

double ds_jerlov_kd( int32_t type, int32_t row, double *wavelength )
{
	*wavelength = 350 + 25 * row;
	return table[type][row];
}

// Backscattered share of the scattering by particles in the split: Petzold's average particle, whatever phase function is used later, so
// that a type has one a and one b.
#define BACKSCATTERED 0.0182603

static double pure_kd( double wavelength )
{
	return ds_diffuse_attenuation( ds_pure_absorption( wavelength ), 0.5 * ds_pure_scattering( wavelength ), 0 );
}

// Diffuse attenuation at any wavelength: the pure water's, which is known finely, and more, linear between the rows. Where Jerlov's value
// is below that of pure water as it is known today, the pure water's stands.
static double diffuse_attenuation( int32_t type, double wavelength )
{
	double at = ( fmin( fmax( wavelength, DS_LIGHT_LOW ), DS_LIGHT_HIGH ) - 350 ) / 25;
	int32_t i = (int32_t)at;
	i = i < DS_JERLOV_ROWS - 2 ? i : DS_JERLOV_ROWS - 2;
	double low, high, t = at - i;
	double below = ds_jerlov_kd( type, i, &low ), above = ds_jerlov_kd( type, i + 1, &high );
	below = fmax( below - pure_kd( low ), 0 );
	above = fmax( above - pure_kd( high ), 0 );
	return pure_kd( wavelength ) + ( 1 - t ) * below + t * above;
}

// Scattering by particles at 550 nm [1/m]. Chlorophyll C [mg/m3] from Kd( 490 ) = 0.0166 + 0.07242 C^0.68955 (Morel, Huot, Gentili,
// Werdell, Hooker and Franz, Remote Sens. Environ. 111 (2007)); b_p( 550 ) = 0.30 C^0.62 (Gordon and Morel 1983).
static double scattering_550( int32_t type )
{
	double chlorophyll = pow( ( diffuse_attenuation( type, 490 ) - 0.0166 ) / 0.07242, 1 / 0.68955 );
	return 0.3 * pow( chlorophyll, 0.62 );
}

// The absorption with which the formula of Lee, Du and Arnone gives kd, the sun in the zenith. Newton's method from below: the formula is
// increasing and concave in a.
static double absorption_of( double kd, double bb )
{
	double a = fmax( kd - 4.18 * bb, 0 );
	for ( int i = 0; i < 32; ++i )
	{
		double missing = kd - ds_diffuse_attenuation( a, bb, 0 );
		if ( !( missing > 1e-13 * kd ) )
		{
			break;
		}
		a += missing / ( 1 + 4.18 * 0.52 * 10.8 * exp( -10.8 * a ) * bb );
	}
	return a;
}

void ds_jerlov_particles( int32_t type, double wavelength, double *a, double *b )
{
	double w = fmin( fmax( wavelength, DS_LIGHT_LOW ), DS_LIGHT_HIGH );
	*b = scattering_550( type ) * 550 / w; // Gordon and Morel 1983
	double bb = 0.5 * ds_pure_scattering( w ) + BACKSCATTERED * *b;
	*a = fmax( absorption_of( diffuse_attenuation( type, w ), bb ) - ds_pure_absorption( w ), 0 );
}

// Pure sea water, and how irradiance fades in water.

#include "optics/pure_water.h"

#include <math.h>

// Pope and Fry, "Absorption spectrum (380-700 nm) of pure water. II. Integrating cavity measurements", Appl. Opt. 36 (1997) 8710, table 3:
// every second row, from 380 nm by 5 nm [1/m].
#define ROWS 65
static const double absorption[ROWS] = { 0.01137, 0.00941, 0.00851, 0.00813, 0.00663, 0.0053, 0.00473, 0.00444, 0.00454,
	0.00478, 0.00495, 0.0053, 0.00635, 0.00751, 0.00922, 0.00962, 0.00979, 0.01011, 0.0106, 0.0114, 0.0127, 0.0136,
	0.015, 0.0173, 0.0204, 0.0256, 0.0325, 0.0396, 0.0409, 0.0417, 0.0434, 0.0452, 0.0474, 0.0511, 0.0565, 0.0596,
	0.0619, 0.0642, 0.0695, 0.0772, 0.0896, 0.11, 0.1351, 0.1672, 0.2224, 0.2577, 0.2644, 0.2678, 0.2755, 0.2834,
	0.2916, 0.3012, 0.3108, 0.325, 0.34, 0.371, 0.41, 0.429, 0.439, 0.448, 0.465, 0.486, 0.516, 0.559, 0.624 };

static double within( double wavelength )
{
	return fmin( fmax( wavelength, DS_LIGHT_LOW ), DS_LIGHT_HIGH );
}

double ds_pure_absorption( double wavelength )
{
	double at = ( within( wavelength ) - DS_LIGHT_LOW ) * ( ( ROWS - 1 ) / ( DS_LIGHT_HIGH - DS_LIGHT_LOW ) );
	int i = (int)at;
	i = i < ROWS - 2 ? i : ROWS - 2;
	double t = at - i;
	return ( 1 - t ) * absorption[i] + t * absorption[i + 1];
}

double ds_pure_scattering( double wavelength )
{
	// of fresh water 0.0058; salt adds 30 % (Morel 1974)
	return 0.0076 * pow( 400 / within( wavelength ), 4.32 );
}

double ds_diffuse_attenuation( double a, double bb, double zenith )
{
	double degrees = zenith * ( 180 / 3.14159265358979323846 );
	return ( 1 + 0.005 * degrees ) * a + 4.18 * ( 1 - 0.52 * exp( -10.8 * a ) ) * bb;
}

// Refractive indices at 1 atm by wavelength, and what pressure adds to that of sea water. Water and glasses are given relative to
// air, as they are measured and as data sheets print them.

#include "deepsim/port.h"

#include <math.h>

// Formulas are followed to these wavelengths and no farther [nm].
#define SHORTEST 200
#define LONGEST  900

static double within( double wavelength )
{
	return wavelength < SHORTEST ? SHORTEST : wavelength > LONGEST ? LONGEST : wavelength;
}

// X. Quan and E. S. Fry, "Empirical equation for the index of refraction of seawater", Applied Optics 34 (1995) 3477-3480, equation 3
// and table 2: a fit to the data of Austin and Halikas 1976.
double ds_refractive_index_seawater( double salinity, double temperature, double wavelength )
{
	double s = salinity, t = temperature, l = within( wavelength );
	double by_salt = ( 1.779e-4 - 1.05e-6 * t + 1.6e-8 * t * t ) * s;
	double by_wavelength = ( 15.868 + 0.01155 * s - 0.00423 * t + ( -4382 + 1.1455e6 / l ) / l ) / l;
	return 1.31405 + by_salt - 2.02e-6 * t * t + by_wavelength;
}

// R. C. Millard and G. Seaver, "An index of refraction algorithm for seawater over temperature, pressure, salinity, density, and
// wavelength", Deep-Sea Research 37 (1990) 1909-1926: the terms of table 1 that have pressure, regions III (pure water, after Waxler,
// Weir and Schamp 1964) and IV (sea water, after Stanley 1970). Pressure there is in decibars above the atmosphere's.
double ds_refractive_index_pressure( double salinity, double temperature, double wavelength, double pressure )
{
	double s = salinity, t = temperature, p = 1e-4 * pressure; // [dbar]
	double l = 1e-3 * within( wavelength ); // [um]
	double pure = 1.5868383e-6 + 1.0712063e-8 / ( l * l ) + ( -9.4834486e-9 + 1.0100326e-10 * t ) * t;
	double squared = -1.574074e-11 + 5.8085198e-15 * t * t;
	double salt = ( -1.1177517e-9 + ( 5.7311268e-11 - 1.5460458e-12 * t ) * t ) * s;
	return ( pure + salt + squared * p ) * p;
}

// P. E. Ciddor, "Refractive index of air: new equations for the visible and near infrared", Applied Optics 35 (1996) 1566-1573,
// equation 1: dry air of 450 ppm CO2.
double ds_refractive_index_air( double wavelength )
{
	double l = 1e-3 * within( wavelength ); // [um]
	double wavenumber2 = 1 / ( l * l ); // [1/um2]
	return 1 + 0.05792105 / ( 238.0185 - wavenumber2 ) + 0.00167917 / ( 57.362 - wavenumber2 );
}

// n2 - 1 = sum of b l2 / ( l2 - c2 )
typedef struct sellmeier
{
	double b[3], c2[3]; // c2: [um2]
} sellmeier;

static const sellmeier glasses[DS_GLASS_GIVEN] = {
	// Schott AG, data sheet of N-BK7 517642.251: 20 degC, n_d 1.51680
	[DS_GLASS_BK7] = { { 1.03961212, 0.231792344, 1.01046945 }, { 0.00600069867, 0.0200179144, 103.560653 } },
	// I. H. Malitson, J. Opt. Soc. Am. 55 (1965) 1205-1208: 20 degC, 0.21 to 3.71 um
	[DS_GLASS_SILICA] = { { 0.6961663, 0.4079426, 0.8974794 },
		{ 0.0684043 * 0.0684043, 0.1162414 * 0.1162414, 9.896161 * 9.896161 } },
	// I. H. Malitson, J. Opt. Soc. Am. 52 (1962) 1377-1379: ordinary ray, 24 degC, 0.2652 to 5.577 um
	[DS_GLASS_SAPPHIRE] = { { 1.023798, 1.058264, 5.280792 },
		{ 0.06144821 * 0.06144821, 0.1106997 * 0.1106997, 17.92656 * 17.92656 } },
	// N. Sultanova, S. Kasarova, I. Nikolov, Acta Physica Polonica A 116 (2009) 585-587: 20 degC, 0.4368 to 1.052 um; one term, fitted to
	// their table by M. N. Polyanskiy (refractiveindex.info)
	[DS_GLASS_ACRYLIC] = { { 1.1819, 0, 0 }, { 0.011313, 0, 0 } },
};

double ds_refractive_index_glass( ds_glass glass, double wavelength )
{
	if ( glass < 0 || glass >= DS_GLASS_GIVEN )
	{
		return NAN;
	}
	const sellmeier *g = &glasses[glass];
	double l = 1e-3 * within( wavelength ), square = 1;
	for ( int i = 0; i < 3; ++i )
	{
		square += g->b[i] * l * l / ( l * l - g->c2[i] );
	}
	return sqrt( square );
}

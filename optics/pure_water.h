// Inside optics: what is known of pure sea water, of Jerlov's types, and of how daylight fades.

#ifndef DEEPSIM_OPTICS_PURE_WATER_H
#define DEEPSIM_OPTICS_PURE_WATER_H

#include "deepsim/water_optics.h"

// Wavelengths that the tables span [nm]. Beyond, the values at the ends are taken.
#define DS_LIGHT_LOW  380.0
#define DS_LIGHT_HIGH 700.0

// Refractive index of sea water for rays through the surface: Quan and Fry 1995 give 1.337 to 1.349 from 700 to 400 nm at 35 PSU, 10 degC.
#define DS_WATER_INDEX 1.342

// Absorption of pure water [1/m] at a wavelength [nm]: Pope and Fry, Appl. Opt. 36 (1997), every 5 nm, linear between.
double ds_pure_absorption( double wavelength );

// Scattering by the molecules of pure sea water [1/m]: Morel 1974, as 0.0076 ( 400 / wavelength )^4.32.
double ds_pure_scattering( double wavelength );

// Diffuse attenuation of downward irradiance [1/m] from absorption and backscattering, the sun at a zenith angle in air [rad]: Lee, Du and
// Arnone, J. Geophys. Res. 110 (2005), C02016, equation 11.
double ds_diffuse_attenuation( double a, double bb, double zenith );

// Absorption and scattering by what is in the water of a type, beyond the pure water's [1/m].
void ds_jerlov_particles( int32_t type, double wavelength, double *a, double *b );

// Diffuse attenuation of Jerlov's table at a row [1/m], and its wavelength [nm].
#define DS_JERLOV_ROWS 15
double ds_jerlov_kd( int32_t type, int32_t row, double *wavelength );

// "IB"
extern const char *const ds_jerlov_names[DS_JERLOV_COUNT];

#endif

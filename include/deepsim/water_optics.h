// libdeepsim: what water does to light: absorption a, scattering b [1/m] by wavelength, phase functions, and daylight under water.
//
// A phase function p [1/sr] is of the angle between the directions of propagation before and after; its integral over the sphere is 1.

#ifndef DEEPSIM_WATER_OPTICS_H
#define DEEPSIM_WATER_OPTICS_H

#include "deepsim/field.h"

#ifdef __cplusplus
extern "C"
{
#endif

// ---- bands ---------------------------------------------------------------------------------------------------------

#define DS_MAX_BANDS 16

// Bands of wavelength that light is reckoned in, ascending.
typedef struct ds_bands
{
	int32_t count;
	double wavelength[DS_MAX_BANDS]; // centre [nm]
	double width[DS_MAX_BANDS]; // [nm]
} ds_bands;

// Three bands, blue, green and red in this order: those whose mean is taken for sRGB's primaries. 465, 550 and 610 nm, about the dominant
// wavelengths of the primaries (464, 549 and 611 nm); 430 to 500, 520 to 580 and 580 to 640 nm, which no two share.
DS_API ds_bands ds_bands_rgb( void );
// `count` bands of equal width from `low` to `high` [nm], within 380 to 700, which the tables of water span. DS_ERROR_RANGE.
DS_API ds_status ds_bands_even( int32_t count, double low, double high, ds_bands *bands );

// ---- phase functions -----------------------------------------------------------------------------------------------

typedef enum ds_phase_kind
{
	DS_PHASE_PETZOLD, // average particle: Mobley 1994, table 3.10; below 0.1 degrees its power law; normalised
	DS_PHASE_FOURNIER_FORAND, // Fournier and Jonasz 1999: index n, slope mu of Junge's size distribution
	DS_PHASE_HENYEY_GREENSTEIN, // g
	DS_PHASE_ISOTROPIC, // 1 / ( 4 pi )
	DS_PHASE_KIND_COUNT
} ds_phase_kind;

typedef struct ds_phase_config
{
	int32_t kind; // ds_phase_kind
	double g; // mean cosine of Henyey-Greenstein
	double n, mu; // Fournier-Forand: relative refractive index; slope
} ds_phase_config;

// p [1/sr] at an angle of scattering [rad] in [0, pi]. Petzold's and Fournier and Forand's grow towards 0 like a power; below 1e-5 they are
// held at their mean there.
DS_API double ds_phase_at( const ds_phase_config *phase, double angle );
// Of the water's molecules (Morel 1974): 3 ( 1 + 0.835 cos^2 ) / ( 4 pi ( 3 + 0.835 ) ).
DS_API double ds_phase_water_at( double angle );
// Share that is scattered backwards (beyond 90 degrees), and the mean cosine, by quadrature.
DS_API void ds_phase_moments( const ds_phase_config *phase, double *backward, double *mean_cosine );

// ---- water ---------------------------------------------------------------------------------------------------------

typedef enum ds_water_optics_kind
{
	DS_WATER_OPTICS_PURE, // pure sea water: absorption of Pope and Fry 1997, scattering of Morel 1974
	DS_WATER_OPTICS_JERLOV, // `jerlov`
	DS_WATER_OPTICS_MEASURED, // `measured`
	DS_WATER_OPTICS_KIND_COUNT
} ds_water_optics_kind;

typedef enum ds_jerlov
{
	DS_JERLOV_I,
	DS_JERLOV_IA,
	DS_JERLOV_IB,
	DS_JERLOV_II,
	DS_JERLOV_III,
	DS_JERLOV_1C,
	DS_JERLOV_3C,
	DS_JERLOV_5C,
	DS_JERLOV_7C,
	DS_JERLOV_9C,
	DS_JERLOV_COUNT
} ds_jerlov;

// What was measured at a wavelength. All of the water: molecules and what is in it.
typedef struct ds_iop_level
{
	double wavelength; // [nm]
	double absorption, scattering; // a, b [1/m]
} ds_iop_level;

// How particles are spread over depth: factors of absorption and scattering beyond the pure water's.
typedef struct ds_turbidity_level
{
	double depth, factor; // [m], 1
} ds_turbidity_level;

// "optics" of a scenario's water. Start from ds_water_optics_def_default(): Jerlov IB, Petzold's particles.
typedef struct ds_water_optics_def
{
	int32_t kind; // ds_water_optics_kind
	int32_t jerlov; // ds_jerlov
	ds_array measured; // of ds_iop_level, by wavelength
	ds_phase_config phase; // of particles
	double turbidity; // factor of what is not pure water, at all depths
	ds_array profile; // of ds_turbidity_level, by depth: more of it; linear between, constant beyond; empty: 1
} ds_water_optics_def;

// Immutable, references counted.
typedef struct ds_water_optics ds_water_optics;

DS_API const ds_table *ds_water_optics_table( void );
DS_API ds_water_optics_def ds_water_optics_def_default( void );
// Copies what it needs of the definition, and checks it: errors name the field ("levels[2].wavelength: ..."). A pure water has neither
// turbidity nor profile. `hooks` may be NULL.
DS_API ds_status ds_water_optics_create(
	const ds_water_optics_def *def, const ds_hooks *hooks, ds_water_optics **optics );
DS_API ds_water_optics *ds_water_optics_retain( ds_water_optics *optics );
DS_API void ds_water_optics_release( ds_water_optics *optics );

// The water at a depth and a wavelength, of that wavelength or the mean of a band.
typedef struct ds_iop
{
	double a; // absorption [1/m]
	double b_water, b_particles; // scattering by molecules, by particles [1/m]
	double b, bb, c; // scattering, backscattering, attenuation a + b [1/m]
	double kd; // diffuse attenuation of daylight downwards [1/m]
} ds_iop;

// Wavelengths beyond what the tables (380 to 700 nm) or the measured levels span are taken for the nearest that they have. `kd` is the
// mean from the surface to where a tenth of the light is left, the sun in the zenith: Lee, Du and Arnone 2005, equation 11.
DS_API ds_iop ds_water_optics_at( const ds_water_optics *optics, double depth, double wavelength );
// The mean over a band of the wavelengths [nm], sampled every 5 nm or closer; a width of 0: of the one wavelength.
DS_API ds_iop ds_water_optics_band( const ds_water_optics *optics, double depth, double wavelength, double width );
DS_API const ds_phase_config *ds_water_optics_phase( const ds_water_optics *optics );

// ---- daylight ------------------------------------------------------------------------------------------------------

// "sky" of an environment. Start from ds_sky_def_default(): a clear day, the sun 60 degrees high.
typedef struct ds_sky_def
{
	int32_t dark; // 1: no daylight at all; 0
	double irradiance; // on a level plane at the surface, 400 to 700 nm [W/m2]
	double diffuse; // share of it that comes from the whole sky, 0 to 1
	double elevation, azimuth; // of the sun: above the horizon; from north over east, where it stands [rad]
} ds_sky_def;

DS_API const ds_table *ds_sky_table( void );
DS_API ds_sky_def ds_sky_def_default( void );

// Daylight at a depth in a band.
typedef struct ds_daylight
{
	ds_vec3 direction; // in which the sun's light travels under water (bent at the surface), unit, world axes
	double sun, sky; // irradiance on a level plane from the sun's direction and from all above [W/m2] in the band
} ds_daylight;

// The spectrum is that of ASTM G173 (global), whatever the height of the sun. The sun's light is bent at a flat surface and loses what
// Fresnel's formulas reflect, the sky's 6.8 %; each wavelength then fades as exp( -integral of Kd dz ), Kd by Lee, Du and Arnone 2005 with
// the sun's zenith angle. What the water has scattered out of the sun's direction counts as sky. At a negative depth, or without a water:
// in the air.
DS_API ds_daylight ds_daylight_at(
	const ds_sky_def *sky, const ds_water_optics *optics, double depth, double wavelength, double width );

#ifdef __cplusplus
}
#endif

#endif

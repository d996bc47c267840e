// libdeepsim: the Earth's magnetic main field: the World Magnetic Model WMM2025 and the International Geomagnetic Reference
// Field IGRF-14, to full degree, with secular variation. Plain functions, which run without a world.
//
// V = a sum (a/r)^(n+1) ( g cos(m lambda) + h sin(m lambda) ) P_n^m( sin phi' ) with Schmidt semi-normalised Legendre functions
// and a = 6371.2 km; the field is -grad V at the geocentric place of a geodetic one (WGS-84), turned back to geodetic north and down
// (Chulliat et al., The US/UK World Magnetic Model for 2025-2030: Technical Report, NOAA NCEI 2025, doi:10.25923/prbc-s316).
//
// What neither model has: the field of the crust, of currents in ionosphere and magnetosphere (magnetic storms), of the sea that moves.

#ifndef DEEPSIM_GEOMAGNETIC_H
#define DEEPSIM_GEOMAGNETIC_H

#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define DS_GEOMAGNETIC_MAX_DEGREE 13

// Coefficients of a model. In an epoch's row, degree by degree: g(1,0), g(1,1), h(1,1), g(2,0), g(2,1), h(2,1), ...: n (n + 2) numbers
// up to degree n, in nT.
typedef struct ds_geomagnetic_model
{
	const char *name; // "WMM2025"
	int32_t degree; // 1 to DS_GEOMAGNETIC_MAX_DEGREE
	int32_t epoch_count;
	const double *epochs; // decimal years, ascending
	const double *coefficients; // epoch_count rows [nT]
	const double *rates; // secular variation from the last epoch on [nT/year]; NULL: the slope between the last two
	double first_year, last_year; // what the model is for
} ds_geomagnetic_model;

// The models of the library, and one by its name ("wmm2025", "igrf14"); NULL: there is none.
DS_API const ds_geomagnetic_model *ds_geomagnetic_wmm2025( void );
DS_API const ds_geomagnetic_model *ds_geomagnetic_igrf14( void );
DS_API const ds_geomagnetic_model *ds_geomagnetic_find( const char *name );

// Warnings: bits of ds_geomagnetic.warnings. Horizontal intensities are those of the WMM's zones.
#define DS_GEOMAGNETIC_DATE     0x1u // outside the model's years: extrapolated
#define DS_GEOMAGNETIC_ALTITUDE 0x2u // outside -1 to 850 km above the ellipsoid
#define DS_GEOMAGNETIC_BLACKOUT 0x4u // below 2000 nT: a compass does not tell north
#define DS_GEOMAGNETIC_CAUTION  0x8u // 2000 to 6000 nT: a compass may be wrong

// The field at a place and a date. Axes: geodetic north, east, down.
typedef struct ds_geomagnetic
{
	ds_vec3 field; // X, Y, Z [T]
	double horizontal, total; // H, F [T]
	double declination; // D: of the field from true north, positive to the east [rad]
	double inclination; // I: of the field from the level, positive down [rad]
	// a year's change
	ds_vec3 field_rate; // [T/year]
	double horizontal_rate, total_rate; // [T/year]
	double declination_rate, inclination_rate; // [rad/year]; declination 0 where H is 0
	uint32_t warnings; // DS_GEOMAGNETIC_...
} ds_geomagnetic;

// The field of a model at WGS-84 latitude and longitude [rad], height above the ellipsoid [m], and a decimal year. Finite at the poles,
// where north is that of the longitude given. DS_ERROR_RANGE for latitudes beyond the poles, heights outside -1e6 to 1e8 m and years
// outside 1000 to 3000; outside the model's years it is extrapolated linearly.
DS_API ds_status ds_geomagnetic_at( const ds_geomagnetic_model *model, double latitude, double longitude, double height,
	double year, ds_geomagnetic *field );

// Decimal year of a date "2026-06-01" or "2026-06-01T12:00:00Z" (UTC): the year and the part of it that has passed.
DS_API ds_status ds_decimal_year( const char *date, double *year );

// The same of seconds since 1970-01-01T00:00:00Z.
DS_API double ds_decimal_year_of( double seconds );

// One line of text of the warnings, parted by "; ": what is wrong and what would be right. "" for none. `size` of at least 256.
DS_API void ds_geomagnetic_warning(
	const ds_geomagnetic_model *model, const ds_geomagnetic *field, char *text, size_t size );

#ifdef __cplusplus
}
#endif

#endif

// The sea near a point, as polynomials: what makes waves cheap on thousands of faces.
//
// In the stretched coordinates (north, east, s') of waves.h the elevation, the dynamic head and the velocity potential of a
// component are exponentials, and harmonic. Their Taylor polynomials about a centre are summed over the components once;
// a face then costs a polynomial, whatever the number of components. The remainder of degree n at the distance r is at
// most the sum of a ( k r )^(n+1) / (n+1)! over the components, which chooses the degree.

#ifndef DEEPSIM_HYDRO_WAVES_PATCH_H
#define DEEPSIM_HYDRO_WAVES_PATCH_H

#include "hydro/waves.h"

#define DS_WAVE_DEGREE 12 // greatest

// Terms of a polynomial of degree 12 in 2 and 3 variables, and of degree 11 in 3.
#define DS_WAVE_TERMS_2      91
#define DS_WAVE_TERMS_3      455
#define DS_WAVE_TERMS_3_LESS 364

// Error of elevation and head that is aimed at, over the sea's amplitude sqrt( 2 variance ).
#define DS_WAVE_TOLERANCE 1e-4

// Polynomials in x, y, s: metres from the centre. Terms x^m y^l s^q are ordered for Horner's rule: m from the degree down to
// 0, in it l from degree - m down to 0, in it q from degree - m - l down to 0.
typedef struct ds_wave_field
{
	ds_vec3 center; // north, east, and z of s' = 0 at the centre: -s' [m]
	int32_t degree; // of elevation and head; that of the velocity is one less
	double depth; // of the water [m]; infinite: deep
	double layer; // that stretches with the surface [m]
	double elevation[DS_WAVE_TERMS_2]; // [m]
	double head[DS_WAVE_TERMS_3]; // [m]
	double velocity[3][DS_WAVE_TERMS_3_LESS]; // world axes [m/s]
	double
		error; // bound on the error of the head within the sphere it was made for [m]; near the surface of elevation too
	double low, high; // bounds on the elevation there [m]
	double most; // bound on the head there: sum of amplitudes times profiles [m]
} ds_wave_field;

// The sea around a body: filled once a tick, read by the face models.
typedef struct ds_wave_patch
{
	const ds_waves *waves; // NULL: flat water
	ds_vec3 center; // the body's reference point
	double time;
	ds_wave_point at; // the sea there, or at the surface below it where it is dry
} ds_wave_patch;

// Fills a patch. Nothing is allocated; `waves` (NULL: none) has to outlive the patch.
void ds_waves_patch( const ds_waves *waves, ds_vec3 center, double time, ds_wave_patch *patch );

// The sea by the polynomials of a field: what the faces see. Acceleration and slopes are not given (0).
void ds_wave_field_at( const ds_wave_field *field, ds_vec3 position, ds_wave_point *point );

#endif

// Inside hydro/: what a ds_waves holds, and arithmetic of phases.

#ifndef DEEPSIM_HYDRO_WAVES_INTERNAL_H
#define DEEPSIM_HYDRO_WAVES_INTERNAL_H

#include "deepsim/math.h"
#include "hydro/waves.h"

// Phases are counted in cycles and kept in [-1/2, 1/2].
struct ds_waves
{
	ds_allocator allocator;
	ds_waves_def def;
	double depth; // infinite for deep water
	double layer; // that stretches with the surface: deeper than its troughs [m]
	double peak, spectrum_scale; // of the spectrum
	double variance, amplitude; // of the elevation; sqrt( 2 variance )
	int32_t count;
	double *memory; // of the arrays, one element a component
	double *height; // amplitude a
	double *omega, *wavenumber, *direction, *phase;
	double *north, *east; // direction, unit
	double *cycles_north, *cycles_east, *cycles_time, *cycles_phase; // k d / 2 pi, w / 2 pi, e / 2 pi
	double *speed; // g k / w: amplitude of the velocity over that of the head
	double *grow; // 1 / ( 1 + exp( -2 k h ) )
};

#define DS_WAVES_ARRAYS 13

// Nearest integer, for |x| < 2^51: the sum rounds to it.
static inline double ds_wave_round( double x )
{
	const double shift = 6755399441055744.0;
	return ( x + shift ) - shift;
}

// a b less the nearest integer: the product is exact, so that neither far away nor late do phases lose digits.
static inline double ds_wave_cycles( double a, double b )
{
	double p = a * b, low = fma( a, b, -p );
	return ( p - ds_wave_round( p ) ) + low;
}

// Phase of a component at a place and a time [cycles].
static inline double ds_wave_phase( const ds_waves *w, int32_t i, double north, double east, double time )
{
	double p = ( ds_wave_cycles( w->cycles_north[i], north ) + ds_wave_cycles( w->cycles_east[i], east ) ) -
			   ds_wave_cycles( w->cycles_time[i], time ) + w->cycles_phase[i];
	return p - ds_wave_round( p );
}

// Sine and cosine of 2 pi p, |p| <= 1/2, to 2e-16: the Taylor series on an eighth of a circle, the same on all machines.
static inline void ds_wave_sincos( double p, double *sine, double *cosine )
{
	double quarter = ds_wave_round( 4 * p );
	double x = 2 * DS_PI * ( p - 0.25 * quarter ), y = x * x;
	double s = 1 / 6227020800.0 + y * ( -1 / 1307674368000.0 );
	s = -1 / 39916800.0 + y * s;
	s = 1 / 362880.0 + y * s;
	s = -1 / 5040.0 + y * s;
	s = 1 / 120.0 + y * s;
	s = -1 / 6.0 + y * s;
	s = x + x * ( y * s );
	double c = -1 / 87178291200.0 + y * ( 1 / 20922789888000.0 );
	c = 1 / 479001600.0 + y * c;
	c = -1 / 3628800.0 + y * c;
	c = 1 / 40320.0 + y * c;
	c = -1 / 720.0 + y * c;
	c = 1 / 24.0 + y * c;
	c = 1 + y * ( -0.5 + y * c );

	// quarter turns: -2, -1, 0, 1, 2
	bool odd = quarter == 1 || quarter == -1;
	double sign = quarter == 2 || quarter == -2 ? -1 : 1;
	*sine = odd ? quarter * c : sign * s;
	*cosine = odd ? -quarter * s : sign * c;
}

// Height s' that stretching gives the height `s` under the elevation `eta`: 0 above the surface, `s` below the layer, not below
// the bed.
static inline double ds_wave_stretch( double depth, double layer, double s, double eta )
{
	double r = s > -layer ? ( s - eta ) * ( layer / fmax( layer + eta, 0.1 * layer ) ) : s;
	return fmin( fmax( r, -depth ), 0 );
}

// The parts exp( k s ) and exp( -k ( 2 h + s ) ) of a component's profile, over 1 + exp( -2 k h ): their sum is
// cosh( k ( h + s ) ) / cosh( k h ), their difference sinh( k ( h + s ) ) / cosh( k h ).
static inline void ds_wave_profile( const ds_waves *w, int32_t i, double s, double *direct, double *mirrored )
{
	*direct = w->grow[i] * exp( w->wavenumber[i] * s );
	*mirrored = w->depth < INFINITY ? w->grow[i] * exp( -w->wavenumber[i] * ( 2 * w->depth + s ) ) : 0;
}

#endif

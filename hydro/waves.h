// Waves: a sea of linear (Airy) components over water of constant depth, and what it does at a point.
//
// A plain model, without a world. Axes north-east-down, mean surface at z = 0, elevation upwards; time in seconds.
//
// Physics (Dean and Dalrymple 1991, chapters 3 and 4). With the phase psi = k d.x - w t + e, d the direction, and the
// height above the mean surface s = -z, each component of amplitude a adds
//   elevation         a cos psi
//   dynamic head      a cosh( k (h + s) ) / cosh( k h ) cos psi        (pressure over rho g)
//   velocity along d  a w cosh( k (h + s) ) / sinh( k h ) cos psi,  up  a w sinh( k (h + s) ) / sinh( k h ) sin psi
// with w^2 = g k tanh( k h ). Accelerations are the local ones, du/dt at a point, of first order like the rest.
//
// Wheeler stretching (Wheeler 1970) of the layer that the surface moves in: there the formulas are taken at
// s' = ( s - elevation ) L / ( L + elevation ), so that they end at the instantaneous surface, where the pressure,
// rho g ( z + dynamic head ), is zero; below it at s. L is 1.5 times the deepest trough there can be, at most 3.5 times the
// sea's amplitude sqrt( 2 variance ), at most the depth. (Stretched to the bed, as Wheeler has it, the water at all depths would
// move with the surface above it, and what drifts in it would sink.) Above the surface the formulas keep its value.
//
// Frequencies are those at a fixed place: a current neither carries the waves nor changes their length.
//
// An irregular sea has components of equal energy. Bin i of n takes the share 1 / n of the spectrum between 0.5 and 4
// times the peak's frequency; its frequency is drawn within the bin by the spectrum, so that no two are multiples of one
// another and the sea does not repeat. Directions go through the shares of the spreading in steps of the golden ratio
// from a random start, so that any band of frequencies has the mean direction. Phases are random. The variance of the
// elevation is Hs^2 / 16 exactly.

#ifndef DEEPSIM_HYDRO_WAVES_H
#define DEEPSIM_HYDRO_WAVES_H

#include "deepsim/types.h"
#include "deepsim/waves.h"

// A sea. Immutable; may be shared by threads.
typedef struct ds_waves ds_waves;

// Errors: RANGE (a number out of its range, or a sea so steep that it breaks), NOT_FINITE, MEMORY.
ds_status ds_waves_create( const ds_allocator *allocator, const ds_waves_def *def, ds_waves **waves );

// Gives the memory back to the allocator it came from. NULL is nothing.
void ds_waves_destroy( ds_waves *waves );

typedef struct ds_wave_component
{
	double amplitude; // [m]
	double omega; // [rad/s]
	double wavenumber; // [rad/m]
	double direction; // towards [rad]
	double phase; // [rad]
} ds_wave_component;

int32_t ds_waves_count( const ds_waves *waves );
ds_wave_component ds_waves_component( const ds_waves *waves, int32_t index );

// Variance of the elevation [m2].
double ds_waves_variance( const ds_waves *waves );

// The sea at a point and a time.
typedef struct ds_wave_point
{
	double elevation; // of the surface over the point, upwards [m]
	double slope_north, slope_east; // of the elevation
	double depth; // of the point below the instantaneous surface [m]; negative above it
	double head; // dynamic pressure / (rho g) [m]; the gauge pressure is rho g ( z + head )
	ds_vec3 velocity; // of the water by the waves, world axes [m/s]
	ds_vec3 acceleration; // du/dt there [m/s2]
} ds_wave_point;

// NULL or flat water: all zero but `depth`.
void ds_waves_at( const ds_waves *waves, ds_vec3 position, double time, ds_wave_point *point );

// Mean of the acceleration over a body at a point: `spread` [m2] is the second moment of its volume about its centroid over that
// volume, in world axes: north-north, north-east, east-east, down-down. By component a factor exp( -k^2 ( d.S d - S_zz ) / 2 ), at
// most 1: that of a Gaussian of these moments, exact to second order for any shape (for a sphere 1, as for all harmonic functions).
ds_vec3 ds_waves_mean_acceleration(
	const ds_waves *waves, ds_vec3 position, double time, const double spread[4], ds_vec3 *convective );

// Elevation alone [m].
double ds_waves_elevation( const ds_waves *waves, double north, double east, double time );

// The wavenumber of waves of a frequency [rad/s] over water of a depth [m] (0: deep), to rounding.
double ds_wave_number( double omega, double depth, double gravity );

// The spectrum of a definition, one-sided, over angular frequency [m2 s], scaled so that its integral over the
// frequencies of the components is Hs^2 / 16. JONSWAP: w^-5 exp( -5/4 (wp/w)^4 ) gamma^b,
// b = exp( -( w/wp - 1 )^2 / ( 2 sigma^2 ) ), sigma 0.07 up to the peak and 0.09 beyond (Hasselmann et al. 1973).
double ds_waves_spectrum( const ds_waves *waves, double omega );

#endif

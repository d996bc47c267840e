// Four acoustic beams: where they look, and the velocity that they measure together. Shared by the DVL and the current profiler.

#ifndef DEEPSIM_SENSORS_BEAMS_H
#define DEEPSIM_SENSORS_BEAMS_H

#include "deepsim/dvl.h"
#include "deepsim/math.h"

// The table of ds_beams, and the choices of ds_array_kind.
extern const ds_table ds_beams_table;
extern const ds_choice ds_array_choices[2];

// The tables that ds_dvl_config_table() and its like return, for the types.
extern const ds_table ds_dvl_options, ds_dvl_readings, ds_adcp_options, ds_adcp_readings;

// Unit directions, their mean and the cosines between them, mount axes.
typedef struct ds_beam_set
{
	ds_vec3 direction[DS_BEAMS];
	ds_vec3 axis;
	double cosine[DS_BEAMS];
} ds_beam_set;

// DS_ERROR_RANGE for a beam of no length, one farther than 85 degrees from the mean, or four in one plane.
ds_status ds_beams_prepare( const ds_beams *beams, ds_beam_set *set );

// The speed of sound that an instrument reckons with: what it was told, else what it measures, else 1500 m/s; 0 is neither.
static inline double ds_beams_speed( double told, double measured )
{
	return told > 0 ? told : measured > 0 ? measured : 1500;
}

// Where the beams of an array look in water of a speed of sound: as the set says, or steered by the speed.
void ds_beams_look(
	int32_t array, const ds_vec3 direction[DS_BEAMS], ds_vec3 axis, double ratio, ds_vec3 out[DS_BEAMS] );

// The directions of a phased array where the speed of sound is `ratio` times that at which it looks as `set` says. The phase
// between its elements fixes sin(angle)/c: the part across the axis scales by the ratio.
void ds_beams_phased( const ds_vec3 direction[DS_BEAMS], ds_vec3 axis, double ratio, ds_vec3 out[DS_BEAMS] );

// What beams say together.
typedef struct ds_beam_solution
{
	bool valid; // three beams or more, not in one plane
	ds_vec3 velocity;
	double covariance[9];
	double error_velocity; // with four beams; 0 with three
	double error_variance; // of it
} ds_beam_solution;

// Least squares of direction . velocity = along, over the beams that are valid. `variance` is that of each `along`.
ds_beam_solution ds_beams_solve( const ds_vec3 direction[DS_BEAMS], const bool valid[DS_BEAMS],
	const double along[DS_BEAMS], const double variance[DS_BEAMS] );

#endif

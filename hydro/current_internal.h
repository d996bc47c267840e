// Inside currents: what a definition is made into.

#ifndef DEEPSIM_HYDRO_CURRENT_INTERNAL_H
#define DEEPSIM_HYDRO_CURRENT_INTERNAL_H

#include "hydro/current.h"
#include "hydro/ekman.h"

typedef struct ds_current_model
{
	ds_current_def def; // whose arrays are copies
	ds_vec3 axis; // jet, pipe: unit
	// power, ekman
	bool bed_varies; // by the setting's function
	double bed; // z, where it does not vary; INFINITY: none
	ds_ekman ekman;
	ds_ekman_column column; // where the bed does not vary
	const double *slopes; // profile: three a level [1/s]
	char name[40]; // gauss_markov: of its random numbers
} ds_current_model;

struct ds_currents
{
	ds_arena arena; // holds all of this, too
	ds_currents_setting setting;
	ds_vec3 uniform; // sum of the uniform ones
	int32_t space_count, time_count;
	ds_current_model *space; // those that vary in space, but not in time
	ds_current_model *time; // those that vary in time, but not in space
};

// The value of a model that varies in space, at a point.
ds_vec3 ds_current_place( const ds_currents *currents, const ds_current_model *model, ds_vec3 position );

// Random flow and its rate at a time >= 0 (before it, that of time 0).
//
// A stationary Ornstein-Uhlenbeck process per component, exact at knots of 1/64 of its correlation time T and straight
// between them. Knots are found from coarse to fine: independent normal values every 64 T (whose correlation, e^-64, is
// below rounding), then midpoints from the process's bridge: between values A and B at a distance 2h the mean is
// ( A + B )/( 2 cosh( h/T ) ) and the variance deviation^2 tanh( h/T ). Every value is a pure function of seed, model and
// knot: no state, whatever times are asked for in whatever order.
void ds_current_random( const ds_current_model *model, uint64_t seed, double time, ds_vec3 *velocity, ds_vec3 *rate );

// Monotone cubic slopes of a profile, three a level (Fritsch and Butland 1984, SIAM J. Sci. Stat. Comput. 5).
void ds_current_profile_slopes( const ds_current_level *levels, int64_t count, double *slopes );

#endif

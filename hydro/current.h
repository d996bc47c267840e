// Currents of the water: immutable lists of models, summed. The models themselves are ds_current_def.
//
// One query serves hulls, fins, thrusters and sensors alike. All is a pure function of the list, the place, the time and
// the seed, so nothing has to be saved; ds_currents_state keeps what is the same everywhere at one time.

#ifndef DEEPSIM_HYDRO_CURRENT_H
#define DEEPSIM_HYDRO_CURRENT_H

#include "base/base.h"
#include "deepsim/current.h"

typedef struct ds_currents ds_currents;

// What surrounds the currents. Zeroed: no seabed, the equator.
typedef struct ds_currents_setting
{
	double latitude; // of the origin [rad]
	bool has_bed; // false: a power or ekman current must have a bed of its own (ekman: or is infinitely deep)
	double bed_depth; // z of the bed [m], where there is no function
	// z of the bed at a place, smooth; NULL: bed_depth everywhere. Called by several threads at once.
	double ( *bed )( const void *user, double north, double east );
	const void *user;
} ds_currents_setting;

// The flow that is the same everywhere, at one time: plain data, and the seed of random currents. All but the seed only
// saves time: it never changes a result.
typedef struct ds_currents_state
{
	uint64_t seed;
	double time; // [s]; NaN: none
	ds_vec3 velocity, rate; // [m/s], [m/s2]
} ds_currents_state;

// The flow along the vertical through a point: u(z0 + s) = velocity + s gradient + s^2/2 curvature.
typedef struct ds_current_column
{
	ds_vec3 velocity; // [m/s]
	ds_vec3 gradient; // [1/s]
	ds_vec3 curvature; // [1/(m s)]
} ds_current_column;

// Checks and copies definitions. Errors: RANGE, NOT_FINITE, ARGUMENT, MEMORY; the sentence names the current by its index
// and model. `setting` may be NULL. A count of 0 is a list without flow.
ds_status ds_currents_create( const ds_allocator *allocator, const ds_current_def *defs, int64_t count,
	const ds_currents_setting *setting, ds_currents **currents );
void ds_currents_destroy( ds_currents *currents );

// Evaluates what is the same everywhere (tides, random currents) into the state, whose seed is kept. Queries at the
// state's time then do without; at other times they give the same result a little later. A state of NULL is seed 0.
void ds_currents_prepare( const ds_currents *currents, double time, ds_currents_state *state );

// Velocity of the water [m/s], world axes. `currents` NULL: none.
ds_vec3 ds_currents_at( const ds_currents *currents, const ds_currents_state *state, ds_vec3 position, double time );

// Material derivative Du/Dt = du/dt + ( u . grad ) u [m/s2]. Time by derivative; space by central differences along u, over
// 1 mm to either side: to 1e-6 of the shear times the speed, or better.
ds_vec3 ds_currents_acceleration(
	const ds_currents *currents, const ds_currents_state *state, ds_vec3 position, double time );

// The column about a point: it holds exactly at position and at `half_height` [m, > 0] above and below it.
void ds_currents_column( const ds_currents *currents, const ds_currents_state *state, ds_vec3 position, double time,
	double half_height, ds_current_column *column );

// Whether any of them depends on the place, on the depth, on the time.
bool ds_currents_vary_in_space( const ds_currents *currents );
bool ds_currents_vary_in_time( const ds_currents *currents );

#endif

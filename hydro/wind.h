// Wind over the sea, and its force on the dry faces of a mesh.
//
// A plain model, without a world. Axes north-east-down; heights above the surface are -z. SI units.
//
// The mean velocity at height h is that at 10 m, times 1 (uniform) or ln( h / z0 ) / ln( 10 / z0 ), 0 below z0
// (logarithmic, the law of the neutral surface layer). Gusts are three independent Ornstein-Uhlenbeck processes with standard
// deviations s_i and the autocorrelation exp( -t / T ), along and across the mean wind and along down; they have the
// same profile. Faces feel form and skin drag by the law of faces.h, with the density of air.

#ifndef DEEPSIM_HYDRO_WIND_H
#define DEEPSIM_HYDRO_WIND_H

#include "deepsim/types.h"
#include "deepsim/wind.h"
#include "hydro/faces.h"
#include "hydro/waves_patch.h"

// A wind, ready for use. Plain data, immutable.
typedef struct ds_wind
{
	ds_wind_def def;
	ds_vec3 along, across; // unit, level
	double log_scale; // 1 / ln( 10 / z0 )
	uint32_t key[2]; // of the random stream
} ds_wind;

// Errors: RANGE, NOT_FINITE.
ds_status ds_wind_create( const ds_wind_def *def, ds_wind *wind );

// What changes: plain data.
typedef struct ds_wind_state
{
	double gust[3]; // along, across, down [m/s]
	int64_t index; // of the next draw
} ds_wind_state;

// A state of the stationary process.
void ds_wind_start( const ds_wind *wind, ds_wind_state *state );

// Moves the gusts on by `dt` seconds, exactly: g exp( -dt/T ) + s sqrt( 1 - exp( -2 dt/T ) ) N( 0, 1 ).
void ds_wind_advance( const ds_wind *wind, double dt, ds_wind_state *state );

// Velocity of the air at a height above the surface, world axes [m/s].
ds_vec3 ds_wind_velocity( const ds_wind *wind, const ds_wind_state *state, double height );

// Velocity of the air at a point [m/s]; zero below the mean surface. Gusts are the same everywhere, at the state's time.
ds_vec3 ds_wind_at( const ds_wind *wind, const ds_wind_state *state, ds_vec3 position );

typedef struct ds_wind_forces
{
	ds_wrench drag; // body axes, about the reference point
	double dry_area; // [m2]
} ds_wind_forces;

// Form and skin drag of the dry parts of faces. `velocity` and `flow->rate` are those of the body in the world, in body
// axes; of `flow` only attitude, depth and rate are read. `patch` (NULL: flat water) says where the surface is.
void ds_faces_evaluate_wind( const ds_faces *faces, const ds_flow *flow, ds_vec3 velocity, const ds_wind *wind,
	const ds_wind_state *state, const ds_wave_patch *patch, ds_wind_forces *out );

#endif

// Inside core: the sea of a world, put together from the models of hydro/. Immutable and shared by clones; what changes is in
// ds_sea_state, plain data.

#ifndef DEEPSIM_SRC_SEA_H
#define DEEPSIM_SRC_SEA_H

#include "base/base.h"
#include "deepsim/world.h"
#include "hydro/column.h"
#include "hydro/current.h"
#include "hydro/waves_patch.h"
#include "hydro/wind.h"

#include <stdatomic.h>

typedef struct ds_sea
{
	atomic_int references;
	ds_hooks hooks;
	struct ds_sea *base; // owns column and currents; NULL: this one does
	uint64_t seed; // of the world, which waves and gusts follow
	ds_water_column *column; // NULL: no water
	ds_currents *currents; // NULL: none
	ds_terrain *terrain; // retained: the bed of currents; NULL: level, or none
	double bed_depth; // where the terrain has no ground, or is level [m]
	ds_waves *waves; // NULL: flat water
	ds_wind wind;
	bool has_wind;
	bool stratified, sheared, unsteady; // density changes with depth; currents with place; currents with place or time
	double gravity; // at the surface [m/s2]
	double surface_density; // [kg/m3]
	ds_vec3 earth_rate; // of the Earth, world axes [rad/s]; zero when it is switched off
	bool earth_rotation;
} ds_sea;

typedef struct ds_sea_state
{
	ds_wind_state wind;
} ds_sea_state;

// Checks an environment and makes its sea for a world's seed. Errors name the field.
ds_status ds_sea_create( const ds_hooks *hooks, const ds_environment_def *environment, uint64_t seed, ds_sea **sea );

// Puts the sea of another seed in the place of `*sea`, if it differs: the same water with other waves and gusts.
ds_status ds_sea_reseed( const ds_environment_def *environment, uint64_t seed, ds_sea **sea );
ds_sea *ds_sea_retain( ds_sea *sea );
void ds_sea_release( ds_sea *sea );

// z of the seabed [m]: of a terrain under the origin, or its middle where there is no ground.
double ds_sea_bed_depth( const ds_environment_def *environment );

// The state at the start of a run.
void ds_sea_start( const ds_sea *sea, ds_sea_state *state );

// Moves what is random in time on by a tick.
void ds_sea_advance( const ds_sea *sea, double dt, ds_sea_state *state );

// The water at a point. `seed` is the world's, of random currents.
void ds_sea_water( const ds_sea *sea, uint64_t seed, ds_vec3 position, double time, ds_water *water );

// The water around a body, for the forces of one tick.
typedef struct ds_surroundings
{
	ds_wave_patch waves;
	ds_current_column current; // about the reference point, world axes, without waves
	ds_vec3 velocity; // of the water at the reference point, waves included [m/s]
	ds_vec3 acceleration; // material derivative of the current, and of the waves [m/s2]
	ds_vec3 current_acceleration; // of the current alone
	ds_vec3 convective; // ( u . grad ) u of the waves, mean over the body; in `acceleration` too
	double density, density_gradient, density_curvature; // at the reference point, along z
} ds_surroundings;

// `half_height` [m]: how far above and below the point the body reaches.
void ds_sea_surround(
	const ds_sea *sea, uint64_t seed, ds_vec3 position, double half_height, double time, ds_surroundings *out );

#endif

// Echo sounder: the nearest return in a cone of rays, with noise, range and resolution. Runs without a world.

#ifndef DEEPSIM_SENSORS_ALTIMETER_H
#define DEEPSIM_SENSORS_ALTIMETER_H

#include "deepsim/altimeter.h"
#include "deepsim/field.h"
#include "deepsim/types.h"

#define DS_ALTIMETER_MAX_RAYS 256

extern const ds_table ds_altimeter_config_table;
extern const ds_table ds_altimeter_table;

// Directions of the rays, unit, mount axes: z along the beam. The first is the axis; the others lie on rings in the cone of full width
// `beam` [rad], the outermost on its edge, spread evenly. `count` of up to DS_ALTIMETER_MAX_RAYS.
void ds_altimeter_rays( double beam, int64_t count, ds_vec3 *directions );

// A reading from the true distance of the nearest return [m] (negative: none) in water of a speed of sound [m/s] (0: none), and a
// standard normal number: sound speed, noise, then the range, the resolution last.
void ds_altimeter_measure(
	const ds_altimeter_config *config, double distance, double sound_speed, double normal, ds_altimeter *reading );

#endif

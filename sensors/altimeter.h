// Echo sounder: tables, the rays of its cone, and a sample with the random number given.

#ifndef DEEPSIM_SENSORS_ALTIMETER_H
#define DEEPSIM_SENSORS_ALTIMETER_H

#include "deepsim/altimeter.h"
#include "deepsim/field.h"
#include "deepsim/types.h"

#define DS_ALTIMETER_MAX_RAYS 256

extern const ds_table ds_altimeter_options;
extern const ds_table ds_altimeter_readings;

// Directions of the rays, unit, mount axes: z along the beam. The first is the axis; the others lie on rings in the cone of full width
// `beam` [rad], the outermost on its edge, spread evenly. `count` of up to DS_ALTIMETER_MAX_RAYS.
void ds_altimeter_rays( double beam, int64_t count, ds_vec3 *directions );

// Slots of a sample's stream: normal and uniform numbers.
enum
{
	DS_ALTIMETER_WHITE, // normal
	DS_ALTIMETER_NORMALS
};
enum
{
	DS_ALTIMETER_DROPOUT, // uniform
	DS_ALTIMETER_OUTLIER,
	DS_ALTIMETER_ANYWHERE,
	DS_ALTIMETER_UNIFORMS
};

// A reading from the true distance of the nearest return [m] (negative: none) in water of a speed of sound [m/s] (0: none), and a
// standard normal number: sound speed, bias, noise, then the range, the resolution last. No dropouts and outliers.
void ds_altimeter_step(
	const ds_altimeter_config *config, double distance, double sound_speed, double normal, ds_altimeter *reading );

#endif

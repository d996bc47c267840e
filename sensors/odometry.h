// Odometry: the truth of a mount, with optional white noise. Runs without a world: feed it truth and standard normal
// numbers, get readings.

#ifndef DEEPSIM_SENSORS_ODOMETRY_H
#define DEEPSIM_SENSORS_ODOMETRY_H

#include "deepsim/field.h"
#include "deepsim/odometry.h"
#include "deepsim/types.h"

extern const ds_table ds_odometry_config_table;
extern const ds_table ds_odometry_table;

// Standard normal numbers that a reading takes, 3 each for position, attitude, linear and angular velocity. A channel
// always takes its own, so that one channel's noise does not change with another's parameter.
#define DS_ODOMETRY_NORMALS 12

typedef struct ds_odometry_truth
{
	ds_pose pose; // of the mount in the world
	ds_vec3 velocity; // of the mount, world axes [m/s]
	ds_vec3 rate; // mount axes [rad/s]
} ds_odometry_truth;

// True when a reading is the truth, and no normal numbers are needed.
bool ds_odometry_is_exact( const ds_odometry_config *config );

// One reading. Attitude noise is a rotation vector in mount axes, applied after the true rotation; the quaternion is as
// continuous as the truth's (its sign is not made unique). `normal` may be NULL: no noise.
void ds_odometry_measure( const ds_odometry_config *config, const ds_odometry_truth *truth,
	const double normal[DS_ODOMETRY_NORMALS], ds_odometry *reading );

#endif

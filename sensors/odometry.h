// Odometry: tables, and a reading with the errors given.

#ifndef DEEPSIM_SENSORS_ODOMETRY_H
#define DEEPSIM_SENSORS_ODOMETRY_H

#include "deepsim/field.h"
#include "deepsim/odometry.h"
#include "deepsim/types.h"

extern const ds_table ds_odometry_options;
extern const ds_table ds_odometry_readings;

// Standard normal numbers of the white noise of a reading, slots of its stream: 3 each for position, attitude, linear and angular
// velocity. A channel always takes its own, so that one channel's noise does not change with another's parameter. The steps of
// random walks and Gauss-Markov processes come after them.
#define DS_ODOMETRY_NORMALS 12

// True when a reading is the truth, and no normal numbers are needed.
bool ds_odometry_is_exact( const ds_odometry_config *config );

// A reading of the truth with white noise from `normal` (NULL: none), and slow errors (NULL: none) of the four channels.
void ds_odometry_step( const ds_odometry_config *config, const ds_odometry_truth *truth,
	const double normal[DS_ODOMETRY_NORMALS], const double slow[12], ds_odometry *reading );

#endif

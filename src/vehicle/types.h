// The plugin tables of the actuators of this folder: what puts the models into a world.

#ifndef DEEPSIM_VEHICLE_TYPES_H
#define DEEPSIM_VEHICLE_TYPES_H

#include "deepsim/plugin.h"

extern const ds_type ds_lamp_type;
extern const ds_type ds_thruster_type;
extern const ds_type ds_track_type;
extern const ds_type ds_wheel_type;

#endif

// Inside the library: the models of the actuators "track" and "wheel": what commands ask of running gear.

#ifndef DEEPSIM_VEHICLE_TRACK_H
#define DEEPSIM_VEHICLE_TRACK_H

#include "deepsim/field.h"
#include "deepsim/gear.h"
#include "deepsim/track.h"

extern const ds_table ds_track_config_table, ds_wheel_config_table, ds_track_table;

ds_gear ds_track_gear( const ds_track_config *config );
ds_gear ds_wheel_gear( const ds_wheel_config *config );

// What a command (ds_track_command) asks for; `torque`: the most that the motor gives.
ds_drive ds_track_drive( int32_t command, double value, double torque );

double ds_track_electric_power( double power, double efficiency );

void ds_track_report( const ds_gear_reading *gear, double command, double efficiency, ds_track *out );

#endif

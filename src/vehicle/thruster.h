// Thruster: a force along an axis, with limits, and the power it takes. Runs without a world.

#ifndef DEEPSIM_VEHICLE_THRUSTER_H
#define DEEPSIM_VEHICLE_THRUSTER_H

#include "deepsim/field.h"
#include "deepsim/thruster.h"

extern const ds_table ds_thruster_config_table;
extern const ds_table ds_thruster_table;

// The range of commands: -1 to 1, or -reverse to forward [N].
void ds_thruster_limits( const ds_thruster_config *config, double *minimum, double *maximum );

// What a command gives: thrust [N] along x, and electric power [W]. A normalised command is linear on each side of 0, to
// `forward` and to -`reverse`; a command beyond the limits gives the limit; a command of 0 gives exactly 0.
// Power goes with |thrust|^1.5, as the ideal power of an actuator disc in still water, T^1.5 / sqrt( 2 rho A ), does
// (momentum theory: Rankine 1865, Froude 1889), scaled to `power` at full forward thrust.
void ds_thruster_run( const ds_thruster_config *config, double command, ds_thruster *out );

#endif

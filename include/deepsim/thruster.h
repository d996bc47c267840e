// libdeepsim: the actuator "thruster": a force along the x axis of its mount.

#ifndef DEEPSIM_THRUSTER_H
#define DEEPSIM_THRUSTER_H

#include <stdint.h>

// What a thruster's command means.
typedef enum ds_thruster_command
{
	DS_THRUSTER_NORMALIZED, // -1 (reverse) to 1 (forward)
	DS_THRUSTER_FORCE // newtons
} ds_thruster_command;

typedef struct ds_thruster_config
{
	double forward; // most it pushes forward [N]
	double reverse; // most it pushes backward [N], a positive number
	int32_t command; // ds_thruster_command
	double power; // electric power at full forward thrust [W], drawn in proportion to |thrust|^1.5
} ds_thruster_config;

// What it reports.
typedef struct ds_thruster
{
	double command; // in force, in the command's unit
	double thrust; // along x of the mount [N]
	double power; // electric [W]
} ds_thruster;

#endif

// libdeepsim: the actuators "track" and "wheel": running gear that presses on soil, driven by a motor. The world lets them touch the
// ground (deepsim/gear.h); without soil they turn in the water and push nothing.
//
// Mount: x forward, y along the axle to starboard, z down; its origin is the middle of the gear.

#ifndef DEEPSIM_TRACK_H
#define DEEPSIM_TRACK_H

#include <stdint.h>

// What a command means.
typedef enum ds_track_command
{
	DS_TRACK_SPEED, // of the belt, or of the wheel's rim, forward [m/s]
	DS_TRACK_TORQUE, // of the motor about the axle, forward [N m]
	DS_TRACK_FREE // no command: it rolls
} ds_track_command;

// A belt about two wheels.
typedef struct ds_track_config
{
	double length; // between the centres of its ends [m]
	double radius; // of its ends, to the outside of the belt [m]
	double width; // [m]
	double grouser_height; // [m]; 0: smooth
	int32_t command; // ds_track_command
	double speed; // most that a command may ask for, either way [m/s]
	double torque; // most that the motor gives about the axle, either way [N m]
	double efficiency; // mechanical power over electric power
	double mass; // that comes with it, at the mount [kg]; 0: the body's mass holds it
	double inertia; // of all that turns, about the axle [kg m2]
	double drag_torque; // of bearings and belt, at any speed [N m]
	double drag_per_speed; // [N m s/rad]
	int64_t pads, lanes; // pieces around it and across it
} ds_track_config;

typedef struct ds_wheel_config
{
	double radius; // [m]
	double width; // [m]
	double grouser_height; // [m]; 0: smooth
	double steer; // most that it is turned about z, either way [rad]; 0: it has no steering, and its command one number
	int32_t command; // ds_track_command
	double speed; // most that a command may ask for, either way [m/s]
	double torque; // most that the motor gives about the axle, either way [N m]
	double efficiency; // mechanical power over electric power
	double mass; // that comes with it, at the mount [kg]; 0: the body's mass holds it
	double inertia; // of all that turns, about the axle [kg m2]
	double drag_torque; // of bearings, at any speed [N m]
	double drag_per_speed; // [N m s/rad]
	int64_t pads, lanes; // pieces around it and across it
} ds_wheel_config;

// What either reports: means over the last tick, in the axes of the mount (steered, for a wheel).
typedef struct ds_track
{
	double command; // in force [m/s], [N m]
	double speed; // of the belt or the rim against the body, forward [m/s]
	double ground_speed; // of the mount over the ground, along x [m/s]
	double slip; // ( speed - ground_speed ) / the greater of both by size
	double slip_angle; // between the way over the ground and x [rad]
	double sinkage; // greatest [m]
	double normal_force; // [N]
	double drawbar_pull; // of the ground, forward: traction - resistance [N]
	double traction; // of it, by shear [N]
	double resistance; // of it, by pressure, backward [N]
	double side_force; // of the ground, to starboard [N]
	double torque; // of the motor [N m]
	double power; // of the motor, mechanical [W]
	double electric_power; // [W]
	double contact_area; // projected on the ground [m2]
} ds_track;

#endif

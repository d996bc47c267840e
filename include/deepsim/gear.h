// libdeepsim: running gear: belts and wheels that press on soil. An actuator has some by naming it in its ds_layout; the world lets it
// touch the ground with the body, in steps shorter than a tick, and turns it. Sources: Wong 2008, chapters 2 and 4.
//
// Frame of the gear: the mount's. x forward, y along the axle to starboard, z down; the mount's origin is the middle of the gear.

#ifndef DEEPSIM_GEAR_H
#define DEEPSIM_GEAR_H

#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_gear_kind
{
	DS_GEAR_WHEEL, // a cylinder about y
	DS_GEAR_BELT // a belt about two wheels, `length` apart along x
} ds_gear_kind;

typedef struct ds_gear
{
	int32_t kind; // ds_gear_kind
	double radius; // to the surface, less grousers; belt: of its ends [m]. Speeds of the surface are those here
	double width; // [m]
	double length; // belt: between the centres of its ends [m]
	double grouser_height; // [m]; 0: smooth
	double inertia; // of all that turns, about the wheel's axle [kg m2]
	double drag_torque; // of the bearings, at any speed [N m]
	double drag_per_speed; // [N m s/rad]
	int64_t pads; // pieces around the whole gear
	int64_t lanes; // pieces across it
} ds_gear;

typedef enum ds_drive_mode
{
	DS_DRIVE_FREE, // rolls
	DS_DRIVE_SPEED, // the motor holds a speed, with at most its torque
	DS_DRIVE_TORQUE
} ds_drive_mode;

// What an actuator asks of its gear in a tick (ds_effort).
typedef struct ds_drive
{
	int64_t mode; // ds_drive_mode; as wide as the rest, so that no byte between members is unset
	double speed; // of the surface, positive: forward [m/s]
	double torque; // about the axle, positive: forward; speed mode: the most it gives [N m]
	double steer; // turn of the gear about z of the mount [rad]
} ds_drive;

// What running gear did in the last tick: means over it.
typedef struct ds_gear_reading
{
	double speed; // of the surface against the body, forward [m/s], at the end of the tick
	double angle; // turned since the start of the run [rad]
	double ground_speed; // of the mount along x, over the ground [m/s]
	double slip; // ( speed - ground_speed ) / the greater of both by size; 0 at rest
	double slip_angle; // between the way over ground and x [rad]
	double sinkage; // greatest [m]
	double normal_force; // [N]
	double drawbar_pull; // all that the ground does, along x, forward [N]
	double traction; // of it, shear that pushes along the surface's way [N]
	double resistance; // of it, what pressure holds back: traction - drawbar pull [N]
	double side_force; // along y [N]
	double torque; // of the motor [N m]
	double power; // of the motor, mechanical [W]
	double contact_area; // projected [m2]
} ds_gear_reading;

#ifdef __cplusplus
}
#endif

#endif

// libdeepsim: joints between two bodies, or a body and the world.

#ifndef DEEPSIM_JOINT_H
#define DEEPSIM_JOINT_H

#include "deepsim/body.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_joint_kind
{
	DS_JOINT_FIXED,
	DS_JOINT_HINGE, // turns about the x axis of its frame
	DS_JOINT_SLIDER, // slides along the x axis of its frame
	DS_JOINT_BALL
} ds_joint_kind;

// Start from ds_joint_def_default().
typedef struct ds_joint_def
{
	uint32_t struct_size;
	char name[DS_NAME_SIZE];
	int32_t kind; // ds_joint_kind
	ds_id body_a; // DS_NO_ID: the world
	ds_id body_b;
	ds_pose frame; // of the joint in the frame of body a (or the world)
	bool limited; // hinge, slider
	double lower, upper; // [rad] or [m]
	double motor_velocity; // target [rad/s] or [m/s]
	double motor_force; // most the motor gives [N m] or [N]; 0: no motor
} ds_joint_def;

DS_API ds_joint_def ds_joint_def_default( void );

// Joins two bodies as they stand now: position 0 of a hinge or slider is the pose at creation.
DS_API ds_status ds_joint_create( ds_world *world, const ds_joint_def *def, ds_id *joint );
DS_API ds_status ds_joint_destroy( ds_world *world, ds_id joint );

// Sets the motor of a hinge or slider; a force of 0 switches it off.
DS_API ds_status ds_joint_set_motor( ds_world *world, ds_id joint, double velocity, double force );

typedef struct ds_joint_state
{
	double position; // hinge [rad], slider [m]; 0 for others
	double velocity;
} ds_joint_state;

DS_API ds_status ds_joint_state_get( const ds_world *world, ds_id joint, ds_joint_state *state );

#ifdef __cplusplus
}
#endif

#endif

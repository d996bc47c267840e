// Inside the library: the elements of running gear, and how it turns. A plain model, without a world.
//
// Pads go round with the surface: a pad's shear history is its own, starts anew when it comes down onto the ground, and grows on its
// way under the gear. Grousers: pads press and shear the soil at their tips, and it shears at the sides of the gear too.
//
// A step of a body with running gear:
//   ds_gear_place, ds_contact_press      wrench, and what holds the gear back
//   ds_gear_turn, (the caller moves the body)
//   ds_contact_commit                    with elements.speed = the mean of the speeds before and after
//   ds_gear_carry, ds_gear_reading_add

#ifndef DEEPSIM_TERRAIN_GEAR_H
#define DEEPSIM_TERRAIN_GEAR_H

#include "deepsim/gear.h"
#include "terrain/contact.h"

// All that changes besides the elements' state.
typedef struct ds_gear_state
{
	double speed; // of the surface at `radius` [m/s]
	double travel; // of the surface, within the length of its way [m]
	double angle; // turned since the start [rad]
	double torque; // of the motor in the last step [N m]
	double turn; // turned in the last step [rad]
} ds_gear_state;

// Errors: RANGE, NOT_FINITE with the field's name, LIMIT.
ds_status ds_gear_check( const ds_gear *gear );
int32_t ds_gear_elements( const ds_gear *gear ); // pads * lanes, pad by pad, then those of the sides
double ds_gear_way( const ds_gear *gear ); // length once around [m]

// Room for the elements' numbers: ds_gear_room( gear ) doubles.
size_t ds_gear_room( const ds_gear *gear );

// Places the elements for a step: `mount` is the pose of the gear's frame in body axes about the reference point (steer included).
// `elements` points into `room`. `sides`: with those of the sides, which only soil that is bulldozed needs.
void ds_gear_place( const ds_gear *gear, const ds_gear_state *state, const ds_pose *mount, bool sides, double *room,
	ds_elements *elements );

// The ground's torque about the axle, positive where it holds a forward turning gear back [N m].
double ds_gear_load( const ds_gear *gear, const ds_contact_forces *forces );

// Turns the gear over a step: `load` as above. The result: speed, travel, angle, torque, turn.
// For the commit set the elements' speed to the mean of the speeds before and after: then the gear gains no energy by the step.
void ds_gear_turn( const ds_gear *gear, const ds_drive *drive, double load, double dt, ds_gear_state *state );

// After a commit and a turn: pads carry their shear round with them, and hand their pressure on to what is now where they
// were over the ground: shear belongs to the surface, pressure to the soil. `before`: the state that the elements were placed for;
// `mount` as then; `velocity`: of the mount's origin over the ground, its mean in the step, axes of the mount [m/s].
void ds_gear_carry( const ds_gear *gear, const ds_gear_state *before, const ds_pose *mount, ds_vec3 velocity, double dt,
	const ds_gear_state *state, ds_element_block *elements );

// Adds a step's contact to a reading; ds_gear_reading_finish makes means and ratios. `mount_world`: of the gear's frame;
// `velocity`: of its origin over the ground, world axes.
void ds_gear_reading_add( const ds_gear *gear, const ds_gear_state *state, const ds_contact_sums *sums,
	const ds_pose *mount_world, ds_vec3 velocity, double dt, ds_gear_reading *reading );
void ds_gear_reading_finish( const ds_gear_state *state, double time, ds_gear_reading *reading );

#endif

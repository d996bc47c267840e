// libdeepsim: actuators, forces and controllers of a world: registered types that push bodies or command what pushes them.

#ifndef DEEPSIM_ACTUATOR_H
#define DEEPSIM_ACTUATOR_H

#include "deepsim/sensor.h"
#include "deepsim/thruster.h"

#ifdef __cplusplus
extern "C"
{
#endif

// Actuators and forces. Start from ds_actuator_def_default().
typedef struct ds_actuator_def
{
	uint32_t struct_size;
	char name[DS_NAME_SIZE];
	char type[DS_NAME_SIZE];
	ds_id body;
	ds_pose mount; // of the actuator frame in the body frame
	double
		rate; // its own readings a second (thrust, level, ...), for types that have any [Hz]; 0: 10, or the world's rate
	const void *config; // as the type's config table says; NULL: its defaults
	ds_input_def inputs[DS_MAX_INPUTS];
	int32_t input_count;
} ds_actuator_def;

DS_API ds_actuator_def ds_actuator_def_default( void );

DS_API ds_status ds_actuator_create( ds_world *world, const ds_actuator_def *def, ds_id *actuator );
DS_API ds_status ds_actuator_destroy( ds_world *world, ds_id actuator );

// The same for registered force models, which take no commands.
DS_API ds_status ds_force_create( ds_world *world, const ds_actuator_def *def, ds_id *force );
DS_API ds_status ds_force_destroy( ds_world *world, ds_id force );

// Sets the command: `n` numbers in the type's units, from the next tick on. DS_ERROR_RANGE and _NOT_FINITE leave the old one.
DS_API ds_status ds_actuator_set( ds_world *world, ds_id actuator, const double *values, int32_t n );

// The command in force; `n` is the room in `values` and must be enough.
DS_API ds_status ds_actuator_command( const ds_world *world, ds_id actuator, double *values, int32_t n );

// What an actuator or a force did in the last tick.
DS_API ds_status ds_actuator_effort( const ds_world *world, ds_id actuator, ds_effort *effort );

// A controller: reads inputs and commands actuators at its own rate. Start from ds_controller_def_default().
typedef struct ds_controller_def
{
	uint32_t struct_size;
	char name[DS_NAME_SIZE];
	char type[DS_NAME_SIZE];
	ds_id body; // what "truth" in its context is; DS_NO_ID: no body, the truth is zero
	double rate; // [Hz], not above the world's; 0: the world's
	double offset; // time of the first run [s]
	const void *config;
	ds_input_def inputs[DS_MAX_INPUTS];
	int32_t input_count;
	char outputs[DS_MAX_INPUTS][DS_NAME_SIZE]; // actuators that it commands
	int32_t output_count;
} ds_controller_def;

DS_API ds_controller_def ds_controller_def_default( void );

DS_API ds_status ds_controller_create( ds_world *world, const ds_controller_def *def, ds_id *controller );
DS_API ds_status ds_controller_destroy( ds_world *world, ds_id controller );

#ifdef __cplusplus
}
#endif

#endif

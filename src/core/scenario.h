// Inside the library: what a scenario is once it is read. Filled by src/io/scenario*.c, consumed by world creation.

#ifndef DEEPSIM_SRC_SCENARIO_H
#define DEEPSIM_SRC_SCENARIO_H

#include "base/base.h"
#include "deepsim/actuator.h"
#include "deepsim/joint.h"
#include "deepsim/world.h"

#include <stdatomic.h>

// Parts refer to bodies by index into `bodies` (-1: the world, or none); the ids in the definitions are filled when a
// world is made.
typedef struct ds_scenario_sensor
{
	ds_sensor_def def; // config points into the arena
	int32_t body;
} ds_scenario_sensor;

typedef struct ds_scenario_actuator
{
	ds_actuator_def def;
	int32_t body;
} ds_scenario_actuator;

typedef struct ds_scenario_controller
{
	ds_controller_def def;
	int32_t body;
} ds_scenario_controller;

typedef struct ds_scenario_joint
{
	ds_joint_def def;
	int32_t body_a, body_b;
} ds_scenario_joint;

// One entry of the command timeline, sorted by time (stable).
typedef struct ds_scenario_command
{
	double t; // [s]
	int32_t actuator; // index into `actuators`
	int32_t count;
	double values[DS_MAX_COMMANDS];
} ds_scenario_command;

struct ds_scenario
{
	atomic_int references;
	ds_registry *registry; // retained
	ds_hooks hooks;
	ds_arena arena;
	const char *name, *path, *json;
	double duration, rate;
	int32_t threads;
	uint64_t seed;
	ds_environment_def environment;
	ds_body_def *bodies; // meshes are retained
	ds_scenario_joint *joints;
	ds_scenario_actuator *actuators;
	ds_scenario_sensor *sensors;
	ds_scenario_actuator *forces;
	ds_scenario_controller *controllers;
	ds_scenario_command *commands;
	int32_t body_count, joint_count, actuator_count, sensor_count, force_count, controller_count, command_count;
};

#endif

// The tables of a scenario, but for the body's (scenario_body.c).

#include "io/scenario_tables.h"

#include "base/tasks.h"
#include "deepsim/math.h"
#include "io/scenario_fields.h"

#include <stdio.h>
#include <string.h>

// ---- poses -------------------------------------------------------------------------------------------------------

static const ds_field pose_fields[] = {
	DS_F64( ds_file_pose, position, "m", "[0, 0, 0]", 0, 0, "x, y, z in the parent frame" ),
	DS_ANGLE( ds_file_pose, rpy, "[0, 0, 0]", 0, 0, "roll, pitch, yaw (ZYX)" ),
};
const ds_table ds_file_pose_table =
	TABLE_OF( "pose", "where a frame lies in its parent", ds_file_pose, pose_fields, NULL );

ds_pose ds_file_pose_get( const ds_file_pose *pose )
{
	ds_pose result;
	result.position = ds_v3( pose->position[0], pose->position[1], pose->position[2] );
	result.attitude = ds_quat_from_rpy( ds_v3( pose->rpy[0], pose->rpy[1], pose->rpy[2] ) );
	return result;
}

// ---- origin and environment --------------------------------------------------------------------------------------

static bool is_date( const char *text )
{
	int year, month, day, hour, minute, second, end = 0;
	static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int got = sscanf( text, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour, &minute, &second, &end );
	if ( got != 6 || end != 20 || text[20] != 0 || strpbrk( text, "+ " ) )
	{
		return false;
	}
	bool leap = ( year % 4 == 0 && year % 100 != 0 ) || year % 400 == 0;
	return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] && ( leap || month != 2 || day <= 28 ) &&
		   hour <= 23 && hour >= 0 && minute >= 0 && minute <= 59 && second >= 0 && second <= 60 && year >= 1;
}

static ds_status check_origin( const void *value )
{
	const char *date = ( (const ds_file *)value )->environment.date;
	return is_date( date ) ? DS_OK
						   : ds_error( DS_ERROR_FORMAT,
								 "\"date\" must be UTC as in \"2026-06-01T00:00:00Z\" (ISO 8601), got \"%s\"", date );
}

static const ds_field origin_fields[] = {
	F64_FLAGS( "latitude", DS_FIELD_ANGLE, ds_file, environment.latitude, 1, "rad", "0", -90, 90, "north, WGS-84" ),
	F64_FLAGS( "longitude", DS_FIELD_ANGLE, ds_file, environment.longitude, 1, "rad", "0", -180, 180, "east, WGS-84" ),
	NAME_AT( "date", 0, ds_file, environment.date, "\"2026-01-01T00:00:00Z\"", "time 0 of the run, UTC, ISO 8601" ),
};
static const ds_table origin_table = TABLE_OF(
	"origin", "where the local North-East-Down frame touches the Earth", ds_file, origin_fields, check_origin );

// ---- joints ------------------------------------------------------------------------------------------------------

static const ds_choice joint_kinds[] = {
	{ DS_JOINT_FIXED, DS_FORM_NAME, "fixed", NULL, NULL, "welds the bodies" },
	{ DS_JOINT_HINGE, DS_FORM_NAME, "hinge", NULL, NULL, "turns about the x axis of its frame" },
	{ DS_JOINT_SLIDER, DS_FORM_NAME, "slider", NULL, NULL, "slides along the x axis of its frame" },
	{ DS_JOINT_BALL, DS_FORM_NAME, "ball", NULL, NULL, "turns about every axis" },
};
static const ds_field joint_world_fields[] = { NAME_AT( "body_a", 0, ds_file_joint, body_a, "\"\"", "a body" ) };
static const ds_table joint_world_table = TABLE_OF( "body", "", ds_file_joint, joint_world_fields, NULL );
static const ds_choice joint_bodies[] = {
	{ 0, DS_FORM_NULL, "world", NULL, NULL, "the world" },
	{ 1, DS_FORM_STRING, "name of a body", NULL, &joint_world_table, "a body" },
};
static const ds_field limits_fields[] = { F64_AT(
	"limits", ds_file_joint, limits, 2, "m", "[0, 0]", -1e6, 1e6, "lower, upper" ) };
static const ds_field angles_fields[] = { F64_FLAGS(
	"limits", DS_FIELD_ANGLE, ds_file_joint, angles, 2, "rad", "[0, 0]", -180, 180, "lower, upper" ) };
static const ds_table limits_table = TABLE_OF( "limits", "", ds_file_joint, limits_fields, NULL );
static const ds_table angles_table = TABLE_OF( "limits", "", ds_file_joint, angles_fields, NULL );
static const ds_choice limits[] = {
	{ 0, DS_FORM_NULL, "none", NULL, NULL, "no limits" },
	{ 1, DS_FORM_ARRAY, "limits", NULL, &limits_table, "lower, upper" },
};
static const ds_choice angles[] = {
	{ 0, DS_FORM_NULL, "none", NULL, NULL, "no limits" },
	{ 1, DS_FORM_ARRAY, "limits", NULL, &angles_table, "lower, upper" },
};
static const ds_field motor_fields[] = {
	F64_AT( "velocity", ds_file_joint, motor_velocity, 1, "rad/s or m/s", "0", -1e6, 1e6, "target" ),
	F64_FLAGS( "force", DS_FIELD_REQUIRED, ds_file_joint, motor_force, 1, "N m or N", NULL, 0, 1e12, "most it gives" ),
};
static const ds_table motor_table = TABLE_OF( "motor", "", ds_file_joint, motor_fields, NULL );
static const ds_choice motors[] = {
	{ 0, DS_FORM_NULL, "none", NULL, NULL, "no motor" },
	{ 1, DS_FORM_OBJECT, "motor", NULL, &motor_table, "drives a hinge or a slider" },
};

static ds_status check_joint( const void *value )
{
	const ds_file_joint *j = value;
	if ( j->limits_kind && j->kind != DS_JOINT_SLIDER )
	{
		return ds_error( DS_ERROR_TYPE, "\"limits\" [m] are for sliders%s",
			j->kind == DS_JOINT_HINGE ? "; a hinge has \"limits_deg\"" : "" );
	}
	if ( j->limits_deg_kind && j->kind != DS_JOINT_HINGE )
	{
		return ds_error( DS_ERROR_TYPE, "\"limits_deg\" are for hinges%s",
			j->kind == DS_JOINT_SLIDER ? "; a slider has \"limits\" [m]" : "" );
	}
	if ( j->motor_kind && j->kind != DS_JOINT_HINGE && j->kind != DS_JOINT_SLIDER )
	{
		return ds_error( DS_ERROR_TYPE, "only hinges and sliders have motors" );
	}
	if ( j->limits[0] > j->limits[1] || j->angles[0] > j->angles[1] )
	{
		return ds_error( DS_ERROR_RANGE, "the lower limit is above the upper one" );
	}
	return DS_OK;
}

static const ds_field joint_fields[] = {
	NAME_AT( "name", DS_FIELD_REQUIRED, ds_file_joint, name, NULL, "unique among joints" ),
	CHOICE_AT( "type", DS_FIELD_ENUM, DS_FIELD_REQUIRED, ds_file_joint, kind, joint_kinds, NULL, "kind of joint" ),
	VARIANT_AT( "body_a", ds_file_joint, body_a_kind, joint_bodies, "null", "first body, or the world" ),
	NAME_AT( "body_b", DS_FIELD_REQUIRED, ds_file_joint, body_b, NULL, "second body" ),
	STRUCT_AT( "frame", 0, offsetof( ds_file_joint, frame ), &ds_file_pose_table,
		"of the joint in the first body (or the world)" ),
	VARIANT_AT( "limits", ds_file_joint, limits_kind, limits, "null", "slider: lower, upper" ),
	VARIANT_AT( "limits_deg", ds_file_joint, limits_deg_kind, angles, "null", "hinge: lower, upper" ),
	VARIANT_AT( "motor", ds_file_joint, motor_kind, motors, "null", "of a hinge or a slider" ),
};
static const ds_table joint_table =
	TABLE_OF( "joint", "joins two bodies as they stand at time 0", ds_file_joint, joint_fields, check_joint );

// ---- sensors, actuators, forces, controllers -----------------------------------------------------------------------

static const ds_field rate_fields[] = { F64_AT( "rate", ds_file_part, rate, 1, "Hz", "1", 0.001, 10000, "given" ) };
static const ds_table rate_table = TABLE_OF( "rate", "", ds_file_part, rate_fields, NULL );
static const ds_choice rates[] = {
	{ 0, DS_FORM_NULL, "every tick", NULL, NULL, "that of the world" },
	{ 1, DS_FORM_NUMBER, "rate", NULL, &rate_table, "not above the world's" },
};

#define PART_NAME                                                                                                      \
	NAME_AT( "name", DS_FIELD_REQUIRED, ds_file_part, name, NULL,                                                      \
		"unique among sensors, actuators, forces and controllers" )
#define PART_TYPE    NAME_AT( "type", DS_FIELD_REQUIRED, ds_file_part, type, NULL, "a registered type" )
#define PART_BODY    NAME_AT( "body", DS_FIELD_REQUIRED, ds_file_part, body, NULL, "what it is mounted on" )
#define PART_CONFIG  RAW_AT( "config", ds_file_part, config, NULL, "options of the type" )
#define PART_INPUTS  RAW_AT( "inputs", ds_file_part, inputs, NULL, "other parts' readings: { name here: part }" )
#define PART_OUTPUTS RAW_AT( "outputs", ds_file_part, outputs, NULL, "names of the actuators it commands" )
#define PART_RATE    VARIANT_AT( "rate", ds_file_part, rate_kind, rates, "null", "samples a second" )
#define PART_OFFSET  F64_AT( "offset", ds_file_part, offset, 1, "s", "0", 0, 1e9, "time of the first sample" )
#define PART_MOUNT                                                                                                     \
	STRUCT_AT( "mount", 0, offsetof( ds_file_part, mount ), &ds_file_pose_table, "its frame in the body frame" )

static const ds_field sensor_fields[] = {
	PART_NAME,
	PART_TYPE,
	PART_BODY,
	PART_MOUNT,
	PART_RATE,
	PART_OFFSET,
	F64_AT(
		"latency", ds_file_part, latency, 1, "s", "0", 0, 1e6, "from when a sample is valid to when it is available" ),
	DS_I64( ds_file_part, queue, "", "16", 1, 1000000, "readings kept for readers that come late" ),
	PART_INPUTS,
	PART_CONFIG,
};
static const ds_choice own_rates[] = {
	{ 0, DS_FORM_NULL, "seldom", NULL, NULL, "10 Hz, or that of the world if that is lower" },
	{ 1, DS_FORM_NUMBER, "rate", NULL, &rate_table, "not above the world's" },
};
static const ds_field actuator_fields[] = {
	PART_NAME,
	PART_TYPE,
	PART_BODY,
	PART_MOUNT,
	VARIANT_AT( "rate", ds_file_part, rate_kind, own_rates, "null", "its own readings a second, if its type has any" ),
	PART_INPUTS,
	PART_CONFIG,
};
static const ds_field controller_fields[] = {
	PART_NAME,
	PART_TYPE,
	NAME_AT( "body", 0, ds_file_part, body, "\"\"", "whose truth it may see; \"\": none" ),
	PART_RATE,
	PART_OFFSET,
	PART_INPUTS,
	PART_OUTPUTS,
	PART_CONFIG,
};
static const ds_table sensor_table = TABLE_OF( "sensor", "a sensor on a body", ds_file_part, sensor_fields, NULL );
static const ds_table actuator_table =
	TABLE_OF( "actuator", "an actuator on a body", ds_file_part, actuator_fields, NULL );
static const ds_table force_table = TABLE_OF( "force", "a force model on a body", ds_file_part, actuator_fields, NULL );
static const ds_table controller_table =
	TABLE_OF( "controller", "reads parts and commands actuators", ds_file_part, controller_fields, NULL );

// ---- commands ----------------------------------------------------------------------------------------------------

static const ds_field value_fields[] = { F64_AT( "value", ds_file_command, value, 1, "", "0", 0, 0, "the command" ) };
static const ds_field values_fields[] = { { "value", DS_FIELD_ARRAY, 0, offsetof( ds_file_command, values ), 1,
	sizeof( double ), "", "[]", 0, 0, "the command", NULL, NULL, 0, DS_ELEMENT_F64 } };
static const ds_table value_table = TABLE_OF( "value", "", ds_file_command, value_fields, NULL );
static const ds_table values_table = TABLE_OF( "numbers", "", ds_file_command, values_fields, NULL );
static const ds_choice values[] = {
	{ 0, DS_FORM_NUMBER, "number", NULL, &value_table, "one number" },
	{ 1, DS_FORM_ARRAY, "numbers", NULL, &values_table, "as many as the actuator takes" },
};
static const ds_field command_fields[] = {
	F64_FLAGS( "t", DS_FIELD_REQUIRED, ds_file_command, t, 1, "s", NULL, 0, 1e9, "when" ),
	NAME_AT( "actuator", DS_FIELD_REQUIRED, ds_file_command, actuator, NULL, "what is commanded" ),
	CHOICE_AT( "value", DS_FIELD_VARIANT, DS_FIELD_REQUIRED, ds_file_command, value_kind, values, NULL,
		"the command, in the units of the actuator" ),
};
static const ds_table command_table =
	TABLE_OF( "command", "an entry of the timeline", ds_file_command, command_fields, NULL );

// ---- the whole file ----------------------------------------------------------------------------------------------

ds_status ds_file_tables_make( ds_arena *arena, ds_file_tables **tables )
{
	void *memory;
	*tables = NULL;
	DS_TRY( ds_arena_new( arena, sizeof( ds_file_tables ), &memory ) );
	ds_file_tables *t = memory;
	DS_TRY( ds_file_body_table( arena, &t->body ) );
	DS_TRY( ds_file_environment_make( arena, &t->environment, &t->seabed ) );
	t->joint = joint_table;
	t->sensor = sensor_table;
	t->actuator = actuator_table;
	t->force = force_table;
	t->controller = controller_table;
	t->command = command_table;

	const ds_field fields[] = {
		{ "deepsim", DS_FIELD_I64, DS_FIELD_REQUIRED, offsetof( ds_file, deepsim ), 1, 0, "", NULL, 0, 0,
			"version of the file format: 1", NULL, NULL, 0, DS_ELEMENT_NONE },
		DS_STRING( ds_file, name, "\"scenario\"", "of the run" ),
		DS_F64( ds_file, duration, "s", "60", 0, 1e9, "simulated time" ),
		DS_F64( ds_file, rate, "Hz", "200", 1, 100000, "ticks a second" ),
		DS_I64( ds_file, seed, "", "0", 0, 18446744073709551615.0,
			"of all randomness; from 2^53 on as a string of digits" ),
		DS_I64( ds_file, threads, "", "1", 1, DS_MAX_THREADS,
			"that share the work of cameras; results do not depend on it" ),
		RAW_AT( "include", ds_file, include, NULL, "files to take in: paths, or {file, prefix, pose, set}" ),
		RAW_AT( "plugins", ds_file, plugins, NULL, "shared objects with more types" ),
		STRUCT_AT( "origin", 0, 0, &origin_table, "of the local frame" ),
		STRUCT_AT( "environment", 0, 0, &t->environment, "what surrounds the bodies" ),
		ARRAY_AT( "bodies", ds_file, bodies, ds_file_body, &t->body, "rigid bodies" ),
		ARRAY_AT( "joints", ds_file, joints, ds_file_joint, &t->joint, "between bodies" ),
		ARRAY_AT( "actuators", ds_file, actuators, ds_file_part, &t->actuator, "what pushes bodies" ),
		ARRAY_AT( "sensors", ds_file, sensors, ds_file_part, &t->sensor, "what measures" ),
		ARRAY_AT( "forces", ds_file, forces, ds_file_part, &t->force, "registered force models" ),
		ARRAY_AT( "controllers", ds_file, controllers, ds_file_part, &t->controller, "what commands actuators" ),
		ARRAY_AT( "commands", ds_file, commands, ds_file_command, &t->command, "timeline of commands" ),
	};
	DS_TRY( ds_arena_new( arena, sizeof( fields ), &memory ) );
	memcpy( memory, fields, sizeof( fields ) );
	const ds_table file = { "scenario", "a scenario", sizeof( ds_file ), memory, DS_COUNT( fields ), NULL, NULL, 0 };
	t->file = file;
	*tables = t;
	return DS_OK;
}

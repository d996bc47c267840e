#include "vehicle/track.h"

#include <math.h>

static const ds_choice commands[] = {
	{ DS_TRACK_SPEED, DS_FORM_NAME, "speed", NULL, NULL, "speed of belt or rim [m/s], held with at most `torque`" },
	{ DS_TRACK_TORQUE, DS_FORM_NAME, "torque", NULL, NULL, "torque of the motor about the axle [N m]" },
	{ DS_TRACK_FREE, DS_FORM_NAME, "free", NULL, NULL,
		"it rolls freely; the command does nothing but must be given as 0" },
};

#define POSITIVE( struct_, member, unit_, initial_, maximum_, doc_ )                                                   \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( struct_, member ), 1, 0, unit_, initial_, 0,      \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}

// Grousers, motor, what turns: the same for both.
#define GROUSERS( struct_ ) DS_F64( struct_, grouser_height, "m", "0", 0, 1, "of grousers; 0: smooth" )
#define MOTOR( struct_, speed_, torque_, inertia_ )                                                                    \
	DS_ENUM( struct_, command, commands, "\"speed\"", "what a command means" ),                                        \
		POSITIVE( struct_, speed, "m/s", speed_, 100, "most that a command may ask for, either way" ),                 \
		DS_F64( struct_, torque, "N m", torque_, 0, 1e9, "most that the motor gives about the axle, either way" ),     \
		POSITIVE( struct_, efficiency, "", "0.7", 1, "mechanical power over electric power" ),                         \
		DS_F64( struct_, mass, "kg", "0", 0, 1e7, "that comes with it, at the mount; 0: the body's mass holds it" ),   \
		DS_F64( struct_, inertia, "kg m2", inertia_, 1e-9, 1e9, "of all that turns, about the axle" ),                 \
		DS_F64( struct_, drag_torque, "N m", "0", 0, 1e9, "of the bearings, at any speed" ),                           \
		DS_F64( struct_, drag_per_speed, "N m s/rad", "0", 0, 1e9, "of the bearings, for each rad/s" )

static const ds_field track_fields[] = {
	DS_F64( ds_track_config, length, "m", "1.5", 0.001, 100, "between the centres of its round ends" ),
	DS_F64( ds_track_config, radius, "m", "0.25", 0.001, 10, "of its ends, to the outside of the belt" ),
	DS_F64( ds_track_config, width, "m", "0.3", 0.001, 10, "of the belt" ),
	GROUSERS( ds_track_config ),
	MOTOR( ds_track_config, "1", "2000", "2" ),
	DS_I64( ds_track_config, pads, "", "120", 16, 4096, "pieces around the whole belt" ),
	DS_I64( ds_track_config, lanes, "", "4", 1, 64, "pieces across it" ),
};

static const ds_field wheel_fields[] = {
	DS_F64( ds_wheel_config, radius, "m", "0.25", 0.001, 10, "less grousers" ),
	DS_F64( ds_wheel_config, width, "m", "0.2", 0.001, 10, "of the rim" ),
	GROUSERS( ds_wheel_config ),
	DS_ANGLE( ds_wheel_config, steer, "0", 0, 90,
		"most that it is turned about z, either way; above 0 the command is [speed, angle in rad]" ),
	MOTOR( ds_wheel_config, "1", "200", "0.5" ),
	DS_I64( ds_wheel_config, pads, "", "96", 16, 4096, "pieces around the rim" ),
	DS_I64( ds_wheel_config, lanes, "", "4", 1, 64, "pieces across it" ),
};

const ds_table ds_track_config_table =
	DS_TABLE( "track_config", "Options of the actuator track", ds_track_config, track_fields );
const ds_table ds_wheel_config_table =
	DS_TABLE( "wheel_config", "Options of the actuator wheel", ds_wheel_config, wheel_fields );

static const ds_field reading_fields[] = {
	DS_F64( ds_track, command, "", NULL, 0, 0, "command in force: m/s, or N m, as the config says" ),
	DS_F64( ds_track, speed, "m/s", NULL, 0, 0, "of belt or rim against the body, forward" ),
	DS_F64( ds_track, ground_speed, "m/s", NULL, 0, 0, "of the mount over the ground, along x" ),
	DS_F64( ds_track, slip, "", NULL, 0, 0, "(speed - ground_speed) / the greater of both by size" ),
	DS_ANGLE( ds_track, slip_angle, NULL, 0, 0, "between the way over the ground and x" ),
	DS_F64( ds_track, sinkage, "m", NULL, 0, 0, "greatest" ),
	DS_F64( ds_track, normal_force, "N", NULL, 0, 0, "of the ground, along its normal" ),
	DS_F64( ds_track, drawbar_pull, "N", NULL, 0, 0, "of the ground, forward: traction less resistance" ),
	DS_F64( ds_track, traction, "N", NULL, 0, 0, "by shear, forward" ),
	DS_F64( ds_track, resistance, "N", NULL, 0, 0, "by pressure, backward" ),
	DS_F64( ds_track, side_force, "N", NULL, 0, 0, "of the ground, to starboard" ),
	DS_F64( ds_track, torque, "N m", NULL, 0, 0, "of the motor about the axle" ),
	DS_F64( ds_track, power, "W", NULL, 0, 0, "of the motor, mechanical" ),
	DS_F64( ds_track, electric_power, "W", NULL, 0, 0, "drawn from the battery" ),
	DS_F64( ds_track, contact_area, "m2", NULL, 0, 0, "projected on the ground" ),
};

const ds_table ds_track_table = DS_TABLE( "track", "What running gear does now", ds_track, reading_fields );

ds_gear ds_track_gear( const ds_track_config *c )
{
	return ( ds_gear ){ DS_GEAR_BELT, c->radius, c->width, c->length, c->grouser_height, c->inertia, c->drag_torque,
		c->drag_per_speed, c->pads, c->lanes };
}

ds_gear ds_wheel_gear( const ds_wheel_config *c )
{
	return ( ds_gear ){ DS_GEAR_WHEEL, c->radius, c->width, 0, c->grouser_height, c->inertia, c->drag_torque,
		c->drag_per_speed, c->pads, c->lanes };
}

ds_drive ds_track_drive( int32_t command, double value, double torque )
{
	switch ( command )
	{
		case DS_TRACK_SPEED:
			return ( ds_drive ){ DS_DRIVE_SPEED, value, torque, 0 };
		case DS_TRACK_TORQUE:
			return ( ds_drive ){ DS_DRIVE_TORQUE, 0, value, 0 };
		default:
			return ( ds_drive ){ DS_DRIVE_FREE, 0, 0, 0 };
	}
}

// Power that comes back when the motor brakes is not stored.
double ds_track_electric_power( double power, double efficiency )
{
	return power > 0 ? power / efficiency : 0;
}

void ds_track_report( const ds_gear_reading *g, double command, double efficiency, ds_track *out )
{
	out->command = command;
	out->speed = g->speed;
	out->ground_speed = g->ground_speed;
	out->slip = g->slip;
	out->slip_angle = g->slip_angle;
	out->sinkage = g->sinkage;
	out->normal_force = g->normal_force;
	out->drawbar_pull = g->drawbar_pull;
	out->traction = g->traction;
	out->resistance = g->resistance;
	out->side_force = g->side_force;
	out->torque = g->torque;
	out->power = g->power;
	out->electric_power = ds_track_electric_power( g->power, efficiency );
	out->contact_area = g->contact_area;
}

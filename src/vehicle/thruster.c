#include "vehicle/thruster.h"

#include <math.h>

static const ds_choice commands[] = {
	{ DS_THRUSTER_NORMALIZED, DS_FORM_NAME, "normalized", NULL, NULL, "-1 (full reverse) to 1 (full forward)" },
	{ DS_THRUSTER_FORCE, DS_FORM_NAME, "force", NULL, NULL, "newtons, from -reverse to forward" },
};

// Defaults: Blue Robotics T200 at 16 V, public performance data of September 2019, full throttle each way.
static const ds_field config_fields[] = {
	{ "forward", DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( ds_thruster_config, forward ), 1, 0, "N", "51.48",
		0, 1e7, "greatest thrust forward (along x of the mount)", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_thruster_config, reverse, "N", "39.91", 0, 1e7, "greatest thrust backward, as a positive number" ),
	DS_ENUM( ds_thruster_config, command, commands, "\"normalized\"", "what a command means" ),
	DS_F64( ds_thruster_config, power, "W", "381", 0, 1e9,
		"electric power at full forward thrust; goes with |thrust|^1.5" ),
};

const ds_table ds_thruster_config_table =
	DS_TABLE( "thruster_config", "Options of the actuator thruster", ds_thruster_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( ds_thruster, command, "", NULL, 0, 0, "command in force: normalised, or newtons, as the config says" ),
	DS_F64( ds_thruster, thrust, "N", NULL, 0, 0, "force along x of the mount" ),
	DS_F64( ds_thruster, power, "W", NULL, 0, 0, "electric power" ),
};

const ds_table ds_thruster_table = DS_TABLE( "thruster", "What a thruster does now", ds_thruster, reading_fields );

void ds_thruster_limits( const ds_thruster_config *config, double *minimum, double *maximum )
{
	bool normalized = config->command == DS_THRUSTER_NORMALIZED;
	*minimum = normalized ? -1 : -config->reverse;
	*maximum = normalized ? 1 : config->forward;
}

void ds_thruster_run( const ds_thruster_config *config, double command, ds_thruster *out )
{
	double thrust = command;
	if ( config->command == DS_THRUSTER_NORMALIZED )
	{
		thrust = command > 0 ? command * config->forward : command * config->reverse;
	}
	thrust = fmin( fmax( thrust, -config->reverse ), config->forward );
	double ratio = fabs( thrust ) / config->forward;
	out->command = command;
	out->thrust = thrust;
	out->power = config->power * ratio * sqrt( ratio );
}

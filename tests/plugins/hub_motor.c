// An actuator with running gear from outside the library: a wheel on a direct-current motor, whose torque falls with its speed. The
// command is the share of full voltage, -1 to 1. The world presses the wheel on the soil and turns it.

#include "deepsim/plugin.h"

typedef struct hub_motor_config
{
	double radius;
	double width;
	double stall_torque;
	double idle_speed;
	double efficiency;
} hub_motor_config;

typedef struct hub_motor_reading
{
	double torque;
	double speed;
	double slip;
	double load;
	double ground;
	double rut;
} hub_motor_reading;

static const ds_field config_fields[] = {
	DS_F64( hub_motor_config, radius, "m", "0.3", 0.01, 5, "of the wheel" ),
	DS_F64( hub_motor_config, width, "m", "0.25", 0.01, 5, "of the wheel" ),
	DS_F64( hub_motor_config, stall_torque, "N m", "150", 0, 1e6, "at full voltage, held fast" ),
	DS_F64( hub_motor_config, idle_speed, "rad/s", "3", 0.001, 1000, "at full voltage, without load" ),
	DS_F64( hub_motor_config, efficiency, "", "0.6", 0.01, 1, "mechanical power over electric power" ),
};
static const ds_table config_table =
	DS_TABLE( "hub_motor_config", "Options of the actuator hub_motor", hub_motor_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( hub_motor_reading, torque, "N m", NULL, 0, 0, "of the motor" ),
	DS_F64( hub_motor_reading, speed, "m/s", NULL, 0, 0, "of the rim" ),
	DS_F64( hub_motor_reading, slip, "", NULL, 0, 0, "of the wheel" ),
	DS_F64( hub_motor_reading, load, "N", NULL, 0, 0, "of the soil on the part of the vehicle within a diameter" ),
	DS_F64( hub_motor_reading, ground, "m", NULL, 0, 0, "depth of the ground under the hub" ),
	DS_F64( hub_motor_reading, rut, "m", NULL, 0, 0, "depth of the rut there" ),
};
static const ds_table reading_table =
	DS_TABLE( "hub_motor", "State of a wheel with a motor", hub_motor_reading, reading_fields );

typedef struct hub_motor
{
	const ds_host *host;
	hub_motor_config config;
	ds_gear gear; // the world keeps a pointer to it as long as the model lives
} hub_motor;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	hub_motor *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "hub_motor: out of memory" );
	}
	m->host = host;
	m->config = *(const hub_motor_config *)config;
	m->gear.kind = DS_GEAR_WHEEL;
	m->gear.radius = m->config.radius;
	m->gear.width = m->config.width;
	m->gear.inertia = 0.5;
	m->gear.pads = 192;
	m->gear.lanes = 3;
	layout->gear = &m->gear; // one command from -1 to 1 is what the layout was preset to
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	hub_motor *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status effort( const void *model, void *state, ds_context *context, ds_effort *out )
{
	(void)state;
	const hub_motor_config *c = &( (const hub_motor *)model )->config;
	double rate = context->gear->speed / c->radius; // at the end of the last tick
	out->drive.mode = DS_DRIVE_TORQUE;
	out->drive.torque = c->stall_torque * ( context->commands[0] - rate / c->idle_speed );
	out->electric_power = context->gear->power > 0 ? context->gear->power / c->efficiency : 0;
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	const hub_motor *m = model;
	hub_motor_reading *reading = output;
	reading->torque = context->gear->torque;
	reading->speed = context->gear->speed;
	reading->slip = context->gear->slip;

	ds_touch touch;
	ds_status status = m->host->touch( context, 2 * m->config.radius, &touch );
	if ( status != DS_OK )
	{
		return status;
	}
	reading->load = touch.normal_force;

	ds_ground_point ground;
	ds_vec3 hub = context->pose.position;
	status = m->host->ground_at( context, hub.x, hub.y, &ground );
	if ( status == DS_ERROR_NOT_FOUND )
	{
		return DS_OK; // beyond the edge: the reading stays 0
	}
	reading->ground = ground.z;
	reading->rut = ground.rut;
	return status;
}

static const ds_type hub_motor_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_ACTUATOR,
	.name = "hub_motor",
	.doc = "a wheel on a direct-current motor",
	.config = &config_table,
	.output = &reading_table,
	.create = create,
	.destroy = destroy,
	.sample = sample,
	.effort = effort,
};

DS_PLUGIN_EXPORT ds_status ds_plugin_register( ds_registry *registry, const ds_host *host );

ds_status ds_plugin_register( ds_registry *registry, const ds_host *host )
{
	return host->registry_add( registry, &hub_motor_type );
}

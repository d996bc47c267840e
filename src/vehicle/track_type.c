#include "vehicle/track.h"
#include "vehicle/types.h"

typedef struct track_model
{
	const ds_host *host;
	ds_gear gear;
	int32_t command; // ds_track_command
	double torque, efficiency, mass;
	bool steers;
} track_model;

static ds_status new_model( const ds_host *host, track_model **model )
{
	*model = host->allocate( host, sizeof( track_model ) );
	if ( *model == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "out of memory for the running gear's model" );
	}
	( *model )->host = host;
	return DS_OK;
}

// The range of a command.
static void limits( int32_t command, double speed, double torque, ds_layout *layout )
{
	double most = command == DS_TRACK_SPEED ? speed : command == DS_TRACK_TORQUE ? torque : 0;
	layout->command_count = 1;
	layout->command_minimum[0] = -most;
	layout->command_maximum[0] = most;
}

static ds_status create_track( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	const ds_track_config *c = config;
	track_model *m;
	ds_status status = new_model( host, &m );
	if ( status != DS_OK )
	{
		return status;
	}
	m->gear = ds_track_gear( c );
	m->command = c->command;
	m->torque = c->torque;
	m->efficiency = c->efficiency;
	m->mass = c->mass;
	limits( c->command, c->speed, c->torque, layout );
	layout->gear = &m->gear;
	*model = m;
	return DS_OK;
}

static ds_status create_wheel( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	const ds_wheel_config *c = config;
	track_model *m;
	ds_status status = new_model( host, &m );
	if ( status != DS_OK )
	{
		return status;
	}
	m->gear = ds_wheel_gear( c );
	m->command = c->command;
	m->torque = c->torque;
	m->efficiency = c->efficiency;
	m->mass = c->mass;
	m->steers = c->steer > 0;
	limits( c->command, c->speed, c->torque, layout );
	if ( m->steers )
	{
		layout->command_count = 2;
		layout->command_minimum[1] = -c->steer;
		layout->command_maximum[1] = c->steer;
	}
	layout->gear = &m->gear;
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	track_model *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	ds_track_report( context->gear, context->commands[0], ( (const track_model *)model )->efficiency, output );
	return DS_OK;
}

static ds_status effort( const void *model, void *state, ds_context *context, ds_effort *out )
{
	(void)state;
	const track_model *m = model;
	out->drive = ds_track_drive( m->command, context->commands[0], m->torque );
	out->drive.steer = m->steers ? context->commands[1] : 0;
	out->mass = m->mass;
	out->electric_power = ds_track_electric_power( context->gear->power, m->efficiency );
	return DS_OK;
}

const ds_type ds_track_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_ACTUATOR,
	.name = "track",
	.doc = "a driven belt that presses on soil",
	.config = &ds_track_config_table,
	.output = &ds_track_table,
	.create = create_track,
	.destroy = destroy,
	.sample = sample,
	.effort = effort,
};

const ds_type ds_wheel_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_ACTUATOR,
	.name = "wheel",
	.doc = "a driven wheel that presses on soil",
	.config = &ds_wheel_config_table,
	.output = &ds_track_table,
	.create = create_wheel,
	.destroy = destroy,
	.sample = sample,
	.effort = effort,
};

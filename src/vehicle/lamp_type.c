#include "optics/lamp_table.h"
#include "vehicle/types.h"

typedef struct lamp_model
{
	const ds_host *host;
	ds_lamp lamp;
} lamp_model;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	lamp_model *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "out of memory for the lamp's model" );
	}
	m->host = host;
	ds_status status = ds_lamp_make( config, &m->lamp );
	if ( status != DS_OK )
	{
		host->release( host, m, sizeof( *m ) );
		return status;
	}
	layout->lamp = &m->lamp;
	layout->command_count = 1;
	layout->command_minimum[0] = 0;
	layout->command_maximum[0] = 1;
	layout->command_initial[0] = m->lamp.config.level;
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	lamp_model *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	ds_lamp_reading *reading = output;
	reading->level = context->commands[0];
	reading->power = ( (const lamp_model *)model )->lamp.config.power * reading->level;
	return DS_OK;
}

static ds_status effort( const void *model, void *state, ds_context *context, ds_effort *out )
{
	(void)state;
	out->light = context->commands[0];
	out->electric_power = ( (const lamp_model *)model )->lamp.config.power * out->light;
	return DS_OK;
}

const ds_type ds_lamp_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_ACTUATOR,
	.name = "lamp",
	.doc = "light that goes with the vehicle, along x of its mount",
	.config = &ds_lamp_options,
	.output = &ds_lamp_readings,
	.create = create,
	.destroy = destroy,
	.sample = sample,
	.effort = effort,
};

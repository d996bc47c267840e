#include "vehicle/thruster.h"
#include "vehicle/types.h"

typedef struct thruster_model
{
	const ds_host *host;
	ds_thruster_config config;
} thruster_model;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	thruster_model *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "out of memory for the thruster's model" );
	}
	m->host = host;
	m->config = *(const ds_thruster_config *)config;
	layout->command_count = 1;
	ds_thruster_limits( &m->config, &layout->command_minimum[0], &layout->command_maximum[0] );
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	thruster_model *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	ds_thruster_run( &( (const thruster_model *)model )->config, context->commands[0], output );
	return DS_OK;
}

static ds_status effort( const void *model, void *state, ds_context *context, ds_effort *out )
{
	(void)state;
	ds_thruster now;
	ds_thruster_run( &( (const thruster_model *)model )->config, context->commands[0], &now );
	out->wrench.force.x = now.thrust;
	out->electric_power = now.power;
	return DS_OK;
}

const ds_type ds_thruster_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_ACTUATOR,
	.name = "thruster",
	.doc = "a force along the x axis of its mount, with limits",
	.config = &ds_thruster_config_table,
	.output = &ds_thruster_table,
	.create = create,
	.destroy = destroy,
	.sample = sample,
	.effort = effort,
};

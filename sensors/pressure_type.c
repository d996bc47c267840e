#include "sensors/pressure.h"
#include "sensors/types.h"

typedef struct pressure_model
{
	const ds_host *host;
	ds_pressure_config config;
} pressure_model;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( ds_pressure_state );
	pressure_model *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "out of memory for the sensor's model" );
	}
	m->host = host;
	m->config = *(const ds_pressure_config *)config;
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	pressure_model *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	const ds_pressure_config *config = &( (const pressure_model *)model )->config;
	ds_random stream = context->host->random_stream( context );
	ds_pressure_truth truth = ds_pressure_truth_of( config, &context->water, context->time );
	ds_pressure_reset( config, &truth, &stream, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_pressure_config *config = &( (const pressure_model *)model )->config;
	ds_random stream = context->host->random_stream( context );
	ds_pressure_truth truth = ds_pressure_truth_of( config, &context->water, context->time );
	truth.period = context->period;
	ds_pressure_measure( config, &truth, &stream, state, output );
	return DS_OK;
}

const ds_type ds_pressure_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "pressure",
	.doc = "pressure of the water at the mount, absolute or gauge",
	.config = &ds_pressure_config_table,
	.output = &ds_pressure_table,
	.create = create,
	.destroy = destroy,
	.reset = reset,
	.sample = sample,
};

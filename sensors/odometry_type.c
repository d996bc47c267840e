#include "sensors/odometry.h"
#include "sensors/types.h"

typedef struct odometry_model
{
	const ds_host *host;
	ds_odometry_config config;
} odometry_model;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( ds_odometry_state );
	odometry_model *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "out of memory for the sensor's model" );
	}
	m->host = host;
	m->config = *(const ds_odometry_config *)config;
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	odometry_model *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	ds_random stream = context->host->random_stream( context );
	ds_odometry_reset( &( (const odometry_model *)model )->config, 1e-9 * (double)context->time, &stream, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_odometry_config *config = &( (const odometry_model *)model )->config;
	ds_odometry_truth truth = { context->pose, context->velocity, context->rate, 1e-9 * (double)context->time };
	ds_random stream = context->host->random_stream( context );
	ds_odometry_measure( config, &truth, &stream, state, output );
	return DS_OK;
}

const ds_type ds_odometry_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "odometry",
	.doc = "pose and velocity of the mount: the truth, with optional errors",
	.config = &ds_odometry_config_table,
	.output = &ds_odometry_table,
	.create = create,
	.destroy = destroy,
	.reset = reset,
	.sample = sample,
};

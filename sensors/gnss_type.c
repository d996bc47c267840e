#include "sensors/gnss.h"
#include "sensors/types.h"

typedef struct gnss_model
{
	const ds_host *host;
	ds_gnss_config config;
} gnss_model;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( ds_gnss_state );
	gnss_model *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "out of memory for the sensor's model" );
	}
	m->host = host;
	m->config = *(const ds_gnss_config *)config;
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	gnss_model *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	ds_random stream = context->host->random_stream( context );
	ds_gnss_reset( &( (const gnss_model *)model )->config, 1e-9 * (double)context->time, &stream, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_gnss_config *config = &( (const gnss_model *)model )->config;
	ds_gnss_truth truth = { .velocity = context->velocity, .time = 1e-9 * (double)context->time };
	// water where the antenna would be, were it higher by the depth that counts
	ds_vec3 above = context->pose.position;
	above.z -= config->mask_depth;
	ds_water water;
	ds_status status = context->host->water_at( context, above, &water );
	if ( status == DS_OK )
	{
		status = context->host->geodetic_at( context, context->pose.position, &truth.place );
	}
	if ( status != DS_OK )
	{
		return status;
	}
	truth.masked = water.present;
	ds_random stream = context->host->random_stream( context );
	ds_gnss_measure( config, &truth, &stream, state, output );
	return DS_OK;
}

const ds_type ds_gnss_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "gnss",
	.doc = "satellite receiver: WGS-84 position and velocity, no fix under water",
	.config = &ds_gnss_config_table,
	.output = &ds_gnss_table,
	.create = create,
	.destroy = destroy,
	.reset = reset,
	.sample = sample,
};

#include "sensors/gnss.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( ds_gnss_state );
	return ds_plugin_config_copy( host, config, sizeof( ds_gnss_config ), model );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	ds_random stream = context->host->random_stream( context );
	ds_gnss_reset( ds_plugin_config( model ), 1e-9 * (double)context->time, &stream, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_gnss_config *config = ds_plugin_config( model );
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
	.config = &ds_gnss_options,
	.output = &ds_gnss_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};

#include "sensors/odometry.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( ds_odometry_state );
	return ds_plugin_config_copy( host, config, sizeof( ds_odometry_config ), model );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	ds_random stream = context->host->random_stream( context );
	ds_odometry_reset( ds_plugin_config( model ), 1e-9 * (double)context->time, &stream, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_odometry_config *config = ds_plugin_config( model );
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
	.config = &ds_odometry_options,
	.output = &ds_odometry_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};

#include "sensors/plugin_model.h"
#include "sensors/pressure.h"
#include "sensors/types.h"

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( ds_pressure_state );
	return ds_plugin_config_copy( host, config, sizeof( ds_pressure_config ), model );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	const ds_pressure_config *config = ds_plugin_config( model );
	ds_random stream = context->host->random_stream( context );
	ds_pressure_truth truth = ds_pressure_truth_of( config, &context->water, context->time );
	ds_pressure_reset( config, &truth, &stream, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_pressure_config *config = ds_plugin_config( model );
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
	.config = &ds_pressure_options,
	.output = &ds_pressure_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};

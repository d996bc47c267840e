#include "sensors/depth.h"
#include "sensors/plugin_model.h"
#include "sensors/pressure.h"
#include "sensors/types.h"

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( ds_pressure_state );
	return ds_plugin_config_copy( host, config, sizeof( ds_depth_config ), model );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	const ds_depth_config *config = ds_plugin_config( model );
	const ds_pressure_config *gauge = &config->gauge;
	ds_random stream = context->host->random_stream( context );
	ds_pressure_truth truth = ds_pressure_truth_of( gauge, &context->water, context->time );
	ds_pressure_reset( gauge, &truth, &stream, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_depth_config *config = ds_plugin_config( model );
	double latitude = config->latitude;
	if ( config->latitude_known && config->formula != DS_DEPTH_CONSTANT_DENSITY )
	{
		ds_geodetic place;
		ds_status status = context->host->geodetic_at( context, context->pose.position, &place );
		// at a pole it is the longitude that is missing
		if ( status != DS_OK && status != DS_ERROR_RANGE )
		{
			return status;
		}
		latitude = place.latitude;
	}
	ds_random stream = context->host->random_stream( context );
	ds_pressure_truth truth = ds_pressure_truth_of( &config->gauge, &context->water, context->time );
	truth.period = context->period;
	ds_pressure gauge;
	ds_pressure_measure( &config->gauge, &truth, &stream, state, &gauge );
	ds_depth_measure( config, &gauge, latitude, output );
	return DS_OK;
}

const ds_type ds_depth_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "depth",
	.doc = "depth of the mount, by a pressure gauge and a conversion that is named",
	.config = &ds_depth_options,
	.output = &ds_depth_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};

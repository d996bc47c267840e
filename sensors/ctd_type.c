#include "sensors/ctd.h"
#include "sensors/plugin_model.h"
#include "sensors/pressure.h"
#include "sensors/types.h"

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( ds_ctd_state );
	return ds_plugin_config_copy( host, config, sizeof( ds_ctd_config ), model );
}

static ds_ctd_truth truth_of( const ds_ctd_config *config, const ds_context *context )
{
	const ds_water *water = &context->water;
	ds_pressure_truth gauge = ds_pressure_truth_of( &config->pressure, water, context->time );
	return ( ds_ctd_truth ){ water->present, water->salinity, gauge.temperature, water->gauge_pressure, gauge.pressure,
		gauge.time, context->period };
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	const ds_ctd_config *config = ds_plugin_config( model );
	ds_random stream = context->host->random_stream( context );
	ds_ctd_truth truth = truth_of( config, context );
	ds_ctd_reset( config, &truth, &stream, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_ctd_config *config = ds_plugin_config( model );
	ds_random stream = context->host->random_stream( context );
	ds_ctd_truth truth = truth_of( config, context );
	ds_ctd_measure( config, &truth, &stream, state, output );
	return DS_OK;
}

const ds_type ds_ctd_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "ctd",
	.doc = "conductivity, temperature and pressure, and the salinity, density and sound speed derived of them",
	.config = &ds_ctd_options,
	.output = &ds_ctd_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};

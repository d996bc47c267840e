#include "sensors/acoustic.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

#include <string.h>

typedef struct usbl_state
{
	ds_acoustic_queue queue;
	ds_usbl fixes[DS_ACOUSTIC_WAITING];
} usbl_state;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	layout->state_size = sizeof( usbl_state );
	return ds_plugin_config_copy( host, config, sizeof( ds_usbl_config ), model );
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_usbl_config *config = ds_plugin_config( model );
	usbl_state *s = state;
	ds_usbl *reading = output;
	double now = 1e-9 * (double)context->time;
	ds_acoustic_truth truth;
	ds_status status = ds_acoustic_look( context,
		( ds_vec3 ){ config->position[0], config->position[1], config->position[2] }, config->maximum, &truth );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_random stream = context->host->random_stream( context );
	ds_usbl fix;
	ds_usbl_measure( config, &truth, now, &stream, &fix );
	if ( ds_acoustic_deliver(
			 &s->queue, s->fixes, sizeof( fix ), fix.valid ? &fix : NULL, now + fix.age, now, reading ) )
	{
		reading->age = now - reading->time;
	}
	return DS_OK;
}

const ds_type ds_usbl_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "usbl",
	.doc = "position by an acoustic transceiver, which hears range and direction",
	.config = &ds_usbl_options,
	.output = &ds_usbl_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.sample = sample,
};

#include "optics/frame.h"
#include "sensors/types.h"

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	ds_camera_model *m;
	ds_status status = ds_camera_model_create( host, config, &m );
	if ( status == DS_OK )
	{
		layout->state_size = sizeof( ds_camera_state );
		layout->output_size = m->output_size;
		layout->delay = ds_camera_delay( config );
		layout->looks = true;
		*model = m;
	}
	return status;
}

static void destroy( void *model )
{
	ds_camera_model_destroy( model );
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	(void)context;
	ds_camera_reset( model, state );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	return ds_camera_frame( model, state, context, output );
}

const ds_type ds_camera_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "camera",
	.doc = "images along x of the mount as light makes them: colour, radiance, depth, normals, instances, flow",
	.config = &ds_camera_options,
	.output = &ds_camera_readings,
	.create = create,
	.destroy = destroy,
	.reset = reset,
	.sample = sample,
};

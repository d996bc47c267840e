#include "sensors/altimeter.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

#include "deepsim/math.h"

typedef struct altimeter_model
{
	ds_plugin_model base;
	ds_altimeter_config config;
	int64_t count;
	double least_cosine; // of the angle to a surface's normal that sends an echo back
	ds_vec3 rays[DS_ALTIMETER_MAX_RAYS];
} altimeter_model;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)layout;
	altimeter_model *m = ds_plugin_model_new( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	m->config = *(const ds_altimeter_config *)config;
	m->count = m->config.beam > 0 ? m->config.rays : 1;
	m->least_cosine = m->config.incidence < 0.5 * DS_PI ? cos( m->config.incidence ) : -1;
	ds_altimeter_rays( m->config.beam, m->count, m->rays );
	*model = m;
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	const altimeter_model *m = model;
	double nearest = -1;
	double reach = 2 * m->config.maximum; // noise and a wrong speed of sound may bring it into range
	// sound does not leave the water: from the air nothing is heard, nor ground above the surface
	int64_t count = context->water.present ? m->count : 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		ds_ray_hit hit;
		ds_vec3 direction = ds_rotate( context->pose.attitude, m->rays[i] );
		ds_status status = context->host->ray_cast( context, context->pose.position, direction, reach, &hit );
		if ( status != DS_OK )
		{
			return status;
		}
		if ( hit.hit && hit.point.z >= 0 && ( nearest < 0 || hit.distance < nearest ) &&
			 -ds_dot( direction, hit.normal ) >= m->least_cosine )
		{
			nearest = hit.distance;
		}
	}
	ds_altimeter_truth truth = { nearest, context->water.sound_speed };
	ds_random stream = context->host->random_stream( context );
	ds_altimeter_measure( &m->config, &truth, &stream, output );
	return DS_OK;
}

const ds_type ds_altimeter_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "altimeter",
	.doc = "distance to the seabed along z of the mount, by an echo",
	.config = &ds_altimeter_options,
	.output = &ds_altimeter_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.sample = sample,
};

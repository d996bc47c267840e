#include "sensors/acoustic.h"
#include "sensors/types.h"

#include <string.h>

typedef struct usbl_model
{
	const ds_host *host;
	ds_usbl_config config;
} usbl_model;

typedef struct usbl_state
{
	ds_acoustic_queue queue;
	ds_usbl fixes[DS_ACOUSTIC_WAITING];
} usbl_state;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	usbl_model *m = host->allocate( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "out of memory for the sensor's model" );
	}
	m->host = host;
	m->config = *(const ds_usbl_config *)config;
	layout->state_size = sizeof( usbl_state );
	*model = m;
	return DS_OK;
}

static void destroy( void *model )
{
	usbl_model *m = model;
	m->host->release( m->host, m, sizeof( *m ) );
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const ds_usbl_config *config = &( (const usbl_model *)model )->config;
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
	int64_t at = fix.valid ? ds_acoustic_put( &s->queue, now + fix.age ) : -1;
	if ( at >= 0 )
	{
		s->fixes[at] = fix;
	}
	at = ds_acoustic_take( &s->queue, now );
	if ( at >= 0 )
	{
		*reading = s->fixes[at];
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
	.output = &ds_usbl_reading,
	.create = create,
	.destroy = destroy,
	.sample = sample,
};

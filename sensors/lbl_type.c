#include "sensors/acoustic.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

#include "deepsim/math.h"

#include <string.h>

typedef struct lbl_model
{
	ds_plugin_model base;
	ds_lbl_config config; // its beacons are the model's own
	ds_lbl_beacon beacons[DS_LBL_MAX_BEACONS];
} lbl_model;

typedef struct lbl_state
{
	ds_vec3 believed[DS_LBL_MAX_BEACONS];
	ds_acoustic_queue queue;
	ds_lbl fixes[DS_ACOUSTIC_WAITING];
} lbl_state;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	const ds_lbl_config *given = config;
	lbl_model *m = ds_plugin_model_new( host, sizeof( *m ) );
	if ( m == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	m->config = *given;
	memcpy( m->beacons, given->beacons.data, (size_t)given->beacons.count * sizeof( ds_lbl_beacon ) );
	m->config.beacons.data = m->beacons;
	layout->state_size = sizeof( lbl_state );
	*model = m;
	return DS_OK;
}

static ds_vec3 beacon( const lbl_model *m, int64_t i )
{
	const double *p = m->beacons[i].position;
	return ds_v3( p[0], p[1], p[2] );
}

// Where the beacons are believed to be.
static ds_status reset( const void *model, void *state, ds_context *context )
{
	const lbl_model *m = model;
	lbl_state *s = state;
	double normal[3 * DS_LBL_MAX_BEACONS];
	ds_random stream = context->host->random_stream( context );
	context->host->random_normals( &stream, 0, 3 * DS_LBL_MAX_BEACONS, normal );
	for ( int64_t i = 0; i < m->config.beacons.count; ++i )
	{
		const double *n = normal + 3 * i, *d = m->config.survey;
		s->believed[i] = ds_add( beacon( m, i ), ds_v3( d[0] * n[0], d[1] * n[1], d[2] * n[2] ) );
	}
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const lbl_model *m = model;
	lbl_state *s = state;
	ds_lbl *reading = output;
	double now = 1e-9 * (double)context->time;
	ds_acoustic_truth truth[DS_LBL_MAX_BEACONS];
	bool heard = false;
	for ( int64_t i = 0; i < m->config.beacons.count; ++i )
	{
		ds_status status = ds_acoustic_look( context, beacon( m, i ), m->config.maximum, truth + i );
		if ( status != DS_OK )
		{
			return status;
		}
	}
	ds_random stream = context->host->random_stream( context );
	ds_lbl fix;
	ds_lbl_measure( &m->config, s->believed, truth, now, context->pose.position.z, &stream, &fix );
	for ( int i = 0; i < DS_LBL_MAX_BEACONS; ++i )
	{
		heard = heard || fix.heard[i];
	}
	if ( ds_acoustic_deliver( &s->queue, s->fixes, sizeof( fix ), heard ? &fix : NULL, now + fix.age, now, reading ) )
	{
		reading->age = now - reading->time;
	}
	return DS_OK;
}

const ds_type ds_lbl_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "lbl",
	.doc = "position by acoustic ranges to beacons",
	.config = &ds_lbl_options,
	.output = &ds_lbl_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};

// What create and destroy of the plugins have in common. Through ds_host alone, as a plugin from outside would do it.

#ifndef DEEPSIM_SENSORS_PLUGIN_MODEL_H
#define DEEPSIM_SENSORS_PLUGIN_MODEL_H

#include "deepsim/plugin.h"

#include <string.h>

// The first member of every model: who gave its memory, and how much.
typedef struct ds_plugin_model
{
	const ds_host *host;
	size_t size;
} ds_plugin_model;

// Memory of a model, zeroed but for its first member; NULL, and an error, if there is none.
static inline void *ds_plugin_model_new( const ds_host *host, size_t size )
{
	ds_plugin_model *model = host->allocate( host, size );
	if ( model == NULL )
	{
		host->error( DS_ERROR_MEMORY, "out of memory for the sensor's model" );
		return NULL;
	}
	memset( model, 0, size );
	model->host = host;
	model->size = size;
	return model;
}

// The `destroy` of models that own nothing else.
static inline void ds_plugin_model_destroy( void *model )
{
	ds_plugin_model *m = model;
	m->host->release( m->host, m, m->size );
}

// A model that is its config: a copy behind the first member.
static inline ds_status ds_plugin_config_copy( const ds_host *host, const void *config, size_t size, void **model )
{
	ds_plugin_model *m = ds_plugin_model_new( host, sizeof( *m ) + size );
	if ( m == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	memcpy( m + 1, config, size );
	*model = m;
	return DS_OK;
}

static inline const void *ds_plugin_config( const void *model )
{
	return (const ds_plugin_model *)model + 1;
}

#endif

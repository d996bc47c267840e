// What the verbs of `deepsim optics` share: the world that they ask, and JSON.

#include "cli/optics.h"

#include "deepsim/world.h"

ds_status optics_open( optics_world *o, const char *file, const char **overrides, int count, const ds_hooks *hooks )
{
	DS_TRY( ds_registry_create( hooks, &o->registry ) );
	DS_TRY( ds_scenario_load( file, overrides, count, o->registry, &o->scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = o->scenario;
	def.hooks = *hooks;
	return ds_world_create( &def, &o->world );
}

void optics_close( optics_world *o )
{
	ds_world_destroy( o->world );
	ds_scenario_release( o->scenario );
	ds_registry_release( o->registry );
}

void optics_put( ds_json_writer *w, const char *key, double number )
{
	ds_json_key( w, key );
	ds_json_put_number( w, number );
}

void optics_put_list( ds_json_writer *w, const char *key, const double *numbers, int count )
{
	ds_json_key( w, key );
	ds_json_begin_flat( w, '[' );
	for ( int i = 0; i < count; ++i )
	{
		ds_json_put_number( w, numbers[i] );
	}
	ds_json_end( w, ']' );
}

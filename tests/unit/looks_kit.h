// Plugins that look: a sensor that does what a test tells it, and a lamp whose level is its command.

#ifndef DEEPSIM_TESTS_LOOKS_KIT_H
#define DEEPSIM_TESTS_LOOKS_KIT_H

#include "world_kit.h"

typedef ds_status looks_deed( ds_context *context );

static looks_deed *looks_at_sample; // what the sensor "looker" does

static ds_status looker_create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)model;
	layout->looks = true;
	layout->delay = 0.25;
	return DS_OK;
}

static ds_status looker_sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	(void)output;
	return looks_at_sample ? looks_at_sample( context ) : DS_OK;
}

typedef struct looker_reading
{
	int64_t nothing;
} looker_reading;

static const ds_field looker_fields[] = {
	DS_I64( looker_reading, nothing, "", NULL, 0, 0, "nothing" ),
};
static const ds_table looker_table = DS_TABLE( "looker", "nothing", looker_reading, looker_fields );

static const ds_type looker = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "looker",
	.doc = "looks",
	.output = &looker_table,
	.create = looker_create,
	.sample = looker_sample,
};

static ds_lamp lantern_lamp; // what the lantern has

static ds_status lantern_create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)model;
	const ds_lamp_config lamp = ds_lamp_config_default();
	ds_status status = ds_lamp_make( &lamp, &lantern_lamp );
	if ( status != DS_OK )
	{
		return status;
	}
	layout->lamp = &lantern_lamp;
	layout->command_minimum[0] = 0;
	layout->command_initial[0] = 0.75;
	return DS_OK;
}

static ds_status lantern_effort( const void *model, void *state, ds_context *context, ds_effort *effort )
{
	(void)model;
	(void)state;
	effort->light = context->commands[0];
	effort->electric_power = 100 * effort->light;
	return DS_OK;
}

static const ds_type lantern = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_ACTUATOR,
	.name = "lantern",
	.doc = "shines",
	.create = lantern_create,
	.effort = lantern_effort,
};

static inline ds_registry *kit_looks_registry( void )
{
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &looker ) );
	OK( ds_registry_add( registry, &lantern ) );
	return registry;
}

// A world of 50 ticks a second with these types.
static inline ds_world *kit_looks_world( const ds_environment_def *environment, int32_t threads )
{
	ds_registry *registry = kit_looks_registry();
	ds_world_def def = ds_world_def_default();
	def.registry = registry;
	def.rate = 50;
	def.environment = environment;
	def.threads = threads;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_registry_release( registry );
	return world;
}

static inline ds_id kit_looker( ds_world *world, ds_id body )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "eye" );
	snprintf( def.type, sizeof( def.type ), "looker" );
	def.body = body;
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	return id;
}

static inline ds_id kit_lantern( ds_world *world, const char *name, ds_id body, ds_pose mount )
{
	ds_actuator_def def = ds_actuator_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "lantern" );
	def.body = body;
	def.mount = mount;
	ds_id id;
	OK( ds_actuator_create( world, &def, &id ) );
	return id;
}

static inline ds_look_ray kit_look( ds_vec3 origin, ds_vec3 direction, double range )
{
	ds_look_ray ray = { origin, direction, range, 0, 0, DS_NO_ID };
	return ray;
}

static inline ds_look kit_see( const ds_world *world, ds_look_ray ray )
{
	ds_look look;
	OK( ds_look_many( world, 1, &ray, &look ) );
	return look;
}

static inline ds_vec3 kit_vec( const float v[3] )
{
	return ds_v3( (double)v[0], (double)v[1], (double)v[2] );
}

#endif

// What a step needs after a change of structure: where inputs, outputs and commands lead, and the order of parts.

#include "core/world.h"

#define MAX_CHAIN 1000 // inputs of inputs

// A part with readings, by name.
static ds_part *find_source( const ds_world *world, const char *name )
{
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		ds_part *part = ds_slots_find( world->parts + kind, name );
		if ( part && part->queue > 0 && part->model->type->output )
		{
			return part;
		}
	}
	return NULL;
}

static ds_status resolve( ds_world *world, ds_part *part )
{
	for ( int32_t i = 0; i < part->input_count; ++i )
	{
		part->sources[i] = find_source( world, part->inputs[i].source );
		if ( part->sources[i] == NULL )
		{
			return ds_error( DS_ERROR_NOT_FOUND, "%s \"%s\": input \"%s\": there is no part \"%s\" with readings",
				ds_kind_name( part->kind ), part->name, part->inputs[i].name, part->inputs[i].source );
		}
	}
	for ( int32_t i = 0; i < part->output_count; ++i )
	{
		ds_id id;
		ds_status status = ds_world_find( world, DS_ACTUATOR, part->outputs[i], &id );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "controller \"%s\": output %d: ", part->name, i );
		}
		DS_TRY( ds_world_part( world, DS_ACTUATOR, id, part->targets + i ) );
	}
	part->visited = part->visiting = false;
	return DS_OK;
}

// Puts a part behind the sensors and controllers that it reads; of actuators and forces it reads the latest there is, in any
// order.
static ds_status visit( ds_world *world, ds_part *part, int32_t depth )
{
	if ( part->visited )
	{
		return DS_OK;
	}
	if ( depth > MAX_CHAIN )
	{
		return ds_error( DS_ERROR_LIMIT, "%s \"%s\": a chain of more than %d inputs", ds_kind_name( part->kind ),
			part->name, MAX_CHAIN );
	}
	if ( part->visiting )
	{
		return ds_error( DS_ERROR_CYCLE, "%s \"%s\" reads itself through its inputs; remove an input of the circle",
			ds_kind_name( part->kind ), part->name );
	}
	part->visiting = true;
	for ( int32_t i = 0; i < part->input_count; ++i )
	{
		if ( part->sources[i]->kind == DS_SENSOR || part->sources[i]->kind == DS_CONTROLLER )
		{
			DS_TRY( visit( world, part->sources[i], depth + 1 ) );
		}
	}
	part->visiting = false;
	part->visited = true;
	if ( part->kind == DS_SENSOR )
	{
		world->order[world->order_count++] = part;
	}
	else if ( part->kind == DS_CONTROLLER )
	{
		world->controller_order[world->controller_count++] = part;
	}
	return DS_OK;
}

static ds_status grow_order( ds_world *world, ds_part ***order, int32_t *capacity, int32_t need )
{
	if ( *capacity < need )
	{
		DS_FREE( &world->hooks.allocator, *order, *capacity );
		*order = NULL;
		*capacity = 0;
		DS_TRY( DS_NEW( &world->hooks.allocator, need, order ) );
		*capacity = need;
	}
	return DS_OK;
}

static ds_status order_parts( ds_world *world )
{
	DS_TRY( grow_order( world, &world->order, &world->order_capacity, world->parts[DS_SENSOR].count ) );
	DS_TRY(
		grow_order( world, &world->controller_order, &world->controller_capacity, world->parts[DS_CONTROLLER].count ) );
	world->order_count = world->controller_count = 0;
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			DS_TRY( resolve( world, world->parts[kind].order[i] ) );
		}
	}
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			DS_TRY( visit( world, world->parts[kind].order[i], 0 ) );
		}
	}
	return DS_OK;
}

// Which sensors lie where another does: they see the same water.
static void find_companions( ds_world *world )
{
	for ( int32_t i = 0; i < world->order_count; ++i )
	{
		ds_part *part = world->order[i];
		ds_vec3 p = part->mount_c.position;
		part->companion = false;
		for ( int32_t k = 0; k < world->order_count && !part->companion; ++k )
		{
			const ds_part *other = world->order[k];
			ds_vec3 o = other->mount_c.position;
			part->companion = k != i && other->body == part->body && o.x == p.x && o.y == p.y && o.z == p.z;
		}
	}
}

// Actuators of the scenario's timeline; one that was destroyed is left out.
static ds_status resolve_commands( ds_world *world )
{
	const ds_scenario *scenario = world->scenario;
	if ( scenario == NULL )
	{
		return DS_OK;
	}
	DS_TRY( grow_order( world, &world->command_targets, &world->command_target_count, scenario->actuator_count ) );
	for ( int32_t i = 0; i < scenario->actuator_count; ++i )
	{
		ds_id id;
		world->command_targets[i] = NULL;
		if ( ds_world_find( world, DS_ACTUATOR, scenario->actuators[i].def.name, &id ) == DS_OK )
		{
			DS_TRY( ds_world_part( world, DS_ACTUATOR, id, world->command_targets + i ) );
		}
	}
	return DS_OK;
}

ds_status ds_world_prepare( ds_world *world )
{
	if ( world->prepared )
	{
		return DS_OK;
	}
	DS_TRY( order_parts( world ) );
	find_companions( world );
	DS_TRY( resolve_commands( world ) );
	DS_TRY( ds_world_rays_prepare( world ) ); // what it has no rays for is Bullet's
	DS_TRY( ds_collide_prepare( world ) );
	DS_TRY( ds_looks_prepare( world ) );
	DS_TRY( ds_lights_prepare( world ) );
	world->prepared = true;
	return DS_OK;
}

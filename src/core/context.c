// What a part may see: the view of the world that a plugin's functions get.

#include "core/world.h"

#define HEADER_SIZE ( ( sizeof( ds_sample_header ) + 15 ) / 16 * 16 )

// Time now: two divisions, made once a tick.
static ds_time time_now( ds_world *world )
{
	if ( world->now_tick != world->state.tick )
	{
		world->now = ds_world_time( world );
		world->now_tick = world->state.tick;
	}
	return world->now;
}

// The latest readings that can be seen of the part's inputs.
static void see_inputs( const ds_part *part, ds_context *context, ds_context_inner *inner )
{
	context->input_count = part->input_count;
	for ( int32_t i = 0; i < part->input_count; ++i )
	{
		const ds_part *source = part->sources[i];
		ds_input *input = inner->inputs + i;
		int64_t available = ds_part_available( source, context->time );
		input->name = part->inputs[i].name;
		input->table = source->model->type->output;
		input->header = available > 0 ? ds_part_reading( source, available - 1 ) : NULL;
		input->data = input->header ? (const unsigned char *)input->header + HEADER_SIZE : NULL;
	}
}

// The water at the mount. Sensors that sample at the same time and place ask once.
static void see_water( ds_world *world, const ds_part *part, ds_context *context )
{
	ds_water_seen *seen = &world->water_seen;
	ds_vec3 p = context->pose.position;
	if ( !part->companion || !seen->open )
	{
		ds_water_query( world, p, context->time, &context->water );
		return;
	}
	if ( seen->valid && seen->position.x == p.x && seen->position.y == p.y && seen->position.z == p.z )
	{
		context->water = seen->water;
		return;
	}
	ds_water_query( world, p, context->time, &context->water );
	seen->valid = true;
	seen->position = p;
	seen->water = context->water;
}

// Every field is set here, one by one: clearing all of the struct first would cost more than all else.
void ds_part_context(
	ds_world *world, ds_part *part, const ds_pose *place, ds_context *context, ds_context_inner *inner )
{
	const ds_vec3 zero = { 0, 0, 0 };
	context->struct_size = sizeof( *context );
	context->host = &part->model->host;
	context->time = time_now( world );
	context->tick = world->state.tick;
	context->dt = world->dt;
	context->sequence = 0;
	context->period = part->queue > 0 ? 1 / part->rate : 0;
	context->mount = part->mount;
	context->delta_angle = zero;
	context->delta_velocity = zero;
	context->interval = 0;
	context->earth_rate = world->sea->earth_rate;
	context->gravity = world->environment.gravity;
	context->body = part->body ? part->body->id : DS_NO_ID;
	context->gear = part->gear ? &part->gear->reading : NULL;
	context->commands = part->state->commands;
	context->command_count = part->model->layout.command_count;
	context->inputs = inner->inputs;
	context->input_count = 0;
	context->output_count = part->output_count;
	context->internal = inner;
	inner->world = world;
	inner->part = part;
	ds_random_start( &inner->random, part->key, DS_DOMAIN_TICK, (uint64_t)world->state.tick );
	if ( world->prepared )
	{
		see_inputs( part, context, inner );
	}

	// truth at the mount
	if ( part->body )
	{
		const ds_body_state *s = &part->body->state;
		const ds_pose now = { s->x, s->q };
		context->pose = ds_pose_mul( place ? *place : now, part->mount_c );
		ds_vec3 w = ds_rotate( s->q, s->w );
		context->velocity = ds_add( s->v, ds_cross( w, ds_rotate( s->q, part->mount_c.position ) ) );
		context->rate = ds_unrotate( part->mount.attitude, s->w );
		context->specific_force = part->state->specific_force;
	}
	else
	{
		context->pose = ds_pose_identity();
		context->velocity = context->rate = context->specific_force = zero;
	}
	see_water( world, part, context );
}

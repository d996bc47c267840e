// Lamps, and what their light goes through.

#include "core/world.h"

#include <math.h>

ds_status ds_lights_prepare( ds_world *world )
{
	int32_t count = 0;
	for ( int32_t i = 0; i < world->parts[DS_ACTUATOR].count; ++i )
	{
		count += ( (const ds_part *)world->parts[DS_ACTUATOR].order[i] )->model->layout.lamp != NULL;
	}
	if ( world->light_room < count )
	{
		DS_FREE( &world->hooks.allocator, world->lights, world->light_room );
		world->lights = NULL;
		world->light_room = 0;
		DS_TRY( DS_NEW( &world->hooks.allocator, count, &world->lights ) );
		world->light_room = count;
	}
	return DS_OK;
}

// A lamp as it is now: its level is that of the last tick, its pose that of the end of it.
static ds_light light_of( const ds_part *part )
{
	const ds_body_state *s = &part->body->state;
	const ds_vec3 w = ds_rotate( s->q, s->w );
	ds_light light = { .lamp = part->model->layout.lamp,
		.pose = ds_pose_mul( ( ds_pose ){ s->x, s->q }, part->mount_c ),
		.level = part->state->effort.light,
		.body = part->body->id };
	light.velocity.linear = ds_add( s->v, ds_cross( w, ds_rotate( s->q, part->mount_c.position ) ) );
	light.velocity.angular = w;
	return light;
}

ds_status ds_lights_view( ds_world *world, ds_light_view *view )
{
	const ds_slots *actuators = world->parts + DS_ACTUATOR;
	*view = ( ds_light_view ){ world->lights, 0, world->optics, &world->environment.sky };
	for ( int32_t i = 0; i < actuators->count; ++i )
	{
		const ds_part *part = actuators->order[i];
		if ( part->model->layout.lamp && part->state->effort.light > 0 )
		{
			if ( view->light_count == world->light_room )
			{
				return ds_error( DS_ERROR_STATE, "light_view: the world is not prepared yet" );
			}
			world->lights[view->light_count++] = light_of( part );
		}
	}
	return DS_OK;
}

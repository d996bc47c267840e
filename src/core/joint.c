#include "core/world.h"

#include <math.h>
#include <string.h>

ds_joint_def ds_joint_def_default( void )
{
	ds_joint_def def;
	memset( &def, 0, sizeof( def ) );
	def.struct_size = sizeof( def );
	def.frame = ds_pose_identity();
	return def;
}

static ds_status check( const ds_joint_def *def )
{
	if ( def->kind < DS_JOINT_FIXED || def->kind > DS_JOINT_BALL )
	{
		return ds_error( DS_ERROR_RANGE, "joint \"%s\": unknown kind %d", def->name, def->kind );
	}
	if ( def->body_a == def->body_b )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "joint \"%s\": it must join two different bodies, or a body and the world", def->name );
	}
	const ds_quat q = def->frame.attitude;
	const double sum = def->frame.position.x + def->frame.position.y + def->frame.position.z + q.w + q.x + q.y + q.z +
					   def->lower + def->upper + def->motor_velocity + def->motor_force;
	if ( !isfinite( sum ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "joint \"%s\": frame, limits and motor must be finite", def->name );
	}
	bool axis = def->kind == DS_JOINT_HINGE || def->kind == DS_JOINT_SLIDER;
	if ( !axis && ( def->limited || def->motor_force != 0 ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "joint \"%s\": only hinges and sliders have limits and motors", def->name );
	}
	if ( def->limited && !( def->lower <= def->upper ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "joint \"%s\": lower %g is above upper %g", def->name, def->lower, def->upper );
	}
	if ( def->limited && def->kind == DS_JOINT_HINGE && ( def->lower <= -DS_PI || def->upper >= DS_PI ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "joint \"%s\": limits of a hinge must lie between -180 and 180 degrees", def->name );
	}
	if ( def->motor_force < 0 )
	{
		return ds_error( DS_ERROR_RANGE, "joint \"%s\": motor_force must not be negative", def->name );
	}
	return DS_OK;
}

// The joint's frame about each body's reference point; it is given in body a's frame, and the bodies are joined as they stand.
static void place_frames( ds_joint *joint )
{
	ds_pose frame = joint->def.frame;
	frame.attitude = ds_quat_normalize( frame.attitude );
	ds_pose in_world = frame;
	joint->frame_a = frame;
	if ( joint->a )
	{
		joint->frame_a.position = ds_sub( frame.position, joint->a->c );
		in_world = ds_pose_mul( ( ds_pose ){ joint->a->state.x, joint->a->state.q }, joint->frame_a );
	}
	joint->frame_b = in_world;
	if ( joint->b )
	{
		const ds_body_state *s = &joint->b->state;
		joint->frame_b.position = ds_unrotate( s->q, ds_sub( in_world.position, s->x ) );
		joint->frame_b.attitude = ds_quat_normalize( ds_quat_mul( ds_quat_conjugate( s->q ), in_world.attitude ) );
	}
}

ds_status ds_joint_create( ds_world *world, const ds_joint_def *def, ds_id *id )
{
	if ( world == NULL || def == NULL || id == NULL || def->struct_size != sizeof( *def ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_joint_create needs a world, a definition from ds_joint_def_default() and room for the id" );
	}
	*id = DS_NO_ID;
	DS_TRY( ds_world_may_change( world ) );
	DS_TRY( ds_world_check_name( world, DS_JOINT, def->name ) );
	DS_TRY( check( def ) );
	ds_body *a = NULL, *b = NULL;
	if ( def->body_a != DS_NO_ID )
	{
		DS_TRY( ds_world_body( world, def->body_a, &a ) );
	}
	if ( def->body_b != DS_NO_ID )
	{
		DS_TRY( ds_world_body( world, def->body_b, &b ) );
	}
	ds_joint *joint;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &joint ) );
	memcpy( joint->name, def->name, sizeof( joint->name ) );
	joint->def = *def;
	joint->a = a;
	joint->b = b;
	joint->bullet = DSB_NONE;
	joint->state = ( ds_joint_live ){ def->motor_velocity, def->motor_force };
	place_frames( joint );
	ds_status status = ds_slots_add( &world->joints, joint, &joint->id );
	if ( status != DS_OK )
	{
		DS_FREE( &world->hooks.allocator, joint, 1 );
		return status;
	}
	world->prepared = false;
	*id = joint->id;
	return DS_OK;
}

ds_status ds_joint_destroy( ds_world *world, ds_id id )
{
	ds_joint *joint;
	DS_TRY( ds_world_joint( world, id, &joint ) );
	DS_TRY( ds_world_may_change( world ) );
	world->prepared = false;
	ds_collide_free( world );
	ds_slots_remove( &world->joints, id );
	DS_FREE( &world->hooks.allocator, joint, 1 );
	return DS_OK;
}

void ds_joint_motor_update( ds_world *world, const ds_joint *joint )
{
	if ( world->bullet && joint->bullet != DSB_NONE )
	{
		dsb_motor motor = { joint->state.motor_force > 0 ? DSB_MOTOR_VELOCITY : DSB_MOTOR_OFF,
			joint->state.motor_velocity, joint->state.motor_force, 0, 0 };
		dsb_joint_set_motor( world->bullet, joint->bullet, &motor );
	}
}

ds_status ds_joint_set_motor( ds_world *world, ds_id id, double velocity, double force )
{
	ds_joint *joint;
	DS_TRY( ds_world_joint( world, id, &joint ) );
	DS_TRY( ds_world_may_change( world ) );
	if ( !isfinite( velocity ) || !isfinite( force ) || force < 0 )
	{
		return ds_error(
			DS_ERROR_RANGE, "joint \"%s\": velocity must be finite, force finite and not negative", joint->name );
	}
	if ( joint->def.kind != DS_JOINT_HINGE && joint->def.kind != DS_JOINT_SLIDER )
	{
		return ds_error( DS_ERROR_TYPE, "joint \"%s\": only hinges and sliders have motors", joint->name );
	}
	joint->state = ( ds_joint_live ){ velocity, force };
	ds_joint_motor_update( world, joint );
	return DS_OK;
}

ds_status ds_joint_state_get( const ds_world *world, ds_id id, ds_joint_state *state )
{
	ds_joint *joint;
	DS_TRY( ds_world_joint( world, id, &joint ) );
	if ( state == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_joint_state_get needs room for the state" );
	}
	*state = ( ds_joint_state ){ 0, 0 };
	if ( world->bullet && joint->bullet != DSB_NONE )
	{
		dsb_joint_state( world->bullet, joint->bullet, &state->position, &state->velocity, NULL );
	}
	return DS_OK;
}

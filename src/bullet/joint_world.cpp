// Making joints in a world, and asking about them. joint.cpp has their mechanics.

#include "bullet/world.h"

#include <cmath>
#include <new>

using namespace dsb;

dsb_joint_def dsb_joint_def_default( void )
{
	dsb_joint_def def{};
	def.frame_a.attitude.w = def.frame_b.attitude.w = 1;
	def.body_a = def.body_b = DSB_NONE;
	return def;
}

static ds_status check_joint( const dsb_world *world, const dsb_joint_def &def )
{
	const Body *a = world->get( def.body_a ), *b = world->get( def.body_b );
	if ( ( def.body_a != DSB_NONE && !a ) || ( def.body_b != DSB_NONE && !b ) )
	{
		return ds_error( DS_ERROR_STALE, "joint %lld: a body does not exist", (long long)def.id );
	}
	if ( ( !a || a->is_static ) && ( !b || b->is_static ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "joint %lld: at least one of its bodies must move", (long long)def.id );
	}
	if ( a == b )
	{
		return ds_error( DS_ERROR_ARGUMENT, "joint %lld: a body cannot be joined to itself", (long long)def.id );
	}
	if ( !finite( def.frame_a ) || !finite( def.frame_b ) )
	{
		return ds_error(
			DS_ERROR_NOT_FINITE, "joint %lld: a frame is not finite or its quaternion is zero", (long long)def.id );
	}
	bool angle = def.kind == DSB_JOINT_HINGE;
	if ( def.limited && !( std::isfinite( def.lower ) && std::isfinite( def.upper ) && def.lower <= def.upper &&
							( !angle || ( def.lower > -SIMD_PI && def.upper < SIMD_PI ) ) ) )
	{
		return ds_error( DS_ERROR_RANGE, "joint %lld: limits %g to %g must rise%s", (long long)def.id, def.lower,
			def.upper, angle ? " and lie between -pi and pi" : "" );
	}
	return DS_OK;
}

ds_status dsb_joint_create( dsb_world *world, const dsb_joint_def *def, int32_t *joint )
{
	*joint = DSB_NONE;
	ds_status status = check_joint( world, *def );
	if ( status != DS_OK )
	{
		return status;
	}
	try
	{
		size_t at = 0;
		while ( at < world->joints.size() && world->joints[at] )
		{
			++at;
		}
		dsb_joint_def clean = *def;
		clean.frame_a = normalized( def->frame_a );
		clean.frame_b = normalized( def->frame_b );
		Body *a = world->get( def->body_a ), *b = world->get( def->body_b );
		auto made =
			std::make_unique<Joint>( clean, a, b, a ? *a->rigid : *world->anchor, b ? *b->rigid : *world->anchor );
		if ( at == world->joints.size() )
		{
			world->joints.push_back( nullptr );
		}
		world->joints[at] = std::move( made );
		world->sort();
		*joint = (int32_t)at;
		return DS_OK;
	}
	catch ( ... )
	{
		return ds_error( DS_ERROR_MEMORY, "joint %lld: out of memory", (long long)def->id );
	}
}

void dsb_joint_destroy( dsb_world *world, int32_t joint )
{
	if ( world->get_joint( joint ) )
	{
		world->joints[(size_t)joint].reset();
		world->sort();
	}
}

void dsb_joint_set_motor( dsb_world *world, int32_t joint, const dsb_motor *motor )
{
	if ( Joint *j = world->get_joint( joint ) )
	{
		j->motor = *motor;
	}
}

void dsb_joint_state( const dsb_world *world, int32_t joint, double *position, double *velocity, ds_wrench *reaction )
{
	const Joint *j = world->get_joint( joint );
	if ( position )
	{
		*position = j ? j->position() : 0;
	}
	if ( velocity )
	{
		*velocity = j ? j->rate() : 0;
	}
	if ( reaction )
	{
		*reaction = j ? j->reaction : ds_wrench{};
	}
}

// What is asked of a world: contacts of the last step, rays.

#include "bullet/world.h"

#include <cmath>

using namespace dsb;

int32_t dsb_contact_count( const dsb_world *world )
{
	return (int32_t)world->contacts.size();
}

const dsb_contact *dsb_contacts( const dsb_world *world )
{
	return world->contacts.data();
}

ds_status dsb_ray_test( const dsb_world *world, ds_vec3 from, ds_vec3 to, int32_t ignore_body, dsb_hit *hit )
{
	if ( !finite( from ) || !finite( to ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "ray: an end is not finite" );
	}
	btVector3 start = to_bt( from ), end = to_bt( to );
	RayHit best{ std::nextafter( 1.0, 2.0 ), btVector3( 0, 0, 0 ) };
	hit->body = hit->child = DSB_NONE;
	for ( const Body *body : world->order )
	{
		if ( !body->active || body->index == ignore_body ||
			 !ray_box_overlap( start, end, body->lower, body->upper, best.fraction ) )
		{
			continue;
		}
		// Positions are subtracted before anything is turned, so that nothing is lost far from the world's origin.
		btTransform pose = to_bt( body->pose );
		btVector3 local_start = ( start - pose.getOrigin() ) * pose.getBasis();
		btVector3 local_end = ( end - pose.getOrigin() ) * pose.getBasis();
		for ( size_t i = 0; i < body->parts.size(); ++i )
		{
			const Part &part = body->parts[i];
			if ( ray_primitive(
					 *part.primitive, part.pose.invXform( local_start ), part.pose.invXform( local_end ), best ) )
			{
				hit->body = body->index;
				hit->child = (int32_t)i;
				hit->normal = to_ds( pose.getBasis() * ( part.pose.getBasis() * best.normal ) );
			}
		}
	}
	if ( hit->body == DSB_NONE )
	{
		return DS_ERROR_NOT_FOUND;
	}
	hit->fraction = best.fraction;
	hit->point = to_ds( start + ( end - start ) * best.fraction );
	return DS_OK;
}

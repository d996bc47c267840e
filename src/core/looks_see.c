// What the rays of cameras see where they meet the ground and bodies, a packet at a time.

#include "core/looks.h"

#include <math.h>
#include <string.h>

// Puts a normal on the side that a facet shows.
static void store_normal( ds_vec3 n, ds_vec3 facet, float out[3] )
{
	const double side = ds_dot( n, facet ) < 0 ? -1 : 1;
	out[0] = (float)( side * n.x );
	out[1] = (float)( side * n.y );
	out[2] = (float)( side * n.z );
}

static ds_vec3 vec( const float v[3] )
{
	return ds_v3( (double)v[0], (double)v[1], (double)v[2] );
}

static void take_surface( const ds_surface *surface, ds_look *look )
{
	memcpy( look->color, surface->color, sizeof( look->color ) );
	look->metallic = surface->metallic;
	look->roughness = surface->roughness;
}

static void see_body( const ds_world *world, const ds_ray_sight *sight, int k, ds_vec3 point, ds_vec3 facet,
	double footprint, ds_look *look )
{
	const int32_t index = sight->packet.body[k];
	const ds_body *body = world->bodies.order[index];
	const double time = sight->time[k];
	const ds_pose pose = ds_ray_scene_pose( world->looks->scene, index, time );
	const ds_vec3 arm = ds_sub( point, pose.position ), at = ds_unrotate( pose.attitude, arm );
	const ds_vec3 local = ds_unrotate( body->visual_pose.attitude, ds_sub( at, body->visual_pose.position ) );
	ds_surface surface;
	ds_visual_at( body->visual, sight->packet.item[k], local, footprint, &surface );
	take_surface( &surface, look );
	const ds_vec3 normal = ds_rotate( pose.attitude, ds_rotate( body->visual_pose.attitude, vec( surface.normal ) ) );
	store_normal( normal, facet, look->normal );
	const ds_twist *t = world->looks->twists + index;
	const ds_vec3 velocity = ds_add( t->linear, ds_cross( t->angular, arm ) );
	look->velocity[0] = (float)velocity.x;
	look->velocity[1] = (float)velocity.y;
	look->velocity[2] = (float)velocity.z;
	look->body = body->id;
	look->instance = DS_LOOK_FIRST_BODY + index;
}

static void store_ground( const ds_seabed_places *ground, float roughness, int k, ds_look *look )
{
	for ( int x = 0; x < 3; ++x )
	{
		look->normal[x] = ground->normal[x][k];
		look->color[x] = ground->color[x][k];
	}
	look->roughness = roughness;
	look->instance = ground->instance[k] > 0 ? DS_LOOK_NODULES + ground->instance[k] : DS_LOOK_SEABED;
}

// Lanes that met the ground; lanes that met a body.
static uint32_t lanes_on_ground( const ds_ray_packet *p, uint32_t *on_bodies )
{
	uint32_t ground = 0, met = 0;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		met |= (uint32_t)( p->item[k] >= 0 ) << k;
		ground |= (uint32_t)( p->body[k] < 0 ) << k;
	}
	met &= p->lanes;
	*on_bodies = met & ~ground;
	return met & ground;
}

void ds_looks_see( const ds_world *world, const ds_look_kernel *kernel, const ds_ray_sight *sight,
	const double *footprint, int count, ds_look *looks )
{
	const ds_ray_packet *p = &sight->packet;
	uint32_t on_bodies;
	const uint32_t on_ground = lanes_on_ground( p, &on_bodies );
	const ds_seabed_plan *seabed = &world->looks->seabed;
	const float roughness = (float)seabed->look.roughness;
	ds_look_places at;
	ds_seabed_places ground;
	kernel->place( p, footprint, &at );
	if ( on_ground )
	{
		const ds_terrain_view *view = ds_terrain_see( world->ground.terrain );
		kernel->ask( view->kind == DS_GROUND_GRID ? view : NULL, &at, on_ground, &ground );
		ds_seabed_plan_look( seabed, DS_RAY_LANES, &ground );
		kernel->face( &at, &ground );
	}
	for ( int k = 0; k < count; ++k )
	{
		ds_look *look = looks + k;
		*look = ( ds_look ){ .distance = -1, .body = DS_NO_ID };
		if ( ( ( on_ground | on_bodies ) >> k & 1 ) == 0 )
		{
			continue;
		}
		const ds_vec3 facet = ds_v3( at.facet[0][k], at.facet[1][k], at.facet[2][k] );
		look->distance = p->far[k];
		look->facet[0] = (float)facet.x;
		look->facet[1] = (float)facet.y;
		look->facet[2] = (float)facet.z;
		if ( on_ground >> k & 1 )
		{
			store_ground( &ground, roughness, k, look );
		}
		else
		{
			const ds_vec3 point = ds_v3( at.point[0][k], at.point[1][k], at.point[2][k] );
			see_body( world, sight, k, point, facet, at.footprint[k], look );
		}
	}
}

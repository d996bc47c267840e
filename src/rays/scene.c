// Scenes: a terrain and bodies at their poses.

#include "base/base.h"
#include "deepsim/math.h"
#include "rays/ground.h"
#include "rays/layer.h"
#include "rays/sight.h"

#include <string.h>

struct ds_ray_scene
{
	ds_allocator allocator;
	ds_terrain *terrain; // retained; NULL: none
	const ds_ray_ground *ground; // NULL: none, or a plane
	ds_ray_layer *layers[DS_RAY_LAYERS]; // NULL: no bodies
};

void ds_ray_scene_destroy( ds_ray_scene *scene )
{
	if ( scene )
	{
		ds_allocator allocator = scene->allocator;
		for ( int i = 0; i < DS_RAY_LAYERS; ++i )
		{
			ds_ray_layer_destroy( scene->layers[i] );
		}
		ds_terrain_release( scene->terrain );
		DS_FREE( &allocator, scene, 1 );
	}
}

static ds_status fill( ds_ray_scene *s, const ds_terrain *terrain, ds_ray_geometry *const *geometries, int32_t count )
{
	if ( terrain )
	{
		s->terrain = ds_terrain_retain( (ds_terrain *)terrain ); // counts; the ground is not changed
		DS_TRY( ds_ray_ground_of( terrain, &s->ground ) );
	}
	return ds_ray_layer_create( &s->allocator, geometries, count, false, s->layers + DS_RAY_COLLIDES );
}

ds_status ds_ray_scene_create( const ds_hooks *hooks, const ds_terrain *terrain, ds_ray_geometry *const *geometries,
	int32_t count, ds_ray_scene **scene )
{
	if ( scene == NULL || count < 0 || ( count > 0 && geometries == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "rays: a scene needs room for the result, and a geometry for every body" );
	}
	*scene = NULL;
	ds_ray_scene *s;
	DS_TRY( DS_NEW( hooks ? &hooks->allocator : NULL, 1, &s ) );
	if ( hooks )
	{
		s->allocator = hooks->allocator;
	}
	ds_status status = fill( s, terrain, geometries, count );
	if ( status != DS_OK )
	{
		ds_ray_scene_destroy( s );
		return status;
	}
	*scene = s;
	return DS_OK;
}

ds_status ds_ray_scene_show( ds_ray_scene *scene, ds_ray_geometry *const *geometries, int32_t count )
{
	if ( scene == NULL || count < 0 || ( count > 0 && geometries == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "rays: what is seen needs a scene, and a geometry for every body" );
	}
	ds_ray_layer_destroy( scene->layers[DS_RAY_SEEN] );
	return ds_ray_layer_create( &scene->allocator, geometries, count, true, scene->layers + DS_RAY_SEEN );
}

// ---- placing -------------------------------------------------------------------------------------------------------

static ds_status place( ds_ray_scene *scene, int layer, const ds_pose *poses, const ds_twist *twists )
{
	if ( scene == NULL || scene->layers[layer] == NULL || ( scene->layers[layer]->count > 0 && poses == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "rays: bodies are placed in a scene, each at a pose" );
	}
	return ds_ray_layer_place( scene->layers[layer], poses, twists );
}

ds_status ds_ray_scene_place( ds_ray_scene *scene, const ds_pose *poses )
{
	return place( scene, DS_RAY_COLLIDES, poses, NULL );
}

ds_status ds_ray_scene_place_seen( ds_ray_scene *scene, const ds_pose *poses, const ds_twist *twists )
{
	return place( scene, DS_RAY_SEEN, poses, twists );
}

ds_status ds_ray_scene_reach( const ds_ray_scene *scene, int reach )
{
	return ds_ray_layer_reach( scene->layers[DS_RAY_SEEN], reach );
}

ds_pose ds_ray_scene_pose( const ds_ray_scene *scene, int32_t body, double time )
{
	return ds_ray_layer_pose( scene->layers[DS_RAY_SEEN], body, time );
}

// ---- casting -------------------------------------------------------------------------------------------------------

// The plane, from either side; a ray that starts in it does not meet it.
static void meet_plane( const ds_terrain_view *view, ds_ray_packet *p )
{
	double sn = view->slope_north, se = view->slope_east, s = 1 / sqrt( 1 + ( sn * sn + se * se ) );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		double f = p->origin[2][k] - view->base - ( sn * p->origin[0][k] + se * p->origin[1][k] );
		double m = p->direction[2][k] - ( sn * p->direction[0][k] + se * p->direction[1][k] );
		double t = -f / m;
		if ( ( p->lanes >> k & 1 ) && f * m < 0 && t <= p->far[k] )
		{
			p->far[k] = t;
			p->item[k] = 0;
			p->body[k] = -1;
			p->normal[0][k] = s * sn;
			p->normal[1][k] = s * se;
			p->normal[2][k] = -s;
		}
	}
}

// What is not finite, or has a direction that is none, meets nothing.
static bool can_meet( const ds_ray *r )
{
	double length2 = ds_dot( r->direction, r->direction );
	double places = fabs( r->origin.x ) + fabs( r->origin.y ) + fabs( r->origin.z );
	return length2 > 0.25 && length2 < 4 && places < 1e12 && r->range >= 0;
}

static void load( const ds_ray *rays, int count, ds_ray_packet *p, int32_t *ignore )
{
	static const ds_ray none = { .ignore = -1 };
	p->lanes = 0;
	for ( int k = 0; k < count; ++k )
	{
		const ds_ray *r = can_meet( rays + k ) ? rays + k : &none;
		p->lanes |= (uint32_t)( r != &none ) << k;
		p->origin[0][k] = r->origin.x;
		p->origin[1][k] = r->origin.y;
		p->origin[2][k] = r->origin.z;
		p->direction[0][k] = r->direction.x;
		p->direction[1][k] = r->direction.y;
		p->direction[2][k] = r->direction.z;
		p->far[k] = r->range;
		p->item[k] = -1;
		p->body[k] = -1;
		ignore[k] = r->ignore;
	}
	for ( int k = count; k < DS_RAY_LANES; ++k )
	{
		for ( int x = 0; x < 3; ++x )
		{
			p->origin[x][k] = p->direction[x][k] = 0;
		}
		p->far[k] = 0;
		p->item[k] = -1;
		p->body[k] = ignore[k] = -1;
	}
}

static void store( const ds_ray_packet *p, int count, ds_ray_found *found )
{
	for ( int k = 0; k < count; ++k )
	{
		ds_ray_found *f = found + k;
		if ( p->item[k] < 0 )
		{
			*f = ( ds_ray_found ){ .distance = -1, .body = -1, .primitive = -1 };
			continue;
		}
		ds_vec3 n = ds_v3( p->normal[0][k], p->normal[1][k], p->normal[2][k] );
		double along = n.x * p->direction[0][k] + n.y * p->direction[1][k] + n.z * p->direction[2][k];
		f->distance = p->far[k];
		f->normal = along > 0 ? ds_scale( -1, n ) : n;
		f->body = p->body[k];
		f->primitive = p->item[k];
	}
}

void ds_ray_scene_meet( const ds_ray_scene *scene, const ds_ray_kernel *kernel, ds_ray_sight *sight )
{
	ds_ray_packet *packet = &sight->packet;
	const ds_ray_layer *layer = scene->layers[sight->layer];
	if ( scene->ground )
	{
		ds_ray_ground_cast( scene->ground, kernel, packet );
	}
	else if ( scene->terrain )
	{
		meet_plane( ds_terrain_see( scene->terrain ), packet );
	}
	if ( layer && layer->placed )
	{
		ds_ray_layer_cast( layer, sight->reach, sight->time, sight->ignore, packet );
	}
}

void ds_ray_scene_cast( const ds_ray_scene *scene, const ds_ray *rays, int64_t count, ds_ray_found *found )
{
	const ds_ray_kernel *kernel = ds_ray_kernel_best();
	for ( int64_t i = 0; i < count; i += DS_RAY_LANES )
	{
		int n = count - i < DS_RAY_LANES ? (int)( count - i ) : DS_RAY_LANES;
		ds_ray_sight sight;
		sight.layer = DS_RAY_COLLIDES;
		sight.reach = 0;
		sight.packet.any = false;
		load( rays + i, n, &sight.packet, sight.ignore );
		ds_ray_scene_meet( scene, kernel, &sight );
		store( &sight.packet, n, found + i );
	}
}

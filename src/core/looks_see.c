// What the rays of cameras see where they meet the ground and bodies, a packet at a time.

#include "core/looks.h"

#include <math.h>
#include <string.h>

// ---- the ground ------------------------------------------------------------------------------------------------------

// Heights around the places that the rays of a packet meet on a grid: about each cell (i, j) rows i - 1 to i + 2 and columns j - 1 to j + 2
// as far as there are some, without their corners, and one over the steps between those that make a slope.
typedef struct neighbours
{
	alignas( 64 ) float up[2][DS_RAY_LANES], near[2][DS_RAY_LANES], far[2][DS_RAY_LANES],
		down[2][DS_RAY_LANES]; // rows; columns j, j + 1
	float left[2][DS_RAY_LANES], right[2][DS_RAY_LANES]; // rows i and i + 1
	float per_up[DS_RAY_LANES], per_down[DS_RAY_LANES], per_left[DS_RAY_LANES], per_right[DS_RAY_LANES];
	float u[DS_RAY_LANES], v[DS_RAY_LANES]; // in the cell, 0 to 1
} neighbours;

static void find_neighbours(
	const ds_terrain_view *g, const double per[2], double north, double east, int k, neighbours *n )
{
	const int64_t last_row = g->rows - 1, last_column = g->columns - 1;
	const double u = ( north - g->north ) * per[0], v = ( east - g->east ) * per[1];
	int64_t i = u > 0 ? (int64_t)u : 0, j = v > 0 ? (int64_t)v : 0;
	i = i < last_row ? i : last_row - 1;
	j = j < last_column ? j : last_column - 1;
	const int64_t up = i > 0 ? 1 : 0, down = i + 1 < last_row ? 2 : 1;
	const int64_t left = j > 0 ? 1 : 0, right = j + 1 < last_column ? 2 : 1;
	const float *z = g->z + i * g->columns + j, *y = z + g->columns;
	const float *above = z - up * g->columns, *below = z + down * g->columns;
	n->up[0][k] = above[0];
	n->up[1][k] = above[1];
	n->near[0][k] = z[0];
	n->near[1][k] = z[1];
	n->far[0][k] = y[0];
	n->far[1][k] = y[1];
	n->down[0][k] = below[0];
	n->down[1][k] = below[1];
	n->left[0][k] = z[-left];
	n->left[1][k] = y[-left];
	n->right[0][k] = z[right];
	n->right[1][k] = y[right];
	n->per_up[k] = up ? 0.5f : 1;
	n->per_down[k] = down == 2 ? 0.5f : 1;
	n->per_left[k] = left ? 0.5f : 1;
	n->per_right[k] = right == 2 ? 0.5f : 1;
	n->u[k] = (float)( u - (double)i );
	n->v[k] = (float)( v - (double)j );
}

// Normals of the grid as a smooth surface: slopes at samples are those between their neighbours, bilinear between samples. NaN next to
// a hole. A plain loop, which the compiler makes vectors of.
static void smooth_normals( const neighbours *n, const double per[2], float normal[3][DS_RAY_LANES] )
{
	const float per_north = (float)per[0], per_east = (float)per[1];
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		float u = n->u[k], v = n->v[k];
		u = u < 0 ? 0 : u;
		u = u > 1 ? 1 : u;
		v = v < 0 ? 0 : v;
		v = v > 1 ? 1 : v;
		const float n00 = n->per_up[k] * ( n->far[0][k] - n->up[0][k] );
		const float n01 = n->per_up[k] * ( n->far[1][k] - n->up[1][k] );
		const float n10 = n->per_down[k] * ( n->down[0][k] - n->near[0][k] );
		const float n11 = n->per_down[k] * ( n->down[1][k] - n->near[1][k] );
		const float e00 = n->per_left[k] * ( n->near[1][k] - n->left[0][k] );
		const float e10 = n->per_left[k] * ( n->far[1][k] - n->left[1][k] );
		const float e01 = n->per_right[k] * ( n->right[0][k] - n->near[0][k] );
		const float e11 = n->per_right[k] * ( n->right[1][k] - n->far[0][k] );
		const float n0 = n00 + v * ( n01 - n00 ), n1 = n10 + v * ( n11 - n10 );
		const float e0 = e00 + v * ( e01 - e00 ), e1 = e10 + v * ( e11 - e10 );
		const float a = per_north * ( n0 + u * ( n1 - n0 ) ), b = per_east * ( e0 + u * ( e1 - e0 ) );
		const float scale = 1 / sqrtf( 1 + a * a + b * b );
		normal[0][k] = scale * a;
		normal[1][k] = scale * b;
		normal[2][k] = -scale;
	}
}

// The smooth normals at points of some lanes.
static void ground_normals(
	const ds_terrain_view *g, double point[3][DS_RAY_LANES], uint32_t lanes, float normal[3][DS_RAY_LANES] )
{
	const double per[2] = { 1 / g->spacing_north, 1 / g->spacing_east };
	neighbours n;
	if ( lanes != 0xffffu )
	{
		memset( &n, 0, sizeof( n ) );
	}
	for ( ; lanes; lanes &= lanes - 1 )
	{
		const int k = __builtin_ctz( lanes );
		find_neighbours( g, per, point[0][k], point[1][k], k, &n );
	}
	smooth_normals( &n, per, normal );
}

// ---- what is seen ----------------------------------------------------------------------------------------------------

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

// What a packet met, lane by lane.
typedef struct places
{
	alignas( 64 ) double point[3][DS_RAY_LANES]; // world [m]
	double facet[3][DS_RAY_LANES]; // towards the ray's origin
	double footprint[DS_RAY_LANES]; // [m]
} places;

// Plain loops, which the compiler makes vectors of. Lanes that met nothing get anything.
static void find_places( const ds_ray_packet *p, const double *footprint, places *at )
{
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double t = p->far[k], x = p->normal[0][k], y = p->normal[1][k], z = p->normal[2][k];
		const double along = x * p->direction[0][k] + y * p->direction[1][k] + z * p->direction[2][k];
		const double side = along > 0 ? -1 : 1;
		at->facet[0][k] = side * x;
		at->facet[1][k] = side * y;
		at->facet[2][k] = side * z;
		at->footprint[k] = t * footprint[k];
	}
	for ( int x = 0; x < 3; ++x )
	{
		for ( int k = 0; k < DS_RAY_LANES; ++k )
		{
			at->point[x][k] = p->origin[x][k] + p->far[k] * p->direction[x][k];
		}
	}
}

// The seabed under the lanes. `smooth`: normals of the ground there; NaN for none.
static void look_at_ground(
	const ds_world *world, const places *at, float smooth[3][DS_RAY_LANES], ds_seabed_places *ground )
{
	memcpy( ground->north, at->point[0], sizeof( ground->north ) );
	memcpy( ground->east, at->point[1], sizeof( ground->east ) );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double side = at->facet[2][k] > 0 ? -1 : 1;
		const bool is_smooth = smooth[2][k] < 0;
		for ( int x = 0; x < 3; ++x )
		{
			ground->up[x][k] = is_smooth ? smooth[x][k] : (float)( side * at->facet[x][k] );
		}
		ground->footprint[k] = (float)( at->footprint[k] < 1e6 ? at->footprint[k] : 1e6 );
	}
	ds_seabed_plan_look( &world->looks->seabed, DS_RAY_LANES, ground );
	// on the side that the facet shows
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const float side = ground->normal[0][k] * (float)at->facet[0][k] +
									   ground->normal[1][k] * (float)at->facet[1][k] +
									   ground->normal[2][k] * (float)at->facet[2][k] <
								   0
							   ? -1
							   : 1;
		ground->normal[0][k] *= side;
		ground->normal[1][k] *= side;
		ground->normal[2][k] *= side;
	}
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

void ds_looks_see(
	const ds_world *world, const ds_ray_sight *sight, const double *footprint, int count, ds_look *looks )
{
	const ds_ray_packet *p = &sight->packet;
	uint32_t on_bodies;
	const uint32_t on_ground = lanes_on_ground( p, &on_bodies );
	const float roughness = (float)world->looks->seabed.look.roughness;
	places at;
	ds_seabed_places ground;
	find_places( p, footprint, &at );
	if ( on_ground )
	{
		const ds_terrain_view *view = ds_terrain_see( world->ground.terrain );
		float smooth[3][DS_RAY_LANES];
		if ( view->kind == DS_GROUND_GRID )
		{
			ground_normals( view, at.point, on_ground, smooth );
		}
		else
		{
			memset( smooth, 0, sizeof( smooth ) );
		}
		look_at_ground( world, &at, smooth, &ground );
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

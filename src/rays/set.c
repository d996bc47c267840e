#include "rays/set.h"

#include "base/base.h"
#include "deepsim/math.h"
#include "rays/shape.h"

static void corners_of( const ds_ray_set *set, int64_t item, ds_vec3 corners[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		corners[k] = set->vertices[set->triangles[3 * item + k]];
	}
}

static void box_of( const ds_ray_set *set, int64_t item, ds_vec3 *lower, ds_vec3 *upper )
{
	if ( item >= set->triangle_count )
	{
		ds_ray_shape_box( set->shapes + ( item - set->triangle_count ), lower, upper );
		return;
	}
	ds_vec3 c[3];
	corners_of( set, item, c );
	*lower = ds_v3( fmin( c[0].x, fmin( c[1].x, c[2].x ) ), fmin( c[0].y, fmin( c[1].y, c[2].y ) ),
		fmin( c[0].z, fmin( c[1].z, c[2].z ) ) );
	*upper = ds_v3( fmax( c[0].x, fmax( c[1].x, c[2].x ) ), fmax( c[0].y, fmax( c[1].y, c[2].y ) ),
		fmax( c[0].z, fmax( c[1].z, c[2].z ) ) );
}

static void tree_box( void *user, uint32_t item, float lower[3], float upper[3] )
{
	const ds_ray_set *set = user;
	ds_vec3 low, high;
	box_of( set, item, &low, &high );
	ds_ray_item_box( &set->bounds, low, high, lower, upper );
}

ds_status ds_ray_set_build( ds_ray_set *set )
{
	int64_t count = set->triangle_count + set->shape_count;
	ds_vec3 lower = ds_v3( INFINITY, INFINITY, INFINITY ), upper = ds_v3( -INFINITY, -INFINITY, -INFINITY );
	for ( int64_t i = 0; i < count; ++i )
	{
		ds_vec3 low, high;
		box_of( set, i, &low, &high );
		lower = ds_v3( fmin( lower.x, low.x ), fmin( lower.y, low.y ), fmin( lower.z, low.z ) );
		upper = ds_v3( fmax( upper.x, high.x ), fmax( upper.y, high.y ), fmax( upper.z, high.z ) );
	}
	set->bounds = ds_ray_bounds_of( lower, upper );
	set->tree = NULL;
	if ( count <= DS_RAY_FEW )
	{
		return DS_OK;
	}
	if ( count >= UINT32_MAX )
	{
		return ds_error(
			DS_ERROR_LIMIT, "rays: %lld triangles and shapes, at most 4294967294 are possible", (long long)count );
	}
	DS_TRY( ds_ray_module( NULL, &set->module ) );
	ds_tree_def def = { .count = (uint32_t)count, .box = tree_box, .user = set };
	return set->module->create( &def, &set->tree );
}

void ds_ray_set_free( ds_ray_set *set )
{
	if ( set->tree )
	{
		set->module->destroy( set->tree );
		set->tree = NULL;
	}
}

// ---- casting -------------------------------------------------------------------------------------------------------

static void meet_item( const ds_ray_set *set, int64_t item, ds_ray_packet *met, uint32_t lanes )
{
	ds_vec3 corners[3];
	bool triangle = item < set->triangle_count;
	if ( triangle )
	{
		corners_of( set, item, corners );
	}
	for ( ; lanes; lanes &= lanes - 1 )
	{
		int k = __builtin_ctz( lanes );
		ds_vec3 o = ds_v3( met->origin[0][k], met->origin[1][k], met->origin[2][k] ), n;
		ds_vec3 d = ds_v3( met->direction[0][k], met->direction[1][k], met->direction[2][k] );
		double t;
		bool hit = triangle ? ds_ray_triangle_meet( corners, set->front, o, d, &t, &n )
							: ds_ray_shape_meet( set->shapes + ( item - set->triangle_count ), o, d, &t, &n );
		int64_t old = met->item[k];
		if ( hit && ( t < met->far[k] || ( t == met->far[k] && ( old < 0 || item < old ) ) ) )
		{
			met->far[k] = t;
			met->item[k] = item;
			met->normal[0][k] = n.x;
			met->normal[1][k] = n.y;
			met->normal[2][k] = n.z;
		}
	}
}

typedef struct visit
{
	const ds_ray_set *set;
	ds_ray_packet *met;
} visit;

static void visit_item( void *user, ds_tree_packet *packet, uint32_t item, uint32_t lanes )
{
	const visit *v = user;
	meet_item( v->set, item, v->met, lanes );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		bool ended = v->met->any && v->met->item[k] >= 0;
		packet->far[k] = ended ? -1 : ds_ray_beyond( v->met->far[k] );
	}
}

void ds_ray_set_cast( const ds_ray_set *set, const ds_ray_packet *from, ds_ray_packet *met )
{
	ds_ray_approach( &set->bounds, from, met );
	if ( met->lanes == 0 )
	{
		return;
	}
	if ( set->tree == NULL )
	{
		for ( int64_t i = 0; i < set->triangle_count + set->shape_count; ++i )
		{
			meet_item( set, i, met, met->lanes );
		}
		return;
	}
	ds_tree_packet single;
	ds_ray_single( &set->bounds, met, &single );
	visit v = { set, met };
	set->module->cast( set->tree, &single, visit_item, &v );
}

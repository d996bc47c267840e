// Scenes: a terrain and bodies at their poses.

#include "base/base.h"
#include "deepsim/math.h"
#include "rays/geometry.h"
#include "rays/ground.h"

#include <string.h>

// The bounding box of a body in the world; lower > upper: it is not met.
typedef struct body_box
{
	ds_vec3 lower, upper;
} body_box;

struct ds_ray_scene
{
	ds_allocator allocator;
	ds_terrain *terrain; // retained; NULL: none
	const ds_ray_ground *ground; // NULL: none, or a plane
	int32_t count;
	ds_ray_geometry **geometries; // retained
	ds_pose *poses;
	body_box *boxes;
	bool placed;
	// bodies once they are many
	ds_ray_bounds bounds;
	const ds_tree_module *module;
	ds_tree *tree;
};

void ds_ray_scene_destroy( ds_ray_scene *scene )
{
	if ( scene == NULL )
	{
		return;
	}
	ds_allocator allocator = scene->allocator;
	if ( scene->tree )
	{
		scene->module->destroy( scene->tree );
	}
	for ( int32_t i = 0; scene->geometries && i < scene->count; ++i )
	{
		ds_ray_geometry_release( scene->geometries[i] );
	}
	DS_FREE( &allocator, scene->geometries, scene->count );
	DS_FREE( &allocator, scene->poses, scene->count );
	DS_FREE( &allocator, scene->boxes, scene->count );
	ds_terrain_release( scene->terrain );
	DS_FREE( &allocator, scene, 1 );
}

static ds_status fill( ds_ray_scene *s, const ds_terrain *terrain, ds_ray_geometry *const *geometries, int32_t count )
{
	if ( terrain )
	{
		s->terrain = ds_terrain_retain( (ds_terrain *)terrain ); // counts; the ground is not changed
		DS_TRY( ds_ray_ground_of( terrain, &s->ground ) );
	}
	s->count = count;
	DS_TRY( DS_NEW( &s->allocator, count, &s->geometries ) );
	DS_TRY( DS_NEW( &s->allocator, count, &s->poses ) );
	DS_TRY( DS_NEW( &s->allocator, count, &s->boxes ) );
	for ( int32_t i = 0; i < count; ++i )
	{
		s->geometries[i] = ds_ray_geometry_retain( geometries[i] );
	}
	return count > DS_RAY_FEW ? ds_ray_module( NULL, &s->module ) : DS_OK;
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

// ---- placing -------------------------------------------------------------------------------------------------------

static body_box box_at( const ds_ray_geometry *geometry, const ds_pose *pose )
{
	body_box none = { { 1, 1, 1 }, { 0, 0, 0 } };
	if ( geometry == NULL )
	{
		return none;
	}
	const ds_ray_bounds *b = &geometry->set.bounds;
	ds_vec3 half = ds_scale( 0.5, ds_sub( b->upper, b->lower ) ), center = ds_pose_point( *pose, b->center );
	ds_mat3 r = ds_mat3_from_quat( pose->attitude );
	double size[3];
	for ( int k = 0; k < 3; ++k )
	{
		size[k] = fabs( r.m[k][0] ) * half.x + fabs( r.m[k][1] ) * half.y + fabs( r.m[k][2] ) * half.z;
	}
	ds_vec3 h = ds_v3( size[0], size[1], size[2] );
	body_box box = { ds_sub( center, h ), ds_add( center, h ) };
	return box;
}

static void body_item_box( void *user, uint32_t item, float lower[3], float upper[3] )
{
	const ds_ray_scene *s = user;
	const body_box *b = s->boxes + item;
	if ( b->lower.x > b->upper.x )
	{
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = upper[k] = NAN;
		}
		return;
	}
	ds_ray_item_box( &s->bounds, b->lower, b->upper, lower, upper );
}

static ds_status check_poses( const ds_ray_scene *scene, const ds_pose *poses )
{
	for ( int32_t i = 0; i < scene->count; ++i )
	{
		const ds_quat *q = &poses[i].attitude;
		double length2 = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
		if ( scene->geometries[i] && ( !ds_finite( poses[i].position ) || !( fabs( length2 - 1 ) < 1e-6 ) ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE,
				"rays: the pose of body %d is not finite, or its attitude is not of unit length", i );
		}
	}
	return DS_OK;
}

static ds_status build_tree( ds_ray_scene *s )
{
	ds_vec3 lower = ds_v3( INFINITY, INFINITY, INFINITY ), upper = ds_v3( -INFINITY, -INFINITY, -INFINITY );
	bool any = false;
	for ( int32_t i = 0; i < s->count; ++i )
	{
		const body_box *b = s->boxes + i;
		if ( b->lower.x <= b->upper.x )
		{
			lower = ds_v3( fmin( lower.x, b->lower.x ), fmin( lower.y, b->lower.y ), fmin( lower.z, b->lower.z ) );
			upper = ds_v3( fmax( upper.x, b->upper.x ), fmax( upper.y, b->upper.y ), fmax( upper.z, b->upper.z ) );
			any = true;
		}
	}
	s->bounds = ds_ray_bounds_of( any ? lower : ds_v3( 0, 0, 0 ), any ? upper : ds_v3( 0, 0, 0 ) );
	ds_tree_def def = { .count = (uint32_t)s->count, .box = body_item_box, .user = s, .quick = true };
	return s->tree ? s->module->rebuild( s->tree, &def ) : s->module->create( &def, &s->tree );
}

ds_status ds_ray_scene_place( ds_ray_scene *scene, const ds_pose *poses )
{
	if ( scene == NULL || ( scene->count > 0 && poses == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "rays: bodies are placed in a scene, each at a pose" );
	}
	size_t size = (size_t)scene->count * sizeof( *poses );
	if ( scene->count == 0 || ( scene->placed && memcmp( scene->poses, poses, size ) == 0 ) )
	{
		return DS_OK;
	}
	scene->placed = false;
	DS_TRY( check_poses( scene, poses ) );
	memcpy( scene->poses, poses, size );
	for ( int32_t i = 0; i < scene->count; ++i )
	{
		scene->boxes[i] = box_at( scene->geometries[i], poses + i );
	}
	if ( scene->count > DS_RAY_FEW )
	{
		DS_TRY( build_tree( scene ) );
	}
	scene->placed = true;
	return DS_OK;
}

// ---- casting -------------------------------------------------------------------------------------------------------

typedef struct cast
{
	const ds_ray_scene *scene;
	ds_ray_packet *world; // origins where they are, the best so far
	ds_ray_packet *moved; // the same near the bodies' tree
	const int32_t *ignore; // of each lane
} cast;

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

// The rays of `lanes` in a body's axes, ended at what they have met.
static void see_from( const ds_pose *pose, const ds_ray_packet *world, uint32_t lanes, ds_ray_packet *local )
{
	local->lanes = lanes;
	for ( ; lanes; lanes &= lanes - 1 )
	{
		int k = __builtin_ctz( lanes );
		// subtracted before anything is turned, so that nothing is lost far from the world's origin
		ds_vec3 o = ds_v3( world->origin[0][k] - pose->position.x, world->origin[1][k] - pose->position.y,
			world->origin[2][k] - pose->position.z );
		ds_vec3 d = ds_v3( world->direction[0][k], world->direction[1][k], world->direction[2][k] );
		o = ds_unrotate( pose->attitude, o );
		d = ds_unrotate( pose->attitude, d );
		local->origin[0][k] = o.x;
		local->origin[1][k] = o.y;
		local->origin[2][k] = o.z;
		local->direction[0][k] = d.x;
		local->direction[1][k] = d.y;
		local->direction[2][k] = d.z;
		local->far[k] = world->far[k];
	}
}

static void meet_body( const cast *c, int32_t body, uint32_t lanes )
{
	const ds_ray_scene *s = c->scene;
	const ds_pose *pose = s->poses + body;
	ds_ray_packet *world = c->world, local, met;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		lanes &= ~( (uint32_t)( c->ignore[k] == body ) << k );
	}
	if ( lanes == 0 )
	{
		return;
	}
	see_from( pose, world, lanes, &local );
	ds_ray_set_cast( &s->geometries[body]->set, &local, &met );
	for ( lanes = met.lanes; lanes; lanes &= lanes - 1 )
	{
		int k = __builtin_ctz( lanes );
		double t = met.shift[k] + met.far[k];
		// of equally near ones the ground, then the lowest body
		bool first = world->item[k] < 0 || body < world->body[k];
		if ( met.item[k] >= 0 && ( t < world->far[k] || ( t == world->far[k] && first ) ) )
		{
			ds_vec3 n = ds_v3( met.normal[0][k], met.normal[1][k], met.normal[2][k] );
			n = ds_rotate( pose->attitude, n );
			world->far[k] = t;
			world->item[k] = met.item[k];
			world->body[k] = body;
			world->normal[0][k] = n.x;
			world->normal[1][k] = n.y;
			world->normal[2][k] = n.z;
		}
	}
}

// The lanes whose rays pass by the sphere around a body's box: a glance before the ray is turned into its axes.
static uint32_t glance( const body_box *box, const ds_ray_packet *p )
{
	const ds_vec3 c = ds_scale( 0.5, ds_add( box->lower, box->upper ) );
	const ds_vec3 half = ds_scale( 0.5, ds_sub( box->upper, box->lower ) );
	const double radius2 = ds_dot( half, half );
	int passes[DS_RAY_LANES];
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		double x = c.x - p->origin[0][k], y = c.y - p->origin[1][k], z = c.z - p->origin[2][k];
		double a = p->direction[0][k], b = p->direction[1][k], e = p->direction[2][k];
		double away2 = x * x + y * y + z * z, along = x * a + y * b + z * e;
		// ( distance of the line from the centre )^2 d.d, with room for what rounding may have made of it
		passes[k] = ( away2 - radius2 - 1e-12 * away2 ) * ( a * a + b * b + e * e ) <= along * along ? 1 : 0;
	}
	uint32_t lanes = 0;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		lanes |= (uint32_t)passes[k] << k;
	}
	return lanes & p->lanes;
}

static void visit_body( void *user, ds_tree_packet *packet, uint32_t item, uint32_t lanes )
{
	const cast *c = user;
	meet_body( c, (int32_t)item, lanes );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		if ( lanes >> k & 1 )
		{
			packet->far[k] =
				fminf( packet->far[k], ds_ray_beyond( ds_ray_slack( c->world->far[k] ) - c->moved->shift[k] ) );
		}
	}
}

static void meet_bodies( const ds_ray_scene *s, const int32_t *ignore, ds_ray_packet *world )
{
	ds_ray_packet moved;
	cast c = { s, world, &moved, ignore };
	if ( s->count <= DS_RAY_FEW )
	{
		for ( int32_t i = 0; i < s->count; ++i )
		{
			if ( s->geometries[i] )
			{
				meet_body( &c, i, glance( s->boxes + i, world ) );
			}
		}
		return;
	}
	ds_ray_approach( &s->bounds, world, &moved );
	if ( moved.lanes )
	{
		ds_tree_packet single;
		ds_ray_single( &s->bounds, &moved, &single );
		s->module->cast( s->tree, &single, visit_body, &c );
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

void ds_ray_scene_cast( const ds_ray_scene *scene, const ds_ray *rays, int64_t count, ds_ray_found *found )
{
	const ds_ray_kernel *kernel = ds_ray_kernel_best();
	for ( int64_t i = 0; i < count; i += DS_RAY_LANES )
	{
		int n = count - i < DS_RAY_LANES ? (int)( count - i ) : DS_RAY_LANES;
		ds_ray_packet packet;
		int32_t ignore[DS_RAY_LANES];
		load( rays + i, n, &packet, ignore );
		if ( scene->ground )
		{
			ds_ray_ground_cast( scene->ground, kernel, &packet );
		}
		else if ( scene->terrain )
		{
			meet_plane( ds_terrain_see( scene->terrain ), &packet );
		}
		if ( scene->placed )
		{
			meet_bodies( scene, ignore, &packet );
		}
		store( &packet, n, found + i );
	}
}

#include "rays/layer.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <string.h>

// Times that reaches hold [s].
static const double reach_times[DS_RAY_REACHES] = { 0, 1.0 / 32, 1.0 / 4, 1 };

// ---- life ----------------------------------------------------------------------------------------------------------

void ds_ray_layer_destroy( ds_ray_layer *l )
{
	if ( l == NULL )
	{
		return;
	}
	const ds_allocator allocator = l->allocator;
	for ( int i = 0; i < DS_RAY_REACHES; ++i )
	{
		if ( l->reaches[i].tree )
		{
			l->module->destroy( l->reaches[i].tree );
		}
		DS_FREE( &allocator, l->reaches[i].boxes, l->count );
	}
	for ( int32_t i = 0; l->geometries && i < l->count; ++i )
	{
		ds_ray_geometry_release( l->geometries[i] );
	}
	DS_FREE( &allocator, l->geometries, l->count );
	DS_FREE( &allocator, l->poses, l->count );
	DS_FREE( &allocator, l->twists, l->count );
	pthread_mutex_destroy( &l->lock );
	DS_FREE( &allocator, l, 1 );
}

static ds_status fill( ds_ray_layer *l, ds_ray_geometry *const *geometries, bool moves )
{
	DS_TRY( DS_NEW( &l->allocator, l->count, &l->geometries ) );
	DS_TRY( DS_NEW( &l->allocator, l->count, &l->poses ) );
	DS_TRY( DS_NEW( &l->allocator, moves ? l->count : 0, &l->twists ) );
	DS_TRY( DS_NEW( &l->allocator, l->count, &l->reaches[0].boxes ) );
	for ( int32_t i = 0; i < l->count; ++i )
	{
		l->geometries[i] = ds_ray_geometry_retain( geometries[i] );
	}
	return l->count > DS_RAY_FEW ? ds_ray_module( NULL, &l->module ) : DS_OK;
}

ds_status ds_ray_layer_create(
	const ds_allocator *allocator, ds_ray_geometry *const *geometries, int32_t count, bool moves, ds_ray_layer **layer )
{
	*layer = NULL;
	ds_ray_layer *l;
	DS_TRY( DS_NEW( allocator, 1, &l ) );
	l->allocator = *allocator;
	l->count = count;
	pthread_mutex_init( &l->lock, NULL );
	ds_status status = fill( l, geometries, moves );
	if ( status != DS_OK )
	{
		ds_ray_layer_destroy( l );
		return status;
	}
	*layer = l;
	return DS_OK;
}

// ---- placing -------------------------------------------------------------------------------------------------------

ds_pose ds_ray_layer_pose( const ds_ray_layer *l, int32_t body, double time )
{
	ds_pose pose = l->poses[body];
	if ( time != 0 && l->twists )
	{
		const ds_twist *t = l->twists + body;
		pose.position = ds_mad( pose.position, time, t->linear );
		pose.attitude = ds_quat_normalize( ds_quat_mul( ds_quat_exp( ds_scale( time, t->angular ) ), pose.attitude ) );
	}
	return pose;
}

// The box of a body that moves within `time`.
static ds_ray_body_box box_at( const ds_ray_layer *l, int32_t body, double time )
{
	ds_ray_body_box none = { { 1, 1, 1 }, { 0, 0, 0 } };
	const ds_ray_geometry *geometry = l->geometries[body];
	if ( geometry == NULL )
	{
		return none;
	}
	const ds_pose *pose = l->poses + body;
	const ds_ray_bounds *b = &geometry->set.bounds;
	ds_vec3 half = ds_scale( 0.5, ds_sub( b->upper, b->lower ) ), center = ds_pose_point( *pose, b->center );
	ds_mat3 r = ds_mat3_from_quat( pose->attitude );
	double size[3];
	for ( int k = 0; k < 3; ++k )
	{
		size[k] = fabs( r.m[k][0] ) * half.x + fabs( r.m[k][1] ) * half.y + fabs( r.m[k][2] ) * half.z;
	}
	ds_vec3 h = ds_v3( size[0], size[1], size[2] );
	if ( time > 0 && l->twists )
	{
		const ds_twist *t = l->twists + body;
		// a point of the body goes no farther by turning than along an arc, or across the circle
		double radius = ds_length( b->center ) + ds_length( half );
		double turn = radius * fmin( 2, time * ds_length( t->angular ) );
		h.x += time * fabs( t->linear.x ) + turn;
		h.y += time * fabs( t->linear.y ) + turn;
		h.z += time * fabs( t->linear.z ) + turn;
	}
	ds_ray_body_box box = { ds_sub( center, h ), ds_add( center, h ) };
	return box;
}

static void item_box( void *user, uint32_t item, float lower[3], float upper[3] )
{
	const ds_ray_reach *r = user;
	const ds_ray_body_box *b = r->boxes + item;
	if ( b->lower.x > b->upper.x )
	{
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = upper[k] = NAN;
		}
		return;
	}
	ds_ray_item_box( &r->bounds, b->lower, b->upper, lower, upper );
}

static ds_status build_tree( const ds_ray_layer *l, ds_ray_reach *r )
{
	ds_vec3 lower = ds_v3( INFINITY, INFINITY, INFINITY ), upper = ds_v3( -INFINITY, -INFINITY, -INFINITY );
	bool any = false;
	for ( int32_t i = 0; i < l->count; ++i )
	{
		const ds_ray_body_box *b = r->boxes + i;
		if ( b->lower.x <= b->upper.x )
		{
			lower = ds_v3( fmin( lower.x, b->lower.x ), fmin( lower.y, b->lower.y ), fmin( lower.z, b->lower.z ) );
			upper = ds_v3( fmax( upper.x, b->upper.x ), fmax( upper.y, b->upper.y ), fmax( upper.z, b->upper.z ) );
			any = true;
		}
	}
	r->bounds = ds_ray_bounds_of( any ? lower : ds_v3( 0, 0, 0 ), any ? upper : ds_v3( 0, 0, 0 ) );
	ds_tree_def def = { .count = (uint32_t)l->count, .box = item_box, .user = r, .quick = true };
	return r->tree ? l->module->rebuild( r->tree, &def ) : l->module->create( &def, &r->tree );
}

static ds_status make_reach( ds_ray_layer *l, int reach )
{
	ds_ray_reach *r = l->reaches + reach;
	if ( r->boxes == NULL )
	{
		DS_TRY( DS_NEW( &l->allocator, l->count, &r->boxes ) );
	}
	for ( int32_t i = 0; i < l->count; ++i )
	{
		r->boxes[i] = box_at( l, i, reach_times[reach] );
	}
	return l->count > DS_RAY_FEW ? build_tree( l, r ) : DS_OK;
}

int ds_ray_reach_of( double time )
{
	double t = fabs( time );
	return t == 0 ? 0 : t <= reach_times[1] ? 1 : t <= reach_times[2] ? 2 : t <= reach_times[3] ? 3 : -1;
}

ds_status ds_ray_layer_reach( ds_ray_layer *l, int reach )
{
	ds_ray_reach *r = l->reaches + reach;
	if ( atomic_load_explicit( &r->made, memory_order_acquire ) )
	{
		return DS_OK;
	}
	pthread_mutex_lock( &l->lock );
	ds_status status = DS_OK;
	if ( !atomic_load_explicit( &r->made, memory_order_relaxed ) )
	{
		status = make_reach( l, reach );
		atomic_store_explicit( &r->made, status == DS_OK, memory_order_release );
	}
	pthread_mutex_unlock( &l->lock );
	return status;
}

static ds_status check_poses( const ds_ray_layer *l, const ds_pose *poses, const ds_twist *twists )
{
	for ( int32_t i = 0; i < l->count; ++i )
	{
		const ds_quat *q = &poses[i].attitude;
		double length2 = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
		if ( l->geometries[i] && ( !ds_finite( poses[i].position ) || !( fabs( length2 - 1 ) < 1e-6 ) ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE,
				"rays: the pose of body %d is not finite, or its attitude is not of unit length", i );
		}
		if ( l->geometries[i] && twists && ( !ds_finite( twists[i].linear ) || !ds_finite( twists[i].angular ) ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "rays: the velocity of body %d is not finite", i );
		}
	}
	return DS_OK;
}

ds_status ds_ray_layer_place( ds_ray_layer *l, const ds_pose *poses, const ds_twist *twists )
{
	const size_t size = (size_t)l->count * sizeof( *poses ), twist_size = (size_t)l->count * sizeof( *twists );
	twists = l->twists ? twists : NULL;
	if ( l->count == 0 || ( l->placed && memcmp( l->poses, poses, size ) == 0 &&
							  ( twists == NULL || memcmp( l->twists, twists, twist_size ) == 0 ) ) )
	{
		return DS_OK;
	}
	l->placed = false;
	for ( int i = 0; i < DS_RAY_REACHES; ++i )
	{
		atomic_store_explicit( &l->reaches[i].made, false, memory_order_relaxed );
	}
	DS_TRY( check_poses( l, poses, twists ) );
	memcpy( l->poses, poses, size );
	if ( twists )
	{
		memcpy( l->twists, twists, twist_size );
	}
	DS_TRY( ds_ray_layer_reach( l, 0 ) );
	l->placed = true;
	return DS_OK;
}

// ---- casting -------------------------------------------------------------------------------------------------------

typedef struct cast
{
	const ds_ray_layer *layer;
	const ds_ray_reach *reach;
	const double *times; // of each lane; NULL: now
	const int32_t *ignore; // of each lane
	ds_ray_packet *world; // origins where they are, the best so far
	ds_ray_packet *moved; // the same near the bodies' tree
} cast;

// The rays of `lanes` in a body's axes, ended at what they have met. `step` 0: one pose for all lanes, 1: one each.
static void see_from( const ds_pose *poses, int step, const ds_ray_packet *world, uint32_t lanes, ds_ray_packet *local )
{
	local->lanes = lanes;
	local->any = world->any;
	for ( ; lanes; lanes &= lanes - 1 )
	{
		int k = __builtin_ctz( lanes );
		const ds_pose *pose = poses + step * k;
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

// Poses of a body for the rays of `lanes`: 0, one for all of them; 1, one each.
static int poses_of( const cast *c, int32_t body, uint32_t lanes, ds_pose poses[DS_RAY_LANES] )
{
	const ds_twist *t = c->times ? c->layer->twists + body : NULL;
	if ( t == NULL || ( ds_dot( t->linear, t->linear ) == 0 && ds_dot( t->angular, t->angular ) == 0 ) )
	{
		poses[0] = c->layer->poses[body];
		return 0;
	}
	const double time = c->times[__builtin_ctz( lanes )];
	bool even = true;
	for ( uint32_t rest = lanes; rest; rest &= rest - 1 )
	{
		even = even && c->times[__builtin_ctz( rest )] == time;
	}
	if ( even )
	{
		poses[0] = ds_ray_layer_pose( c->layer, body, time );
		return 0;
	}
	for ( ; lanes; lanes &= lanes - 1 )
	{
		int k = __builtin_ctz( lanes );
		poses[k] = ds_ray_layer_pose( c->layer, body, c->times[k] );
	}
	return 1;
}

// The lanes that may meet a body.
static uint32_t concerned( const cast *c, int32_t body, uint32_t lanes )
{
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		lanes &= ~( (uint32_t)( c->ignore[k] == body || ( c->world->any && c->world->item[k] >= 0 ) ) << k );
	}
	return lanes;
}

static void meet_body( const cast *c, int32_t body, uint32_t lanes )
{
	ds_ray_packet *world = c->world, local, met;
	lanes = concerned( c, body, lanes );
	if ( lanes == 0 )
	{
		return;
	}
	ds_pose poses[DS_RAY_LANES];
	const int step = poses_of( c, body, lanes, poses );
	see_from( poses, step, world, lanes, &local );
	ds_ray_set_cast( &c->layer->geometries[body]->set, &local, &met );
	for ( lanes = met.lanes; lanes; lanes &= lanes - 1 )
	{
		int k = __builtin_ctz( lanes );
		double t = met.shift[k] + met.far[k];
		// of equally near ones the ground, then the lowest body
		bool first = world->item[k] < 0 || body < world->body[k];
		if ( met.item[k] >= 0 && ( t < world->far[k] || ( t == world->far[k] && first ) ) )
		{
			ds_vec3 n = ds_v3( met.normal[0][k], met.normal[1][k], met.normal[2][k] );
			n = ds_rotate( poses[step * k].attitude, n );
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
static uint32_t glance( const ds_ray_body_box *box, const ds_ray_packet *p )
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
			bool ended = c->world->any && c->world->item[k] >= 0;
			float far = ds_ray_beyond( ds_ray_slack( c->world->far[k] ) - c->moved->shift[k] );
			packet->far[k] = ended ? -1 : fminf( packet->far[k], far );
		}
	}
}

void ds_ray_layer_cast(
	const ds_ray_layer *l, int reach, const double *times, const int32_t *ignore, ds_ray_packet *world )
{
	ds_ray_packet moved;
	const cast c = { l, l->reaches + reach, reach && l->twists ? times : NULL, ignore, world, &moved };
	if ( l->count <= DS_RAY_FEW )
	{
		for ( int32_t i = 0; i < l->count; ++i )
		{
			if ( l->geometries[i] )
			{
				meet_body( &c, i, glance( c.reach->boxes + i, world ) );
			}
		}
		return;
	}
	ds_ray_approach( &c.reach->bounds, world, &moved );
	if ( moved.lanes )
	{
		ds_tree_packet single;
		ds_ray_single( &c.reach->bounds, &moved, &single );
		l->module->cast( c.reach->tree, &single, visit_body, (void *)(uintptr_t)&c );
	}
}

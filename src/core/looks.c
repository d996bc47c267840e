// What is seen of a world: one scene of the ground and of what bodies look like, for cameras. The ground's tree is the one that DVLs and
// altimeters use. The scene is made when a part asks for it (ds_layout.looks), or when somebody first looks.

#include "core/looks.h"

#include <math.h>
#include <string.h>

// ---- the scene -----------------------------------------------------------------------------------------------------

ds_status ds_looks_create( ds_world *world )
{
	ds_world_looks *l;
	DS_TRY( DS_NEW( &world->hooks.allocator, 1, &l ) );
	pthread_mutex_init( &l->lock, NULL );
	world->looks = l;
	return DS_OK;
}

void ds_looks_clear( ds_world *world )
{
	ds_world_looks *l = world->looks;
	if ( l == NULL )
	{
		return;
	}
	if ( l->own )
	{
		ds_ray_scene_destroy( l->scene );
	}
	DS_FREE( &world->hooks.allocator, l->poses, l->count );
	DS_FREE( &world->hooks.allocator, l->twists, l->count );
	l->scene = NULL;
	l->own = false;
	l->poses = NULL;
	l->twists = NULL;
	l->count = 0;
	atomic_store( &l->ready, false );
}

void ds_looks_free( ds_world *world )
{
	if ( world->looks )
	{
		ds_looks_clear( world );
		pthread_mutex_destroy( &world->looks->lock );
		DS_FREE( &world->hooks.allocator, world->looks, 1 );
		world->looks = NULL;
	}
}

void ds_looks_moved( ds_world *world )
{
	if ( world->looks )
	{
		atomic_store_explicit( &world->looks->ready, false, memory_order_relaxed );
	}
}

// What a body looks like, if it is seen: made once, shared by clones.
static ds_status make_visual( const ds_world *world, ds_body *body )
{
	const ds_body_def *def = &body->def;
	if ( body->visual || def->visual_kind == DS_VISUAL_NONE )
	{
		return DS_OK;
	}
	if ( def->visual_kind == DS_VISUAL_GIVEN )
	{
		body->visual = ds_visual_retain( (ds_visual *)(uintptr_t)def->visual );
		body->visual_pose = def->visual_pose;
	}
	else if ( def->mesh )
	{
		DS_TRY( ds_visual_from_mesh( def->mesh, ds_pose_identity(), &def->material, &world->hooks, &body->visual ) );
		body->visual_pose = def->mesh_pose;
	}
	body->visual_pose.position = ds_sub( body->visual_pose.position, body->c );
	body->visual_pose.attitude = ds_quat_normalize( body->visual_pose.attitude );
	return DS_OK;
}

static ds_status make_seen( const ds_world *world, ds_body *body )
{
	DS_TRY( make_visual( world, body ) );
	if ( body->visual == NULL || body->seen_rays )
	{
		return DS_OK;
	}
	ds_ray_geometry_def def;
	memset( &def, 0, sizeof( def ) );
	def.vertices = ds_visual_vertices( body->visual, &def.vertex_count );
	def.triangles = ds_visual_triangles( body->visual, &def.triangle_count );
	def.pose = body->visual_pose;
	return def.triangle_count > 0 ? ds_ray_geometry_create( &world->hooks, &def, &body->seen_rays ) : DS_OK;
}

static ds_status show_bodies( const ds_world *world, ds_world_looks *l )
{
	const int32_t count = world->bodies.count;
	ds_ray_geometry **geometries;
	DS_TRY( DS_NEW( &world->hooks.allocator, count + 1, &geometries ) );
	ds_status status = DS_OK;
	for ( int32_t i = 0; i < count && status == DS_OK; ++i )
	{
		ds_body *body = world->bodies.order[i];
		status = make_seen( world, body );
		status = status == DS_OK ? DS_OK : ds_error_prefix( status, "body \"%s\": visual: ", body->name );
		geometries[i] = body->seen_rays;
	}
	status = status == DS_OK ? ds_ray_scene_show( l->scene, geometries, count ) : status;
	DS_FREE( &world->hooks.allocator, geometries, count + 1 );
	DS_TRY( status );
	DS_TRY( DS_NEW( &world->hooks.allocator, count, &l->poses ) );
	l->count = count;
	return DS_NEW( &world->hooks.allocator, count, &l->twists );
}

static ds_status make_scene( const ds_world *world, ds_world_looks *l )
{
	ds_status status = ds_rays_open( &world->hooks );
	if ( status == DS_ERROR_UNSUPPORTED )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"cameras need Embree, which is not there: build libdeepsim with -DDEEPSIM_EMBREE=ON, and keep its module "
			"rays_embree.so beside it" );
	}
	DS_TRY( status );
	ds_seabed_plan_make( &world->environment.seabed_look, &l->seabed );
	l->scene = world->ground.rays;
	l->own = l->scene == NULL;
	if ( l->own )
	{
		DS_TRY( ds_ray_scene_create( &world->hooks, world->ground.terrain, NULL, 0, &l->scene ) );
	}
	return show_bodies( world, l );
}

static ds_status place_bodies( const ds_world *world, ds_world_looks *l )
{
	for ( int32_t i = 0; i < l->count; ++i )
	{
		const ds_body_state *s = &( (const ds_body *)world->bodies.order[i] )->state;
		l->poses[i] = ( ds_pose ){ s->x, s->q };
		l->twists[i] = ( ds_twist ){ s->v, ds_rotate( s->q, s->w ) };
	}
	return ds_ray_scene_place_seen( l->scene, l->poses, l->twists );
}

ds_status ds_looks_ready( const ds_world *world )
{
	ds_world_looks *l = world->looks;
	if ( atomic_load_explicit( &l->ready, memory_order_acquire ) )
	{
		return DS_OK;
	}
	pthread_mutex_lock( &l->lock );
	ds_status status = DS_OK;
	if ( !atomic_load_explicit( &l->ready, memory_order_relaxed ) )
	{
		status = l->scene ? DS_OK : make_scene( world, l );
		if ( status != DS_OK )
		{
			ds_looks_clear( (ds_world *)(uintptr_t)world );
		}
		status = status == DS_OK ? place_bodies( world, l ) : status;
		atomic_store_explicit( &l->ready, status == DS_OK, memory_order_release );
	}
	pthread_mutex_unlock( &l->lock );
	return status;
}

ds_status ds_looks_prepare( ds_world *world )
{
	ds_looks_clear( world );
	bool wanted = false;
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			wanted = wanted || ( (const ds_part *)world->parts[kind].order[i] )->model->layout.looks;
		}
	}
	return wanted ? ds_looks_ready( world ) : DS_OK;
}

// ---- rays ------------------------------------------------------------------------------------------------------------

// The body that was left out last: rays of a camera all leave out the same.
typedef struct ignored
{
	ds_id id;
	int32_t index;
} ignored;

static ds_status ignore_of( const ds_world *world, ds_id id, ignored *last )
{
	ds_body *body = NULL;
	if ( id != DS_NO_ID )
	{
		DS_TRY( ds_world_body( world, id, &body ) );
	}
	last->id = id;
	last->index = ds_body_index( world, body );
	return DS_OK;
}

// Says what is wrong with a ray. `unit`: its direction at unit length, whatever that was.
static ds_status check_ray( const ds_look_ray *r, ds_vec3 *unit )
{
	const ds_vec3 d = r->direction;
	if ( !ds_finite( r->origin ) || !ds_finite( d ) || !isfinite( r->range ) || !isfinite( r->time ) ||
		 !isfinite( r->footprint ) )
	{
		return ds_error(
			DS_ERROR_NOT_FINITE, "look: origin, direction, range, time and footprint of a ray must be finite" );
	}
	const double size = fmax( fabs( d.x ), fmax( fabs( d.y ), fabs( d.z ) ) );
	if ( !( size > 0 ) || !( r->range > 0 ) || !( r->footprint >= 0 ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "look: direction and range of a ray must be longer than 0, and the footprint at least 0" );
	}
	*unit = ds_v3( d.x / size, d.y / size, d.z / size );
	*unit = ds_scale( 1 / ds_length( *unit ), *unit );
	return ds_ray_reach_of( r->time ) >= 0
			   ? DS_OK
			   : ds_error( DS_ERROR_RANGE, "look: expected the time of a ray in [-1, 1] s, got %g", r->time );
}

// Rays of a packet, and their footprints at 1 m.
static ds_status load( const ds_world *world, const ds_look_kernel *kernel, const ds_look_ray *rays, int64_t first,
	int count, ignored *last, ds_ray_sight *sight, double sizes[DS_RAY_LANES] )
{
	rays += first;
	ds_ray_packet *p = &sight->packet;
	double greatest;
	for ( int k = 0; k < count; ++k )
	{
		const ds_look_ray *r = rays + k;
		p->origin[0][k] = r->origin.x;
		p->origin[1][k] = r->origin.y;
		p->origin[2][k] = r->origin.z;
		p->direction[0][k] = r->direction.x;
		p->direction[1][k] = r->direction.y;
		p->direction[2][k] = r->direction.z;
		p->far[k] = r->range;
		sight->time[k] = r->time;
		sizes[k] = r->footprint;
	}
	for ( int k = count; k < DS_RAY_LANES; ++k )
	{
		for ( int x = 0; x < 3; ++x )
		{
			p->origin[x][k] = p->direction[x][k] = 0;
		}
		p->far[k] = p->direction[0][k] = 1;
		sight->time[k] = sizes[k] = 0;
		sight->ignore[k] = -1;
	}
	const int bad = kernel->load( p, sight->time, sizes, &greatest );
	for ( int k = 0; k < count && bad; ++k )
	{
		ds_vec3 unit = rays[k].direction;
		ds_status status = check_ray( rays + k, &unit );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "ray %lld: ", (long long)( first + k ) );
		}
		const ds_vec3 d = rays[k].direction;
		const double length2 = d.x * d.x + d.y * d.y + d.z * d.z;
		if ( !( length2 > 1e-200 && length2 < 1e200 ) )
		{
			p->direction[0][k] = unit.x;
			p->direction[1][k] = unit.y;
			p->direction[2][k] = unit.z;
		}
	}
	for ( int k = 0; k < count; ++k )
	{
		if ( rays[k].ignore != last->id )
		{
			ds_status status = ignore_of( world, rays[k].ignore, last );
			if ( status != DS_OK )
			{
				return ds_error_prefix( status, "ray %lld: ", (long long)( first + k ) );
			}
		}
		sight->ignore[k] = last->index;
	}
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		p->item[k] = -1;
		p->body[k] = -1;
	}
	p->lanes = count < DS_RAY_LANES ? ( 1u << count ) - 1 : 0xffffu;
	sight->layer = DS_RAY_SEEN;
	sight->reach = ds_ray_reach_of( greatest );
	return sight->reach > 0 ? ds_ray_scene_reach( world->looks->scene, sight->reach ) : DS_OK;
}

// ---- queries ---------------------------------------------------------------------------------------------------------

// Rays that go through the scene packet by packet.
typedef struct queue
{
	const ds_world *world;
	const ds_look_kernel *kernel;
	const ds_ray_kernel *rays;
	ignored last;
	ds_ray_sight sight;
	double sizes[DS_RAY_LANES];
} queue;

// `any`: whatever is met will do.
static ds_status open_queue( queue *q, const ds_world *world, bool any )
{
	DS_TRY( ds_looks_ready( world ) );
	memset( q, 0, sizeof( *q ) );
	q->world = world;
	q->kernel = ds_look_kernel_best();
	q->rays = ds_ray_kernel_best();
	q->last = ( ignored ){ DS_NO_ID, -1 };
	q->sight.packet.any = any;
	return DS_OK;
}

// What the packet from ray `first` on meets is in q->sight; `n`: its rays.
static ds_status meet_packet( queue *q, const ds_look_ray *rays, int64_t first, int64_t count, int *n )
{
	*n = count - first < DS_RAY_LANES ? (int)( count - first ) : DS_RAY_LANES;
	DS_TRY( load( q->world, q->kernel, rays, first, *n, &q->last, &q->sight, q->sizes ) );
	ds_ray_scene_meet( q->world->looks->scene, q->rays, &q->sight );
	return DS_OK;
}

ds_status ds_looks_query( const ds_world *world, int64_t count, const ds_look_ray *rays, ds_look *looks )
{
	queue q;
	DS_TRY( open_queue( &q, world, false ) );
	for ( int64_t i = 0; i < count; i += DS_RAY_LANES )
	{
		int n;
		DS_TRY( meet_packet( &q, rays, i, count, &n ) );
		ds_looks_see( world, q.kernel, &q.sight, q.sizes, n, looks + i );
	}
	return DS_OK;
}

ds_status ds_blocked_query( const ds_world *world, int64_t count, const ds_look_ray *rays, bool *blocked )
{
	queue q;
	DS_TRY( open_queue( &q, world, true ) );
	for ( int64_t i = 0; i < count; i += DS_RAY_LANES )
	{
		int n;
		DS_TRY( meet_packet( &q, rays, i, count, &n ) );
		for ( int k = 0; k < n; ++k )
		{
			blocked[i + k] = q.sight.packet.item[k] >= 0;
		}
	}
	return DS_OK;
}

ds_status ds_look_many( const ds_world *world, int64_t count, const ds_look_ray *rays, ds_look *looks )
{
	if ( world == NULL || count < 0 || ( count > 0 && ( rays == NULL || looks == NULL ) ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_look_many needs a world, rays and room for what is seen" );
	}
	if ( !world->prepared )
	{
		return ds_error( DS_ERROR_STATE,
			"ds_look_many: the world was changed since its last step; call ds_world_step( world, 0 ) first" );
	}
	return ds_looks_query( world, count, rays, looks );
}

const char *ds_instance_name( const ds_world *world, int32_t instance )
{
	if ( world == NULL || instance < 0 )
	{
		return NULL;
	}
	if ( instance == 0 )
	{
		return "water";
	}
	if ( instance == DS_LOOK_SEABED || instance > DS_LOOK_NODULES )
	{
		return world->ground.terrain == NULL ? NULL : instance == DS_LOOK_SEABED ? "seabed" : "nodule";
	}
	const int32_t index = instance - DS_LOOK_FIRST_BODY;
	return index < world->bodies.count ? ( (const ds_body *)world->bodies.order[index] )->name : NULL;
}

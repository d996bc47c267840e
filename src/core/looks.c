// What is seen of a world: one scene of the ground and of what bodies look like, for cameras. The ground's tree is the one that DVLs and
// altimeters use. The scene is made when a part asks for it (ds_layout.looks), or when somebody first looks.

#include "core/world.h"
#include "rays/sight.h"

#include <math.h>
#include <string.h>

// Instances: water, the seabed, bodies in their order, nodules.
#define SEABED     1
#define FIRST_BODY 2
#define NODULES    ( 1 << 23 )

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

// Rays of a packet. What a ray leaves out was looked up before.
static ds_status load(
	const ds_world *world, const ds_look_ray *rays, int64_t first, int count, ignored *last, ds_ray_sight *sight )
{
	rays += first;
	ds_ray_packet *p = &sight->packet;
	double greatest = 0, length2[DS_RAY_LANES], sizes[DS_RAY_LANES];
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
	// plain loops, which the compiler makes vectors of
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double x = p->direction[0][k], y = p->direction[1][k], z = p->direction[2][k];
		length2[k] = x * x + y * y + z * z;
	}
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double scale = 1 / sqrt( length2[k] );
		p->direction[0][k] *= scale;
		p->direction[1][k] *= scale;
		p->direction[2][k] *= scale;
	}
	int bad = 0;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		const double place = fabs( p->origin[0][k] ) + fabs( p->origin[1][k] ) + fabs( p->origin[2][k] );
		const double time = fabs( sight->time[k] );
		// so that what is not finite is not good
		bad += length2[k] > 1e-200 && length2[k] < 1e200 ? 0 : 1;
		bad += p->far[k] > 0 && p->far[k] < INFINITY ? 0 : 1;
		bad += sizes[k] >= 0 && sizes[k] < INFINITY ? 0 : 1;
		bad += time <= 1 && place < INFINITY ? 0 : 1;
		greatest = time > greatest ? time : greatest;
	}
	for ( int k = 0; k < count && bad; ++k )
	{
		ds_vec3 unit = rays[k].direction;
		ds_status status = check_ray( rays + k, &unit );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "ray %lld: ", (long long)( first + k ) );
		}
		if ( !( length2[k] > 1e-200 && length2[k] < 1e200 ) )
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

static void find_neighbours( const ds_terrain_view *g, const double per[2], ds_vec3 point, int k, neighbours *n )
{
	const int64_t last_row = g->rows - 1, last_column = g->columns - 1;
	const double u = ( point.x - g->north ) * per[0], v = ( point.y - g->east ) * per[1];
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

// The smooth normals of all lanes that met the ground.
static void ground_normals( const ds_terrain_view *g, const ds_ray_packet *p, int count, float normal[3][DS_RAY_LANES] )
{
	const double per[2] = { 1 / g->spacing_north, 1 / g->spacing_east };
	neighbours n;
	memset( &n, 0, sizeof( n ) );
	for ( int k = 0; k < count; ++k )
	{
		if ( p->item[k] >= 0 && p->body[k] < 0 )
		{
			const double t = p->far[k];
			const ds_vec3 point = ds_v3( p->origin[0][k] + t * p->direction[0][k],
				p->origin[1][k] + t * p->direction[1][k], p->origin[2][k] + t * p->direction[2][k] );
			find_neighbours( g, per, point, k, &n );
		}
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

// `smooth`: of the ground there, NaN for none.
static void see_ground(
	const ds_world *world, ds_vec3 smooth, ds_vec3 point, ds_vec3 facet, double footprint, ds_look *look )
{
	const ds_vec3 up = smooth.z < 0 ? smooth : facet.z > 0 ? ds_scale( -1, facet ) : facet;
	ds_surface surface;
	int32_t nodule = 0;
	ds_seabed_plan_at( &world->looks->seabed, point.x, point.y, up, footprint, &surface, &nodule );
	take_surface( &surface, look );
	store_normal( vec( surface.normal ), facet, look->normal );
	look->body = DS_NO_ID;
	look->instance = nodule > 0 ? NODULES + nodule : SEABED;
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
	look->instance = FIRST_BODY + index;
}

static void see( const ds_world *world, const ds_ray_sight *sight, const ds_look_ray *rays, int count, ds_look *looks )
{
	const ds_ray_packet *p = &sight->packet;
	const ds_terrain_view *view = world->ground.terrain ? ds_terrain_see( world->ground.terrain ) : NULL;
	float smooth[3][DS_RAY_LANES] = { { 0 } };
	if ( view && view->kind == DS_GROUND_GRID )
	{
		ground_normals( view, p, count, smooth );
	}
	for ( int k = 0; k < count; ++k )
	{
		ds_look *look = looks + k;
		*look = ( ds_look ){ .distance = -1, .body = DS_NO_ID };
		if ( p->item[k] < 0 )
		{
			continue;
		}
		const double t = p->far[k], footprint = t * rays[k].footprint;
		const ds_vec3 d = ds_v3( p->direction[0][k], p->direction[1][k], p->direction[2][k] );
		const ds_vec3 point = ds_mad( rays[k].origin, t, d );
		ds_vec3 facet = ds_v3( p->normal[0][k], p->normal[1][k], p->normal[2][k] );
		facet = ds_dot( facet, d ) > 0 ? ds_scale( -1, facet ) : facet;
		look->distance = t;
		store_normal( facet, facet, look->facet );
		if ( p->body[k] < 0 )
		{
			const ds_vec3 normal = ds_v3( (double)smooth[0][k], (double)smooth[1][k], (double)smooth[2][k] );
			see_ground( world, normal, point, facet, footprint, look );
		}
		else
		{
			see_body( world, sight, k, point, facet, footprint, look );
		}
	}
}

ds_status ds_looks_query( const ds_world *world, int64_t count, const ds_look_ray *rays, ds_look *looks )
{
	DS_TRY( ds_looks_ready( world ) );
	const ds_ray_kernel *kernel = ds_ray_kernel_best();
	ignored last = { DS_NO_ID, -1 };
	ds_ray_sight sight;
	for ( int64_t i = 0; i < count; i += DS_RAY_LANES )
	{
		const int n = count - i < DS_RAY_LANES ? (int)( count - i ) : DS_RAY_LANES;
		DS_TRY( load( world, rays, i, n, &last, &sight ) );
		sight.packet.any = false;
		ds_ray_scene_meet( world->looks->scene, kernel, &sight );
		see( world, &sight, rays + i, n, looks + i );
	}
	return DS_OK;
}

ds_status ds_blocked_query( const ds_world *world, int64_t count, const ds_look_ray *rays, bool *blocked )
{
	DS_TRY( ds_looks_ready( world ) );
	const ds_ray_kernel *kernel = ds_ray_kernel_best();
	ignored last = { DS_NO_ID, -1 };
	ds_ray_sight sight;
	for ( int64_t i = 0; i < count; i += DS_RAY_LANES )
	{
		const int n = count - i < DS_RAY_LANES ? (int)( count - i ) : DS_RAY_LANES;
		DS_TRY( load( world, rays, i, n, &last, &sight ) );
		sight.packet.any = true;
		ds_ray_scene_meet( world->looks->scene, kernel, &sight );
		for ( int k = 0; k < n; ++k )
		{
			blocked[i + k] = sight.packet.item[k] >= 0;
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
	if ( instance == SEABED || instance > NODULES )
	{
		return world->ground.terrain == NULL ? NULL : instance == SEABED ? "seabed" : "nodule";
	}
	const int32_t index = instance - FIRST_BODY;
	return index < world->bodies.count ? ( (const ds_body *)world->bodies.order[index] )->name : NULL;
}

// Rays of a world: against the ground and the collision shapes of bodies. Over a flat seabed they are Bullet's and analytic; over
// terrain they are those of src/rays, where Embree can be had.

#include "core/world.h"

#include <math.h>
#include <string.h>

// ---- the scene ---------------------------------------------------------------------------------------------------

static ds_ray_shape ray_shape( const ds_body *body, const ds_shape_def *def )
{
	static const ds_ray_shape_kind kinds[] = { DS_RAY_BOX, DS_RAY_SPHERE, DS_RAY_CAPSULE, DS_RAY_CYLINDER };
	ds_ray_shape shape;
	memset( &shape, 0, sizeof( shape ) );
	shape.kind = (int32_t)kinds[def->kind];
	shape.pose.position = ds_sub( ds_v3( def->position[0], def->position[1], def->position[2] ), body->c );
	shape.pose.attitude = ds_quat_from_rpy( ds_v3( def->rpy[0], def->rpy[1], def->rpy[2] ) );
	shape.half = ds_v3( 0.5 * def->size[0], 0.5 * def->size[1], 0.5 * def->size[2] );
	shape.radius = def->radius;
	shape.length = def->length;
	return shape;
}

static ds_status geometry_of_shapes( const ds_world *world, ds_body *body )
{
	int64_t count = body->def.shape_count;
	ds_ray_shape *shapes;
	DS_TRY( DS_NEW( &world->hooks.allocator, count, &shapes ) );
	for ( int64_t i = 0; i < count; ++i )
	{
		shapes[i] = ray_shape( body, body->shapes + i );
	}
	ds_ray_geometry_def def;
	memset( &def, 0, sizeof( def ) );
	def.pose = ds_pose_identity();
	def.shapes = shapes;
	def.shape_count = count;
	ds_status status = ds_ray_geometry_create( &world->hooks, &def, &body->rays );
	DS_FREE( &world->hooks.allocator, shapes, count );
	return status;
}

// Corners of triangles; without room they are only counted.
typedef struct corners_of
{
	ds_vec3 *corners;
	int64_t triangles;
} corners_of;

static bool add_triangle( void *context, int64_t index, const ds_vec3 corners[3] )
{
	corners_of *list = context;
	if ( list->corners )
	{
		memcpy( list->corners + 3 * index, corners, 3 * sizeof( *corners ) );
	}
	list->triangles = index + 1;
	return true;
}

static ds_status geometry_of_triangles( const ds_world *world, ds_body *body, corners_of *list, int32_t *indices )
{
	dsb_shape_triangles( body->shape, add_triangle, list );
	for ( int32_t i = 0; i < 3 * (int32_t)list->triangles; ++i )
	{
		indices[i] = i;
	}
	ds_ray_geometry_def def;
	memset( &def, 0, sizeof( def ) );
	def.vertices = list->corners;
	def.vertex_count = 3 * list->triangles;
	def.triangles = indices;
	def.triangle_count = list->triangles;
	def.pose = ds_pose_identity();
	def.solid = body->def.collision == DS_COLLISION_HULL;
	return ds_ray_geometry_create( &world->hooks, &def, &body->rays );
}

// What collides: the mesh's convex hull, which is solid, or the mesh itself, which is met from both sides.
static ds_status geometry_of_mesh( const ds_world *world, ds_body *body )
{
	const ds_allocator *allocator = &world->hooks.allocator;
	corners_of list = { NULL, 0 };
	dsb_shape_triangles( body->shape, add_triangle, &list );
	int64_t count = 3 * list.triangles;
	if ( count > INT32_MAX )
	{
		return ds_error(
			DS_ERROR_LIMIT, "%lld triangles are more than rays can meet of a body", (long long)list.triangles );
	}
	int32_t *indices = NULL;
	ds_status status = DS_NEW( allocator, count, &list.corners );
	status = status == DS_OK ? DS_NEW( allocator, count, &indices ) : status;
	status = status == DS_OK ? geometry_of_triangles( world, body, &list, indices ) : status;
	DS_FREE( allocator, list.corners, count );
	DS_FREE( allocator, indices, count );
	return status;
}

static ds_status make_geometry( const ds_world *world, ds_body *body )
{
	if ( body->rays || body->shape == NULL )
	{
		return DS_OK;
	}
	bool shapes = body->def.collision == DS_COLLISION_SHAPES;
	ds_status status = shapes ? geometry_of_shapes( world, body ) : geometry_of_mesh( world, body );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "body \"%s\": rays: ", body->name );
}

void ds_world_rays_free( ds_world *world )
{
	ds_world_ground *g = &world->ground;
	ds_looks_clear( world ); // which may use this scene
	ds_ray_scene_destroy( g->rays );
	DS_FREE( &world->hooks.allocator, g->ray_poses, g->ray_pose_count );
	g->rays = NULL;
	g->ray_poses = NULL;
	g->ray_pose_count = 0;
}

static ds_status make_scene( ds_world *world )
{
	ds_world_ground *g = &world->ground;
	int32_t count = world->bodies.count;
	ds_ray_geometry **geometries;
	DS_TRY( DS_NEW( &world->hooks.allocator, count + 1, &geometries ) );
	ds_status status = DS_OK;
	for ( int32_t i = 0; i < count && status == DS_OK; ++i )
	{
		ds_body *body = world->bodies.order[i];
		status = make_geometry( world, body );
		geometries[i] = body->rays;
	}
	status = status == DS_OK ? ds_ray_scene_create( &world->hooks, g->terrain, geometries, count, &g->rays ) : status;
	DS_FREE( &world->hooks.allocator, geometries, count + 1 );
	DS_TRY( status );
	DS_TRY( DS_NEW( &world->hooks.allocator, count, &g->ray_poses ) );
	g->ray_pose_count = count;
	return DS_OK;
}

ds_status ds_world_rays_prepare( ds_world *world )
{
	ds_world_rays_free( world );
	const ds_terrain *terrain = world->ground.terrain;
	if ( terrain == NULL || ds_terrain_see( terrain )->kind == DS_GROUND_PLANE )
	{
		return DS_OK;
	}
	ds_status status = ds_rays_open( &world->hooks );
	if ( status == DS_ERROR_UNSUPPORTED )
	{
		ds_logf( &world->hooks, DS_LOG_INFO, "rays go by Bullet: %s", ds_last_error() );
		return DS_OK;
	}
	status = status == DS_OK ? make_scene( world ) : status;
	if ( status != DS_OK )
	{
		ds_world_rays_free( world );
		return status;
	}
	ds_world_rays_moved( world );
	return ds_world_rays_place( world );
}

void ds_world_rays_moved( ds_world *world )
{
	world->ground.rays_stale = true;
	ds_looks_moved( world );
}

ds_status ds_world_rays_place( ds_world *world )
{
	ds_world_ground *g = &world->ground;
	if ( g->rays == NULL || !g->rays_stale )
	{
		return DS_OK;
	}
	for ( int32_t i = 0; i < g->ray_pose_count; ++i )
	{
		const ds_body_state *s = &( (const ds_body *)world->bodies.order[i] )->state;
		g->ray_poses[i] = ( ds_pose ){ s->x, s->q };
	}
	DS_TRY( ds_ray_scene_place( g->rays, g->ray_poses ) );
	g->rays_stale = false;
	return DS_OK;
}

// ---- queries -----------------------------------------------------------------------------------------------------

static void fill_hit( const ds_world *world, const ds_ray *ray, const ds_ray_found *found, ds_ray_hit *hit )
{
	*hit = ( ds_ray_hit ){ 0 };
	if ( found->distance >= 0 )
	{
		hit->hit = true;
		hit->distance = found->distance;
		hit->point = ds_mad( ray->origin, found->distance, ray->direction );
		hit->normal = found->normal;
		hit->body = found->body >= 0 ? ds_world_at( world, DS_BODY, found->body ) : DS_NO_ID;
	}
}

// `unit`: the direction at unit length.
static ds_status check_ray( ds_vec3 origin, ds_vec3 direction, double range, ds_vec3 *unit )
{
	double length = ds_length( direction );
	if ( !ds_finite( origin ) || !ds_finite( direction ) || !isfinite( range ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "ray cast: origin, direction and range must be finite" );
	}
	if ( !( length > 0 ) || !( range > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "ray cast: direction and range must be longer than 0" );
	}
	*unit = ds_scale( 1 / length, direction );
	return DS_OK;
}

static ds_status rays_ready( const ds_world *world, const char *call )
{
	if ( !world->prepared )
	{
		return ds_error( DS_ERROR_STATE,
			"%s: the world was changed since its last step; call ds_world_step( world, 0 ) first", call );
	}
	return DS_OK;
}

// A plane is met analytically: exact, and there without a Bullet world.
static void ray_plane( const ds_world *world, ds_vec3 origin, ds_vec3 unit, double range, ds_ray_hit *hit )
{
	const ds_terrain *terrain = world->ground.terrain;
	const ds_terrain_view *plane = terrain ? ds_terrain_see( terrain ) : NULL;
	if ( plane == NULL || plane->kind != DS_GROUND_PLANE )
	{
		return;
	}
	double height = plane->base + plane->slope_north * origin.x + plane->slope_east * origin.y - origin.z;
	double down = unit.z - plane->slope_north * unit.x - plane->slope_east * unit.y;
	if ( !( height * down > 0 ) )
	{
		return;
	}
	double distance = height / down;
	if ( distance <= range && ( !hit->hit || distance < hit->distance ) )
	{
		hit->hit = true;
		hit->distance = distance;
		hit->point = ds_mad( origin, distance, unit );
		ds_vec3 up = ds_v3( plane->slope_north, plane->slope_east, -1 );
		hit->normal = ds_scale( ( down > 0 ? 1 : -1 ) / ds_length( up ), up );
		hit->body = DS_NO_ID;
	}
}

ds_status ds_ray_query(
	const ds_world *world, ds_vec3 origin, ds_vec3 direction, double range, const ds_body *ignore, ds_ray_hit *hit )
{
	*hit = ( ds_ray_hit ){ 0 };
	ds_vec3 unit;
	DS_TRY( check_ray( origin, direction, range, &unit ) );
	if ( world->ground.rays )
	{
		ds_ray ray = { origin, unit, range, ds_body_index( world, ignore ) };
		ds_ray_found found;
		ds_ray_scene_cast( world->ground.rays, &ray, 1, &found );
		fill_hit( world, &ray, &found, hit );
		return DS_OK;
	}
	if ( world->bullet )
	{
		dsb_hit found;
		int32_t skip = ignore ? ignore->bullet : DSB_NONE;
		if ( dsb_ray_test( world->bullet, origin, ds_mad( origin, range, unit ), skip, &found ) == DS_OK )
		{
			hit->hit = true;
			hit->distance = found.fraction * range;
			hit->point = found.point;
			hit->normal = found.normal;
			hit->body = DS_NO_ID;
			for ( int32_t i = 0; i < world->bodies.count; ++i )
			{
				const ds_body *body = world->bodies.order[i];
				if ( body->bullet == found.body )
				{
					hit->body = body->id;
				}
			}
		}
	}
	ray_plane( world, origin, unit, range, hit );
	return DS_OK;
}

ds_status ds_ray_cast(
	const ds_world *world, ds_vec3 origin, ds_vec3 direction, double range, ds_id ignore, ds_ray_hit *hit )
{
	if ( world == NULL || hit == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_ray_cast needs a world and room for the answer" );
	}
	ds_body *body = NULL;
	if ( ignore != DS_NO_ID )
	{
		DS_TRY( ds_world_body( world, ignore, &body ) );
	}
	DS_TRY( rays_ready( world, "ds_ray_cast" ) );
	return ds_ray_query( world, origin, direction, range, body, hit );
}

// Rays that go together through the scene.
#define PACKET 256

ds_status ds_ray_cast_many( const ds_world *world, int64_t count, const ds_vec3 *origins, const ds_vec3 *directions,
	double range, ds_id ignore, ds_ray_hit *hits )
{
	if ( world == NULL || count < 0 || ( count > 0 && ( origins == NULL || directions == NULL || hits == NULL ) ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_ray_cast_many needs a world, rays and room for their answers" );
	}
	ds_body *body = NULL;
	if ( ignore != DS_NO_ID )
	{
		DS_TRY( ds_world_body( world, ignore, &body ) );
	}
	DS_TRY( rays_ready( world, "ds_ray_cast_many" ) );
	return ds_rays_query( world, count, origins, directions, range, body, hits );
}

ds_status ds_rays_query( const ds_world *world, int64_t count, const ds_vec3 *origins, const ds_vec3 *directions,
	double range, const ds_body *body, ds_ray_hit *hits )
{
	const int32_t ignored = ds_body_index( world, body );
	ds_ray rays[PACKET];
	ds_ray_found found[PACKET];
	for ( int64_t first = 0; first < count; first += PACKET )
	{
		int64_t n = count - first < PACKET ? count - first : PACKET;
		for ( int64_t i = 0; i < n; ++i )
		{
			ds_vec3 unit;
			ds_status status = check_ray( origins[first + i], directions[first + i], range, &unit );
			if ( status != DS_OK )
			{
				return ds_error_prefix( status, "ray %lld: ", (long long)( first + i ) );
			}
			rays[i] = ( ds_ray ){ origins[first + i], unit, range, ignored };
		}
		if ( world->ground.rays )
		{
			ds_ray_scene_cast( world->ground.rays, rays, n, found );
		}
		for ( int64_t i = 0; i < n; ++i )
		{
			if ( world->ground.rays )
			{
				fill_hit( world, rays + i, found + i, hits + first + i );
			}
			else
			{
				DS_TRY( ds_ray_query( world, rays[i].origin, directions[first + i], range, body, hits + first + i ) );
			}
		}
	}
	return DS_OK;
}

#include "core/host.h"

#include "core/world.h"

#include <math.h>
#include <string.h>

static ds_status host_registry_add( ds_registry *registry, const ds_type *type )
{
	return ds_registry_add( registry, type );
}

static void *host_allocate( const ds_host *host, size_t size )
{
	const ds_hooks *hooks = host->internal;
	void *memory;
	return ds_memory_new( hooks ? &hooks->allocator : NULL, size, 1, &memory ) == DS_OK ? memory : NULL;
}

static void host_release( const ds_host *host, void *memory, size_t size )
{
	const ds_hooks *hooks = host->internal;
	ds_memory_free( hooks ? &hooks->allocator : NULL, memory, size, 1 );
}

static void host_log( const ds_host *host, ds_log_level level, const char *message )
{
	ds_logf( host->internal, level, "%s", message );
}

static double host_random_uniform( ds_context *context )
{
	return ds_random_uniform( &( (ds_context_inner *)context->internal )->random );
}

static double host_random_normal( ds_context *context )
{
	return ds_random_normal( &( (ds_context_inner *)context->internal )->random );
}

static ds_status host_ray_cast( ds_context *context, ds_vec3 origin, ds_vec3 direction, double range, ds_ray_hit *hit )
{
	const ds_context_inner *inner = context->internal;
	if ( hit == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ray_cast needs room for the answer" );
	}
	DS_TRY( ds_world_rays_place( inner->world ) );
	return ds_ray_query( inner->world, origin, direction, range, inner->part->body, hit );
}

static ds_random host_random_stream( const ds_context *context )
{
	return ( (const ds_context_inner *)context->internal )->random;
}

static ds_status host_ray_cast_many( ds_context *context, int64_t count, const ds_vec3 *origins,
	const ds_vec3 *directions, double range, ds_ray_hit *hits )
{
	const ds_context_inner *inner = context->internal;
	if ( count < 0 || ( count > 0 && ( origins == NULL || directions == NULL || hits == NULL ) ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ray_cast_many needs rays and room for their answers" );
	}
	DS_TRY( ds_world_rays_place( inner->world ) );
	return ds_rays_query( inner->world, count, origins, directions, range, inner->part->body, hits );
}

static ds_status host_look_many( const ds_context *context, int64_t count, const ds_look_ray *rays, ds_look *looks )
{
	const ds_context_inner *inner = context->internal;
	if ( count < 0 || ( count > 0 && ( rays == NULL || looks == NULL ) ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "look_many needs rays and room for what is seen" );
	}
	return ds_looks_query( inner->world, count, rays, looks );
}

static ds_status host_blocked_many( const ds_context *context, int64_t count, const ds_look_ray *rays, bool *blocked )
{
	const ds_context_inner *inner = context->internal;
	if ( count < 0 || ( count > 0 && ( rays == NULL || blocked == NULL ) ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "blocked_many needs rays and room for the answers" );
	}
	return ds_blocked_query( inner->world, count, rays, blocked );
}

static ds_status host_light_view( ds_context *context, ds_light_view *view )
{
	const ds_context_inner *inner = context->internal;
	if ( view == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "light_view needs room for the answer" );
	}
	return ds_lights_view( inner->world, view );
}

static ds_status host_parallel( ds_context *context, int32_t count, ds_parallel_fn *task, void *user )
{
	return ds_parallel_run( ( (const ds_context_inner *)context->internal )->world, count, task, user );
}

static ds_status host_geodetic_at( ds_context *context, ds_vec3 position, ds_geodetic *geodetic )
{
	const ds_context_inner *inner = context->internal;
	if ( geodetic == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "geodetic_at needs room for the answer" );
	}
	return ds_geodetic_query( inner->world, position, geodetic );
}

static ds_status host_velocity_at( ds_context *context, ds_id id, ds_vec3 position, ds_vec3 *velocity )
{
	const ds_context_inner *inner = context->internal;
	if ( velocity == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "velocity_at needs room for the answer" );
	}
	if ( !ds_finite( position ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "velocity_at: the position is not finite" );
	}
	*velocity = ds_v3( 0, 0, 0 );
	if ( id != DS_NO_ID )
	{
		ds_body *body;
		DS_TRY( ds_world_body( inner->world, id, &body ) );
		const ds_body_state *s = &body->state;
		*velocity = ds_add( s->v, ds_cross( ds_rotate( s->q, s->w ), ds_sub( position, s->x ) ) );
	}
	return DS_OK;
}

static ds_status host_water_at( ds_context *context, ds_vec3 position, ds_water *water )
{
	const ds_context_inner *inner = context->internal;
	if ( water == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "water_at needs room for the answer" );
	}
	if ( !ds_finite( position ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "water_at: the position is not finite" );
	}
	ds_water_query( inner->world, position, context->time, water );
	return DS_OK;
}

static ds_status host_ground_at( ds_context *context, double north, double east, ds_ground_point *ground )
{
	const ds_context_inner *inner = context->internal;
	if ( ground == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ground_at needs room for the answer" );
	}
	return ds_ground_query( inner->world, north, east, ground );
}

static ds_status host_touch( ds_context *context, double radius, ds_touch *touch )
{
	const ds_context_inner *inner = context->internal;
	if ( touch == NULL || !( radius >= 0 ) || !isfinite( radius ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "touch needs a radius of at least 0 and room for the answer" );
	}
	memset( touch, 0, sizeof( *touch ) );
	if ( inner->part->body )
	{
		ds_soil_touch( inner->world, inner->part->body, inner->part->mount_c.position, radius, touch );
	}
	return DS_OK;
}

static ds_status magnetic_at( ds_context *context, ds_vec3 position, bool earth_only, ds_vec3 *field )
{
	const ds_context_inner *inner = context->internal;
	if ( field == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a question for the magnetic field needs room for the answer" );
	}
	ds_magnetic_warn( inner->world );
	return ds_magnetic_query( inner->world, position, context->time, earth_only, field );
}

static ds_status host_magnetic_field_at( ds_context *context, ds_vec3 position, ds_vec3 *field )
{
	return magnetic_at( context, position, false, field );
}

static ds_status host_earth_field_at( ds_context *context, ds_vec3 position, ds_vec3 *field )
{
	return magnetic_at( context, position, true, field );
}

static ds_status host_command_set( ds_context *context, int32_t output, const double *values, int32_t count )
{
	ds_context_inner *inner = context->internal;
	const ds_part *part = inner->part;
	if ( part->kind != DS_CONTROLLER || output < 0 || output >= part->output_count )
	{
		return ds_error(
			DS_ERROR_RANGE, "command_set: %s \"%s\" has no output %d", ds_kind_name( part->kind ), part->name, output );
	}
	return ds_part_command( part->targets[output], values, count );
}

void ds_host_init( ds_host *host, const ds_hooks *hooks )
{
	memset( host, 0, sizeof( *host ) );
	host->struct_size = sizeof( *host );
	host->abi_version = DS_ABI_VERSION;
	host->registry_add = host_registry_add;
	host->error = ds_error;
	host->last_error = ds_last_error;
	host->allocate = host_allocate;
	host->release = host_release;
	host->log = host_log;
	host->random_uniform = host_random_uniform;
	host->random_normal = host_random_normal;
	host->random_stream = host_random_stream;
	host->random_normals = ds_random_normals;
	host->random_uniforms = ds_random_uniforms;
	host->ray_cast = host_ray_cast;
	host->ray_cast_many = host_ray_cast_many;
	host->look_many = host_look_many;
	host->blocked_many = host_blocked_many;
	host->light_view = host_light_view;
	host->parallel = host_parallel;
	host->geodetic_at = host_geodetic_at;
	host->velocity_at = host_velocity_at;
	host->water_at = host_water_at;
	host->ground_at = host_ground_at;
	host->touch = host_touch;
	host->magnetic_field_at = host_magnetic_field_at;
	host->earth_field_at = host_earth_field_at;
	host->command_set = host_command_set;
	host->internal = (void *)(uintptr_t)hooks;
}

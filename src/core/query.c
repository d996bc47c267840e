#include "base/geodesy.h"
#include "core/world.h"

#include <math.h>

void ds_water_query( const ds_world *world, ds_vec3 position, ds_time time, ds_water *water )
{
	*water = ( ds_water ){ 0 };
	if ( world->sea->column )
	{
		water->pressure = world->environment.surface_pressure; // of the air, unless there is water
		ds_sea_water( world->sea, world->state.seed, position, 1e-9 * (double)time, water );
	}
}

ds_status ds_water_at( const ds_world *world, ds_vec3 position, ds_water *water )
{
	if ( world == NULL || water == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_water_at needs a world and room for the answer" );
	}
	if ( !ds_finite( position ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "ds_water_at: the position is not finite" );
	}
	ds_water_query( world, position, ds_world_time( world ), water );
	return DS_OK;
}

// The flat seabed is met analytically: exact, and there without a Bullet world.
static void ray_seabed( const ds_world *world, ds_vec3 origin, ds_vec3 unit, double range, ds_ray_hit *hit )
{
	double height = world->environment.seabed_depth - origin.z;
	if ( world->environment.seabed != DS_SEABED_FLAT || !( height * unit.z > 0 ) )
	{
		return;
	}
	double distance = height / unit.z;
	if ( distance <= range && ( !hit->hit || distance < hit->distance ) )
	{
		hit->hit = true;
		hit->distance = distance;
		hit->point = ds_mad( origin, distance, unit );
		hit->normal = ds_v3( 0, 0, unit.z > 0 ? -1 : 1 );
		hit->body = DS_NO_ID;
	}
}

ds_status ds_ray_query(
	const ds_world *world, ds_vec3 origin, ds_vec3 direction, double range, const ds_body *ignore, ds_ray_hit *hit )
{
	*hit = ( ds_ray_hit ){ 0 };
	double length = ds_length( direction );
	if ( !ds_finite( origin ) || !ds_finite( direction ) || !isfinite( range ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "ray cast: origin, direction and range must be finite" );
	}
	if ( !( length > 0 ) || !( range > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "ray cast: direction and range must be longer than 0" );
	}
	ds_vec3 unit = ds_scale( 1 / length, direction );
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
	ray_seabed( world, origin, unit, range, hit );
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
	if ( !world->prepared )
	{
		return ds_error( DS_ERROR_STATE,
			"ds_ray_cast: the world was changed since its last step; call ds_world_step( world, 0 ) first" );
	}
	return ds_ray_query( world, origin, direction, range, body, hit );
}

ds_status ds_geodetic_at( const ds_world *world, ds_vec3 position, ds_geodetic *geodetic )
{
	if ( world == NULL || geodetic == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_geodetic_at needs a world and room for the answer" );
	}
	double latitude = world->environment.latitude, meridian, radius;
	ds_earth_radii( latitude, &meridian, &radius );
	geodetic->latitude = latitude + position.x / meridian;
	if ( fabs( radius ) < 1 )
	{
		return ds_error( DS_ERROR_RANGE, "longitude has no meaning for an origin at a pole" );
	}
	geodetic->longitude = world->environment.longitude + position.y / radius;
	geodetic->height = -position.z;
	return DS_OK;
}

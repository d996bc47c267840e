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

ds_status ds_geodetic_query( const ds_world *world, ds_vec3 position, ds_geodetic *geodetic )
{
	if ( !ds_finite( position ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "geodetic_at: the position is not finite" );
	}
	double latitude = world->environment.latitude, meridian, radius;
	ds_earth_radii( latitude, &meridian, &radius );
	geodetic->latitude = latitude + position.x / meridian;
	geodetic->height = -position.z;
	if ( fabs( radius ) < 1 )
	{
		geodetic->longitude = world->environment.longitude;
		return ds_error( DS_ERROR_RANGE,
			"longitude has no meaning for an origin at a pole; move the origin away from it, to a latitude of 89.999 "
			"degrees for example" );
	}
	geodetic->longitude = world->environment.longitude + position.y / radius;
	return DS_OK;
}

ds_status ds_geodetic_at( const ds_world *world, ds_vec3 position, ds_geodetic *geodetic )
{
	if ( world == NULL || geodetic == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_geodetic_at needs a world and room for the answer" );
	}
	return ds_geodetic_query( world, position, geodetic );
}

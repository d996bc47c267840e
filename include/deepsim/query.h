// libdeepsim: questions to a world that change nothing.

#ifndef DEEPSIM_QUERY_H
#define DEEPSIM_QUERY_H

#include "deepsim/plugin.h"
#include "deepsim/world.h"

#ifdef __cplusplus
extern "C"
{
#endif

// The water at a point of the world [m, NED] now. Hull, thrusters and sensors use the same answer.
DS_API ds_status ds_water_at( const ds_world *world, ds_vec3 position, ds_water *water );

// The nearest seabed or body on a ray from `origin` along `direction` (any length but 0) within `range` [m], but for the
// body `ignore` (DS_NO_ID: none). Bodies are met as their collision shapes.
DS_API ds_status ds_ray_cast(
	const ds_world *world, ds_vec3 origin, ds_vec3 direction, double range, ds_id ignore, ds_ray_hit *hit );

// What is seen along many rays: visual meshes, with their materials. DS_ERROR_UNSUPPORTED without Embree. `ignore` and `time` as in
// ds_look_ray.
DS_API ds_status ds_look_many( const ds_world *world, int64_t count, const ds_look_ray *rays, ds_look *looks );

// What an instance of ds_look and of segmentations is: "water", "seabed", "nodule", or the name of a body. NULL: nothing has that number.
DS_API const char *ds_instance_name( const ds_world *world, int32_t instance );

// Many rays at once, `hits` one each: the same answers as one by one, several times faster. Directions of any length but 0; a ray
// that is not finite is an error and names its number.
DS_API ds_status ds_ray_cast_many( const ds_world *world, int64_t count, const ds_vec3 *origins,
	const ds_vec3 *directions, double range, ds_id ignore, ds_ray_hit *hits );

// The ground at a place; DS_ERROR_NOT_FOUND where there is none. Ruts count.
DS_API ds_status ds_ground_at( const ds_world *world, double north, double east, ds_ground_point *ground );

// The magnetic field at a point of the world now [T], world axes: the Earth's, of magnets and of cables. DS_ERROR_UNSUPPORTED in a
// world without a magnetic field. ds_earth_field_at: the Earth's alone.
DS_API ds_status ds_magnetic_field_at( const ds_world *world, ds_vec3 position, ds_vec3 *field );
DS_API ds_status ds_earth_field_at( const ds_world *world, ds_vec3 position, ds_vec3 *field );

// Latitude, longitude and height of a point, by the WGS-84 radii of curvature at the origin; height is -z.
DS_API ds_status ds_geodetic_at( const ds_world *world, ds_vec3 position, ds_geodetic *geodetic );

// Date and time now, "2026-06-01T00:00:10.250Z" (UTC; time 0 is the environment's date). `size` of at least 32.
DS_API ds_status ds_world_date( const ds_world *world, char *text, size_t size );

#ifdef __cplusplus
}
#endif

#endif

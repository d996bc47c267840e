// Which lamps shine on what is seen, and whether the sun does.

#include "optics/frame.h"

#include "deepsim/math.h"

#include <math.h>
#include <string.h>

// Shadow rays end so far before the lamp: of the distance, and at least [m].
#define OFF_SHARE 2e-5
#define OFF_LEAST 1e-4

// The n-th shadow ray: of pixel k, from a point along `way`.
static inline void add_ray(
	ds_tile_work *work, int32_t n, int32_t k, ds_vec3 from, ds_vec3 way, double range, ds_id ignore )
{
	ds_look_ray *ray = work->shadow + n;
	ray->origin = from;
	ray->direction = way;
	ray->range = range;
	ray->time = work->look[k].time;
	ray->footprint = 0;
	ray->ignore = ignore;
	work->of[n] = k;
}

static ds_status trace( const ds_frame *frame, ds_tile_work *work, int32_t count, float *lit )
{
	if ( count == 0 )
	{
		return DS_OK;
	}
	ds_status status = frame->context->host->blocked_many( frame->context, count, work->shadow, work->blocked );
	for ( int32_t n = 0; status == DS_OK && n < count; ++n )
	{
		if ( work->blocked[n] )
		{
			lit[work->of[n]] = 0;
		}
	}
	return status;
}

static ds_vec3 world_of( const ds_camera_moment *m, const float v[3] )
{
	return ds_v3( v[0] * m->axes[0][0] + v[1] * m->axes[1][0] + v[2] * m->axes[2][0],
		v[0] * m->axes[0][1] + v[1] * m->axes[1][1] + v[2] * m->axes[2][1],
		v[0] * m->axes[0][2] + v[1] * m->axes[1][2] + v[2] * m->axes[2][2] );
}

// Whether a lamp may light what the pixels see: it lies in the beam, on the side of a face that is turned to the lamp. Also the way to the
// lamp, and its length.
static void face_lamp(
	const ds_tile_work *work, const ds_lit_lamp *lamp, float limit, float way[3][DS_TILE], float *distance, float *lit )
{
	const ds_tile *tile = &work->tile;
	const float px = lamp->position[0], py = lamp->position[1], pz = lamp->position[2];
	const float ax = lamp->axis[0], ay = lamp->axis[1], az = lamp->axis[2];
	for ( int32_t k = 0; k < tile->count; ++k )
	{
		const float range = tile->range[k] < INFINITY ? tile->range[k] : 0;
		const float x = px - ( tile->origin[0][k] + range * tile->direction[0][k] );
		const float y = py - ( tile->origin[1][k] + range * tile->direction[1][k] );
		const float z = pz - ( tile->origin[2][k] + range * tile->direction[2][k] );
		const float length = sqrtf( x * x + y * y + z * z );
		const float facing = x * work->facet[0][k] + y * work->facet[1][k] + z * work->facet[2][k];
		const float along = -( x * ax + y * ay + z * az );
		way[0][k] = x;
		way[1][k] = y;
		way[2][k] = z;
		distance[k] = length;
		lit[k] = facing > 0 && along >= limit * length ? 1 : 0;
	}
}

// With nothing between. What is so far away that the lamp's light does not count needs no ray.
static ds_status lamp_shadows( const ds_frame *frame, ds_tile_work *work, int lamp )
{
	const ds_frame_lamp *of = frame->lamps + lamp;
	float way[3][DS_TILE], distance[DS_TILE];
	float *lit = work->tile.visible[lamp];
	face_lamp( work, work->scene.lamps + lamp, (float)of->light.lamp->cos_limit, way, distance, lit );
	const ds_id ignore = of->light.lamp->own_shadow ? DS_NO_ID : of->light.body;
	int32_t n = 0;
	for ( int32_t k = 0; k < work->tile.count && frame->model->config.shadows; ++k )
	{
		const double range = (double)distance[k] - OFF_LEAST - OFF_SHARE * (double)distance[k];
		if ( lit[k] > 0 && distance[k] < of->reach && range > 0 )
		{
			const float to[3] = { way[0][k], way[1][k], way[2][k] };
			add_ray( work, n++, k, work->point[k], world_of( &work->middle, to ), range, ignore );
		}
	}
	return trace( frame, work, n, lit );
}

// The sun's light comes through the surface z = 0.
static ds_status sun_shadows( const ds_frame *frame, ds_tile_work *work )
{
	ds_tile *tile = &work->tile;
	const float *travels = work->scene.sun_direction;
	const ds_vec3 to = ds_scale( -1, frame->sun.direction );
	int32_t n = 0;
	for ( int32_t k = 0; k < tile->count; ++k )
	{
		const float facing =
			-( travels[0] * work->facet[0][k] + travels[1] * work->facet[1][k] + travels[2] * work->facet[2][k] );
		tile->sunny[k] = frame->has_sun && facing > 0 ? 1 : 0;
		const double depth = work->point[k].z, range = depth > 0 && to.z < 0 ? depth / -to.z : INFINITY;
		if ( tile->sunny[k] > 0 && frame->model->config.shadows && depth < (double)frame->sun_reach )
		{
			add_ray( work, n++, k, work->point[k], to, fmin( range, frame->model->config.range ), DS_NO_ID );
		}
	}
	return trace( frame, work, n, tile->sunny );
}

ds_status ds_frame_shadows( const ds_frame *frame, ds_tile_work *work )
{
	for ( int lamp = 0; lamp < frame->lamp_count; ++lamp )
	{
		ds_status status = lamp_shadows( frame, work, lamp );
		if ( status != DS_OK )
		{
			return status;
		}
	}
	return sun_shadows( frame, work );
}

// Rays from the points of one step along the tile's rays to a lamp.
static ds_status beam_shadows( const ds_frame *frame, ds_tile_work *work, int lamp, const float *distance, float *lit )
{
	const ds_frame_lamp *of = frame->lamps + lamp;
	const ds_lit_lamp *at = work->scene.lamps + lamp;
	const ds_tile *tile = &work->tile;
	int32_t n = 0;
	for ( int32_t k = 0; k < tile->count; ++k )
	{
		lit[k] = 1;
		float way[3], square = 0;
		for ( int i = 0; i < 3; ++i )
		{
			way[i] = at->position[i] - ( tile->origin[i][k] + distance[k] * tile->direction[i][k] );
			square += way[i] * way[i];
		}
		const float length = sqrtf( square );
		const double range = length * ( 1 - OFF_SHARE ) - OFF_LEAST;
		if ( !( distance[k] >= 0 ) || !( range > 0 ) || length > of->reach )
		{
			continue;
		}
		const ds_look_ray *look = work->look + k;
		const ds_vec3 from = ds_mad( look->origin, distance[k], look->direction );
		add_ray( work, n++, k, from, world_of( &work->middle, way ), range,
			of->light.lamp->own_shadow ? DS_NO_ID : of->light.body );
	}
	return trace( frame, work, n, lit );
}

ds_status ds_frame_beams( const ds_frame *frame, ds_tile_work *work, float *lit )
{
	float distance[DS_MAX_STEPS * DS_TILE];
	const int32_t steps = work->scene.steps;
	ds_status status = DS_OK;
	for ( int lamp = 0; lamp < frame->lamp_count && status == DS_OK; ++lamp )
	{
		ds_tile_nodes( &work->scene, &work->tile, lamp, distance );
		for ( int32_t step = 0; step < steps && status == DS_OK; ++step )
		{
			status = beam_shadows(
				frame, work, lamp, distance + step * DS_TILE, lit + ( (int64_t)lamp * steps + step ) * DS_TILE );
		}
	}
	return status;
}

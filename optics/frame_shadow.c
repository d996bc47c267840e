// Which lamps shine on what is seen, and whether the sun does.

#include "optics/frame.h"

#include "deepsim/math.h"

#include <math.h>
#include <string.h>

// Shadow rays start so far off the surface, and end so far before the lamp: of the distance from the camera, and at least [m].
#define OFF_SHARE 2e-5
#define OFF_LEAST 1e-4

// A ray from what pixel k sees towards a point `way` off (world axes), or past it where `range` is less.
static void add_ray(
	const ds_frame *frame, ds_tile_work *work, int32_t n, int32_t k, ds_vec3 way, double range, ds_id ignore )
{
	(void)frame;
	const ds_look_ray *look = work->look + k;
	const ds_look *seen = work->seen + k;
	ds_vec3 facet = ds_v3( seen->facet[0], seen->facet[1], seen->facet[2] );
	double off = OFF_LEAST + OFF_SHARE * seen->distance;
	double scale = seen->distance / ds_length( look->direction );
	ds_look_ray *ray = work->shadow + n;
	ray->origin = ds_mad( ds_mad( look->origin, scale, look->direction ), off, facet );
	ray->direction = way;
	ray->range = range;
	ray->time = look->time;
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

// A lamp lights what lies in its beam, on the side of a face that is turned to it, with nothing between. What is so far away that its
// light does not count needs no ray.
static ds_status lamp_shadows( const ds_frame *frame, ds_tile_work *work, int lamp )
{
	const ds_frame_lamp *of = frame->lamps + lamp;
	const ds_lit_lamp *at = work->scene.lamps + lamp;
	ds_tile *tile = &work->tile;
	float *lit = tile->visible[lamp];
	const float limit = (float)of->light.lamp->cos_limit;
	const ds_id ignore = of->light.lamp->own_shadow ? DS_NO_ID : of->light.body;
	int32_t n = 0;
	for ( int32_t k = 0; k < tile->count; ++k )
	{
		lit[k] = 0;
		if ( !( tile->range[k] < INFINITY ) )
		{
			continue;
		}
		float way[3], along = 0, square = 0;
		for ( int i = 0; i < 3; ++i )
		{
			way[i] = at->position[i] - ( tile->origin[i][k] + tile->range[k] * tile->direction[i][k] );
			along -= way[i] * at->axis[i];
			square += way[i] * way[i];
		}
		const float distance = sqrtf( square );
		const float *facet = work->seen[k].facet;
		const ds_vec3 to = world_of( &work->middle, way );
		const double facing = to.x * facet[0] + to.y * facet[1] + to.z * facet[2];
		if ( along < limit * distance || !( facing > 0 ) )
		{
			continue;
		}
		lit[k] = 1;
		double range = distance - OFF_LEAST - OFF_SHARE * distance;
		if ( frame->model->config.shadows && distance < of->reach && range > 0 )
		{
			add_ray( frame, work, n++, k, to, range, ignore );
		}
	}
	return trace( frame, work, n, lit );
}

// The sun's light comes through the surface z = 0.
static ds_status sun_shadows( const ds_frame *frame, ds_tile_work *work )
{
	ds_tile *tile = &work->tile;
	const ds_vec3 to = ds_scale( -1, frame->sun.direction );
	int32_t n = 0;
	for ( int32_t k = 0; k < tile->count; ++k )
	{
		const ds_look *seen = work->seen + k;
		const ds_look_ray *look = work->look + k;
		tile->sunny[k] = 0;
		const double facing = to.x * seen->facet[0] + to.y * seen->facet[1] + to.z * seen->facet[2];
		if ( !frame->has_sun || !( tile->range[k] < INFINITY ) || !( facing > 0 ) )
		{
			continue;
		}
		tile->sunny[k] = 1;
		double depth = look->origin.z + seen->distance * look->direction.z / ds_length( look->direction );
		double range = depth > 0 && to.z < 0 ? depth / -to.z : frame->model->config.range;
		if ( frame->model->config.shadows && depth < frame->sun_reach )
		{
			add_ray( frame, work, n++, k, to, fmin( range, frame->model->config.range ), DS_NO_ID );
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
		work->shadow[n] = ( ds_look_ray ){
			.origin = ds_mad( look->origin, distance[k] / ds_length( look->direction ), look->direction ),
			.direction = world_of( &work->middle, way ),
			.range = range,
			.time = look->time,
			.ignore = of->light.lamp->own_shadow ? DS_NO_ID : of->light.body,
		};
		work->of[n++] = k;
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

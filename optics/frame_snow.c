// Marine snow of a pass: particles are found, lit as little surfaces, and drawn over what lies behind them.

#include "optics/frame.h"

#include "deepsim/math.h"

#include <math.h>
#include <string.h>

#define NEAREST 0.05 // from the centre of projection [m]: nearer ones would fill the image
#define BLUR    1.4f // least diameter of a spot [px]

static ds_vec3 axis( const ds_camera_moment *m, int i )
{
	return ds_v3( m->axes[i][0], m->axes[i][1], m->axes[i][2] );
}

// Pixel, size and range of a particle; false: it is not seen.
static bool project( const ds_frame *frame, const ds_snow_particle *particle, ds_snow_spot *spot )
{
	const ds_camera_side *side = frame->side;
	ds_vec3 at = ds_v3( particle->position[0], particle->position[1], particle->position[2] ), inside = at;
	double pixel[2], range = particle->range;
	if ( side->bends )
	{
		ds_vec3 origin, direction;
		if ( ds_port_see( &side->port, at, &inside ) != DS_OK ||
			 ds_port_ray( &side->port, inside, &origin, &direction, NULL ) != DS_OK )
		{
			return false;
		}
		range = ds_length( ds_sub( at, origin ) );
	}
	if ( !( range > 0 ) || ds_lens_project( &frame->model->lens, inside, pixel ) != DS_OK )
	{
		return false;
	}
	spot->u = (float)pixel[0];
	spot->v = (float)pixel[1];
	spot->range = (float)range;
	spot->diameter = (float)( particle->diameter * side->focal / range );
	return true;
}

// Tiles [start, end) of particles.
static ds_status light_particles( int32_t start, int32_t end, void *user )
{
	ds_frame *frame = user;
	const ds_camera_scratch *s = frame->scratch;
	ds_light_scene scene;
	ds_tile tile;
	const ds_camera_moment moment = ds_frame_moment( frame, frame->offset );
	ds_frame_scene( frame, &moment, &scene );
	tile.lit = NULL;
	for ( int32_t t = start; t < end; ++t )
	{
		const int64_t first = (int64_t)t * DS_TILE, left = frame->particle_count - first;
		const int32_t count = (int32_t)( left < DS_TILE ? left : DS_TILE );
		ds_snow_tile( s->particles + first, count, &tile );
		ds_tile_light( &scene, &tile );
		for ( int32_t i = 0; i < count; ++i )
		{
			ds_snow_spot *spot = s->spots + first + i;
			spot->u = spot->v = -1e6f;
			spot->diameter = 0;
			spot->range = s->particles[first + i].range;
			ds_snow_take( &scene, &tile, i, spot );
			if ( !project( frame, s->particles + first + i, spot ) )
			{
				memset( spot, 0, sizeof( *spot ) );
				spot->u = spot->v = NAN; // left out
			}
		}
	}
	return DS_OK;
}

ds_status ds_frame_snow( ds_frame *frame )
{
	const ds_camera_model *m = frame->model;
	ds_camera_scratch *s = frame->scratch;
	if ( frame->scene.depth < 0 )
	{
		return DS_OK;
	}
	const ds_camera_moment moment = ds_frame_moment( frame, frame->offset );
	ds_vec3 drift = frame->context->water.velocity;
	drift.z += m->config.snow.sinking;
	const ds_snow_view view = { .eye = moment.position,
		.right = axis( &moment, 0 ),
		.down = axis( &moment, 1 ),
		.ahead = axis( &moment, 2 ),
		.moved = ds_mad( frame->snow_moved, moment.time, drift ),
		.half_angle = frame->side->half_angle,
		.nearest = NEAREST };
	frame->particle_count = ds_snow_visit( &m->snow, &view, DS_CAMERA_PARTICLES, s->particles );
	ds_status status = frame->context->host->parallel(
		frame->context, (int32_t)( ( frame->particle_count + DS_TILE - 1 ) / DS_TILE ), light_particles, frame );
	ds_snow_frame target = {
		.width = m->width, .height = m->height, .bands = m->bands.count, .range = s->range, .blur = BLUR
	};
	memcpy( target.planes, s->image, sizeof( target.planes ) );
	if ( status == DS_OK )
	{
		ds_snow_splat( &target, s->spots, frame->particle_count );
	}
	return status;
}

// A tile of a frame: rays, what they meet, the light of it.

#include "optics/frame.h"

#include "deepsim/math.h"

#include <math.h>
#include <string.h>

// Shadow rays start so far off a surface: of the distance from the camera, and at least [m].
#define OFF_SHARE 2e-5
#define OFF_LEAST 1e-4

// World vector of one in the camera's axes.
static inline ds_vec3 to_world( const ds_camera_moment *m, double right, double down, double ahead )
{
	return ds_v3( right * m->axes[0][0] + down * m->axes[1][0] + ahead * m->axes[2][0],
		right * m->axes[0][1] + down * m->axes[1][1] + ahead * m->axes[2][1],
		right * m->axes[0][2] + down * m->axes[1][2] + ahead * m->axes[2][2] );
}

static void find_moments( const ds_frame *frame, int32_t tile, ds_tile_work *work )
{
	const ds_camera_model *m = frame->model;
	work->first_row = tile / m->columns * DS_CAMERA_SIDE;
	work->rolling = m->config.sensor.readout > 0 && m->height > 1;
	int32_t last = work->first_row + DS_CAMERA_SIDE < m->height ? work->first_row + DS_CAMERA_SIDE : m->height;
	for ( int32_t row = work->first_row; work->rolling && row < last; ++row )
	{
		work->rows[row - work->first_row] = ds_frame_moment( frame, ds_frame_row_time( frame, row ) );
	}
	int32_t middle = ( work->first_row + last - 1 ) / 2;
	work->middle = ds_frame_moment( frame, ds_frame_row_time( frame, middle ) );
}

static void aim( const ds_frame *frame, ds_tile_work *work )
{
	const ds_ray_tile *rays = work->rays;
	const double footprint = 1 / frame->side->focal / (double)frame->model->config.supersampling;
	for ( int32_t k = 0; k < rays->count; ++k )
	{
		const ds_camera_moment *m = ds_tile_moment( work, rays->pixel[k] / frame->model->width );
		ds_look_ray *look = work->look + k;
		look->origin = m->position;
		if ( work->origins )
		{
			const float( *at )[DS_TILE] = work->origins->at;
			look->origin = ds_add( look->origin, to_world( m, at[0][k], at[1][k], at[2][k] ) );
		}
		look->direction = to_world( m, rays->direction[0][k], rays->direction[1][k], rays->direction[2][k] );
		look->range = frame->model->config.range;
		look->time = m->time;
		look->footprint = footprint;
		look->ignore = frame->ignored;
	}
}

// The rays in the axes of the tile's moment.
static void place_rays( ds_tile_work *work )
{
	ds_tile *tile = &work->tile;
	const size_t size = (size_t)work->rays->count * sizeof( float );
	if ( !work->rolling )
	{
		for ( int i = 0; i < 3; ++i )
		{
			memcpy( tile->direction[i], work->rays->direction[i], size );
			if ( work->origins )
			{
				memcpy( tile->origin[i], work->origins->at[i], size );
			}
			else
			{
				memset( tile->origin[i], 0, size );
			}
		}
		return;
	}
	for ( int32_t k = 0; k < work->rays->count; ++k )
	{
		ds_vec3 d = work->look[k].direction, o = ds_sub( work->look[k].origin, work->middle.position );
		for ( int i = 0; i < 3; ++i )
		{
			const double *a = work->middle.axes[i];
			tile->direction[i][k] = (float)( a[0] * d.x + a[1] * d.y + a[2] * d.z );
			tile->origin[i][k] = (float)( a[0] * o.x + a[1] * o.y + a[2] * o.z );
		}
	}
}

// What the rays met, in the same axes.
static void place_surfaces( ds_tile_work *work )
{
	ds_tile *tile = &work->tile;
	mat3 view;
	ds_frame_view( &work->middle, view );
	for ( int32_t k = 0; k < work->rays->count; ++k )
	{
		ds_look *seen = work->seen + k;
		const ds_look_ray *look = work->look + k;
		vec3 normal, facet;
		glm_mat3_mulv( view, seen->normal, normal );
		glm_mat3_mulv( view, seen->facet, facet );
		const bool met = seen->distance >= 0;
		tile->range[k] = met ? (float)seen->distance : INFINITY;
		for ( int i = 0; i < 3; ++i )
		{
			tile->normal[i][k] = normal[i];
			work->facet[i][k] = facet[i];
			tile->color[i][k] = seen->color[i];
		}
		tile->metallic[k] = seen->metallic;
		tile->roughness[k] = seen->roughness;
		const double off = OFF_LEAST + OFF_SHARE * seen->distance;
		work->point[k] = ds_mad( ds_mad( look->origin, met ? seen->distance : 0, look->direction ), met ? off : 0,
			ds_v3( seen->facet[0], seen->facet[1], seen->facet[2] ) );
	}
}

// Into the frame's planes. What surfaces send is dimmed here, unless forward scatter does that later.
static void store_light( const ds_frame *frame, const ds_tile_work *work )
{
	const ds_tile *tile = &work->tile;
	const int32_t *pixel = work->rays->pixel, count = work->rays->count;
	ds_camera_scratch *s = frame->scratch;
	const ds_camera_model *m = frame->model;
	for ( int b = 0; b < m->bands.count; ++b )
	{
		float light[DS_TILE];
		const double c = frame->scene.c[b];
		for ( int32_t k = 0; k < count; ++k )
		{
			const bool direct = !m->blurred && tile->range[k] < INFINITY;
			light[k] = tile->scattered[b][k] +
					   ( direct ? tile->surface[b][k] * (float)exp( -c * (double)tile->range[k] ) : 0 );
		}
		for ( int32_t k = 0; k < count && m->snowy; ++k )
		{
			s->image[b][pixel[k]] = light[k];
		}
		for ( int32_t k = 0; k < count && !m->snowy; ++k )
		{
			float *total = s->total[b] + pixel[k];
			*total = ( frame->first ? 0 : *total ) + frame->weight * light[k];
		}
		for ( int32_t k = 0; k < count && m->blurred; ++k )
		{
			s->surface[b][pixel[k]] = tile->surface[b][k];
		}
	}
	for ( int32_t k = 0; s->range && k < count; ++k )
	{
		s->range[pixel[k]] = tile->range[k];
	}
}

// Apart, for the half megabyte of stack that its beams need.
static ds_status light_beams( const ds_frame *frame, ds_tile_work *work )
{
	float lit[DS_MAX_LAMPS * DS_MAX_STEPS * DS_TILE];
	ds_status status = ds_frame_beams( frame, work, lit );
	work->tile.lit = lit;
	if ( status == DS_OK )
	{
		ds_tile_light( &work->scene, &work->tile );
	}
	work->tile.lit = NULL;
	return status;
}

// Planes are far larger than caches: what a tile will write to is asked for while its rays are traced. Changes no result.
static void fetch_planes( const ds_frame *frame, const ds_tile_work *work )
{
	const ds_camera_model *m = frame->model;
	const ds_camera_scratch *s = frame->scratch;
	const int64_t first = work->rays->pixel[0], rows = m->height - work->first_row;
	for ( int64_t row = 0; row < DS_CAMERA_SIDE && row < rows; ++row )
	{
		const int64_t at = first + row * m->width < (int64_t)m->width * m->height ? first + row * m->width : first;
		for ( int b = 0; b < m->bands.count; ++b )
		{
			__builtin_prefetch( ( m->snowy ? s->image[b] : s->total[b] ) + at, 1 );
			if ( m->blurred )
			{
				__builtin_prefetch( s->surface[b] + at, 1 );
			}
		}
		if ( s->range )
		{
			__builtin_prefetch( s->range + at, 1 );
		}
	}
}

static ds_status light_tile( const ds_frame *frame, ds_tile_work *work )
{
	work->tile.count = work->rays->count;
	fetch_planes( frame, work );
	place_rays( work );
	place_surfaces( work );
	ds_frame_scene( frame, &work->middle, &work->scene );
	work->tile.lit = NULL;
	ds_status status = ds_frame_shadows( frame, work );
	if ( status == DS_OK && frame->model->config.beam_shadows && work->scene.steps > 0 && frame->lamp_count > 0 )
	{
		status = light_beams( frame, work );
	}
	else if ( status == DS_OK )
	{
		ds_tile_light( &work->scene, &work->tile );
	}
	if ( status == DS_OK )
	{
		store_light( frame, work );
	}
	return status;
}

// Colours as they are.
static void store_colors( const ds_frame *frame, const ds_tile_work *work )
{
	for ( int32_t k = 0; k < work->rays->count; ++k )
	{
		for ( int i = 0; i < 3; ++i )
		{
			float *total = frame->scratch->total[i] + work->rays->pixel[k];
			*total = ( frame->first ? 0 : *total ) + frame->weight * work->seen[k].color[i];
		}
	}
}

ds_status ds_frame_tiles( int32_t start, int32_t end, void *user )
{
	const ds_frame *frame = user;
	ds_tile_work work;
	for ( int32_t t = start; t < end; ++t )
	{
		work.rays = frame->rays->tiles + t;
		work.origins = frame->rays->origins ? frame->rays->origins + t : NULL;
		if ( work.rays->count == 0 )
		{
			continue;
		}
		find_moments( frame, t, &work );
		aim( frame, &work );
		ds_status status = frame->context->host->look_many( frame->context, work.rays->count, work.look, work.seen );
		if ( status == DS_OK && frame->geometry )
		{
			ds_frame_geometry( frame, &work );
		}
		if ( status == DS_OK && frame->picture && frame->model->config.lit )
		{
			status = light_tile( frame, &work );
		}
		else if ( frame->picture )
		{
			store_colors( frame, &work );
		}
		if ( status != DS_OK )
		{
			return status;
		}
	}
	return DS_OK;
}

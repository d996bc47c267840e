// Frames without light: depth, normals, instances, flow.

#include "optics/frame.h"

#include "deepsim/math.h"

#include <math.h>
#include <string.h>

// A world vector in the camera's axes.
static inline ds_vec3 to_camera( const ds_camera_moment *m, ds_vec3 v )
{
	return ds_v3( m->axes[0][0] * v.x + m->axes[0][1] * v.y + m->axes[0][2] * v.z,
		m->axes[1][0] * v.x + m->axes[1][1] * v.y + m->axes[1][2] * v.z,
		m->axes[2][0] * v.x + m->axes[2][1] * v.y + m->axes[2][2] * v.z );
}

// Velocity of the image of a point (optical axes) that moves: by the lens's derivative, through a port by differences.
static void image_velocity( const ds_frame *frame, ds_vec3 point, ds_vec3 velocity, float flow[2] )
{
	const ds_lens *lens = &frame->model->lens;
	double j[6];
	if ( !frame->side->bends )
	{
		if ( ds_lens_jacobian( lens, point, j ) == DS_OK )
		{
			flow[0] = (float)( j[0] * velocity.x + j[1] * velocity.y + j[2] * velocity.z );
			flow[1] = (float)( j[3] * velocity.x + j[4] * velocity.y + j[5] * velocity.z );
		}
		return;
	}
	double speed = ds_length( velocity ), h = 1e-4 * ds_length( point ) / speed, a[2], b[2];
	if ( speed > 0 && ds_port_project( lens, &frame->side->port, ds_mad( point, h, velocity ), b ) == DS_OK &&
		 ds_port_project( lens, &frame->side->port, ds_mad( point, -h, velocity ), a ) == DS_OK )
	{
		flow[0] = (float)( ( b[0] - a[0] ) / ( 2 * h ) );
		flow[1] = (float)( ( b[1] - a[1] ) / ( 2 * h ) );
	}
}

static void write_flow( const ds_frame *frame, const ds_tile_work *work, int32_t k, const ds_camera_moment *m,
	ds_vec3 from_camera, float flow[2] )
{
	const ds_context *context = frame->context;
	const float *v = work->seen[k].velocity;
	ds_vec3 turn = ds_rotate( context->pose.attitude, context->rate );
	ds_vec3 relative = ds_sub( ds_v3( v[0], v[1], v[2] ), ds_add( context->velocity, ds_cross( turn, from_camera ) ) );
	image_velocity( frame, to_camera( m, from_camera ), to_camera( m, relative ), flow );
}

void ds_frame_geometry( const ds_frame *frame, const ds_tile_work *work )
{
	const ds_camera_config *c = &frame->model->config;
	const ds_camera *r = frame->reading;
	float *depth = ds_frame_span( frame, r->depth ), *z_depth = ds_frame_span( frame, r->z_depth );
	float *normals = ds_frame_span( frame, r->normals ), *flow = ds_frame_span( frame, r->flow );
	int32_t *instances = ds_frame_span( frame, r->segmentation );
	for ( int32_t k = 0; k < work->rays->count; ++k )
	{
		const ds_look *seen = work->seen + k;
		const ds_look_ray *look = work->look + k;
		const int64_t pixel = work->rays->pixel[k];
		if ( !( seen->distance >= 0 ) )
		{
			continue;
		}
		const ds_camera_moment *m = ds_tile_moment( work, (int32_t)( pixel / frame->model->width ) );
		ds_vec3 ray = ds_scale( seen->distance, look->direction );
		ds_vec3 from_camera = ds_add( ds_sub( look->origin, m->position ), ray );
		if ( c->depth )
		{
			depth[pixel] = (float)seen->distance;
			z_depth[pixel] = (float)to_camera( m, from_camera ).z;
		}
		if ( c->normals )
		{
			vec3 normal = { seen->normal[0], seen->normal[1], seen->normal[2] };
			mat3 view;
			ds_frame_view( m, view );
			glm_mat3_mulv( view, normal, normals + 3 * pixel );
		}
		if ( c->segmentation )
		{
			instances[pixel] = seen->instance;
		}
		if ( c->flow )
		{
			write_flow( frame, work, k, m, from_camera, flow + 2 * pixel );
		}
	}
}

void ds_frame_clear( const ds_frame *frame )
{
	const ds_camera *r = frame->reading;
	float *depth = ds_frame_span( frame, r->depth ), *z_depth = ds_frame_span( frame, r->z_depth );
	for ( int64_t i = 0; i < r->depth.count; ++i )
	{
		depth[i] = z_depth[i] = INFINITY;
	}
}

// A frame: passes over moments of the exposure and over parts of the pixels, their mean, the image sensor.

#include "optics/frame.h"

#include "deepsim/math.h"

#include <math.h>
#include <string.h>

#define ROWS_AT_ONCE 8 // of the frame, in the work after the rays

// ---- moments -----------------------------------------------------------------------------------------------------

ds_camera_moment ds_frame_moment( const ds_frame *frame, double time )
{
	const ds_context *context = frame->context;
	ds_camera_moment m;
	m.time = time;
	m.position = ds_mad( context->pose.position, time, context->velocity );
	ds_quat q = context->pose.attitude;
	if ( time != 0 )
	{
		q = ds_quat_mul( q, ds_quat_exp( ds_scale( time, context->rate ) ) );
	}
	const ds_vec3 axes[3] = { ds_rotate( q, ds_v3( 0, 1, 0 ) ), ds_rotate( q, ds_v3( 0, 0, 1 ) ),
		ds_rotate( q, ds_v3( 1, 0, 0 ) ) };
	for ( int i = 0; i < 3; ++i )
	{
		m.axes[i][0] = axes[i].x;
		m.axes[i][1] = axes[i].y;
		m.axes[i][2] = axes[i].z;
	}
	return m;
}

double ds_frame_row_time( const ds_frame *frame, int32_t row )
{
	const double readout = frame->model->config.sensor.readout;
	const int32_t last = frame->model->height - 1;
	return frame->offset + ( readout > 0 && last > 0 ? readout * ( (double)row / last - 0.5 ) : 0 );
}

// ---- after the rays ----------------------------------------------------------------------------------------------

// Forward scatter of bands [start, end), added to the mean.
static ds_status blur_bands( int32_t start, int32_t end, void *user )
{
	const ds_frame *frame = user;
	const ds_camera_model *m = frame->model;
	const ds_light_scene *scene = &frame->scene;
	ds_camera_scratch *s = frame->scratch;
	const int64_t pixels = (int64_t)m->width * m->height;
	for ( int32_t b = start; b < end; ++b )
	{
		ds_forward_scatter( scene->a[b], scene->b_water[b] + scene->b_particles[b], scene->c[b], &s->phase, m->width,
			m->height, frame->side->focal, s->surface[b], s->range, s->out[b], s->forward[b] );
		float *image = m->snowy ? s->image[b] : s->total[b];
		const float weight = m->snowy ? 1 : frame->weight;
		for ( int64_t i = 0; i < pixels; ++i )
		{
			image[i] += weight * s->out[b][i];
		}
	}
	return DS_OK;
}

// Images with snow on them, added to the mean: bands [start, end).
static ds_status add_bands( int32_t start, int32_t end, void *user )
{
	const ds_frame *frame = user;
	const ds_camera_model *m = frame->model;
	const int64_t pixels = (int64_t)m->width * m->height;
	for ( int32_t b = start; b < end; ++b )
	{
		float *total = frame->scratch->total[b];
		const float *image = frame->scratch->image[b];
		for ( int64_t i = 0; i < pixels; ++i )
		{
			total[i] = ( frame->first ? 0 : total[i] ) + frame->weight * image[i];
		}
	}
	return DS_OK;
}

// Bands to channels, radiance, and means; blocks of rows [start, end).
static ds_status develop_rows( int32_t start, int32_t end, void *user )
{
	const ds_frame *frame = user;
	const ds_camera_model *m = frame->model;
	ds_camera_scratch *s = frame->scratch;
	float *radiance = m->config.radiance ? ds_frame_span( frame, frame->reading->radiance ) : NULL;
	int32_t last = end * ROWS_AT_ONCE < m->height ? end * ROWS_AT_ONCE : m->height;
	for ( int32_t row = start * ROWS_AT_ONCE; row < last; ++row )
	{
		const int64_t first = (int64_t)row * m->width, next = first + m->width;
		float *const *planes = m->config.lit ? s->channel : s->total;
		for ( int c = 0; c < 3 && m->config.lit; ++c )
		{
			float *channel = s->channel[c];
			memset( channel + first, 0, (size_t)m->width * sizeof( float ) );
			for ( int b = 0; b < m->bands.count; ++b )
			{
				const float factor = (float)m->factors[c * DS_MAX_BANDS + b];
				for ( int64_t i = first; i < next && factor > 0; ++i )
				{
					channel[i] += factor * s->total[b][i];
				}
				for ( int64_t i = first; i < next && radiance; ++i )
				{
					radiance[3 * i + c] += frame->side->light[i] > 0 ? m->reflect[b][c] * s->total[b][i] : 0;
				}
			}
			for ( int64_t i = first; i < next; ++i )
			{
				channel[i] *= frame->side->light[i];
			}
		}
		ds_image_sensor_mean( frame->sensor, &frame->exposure, m->width, planes[0] + first, planes[1] + first,
			planes[2] + first, s->means + 3 * row );
	}
	return DS_OK;
}

static ds_status expose_rows( int32_t start, int32_t end, void *user )
{
	const ds_frame *frame = user;
	const ds_camera_model *m = frame->model;
	const ds_camera_scratch *s = frame->scratch;
	uint8_t *color8 = m->config.sensor.bits == 8 ? ds_frame_span( frame, frame->reading->color8 ) : NULL;
	uint16_t *color16 = m->config.sensor.bits == 8 ? NULL : ds_frame_span( frame, frame->reading->color16 );
	float *const *planes = m->config.lit ? s->channel : s->total;
	const int32_t last = end * ROWS_AT_ONCE < m->height ? end * ROWS_AT_ONCE : m->height;
	const int64_t first = (int64_t)start * ROWS_AT_ONCE * m->width;
	ds_image_sensor_expose( frame->sensor, &frame->exposure, &frame->stream, first, (int64_t)last * m->width - first,
		planes[0] + first, planes[1] + first, planes[2] + first, color8 ? color8 + 3 * first : NULL,
		color16 ? color16 + 3 * first : NULL );
	return DS_OK;
}

static void take_means( const ds_frame *frame, double mean[3] )
{
	const ds_camera_model *m = frame->model;
	mean[0] = mean[1] = mean[2] = 0;
	for ( int32_t row = 0; row < m->height; ++row )
	{
		for ( int c = 0; c < 3; ++c )
		{
			mean[c] += frame->scratch->means[3 * row + c];
		}
	}
	frame->reading->mean = 0;
	for ( int c = 0; c < 3; ++c )
	{
		mean[c] /= m->height;
		frame->reading->mean += fmin( 1, mean[c] * frame->exposure.white[c] ) / 3;
	}
}

// ---- passes ------------------------------------------------------------------------------------------------------

static ds_status run( ds_frame *frame, int32_t count, ds_parallel_fn *task )
{
	return frame->context->host->parallel( frame->context, count, task, frame );
}

// Casts the rays of one moment through one part of each pixel.
static ds_status pass( ds_frame *frame, const ds_ray_table *rays, double offset, bool picture, bool geometry )
{
	const ds_camera_model *m = frame->model;
	frame->rays = rays;
	frame->offset = offset;
	frame->picture = picture;
	frame->geometry = geometry;
	ds_status status = run( frame, m->columns * m->rows, ds_frame_tiles );
	if ( status == DS_OK && picture && m->blurred )
	{
		status = run( frame, m->bands.count, blur_bands );
	}
	if ( status == DS_OK && picture && m->snowy )
	{
		status = ds_frame_snow( frame );
		status = status == DS_OK ? run( frame, m->bands.count, add_bands ) : status;
	}
	return status;
}

// Pictures are means over the exposure; the other frames are of the stamp, and take part in a pass there if one is.
static ds_status all_passes( ds_frame *frame )
{
	const ds_camera_model *m = frame->model;
	const int64_t moments = m->config.motion_samples, subs = m->subpixels, count = m->pictures ? moments * subs : 0;
	const double exposure = m->config.lit ? frame->exposure.time : m->config.sensor.exposure;
	bool geometry = m->geometry;
	frame->weight = count > 0 ? (float)( 1.0 / (double)count ) : 0;
	ds_status status = DS_OK;
	for ( int64_t i = 0; i < count && status == DS_OK; ++i )
	{
		// the parts of a pixel take turns, so that each has moments from all of the exposure
		double offset = moments > 1 ? exposure * ( ( (double)i + 0.5 ) / (double)count - 0.5 ) : 0;
		const ds_ray_table *rays = frame->side->sub + i % subs;
		bool here = geometry && offset == 0 && subs == 1;
		frame->first = i == 0;
		status = pass( frame, rays, offset, true, here );
		geometry = geometry && !here;
	}
	return status == DS_OK && geometry ? pass( frame, &frame->side->center, 0, false, true ) : status;
}

static ds_status finish( ds_frame *frame, ds_camera_state *state )
{
	const ds_camera_model *m = frame->model;
	const int32_t blocks = ( m->height + ROWS_AT_ONCE - 1 ) / ROWS_AT_ONCE;
	double mean[3];
	ds_status status = run( frame, blocks, develop_rows );
	if ( status == DS_OK && m->config.color )
	{
		status = run( frame, blocks, expose_rows );
	}
	if ( status == DS_OK )
	{
		take_means( frame, mean );
	}
	if ( status == DS_OK && m->config.lit )
	{
		ds_image_sensor_next( frame->sensor, mean, &state->exposure );
	}
	return status;
}

// ---- a frame -----------------------------------------------------------------------------------------------------

void ds_camera_reset( const ds_camera_model *model, ds_camera_state *state )
{
	state->exposure = ds_image_sensor_first( model->config.lit ? &model->config.sensor : &model->flat );
}

// Planes where not every pixel is written: those that the lens does not reach are black, and see nothing.
static void clear_planes( const ds_frame *frame )
{
	const ds_camera_model *m = frame->model;
	const ds_camera_scratch *s = frame->scratch;
	const size_t pixels = (size_t)m->width * (size_t)m->height, plane = pixels * sizeof( float );
	const int planes = !m->pictures || frame->side->whole ? 0 : m->config.lit ? m->bands.count : 3;
	for ( int b = 0; b < planes; ++b )
	{
		memset( s->total[b], 0, plane );
		if ( m->blurred )
		{
			memset( s->surface[b], 0, plane );
		}
		if ( m->snowy )
		{
			memset( s->image[b], 0, plane );
		}
	}
	for ( size_t i = 0; s->range && !frame->side->whole && i < pixels; ++i )
	{
		s->range[i] = INFINITY;
	}
}

// Marine snow goes with the water since the start of the run, and sinks.
static void move_snow( ds_frame *frame, ds_camera_state *state )
{
	const ds_context *context = frame->context;
	const double now = 1e-9 * (double)context->time;
	state->drift = ds_mad( state->drift, context->sequence > 0 ? context->interval : now, context->water.velocity );
	frame->snow_moved = state->drift;
	frame->snow_moved.z += now * frame->model->config.snow.sinking;
}

static void start_reading( ds_frame *frame )
{
	ds_camera *r = frame->reading;
	*r = frame->model->spans;
	r->exposure = frame->model->config.lit ? frame->exposure.time : frame->model->config.sensor.exposure;
	memcpy( r->gains, frame->exposure.white, sizeof( r->gains ) );
	ds_frame_clear( frame );
}

ds_status ds_camera_frame(
	const ds_camera_model *model, ds_camera_state *state, ds_context *context, ds_camera *reading )
{
	ds_frame frame;
	memset( &frame, 0, sizeof( frame ) );
	frame.model = model;
	frame.context = context;
	frame.reading = reading;
	frame.exposure = state->exposure;
	frame.sensor = model->config.lit ? &model->config.sensor : &model->flat;
	frame.stream = context->host->random_stream( context );
	frame.ignored = model->config.own_body ? DS_NO_ID : context->body;
	frame.side = model->side + ( context->water.present || model->sides == 1 ? 0 : 1 );
	frame.scratch = ds_camera_scratch_take( model );
	if ( frame.scratch == NULL )
	{
		return context->host->error( DS_ERROR_MEMORY, "out of memory for a camera's frame" );
	}
	start_reading( &frame );
	clear_planes( &frame );
	move_snow( &frame, state );
	ds_status status = model->pictures && model->config.lit ? ds_frame_light( &frame ) : DS_OK;
	status = status == DS_OK ? all_passes( &frame ) : status;
	status = status == DS_OK && model->pictures ? finish( &frame, state ) : status;
	ds_camera_scratch_give( model, frame.scratch );
	return status;
}

// Light and water of a frame: found at the stamp, then turned into the camera's axes at a moment.

#include "optics/frame.h"

#include "deepsim/math.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LEAST_ELECTRONS 0.01 // of a pixel in a frame: less than that of a lamp is not worth a shadow
#define FAR_EXPONENT    30.0 // c times the distance of a lamp, beyond which nothing of it is left

// ---- water -------------------------------------------------------------------------------------------------------

// One depth stands for the whole frame: the camera's.
static void set_water( ds_frame *frame, const ds_light_view *view, double depth )
{
	const ds_camera_model *m = frame->model;
	ds_light_scene *scene = &frame->scene;
	ds_camera_scratch *s = frame->scratch;
	scene->bands = m->bands.count;
	memcpy( scene->reflect, m->reflect, sizeof( scene->reflect ) );
	const bool wet = view->water != NULL && depth >= 0;
	scene->depth = wet ? (float)depth : -1;
	scene->steps = wet ? (int32_t)m->config.backscatter_steps : 0;
	scene->phase = &s->phases;
	for ( int b = 0; wet && b < scene->bands; ++b )
	{
		ds_iop w = ds_water_optics_band( view->water, depth, m->bands.wavelength[b], m->bands.width[b] );
		scene->a[b] = (float)w.a;
		scene->b_water[b] = (float)w.b_water;
		scene->b_particles[b] = (float)w.b_particles;
		scene->c[b] = (float)w.c;
		scene->kd[b] = (float)w.kd;
	}
	const ds_phase_config *phase = view->water ? ds_water_optics_phase( view->water ) : NULL;
	if ( phase && ( !s->has_phases || memcmp( &s->phase, phase, sizeof( *phase ) ) != 0 ) )
	{
		ds_phase_table_make( phase, &s->phases );
		s->phase = *phase;
		s->has_phases = true;
	}
}

// How the daylight of a band fades with depth, from the camera to what it may see below it. In a band of clear and of dim wavelengths, as red
// is, daylight fades less the deeper it is, for the dim ones are gone. `kd`: where there is no daylight any more.
static double daylight_fades( const ds_light_view *view, double depth, double wavelength, double width, double c,
	const ds_daylight *day, double kd )
{
	const double way = fmin( 2 / fmax( c, 1e-3 ), 50 ); // [m]
	ds_daylight there = ds_daylight_at( view->sky, view->water, depth + way, wavelength, width );
	double below = there.sun + there.sky;
	return below > 1e-200 ? log( ( day->sun + day->sky ) / below ) / way : kd;
}

static void set_daylight( ds_frame *frame, const ds_light_view *view, double depth )
{
	const ds_camera_model *m = frame->model;
	ds_light_scene *scene = &frame->scene;
	frame->has_sun = false;
	for ( int b = 0; view->sky && !view->sky->dark && b < m->bands.count; ++b )
	{
		const double wavelength = m->bands.wavelength[b], width = m->bands.width[b];
		ds_daylight day = ds_daylight_at( view->sky, view->water, depth, wavelength, width );
		if ( scene->depth >= 0 )
		{
			scene->kd[b] = (float)daylight_fades( view, depth, wavelength, width, scene->c[b], &day, scene->kd[b] );
		}
		scene->sun[b] = (float)day.sun;
		scene->sky[b] = (float)day.sky;
		frame->sun = day;
		frame->has_sun |= day.sun > 0;
	}
}

// ---- lamps -------------------------------------------------------------------------------------------------------

// Electrons that a white wall at a distance sends into a pixel in this frame's exposure, at most: it lies across the beam's axis, and the
// water between it and the camera is left out.
static double wall_electrons( const ds_frame *frame, const ds_frame_lamp *lamp, double peak, double distance )
{
	const ds_camera_model *m = frame->model;
	double most = 0;
	for ( int c = 0; c < 3; ++c )
	{
		double electrons = 0;
		for ( int b = 0; b < m->bands.count; ++b )
		{
			double irradiance = lamp->power[b] * peak * exp( -frame->scene.c[b] * distance ) / ( distance * distance );
			electrons += m->factors[c * DS_MAX_BANDS + b] * irradiance / DS_PI;
		}
		most = fmax( most, electrons );
	}
	return most * frame->exposure.time;
}

static double find_reach( const ds_frame *frame, const ds_frame_lamp *lamp )
{
	if ( frame->model->config.radiance )
	{
		return INFINITY;
	}
	double peak = 0, low = 1e-3, high = 1e5;
	for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
	{
		peak = fmax( peak, lamp->light.lamp->profile[i] );
	}
	for ( int i = 0; i < 40; ++i )
	{
		double middle = sqrt( low * high );
		*( wall_electrons( frame, lamp, peak, middle ) > LEAST_ELECTRONS ? &low : &high ) = middle;
	}
	return high;
}

// How much a lamp may matter: for the choice where there are too many.
static double strength( const ds_frame *frame, const ds_light *light, double c )
{
	double d = ds_length( ds_sub( light->pose.position, frame->context->pose.position ) );
	return c * d > FAR_EXPONENT ? 0 : light->level * light->lamp->flux * exp( -2 * c * d ) / ( 1 + d * d );
}

// The strongest lamps, in the order of the actuators.
static void set_lamps( ds_frame *frame, const ds_light_view *view )
{
	const ds_camera_model *m = frame->model;
	double least_c = frame->scene.c[0], weakest = 0;
	for ( int b = 1; b < m->bands.count; ++b )
	{
		least_c = fmin( least_c, frame->scene.c[b] );
	}
	frame->lamp_count = 0;
	for ( int32_t i = 0; i < view->light_count; ++i )
	{
		const ds_light *light = view->lights + i;
		double own = strength( frame, light, least_c );
		int32_t stronger = 0;
		for ( int32_t k = 0; k < view->light_count && stronger < DS_MAX_LAMPS; ++k )
		{
			double other = strength( frame, view->lights + k, least_c );
			stronger += other > own || ( other == own && k < i );
		}
		if ( own > weakest && stronger < DS_MAX_LAMPS )
		{
			ds_frame_lamp *lamp = frame->lamps + frame->lamp_count++;
			lamp->light = *light;
			for ( int b = 0; b < m->bands.count; ++b )
			{
				lamp->power[b] = (float)( light->level * light->lamp->flux *
										  ds_lamp_spectrum( light->lamp, m->bands.wavelength[b], m->bands.width[b] ) );
			}
			lamp->reach = (float)find_reach( frame, lamp );
		}
	}
}

// Depth below which the sun gives less than LEAST_ELECTRONS of a white wall; irradiance falls with kd.
static void set_sun_reach( ds_frame *frame, double depth )
{
	const ds_camera_model *m = frame->model;
	double reach = 0;
	for ( int c = 0; c < 3 && frame->has_sun; ++c )
	{
		for ( int b = 0; b < m->bands.count; ++b )
		{
			double electrons = m->factors[c * DS_MAX_BANDS + b] * frame->scene.sun[b] / DS_PI * frame->exposure.time;
			double kd = fmax( frame->scene.kd[b], 1e-6 );
			reach =
				electrons > 0 ? fmax( reach, depth + log( m->bands.count * electrons / LEAST_ELECTRONS ) / kd ) : reach;
		}
	}
	frame->sun_reach = m->config.radiance ? INFINITY : (float)reach;
}

ds_status ds_frame_light( ds_frame *frame )
{
	ds_light_view view;
	memset( &view, 0, sizeof( view ) );
	ds_context *context = frame->context;
	ds_status status = context->host->light_view( context, &view );
	if ( status == DS_OK )
	{
		const double depth = context->pose.position.z;
		set_water( frame, &view, depth );
		set_daylight( frame, &view, depth );
		set_lamps( frame, &view );
		set_sun_reach( frame, depth );
	}
	return status;
}

// ---- at a moment -------------------------------------------------------------------------------------------------

static void into_view( mat3 view, ds_vec3 v, vec3 out )
{
	vec3 single = { (float)v.x, (float)v.y, (float)v.z };
	glm_mat3_mulv( view, single, out );
}

void ds_frame_scene( const ds_frame *frame, const ds_camera_moment *moment, ds_light_scene *scene )
{
	memcpy( scene, &frame->scene, offsetof( ds_light_scene, lamps ) );
	const size_t behind = offsetof( ds_light_scene, sun_direction );
	memcpy( (unsigned char *)scene + behind, (const unsigned char *)&frame->scene + behind, sizeof( *scene ) - behind );
	mat3 view;
	ds_frame_view( moment, view );
	scene->lamp_count = frame->lamp_count;
	for ( int i = 0; i < frame->lamp_count; ++i )
	{
		const ds_frame_lamp *from = frame->lamps + i;
		ds_lit_lamp *to = scene->lamps + i;
		const ds_twist *v = &from->light.velocity;
		ds_vec3 position = ds_mad( from->light.pose.position, moment->time, v->linear );
		ds_vec3 axis =
			ds_rotate( ds_quat_mul( ds_quat_exp( ds_scale( moment->time, v->angular ) ), from->light.pose.attitude ),
				ds_v3( 1, 0, 0 ) );
		to->lamp = from->light.lamp;
		into_view( view, ds_sub( position, moment->position ), to->position );
		into_view( view, axis, to->axis );
		memcpy( to->power, from->power, sizeof( to->power ) );
	}
	into_view( view, frame->has_sun ? frame->sun.direction : ds_v3( 0, 0, 1 ), scene->sun_direction );
	into_view( view, ds_v3( 0, 0, 1 ), scene->down );
	if ( scene->depth >= 0 )
	{
		scene->depth = (float)fmax( 0, moment->position.z );
	}
}

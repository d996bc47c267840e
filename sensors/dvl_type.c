// The plugin "dvl": asks the world what the beams meet.

#include "sensors/beams.h"
#include "sensors/beams_water.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

#include <string.h>

typedef struct dvl_part
{
	ds_plugin_model base;
	ds_dvl_model model;
	double reach;
} dvl_part;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	dvl_part *part = ds_plugin_model_new( host, sizeof( *part ) );
	if ( part == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	ds_status status = ds_dvl_prepare( config, &part->model );
	if ( status != DS_OK )
	{
		ds_plugin_model_destroy( part );
		return status;
	}
	part->reach = ds_dvl_reach( &part->model );
	layout->state_size = sizeof( ds_dvl_state );
	*model = part;
	return DS_OK;
}

static ds_status reset( const void *model, void *state, ds_context *context )
{
	(void)model;
	(void)context;
	ds_dvl_reset( state );
	return DS_OK;
}

// What the beams meet. Sound does not leave the water: ground above the surface is not heard.
static ds_status meet( const dvl_part *part, ds_context *context, const ds_vec3 beams[DS_BEAMS], ds_dvl_truth *truth,
	ds_vec3 rays[DS_BEAMS] )
{
	ds_vec3 origins[DS_BEAMS];
	ds_ray_hit hits[DS_BEAMS];
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		origins[i] = context->pose.position;
		rays[i] = ds_rotate( context->pose.attitude, beams[i] );
	}
	ds_status status = context->host->ray_cast_many( context, DS_BEAMS, origins, rays, part->reach, hits );
	for ( int i = 0; i < DS_BEAMS && status == DS_OK; ++i )
	{
		truth->range[i] = -1;
		if ( hits[i].hit && hits[i].point.z >= 0 )
		{
			truth->range[i] = hits[i].distance;
			truth->cosine[i] = -ds_dot( rays[i], hits[i].normal );
			if ( hits[i].body != DS_NO_ID )
			{
				ds_vec3 velocity;
				status = context->host->velocity_at( context, hits[i].body, hits[i].point, &velocity );
				truth->surface_velocity[i] = ds_unrotate( context->pose.attitude, velocity );
			}
		}
	}
	return status;
}

// The mean speed of sound down to the mean depth of what was met: of its inverse, by Simpson's rule.
static ds_status mean_speed( ds_context *context, const ds_vec3 rays[DS_BEAMS], ds_dvl_truth *truth )
{
	ds_vec3 place = ds_v3( 0, 0, 0 );
	int count = 0;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		if ( truth->range[i] >= 0 )
		{
			place = ds_mad( place, truth->range[i], rays[i] );
			++count;
		}
	}
	if ( count == 0 || !( truth->sound_speed > 0 ) )
	{
		return DS_OK;
	}
	ds_water middle, end;
	ds_status status =
		context->host->water_at( context, ds_mad( context->pose.position, 0.5 / count, place ), &middle );
	status = status == DS_OK
				 ? context->host->water_at( context, ds_mad( context->pose.position, 1.0 / count, place ), &end )
				 : status;
	if ( status == DS_OK && middle.sound_speed > 0 && end.sound_speed > 0 )
	{
		truth->mean_sound_speed = 6 / ( 1 / truth->sound_speed + 4 / middle.sound_speed + 1 / end.sound_speed );
	}
	return status;
}

// Gauss and Legendre's rule with three points.
static const ds_beam_rule layer_rule = {
	{ -0.77459666924148338, 0, 0.77459666924148338 }, // sqrt( 3/5 )
	{ 5.0 / 18, 8.0 / 18, 5.0 / 18 },
};

// The mean water along each beam in the layer.
static ds_status meet_water(
	const dvl_part *part, ds_context *context, const ds_vec3 rays[DS_BEAMS], ds_dvl_truth *truth )
{
	double nearest[DS_BEAMS], farthest[DS_BEAMS];
	if ( !ds_dvl_layer( &part->model, truth->range, nearest, farthest ) )
	{
		return DS_OK;
	}
	ds_status status = DS_OK;
	for ( int i = 0; i < DS_BEAMS && status == DS_OK; ++i )
	{
		double middle = 0.5 * ( nearest[i] + farthest[i] ), half = 0.5 * ( farthest[i] - nearest[i] );
		status = ds_beam_water(
			context, &layer_rule, rays[i], middle, half, &truth->water_velocity[i], &truth->water_present[i] );
	}
	return status;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	const dvl_part *part = model;
	ds_dvl_truth truth;
	memset( &truth, 0, sizeof( truth ) );
	truth.time = (double)context->time * 1e-9;
	truth.interval = context->interval;
	truth.wet = context->water.present;
	truth.attitude = context->pose.attitude;
	truth.velocity = ds_unrotate( context->pose.attitude, context->velocity );
	truth.sound_speed = context->water.sound_speed;
	if ( truth.wet && ds_dvl_due( &part->model, state, truth.time ) )
	{
		ds_vec3 beams[DS_BEAMS], rays[DS_BEAMS];
		ds_dvl_beams( &part->model, truth.sound_speed, beams );
		ds_status status = meet( part, context, beams, &truth, rays );
		status = status == DS_OK ? mean_speed( context, rays, &truth ) : status;
		status = status == DS_OK ? meet_water( part, context, rays, &truth ) : status;
		if ( status != DS_OK )
		{
			return status;
		}
	}
	ds_random stream = context->host->random_stream( context );
	ds_dvl_measure( &part->model, state, &truth, &stream, output );
	return DS_OK;
}

const ds_type ds_dvl_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "dvl",
	.doc = "Doppler velocity log: velocity over the bottom and through the water by four beams, ranges, altitude",
	.config = &ds_dvl_options,
	.output = &ds_dvl_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.reset = reset,
	.sample = sample,
};

// The plugin "dvl": asks the world what the beams meet.

#include "sensors/beams.h"
#include "sensors/types.h"

#include <string.h>

typedef struct dvl_part
{
	const ds_host *host;
	ds_dvl_model model;
	double reach;
} dvl_part;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	ds_dvl_model prepared;
	ds_status status = ds_dvl_prepare( config, &prepared );
	if ( status != DS_OK )
	{
		return status;
	}
	dvl_part *part = host->allocate( host, sizeof( *part ) );
	if ( part == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "out of memory for the sensor's model" );
	}
	part->host = host;
	part->model = prepared;
	part->reach = ds_dvl_reach( &prepared );
	layout->state_size = sizeof( ds_dvl_state );
	*model = part;
	return DS_OK;
}

static void destroy( void *model )
{
	dvl_part *part = model;
	part->host->release( part->host, part, sizeof( *part ) );
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
	ds_status status = part->host->ray_cast_many( context, DS_BEAMS, origins, rays, part->reach, hits );
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
				status = part->host->velocity_at( context, hits[i].body, hits[i].point, &velocity );
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

// The mean water along each beam in the layer: Gauss-Legendre with three points.
static ds_status meet_water(
	const dvl_part *part, ds_context *context, const ds_vec3 rays[DS_BEAMS], ds_dvl_truth *truth )
{
	static const double at[3] = { -0.77459666924148338, 0, 0.77459666924148338 };
	static const double weight[3] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };
	double nearest[DS_BEAMS], farthest[DS_BEAMS];
	if ( !ds_dvl_layer( &part->model, truth->range, nearest, farthest ) )
	{
		return DS_OK;
	}
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		ds_vec3 sum = ds_v3( 0, 0, 0 );
		truth->water_present[i] = true;
		for ( int k = 0; k < 3; ++k )
		{
			double range = 0.5 * ( nearest[i] + farthest[i] ) + 0.5 * at[k] * ( farthest[i] - nearest[i] );
			ds_water water;
			ds_status status =
				part->host->water_at( context, ds_mad( context->pose.position, range, rays[i] ), &water );
			if ( status != DS_OK )
			{
				return status;
			}
			truth->water_present[i] = truth->water_present[i] && water.present;
			sum = ds_mad( sum, weight[k], water.velocity );
		}
		truth->water_velocity[i] = ds_unrotate( context->pose.attitude, sum );
	}
	return DS_OK;
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
	ds_random stream = part->host->random_stream( context );
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
	.destroy = destroy,
	.reset = reset,
	.sample = sample,
};

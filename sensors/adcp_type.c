// The plugin "adcp": asks the world for the water in the cells, and for the boundaries that spoil them.

#include "deepsim/adcp.h"

#include "sensors/beams.h"
#include "sensors/beams_water.h"
#include "sensors/plugin_model.h"
#include "sensors/types.h"

#include <string.h>

typedef struct adcp_part
{
	ds_plugin_model base;
	ds_adcp_model model;
} adcp_part;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	adcp_part *part = ds_plugin_model_new( host, sizeof( *part ) );
	if ( part == NULL )
	{
		return DS_ERROR_MEMORY;
	}
	ds_status status = ds_adcp_prepare( config, &part->model );
	if ( status != DS_OK )
	{
		ds_plugin_model_destroy( part );
		return status;
	}
	layout->output_size = ds_adcp_size( &part->model );
	*model = part;
	return DS_OK;
}

// Boundaries: what the four beams and a fifth along the axis meet, each taken for a plane there; and the surface z = 0, for beams that
// look up.
static ds_status find_boundaries(
	const adcp_part *part, ds_context *context, const ds_vec3 rays[DS_BEAMS], ds_adcp_truth *truth )
{
	ds_vec3 origins[DS_BEAMS + 1], directions[DS_BEAMS + 1];
	ds_ray_hit hits[DS_BEAMS + 1];
	const ds_adcp_config *c = &part->model.config;
	double reach = 4 * ( c->blanking + c->cell_size * (double)( c->cells + 2 ) );
	for ( int i = 0; i <= DS_BEAMS; ++i )
	{
		origins[i] = context->pose.position;
		directions[i] = i < DS_BEAMS ? rays[i] : ds_rotate( context->pose.attitude, part->model.axis );
	}
	ds_status status = context->host->ray_cast_many( context, DS_BEAMS + 1, origins, directions, reach, hits );
	truth->boundary = -1;
	for ( int i = 0; i <= DS_BEAMS && status == DS_OK; ++i )
	{
		double range = hits[i].hit ? hits[i].distance : -1;
		double nearest = hits[i].hit ? -hits[i].distance * ds_dot( directions[i], hits[i].normal ) : -1;
		double depth = context->pose.position.z;
		if ( directions[i].z < -1e-3 && ( range < 0 || -depth / directions[i].z < range ) )
		{
			range = -depth / directions[i].z;
			nearest = depth;
		}
		if ( i < DS_BEAMS )
		{
			truth->range[i] = range;
		}
		truth->boundary =
			nearest >= 0 && ( truth->boundary < 0 || nearest < truth->boundary ) ? nearest : truth->boundary;
	}
	return status;
}

// Weighs a cell by a triangle that falls to 0 a cell away from its middle: Gauss's rule with three points for that weight, exact for
// polynomials up to the fifth degree.
static const ds_beam_rule cell_rule = {
	{ -0.63245553203367587, 0, 0.63245553203367587 }, // sqrt( 2/5 )
	{ 5.0 / 24, 14.0 / 24, 5.0 / 24 },
};

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	const adcp_part *part = model;
	ds_vec3 water[DS_BEAMS * DS_ADCP_MAX_CELLS];
	bool present[DS_BEAMS * DS_ADCP_MAX_CELLS];
	ds_adcp_truth truth;
	memset( &truth, 0, sizeof( truth ) );
	truth.wet = context->water.present;
	truth.attitude = context->pose.attitude;
	truth.velocity = ds_unrotate( context->pose.attitude, context->velocity );
	truth.sound_speed = context->water.sound_speed;
	truth.boundary = -1;
	truth.water = water;
	truth.present = present;
	if ( truth.wet )
	{
		ds_vec3 beams[DS_BEAMS], rays[DS_BEAMS];
		ds_adcp_beams( &part->model, truth.sound_speed, beams );
		for ( int i = 0; i < DS_BEAMS; ++i )
		{
			rays[i] = ds_rotate( context->pose.attitude, beams[i] );
		}
		ds_status status = find_boundaries( part, context, rays, &truth );
		int64_t count = DS_BEAMS * part->model.config.cells;
		for ( int64_t k = 0; k < count && status == DS_OK; ++k )
		{
			double middle, half;
			int beam = (int)( k % DS_BEAMS );
			present[k] =
				ds_adcp_cell( &part->model, truth.attitude, truth.sound_speed, beam, k / DS_BEAMS, &middle, &half );
			water[k] = ds_v3( 0, 0, 0 );
			if ( present[k] )
			{
				status = ds_beam_water( context, &cell_rule, rays[beam], middle, half, water + k, present + k );
			}
		}
		if ( status != DS_OK )
		{
			return status;
		}
	}
	ds_random stream = context->host->random_stream( context );
	ds_adcp_measure( &part->model, &truth, &stream, output );
	return DS_OK;
}

const ds_type ds_adcp_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "adcp",
	.doc = "acoustic Doppler current profiler: velocity of the water in cells along four beams",
	.config = &ds_adcp_options,
	.output = &ds_adcp_readings,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.sample = sample,
};

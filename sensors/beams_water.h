// The mean of the water that a beam passes, weighed over a stretch of it.

#ifndef DEEPSIM_SENSORS_BEAMS_WATER_H
#define DEEPSIM_SENSORS_BEAMS_WATER_H

#include "deepsim/math.h"
#include "deepsim/plugin.h"

// A rule of three points: where they lie, over half the length of the stretch, and their weights.
typedef struct ds_beam_rule
{
	double at[3], weight[3];
} ds_beam_rule;

// The water's mean velocity, mount axes, about `middle` [m] along a ray from the mount, world; *present: there is water at all points.
static inline ds_status ds_beam_water( ds_context *context, const ds_beam_rule *rule, ds_vec3 ray, double middle,
	double half, ds_vec3 *velocity, bool *present )
{
	ds_vec3 sum = ds_v3( 0, 0, 0 );
	*present = true;
	for ( int k = 0; k < 3; ++k )
	{
		ds_water water;
		ds_vec3 place = ds_mad( context->pose.position, middle + half * rule->at[k], ray );
		ds_status status = context->host->water_at( context, place, &water );
		if ( status != DS_OK )
		{
			return status;
		}
		*present = *present && water.present;
		sum = ds_mad( sum, rule->weight[k], water.velocity );
	}
	*velocity = ds_unrotate( context->pose.attitude, sum );
	return DS_OK;
}

#endif

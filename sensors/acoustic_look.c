// What a world knows of an acoustic path: the speed of sound down the column, and what stands in the way.

#include "sensors/acoustic.h"

#include "deepsim/math.h"

#include <math.h>

#define LEVELS 65 // of the profile between the two depths

// Nearer than this [m] to the far end nothing is in the way: what carries it may touch it.
#define TOUCH 0.5

ds_status ds_acoustic_look( ds_context *context, ds_vec3 from, double reach, ds_acoustic_truth *truth )
{
	const ds_host *host = context->host;
	ds_vec3 to = context->pose.position, way = ds_sub( from, to );
	double z[LEVELS], speed[LEVELS], distance = ds_length( way );
	*truth = ( ds_acoustic_truth ){ .path = { .distance = distance } };
	ds_water water;
	ds_status status = host->water_at( context, from, &water );
	if ( status != DS_OK || !water.present || !context->water.present || distance > reach )
	{
		return status;
	}
	double top = fmin( from.z, to.z ), height = fabs( way.z );
	int32_t count = height > 0.01 ? LEVELS : 1;
	for ( int32_t i = 0; i < count; ++i )
	{
		// the column above the vehicle and the place: current and waves do not count
		z[i] = top + height * i / ( LEVELS - 1 );
		status = host->water_at( context, ds_v3( to.x, to.y, z[i] ), &water );
		if ( status != DS_OK )
		{
			return status;
		}
		speed[i] = water.present ? water.sound_speed : context->water.sound_speed;
	}
	const ds_sound_profile profile = { z, speed, count };
	status = ds_sound_path_find( &profile, from, to, &truth->path );
	truth->clear = true;
	if ( status == DS_OK && distance > TOUCH )
	{
		ds_ray_hit hit;
		status = host->ray_cast( context, to, way, distance - TOUCH, &hit );
		truth->clear = !hit.hit;
	}
	return status;
}

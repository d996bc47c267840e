// Shared by the acoustic positioning sensors: errors of a travel time, and what a world knows of a path.

#ifndef DEEPSIM_SENSORS_ACOUSTIC_H
#define DEEPSIM_SENSORS_ACOUSTIC_H

#include "deepsim/acoustic.h"
#include "deepsim/plugin.h"

#include <string.h>

// What ds_usbl_config_table() and its like give, as constants.
extern const ds_table ds_usbl_options, ds_usbl_readings, ds_lbl_options, ds_lbl_readings;

// The range that an instrument makes of a path, from two normal and one uniform number: sound speed, noise, outlier.
static inline double ds_acoustic_range( const ds_sound_path *path, double sound_speed, double noise,
	double outlier_rate, double outlier, const double normal[2], double uniform )
{
	double range = sound_speed > 0 ? sound_speed * path->time : path->distance;
	range += noise * normal[0] + ( uniform < outlier_rate ? outlier * normal[1] : 0 );
	return range > 0 ? range : 0;
}

// The path from a place of the world to the sensor's mount, and whether it is clear.
ds_status ds_acoustic_look( ds_context *context, ds_vec3 from, double reach, ds_acoustic_truth *truth );

// Fixes on their way, oldest first: when each is had. The fixes themselves lie beside it, at the same index. Plain bytes.
#define DS_ACOUSTIC_WAITING 32

typedef struct ds_acoustic_queue
{
	int64_t first, count;
	double ready[DS_ACOUSTIC_WAITING]; // [s]
} ds_acoustic_queue;

// Where a fix that is had at `ready` goes; -1: too many are on their way, this one is lost.
static inline int64_t ds_acoustic_put( ds_acoustic_queue *queue, double ready )
{
	if ( queue->count == DS_ACOUSTIC_WAITING )
	{
		return -1;
	}
	int64_t at = ( queue->first + queue->count++ ) % DS_ACOUSTIC_WAITING;
	queue->ready[at] = ready;
	return at;
}

// The newest fix that is had by `now`; -1: none is. Those before it are done with: as a vehicle comes nearer, or a far beacon falls
// silent, fixes overtake others.
static inline int64_t ds_acoustic_take( ds_acoustic_queue *queue, double now )
{
	for ( int64_t i = queue->count - 1; i >= 0; --i )
	{
		int64_t at = ( queue->first + i ) % DS_ACOUSTIC_WAITING;
		if ( queue->ready[at] <= now + 1e-9 )
		{
			queue->first = ( at + 1 ) % DS_ACOUSTIC_WAITING;
			queue->count -= i + 1;
			return at;
		}
	}
	return -1;
}

// Sends a fix on its way (NULL: none), to be had at `ready`, and gives the oldest that is had by `now`; false if none is. `fixes` are
// DS_ACOUSTIC_WAITING of `size` bytes each.
static inline bool ds_acoustic_deliver(
	ds_acoustic_queue *queue, void *fixes, size_t size, const void *fix, double ready, double now, void *reading )
{
	int64_t at = fix ? ds_acoustic_put( queue, ready ) : -1;
	if ( at >= 0 )
	{
		memcpy( (char *)fixes + (size_t)at * size, fix, size );
	}
	at = ds_acoustic_take( queue, now );
	if ( at >= 0 )
	{
		memcpy( reading, (const char *)fixes + (size_t)at * size, size );
	}
	return at >= 0;
}

#endif

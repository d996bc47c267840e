// libdeepsim: sensors of a world. A sensor is a registered type on a mount of a body, sampled at its own rate.

#ifndef DEEPSIM_SENSOR_H
#define DEEPSIM_SENSOR_H

#include "deepsim/body.h"
#include "deepsim/odometry.h"
#include "deepsim/plugin.h"
#include "deepsim/pressure.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define DS_MAX_INPUTS 8

// "inputs": { name: source }
typedef struct ds_input_def
{
	char name[DS_NAME_SIZE]; // as the part knows it
	char source[DS_NAME_SIZE]; // the sensor or controller it comes from
} ds_input_def;

// Start from ds_sensor_def_default().
typedef struct ds_sensor_def
{
	uint32_t struct_size;
	char name[DS_NAME_SIZE];
	char type[DS_NAME_SIZE];
	ds_id body; // what it is mounted on
	ds_pose mount; // of the sensor frame in the body frame
	double rate; // samples a second [Hz], not above the world's; 0: the world's
	double offset; // time of the first sample [s]
	double latency; // from valid to available [s]
	int64_t queue; // readings kept for ds_sensor_next; 16
	const void *config; // as the type's config table says; NULL: its defaults
	ds_input_def inputs[DS_MAX_INPUTS];
	int32_t input_count;
} ds_sensor_def;

DS_API ds_sensor_def ds_sensor_def_default( void );

DS_API ds_status ds_sensor_create( ds_world *world, const ds_sensor_def *def, ds_id *sensor );
DS_API ds_status ds_sensor_destroy( ds_world *world, ds_id sensor );

// The table and the size of a sensor's readings (spans included).
DS_API ds_status ds_sensor_output( const ds_world *world, ds_id sensor, const ds_table **table, size_t *size );

// The frame of a sensor's readings: its id is the sensor's name, its parent the body, `mount` its pose there. Controllers, actuators
// and forces too; a controller without a body has DS_NO_ID. `body` and `mount` may be NULL.
DS_API ds_status ds_sensor_frame( const ds_world *world, ds_id sensor, ds_id *body, ds_pose *mount );

// The newest reading that is available. DS_ERROR_EMPTY before the first. `size` is that of `out`, at least the reading's.
DS_API ds_status ds_sensor_latest(
	const ds_world *world, ds_id sensor, ds_sample_header *header, void *out, size_t size );

// The oldest reading that was not taken yet. DS_ERROR_EMPTY when all were taken. When more wait than the queue holds, the
// oldest are dropped and counted.
DS_API ds_status ds_sensor_next( ds_world *world, ds_id sensor, ds_sample_header *header, void *out, size_t size );

// Readings made, and dropped unread, since the start of the run.
DS_API ds_status ds_sensor_counts( const ds_world *world, ds_id sensor, int64_t *samples, int64_t *dropped );

#ifdef __cplusplus
}
#endif

#endif

// libdeepsim: logs. Readings go to sinks; the library brings one that writes CSV files, and users may add their own.

#ifndef DEEPSIM_LOG_H
#define DEEPSIM_LOG_H

#include "deepsim/actuator.h"
#include "deepsim/world.h"

#ifdef __cplusplus
extern "C"
{
#endif

// A sensor or controller whose readings are logged.
typedef struct ds_log_channel
{
	ds_id id;
	const char *name, *type;
	const ds_table *table;
	size_t size; // of a reading
	const char *body; // the parent of the frame of its readings, whose name is the channel's; NULL: it has none
	ds_pose mount; // of that frame in the body's
} ds_log_channel;

typedef struct ds_log_info
{
	const ds_log_channel *channels;
	int32_t channel_count;
	const ds_scenario *scenario; // NULL for worlds made in code
	uint64_t seed;
	double rate; // of the world [Hz]
	const ds_world *world; // that is logged, for questions while a sink opens; NULL: none
} ds_log_info;

// How a run ended.
typedef struct ds_log_end
{
	ds_status status;
	const char *error; // "" for DS_OK
	ds_time time;
	int64_t ticks;
} ds_log_end;

// Where readings go. `open` is called once, before the first reading, and copies of `info` what it needs later; `write` for every reading, at its valid time and in
// the order of channels; `close` once, also after errors. An error of a sink ends ds_world_step.
typedef struct ds_log_sink
{
	void *user;
	ds_status ( *open )( void *user, const ds_log_info *info );
	ds_status ( *write )( void *user, int32_t channel, const ds_sample_header *header, const void *data );
	ds_status ( *close )( void *user, const ds_log_end *end );
	void ( *destroy )( void *user ); // optional; when the world lets go of the sink
} ds_log_sink;

// Adds a sink to a world (copied); before its first step. At most 8.
DS_API ds_status ds_log_attach( ds_world *world, const ds_log_sink *sink );

// Closes all sinks and says how the run ended; reports the first error (a full disk shows here). The world lets go of them.
DS_API ds_status ds_log_close( ds_world *world, ds_status status, const char *error );

// A sink that writes DIR/<sensor>.csv (first column t[s], then name[unit], 17 significant digits), spans to
// DIR/<sensor>/<sequence>.<ext>, and DIR/run.json. The folder is made; files of an earlier run in it are replaced.
DS_API ds_status ds_log_csv( const char *directory, const ds_hooks *hooks, ds_log_sink *sink );

#ifdef __cplusplus
}
#endif

#endif

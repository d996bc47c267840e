// `deepsim run`: what its sources share.

#ifndef DEEPSIM_CLI_RUN_H
#define DEEPSIM_CLI_RUN_H

#include "cli/cli.h"
#include "deepsim/deepsim.h"

// Shows how far a run is, and keeps it at the pace of the clock on the wall where that is wanted.
typedef struct run_progress
{
	const char *name; // of the scenario
	bool shown; // false: quiet
	bool terminal; // one line, written again and again; otherwise a line every 10 %
	bool realtime;
	double rate; // ticks a second of the world
	int64_t total; // ticks wanted
	double start; // when the run began [s of a steady clock]
	double drawn; // when the line was last written
	int tenths; // of the run that were told
} run_progress;

void run_progress_begin(
	run_progress *progress, const char *name, double rate, int64_t total, bool quiet, bool realtime );

// Ticks after which the world should call run_progress_update().
int64_t run_progress_interval( const run_progress *progress );

void run_progress_update( run_progress *progress, int64_t ticks );

// Takes the line away from a terminal.
void run_progress_end( run_progress *progress );

// How a run ended.
typedef struct run_result
{
	const ds_scenario *scenario; // NULL: it could not be read
	const ds_world *world; // NULL: it could not be made
	ds_status status;
	const char *error; // "" for DS_OK
	double wall_time; // of stepping [s]
} run_result;

// Simulated seconds a second; 0 before anything was simulated.
double run_real_time_factor( const run_result *result );

// Whether a summary could be written there, before anything runs for long.
ds_status run_summary_check( const char *path );

// Writes the summary as JSON; "-" is the standard output.
ds_status run_summary_write( const run_result *result, const char *path );

// Prints the summary for people.
ds_status run_summary_print( const run_result *result, FILE *out );

// The last reading of a sensor, in memory that the caller frees. DS_ERROR_EMPTY when there is none.
ds_status run_last_reading( const ds_world *world, ds_id sensor, const ds_table **table, void **reading );

// The type of a sensor, by its name.
const char *run_sensor_type( const ds_scenario *scenario, const char *name );

#endif

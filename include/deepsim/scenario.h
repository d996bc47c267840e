// libdeepsim: scenarios: everything about a run, from one JSON file (and what it includes).
//
// A scenario is immutable and reference counted; many worlds, in many threads, may be made from one.

#ifndef DEEPSIM_SCENARIO_H
#define DEEPSIM_SCENARIO_H

#include "deepsim/registry.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct ds_scenario ds_scenario;

// Reads a scenario. `overrides` are `n` texts "path=value" ("sensors.imu.config.N=1e-4", "rate=100"), applied after all
// includes and their "set". `registry` may be NULL: the built-in types. Plugins that the file names are added to `registry` (or to
// the scenario's own). Errors say file, line, path and what would be right.
DS_API ds_status ds_scenario_load(
	const char *path, const char *const *overrides, int32_t n, ds_registry *registry, ds_scenario **scenario );

// The same from text; `directory` is what relative paths start from ("" or NULL: the current one), `name` stands for the file in errors.
DS_API ds_status ds_scenario_parse( const char *text, const char *name, const char *directory,
	const char *const *overrides, int32_t n, ds_registry *registry, ds_scenario **scenario );

DS_API ds_scenario *ds_scenario_retain( ds_scenario *scenario );
DS_API void ds_scenario_release( ds_scenario *scenario );

typedef struct ds_scenario_info
{
	const char *name; // live as long as the scenario
	const char *path;
	const char *json; // what was run: the merged tree after includes and overrides, as JSON text
	double duration; // [s]
	double rate; // [Hz]
	uint64_t seed;
	int64_t bodies, joints, actuators, sensors, forces, controllers, commands;
} ds_scenario_info;

DS_API ds_scenario_info ds_scenario_describe( const ds_scenario *scenario );

// The registry it was read with, for as long as the scenario lives.
DS_API ds_registry *ds_scenario_registry( const ds_scenario *scenario );

// The JSON Schema (draft 2020-12) of scenarios with the types of a registry (NULL: the built-in ones). The text comes from
// the registry's allocator and is given back by ds_text_free with the same registry.
DS_API ds_status ds_scenario_schema( ds_registry *registry, char **text );
DS_API void ds_text_free( ds_registry *registry, char *text );

#ifdef __cplusplus
}
#endif

#endif

// `deepsim optics`: what its sources share.

#ifndef DEEPSIM_CLI_OPTICS_H
#define DEEPSIM_CLI_OPTICS_H

#include "base/json.h"
#include "cli/cli.h"
#include "core/scenario.h"

int cmd_optics_camera( int argc, char **argv );
int cmd_optics_lens( int argc, char **argv );
int cmd_optics_stereo( int argc, char **argv );
int cmd_optics_water( int argc, char **argv );

// A scenario's world at its start.
typedef struct optics_world
{
	ds_registry *registry;
	ds_scenario *scenario;
	ds_world *world;
} optics_world;

// Close it also when it fails.
ds_status optics_open( optics_world *o, const char *file, const char **overrides, int count, const ds_hooks *hooks );
void optics_close( optics_world *o );

// Members of a JSON object: a number, and a list of numbers on one line.
void optics_put( ds_json_writer *w, const char *key, double number );
void optics_put_list( ds_json_writer *w, const char *key, const double *numbers, int count );

#endif

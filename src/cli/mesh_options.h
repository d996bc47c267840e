// The program deepsim: options of the verbs that read a mesh.

#ifndef DEEPSIM_CLI_MESH_OPTIONS_H
#define DEEPSIM_CLI_MESH_OPTIONS_H

#include "cli/cli.h"
#include "deepsim/mesh.h"

#define READ_OPTIONS                                                                                                   \
	{ "--scale", "X", "metres per unit of the file (1)" },                                                             \
		{ "--axes", "xyz|flu|y_up", "how the file's axes point: forward-right-down, forward-left-up, glTF's (xyz)" },  \
	{                                                                                                                  \
		"--weld", "M", "join vertices nearer than this [m] (0: equal ones)"                                            \
	}

enum
{
	OPTION_SCALE,
	OPTION_AXES,
	OPTION_WELD,
	OPTION_OWN // the first one of the verb itself
};

// Takes one of the options above; false if its value is wrong.
bool cli_take_read_option( int option, const char *value, ds_mesh_options *options );

// Reports the wrong value of one of them and returns CLI_USAGE.
int cli_wrong_read_option( const cli_command *command, int option, const char *value );

// deepsim mesh added-mass
int cmd_mesh_added_mass( int argc, char **argv );

// deepsim mesh board
int cmd_mesh_board( int argc, char **argv );

#endif

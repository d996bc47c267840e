// The program deepsim: options of a command that are made from a table of fields, one a field, as in JSON.

#ifndef DEEPSIM_CLI_TABLE_OPTIONS_H
#define DEEPSIM_CLI_TABLE_OPTIONS_H

#include "cli/cli.h"
#include "deepsim/field.h"

// Makes what `json` says, an object of the table's fields, and writes it to `output`.
typedef int cli_table_make( const cli_command *command, int kind, const char *json, const char *output );

// Runs `deepsim COMMAND NAME -o FILE [--FIELD X]...` for the table of a kind. `output` is help for -o.
int cli_table_run( const char *command, const ds_table *table, const char *output, int kind, cli_table_make *make,
	int argc, char **argv );

#endif

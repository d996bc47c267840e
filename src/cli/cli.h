// The program deepsim: what its verbs share.

#ifndef DEEPSIM_CLI_H
#define DEEPSIM_CLI_H

#include "base/text.h"
#include "deepsim/base.h"

#include <stdio.h>

// Exit codes.
#define CLI_OK        0
#define CLI_FAILURE   1
#define CLI_USAGE     2 // the command line is wrong
#define CLI_CANCELLED 130 // ended by Ctrl-C or SIGTERM, with everything written

// Every verb gets the arguments from its own name on, and returns an exit code.
int cmd_run( int argc, char **argv );
int cmd_render( int argc, char **argv );
int cmd_validate( int argc, char **argv );
int cmd_schema( int argc, char **argv );
int cmd_describe( int argc, char **argv );
int cmd_mesh( int argc, char **argv );
int cmd_current( int argc, char **argv );
int cmd_magnetic( int argc, char **argv );
int cmd_terrain( int argc, char **argv );
int cmd_imu( int argc, char **argv );
int cmd_allan( int argc, char **argv );
int cmd_optics( int argc, char **argv );
int cmd_bench( int argc, char **argv );

// ---- options -----------------------------------------------------------------------------------------------------

typedef struct cli_option
{
	const char *name; // "--log"
	const char *value; // what help calls its value ("DIR"); NULL: it takes none
	const char *doc; // one line
} cli_option;

// A verb, for its parser and its help.
typedef struct cli_command
{
	const char *name; // "run"
	const char *arguments; // "FILE"
	const char *doc; // a sentence or two
	const cli_option *options;
	int option_count;
	const char *examples; // lines, or NULL
} cli_command;

#define CLI_COUNT( array ) ( (int)( sizeof( array ) / sizeof( ( array )[0] ) ) )

// What cli_next() found, unless it is the index of an option.
#define CLI_ARGUMENT -1 // an argument that is no option: *value
#define CLI_END      -2
#define CLI_DONE     -3 // end at once: help was printed, or an error; the exit code is in `exit_code`

typedef struct cli_parser
{
	const cli_command *command;
	int argc;
	char **argv;
	int index;
	bool only_arguments; // after "--"
	int exit_code;
} cli_parser;

// Starts with argv[1]. Options are "--name value" or "--name=value", in any place; "--" ends them; "-" and negative
// numbers are arguments; every command has --help.
cli_parser cli_parse( const cli_command *command, int argc, char **argv );
int cli_next( cli_parser *parser, const char **value );

// Prints a command's help.
void cli_help( const cli_command *command, FILE *out );

// Reports a wrong command line with a hint and returns CLI_USAGE.
int cli_usage( const cli_command *command, const char *format, ... ) DS_PRINTF( 2, 3 );

// Whole texts as numbers; false if they are none (or not finite).
bool cli_number( const char *text, double *number );
bool cli_unsigned( const char *text, uint64_t *number );

// ---- verbs of a verb ---------------------------------------------------------------------------------------------

typedef struct cli_verb
{
	const char *name; // "info"
	int ( *run )( int argc, char **argv ); // gets the arguments from its own name on
	const char *doc; // one line
} cli_verb;

// Runs the one that argv[1] names; prints what there is if it names none. `arguments` is what help says after the verbs.
int cli_run_verb( const char *command, const char *arguments, const cli_verb *verbs, int count, int argc, char **argv );

// ---- output ------------------------------------------------------------------------------------------------------

// "deepsim: MESSAGE" on the standard error output.
void cli_error( const char *format, ... ) DS_PRINTF( 1, 2 );

// Prints the library's last error and returns CLI_FAILURE.
int cli_fail( void );

// Hooks whose messages go to the standard error output; with `quiet` only errors do.
ds_hooks cli_hooks( bool quiet );

// Whether escape sequences mean something there: a terminal, and not a dumb one.
bool cli_terminal( FILE *out );

// Whether colours are wanted there: a terminal, and no NO_COLOR (https://no-color.org).
bool cli_colour( FILE *out );

// Escape sequences around emphasis; "" where colours are not wanted.
const char *cli_bold( FILE *out );
const char *cli_red( FILE *out );
const char *cli_plain( FILE *out );

// Three significant digits, or all before the point: "0.0537", "372", "1134".
void cli_print_amount( char *text, size_t size, double amount );

// Prints a text and a line's end on stdout, and clears it. CLI_FAILURE if memory ended while it was made.
int cli_print_text( ds_text *text );

// From now on the first SIGINT, SIGTERM or SIGHUP asks for an end in good order; a second one ends the program.
void cli_catch_signals( void );
bool cli_stop_wanted( void );

// Seconds of a steady clock.
double cli_clock( void );

#endif

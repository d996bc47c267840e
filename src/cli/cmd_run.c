#include "base/base.h"
#include "cli/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_SIZE 2048

enum
{
	OPTION_DURATION,
	OPTION_RATE,
	OPTION_SEED,
	OPTION_THREADS,
	OPTION_SET,
	OPTION_PLUGIN,
	OPTION_REALTIME,
	OPTION_LOG,
	OPTION_SUMMARY,
	OPTION_QUIET
};

static const cli_option options[] = {
	[OPTION_DURATION] = { "--duration", "S", "simulated time [s]; the same as --set duration=S" },
	[OPTION_RATE] = { "--rate", "HZ", "ticks a second; the same as --set rate=HZ" },
	[OPTION_SEED] = { "--seed", "N", "seed of all randomness; the same as --set seed=N" },
	[OPTION_THREADS] = { "--threads", "N", "threads that share the work of cameras; the same as --set threads=N" },
	[OPTION_SET] = { "--set", "PATH=VALUE", "change a value of the scenario (sensors.imu.rate=50); may be repeated" },
	[OPTION_PLUGIN] = { "--plugin", "LIB.so", "load a plugin before the scenario; may be repeated" },
	[OPTION_REALTIME] = { "--realtime", NULL, "no faster than the clock on the wall" },
	[OPTION_LOG] = { "--log", "DIR",
		"write DIR/NAME.csv of each part and DIR/run.json; an earlier log there is replaced" },
	[OPTION_SUMMARY] = { "--summary", "FILE.json", "write how the run ended as JSON; - is the standard output" },
	[OPTION_QUIET] = { "--quiet", NULL, "print nothing but errors" },
};

static const cli_command command = { "run", "FILE",
	"Simulates the scenario in FILE from its start to its end. Ctrl-C ends a run early with its log and its summary\n"
	"complete up to there (exit code 130). Other exit codes: 0 the run came to its end, 1 it failed, 2 wrong usage.",
	options, CLI_COUNT( options ),
	"  deepsim run examples/lander/lander.json --log out/lander\n"
	"  deepsim run auv.json --duration 600 --seed 7 --set sensors.depth.rate=10\n"
	"  deepsim run rov.json --plugin ./libsonar.so --realtime\n"
	"  deepsim run auv.json --quiet --summary - | python3 -m json.tool\n" };

typedef struct run_options
{
	const char *file, *log, *summary;
	char **overrides; // "path=value"; some are made here
	int32_t override_count;
	const char **plugins;
	int32_t plugin_count;
	bool realtime, quiet;
} run_options;

// ---- the command line --------------------------------------------------------------------------------------------

static int add_override( run_options *o, const char *key, const char *value, const char *quote )
{
	size_t size = strlen( key ) + strlen( value ) + 2 * strlen( quote ) + 1;
	char *text = malloc( size );
	if ( text == NULL )
	{
		cli_error( "out of memory" );
		return CLI_FAILURE;
	}
	snprintf( text, size, "%s%s%s%s", key, quote, value, quote );
	o->overrides[o->override_count++] = text;
	return CLI_OK;
}

static int add_number( run_options *o, const char *name, const char *key, const char *value )
{
	double number;
	if ( !cli_number( value, &number ) )
	{
		return cli_usage( &command, "%s needs a number, not \"%s\"", name, value );
	}
	return add_override( o, key, value, "" );
}

static int add_seed( run_options *o, const char *value )
{
	uint64_t seed;
	if ( !cli_unsigned( value, &seed ) )
	{
		return cli_usage(
			&command, "--seed needs a whole number from 0 to %" PRIu64 ", not \"%s\"", UINT64_MAX, value );
	}
	// JSON numbers are doubles: seeds that they cannot hold are strings
	return add_override( o, "seed=", value, seed > ( UINT64_C( 1 ) << 53 ) ? "\"" : "" );
}

static int take_option( run_options *o, int option, const char *value )
{
	switch ( option )
	{
		case OPTION_DURATION:
			return add_number( o, "--duration", "duration=", value );
		case OPTION_RATE:
			return add_number( o, "--rate", "rate=", value );
		case OPTION_SEED:
			return add_seed( o, value );
		case OPTION_THREADS:
			return add_number( o, "--threads", "threads=", value );
		case OPTION_SET:
			if ( strchr( value, '=' ) == NULL || value[0] == '=' )
			{
				return cli_usage( &command, "--set needs PATH=VALUE (sensors.imu.rate=50), not \"%s\"", value );
			}
			return add_override( o, "", value, "" );
		case OPTION_PLUGIN:
			o->plugins[o->plugin_count++] = value;
			return CLI_OK;
		case OPTION_REALTIME:
			o->realtime = true;
			return CLI_OK;
		case OPTION_LOG:
			o->log = value;
			return value[0] != '\0' ? CLI_OK : cli_usage( &command, "--log needs the name of a folder" );
		case OPTION_SUMMARY:
			o->summary = value;
			return value[0] != '\0' ? CLI_OK : cli_usage( &command, "--summary needs the name of a file" );
		default:
			o->quiet = true;
			return CLI_OK;
	}
}

// False: end at once with *exit_code.
static bool read_options( run_options *o, int argc, char **argv, int *exit_code )
{
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		*exit_code = CLI_OK;
		if ( found == CLI_DONE )
		{
			*exit_code = parser.exit_code;
			return false;
		}
		if ( found == CLI_ARGUMENT && o->file )
		{
			*exit_code = cli_usage( &command, "one scenario at a time: \"%s\" comes after \"%s\"", value, o->file );
		}
		else if ( found == CLI_ARGUMENT )
		{
			o->file = value;
		}
		else
		{
			*exit_code = take_option( o, found, value );
		}
		if ( *exit_code != CLI_OK )
		{
			return false;
		}
	}
	if ( o->file == NULL )
	{
		*exit_code = cli_usage( &command, "which scenario?" );
		return false;
	}
	return true;
}

// ---- the run -----------------------------------------------------------------------------------------------------

typedef struct run
{
	ds_registry *registry;
	ds_scenario *scenario;
	ds_world *world;
	run_progress progress;
	double wall_time;
} run;

static bool cancel_wanted( void *user )
{
	(void)user;
	return cli_stop_wanted();
}

static void show_progress( void *user, int64_t ticks_done, int64_t ticks_wanted )
{
	(void)ticks_wanted;
	run *r = user;
	run_progress_update( &r->progress, ticks_done );
}

static ds_status load( run *r, const run_options *o, const ds_hooks *hooks )
{
	DS_TRY( ds_registry_create( hooks, &r->registry ) );
	for ( int32_t i = 0; i < o->plugin_count; i++ )
	{
		DS_TRY( ds_registry_load_plugin( r->registry, o->plugins[i], "." ) );
	}
	return ds_scenario_load( o->file, (const char *const *)o->overrides, o->override_count, r->registry, &r->scenario );
}

static ds_status make_world( run *r, const run_options *o, const ds_hooks *hooks )
{
	// the progress counts from here on: what is made is not stepped yet
	ds_scenario_info info = ds_scenario_describe( r->scenario );
	int64_t total = (int64_t)( info.duration * info.rate + 0.5 );
	run_progress_begin( &r->progress, info.name, info.rate, total, o->quiet, o->realtime );

	ds_world_def def = ds_world_def_default();
	def.scenario = r->scenario;
	def.hooks = *hooks;
	def.progress = show_progress;
	def.progress_ticks = run_progress_interval( &r->progress );
	def.cancel = cancel_wanted;
	def.user = r;
	DS_TRY( ds_world_create( &def, &r->world ) );
	if ( o->log )
	{
		ds_log_sink sink;
		DS_TRY( ds_log_csv( o->log, hooks, &sink ) );
		ds_status status = ds_log_attach( r->world, &sink );
		if ( status != DS_OK )
		{
			sink.destroy( sink.user );
		}
		return status;
	}
	return DS_OK;
}

static ds_status step( run *r )
{
	int64_t total = ds_world_ticks( r->world, ds_scenario_describe( r->scenario ).duration );
	r->progress.start = cli_clock();
	ds_status status = ds_world_step( r->world, total );
	r->wall_time = cli_clock() - r->progress.start;
	if ( status == DS_OK )
	{
		run_progress_update( &r->progress, total );
	}
	run_progress_end( &r->progress );
	return status;
}

// Keeps the library's last error and puts a line of our own for a run that was cancelled.
static void keep_error( const run *r, ds_status status, char *message, size_t size )
{
	if ( status == DS_ERROR_CANCELLED )
	{
		snprintf( message, size, "cancelled at t = %.9g s", r->world ? (double)ds_world_time( r->world ) / 1e9 : 0.0 );
	}
	else
	{
		(void)ds_copy_string( message, size, status == DS_OK ? "" : ds_last_error() );
	}
}

static ds_status simulate( run *r, const run_options *o, char *message, size_t size )
{
	ds_hooks hooks = cli_hooks( o->quiet );
	ds_status status = load( r, o, &hooks );
	status = status == DS_OK ? make_world( r, o, &hooks ) : status;
	status = status == DS_OK ? step( r ) : status;
	keep_error( r, status, message, size );

	// the log is told how the run ended, whatever happened
	if ( r->world )
	{
		ds_status closed = ds_log_close( r->world, status, message );
		if ( closed != DS_OK && status == DS_OK )
		{
			status = closed;
			keep_error( r, status, message, size );
		}
	}
	return status;
}

static int report( const run *r, const run_options *o, ds_status status, const char *message )
{
	run_result result = { r->scenario, r->world, status, message, r->wall_time };
	int code = status == DS_OK ? CLI_OK : status == DS_ERROR_CANCELLED ? CLI_CANCELLED : CLI_FAILURE;
	if ( status != DS_OK )
	{
		cli_error( "%s", message );
	}
	if ( o->summary && run_summary_write( &result, o->summary ) != DS_OK )
	{
		code = cli_fail();
	}
	// the standard output belongs to the JSON when it goes there
	bool alone = o->summary == NULL || strcmp( o->summary, "-" ) != 0;
	if ( r->world && !o->quiet && run_summary_print( &result, alone ? stdout : stderr ) != DS_OK )
	{
		code = cli_fail();
	}
	return code;
}

int cmd_run( int argc, char **argv )
{
	run_options o = { 0 };
	o.overrides = calloc( (size_t)argc, sizeof( *o.overrides ) );
	o.plugins = calloc( (size_t)argc, sizeof( *o.plugins ) );
	int code = CLI_FAILURE;
	if ( o.overrides == NULL || o.plugins == NULL )
	{
		cli_error( "out of memory" );
	}
	else if ( !read_options( &o, argc, argv, &code ) )
	{
		// the code says why
	}
	else if ( o.summary && run_summary_check( o.summary ) != DS_OK )
	{
		code = cli_fail();
	}
	else
	{
		run r = { 0 };
		char message[MESSAGE_SIZE] = "";
		cli_catch_signals();
		ds_status status = simulate( &r, &o, message, sizeof( message ) );
		code = report( &r, &o, status, message );
		ds_world_destroy( r.world );
		ds_scenario_release( r.scenario );
		ds_registry_release( r.registry );
	}
	for ( int32_t i = 0; i < o.override_count; i++ )
	{
		free( o.overrides[i] );
	}
	free( o.overrides );
	free( o.plugins );
	return code;
}

// `deepsim validate`

#include "base/base.h"
#include "cli/cli.h"
#include "deepsim/deepsim.h"

#include <string.h>

enum
{
	OPTION_SET,
	OPTION_PLUGIN,
	OPTION_QUIET
};

static const cli_option options[] = {
	[OPTION_SET] = { "--set", "PATH=VALUE",
		"change a value of the scenarios first (sensors.imu.rate=50); may be repeated" },
	[OPTION_PLUGIN] = { "--plugin", "LIB.so", "load a plugin before the scenarios; may be repeated" },
	[OPTION_QUIET] = { "--quiet", NULL, "print nothing but errors" },
};

static const cli_command command = { "validate", "FILE...",
	"Checks scenarios without running them: reads each file with all it includes, its meshes and plugins, and makes "
	"its world.\n"
	"Exit code 1 if one of them is not valid; the first error of each is printed.",
	options, CLI_COUNT( options ),
	"  deepsim validate examples/lander/lander.json\n"
	"  deepsim validate rov.json --set bodies.rov.mass=12\n" };

typedef struct validation
{
	const char **files, **overrides, **plugins;
	int file_count, override_count, plugin_count;
	bool quiet;
} validation;

static ds_status check( const validation *v, const char *file, const ds_hooks *hooks, ds_registry **registry,
	ds_scenario **scenario, ds_world **world )
{
	DS_TRY( ds_registry_create( hooks, registry ) );
	for ( int i = 0; i < v->plugin_count; i++ )
	{
		DS_TRY( ds_registry_load_plugin( *registry, v->plugins[i], "." ) );
	}
	DS_TRY( ds_scenario_load( file, v->overrides, v->override_count, *registry, scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = *scenario;
	def.hooks = *hooks;
	return ds_world_create( &def, world );
}

static void print_count( int64_t count, const char *one, const char *many )
{
	if ( count > 0 )
	{
		printf( ", %lld %s", (long long)count, count == 1 ? one : many );
	}
}

static void print_summary( const char *file, const ds_scenario_info *info )
{
	printf( "%s: OK: \"%s\", %.9g s at %.9g Hz, seed %llu", file, info->name, info->duration, info->rate,
		(unsigned long long)info->seed );
	print_count( info->bodies, "body", "bodies" );
	print_count( info->joints, "joint", "joints" );
	print_count( info->actuators, "actuator", "actuators" );
	print_count( info->sensors, "sensor", "sensors" );
	print_count( info->forces, "force", "forces" );
	print_count( info->controllers, "controller", "controllers" );
	print_count( info->commands, "command", "commands" );
	printf( "\n" );
}

static int validate( const validation *v, const char *file )
{
	ds_hooks hooks = cli_hooks( v->quiet );
	ds_registry *registry = NULL;
	ds_scenario *scenario = NULL;
	ds_world *world = NULL;
	int code = CLI_OK;
	if ( check( v, file, &hooks, &registry, &scenario, &world ) != DS_OK )
	{
		code = cli_fail();
	}
	else if ( !v->quiet )
	{
		ds_scenario_info info = ds_scenario_describe( scenario );
		print_summary( file, &info );
	}
	ds_world_destroy( world );
	ds_scenario_release( scenario );
	ds_registry_release( registry );
	return code;
}

// False: end at once with *code.
static bool read_options( validation *v, int argc, char **argv, int *code )
{
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		switch ( found )
		{
			case CLI_DONE:
				*code = parser.exit_code;
				return false;
			case CLI_ARGUMENT:
				v->files[v->file_count++] = value;
				break;
			case OPTION_SET:
				v->overrides[v->override_count++] = value;
				break;
			case OPTION_PLUGIN:
				v->plugins[v->plugin_count++] = value;
				break;
			default:
				v->quiet = true;
				break;
		}
	}
	if ( v->file_count == 0 )
	{
		*code = cli_usage( &command, "which scenario?" );
	}
	return v->file_count > 0;
}

int cmd_validate( int argc, char **argv )
{
	validation v;
	memset( &v, 0, sizeof( v ) );
	int code = CLI_FAILURE;
	if ( DS_NEW( NULL, argc, &v.files ) != DS_OK || DS_NEW( NULL, argc, &v.overrides ) != DS_OK ||
		 DS_NEW( NULL, argc, &v.plugins ) != DS_OK )
	{
		code = cli_fail();
	}
	else if ( read_options( &v, argc, argv, &code ) )
	{
		code = CLI_OK;
		for ( int i = 0; i < v.file_count; i++ )
		{
			int one = validate( &v, v.files[i] );
			code = one == CLI_OK ? code : one;
		}
	}
	DS_FREE( NULL, v.files, argc );
	DS_FREE( NULL, v.overrides, argc );
	DS_FREE( NULL, v.plugins, argc );
	return code;
}

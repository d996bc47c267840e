// `deepsim describe`

#include "base/base.h"
#include "cli/cli.h"
#include "io/describe.h"

static const cli_option options[] = {
	{ "--plugin", "LIB.so", "load a plugin, whose types can then be described; may be repeated" },
};

static const cli_command command = { "describe", "[TYPE...]",
	"Prints every option of a type of part (thruster, track) or of a section of the scenario file (body, seabed)\n"
	"with its unit, default and range; of \"soils\" the named soils, with their numbers and sources. Without an "
	"argument it lists what there is.",
	options, CLI_COUNT( options ),
	"  deepsim describe\n"
	"  deepsim describe thruster\n"
	"  deepsim describe body environment\n"
	"  deepsim describe soils\n" };

// Describes what was asked for, or lists what there is.
static int print( const ds_registry *registry, const char *const *names, int count )
{
	ds_text text = { 0 };
	ds_status status = count == 0 ? ds_describe_list( registry, &text ) : DS_OK;
	for ( int i = 0; i < count && status == DS_OK; i++ )
	{
		ds_text_string( &text, i > 0 ? "\n" : "" );
		status = ds_describe( registry, names[i], &text );
	}
	if ( status == DS_OK )
	{
		fputs( ds_text_get( &text ), stdout );
	}
	ds_text_clear( &text );
	return status == DS_OK ? CLI_OK : cli_fail();
}

// Collects the names; false: end at once with *code.
static bool read_options( ds_registry *registry, int argc, char **argv, const char **names, int *count, int *code )
{
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		if ( found == CLI_DONE )
		{
			*code = parser.exit_code;
			return false;
		}
		if ( found == CLI_ARGUMENT )
		{
			names[( *count )++] = value;
		}
		else if ( ds_registry_load_plugin( registry, value, "." ) != DS_OK )
		{
			*code = cli_fail();
			return false;
		}
	}
	return true;
}

int cmd_describe( int argc, char **argv )
{
	ds_hooks hooks = cli_hooks( true );
	ds_registry *registry = NULL;
	const char **names = NULL;
	int count = 0, code = CLI_FAILURE;
	if ( ds_registry_create( &hooks, &registry ) != DS_OK || DS_NEW( NULL, argc, &names ) != DS_OK )
	{
		code = cli_fail();
	}
	else if ( read_options( registry, argc, argv, names, &count, &code ) )
	{
		code = print( registry, names, count );
	}
	DS_FREE( NULL, names, argc );
	ds_registry_release( registry );
	return code;
}

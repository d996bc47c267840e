// `deepsim schema`

#include "base/base.h"
#include "cli/cli.h"
#include "deepsim/scenario.h"

#include <string.h>

static const cli_option options[] = {
	{ "--plugin", "LIB.so", "load a plugin, whose types the schema then knows; may be repeated" },
};

static const cli_command command = { "schema", "",
	"Prints the JSON Schema (draft 2020-12) of scenario files, for editors and other tools. It is made from the same "
	"tables\n"
	"that read scenarios.",
	options, CLI_COUNT( options ),
	"  deepsim schema > deepsim.schema.json\n"
	"  deepsim schema --plugin ./libsonar.so > deepsim.schema.json\n" };

static ds_status print_schema( ds_registry *registry )
{
	char *text;
	DS_TRY( ds_scenario_schema( registry, &text ) );
	fputs( text, stdout );
	ds_text_free( registry, text );
	return DS_OK;
}

int cmd_schema( int argc, char **argv )
{
	ds_hooks hooks = cli_hooks( true );
	ds_registry *registry = NULL;
	ds_status status = ds_registry_create( &hooks, &registry );
	int code = status == DS_OK ? CLI_OK : cli_fail();
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	bool done = code != CLI_OK;
	while ( !done )
	{
		int found = cli_next( &parser, &value );
		if ( found == CLI_END )
		{
			code = print_schema( registry ) == DS_OK ? CLI_OK : cli_fail();
			done = true;
		}
		else if ( found == CLI_DONE || found == CLI_ARGUMENT )
		{
			code =
				found == CLI_DONE ? parser.exit_code : cli_usage( &command, "schema takes no argument: \"%s\"", value );
			done = true;
		}
		else if ( ds_registry_load_plugin( registry, value, "." ) != DS_OK )
		{
			code = cli_fail();
			done = true;
		}
	}
	ds_registry_release( registry );
	return code;
}

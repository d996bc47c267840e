// Verbs that have verbs of their own: deepsim imu, optics, terrain.

#include "cli/cli.h"

#include "base/base.h"

#include <string.h>

static void list_verbs( const char *command, const char *arguments, const cli_verb *verbs, int count, FILE *out )
{
	fprintf( out, "usage: deepsim %s ", command );
	for ( int i = 0; i < count; ++i )
	{
		fprintf( out, "%s%s", i > 0 ? "|" : "", verbs[i].name );
	}
	fprintf( out, " %s\n\n%sverbs%s\n", arguments, cli_bold( out ), cli_plain( out ) );
	for ( int i = 0; i < count; ++i )
	{
		fprintf( out, "  %-8s %s\n", verbs[i].name, verbs[i].doc );
	}
	fprintf( out, "\ndeepsim %s VERB --help tells more.\n", command );
}

// The verb that comes nearest to a name, or NULL.
static const char *nearest_verb( const char *name, const cli_verb *verbs, int count )
{
	const char *names[16];
	size_t most = 0;
	for ( ; most < sizeof( names ) / sizeof( names[0] ) && most < (size_t)count; ++most )
	{
		names[most] = verbs[most].name;
	}
	return ds_nearest_name( name, names, most );
}

int cli_run_verb( const char *command, const char *arguments, const cli_verb *verbs, int count, int argc, char **argv )
{
	const char *name = argc > 1 ? argv[1] : "";
	for ( int i = 0; i < count; ++i )
	{
		if ( strcmp( name, verbs[i].name ) == 0 )
		{
			return verbs[i].run( argc - 1, argv + 1 );
		}
	}
	const bool help = strcmp( name, "--help" ) == 0 || strcmp( name, "-h" ) == 0;
	if ( !help && name[0] )
	{
		const char *nearest = nearest_verb( name, verbs, count );
		cli_error( nearest ? "%s: unknown verb %s; did you mean %s?" : "%s: unknown verb %s", command, name, nearest );
	}
	list_verbs( command, arguments, verbs, count, help ? stdout : stderr );
	return help ? CLI_OK : CLI_USAGE;
}

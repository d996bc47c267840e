#include "cli/cli.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct verb
{
	const char *name;
	int ( *run )( int argc, char **argv );
	const char *arguments, *doc;
} verb;

static const verb verbs[] = {
	{ "run", cmd_run, "FILE", "simulate a scenario, show progress, write its log" },
	{ "render", cmd_render, "FILE -o FILE.png", "simulate up to a frame of a camera, and write it" },
	{ "validate", cmd_validate, "FILE...", "check scenarios without running them" },
	{ "schema", cmd_schema, "", "print the JSON Schema of scenarios, for editors" },
	{ "describe", cmd_describe, "[TYPE...]", "print every option of a part: unit, default, range" },
	{ "mesh", cmd_mesh, "info|repair|make ...", "measure, repair and make closed meshes" },
	{ "current", cmd_current, "show|fit ...", "show currents over depth, fit them to profiles" },
	{ "terrain", cmd_terrain, "info|render ...", "read rasters of heights, draw their relief" },
	{ "imu", cmd_imu, "convert|record ...", "units of datasheets, presets of IMUs, data at rest" },
	{ "allan", cmd_allan, "FILE.csv", "Allan deviations of a sensor at rest, and its coefficients" },
	{ "magnetic", cmd_magnetic, "LAT LON ALT DATE", "print the Earth's magnetic field of a place and date" },
	{ "optics", cmd_optics, "camera|lens|water ...", "what cameras see, calibration files, light in water" },
	{ "bench", cmd_bench, "[NAME...]", "measure how fast this machine runs the library" },
};

static void print_help( FILE *out )
{
	fprintf( out, "deepsim %s: simulation of deep-sea vehicles\n\nusage: deepsim VERB [ARGUMENT]...\n\n%sverbs%s\n",
		ds_version(), cli_bold( out ), cli_plain( out ) );
	for ( int i = 0; i < CLI_COUNT( verbs ); i++ )
	{
		fprintf( out, "  %-8s %-21s  %s\n", verbs[i].name, verbs[i].arguments, verbs[i].doc );
	}
	fprintf( out,
		"\n%sexamples%s\n"
		"  deepsim run examples/lander/lander.json --log out/lander\n"
		"  deepsim run rov.json --duration 60 --set bodies.rov.mass=12 --summary -\n"
		"  deepsim render rov.json --camera front --time 5 -o front.png\n"
		"  deepsim validate rov.json\n"
		"  deepsim describe thruster\n"
		"  deepsim mesh info hull.obj\n"
		"  deepsim terrain render site.asc --contours 10 -o site.png\n"
		"\ndeepsim VERB --help tells more of a verb, deepsim --version the version.\n",
		cli_bold( out ), cli_plain( out ) );
}

static int unknown( const char *name )
{
	const char *names[CLI_COUNT( verbs )];
	for ( int i = 0; i < CLI_COUNT( verbs ); i++ )
	{
		names[i] = verbs[i].name;
	}
	const char *nearest = ds_nearest_name( name, names, CLI_COUNT( verbs ) );
	const char *kind = name[0] == '-' ? "option" : "verb";
	if ( nearest )
	{
		cli_error( "unknown %s %s; did you mean %s?", kind, name, nearest );
	}
	else
	{
		cli_error( "unknown %s %s; deepsim --help lists the verbs", kind, name );
	}
	return CLI_USAGE;
}

static int dispatch( int argc, char **argv )
{
	if ( argc < 2 )
	{
		print_help( stderr );
		return CLI_USAGE;
	}
	const char *name = argv[1];
	bool help = strcmp( name, "help" ) == 0;
	if ( strcmp( name, "--help" ) == 0 || strcmp( name, "-h" ) == 0 || ( help && argc == 2 ) )
	{
		print_help( stdout );
		return CLI_OK;
	}
	if ( strcmp( name, "--version" ) == 0 )
	{
		printf( "deepsim %s\n", ds_version() );
		return CLI_OK;
	}
	for ( int i = 0; i < CLI_COUNT( verbs ); i++ )
	{
		// "help VERB" is "VERB --help"
		if ( strcmp( help ? argv[2] : name, verbs[i].name ) == 0 )
		{
			char option[] = "--help";
			char *arguments[] = { argv[help ? 2 : 1], option, NULL };
			return help ? verbs[i].run( 2, arguments ) : verbs[i].run( argc - 1, argv + 1 );
		}
	}
	return unknown( help ? argv[2] : name );
}

// Standard streams that are closed are opened so that writing fails: the next file that is opened would take their place,
// and get what is printed.
static void fill_streams( void )
{
	for ( int stream = 0; stream <= 2; ++stream )
	{
		if ( fcntl( stream, F_GETFD ) < 0 && open( "/dev/null", stream == 0 ? O_WRONLY : O_RDONLY ) != stream )
		{
			_exit( CLI_FAILURE );
		}
	}
}

int main( int argc, char **argv )
{
	fill_streams();

	// a closed pipe and a file at its limit are errors to report, not signals to die of
	signal( SIGPIPE, SIG_IGN );
	signal( SIGXFSZ, SIG_IGN );

	int code = dispatch( argc, argv );
	errno = 0;
	if ( ( fflush( stdout ) != 0 || ferror( stdout ) ) && code == CLI_OK )
	{
		// a reader that has seen enough needs no message
		if ( errno != EPIPE )
		{
			cli_error( "cannot write to the standard output%s%s", errno != 0 ? ": " : "",
				errno != 0 ? strerror( errno ) : "" );
		}
		return CLI_FAILURE;
	}
	return code;
}

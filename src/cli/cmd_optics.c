// deepsim optics: the table of its verbs

#include "cli/optics.h"

#include "base/base.h"

#include <string.h>

int cmd_optics( int argc, char **argv )
{
	static const struct
	{
		const char *name;
		int ( *run )( int argc, char **argv );
		const char *doc;
	} verbs[] = {
		{ "camera", cmd_optics_camera, "lens, port, field of view of a scenario's cameras; how far from a pinhole" },
		{ "lens", cmd_optics_lens, "read calibration files of OpenCV and ROS, write them in another format" },
		{ "stereo", cmd_optics_stereo,
			"two cameras as a stereo pair, and its calibration as files for OpenCV and ROS" },
		{ "water", cmd_optics_water, "what a water does to light, by wavelength" },
	};
	const char *name = argc > 1 ? argv[1] : "";
	const char *names[CLI_COUNT( verbs )];
	for ( int i = 0; i < CLI_COUNT( verbs ); i++ )
	{
		names[i] = verbs[i].name;
		if ( strcmp( name, verbs[i].name ) == 0 )
		{
			return verbs[i].run( argc - 1, argv + 1 );
		}
	}
	bool help = strcmp( name, "--help" ) == 0 || strcmp( name, "-h" ) == 0;
	FILE *out = help ? stdout : stderr;
	if ( !help && name[0] )
	{
		const char *nearest = ds_nearest_name( name, names, CLI_COUNT( verbs ) );
		cli_error( nearest ? "optics: unknown verb %s; did you mean %s?" : "optics: unknown verb %s", name, nearest );
	}
	fprintf( out, "usage: deepsim optics camera|lens|stereo|water [ARGUMENT]...\n\n%sverbs%s\n", cli_bold( out ),
		cli_plain( out ) );
	for ( int i = 0; i < CLI_COUNT( verbs ); i++ )
	{
		fprintf( out, "  %-8s %s\n", verbs[i].name, verbs[i].doc );
	}
	fprintf( out, "\ndeepsim optics VERB --help tells more.\n" );
	return help ? CLI_OK : CLI_USAGE;
}

// deepsim optics: the table of its verbs

#include "cli/optics.h"

#include "base/base.h"

#include <string.h>

int cmd_optics( int argc, char **argv )
{
	static const cli_verb verbs[] = {
		{ "camera", cmd_optics_camera, "lens, port, field of view of a scenario's cameras; how far from a pinhole" },
		{ "lens", cmd_optics_lens, "read calibration files of OpenCV and ROS, write them in another format" },
		{ "stereo", cmd_optics_stereo,
			"two cameras as a stereo pair, and its calibration as files for OpenCV and ROS" },
		{ "water", cmd_optics_water, "what a water does to light, by wavelength" },
	};
	return cli_run_verb( "optics", "[ARGUMENT]...", verbs, CLI_COUNT( verbs ), argc, argv );
}

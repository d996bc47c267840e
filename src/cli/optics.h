// `deepsim optics`: what its sources share.

#ifndef DEEPSIM_CLI_OPTICS_H
#define DEEPSIM_CLI_OPTICS_H

#include "cli/cli.h"

int cmd_optics_camera( int argc, char **argv );
int cmd_optics_lens( int argc, char **argv );
int cmd_optics_stereo( int argc, char **argv );
int cmd_optics_water( int argc, char **argv );

#endif

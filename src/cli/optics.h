// The program deepsim: what the verbs of optics share.

#ifndef DEEPSIM_CLI_OPTICS_H
#define DEEPSIM_CLI_OPTICS_H

// deepsim optics lens
int cmd_optics_lens( int argc, char **argv );

#endif

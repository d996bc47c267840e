// deepsim current: what its verbs share.

#ifndef DEEPSIM_CLI_CURRENT_H
#define DEEPSIM_CLI_CURRENT_H

#include "cli/cli.h"
#include "deepsim/types.h"

#define MOST_CURVES 3

// One profile to draw or to write: `count` flows at depths.
typedef struct curve
{
	const char *title;
	bool points; // instead of a line
	int count;
	const double *depths; // [m]
	const ds_vec3 *flows; // [m/s]
} curve;

int cmd_current_fit( int argc, char **argv );

// Where a flow goes to, from north over east, in [0, 360).
double current_direction( ds_vec3 flow );

// Writes depth, north, east, down, speed and direction as comma-separated values.
int write_current_csv( const char *path, const curve *profile );

// Draws the hodograph and the components against depth into a .png, .svg or .pdf, by gnuplot. Without gnuplot it says so
// and is no failure: `data` is where the numbers are.
int plot_current( const char *path, const char *title, const curve *curves, int count, const char *data );

// Splits "A,B" into two numbers.
bool two_numbers( const char *text, double numbers[2] );

#endif

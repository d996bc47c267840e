// Inside optics: how light that is scattered by small angles spreads over an image.

#ifndef DEEPSIM_FORWARD_SCATTER_H
#define DEEPSIM_FORWARD_SCATTER_H

#include "optics/radiance.h"

#define DS_FORWARD_LEVELS 10 // of a pyramid, the first the image itself
#define DS_FORWARD_RANGES 24

// The spread of a point's light by its range: shares of what was scattered, in the widths of a pyramid's levels.
typedef struct ds_forward_table
{
	int32_t levels;
	double forward; // share of scattering by less than 90 degrees
	float range; // of the last entry [m]; entries go evenly with the square root
	float take[DS_FORWARD_LEVELS][DS_FORWARD_RANGES + 1]; // share that a level takes of what came down to it
} ds_forward_table;

// How many levels an image has.
int32_t ds_forward_levels( int32_t width, int32_t height );

// `focal`: pixels per radian.
void ds_forward_table_make(
	double b, double c, const ds_phase_config *phase, int32_t levels, double focal, ds_forward_table *table );

// Transfer of a level at a frequency [cycles/pixel] along rows or columns.
double ds_forward_level_transfer( int32_t level, double frequency );

#endif

// Inside the water column: interpolation between levels.

#ifndef DEEPSIM_HYDRO_COLUMN_LEVELS_H
#define DEEPSIM_HYDRO_COLUMN_LEVELS_H

#include "hydro/column.h"

// Values over rising depths; the arrays of depths and values are the caller's.
typedef struct ds_levels
{
	const double *depth, *value;
	double *slope; // at the levels [1/m]; NULL: straight lines
	int64_t count;
} ds_levels;

// Slopes by the rule of Fritsch and Butland (1984) for uneven steps (their harmonic mean, as in Fritsch and Carlson's PCHIP), with
// three-point slopes at the ends that keep the sign. Two levels make a straight line. `slope` has room for `count`.
void ds_levels_slopes( const double *depth, const double *value, int64_t count, double *slope );

// The value at a depth; constant beyond the ends. `at` is where the last look-up ended, 0 at first: depths that rise cost no
// search.
double ds_levels_at( const ds_levels *levels, double depth, int64_t *at );

// Slopes at the nodes of an even grid: central differences of fourth order, kept within the limits of Fritsch and Carlson
// (1980) so that cubics between them never overshoot.
void ds_grid_slopes( const double *value, int64_t count, double step, double *slope );

// The cubic over one step from values and slopes at its ends: c[0] + c[1] u + c[2] u^2 + c[3] u^3, u from 0 to `step`.
void ds_cubic( double value0, double slope0, double value1, double slope1, double step, double c[4] );

#endif

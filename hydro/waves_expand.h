// Inside hydro/: the expansion of a sea about a point.

#ifndef DEEPSIM_HYDRO_WAVES_EXPAND_H
#define DEEPSIM_HYDRO_WAVES_EXPAND_H

#include "hydro/waves_patch.h"

// Expands a sea that has waves for the points within `radius` of `center`. False when the degree `highest` (at most
// DS_WAVE_DEGREE) does not reach the tolerance; the polynomials are then made only if `always`, but bounds and error are
// set all the same.
bool ds_waves_expand( const ds_waves *waves, ds_vec3 center, double radius, double time, int32_t highest, bool always,
	ds_wave_field *field );

#endif

// Inside hydro/: the expansion of a sea about a point.

#ifndef DEEPSIM_HYDRO_WAVES_EXPAND_H
#define DEEPSIM_HYDRO_WAVES_EXPAND_H

#include "hydro/waves_patch.h"

// Expands a sea that has waves for the points within `radius` of `center`. False when the greatest degree does not reach
// the tolerance; the polynomials of that degree are then made only if `always`, but bounds and error are always set.
bool ds_waves_expand(
	const ds_waves *waves, ds_vec3 center, double radius, double time, bool always, ds_wave_field *field );

#endif

// Fits an Ekman flow to a measured or modelled profile of the current.

#ifndef DEEPSIM_SRC_CURRENT_FIT_H
#define DEEPSIM_SRC_CURRENT_FIT_H

#include "base/base.h"
#include "deepsim/current.h"

typedef struct ds_current_fit_setting
{
	double latitude; // [rad]
	double bed_depth; // z of the bed [m], not above the deepest level; 0: half a step below it
	double water_density; // [kg/m3]; 0: 1026
	const ds_current_def *wind; // whose stress is taken as it is (ds_ekman_stress); NULL: the stress is free
} ds_current_fit_setting;

// Root mean square of the length of the error vector, over the levels of a layer.
typedef struct ds_current_fit_layer
{
	int64_t levels;
	double rmse; // [m/s]; 0 without levels
} ds_current_fit_layer;

typedef struct ds_current_fit
{
	ds_current_def current; // kind DS_CURRENT_EKMAN, with latitude and bed of its own
	double stress[2]; // north, east [Pa]
	ds_current_fit_layer all, surface, interior, bed; // to D; between; from H - D_b on
	double rmse_of_mean; // of the mean over all levels taken as the current [m/s]
	bool surface_bounded, bed_bounded; // the layer is as deep (H/2) or as thin as it may be: the profile does not say
} ds_current_fit;

// Least squares over the levels, all alike, of interior flow, layer depths and (unless given) stress. For given layer
// depths the flow is linear in the other parameters, which are solved for (variable projection: Golub and Pereyra 1973,
// SIAM J. Numer. Anal. 10); the depths, between 1 m and half the depth of the water, are searched for on a grid and then
// by patterns that shrink, so that no start value matters.
// Errors: RANGE (fewer than 4 levels, depths that do not increase, a bed above them), LIMIT (over 100000 levels), NOT_FINITE.
ds_status ds_current_fit_levels(
	const ds_current_level *levels, int64_t count, const ds_current_fit_setting *setting, ds_current_fit *fit );

#endif

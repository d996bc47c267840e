// Inside optics: options of water and sky, as tables that other tables name.

#ifndef DEEPSIM_OPTICS_WATER_TABLE_H
#define DEEPSIM_OPTICS_WATER_TABLE_H

#include "deepsim/water_optics.h"

extern const ds_table ds_water_optics_options; // of ds_water_optics_def
extern const ds_table ds_sky_options; // of ds_sky_def

#endif

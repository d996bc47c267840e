// Inside optics: phase functions. The functions are those of deepsim/water_optics.h.

#ifndef DEEPSIM_OPTICS_PHASE_H
#define DEEPSIM_OPTICS_PHASE_H

#include "deepsim/water_optics.h"

// Options of a phase function, a variant by "model" or by name: a table that other tables name.
extern const ds_table ds_phase_table_of_config;

#endif

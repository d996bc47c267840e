// Presets of the companion sensors: values of real instruments by name, each with its source.

#ifndef DEEPSIM_SENSORS_PRESETS_H
#define DEEPSIM_SENSORS_PRESETS_H

#include "deepsim/field.h"

#define DS_PRESSURE_PRESETS 3
#define DS_CTD_PRESETS      2
#define DS_GNSS_PRESETS     1

extern const ds_preset ds_pressure_presets[DS_PRESSURE_PRESETS];
extern const ds_preset ds_ctd_presets[DS_CTD_PRESETS];
extern const ds_preset ds_gnss_presets[DS_GNSS_PRESETS];

#endif

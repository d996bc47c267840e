// Inside the library: the coefficients of the Earth's magnetic field.

#ifndef DEEPSIM_SENSORS_GEOMAGNETIC_H
#define DEEPSIM_SENSORS_GEOMAGNETIC_H

#include "deepsim/geomagnetic.h"

extern const ds_geomagnetic_model ds_geomagnetic_wmm2025_model, ds_geomagnetic_igrf14_model;

#endif

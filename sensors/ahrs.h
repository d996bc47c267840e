// Inside the library: the tables of the AHRS.

#ifndef DEEPSIM_SENSORS_AHRS_H
#define DEEPSIM_SENSORS_AHRS_H

#include "deepsim/ahrs.h"

extern const ds_table ds_ahrs_options, ds_ahrs_readings;

#endif

// Inside the library: the tables of the AHRS.

#ifndef DEEPSIM_SENSORS_AHRS_H
#define DEEPSIM_SENSORS_AHRS_H

#include "deepsim/ahrs.h"

extern const ds_table ds_ahrs_config_fields, ds_ahrs_fields;

#endif

// Inside the library: the tables of the magnetometer.

#ifndef DEEPSIM_SENSORS_MAGNETOMETER_H
#define DEEPSIM_SENSORS_MAGNETOMETER_H

#include "deepsim/magnetometer.h"

extern const ds_table ds_magnetometer_config_fields, ds_magnetometer_fields;

#endif

// Satellite receiver: tables. The interface is public.

#ifndef DEEPSIM_SENSORS_GNSS_H
#define DEEPSIM_SENSORS_GNSS_H

#include "deepsim/gnss.h"

extern const ds_table ds_gnss_options;
extern const ds_table ds_gnss_readings;

#endif

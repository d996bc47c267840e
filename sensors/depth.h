// Depth by pressure: tables. The interface is public.

#ifndef DEEPSIM_SENSORS_DEPTH_H
#define DEEPSIM_SENSORS_DEPTH_H

#include "deepsim/depth.h"

extern const ds_table ds_depth_options;
extern const ds_table ds_depth_readings;

#endif

// CTD: tables. The interface is public.

#ifndef DEEPSIM_SENSORS_CTD_H
#define DEEPSIM_SENSORS_CTD_H

#include "deepsim/ctd.h"

extern const ds_table ds_ctd_options;
extern const ds_table ds_ctd_readings;

#endif

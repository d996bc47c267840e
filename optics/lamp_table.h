// Inside optics: options and reading of a lamp, as tables that other tables name.

#ifndef DEEPSIM_OPTICS_LAMP_TABLE_H
#define DEEPSIM_OPTICS_LAMP_TABLE_H

#include "deepsim/lamp.h"

extern const ds_table ds_lamp_options; // of ds_lamp_config
extern const ds_table ds_lamp_readings; // of ds_lamp_reading

#endif

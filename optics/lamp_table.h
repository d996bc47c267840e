// Inside optics: options and reading of a lamp, as tables that other tables name.

#ifndef DEEPSIM_OPTICS_LAMP_TABLE_H
#define DEEPSIM_OPTICS_LAMP_TABLE_H

#include "deepsim/lamp.h"

extern const ds_table ds_lamp_options; // of ds_lamp_config
extern const ds_table ds_lamp_readings; // of ds_lamp_reading

// Whether a lamp that somebody else filled is one. Errors: RANGE, NOT_FINITE, of the members by their names.
ds_status ds_lamp_check( const ds_lamp *lamp );

#endif

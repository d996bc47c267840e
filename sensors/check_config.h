// Configs that come from C, held against their table as those from JSON are.

#ifndef DEEPSIM_SENSORS_CHECK_CONFIG_H
#define DEEPSIM_SENSORS_CHECK_CONFIG_H

#include "deepsim/field.h"

// Every number finite and in its field's range, every enum one of its values, and the tables' own checks. Goes into structs and
// arrays of structs. The error names the field: "gyro.N[1]: expected a number in [0, 1000] rad/s/sqrt(Hz), got -1".
ds_status ds_config_check( const ds_table *table, const void *config );

#endif

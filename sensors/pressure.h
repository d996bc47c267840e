// Pressure gauge: the water's pressure with noise, range and resolution. Runs without a world.

#ifndef DEEPSIM_SENSORS_PRESSURE_H
#define DEEPSIM_SENSORS_PRESSURE_H

#include "deepsim/field.h"
#include "deepsim/pressure.h"
#include "deepsim/types.h"

extern const ds_table ds_pressure_config_table;
extern const ds_table ds_pressure_table;

// One reading [Pa], from the water (or the air) at the mount and a standard normal number: noise first, then the range,
// the resolution last (to the nearest multiple).
void ds_pressure_measure(
	const ds_pressure_config *config, const ds_water *water, double normal, ds_pressure *reading );

#endif

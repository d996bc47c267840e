// Pressure gauge: tables, and the steps of a sample with the random numbers given. Runs without a world.

#ifndef DEEPSIM_SENSORS_PRESSURE_H
#define DEEPSIM_SENSORS_PRESSURE_H

#include "deepsim/field.h"
#include "deepsim/pressure.h"
#include "deepsim/types.h"

extern const ds_table ds_pressure_options;
extern const ds_table ds_pressure_readings;

// Standard normal numbers of a sample: slots of its stream.
enum
{
	DS_PRESSURE_WHITE,
	DS_PRESSURE_WALK,
	DS_PRESSURE_MARKOV,
	DS_PRESSURE_NORMALS
};

// One sample with its normal numbers: errors, the range, the resolution last (to the nearest multiple).
void ds_pressure_step( const ds_pressure_config *config, const ds_pressure_truth *truth,
	const double normal[DS_PRESSURE_NORMALS], ds_pressure_state *state, ds_pressure *reading );

// The truth of a gauge in this water, or in the air.
ds_pressure_truth ds_pressure_truth_of( const ds_pressure_config *config, const ds_water *water, ds_time time );

// The error [Pa] by hysteresis at a pressure [Pa]; `play` are moved along.
double ds_pressure_hysteresis( const ds_pressure_config *config, double pressure, double play[DS_PRESSURE_PLAYS] );

#endif

// IMUs by name: presets of ds_imu_config.

#ifndef DEEPSIM_SENSORS_IMU_PRESETS_H
#define DEEPSIM_SENSORS_IMU_PRESETS_H

#include "deepsim/field.h"

#define DS_IMU_PRESET_COUNT 22

extern const ds_preset ds_imu_presets[DS_IMU_PRESET_COUNT];

#endif

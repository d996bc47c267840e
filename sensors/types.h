// The plugin tables of the sensors of this folder: what puts the models into a world.

#ifndef DEEPSIM_SENSORS_TYPES_H
#define DEEPSIM_SENSORS_TYPES_H

#include "deepsim/plugin.h"

extern const ds_type ds_adcp_type;
extern const ds_type ds_ahrs_type;
extern const ds_type ds_altimeter_type;
extern const ds_type ds_camera_type;
extern const ds_type ds_contact_type;
extern const ds_type ds_ctd_type;
extern const ds_type ds_depth_type;
extern const ds_type ds_dvl_type;
extern const ds_type ds_gnss_type;
extern const ds_type ds_imu_type;
extern const ds_type ds_lbl_type;
extern const ds_type ds_magnetometer_type;
extern const ds_type ds_odometry_type;
extern const ds_type ds_pressure_type;
extern const ds_type ds_usbl_type;

#endif

// libdeepsim: the sensor "odometry": the truth of its mount, with optional white noise. World NED, mount FRD.

#ifndef DEEPSIM_ODOMETRY_H
#define DEEPSIM_ODOMETRY_H

// The reading.
typedef struct ds_odometry
{
	double position[3]; // of the mount, world [m]
	double attitude[4]; // mount to world: w, x, y, z
	double linear_velocity[3]; // of the mount, mount axes [m/s]
	double angular_velocity[3]; // mount axes [rad/s]
} ds_odometry;

typedef struct ds_odometry_config
{
	double position_noise; // standard deviations of white noise per axis and sample [m]
	double attitude_noise; // [rad], small rotation vector
	double linear_velocity_noise; // [m/s]
	double angular_velocity_noise; // [rad/s]
} ds_odometry_config;

#endif

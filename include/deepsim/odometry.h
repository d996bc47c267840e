// libdeepsim: the sensor "odometry": the truth of its mount, with optional errors: white noise, random walks, Gauss-Markov
// processes. World NED, mount FRD. A plain model, which runs with or without a world.

#ifndef DEEPSIM_ODOMETRY_H
#define DEEPSIM_ODOMETRY_H

#include "deepsim/field.h"
#include "deepsim/random.h"

#ifdef __cplusplus
extern "C"
{
#endif

// The reading. Variances are of each axis: of white noise, the Gauss-Markov process, and the random walk so far.
typedef struct ds_odometry
{
	double position[3]; // of the mount, world [m]
	double attitude[4]; // mount to world: w, x, y, z
	double linear_velocity[3]; // of the mount, mount axes [m/s]
	double angular_velocity[3]; // mount axes [rad/s]
	double position_variance; // [m2]
	double attitude_variance; // of a small rotation vector in mount axes [rad2]
	double linear_velocity_variance; // [(m/s)2]
	double angular_velocity_variance; // [(rad/s)2]
	bool valid; // false: there was no such truth, and all is 0
} ds_odometry;

// Zeros mean no error.
typedef struct ds_odometry_config
{
	double position_noise; // standard deviations of white noise per axis and sample [m]
	double attitude_noise; // [rad], small rotation vector
	double linear_velocity_noise; // [m/s]
	double angular_velocity_noise; // [rad/s]
	double position_walk; // random walk per axis [m/sqrt(s)]
	double attitude_walk; // [rad/sqrt(s)]
	double position_sigma,
		position_tau; // Gauss-Markov processes per axis, started stationary: standard deviation [m], time [s]
	double attitude_sigma, attitude_tau; // [rad], [s]
	double linear_velocity_sigma, linear_velocity_tau; // [m/s], [s]
	double angular_velocity_sigma, angular_velocity_tau; // [rad/s], [s]
} ds_odometry_config;

// What is there.
typedef struct ds_odometry_truth
{
	ds_pose pose; // of the mount in the world
	ds_vec3 velocity; // of the mount, world axes [m/s]
	ds_vec3 rate; // mount axes [rad/s]
	double time; // now; samples go forward in time [s]
} ds_odometry_truth;

// All that changes: plain bytes, which may be copied.
typedef struct ds_odometry_state
{
	double walk[6]; // position, attitude
	double markov[12]; // position, attitude, linear and angular velocity
	double start, last; // [s]
} ds_odometry_state;

// The tables of config and reading. The functions below take a config to be right: ds_table_check_value(
// ds_odometry_config_table(), &config ) says whether one that was made in C is.
DS_API const ds_table *ds_odometry_config_table( void );
DS_API const ds_table *ds_odometry_table( void );

// No error.
DS_API ds_odometry_config ds_odometry_config_default( void );

// Starts a run at a time [s]: `stream` is that of DS_RANDOM_RESET.
DS_API void ds_odometry_reset(
	const ds_odometry_config *config, double time, const ds_random *stream, ds_odometry_state *state );

// One reading: `stream` is that of the sample. Attitude errors are a rotation vector in mount axes, applied after the true
// rotation; the quaternion is as continuous as the truth's (its sign is not made unique).
DS_API void ds_odometry_measure( const ds_odometry_config *config, const ds_odometry_truth *truth,
	const ds_random *stream, ds_odometry_state *state, ds_odometry *reading );

#ifdef __cplusplus
}
#endif

#endif

// libdeepsim: the sensor "ahrs": attitude and heading reference, a tilt-compensated compass. Three accelerometers tell down, three
// magnetometers tell north, gyroscopes (if asked for) carry both over manoeuvres. A plain model, which runs with or without a world.
//
// Frames: mount forward-right-down, world north-east-down. With specific force f and calibrated field b in mount axes, down is -f/|f|, east is
// down x b, north is east x down: no angle of attitude is special. Whatever accelerates the vehicle tilts its down, and with it the
// heading by about tan(inclination) times the tilt.

#ifndef DEEPSIM_AHRS_H
#define DEEPSIM_AHRS_H

#include "deepsim/field.h"
#include "deepsim/magnetometer.h"
#include "deepsim/random.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

// Errors of a triad. U is m/s2 for accelerometers, rad/s for gyroscopes.
typedef struct ds_ahrs_triad
{
	double N[3]; // white noise, density [U/sqrt(Hz)]
	double K[3]; // bias walk [U/s/sqrt(Hz)]
	double bias[3]; // constant [U]
	double turn_on[3]; // standard deviation of a bias drawn once a run [U]
} ds_ahrs_triad;

typedef enum ds_ahrs_filter
{
	DS_AHRS_NONE, // each sample by itself
	DS_AHRS_COMPLEMENTARY // gyroscopes, drawn to accelerometers and magnetometers with time constants
} ds_ahrs_filter;

typedef enum ds_ahrs_reference
{
	DS_AHRS_MODEL, // declination by the geomagnetic model of the world at the place and date
	DS_AHRS_FIXED // `declination`
} ds_ahrs_reference;

// Start from ds_ahrs_config_default(): elements without errors, no filter, declination by the model.
typedef struct ds_ahrs_config
{
	int32_t filter; // ds_ahrs_filter
	double tilt_tau, heading_tau; // time constants of the filter [s]
	int32_t reference; // ds_ahrs_reference
	double declination; // of DS_AHRS_FIXED, of magnetic from true north, positive to the east [rad]
	// calibration: iron as it was found, b_measured = soft_iron b + hard_iron, which is undone
	double calibration_hard_iron[3]; // [T]
	double calibration_soft_iron[9]; // row major
	// card of what deviation is left: magnetic heading = compass + A + B sin c + C cos c + D sin 2c + E cos 2c [rad]
	double deviation[5];
	ds_magnetometer_config magnetometer; // elements of its own, where no inputs take their place
	ds_ahrs_triad accelerometer, gyro;
} ds_ahrs_config;

// What is fixed, made by ds_ahrs_prepare.
typedef struct ds_ahrs_model
{
	ds_ahrs_config config;
	double calibration[9]; // inverse of calibration_soft_iron
} ds_ahrs_model;

// All that changes: plain bytes.
typedef struct ds_ahrs_state
{
	ds_magnetometer_state magnetometer;
	double accelerometer_turn_on[3], accelerometer_walk[3], gyro_turn_on[3], gyro_walk[3];
	ds_quat attitude; // mount to magnetic north, east, down
	double covariance[9]; // as in the reading
	int64_t started; // 0: the next sample is the first
} ds_ahrs_state;

// What is true at a sample.
typedef struct ds_ahrs_truth
{
	ds_magnetometer_truth magnetic; // interval and period too
	ds_vec3 delta_angle; // since the last sample, as a gyroscope sees it, mount axes [rad]
	ds_vec3 specific_force; // mean since the last sample, mount axes [m/s2]
} ds_ahrs_truth;

// What the unit computes with: of its own elements, or of other sensors on the same axes.
typedef struct ds_ahrs_signals
{
	double delta_angle[3]; // [rad]
	double specific_force[3]; // [m/s2]
	double field[3]; // [T]
	double rate_density[3]; // N of the gyroscopes [rad/s/sqrt(Hz)]
	double force_variance[3], field_variance[3];
	double interval; // since the last sample [s]
	bool field_valid; // false: the heading is not corrected
	bool heading_unreliable; // as the magnetometer says
} ds_ahrs_signals;

// The reading.
typedef struct ds_ahrs
{
	double roll, pitch, yaw; // of the mount, from true north [rad]
	double magnetic_heading; // yaw from magnetic north [rad]
	double declination; // that was added [rad]
	double attitude[4]; // mount to north, east, down: w, x, y, z
	double covariance[9]; // of a small rotation about north, east and down, row major [rad2]: by white noise
	bool valid; // false: nothing tells down or north, and the rest is 0
	bool heading_unreliable; // the level field is below 2000 nT, or the magnetometer saturated
} ds_ahrs;

// The tables of config and reading.
DS_API const ds_table *ds_ahrs_config_table( void );
DS_API const ds_table *ds_ahrs_table( void );

// Elements without errors, no filter, declination by the world's model.
DS_API ds_ahrs_config ds_ahrs_config_default( void );

// Checks a config and prepares it. DS_ERROR_RANGE, _NOT_FINITE name the field.
DS_API ds_status ds_ahrs_prepare( const ds_ahrs_config *config, ds_ahrs_model *model );

// Starts a run, with the stream DS_RANDOM_RESET.
DS_API void ds_ahrs_reset( const ds_ahrs_model *model, ds_ahrs_state *state, const ds_random *stream );

// What the elements of its own measure, with the stream of the sample.
DS_API void ds_ahrs_sense( const ds_ahrs_model *model, ds_ahrs_state *state, const ds_ahrs_truth *truth,
	const ds_random *stream, ds_ahrs_signals *signals );

// One sample from signals; `declination` [rad] is added to the magnetic heading.
DS_API void ds_ahrs_update( const ds_ahrs_model *model, ds_ahrs_state *state, const ds_ahrs_signals *signals,
	double declination, ds_ahrs *reading );

// Attitude from a specific force and a magnetic field in mount axes, to magnetic north, east and down. False if they do not tell it.
DS_API bool ds_ahrs_attitude( ds_vec3 specific_force, ds_vec3 field, ds_quat *attitude );

#ifdef __cplusplus
}
#endif

#endif

// libdeepsim: the sensor "gnss": a satellite receiver whose antenna is the mount. WGS-84 position and velocity over the ground, north-
// east-down; no fix under water. A plain model, which runs with or without a world.
//
// A fix comes when the antenna has seen the sky without a break for `cold_start` seconds (the first in a run), `reacquisition`
// seconds (later), or `warm_start` seconds after more than `ephemeris_life` under water. Position errors are a Gauss-Markov process
// an axis, which goes on under water (what the atmosphere and the orbits do), white noise, and outliers if asked for.

#ifndef DEEPSIM_GNSS_H
#define DEEPSIM_GNSS_H

#include "deepsim/field.h"
#include "deepsim/random.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct ds_gnss_config
{
	double horizontal_noise, vertical_noise; // standard deviation of white noise an axis [m]
	double horizontal_sigma, vertical_sigma; // of Gauss-Markov processes an axis [m]; started stationary
	double horizontal_tau, vertical_tau; // their correlation times [s]; 300
	double horizontal_velocity_noise, vertical_velocity_noise; // [m/s]
	double outlier_rate; // probability that a fix is an outlier
	double outlier_sigma; // standard deviation of the jump it makes, each horizontal axis [m]
	double mask_depth; // water over the antenna that takes the signal away [m]; 0.03
	double cold_start, warm_start, reacquisition; // [s]; 0
	double ephemeris_life; // [s]; 14400
	double undulation; // height of mean sea level above the ellipsoid there [m]
	int64_t satellites; // that a fix is said to use
} ds_gnss_config;

// Kinds of fix.
#define DS_GNSS_NO_FIX 0
#define DS_GNSS_3D     3

// The reading. Without a fix all is 0 but `age`.
typedef struct ds_gnss
{
	bool valid; // there is a fix
	int64_t fix; // DS_GNSS_NO_FIX, DS_GNSS_3D
	int64_t satellites;
	double latitude, longitude; // WGS-84 [rad]; longitude in (-pi, pi]
	double height; // above the ellipsoid [m]
	double altitude; // above mean sea level [m]
	double velocity[3]; // north, east, down [m/s]
	double position_variance[3]; // north, east, down, outliers left out [m2]
	double velocity_variance[3]; // [(m/s)2]
	double age; // of the last fix [s]; -1: there was none
} ds_gnss;

// Where the antenna is.
typedef struct ds_gnss_truth
{
	ds_geodetic place;
	ds_vec3 velocity; // north, east, down [m/s]
	bool masked; // more than mask_depth under water
	double time; // now; samples go forward in time [s]
} ds_gnss_truth;

// All that changes: plain bytes, which may be copied.
typedef struct ds_gnss_state
{
	double markov[3]; // north, east, down [m]
	double seen_since; // [s]
	double fixed_last; // [s]
	double last; // time of the last sample [s]
	bool seen, fixed_once;
} ds_gnss_state;

// The tables of config and reading. The functions below take a config to be right: ds_table_check_value( ds_gnss_config_table(), &config )
// says whether one that was made in C is.
DS_API const ds_table *ds_gnss_config_table( void );
DS_API const ds_table *ds_gnss_table( void );

// A perfect receiver. With the values of one of its table's presets: DS_ERROR_NOT_FOUND names the nearest.
DS_API ds_gnss_config ds_gnss_config_default( void );
DS_API ds_status ds_gnss_config_preset( const char *name, ds_gnss_config *config );

// Starts a run at a time [s]: `stream` is that of DS_RANDOM_RESET.
DS_API void ds_gnss_reset( const ds_gnss_config *config, double time, const ds_random *stream, ds_gnss_state *state );

// One sample: `stream` is that of the sample. Truth that is not finite or beyond 1e30 gives no fix, and changes no state. The antenna counts as seeing the sky from the first sample that does.
DS_API void ds_gnss_measure( const ds_gnss_config *config, const ds_gnss_truth *truth, const ds_random *stream,
	ds_gnss_state *state, ds_gnss *reading );

#ifdef __cplusplus
}
#endif

#endif

// libdeepsim: acoustic positioning, the sensors "usbl" and "lbl": where a vehicle is, by the travel time and the direction of sound. Plain
// models, which run with or without a world.
//
// Sound is bent by the change of its speed with depth: Snell's law, cos( grazing angle ) / c is the same all along a ray. Between the levels
// of a profile the speed is linear, and rays are arcs of circles: Jensen, Kuperman, Porter, Schmidt, "Computational ocean acoustics",
// 2nd ed. (2011), section 3.3.

#ifndef DEEPSIM_ACOUSTIC_H
#define DEEPSIM_ACOUSTIC_H

#include "deepsim/field.h"
#include "deepsim/random.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

// ---- the way of sound --------------------------------------------------------------------------------------------

// Speed of sound at rising depths; held below the last and above the first.
typedef struct ds_sound_profile
{
	const double *z; // [m]
	const double *speed; // [m/s]
	int32_t count; // at least 1
} ds_sound_profile;

typedef struct ds_sound_path
{
	double time; // from one end to the other [s]
	double distance; // straight [m]
	double straight_time; // of a straight ray through the same water: never less than `time` of a bent one [s]
	ds_vec3 straight; // from a to b; unit, world axes
	ds_vec3 direction; // in which the ray leaves a, or comes back to it; unit, world axes
	bool
		bent; // false: no ray joins the ends without turning over (they are almost level), and the straight one is given
} ds_sound_path;

// The direct ray between two points of the world. Errors: NOT_FINITE; RANGE (speeds that are not positive, depths that do not rise).
DS_API ds_status ds_sound_path_find( const ds_sound_profile *profile, ds_vec3 a, ds_vec3 b, ds_sound_path *path );

// ---- usbl: a transceiver that hears whence ---------------------------------------------------------------------------

// The direction that it hears is that of the ray where it is, whatever speed of sound it takes: that of an array that measures in three
// dimensions, or knows the speed at itself. The transceiver's frame: x, y across, z along the axis of its cone; forward-right-down when it looks down from a ship.
typedef struct ds_usbl_config
{
	double position[3]; // of the transceiver, world [m]
	double rpy[3]; // its attitude, which the instrument knows [rad]
	double alignment[3]; // rotation vector by which it is mounted askew, which the instrument does not know [rad]
	double
		sound_speed; // that the instrument takes for granted [m/s]; 0: it knows the profile, and corrects range and angles
	double range_noise; // standard deviation [m]
	double angle_noise; // about each of two axes across the ray [rad]
	double outlier_rate; // share of ranges that are outliers
	double outlier; // standard deviation of those [m]
	double dropout; // share of replies that are lost
	double maximum; // what is farther is not heard [m]
	double cone; // full width of what is heard [rad]
	double delay; // from the reply's arrival to the fix [s]
	bool
		telemetry; // the fix is sent down to the vehicle: another travel time later. false: it is had at the transceiver
} ds_usbl_config;

typedef struct ds_usbl
{
	bool valid; // a fix arrived since the last reading; false: the rest is 0
	double time; // of validity: when the vehicle replied [s]
	double age; // of the fix [s]
	double travel_time; // there and back, as measured [s]
	double range; // [m]
	double bearing; // about z of the transceiver, from x to y [rad]
	double depression; // towards its z, from its x-y plane [rad]
	double position[3]; // of the sensor's mount, world [m]
	double covariance[9]; // of the position, row major, by the noises of range and angles [m2]
} ds_usbl;

// ---- lbl: beacons ----------------------------------------------------------------------------------------------------

#define DS_LBL_MAX_BEACONS 8

typedef struct ds_lbl_beacon
{
	double position[3]; // world [m]
} ds_lbl_beacon;

typedef struct ds_lbl_config
{
	ds_array beacons; // of ds_lbl_beacon, 3 to DS_LBL_MAX_BEACONS
	double survey
		[3]; // standard deviations of where the beacons are believed to be: north, east, down, drawn once a run [m]
	double sound_speed; // as of ds_usbl_config
	double range_noise;
	double outlier_rate, outlier;
	double dropout;
	double maximum;
	double depth_noise; // of a depth that the solution takes too [m]; 0: it takes none
	double
		gate; // a range is left out of the solution while it is farther off than this many standard deviations; 0: none is
	double delay;
} ds_lbl_config;

typedef struct ds_lbl
{
	bool valid; // a position arrived since the last reading; false: the rest is 0, but for ranges that arrived
	double time, age; // as of ds_usbl
	int64_t count; // ranges that the position is from
	bool heard[DS_LBL_MAX_BEACONS];
	double ranges[DS_LBL_MAX_BEACONS]; // to the beacons in their order; 0: not heard [m]
	double position[3]; // of the sensor's mount, world [m]
	double covariance[9]; // row major [m2]
	double residual; // root mean square of the ranges' [m]
} ds_lbl;

// The tables of configs and readings. The functions below take a config to be right: ds_table_check_value(
// ds_usbl_config_table(), &config ) says whether one that was made in C is.
DS_API const ds_table *ds_usbl_config_table( void );
DS_API const ds_table *ds_usbl_table( void );
DS_API const ds_table *ds_lbl_config_table( void );
DS_API const ds_table *ds_lbl_table( void );

// What a scenario's defaults are; of lbl without the beacons, which it needs.
DS_API ds_usbl_config ds_usbl_config_default( void );
DS_API ds_lbl_config ds_lbl_config_default( void );

// What is true of one reply.
typedef struct ds_acoustic_truth
{
	ds_sound_path path; // from the transceiver or beacon to the vehicle
	bool clear; // nothing stands between them, and both are in the water
} ds_acoustic_truth;

// A fix from a reply at `time` [s]: noise from `stream`, slots 0 to 3 of normal numbers, 0 and 1 of uniform ones. `valid` false: none. `age` is
// how long after `time` it is had.
DS_API void ds_usbl_measure(
	const ds_usbl_config *config, const ds_acoustic_truth *truth, double time, const ds_random *stream, ds_usbl *fix );

// The same with beacons: `truth` one each, `depth` of the mount [m], `believed` where the beacons are thought to be. Slots 0 to 16 of normal numbers, 0 to 15 of uniform ones.
DS_API void ds_lbl_measure( const ds_lbl_config *config, const ds_vec3 *believed, const ds_acoustic_truth *truth,
	double time, double depth, const ds_random *stream, ds_lbl *fix );

// Position from ranges, by weighted least squares (Gauss-Newton, damped). With three beacons in a plane, of two solutions the one above it.
typedef struct ds_lbl_ranges
{
	const ds_vec3 *beacons;
	const double *ranges;
	const bool *used;
	int32_t count; // of all three
	double range_sigma; // [m], above 0
	double depth, depth_sigma; // of the vehicle [m]; a sigma of 0: not known
} ds_lbl_ranges;

// False: fewer than three ranges, or no position fits (beacons on a line).
DS_API bool ds_lbl_solve( const ds_lbl_ranges *ranges, ds_vec3 *position, double covariance[9], double *residual );

#ifdef __cplusplus
}
#endif

#endif

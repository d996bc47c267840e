// libdeepsim: the sensor "dvl": a Doppler velocity log. Four acoustic beams measure how fast the transducer moves along each of
// them against what they meet, and the velocity is their least-squares solution. A plain model, which runs with or without a
// world: feed it what the beams meet, get the reading.
//
// Frame: the mount's; as a rule x forward, y right, z down, the way the beams look. A beam's velocity is positive towards what
// it meets. Bottom track: v - u, the velocity of the transducer (v + w x r of the mount) less that of what is hit, mount axes.
// Water track: v - v_water, the velocity of the transducer relative to the water, mount axes: subtract it from a velocity over
// ground to get the current. (Some simulators report the opposite sign.)
//
// Source paper: "Beyond Shallow-Water Photorealism", eqs. 7 to 11.

#ifndef DEEPSIM_DVL_H
#define DEEPSIM_DVL_H

#include "deepsim/field.h"
#include "deepsim/random.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define DS_BEAMS 4

typedef enum ds_beams_kind
{
	DS_BEAMS_JANUS, // all at `angle` from z, at azimuths about it
	DS_BEAMS_VECTORS // any directions
} ds_beams_kind;

// Where the beams look, mount axes.
typedef struct ds_beams
{
	int32_t kind; // ds_beams_kind
	double angle; // Janus: between each beam and z [rad]; 30 degrees
	double azimuth[DS_BEAMS]; // Janus: from x towards y [rad]; 45, 135, 225, 315 degrees
	double direction[3 * DS_BEAMS]; // vectors: x, y, z of each beam, of any length but 0
} ds_beams;

typedef enum ds_array_kind
{
	DS_ARRAY_PISTON, // a transducer a beam: its direction is fixed, and velocities scale with the speed of sound at the transducer
	DS_ARRAY_PHASED // one flat array: the sine of the beams' angle grows with the speed of sound; velocities across the axis are exact
} ds_array_kind;

typedef enum ds_dvl_track
{
	DS_DVL_BOTTOM, // of the bottom alone
	DS_DVL_WATER, // of the water alone
	DS_DVL_BOTH // of both in every ping
} ds_dvl_track;

typedef enum ds_dvl_walk
{
	DS_DVL_WALK_ROOT, // b += walk sqrt(dt) n: the same at every rate
	DS_DVL_WALK_PRINTED // b += walk dt n: eq. 9 as printed; its variance grows with the interval
} ds_dvl_walk;

typedef enum ds_dvl_water
{
	DS_DVL_WATER_LAYER, // each beam meets the water of the layer where it passes through it
	DS_DVL_WATER_PRINTED // eq. 8 as printed: one water velocity, that at the transducer
} ds_dvl_water;

typedef struct ds_dvl_config
{
	ds_beams beams;
	int32_t array; // ds_array_kind
	double array_sound_speed; // phased: at which the beams look as `beams` says [m/s]
	int32_t track; // ds_dvl_track
	double minimum_altitude, maximum_altitude; // along the array's axis: what is nearer or farther gives no return [m]

	double noise; // standard deviation of white noise of a beam's velocity, bottom track [m/s]
	double noise_proportional; // more of it, over the size of the beam's velocity; independent of `noise`
	double bias[3]; // constant, mount axes [m/s]
	double bias_walk[3]; // random walk of the bias, mount axes [m/s/sqrt(s)], or as `walk` says
	int32_t walk; // ds_dvl_walk
	double scale; // error of the scale of velocities: 0.002 reads 0.2 % too fast
	double outlier_probability; // of a beam and a ping
	double outlier_size; // standard deviation of what an outlier adds to the beam's velocity [m/s]
	double dropout; // probability that a beam hears nothing, besides range and incidence
	double range_fade; // share of the greatest range over which returns get lost: all at the greatest
	double incidence_limit; // between the beam and the surface's normal, from which nothing returns [rad]
	double incidence_fade; // width of the angles below it over which returns get lost [rad]
	double error_limit; // a four-beam solution with a greater error velocity is refused [m/s]; 0: none is
	double resolution; // of a beam's velocity [m/s]; 0: exact
	double range_noise; // standard deviation of white noise of a beam's range [m]
	double range_resolution; // [m]; 0: exact

	double sound_speed; // that the instrument takes for granted [m/s]; 0: the water's own at the transducer

	double layer_near, layer_far; // water track: layer, along the array's axis [m]
	double layer_minimum; // least thickness of the layer; where the bottom leaves less there is no water track [m]
	int32_t water; // ds_dvl_water
	double water_noise; // standard deviation of white noise of a beam's velocity, water track [m/s]

	bool adaptive; // the next ping waits until the last one has come back
	double overhead; // time a ping takes besides the way of the sound [s]
} ds_dvl_config;

// The tables of config and reading.
DS_API const ds_table *ds_dvl_config_table( void );
DS_API const ds_table *ds_dvl_table( void );

// A config without errors. With the values of one of its table's presets: DS_ERROR_NOT_FOUND names the nearest.
DS_API ds_dvl_config ds_dvl_config_default( void );
DS_API ds_status ds_dvl_config_preset( const char *name, ds_dvl_config *config );

typedef enum ds_dvl_mode
{
	DS_DVL_NONE, // no velocity in this reading
	DS_DVL_MODE_BOTTOM, // velocity is valid, whatever the water track says
	DS_DVL_MODE_WATER // water_velocity alone is valid
} ds_dvl_mode;

// The reading. What is not valid is 0: no number is ever carried over from an earlier ping.
typedef struct ds_dvl
{
	bool
		fresh; // a ping was made for this sample; false (adaptive rate, the last ping is still under way): all else is 0
	int32_t mode; // ds_dvl_mode: the best reference of this ping

	bool bottom_valid; // three beams or more, and no greater error velocity than permitted
	int64_t n_good; // beams that heard the bottom
	double velocity[3]; // v - u: of the transducer over what is hit, mount axes [m/s]
	double covariance
		[9]; // of velocity, row major, from the beams' white noise and resolution; not of bias, scale, outliers [(m/s)2]
	double
		error_velocity; // what four beams disagree by, scaled to the deviation of a velocity across the axis [m/s]; 0 with three
	double
		figure_of_merit; // expected length of the error of `velocity` [m/s]: sqrt(trace of covariance), raised where four beams disagree

	bool altitude_valid;
	double
		altitude; // world vertical from the transducer to the plane through the beams' footprints; with one or two beams the mean of their heights [m]

	bool beam_valid[DS_BEAMS];
	double beam_velocity[DS_BEAMS]; // along the beam, positive towards the bottom [m/s]
	double beam_range[DS_BEAMS]; // along the beam [m]
	double beam_quality[DS_BEAMS]; // chance that such a return is heard, 0 to 1

	bool water_valid;
	int64_t n_water; // beams that heard the layer
	double water_velocity[3]; // v - v_water, mount axes [m/s]
	double water_covariance[9]; // [(m/s)2]
	double water_error_velocity; // [m/s]
	bool water_beam_valid[DS_BEAMS];
	double water_beam_velocity[DS_BEAMS]; // [m/s]

	double sound_speed; // that the instrument reckoned with [m/s]
	double ping_time; // from the ping to the last echo waited for, with overhead [s]
} ds_dvl;

// What the beams meet.
typedef struct ds_dvl_truth
{
	double time; // [s]
	double interval; // since the last sample [s]; 0 at the first one
	bool wet; // the transducer is in the water
	ds_quat attitude; // mount to world, for the altitude: the instrument's own tilt sensors are taken to be exact
	ds_vec3 velocity; // of the transducer, mount axes [m/s]
	double sound_speed; // at the transducer [m/s]; 0: as the instrument takes for granted
	double mean_sound_speed; // from the transducer to the bottom [m/s]; 0: sound_speed
	double range[DS_BEAMS]; // along ds_dvl_beams() of sound_speed [m]; negative: nothing met
	double cosine[DS_BEAMS]; // of the angle of incidence: 1 is a beam along the surface's normal
	ds_vec3 surface_velocity[DS_BEAMS]; // of what is met, mount axes [m/s]
	bool water_present[DS_BEAMS]; // there is water all over the layer of ds_dvl_layer()
	ds_vec3 water_velocity[DS_BEAMS]; // its mean along the beam in that layer, mount axes [m/s]
} ds_dvl_truth;

// Prepared: fixed. Plain data, made by ds_dvl_prepare().
typedef struct ds_dvl_model
{
	ds_dvl_config config;
	ds_vec3 direction[DS_BEAMS]; // unit
	ds_vec3 axis; // of the array: mean direction of the beams
	double cosine[DS_BEAMS]; // of the angle between beam and axis
	double incidence_limit_cosine, incidence_full_cosine;
} ds_dvl_model;

// All that changes. Plain data.
typedef struct ds_dvl_state
{
	double walk[3]; // random part of the bias [m/s]
	double busy_until; // adaptive rate: when the ping under way has come back [s]
} ds_dvl_state;

// Checks every number (DS_ERROR_RANGE, DS_ERROR_NOT_FINITE name the field) and the beams: none farther than 85 degrees from their
// mean, not all in one plane.
DS_API ds_status ds_dvl_prepare( const ds_dvl_config *config, ds_dvl_model *model );

// Starts a run.
DS_API void ds_dvl_reset( ds_dvl_state *state );

// The beams' unit directions, mount axes, in water of a speed of sound [m/s] at the transducer (0: as configured).
DS_API void ds_dvl_beams( const ds_dvl_model *model, double sound_speed, ds_vec3 beams[DS_BEAMS] );

// How far along the beams a ray must reach to meet all that matters [m].
DS_API double ds_dvl_reach( const ds_dvl_model *model );

// Whether a ping is made at a time, or the last one is still under way.
DS_API bool ds_dvl_due( const ds_dvl_model *model, const ds_dvl_state *state, double time );

// The layer of the water track, given what the beams meet (ds_dvl_truth.range), along each beam [m]. It ends at 80 % of the shortest
// distance to the bottom. False: there is no room for it, or the water is not tracked.
DS_API bool ds_dvl_layer(
	const ds_dvl_model *model, const double range[DS_BEAMS], double nearest[DS_BEAMS], double farthest[DS_BEAMS] );

// One sample. `stream` is that of the sample (DS_RANDOM_SAMPLE).
DS_API void ds_dvl_measure( const ds_dvl_model *model, ds_dvl_state *state, const ds_dvl_truth *truth,
	const ds_random *stream, ds_dvl *reading );

#ifdef __cplusplus
}
#endif

#endif

// libdeepsim: the sensor "altimeter": an echo sounder. It looks along the z axis of its mount, and reports the nearest return in its
// beam: of the seabed or of another body.

#ifndef DEEPSIM_ALTIMETER_H
#define DEEPSIM_ALTIMETER_H

#include "deepsim/field.h"
#include "deepsim/random.h"

#ifdef __cplusplus
extern "C"
{
#endif

// The reading.
typedef struct ds_altimeter
{
	bool valid; // false: no return within range, or the mount is in the air; range is then 0
	double range; // along the beam [m]
	double variance; // of noise and of the resolution, outliers left out [m2]; 0 where not valid
} ds_altimeter;

typedef struct ds_altimeter_config
{
	double minimum, maximum; // range: what is nearer or farther gives no return [m]
	double beam; // full width of the cone [rad]; 0: a single ray
	int64_t rays; // in the cone: one along its axis, the others on rings about it
	double noise; // standard deviation of white noise per reading [m]
	double resolution; // of the output; 0: exact [m]
	double sound_speed; // that the instrument takes for granted [m/s]; 0: the water's own at the mount
	double noise_ratio; // more white noise: standard deviation over range
	double bias; // constant [m]
	double incidence; // from the normal, beyond which a surface sends no echo back [rad]; pi/2: any does
	double dropout_rate; // probability that a return is missed
	double outlier_rate; // probability that a reading is an outlier: any range between minimum and maximum, as likely
} ds_altimeter_config;

// What is there: the nearest return.
typedef struct ds_altimeter_truth
{
	double distance; // [m]; negative: none
	double sound_speed; // of the water [m/s]; 0: none
} ds_altimeter_truth;

// The tables of config and reading. The functions below take a config to be right: ds_table_check_value( ds_altimeter_config_table(), &config )
// says whether one that was made in C is.
DS_API const ds_table *ds_altimeter_config_table( void );
DS_API const ds_table *ds_altimeter_table( void );

// A perfect sounder of 0.3 to 100 m.
DS_API ds_altimeter_config ds_altimeter_config_default( void );

// One sample: `stream` is that of the sample (DS_RANDOM_SAMPLE). Sound speed, bias, noise, then the range, the resolution last.
DS_API void ds_altimeter_measure( const ds_altimeter_config *config, const ds_altimeter_truth *truth,
	const ds_random *stream, ds_altimeter *reading );

#ifdef __cplusplus
}
#endif

#endif

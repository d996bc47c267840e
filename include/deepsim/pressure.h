// libdeepsim: the sensor "pressure": the pressure of the water (or of the air above it) at its mount, with the errors of a
// real gauge. A plain model, which runs with or without a world: feed it what a perfect gauge would read.
//
//     p = (1 + scale + span_temperature (T - Tref)) p_true + bias + turn-on + random walk + ageing t + Gauss-Markov
//         + offset_temperature (T - Tref) + hysteresis + white noise, then the range, the resolution last
//
// T is the sensor's own temperature, which follows its surroundings with a time constant.
//
// Hysteresis is of the Prandtl-Ishlinskii kind (Brokate and Sprekels, Hysteresis and Phase Transitions, 1996): eight play
// operators of equal weight, whose half widths are spread evenly over half of the full scale, less their mean slope, so that
// readings at both ends of a full cycle are true. The reading is low as pressure rises and high as it falls; `hysteresis` is
// the distance of the two branches at half scale in a cycle over the full scale, as datasheets give it. A cycle over a part A
// of it makes a loop of (A / full_scale)^2 of that width, closes, and leaves no trace in the larger loop. A run starts as
// after a full cycle that came back to the pressure there is: at the surface, without error.

#ifndef DEEPSIM_PRESSURE_H
#define DEEPSIM_PRESSURE_H

#include "deepsim/field.h"
#include "deepsim/random.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_pressure_reference
{
	DS_PRESSURE_ABSOLUTE, // above vacuum
	DS_PRESSURE_GAUGE // above the pressure at the surface
} ds_pressure_reference;

// The reading.
typedef struct ds_pressure
{
	double pressure; // [Pa]; gauge or absolute as the config says
	double variance; // of white noise and of the resolution [Pa2]
	double bias_variance; // of what stays: turn-on bias, random walk so far, Gauss-Markov process [Pa2]
	double temperature; // of the sensor [degC]
	bool valid; // false: beyond the range, and clipped to it
} ds_pressure;

typedef struct ds_pressure_config
{
	int32_t reference; // ds_pressure_reference
	double noise; // standard deviation of white noise per sample [Pa]
	double minimum, maximum; // range: readings are clipped to it [Pa]
	double resolution; // of the output; 0: exact [Pa]
	double noise_density; // more white noise, of means over the time since the last sample [Pa/sqrt(Hz)]
	double bias; // constant [Pa]
	double turn_on; // standard deviation of a bias drawn once a run [Pa]
	double walk; // random walk [Pa/sqrt(s)]
	double ageing; // steady drift since the start of the run [Pa/s]; 1 kPa a year is 3.17e-5
	double markov_sigma,
		markov_tau; // Gauss-Markov process: standard deviation [Pa], correlation time [s]; started stationary
	double scale; // error of the span: 0.0001 is 100 ppm of the reading
	double full_scale; // of the gauge [Pa], for hysteresis; 6e7
	double hysteresis; // fraction of the full scale
	double offset_temperature; // [Pa/K]
	double span_temperature; // [1/K]
	double reference_temperature; // [degC]; 20
	double thermal_tau; // time constant of the sensor's temperature [s]; 0: that of the water at once
	double air_temperature; // of the surroundings out of the water, which the world does not know [degC]; 15
} ds_pressure_config;

// What a perfect gauge at the mount would read.
typedef struct ds_pressure_truth
{
	double pressure; // absolute or gauge, as the config's reference says [Pa]
	double temperature; // of the surroundings [degC]
	double time; // now; samples go forward in time [s]
	double
		period; // between samples: noise_density goes by it at the first one, which is the mean of nothing [s]; 0: no such noise then
} ds_pressure_truth;

#define DS_PRESSURE_PLAYS 8

// All that changes: plain bytes, which may be copied.
typedef struct ds_pressure_state
{
	double turn_on, walk, markov; // [Pa]
	double play[DS_PRESSURE_PLAYS]; // outputs of the play operators [Pa]
	double temperature, outside; // of the sensor, and of its surroundings at the last sample [degC]
	double start, last; // times of the reset and of the last sample [s]
} ds_pressure_state;

// The tables of config and reading. The functions below take a config to be right: ds_table_check_value( ds_pressure_config_table(), &config )
// says whether one that was made in C is.
DS_API const ds_table *ds_pressure_config_table( void );
DS_API const ds_table *ds_pressure_table( void );

// A perfect gauge. With the values of one of its table's presets: DS_ERROR_NOT_FOUND names the nearest.
DS_API ds_pressure_config ds_pressure_config_default( void );
DS_API ds_status ds_pressure_config_preset( const char *name, ds_pressure_config *config );

// Starts a run at a pressure and a temperature: `stream` is that of DS_RANDOM_RESET.
DS_API void ds_pressure_reset( const ds_pressure_config *config, const ds_pressure_truth *truth,
	const ds_random *stream, ds_pressure_state *state );

// One sample: `stream` is that of the sample (DS_RANDOM_SAMPLE). Truth that is not finite or beyond 1e30 gives a reading that is not
// valid and has no numbers, and changes no state.
DS_API void ds_pressure_measure( const ds_pressure_config *config, const ds_pressure_truth *truth,
	const ds_random *stream, ds_pressure_state *state, ds_pressure *reading );

#ifdef __cplusplus
}
#endif

#endif

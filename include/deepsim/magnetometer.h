// libdeepsim: the sensor "magnetometer": three axes in the field of a world and of the vehicle it is mounted on. A plain model, which
// runs with or without a world: feed it the field, get readings.
//
// Axes are the mount's (forward, right, down), fields in tesla. With R from the mount's axes to the world's, as design and physics have it,
//
//     reading = M (I + scale) ( S R^T B + vehicle dipoles + hard iron ) + turn-on bias + bias walk + Gauss-Markov + white noise,
//
// clipped to the range, then rounded to the resolution. B is the Earth's field and that of magnets and cables of the world. Source
// paper: "Beyond Shallow-Water Photorealism", eqs. 12 and 13. It prints B = S ( B_earth + B_HI ) in world axes, with noise and range there
// and the rotation last: the order "printed". Then soft iron does not turn with the vehicle.

#ifndef DEEPSIM_MAGNETOMETER_H
#define DEEPSIM_MAGNETOMETER_H

#include "deepsim/field.h"
#include "deepsim/magnetic.h"
#include "deepsim/random.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

// A magnet, or a motor, of the vehicle, in body axes.
typedef struct ds_magnetometer_dipole
{
	ds_magnetic_dipole dipole; // in the body frame
	char input[64]; // moments are per unit of a reading of this input; "": they are constant
	char reading[32]; // the field of that reading: "power"
} ds_magnetometer_dipole;

#define DS_MAGNETOMETER_MAX_DIPOLES 16

typedef enum ds_magnetometer_order
{
	DS_MAGNETOMETER_BODY, // soft iron and noise turn with the vehicle
	DS_MAGNETOMETER_PRINTED // (13) as printed: they stay with the world's axes
} ds_magnetometer_order;

// Start from ds_magnetometer_config_default(): a sensor without errors.
typedef struct ds_magnetometer_config
{
	// white noise, two-sided density as IEEE 952 has it [T/sqrt(Hz)]: a sample's standard deviation is N sqrt(rate); a one-sided
	// density is sqrt(2) N
	double N[3];
	double K[3]; // bias walk [T/s/sqrt(Hz)]: it grows by K sqrt(t)
	double markov_sigma[3],
		markov_tau[3]; // Gauss-Markov process: standard deviation [T], correlation time [s]; started stationary
	double turn_on[3]; // standard deviation of a bias drawn once a run [T]
	double hard_iron[3]; // field of what is magnetised for good [T]
	double soft_iron[9]; // S, row major: what the vehicle's iron makes of the field
	double scale[3]; // error of the scale factor
	double misalignment[9]; // M, row major
	double range; // readings are clipped to +- this [T]; 0: none
	double resolution; // least step of a reading [T]; 0: none
	int32_t order; // ds_magnetometer_order
	ds_array dipoles; // of ds_magnetometer_dipole, at most DS_MAGNETOMETER_MAX_DIPOLES
} ds_magnetometer_config;

// All that changes: plain bytes.
typedef struct ds_magnetometer_state
{
	double turn_on[3], walk[3], markov[3]; // [T]
} ds_magnetometer_state;

// What is true at a sample.
typedef struct ds_magnetometer_truth
{
	ds_vec3 field; // at the mount, of the Earth, magnets and cables, world axes [T]
	ds_vec3 vehicle; // of the vehicle's dipoles at the mount, mount axes [T] (ds_magnetometer_vehicle_field)
	ds_quat attitude; // mount to world
	double interval; // since the last sample [s]; 0: the first one
	double period; // between samples, which white noise goes by [s]; 0: no white noise
} ds_magnetometer_truth;

// The reading.
typedef struct ds_magnetometer
{
	double field[3]; // mount axes [T]
	double variance[3]; // of white noise and quantisation [T2]
	bool valid; // false: saturated, or there was no such truth: the numbers are not finite then
	bool saturated; // some axis is at the end of its range
	bool heading_unreliable; // the level part of the true field is below 2000 nT, the WMM's blackout zone
} ds_magnetometer;

// The tables of config and reading.
DS_API const ds_table *ds_magnetometer_config_table( void );
DS_API const ds_table *ds_magnetometer_table( void );

// A sensor without errors.
DS_API ds_magnetometer_config ds_magnetometer_config_default( void );

// Every number lies in its range (DS_ERROR_RANGE, _NOT_FINITE name the field).
DS_API ds_status ds_magnetometer_check( const ds_magnetometer_config *config );

// The field of the vehicle's dipoles at a mount (its pose in the body frame), mount axes [T]. `factors`: what each dipole's moment is
// multiplied by; NULL: 1.
DS_API ds_vec3 ds_magnetometer_vehicle_field(
	const ds_magnetometer_config *config, ds_pose mount, const double *factors );

// Starts a run: turn-on bias and Gauss-Markov processes are drawn from `stream` (DS_RANDOM_RESET).
DS_API void ds_magnetometer_reset(
	const ds_magnetometer_config *config, ds_magnetometer_state *state, const ds_random *stream );

// One sample, with the stream of the sample (DS_RANDOM_SAMPLE). Truth that is not finite or beyond 1e30 gives a reading that is not valid,
// and changes no state.
DS_API void ds_magnetometer_measure( const ds_magnetometer_config *config, ds_magnetometer_state *state,
	const ds_magnetometer_truth *truth, const ds_random *stream, ds_magnetometer *reading );

#ifdef __cplusplus
}
#endif

#endif

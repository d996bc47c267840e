// libdeepsim: the sensor "imu": three gyroscopes and three accelerometers with the errors of real ones. A plain model, which
// runs with or without a world: feed it what a perfect unit would integrate, get what this one reports.
//
// Frames: the mount's, forward-right-down. At rest and level an accelerometer triad reads (0, 0, -9.81) m/s2: specific force,
// gravity not included. Terms and letters: IEEE Std 952 and 1554, whose spectra are two-sided: white noise N is the Allan deviation at
// 1 s, and a sample's standard deviation is N sqrt(rate). Densities are per square root hertz, so that no parameter depends on the
// rate. Source paper: "Beyond Shallow-Water Photorealism", eqs. 1 to 5.
//
// A sample is the mean over the time since the last one. Its random errors are exact means of continuous processes: the Allan
// deviation of what comes out is that of the IEEE formulas at every rate and every averaging time.

#ifndef DEEPSIM_IMU_H
#define DEEPSIM_IMU_H

#include "deepsim/field.h"
#include "deepsim/random.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

// Errors of a triad. U is rad/s for gyroscopes, m/s2 for accelerometers; x, y, z of the mount.
typedef struct ds_inertial_config
{
	double N[3]; // white noise: angle or velocity random walk [U/sqrt(Hz)]
	double B[3]; // bias instability, as IEEE 952 defines it: the flat of the Allan deviation is 0.664 B [U]
	double K[3]; // rate random walk [U/s/sqrt(Hz)]: Allan deviation K at 3 s
	double markov_sigma[3],
		markov_tau[3]; // Gauss-Markov process: standard deviation [U], correlation time [s]; started stationary
	double bias[3]; // constant [U]
	double turn_on[3]; // standard deviation of a bias drawn once a run [U]
	double scale[3]; // S of (1): error of the scale factor, 0.001 is 1000 ppm
	double misalignment[9]; // M of (1), row major: identity is none
	double temperature_coefficient[3]; // (4) [U/K]
	double g_sensitivity[9]; // gyroscopes: rate per specific force, row major [rad/s/(m/s2)]; accelerometers: 0
	double bandwidth; // two-pole Butterworth low-pass at this [Hz]; 0: none
	double range; // readings are clipped to +- this [U]; 0: none
	double resolution; // least step of a reading [U], or of an increment [U s]; 0: none
} ds_inertial_config;

// A line of vibration: both triads swing sinusoidally in the mount frame, in phase, from a phase drawn once a run.
typedef struct ds_imu_vibration
{
	// one of the two is above 0
	double frequency; // [Hz]
	double order; // times the speed that the line follows [rev/s]: 3 for the blades of a three-bladed propeller
	// amplitudes; of a line with `order` at 10 rev/s, growing with speed squared, as the force of an imbalance does
	double rotation[3]; // of the angular rate [rad/s]
	double acceleration[3]; // [m/s2]
} ds_imu_vibration;

#define DS_IMU_MAX_VIBRATIONS 8

typedef enum ds_imu_output
{
	DS_IMU_RATES, // quantised as angular rate and acceleration
	DS_IMU_INCREMENTS // quantised as delta angle and delta velocity; the remainder is carried to the next sample
} ds_imu_output;

typedef struct ds_imu_config
{
	ds_inertial_config gyro, accel;
	double reference_temperature; // T_ref of (4) [degC]; 25
	double self_heating; // how much warmer than the water the unit becomes [K]; 0
	double heating_tau; // time constant of its temperature [s]; 600
	ds_array vibration; // of ds_imu_vibration, at most DS_IMU_MAX_VIBRATIONS
	// In a world, lines with `order` follow the input "vibration": its field "speed", if its unit is rev/s; a thruster's
	// by its thrust T as propeller_speed sqrt( |T| ), since T = K_T rho D^4 n^2 of a propeller that stands still in the water.
	double propeller_speed; // [rev/s] at 1 N; 1
	int32_t output; // ds_imu_output
	double stamp_jitter; // standard deviation of the device's time stamps [s]; 0
} ds_imu_config;

// The tables of config and reading.
DS_API const ds_table *ds_imu_config_table( void );
DS_API const ds_table *ds_imu_table( void );

// A config without errors. With the values of one of its table's presets: DS_ERROR_NOT_FOUND names the nearest.
DS_API ds_imu_config ds_imu_config_default( void );
DS_API ds_status ds_imu_config_preset( const char *name, ds_imu_config *config );

// The reading. Mean rate and specific force over `interval`, and their integrals.
typedef struct ds_imu
{
	bool valid; // false: there was no such truth (ds_imu_measure); the numbers are not finite
	bool saturated; // some axis is at the end of its range
	double angular_velocity[3]; // [rad/s]
	double linear_acceleration[3]; // specific force [m/s2]
	double delta_angle[3]; // [rad]
	double delta_velocity[3]; // [m/s]
	// Of white noise, N^2 / interval (what the low-pass leaves of it), and of quantisation: r^2 / 12 of rates, of increments
	// with carried remainder r^2 / 6 / interval^2.
	double angular_velocity_variance[3]; // [(rad/s)2]
	double linear_acceleration_variance[3]; // [(m/s2)2]
	double interval; // [s]
	double stamp; // time stamp by the device: valid time and jitter [s]
	double temperature; // of the unit [degC]
} ds_imu;

// What a perfect unit at the mount would see.
typedef struct ds_imu_truth
{
	ds_vec3 delta_angle; // rotation vector in the interval against inertial space, mount axes [rad]
	ds_vec3 delta_velocity; // integral of specific force in the turning mount axes [m/s]
	double interval; // [s]
	double time; // end of the interval [s]
	double temperature; // of the surroundings [degC]
	double speed; // of what vibration lines follow [rev/s]
} ds_imu_truth;

// Prepared coefficients: fixed. Opaque; made once, shared by threads.
typedef struct ds_imu_model ds_imu_model;

// Checks every number of the config (DS_ERROR_RANGE, _NOT_FINITE name the field). `allocator` may be NULL.
DS_API ds_status ds_imu_create( const ds_allocator *allocator, const ds_imu_config *config, ds_imu_model **model );
DS_API void ds_imu_destroy( ds_imu_model *model );

// All that changes: plain bytes, which may be copied. `ds_imu_state_size()` bytes, aligned as a double.
DS_API size_t ds_imu_state_size( void );

// Starts a run: processes stationary, turn-on biases drawn from `stream` (DS_RANDOM_RESET), the unit at `temperature` [degC].
DS_API void ds_imu_reset( const ds_imu_model *model, void *state, const ds_random *stream, double temperature );

// One sample, in this order:
//   u = M (I + S) true + g-sensitivity true specific force + bias + turn-on + k_T (T - T_ref) + K, B, Markov + vibration + white,
//   low-pass, range, quantisation.
// All of u are means over the interval. `stream` is that of the sample (DS_RANDOM_SAMPLE); each term and axis has slots of its own
// in it. An interval of 0 (the first sample of a run) reports zeros as increments, and rates as they are at the instant, from `rate`
// and `force`, without white noise, whose value at an instant has no bound. Truth that is not finite or beyond
// 1e30, or an interval below 0 or between 0 and 1e-12 s, gives a reading that is not valid, and changes no state.
DS_API void ds_imu_measure( const ds_imu_model *model, void *state, const ds_imu_truth *truth, ds_vec3 rate,
	ds_vec3 force, const ds_random *stream, ds_imu *reading );

// ---- units of datasheets -----------------------------------------------------------------------------------------

// A quantity of a datasheet, read from text such as "0.66 deg/sqrt(h)", "23 ug/rtHz", "<= 8 deg/hr (typ)", "+-300 deg/s" or
// "16.4 LSB/(deg/s)". Units are read by their dimensions, in any combination and spelling (UTF-8). DS_ERROR_FORMAT says what could not
// be understood: text without one number and a unit, and units that no error of this model has.
//
// A unit does not say all. A rate is the range if it is above 1 deg/s (an acceleration above g / 2), else the turn-on bias if it has
// both signs ("+-"), a bias if it is negative, and B. An angle in arcsec or urad is the resolution of increments, one in deg or mrad a
// misalignment. Noise is N as it stands: random walks are N, and so are densities by the convention of Kalibr, PX4 and RotorS; that
// of a one-sided spectrum, by which rms noise is density times sqrt(bandwidth), is sqrt(2) N. B is that of IEEE 952: a bias instability
// that was read at the lowest point of an Allan deviation is 0.664 B. g is 9.80665 m/s2.
typedef struct ds_imu_quantity
{
	double value; // SI: rad/s/sqrt(Hz), m/s2/sqrt(Hz), rad/s, ...
	const char *unit; // its SI unit
	const char *term; // config field it belongs to: "N", "B", "K", "scale", "range", ...
	bool gyro, accel; // triads it may belong to
} ds_imu_quantity;

DS_API ds_status ds_imu_parse( const char *text, ds_imu_quantity *quantity );

// A value in another unit of its kind: ( 1.92e-4, "rad/s/sqrt(Hz)", "deg/sqrt(h)" ) gives 0.66. The first unit may be a datasheet's too.
// DS_ERROR_FORMAT for a unit of another kind.
DS_API ds_status ds_imu_convert( double value, const char *si_unit, const char *unit, double *converted );

#ifdef __cplusplus
}
#endif

#endif

// libdeepsim: Allan analysis of what sensors say at rest. Deviations of rate data (angular rate, acceleration, fractional
// frequency), their confidence, the curve that a noise model should give, and the model that a curve comes from.
//
// NIST SP 1065 (Riley 2008) for the estimators, IEEE Std 952 for the terms. Data are in any unit U, sampled every 1 / rate seconds.

#ifndef DEEPSIM_ALLAN_H
#define DEEPSIM_ALLAN_H

#include "deepsim/base.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_allan_kind
{
	DS_ALLAN_ADEV, // Allan deviation, adjacent clusters [U]
	DS_ALLAN_OADEV, // overlapping Allan deviation [U]
	DS_ALLAN_MDEV, // modified Allan deviation [U]
	DS_ALLAN_HDEV, // Hadamard deviation, adjacent clusters [U]
	DS_ALLAN_OHDEV, // overlapping Hadamard deviation [U]
	DS_ALLAN_TDEV, // time deviation: tau MDEV / sqrt(3) [U s]
	DS_ALLAN_KIND_COUNT
} ds_allan_kind;

// A point of a curve.
typedef struct ds_allan_point
{
	int64_t m; // samples of a cluster
	double tau; // m / rate [s]
	double deviation;
	int64_t count; // of differences that were averaged
	double freedom; // equivalent degrees of freedom, for the noise that prevails at tau; 0: not known
	double low, high; // confidence interval of the deviation
	int32_t
		noise; // power of f of the prevailing noise of the rate data: 2, 1, 0 (white), -1 (flicker), -2 (random walk)
} ds_allan_point;

// Averaging times: `per_decade` values of m from 1 to `longest` samples, evenly in the logarithm, each once. Returns how many (at
// most `size`); with NULL, how many there would be.
DS_API int64_t ds_allan_taus( int64_t longest, int32_t per_decade, int64_t *m, int64_t size );

// Deviations of `count` samples of rate at the averaging times `m` (rising), into `points` (`m_count` of them). `confidence` of the
// intervals, 0.95 for example; 0: none are made. Errors: RANGE (an m that leaves no difference), NOT_FINITE (the sample named), MEMORY.
DS_API ds_status ds_allan_deviation( ds_allan_kind kind, const double *data, int64_t count, double rate,
	const int64_t *m, int64_t m_count, double confidence, ds_allan_point *points );

// The same from phase data (the integral of rate) [U s].
DS_API ds_status ds_allan_deviation_phase( ds_allan_kind kind, const double *phase, int64_t count, double rate,
	const int64_t *m, int64_t m_count, double confidence, ds_allan_point *points );

// ---- streams: more data than fit into memory ---------------------------------------------------------------------

// Takes samples piece by piece, for every kind of deviation of several channels at once. Longer averaging times are kept from
// cluster means, so that memory does not grow with the data but for the logarithm of their number.
typedef struct ds_allan_stream ds_allan_stream;

typedef struct ds_allan_stream_def
{
	uint32_t struct_size;
	int32_t channels; // 1
	double rate; // [Hz]
	int32_t per_decade; // averaging times a decade; 20
	int64_t memory; // most samples kept of a channel and octave group; 2^20
	const ds_allocator *allocator; // NULL: malloc
} ds_allan_stream_def;

DS_API ds_allan_stream_def ds_allan_stream_def_default( void );
DS_API ds_status ds_allan_stream_create( const ds_allan_stream_def *def, ds_allan_stream **stream );
DS_API void ds_allan_stream_destroy( ds_allan_stream *stream );

// `count` samples of all channels, channel by channel in each sample.
DS_API ds_status ds_allan_stream_push( ds_allan_stream *stream, const double *samples, int64_t count );

// The curve of a channel so far. Returns the number of points in `*count`; `size` is the room of `points`.
DS_API ds_status ds_allan_stream_curve( const ds_allan_stream *stream, int32_t channel, ds_allan_kind kind,
	double confidence, ds_allan_point *points, int64_t size, int64_t *count );

// ---- models ------------------------------------------------------------------------------------------------------

// Random errors of a channel, as ds_inertial_config has them: IEEE Std 952.
typedef struct ds_allan_model
{
	double Q; // quantisation [U s]: 3 Q^2 / tau^2
	double N; // white noise [U/sqrt(Hz)]: N^2 / tau
	double B; // bias instability [U]: (2 ln 2 / pi) B^2 where it is flat
	double K; // rate random walk [U/s/sqrt(Hz)]: K^2 tau / 3
	double markov_sigma, markov_tau; // Gauss-Markov [U], [s]
	double bandwidth; // two-pole Butterworth low-pass that all but Q passes [Hz]; 0: none
} ds_allan_model;

// The deviation that the model gives at averaging time tau = m / rate, without limit of length. B is the sum of Gauss-Markov
// processes that the IMU model simulates (one a decade).
DS_API double ds_allan_theory( const ds_allan_model *model, ds_allan_kind kind, double rate, int64_t m );

// Confidence interval of an estimate from `count` samples of a process of this model: from the exact second moments of the
// estimator. DS_ERROR_RANGE if m leaves no difference.
DS_API ds_status ds_allan_theory_interval( const ds_allan_model *model, ds_allan_kind kind, double rate, int64_t m,
	int64_t count, double confidence, double *low, double *high );

// A fitted coefficient.
typedef struct ds_allan_term
{
	bool present; // asked for, and not zero
	bool identifiable; // false: it lies below the other terms at every averaging time up to a tenth of the record
	double value; // as in ds_allan_model
	double error; // standard error
	double low, high; // 95 % confidence interval; if not identifiable, `high` is an upper bound and `low` is 0
} ds_allan_term;

typedef struct ds_allan_fit
{
	ds_allan_term Q, N, B, K, markov_sigma, markov_tau;
	ds_allan_model model; // the terms that are identifiable
	double minimum, minimum_tau; // of the measured curve
	bool
		falling; // the curve still falls at its end: bias instability was not reached, and `minimum` is an upper bound of 0.664 B
	double misfit; // chi squared over its degrees of freedom
} ds_allan_fit;

typedef struct ds_allan_fit_options
{
	bool Q, N, B, K, markov; // terms to fit; all but Q and markov by default
	double bandwidth; // known [Hz]; 0: none
	double tau_minimum, tau_maximum; // of the points used [s]; 0: all up to a tenth of the record
	double confidence; // 0.95
} ds_allan_fit_options;

DS_API ds_allan_fit_options ds_allan_fit_options_default( void );

// Fits the model to overlapping Allan deviations of `length` samples at `rate` (points from ds_allan_deviation or a stream, kind
// DS_ALLAN_OADEV; `length` 0: a published curve without lengths, points weighed alike in the logarithm).
DS_API ds_status ds_allan_fit_curve( const ds_allan_point *points, int64_t count, double rate, int64_t length,
	const ds_allan_fit_options *options, ds_allan_fit *fit );

#ifdef __cplusplus
}
#endif

#endif

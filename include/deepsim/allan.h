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
	// power of f in the spectrum of the prevailing noise of the rate data: 2, 1, 0 (white), -1 (flicker), -2 (random walk), for
	// Hadamard to -4; where fewer than 30 clusters are left, that of the last m before
	int32_t noise;
} ds_allan_point;

// Averaging times: `per_decade` values of m from 1 to `longest` samples, evenly in the logarithm, each once. Returns how many (at
// most `size`); with NULL, how many there would be. None for `per_decade` outside 1 to 1000.
DS_API int64_t ds_allan_taus( int64_t longest, int32_t per_decade, int64_t *m, int64_t size );

// Deviations of `count` samples of rate at the averaging times `m` (rising), into `points` (`m_count` of them). `confidence` of the
// intervals, 0.95 for example; 0: none are made, and freedom, interval and noise are 0.
// Intervals are those of chi squared, with equivalent degrees of freedom by Greenhall and Riley (2003) for the noise that the lag-1
// autocorrelation of the clusters shows (Riley and Greenhall 2004): SP 1065, sections 5.3 to 5.5. Noise behind a low-pass follows no
// power law at averaging times below 1 / bandwidth: there these intervals are too narrow; ds_allan_theory_interval knows the filter.
// Errors: RANGE (an m that leaves no difference, a rate outside 1e-12 to 1e15 Hz, a sample beyond +-1e100), NOT_FINITE (the sample named), MEMORY.
DS_API ds_status ds_allan_deviation( ds_allan_kind kind, const double *data, int64_t count, double rate,
	const int64_t *m, int64_t m_count, double confidence, ds_allan_point *points );

// The same from phase data (the integral of rate) [U s]. Freedom is that of phase as an instrument reads it, a mean over the sample
// interval, as published; for rate data phase is the exact integral. They differ for small m only: for white noise at m = 1, 0.78 and
// 0.67 of the number of differences.
DS_API ds_status ds_allan_deviation_phase( ds_allan_kind kind, const double *phase, int64_t count, double rate,
	const int64_t *m, int64_t m_count, double confidence, ds_allan_point *points );

// ---- streams: more data than fit into memory ---------------------------------------------------------------------

// Takes samples piece by piece, for several kinds of deviation of several channels at once, in memory that grows with the logarithm
// of their number only. The sums do not depend on the sizes of the pieces.
//
// Exact: every m up to a quarter of `memory`, from the same differences as ds_allan_deviation. Thinned: above that, phase is kept at
// every 2nd, 4th, 8th ... sample, as few of them as keep a cluster at least `memory` / 8 kept samples long. m is rounded down to a
// multiple of that stride, and differences start at its multiples, not at every sample; each of them is exact (means of phase, for MDEV
// and TDEV, are of all samples). With the default, a start is left out only next to one less than m / 8192 away, which
// changes a deviation by less than a hundredth of its own confidence interval.
typedef struct ds_allan_stream ds_allan_stream;

typedef struct ds_allan_stream_def
{
	uint32_t struct_size;
	int32_t channels; // 1
	double rate; // [Hz]; 1
	int32_t per_decade; // averaging times a decade; 20
	uint32_t kinds; // what can be asked for: bits 1 << ds_allan_kind; all
	int64_t memory; // samples kept of a channel at each stride, 64 to 2^26; 2^16
	const ds_allocator *allocator; // NULL: malloc; it must outlive the stream
} ds_allan_stream_def;

DS_API ds_allan_stream_def ds_allan_stream_def_default( void );
DS_API ds_status ds_allan_stream_create( const ds_allan_stream_def *def, ds_allan_stream **stream );
DS_API void ds_allan_stream_destroy( ds_allan_stream *stream );

// `count` samples of all channels, channel by channel in each sample. NOT_FINITE names sample and channel, and takes none of the piece.
// After MEMORY the stream can only be destroyed.
DS_API ds_status ds_allan_stream_push( ds_allan_stream *stream, const double *samples, int64_t count );

// Samples of a channel that were pushed so far.
DS_API int64_t ds_allan_stream_count( const ds_allan_stream *stream );

// The curve of a channel so far: all averaging times that leave a difference, shortest first. `*count` becomes their number; with
// `points` NULL that is all. RANGE if `size`, the room of `points`, is less; ARGUMENT for a kind that was not asked for.
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
// processes that the IMU model simulates (one a decade). NAN for a kind, a rate or an m that cannot be, and for a bandwidth above 0 and
// below a two-hundredth of the rate.
DS_API double ds_allan_theory( const ds_allan_model *model, ds_allan_kind kind, double rate, int64_t m );

// Where an estimate from `count` samples of a process of this model falls with this probability: from the exact second moments of
// the estimator, as chi squared. DS_ERROR_RANGE if m leaves no difference.
DS_API ds_status ds_allan_theory_interval( const ds_allan_model *model, ds_allan_kind kind, double rate, int64_t m,
	int64_t count, double confidence, double *low, double *high );

// A fitted coefficient.
typedef struct ds_allan_term
{
	bool present; // asked for, and not zero
	// false: some other term lies above it at every averaging time used (up to a tenth of the record), or its interval reaches 0
	bool identifiable;
	double value; // as in ds_allan_model
	double error; // standard error
	// confidence interval; if not identifiable, `high` is an upper bound and `low` is 0. Where a Gauss-Markov process was asked for and
	// nothing shows it, the interval allows for one all the same.
	double low, high;
} ds_allan_term;

typedef struct ds_allan_fit
{
	ds_allan_term Q, N, B, K, markov_sigma, markov_tau;
	ds_allan_model model; // fitted with the terms that are identifiable alone; of a curve without length, with all
	double minimum, minimum_tau; // of the measured curve
	// the curve still falls at its end, steeper than tau^-1/4: bias instability was not reached, and `minimum` is an upper bound of
	// 0.664 B
	bool falling;
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
// DS_ERROR_RANGE also where no noise of these terms comes near the curve.
DS_API ds_status ds_allan_fit_curve( const ds_allan_point *points, int64_t count, double rate, int64_t length,
	const ds_allan_fit_options *options, ds_allan_fit *fit );

#ifdef __cplusplus
}
#endif

#endif

// Inside the library: the parts of Allan analysis that direct and streamed deviations share.
//
// Phase here is the running sum of the samples [U samples], so that a difference over m samples, divided by m, is one of cluster
// means [U].

#ifndef DEEPSIM_SENSORS_ALLAN_H
#define DEEPSIM_SENSORS_ALLAN_H

#include "base/base.h"
#include "deepsim/allan.h"

// What a kind averages.
typedef struct ds_allan_form
{
	int order; // of the differences of phase: 2 Allan, 3 Hadamard
	bool overlapping; // every start, not every m-th
	bool modified; // of means of m phases
	bool sampled; // phase is the exact integral of rate at its instants; false: phase as an instrument reads it
} ds_allan_form;

ds_allan_form ds_allan_form_of( ds_allan_kind kind );

// Differences of `order` 2 or 3 that `phases` of phase have at `m`, `stride` samples apart; 0 if none.
int64_t ds_allan_differences( const ds_allan_form *form, int64_t phases, int64_t m );

// Deviation of `sum` of `count` squared differences at `m`.
double ds_allan_scale( ds_allan_kind kind, double sum, int64_t count, int64_t m, double rate );

// Averaging time `index` of ds_allan_taus, before doubles are left out; INT64_MAX if it is more than that.
int64_t ds_allan_tau( int64_t index, int32_t per_decade );

// Samples may be as large as this: the squares of sums of 2^63 of them are numbers.
#define DS_ALLAN_MOST 1e100

// Rates and bandwidths [Hz].
#define DS_ALLAN_LEAST_RATE 1e-12
#define DS_ALLAN_MOST_RATE  1e15

static inline bool ds_allan_is_rate( double rate )
{
	return rate >= DS_ALLAN_LEAST_RATE && rate <= DS_ALLAN_MOST_RATE;
}

// A low-pass that reaches over more samples than 36 times this makes theory slow beyond use.
#define DS_ALLAN_LEAST_BANDWIDTH 5e-3 // of the rate

// ---- sums --------------------------------------------------------------------------------------------------------

// Sums of squared differences at the starts x[0], x[step], ... below x[n]. `add` is added to every second difference: what a
// trend gives that was taken out of the phase.
double ds_allan_second( const double *x, int64_t n, int64_t step, int64_t m, double add );
double ds_allan_third( const double *x, int64_t n, int64_t step, int64_t m );

// Running sum of the modified deviation: of m second differences from the present start on.
typedef struct ds_allan_running
{
	double high, low;
} ds_allan_running;

ds_allan_running ds_allan_running_start( const double *x, int64_t m );

// The sum of squares of (mean of m second differences + add) at n starts from x on. `more`: others follow, and `running` moves on to
// the start x[n] (which reads x[n - 1 + 3 m]).
double ds_allan_modified( const double *x, int64_t n, int64_t m, double add, ds_allan_running *running, bool more );

// Adds to a sum with the rounding kept: high + low.
static inline void ds_allan_add( double *high, double *low, double value )
{
	double sum = *high + value, back = sum - *high;
	*low += ( *high - ( sum - back ) ) + ( value - back );
	*high = sum;
}

// ---- noise -------------------------------------------------------------------------------------------------------

// Sums over cluster means that tell their lag-1 autocorrelation, and those of their first and second differences.
typedef struct ds_allan_lag
{
	int64_t count;
	double offset; // the first mean, which the others are taken from
	double last, last_difference, last_second, first_difference, first_second;
	double sum, moment; // of z and of i z
	double square[3], cross[3]; // of z, its first and its second differences
} ds_allan_lag;

void ds_allan_lag_add( ds_allan_lag *lag, double mean );

// The power of f of the noise of the rate data: 2 to -2, for differences of order 3 to -4. False if there are fewer than 30 means.
bool ds_allan_lag_noise( const ds_allan_lag *lag, int order, int *noise );

// Equivalent degrees of freedom of an estimate from `phases` of phase, differences `stride` samples apart. 0: none.
double ds_allan_freedom( const ds_allan_form *form, int noise, int64_t m, int64_t stride, int64_t phases );

// What chi squared with `freedom` degrees of freedom (> 0, not always whole) stays below with probability `p` in (0, 1).
double ds_chi_squared_quantile( double p, double freedom );

// Fills freedom and interval of a point from its deviation and noise. `confidence` in (0, 1).
void ds_allan_interval(
	const ds_allan_form *form, int64_t stride, int64_t phases, double confidence, ds_allan_point *point );

#endif

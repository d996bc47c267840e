// Second moments of the differences of which Allan deviations are made, for Gaussian noise. Inside the library.
//
// With the phase x(t) = Int y dt, an estimate of order p (2: Allan, 3: Hadamard) is a mean of squares of p-th differences of x
// over steps of m samples. Each noise term has a generalised covariance g(t) of its phase, so that the covariance of any two such
// differences is Sum a_i b_l g(t_i - t_l); powers t^0 and t^2 of g drop out of it. For two-sided densities as IEEE Std 952 has
// them (white noise N^2 at every frequency, of both signs), coefficients 1:
//   Q   g = 1 at t = 0, else 0           (independent errors of the phase samples)
//   N   g = -|t| / 2
//   K   g = |t|^3 / 12
//   GM  g = -T^2 ( e^-u + u ), u = |t| / T   (sigma 1, correlation time T)
//   B   the sum of the Gauss-Markov processes of sensors/flicker.h
// The covariance of two squares is twice the square of their covariance (Isserlis): so everything here is exact for any mixture.

#ifndef DEEPSIM_SENSORS_ALLAN_MOMENTS_H
#define DEEPSIM_SENSORS_ALLAN_MOMENTS_H

#include "deepsim/allan.h"
#include "sensors/flicker.h"

enum
{
	DS_ALLAN_Q,
	DS_ALLAN_N,
	DS_ALLAN_B,
	DS_ALLAN_K,
	DS_ALLAN_MARKOV,
	DS_ALLAN_TERMS,
	DS_ALLAN_PRODUCTS = DS_ALLAN_TERMS * DS_ALLAN_TERMS
};

// The low-pass makes g(t) to Sum rho_j g( t - j ). For the terms here that is a closed form, and where the filter reaches over the
// kink at t = 0, a remainder of its poles' powers, e^(-decay t) ( c cos wt + s sin wt ). e^-u behind the filter is S e^-u and a
// remainder: partial fractions of the product of two spectra, where S is the filter's at the pole e^-x of the process. The poles of
// both never meet, for those of the filter are complex: nothing is lost whichever is the faster.
typedef struct ds_allan_remainder
{
	double c, s;
} ds_allan_remainder;

// A Gauss-Markov process.
typedef struct ds_allan_process
{
	int32_t term;
	double x; // dt / T
	double scale; // sigma^2 T^2
	double gain, excess; // of e^-u: S, and what it exceeds 1 + width x^2 / 2 by
	ds_allan_remainder remainder; // of e^-u + u
} ds_allan_process;

// What the second moments of the terms depend on besides their coefficients.
typedef struct ds_allan_basis
{
	double dt; // [s]
	double markov_tau; // [s]
	uint32_t terms; // bit 1 << term: those that are wanted; the others read 0
	int64_t reach; // lags of the low-pass autocorrelation, whose sum is 1; 0: no low-pass
	double rho[3], recursion[2]; // its first values, and rho_k = recursion[0] rho_(k-1) + recursion[1] rho_(k-2)
	double width; // its second moment [samples^2]
	double decay, turn; // of its poles, a sample
	ds_allan_remainder white, walk;
	ds_allan_process processes[DS_FLICKER_COUNT + 1];
	int32_t count;
} ds_allan_basis;

// A kind of estimate: differences of `order` over m samples, of phases averaged over m if `averaged`, every `stride` samples.
typedef struct ds_allan_estimate
{
	int32_t order;
	bool averaged;
	int64_t m, stride;
	int64_t count; // of differences
	double norm; // deviation^2 = norm * mean of squares
} ds_allan_estimate;

ds_allan_basis ds_allan_basis_make( double dt, double bandwidth, double markov_tau, uint32_t terms );

// `length` samples of rate data; 0: as many as it takes, `count` is 0.
ds_allan_estimate ds_allan_estimate_make( ds_allan_kind kind, double dt, int64_t m, int64_t length );

// Differences of one order over m1 and over m2.
typedef struct ds_allan_pairing
{
	const ds_allan_basis *basis;
	int32_t order;
	double m1, m2;
	double apart[DS_FLICKER_COUNT + 1]; // of the processes, where the differences do not overlap: products of decays
	bool near[DS_FLICKER_COUNT + 1]; // all lags are short against T
} ds_allan_pairing;

ds_allan_pairing ds_allan_pairing_make( const ds_allan_basis *basis, int32_t order, int64_t m1, int64_t m2 );

// Covariances of a difference over m1 that starts at 0 and one over m2 that starts at k samples, by terms, coefficients 1.
// [s^2 times the square of the coefficient's unit]. Q where k is a whole number; it does not pass the low-pass.
void ds_allan_difference_covariances( const ds_allan_pairing *pairing, double k, double out[DS_ALLAN_TERMS] );

// Squares of the deviation for coefficients 1: Q^2, N^2, B^2, K^2, sigma^2 times these, summed, are the theoretical one.
void ds_allan_expect( const ds_allan_basis *basis, const ds_allan_estimate *e, double out[DS_ALLAN_TERMS] );

// Variance of the estimate of a squared deviation, for squared coefficients `theta`.
double ds_allan_variance( const ds_allan_basis *basis, const ds_allan_estimate *e, const double theta[DS_ALLAN_TERMS] );

// Covariance of two overlapping Allan variances (order 2, stride 1) is theta^T P theta: the matrix P (row major, symmetric).
void ds_allan_covariance( const ds_allan_basis *basis, const ds_allan_estimate *a, const ds_allan_estimate *b,
	double products[DS_ALLAN_PRODUCTS] );

#endif

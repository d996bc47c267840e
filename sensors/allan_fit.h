// The fit of a noise model to an Allan curve: likelihood and its maximum. Inside the library.
//
// An estimated Allan variance A is nearly chi squared about its expectation mu, so its cube root is nearly normal (Wilson and
// Hilferty 1931): r = ( (A / mu)^(1/3) - 1 + s^2 ) / s, s^2 = 2 / (9 freedom), is a standard normal variable. All r of a curve
// together have the correlation matrix R of the variances. Minus twice the logarithm of the likelihood of the curve is
//   F = r^T R^-1 r + 2/3 Sum log mu.
// R and the degrees of freedom come from the model itself, and are made anew when it has been found (iterated).
// A published curve, whose length is not known, has r = log( A / mu ) instead, all alike.

#ifndef DEEPSIM_SENSORS_ALLAN_FIT_H
#define DEEPSIM_SENSORS_ALLAN_FIT_H

#include "sensors/allan_moments.h"

enum
{
	DS_FIT_TAU = DS_ALLAN_TERMS, // logarithm of the Gauss-Markov time constant
	DS_FIT_SIZE,
	DS_FIT_POINTS = 96
};

typedef struct ds_allan_problem
{
	double dt, bandwidth; // [s], [Hz]
	int32_t points;
	bool known_length;
	bool asked[DS_FIT_SIZE];
	double tau_low, tau_high; // of the Gauss-Markov process [s]
	int64_t m[DS_FIT_POINTS];
	ds_allan_estimate estimate[DS_FIT_POINTS];
	double variance[DS_FIT_POINTS]; // measured
	double unit[DS_FIT_POINTS][DS_ALLAN_TERMS]; // expectation for coefficients 1
	double scale[DS_ALLAN_TERMS]; // of the squared coefficients: parameters are multiples of it
	double freedom[DS_FIT_POINTS];
	double root[DS_FIT_POINTS * DS_FIT_POINTS]; // Cholesky factor of R, row major
	bool correlated; // root is in use
	double products[DS_FIT_POINTS * ( DS_FIT_POINTS + 1 ) / 2][DS_ALLAN_PRODUCTS];
	double products_tau; // Gauss-Markov time constant they were made for; negative: none yet
} ds_allan_problem;

// Parameters: squared coefficients over `scale`, never negative, and the logarithm of the time constant.
typedef struct ds_allan_solution
{
	double p[DS_FIT_SIZE];
	double f; // F
	double square; // r^T R^-1 r
	double information[DS_FIT_SIZE * DS_FIT_SIZE]; // half the second derivatives of F, expected
} ds_allan_solution;

// Expectations of the terms, and scales; of the Gauss-Markov term alone for a new time constant.
void ds_allan_problem_expect( ds_allan_problem *problem, double markov_tau );
void ds_allan_problem_markov( ds_allan_problem *problem, double markov_tau );

// Degrees of freedom and correlations of the points for a model. False if the matrix is singular.
bool ds_allan_problem_weigh( ds_allan_problem *problem, const double p[DS_FIT_SIZE] );

// The least F, from the given parameters on; those that are `fixed` stay.
void ds_allan_minimise( ds_allan_problem *problem, const bool fixed[DS_FIT_SIZE], ds_allan_solution *solution );

// The whole fit: starts, looks for the time constant, weighs.
void ds_allan_solve( ds_allan_problem *problem, ds_allan_solution *solution );

// Where parameter t leaves the confidence region: F, the least over all the others, has grown by `growth`. `side` -1 or 1.
double ds_allan_profile(
	ds_allan_problem *problem, const ds_allan_solution *best, int32_t t, int32_t side, double growth );

#endif

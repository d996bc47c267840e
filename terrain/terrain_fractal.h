// Inside terrains: random surfaces by spectral synthesis, and the Fourier transform that makes them.

#ifndef DEEPSIM_TERRAIN_TERRAIN_FRACTAL_H
#define DEEPSIM_TERRAIN_TERRAIN_FRACTAL_H

#include "base/base.h"

// Transforms that run side by side, so that wide registers of any size give the same bits.
#define DS_FOURIER_LANES 8

// A plan for transforms of one length, a product of twos and threes.
typedef struct ds_fourier
{
	int32_t length;
	int32_t steps, radix[32]; // factors, in the order they are taken
	float *cosines, *sines; // of whole turns over length
	float *room; // for 2 * length * DS_FOURIER_LANES numbers
} ds_fourier;

// The least product of twos and threes that is not below `length` (at most 2^30).
int32_t ds_fourier_length( int32_t length );

ds_status ds_fourier_create( const ds_allocator *allocator, int32_t length, ds_fourier *plan );
void ds_fourier_destroy( const ds_allocator *allocator, ds_fourier *plan );

// x[m] = sum over k of X[k] exp( +2 pi i k m / length ), in place; element k of lane l is at k * DS_FOURIER_LANES + l.
void ds_fourier_run( const ds_fourier *plan, float *real, float *imaginary );

// Cosine and sine of a part of a turn, in [0, 1]: sums and products alone, the same bits on every processor.
void ds_fourier_turn( double turn, double *cosine, double *sine );

// x^exponent for normal x > 0, to 1e-9 of it; sums and products alone, as well.
double ds_fourier_power( double x, double exponent );

typedef struct ds_fractal
{
	int64_t rows, columns;
	double hurst;
	double longest; // wavelength, in samples; INFINITY: as the surface allows
	uint64_t seed;
} ds_fractal;

// Fills `z`, rows * columns, with a surface of mean 0 and standard deviation 1. Its power spectrum is k^-(2 hurst + 2), with random
// phases; it is periodic over ds_fourier_length of its rows and columns. DS_ERROR_RANGE: no wave fits.
ds_status ds_fractal_make( const ds_allocator *allocator, const ds_fractal *fractal, float *z );

#endif

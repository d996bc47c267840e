// Random surfaces by spectral synthesis: waves of every whole number of periods, whose amplitudes follow a power law and whose phases
// are random, summed by Fourier transforms of the columns, then of the rows (two rows at once: a real and an imaginary part).
// Peitgen and Saupe (eds.), "The Science of Fractal Images", Springer 1988, section 2.4: a surface of exponent H has the power
// spectrum k^-(2H + 2) in two dimensions.

#include "terrain/terrain_fractal.h"

#include "base/random.h"

#include <math.h>

#define LANES DS_FOURIER_LANES

typedef struct synthesis
{
	const ds_fractal *fractal;
	uint32_t key[2];
	int32_t period[2]; // rows, columns
	double longest_squared; // 1 / longest^2; wave numbers are in cycles a sample
	int64_t width; // columns of the half spectrum, in whole lanes
	ds_fourier along[2]; // transforms of columns (over rows), of rows (over columns)
	float *real, *imaginary; // rows x width: the half spectrum, columns transformed
	float *work[2]; // of one transform
	int64_t work_size; // of each
} synthesis;

// The wave of a number along the rows and `LANES` numbers along the columns: random phases, amplitude k^-(H + 1).
static void waves( const synthesis *s, int64_t row, int64_t column, float *real, float *imaginary )
{
	int64_t n = 2 * row < s->period[0] ? row : row - s->period[0];
	double north = (double)n / s->period[0], exponent = -0.5 * ( s->fractal->hurst + 1 );
	uint32_t words[LANES];
	for ( int k = 0; k < LANES; k += 4 )
	{
		const uint32_t counter[4] = { (uint32_t)( n & 0xFFFFFFFF ), (uint32_t)( column + k ) / 4, 0, 0 };
		ds_philox( counter, s->key, words + k );
	}
	for ( int k = 0; k < LANES; ++k )
	{
		double east = (double)( column + k ) / s->period[1], square = north * north + east * east;
		// the highest numbers have no partner to make them real, and the mean is none of a wave
		bool there =
			square > 0 && square >= s->longest_squared && 2 * row != s->period[0] && 2 * ( column + k ) < s->period[1];
		double cosine, sine, amplitude = there ? ds_fourier_power( square, exponent ) : 0;
		ds_fourier_turn( words[k] * 0x1p-32, &cosine, &sine );
		real[k] = (float)( amplitude * cosine );
		imaginary[k] = (float)( amplitude * sine );
	}
}

static void transform_columns( const synthesis *s )
{
	float *re = s->work[0], *im = s->work[1];
	for ( int64_t column = 0; column < s->width; column += LANES )
	{
		for ( int64_t row = 0; row < s->period[0]; ++row )
		{
			waves( s, row, column, re + row * LANES, im + row * LANES );
		}
		// a real surface: of waves along the rows alone, n and -n are conjugate
		for ( int64_t row = 1; column == 0 && 2 * row < s->period[0]; ++row )
		{
			re[( s->period[0] - row ) * LANES] = re[row * LANES];
			im[( s->period[0] - row ) * LANES] = -im[row * LANES];
		}
		ds_fourier_run( &s->along[0], re, im );
		for ( int64_t row = 0; row < s->fractal->rows; ++row )
		{
			for ( int k = 0; k < LANES; ++k )
			{
				s->real[row * s->width + column + k] = re[row * LANES + k];
				s->imaginary[row * s->width + column + k] = im[row * LANES + k];
			}
		}
	}
}

// Writes the spectrum of rows r and r + 1, as one of a complex row, to a lane.
static void load_rows( const synthesis *s, int64_t r, int lane )
{
	float *re = s->work[0] + lane, *im = s->work[1] + lane;
	const int64_t period = s->period[1];
	const float *ar = s->real + r * s->width, *ai = s->imaginary + r * s->width;
	const float *br = ar + s->width, *bi = ai + s->width;
	if ( r + 1 == s->fractal->rows )
	{
		br = ar;
		bi = ai;
	}
	re[0] = ar[0];
	im[0] = br[0];
	for ( int64_t c = 1; c < period; ++c )
	{
		int64_t mirror = period - c;
		bool upper = c > mirror;
		int64_t m = upper ? mirror : c;
		re[c * LANES] = upper ? ar[m] + bi[m] : ar[m] - bi[m];
		im[c * LANES] = upper ? br[m] - ai[m] : br[m] + ai[m];
	}
}

static void transform_rows( const synthesis *s, float *z )
{
	const int64_t rows = s->fractal->rows, columns = s->fractal->columns;
	for ( int64_t row = 0; row < rows; row += 2 * LANES )
	{
		for ( int lane = 0; lane < LANES && row + 2 * lane < rows; ++lane )
		{
			load_rows( s, row + 2 * lane, lane );
		}
		ds_fourier_run( &s->along[1], s->work[0], s->work[1] );
		for ( int64_t r = row; r < row + 2 * LANES && r < rows; ++r )
		{
			const float *from = s->work[( r - row ) % 2] + ( r - row ) / 2;
			for ( int64_t c = 0; c < columns; ++c )
			{
				z[r * columns + c] = from[c * LANES];
			}
		}
	}
}

// To mean 0 and standard deviation 1.
static ds_status normalise( float *z, int64_t rows, int64_t columns )
{
	double sum = 0, squares = 0, count = (double)rows * (double)columns;
	for ( int64_t k = 0; k < rows * columns; ++k )
	{
		sum += (double)z[k];
	}
	double mean = sum / count;
	for ( int64_t k = 0; k < rows * columns; ++k )
	{
		double d = (double)z[k] - mean;
		squares += d * d;
	}
	double deviation = sqrt( squares / count );
	if ( !( deviation > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"a fractal surface of %lld x %lld samples has no wave in it: take a smaller spacing or a longer longest "
			"wavelength",
			(long long)rows, (long long)columns );
	}
	for ( int64_t k = 0; k < rows * columns; ++k )
	{
		z[k] = (float)( ( (double)z[k] - mean ) / deviation );
	}
	return DS_OK;
}

static ds_status allocate( const ds_allocator *allocator, synthesis *s )
{
	DS_TRY( ds_fourier_create( allocator, s->period[0], &s->along[0] ) );
	DS_TRY( ds_fourier_create( allocator, s->period[1], &s->along[1] ) );
	DS_TRY( DS_NEW( allocator, s->fractal->rows * s->width, &s->real ) );
	DS_TRY( DS_NEW( allocator, s->fractal->rows * s->width, &s->imaginary ) );
	DS_TRY( DS_NEW( allocator, s->work_size, &s->work[0] ) );
	return DS_NEW( allocator, s->work_size, &s->work[1] );
}

ds_status ds_fractal_make( const ds_allocator *allocator, const ds_fractal *fractal, float *z )
{
	synthesis s = { .fractal = fractal };
	s.period[0] = ds_fourier_length( (int32_t)fractal->rows );
	s.period[1] = ds_fourier_length( (int32_t)fractal->columns );
	s.width = ( s.period[1] / 2 + 1 + LANES - 1 ) / LANES * LANES;
	s.work_size = (int64_t)( s.period[0] > s.period[1] ? s.period[0] : s.period[1] ) * LANES;
	s.longest_squared = ( 1 - 1e-9 ) / ( fractal->longest * fractal->longest );
	ds_random_key( fractal->seed, "terrain/fractal", s.key );
	ds_status status = allocate( allocator, &s );
	if ( status == DS_OK )
	{
		transform_columns( &s );
		transform_rows( &s, z );
		status = normalise( z, fractal->rows, fractal->columns );
	}
	ds_fourier_destroy( allocator, &s.along[0] );
	ds_fourier_destroy( allocator, &s.along[1] );
	DS_FREE( allocator, s.real, fractal->rows * s.width );
	DS_FREE( allocator, s.imaginary, fractal->rows * s.width );
	DS_FREE( allocator, s.work[0], s.work_size );
	DS_FREE( allocator, s.work[1], s.work_size );
	return status;
}

// The theory of Allan deviations: published formulas, and sums over covariance matrices of sampled data, term by term.

#include "deepsim/allan.h"
#include "deepsim/math.h"
#include "sensors/allan_moments.h"
#include "sensors/flicker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near_at( double value, double expected, double relative, int line )
{
	if ( !( fabs( value - expected ) <= relative * fabs( expected ) ) )
	{
		print_error( "line %d: %.12g is not %.12g +- %g\n", line, value, expected, relative * fabs( expected ) );
		fail();
	}
}

#define assert_near( value, expected, relative ) near_at( value, expected, relative, __LINE__ )

// IEEE Std 952-2020 annex C: terms of the Allan variance. NIST SP 1065 (Riley 2008) for the other deviations.
static void test_formulas( void **state )
{
	(void)state;
	const double rate = 100;
	const int64_t ms[] = { 1, 2, 3, 7, 20, 100, 256, 257, 1000, 20000, 1000000, 30000000 };
	for ( size_t i = 0; i < sizeof ms / sizeof *ms; ++i )
	{
		int64_t m = ms[i];
		double tau = (double)m / rate, n = (double)m;
		ds_allan_model q = { .Q = 3e-4 }, white = { .N = 2e-3 }, walk = { .K = 5e-5 };
		assert_near( ds_allan_theory( &q, DS_ALLAN_OADEV, rate, m ), sqrt( 3 ) * 3e-4 / tau, 1e-12 );
		assert_near( ds_allan_theory( &white, DS_ALLAN_OADEV, rate, m ), 2e-3 / sqrt( tau ), 1e-12 );
		assert_near( ds_allan_theory( &white, DS_ALLAN_ADEV, rate, m ), 2e-3 / sqrt( tau ), 1e-12 );
		assert_near( ds_allan_theory( &walk, DS_ALLAN_OADEV, rate, m ), 5e-5 * sqrt( tau / 3 ), 1e-12 );
		assert_near( ds_allan_theory( &walk, DS_ALLAN_HDEV, rate, m ), 5e-5 * sqrt( tau / 6 ), 1e-10 );
		assert_near( ds_allan_theory( &white, DS_ALLAN_OHDEV, rate, m ), 2e-3 / sqrt( tau ), 1e-11 );
		assert_near( ds_allan_theory( &q, DS_ALLAN_OHDEV, rate, m ), sqrt( 20.0 / 6 ) * 3e-4 / tau, 1e-12 );
		// modified: 3 Q^2 / ( m tau^2 ); white exactly (m^2 + 1) / (2 m^2); random walk 33/40 for large m
		assert_near( ds_allan_theory( &q, DS_ALLAN_MDEV, rate, m ), sqrt( 3 / n ) * 3e-4 / tau, 1e-12 );
		assert_near( ds_allan_theory( &white, DS_ALLAN_MDEV, rate, m ),
			2e-3 / sqrt( tau ) * sqrt( 0.5 * ( 1 + 1 / ( n * n ) ) ), 1e-5 );
		if ( m > 50 )
		{
			assert_near( ds_allan_theory( &walk, DS_ALLAN_MDEV, rate, m ), 5e-5 * sqrt( tau / 3 * 33 / 40 ), 1e-4 );
		}
		assert_near( ds_allan_theory( &white, DS_ALLAN_TDEV, rate, m ),
			tau / sqrt( 3 ) * ds_allan_theory( &white, DS_ALLAN_MDEV, rate, m ), 1e-14 );
	}
	ds_allan_model none = { 0 };
	assert_true( ds_allan_theory( &none, DS_ALLAN_MDEV, rate, 5 ) == 0 );
}

// IEEE Std 952-2020 annex C, Markov noise: sigma^2 = (q T)^2 / tau ( 1 - T / (2 tau) ( 3 - 4 e^(-tau/T) + e^(-2 tau/T) ) ), with
// q^2 = 2 sigma_y^2 / T; it becomes white noise q T for long tau, a random walk q for short.
static void test_markov( void **state )
{
	(void)state;
	const double rate = 200, sigma = 3e-4;
	for ( double t = 1e-6; t < 1e9; t *= 10 )
	{
		ds_allan_model model = { .markov_sigma = sigma, .markov_tau = t };
		double q = sigma * sqrt( 2 / t );
		for ( int64_t m = 1; m < 100000000; m *= 7 )
		{
			double tau = (double)m / rate, r = tau / t, value = ds_allan_theory( &model, DS_ALLAN_OADEV, rate, m );
			assert_true( isfinite( value ) && value > 0 );
			if ( r > 0.05 )
			{
				double v = q * t * q * t / tau * ( 1 - 0.5 / r * ( 3 - 4 * exp( -r ) + exp( -2 * r ) ) );
				assert_near( value, sqrt( v ), 1e-11 );
			}
			else
			{
				assert_near(
					value, q * sqrt( tau / 3 ) * sqrt( 1 - 0.75 * r + 0.35 * r * r ), 0.1 * r * r * r + 1e-11 );
			}
			if ( r > 1e6 )
			{
				assert_near( ds_allan_theory( &model, DS_ALLAN_MDEV, rate, m ),
					q * t / sqrt( tau ) * sqrt( 0.5 * ( 1 + 1.0 / (double)m / (double)m ) ), 1e-4 );
				assert_near( ds_allan_theory( &model, DS_ALLAN_OHDEV, rate, m ), q * t / sqrt( tau ), 1e-5 );
			}
			if ( r < 1e-6 )
			{
				assert_near( ds_allan_theory( &model, DS_ALLAN_OHDEV, rate, m ), q * sqrt( tau / 6 ), 1e-5 );
			}
		}
	}
}

// The flat of bias instability: sqrt( 2 ln 2 / pi ) B = 0.664 B within 3 %, from 0.1 s to 30000 s (the processes of
// sensors/flicker.h have correlation times from 0.01 s to 1e5 s); beyond, it falls off.
static void test_flat( void **state )
{
	(void)state;
	ds_allan_model model = { .B = 1 };
	double flat = sqrt( 2 * log( 2 ) / DS_PI ), least = 1e9, most = 0, first = 0, last = 0;
	for ( int64_t i = 0; i <= 400; ++i )
	{
		double tau = 1e-3 * pow( 10, (double)i / 40 ), v = ds_allan_theory( &model, DS_ALLAN_OADEV, 1 / tau, 1 ) / flat;
		if ( v > 0.97 && first == 0 )
		{
			first = tau;
		}
		if ( fabs( v - 1 ) < 0.03 )
		{
			last = tau;
		}
		if ( tau >= 0.1 && tau <= 3e4 )
		{
			least = fmin( least, v );
			most = fmax( most, v );
		}
	}
	print_message( "flat of B: %.4f to %.4f of 0.664 B over 0.1 s to 30000 s; within 3 %% from %.3g s to %.3g s\n",
		least, most, first, last );
	assert_true( least > 0.97 && most < 1.03 && first < 0.1 && last > 3e4 );
}

// ---- against covariance matrices ---------------------------------------------------------------------------------

enum
{
	SAMPLES = 120,
	BEFORE = 200 // samples that a low-pass has run
};

// Covariance of the mean of Gauss-Markov noise over two intervals dt, k apart; sigma 1.
static double markov_mean( double x, int64_t k )
{
	return k == 0 ? 2 * ( x + expm1( -x ) ) / ( x * x )
				  : pow( expm1( -x ), 2 ) / ( x * x ) * exp( -(double)( k - 1 ) * x );
}

// Covariance of samples i and j, before the low-pass.
static double sample_covariance( const ds_allan_model *a, double dt, int64_t i, int64_t j )
{
	int64_t k = llabs( i - j );
	double sum = k == 0 ? a->N * a->N / dt : 0;
	// Int Int min(s, t) over two intervals / dt^2
	sum += a->K * a->K * dt * ( k == 0 ? (double)i + 1.0 / 3 : (double)( i < j ? i : j ) + 0.5 );
	for ( int32_t p = 0; p < DS_FLICKER_COUNT; ++p )
	{
		sum += pow( a->B * DS_FLICKER_SIGMA, 2 ) * markov_mean( dt / ds_flicker_taus[p], k );
	}
	return sum + ( a->markov_tau > 0 ? pow( a->markov_sigma, 2 ) * markov_mean( dt / a->markov_tau, k ) : 0 );
}

// The covariance matrix of SAMPLES samples: a low-pass has run BEFORE samples when they start.
static double *sample_matrix( const ds_allan_model *a, double dt )
{
	int64_t n = SAMPLES + BEFORE;
	double *c = malloc( sizeof( double ) * (size_t)( n * n ) ), *out = malloc( sizeof( double ) * SAMPLES * SAMPLES );
	assert_true( c && out );
	for ( int64_t i = 0; i < n * n; ++i )
	{
		c[i] = sample_covariance( a, dt, i / n, i % n );
	}
	if ( a->bandwidth > 0 )
	{
		// y = b0 u + ... as the difference equation of the bilinear transform, on columns, then rows
		double g = tan( DS_PI * a->bandwidth * dt ), d = 1 + sqrt( 2 ) * g + g * g, b = g * g / d;
		double a1 = 2 * ( g * g - 1 ) / d, a2 = ( 1 - sqrt( 2 ) * g + g * g ) / d;
		for ( int side = 0; side < 2; ++side )
		{
			int64_t along = side ? 1 : n, across = side ? n : 1;
			for ( int64_t r = 0; r < n; ++r )
			{
				double u1 = 0, u2 = 0, y1 = 0, y2 = 0;
				for ( int64_t i = 0; i < n; ++i )
				{
					double *at = c + r * across + i * along, u = *at, y = b * ( u + 2 * u1 + u2 ) - a1 * y1 - a2 * y2;
					*at = y;
					u2 = u1;
					u1 = u;
					y2 = y1;
					y1 = y;
				}
			}
		}
	}
	for ( int64_t i = 0; i < SAMPLES; ++i )
	{
		memcpy( out + i * SAMPLES, c + ( i + BEFORE ) * n + BEFORE, sizeof( double ) * SAMPLES );
	}
	free( c );
	return out;
}

// Rows of coefficients over samples of every difference that an estimate squares [s]; returns how many.
static int64_t difference_rows( ds_allan_kind kind, double dt, int64_t m, double *rows )
{
	static const double difference[2][4] = { { 1, -2, 1, 0 }, { -1, 3, -3, 1 } };
	bool hadamard = kind == DS_ALLAN_HDEV || kind == DS_ALLAN_OHDEV;
	bool averaged = kind == DS_ALLAN_MDEV || kind == DS_ALLAN_TDEV;
	int64_t order = hadamard ? 3 : 2, stride = kind == DS_ALLAN_ADEV || kind == DS_ALLAN_HDEV ? m : 1, count = 0;
	for ( int64_t at = 0; at + order * m + ( averaged ? m - 1 : 0 ) <= SAMPLES; at += stride )
	{
		double *row = rows + count++ * SAMPLES;
		memset( row, 0, sizeof( double ) * SAMPLES );
		for ( int64_t s = 0; s < ( averaged ? m : 1 ); ++s )
		{
			for ( int64_t i = 0; i <= order; ++i )
			{
				double c = difference[hadamard][i] * dt / ( averaged ? (double)m : 1 );
				for ( int64_t j = 0; j < at + s + i * m; ++j )
				{
					row[j] += c;
				}
			}
		}
	}
	return count;
}

// R C R^T of n rows and another's.
static double *project( const double *c, const double *a, int64_t na, const double *b, int64_t nb )
{
	double *half = malloc( sizeof( double ) * (size_t)( na * SAMPLES ) );
	double *out = malloc( sizeof( double ) * (size_t)( na * nb ) );
	assert_true( half && out );
	for ( int64_t i = 0; i < na; ++i )
	{
		for ( int64_t j = 0; j < SAMPLES; ++j )
		{
			double sum = 0;
			for ( int64_t k = 0; k < SAMPLES; ++k )
			{
				sum += a[i * SAMPLES + k] * c[k * SAMPLES + j];
			}
			half[i * SAMPLES + j] = sum;
		}
		for ( int64_t j = 0; j < nb; ++j )
		{
			double sum = 0;
			for ( int64_t k = 0; k < SAMPLES; ++k )
			{
				sum += half[i * SAMPLES + k] * b[j * SAMPLES + k];
			}
			out[i * nb + j] = sum;
		}
	}
	free( half );
	return out;
}

static const ds_allan_model mixtures[] = {
	{ .N = 1 },
	{ .K = 1 },
	{ .B = 1 },
	{ .markov_sigma = 1, .markov_tau = 0.11 },
	{ .N = 0.1, .B = 1, .K = 0.8, .markov_sigma = 2, .markov_tau = 0.5 },
	{ .N = 1, .bandwidth = 12 },
	// processes faster and slower than the low-pass, and as fast
	{ .B = 1, .bandwidth = 14 },
	{ .markov_sigma = 1, .markov_tau = 0.004, .bandwidth = 9 },
	{ .markov_sigma = 1, .markov_tau = 0.02, .bandwidth = 9 },
	{ .N = 0.1, .B = 1, .K = 0.8, .markov_sigma = 2, .markov_tau = 0.5, .bandwidth = 20 },
};

static ds_allan_basis basis_of( const ds_allan_model *a, double dt, double theta[DS_ALLAN_TERMS] )
{
	const double c[] = { a->Q, a->N, a->B, a->K, a->markov_sigma };
	for ( int32_t t = 0; t < DS_ALLAN_TERMS; ++t )
	{
		theta[t] = c[t] * c[t];
	}
	return ds_allan_basis_make( dt, a->bandwidth, a->markov_tau, ~0u );
}

static void test_matrices( void **state )
{
	(void)state;
	const double dt = 0.01;
	double *rows = malloc( sizeof( double ) * SAMPLES * SAMPLES ),
		   *others = malloc( sizeof( double ) * SAMPLES * SAMPLES );
	assert_true( rows && others );
	const int64_t ms[] = { 1, 2, 5, 13, 24, 38 };
	for ( size_t x = 0; x < sizeof mixtures / sizeof *mixtures; ++x )
	{
		const ds_allan_model *a = &mixtures[x];
		double theta[DS_ALLAN_TERMS], *c = sample_matrix( a, dt );
		ds_allan_basis basis = basis_of( a, dt, theta );
		for ( size_t i = 0; i < sizeof ms / sizeof *ms; ++i )
		{
			for ( int32_t number = 0; number < DS_ALLAN_KIND_COUNT; ++number )
			{
				const ds_allan_kind kind = (ds_allan_kind)number;
				int64_t n = difference_rows( kind, dt, ms[i], rows );
				ds_allan_estimate e = ds_allan_estimate_make( kind, dt, ms[i], SAMPLES );
				assert_int_equal( e.count, n );
				double *d = project( c, rows, n, rows, n ), mean = 0, variance = 0;
				for ( int64_t j = 0; j < n * n; ++j )
				{
					mean += j % ( n + 1 ) == 0 ? d[j] * e.norm / (double)n : 0;
					variance += 2 * d[j] * d[j] * pow( e.norm / (double)n, 2 );
				}
				free( d );
				assert_near( ds_allan_theory( a, kind, 1 / dt, ms[i] ), sqrt( mean ), 1e-8 );
				assert_near( ds_allan_variance( &basis, &e, theta ), variance, 5e-3 );
			}
		}
		// covariances between averaging times
		for ( size_t i = 0; i < 6; ++i )
		{
			int64_t n = difference_rows( DS_ALLAN_OADEV, dt, ms[i], rows );
			ds_allan_estimate e = ds_allan_estimate_make( DS_ALLAN_OADEV, dt, ms[i], SAMPLES );
			for ( size_t j = 0; j < 6; ++j )
			{
				int64_t k = difference_rows( DS_ALLAN_OADEV, dt, ms[j], others );
				ds_allan_estimate f = ds_allan_estimate_make( DS_ALLAN_OADEV, dt, ms[j], SAMPLES );
				double *d = project( c, rows, n, others, k ), sum = 0, products[DS_ALLAN_PRODUCTS], value = 0;
				for ( int64_t l = 0; l < n * k; ++l )
				{
					sum += 2 * d[l] * d[l] * e.norm * f.norm / (double)( n * k );
				}
				free( d );
				ds_allan_covariance( &basis, &e, &f, products );
				for ( int32_t s = 0; s < DS_ALLAN_PRODUCTS; ++s )
				{
					value += theta[s / DS_ALLAN_TERMS] * theta[s % DS_ALLAN_TERMS] * products[s];
				}
				assert_near( value, sum, 0.03 ); // integrals stand for sums of few lags here
			}
		}
		free( c );
	}
	free( rows );
	free( others );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_formulas ),
		cmocka_unit_test( test_markov ),
		cmocka_unit_test( test_flat ),
		cmocka_unit_test( test_matrices ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

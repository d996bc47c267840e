// Phase functions: normalisation by a quadrature of this file's own, published moments and table values.

#include "world_kit.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static ds_phase_config phase_of( int32_t kind )
{
	return ( ds_phase_config ){ kind, 0.924, 1.1, 3.5835 };
}

typedef double at_fn( const ds_phase_config *phase, double angle );

static double water_at( const ds_phase_config *phase, double angle )
{
	(void)phase;
	return ds_phase_water_at( angle );
}

// Moments over the sphere by the midpoint rule on a grid that is even in the logarithm of the angle, and a disc in the middle: neither
// nodes nor rule are those of the library.
static void integrate( at_fn *at, const ds_phase_config *phase, double *total, double *backward, double *cosine )
{
	const int count = 400001;
	const double first = 1e-7, ratio = log( DS_PI / first );
	double p = at( phase, 0 );
	*total = *cosine = p * DS_PI * first * first;
	*backward = 0;
	for ( int i = 0; i < count; ++i )
	{
		double low = first * exp( ratio * i / count ), high = first * exp( ratio * ( i + 1 ) / count );
		double angle = 0.5 * ( low + high );
		double share = at( phase, angle ) * 4 * DS_PI * sin( angle ) * sin( 0.5 * ( high - low ) );
		*total += share;
		*cosine += share * cos( angle );
		*backward += angle > 0.5 * DS_PI ? share : 0;
	}
}

static void test_normalised( void **state )
{
	(void)state;
	double total, backward, cosine;
	for ( int32_t kind = 0; kind < DS_PHASE_KIND_COUNT; ++kind )
	{
		ds_phase_config phase = phase_of( kind );
		integrate( ds_phase_at, &phase, &total, &backward, &cosine );
		NEAR( total, 1, 1e-5 );
		double b, g;
		ds_phase_moments( &phase, &b, &g );
		NEAR( b, backward, 1e-5 );
		NEAR( g, cosine, 1e-5 );
	}
	integrate( water_at, NULL, &total, &backward, &cosine );
	NEAR( total, 1, 1e-5 );
	NEAR( backward, 0.5, 1e-5 );
	NEAR( cosine, 0, 1e-5 );
	const double gs[] = { -0.99, -0.5, 0, 0.5, 0.9, 0.99 };
	for ( int i = 0; i < 6; ++i )
	{
		ds_phase_config phase = phase_of( DS_PHASE_HENYEY_GREENSTEIN );
		phase.g = gs[i];
		integrate( ds_phase_at, &phase, &total, &backward, &cosine );
		NEAR( total, 1, 1e-4 );
		NEAR( cosine, phase.g, 1e-4 );
	}
}

// Mobley, Light and Water (1994), section 3.8: backscattered share 0.0183, mean cosine 0.924; rows of table 3.10 over the integral of the
// table with its power law, 0.9929. The table alone, from 0.1 degrees on, gives 5 % less.
static void test_petzold( void **state )
{
	(void)state;
	ds_phase_config phase = phase_of( DS_PHASE_PETZOLD );
	double backward, cosine;
	ds_phase_moments( &phase, &backward, &cosine );
	NEAR( backward, 0.0183, 0.00005 );
	NEAR( cosine, 0.924, 0.0005 );
	const double rows[][2] = { { 0.1, 1767 }, { 0.126, 1296 }, { 0.501, 218.8 }, { 1, 71.61 }, { 1.259, 49.58 },
		{ 7.943, 1.819 }, { 10, 1.153 }, { 15, 0.4893 }, { 90, 0.004292 }, { 145, 0.002313 }, { 175, 0.003092 },
		{ 180, 0.003154 } };
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		NEAR( ds_phase_at( &phase, rows[i][0] * DEGREE ) * 0.99288 / rows[i][1], 1, 1e-4 );
	}
	NEAR( ds_phase_at( &phase, 0.05 * DEGREE ) / ds_phase_at( &phase, 0.1 * DEGREE ), pow( 2, 1.346 ), 1e-9 );
	// between rows: geometric mean at the geometric mean of the angles
	NEAR( ds_phase_at( &phase, sqrt( 10 * 15.0 ) * DEGREE ) * 0.99288, sqrt( 1.153 * 0.4893 ), 1e-4 );
	// every angle finds its rows: no jumps
	for ( double angle = 0.01 * DEGREE; angle < DS_PI; angle *= 1.0001 )
	{
		NEAR( log( ds_phase_at( &phase, angle * 1.0001 ) / ds_phase_at( &phase, angle ) ), 0, 4e-4 );
	}
}

// Backscattered shares: in closed form (Fournier and Jonasz 1999), and as the Ocean Optics Web Book (Mobley, "The Fournier-Forand phase
// function", table 1) gives them for pairs of n and mu.
static void test_fournier_forand( void **state )
{
	(void)state;
	const double rows[][3] = { { 1.021, 3.0742, 0.0001 }, { 1.04, 3.201, 0.001 }, { 1.08, 3.483, 0.01 },
		{ 1.175, 4.065, 0.1 }, { 1.15, 4.874, 0.4 }, { 1.1, 3.5835, 0.0183 }, { 1.01, 3.01, -1 }, { 1.35, 4.99, -1 },
		{ 1.35, 3.01, -1 }, { 1.01, 4.99, -1 } };
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		ds_phase_config phase = { DS_PHASE_FOURNIER_FORAND, 0, rows[i][0], rows[i][1] };
		double total, backward, cosine, b, g;
		integrate( ds_phase_at, &phase, &total, &backward, &cosine );
		NEAR( total, 1, 1e-4 );
		double nu = 0.5 * ( 3 - phase.mu ), d = 2 / ( 3 * ( phase.n - 1 ) * ( phase.n - 1 ) );
		double closed = 1 - ( 1 - pow( d, nu + 1 ) - 0.5 * ( 1 - pow( d, nu ) ) ) / ( ( 1 - d ) * pow( d, nu ) );
		NEAR( backward, closed, 1e-5 );
		ds_phase_moments( &phase, &b, &g );
		NEAR( b, closed, 1e-6 );
		if ( rows[i][2] > 0 )
		{
			NEAR( closed / rows[i][2], 1, 0.04 );
		}
		for ( double angle = 0; angle <= DS_PI; angle += 1e-3 )
		{
			assert_true( ds_phase_at( &phase, angle ) > 0 );
		}
	}
}

// Where delta is 1 the printed formula is 0 / 0: there, and to both sides of where the series takes over, all is smooth.
static void test_forand_is_smooth( void **state )
{
	(void)state;
	for ( double mu = 3.01; mu < 5; mu += 0.0661 )
	{
		ds_phase_config phase = { DS_PHASE_FOURNIER_FORAND, 0, 1.1, mu };
		double one = 2 * asin( sqrt( 3 * 0.1 * 0.1 / 4 ) );
		double middle = ds_phase_at( &phase, one );
		assert_true( isfinite( middle ) );
		NEAR( ds_phase_at( &phase, one * ( 1 + 1e-9 ) ) / middle, 1, 1e-8 );
		double ends[2] = { 2 * asin( sqrt( 0.9 * 3 * 0.1 * 0.1 / 4 ) ), 2 * asin( sqrt( 1.1 * 3 * 0.1 * 0.1 / 4 ) ) };
		for ( int i = 0; i < 2; ++i )
		{
			double a = ds_phase_at( &phase, ends[i] * ( 1 - 1e-12 ) ),
				   b = ds_phase_at( &phase, ends[i] * ( 1 + 1e-12 ) );
			NEAR( a / b, 1, 1e-10 );
		}
	}
}

// Petzold's particle is met by n 1.10, mu 3.5835 (Mobley 1994 and 2002): within 40 % from 1 to 170 degrees over 4.5 decades.
static void test_petzold_and_forand( void **state )
{
	(void)state;
	ds_phase_config petzold = phase_of( DS_PHASE_PETZOLD ), forand = phase_of( DS_PHASE_FOURNIER_FORAND );
	for ( double degrees = 1; degrees < 170; degrees *= 1.1 )
	{
		NEAR( log( ds_phase_at( &forand, degrees * DEGREE ) / ds_phase_at( &petzold, degrees * DEGREE ) ), 0, 0.4 );
	}
}

static void test_ends( void **state )
{
	(void)state;
	for ( int32_t kind = 0; kind < DS_PHASE_KIND_COUNT; ++kind )
	{
		ds_phase_config phase = phase_of( kind );
		assert_true( ds_phase_at( &phase, 0 ) > 0 && isfinite( ds_phase_at( &phase, 0 ) ) );
		assert_true( ds_phase_at( &phase, -1 ) == ds_phase_at( &phase, 0 ) );
		assert_true( ds_phase_at( &phase, 4 ) == ds_phase_at( &phase, DS_PI ) );
		assert_true( isnan( ds_phase_at( &phase, NAN ) ) );
	}
	NEAR( ds_phase_water_at( 0 ) / ds_phase_water_at( 0.5 * DS_PI ), 1.835, 1e-12 ); // Morel 1974
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_normalised ),
		cmocka_unit_test( test_petzold ),
		cmocka_unit_test( test_fournier_forand ),
		cmocka_unit_test( test_forand_is_smooth ),
		cmocka_unit_test( test_petzold_and_forand ),
		cmocka_unit_test( test_ends ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Small-angle scattering over an image against the theory's transfer, by quadrature of its own.

#include "light_kit.h"

#include "optics/forward_scatter.h"

#include <stdlib.h>

#define SIDE  256
#define FOCAL 300.0 // [px/rad]

static float surface[SIDE * SIDE], range[SIDE * SIDE], out[SIDE * SIDE];
static float *scratch;

static int make_scratch( void **state )
{
	(void)state;
	scratch = malloc( sizeof( float ) * (size_t)ds_forward_scratch( SIDE, SIDE ) );
	return scratch ? 0 : -1;
}

static int free_scratch( void **state )
{
	(void)state;
	free( scratch );
	return 0;
}

static void fill( float light, float way )
{
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		surface[i] = light;
		range[i] = way;
	}
}

static void scatter( double a, double b, const ds_phase_config *phase )
{
	ds_forward_scatter( (float)a, (float)b, (float)( a + b ), phase, SIDE, SIDE, FOCAL, surface, range, out, scratch );
}

// ---- the theory ----------------------------------------------------------------------------------------------------

// J0 = 1/pi integral from 0 to pi of cos( z sin t ) dt; far out by Hankel's expansion (Abramowitz and Stegun 9.2.5), to 1e-4.
static double bessel( double z )
{
	if ( z > 25 )
	{
		double p = z - 0.25 * DS_PI;
		return sqrt( 2 / ( DS_PI * z ) ) * ( cos( p ) + sin( p ) / ( 8 * z ) );
	}
	enum
	{
		PARTS = 50
	};
	double sum = 0;
	for ( int i = 0; i < PARTS; ++i )
	{
		sum += cos( z * sin( DS_PI * ( i + 0.5 ) / PARTS ) );
	}
	return sum / PARTS;
}

// Mean over the way of the phase function's transform, angles up to 90 degrees; what is turned by less than 1e-5 is not turned.
static double transform( const ds_phase_config *phase, double frequency )
{
	enum
	{
		ANGLES = 1000,
		PARTS = 32
	};
	const double step = log( 0.5 * DS_PI / 1e-5 ) / ANGLES;
	double sum = 0, forward = 0, backward, cosine;
	for ( int i = 0; i < ANGLES; ++i )
	{
		double angle = 1e-5 * exp( step * ( i + 0.5 ) ), mean = 0;
		for ( int k = 0; k < PARTS; ++k )
		{
			mean += bessel( 2 * DS_PI * frequency * ( k + 0.5 ) / PARTS * angle ) / PARTS;
		}
		double weight = 2 * DS_PI * kit_phase( phase, angle ) * sin( angle ) * angle * step;
		forward += weight;
		sum += weight * mean;
	}
	ds_phase_moments( phase, &backward, &cosine );
	return sum + ( 1 - backward - forward );
}

// ---- tests ---------------------------------------------------------------------------------------------------------

static void test_no_scattering( void **state )
{
	(void)state;
	uint64_t chance = 1;
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		surface[i] = (float)kit_uniform( &chance, 0, 1 );
		range[i] = i % 7 ? (float)kit_uniform( &chance, 0, 30 ) : INFINITY;
	}
	scatter( 0.2, 0, kit_phases );
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		double expected = isfinite( range[i] ) ? surface[i] * exp( -(double)0.2f * range[i] ) : 0;
		NEAR( out[i], expected, 1e-6 * surface[i] );
	}
}

static void test_constant_image( void **state )
{
	(void)state;
	for ( int k = 0; k < KIT_PHASES; ++k )
	{
		double backward, cosine;
		ds_phase_moments( kit_phases + k, &backward, &cosine );
		for ( double r = 0.5; r < 40; r *= 2 )
		{
			fill( 2, (float)r );
			scatter( 0.05, 0.2, kit_phases + k );
			double expected = 2 * exp( -r * ( 0.25 - 0.2 * ( 1 - backward ) ) );
			for ( int i = 0; i < SIDE * SIDE; ++i )
			{
				NEAR( out[i] / expected, 1, 2e-3 );
			}
		}
	}
}

// A point: all its light; and none that is negative. Then points everywhere at ranges by chance, some without.
static void test_light_of_points( void **state )
{
	(void)state;
	for ( int k = 0; k < KIT_PHASES; ++k )
	{
		double backward, cosine;
		ds_phase_moments( kit_phases + k, &backward, &cosine );
		for ( double r = 1; r < 40; r *= 3 )
		{
			fill( 0, (float)r );
			surface[SIDE / 2 * SIDE + SIDE / 2] = 1;
			scatter( 0.05, 0.2, kit_phases + k );
			double sum = 0;
			for ( int i = 0; i < SIDE * SIDE; ++i )
			{
				assert_true( out[i] >= 0 );
				sum += out[i];
			}
			NEAR( sum / exp( -r * ( 0.25 - 0.2 * ( 1 - backward ) ) ), 1, 0.02 );
			assert_true( sum <= exp( -r * 0.05 ) );
		}
	}
	uint64_t chance = 3;
	double most = 0, sum = 0;
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		bool bright = kit_uniform( &chance, 0, 1 ) < 0.01;
		surface[i] = bright ? 1 : 0;
		range[i] = kit_uniform( &chance, 0, 1 ) < 0.3 ? INFINITY : (float)kit_scale( &chance, 0.5, 20 );
		most += bright && isfinite( range[i] ) ? exp( -0.05 * range[i] ) : 0;
	}
	scatter( 0.05, 0.2, kit_phases );
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		assert_true( isfinite( out[i] ) && out[i] >= 0 );
		sum += out[i];
	}
	assert_true( sum <= most && sum > 0.95 * most );
}

// Modulation of a grating's image [one cosine along rows].
static double modulation( const ds_phase_config *phase, int cycles, double r )
{
	fill( 0, (float)r );
	double before = 0, after = 0;
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		surface[i] = 1 + (float)cos( 2 * DS_PI * cycles * ( i % SIDE + 0.5 ) / SIDE );
	}
	scatter( 0.05, 0.2, phase );
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		double wave = cos( 2 * DS_PI * cycles * ( i % SIDE + 0.5 ) / SIDE );
		before += wave * surface[i];
		after += wave * out[i];
	}
	return after / before;
}

// At frequencies that the image resolves, against the theory's.
static void test_transfer( void **state )
{
	(void)state;
	const int frequencies[] = { 3, 7, 21, 51, 107 };
	double worst = 0;
	for ( int k = 0; k < 3; ++k )
	{
		for ( int i = 0; i < 5; ++i )
		{
			double q = transform( kit_phases + k, FOCAL * frequencies[i] / SIDE );
			for ( double r = 2; r < 30; r *= 2.5 )
			{
				double value = modulation( kit_phases + k, frequencies[i], r ),
					   expected = exp( -0.25 * r + 0.2 * r * q );
				worst = fmax( worst, fabs( value / expected - 1 ) );
				if ( fabs( value / expected - 1 ) > 0.03 )
				{
					print_message(
						"phase %d, %d cycles, %.1f m: %.4f, not %.4f\n", k, frequencies[i], r, value, expected );
				}
			}
		}
	}
	print_message( "transfer: worst error %.4f\n", worst );
	assert_true( worst < 0.03 ); // of a sum of blurs an octave apart
}

// What has no range takes light from what is beside it.
static void test_open_water_receives( void **state )
{
	(void)state;
	fill( 1, 4 );
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		range[i] = i % SIDE < SIDE / 2 ? 4 : INFINITY;
	}
	scatter( 0.05, 0.4, kit_phases );
	const float *row = out + SIDE / 2 * SIDE;
	assert_true( row[SIDE / 2] > 0.01f && row[SIDE / 2 + 40] > 0.001f );
	assert_true( row[SIDE / 2] > row[SIDE / 2 + 10] && row[SIDE / 2 + 10] > row[SIDE / 2 + 100] );
	assert_true( row[SIDE / 2 - 1] > row[SIDE / 2] );
}

static void test_small_images( void **state )
{
	(void)state;
	for ( int w = 1; w < 20; ++w )
	{
		for ( int h = 1; h < 20; h += 3 )
		{
			fill( 1, 3 );
			ds_forward_scatter( 0.05f, 0.2f, 0.25f, kit_phases + 3, w, h, 10, surface, range, out, scratch );
			for ( int i = 0; i < w * h; ++i )
			{
				NEAR( out[i], exp( -3 * ( 0.25 - 0.2 * 0.5 ) ), 1e-3 );
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_no_scattering ),
		cmocka_unit_test( test_constant_image ),
		cmocka_unit_test( test_light_of_points ),
		cmocka_unit_test( test_transfer ),
		cmocka_unit_test( test_open_water_receives ),
		cmocka_unit_test( test_small_images ),
	};
	return cmocka_run_group_tests( tests, make_scratch, free_scratch );
}

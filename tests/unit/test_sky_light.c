// What water scatters of the sky's light: the tables over the direction, against rings of sky summed by hand.

#include "light_kit.h"

// Integral of a phase function (NULL: water's) times the sky's radiance under water, 3 / pi mu^4 going down: by rings about down, with the
// angle between both directions by the cosine rule.
static double sky_by_hand( const ds_phase_config *phase, double mu )
{
	enum
	{
		RINGS = 500,
		TURNS = 1000
	};
	double sum = 0, across = sqrt( 1 - mu * mu );
	for ( int i = 0; i < RINGS; ++i )
	{
		double from = ( i + 0.5 ) / RINGS;
		for ( int j = 0; j < TURNS; ++j )
		{
			double cosine = mu * from + across * sqrt( 1 - from * from ) * cos( DS_PI * ( j + 0.5 ) / TURNS );
			double p = phase ? kit_phase( phase, acos( fmin( fmax( cosine, -1 ), 1 ) ) ) : kit_phase_water( cosine );
			sum += p * 3 / DS_PI * from * from * from * from;
		}
	}
	return sum * 2 * DS_PI / RINGS / TURNS;
}

static void test_tables( void **state )
{
	(void)state;
	for ( int k = 0; k < KIT_PHASES; ++k )
	{
		static ds_phase_table t;
		ds_phase_table_make( kit_phases + k, &t );
		// as much is scattered as there is light: with a mean cosine of 5/6, 6/5 of the irradiance
		double scattered[2] = { 0, 0 };
		for ( int i = 0; i <= DS_PHASE_SKY; ++i )
		{
			double weight = 2 * DS_PI * 2 / DS_PHASE_SKY * ( i % DS_PHASE_SKY == 0 ? 0.5 : 1 );
			scattered[0] += weight * t.particles_sky[i];
			scattered[1] += weight * t.water_sky[i];
			if ( i % 16 == 0 )
			{
				double mu = -1 + 2.0 * i / DS_PHASE_SKY;
				NEAR( t.water_sky[i] / sky_by_hand( NULL, mu ), 1, 1e-3 );
				if ( mu < -0.2 ) // else the peak falls between the rings
				{
					NEAR( t.particles_sky[i] / sky_by_hand( kit_phases + k, mu ), 1, 0.01 );
				}
			}
		}
		NEAR( scattered[0], 1.2, 2e-3 );
		NEAR( scattered[1], 1.2, 1e-3 );
	}
}

// Water that scatters evenly: the same into any direction.
static void test_isotropic( void **state )
{
	(void)state;
	static ds_phase_table t;
	const ds_phase_config phase = { .kind = DS_PHASE_ISOTROPIC };
	ds_phase_table_make( &phase, &t );
	for ( int i = 0; i <= DS_PHASE_SKY; ++i )
	{
		NEAR( t.particles_sky[i], 1.2 / ( 4 * DS_PI ), 1e-5 );
	}
}

// Petzold's goes on as it came, near the zenith's radiance of 3 / pi, less what is scattered away; and without a step at the horizon: a
// degree makes no difference of a fifth.
static void test_petzold( void **state )
{
	(void)state;
	static ds_phase_table t;
	const ds_phase_config phase = { .kind = DS_PHASE_PETZOLD };
	ds_phase_table_make( &phase, &t );
	const double up = (double)t.particles_sky[DS_PHASE_SKY];
	assert_true( up > 0.6 && up < 3 / DS_PI );
	const int level = DS_PHASE_SKY / 2;
	NEAR( t.particles_sky[level + 1] / t.particles_sky[level], 1, 0.2 );
	NEAR( t.particles_sky[level] / t.particles_sky[level - 1], 1, 0.2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_tables ),
		cmocka_unit_test( test_isotropic ),
		cmocka_unit_test( test_petzold ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

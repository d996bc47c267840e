// Light where nobody should be able to break it: at the water's surface, in water like ink.

#include "light_kit.h"

// Wherever a face stands out of the water, the day's light on it is that at the surface: it does not grow with the height, as
// exp( kd height ) would, and stays finite in any water.
static void test_above_the_surface( void **state )
{
	(void)state;
	static ds_phase_table phase;
	ds_phase_table_make( kit_phases, &phase );
	static const float kds[] = { 0, 0.03f, 2, 100, 1e8f };
	for ( size_t w = 0; w < sizeof( kds ) / sizeof( kds[0] ); ++w )
	{
		ds_light_scene s = kit_scene( &phase );
		s.depth = 0.5f;
		for ( int k = 0; k < 3; ++k )
		{
			s.kd[k] = kds[w];
			// of 1 at the surface; a band may be dark where another is not
			s.sun[k] = k == 0 ? expf( -kds[w] * s.depth ) : 0;
			s.sky[k] = s.sun[k];
		}
		static ds_tile t;
		memset( &t, 0, sizeof( t ) );
		const double up[3] = { 0, -1, 0 };
		static const double ranges[] = { 0.25, 0.5, 1, 5, 100, 1e5 };
		for ( int i = 0; i < 6; ++i )
		{
			kit_pixel( &t, i, up, ranges[i] );
			t.normal[1][i] = -1; // seen from below, lit from above
		}
		ds_tile_light( &s, &t );
		for ( int i = 0; i < 6; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				assert_true( isfinite( t.surface[k][i] ) && t.surface[k][i] >= 0 );
				assert_true( isfinite( t.scattered[k][i] ) && t.scattered[k][i] >= 0 );
			}
			if ( i > 1 )
			{
				NEAR( t.surface[0][i], t.surface[0][1], 0 );
			}
			NEAR( t.surface[1][i], 0, 0 );
		}
		const double deeper = t.surface[0][0];
		if ( deeper > 0 )
		{
			NEAR( t.surface[0][1] / deeper, exp( 0.25 * kds[w] ), 1e-4 * exp( 0.25 * kds[w] ) );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_above_the_surface ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

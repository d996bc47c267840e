// Light that is scattered once into rays: against quadrature of the integral along the ray.

#include "light_kit.h"

static ds_tile tile;
static ds_phase_table tables[KIT_PHASES];

static int make_tables( void **state )
{
	(void)state;
	for ( int i = 0; i < KIT_PHASES; ++i )
	{
		ds_phase_table_make( kit_phases + i, tables + i );
	}
	return 0;
}

// Errors of many geometries against the integral, in the brightest band or in each.
typedef struct tally
{
	int count, beyond; // of 1 %
	double worst;
} tally;

static double length_of( const double v[3] )
{
	return sqrt( v[0] * v[0] + v[1] * v[1] + v[2] * v[2] );
}

// One ray ahead; a lamp where it is and looks as given.
static void compare( int phase, const ds_lamp *lamp, const double position[3], const double aim[3], double range,
	int steps, double turbidity, tally *out )
{
	double axis[3], ahead[3] = { 0, 0, 1 }, length = length_of( aim );
	for ( int k = 0; k < 3; ++k )
	{
		axis[k] = aim[k] / length;
	}
	ds_light_scene scene = kit_scene( tables + phase );
	scene.steps = steps;
	for ( int k = 0; k < 3; ++k )
	{
		scene.b_particles[k] *= (float)turbidity;
		scene.c[k] = scene.a[k] + scene.b_water[k] + scene.b_particles[k];
	}
	kit_add_lamp( &scene, lamp, position, axis );
	tile.count = 0;
	kit_pixel( &tile, 0, ahead, range );
	ds_tile_light( &scene, &tile );
	for ( int k = 0; k < 3; ++k )
	{
		kit_scatter s = { lamp, kit_phases + phase, { 0 }, { 0 }, { 0, 0, 1 }, scene.c[k], scene.b_particles[k],
			scene.b_water[k] };
		for ( int i = 0; i < 3; ++i )
		{
			s.position[i] = scene.lamps[0].position[i];
			s.axis[i] = scene.lamps[0].axis[i];
		}
		double expected = kit_scattered( &s, fmin( range, 400 ) ), value = tile.scattered[k][0];
		assert_true( isfinite( value ) && value >= 0 );
		if ( expected > 1e-12 )
		{
			// where the ray sees only the skirt of a beam: to 2e-5 of what the beam's middle would give
			ds_lamp even = *lamp;
			float most = 0;
			for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
			{
				most = fmaxf( most, lamp->profile[i] );
			}
			for ( int i = 0; i < DS_LAMP_PROFILE; ++i )
			{
				even.profile[i] = most;
			}
			s.lamp = &even;
			double error = fabs( value - expected ) / ( expected + 2e-3 * kit_scattered( &s, fmin( range, 400 ) ) );
			if ( error > 0.01 )
			{
				print_message( "phase %d band %d at %g %g %g along %g %g %g range %g steps %d: %g, not %g\n", phase, k,
					position[0], position[1], position[2], axis[0], axis[1], axis[2], range, steps, value, expected );
			}
			out->worst = fmax( out->worst, error );
			out->beyond += error > 0.01;
			++out->count;
		}
	}
}

// Lamps on a bar beside the camera, as vehicles carry them: 8 steps do.
static void test_lamps_beside( void **state )
{
	(void)state;
	uint64_t chance = 1;
	tally all = { 0 };
	for ( int i = 0; i < 400; ++i )
	{
		double side[3] = { kit_scale( &chance, 0.1, 3 ), kit_uniform( &chance, -0.5, 0.5 ),
			kit_uniform( &chance, -0.5, 0.5 ) };
		double aim[3] = { kit_uniform( &chance, -0.7, 0.3 ), kit_uniform( &chance, -0.3, 0.3 ), 1 };
		double width = kit_uniform( &chance, 0.15, 1.3 );
		ds_lamp lamp = i % 2 ? kit_lamp( kit_even, 0, cos( width ), 0.02 )
							 : kit_lamp( kit_power, log( 0.5 ) / log( cos( 0.5 * width ) ), 0, 0 );
		compare( i % KIT_PHASES, &lamp, side, aim, kit_scale( &chance, 0.1, 100 ), 8 + 4 * ( i % 3 ),
			kit_scale( &chance, 0.3, 10 ), &all );
	}
	print_message( "beside: %d values, worst %.2e, %d beyond 1 %%\n", all.count, all.worst, all.beyond );
	assert_true( all.count > 500 );
	assert_int_equal( all.beyond, 0 );
}

// Lamps anywhere, in view too.
static void test_lamps_anywhere( void **state )
{
	(void)state;
	uint64_t chance = 2;
	tally all = { 0 };
	for ( int i = 0; i < 800; ++i )
	{
		double away = kit_scale( &chance, 0.03, 5 ), turn = kit_uniform( &chance, 0, 2 * DS_PI ), aim[3];
		double position[3] = { away * cos( turn ), away * sin( turn ),
			kit_uniform( &chance, -1, 1 ) * kit_scale( &chance, 0.1, 20 ) };
		kit_direction( &chance, aim );
		double width = kit_uniform( &chance, 0.1, 2.9 );
		ds_lamp lamp = i % 3 == 0   ? kit_lamp( kit_even, 0, cos( width ), 0 )
					   : i % 3 == 1 ? kit_lamp( kit_even, 0, -1, 0.03 )
									: kit_lamp( kit_power, 1, 0, 0.03 );
		compare( i % KIT_PHASES, &lamp, position, aim, i % 10 ? kit_scale( &chance, 0.1, 100 ) : INFINITY, 16,
			kit_scale( &chance, 0.3, 10 ), &all );
	}
	print_message( "anywhere: %d values, worst %.2e, %d beyond 1 %%\n", all.count, all.worst, all.beyond );
	assert_true( all.count > 1000 );
	assert_int_equal( all.beyond, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_lamps_beside ),
		cmocka_unit_test( test_lamps_anywhere ),
	};
	return cmocka_run_group_tests( tests, make_tables, NULL );
}

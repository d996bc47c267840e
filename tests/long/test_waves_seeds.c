// Thousands of seas: the elevation's variance and distribution, and the mean direction of every one of them.

#include "tests/unit/hydro_shapes.h"

#include "hydro/waves.h"

static void test_variance( void **state )
{
	(void)state;
	const int seeds = 5000, samples = 200;
	double sum = 0, squares = 0, cubes = 0, fourth = 0, beyond = 0;
	for ( int k = 0; k < seeds; ++k )
	{
		ds_waves_def def = ds_waves_def_default();
		def.kind = k % 2 ? DS_WAVES_JONSWAP : DS_WAVES_PIERSON_MOSKOWITZ;
		def.height = 4;
		def.period = 7 + k % 5;
		def.seed = k;
		ds_waves *waves = NULL;
		assert_int_equal( ds_waves_create( NULL, &def, &waves ), DS_OK );
		for ( int i = 0; i < samples; ++i )
		{
			double e = ds_waves_elevation( waves, 0, 0, 97.3 * i );
			sum += e;
			squares += e * e;
			cubes += e * e * e;
			fourth += e * e * e * e;
			beyond += fabs( e ) > 3;
		}
		ds_waves_destroy( waves );
	}

	// a million samples of a normal distribution, nearly: four standard errors
	double n = (double)seeds * samples;
	print_message( "mean %.2e, variance %.5f, skewness %.2e, kurtosis %.4f, beyond 3 sigma %.2e\n", sum / n,
		squares / n, cubes / n, fourth / squares / squares * n, beyond / n );
	ASSERT_NEAR( sum / n, 0, 0.004 );
	ASSERT_NEAR( squares / n, 1, 0.006 );
	ASSERT_NEAR( cubes / n, 0, 0.02 );
	// of 128 cosines: 3 - 1.5 / 128
	ASSERT_NEAR( fourth / squares / squares * n, 3 - 1.5 / 128, 0.02 );
	// 2.70e-3 beyond 3 standard deviations, a little less for 128 cosines
	ASSERT_NEAR( beyond / n, 2.65e-3, 2.5e-4 );
}

// Directions of the energy, and of what moves the water a little below the surface, of every sea.
static void test_direction( void **state )
{
	(void)state;
	double worst = 0, worst_flow = 0;
	for ( int k = 0; k < 5000; ++k )
	{
		ds_waves_def def = ds_waves_def_default();
		def.kind = DS_WAVES_JONSWAP;
		def.height = 2;
		def.spreading = 10;
		def.direction = 0.01 * k;
		def.seed = k;
		ds_waves *waves = NULL;
		assert_int_equal( ds_waves_create( NULL, &def, &waves ), DS_OK );
		double north = 0, east = 0, flow_north = 0, flow_east = 0;
		for ( int32_t i = 0; i < ds_waves_count( waves ); ++i )
		{
			ds_wave_component c = ds_waves_component( waves, i );
			double a = c.amplitude * c.amplitude, weight = c.omega * exp( -2 * c.wavenumber );
			north += a * cos( c.direction );
			east += a * sin( c.direction );
			flow_north += weight * a * cos( c.direction );
			flow_east += weight * a * sin( c.direction );
		}
		worst = fmax( worst, fabs( remainder( atan2( east, north ) - def.direction, 2 * DS_PI ) ) );
		worst_flow = fmax( worst_flow, fabs( remainder( atan2( flow_east, flow_north ) - def.direction, 2 * DS_PI ) ) );
		ds_waves_destroy( waves );
	}
	print_message( "worst direction: energy %.2f deg, flow %.2f deg\n", worst * 180 / DS_PI, worst_flow * 180 / DS_PI );
	assert_true( worst < 2 * DS_PI / 180 );
	assert_true( worst_flow < 2 * DS_PI / 180 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_variance ),
		cmocka_unit_test( test_direction ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

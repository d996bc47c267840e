// Fig 4 of the source paper with the model itself: a DVL stands still for three hours at 10 Hz, and its velocity is added up. 2000 seeds.

#include "../unit/dvl_kit.h"

#define SEEDS   2000
#define SAMPLES 108000 // 3 h at 10 Hz

// Rms over seeds and the two horizontal axes of the drift [m/h]; the standard deviation of single velocities [m/s].
static double drift( const char *json, double *deviation )
{
	ds_dvl_model m = kit_dvl_model( json );
	ds_dvl_truth t = kit_level( &m, 10 );
	double square = 0, single = 0;
	for ( int k = 0; k < SEEDS; ++k )
	{
		ds_dvl_state run;
		ds_dvl_reset( &run );
		double sum[2] = { 0 };
		for ( int i = 0; i < SAMPLES; ++i )
		{
			ds_dvl r = kit_ping( &m, &run, &t, (uint64_t)k, (uint64_t)i );
			sum[0] += r.velocity[0];
			sum[1] += r.velocity[1];
			single += r.velocity[0] * r.velocity[0];
		}
		square += ( sum[0] * sum[0] + sum[1] * sum[1] ) / 2;
	}
	*deviation = sqrt( single / ( (double)SEEDS * SAMPLES ) );
	return sqrt( square / SEEDS ) * 0.1 / 3;
}

// 0.02 m/s across the axis is 0.02 sqrt(2) sin(30) on each beam.
static void test_white( void **state )
{
	(void)state;
	double deviation, rms = drift( "{ \"noise\": 0.01414213562 }", &deviation );
	print_message( "white noise: deviation %.5f m/s, drift %.4f m/h\n", deviation, rms );
	NEAR( deviation, 0.02, 0.0002 );
	NEAR( rms, 0.219, 0.05 * 0.219 );
}

static void test_walk( void **state )
{
	(void)state;
	double deviation, rms = drift( "{ \"noise\": 0.01414213562, \"bias_walk\": 2.39e-6 }", &deviation );
	print_message( "with a bias walk: deviation %.5f m/s, drift %.4f m/h\n", deviation, rms );
	NEAR( deviation, 0.02, 0.0002 );
	NEAR( rms, 0.56, 0.05 * 0.56 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_white ),
		cmocka_unit_test( test_walk ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// What the Allan fit recovers from simulated records, in seconds; tests/long has the whole of it.

#include "tests/long/allan_recovery.h"

// Shorter than the long tests: 2 h at 10 Hz, so 6 channels of 8 seeds. The share of a good interval may be 87 to 100 % of 48.
static void test_short( void **state )
{
	(void)state;
	ds_imu_config config = ds_imu_config_default();
	recover_triad( &config.gyro, 1e-4, 2e-4, 4e-5, 0, 0 );
	recover_triad( &config.accel, 1e-3, 2e-3, 4e-4, 0, 0 );
	recover_run run = recover( &config, 10, 2, 8 );
	recover_print( "N B K, 2 h", 10, &run );
	assert_true( recover_holds( &run, 0.04 ) );
}

// Source paper 1, Fig 3: gyroscopes of the old model (white noise alone) and of the new one, 9 h, 8 seeds. The "floor" of the old
// model and the "bias instability" of the new are the ends of their slopes, N / sqrt( T / 10 ): 2.8e-5 and 8.8e-6 rad/s.
static void test_figure_3( void **state )
{
	(void)state;
	const double rate = 4, n[2] = { 1.6e-3, 5e-4 }, b[2] = { 0, 3.162e-6 };
	const char *const presets[2] = { "paper_old", "paper_new" };
	const double least[2] = { 2e-5, 4e-6 }, most[2] = { 4e-5, 1.2e-5 };
	const int64_t length = (int64_t)( 9 * 3600 * rate );
	for ( int k = 0; k < 2; ++k )
	{
		ds_imu_config config;
		assert_int_equal( ds_imu_config_preset( presets[k], &config ), DS_OK );
		assert_true( config.gyro.N[0] == n[k] && config.gyro.B[1] == b[k] );
		double mean = 0;
		int within = 0, falling = 0, hidden = 0, held = 0;
		for ( int i = 0; i < 24; ++i )
		{
			static ds_allan_stream *stream;
			if ( i % 3 == 0 )
			{
				stream = recover_stream( rate );
				recover_simulate( &config, rate, length, (uint64_t)( 1 + i / 3 ), stream );
			}
			ds_allan_point points[256];
			int64_t count;
			ds_allan_fit fit;
			assert_int_equal(
				ds_allan_stream_curve( stream, i % 3, DS_ALLAN_OADEV, 0.95, points, 256, &count ), DS_OK );
			assert_int_equal( ds_allan_fit_curve( points, count, rate, length, NULL, &fit ), DS_OK );
			assert_true( fabs( fit.N.value / n[k] - 1 ) < 0.02 );
			mean += fit.minimum / 24;
			within += fit.minimum > least[k] && fit.minimum < most[k];
			falling += fit.falling;
			hidden += !fit.B.identifiable;
			held += fit.B.high >= b[k];
			if ( i % 3 == 2 )
			{
				ds_allan_stream_destroy( stream );
			}
		}
		print_message( "%s model: minimum %.3g rad/s on the mean, %d of 24 from %g to %g; still falling %d, B hidden "
					   "%d, below its "
					   "bound %d of 24\n",
			k ? "new" : "old", mean, within, least[k], most[k], falling, hidden, held );
		assert_true( fabs( mean * sqrt( 3240 ) / n[k] - 1 ) < 0.15 );
		assert_true( within >= 22 && held >= 22 );
		assert_true( falling >= 20 && hidden >= 20 );
		// why: 0.664 B, were B 1e-5, would take over only after 1.5 hours
		assert_true( k == 0 || pow( n[k] / ( 0.664 * 1e-5 ), 2 ) > 1.5 * 3600 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_short ),
		cmocka_unit_test( test_figure_3 ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

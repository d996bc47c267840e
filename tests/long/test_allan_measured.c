// From a measured Allan curve to a config, from the config to simulated data, and back: the curves lie within 15 % of each other from
// 0.1 s to 100 s, on every axis of three IMUs. 24 h are simulated, so that chance stays below 5 % at 100 s.
//
// Writes allan_measured_NAME.csv (tau, six measured and six simulated deviations), which docs/allan_measured.gp plots.

#include "tests/long/allan_recovery.h"
#include "tests/unit/allan_measured.h"

// The simulated deviation at tau, by the logarithm between neighbours.
static double at_tau( const ds_allan_point *points, int64_t count, double tau )
{
	for ( int64_t i = 1; i < count; ++i )
	{
		if ( points[i].tau >= tau * ( 1 - 1e-9 ) )
		{
			double share = log( tau / points[i - 1].tau ) / log( points[i].tau / points[i - 1].tau );
			return points[i - 1].deviation * pow( points[i].deviation / points[i - 1].deviation, share );
		}
	}
	return NAN;
}

static double worst_of( const measured_curves *curves, int c, const ds_allan_point *simulated, int64_t count )
{
	double worst = 0;
	for ( int i = 0; i < curves->count; ++i )
	{
		const ds_allan_point *p = &curves->points[c][i];
		if ( p->tau > 0.0999 && p->tau < 100.1 )
		{
			worst = fmax( worst, fabs( at_tau( simulated, count, p->tau ) / p->deviation - 1 ) );
		}
	}
	return worst;
}

static void write_curves(
	const char *name, const measured_curves *curves, ds_allan_point simulated[6][256], int64_t count )
{
	char path[1024];
	snprintf( path, sizeof path, DEEPSIM_TEST_TMP "/allan_measured_%s.csv", name );
	FILE *file = fopen( path, "w" );
	assert_non_null( file );
	fprintf( file, "# tau [s]; measured: gyro x, y, z [rad/s], accel x, y, z [m/s2]; simulated: the same\n" );
	for ( int i = 0; i < curves->count; ++i )
	{
		double tau = curves->points[0][i].tau;
		fprintf( file, "%.6g", tau );
		for ( int c = 0; c < 12; ++c )
		{
			fprintf( file, ",%.6g",
				c < 6 ? curves->points[c][i].deviation
					  : at_tau( simulated[c - 6], count, fmax( tau, simulated[0][0].tau ) ) );
		}
		fprintf( file, "\n" );
	}
	fclose( file );
	print_message( "wrote %s\n", path );
}

static void test_loop( void **state )
{
	(void)state;
	for ( int d = 0; d < MEASURED_DEVICES; ++d )
	{
		static measured_curves curves;
		static ds_allan_point simulated[6][256];
		ds_allan_model models[6];
		ds_imu_config config;
		const measured_device *device = &measured_devices[d];
		assert_true( measured_read( device, &curves ) );
		assert_int_equal( measured_fit( device, &curves, models, &config ), DS_OK );
		ds_allan_stream *stream = recover_stream( curves.rate );
		recover_simulate( &config, curves.rate, (int64_t)( 24 * 3600 * curves.rate ), 1, stream );
		int64_t count = 0;
		double worst[6];
		for ( int c = 0; c < 6; ++c )
		{
			assert_int_equal( ds_allan_stream_curve( stream, c, DS_ALLAN_OADEV, 0, simulated[c], 256, &count ), DS_OK );
			worst[c] = worst_of( &curves, c, simulated[c], count );
			print_message( "%s %s %c: simulated within %.1f %% of measured\n", device->name, c < 3 ? "gyro" : "accel",
				'x' + c % 3, 100 * worst[c] );
		}
		write_curves( device->name, &curves, simulated, count );
		ds_allan_stream_destroy( stream );
		for ( int c = 0; c < 6; ++c )
		{
			assert_true( worst[c] < 0.15 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_loop ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

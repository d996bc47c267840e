// The fit of a noise model: exact curves, simulated records, measured curves, and input that is none.

#include "tests/long/allan_recovery.h"
#include "tests/unit/allan_measured.h"

static void near_at( double value, double expected, double relative, int line )
{
	if ( !( fabs( value - expected ) <= relative * fabs( expected ) ) )
	{
		print_error( "line %d: %.12g is not %.12g +- %g\n", line, value, expected, relative * fabs( expected ) );
		fail();
	}
}

#define assert_near( value, expected, relative ) near_at( value, expected, relative, __LINE__ )

// A curve without chance, as theory gives it.
static int64_t exact_curve( const ds_allan_model *model, double rate, int64_t length, ds_allan_point points[256] )
{
	int64_t m[256], taus = ds_allan_taus( length / 4, 20, m, 256 );
	for ( int64_t i = 0; i < taus; ++i )
	{
		points[i] = ( ds_allan_point ){
			.m = m[i], .tau = (double)m[i] / rate, .deviation = ds_allan_theory( model, DS_ALLAN_OADEV, rate, m[i] )
		};
	}
	return taus;
}

static const ds_allan_model truths[] = {
	{ .N = 1e-3 },
	{ .N = 1e-4, .B = 1e-4, .K = 7e-6 },
	{ .N = 1e-4, .B = 1e-4, .K = 7e-6, .bandwidth = 15 },
	{ .Q = 1e-5, .N = 1e-4, .B = 5e-5 },
	{ .N = 1e-3, .markov_sigma = 4e-4, .markov_tau = 60 },
	{ .N = 2e-4, .K = 5e-6, .markov_sigma = 3e-4, .markov_tau = 5 },
};

// Up to what chi squared is skewed by (the likelihood expects chance), an exact curve gives back its model.
static void test_exact( void **state )
{
	(void)state;
	const double rate = 100;
	const int64_t length = 3240000;
	for ( size_t i = 0; i < sizeof truths / sizeof *truths; ++i )
	{
		const ds_allan_model *a = &truths[i];
		ds_allan_point points[256];
		int64_t count = exact_curve( a, rate, length, points );
		ds_allan_fit_options options = ds_allan_fit_options_default();
		options.Q = a->Q > 0;
		options.markov = a->markov_sigma > 0;
		options.bandwidth = a->bandwidth;
		options.tau_maximum = 3240;
		for ( int known = 0; known < 2; ++known )
		{
			ds_allan_fit fit;
			double tolerance = known ? 0.04 : 1e-3;
			assert_int_equal( ds_allan_fit_curve( points, count, rate, known * length, &options, &fit ), DS_OK );
			const ds_allan_term *term[] = { &fit.Q, &fit.N, &fit.B, &fit.K, &fit.markov_sigma, &fit.markov_tau };
			const double truth[] = { a->Q, a->N, a->B, a->K, a->markov_sigma, a->markov_tau };
			for ( int t = 0; t < 6; ++t )
			{
				if ( truth[t] == 0 )
				{
					assert_true( !term[t]->identifiable );
					continue;
				}
				assert_near( term[t]->value, truth[t], t == 1 ? 1e-3 : tolerance );
				assert_true( term[t]->identifiable && term[t]->present );
				assert_true( term[t]->low <= truth[t] * ( 1 + 1e-6 ) && term[t]->high >= truth[t] * ( 1 - 1e-6 ) );
				assert_true( !known || ( term[t]->error > 0 && term[t]->error < 0.2 * truth[t] ) );
			}
			assert_near( fit.model.N, a->N, 2e-3 );
			assert_true( fit.model.bandwidth == a->bandwidth && fit.misfit < 0.1 );
			assert_int_equal( fit.falling, a->B == 0 && a->K == 0 );
		}
	}
}

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
			assert_near( fit.N.value, n[k], 0.02 );
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
		assert_near( mean, n[k] / sqrt( 3240 ), 0.15 );
		assert_true( within >= 22 && held >= 22 );
		assert_true( falling >= 20 && hidden >= 20 );
		// why: 0.664 B, were B 1e-5, would take over only after 1.5 hours
		assert_true( k == 0 || pow( n[k] / ( 0.664 * 1e-5 ), 2 ) > 1.5 * 3600 );
	}
}

// Configs fitted to measured curves: theory lies within 10 % of them from 0.1 s to 100 s. (tests/long simulates them.)
static void test_measured( void **state )
{
	(void)state;
	for ( int d = 0; d < MEASURED_DEVICES; ++d )
	{
		measured_curves curves;
		ds_allan_model models[6];
		ds_imu_config config;
		assert_true( measured_read( &measured_devices[d], &curves ) );
		assert_near( curves.rate, measured_devices[d].rate, 1e-4 );
		assert_int_equal( measured_fit( &measured_devices[d], &curves, models, &config ), DS_OK );
		for ( int c = 0; c < 6; ++c )
		{
			double worst = 0;
			for ( int i = 0; i < curves.count; ++i )
			{
				const ds_allan_point *p = &curves.points[c][i];
				if ( p->tau > 0.0999 && p->tau < 100.1 )
				{
					double theory = ds_allan_theory( &models[c], DS_ALLAN_OADEV, curves.rate, p->m );
					worst = fmax( worst, fabs( theory / p->deviation - 1 ) );
				}
			}
			print_message( "%s %s %c: N %.3g B %.3g K %.3g sigma %.3g tau %.3g, within %.1f %%\n",
				measured_devices[d].name, c < 3 ? "gyro" : "accel", 'x' + c % 3, models[c].N, models[c].B, models[c].K,
				models[c].markov_sigma, models[c].markov_tau, 100 * worst );
			assert_true( worst < 0.1 );
		}
	}
}

static void test_bad_input( void **state )
{
	(void)state;
	ds_allan_model model = { .N = 1e-3, .B = 1e-4 };
	ds_allan_point points[256];
	ds_allan_fit fit;
	int64_t count = exact_curve( &model, 100, 100000, points );
	ds_allan_fit_options options = ds_allan_fit_options_default();
	assert_int_equal( ds_allan_fit_curve( points, count, 0, 100000, NULL, &fit ), DS_ERROR_RANGE );
	assert_int_equal( ds_allan_fit_curve( points, count, NAN, 100000, NULL, &fit ), DS_ERROR_RANGE );
	assert_int_equal( ds_allan_fit_curve( points, count, 100, -1, NULL, &fit ), DS_ERROR_RANGE );
	assert_int_equal( ds_allan_fit_curve( points, 3, 100, 100000, NULL, &fit ), DS_ERROR_RANGE );
	assert_int_equal( ds_allan_fit_curve( points, 0, 100, 100000, NULL, &fit ), DS_ERROR_RANGE );
	options.confidence = 1;
	assert_int_equal( ds_allan_fit_curve( points, count, 100, 100000, &options, &fit ), DS_ERROR_RANGE );
	options = ( ds_allan_fit_options ){ .confidence = 0.95 };
	assert_int_equal( ds_allan_fit_curve( points, count, 100, 100000, &options, &fit ), DS_ERROR_RANGE );
	options = ds_allan_fit_options_default();
	options.bandwidth = NAN;
	assert_int_equal( ds_allan_fit_curve( points, count, 100, 100000, &options, &fit ), DS_ERROR_RANGE );
	ds_allan_point kept = points[7];
	points[7].deviation = NAN;
	assert_int_equal( ds_allan_fit_curve( points, count, 100, 100000, NULL, &fit ), DS_ERROR_NOT_FINITE );
	points[7].deviation = -1;
	assert_int_equal( ds_allan_fit_curve( points, count, 100, 100000, NULL, &fit ), DS_ERROR_RANGE );
	points[7] = points[6];
	assert_int_equal( ds_allan_fit_curve( points, count, 100, 100000, NULL, &fit ), DS_ERROR_RANGE );
	// data that are constant have no curve
	points[7] = kept;
	for ( int64_t i = 0; i < count; ++i )
	{
		points[i].deviation = 0;
	}
	assert_int_equal( ds_allan_fit_curve( points, count, 100, 100000, NULL, &fit ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "points" ) );
	double low, high;
	assert_int_equal(
		ds_allan_theory_interval( &model, DS_ALLAN_OADEV, 100, 500, 999, 0.95, &low, &high ), DS_ERROR_RANGE );
	assert_int_equal(
		ds_allan_theory_interval( &model, DS_ALLAN_OADEV, 100, 0, 999, 0.95, &low, &high ), DS_ERROR_RANGE );
	assert_int_equal( ds_allan_theory_interval( &model, DS_ALLAN_OADEV, 100, 5, 999, 0, &low, &high ), DS_ERROR_RANGE );
	assert_int_equal( ds_allan_theory_interval( &model, DS_ALLAN_OADEV, 100, 499, 999, 0.95, &low, &high ), DS_OK );
	assert_true( low > 0 && high > low );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_exact ),
		cmocka_unit_test( test_short ),
		cmocka_unit_test( test_figure_3 ),
		cmocka_unit_test( test_measured ),
		cmocka_unit_test( test_bad_input ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

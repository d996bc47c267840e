// Confidence of Allan deviations: chi squared, degrees of freedom, noise identification, intervals.

#include "sensors/allan.h"
#include "tests/unit/allan_kit.h"

// scipy.stats.chi2.ppf( p, freedom ), scipy 1.10.1.
static const double quantiles[][3] = {
#include "tests/fixtures/allan/chi_squared.inc"
	{ 3300000, 1e-6, 3287802.625328106603 }, // by the series of DLMF 8.11.4 in 40 digits: scipy's is off by 1.4e-4 in p
};

static void test_chi_squared( void **state )
{
	(void)state;
	for ( size_t i = 0; i < sizeof( quantiles ) / sizeof( quantiles[0] ); ++i )
	{
		double freedom = quantiles[i][0], p = quantiles[i][1], wanted = quantiles[i][2];
		expect_near( ds_chi_squared_quantile( p, freedom ) / wanted, 1, 2e-12, "chi squared" );
	}
}

// What Stable32 1.60 prints for PHASE.DAT and pink_frequency: the noise it finds at every averaging time, and bounds to five digits,
// which tell the degrees of freedom to about 1e-3.
static int check_intervals( const char *path, const double *data, int64_t count, int of_phase, double unit )
{
	static published rows[1200];
	int row_count = load_published( path, rows, 1200 ), checked = 0;
	for ( int i = 0; i < row_count; ++i )
	{
		const published *row = &rows[i];
		int64_t m[16], m_count = 0;
		ds_allan_point points[16];
		if ( !( row->high > 0 ) )
		{
			continue;
		}
		// octaves up to this row's, so that noise is carried on to it
		for ( int64_t k = 1; k <= row->m; k *= 2 )
		{
			m[m_count++] = k;
		}
		expect_ok( ( of_phase ? ds_allan_deviation_phase : ds_allan_deviation )(
			row->kind, data, count, 1, m, m_count, erf( sqrt( 0.5 ) ), points ) );
		const ds_allan_point *p = &points[m_count - 1];
		assert_int_equal( p->noise, row->noise );
		char what[64];
		snprintf( what, sizeof( what ), "%s at m = %lld, freedom %g", allan_names[row->kind], row->m, p->freedom );
		// five digits, for one sigma, printed as 0.683; above 100 degrees of freedom its half widths are 0.5 % less than chi squared gives
		double fuzz = p->freedom > 100 ? 0.006 : 0;
		double digit = p->freedom > 10 ? 1e-4 : 2e-4;
		expect_near( p->low * unit / row->low, 1, digit + fuzz * ( 1 - row->low / row->deviation ), what );
		expect_near( p->high * unit / row->high, 1, digit + fuzz * ( row->high / row->deviation - 1 ), what );
		++checked;
	}
	return checked;
}

static void test_stable32( void **state )
{
	(void)state;
	static double data[10001];
	assert_int_equal( load_numbers( ALLAN_FIXTURES "phase_dat.csv", data, 10001 ), 1001 );
	assert_int_equal( check_intervals( ALLAN_FIXTURES "phase_dat_stable32.csv", data, 1001, 1, 1 ), 6 * 8 );
	assert_int_equal( load_numbers( ALLAN_FIXTURES "pink.csv", data, 10001 ), 10000 );

	// frequency as phase, which is how the published algorithm sees it
	static double phase[10001];
	for ( int i = 0; i < 10000; ++i )
	{
		phase[i + 1] = phase[i] + data[i];
	}
	assert_int_equal( check_intervals( ALLAN_FIXTURES "pink_stable32.csv", phase, 10001, 1, 1e-9 ), 12 );
}

// Degrees of freedom straight from the covariance of differences of the sampled phase of white rate noise (a random walk): of means
// over `mean` phases, order d, `stride` apart.
static double exact_freedom( int64_t phases, int64_t m, int order, int64_t mean, int64_t stride )
{
	// the difference as weights on the white samples
	int64_t length = order * m + mean - 1;
	double *weights = calloc( (size_t)length, sizeof( double ) );
	static const double binomial[4][4] = { { 0 }, { 0 }, { 1, -2, 1 }, { -1, 3, -3, 1 } };
	for ( int64_t j = 0; j < mean; ++j )
	{
		for ( int k = 0; k <= order; ++k )
		{
			for ( int64_t i = 0; i < j + k * m; ++i )
			{
				weights[i] += binomial[order][k] / (double)mean;
			}
		}
	}
	int64_t count = ( phases - 1 - length ) / stride + 1;
	double sum = 0, variance = 0;
	for ( int64_t lag = 0; lag < count; ++lag )
	{
		double covariance = 0;
		for ( int64_t i = 0; i + lag * stride < length; ++i )
		{
			covariance += weights[i] * weights[i + lag * stride];
		}
		variance = lag == 0 ? covariance : variance;
		sum += ( lag == 0 ? 1 : 2 ) * (double)( count - lag ) * covariance * covariance;
	}
	free( weights );
	return (double)count * (double)count * variance * variance / sum;
}

static void test_exact( void **state )
{
	(void)state;
	for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
	{
		ds_allan_form form = ds_allan_form_of( (ds_allan_kind)kind );
		for ( int64_t m = 1; m <= 200; m += m < 6 ? 1 : 23 )
		{
			for ( int64_t phases = 4 * m + 1; phases < 3000; phases = 2 * phases + 7 )
			{
				double wanted = exact_freedom( phases, m, form.order, form.modified ? m : 1, form.overlapping ? 1 : m );
				double found = ds_allan_freedom( &form, 0, m, form.overlapping ? 1 : m, phases );
				char what[64];
				snprintf( what, sizeof( what ), "%s at m = %d of %d", allan_names[kind], (int)m, (int)phases );
				// exact while differences are few, then as good as the paper's approximations: 0.6 %
				int exact = ( form.order + 1 ) * m <= 100 || !form.overlapping;
				expect_near( found / wanted, 1, exact ? 1e-9 : 0.015, what );
			}
		}
	}
}

static void test_noise( void **state )
{
	(void)state;
	enum
	{
		COUNT = 4000
	};
	double *y = white_noise( COUNT + 1, 5 ), sum[4] = { 0 };
	ds_allan_lag lags[6];
	memset( lags, 0, sizeof( lags ) );
	for ( int i = 0; i < COUNT; ++i )
	{
		ds_allan_lag_add( &lags[0], y[i + 1] - y[i] + 3 );
		ds_allan_lag_add( &lags[1], y[i] + 1e4 + 0.01 * i );
		sum[0] += y[i];
		ds_allan_lag_add( &lags[2], sum[0] );
		sum[1] += sum[0];
		ds_allan_lag_add( &lags[3], sum[1] );
	}
	const int wanted[4] = { 2, 0, -2, -4 };
	int noise;
	for ( int i = 0; i < 4; ++i )
	{
		assert_true( ds_allan_lag_noise( &lags[i], 3, &noise ) );
		assert_int_equal( noise, wanted[i] );
		assert_true( ds_allan_lag_noise( &lags[i], 2, &noise ) );
		assert_int_equal( noise, wanted[i] < -2 ? -2 : wanted[i] );
	}
	static double pink[10001];
	(void)load_numbers( ALLAN_FIXTURES "pink.csv", pink, 10001 );
	for ( int i = 0; i < 29; ++i )
	{
		ds_allan_lag_add( &lags[5], pink[i] );
	}
	assert_false( ds_allan_lag_noise( &lags[5], 2, &noise ) );
	for ( int i = 0; i + 16 <= 10000; i += 16 )
	{
		double mean = 0;
		for ( int k = 0; k < 16; ++k )
		{
			mean += pink[i + k] / 16;
		}
		ds_allan_lag_add( &lags[4], mean );
	}
	assert_true( ds_allan_lag_noise( &lags[4], 2, &noise ) );
	assert_int_equal( noise, -2 ); // as Stable32 says
	free( y );
}

// Of many records, as many as are said hold the true deviation in their interval.
static void test_coverage( void **state )
{
	(void)state;
	enum
	{
		RECORDS = 2000,
		COUNT = 500
	};
	double *y = white_noise( (int64_t)RECORDS * COUNT, 6 );
	const int64_t m[] = { 1, 4, 20, 50 };
	for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
	{
		int inside[4] = { 0 };
		for ( int r = 0; r < RECORDS; ++r )
		{
			ds_allan_point p[4];
			expect_ok( ds_allan_deviation( (ds_allan_kind)kind, y + r * COUNT, COUNT, 1, m, 4, 0.9, p ) );
			for ( int k = 0; k < 4; ++k )
			{
				ds_allan_form form = ds_allan_form_of( (ds_allan_kind)kind );
				double square = form.modified ? ( (double)( m[k] * m[k] ) + 1 ) / (double)( 2 * m[k] * m[k] ) : 1;
				double truth = sqrt( square / (double)m[k] );
				truth *= kind == DS_ALLAN_TDEV ? (double)m[k] / sqrt( 3 ) : 1;
				inside[k] += p[k].low <= truth && truth <= p[k].high;
			}
		}
		for ( int k = 0; k < 4; ++k )
		{
			char what[64];
			snprintf( what, sizeof( what ), "%s coverage at m = %d", allan_names[kind], (int)m[k] );
			expect_near( (double)inside[k] / RECORDS, 0.9, 0.03, what );
		}
	}
	free( y );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_chi_squared ),
		cmocka_unit_test( test_stable32 ),
		cmocka_unit_test( test_exact ),
		cmocka_unit_test( test_noise ),
		cmocka_unit_test( test_coverage ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Allan deviations against published values and their definitions.

#include "tests/unit/allan_kit.h"

// W. Riley, NIST SP 1065 (2008), tables 31 and 32: the NBS14 record of ten phases, here as nine frequencies, and the record of a
// thousand frequencies of a congruential generator.
typedef struct nbs14
{
	ds_allan_kind kind;
	double values[3];
} nbs14;

static const double nbs14_data[9] = { 892, 809, 823, 798, 671, 644, 883, 903, 677 };

static const nbs14 nbs14_ten[] = { { DS_ALLAN_ADEV, { 91.22945, 115.8082 } },
	{ DS_ALLAN_OADEV, { 91.22945, 85.95287 } }, { DS_ALLAN_MDEV, { 91.22945, 74.78849 } },
	{ DS_ALLAN_HDEV, { 70.80608, 116.7980 } }, { DS_ALLAN_OHDEV, { 70.80607, 85.61487 } },
	{ DS_ALLAN_TDEV, { 52.67135, 86.35831 } } };

static const nbs14 nbs14_thousand[] = { { DS_ALLAN_ADEV, { 0.2922319, 0.09965736, 0.03897804 } },
	{ DS_ALLAN_OADEV, { 0.2922319, 0.09159953, 0.03241343 } }, { DS_ALLAN_MDEV, { 0.2922319, 0.06172376, 0.02170921 } },
	{ DS_ALLAN_HDEV, { 0.2943883, 0.1052754, 0.03910860 } }, { DS_ALLAN_OHDEV, { 0.2943883, 0.09581083, 0.03237638 } },
	{ DS_ALLAN_TDEV, { 0.1687202, 0.3563623, 1.253382 } } };

// Half a unit of the seventh digit, which is all that is printed; more for values that were cut, not rounded (70.80607 and 70.80608
// are the same number).
static double seven_digits( double value )
{
	return 0.75 * pow( 10, floor( log10( value ) ) - 6 );
}

static void test_nbs14( void **state )
{
	(void)state;
	const int64_t two[] = { 1, 2 }, three[] = { 1, 10, 100 };
	double phase[10] = { 0 }, data[1000];
	int64_t n = 1234567890;
	for ( int i = 0; i < 9; ++i )
	{
		phase[i + 1] = phase[i] + nbs14_data[i];
	}
	for ( int i = 0; i < 1000; ++i, n = 16807 * n % 2147483647 )
	{
		data[i] = (double)n / 2147483647.0;
	}
	for ( size_t k = 0; k < sizeof( nbs14_ten ) / sizeof( nbs14_ten[0] ); ++k )
	{
		const nbs14 *ten = &nbs14_ten[k], *thousand = &nbs14_thousand[k];
		ds_allan_point points[3], of_phase[3];
		expect_ok( ds_allan_deviation( ten->kind, nbs14_data, 9, 1, two, 2, 0, points ) );
		expect_ok( ds_allan_deviation_phase( ten->kind, phase, 10, 1, two, 2, 0, of_phase ) );
		for ( int i = 0; i < 2; ++i )
		{
			expect_near( points[i].deviation, ten->values[i], seven_digits( ten->values[i] ), allan_names[ten->kind] );
			expect_near( of_phase[i].deviation, points[i].deviation, 1e-12, "from phase" );
			assert_int_equal( of_phase[i].count, points[i].count );
		}
		expect_ok( ds_allan_deviation( thousand->kind, data, 1000, 1, three, 3, 0, points ) );
		for ( int i = 0; i < 3; ++i )
		{
			expect_near( points[i].deviation, thousand->values[i], seven_digits( thousand->values[i] ),
				allan_names[thousand->kind] );
		}
	}
}

// Every deviation that Stable32 printed: five digits, and its count of differences.
static int check_published( const char *path, const double *data, int64_t count, int of_phase, double unit )
{
	static published rows[1200];
	int row_count = load_published( path, rows, 1200 ), intervals = 0;
	assert_true( row_count > 100 );
	for ( int i = 0; i < row_count; ++i )
	{
		const published *row = &rows[i];
		const int64_t m = row->m;
		ds_allan_point point;
		double confidence = row->high > 0 ? 0.683 : 0;
		expect_ok( ( of_phase ? ds_allan_deviation_phase : ds_allan_deviation )(
			row->kind, data, count, 1, &m, 1, confidence, &point ) );
		char what[64];
		snprintf( what, sizeof( what ), "%s at m = %lld", allan_names[row->kind], row->m );
		double digit = pow( 10, floor( log10( row->deviation ) ) - 4 );
		expect_near( point.deviation * unit, row->deviation, 0.52 * digit, what );
		assert_int_equal( point.count, row->count );
		intervals += confidence > 0;
	}
	return intervals;
}

static void test_phase_dat( void **state )
{
	(void)state;
	double phase[1002];
	assert_int_equal( load_numbers( ALLAN_FIXTURES "phase_dat.csv", phase, 1002 ), 1001 );
	assert_int_equal( check_published( ALLAN_FIXTURES "phase_dat_stable32.csv", phase, 1001, 1, 1 ), 6 * 8 );
}

static void test_pink( void **state )
{
	(void)state;
	static double data[10001];
	assert_int_equal( load_numbers( ALLAN_FIXTURES "pink.csv", data, 10001 ), 10000 );
	assert_int_equal( check_published( ALLAN_FIXTURES "pink_stable32.csv", data, 10000, 0, 1e-9 ), 12 );
}

// Odd lengths, every remainder of a block and of a vector: against the definition.
static void test_definitions( void **state )
{
	(void)state;
	double *data = white_noise( 20000, 1 );
	const int64_t lengths[] = { 3, 4, 5, 7, 16, 33, 250, 4097, 8200 };
	for ( size_t k = 0; k < sizeof( lengths ) / sizeof( lengths[0] ); ++k )
	{
		int64_t n = lengths[k];
		for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
		{
			int64_t longest = kind == DS_ALLAN_ADEV || kind == DS_ALLAN_OADEV ? n / 2 : n / 3;
			longest = longest < 40 ? longest : 40;
			for ( int64_t m = 1; m <= longest; m += m < 5 ? 1 : 11 )
			{
				ds_allan_point point;
				expect_ok( ds_allan_deviation( (ds_allan_kind)kind, data, n, 20, &m, 1, 0, &point ) );
				double wanted = by_definition( (ds_allan_kind)kind, data, n, m, 20 );
				expect_near( point.deviation, wanted, 2e-13 * wanted, allan_names[kind] );
				assert_true( point.tau == (double)m / 20 );
			}
		}
	}
	free( data );
}

static void deviation_all( const double *data, int64_t count, double *out, int64_t *m_count )
{
	int64_t m[64];
	ds_allan_point points[64];
	*m_count = ds_allan_taus( count / 3, 5, m, 64 );
	for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
	{
		expect_ok( ds_allan_deviation( (ds_allan_kind)kind, data, count, 1, m, *m_count, 0, points ) );
		for ( int64_t k = 0; k < *m_count; ++k )
		{
			out[kind * 64 + k] = points[k].deviation;
		}
	}
}

// Neither a bias of a million times the noise nor a steep ramp costs digits that anybody would see; Hadamard does not see the ramp.
static void test_bias_and_drift( void **state )
{
	(void)state;
	enum
	{
		COUNT = 300000
	};
	double *data = white_noise( COUNT, 2 ), *other = malloc( COUNT * sizeof( double ) );
	static double plain[64 * DS_ALLAN_KIND_COUNT], moved[64 * DS_ALLAN_KIND_COUNT], steep[64 * DS_ALLAN_KIND_COUNT];
	int64_t n;
	deviation_all( data, COUNT, plain, &n );
	for ( int i = 0; i < COUNT; ++i )
	{
		other[i] = data[i] + 1e6;
	}
	deviation_all( other, COUNT, moved, &n );
	const double slope = 1e6 / COUNT;
	for ( int i = 0; i < COUNT; ++i )
	{
		other[i] = data[i] + 1e6 + slope * i;
	}
	deviation_all( other, COUNT, steep, &n );
	int64_t m[64];
	(void)ds_allan_taus( COUNT / 3, 5, m, 64 );
	for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
	{
		for ( int64_t k = 0; k < n; ++k )
		{
			int64_t at = kind * 64 + k;
			// of what white noise gives there; single differences may be near 0
			double noise = 1e-8 / sqrt( (double)m[k] ) * ( kind == DS_ALLAN_TDEV ? (double)m[k] : 1 );
			expect_near( moved[at], plain[at], noise, "with a bias" );
			if ( kind == DS_ALLAN_HDEV || kind == DS_ALLAN_OHDEV )
			{
				expect_near( steep[at], plain[at], noise, "Hadamard with a ramp" );
			}
			else if ( kind == DS_ALLAN_OADEV && m[k] > 1000 )
			{
				// a ramp alone: slope tau / sqrt( 2 )
				expect_near( steep[at], slope * (double)m[k] / sqrt( 2 ), 1e-3 * steep[at], "Allan with a ramp" );
			}
		}
	}
	free( data );
	free( other );
}

// White noise N / sqrt( tau ); random walk K sqrt( tau / 3 ); modified white noise N / sqrt( 2 tau ); quantisation of phase
// sqrt( 3 ) Q / tau (IEEE 952; SP 1065 table 3).
static void test_slopes( void **state )
{
	(void)state;
	enum
	{
		COUNT = 200000
	};
	const double rate = 50;
	double *white = white_noise( COUNT, 3 ), *walk = malloc( COUNT * sizeof( double ) );
	double *phase = white_noise( COUNT, 4 );
	for ( int64_t i = 1; i < COUNT; ++i )
	{
		walk[0] = 0;
		walk[i] = walk[i - 1] + white[i];
	}
	const int64_t m[] = { 50, 150, 500, 1000 };
	ds_allan_point p[4];
	for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
	{
		expect_ok( ds_allan_deviation( (ds_allan_kind)kind, white, COUNT, rate, m, 4, 0.95, p ) );
		for ( int k = 0; k < 4; ++k )
		{
			double wanted = sqrt( 1 / rate / p[k].tau );
			wanted *= kind == DS_ALLAN_MDEV || kind == DS_ALLAN_TDEV ? sqrt( 0.5 ) : 1;
			wanted *= kind == DS_ALLAN_TDEV ? p[k].tau / sqrt( 3 ) : 1;
			expect_near( p[k].deviation / wanted, 1, 3.5 / sqrt( 2 * p[k].freedom ), allan_names[kind] );
			assert_int_equal( p[k].noise, 0 );
		}
	}
	expect_ok( ds_allan_deviation( DS_ALLAN_OADEV, walk, COUNT, rate, m, 4, 0.95, p ) );
	for ( int k = 0; k < 4; ++k )
	{
		double wanted = sqrt( rate * p[k].tau / 3 );
		expect_near( p[k].deviation / wanted, 1, 3.5 / sqrt( 2 * p[k].freedom ) + 1e-3, "random walk" );
		assert_int_equal( p[k].noise, -2 );
	}
	// Hadamard of a random walk: half the variance (SP 1065, section 5.2.8)
	expect_ok( ds_allan_deviation( DS_ALLAN_OHDEV, walk, COUNT, rate, m, 4, 0.95, p ) );
	expect_near( p[1].deviation / sqrt( rate * p[1].tau / 6 ), 1, 3.5 / sqrt( 2 * p[1].freedom ) + 1e-3, "Hadamard" );
	expect_ok( ds_allan_deviation_phase( DS_ALLAN_OADEV, phase, COUNT, rate, m, 4, 0.95, p ) );
	for ( int k = 0; k < 4; ++k )
	{
		expect_near( p[k].deviation * p[k].tau / sqrt( 3 ), 1, 0.02, "white phase" );
		assert_int_equal( p[k].noise, 2 );
	}
	free( white );
	free( walk );
	free( phase );
}

static void test_taus( void **state )
{
	(void)state;
	int64_t m[100];
	assert_int_equal( ds_allan_taus( 1000, 1, m, 100 ), 4 );
	assert_int_equal( m[3], 1000 );
	int64_t count = ds_allan_taus( 1000000, 20, NULL, 0 );
	assert_int_equal( ds_allan_taus( 1000000, 20, m, 100 ), count < 100 ? count : 100 );
	assert_int_equal( ds_allan_taus( 1000000, 20, m, 7 ), 7 );
	for ( int k = 1; k < 7; ++k )
	{
		assert_true( m[k] > m[k - 1] );
	}
	assert_int_equal( m[0], 1 );
	assert_int_equal( ds_allan_taus( 0, 20, m, 100 ), 0 );
	assert_int_equal( ds_allan_taus( 100, 0, m, 100 ), 0 );
	assert_true( ds_allan_taus( INT64_MAX, 20, NULL, 0 ) < 400 );
}

static void expect_error( ds_status status, ds_status wanted, const char *part )
{
	assert_int_equal( status, wanted );
	if ( strstr( ds_last_error(), part ) == NULL )
	{
		print_error( "\"%s\" has no \"%s\"\n", ds_last_error(), part );
		fail();
	}
}

static void test_errors( void **state )
{
	(void)state;
	double data[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	ds_allan_point points[4];
	const int64_t five[] = { 5 }, six[] = { 6 }, falling[] = { 2, 1 }, none[] = { 0 }, huge[] = { INT64_MAX }, four = 4;
	expect_ok( ds_allan_deviation( DS_ALLAN_OADEV, data, 10, 1, five, 1, 0.95, points ) );
	expect_error( ds_allan_deviation( DS_ALLAN_OADEV, data, 10, 1, six, 1, 0.95, points ), DS_ERROR_RANGE,
		"10 samples are too few for clusters of 6" );
	expect_error( ds_allan_deviation( DS_ALLAN_MDEV, data, 10, 1, huge, 1, 0, points ), DS_ERROR_RANGE, "too few" );
	expect_error( ds_allan_deviation( DS_ALLAN_OADEV, data, 10, 1, falling, 2, 0, points ), DS_ERROR_RANGE, "rise" );
	expect_error( ds_allan_deviation( DS_ALLAN_OADEV, data, 10, 1, none, 1, 0, points ), DS_ERROR_RANGE, "rise" );
	expect_error( ds_allan_deviation( DS_ALLAN_OADEV, data, 10, 0, five, 1, 0, points ), DS_ERROR_RANGE, "rate" );
	expect_error( ds_allan_deviation( DS_ALLAN_OADEV, data, 10, NAN, five, 1, 0, points ), DS_ERROR_RANGE, "rate" );
	expect_error( ds_allan_deviation( DS_ALLAN_OADEV, data, 10, 1, five, 1, 1, points ), DS_ERROR_RANGE, "confidence" );
	expect_error( ds_allan_deviation( DS_ALLAN_OADEV, NULL, 10, 1, five, 1, 0, points ), DS_ERROR_ARGUMENT, "data" );
	expect_error(
		ds_allan_deviation( DS_ALLAN_KIND_COUNT, data, 10, 1, five, 1, 0, points ), DS_ERROR_ARGUMENT, "kind" );
	data[7] = NAN;
	expect_error(
		ds_allan_deviation( DS_ALLAN_OADEV, data, 10, 1, five, 1, 0, points ), DS_ERROR_NOT_FINITE, "sample 7 is" );
	data[7] = INFINITY;
	expect_error( ds_allan_deviation_phase( DS_ALLAN_OADEV, data, 10, 1, &four, 1, 0, points ), DS_ERROR_NOT_FINITE,
		"phase 7 is" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_nbs14 ),
		cmocka_unit_test( test_phase_dat ),
		cmocka_unit_test( test_pink ),
		cmocka_unit_test( test_definitions ),
		cmocka_unit_test( test_bias_and_drift ),
		cmocka_unit_test( test_slopes ),
		cmocka_unit_test( test_taus ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

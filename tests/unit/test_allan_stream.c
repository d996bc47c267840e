// Deviations of a stream: the same as of the record, in bounded memory.

#include "tests/unit/allan_kit.h"

#define MOST 400

static ds_allan_stream *make_stream( int32_t channels, int64_t memory )
{
	ds_allan_stream_def def = ds_allan_stream_def_default();
	def.channels = channels;
	def.rate = 100;
	def.memory = memory;
	ds_allan_stream *stream;
	expect_ok( ds_allan_stream_create( &def, &stream ) );
	return stream;
}

// A walk, white noise and a trend.
static double *make_record( int64_t count, uint64_t seed )
{
	double *y = white_noise( count, seed ), walk = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		walk += 1e-3 * y[i];
		y[i] += walk + 5 + 1e-7 * (double)i;
	}
	return y;
}

// Every averaging time below a quarter of the memory, at every length of the record: as the record has it, points and intervals.
static void test_exact( void **state )
{
	(void)state;
	double *y = make_record( 30000, 1 );
	const int64_t lengths[] = { 1, 2, 3, 17, 255, 256, 257, 1000, 4095, 4096, 4097, 12345, 30000 };
	for ( size_t j = 0; j < sizeof( lengths ) / sizeof( lengths[0] ); ++j )
	{
		int64_t n = lengths[j], piece = 1;
		ds_allan_stream *stream = make_stream( 1, 4096 );
		for ( int64_t i = 0; i < n; i += piece, piece = 1 + i % 333 )
		{
			piece = piece < n - i ? piece : n - i;
			expect_ok( ds_allan_stream_push( stream, y + i, piece ) );
		}
		assert_int_equal( ds_allan_stream_count( stream ), n );
		for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
		{
			ds_allan_point points[MOST], direct[MOST];
			int64_t count, m[MOST], known;
			expect_ok( ds_allan_stream_curve( stream, 0, (ds_allan_kind)kind, 0.95, points, MOST, &count ) );
			expect_ok( ds_allan_stream_curve( stream, 0, (ds_allan_kind)kind, 0.95, NULL, 0, &known ) );
			assert_int_equal( known, count );
			int64_t longest = kind == DS_ALLAN_ADEV || kind == DS_ALLAN_OADEV  ? n / 2
							  : kind == DS_ALLAN_MDEV || kind == DS_ALLAN_TDEV ? ( n + 1 ) / 3
																			   : n / 3;
			int64_t wanted = ds_allan_taus( longest, 20, m, MOST );
			assert_true( count >= wanted && count <= wanted + ( longest > 1024 ) );
			for ( int64_t k = 0; k < count; ++k )
			{
				m[k] = points[k].m;
				assert_true( k == 0 || m[k] > m[k - 1] );
			}
			expect_ok( ds_allan_deviation( (ds_allan_kind)kind, y, n, 100, m, count, 0.95, direct ) );
			for ( int64_t k = 0; k < count && m[k] <= 1024; ++k )
			{
				expect_near( points[k].deviation, direct[k].deviation, 1e-10 * direct[k].deviation, allan_names[kind] );
				assert_int_equal( points[k].count, direct[k].count );
				assert_int_equal( points[k].noise, direct[k].noise );
				expect_near( points[k].freedom, direct[k].freedom, 1e-9 * direct[k].freedom, "freedom" );
				expect_near( points[k].low, direct[k].low, 1e-9 * direct[k].low, "low" );
				expect_near( points[k].high, direct[k].high, 1e-9 * direct[k].high, "high" );
				assert_true( points[k].tau == direct[k].tau );
			}
		}
		ds_allan_stream_destroy( stream );
	}
	free( y );
}

// Longer averaging times, thinned: each difference is exact, so adjacent deviations are, and the others lie within a hundredth of their
// interval where the memory is the default's; here it is sixteen times smaller, and the bound a tenth.
static void test_thinned( void **state )
{
	(void)state;
	enum
	{
		COUNT = 400000
	};
	double *y = make_record( COUNT, 2 );
	ds_allan_stream *stream = make_stream( 1, 4096 );
	expect_ok( ds_allan_stream_push( stream, y, COUNT ) );
	int64_t thinned = 0;
	for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
	{
		ds_allan_point points[MOST], direct[MOST];
		int64_t count, m[MOST];
		expect_ok( ds_allan_stream_curve( stream, 0, (ds_allan_kind)kind, 0.95, points, MOST, &count ) );
		for ( int64_t k = 0; k < count; ++k )
		{
			m[k] = points[k].m;
		}
		// to the end: none of the record's averaging times is missing
		int64_t longest = kind == DS_ALLAN_ADEV || kind == DS_ALLAN_OADEV ? COUNT / 2 : COUNT / 3;
		assert_true( (double)m[count - 1] * 1.13 > (double)longest );
		expect_ok( ds_allan_deviation( (ds_allan_kind)kind, y, COUNT, 100, m, count, 0.95, direct ) );
		for ( int64_t k = 0; k < count; ++k )
		{
			double width = direct[k].high - direct[k].low;
			int adjacent = kind == DS_ALLAN_ADEV || kind == DS_ALLAN_HDEV;
			int exact = adjacent || m[k] <= 1024;
			char what[64];
			snprintf( what, sizeof( what ), "%s at %lld", allan_names[kind], (long long)m[k] );
			expect_near(
				points[k].deviation, direct[k].deviation, exact ? 1e-9 * direct[k].deviation : 0.01 * width, what );
			assert_int_equal( points[k].noise, direct[k].noise );
			expect_near( points[k].freedom, direct[k].freedom, 0.02 * direct[k].freedom, what );
			assert_true( !adjacent || points[k].count == direct[k].count );
			thinned += !exact;
		}
	}
	assert_true( thinned > 100 );
	ds_allan_stream_destroy( stream );
	free( y );
}

// Channels are apart, pieces do not matter, a bias of a million times the noise costs nothing.
static void test_channels( void **state )
{
	(void)state;
	enum
	{
		COUNT = 50000
	};
	double *y = make_record( COUNT, 3 ), *z = white_noise( COUNT, 4 );
	double *both = malloc( 2 * COUNT * sizeof( double ) ), *biased = malloc( COUNT * sizeof( double ) );
	for ( int i = 0; i < COUNT; ++i )
	{
		both[2 * i] = y[i];
		both[2 * i + 1] = z[i];
		biased[i] = z[i] + 1e6;
	}
	ds_allan_stream *one = make_stream( 1, 1000 ), *other = make_stream( 1, 1000 ), *two = make_stream( 2, 1000 );
	ds_allan_stream *high = make_stream( 1, 1000 );
	expect_ok( ds_allan_stream_push( one, y, COUNT ) );
	expect_ok( ds_allan_stream_push( other, z, COUNT ) );
	expect_ok( ds_allan_stream_push( high, biased, COUNT ) );
	for ( int i = 0; i < COUNT; i += 500 )
	{
		expect_ok( ds_allan_stream_push( two, both + 2 * i, 500 ) );
	}
	for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
	{
		for ( int32_t channel = 0; channel < 2; ++channel )
		{
			ds_allan_point alone[MOST], joint[MOST], shifted[MOST];
			int64_t count, same;
			ds_allan_kind which = (ds_allan_kind)kind;
			memset( alone, 0, sizeof( alone ) );
			memset( joint, 0, sizeof( joint ) );
			expect_ok( ds_allan_stream_curve( channel ? other : one, 0, which, 0.9, alone, MOST, &count ) );
			expect_ok( ds_allan_stream_curve( two, channel, which, 0.9, joint, MOST, &same ) );
			assert_int_equal( count, same );
			assert_memory_equal( alone, joint, sizeof( alone ) );
			expect_ok( ds_allan_stream_curve( high, 0, which, 0.9, shifted, MOST, &same ) );
			for ( int64_t k = 0; channel == 1 && k < count; ++k )
			{
				double noise = 1e-8 / sqrt( (double)alone[k].m ) * ( kind == DS_ALLAN_TDEV ? (double)alone[k].m : 1 );
				expect_near( shifted[k].deviation, alone[k].deviation, noise, "with a bias" );
			}
		}
	}
	ds_allan_stream_destroy( one );
	ds_allan_stream_destroy( other );
	ds_allan_stream_destroy( two );
	ds_allan_stream_destroy( high );
	free( y );
	free( z );
	free( both );
	free( biased );
}

// ---- memory ------------------------------------------------------------------------------------------------------

typedef struct counter
{
	size_t now, most, calls, fail_at;
} counter;

static void *count_allocate( void *user, size_t size, size_t alignment )
{
	counter *c = user;
	if ( ++c->calls == c->fail_at )
	{
		return NULL;
	}
	c->now += size;
	c->most = c->now > c->most ? c->now : c->most;
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void count_release( void *user, void *memory, size_t size )
{
	( (counter *)user )->now -= size;
	free( memory );
}

static void test_memory( void **state )
{
	(void)state;
	enum
	{
		COUNT = 1 << 20
	};
	double *y = white_noise( COUNT, 5 );
	counter c = { 0 };
	ds_allocator allocator = { count_allocate, count_release, &c };
	ds_allan_stream_def def = ds_allan_stream_def_default();
	def.memory = 1024;
	def.allocator = &allocator;
	def.kinds = 1u << DS_ALLAN_OADEV;
	size_t used[2] = { 0 };
	ds_allan_stream *stream;
	expect_ok( ds_allan_stream_create( &def, &stream ) );
	for ( int i = 0; i < COUNT; i += 1024 )
	{
		expect_ok( ds_allan_stream_push( stream, y + i, 1024 ) );
		used[0] = i == COUNT / 2 ? c.now : used[0];
	}
	used[1] = c.now;
	// a doubling of the record: a level more, of 1024 phases and a few averaging times
	assert_true( used[1] > used[0] && used[1] - used[0] < 12000 );
	ds_allan_point points[MOST];
	int64_t count;
	assert_int_equal( ds_allan_stream_curve( stream, 0, DS_ALLAN_MDEV, 0, points, MOST, &count ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_allan_stream_curve( stream, 1, DS_ALLAN_OADEV, 0, points, MOST, &count ), DS_ERROR_RANGE );
	assert_int_equal( ds_allan_stream_curve( stream, 0, DS_ALLAN_OADEV, 0, points, 3, &count ), DS_ERROR_RANGE );
	ds_allan_stream_destroy( stream );
	assert_int_equal( c.now, 0 );

	// an allocation that fails is reported, at creation or later, and nothing leaks
	for ( size_t fail = 1; fail <= 20; ++fail )
	{
		c.calls = 0;
		c.fail_at = fail;
		ds_status status = ds_allan_stream_create( &def, &stream );
		if ( status == DS_OK )
		{
			status = ds_allan_stream_push( stream, y, COUNT / 64 );
			assert_true(
				status == DS_ERROR_MEMORY ? ds_allan_stream_push( stream, y, 1 ) == DS_ERROR_STATE : fail > c.calls );
		}
		assert_true( status == DS_ERROR_MEMORY || fail > c.calls );
		ds_allan_stream_destroy( stream );
		assert_int_equal( c.now, 0 );
	}
	free( y );
}

static void test_errors( void **state )
{
	(void)state;
	ds_allan_stream *stream = NULL;
	ds_allan_stream_def good = ds_allan_stream_def_default(), def = { 0 };
	assert_int_equal( ds_allan_stream_create( &def, &stream ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_allan_stream_create( NULL, &stream ), DS_ERROR_ARGUMENT );
	const double rates[] = { 0, -1, NAN, INFINITY };
	for ( int i = 0; i < 4; ++i )
	{
		def = good;
		def.rate = rates[i];
		assert_int_equal( ds_allan_stream_create( &def, &stream ), DS_ERROR_RANGE );
	}
	def = good;
	def.channels = 0;
	assert_int_equal( ds_allan_stream_create( &def, &stream ), DS_ERROR_RANGE );
	def = good;
	def.memory = 63;
	assert_int_equal( ds_allan_stream_create( &def, &stream ), DS_ERROR_RANGE );
	def = good;
	def.per_decade = 0;
	assert_int_equal( ds_allan_stream_create( &def, &stream ), DS_ERROR_RANGE );
	def = good;
	def.kinds = 1u << DS_ALLAN_KIND_COUNT;
	assert_int_equal( ds_allan_stream_create( &def, &stream ), DS_ERROR_RANGE );
	assert_null( stream );
	ds_allan_stream_destroy( NULL );

	stream = make_stream( 2, 64 );
	double samples[] = { 1, 2, 3, 4, 5, NAN };
	assert_int_equal( ds_allan_stream_push( stream, samples, 3 ), DS_ERROR_NOT_FINITE );
	assert_non_null( strstr( ds_last_error(), "sample 2 of channel 1" ) );
	assert_int_equal( ds_allan_stream_count( stream ), 0 );
	int64_t count;
	expect_ok( ds_allan_stream_curve( stream, 0, DS_ALLAN_OADEV, 0.95, NULL, 0, &count ) );
	assert_int_equal( count, 0 );
	expect_ok( ds_allan_stream_push( stream, samples, 2 ) );
	ds_allan_point point;
	expect_ok( ds_allan_stream_curve( stream, 1, DS_ALLAN_OADEV, 0.95, &point, 1, &count ) );
	assert_int_equal( count, 1 );
	expect_near( point.deviation, 2 / sqrt( 2 ), 1e-15, "of two samples" );
	ds_allan_stream_destroy( stream );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_exact ),
		cmocka_unit_test( test_thinned ),
		cmocka_unit_test( test_channels ),
		cmocka_unit_test( test_memory ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

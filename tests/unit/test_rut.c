// Ruts: marks and when they become ground, what a touch covers, interpolation, odd numbers, memory.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rut_kit.h"

// ---- marks ---------------------------------------------------------------------------------------------------------

// A mark stays unseen while its toucher is there, and is ground a whole tick after it has gone.
static void test_pending( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( 0.02, 1 << 20, false );
	double x = 0.01, y = 0.03; // centres of cells
	int64_t t = 0;
	for ( ; t < 5; ++t )
	{
		ds_rut_touch( rut, x, y, 0, 0.05 - 0.005 * (double)t, t, 7 ); // less and less: the deepest counts
		assert_true( ds_rut_at( rut, x, y, t, 7 ).packed == 0 && ds_rut_at( rut, x, y, t, 8 ).packed == 0 );
		ds_rut_settle( rut, t );
		assert_true( ds_rut_at( rut, x, y, t + 1, 7 ).packed == 0 );
	}
	assert_true( ds_rut_at( rut, x, y, t, 7 ).packed == 0 ); // tick 5: touched in 4
	ds_rut_settle( rut, t++ );
	NEAR( ds_rut_at( rut, x, y, t, 7 ).packed, 0.05, RUT_UNIT );
	NEAR( ds_rut_at( rut, x, y, t, 8 ).surface, 0.05, RUT_UNIT );

	// less deep leaves nothing, deeper does; a cell that is left and met again is pending anew
	const double depths[3] = { 0.04, 0.06, 0.02 }, expected[3] = { 0.05, 0.06, 0.06 };
	for ( int k = 0; k < 3; ++k )
	{
		ds_rut_touch( rut, x, y, 0, depths[k], t, 7 );
		ds_rut_settle( rut, t++ );
		NEAR( ds_rut_at( rut, x, y, t, 7 ).packed, k ? expected[k - 1] : 0.05, RUT_UNIT );
		ds_rut_settle( rut, t++ );
		NEAR( ds_rut_at( rut, x, y, t, 7 ).packed, expected[k], RUT_UNIT );
	}
	ds_rut_use use = ds_rut_measure( rut );
	NEAR( use.deepest, 0.06, RUT_UNIT );
	assert_int_equal( use.pages, 1 );
	ds_rut_clear( rut );
	assert_true( ds_rut_at( rut, x, y, t, 7 ).packed == 0 && ds_rut_measure( rut ).pages == 0 );
	ds_rut_destroy( rut );
}

// One stands, another passes: what the second leaves is ground at once, the mark of the first is not.
static void test_touchers( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( 0.02, 1 << 20, false );
	for ( int64_t t = 0; t < 10; ++t )
	{
		ds_rut_touch( rut, 0.01, 0.01, 0, 0.03, t, 1 );
		ds_rut_touch( rut, 0.03, 0.01, 0, 0.03, t, 1 );
		if ( t < 3 )
		{
			ds_rut_touch( rut, 0.01, 0.01, 0, 0.08, t, 2 );
		}
		ds_rut_settle( rut, t );
		NEAR( ds_rut_at( rut, 0.01, 0.01, t + 1, 1 ).packed, t < 3 ? 0 : 0.08, RUT_UNIT );
		assert_true( ds_rut_at( rut, 0.03, 0.01, t + 1, 2 ).packed == 0 );
	}
	ds_rut_settle( rut, 10 );
	NEAR( ds_rut_at( rut, 0.01, 0.01, 11, 1 ).packed, 0.08, RUT_UNIT );
	NEAR( ds_rut_at( rut, 0.03, 0.01, 11, 1 ).packed, 0.03, RUT_UNIT );
	ds_rut_destroy( rut );
}

// Touchers of a tick in another order leave the same ground.
static void test_order( void **state )
{
	(void)state;
	ds_rut *rut[2] = { rut_make( 0.02, 1 << 20, true ), rut_make( 0.02, 1 << 20, true ) };
	for ( int64_t t = 0; t < 200; ++t )
	{
		for ( int k = 0; k < 2; ++k )
		{
			for ( int n = 0; n < 20; ++n )
			{
				int which = k ? 19 - n : n;
				double x = 0.013 * which + 0.004 * (double)t, y = 0.3 * sin( 0.7 * which + 0.01 * (double)t );
				ds_rut_touch( rut[k], x, y, 0.002, 0.02 + 0.01 * sin( which + 0.3 * (double)t ), t, which % 5 );
			}
			ds_rut_settle( rut[k], t );
		}
	}
	int deep = 0;
	for ( int i = -30; i < 80; ++i )
	{
		for ( int j = -30; j < 30; ++j )
		{
			ds_rut_point p[2];
			for ( int k = 0; k < 2; ++k )
			{
				p[k] = ds_rut_at( rut[k], 0.017 * i, 0.017 * j, 200, 0 );
			}
			assert_memory_equal( &p[0], &p[1], sizeof( p[0] ) );
			deep += p[0].packed > 0;
		}
	}
	assert_true( deep > 500 );
	ds_rut_destroy( rut[0] );
	ds_rut_destroy( rut[1] );
}

// ---- what a touch covers -------------------------------------------------------------------------------------------

// Elements side by side, finer or coarser than cells, at any angle to them: no cell below them stays untouched.
static void test_no_stripes( void **state )
{
	(void)state;
	const double pitches[] = { 0.004, 0.0199, 0.02, 0.0283, 0.05, 0.11 };
	for ( size_t p = 0; p < sizeof( pitches ) / sizeof( pitches[0] ); ++p )
	{
		double pitch = pitches[p];
		ds_rut *rut = rut_make( 0.02, 1 << 20, false );
		int n = (int)( 1 / pitch ) + 1;
		for ( int i = 0; i < n; ++i )
		{
			for ( int j = 0; j < n; ++j )
			{
				ds_rut_touch( rut, pitch * ( i + 0.5 ) - 0.5, pitch * ( j + 0.5 ) - 0.5, pitch * pitch, 0.05, 0, 0 );
			}
		}
		rut_rest( rut, 0, 2 );
		for ( int i = 0; i < 50; ++i )
		{
			for ( int j = 0; j < 50; ++j )
			{
				NEAR( ds_rut_at( rut, 0.02 * i - 0.49, 0.02 * j - 0.49, 2, 0 ).packed, 0.05, RUT_UNIT );
			}
		}
		// nor is much more touched than the elements' own area
		double area = rut_volume( rut, -2, 2 ) / 0.05, own = n * pitch * n * pitch;
		double rim = 0.02 + ( pitch < 0.02 ? 0.02 : 0 );
		assert_true( area >= 1 && area < ( sqrt( own ) + rim ) * ( sqrt( own ) + rim ) );
		ds_rut_destroy( rut );
	}
}

// A square of 3 x 3 cells about a centre covers nine; a point covers its cell; far from the origin too, on either side.
static void test_cover( void **state )
{
	(void)state;
	const double origins[] = { 0, -0.4, 123.44, -9.99e6, 9.99e6 };
	for ( size_t k = 0; k < sizeof( origins ) / sizeof( origins[0] ); ++k )
	{
		ds_rut *rut = rut_make( 0.02, 1 << 20, false );
		double o = origins[k];
		ds_rut_touch( rut, o + 0.01, -o + 0.01, 0.0036, 0.05, 0, 0 );
		rut_rest( rut, 0, 2 );
		int count = 0;
		for ( int i = -5; i <= 5; ++i )
		{
			for ( int j = -5; j <= 5; ++j )
			{
				bool inside = abs( i ) <= 1 && abs( j ) <= 1;
				double depth = ds_rut_at( rut, o + 0.01 + 0.02 * i, -o + 0.01 + 0.02 * j, 2, 0 ).packed;
				NEAR( depth, inside ? 0.05 : 0, RUT_UNIT );
				count += depth > 0;
			}
		}
		assert_int_equal( count, 9 );
		ds_rut_destroy( rut );
	}
}

static void test_odd_numbers( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( 0.02, 1 << 22, true );
	const double odd[] = { NAN, INFINITY, -INFINITY, 1.1e7, -1.1e7, 1e300 };
	for ( size_t k = 0; k < sizeof( odd ) / sizeof( odd[0] ); ++k )
	{
		ds_rut_touch( rut, odd[k], 0, 0.01, 0.05, 0, 0 );
		ds_rut_touch( rut, 0, odd[k], 0.01, 0.05, 0, 0 );
	}
	ds_rut_touch( rut, 0, 0, NAN, 0.05, 0, 0 );
	ds_rut_touch( rut, 0, 0, -1, 0.05, 0, 0 );
	const double nothing[] = { NAN, 0, -1, -INFINITY };
	for ( size_t k = 0; k < sizeof( nothing ) / sizeof( nothing[0] ); ++k )
	{
		ds_rut_touch( rut, 0, 0, 0.01, nothing[k], 0, 0 );
	}
	assert_int_equal( ds_rut_measure( rut ).pages, 0 );
	ds_rut_touch( rut, 0.01, 0.01, 0, INFINITY, 0, 0 );
	ds_rut_touch( rut, 1e7, -1e7, INFINITY, 0.05, 0, 0 ); // at most 256 cells wide
	for ( int64_t t = 0; t < 30; ++t )
	{
		ds_rut_settle( rut, t );
	}
	for ( size_t k = 0; k < sizeof( odd ) / sizeof( odd[0] ); ++k )
	{
		ds_rut_point p = ds_rut_at( rut, odd[k], 0, 2, 0 ), q = ds_rut_at( rut, 0, odd[k], 2, 0 );
		assert_true( p.packed == 0 && p.surface == 0 && q.packed == 0 && q.surface == 0 );
	}
	assert_true( ds_rut_measure( rut ).deepest == 100 );
	ds_rut_destroy( rut );
}

// ---- interpolation -------------------------------------------------------------------------------------------------

// Presses the bottom to a function of the place, without the toucher ever being on two depths of a cell.
static void press_field( ds_rut *rut, double cell, int n, double ( *depth )( double, double ) )
{
	for ( int i = -n; i < n; ++i )
	{
		for ( int j = -n; j < n; ++j )
		{
			double x = ( i + 0.5 ) * cell, y = ( j + 0.5 ) * cell;
			ds_rut_touch( rut, x, y, 0, depth( x, y ), 0, 0 );
		}
	}
	rut_rest( rut, 0, 2 );
}

static double bilinear_field( double x, double y )
{
	return 0.3 + 0.3 * x - 0.2 * y + 0.6 * x * y;
}

// A bilinear field that is nowhere steep is met everywhere, within cells and across pages.
static void test_bilinear( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( 0.02, 1 << 20, false );
	press_field( rut, 0.02, 20, bilinear_field );
	for ( int i = -370; i < 370; i += 7 )
	{
		for ( int j = -370; j < 370; j += 3 )
		{
			double x = 0.001 * i, y = 0.001 * j;
			NEAR( ds_rut_at( rut, x, y, 2, 0 ).packed, bilinear_field( x, y ), RUT_UNIT );
		}
	}
	ds_rut_destroy( rut );
}

// The floor of a rut is flat up to its wall, and so is the ground beside it; a step half as steep again fades by half.
static void test_walls( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( 0.02, 1 << 20, false );
	double limit = 0.02 * tan( RUT_REPOSE ) * ( 1 + 1.0 / 64 );
	for ( int i = 0; i < 20; ++i )
	{
		for ( int j = 0; j < 20; ++j )
		{
			double depth = i < 10 ? 0.1 : 0.1 + 1.5 * limit;
			ds_rut_touch( rut, 0.02 * i + 0.01, 0.02 * j + 0.01, 0, depth, 0, 0 );
		}
	}
	rut_rest( rut, 0, 2 );
	for ( int i = -20; i < 195; ++i )
	{
		// across the edge of the rut at east = 0, and at north = 0
		double d = 0.001 * i + 0.0005, floor_there = d > 0 ? 0.1 : 0;
		NEAR( ds_rut_at( rut, 0.1, d, 2, 0 ).packed, floor_there, RUT_UNIT );
		NEAR( ds_rut_at( rut, d < 0.18 ? d : 0.18, 0.1, 2, 0 ).packed, floor_there, RUT_UNIT );
	}
	for ( int i = 1; i < 10; ++i )
	{
		// across the step at north = 0.2: half of the difference counts, from either side
		double d = 0.001 * i, share = ( 0.01 - d ) / 0.02;
		NEAR( ds_rut_at( rut, 0.2 - d, 0.1, 2, 0 ).packed, 0.1 + 0.5 * share * 1.5 * limit, 2 * RUT_UNIT );
		NEAR( ds_rut_at( rut, 0.2 + d, 0.1, 2, 0 ).packed, 0.1 + ( 1 - 0.5 * share ) * 1.5 * limit, 2 * RUT_UNIT );
	}
	ds_rut_destroy( rut );
}

// ---- memory --------------------------------------------------------------------------------------------------------

// One kilometre of two belts, each 0.4 m wide, in cells of 2 cm: below 64 MB, whatever the heading, and the first metre is
// there yet.
static void test_kilometre( void **state )
{
	(void)state;
	const double headings[] = { 0, 0.3, 0.7854 };
	for ( size_t h = 0; h < sizeof( headings ) / sizeof( headings[0] ); ++h )
	{
		bool erosion = h == 1;
		ds_rut *rut = rut_make( 0.02, 64000000, erosion );
		double c = cos( headings[h] ), s = sin( headings[h] );
		int64_t t = 0;
		for ( double x = 0; x < 1000; x += 0.04, ++t )
		{
			for ( int k = 0; k < 40; ++k )
			{
				double along = x + 0.02 * ( k % 2 ), across = 0.07 + ( k < 20 ? 0 : 1.3 ) + 0.04 * ( k % 20 / 2 );
				ds_rut_touch( rut, c * along - s * across, s * along + c * across, 0.0016, 0.05, t, 0 );
			}
			ds_rut_settle( rut, t );
		}
		rut_rest( rut, t, 2 );
		ds_rut_use use = ds_rut_measure( rut );
		double cells = (double)use.pages * 64, least = 2 * 0.4 * 1000 / 0.0004;
		assert_true( use.bytes < 64000000 && use.pages_given_up == 0 );
		assert_true( cells > least && cells < 2 * least );
		NEAR( ds_rut_at( rut, c * 0.5 - s * 0.25, s * 0.5 + c * 0.25, t, 0 ).packed, 0.05, RUT_UNIT );
		ds_rut_destroy( rut );
	}
}

// A full pool gives up what was touched longest ago: not what was made first.
static void test_full( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( 0.02, 1 << 16, false );
	int64_t t = 0;
	int n = 0;
	for ( ; ds_rut_measure( rut ).pages_given_up == 0; ++n, ++t )
	{
		ds_rut_touch( rut, 1.0 * n, 0, 0, 0.05, t, 0 );
		ds_rut_touch( rut, 0, 1, 0, 0.05, t, 0 ); // made first, touched always
		ds_rut_settle( rut, t );
		assert_true( n < 1000 );
	}
	assert_true( n > 64 );
	rut_rest( rut, t, 2 );
	assert_true( ds_rut_at( rut, 0.01, 1.01, t, 0 ).packed > 0.04 );
	for ( int k = 0; k < n; ++k )
	{
		assert_true( ( ds_rut_at( rut, k + 0.005, 0.005, t, 0 ).packed > 0.04 ) ==
					 ( k >= ds_rut_measure( rut ).pages_given_up ) );
	}
	ds_rut_destroy( rut );
}

// Pages come and go at random in a small pool: what is there is found, what was given up is not, none twice.
static void test_churn( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( 0.1, 1 << 16, false );
	enum
	{
		N = 40
	};
	static int64_t last[N][N];
	memset( last, -1, sizeof( last ) );
	uint64_t random = 1;
	for ( int64_t t = 0; t < 20000; t += 3 )
	{
		random = random * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
		int i = (int)( random >> 33 ) % N, j = (int)( random >> 50 ) % N;
		ds_rut_touch( rut, 0.8 * ( i - N / 2 ) + 0.41, 0.8 * ( j - N / 2 ) + 0.41, 0, 0.05, t, 0 );
		last[i][j] = t;
		rut_rest( rut, t, 2 );
	}
	int64_t found = 0, oldest = INT64_MAX, newest_lost = -1;
	for ( int i = 0; i < N; ++i )
	{
		for ( int j = 0; j < N; ++j )
		{
			bool there = ds_rut_at( rut, 0.8 * ( i - N / 2 ) + 0.41, 0.8 * ( j - N / 2 ) + 0.41, 0, 0 ).packed > 0;
			found += there;
			oldest = there && last[i][j] < oldest ? last[i][j] : oldest;
			newest_lost = !there && last[i][j] > newest_lost ? last[i][j] : newest_lost;
		}
	}
	assert_int_equal( found, ds_rut_measure( rut ).pages );
	assert_true( oldest > newest_lost && newest_lost > 0 );
	ds_rut_destroy( rut );
}

// ---- definitions ---------------------------------------------------------------------------------------------------

static void test_errors( void **state )
{
	(void)state;
	ds_rut_def good = { 0.02, 1 << 20, RUT_REPOSE, true };
	ds_rut *rut;
	assert_int_equal( ds_rut_create( NULL, NULL, &rut ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_rut_create( NULL, &good, NULL ), DS_ERROR_ARGUMENT );
	const double cells[] = { NAN, 0, -1, 1e-4, 11, INFINITY }, reposes[] = { NAN, 0, -1, 1.5, INFINITY };
	for ( size_t k = 0; k < sizeof( cells ) / sizeof( cells[0] ); ++k )
	{
		ds_rut_def bad = good;
		bad.cell = cells[k];
		assert_int_equal( ds_rut_create( NULL, &bad, &rut ), DS_ERROR_RANGE );
		assert_null( rut );
	}
	for ( size_t k = 0; k < sizeof( reposes ) / sizeof( reposes[0] ); ++k )
	{
		ds_rut_def bad = good;
		bad.repose = reposes[k];
		assert_int_equal( ds_rut_create( NULL, &bad, &rut ), DS_ERROR_RANGE );
	}
	ds_rut_def small = good, large = good;
	small.memory = 1000;
	large.memory = SIZE_MAX;
	assert_int_equal( ds_rut_create( NULL, &small, &rut ), DS_ERROR_RANGE );
	assert_int_equal( ds_rut_create( NULL, &large, &rut ), DS_ERROR_RANGE );
	ds_rut_destroy( NULL );
}

typedef struct counter
{
	int64_t blocks, bytes, most, left; // left: allocations until they fail
} counter;

static void *count_allocate( void *user, size_t size, size_t alignment )
{
	counter *c = user;
	void *memory = c->left-- > 0 ? aligned_alloc( alignment, size ) : NULL;
	c->blocks += memory != NULL;
	c->bytes += memory ? (int64_t)size : 0;
	c->most = c->bytes > c->most ? c->bytes : c->most;
	return memory;
}

static void count_release( void *user, void *memory, size_t size )
{
	counter *c = user;
	c->blocks--;
	c->bytes -= (int64_t)size;
	free( memory );
}

// Memory is taken at creation, no more than was said (and a little for slides), and all of it given back, also after a failure.
static void test_allocator( void **state )
{
	(void)state;
	counter c = { 0, 0, 0, 0 };
	ds_allocator allocator = { count_allocate, count_release, &c };
	ds_rut_def def = { 0.02, 1 << 20, RUT_REPOSE, true };
	ds_rut *rut;
	ds_status status = DS_ERROR_MEMORY;
	int tries = 0;
	for ( ; status != DS_OK; ++tries )
	{
		assert_int_equal( status, DS_ERROR_MEMORY );
		c.left = tries;
		status = ds_rut_create( &allocator, &def, &rut );
		assert_true( status == DS_OK || c.blocks == 0 );
	}
	assert_true( tries > 3 );
	c.left = 0;
	for ( int64_t t = 0; t < 500; ++t )
	{
		ds_rut_touch( rut, 0.02 * (double)t, 0, 0.01, 0.1, t, 0 );
		ds_rut_settle( rut, t );
	}
	assert_true( c.most <= ( 1 << 20 ) + ( 1 << 17 ) );
	ds_rut_destroy( rut );
	assert_true( c.blocks == 0 && c.bytes == 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_pending ),
		cmocka_unit_test( test_touchers ),
		cmocka_unit_test( test_order ),
		cmocka_unit_test( test_no_stripes ),
		cmocka_unit_test( test_cover ),
		cmocka_unit_test( test_odd_numbers ),
		cmocka_unit_test( test_bilinear ),
		cmocka_unit_test( test_walls ),
		cmocka_unit_test( test_kilometre ),
		cmocka_unit_test( test_full ),
		cmocka_unit_test( test_churn ),
		cmocka_unit_test( test_errors ),
		cmocka_unit_test( test_allocator ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

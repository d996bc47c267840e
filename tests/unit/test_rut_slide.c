// Ruts: walls slide to the angle of repose, lose no soil, prefer no side; loose soil lies on what was pressed.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rut_kit.h"

#define CELL 0.02

// Presses the cells of [n0, n1) x [e0, e1) to a depth in tick 0.
static void press( ds_rut *rut, int n0, int n1, int e0, int e1, double depth )
{
	for ( int i = n0; i < n1; ++i )
	{
		for ( int j = e0; j < e1; ++j )
		{
			ds_rut_touch( rut, CELL * ( i + 0.5 ), CELL * ( j + 0.5 ), 0, depth, 0, 0 );
		}
	}
}

static double surface_at( const ds_rut *rut, int i, int j )
{
	return ds_rut_at( rut, CELL * ( i + 0.5 ), CELL * ( j + 0.5 ), 0, 0 ).surface;
}

// Steepest slope between neighbours, of eight, within `n` cells of the origin.
static double steepest( const ds_rut *rut, int n )
{
	double most = 0;
	for ( int i = -n; i < n; ++i )
	{
		for ( int j = -n; j < n; ++j )
		{
			double here = surface_at( rut, i, j );
			for ( int k = 0; k < 4; ++k )
			{
				int di = k > 0, dj = k == 0 ? 1 : k - 2;
				double run = CELL * ( di && dj ? sqrt( 2 ) : 1 );
				most = fmax( most, fabs( surface_at( rut, i + di, j + dj ) - here ) / run );
			}
		}
	}
	return most;
}

// A steep trench: slopes end at that of repose, the volume stays, and the ends of its walls are where a bank of that slope and the
// same area would have them: a wall of height h becomes a slope from h / (2 tan) before it to as much behind it.
static void test_trench( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( CELL, 1 << 22, true );
	double depth = 0.1, slope = tan( RUT_REPOSE );
	press( rut, -40, 40, -10, 10, depth );
	rut_rest( rut, 0, 2 );
	double before = rut_volume( rut, -2, 2 );
	NEAR( before, 80 * 20 * CELL * CELL * depth, 80 * 20 * CELL * CELL * RUT_UNIT );
	double last = 1e9;
	int64_t t = 2;
	for ( ; t < 2000; t += 50 )
	{
		rut_rest( rut, t, 50 );
		double now = steepest( rut, 60 );
		assert_true( now <= last + 1e-5 );
		last = now;
	}
	assert_true( last <= slope * ( 1 + 1.0 / 64 ) + 1e-5 && last > 0.95 * slope );
	NEAR( rut_volume( rut, -2, 2 ), before, 1e-12 );
	double half = depth / ( 2 * slope );
	for ( int j = -25; j < 25; ++j )
	{
		double y = fabs( CELL * ( j + 0.5 ) ), inside = 10 * CELL + half - y;
		double expected = depth * fmin( fmax( inside / ( 2 * half ), 0 ), 1 );
		NEAR( surface_at( rut, 0, j ), expected, 0.1 * depth );
		assert_true( surface_at( rut, 0, j ) == surface_at( rut, 0, -1 - j ) ); // both walls alike, to the last bit
	}
	ds_rut_destroy( rut );
}

// Once all slopes stand, nothing moves any more.
static void test_rests( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( CELL, 1 << 22, true );
	press( rut, -5, 5, -5, 5, 0.2 );
	rut_rest( rut, 0, 3000 );
	size_t size = ds_rut_save_size( rut );
	void *a = malloc( size ), *b = malloc( size );
	ds_rut_save( rut, a );
	rut_rest( rut, 3000, 10 );
	assert_int_equal( ds_rut_save_size( rut ), size );
	ds_rut_save( rut, b );
	assert_memory_equal( a, b, size );
	free( a );
	free( b );
	ds_rut_destroy( rut );
}

// A pit that is square stays as its mirror images and its turns by 90 degrees, over the edges of pages.
static void test_symmetry( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( CELL, 1 << 22, true );
	press( rut, -7, 7, -7, 7, 0.15 );
	for ( int64_t t = 0; t < 60; ++t )
	{
		ds_rut_settle( rut, t );
		for ( int i = 0; i < 20; ++i )
		{
			for ( int j = 0; j < 20; ++j )
			{
				double here = surface_at( rut, i, j );
				assert_true( here == surface_at( rut, -1 - i, j ) && here == surface_at( rut, i, -1 - j ) );
				assert_true( here == surface_at( rut, j, i ) && here == surface_at( rut, -1 - j, -1 - i ) );
			}
		}
	}
	assert_true( surface_at( rut, 8, 0 ) > 0.01 && surface_at( rut, 6, 0 ) < 0.14 );
	ds_rut_destroy( rut );
}

// `packed` stays where the foot of the wall is covered, and follows where the bank went away.
static void test_packed( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( CELL, 1 << 22, true );
	press( rut, -20, 20, -6, 6, 0.1 );
	rut_rest( rut, 0, 1000 );
	ds_rut_point foot = ds_rut_at( rut, 0, 5.5 * CELL, 0, 0 ), bank = ds_rut_at( rut, 0, 6.5 * CELL, 0, 0 );
	NEAR( foot.packed, 0.1, RUT_UNIT );
	assert_true( foot.surface < 0.08 && foot.surface > 0.04 );
	assert_true( bank.packed == bank.surface && bank.surface > 0.02 && bank.surface < 0.06 );

	// pressed again, less deep than the first time: loose soil is compacted, what was packed stays so
	ds_rut_touch( rut, 0.5 * CELL, 5.5 * CELL, 0, 0.09, 1000, 0 );
	ds_rut_settle( rut, 1000 );
	assert_true( surface_at( rut, 0, 5 ) == foot.surface );
	ds_rut_settle( rut, 1001 );
	ds_rut_point pressed = ds_rut_at( rut, 0.5 * CELL, 5.5 * CELL, 0, 0 );
	NEAR( pressed.packed, 0.1, RUT_UNIT );
	assert_true( pressed.surface > foot.surface + 0.01 && pressed.surface <= 0.09 ); // and slides already
	ds_rut_destroy( rut );
}

// Nothing slides to where something stands, or before it has gone; without erosion nothing slides at all.
static void test_held( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( CELL, 1 << 22, true ), *plain = rut_make( CELL, 1 << 22, false );
	press( rut, -20, 20, -6, 6, 0.1 );
	press( plain, -20, 20, -6, 6, 0.1 );
	rut_rest( plain, 0, 500 );
	rut_rest( rut, 0, 1 );
	// a wheel stands at the foot of one wall from the start on
	for ( int64_t t = 1; t < 500; ++t )
	{
		ds_rut_touch( rut, 0.5 * CELL, 5.5 * CELL, 0, 0.1, t, 3 );
		ds_rut_settle( rut, t );
	}
	NEAR( surface_at( rut, 0, 5 ), 0.1, RUT_UNIT );
	assert_true( surface_at( rut, 0, -6 ) < 0.08 && surface_at( rut, 10, 5 ) < 0.08 );
	double volume = rut_volume( rut, -1, 1 );
	rut_rest( rut, 500, 500 );
	assert_true( surface_at( rut, 0, 5 ) < 0.08 );
	assert_true( steepest( rut, 40 ) <= tan( RUT_REPOSE ) * ( 1 + 1.0 / 64 ) + 1e-5 );
	NEAR( rut_volume( rut, -1, 1 ), volume, 1e-12 );
	NEAR( surface_at( plain, 0, 5 ), 0.1, RUT_UNIT );
	assert_true( surface_at( plain, 0, 6 ) == 0 );
	ds_rut_destroy( rut );
	ds_rut_destroy( plain );
}

// More pages than may slide in a tick: all have their turn, and end as they should.
static void test_many( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( CELL, 1 << 23, true );
	int pits = 0;
	for ( int i = -12; i < 12; ++i )
	{
		for ( int j = -12; j < 12; ++j, ++pits )
		{
			press( rut, 8 * i + 2, 8 * i + 5, 8 * j + 3, 8 * j + 6, 0.06 );
		}
	}
	assert_true( pits > 2 * DS_RUT_BATCH );
	rut_rest( rut, 0, 2 );
	double before = rut_volume( rut, -2.2, 2.2 );
	rut_rest( rut, 2, 2000 );
	assert_true( steepest( rut, 100 ) <= tan( RUT_REPOSE ) * ( 1 + 1.0 / 64 ) + 1e-5 );
	NEAR( rut_volume( rut, -2.2, 2.2 ), before, 1e-12 );
	for ( int i = -12; i < 12; ++i )
	{
		// one as the other
		NEAR( surface_at( rut, 8 * i + 3, 8 * i + 4 ), surface_at( rut, 3, 4 ), 2e-4 );
	}
	ds_rut_destroy( rut );
}

// Slides in a pool that is too small end, too, and keep the pool whole.
static void test_small_pool( void **state )
{
	(void)state;
	ds_rut *rut = rut_make( CELL, 1 << 16, true );
	for ( int64_t t = 0; t < 3000; ++t )
	{
		double x = 0.013 * (double)t;
		ds_rut_touch( rut, x, 0.2 * sin( x ), 0.02, 0.2 + 0.1 * sin( 7 * x ), t, (int32_t)( t % 3 ) );
		ds_rut_settle( rut, t );
	}
	ds_rut_use use = ds_rut_measure( rut );
	assert_true( use.pages_given_up > 50 && use.pages > 50 && use.bytes <= 1 << 16 );
	size_t size = ds_rut_save_size( rut );
	void *bytes = malloc( size );
	ds_rut_save( rut, bytes );
	if ( ds_rut_load( rut, bytes, size ) != DS_OK ) // checks all there is
	{
		fail_msg( "%s", ds_last_error() );
	}
	free( bytes );
	ds_rut_destroy( rut );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_trench ),
		cmocka_unit_test( test_rests ),
		cmocka_unit_test( test_symmetry ),
		cmocka_unit_test( test_packed ),
		cmocka_unit_test( test_held ),
		cmocka_unit_test( test_many ),
		cmocka_unit_test( test_small_pool ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

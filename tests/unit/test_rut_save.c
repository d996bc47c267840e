// Ruts as bytes: a loaded rut goes on bit for bit, whatever was in the pool before; damaged bytes are refused and change nothing.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rut_kit.h"

typedef struct saved
{
	size_t size;
	unsigned char *bytes;
} saved;

static saved save( const ds_rut *rut )
{
	saved s = { ds_rut_save_size( rut ), NULL };
	s.bytes = malloc( s.size );
	ds_rut_save( rut, s.bytes );
	return s;
}

static void load( ds_rut *rut, const saved *s )
{
	if ( ds_rut_load( rut, s->bytes, s->size ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
}

static void assert_same( const ds_rut *a, const ds_rut *b )
{
	saved sa = save( a ), sb = save( b );
	assert_int_equal( sa.size, sb.size );
	assert_memory_equal( sa.bytes, sb.bytes, sa.size );
	free( sa.bytes );
	free( sb.bytes );
}

// Three touchers wander about, cross their ruts, stand now and then; `half`: only the first half of the tick's touches, no end.
static void wander( ds_rut *rut, int64_t from, int64_t to, double start, bool half )
{
	for ( int64_t t = from; t < to; ++t )
	{
		for ( int k = 0; k < ( half ? 12 : 24 ); ++k )
		{
			double s = 0.004 * (double)( t - t % 40 ) + 0.7 * ( k % 3 );
			double x = start + 2 * cos( s ) + 0.03 * ( k / 3 ), y = 1.5 * sin( 1.7 * s ) - 0.02 * ( k / 3 );
			ds_rut_touch( rut, x, y, 0.003, 0.06 + 0.03 * sin( 9 * s + k ), t, k % 3 );
		}
		if ( !half )
		{
			ds_rut_settle( rut, t );
		}
	}
}

// Continued from the start of a tick or from the middle, in a roomy pool or in one that gives up pages, in ground that was used
// before.
static void test_continues( void **state )
{
	(void)state;
	const size_t memories[2] = { 1 << 20, 1 << 16 };
	for ( int m = 0; m < 4; ++m )
	{
		size_t memory = memories[m % 2];
		bool middle = m >= 2;
		ds_rut *a = rut_make( 0.02, memory, true ), *b = rut_make( 0.02, memory, true );
		wander( a, 0, 700, 0, false );
		wander( b, 0, 333, 55, false ); // other ground, slots and pages in another order
		wander( a, 700, 701, 0, middle );
		saved s = save( a );
		load( b, &s );
		assert_same( a, b );
		for ( int64_t t = 701; t < 2200; t += 100 )
		{
			wander( a, t, t + 100, 0, false );
			wander( b, t, t + 100, 0, false );
			assert_same( a, b );
		}
		ds_rut_use use = ds_rut_measure( b );
		assert_true( ( use.pages_given_up > 30 ) == ( m % 2 == 1 ) && use.deepest > 0.08 && use.pages > 50 );

		// only what is in use is saved
		assert_true( s.size < memory + 200 );
		ds_rut_clear( b );
		ds_rut *fresh = rut_make( 0.02, memory, true );
		assert_same( b, fresh );
		assert_true( ds_rut_save_size( fresh ) < 200 );
		wander( b, 0, 300, 0, false );
		wander( fresh, 0, 300, 0, false );
		assert_same( b, fresh );
		free( s.bytes );
		ds_rut_destroy( a );
		ds_rut_destroy( b );
		ds_rut_destroy( fresh );
	}
}

static void refused( ds_rut *rut, const void *bytes, size_t size, const saved *before )
{
	assert_int_equal( ds_rut_load( rut, bytes, size ), DS_ERROR_FORMAT );
	saved after = save( rut );
	assert_int_equal( after.size, before->size );
	assert_memory_equal( after.bytes, before->bytes, after.size );
	free( after.bytes );
}

// Every size but the right one is refused; every changed byte is either refused, or gives ground that saves as these very bytes.
static void test_damaged( void **state )
{
	(void)state;
	ds_rut *a = rut_make( 0.02, 1 << 18, true ), *b = rut_make( 0.02, 1 << 18, true );
	for ( int64_t t = 0; t < 30; ++t )
	{
		ds_rut_touch( a, 0.01 * (double)t, 0.05, 0.003, 0.05, t, 1 );
		ds_rut_touch( a, 0.05, 0.01 * (double)t, 0.003, 0.05, t, 2 );
		ds_rut_settle( a, t );
	}
	wander( b, 0, 30, 0, false );
	saved s = save( a ), before = save( b );
	assert_true( s.size > 3000 );
	for ( size_t size = 0; size < s.size; size += size < 300 ? 1 : 37 )
	{
		refused( b, s.bytes, size, &before );
	}
	unsigned char *longer = calloc( 1, s.size + 600 );
	memcpy( longer, s.bytes, s.size );
	refused( b, longer, s.size + 1, &before );
	refused( b, longer, s.size + 600, &before );
	refused( b, NULL, 0, &before );
	int taken = 0, bad = 0;
	for ( size_t i = 0; i < s.size; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			unsigned char change = (unsigned char)( k == 0 ? 1 : k == 1 ? 0x80 : 0xff );
			longer[i] = s.bytes[i] ^ change;
			ds_rut *c = rut_make( 0.02, 1 << 18, true );
			if ( ds_rut_load( c, longer, s.size ) == DS_OK )
			{
				saved again = save( c );
				assert_int_equal( again.size, s.size );
				assert_memory_equal( again.bytes, longer, s.size );
				free( again.bytes );
				wander( c, 100, 105, 0, false ); // and it works
				taken++;
			}
			else
			{
				assert_int_equal( ds_rut_load( c, longer, s.size ), DS_ERROR_FORMAT );
				assert_int_equal( ds_rut_measure( c ).pages, 0 );
				bad++;
			}
			ds_rut_destroy( c );
		}
		longer[i] = s.bytes[i];
	}
	assert_true( taken > 0 && bad > taken );
	load( b, &s );
	assert_same( a, b );
	free( longer );
	free( s.bytes );
	free( before.bytes );
	ds_rut_destroy( a );
	ds_rut_destroy( b );
}

// Ground of another definition is refused with words that say so.
static void test_other( void **state )
{
	(void)state;
	ds_rut *a = rut_make( 0.02, 1 << 20, true );
	ds_rut *others[3] = { rut_make( 0.03, 1 << 20, true ), rut_make( 0.02, 1 << 20, false ),
		rut_make( 0.02, 1 << 19, true ) };
	wander( a, 0, 20, 0, false );
	saved s = save( a );
	for ( int k = 0; k < 3; ++k )
	{
		saved before = save( others[k] );
		refused( others[k], s.bytes, s.size, &before );
		assert_non_null( strstr( ds_last_error(), "another ground" ) );
		free( before.bytes );
		ds_rut_destroy( others[k] );
	}
	free( s.bytes );
	ds_rut_destroy( a );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_continues ),
		cmocka_unit_test( test_damaged ),
		cmocka_unit_test( test_other ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

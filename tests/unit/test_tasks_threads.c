// The pool of threads: every part is done once, whatever the number of threads.

#include "world_kit.h"

#include "base/tasks.h"

#include <stdatomic.h>

#define COUNT 10007

typedef struct work
{
	int32_t done[COUNT];
	atomic_int parts;
	int32_t shortest;
	ds_tasks *pool;
	atomic_int nested;
} work;

static void mark( int32_t start, int32_t end, void *user )
{
	work *w = user;
	atomic_fetch_add( &w->parts, 1 );
	for ( int32_t i = start; i < end; ++i )
	{
		w->done[i]++;
	}
}

static void count_nested( int32_t start, int32_t end, void *user )
{
	work *w = user;
	atomic_fetch_add( &w->nested, end - start );
}

static void nest( int32_t start, int32_t end, void *user )
{
	work *w = user;
	for ( int32_t i = start; i < end; ++i )
	{
		OK( ds_tasks_run( w->pool, 10, 1, count_nested, w ) );
	}
}

static void test_all_is_done_once( void **state )
{
	(void)state;
	static const int32_t threads[] = { 1, 2, 3, 8 }, grains[] = { 0, 1, 7, 2000, 20000 };
	static work w;
	for ( size_t i = 0; i < 4; ++i )
	{
		ds_tasks *pool;
		OK( ds_tasks_create( NULL, threads[i], &pool ) );
		for ( size_t g = 0; g < 5; ++g )
		{
			for ( int32_t count = 0; count <= COUNT; count += count < 20 ? 1 : 3329 )
			{
				memset( &w, 0, sizeof( w ) );
				OK( ds_tasks_run( pool, count, grains[g], mark, &w ) );
				for ( int32_t k = 0; k < COUNT; ++k )
				{
					assert_int_equal( w.done[k], k < count ? 1 : 0 );
				}
				const int32_t grain = grains[g] > 0 ? grains[g] : 1;
				const int32_t most = threads[i] == 1 ? 1 : ( count + grain - 1 ) / grain;
				assert_true( atomic_load( &w.parts ) <= most || most == 0 );
			}
		}
		ds_tasks_destroy( pool );
	}
	ds_tasks_destroy( NULL );
}

static void test_within( void **state )
{
	(void)state;
	static work w;
	memset( &w, 0, sizeof( w ) );
	OK( ds_tasks_create( NULL, 4, &w.pool ) );
	OK( ds_tasks_run( w.pool, 100, 1, nest, &w ) );
	assert_int_equal( atomic_load( &w.nested ), 1000 );
	ds_tasks_destroy( w.pool );
}

static void test_limits( void **state )
{
	(void)state;
	ds_tasks *pool;
	FAILS( ds_tasks_create( NULL, 0, &pool ), DS_ERROR_RANGE, "threads: expected 1 to 64, got 0" );
	FAILS( ds_tasks_create( NULL, 65, &pool ), DS_ERROR_RANGE, "got 65" );
	assert_null( pool );
	OK( ds_tasks_create( NULL, 64, &pool ) ); // no thread is started yet
	ds_tasks_destroy( pool );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_all_is_done_once ),
		cmocka_unit_test( test_within ),
		cmocka_unit_test( test_limits ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

#include "base/tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct ds_tasks
{
	ds_allocator allocator;
	int32_t threads; // the caller's included
	int32_t started; // workers that run
	pthread_t workers[DS_MAX_THREADS - 1];
	pthread_mutex_t lock; // of all below but `next`
	pthread_cond_t wake, idle;
	uint64_t round; // counts runs: a worker wakes when it has changed
	int32_t busy; // workers that have not ended this round
	bool quit;
	// of a run
	ds_tasks_fn *work;
	void *user;
	int32_t count, grain;
	atomic_int_fast64_t next; // start of the next part
	atomic_bool running;
};

ds_status ds_tasks_create( const ds_allocator *allocator, int32_t threads, ds_tasks **tasks )
{
	*tasks = NULL;
	if ( threads < 1 || threads > DS_MAX_THREADS )
	{
		return ds_error( DS_ERROR_RANGE, "threads: expected 1 to %d, got %d", DS_MAX_THREADS, threads );
	}
	ds_tasks *t;
	DS_TRY( DS_NEW( allocator, 1, &t ) );
	if ( allocator )
	{
		t->allocator = *allocator;
	}
	t->threads = threads;
	pthread_mutex_init( &t->lock, NULL );
	pthread_cond_init( &t->wake, NULL );
	pthread_cond_init( &t->idle, NULL );
	*tasks = t;
	return DS_OK;
}

void ds_tasks_destroy( ds_tasks *t )
{
	if ( t == NULL )
	{
		return;
	}
	pthread_mutex_lock( &t->lock );
	t->quit = true;
	pthread_cond_broadcast( &t->wake );
	pthread_mutex_unlock( &t->lock );
	for ( int32_t i = 0; i < t->started; ++i )
	{
		pthread_join( t->workers[i], NULL );
	}
	pthread_cond_destroy( &t->idle );
	pthread_cond_destroy( &t->wake );
	pthread_mutex_destroy( &t->lock );
	const ds_allocator allocator = t->allocator;
	DS_FREE( &allocator, t, 1 );
}

static void share( ds_tasks *t )
{
	for ( ;; )
	{
		int64_t start = atomic_fetch_add_explicit( &t->next, t->grain, memory_order_relaxed );
		if ( start >= t->count )
		{
			return;
		}
		int64_t end = start + t->grain < t->count ? start + t->grain : t->count;
		t->work( (int32_t)start, (int32_t)end, t->user );
	}
}

static void *worker( void *pool )
{
	ds_tasks *t = pool;
	uint64_t seen = 0;
	pthread_mutex_lock( &t->lock );
	for ( ;; )
	{
		while ( !t->quit && t->round == seen )
		{
			pthread_cond_wait( &t->wake, &t->lock );
		}
		if ( t->quit )
		{
			break;
		}
		seen = t->round;
		pthread_mutex_unlock( &t->lock );
		share( t );
		pthread_mutex_lock( &t->lock );
		if ( --t->busy == 0 )
		{
			pthread_cond_signal( &t->idle );
		}
	}
	pthread_mutex_unlock( &t->lock );
	return NULL;
}

static ds_status start( ds_tasks *t )
{
	while ( t->started < t->threads - 1 )
	{
		int error = pthread_create( t->workers + t->started, NULL, worker, t );
		if ( error != 0 )
		{
			return ds_error( DS_ERROR_LIMIT, "threads: only %d of %d could be started (%s); ask for fewer",
				t->started + 1, t->threads, strerror( error ) );
		}
		t->started++;
	}
	return DS_OK;
}

ds_status ds_tasks_run( ds_tasks *t, int32_t count, int32_t grain, ds_tasks_fn *work, void *user )
{
	grain = grain > 0 ? grain : 1;
	bool within = atomic_load_explicit( &t->running, memory_order_relaxed );
	if ( within || t->threads == 1 || count <= grain )
	{
		if ( count > 0 )
		{
			work( 0, count, user );
		}
		return DS_OK;
	}
	DS_TRY( start( t ) );
	atomic_store_explicit( &t->running, true, memory_order_relaxed );
	t->work = work;
	t->user = user;
	t->count = count;
	t->grain = grain;
	atomic_store_explicit( &t->next, 0, memory_order_relaxed );
	pthread_mutex_lock( &t->lock );
	t->round++;
	t->busy = t->started;
	pthread_cond_broadcast( &t->wake );
	pthread_mutex_unlock( &t->lock );
	share( t );
	pthread_mutex_lock( &t->lock );
	while ( t->busy > 0 )
	{
		pthread_cond_wait( &t->idle, &t->lock );
	}
	pthread_mutex_unlock( &t->lock );
	atomic_store_explicit( &t->running, false, memory_order_relaxed );
	return DS_OK;
}

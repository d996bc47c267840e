// Work of a part that is shared by threads: by the world's own, or by the user's.

#include "core/world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

ds_status ds_parallel_create( ds_world *world, int32_t scenario_threads )
{
	int32_t threads = world->def.threads ? world->def.threads : scenario_threads ? scenario_threads : 1;
	if ( threads < 1 || threads > DS_MAX_THREADS )
	{
		return ds_error( DS_ERROR_RANGE, "the world's threads must be 1 to %d, or 0 for the scenario's; got %d",
			DS_MAX_THREADS, threads );
	}
	world->threads = threads;
	bool own = threads > 1 && world->def.enqueue_task == NULL;
	return own ? ds_tasks_create( &world->hooks.allocator, threads, &world->tasks ) : DS_OK;
}

// ---- by the user's tasks -------------------------------------------------------------------------------------------

typedef struct user_work
{
	ds_task_fn *task;
	void *context;
	int32_t count;
	atomic_int_fast64_t done;
} user_work;

// Keeps to what there is, whatever the user's threads ask for.
static void run_user_part( int32_t start, int32_t end, void *context )
{
	user_work *w = context;
	start = start < 0 ? 0 : start;
	end = end > w->count ? w->count : end;
	if ( start < end )
	{
		w->task( start, end, w->context );
		atomic_fetch_add( &w->done, end - start );
	}
}

ds_status ds_parallel_enqueue( ds_world *world, int32_t count, ds_task_fn *task, void *context )
{
	user_work w = { .task = task, .context = context, .count = count };
	atomic_init( &w.done, 0 );
	void *handle = world->def.enqueue_task( run_user_part, count, 1, &w, world->def.user );
	if ( handle )
	{
		world->def.finish_task( handle, world->def.user );
	}
	const int64_t done = (int64_t)atomic_load( &w.done );
	if ( done != count )
	{
		return ds_error( DS_ERROR_STATE,
			"enqueue_task: %lld of %d items of its work were done when it was over: it must call the task for each of "
			"[0, count) once, and finish_task must wait for that",
			(long long)done, (int)count );
	}
	return DS_OK;
}

// ---- by parts ------------------------------------------------------------------------------------------------------

// A call of host->parallel.
typedef struct work
{
	ds_parallel_fn *task;
	void *user;
	pthread_mutex_t lock; // of what follows
	int32_t start; // of the first part that failed
	ds_status status;
	char text[512];
} work;

static void run_part( int32_t start, int32_t end, void *context )
{
	work *w = context;
	ds_error_clear();
	ds_status status = w->task( start, end, w->user );
	if ( status == DS_OK )
	{
		return;
	}
	pthread_mutex_lock( &w->lock );
	if ( w->status == DS_OK || start < w->start )
	{
		w->status = status;
		w->start = start;
		ds_copy_string( w->text, sizeof( w->text ), ds_last_error() );
	}
	pthread_mutex_unlock( &w->lock );
}

// Parts are small enough that no thread waits long for the last one.
#define PARTS 16 // for each thread

static ds_status share( ds_world *world, int32_t count, work *w )
{
	if ( world->def.enqueue_task )
	{
		return ds_parallel_enqueue( world, count, run_part, w );
	}
	if ( world->tasks )
	{
		return ds_tasks_run( world->tasks, count, count / ( PARTS * world->threads ), run_part, w );
	}
	run_part( 0, count, w );
	return DS_OK;
}

ds_status ds_parallel_run( ds_world *world, int32_t count, ds_parallel_fn *task, void *user )
{
	if ( count < 0 || task == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "parallel needs a task and a count of at least 0" );
	}
	if ( count == 0 )
	{
		return DS_OK;
	}
	work w = { .task = task, .user = user };
	pthread_mutex_init( &w.lock, NULL );
	ds_status status = share( world, count, &w );
	pthread_mutex_destroy( &w.lock );
	DS_TRY( status );
	if ( w.status == DS_OK )
	{
		return DS_OK;
	}
	bool known = (unsigned)w.status < DS_STATUS_COUNT;
	return ds_error( known ? w.status : DS_ERROR_PLUGIN, "%s", w.text[0] ? w.text : ds_status_name( w.status ) );
}

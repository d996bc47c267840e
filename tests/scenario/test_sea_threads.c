// Clones that share a sea, in threads of their own, and one world whose bodies are evaluated by several threads: the same bits.

#include "../unit/sea_kit.h"
#include "sea_storm.h"

#include <pthread.h>

#define TICKS 500

typedef struct run
{
	ds_world *world;
	pthread_t thread;
} run;

static void *step_it( void *argument )
{
	ds_world_step( ( (run *)argument )->world, TICKS );
	return NULL;
}

// Eight clones, which share the sea, in eight threads.
static void test_threads( void **state )
{
	(void)state;
	ds_world *world = sea_world( STORM, FLEET );
	OK( ds_world_step( world, 100 ) );
	run runs[8];
	for ( int i = 0; i < 8; ++i )
	{
		OK( ds_world_clone( world, &runs[i].world ) );
	}
	for ( int i = 0; i < 8; ++i )
	{
		assert_int_equal( pthread_create( &runs[i].thread, NULL, step_it, runs + i ), 0 );
	}
	OK( ds_world_step( world, TICKS ) );
	saved end = save( world );
	ds_world_destroy( world );
	for ( int i = 0; i < 8; ++i )
	{
		assert_int_equal( pthread_join( runs[i].thread, NULL ), 0 );
		same( end, save( runs[i].world ) );
		ds_world_destroy( runs[i].world );
	}
	free( end.bytes );
}

// A pool of the crudest kind: a thread for every body.
typedef struct job
{
	ds_task_fn *task;
	void *context;
	int32_t index, count;
	pthread_t thread;
} job;

static void *do_job( void *argument )
{
	job *j = argument;
	j->task( j->index, j->index + 1, j->context );
	return NULL;
}

static void *enqueue( ds_task_fn *task, int32_t count, int32_t minimum_range, void *context, void *user )
{
	(void)minimum_range;
	(void)user;
	job *jobs = malloc( (size_t)count * sizeof( *jobs ) );
	for ( int32_t i = 0; i < count; ++i )
	{
		jobs[i] = ( job ){ task, context, i, count, 0 };
		pthread_create( &jobs[i].thread, NULL, do_job, jobs + i );
	}
	return jobs;
}

static void finish( void *task, void *user )
{
	(void)user;
	job *jobs = task;
	for ( int32_t i = jobs->count - 1; i >= 0; --i )
	{
		pthread_join( jobs[i].thread, NULL );
	}
	free( jobs );
}

static void test_tasks( void **state )
{
	(void)state;
	ds_world *serial = sea_world( STORM, FLEET ), *parallel;
	ds_scenario *scenario;
	OK( sea_parse( STORM, FLEET, &scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	def.enqueue_task = enqueue;
	def.finish_task = finish;
	OK( ds_world_create( &def, &parallel ) );
	ds_scenario_release( scenario );
	OK( ds_world_step( serial, 200 ) );
	OK( ds_world_step( parallel, 200 ) );
	saved end = save( serial );
	same( end, save( parallel ) );
	free( end.bytes );
	ds_world_destroy( serial );
	ds_world_destroy( parallel );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_threads ),
		cmocka_unit_test( test_tasks ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

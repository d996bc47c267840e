// Threads that share work: a pool of workers that wait for parts of a range. The caller works too.

#ifndef DEEPSIM_SRC_TASKS_H
#define DEEPSIM_SRC_TASKS_H

#include "base/base.h"

#define DS_MAX_THREADS 64

typedef struct ds_tasks ds_tasks;

// Work on [start, end).
typedef void ds_tasks_fn( int32_t start, int32_t end, void *user );

// A pool of `threads` threads, the caller's included: 1 to DS_MAX_THREADS. The others are started by the first ds_tasks_run.
ds_status ds_tasks_create( const ds_allocator *allocator, int32_t threads, ds_tasks **tasks );

// Joins the threads. NULL is nothing.
void ds_tasks_destroy( ds_tasks *tasks );

// Calls `work` over parts of [0, count), no shorter than `grain` (at least 1) but for the last, until all is done. From within `work` it
// runs in the calling thread alone. A pool belongs to one thread at a time. DS_ERROR_LIMIT: no thread could be started; nothing was done.
ds_status ds_tasks_run( ds_tasks *tasks, int32_t count, int32_t grain, ds_tasks_fn *work, void *user );

#endif

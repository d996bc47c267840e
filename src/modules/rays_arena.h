// A task arena of one thread, which is the only part of TBB that C cannot call.

#ifndef DEEPSIM_MODULES_RAYS_ARENA_H
#define DEEPSIM_MODULES_RAYS_ARENA_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C"
{
#endif

// Runs a function in this thread, with whatever it spawns. False: TBB threw something (it is out of memory).
bool ds_arena_run( void ( *work )( void *user ), void *user );

#ifdef __cplusplus
}
#endif

#endif

// Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3").
// A stream is a pure function of (seed, name, domain, index): no state has to be saved, and one part's draws never
// disturb another's.

#ifndef DEEPSIM_SRC_RANDOM_H
#define DEEPSIM_SRC_RANDOM_H

#include "deepsim/random.h"

// One block: out = Philox4x32-10( counter, key ).
void ds_philox( const uint32_t counter[4], const uint32_t key[2], uint32_t out[4] );

// The key of a consumer: a mix of the world's seed and the hash of its name.
void ds_random_key( uint64_t seed, const char *name, uint32_t key[2] );

// Starts the stream of one sample, tick or reset: `domain` parts their kinds, `index` counts them.
void ds_random_start( ds_random *random, const uint32_t key[2], uint32_t domain, uint64_t index );

// ds_random_normals by a kernel of random_kernel.h.
struct ds_random_kernel;
void ds_random_normals_by(
	const struct ds_random_kernel *kernel, const ds_random *stream, uint32_t first, uint32_t count, double *out );

#endif

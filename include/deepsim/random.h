// libdeepsim: random numbers by count. A stream is a pure function of (seed, name, domain, index): no state has to be saved,
// any number of it can be had without those before, and one part's numbers never disturb another's. Philox4x32-10 (Salmon,
// Moraes, Dror, Shaw, SC11 2011).
//
// A sensor model draws from the stream of its sample. Each noise term has numbers of its own (a "slot"), so that no term's
// noise changes when another is switched on.

#ifndef DEEPSIM_RANDOM_H
#define DEEPSIM_RANDOM_H

#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

// A stream. Plain data; copies draw the same numbers.
typedef struct ds_random
{
	uint32_t key[2];
	uint32_t counter[4]; // draw number, domain, index low, index high
	uint32_t block[4];
	uint32_t used; // words of the block that were drawn
} ds_random;

// What `index` of a stream counts.
#define DS_RANDOM_SAMPLE 0u // samples of a sensor
#define DS_RANDOM_TICK   1u
#define DS_RANDOM_EFFORT 2u
#define DS_RANDOM_RESET  3u // index 0: what is drawn once a run

// The stream of sample `index` of the consumer `name`, as a world of this seed gives it to the part of that name.
DS_API ds_random ds_random_stream( uint64_t seed, const char *name, uint32_t domain, uint64_t index );

// Numbers `first` to `first + count - 1` of a stream: standard normal; uniform in [0, 1) with 53 bits. A number depends on the
// stream's key, domain and index and on its own slot alone: any piece of the slots holds the same values as one by one. Both kinds
// have slots of their own, in [0, 2^29), apart from what is drawn in turn below. `stream` is not changed.
//
// The bits are the same on every machine: nothing of the C library's is in them. Normal numbers are by the transform of Box and Muller
// (1958), from 64 bits a pair (40 for the radius, 24 for the angle), to 1e-13; none is beyond 7.54, where 5e-14 of the law lie. They
// cost least in runs of 16 or 32 that start at a multiple of 4.
DS_API void ds_random_normals( const ds_random *stream, uint32_t first, uint32_t count, double *out );
DS_API void ds_random_uniforms( const ds_random *stream, uint32_t first, uint32_t count, double *out );

// The next number of a stream, drawn in turn: uniform in [0, 1) with 53 bits; standard normal (two draws).
DS_API double ds_random_uniform( ds_random *random );
DS_API double ds_random_normal( ds_random *random );

#ifdef __cplusplus
}
#endif

#endif

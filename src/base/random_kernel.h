// The loop that makes normal numbers, compiled for several instruction sets (random_loop.h). All make the same bits.

#ifndef DEEPSIM_SRC_RANDOM_KERNEL_H
#define DEEPSIM_SRC_RANDOM_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

// Philox4x32-10: multipliers and key increments. Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC11 (2011), table 2 and section 3.3 (the golden ratio and sqrt(3) - 1, times 2^32).
#define DS_PHILOX_M0     UINT64_C( 0xD2511F53 )
#define DS_PHILOX_M1     UINT64_C( 0xCD9E8D57 )
#define DS_PHILOX_W0     UINT32_C( 0x9E3779B9 )
#define DS_PHILOX_W1     UINT32_C( 0xBB67AE85 )
#define DS_PHILOX_ROUNDS 10

// Normal numbers of a block.
#define DS_NORMALS_BLOCK 4

// What the blocks of a stream are made from.
typedef struct ds_normals_source
{
	uint32_t key[2];
	uint32_t counter[4]; // of the first block; counter[0] goes up
} ds_normals_source;

typedef struct ds_random_kernel
{
	const char *name;
	uint32_t width; // blocks that are made together
	// Blocks 0 to count - 1 from the source on, 4 numbers each. `count` is a multiple of the width.
	void ( *normals )( const ds_normals_source *source, uint32_t count, double *out );
} ds_random_kernel;

extern const ds_random_kernel ds_random_kernel_scalar;
#if defined( __x86_64__ )
extern const ds_random_kernel ds_random_kernel_sse2, ds_random_kernel_avx2, ds_random_kernel_avx512;
#endif

// Those that run on this processor, the fastest first. Returns their number.
int ds_random_kernels( const ds_random_kernel *kernels[4] );

#endif

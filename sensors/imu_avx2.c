// A sample of the IMU, four lanes at a time.

#include "sensors/imu_model.h"

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#include <immintrin.h>

#define WIDTH           4
#define MINIMUM( a, b ) _mm256_min_pd( a, b )
#define MAXIMUM( a, b ) _mm256_max_pd( a, b )
// Twelve lanes, two rows of six, to one row and two zeros.
#define FOLD( sum, noise )                                                                                             \
	( noise[0] = sum[0] + _mm256_permute2f128_pd( sum[1], sum[2], 0x21 ),                                              \
		noise[1] = _mm256_permute2f128_pd( sum[1], sum[1], 0x80 ) + _mm256_permute2f128_pd( sum[2], sum[2], 0x81 ) )
#include "sensors/imu_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

ds_imu_kernel *const ds_imu_kernel_avx2 = measure_mean;

#endif

// Light on a tile, eight lanes at a time.

#include "optics/radiance_kernel.h"

#include <math.h>

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#include <immintrin.h>

#define WIDTH                           8
#define SQRT( x )                       _mm256_sqrt_ps( x )
#define MINIMUM( a, b )                 _mm256_min_ps( a, b )
#define MAXIMUM( a, b )                 _mm256_max_ps( a, b )
#define GATHER_PAIRS( table, at, a, b ) gather_pairs( table, (__m256i)( at ), a, b )

// Two neighbours at once: half as many loads.
static inline void gather_pairs( const float *table, __m256i at, __m256 *a, __m256 *b )
{
	const double *p = (const double *)(const void *)table;
	// places in the order 0 1 4 5 2 3 6 7, so that the shuffles put the lanes in order
	at = _mm256_permute4x64_epi64( at, _MM_SHUFFLE( 3, 1, 2, 0 ) );
	__m256 first = _mm256_castpd_ps( _mm256_i32gather_pd( p, _mm256_castsi256_si128( at ), 4 ) );
	__m256 second = _mm256_castpd_ps( _mm256_i32gather_pd( p, _mm256_extracti128_si256( at, 1 ), 4 ) );
	*a = _mm256_shuffle_ps( first, second, _MM_SHUFFLE( 2, 0, 2, 0 ) );
	*b = _mm256_shuffle_ps( first, second, _MM_SHUFFLE( 3, 1, 3, 1 ) );
}

#include "optics/radiance_loop.h"

const ds_light_kernel ds_light_kernel_avx2 = { "avx2", light, nodes, exponentials, fades, logarithms };

#if defined( __clang__ )
#pragma clang attribute pop
#endif

#endif

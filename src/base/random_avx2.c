// Normal numbers, four blocks at a time.

#include "base/random_kernel.h"

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#include <immintrin.h>

#define WIDTH           4
#define SPLAT( x )      _mm256_set1_pd( x )
#define SQRT( x )       _mm256_sqrt_pd( x )
#define BITS( x )       _mm256_castpd_si256( x )
#define NUMBER( x )     _mm256_castsi256_pd( x )
#define SPLAT_BITS( x ) _mm256_set1_epi64x( x )
#define LANES           _mm256_set_epi64x( 3, 2, 1, 0 )
#define PRODUCT( a, b ) _mm256_mul_epu32( a, b )
#define ADD( a, b )     _mm256_add_epi64( a, b )
#define XOR( a, b )     _mm256_xor_si256( a, b )
#define OR( a, b )      _mm256_or_si256( a, b )
#define AND( a, b )     _mm256_and_si256( a, b )
#define RIGHT( x, n )   _mm256_srli_epi64( x, n )
#define LEFT( x, n )    _mm256_slli_epi64( x, n )
#define MERGE( h, l )   _mm256_blend_epi32( l, h, 0xAA )

typedef __m256d vec;
typedef __m256i bits;

static inline void store_blocks( double *out, vec x0, vec y0, vec x1, vec y1 )
{
	vec even0 = _mm256_unpacklo_pd( x0, y0 ), odd0 = _mm256_unpackhi_pd( x0, y0 );
	vec even1 = _mm256_unpacklo_pd( x1, y1 ), odd1 = _mm256_unpackhi_pd( x1, y1 );
	_mm256_storeu_pd( out, _mm256_permute2f128_pd( even0, even1, 0x20 ) );
	_mm256_storeu_pd( out + 4, _mm256_permute2f128_pd( odd0, odd1, 0x20 ) );
	_mm256_storeu_pd( out + 8, _mm256_permute2f128_pd( even0, even1, 0x31 ) );
	_mm256_storeu_pd( out + 12, _mm256_permute2f128_pd( odd0, odd1, 0x31 ) );
}

#include "base/random_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

const ds_random_kernel ds_random_kernel_avx2 = { "avx2", WIDTH, normals };

#endif

// Normal numbers, eight blocks at a time.

#include "base/random_kernel.h"

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx512f" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx512f" )
#endif

#include <immintrin.h>

#define WIDTH           8
#define SPLAT( x )      _mm512_set1_pd( x )
#define SQRT( x )       _mm512_sqrt_pd( x )
#define BITS( x )       _mm512_castpd_si512( x )
#define NUMBER( x )     _mm512_castsi512_pd( x )
#define SPLAT_BITS( x ) _mm512_set1_epi64( x )
#define LANES           _mm512_set_epi64( 7, 6, 5, 4, 3, 2, 1, 0 )
#define PRODUCT( a, b ) _mm512_mul_epu32( a, b )
#define ADD( a, b )     _mm512_add_epi64( a, b )
#define XOR( a, b )     _mm512_xor_si512( a, b )
#define OR( a, b )      _mm512_or_si512( a, b )
#define AND( a, b )     _mm512_and_si512( a, b )
#define RIGHT( x, n )   _mm512_srli_epi64( x, n )
#define LEFT( x, n )    _mm512_slli_epi64( x, n )
#define MERGE( h, l )   _mm512_mask_blend_epi32( 0xAAAA, l, h )

typedef __m512d vec;
typedef __m512i bits;

// The two blocks of a register, one after the other in the order of the stream.
static inline void store_two( double *first, double *second, vec x )
{
	_mm256_storeu_pd( first, _mm512_castpd512_pd256( x ) );
	_mm256_storeu_pd( second, _mm512_extractf64x4_pd( x, 1 ) );
}

static inline void store_blocks( double *out, vec x0, vec y0, vec x1, vec y1 )
{
	const bits low = _mm512_set_epi64( 11, 10, 3, 2, 9, 8, 1, 0 );
	const bits high = _mm512_set_epi64( 15, 14, 7, 6, 13, 12, 5, 4 );
	vec even0 = _mm512_unpacklo_pd( x0, y0 ), odd0 = _mm512_unpackhi_pd( x0, y0 );
	vec even1 = _mm512_unpacklo_pd( x1, y1 ), odd1 = _mm512_unpackhi_pd( x1, y1 );
	store_two( out, out + 8, _mm512_permutex2var_pd( even0, low, even1 ) );
	store_two( out + 4, out + 12, _mm512_permutex2var_pd( odd0, low, odd1 ) );
	store_two( out + 16, out + 24, _mm512_permutex2var_pd( even0, high, even1 ) );
	store_two( out + 20, out + 28, _mm512_permutex2var_pd( odd0, high, odd1 ) );
}

#include "base/random_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

const ds_random_kernel ds_random_kernel_avx512 = { "avx512", WIDTH, normals };

#endif

// Normal numbers, two blocks at a time: what every x86-64 processor has.

#include "base/random_kernel.h"

#if defined( __x86_64__ )

#include <immintrin.h>

#define WIDTH           2
#define SPLAT( x )      _mm_set1_pd( x )
#define SQRT( x )       _mm_sqrt_pd( x )
#define BITS( x )       _mm_castpd_si128( x )
#define NUMBER( x )     _mm_castsi128_pd( x )
#define SPLAT_BITS( x ) _mm_set1_epi64x( x )
#define LANES           _mm_set_epi64x( 1, 0 )
#define PRODUCT( a, b ) _mm_mul_epu32( a, b )
#define ADD( a, b )     _mm_add_epi64( a, b )
#define XOR( a, b )     _mm_xor_si128( a, b )
#define OR( a, b )      _mm_or_si128( a, b )
#define AND( a, b )     _mm_and_si128( a, b )
#define RIGHT( x, n )   _mm_srli_epi64( x, n )
#define LEFT( x, n )    _mm_slli_epi64( x, n )
#define MERGE( h, l )   OR( h, AND( l, SPLAT_BITS( 0xFFFFFFFF ) ) )

typedef __m128d vec;
typedef __m128i bits;

static inline void store_blocks( double *out, vec x0, vec y0, vec x1, vec y1 )
{
	_mm_storeu_pd( out, _mm_unpacklo_pd( x0, y0 ) );
	_mm_storeu_pd( out + 2, _mm_unpacklo_pd( x1, y1 ) );
	_mm_storeu_pd( out + 4, _mm_unpackhi_pd( x0, y0 ) );
	_mm_storeu_pd( out + 6, _mm_unpackhi_pd( x1, y1 ) );
}

#include "base/random_loop.h"

const ds_random_kernel ds_random_kernel_sse2 = { "sse2", WIDTH, normals };

#endif

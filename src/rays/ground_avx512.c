// The walk through a block, eight rays at a time.

#include "rays/ground.h"

#include <math.h>

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx512f,avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx512f,avx2" )
#endif

#include <immintrin.h>

#define WIDTH                       8
#define LOAD( p )                   _mm512_load_pd( p )
#define STORE( p, v )               _mm512_store_pd( p, v )
#define STORE_FLOAT( p, v )         _mm256_store_ps( p, _mm512_cvtpd_ps( v ) )
#define SPLAT( x )                  _mm512_set1_pd( x )
#define FLOOR( v )                  _mm512_roundscale_pd( v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC )
#define MIN( a, b )                 _mm512_min_pd( a, b )
#define MAX( a, b )                 _mm512_max_pd( a, b )
#define SELECT( m, a, b )           _mm512_mask_blend_pd( m, b, a )
#define LESS( a, b )                _mm512_cmp_pd_mask( a, b, _CMP_LT_OQ )
#define NOT_GREATER( a, b )         _mm512_cmp_pd_mask( a, b, _CMP_LE_OQ )
#define MASK_AND( a, b )            ( (__mmask8)( ( a ) & ( b ) ) )
#define MASK_OR( a, b )             ( (__mmask8)( ( a ) | ( b ) ) )
#define MASK_NOT( a )               ( ( __mmask8 ) ~( a ) )
#define MASK_BITS( a )              ( (uint32_t)( a ) )
#define MASK_FROM( bits )           ( (__mmask8)( bits ) )
#define GATHER_PAIRS( p, at, a, b ) gather_pairs( p, at, a, b )

typedef __m512d vec;
typedef __mmask8 mask;

// Two neighbours at once: half as many loads.
static inline void gather_pairs( const float *p, vec at, vec *a, vec *b )
{
	__m512i both = _mm512_castpd_si512( _mm512_i32gather_pd( _mm512_cvttpd_epi32( at ), p, 4 ) );
	*a = _mm512_cvtps_pd( _mm256_castsi256_ps( _mm512_cvtepi64_epi32( both ) ) );
	*b = _mm512_cvtps_pd( _mm256_castsi256_ps( _mm512_cvtepi64_epi32( _mm512_srli_epi64( both, 32 ) ) ) );
}

// clang-format off: the second needs the first
#include "rays/ground_lanes.h"
#include "rays/ground_loop.h"

#include "rays/ground_short.h"
// clang-format on

const ds_ray_kernel ds_ray_kernel_avx512 = { "avx512", prepare, walk_block, walk_short, finish };

#if defined( __clang__ )
#pragma clang attribute pop
#endif

#endif

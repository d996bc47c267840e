// The walk through a block, four rays at a time.

#include "rays/ground.h"

#include <math.h>

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#include <immintrin.h>

#define WIDTH                       4
#define LOAD( p )                   _mm256_load_pd( p )
#define STORE( p, v )               _mm256_store_pd( p, v )
#define STORE_FLOAT( p, v )         _mm_store_ps( p, _mm256_cvtpd_ps( v ) )
#define SPLAT( x )                  _mm256_set1_pd( x )
#define FLOOR( v )                  _mm256_floor_pd( v )
#define MIN( a, b )                 _mm256_min_pd( a, b )
#define MAX( a, b )                 _mm256_max_pd( a, b )
#define SELECT( m, a, b )           _mm256_blendv_pd( b, a, m )
#define LESS( a, b )                _mm256_cmp_pd( a, b, _CMP_LT_OQ )
#define NOT_GREATER( a, b )         _mm256_cmp_pd( a, b, _CMP_LE_OQ )
#define MASK_AND( a, b )            _mm256_and_pd( a, b )
#define MASK_OR( a, b )             _mm256_or_pd( a, b )
#define MASK_NOT( a )               _mm256_xor_pd( a, _mm256_castsi256_pd( _mm256_set1_epi64x( -1 ) ) )
#define MASK_BITS( a )              ( (uint32_t)_mm256_movemask_pd( a ) )
#define MASK_FROM( bits )           mask_from( bits )
#define GATHER_PAIRS( p, at, a, b ) gather_pairs( p, at, a, b )

typedef __m256d vec;
typedef __m256d mask;

// Two neighbours at once: half as many loads.
static inline void gather_pairs( const float *p, vec at, vec *a, vec *b )
{
	__m256 both =
		_mm256_castpd_ps( _mm256_i32gather_pd( (const double *)(const void *)p, _mm256_cvttpd_epi32( at ), 4 ) );
	__m128 low = _mm256_castps256_ps128( both ), high = _mm256_extractf128_ps( both, 1 );
	*a = _mm256_cvtps_pd( _mm_shuffle_ps( low, high, _MM_SHUFFLE( 2, 0, 2, 0 ) ) );
	*b = _mm256_cvtps_pd( _mm_shuffle_ps( low, high, _MM_SHUFFLE( 3, 1, 3, 1 ) ) );
}

static inline mask mask_from( uint32_t bits )
{
	__m256i lanes = _mm256_set_epi64x( 8, 4, 2, 1 ), all = _mm256_set1_epi64x( (long long)bits );
	return _mm256_castsi256_pd( _mm256_cmpeq_epi64( _mm256_and_si256( all, lanes ), lanes ) );
}

// clang-format off: the second needs the first
#include "rays/ground_lanes.h"
#include "rays/ground_loop.h"

#include "rays/ground_short.h"
// clang-format on

const ds_ray_kernel ds_ray_kernel_avx2 = { "avx2", prepare, walk_block, walk_short, finish };

#if defined( __clang__ )
#pragma clang attribute pop
#endif

#endif

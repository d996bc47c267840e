// The loop over elements, eight lanes at a time.

#include "terrain/contact_kernel.h"

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx512f" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx512f" )
#endif

#include <immintrin.h>

#define WIDTH             8
#define LOAD( p )         _mm512_load_pd( p )
#define STORE( p, v )     _mm512_store_pd( p, v )
#define LOADU( p )        _mm512_loadu_pd( p )
#define STOREU( p, v )    _mm512_storeu_pd( p, v )
#define SPLAT( x )        _mm512_set1_pd( x )
#define SQRT( x )         _mm512_sqrt_pd( x )
#define ABS( x )          _mm512_abs_pd( x )
#define GREATER( a, b )   _mm512_cmp_pd_mask( a, b, _CMP_GT_OQ )
#define SELECT( m, a, b ) _mm512_mask_blend_pd( m, b, a )
#define MASK_AND( a, b )  ( (__mmask8)( ( a ) & ( b ) ) )
#define ANY( m )          ( ( m ) != 0 )
#define BITMASK( m )      ( (unsigned)( m ) )
#define BITS( x )         _mm512_castpd_si512( x )
#define NUMBER( x )       _mm512_castsi512_pd( x )
#define SPLAT_BITS( x )   _mm512_set1_epi64( x )
#define BITS_AND( a, b )  _mm512_and_si512( a, b )
#define BITS_OR( a, b )   _mm512_or_si512( a, b )
#define RIGHT( x, n )     _mm512_srli_epi64( x, n )
#define LEFT( x, n )      _mm512_slli_epi64( x, n )

typedef __m512d vec;
typedef __mmask8 mask;

#include "terrain/contact_bits.h"
#include "terrain/contact_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

const ds_contact_kernel ds_contact_kernel_avx512 = { "avx512", press, commit, press_run, commit_run, sight_vertices,
	sight_faces, sight_outline };

#endif

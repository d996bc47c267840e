// The loop over faces, eight lanes at a time.

#include "hydro/faces_kernel.h"

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
#define SPLAT( x )        _mm512_set1_pd( x )
#define SQRT( x )         _mm512_sqrt_pd( x )
#define ABS( x )          _mm512_abs_pd( x )
#define GREATER( a, b )   _mm512_cmp_pd_mask( a, b, _CMP_GT_OQ )
#define SELECT( m, a, b ) _mm512_mask_blend_pd( m, b, a )
#define MASK_AND( a, b )  ( (__mmask8)( ( a ) & ( b ) ) )
#define MASK_OR( a, b )   ( (__mmask8)( ( a ) | ( b ) ) )
#define MASK_XOR( a, b )  ( (__mmask8)( ( a ) ^ ( b ) ) )

typedef __m512d vec;
typedef __mmask8 mask;

#include "hydro/faces_loop.h"
#include "hydro/faces_loop_full.h"
#include "hydro/faces_waves_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

const ds_faces_kernel ds_faces_kernel_avx512 = { "avx512", submerged, surface, waves, submerged_full, surface_full };

#endif

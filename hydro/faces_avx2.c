// The loop over faces, four lanes at a time.

#include "hydro/faces_kernel.h"

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#include <immintrin.h>

#define WIDTH             4
#define LOAD( p )         _mm256_load_pd( p )
#define STORE( p, v )     _mm256_store_pd( p, v )
#define SPLAT( x )        _mm256_set1_pd( x )
#define SQRT( x )         _mm256_sqrt_pd( x )
#define ABS( x )          _mm256_andnot_pd( _mm256_set1_pd( -0.0 ), x )
#define GREATER( a, b )   _mm256_cmp_pd( a, b, _CMP_GT_OQ )
#define SELECT( m, a, b ) _mm256_blendv_pd( b, a, m )
#define MASK_AND( a, b )  _mm256_and_pd( a, b )
#define MASK_OR( a, b )   _mm256_or_pd( a, b )
#define MASK_XOR( a, b )  _mm256_xor_pd( a, b )

typedef __m256d vec;
typedef __m256d mask;

#include "hydro/faces_loop.h"
#include "hydro/faces_loop_full.h"
#include "hydro/faces_waves_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

const ds_faces_kernel ds_faces_kernel_avx2 = { "avx2", submerged, surface, waves, submerged_full, surface_full };

#endif

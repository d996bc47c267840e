// The loop over faces, two lanes at a time: what every x86-64 processor has.

#include "hydro/faces_kernel.h"

#if defined( __x86_64__ )

#include <immintrin.h>

#define WIDTH             2
#define LOAD( p )         _mm_load_pd( p )
#define STORE( p, v )     _mm_store_pd( p, v )
#define SPLAT( x )        _mm_set1_pd( x )
#define SQRT( x )         _mm_sqrt_pd( x )
#define ABS( x )          _mm_andnot_pd( _mm_set1_pd( -0.0 ), x )
#define GREATER( a, b )   _mm_cmpgt_pd( a, b )
#define SELECT( m, a, b ) _mm_or_pd( _mm_and_pd( m, a ), _mm_andnot_pd( m, b ) )
#define MASK_AND( a, b )  _mm_and_pd( a, b )
#define MASK_OR( a, b )   _mm_or_pd( a, b )
#define MASK_XOR( a, b )  _mm_xor_pd( a, b )

typedef __m128d vec;
typedef __m128d mask;

#include "hydro/faces_loop.h"
#include "hydro/faces_loop_full.h"
#include "hydro/faces_waves_loop.h"

const ds_faces_kernel ds_faces_kernel_sse2 = { "sse2", submerged, surface, waves, submerged_full, surface_full };

#endif

// Light on a tile, sixteen lanes at a time.

#include "optics/radiance_kernel.h"

#include <math.h>

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx512f" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx512f" )
#endif

#include <immintrin.h>

#define WIDTH           16
#define SQRT( x )       _mm512_sqrt_ps( x )
#define MINIMUM( a, b ) _mm512_min_ps( a, b )
#define MAXIMUM( a, b ) _mm512_max_ps( a, b )
#define GATHER_PAIRS( table, at, a, b )                                                                                \
	( *( a ) = _mm512_i32gather_ps( (__m512i)( at ), table, 4 ),                                                       \
		*( b ) = _mm512_i32gather_ps( (__m512i)( at ), ( table ) + 1, 4 ) )

#include "optics/radiance_loop.h"

const ds_light_kernel ds_light_kernel_avx512 = { "avx512", light, nodes, exponentials, fades, logarithms };

#if defined( __clang__ )
#pragma clang attribute pop
#endif

#endif

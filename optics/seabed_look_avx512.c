// Places of the seabed, sixteen at a time.

#include "optics/seabed_look.h"

#include <math.h>
#include <stdint.h>

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

#define NARROW( a, b )    narrow( _mm512_cvtpd_ps( a ), _mm512_cvtpd_ps( b ) )
#define LOW_WORDS( a, b ) low_words( (__m512i)( a ), (__m512i)( b ) )

typedef uint32_t sixteen_words __attribute__( ( vector_size( 64 ) ) );

static inline __m512 narrow( __m256 a, __m256 b )
{
	__m512d low = _mm512_castpd256_pd512( _mm256_castps_pd( a ) );
	return _mm512_castpd_ps( _mm512_insertf64x4( low, _mm256_castps_pd( b ), 1 ) );
}

static inline sixteen_words low_words( __m512i a, __m512i b )
{
	__m512i low = _mm512_castsi256_si512( _mm512_cvtepi64_epi32( a ) );
	return (sixteen_words)_mm512_inserti64x4( low, _mm512_cvtepi64_epi32( b ), 1 );
}

#include "optics/seabed_look_loop.h"

const ds_seabed_kernel ds_seabed_kernel_avx512 = { "avx512", look };

#if defined( __clang__ )
#pragma clang attribute pop
#endif

#endif

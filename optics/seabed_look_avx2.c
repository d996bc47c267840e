// Places of the seabed, eight at a time.

#include "optics/seabed_look.h"

#include <math.h>
#include <stdint.h>

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#include <immintrin.h>

#define WIDTH           8
#define SQRT( x )       _mm256_sqrt_ps( x )
#define MINIMUM( a, b ) _mm256_min_ps( a, b )
#define MAXIMUM( a, b ) _mm256_max_ps( a, b )
#define GATHER_PAIRS( table, at, a, b )                                                                                \
	( *( a ) = _mm256_i32gather_ps( table, (__m256i)( at ), 4 ),                                                       \
		*( b ) = _mm256_i32gather_ps( ( table ) + 1, (__m256i)( at ), 4 ) )

#define NARROW( a, b )    _mm256_set_m128( _mm256_cvtpd_ps( b ), _mm256_cvtpd_ps( a ) )
#define LOW_WORDS( a, b ) low_words( (__m256)( a ), (__m256)( b ) )

typedef uint32_t eight_words __attribute__( ( vector_size( 32 ) ) );

static inline eight_words low_words( __m256 a, __m256 b )
{
	__m256 both = _mm256_shuffle_ps( a, b, _MM_SHUFFLE( 2, 0, 2, 0 ) );
	return (eight_words)_mm256_permute4x64_epi64( _mm256_castps_si256( both ), _MM_SHUFFLE( 3, 1, 2, 0 ) );
}

#include "optics/seabed_look_loop.h"

const ds_seabed_kernel ds_seabed_kernel_avx2 = { "avx2", look };

#if defined( __clang__ )
#pragma clang attribute pop
#endif

#endif

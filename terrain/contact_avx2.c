// The loop over elements, four lanes at a time.

#include "terrain/contact_kernel.h"

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
#define LOADU( p )        _mm256_loadu_pd( p )
#define STOREU( p, v )    _mm256_storeu_pd( p, v )
#define SPLAT( x )        _mm256_set1_pd( x )
#define SQRT( x )         _mm256_sqrt_pd( x )
#define ABS( x )          _mm256_andnot_pd( _mm256_set1_pd( -0.0 ), x )
#define GREATER( a, b )   _mm256_cmp_pd( a, b, _CMP_GT_OQ )
#define SELECT( m, a, b ) _mm256_blendv_pd( b, a, m )
#define MASK_AND( a, b )  _mm256_and_pd( a, b )
#define ANY( m )          ( _mm256_movemask_pd( m ) != 0 )
#define BITMASK( m )      ( (unsigned)_mm256_movemask_pd( m ) )
#define BITS( x )         _mm256_castpd_si256( x )
#define NUMBER( x )       _mm256_castsi256_pd( x )
#define SPLAT_BITS( x )   _mm256_set1_epi64x( x )
#define BITS_AND( a, b )  _mm256_and_si256( a, b )
#define BITS_OR( a, b )   _mm256_or_si256( a, b )
#define RIGHT( x, n )     _mm256_srli_epi64( x, n )
#define LEFT( x, n )      _mm256_slli_epi64( x, n )

typedef __m256d vec;
typedef __m256d mask;

#include "terrain/contact_bits.h"
#include "terrain/contact_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

const ds_contact_kernel ds_contact_kernel_avx2 = { "avx2", press, commit, press_run, commit_run, sight_vertices,
	sight_faces, sight_outline };

#endif

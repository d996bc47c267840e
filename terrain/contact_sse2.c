// The loop over elements, two lanes at a time: what every x86-64 processor has.

#include "terrain/contact_kernel.h"

#if defined( __x86_64__ )

#include <immintrin.h>

#define WIDTH             2
#define LOAD( p )         _mm_load_pd( p )
#define STORE( p, v )     _mm_store_pd( p, v )
#define LOADU( p )        _mm_loadu_pd( p )
#define STOREU( p, v )    _mm_storeu_pd( p, v )
#define SPLAT( x )        _mm_set1_pd( x )
#define SQRT( x )         _mm_sqrt_pd( x )
#define ABS( x )          _mm_andnot_pd( _mm_set1_pd( -0.0 ), x )
#define GREATER( a, b )   _mm_cmpgt_pd( a, b )
#define SELECT( m, a, b ) _mm_or_pd( _mm_and_pd( m, a ), _mm_andnot_pd( m, b ) )
#define MASK_AND( a, b )  _mm_and_pd( a, b )
#define ANY( m )          ( _mm_movemask_pd( m ) != 0 )
#define BITMASK( m )      ( (unsigned)_mm_movemask_pd( m ) )
#define BITS( x )         _mm_castpd_si128( x )
#define NUMBER( x )       _mm_castsi128_pd( x )
#define SPLAT_BITS( x )   _mm_set1_epi64x( x )
#define BITS_AND( a, b )  _mm_and_si128( a, b )
#define BITS_OR( a, b )   _mm_or_si128( a, b )
#define RIGHT( x, n )     _mm_srli_epi64( x, n )
#define LEFT( x, n )      _mm_slli_epi64( x, n )

typedef __m128d vec;
typedef __m128d mask;

#include "terrain/contact_bits.h"
#include "terrain/contact_loop.h"

const ds_contact_kernel ds_contact_kernel_sse2 = { "sse2", press, commit, press_run, commit_run, sight_vertices,
	sight_faces, sight_outline };

#endif

// Places of the seabed, four at a time: any processor, and the reference for the other variants.

#include "optics/seabed_look.h"

#include <math.h>

#define WIDTH                           4
#define SQRT( x )                       square_root( x )
#define MINIMUM( a, b )                 choose( ( a ) < ( b ), a, b )
#define MAXIMUM( a, b )                 choose( ( a ) > ( b ), a, b )
#define GATHER_PAIRS( table, at, a, b ) gather_pairs( table, at, a, b )

#define NARROW( a, b )                                                                                                 \
	( vec_of_four )                                                                                                    \
	{                                                                                                                  \
		(float)( a )[0], (float)( a )[1], (float)( b )[0], (float)( b )[1]                                             \
	}
#define LOW_WORDS( a, b ) low_words( a, b )

#include "optics/radiance_four.h"

typedef uint64_t two_long_words __attribute__( ( vector_size( 16 ) ) );
typedef uint32_t four_words __attribute__( ( vector_size( 16 ) ) );

static inline four_words low_words( two_long_words a, two_long_words b )
{
	four_words r = { (uint32_t)a[0], (uint32_t)a[1], (uint32_t)b[0], (uint32_t)b[1] };
	return r;
}

#include "optics/seabed_look_loop.h"

const ds_seabed_kernel ds_seabed_kernel_plain = { "plain", look };

// Light on a tile, four lanes at a time: any processor, and the reference for the other variants.

#include "optics/radiance_kernel.h"

#include <math.h>

#define WIDTH                           4
#define SQRT( x )                       square_root( x )
#define MINIMUM( a, b )                 choose( ( a ) < ( b ), a, b )
#define MAXIMUM( a, b )                 choose( ( a ) > ( b ), a, b )
#define GATHER_PAIRS( table, at, a, b ) gather_pairs( table, at, a, b )

typedef float vec_of_four __attribute__( ( vector_size( 16 ) ) );
typedef int32_t mask_of_four __attribute__( ( vector_size( 16 ) ) );

static inline vec_of_four square_root( vec_of_four x )
{
	vec_of_four r = { sqrtf( x[0] ), sqrtf( x[1] ), sqrtf( x[2] ), sqrtf( x[3] ) };
	return r;
}

static inline void gather_pairs( const float *table, mask_of_four at, vec_of_four *a, vec_of_four *b )
{
	for ( int i = 0; i < 4; ++i )
	{
		( *a )[i] = table[at[i]];
		( *b )[i] = table[at[i] + 1];
	}
}

#include "optics/radiance_loop.h"

const ds_light_kernel ds_light_kernel_plain = { "plain", light, nodes, exponentials, logarithms };

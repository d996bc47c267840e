// Square roots and gathers of four lanes in plain C. Included before radiance_lanes.h.

#ifndef DEEPSIM_RADIANCE_FOUR_H
#define DEEPSIM_RADIANCE_FOUR_H

#include <math.h>
#include <stdint.h>

typedef float vec_of_four __attribute__( ( vector_size( 16 ) ) );
typedef int32_t mask_of_four __attribute__( ( vector_size( 16 ) ) );

static inline vec_of_four square_root( vec_of_four x )
{
	vec_of_four r = { sqrtf( x[0] ), sqrtf( x[1] ), sqrtf( x[2] ), sqrtf( x[3] ) };
	return r;
}

static inline void gather_pairs( const float *table, mask_of_four at, vec_of_four *a, vec_of_four *b )
{
	*a = ( vec_of_four ){ table[at[0]], table[at[1]], table[at[2]], table[at[3]] };
	*b = ( vec_of_four ){ table[at[0] + 1], table[at[1] + 1], table[at[2] + 1], table[at[3] + 1] };
}

#endif

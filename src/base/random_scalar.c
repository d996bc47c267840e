// Normal numbers, a block at a time: any processor, and the reference for the other variants.

#include "base/random_kernel.h"

#include <math.h>
#include <string.h>

#define WIDTH           1
#define SPLAT( x )      ( (double)( x ) )
#define SQRT( x )       sqrt( x )
#define SPLAT_BITS( x ) ( (uint64_t)( x ) )
#define LANES           UINT64_C( 0 )
#define PRODUCT( a, b ) ( ( (a)&0xFFFFFFFF ) * ( (b)&0xFFFFFFFF ) )
#define ADD( a, b )     ( ( a ) + ( b ) )
#define XOR( a, b )     ( ( a ) ^ ( b ) )
#define OR( a, b )      ( ( a ) | ( b ) )
#define AND( a, b )     ( ( a ) & ( b ) )
#define RIGHT( x, n )   ( ( x ) >> ( n ) )
#define LEFT( x, n )    ( ( x ) << ( n ) )
#define MERGE( h, l )   ( ( h ) | ( (l)&0xFFFFFFFF ) )

typedef double vec;
typedef uint64_t bits;

static inline bits BITS( vec x )
{
	bits b;
	memcpy( &b, &x, sizeof( b ) );
	return b;
}

static inline vec NUMBER( bits b )
{
	vec x;
	memcpy( &x, &b, sizeof( x ) );
	return x;
}

static inline void store_blocks( double *out, vec x0, vec y0, vec x1, vec y1 )
{
	out[0] = x0;
	out[1] = y0;
	out[2] = x1;
	out[3] = y1;
}

#include "base/random_loop.h"

const ds_random_kernel ds_random_kernel_scalar = { "scalar", WIDTH, normals };

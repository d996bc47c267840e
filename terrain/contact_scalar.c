// The loop over elements, one lane at a time: any processor, and the reference for the other variants.

#include "terrain/contact_kernel.h"

#include <math.h>
#include <string.h>

#define WIDTH             1
#define LOAD( p )         ( *( p ) )
#define STORE( p, v )     ( *( p ) = ( v ) )
#define LOADU( p )        LOAD( p )
#define STOREU( p, v )    STORE( p, v )
#define SPLAT( x )        ( (double)( x ) )
#define SQRT( x )         sqrt( x )
#define ABS( x )          fabs( x )
#define GREATER( a, b )   ( ( a ) > ( b ) )
#define SELECT( m, a, b ) ( ( m ) ? ( a ) : ( b ) )
#define MASK_AND( a, b )  ( ( a ) && ( b ) )
#define ANY( m )          ( m )
#define BITMASK( m )      ( ( m ) ? 1U : 0U )

typedef double vec;
typedef bool mask;

// Exponent and mantissa in [1, 2) of a normal, positive number.
static inline double EXPONENT( double x )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof( bits ) );
	return (double)( bits >> 52 ) - 1023;
}

static inline double MANTISSA( double x )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof( bits ) );
	bits = ( bits & UINT64_C( 0x000fffffffffffff ) ) | UINT64_C( 0x3ff0000000000000 );
	memcpy( &x, &bits, sizeof( bits ) );
	return x;
}

// 2^k of a whole number k in [-1022, 1023].
static inline double POWER_OF_TWO( double k )
{
	double x = k + 4503599627371519.0; // 2^52 + 1023
	uint64_t bits;
	memcpy( &bits, &x, sizeof( bits ) );
	bits <<= 52;
	memcpy( &x, &bits, sizeof( bits ) );
	return x;
}

#include "terrain/contact_loop.h"

const ds_contact_kernel ds_contact_kernel_scalar = { "scalar", press, commit, press_run, commit_run, sight_vertices,
	sight_faces, sight_outline };

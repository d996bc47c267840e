// The walk through a block, one ray at a time.

#include "rays/ground.h"

#include <math.h>

#define WIDTH                       1
#define LOAD( p )                   ( *( p ) )
#define STORE( p, v )               ( (void)( *( p ) = ( v ) ) )
#define STORE_FLOAT( p, v )         ( (void)( *( p ) = (float)( v ) ) )
#define SPLAT( x )                  ( x )
#define FLOOR( v )                  floor( v )
#define MIN( a, b )                 least( a, b )
#define MAX( a, b )                 greatest( a, b )
#define SELECT( m, a, b )           ( ( m ) ? ( a ) : ( b ) )
#define LESS( a, b )                ( ( a ) < ( b ) )
#define NOT_GREATER( a, b )         ( ( a ) <= ( b ) )
#define MASK_AND( a, b )            ( ( a ) && ( b ) )
#define MASK_OR( a, b )             ( ( a ) || ( b ) )
#define MASK_NOT( a )               ( !( a ) )
#define MASK_BITS( a )              ( a )
#define MASK_FROM( bits )           ( ( bits ) != 0 )
#define GATHER_PAIRS( p, at, a, b ) gather_pairs( p, at, a, b )

typedef double vec;
typedef bool mask;

// The second where either is NaN, as the vector instructions have it.
static inline double least( double a, double b )
{
	return a < b ? a : b;
}

static inline double greatest( double a, double b )
{
	return a > b ? a : b;
}

// clang-format off: the second needs the first
#include "rays/ground_lanes.h"
static inline void gather_pairs( const float *p, vec at, vec *a, vec *b )
{
	const float *pair = p + (int64_t)at;
	*a = (double)pair[0];
	*b = (double)pair[1];
}

#include "rays/ground_loop.h"

#include "rays/ground_short.h"
// clang-format on

const ds_ray_kernel ds_ray_kernel_scalar = { "scalar", prepare, walk_block, walk_short, finish };

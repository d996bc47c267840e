// The loop over faces, one lane at a time: any processor, and the reference for the other variants.

#include "hydro/faces_kernel.h"

#include <math.h>

#define WIDTH             1
#define LOAD( p )         ( *( p ) )
#define STORE( p, v )     ( *( p ) = ( v ) )
#define SPLAT( x )        ( (double)( x ) )
#define SQRT( x )         sqrt( x )
#define ABS( x )          fabs( x )
#define GREATER( a, b )   ( ( a ) > ( b ) )
#define SELECT( m, a, b ) ( ( m ) ? ( a ) : ( b ) )
#define MASK_AND( a, b )  ( ( a ) && ( b ) )
#define MASK_OR( a, b )   ( ( a ) || ( b ) )
#define MASK_XOR( a, b )  ( ( a ) != ( b ) )

typedef double vec;
typedef bool mask;

#include "hydro/faces_loop.h"
#include "hydro/faces_loop_full.h"
#include "hydro/faces_waves_loop.h"

const ds_faces_kernel ds_faces_kernel_scalar = { "scalar", submerged, surface, waves, submerged_full, surface_full };

// Light on a tile, four lanes at a time: any processor, and the reference for the other variants.

#include "optics/radiance_kernel.h"

#include <math.h>

#define WIDTH                           4
#define SQRT( x )                       square_root( x )
#define MINIMUM( a, b )                 choose( ( a ) < ( b ), a, b )
#define MAXIMUM( a, b )                 choose( ( a ) > ( b ), a, b )
#define GATHER_PAIRS( table, at, a, b ) gather_pairs( table, at, a, b )

#include "optics/radiance_four.h"
#include "optics/radiance_loop.h"

const ds_light_kernel ds_light_kernel_plain = { "plain", light, nodes, exponentials, fades, logarithms };

// Places on a grid, four at a time: the same loops, which the compiler widens.

#if defined( __x86_64__ )

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#include "terrain/terrain_at_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

const ds_ground_kernel ds_ground_kernel_avx2 = { "avx2", slopes, normals };

#else

typedef int ds_terrain_at_avx2_is_empty;

#endif

// The arithmetic of looks with AVX2.

#include "core/looks.h"

#include <math.h>
#include <string.h>

#if defined( __x86_64__ )

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#include "core/looks_loop.h"

const ds_look_kernel ds_look_kernel_avx2 = { "avx2", load, place, ask, face };

#if defined( __clang__ )
#pragma clang attribute pop
#endif

#endif

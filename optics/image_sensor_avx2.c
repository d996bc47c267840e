// The image sensor's loop in vectors of eight.

#include "optics/image_sensor_kernel.h"

#if defined( __x86_64__ )

#include <math.h>
#include <string.h>

#if defined( __clang__ )
#pragma clang attribute push( __attribute__( ( target( "avx2" ) ) ), apply_to = function )
#else
#pragma GCC target( "avx2" )
#endif

#define DEEPSIM_SENSOR_LOOP
#include "optics/image_sensor_loop.h"

#if defined( __clang__ )
#pragma clang attribute pop
#endif

const ds_sensor_kernel ds_sensor_kernel_avx2 = { "avx2", expose };

#endif

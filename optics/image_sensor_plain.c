// The image sensor's loop in the instructions of any processor.

#include "optics/image_sensor_kernel.h"

#include <math.h>
#include <string.h>

#define DEEPSIM_SENSOR_LOOP
#include "optics/image_sensor_loop.h"

const ds_sensor_kernel ds_sensor_kernel_plain = { "plain", expose };

int ds_sensor_kernels( const ds_sensor_kernel *kernels[2] )
{
	int count = 0;
#if defined( __x86_64__ )
	__builtin_cpu_init();
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = &ds_sensor_kernel_avx2;
	}
#endif
	kernels[count++] = &ds_sensor_kernel_plain;
	return count;
}

// Places on a grid, for any processor.

#include "terrain/terrain_at_loop.h"

const ds_ground_kernel ds_ground_kernel_plain = { "plain", slopes, normals };

int ds_ground_kernels( const ds_ground_kernel *kernels[2] )
{
	int count = 0;
#if defined( __x86_64__ )
	__builtin_cpu_init();
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = &ds_ground_kernel_avx2;
	}
#endif
	kernels[count++] = &ds_ground_kernel_plain;
	return count;
}

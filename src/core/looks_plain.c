// The arithmetic of looks for any processor, and the choice between the variants.

#include "core/looks_loop.h"

const ds_look_kernel ds_look_kernel_plain = { "plain", load, place, ask, face };

const ds_look_kernel *ds_look_kernel_best( void )
{
#if defined( __x86_64__ )
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		return &ds_look_kernel_avx2;
	}
#endif
	return &ds_look_kernel_plain;
}

// Places of the seabed: the choice of the kernel, and one place alone.

#include "optics/seabed_look.h"

#include <math.h>
#include <string.h>

int ds_seabed_kernels( const ds_seabed_kernel *kernels[DS_SEABED_KERNELS] )
{
	int count = 0;
#if defined( __x86_64__ )
	if ( __builtin_cpu_supports( "avx512f" ) )
	{
		kernels[count++] = &ds_seabed_kernel_avx512;
	}
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = &ds_seabed_kernel_avx2;
	}
#endif
	kernels[count++] = &ds_seabed_kernel_plain;
	return count;
}

void ds_seabed_plan_look( const ds_seabed_plan *plan, int count, ds_seabed_places *places )
{
	const ds_seabed_kernel *kernels[DS_SEABED_KERNELS];
	ds_seabed_kernels( kernels );
	kernels[0]->look( plan, count, places );
}

void ds_seabed_look_at( const ds_seabed_look *look, double north, double east, ds_vec3 normal, double footprint,
	ds_surface *surface, int32_t *instance )
{
	// a plan is a function of the look alone: keeping this thread's last one changes no result
	static _Thread_local ds_seabed_plan plan;
	static _Thread_local bool made;
	if ( !made || memcmp( &plan.look, look, sizeof( *look ) ) != 0 )
	{
		ds_seabed_plan_make( look, &plan );
		made = true;
	}
	ds_seabed_places p;
	memset( &p, 0, sizeof( p ) );
	p.north[0] = north;
	p.east[0] = east;
	p.up[0][0] = (float)normal.x;
	p.up[1][0] = (float)normal.y;
	p.up[2][0] = (float)normal.z;
	p.footprint[0] = (float)fmin( footprint, 1e6 );
	ds_seabed_plan_look( &plan, 1, &p );
	for ( int k = 0; k < 3; ++k )
	{
		surface->normal[k] = p.normal[k][0];
		surface->color[k] = p.color[k][0];
	}
	surface->metallic = 0;
	surface->roughness = (float)look->roughness;
	*instance = p.instance[0];
}

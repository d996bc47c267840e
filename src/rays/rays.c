// Opening the module.

#include "rays/rays.h"

#include "base/base.h"
#include "base/module.h"
#include "rays/set.h"

ds_status ds_ray_module( const ds_hooks *hooks, const ds_tree_module **module )
{
	*module = NULL;
#ifdef DEEPSIM_EMBREE
	const void *table;
	DS_TRY( ds_module_open( "rays_embree", hooks, &table ) );
	*module = table;
	return DS_OK;
#else
	(void)hooks;
	return ds_error( DS_ERROR_UNSUPPORTED, "rays: this libdeepsim was built without Embree (-DDEEPSIM_EMBREE=ON)" );
#endif
}

ds_status ds_rays_open( const ds_hooks *hooks )
{
	const ds_tree_module *module;
	return ds_ray_module( hooks, &module );
}

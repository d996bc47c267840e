// Inside rays: triangles and shapes in one frame, in a tree once they are many. A mesh of ground, or what a body is to rays.

#ifndef DEEPSIM_SRC_RAYS_SET_H
#define DEEPSIM_SRC_RAYS_SET_H

#include "rays/packet.h"
#include "rays/rays.h"

// So many items are looked at one by one.
#define DS_RAY_FEW 8

// Items: triangles, then shapes. The arrays belong to the owner and stay as they are.
typedef struct ds_ray_set
{
	const ds_vec3 *vertices;
	const int32_t *triangles;
	int64_t triangle_count;
	const ds_ray_shape *shapes;
	int64_t shape_count;
	bool front; // triangles are met on their front only
	// made by ds_ray_set_build
	ds_ray_bounds bounds;
	const ds_tree_module *module;
	ds_tree *tree; // NULL: few items
} ds_ray_set;

ds_status ds_ray_set_build( ds_ray_set *set );
void ds_ray_set_free( ds_ray_set *set );

// Looks for the nearest item for the rays of `from`, which are in the set's frame; of equally near ones the first. `met`: the rays that
// come near it, with `item`, `far`, `normal` of what they met.
void ds_ray_set_cast( const ds_ray_set *set, const ds_ray_packet *from, ds_ray_packet *met );

// The module's table; loads it.
ds_status ds_ray_module( const ds_hooks *hooks, const ds_tree_module **module );

#endif

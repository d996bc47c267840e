// Inside rays: what a body is to rays.

#ifndef DEEPSIM_SRC_RAYS_GEOMETRY_H
#define DEEPSIM_SRC_RAYS_GEOMETRY_H

#include "rays/set.h"

#include <stdatomic.h>

struct ds_ray_geometry
{
	ds_allocator allocator;
	atomic_int references;
	ds_vec3 *vertices;
	int64_t vertex_count;
	int32_t *triangles;
	ds_ray_shape *shapes;
	ds_ray_set set;
};

#endif

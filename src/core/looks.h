// Inside the library: what the parts of looks share.

#ifndef DEEPSIM_CORE_LOOKS_H
#define DEEPSIM_CORE_LOOKS_H

#include "core/world.h"
#include "rays/sight.h"

// Instances: water is 0, then the seabed, bodies in their order, nodules.
#define DS_LOOK_SEABED     1
#define DS_LOOK_FIRST_BODY 2
#define DS_LOOK_NODULES    ( 1 << 23 )

// looks_see.c: what the first `count` rays of a packet see, from what they met. `footprint`: of each at 1 m [rad].
void ds_looks_see(
	const ds_world *world, const ds_ray_sight *sight, const double *footprint, int count, ds_look *looks );

#endif

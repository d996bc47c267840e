// Inside rays: boxes, spheres, capsules and cylinders in closed form, and triangles. A ray that starts inside a solid does not meet it.

#ifndef DEEPSIM_SRC_RAYS_SHAPE_H
#define DEEPSIM_SRC_RAYS_SHAPE_H

#include "rays/rays.h"

// Bounding box in the body's axes [m].
void ds_ray_shape_box( const ds_ray_shape *shape, ds_vec3 *lower, ds_vec3 *upper );

// Where a ray (unit direction) enters a shape; false: it does not.
bool ds_ray_shape_meet( const ds_ray_shape *shape, ds_vec3 origin, ds_vec3 direction, double *t, ds_vec3 *normal );

// Where a ray passes through a triangle, edges included; false: it does not, or only behind its origin. The three volumes that decide
// change their signs exactly with the direction of an edge, so of two triangles with a common edge one is always met. `front`: only
// where the normal (of counter-clockwise corners) looks towards the origin.
bool ds_ray_triangle_meet(
	const ds_vec3 corners[3], bool front, ds_vec3 origin, ds_vec3 direction, double *t, ds_vec3 *normal );

#endif

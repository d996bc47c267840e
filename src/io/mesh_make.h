// Inside the mesh part: fillers of parametric shapes. Each adds the vertices and faces of a closed surface to a soup.

#ifndef DEEPSIM_SRC_MESH_MAKE_H
#define DEEPSIM_SRC_MESH_MAKE_H

#include "io/mesh_internal.h"

ds_status ds_make_box( ds_soup *soup, const ds_mesh_shape *shape );

// A unit icosphere, stretched by the half lengths.
ds_status ds_make_ellipsoid( ds_soup *soup, ds_vec3 semi_axes, int64_t faces );

// Cylinder, capsule, myring: a profile turned around the x axis.
ds_status ds_make_lathe( ds_soup *soup, const ds_mesh_shape *shape );

#endif

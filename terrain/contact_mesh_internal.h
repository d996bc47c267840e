// Inside terrain/: what a ds_contact_mesh holds.

#ifndef DEEPSIM_TERRAIN_CONTACT_MESH_INTERNAL_H
#define DEEPSIM_TERRAIN_CONTACT_MESH_INTERNAL_H

#include "terrain/contact.h"

struct ds_contact_mesh
{
	ds_allocator allocator;
	int32_t count, vertex_count;
	double width; // given b; 0: of each patch
	ds_vec3 lower, upper;
	ds_vec3 *boxes; // lower and upper corner of each DS_CONTACT_CHUNK elements
	int32_t box_count;

	// elements, body axes
	double *x, *y, *z, *nx, *ny, *nz, *area, *face_area;
	int32_t ( *corner )[3]; // vertices
	int32_t ( *across )[3]; // the element across the edge from corner k to k + 1, or -1

	// vertices, body axes
	double *vertex[3];
};

#endif

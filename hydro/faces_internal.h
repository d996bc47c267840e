// Inside hydro/: what a ds_faces holds.

#ifndef DEEPSIM_HYDRO_FACES_INTERNAL_H
#define DEEPSIM_HYDRO_FACES_INTERNAL_H

#include "hydro/faces_kernel.h"

struct ds_faces
{
	ds_allocator allocator;
	const ds_faces_kernel *kernel;

	// faces, about the mesh's centre of volume
	ds_face_block *blocks;
	ds_edge_block *edges;
	ds_face_bound *bounds;
	int64_t block_count;

	// of the mesh, about the reference point
	ds_vec3 center; // of volume
	double mesh_volume, area;
	double radius; // farthest vertex from the reference point

	// of the mesh, about its centre of volume
	double center_radius; // farthest vertex
	ds_vec3 box_center, box_half; // box around the vertices, body axes
	ds_mat3 pressure_moment; // times down: what faces' pressures add to the moments of their centroids' pressure

	// as given, or the mesh's
	double volume;
	ds_vec3 cb;
	double volume_scale; // volume / mesh volume

	bool per_axis; // C_form is not the same for all directions
	ds_vec3 form_drag;
};

#endif

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

	ds_mat3 second; // integral of r r^T over the volume [m5]
	ds_mat3 third[3]; // the same of r_i r r^T [m6]

	// as given, or the mesh's
	double volume;
	ds_vec3 cb;
	double volume_scale; // volume / mesh volume

	bool per_axis; // C_form is not the same for all directions
	ds_vec3 form_drag;
	double lift, magnus;
	bool printed_lift, printed_magnus;
};

// Sums of faces, the lanes added in a fixed order.
typedef struct ds_face_totals
{
	double sum[DS_SUM_FULL_COUNT];
} ds_face_totals;

// Of the sums that all loops have; of the first `count`.
void ds_faces_add_lanes( const ds_face_sums *sums, ds_face_totals *out );
void ds_faces_add_lanes_to( const ds_face_sums *sums, int count, ds_face_totals *out );

// Three of the sums.
static inline ds_vec3 ds_faces_vector( const ds_face_totals *totals, int first )
{
	ds_vec3 v = { totals->sum[first], totals->sum[first + 1], totals->sum[first + 2] };
	return v;
}

// Least and greatest depth of any vertex: by the box and the sphere around the mesh.
void ds_faces_depth_range( const ds_faces *faces, ds_vec3 down, double center_depth, double *least, double *greatest );

// Wrench of the pressure about the reference point. `moment` is that of the mesh about its own centre of volume, per
// unit weight of water: in still water ( cb_wet - cb_mesh ) x ( V_wet down ).
void ds_faces_set_pressure( const ds_faces *faces, const ds_flow *flow, ds_vec3 force, ds_vec3 moment, ds_wrench *out );

// Sum of s J^T J over the faces, J = [ I, -S(c) ], about a point at -`origin` from that of the sums.
void ds_faces_secant( const ds_face_totals *totals, ds_vec3 origin, double scale, double d[6][6] );

// Drag and its secant from the sums.
void ds_faces_set_drag( const ds_faces *faces, const ds_flow *flow, const ds_face_totals *totals, ds_face_forces *out );

// The same where the water does not move as one: its flow u at each face, relative to that at the reference point, adds
// `shear`, the sum of -1/2 rho s J^T u, to D0 nu. Drag = -D0 nu - shear + what the skin secant has along the normals.
void ds_faces_set_drag_in_flow( const ds_faces *faces, const ds_flow *flow, const ds_face_totals *totals,
	const double shear[6], ds_face_forces *out );

// Wet area, volume and centre from the sums of the surface loops.
void ds_faces_set_wet_part(
	const ds_faces *faces, ds_vec3 down, double center_depth, const ds_face_totals *totals, ds_face_forces *out );

// The same of what is wholly under water.
void ds_faces_set_whole( const ds_faces *faces, ds_face_forces *out );

// Evaluates what the plain loops do not know. `motion` has rate, down and form; the rest is filled in.
void ds_faces_evaluate_full( const ds_faces *faces, const ds_faces_kernel *kernel, const ds_flow *flow,
	ds_face_motion *motion, double center_depth, bool submerged, ds_face_forces *out );

#endif

// Inside hydro/: the layout of prepared faces, and the inner loop that sums over them.
//
// Faces lie in blocks of 8, near each other in space, with the centre of the mesh's volume as the origin. Each of the 8
// lanes of a block has its own running sums, and the lanes are added in one fixed order at the end. A variant of the
// loop handles 1, 2, 4 or 8 lanes at a time with the same operations on each, so that all give the same bits.

#ifndef DEEPSIM_HYDRO_FACES_KERNEL_H
#define DEEPSIM_HYDRO_FACES_KERNEL_H

#include "hydro/faces.h"

#define DS_FACE_LANES 8

// What every evaluation reads. Lanes beyond the last face are zero and add nothing.
typedef struct ds_face_block
{
	double center[3][DS_FACE_LANES]; // centroid
	double normal[3][DS_FACE_LANES]; // unit, outwards
	double arm[3][DS_FACE_LANES]; // centroid x normal
	double area[DS_FACE_LANES];
	double half_form[DS_FACE_LANES]; // 1/2 area, times C_form where that is the same for all directions
	double skin[DS_FACE_LANES]; // C_skin area
} ds_face_block;

// What the free surface needs besides.
typedef struct ds_edge_block
{
	double edge1[3][DS_FACE_LANES]; // from the first vertex to the second
	double edge2[3][DS_FACE_LANES]; // from the first vertex to the third
} ds_edge_block;

// Sphere around the faces of a block.
typedef struct ds_face_bound
{
	double x, y, z, radius;
} ds_face_bound;

// Running sums, about the origin of the faces. A is the wet area of a face, n its normal, c its centroid, v its velocity;
// v_t = v - (n.v) n.
enum
{
	DS_SUM_PRESSURE = 0, // 3: depth A n
	DS_SUM_PRESSURE_MOMENT = 3, // 3: depth A r x n
	DS_SUM_SKIN = 6, // 3: C_skin A |v_t| (n.v) n
	DS_SUM_SKIN_MOMENT = 9, // 3: its moment
	DS_SUM_SECANT = 12, // 1: s = A ( C_form max( n.v, 0 ) + C_skin |v_t| )
	DS_SUM_SECANT_FIRST = 13, // 3: s c
	DS_SUM_SECANT_SECOND = 16, // 6: s c c^T: xx yy zz xy xz yz
	DS_SUM_DEPTH_SQUARED = 22, // 1: depth^2 A n.down (surface only)
	DS_SUM_WET_AREA = 23, // 1: A (surface only)
	DS_SUM_COUNT = 24,

	// the full loops alone; k is the density at the face over that at the origin, and is in all sums of drag too
	DS_SUM_SHEAR = 24, // 3: s d^2 c, d = down.c
	DS_SUM_LIFT = 27, // 3: lift per 1/2 rho
	DS_SUM_LIFT_MOMENT = 30, // 3: its moment
	DS_SUM_MAGNUS = 33, // 1: k A; printed: 3: k A |v| ( w x v )
	DS_SUM_MAGNUS_MOMENT = 36, // 3: k A c; printed: moment of the former
	DS_SUM_EXCESS = 39, // 3: as DS_SUM_PRESSURE, of the head that is not the depth (surface only)
	DS_SUM_EXCESS_MOMENT = 42, // 3: its moment (surface only)
	DS_SUM_FULL_COUNT = 45
};

typedef struct ds_face_sums
{
	double lane[DS_SUM_FULL_COUNT][DS_FACE_LANES];
} ds_face_sums;

typedef struct ds_face_motion
{
	ds_vec3 velocity; // of the origin of the faces relative to the water
	ds_vec3 rate;
	ds_vec3 down; // world z in body axes
	double depth; // added to down.r: depth below the surface, or relative to the origin
	bool per_axis; // C_form depends on the direction of the flow: e_x^2 form.x + e_y^2 form.y + e_z^2 form.z
	ds_vec3 form;

	// the full loops alone: polynomials of d = down.r, the depth relative to the origin
	double density[2]; // density over that at the origin: 1 + density[0] d + density[1] d^2
	ds_vec3 shear[2]; // added to the velocity: shear[0] d + shear[1] d^2
	double head[2]; // of the depth z below the surface: head = z + head[0] z^2 + head[1] z^3 (surface only)
	double lift; // C_L
	bool printed_lift, printed_magnus;
} ds_face_motion;

// Adds the faces of `count` blocks to the sums. `bounds` and `edges` belong to the surface loop. The full loops know lift,
// Magnus force, stratification and shear; that under water leaves out pressure, which the moments of the volume give.
typedef void ds_faces_submerged_fn(
	const ds_face_block *blocks, int64_t count, const ds_face_motion *motion, ds_face_sums *sums );
typedef void ds_faces_surface_fn( const ds_face_block *blocks, const ds_edge_block *edges, const ds_face_bound *bounds,
	int64_t count, const ds_face_motion *motion, ds_face_sums *sums );

// In waves: faces_waves_kernel.h.
struct ds_wave_faces;
struct ds_wave_sums;
typedef void ds_faces_waves_fn( const ds_face_block *blocks, const ds_edge_block *edges, const ds_face_bound *bounds,
	int64_t count, const ds_face_motion *motion, const struct ds_wave_faces *sea, struct ds_wave_sums *sums );

// One compilation of the inner loop.
typedef struct ds_faces_kernel
{
	const char *name;
	ds_faces_submerged_fn *submerged;
	ds_faces_surface_fn *surface;
	ds_faces_waves_fn *waves;
	ds_faces_submerged_fn *submerged_full;
	ds_faces_surface_fn *surface_full;
} ds_faces_kernel;

extern const ds_faces_kernel ds_faces_kernel_scalar;
#if defined( __x86_64__ )
extern const ds_faces_kernel ds_faces_kernel_sse2;
extern const ds_faces_kernel ds_faces_kernel_avx2;
extern const ds_faces_kernel ds_faces_kernel_avx512;
#endif

// The kernels this processor can run, the fastest first; returns their number (at most 4).
int ds_faces_kernels( const ds_faces_kernel *kernels[4] );

// Evaluates with a given kernel instead of the one chosen at creation.
void ds_faces_evaluate_by(
	const ds_faces *faces, const ds_faces_kernel *kernel, const ds_flow *flow, ds_face_forces *out );

#endif

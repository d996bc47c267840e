// Forces of the water on the faces of a closed mesh: hydrostatic pressure, form drag, skin drag, lift and Magnus force.
//
// A plain model, without a world: faces are prepared once, in the axes of their body and about the body's reference
// point, and evaluated for a state of motion. Axes: body forward-right-down, world north-east-down, the free surface is
// the plane z = 0 of the world. SI units.
//
// Physics. With v the velocity of a face's centroid relative to the water, n its outward unit normal, A its wet area,
// e = v / |v|, v_t = v - (n.v) n:
//   pressure     rho g z, over the wet surface; the first moment over each face is exact, so that the torque is too
//   form drag    -1/2 rho C_form A |v| max( n.e, 0 ) v, so that C_form of a convex body is the drag coefficient on its
//                projected area; C_form is e_x^2 C_x + e_y^2 C_y + e_z^2 C_z, by the flow's direction
//   skin drag    -1/2 rho C_skin A |v_t| v_t
//   lift         -1/2 rho C_L A |v|^2 max( n.e, 0 ) ( n - (n.e) e ): square to the flow on every face; none on a sphere
//   Magnus       C_M rho A (V/S) ( w x v_b ), V the body's volume and S its area: wholly under water C_M rho V ( w x v_b ),
//                v_b the velocity of the point it acts at, the centroid of the wet area. Neither does work.
// By name, as the paper "Beyond Shallow-Water Photorealism" prints them, with v_c = -v (its eq. 18):
//   printed lift     1/2 rho C_L A ( 1 - |n.e| ) |v|^2 ( n x v_c ) / |n x v_c|, on all faces (19-21): it twists even a sphere
//   printed Magnus   C_M rho A |v| ( w x v_c ), C_M in seconds (22, 23)
// rho and v are those at each face's own depth: both may change with depth as polynomials of second degree.
// Faces that cross the free surface are clipped there: area, centroid and moments are those of the wet polygon.
// Results do not depend on the processor: every variant of the inner loop gives the same bits.

#ifndef DEEPSIM_HYDRO_FACES_H
#define DEEPSIM_HYDRO_FACES_H

#include "deepsim/base.h"
#include "deepsim/types.h"

// The faces of one body. Immutable; may be shared by threads.
typedef struct ds_faces ds_faces;

typedef struct ds_faces_def
{
	const ds_vec3 *vertices; // [m], in the frame of the mesh
	int64_t vertex_count;
	const int32_t *triangles; // 3 vertices a face, counter-clockwise seen from outside
	int64_t face_count;
	ds_pose pose; // of the mesh in the frame the results are wanted in: body axes, origin at the reference point
	ds_vec3 form_drag; // C_form for flow along each body axis; three equal values: the same in all directions
	double skin_drag; // C_skin
	double lift; // C_L
	double magnus; // C_M; printed: [s]
	bool printed_lift, printed_magnus; // the paper's form
	double volume; // given displaced volume [m3]; <= 0: that of the mesh
	bool has_cb;
	ds_vec3 cb; // given centre of buoyancy [m], in the frame of the results
} ds_faces_def;

// Prepares faces. The mesh has to be closed and wound outwards, which is the caller's to check edge by edge: here only the
// sum of the area vectors and the sign of the volume are. Faces of no area are dropped.
// Errors: ARGUMENT, RANGE (index, coefficient), NOT_FINITE, MESH_EMPTY, MESH_OPEN, MESH_VOLUME, MEMORY.
ds_status ds_faces_create( const ds_allocator *allocator, const ds_faces_def *def, ds_faces **faces );

// Gives the memory back to the allocator it came from. NULL is nothing.
void ds_faces_destroy( ds_faces *faces );

// Displaced volume of the whole [m3]: the given one, else that of the mesh.
double ds_faces_volume( const ds_faces *faces );

// Centre of buoyancy of the whole [m]: the given one, else that of the mesh.
ds_vec3 ds_faces_cb( const ds_faces *faces );

// Distance of the farthest vertex from the reference point [m].
double ds_faces_radius( const ds_faces *faces );

// State of motion of a body and the water around it.
typedef struct ds_flow
{
	ds_quat attitude; // body to world, of unit length
	double depth; // z of the reference point [m]; the surface is at 0
	ds_vec3 velocity; // of the reference point relative to the water, body axes [m/s]
	ds_vec3 rate; // angular velocity relative to the water, body axes [rad/s]
	double density; // [kg/m3]
	double gravity; // [m/s2]
	bool hydrostatics, drag, lift; // which parts are wanted (lift: Magnus too); the others are reported as zero

	// How density and flow change along the vertical: with h the depth below the reference point,
	// density + h density_gradient + h^2/2 density_curvature, and velocity + h shear + h^2/2 shear_curvature. Pressure is the
	// integral of that density, from z = 0 (above it, and where the density was not positive, the caller is at fault).
	double density_gradient; // [kg/m4]
	double density_curvature; // [kg/m5]
	ds_vec3 shear; // of `velocity`: minus that of the current; body axes [1/s]
	ds_vec3 shear_curvature; // [1/(m s)]
} ds_flow;

typedef struct ds_face_forces
{
	ds_wrench hydrostatic; // body axes, about the reference point: pressure over the wet surface
	ds_wrench drag; // form and skin
	ds_wrench lift, magnus;
	ds_mat6 drag_secant; // D, symmetric positive semidefinite: drag = -D ( nu - water ), nu = ( velocity, rate )
	ds_twist
		water; // the flow around the body relative to that at the reference point, as drag weighs it; without shear zero
	double wet_area; // [m2]
	double displaced_volume; // of what is wet [m3]
	ds_vec3 centre_of_buoyancy; // of what is wet [m]; that of the whole when nothing is
	double wet_fraction; // wet volume / whole volume, 0 to 1
} ds_face_forces;

// Evaluates forces. Cannot fail and allocates nothing.
//
// Where a volume or a centre of buoyancy was given, the mesh says only how much is wet: the force is
// rho g V_given ( V_wet / V_mesh ), and acts at cb_given + ( cb_wet_of_mesh - cb_of_mesh ).
//
// The secant D is what an implicit step needs: D0, the sum of the faces' isotropic secants, made exact along nu by the
// rank-two (BFGS) correction D0 - D0 nu nu^T D0 / ( nu^T D0 nu ) + F F^T / P, P = -F.nu. In shear it is that along nu - water,
// where water is the twist that the faces' secants fit to the flow by least squares; should drag push along nu - water as a
// whole, D is D0, and water the twist of D0 ( nu - water ) = -drag.
//
// Under water, pressure is exact for the given density profile, force and torque; through the surface too.
void ds_faces_evaluate( const ds_faces *faces, const ds_flow *flow, ds_face_forces *out );

#endif

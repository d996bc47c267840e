// libdeepsim: rigid bodies. A body's frame is forward-right-down with its origin where its builder put it; mass, inertia and
// added mass may lie anywhere in it.

#ifndef DEEPSIM_BODY_H
#define DEEPSIM_BODY_H

#include "deepsim/mesh.h"
#include "deepsim/types.h"
#include "deepsim/visual.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct ds_world ds_world;

#define DS_NAME_SIZE 64

typedef enum ds_inertia_kind
{
	DS_INERTIA_MESH, // of the mesh, uniformly filled with the mass
	DS_INERTIA_DIAGONAL, // ixx, iyy, izz about the centre of gravity
	DS_INERTIA_FULL // 3x3 about the centre of gravity
} ds_inertia_kind;

typedef enum ds_hydro_model
{
	DS_HYDRO_NONE, // no force from the water at all
	DS_HYDRO_MESH, // per-face hydrostatics, drag, lift and Magnus force on the body's mesh; added mass
	DS_HYDRO_FOSSEN, // damping by matrices, added mass; hydrostatics of the mesh, or of a given volume
	DS_HYDRO_FOSSEN_SIMPLIFIED // the same without added mass, and so without its Coriolis terms and Munk moment
} ds_hydro_model;

typedef enum ds_volume_kind
{
	DS_VOLUME_MESH, // what the mesh encloses
	DS_VOLUME_GIVEN, // `volume`: a drag hull's mesh volume is not its buoyancy
	DS_VOLUME_NEUTRAL // mass / density: weight and buoyancy are equal
} ds_volume_kind;

typedef enum ds_added_mass_kind
{
	DS_ADDED_MASS_NONE,
	DS_ADDED_MASS_ELLIPSOID, // of the ellipsoid with the mesh's volume and second moments (Lamb 1932, art. 114-115)
	DS_ADDED_MASS_DIAGONAL, // 6 numbers, about `added_mass_about`
	DS_ADDED_MASS_MATRIX, // symmetric 6x6, about `added_mass_about`
	DS_ADDED_MASS_PANELS // of the mesh, by source panels (Hess and Smith 1964): hydro/panels.h
} ds_added_mass_kind;

// How a hull yields to pressure: source paper, eq. 16 and 17.
typedef enum ds_hull_compression
{
	DS_HULL_RIGID,
	DS_HULL_COMPRESSED, // volume V0 (1 - p/K); added mass follows volume and density
	DS_HULL_PRINTED // as printed: 1 - p/K on the added mass alone
} ds_hull_compression;

typedef enum ds_collision_kind
{
	DS_COLLISION_NONE, // passes through everything
	DS_COLLISION_HULL, // the convex hull of the mesh
	DS_COLLISION_MESH, // the triangles themselves: fixed bodies only
	DS_COLLISION_SHAPES // `shapes`
} ds_collision_kind;

typedef enum ds_shape_kind
{
	DS_SHAPE_BOX, // size: full lengths
	DS_SHAPE_SPHERE, // radius
	DS_SHAPE_CAPSULE, // radius, length between the caps' centres, along x
	DS_SHAPE_CYLINDER // radius, length, along x
} ds_shape_kind;

// One convex piece of a body, for collision and rays.
typedef struct ds_shape_def
{
	int32_t kind; // ds_shape_kind
	double size[3]; // [m]
	double radius, length; // [m]
	double position[3], rpy[3]; // in the body frame [m, rad]
} ds_shape_def;

// What a body looks like to cameras.
typedef enum ds_visual_kind
{
	DS_VISUAL_MESH, // its mesh, of `material`; without a mesh it is not seen
	DS_VISUAL_GIVEN, // `visual`
	DS_VISUAL_NONE // it is not seen, and casts no shadow
} ds_visual_kind;

// How water acts on a body. Frames: body. Each model reads what it needs, so that one word changes it: form and skin drag, lift
// and Magnus force belong to the mesh's faces, the damping matrices to Fossen's models.
typedef struct ds_hydrodynamics_def
{
	int32_t model; // ds_hydro_model; DS_HYDRO_MESH (a body without a mesh feels only its added mass)
	bool buoyancy, drag; // independent switches; true, true. drag: damping, lift and Magnus force too
	double form_drag[3]; // C_form for flow along x, y, z; equal numbers: the same in all directions
	double skin_drag; // C_skin
	double lift, magnus; // C_L, C_M; 0: none
	bool printed_lift, printed_magnus; // as the source paper prints them (19-23): hydro/faces.h; C_M is then in seconds
	int32_t volume_kind; // ds_volume_kind
	double volume; // [m3]
	bool has_cb;
	double cb[3]; // centre of buoyancy, if not the mesh's [m]
	double entrained_mass; // of flooded water [kg]: adds to inertia, neither to weight nor to buoyancy
	bool has_entrained_cg;
	double entrained_cg[3]; // its centre, if not the mesh's centroid [m]
	int32_t compression; // ds_hull_compression: of the displaced volume and the added mass by pressure
	double bulk_modulus; // K of the hull [Pa]
	int32_t added_mass_kind; // ds_added_mass_kind
	double added_mass[6]; // [kg, kg m2]
	double added_mass_matrix[36];
	bool added_mass_solved; // panels: the matrix holds the solution, at 1 kg/m3, about the mesh's origin, in its axes
	double added_mass_about[3]; // point that the added mass is given about [m]

	// Damping by matrices (row major; linear, then angular), positive where it resists: linear_damping nu, quadratic_damping
	// ( |nu_j| nu_j ), and forward_damping |u| nu for body lift (Y_uv u v). No motion may gain energy from any of them.
	double linear_damping[36], quadratic_damping[36], forward_damping[36];
	double damping_about[3]; // the point that they are given about [m]
} ds_hydrodynamics_def;

// Start from ds_body_def_default().
typedef struct ds_body_def
{
	uint32_t struct_size;
	char name[DS_NAME_SIZE];
	double mass; // dry, with all that is inside [kg]
	int32_t inertia_kind; // ds_inertia_kind
	double inertia_diagonal[3]; // [kg m2]
	double inertia_full[9];
	double cg[3]; // centre of gravity [m]
	bool fixed; // never moves; has no mass
	const ds_mesh *mesh; // retained by the body; NULL: none
	ds_pose mesh_pose; // of the mesh in the body frame
	int32_t visual_kind; // ds_visual_kind
	const ds_visual *visual; // retained by the body
	ds_pose visual_pose; // of it in the body frame
	ds_material material; // grey
	ds_pose pose; // of the body frame in the world
	ds_twist velocity; // of the body's origin, world axes [m/s, rad/s]
	ds_hydrodynamics_def hydrodynamics;
	int32_t collision; // ds_collision_kind
	const ds_shape_def *shapes;
	int64_t shape_count;
	double friction; // coefficient, against another body the product of both
	double restitution; // against another body the greater of both, 0 to 1
	bool
		soil; // its mesh presses on the soil of the seabed, if that has some; false, or no mesh: it touches the ground rigidly; true
	double soil_width; // b of Bekker's pressure [m]; 0: the least width of each patch that touches
	double
		soil_spacing; // faces are parted into pieces no longer than this for it [m]; 0: a 32nd of the mesh's diagonal
} ds_body_def;

DS_API ds_body_def ds_body_def_default( void );

// Adds a body. DS_ERROR_ARGUMENT, _RANGE, _NOT_FINITE, _DUPLICATE (name); the message names body and field.
DS_API ds_status ds_body_create( ds_world *world, const ds_body_def *def, ds_id *body );

// Removes a body with the joints, sensors, actuators and forces that hang on it.
DS_API ds_status ds_body_destroy( ds_world *world, ds_id body );

// Motion of a body's frame. Twists are of the body's origin; _world in world axes, _body in body axes (Fossen's nu).
typedef struct ds_body_motion
{
	ds_pose pose;
	ds_twist velocity_world;
	ds_twist velocity_body;
	ds_vec3 acceleration_world; // of the origin, mean of the last tick [m/s2]
	ds_vec3 rpy; // roll, pitch, yaw, ZYX [rad]
	double depth; // of the origin: z [m]
} ds_body_motion;

DS_API ds_status ds_body_motion_get( const ds_world *world, ds_id body, ds_body_motion *motion );

// Sets pose and velocity (world axes, of the body's origin) together. The attitude is normalised.
// Inertial sensors do not see the jump: what they integrate starts anew.
DS_API ds_status ds_body_set( ds_world *world, ds_id body, ds_pose pose, ds_twist velocity );

// Adds a wrench that acts during the next tick: force at `point`, all in world axes, or all in the body frame.
DS_API ds_status ds_body_apply_wrench_world( ds_world *world, ds_id body, ds_wrench wrench, ds_vec3 point );
DS_API ds_status ds_body_apply_wrench_body( ds_world *world, ds_id body, ds_wrench wrench, ds_vec3 point );

// The wrenches of the last tick, in body axes about the body's origin.
typedef struct ds_body_forces
{
	ds_wrench gravity, hydrostatic, drag, effort, user;
	ds_wrench lift, magnus; // on the faces of the mesh
	ds_wrench wind; // on what is dry
	ds_wrench inertial; // by the water's own acceleration, and by the Earth's rotation
	ds_wrench contact; // of contacts and joints, mean of the tick
	ds_wrench soil; // of the soil on its mesh and its running gear, mean of the tick
	double wet_area; // [m2]
	double displaced_volume; // [m3]
	ds_vec3 centre_of_buoyancy; // of what is under water [m]
} ds_body_forces;

DS_API ds_status ds_body_forces_get( const ds_world *world, ds_id body, ds_body_forces *forces );

// Dry mass, entrained water and added mass, apart and together, about the body's origin, body axes.
typedef struct ds_mass_properties
{
	double dry_mass, entrained_mass; // [kg]
	ds_vec3 cg, entrained_cg; // [m]
	ds_mat6 rigid; // dry + entrained: M_RB
	ds_mat6 added; // M_A
	ds_mat6 total; // M_RB + M_A
	double volume; // displaced when wholly under water [m3]
	ds_vec3 centre_of_buoyancy; // the same [m]
} ds_mass_properties;

DS_API ds_status ds_body_mass_get( const ds_world *world, ds_id body, ds_mass_properties *properties );

// Kinetic energy 1/2 v^T (M_RB + M_A) v [J], with the velocity of the body's origin, absolute.
DS_API ds_status ds_body_kinetic_energy( const ds_world *world, ds_id body, double *energy );

#ifdef __cplusplus
}
#endif

#endif

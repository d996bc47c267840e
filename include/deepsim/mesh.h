// libdeepsim: closed triangle meshes: reading, checking, repairing, making, measuring.
//
// A mesh is immutable and reference counted; worlds, scenarios and threads may share it. Faces are wound so that normals
// point outward. Lengths in metres.

#ifndef DEEPSIM_MESH_H
#define DEEPSIM_MESH_H

#include "deepsim/field.h"
#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct ds_mesh ds_mesh;

// Which way a file's axes point, as "forward-right-down" letters of the file's own axes: the body's x, y, z in turn.
typedef enum ds_mesh_axes
{
	DS_AXES_XYZ, // as they are: x forward, y right, z down
	DS_AXES_FLU, // file: x forward, y left, z up (ROS, Gazebo): body = (x, -y, -z)
	DS_AXES_Y_UP, // file: glTF's convention, +y up, +z forward: body = (z, -x, -y)
	DS_AXES_COUNT
} ds_mesh_axes;

// What a mesh must be. Closed meshes are needed for hydrostatics; open ones are only good to be seen or hit.
typedef enum ds_mesh_topology
{
	DS_MESH_CLOSED,
	DS_MESH_OPEN_ALLOWED
} ds_mesh_topology;

// How to read a mesh. Start from ds_mesh_options_default().
typedef struct ds_mesh_options
{
	uint32_t struct_size;
	double scale; // metres per unit of the file; 1
	ds_mesh_axes axes; // DS_AXES_XYZ
	ds_mesh_topology topology; // DS_MESH_CLOSED
	double weld_distance; // vertices nearer than this [m] become one; 0: those that are equal
	bool repair_winding; // true: faces wound both ways or inward are turned, and the report says how many
	int64_t max_bytes; // larger files are refused; 4 GiB
	int64_t max_faces; // more faces are refused; 50 million
	double max_seconds; // a reader that takes longer is given up (checked between its phases); 60
} ds_mesh_options;

DS_API ds_mesh_options ds_mesh_options_default( void );

// What was found and done while a mesh was read or repaired.
typedef struct ds_mesh_report
{
	int64_t vertices_read, faces_read;
	int64_t vertices_welded; // of those read: fell together with another
	int64_t faces_degenerate; // dropped: two equal corners or no area
	int64_t faces_duplicate; // dropped by repair
	int64_t faces_turned; // wound the other way
	int64_t edges_open;
	int64_t edges_non_manifold;
	int64_t holes_closed, faces_added; // by repair
	int64_t components; // connected parts
	double seconds;
} ds_mesh_report;

// What a mesh measures. Volume, centroid and inertia are meaningful for closed meshes only (0 otherwise).
typedef struct ds_mesh_properties
{
	int64_t vertices, faces;
	bool closed;
	double volume; // [m3]
	double area; // [m2]
	ds_vec3 centroid; // of the volume [m]
	ds_mat3 inertia; // of the volume at unit density about its centroid [m5]
	ds_vec3 lower, upper; // bounding box [m]
} ds_mesh_properties;

// Reads OBJ, glTF, GLB (assimp), STL and PLY (binary and ASCII). Errors name the file and what is wrong with it:
// DS_ERROR_IO, _FORMAT, _UNSUPPORTED, _NOT_FINITE, _LIMIT, _MESH_OPEN, _MESH_NON_MANIFOLD, _MESH_WINDING, _MESH_VOLUME,
// _MESH_EMPTY.
// `options`, `hooks` and `report` may be NULL. Warnings (dropped faces, turned winding) go to the log hook.
// Coordinates of OBJ, glTF, GLB and binary STL files pass through 32-bit floats; those of PLY and ASCII STL do not.
// Winding: parts (faces joined by edges) that face inward and lie in no other part are turned, with all that lies in them;
// an inward part inside another one is a cavity and stays. Faces without area go without opening the surface. What a glTF
// file names is looked for in its own folder only; Draco and meshopt compression are not read.
DS_API ds_status ds_mesh_load(
	const char *path, const ds_mesh_options *options, const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report );

// Makes a mesh from vertices [m] and triangles (3 indices a face, counter-clockwise seen from outside), which are copied,
// welded and checked as a file's are (`options->scale` and `axes` apply too).
DS_API ds_status ds_mesh_create( const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles,
	int64_t face_count, const ds_mesh_options *options, const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report );

// Reads a mesh that need not be proper, closes holes of up to `max_hole_edges` edges, unifies winding, merges duplicate
// faces and vertices, and says what it did. What cannot be repaired is the same error as in ds_mesh_load.
DS_API ds_status ds_mesh_repair( const char *path, const ds_mesh_options *options, int64_t max_hole_edges,
	const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report );

// Writes OBJ, binary STL or binary PLY, by the ending of the path. Nothing is left behind when the disk is full.
DS_API ds_status ds_mesh_save( const ds_mesh *mesh, const char *path );

typedef enum ds_mesh_shape_kind
{
	DS_MESH_BOX, // size
	DS_MESH_SPHERE, // radius, faces
	DS_MESH_CYLINDER, // radius, length (along x), faces
	DS_MESH_CAPSULE, // radius, length (of the cylindrical part, along x), faces
	DS_MESH_ELLIPSOID, // semi_axes, faces
	DS_MESH_MYRING, // Myring hull along x, nose at +x: diameter, nose, middle, tail, exponent, tail_angle, offsets, faces
	DS_MESH_SHAPE_COUNT
} ds_mesh_shape_kind;

// A parametric closed mesh, centred on its own origin (myring: origin at the middle of its whole length).
// Start from ds_mesh_shape_default( kind ).
typedef struct ds_mesh_shape
{
	uint32_t struct_size;
	ds_mesh_shape_kind kind;
	ds_vec3 size; // box: full lengths [m]
	ds_vec3 semi_axes; // ellipsoid [m]
	double radius; // sphere, cylinder, capsule [m]
	double length; // cylinder: whole; capsule: between the caps' centres [m]
	double diameter; // myring: greatest diameter d [m]
	double nose, middle, tail; // myring: lengths a, b, c of nose, parallel middle body and tail [m]
	double exponent; // myring: n of the nose [-]
	double tail_angle; // myring: half angle theta at the tip of the tail [rad]
	double nose_offset,
		tail_offset; // myring: lengths cut off at the nose and at the tail [m] (Prestero's a_offset, c_offset)
	int64_t faces; // about how many faces to make
} ds_mesh_shape;

DS_API ds_mesh_shape ds_mesh_shape_default( ds_mesh_shape_kind kind );

// The options of a shape kind (its subset of ds_mesh_shape) as a descriptor table; NULL for an unknown kind. Drives
// "mesh": { "make": NAME, ... } in a scenario and `deepsim mesh make NAME --option value`. The kind's name is table->name.
DS_API const ds_table *ds_mesh_shape_table( ds_mesh_shape_kind kind );

// Sizes must be positive and faces in [8, 10 million]; else DS_ERROR_RANGE.
// Vertices lie on the true surface, so that a mesh holds a little less than its shape: 0.9 % for a sphere of 1280 faces.
DS_API ds_status ds_mesh_make( const ds_mesh_shape *shape, const ds_hooks *hooks, ds_mesh **mesh );

// References are counted, atomically. Releasing NULL is nothing.
DS_API ds_mesh *ds_mesh_retain( ds_mesh *mesh );
DS_API void ds_mesh_release( ds_mesh *mesh );

// The vertices [m] and the triangles (3 vertex indices each), which live as long as the mesh. `count` may be NULL.
DS_API const ds_vec3 *ds_mesh_vertices( const ds_mesh *mesh, int64_t *count );
DS_API const int32_t *ds_mesh_triangles( const ds_mesh *mesh, int64_t *face_count );

DS_API ds_mesh_properties ds_mesh_measure( const ds_mesh *mesh );

#ifdef __cplusplus
}
#endif

#endif

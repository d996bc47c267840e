// Inside the mesh part: the mesh, the face soup that readers fill, and the steps that turn one into the other.
//
// A file goes through: bytes -> reader -> soup -> scale and axes -> weld -> drop degenerate faces -> edges -> (holes) ->
// winding -> mesh. Every step keeps the order of the file, so that the same bytes give the same mesh.

#ifndef DEEPSIM_SRC_MESH_INTERNAL_H
#define DEEPSIM_SRC_MESH_INTERNAL_H

#include "base/base.h"
#include "deepsim/math.h"
#include "deepsim/mesh.h"

#include <stdatomic.h>

struct ds_mesh
{
	ds_allocator allocator;
	atomic_int references;
	ds_vec3 *vertices;
	int32_t *triangles;
	int64_t vertex_count, face_count;
	ds_mesh_properties properties;
};

// More corners than this in one polygon of a file are refused: triangulation takes the square of it.
#define DS_MESH_MAX_CORNERS 4096

// Vertices and triangles that are being read or worked on, with what every step needs to know.
typedef struct ds_soup
{
	const char *name; // of the file, for messages
	const ds_mesh_options *options;
	const ds_hooks *hooks; // may be NULL
	const ds_allocator *allocator; // may be NULL
	ds_mesh_report *report;
	double deadline; // monotonic seconds
	ds_vec3 *vertices;
	int32_t *triangles;
	int64_t vertex_count, vertex_capacity;
	int64_t face_count, face_capacity;
	int64_t skipped; // points and lines of the file
	float *
		colors; // of vertices, three each as the file has them, in [0, 1]: only if `want_colors`, and the file has them
	int64_t color_capacity;
	bool want_colors;
	uint8_t
		*turned; // repair, which winds twice: 1 for each of the first `turned_count` faces that now runs the other way
	int64_t turned_count, turned_capacity;
} ds_soup;

// Monotonic clock [s], for time limits only.
double ds_mesh_clock( void );

// ---- the soup (mesh_soup.c)
void ds_soup_free( ds_soup *soup );
// Makes room for this many more; DS_ERROR_LIMIT beyond max_faces or what 32-bit indices can name.
ds_status ds_soup_reserve( ds_soup *soup, int64_t vertices, int64_t faces );
ds_status ds_soup_add_vertex( ds_soup *soup, ds_vec3 vertex );
ds_status ds_soup_add_triangle( ds_soup *soup, int32_t a, int32_t b, int32_t c );
// A planar polygon of vertices that are in the soup, convex or not: `count` - 2 triangles.
ds_status ds_soup_add_polygon( ds_soup *soup, const int32_t *corners, int64_t count );
// Removes the faces that are marked by a 1; returns how many there were.
int64_t ds_soup_remove_marked( ds_soup *soup, const uint8_t *marked );
// DS_ERROR_LIMIT when the time is up.
ds_status ds_soup_check_time( const ds_soup *soup );

// Cuts a polygon into `count` - 2 triangles whose corners are positions in it (3 each). Scratch: `count` integers.
void ds_polygon_triangulate(
	const ds_vec3 *vertices, const int32_t *corners, int32_t count, int32_t *scratch, int32_t *triangles );

// ---- files and readers: fill a soup from the bytes of a file
// Reads a whole regular file of at most `max_bytes`; free with DS_FREE( allocator, *bytes, *size + 1 ).
ds_status ds_mesh_file_read(
	const char *path, int64_t max_bytes, const ds_allocator *allocator, uint8_t **bytes, int64_t *size );
// The path of a file that another file, `name`, refers to: below the folder of that one, without "..", a drive or a scheme; *path is NULL
// if it is none such. With `percent`, %20 stands for a blank.
ds_status ds_mesh_local_path( ds_arena *arena, const char *name, const char *file, bool percent, char **path );
// Chooses the reader by the ending of `name` (a path: glTF buffers are looked for beside it).
ds_status ds_mesh_read( ds_soup *soup, const uint8_t *bytes, int64_t size );
ds_status ds_mesh_read_stl( ds_soup *soup, const uint8_t *bytes, int64_t size );
ds_status ds_mesh_read_ply( ds_soup *soup, const uint8_t *bytes, int64_t size );
ds_status ds_mesh_read_obj( ds_soup *soup, const uint8_t *bytes, int64_t size );
ds_status ds_mesh_read_gltf( ds_soup *soup, const uint8_t *bytes, int64_t size, bool binary );
// Hands bytes that have been checked to assimp under the name `hint` ("mesh.obj") and takes its polygons.
ds_status ds_mesh_read_assimp( ds_soup *soup, const char *hint, const uint8_t *bytes, int64_t size );

// Reads and finishes a file that is in memory already. Holes are closed (ds_mesh_repair) if `max_hole_edges` is 0 or more.
// `report` must be zeroed.
ds_status ds_mesh_parse( const char *name, const uint8_t *bytes, int64_t size, int64_t max_hole_edges,
	const ds_mesh_options *options, const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report );

// ---- steps
// Merges vertices that are equal, or nearer than options->weld_distance; drops faces with equal corners.
ds_status ds_soup_weld( ds_soup *soup );
// Drops faces that join the same three vertices as an earlier one.
ds_status ds_soup_drop_duplicates( ds_soup *soup );
// Removes faces without area: the diagonal to the neighbour is turned where that keeps the surface closed.
ds_status ds_soup_drop_slivers( ds_soup *soup );
// Drops vertices that no face uses.
ds_status ds_soup_compact( ds_soup *soup );

// Half-edge h = 3 f + k runs from corner k of face f to the next corner.
#define DS_EDGE_OPEN         ( -1 )
#define DS_EDGE_NON_MANIFOLD ( -2 )

typedef struct ds_edges
{
	int32_t *mate; // of each half-edge: the other one of its edge, or one of the two values above
	int64_t count; // half-edges
	int64_t open, non_manifold, mixed; // edges; mixed: both faces run along it in the same direction
	int32_t open_example, non_manifold_example, mixed_example; // half-edges
} ds_edges;

ds_status ds_edges_build( const ds_soup *soup, ds_edges *edges );
void ds_edges_free( const ds_soup *soup, ds_edges *edges );

static inline int32_t ds_edge_start( const int32_t *triangles, int32_t h )
{
	return triangles[h];
}

static inline int32_t ds_edge_end( const int32_t *triangles, int32_t h )
{
	return triangles[h % 3 == 2 ? h - 2 : h + 1];
}

// Winds the faces of each component alike and outermost components outward. Edges have to be built again after it when
// *turned is not 0. DS_ERROR_MESH_WINDING as ds_mesh_load says; open meshes keep what cannot be unified.
ds_status ds_soup_orient( ds_soup *soup, const ds_edges *edges, int64_t *turned );

// Closes boundary loops of up to `max_edges` edges. Needs unified winding; edges have to be built again after it.
ds_status ds_soup_close_holes( ds_soup *soup, const ds_edges *edges, int64_t max_edges );

static inline void ds_extend_bounds( ds_vec3 *lower, ds_vec3 *upper, ds_vec3 p )
{
	lower->x = p.x < lower->x ? p.x : lower->x;
	lower->y = p.y < lower->y ? p.y : lower->y;
	lower->z = p.z < lower->z ? p.z : lower->z;
	upper->x = p.x > upper->x ? p.x : upper->x;
	upper->y = p.y > upper->y ? p.y : upper->y;
	upper->z = p.z > upper->z ? p.z : upper->z;
}

// Volume, area, centroid, inertia and bounds.
void ds_mesh_integrate( const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles, int64_t face_count,
	bool closed, ds_mesh_properties *out );

#endif

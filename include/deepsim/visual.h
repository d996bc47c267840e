// libdeepsim: what things look like: triangles with materials, apart from the meshes of physics.

#ifndef DEEPSIM_VISUAL_H
#define DEEPSIM_VISUAL_H

#include "deepsim/mesh.h"

#ifdef __cplusplus
extern "C"
{
#endif

// Immutable, references counted; shared by worlds and threads.
typedef struct ds_visual ds_visual;

// As glTF 2.0 has it: metallic-roughness. Colours are linear reflectances for red, green, blue (sRGB's primaries).
typedef struct ds_material
{
	double color[3];
	double metallic, roughness; // 0 to 1
} ds_material;

DS_API const ds_table *ds_material_table( void );
DS_API ds_material ds_material_default( void ); // grey 0.5, rough

// How to read one. Start from ds_visual_options_default().
typedef struct ds_visual_options
{
	uint32_t struct_size;
	double scale; // metres per unit of the file
	int32_t axes; // ds_mesh_axes
	const ds_material *material; // in place of the file's own; NULL: the file's
	int64_t max_bytes, max_faces, max_pixels; // 4 GiB, 50 million, 268 million of all textures
} ds_visual_options;

DS_API ds_visual_options ds_visual_options_default( void );

// Reads glTF and GLB with materials (base colour factor and texture, metallic-roughness, vertex colours; PNG and JPEG), OBJ with MTL (Kd,
// map_Kd, Pr, Pm), and STL, PLY (with vertex colours) as they are. The surface may be open. What a file names is looked for in its own
// folder only. Errors name the file and what is wrong with it: DS_ERROR_IO, _FORMAT, _UNSUPPORTED (Draco, meshopt, sparse accessors),
// _NOT_FINITE, _LIMIT, _RANGE, and _MESH_EMPTY where nothing is shown. A glTF file must keep the format's rules on references, counts
// and empty arrays; animations, skins and morph targets are not applied.
// Normals are the file's; where it gives none, faces that meet at less than 40 degrees are smooth. Materials that let light through are
// opaque (a warning goes to the log hook). Both sides of every face are seen. Without a material: grey 0.5, or the vertex colours.
// glTF's colours are linear; vertex colours of OBJ and PLY are sRGB, Kd is linear.
DS_API ds_status ds_visual_load(
	const char *path, const ds_visual_options *options, const ds_hooks *hooks, ds_visual **visual );

// A mesh of one material (NULL: the default).
DS_API ds_status ds_visual_from_mesh(
	const ds_mesh *mesh, ds_pose pose, const ds_material *material, const ds_hooks *hooks, ds_visual **visual );

// ---- targets for calibration ---------------------------------------------------------------------------------------

typedef enum ds_board_kind
{
	DS_BOARD_CHECKERBOARD, // rows x columns squares
	DS_BOARD_TAGS, // rows x columns AprilTags 36h11, ids from `first` on, `gap` of a tag's side between them
	DS_BOARD_KIND_COUNT
} ds_board_kind;

// A flat target in the y-z plane, facing -x (towards a camera that looks along +x): columns along y, rows along z, its centre at the
// origin. The square at the top left is black. Tags stand as OpenCV's DICT_APRILTAG_36h11 draws them (the AprilTag library's own are
// turned by half a turn). The plate is 2 mm thick, with a grey back. Corners come in the order of cv2.findChessboardCorners and
// cv2.aruco.detectMarkers.
typedef struct ds_board
{
	int32_t kind; // ds_board_kind
	int64_t rows, columns; // of squares, or tags
	double square; // side of a square or tag [m]
	double gap; // tags: share of the side
	double margin; // white about it [m]
	int64_t first; // tags: id of the first
	double white, black; // reflectances
} ds_board;

DS_API const ds_table *ds_board_table( ds_board_kind kind );
DS_API ds_board ds_board_default( ds_board_kind kind );
DS_API ds_status ds_visual_board( const ds_board *board, const ds_hooks *hooks, ds_visual **visual );
// Inner corner number `index` (row by row) of a checkerboard: ( rows - 1 ) x ( columns - 1 ) of them; corner `index % 4` (top left, top right,
// bottom right, bottom left) of tag `index / 4`. [m] DS_ERROR_RANGE.
DS_API ds_status ds_board_corner( const ds_board *board, int64_t index, ds_vec3 *corner );

DS_API ds_visual *ds_visual_retain( ds_visual *visual );
DS_API void ds_visual_release( ds_visual *visual );

// Writes a visual as GLB with vertex colours (textures are not kept), for other tools.
DS_API ds_status ds_visual_save( const ds_visual *visual, const char *path );

// Vertices [m] and triangles, which live as long as the visual. `count` may be NULL.
DS_API const ds_vec3 *ds_visual_vertices( const ds_visual *visual, int64_t *count );
DS_API const int32_t *ds_visual_triangles( const ds_visual *visual, int64_t *face_count );

// What a point of the surface looks like.
typedef struct ds_surface
{
	float normal[3]; // smooth, unit, on the side of the face's front
	float color[3]; // linear
	float metallic, roughness;
} ds_surface;

// The surface at a point [m, the visual's axes] on triangle `face`; `footprint` [m] is the width that a pixel sees there, for filtering
// textures (0: none).
DS_API void ds_visual_at( const ds_visual *visual, int64_t face, ds_vec3 point, double footprint, ds_surface *surface );

// ---- the seabed ----------------------------------------------------------------------------------------------------

// "appearance" of a seabed: procedural sediment and nodules. Start from ds_seabed_look_default(): deep-sea clay, no nodules.
typedef struct ds_seabed_look
{
	double color[3]; // of the sediment, linear reflectance
	double mottling; // relative standard deviation of its reflectance
	double mottling_scale; // [m]
	double ripple; // standard deviation of small slopes: makes light play on it [rad]
	double nodule_cover; // share of the area under nodules, 0 to 0.6
	double nodule_size; // median diameter, seen from above [m]
	double
		nodule_spread; // geometric standard deviation of diameters; cut off at 2.5 of them, or at 3.8 times the median
	double nodule_color[3]; // linear reflectance
	double nodule_burial; // share of a nodule's height that is in the sediment, 0.5 to 0.95
	double roughness; // of both
	int64_t seed;
} ds_seabed_look;

DS_API const ds_table *ds_seabed_look_table( void );
DS_API ds_seabed_look ds_seabed_look_default( void );

// The seabed at a place (north, east [m]) whose ground has the unit `normal`: colour, normal of the small shapes, and the instance: 0 for
// sediment, else a nodule's number in [1, 2^23), the same from wherever it is seen (two of many may share one). `footprint` [m]: details
// that are smaller fade into their mean. `look` must be within the ranges of its table.
DS_API void ds_seabed_look_at( const ds_seabed_look *look, double north, double east, ds_vec3 normal, double footprint,
	ds_surface *surface, int32_t *instance );

#ifdef __cplusplus
}
#endif

#endif

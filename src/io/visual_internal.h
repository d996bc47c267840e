// Inside the visual loader: what readers fill, and the steps that make a visual of it.

#ifndef DEEPSIM_SRC_VISUAL_INTERNAL_H
#define DEEPSIM_SRC_VISUAL_INTERNAL_H

#include "io/mesh_bytes.h"
#include "io/mesh_gltf.h"
#include "io/mesh_internal.h"
#include "optics/visual.h"

// Vertices and triangles gather in the soup, in the file's axes and units; with each triangle go the attributes of its three
// corners. Where some faces have an attribute and others have none, these get what stands for none: not a number for normals, 0 for
// uv, white.
typedef struct ds_visual_draft
{
	ds_soup soup;
	ds_mesh_options mesh_options; // of the soup
	ds_mesh_report report;
	const ds_visual_options *options;
	ds_bytes normals; // float[3] a corner
	ds_bytes uv, surface_uv; // float[2]
	ds_bytes colors; // float[3]
	ds_bytes face_materials; // int32_t
	ds_bytes materials; // ds_visual_material
	ds_bytes textures; // ds_texture
	bool any_normals, any_uv, any_surface_uv, any_colors;
	int64_t pixels_left;
	bool told_alpha, told_morph;
} ds_visual_draft;

// What a corner of a face has beside its place.
typedef struct ds_visual_corner
{
	float normal[3], uv[2], surface_uv[2], color[3];
} ds_visual_corner;

ds_visual_corner ds_visual_corner_none( void );

// Adds a triangle of vertices of the soup.
ds_status ds_visual_draft_face(
	ds_visual_draft *draft, const int32_t vertices[3], const ds_visual_corner corners[3], int32_t material );
ds_status ds_visual_draft_material( ds_visual_draft *draft, const ds_visual_material *material, int32_t *number );

// Decodes a picture into a texture; `what` names it in messages.
ds_status ds_visual_draft_texture(
	ds_visual_draft *draft, const char *what, const uint8_t *bytes, int64_t size, bool srgb, int32_t *number );

// Readers: fill the draft.
ds_status ds_visual_read_gltf( ds_visual_draft *draft, const uint8_t *bytes, int64_t size, bool binary );
ds_status ds_visual_read_obj( ds_visual_draft *draft, const uint8_t *bytes, int64_t size );

// Reads and finishes a file that is in memory already; `name` is its path.
ds_status ds_visual_parse( const char *name, const uint8_t *bytes, int64_t size, const ds_visual_options *options,
	const ds_hooks *hooks, ds_visual **visual );

// ---- glTF

// A use of a texture: its number in the draft or -1, the set of coordinates, how they are changed (KHR_texture_transform: u' = m[0] u
// + m[1] v + m[2], v' = m[3] u + m[4] v + m[5]), and wrapping.
typedef struct ds_gltf_use
{
	int32_t texture;
	int set;
	float m[6];
	uint8_t wrap[2];
} ds_gltf_use;

typedef struct ds_gltf_look
{
	ds_visual_material material;
	ds_gltf_use color, surface;
	int32_t number; // in the draft; -1: not read yet
} ds_gltf_look;

typedef struct ds_gltf_looks
{
	ds_gltf *gltf;
	ds_visual_draft *draft;
	ds_gltf_list materials, textures, images, samplers;
	ds_gltf_look *looks; // one a material
	ds_gltf_look none[2]; // where there is none: without and with vertex colours
	int32_t *decoded; // two an image, linear and sRGB: texture + 1 in the draft, or 0
} ds_gltf_looks;

ds_status ds_gltf_looks_open( ds_gltf_looks *looks, ds_gltf *gltf, ds_visual_draft *draft );
// The look of material `index`, or of none of the file's; its textures are decoded the first time.
#define DS_GLTF_NO_MATERIAL         ( -1 )
#define DS_GLTF_NO_MATERIAL_COLORED ( -2 )
ds_status ds_gltf_look_of( ds_gltf_looks *looks, int64_t index, const ds_gltf_look **look );

// Is what the file says of itself sound, beyond what is read of it? References, counts, empty arrays.
ds_status ds_gltf_check( ds_gltf *gltf );

// ---- OBJ

typedef struct ds_mtl_material
{
	char name[256];
	int32_t number; // in the draft
} ds_mtl_material;

// Reads the materials of a file beside the OBJ and adds them to `list` (ds_mtl_material).
ds_status ds_visual_read_mtl( ds_visual_draft *draft, ds_arena *arena, const char *file, ds_bytes *list );

#endif

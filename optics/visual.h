// Inside the library: what a visual is made of. Loaders (src/io/visual*.c), boards and meshes fill one, then it never changes.

#ifndef DEEPSIM_OPTICS_VISUAL_H
#define DEEPSIM_OPTICS_VISUAL_H

#include "base/base.h"
#include "deepsim/visual.h"
#include "optics/visual_texture.h"

#include <stdatomic.h>

// Textures are numbers of ds_visual.textures, or -1.
typedef struct ds_visual_material
{
	float color[3], metallic, roughness;
	int32_t color_texture; // times `color`
	int32_t surface_texture; // green times `roughness`, blue times `metallic`
	uint8_t color_wrap[2], surface_wrap[2]; // ds_texture_wrap along u and v
} ds_visual_material;

// Arrays of corners hold what corner k of face f has at index 3 f + k. `allocator` and the counts of vertices and faces are set
// first; ds_visual_new makes the arrays that are always there.
struct ds_visual
{
	ds_allocator allocator;
	atomic_int references;
	int64_t vertex_count, face_count;
	ds_vec3 *vertices; // [m]
	int32_t *triangles;
	float ( *normals )[3]; // of corners: unit, in front of the face
	float ( *uv )[2]; // of corners, for the colour texture; NULL: no textures
	float ( *surface_uv )[2]; // of corners, for the surface texture; NULL: as uv
	float ( *colors )[3]; // of corners; NULL: white
	int32_t *face_materials; // NULL: all have material 0
	ds_visual_material *materials;
	int32_t material_count;
	ds_texture *textures;
	int32_t texture_count;
};

ds_status ds_visual_new(
	const ds_hooks *hooks, int64_t vertices, int64_t faces, int32_t materials, ds_visual **visual );

ds_visual_material ds_visual_material_of( const ds_material *material );

// Normals of all corners from the faces: the mean of the faces about a vertex, weighted by their angles there, over those that
// are joined by edges less sharp than DS_CREASE. `welded`: equal vertices are one vertex already; if not, they count as one.
ds_status ds_visual_compute_normals( ds_visual *visual, bool welded );

// Puts right the normals of corners that a file gives: those that are no directions become the face's, those that point
// behind their face are turned round.
void ds_visual_mend_normals( ds_visual *visual );

#define DS_CREASE 40.0 // [deg]

#endif

// Rays against the ground and the bodies of a world. Embree (module rays_embree.so, loaded on first use) finds what a ray may meet:
// blocks of cells of a grid, triangles, shapes, bodies, all in boxes a little larger than they are. What is met, and where, is computed
// in double precision from the corners or the shape itself, with the ray moved near to it, so that 1000 km off the origin costs
// nothing. So an answer depends on the ray and the scene alone: not on the packet it goes in, on threads, or on Embree's version. Of
// what is equally near the ground comes first, then the lowest body, then the lowest triangle or shape.
// A build without Embree (DEEPSIM_EMBREE=OFF), or a machine without the module, uses Bullet. A plane and a few simple bodies need none.
//
// Bodies are instances: their geometry is built once and shared, the top level is built anew from poses when they have moved. So no
// state of this outlives a pose: a restored world needs nothing.
//
// Grids are met from above and below; a ray that starts on one meets it at 0 (one that starts in a plane does not, as ever).

#ifndef DEEPSIM_SRC_RAYS_H
#define DEEPSIM_SRC_RAYS_H

#include "deepsim/base.h"
#include "deepsim/types.h"
#include "terrain/terrain.h"

// Geometry of one kind of body: immutable, references counted, shared by worlds and threads.
typedef struct ds_ray_geometry ds_ray_geometry;

// What a body is to rays, in its own axes.
typedef enum ds_ray_shape_kind
{
	DS_RAY_BOX, // half
	DS_RAY_SPHERE, // radius
	DS_RAY_CAPSULE, // radius, length between the caps' centres, along x
	DS_RAY_CYLINDER // radius, length, along x
} ds_ray_shape_kind;

typedef struct ds_ray_shape
{
	int32_t kind;
	ds_pose pose;
	ds_vec3 half;
	double radius, length;
} ds_ray_shape;

typedef struct ds_ray_geometry_def
{
	const ds_vec3 *vertices; // triangles, or NULL
	int64_t vertex_count;
	const int32_t *triangles;
	int64_t triangle_count;
	ds_pose pose; // of the triangles in the body's axes
	// The triangles enclose a solid, counter-clockwise seen from outside: a ray from inside does not meet them. Else both sides are met.
	bool solid;
	const ds_ray_shape *shapes;
	int64_t shape_count;
} ds_ray_geometry_def;

typedef struct ds_ray_scene ds_ray_scene;

typedef struct ds_ray
{
	ds_vec3 origin, direction; // direction of unit length
	double range; // [m]
	int32_t ignore; // index of a body that is not met; -1: none
} ds_ray;

typedef struct ds_ray_found
{
	double distance; // < 0: nothing
	ds_vec3 normal; // unit, towards the origin
	int32_t body; // -1: the ground
	int64_t primitive; // number of the triangle: the ground's (terrain.h), or the geometry's, whose shapes follow
} ds_ray_found;

// Loads what rays need. DS_ERROR_UNSUPPORTED: this build or machine has no Embree (the caller then goes by Bullet).
ds_status ds_rays_open( const ds_hooks *hooks );

ds_status ds_ray_geometry_create( const ds_hooks *hooks, const ds_ray_geometry_def *def, ds_ray_geometry **geometry );
ds_ray_geometry *ds_ray_geometry_retain( ds_ray_geometry *geometry );
void ds_ray_geometry_release( ds_ray_geometry *geometry );

// A scene of a terrain (NULL: none; a plane is met analytically) and `count` bodies, index by index; NULL geometries are not met.
// What is built of a terrain is kept with it and shared by scenes.
ds_status ds_ray_scene_create( const ds_hooks *hooks, const ds_terrain *terrain, ds_ray_geometry *const *geometries,
	int32_t count, ds_ray_scene **scene );
void ds_ray_scene_destroy( ds_ray_scene *scene );

// What is seen of the bodies, apart from what collides: another geometry each, for other rays (sight.h). The ground is the same.
ds_status ds_ray_scene_show( ds_ray_scene *scene, ds_ray_geometry *const *geometries, int32_t count );

// Where the bodies are now: what collides of them, and what is seen (twists: world axes, of the bodies' own origins). Starts no thread.
ds_status ds_ray_scene_place( ds_ray_scene *scene, const ds_pose *poses );
ds_status ds_ray_scene_place_seen( ds_ray_scene *scene, const ds_pose *poses, const ds_twist *twists );

// The nearest thing on each ray. Changes nothing: threads may call it together. Packets of 16 neighbours (cameras, fans) are fastest.
// A ray that is not finite (its range may be), or whose direction is not of unit length, meets nothing.
void ds_ray_scene_cast( const ds_ray_scene *scene, const ds_ray *rays, int64_t count, ds_ray_found *found );

#endif

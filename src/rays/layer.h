// Inside rays: bodies at their poses, as one kind of ray meets them: as what collides, or as what is seen.

#ifndef DEEPSIM_SRC_RAYS_LAYER_H
#define DEEPSIM_SRC_RAYS_LAYER_H

#include "rays/geometry.h"
#include "rays/sight.h"

#include <pthread.h>

// Boxes of bodies hold them wherever they go within a time; so many times are told apart: see ds_ray_reach_of (sight.h).
#define DS_RAY_REACHES 4

// The bounding box of a body in the world; lower > upper: it is not met.
typedef struct ds_ray_body_box
{
	ds_vec3 lower, upper;
} ds_ray_body_box;

// What holds the bodies from -reach to +reach.
typedef struct ds_ray_reach
{
	atomic_bool made; // since the bodies were placed
	ds_ray_body_box *boxes;
	// bodies once they are many
	ds_ray_bounds bounds;
	ds_tree *tree;
} ds_ray_reach;

typedef struct ds_ray_layer
{
	ds_allocator allocator;
	int32_t count;
	ds_ray_geometry **geometries; // retained
	ds_pose *poses;
	ds_twist *twists; // world axes, of the bodies' own origins; NULL: they stand still
	bool placed;
	const ds_tree_module *module; // NULL: few bodies
	ds_ray_reach reaches[DS_RAY_REACHES];
	pthread_mutex_t lock; // of reaches that are not made
} ds_ray_layer;

// A layer of `count` bodies, of which NULL geometries are not met. `moves`: they may have twists.
ds_status ds_ray_layer_create( const ds_allocator *allocator, ds_ray_geometry *const *geometries, int32_t count,
	bool moves, ds_ray_layer **layer );
void ds_ray_layer_destroy( ds_ray_layer *layer );

// Where the bodies are, and how they move (NULL: not).
ds_status ds_ray_layer_place( ds_ray_layer *layer, const ds_pose *poses, const ds_twist *twists );

// Makes a reach, if it is not there. Threads may call it together.
ds_status ds_ray_layer_reach( ds_ray_layer *layer, int reach );

// Where a body is at a time from now.
ds_pose ds_ray_layer_pose( const ds_ray_layer *layer, int32_t body, double time );

// Bodies that the rays of a packet meet nearer than what they have met. `reach` is made; `times` and `ignore` of each lane; NULL times:
// now. Rays that have met something in a packet whose `any` is set are not looked at.
void ds_ray_layer_cast(
	const ds_ray_layer *layer, int reach, const double *times, const int32_t *ignore, ds_ray_packet *world );

#endif

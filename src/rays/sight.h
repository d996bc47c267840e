// Inside the library: rays that see, in packets.

#ifndef DEEPSIM_SRC_RAYS_SIGHT_H
#define DEEPSIM_SRC_RAYS_SIGHT_H

#include "rays/ground.h"
#include "rays/packet.h"
#include "rays/rays.h"

// What of the bodies a ray meets.
typedef enum ds_ray_layer_kind
{
	DS_RAY_COLLIDES,
	DS_RAY_SEEN,
	DS_RAY_LAYERS
} ds_ray_layer_kind;

// Up to 16 rays: origins, unit directions, `far` (their ranges), `lanes` and `any` of the packet are given, `item` and `body` are -1. Lanes
// that are not in use hold zeros.
typedef struct ds_ray_sight
{
	ds_ray_packet packet;
	double time[DS_RAY_LANES]; // from now [s]: bodies are met where they are then. Not looked at where reach is 0
	int32_t ignore[DS_RAY_LANES]; // index of a body that is not met; -1: none
	int32_t layer; // ds_ray_layer_kind
	int32_t reach; // of the greatest |time| of the lanes: ds_ray_reach_of; made by ds_ray_scene_reach
} ds_ray_sight;

// The class of a time: 0 for now, -1 beyond 1 s.
int ds_ray_reach_of( double time );

// Makes ready for rays of a reach. Threads may call it together.
ds_status ds_ray_scene_reach( const ds_ray_scene *scene, int reach );

// Where a body that is seen is at a time.
ds_pose ds_ray_scene_pose( const ds_ray_scene *scene, int32_t body, double time );

// What the rays meet: `far`, `item` (-1: nothing), `body`, `normal` (to either side). With `any`, whether there is something is all that is
// said. Changes nothing: threads may call it together.
void ds_ray_scene_meet( const ds_ray_scene *scene, const ds_ray_kernel *kernel, ds_ray_sight *sight );

#endif

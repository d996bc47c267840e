// Inside rays: packets of 16 rays in double precision.

#ifndef DEEPSIM_SRC_RAYS_PACKET_H
#define DEEPSIM_SRC_RAYS_PACKET_H

#include "deepsim/types.h"
#include "rays/tree.h"

// Components of directions below this are taken for 0, so that no reciprocal is infinite.
#define DS_RAY_LEAST 1e-200
// What stands for an infinite number of lengths.
#define DS_RAY_ENDLESS 1e300

// How much larger boxes are than what they hold, against the size of what the tree is built over. Embree's own tests of boxes are not
// exact ( RTC_SCENE_FLAG_ROBUST does not reach user geometries): origin, direction and boxes round, by 6e-8 each, and so do the
// products and reciprocals of its slab test, some 5e-7 in all.
#define DS_RAY_MARGIN 2e-6

// Lanes that are not in `lanes` hold zeros, or what they held.
typedef struct ds_ray_packet
{
	alignas( 64 ) double origin[3][DS_RAY_LANES]; // [m]
	double direction[3][DS_RAY_LANES]; // unit
	double shift[DS_RAY_LANES]; // way that the origin was moved along the ray [m]
	double far[DS_RAY_LANES]; // nearest so far, from the moved origin [m]; at first where the search ends
	double normal[3][DS_RAY_LANES]; // unit, to either side
	int64_t item[DS_RAY_LANES]; // what was met; -1: nothing
	int32_t body[DS_RAY_LANES]; // whose it is; -1: the ground's
	uint32_t lanes;
	bool any; // whatever is met ends a ray, the nearest thing or not
} ds_ray_packet;

// A box that trees are built over, and how much larger than their contents boxes have to be.
typedef struct ds_ray_bounds
{
	ds_vec3 lower, upper; // with the margin [m]
	ds_vec3 center;
	double margin; // [m]
} ds_ray_bounds;

// Bounds of a box without a margin.
ds_ray_bounds ds_ray_bounds_of( ds_vec3 lower, ds_vec3 upper );

// A float that is no nearer than t.
static inline float ds_ray_beyond( double t )
{
	return (float)( t * ( 1 + 2.5e-7 ) );
}

// A double no less than t, by more than the rounding of what is subtracted from or added to it.
static inline double ds_ray_slack( double t )
{
	return t * ( 1 + 1e-15 );
}

// Moves the origins of the rays `from` (not moved yet) up to a box; `to` has what enters it, `item` is -1.
void ds_ray_approach( const ds_ray_bounds *bounds, const ds_ray_packet *from, ds_ray_packet *to );

// The same packet for a tree over the box.
void ds_ray_single( const ds_ray_bounds *bounds, const ds_ray_packet *packet, ds_tree_packet *single );

// The single-precision box of an item.
void ds_ray_item_box(
	const ds_ray_bounds *bounds, ds_vec3 item_lower, ds_vec3 item_upper, float lower[3], float upper[3] );

#endif

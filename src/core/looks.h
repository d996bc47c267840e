// Inside the library: what the parts of looks share.

#ifndef DEEPSIM_CORE_LOOKS_H
#define DEEPSIM_CORE_LOOKS_H

#include "core/world.h"
#include "optics/seabed_look.h"
#include "rays/sight.h"

#include <stdalign.h>

// Instances: water is 0, then the seabed, bodies in their order, nodules.
#define DS_LOOK_SEABED     1
#define DS_LOOK_FIRST_BODY 2
#define DS_LOOK_NODULES    ( 1 << 23 )

#define DS_LOOK_ALL 0xffffu // lanes

// Where the rays of a packet end.
typedef struct ds_look_places
{
	alignas( 64 ) double point[3][DS_RAY_LANES]; // world [m]
	double facet[3][DS_RAY_LANES]; // unit, towards the ray's origin
	double footprint[DS_RAY_LANES]; // [m]
} ds_look_places;

// Their arithmetic, in variants for instruction sets with the same bits. Lanes that are not in use get anything.
typedef struct ds_look_kernel
{
	const char *name;
	// Makes directions unit vectors; the greatest |time|. Not 0: some ray is not as it should be, or its direction is so long or so short
	// that it needs care.
	int ( *load )( ds_ray_packet *packet, const double *time, const double *footprint, double *greatest );
	void ( *place )( const ds_ray_packet *packet, const double *footprint, ds_look_places *at );
	// What the seabed is asked at the places: the ground's normals are those of a grid as a smooth surface (NULL: there is none), of a
	// facet next to a hole.
	void ( *ask )( const ds_terrain_view *grid, const ds_look_places *at, uint32_t lanes, ds_seabed_places *ground );
	// Turns the seabed's normals to the side that the facets show.
	void ( *face )( const ds_look_places *at, ds_seabed_places *ground );
} ds_look_kernel;

extern const ds_look_kernel ds_look_kernel_plain;
#if defined( __x86_64__ )
extern const ds_look_kernel ds_look_kernel_avx2;
#endif

// The fastest that this processor has.
const ds_look_kernel *ds_look_kernel_best( void );

// looks_see.c: what the first `count` rays of a packet see, from what they met. `footprint`: of each at 1 m [rad].
void ds_looks_see( const ds_world *world, const ds_look_kernel *kernel, const ds_ray_sight *sight,
	const double *footprint, int count, ds_look *looks );

#endif

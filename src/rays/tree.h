// Inside rays: trees of boxes, as the module rays_embree.so makes them. A tree tells which items a packet of rays may meet; what is
// met, and where, is for the visitor to find in double precision. Boxes have to be as much larger than what they hold as the
// single-precision rays may be beside the true ones.

#ifndef DEEPSIM_SRC_RAYS_TREE_H
#define DEEPSIM_SRC_RAYS_TREE_H

#include "deepsim/base.h"

#include <stdalign.h>

#define DS_RAY_LANES 16

typedef struct ds_tree ds_tree;

// The box of an item, in the tree's own axes [m]; NaN: the item is not met.
typedef void ds_tree_box_fn( void *user, uint32_t item, float lower[3], float upper[3] );

typedef struct ds_tree_def
{
	uint32_t count; // of items
	ds_tree_box_fn *box;
	void *user; // stays valid while the tree is built
	bool quick; // built faster, searched slower: for trees that live for a tick
} ds_tree_def;

// Up to 16 rays. Lanes that are not in `lanes` are never looked at.
typedef struct ds_tree_packet
{
	alignas( 64 ) float origin[3][DS_RAY_LANES]; // [m]
	alignas( 64 ) float direction[3][DS_RAY_LANES];
	alignas( 64 ) float far[DS_RAY_LANES]; // what is entered beyond is not visited [lengths of `direction`]
	uint32_t lanes; // bit k: lane k
} ds_tree_packet;

// Looks at an item for the rays of `lanes`, and shortens their `far` where it was met. Order and repetition of visits are the tree's
// affair: a result must not depend on them.
typedef void ds_tree_visit_fn( void *user, ds_tree_packet *packet, uint32_t item, uint32_t lanes );

// The table of the module. Functions are safe to call from several threads, but for one tree that is being built.
typedef struct ds_tree_module
{
	ds_status ( *create )( const ds_tree_def *def, ds_tree **tree );
	// Builds a tree anew, with other boxes; `def` has the count that the tree was created with. After an error it holds nothing.
	ds_status ( *rebuild )( ds_tree *tree, const ds_tree_def *def );
	void ( *destroy )( ds_tree *tree ); // NULL is nothing
	void ( *cast )( const ds_tree *tree, ds_tree_packet *packet, ds_tree_visit_fn *visit, void *user );
} ds_tree_module;

#endif

// Inside the library: what a registry is. Types: registry.c; shared objects: plugin_load.c.

#ifndef DEEPSIM_SRC_REGISTRY_H
#define DEEPSIM_SRC_REGISTRY_H

#include "base/base.h"
#include "deepsim/registry.h"

#include <stdatomic.h>

struct ds_registry
{
	atomic_int references;
	ds_hooks hooks;
	ds_host host; // what plugins were given
	const ds_type **types; // in the order they were added
	int32_t count, capacity;
	void **plugins; // handles of the shared objects, in the order they were loaded
	int32_t plugin_count, plugin_capacity;
};

// Makes room for one more than `count` elements of a list.
ds_status ds_registry_grow( const ds_allocator *allocator, void **list, int32_t *capacity, int32_t count, size_t size );

// Closes all shared objects, the last one first.
void ds_registry_close_plugins( ds_registry *registry );

#endif

// A table of parts: ids with index and generation, look-up by id and by name in constant time, and the order of creation.

#ifndef DEEPSIM_SRC_SLOTS_H
#define DEEPSIM_SRC_SLOTS_H

#include "base/base.h"
#include "deepsim/body.h"

// What every part begins with.
typedef struct ds_slot_head
{
	ds_id id;
	char name[DS_NAME_SIZE];
} ds_slot_head;

typedef struct ds_slot
{
	void *part; // NULL: free
	uint32_t generation;
	int32_t next_free;
	int32_t next; // with a name of the same bucket; -1: the last
} ds_slot;

typedef struct ds_slots
{
	const ds_allocator *allocator;
	ds_kind kind;
	ds_slot *slots;
	int32_t slot_count, slot_capacity, first_free;
	void **order; // parts that live, oldest first
	int32_t count, order_capacity;
	int32_t *buckets; // by hash of names: the first slot, -1: none; as many as there is room for slots
	int32_t bucket_count;
} ds_slots;

void ds_slots_init( ds_slots *table, ds_kind kind, const ds_allocator *allocator );
void ds_slots_free( ds_slots *table );

// Adds a part at the end of the order and gives its id.
ds_status ds_slots_add( ds_slots *table, void *part, ds_id *id );

// Takes a part out; its id is stale from then on.
void ds_slots_remove( ds_slots *table, ds_id id );

// The part of an id. DS_ERROR_TYPE for another kind, DS_ERROR_STALE for one that is gone.
ds_status ds_slots_get( const ds_slots *table, ds_id id, void **part );

// The part of a name, or NULL.
void *ds_slots_find( const ds_slots *table, const char *name );

// An exact copy of the ids of `from`, without parts: every slot that is taken waits for ds_slots_put.
ds_status ds_slots_copy( ds_slots *table, const ds_slots *from );
void ds_slots_put( ds_slots *table, ds_id id, void *part );

// The kind that an id stands for (0 if none).
ds_kind ds_id_kind( ds_id id );

#endif

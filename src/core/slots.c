#include "core/slots.h"

#include "deepsim/registry.h"

#include <string.h>

// kind in the top byte, then 24 bits of generation, then index + 1
static ds_id make_id( ds_kind kind, uint32_t generation, int32_t index )
{
	return ( (uint64_t)kind << 56 ) | ( (uint64_t)( generation & 0xffffffu ) << 32 ) | (uint64_t)( index + 1 );
}

ds_kind ds_id_kind( ds_id id )
{
	return (ds_kind)( id >> 56 );
}

void ds_slots_init( ds_slots *table, ds_kind kind, const ds_allocator *allocator )
{
	memset( table, 0, sizeof( *table ) );
	table->allocator = allocator;
	table->kind = kind;
	table->first_free = -1;
}

void ds_slots_free( ds_slots *table )
{
	DS_FREE( table->allocator, table->buckets, table->bucket_count );
	DS_FREE( table->allocator, table->slots, table->slot_capacity );
	DS_FREE( table->allocator, table->order, table->order_capacity );
	ds_slots_init( table, table->kind, table->allocator );
}

// ---- names -------------------------------------------------------------------------------------------------------

static int32_t *bucket_of( const ds_slots *table, const char *name )
{
	return &table->buckets[ds_hash_string( name ) % (uint64_t)table->bucket_count];
}

static void link_name( ds_slots *table, int32_t index )
{
	ds_slot *slot = &table->slots[index];
	int32_t *bucket = bucket_of( table, ( (const ds_slot_head *)slot->part )->name );
	slot->next = *bucket;
	*bucket = index;
}

static void unlink_name( ds_slots *table, int32_t index )
{
	const ds_slot *slot = &table->slots[index];
	int32_t *link = bucket_of( table, ( (const ds_slot_head *)slot->part )->name );
	while ( *link != index )
	{
		link = &table->slots[*link].next;
	}
	*link = slot->next;
}

void *ds_slots_find( const ds_slots *table, const char *name )
{
	int32_t index = table->bucket_count ? *bucket_of( table, name ) : -1;
	while ( index >= 0 && strcmp( ( (const ds_slot_head *)table->slots[index].part )->name, name ) != 0 )
	{
		index = table->slots[index].next;
	}
	return index >= 0 ? table->slots[index].part : NULL;
}

// As many empty buckets as there is room for slots, then all names.
static ds_status make_buckets( ds_slots *table )
{
	int32_t *fresh;
	DS_TRY( DS_NEW( table->allocator, table->slot_capacity, &fresh ) );
	DS_FREE( table->allocator, table->buckets, table->bucket_count );
	table->buckets = fresh;
	table->bucket_count = table->slot_capacity;
	for ( int32_t i = 0; i < table->bucket_count; ++i )
	{
		fresh[i] = -1;
	}
	for ( int32_t i = 0; i < table->slot_count; ++i )
	{
		if ( table->slots[i].part )
		{
			link_name( table, i );
		}
	}
	return DS_OK;
}

// ---- adding and removing -------------------------------------------------------------------------------------------

// Makes room for one more slot and one more part.
static ds_status grow( ds_slots *table )
{
	if ( table->slot_count == table->slot_capacity )
	{
		int32_t capacity = table->slot_capacity ? 2 * table->slot_capacity : 8;
		ds_slot *slots;
		DS_TRY( DS_NEW( table->allocator, capacity, &slots ) );
		if ( table->slot_count )
		{
			memcpy( slots, table->slots, (size_t)table->slot_count * sizeof( *slots ) );
		}
		DS_FREE( table->allocator, table->slots, table->slot_capacity );
		table->slots = slots;
		table->slot_capacity = capacity;
	}
	if ( table->bucket_count < table->slot_capacity )
	{
		DS_TRY( make_buckets( table ) );
	}
	if ( table->count == table->order_capacity )
	{
		int32_t capacity = table->order_capacity ? 2 * table->order_capacity : 8;
		void **order;
		DS_TRY( DS_NEW( table->allocator, capacity, &order ) );
		if ( table->count )
		{
			memcpy( order, table->order, (size_t)table->count * sizeof( *order ) );
		}
		DS_FREE( table->allocator, table->order, table->order_capacity );
		table->order = order;
		table->order_capacity = capacity;
	}
	return DS_OK;
}

ds_status ds_slots_add( ds_slots *table, void *part, ds_id *id )
{
	DS_TRY( grow( table ) );
	int32_t index = table->first_free;
	if ( index >= 0 )
	{
		table->first_free = table->slots[index].next_free;
	}
	else
	{
		index = table->slot_count++;
	}
	ds_slot *slot = table->slots + index;
	slot->part = part;
	slot->generation++;
	table->order[table->count++] = part;
	link_name( table, index );
	*id = make_id( table->kind, slot->generation, index );
	return DS_OK;
}

static ds_slot *slot_of( const ds_slots *table, ds_id id )
{
	int64_t index = (int64_t)( id & 0xffffffffu ) - 1;
	if ( index < 0 || index >= table->slot_count )
	{
		return NULL;
	}
	ds_slot *slot = table->slots + index;
	return make_id( table->kind, slot->generation, (int32_t)index ) == id ? slot : NULL;
}

void ds_slots_remove( ds_slots *table, ds_id id )
{
	ds_slot *slot = slot_of( table, id );
	if ( slot == NULL || slot->part == NULL )
	{
		return;
	}
	int32_t place = 0;
	while ( table->order[place] != slot->part )
	{
		++place;
	}
	memmove( table->order + place, table->order + place + 1, (size_t)( table->count - place - 1 ) * sizeof( void * ) );
	table->count--;
	int32_t index = (int32_t)( slot - table->slots );
	unlink_name( table, index );
	slot->part = NULL;
	slot->next_free = table->first_free;
	table->first_free = index;
}

ds_status ds_slots_get( const ds_slots *table, ds_id id, void **part )
{
	*part = NULL;
	if ( ds_id_kind( id ) != table->kind )
	{
		return ds_error( id == DS_NO_ID ? DS_ERROR_STALE : DS_ERROR_TYPE, "expected the id of a %s, got %s%s",
			ds_kind_name( table->kind ), id == DS_NO_ID ? "no id" : "that of a ",
			id == DS_NO_ID ? "" : ds_kind_name( ds_id_kind( id ) ) );
	}
	ds_slot *slot = slot_of( table, id );
	if ( slot == NULL || slot->part == NULL )
	{
		return ds_error( DS_ERROR_STALE, "the %s with id %#llx does not exist (any more) in this world",
			ds_kind_name( table->kind ), (unsigned long long)id );
	}
	*part = slot->part;
	return DS_OK;
}

ds_status ds_slots_copy( ds_slots *table, const ds_slots *from )
{
	table->slot_capacity = from->slot_count;
	DS_TRY( DS_NEW( table->allocator, from->slot_count, &table->slots ) );
	table->order_capacity = from->count;
	DS_TRY( DS_NEW( table->allocator, from->count, &table->order ) );
	for ( int32_t i = 0; i < from->slot_count; ++i )
	{
		table->slots[i] = from->slots[i];
		table->slots[i].part = NULL;
	}
	table->slot_count = from->slot_count;
	table->first_free = from->first_free;
	return make_buckets( table );
}

void ds_slots_put( ds_slots *table, ds_id id, void *part )
{
	ds_slot *slot = slot_of( table, id );
	if ( slot )
	{
		slot->part = part;
		table->order[table->count++] = part;
		link_name( table, (int32_t)( slot - table->slots ) );
	}
}

// Snapshot, restore, clone, reset: copies of the blocks that change.

#include "core/world.h"

#include <string.h>

#define MAGIC UINT64_C( 0x3230504e53534400 )

typedef struct snapshot_header
{
	uint64_t magic, structure, size;
	uint64_t check; // of all bytes, with 0 here
	ds_world_state state;
	int32_t fault, unused; // no bytes between members: all are summed
	char fault_text[512];
} snapshot_header;

// What a snapshot fits: parts by kind, name, type and size of state, in their order.
static uint64_t structure_of( const ds_world *world )
{
	uint64_t hash = ds_hash_bytes( DS_HASH_START, &world->rate, sizeof( world->rate ) );
	const size_t sizes[] = { sizeof( ds_body_state ), sizeof( ds_part_state ), sizeof( ds_world_state ) };
	hash = ds_hash_bytes( hash, sizes, sizeof( sizes ) );
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		const ds_body *body = world->bodies.order[i];
		hash = ds_hash_bytes( hash, &body->id, sizeof( body->id ) );
		hash = ds_hash_bytes( hash, body->name, strlen( body->name ) + 1 );
		hash = ds_hash_bytes( hash, &body->element_count, sizeof( body->element_count ) );
	}
	const bool rut = world->ground.rut != NULL;
	hash = ds_hash_bytes( hash, &rut, sizeof( rut ) );
	for ( int32_t i = 0; i < world->joints.count; ++i )
	{
		const ds_joint *joint = world->joints.order[i];
		hash = ds_hash_bytes( hash, &joint->id, sizeof( joint->id ) );
		hash = ds_hash_bytes( hash, joint->name, strlen( joint->name ) + 1 );
	}
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			const ds_part *part = world->parts[kind].order[i];
			const char *type = part->model->type->name;
			hash = ds_hash_bytes( hash, &part->id, sizeof( part->id ) );
			hash = ds_hash_bytes( hash, part->name, strlen( part->name ) + 1 );
			hash = ds_hash_bytes( hash, type, strlen( type ) + 1 );
			hash = ds_hash_bytes( hash, &part->block_size, sizeof( part->block_size ) );
		}
	}
	return hash;
}

// Of whole words and the rest. Every step is one to one in the sum so far, so that no change within one word goes unseen.
static uint64_t checksum( uint64_t sum, const unsigned char *bytes, size_t size )
{
	uint64_t word;
	for ( ; size >= sizeof( word ); size -= sizeof( word ), bytes += sizeof( word ) )
	{
		memcpy( &word, bytes, sizeof( word ) );
		sum = ( sum ^ word ) * UINT64_C( 1099511628211 );
		sum ^= sum >> 32;
	}
	return ds_hash_bytes( sum, bytes, size );
}

static uint64_t check_of( const snapshot_header *header, const unsigned char *blocks )
{
	snapshot_header summed = *header;
	summed.check = 0;
	uint64_t sum = checksum( DS_HASH_START, (const unsigned char *)&summed, sizeof( summed ) );
	return checksum( sum, blocks, header->size - sizeof( summed ) );
}

// Calls `copy` for every block that changes, in a fixed order.
typedef void copy_fn( void *cursor, void *block, size_t size );

static void each_block( const ds_world *world, copy_fn *copy, void *cursor )
{
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		copy( cursor, &( (ds_body *)world->bodies.order[i] )->state, sizeof( ds_body_state ) );
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		const ds_body *body = world->bodies.order[i];
		copy( cursor, body->elements, (size_t)ds_element_blocks( body->element_count ) * sizeof( *body->elements ) );
	}
	for ( int32_t i = 0; i < world->joints.count; ++i )
	{
		copy( cursor, &( (ds_joint *)world->joints.order[i] )->state, sizeof( ds_joint_live ) );
	}
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			ds_part *part = world->parts[kind].order[i];
			copy( cursor, part->block, part->block_size );
		}
	}
}

static void count_block( void *cursor, void *block, size_t size )
{
	(void)block;
	*(size_t *)cursor += size;
}

static void save_block( void *cursor, void *block, size_t size )
{
	unsigned char **at = cursor;
	if ( size > 0 )
	{
		memcpy( *at, block, size );
		*at += size;
	}
}

static void restore_block( void *cursor, void *block, size_t size )
{
	const unsigned char **at = cursor;
	if ( size > 0 )
	{
		memcpy( block, *at, size );
		*at += size;
	}
}

// Header and blocks. The ground's ruts follow, as many as there are.
static size_t fixed_size( const ds_world *world )
{
	size_t size = sizeof( snapshot_header );
	each_block( world, count_block, &size );
	return size;
}

size_t ds_world_save_size( const ds_world *world )
{
	if ( world == NULL )
	{
		return 0;
	}
	return fixed_size( world ) + ( world->ground.rut ? ds_rut_save_size( world->ground.rut ) : 0 );
}

ds_status ds_world_save( const ds_world *world, void *bytes, size_t size )
{
	if ( world == NULL || bytes == NULL || size < ds_world_save_size( world ) )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "ds_world_save needs a world and room for %zu bytes", ds_world_save_size( world ) );
	}
	DS_TRY( ds_world_may_change( world ) );
	snapshot_header header;
	memset( &header, 0, sizeof( header ) );
	header.magic = MAGIC;
	header.structure = structure_of( world );
	header.size = ds_world_save_size( world );
	header.state = world->state;
	header.fault = (int32_t)world->fault;
	memcpy( header.fault_text, world->fault_text, sizeof( header.fault_text ) );
	unsigned char *blocks = (unsigned char *)bytes + sizeof( header ), *at = blocks;
	each_block( world, save_block, &at );
	if ( world->ground.rut )
	{
		ds_rut_save( world->ground.rut, at );
	}
	header.check = check_of( &header, blocks );
	memcpy( bytes, &header, sizeof( header ) );
	return DS_OK;
}

// What indexes memory or the clock; the rest is numbers, which a step checks.
static bool counters_good( const ds_world *world, const snapshot_header *header, const unsigned char *blocks )
{
	const ds_world_state *s = &header->state;
	int32_t commands = world->scenario ? world->scenario->command_count : 0;
	bool good = s->tick >= 0 && s->tick <= ds_clock_last( world->rate ) && s->next_command >= 0 &&
				s->next_command <= commands && header->fault >= DS_OK && header->fault < DS_STATUS_COUNT;
	const unsigned char *at = blocks + (size_t)world->bodies.count * sizeof( ds_body_state ) +
							  (size_t)world->joints.count * sizeof( ds_joint_live );
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		at += (size_t)ds_element_blocks( ( (const ds_body *)world->bodies.order[i] )->element_count ) *
			  sizeof( ds_element_block );
	}
	for ( int kind = DS_SENSOR; good && kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			// a reading a tick at most, and one before the first tick
			ds_part_state p;
			memcpy( &p, at, sizeof( p ) );
			good = good && p.sequence >= 0 && p.sequence <= s->tick + 1 && p.next >= 0 && p.next <= p.sequence &&
				   p.dropped >= 0 && p.dropped <= p.sequence;
			at += ( (const ds_part *)world->parts[kind].order[i] )->block_size;
		}
	}
	return good;
}

// Random keys follow the seed; Bullet is told where everything is.
static void settle( ds_world *world )
{
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count; ++i )
		{
			ds_part *part = world->parts[kind].order[i];
			ds_random_key( world->state.seed, part->name, part->key );
			part->near = world->ground.soils && part->gear;
		}
	}
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_collide_place( world, world->bodies.order[i] );
		// what was on soil is looked at again, whatever this world did before
		( (ds_body *)world->bodies.order[i] )->near = world->ground.soils != NULL;
	}
	ds_world_rays_moved( world );
	for ( int32_t i = 0; i < world->joints.count; ++i )
	{
		ds_joint_motor_update( world, world->joints.order[i] );
	}
}

ds_status ds_world_restore( ds_world *world, const void *bytes, size_t size )
{
	if ( world == NULL || bytes == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_world_restore needs a world and a snapshot" );
	}
	DS_TRY( ds_world_may_change( world ) );
	snapshot_header header;
	if ( size < sizeof( header ) )
	{
		return ds_error( DS_ERROR_FORMAT, "not a snapshot: %zu bytes are too few", size );
	}
	memcpy( &header, bytes, sizeof( header ) );
	if ( header.magic != MAGIC || header.size > size )
	{
		return ds_error( DS_ERROR_FORMAT, "not a snapshot, or a truncated one (%zu bytes)", size );
	}
	size_t fixed = fixed_size( world );
	bool fits = world->ground.rut ? header.size >= fixed : header.size == fixed;
	if ( header.structure != structure_of( world ) || !fits )
	{
		return ds_error( DS_ERROR_STRUCTURE, "the snapshot is of a world of another structure: rate, bodies, joints "
											 "and parts must be the same, with the same names, created "
											 "in the same order" );
	}
	const unsigned char *at = (const unsigned char *)bytes + sizeof( header );
	if ( header.check != check_of( &header, at ) || !counters_good( world, &header, at ) )
	{
		return ds_error( DS_ERROR_FORMAT, "the snapshot is damaged: its bytes are not those that were saved" );
	}
	ds_sea *sea = ds_sea_retain( world->sea );
	ds_status status = ds_sea_reseed( &world->environment, header.state.seed, &sea );
	if ( status == DS_OK && world->ground.rut )
	{
		status = ds_rut_load( world->ground.rut, at + ( fixed - sizeof( header ) ), header.size - fixed );
	}
	if ( status != DS_OK )
	{
		ds_sea_release( sea );
		return status;
	}
	ds_sea_release( world->sea );
	world->sea = sea;
	world->state = header.state;
	world->fault = (ds_status)header.fault;
	memcpy( world->fault_text, header.fault_text, sizeof( world->fault_text ) );
	world->fault_text[sizeof( world->fault_text ) - 1] = 0;
	each_block( world, restore_block, &at );
	settle( world );
	return ds_world_rays_place( world );
}

ds_status ds_world_reset( ds_world *world, uint64_t seed )
{
	if ( world == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_world_reset needs a world" );
	}
	DS_TRY( ds_world_may_change( world ) );
	DS_TRY( ds_sea_reseed( &world->environment, seed, &world->sea ) );
	if ( world->ground.rut )
	{
		ds_rut_clear( world->ground.rut );
	}
	world->state = ( ds_world_state ){ .seed = seed };
	ds_sea_start( world->sea, &world->state.sea );
	world->fault = DS_OK;
	world->fault_text[0] = 0;
	for ( int32_t i = 0; i < world->bodies.count; ++i )
	{
		ds_body_start( world, world->bodies.order[i] );
	}
	for ( int32_t i = 0; i < world->joints.count; ++i )
	{
		ds_joint *joint = world->joints.order[i];
		joint->state = ( ds_joint_live ){ joint->def.motor_velocity, joint->def.motor_force };
	}
	settle( world );
	world->busy = true; // the plugins' words go to the user's hooks
	ds_status status = ds_world_rays_place( world );
	for ( int kind = DS_SENSOR; kind <= DS_CONTROLLER; ++kind )
	{
		for ( int32_t i = 0; i < world->parts[kind].count && status == DS_OK; ++i )
		{
			status = ds_part_start( world, world->parts[kind].order[i] );
		}
	}
	world->busy = false;
	ds_world_fail( world, status );
	return status;
}

// ---- clone -------------------------------------------------------------------------------------------------------

// The copy's body that stands for one of the original's.
static ds_body *twin( const ds_world *world, const ds_body *body )
{
	void *part = NULL;
	return body && ds_slots_get( &world->bodies, body->id, &part ) == DS_OK ? part : NULL;
}

static ds_status copy_bodies( ds_world *to, const ds_world *from )
{
	DS_TRY( ds_slots_copy( &to->bodies, &from->bodies ) );
	for ( int32_t i = 0; i < from->bodies.count; ++i )
	{
		ds_body *copy;
		DS_TRY( ds_body_copy( to, from->bodies.order[i], &copy ) );
		ds_slots_put( &to->bodies, copy->id, copy );
	}
	return DS_OK;
}

static ds_status copy_joints( ds_world *to, const ds_world *from )
{
	DS_TRY( ds_slots_copy( &to->joints, &from->joints ) );
	for ( int32_t i = 0; i < from->joints.count; ++i )
	{
		ds_joint *copy;
		DS_TRY( DS_NEW( &to->hooks.allocator, 1, &copy ) );
		*copy = *(const ds_joint *)from->joints.order[i];
		copy->a = twin( to, copy->a );
		copy->b = twin( to, copy->b );
		copy->bullet = DSB_NONE;
		ds_slots_put( &to->joints, copy->id, copy );
	}
	return DS_OK;
}

static ds_status copy_parts( ds_world *to, const ds_world *from, int kind )
{
	DS_TRY( ds_slots_copy( to->parts + kind, from->parts + kind ) );
	for ( int32_t i = 0; i < from->parts[kind].count; ++i )
	{
		ds_part *copy;
		DS_TRY( ds_part_copy( to, from->parts[kind].order[i], &copy ) );
		copy->body = twin( to, copy->body );
		ds_slots_put( to->parts + kind, copy->id, copy );
	}
	return DS_OK;
}

ds_status ds_world_clone( const ds_world *world, ds_world **clone )
{
	if ( world == NULL || clone == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_world_clone needs a world and room for its copy" );
	}
	*clone = NULL;
	DS_TRY( ds_world_may_change( world ) );
	ds_world *copy;
	DS_TRY( ds_world_create_bare( world, &copy ) );
	ds_status status = copy_bodies( copy, world );
	status = status == DS_OK ? copy_joints( copy, world ) : status;
	for ( int kind = DS_SENSOR; status == DS_OK && kind <= DS_CONTROLLER; ++kind )
	{
		status = copy_parts( copy, world, kind );
	}
	if ( status == DS_OK && world->prepared )
	{
		status = ds_world_prepare( copy );
	}
	if ( status != DS_OK )
	{
		ds_world_destroy( copy );
		return status;
	}
	*clone = copy;
	return DS_OK;
}

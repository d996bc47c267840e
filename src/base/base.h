// Inside the library: errors, memory, logging, strings. Included by every part.

#ifndef DEEPSIM_SRC_BASE_H
#define DEEPSIM_SRC_BASE_H

#include "deepsim/base.h"
#include "deepsim/types.h"

// Prefixes the last error of this thread ("file:line: path: ") and keeps its status.
ds_status ds_error_prefix( ds_status status, const char *format, ... ) DS_PRINTF( 2, 3 );

// Forgets the last error of this thread: before a call to code that may fail without a word.
void ds_error_clear( void );

// Returns from the calling function when `expression` is not DS_OK. Only where nothing has to be cleaned up.
#define DS_TRY( expression )                                                                                           \
	do                                                                                                                 \
	{                                                                                                                  \
		ds_status try_status_ = ( expression );                                                                        \
		if ( try_status_ != DS_OK )                                                                                    \
		{                                                                                                              \
			return try_status_;                                                                                        \
		}                                                                                                              \
	}                                                                                                                  \
	while ( 0 )

// Memory of `count` elements of `size` bytes, zeroed, aligned to 64 bytes. Sets *memory to NULL and returns
// DS_ERROR_MEMORY on failure or overflow. A count of 0 gives NULL and DS_OK. `allocator` may be NULL.
ds_status ds_memory_new( const ds_allocator *allocator, size_t count, size_t size, void **memory );

// Gives back what ds_memory_new made, with the same count and size. NULL is nothing.
void ds_memory_free( const ds_allocator *allocator, void *memory, size_t count, size_t size );

// Typed forms: DS_NEW( allocator, count, &pointer ) and DS_FREE( allocator, pointer, count ).
#define DS_NEW( allocator, count, pointer )                                                                            \
	ds_memory_new( allocator, (size_t)( count ), sizeof( **( pointer ) ), (void **)( pointer ) )
#define DS_FREE( allocator, pointer, count )                                                                           \
	ds_memory_free( allocator, pointer, (size_t)( count ), sizeof( *( pointer ) ) )

// A growing arena: many small allocations, freed together; addresses stay valid. Zeroed memory, aligned to 16 bytes.
typedef struct ds_arena
{
	ds_allocator allocator;
	struct ds_arena_block *blocks;
	size_t total; // bytes taken from the allocator
} ds_arena;

void ds_arena_init( ds_arena *arena, const ds_allocator *allocator );
void ds_arena_free( ds_arena *arena );
ds_status ds_arena_new( ds_arena *arena, size_t size, void **memory );
ds_status ds_arena_copy_string( ds_arena *arena, const char *text, char **copy );

// Sends a formatted line to the log hook of `hooks`; nothing when there is none.
void ds_logf( const ds_hooks *hooks, ds_log_level level, const char *format, ... ) DS_PRINTF( 3, 4 );

// FNV-1a, 64 bit: the hash that keys random streams and structures.
uint64_t ds_hash_bytes( uint64_t seed, const void *bytes, size_t size );
uint64_t ds_hash_string( const char *text );
#define DS_HASH_START UINT64_C( 14695981039346656037 )

// Copies a string into a fixed buffer; false if it was cut.
bool ds_copy_string( char *out, size_t size, const char *text );

// The name of `count` names that is nearest to `name` by edit distance, or NULL when none is near (for "did you mean").
const char *ds_nearest_name( const char *name, const char *const *names, size_t count );

#endif

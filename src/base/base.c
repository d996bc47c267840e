#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_SIZE 2048

static _Thread_local char last_error[MESSAGE_SIZE];

const char *ds_last_error( void )
{
	return last_error;
}

ds_status ds_error( ds_status status, const char *format, ... )
{
	// the arguments may point into the old message
	char message[MESSAGE_SIZE];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( message, sizeof( message ), format, arguments );
	va_end( arguments );
	// names and texts of others may hold anything; a message is one line
	for ( char *p = message; *p; ++p )
	{
		*p = (unsigned char)*p < 0x20 || *p == 0x7f ? '?' : *p;
	}
	memcpy( last_error, message, strlen( message ) + 1 );
	return status;
}

void ds_error_clear( void )
{
	last_error[0] = 0;
}

ds_status ds_error_prefix( ds_status status, const char *format, ... )
{
	char prefix[MESSAGE_SIZE];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( prefix, sizeof( prefix ), format, arguments );
	va_end( arguments );
	return ds_error( status, "%s%s", prefix, last_error );
}

const char *ds_version( void )
{
#define TEXT_( x ) #x
#define TEXT( x )  TEXT_( x )
	return TEXT( DS_VERSION_MAJOR ) "." TEXT( DS_VERSION_MINOR ) "." TEXT( DS_VERSION_PATCH );
}

const char *ds_status_name( ds_status status )
{
	static const char *const names[DS_STATUS_COUNT] = { "ok", "bad argument", "out of memory", "input/output error",
		"malformed input", "out of range", "not finite", "not found", "duplicate name", "unknown key", "wrong type",
		"stale id", "another structure", "not possible now", "no sample", "cancelled", "not supported", "plugin error",
		"dependency cycle", "limit passed", "open mesh", "non-manifold mesh", "mixed winding", "mesh without volume",
		"mesh without faces", "internal error" };
	return (unsigned)status < DS_STATUS_COUNT ? names[status] : "unknown status";
}

// ---- memory ------------------------------------------------------------------------------------------------------

#define ALIGNMENT 64

ds_status ds_memory_new( const ds_allocator *allocator, size_t count, size_t size, void **memory )
{
	*memory = NULL;
	if ( count == 0 || size == 0 )
	{
		return DS_OK;
	}
	if ( count > ( SIZE_MAX - ALIGNMENT ) / size )
	{
		return ds_error(
			DS_ERROR_MEMORY, "out of memory: %zu elements of %zu bytes are more than memory can hold", count, size );
	}
	if ( allocator && !allocator->allocate != !allocator->release )
	{
		return ds_error( DS_ERROR_ARGUMENT, "an allocator needs both functions, allocate and release, or neither" );
	}
	size_t bytes = ( count * size + ALIGNMENT - 1 ) / ALIGNMENT * ALIGNMENT;
	void *block = allocator && allocator->allocate ? allocator->allocate( allocator->user, bytes, ALIGNMENT )
												   : aligned_alloc( ALIGNMENT, bytes );
	if ( block == NULL )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory: cannot get %zu bytes", bytes );
	}
	memset( block, 0, bytes );
	*memory = block;
	return DS_OK;
}

void ds_memory_free( const ds_allocator *allocator, void *memory, size_t count, size_t size )
{
	if ( memory == NULL )
	{
		return;
	}
	if ( allocator && allocator->release )
	{
		allocator->release( allocator->user, memory, ( count * size + ALIGNMENT - 1 ) / ALIGNMENT * ALIGNMENT );
	}
	else
	{
		free( memory );
	}
}

#define ARENA_BLOCK 16384

typedef struct ds_arena_block
{
	struct ds_arena_block *next;
	size_t size, used; // bytes, with this header
} ds_arena_block;

void ds_arena_init( ds_arena *arena, const ds_allocator *allocator )
{
	memset( arena, 0, sizeof( *arena ) );
	if ( allocator )
	{
		arena->allocator = *allocator;
	}
}

void ds_arena_free( ds_arena *arena )
{
	ds_arena_block *block = arena->blocks;
	while ( block )
	{
		ds_arena_block *next = block->next;
		ds_memory_free( &arena->allocator, block, block->size, 1 );
		block = next;
	}
	arena->blocks = NULL;
	arena->total = 0;
}

ds_status ds_arena_new( ds_arena *arena, size_t size, void **memory )
{
	*memory = NULL;
	if ( size > SIZE_MAX - 2 * ARENA_BLOCK )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory: cannot get %zu bytes", size );
	}
	size = ( size + 15 ) / 16 * 16;
	const size_t header = ( sizeof( ds_arena_block ) + 15 ) / 16 * 16;
	ds_arena_block *block = arena->blocks;
	if ( block == NULL || block->size - block->used < size )
	{
		size_t bytes = size + header > ARENA_BLOCK ? size + header : ARENA_BLOCK;
		void *fresh;
		DS_TRY( ds_memory_new( &arena->allocator, bytes, 1, &fresh ) );
		block = fresh;
		block->size = bytes;
		block->used = header;
		block->next = arena->blocks;
		arena->blocks = block;
		arena->total += bytes;
	}
	*memory = (char *)block + block->used;
	block->used += size;
	return DS_OK;
}

ds_status ds_arena_copy_string( ds_arena *arena, const char *text, char **copy )
{
	size_t size = strlen( text ) + 1;
	void *memory;
	DS_TRY( ds_arena_new( arena, size, &memory ) );
	memcpy( memory, text, size );
	*copy = memory;
	return DS_OK;
}

// ---- logging and strings -----------------------------------------------------------------------------------------

void ds_logf( const ds_hooks *hooks, ds_log_level level, const char *format, ... )
{
	if ( hooks == NULL || hooks->log == NULL )
	{
		return;
	}
	char message[MESSAGE_SIZE];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( message, sizeof( message ), format, arguments );
	va_end( arguments );
	hooks->log( hooks->log_user, level, message );
}

uint64_t ds_hash_bytes( uint64_t seed, const void *bytes, size_t size )
{
	const unsigned char *p = bytes;
	uint64_t hash = seed;
	for ( size_t i = 0; i < size; ++i )
	{
		hash = ( hash ^ p[i] ) * UINT64_C( 1099511628211 );
	}
	return hash;
}

uint64_t ds_hash_string( const char *text )
{
	return ds_hash_bytes( DS_HASH_START, text, strlen( text ) );
}

bool ds_copy_string( char *out, size_t size, const char *text )
{
	size_t length = strlen( text );
	bool fits = length < size;
	size_t n = fits ? length : size - 1;
	memcpy( out, text, n );
	out[n] = 0;
	return fits;
}

static char small( char c )
{
	return c >= 'A' && c <= 'Z' ? (char)( c - 'A' + 'a' ) : c;
}

// Levenshtein distance of two short names (64 characters at most are compared), in which capitals do not count.
static size_t edit_distance( const char *a, const char *b )
{
	size_t row[65];
	size_t na = strnlen( a, 64 ), nb = strnlen( b, 64 );
	for ( size_t j = 0; j <= nb; ++j )
	{
		row[j] = j;
	}
	for ( size_t i = 1; i <= na; ++i )
	{
		size_t diagonal = row[0];
		row[0] = i;
		for ( size_t j = 1; j <= nb; ++j )
		{
			size_t change = diagonal + ( small( a[i - 1] ) != small( b[j - 1] ) );
			diagonal = row[j];
			size_t least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
			row[j] = change < least ? change : least;
		}
	}
	return row[nb];
}

const char *ds_nearest_name( const char *name, const char *const *names, size_t count )
{
	const char *best = NULL;
	// a name of which no letter is left is not near
	size_t length = strlen( name ), limit = length / 3 + 2;
	size_t best_distance = limit < length ? limit + 1 : length;
	for ( size_t i = 0; i < count; ++i )
	{
		size_t distance = edit_distance( name, names[i] );
		if ( distance < best_distance )
		{
			best_distance = distance;
			best = names[i];
		}
	}
	return best;
}

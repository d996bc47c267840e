// libdeepsim: status codes, errors, allocation and log hooks, version.
//
// Every function that can fail returns a ds_status; ds_last_error() then holds one sentence (in this thread) that says
// what is wrong, where, and what would be right. The library never aborts, never exits and never prints.

#ifndef DEEPSIM_BASE_H
#define DEEPSIM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined( DEEPSIM_STATIC )
#define DS_API
#elif defined( _WIN32 )
#if defined( DEEPSIM_BUILD )
#define DS_API __declspec( dllexport )
#else
#define DS_API __declspec( dllimport )
#endif
#else
#define DS_API __attribute__( ( visibility( "default" ) ) )
#endif

// printf-style checking of a function's format string, where the compiler has it.
#if defined( __GNUC__ )
#define DS_PRINTF( format_index, first_argument ) __attribute__( ( format( printf, format_index, first_argument ) ) )
#else
#define DS_PRINTF( format_index, first_argument )
#endif

#define DS_VERSION_MAJOR 0
#define DS_VERSION_MINOR 4
#define DS_VERSION_PATCH 0

// Version of the plugin interface (deepsim/plugin.h). A plugin built for another one is refused.
#define DS_ABI_VERSION 4

#ifdef __cplusplus
extern "C"
{
#endif

// What a function reports. DS_OK is 0, every error is positive.
typedef enum ds_status
{
	DS_OK = 0,
	DS_ERROR_ARGUMENT, // a NULL, a wrong size, a definition that was not made by its _default() function
	DS_ERROR_MEMORY, // an allocation failed
	DS_ERROR_IO, // a file cannot be opened, read or written (a full disk too)
	DS_ERROR_FORMAT, // a file or a text is malformed
	DS_ERROR_RANGE, // a number is outside its permitted range
	DS_ERROR_NOT_FINITE, // a number is NaN or infinite; a body's state stopped being finite
	DS_ERROR_NOT_FOUND, // nothing has this name
	DS_ERROR_DUPLICATE, // a name or a key is used twice
	DS_ERROR_UNKNOWN_KEY, // a JSON key that no part knows
	DS_ERROR_TYPE, // a value or an id of another kind than is needed here
	DS_ERROR_STALE, // an id of something that was destroyed, or of another world
	DS_ERROR_STRUCTURE, // a snapshot of a world of another structure
	DS_ERROR_STATE, // not possible in the present state (a world that has failed; a change during a step)
	DS_ERROR_EMPTY, // no sample is available (yet)
	DS_ERROR_CANCELLED, // the cancel hook asked to stop
	DS_ERROR_UNSUPPORTED, // this build or this world does not have it
	DS_ERROR_PLUGIN, // a plugin cannot be loaded, has another ABI version, or broke its contract
	DS_ERROR_CYCLE, // includes or inputs that depend on themselves
	DS_ERROR_LIMIT, // a limit on size, count, depth or time was passed
	DS_ERROR_MESH_OPEN, // a mesh has open edges
	DS_ERROR_MESH_NON_MANIFOLD, // an edge of a mesh belongs to more than two faces
	DS_ERROR_MESH_WINDING, // faces of a mesh are wound both ways and cannot be unified
	DS_ERROR_MESH_VOLUME, // a closed mesh encloses no volume
	DS_ERROR_MESH_EMPTY, // a mesh has no (proper) faces
	DS_ERROR_INTERNAL, // a fault of this library: please report it
	DS_STATUS_COUNT
} ds_status;

// The name of a status in words ("open mesh"). Never NULL.
DS_API const char *ds_status_name( ds_status status );

// The last error of this thread: one sentence, valid until the next failing call in this thread. "" if there was none.
DS_API const char *ds_last_error( void );

// Sets the last error of this thread and returns `status`. For plugins and programs that report errors the same way.
DS_API ds_status ds_error( ds_status status, const char *format, ... ) DS_PRINTF( 2, 3 );

// "MAJOR.MINOR.PATCH" of the library that is linked (the macros above say what was compiled against).
DS_API const char *ds_version( void );

// Where memory comes from. `allocate` returns memory aligned to `alignment` (a power of two) or NULL; `release` gets what
// `allocate` returned, with the same size. A zeroed struct means the C library's allocator.
typedef struct ds_allocator
{
	void *( *allocate )( void *user, size_t size, size_t alignment );
	void ( *release )( void *user, void *memory, size_t size );
	void *user;
} ds_allocator;

typedef enum ds_log_level
{
	DS_LOG_DEBUG,
	DS_LOG_INFO,
	DS_LOG_WARNING,
	DS_LOG_ERROR
} ds_log_level;

// Gets messages that are worth a person's attention: one line each, without a line end. NULL: they are dropped.
typedef void ds_log_fn( void *user, ds_log_level level, const char *message );

// An allocator and a log hook together: what file readers and registries need to know of their surroundings.
typedef struct ds_hooks
{
	ds_allocator allocator;
	ds_log_fn *log;
	void *log_user;
} ds_hooks;

#ifdef __cplusplus
}
#endif

#endif

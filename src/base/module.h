// Modules: shared objects of our own that the library loads on first use and never links, so that GDAL and Embree are needed only
// by who uses them. A module lies at deepsim/NAME.so, links nothing of libdeepsim and exports one function, ds_module_table.
// It is loaded once in a process and never unloaded.

#ifndef DEEPSIM_SRC_MODULE_H
#define DEEPSIM_SRC_MODULE_H

#include "deepsim/base.h"

// A module serves the very release that it was built with.
#define DS_MODULE_VERSION ( DS_VERSION_MAJOR * 1000000 + DS_VERSION_MINOR * 1000 + DS_VERSION_PATCH )

#define DS_MODULE_EXPORT __attribute__( ( visibility( "default" ) ) )

// What a module may call of the library (base.h says what these do). Valid as long as the process.
typedef struct ds_module_host
{
	ds_status ( *error )( ds_status status, const char *format, ... ) DS_PRINTF( 2, 3 );
	ds_status ( *memory_new )( const ds_allocator *allocator, size_t count, size_t size, void **memory );
	void ( *memory_free )( const ds_allocator *allocator, void *memory, size_t count, size_t size );
	void ( *log )( const ds_hooks *hooks, ds_log_level level, const char *format, ... ) DS_PRINTF( 3, 4 );
} ds_module_host;

// The function that a module exports: its table of functions, or NULL if it was built for another version.
typedef const void *ds_module_table_fn( uint32_t version, const ds_module_host *host );
#define DS_MODULE_SYMBOL "ds_module_table"

// The table of a module, which is loaded now if it is not yet; its type is the caller's and the module's affair. Looked for in the
// directories of DEEPSIM_MODULE_PATH, then about the file that holds this code (library or program), then where it was to be
// installed. DS_ERROR_UNSUPPORTED names the places and what gives the module. Thread-safe. `hooks` may be NULL.
ds_status ds_module_open( const char *name, const ds_hooks *hooks, const void **table );

#endif

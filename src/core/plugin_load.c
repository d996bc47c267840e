// Loading plugins: where a shared object is looked for, and what happens when its registration fails.

#include "core/registry.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_VARIABLE   "DEEPSIM_PLUGIN_PATH"
#define REGISTER_SYMBOL "ds_plugin_register"
#define PATH_SIZE       1024

// The search for one shared object.
typedef struct search
{
	const char *name; // as asked for
	char found[PATH_SIZE]; // what to open: a path, or the bare name for the system's own search
	char places[1400]; // each place that was tried, for the error
} search;

// ---- where -------------------------------------------------------------------------------------------------------

// Notes a place for the error; a list too long for it ends in dots.
static void note_place( search *s, const char *place )
{
	size_t used = strlen( s->places ), room = sizeof( s->places ) - used;
	int written = snprintf( s->places + used, room, "%s%s", used ? ", " : "", place );
	if ( written < 0 || (size_t)written >= room )
	{
		memcpy( s->places + sizeof( s->places ) - 4, "...", 4 );
	}
}

// Tries a file: in a directory of `length` characters (0: the path as it is).
static bool try_place( search *s, const char *directory, size_t length )
{
	char path[PATH_SIZE];
	const char *slash = length && directory[length - 1] != '/' ? "/" : "";
	const char *name = s->name + ( length && strncmp( s->name, "./", 2 ) == 0 ? 2 : 0 );
	int written = snprintf( path, sizeof( path ), "%.*s%s%s", (int)length, directory, slash, name );
	if ( written < 0 || (size_t)written >= sizeof( path ) )
	{
		note_place( s, "(a path that is too long)" );
		return false;
	}
	note_place( s, path );
	if ( access( path, F_OK ) != 0 )
	{
		return false;
	}
	// without a slash dlopen would search by itself and not take this file
	written = snprintf( s->found, sizeof( s->found ), "%s%s", strchr( path, '/' ) ? "" : "./", path );
	return written > 0 && (size_t)written < sizeof( s->found );
}

// Tries the directories of DEEPSIM_PLUGIN_PATH, separated by colons.
static bool try_variable( search *s )
{
	const char *list = getenv( PATH_VARIABLE );
	while ( list && *list )
	{
		size_t length = strcspn( list, ":" );
		if ( length && try_place( s, list, length ) )
		{
			return true;
		}
		list += length + ( list[length] == ':' );
	}
	return false;
}

static bool find_file( search *s, const char *directory )
{
	bool has_directory = directory && directory[0] && s->name[0] != '/';
	if ( has_directory && try_place( s, directory, strlen( directory ) ) )
	{
		return true;
	}
	return strchr( s->name, '/' ) ? try_place( s, "", 0 ) : try_variable( s );
}

// Opens the shared object: the file that was found, or by the system's search for a bare name.
static ds_status open_object( search *s, const char *directory, void **handle )
{
	bool found = find_file( s, directory );
	bool bare = strchr( s->name, '/' ) == NULL;
	if ( !found && !bare )
	{
		return ds_error( DS_ERROR_NOT_FOUND, "cannot find the plugin \"%s\"; looked for %s", s->name, s->places );
	}
	const char *path = found ? s->found : s->name;
	struct stat info;
	if ( found && ( stat( path, &info ) != 0 || !S_ISREG( info.st_mode ) ) )
	{
		// a pipe would be waited for without end
		return ds_error( DS_ERROR_PLUGIN, "cannot load the plugin \"%s\": it is not a file", path );
	}
	*handle = dlopen( path, RTLD_NOW | RTLD_LOCAL );
	if ( *handle )
	{
		return DS_OK;
	}
	const char *reason = dlerror();
	if ( found )
	{
		return ds_error(
			DS_ERROR_PLUGIN, "cannot load the plugin \"%s\": %s", path, reason ? reason : "unknown fault" );
	}
	const char *variable = getenv( PATH_VARIABLE ) ? "" : PATH_VARIABLE " (not set), ";
	return ds_error( DS_ERROR_NOT_FOUND, "cannot find the plugin \"%s\"; looked for %s%s%sthe system's libraries (%s)",
		s->name, s->places, s->places[0] ? ", " : "", variable, reason ? reason : "unknown fault" );
}

// ---- registration ------------------------------------------------------------------------------------------------

static bool is_loaded( const ds_registry *registry, const void *handle )
{
	for ( int32_t i = 0; i < registry->plugin_count; ++i )
	{
		if ( registry->plugins[i] == handle )
		{
			return true;
		}
	}
	return false;
}

// Calls the registration function; what it added is removed again when it fails.
static ds_status register_types( ds_registry *registry, void *handle, const char *name )
{
	// POSIX gives functions as object pointers, which ISO C cannot convert
	void *symbol = dlsym( handle, REGISTER_SYMBOL );
	ds_plugin_register_fn *call;
	memcpy( &call, &symbol, sizeof( call ) );
	if ( symbol == NULL )
	{
		return ds_error( DS_ERROR_PLUGIN,
			"the plugin \"%s\" does not export " REGISTER_SYMBOL ": expected ds_status " REGISTER_SYMBOL
			"( ds_registry *, const ds_host * ), marked DS_PLUGIN_EXPORT",
			name );
	}

	// a message that was there before is not this plugin's
	ds_error_clear();
	int32_t before = registry->count;
	ds_status status = call( registry, &registry->host );
	if ( status == DS_OK && registry->count == before )
	{
		status = ds_error( DS_ERROR_PLUGIN, "it registered no type" );
	}
	if ( status == DS_OK )
	{
		return DS_OK;
	}
	registry->count = before;
	if ( (unsigned)status >= DS_STATUS_COUNT )
	{
		return ds_error( DS_ERROR_PLUGIN, "the plugin \"%s\": " REGISTER_SYMBOL " returned %d, which is no status",
			name, (int)status );
	}
	if ( ds_last_error()[0] == 0 )
	{
		ds_error( status, REGISTER_SYMBOL " failed without a message (%s)", ds_status_name( status ) );
	}
	return ds_error_prefix( status, "the plugin \"%s\": ", name );
}

ds_status ds_registry_load_plugin( ds_registry *registry, const char *path, const char *directory )
{
	if ( registry == NULL || path == NULL || path[0] == 0 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_registry_load_plugin: registry and path must be given" );
	}
	search s = { .name = path };
	void *handle;
	DS_TRY( open_object( &s, directory, &handle ) );

	// the system gives the same handle for the same file, by whatever name
	if ( is_loaded( registry, handle ) )
	{
		dlclose( handle );
		return DS_OK;
	}
	const char *name = s.found[0] ? s.found : path;
	void *list = registry->plugins;
	ds_status status = ds_registry_grow(
		&registry->hooks.allocator, &list, &registry->plugin_capacity, registry->plugin_count, sizeof( void * ) );
	registry->plugins = list;
	if ( status == DS_OK )
	{
		status = register_types( registry, handle, name );
	}
	if ( status != DS_OK )
	{
		dlclose( handle );
		return status;
	}
	registry->plugins[registry->plugin_count++] = handle;
	ds_logf( &registry->hooks, DS_LOG_INFO, "loaded the plugin %s", name );
	return DS_OK;
}

void ds_registry_close_plugins( ds_registry *registry )
{
	for ( int32_t i = registry->plugin_count; i-- > 0; )
	{
		dlclose( registry->plugins[i] );
	}
	DS_FREE( &registry->hooks.allocator, registry->plugins, registry->plugin_capacity );
}

#define _GNU_SOURCE // dladdr1

#include "base/module.h"

#include "base/base.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_VARIABLE "DEEPSIM_MODULE_PATH"
#define PATH_SIZE     1024
#define PLACES_SIZE   1400

typedef struct module
{
	const char *name, *remedy;
	const void *table; // NULL: not loaded yet
} module;

static module modules[] = {
	{ "raster_gdal",
		"build libdeepsim with -DDEEPSIM_GDAL=ON (Debian: libgdal-dev), or convert the file to an ESRI ASCII grid",
		NULL },
	{ "rays_embree", "build libdeepsim with -DDEEPSIM_EMBREE=ON (Debian: libembree-dev, libtbb-dev)", NULL },
};

#define MODULE_COUNT ( sizeof( modules ) / sizeof( *modules ) )

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of `modules`

static const ds_module_host host = {
	.error = ds_error,
	.memory_new = ds_memory_new,
	.memory_free = ds_memory_free,
	.log = ds_logf,
};

// ---- where -------------------------------------------------------------------------------------------------------

typedef struct search
{
	const char *name;
	char found[PATH_SIZE];
	char places[PLACES_SIZE]; // directories that were tried, for the error
} search;

static void note_place( search *s, const char *directory )
{
	size_t used = strlen( s->places ), room = sizeof( s->places ) - used;
	int written = snprintf( s->places + used, room, "%s%s", used ? ", " : "", directory );
	if ( written < 0 || (size_t)written >= room )
	{
		memcpy( s->places + sizeof( s->places ) - 4, "...", 4 );
	}
}

// Tries the directory `base` (of `length` characters) and `below` in it.
static bool try_place( search *s, const char *base, size_t length, const char *below )
{
	char directory[PATH_SIZE], path[PATH_SIZE];
	int a = snprintf( directory, sizeof( directory ), "%.*s%s", (int)length, base, below );
	if ( a <= 0 || (size_t)a >= sizeof( directory ) )
	{
		return false;
	}
	char *resolved = realpath( directory, NULL );
	int b = snprintf( path, sizeof( path ), "%s/%s.so", resolved ? resolved : directory, s->name );
	free( resolved );
	if ( strstr( s->places, directory ) == NULL )
	{
		note_place( s, directory );
	}
	struct stat info;
	if ( b <= 0 || (size_t)b >= sizeof( path ) || stat( path, &info ) != 0 || !S_ISREG( info.st_mode ) )
	{
		return false;
	}
	memcpy( s->found, path, (size_t)b + 1 );
	return true;
}

static bool try_variable( search *s )
{
	const char *list = getenv( PATH_VARIABLE );
	while ( list && *list )
	{
		size_t length = strcspn( list, ":" );
		if ( length && try_place( s, list, length, "" ) )
		{
			return true;
		}
		list += length + ( list[length] == ':' );
	}
	return false;
}

// The file that holds this code. A program's own name in the loader's list is empty, or whatever it was called by.
static bool find_self( char *path, size_t size )
{
	Dl_info info;
	void *entry = NULL;
	const struct link_map *map = dladdr1( modules, &info, &entry, RTLD_DL_LINKMAP ) != 0 ? entry : NULL;
	if ( map && map->l_name && map->l_name[0] )
	{
		char *resolved = realpath( map->l_name, NULL );
		bool fits = resolved && ds_copy_string( path, size, resolved );
		free( resolved );
		return fits;
	}
	ssize_t length = readlink( "/proc/self/exe", path, size );
	if ( length <= 0 || (size_t)length >= size )
	{
		return false;
	}
	path[length] = '\0';
	return true;
}

static bool find_file( search *s )
{
	// beside an installed library, beside a program of the build folder, from an installed program, from a test program
	static const char *const near[] = {
		"/deepsim",
		"/lib/deepsim",
#if defined( DEEPSIM_MODULES_FROM_PROGRAM )
		DEEPSIM_MODULES_FROM_PROGRAM,
#endif
		"/../lib/deepsim"
	};
	if ( try_variable( s ) )
	{
		return true;
	}
	char self[PATH_SIZE];
	if ( find_self( self, sizeof( self ) ) )
	{
		const char *slash = strrchr( self, '/' );
		size_t length = slash ? (size_t)( slash - self ) : 0;
		for ( size_t i = 0; i < sizeof( near ) / sizeof( *near ); ++i )
		{
			if ( try_place( s, self, length, near[i] ) )
			{
				return true;
			}
		}
	}
#if defined( DEEPSIM_MODULES_INSTALLED )
	return try_place( s, DEEPSIM_MODULES_INSTALLED, strlen( DEEPSIM_MODULES_INSTALLED ), "" );
#else
	return false;
#endif
}

// ---- loading -----------------------------------------------------------------------------------------------------

static ds_status load( module *m, const ds_hooks *hooks )
{
	search s = { .name = m->name };
	if ( !find_file( &s ) )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"the module %s.so is not there (looked in %s%s): %s, or name its directory in " PATH_VARIABLE, m->name,
			getenv( PATH_VARIABLE ) ? "" : PATH_VARIABLE " (not set), ", s.places, m->remedy );
	}
	void *handle = dlopen( s.found, RTLD_NOW | RTLD_LOCAL );
	if ( handle == NULL )
	{
		const char *reason = dlerror();
		return ds_error(
			DS_ERROR_UNSUPPORTED, "cannot load the module %s: %s", s.found, reason ? reason : "unknown fault" );
	}

	// POSIX gives functions as object pointers, which ISO C cannot convert
	void *symbol = dlsym( handle, DS_MODULE_SYMBOL );
	ds_module_table_fn *get_table;
	memcpy( &get_table, &symbol, sizeof( get_table ) );
	const void *table = symbol ? get_table( DS_MODULE_VERSION, &host ) : NULL;
	if ( table == NULL )
	{
		dlclose( handle );
		return ds_error( DS_ERROR_UNSUPPORTED,
			"the module %s is none of libdeepsim %s: install the modules of the same build", s.found, ds_version() );
	}
	m->table = table;
	ds_logf( hooks, DS_LOG_DEBUG, "loaded the module %s", s.found );
	return DS_OK;
}

ds_status ds_module_open( const char *name, const ds_hooks *hooks, const void **table )
{
	*table = NULL;
	for ( size_t i = 0; i < MODULE_COUNT; ++i )
	{
		if ( strcmp( modules[i].name, name ) == 0 )
		{
			pthread_mutex_lock( &lock );
			ds_status status = modules[i].table ? DS_OK : load( modules + i, hooks );
			*table = modules[i].table;
			pthread_mutex_unlock( &lock );
			return status;
		}
	}
	return ds_error( DS_ERROR_INTERNAL, "no module is called \"%s\"", name );
}

// Scenarios: from a file or a text to an immutable, reference-counted ds_scenario.

// realpath() comes with the X/Open part of POSIX 2008
#if !defined( _XOPEN_SOURCE )
#define _XOPEN_SOURCE 700
#endif

#include "core/registry.h"
#include "io/scenario_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- life --------------------------------------------------------------------------------------------------------

static void destroy_scenario( ds_scenario *scenario )
{
	for ( int32_t i = 0; i < scenario->body_count; ++i )
	{
		ds_mesh_release( (ds_mesh *)scenario->bodies[i].mesh );
		ds_visual_release( (ds_visual *)(uintptr_t)scenario->bodies[i].visual );
	}
	ds_release_seabed( &scenario->environment );
	ds_arena_free( &scenario->arena );
	ds_registry *registry = scenario->registry;
	ds_allocator allocator = scenario->hooks.allocator;
	DS_FREE( &allocator, scenario, 1 );
	ds_registry_release( registry );
}

ds_scenario *ds_scenario_retain( ds_scenario *scenario )
{
	if ( scenario )
	{
		atomic_fetch_add( &scenario->references, 1 );
	}
	return scenario;
}

void ds_scenario_release( ds_scenario *scenario )
{
	if ( scenario && atomic_fetch_sub( &scenario->references, 1 ) == 1 )
	{
		destroy_scenario( scenario );
	}
}

ds_registry *ds_scenario_registry( const ds_scenario *scenario )
{
	return scenario ? scenario->registry : NULL;
}

ds_scenario_info ds_scenario_describe( const ds_scenario *scenario )
{
	ds_scenario_info info;
	memset( &info, 0, sizeof( info ) );
	if ( scenario )
	{
		info.name = scenario->name;
		info.path = scenario->path;
		info.json = scenario->json;
		info.duration = scenario->duration;
		info.rate = scenario->rate;
		info.seed = scenario->seed;
		info.bodies = scenario->body_count;
		info.joints = scenario->joint_count;
		info.actuators = scenario->actuator_count;
		info.sensors = scenario->sensor_count;
		info.forces = scenario->force_count;
		info.controllers = scenario->controller_count;
		info.commands = scenario->command_count;
	}
	return info;
}

// ---- what the descriptors do not do ------------------------------------------------------------------------------

static ds_status load_plugins( const ds_loader *loader )
{
	const ds_json *plugins = ds_json_find( loader->tree, "plugins" );
	if ( plugins == NULL )
	{
		return DS_OK;
	}
	if ( plugins->type != DS_JSON_ARRAY )
	{
		return ds_wrong_value( DS_ERROR_TYPE, plugins, "an array of paths" );
	}
	for ( const ds_json *plugin = plugins->first; plugin; plugin = plugin->next )
	{
		if ( plugin->type != DS_JSON_STRING )
		{
			return ds_wrong_value( DS_ERROR_TYPE, plugin, "the path of a shared object" );
		}
		const char *directory = loader->directory[0] ? loader->directory : ".";
		ds_status status = ds_registry_load_plugin( loader->scenario->registry, plugin->string, directory );
		if ( status != DS_OK )
		{
			return ds_json_prefix( status, plugin );
		}
	}
	return DS_OK;
}

// Seeds have all 64 bits, one more than the integers of the descriptors: large ones are taken here.
static ds_status take_seed( ds_loader *loader )
{
	ds_json *seed = ds_json_find( loader->tree, "seed" ), *zero;
	uint64_t number = 0;
	if ( seed == NULL || seed->type != DS_JSON_STRING || seed->string[0] == 0 || strlen( seed->string ) > 20 )
	{
		return DS_OK;
	}
	for ( const char *p = seed->string; *p; ++p )
	{
		uint64_t digit = (uint64_t)( *p - '0' );
		if ( *p < '0' || *p > '9' || number > ( UINT64_MAX - digit ) / 10 )
		{
			return DS_OK;
		}
		number = 10 * number + digit;
	}
	loader->scenario->seed = number;
	DS_TRY( ds_json_new( &loader->tree_arena, DS_JSON_NUMBER, seed, &zero ) );
	ds_json_replace( seed, zero );
	return DS_OK;
}

// The merged tree as text, for run.json.
static ds_status keep_json( ds_loader *loader )
{
	ds_text text;
	ds_text_init( &text, &loader->scenario->hooks.allocator );
	ds_json_writer writer = { &text, 0, 0, false, false };
	ds_json_put( &writer, loader->tree );
	char *json = NULL;
	ds_status status = text.status;
	if ( status == DS_OK )
	{
		status = ds_arena_copy_string( &loader->scenario->arena, ds_text_get( &text ), &json );
	}
	loader->scenario->json = json;
	ds_text_clear( &text );
	return status;
}

static ds_status fill_scenario( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_file *file = &loader->file;
	char *name;
	DS_TRY( ds_arena_copy_string( &scenario->arena, file->name, &name ) );
	scenario->name = name;
	scenario->duration = file->duration;
	scenario->rate = file->rate;
	scenario->threads = (int32_t)file->threads;
	if ( file->seed )
	{
		scenario->seed = (uint64_t)file->seed;
	}
	DS_TRY( ds_load_environment( loader ) );
	DS_TRY( ds_load_bodies( loader ) );
	return ds_load_parts( loader );
}

// Everything from the main file's tree to a whole scenario.
static ds_status read_tree( ds_loader *loader, const char *path, const char *const *overrides, int32_t n )
{
	ds_merger merger;
	memset( &merger, 0, sizeof( merger ) );
	merger.arena = &loader->tree_arena;
	DS_TRY( ds_check_version( loader->tree ) );
	char *canonical = path ? realpath( path, NULL ) : NULL;
	merger.open[0] = canonical ? canonical : "";
	merger.depth = 1;
	ds_status status = ds_merge_includes( &merger, loader->directory, &loader->tree );
	free( canonical );
	DS_TRY( status );
	for ( int32_t i = 0; i < n; ++i )
	{
		if ( overrides[i] == NULL )
		{
			return ds_error( DS_ERROR_ARGUMENT, "override %d is NULL", i );
		}
		DS_TRY( ds_tree_override( &loader->tree_arena, loader->tree, overrides[i] ) );
	}
	DS_TRY( ds_check_version( loader->tree ) );
	const ds_json *late = ds_json_find( loader->tree, "include" );
	if ( late )
	{
		return ds_json_error( DS_ERROR_STATE, late, "files are included before values are set; include it in a file" );
	}
	DS_TRY( load_plugins( loader ) );
	DS_TRY( ds_move_config_paths( loader ) );
	DS_TRY( keep_json( loader ) );
	DS_TRY( take_seed( loader ) );
	DS_TRY( ds_file_tables_make( &loader->tree_arena, &loader->tables ) );
	DS_TRY( ds_table_read( &loader->tables->file, loader->tree, &loader->scenario->arena, &loader->file ) );
	return fill_scenario( loader );
}

// ---- the two doors -----------------------------------------------------------------------------------------------

static ds_status new_scenario( ds_registry *registry, ds_scenario **scenario )
{
	ds_registry *own = ds_registry_retain( registry );
	if ( own == NULL )
	{
		DS_TRY( ds_registry_create( NULL, &own ) );
	}
	ds_scenario *fresh;
	ds_status status = DS_NEW( &own->hooks.allocator, 1, &fresh );
	if ( status != DS_OK )
	{
		ds_registry_release( own );
		return status;
	}
	atomic_init( &fresh->references, 1 );
	fresh->registry = own;
	fresh->hooks = own->hooks;
	ds_arena_init( &fresh->arena, &fresh->hooks.allocator );
	*scenario = fresh;
	return DS_OK;
}

// `text` NULL: the file `path`.
static ds_status load( const char *path, const char *text, const char *name, const char *directory,
	const char *const *overrides, int32_t n, ds_registry *registry, ds_scenario **scenario )
{
	ds_loader *loader;
	ds_scenario *fresh;
	DS_TRY( new_scenario( registry, &fresh ) );
	const ds_allocator *allocator = &fresh->hooks.allocator;
	ds_status status = DS_NEW( allocator, 1, &loader );
	if ( status != DS_OK )
	{
		destroy_scenario( fresh );
		return status;
	}
	loader->scenario = fresh;
	ds_arena_init( &loader->tree_arena, allocator );
	char *kept = NULL;
	status = ds_arena_copy_string( &fresh->arena, path ? path : name, &kept );
	fresh->path = kept;
	if ( status == DS_OK )
	{
		status = path ? ds_directory_of( &loader->tree_arena, path, &loader->directory )
					  : ds_join_path( &loader->tree_arena, "", directory, &loader->directory );
	}
	if ( status == DS_OK )
	{
		status = path ? ds_json_load( &loader->tree_arena, path, &loader->tree )
					  : ds_json_parse( &loader->tree_arena, name, 1, text, strlen( text ), &loader->tree );
	}
	if ( status == DS_OK )
	{
		status = read_tree( loader, path, overrides, n );
	}
	ds_release_meshes( loader );
	ds_release_visuals( loader );
	ds_arena_free( &loader->tree_arena );
	DS_FREE( allocator, loader, 1 );
	if ( status != DS_OK )
	{
		destroy_scenario( fresh );
		return status;
	}
	*scenario = fresh;
	return DS_OK;
}

ds_status ds_scenario_load(
	const char *path, const char *const *overrides, int32_t n, ds_registry *registry, ds_scenario **scenario )
{
	if ( scenario == NULL || path == NULL || n < 0 || ( n > 0 && overrides == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_scenario_load: path, scenario and n overrides must be given" );
	}
	*scenario = NULL;
	return load( path, NULL, NULL, NULL, overrides, n, registry, scenario );
}

ds_status ds_scenario_parse( const char *text, const char *name, const char *directory, const char *const *overrides,
	int32_t n, ds_registry *registry, ds_scenario **scenario )
{
	if ( scenario == NULL || text == NULL || n < 0 || ( n > 0 && overrides == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_scenario_parse: text, scenario and n overrides must be given" );
	}
	*scenario = NULL;
	return load( NULL, text, name ? name : "scenario", directory ? directory : "", overrides, n, registry, scenario );
}

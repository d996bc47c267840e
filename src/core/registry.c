// Types of parts: the built-in ones, and those that programs add. Loading them from shared objects: plugin_load.c.

#include "core/registry.h"

#include "core/host.h"
#include "deepsim/body.h"
#include "sensors/types.h"
#include "vehicle/types.h"

#include <string.h>

// Every type that comes with the library, in the order that `describe` and the schema show.
static const ds_type *const builtin_types[] = {
	&ds_adcp_type,
	&ds_ahrs_type,
	&ds_altimeter_type,
	&ds_camera_type,
	&ds_contact_type,
	&ds_ctd_type,
	&ds_depth_type,
	&ds_dvl_type,
	&ds_gnss_type,
	&ds_imu_type,
	&ds_lbl_type,
	&ds_magnetometer_type,
	&ds_odometry_type,
	&ds_pressure_type,
	&ds_usbl_type,
	&ds_lamp_type,
	&ds_thruster_type,
	&ds_track_type,
	&ds_wheel_type,
};

// ---- life --------------------------------------------------------------------------------------------------------

static void destroy_registry( ds_registry *registry )
{
	const ds_allocator *allocator = &registry->hooks.allocator;
	ds_registry_close_plugins( registry );
	DS_FREE( allocator, registry->types, registry->capacity );
	// the allocator lies in what is freed
	ds_allocator last = *allocator;
	DS_FREE( &last, registry, 1 );
}

ds_status ds_registry_create( const ds_hooks *hooks, ds_registry **registry )
{
	if ( registry == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_registry_create: registry must not be NULL" );
	}
	*registry = NULL;
	ds_registry *fresh;
	DS_TRY( DS_NEW( hooks ? &hooks->allocator : NULL, 1, &fresh ) );
	atomic_init( &fresh->references, 1 );
	if ( hooks )
	{
		fresh->hooks = *hooks;
	}
	ds_host_init( &fresh->host, &fresh->hooks );
	for ( size_t i = 0; i < sizeof( builtin_types ) / sizeof( builtin_types[0] ); ++i )
	{
		ds_status status = ds_registry_add( fresh, builtin_types[i] );
		if ( status != DS_OK )
		{
			destroy_registry( fresh );
			return status;
		}
	}
	*registry = fresh;
	return DS_OK;
}

ds_registry *ds_registry_retain( ds_registry *registry )
{
	if ( registry )
	{
		atomic_fetch_add( &registry->references, 1 );
	}
	return registry;
}

void ds_registry_release( ds_registry *registry )
{
	if ( registry && atomic_fetch_sub( &registry->references, 1 ) == 1 )
	{
		destroy_registry( registry );
	}
}

// ---- checks of a type --------------------------------------------------------------------------------------------

#define MAX_DEPTH 16

static bool is_letter( char c )
{
	return ( c >= 'A' && c <= 'Z' ) || ( c >= 'a' && c <= 'z' );
}

static bool is_name( const char *name )
{
	if ( !is_letter( name[0] ) )
	{
		return false;
	}
	for ( const char *p = name; *p; ++p )
	{
		if ( !is_letter( *p ) && !( *p >= '0' && *p <= '9' ) && *p != '_' )
		{
			return false;
		}
	}
	return strlen( name ) < DS_NAME_SIZE;
}

// The first field that a table of this use cannot have: spans belong to readings; pointers and alternatives do not, since
// a reading is one flat block. `depth` ends tables that contain themselves (which ds_table_check refuses).
static const ds_field *find_misplaced( const ds_table *table, bool reading, int depth )
{
	for ( int32_t i = 0; table && depth < MAX_DEPTH && i < table->field_count; ++i )
	{
		const ds_field *field = &table->fields[i];
		bool misplaced =
			reading ? field->type == DS_FIELD_ARRAY || field->type == DS_FIELD_VARIANT : field->type == DS_FIELD_SPAN;
		const ds_field *inner = misplaced ? field : find_misplaced( field->table, reading, depth + 1 );
		for ( int32_t k = 0; inner == NULL && k < field->choice_count; ++k )
		{
			inner = find_misplaced( field->choices[k].table, reading, depth + 1 );
		}
		if ( inner )
		{
			return inner;
		}
	}
	return NULL;
}

static ds_status check_table( const ds_table *table, bool reading )
{
	if ( table == NULL )
	{
		return DS_OK;
	}
	const char *use = reading ? "output" : "config";
	ds_status status = ds_table_check( table );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "%s: ", use );
	}
	const ds_field *field = find_misplaced( table, reading, 0 );
	if ( field )
	{
		return ds_error( DS_ERROR_TYPE, "%s: field \"%s\": %s", use, field->name,
			reading ? "a reading is one flat block: it has no arrays of the config's kind (use a span) and no variants"
					: "spans belong to readings; a config has arrays" );
	}
	return DS_OK;
}

// The functions that a kind needs, and those that would never be called.
static ds_status check_functions( const ds_type *type )
{
	bool pushes = type->kind == DS_ACTUATOR || type->kind == DS_FORCE;
	if ( type->create == NULL )
	{
		return ds_error( DS_ERROR_PLUGIN, "it has no create function, which every type needs" );
	}
	if ( pushes && type->effort == NULL )
	{
		return ds_error(
			DS_ERROR_PLUGIN, "it has no effort function, which every %s needs", ds_kind_name( type->kind ) );
	}
	if ( !pushes && type->effort )
	{
		return ds_error( DS_ERROR_PLUGIN, "it has an effort function, but only actuators and forces push" );
	}
	if ( !pushes && type->sample == NULL )
	{
		return ds_error(
			DS_ERROR_PLUGIN, "it has no sample function, which every %s needs", ds_kind_name( type->kind ) );
	}
	if ( type->output && type->sample == NULL )
	{
		return ds_error( DS_ERROR_PLUGIN, "it has an output table, but no sample function that would fill it" );
	}
	return DS_OK;
}

// What can be checked before the rest of the table is known to mean what it means here.
static ds_status check_abi( const ds_type *type )
{
	if ( type->abi_version != DS_ABI_VERSION )
	{
		return ds_error( DS_ERROR_PLUGIN,
			"a type was built for version %u of the plugin interface, this library has version %d: build it with this "
			"library's headers",
			type->abi_version, DS_ABI_VERSION );
	}
	if ( type->struct_size != sizeof( ds_type ) )
	{
		return ds_error( DS_ERROR_PLUGIN,
			"a type says its struct_size is %u, expected %zu: set it to sizeof( ds_type ), with this library's headers",
			type->struct_size, sizeof( ds_type ) );
	}
	if ( type->kind < DS_SENSOR || type->kind > DS_CONTROLLER )
	{
		return ds_error( DS_ERROR_PLUGIN,
			"a type has the kind %d, expected DS_SENSOR, DS_ACTUATOR, DS_FORCE or DS_CONTROLLER", (int)type->kind );
	}
	if ( type->name == NULL || !is_name( type->name ) )
	{
		return ds_error( DS_ERROR_PLUGIN,
			"a %s type has the name \"%.*s\", expected a letter, then letters, digits and _, at most %d in all",
			ds_kind_name( type->kind ), DS_NAME_SIZE, type->name ? type->name : "", DS_NAME_SIZE - 1 );
	}
	return DS_OK;
}

static ds_status check_type( const ds_type *type )
{
	if ( type->doc == NULL || type->doc[0] == 0 )
	{
		return ds_error( DS_ERROR_PLUGIN, "it has no doc: expected one line that says what it is" );
	}
	DS_TRY( check_functions( type ) );
	DS_TRY( check_table( type->config, false ) );
	return check_table( type->output, true );
}

// ---- adding and finding ------------------------------------------------------------------------------------------

ds_status ds_registry_grow( const ds_allocator *allocator, void **list, int32_t *capacity, int32_t count, size_t size )
{
	if ( count < *capacity )
	{
		return DS_OK;
	}
	int32_t larger = *capacity ? 2 * *capacity : 16;
	void *fresh;
	DS_TRY( ds_memory_new( allocator, (size_t)larger, size, &fresh ) );
	if ( *list )
	{
		memcpy( fresh, *list, (size_t)count * size );
		ds_memory_free( allocator, *list, (size_t)*capacity, size );
	}
	*list = fresh;
	*capacity = larger;
	return DS_OK;
}

ds_status ds_registry_add( ds_registry *registry, const ds_type *type )
{
	if ( registry == NULL || type == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_registry_add: registry and type must not be NULL" );
	}
	DS_TRY( check_abi( type ) );
	ds_status status = check_type( type );
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "%s type \"%s\": ", ds_kind_name( type->kind ), type->name );
	}
	if ( ds_registry_find( registry, type->kind, type->name ) )
	{
		return ds_error( DS_ERROR_DUPLICATE, "%s type \"%s\": there is one of this name already, choose another name",
			ds_kind_name( type->kind ), type->name );
	}
	void *types = registry->types;
	status = ds_registry_grow(
		&registry->hooks.allocator, &types, &registry->capacity, registry->count, sizeof( *registry->types ) );
	registry->types = types;
	if ( status == DS_OK )
	{
		registry->types[registry->count++] = type;
	}
	return status;
}

const ds_type *ds_registry_find( const ds_registry *registry, ds_kind kind, const char *name )
{
	for ( int32_t i = 0; registry && name && i < registry->count; ++i )
	{
		if ( registry->types[i]->kind == kind && strcmp( registry->types[i]->name, name ) == 0 )
		{
			return registry->types[i];
		}
	}
	return NULL;
}

int32_t ds_registry_count( const ds_registry *registry )
{
	return registry ? registry->count : 0;
}

const ds_type *ds_registry_at( const ds_registry *registry, int32_t index )
{
	return registry && index >= 0 && index < registry->count ? registry->types[index] : NULL;
}

const char *ds_kind_name( ds_kind kind )
{
	static const char *const names[DS_KIND_END] = { NULL, "sensor", "actuator", "force", "controller", "body",
		"joint" };
	return kind >= DS_SENSOR && kind < DS_KIND_END ? names[kind] : "unknown kind";
}

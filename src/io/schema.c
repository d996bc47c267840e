// The JSON Schema of a whole scenario, from the tables that read it.

#include "core/registry.h"
#include "io/scenario_internal.h"

#include <stdio.h>
#include <string.h>

#define NAME_PATTERN "^[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)*$"

static void pair( ds_json_writer *w, const char *key, const char *string )
{
	ds_json_key( w, key );
	ds_json_put_string( w, string );
}

static void raw( ds_json_writer *w, const char *key, const char *json )
{
	ds_json_key( w, key );
	ds_json_put_raw( w, json );
}

// A schema of one line: its description and the rest of its members.
static bool put_line( ds_json_writer *w, const ds_field *field, const char *members )
{
	ds_json_begin( w, '{' );
	pair( w, "description", field->doc );
	ds_text_string( w->text, ", " );
	ds_text_string( w->text, members );
	ds_json_end( w, '}' );
	return true;
}

// ---- parts with types --------------------------------------------------------------------------------------------

typedef struct part_rules
{
	const ds_registry *registry;
	ds_kind kind;
} part_rules;

static bool has_required( const ds_table *table )
{
	for ( int32_t i = 0; table && i < table->field_count; ++i )
	{
		if ( table->fields[i].flags & DS_FIELD_REQUIRED )
		{
			return true;
		}
	}
	return false;
}

static void put_type_names( const part_rules *rules, const ds_field *field, ds_json_writer *w )
{
	ds_json_begin( w, '{' );
	pair( w, "description", field->doc );
	ds_json_key( w, "enum" );
	ds_json_begin_flat( w, '[' );
	for ( int32_t i = 0; i < ds_registry_count( rules->registry ); ++i )
	{
		const ds_type *type = ds_registry_at( rules->registry, i );
		if ( type->kind == rules->kind )
		{
			ds_json_put_string( w, type->name );
		}
	}
	ds_json_end( w, ']' );
	ds_json_end( w, '}' );
}

// Members of parts that their tables leave open.
static bool part_special( const ds_field *field, ds_json_writer *w, const void *user )
{
	if ( strcmp( field->name, "name" ) == 0 )
	{
		return put_line( w, field, "\"type\": \"string\", \"maxLength\": 63, \"pattern\": \"" NAME_PATTERN "\"" );
	}
	if ( strcmp( field->name, "type" ) == 0 && field->type == DS_FIELD_STRING )
	{
		put_type_names( user, field, w );
		return true;
	}
	if ( strcmp( field->name, "inputs" ) == 0 )
	{
		return put_line( w, field,
			"\"type\": \"object\", \"maxProperties\": 8, "
			"\"additionalProperties\": {\"type\": \"string\"}" );
	}
	if ( strcmp( field->name, "outputs" ) == 0 )
	{
		return put_line( w, field, "\"type\": \"array\", \"maxItems\": 8, \"items\": {\"type\": \"string\"}" );
	}
	return strcmp( field->name, "config" ) == 0 && put_line( w, field, "\"type\": \"object\"" );
}

// "if" the type is this one "then" the config is that.
static void put_condition( const ds_type *type, ds_json_writer *w )
{
	static const ds_table empty = { "config", "", 0, NULL, 0, NULL, NULL, 0 };
	ds_json_begin( w, '{' );
	ds_json_key( w, "if" );
	ds_json_begin_flat( w, '{' );
	ds_json_key( w, "properties" );
	ds_json_begin( w, '{' );
	ds_json_key( w, "type" );
	ds_json_begin( w, '{' );
	pair( w, "const", type->name );
	ds_json_end( w, '}' );
	ds_json_end( w, '}' );
	ds_json_end( w, '}' );
	ds_json_key( w, "then" );
	ds_json_begin( w, '{' );
	ds_json_key( w, "properties" );
	ds_json_begin( w, '{' );
	ds_json_key( w, "config" );
	(void)ds_table_schema( type->config ? type->config : &empty, w );
	ds_json_end( w, '}' );
	if ( has_required( type->config ) )
	{
		raw( w, "required", "[\"config\"]" );
	}
	ds_json_end( w, '}' );
	ds_json_end( w, '}' );
}

// An array of parts: what its table says, and a config for each type of the kind.
static void put_parts( const ds_field *field, const part_rules *rules, ds_json_writer *w )
{
	ds_json_begin( w, '{' );
	pair( w, "description", field->doc );
	pair( w, "type", "array" );
	ds_json_key( w, "items" );
	ds_json_begin( w, '{' );
	(void)ds_table_schema_properties( field->table, part_special, rules, w );
	if ( rules->kind )
	{
		bool begun = false;
		for ( int32_t i = 0; i < ds_registry_count( rules->registry ); ++i )
		{
			const ds_type *type = ds_registry_at( rules->registry, i );
			if ( type->kind == rules->kind )
			{
				if ( !begun )
				{
					ds_json_key( w, "allOf" );
					ds_json_begin( w, '[' );
					begun = true;
				}
				put_condition( type, w );
			}
		}
		if ( begun )
		{
			ds_json_end( w, ']' );
		}
	}
	ds_json_end( w, '}' );
	ds_json_end( w, '}' );
}

// ---- the whole ---------------------------------------------------------------------------------------------------

static bool include_special( const ds_field *field, ds_json_writer *w, const void *user )
{
	(void)user;
	if ( strcmp( field->name, "prefix" ) == 0 )
	{
		return put_line( w, field,
			"\"type\": \"string\", \"maxLength\": 63, \"pattern\": "
			"\"^([A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)*/?)?$\"" );
	}
	return field->type == DS_FIELD_RAW && put_line( w, field, "\"type\": \"object\"" );
}

static void put_include( const ds_field *field, ds_json_writer *w )
{
	ds_json_begin( w, '{' );
	pair( w, "description", field->doc );
	pair( w, "type", "array" );
	ds_json_key( w, "items" );
	ds_json_begin( w, '{' );
	ds_json_key( w, "anyOf" );
	ds_json_begin( w, '[' );
	ds_json_put_raw( w, "{\"type\": \"string\"}" );
	ds_json_begin( w, '{' );
	(void)ds_table_schema_properties( &ds_include_table, include_special, NULL, w );
	ds_json_end( w, '}' );
	ds_json_end( w, ']' );
	ds_json_end( w, '}' );
	ds_json_end( w, '}' );
}

static bool file_special( const ds_field *field, ds_json_writer *w, const void *user )
{
	static const struct
	{
		const char *key;
		ds_kind kind;
	} arrays[] = { { "bodies", (ds_kind)0 }, { "joints", (ds_kind)0 }, { "actuators", DS_ACTUATOR },
		{ "sensors", DS_SENSOR }, { "forces", DS_FORCE }, { "controllers", DS_CONTROLLER } };
	for ( size_t i = 0; i < sizeof( arrays ) / sizeof( arrays[0] ); ++i )
	{
		if ( strcmp( field->name, arrays[i].key ) == 0 )
		{
			const part_rules rules = { user, arrays[i].kind };
			put_parts( field, &rules, w );
			return true;
		}
	}
	if ( strcmp( field->name, "deepsim" ) == 0 )
	{
		return put_line( w, field, "\"const\": 1" );
	}
	if ( strcmp( field->name, "plugins" ) == 0 )
	{
		return put_line( w, field, "\"type\": \"array\", \"items\": {\"type\": \"string\"}" );
	}
	if ( strcmp( field->name, "include" ) == 0 )
	{
		put_include( field, w );
		return true;
	}
	return false;
}

static ds_status write_schema( const ds_registry *registry, ds_arena *arena, ds_text *text )
{
	ds_file_tables *tables;
	DS_TRY( ds_file_tables_make( arena, &tables ) );
	ds_json_writer w = { text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	pair( &w, "$schema", "https://json-schema.org/draft/2020-12/schema" );
	pair( &w, "title", "libdeepsim scenario" );
	(void)ds_table_schema_properties( &tables->file, file_special, registry, &w );
	ds_json_end( &w, '}' );
	ds_text_string( text, "\n" );
	return text->status;
}

ds_status ds_scenario_schema( ds_registry *registry, char **text )
{
	if ( text == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_scenario_schema: text must not be NULL" );
	}
	*text = NULL;
	ds_registry *used = ds_registry_retain( registry );
	if ( used == NULL )
	{
		DS_TRY( ds_registry_create( NULL, &used ) );
	}
	ds_arena arena;
	ds_text built;
	ds_arena_init( &arena, &used->hooks.allocator );
	ds_text_init( &built, &used->hooks.allocator );
	ds_status status = write_schema( used, &arena, &built );
	if ( status == DS_OK )
	{
		status = DS_NEW( &used->hooks.allocator, built.length + 1, text );
	}
	if ( status == DS_OK )
	{
		memcpy( *text, ds_text_get( &built ), built.length + 1 );
	}
	ds_text_clear( &built );
	ds_arena_free( &arena );
	ds_registry_release( used );
	return status;
}

void ds_text_free( ds_registry *registry, char *text )
{
	if ( text )
	{
		DS_FREE( registry ? &registry->hooks.allocator : NULL, text, strlen( text ) + 1 );
	}
}

// Paths in the configs of parts: members whose tables say DS_FIELD_PATH.

#include "io/scenario_internal.h"

#include <string.h>

// What is done to each path.
typedef ds_status path_fn( const ds_loader *loader, ds_json *path );

static ds_status visit_table( const ds_loader *loader, const ds_table *table, ds_json *node, path_fn *fn, int depth );

static ds_status visit_choices( const ds_loader *loader, const ds_field *field, ds_json *value, path_fn *fn, int depth )
{
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		const ds_choice *c = &field->choices[i];
		if ( c->table == NULL )
		{
			continue;
		}
		if ( c->form == DS_FORM_STRING && value->type == DS_JSON_STRING &&
			 ( c->table->fields[0].flags & DS_FIELD_PATH ) )
		{
			return fn( loader, value );
		}
		const ds_json *key = c->key ? ds_json_find( value, c->key ) : NULL;
		bool selected = c->key == NULL || ( key && key->type == DS_JSON_STRING && strcmp( key->string, c->name ) == 0 );
		if ( c->form == DS_FORM_OBJECT && value->type == DS_JSON_OBJECT && selected )
		{
			// one of them is meant; a path belongs to one alone
			return visit_table( loader, c->table, value, fn, depth + 1 );
		}
	}
	return DS_OK;
}

static ds_status visit_value( const ds_loader *loader, const ds_field *field, ds_json *value, path_fn *fn, int depth )
{
	switch ( field->type )
	{
		case DS_FIELD_STRING:
			return ( field->flags & DS_FIELD_PATH ) && value->type == DS_JSON_STRING ? fn( loader, value ) : DS_OK;
		case DS_FIELD_STRUCT:
			return visit_table( loader, field->table, value, fn, depth + 1 );
		case DS_FIELD_VARIANT:
			return visit_choices( loader, field, value, fn, depth );
		case DS_FIELD_ARRAY:
			for ( ds_json *p = field->table && value->type == DS_JSON_ARRAY ? value->first : NULL; p; p = p->next )
			{
				DS_TRY( visit_table( loader, field->table, p, fn, depth + 1 ) );
			}
			return DS_OK;
		default:
			return DS_OK;
	}
}

static ds_status visit_table( const ds_loader *loader, const ds_table *table, ds_json *node, path_fn *fn, int depth )
{
	const ds_field *variant = ds_table_variant( table );
	if ( variant || depth > DS_JSON_MAX_DEPTH )
	{
		return variant ? visit_choices( loader, variant, node, fn, depth ) : DS_OK;
	}
	for ( int32_t i = 0; node->type == DS_JSON_OBJECT && i < table->field_count; ++i )
	{
		char key[DS_FIELD_KEY_SIZE];
		ds_field_key( &table->fields[i], key, sizeof( key ) );
		ds_json *member = ds_json_find( node, key );
		if ( member )
		{
			DS_TRY( visit_value( loader, &table->fields[i], member, fn, depth ) );
		}
	}
	return DS_OK;
}

// From the file that says it to the main file's folder. Overrides and texts have no folder of their own.
static ds_status to_main( const ds_loader *loader, ds_json *path )
{
	const char *directory, *main = loader->directory;
	if ( path->line == 0 || path->file == NULL || path->string[0] == 0 ||
		 strcmp( path->file, loader->tree->file ) == 0 )
	{
		return DS_OK;
	}
	DS_TRY( ds_directory_of( &loader->scenario->arena, path->file, &directory ) );
	const size_t length = strlen( main );
	if ( strcmp( directory, main ) == 0 )
	{
		return DS_OK;
	}
	if ( length > 0 && strncmp( directory, main, length ) == 0 && directory[length] == '/' )
	{
		directory += length + 1;
	}
	return ds_join_path( &loader->scenario->arena, directory, path->string, &path->string );
}

// From the main file's folder to one that can be opened.
static ds_status to_open( const ds_loader *loader, ds_json *path )
{
	return path->string[0] ? ds_join_path( &loader->scenario->arena, loader->directory, path->string, &path->string )
						   : DS_OK;
}

ds_status ds_move_config_paths( const ds_loader *loader )
{
	static const struct
	{
		const char *array;
		ds_kind kind;
	} parts[] = { { "sensors", DS_SENSOR }, { "actuators", DS_ACTUATOR }, { "forces", DS_FORCE },
		{ "controllers", DS_CONTROLLER } };
	for ( size_t i = 0; i < sizeof( parts ) / sizeof( parts[0] ); ++i )
	{
		const ds_json *array = ds_json_find( loader->tree, parts[i].array );
		for ( const ds_json *part = array ? array->first : NULL; part; part = part->next )
		{
			const ds_json *name = ds_json_find( part, "type" );
			ds_json *config = ds_json_find( part, "config" );
			const ds_type *type = name && name->type == DS_JSON_STRING
									  ? ds_registry_find( loader->scenario->registry, parts[i].kind, name->string )
									  : NULL;
			if ( type && type->config && config )
			{
				DS_TRY( visit_table( loader, type->config, config, to_main, 0 ) );
			}
		}
	}
	return DS_OK;
}

ds_status ds_open_config_paths( const ds_loader *loader, const ds_table *table, const ds_json *config )
{
	return visit_table( loader, table, (ds_json *)(uintptr_t)config, to_open, 0 );
}

// Sets of values by a name.

#include "base/field_io.h"

#include <string.h>

const ds_field *ds_missing_field( const ds_table *table, const ds_json *object, const ds_json *preset )
{
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		char key[DS_FIELD_KEY_SIZE];
		ds_field_key( &table->fields[i], key, sizeof( key ) );
		if ( ( table->fields[i].flags & DS_FIELD_REQUIRED ) && ds_json_find( object, key ) == NULL &&
			 ds_json_find( preset, key ) == NULL )
		{
			return &table->fields[i];
		}
	}
	return NULL;
}

// `; did you mean "mti1"?; there are "adis16448", "bmi160" or "mti1"`. `name` may be NULL.
static void describe_presets( const ds_table *table, const char *name, ds_text *text )
{
	enum
	{
		MAX_NAMES = 256
	};
	const char *names[MAX_NAMES];
	size_t count = 0;
	for ( int32_t i = 0; i < table->preset_count && count < MAX_NAMES; ++i )
	{
		names[count++] = table->presets[i].name;
	}
	const char *nearest = name ? ds_nearest_name( name, names, count ) : NULL;
	if ( nearest )
	{
		ds_text_format( text, "; did you mean \"%s\"?", nearest );
	}
	ds_text_string( text, table->preset_count > 0 ? "; there are " : "; there are none" );
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		ds_text_string( text, i == 0 ? "" : i + 1 < table->preset_count ? ", " : " or " );
		ds_text_format( text, "\"%s\"", table->presets[i].name );
	}
}

static ds_status unknown_preset( const ds_table *table, const ds_json *name )
{
	bool string = name->type == DS_JSON_STRING;
	char got[96];
	ds_json_describe( name, got, sizeof( got ) );
	ds_text text = { 0 };
	describe_presets( table, string ? name->string : NULL, &text );
	ds_status status = ds_json_error(
		string ? DS_ERROR_NOT_FOUND : DS_ERROR_TYPE, name, "expected a preset, got %s%s", got, ds_text_get( &text ) );
	ds_text_clear( &text );
	return status;
}

static ds_status parse( const ds_table *table, const ds_preset *preset, ds_arena *arena, ds_json **tree )
{
	ds_text file = { 0 };
	ds_text_format( &file, "preset %s of %s", preset->name, table->name );
	ds_status status = file.status == DS_OK
						   ? ds_json_parse( arena, ds_text_get( &file ), 0, preset->json, strlen( preset->json ), tree )
						   : file.status;
	ds_text_clear( &file );
	return status;
}

static const ds_preset *find( const ds_table *table, const char *name )
{
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		if ( strcmp( table->presets[i].name, name ) == 0 )
		{
			return &table->presets[i];
		}
	}
	return NULL;
}

ds_status ds_preset_find( const ds_table *table, const ds_json *name, ds_arena *arena, ds_json **preset )
{
	const ds_preset *found = name->type == DS_JSON_STRING ? find( table, name->string ) : NULL;
	return found ? parse( table, found, arena, preset ) : unknown_preset( table, name );
}

// A preset's values over the defaults; arrays go to the arena `arrays`, and may not be given where that is NULL.
static ds_status read_values(
	const ds_table *table, const ds_preset *preset, ds_arena *memory, ds_arena *arrays, void *value )
{
	ds_json *tree;
	DS_TRY( parse( table, preset, memory, &tree ) );
	DS_TRY( ds_table_read_preset( table, tree, arrays, value ) );
	if ( table->check == NULL || ds_missing_field( table, tree, NULL ) )
	{
		return DS_OK;
	}
	ds_status status = table->check( value );
	return status == DS_OK ? DS_OK : ds_json_prefix( status, tree );
}

ds_status ds_table_preset( const ds_table *table, const char *name, void *value )
{
	if ( table == NULL || name == NULL || value == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_table_preset: table, name and value must not be NULL" );
	}
	DS_TRY( ds_table_defaults( table, value ) );
	const ds_preset *preset = find( table, name );
	if ( preset == NULL )
	{
		ds_text text = { 0 };
		describe_presets( table, name, &text );
		ds_status status = ds_error(
			DS_ERROR_NOT_FOUND, "%s: expected a preset, got \"%s\"%s", table->name, name, ds_text_get( &text ) );
		ds_text_clear( &text );
		return status;
	}
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	ds_status status = read_values( table, preset, &arena, NULL, value );
	ds_arena_free( &arena );
	return status;
}

// ---- checking ------------------------------------------------------------------------------------------------------

// `room` is the size of the struct that the offsets lie in.
static ds_status check_values( const ds_table *table, size_t room, const ds_preset *preset, ds_arena *arena )
{
	void *value;
	DS_TRY( ds_arena_new( arena, room, &value ) );
	return read_values( table, preset, arena, arena, value );
}

static ds_status check_names( const ds_table *table, int32_t index )
{
	const ds_preset *p = &table->presets[index];
	if ( p->name == NULL || p->name[0] == 0 || p->json == NULL || p->doc == NULL || p->doc[0] == 0 )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "table %s, preset %d: it needs a name, a text and a doc", table->name, index );
	}
	for ( int32_t i = 0; i < index; ++i )
	{
		if ( strcmp( table->presets[i].name, p->name ) == 0 )
		{
			return ds_error( DS_ERROR_DUPLICATE, "table %s: the preset \"%s\" is there twice", table->name, p->name );
		}
	}
	return DS_OK;
}

ds_status ds_presets_check( const ds_table *table, size_t room )
{
	if ( table->preset_count == 0 )
	{
		return DS_OK;
	}
	if ( table->preset_count < 0 || table->presets == NULL || ds_table_variant( table ) || room == 0 )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "table %s: presets need fields of their own and an array of them", table->name );
	}
	if ( ds_table_find( table, DS_PRESET_KEY ) )
	{
		return ds_error( DS_ERROR_DUPLICATE, "table %s: a table with presets cannot have a field \"%s\"", table->name,
			DS_PRESET_KEY );
	}
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		DS_TRY( check_names( table, i ) );
		ds_arena arena;
		ds_arena_init( &arena, NULL );
		ds_status status = check_values( table, room, &table->presets[i], &arena );
		ds_arena_free( &arena );
		DS_TRY( status );
	}
	return DS_OK;
}

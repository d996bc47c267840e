// JSON Schema, draft 2020-12, of tables.

#include "base/field_io.h"

#include <stdio.h>
#include <string.h>

// What differs from a plain object: the alternative whose key must be there, and fields that somebody else writes.
typedef struct object_rules
{
	const ds_choice *selector;
	ds_schema_special *special;
	const void *user;
} object_rules;

static const object_rules plain = { NULL, NULL, NULL };

static void write_properties( const ds_table *table, const object_rules *rules, ds_json_writer *w );

static void put_pair( ds_json_writer *w, const char *key, const char *string )
{
	ds_json_key( w, key );
	ds_json_put_string( w, string );
}

// "doc [unit]"
static void put_description( ds_json_writer *w, const ds_field *field )
{
	ds_text text = { 0 };
	const char *unit = ( field->flags & DS_FIELD_ANGLE )  ? "deg"
					   : ( field->flags & DS_FIELD_PATH ) ? "path of a file"
														  : field->unit;
	ds_text_format( &text, unit[0] ? "%s [%s]" : "%s", field->doc, unit );
	put_pair( w, "description", ds_text_get( &text ) );
	ds_text_clear( &text );
}

static void put_limits( ds_json_writer *w, const ds_field *field )
{
	if ( ds_field_has_minimum( field ) )
	{
		ds_json_key( w, ( field->flags & DS_FIELD_EXCLUSIVE_MINIMUM ) ? "exclusiveMinimum" : "minimum" );
		ds_json_put_number( w, field->minimum );
	}
	if ( ds_field_has_maximum( field ) )
	{
		ds_json_key( w, "maximum" );
		ds_json_put_number( w, field->maximum );
	}
}

// Members of a schema of one number. An integer that may pass 2^53 is a string of digits there.
static void put_number( ds_json_writer *w, const ds_field *field, bool integer )
{
	ds_field limited = *field;
	if ( integer && ds_field_takes_digits( field ) )
	{
		ds_json_key( w, "type" );
		ds_json_put_raw( w, "[\"integer\", \"string\"]" );
		put_pair( w, "pattern", "^-?[0-9]{1,20}$" );
		limited.minimum = ds_field_has_minimum( field ) ? field->minimum : -0x1p53 + 1;
		limited.maximum = 0x1p53 - 1;
	}
	else
	{
		put_pair( w, "type", integer ? "integer" : "number" );
	}
	put_limits( w, &limited );
}

static void put_scalar( ds_json_writer *w, const ds_field *field )
{
	if ( field->type == DS_FIELD_BOOL )
	{
		put_pair( w, "type", "boolean" );
		return;
	}
	put_number( w, field, field->type == DS_FIELD_I64 );
}

// Opens an array schema of a fixed length up to its "items", which the caller fills and closes by two ends.
static void begin_items( ds_json_writer *w, int64_t length )
{
	put_pair( w, "type", "array" );
	if ( length >= 0 )
	{
		ds_json_key( w, "minItems" );
		ds_json_put_integer( w, length );
		ds_json_key( w, "maxItems" );
		ds_json_put_integer( w, length );
	}
	ds_json_key( w, "items" );
	ds_json_begin( w, '{' );
}

// One number, or an array of them.
static void put_each( ds_json_writer *w, const ds_field *field )
{
	ds_json_key( w, "anyOf" );
	ds_json_begin( w, '[' );
	ds_json_begin( w, '{' );
	put_scalar( w, field );
	ds_json_end( w, '}' );
	ds_json_begin( w, '{' );
	begin_items( w, field->count );
	put_scalar( w, field );
	ds_json_end( w, '}' );
	ds_json_end( w, '}' );
	ds_json_end( w, ']' );
}

static void put_scalars( ds_json_writer *w, const ds_field *field )
{
	if ( field->count == 1 )
	{
		put_scalar( w, field );
		return;
	}
	if ( field->flags & DS_FIELD_EACH )
	{
		put_each( w, field );
		return;
	}
	bool matrix = ( field->flags & DS_FIELD_MATRIX ) != 0;
	int32_t n = matrix ? ds_matrix_rows( field ) : field->count;
	begin_items( w, n );
	if ( matrix )
	{
		begin_items( w, n );
		put_scalar( w, field );
		ds_json_end( w, '}' );
	}
	else
	{
		put_scalar( w, field );
	}
	ds_json_end( w, '}' );
}

static void put_type( ds_json_writer *w, const ds_field *field );

static void put_object( ds_json_writer *w, const ds_table *table )
{
	const ds_field *variant = ds_table_variant( table );
	variant ? put_type( w, variant ) : write_properties( table, &plain, w );
}

static void put_array( ds_json_writer *w, const ds_field *field )
{
	begin_items( w, -1 );
	if ( field->table )
	{
		put_object( w, field->table );
	}
	else
	{
		put_number( w, field, field->element != DS_ELEMENT_F64 && field->element != DS_ELEMENT_F32 );
	}
	ds_json_end( w, '}' );
}

static void put_choice( ds_json_writer *w, const ds_choice *choice )
{
	static const ds_table empty = { "", "", 0, NULL, 0, NULL, NULL, 0 };
	const object_rules rules = { choice, NULL, NULL };
	ds_json_begin( w, '{' );
	if ( choice->doc && choice->doc[0] )
	{
		put_pair( w, "description", choice->doc );
	}
	switch ( choice->form )
	{
		case DS_FORM_NAME:
			put_pair( w, "const", choice->name );
			break;
		case DS_FORM_NULL:
			put_pair( w, "type", "null" );
			break;
		case DS_FORM_OBJECT:
			write_properties( choice->table ? choice->table : &empty, &rules, w );
			break;
		default:
			put_type( w, &choice->table->fields[0] );
			break;
	}
	ds_json_end( w, '}' );
}

static void put_choices( ds_json_writer *w, const ds_field *field )
{
	bool names = field->type == DS_FIELD_ENUM;
	ds_json_key( w, names ? "enum" : "anyOf" );
	ds_json_begin( w, '[' );
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		names ? ds_json_put_string( w, field->choices[i].name ) : put_choice( w, &field->choices[i] );
	}
	ds_json_end( w, ']' );
}

// The members of a field's schema that say what it may be.
static void put_type( ds_json_writer *w, const ds_field *field )
{
	switch ( field->type )
	{
		case DS_FIELD_ENUM:
		case DS_FIELD_VARIANT:
			put_choices( w, field );
			break;
		case DS_FIELD_STRING:
			put_pair( w, "type", "string" );
			ds_json_key( w, "maxLength" );
			ds_json_put_integer( w, (int64_t)field->size - 1 );
			break;
		case DS_FIELD_STRUCT:
			put_object( w, field->table );
			break;
		case DS_FIELD_ARRAY:
			put_array( w, field );
			break;
		case DS_FIELD_SPAN:
			begin_items( w, -1 );
			put_number( w, field, field->element != DS_ELEMENT_F64 && field->element != DS_ELEMENT_F32 );
			ds_json_end( w, '}' );
			break;
		case DS_FIELD_RAW:
			break;
		default:
			put_scalars( w, field );
			break;
	}
}

static void put_field( ds_json_writer *w, const ds_field *field )
{
	ds_json_begin( w, '{' );
	put_description( w, field );
	put_type( w, field );
	if ( field->initial )
	{
		ds_json_key( w, "default" );
		ds_json_put_raw( w, field->initial );
	}
	ds_json_end( w, '}' );
}

static void put_presets( ds_json_writer *w, const ds_table *table )
{
	ds_json_key( w, DS_PRESET_KEY );
	ds_json_begin( w, '{' );
	put_pair( w, "description", "values to start from; what is given beside it changes single ones" );
	ds_json_key( w, "enum" );
	ds_json_begin_flat( w, '[' );
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		ds_json_put_string( w, table->presets[i].name );
	}
	ds_json_end( w, ']' );
	ds_json_end( w, '}' );
}

// "required": [...], of the selecting key (may be NULL) and, with `fields`, of what the table requires; nothing if there is none.
static void put_required( ds_json_writer *w, const ds_table *table, const char *key_of_choice, bool fields )
{
	bool begun = false;
	for ( int32_t i = -1; i < ( fields ? table->field_count : 0 ); ++i )
	{
		if ( i < 0 ? key_of_choice == NULL : !( table->fields[i].flags & DS_FIELD_REQUIRED ) )
		{
			continue;
		}
		if ( !begun )
		{
			ds_json_key( w, "required" );
			ds_json_begin_flat( w, '[' );
			begun = true;
		}
		char key[DS_FIELD_KEY_SIZE];
		ds_copy_string( key, sizeof( key ), i < 0 ? key_of_choice : "" );
		if ( i >= 0 )
		{
			ds_field_key( &table->fields[i], key, sizeof( key ) );
		}
		ds_json_put_string( w, key );
	}
	if ( begun )
	{
		ds_json_end( w, ']' );
	}
}

// What a table requires may come from a preset instead.
static void put_required_or_preset( ds_json_writer *w, const ds_table *table )
{
	bool any = false;
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		any = any || ( table->fields[i].flags & DS_FIELD_REQUIRED );
	}
	if ( any )
	{
		ds_json_key( w, "anyOf" );
		ds_json_begin( w, '[' );
		ds_json_begin( w, '{' );
		put_required( w, table, NULL, true );
		ds_json_end( w, '}' );
		ds_json_put_raw( w, "{\"required\": [\"" DS_PRESET_KEY "\"]}" );
		ds_json_end( w, ']' );
	}
}

// "type", "properties", "required" and "additionalProperties".
static void write_properties( const ds_table *table, const object_rules *rules, ds_json_writer *w )
{
	const ds_choice *selector = rules->selector;
	const char *key_of_choice = selector ? selector->key : NULL;
	put_pair( w, "type", "object" );
	ds_json_key( w, "properties" );
	ds_json_begin( w, '{' );
	if ( key_of_choice )
	{
		ds_json_key( w, key_of_choice );
		ds_json_begin_flat( w, '{' );
		put_pair( w, "const", selector->name );
		ds_json_end( w, '}' );
	}
	if ( table->preset_count > 0 )
	{
		put_presets( w, table );
	}
	char key[DS_FIELD_KEY_SIZE];
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = &table->fields[i];
		if ( !( field->flags & DS_FIELD_HIDDEN ) )
		{
			ds_field_key( field, key, sizeof( key ) );
			ds_json_key( w, key );
			if ( rules->special == NULL || !rules->special( field, w, rules->user ) )
			{
				put_field( w, field );
			}
		}
	}
	ds_json_end( w, '}' );
	put_required( w, table, key_of_choice, table->preset_count == 0 );
	if ( table->preset_count > 0 )
	{
		put_required_or_preset( w, table );
	}
	ds_json_key( w, "additionalProperties" );
	ds_json_put_bool( w, false );
}

ds_status ds_table_schema_properties(
	const ds_table *table, ds_schema_special *special, const void *user, ds_json_writer *writer )
{
	const object_rules rules = { NULL, special, user };
	write_properties( table, &rules, writer );
	return writer->text->status;
}

ds_status ds_field_schema( const ds_field *field, ds_json_writer *writer )
{
	put_field( writer, field );
	return writer->text->status;
}

ds_status ds_table_schema( const ds_table *table, ds_json_writer *writer )
{
	ds_json_begin( writer, '{' );
	if ( table->doc && table->doc[0] )
	{
		put_pair( writer, "description", table->doc );
	}
	put_object( writer, table );
	ds_json_end( writer, '}' );
	return writer->text->status;
}

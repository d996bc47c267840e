// From structs to JSON.

#include "base/field_io.h"

#include <string.h>

#define DEGREE ( 3.14159265358979323846 / 180.0 )

static void write_fields( const ds_table *table, const void *value, ds_write_style style, ds_json_writer *w );

static void write_scalar(
	const ds_field *field, const char *at, int64_t index, ds_write_style style, ds_json_writer *w )
{
	switch ( field->type )
	{
		case DS_FIELD_F64:
		{
			double number = ( (const double *)(const void *)at )[index];
			bool degrees = ( field->flags & DS_FIELD_ANGLE ) && style == DS_WRITE_CONFIG;
			ds_json_put_number( w, degrees ? number / DEGREE : number );
			break;
		}
		case DS_FIELD_I64:
			ds_json_put_integer( w, ( (const int64_t *)(const void *)at )[index] );
			break;
		default:
			ds_json_put_bool( w, ( (const bool *)at )[index] );
			break;
	}
}

// Whether one number can stand for all elements.
static bool all_equal( const ds_field *field, const char *at )
{
	size_t size = field->type == DS_FIELD_F64 ? sizeof( double ) : sizeof( int64_t );
	return ( field->flags & DS_FIELD_EACH ) && memcmp( at, at + size, size * (size_t)( field->count - 1 ) ) == 0;
}

static void write_scalars( const ds_field *field, const char *at, ds_write_style style, ds_json_writer *w )
{
	if ( field->count == 1 )
	{
		write_scalar( field, at, 0, style, w );
		return;
	}
	if ( style == DS_WRITE_CONFIG && all_equal( field, at ) )
	{
		write_scalar( field, at, 0, style, w );
		return;
	}
	int32_t row = ( field->flags & DS_FIELD_MATRIX ) ? ds_matrix_rows( field ) : 0;
	ds_json_begin( w, '[' );
	for ( int32_t i = 0; i < field->count; ++i )
	{
		if ( row && i % row == 0 )
		{
			ds_json_begin( w, '[' );
		}
		write_scalar( field, at, i, style, w );
		if ( row && i % row == row - 1 )
		{
			ds_json_end( w, ']' );
		}
	}
	ds_json_end( w, ']' );
}

static const ds_choice *find_choice( const ds_field *field, int32_t value )
{
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		if ( field->choices[i].value == value )
		{
			return &field->choices[i];
		}
	}
	return NULL;
}

static void write_element( ds_element element, const void *data, int64_t i, ds_json_writer *w )
{
	switch ( element )
	{
		case DS_ELEMENT_F64:
			ds_json_put_number( w, ( (const double *)data )[i] );
			break;
		case DS_ELEMENT_F32:
			ds_json_put_number( w, (double)( (const float *)data )[i] );
			break;
		case DS_ELEMENT_I64:
			ds_json_put_integer( w, ( (const int64_t *)data )[i] );
			break;
		case DS_ELEMENT_I32:
			ds_json_put_integer( w, ( (const int32_t *)data )[i] );
			break;
		case DS_ELEMENT_U16:
			ds_json_put_integer( w, ( (const uint16_t *)data )[i] );
			break;
		default:
			ds_json_put_integer( w, ( (const uint8_t *)data )[i] );
			break;
	}
}

static void write_object( const ds_table *table, const void *value, ds_write_style style, ds_json_writer *w );

static void write_array( const ds_field *field, const ds_array *array, ds_write_style style, ds_json_writer *w )
{
	ds_json_begin( w, '[' );
	for ( int64_t i = 0; i < array->count; ++i )
	{
		if ( field->table )
		{
			write_object( field->table, (const char *)array->data + (size_t)i * field->table->size, style, w );
		}
		else
		{
			write_element( field->element, array->data, i, w );
		}
	}
	ds_json_end( w, ']' );
}

static void write_field( const ds_field *field, const void *record, ds_write_style style, ds_json_writer *w );

static void write_variant( const ds_field *field, const void *record, ds_write_style style, ds_json_writer *w )
{
	int32_t value;
	memcpy( &value, (const char *)record + field->offset, sizeof( value ) );
	const ds_choice *choice = find_choice( field, value );
	if ( choice == NULL || choice->form == DS_FORM_NULL )
	{
		ds_json_put_raw( w, "null" );
	}
	else if ( choice->form == DS_FORM_NAME )
	{
		ds_json_put_string( w, choice->name );
	}
	else if ( choice->form != DS_FORM_OBJECT )
	{
		write_field( &choice->table->fields[0], record, style, w );
	}
	else
	{
		ds_json_begin( w, '{' );
		if ( choice->key )
		{
			ds_json_key( w, choice->key );
			ds_json_put_string( w, choice->name );
		}
		if ( choice->table )
		{
			write_fields( choice->table, record, style, w );
		}
		ds_json_end( w, '}' );
	}
}

// The value alone, without its key.
static void write_field( const ds_field *field, const void *record, ds_write_style style, ds_json_writer *w )
{
	const char *at = (const char *)record + field->offset;
	switch ( field->type )
	{
		case DS_FIELD_ENUM:
		{
			int32_t value;
			memcpy( &value, at, sizeof( value ) );
			const ds_choice *choice = find_choice( field, value );
			choice ? ds_json_put_string( w, choice->name ) : ds_json_put_raw( w, "null" );
			break;
		}
		case DS_FIELD_STRING:
			ds_json_put_string( w, at );
			break;
		case DS_FIELD_STRUCT:
			write_object( field->table, at, style, w );
			break;
		case DS_FIELD_VARIANT:
			write_variant( field, record, style, w );
			break;
		case DS_FIELD_ARRAY:
			write_array( field, (const ds_array *)(const void *)at, style, w );
			break;
		case DS_FIELD_RAW:
		{
			const ds_json *json = *(const ds_json *const *)(const void *)at;
			json ? ds_json_put( w, json ) : ds_json_put_raw( w, "null" );
			break;
		}
		case DS_FIELD_SPAN:
			ds_json_begin( w, '{' );
			ds_json_key( w, "count" );
			ds_json_put_integer( w, ( (const ds_span *)(const void *)at )->count );
			ds_json_end( w, '}' );
			break;
		default:
			write_scalars( field, at, style, w );
			break;
	}
}

static void write_fields( const ds_table *table, const void *value, ds_write_style style, ds_json_writer *w )
{
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = &table->fields[i];
		if ( field->flags & DS_FIELD_HIDDEN )
		{
			continue;
		}
		char key[DS_FIELD_KEY_SIZE];
		ds_field_key( field, key, sizeof( key ) );
		ds_json_key( w, style == DS_WRITE_CONFIG ? key : field->name );
		write_field( field, value, style, w );
	}
}

static void write_object( const ds_table *table, const void *value, ds_write_style style, ds_json_writer *w )
{
	const ds_field *variant = ds_table_variant( table );
	if ( variant )
	{
		write_variant( variant, value, style, w );
		return;
	}
	ds_json_begin( w, '{' );
	write_fields( table, value, style, w );
	ds_json_end( w, '}' );
}

ds_status ds_table_write( const ds_table *table, const void *value, ds_write_style style, ds_json_writer *writer )
{
	const ds_field *variant = ds_table_variant( table );
	if ( variant )
	{
		write_variant( variant, value, style, writer );
		return writer->text->status;
	}
	ds_json_begin_flat( writer, '{' );
	write_fields( table, value, style, writer );
	ds_json_end( writer, '}' );
	return writer->text->status;
}

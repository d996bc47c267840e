// Tables as such: finding, checking, defaults, and parsing from text.

#include "deepsim/field.h"

#include "base/field_io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_TABLE_DEPTH 16

const ds_field *ds_table_find( const ds_table *table, const char *name )
{
	for ( int32_t i = 0; table && name && i < table->field_count; ++i )
	{
		if ( table->fields[i].name && strcmp( table->fields[i].name, name ) == 0 )
		{
			return &table->fields[i];
		}
	}
	return NULL;
}

const ds_field *ds_table_variant( const ds_table *table )
{
	const ds_field *only = table->field_count == 1 ? &table->fields[0] : NULL;
	return only && only->type == DS_FIELD_VARIANT && only->name && only->name[0] == 0 ? only : NULL;
}

void ds_field_key( const ds_field *field, char *key, size_t size )
{
	snprintf( key, size, "%s%s", field->name, ( field->flags & DS_FIELD_ANGLE ) ? "_deg" : "" );
}

bool ds_field_has_minimum( const ds_field *field )
{
	return field->type != DS_FIELD_BOOL && field->minimum < field->maximum && field->minimum > -1e300;
}

bool ds_field_has_maximum( const ds_field *field )
{
	return field->type != DS_FIELD_BOOL && field->minimum < field->maximum && field->maximum < 1e300;
}

bool ds_field_takes_digits( const ds_field *field )
{
	return !ds_field_has_maximum( field ) || field->maximum > 0x1p53;
}

int32_t ds_matrix_rows( const ds_field *field )
{
	int32_t n = 1;
	while ( n * n < field->count )
	{
		++n;
	}
	return n;
}

size_t ds_element_size( ds_element element )
{
	static const size_t sizes[] = { 0, sizeof( double ), sizeof( float ), sizeof( int64_t ), sizeof( int32_t ),
		sizeof( uint16_t ), sizeof( uint8_t ) };
	return (size_t)element < sizeof( sizes ) / sizeof( sizes[0] ) ? sizes[element] : 0;
}

// ---- defaults ----------------------------------------------------------------------------------------------------

// Defaults of what the field's own default may leave open: members of a struct, options of every alternative.
static ds_status fill_inner( const ds_field *field, void *value )
{
	if ( field->type == DS_FIELD_STRUCT )
	{
		return ds_table_fill( field->table, (char *)value + field->offset );
	}
	for ( int32_t i = 0; field->type == DS_FIELD_VARIANT && i < field->choice_count; ++i )
	{
		if ( field->choices[i].table )
		{
			DS_TRY( ds_table_fill( field->choices[i].table, value ) );
		}
	}
	return DS_OK;
}

static ds_status fill_field( const ds_field *field, void *value )
{
	DS_TRY( fill_inner( field, value ) );
	if ( field->initial == NULL || ( field->type == DS_FIELD_STRUCT && strcmp( field->initial, "{}" ) == 0 ) )
	{
		return DS_OK;
	}
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	ds_json *json;
	ds_status status = ds_json_parse( &arena, "default", 0, field->initial, strlen( field->initial ), &json );
	if ( status == DS_OK )
	{
		status = ds_field_read( field, json, NULL, value );
	}
	ds_arena_free( &arena );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "\"%s\": ", field->name );
}

ds_status ds_table_fill( const ds_table *table, void *value )
{
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		DS_TRY( fill_field( &table->fields[i], value ) );
	}
	return DS_OK;
}

ds_status ds_table_defaults( const ds_table *table, void *value )
{
	if ( table == NULL || value == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_table_defaults: table and value must not be NULL" );
	}
	memset( value, 0, table->size );
	ds_status status = ds_table_fill( table, value );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "table %s: ", table->name );
}

ds_status ds_table_parse( const ds_table *table, const char *json, void *value )
{
	if ( table == NULL || json == NULL || value == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_table_parse: table, json and value must not be NULL" );
	}
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	ds_json *root;
	ds_status status = ds_json_parse( &arena, table->name, 1, json, strlen( json ), &root );
	if ( status == DS_OK )
	{
		status = ds_table_read( table, root, NULL, value );
	}
	ds_arena_free( &arena );
	return status;
}

// ---- checking ----------------------------------------------------------------------------------------------------

static ds_status check_table( const ds_table *table, size_t room, int32_t depth );

// Bytes that a field takes from its offset on.
static size_t field_size( const ds_field *field )
{
	size_t count = (size_t)field->count;
	switch ( field->type )
	{
		case DS_FIELD_F64:
			return count * sizeof( double );
		case DS_FIELD_I64:
			return count * sizeof( int64_t );
		case DS_FIELD_BOOL:
			return count * sizeof( bool );
		case DS_FIELD_STRING:
			return field->size;
		case DS_FIELD_STRUCT:
			return field->table->size;
		case DS_FIELD_ARRAY:
			return sizeof( ds_array );
		case DS_FIELD_SPAN:
			return sizeof( ds_span );
		default:
			return sizeof( int32_t );
	}
}

static bool is_name( const char *name )
{
	if ( name == NULL || !( ( name[0] | 0x20 ) >= 'a' && ( name[0] | 0x20 ) <= 'z' ) || strlen( name ) > 63 )
	{
		return false;
	}
	for ( const char *p = name; *p; ++p )
	{
		bool letter = ( *p | 0x20 ) >= 'a' && ( *p | 0x20 ) <= 'z';
		if ( !letter && !( *p >= '0' && *p <= '9' ) && *p != '_' )
		{
			return false;
		}
	}
	return true;
}

static ds_status check_choices( const ds_field *field, size_t room, int32_t depth )
{
	if ( field->choices == NULL || field->choice_count < 1 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "it needs choices" );
	}
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		const ds_choice *c = &field->choices[i];
		if ( c->name == NULL || c->name[0] == 0 )
		{
			return ds_error( DS_ERROR_ARGUMENT, "choice %d has no name", i );
		}
		if ( field->type == DS_FIELD_ENUM && c->form != DS_FORM_NAME )
		{
			return ds_error( DS_ERROR_ARGUMENT, "choice \"%s\" of an enum must have the form DS_FORM_NAME", c->name );
		}
		bool single = c->form >= DS_FORM_BOOL && c->form <= DS_FORM_ARRAY;
		if ( single && ( c->table == NULL || c->table->field_count != 1 ) )
		{
			return ds_error( DS_ERROR_ARGUMENT, "choice \"%s\" needs a table of exactly one field", c->name );
		}
		for ( int32_t k = 0; k < i; ++k )
		{
			const ds_choice *d = &field->choices[k];
			bool same_form = c->form == d->form && ( c->form == DS_FORM_NAME || c->form == DS_FORM_OBJECT );
			if ( ( c->value == d->value && field->type == DS_FIELD_ENUM ) ||
				 ( same_form && strcmp( c->name, d->name ) == 0 ) )
			{
				return ds_error( DS_ERROR_DUPLICATE, "choice \"%s\" is there twice", c->name );
			}
		}
		if ( c->table )
		{
			DS_TRY( check_table( c->table, room, depth + 1 ) );
		}
	}
	return DS_OK;
}

static ds_status check_numbers( const ds_field *field )
{
	if ( field->count < 1 || field->count > 1000000 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "its count is %d", field->count );
	}
	if ( isnan( field->minimum ) || isnan( field->maximum ) || field->minimum > field->maximum )
	{
		return ds_error( DS_ERROR_ARGUMENT, "its minimum %g is above its maximum %g", field->minimum, field->maximum );
	}
	bool matrix = ( field->flags & DS_FIELD_MATRIX ) != 0;
	if ( ( field->flags & DS_FIELD_EACH ) && ( matrix || field->count < 2 ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "one number for each needs an array of at least 2 that is no matrix" );
	}
	int32_t n = ds_matrix_rows( field );
	if ( matrix && ( field->type != DS_FIELD_F64 || n * n != field->count ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a matrix must be of doubles, and its count %d a square", field->count );
	}
	return DS_OK;
}

static ds_status check_type( const ds_field *field, size_t room, int32_t depth )
{
	switch ( field->type )
	{
		case DS_FIELD_F64:
		case DS_FIELD_I64:
			return check_numbers( field );
		case DS_FIELD_BOOL:
			return field->count >= 1 ? DS_OK : ds_error( DS_ERROR_ARGUMENT, "its count is %d", field->count );
		case DS_FIELD_STRING:
			return field->size >= 2 ? DS_OK : ds_error( DS_ERROR_ARGUMENT, "its size is %zu", field->size );
		case DS_FIELD_ENUM:
		case DS_FIELD_VARIANT:
			return check_choices( field, room, depth );
		case DS_FIELD_STRUCT:
			return field->table ? check_table( field->table, field->table->size, depth + 1 )
								: ds_error( DS_ERROR_ARGUMENT, "it needs a table" );
		case DS_FIELD_ARRAY:
			if ( field->table )
			{
				return field->size == field->table->size
						   ? check_table( field->table, field->table->size, depth + 1 )
						   : ds_error( DS_ERROR_ARGUMENT, "its size must be that of the table's struct" );
			}
			return ds_element_size( field->element )
					   ? DS_OK
					   : ds_error( DS_ERROR_ARGUMENT, "an array needs a table or an element type" );
		case DS_FIELD_SPAN:
			return ds_element_size( field->element ) ? DS_OK
													 : ds_error( DS_ERROR_ARGUMENT, "a span needs an element type" );
		default:
			return ds_error( DS_ERROR_ARGUMENT, "its type %d is unknown", (int)field->type );
	}
}

// An image needs its size beside it, and elements that logs can write.
static ds_status check_image( const ds_table *table, const ds_field *field )
{
	if ( field->type != DS_FIELD_SPAN || ( field->element != DS_ELEMENT_U8 && field->element != DS_ELEMENT_U16 &&
											 field->element != DS_ELEMENT_I32 && field->element != DS_ELEMENT_F32 ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "only spans of u8, u16, i32 or f32 can be images" );
	}
	static const char *const sides[2] = { "width", "height" };
	for ( int i = 0; i < 2; ++i )
	{
		const ds_field *side = ds_table_find( table, sides[i] );
		if ( side == NULL || side->type != DS_FIELD_I64 || side->count != 1 || ( side->flags & DS_FIELD_HIDDEN ) )
		{
			return ds_error( DS_ERROR_ARGUMENT, "an image needs the field \"%s\" of type i64 beside it", sides[i] );
		}
	}
	return DS_OK;
}

static ds_status check_field( const ds_table *table, const ds_field *field, size_t room, int32_t depth )
{
	if ( field->unit == NULL || field->doc == NULL || field->doc[0] == 0 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "it needs a doc, and a unit that may be \"\"" );
	}
	if ( ( field->flags & DS_FIELD_ANGLE ) && field->type != DS_FIELD_F64 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "only numbers of type f64 can be angles" );
	}
	if ( ( field->flags & DS_FIELD_EACH ) && field->type != DS_FIELD_F64 && field->type != DS_FIELD_I64 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "only arrays of numbers can be given as one number for each" );
	}
	if ( ( field->flags & DS_FIELD_PATH ) && field->type != DS_FIELD_STRING )
	{
		return ds_error( DS_ERROR_ARGUMENT, "only strings can be paths" );
	}
	if ( field->flags & DS_FIELD_IMAGE )
	{
		DS_TRY( check_image( table, field ) );
	}
	DS_TRY( check_type( field, room, depth ) );
	if ( field->offset > room || field_size( field ) > room - field->offset )
	{
		return ds_error( DS_ERROR_ARGUMENT, "it reaches beyond its struct of %zu bytes", room );
	}
	bool required = ( field->flags & DS_FIELD_REQUIRED ) != 0;
	if ( required && field->initial )
	{
		return ds_error( DS_ERROR_ARGUMENT, "it is required and has a default too" );
	}
	for ( int32_t i = 0; &table->fields[i] != field; ++i )
	{
		if ( strcmp( table->fields[i].name, field->name ) == 0 )
		{
			return ds_error( DS_ERROR_DUPLICATE, "the name is there twice" );
		}
	}
	return DS_OK;
}

// `room` is the size of the struct that the offsets lie in; 0: the table's own.
static ds_status check_table( const ds_table *table, size_t room, int32_t depth )
{
	if ( table->name == NULL || table->name[0] == 0 || table->field_count < 0 ||
		 ( table->field_count > 0 && ( table->fields == NULL || table->size == 0 ) ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a table needs a name, a size and fields" );
	}
	if ( depth > MAX_TABLE_DEPTH )
	{
		return ds_error( DS_ERROR_CYCLE, "tables nest more than %d deep: does one contain itself?", MAX_TABLE_DEPTH );
	}
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = &table->fields[i];
		if ( !is_name( field->name ) && ds_table_variant( table ) == NULL )
		{
			return ds_error( DS_ERROR_ARGUMENT,
				"table %s, field %d: a name must be a letter and then letters, digits and _, at most 63", table->name,
				i );
		}
		ds_status status = check_field( table, field, room, depth );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "table %s, field %s: ", table->name, field->name );
		}
	}
	return ds_presets_check( table, room );
}

// Every default must be readable; on the way every field that is not required is seen to have one. Tables of readings need
// none: they are those whose fields all have none.
static ds_status check_defaults( const ds_table *table )
{
	bool reading = true;
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *f = &table->fields[i];
		reading = reading && !( f->flags & DS_FIELD_REQUIRED ) && ( f->initial == NULL || f->type == DS_FIELD_STRUCT );
	}
	for ( int32_t i = 0; !reading && i < table->field_count; ++i )
	{
		const ds_field *f = &table->fields[i];
		if ( f->initial == NULL && !( f->flags & DS_FIELD_REQUIRED ) )
		{
			return ds_error( DS_ERROR_ARGUMENT, "table %s, field %s: it is not required, so it needs a default",
				table->name, f->name );
		}
	}
	return DS_OK;
}

ds_status ds_table_check( const ds_table *table )
{
	if ( table == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_table_check: table must not be NULL" );
	}
	DS_TRY( check_table( table, table->size, 0 ) );
	DS_TRY( check_defaults( table ) );
	if ( table->size == 0 )
	{
		return DS_OK;
	}
	void *value;
	DS_TRY( ds_memory_new( NULL, table->size, 1, &value ) );
	ds_status status = ds_table_defaults( table, value );
	ds_memory_free( NULL, value, table->size, 1 );
	return status;
}

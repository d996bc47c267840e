// Checks of a value that was made in C, against its table: what the reader of JSON makes sure of in the others.

#include "base/field_io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREE          ( 3.14159265358979323846 / 180.0 )
#define MAX_VALUE_DEPTH 16 // as deep as ds_table_check permits

// Where in the value the walk is: "dipoles[1]"; "" is the value itself.
typedef struct place
{
	char text[256];
	int32_t depth;
} place;

static ds_status check_value( const ds_table *table, const void *value, const place *at );

// A member of the place, and of it an element, if index is not negative.
static place member_of( const place *at, const char *name, int64_t index )
{
	place member = { "", at->depth + 1 };
	const char *dot = at->text[0] && name[0] ? "." : "";
	if ( index < 0 )
	{
		snprintf( member.text, sizeof( member.text ), "%.150s%s%.64s", at->text, dot, name );
	}
	else
	{
		snprintf( member.text, sizeof( member.text ), "%.150s%s%.64s[%lld]", at->text, dot, name, (long long)index );
	}
	return member;
}

static const void *at_offset( const void *value, size_t offset )
{
	return (const char *)value + offset;
}

// ---- numbers -----------------------------------------------------------------------------------------------------

static ds_status check_number( const ds_field *field, double x, const char *noun, const place *at )
{
	bool angle = ( field->flags & DS_FIELD_ANGLE ) != 0;
	double degrees = angle ? x / DEGREE : x;
	double slack = angle ? 1e-10 : 0; // degrees and back are not exact
	bool exclusive = ( field->flags & DS_FIELD_EXCLUSIVE_MINIMUM ) != 0;
	bool good = ( !ds_field_has_minimum( field ) || degrees > field->minimum - slack ||
					( !exclusive && degrees == field->minimum ) ) &&
				( !ds_field_has_maximum( field ) || degrees <= field->maximum + slack );
	if ( isfinite( x ) && good )
	{
		return DS_OK;
	}
	char expected[160], got[32];
	ds_field_expected( field, noun, expected, sizeof( expected ) );
	ds_print_number( got, sizeof( got ), degrees );
	return ds_error( isfinite( x ) ? DS_ERROR_RANGE : DS_ERROR_NOT_FINITE, "%s: expected %s, got %s%s", at->text,
		expected, got, angle && isfinite( x ) ? " deg" : "" );
}

static ds_status check_scalar( const ds_field *field, ds_element element, const void *data, const place *at )
{
	switch ( element )
	{
		case DS_ELEMENT_F64:
			return check_number( field, *(const double *)data, "a number", at );
		case DS_ELEMENT_F32:
			return check_number( field, (double)*(const float *)data, "a number", at );
		case DS_ELEMENT_I64:
			return check_number( field, (double)*(const int64_t *)data, "an integer", at );
		case DS_ELEMENT_I32:
			return check_number( field, *(const int32_t *)data, "an integer", at );
		case DS_ELEMENT_U16:
			return check_number( field, *(const uint16_t *)data, "an integer", at );
		default:
			return check_number( field, *(const uint8_t *)data, "an integer", at );
	}
}

static ds_status check_numbers( const ds_field *field, ds_element element, const void *data, const place *at )
{
	for ( int32_t i = 0; i < field->count; ++i )
	{
		place here = member_of( at, field->name, field->count > 1 ? i : -1 );
		DS_TRY( check_scalar( field, element, at_offset( data, (size_t)i * ds_element_size( element ) ), &here ) );
	}
	return DS_OK;
}

static ds_status check_bools( const ds_field *field, const unsigned char *data, const place *at )
{
	for ( int32_t i = 0; i < field->count; ++i )
	{
		if ( data[i] > 1 )
		{
			place here = member_of( at, field->name, field->count > 1 ? i : -1 );
			return ds_error( DS_ERROR_RANGE, "%s: expected true or false, got a byte of %d", here.text, data[i] );
		}
	}
	return DS_OK;
}

// ---- what is made of others --------------------------------------------------------------------------------------

// The names of an enum, for "expected ...".
static void list_choices( const ds_field *field, ds_text *text )
{
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		ds_text_string( text, i == 0 ? "" : i + 1 < field->choice_count ? ", " : " or " );
		ds_text_format( text, "%d (%s)", field->choices[i].value, field->choices[i].name );
	}
}

// Of alternatives that share a value, one has to fit: they differ in how JSON gives them.
static ds_status check_choice( const ds_field *field, const void *value, const place *at )
{
	int32_t chosen = *(const int32_t *)at_offset( value, field->offset );
	bool known = false;
	ds_status status = DS_OK;
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		const ds_choice *c = &field->choices[i];
		if ( c->value == chosen )
		{
			known = true;
			// members of an alternative lie beside the variant: so do their names
			status = field->type == DS_FIELD_VARIANT && c->table ? check_value( c->table, value, at ) : DS_OK;
			if ( status == DS_OK )
			{
				return DS_OK;
			}
		}
	}
	if ( known )
	{
		return status;
	}
	place here = member_of( at, field->name, -1 );
	ds_text text = { 0 };
	list_choices( field, &text );
	status = ds_error(
		DS_ERROR_RANGE, "%s%sexpected %s, got %d", here.text, here.text[0] ? ": " : "", ds_text_get( &text ), chosen );
	ds_text_clear( &text );
	return status;
}

static ds_status check_array( const ds_field *field, const ds_array *array, const place *at )
{
	if ( array->count < 0 || ( array->count > 0 && array->data == NULL ) )
	{
		place here = member_of( at, field->name, -1 );
		return ds_error( DS_ERROR_ARGUMENT, "%s: expected data of %lld elements, got %s", here.text,
			(long long)array->count, array->data ? "a negative count" : "NULL" );
	}
	size_t size = field->table ? field->table->size : ds_element_size( field->element );
	for ( int64_t i = 0; i < array->count; ++i )
	{
		const void *element = at_offset( array->data, (size_t)i * size );
		place here = member_of( at, field->name, i );
		DS_TRY( field->table ? check_value( field->table, element, &here )
							 : check_scalar( field, field->element, element, &here ) );
	}
	return DS_OK;
}

static ds_status check_string( const ds_field *field, const char *data, const place *at )
{
	if ( memchr( data, 0, field->size ) )
	{
		return DS_OK;
	}
	place here = member_of( at, field->name, -1 );
	return ds_error(
		DS_ERROR_RANGE, "%s: expected at most %zu bytes and a NUL, got no NUL", here.text, field->size - 1 );
}

static ds_status check_field( const ds_field *field, const void *value, const place *at )
{
	const void *data = at_offset( value, field->offset );
	place here;
	switch ( field->type )
	{
		case DS_FIELD_F64:
			return check_numbers( field, DS_ELEMENT_F64, data, at );
		case DS_FIELD_I64:
			return check_numbers( field, DS_ELEMENT_I64, data, at );
		case DS_FIELD_BOOL:
			return check_bools( field, data, at );
		case DS_FIELD_STRING:
			return check_string( field, data, at );
		case DS_FIELD_ENUM:
		case DS_FIELD_VARIANT:
			return check_choice( field, value, at );
		case DS_FIELD_STRUCT:
			here = member_of( at, field->name, -1 );
			return check_value( field->table, data, &here );
		case DS_FIELD_ARRAY:
			return check_array( field, data, at );
		default:
			return DS_OK; // what readings and the library's own tables have
	}
}

// Whether an error begins with a member: "resolution: expected at most ...".
static bool names_member( const char *text )
{
	size_t length = strspn( text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_" );
	return length > 0 && text[length] && strchr( ":[.", text[length] );
}

static ds_status check_value( const ds_table *table, const void *value, const place *at )
{
	if ( at->depth > MAX_VALUE_DEPTH )
	{
		return ds_error( DS_ERROR_CYCLE, "%s: tables nest more than %d deep", at->text, MAX_VALUE_DEPTH );
	}
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		DS_TRY( check_field( &table->fields[i], value, at ) );
	}
	ds_status status = table->check ? table->check( value ) : DS_OK;
	if ( status == DS_OK || at->text[0] == 0 )
	{
		return status;
	}
	return ds_error_prefix( status, names_member( ds_last_error() ) ? "%s." : "%s: ", at->text );
}

ds_status ds_table_check_value( const ds_table *table, const void *value )
{
	if ( table == NULL || value == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_table_check_value: table and value must not be NULL" );
	}
	const place top = { "", 0 };
	return check_value( table, value, &top );
}

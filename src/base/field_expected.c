// What would have been right: the texts of errors about values, choices and keys.

#include "base/field_io.h"

#include <stdio.h>
#include <string.h>

void ds_field_expected( const ds_field *field, const char *noun, char *buffer, size_t size )
{
	char low[32], high[32], range[96] = "";
	ds_print_number( low, sizeof( low ), field->minimum );
	ds_print_number( high, sizeof( high ), field->maximum );
	bool has_low = ds_field_has_minimum( field ), has_high = ds_field_has_maximum( field );
	bool exclusive = ( field->flags & DS_FIELD_EXCLUSIVE_MINIMUM ) != 0;
	if ( has_low && has_high )
	{
		snprintf( range, sizeof( range ), " in %c%s, %s]", exclusive ? '(' : '[', low, high );
	}
	else if ( has_low )
	{
		snprintf( range, sizeof( range ), " %s %s", exclusive ? ">" : ">=", low );
	}
	else if ( has_high )
	{
		snprintf( range, sizeof( range ), " <= %s", high );
	}
	const char *unit = ( field->flags & DS_FIELD_ANGLE ) ? "deg" : field->unit;
	bool spoken = unit[0] && strcmp( unit, "-" ) != 0 && strcmp( unit, "1" ) != 0;
	const char *of = range[0] ? " " : " of ";
	snprintf( buffer, size, "%s%s%s%s", noun, range, spoken ? of : "", spoken ? unit : "" );
}

const char *ds_field_plural( const ds_field *field )
{
	return field->type == DS_FIELD_F64 ? "numbers" : field->type == DS_FIELD_I64 ? "integers" : "booleans";
}

ds_status ds_wrong_value( ds_status status, const ds_json *value, const char *expected )
{
	char got[96];
	ds_json_describe( value, got, sizeof( got ) );
	return ds_json_error( status, value, "expected %s, got %s", expected, got );
}

void ds_choice_key( const ds_choice *choice, char *key, size_t size )
{
	key[0] = 0;
	for ( int32_t i = 0; choice->table && i < choice->table->field_count; ++i )
	{
		if ( choice->table->fields[i].flags & DS_FIELD_REQUIRED )
		{
			ds_field_key( &choice->table->fields[i], key, size );
			return;
		}
	}
}

static int32_t count_names( const ds_field *field )
{
	int32_t count = 0;
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		count += field->choices[i].form == DS_FORM_NAME;
	}
	return count;
}

// Lists choices as they look in JSON, for "expected ...". `brief`: names as how many there are.
static void list_choices( const ds_field *field, bool brief, ds_text *text )
{
	int32_t names = 0;
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		const ds_choice *c = &field->choices[i];
		if ( brief && c->form == DS_FORM_NAME && names++ > 0 )
		{
			continue;
		}
		ds_text_string( text, i == 0 ? "" : i + 1 < field->choice_count ? ", " : " or " );
		if ( brief && c->form == DS_FORM_NAME )
		{
			ds_text_format( text, "one of %d names", count_names( field ) );
			continue;
		}
		const ds_field *only = c->table && c->table->field_count > 0 ? &c->table->fields[0] : NULL;
		char noun[64], expected[160];
		switch ( c->form )
		{
			case DS_FORM_NAME:
				ds_text_format( text, "\"%s\"", c->name );
				break;
			case DS_FORM_NULL:
				ds_text_string( text, "null" );
				break;
			case DS_FORM_BOOL:
				ds_text_string( text, "true or false" );
				break;
			case DS_FORM_NUMBER:
				ds_field_expected( only, "a number", expected, sizeof( expected ) );
				ds_text_string( text, expected );
				break;
			case DS_FORM_STRING:
				ds_text_format( text, "a string (%s)", c->name );
				break;
			case DS_FORM_ARRAY:
				if ( only->type == DS_FIELD_ARRAY )
				{
					ds_text_format( text, "an array (%s)", c->name );
				}
				else if ( only->flags & DS_FIELD_MATRIX )
				{
					int32_t n = ds_matrix_rows( only );
					ds_text_format( text, "%d rows of %d numbers", n, n );
				}
				else
				{
					snprintf( noun, sizeof( noun ), "an array of %d %s", only->count, ds_field_plural( only ) );
					ds_text_string( text, noun );
				}
				break;
			case DS_FORM_OBJECT:
				if ( c->key )
				{
					ds_text_format( text, "{\"%s\": \"%s\", ...}", c->key, c->name );
				}
				else
				{
					char key[DS_FIELD_KEY_SIZE];
					ds_choice_key( c, key, sizeof( key ) );
					ds_text_format( text, key[0] ? "{\"%s\": ...}" : "an object", key );
				}
				break;
		}
	}
}

ds_status ds_wrong_choice( ds_status status, const ds_field *field, const ds_json *value )
{
	const char *names[64];
	size_t count = 0;
	for ( int32_t i = 0; i < field->choice_count && count < 64; ++i )
	{
		if ( field->choices[i].form == DS_FORM_NAME )
		{
			names[count++] = field->choices[i].name;
		}
	}
	const char *nearest = value->type == DS_JSON_STRING ? ds_nearest_name( value->string, names, count ) : NULL;
	ds_text text = { 0 };
	list_choices( field, nearest && count_names( field ) > 12, &text );
	if ( field->choice_count == 1 && field->choices[0].form == DS_FORM_NULL && field->choices[0].doc )
	{
		ds_text_format( &text, " (%s)", field->choices[0].doc );
	}
	char got[96];
	ds_json_describe( value, got, sizeof( got ) );
	status = ds_json_error( status, value, "expected %s, got %s%s%s%s", ds_text_get( &text ), got,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "" );
	ds_text_clear( &text );
	return status;
}

ds_status ds_unknown_key( const ds_json *member, const char *const *keys, size_t count )
{
	const char *nearest = ds_nearest_name( member->key, keys, count );
	if ( nearest )
	{
		return ds_json_error(
			DS_ERROR_UNKNOWN_KEY, member, "unknown key \"%s\"; did you mean \"%s\"?", member->key, nearest );
	}
	ds_text text = { 0 };
	for ( size_t i = 0; i < count; ++i )
	{
		ds_text_format( &text, "%s\"%s\"", i ? ", " : "", keys[i] );
	}
	ds_status status = ds_json_error( DS_ERROR_UNKNOWN_KEY, member, "unknown key \"%s\"; %s%s", member->key,
		count ? "known here: " : "no keys are known here", ds_text_get( &text ) );
	ds_text_clear( &text );
	return status;
}

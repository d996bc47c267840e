// From JSON into structs.

#include "base/field_io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARRAY_BYTES ( (size_t)1 << 30 )
#define DEGREE          ( 3.14159265358979323846 / 180.0 )

static ds_status read_object(
	const ds_table *table, const ds_json *object, const char *selector, ds_arena *arena, void *value );

// ---- numbers -----------------------------------------------------------------------------------------------------

static bool in_range( const ds_field *field, double number )
{
	bool exclusive = ( field->flags & DS_FIELD_EXCLUSIVE_MINIMUM ) != 0;
	bool low = !ds_field_has_minimum( field ) || number > field->minimum || ( !exclusive && number == field->minimum );
	return low && ( !ds_field_has_maximum( field ) || number <= field->maximum );
}

static ds_status read_f64( const ds_field *field, const ds_json *value, double *out )
{
	char expected[160];
	if ( value->type != DS_JSON_NUMBER || !in_range( field, value->number ) )
	{
		ds_field_expected( field, "a number", expected, sizeof( expected ) );
		return ds_wrong_value( value->type == DS_JSON_NUMBER ? DS_ERROR_RANGE : DS_ERROR_TYPE, value, expected );
	}
	*out = ( field->flags & DS_FIELD_ANGLE ) ? value->number * DEGREE : value->number;
	return DS_OK;
}

// A decimal integer as a string; false if it is none or does not fit.
static bool parse_digits( const char *text, int64_t *out )
{
	bool negative = text[0] == '-';
	const char *p = text + negative;
	uint64_t limit = (uint64_t)INT64_MAX + negative, number = 0;
	if ( *p == 0 || strlen( p ) > 19 )
	{
		return false;
	}
	for ( ; *p; ++p )
	{
		if ( *p < '0' || *p > '9' )
		{
			return false;
		}
		number = 10 * number + (uint64_t)( *p - '0' );
	}
	if ( number > limit )
	{
		return false;
	}
	*out = negative ? (int64_t)( 0 - number ) : (int64_t)number;
	return true;
}

static ds_status read_i64( const ds_field *field, const ds_json *value, int64_t *out )
{
	char expected[160];
	ds_status wrong = DS_ERROR_TYPE;
	if ( value->type == DS_JSON_NUMBER && value->number == floor( value->number ) )
	{
		if ( fabs( value->number ) >= 0x1p53 && ds_field_takes_digits( field ) )
		{
			return ds_json_error( DS_ERROR_RANGE, value,
				"integers from 2^53 on lose digits as JSON numbers: write it as a string of decimal digits" );
		}
		if ( fabs( value->number ) < 0x1p53 && in_range( field, value->number ) )
		{
			*out = (int64_t)value->number;
			return DS_OK;
		}
		wrong = DS_ERROR_RANGE;
	}
	else if ( value->type == DS_JSON_STRING && ds_field_takes_digits( field ) && parse_digits( value->string, out ) )
	{
		if ( in_range( field, (double)*out ) )
		{
			return DS_OK;
		}
		wrong = DS_ERROR_RANGE;
	}
	ds_field_expected( field, "an integer", expected, sizeof( expected ) );
	return ds_wrong_value( wrong, value, expected );
}

static ds_status read_bool( const ds_json *value, bool *out )
{
	if ( value->type != DS_JSON_BOOL )
	{
		return ds_wrong_value( DS_ERROR_TYPE, value, "true or false" );
	}
	*out = value->number != 0;
	return DS_OK;
}

// One scalar of an f64, i64 or bool field.
static ds_status read_scalar( const ds_field *field, const ds_json *value, void *record, int64_t index )
{
	char *at = (char *)record + field->offset;
	switch ( field->type )
	{
		case DS_FIELD_F64:
			return read_f64( field, value, (double *)(void *)at + index );
		case DS_FIELD_I64:
			return read_i64( field, value, (int64_t *)(void *)at + index );
		default:
			return read_bool( value, (bool *)at + index );
	}
}

static ds_status check_length( const ds_field *field, const ds_json *value, int64_t length, const char *of )
{
	if ( value->type == DS_JSON_ARRAY && value->count == length )
	{
		return DS_OK;
	}
	char noun[96], expected[200];
	const char *each = ( field->flags & DS_FIELD_EACH ) ? "one number or " : "";
	snprintf( noun, sizeof( noun ), "%san array of %lld %s", each, (long long)length, of );
	ds_field_expected( field, noun, expected, sizeof( expected ) );
	return ds_wrong_value( DS_ERROR_TYPE, value, expected );
}

static ds_status read_scalars( const ds_field *field, const ds_json *value, void *record )
{
	if ( field->flags & DS_FIELD_MATRIX )
	{
		int32_t n = ds_matrix_rows( field );
		int64_t index = 0;
		char of[48];
		snprintf( of, sizeof( of ), "rows of %d numbers", n );
		DS_TRY( check_length( field, value, n, of ) );
		for ( const ds_json *row = value->first; row; row = row->next )
		{
			DS_TRY( check_length( field, row, n, "numbers" ) );
			for ( const ds_json *p = row->first; p; p = p->next )
			{
				DS_TRY( read_scalar( field, p, record, index++ ) );
			}
		}
		return DS_OK;
	}
	if ( field->count == 1 )
	{
		return read_scalar( field, value, record, 0 );
	}
	bool each = ( field->flags & DS_FIELD_EACH ) != 0;
	if ( each && ( value->type == DS_JSON_NUMBER || ( value->type == DS_JSON_STRING && field->type == DS_FIELD_I64 ) ) )
	{
		for ( int32_t i = 0; i < field->count; ++i )
		{
			DS_TRY( read_scalar( field, value, record, i ) );
		}
		return DS_OK;
	}
	DS_TRY( check_length( field, value, field->count, ds_field_plural( field ) ) );
	int64_t index = 0;
	for ( const ds_json *p = value->first; p; p = p->next )
	{
		DS_TRY( read_scalar( field, p, record, index++ ) );
	}
	return DS_OK;
}

// ---- names and strings -------------------------------------------------------------------------------------------

static ds_status read_enum( const ds_field *field, const ds_json *value, int32_t *out )
{
	for ( int32_t i = 0; value->type == DS_JSON_STRING && i < field->choice_count; ++i )
	{
		if ( strcmp( field->choices[i].name, value->string ) == 0 )
		{
			*out = field->choices[i].value;
			return DS_OK;
		}
	}
	return ds_wrong_choice( value->type == DS_JSON_STRING ? DS_ERROR_NOT_FOUND : DS_ERROR_TYPE, field, value );
}

static ds_status read_string( const ds_field *field, const ds_json *value, char *out )
{
	char expected[64];
	if ( value->type != DS_JSON_STRING || strlen( value->string ) >= field->size )
	{
		snprintf( expected, sizeof( expected ), "a string of at most %zu bytes", field->size - 1 );
		return ds_wrong_value( value->type == DS_JSON_STRING ? DS_ERROR_LIMIT : DS_ERROR_TYPE, value, expected );
	}
	memset( out, 0, field->size );
	ds_copy_string( out, field->size, value->string );
	return DS_OK;
}

// ---- arrays ------------------------------------------------------------------------------------------------------

static ds_status read_element( const ds_field *field, const ds_json *value, char *data, int64_t index )
{
	// limits of narrow integers lie within those of the field
	static const double low[] = { 0, 0, 0, 0, INT32_MIN, 0, 0 },
						high[] = { 0, 0, 0, 0, INT32_MAX, UINT16_MAX, UINT8_MAX };
	if ( field->element == DS_ELEMENT_F64 || field->element == DS_ELEMENT_F32 )
	{
		double number;
		DS_TRY( read_f64( field, value, &number ) );
		if ( field->element == DS_ELEMENT_F64 )
		{
			( (double *)(void *)data )[index] = number;
		}
		else
		{
			( (float *)(void *)data )[index] = (float)number;
		}
		return DS_OK;
	}
	ds_field narrow = *field;
	if ( field->element != DS_ELEMENT_I64 )
	{
		bool limited = field->minimum < field->maximum;
		narrow.minimum = limited ? fmax( field->minimum, low[field->element] ) : low[field->element];
		narrow.maximum = limited ? fmin( field->maximum, high[field->element] ) : high[field->element];
	}
	int64_t number;
	DS_TRY( read_i64( &narrow, value, &number ) );
	switch ( field->element )
	{
		case DS_ELEMENT_I64:
			( (int64_t *)(void *)data )[index] = number;
			break;
		case DS_ELEMENT_I32:
			( (int32_t *)(void *)data )[index] = (int32_t)number;
			break;
		case DS_ELEMENT_U16:
			( (uint16_t *)(void *)data )[index] = (uint16_t)number;
			break;
		default:
			( (uint8_t *)data )[index] = (uint8_t)number;
			break;
	}
	return DS_OK;
}

static ds_status read_array( const ds_field *field, const ds_json *value, ds_arena *arena, ds_array *out )
{
	out->data = NULL;
	out->count = 0;
	if ( value->type != DS_JSON_ARRAY )
	{
		return ds_wrong_value( DS_ERROR_TYPE, value, field->table ? "an array of objects" : "an array of numbers" );
	}
	if ( value->count == 0 )
	{
		return DS_OK;
	}
	if ( arena == NULL )
	{
		return ds_json_error(
			DS_ERROR_UNSUPPORTED, value, "an array cannot be read here: this config has no memory of its own" );
	}
	size_t size = field->table ? field->table->size : ds_element_size( field->element );
	if ( (size_t)value->count > MAX_ARRAY_BYTES / size )
	{
		return ds_json_error( DS_ERROR_LIMIT, value, "%lld elements of %zu bytes are more than fit into %zu bytes",
			(long long)value->count, size, MAX_ARRAY_BYTES );
	}
	// one more element, past the end, holds the defaults that all begin with
	void *data;
	DS_TRY( ds_arena_new( arena, ( (size_t)value->count + 1 ) * size, &data ) );
	char *defaults = (char *)data + (size_t)value->count * size;
	if ( field->table )
	{
		DS_TRY( ds_table_defaults( field->table, defaults ) );
	}
	int64_t index = 0;
	for ( const ds_json *p = value->first; p; p = p->next, ++index )
	{
		if ( field->table == NULL )
		{
			DS_TRY( read_element( field, p, data, index ) );
			continue;
		}
		char *element = (char *)data + (size_t)index * size;
		memcpy( element, defaults, size );
		DS_TRY( read_object( field->table, p, NULL, arena, element ) );
	}
	out->data = data;
	out->count = value->count;
	return DS_OK;
}

// ---- variants ----------------------------------------------------------------------------------------------------

// Whether an array has the shape of an alternative's only field.
static bool array_fits( const ds_field *only, const ds_json *value )
{
	if ( only->type == DS_FIELD_ARRAY )
	{
		return true;
	}
	bool nested = value->first && value->first->type == DS_JSON_ARRAY;
	bool matrix = ( only->flags & DS_FIELD_MATRIX ) != 0;
	return matrix == nested && value->count == ( matrix ? ds_matrix_rows( only ) : only->count );
}

static bool names_preset( const ds_table *table, const ds_json *object )
{
	return table->preset_count > 0 && ds_json_find( object, DS_PRESET_KEY );
}

static bool form_fits( const ds_choice *choice, const ds_json *value )
{
	switch ( choice->form )
	{
		case DS_FORM_NAME:
			return value->type == DS_JSON_STRING && strcmp( value->string, choice->name ) == 0;
		case DS_FORM_NULL:
			return value->type == DS_JSON_NULL;
		case DS_FORM_BOOL:
			return value->type == DS_JSON_BOOL;
		case DS_FORM_NUMBER:
			return value->type == DS_JSON_NUMBER;
		case DS_FORM_STRING:
			return value->type == DS_JSON_STRING;
		case DS_FORM_ARRAY:
			return value->type == DS_JSON_ARRAY && array_fits( &choice->table->fields[0], value );
		default:
			return value->type == DS_JSON_OBJECT && choice->key == NULL &&
				   ( choice->table == NULL || names_preset( choice->table, value ) ||
					   ds_missing_field( choice->table, value, NULL ) == NULL );
	}
}

// The alternative that an object's selecting member names. *found stays NULL when no alternative has such a member; a
// member with another value is an error.
static ds_status find_keyed( const ds_field *field, const ds_json *object, const ds_choice **found )
{
	const ds_json *selector = NULL;
	const char *key = NULL;
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		const ds_choice *c = &field->choices[i];
		const ds_json *member = c->form == DS_FORM_OBJECT && c->key ? ds_json_find( object, c->key ) : NULL;
		if ( member && member->type == DS_JSON_STRING && strcmp( member->string, c->name ) == 0 )
		{
			*found = c;
			return DS_OK;
		}
		selector = member ? member : selector;
		key = member ? c->key : key;
	}
	if ( selector == NULL )
	{
		return DS_OK;
	}
	ds_choice names[64];
	ds_field only = *field;
	only.choices = names;
	only.choice_count = 0;
	for ( int32_t i = 0; i < field->choice_count && only.choice_count < 64; ++i )
	{
		if ( field->choices[i].key && strcmp( field->choices[i].key, key ) == 0 )
		{
			names[only.choice_count] = field->choices[i];
			names[only.choice_count++].form = DS_FORM_NAME;
		}
	}
	return ds_wrong_choice( selector->type == DS_JSON_STRING ? DS_ERROR_NOT_FOUND : DS_ERROR_TYPE, &only, selector );
}

static ds_status find_alternative( const ds_field *field, const ds_json *value, const ds_choice **found )
{
	*found = NULL;
	if ( value->type == DS_JSON_OBJECT )
	{
		DS_TRY( find_keyed( field, value, found ) );
	}
	// exact names go before "any string"
	for ( int pass = 0; pass < 2 && *found == NULL; ++pass )
	{
		for ( int32_t i = 0; i < field->choice_count && *found == NULL; ++i )
		{
			const ds_choice *c = &field->choices[i];
			if ( ( c->form == DS_FORM_STRING ) == ( pass == 1 ) && form_fits( c, value ) )
			{
				*found = c;
			}
		}
	}
	// an object that lacks what every object needs is read as the first of them, which says what is missing
	for ( int32_t i = 0; value->type == DS_JSON_OBJECT && i < field->choice_count && *found == NULL; ++i )
	{
		const ds_choice *c = &field->choices[i];
		*found = c->form == DS_FORM_OBJECT && c->key == NULL ? c : NULL;
	}
	return *found ? DS_OK
				  : ds_wrong_choice( value->type == DS_JSON_STRING ? DS_ERROR_NOT_FOUND : DS_ERROR_TYPE, field, value );
}

static ds_status read_variant( const ds_field *field, const ds_json *value, ds_arena *arena, void *record )
{
	const ds_choice *choice;
	DS_TRY( find_alternative( field, value, &choice ) );
	*(int32_t *)(void *)( (char *)record + field->offset ) = choice->value;
	if ( choice->table == NULL )
	{
		static const ds_table empty = { "", "", 0, NULL, 0, NULL, NULL, 0 };
		return choice->form == DS_FORM_OBJECT ? read_object( &empty, value, choice->key, arena, record ) : DS_OK;
	}
	// the default may be another alternative that shares members with this one
	bool options = choice->form == DS_FORM_OBJECT || choice->form == DS_FORM_NAME || choice->form == DS_FORM_NULL;
	if ( options )
	{
		DS_TRY( ds_table_fill( choice->table, record ) );
		return choice->form == DS_FORM_OBJECT ? read_object( choice->table, value, choice->key, arena, record ) : DS_OK;
	}
	DS_TRY( ds_field_read( &choice->table->fields[0], value, arena, record ) );
	ds_status status = choice->table->check ? choice->table->check( record ) : DS_OK;
	return status == DS_OK ? DS_OK : ds_json_prefix( status, value );
}

// ---- fields and objects ------------------------------------------------------------------------------------------

ds_status ds_field_read( const ds_field *field, const ds_json *value, ds_arena *arena, void *record )
{
	char *at = (char *)record + field->offset;
	switch ( field->type )
	{
		case DS_FIELD_F64:
		case DS_FIELD_I64:
		case DS_FIELD_BOOL:
			return read_scalars( field, value, record );
		case DS_FIELD_ENUM:
			return read_enum( field, value, (int32_t *)(void *)at );
		case DS_FIELD_STRING:
			return read_string( field, value, at );
		case DS_FIELD_STRUCT:
			return read_object( field->table, value, NULL, arena, at );
		case DS_FIELD_VARIANT:
			return read_variant( field, value, arena, record );
		case DS_FIELD_ARRAY:
			return read_array( field, value, arena, (ds_array *)(void *)at );
		case DS_FIELD_RAW:
			*(const ds_json **)(void *)at = value;
			return DS_OK;
		default:
			return ds_json_error( DS_ERROR_UNSUPPORTED, value, "a field of this type cannot be read from JSON" );
	}
}

// The field of a key, or an error that names the nearest key; `selector` is a further key that is permitted.
static ds_status find_field(
	const ds_table *table, const ds_json *member, const char *selector, const ds_field **found )
{
	*found = NULL;
	enum
	{
		MAX_KEYS = 128
	};
	char keys[MAX_KEYS][DS_FIELD_KEY_SIZE];
	const char *names[MAX_KEYS];
	size_t count = 0;
	if ( selector )
	{
		names[count++] = selector;
	}
	if ( table->preset_count > 0 )
	{
		names[count++] = DS_PRESET_KEY;
	}
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = &table->fields[i];
		char key[DS_FIELD_KEY_SIZE];
		ds_field_key( field, key, sizeof( key ) );
		if ( strcmp( key, member->key ) == 0 )
		{
			*found = field;
			return DS_OK;
		}
		if ( strcmp( field->name, member->key ) == 0 )
		{
			return ds_json_error( DS_ERROR_UNKNOWN_KEY, member,
				"unknown key \"%s\": an angle is given in degrees, as \"%s\"", member->key, key );
		}
		if ( count < MAX_KEYS && !( field->flags & DS_FIELD_HIDDEN ) )
		{
			memcpy( keys[count], key, sizeof( key ) );
			names[count] = keys[count];
			++count;
		}
	}
	return ds_unknown_key( member, names, count );
}

// Members of an object, but for the one that chose this alternative and the one that names the preset.
static ds_status read_members(
	const ds_table *table, const ds_json *object, const char *selector, ds_arena *arena, void *value )
{
	for ( const ds_json *member = object->first; member; member = member->next )
	{
		const ds_field *field;
		bool preset = table->preset_count > 0 && strcmp( member->key, DS_PRESET_KEY ) == 0;
		if ( preset || ( selector && strcmp( member->key, selector ) == 0 ) )
		{
			continue;
		}
		DS_TRY( find_field( table, member, selector, &field ) );
		DS_TRY( ds_field_read( field, member, arena, value ) );
	}
	return DS_OK;
}

ds_status ds_table_read_preset( const ds_table *table, const ds_json *preset, ds_arena *arena, void *value )
{
	if ( preset->type != DS_JSON_OBJECT )
	{
		return ds_wrong_value( DS_ERROR_TYPE, preset, "an object" );
	}
	const ds_json *other = ds_json_find( preset, DS_PRESET_KEY );
	if ( other )
	{
		return ds_json_error( DS_ERROR_UNSUPPORTED, other, "a preset cannot start from another one" );
	}
	DS_TRY( ds_table_fill( table, value ) );
	return read_members( table, preset, NULL, arena, value );
}

// The preset that an object names, if it names one, and then the object's own members; `memory` keeps the preset's tree.
static ds_status read_with_preset(
	const ds_table *table, const ds_json *object, const char *selector, ds_arena *memory, ds_arena *arena, void *value )
{
	const ds_json *name = table->preset_count > 0 ? ds_json_find( object, DS_PRESET_KEY ) : NULL;
	ds_json *preset = NULL;
	if ( name )
	{
		DS_TRY( ds_preset_find( table, name, memory, &preset ) );
		ds_status status = ds_table_read_preset( table, preset, arena, value );
		if ( status != DS_OK )
		{
			return ds_json_prefix( status, name );
		}
	}
	DS_TRY( read_members( table, object, selector, arena, value ) );
	const ds_field *missing = ds_missing_field( table, object, preset );
	if ( missing )
	{
		char key[DS_FIELD_KEY_SIZE];
		ds_field_key( missing, key, sizeof( key ) );
		return ds_json_error( DS_ERROR_NOT_FOUND, object, "the key \"%s\" is missing: %s", key, missing->doc );
	}
	return DS_OK;
}

// Reads members into a struct that holds its defaults already; `selector` is the member that chose this alternative.
static ds_status read_object(
	const ds_table *table, const ds_json *object, const char *selector, ds_arena *arena, void *value )
{
	const ds_field *variant = ds_table_variant( table );
	if ( variant )
	{
		DS_TRY( read_variant( variant, object, arena, value ) );
	}
	else if ( object->type != DS_JSON_OBJECT )
	{
		return ds_wrong_value( DS_ERROR_TYPE, object, "an object" );
	}
	else
	{
		ds_arena own;
		ds_arena_init( &own, arena ? &arena->allocator : NULL );
		ds_status read = read_with_preset( table, object, selector, arena ? arena : &own, arena, value );
		ds_arena_free( &own );
		DS_TRY( read );
	}
	ds_status status = table->check ? table->check( value ) : DS_OK;
	return status == DS_OK ? DS_OK : ds_json_prefix( status, object );
}

ds_status ds_table_read( const ds_table *table, const ds_json *object, ds_arena *arena, void *value )
{
	DS_TRY( ds_table_defaults( table, value ) );
	return read_object( table, object, NULL, arena, value );
}

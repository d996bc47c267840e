#include "sensors/check_config.h"

#include "base/base.h"
#include "base/field_io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREE ( 3.14159265358979323846 / 180.0 )

static ds_status check_number( const ds_field *field, int32_t index, double x )
{
	char name[96], expected[160];
	snprintf( name, sizeof( name ), field->count > 1 ? "%s[%d]" : "%s", field->name, (int)index );
	ds_field_expected( field, "a number", expected, sizeof( expected ) );
	if ( !isfinite( x ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "%s: expected %s, got %g", name, expected, x );
	}
	double scale = field->flags & DS_FIELD_ANGLE ? DEGREE : 1;
	double slack = field->flags & DS_FIELD_ANGLE ? 1e-12 : 0; // degrees and back are not exact
	double low = field->minimum * scale - slack, high = field->maximum * scale + slack;
	bool exclusive = ( field->flags & DS_FIELD_EXCLUSIVE_MINIMUM ) != 0;
	bool good = ( !ds_field_has_minimum( field ) || x > low || ( !exclusive && x == low ) ) &&
				( !ds_field_has_maximum( field ) || x <= high );
	return good ? DS_OK : ds_error( DS_ERROR_RANGE, "%s: expected %s, got %.17g", name, expected, x / scale );
}

static ds_status check_choice( const ds_field *field, int32_t value )
{
	for ( int32_t i = 0; i < field->choice_count; ++i )
	{
		if ( field->choices[i].value == value )
		{
			return DS_OK;
		}
	}
	return ds_error( DS_ERROR_RANGE, "%s: %d is none of its %d values", field->name, value, field->choice_count );
}

static ds_status check_array( const ds_field *field, const ds_array *array )
{
	if ( array->count < 0 || ( array->count > 0 && array->data == NULL ) )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "%s: an array of %lld elements without data", field->name, (long long)array->count );
	}
	for ( int64_t i = 0; field->table && i < array->count; ++i )
	{
		ds_status status = ds_config_check( field->table, (const char *)array->data + (size_t)i * field->table->size );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "%s[%lld].", field->name, (long long)i );
		}
	}
	return DS_OK;
}

static ds_status check_field( const ds_field *field, const void *config )
{
	const void *at = (const char *)config + field->offset;
	ds_status status;
	switch ( field->type )
	{
		case DS_FIELD_F64:
			for ( int32_t i = 0; i < field->count; ++i )
			{
				DS_TRY( check_number( field, i, ( (const double *)at )[i] ) );
			}
			return DS_OK;
		case DS_FIELD_I64:
			for ( int32_t i = 0; i < field->count; ++i )
			{
				DS_TRY( check_number( field, i, (double)( (const int64_t *)at )[i] ) );
			}
			return DS_OK;
		case DS_FIELD_ENUM:
			return check_choice( field, *(const int32_t *)at );
		case DS_FIELD_STRUCT:
			status = ds_config_check( field->table, at );
			return status == DS_OK ? DS_OK : ds_error_prefix( status, "%s.", field->name );
		case DS_FIELD_ARRAY:
			return check_array( field, at );
		default:
			return DS_OK;
	}
}

ds_status ds_config_check( const ds_table *table, const void *config )
{
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		DS_TRY( check_field( table->fields + i, config ) );
	}
	return table->check ? table->check( config ) : DS_OK;
}

#include "sensors/numbers.h"

#include "deepsim/math.h"

static ds_status check_field( const ds_table *table, const ds_field *f, const void *at )
{
	const double *number = at;
	double unit = f->flags & DS_FIELD_ANGLE ? DS_PI / 180 : 1;
	double low = f->minimum * unit, high = f->maximum * unit;
	for ( int32_t k = 0; k < f->count; ++k )
	{
		if ( !isfinite( number[k] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "%s: %s is not finite", table->name, f->name );
		}
		bool exclusive = ( f->flags & DS_FIELD_EXCLUSIVE_MINIMUM ) != 0;
		if ( low < high && ( number[k] < low || number[k] > high || ( exclusive && number[k] == low ) ) )
		{
			return ds_error( DS_ERROR_RANGE, "%s: expected %s in %s%g, %g] %s, got %g", table->name, f->name,
				exclusive ? "(" : "[", low, high, f->unit, number[k] );
		}
	}
	return DS_OK;
}

ds_status ds_numbers_check( const ds_table *table, const void *value )
{
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *f = &table->fields[i];
		const void *at = (const char *)value + f->offset;
		ds_status status = f->type == DS_FIELD_F64      ? check_field( table, f, at )
						   : f->type == DS_FIELD_STRUCT ? ds_numbers_check( f->table, at )
														: DS_OK;
		if ( status != DS_OK )
		{
			return status;
		}
	}
	return table->check ? table->check( value ) : DS_OK;
}

// What soils are made of, checked, and the laws of Bekker and of Janosi and Hanamoto.

#include "deepsim/soil.h"

#include "base/base.h"
#include "deepsim/math.h"
#include "terrain/soil_fields.h"

#include <math.h>
#include <stddef.h>

static const ds_field soil_fields[] = { DS_SOIL_FIELDS( 0 ) };

// What no field can tell alone.
static ds_status check_together( const void *value )
{
	const ds_soil *soil = value;
	if ( !( soil->kc + soil->kphi > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "kc and kphi are both 0: one of them must bear the load" );
	}
	// unloading by rebound has to be steeper than the virgin curve, n p / z
	if ( soil->elastic <= 0 && !( soil->rebound * soil->n < 1 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"rebound must be below 1/n = %.4g, got %g: soil would come back faster than it gave way", 1 / soil->n,
			soil->rebound );
	}
	return DS_OK;
}

static const ds_table soil_table = { "soil", "how a soil yields (Bekker, Janosi and Hanamoto)", sizeof( ds_soil ),
	soil_fields, DS_COUNT( soil_fields ), check_together, NULL, 0 };

const ds_table *ds_soil_table( void )
{
	return &soil_table;
}

ds_soil ds_soil_default( void )
{
	return ds_soil_find( "dry_sand" )->soil;
}

ds_status ds_soil_check( const ds_soil *soil )
{
	if ( soil == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_soil_check: soil must not be NULL" );
	}
	for ( int32_t i = 0; i < soil_table.field_count; ++i )
	{
		const ds_field *field = &soil_fields[i];
		if ( field->type != DS_FIELD_F64 )
		{
			continue;
		}
		double value = *(const double *)( (const char *)soil + field->offset );
		bool angle = field->flags & DS_FIELD_ANGLE;
		if ( !isfinite( value ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "soil: %s is not finite", field->name );
		}
		// degrees and back may round over the edge
		double unit = angle ? DS_PI / 180 : 1, slack = angle ? 1e-12 : 0;
		bool excluded = field->flags & DS_FIELD_EXCLUSIVE_MINIMUM && !( value > field->minimum );
		if ( excluded || value < field->minimum * unit - slack || value > field->maximum * unit + slack )
		{
			return ds_error( DS_ERROR_RANGE, "soil: %s must be in %c%g, %g]%s%s, got %g", field->name,
				field->flags & DS_FIELD_EXCLUSIVE_MINIMUM ? '(' : '[', field->minimum * unit, field->maximum * unit,
				field->unit[0] ? " " : "", field->unit, value );
		}
	}
	ds_status status = check_together( soil );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "soil: " );
}

static double stiffness( const ds_soil *soil, double width )
{
	return ( width > 0 ? soil->kc / width : 0 ) + soil->kphi;
}

double ds_soil_pressure( const ds_soil *soil, double width, double sinkage )
{
	return sinkage > 0 ? stiffness( soil, width ) * pow( sinkage, soil->n ) : 0;
}

double ds_soil_sinkage( const ds_soil *soil, double width, double pressure )
{
	return pressure > 0 ? pow( pressure / stiffness( soil, width ), 1 / soil->n ) : 0;
}

double ds_soil_shear( const ds_soil *soil, double pressure, double displacement )
{
	double most = soil->cohesion + pressure * tan( soil->friction );
	if ( !( most > 0 ) || displacement == 0 )
	{
		return 0;
	}
	double share = soil->printed_shear ? 1 : -expm1( -fabs( displacement ) / soil->shear_displacement );
	return copysign( most * share, displacement );
}

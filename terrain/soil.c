// What soils are made of, checked, and the laws of Bekker and of Janosi and Hanamoto.

#include "deepsim/soil.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <math.h>
#include <stddef.h>

#define POSITIVE_F64( member, unit_, initial_, maximum_, doc_ )                                                        \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( ds_soil, member ), 1, 0, unit_, initial_, 0,      \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}

// Defaults: dry sand (soil_sets.c says where its numbers are from).
static const ds_field soil_fields[] = {
	POSITIVE_F64( n, "", "1.1", 3, "exponent of sinkage" ),
	DS_F64( ds_soil, kc, "N/m^(n+1)", "990", 0, 1e12, "cohesive modulus of sinkage" ),
	DS_F64( ds_soil, kphi, "N/m^(n+2)", "1528430", 0, 1e12, "frictional modulus of sinkage" ),
	DS_F64( ds_soil, cohesion, "Pa", "1040", 0, 1e7, "shear strength without pressure" ),
	DS_ANGLE( ds_soil, friction, "28", 0, 60, "angle of internal friction" ),
	POSITIVE_F64( shear_displacement, "m", "0.02", 1, "K of Janosi and Hanamoto" ),
	DS_F64( ds_soil, elastic, "Pa/m", "0", 0, 1e12, "stiffness of unloading and reloading; 0: `rebound` says it" ),
	DS_F64( ds_soil, rebound, "", "0.05", 0.001, 0.9, "share of the sinkage that comes back without load" ),
	DS_F64( ds_soil, damping, "Pa s/m", "30000", 0, 1e9, "pressure for each m/s of sinking" ),
	DS_F64( ds_soil, suction, "Pa", "0", 0, 1e7, "most tension on lifting off" ),
	DS_F64( ds_soil, slip_sinkage, "", "0", 0, 1, "further sinkage for each metre of slip" ),
	DS_F64( ds_soil, lateral, "", "1", 0, 1, "share of the pressure that acts across the soil's normal" ),
	DS_F64( ds_soil, unit_weight, "N/m3", "9500", 0, 1e5, "weight less buoyancy" ),
	DS_ANGLE( ds_soil, repose, "28", 0, 89, "angle of repose of what is thrown up" ),
	DS_BOOL( ds_soil, bulldozing, "false", "passive pressure on faces that push sideways" ),
	DS_BOOL( ds_soil, printed_pressure, "false", "width of sinkage: the square root of each face's area (25)" ),
	DS_BOOL( ds_soil, printed_shear, "false", "full shear strength at any slip (28)" ),
};

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
	soil_fields, DS_COUNT( soil_fields ), check_together };

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

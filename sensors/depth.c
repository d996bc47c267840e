#include "sensors/depth.h"

#include "hydro/gravity.h"
#include "hydro/seawater.h"
#include "sensors/pressure.h"
#include "sensors/tables.h"

#include <math.h>

static const ds_choice formulas[] = {
	{ DS_DEPTH_CONSTANT_DENSITY, DS_FORM_NAME, "constant_density", NULL, NULL, "pressure over density and gravity" },
	{ DS_DEPTH_UNESCO44, DS_FORM_NAME, "unesco44", NULL, NULL,
		"Saunders and Fofonoff's, UNESCO 44 (Fofonoff and Millard 1983)" },
	{ DS_DEPTH_TEOS10, DS_FORM_NAME, "teos10", NULL, NULL, "of the standard ocean of TEOS-10" },
};

static const ds_field config_fields[] = {
	DS_STRUCT( ds_depth_config, gauge, &ds_pressure_options, "the pressure gauge: options of the sensor pressure" ),
	DS_ENUM( ds_depth_config, formula, formulas, "\"unesco44\"", "how pressure becomes depth" ),
	DS_F64( ds_depth_config, density, "kg/m3", "1025", 500, 2000, "of constant_density" ),
	DS_F64( ds_depth_config, gravity, "m/s2", "9.80665", 0.1, 30, "of constant_density" ),
	DS_ANGLE( ds_depth_config, latitude, "45", -90, 90, "that the instrument was told, unless latitude_known" ),
	DS_BOOL( ds_depth_config, latitude_known, "true", "the latitude is that of the place, not the one above" ),
	DS_F64( ds_depth_config, air_pressure, "Pa", "101325", 0, 1e6, "taken off the reading of an absolute gauge" ),
	DS_F64( ds_depth_config, offset, "m", "0", -1e4, 1e4, "added to the depth" ),
};

const ds_table ds_depth_options =
	DS_TABLE( "depth_config", "Options of the sensor depth", ds_depth_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( ds_depth, depth, "m", NULL, 0, 0, "positive down" ),
	DS_F64( ds_depth, variance, "m2", NULL, 0, 0, "of white noise and of the resolution" ),
	DS_F64( ds_depth, bias_variance, "m2", NULL, 0, 0, "of the gauge's slow errors" ),
	DS_F64( ds_depth, pressure, "Pa", NULL, 0, 0, "that it was made of, above the air's" ),
	DS_BOOL( ds_depth, valid, NULL, "false: the gauge is beyond its range" ),
};

const ds_table ds_depth_readings =
	DS_TABLE( "depth", "Depth of the mount by the pressure there", ds_depth, reading_fields );

DS_SENSOR_TABLES( depth )

double ds_depth_unesco44( double gauge_pressure, double latitude )
{
	return ds_depth_of_pressure( gauge_pressure, latitude );
}

// Dynamic height of the standard ocean [m2/s2]: the integral of specific volume over pressure, by Gauss and Legendre with four
// points, which is exact for the polynomial of degree six in pressure that the specific volume is.
static double standard_enthalpy( double pressure )
{
	// Abramowitz and Stegun, table 25.4
	static const double point[2] = { 0.339981043584856, 0.861136311594053 };
	static const double weight[2] = { 0.652145154862546, 0.347854845137454 };
	const double half = 0.5 * pressure;
	double sum = 0;
	for ( int i = 0; i < 2; ++i )
	{
		sum += weight[i] * ( 1 / ds_teos10_density( 35.16504, 0, half * ( 1 - point[i] ) ) +
							   1 / ds_teos10_density( 35.16504, 0, half * ( 1 + point[i] ) ) );
	}
	return half * sum;
}

// TEOS-10 manual, appendix D.3: gravity at the surface by latitude, and its growth by 2.26e-7 of it a metre.
// The geopotential g z - g gamma z^2 / 2 of depth -z equals the enthalpy.
double ds_depth_teos10( double gauge_pressure, double latitude )
{
	const double gamma = 2.26e-7;
	double s = sin( latitude ), x = s * s;
	double g = 9.780327 * ( 1 + ( 5.2792e-3 + 2.32e-5 * x ) * x );
	double h = standard_enthalpy( gauge_pressure );
	return 2 * h / ( g + sqrt( g * g + 2 * gamma * g * h ) );
}

double ds_depth_of( const ds_depth_config *config, double gauge_pressure, double latitude )
{
	double at = config->latitude_known ? latitude : config->latitude;
	switch ( config->formula )
	{
		case DS_DEPTH_UNESCO44:
			return ds_depth_unesco44( gauge_pressure, at ) + config->offset;
		case DS_DEPTH_TEOS10:
			return ds_depth_teos10( gauge_pressure, at ) + config->offset;
		default:
			return gauge_pressure / ( config->density * config->gravity ) + config->offset;
	}
}

void ds_depth_measure( const ds_depth_config *config, const ds_pressure *gauge, double latitude, ds_depth *reading )
{
	double p = gauge->pressure;
	if ( config->gauge.reference == DS_PRESSURE_ABSOLUTE )
	{
		p -= config->air_pressure;
	}
	const double step = 1000; // [Pa]
	double slope =
		( ds_depth_of( config, p + step, latitude ) - ds_depth_of( config, p - step, latitude ) ) / ( 2 * step );
	reading->depth = ds_depth_of( config, p, latitude );
	reading->variance = slope * slope * gauge->variance;
	reading->bias_variance = slope * slope * gauge->bias_variance;
	reading->pressure = p;
	reading->valid = gauge->valid;
}

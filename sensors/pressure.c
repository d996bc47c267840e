#include "sensors/pressure.h"

#include <math.h>

// Far beyond any ocean: 1e9 Pa is the pressure under 100 km of water.
#define LIMIT 1e9

static const ds_choice references[] = {
	{ DS_PRESSURE_ABSOLUTE, DS_FORM_NAME, "absolute", NULL, NULL, "above vacuum" },
	{ DS_PRESSURE_GAUGE, DS_FORM_NAME, "gauge", NULL, NULL, "above the surface's pressure: 0 at the surface" },
};

static const ds_field config_fields[] = {
	DS_ENUM( ds_pressure_config, reference, references, "\"absolute\"", "what a reading of 0 stands for" ),
	DS_F64( ds_pressure_config, noise, "Pa", "0", 0, LIMIT, "standard deviation of white noise of each reading" ),
	DS_F64( ds_pressure_config, minimum, "Pa", "-1e9", -LIMIT, LIMIT, "least reading; lower ones are clipped" ),
	DS_F64( ds_pressure_config, maximum, "Pa", "1e9", -LIMIT, LIMIT, "greatest reading; higher ones are clipped" ),
	DS_F64( ds_pressure_config, resolution, "Pa", "0", 0, LIMIT, "readings are multiples of it; 0: exact" ),
};

static ds_status check_config( const void *value )
{
	const ds_pressure_config *config = value;
	if ( !( config->minimum < config->maximum ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "minimum must be below maximum, got %g and %g Pa", config->minimum, config->maximum );
	}
	return DS_OK;
}

const ds_table ds_pressure_config_table = { "pressure_config", "Options of the sensor pressure",
	sizeof( ds_pressure_config ), config_fields, DS_COUNT( config_fields ), check_config, NULL, 0 };

static const ds_field reading_fields[] = {
	DS_F64( ds_pressure, pressure, "Pa", NULL, 0, 0, "absolute or gauge pressure, as the config says" ),
};

const ds_table ds_pressure_table =
	DS_TABLE( "pressure", "Pressure of the water, or of the air, at the mount", ds_pressure, reading_fields );

void ds_pressure_measure( const ds_pressure_config *config, const ds_water *water, double normal, ds_pressure *reading )
{
	double p = config->reference == DS_PRESSURE_GAUGE ? water->gauge_pressure : water->pressure;
	p += config->noise * normal;
	p = fmin( fmax( p, config->minimum ), config->maximum );
	if ( config->resolution > 0 )
	{
		p = round( p / config->resolution ) * config->resolution;
	}
	reading->pressure = p;
}

// Options and reading of a lamp.

#include "optics/lamp_table.h"

#include "deepsim/math.h"

static const ds_field level_fields[] = {
	DS_ANGLE( ds_beam_level, angle, "0", 0, 180, "from the axis, more than that of the level before" ),
	DS_F64( ds_beam_level, intensity, "", "1", 0, 1e9, "relative" ),
};
static const ds_table level_table = DS_TABLE( "beam_level", "", ds_beam_level, level_fields );

static const ds_choice beams[] = {
	{ DS_BEAM_SPOT, DS_FORM_NAME, "spot", NULL, NULL, "a power of the cosine, half as bright at half of `width`" },
	{ DS_BEAM_CONE, DS_FORM_NAME, "cone", NULL, NULL, "even up to half of `width`, with a soft edge" },
	{ DS_BEAM_LAMBERT, DS_FORM_NAME, "lambert", NULL, NULL, "the cosine: a bare flat emitter" },
	{ DS_BEAM_ISOTROPIC, DS_FORM_NAME, "isotropic", NULL, NULL, "the same in all directions" },
	{ DS_BEAM_TABLE, DS_FORM_NAME, "table", NULL, NULL, "`profile`" },
};
static const ds_choice spectra[] = {
	{ DS_SPECTRUM_LED_COOL, DS_FORM_NAME, "led_cool", NULL, NULL, "white LED, some 6500 K" },
	{ DS_SPECTRUM_LED_WARM, DS_FORM_NAME, "led_warm", NULL, NULL, "white LED, some 3000 K" },
	{ DS_SPECTRUM_EVEN, DS_FORM_NAME, "even", NULL, NULL, "the same power at all wavelengths" },
	{ DS_SPECTRUM_LINE, DS_FORM_NAME, "line", NULL, NULL, "one line: a laser, or a coloured LED" },
	{ DS_SPECTRUM_BLACKBODY, DS_FORM_NAME, "blackbody", NULL, NULL, "of `temperature`: a halogen lamp" },
};

static const ds_field config_fields[] = {
	DS_F64(
		ds_lamp_config, flux, "W", "15", 0, 1e5, "radiant flux at full level, 400 to 700 nm; white: some 330 lm/W" ),
	DS_F64( ds_lamp_config, power, "W", "50", 0, 1e6, "electric power at full level" ),
	DS_F64( ds_lamp_config, level, "", "1", 0, 1, "until the first command" ),
	DS_ENUM( ds_lamp_config, beam, beams, "\"spot\"", "how the light is spread over angles from x of the mount" ),
	DS_ANGLE( ds_lamp_config, width, "80", 0.5, 179, "spot, cone: full angle at half of the intensity" ),
	DS_F64( ds_lamp_config, edge, "", "0.2", 0, 1, "cone: width of the soft edge, as a share of half of `width`" ),
	{ "profile", DS_FIELD_ARRAY, 0, offsetof( ds_lamp_config, profile ), 1, sizeof( ds_beam_level ), "", "[]", 0, 0,
		"table: linear between levels, the first down to the axis, dark beyond the last", &level_table, NULL, 0,
		DS_ELEMENT_NONE },
	DS_F64( ds_lamp_config, radius, "m", "0.03", 0, 10, "of the emitting disc: near it light falls off less" ),
	DS_ENUM( ds_lamp_config, spectrum, spectra, "\"led_cool\"", "how the light is spread over wavelengths" ),
	DS_F64( ds_lamp_config, wavelength, "nm", "525", 400, 700, "line: of its middle" ),
	DS_F64( ds_lamp_config, linewidth, "nm", "30", 0.1, 300, "line: full width at half of its height" ),
	DS_F64( ds_lamp_config, temperature, "K", "3000", 1000, 20000, "black body" ),
	DS_BOOL( ds_lamp_config, own_shadow, "false", "the body that carries it casts shadows of its light" ),
};

static ds_status check_profile( const ds_array *profile )
{
	const ds_beam_level *levels = profile->data;
	double most = 0;
	if ( profile->count < 2 )
	{
		return ds_error( DS_ERROR_RANGE, "profile: expected at least two levels, got %lld", (long long)profile->count );
	}
	for ( int64_t i = 0; i < profile->count; ++i )
	{
		if ( i > 0 && !( levels[i].angle > levels[i - 1].angle ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"profile[%lld].angle_deg: expected more than the %g degrees of the level before, got %g", (long long)i,
				levels[i - 1].angle * ( 180 / DS_PI ), levels[i].angle * ( 180 / DS_PI ) );
		}
		most = levels[i].intensity > most ? levels[i].intensity : most;
	}
	return most > 0 ? DS_OK : ds_error( DS_ERROR_RANGE, "profile: expected an intensity above 0" );
}

static ds_status check_config( const void *value )
{
	const ds_lamp_config *config = value;
	return config->beam == DS_BEAM_TABLE ? check_profile( &config->profile ) : DS_OK;
}

const ds_table ds_lamp_options = { "lamp_config", "Options of the actuator lamp", sizeof( ds_lamp_config ),
	config_fields, DS_COUNT( config_fields ), check_config, NULL, 0 };

static const ds_field reading_fields[] = {
	DS_F64( ds_lamp_reading, level, "", NULL, 0, 0, "of its light, 0 to 1" ),
	DS_F64( ds_lamp_reading, power, "W", NULL, 0, 0, "electric power" ),
};
const ds_table ds_lamp_readings = DS_TABLE( "lamp", "What a lamp does now", ds_lamp_reading, reading_fields );

const ds_table *ds_lamp_config_table( void )
{
	return &ds_lamp_options;
}

const ds_table *ds_lamp_table( void )
{
	return &ds_lamp_readings;
}

ds_lamp_config ds_lamp_config_default( void )
{
	ds_lamp_config config;
	ds_table_defaults( &ds_lamp_options, &config );
	return config;
}

// Options of the image sensor.

#include "base/base.h"
#include "deepsim/image_sensor.h"
#include "optics/image_sensor_kernel.h"

static const ds_choice whites[] = {
	{ DS_WHITE_NONE, DS_FORM_NAME, "none", NULL, NULL, "gains of 1" },
	{ DS_WHITE_GIVEN, DS_FORM_NAME, "given", NULL, NULL, "white_gains" },
	{ DS_WHITE_GREY_WORLD, DS_FORM_NAME, "grey_world", NULL, NULL, "gains that make the means of the channels equal" },
};

static const ds_choice transfers[] = {
	{ DS_TRANSFER_SRGB, DS_FORM_NAME, "srgb", NULL, NULL, "IEC 61966-2-1" },
	{ DS_TRANSFER_GAMMA, DS_FORM_NAME, "gamma", NULL, NULL, "share of full scale to the power 1 / gamma" },
	{ DS_TRANSFER_LINEAR, DS_FORM_NAME, "linear", NULL, NULL, "as counted" },
};

// Pixel pitch, full well and read noise: Sony IMX174, a global-shutter sensor of machine vision cameras, by EMVA 1288 (5.86 um, 32691
// electrons, 6.83 electrons; 77 % at 525 nm without a colour filter), as quoted by https://fhotolab.fherb.de/2016/09/07/. The efficiency
// behind a colour filter, the lens, the dark current of a sensor near 10 degC and the times are typical. White gains: of light whose
// power is even over 400 to 700 nm, in the three bands of ds_bands_rgb.
static const ds_field fields[] = {
	DS_F64( ds_image_sensor_config, f_number, "", "2", 0.5, 64, "focal length over the aperture's diameter" ),
	DS_F64( ds_image_sensor_config, transmittance, "", "0.9", 1e-6, 1,
		"of the lens; a port's faces reflect by themselves" ),
	DS_F64( ds_image_sensor_config, pixel_pitch, "m", "5.86e-6", 1e-7, 1e-3, "side of a pixel" ),
	DS_F64( ds_image_sensor_config, quantum_efficiency, "", "0.6", 1e-6, 1,
		"electrons a photon, at the best wavelength of each channel" ),
	DS_F64( ds_image_sensor_config, exposure, "s", "0.02", 1e-7, 100, "time; the first one where it is automatic" ),
	DS_BOOL( ds_image_sensor_config, auto_exposure, "false", "the time follows the brightness of the frames" ),
	DS_F64( ds_image_sensor_config, auto_target, "", "0.18", 1e-3, 0.9,
		"mean of a frame that automatic exposure aims at, linear, share of full scale" ),
	DS_F64( ds_image_sensor_config, auto_limits, "s", "[1e-5, 0.1]", 1e-7, 100,
		"least and greatest time of automatic exposure" ),
	DS_F64( ds_image_sensor_config, auto_speed, "", "0.5", 0, 1,
		"share of the way, in stops, that exposure and grey world make from frame to frame" ),
	DS_F64( ds_image_sensor_config, gain, "", "1", 1e-3, 1e4, "full scale is full_well / gain" ),
	DS_F64( ds_image_sensor_config, full_well, "", "32691", 10, 1e7, "electrons that a pixel holds" ),
	DS_F64( ds_image_sensor_config, read_noise, "", "6.83", 0, 1e4, "standard deviation [electrons]" ),
	DS_F64( ds_image_sensor_config, dark_current, "1/s", "5", 0, 1e6, "electrons a second without light" ),
	DS_BOOL( ds_image_sensor_config, shot_noise, "true", "photons are counted; false: as many as expected" ),
	DS_I64( ds_image_sensor_config, bits, "", "8", 8, 16, "of a number in the image: 8, 10, 12, 14 or 16" ),
	DS_ENUM( ds_image_sensor_config, transfer, transfers, "\"srgb\"", "from the share of full scale to numbers" ),
	DS_F64( ds_image_sensor_config, gamma, "", "2.2", 0.1, 10, "of the transfer gamma" ),
	DS_F64( ds_image_sensor_config, black_level, "", "0", 0, 0.5, "added before the transfer, share of full scale" ),
	DS_ENUM( ds_image_sensor_config, white, whites, "\"given\"", "white balance" ),
	DS_F64( ds_image_sensor_config, white_gains, "", "[1, 1.11, 1.46]", 0.01, 100, "of red, green, blue, where given" ),
	DS_F64( ds_image_sensor_config, readout, "s", "0", 0, 1,
		"rolling shutter: from the first row's exposure to the last one's; 0: all at once" ),
};

static ds_status check_config( const void *value )
{
	const ds_image_sensor_config *c = value;
	if ( c->bits % 2 != 0 )
	{
		return ds_error( DS_ERROR_RANGE, "bits: expected 8, 10, 12, 14 or 16, got %lld", (long long)c->bits );
	}
	if ( !( c->auto_limits[0] <= c->auto_limits[1] ) )
	{
		return ds_error( DS_ERROR_RANGE, "auto_limits: expected the least time first, got %g and %g s",
			c->auto_limits[0], c->auto_limits[1] );
	}
	return DS_OK;
}

const ds_table ds_image_sensor_options = { "image_sensor", "From the light on a camera's pixels to numbers",
	sizeof( ds_image_sensor_config ), fields, DS_COUNT( fields ), check_config, NULL, 0 };

const ds_table *ds_image_sensor_config_table( void )
{
	return &ds_image_sensor_options;
}

ds_image_sensor_config ds_image_sensor_config_default( void )
{
	ds_image_sensor_config config;
	(void)ds_table_defaults( &ds_image_sensor_options, &config );
	return config;
}

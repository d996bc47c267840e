#include "optics/camera.h"

#include "optics/image_sensor_kernel.h"
#include "optics/lens_internal.h"
#include "optics/port_trace.h"
#include "sensors/tables.h"

static const ds_field snow_fields[] = {
	DS_F64( ds_snow_config, density, "1/m3", "0", 0, 1e6, "particles larger than minimum in a cubic metre; 0: none" ),
	DS_F64( ds_snow_config, minimum, "m", "0.0005", 1e-5, 0.1, "least diameter" ),
	DS_F64( ds_snow_config, maximum, "m", "0.005", 1e-5, 0.1, "greatest diameter" ),
	DS_F64( ds_snow_config, slope, "", "3", 1, 6, "of Junge's size distribution: number larger than d ~ d^-slope" ),
	DS_F64( ds_snow_config, reflectance, "", "0.3", 0, 1, "of a particle" ),
	DS_F64( ds_snow_config, sinking, "m/s", "0.001", 0, 1, "speed downwards" ),
	DS_F64( ds_snow_config, range, "m", "4", 0.1, 50, "drawn up to here" ),
	DS_I64( ds_snow_config, seed, "", "1", 0, 1e15,
		"where they are: cameras of the same seed and options see the same particles" ),
};

static ds_status check_snow( const void *value )
{
	const ds_snow_config *snow = value;
	if ( !( snow->minimum < snow->maximum ) )
	{
		return ds_error(
			DS_ERROR_RANGE, "minimum must be below maximum, got %g and %g m", snow->minimum, snow->maximum );
	}
	return DS_OK;
}

static const ds_table snow_table = { "snow", "Marine snow: particles that catch the light", sizeof( ds_snow_config ),
	snow_fields, DS_COUNT( snow_fields ), check_snow, NULL, 0 };

static const ds_field config_fields[] = {
	DS_STRUCT( ds_camera_config, lens, &ds_lens_options, "size of the image, field of view, distortion, vignetting" ),
	DS_STRUCT( ds_camera_config, port, &ds_port_options, "window of the housing that rays bend at" ),
	DS_STRUCT( ds_camera_config, sensor, &ds_image_sensor_options, "exposure, noise, colours, bits" ),
	DS_BOOL( ds_camera_config, color, "true", "frames of colour" ),
	DS_BOOL( ds_camera_config, radiance, "false", "frames of linear radiance" ),
	DS_BOOL( ds_camera_config, depth, "false", "frames of depth along the ray and along the axis" ),
	DS_BOOL( ds_camera_config, normals, "false", "frames of surface normals" ),
	DS_BOOL( ds_camera_config, segmentation, "false", "frames of instances" ),
	DS_BOOL( ds_camera_config, flow, "false", "frames of optical flow" ),
	DS_I64( ds_camera_config, bands, "", "3", 3, DS_MAX_BANDS,
		"of wavelength that light is reckoned in: 3 are blue, green, red; more are even from 400 to 700 nm" ),
	DS_BOOL( ds_camera_config, lit, "true", "false: colours of surfaces as they are, without light, water and noise" ),
	DS_BOOL( ds_camera_config, shadows, "true", "of lamps and of the sun on what is seen" ),
	DS_BOOL( ds_camera_config, beam_shadows, "false", "things in the lamps' beams leave the water behind them dark" ),
	DS_I64( ds_camera_config, backscatter_steps, "", "8", 0, DS_MAX_STEPS,
		"of the integral along each ray for each lamp; 0: no light is scattered into rays" ),
	DS_BOOL( ds_camera_config, forward_scatter, "true", "light that is scattered by small angles blurs the image" ),
	DS_BOOL( ds_camera_config, own_body, "false", "the body that it is mounted on is seen" ),
	DS_F64( ds_camera_config, range, "m", "100", 0.1, 1e5, "nothing is seen beyond" ),
	DS_I64( ds_camera_config, motion_samples, "", "1", 1, 64,
		"moments in the exposure whose mean is the frame; 1: no motion blur" ),
	DS_I64( ds_camera_config, supersampling, "", "1", 1, DS_CAMERA_SUBPIXELS,
		"rays for each pixel along each of its sides: edges become smooth" ),
	DS_STRUCT( ds_camera_config, snow, &snow_table, "particles in the water" ),
};

// What spans options; the lens's size is that of the file where there is one, and is checked again when it is known.
static ds_status check_config( const void *value )
{
	const ds_camera_config *c = value;
	if ( !c->color && !c->radiance && !c->depth && !c->normals && !c->segmentation && !c->flow )
	{
		return ds_error( DS_ERROR_RANGE,
			"no frames are asked for: one of color, radiance, depth, normals, segmentation, flow must be true" );
	}
	if ( c->radiance && !c->lit )
	{
		return ds_error( DS_ERROR_RANGE, "radiance: there is none without light: lit must be true" );
	}
	if ( ds_camera_delay( c ) > 1 )
	{
		return ds_error( DS_ERROR_RANGE,
			"sensor: half of the longest exposure and half of the readout are %g s, must not be more than 1 s",
			ds_camera_delay( c ) );
	}
	if ( (double)c->lens.width * (double)c->lens.height > DS_CAMERA_PIXELS )
	{
		return ds_error( DS_ERROR_RANGE, "lens: %lld x %lld pixels, must not be more than %d in all",
			(long long)c->lens.width, (long long)c->lens.height, DS_CAMERA_PIXELS );
	}
	return DS_OK;
}

const ds_table ds_camera_options = { "camera_config", "Options of the sensor camera", sizeof( ds_camera_config ),
	config_fields, DS_COUNT( config_fields ), check_config, NULL, 0 };

#define IMAGE( member_, element_, unit_, doc_ )                                                                        \
	{                                                                                                                  \
#member_, DS_FIELD_SPAN, DS_FIELD_IMAGE, offsetof( ds_camera, member_ ), 1, 0, unit_, NULL, 0, 0, doc_, NULL,  \
			NULL, 0, element_                                                                                          \
	}

static const ds_field reading_fields[] = {
	DS_I64( ds_camera, width, "px", NULL, 0, 0, "of the frames" ),
	DS_I64( ds_camera, height, "px", NULL, 0, 0, "of the frames" ),
	DS_F64( ds_camera, exposure, "s", NULL, 0, 0, "time; the stamp is its middle" ),
	{ "gains", DS_FIELD_F64, DS_FIELD_NUMBERED, offsetof( ds_camera, gains ), 3, 0, "", NULL, 0, 0,
		"of white balance in use: red, green, blue", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_camera, mean, "", NULL, 0, 0, "of the frame with the gains, linear, share of full scale" ),
	IMAGE( color8, DS_ELEMENT_U8, "", "red, green, blue of each pixel, where the sensor has 8 bits" ),
	IMAGE( color16, DS_ELEMENT_U16, "", "red, green, blue of each pixel, where the sensor has more bits" ),
	IMAGE( radiance, DS_ELEMENT_F32, "W/(m2 sr)", "red, green, blue of each pixel, before port, lens and sensor" ),
	IMAGE( depth, DS_ELEMENT_F32, "m", "along the ray, from the port's outer face or the centre of projection" ),
	IMAGE( z_depth, DS_ELEMENT_F32, "m", "along the optical axis from the centre of projection" ),
	IMAGE( normals, DS_ELEMENT_F32, "", "unit, optical axes (right, down, ahead)" ),
	IMAGE( segmentation, DS_ELEMENT_I32, "",
		"0 nothing, 1 seabed, 2 + index: bodies in their order, 8388608 and more: nodules" ),
	IMAGE( flow, DS_ELEMENT_F32, "px/s", "velocity of the image of what is seen: right, down" ),
};

const ds_table ds_camera_readings =
	DS_TABLE( "camera", "Images of what lies ahead of the mount", ds_camera, reading_fields );

DS_SENSOR_TABLES( camera )

#include "deepsim/lens.h"

#include "base/base.h"
#include "deepsim/math.h"
#include "optics/lens_internal.h"

#include <string.h>

// ---- config ------------------------------------------------------------------------------------------------------------

#define MAX_SIZE  32768 // [px]
#define MAX_PLACE 1e6 // of focal lengths and centres [px]
#define MAX_TERM  1e6 // of distortion

static const ds_choice models[] = {
	{ DS_LENS_RECTILINEAR, DS_FORM_NAME, "rectilinear", NULL, NULL,
		"straight lines stay straight but for k1 k2 k3 p1 p2: OpenCV's pinhole model, ROS's plumb_bob" },
	{ DS_LENS_FISHEYE, DS_FORM_NAME, "fisheye", NULL, NULL,
		"r = f theta (1 + k1 theta^2 + ... + k4 theta^8): OpenCV's fisheye model, ROS's equidistant" },
	{ DS_LENS_EQUIRECTANGULAR, DS_FORM_NAME, "equirectangular", NULL, NULL,
		"a panorama: u by azimuth, v by elevation" },
	{ DS_LENS_STEREOGRAPHIC, DS_FORM_NAME, "stereographic", NULL, NULL, "r = 2 f tan(theta / 2): shapes stay" },
};

static const ds_field center_fields[] = { DS_F64(
	ds_lens_config, center, "px", "[0, 0]", -MAX_PLACE, MAX_PLACE, "cx, cy: pixel of the optical axis" ) };
static const ds_table center_table = DS_TABLE( "center", "", ds_lens_config, center_fields );
static const ds_choice centers[] = {
	{ DS_LENS_CENTER_MIDDLE, DS_FORM_NAME, "middle", NULL, NULL, "of the image: (width - 1) / 2, (height - 1) / 2" },
	{ DS_LENS_CENTER_GIVEN, DS_FORM_ARRAY, "pixel", NULL, &center_table, "cx, cy" },
};

static const ds_field config_fields[] = {
	DS_ENUM( ds_lens_config, model, models, "\"rectilinear\"", "how directions become pixels" ),
	{ "calibration", DS_FIELD_STRING, DS_FIELD_PATH, offsetof( ds_lens_config, calibration ), 1,
		sizeof( ( (ds_lens_config *)0 )->calibration ), "", "\"\"", 0, 0,
		"file of OpenCV or ROS that gives model, size, focal lengths, centre and distortion instead; \"\": none", NULL,
		NULL, 0, DS_ELEMENT_NONE },
	DS_I64( ds_lens_config, width, "px", "640", 1, MAX_SIZE, "of the image" ),
	DS_I64( ds_lens_config, height, "px", "480", 1, MAX_SIZE, "of the image" ),
	{ "fov", DS_FIELD_F64, DS_FIELD_ANGLE | DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( ds_lens_config, fov ), 1, 0, "rad",
		"70", 0, 360, "field of view across the width without distortion, where fx is 0; rectilinear: below 180", NULL,
		NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_lens_config, fx, "px", "0", 0, MAX_PLACE,
		"focal length across (equirectangular: px per radian); 0: by fov" ),
	DS_F64( ds_lens_config, fy, "px", "0", 0, MAX_PLACE, "focal length down; 0: as fx" ),
	{ "center", DS_FIELD_VARIANT, 0, offsetof( ds_lens_config, center_kind ), 1, 0, "", "\"middle\"", 0, 0,
		"pixel of the optical axis", NULL, centers, DS_COUNT( centers ), DS_ELEMENT_NONE },
	{ "k", DS_FIELD_F64, DS_FIELD_NUMBERED, offsetof( ds_lens_config, k ), 4, 0, "", "[0, 0, 0, 0]", -MAX_TERM,
		MAX_TERM, "distortion: k1 k2 k3 and 0 (rectilinear), k1 to k4 (fisheye)", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_lens_config, p, "", "[0, 0]", -MAX_TERM, MAX_TERM, "tangential distortion p1 p2 (rectilinear)" ),
	DS_F64( ds_lens_config, vignetting, "", "0", 0, 100,
		"n: light falls as cos^n of the angle from the axis; 4: natural, of a thin lens" ),
};

// Distortion that the model does not have would be ignored.
static ds_status check_terms( int32_t model, const double *k, const double *p )
{
	int count = model == DS_LENS_RECTILINEAR ? 3 : model == DS_LENS_FISHEYE ? 4 : 0;
	for ( int i = count; i < 4; ++i )
	{
		if ( k[i] != 0 )
		{
			return ds_error( DS_ERROR_RANGE, "k: a lens of model %s has %d radial terms, got k[%d] = %g",
				models[model].name, count, i, k[i] );
		}
	}
	if ( model != DS_LENS_RECTILINEAR && ( p[0] != 0 || p[1] != 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "p: a lens of model %s has no tangential terms, got %g and %g",
			models[model].name, p[0], p[1] );
	}
	return DS_OK;
}

static ds_status check_config( const void *value )
{
	const ds_lens_config *config = value;
	if ( config->calibration[0] )
	{
		return DS_OK;
	}
	double degrees = config->fov * 180 / DS_PI;
	if ( config->fx == 0 && config->model == DS_LENS_RECTILINEAR && !( degrees < 179.999 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"fov: a rectilinear lens sees less than 180 degrees, got %g (a fisheye or a stereographic lens sees more)",
			degrees );
	}
	if ( config->fx == 0 && config->model == DS_LENS_STEREOGRAPHIC && !( degrees < 359.999 ) )
	{
		return ds_error( DS_ERROR_RANGE, "fov: a stereographic lens sees less than 360 degrees, got %g", degrees );
	}
	return check_terms( config->model, config->k, config->p );
}

const ds_table ds_lens_options = { "lens_config", "A lens: directions to pixels, and back", sizeof( ds_lens_config ),
	config_fields, DS_COUNT( config_fields ), check_config, NULL, 0 };

const ds_table *ds_lens_config_table( void )
{
	return &ds_lens_options;
}

ds_lens_config ds_lens_config_default( void )
{
	ds_lens_config config;
	ds_table_defaults( &ds_lens_options, &config );
	return config;
}

// ---- making ------------------------------------------------------------------------------------------------------------

// The image of half of a field of view, in focal lengths.
static double half_image( int32_t model, double fov )
{
	switch ( model )
	{
		case DS_LENS_RECTILINEAR:
			return tan( 0.5 * fov );
		case DS_LENS_STEREOGRAPHIC:
			return 2 * tan( 0.25 * fov );
		default:
			return 0.5 * fov;
	}
}

static ds_status check_number( const char *where, const char *name, double value, double least, double most )
{
	if ( value >= least && value <= most )
	{
		return DS_OK;
	}
	return ds_error( DS_ERROR_RANGE, "%s: %s: expected a number in [%g, %g], got %g", where, name, least, most, value );
}

ds_status ds_lens_finish( ds_lens *lens, const char *where )
{
	static const char *const terms[] = { "k1", "k2", "k3", "k4" };
	DS_TRY( check_number( where, "image width", (double)lens->width, 1, MAX_SIZE ) );
	DS_TRY( check_number( where, "image height", (double)lens->height, 1, MAX_SIZE ) );
	DS_TRY( check_number( where, "fx", lens->fx, 1e-3, MAX_PLACE ) );
	DS_TRY( check_number( where, "fy", lens->fy, 1e-3, MAX_PLACE ) );
	DS_TRY( check_number( where, "cx", lens->cx, -MAX_PLACE, MAX_PLACE ) );
	DS_TRY( check_number( where, "cy", lens->cy, -MAX_PLACE, MAX_PLACE ) );
	for ( int i = 0; i < 4; ++i )
	{
		DS_TRY( check_number( where, terms[i], lens->k[i], -MAX_TERM, MAX_TERM ) );
	}
	DS_TRY( check_number( where, "p1", lens->p[0], -MAX_TERM, MAX_TERM ) );
	DS_TRY( check_number( where, "p2", lens->p[1], -MAX_TERM, MAX_TERM ) );
	ds_lens_find_limits( lens );
	return DS_OK;
}

ds_status ds_lens_make( const ds_lens_config *config, ds_lens *lens )
{
	if ( config == NULL || lens == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_lens_make: config and lens must not be NULL" );
	}
	memset( lens, 0, sizeof( *lens ) );
	DS_TRY( ds_table_check_value( &ds_lens_options, config ) );
	ds_lens made;
	memset( &made, 0, sizeof( made ) );
	if ( config->calibration[0] )
	{
		DS_TRY( ds_calibration_read( config->calibration, &made ) );
		made.width = made.width ? made.width : config->width;
		made.height = made.height ? made.height : config->height;
	}
	else
	{
		bool middle = config->center_kind == DS_LENS_CENTER_MIDDLE;
		made.model = config->model;
		made.width = config->width;
		made.height = config->height;
		made.fx = config->fx > 0 ? config->fx : 0.5 * (double)config->width / half_image( made.model, config->fov );
		made.fy = config->fy > 0 ? config->fy : made.fx;
		made.cx = middle ? 0.5 * ( (double)config->width - 1 ) : config->center[0];
		made.cy = middle ? 0.5 * ( (double)config->height - 1 ) : config->center[1];
		memcpy( made.k, config->k, sizeof( made.k ) );
		memcpy( made.p, config->p, sizeof( made.p ) );
	}
	made.vignetting = config->vignetting;
	DS_TRY( ds_lens_finish( &made, config->calibration[0] ? config->calibration : "lens" ) );
	*lens = made;
	return DS_OK;
}

ds_status ds_lens_load( const char *path, ds_lens *lens )
{
	if ( path == NULL || lens == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_lens_load: path and lens must not be NULL" );
	}
	memset( lens, 0, sizeof( *lens ) );
	ds_lens read;
	memset( &read, 0, sizeof( read ) );
	DS_TRY( ds_calibration_read( path, &read ) );
	if ( read.width == 0 || read.height == 0 )
	{
		return ds_error(
			DS_ERROR_FORMAT, "%s: the calibration lacks the size of the image: image_width, image_height", path );
	}
	DS_TRY( ds_lens_finish( &read, path ) );
	*lens = read;
	return DS_OK;
}

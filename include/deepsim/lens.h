// libdeepsim: lenses. A lens maps directions to pixels and back, as OpenCV's camera models do.
//
// Optical axes: x right, y down, z ahead, from the centre of projection. Pixels: (0, 0) is the centre of the top left pixel, u to
// the right, v down (OpenCV's convention), so that an image covers [-0.5, width - 0.5] x [-0.5, height - 0.5].

#ifndef DEEPSIM_LENS_H
#define DEEPSIM_LENS_H

#include "deepsim/field.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_lens_model
{
	DS_LENS_RECTILINEAR, // pinhole with k1 k2 p1 p2 k3: source paper (30, 31), OpenCV "plumb_bob"
	DS_LENS_FISHEYE, // Kannala and Brandt 2006: theta (1 + k1 theta^2 + ... + k4 theta^8); OpenCV "fisheye", ROS "equidistant"
	DS_LENS_EQUIRECTANGULAR, // u by azimuth, v by elevation: a panorama of up to 360 x 180 degrees
	DS_LENS_STEREOGRAPHIC, // r = 2 f tan( theta / 2 )
	DS_LENS_MODEL_COUNT
} ds_lens_model;

typedef enum ds_lens_center
{
	DS_LENS_CENTER_MIDDLE, // of the image: ( width - 1 ) / 2, ( height - 1 ) / 2
	DS_LENS_CENTER_GIVEN
} ds_lens_center;

// "lens" of a camera. Start from ds_lens_config_default(): rectilinear, 640 x 480, 70 degrees across.
typedef struct ds_lens_config
{
	int32_t model; // ds_lens_model
	// a file of OpenCV or ROS, which gives the model and all below but vignetting, and fov has no say; where the file tells no size,
	// width and height hold; "": none
	char calibration[1024];
	int64_t width, height; // [px]
	double fov; // across the width, without distortion [rad]; used where fx is 0
	double fx, fy; // focal lengths [px]; 0: by the field of view; fy 0: as fx
	int32_t center_kind; // ds_lens_center
	double center[2]; // cx, cy [px], where it is DS_LENS_CENTER_GIVEN
	double k[4]; // rectilinear: k1, k2, k3 (OpenCV's order in a vector is k1 k2 p1 p2 k3); fisheye: k1 to k4
	double p[2]; // rectilinear: p1, p2
	double vignetting; // exponent n of cos^n( angle from the axis ): 4 is the natural one of a thin lens; 0: none
} ds_lens_config;

// A lens, ready for use: plain data. Made by ds_lens_make or ds_lens_load.
typedef struct ds_lens
{
	int32_t model;
	int64_t width, height;
	double fx, fy, cx, cy;
	double k[4], p[2];
	double vignetting;
	double limit; // angle from the axis up to which the map is one-to-one (fisheye, rectilinear's radial part) [rad]
	double radius; // the same, of the image of that angle, in focal lengths; INFINITY: no limit
	// Rectilinear: tan( angle ) up to which the map is one-to-one in all directions from the axis, and up to which it is in any. They
	// differ by the tangential part.
	double sure, bound;
} ds_lens;

DS_API const ds_table *ds_lens_config_table( void );
DS_API ds_lens_config ds_lens_config_default( void );

// Checks a config, and works out what the maps need; reads its calibration file. Errors: RANGE, IO, FORMAT.
DS_API ds_status ds_lens_make( const ds_lens_config *config, ds_lens *lens );

// The pixel of a direction (any length but 0), which may lie outside the image. DS_ERROR_RANGE where the lens has none: behind a
// rectilinear one, or beyond the angle up to which the map is one-to-one.
DS_API ds_status ds_lens_project( const ds_lens *lens, ds_vec3 direction, double pixel[2] );

// The direction of a pixel, unit, by the inverse of the map (to 1e-12 of a focal length). DS_ERROR_RANGE where there is none.
DS_API ds_status ds_lens_ray( const ds_lens *lens, double u, double v, ds_vec3 *direction );

// Share of the light on the axis that reaches the image at a direction: vignetting.
DS_API double ds_lens_light( const ds_lens *lens, ds_vec3 direction );

// The derivative of the pixel by the (not normalised) direction, 2 x 3, row major [px]; DS_ERROR_RANGE as ds_lens_project.
DS_API ds_status ds_lens_jacobian( const ds_lens *lens, ds_vec3 direction, double jacobian[6] );

typedef enum ds_lens_format
{
	DS_LENS_OPENCV_YAML, // FileStorage: image_width, image_height, camera_matrix, distortion_coefficients
	DS_LENS_OPENCV_XML,
	DS_LENS_ROS_YAML, // CameraInfo, as camera_calibration_parsers writes it
	DS_LENS_FORMAT_COUNT
} ds_lens_format;

// Reads a calibration of any of these formats, known by its content. Errors (IO, FORMAT, RANGE, UNSUPPORTED: a distortion that is not
// one of ours) name file, line and member.
DS_API ds_status ds_lens_load( const char *path, ds_lens *lens );

// Writes one. `name`: of the camera, for ROS; may be NULL.
DS_API ds_status ds_lens_save( const ds_lens *lens, const char *name, ds_lens_format format, const char *path );

#ifdef __cplusplus
}
#endif

#endif

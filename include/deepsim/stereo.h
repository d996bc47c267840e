// libdeepsim: two cameras as a stereo pair: their geometry and rectification, as OpenCV's stereoCalibrate and stereoRectify tell them.
//
// Optical axes and pixels as in lens.h. Mounts as of the sensor "camera": it looks along x, y is to the right, z down. Cameras are numbered
// 0, the left one or the first, and 1. Matrices are row by row.

#ifndef DEEPSIM_STEREO_H
#define DEEPSIM_STEREO_H

#include "deepsim/lens.h"

#ifdef __cplusplus
extern "C"
{
#endif

// Made by ds_stereo_make.
typedef struct ds_stereo
{
	ds_lens lens[2];
	// X_1 = rotation X_0 + translation, of a point in the optical axes of the cameras [m]: OpenCV's R and T. A camera 1 that is to the right
	// has translation.x < 0.
	ds_mat3 rotation;
	ds_vec3 translation;
	double baseline; // between the centres of projection [m]
	double vergence; // angle between the optical axes [rad]
	// E = [T]x R: x_1^T E x_0 = 0 for points x = (X/Z, Y/Z, 1); F = K_1^-T E K_0^-1: the same for pixels without distortion, divided by its
	// last member as OpenCV does, unless that is 0 up to rounding.
	ds_mat3 essential, fundamental;
} ds_stereo;

// What turns both images into ones whose rows are the same (columns, where one camera is above the other).
typedef struct ds_rectification
{
	bool vertical; // one camera is above the other: disparities are along v
	ds_mat3 rotation[2]; // R1, R2: from optical axes to those of the rectified cameras, which are parallel
	double
		projection[2][3]
				  [4]; // P1, P2: a point in the axes of rectified camera 0, (X, Y, Z, 1) [m], to pixels of either one
	double q[4][4]; // (u, v, disparity, 1) of rectified image 0 to the point, homogeneous
	double focal, center[2]; // of both images [px]
	// Along the rectified x (y if `vertical`) from camera 0 to camera 1 [m]. Negative: camera 1 is the left one (upper one), and disparities
	// are negative.
	double baseline;
} ds_rectification;

// `mounts`: in any frame that both share. Errors: RANGE where both centres of projection are one, NOT_FINITE, UNSUPPORTED for lenses
// that have no camera matrix (equirectangular and stereographic ones).
DS_API ds_status ds_stereo_make( const ds_lens lenses[2], const ds_pose mounts[2], ds_stereo *stereo );

// Rectification after Bouguet: either camera is turned by half of their rotation, then both together so that the baseline is a row (or a
// column). Rectilinear lenses: focal length and centre as cv2.stereoRectify chooses them for images of the same size with
// CALIB_ZERO_DISPARITY and alpha -1 (no zoom). Fisheye: as cv2.fisheye.stereoRectify does with balance 0 where fx = fy.
// Errors: UNSUPPORTED where the lenses differ in model or size; RANGE where an image's edge is not ahead of its rectified camera (the
// baseline lies along the view, or a fisheye sees too much).
DS_API ds_status ds_stereo_rectify( const ds_stereo *stereo, ds_rectification *rectification );

// u_0 - u_1 (v_0 - v_1 if vertical) of what is at Z = `distance` [m] of the rectified camera 0, and back: f B / Z. INFINITY at 0.
DS_API double ds_stereo_disparity( const ds_rectification *rectification, double distance );
DS_API double ds_stereo_distance( const ds_rectification *rectification, double disparity );

// By how much a distance changes with `disparity` pixels of error [m]: Z^2 / (f B) times it.
DS_API double ds_stereo_resolution( const ds_rectification *rectification, double distance, double disparity );

// Share of the image of camera 0 whose points at Z = `distance` [m] of its optical axes camera 1 sees too; 0 to 1, within about 0.003.
DS_API double ds_stereo_overlap( const ds_stereo *stereo, double distance );

// Writes both for OpenCV's FileStorage, YAML, with the names of its sample stereo_calib: M1 D1 M2 D2 R T E F R1 R2 P1 P2 Q, image_width,
// image_height, and fisheye_model (0 or 1). Errors: IO, UNSUPPORTED.
DS_API ds_status ds_stereo_save( const ds_stereo *stereo, const ds_rectification *rectification, const char *path );

// Writes camera 0 or 1 as ROS's CameraInfo (YAML) with its rectification; P of camera 1 holds -f B. `name` may be NULL.
DS_API ds_status ds_stereo_save_ros(
	const ds_stereo *stereo, const ds_rectification *rectification, int camera, const char *name, const char *path );

#ifdef __cplusplus
}
#endif

#endif

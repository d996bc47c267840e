// Stereo pairs as files: OpenCV's FileStorage, ROS's CameraInfo.

#include "base/base.h"
#include "deepsim/stereo.h"
#include "optics/calibration_write.h"

// Copies numbers; -0, of a product with 0, becomes 0.
static void copy( double *to, const double *from, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		to[i] = from[i] == 0 ? 0 : from[i];
	}
}

static void put( ds_text *text, const char *name, int rows, int columns, const double *numbers )
{
	ds_calibration_matrix m = { name, rows, columns, { 0 } };
	copy( m.numbers, numbers, rows * columns );
	ds_calibration_put_opencv( text, &m );
}

// With the names of OpenCV's sample stereo_calib, intrinsics.yml and extrinsics.yml.
static void put_all( ds_text *text, const ds_stereo *s, const ds_rectification *r )
{
	static const char *const cameras[2] = { "M1", "M2" }, *const distortions[2] = { "D1", "D2" };
	ds_text_format( text, "%%YAML:1.0\n---\nimage_width: %lld\nimage_height: %lld\nfisheye_model: %d\n",
		(long long)s->lens[0].width, (long long)s->lens[0].height, s->lens[0].model == DS_LENS_FISHEYE );
	for ( int i = 0; i < 2; ++i )
	{
		ds_calibration_matrix camera = ds_calibration_camera( &s->lens[i], cameras[i] );
		ds_calibration_matrix distortion = ds_calibration_distortion( &s->lens[i], distortions[i], false );
		ds_calibration_put_opencv( text, &camera );
		ds_calibration_put_opencv( text, &distortion );
	}
	put( text, "R", 3, 3, &s->rotation.m[0][0] );
	put( text, "T", 3, 1, ( const double[] ){ s->translation.x, s->translation.y, s->translation.z } );
	put( text, "E", 3, 3, &s->essential.m[0][0] );
	put( text, "F", 3, 3, &s->fundamental.m[0][0] );
	put( text, "R1", 3, 3, &r->rotation[0].m[0][0] );
	put( text, "R2", 3, 3, &r->rotation[1].m[0][0] );
	put( text, "P1", 3, 4, &r->projection[0][0][0] );
	put( text, "P2", 3, 4, &r->projection[1][0][0] );
	put( text, "Q", 4, 4, &r->q[0][0] );
}

ds_status ds_stereo_save( const ds_stereo *stereo, const ds_rectification *rectification, const char *path )
{
	if ( stereo == NULL || rectification == NULL || path == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_stereo_save: stereo, rectification and path must not be NULL" );
	}
	ds_text text;
	ds_text_init( &text, NULL );
	put_all( &text, stereo, rectification );
	return ds_calibration_write( path, &text );
}

ds_status ds_stereo_save_ros(
	const ds_stereo *stereo, const ds_rectification *rectification, int camera, const char *name, const char *path )
{
	if ( stereo == NULL || rectification == NULL || path == NULL || camera < 0 || camera > 1 )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_stereo_save_ros: stereo, rectification and path must not be NULL, camera must be 0 or 1" );
	}
	double turn[9], projection[12];
	copy( turn, &rectification->rotation[camera].m[0][0], 9 );
	copy( projection, &rectification->projection[camera][0][0], 12 );
	ds_text text;
	ds_text_init( &text, NULL );
	ds_calibration_put_info( &text, &stereo->lens[camera], name, turn, projection );
	return ds_calibration_write( path, &text );
}

// Inside the library: how calibration files are written.

#ifndef DEEPSIM_OPTICS_CALIBRATION_WRITE_H
#define DEEPSIM_OPTICS_CALIBRATION_WRITE_H

#include "base/text.h"
#include "deepsim/lens.h"

typedef struct ds_calibration_matrix
{
	const char *name;
	int rows, columns;
	double numbers[16]; // row by row
} ds_calibration_matrix;

void ds_calibration_put_opencv( ds_text *text, const ds_calibration_matrix *m );
void ds_calibration_put_ros( ds_text *text, const ds_calibration_matrix *m );

// K, and the distortion in OpenCV's order, as a column or a row.
ds_calibration_matrix ds_calibration_camera( const ds_lens *lens, const char *name );
ds_calibration_matrix ds_calibration_distortion( const ds_lens *lens, const char *name, bool column );

// CameraInfo; `rectification` is 3 x 3, `projection` 3 x 4. `name`: NULL or "": camera.
void ds_calibration_put_info(
	ds_text *text, const ds_lens *lens, const char *name, const double *rectification, const double *projection );

// Writes the text beside the file, moves it over it, and clears the text, also on errors.
ds_status ds_calibration_write( const char *path, ds_text *text );

#endif

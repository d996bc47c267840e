// Inside io: pictures: PNG (libpng) and JPEG (libjpeg) read from memory, PNG and NumPy's .npy written.

#ifndef DEEPSIM_SRC_IMAGE_H
#define DEEPSIM_SRC_IMAGE_H

#include "deepsim/base.h"

typedef struct ds_image
{
	int64_t width, height;
	int32_t channels; // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
	int32_t bits; // 8, or 16: uint16_t of this machine
	void *pixels; // row by row from the top, channels interleaved
	size_t size; // [bytes]
} ds_image;

// Reads a PNG or a JPEG, known by its first bytes; palettes and bit depths below 8 are widened. `name` is for messages. Larger ones than
// `max_pixels` are refused before anything is allocated: DS_ERROR_LIMIT. Else DS_ERROR_FORMAT, _MEMORY. Free with ds_image_free.
ds_status ds_image_decode( const char *name, const uint8_t *bytes, int64_t size, int64_t max_pixels,
	const ds_allocator *allocator, ds_image *image );
void ds_image_free( const ds_allocator *allocator, ds_image *image );

// Writes a PNG of 1 or 3 channels of 8 or 16 bits. Nothing is left behind after an error: DS_ERROR_IO names the path.
ds_status ds_image_write_png(
	const char *path, int64_t width, int64_t height, int32_t channels, int32_t bits, const void *pixels );

// Instances as a PNG: red, green, blue are the lowest three bytes of a number (COCO's panoptic format: id = R + 256 G + 65536 B).
ds_status ds_image_write_ids( const char *path, int64_t width, int64_t height, const int32_t *ids );

// Writes floats as .npy of the shape (height, width), or (height, width, channels) for more than one.
ds_status ds_image_write_npy( const char *path, int64_t width, int64_t height, int32_t channels, const float *pixels );

#endif

// Inside io: pictures: PNG (libpng) and JPEG (libjpeg) read from memory, PNG and NumPy's .npy written.

#ifndef DEEPSIM_SRC_IMAGE_H
#define DEEPSIM_SRC_IMAGE_H

#include "deepsim/base.h"

#include <stdio.h>

typedef struct ds_image
{
	int64_t width, height;
	int32_t channels; // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
	int32_t bits; // 8, or 16: uint16_t of this machine
	void *pixels; // row by row from the top, channels interleaved
	size_t size; // [bytes]
} ds_image;

// Reads a PNG or a JPEG, known by its first bytes; palettes and bit depths below 8 are widened, transparent colours become an alpha
// channel. Values are as in the file: gamma, profiles and orientation are not applied. `name` is for messages. What libpng or libjpeg
// would let pass with a warning is an error. Larger ones than `max_pixels` are refused before anything is allocated: DS_ERROR_LIMIT.
// CMYK and 12-bit JPEGs: DS_ERROR_UNSUPPORTED. Else DS_ERROR_FORMAT, _MEMORY. Free with ds_image_free.
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

// ---- shared by the files of this part ------------------------------------------------------------------------------

// What a PNG is made of. 8-bit colour is marked as sRGB.
typedef struct ds_png_source
{
	int64_t width, height;
	int32_t channels, bits; // as above; of ids 3 and 8
	const void *pixels; // uint8_t or uint16_t; NULL: `ids`
	const int32_t *ids;
} ds_png_source;

// Writes a PNG to an open file and flushes it; *fault is an errno where that is not possible.
bool ds_png_put( const ds_png_source *source, FILE *file, int *fault );

ds_status ds_png_decode( const char *name, const uint8_t *bytes, int64_t size, int64_t max_pixels,
	const ds_allocator *allocator, ds_image *image );
ds_status ds_jpeg_decode( const char *name, const uint8_t *bytes, int64_t size, int64_t max_pixels,
	const ds_allocator *allocator, ds_image *image );

// Room for the pixels of an image whose size is known; DS_ERROR_LIMIT beyond max_pixels.
ds_status ds_image_allocate(
	const char *name, const char *format, int64_t max_pixels, const ds_allocator *allocator, ds_image *image );

#endif

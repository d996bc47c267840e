// Inside the library: textures: linear colours, each level half as wide as the one before, sampled between texels and levels.

#ifndef DEEPSIM_OPTICS_VISUAL_TEXTURE_H
#define DEEPSIM_OPTICS_VISUAL_TEXTURE_H

#include "base/base.h"

#define DS_TEXTURE_LEVELS 32

typedef enum ds_texture_wrap
{
	DS_WRAP_REPEAT,
	DS_WRAP_CLAMP,
	DS_WRAP_MIRROR
} ds_texture_wrap;

typedef struct ds_texture
{
	int32_t width, height, levels;
	int64_t starts[DS_TEXTURE_LEVELS]; // of each level in `texels`
	uint16_t ( *texels )[4]; // linear red, green, blue: 65535 is 1; the fourth is not used
	int64_t count;
} ds_texture;

// Makes a texture of rows of 8- or 16-bit pixels of 1 to 4 channels from the top (grey, grey and alpha, RGB, RGBA); sRGB is decoded
// where `srgb` says so. Alpha is dropped.
ds_status ds_texture_make( const ds_allocator *allocator, int64_t width, int64_t height, int32_t channels, int32_t bits,
	const void *pixels, bool srgb, ds_texture *texture );
void ds_texture_free( const ds_allocator *allocator, ds_texture *texture );

// The colour at (u, v), v down from the top as in glTF, each in [0, 1] over the picture; `texels2` is the area in texels of the
// finest level that is to be averaged over.
void ds_texture_sample(
	const ds_texture *texture, const uint8_t wrap[2], float u, float v, float texels2, float color[3] );

// The linear value of an sRGB one, both in [0, 1] (IEC 61966-2-1).
double ds_srgb_decode( double value );

#endif

// Textures: decoding to linear 16-bit colours, levels, sampling.

#include "optics/visual_texture.h"

#include <math.h>
#include <string.h>

double ds_srgb_decode( double value )
{
	return value <= 0.04045 ? value / 12.92 : pow( ( value + 0.055 ) / 1.055, 2.4 );
}

// ---- levels --------------------------------------------------------------------------------------------------------

static uint16_t decode16( double value, bool srgb )
{
	return (uint16_t)( 65535 * ( srgb ? ds_srgb_decode( value ) : value ) + 0.5 );
}

static void decode( ds_texture *t, int32_t channels, int32_t bits, const void *pixels, bool srgb )
{
	uint16_t table[256];
	for ( int i = 0; i < 256; ++i )
	{
		table[i] = decode16( i / 255.0, srgb );
	}
	const uint8_t *narrow = pixels;
	const uint16_t *wide = pixels;
	int64_t count = (int64_t)t->width * t->height;
	for ( int64_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int64_t at = i * channels + ( channels >= 3 ? k : 0 );
			t->texels[i][k] = bits == 8 ? table[narrow[at]] : srgb ? decode16( wide[at] / 65535.0, true ) : wide[at];
		}
	}
}

// The texels of `size` that lie under texel `i` of `half` = max( 1, size / 2 ), and their shares: two, or three if `size` is odd.
static int shares( int32_t size, int32_t half, int32_t i, int32_t *first, double weights[3] )
{
	*first = size > 1 ? 2 * i : 0;
	if ( size % 2 == 0 )
	{
		weights[0] = weights[1] = 0.5;
		return 2;
	}
	if ( size == 1 )
	{
		weights[0] = 1;
		return 1;
	}
	weights[0] = (double)( half - i ) / size;
	weights[1] = (double)half / size;
	weights[2] = (double)( i + 1 ) / size;
	return 3;
}

static void halve( ds_texture *t, int32_t level, int32_t width, int32_t height )
{
	int32_t half_width = width > 1 ? width / 2 : 1, half_height = height > 1 ? height / 2 : 1;
	const uint16_t( *from )[4] = ( const uint16_t( * )[4] )( t->texels + t->starts[level - 1] );
	uint16_t( *to )[4] = t->texels + t->starts[level];
	for ( int32_t y = 0; y < half_height; ++y )
	{
		int32_t y0, x0;
		double wy[3], wx[3];
		int rows = shares( height, half_height, y, &y0, wy );
		for ( int32_t x = 0; x < half_width; ++x )
		{
			int columns = shares( width, half_width, x, &x0, wx );
			double sum[3] = { 0, 0, 0 };
			for ( int j = 0; j < rows; ++j )
			{
				for ( int i = 0; i < columns; ++i )
				{
					const uint16_t *texel = from[(int64_t)( y0 + j ) * width + x0 + i];
					double w = wy[j] * wx[i];
					sum[0] += w * texel[0];
					sum[1] += w * texel[1];
					sum[2] += w * texel[2];
				}
			}
			for ( int k = 0; k < 3; ++k )
			{
				to[(int64_t)y * half_width + x][k] = (uint16_t)( sum[k] + 0.5 );
			}
		}
	}
}

ds_status ds_texture_make( const ds_allocator *allocator, int64_t width, int64_t height, int32_t channels, int32_t bits,
	const void *pixels, bool srgb, ds_texture *texture )
{
	memset( texture, 0, sizeof( *texture ) );
	if ( width < 1 || height < 1 || width > INT32_MAX / 2 || height > INT32_MAX / 2 )
	{
		return ds_error(
			DS_ERROR_LIMIT, "a texture of %lld x %lld pixels is not possible", (long long)width, (long long)height );
	}
	ds_texture t = *texture;
	t.width = (int32_t)width;
	t.height = (int32_t)height;
	for ( int64_t w = width, h = height;; w = w > 1 ? w / 2 : 1, h = h > 1 ? h / 2 : 1 )
	{
		t.starts[t.levels++] = t.count;
		t.count += w * h;
		if ( w == 1 && h == 1 )
		{
			break;
		}
	}
	DS_TRY( DS_NEW( allocator, t.count, &t.texels ) );
	decode( &t, channels, bits, pixels, srgb );
	int32_t w = t.width, h = t.height;
	for ( int32_t level = 1; level < t.levels; ++level )
	{
		halve( &t, level, w, h );
		w = w > 1 ? w / 2 : 1;
		h = h > 1 ? h / 2 : 1;
	}
	*texture = t;
	return DS_OK;
}

void ds_texture_free( const ds_allocator *allocator, ds_texture *texture )
{
	DS_FREE( allocator, texture->texels, texture->count );
	texture->texels = NULL;
}

// ---- sampling ------------------------------------------------------------------------------------------------------

// A texel's number where texel `i`, which may lie beside the picture, is to be had.
static int32_t wrapped( int32_t i, int32_t size, uint8_t wrap )
{
	if ( wrap == DS_WRAP_CLAMP )
	{
		return i < 0 ? 0 : i >= size ? size - 1 : i;
	}
	int32_t period = wrap == DS_WRAP_MIRROR ? 2 * size : size;
	i %= period;
	i += i < 0 ? period : 0;
	return i < size ? i : 2 * size - 1 - i;
}

// Brings a coordinate near the picture, so that it keeps its digits and fits an integer.
static float reduced( float u, uint8_t wrap )
{
	if ( !( fabsf( u ) < 1e6f ) )
	{
		return 0;
	}
	return wrap == DS_WRAP_CLAMP    ? ( u < -1    ? -1
										  : u > 2 ? 2
												  : u )
		   : wrap == DS_WRAP_MIRROR ? u - 2 * floorf( 0.5f * u )
									: u - floorf( u );
}

static void sample_level( const ds_texture *t, int32_t level, const uint8_t wrap[2], float u, float v, float color[3] )
{
	int32_t width = t->width >> level, height = t->height >> level;
	width = width > 0 ? width : 1;
	height = height > 0 ? height : 1;
	const uint16_t( *texels )[4] = ( const uint16_t( * )[4] )( t->texels + t->starts[level] );
	float x = u * (float)width - 0.5f, y = v * (float)height - 0.5f;
	float fx = floorf( x ), fy = floorf( y ), ax = x - fx, ay = y - fy;
	int32_t x0 = wrapped( (int32_t)fx, width, wrap[0] ), x1 = wrapped( (int32_t)fx + 1, width, wrap[0] );
	int64_t y0 = wrapped( (int32_t)fy, height, wrap[1] ), y1 = wrapped( (int32_t)fy + 1, height, wrap[1] );
	const uint16_t *p00 = texels[y0 * width + x0], *p01 = texels[y0 * width + x1];
	const uint16_t *p10 = texels[y1 * width + x0], *p11 = texels[y1 * width + x1];
	for ( int k = 0; k < 3; ++k )
	{
		float top = (float)p00[k] + ax * ( (float)p01[k] - (float)p00[k] );
		float bottom = (float)p10[k] + ax * ( (float)p11[k] - (float)p10[k] );
		color[k] = ( top + ay * ( bottom - top ) ) * ( 1 / 65535.0f );
	}
}

// The base-2 logarithm of a number of at least 1, to 0.01: exponent and a parabola through the ends of the octave.
static float log2_of( float x )
{
	uint32_t bits;
	memcpy( &bits, &x, 4 );
	float exponent = (float)( (int32_t)( bits >> 23 ) - 127 );
	bits = ( bits & 0x007FFFFFu ) | 0x3F800000u;
	float m;
	memcpy( &m, &bits, 4 );
	m -= 1;
	return exponent + m * ( 1.3465554f - 0.3465554f * m );
}

void ds_texture_sample(
	const ds_texture *texture, const uint8_t wrap[2], float u, float v, float texels2, float color[3] )
{
	u = reduced( u, wrap[0] );
	v = reduced( v, wrap[1] );
	float level = texels2 > 1 ? 0.5f * log2_of( texels2 ) : 0, last = (float)( texture->levels - 1 );
	level = level < last ? level : last;
	int32_t below = (int32_t)level;
	sample_level( texture, below, wrap, u, v, color );
	float share = level - (float)below;
	if ( share > 0 && below + 1 < texture->levels )
	{
		float coarse[3];
		sample_level( texture, below + 1, wrap, u, v, coarse );
		for ( int k = 0; k < 3; ++k )
		{
			color[k] += share * ( coarse[k] - color[k] );
		}
	}
}

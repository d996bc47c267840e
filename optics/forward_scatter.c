// Small-angle scattering over an image: each pixel's light goes, by shares that depend on its range, into the blurs of a pyramid
// (forward_table.c). A level takes its share of what comes down to it and leaves the rest to the next, so that no light is made or lost;
// levels below the first know the mean range of their light only.

#include "optics/forward_scatter.h"

#include <math.h>

#define WIDTH                           4
#define SQRT( x )                       square_root( x )
#define MINIMUM( a, b )                 choose( ( a ) < ( b ), a, b )
#define MAXIMUM( a, b )                 choose( ( a ) > ( b ), a, b )
#define GATHER_PAIRS( table, at, a, b ) gather_pairs( table, at, a, b )

#include "optics/radiance_four.h"
#include "optics/radiance_lanes.h"

// A plane of a level, row by row; `stride` floats a row, a multiple of WIDTH.
typedef struct level
{
	int64_t width, height, stride;
	float *light, *moment; // what is left to spread; the same times its range
	float *sum; // what is spread here and below
} level;

static int64_t stride_of( int64_t width )
{
	return ( width + WIDTH - 1 ) / WIDTH * WIDTH;
}

int64_t ds_forward_scratch( int32_t width, int32_t height )
{
	int64_t total = 0, w = width, h = height;
	for ( int i = 0; i < DS_FORWARD_LEVELS; ++i )
	{
		total += 3 * stride_of( w ) * h;
		w = ( w + 1 ) / 2;
		h = ( h + 1 ) / 2;
	}
	return total + 8 * stride_of( width + 8 ); // rows
}

// ---- down and up ---------------------------------------------------------------------------------------------------

static inline const float *row_of( const float *plane, const level *l, int64_t row )
{
	return plane + l->stride * ( row < 0 ? 0 : row >= l->height ? l->height - 1 : row );
}

// Half as large, by [1 3 3 1] / 8 along both axes; beyond its edges the image goes on as it ends. `row`: 4 floats more than a stride.
static void shrink( const level *from, const float *in, const level *to, float *out, float *row )
{
	float *middle = row + 2;
	for ( int64_t y = 0; y < to->height; ++y )
	{
		const float *a = row_of( in, from, 2 * y - 1 ), *b = row_of( in, from, 2 * y );
		const float *c = row_of( in, from, 2 * y + 1 ), *d = row_of( in, from, 2 * y + 2 );
		for ( int64_t x = 0; x < from->width; ++x )
		{
			middle[x] = ( a[x] + d[x] ) * 0.015625f + ( b[x] + c[x] ) * 0.046875f;
		}
		middle[-1] = middle[0];
		middle[from->width] = middle[from->width + 1] = middle[from->width - 1];
		float *o = out + to->stride * y;
		for ( int64_t x = 0; x < to->width; ++x )
		{
			const float *m = middle + 2 * x;
			o[x] = ( m[-1] + m[2] ) + 3 * ( m[0] + m[1] );
		}
	}
}

// Twice as large, by the same kernel, added to `out`.
static void add_grown( const level *from, const float *in, const level *to, float *out, int64_t stride, float *row )
{
	float *middle = row + 2;
	for ( int64_t y = 0; y < to->height; ++y )
	{
		const float *near = row_of( in, from, y / 2 ), *next = row_of( in, from, y / 2 + ( y % 2 ? 1 : -1 ) );
		for ( int64_t x = 0; x < from->width; ++x )
		{
			middle[x] = near[x] * 0.1875f + next[x] * 0.0625f;
		}
		middle[-1] = middle[0];
		middle[from->width] = middle[from->width - 1];
		float *o = out + stride * y;
		int64_t pairs = to->width / 2;
		for ( int64_t x = 0; x < pairs; ++x )
		{
			float m = 3 * middle[x];
			o[2 * x] += m + middle[x - 1];
			o[2 * x + 1] += m + middle[x + 1];
		}
		if ( to->width % 2 )
		{
			o[to->width - 1] += 3 * middle[pairs] + middle[pairs - 1];
		}
	}
}

// ---- light ---------------------------------------------------------------------------------------------------------

// Takes a level's share out of its light.
static void take( const ds_forward_table *table, int index, const level *l )
{
	const float *share = table->take[index];
	const float scale = DS_FORWARD_RANGES / sqrtf( table->range );
	for ( int64_t i = 0; i < l->stride * l->height; i += WIDTH )
	{
		vec light = load( l->light + i ), moment = load( l->moment + i );
		vec range = moment / MAXIMUM( light, splat( 1e-30f ) );
		vec part = look_up( share, DS_FORWARD_RANGES, SQRT( MAXIMUM( range, splat( 0 ) ) ) * scale );
		vec taken = light * part;
		store( l->sum + i, taken );
		store( l->light + i, light - taken );
		store( l->moment + i, moment - moment * part );
	}
}

// The first level: what comes without being scattered goes to `sum`, with the share of the first level.
static void dim( const ds_forward_table *table, float b, float c, const float *surface, const float *range,
	int64_t width, const level *l )
{
	const float kept = c - (float)table->forward * b, scale = DS_FORWARD_RANGES / sqrtf( table->range );
	for ( int64_t y = 0; y < l->height; ++y )
	{
		for ( int64_t x = 0; x < l->stride; x += WIDTH )
		{
			float in[WIDTH] = { 0 }, way[WIDTH] = { 0 };
			int64_t n = width - x < WIDTH ? width - x : WIDTH, at = width * y + x;
			memcpy( in, surface + at, (size_t)n * sizeof( float ) );
			memcpy( way, range + at, (size_t)n * sizeof( float ) );
			vec r = load( way ), s = zero_unless( ( r >= 0 ) & ( r < 1e6f ), load( in ) );
			r = clamp( r, 0, 1e6f );
			vec straight = s * fade2( r * ( -1.44269504f * c ) ),
				bent = MAXIMUM( s * fade2( r * ( -1.44269504f * kept ) ) - straight, splat( 0 ) );
			vec part = bent * look_up( table->take[0], DS_FORWARD_RANGES, SQRT( r ) * scale );
			int64_t to = l->stride * y + x;
			bent = bent - part;
			store( l->sum + to, straight + part );
			store( l->light + to, bent );
			store( l->moment + to, bent * r );
		}
	}
}

void ds_forward_scatter( float a, float b, float c, const ds_phase_config *phase, int32_t width, int32_t height,
	double focal, const float *surface, const float *range, float *out, float *scratch )
{
	(void)a; // c - b
	level pyramid[DS_FORWARD_LEVELS];
	ds_forward_table table;
	int levels = ds_forward_levels( width, height );
	ds_forward_table_make( b, c, phase, levels, focal, &table );
	int64_t w = width, h = height;
	for ( int i = 0; i < levels; ++i )
	{
		int64_t stride = stride_of( w ), size = stride * h;
		pyramid[i] = ( level ){ w, h, stride, scratch, scratch + size, scratch + 2 * size };
		scratch += 3 * size;
		w = ( w + 1 ) / 2;
		h = ( h + 1 ) / 2;
	}
	float *row = scratch;

	dim( &table, b, c, surface, range, width, pyramid );
	for ( int i = 1; i < levels; ++i )
	{
		const level *from = pyramid + i - 1, *to = pyramid + i;
		shrink( from, from->light, to, to->light, row );
		shrink( from, from->moment, to, to->moment, row );
		take( &table, i, to );
	}
	for ( int i = levels - 1; i > 0; --i )
	{
		add_grown( pyramid + i, pyramid[i].sum, pyramid + i - 1, pyramid[i - 1].sum, pyramid[i - 1].stride, row );
	}
	for ( int64_t y = 0; y < height; ++y )
	{
		memcpy( out + width * y, pyramid->sum + pyramid->stride * y, (size_t)width * sizeof( float ) );
	}
}

// Shaded relief: depths on pixels, colours by depth, light from one side, contour lines.

#include "cli/terrain.h"

#include "terrain/terrain.h"

#include <math.h>
#include <stdlib.h>

// ---- depths on pixels ----------------------------------------------------------------------------------------------

// Many samples a pixel: their mean.
static bool average_grid( const ds_terrain_view *v, relief *r )
{
	size_t count = (size_t)r->width * (size_t)r->height;
	double *sum = calloc( count, sizeof( *sum ) );
	int32_t *weight = calloc( count, sizeof( *weight ) );
	for ( int64_t i = 0; sum && weight && i < v->rows; ++i )
	{
		int64_t y = r->height - 1 - i * r->height / v->rows;
		for ( int64_t k = 0; k < v->columns; ++k )
		{
			float z = v->z[i * v->columns + k];
			size_t at = (size_t)( y * r->width + k * r->width / v->columns );
			sum[at] += isnan( z ) ? 0 : (double)z;
			weight[at] += !isnan( z );
		}
	}
	for ( size_t i = 0; sum && weight && i < count; ++i )
	{
		r->z[i] = weight[i] ? (float)( v->base + sum[i] / weight[i] ) : NAN;
	}
	bool done = sum && weight;
	free( sum );
	free( weight );
	return done;
}

// Weights of four samples by Catmull and Rom's cubic at t of [0, 1] between the middle two.
static void cubic( double t, double *w )
{
	w[0] = 0.5 * t * ( -1 + t * ( 2 - t ) );
	w[1] = 1 + 0.5 * t * t * ( -5 + 3 * t );
	w[2] = 0.5 * t * ( 1 + t * ( 4 - 3 * t ) );
	w[3] = 0.5 * t * t * ( t - 1 );
}

static int64_t clamp( int64_t i, int64_t count )
{
	return i < 0 ? 0 : i < count ? i : count - 1;
}

// Four samples from `first` on, which may lie one beyond the border: there the line through the last two goes on, so that a plane stays one.
static void extend( double *four, int64_t first, int64_t count )
{
	if ( first < 0 )
	{
		four[0] = 2 * four[1] - four[2];
	}
	if ( first + 4 > count )
	{
		four[3] = 2 * four[2] - four[1];
	}
}

// Few pixels a sample, or less: a smooth surface through the samples. Beside a hole: the ground as it is.
static double smooth_grid( const ds_terrain *terrain, const ds_terrain_view *v, double north, double east )
{
	double y = ( north - v->north ) / v->spacing_north, x = ( east - v->east ) / v->spacing_east;
	int64_t i = clamp( (int64_t)floor( y ), v->rows - 1 ), k = clamp( (int64_t)floor( x ), v->columns - 1 );
	double wy[4], wx[4], across[4], z = 0;
	cubic( y - (double)i, wy );
	cubic( x - (double)k, wx );
	for ( int a = 0; a < 4; ++a )
	{
		const float *row = v->z + clamp( i + a - 1, v->rows ) * v->columns;
		double four[4];
		for ( int b = 0; b < 4; ++b )
		{
			four[b] = (double)row[clamp( k + b - 1, v->columns )];
		}
		extend( four, k - 1, v->columns );
		across[a] = wx[0] * four[0] + wx[1] * four[1] + wx[2] * four[2] + wx[3] * four[3];
	}
	extend( across, i - 1, v->rows );
	for ( int a = 0; a < 4; ++a )
	{
		z += wy[a] * across[a];
	}
	ds_terrain_point point;
	return !isnan( z ) ? v->base + z : ds_terrain_at( terrain, north, east, &point ) ? point.z : (double)NAN;
}

static void sample_points( const ds_terrain *terrain, const ds_terrain_properties *p, relief *r )
{
	const ds_terrain_view *v = ds_terrain_see( terrain );
	for ( int y = 0; y < r->height; ++y )
	{
		double north = p->north - ( p->north - p->south ) * ( y + 0.5 ) / r->height;
		for ( int x = 0; x < r->width; ++x )
		{
			double east = p->west + ( p->east - p->west ) * ( x + 0.5 ) / r->width;
			ds_terrain_point point;
			double z = v->kind == DS_GROUND_GRID                       ? smooth_grid( terrain, v, north, east )
					   : ds_terrain_at( terrain, north, east, &point ) ? point.z
																	   : (double)NAN;
			r->z[(size_t)y * (size_t)r->width + (size_t)x] = (float)z;
		}
	}
}

bool relief_sample( const ds_terrain *terrain, int width, int height, relief *r )
{
	ds_terrain_properties p = ds_terrain_measure( terrain );
	const ds_terrain_view *v = ds_terrain_see( terrain );
	*r = ( relief ){ .width = width, .height = height, .top = p.top, .bottom = p.bottom };
	r->pixel = ( p.east - p.west ) / width;
	r->z = malloc( (size_t)width * (size_t)height * sizeof( *r->z ) );
	if ( r->z == NULL )
	{
		return false;
	}
	if ( v->kind == DS_GROUND_GRID && v->rows > 2 * (int64_t)height && v->columns > 2 * (int64_t)width )
	{
		return average_grid( v, r );
	}
	sample_points( terrain, &p, r );
	return true;
}

void relief_free( relief *r )
{
	free( r->z );
	r->z = NULL;
}

// ---- slopes --------------------------------------------------------------------------------------------------------

static double depth_at( const relief *r, int x, int y )
{
	bool inside = x >= 0 && y >= 0 && x < r->width && y < r->height;
	return inside ? (double)r->z[(size_t)y * (size_t)r->width + (size_t)x] : (double)NAN;
}

// Difference over a pixel from what there is of both neighbours.
static double difference( double before, double z, double after )
{
	return !isnan( before ) && !isnan( after ) ? 0.5 * ( after - before )
		   : !isnan( after )                   ? after - z
		   : !isnan( before )                  ? z - before
											   : 0;
}

// Change of depth a pixel, to the east and to the north.
static void slope_at( const relief *r, int x, int y, double *east, double *north )
{
	double z = depth_at( r, x, y );
	*east = difference( depth_at( r, x - 1, y ), z, depth_at( r, x + 1, y ) );
	*north = difference( depth_at( r, x, y + 1 ), z, depth_at( r, x, y - 1 ) );
}

double relief_round( double most )
{
	if ( !( most > 1e-300 ) )
	{
		return 1e-300;
	}
	double power = pow( 10, floor( log10( most ) ) ), digit = most / power * ( 1 + 1e-12 );
	return power * ( digit >= 10 ? 10 : digit >= 5 ? 5 : digit >= 2 ? 2 : 1 );
}

double relief_exaggeration( const relief *r )
{
	double sum = 0;
	int64_t count = 0;
	for ( int y = 0; y < r->height; ++y )
	{
		for ( int x = 0; x < r->width; ++x )
		{
			if ( !isnan( depth_at( r, x, y ) ) )
			{
				double east, north;
				slope_at( r, x, y, &east, &north );
				sum += east * east + north * north;
				++count;
			}
		}
	}
	// a slope of 0.45 (24 degrees) as the root mean square reads well; true to scale where the ground is steep by itself
	double slope = count ? sqrt( sum / (double)count ) / r->pixel : 0;
	return slope > 0 ? fmax( 1, relief_round( 0.45 / slope * 1.4 ) ) : 1;
}

// ---- colours -------------------------------------------------------------------------------------------------------

static colour mix( colour a, colour b, double t )
{
	float s = (float)t;
	return ( colour ){ a.r + s * ( b.r - a.r ), a.g + s * ( b.g - a.g ), a.b + s * ( b.b - a.b ) };
}

// A colour of a scale of equal steps.
static colour along( const colour *scale, int count, double t )
{
	double at = fmin( 1, fmax( 0, t ) ) * ( count - 1 );
	int i = at < count - 2 ? (int)at : count - 2;
	return mix( scale[i], scale[i + 1], at - i );
}

#define HEX( rgb )                                                                                                     \
	{                                                                                                                  \
		( ( rgb ) >> 16 & 255 ) / 255.0f, ( ( rgb ) >> 8 & 255 ) / 255.0f, ( (rgb)&255 ) / 255.0f                      \
	}

colour relief_colour( const relief *r, double z )
{
	// lightness grows steadily upwards, so that grey prints read the same
	static const colour sea[] = { HEX( 0x1b1a52 ), HEX( 0x263a86 ), HEX( 0x275aa0 ), HEX( 0x2b7eb0 ), HEX( 0x42a0b6 ),
		HEX( 0x6bbcb3 ), HEX( 0xa8dbbd ), HEX( 0xe6f5d0 ) };
	static const colour land[] = { HEX( 0x5d8a4e ), HEX( 0x94a85c ), HEX( 0xc8b873 ), HEX( 0xb98f63 ), HEX( 0xa98572 ),
		HEX( 0xd9cfc7 ), HEX( 0xffffff ) };
	if ( z < 0 )
	{
		return along( land, CLI_COUNT( land ), r->top < 0 ? z / r->top : 0 );
	}
	double upper = fmax( 0, r->top ), span = r->bottom - upper;
	return along( sea, CLI_COUNT( sea ), span > 0 ? ( r->bottom - z ) / span : 0.5 );
}

// Colour of a pixel; the shore between sea and land is a smooth edge. `slope` is the change of depth a pixel.
static colour surface( const relief *r, double z, double slope )
{
	colour c = relief_colour( r, z );
	if ( r->top < 0 && r->bottom > 0 && fabs( z ) < 0.5 * slope )
	{
		colour land = relief_colour( r, fmin( z, -1e-9 ) ), sea = relief_colour( r, fmax( z, 0 ) );
		c = mix( land, sea, 0.5 + z / slope );
	}
	return c;
}

// Light that a slope gets, 1 on level ground.
static double light( const relief_style *s, double east, double north )
{
	// the upward normal of ground that deepens by `east`, `north` leans that way
	double length = sqrt( 1 + east * east + north * north );
	double towards = ( east * sin( s->azimuth ) + north * cos( s->azimuth ) ) * cos( s->elevation );
	return fmax( 0, ( towards + sin( s->elevation ) ) / length ) / sin( s->elevation );
}

static colour shade( colour c, double amount )
{
	const colour white = { 1, 1, 1 };
	double f = 0.38 + 0.62 * amount;
	if ( f <= 1 )
	{
		return ( colour ){ c.r * (float)f, c.g * (float)f, c.b * (float)f };
	}
	return mix( c, white, 0.45 * ( 1 - exp( 1.2 * ( 1 - f ) ) ) );
}

// Cover of contour lines at a pixel: lines of a width [pixels] at multiples of `step`, but for those at the very top or bottom, which
// would be the rims of level ground.
static double contour( const relief *r, double z, double slope, double step, double width )
{
	double line = step * round( z / step ), margin = 1e-3 * ( r->bottom - r->top );
	if ( !( slope > 0 ) || line < r->top + margin || line > r->bottom - margin )
	{
		return 0;
	}
	double distance = fabs( z - line ) / slope;
	return fmin( 1, fmax( 0, 0.5 * width + 0.5 - distance ) );
}

void relief_draw( const relief *r, const relief_style *style, picture *p, int left, int upper )
{
	const colour none[2] = { HEX( 0xe4e4e4 ), HEX( 0xd6d6d6 ) }, ink = HEX( 0x101418 );
	double steepness = ( style->exaggeration > 0 ? style->exaggeration : relief_exaggeration( r ) ) / r->pixel;
	for ( int y = 0; y < r->height; ++y )
	{
		for ( int x = 0; x < r->width; ++x )
		{
			double z = depth_at( r, x, y ), east, north;
			if ( isnan( z ) )
			{
				picture_blend( p, left + x, upper + y, none[( x + y ) % 8 < 2], 1 );
				continue;
			}
			slope_at( r, x, y, &east, &north );
			double amount = light( style, steepness * east, steepness * north );
			picture_blend( p, left + x, upper + y, shade( surface( r, z, hypot( east, north ) ), amount ), 1 );
			if ( style->contours > 0 )
			{
				double slope = hypot( east, north );
				double fine = 0.45 * contour( r, z, slope, style->contours, 1 );
				double bold = 0.75 * contour( r, z, slope, 5 * style->contours, 1.8 );
				picture_blend( p, left + x, upper + y, ink, fmax( fine, bold ) );
			}
		}
	}
}

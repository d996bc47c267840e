// Pictures: an RGB canvas, lettering drawn with strokes, and PNG.

#include "cli/terrain.h"
#include "io/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool picture_new( picture *p, int width, int height )
{
	p->width = width;
	p->height = height;
	size_t count = 3 * (size_t)width * (size_t)height;
	p->rgb = malloc( count * sizeof( float ) );
	for ( size_t i = 0; p->rgb && i < count; ++i )
	{
		p->rgb[i] = 1;
	}
	return p->rgb != NULL;
}

void picture_free( picture *p )
{
	free( p->rgb );
	p->rgb = NULL;
}

void picture_blend( picture *p, int x, int y, colour c, double cover )
{
	if ( x < 0 || y < 0 || x >= p->width || y >= p->height || !( cover > 0 ) )
	{
		return;
	}
	float a = (float)( cover < 1 ? cover : 1 );
	float *at = p->rgb + 3 * ( (size_t)y * (size_t)p->width + (size_t)x );
	at[0] += a * ( c.r - at[0] );
	at[1] += a * ( c.g - at[1] );
	at[2] += a * ( c.b - at[2] );
}

// Part of [i, i + 1] that lies in [from, to].
static double overlap( int i, double from, double to )
{
	return fmax( 0, fmin( i + 1, to ) - fmax( i, from ) );
}

void picture_rectangle( picture *p, double x0, double y0, double x1, double y1, colour c )
{
	for ( int y = (int)floor( y0 ); y < y1; ++y )
	{
		for ( int x = (int)floor( x0 ); x < x1; ++x )
		{
			picture_blend( p, x, y, c, overlap( x, x0, x1 ) * overlap( y, y0, y1 ) );
		}
	}
}

// ---- lettering -----------------------------------------------------------------------------------------------------

// A stroke: a line from (a, b) to (c, d), or an arc about (a, b) of radii c, d from angle `from` to `to` [degrees]. In heights of a
// digit, y upwards from the baseline.
typedef struct stroke
{
	double a, b, c, d, from, to;
} stroke;

typedef struct glyph
{
	char letter;
	double width;
	stroke strokes[5]; // those of radius or length 0 at the end are none
} glyph;

#define LINE( x0, y0, x1, y1 )                                                                                         \
	{                                                                                                                  \
		x0, y0, x1, y1, 0, 0                                                                                           \
	}

static const glyph glyphs[] = {
	{ '0', 0.72, { { 0.3, 0.5, 0.27, 0.48, 0, 360 } } },
	{ '1', 0.72, { LINE( 0.12, 0.78, 0.34, 0.98 ), LINE( 0.34, 0.98, 0.34, 0.02 ) } },
	{ '2', 0.72,
		{ { 0.3, 0.7, 0.25, 0.28, 165, -40 }, LINE( 0.4915, 0.52, 0.05, 0.02 ), LINE( 0.05, 0.02, 0.56, 0.02 ) } },
	{ '3', 0.72, { { 0.29, 0.74, 0.23, 0.24, 150, -90 }, { 0.29, 0.26, 0.26, 0.24, 90, -150 } } },
	{ '4', 0.72, { LINE( 0.42, 0.02, 0.42, 0.98 ), LINE( 0.42, 0.98, 0.04, 0.3 ), LINE( 0.04, 0.3, 0.58, 0.3 ) } },
	{ '5', 0.72,
		{ LINE( 0.52, 0.98, 0.12, 0.98 ), LINE( 0.12, 0.98, 0.09, 0.55 ), { 0.29, 0.32, 0.28, 0.3, 135, -145 } } },
	{ '6', 0.72, { { 0.3, 0.31, 0.26, 0.29, 0, 360 }, { 0.62, 0.31, 0.58, 0.67, 180, 102 } } },
	{ '7', 0.72, { LINE( 0.04, 0.98, 0.56, 0.98 ), LINE( 0.56, 0.98, 0.22, 0.02 ) } },
	{ '8', 0.72, { { 0.3, 0.75, 0.22, 0.23, 0, 360 }, { 0.3, 0.27, 0.26, 0.25, 0, 360 } } },
	{ '9', 0.72, { { 0.3, 0.69, 0.26, 0.29, 0, 360 }, { -0.02, 0.69, 0.58, 0.67, 0, -78 } } },
	{ '-', 0.62, { LINE( 0.08, 0.42, 0.46, 0.42 ) } },
	{ '.', 0.3, { LINE( 0.08, 0.03, 0.09, 0.03 ) } },
	{ ',', 0.3, { LINE( 0.1, 0.04, 0.05, -0.13 ) } },
	{ ' ', 0.38, { LINE( 0, 0, 0, 0 ) } },
	{ 'c', 0.62, { { 0.3, 0.34, 0.25, 0.33, 45, 315 } } },
	{ 'd', 0.7, { { 0.29, 0.34, 0.24, 0.33, 0, 360 }, LINE( 0.53, 0.02, 0.53, 1 ) } },
	{ 'e', 0.66, { LINE( 0.05, 0.37, 0.53, 0.37 ), { 0.29, 0.34, 0.24, 0.33, 5, 315 } } },
	{ 'h', 0.68, { LINE( 0.08, 0.02, 0.08, 1 ), { 0.29, 0.43, 0.21, 0.24, 180, 0 }, LINE( 0.5, 0.43, 0.5, 0.02 ) } },
	{ 'k', 0.6, { LINE( 0.08, 0.02, 0.08, 1 ), LINE( 0.46, 0.66, 0.08, 0.26 ), LINE( 0.21, 0.39, 0.49, 0.02 ) } },
	{ 'm', 0.98,
		{ LINE( 0.08, 0.02, 0.08, 0.67 ), { 0.26, 0.45, 0.18, 0.22, 180, 0 }, LINE( 0.44, 0.45, 0.44, 0.02 ),
			{ 0.62, 0.45, 0.18, 0.22, 180, 0 }, LINE( 0.8, 0.45, 0.8, 0.02 ) } },
	{ 'n', 0.68, { LINE( 0.08, 0.02, 0.08, 0.67 ), { 0.29, 0.43, 0.21, 0.24, 180, 0 }, LINE( 0.5, 0.43, 0.5, 0.02 ) } },
	{ 'o', 0.68, { { 0.3, 0.34, 0.25, 0.33, 0, 360 } } },
	{ 'p', 0.7, { LINE( 0.08, -0.28, 0.08, 0.67 ), { 0.33, 0.34, 0.24, 0.33, 0, 360 } } },
	{ 'r', 0.5, { LINE( 0.08, 0.02, 0.08, 0.67 ), { 0.31, 0.42, 0.23, 0.25, 180, 65 } } },
	{ 's', 0.58, { { 0.26, 0.505, 0.19, 0.165, 50, 270 }, { 0.26, 0.18, 0.2, 0.16, 90, -130 } } },
	{ 't', 0.5,
		{ LINE( 0.18, 0.92, 0.18, 0.16 ), { 0.32, 0.16, 0.14, 0.14, 180, 285 }, LINE( 0.03, 0.67, 0.38, 0.67 ) } },
	{ 'u', 0.68,
		{ LINE( 0.08, 0.67, 0.08, 0.25 ), { 0.29, 0.25, 0.21, 0.23, 180, 360 }, LINE( 0.5, 0.67, 0.5, 0.02 ) } },
	{ 'v', 0.62, { LINE( 0.04, 0.67, 0.27, 0.02 ), LINE( 0.27, 0.02, 0.5, 0.67 ) } },
	{ 'y', 0.62, { LINE( 0.04, 0.67, 0.28, 0.04 ), LINE( 0.51, 0.67, 0.19, -0.28 ) } },
};

static const glyph *find_glyph( char letter )
{
	for ( int i = 0; i < CLI_COUNT( glyphs ); ++i )
	{
		if ( glyphs[i].letter == letter )
		{
			return glyphs + i;
		}
	}
	return NULL;
}

static double to_segment( double x, double y, double x0, double y0, double x1, double y1 )
{
	double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
	double t = square > 0 ? ( ( x - x0 ) * dx + ( y - y0 ) * dy ) / square : 0;
	t = fmin( 1, fmax( 0, t ) );
	return hypot( x - x0 - t * dx, y - y0 - t * dy );
}

static double to_stroke( const stroke *s, double x, double y )
{
	if ( s->from == s->to )
	{
		return to_segment( x, y, s->a, s->b, s->c, s->d );
	}
	const int pieces = 24;
	const double degree = 3.14159265358979323846 / 180;
	double best = INFINITY, x0 = 0, y0 = 0;
	for ( int i = 0; i <= pieces; ++i )
	{
		double angle = degree * ( s->from + ( s->to - s->from ) * i / pieces );
		double x1 = s->a + s->c * cos( angle ), y1 = s->b + s->d * sin( angle );
		best = i > 0 ? fmin( best, to_segment( x, y, x0, y0, x1, y1 ) ) : best;
		x0 = x1;
		y0 = y1;
	}
	return best;
}

static double to_glyph( const glyph *g, double x, double y )
{
	double best = INFINITY;
	for ( int i = 0; i < CLI_COUNT( g->strokes ) && ( g->strokes[i].c != 0 || g->strokes[i].d != 0 ); ++i )
	{
		best = fmin( best, to_stroke( g->strokes + i, x, y ) );
	}
	return best;
}

double picture_text_width( double size, const char *text )
{
	double width = 0;
	for ( ; *text; ++text )
	{
		const glyph *g = find_glyph( *text );
		width += g ? g->width * size : 0;
	}
	return width;
}

double picture_text( picture *p, double x, double y, double size, colour c, const char *text )
{
	const double half = 0.052 * size; // of a stroke's width
	double start = x;
	for ( ; *text; ++text )
	{
		const glyph *g = find_glyph( *text );
		if ( g == NULL )
		{
			continue;
		}
		for ( int row = (int)floor( y - 1.1 * size ); row <= (int)( y + 0.4 * size ); ++row )
		{
			for ( int column = (int)floor( x - 0.1 * size ); column <= (int)( x + size ); ++column )
			{
				double distance = size * to_glyph( g, ( column + 0.5 - x ) / size, ( y - row - 0.5 ) / size );
				picture_blend( p, column, row, c, half + 0.5 - distance );
			}
		}
		x += g->width * size;
	}
	return x - start;
}

// ---- files ---------------------------------------------------------------------------------------------------------

static unsigned char to_byte( float value )
{
	return (unsigned char)( 255 * fminf( 1, fmaxf( 0, value ) ) + 0.5f );
}

static ds_status put_standard( const picture *p, const unsigned char *bytes )
{
	ds_png_source source = { p->width, p->height, 3, 8, bytes, NULL };
	int fault = 0;
	return ds_png_put( &source, stdout, &fault )
			   ? DS_OK
			   : ds_error( DS_ERROR_IO, "the standard output cannot be written: %s", strerror( fault ) );
}

ds_status picture_save( const picture *p, const char *path )
{
	size_t count = 3 * (size_t)p->width * (size_t)p->height;
	unsigned char *bytes = malloc( count );
	if ( bytes == NULL )
	{
		return ds_error( DS_ERROR_MEMORY, "out of memory for a picture of %d x %d pixels", p->width, p->height );
	}
	for ( size_t i = 0; i < count; ++i )
	{
		bytes[i] = to_byte( p->rgb[i] );
	}
	ds_status status = strcmp( path, "-" ) == 0 ? put_standard( p, bytes )
												: ds_image_write_png( path, p->width, p->height, 3, 8, bytes );
	free( bytes );
	return status;
}

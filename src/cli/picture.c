// Pictures: an RGB canvas, lettering drawn with strokes, and PNG.

#include "cli/terrain.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

typedef struct png_writer
{
	const picture *picture;
	FILE *file;
	png_structp png;
	png_infop info;
	unsigned char *row;
	int fault; // errno
} png_writer;

static void on_error( png_structp png, png_const_charp message )
{
	(void)message;
	png_longjmp( png, 1 );
}

static void on_warning( png_structp png, png_const_charp message )
{
	(void)png;
	(void)message;
}

static void write_bytes( png_structp png, png_bytep bytes, png_size_t size )
{
	png_writer *w = png_get_io_ptr( png );
	if ( fwrite( bytes, 1, size, w->file ) != size )
	{
		w->fault = errno;
		png_error( png, "cannot write" );
	}
}

static void flush_bytes( png_structp png )
{
	(void)png;
}

static unsigned char to_byte( float value )
{
	return (unsigned char)( 255 * fminf( 1, fmaxf( 0, value ) ) + 0.5f );
}

static bool write_png( png_writer *w )
{
	const picture *p = w->picture;
	if ( setjmp( png_jmpbuf( w->png ) ) )
	{
		return false;
	}
	png_set_write_fn( w->png, w, write_bytes, flush_bytes );
	png_set_IHDR( w->png, w->info, (png_uint_32)p->width, (png_uint_32)p->height, 8, PNG_COLOR_TYPE_RGB,
		PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT );
	png_set_sRGB_gAMA_and_cHRM( w->png, w->info, PNG_sRGB_INTENT_PERCEPTUAL );
	png_write_info( w->png, w->info );
	for ( int y = 0; y < p->height; ++y )
	{
		const float *from = p->rgb + 3 * (size_t)y * (size_t)p->width;
		for ( int i = 0; i < 3 * p->width; ++i )
		{
			w->row[i] = to_byte( from[i] );
		}
		png_write_row( w->png, w->row );
	}
	png_write_end( w->png, NULL );
	return true;
}

static bool write_stream( const picture *p, FILE *file, int *fault )
{
	png_writer w = { .picture = p, .file = file };
	w.row = malloc( 3 * (size_t)p->width );
	w.png = w.row ? png_create_write_struct( PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning ) : NULL;
	w.info = w.png ? png_create_info_struct( w.png ) : NULL;
	w.fault = ENOMEM;
	bool done = w.info && write_png( &w );
	png_destroy_write_struct( &w.png, &w.info );
	free( w.row );
	errno = 0;
	if ( done && fflush( file ) != 0 )
	{
		w.fault = errno;
		done = false;
	}
	*fault = w.fault;
	return done;
}

ds_status picture_save( const picture *p, const char *path )
{
	int fault = 0;
	if ( strcmp( path, "-" ) == 0 )
	{
		return write_stream( p, stdout, &fault )
				   ? DS_OK
				   : ds_error( DS_ERROR_IO, "the standard output cannot be written: %s", strerror( fault ) );
	}
	// a file gets its name when it is whole; devices and pipes are written as they are
	struct stat info;
	bool direct = stat( path, &info ) == 0 && !S_ISREG( info.st_mode );
	char name[1100];
	int length = snprintf( name, sizeof( name ), "%s%s", path, direct ? "" : ".part" );
	if ( length < 0 || (size_t)length >= sizeof( name ) )
	{
		return ds_error( DS_ERROR_IO, "the name of the picture is too long: %s", path );
	}
	FILE *file = fopen( name, "wb" );
	if ( file == NULL )
	{
		return ds_error( DS_ERROR_IO, "%s: cannot be written: %s", path, strerror( errno ) );
	}
	bool done = write_stream( p, file, &fault );
	errno = 0;
	if ( ( fclose( file ) != 0 || ( done && !direct && rename( name, path ) != 0 ) ) && done )
	{
		fault = errno;
		done = false;
	}
	if ( !done && !direct )
	{
		remove( name );
	}
	return done ? DS_OK : ds_error( DS_ERROR_IO, "%s: cannot be written: %s", path, strerror( fault ) );
}

// Greyscale PNG of 8 or 16 bits by libpng: heights without coordinates, row 0 in the north. libpng reports errors by longjmp,
// which stays inside this file: what outlives a jump is in the struct `png`.

#include "io/raster.h"

#include "base/base.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

// Deflate cannot shrink data by more (zlib, "Technical Details": 1032 : 1).
#define MOST_SHRUNK 1032

typedef struct png
{
	ds_raster *raster;
	FILE *file;
	int64_t size;
	png_structp reader;
	png_infop info;
	char message[200];
	int depth, interlaced;
	size_t row_bytes;
	int64_t raw_count;
	uint8_t *raw; // a row; of an interlaced image all of them
} png;

static void on_error( png_structp reader, png_const_charp message )
{
	png *p = png_get_error_ptr( reader );
	ds_copy_string( p->message, sizeof( p->message ), message );
	png_longjmp( reader, 1 );
}

static void on_warning( png_structp reader, png_const_charp message )
{
	const png *p = png_get_error_ptr( reader );
	ds_logf( p->raster->hooks, DS_LOG_WARNING, "%s: PNG: %s", p->raster->path, message );
}

static ds_status broken( const png *p )
{
	return ds_error( DS_ERROR_FORMAT, "%s: the PNG is broken or cut off: %s", p->raster->path, p->message );
}

// ---- header --------------------------------------------------------------------------------------------------------

static ds_status check_format( const png *p, int colour )
{
	const char *path = p->raster->path;
	if ( colour != PNG_COLOR_TYPE_GRAY )
	{
		const char *what = colour == PNG_COLOR_TYPE_GRAY_ALPHA ? "has an alpha channel"
						   : colour == PNG_COLOR_TYPE_PALETTE  ? "has a palette"
															   : "is in colour";
		return ds_error( DS_ERROR_UNSUPPORTED,
			"%s: the PNG %s: heights must be a greyscale image of 16 or 8 bits without alpha", path, what );
	}
	if ( p->depth != 8 && p->depth != 16 )
	{
		return ds_error(
			DS_ERROR_UNSUPPORTED, "%s: the PNG has %d bits a pixel: heights must have 16 or 8", path, p->depth );
	}
	return DS_OK;
}

static ds_status read_header( png *p )
{
	ds_raster *r = p->raster;
	if ( setjmp( png_jmpbuf( p->reader ) ) )
	{
		return broken( p );
	}
	png_init_io( p->reader, p->file );
	png_set_user_limits( p->reader, 0x7fffffff, 0x7fffffff );
	png_read_info( p->reader, p->info );
	r->columns = (int64_t)png_get_image_width( p->reader, p->info );
	r->rows = (int64_t)png_get_image_height( p->reader, p->info );
	p->depth = png_get_bit_depth( p->reader, p->info );
	DS_TRY( check_format( p, png_get_color_type( p->reader, p->info ) ) );
	png_color_16p transparent;
	if ( png_get_tRNS( p->reader, p->info, NULL, NULL, &transparent ) & PNG_INFO_tRNS && transparent )
	{
		r->nodata = transparent->gray;
	}
	p->interlaced = png_get_interlace_type( p->reader, p->info ) != PNG_INTERLACE_NONE;
	p->row_bytes = png_get_rowbytes( p->reader, p->info );
	return DS_OK;
}

// Before libpng makes room for rows.
static ds_status lay_out( png *p )
{
	ds_raster *r = p->raster;
	double cell = r->options->cell;
	int64_t bytes = r->columns * ( p->depth / 8 ) + 1;
	if ( bytes > MOST_SHRUNK * p->size / r->rows )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s: %lld x %lld pixels cannot be in a PNG of %lld bytes: it is broken or cut off", r->path,
			(long long)r->columns, (long long)r->rows, (long long)p->size );
	}
	if ( !( cell > 0 ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"%s: a PNG has no coordinates: the spacing of its pixels (cell, in metres) is needed", r->path );
	}
	r->has_place = false;
	r->dx = r->dy = cell;
	r->x = -0.5 * cell * (double)( r->columns - 1 );
	r->y = -0.5 * cell * (double)( r->rows - 1 );
	return DS_OK;
}

// ---- pixels --------------------------------------------------------------------------------------------------------

static void take_row( const png *p, int64_t row, const uint8_t *raw )
{
	const ds_raster *r = p->raster;
	int64_t to = row - r->first_row;
	if ( to < 0 || to >= r->rows )
	{
		return;
	}
	double *out = r->values + to * r->columns;
	for ( int64_t i = 0; i < r->columns; ++i )
	{
		int64_t at = r->first_column + i;
		out[i] = p->depth == 16 ? 256 * raw[2 * at] + raw[2 * at + 1] : raw[at];
	}
}

static ds_status read_pixels( png *p, int64_t rows )
{
	if ( setjmp( png_jmpbuf( p->reader ) ) )
	{
		return broken( p );
	}
	int passes = png_set_interlace_handling( p->reader );
	png_read_update_info( p->reader, p->info );
	for ( int pass = 0; pass < passes; ++pass )
	{
		for ( int64_t row = 0; row < rows; ++row )
		{
			uint8_t *raw = p->raw + ( p->interlaced ? (size_t)row * p->row_bytes : 0 );
			png_read_row( p->reader, raw, NULL );
			if ( pass == passes - 1 )
			{
				take_row( p, row, raw );
			}
		}
	}
	png_read_end( p->reader, NULL );
	return DS_OK;
}

static ds_status read_image( png *p )
{
	ds_raster *r = p->raster;
	DS_TRY( read_header( p ) );
	DS_TRY( lay_out( p ) );
	int64_t rows = r->rows;
	DS_TRY( ds_raster_take( r ) );
	DS_TRY( ds_raster_allocate( r ) );
	p->raw_count = (int64_t)p->row_bytes * ( p->interlaced ? rows : 1 );
	DS_TRY( DS_NEW( &r->hooks->allocator, p->raw_count, &p->raw ) );
	return read_pixels( p, rows );
}

ds_status ds_raster_read_png( FILE *file, int64_t size, ds_raster *raster )
{
	png p = { .raster = raster, .file = file, .size = size };
	p.reader = png_create_read_struct( PNG_LIBPNG_VER_STRING, &p, on_error, on_warning );
	p.info = p.reader ? png_create_info_struct( p.reader ) : NULL;
	ds_status status = p.info ? read_image( &p ) : ds_error( DS_ERROR_MEMORY, "out of memory: libpng cannot start" );
	png_destroy_read_struct( &p.reader, &p.info, NULL );
	DS_FREE( &raster->hooks->allocator, p.raw, p.raw_count );
	return status;
}

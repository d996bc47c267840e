// PNG from memory and to files. libpng reports errors by longjmp, which stays inside this file: what outlives a jump is in the
// structs `reading` and `writing`.

#include "base/base.h"
#include "io/image.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// Deflate cannot shrink data by more (zlib, "Technical Details": 1032 : 1).
#define MOST_SHRUNK 1032

// Of zlib, with one filter instead of a search for the best: frames are full of noise, and more makes them some 8 % smaller in twice the
// time.
#define EFFORT 2

static bool little_endian( void )
{
	const uint16_t one = 1;
	uint8_t first;
	memcpy( &first, &one, 1 );
	return first == 1;
}

// ---- reading -------------------------------------------------------------------------------------------------------

typedef struct reading
{
	const char *name;
	const uint8_t *bytes;
	size_t size, at;
	int64_t max_pixels;
	const ds_allocator *allocator;
	ds_image *image;
	png_structp png;
	png_infop info;
	char message[200];
} reading;

static void on_read_error( png_structp png, png_const_charp message )
{
	reading *r = png_get_error_ptr( png );
	(void)ds_copy_string( r->message, sizeof( r->message ), message );
	png_longjmp( png, 1 );
}

static void on_warning( png_structp png, png_const_charp message )
{
	(void)png;
	(void)message;
}

static void read_bytes( png_structp png, png_bytep out, png_size_t size )
{
	reading *r = png_get_io_ptr( png );
	if ( size > r->size - r->at )
	{
		png_error( png, "it ends too early" );
	}
	memcpy( out, r->bytes + r->at, size );
	r->at += size;
}

static ds_status broken( const reading *r )
{
	return ds_error( DS_ERROR_FORMAT, "%s: the PNG is broken or cut off: %s", r->name, r->message );
}

static ds_status read_header( reading *r )
{
	if ( setjmp( png_jmpbuf( r->png ) ) )
	{
		return broken( r );
	}
	png_set_read_fn( r->png, r, read_bytes );
	png_set_user_limits( r->png, 0x7fffffff, 0x7fffffff );
	png_set_benign_errors( r->png, 0 );
	png_set_crc_action( r->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT );
	// only IHDR, PLTE, tRNS, IDAT and IEND are looked into: texts and profiles are neither kept nor inflated
	png_set_keep_unknown_chunks( r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1 );
	png_read_info( r->png, r->info );
	r->image->width = (int64_t)png_get_image_width( r->png, r->info );
	r->image->height = (int64_t)png_get_image_height( r->png, r->info );
	int64_t row = (int64_t)png_get_rowbytes( r->png, r->info ) + 1; // a filter byte a row
	if ( row > MOST_SHRUNK * (int64_t)r->size / r->image->height )
	{
		return ds_error( DS_ERROR_FORMAT,
			"%s: %lld x %lld pixels cannot be in a PNG of %zu bytes: it is broken or cut off", r->name,
			(long long)r->image->width, (long long)r->image->height, r->size );
	}
	return DS_OK;
}

// What the pixels are to be, once the limit is known to be kept.
static ds_status lay_out( reading *r, int *passes )
{
	if ( setjmp( png_jmpbuf( r->png ) ) )
	{
		return broken( r );
	}
	png_set_expand( r->png );
	if ( little_endian() )
	{
		png_set_swap( r->png );
	}
	*passes = png_set_interlace_handling( r->png );
	png_read_update_info( r->png, r->info );
	r->image->channels = png_get_channels( r->png, r->info );
	r->image->bits = png_get_bit_depth( r->png, r->info );
	return ds_image_allocate( r->name, "PNG", r->max_pixels, r->allocator, r->image );
}

static ds_status read_pixels( reading *r, int passes )
{
	if ( setjmp( png_jmpbuf( r->png ) ) )
	{
		return broken( r );
	}
	size_t row_bytes = png_get_rowbytes( r->png, r->info );
	for ( int pass = 0; pass < passes; ++pass )
	{
		for ( int64_t row = 0; row < r->image->height; ++row )
		{
			png_read_row( r->png, (uint8_t *)r->image->pixels + (size_t)row * row_bytes, NULL );
		}
	}
	png_read_end( r->png, NULL );
	return DS_OK;
}

static ds_status read_image( reading *r )
{
	int passes = 0;
	DS_TRY( read_header( r ) );
	if ( r->image->width > r->max_pixels / r->image->height )
	{
		return ds_image_allocate( r->name, "PNG", r->max_pixels, r->allocator, r->image ); // which refuses it
	}
	DS_TRY( lay_out( r, &passes ) );
	return read_pixels( r, passes );
}

ds_status ds_png_decode( const char *name, const uint8_t *bytes, int64_t size, int64_t max_pixels,
	const ds_allocator *allocator, ds_image *image )
{
	reading r = { .name = name,
		.bytes = bytes,
		.size = (size_t)size,
		.max_pixels = max_pixels,
		.allocator = allocator,
		.image = image };
	r.png = png_create_read_struct( PNG_LIBPNG_VER_STRING, &r, on_read_error, on_warning );
	r.info = r.png ? png_create_info_struct( r.png ) : NULL;
	ds_status status = r.info ? read_image( &r ) : ds_error( DS_ERROR_MEMORY, "out of memory: libpng cannot start" );
	png_destroy_read_struct( &r.png, &r.info, NULL );
	return status;
}

// ---- writing -------------------------------------------------------------------------------------------------------

typedef struct writing
{
	const ds_png_source *source;
	FILE *file;
	png_structp png;
	png_infop info;
	uint8_t *row; // of ids, which need not be aligned
	int fault; // errno
} writing;

static void on_write_error( png_structp png, png_const_charp message )
{
	(void)message;
	png_longjmp( png, 1 );
}

static void write_bytes( png_structp png, png_bytep bytes, png_size_t size )
{
	writing *w = png_get_io_ptr( png );
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

static const uint8_t *row_of( const writing *w, int64_t y )
{
	const ds_png_source *s = w->source;
	if ( s->pixels )
	{
		size_t row_bytes = (size_t)s->width * (size_t)s->channels * (size_t)( s->bits / 8 );
		return (const uint8_t *)s->pixels + (size_t)y * row_bytes;
	}
	for ( int64_t x = 0; x < s->width; ++x )
	{
		uint32_t id;
		memcpy( &id, (const uint8_t *)s->ids + sizeof( id ) * (size_t)( y * s->width + x ), sizeof( id ) );
		w->row[3 * x] = (uint8_t)id;
		w->row[3 * x + 1] = (uint8_t)( id >> 8 );
		w->row[3 * x + 2] = (uint8_t)( id >> 16 );
	}
	return w->row;
}

static bool write_image( writing *w )
{
	const ds_png_source *s = w->source;
	if ( setjmp( png_jmpbuf( w->png ) ) )
	{
		return false;
	}
	png_set_write_fn( w->png, w, write_bytes, flush_bytes );
	png_set_user_limits( w->png, 0x7fffffff, 0x7fffffff );
	png_set_compression_level( w->png, EFFORT );
	png_set_filter( w->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP );
	png_set_IHDR( w->png, w->info, (png_uint_32)s->width, (png_uint_32)s->height, s->bits,
		s->channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
		PNG_FILTER_TYPE_DEFAULT );
	if ( s->pixels && s->channels == 3 && s->bits == 8 )
	{
		png_set_sRGB_gAMA_and_cHRM( w->png, w->info, PNG_sRGB_INTENT_PERCEPTUAL );
	}
	png_write_info( w->png, w->info );
	if ( s->bits == 16 && little_endian() )
	{
		png_set_swap( w->png );
	}
	for ( int64_t y = 0; y < s->height; ++y )
	{
		png_write_row( w->png, row_of( w, y ) );
	}
	png_write_end( w->png, NULL );
	return true;
}

bool ds_png_put( const ds_png_source *source, FILE *file, int *fault )
{
	writing w = { .source = source, .file = file, .fault = ENOMEM };
	w.row = source->pixels ? NULL : malloc( 3 * (size_t)source->width );
	if ( source->pixels || w.row )
	{
		w.png = png_create_write_struct( PNG_LIBPNG_VER_STRING, NULL, on_write_error, on_warning );
	}
	w.info = w.png ? png_create_info_struct( w.png ) : NULL;
	bool done = w.info && write_image( &w );
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

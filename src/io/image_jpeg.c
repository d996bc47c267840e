// JPEG from memory by libjpeg. Its errors leave by longjmp, which stays inside this file: what outlives a jump is in the struct
// `reading`.

#include "base/base.h"
#include "io/image.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include <jerror.h>

// Progressive files of more scans than any encoder writes are made to keep a reader busy ("Two Issues with the JPEG Standard",
// libjpeg-turbo project).
#define MOST_SCANS 100

typedef struct reading
{
	struct jpeg_decompress_struct jpeg; // first: libjpeg's callbacks find the rest by it
	struct jpeg_error_mgr errors;
	struct jpeg_progress_mgr progress;
	jmp_buf out;
	const char *name;
	char message[JMSG_LENGTH_MAX];
} reading;

static void leave( j_common_ptr jpeg )
{
	reading *r = (reading *)(void *)jpeg;
	r->errors.format_message( jpeg, r->message );
	longjmp( r->out, 1 );
}

// Warnings (level -1) are of corrupt data; other messages are traces.
static void on_message( j_common_ptr jpeg, int level )
{
	if ( level < 0 )
	{
		leave( jpeg );
	}
}

static void on_progress( j_common_ptr jpeg )
{
	reading *r = (reading *)(void *)jpeg;
	if ( r->jpeg.input_scan_number > MOST_SCANS )
	{
		snprintf( r->message, sizeof( r->message ), "it has more than %d scans", MOST_SCANS );
		longjmp( r->out, 1 );
	}
}

static void start( reading *r, const uint8_t *bytes, int64_t size )
{
	r->jpeg.err = jpeg_std_error( &r->errors );
	r->errors.error_exit = leave;
	r->errors.emit_message = on_message;
	jpeg_create_decompress( &r->jpeg );
	r->progress.progress_monitor = on_progress;
	r->jpeg.progress = &r->progress;
	jpeg_mem_src( &r->jpeg, bytes, (unsigned long)size );
}

static ds_status lay_out( reading *r, ds_image *image )
{
	struct jpeg_decompress_struct *j = &r->jpeg;
	if ( j->data_precision != 8 )
	{
		return ds_error( DS_ERROR_UNSUPPORTED, "%s: the JPEG has %d bits a sample: only those of 8 are read", r->name,
			j->data_precision );
	}
	bool grey = j->jpeg_color_space == JCS_GRAYSCALE;
	if ( !grey && j->jpeg_color_space != JCS_YCbCr && j->jpeg_color_space != JCS_RGB )
	{
		const char *what = j->num_components == 4 ? "CMYK" : "in an unknown space of colours";
		return ds_error( DS_ERROR_UNSUPPORTED,
			"%s: the JPEG is %s: only grey and RGB (or YCbCr) are read; convert it to one of them", r->name, what );
	}
	j->out_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
	j->dct_method = JDCT_ISLOW; // the same bits whatever the processor
	*image = ( ds_image ){ .width = j->image_width, .height = j->image_height, .channels = grey ? 1 : 3, .bits = 8 };
	return DS_OK;
}

static ds_status read_image(
	reading *r, const uint8_t *bytes, int64_t size, int64_t max_pixels, const ds_allocator *allocator, ds_image *image )
{
	if ( setjmp( r->out ) )
	{
		return r->errors.msg_code == JERR_OUT_OF_MEMORY
				   ? ds_error( DS_ERROR_MEMORY, "%s: out of memory for the JPEG", r->name )
				   : ds_error( DS_ERROR_FORMAT, "%s: the JPEG is broken or cut off: %s", r->name, r->message );
	}
	start( r, bytes, size );
	(void)jpeg_read_header( &r->jpeg, TRUE );
	DS_TRY( lay_out( r, image ) );
	DS_TRY( ds_image_allocate( r->name, "JPEG", max_pixels, allocator, image ) );
	(void)jpeg_start_decompress( &r->jpeg );
	size_t row_bytes = (size_t)image->width * (size_t)image->channels;
	while ( r->jpeg.output_scanline < r->jpeg.output_height )
	{
		JSAMPROW row = (JSAMPROW)image->pixels + r->jpeg.output_scanline * row_bytes;
		(void)jpeg_read_scanlines( &r->jpeg, &row, 1 );
	}
	(void)jpeg_finish_decompress( &r->jpeg );
	return DS_OK;
}

ds_status ds_jpeg_decode( const char *name, const uint8_t *bytes, int64_t size, int64_t max_pixels,
	const ds_allocator *allocator, ds_image *image )
{
	reading r = { .name = name };
	ds_status status = read_image( &r, bytes, size, max_pixels, allocator, image );
	jpeg_destroy_decompress( &r.jpeg ); // also of one that was never made: all zero
	return status;
}

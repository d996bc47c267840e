// Pictures: PNG and JPEG read from memory, PNG and .npy written. The files that are read are made here by libpng and libjpeg.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/image.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpeglib.h>

#define PATH( name ) DEEPSIM_TEST_TMP "/" name
#define MOST         1000000

// ---- allocations are counted ---------------------------------------------------------------------------------------

typedef struct counter
{
	int64_t held, made, limit;
} counter;

static void *count_allocate( void *user, size_t size, size_t alignment )
{
	counter *c = user;
	if ( c->made >= c->limit )
	{
		return NULL;
	}
	++c->made;
	c->held += (int64_t)size;
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void count_release( void *user, void *memory, size_t size )
{
	counter *c = user;
	c->held -= (int64_t)size;
	free( memory );
}

// ---- files in memory -----------------------------------------------------------------------------------------------

typedef struct file
{
	uint8_t bytes[65536];
	int64_t size;
} file;

static void append( png_structp png, png_bytep bytes, png_size_t size )
{
	file *f = png_get_io_ptr( png );
	assert_true( f->size + (int64_t)size <= (int64_t)sizeof( f->bytes ) );
	memcpy( f->bytes + f->size, bytes, size );
	f->size += (int64_t)size;
}

static void no_flush( png_structp png )
{
	(void)png;
}

// Cyclic redundancy check of PNG (ISO/IEC 15948, annex D) of a chunk's type and data, put behind them.
static void put_check_sum( uint8_t *type, int length )
{
	uint32_t sum = 0xffffffff;
	for ( int i = 0; i < length + 4; ++i )
	{
		sum ^= type[i];
		for ( int bit = 0; bit < 8; ++bit )
		{
			sum = sum & 1 ? 0xedb88320 ^ sum >> 1 : sum >> 1;
		}
	}
	for ( int i = 0; i < 4; ++i )
	{
		type[4 + length + i] = (uint8_t)( ~sum >> ( 24 - 8 * i ) );
	}
}

typedef struct kind
{
	int colour, depth, interlace;
	bool transparent;
	int32_t channels, bits; // expected
} kind;

#define W 21
#define H 13

// Sample c of a pixel, of `bits` bits.
static unsigned sample( int x, int y, int c, int bits )
{
	return ( 7919u * (unsigned)x + 10473u * (unsigned)y + 331u * (unsigned)( x * y ) + 20011u * (unsigned)c ) &
		   ( ( 1u << bits ) - 1 );
}

static const png_color palette[4] = { { 1, 2, 3 }, { 250, 0, 9 }, { 7, 200, 7 }, { 90, 91, 92 } };

static void make_png( const kind *k, file *f )
{
	f->size = 0;
	png_structp png = png_create_write_struct( PNG_LIBPNG_VER_STRING, NULL, NULL, NULL );
	png_infop info = png_create_info_struct( png );
	png_set_write_fn( png, f, append, no_flush );
	png_set_IHDR(
		png, info, W, H, k->depth, k->colour, k->interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT );
	if ( k->colour == PNG_COLOR_TYPE_PALETTE )
	{
		png_set_PLTE( png, info, palette, 4 );
	}
	if ( k->transparent )
	{
		const png_byte alpha[2] = { 255, 17 };
		png_color_16 value = { 0 };
		value.gray = 0;
		png_set_tRNS( png, info, alpha, 2, &value );
	}
	png_set_gAMA( png, info, 1.0 );
	png_write_info( png, info );
	png_set_packing( png );
	png_set_swap( png );
	int channels = png_get_channels( png, info );
	int passes = png_set_interlace_handling( png );
	for ( int pass = 0; pass < passes; ++pass )
	{
		for ( int y = 0; y < H; ++y )
		{
			uint16_t wide[W * 4];
			uint8_t narrow[W * 4];
			for ( int i = 0; i < W * channels; ++i )
			{
				unsigned v =
					sample( i / channels, y, i % channels, k->colour == PNG_COLOR_TYPE_PALETTE ? 2 : k->depth );
				wide[i] = (uint16_t)v;
				narrow[i] = (uint8_t)v;
			}
			png_write_row( png, k->depth == 16 ? (uint8_t *)wide : narrow );
		}
	}
	png_write_end( png, info );
	png_destroy_write_struct( &png, &info );
}

// What a reader must make of a sample.
static unsigned expected( const kind *k, int x, int y, int c )
{
	if ( k->colour == PNG_COLOR_TYPE_PALETTE )
	{
		unsigned i = sample( x, y, 0, 2 );
		const uint8_t rgba[4] = { palette[i].red, palette[i].green, palette[i].blue, i == 1 ? 17 : 255 };
		return rgba[c];
	}
	unsigned v = sample( x, y, c, k->depth );
	if ( k->transparent && c == 1 )
	{
		return sample( x, y, 0, k->depth ) == 0 ? 0 : ( 1u << k->bits ) - 1;
	}
	return k->depth < 8 ? v * 255 / ( ( 1u << k->depth ) - 1 ) : v;
}

static void expect_pixels( const kind *k, const ds_image *image )
{
	assert_int_equal( image->width, W );
	assert_int_equal( image->height, H );
	assert_int_equal( image->channels, k->channels );
	assert_int_equal( image->bits, k->bits );
	assert_int_equal( image->size, W * H * k->channels * k->bits / 8 );
	for ( int y = 0; y < H; ++y )
	{
		for ( int i = 0; i < W * k->channels; ++i )
		{
			int at = y * W * k->channels + i;
			unsigned got = k->bits == 16 ? ( (uint16_t *)image->pixels )[at] : ( (uint8_t *)image->pixels )[at];
			assert_int_equal( got, expected( k, i / k->channels, y, i % k->channels ) );
		}
	}
}

static const kind kinds[] = {
	{ PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE, false, 3, 8 },
	{ PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_ADAM7, false, 3, 8 },
	{ PNG_COLOR_TYPE_RGB, 16, PNG_INTERLACE_NONE, false, 3, 16 },
	{ PNG_COLOR_TYPE_RGB_ALPHA, 16, PNG_INTERLACE_ADAM7, false, 4, 16 },
	{ PNG_COLOR_TYPE_RGB_ALPHA, 8, PNG_INTERLACE_NONE, false, 4, 8 },
	{ PNG_COLOR_TYPE_GRAY, 1, PNG_INTERLACE_NONE, false, 1, 8 },
	{ PNG_COLOR_TYPE_GRAY, 2, PNG_INTERLACE_ADAM7, false, 1, 8 },
	{ PNG_COLOR_TYPE_GRAY, 4, PNG_INTERLACE_NONE, true, 2, 8 },
	{ PNG_COLOR_TYPE_GRAY, 16, PNG_INTERLACE_NONE, false, 1, 16 },
	{ PNG_COLOR_TYPE_GRAY_ALPHA, 8, PNG_INTERLACE_NONE, false, 2, 8 },
	{ PNG_COLOR_TYPE_PALETTE, 2, PNG_INTERLACE_NONE, false, 3, 8 },
	{ PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_ADAM7, true, 4, 8 },
};

static void test_png_is_read( void **state )
{
	(void)state;
	static file f;
	for ( size_t i = 0; i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
	{
		make_png( kinds + i, &f );
		ds_image image;
		assert_int_equal( ds_image_decode( "made", f.bytes, f.size, W * H, NULL, &image ), DS_OK );
		expect_pixels( kinds + i, &image );
		ds_image_free( NULL, &image );
		assert_null( image.pixels );
	}
}

// ---- JPEG ----------------------------------------------------------------------------------------------------------

static void make_jpeg( J_COLOR_SPACE space, bool progressive, file *f )
{
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr errors;
	jpeg.err = jpeg_std_error( &errors );
	jpeg_create_compress( &jpeg );
	unsigned char *out = NULL;
	unsigned long size = 0;
	jpeg_mem_dest( &jpeg, &out, &size );
	jpeg.image_width = W;
	jpeg.image_height = H;
	jpeg.input_components = space == JCS_GRAYSCALE ? 1 : space == JCS_CMYK ? 4 : 3;
	jpeg.in_color_space = space;
	jpeg_set_defaults( &jpeg );
	jpeg_set_quality( &jpeg, 98, TRUE );
	if ( progressive )
	{
		jpeg_simple_progression( &jpeg );
	}
	jpeg_start_compress( &jpeg, TRUE );
	for ( int y = 0; y < H; ++y )
	{
		uint8_t row[4 * W];
		for ( int i = 0; i < W * jpeg.input_components; ++i )
		{
			row[i] = (uint8_t)( 6 * ( i / jpeg.input_components ) + 4 * y + 20 * ( i % jpeg.input_components ) );
		}
		JSAMPROW rows = row;
		jpeg_write_scanlines( &jpeg, &rows, 1 );
	}
	jpeg_finish_compress( &jpeg );
	jpeg_destroy_compress( &jpeg );
	assert_true( size <= sizeof( f->bytes ) );
	memcpy( f->bytes, out, size );
	f->size = (int64_t)size;
	free( out );
}

static void test_jpeg_is_read( void **state )
{
	(void)state;
	static file f;
	for ( int i = 0; i < 4; ++i )
	{
		int channels = i % 2 ? 1 : 3;
		make_jpeg( channels == 1 ? JCS_GRAYSCALE : JCS_RGB, i / 2 == 1, &f );
		ds_image image;
		assert_int_equal( ds_image_decode( "made", f.bytes, f.size, MOST, NULL, &image ), DS_OK );
		assert_int_equal( image.width, W );
		assert_int_equal( image.height, H );
		assert_int_equal( image.channels, channels );
		assert_int_equal( image.bits, 8 );
		for ( int at = 0; at < W * H * channels; ++at )
		{
			int pixel = at / channels, value = 6 * ( pixel % W ) + 4 * ( pixel / W ) + 20 * ( at % channels );
			assert_true( abs( ( (uint8_t *)image.pixels )[at] - value ) <= 6 );
		}
		ds_image_free( NULL, &image );
	}
}

// ---- refused -------------------------------------------------------------------------------------------------------

static void expect_refused( const file *f, int64_t size, int64_t most, ds_status status, const char *message )
{
	counter c = { 0, 0, 1000 };
	ds_allocator allocator = { count_allocate, count_release, &c };
	// of the file's own size, so that sanitizers see what is read beyond it
	uint8_t *bytes = malloc( size > 0 ? (size_t)size : 1 );
	memcpy( bytes, f->bytes, (size_t)size );
	ds_image image;
	ds_status got = ds_image_decode( "made", bytes, size, most, &allocator, &image );
	free( bytes );
	if ( got != status || strstr( ds_last_error(), message ) == NULL )
	{
		fail_msg( "expected %d \"%s\", got %d \"%s\"", (int)status, message, (int)got, got ? ds_last_error() : "" );
	}
	assert_int_equal( c.held, 0 );
	assert_null( image.pixels );
	assert_int_equal( status == DS_ERROR_LIMIT ? c.made : 0, 0 );
}

static void test_limits( void **state )
{
	(void)state;
	static file f;
	make_png( kinds, &f );
	expect_refused( &f, f.size, W * H - 1, DS_ERROR_LIMIT, "made: the PNG has 21 x 13 pixels: at most 272 are read" );
	make_jpeg( JCS_RGB, false, &f );
	expect_refused( &f, f.size, W * H - 1, DS_ERROR_LIMIT, "made: the JPEG has 21 x 13 pixels: at most 272 are read" );
	make_jpeg( JCS_CMYK, false, &f );
	expect_refused( &f, f.size, MOST, DS_ERROR_UNSUPPORTED, "made: the JPEG is CMYK: only grey and RGB" );
	memcpy( f.bytes, "BM not a picture", 16 );
	expect_refused( &f, 16, MOST, DS_ERROR_FORMAT, "made: this is neither a PNG nor a JPEG" );
	expect_refused( &f, 0, MOST, DS_ERROR_FORMAT, "neither" );
	// memory
	make_png( kinds, &f );
	counter c = { 0, 0, 0 };
	ds_allocator allocator = { count_allocate, count_release, &c };
	ds_image image;
	assert_int_equal( ds_image_decode( "made", f.bytes, f.size, MOST, &allocator, &image ), DS_ERROR_MEMORY );
}

// A header that promises far more than deflate can hold in so few bytes is refused before rows are made.
static void test_too_large_for_its_bytes( void **state )
{
	(void)state;
	static file f;
	make_png( kinds, &f );
	const uint8_t large[8] = { 0, 0, 0x40, 0, 0, 0, 0x40, 0 };
	memcpy( f.bytes + 16, large, sizeof( large ) );
	put_check_sum( f.bytes + 12, 13 );
	expect_refused( &f, f.size, INT64_MAX, DS_ERROR_FORMAT, "made: 16384 x 16384 pixels cannot be in a PNG of" );
}

// Every file that ends too early is an error; of a PNG also every one with a changed byte, by its check sums.
static void test_cut_off( void **state )
{
	(void)state;
	static file f;
	for ( size_t i = 0; i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
	{
		make_png( kinds + i, &f );
		for ( int64_t size = 0; size < f.size; size += size < 100 || size > f.size - 100 ? 1 : 7 )
		{
			expect_refused( &f, size, MOST, DS_ERROR_FORMAT, "made: " );
		}
		for ( int64_t at = 0; at < f.size; at += 1 + at / 60 )
		{
			f.bytes[at] ^= (uint8_t)( 1 << at % 8 );
			expect_refused( &f, f.size, MOST, DS_ERROR_FORMAT, "made: " );
			f.bytes[at] ^= (uint8_t)( 1 << at % 8 );
		}
	}
	for ( int progressive = 0; progressive < 2; ++progressive )
	{
		make_jpeg( JCS_RGB, progressive, &f );
		for ( int64_t size = 0; size < f.size - 2; ++size )
		{
			expect_refused( &f, size, MOST, DS_ERROR_FORMAT, "made: " );
		}
	}
}

// A JPEG has no check sums: changed ones are read or refused, and nothing is held after an error.
static void test_changed_jpegs( void **state )
{
	(void)state;
	static file f;
	int refused = 0;
	for ( int progressive = 0; progressive < 2; ++progressive )
	{
		make_jpeg( JCS_RGB, progressive, &f );
		for ( int i = 0; i < 4000; ++i )
		{
			counter c = { 0, 0, 1000 };
			ds_allocator allocator = { count_allocate, count_release, &c };
			int64_t at = ( 3 + 7 * (int64_t)i ) % f.size;
			uint8_t change = (uint8_t)( 1 + 37 * i % 255 );
			f.bytes[at] ^= change;
			ds_image image;
			ds_status status = ds_image_decode( "made", f.bytes, f.size, MOST, &allocator, &image );
			f.bytes[at] ^= change;
			refused += status != DS_OK;
			assert_true( status == DS_OK || ( image.pixels == NULL && c.held == 0 ) );
			ds_image_free( &allocator, &image );
			assert_int_equal( c.held, 0 );
		}
	}
	assert_true( refused > 1000 );
}

// A flood of chunks that a reader might keep or inflate costs no memory and does no harm.
static void test_chunk_flood( void **state )
{
	(void)state;
	static file f, flood;
	make_png( kinds, &f );
	uint8_t text[12] = { 0, 0, 0, 0, 't', 'E', 'X', 't' };
	put_check_sum( text + 4, 0 );
	memcpy( flood.bytes, f.bytes, 33 );
	flood.size = 33;
	while ( flood.size + (int64_t)sizeof( text ) + f.size < (int64_t)sizeof( flood.bytes ) )
	{
		memcpy( flood.bytes + flood.size, text, sizeof( text ) );
		flood.size += (int64_t)sizeof( text );
	}
	memcpy( flood.bytes + flood.size, f.bytes + 33, (size_t)f.size - 33 );
	flood.size += f.size - 33;
	ds_image image;
	assert_int_equal( ds_image_decode( "flood", flood.bytes, flood.size, MOST, NULL, &image ), DS_OK );
	expect_pixels( kinds, &image );
	ds_image_free( NULL, &image );
}

// ---- writing -------------------------------------------------------------------------------------------------------

static void load( const char *path, file *f )
{
	FILE *in = fopen( path, "rb" );
	assert_non_null( in );
	f->size = (int64_t)fread( f->bytes, 1, sizeof( f->bytes ), in );
	fclose( in );
}

static void test_png_comes_back( void **state )
{
	(void)state;
	static file f;
	for ( int i = 0; i < 4; ++i )
	{
		int32_t channels = i % 2 ? 1 : 3, bits = i / 2 ? 16 : 8;
		uint16_t wide[W * H * 3];
		uint8_t narrow[W * H * 3];
		for ( int at = 0; at < W * H * channels; ++at )
		{
			wide[at] = (uint16_t)( 7919 * at );
			narrow[at] = (uint8_t)( 7919 * at );
		}
		const void *pixels = bits == 16 ? (void *)wide : (void *)narrow;
		assert_int_equal( ds_image_write_png( PATH( "out.png" ), W, H, channels, bits, pixels ), DS_OK );
		load( PATH( "out.png" ), &f );
		ds_image image;
		assert_int_equal( ds_image_decode( "out", f.bytes, f.size, MOST, NULL, &image ), DS_OK );
		assert_int_equal( image.channels, channels );
		assert_int_equal( image.bits, bits );
		assert_memory_equal( image.pixels, pixels, image.size );
		ds_image_free( NULL, &image );
	}
}

static void test_ids( void **state )
{
	(void)state;
	static file f;
	const int32_t ids[6] = { 0, 1, 258, 0x123456, 8388608 + 77, -1 };
	const uint8_t rgb[18] = { 0, 0, 0, 1, 0, 0, 2, 1, 0, 0x56, 0x34, 0x12, 77, 0, 0x80, 255, 255, 255 };
	assert_int_equal( ds_image_write_ids( PATH( "ids.png" ), 3, 2, ids ), DS_OK );
	load( PATH( "ids.png" ), &f );
	ds_image image;
	assert_int_equal( ds_image_decode( "ids", f.bytes, f.size, MOST, NULL, &image ), DS_OK );
	assert_int_equal( image.size, sizeof( rgb ) );
	assert_memory_equal( image.pixels, rgb, sizeof( rgb ) );
	ds_image_free( NULL, &image );
}

static void test_npy( void **state )
{
	(void)state;
	static file f;
	const float values[6] = { 0, 1.5f, -2, 3, 1e30f, 5 };
	assert_int_equal( ds_image_write_npy( PATH( "a.npy" ), 3, 2, 1, values ), DS_OK );
	load( PATH( "a.npy" ), &f );
	assert_int_equal( f.size, 128 + 24 );
	assert_memory_equal(
		f.bytes, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  ", 71 );
	assert_int_equal( f.bytes[127], '\n' );
	assert_memory_equal( f.bytes + 128, values, 24 );
	assert_int_equal( ds_image_write_npy( PATH( "a.npy" ), 1, 2, 3, values ), DS_OK );
	load( PATH( "a.npy" ), &f );
	assert_non_null( strstr( (char *)f.bytes + 10, "'shape': (2, 1, 3), }" ) );
}

static void expect_no_file( const char *path )
{
	assert_int_equal( access( path, F_OK ), -1 );
}

static void test_cannot_be_written( void **state )
{
	(void)state;
	const float values[1] = { 1 };
	const uint8_t pixel[3] = { 1, 2, 3 };
	assert_int_equal( ds_image_write_npy( PATH( "nowhere/a.npy" ), 1, 1, 1, values ), DS_ERROR_IO );
	assert_non_null( strstr( ds_last_error(), "nowhere/a.npy: cannot open for writing: No such file" ) );
	assert_int_equal( ds_image_write_png( PATH( "nowhere/a.png" ), 1, 1, 3, 8, pixel ), DS_ERROR_IO );
	(void)remove( PATH( "folder.png" ) );
	(void)mkdir( PATH( "folder.png" ), 0777 );
	assert_int_equal( ds_image_write_png( PATH( "folder.png" ), 1, 1, 3, 8, pixel ), DS_ERROR_IO );
	expect_no_file( PATH( "folder.png.part" ) );
	assert_int_equal( ds_image_write_png( PATH( "b.png" ), 1, 1, 2, 8, pixel ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_image_write_png( PATH( "b.png" ), 1, 1, 3, 12, pixel ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_image_write_png( PATH( "b.png" ), 0, 1, 3, 8, pixel ), DS_ERROR_ARGUMENT );
	expect_no_file( PATH( "b.png" ) );
	if ( access( "/dev/full", F_OK ) == 0 )
	{
		assert_int_equal( ds_image_write_npy( "/dev/full", 1, 1, 1, values ), DS_ERROR_IO );
		assert_non_null( strstr( ds_last_error(), "/dev/full: cannot write: No space left on device" ) );
		assert_int_equal( ds_image_write_png( "/dev/full", 1, 1, 3, 8, pixel ), DS_ERROR_IO );
		assert_non_null( strstr( ds_last_error(), "/dev/full: cannot write: No space left on device" ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_png_is_read ),
		cmocka_unit_test( test_jpeg_is_read ),
		cmocka_unit_test( test_limits ),
		cmocka_unit_test( test_too_large_for_its_bytes ),
		cmocka_unit_test( test_cut_off ),
		cmocka_unit_test( test_changed_jpegs ),
		cmocka_unit_test( test_chunk_flood ),
		cmocka_unit_test( test_png_comes_back ),
		cmocka_unit_test( test_ids ),
		cmocka_unit_test( test_npy ),
		cmocka_unit_test( test_cannot_be_written ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

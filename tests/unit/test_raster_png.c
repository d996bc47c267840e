// Heights from greyscale PNG, written here by libpng.

#include "tests/unit/raster_kit.h"

#include <png.h>

#define PATH RASTER_PATH( "heights.png" )

typedef struct image
{
	int width, height, depth, colour, interlace;
	int transparent; // -1: none
} image;

static int value_of( const image *i, int row, int column )
{
	int value = ( 300 + 7919 * row * row + 10473 * column * column + 313 * row * column ) % 60000;
	return i->depth == 16 ? value : value & 0xff;
}

static void write_png( const image *i )
{
	FILE *file = fopen( PATH, "wb" );
	assert_non_null( file );
	png_structp png = png_create_write_struct( PNG_LIBPNG_VER_STRING, NULL, NULL, NULL );
	png_infop info = png_create_info_struct( png );
	assert_non_null( info );
	png_init_io( png, file );
	png_set_IHDR( png, info, (png_uint_32)i->width, (png_uint_32)i->height, i->depth, i->colour, i->interlace,
		PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT );
	if ( i->transparent >= 0 )
	{
		png_color_16 colour = { 0 };
		colour.gray = (png_uint_16)i->transparent;
		png_set_tRNS( png, info, NULL, 0, &colour );
	}
	if ( i->colour == PNG_COLOR_TYPE_PALETTE )
	{
		png_color palette[256] = { { 1, 2, 3 } };
		png_set_PLTE( png, info, palette, 256 );
	}
	png_write_info( png, info );
	size_t row_bytes = png_get_rowbytes( png, info );
	png_bytep *rows = calloc( (size_t)i->height, sizeof( *rows ) );
	for ( int row = 0; row < i->height; ++row )
	{
		rows[row] = calloc( row_bytes, 1 );
		for ( int column = 0; column < i->width && i->colour == PNG_COLOR_TYPE_GRAY && i->depth >= 8; ++column )
		{
			int value = value_of( i, row, column );
			png_bytep at = rows[row] + column * i->depth / 8;
			at[0] = (png_byte)( i->depth == 16 ? value >> 8 : value );
			if ( i->depth == 16 )
			{
				at[1] = (png_byte)value;
			}
		}
	}
	png_write_image( png, rows );
	png_write_end( png, NULL );
	for ( int row = 0; row < i->height; ++row )
	{
		free( rows[row] );
	}
	free( rows );
	png_destroy_write_struct( &png, &info );
	assert_int_equal( fclose( file ), 0 );
}

static void expect_heights( const image *i, double scale )
{
	write_png( i );
	ds_raster_options o = ds_raster_options_default();
	o.cell = 2;
	o.scale = scale;
	o.offset = -1000;
	ds_raster_report report;
	ds_terrain *t = load( PATH, &o, &report );
	assert_string_equal( report.format, "PNG" );
	assert_string_equal( report.crs, "local" );
	assert_int_equal( report.rows, i->height );
	assert_int_equal( report.columns, i->width );
	for ( int row = 0; row < i->height; ++row )
	{
		for ( int column = 0; column < i->width; ++column )
		{
			// centred on the origin, row 0 in the north
			double north = 2 * ( 0.5 * ( i->height - 1 ) - row ), east = 2 * ( column - 0.5 * ( i->width - 1 ) );
			expect_near( depth_at( t, north, east ), 1000 - scale * value_of( i, row, column ), 1e-3 );
		}
	}
	ds_terrain_release( t );
}

static void test_heights( void **state )
{
	(void)state;
	const image sixteen = { 37, 21, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, -1 };
	const image eight = { 5, 2, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, -1 };
	const image interlaced = { 37, 21, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, -1 };
	expect_heights( &sixteen, 0.25 );
	expect_heights( &eight, 1 );
	expect_heights( &interlaced, 0.25 );
}

static void test_transparent_is_no_ground( void **state )
{
	(void)state;
	const image i = { 4, 3, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, 300 }; // the first pixel
	write_png( &i );
	ds_raster_options o = ds_raster_options_default();
	o.cell = 1;
	ds_raster_report report;
	ds_terrain_release( load( PATH, &o, &report ) );
	assert_int_equal( report.holes, 1 );
}

static void test_window( void **state )
{
	(void)state;
	const image i = { 4, 4, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, -1 };
	write_png( &i );
	ds_raster_options o = ds_raster_options_default();
	o.cell = 1;
	const double window[4] = { -0.5, 0.5, 1.5, 1.5 }; // rows 0 to 2, columns 2 and 3
	memcpy( o.window, window, sizeof( window ) );
	ds_raster_report report;
	ds_terrain *t = load( PATH, &o, &report );
	assert_int_equal( report.rows, 3 );
	assert_int_equal( report.columns, 2 );
	expect_near( depth_at( t, 1.5, 0.5 ), -value_of( &i, 0, 2 ), 1e-3 );
	expect_near( depth_at( t, -0.5, 1.5 ), -value_of( &i, 2, 3 ), 1e-3 );
	ds_terrain_release( t );
}

static void test_memory( void **state )
{
	(void)state;
	const image i = { 4, 4, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, -1 };
	write_png( &i );
	ds_raster_options o = ds_raster_options_default();
	o.cell = 1;
	expect_memory_handled( PATH, &o, 3 );
}

static void test_refused( void **state )
{
	(void)state;
	ds_raster_options o = ds_raster_options_default();
	const image grey = { 40, 30, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, -1 };
	write_png( &grey );
	expect_refused( PATH, NULL, DS_ERROR_ARGUMENT, "the spacing of its pixels (cell, in metres) is needed" );
	o.cell = 1;
	o.crs = DS_CRS_GEOGRAPHIC;
	expect_refused( PATH, &o, DS_ERROR_ARGUMENT, "cannot be geographic" );
	o.crs = DS_CRS_AUTO;

	const image colour = { 4, 3, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, -1 };
	write_png( &colour );
	expect_refused( PATH, &o, DS_ERROR_UNSUPPORTED, "is in colour: heights must be a greyscale image" );
	const image alpha = { 4, 3, 8, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_NONE, -1 };
	write_png( &alpha );
	expect_refused( PATH, &o, DS_ERROR_UNSUPPORTED, "has an alpha channel" );
	const image palette = { 4, 3, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, -1 };
	write_png( &palette );
	expect_refused( PATH, &o, DS_ERROR_UNSUPPORTED, "has a palette" );
	const image bits = { 4, 3, 4, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, -1 };
	write_png( &bits );
	expect_refused( PATH, &o, DS_ERROR_UNSUPPORTED, "has 4 bits a pixel" );
}

// Cyclic redundancy check of PNG (ISO/IEC 15948, annex D).
static uint32_t check_sum( const unsigned char *bytes, size_t size )
{
	uint32_t sum = 0xffffffff;
	for ( size_t i = 0; i < 8 * size; ++i )
	{
		sum ^= i % 8 == 0 ? bytes[i / 8] : 0;
		sum = sum & 1 ? 0xedb88320 ^ sum >> 1 : sum >> 1;
	}
	return ~sum;
}

// Cut off anywhere, it is refused; and a flipped byte is (PNG has check sums), or the header no longer says PNG.
static void test_broken( void **state )
{
	(void)state;
	const image grey = { 40, 30, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, -1 };
	write_png( &grey );
	FILE *file = fopen( PATH, "rb" );
	unsigned char bytes[8192];
	size_t size = fread( bytes, 1, sizeof( bytes ), file );
	fclose( file );
	assert_true( size > 500 && size < sizeof( bytes ) );
	ds_raster_options o = ds_raster_options_default();
	o.cell = 1;
	for ( size_t cut = 8; cut < size - 12; cut += 13 )
	{
		write_bytes( PATH, bytes, cut );
		expect_refused( PATH, &o, DS_ERROR_FORMAT, "broken or cut off" );
	}
	for ( size_t at = 8; at < size; at += 17 )
	{
		bytes[at] ^= 0x55;
		write_bytes( PATH, bytes, size );
		bytes[at] ^= 0x55;
		ds_terrain *terrain;
		ds_status status = ds_terrain_load( PATH, &o, NULL, &terrain, NULL );
		assert_int_not_equal( status, DS_OK );
		assert_null( terrain );
	}

	// a header that asks for far more than the file can hold, with its check sum right: refused before any memory is asked for
	const unsigned char wide[4] = { 0x7f, 0, 0, 40 };
	memcpy( bytes + 16, wide, 4 );
	uint32_t sum = check_sum( bytes + 12, 17 );
	const unsigned char right[4] = { (unsigned char)( sum >> 24 ), (unsigned char)( sum >> 16 ),
		(unsigned char)( sum >> 8 ), (unsigned char)sum };
	memcpy( bytes + 29, right, 4 );
	write_bytes( PATH, bytes, size );
	expect_refused( PATH, &o, DS_ERROR_FORMAT, "2130706472 x 30 pixels cannot be in a PNG of" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_heights ),
		cmocka_unit_test( test_transparent_is_no_ground ),
		cmocka_unit_test( test_window ),
		cmocka_unit_test( test_memory ),
		cmocka_unit_test( test_refused ),
		cmocka_unit_test( test_broken ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

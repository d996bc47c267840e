// Images in logs: PNG and .npy of a reading's spans, read back; readings that are none; full disks; what earlier runs left.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "deepsim/log.h"
#include "io/image.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT DEEPSIM_TEST_TMP "/"
#define W    7
#define H    5

typedef struct view
{
	int64_t width, height;
	ds_span color8;
} view;

typedef struct frame
{
	int64_t width, height;
	ds_span color8, color16, depth, normals, ids, raw;
	view small; // a struct with an image of its own
	unsigned char bytes[4096];
} frame;

#define IMAGE( struct_, member, element_ )                                                                             \
	{                                                                                                                  \
		.name = #member, .type = DS_FIELD_SPAN, .flags = DS_FIELD_IMAGE, .offset = offsetof( struct_, member ),        \
		.count = 1, .unit = "", .doc = "image", .element = element_                                                    \
	}

static const ds_field view_fields[] = { DS_I64( view, width, "", NULL, 0, 0, "width" ),
	DS_I64( view, height, "", NULL, 0, 0, "height" ), IMAGE( view, color8, DS_ELEMENT_U8 ) };
static const ds_table view_table = DS_TABLE( "view", "A small image", view, view_fields );
static const ds_field small_field[] = {
	{ .name = "small",
		.type = DS_FIELD_STRUCT,
		.offset = offsetof( frame, small ),
		.count = 1,
		.size = sizeof( view ),
		.unit = "",
		.doc = "small",
		.table = &view_table },
};
static ds_field fields[] = { DS_I64( frame, width, "px", NULL, 0, 0, "width" ),
	DS_I64( frame, height, "px", NULL, 0, 0, "height" ), IMAGE( frame, color8, DS_ELEMENT_U8 ),
	IMAGE( frame, color16, DS_ELEMENT_U16 ), IMAGE( frame, depth, DS_ELEMENT_F32 ),
	IMAGE( frame, normals, DS_ELEMENT_F32 ), IMAGE( frame, ids, DS_ELEMENT_I32 ),
	DS_SPAN( frame, raw, DS_ELEMENT_U8, "", "no image" ), { 0 } };
static const ds_table table = DS_TABLE( "frame", "A frame", frame, fields );

static ds_status open_log( const char *directory, ds_log_sink *sink )
{
	fields[DS_COUNT( fields ) - 1] = small_field[0];
	ds_status status = ds_log_csv( directory, NULL, sink );
	assert_int_equal( status, DS_OK );
	const ds_log_channel channel = { 1, "auv/cam", "camera", &table, sizeof( frame ), NULL,
		{ { 0, 0, 0 }, { 1, 0, 0, 0 } } };
	const ds_log_info info = { .channels = &channel, .channel_count = 1, .seed = 42, .rate = 200 };
	status = sink->open( sink->user, &info );
	assert_int_equal( status, DS_OK );
	return status;
}

static ds_status close_log( ds_log_sink *sink )
{
	const ds_log_end end = { DS_OK, "", 2500000000, 500 };
	ds_status status = sink->close( sink->user, &end );
	sink->destroy( sink->user );
	return status;
}

static ds_status write_frame( ds_log_sink *sink, int64_t sequence, const frame *f )
{
	const ds_sample_header header = { 1, sequence, sequence * 1000000000, sequence * 1000000000 };
	return sink->write( sink->user, 0, &header, f );
}

static void clean( const char *path )
{
	char command[512];
	snprintf( command, sizeof( command ), "rm -rf '%s'", path );
	assert_int_equal( system( command ), 0 );
}

static size_t load( const char *path, uint8_t *bytes, size_t room )
{
	FILE *file = fopen( path, "rb" );
	if ( file == NULL )
	{
		fail_msg( "%s is not there", path );
	}
	size_t size = fread( bytes, 1, room - 1, file );
	bytes[size] = 0;
	fclose( file );
	return size;
}

// Spans one behind the other, from an odd byte on: nothing is aligned.
static void fill( frame *f )
{
	memset( f, 0, sizeof( *f ) );
	f->width = W;
	f->height = H;
	f->small.width = 2;
	f->small.height = 1;
	for ( size_t i = 0; i < sizeof( f->bytes ); ++i )
	{
		f->bytes[i] = (unsigned char)( i * i / 7 + 11 * i );
	}
	int64_t at = offsetof( frame, bytes ) + 1;
	ds_span *spans[] = { &f->color8, &f->color16, &f->depth, &f->normals, &f->ids, &f->raw, &f->small.color8 };
	const int64_t counts[] = { 3 * W * H, 3 * W * H, W * H, 3 * W * H, W * H, 5, 2 }, sizes[] = { 1, 2, 4, 4, 4, 1, 1 };
	for ( int i = 0; i < 7; ++i )
	{
		*spans[i] = ( ds_span ){ at, counts[i] };
		at += counts[i] * sizes[i];
	}
}

static void expect_png( const char *path, int32_t channels, int32_t bits, const void *pixels )
{
	static uint8_t bytes[65536];
	size_t size = load( path, bytes, sizeof( bytes ) );
	ds_image image;
	assert_int_equal( ds_image_decode( path, bytes, (int64_t)size, 10000, NULL, &image ), DS_OK );
	assert_int_equal( image.channels, channels );
	assert_int_equal( image.bits, bits );
	assert_memory_equal( image.pixels, pixels, image.size );
	ds_image_free( NULL, &image );
}

static void test_images( void **state )
{
	(void)state;
	clean( ROOT "log" );
	ds_log_sink sink;
	open_log( ROOT "log", &sink );
	static frame f;
	fill( &f );
	assert_int_equal( write_frame( &sink, 3, &f ), DS_OK );
	// what was not asked for has no file, and an empty cell
	f.color8.count = f.depth.count = f.ids.count = f.small.color8.count = 0;
	f.color16.count = W * H; // grey
	assert_int_equal( write_frame( &sink, 4, &f ), DS_OK );
	assert_int_equal( close_log( &sink ), DS_OK );

	static uint8_t text[65536];
	load( ROOT "log/auv/cam.csv", text, sizeof( text ) );
	assert_string_equal( (char *)text,
		"t[s],width[px],height[px],color8,color16,depth,normals,ids,raw,small.width,small.height,small.color8\n"
		"3.000000000,7,5,auv/cam/3.color8.png,auv/cam/3.color16.png,auv/cam/3.depth.npy,auv/cam/3.normals.npy,"
		"auv/cam/3.ids.png,auv/cam/3.raw.bin,2,1,auv/cam/3.small.color8.png\n"
		"4.000000000,7,5,,auv/cam/4.color16.png,,auv/cam/4.normals.npy,,auv/cam/4.raw.bin,2,1,\n" );
	assert_int_equal( access( ROOT "log/auv/cam/4.color8.png", F_OK ), -1 );

	fill( &f );
	const unsigned char *base = (const unsigned char *)&f;
	expect_png( ROOT "log/auv/cam/3.color8.png", 3, 8, base + f.color8.offset );
	expect_png( ROOT "log/auv/cam/3.color16.png", 3, 16, base + f.color16.offset );
	expect_png( ROOT "log/auv/cam/4.color16.png", 1, 16, base + f.color16.offset );
	expect_png( ROOT "log/auv/cam/3.small.color8.png", 1, 8, base + f.small.color8.offset );
	uint8_t rgb[3 * W * H];
	for ( int i = 0; i < W * H; ++i )
	{
		memcpy( rgb + 3 * i, base + f.ids.offset + 4 * i, 3 ); // little endian
	}
	expect_png( ROOT "log/auv/cam/3.ids.png", 3, 8, rgb );
	size_t size = load( ROOT "log/auv/cam/3.depth.npy", text, sizeof( text ) );
	assert_int_equal( size, 128 + 4 * W * H );
	assert_non_null( strstr( (char *)text + 10, "'shape': (5, 7), }" ) );
	assert_memory_equal( text + 128, base + f.depth.offset, 4 * W * H );
	load( ROOT "log/auv/cam/3.normals.npy", text, sizeof( text ) );
	assert_non_null( strstr( (char *)text + 10, "'shape': (5, 7, 3), }" ) );

	load( ROOT "log/run.json", text, sizeof( text ) );
	assert_non_null(
		strstr( (char *)text, "\"name\": \"color8\", \"type\": \"span\", \"dtype\": \"|u1\", \"image\": \"png\"" ) );
	assert_non_null(
		strstr( (char *)text, "\"name\": \"ids\", \"type\": \"span\", \"dtype\": \"<i4\", \"image\": \"png_ids\"" ) );
	assert_non_null(
		strstr( (char *)text, "\"name\": \"depth\", \"type\": \"span\", \"dtype\": \"<f4\", \"image\": \"npy\"" ) );
	assert_non_null( strstr( (char *)text, "\"name\": \"raw\", \"type\": \"span\", \"dtype\": \"|u1\", \"unit\"" ) );
}

static void expect_no_image( ds_log_sink *sink, const frame *f, const char *message )
{
	assert_int_equal( write_frame( sink, 9, f ), DS_ERROR_PLUGIN );
	if ( strstr( ds_last_error(), message ) == NULL )
	{
		fail_msg( "expected \"%s\", got \"%s\"", message, ds_last_error() );
	}
}

static void test_no_images( void **state )
{
	(void)state;
	clean( ROOT "none" );
	ds_log_sink sink;
	open_log( ROOT "none", &sink );
	static frame f;
	fill( &f );
	f.color8.count = 2 * W * H;
	expect_no_image(
		&sink, &f, "auv/cam (type camera): color8: 70 elements are no image of 7 x 5 pixels of 1 or 3 numbers" );
	fill( &f );
	f.color16.count -= 1;
	expect_no_image( &sink, &f, "color16: 104 elements are no image" );
	fill( &f );
	f.ids.count *= 2;
	expect_no_image( &sink, &f, "ids: 70 elements are no image of 7 x 5 pixels of one number" );
	fill( &f );
	f.normals.count = 1;
	expect_no_image( &sink, &f, "normals: 1 elements are no image" );
	const int64_t sides[][2] = { { 0, 5 }, { -7, -5 }, { INT64_MAX, 2 }, { 1, INT64_MAX }, { INT64_MIN, 1 } };
	for ( int i = 0; i < 5; ++i )
	{
		fill( &f );
		f.width = sides[i][0];
		f.height = sides[i][1];
		expect_no_image( &sink, &f, "color8: 105 elements are no image of" );
	}
	fill( &f );
	f.color8.count = sizeof( f );
	expect_no_image( &sink, &f, "passes the reading's" );
	assert_int_equal( close_log( &sink ), DS_OK );
}

// Errors name the image's file; a file is whole or not there.
static void test_full_disk( void **state )
{
	(void)state;
	clean( ROOT "full" );
	ds_log_sink sink;
	open_log( ROOT "full", &sink );
	static frame f;
	fill( &f );
	if ( access( "/dev/full", F_OK ) == 0 )
	{
		assert_int_equal( symlink( "/dev/full", ROOT "full/auv/cam/1.color16.png" ), 0 );
		assert_int_equal( symlink( "/dev/full", ROOT "full/auv/cam/2.normals.npy" ), 0 );
		assert_int_equal( write_frame( &sink, 1, &f ), DS_ERROR_IO );
		assert_non_null(
			strstr( ds_last_error(), "full/auv/cam/1.color16.png: cannot write: No space left on device" ) );
		assert_int_equal( write_frame( &sink, 2, &f ), DS_ERROR_IO );
		assert_non_null(
			strstr( ds_last_error(), "full/auv/cam/2.normals.npy: cannot write: No space left on device" ) );
	}
	struct rlimit before, limit;
	assert_int_equal( getrlimit( RLIMIT_FSIZE, &before ), 0 );
	signal( SIGXFSZ, SIG_IGN );
	limit = before;
	limit.rlim_cur = 200;
	assert_int_equal( setrlimit( RLIMIT_FSIZE, &limit ), 0 );
	ds_status status = write_frame( &sink, 5, &f );
	char message[1024];
	snprintf( message, sizeof( message ), "%s", ds_last_error() );
	assert_int_equal( setrlimit( RLIMIT_FSIZE, &before ), 0 );
	signal( SIGXFSZ, SIG_DFL );
	assert_int_equal( status, DS_ERROR_IO );
	assert_non_null( strstr( message, "full/auv/cam/5.color8.png: cannot write: File too large; raise the limit" ) );
	assert_int_equal( access( ROOT "full/auv/cam/5.color8.png", F_OK ), -1 );
	assert_int_equal( access( ROOT "full/auv/cam/5.color8.png.part", F_OK ), -1 );
	assert_int_equal( close_log( &sink ), DS_OK );
}

// The next run into the same folder removes the images of the last, and nothing else.
static void test_earlier( void **state )
{
	(void)state;
	clean( ROOT "again" );
	ds_log_sink sink;
	static frame f;
	fill( &f );
	open_log( ROOT "again", &sink );
	assert_int_equal( write_frame( &sink, 1, &f ), DS_OK );
	assert_int_equal( close_log( &sink ), DS_OK );
	const char *const own[] = { ROOT "again/auv/cam/notes.png", ROOT "again/auv/cam/1.jpeg" };
	const char *const left[] = { ROOT "again/auv/cam/1.color8.png", ROOT "again/auv/cam/1.depth.npy",
		ROOT "again/auv/cam/1.raw.bin", ROOT "again/auv/cam/2.ids.png.part" };
	for ( int i = 0; i < 2; ++i )
	{
		fclose( fopen( own[i], "wb" ) );
	}
	fclose( fopen( left[3], "wb" ) );
	open_log( ROOT "again", &sink );
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( access( left[i], F_OK ), -1 );
	}
	for ( int i = 0; i < 2; ++i )
	{
		assert_int_equal( access( own[i], F_OK ), 0 );
	}
	assert_int_equal( close_log( &sink ), DS_OK );
}

// A table whose images have no size beside them is refused.
static void test_table( void **state )
{
	(void)state;
	fields[DS_COUNT( fields ) - 1] = small_field[0];
	assert_int_equal( ds_table_check( &table ), DS_OK );
	ds_field bad[3];
	const ds_table other = { "other", "A table", sizeof( view ), bad, 3, NULL, NULL, 0 };
	for ( int i = 0; i < 6; ++i )
	{
		memcpy( bad, view_fields, sizeof( bad ) );
		bad[0].name = i == 0 ? "breadth" : "width";
		bad[1].type = i == 1 ? DS_FIELD_F64 : DS_FIELD_I64;
		bad[1].flags = i == 2 ? DS_FIELD_HIDDEN : 0;
		bad[2].element = i == 3 ? DS_ELEMENT_F64 : DS_ELEMENT_U8;
		bad[2].type = i == 4 ? DS_FIELD_I64 : DS_FIELD_SPAN;
		ds_status status = ds_table_check( &other );
		assert_int_equal( status, i < 5 ? DS_ERROR_ARGUMENT : DS_OK );
		const char *const words[] = { "field \"width\"", "field \"height\"", "field \"height\"", "only spans of u8",
			"only spans of u8", "" };
		assert_non_null( strstr( ds_last_error(), words[i] ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_images ),
		cmocka_unit_test( test_no_images ),
		cmocka_unit_test( test_full_disk ),
		cmocka_unit_test( test_earlier ),
		cmocka_unit_test( test_table ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

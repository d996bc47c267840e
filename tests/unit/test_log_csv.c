// The log of CSV files, driven as a world drives it: exact bytes, folders, spans, run.json, earlier logs, full disks, memory.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "deepsim/log.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- readings ----------------------------------------------------------------------------------------------------

typedef struct reading
{
	double position[3];
	double temperature;
	int64_t count;
	bool valid;
	int32_t mode;
	char label[16];
} reading;

static const ds_choice modes[] = { { 0, DS_FORM_NAME, "bottom", NULL, NULL, "" },
	{ 1, DS_FORM_NAME, "water", NULL, NULL, "" } };
static const ds_field reading_fields[] = { DS_F64( reading, position, "m", "[0, 0, 0]", 0, 0, "where" ),
	DS_F64( reading, temperature, "degC", "0", 0, 0, "how warm" ), DS_I64( reading, count, "", "0", 0, 0, "how many" ),
	DS_BOOL( reading, valid, "false", "whether" ), DS_ENUM( reading, mode, modes, "\"bottom\"", "which" ),
	DS_STRING( reading, label, "\"\"", "what" ) };
static const ds_table reading_table = DS_TABLE( "reading", "A reading", reading, reading_fields );

typedef struct scan
{
	ds_span ranges;
	double extra[4]; // what the span's elements lie in
} scan;

static const ds_field scan_fields[] = { DS_SPAN( scan, ranges, DS_ELEMENT_F64, "m", "ranges" ) };
static const ds_table scan_table = DS_TABLE( "scan", "A scan", scan, scan_fields );

typedef struct image
{
	ds_span colour, depth;
	unsigned char pixels[16];
} image;

static const ds_field image_fields[] = { DS_SPAN( image, colour, DS_ELEMENT_U8, "", "colours" ),
	DS_SPAN( image, depth, DS_ELEMENT_F32, "m", "depths" ) };
static const ds_table image_table = DS_TABLE( "image", "An image", image, image_fields );

// ---- helpers -----------------------------------------------------------------------------------------------------

#define ROOT DEEPSIM_TEST_TMP "/"

static char *read_file( const char *path )
{
	FILE *file = fopen( path, "rb" );
	if ( file == NULL )
	{
		return NULL;
	}
	fseek( file, 0, SEEK_END );
	long size = ftell( file );
	rewind( file );
	char *text = calloc( 1, (size_t)size + 1 );
	assert_int_equal( fread( text, 1, (size_t)size, file ), size );
	fclose( file );
	return text;
}

static bool exists( const char *path )
{
	return access( path, F_OK ) == 0;
}

static void write_file( const char *path, const char *text )
{
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	fputs( text, file );
	fclose( file );
}

static void clean( const char *path )
{
	char command[512];
	snprintf( command, sizeof( command ), "rm -rf '%s'", path );
	assert_int_equal( system( command ), 0 );
}

// Of a channel that is mounted on nothing.
#define LOOSE                                                                                                          \
	NULL,                                                                                                              \
	{                                                                                                                  \
		{ 0, 0, 0 },                                                                                                   \
		{                                                                                                              \
			1, 0, 0, 0                                                                                                 \
		}                                                                                                              \
	}

static ds_status open_log(
	const char *directory, const ds_log_channel *channels, int32_t count, const ds_hooks *hooks, ds_log_sink *sink )
{
	ds_status status = ds_log_csv( directory, hooks, sink );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_log_info info = { channels, count, NULL, 42, 200, NULL };
	status = sink->open( sink->user, &info );
	if ( status != DS_OK )
	{
		sink->destroy( sink->user );
	}
	return status;
}

static ds_status close_log( ds_log_sink *sink, ds_status status, const char *error )
{
	ds_log_end end = { status, error, 2500000000, 500 };
	ds_status closed = sink->close( sink->user, &end );
	sink->destroy( sink->user );
	return closed;
}

static ds_status write_reading( ds_log_sink *sink, int32_t channel, int64_t sequence, ds_time time, const void *data )
{
	ds_sample_header header = { 1, sequence, time, time };
	return sink->write( sink->user, channel, &header, data );
}

// ---- tests -------------------------------------------------------------------------------------------------------

static void test_rows( void **state )
{
	(void)state;
	clean( ROOT "rows" );
	ds_log_channel channels[] = { { 1, "ctd", "reading", &reading_table, sizeof( reading ), LOOSE },
		{ 2, "auv/front/ctd", "reading", &reading_table, sizeof( reading ), LOOSE } };
	ds_log_sink sink;
	assert_int_equal( open_log( ROOT "rows/deep/", channels, 2, NULL, &sink ), DS_OK );

	reading a = { { 0.1, -2.5, 1e300 }, 4, -7, true, 1, "plain" };
	reading b = { { 0, 1.0 / 3, 3000 }, -1e-9, INT64_MAX, false, 0, "a, \"b\"" };
	assert_int_equal( write_reading( &sink, 0, 0, 0, &a ), DS_OK );
	assert_int_equal( write_reading( &sink, 1, 0, 12345000000, &a ), DS_OK );
	assert_int_equal( write_reading( &sink, 0, 1, 1, &b ), DS_OK );
	assert_int_equal( write_reading( &sink, 0, 2, INT64_C( 9000000000999999999 ), &a ), DS_OK );
	assert_int_equal( close_log( &sink, DS_OK, "" ), DS_OK );

	char *text = read_file( ROOT "rows/deep/ctd.csv" );
	assert_string_equal( text,
		"t[s],position_x[m],position_y[m],position_z[m],temperature[degC],count,valid,mode,label\n"
		"0.000000000,0.10000000000000001,-2.5,1.0000000000000001e+300,4,-7,1,water,plain\n"
		"0.000000001,0,0.33333333333333331,3000,-1.0000000000000001e-09,9223372036854775807,0,"
		"bottom,\"a, \"\"b\"\"\"\n"
		"9000000000.999999999,0.10000000000000001,-2.5,1.0000000000000001e+300,4,-7,1,water,plain\n" );
	free( text );
	text = read_file( ROOT "rows/deep/auv/front/ctd.csv" );
	assert_non_null( strstr( text, "\n12.345000000,0.1" ) );
	free( text );
}

// Rows that pass the buffer many times, and rows that are in the file before the log is closed.
static void test_many_rows( void **state )
{
	(void)state;
	clean( ROOT "many" );
	ds_log_channel channel = { 1, "ctd", "reading", &reading_table, sizeof( reading ), LOOSE };
	ds_log_sink sink;
	assert_int_equal( open_log( ROOT "many", &channel, 1, NULL, &sink ), DS_OK );
	reading r = { { 0, 0, 0 }, 4, 0, true, 0, "x" };
	for ( int64_t i = 0; i < 5000; i++ )
	{
		r.count = i;
		assert_int_equal( write_reading( &sink, 0, i, i * 5000000, &r ), DS_OK );
	}
	char *text = read_file( ROOT "many/ctd.csv" );
	assert_true( strlen( text ) > 100000 );
	assert_int_equal( text[strlen( text ) - 1], '\n' );
	free( text );
	assert_int_equal( close_log( &sink, DS_OK, "" ), DS_OK );

	text = read_file( ROOT "many/ctd.csv" );
	const char *line = strchr( text, '\n' ) + 1;
	for ( int64_t i = 0; i < 5000; i++ )
	{
		char expected[128];
		snprintf( expected, sizeof( expected ), "%lld.%09lld,0,0,0,4,%lld,1,bottom,x\n", (long long)( i / 200 ),
			(long long)( i % 200 * 5000000 ), (long long)i );
		assert_memory_equal( line, expected, strlen( expected ) );
		line += strlen( expected );
	}
	assert_int_equal( *line, '\0' );
	free( text );
}

static void test_spans( void **state )
{
	(void)state;
	clean( ROOT "spans" );
	ds_log_channel channels[] = { { 1, "auv/sonar", "scan", &scan_table, sizeof( scan ), LOOSE },
		{ 2, "camera", "image", &image_table, sizeof( image ), LOOSE } };
	ds_log_sink sink;
	assert_int_equal( open_log( ROOT "spans", channels, 2, NULL, &sink ), DS_OK );

	scan s = { { offsetof( scan, extra ) + 8, 3 }, { 9, 1.5, -2.5, 1e-300 } };
	assert_int_equal( write_reading( &sink, 0, 0, 0, &s ), DS_OK );
	s.ranges.count = 0;
	assert_int_equal( write_reading( &sink, 0, 1, 500000000, &s ), DS_OK );
	image im = { { offsetof( image, pixels ), 3 }, { offsetof( image, pixels ) + 4, 2 }, { 1, 2, 3 } };
	float depths[2] = { 0.5f, 7.25f };
	memcpy( im.pixels + 4, depths, sizeof( depths ) );
	assert_int_equal( write_reading( &sink, 1, 12, 0, &im ), DS_OK );

	// spans that pass the reading
	const ds_span bad[] = { { 0, 7 }, { -8, 1 }, { sizeof( scan ) - 8, 2 }, { 0, -1 }, { 8, INT64_MAX },
		{ INT64_MAX, 1 } };
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); i++ )
	{
		s.ranges = bad[i];
		assert_int_equal( write_reading( &sink, 0, 2, 1000000000, &s ), DS_ERROR_PLUGIN );
		assert_non_null( strstr( ds_last_error(), "auv/sonar (type scan): ranges" ) );
	}
	assert_int_equal( close_log( &sink, DS_OK, "" ), DS_OK );

	char *text = read_file( ROOT "spans/auv/sonar.csv" );
	assert_string_equal( text, "t[s],ranges[m]\n0.000000000,auv/sonar/0.bin\n0.500000000,auv/sonar/1.bin\n" );
	free( text );
	text = read_file( ROOT "spans/camera.csv" );
	assert_string_equal( text, "t[s],colour,depth[m]\n0.000000000,camera/12.colour.bin,camera/12.depth.bin\n" );
	free( text );
	text = read_file( ROOT "spans/auv/sonar/0.bin" );
	const double ranges[3] = { 1.5, -2.5, 1e-300 };
	assert_memory_equal( text, ranges, sizeof( ranges ) );
	free( text );
	struct stat info;
	assert_int_equal( stat( ROOT "spans/auv/sonar/0.bin", &info ), 0 );
	assert_int_equal( info.st_size, sizeof( ranges ) );
	assert_int_equal( stat( ROOT "spans/auv/sonar/1.bin", &info ), 0 );
	assert_int_equal( info.st_size, 0 );
	text = read_file( ROOT "spans/camera/12.depth.bin" );
	assert_memory_equal( text, depths, sizeof( depths ) );
	free( text );
	text = read_file( ROOT "spans/camera/12.colour.bin" );
	assert_string_equal( text, "\001\002\003" );
	free( text );
}

static const ds_json *member( const ds_json *object, const char *key )
{
	const ds_json *value = ds_json_find( object, key );
	assert_non_null( value );
	return value;
}

static void test_run_json( void **state )
{
	(void)state;
	clean( ROOT "run" );
	const ds_pose mount = { { 0.5, -0.25, 2 }, { 0.5, -0.5, 0.5, -0.5 } };
	ds_log_channel channels[] = { { 1, "ctd", "reading", &reading_table, sizeof( reading ), LOOSE },
		{ 2, "sonar", "scan", &scan_table, sizeof( scan ), "auv", mount } };
	ds_log_sink sink;
	assert_int_equal( open_log( ROOT "run", channels, 2, NULL, &sink ), DS_OK );

	ds_arena arena;
	ds_json *root;
	ds_arena_init( &arena, NULL );
	assert_int_equal( ds_json_load( &arena, ROOT "run/run.json", &root ), DS_OK );
	assert_string_equal( member( root, "status" )->string, "running" );

	reading r = { { 0, 0, 0 }, 4, 0, true, 0, "x" };
	for ( int64_t i = 0; i < 3; i++ )
	{
		assert_int_equal( write_reading( &sink, 0, i, i * 1000000000, &r ), DS_OK );
	}
	assert_int_equal( close_log( &sink, DS_ERROR_NOT_FINITE, "body \"auv\" \\ left" ), DS_OK );

	assert_int_equal( ds_json_load( &arena, ROOT "run/run.json", &root ), DS_OK );
	assert_string_equal( member( root, "status" )->string, "not finite" );
	assert_string_equal( member( root, "error" )->string, "body \"auv\" \\ left" );
	assert_string_equal( member( root, "version" )->string, ds_version() );
	assert_true( member( root, "sim_time" )->number == 2.5 );
	assert_true( member( root, "ticks" )->number == 500 );
	assert_true( member( root, "seed" )->number == 42 );
	assert_true( member( root, "rate" )->number == 200 );
	assert_int_equal( member( root, "scenario" )->type, DS_JSON_NULL );
	const ds_json *list = member( root, "channels" );
	assert_int_equal( list->count, 2 );
	const ds_json *ctd = ds_json_at( list, 0 ), *sonar = ds_json_at( list, 1 );
	assert_string_equal( member( ctd, "name" )->string, "ctd" );
	assert_string_equal( member( ctd, "type" )->string, "reading" );
	assert_string_equal( member( ctd, "file" )->string, "ctd.csv" );
	assert_true( member( ctd, "samples" )->number == 3 );
	assert_true( member( sonar, "samples" )->number == 0 );
	const ds_json *place = member( member( sonar, "mount" ), "position" );
	const ds_json *attitude = member( member( sonar, "mount" ), "quaternion" );
	assert_string_equal( member( sonar, "frame" )->string, "sonar" );
	assert_string_equal( member( sonar, "body" )->string, "auv" );
	assert_true( ds_json_at( place, 1 )->number == -0.25 && ds_json_at( place, 2 )->number == 2 );
	assert_true( attitude->count == 4 && ds_json_at( attitude, 3 )->number == -0.5 );
	assert_null( ds_json_find( ctd, "frame" ) );
	const ds_json *fields = member( ctd, "fields" );
	assert_int_equal( fields->count, 8 );
	assert_string_equal( member( ds_json_at( fields, 2 ), "name" )->string, "position_z" );
	assert_string_equal( member( ds_json_at( fields, 2 ), "unit" )->string, "m" );
	assert_string_equal( member( ds_json_at( fields, 6 ), "type" )->string, "enum" );
	const ds_json *ranges = ds_json_at( member( sonar, "fields" ), 0 );
	assert_string_equal( member( ranges, "type" )->string, "span" );
	assert_string_equal( member( ranges, "dtype" )->string + 1, "f8" );
	ds_arena_free( &arena );
}

// An earlier log goes, with the files of sensors that are no more; what is not of a log stays.
static void test_earlier_log( void **state )
{
	(void)state;
	clean( ROOT "earlier" );
	ds_log_channel channels[] = { { 1, "new", "reading", &reading_table, sizeof( reading ), LOOSE },
		{ 2, "old", "reading", &reading_table, sizeof( reading ), LOOSE },
		{ 3, "sonar", "scan", &scan_table, sizeof( scan ), LOOSE } };
	ds_log_sink sink;
	assert_int_equal( open_log( ROOT "earlier", channels, 3, NULL, &sink ), DS_OK );
	scan s = { { 0, 0 }, { 0 } };
	assert_int_equal( write_reading( &sink, 2, 0, 0, &s ), DS_OK );
	assert_int_equal( write_reading( &sink, 2, 1, 0, &s ), DS_OK );
	assert_int_equal( close_log( &sink, DS_OK, "" ), DS_OK );
	assert_true( exists( ROOT "earlier/sonar/1.bin" ) );
	write_file( ROOT "earlier/notes.csv", "mine\n" );
	write_file( ROOT "earlier/sonar/notes.bin", "mine\n" );

	assert_int_equal( open_log( ROOT "earlier", channels, 1, NULL, &sink ), DS_OK );
	assert_int_equal( close_log( &sink, DS_OK, "" ), DS_OK );
	assert_true( exists( ROOT "earlier/new.csv" ) );
	assert_false( exists( ROOT "earlier/old.csv" ) );
	assert_false( exists( ROOT "earlier/sonar.csv" ) );
	assert_false( exists( ROOT "earlier/sonar/0.bin" ) );
	assert_false( exists( ROOT "earlier/sonar/1.bin" ) );
	assert_true( exists( ROOT "earlier/notes.csv" ) );
	assert_true( exists( ROOT "earlier/sonar/notes.bin" ) );
}

static void test_foreign_files( void **state )
{
	(void)state;
	clean( ROOT "foreign" );
	assert_int_equal( mkdir( ROOT "foreign", 0777 ), 0 );
	assert_int_equal( mkdir( ROOT "foreign/log", 0777 ), 0 );
	ds_log_channel channel = { 1, "ctd", "reading", &reading_table, sizeof( reading ), LOOSE };
	ds_log_sink sink;

	// somebody else's run.json, and one that is no JSON
	const char *const texts[] = { "{ \"name\": \"jogging\" }\n", "hello" };
	for ( size_t i = 0; i < 2; i++ )
	{
		write_file( ROOT "foreign/log/run.json", texts[i] );
		assert_int_equal( open_log( ROOT "foreign/log", &channel, 1, NULL, &sink ), DS_ERROR_IO );
		assert_non_null( strstr( ds_last_error(), "foreign/log/run.json: this is not the log of an earlier run" ) );
		char *text = read_file( ROOT "foreign/log/run.json" );
		assert_string_equal( text, texts[i] );
		free( text );
		assert_false( exists( ROOT "foreign/log/ctd.csv" ) );
	}

	// names that lead out of the folder
	write_file( ROOT "foreign/victim.csv", "mine\n" );
	write_file(
		ROOT "foreign/log/run.json", "{ \"deepsim_log\": 1, \"channels\": [ { \"name\": \"../victim\" }, 3, {} ] }" );
	assert_int_equal( open_log( ROOT "foreign/log", &channel, 1, NULL, &sink ), DS_OK );
	assert_int_equal( close_log( &sink, DS_OK, "" ), DS_OK );
	assert_true( exists( ROOT "foreign/victim.csv" ) );
}

static void test_names( void **state )
{
	(void)state;
	clean( ROOT "names" );
	const char *const names[] = { "", "..", "../x", "/x", "x/", "a//b", "a/./b", "a\nb", "a\\b" };
	ds_log_sink sink;
	for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); i++ )
	{
		ds_log_channel channel = { 1, names[i], "reading", &reading_table, sizeof( reading ), LOOSE };
		assert_int_equal( open_log( ROOT "names", &channel, 1, NULL, &sink ), DS_ERROR_ARGUMENT );
	}
	ds_log_channel twice[] = { { 1, "x", "reading", &reading_table, sizeof( reading ), LOOSE },
		{ 2, "x", "reading", &reading_table, sizeof( reading ), LOOSE } };
	assert_int_equal( open_log( ROOT "names", twice, 2, NULL, &sink ), DS_ERROR_DUPLICATE );
	assert_int_equal( ds_log_csv( "", NULL, &sink ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_log_csv( NULL, NULL, &sink ), DS_ERROR_ARGUMENT );

	// a folder that cannot be made, and one that is a file
	write_file( ROOT "names/file", "" );
	ds_log_channel channel = { 1, "x", "reading", &reading_table, sizeof( reading ), LOOSE };
	assert_int_equal( open_log( ROOT "names/file/log", &channel, 1, NULL, &sink ), DS_ERROR_IO );
	assert_non_null( strstr( ds_last_error(), "names/file" ) );
	assert_int_equal( open_log( ROOT "names/file", &channel, 1, NULL, &sink ), DS_ERROR_IO );
}

// Writes until something fails; returns what, or what closing said.
static ds_status fill( ds_log_sink *sink, int64_t rows, ds_status *closed )
{
	reading r = { { 0.1, 0.1, 0.1 }, 4, 0, true, 0, "x" };
	ds_status status = DS_OK;
	for ( int64_t i = 0; i < rows && status == DS_OK; i++ )
	{
		status = write_reading( sink, 0, i, i, &r );
	}
	char message[1024];
	snprintf( message, sizeof( message ), "%s", ds_last_error() );
	*closed = close_log( sink, status, status == DS_OK ? "" : message );
	if ( status != DS_OK )
	{
		ds_error( status, "%s", message );
	}
	return status;
}

static void test_full_disk( void **state )
{
	(void)state;
	if ( !exists( "/dev/full" ) )
	{
		skip();
	}
	clean( ROOT "full" );
	assert_int_equal( mkdir( ROOT "full", 0777 ), 0 );
	assert_int_equal( symlink( "/dev/full", ROOT "full/ctd.csv" ), 0 );
	ds_log_channel channel = { 1, "ctd", "reading", &reading_table, sizeof( reading ), LOOSE };
	ds_log_sink sink;
	assert_int_equal( open_log( ROOT "full", &channel, 1, NULL, &sink ), DS_ERROR_IO );
	assert_non_null(
		strstr( ds_last_error(), "full/ctd.csv: cannot write: No space left on device; free some space" ) );
	char *text = read_file( ROOT "full/run.json" );
	assert_non_null( strstr( text, "\"status\": \"input/output error\"" ) );
	free( text );
}

// A limit on the size of files, as a full disk that is met in the middle of a run and at its end.
static void test_file_limit( void **state )
{
	(void)state;
	ds_log_channel channel = { 1, "ctd", "reading", &reading_table, sizeof( reading ), LOOSE };
	struct rlimit before, limit;
	assert_int_equal( getrlimit( RLIMIT_FSIZE, &before ), 0 );
	signal( SIGXFSZ, SIG_IGN );
	for ( int late = 0; late < 2; late++ )
	{
		clean( ROOT "limit" );
		ds_log_sink sink;
		assert_int_equal( open_log( ROOT "limit", &channel, 1, NULL, &sink ), DS_OK );
		limit = before;
		limit.rlim_cur = late ? 8000 : 50000;
		assert_int_equal( setrlimit( RLIMIT_FSIZE, &limit ), 0 );
		ds_status closed;
		ds_status status = fill( &sink, late ? 200 : 5000, &closed );
		char message[1024];
		snprintf( message, sizeof( message ), "%s", ds_last_error() );
		assert_int_equal( setrlimit( RLIMIT_FSIZE, &before ), 0 );

		assert_int_equal( status, late ? DS_OK : DS_ERROR_IO );
		assert_int_equal( closed, late ? DS_ERROR_IO : DS_OK );
		assert_non_null( strstr( message, "limit/ctd.csv: cannot write: File too large; raise the limit" ) );
		char *text = read_file( ROOT "limit/run.json" );
		assert_non_null( strstr( text, "\"status\": \"input/output error\"" ) );
		assert_non_null( strstr( text, "limit/ctd.csv: cannot write" ) );
		free( text );
	}
	signal( SIGXFSZ, SIG_DFL );
}

// ---- memory ------------------------------------------------------------------------------------------------------

typedef struct counter
{
	long made, released, limit; // limit: allocations that succeed; negative: all
} counter;

static void *count_allocate( void *user, size_t size, size_t alignment )
{
	counter *c = user;
	if ( c->limit >= 0 && c->made >= c->limit )
	{
		return NULL;
	}
	c->made++;
	return aligned_alloc( alignment, size );
}

static void count_release( void *user, void *memory, size_t size )
{
	(void)size;
	counter *c = user;
	c->released++;
	free( memory );
}

static void test_memory( void **state )
{
	(void)state;
	clean( ROOT "memory" );
	ds_log_channel channels[] = { { 1, "ctd", "reading", &reading_table, sizeof( reading ), LOOSE },
		{ 2, "sonar", "scan", &scan_table, sizeof( scan ), LOOSE } };
	reading r = { { 0, 0, 0 }, 4, 0, true, 0, "x" };
	scan s = { { 0, 2 }, { 0 } };
	bool good = false;
	long failures = 0;
	for ( long limit = 0; !good && limit < 200; limit++ )
	{
		counter c = { 0, 0, limit };
		ds_hooks hooks = { { count_allocate, count_release, &c }, NULL, NULL };
		ds_log_sink sink;
		ds_status status = open_log( ROOT "memory", channels, 2, &hooks, &sink );
		if ( status == DS_OK )
		{
			// nothing is allocated while readings come
			long made = c.made;
			for ( int64_t i = 0; i < 1000; i++ )
			{
				assert_int_equal( write_reading( &sink, 0, i, i, &r ), DS_OK );
			}
			assert_int_equal( write_reading( &sink, 1, 0, 0, &s ), DS_OK );
			assert_int_equal( c.made, made );
			status = close_log( &sink, DS_OK, "" );
		}
		assert_int_equal( c.made, c.released );
		good = status == DS_OK;
		failures += !good;
		assert_true( good || status == DS_ERROR_MEMORY );
	}
	assert_true( good );
	assert_true( failures > 5 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_rows ),
		cmocka_unit_test( test_many_rows ),
		cmocka_unit_test( test_spans ),
		cmocka_unit_test( test_run_json ),
		cmocka_unit_test( test_earlier_log ),
		cmocka_unit_test( test_foreign_files ),
		cmocka_unit_test( test_names ),
		cmocka_unit_test( test_full_disk ),
		cmocka_unit_test( test_file_limit ),
		cmocka_unit_test( test_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

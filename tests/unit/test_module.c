// The loader of modules: where it looks, and what it says of a module that is missing, broken or of another release.

#include "base/module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER DEEPSIM_TEST_TMP "/modules"
#define MODULE FOLDER "/raster_gdal.so"

static void copy_file( const char *from, const char *to )
{
	FILE *in = fopen( from, "rb" ), *out = fopen( to, "wb" );
	assert_non_null( in );
	assert_non_null( out );
	char bytes[4096];
	for ( size_t n; ( n = fread( bytes, 1, sizeof( bytes ), in ) ) > 0; )
	{
		assert_int_equal( fwrite( bytes, 1, n, out ), n );
	}
	fclose( in );
	assert_int_equal( fclose( out ), 0 );
}

static void expect_refused( const char *part )
{
	const void *table = FOLDER;
	assert_int_equal( ds_module_open( "raster_gdal", NULL, &table ), DS_ERROR_UNSUPPORTED );
	assert_null( table );
	if ( strstr( ds_last_error(), part ) == NULL )
	{
		print_error( "no \"%s\" in: %s\n", part, ds_last_error() );
	}
	assert_non_null( strstr( ds_last_error(), part ) );
}

static void test_wrong_modules( void **state )
{
	(void)state;
	mkdir( FOLDER, 0777 );
	setenv( "DEEPSIM_MODULE_PATH", "/nowhere:" FOLDER, 1 );
	copy_file( DEEPSIM_TEST_PLUGINS "/no_symbol.so", MODULE );
	expect_refused( "is none of libdeepsim " );
	remove( MODULE );
	copy_file( DEEPSIM_TEST_PLUGINS "/old_module.so", MODULE );
	expect_refused( MODULE );
	remove( MODULE );

	// no shared object
	FILE *file = fopen( MODULE, "wb" );
	assert_non_null( file );
	fputs( "nothing\n", file );
	fclose( file );
	expect_refused( "cannot load the module " MODULE );
	remove( MODULE );
	const void *table;
	assert_int_equal( ds_module_open( "raster", NULL, &table ), DS_ERROR_INTERNAL );
}

// A pipe of that name must not be waited for: it is passed by, and the next place serves, if there is a module.
static void test_pipe( void **state )
{
	(void)state;
	mkdir( FOLDER, 0777 );
	remove( MODULE );
	assert_int_equal( mkfifo( MODULE, 0666 ), 0 );
	setenv( "DEEPSIM_MODULE_PATH", FOLDER, 1 );
	const void *table;
	ds_status status = ds_module_open( "raster_gdal", NULL, &table );
	remove( MODULE );
	if ( status != DS_OK )
	{
		assert_int_equal( status, DS_ERROR_UNSUPPORTED );
		assert_non_null( strstr( ds_last_error(), FOLDER ) );
		assert_non_null( strstr( ds_last_error(), "DEEPSIM_GDAL=ON" ) );
	}
}

static void *open_it( void *unused )
{
	(void)unused;
	const void *table = NULL;
	return ds_module_open( "raster_gdal", NULL, &table ) == DS_OK ? (void *)(uintptr_t)table : NULL;
}

// All threads get the one table.
static void test_many_threads( void **state )
{
	(void)state;
	unsetenv( "DEEPSIM_MODULE_PATH" );
	pthread_t threads[8];
	void *tables[8];
	for ( int i = 0; i < 8; ++i )
	{
		assert_int_equal( pthread_create( &threads[i], NULL, open_it, NULL ), 0 );
	}
	for ( int i = 0; i < 8; ++i )
	{
		pthread_join( threads[i], &tables[i] );
		assert_ptr_equal( tables[i], tables[0] );
	}
	if ( tables[0] == NULL )
	{
		skip(); // a build without GDAL
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_wrong_modules ),
		cmocka_unit_test( test_pipe ),
		cmocka_unit_test( test_many_threads ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

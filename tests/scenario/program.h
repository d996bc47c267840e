// For tests that run the program deepsim as people do: by a shell, with its output in files.

#ifndef DEEPSIM_TESTS_PROGRAM_H
#define DEEPSIM_TESTS_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOT DEEPSIM_TEST_TMP "/"
#define OUT  ROOT "stdout.txt"
#define ERR  ROOT "stderr.txt"

// The bytes of a file with a NUL after them, or NULL. The caller frees them.
static inline char *read_file( const char *path )
{
	FILE *file = fopen( path, "rb" );
	if ( file == NULL )
	{
		return NULL;
	}
	size_t size = 0, room = 4096;
	char *text = calloc( 1, room );
	for ( size_t n = 1; n > 0; size += n )
	{
		if ( size + 1 >= room )
		{
			room *= 2;
			text = realloc( text, room );
		}
		n = fread( text + size, 1, room - size - 1, file );
	}
	text[size] = '\0';
	fclose( file );
	return text;
}

static inline void write_file( const char *path, const char *text )
{
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	fputs( text, file );
	assert_int_equal( fclose( file ), 0 );
}

// Runs a line of shell; its exit code.
static inline int shell( const char *line )
{
	int status = system( line );
	assert_true( WIFEXITED( status ) );
	return WEXITSTATUS( status );
}

// Runs the program with arguments as a shell reads them; output goes to OUT and ERR. Its exit code.
static inline int deepsim( const char *arguments )
{
	char line[4096];
	snprintf( line, sizeof( line ), "cd '%s' && '%s' %s >'%s' 2>'%s'", DEEPSIM_TEST_TMP, DEEPSIM_PROGRAM, arguments,
		OUT, ERR );
	return shell( line );
}

static inline void expect_text( const char *path, const char *part )
{
	char *text = read_file( path );
	assert_non_null( text );
	if ( strstr( text, part ) == NULL )
	{
		print_error( "%s has no \"%s\":\n%s\n", path, part, text );
		fail();
	}
	free( text );
}

static inline void expect_empty( const char *path )
{
	char *text = read_file( path );
	assert_non_null( text );
	assert_string_equal( text, "" );
	free( text );
}

static inline void expect_same( const char *a, const char *b )
{
	char *first = read_file( a ), *second = read_file( b );
	assert_non_null( first );
	assert_non_null( second );
	assert_string_equal( first, second );
	free( first );
	free( second );
}

static inline int count_lines( const char *path )
{
	char *text = read_file( path );
	assert_non_null( text );
	int count = 0;
	for ( const char *c = text; *c; c++ )
	{
		count += *c == '\n';
	}
	free( text );
	return count;
}

static inline const ds_json *load_json( ds_arena *arena, const char *path )
{
	ds_json *root = NULL;
	ds_arena_init( arena, NULL );
	if ( ds_json_load( arena, path, &root ) != DS_OK )
	{
		print_error( "%s\n", ds_last_error() );
		fail();
	}
	return root;
}

static inline const ds_json *member( const ds_json *object, const char *key )
{
	const ds_json *value = ds_json_find( object, key );
	if ( value == NULL )
	{
		print_error( "no member \"%s\"\n", key );
		fail();
	}
	return value;
}

// A ball that sinks, with a noisy and an exact sensor: 100 ticks a second, 2 s.
static inline void write_drop( const char *path )
{
	write_file( path,
		"{\n"
		"  \"deepsim\": 1, \"name\": \"drop\", \"duration\": 2, \"rate\": 100, \"seed\": 42,\n"
		"  \"environment\": { \"seabed\": { \"elevation\": { \"model\": \"flat\", \"depth\": 5000 } } },\n"
		"  \"bodies\": [ { \"name\": \"ball\", \"mesh\": { \"make\": \"sphere\", \"radius\": 0.2, \"faces\": 80 }, "
		"\"mass\": 40,\n"
		"    \"inertia\": \"mesh\", \"pose\": { \"position\": [0, 0, 2], \"rpy_deg\": [10, 20, 30] },\n"
		"    \"velocity\": { \"linear\": [1, 0, 0], \"angular\": [0, 0, 0.5] },\n"
		"    \"hydrodynamics\": { \"form_drag\": 1.0, \"added_mass\": \"ellipsoid\" } } ],\n"
		"  \"sensors\": [\n"
		"    { \"name\": \"truth\", \"type\": \"odometry\", \"body\": \"ball\", \"rate\": 10 },\n"
		"    { \"name\": \"depth\", \"type\": \"pressure\", \"body\": \"ball\", \"rate\": 20, \"config\": { \"noise\": "
		"100 } } ]\n"
		"}\n" );
}

#endif

// Files that tests write.

#ifndef DEEPSIM_TEST_FILE_KIT_H
#define DEEPSIM_TEST_FILE_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static inline void write_bytes( const char *path, const void *bytes, size_t size )
{
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( bytes, 1, size, file ), size );
	assert_int_equal( fclose( file ), 0 );
}

static inline void write_text( const char *path, const char *text )
{
	write_bytes( path, text, strlen( text ) );
}

#endif

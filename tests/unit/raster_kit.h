// For tests of rasters: files made from text, and what is expected of a load.

#ifndef DEEPSIM_TESTS_RASTER_KIT_H
#define DEEPSIM_TESTS_RASTER_KIT_H

#include "deepsim/terrain.h"
#include "tests/unit/file_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RASTER_PATH( name ) DEEPSIM_TEST_TMP "/" name

// Loads what must load.
static inline ds_terrain *load( const char *path, const ds_raster_options *options, ds_raster_report *report )
{
	ds_terrain *terrain = NULL;
	ds_status status = ds_terrain_load( path, options, NULL, &terrain, report );
	if ( status != DS_OK )
	{
		print_error( "%s\n", ds_last_error() );
	}
	assert_int_equal( status, DS_OK );
	assert_non_null( terrain );
	return terrain;
}

// A load that must fail, with a message that holds `part` and no terrain.
static inline void expect_refused(
	const char *path, const ds_raster_options *options, ds_status status, const char *part )
{
	ds_terrain *terrain = (ds_terrain *)(intptr_t)1;
	ds_status got = ds_terrain_load( path, options, NULL, &terrain, NULL );
	if ( got != status || strstr( ds_last_error(), part ) == NULL )
	{
		print_error( "expected %s with \"%s\", got %s: %s\n", ds_status_name( status ), part, ds_status_name( got ),
			got == DS_OK ? "" : ds_last_error() );
	}
	assert_int_equal( got, status );
	assert_non_null( strstr( ds_last_error(), part ) );
	assert_null( terrain );
}

static inline void expect_near( double value, double wanted, double tolerance )
{
	if ( !( fabs( value - wanted ) <= tolerance ) )
	{
		print_error( "expected %.12g within %g, got %.12g\n", wanted, tolerance, value );
	}
	assert_true( fabs( value - wanted ) <= tolerance );
}

// Depth of the ground at a place where there must be some.
static inline double depth_at( const ds_terrain *terrain, double north, double east )
{
	ds_terrain_point point;
	assert_true( ds_terrain_at( terrain, north, east, &point ) );
	return point.z;
}

// ---- memory --------------------------------------------------------------------------------------------------------

typedef struct counter
{
	int64_t blocks, left; // left: allocations that succeed
} counter;

static inline void *count_allocate( void *user, size_t size, size_t alignment )
{
	counter *c = user;
	if ( c->left-- <= 0 )
	{
		return NULL;
	}
	c->blocks += 1;
	return aligned_alloc( alignment, size );
}

static inline void count_release( void *user, void *memory, size_t size )
{
	counter *c = user;
	(void)size;
	c->blocks -= 1;
	free( memory );
}

// Fails the first allocation, the second, and so on: each time the load is refused, and nothing is left. `least` fail at least.
static inline void expect_memory_handled( const char *path, const ds_raster_options *options, int least )
{
	int failures = 0;
	for ( int64_t left = 0;; ++left )
	{
		counter c = { 0, left };
		ds_hooks hooks = { { count_allocate, count_release, &c }, NULL, NULL };
		ds_terrain *terrain;
		ds_status status = ds_terrain_load( path, options, &hooks, &terrain, NULL );
		ds_terrain_release( terrain );
		assert_int_equal( c.blocks, 0 );
		if ( status == DS_OK )
		{
			break;
		}
		assert_int_equal( status, DS_ERROR_MEMORY );
		++failures;
	}
	assert_true( failures >= least );
}

#endif

// For tests of terrain: ground to ask, numbers at random, and an allocator that fails.

#ifndef DEEPSIM_TESTS_TERRAIN_KIT_H
#define DEEPSIM_TESTS_TERRAIN_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/random.h"
#include "deepsim/math.h"
#include "terrain/terrain.h"

#include <stdlib.h>
#include <string.h>

static inline void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

#define assert_near( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )

static inline void ok_at( ds_status status, int line )
{
	if ( status != DS_OK )
	{
		print_error( "line %d: %s\n", line, ds_last_error() );
		fail();
	}
}

#define assert_ok( call ) ok_at( call, __LINE__ )

static inline ds_random numbers( uint64_t seed )
{
	ds_random random;
	uint32_t key[2];
	ds_random_key( seed, "test_terrain", key );
	ds_random_start( &random, key, 0, 0 );
	return random;
}

static inline double between( ds_random *random, double low, double high )
{
	return low + ( high - low ) * ds_random_uniform( random );
}

static inline ds_terrain *grid_of( int64_t rows, int64_t columns, double north, double east, double spacing_north,
	double spacing_east, const double *z )
{
	ds_terrain *terrain = NULL;
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.rows = rows;
	def.columns = columns;
	def.north = north;
	def.east = east;
	def.spacing_north = spacing_north;
	def.spacing_east = spacing_east;
	def.z = z;
	assert_ok( ds_terrain_grid( &def, NULL, &terrain ) );
	return terrain;
}

// A grid of random depths about 3000 m, 0.7 by 1.3 m, with its part `holes` of samples missing.
static inline ds_terrain *rough_grid( int64_t rows, int64_t columns, double north, double east, double holes )
{
	ds_random random = numbers( 7 );
	double *z = malloc( (size_t)( rows * columns ) * sizeof( double ) );
	for ( int64_t k = 0; k < rows * columns; ++k )
	{
		z[k] = between( &random, 2998, 3002 );
		z[k] = ds_random_uniform( &random ) < holes ? NAN : z[k];
	}
	ds_terrain *terrain = grid_of( rows, columns, north, east, 0.7, 1.3, z );
	free( z );
	return terrain;
}

// Whether a place lies in a triangle, seen from above, its edges widened by `margin` [m].
static inline bool covers( const ds_vec3 c[3], double north, double east, double margin )
{
	for ( int k = 0; k < 3; ++k )
	{
		ds_vec3 a = c[k], b = c[( k + 1 ) % 3];
		double along_x = b.x - a.x, along_y = b.y - a.y;
		double off = along_y * ( north - a.x ) - along_x * ( east - a.y );
		if ( off < -margin * sqrt( along_x * along_x + along_y * along_y ) )
		{
			return false;
		}
	}
	return true;
}

// Depth of a triangle's plane at a place.
static inline double plane_z( const ds_vec3 c[3], double north, double east )
{
	ds_vec3 n = ds_cross( ds_sub( c[1], c[0] ), ds_sub( c[2], c[0] ) );
	return c[0].z - ( n.x * ( north - c[0].x ) + n.y * ( east - c[0].y ) ) / n.z;
}

static inline ds_vec3 triangle_normal( const ds_vec3 c[3] )
{
	ds_vec3 n = ds_cross( ds_sub( c[1], c[0] ), ds_sub( c[2], c[0] ) );
	return ds_scale( 1 / ds_length( n ), n );
}

// ---- an allocator that fails

typedef struct purse
{
	int64_t left; // allocations until it fails; below 0: never
	int64_t taken, given; // allocations, of which were given back
	size_t bytes; // still out
} purse;

static inline void *purse_allocate( void *user, size_t size, size_t alignment )
{
	purse *p = user;
	if ( p->left == 0 )
	{
		return NULL;
	}
	p->left -= p->left > 0;
	p->taken += 1;
	p->bytes += size;
	return aligned_alloc( alignment, size );
}

static inline void purse_release( void *user, void *memory, size_t size )
{
	purse *p = user;
	p->given += 1;
	p->bytes -= size;
	free( memory );
}

static inline ds_hooks purse_hooks( purse *p )
{
	ds_hooks hooks = { { purse_allocate, purse_release, p }, NULL, NULL };
	return hooks;
}

// Makes terrain with an allocator that fails at its first allocation, its second, ..., until it is made.
typedef ds_status make_fn( const void *user, const ds_hooks *hooks, ds_terrain **terrain );

static inline int64_t survives_failures( make_fn *make, const void *user )
{
	for ( int64_t allowed = 0;; ++allowed )
	{
		purse p = { .left = allowed };
		ds_hooks hooks = purse_hooks( &p );
		ds_terrain *terrain = (ds_terrain *)&p;
		ds_status status = make( user, &hooks, &terrain );
		if ( status == DS_OK )
		{
			assert_int_equal( p.taken, allowed );
			ds_terrain_release( terrain );
		}
		else
		{
			assert_int_equal( status, DS_ERROR_MEMORY );
			assert_null( terrain );
		}
		assert_int_equal( p.taken, p.given );
		assert_int_equal( p.bytes, 0 );
		if ( status == DS_OK )
		{
			return allowed;
		}
	}
}

#endif

// Ground: making it, and asking it.

#include "tests/bench/bench.h"

#include "terrain/terrain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Bench names and their functions: heightfield_4097 [s], terrain_fractal_4097 [s], terrain_points_512 [ns/point].
double bench_heightfield_4097( char *detail, size_t size );
double bench_terrain_fractal_4097( char *detail, size_t size );
double bench_terrain_points_512( char *detail, size_t size );

#define SIDE    4097
#define REPEATS 5
#define POINTS  512
#define CALLS   200

// Hills of some tens of metres, in doubles as a raster's reader has them.
static double *hills( void )
{
	double *z = malloc( SIDE * SIDE * sizeof( double ) );
	for ( int i = 0; z && i < SIDE; ++i )
	{
		double row = 3000 + 20 * sin( 0.01 * i );
		for ( int j = 0; j < SIDE; ++j )
		{
			z[(int64_t)i * SIDE + j] = row + 0.01 * ( ( i * 31 + j * 17 ) % 101 );
		}
	}
	return z;
}

static ds_terrain *grid_of( const double *z )
{
	ds_terrain *terrain = NULL;
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.north = def.east = -2048;
	def.rows = def.columns = SIDE;
	def.z = z;
	ds_terrain_grid( &def, NULL, &terrain );
	return terrain;
}

double bench_heightfield_4097( char *detail, size_t size )
{
	double seconds[REPEATS], *z = hills();
	if ( z == NULL )
	{
		snprintf( detail, size, "no memory for %d x %d depths", SIDE, SIDE );
		return (double)NAN;
	}
	for ( int k = 0; k < REPEATS; ++k )
	{
		double start = bench_clock();
		ds_terrain *terrain = grid_of( z );
		seconds[k] = bench_clock() - start;
		if ( terrain == NULL )
		{
			free( z );
			return bench_fail( detail, size );
		}
		ds_terrain_release( terrain );
	}
	free( z );
	snprintf( detail, size, "grid of %d x %d depths: checked, stored, bounds of blocks", SIDE, SIDE );
	return bench_median( seconds, REPEATS );
}

double bench_terrain_fractal_4097( char *detail, size_t size )
{
	double seconds[REPEATS];
	ds_terrain_shape shape = ds_terrain_shape_default( DS_TERRAIN_FRACTAL );
	shape.size[0] = shape.size[1] = SIDE - 1;
	for ( int k = 0; k < REPEATS; ++k )
	{
		ds_terrain *terrain;
		double start = bench_clock();
		if ( ds_terrain_make( &shape, NULL, &terrain ) != DS_OK )
		{
			return bench_fail( detail, size );
		}
		seconds[k] = bench_clock() - start;
		ds_terrain_release( terrain );
	}
	snprintf( detail, size, "fractal ground of %d x %d samples", SIDE, SIDE );
	return bench_median( seconds, REPEATS );
}

double bench_terrain_points_512( char *detail, size_t size )
{
	static double north[POINTS], east[POINTS], z[POINTS], x[POINTS], y[POINTS], down[POINTS];
	double seconds[REPEATS], *depths = hills();
	ds_terrain *terrain = depths ? grid_of( depths ) : NULL;
	free( depths );
	if ( terrain == NULL )
	{
		return bench_fail( detail, size );
	}
	for ( int k = 0; k < POINTS; ++k )
	{
		// over ten metres square, in no order
		north[k] = 700 + 10 * fmod( k * 0.6180339887, 1 );
		east[k] = -300 + 10 * fmod( k * 0.7548776662, 1 );
	}
	for ( int k = 0; k < REPEATS; ++k )
	{
		double start = bench_clock();
		for ( int call = 0; call < CALLS; ++call )
		{
			ds_terrain_at_many( terrain, POINTS, north, east, z, x, y, down );
		}
		seconds[k] = bench_clock() - start;
	}
	ds_terrain_release( terrain );
	snprintf( detail, size, "depth and normal at %d places near one another, grid of %d x %d", POINTS, SIDE, SIDE );
	return 1e9 * bench_median( seconds, REPEATS ) / ( CALLS * POINTS );
}

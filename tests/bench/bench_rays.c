// Rays on ground: how fast packets are cast, and how soon a large grid is ready for them.

#include "deepsim/math.h"
#include "deepsim/terrain.h"
#include "rays/rays.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double bench_rays_packet( char *detail, size_t size );
double bench_rays_single( char *detail, size_t size );
double bench_heightfield_rays_4097( char *detail, size_t size );

#define WIDTH   640
#define HEIGHT  480
#define PIXELS  ( WIDTH * HEIGHT )
#define TILE    4 // a packet is a tile of 4 x 4 pixels
#define REPEATS 15

// Hills of 5 m with slopes up to 45 degrees on them, samples a metre apart, about (0, 0).
static double *hills( int64_t side )
{
	double *z = malloc( (size_t)( side * side ) * sizeof( *z ) );
	double *c1 = malloc( (size_t)side * sizeof( *c1 ) ), *c2 = malloc( (size_t)side * sizeof( *c2 ) );
	for ( int64_t j = 0; z && c1 && c2 && j < side; ++j )
	{
		c1[j] = cos( 0.07 * (double)j );
		c2[j] = cos( 0.8 * (double)j );
	}
	for ( int64_t i = 0; z && c1 && c2 && i < side; ++i )
	{
		double a = 5 * sin( 0.05 * (double)i ), b = 0.8 * sin( 0.9 * (double)i );
		for ( int64_t j = 0; j < side; ++j )
		{
			z[i * side + j] = a * c1[j] + b * c2[j];
		}
	}
	free( c1 );
	free( c2 );
	return z;
}

static ds_status make_scene( const double *z, int64_t side, ds_ray_scene **scene )
{
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.north = def.east = -0.5 * (double)( side - 1 );
	def.spacing_north = def.spacing_east = 1;
	def.rows = def.columns = side;
	def.z = z;
	ds_terrain *terrain;
	ds_status status = ds_terrain_grid( &def, NULL, &terrain );
	if ( status == DS_OK )
	{
		status = ds_ray_scene_create( NULL, terrain, NULL, 0, scene );
		ds_terrain_release( terrain );
	}
	return status;
}

// A camera 30 m above the ground looks 45 degrees down, with 53 degrees of view across.
static void aim( ds_ray *rays )
{
	for ( int k = 0; k < PIXELS; ++k )
	{
		int tile = k / ( TILE * TILE ), in = k % ( TILE * TILE );
		double x = tile % ( WIDTH / TILE ) * TILE + in % TILE, y = tile / ( WIDTH / TILE ) * TILE + in / TILE;
		double across = ( x - WIDTH / 2 ) / WIDTH, below = ( y - HEIGHT / 2 ) / WIDTH, c = sqrt( 0.5 );
		ds_vec3 d = ds_v3( c * ( 1 - below ), across, c * ( 1 + below ) );
		rays[k] = ( ds_ray ){ { -100, 0, -30 }, ds_scale( 1 / ds_length( d ), d ), 1000, -1 };
	}
}

// Millions of rays a second, `at_once` in a call.
static double rate( int at_once, int64_t stride, char *detail, size_t size )
{
	const int64_t side = 1001;
	double *z = hills( side ), times[REPEATS];
	ds_ray *rays = malloc( PIXELS * sizeof( *rays ) );
	ds_ray_found *found = malloc( PIXELS * sizeof( *found ) );
	ds_ray_scene *scene = NULL;
	double result = NAN;
	if ( z && rays && found && make_scene( z, side, &scene ) == DS_OK )
	{
		aim( rays );
		int64_t hits = 0;
		for ( int r = 0; r < REPEATS; ++r )
		{
			double start = bench_clock();
			for ( int64_t k = 0, at = 0; k < PIXELS; k += at_once, at = ( at + stride ) % PIXELS )
			{
				ds_ray_scene_cast( scene, rays + at, at_once, found + at );
			}
			times[r] = bench_clock() - start;
		}
		for ( int k = 0; k < PIXELS; ++k )
		{
			hits += found[k].distance > 0;
		}
		result = 1e-6 * PIXELS / bench_median( times, REPEATS );
		snprintf( detail, size, "%d x %d pixels on 2 million triangles, %lld hits, %d rays a call", WIDTH, HEIGHT,
			(long long)hits, at_once );
	}
	else
	{
		bench_fail( detail, size );
	}
	ds_ray_scene_destroy( scene );
	free( found );
	free( rays );
	free( z );
	return result;
}

double bench_rays_packet( char *detail, size_t size )
{
	return rate( PIXELS, PIXELS, detail, size );
}

// In an order that has nothing to do with where they go.
double bench_rays_single( char *detail, size_t size )
{
	return rate( 1, 104729, detail, size );
}

double bench_heightfield_rays_4097( char *detail, size_t size )
{
	const int64_t side = 4097;
	double *z = hills( side ), times[3];
	double result = NAN;
	ds_status status = z ? DS_OK : DS_ERROR_MEMORY;
	for ( int r = 0; status == DS_OK && r < 3; ++r )
	{
		ds_ray_scene *scene;
		double start = bench_clock();
		status = make_scene( z, side, &scene );
		times[r] = bench_clock() - start;
		if ( status == DS_OK )
		{
			ds_ray_scene_destroy( scene );
		}
	}
	if ( status == DS_OK )
	{
		result = bench_median( times, 3 );
		snprintf( detail, size, "33.6 million triangles from an array of depths: bounds, queries, rays" );
	}
	else
	{
		bench_fail( detail, size );
	}
	free( z );
	return result;
}

// The arithmetic of looks: every variant gives the same bits, and the smooth ground is what a second look by plain formulas gives.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/looks.h"
#include "deepsim/math.h"
#include "deepsim/random.h"

#include <string.h>

#define ROWS    9
#define COLUMNS 7

static const ds_look_kernel *kernels[2];
static int kernel_count;

static ds_terrain_view make_grid( float *z, ds_random *random )
{
	for ( int k = 0; k < ROWS * COLUMNS; ++k )
	{
		z[k] = (float)ds_random_uniform( random );
	}
	z[4 * COLUMNS + 3] = NAN;
	ds_terrain_view g;
	memset( &g, 0, sizeof( g ) );
	g.kind = DS_GROUND_GRID;
	g.north = -3;
	g.east = 5;
	g.spacing_north = 0.5;
	g.spacing_east = 2;
	g.rows = ROWS;
	g.columns = COLUMNS;
	g.z = z;
	return g;
}

static double uniform( ds_random *random, double low, double high )
{
	return low + ( high - low ) * ds_random_uniform( random );
}

static ds_vec3 unit_of( ds_vec3 v )
{
	return ds_scale( 1 / ds_length( v ), v );
}

// Rays, and what they met.
static void make_packet( ds_random *random, ds_ray_packet *p, double *time, double *footprint )
{
	memset( p, 0, sizeof( *p ) );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		ds_vec3 n = unit_of( ds_v3( uniform( random, -1, 1 ), uniform( random, -1, 1 ), uniform( random, -1, 1 ) ) );
		for ( int x = 0; x < 3; ++x )
		{
			p->origin[x][k] = uniform( random, -20, 20 );
			p->direction[x][k] = uniform( random, -3, 3 );
		}
		p->normal[0][k] = n.x;
		p->normal[1][k] = n.y;
		p->normal[2][k] = n.z;
		p->far[k] = uniform( random, 0.1, 20 );
		time[k] = uniform( random, -1, 1 );
		footprint[k] = uniform( random, 0, 0.01 );
	}
}

// Of the grid's sample: NaN next to a hole.
static double slope( const ds_terrain_view *g, int64_t i, int64_t j, bool north )
{
	const int64_t last = ( north ? g->rows : g->columns ) - 1, at = north ? i : j;
	const int64_t low = at > 0 ? at - 1 : 0, high = at < last ? at + 1 : last;
	const double a = (double)( north ? g->z[low * g->columns + j] : g->z[i * g->columns + low] );
	const double b = (double)( north ? g->z[high * g->columns + j] : g->z[i * g->columns + high] );
	return ( b - a ) / (double)( high - low ) / ( north ? g->spacing_north : g->spacing_east );
}

static double mixed_slope( const ds_terrain_view *g, double north, double east, bool along_north )
{
	const double u = ( north - g->north ) / g->spacing_north, v = ( east - g->east ) / g->spacing_east;
	const int64_t i = (int64_t)fmin( fmax( floor( u ), 0 ), ROWS - 2 ),
				  j = (int64_t)fmin( fmax( floor( v ), 0 ), COLUMNS - 2 );
	const double a = u - (double)i, b = v - (double)j;
	return ( 1 - a ) * ( ( 1 - b ) * slope( g, i, j, along_north ) + b * slope( g, i, j + 1, along_north ) ) +
		   a * ( ( 1 - b ) * slope( g, i + 1, j, along_north ) + b * slope( g, i + 1, j + 1, along_north ) );
}

static void test_variants( void **state )
{
	(void)state;
	float z[ROWS * COLUMNS];
	ds_random random = ds_random_stream( 3, "variants", DS_RANDOM_SAMPLE, 0 );
	const ds_terrain_view g = make_grid( z, &random );
	for ( int round = 0; round < 2000; ++round )
	{
		ds_ray_packet given, p[2];
		double time[DS_RAY_LANES], footprint[DS_RAY_LANES], greatest[2];
		ds_look_places at[2];
		ds_seabed_places ground[2];
		make_packet( &random, &given, time, footprint );
		time[round % 16] *= round % 50 == 0 ? 3 : 1;
		given.far[round % 16] *= round % 60 == 0 ? -1 : 1;
		const uint32_t lanes = round % 2 ? DS_LOOK_ALL : 0x5a31u;
		int bad[2] = { 0, 0 };
		for ( int i = 0; i < kernel_count; ++i )
		{
			p[i] = given;
			memset( ground + i, 0, sizeof( *ground ) );
			bad[i] = kernels[i]->load( p + i, time, footprint, greatest + i );
			kernels[i]->place( p + i, footprint, at + i );
			kernels[i]->ask( round % 5 ? &g : NULL, at + i, lanes, ground + i );
			memcpy( ground[i].normal, ground[i].up, sizeof( ground[i].up ) );
			kernels[i]->face( at + i, ground + i );
			assert_int_equal( bad[i], bad[0] );
			assert_true( greatest[i] == greatest[0] );
			assert_memory_equal( p + i, p, sizeof( *p ) );
			assert_memory_equal( at + i, at, sizeof( *at ) );
			assert_memory_equal( ground + i, ground, sizeof( *ground ) );
		}
		const bool is_bad = fabs( time[round % 16] ) > 1 || given.far[round % 16] < 0;
		assert_int_equal( bad[0] != 0, is_bad );
		for ( int k = 0; k < DS_RAY_LANES; ++k )
		{
			const ds_vec3 d = ds_v3( p[0].direction[0][k], p[0].direction[1][k], p[0].direction[2][k] );
			const ds_vec3 f = ds_v3( at[0].facet[0][k], at[0].facet[1][k], at[0].facet[2][k] );
			assert_true( fabs( ds_length( d ) - 1 ) < 1e-15 && ds_dot( d, f ) <= 0 );
			assert_true( fabs( at[0].point[1][k] - ( p[0].origin[1][k] + p[0].far[k] * d.y ) ) < 1e-12 );
		}
	}
}

static void test_smooth_ground( void **state )
{
	(void)state;
	float z[ROWS * COLUMNS];
	ds_random random = ds_random_stream( 4, "smooth", DS_RANDOM_SAMPLE, 0 );
	const ds_terrain_view g = make_grid( z, &random );
	ds_look_places at;
	memset( &at, 0, sizeof( at ) );
	int smooth = 0, holes = 0;
	for ( int round = 0; round < 500; ++round )
	{
		for ( int k = 0; k < DS_RAY_LANES; ++k )
		{
			// the last of rows and columns too
			at.point[0][k] = g.north + g.spacing_north * ( k == 0 ? ROWS - 1 : uniform( &random, 0, ROWS - 1 ) );
			at.point[1][k] = g.east + g.spacing_east * ( k == 1 ? COLUMNS - 1 : uniform( &random, 0, COLUMNS - 1 ) );
			at.facet[0][k] = 0.6;
			at.facet[2][k] = k % 2 ? 0.8 : -0.8;
		}
		ds_seabed_places ground;
		kernels[round % kernel_count]->ask( &g, &at, DS_LOOK_ALL, &ground );
		for ( int k = 0; k < DS_RAY_LANES; ++k )
		{
			const double a = mixed_slope( &g, at.point[0][k], at.point[1][k], true );
			const double b = mixed_slope( &g, at.point[0][k], at.point[1][k], false );
			ds_vec3 n = ds_scale( 1 / sqrt( 1 + a * a + b * b ), ds_v3( a, b, -1 ) );
			const bool hole = !( isfinite( a ) && isfinite( b ) );
			n = hole ? ds_v3( k % 2 ? -0.6 : 0.6, 0, -0.8 ) : n;
			holes += hole;
			smooth += !hole;
			const ds_vec3 up = ds_v3( (double)ground.up[0][k], (double)ground.up[1][k], (double)ground.up[2][k] );
			assert_true( ds_length( ds_sub( up, n ) ) < 3e-6 );
		}
	}
	assert_true( smooth > 1000 && holes > 500 );
}

int main( void )
{
	kernels[kernel_count++] = &ds_look_kernel_plain;
	if ( ds_look_kernel_best() != kernels[0] )
	{
		kernels[kernel_count++] = ds_look_kernel_best();
	}
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_variants ), cmocka_unit_test( test_smooth_ground ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// A DVL over a bottom: what a sample costs, a world with it less the same world without.

#include "deepsim/deepsim.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double bench_dvl_world( char *detail, size_t size );

#define SIDE    257
#define TICKS   20000
#define REPEATS 9

// Hills of 2 m on a grid of 1 m, 20 m below a body that drifts over it.
static ds_status make_world( bool with, ds_world **world )
{
	double *z = malloc( SIDE * SIDE * sizeof( *z ) );
	for ( int k = 0; z && k < SIDE * SIDE; ++k )
	{
		z[k] = 50 + 2 * sin( 0.1 * ( k / SIDE ) ) * cos( 0.13 * ( k % SIDE ) );
	}
	ds_terrain_grid_def grid = ds_terrain_grid_default();
	grid.north = grid.east = -0.5 * ( SIDE - 1 );
	grid.spacing_north = grid.spacing_east = 1;
	grid.rows = grid.columns = SIDE;
	grid.z = z;
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *terrain = NULL;
	ds_status status = z ? ds_terrain_grid( &grid, NULL, &terrain ) : DS_ERROR_MEMORY;
	free( z );
	e.gravity = 0;
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	ds_world_def def = ds_world_def_default();
	def.rate = 200;
	def.environment = &e;
	status = status == DS_OK ? ds_world_create( &def, world ) : status;
	ds_terrain_release( terrain );
	ds_body_def body = ds_body_def_default();
	snprintf( body.name, sizeof( body.name ), "body" );
	body.mass = 30;
	body.inertia_kind = DS_INERTIA_DIAGONAL;
	body.inertia_diagonal[0] = body.inertia_diagonal[1] = body.inertia_diagonal[2] = 1;
	body.hydrodynamics.model = DS_HYDRO_NONE;
	body.collision = DS_COLLISION_NONE;
	body.pose.position.z = 30;
	body.velocity.linear = ( ds_vec3 ){ 0.5, 0.2, 0 };
	ds_id id = DS_NO_ID, sensor;
	status = status == DS_OK ? ds_body_create( *world, &body, &id ) : status;
	ds_dvl_config config = ds_dvl_config_default();
	config.noise = 0.01;
	config.noise_proportional = 0.002;
	config.bias_walk[0] = config.bias_walk[1] = config.bias_walk[2] = 1e-6;
	config.range_noise = 0.02;
	ds_sensor_def dvl = ds_sensor_def_default();
	snprintf( dvl.name, sizeof( dvl.name ), "dvl" );
	snprintf( dvl.type, sizeof( dvl.type ), "dvl" );
	dvl.body = id;
	dvl.config = &config;
	return status == DS_OK && with ? ds_sensor_create( *world, &dvl, &sensor ) : status;
}

double bench_dvl_world( char *detail, size_t size )
{
	ds_world *worlds[2] = { NULL, NULL };
	double times[2][REPEATS], result = NAN;
	ds_status status = make_world( false, worlds );
	status = status == DS_OK ? make_world( true, worlds + 1 ) : status;
	for ( int r = -1; r < REPEATS && status == DS_OK; ++r ) // the first warms up
	{
		for ( int w = 0; w < 2 && status == DS_OK; ++w )
		{
			status = ds_world_reset( worlds[w], 1 );
			double start = bench_clock();
			status = status == DS_OK ? ds_world_step( worlds[w], TICKS ) : status;
			if ( r >= 0 )
			{
				times[w][r] = 1e6 * ( bench_clock() - start ) / TICKS;
			}
		}
	}
	if ( status == DS_OK )
	{
		double without = bench_median( times[0], REPEATS ), with = bench_median( times[1], REPEATS );
		result = with - without;
		snprintf( detail, size,
			"bottom track of a grid of 256 x 256 m, 20 m below: noise of velocity and range, bias walk; %.3g us a tick "
			"with, %.3g without",
			with, without );
	}
	else
	{
		bench_fail( detail, size );
	}
	ds_world_destroy( worlds[0] );
	ds_world_destroy( worlds[1] );
	return result;
}

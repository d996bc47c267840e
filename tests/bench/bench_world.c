#include "deepsim/deepsim.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define REPEATS      15
#define FREE_TICKS   2000 // 10 s of fall
#define LANDER_TICKS 2000

// A frame lander of the class of examples/lander: a falling body with a mesh, over a seabed, and two sensors.
static const char lander[] =
	"{ \"deepsim\": 1, \"name\": \"bench\", \"duration\": 3600, \"rate\": 200, \"seed\": 1,"
	"  \"environment\": { \"seabed\": { \"elevation\": { \"model\": \"flat\", \"depth\": 3000 } } },"
	"  \"bodies\": [ { \"name\": \"lander\", \"mesh\": { \"make\": \"sphere\", \"radius\": 0.5, \"faces\": 1280 },"
	"    \"mass\": 600, \"inertia\": \"mesh\", \"cg\": [0, 0, 0.1], \"pose\": { \"position\": [0, 0, 10] },"
	"    \"hydrodynamics\": { \"form_drag\": 1.0, \"skin_drag\": 0.004, \"added_mass\": \"ellipsoid\" } } ],"
	"  \"sensors\": [ { \"name\": \"truth\", \"type\": \"odometry\", \"body\": \"lander\", \"rate\": 10 },"
	"    { \"name\": \"depth\", \"type\": \"pressure\", \"body\": \"lander\", \"rate\": 10 } ] }";

// Microseconds a tick of `repeats` runs of `ticks` ticks, each from the start; one run more warms up.
static ds_status time_steps( ds_world *world, int64_t ticks, double *times, int repeats )
{
	ds_status status = ds_world_step( world, ticks );
	for ( int i = 0; i < repeats && status == DS_OK; i++ )
	{
		status = ds_world_reset( world, 1 );
		double start = bench_clock();
		status = status == DS_OK ? ds_world_step( world, ticks ) : status;
		times[i] = 1e6 * ( bench_clock() - start ) / (double)ticks;
	}
	return status;
}

static ds_status make_free_body( ds_world **world )
{
	ds_world_def def = ds_world_def_default();
	ds_status status = ds_world_create( &def, world );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_body_def body = ds_body_def_default();
	snprintf( body.name, sizeof( body.name ), "free" );
	body.mass = 100;
	body.inertia_kind = DS_INERTIA_DIAGONAL;
	body.inertia_diagonal[0] = 1;
	body.inertia_diagonal[1] = 2;
	body.inertia_diagonal[2] = 3;
	body.hydrodynamics.model = DS_HYDRO_NONE;
	body.velocity.angular = ( ds_vec3 ){ 1, 1, 1 };
	ds_id id;
	return ds_body_create( *world, &body, &id );
}

double bench_step_free_body( char *detail, size_t size )
{
	double times[REPEATS];
	ds_world *world = NULL;
	ds_status status = make_free_body( &world );
	status = status == DS_OK ? time_steps( world, FREE_TICKS, times, REPEATS ) : status;
	ds_world_destroy( world );
	if ( status != DS_OK )
	{
		return bench_fail( detail, size );
	}
	snprintf(
		detail, size, "tumbling and falling, no faces, no sensors; median of %d times %d ticks", REPEATS, FREE_TICKS );
	return bench_median( times, REPEATS );
}

static ds_status make_lander( ds_world **world )
{
	ds_scenario *scenario = NULL;
	ds_status status = ds_scenario_parse( lander, "bench", NULL, NULL, 0, NULL, &scenario );
	if ( status == DS_OK )
	{
		ds_world_def def = ds_world_def_default();
		def.scenario = scenario;
		status = ds_world_create( &def, world );
	}
	ds_scenario_release( scenario );
	return status;
}

double bench_step_lander( char *detail, size_t size )
{
	double times[REPEATS];
	ds_world *world = NULL;
	ds_status status = make_lander( &world );
	status = status == DS_OK ? time_steps( world, LANDER_TICKS, times, REPEATS ) : status;
	ds_world_destroy( world );
	if ( status != DS_OK )
	{
		return bench_fail( detail, size );
	}
	double median = bench_median( times, REPEATS );
	snprintf( detail, size, "1280 faces, flat seabed, odometry and pressure at 10 Hz; %.4g x real time at 200 Hz",
		1e6 / 200 / median );
	return median;
}

typedef struct job
{
	ds_world *world;
	double times[REPEATS];
	ds_status status;
	char error[256];
} job;

static void *run_job( void *user )
{
	job *j = user;
	j->status = make_lander( &j->world );
	j->status = j->status == DS_OK ? time_steps( j->world, LANDER_TICKS, j->times, REPEATS ) : j->status;
	snprintf( j->error, sizeof( j->error ), "%s", j->status == DS_OK ? "" : ds_last_error() );
	ds_world_destroy( j->world );
	return NULL;
}

double bench_worlds_parallel_2t( char *detail, size_t size )
{
	job jobs[2];
	memset( jobs, 0, sizeof( jobs ) );
	pthread_t second;
	if ( pthread_create( &second, NULL, run_job, &jobs[1] ) != 0 )
	{
		snprintf( detail, size, "cannot start a second thread" );
		return (double)NAN;
	}
	run_job( &jobs[0] );
	pthread_join( second, NULL );
	for ( int i = 0; i < 2; i++ )
	{
		if ( jobs[i].status != DS_OK )
		{
			snprintf( detail, size, "%s", jobs[i].error );
			return (double)NAN;
		}
	}
	// the slower of the two counts
	snprintf( detail, size, "two worlds of step_lander at once, each in its own thread; the slower one" );
	return fmax( bench_median( jobs[0].times, REPEATS ), bench_median( jobs[1].times, REPEATS ) );
}

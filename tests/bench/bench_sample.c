// What a sample of a sensor costs the world, whatever the sensor then does with it.

#include "deepsim/deepsim.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>

// Bench name and its function: sample_overhead [ns/sample].
double bench_sample_overhead( char *detail, size_t size );

#define REPEATS 15
#define SENSORS 8
#define TICKS   4000
#define RATE    1000

typedef struct reading
{
	double depth, force;
} reading;

static const ds_field reading_fields[] = {
	DS_F64( reading, depth, "m", NULL, 0, 0, "of the mount" ),
	DS_F64( reading, force, "m/s2", NULL, 0, 0, "specific force along z" ),
};
static const ds_table reading_table = DS_TABLE( "idle", "What costs nothing", reading, reading_fields );

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	*model = NULL;
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	*(reading *)output = ( reading ){ context->pose.position.z, context->specific_force.z };
	return DS_OK;
}

static const ds_type idle = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "idle",
	.doc = "a sensor that costs nothing",
	.output = &reading_table,
	.create = create,
	.sample = sample,
};

static ds_status add_sensors( ds_world *world, ds_id body, int count )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.type, sizeof( def.type ), "idle" );
	def.body = body;
	ds_status status = DS_OK;
	for ( int i = 0; i < count && status == DS_OK; ++i )
	{
		ds_id id;
		snprintf( def.name, sizeof( def.name ), "s%d", i );
		def.mount.position = ( ds_vec3 ){ 0.1 * i, 0.05, -0.02 * i };
		status = ds_sensor_create( world, &def, &id );
	}
	return status;
}

// A free body deep in layered water with a current, and some sensors at different places of it.
static ds_status make_world( int sensors, ds_world **world )
{
	ds_environment_def sea = ds_environment_def_default();
	sea.density_kind = DS_DENSITY_TEOS10;
	ds_registry *registry = NULL;
	ds_status status = ds_registry_create( NULL, &registry );
	status = status == DS_OK ? ds_registry_add( registry, &idle ) : status;
	ds_world_def def = ds_world_def_default();
	def.rate = RATE;
	def.environment = &sea;
	def.registry = registry;
	status = status == DS_OK ? ds_world_create( &def, world ) : status;
	ds_registry_release( registry );
	ds_body_def body = ds_body_def_default();
	snprintf( body.name, sizeof( body.name ), "body" );
	body.mass = 100;
	body.inertia_kind = DS_INERTIA_DIAGONAL;
	body.inertia_diagonal[0] = body.inertia_diagonal[1] = body.inertia_diagonal[2] = 2;
	body.hydrodynamics.model = DS_HYDRO_NONE;
	body.pose.position.z = 500;
	body.velocity.angular = ( ds_vec3 ){ 1, 1, 1 };
	ds_id id;
	status = status == DS_OK ? ds_body_create( *world, &body, &id ) : status;
	return status == DS_OK ? add_sensors( *world, id, sensors ) : status;
}

// Seconds a tick of a run.
static ds_status time_world( ds_world *world, double *seconds )
{
	ds_status status = ds_world_reset( world, 1 );
	double start = bench_clock();
	status = status == DS_OK ? ds_world_step( world, TICKS ) : status;
	*seconds = ( bench_clock() - start ) / TICKS;
	return status;
}

double bench_sample_overhead( char *detail, size_t size )
{
	double without[REPEATS], samples[REPEATS], with = 0;
	ds_world *bare = NULL, *full = NULL;
	ds_status status = make_world( 0, &bare );
	status = status == DS_OK ? make_world( SENSORS, &full ) : status;
	for ( int k = -1; k < REPEATS && status == DS_OK; ++k )
	{
		// the two in turn, so that both find the processor as fast
		int i = k < 0 ? 0 : k; // the first warms up
		status = time_world( bare, without + i );
		status = status == DS_OK ? time_world( full, &with ) : status;
		samples[i] = 1e9 * ( with - without[i] ) / SENSORS;
	}
	ds_world_destroy( bare );
	ds_world_destroy( full );
	if ( status != DS_OK )
	{
		return bench_fail( detail, size );
	}
	snprintf( detail, size, "%d sensors at %d Hz on one body in TEOS-10 water, without them %.0f ns a tick", SENSORS,
		RATE, 1e9 * bench_median( without, REPEATS ) );
	return bench_median( samples, REPEATS );
}

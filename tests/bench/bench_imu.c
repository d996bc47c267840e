#include "deepsim/deepsim.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Many short repeats: what interrupts one of them does not move the median.
#define REPEATS 1001
#define SAMPLES 1000
#define TICKS   200

// Every term of both triads.
#define TRIAD                                                                                                          \
	"\"N\": [1e-3, 1e-3, 1e-3], \"B\": [1e-4, 1e-4, 1e-4], \"K\": [1e-5, 1e-5, 1e-5],"                                 \
	"\"markov_sigma\": [1e-4, 1e-4, 1e-4], \"markov_tau\": [300, 300, 300], \"bias\": [0.01, 0.02, 0.03],"             \
	"\"turn_on\": [0.01, 0.01, 0.01], \"scale\": [0.001, 0.002, 0.003],"                                               \
	"\"misalignment\": [[1, 0.001, 0], [0.002, 1, 0], [0, 0.003, 1]],"                                                 \
	"\"temperature_coefficient\": [1e-4, 1e-4, 1e-4], \"bandwidth\": 50, \"range\": 50, \"resolution\": 1e-6"

static const char scenario_start[] =
	"{ \"deepsim\": 1, \"name\": \"bench\", \"duration\": 3600, \"rate\": 200, \"seed\": 1,"
	"  \"environment\": { \"gravity\": 0, \"water\": null },"
	"  \"bodies\": [ { \"name\": \"b\", \"mass\": 100, \"inertia\": [1, 2, 3], \"collision\": \"none\","
	"    \"hydrodynamics\": { \"model\": \"none\" }, \"velocity\": { \"angular\": [0.1, 0.2, 0.3] } } ]";

static const char scenario_imu[] =
	", \"sensors\": [ { \"name\": \"imu\", \"type\": \"imu\", \"body\": \"b\", \"config\": {"
	"    \"gyro\": { " TRIAD ", \"g_sensitivity\": [[1e-4, 0, 0], [0, 1e-4, 0], [0, 0, 1e-4]] },"
	"    \"accel\": { " TRIAD " }, \"self_heating\": 10, \"output\": \"increments\", \"stamp_jitter\": 1e-5,"
	"    \"vibration\": [ { \"frequency\": 60, \"rotation\": [0.01, 0, 0], \"acceleration\": [0, 0, 0.1] },"
	"      { \"frequency\": 180, \"rotation\": [0, 0.01, 0], \"acceleration\": [0, 0.1, 0.1] } ] } } ]";

static ds_status make_world( bool imu, ds_world **world )
{
	char text[8192];
	snprintf( text, sizeof( text ), "%s%s }", scenario_start, imu ? scenario_imu : "" );
	ds_scenario *scenario = NULL;
	ds_status status = ds_scenario_parse( text, "bench", NULL, NULL, 0, NULL, &scenario );
	if ( status == DS_OK )
	{
		ds_world_def def = ds_world_def_default();
		def.scenario = scenario;
		status = ds_world_create( &def, world );
	}
	ds_scenario_release( scenario );
	return status;
}

// A sample in a world is what the world takes with it less what it takes without; both in turns, so that they meet the same machine.
double bench_imu_world( char *detail, size_t size )
{
	ds_world *worlds[2] = { NULL, NULL };
	double times[REPEATS], took[2];
	ds_status status = make_world( false, &worlds[0] );
	status = status == DS_OK ? make_world( true, &worlds[1] ) : status;
	for ( int i = -1; i < REPEATS && status == DS_OK; ++i )
	{
		for ( int k = 0; k < 2 && status == DS_OK; ++k )
		{
			double start = bench_clock();
			status = ds_world_step( worlds[k], TICKS );
			took[k] = bench_clock() - start;
		}
		times[i < 0 ? 0 : i] = 1e9 * ( took[1] - took[0] ) / TICKS;
	}
	ds_world_destroy( worlds[0] );
	ds_world_destroy( worlds[1] );
	if ( status != DS_OK )
	{
		return bench_fail( detail, size );
	}
	snprintf( detail, size,
		"every term on, 200 Hz: a tick of a world with the IMU less one without; median of %d times %d", REPEATS,
		TICKS );
	return bench_median( times, REPEATS );
}

static ds_imu_config every_term( const ds_imu_vibration lines[2] )
{
	ds_imu_config c = ds_imu_config_default();
	ds_inertial_config *triads[] = { &c.gyro, &c.accel };
	for ( int t = 0; t < 2; ++t )
	{
		ds_inertial_config *e = triads[t];
		for ( int i = 0; i < 3; ++i )
		{
			e->N[i] = 1e-3;
			e->B[i] = e->markov_sigma[i] = e->temperature_coefficient[i] = 1e-4;
			e->K[i] = 1e-5;
			e->bias[i] = e->turn_on[i] = 0.01;
			e->scale[i] = 0.001;
			e->misalignment[( 4 * i + 1 ) % 9] = 0.001;
			c.gyro.g_sensitivity[4 * i] = 1e-4;
		}
		e->bandwidth = 50;
		e->range = 50;
		e->resolution = 1e-6;
	}
	c.self_heating = 10;
	c.output = DS_IMU_INCREMENTS;
	c.stamp_jitter = 1e-5;
	c.vibration = ( ds_array ){ lines, 2 };
	return c;
}

// Samples of a model alone, at a constant interval.
double bench_imu_model( char *detail, size_t size )
{
	const ds_imu_vibration lines[2] = { { 60, 0, { 0.01, 0, 0 }, { 0, 0, 0.1 } },
		{ 180, 0, { 0, 0.01, 0 }, { 0, 0.1, 0.1 } } };
	ds_imu_config config = every_term( lines );
	ds_imu_model *model = NULL;
	double times[REPEATS], sum = 0;
	void *state = malloc( ds_imu_state_size() );
	if ( state == NULL || ds_imu_create( NULL, &config, &model ) != DS_OK )
	{
		free( state );
		return bench_fail( detail, size );
	}
	ds_random stream = ds_random_stream( 1, "bench", DS_RANDOM_RESET, 0 );
	ds_imu_reset( model, state, &stream, 10 );
	ds_imu_truth truth = { { 0.001, 0.002, 0.003 }, { 0.01, 0, -0.05 }, 0.005, 0, 10, 0 };
	ds_vec3 none = { 0, 0, 0 };
	for ( int i = -1; i < REPEATS; ++i )
	{
		double start = bench_clock();
		for ( int64_t k = 0; k < SAMPLES; ++k )
		{
			ds_imu reading;
			// as the next sample of the same stream
			stream.counter[1] = DS_RANDOM_SAMPLE;
			stream.counter[2] = (uint32_t)k;
			truth.time += truth.interval;
			ds_imu_measure( model, state, &truth, none, none, &stream, &reading );
			sum += reading.delta_angle[0];
		}
		times[i < 0 ? 0 : i] = 1e-6 * SAMPLES / ( bench_clock() - start );
	}
	ds_imu_destroy( model );
	free( state );
	double median = bench_median( times, REPEATS );
	snprintf( detail, size, "six axes, every term on: %.0f ns a sample (drift %.3g rad); median of %d times %d",
		1e3 / median, sum, REPEATS, SAMPLES );
	return median;
}

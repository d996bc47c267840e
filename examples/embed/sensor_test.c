// A test of sensors as a user writes it, here without a test framework: a model of the user's own, an IMU of this library, and a
// sensor in a world are each held against an Allan fixture. Returns 0 if the good ones pass and the broken one is found out.
// cc sensor_test.c $(pkg-config --cflags --libs deepsim) -lm

#include <deepsim/deepsim.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// Stops with the library's own explanation when a call fails.
#define TRY( call )                                                                                                    \
	if ( ( call ) != DS_OK )                                                                                           \
	{                                                                                                                  \
		return fprintf( stderr, "%s\n", ds_last_error() ), 1;                                                          \
	}

// ---- a gyroscope of the user's own -------------------------------------------------------------------------------

// White noise N and a bias that walks with K. `broken`: the white noise is not scaled with the rate, a mistake that is often made.
typedef struct my_gyro
{
	double N, K, rate, bias;
	int broken;
} my_gyro;

static ds_status my_gyro_read( void *user, int64_t index, double time, double *values )
{
	my_gyro *gyro = user;
	ds_random stream = ds_random_stream( 7, "my_gyro", DS_RANDOM_SAMPLE, (uint64_t)index );
	gyro->bias += gyro->K / sqrt( gyro->rate ) * ds_random_normal( &stream );
	double white = gyro->N * ( gyro->broken ? 1 : sqrt( gyro->rate ) );
	values[0] = gyro->bias + white * ds_random_normal( &stream );
	(void)time;
	return DS_OK;
}

static ds_status test_my_gyro( int broken, ds_sensor_report *report )
{
	// what the data sheet says: 0.15 deg/sqrt(h), and a bias that walks
	ds_imu_quantity walk;
	ds_status status = ds_imu_parse( "0.15 deg/sqrt(h)", &walk );
	my_gyro gyro = { walk.value, 3e-6, 100, 0, broken };
	ds_sensor_fixture fixture = ds_sensor_fixture_default();
	fixture.model.N = gyro.N;
	fixture.model.K = gyro.K;

	ds_sensor_record record = { 0 };
	status = status == DS_OK ? ds_sensor_record_source( my_gyro_read, &gyro, 100, 1, 360000, &record ) : status;
	status =
		status == DS_OK ? ds_sensor_test_allan( record.data, record.count, record.rate, &fixture, report ) : status;
	ds_sensor_record_free( &record );
	return status;
}

// ---- an IMU of the library, in a world -----------------------------------------------------------------------------

// A curve read off a plot, with a tolerance as wide as the pencil.
static const ds_sensor_fixture_point curve[] = { { 0.02, 3.1e-4, 0 }, { 0.1, 1.4e-4, 0 }, { 1, 4.4e-5, 0 },
	{ 10, 1.39e-5, 0 } };

static ds_status test_world_gyro( ds_world *world, ds_sensor_report *report )
{
	ds_id imu;
	ds_sensor_record record;
	ds_sensor_fixture fixture = ds_sensor_fixture_default();
	fixture.tolerance = 0.1;
	fixture.points.data = curve;
	fixture.points.count = sizeof( curve ) / sizeof( curve[0] );
	const char *column = "angular_velocity_z";
	ds_status status = ds_world_find( world, DS_SENSOR, "imu", &imu );
	status = status == DS_OK ? ds_sensor_record_world( world, imu, &column, 1, 20000, &record ) : status;
	if ( status == DS_OK )
	{
		status = ds_sensor_test_allan( record.data, record.count, record.rate, &fixture, report );
		ds_sensor_record_free( &record );
	}
	return status;
}

static ds_status make_world( ds_world **world )
{
	// a ball at rest in a vacuum without gravity
	ds_world_def def = ds_world_def_default();
	def.rate = 100;
	ds_environment_def space = ds_environment_def_default();
	space.water = DS_WATER_NONE;
	space.gravity = 0;
	def.environment = &space;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	ds_body_def ball = ds_body_def_default();
	ds_sensor_def imu = ds_sensor_def_default();
	ds_imu_config config = ds_imu_config_default();
	config.gyro.N[0] = config.gyro.N[1] = config.gyro.N[2] = 4.36332e-5;
	snprintf( ball.name, sizeof ball.name, "ball" );
	snprintf( imu.name, sizeof imu.name, "imu" );
	snprintf( imu.type, sizeof imu.type, "imu" );
	ball.mass = 10;
	imu.config = &config;

	ds_id sensor;
	ds_status status = ds_world_create( &def, world );
	ds_mesh *mesh = NULL;
	status = status == DS_OK ? ds_mesh_make( &shape, NULL, &mesh ) : status;
	ball.mesh = mesh;
	status = status == DS_OK ? ds_body_create( *world, &ball, &imu.body ) : status;
	status = status == DS_OK ? ds_sensor_create( *world, &imu, &sensor ) : status;
	ds_mesh_release( mesh );
	return status;
}

int main( void )
{
	ds_sensor_report report = { 0 };
	TRY( test_my_gyro( 0, &report ) );
	printf( "my gyro:     %s\n", report.message );

	ds_status status = test_my_gyro( 1, &report );
	printf( "broken gyro: %s\n", report.message );
	if ( status != DS_ERROR_RANGE || report.passed )
	{
		return fprintf( stderr, "the broken gyro was not found out\n" ), 1;
	}

	ds_world *world = NULL;
	TRY( make_world( &world ) );
	TRY( test_world_gyro( world, &report ) );
	printf( "world's imu: %s\n", report.message );
	ds_world_destroy( world );
	return 0;
}

// The test kit for users: what it records, and whether it passes good sensors and fails bad ones.

#include "deepsim/deepsim.h"
#include "deepsim/sensor_test.h"
#include "tests/unit/allan_kit.h"

#define ROOT DEEPSIM_TEST_TMP "/"

static void write_text( const char *path, const char *text )
{
	FILE *file = fopen( path, "w" );
	assert_non_null( file );
	fputs( text, file );
	assert_int_equal( fclose( file ), 0 );
}

static void expect_status( ds_status status, ds_status wanted, const char *part )
{
	if ( status != wanted || strstr( ds_last_error(), part ) == NULL )
	{
		print_error( "status %d, wanted %d: \"%s\" should have \"%s\"\n", status, wanted, ds_last_error(), part );
		fail();
	}
}

// ---- verdicts ----------------------------------------------------------------------------------------------------

// White noise of density N at a rate, and a walk K.
static double *noise( int64_t count, double rate, double N, double K, uint64_t seed )
{
	double *y = white_noise( count, seed ), *w = white_noise( count, seed + 1000 ), walk = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		walk += K * w[i] / sqrt( rate );
		y[i] = 3 + walk + N * sqrt( rate ) * y[i];
	}
	free( w );
	return y;
}

// Of 200 good sensors at most a few fail at 99 %; at 1.3 times the noise, or half the walk, nearly all do.
static void test_verdicts( void **state )
{
	(void)state;
	enum
	{
		SEEDS = 200,
		COUNT = 6000
	};
	const double rate = 20, N = 1e-3, K = 4e-4;
	ds_sensor_fixture fixture = ds_sensor_fixture_default();
	fixture.tolerance = 0;
	fixture.confidence = 0.99;
	fixture.model.N = N;
	fixture.model.K = K;
	ds_sensor_fixture_point points[] = { { 0.05, 0, 0 }, { 0.2, 0, 0 }, { 1, 0, 0 }, { 5, 0, 0 }, { 20, 0, 0 } };
	for ( int i = 0; i < 5; ++i )
	{
		points[i].deviation = ds_allan_theory( &fixture.model, DS_ALLAN_OADEV, rate, llround( points[i].tau * rate ) );
	}
	ds_sensor_fixture curve = ds_sensor_fixture_default();
	curve.tolerance = 0;
	curve.confidence = 0.99;
	curve.points.data = points;
	curve.points.count = 5;
	int good[2] = { 0 }, loud[2] = { 0 }, steady[2] = { 0 }, white = 0, walking = 0;
	for ( uint64_t seed = 0; seed < SEEDS; ++seed )
	{
		double *right = noise( COUNT, rate, N, K, seed ), *more = noise( COUNT, rate, 1.3 * N, K, seed );
		double *less = noise( COUNT, rate, N, 0, seed );
		const ds_sensor_fixture *fixtures[] = { &fixture, &curve };
		for ( int k = 0; k < 2; ++k )
		{
			good[k] += ds_sensor_test_allan( right, COUNT, rate, fixtures[k], NULL ) == DS_OK;
			loud[k] += ds_sensor_test_allan( more, COUNT, rate, fixtures[k], NULL ) == DS_ERROR_RANGE;
			steady[k] += ds_sensor_test_allan( less, COUNT, rate, fixtures[k], NULL ) == DS_ERROR_RANGE;
		}
		white += ds_sensor_test_white( less, COUNT, rate, N, 0, 0.99, NULL ) == DS_OK;
		walking += ds_sensor_test_white( right, COUNT, rate, N, 0, 0.99, NULL ) == DS_ERROR_RANGE;
		free( right );
		free( more );
		free( less );
	}
	for ( int k = 0; k < 2; ++k )
	{
		assert_in_range( good[k], 192, 200 );
		assert_in_range( loud[k], 199, 200 );
		assert_in_range( steady[k], 190, 200 );
	}
	assert_in_range( white, 192, 200 );
	assert_in_range( walking, 195, 200 );
}

static void test_report( void **state )
{
	(void)state;
	double *y = noise( 40000, 100, 1e-3, 0, 1 );
	ds_sensor_fixture fixture = ds_sensor_fixture_default();
	fixture.model.N = 1e-3;
	ds_sensor_report report;
	expect_ok( ds_sensor_test_allan( y, 40000, 100, &fixture, &report ) );
	assert_true( report.passed && report.failed == 0 && report.points > 15 );
	expect_near( report.mean, 3, 1e-3, "mean" );
	expect_near( report.deviation, 1e-2, 2e-4, "standard deviation" );
	fixture.model.N = 1.1e-3;
	expect_status(
		ds_sensor_test_allan( y, 40000, 100, &fixture, &report ), DS_ERROR_RANGE, "averaging times are out" );
	assert_false( report.passed );
	assert_string_equal( report.message, ds_last_error() );
	assert_true( report.measured < report.low && report.low < report.expected );

	// a tolerance as wide as the fault
	fixture.tolerance = 0.12;
	expect_ok( ds_sensor_test_allan( y, 40000, 100, &fixture, &report ) );

	// without chance a tolerance alone
	fixture.confidence = 0;
	fixture.tau_maximum = 0.1;
	expect_ok( ds_sensor_test_allan( y, 40000, 100, &fixture, &report ) );
	fixture.tolerance = 0.05;
	expect_status( ds_sensor_test_allan( y, 40000, 100, &fixture, &report ), DS_ERROR_RANGE, "out of bounds" );

	// white noise: what is off is named
	expect_ok( ds_sensor_test_white( y, 40000, 100, 1e-3, 0, 0.999, &report ) );
	expect_near( report.slope, -0.5, 0.05, "slope" );
	expect_status(
		ds_sensor_test_white( y, 40000, 100, 1.1e-3, 0, 0.999, &report ), DS_ERROR_RANGE, "standard deviation" );
	for ( int i = 39999; i > 0; --i )
	{
		y[i] = 3 + ( 0.8 * ( y[i] - 3 ) + 0.6 * ( y[i - 1] - 3 ) );
	}
	expect_status(
		ds_sensor_test_white( y, 40000, 100, 1e-3, 0, 0.999, &report ), DS_ERROR_RANGE, "neighbours correlate by 0.4" );
	free( y );
}

static void test_refusals( void **state )
{
	(void)state;
	double *y = noise( 1000, 10, 1, 0, 1 );
	ds_sensor_fixture_point points[] = { { 1, 0.3, 0 }, { 60, 0.1, 0 } };
	ds_sensor_fixture fixture = { 0 };
	expect_status(
		ds_sensor_test_allan( y, 1000, 10, &fixture, NULL ), DS_ERROR_ARGUMENT, "ds_sensor_fixture_default" );
	fixture = ds_sensor_fixture_default();
	fixture.points.data = points;
	fixture.points.count = 2;
	expect_status(
		ds_sensor_test_allan( y, 1000, 10, &fixture, NULL ), DS_ERROR_ARGUMENT, "too few for clusters of 600" );
	fixture.tau_maximum = 0.5;
	expect_status( ds_sensor_test_allan( y, 1000, 10, &fixture, NULL ), DS_ERROR_ARGUMENT, "no averaging time" );
	fixture.tau_maximum = 0;
	points[0].tau = 0.01;
	expect_status( ds_sensor_test_allan( y, 1000, 10, &fixture, NULL ), DS_ERROR_ARGUMENT, "expected a whole number" );
	points[0].tau = NAN;
	expect_status( ds_sensor_test_allan( y, 1000, 10, &fixture, NULL ), DS_ERROR_ARGUMENT, "point 0" );
	points[0].tau = 1;
	fixture.tolerance = -1;
	expect_status( ds_sensor_test_allan( y, 1000, 10, &fixture, NULL ), DS_ERROR_ARGUMENT, "tolerance -1" );
	fixture.tolerance = 0.1;
	expect_status( ds_sensor_test_allan( y, 2, 10, &fixture, NULL ), DS_ERROR_ARGUMENT, "three at least" );
	expect_status( ds_sensor_test_allan( NULL, 1000, 10, &fixture, NULL ), DS_ERROR_ARGUMENT, "sensor test" );
	expect_status( ds_sensor_test_white( y, 999, 10, 1, 0, 0.99, NULL ), DS_ERROR_ARGUMENT, "thousand" );
	y[7] = NAN;
	expect_status( ds_sensor_test_allan( y, 1000, 10, &fixture, NULL ), DS_ERROR_NOT_FINITE, "sample 7" );
	free( y );
}

// ---- fixtures ----------------------------------------------------------------------------------------------------

static void test_fixture_files( void **state )
{
	(void)state;
	ds_sensor_fixture f;
	write_text( ROOT "curve.json",
		"{ \"kind\": \"mdev\", \"tolerance\": 0.2, \"points\": [ { \"tau\": 1, \"deviation\": 2e-4 }, "
		"{ \"tau\": 10, \"deviation\": 5e-5, \"tolerance\": 0.3 } ] }" );
	expect_ok( ds_sensor_fixture_load( ROOT "curve.json", &f ) );
	const ds_sensor_fixture_point *p = f.points.data;
	assert_true( f.kind == DS_ALLAN_MDEV && f.tolerance == 0.2 && f.confidence == 0.999 && f.points.count == 2 );
	assert_true( p[0].tau == 1 && p[0].tolerance == 0 && p[1].deviation == 5e-5 && p[1].tolerance == 0.3 );
	ds_sensor_fixture_free( &f );
	write_text( ROOT "model.json", "{ \"confidence\": 0, \"model\": { \"N\": 2e-4, \"bandwidth\": 40 } }" );
	expect_ok( ds_sensor_fixture_load( ROOT "model.json", &f ) );
	assert_true( f.model.N == 2e-4 && f.model.bandwidth == 40 && f.points.count == 0 && f.confidence == 0 );
	ds_sensor_fixture_free( &f );

	// this program's own curve, names in another order, no names
	static const char *const files[] = { "tau[s],gx[rad/s],gx_low[rad/s],gx_high[rad/s]\n1,2,1.5,3\n2,1.5,1,2\n",
		"tolerance;deviation;tau\n0.5;2;1\n0.5;1.5;2\n", "# a curve\n1 2 0.5\n2 1.5 0.5\n", "1\t2\n2\t1.5\n" };
	const double tolerances[] = { 0, 0.5, 0.5, 0 };
	for ( int i = 0; i < 4; ++i )
	{
		write_text( ROOT "curve.csv", files[i] );
		expect_ok( ds_sensor_fixture_load( ROOT "curve.csv", &f ) );
		p = f.points.data;
		assert_int_equal( f.points.count, 2 );
		assert_true( p[1].tau == 2 && p[1].deviation == 1.5 && p[1].tolerance == tolerances[i] );
		ds_sensor_fixture_free( &f );
	}
	write_text( ROOT "bad.json", "{ \"points\": [ { \"tau\": 1 } ] }" );
	expect_status( ds_sensor_fixture_load( ROOT "bad.json", &f ), DS_ERROR_NOT_FOUND, "deviation" );
	write_text( ROOT "bad.json", "{ \"kind\": \"odev\" }" );
	expect_status( ds_sensor_fixture_load( ROOT "bad.json", &f ), DS_ERROR_NOT_FOUND, "bad.json:1: kind" );
	write_text( ROOT "bad.json", "{}" );
	expect_status( ds_sensor_fixture_load( ROOT "bad.json", &f ), DS_ERROR_FORMAT, "expected points, or a model" );
	write_text( ROOT "bad.csv", "tau,deviation\n2,1\n1,2\n" );
	expect_status( ds_sensor_fixture_load( ROOT "bad.csv", &f ), DS_ERROR_RANGE, "point 1" );
	write_text( ROOT "bad.csv", "tau,deviation\n2,x\n" );
	expect_status( ds_sensor_fixture_load( ROOT "bad.csv", &f ), DS_ERROR_FORMAT, "" );
	expect_status( ds_sensor_fixture_load( ROOT "none.csv", &f ), DS_ERROR_IO, "none.csv" );
	ds_sensor_fixture_free( &f );
}

// ---- records -----------------------------------------------------------------------------------------------------

static ds_status counter( void *user, int64_t index, double time, double *values )
{
	values[0] = time;
	values[1] = index == *(int64_t *)user ? NAN : (double)index;
	return index == 50 ? ds_error( DS_ERROR_IO, "unplugged" ) : DS_OK;
}

static void test_source( void **state )
{
	(void)state;
	int64_t bad = -1;
	ds_sensor_record r;
	expect_ok( ds_sensor_record_source( counter, &bad, 10, 2, 50, &r ) );
	assert_true( r.channels == 2 && r.count == 50 && r.rate == 10 );
	expect_near( r.data[49], 5, 1e-12, "time" );
	expect_near( r.data[50 + 49], 49, 0, "index" );
	ds_sensor_record_free( &r );
	expect_status( ds_sensor_record_source( counter, &bad, 10, 2, 51, &r ), DS_ERROR_IO, "unplugged" );
	assert_null( r.data );
	bad = 3;
	expect_status(
		ds_sensor_record_source( counter, &bad, 10, 2, 50, &r ), DS_ERROR_NOT_FINITE, "sample 3 of channel 1" );
	expect_status( ds_sensor_record_source( counter, &bad, 0, 2, 50, &r ), DS_ERROR_RANGE, "rate" );
	expect_status( ds_sensor_record_source( counter, &bad, 1, 0, 50, &r ), DS_ERROR_ARGUMENT, "channels" );
}

static void test_csv( void **state )
{
	(void)state;
	write_text( ROOT "r.csv", "t[ms],gx[rad/s],gy[rad/s]\n0,1,4\n10,2,5\n20,3,6\n" );
	const char *columns[] = { "gy", "gx" }, *wrong[] = { "gz" }, *twice[] = { "gx", "gx" }, *time[] = { "t" };
	ds_sensor_record r;
	expect_ok( ds_sensor_record_csv( ROOT "r.csv", columns, 2, 0, &r ) );
	const double wanted[] = { 4, 5, 6, 1, 2, 3 };
	assert_memory_equal( r.data, wanted, sizeof( wanted ) );
	expect_near( r.rate, 100, 1e-9, "rate" );
	ds_sensor_record_free( &r );
	expect_ok( ds_sensor_record_csv( ROOT "r.csv", time, 1, 7, &r ) );
	assert_true( r.rate == 7 && r.data[2] == 20 );
	ds_sensor_record_free( &r );
	expect_status(
		ds_sensor_record_csv( ROOT "r.csv", wrong, 1, 0, &r ), DS_ERROR_NOT_FOUND, "no column gz; did you mean g" );
	expect_status( ds_sensor_record_csv( ROOT "r.csv", twice, 2, 0, &r ), DS_ERROR_DUPLICATE, "twice" );
	expect_status( ds_sensor_record_csv( ROOT "r.csv", time, 1, 0, &r ), DS_ERROR_ARGUMENT, "give the rate" );
	write_text( ROOT "r.csv", "t[s],gx\n0,1\n1,2\n2,3\n5,4\n" );
	expect_status( ds_sensor_record_csv( ROOT "r.csv", columns + 1, 1, 0, &r ), DS_ERROR_FORMAT, "must be even" );
	write_text( ROOT "r.csv", "t[s],gx\n0,1\n1,nan\n" );
	expect_status(
		ds_sensor_record_csv( ROOT "r.csv", columns + 1, 1, 0, &r ), DS_ERROR_NOT_FINITE, "r.csv:3: column gx" );
}

static void test_world( void **state )
{
	(void)state;
	ds_world_def def = ds_world_def_default();
	def.rate = 100;
	ds_environment_def space = ds_environment_def_default();
	space.water = DS_WATER_NONE;
	space.gravity = 0;
	def.environment = &space;
	ds_world *world;
	expect_ok( ds_world_create( &def, &world ) );
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	ds_mesh *mesh;
	expect_ok( ds_mesh_make( &shape, NULL, &mesh ) );
	ds_body_def ball = ds_body_def_default();
	ball.mesh = mesh;
	ball.mass = 1;
	snprintf( ball.name, sizeof( ball.name ), "ball" );
	ds_sensor_def imu = ds_sensor_def_default();
	snprintf( imu.name, sizeof( imu.name ), "imu" );
	snprintf( imu.type, sizeof( imu.type ), "imu" );
	ds_imu_config config = ds_imu_config_default();
	config.accel.N[1] = 1e-3;
	imu.config = &config;
	imu.rate = 50;
	imu.latency = 0.1;
	ds_id sensor;
	expect_ok( ds_body_create( world, &ball, &imu.body ) );
	expect_ok( ds_sensor_create( world, &imu, &sensor ) );
	ds_mesh_release( mesh );

	const char *columns[] = { "linear_acceleration_y", "angular_velocity_x" }, *wrong[] = { "linear_aceleration_y" };
	const char *flag[] = { "saturated" };
	ds_sensor_record r;
	expect_ok( ds_sensor_record_world( world, sensor, columns, 2, 5000, &r ) );
	expect_near( r.rate, 50, 1e-6, "rate" );
	ds_sensor_report report;
	expect_ok( ds_sensor_test_white( r.data, r.count, r.rate, 1e-3, 0, 0.9999, &report ) );
	assert_true( r.data[5000] == 0 && r.data[9999] == 0 );
	ds_sensor_record_free( &r );
	expect_status( ds_sensor_record_world( world, sensor, wrong, 1, 10, &r ), DS_ERROR_NOT_FOUND,
		"did you mean linear_acceleration_y" );
	expect_status( ds_sensor_record_world( world, sensor, flag, 1, 10, &r ), DS_ERROR_TYPE, "saturated" );
	assert_null( r.data );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_verdicts ),
		cmocka_unit_test( test_report ),
		cmocka_unit_test( test_refusals ),
		cmocka_unit_test( test_fixture_files ),
		cmocka_unit_test( test_source ),
		cmocka_unit_test( test_csv ),
		cmocka_unit_test( test_world ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The example magnetic_heading, after Fig. 5 of the source paper: on one path, with one magnetometer, a heading with a fixed reference errs
// systematically and with the heading, one with the model's declination and calibrated iron stays within a degree.

#include "examples_kit.h"

#define SCENARIO EXAMPLES "magnetic_heading/magnetic_heading.json"

typedef struct readings
{
	ds_odometry truth;
	ds_ahrs simplified, full;
	ds_magnetometer compass;
} readings;

static void read( const ds_world *world, const char *name, void *out, size_t size )
{
	ds_id id;
	ds_sample_header header;
	OK( ds_world_find( world, DS_SENSOR, name, &id ) );
	OK( ds_sensor_latest( world, id, &header, out, size ) );
}

static readings read_all( const ds_world *world )
{
	readings r;
	read( world, "truth", &r.truth, sizeof( r.truth ) );
	read( world, "simplified", &r.simplified, sizeof( r.simplified ) );
	read( world, "full", &r.full, sizeof( r.full ) );
	read( world, "compass", &r.compass, sizeof( r.compass ) );
	return r;
}

// What a compass without calibration shows by hand, at rest: the field of WMM2025 there through the iron of the scenario, turned back by
// roll and pitch.
static double by_hand( ds_quat q, ds_vec3 b )
{
	ds_vec3 f = ds_unrotate( q, b ), rpy = ds_quat_to_rpy( q );
	double x = 1.04 * f.x + 0.01 * f.y + 2.03e-6;
	double y = 0.01 * f.x + 0.97 * f.y + 0.005 * f.z - 1.02e-6;
	double z = 0.005 * f.y + 1.01 * f.z + 1.48e-6;
	double sr = sin( rpy.x ), cr = cos( rpy.x ), sp = sin( rpy.y ), cp = cos( rpy.y );
	return atan2( z * sr - y * cr, x * cp + y * sp * sr + z * sp * cr );
}

static void headings( void **state )
{
	(void)state;
	ds_world *world = world_of( SCENARIO, NULL, 0 );
	ds_geomagnetic earth;
	double year;
	OK( ds_decimal_year( "2026-06-01", &year ) );
	OK( ds_geomagnetic_at( ds_geomagnetic_wmm2025(), 45 * DEGREE, -30 * DEGREE, -100, year, &earth ) );
	double least = 1e9, most = -1e9, sum = 0, deepest = 0, shallowest = 1e9, steepest = 0;
	int quarters = 0, count = 0;
	for ( double t = 0; t <= 1000; t += 0.5, ++count )
	{
		run_to( world, t );
		readings r = read_all( world );
		const double *a = r.truth.attitude;
		ds_quat q = { a[0], a[1], a[2], a[3] };
		ds_vec3 rpy = ds_quat_to_rpy( q );
		// the full estimator: within a degree, always
		assert_true( r.full.valid && !r.full.heading_unreliable );
		assert_small( remainder( r.full.yaw - rpy.z, 2 * DS_PI ), 1 * DEGREE );
		assert_small( r.full.declination - earth.declination, 0.01 * DEGREE );
		// the simplified one: as iron and declination make it, but for noise, and a turn's acceleration
		double error = remainder( r.simplified.yaw - rpy.z, 2 * DS_PI );
		assert_small( remainder( r.simplified.yaw - by_hand( q, earth.field ), 2 * DS_PI ), 1 * DEGREE );
		least = fmin( least, error );
		most = fmax( most, error );
		sum += error;
		deepest = fmax( deepest, r.truth.position[2] );
		shallowest = fmin( shallowest, r.truth.position[2] );
		steepest = fmax( steepest, fabs( rpy.y ) );
		quarters |= 1 << (int)( ( rpy.z + DS_PI ) / ( 0.5 * DS_PI ) );
	}
	ds_world_destroy( world );
	// a path in three dimensions, on every heading
	assert_true( deepest - shallowest > 100 && steepest > 15 * DEGREE && ( quarters & 15 ) == 15 );
	// a bias that noise does not explain, and a swing with the heading
	assert_true( sum / count > 7 * DEGREE );
	assert_true( most - least > 10 * DEGREE );
}

// What each half of the full estimator gives: calibrated iron alone leaves the declination, declination alone leaves the iron.
static void both_are_needed( void **state )
{
	(void)state;
	const char *overrides[] = { "sensors.full.config.reference=\"fixed\"",
		"sensors.simplified.config.reference=\"model\"", "duration=600" };
	ds_world *world = world_of( SCENARIO, overrides, 3 );
	double iron_most = 0;
	for ( double t = 0; t <= 600; t += 1 )
	{
		run_to( world, t );
		readings r = read_all( world );
		const double *a = r.truth.attitude;
		double yaw = ds_quat_to_rpy( ( ds_quat ){ a[0], a[1], a[2], a[3] } ).z;
		assert_small( remainder( r.full.yaw - yaw, 2 * DS_PI ) - 9.06 * DEGREE, 1 * DEGREE );
		iron_most = fmax( iron_most, fabs( remainder( r.simplified.yaw - yaw, 2 * DS_PI ) ) );
	}
	ds_world_destroy( world );
	assert_true( iron_most > 5 * DEGREE );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( headings ),
		cmocka_unit_test( both_are_needed ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

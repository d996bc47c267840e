// Depth from pressure: conversions against published values, and what they are worth in a world.

#include "hydro/column.h"
#include "hydro/gravity.h"
#include "sensor_kit.h"
#include "sensors/depth.h"

#define RAD ( DS_PI / 180 )

static void test_options( void **state )
{
	(void)state;
	kit_check_ranges( &ds_depth_options, "" );
	OK( ds_table_check( &ds_depth_readings ) );
}

// UNESCO 44, page 28: 9712.653 m at 10000 dbar and 30 degrees. Gibbs SeaWater toolbox, check values gsw_cv_v3_0 of z_from_p.
static void test_published( void **state )
{
	(void)state;
	NEAR( ds_depth_unesco44( 1e8, 30 * RAD ), 9712.653, 1e-3 );
	NEAR( ds_depth_teos10( 1e5, 11 * RAD ), 9.94292752366044, 1e-9 );
	NEAR( ds_depth_teos10( 2e5, 11 * RAD ), 19.8853722291186, 1e-9 );
	assert_true( ds_depth_unesco44( 0, 1 ) == 0 && ds_depth_teos10( 0, 1 ) == 0 );
	for ( double dbar = 1; dbar < 11000; dbar *= 1.5 )
	{
		for ( double latitude = -90; latitude <= 90; latitude += 15 )
		{
			// one ocean by two standards: 0 degC in situ, and at the surface, so that water at depth is warmer
			double a = ds_depth_unesco44( dbar * 1e4, latitude * RAD ),
				   b = ds_depth_teos10( dbar * 1e4, latitude * RAD );
			NEAR( a, b, 0.05 + 1e-8 * b * b );
		}
	}
}

// Absolute and gauge readings give the same depth once the air is taken off; variances go by the slope; the offset adds.
static void test_measure( void **state )
{
	(void)state;
	ds_depth_config c = ds_depth_config_default();
	ds_pressure gauge = { 101325 + 2e7, 400, 900, 4, true };
	ds_depth a, b;
	ds_depth_measure( &c, &gauge, 45 * RAD, &a );
	NEAR( a.depth, ds_depth_unesco44( 2e7, 45 * RAD ), 1e-9 );
	NEAR( a.pressure, 2e7, 1e-6 );
	double slope = ( ds_depth_unesco44( 2.01e7, 45 * RAD ) - ds_depth_unesco44( 1.99e7, 45 * RAD ) ) / 2e5;
	NEAR( sqrt( a.variance ), 20 * slope, 1e-9 );
	NEAR( sqrt( a.bias_variance ), 30 * slope, 1e-9 );
	assert_true( a.valid );
	c.gauge.reference = DS_PRESSURE_GAUGE;
	c.offset = 1.5;
	gauge.pressure = 2e7;
	gauge.valid = false;
	ds_depth_measure( &c, &gauge, 45 * RAD, &b );
	NEAR( b.depth, a.depth + 1.5, 1e-9 );
	assert_true( !b.valid );
	// the latitude that the instrument was told
	c.latitude_known = false;
	c.latitude = 0;
	NEAR( ds_depth_of( &c, 2e7, 45 * RAD ), ds_depth_unesco44( 2e7, 0 ) + 1.5, 1e-9 );
	c.formula = DS_DEPTH_CONSTANT_DENSITY;
	NEAR( ds_depth_of( &c, 2e7, 45 * RAD ), 2e7 / ( 1025 * 9.80665 ) + 1.5, 1e-9 );
	c.formula = DS_DEPTH_TEOS10;
	NEAR( ds_depth_of( &c, 2e7, 45 * RAD ), ds_depth_teos10( 2e7, 0 ) + 1.5, 1e-9 );
}

static double reading_of( const ds_environment_def *e, double depth, const char *json, ds_depth *reading )
{
	kit_memory memory = { 0, 0 };
	kit_life life = { .type = "depth", .config = json, .environment = e, .start = { 0, 0, depth } };
	ds_world *world = kit_life_world( &life, &memory, 1 );
	ds_id id = kit_add_sensor( world, &life, "depth" );
	OK( ds_world_step( world, 0 ) );
	OK( ds_sensor_latest( world, id, NULL, reading, sizeof( *reading ) ) );
	ds_world_destroy( world );
	return reading->depth;
}

// At 3000 m in the pycnocline of eq. 14 (1025 kg/m3, 3.075 more from 1000 m on) the pressure is g (1025 * 3000 + 3.075 * 2500): a
// constant density of 1025 reads 7.5 m too much.
static void test_constant_density_is_off( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.density_kind = DS_DENSITY_PYCNOCLINE;
	ds_depth r;
	double depth = reading_of( &e, 3000, "{ \"formula\": \"constant_density\", \"gravity\": 9.81 }", &r );
	NEAR( depth - 3000, 3.075 * 2500 / 1025, 1e-6 );
	NEAR( depth - 3000, 7.5, 1e-6 );
	e.density_kind = DS_DENSITY_UNIFORM;
	e.density = 1025;
	depth = reading_of( &e, 3000, "{ \"formula\": \"constant_density\", \"gravity\": 9.81 }", &r );
	NEAR( depth, 3000, 1e-6 );
}

// In water as the formulas suppose it, and with gravity of the place, they are right to what their authors claim; in warmer water
// they are off by its dynamic height, some metres; a constant density is far off.
static void test_in_the_standard_ocean( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.density_kind = DS_DENSITY_TEOS10;
	e.gravity_by_latitude = true;
	e.latitude = 30 * RAD;
	e.salinity = 35;
	e.temperature = 0;
	ds_depth r;
	double teos = reading_of( &e, 3000, "{ \"formula\": \"teos10\" }", &r );
	double unesco = reading_of( &e, 3000, "{ \"formula\": \"unesco44\" }", &r );
	double constant = reading_of( &e, 3000, "{ \"formula\": \"constant_density\" }", &r );
	// the world's gravity does not grow with depth: 2.26e-7 a metre over 3000 m is 1 m
	NEAR( teos, 3000 - 1.0, 0.3 );
	NEAR( unesco, teos, 0.2 );
	assert_true( constant > 3020 && constant < 3040 );
}

static void test_in_air_and_at_the_surface( void **state )
{
	(void)state;
	ds_depth r;
	NEAR( reading_of( NULL, -2, "{}", &r ), 0, 1e-9 );
	assert_true( r.valid );
	NEAR( reading_of( NULL, 0, "{}", &r ), 0, 1e-9 );
	NEAR( reading_of( NULL, 10, "{ \"formula\": \"constant_density\", \"gravity\": 9.81 }", &r ), 10, 1e-9 );
	// a low of 20 hPa that the instrument does not know of is 0.2 m
	ds_environment_def e = ds_environment_def_default();
	e.surface_pressure = 99325;
	NEAR( reading_of( &e, 10, "{ \"formula\": \"constant_density\", \"gravity\": 9.81 }", &r ), 10 - 0.199, 1e-3 );
	NEAR( reading_of( &e, 10,
			  "{ \"formula\": \"constant_density\", \"gravity\": 9.81, \"gauge\": { \"reference\": \"gauge\" } }", &r ),
		10, 1e-9 );
}

static void test_life( void **state )
{
	(void)state;
	kit_life life = { .type = "depth",
		.config = "{ \"gauge\": { \"noise\": 20, \"walk\": 3, \"turn_on\": 100, \"hysteresis\": 1e-3 }, \"formula\": "
				  "\"teos10\" }",
		.start = { 0, 0, 30 } };
	kit_sensor_life( &life, true );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_published ),
		cmocka_unit_test( test_measure ),
		cmocka_unit_test( test_constant_density_is_off ),
		cmocka_unit_test( test_in_the_standard_ocean ),
		cmocka_unit_test( test_in_air_and_at_the_surface ),
		cmocka_unit_test( test_life ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Running gear of a plugin: the world turns the wheels of tests/plugins/hub_motor.c, presses them on soil, and answers what they ask of it.

#include "plugin_world.h"

#include <math.h>

typedef struct hub_motor_reading
{
	double torque, speed, slip, load, ground, rut;
} hub_motor_reading;

#define WHEEL( name_, x_, y_ )                                                                                         \
	"{ 'name': '" name_ "', 'type': 'hub_motor', 'body': 'cart', 'rate': 200, 'mount': { 'position': [" x_ ", " y_     \
	", 0.2] } }"
#define CART( seabed_ )                                                                                                \
	"{ 'deepsim': 1, 'rate': 200, 'plugins': ['hub_motor.so'], 'environment': { 'water': { 'density': 1025 }, "        \
	"'seabed': " seabed_ " }, 'bodies': [ { 'name': 'cart', 'mesh': { 'make': 'box', 'size': [1.6, 0.8, 0.3] }, "      \
	"'mass': 700, 'pose': { 'position': [0, 0, 29.5] } } ], 'actuators': [ " WHEEL( "fl", "0.7", "-0.6" ) ", " WHEEL(  \
		"fr", "0.7", "0.6" ) ", " WHEEL( "rl", "-0.7", "-0.6" ) ", " WHEEL( "rr", "-0.7", "0.6" ) " ] }"

static const char *const names[4] = { "fl", "fr", "rl", "rr" };

static ds_world *make_cart( const char *text )
{
	static char json[8192];
	assert_true( strlen( text ) < sizeof( json ) );
	strcpy( json, text );
	for ( char *c = json; *c; ++c )
	{
		*c = *c == '\'' ? '"' : *c;
	}
	ds_scenario *scenario;
	assert_ok( ds_scenario_parse( json, "cart.json", DEEPSIM_TEST_PLUGINS, NULL, 0, NULL, &scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	ds_world *world;
	assert_ok( ds_world_create( &def, &world ) );
	ds_scenario_release( scenario );
	return world;
}

static void drive( ds_world *world, double share )
{
	for ( int i = 0; i < 4; ++i )
	{
		assert_ok( ds_actuator_set( world, find( world, DS_ACTUATOR, names[i] ), &share, 1 ) );
	}
}

static hub_motor_reading reading_of( const ds_world *world, int wheel )
{
	hub_motor_reading reading;
	ds_sample_header header;
	assert_ok(
		ds_sensor_latest( world, find( world, DS_ACTUATOR, names[wheel] ), &header, &reading, sizeof( reading ) ) );
	assert_int_equal( header.time, ds_world_time( world ) );
	return reading;
}

// I w' = T ( u - w / w0 ) by ticks of Euler's method, as the motor is told its speed once a tick.
static void test_spins_without_ground( void **state )
{
	(void)state;
	ds_world *world = make_cart( CART( "null" ) );
	drive( world, 0.5 );
	double rate = 0;
	for ( int k = 0; k < 100; ++k )
	{
		assert_ok( ds_world_step( world, 1 ) );
		double torque = 150 * ( 0.5 - rate / 3 );
		rate += torque * 0.005 / 0.5;
		hub_motor_reading now = reading_of( world, 2 );
		assert_near( now.torque, torque, 1e-9 );
		assert_near( now.speed, 0.3 * rate, 1e-12 );
		assert_true( now.load == 0 && now.ground == 0 && now.rut == 0 );
	}
	assert_near( rate, 1.5, 1e-9 );
	ds_world_destroy( world );
}

// The soil bears the cart's weight in water; the wheels roll with little slip and leave ruts behind them, and nowhere else.
static void test_drives_on_soil( void **state )
{
	(void)state;
	ds_world *world = make_cart(
		CART( "{ 'elevation': { 'model': 'flat', 'depth': 30 }, 'soil': 'lete_sand', 'deformable': true }" ) );
	assert_ok( ds_world_step( world, 400 ) );
	drive( world, 0.5 );
	assert_ok( ds_world_step( world, 600 ) );
	double load = 0, pull = 0, rut = 0;
	const int ticks = 400;
	double start = motion_of( world, "cart" ).pose.position.x;
	for ( int k = 0; k < ticks; ++k )
	{
		hub_motor_reading before[4];
		for ( int i = 0; i < 4; ++i )
		{
			before[i] = reading_of( world, i );
		}
		assert_ok( ds_world_step( world, 1 ) );
		for ( int i = 0; i < 4; ++i )
		{
			hub_motor_reading now = reading_of( world, i );
			assert_near( now.torque, 150 * ( 0.5 - before[i].speed / 0.3 / 3 ), 1e-9 );
			assert_near( now.ground, 30 + now.rut, 1e-12 );
			load += now.load / ticks;
			pull += now.speed / ( 4 * ticks );
			rut = now.rut > rut ? now.rut : rut;
		}
	}
	double weight = 9.81 * ( 700 - 1025 * 1.6 * 0.8 * 0.3 );
	assert_near( load, weight, 0.02 * weight );
	double way = motion_of( world, "cart" ).pose.position.x - start;
	assert_near( way / ( 0.005 * ticks ), pull, 0.1 * pull );
	assert_true( pull > 0.3 && pull < 0.45 && rut > 1e-3 && rut < 0.05 );

	ds_ground_point ground;
	assert_ok( ds_ground_at( world, start, -0.6, &ground ) );
	assert_true( ground.has_soil && ground.rut > 1e-3 );
	assert_ok( ds_ground_at( world, start, 0, &ground ) );
	assert_true( ground.rut == 0 && ground.z == 30 );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_spins_without_ground ),
		cmocka_unit_test( test_drives_on_soil ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

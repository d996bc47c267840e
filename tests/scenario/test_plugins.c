// Plugins of all four kinds from outside the library, in worlds made from scenario files: what they do, what they see of
// each other, and what of them shows in logs, schema and help.

#include "plugin_world.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define RAYS 33
typedef struct fan
{
	range_fan_reading reading;
	double ranges[RAYS];
} fan;

// ---- the sensor --------------------------------------------------------------------------------------------------

#define FAN( name_, more_ )                                                                                            \
	"{ 'name': '" name_                                                                                                \
	"', 'type': 'range_fan', 'body': 'box', 'config': { 'rays': 33, 'swath': 4, 'range': 30 " more_ " } }"
#define GAUGE "{ 'name': 'gauge', 'type': 'pressure', 'body': 'box', 'config': { 'reference': 'gauge' } }"

static fan latest_fan( const ds_world *world, const char *name )
{
	fan now;
	ds_sample_header header;
	assert_ok( ds_sensor_latest( world, find( world, DS_SENSOR, name ), &header, &now, sizeof( now ) ) );
	assert_int_equal( header.time, ds_world_time( world ) );
	assert_int_equal( now.reading.ranges.count, RAYS );
	assert_int_equal( now.reading.ranges.offset, offsetof( fan, ranges ) );
	return now;
}

// Ranges over a flat bottom are h sqrt( 1 + s^2 ), h = 20 m, s the ray's slope.
static void test_sensor( void **state )
{
	(void)state;
	ds_world *world = make_world( STILL_BOX, "'sensors': [ " FAN( "fan", "" ) " ]" );
	const ds_table *table;
	size_t size;
	assert_ok( ds_sensor_output( world, find( world, DS_SENSOR, "fan" ), &table, &size ) );
	assert_string_equal( table->name, "range_fan" );
	assert_int_equal( size, sizeof( fan ) );
	for ( int k = 0; k < 3; ++k )
	{
		fan now = latest_fan( world, "fan" );
		int64_t hits = 0;
		for ( int i = 0; i < RAYS; ++i )
		{
			double slope = 4 * ( i / ( RAYS - 1.0 ) - 0.5 ), range = 20 * sqrt( 1 + slope * slope );
			assert_near( now.ranges[i], range <= 30 ? range : -1, 1e-9 );
			hits += range <= 30;
		}
		assert_int_equal( now.reading.hits, hits );
		assert_near( now.reading.nearest, 20, 1e-9 );
		assert_near( now.reading.pressure_age, -1, 0 );
		assert_ok( ds_world_step( world, 10 ) );
	}
	ds_world_destroy( world );
}

// Noise comes from the part's own stream: of the right size, the same in every run, another one for each name and seed.
static void test_sensor_noise( void **state )
{
	(void)state;
	static const char *const both =
		"'sensors': [ " FAN( "one", ", 'noise': 0.5" ) ", " FAN( "two", ", 'noise': 0.5" ) " ]";
	ds_world *world = make_world( STILL_BOX, both );
	ds_world *alone = make_world( STILL_BOX, "'sensors': [ " FAN( "two", ", 'noise': 0.5" ) " ]" );
	double sum = 0, squares = 0, product = 0;
	int n = 0;
	for ( int k = 0; k < 2000; ++k )
	{
		fan one = latest_fan( world, "one" ), two = latest_fan( world, "two" ), same = latest_fan( alone, "two" );
		assert_memory_equal( &two, &same, sizeof( two ) );
		for ( int i = 9; i < 24; ++i, ++n )
		{
			double slope = 4 * ( i / ( RAYS - 1.0 ) - 0.5 ), range = 20 * sqrt( 1 + slope * slope );
			double a = ( one.ranges[i] - range ) / 0.5, b = ( two.ranges[i] - range ) / 0.5;
			sum += a;
			squares += a * a;
			product += a * b;
		}
		assert_ok( ds_world_step( world, 1 ) );
		assert_ok( ds_world_step( alone, 1 ) );
	}
	assert_near( sum / n, 0, 4.5 / sqrt( n ) );
	assert_near( squares / n, 1, 4.5 * sqrt( 2.0 / n ) );
	assert_near( product / n, 0, 4.5 / sqrt( n ) );

	fan before = latest_fan( alone, "two" );
	assert_ok( ds_world_reset( alone, 43 ) );
	assert_ok( ds_world_step( alone, 2000 ) );
	fan other = latest_fan( alone, "two" );
	assert_true( before.ranges[16] != other.ranges[16] );
	assert_ok( ds_world_reset( alone, 42 ) );
	assert_ok( ds_world_step( alone, 2000 ) );
	other = latest_fan( alone, "two" );
	assert_memory_equal( &before, &other, sizeof( before ) );
	ds_world_destroy( world );
	ds_world_destroy( alone );
}

// ---- inputs ------------------------------------------------------------------------------------------------------

// A chain that the file lists backwards: within one tick every part reads what the one before it has just measured.
static void test_inputs_in_order( void **state )
{
	(void)state;
#define LINK( name_, source_ )                                                                                         \
	"{ 'name': '" name_                                                                                                \
	"', 'type': 'range_fan', 'body': 'box', 'config': { 'rays': 33 }, 'inputs': { 'pressure': '" source_ "' } }"
	ds_world *world = make_world( STILL_BOX,
		"'sensors': [ " LINK( "c", "b" ) ", " LINK( "d", "c" ) ", " LINK( "b", "a" ) ", " LINK(
			"a", "gauge" ) ", "
						   "{ 'name': 'gauge', 'type': 'pressure', 'body': 'box', 'config': { 'noise': 100 } } ]" );
	for ( int k = 0; k < 5; ++k )
	{
		ds_pressure gauge;
		assert_ok( ds_sensor_latest( world, find( world, DS_SENSOR, "gauge" ), NULL, &gauge, sizeof( gauge ) ) );
		static const char *const names[] = { "a", "b", "c", "d" };
		for ( int i = 0; i < 4; ++i )
		{
			fan now = latest_fan( world, names[i] );
			assert_true( now.reading.pressure == gauge.pressure );
			assert_true( now.reading.pressure_age == 0 );
		}
		assert_ok( ds_world_step( world, 1 ) );
	}
	ds_world_destroy( world );
}

// A slower source with latency is seen when it is available, and not before.
static void test_input_age( void **state )
{
	(void)state;
	ds_world *world = make_world( STILL_BOX,
		"'sensors': [ " LINK( "fan", "gauge" ) ", { 'name': 'gauge', 'type': 'pressure', 'body': 'box', 'rate': 10, "
											   "'latency': 0.035 } ]" );
	for ( int tick = 0; tick < 50; ++tick )
	{
		// valid at 0, 10, 20, ... and available 3.5 ticks later: seen from the fourth on
		int age = tick % 10 >= 4 ? tick % 10 : tick % 10 + 10;
		fan now = latest_fan( world, "fan" );
		assert_near( now.reading.pressure_age, tick < 4 ? -1 : 0.01 * age, 1e-12 );
		assert_ok( ds_world_step( world, 1 ) );
	}
	ds_world_destroy( world );
}

static void refuse( const char *parts, ds_status status, const char *message )
{
	ds_world *world;
	assert_message( try_world( STILL_BOX, parts, &world ), status, message );
	ds_world_destroy( world );
}

static void test_inputs_refused( void **state )
{
	(void)state;
	refuse( "'sensors': [ " LINK( "a", "b" ) ", " LINK( "b", "c" ) ", " LINK( "c", "a" ) " ]", DS_ERROR_CYCLE, "\"" );
	refuse( "'sensors': [ " LINK( "self", "self" ) " ]", DS_ERROR_CYCLE, "\"self\"" );
	refuse( "'sensors': [ " LINK( "fan", "gauges" ) ", " GAUGE " ]", DS_ERROR_NOT_FOUND, "\"gauges\"" );
	refuse( "'sensors': [ { 'name': 'fan', 'type': 'range_fann', 'body': 'box' } ]", DS_ERROR_NOT_FOUND, "range_fan" );
	refuse( "'sensors': [ { 'name': 'fan', 'type': 'range_fan', 'body': 'box', 'config': { 'rayz': 3 } } ]",
		DS_ERROR_UNKNOWN_KEY, "rays" );
	refuse( "'sensors': [ { 'name': 'fan', 'type': 'range_fan', 'body': 'box', 'config': { 'rays': 0 } } ]",
		DS_ERROR_RANGE, "rays" );
}

// ---- the force ---------------------------------------------------------------------------------------------------

// A weight on a spring in vacuum, let go at the spring's length: z = m g / k (1 - cos( w t )), w = sqrt( k / m ).
static void test_force( void **state )
{
	(void)state;
	ds_world *world = make_world(
		"'environment': { 'water': null }, 'bodies': [ { 'name': 'weight', 'mesh': { 'make': 'sphere' }, 'mass': 20, "
		"'pose': { 'position': [3, 4, 10], 'rpy_deg': [20, 30, 40] } } ]",
		"'forces': [ { 'name': 'line', 'type': 'tether', 'body': 'weight', 'mount': { 'rpy_deg': [0, 90, 10] }, "
		"'config': { 'anchor': [3, 4, -40], 'length': 50, 'stiffness': 500 } } ]" );
	const double w = sqrt( 500.0 / 20 ), amplitude = 20 * 9.81 / 500;
	for ( int tick = 1; tick <= 300; ++tick )
	{
		assert_ok( ds_world_step( world, 1 ) );
		ds_body_motion motion = motion_of( world, "weight" );
		double expected = 10 + amplitude * ( 1 - cos( w * tick * 0.01 ) );
		assert_near( motion.pose.position.z, expected, 0.01 * amplitude );
		assert_near( motion.pose.position.x, 3, 1e-9 );
		assert_near( motion.pose.position.y, 4, 1e-9 );
	}
	ds_effort effort;
	assert_ok( ds_actuator_effort( world, find( world, DS_FORCE, "line" ), &effort ) );
	double pull = ds_length( effort.wrench.force );
	assert_near( pull, 500 * ( motion_of( world, "weight" ).pose.position.z - 10 ), 0.03 * 20 * 9.81 );
	ds_world_destroy( world );
}

// With damping the weight comes to rest where the line carries it.
static void test_force_at_rest( void **state )
{
	(void)state;
	ds_world *world = make_world(
		"'environment': { 'water': null }, 'bodies': [ { 'name': 'weight', 'mesh': { 'make': 'sphere' }, 'mass': 20, "
		"'pose': { 'position': [0, 0, 10] } } ]",
		"'forces': [ { 'name': 'line', 'type': 'tether', 'body': 'weight', 'config': { 'anchor': [0, 0, 0], "
		"'stiffness': 500, 'damping': 100 } } ]" );
	assert_ok( ds_world_step( world, 2000 ) );
	ds_body_motion motion = motion_of( world, "weight" );
	assert_near( motion.pose.position.z, 10 + 20 * 9.81 / 500, 1e-9 );
	assert_near( motion.velocity_world.linear.z, 0, 1e-9 );
	ds_world_destroy( world );
}

// ---- the actuator ------------------------------------------------------------------------------------------------

#define TANK                                                                                                           \
	"'actuators': [ { 'name': 'tank', 'type': 'ballast_tank', 'body': 'box', 'config': { 'volume': 0.01, 'rate': "     \
	"0.001, "                                                                                                          \
	"'initial': 1 } } ]"

// A full tank weighs what it displaces; the pump follows the command at its rate; an empty tank lifts.
static void test_actuator( void **state )
{
	(void)state;
	ds_world *world = make_world( STILL_BOX, TANK );
	ds_id tank = find( world, DS_ACTUATOR, "tank" );
	double full = 1;
	assert_ok( ds_actuator_set( world, tank, &full, 1 ) );
	assert_ok( ds_world_step( world, 100 ) );
	ds_body_motion still = motion_of( world, "box" );
	assert_near( still.pose.position.z, 10, 1e-9 );

	double quarter = 0.25;
	assert_ok( ds_actuator_set( world, tank, &quarter, 1 ) );
	ds_effort effort;
	for ( int tick = 1; tick <= 1000; ++tick )
	{
		assert_ok( ds_world_step( world, 1 ) );
		assert_ok( ds_actuator_effort( world, tank, &effort ) );
		double fill = fmax( 1 - 0.1 * 0.01 * tick, 0.25 );
		assert_near( effort.mass, 1025 * 0.01 * fill, 1e-9 );
		assert_near( effort.displaced_volume, 0.01, 0 );
		assert_near( effort.electric_power, tick <= 751 ? 100 : 0, tick == 751 ? 100 : 0 );
		if ( tick == 100 )
		{
			// at a tenth pumped out the lift is 1025 * 0.001 * 9.81 N, while the speed is still small
			double lift = 1025 * 0.01 * 0.1 * 9.81;
			assert_near( motion_of( world, "box" ).acceleration_world.z, -lift / 1009, 0.01 * lift / 1009 );
		}
	}
	double wrong[] = { 1.01, -0.01, NAN };
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_not_equal( ds_actuator_set( world, tank, &wrong[i], 1 ), DS_OK );
		assert_non_null( strstr( ds_last_error(), "\"tank\"" ) );
	}
	ds_world_destroy( world );
}

// A reset fills the tank again: its state is the plugin's own, set by its reset function.
static void test_actuator_reset( void **state )
{
	(void)state;
	ds_world *world = make_world( STILL_BOX, TANK );
	ds_id tank = find( world, DS_ACTUATOR, "tank" );
	ds_effort effort;
	for ( int run = 0; run < 2; ++run )
	{
		assert_ok( ds_world_step( world, 1 ) );
		assert_ok( ds_actuator_effort( world, tank, &effort ) );
		assert_near( effort.mass, 1025 * 0.01 * 0.999, 1e-9 );
		assert_ok( ds_world_step( world, 500 ) );
		assert_ok( ds_world_reset( world, 42 ) );
	}
	ds_world_destroy( world );
}

// ---- the controller ----------------------------------------------------------------------------------------------

#define HOLD                                                                                                           \
	"'actuators': [ { 'name': 'down', 'type': 'thruster', 'body': 'box', 'mount': { 'rpy_deg': [0, -90, 0] }, "        \
	"'config': "                                                                                                       \
	"{ 'forward': 200, 'reverse': 200 } } ], 'sensors': [ { 'name': 'gauge', 'type': 'pressure', 'body': 'box', "      \
	"'rate': "                                                                                                         \
	"20, 'config': { 'reference': 'gauge', 'noise': 20 } }, " FAN(                                                     \
		"fan", ", 'noise': 0.1" ) " ], 'controllers': [ { 'name': 'hold', 'type': 'depth_hold', 'rate': 20, "          \
								  "'inputs': { 'pressure': 'gauge' }, "                                                \
								  "'outputs': ['down'], 'config': { 'depth': 12, 'kp': 0.5, 'kd': 2 } } ]"

static void test_controller( void **state )
{
	(void)state;
	ds_world *world = make_world( STILL_BOX, HOLD );
	ds_id down = find( world, DS_ACTUATOR, "down" ), hold = find( world, DS_CONTROLLER, "hold" );
	for ( int k = 0; k < 1200; ++k )
	{
		assert_ok( ds_world_step( world, 5 ) );
		depth_hold_reading reading;
		ds_sample_header header;
		double command;
		assert_ok( ds_sensor_latest( world, hold, &header, &reading, sizeof( reading ) ) );
		assert_ok( ds_actuator_command( world, down, &command, 1 ) );
		assert_true( reading.valid && fabs( command ) <= 1 );
		assert_true( command == reading.command );
		assert_near( reading.error, 12 - reading.depth, 1e-12 );
		ds_effort effort;
		assert_ok( ds_actuator_effort( world, down, &effort ) );
		assert_near( effort.wrench.force.x, 200 * command, 1e-9 );
	}
	ds_body_motion motion = motion_of( world, "box" );
	assert_near( motion.depth, 12, 0.02 );
	assert_near( motion.velocity_world.linear.z, 0, 0.01 );
	assert_near( motion.pose.position.x, 5, 1e-6 );
	ds_world_destroy( world );
}

// A controller that lacks what it needs says so, by its own message, with its name and the tick.
static void test_controller_without_input( void **state )
{
	(void)state;
	ds_world *world = make_world( STILL_BOX, "'controllers': [ { 'name': 'hold', 'type': 'depth_hold' } ]" );
	ds_status status = ds_world_step( world, 1 );
	assert_message(
		status, DS_ERROR_ARGUMENT, "controller \"hold\" (type \"depth_hold\"), sample at tick 0: it needs" );
	ds_world_destroy( world );
}

// ---- snapshots ---------------------------------------------------------------------------------------------------

#define ALL                                                                                                            \
	"'forces': [ { 'name': 'line', 'type': 'tether', 'body': 'box', 'config': { 'anchor': [5, -3, 0], 'stiffness': "   \
	"20, "                                                                                                             \
	"'damping': 50 } } ], " HOLD

static void assert_same( const ds_world *a, const ds_world *b )
{
	fan fa = latest_fan( a, "fan" ), fb = latest_fan( b, "fan" );
	assert_memory_equal( &fa, &fb, sizeof( fa ) );
	depth_hold_reading ha, hb;
	assert_ok( ds_sensor_latest( a, find( a, DS_CONTROLLER, "hold" ), NULL, &ha, sizeof( ha ) ) );
	assert_ok( ds_sensor_latest( b, find( b, DS_CONTROLLER, "hold" ), NULL, &hb, sizeof( hb ) ) );
	assert_memory_equal( &ha, &hb, sizeof( ha ) );
	ds_body_motion ma = motion_of( a, "box" ), mb = motion_of( b, "box" );
	assert_memory_equal( &ma.pose, &mb.pose, sizeof( ma.pose ) );
	assert_memory_equal( &ma.velocity_world, &mb.velocity_world, sizeof( ma.velocity_world ) );
}

// Plugins' state is copied with the world: restored, cloned and reset worlds go on bit for bit.
static void test_snapshots( void **state )
{
	(void)state;
	ds_world *world = make_world( STILL_BOX, ALL ), *other = make_world( STILL_BOX, ALL ), *clone;
	assert_ok( ds_world_step( world, 777 ) );
	size_t size = ds_world_save_size( world );
	void *bytes = malloc( size );
	assert_non_null( bytes );
	assert_ok( ds_world_save( world, bytes, size ) );
	assert_ok( ds_world_clone( world, &clone ) );
	assert_ok( ds_world_step( world, 500 ) );

	assert_ok( ds_world_restore( other, bytes, size ) );
	assert_ok( ds_world_step( other, 500 ) );
	assert_same( world, other );
	assert_ok( ds_world_step( clone, 500 ) );
	assert_same( world, clone );
	assert_ok( ds_world_reset( other, 42 ) );
	assert_ok( ds_world_step( other, 1277 ) );
	assert_same( world, other );

	// a clone outlives what it was made from, and its plugins with it
	ds_world_destroy( world );
	assert_ok( ds_world_step( clone, 100 ) );
	ds_world_destroy( clone );
	ds_world_destroy( other );
	free( bytes );
}

// ---- logs, schema, help ------------------------------------------------------------------------------------------

static void read_file( const char *path, char *text, size_t size )
{
	FILE *file = fopen( path, "rb" );
	if ( file == NULL )
	{
		fail_msg( "%s does not exist", path );
	}
	size_t length = fread( text, 1, size - 1, file );
	text[length] = 0;
	fclose( file );
}

static void test_logs( void **state )
{
	(void)state;
	ds_scenario *scenario;
	assert_ok( load_scenario( STILL_BOX, HOLD, &scenario ) );
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	ds_world *world;
	ds_log_sink sink;
	assert_ok( ds_world_create( &def, &world ) );
	assert_ok( ds_log_csv( DEEPSIM_TEST_TMP "/log", NULL, &sink ) );
	assert_ok( ds_log_attach( world, &sink ) );
	assert_ok( ds_world_step( world, 100 ) );
	fan last = latest_fan( world, "fan" );
	assert_ok( ds_log_close( world, DS_OK, NULL ) );
	ds_world_destroy( world );
	ds_scenario_release( scenario );

	static char text[65536];
	read_file( DEEPSIM_TEST_TMP "/log/fan.csv", text, sizeof( text ) );
	const char *header = "t[s],nearest[m],hits,pressure[Pa],pressure_age[s],ranges[m]\n";
	assert_memory_equal( text, header, strlen( header ) );
	int rows = -1;
	for ( const char *c = text; *c; ++c )
	{
		rows += *c == '\n';
	}
	assert_int_equal( rows, 101 );
	const char *cell = strrchr( text, ',' );
	assert_non_null( cell );
	assert_memory_equal( cell + 1, "fan/100.bin\n", 13 );

	// the span's file is the numbers themselves
	char raw[sizeof( last.ranges ) + 1];
	read_file( DEEPSIM_TEST_TMP "/log/fan/100.bin", raw, sizeof( raw ) );
	assert_memory_equal( raw, last.ranges, sizeof( last.ranges ) );

	read_file( DEEPSIM_TEST_TMP "/log/hold.csv", text, sizeof( text ) );
	header = "t[s],depth[m],error[m],command,valid\n";
	assert_memory_equal( text, header, strlen( header ) );
}

// Actuators and forces report of themselves too: at 10 Hz, or at the rate that is asked for.
static void test_logs_of_what_pushes( void **state )
{
	(void)state;
	ds_world *world = make_world( STILL_BOX,
		"'actuators': [ { 'name': 'tank', 'type': 'ballast_tank', 'body': 'box', 'config': { 'initial': 1 } } ], "
		"'forces': [ { 'name': 'line', 'type': 'tether', 'body': 'box', 'rate': 50, "
		"'config': { 'anchor': [5, -3, 2], 'length': 7, 'stiffness': 1 } } ]" );
	ds_log_sink sink;
	assert_ok( ds_log_csv( DEEPSIM_TEST_TMP "/pushers", NULL, &sink ) );
	assert_ok( ds_log_attach( world, &sink ) );
	assert_ok( ds_world_step( world, 100 ) );

	// time 0 was sampled before the log was attached; the latest reading comes by the same call as a sensor's: stretched by 1 m at the start, 1 N
	double line[2];
	ds_sample_header header;
	assert_ok( ds_sensor_latest( world, find( world, DS_FORCE, "line" ), &header, line, sizeof( line ) ) );
	assert_int_equal( header.sequence, 50 );
	assert_near( line[0], 1, 0.01 );
	assert_near( line[1], line[0], 1e-12 );
	assert_ok( ds_log_close( world, DS_OK, NULL ) );
	ds_world_destroy( world );

	const struct
	{
		const char *path, *header;
		int rows;
	} logs[] = { { DEEPSIM_TEST_TMP "/pushers/tank.csv", "t[s],fill,mass[kg],power[W]\n", 10 },
		{ DEEPSIM_TEST_TMP "/pushers/line.csv", "t[s],stretch[m],tension[N]\n", 50 } };
	for ( int i = 0; i < 2; ++i )
	{
		static char text[65536];
		read_file( logs[i].path, text, sizeof( text ) );
		assert_memory_equal( text, logs[i].header, strlen( logs[i].header ) );
		int rows = -1;
		for ( const char *c = text; *c; ++c )
		{
			rows += *c == '\n';
		}
		assert_int_equal( rows, logs[i].rows );
	}
}

static void assert_contains( const char *text, const char *part )
{
	if ( strstr( text, part ) == NULL )
	{
		fail_msg( "\"%s\" is not in: %.2000s", part, text );
	}
}

// Runs the program with arguments and gives what it printed.
static const char *run_program( const char *arguments )
{
	static char text[1 << 20];
	char command[4096];
	snprintf( command, sizeof( command ), "'%s' %s 2>&1", DEEPSIM_PROGRAM, arguments );
	FILE *pipe = popen( command, "r" );
	assert_non_null( pipe );
	size_t length = fread( text, 1, sizeof( text ) - 1, pipe );
	text[length] = 0;
	if ( pclose( pipe ) != 0 )
	{
		fail_msg( "%s failed: %s", command, text );
	}
	return text;
}

#define PLUGIN( name_ ) " --plugin '" DEEPSIM_TEST_PLUGINS "/" name_ ".so'"
#define ALL_PLUGINS     PLUGIN( "range_fan" ) PLUGIN( "ballast_tank" ) PLUGIN( "tether" ) PLUGIN( "depth_hold" )

// Options and units of the four in schema and help, and nothing of them without the plugins.
static void test_schema_and_describe( void **state )
{
	(void)state;
	if ( DEEPSIM_PROGRAM[0] == 0 )
	{
		skip();
	}
	static const char *const names[] = { "range_fan", "swath", "ballast_tank", "tether", "stiffness", "depth_hold",
		"surface_pressure" };
	const char *schema = run_program( "schema" ALL_PLUGINS );
	for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
	{
		assert_contains( schema, names[i] );
	}
	assert_null( strstr( run_program( "schema" ), "range_fan" ) );

	const char *help = run_program( "describe range_fan" ALL_PLUGINS );
	assert_contains( help, "swath" );
	assert_contains( help, "width of the fan on a flat bottom" );
	assert_contains( help, "pressure_age" );
	assert_contains( help, "ranges" );
	help = run_program( "describe tether" ALL_PLUGINS );
	assert_contains( help, "stiffness" );
	assert_contains( help, "N/m" );
	assert_contains( help, "tension" );

	// a bare name is looked for in the current directory
	assert_int_equal( chdir( DEEPSIM_TEST_PLUGINS ), 0 );
	assert_contains( run_program( "describe tether --plugin tether.so" ), "stiffness" );
	assert_int_equal( chdir( DEEPSIM_TEST_TMP ), 0 );
}

// The schema of a registry in code.
static void test_schema_of_registry( void **state )
{
	(void)state;
	ds_registry *registry;
	char *text;
	assert_ok( ds_registry_create( NULL, &registry ) );
	assert_ok( ds_registry_load_plugin( registry, "range_fan.so", DEEPSIM_TEST_PLUGINS ) );
	assert_ok( ds_scenario_schema( registry, &text ) );
	assert_contains( text, "width of the fan on a flat bottom, in heights above it" );
	ds_text_free( registry, text );
	ds_registry_release( registry );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_sensor ),
		cmocka_unit_test( test_sensor_noise ),
		cmocka_unit_test( test_inputs_in_order ),
		cmocka_unit_test( test_input_age ),
		cmocka_unit_test( test_inputs_refused ),
		cmocka_unit_test( test_force ),
		cmocka_unit_test( test_force_at_rest ),
		cmocka_unit_test( test_actuator ),
		cmocka_unit_test( test_actuator_reset ),
		cmocka_unit_test( test_controller ),
		cmocka_unit_test( test_controller_without_input ),
		cmocka_unit_test( test_snapshots ),
		cmocka_unit_test( test_logs ),
		cmocka_unit_test( test_logs_of_what_pushes ),
		cmocka_unit_test( test_schema_and_describe ),
		cmocka_unit_test( test_schema_of_registry ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

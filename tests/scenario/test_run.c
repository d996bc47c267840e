// `deepsim run`: the log, the summary, overrides, determinism, output, wrong usage.

#include "program.h"

#include <math.h>

#define TRUTH_HEADER                                                                                                   \
	"t[s],position_x[m],position_y[m],position_z[m],attitude_w,attitude_x,attitude_y,attitude_z,"                      \
	"linear_velocity_x[m/s],linear_velocity_y[m/s],linear_velocity_z[m/s],"                                            \
	"angular_velocity_x[rad/s],angular_velocity_y[rad/s],angular_velocity_z[rad/s],"                                   \
	"position_variance[m2],attitude_variance[rad2],linear_velocity_variance[m2/s2],"                                   \
	"angular_velocity_variance[rad2/s2],valid\n"

static int set_up( void **state )
{
	(void)state;
	write_drop( ROOT "drop.json" );
	return 0;
}

// Cell `column` of a line of CSV.
static double cell( const char *line, int column )
{
	for ( int i = 0; i < column; i++ )
	{
		line = strchr( line, ',' );
		assert_non_null( line );
		line++;
	}
	return strtod( line, NULL );
}

// ---- the log -----------------------------------------------------------------------------------------------------

static void test_log( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "run drop.json --quiet --log log" ), 0 );
	expect_empty( OUT );
	expect_empty( ERR );

	// samples at 0, 0.1, ..., 2.0 s
	char *text = read_file( ROOT "log/truth.csv" );
	assert_non_null( text );
	assert_memory_equal( text, TRUTH_HEADER, strlen( TRUTH_HEADER ) );
	const char *line = text + strlen( TRUTH_HEADER );
	for ( int i = 0; i <= 20; i++ )
	{
		char time[32];
		snprintf( time, sizeof( time ), "%d.%d00000000,", i / 10, i % 10 );
		assert_memory_equal( line, time, strlen( time ) );
		if ( i == 0 )
		{
			assert_true( cell( line, 1 ) == 0 && cell( line, 2 ) == 0 && cell( line, 3 ) == 2 );
		}
		line = strchr( line, '\n' ) + 1;
	}
	assert_int_equal( *line, '\0' );
	free( text );
	expect_text( ROOT "log/depth.csv",
		"t[s],pressure[Pa],variance[Pa2],bias_variance[Pa2],temperature[degC],valid\n0.000000000," );
	assert_int_equal( count_lines( ROOT "log/depth.csv" ), 1 + 41 );

	ds_arena arena;
	const ds_json *run = load_json( &arena, ROOT "log/run.json" );
	assert_string_equal( member( run, "name" )->string, "drop" );
	assert_string_equal( member( run, "path" )->string, "drop.json" );
	assert_string_equal( member( run, "status" )->string, "ok" );
	assert_string_equal( member( run, "error" )->string, "" );
	assert_string_equal( member( run, "version" )->string, ds_version() );
	assert_true( member( run, "seed" )->number == 42 );
	assert_true( member( run, "sim_time" )->number == 2 );
	assert_true( member( run, "ticks" )->number == 200 );
	const ds_json *channels = member( run, "channels" );
	assert_int_equal( channels->count, 2 );
	assert_string_equal( member( ds_json_at( channels, 0 ), "type" )->string, "odometry" );
	assert_true( member( ds_json_at( channels, 0 ), "samples" )->number == 21 );
	assert_true( member( ds_json_at( channels, 1 ), "samples" )->number == 41 );
	assert_string_equal( member( ds_json_at( channels, 0 ), "frame" )->string, "truth" );
	assert_string_equal( member( ds_json_at( channels, 0 ), "body" )->string, "ball" );
	const ds_json *scenario = member( run, "scenario" );
	assert_string_equal( member( ds_json_at( member( scenario, "bodies" ), 0 ), "name" )->string, "ball" );
	ds_arena_free( &arena );
}

// P11: the same bytes in two processes; another seed changes the noise and nothing else.
static void test_determinism( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "run drop.json --quiet --log one" ), 0 );
	assert_int_equal( deepsim( "run drop.json --quiet --log two" ), 0 );
	expect_same( ROOT "one/truth.csv", ROOT "two/truth.csv" );
	expect_same( ROOT "one/depth.csv", ROOT "two/depth.csv" );
	expect_same( ROOT "one/run.json", ROOT "two/run.json" );

	assert_int_equal( deepsim( "run drop.json --quiet --log two --seed 43" ), 0 );
	expect_same( ROOT "one/truth.csv", ROOT "two/truth.csv" );
	char *a = read_file( ROOT "one/depth.csv" ), *b = read_file( ROOT "two/depth.csv" );
	assert_string_not_equal( a, b );
	free( a );
	free( b );
}

// Two vehicles from one file, each in its own folder, with a sensor from outside the library whose readings hold an array.
static void test_fleet_with_plugin( void **state )
{
	(void)state;
	write_file( ROOT "vehicle.json",
		"{ \"deepsim\": 1, \"bodies\": [ { \"name\": \"hull\", \"mass\": 10, \"inertia\": [1, 1, 1] } ],\n"
		"  \"sensors\": [ { \"name\": \"fan\", \"type\": \"range_fan\", \"body\": \"hull\", \"rate\": 10,\n"
		"    \"config\": { \"rays\": 5, \"swath\": 2, \"range\": 1000 } } ] }\n" );
	write_file( ROOT "fleet.json",
		"{ \"deepsim\": 1, \"name\": \"fleet\", \"duration\": 0.5, \"rate\": 100, \"include\": [\n"
		"    { \"file\": \"vehicle.json\", \"prefix\": \"one\", \"pose\": { \"position\": [0, 0, 20] } },\n"
		"    { \"file\": \"vehicle.json\", \"prefix\": \"two\", \"pose\": { \"position\": [0, 500, 60] } } ],\n"
		"  \"environment\": { \"seabed\": { \"elevation\": { \"model\": \"flat\", \"depth\": 100 } } } }\n" );
	assert_int_equal(
		deepsim( "run fleet.json --log fleet --summary - --plugin '" DEEPSIM_TEST_PLUGINS "/range_fan.so'" ), 0 );
	expect_text( ROOT "fleet/one/fan.csv",
		"t[s],nearest[m],hits,pressure[Pa],pressure_age[s],ranges[m]\n0.000000000,80,5,0,-1,one/fan/0.bin\n" );
	expect_text( ROOT "fleet/two/fan.csv", "two/fan/5.bin\n" );

	// 40 m above a flat bottom: rays to -1, -0.5, 0, 0.5 and 1 times that height beside the vehicle
	double ranges[6] = { 0 };
	FILE *file = fopen( ROOT "fleet/two/fan/0.bin", "rb" );
	assert_non_null( file );
	assert_int_equal( fread( ranges, sizeof( double ), 6, file ), 5 );
	fclose( file );
	for ( int i = 0; i < 5; i++ )
	{
		double across = 0.5 * ( i - 2 );
		assert_true( fabs( ranges[i] - 40 * sqrt( 1 + across * across ) ) < 1e-9 );
	}

	ds_arena arena;
	const ds_json *sensor = member( member( load_json( &arena, OUT ), "sensors" ), "two/fan" );
	assert_string_equal( member( sensor, "type" )->string, "range_fan" );
	assert_true( member( sensor, "samples" )->number == 6 );
	ds_arena_free( &arena );
}

// ---- the summary -------------------------------------------------------------------------------------------------

static void expect_keys( const ds_json *object, const char *const *keys, int count )
{
	assert_int_equal( object->type, DS_JSON_OBJECT );
	assert_int_equal( object->count, count );
	for ( int i = 0; i < count; i++ )
	{
		assert_string_equal( ds_json_at( object, i )->key, keys[i] );
	}
}

static void test_summary( void **state )
{
	(void)state;
	static const char *const top[] = { "status", "error", "sim_time", "ticks", "wall_time", "real_time_factor",
		"bodies", "sensors" };
	static const char *const body[] = { "position", "rpy_deg", "quaternion", "linear_velocity", "angular_velocity",
		"depth" };
	static const char *const sensor[] = { "type", "samples", "last" };
	assert_int_equal( deepsim( "run drop.json --quiet --log log --summary out.json" ), 0 );
	expect_empty( OUT );
	assert_int_not_equal( access( ROOT "out.json.tmp", F_OK ), 0 );

	ds_arena arena;
	const ds_json *summary = load_json( &arena, ROOT "out.json" );
	expect_keys( summary, top, 8 );
	assert_string_equal( member( summary, "status" )->string, "ok" );
	assert_string_equal( member( summary, "error" )->string, "" );
	assert_true( member( summary, "sim_time" )->number == 2 );
	assert_true( member( summary, "ticks" )->number == 200 );
	double product = member( summary, "wall_time" )->number * member( summary, "real_time_factor" )->number;
	assert_true( fabs( product - 2 ) < 1e-9 );

	// the body's frame is the odometry's, so that the log's last line says the same
	const ds_json *ball = member( member( summary, "bodies" ), "ball" );
	expect_keys( ball, body, 6 );
	char *text = read_file( ROOT "log/truth.csv" );
	text[strlen( text ) - 1] = '\0';
	const char *line = strrchr( text, '\n' ) + 1;
	for ( int i = 0; i < 3; i++ )
	{
		assert_true( ds_json_at( member( ball, "position" ), i )->number == cell( line, 1 + i ) );
	}
	for ( int i = 0; i < 4; i++ )
	{
		assert_true( ds_json_at( member( ball, "quaternion" ), i )->number == cell( line, 4 + i ) );
	}
	assert_true( member( ball, "depth" )->number == cell( line, 3 ) );

	// yaw turns at 0.5 rad/s at first, about the vertical axis of the world; the sinking speed is that of the log
	double w = cell( line, 4 ), x = cell( line, 5 ), y = cell( line, 6 ), z = cell( line, 7 );
	double yaw = atan2( 2 * ( w * z + x * y ), 1 - 2 * ( y * y + z * z ) ) * 180 / acos( -1.0 );
	assert_true( fabs( ds_json_at( member( ball, "rpy_deg" ), 2 )->number - yaw ) < 1e-9 );
	double speed = 0, logged = 0;
	for ( int i = 0; i < 3; i++ )
	{
		double v = ds_json_at( member( ball, "linear_velocity" ), i )->number;
		speed += v * v;
		logged += cell( line, 8 + i ) * cell( line, 8 + i );
	}
	assert_true( fabs( speed - logged ) < 1e-12 * logged );
	assert_true( ds_json_at( member( ball, "linear_velocity" ), 2 )->number > 0 );

	const ds_json *truth = member( member( summary, "sensors" ), "truth" );
	expect_keys( truth, sensor, 3 );
	assert_string_equal( member( truth, "type" )->string, "odometry" );
	assert_true( member( truth, "samples" )->number == 21 );
	assert_true( ds_json_at( member( member( truth, "last" ), "position" ), 2 )->number == cell( line, 3 ) );
	assert_true(
		member( member( member( member( summary, "sensors" ), "depth" ), "last" ), "pressure" )->number > 1e5 );
	free( text );
	ds_arena_free( &arena );
}

// "-": the JSON alone on the standard output, the table beside it.
static void test_summary_stdout( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "run drop.json --summary -" ), 0 );
	ds_arena arena;
	assert_string_equal( member( load_json( &arena, OUT ), "status" )->string, "ok" );
	ds_arena_free( &arena );
	expect_text( ERR, "sensor" );
}

static void test_table( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "run drop.json" ), 0 );
	expect_text( OUT, "drop: ok after 2 s (200 ticks)" );
	expect_text( OUT, "ball" );
	expect_text( OUT, "odometry" );
	expect_text( OUT, "pressure" );
	expect_text( OUT, " 41 " );
	char *text = read_file( OUT );
	assert_null( strchr( text, '\033' ) );
	free( text );
}

// Where there is no terminal: a line every 10 %, in order, once.
static void test_progress( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "run drop.json" ), 0 );
	char *text = read_file( ERR );
	const char *place = text;
	for ( int percent = 10; percent <= 100; percent += 10 )
	{
		char part[32];
		snprintf( part, sizeof( part ), "drop %3d %%  t %.1f of 2.0 s", percent, 0.02 * percent );
		const char *found = strstr( place, part );
		assert_non_null( found );
		place = found + 1;
	}
	assert_int_equal( count_lines( ERR ), 10 );
	assert_non_null( strstr( text, "ETA" ) );
	assert_null( strchr( text, '\r' ) );
	free( text );

	// fewer ticks than lines
	assert_int_equal( deepsim( "run drop.json --duration 0.03" ), 0 );
	assert_int_equal( count_lines( ERR ), 3 );
	assert_int_equal( deepsim( "run drop.json --duration 1 --quiet" ), 0 );
	expect_empty( ERR );
	expect_empty( OUT );
}

// ---- options -----------------------------------------------------------------------------------------------------

static void expect_run( const char *arguments, const char *key, double value )
{
	char line[1024];
	snprintf( line, sizeof( line ), "run drop.json --quiet --log log %s", arguments );
	assert_int_equal( deepsim( line ), 0 );
	ds_arena arena;
	const ds_json *number = member( load_json( &arena, ROOT "log/run.json" ), key );
	assert_int_equal( number->type, DS_JSON_NUMBER );
	assert_true( number->number == value );
	ds_arena_free( &arena );
}

static void test_overrides( void **state )
{
	(void)state;
	expect_run( "--duration 0.5", "sim_time", 0.5 );
	expect_run( "--duration=0.5", "ticks", 50 );
	expect_run( "--rate 50", "ticks", 100 );
	expect_run( "--seed 7", "seed", 7 );
	expect_run( "--set duration=0.25 --set rate=200", "ticks", 50 );
	expect_run( "--duration 1 --set duration=0.5", "ticks", 50 );
	expect_run( "--set duration=0.5 --duration 1", "ticks", 100 );

	assert_int_equal(
		deepsim( "run drop.json --quiet --log log --set sensors.truth.rate=5 --set bodies.ball.pose.position=[1,2,3]" ),
		0 );
	assert_int_equal( count_lines( ROOT "log/truth.csv" ), 1 + 11 );
	expect_text( ROOT "log/truth.csv", "\n0.000000000,1,2,3," );

	// a seed that a double cannot hold
	assert_int_equal( deepsim( "run drop.json --quiet --log log --seed 18446744073709551615" ), 0 );
	expect_text( ROOT "log/run.json", "\"seed\": \"18446744073709551615\"" );
}

static void expect_failure( const char *arguments, int code, const char *message )
{
	assert_int_equal( deepsim( arguments ), code );
	expect_text( ERR, "deepsim: " );
	expect_text( ERR, message );
}

static void test_wrong_usage( void **state )
{
	(void)state;
	expect_failure( "run drop.json --durration 3", 2, "unknown option --durration; did you mean --duration?" );
	expect_failure( "run drop.json --duration=x", 2, "--duration needs a number, not \"x\"" );
	expect_failure( "run drop.json --rate nan", 2, "--rate needs a number" );
	expect_failure( "run drop.json --seed -1", 2, "--seed needs a whole number" );
	expect_failure( "run drop.json --seed 18446744073709551616", 2, "--seed needs a whole number" );
	expect_failure( "run drop.json --set rate", 2, "--set needs PATH=VALUE" );
	expect_failure( "run drop.json --log", 2, "--log needs a value" );
	expect_failure( "run drop.json --quiet=1", 2, "--quiet takes no value" );
	expect_failure( "run", 2, "which scenario?" );
	expect_failure( "run a.json b.json", 2, "one scenario at a time" );
	expect_failure( "rum drop.json", 2, "unknown verb rum; did you mean run?" );
	expect_failure( "--versoin", 2, "unknown option --versoin" );
	assert_int_equal( deepsim( "" ), 2 );
	expect_text( ERR, "usage: deepsim" );
}

static void test_failures( void **state )
{
	(void)state;
	expect_failure( "run nowhere.json", 1, "nowhere.json" );
	expect_failure( "describe turbidity", 1, "is a key in the section \"environment\": describe that" );
	expect_failure( "describe spectrum", 1, "is a key of the type \"lamp\": describe that" );
	expect_failure( "describe zzz", 1, "there is no type, section or list \"zzz\"; `deepsim describe` lists them" );
	expect_failure( "run drop.json --set sensors.truth.raet=5", 1, "rate" );
	expect_failure( "run drop.json --set rate=fast", 1, "fast" );
	expect_failure( "run drop.json --plugin ./nowhere.so", 1, "nowhere.so" );
	expect_failure( "run drop.json --log drop.json/log", 1, "drop.json" );
	expect_failure( "run drop.json --summary nowhere/out.json", 1, "nowhere/out.json" );

	// what could not be read has a summary too
	assert_int_equal( deepsim( "run nowhere.json --quiet --summary out.json" ), 1 );
	ds_arena arena;
	const ds_json *summary = load_json( &arena, ROOT "out.json" );
	assert_string_not_equal( member( summary, "status" )->string, "ok" );
	assert_non_null( strstr( member( summary, "error" )->string, "nowhere.json" ) );
	assert_int_equal( member( summary, "bodies" )->count, 0 );
	ds_arena_free( &arena );
}

static void test_help( void **state )
{
	(void)state;
	static const char *const verbs[] = { "run", "validate", "schema", "describe", "mesh", "bench" };
	assert_int_equal( deepsim( "--help" ), 0 );
	expect_empty( ERR );
	for ( int i = 0; i < 6; i++ )
	{
		char name[32];
		snprintf( name, sizeof( name ), "\n  %s ", verbs[i] );
		expect_text( OUT, name );
	}
	assert_int_equal( deepsim( "--version" ), 0 );
	expect_text( OUT, ds_version() );
	assert_int_equal( deepsim( "run --help" ), 0 );
	expect_text( OUT, "--summary FILE.json" );
	assert_int_equal( deepsim( "help run" ), 0 );
	expect_text( OUT, "--summary FILE.json" );
}

// ---- bench -------------------------------------------------------------------------------------------------------

static void test_bench( void **state )
{
	(void)state;
	static const char *const keys[] = { "name", "value", "unit", "threads", "detail" };
	assert_int_equal( deepsim( "bench --list" ), 0 );
	expect_text( OUT, "faces_submerged_5120 " );
	expect_text( OUT, "faces_surface_5120 " );
	expect_text( OUT, "step_free_body " );
	expect_text( OUT, "mesh_load_glb_1m " );
	expect_text( OUT, "mesh_load_obj_1m " );

	assert_int_equal( deepsim( "bench step_free_body --json" ), 0 );
	assert_int_equal( count_lines( OUT ), 1 );
	ds_arena arena;
	const ds_json *line = load_json( &arena, OUT );
	expect_keys( line, keys, 5 );
	assert_string_equal( member( line, "name" )->string, "step_free_body" );
	assert_string_equal( member( line, "unit" )->string, "us/tick" );
	assert_true( member( line, "value" )->number > 0 );
	assert_true( member( line, "threads" )->number == 1 );
	ds_arena_free( &arena );
	expect_failure( "bench step_free_bod", 2, "did you mean step_free_body?" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_log ),
		cmocka_unit_test( test_determinism ),
		cmocka_unit_test( test_fleet_with_plugin ),
		cmocka_unit_test( test_summary ),
		cmocka_unit_test( test_summary_stdout ),
		cmocka_unit_test( test_table ),
		cmocka_unit_test( test_progress ),
		cmocka_unit_test( test_overrides ),
		cmocka_unit_test( test_wrong_usage ),
		cmocka_unit_test( test_failures ),
		cmocka_unit_test( test_help ),
		cmocka_unit_test( test_bench ),
	};
	return cmocka_run_group_tests( tests, set_up, NULL );
}

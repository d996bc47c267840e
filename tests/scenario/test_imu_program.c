// `deepsim imu` as people run it: figures of datasheets, presets, data at rest; signals, full disks, bad input. And presets in
// scenarios.

#include "program.h"

#include "deepsim/imu.h"
#include "deepsim/random.h"

#include <math.h>
#include <signal.h>
#include <time.h>

static void expect_close( double got, double want, double tolerance )
{
	if ( !( fabs( got - want ) <= tolerance ) )
	{
		print_error( "got %.17g, want %.17g within %g\n", got, want, tolerance );
		fail();
	}
}

static void expect_failure( const char *arguments, int code, const char *message )
{
	int got = deepsim( arguments );
	if ( got != code )
	{
		print_error( "%s: exit code %d\n", arguments, got );
		fail();
	}
	expect_text( ERR, message );
	expect_empty( OUT );
}

static void expect_output( const char *arguments, const char *text )
{
	assert_int_equal( deepsim( arguments ), 0 );
	expect_empty( ERR );
	char *got = read_file( OUT );
	assert_string_equal( got, text );
	free( got );
}

static void test_convert( void **state )
{
	(void)state;
	expect_output( "imu convert '0.66 deg/sqrt(h)'",
		"0.66 deg/sqrt(h) = 0.000191986 rad/s/sqrt(Hz)\n"
		"  config  gyro.N: white noise: angle random walk, velocity random walk, noise density\n"
		"  also    0.66 deg/sqrt(h), 0.011 deg/s/sqrt(Hz), 39.6 deg/h/sqrt(Hz)\n" );
	expect_output( "imu convert '0.5 deg/h' '±500 ppm'",
		"0.5 deg/h = 2.42407e-06 rad/s\n"
		"  config  gyro.B: bias instability\n"
		"  also    0.000138889 deg/s, 0.5 deg/h\n"
		"  note    if it is the lowest point of an Allan deviation, B is that over 0.664: 3.65071e-06\n"
		"\n"
		"±500 ppm = 0.0005\n"
		"  config  gyro.scale, accel.scale: error of the scale factor\n"
		"  also    0.05 %, 500 ppm\n" );
	// a noise density may be one-sided
	// "total rms noise" of a data sheet
	assert_int_equal( deepsim( "imu convert '0.05 °/s rms'" ), 0 );
	expect_text( OUT, "this is no B: N is it over sqrt( 2 W )" );
	assert_int_equal( deepsim( "imu convert '0.004 °/s/√Hz'" ), 0 );
	expect_text( OUT, "N is that over sqrt(2): 4.93654e-05" );
	expect_output( "imu convert '0.66 deg/sqrt(h)' --to dps/rtHz", "0.011 dps/rtHz\n" );
	expect_output(
		"imu convert --to deg/√h 1.9198621771937624e-4rad/s/√Hz '39.6 dph/rtHz'", "0.66 deg/√h\n0.66 deg/√h\n" );
	expect_failure( "imu convert '0.66 deg/sqrt(x)'", 1, "\"0.66 deg/sqrt(x)\": there is no unit \"x\"" );
	expect_failure( "imu convert '0.66 deg/h' --to mg", 1, "\"mg\" is another kind of unit than" );
	expect_failure( "imu convert", 2, "a figure is missing" );
	expect_failure( "imu convert '1 g' --to mg --config", 2, "cannot go with --to" );
}

// The figures of a datasheet become a config that a scenario takes.
static void test_config( void **state )
{
	(void)state;
	assert_int_equal(
		deepsim( "imu convert --config '0.15 deg/sqrt(h)' '0.5 deg/h' '0.06 m/s/√h' '0.05 mg' '+-400 deg/s' "
				 "'±10 g' '500 ppm' '262 Hz' '0.22 urad'" ),
		0 );
	expect_empty( ERR );
	char *json = read_file( OUT );
	ds_imu_config config;
	ds_status status = ds_table_parse( ds_imu_config_table(), json, &config );
	assert_string_equal( status == DS_OK ? "" : ds_last_error(), "" );
	free( json );
	expect_close( config.gyro.N[2], 0.15 * 3.14159265358979 / 180 / 60, 1e-12 );
	expect_close( config.gyro.B[0], 0.5 * 3.14159265358979 / 180 / 3600, 1e-14 );
	expect_close( config.accel.N[1], 1e-3, 1e-12 );
	expect_close( config.accel.B[1], 0.05e-3 * 9.80665, 1e-12 );
	expect_close( config.gyro.range, 6.98131701, 1e-7 );
	expect_close( config.accel.range, 98.0665, 1e-6 );
	assert_true( config.gyro.scale[0] == 5e-4 && config.accel.scale[2] == 5e-4 && config.accel.bandwidth == 262 );
	assert_true( config.gyro.resolution == 2.2e-7 && config.output == DS_IMU_INCREMENTS );

	expect_failure(
		"imu convert --config '1 deg/h' '2 deg/h'", 1, "gyro.B is given twice: \"1 deg/h\" and \"2 deg/h\"" );
	assert_int_equal( deepsim( "imu convert --config '0.05 deg' '1 deg/h/g'" ), 0 );
	expect_text( ERR, "left out: \"0.05 deg\" is an element of the matrix misalignment" );
	expect_text( ERR, "left out: \"1 deg/h/g\" is an element of the matrix g_sensitivity" );
}

static void test_presets( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "imu presets" ), 0 );
	expect_text( OUT, "stim300                     0.15     0.753       102      75.3  Sensonor" );
	expect_text( OUT, "paper_new" );
	assert_int_equal( count_lines( OUT ), ds_imu_config_table()->preset_count + 2 );
	assert_int_equal( deepsim( "imu presets --json" ), 0 );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	assert_int_equal( root->count, ds_imu_config_table()->preset_count );
	assert_true( member( root->first, "config" )->type == DS_JSON_OBJECT );
	ds_arena_free( &arena );

	// what is shown is the preset, with --full too
	for ( int32_t i = 0; i < ds_imu_config_table()->preset_count; ++i )
	{
		const char *name = ds_imu_config_table()->presets[i].name;
		ds_imu_config want, got;
		assert_int_equal( ds_imu_config_preset( name, &want ), DS_OK );
		for ( int full = 0; full < ( i % 4 == 0 ? 2 : 1 ); ++full )
		{
			char line[128];
			snprintf( line, sizeof( line ), "imu show %s%s", name, full ? " --full" : "" );
			assert_int_equal( deepsim( line ), 0 );
			char *json = read_file( OUT );
			assert_int_equal( ds_table_parse( ds_imu_config_table(), json, &got ), DS_OK );
			assert_memory_equal( &got, &want, sizeof( got ) );
			assert_true( !full == !strstr( json, "heating_tau" ) );
			free( json );
		}
	}
	expect_failure( "imu show stim30", 1, "expected a preset, got \"stim30\"; did you mean \"stim300\"?" );
	expect_failure( "imu show", 2, "which preset?" );
	expect_failure( "imu show mti1 mti630", 2, "one preset at a time" );
	expect_failure( "imu presets now", 2, "it takes no argument, got now" );
	expect_failure( "imu", 2, "usage: deepsim imu" );
	expect_failure( "imu recrd", 2, "imu: unknown verb recrd; did you mean record?" );
	assert_int_equal( deepsim( "imu --help" ), 0 );
	expect_text( OUT, "record" );
}

// ---- data at rest --------------------------------------------------------------------------------------------------

static int read_rows( const char *path, double ( *rows )[7], int most )
{
	char *text = read_file( path );
	assert_non_null( text );
	char *line = strchr( text, '\n' ) + 1;
	int count = 0;
	for ( ; *line && count < most; ++count )
	{
		for ( int i = 0; i < 7; ++i )
		{
			char *end;
			rows[count][i] = strtod( line, &end );
			assert_true( end > line && *end == ( i < 6 ? ',' : '\n' ) );
			line = end + 1;
		}
	}
	free( text );
	return count;
}

// Rows are what the model says, sample by sample, to nine digits.
static void test_record( void **state )
{
	(void)state;
	static double rows[400][7];
	assert_int_equal( deepsim( "imu record --preset adis16460 --hours 0.001 --rate 100 --seed 7 -o a.csv" ), 0 );
	expect_text( OUT, "a.csv: 360 samples, 0.001 h at 100 Hz" );
	expect_text( ERR, "adis16460 100 %" );
	expect_text( ROOT "a.csv", "t[s],gx[rad/s],gy[rad/s],gz[rad/s],ax[m/s2],ay[m/s2],az[m/s2]\n" );
	assert_int_equal( read_rows( ROOT "a.csv", rows, 400 ), 360 );

	ds_imu_config config;
	ds_imu_model *model;
	assert_int_equal( ds_imu_config_preset( "adis16460", &config ), DS_OK );
	assert_int_equal( ds_imu_create( NULL, &config, &model ), DS_OK );
	void *memory = calloc( 1, ds_imu_state_size() );
	ds_random stream = ds_random_stream( 7, "imu", DS_RANDOM_RESET, 0 );
	ds_imu_reset( model, memory, &stream, 25 );
	for ( int i = 0; i < 360; ++i )
	{
		ds_imu_truth truth = {
			.delta_velocity = { 0, 0, -0.0981 }, .interval = 0.01, .time = 0.01 * ( i + 1 ), .temperature = 25
		};
		ds_imu reading;
		stream = ds_random_stream( 7, "imu", DS_RANDOM_SAMPLE, (uint64_t)i + 1 );
		ds_imu_measure( model, memory, &truth, ( ds_vec3 ){ 0, 0, 0 }, ( ds_vec3 ){ 0, 0, -9.81 }, &stream, &reading );
		expect_close( rows[i][0], 0.01 * ( i + 1 ), 1e-12 );
		for ( int k = 0; k < 3; ++k )
		{
			expect_close(
				rows[i][1 + k], reading.angular_velocity[k], 5.1e-9 * fabs( reading.angular_velocity[k] ) + 1e-15 );
			expect_close( rows[i][4 + k], reading.linear_acceleration[k],
				5.1e-9 * fabs( reading.linear_acceleration[k] ) + 1e-15 );
		}
	}
	free( memory );
	ds_imu_destroy( model );

	// again the same, and another seed not; to the standard output the same bytes
	assert_int_equal( deepsim( "imu record --preset adis16460 --hours 0.001 --seed 7 -o b.csv --quiet" ), 0 );
	expect_empty( OUT );
	expect_empty( ERR );
	expect_same( ROOT "a.csv", ROOT "b.csv" );
	assert_int_equal( deepsim( "imu record --preset adis16460 --hours 0.001 --seed 7 -o - --quiet" ), 0 );
	expect_same( ROOT "a.csv", OUT );
	assert_int_equal( deepsim( "imu record --preset adis16460 --hours 0.001 --seed 8 -o b.csv --quiet" ), 0 );
	assert_int_not_equal( shell( "cmp -s '" ROOT "a.csv' '" ROOT "b.csv'" ), 0 );
}

// Without errors: gravity and the Earth's rotation in the axes of the unit. Reference case P07: rpy (10, 20, 30) deg.
static void test_truth( void **state )
{
	(void)state;
	static double rows[4][7];
	assert_int_equal(
		deepsim( "imu record --set gyro.N=0 --hours 1e-5 --rate 100 --rpy 10,20,30 -o t.csv --quiet" ), 0 );
	assert_int_equal( read_rows( ROOT "t.csv", rows, 4 ), 4 );
	static const double force[3] = { 3.3552, -1.6008, -9.0783 };
	for ( int i = 0; i < 3; ++i )
	{
		assert_true( rows[0][1 + i] == 0 );
		expect_close( rows[3][4 + i], force[i], 5e-5 );
	}
	// 45 deg north: WGS-84 gravity 9.80619777 m/s2 (NIMA TR8350.2), 7.292115e-5 rad/s to the north and up
	assert_int_equal(
		deepsim( "imu record --set gyro.N=0 --hours 1e-5 --rate 100 --latitude 45 -o t.csv --quiet" ), 0 );
	assert_int_equal( read_rows( ROOT "t.csv", rows, 1 ), 1 );
	expect_close( rows[0][1], 7.292115e-5 * sqrt( 0.5 ), 1e-13 );
	expect_close( rows[0][3], -7.292115e-5 * sqrt( 0.5 ), 1e-13 );
	expect_close( rows[0][6], -9.80619777, 1e-7 );
	assert_int_equal(
		deepsim( "imu record --set gyro.N=0 --hours 1e-5 --latitude 45 --gravity 9.8 -o t.csv --quiet" ), 0 );
	assert_int_equal( read_rows( ROOT "t.csv", rows, 1 ), 1 );
	assert_true( rows[0][6] == -9.8 );
	// temperature
	assert_int_equal(
		deepsim( "imu record --set gyro.temperature_coefficient=1e-3 --hours 1e-5 --temperature 4 -o t.csv "
				 "--quiet" ),
		0 );
	assert_int_equal( read_rows( ROOT "t.csv", rows, 1 ), 1 );
	expect_close( rows[0][2], -0.021, 1e-12 );
}

static void test_record_config( void **state )
{
	(void)state;
	static double rows[4][7];
	write_file( ROOT "unit.json", "{\"preset\": \"mti1\", \"gyro\": {\"N\": 0, \"B\": 0, \"bias\": [1, 2, 3]}}" );
	assert_int_equal(
		deepsim( "imu record --config unit.json --hours 1e-5 -o c.csv --quiet --set gyro.bias=[4,5,6]" ), 0 );
	assert_int_equal( read_rows( ROOT "c.csv", rows, 4 ), 4 );
	assert_true( rows[0][1] == 4 && rows[0][2] == 5 && rows[0][3] == 6 && rows[0][6] != -9.81 );

	expect_failure( "imu record --config unit.json --preset mti630 -o c.csv", 1, "the config has a preset of its own" );
	expect_failure( "imu record --preset mti2 -o c.csv", 1, "expected a preset, got \"mti2\"; did you mean \"mti1\"?" );
	expect_failure(
		"imu record --preset mti1 --set gyro.N=-1 -o c.csv", 1, "--set gyro.N=-1: gyro.N: expected a number in [0," );
	expect_failure( "imu record --preset mti1 --set gyro.M=1 -o c.csv", 1, "unknown key \"M\"" );
	expect_failure( "imu record --config none.json -o c.csv", 1, "none.json" );
	write_file( ROOT "bad.json", "[1]" );
	expect_failure( "imu record --config bad.json -o c.csv", 1, "bad.json:1: expected an object" );
	expect_failure( "imu record --preset mti1 -o no/such/c.csv", 1, "no/such/c.csv" );
	expect_failure( "imu record --preset mti1", 2, "-o FILE.csv is missing" );
	expect_failure( "imu record -o c.csv", 2, "which unit?" );
	expect_failure( "imu record --preset mti1 --hours 0 -o c.csv", 2, "--hours cannot be \"0\"" );
	expect_failure( "imu record --preset mti1 --hours nan -o c.csv", 2, "--hours cannot be \"nan\"" );
	expect_failure( "imu record --preset mti1 --hours 1e-9 -o c.csv", 2, "expected 1 to 1e+11" );
	expect_failure( "imu record --preset mti1 --hours 2e6 --rate 1e6 -o c.csv", 2, "expected 1 to 1e+11" );
	expect_failure( "imu record --preset mti1 --rate -5 -o c.csv", 2, "--rate cannot be \"-5\"" );
	expect_failure( "imu record --preset mti1 --rpy 1,2 -o c.csv", 2, "--rpy cannot be \"1,2\"" );
	expect_failure( "imu record --preset mti1 --latitude 91 -o c.csv", 2, "--latitude cannot be \"91\"" );
	expect_failure( "imu record --preset mti1 --seed -1 -o c.csv", 2, "--seed cannot be \"-1\"" );
	expect_failure( "imu record mti1 -o c.csv", 2, "it takes no argument, got mti1" );
}

// A full disk and a closed pipe are told, and what is in a file is whole lines.
static void test_full( void **state )
{
	(void)state;
	if ( access( "/dev/full", W_OK ) == 0 )
	{
		expect_failure( "imu record --preset mti1 -o /dev/full --quiet", 1, "/dev/full: cannot write" );
	}
	// ulimit counts blocks of 512 bytes
	assert_int_equal( shell( "cd '" DEEPSIM_TEST_TMP "' && (ulimit -f 1000; '" DEEPSIM_PROGRAM
							 "' imu record --preset mti1 -o limit.csv --quiet) 2>'" ERR "'" ),
		1 );
	expect_text( ERR, "limit.csv: cannot write" );
	char *text = read_file( ROOT "limit.csv" );
	size_t size = strlen( text );
	assert_true( size > 100000 && size <= 1000 * 1024 && text[size - 1] == '\n' );
	free( text );
	assert_int_equal( shell( "cd '" DEEPSIM_TEST_TMP "' && '" DEEPSIM_PROGRAM
							 "' imu record --preset mti1 -o - --quiet 2>'" ERR "' | head -2 >'" OUT "'" ),
		0 );
	expect_empty( ERR );
	assert_int_equal( count_lines( OUT ), 2 );
}

static void test_interrupted( void **state )
{
	(void)state;
	unlink( ROOT "long.csv" );
	pid_t child = fork();
	assert_true( child >= 0 );
	if ( child == 0 )
	{
		if ( chdir( DEEPSIM_TEST_TMP ) == 0 && freopen( ERR, "wb", stderr ) )
		{
			execl( DEEPSIM_PROGRAM, "deepsim", "imu", "record", "--preset", "mti1", "--hours", "1e4", "-o", "long.csv",
				"--quiet", (char *)NULL );
		}
		_exit( 99 );
	}
	struct stat info = { 0 };
	for ( int i = 0; i < 1500 && ( stat( ROOT "long.csv", &info ) != 0 || info.st_size < 100000 ); ++i )
	{
		struct timespec pause = { 0, 20000000 };
		nanosleep( &pause, NULL );
	}
	assert_int_equal( kill( child, SIGINT ), 0 );
	int status = 0;
	assert_int_equal( waitpid( child, &status, 0 ), child );
	assert_true( WIFEXITED( status ) );
	assert_int_equal( WEXITSTATUS( status ), 130 );
	expect_text( ERR, "cancelled at t = " );
	// the last row is the one that the message tells of
	char *text = read_file( ROOT "long.csv" ), *said = read_file( ERR );
	size_t size = strlen( text );
	assert_true( size > 100000 && text[size - 1] == '\n' );
	text[size - 1] = 0;
	double last = strtod( strrchr( text, '\n' ) + 1, NULL ), told = strtod( strstr( said, "t = " ) + 4, NULL );
	expect_close( last, told, 1e-8 * told );
	free( text );
	free( said );
	unlink( ROOT "long.csv" );
}

// ---- presets in scenarios ------------------------------------------------------------------------------------------

static void write_scenario( const char *config )
{
	char text[1024];
	snprintf( text, sizeof( text ),
		"{\"deepsim\": 1, \"name\": \"still\", \"duration\": 0.1, \"rate\": 100, \"environment\": {\"gravity\": 0},\n"
		" \"bodies\": [{\"name\": \"box\", \"mass\": 1, \"inertia\": [1, 1, 1]}],\n"
		" \"sensors\": [{\"name\": \"imu\", \"type\": \"imu\", \"body\": \"box\", \"config\": %s}]}\n",
		config );
	write_file( ROOT "still.json", text );
}

static double variance_of( const char *overrides )
{
	char line[512];
	snprintf( line, sizeof( line ), "run still.json --quiet --summary s.json %s", overrides );
	if ( deepsim( line ) != 0 )
	{
		char *said = read_file( ERR );
		print_error( "%s\n", said );
		fail();
	}
	ds_arena arena;
	const ds_json *root = load_json( &arena, ROOT "s.json" );
	const ds_json *sensor = member( member( root, "sensors" ), "imu" );
	double variance = member( member( sensor, "last" ), "angular_velocity_variance" )->first->number;
	ds_arena_free( &arena );
	return variance;
}

// The variance that a reading claims tells the white noise that the scenario has: N^2 / interval.
static void test_scenario( void **state )
{
	(void)state;
	write_scenario( "{\"preset\": \"imx6\"}" );
	double n = 0.10 * 3.14159265358979 / 180 / 60;
	expect_close( variance_of( "" ), n * n * 100, 1e-4 * n * n * 100 );
	n = 0.15 * 3.14159265358979 / 180 / 60;
	expect_close( variance_of( "--set sensors.imu.config.preset=stim300" ), n * n * 100, 1e-4 * n * n * 100 );
	expect_close( variance_of( "--set sensors.imu.config.gyro.N=1e-4" ), 1e-6, 1e-15 );
	expect_close( variance_of( "--set sensors.imu.config.gyro.N=[2e-4,0,0]" ), 4e-6, 1e-15 );
	write_scenario( "{\"gyro\": {\"N\": 1e-4}, \"preset\": \"imx6\"}" );
	expect_close( variance_of( "" ), 1e-6, 1e-15 );
	expect_close( variance_of( "--set sensors.imu.config.preset=mpu6000" ), 1e-6, 1e-15 );

	expect_failure( "run still.json --quiet --set sensors.imu.config.preset=imx5", 1,
		"--set sensors.imu.config.preset=imx5: sensors[0].config.preset: expected a preset, got \"imx5\"; did you mean "
		"\"imx6\"?" );
	expect_failure( "run still.json --quiet --set sensors.imu.config.gyro.N=[1,2]", 1,
		"expected one number or an array of 3 numbers in [0, 10000] rad/s/sqrt(Hz), got an array of 2" );
	// the options say so
	assert_int_equal( deepsim( "describe imu" ), 0 );
	expect_text( OUT, "  = \"stim300\" " );
	expect_text( OUT, "number or [3]" );
	assert_int_equal( deepsim( "schema" ), 0 );
	expect_text( OUT, "\"generic_navigation\"" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_convert ),
		cmocka_unit_test( test_config ),
		cmocka_unit_test( test_presets ),
		cmocka_unit_test( test_record ),
		cmocka_unit_test( test_truth ),
		cmocka_unit_test( test_record_config ),
		cmocka_unit_test( test_full ),
		cmocka_unit_test( test_interrupted ),
		cmocka_unit_test( test_scenario ),
	};
	return cmocka_run_group_tests_name( "imu_program", tests, NULL, NULL );
}

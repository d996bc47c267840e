// deepsim allan, as people use it.

#include "tests/scenario/program.h"

#include "deepsim/random.h"

#include <math.h>
#include <signal.h>

#define COUNT 20000

static void normals( uint64_t seed, double *out )
{
	for ( int i = 0; i < COUNT; i += 1000 )
	{
		ds_random stream = ds_random_stream( seed, "allan", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_random_normals( &stream, 0, 1000, out + i );
	}
}

// White noise of N = 1e-3 rad/s/sqrt(Hz) at 100 Hz in gx, of 2e-2 m/s2/sqrt(Hz) in ax; `format` prints t, gx, ax.
static void write_record( const char *path, const char *head, const char *format, double time, double gyro )
{
	static double g[COUNT], a[COUNT];
	normals( 1, g );
	normals( 2, a );
	FILE *file = fopen( path, "w" );
	assert_non_null( file );
	fputs( head, file );
	for ( int i = 0; i < COUNT; ++i )
	{
		fprintf( file, format, time * ( i + 1 ) / 100, gyro * ( 0.5 + 1e-2 * g[i] ), 9.81 + 0.2 * a[i] );
	}
	assert_int_equal( fclose( file ), 0 );
}

static double number( const ds_json *object, const char *key )
{
	const ds_json *value = member( object, key );
	assert_true( value->type == DS_JSON_NUMBER );
	return value->number;
}

static void expect_close( double value, double wanted, double relative )
{
	if ( !( fabs( value / wanted - 1 ) <= relative ) )
	{
		print_error( "%g, wanted %g\n", value, wanted );
		fail();
	}
}

// N of column `index` of what --json printed, in SI, and the rate.
static double noise_of( int64_t index, double *rate )
{
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT );
	const ds_json *column = ds_json_at( member( root, "columns" ), index );
	assert_non_null( column );
	*rate = number( root, "rate" );
	double value = number( member( member( column, "fit" ), "N" ), "value" );
	ds_arena_free( &arena );
	return value;
}

static void test_report( void **state )
{
	(void)state;
	write_record( ROOT "imu.csv", "t[s],gx[rad/s],ax[m/s2]\n", "%.9g,%.12g,%.12g\n", 1, 1 );
	assert_int_equal( deepsim( "allan imu.csv" ), 0 );
	expect_empty( ERR );
	expect_text( OUT, "imu.csv: 20000 samples at 100 Hz (by its time column), 200 s" );
	expect_text( OUT, "rad/s/sqrt(Hz)" );
	expect_text( OUT, "deg/sqrt(h)" );
	expect_text( OUT, "ug/sqrt(Hz)" );
	expect_text( OUT, "config of a sensor of type imu:\n{\n\t\"gyro\": {\n\t\t\"N\": 0.00" );

	// one column: intervals and noise
	assert_int_equal( deepsim( "allan imu.csv --column gx --kind mdev --per-decade 5 --confidence 0.9" ), 0 );
	expect_text( OUT, "mdev" );
	expect_text( OUT, "90 %" );
	assert_int_equal( deepsim( "allan imu.csv --column gx --kind tdev" ), 0 );
	expect_text( OUT, "rad/s s" );

	// a folder of logs, and the standard input
	assert_int_equal( deepsim( "allan . --json" ), 0 );
	double rate;
	expect_close( noise_of( 0, &rate ), 1e-3, 0.02 );
	expect_close( noise_of( 1, &rate ), 2e-2, 0.02 );
	expect_close( rate, 100, 1e-9 );
	assert_int_equal( deepsim( "allan - --json <imu.csv" ), 0 );
	expect_close( noise_of( 0, &rate ), 1e-3, 0.02 );
}

// The block it prints is one that a sensor takes.
static void test_config( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "allan imu.csv --json" ), 0 );
	ds_arena arena;
	const ds_json *root = load_json( &arena, OUT ), *config = member( root, "config" );
	expect_close( number( member( config, "gyro" ), "N" ), 1e-3, 0.02 );
	expect_close( number( member( config, "accel" ), "N" ), 2e-2, 0.02 );
	char scenario[2048];
	snprintf( scenario, sizeof( scenario ),
		"{ \"deepsim\": 1, \"name\": \"rest\", \"duration\": 1, \"rate\": 100, \"bodies\": [ { \"name\": \"box\", "
		"\"mesh\": { "
		"\"make\": \"sphere\", \"radius\": 1, \"faces\": 80 }, \"mass\": 4300, \"inertia\": \"mesh\" } ], \"sensors\": "
		"[ { "
		"\"name\": \"imu\", \"type\": \"imu\", \"body\": \"box\", \"config\": { \"gyro\": { \"N\": %.9g }, \"accel\": "
		"{ \"N\": "
		"%.9g } } } ] }",
		number( member( config, "gyro" ), "N" ), number( member( config, "accel" ), "N" ) );
	ds_arena_free( &arena );
	write_file( ROOT "rest.json", scenario );
	assert_int_equal( deepsim( "run rest.json --log rest --quiet" ), 0 );
	// its own log has short names for the columns
	assert_int_equal( deepsim( "allan rest --column gx,az --json" ), 0 );
	expect_text( OUT, "\"angular_velocity_x\"" );
	expect_text( OUT, "\"linear_acceleration_z\"" );
	assert_int_equal( deepsim( "allan rest" ), 0 );
	expect_text( OUT, "linear_acceleration_z" );
}

// What others write: every separator, no headings, comments, other units, time in other units.
static void test_others( void **state )
{
	(void)state;
	const double degree = 57.29577951308232;
	static const struct
	{
		const char *head, *format;
		double time, gyro;
		const char *arguments;
	} files[] = {
		{ "", "%.9g %.12g %.12g\n", 1, 1, "--column 2 --unit rad/s" },
		{ "# t gx ax\n", "%.9g\t%.12g\t%.12g\n", 1, 1, "--column gx --unit rad/s" },
		{ "% exported\n\n", "%.9g;%.12g;%.12g\n", 1, 1, "--column 2 --unit rad/s" },
		{ "\xEF\xBB\xBF"
		  "time [ms], gx (deg/s), ax\r\n",
			"%.9g, %.12g, %.12g\r\n", 1000, 0, "--column gx" },
		{ "\"stamp[ns]\",\"gx[mrad/s]\",\"ax\"\n", "%.0f,%.12g,\"%.12g\"\n", 1e9, 1000, "--column gx" },
		{ "a,b,c\n", "%.9g,%.12g,%.12g\n", 1, 1, "--rate 100 --column b --unit rad/s" },
	};
	for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); ++i )
	{
		char line[256];
		write_record( ROOT "other.txt", files[i].head, files[i].format, files[i].time,
			files[i].gyro > 0 ? files[i].gyro : degree );
		snprintf( line, sizeof( line ), "allan other.txt --json %s", files[i].arguments );
		if ( deepsim( line ) != 0 )
		{
			print_error( "file %d\n", (int)i );
			expect_empty( ERR );
		}
		double rate;
		expect_close( noise_of( 0, &rate ), 1e-3, 0.02 );
		expect_close( rate, 100, 1e-6 );
	}
	// with no unit anywhere, all columns but time, and units unnamed
	write_record( ROOT "other.txt", "", "%.9g %.12g %.12g\n", 1, 1 );
	assert_int_equal( deepsim( "allan other.txt" ), 0 );
	expect_text( OUT, "1/sqrt(Hz)" );
}

static void expect_fault( const char *arguments, int code, const char *part )
{
	int got = deepsim( arguments );
	expect_text( ERR, part );
	assert_int_equal( got, code );
}

static void test_faults( void **state )
{
	(void)state;
	expect_fault( "allan", 2, "a file is missing" );
	expect_fault( "allan none.csv", 1, "none.csv: cannot be opened" );
	expect_fault( "allan imu.csv --column gz", 1, "there is no column gz; did you mean gx?; it has t, gx, ax" );
	expect_fault( "allan imu.csv --kind odev", 2, "--kind cannot be \"odev\"" );
	expect_fault( "allan imu.csv --rate 0", 2, "--rate" );
	expect_fault( "allan imu.csv --confidence 1", 2, "--confidence" );
	expect_fault( "allan imu.csv --fit X", 2, "--fit" );
	expect_fault( "allan imu.csv --plot x.gif", 2, "--plot" );
	write_file( ROOT "bad.csv", "" );
	expect_fault( "allan bad.csv", 1, "the file is empty" );
	write_file( ROOT "bad.csv", "t[s],gx[rad/s]\n" );
	expect_fault( "allan bad.csv", 1, "bad.csv:1: there is no row below the headings" );
	write_file( ROOT "bad.csv", "t[s],gx[rad/s]\n0.1,1\n0.2,2\n0.3,x7\n" );
	expect_fault( "allan bad.csv", 1, "bad.csv:4: column gx: \"x7\" is not a number; mend or delete the row" );
	write_file( ROOT "bad.csv", "t[s],gx[rad/s]\n0.1,1\n0.2,nan\n0.3,4\n" );
	expect_fault( "allan bad.csv", 1, "bad.csv:3: column gx is nan; expected a finite number" );
	write_file( ROOT "bad.csv", "t[s],gx[rad/s]\n0.1,1\n# c\n0.2,2,3\n" );
	expect_fault( "allan bad.csv", 1, "bad.csv:4: the row has 3 cells and the first has 2" );
	write_file( ROOT "bad.csv", "t[s];gx[rad/s]\n0,1;1\n" );
	expect_fault( "allan bad.csv", 1, "write decimal points, not commas" );
	write_file( ROOT "bad.csv", "t[s],gx[rad/s]\n0.1,1\n0.2,2\n0.15,3\n" );
	expect_fault( "allan bad.csv", 1, "bad.csv:4: time does not rise" );
	write_file( ROOT "bad.csv", "t[s],gx[rad/s]\n0.1,1\n0.2,2\n0.3,3\n0.8,3\n" );
	expect_fault( "allan bad.csv", 1, "1 gaps with 4 of 8 samples missing" );
	write_file( ROOT "bad.csv", "a,b\n1,2\n3,4\n5,7\n" );
	expect_fault( "allan bad.csv", 2, "name the samples a second by --rate HZ" );
	write_file( ROOT "bad.csv", "t[s],gx[rad/s]\n0.1,1\n" );
	expect_fault( "allan bad.csv", 1, "one row tells no rate" );
	expect_fault( "allan bad.csv --rate 10", 1, "1 samples are too few" );
	write_file( ROOT "bad.csv", "t[s],gx[rad/s]\n0.1,1\n0.2,1\n0.3,1\n0.4,1\n" );
	assert_int_equal( deepsim( "allan bad.csv" ), 0 );
	expect_text( OUT, "no fit: the column does not change" );
	expect_fault( "allan bad.csv --plot x.png", 1, "column gx does not change" );

	// never over its own input
	expect_fault( "allan imu.csv --csv ./imu.csv", 1, "./imu.csv: is the file that is read" );
	expect_fault( "allan imu.csv --csv none/x.csv", 1, "none/x.csv: cannot write" );
	assert_int_equal( shell( "head -c 5000 /dev/zero >'" ROOT "bad.csv'" ), 0 );
	expect_fault( "allan bad.csv", 1, "is not text" );
	assert_int_equal( shell( "head -c 3000000 /dev/zero | tr '\\0' 1 >'" ROOT "bad.csv'" ), 0 );
	expect_fault( "allan bad.csv", 1, "longer than a megabyte" );
}

// One sample in a thousand may be missing: the rate is that of the others.
static void test_gap( void **state )
{
	(void)state;
	static double g[COUNT];
	normals( 3, g );
	FILE *file = fopen( ROOT "gap.csv", "w" );
	assert_non_null( file );
	fputs( "t[s],gx[rad/s]\n", file );
	for ( int i = 0; i < COUNT; ++i )
	{
		if ( i != 40 && i != 7777 && i != 7778 )
		{
			fprintf( file, "%.6f,%.9g\n", i * 0.01, 0.01 * g[i] );
		}
	}
	assert_int_equal( fclose( file ), 0 );
	assert_int_equal( deepsim( "allan gap.csv" ), 0 );
	expect_text( OUT, "19997 samples at 100 Hz" );
	expect_text( OUT, "2 gaps in time, with 3 samples missing" );
}

static void test_plot( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "allan imu.csv --csv imu_curve.csv --plot curve.png --quiet" ), 0 );
	char *csv = read_file( ROOT "imu_curve.csv" );
	assert_non_null( csv );
	assert_non_null( strstr( csv, "tau[s],gx[rad/s],gx_low[rad/s],gx_high[rad/s],ax[m/s2]," ) );
	free( csv );
	if ( shell( "command -v gnuplot >/dev/null 2>&1" ) != 0 )
	{
		expect_text( ERR, "gnuplot is not installed" );
		return;
	}
	expect_empty( ERR );
	char *png = read_file( ROOT "curve.png" );
	assert_non_null( png );
	assert_memory_equal( png, "\x89PNG", 4 );
	free( png );
	assert_int_equal( deepsim( "allan imu.csv --column gx --kind hdev --plot curve.svg" ), 0 );
	expect_empty( ERR );
	expect_text( ROOT "curve.svg", "</svg>" );
	expect_text( ROOT "curve_allan.csv", "gx_low" );
}

// Ctrl-C while rows still come: what was read is reported, and the exit code says so.
static void test_interrupt( void **state )
{
	(void)state;
	char line[1024];
	snprintf( line, sizeof( line ),
		"cd '%s' && rm -f pipe && mkfifo -m 600 pipe && { '%s' allan pipe --column gx >'%s' 2>'%s' & deepsim=$!; { cat "
		"imu.csv; "
		"sleep 1; "
		"kill -INT $deepsim; sleep 0.2; } >pipe; wait $deepsim; code=$?; rm pipe; exit $code; }",
		DEEPSIM_TEST_TMP, DEEPSIM_PROGRAM, OUT, ERR );
	assert_int_equal( shell( line ), 130 );
	expect_text( ERR, "stopped after 2" );
	expect_text( OUT, "freedom" );
}

static void expect_no_text( const char *path, const char *part )
{
	char *text = read_file( path );
	assert_non_null( text );
	assert_null( strstr( text, part ) );
	free( text );
}

// Noise behind a low-pass: with the bandwidth the fit finds what is before it, and the config gives the same sensor again; without,
// or with a wrong one, the report says that the terms do not describe the curve.
static void test_bandwidth( void **state )
{
	(void)state;
	assert_int_equal(
		deepsim( "imu record --preset mti1 --set gyro.bandwidth=5 --hours 0.2 --rate 100 --seed 3 -o filtered.csv "
				 "--quiet" ),
		0 );
	assert_int_equal( deepsim( "allan filtered.csv --column gx --bandwidth 5 --quiet" ), 0 );
	expect_text( OUT, "\t\t\"bandwidth\": 5,\n\t\t\"N\": 0.000122" ); // 0.007 deg/s/sqrt(Hz)
	expect_no_text( OUT, "misfit" );
	assert_int_equal( deepsim( "allan filtered.csv --column gx --quiet" ), 0 );
	expect_text( OUT, "A low-pass in the sensor (--bandwidth)" );
	expect_no_text( OUT, "\"bandwidth\"" );
	assert_int_equal( deepsim( "allan filtered.csv --column gx --bandwidth 20 --quiet" ), 0 );
	expect_text( OUT, "Does --bandwidth agree with the sensor's low-pass?" );
	// far below what is in the record, where nothing fits at all; it is as quick
	assert_int_equal( deepsim( "allan filtered.csv --column gx --bandwidth 0.5 --quiet" ), 0 );
	expect_text( OUT, "no fit: no noise of these terms behind this low-pass comes near the curve" );
	assert_int_equal( deepsim( "allan filtered.csv --column gx --bandwidth 0.1 --quiet" ), 0 );
	expect_text( OUT, "no fit: bandwidth: expected 0 (none) or at least a two-hundredth of the rate, 0.5 Hz, got 0.1" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_bandwidth ),
		cmocka_unit_test( test_report ),
		cmocka_unit_test( test_config ),
		cmocka_unit_test( test_others ),
		cmocka_unit_test( test_faults ),
		cmocka_unit_test( test_gap ),
		cmocka_unit_test( test_plot ),
		cmocka_unit_test( test_interrupt ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

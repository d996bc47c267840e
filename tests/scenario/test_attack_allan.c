// Bad files and bad arguments to deepsim allan and deepsim imu record: an error that names file and remedy, no number made up, and no
// file of the user's written over.

#include "program.h"

#include <math.h>

// A record of white-like noise: `step` [s] between rows until `row`, `later` after.
static void write_record( const char *path, double start, double step, int row, double later, double scale )
{
	FILE *file = fopen( path, "wb" );
	assert_non_null( file );
	fprintf( file, "t[s],gx[rad/s]\n" );
	double time = start;
	for ( int i = 0; i < 400; ++i )
	{
		fprintf( file, "%.17g,%.17g\n", time, scale * sin( 1e3 * i * i ) );
		time += i < row ? step : later;
	}
	assert_int_equal( fclose( file ), 0 );
}

// Fails with this in the message, and prints nothing else.
static void refuses( const char *arguments, const char *message )
{
	assert_int_not_equal( deepsim( arguments ), 0 );
	expect_text( ERR, message );
	char *text = read_file( OUT );
	assert_string_equal( text, "" );
	free( text );
}

static void test_times_that_tell_no_rate( void **state )
{
	(void)state;
	write_record( ROOT "early.csv", 0, 1e-320, 400, 0, 1 );
	refuses( "allan early.csv --quiet", "early.csv: time rises by" );
	write_record( ROOT "late.csv", -8e307, 3e305, 400, 0, 1 );
	refuses( "allan late.csv --quiet", "late.csv: time rises by" );
	// nanoseconds without their unit
	write_record( ROOT "stamp.csv", 1.7e18, 1e7, 400, 0, 1 );
	refuses( "allan stamp.csv --quiet", "t[ns]" );
	write_record( ROOT "gap.csv", 0, 1, 398, 1e300, 1 );
	refuses( "allan gap.csv --quiet", "gaps" );
	// ten times as fast from the middle on
	write_record( ROOT "faster.csv", 0, 1, 200, 0.1, 1 );
	refuses( "allan faster.csv --quiet", "cut the record where the rate changes" );
	assert_int_equal( deepsim( "allan faster.csv --quiet --rate 10" ), 0 );
	refuses( "allan early.csv --quiet --rate 5e-324", "from 1e-9 to 1e12" );
}

static void test_values_beyond_numbers( void **state )
{
	(void)state;
	write_record( ROOT "huge.csv", 0, 1, 400, 0, 1e308 );
	refuses( "allan huge.csv --quiet", "huge.csv:3: column gx is" );
	write_record( ROOT "tiny.csv", 0, 1, 400, 0, 1e-200 );
	assert_int_equal( deepsim( "allan tiny.csv --quiet" ), 0 );
	expect_text( OUT, "its squares are 0" );
}

static void test_headings( void **state )
{
	(void)state;
	write_file( ROOT "twins.csv", "t[s],gx,gx\n0,1,2\n1,2,1\n2,1,1\n3,1,2\n" );
	refuses( "allan twins.csv --quiet --column gx", "more than one column is called gx" );
	assert_int_equal( deepsim( "allan twins.csv --quiet --column 3" ), 0 );
	// a comma between quotes parts nothing, on the way in and on the way out
	write_file( ROOT "quotes.csv", "\"t[s]\",\"g,\"\"x\"\" [rad/s]\"\n0,\"1\"\n1,2\n2,1\n3,1\n" );
	assert_int_equal( deepsim( "allan quotes.csv --quiet --csv quoted.csv" ), 0 );
	assert_int_equal( deepsim( "allan quoted.csv --quiet --column 2 --rate 1" ), 0 );
	write_file( ROOT "mac.csv", "t[s],gx\r0,1\r1,2\r2,1\r" );
	refuses( "allan mac.csv --quiet", "carriage returns" );
	write_file( ROOT "bell.csv", "t[s],g\033[31mx\n0,1\n1,2\n2,1\n" );
	assert_int_equal( deepsim( "allan bell.csv --quiet" ), 0 );
	char *text = read_file( OUT );
	assert_null( strchr( text, '\033' ) );
	free( text );
}

static void expect_record( const char *path )
{
	char *text = read_file( path );
	assert_non_null( text );
	assert_memory_equal( text, "t[s],gx[rad/s]\n", 15 );
	free( text );
}

static void test_inputs_are_kept( void **state )
{
	(void)state;
	write_record( ROOT "rest_allan.csv", 0, 1, 400, 0, 1 );
	refuses( "allan rest_allan.csv --quiet --csv rest_allan.csv", "is the file that is read" );
	refuses( "allan rest_allan.csv --quiet --plot rest.png", "is the file that is read" );
	refuses( "allan - --quiet --csv rest_allan.csv < rest_allan.csv", "is the file that is read" );
	expect_record( ROOT "rest_allan.csv" );
	refuses( "allan rest_allan.csv --quiet --csv a.png --plot a.png", "two files of this name" );
	refuses( "allan rest_allan.csv --quiet --csv -", "name a file" );
	refuses( "allan rest_allan.csv --quiet --csv .", "is a folder" );
	refuses( "allan rest_allan.csv --quiet --csv nowhere/a.csv", "make the folder first" );

	write_file( ROOT "unit.json", "{ \"gyro\": { \"N\": 1e-4 } }" );
	refuses( "imu record --quiet --config unit.json -o unit.json --hours 0.001", "is the config that is read" );
	char *text = read_file( ROOT "unit.json" );
	assert_string_equal( text, "{ \"gyro\": { \"N\": 1e-4 } }" );
	free( text );
	// 64 bits of nanoseconds end after 292 years
	refuses( "imu record --quiet --preset mti1 -o long.csv --rate 0.001 --hours 2.6e6", "to 2.5e6" );
}

// What cannot be written whole is not there.
static void test_files_are_whole_or_absent( void **state )
{
	(void)state;
	write_record( ROOT "rest.csv", 0, 1, 400, 0, 1 );
	assert_int_not_equal( shell( "cd '" DEEPSIM_TEST_TMP "' && rm -f cut.csv && ( ulimit -f 1; '" DEEPSIM_PROGRAM
								 "' allan rest.csv --quiet --per-decade 200 --csv cut.csv >/dev/null 2>'" ERR "' )" ),
		0 );
	expect_text( ERR, "ulimit -f" );
	assert_null( read_file( ROOT "cut.csv" ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_times_that_tell_no_rate ),
		cmocka_unit_test( test_values_beyond_numbers ),
		cmocka_unit_test( test_headings ),
		cmocka_unit_test( test_inputs_are_kept ),
		cmocka_unit_test( test_files_are_whole_or_absent ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

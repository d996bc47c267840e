// The program against hostile files: pipes that nobody serves, folders and devices where files are expected, closed standard
// streams, two runs into one folder, logs that are cut off. Each ends in an error of one line, soon, and leaves nothing half.

#include "program.h"

// Runs the program with a limit on its time; what hangs fails. Expects exit code 1 and one line of error with this text.
static void refused( const char *arguments, const char *text )
{
	char line[4096];
	snprintf( line, sizeof( line ), "cd '%s' && timeout 20 '%s' %s >'%s' 2>'%s'", DEEPSIM_TEST_TMP, DEEPSIM_PROGRAM,
		arguments, OUT, ERR );
	int code = shell( line );
	if ( code != 1 )
	{
		fail_msg( "deepsim %s: exit code %d", arguments, code );
	}
	expect_text( ERR, text );
	assert_int_equal( count_lines( ERR ), 1 );
}

static int set_up( void **state )
{
	(void)state;
	shell(
		"cd '" DEEPSIM_TEST_TMP "' && rm -rf * && mkfifo pipe pipe.json pipe.obj pipe.so && mkdir folder folder.obj && "
		"ln -s loop loop" );
	write_drop( ROOT "drop.json" );
	return 0;
}

static void pipes_without_an_end( void **state )
{
	(void)state;
	write_file( ROOT "include.json", "{ \"deepsim\": 1, \"include\": [\"pipe.json\"] }" );
	write_file( ROOT "mesh.json",
		"{ \"deepsim\": 1, \"bodies\": [ { \"name\": \"a\", \"mass\": 1, \"mesh\": { \"file\": \"pipe.obj\" } } ] }" );
	refused( "run pipe.json", "pipe.json:1: the text is empty" );
	refused( "validate include.json", "pipe.json:1: the text is empty" );
	refused( "run mesh.json", "mesh.json:1: bodies[0].mesh: pipe.obj: is not a regular file" );
	refused( "mesh info pipe.obj", "pipe.obj: is not a regular file" );
	refused( "run drop.json --quiet --plugin ./pipe.so", "pipe.so\": it is not a file" );
	refused( "run drop.json --quiet --summary pipe", "start the reader first" );
	refused( "mesh make sphere --radius 1 -o pipe.obj", "it is no file" );
	assert_int_equal( shell( "mkdir -p '" ROOT "log' && mkfifo '" ROOT "log/truth.csv'" ), 0 );
	refused( "run drop.json --quiet --log log", "truth.csv: cannot open for writing" );
	assert_int_equal( shell( "cd '" ROOT "' && test -p pipe && test -p pipe.obj && test -p log/truth.csv" ), 0 );

	// one that is served is read and written as a file is
	assert_int_equal(
		shell( "cd '" ROOT "' && cat drop.json | '" DEEPSIM_PROGRAM "' validate /dev/stdin >'" OUT "'" ), 0 );
	// (the reader may be late: then it is refused, and tried again)
	assert_int_equal(
		shell( "cd '" ROOT "' && { cat pipe > read.json & until '" DEEPSIM_PROGRAM
			   "' run drop.json --quiet --summary pipe 2> late; do grep -q 'the reader' late || exit 1; sleep 0.1; "
			   "done; wait; } && grep -q real_time read.json" ),
		0 );
}

static void what_is_no_file( void **state )
{
	(void)state;
	refused( "run folder", "folder: cannot open the file: it is a folder or a device" );
	refused( "run /dev/zero", "it is a folder or a device" );
	refused( "run loop", "loop: cannot open the file: Too many levels of symbolic links" );
	refused( "run drop.json --quiet --plugin ./folder", "it is not a file" );
	refused( "run drop.json --quiet --plugin ./drop.json", "cannot load the plugin" );
	refused( "run drop.json --quiet --log drop.json", "name another folder" );
	refused( "run drop.json --quiet --summary folder", "a folder has this name" );
	refused( "mesh make box -o folder.obj", "folder.obj: cannot be written" );
	refused( "mesh make box -o nowhere/x.obj", "nowhere/x.obj: cannot be written" );
	assert_int_equal( shell( "cd '" ROOT "' && ! ls | grep -E 'tmp$|part$'" ), 0 );
}

static void overrides_that_come_too_late( void **state )
{
	(void)state;
	refused( "run drop.json --quiet --set 'include=[\"more.json\"]'", "include it in a file" );
}

// A file that takes the number of a closed stream would get what is printed there.
static void closed_streams( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "run drop.json --quiet --log open" ), 0 );
	assert_int_equal( shell( "cd '" ROOT "' && '" DEEPSIM_PROGRAM "' run drop.json --log closed <&- >&- 2>&-" ), 1 );
	expect_same( ROOT "open/truth.csv", ROOT "closed/truth.csv" );
	expect_same( ROOT "open/depth.csv", ROOT "closed/depth.csv" );
	expect_same( ROOT "open/run.json", ROOT "closed/run.json" );
}

static void two_runs_into_one_folder( void **state )
{
	(void)state;
	assert_int_equal( shell( "cd '" ROOT "' && { timeout 20 '" DEEPSIM_PROGRAM
							 "' run drop.json --realtime --quiet --log both & sleep 0.5; '" DEEPSIM_PROGRAM
							 "' run drop.json --quiet --seed 9 --log both 2>'" ERR "'; code=$?; wait; exit $code; }" ),
		1 );
	expect_text( ERR, "both: another run is writing its log here; name another folder" );
	expect_text( ROOT "both/run.json", "\"seed\": 42" );
	expect_text( ROOT "both/run.json", "\"status\": \"ok\"" );

	// when it is over the folder may be used again
	assert_int_equal( deepsim( "run drop.json --quiet --log both" ), 0 );
}

// What a limit on the size of files leaves of a log are whole lines.
static void cut_logs_have_whole_lines( void **state )
{
	(void)state;
	assert_int_equal(
		shell( "cd '" ROOT "' && ulimit -f 100 && timeout 60 '" DEEPSIM_PROGRAM
			   "' run drop.json --quiet --duration 60 --set sensors.truth.rate=100 --log cut 2>'" ERR "'" ),
		1 );
	assert_int_equal( count_lines( ERR ), 1 );
	expect_text( ERR, "truth.csv: cannot write: File too large" );
	char *text = read_file( ROOT "cut/truth.csv" );
	assert_non_null( text );
	size_t length = strlen( text );
	assert_true( length > 1000 );
	assert_int_equal( text[length - 1], '\n' );
	free( text );
	expect_text( ROOT "cut/run.json", "\"status\": \"input/output error\"" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( pipes_without_an_end ),
		cmocka_unit_test( what_is_no_file ),
		cmocka_unit_test( overrides_that_come_too_late ),
		cmocka_unit_test( closed_streams ),
		cmocka_unit_test( two_runs_into_one_folder ),
		cmocka_unit_test( cut_logs_have_whole_lines ),
	};
	return cmocka_run_group_tests( tests, set_up, NULL );
}

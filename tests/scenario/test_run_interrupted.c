// `deepsim run` that does not come to its end: signals, full disks, closed pipes; and the two things that need a clock or a
// terminal. What was simulated is in the log, whatever happened.

#define _XOPEN_SOURCE 700 // posix_openpt

#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>

static int set_up( void **state )
{
	(void)state;
	write_drop( ROOT "drop.json" );
	return 0;
}

static void pause_shortly( void )
{
	struct timespec pause = { 0, 20000000 };
	nanosleep( &pause, NULL );
}

// Starts a run of eleven days, with a log; `descriptor` is its error output. The process id.
static pid_t start( const char *log, const char *summary, int descriptor, bool quiet )
{
	pid_t child = fork();
	assert_true( child >= 0 );
	if ( child == 0 )
	{
		int null = open( "/dev/null", O_WRONLY );
		dup2( null, STDOUT_FILENO );
		dup2( descriptor >= 0 ? descriptor : null, STDERR_FILENO );
		if ( chdir( DEEPSIM_TEST_TMP ) == 0 )
		{
			execl( DEEPSIM_PROGRAM, "deepsim", "run", "drop.json", "--duration", "1e6", "--log", log, "--summary",
				summary, quiet ? "--quiet" : NULL, (char *)NULL );
		}
		_exit( 99 );
	}
	return child;
}

// Waits until a log has rows (30 s at most).
static void wait_for_rows( const char *path )
{
	for ( int i = 0; i < 1500; i++ )
	{
		if ( access( path, R_OK ) == 0 && count_lines( path ) > 20 )
		{
			return;
		}
		pause_shortly();
	}
	fail_msg( "%s has no rows", path );
}

// Whole lines, times that rise by the sensor's period.
static int check_rows( const char *path )
{
	char *text = read_file( path );
	assert_non_null( text );
	assert_int_equal( text[strlen( text ) - 1], '\n' );
	int rows = 0;
	for ( const char *line = strchr( text, '\n' ) + 1; *line; line = strchr( line, '\n' ) + 1 )
	{
		char time[32];
		snprintf( time, sizeof( time ), "%d.%d00000000,", rows / 10, rows % 10 );
		assert_memory_equal( line, time, strlen( time ) );
		rows++;
	}
	free( text );
	return rows;
}

static void interrupt_by( int signal_number, const char *log )
{
	char command[1024], csv[1024], run[1024];
	snprintf( command, sizeof( command ), "rm -rf '%s%s'", ROOT, log );
	assert_int_equal( shell( command ), 0 );
	snprintf( csv, sizeof( csv ), "%s%s/truth.csv", ROOT, log );
	snprintf( run, sizeof( run ), "%s%s/run.json", ROOT, log );

	pid_t child = start( log, "cancelled.json", -1, true );
	wait_for_rows( csv );
	assert_int_equal( kill( child, signal_number ), 0 );
	int status = 0;
	assert_int_equal( waitpid( child, &status, 0 ), child );
	assert_true( WIFEXITED( status ) );
	assert_int_equal( WEXITSTATUS( status ), 130 );

	ds_arena arena;
	const ds_json *root = load_json( &arena, run );
	assert_string_equal( member( root, "status" )->string, "cancelled" );
	double ticks = member( root, "ticks" )->number;
	assert_true( ticks > 0 );
	const ds_json *truth = ds_json_at( member( root, "channels" ), 0 );
	assert_int_equal( (int)member( truth, "samples" )->number, check_rows( csv ) );
	assert_int_equal( check_rows( csv ), (int)ticks / 10 + 1 );
	ds_arena_free( &arena );

	const ds_json *summary = load_json( &arena, ROOT "cancelled.json" );
	assert_string_equal( member( summary, "status" )->string, "cancelled" );
	assert_true( member( summary, "ticks" )->number == ticks );
	ds_arena_free( &arena );
}

static void test_signals( void **state )
{
	(void)state;
	interrupt_by( SIGINT, "interrupted" );
	interrupt_by( SIGTERM, "terminated" );
}

// A run that had no time to say a word leaves whole lines and the run's description.
static void test_killed( void **state )
{
	(void)state;
	assert_int_equal( shell( "rm -rf '" ROOT "killed'" ), 0 );
	pid_t child = start( "killed", "killed.json", -1, true );
	wait_for_rows( ROOT "killed/truth.csv" );
	assert_int_equal( kill( child, SIGKILL ), 0 );
	int status = 0;
	assert_int_equal( waitpid( child, &status, 0 ), child );
	assert_true( check_rows( ROOT "killed/truth.csv" ) > 10 );
	ds_arena arena;
	assert_string_equal( member( load_json( &arena, ROOT "killed/run.json" ), "status" )->string, "running" );
	ds_arena_free( &arena );
	assert_int_not_equal( access( ROOT "killed.json", F_OK ), 0 );
}

// ---- full disks --------------------------------------------------------------------------------------------------

static void test_full_disk( void **state )
{
	(void)state;
	if ( access( "/dev/full", W_OK ) != 0 )
	{
		skip();
	}
	assert_int_equal(
		shell( "rm -rf '" ROOT "full'; mkdir '" ROOT "full' && ln -s /dev/full '" ROOT "full/depth.csv'" ), 0 );
	assert_int_equal( deepsim( "run drop.json --quiet --log full" ), 1 );
	expect_text( ERR, "full/depth.csv: cannot write: No space left on device; free some space" );
	assert_int_equal( count_lines( ERR ), 1 );
	assert_int_equal( deepsim( "run drop.json --quiet --summary /dev/full" ), 1 );
	expect_text( ERR, "/dev/full: cannot write" );

	char line[2048];
	snprintf( line, sizeof( line ), "cd '%s' && '%s' run drop.json >/dev/full 2>'%s'", DEEPSIM_TEST_TMP,
		DEEPSIM_PROGRAM, ERR );
	assert_int_equal( shell( line ), 1 );
	expect_text( ERR, "cannot write to the standard output" );
}

// The disk is full in the middle of the run: 32 blocks of 512 bytes.
static void test_file_limit( void **state )
{
	(void)state;
	assert_int_equal( shell( "rm -rf '" ROOT "limit'" ), 0 );
	char line[2048];
	snprintf( line, sizeof( line ),
		"cd '%s' && ulimit -f 32 && exec '%s' run drop.json --duration 1000 --quiet --log limit --summary limit.json "
		"2>'%s'",
		DEEPSIM_TEST_TMP, DEEPSIM_PROGRAM, ERR );
	assert_int_equal( shell( line ), 1 );
	expect_text( ERR, ".csv: cannot write: File too large; raise the limit" );
	ds_arena arena;
	const ds_json *root = load_json( &arena, ROOT "limit/run.json" );
	assert_string_equal( member( root, "status" )->string, "input/output error" );
	assert_non_null( strstr( member( root, "error" )->string, ".csv: cannot write" ) );
	assert_true( member( root, "sim_time" )->number < 1000 );
	ds_arena_free( &arena );
	expect_text( ROOT "limit.json", "input/output error" );
}

// Somebody who reads no more does not cost the log.
static void test_closed_pipe( void **state )
{
	(void)state;
	char line[2048];
	assert_int_equal( shell( "rm -rf '" ROOT "pipe'" ), 0 );
	snprintf( line, sizeof( line ), "cd '%s' && '%s' run drop.json --log pipe 2>&1 | true", DEEPSIM_TEST_TMP,
		DEEPSIM_PROGRAM );
	assert_int_equal( shell( line ), 0 );
	ds_arena arena;
	for ( int i = 0; i < 500; i++ )
	{
		char *text = read_file( ROOT "pipe/run.json" );
		bool over = text && strstr( text, "\"status\": \"ok\"" );
		free( text );
		if ( over )
		{
			break;
		}
		pause_shortly();
	}
	assert_string_equal( member( load_json( &arena, ROOT "pipe/run.json" ), "status" )->string, "ok" );
	ds_arena_free( &arena );
}

// ---- clock and terminal ------------------------------------------------------------------------------------------

// A paced run is not ahead of the clock. (How far it is behind depends on what else the machine does.)
static void test_realtime( void **state )
{
	(void)state;
	assert_int_equal( deepsim( "run drop.json --quiet --realtime --duration 0.5 --summary paced.json" ), 0 );
	ds_arena arena;
	assert_true( member( load_json( &arena, ROOT "paced.json" ), "wall_time" )->number > 0.49 );
	ds_arena_free( &arena );
}

// On a terminal one line is written again and again.
static void test_terminal( void **state )
{
	(void)state;
	int terminal = posix_openpt( O_RDWR | O_NOCTTY );
	if ( terminal < 0 || grantpt( terminal ) != 0 || unlockpt( terminal ) != 0 )
	{
		skip();
	}
	int slave = open( ptsname( terminal ), O_RDWR | O_NOCTTY );
	assert_true( slave >= 0 );
	setenv( "TERM", "xterm", 1 );
	setenv( "NO_COLOR", "1", 1 );
	assert_int_equal( shell( "rm -rf '" ROOT "terminal'" ), 0 );
	pid_t child = start( "terminal", "terminal.json", slave, false );
	close( slave );

	// three versions of the line, then the end
	char text[8192] = "";
	size_t used = 0;
	int versions = 0;
	while ( versions < 3 && used + 1 < sizeof( text ) )
	{
		ssize_t n = read( terminal, text + used, sizeof( text ) - used - 1 );
		assert_true( n > 0 );
		used += (size_t)n;
		text[used] = '\0';
		versions = 0;
		for ( const char *c = strchr( text, '\r' ); c; c = strchr( c + 1, '\r' ) )
		{
			versions++;
		}
	}
	assert_int_equal( kill( child, SIGINT ), 0 );
	int status = 0;
	assert_int_equal( waitpid( child, &status, 0 ), child );
	assert_int_equal( WEXITSTATUS( status ), 130 );
	close( terminal );
	assert_memory_equal( text, "\rdrop ", 6 );
	assert_non_null( strstr( text, "x real time, ETA " ) );
	assert_null( strchr( text, '\n' ) );
	assert_null( strstr( text, "\033[1m" ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_signals ),
		cmocka_unit_test( test_killed ),
		cmocka_unit_test( test_full_disk ),
		cmocka_unit_test( test_file_limit ),
		cmocka_unit_test( test_closed_pipe ),
		cmocka_unit_test( test_realtime ),
		cmocka_unit_test( test_terminal ),
	};
	return cmocka_run_group_tests( tests, set_up, NULL );
}

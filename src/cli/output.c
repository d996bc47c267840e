#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool cli_terminal( FILE *out )
{
	const char *terminal = getenv( "TERM" );
	return terminal && strcmp( terminal, "dumb" ) != 0 && isatty( fileno( out ) );
}

bool cli_colour( FILE *out )
{
	const char *no_color = getenv( "NO_COLOR" );
	return ( no_color == NULL || no_color[0] == '\0' ) && cli_terminal( out );
}

const char *cli_bold( FILE *out )
{
	return cli_colour( out ) ? "\033[1m" : "";
}

const char *cli_red( FILE *out )
{
	return cli_colour( out ) ? "\033[1;31m" : "";
}

const char *cli_plain( FILE *out )
{
	return cli_colour( out ) ? "\033[0m" : "";
}

void cli_error( const char *format, ... )
{
	// what went to the standard output before stands before
	fflush( stdout );
	fprintf( stderr, "%sdeepsim:%s ", cli_red( stderr ), cli_plain( stderr ) );
	va_list arguments;
	va_start( arguments, format );
	vfprintf( stderr, format, arguments );
	va_end( arguments );
	fprintf( stderr, "\n" );
}

int cli_fail( void )
{
	cli_error( "%s", ds_last_error() );
	return CLI_FAILURE;
}

static void print_message( void *user, ds_log_level level, const char *message )
{
	(void)user;
	static const char *const names[] = { "", "", "warning: ", "error: " };
	if ( level == DS_LOG_DEBUG )
	{
		return;
	}
	// a line of progress may stand there
	const char *erase = cli_terminal( stderr ) ? "\r\033[K" : "";
	fprintf( stderr, "%sdeepsim: %s%s\n", erase, (unsigned)level <= DS_LOG_ERROR ? names[level] : "", message );
}

static void print_error( void *user, ds_log_level level, const char *message )
{
	if ( level >= DS_LOG_ERROR )
	{
		print_message( user, level, message );
	}
}

ds_hooks cli_hooks( bool quiet )
{
	ds_hooks hooks = { 0 };
	hooks.log = quiet ? print_error : print_message;
	return hooks;
}

void cli_print_amount( char *text, size_t size, double amount )
{
	(void)snprintf( text, size, amount < 999.5 ? "%.3g" : "%.0f", amount );
}

double cli_clock( void )
{
	struct timespec now = { 0, 0 };
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int cli_print_text( ds_text *text )
{
	bool whole = text->status == DS_OK;
	printf( "%s\n", ds_text_get( text ) );
	ds_text_clear( text );
	return whole ? CLI_OK : CLI_FAILURE;
}

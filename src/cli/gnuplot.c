#include "cli/gnuplot.h"

#include "base/text.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool gnuplot_path_good( const char *path )
{
	// gnuplot takes what follows a | for a command, and the end of a line for that of its own
	const char *ending = strrchr( path, '.' );
	bool known =
		ending && ( strcmp( ending, ".png" ) == 0 || strcmp( ending, ".svg" ) == 0 || strcmp( ending, ".pdf" ) == 0 );
	for ( const char *p = path; *p; ++p )
	{
		known = known && (unsigned char)*p >= ' ';
	}
	return known && path[0] != '|' && strlen( path ) < 1000;
}

bool gnuplot_found( const char *path, const char *data )
{
	bool found = system( "command -v gnuplot >/dev/null 2>&1" ) == 0;
	if ( !found )
	{
		cli_error( "gnuplot is not installed: %s is not drawn; the numbers are in %s", path, data );
	}
	return found;
}

FILE *gnuplot_start( void )
{
	FILE *out = popen( "gnuplot", "w" );
	if ( out == NULL )
	{
		cli_error( "gnuplot cannot be started: %s", strerror( errno ) );
	}
	return out;
}

int gnuplot_finish( FILE *out, const char *path )
{
	bool failed = ferror( out ) != 0;
	if ( pclose( out ) != 0 || failed )
	{
		cli_error( "%s: gnuplot could not draw it", path );
		return CLI_FAILURE;
	}
	return CLI_OK;
}

void gnuplot_text( FILE *out, const char *text )
{
	fputc( '\'', out );
	for ( const char *p = text; *p; ++p )
	{
		// a quote is written twice
		fprintf( out, *p == '\'' ? "''" : "%c", (unsigned char)*p < ' ' ? ' ' : *p );
	}
	fputc( '\'', out );
}

void gnuplot_number( FILE *out, double number )
{
	char text[32];
	ds_print_number( text, sizeof( text ), number );
	fprintf( out, "%s ", text );
}

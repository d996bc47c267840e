#include "cli/current.h"

#include "base/text.h"
#include "deepsim/math.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double current_direction( ds_vec3 flow )
{
	double degrees = atan2( flow.y, flow.x ) * 180 / DS_PI;
	return degrees < 0 ? degrees + 360 : degrees;
}

int write_current_csv( const char *path, const curve *profile )
{
	ds_text text;
	ds_text_init( &text, NULL );
	ds_text_string( &text, "depth[m],north[m/s],east[m/s],down[m/s],speed[m/s],direction[deg]\n" );
	for ( int i = 0; i < profile->count; ++i )
	{
		ds_vec3 v = profile->flows[i];
		const double cells[] = { profile->depths[i], v.x, v.y, v.z, hypot( v.x, v.y ), current_direction( v ) };
		for ( int k = 0; k < CLI_COUNT( cells ); ++k )
		{
			char number[32];
			ds_print_number( number, sizeof( number ), cells[k] );
			ds_text_format( &text, "%s%s", number, k + 1 < CLI_COUNT( cells ) ? "," : "\n" );
		}
	}
	FILE *out = text.status == DS_OK ? fopen( path, "w" ) : NULL;
	bool written = out && fwrite( ds_text_get( &text ), 1, text.length, out ) == text.length;
	int code = out && ( fclose( out ) != 0 || !written ) ? CLI_FAILURE : out ? CLI_OK : CLI_FAILURE;
	if ( code != CLI_OK )
	{
		cli_error( "%s: cannot be written: %s", path, strerror( errno ) );
	}
	ds_text_clear( &text );
	return code;
}

bool plot_path_good( const char *path )
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

// A text between the single quotes of gnuplot, where a quote is written twice.
static void put_quoted( FILE *out, const char *text )
{
	fputc( '\'', out );
	for ( const char *p = text; *p; ++p )
	{
		fprintf( out, *p == '\'' ? "''" : "%c", (unsigned char)*p < ' ' ? ' ' : *p );
	}
	fputc( '\'', out );
}

static void put_number( FILE *out, double number )
{
	char text[32];
	ds_print_number( text, sizeof( text ), number );
	fprintf( out, "%s ", text );
}

static void put_data( FILE *out, const curve *c, int index )
{
	fprintf( out, "$curve%d << EOD\n", index );
	for ( int i = 0; i < c->count; ++i )
	{
		put_number( out, c->depths[i] );
		put_number( out, c->flows[i].x );
		put_number( out, c->flows[i].y );
		fputc( '\n', out );
	}
	fprintf( out, "EOD\n" );
}

static void put_curve( FILE *out, const curve *c, int index, const char *columns, const char *suffix, int colour )
{
	fprintf( out, "%s$curve%d using %s with %s lc %d title ", colour > 1 || index > 0 ? ", " : "", index, columns,
		c->points ? "points pt 7 ps 0.5" : "lines lw 2", colour );
	char title[160];
	snprintf( title, sizeof( title ), "%s%s", c->title, suffix );
	put_quoted( out, title );
}

static void put_script( FILE *out, const char *path, const char *title, const curve *curves, int count )
{
	const char *ending = strrchr( path, '.' );
	const char *terminal = ending && strcmp( ending, ".svg" ) == 0   ? "svg size 1000,520"
						   : ending && strcmp( ending, ".pdf" ) == 0 ? "pdfcairo size 10in,5.2in"
																	 : "pngcairo size 1000,520";
	for ( int i = 0; i < count; ++i )
	{
		put_data( out, &curves[i], i );
	}
	fprintf( out, "set terminal %s\nset output ", terminal );
	put_quoted( out, path );
	fprintf( out, "\nset multiplot layout 1,2 title " );
	put_quoted( out, title );
	fprintf( out, " noenhanced\nset grid\nset key noenhanced below\n" );
	fprintf( out, "set xlabel 'east [m/s]'\nset ylabel 'north [m/s]'\nset size ratio -1\nplot " );
	for ( int i = 0; i < count; ++i )
	{
		put_curve( out, &curves[i], i, "3:2", "", i + 1 );
	}
	fprintf(
		out, "\nset size noratio\nset xlabel 'flow [m/s]'\nset ylabel 'depth [m]'\nset yrange [*:*] reverse\nplot " );
	for ( int i = 0; i < count; ++i )
	{
		put_curve( out, &curves[i], i, "2:1", " north", 2 * i + 1 );
		put_curve( out, &curves[i], i, "3:1", " east", 2 * i + 2 );
	}
	fprintf( out, "\nunset multiplot\n" );
}

int plot_current( const char *path, const char *title, const curve *curves, int count, const char *data )
{
	if ( system( "command -v gnuplot >/dev/null 2>&1" ) != 0 )
	{
		cli_error( "gnuplot is not installed: %s is not drawn; the numbers are in %s", path, data );
		return CLI_OK;
	}
	FILE *out = popen( "gnuplot", "w" );
	if ( out == NULL )
	{
		cli_error( "gnuplot cannot be started: %s", strerror( errno ) );
		return CLI_FAILURE;
	}
	put_script( out, path, title, curves, count );
	bool failed = ferror( out ) != 0;
	if ( pclose( out ) != 0 || failed )
	{
		cli_error( "%s: gnuplot could not draw it", path );
		return CLI_FAILURE;
	}
	return CLI_OK;
}

bool two_numbers( const char *text, double numbers[2] )
{
	char first[64];
	const char *comma = strchr( text, ',' );
	size_t length = comma ? (size_t)( comma - text ) : sizeof( first );
	if ( length >= sizeof( first ) )
	{
		return false;
	}
	memcpy( first, text, length );
	first[length] = 0;
	return cli_number( first, &numbers[0] ) && cli_number( comma + 1, &numbers[1] );
}

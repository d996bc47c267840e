#include "cli/current.h"
#include "cli/gnuplot.h"

#include "base/text.h"
#include "deepsim/math.h"
#include "io/log_file.h"

#include <errno.h>
#include <math.h>
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
	FILE *out = text.status == DS_OK ? ds_log_file_stream( path ) : NULL;
	bool written = out && fwrite( ds_text_get( &text ), 1, text.length, out ) == text.length;
	int code = out && ( fclose( out ) != 0 || !written ) ? CLI_FAILURE : out ? CLI_OK : CLI_FAILURE;
	if ( code != CLI_OK )
	{
		cli_error( "%s: cannot be written: %s", path, strerror( errno ) );
	}
	ds_text_clear( &text );
	return code;
}

static void put_data( FILE *out, const curve *c, int index )
{
	fprintf( out, "$curve%d << EOD\n", index );
	for ( int i = 0; i < c->count; ++i )
	{
		gnuplot_number( out, c->depths[i] );
		gnuplot_number( out, c->flows[i].x );
		gnuplot_number( out, c->flows[i].y );
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
	gnuplot_text( out, title );
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
	gnuplot_text( out, path );
	fprintf( out, "\nset multiplot layout 1,2 title " );
	gnuplot_text( out, title );
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
	if ( !gnuplot_found( path, data ) )
	{
		return CLI_OK;
	}
	FILE *out = gnuplot_start();
	if ( out == NULL )
	{
		return CLI_FAILURE;
	}
	put_script( out, path, title, curves, count );
	return gnuplot_finish( out, path );
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

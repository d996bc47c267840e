// deepsim current show | fit

#include "cli/current.h"
#include "cli/gnuplot.h"

#include "deepsim/math.h"
#include "hydro/current.h"
#include "io/current_file.h"

#include <math.h>
#include <string.h>

#define ROWS   21 // of the printed table
#define LEVELS 401 // of the data

typedef struct show_options
{
	const char *file, *plot, *csv;
	double at[2], time, depth;
	bool has_seed;
	uint64_t seed;
} show_options;

// How deep a profile goes if nobody says: to the bed, or past all that changes with depth.
static double default_depth( const ds_current_file *file )
{
	double depth = file->setting.has_bed ? file->setting.bed_depth : 0;
	for ( int64_t i = 0; i < file->count && !file->setting.has_bed; ++i )
	{
		const ds_current_def *d = &file->defs[i];
		const ds_current_level *levels = d->levels.data;
		switch ( d->kind )
		{
			case DS_CURRENT_EXPONENTIAL:
				depth = fmax( depth, 4 * d->depth );
				break;
			case DS_CURRENT_EKMAN:
				depth = fmax( depth, d->bed_source == DS_CURRENT_OF_DEF ? d->bed_depth : 2 * d->surface_layer );
				break;
			case DS_CURRENT_POWER:
				depth = fmax( depth, d->bed_depth );
				break;
			case DS_CURRENT_PROFILE:
				depth = fmax( depth, levels[d->levels.count - 1].depth );
				break;
			default:
				break;
		}
	}
	return depth > 0 ? depth : 100;
}

static void print_rows( const curve *profile )
{
	printf( "%10s %11s %11s %11s %11s %11s\n", "depth", "north", "east", "down", "speed", "direction" );
	printf( "%10s %11s %11s %11s %11s %11s\n", "m", "m/s", "m/s", "m/s", "m/s", "deg" );
	for ( int i = 0; i < profile->count; i += ( profile->count - 1 ) / ( ROWS - 1 ) )
	{
		ds_vec3 v = profile->flows[i];
		printf( "%10.2f %11.5f %11.5f %11.5f %11.5f %11.2f\n", profile->depths[i], v.x, v.y, v.z, hypot( v.x, v.y ),
			current_direction( v ) );
	}
}

// The file of the numbers beside a drawing: its name with another ending.
static void data_path( const char *plot, char *path, size_t size )
{
	const char *dot = strrchr( plot, '.' ), *slash = strrchr( plot, '/' );
	size_t length = dot && ( slash == NULL || dot > slash ) ? (size_t)( dot - plot ) : strlen( plot );
	snprintf( path, size, "%.*s.csv", (int)length, plot );
}

static int show_profile( const show_options *o, const ds_currents *currents, uint64_t seed, double depth )
{
	static double depths[LEVELS];
	static ds_vec3 flows[LEVELS];
	ds_currents_state state = { .seed = seed };
	ds_currents_prepare( currents, o->time, &state );
	for ( int i = 0; i < LEVELS; ++i )
	{
		depths[i] = depth * i / ( LEVELS - 1 );
		flows[i] = ds_currents_at( currents, &state, ds_v3( o->at[0], o->at[1], depths[i] ), o->time );
	}
	const curve profile = { "flow", false, LEVELS, depths, flows };
	print_rows( &profile );
	char path[1024], title[1200];
	data_path( o->plot ? o->plot : "", path, sizeof( path ) );
	const char *csv = o->csv ? o->csv : o->plot ? path : NULL;
	if ( csv && write_current_csv( csv, &profile ) != CLI_OK )
	{
		return CLI_FAILURE;
	}
	snprintf( title, sizeof( title ), "%s, t = %g s", o->file, o->time );
	return o->plot ? plot_current( o->plot, title, &profile, 1, csv ) : CLI_OK;
}

static int show( const show_options *o )
{
	ds_current_file file;
	if ( ds_current_file_load( o->file, &file ) != DS_OK )
	{
		return cli_fail();
	}
	ds_currents *currents;
	int code = CLI_FAILURE;
	if ( ds_currents_create( NULL, file.defs, file.count, &file.setting, &currents ) == DS_OK )
	{
		double depth = o->depth > 0 ? o->depth : default_depth( &file );
		code = show_profile( o, currents, o->has_seed ? o->seed : file.seed, depth );
		ds_currents_destroy( currents );
	}
	else
	{
		cli_error( "%s: %s", o->file, ds_last_error() );
	}
	ds_current_file_free( &file );
	return code;
}

enum
{
	OPTION_AT,
	OPTION_TIME,
	OPTION_DEPTH,
	OPTION_SEED,
	OPTION_PLOT,
	OPTION_CSV
};

static bool take_option( show_options *o, int option, const char *value )
{
	switch ( option )
	{
		case OPTION_AT:
			return two_numbers( value, o->at );
		case OPTION_TIME:
			return cli_number( value, &o->time );
		case OPTION_DEPTH:
			return cli_number( value, &o->depth ) && o->depth > 0;
		case OPTION_SEED:
			o->has_seed = true;
			return cli_unsigned( value, &o->seed );
		case OPTION_PLOT:
			o->plot = value;
			return gnuplot_path_good( value );
		default:
			o->csv = value;
			return true;
	}
}

static int cmd_show( int argc, char **argv )
{
	static const cli_option options[] = {
		[OPTION_AT] = { "--at", "X,Y", "where: north, east [m] (0,0)" },
		[OPTION_TIME] = { "--time", "T", "when [s] (0)" },
		[OPTION_DEPTH] = { "--depth", "MAX", "how deep [m] (to the bed, or past all that changes)" },
		[OPTION_SEED] = { "--seed", "N", "of random currents (the scenario's, or 0)" },
		[OPTION_PLOT] = { "--plot", "OUT.png", "draw hodograph and components by gnuplot (.png, .svg, .pdf)" },
		[OPTION_CSV] = { "--csv", "OUT.csv", "write the numbers (with --plot: also beside the drawing)" },
	};
	static const cli_command command = { "current show", "FILE",
		"Prints the profile of the currents of a scenario, or of JSON that is a current, an array of currents or\n"
		"{ \"currents\": [...] }. Directions are where the water flows to, from north over east.",
		options, CLI_COUNT( options ),
		"  deepsim current show lander.json --depth 200\n"
		"  deepsim current show ekman.json --plot spiral.png --csv spiral.csv\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	show_options o = { 0 };
	const char *value;
	for ( int found; ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == CLI_ARGUMENT )
		{
			if ( o.file )
			{
				return cli_usage( &command, "one file at a time, got %s and %s", o.file, value );
			}
			o.file = value;
		}
		else if ( !take_option( &o, found, value ) )
		{
			return cli_usage(
				&command, "%s cannot be \"%s\": expected %s", options[found].name, value, options[found].value );
		}
	}
	return o.file ? show( &o ) : cli_usage( &command, "a file is missing" );
}

// ---- the verb ------------------------------------------------------------------------------------------------------

static const cli_command current_command = { "current", "show|fit ...",
	"Shows the profile of a scenario's currents, or fits an Ekman flow to a profile that was measured.", NULL, 0,
	"  deepsim current show FILE --help\n  deepsim current fit PROFILE.csv --help\n" };

int cmd_current( int argc, char **argv )
{
	if ( argc < 2 )
	{
		return cli_usage( &current_command, "show or fit is missing" );
	}
	if ( strcmp( argv[1], "show" ) == 0 )
	{
		return cmd_show( argc - 1, argv + 1 );
	}
	if ( strcmp( argv[1], "fit" ) == 0 )
	{
		return cmd_current_fit( argc - 1, argv + 1 );
	}
	cli_parser parser = cli_parse( &current_command, argc, argv );
	const char *value;
	if ( cli_next( &parser, &value ) == CLI_DONE )
	{
		return parser.exit_code;
	}
	return cli_usage( &current_command, "expected show or fit, got %s", argv[1] );
}

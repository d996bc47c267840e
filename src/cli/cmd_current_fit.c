// deepsim current fit

#include "base/field_io.h"
#include "cli/current.h"
#include "cli/gnuplot.h"
#include "deepsim/math.h"
#include "hydro/current.h"
#include "io/current_file.h"
#include "io/current_fit.h"
#include "io/current_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 401 // of a fitted curve
#define DEGREE ( DS_PI / 180 )

typedef struct fit_options
{
	const char *file, *plot;
	bool has_wind, has_latitude, of_wind;
	double wind[2], latitude, bed, air_density, water_density;
	int32_t drag;
} fit_options;

// ---- report --------------------------------------------------------------------------------------------------------

static void print_layer( const char *name, const ds_current_fit_layer *layer )
{
	if ( layer->levels > 0 )
	{
		printf( "  RMSE, %-16s %9.5f m/s over %lld levels\n", name, layer->rmse, (long long)layer->levels );
	}
}

static void print_fit( const char *name, const ds_current_fit *fit )
{
	const ds_current_def *d = &fit->current;
	ds_vec3 stress = ds_v3( fit->stress[0], fit->stress[1], 0 );
	ds_vec3 interior = ds_v3( d->velocity[0], d->velocity[1], 0 );
	printf( "%s%s%s\n", cli_bold( stdout ), name, cli_plain( stdout ) );
	printf(
		"  %-22s %9.5f m/s towards %.1f deg\n", "interior flow", ds_length( interior ), current_direction( interior ) );
	printf( "  %-22s %9.2f m%s\n", "surface layer D", d->surface_layer,
		fit->surface_bounded ? ", at a limit: the profile does not tell" : "" );
	printf( "  %-22s %9.2f m%s\n", "bed layer D_b", d->bed_layer,
		fit->bed_bounded ? ", at a limit: the profile does not tell" : "" );
	printf( "  %-22s %9.5f Pa towards %.1f deg\n", "stress", ds_length( stress ), current_direction( stress ) );
	print_layer( "surface layer", &fit->surface );
	print_layer( "interior", &fit->interior );
	print_layer( "bed layer", &fit->bed );
	print_layer( "all", &fit->all );
	printf( "  %-22s %9.5f of that of the mean current (%.5f m/s)\n", "ratio", fit->all.rmse / fit->rmse_of_mean,
		fit->rmse_of_mean );
}

// To six digits, which are more than a profile holds.
static double rounded( double number )
{
	char text[32];
	snprintf( text, sizeof( text ), "%.5e", number );
	return strtod( text, NULL );
}

static int print_block( const ds_current_fit *fit )
{
	ds_current_def d = fit->current;
	double *numbers[] = { &d.velocity[0], &d.velocity[1], &d.surface_layer, &d.bed_layer, &d.stress[0], &d.stress[1],
		&d.bed_depth };
	for ( int i = 0; i < CLI_COUNT( numbers ); ++i )
	{
		*numbers[i] = rounded( *numbers[i] );
	}
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	ds_json_key( &w, "currents" );
	ds_json_begin_flat( &w, '[' );
	(void)ds_table_write( &ds_current_table, &d, DS_WRITE_CONFIG, &w );
	ds_json_end( &w, ']' );
	ds_json_end( &w, '}' );
	return cli_print_text( &text );
}

// The flow of a fit, as a curve; false when there is no memory.
static bool trace( const ds_current_fit *fit, double deepest, double depths[LEVELS], ds_vec3 flows[LEVELS] )
{
	ds_currents *currents;
	if ( ds_currents_create( NULL, &fit->current, 1, NULL, &currents ) != DS_OK )
	{
		return false;
	}
	for ( int i = 0; i < LEVELS; ++i )
	{
		depths[i] = deepest * i / ( LEVELS - 1 );
		flows[i] = ds_currents_at( currents, NULL, ds_v3( 0, 0, depths[i] ), 0 );
	}
	ds_currents_destroy( currents );
	return true;
}

static int draw( const fit_options *o, const ds_current_level *levels, int64_t count, const ds_current_fit *fits[2] )
{
	static double depths[3][LEVELS];
	static ds_vec3 flows[3][LEVELS];
	curve curves[3] = { { "profile", true, 0, depths[0], flows[0] },
		{ "stress free", false, LEVELS, depths[1], flows[1] },
		{ "stress of the wind", false, LEVELS, depths[2], flows[2] } };
	int n = 1;
	for ( int64_t i = 0; i < count && i < LEVELS; ++i )
	{
		depths[0][i] = levels[i].depth;
		flows[0][i] = ds_v3( levels[i].velocity[0], levels[i].velocity[1], 0 );
		curves[0].count += 1;
	}
	for ( int k = 0; k < 2; ++k )
	{
		if ( fits[k] && !trace( fits[k], levels[count - 1].depth, depths[n], flows[n] ) )
		{
			return cli_fail();
		}
		if ( fits[k] )
		{
			curves[n].title = k ? "stress of the wind" : "stress free";
			++n;
		}
	}
	return plot_current( o->plot, o->file, curves, n, o->file );
}

// ---- fitting -------------------------------------------------------------------------------------------------------

static int fit_levels( const fit_options *o, const ds_current_level *levels, int64_t count )
{
	ds_current_def wind = ds_current_def_default( DS_CURRENT_EKMAN );
	wind.wind_speed = o->wind[0];
	wind.wind_direction = o->wind[1] * DEGREE;
	wind.air_density = o->air_density;
	wind.drag_law = o->drag;
	ds_current_fit_setting setting = { o->latitude * DEGREE, o->bed, o->water_density, NULL };
	ds_current_fit free_fit, wind_fit;
	const ds_current_fit *fits[2] = { &free_fit, NULL };
	if ( ds_current_fit_levels( levels, count, &setting, &free_fit ) != DS_OK )
	{
		cli_error( "%s: %s", o->file, ds_last_error() );
		return CLI_FAILURE;
	}
	print_fit( "stress free", &free_fit );
	if ( o->has_wind )
	{
		setting.wind = &wind;
		if ( ds_current_fit_levels( levels, count, &setting, &wind_fit ) != DS_OK )
		{
			return cli_fail();
		}
		fits[1] = &wind_fit;
		print_fit( "stress of the wind", &wind_fit );
	}
	int code = print_block( o->of_wind ? &wind_fit : &free_fit );
	return code == CLI_OK && o->plot ? draw( o, levels, count, fits ) : code;
}

static int fit_file( const fit_options *o )
{
	ds_current_level *levels;
	int64_t capacity, count;
	if ( ds_current_levels_load( NULL, o->file, &levels, &capacity, &count ) != DS_OK )
	{
		return cli_fail();
	}
	int code = fit_levels( o, levels, count );
	DS_FREE( NULL, levels, capacity );
	return code;
}

// ---- the command line ----------------------------------------------------------------------------------------------

enum
{
	OPTION_WIND,
	OPTION_LATITUDE,
	OPTION_STRESS,
	OPTION_BED,
	OPTION_DRAG,
	OPTION_AIR,
	OPTION_WATER,
	OPTION_PLOT
};

static bool take_option( fit_options *o, int option, const char *value )
{
	switch ( option )
	{
		case OPTION_WIND:
			o->has_wind = true;
			return two_numbers( value, o->wind ) && o->wind[0] >= 0;
		case OPTION_LATITUDE:
			o->has_latitude = true;
			return cli_number( value, &o->latitude ) && fabs( o->latitude ) <= 90;
		case OPTION_STRESS:
			o->of_wind = strcmp( value, "wind" ) == 0;
			return o->of_wind || strcmp( value, "free" ) == 0;
		case OPTION_BED:
			return cli_number( value, &o->bed ) && o->bed > 0;
		case OPTION_DRAG:
			o->drag = strcmp( value, "linear" ) == 0 ? DS_DRAG_LINEAR : DS_DRAG_TABLE;
			return o->drag == DS_DRAG_LINEAR || strcmp( value, "table" ) == 0;
		case OPTION_AIR:
			return cli_number( value, &o->air_density ) && o->air_density > 0;
		case OPTION_WATER:
			return cli_number( value, &o->water_density ) && o->water_density > 0;
		default:
			o->plot = value;
			return gnuplot_path_good( value );
	}
}

static int run( const cli_command *command, const fit_options *o )
{
	if ( o->file == NULL )
	{
		return cli_usage( command, "a profile is missing" );
	}
	if ( !o->has_latitude )
	{
		return cli_usage( command, "--latitude DEG is missing: the stress that a flow needs depends on it" );
	}
	if ( o->of_wind && !o->has_wind )
	{
		return cli_usage( command, "--stress wind needs --wind SPEED,DIRECTION" );
	}
	return fit_file( o );
}

int cmd_current_fit( int argc, char **argv )
{
	static const cli_option options[] = {
		[OPTION_WIND] = { "--wind", "SPEED,DIRECTION", "at 10 m [m/s], towards [deg from north over east]" },
		[OPTION_LATITUDE] = { "--latitude", "DEG", "of the profile, north" },
		[OPTION_STRESS] = { "--stress", "free|wind", "which fit to print as a scenario's block (free)" },
		[OPTION_BED] = { "--bed", "DEPTH", "z of the bed [m] (half a step below the deepest level)" },
		[OPTION_DRAG] = { "--drag", "table|linear", "drag coefficient of the wind (table)" },
		[OPTION_AIR] = { "--air-density", "RHO", "[kg/m3] (1.225)" },
		[OPTION_WATER] = { "--water-density", "RHO", "[kg/m3] (1026)" },
		[OPTION_PLOT] = { "--plot", "OUT.png", "draw profile and fits by gnuplot (.png, .svg, .pdf)" },
	};
	static const cli_command command = { "current fit", "PROFILE.csv",
		"Fits interior flow, layer depths and stress of an Ekman flow to a profile with columns depth, north and east\n"
		"by least squares, prints errors a layer, and the fit as a block of a scenario. With a wind, the fit whose\n"
		"stress is the wind's is shown too.",
		options, CLI_COUNT( options ),
		"  deepsim current fit profile.csv --latitude 46.7 --wind 22,84\n"
		"  deepsim current fit profile.csv --latitude 46.7 --wind 22,84 --stress wind --plot fit.png\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	fit_options o = { .air_density = 1.225, .water_density = 1026, .drag = DS_DRAG_TABLE };
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
				return cli_usage( &command, "one profile at a time, got %s and %s", o.file, value );
			}
			o.file = value;
		}
		else if ( !take_option( &o, found, value ) )
		{
			return cli_usage(
				&command, "%s cannot be \"%s\": expected %s", options[found].name, value, options[found].value );
		}
	}
	return run( &command, &o );
}

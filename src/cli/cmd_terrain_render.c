// deepsim terrain render: a shaded relief picture with its scales

#include "cli/terrain.h"

#include "core/scenario.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define DEGREE      ( 3.14159265358979323846 / 180 )
#define LONGEST     1200 // default of the picture's longer side
#define MOST_PIXELS 16384
#define MOST_LINES  400 // contours

typedef struct render_options
{
	ds_raster_options raster;
	relief_style style;
	const char *path, *output;
	uint64_t width; // of the picture; 0: chosen
} render_options;

// ---- layout --------------------------------------------------------------------------------------------------------

// Where things are on the picture, in pixels.
typedef struct layout
{
	int width, height;
	int map_x, map_y, map_width, map_height;
	double text; // height of a digit
	double bar_x, bar_width; // colour bar, as high as the map
} layout;

// Room about the map, from the size of the lettering.
static void margins( double text, double *sides, double *ends )
{
	*sides = 1.5 * text + 11 * text; // left; bar and its numbers
	*ends = 1.5 * text + 4.6 * text; // above; scale below
}

static bool arrange( layout *l, double aspect, uint64_t wanted )
{
	double sides, ends, width = (double)wanted;
	double longest = wanted ? width : LONGEST;
	l->text = fmax( 7, round( longest / 85 ) );
	margins( l->text, &sides, &ends );
	if ( wanted == 0 )
	{
		// the width that makes the longer side LONGEST
		width = fmin( LONGEST, sides + ( LONGEST - ends ) / aspect );
	}
	l->width = (int)round( width );
	l->map_width = (int)floor( width - sides );
	l->map_height = (int)fmax( 1, round( l->map_width * aspect ) );
	l->map_x = (int)round( 1.5 * l->text );
	l->map_y = (int)round( 1.5 * l->text );
	l->height = (int)round( l->map_height + ends );
	l->bar_x = l->map_x + l->map_width + 1.5 * l->text;
	l->bar_width = round( 1.6 * l->text );
	return l->map_width >= 16 && l->map_height >= 2 && l->height <= MOST_PIXELS && l->width <= MOST_PIXELS;
}

// ---- scales --------------------------------------------------------------------------------------------------------

static const colour ink = { 0.16f, 0.18f, 0.21f }, white = { 1, 1, 1 };

static void frame( picture *p, double x0, double y0, double x1, double y1 )
{
	picture_rectangle( p, x0 - 1, y0 - 1, x1 + 1, y0, ink );
	picture_rectangle( p, x0 - 1, y1, x1 + 1, y1 + 1, ink );
	picture_rectangle( p, x0 - 1, y0, x0, y1, ink );
	picture_rectangle( p, x1, y0, x1 + 1, y1, ink );
}

// Decimals that tell steps apart.
static int decimals( double step )
{
	return step >= 1 ? 0 : (int)fmin( 9, ceil( -log10( step ) - 1e-9 ) );
}

static void draw_colour_bar( picture *p, const layout *l, const relief *r )
{
	double x0 = l->bar_x, x1 = x0 + l->bar_width, y0 = l->map_y, height = l->map_height;
	for ( int i = 0; i < l->map_height; ++i )
	{
		double z = r->top + ( r->bottom - r->top ) * ( i + 0.5 ) / height;
		picture_rectangle( p, x0, y0 + i, x1, y0 + i + 1, relief_colour( r, z ) );
	}
	frame( p, x0, y0, x1, y0 + height );
	double span = r->bottom - r->top;
	double ticks = fmax( 1, fmin( 10, height / ( 4 * l->text ) ) );
	double step = span > 0 ? relief_round( span / ticks * 2 ) : 1; // 2: rounded down by up to 2.5
	int places = decimals( step );
	for ( double i = ceil( r->top / step - 1e-9 ); i <= floor( r->bottom / step + 1e-9 ); ++i )
	{
		double y = span > 0 ? y0 + height * ( i * step - r->top ) / span : y0 + 0.5 * height;
		char label[40];
		snprintf( label, sizeof( label ), "%.*f", places, i * step + 0 );
		picture_rectangle( p, x1 + 1, y - 0.5, x1 + 0.5 * l->text, y + 0.5, ink );
		picture_text( p, x1 + l->text, y + 0.5 * l->text, l->text, ink, label );
	}
	picture_text( p, x0, y0 + height + 2.3 * l->text, l->text, ink, "depth, m" );
}

static void draw_scale_bar( picture *p, const layout *l, const relief *r )
{
	double length = relief_round( 0.4 * r->pixel * l->map_width ), pixels = length / r->pixel;
	double x = l->map_x, y = l->map_y + l->map_height + 1.3 * l->text, thick = 0.5 * l->text;
	for ( int i = 0; i < 4; ++i )
	{
		picture_rectangle( p, x + pixels * i / 4, y, x + pixels * ( i + 1 ) / 4, y + thick, i % 2 ? white : ink );
	}
	frame( p, x, y, x + pixels, y + thick );
	bool far = length >= 1000;
	double unit = far ? length / 1000 : length;
	char label[40];
	snprintf( label, sizeof( label ), "%.*f %s", decimals( unit ), unit, far ? "km" : "m" );
	double wide = picture_text_width( l->text, label );
	picture_text( p, x, y + thick + 1.5 * l->text, l->text, ink, "0" );
	picture_text( p, fmax( x + 1.2 * l->text, x + pixels - wide ), y + thick + 1.5 * l->text, l->text, ink, label );
}

static void draw_contour_label( picture *p, const layout *l, double step )
{
	char label[64];
	snprintf( label, sizeof( label ), "contours %.*f m", decimals( step ), step );
	double x = l->map_x + l->map_width - picture_text_width( l->text, label );
	if ( x > l->map_x + 0.62 * l->map_width )
	{
		picture_text( p, x, l->map_y + l->map_height + 2.3 * l->text, l->text, ink, label );
	}
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static int draw( const render_options *o, const layout *l, relief *r )
{
	relief_style style = o->style;
	double lines = style.contours > 0 ? ( r->bottom - r->top ) / style.contours : 0;
	if ( lines > MOST_LINES )
	{
		cli_error( "terrain render: contours every %g m would be %.0f lines: give a step of %g m or more",
			style.contours, lines, ( r->bottom - r->top ) / MOST_LINES );
		return CLI_USAGE;
	}
	if ( style.exaggeration <= 0 )
	{
		style.exaggeration = relief_exaggeration( r );
	}
	picture p;
	if ( !picture_new( &p, l->width, l->height ) )
	{
		cli_error( "out of memory for a picture of %d x %d pixels", l->width, l->height );
		return CLI_FAILURE;
	}
	relief_draw( r, &style, &p, l->map_x, l->map_y );
	frame( &p, l->map_x, l->map_y, l->map_x + l->map_width, l->map_y + l->map_height );
	draw_colour_bar( &p, l, r );
	draw_scale_bar( &p, l, r );
	if ( style.contours > 0 )
	{
		draw_contour_label( &p, l, style.contours );
	}
	int code = picture_save( &p, o->output ) == DS_OK ? CLI_OK : cli_fail();
	if ( code == CLI_OK && strcmp( o->output, "-" ) != 0 )
	{
		printf( "%-24s %s: %d x %d pixels of %.4g m, heights exaggerated %g times\n", "written", o->output, l->width,
			l->height, r->pixel, style.exaggeration );
	}
	picture_free( &p );
	return code;
}

static int render_terrain( const render_options *o, const ds_terrain *terrain )
{
	ds_terrain_properties t = ds_terrain_measure( terrain );
	layout l;
	double aspect = ( t.north - t.south ) / ( t.east - t.west );
	if ( !arrange( &l, aspect, o->width ) )
	{
		cli_error( "terrain render: the ground is %.4g m by %.4g m (north by east), which makes no picture of %d x %d "
				   "pixels: choose another --width, or a --window",
			t.north - t.south, t.east - t.west, l.width, l.height );
		return CLI_FAILURE;
	}
	relief r;
	if ( !relief_sample( terrain, l.map_width, l.map_height, &r ) )
	{
		relief_free( &r );
		cli_error( "out of memory for a map of %d x %d pixels", l.map_width, l.map_height );
		return CLI_FAILURE;
	}
	int code = draw( o, &l, &r );
	relief_free( &r );
	return code;
}

// The seabed of a scenario; planes have no edge, and a flat one no ground of its own.
static int render_scenario( const render_options *o )
{
	ds_hooks hooks = cli_hooks( false );
	ds_registry *registry = NULL;
	ds_scenario *scenario = NULL;
	ds_status status = ds_registry_create( &hooks, &registry );
	if ( status == DS_OK )
	{
		status = ds_scenario_load( o->path, NULL, 0, registry, &scenario );
	}
	int code = status == DS_OK ? CLI_OK : cli_fail();
	const ds_terrain *terrain = scenario ? scenario->environment.terrain : NULL;
	if ( code == CLI_OK && ( terrain == NULL || !ds_terrain_measure( terrain ).bounded ) )
	{
		cli_error(
			"terrain render: %s: its seabed is level or a plane, or it has none: there is nothing to draw", o->path );
		code = CLI_FAILURE;
	}
	else if ( code == CLI_OK )
	{
		code = render_terrain( o, terrain );
	}
	ds_scenario_release( scenario );
	ds_registry_release( registry );
	return code;
}

static int render_raster( const render_options *o )
{
	ds_hooks hooks = cli_hooks( false );
	ds_terrain *terrain;
	if ( ds_terrain_load( o->path, &o->raster, &hooks, &terrain, NULL ) != DS_OK )
	{
		return cli_fail();
	}
	int code = render_terrain( o, terrain );
	ds_terrain_release( terrain );
	return code;
}

// Names that end otherwise promise another format; those without an ending (pipes, devices) promise nothing.
static bool can_be_png( const char *path )
{
	const char *slash = strrchr( path, '/' ), *dot = strrchr( slash ? slash : path, '.' );
	return strcmp( path, "-" ) == 0 || dot == NULL || strcmp( dot, ".png" ) == 0 || strcmp( dot, ".PNG" ) == 0;
}

// ---- command line --------------------------------------------------------------------------------------------------

enum
{
	OPTION_OUTPUT = RASTER_OPTION_COUNT,
	OPTION_WIDTH,
	OPTION_LIGHT,
	OPTION_EXAGGERATION,
	OPTION_CONTOURS
};

static bool take_light( const char *value, relief_style *style )
{
	double numbers[2];
	bool good =
		terrain_numbers( value, 2, numbers ) && fabs( numbers[0] ) <= 360 && numbers[1] >= 1 && numbers[1] <= 90;
	if ( good )
	{
		style->azimuth = numbers[0] * DEGREE;
		style->elevation = numbers[1] * DEGREE;
	}
	return good;
}

// What is expected of the option; NULL: it was taken.
static const char *take_own_option( int option, const char *value, render_options *o )
{
	switch ( option )
	{
		case OPTION_OUTPUT:
			o->output = value;
			return value[0] ? NULL : "a file, or - for the standard output";
		case OPTION_WIDTH:
			return cli_unsigned( value, &o->width ) && o->width >= 200 && o->width <= MOST_PIXELS
					   ? NULL
					   : "a number of pixels from 200 to 16384";
		case OPTION_LIGHT:
			return take_light( value, &o->style ) ? NULL
												  : "azimuth and elevation in degrees, as 315,45 (elevation 1 to 90)";
		case OPTION_EXAGGERATION:
			return cli_number( value, &o->style.exaggeration ) && o->style.exaggeration > 0 ? NULL
																							: "a positive number";
		default:
			return cli_number( value, &o->style.contours ) && o->style.contours > 0 ? NULL
																					: "a positive number of metres";
	}
}

int cmd_terrain_render( int argc, char **argv )
{
	static const cli_option options[] = { RASTER_OPTIONS,
		{ "-o", "FILE.png", "what to write; - is the standard output" },
		{ "--width", "PIXELS", "of the picture (its longer side is 1200)" },
		{ "--light", "AZIMUTH,ELEVATION", "where light comes from, in degrees (315,45)" },
		{ "--exaggeration", "X", "of heights, for light and shade (chosen)" },
		{ "--contours", "STEP", "draw lines of equal depth, every STEP metres" } };
	static const cli_command command = { "terrain render", "FILE -o FILE.png",
		"Draws the ground of a raster of heights, or the seabed of a scenario (FILE.json), from above: colours by "
		"depth, light and shade, a scale of depth and one of length.",
		options, CLI_COUNT( options ),
		"  deepsim terrain render etopo.asc -o etopo.png --contours 500\n"
		"  deepsim terrain render survey.tif -o survey.png --window 12.1,-134.4,12.3,-134.1 --light 0,30\n"
		"  deepsim terrain render examples/seamount/seamount.json -o seamount.png --contours 50\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	render_options o = { .raster = ds_raster_options_default(), .style = { 315 * DEGREE, 45 * DEGREE, 0, 0 } };
	const char *value, *rastered = NULL;
	for ( int found; ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == CLI_ARGUMENT )
		{
			if ( o.path )
			{
				return cli_usage( &command, "one file at a time, got %s and %s", o.path, value );
			}
			o.path = value;
		}
		else if ( found >= RASTER_OPTION_COUNT )
		{
			const char *expected = take_own_option( found, value, &o );
			if ( expected )
			{
				return cli_usage( &command, "%s cannot be \"%s\": expected %s", options[found].name, value, expected );
			}
		}
		else if ( !terrain_take_option( found, value, &o.raster ) )
		{
			return terrain_wrong_option( &command, found, value );
		}
		else
		{
			rastered = options[found].name;
		}
	}
	if ( o.path == NULL || o.output == NULL )
	{
		return cli_usage( &command, o.path ? "-o FILE is missing" : "a file is missing" );
	}
	struct stat in, out;
	if ( stat( o.path, &in ) == 0 && stat( o.output, &out ) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino )
	{
		return cli_usage( &command, "-o names the file that is read, %s: give the picture a name of its own", o.path );
	}
	if ( !can_be_png( o.output ) )
	{
		return cli_usage( &command,
			"-o cannot be \"%s\": pictures are written as PNG only, so give a name that ends in .png", o.output );
	}
	if ( terrain_is_scenario( o.path ) )
	{
		return rastered
				   ? cli_usage( &command, "%s is for rasters; %s is a scenario, which says itself how its seabed lies",
						 rastered, o.path )
				   : render_scenario( &o );
	}
	return render_raster( &o );
}

// deepsim terrain info; the options of rasters; the table of all terrain verbs

#include "cli/terrain.h"

#include "base/base.h"
#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE ( 3.14159265358979323846 / 180 )

// ---- options -------------------------------------------------------------------------------------------------------

bool terrain_numbers( const char *text, int count, double *numbers )
{
	for ( int i = 0; i < count; ++i )
	{
		size_t length = strcspn( text, "," );
		char part[64];
		if ( length >= sizeof( part ) || ( text[length] == ',' ) != ( i < count - 1 ) )
		{
			return false;
		}
		memcpy( part, text, length );
		part[length] = '\0';
		if ( !cli_number( part, &numbers[i] ) )
		{
			return false;
		}
		text += length + 1;
	}
	return true;
}

static bool take_crs( const char *value, ds_raster_options *o )
{
	static const char *const names[] = { "auto", "local", "geographic" };
	for ( int i = 0; i < CLI_COUNT( names ); ++i )
	{
		if ( strcmp( value, names[i] ) == 0 )
		{
			o->crs = i;
			return true;
		}
	}
	return false;
}

static bool take_angle( const char *value, double most, double *angle )
{
	double degrees;
	bool good = cli_number( value, &degrees ) && fabs( degrees ) <= most;
	*angle = good ? degrees * DEGREE : *angle;
	return good;
}

static bool take_window( const char *value, double *w )
{
	return terrain_numbers( value, 4, w ) && w[0] < w[2] && w[1] < w[3];
}

static bool take_count( const char *value, uint64_t least, uint64_t most, uint64_t *count )
{
	return cli_unsigned( value, count ) && *count >= least && *count <= most;
}

bool terrain_take_option( int option, const char *value, ds_raster_options *o )
{
	uint64_t count = 0;
	bool good = false;
	switch ( option )
	{
		case RASTER_CRS:
			return take_crs( value, o );
		case RASTER_LATITUDE:
			return take_angle( value, 90, &o->latitude );
		case RASTER_LONGITUDE:
			return take_angle( value, 360, &o->longitude );
		case RASTER_POSITION:
			o->placed = true;
			return terrain_numbers( value, 2, o->position );
		case RASTER_CELL:
			return cli_number( value, &o->cell ) && o->cell > 0;
		case RASTER_SCALE:
			return cli_number( value, &o->scale ) && o->scale != 0;
		case RASTER_OFFSET:
			return cli_number( value, &o->offset );
		case RASTER_DEPTHS:
			o->depths = true;
			return true;
		case RASTER_NODATA:
			return cli_number( value, &o->nodata );
		case RASTER_BAND:
			good = take_count( value, 1, INT32_MAX, &count );
			o->band = (int32_t)count;
			return good;
		case RASTER_VARIABLE:
			return value[0] && ds_copy_string( o->variable, sizeof( o->variable ), value );
		case RASTER_WINDOW:
			return take_window( value, o->window );
		default:
			good = take_count( value, 4, INT64_MAX, &count );
			o->max_cells = (int64_t)count;
			return good;
	}
}

int terrain_wrong_option( const cli_command *command, int option, const char *value )
{
	static const char *const expected[RASTER_OPTION_COUNT] = { "auto, local or geographic", "degrees from -90 to 90",
		"degrees from -360 to 360", "two numbers, metres north and east", "a positive number of metres",
		"a number that is not 0", "a number", "", "a number", "a whole number from 1", "a name of at most 63 bytes",
		"four numbers, south,west,north,east, with south < north and west < east", "a whole number from 4" };
	return cli_usage(
		command, "%s cannot be \"%s\": expected %s", command->options[option].name, value, expected[option] );
}

// ---- info ----------------------------------------------------------------------------------------------------------

// Bytes that the samples of the loaded terrain take.
static double memory_of( const ds_raster_report *r )
{
	return 4.0 * (double)r->rows * (double)r->columns;
}

static void print_extent( double from, double to, const char *what, const char *unit )
{
	double span = to - from;
	bool far = fabs( from ) >= 10e3 || fabs( to ) >= 10e3;
	double scale = far ? 1e-3 : 1;
	printf( "%-24s %.6g to %.6g %s%s (%.6g %s%s)\n", what, scale * from + 0, scale * to + 0, far ? "k" : "", unit,
		scale * span, far ? "k" : "", unit );
}

static void print_info( const char *path, const ds_raster_report *r, const ds_terrain_properties *p )
{
	int64_t samples = r->rows * r->columns;
	printf( "%-24s %s\n%-24s %s\n%-24s %s\n", "file", path, "format", r->format, "coordinates", r->crs );
	printf( "%-24s %lld x %lld (rows x columns, %.3g million)\n", "samples", (long long)r->rows, (long long)r->columns,
		1e-6 * (double)samples );
	printf( "%-24s %.10g to %.10g south to north, %.10g to %.10g west to east\n", "edges in the file", r->south,
		r->north, r->west, r->east );
	printf( "%-24s %.6g m north, %.6g m east\n", "spacing", r->spacing_north, r->spacing_east );
	print_extent( p->south, p->north, "north", "m" );
	print_extent( p->west, p->east, "east", "m" );
	printf( "%-24s %.6g to %.6g m (%s)\n", "z, down", r->top, r->bottom,
		r->top >= 0     ? "all below the sea"
		: r->bottom < 0 ? "all above the sea"
						: "sea and land" );
	printf( "%-24s %lld (%.3g %%)\n", "holes", (long long)r->holes, 100 * (double)r->holes / (double)samples );
	printf( "%-24s %.3g MB\n%-24s %.3f s\n", "memory of the samples", 1e-6 * memory_of( r ), "read in", r->seconds );
}

static void put_number( ds_json_writer *w, const char *key, double number )
{
	ds_json_key( w, key );
	ds_json_put_number( w, number );
}

static void put_integer( ds_json_writer *w, const char *key, int64_t number )
{
	ds_json_key( w, key );
	ds_json_put_integer( w, number );
}

static void put_box( ds_json_writer *w, const char *key, double south, double west, double north, double east )
{
	const double numbers[4] = { south, west, north, east };
	ds_json_key( w, key );
	ds_json_begin_flat( w, '[' );
	for ( int i = 0; i < 4; ++i )
	{
		ds_json_put_number( w, numbers[i] );
	}
	ds_json_end( w, ']' );
}

static int print_json( const char *path, const ds_raster_report *r, const ds_terrain_properties *p )
{
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	ds_json_key( &w, "file" );
	ds_json_put_string( &w, path );
	ds_json_key( &w, "format" );
	ds_json_put_string( &w, r->format );
	ds_json_key( &w, "crs" );
	ds_json_put_string( &w, r->crs );
	put_integer( &w, "rows", r->rows );
	put_integer( &w, "columns", r->columns );
	put_integer( &w, "holes", r->holes );
	put_integer( &w, "triangles", p->triangles );
	put_number( &w, "spacing_north", r->spacing_north );
	put_number( &w, "spacing_east", r->spacing_east );
	put_number( &w, "top", r->top );
	put_number( &w, "bottom", r->bottom );
	put_box( &w, "file_edges", r->south, r->west, r->north, r->east );
	put_box( &w, "extent", p->south, p->west, p->north, p->east );
	put_number( &w, "bytes", memory_of( r ) );
	ds_json_end( &w, '}' );
	return cli_print_text( &text );
}

bool terrain_is_scenario( const char *path )
{
	size_t length = strlen( path );
	return length > 5 && strcmp( path + length - 5, ".json" ) == 0;
}

static int show_info( const char *path, const ds_raster_options *options, bool json )
{
	ds_hooks hooks = cli_hooks( false );
	ds_terrain *terrain;
	ds_raster_report report;
	if ( ds_terrain_load( path, options, &hooks, &terrain, &report ) != DS_OK )
	{
		return cli_fail();
	}
	ds_terrain_properties properties = ds_terrain_measure( terrain );
	int code = CLI_OK;
	if ( json )
	{
		code = print_json( path, &report, &properties );
	}
	else
	{
		print_info( path, &report, &properties );
	}
	ds_terrain_release( terrain );
	return code;
}

static int cmd_info( int argc, char **argv )
{
	static const cli_option options[] = { RASTER_OPTIONS, { "--json", NULL, "print JSON" } };
	static const cli_command command = { "terrain info", "FILE",
		"Reads a raster of heights (ESRI ASCII, greyscale PNG; GeoTIFF, NetCDF and more by GDAL) and prints where its "
		"ground "
		"lies.",
		options, CLI_COUNT( options ),
		"  deepsim terrain info etopo.asc --latitude 12.5 --longitude -134\n"
		"  deepsim terrain info heights.png --cell 0.5 --scale 0.01 --offset -4100\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	ds_raster_options read = ds_raster_options_default();
	const char *value, *path = NULL;
	bool json = false;
	for ( int found; ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == CLI_ARGUMENT )
		{
			if ( path )
			{
				return cli_usage( &command, "one file at a time, got %s and %s", path, value );
			}
			path = value;
		}
		else if ( found == RASTER_OPTION_COUNT )
		{
			json = true;
		}
		else if ( !terrain_take_option( found, value, &read ) )
		{
			return terrain_wrong_option( &command, found, value );
		}
	}
	if ( path == NULL )
	{
		return cli_usage( &command, "a file is missing" );
	}
	return terrain_is_scenario( path )
			   ? cli_usage( &command,
					 "%s is a scenario, not a raster: `deepsim terrain render %s -o FILE.png` draws its seabed", path,
					 path )
			   : show_info( path, &read, json );
}

// ---- terrain -------------------------------------------------------------------------------------------------------

int cmd_terrain( int argc, char **argv )
{
	static const cli_verb verbs[] = { { "info", cmd_info, "read a raster of heights, print where its ground lies" },
		{ "render", cmd_terrain_render, "draw a shaded relief picture of it, or of a scenario's seabed" } };
	return cli_run_verb( "terrain", "FILE [OPTION]...", verbs, CLI_COUNT( verbs ), argc, argv );
}

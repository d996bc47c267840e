// deepsim magnetic: the Earth's field at a place and a date

#include "cli/cli.h"

#include "base/base.h"
#include "base/json.h"
#include "deepsim/geomagnetic.h"

#include <math.h>
#include <string.h>

#define DEGREE ( 3.14159265358979323846 / 180 )
#define NANO   1e-9

typedef struct request
{
	double latitude, longitude; // [deg]
	double altitude; // [m]
	double year;
	const char *date; // as it was given
	const ds_geomagnetic_model *model;
} request;

// One element: its letter, a name for JSON, value and rate in nT or degrees.
typedef struct element
{
	const char *letter, *key, *doc;
	bool angle;
	double value, rate;
} element;

#define ELEMENTS 7

static void elements_of( const ds_geomagnetic *f, element out[ELEMENTS] )
{
	const element all[ELEMENTS] = {
		{ "X", "x", "north", false, f->field.x, f->field_rate.x },
		{ "Y", "y", "east", false, f->field.y, f->field_rate.y },
		{ "Z", "z", "down", false, f->field.z, f->field_rate.z },
		{ "H", "h", "horizontal intensity", false, f->horizontal, f->horizontal_rate },
		{ "F", "f", "total intensity", false, f->total, f->total_rate },
		{ "D", "d", "declination, east of true north", true, f->declination, f->declination_rate },
		{ "I", "i", "inclination, below the level", true, f->inclination, f->inclination_rate },
	};
	for ( int i = 0; i < ELEMENTS; ++i )
	{
		double unit = all[i].angle ? DEGREE : NANO;
		out[i] = all[i];
		out[i].value /= unit;
		out[i].rate /= unit;
	}
}

static const struct
{
	uint32_t bit;
	const char *name;
} warning_names[] = { { DS_GEOMAGNETIC_DATE, "date" }, { DS_GEOMAGNETIC_ALTITUDE, "altitude" },
	{ DS_GEOMAGNETIC_BLACKOUT, "blackout" }, { DS_GEOMAGNETIC_CAUTION, "caution" } };

static void print_text( const request *r, const ds_geomagnetic *f )
{
	element e[ELEMENTS];
	elements_of( f, e );
	printf( "%-10s %s, degree %d, for the years %g to %g\n", "model", r->model->name, r->model->degree,
		r->model->first_year, r->model->last_year );
	printf( "%-10s latitude %.6g deg, longitude %.6g deg, %.6g m above the WGS-84 ellipsoid\n", "place", r->latitude,
		r->longitude, r->altitude );
	printf( "%-10s %s (decimal year %.4f)\n\n", "date", r->date, r->year );
	printf( "%-5s%14s%20s\n", "", "value", "change in a year" );
	for ( int i = 0; i < ELEMENTS; ++i )
	{
		int digits = e[i].angle ? 4 : 1;
		printf( "%-5s%10.*f %-3s%12.*f %-9s  %s\n", e[i].letter, digits, e[i].value + 0.0, e[i].angle ? "deg" : "nT",
			e[i].angle ? 4 : 2, e[i].rate + 0.0, e[i].angle ? "deg/year" : "nT/year", e[i].doc );
	}
	printf( "%s", f->warnings ? "\n" : "" );
	for ( size_t i = 0; i < sizeof( warning_names ) / sizeof( warning_names[0] ); ++i )
	{
		ds_geomagnetic one = { .warnings = f->warnings & warning_names[i].bit };
		char text[256];
		ds_geomagnetic_warning( r->model, &one, text, sizeof( text ) );
		if ( text[0] )
		{
			printf( "warning: %s\n", text );
		}
	}
}

static void put_number( ds_json_writer *w, const char *key, const char *unit, double number )
{
	char name[64];
	snprintf( name, sizeof( name ), "%s%s", key, unit );
	ds_json_key( w, name );
	ds_json_put_number( w, number );
}

static int print_json( const request *r, const ds_geomagnetic *f )
{
	element e[ELEMENTS];
	elements_of( f, e );
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	ds_json_key( &w, "model" );
	ds_json_put_string( &w, r->model->name );
	put_number( &w, "latitude", "_deg", r->latitude );
	put_number( &w, "longitude", "_deg", r->longitude );
	put_number( &w, "altitude", "_m", r->altitude );
	put_number( &w, "decimal_year", "", r->year );
	for ( int i = 0; i < ELEMENTS; ++i )
	{
		put_number( &w, e[i].key, e[i].angle ? "_deg" : "_nT", e[i].value );
	}
	for ( int i = 0; i < ELEMENTS; ++i )
	{
		put_number( &w, e[i].key, e[i].angle ? "_deg_per_year" : "_nT_per_year", e[i].rate );
	}
	ds_json_key( &w, "warnings" );
	ds_json_begin_flat( &w, '[' );
	for ( size_t i = 0; i < sizeof( warning_names ) / sizeof( warning_names[0] ); ++i )
	{
		if ( f->warnings & warning_names[i].bit )
		{
			ds_json_put_string( &w, warning_names[i].name );
		}
	}
	ds_json_end( &w, ']' );
	ds_json_end( &w, '}' );
	return cli_print_text( &text );
}

static const cli_option options[] = {
	{ "--model", "wmm2025|igrf14", "which model (wmm2025)" },
	{ "--json", NULL, "print JSON" },
};
static const cli_command command = { "magnetic", "LAT LON ALT DATE",
	"Prints the Earth's magnetic field: north, east, down, horizontal and total intensity, declination, inclination, "
	"and how they "
	"change in a\nyear. LAT and LON are degrees, north and east positive; ALT is metres above the WGS-84 ellipsoid; "
	"DATE is 2026-06-01, "
	"\n2026-06-01T12:00:00Z or a decimal year.",
	options, CLI_COUNT( options ),
	"  deepsim magnetic 45 -30 -3000 2026-06-01\n"
	"  deepsim magnetic -33.9 18.4 0 1965.5 --model igrf14 --json\n" };

static int take_place( const char *const *texts, request *r )
{
	const struct
	{
		const char *what, *expected;
		double *number, most;
	} numbers[] = { { "LAT", "degrees from -90 to 90", &r->latitude, 90 },
		{ "LON", "degrees from -360 to 360", &r->longitude, 360 },
		{ "ALT", "metres above the ellipsoid, from -1e6 to 1e8", &r->altitude, 1e8 } };
	for ( int i = 0; i < CLI_COUNT( numbers ); ++i )
	{
		if ( !cli_number( texts[i], numbers[i].number ) || fabs( *numbers[i].number ) > numbers[i].most )
		{
			return cli_usage(
				&command, "%s cannot be \"%s\": expected %s", numbers[i].what, texts[i], numbers[i].expected );
		}
	}
	r->date = texts[3];
	if ( strchr( r->date, '-' ) == NULL && cli_number( r->date, &r->year ) )
	{
		return r->year >= 1000 && r->year <= 3000
				   ? CLI_OK
				   : cli_usage( &command, "DATE cannot be \"%s\": expected a year from 1000 to 3000", r->date );
	}
	return ds_decimal_year( r->date, &r->year ) == DS_OK ? CLI_OK : cli_usage( &command, "DATE: %s", ds_last_error() );
}

int cmd_magnetic( int argc, char **argv )
{
	cli_parser parser = cli_parse( &command, argc, argv );
	request r = { .model = ds_geomagnetic_wmm2025() };
	const char *value, *texts[4];
	int count = 0;
	bool json = false;
	for ( int found; ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == CLI_ARGUMENT && count == 4 )
		{
			return cli_usage( &command, "expected four arguments, got \"%s\" too", value );
		}
		if ( found == CLI_ARGUMENT )
		{
			texts[count++] = value;
		}
		else if ( found == 0 )
		{
			r.model = ds_geomagnetic_find( value );
			if ( r.model == NULL )
			{
				return cli_usage( &command, "--model cannot be \"%s\": expected wmm2025 or igrf14", value );
			}
		}
		json = json || found == 1;
	}
	if ( count < 4 )
	{
		return cli_usage( &command, "expected four arguments: latitude, longitude, altitude and date" );
	}
	int code = take_place( texts, &r );
	if ( code != CLI_OK )
	{
		return code;
	}
	ds_geomagnetic field;
	if ( ds_geomagnetic_at( r.model, r.latitude * DEGREE, r.longitude * DEGREE, r.altitude, r.year, &field ) != DS_OK )
	{
		return cli_fail();
	}
	if ( json )
	{
		return print_json( &r, &field );
	}
	print_text( &r, &field );
	return CLI_OK;
}

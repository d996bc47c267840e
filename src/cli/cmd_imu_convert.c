// deepsim imu convert: figures of datasheets

#include "cli/imu.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

#define MOST 64 // figures on a line

// Units of datasheets by the SI unit of their kind.
static const struct
{
	const char *si;
	const char *others[8];
} families[] = {
	{ "rad/s/sqrt(Hz)", { "deg/sqrt(h)", "deg/s/sqrt(Hz)", "deg/h/sqrt(Hz)" } },
	{ "m/s2/sqrt(Hz)", { "m/s/sqrt(h)", "ug/sqrt(Hz)", "mg/sqrt(Hz)" } },
	{ "rad/s", { "deg/s", "deg/h" } },
	{ "m/s2", { "g", "mg", "ug" } },
	{ "rad/s2/sqrt(Hz)", { "deg/h/sqrt(h)", "deg/s/sqrt(s)" } },
	{ "m/s3/sqrt(Hz)", { "m/s2/sqrt(h)", "ug/sqrt(h)" } },
	{ "rad", { "deg", "arcsec", "mrad", "urad" } },
	{ "m/s", { "mm/s", "ft/s" } },
	{ "1", { "%", "ppm" } },
	{ "rad/s/(m/s2)", { "deg/s/g", "deg/h/g" } },
	{ "rad/s/K", { "deg/s/K", "deg/h/K" } },
	{ "m/s2/K", { "mg/K", "ug/K" } },
	{ "Hz", { "kHz" } },
	{ "s", { "min", "h" } },
};

static const struct
{
	const char *term, *doc;
} terms[] = {
	{ "N", "white noise: angle random walk, velocity random walk, noise density" },
	{ "B", "bias instability" },
	{ "K", "rate random walk" },
	{ "turn_on", "bias that is drawn once a run, as a standard deviation" },
	{ "bias", "constant bias" },
	{ "scale", "error of the scale factor" },
	{ "misalignment",
		"misalignment: small angles beside the diagonal of the matrix; or, of increments, the resolution" },
	{ "g_sensitivity", "g-sensitivity: an element of the matrix" },
	{ "temperature_coefficient", "bias for each degree of temperature" },
	{ "range", "range" },
	{ "resolution", "least step; of an angle or a speed: of increments" },
	{ "bandwidth", "bandwidth" },
	{ "markov_tau", "correlation time of a Gauss-Markov process" },
};

static bool is( const ds_imu_quantity *q, const char *term )
{
	return strcmp( q->term, term ) == 0;
}

// ---- for people ----------------------------------------------------------------------------------------------------

static void print_keys( const ds_imu_quantity *q )
{
	printf( "  config  %s%s", q->gyro ? "gyro." : "", q->gyro ? q->term : "" );
	printf( "%s%s%s", q->gyro && q->accel ? ", " : "", q->accel ? "accel." : "", q->accel ? q->term : "" );
	for ( int i = 0; i < CLI_COUNT( terms ); i++ )
	{
		if ( is( q, terms[i].term ) )
		{
			printf( ": %s", terms[i].doc );
		}
	}
	printf( "\n" );
}

static void print_others( const ds_imu_quantity *q )
{
	printf( "  also    " );
	const char *between = "";
	for ( int i = 0; i < CLI_COUNT( families ); i++ )
	{
		for ( int k = 0; strcmp( families[i].si, q->unit ) == 0 && families[i].others[k]; k++ )
		{
			double number;
			if ( ds_imu_convert( q->value, q->unit, families[i].others[k], &number ) == DS_OK )
			{
				printf( "%s%.6g %s", between, number, families[i].others[k] );
				between = ", ";
			}
		}
	}
	printf( "\n" );
}

// What a figure may mean otherwise.
static void print_note( const ds_imu_quantity *q, const char *text )
{
	if ( is( q, "N" ) && strstr( text, "Hz" ) )
	{
		printf( "  note    if it is of a one-sided spectrum (rms noise = density * sqrt(bandwidth)), N is that over "
				"sqrt(2): %.6g\n",
			q->value / sqrt( 2 ) );
	}
	if ( is( q, "B" ) )
	{
		printf( "  note    if it is the lowest point of an Allan deviation, B is that over 0.664: %.6g\n",
			q->value / 0.664 );
	}
	if ( is( q, "B" ) && strstr( text, "rms" ) )
	{
		printf( "  note    if it is the noise in a bandwidth W, this is no B: N is it over sqrt( 2 W )\n" );
	}
}

static int print_quantity( const char *text, const char *to )
{
	ds_imu_quantity q;
	if ( ds_imu_parse( text, &q ) != DS_OK )
	{
		return cli_fail();
	}
	if ( to )
	{
		double number;
		if ( ds_imu_convert( q.value, q.unit, to, &number ) != DS_OK )
		{
			return cli_fail();
		}
		printf( "%.9g %s\n", number, to );
		return CLI_OK;
	}
	bool pure = strcmp( q.unit, "1" ) == 0;
	printf( "%s%s%s = %.6g%s%s\n", cli_bold( stdout ), text, cli_plain( stdout ), q.value, pure ? "" : " ",
		pure ? "" : q.unit );
	print_keys( &q );
	print_others( &q );
	print_note( &q, text );
	return CLI_OK;
}

// ---- as a config ---------------------------------------------------------------------------------------------------

typedef struct figure
{
	const char *text;
	ds_imu_quantity quantity;
} figure;

static int put_triad( ds_json_writer *w, const figure *figures, int count, bool gyro )
{
	bool begun = false;
	for ( int i = 0; i < count; i++ )
	{
		const ds_imu_quantity *q = &figures[i].quantity;
		if ( !( gyro ? q->gyro : q->accel ) || is( q, "misalignment" ) || is( q, "g_sensitivity" ) )
		{
			continue;
		}
		for ( int k = 0; k < i; k++ )
		{
			const ds_imu_quantity *p = &figures[k].quantity;
			if ( ( gyro ? p->gyro : p->accel ) && is( p, q->term ) )
			{
				cli_error( "%s.%s is given twice: \"%s\" and \"%s\"", gyro ? "gyro" : "accel", q->term, figures[k].text,
					figures[i].text );
				return CLI_FAILURE;
			}
		}
		if ( !begun )
		{
			ds_json_key( w, gyro ? "gyro" : "accel" );
			ds_json_begin_flat( w, '{' );
			begun = true;
		}
		char number[32];
		snprintf( number, sizeof( number ), "%.9g", q->value );
		ds_json_key( w, q->term );
		ds_json_put_raw( w, number );
	}
	if ( begun )
	{
		ds_json_end( w, '}' );
	}
	return CLI_OK;
}

static bool of_increments( const ds_imu_quantity *q )
{
	return is( q, "resolution" ) && ( strcmp( q->unit, "rad" ) == 0 || strcmp( q->unit, "m/s" ) == 0 );
}

static int print_config( const figure *figures, int count )
{
	ds_text text = { 0 };
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	int code = put_triad( &w, figures, count, true );
	code = code == CLI_OK ? put_triad( &w, figures, count, false ) : code;
	bool increments = false;
	for ( int i = 0; i < count; i++ )
	{
		const ds_imu_quantity *q = &figures[i].quantity;
		increments = increments || of_increments( q );
		if ( code == CLI_OK && ( is( q, "misalignment" ) || is( q, "g_sensitivity" ) ) )
		{
			cli_error(
				"left out: \"%s\" is an element of the matrix %s, and does not say which", figures[i].text, q->term );
		}
	}
	if ( increments )
	{
		ds_json_key( &w, "output" );
		ds_json_put_string( &w, "increments" );
	}
	ds_json_end( &w, '}' );
	code = code == CLI_OK && text.status != DS_OK ? CLI_FAILURE : code;
	if ( code == CLI_OK )
	{
		printf( "%s\n", ds_text_get( &text ) );
	}
	ds_text_clear( &text );
	return code;
}

static int convert_to_config( const char *const *texts, int count )
{
	figure figures[MOST];
	for ( int i = 0; i < count; i++ )
	{
		figures[i].text = texts[i];
		if ( ds_imu_parse( texts[i], &figures[i].quantity ) != DS_OK )
		{
			return cli_fail();
		}
	}
	return print_config( figures, count );
}

// ---- the verb ------------------------------------------------------------------------------------------------------

enum
{
	OPTION_TO,
	OPTION_CONFIG
};

static const cli_option options[] = {
	[OPTION_TO] = { "--to", "UNIT", "print the number in this unit, and nothing else" },
	[OPTION_CONFIG] = { "--config", NULL, "print all figures together as the config of a sensor of type imu" },
};
static const cli_command command = { "imu convert", "FIGURE...",
	"Reads figures of datasheets, a number and a unit each: in SI, in other units, and which option of the sensor imu "
	"they are.\n"
	"Units are read by dimension, in any spelling: deg/sqrt(h), deg/rt-hr, dps/√Hz, m/s/√h, ug/rtHz, deg/hr, mg, ppm, "
	"LSB/(deg/s).",
	options, CLI_COUNT( options ),
	"  deepsim imu convert \"0.66 deg/sqrt(h)\"\n"
	"  deepsim imu convert \"0.66 deg/sqrt(h)\" --to dps/rtHz\n"
	"  deepsim imu convert --config \"0.15 deg/sqrt(h)\" \"0.5 deg/h\" \"0.06 m/s/sqrt(h)\" \"0.05 mg\" \"+-400 "
	"deg/s\"\n" };

int cmd_imu_convert( int argc, char **argv )
{
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value, *to = NULL, *texts[MOST];
	int count = 0;
	bool config = false;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == OPTION_TO )
		{
			to = value;
		}
		else if ( found == OPTION_CONFIG )
		{
			config = true;
		}
		else if ( count == MOST )
		{
			return cli_usage( &command, "at most %d figures at a time", MOST );
		}
		else
		{
			texts[count++] = value;
		}
	}
	if ( count == 0 || ( config && to ) )
	{
		return count == 0 ? cli_usage( &command, "a figure is missing, as in \"0.66 deg/sqrt(h)\"" )
						  : cli_usage( &command, "--config is in SI: it cannot go with --to" );
	}
	int code = CLI_OK;
	for ( int i = 0; !config && i < count && code == CLI_OK; i++ )
	{
		printf( "%s", i > 0 && to == NULL ? "\n" : "" );
		code = print_quantity( texts[i], to );
	}
	return config ? convert_to_config( texts, count ) : code;
}

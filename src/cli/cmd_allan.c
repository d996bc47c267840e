// deepsim allan

#include "cli/allan.h"
#include "cli/current.h"
#include "io/series_csv.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROWS       4096 // read at a time
#define REDRAW     0.1 // [s]
#define MOST_VALUE 1e100 // of a sample: its square must be a number

static volatile sig_atomic_t stop_wanted;

static void want_stop( int signal_number )
{
	(void)signal_number;
	stop_wanted = 1;
}

static void catch_signals( void )
{
	struct sigaction action;
	memset( &action, 0, sizeof( action ) );
	action.sa_handler = want_stop;
	action.sa_flags = (int)SA_RESETHAND;
	sigemptyset( &action.sa_mask );
	sigaction( SIGINT, &action, NULL );
	sigaction( SIGTERM, &action, NULL );
}

// ---- reading -----------------------------------------------------------------------------------------------------

typedef struct job
{
	const allan_options *options;
	ds_series *series;
	ds_allan_stream *stream;
	allan_result result;
	allan_column columns[ALLAN_MOST_COLUMNS];
	int32_t places[ALLAN_MOST_COLUMNS + 1]; // in the file; time, if there is one, last
	bool has_time;
	allan_clock clock;
	double *rows, *samples;
	double drawn; // when progress was
	bool stopped;
} job;

static void show_progress( job *j )
{
	double now = cli_clock();
	if ( j->options->quiet || !cli_terminal( stderr ) || now - j->drawn < REDRAW )
	{
		return;
	}
	j->drawn = now;
	double done = ds_series_done( j->series );
	fprintf( stderr, "\r%sallan%s ", cli_bold( stderr ), cli_plain( stderr ) );
	if ( done > 0 )
	{
		fprintf( stderr, "%5.1f %%  ", 100 * done );
	}
	fprintf( stderr, "%lld samples\033[K", (long long)j->result.samples );
	fflush( stderr );
}

// Takes rows that were read: time apart from the others, which become SI.
static int take_rows( job *j, int64_t count, int64_t last_line )
{
	int columns = j->result.column_count, width = columns + ( j->has_time ? 1 : 0 );
	for ( int64_t i = 0; i < count; ++i )
	{
		const double *row = j->rows + i * width;
		// comments between are few: the line is near
		if ( j->has_time &&
			 !allan_take_time( &j->clock, j->options->file, last_line - ( count - 1 - i ), row[columns] ) )
		{
			return CLI_FAILURE;
		}
		for ( int k = 0; k < columns; ++k )
		{
			allan_column *c = &j->columns[k];
			c->first = j->result.samples + i == 0 ? row[k] : c->first;
			c->sum += row[k] - c->first;
			c->changes = c->changes || row[k] != c->first;
			j->samples[i * columns + k] = row[k] * c->scale;
			if ( !( fabs( row[k] ) <= MOST_VALUE ) )
			{
				cli_error( "%s:%lld: column %s is %g, which is no reading of a sensor; expected at most 1e100",
					j->options->file, (long long)( last_line - ( count - 1 - i ) ), c->name, row[k] );
				return CLI_FAILURE;
			}
		}
	}
	if ( ds_allan_stream_push( j->stream, j->samples, count ) != DS_OK )
	{
		return cli_fail();
	}
	j->result.samples += count;
	return CLI_OK;
}

static int read_rows( job *j )
{
	int32_t width = j->result.column_count + ( j->has_time ? 1 : 0 );
	int64_t got = 1;
	int code = CLI_OK;
	ds_status status = DS_OK;
	while ( code == CLI_OK && ( got > 0 || status == DS_ERROR_CANCELLED ) && !stop_wanted )
	{
		status = ds_series_read( j->series, j->places, width, j->rows, ROWS, &got );
		// a signal may come while the next rows are waited for
		code = status == DS_OK || status == DS_ERROR_CANCELLED ? take_rows( j, got, ds_series_line( j->series ) )
															   : cli_fail();
		show_progress( j );
	}
	if ( j->drawn > 0 )
	{
		fprintf( stderr, "\r\033[K" );
	}
	if ( code == CLI_OK && stop_wanted )
	{
		cli_error( "stopped after %lld samples; what follows is of these", (long long)j->result.samples );
		j->stopped = true;
	}
	return code;
}

// ---- curves ------------------------------------------------------------------------------------------------------

// The stream does not know the rate, which the file may tell only at its end: it counts time in samples.
static int get_curve( const job *j, int channel, ds_allan_kind kind, ds_allan_point **points, int64_t *count )
{
	const allan_result *r = &j->result;
	int64_t room;
	if ( ds_allan_stream_curve( j->stream, channel, kind, 0, NULL, 0, &room ) != DS_OK )
	{
		return cli_fail();
	}
	*points = malloc( (size_t)( room > 0 ? room : 1 ) * sizeof( ds_allan_point ) );
	if ( *points == NULL ||
		 ds_allan_stream_curve( j->stream, channel, kind, r->confidence, *points, room, count ) != DS_OK )
	{
		return cli_fail();
	}
	double scale = kind == DS_ALLAN_TDEV ? 1 / r->rate : 1;
	for ( int64_t i = 0; i < *count; ++i )
	{
		ds_allan_point *p = &( *points )[i];
		p->tau = (double)p->m / r->rate;
		p->deviation *= scale;
		p->low *= scale;
		p->high *= scale;
	}
	return CLI_OK;
}

static void fit_column( const job *j, allan_column *c )
{
	const char *terms = j->options->terms;
	ds_allan_fit_options fit = ds_allan_fit_options_default();
	fit.Q = strchr( terms, 'Q' ) != NULL;
	fit.N = strchr( terms, 'N' ) != NULL;
	fit.B = strchr( terms, 'B' ) != NULL;
	fit.K = strchr( terms, 'K' ) != NULL;
	fit.markov = strchr( terms, 'M' ) != NULL;
	fit.bandwidth = j->options->bandwidth;
	fit.confidence = j->options->confidence;
	bool constant = true;
	for ( int64_t i = 0; i < c->fitted_count; ++i )
	{
		constant = constant && c->fitted[i].deviation == 0;
	}
	if ( terms[0] == '\0' || constant )
	{
		snprintf( c->why_not, sizeof( c->why_not ), "%s",
			!constant    ? "none was asked for"
			: c->changes ? "the column changes by so little that its squares are 0; scale it to another unit"
						 : "the column does not change" );
		return;
	}
	c->has_fit =
		ds_allan_fit_curve( c->fitted, c->fitted_count, j->result.rate, j->result.samples, &fit, &c->fit ) == DS_OK;
	if ( !c->has_fit )
	{
		snprintf( c->why_not, sizeof( c->why_not ), "%s", ds_last_error() );
	}
}

static int make_curves( job *j )
{
	for ( int k = 0; k < j->result.column_count; ++k )
	{
		allan_column *c = &j->columns[k];
		int code = get_curve( j, k, j->result.kind, &c->points, &c->count );
		code = code == CLI_OK ? get_curve( j, k, DS_ALLAN_OADEV, &c->fitted, &c->fitted_count ) : code;
		if ( code != CLI_OK )
		{
			return code;
		}
		fit_column( j, c );
	}
	if ( j->columns[0].count == 0 )
	{
		cli_error(
			"%s: %lld samples are too few for a deviation; it takes two at least, three for Hadamard and modified ones",
			j->options->file, (long long)j->result.samples );
		return CLI_FAILURE;
	}
	return CLI_OK;
}

// ---- the verb ----------------------------------------------------------------------------------------------------

static int set_up( job *j )
{
	const allan_options *o = j->options;
	const ds_series_column *columns = ds_series_columns( j->series );
	allan_result *r = &j->result;
	int code = allan_choose_columns( o, j->series, j->places, &r->column_count );
	if ( code != CLI_OK )
	{
		return code;
	}
	for ( int k = 0; k < r->column_count; ++k )
	{
		allan_column *c = &j->columns[k];
		snprintf( c->name, sizeof( c->name ), "%s", columns[j->places[k]].name );
		allan_set_unit( c, o->unit ? o->unit : columns[j->places[k]].unit );
	}
	int32_t time = ds_series_time( j->series, &j->clock.scale );
	j->has_time = time >= 0;
	for ( int k = 0; k < r->column_count; ++k )
	{
		j->has_time = j->has_time && j->places[k] != time;
	}
	j->places[r->column_count] = time;
	if ( !j->has_time && o->rate == 0 )
	{
		cli_error( "%s: it has no column of time; name the samples a second by --rate HZ", o->file );
		return CLI_USAGE;
	}
	ds_allan_stream_def def = ds_allan_stream_def_default();
	def.channels = r->column_count;
	def.per_decade = o->per_decade;
	def.kinds = 1u << o->kind | 1u << DS_ALLAN_OADEV;
	j->rows = malloc( ROWS * (size_t)( r->column_count + 1 ) * sizeof( double ) );
	j->samples = malloc( ROWS * (size_t)r->column_count * sizeof( double ) );
	if ( j->rows == NULL || j->samples == NULL )
	{
		cli_error( "out of memory" );
		return CLI_FAILURE;
	}
	return ds_allan_stream_create( &def, &j->stream ) == DS_OK ? CLI_OK : cli_fail();
}

// The file of the numbers beside a drawing: its name with another ending, and not
// that of a record beside it.
static void data_path( const char *plot, char *path, size_t size )
{
	snprintf( path, size, "%.*s_allan.csv", (int)( strrchr( plot, '.' ) - plot ), plot );
}

static int report( const job *j )
{
	const allan_options *o = j->options;
	char path[1024] = "";
	int code = CLI_OK;
	if ( o->json )
	{
		code = allan_print_json( &j->result );
	}
	else
	{
		allan_print( &j->result );
	}
	if ( o->plot )
	{
		data_path( o->plot, path, sizeof( path ) );
	}
	const char *csv = o->csv ? o->csv : path;
	if ( code == CLI_OK && csv[0] )
	{
		code = allan_write_csv( &j->result, csv );
	}
	return code == CLI_OK && o->plot ? allan_plot( &j->result, o->plot, csv ) : code;
}

static int analyse( job *j )
{
	const allan_options *o = j->options;
	j->result.rate = o->rate;
	int code = set_up( j );
	code = code == CLI_OK ? read_rows( j ) : code;
	code = code == CLI_OK && j->has_time ? allan_rate_of_clock( o, &j->clock, &j->result ) : code;
	code = code == CLI_OK ? make_curves( j ) : code;
	code = code == CLI_OK ? report( j ) : code;
	for ( int k = 0; k < j->result.column_count; ++k )
	{
		free( j->columns[k].points );
		free( j->columns[k].fitted );
	}
	ds_allan_stream_destroy( j->stream );
	free( j->rows );
	free( j->samples );
	return code == CLI_OK && j->stopped ? CLI_CANCELLED : code;
}

static int run( const allan_options *o )
{
	static job j;
	char path[1024], data[1024] = "";
	struct stat status;
	allan_options with_file = *o;
	// a folder of this library's logs
	if ( stat( o->file, &status ) == 0 && S_ISDIR( status.st_mode ) )
	{
		snprintf( path, sizeof( path ), "%s/imu.csv", o->file );
		with_file.file = path;
	}
	memset( &j, 0, sizeof( j ) );
	j.options = &with_file;
	j.result = ( allan_result ){ .file = with_file.file,
		.kind = o->kind,
		.confidence = o->confidence,
		.bandwidth = o->bandwidth,
		.columns = j.columns };
	if ( o->plot )
	{
		data_path( o->plot, data, sizeof( data ) );
	}
	const char *outputs[] = { o->plot, o->csv ? o->csv : data };
	int code = allan_check_outputs( with_file.file, outputs, 2 );
	if ( code != CLI_OK )
	{
		return code;
	}
	catch_signals();
	if ( ds_series_open( with_file.file, &j.series ) != DS_OK )
	{
		return stop_wanted ? CLI_CANCELLED : cli_fail();
	}
	code = analyse( &j );
	ds_series_close( j.series );
	return code;
}

enum
{
	OPTION_RATE,
	OPTION_COLUMN,
	OPTION_KIND,
	OPTION_UNIT,
	OPTION_PER_DECADE,
	OPTION_CONFIDENCE,
	OPTION_FIT,
	OPTION_BANDWIDTH,
	OPTION_PLOT,
	OPTION_CSV,
	OPTION_JSON,
	OPTION_QUIET
};

static bool take_kind( allan_options *o, const char *value )
{
	for ( int kind = 0; kind < DS_ALLAN_KIND_COUNT; ++kind )
	{
		if ( strcmp( value, allan_kind_name( (ds_allan_kind)kind ) ) == 0 )
		{
			o->kind = (ds_allan_kind)kind;
			return true;
		}
	}
	return false;
}

static bool take_terms( allan_options *o, const char *value )
{
	bool none = strcmp( value, "none" ) == 0;
	o->terms = none ? "" : value;
	return none || ( value[0] && strspn( value, "QNBKM" ) == strlen( value ) );
}

// Names of columns with commas between them, cut in place: an argument is the program's own.
static bool take_columns( allan_options *o, char *value )
{
	for ( char *name = value; name; )
	{
		char *comma = strchr( name, ',' );
		if ( comma )
		{
			*comma = '\0';
		}
		if ( o->column_count == ALLAN_MOST_COLUMNS || name[0] == '\0' )
		{
			return false;
		}
		o->column_names[o->column_count++] = name;
		name = comma ? comma + 1 : NULL;
	}
	return true;
}

static bool take_option( allan_options *o, int option, const char *value )
{
	uint64_t number;
	switch ( option )
	{
		case OPTION_RATE:
			return cli_number( value, &o->rate ) && o->rate >= 1e-9 && o->rate <= 1e12;
		case OPTION_KIND:
			return take_kind( o, value );
		case OPTION_UNIT:
			o->unit = value;
			return strlen( value ) < DS_NAME_SIZE;
		case OPTION_PER_DECADE:
			o->per_decade = cli_unsigned( value, &number ) && number <= 1000 ? (int32_t)number : 0;
			return o->per_decade > 0;
		case OPTION_CONFIDENCE:
			return cli_number( value, &o->confidence ) && o->confidence > 0 && o->confidence < 1;
		case OPTION_FIT:
			return take_terms( o, value );
		case OPTION_BANDWIDTH:
			return cli_number( value, &o->bandwidth ) && o->bandwidth >= 1e-9 && o->bandwidth <= 1e12;
		case OPTION_PLOT:
			o->plot = value;
			return plot_path_good( value );
		case OPTION_CSV:
			o->csv = value;
			return true;
		case OPTION_JSON:
			o->json = true;
			return true;
		default:
			o->quiet = true;
			return true;
	}
}

// What a value must be.
static const char *const expected[] = {
	[OPTION_RATE] = "samples a second, from 1e-9 to 1e12",
	[OPTION_COLUMN] = "names or numbers of at most 64 columns, with commas between",
	[OPTION_KIND] = "adev, oadev, mdev, hdev, ohdev or tdev",
	[OPTION_UNIT] = "a unit of at most 63 characters",
	[OPTION_PER_DECADE] = "a whole number from 1 to 1000",
	[OPTION_CONFIDENCE] = "a number between 0 and 1, such as 0.95",
	[OPTION_FIT] = "letters of Q, N, B, K and M, or none",
	[OPTION_BANDWIDTH] = "Hz, from 1e-9 to 1e12",
	[OPTION_PLOT] = "a file that ends in .png, .svg or .pdf",
	[OPTION_CSV] = "a file",
};

int cmd_allan( int argc, char **argv )
{
	static const cli_option options[] = {
		[OPTION_RATE] = { "--rate", "HZ", "samples a second (by the column of time)" },
		[OPTION_COLUMN] = { "--column", "NAME,...",
			"columns, by name or number (those of rate and acceleration, else all)" },
		[OPTION_KIND] = { "--kind", "KIND", "adev, oadev, mdev, hdev, ohdev or tdev (oadev)" },
		[OPTION_UNIT] = { "--unit", "U", "unit of the columns, like deg/s or mg (that of the headings)" },
		[OPTION_PER_DECADE] = { "--per-decade", "N", "averaging times a decade (20)" },
		[OPTION_CONFIDENCE] = { "--confidence", "P", "of intervals (0.95)" },
		[OPTION_FIT] = { "--fit", "TERMS", "coefficients to fit: letters of Q N B K M, or none (NBK)" },
		[OPTION_BANDWIDTH] = { "--bandwidth", "HZ", "of the sensor's low-pass, if the fit shall know it" },
		[OPTION_PLOT] = { "--plot", "OUT.png", "draw the curves by gnuplot (.png, .svg, .pdf)" },
		[OPTION_CSV] = { "--csv", "OUT.csv", "write the curves (with --plot: also into OUT_allan.csv)" },
		[OPTION_JSON] = { "--json", NULL, "print all of it as JSON" },
		[OPTION_QUIET] = { "--quiet", NULL, "no progress" },
	};
	static const cli_command command = { "allan", "FILE.csv",
		"Allan deviations of a sensor at rest: prints the curve with confidence intervals, the coefficients N, B and K "
		"that\n"
		"fit it, in SI and in units of datasheets, and the configuration of a sensor that has them. FILE may be longer "
		"than\n"
		"memory, - is the standard input, and of a folder of logs imu.csv is taken.",
		options, CLI_COUNT( options ),
		"  deepsim allan out/imu.csv --plot imu.png\n"
		"  deepsim allan static.txt --rate 200 --column 2,3,4 --unit deg/s --kind mdev\n" };
	cli_parser parser = cli_parse( &command, argc, argv );
	allan_options o = { .kind = DS_ALLAN_OADEV, .confidence = 0.95, .per_decade = 20, .terms = "NBK" };
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
		else if ( found == OPTION_COLUMN ? !take_columns( &o, (char *)value ) : !take_option( &o, found, value ) )
		{
			return cli_usage(
				&command, "%s cannot be \"%s\": expected %s", options[found].name, value, expected[found] );
		}
	}
	return o.file ? run( &o ) : cli_usage( &command, "a file is missing" );
}

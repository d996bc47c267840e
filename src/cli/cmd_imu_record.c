// deepsim imu record: an IMU at rest, without a world

#include "cli/imu.h"

#include "base/base.h"
#include "base/field_io.h"
#include "cli/run.h"
#include "deepsim/math.h"
#include "deepsim/random.h"
#include "hydro/gravity.h"
#include "io/log_file.h"
#include "io/scenario_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEGREE       ( 3.14159265358979323846 / 180 )
#define EARTH_RATE   7.292115e-5 // [rad/s], WGS-84 (NIMA TR8350.2)
#define LINE_SIZE    160 // bytes of the longest row
#define BUFFER_SIZE  ( 1 << 18 )
#define MOST_SAMPLES 1e11
#define MOST_SETS    32

typedef struct record_options
{
	const char *preset, *config, *out;
	const char *sets[MOST_SETS];
	int set_count;
	double seconds, rate, gravity, temperature;
	double latitude; // [deg]; NAN: the Earth does not turn
	double rpy[3]; // [deg]
	uint64_t seed;
	bool quiet;
} record_options;

// Nanoseconds as seconds, without zeros at the end.
static int print_time( char *out, int64_t time )
{
	int n = snprintf( out, 32, "%lld.%09lld", (long long)( time / 1000000000 ), (long long)( time % 1000000000 ) );
	while ( out[n - 1] == '0' )
	{
		--n;
	}
	return n - ( out[n - 1] == '.' );
}

// ---- where rows go -------------------------------------------------------------------------------------------------

typedef struct output
{
	ds_log_file file;
	bool standard; // to the standard output
	bool enough; // its reader has seen enough
	char *buffer;
	size_t used;
	int64_t bytes;
} output;

static ds_status open_output( output *o, const char *path )
{
	memset( o, 0, sizeof( *o ) );
	o->standard = strcmp( path, "-" ) == 0;
	DS_TRY( DS_NEW( NULL, BUFFER_SIZE + LINE_SIZE, &o->buffer ) );
	return o->standard ? DS_OK : ds_log_file_open( &o->file, NULL, path, LINE_SIZE );
}

static ds_status flush_standard( output *o )
{
	errno = 0;
	bool whole = fwrite( o->buffer, 1, o->used, stdout ) == o->used && fflush( stdout ) == 0;
	o->used = 0;
	o->enough = o->enough || ( !whole && errno == EPIPE );
	return whole ? DS_OK
				 : ds_error( DS_ERROR_IO, "cannot write to the standard output%s%s", errno ? ": " : "",
					   errno ? strerror( errno ) : "" );
}

// Room for a row.
static ds_status begin_row( output *o, char **line )
{
	if ( !o->standard )
	{
		return ds_log_file_begin( &o->file, line );
	}
	if ( o->used >= BUFFER_SIZE )
	{
		DS_TRY( flush_standard( o ) );
	}
	*line = o->buffer + o->used;
	return DS_OK;
}

static void end_row( output *o, int length )
{
	o->bytes += length;
	if ( o->standard )
	{
		o->used += (size_t)length;
		return;
	}
	ds_log_file_end( &o->file, (size_t)length );
}

static ds_status close_output( output *o )
{
	ds_status status = o->standard && o->buffer ? flush_standard( o )
					   : o->standard            ? DS_OK
												: ds_log_file_close( &o->file );
	DS_FREE( NULL, o->buffer, BUFFER_SIZE + LINE_SIZE );
	o->buffer = NULL;
	return status;
}

// ---- the config ----------------------------------------------------------------------------------------------------

static ds_status read_config( const record_options *o, ds_arena *arena, ds_imu_config *config )
{
	ds_json *tree, *name;
	if ( o->config )
	{
		DS_TRY( ds_json_load( arena, o->config, &tree ) );
	}
	else
	{
		DS_TRY( ds_json_parse( arena, "--preset", 0, "{}", 2, &tree ) );
	}
	if ( tree->type != DS_JSON_OBJECT )
	{
		return ds_wrong_value( DS_ERROR_TYPE, tree, "an object, the config of a sensor of type imu" );
	}
	if ( o->preset )
	{
		const ds_json *own = ds_json_find( tree, "preset" );
		if ( own )
		{
			return ds_json_error(
				DS_ERROR_DUPLICATE, own, "the config has a preset of its own: --preset cannot be given too" );
		}
		char *copy;
		DS_TRY( ds_json_new( arena, DS_JSON_STRING, tree, &name ) );
		DS_TRY( ds_arena_copy_string( arena, o->preset, &copy ) );
		name->string = copy;
		DS_TRY( ds_json_add( arena, tree, "preset", name ) );
	}
	for ( int i = 0; i < o->set_count; i++ )
	{
		DS_TRY( ds_tree_override( arena, tree, o->sets[i] ) );
	}
	return ds_table_read( ds_imu_config_table(), tree, arena, config );
}

// ---- recording -----------------------------------------------------------------------------------------------------

typedef struct recorder
{
	const record_options *options;
	ds_imu_model *model;
	void *state;
	output out;
	run_progress progress;
	ds_vec3 rate, force; // true, in the axes of the unit
	int64_t total, done;
} recorder;

// What a unit at rest feels: gravity, and the Earth's rotation if a latitude is given.
static void set_truth( recorder *r )
{
	const record_options *o = r->options;
	double g = o->gravity, latitude = o->latitude * DEGREE;
	ds_vec3 earth = { 0, 0, 0 };
	if ( isfinite( o->latitude ) )
	{
		g = isfinite( o->gravity ) ? g : ds_gravity_normal( latitude );
		earth = ( ds_vec3 ){ EARTH_RATE * cos( latitude ), 0, -EARTH_RATE * sin( latitude ) };
	}
	g = isfinite( g ) ? g : 9.81;
	ds_vec3 rpy = { o->rpy[0] * DEGREE, o->rpy[1] * DEGREE, o->rpy[2] * DEGREE };
	ds_quat attitude = ds_quat_from_rpy( rpy );
	r->rate = ds_unrotate( attitude, earth );
	r->force = ds_unrotate( attitude, ( ds_vec3 ){ 0, 0, -g } );
}

static int64_t time_of( const recorder *r, int64_t sample )
{
	return (int64_t)round( (double)sample * 1e9 / r->options->rate );
}

static void measure( recorder *r, int64_t sample, ds_imu *reading )
{
	double interval = 1 / r->options->rate;
	ds_imu_truth truth = {
		.delta_angle = ds_scale( interval, r->rate ),
		.delta_velocity = ds_scale( interval, r->force ),
		.interval = interval,
		.time = 1e-9 * (double)time_of( r, sample ),
		.temperature = r->options->temperature,
	};
	ds_random stream = ds_random_stream( r->options->seed, "imu", DS_RANDOM_SAMPLE, (uint64_t)sample );
	ds_imu_measure( r->model, r->state, &truth, r->rate, r->force, &stream, reading );
}

static ds_status write_row( recorder *r, int64_t sample, const ds_imu *reading )
{
	char *line;
	DS_TRY( begin_row( &r->out, &line ) );
	int n = print_time( line, time_of( r, sample ) );
	for ( int i = 0; i < 6; i++ )
	{
		line[n++] = ',';
		n += ds_print_number_9( line + n, i < 3 ? reading->angular_velocity[i] : reading->linear_acceleration[i - 3] );
	}
	line[n++] = '\n';
	end_row( &r->out, n );
	return DS_OK;
}

static ds_status write_header( recorder *r )
{
	char *line;
	DS_TRY( begin_row( &r->out, &line ) );
	end_row( &r->out, snprintf( line, LINE_SIZE, "t[s],gx[rad/s],gy[rad/s],gz[rad/s],ax[m/s2],ay[m/s2],az[m/s2]\n" ) );
	return DS_OK;
}

static ds_status record( recorder *r )
{
	DS_TRY( write_header( r ) );
	int64_t interval = run_progress_interval( &r->progress ), next = interval;
	while ( r->done < r->total )
	{
		ds_imu reading;
		measure( r, r->done + 1, &reading );
		DS_TRY( write_row( r, r->done + 1, &reading ) );
		++r->done;
		if ( r->done >= next || r->done == r->total )
		{
			next += interval;
			run_progress_update( &r->progress, r->done );
			if ( cli_stop_wanted() && r->done < r->total )
			{
				return ds_error( DS_ERROR_CANCELLED, "cancelled at t = %.9g s; what is in the file is whole",
					1e-9 * (double)time_of( r, r->done ) );
			}
		}
	}
	return DS_OK;
}

static ds_status prepare( recorder *r, const ds_imu_config *config )
{
	const record_options *o = r->options;
	DS_TRY( ds_imu_create( NULL, config, &r->model ) );
	DS_TRY( ds_memory_new( NULL, ds_imu_state_size(), 1, &r->state ) );
	ds_random stream = ds_random_stream( o->seed, "imu", DS_RANDOM_RESET, 0 );
	ds_imu_reset( r->model, r->state, &stream, o->temperature );
	set_truth( r );
	r->total = (int64_t)round( o->seconds * o->rate );
	return open_output( &r->out, o->out );
}

static int report( const recorder *r, ds_status status, const char *message )
{
	const record_options *o = r->options;
	if ( status != DS_OK )
	{
		if ( !r->out.enough )
		{
			cli_error( "%s", message );
		}
		return status == DS_ERROR_CANCELLED ? CLI_CANCELLED : CLI_FAILURE;
	}
	if ( !o->quiet )
	{
		fprintf( r->out.standard ? stderr : stdout, "%s: %lld samples, %g h at %g Hz, %.3g MB\n", o->out,
			(long long)r->total, o->seconds / 3600, o->rate, 1e-6 * (double)r->out.bytes );
	}
	return CLI_OK;
}

// Whether writing would destroy the config.
static bool is_config( const record_options *o )
{
	struct stat a, b;
	return o->config && stat( o->out, &a ) == 0 && stat( o->config, &b ) == 0 && a.st_dev == b.st_dev &&
		   a.st_ino == b.st_ino;
}

static int run( const record_options *o )
{
	if ( is_config( o ) )
	{
		cli_error( "%s: is the config that is read; name another file for what is written", o->out );
		return CLI_FAILURE;
	}
	ds_arena arena;
	ds_arena_init( &arena, NULL );
	ds_imu_config config;
	recorder r;
	memset( &r, 0, sizeof( r ) );
	r.options = o;
	ds_status status = read_config( o, &arena, &config );
	status = status == DS_OK ? prepare( &r, &config ) : status;
	if ( status == DS_OK )
	{
		cli_catch_signals();
		run_progress_begin( &r.progress, o->preset ? o->preset : "imu", o->rate, r.total, o->quiet, false );
		status = record( &r );
		run_progress_end( &r.progress );
	}
	char message[1024] = "";
	(void)ds_copy_string( message, sizeof( message ), status == DS_OK ? "" : ds_last_error() );
	ds_status closed = close_output( &r.out );
	if ( closed != DS_OK && ( status == DS_OK || status == DS_ERROR_CANCELLED ) )
	{
		status = closed;
		(void)ds_copy_string( message, sizeof( message ), ds_last_error() );
	}
	int code = report( &r, status, message );
	ds_memory_free( NULL, r.state, ds_imu_state_size(), 1 );
	ds_imu_destroy( r.model );
	ds_arena_free( &arena );
	return code;
}

// ---- options -------------------------------------------------------------------------------------------------------

enum
{
	OPTION_PRESET,
	OPTION_CONFIG,
	OPTION_SET,
	OPTION_OUT,
	OPTION_HOURS,
	OPTION_RATE,
	OPTION_SEED,
	OPTION_GRAVITY,
	OPTION_LATITUDE,
	OPTION_RPY,
	OPTION_TEMPERATURE,
	OPTION_QUIET
};

static const cli_option options[] = {
	[OPTION_PRESET] = { "--preset", "NAME", "the unit; deepsim imu presets lists them" },
	[OPTION_CONFIG] = { "--config", "FILE.json",
		"the config of a sensor of type imu, in a file; --preset stands below it" },
	[OPTION_SET] = { "--set", "PATH=VALUE", "change a value of the config (gyro.N=1e-4); may be repeated" },
	[OPTION_OUT] = { "-o", "FILE.csv", "where rows go; - is the standard output" },
	[OPTION_HOURS] = { "--hours", "H", "how long (1)" },
	[OPTION_RATE] = { "--rate", "HZ", "samples a second (100)" },
	[OPTION_SEED] = { "--seed", "N", "of all randomness (0)" },
	[OPTION_GRAVITY] = { "--gravity", "G", "in m/s2 (9.81, or WGS-84's at the latitude)" },
	[OPTION_LATITUDE] = { "--latitude", "DEG", "the Earth turns, and the unit is there (it does not turn)" },
	[OPTION_RPY] = { "--rpy", "R,P,Y", "attitude of the unit, in degrees, from north-east-down (0,0,0)" },
	[OPTION_TEMPERATURE] = { "--temperature", "DEGC", "of what surrounds the unit (25)" },
	[OPTION_QUIET] = { "--quiet", NULL, "no progress, no summary" },
};
static const cli_command command = { "imu record", "",
	"Simulates an IMU at rest, without a world, and writes a row a sample: time, three rates, three accelerations "
	"(specific\n"
	"force), in SI, axes forward-right-down. `deepsim allan` reads such files.",
	options, CLI_COUNT( options ),
	"  deepsim imu record --preset stim300 --hours 9 --rate 100 -o stim300.csv\n"
	"  deepsim imu record --preset mti1 --set gyro.K=1e-6 --seed 7 -o - | head\n" };

static bool take_rpy( const char *text, double *rpy )
{
	for ( int i = 0; i < 3; i++ )
	{
		size_t length = strcspn( text, "," );
		char part[64];
		if ( length >= sizeof( part ) || ( text[length] == ',' ) != ( i < 2 ) )
		{
			return false;
		}
		memcpy( part, text, length );
		part[length] = '\0';
		if ( !cli_number( part, &rpy[i] ) || fabs( rpy[i] ) > 360 )
		{
			return false;
		}
		text += length + 1;
	}
	return true;
}

static bool in_range( const char *text, double low, double high, double *number )
{
	return cli_number( text, number ) && *number >= low && *number <= high;
}

// What a value must be, or NULL if it is that.
static const char *take_option( record_options *o, int option, const char *value )
{
	switch ( option )
	{
		case OPTION_PRESET:
			o->preset = value;
			return NULL;
		case OPTION_CONFIG:
			o->config = value;
			return NULL;
		case OPTION_SET:
			return o->set_count == MOST_SETS ? "at most 32 times" : ( o->sets[o->set_count++] = value, NULL );
		case OPTION_OUT:
			o->out = value;
			return NULL;
		case OPTION_HOURS:
			o->seconds = NAN;
			// nanoseconds are counted in 64 bits
			return in_range( value, 1e-9, 2.5e6, &o->seconds ) ? ( o->seconds *= 3600, NULL )
															   : "hours, from 1e-9 to 2.5e6";
		case OPTION_RATE:
			return in_range( value, 1e-3, 1e6, &o->rate ) ? NULL : "a rate from 0.001 to 1e6 Hz";
		case OPTION_SEED:
			return cli_unsigned( value, &o->seed ) ? NULL : "a whole number from 0";
		case OPTION_GRAVITY:
			return in_range( value, 0, 1000, &o->gravity ) ? NULL : "m/s2, from 0 to 1000";
		case OPTION_LATITUDE:
			return in_range( value, -90, 90, &o->latitude ) ? NULL : "degrees from -90 to 90";
		case OPTION_RPY:
			return take_rpy( value, o->rpy ) ? NULL : "three angles of -360 to 360 degrees, roll,pitch,yaw";
		case OPTION_TEMPERATURE:
			return in_range( value, -273.15, 1000, &o->temperature ) ? NULL : "degrees Celsius from -273.15 to 1000";
		default:
			o->quiet = true;
			return NULL;
	}
}

int cmd_imu_record( int argc, char **argv )
{
	record_options o = { .seconds = 3600, .rate = 100, .gravity = NAN, .latitude = NAN, .temperature = 25 };
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		if ( found == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( found == CLI_ARGUMENT )
		{
			return cli_usage( &command, "it takes no argument, got %s", value );
		}
		const char *wanted = take_option( &o, found, value );
		if ( wanted )
		{
			return cli_usage( &command, "%s cannot be \"%s\": expected %s", options[found].name, value, wanted );
		}
	}
	if ( o.preset == NULL && o.config == NULL && o.set_count == 0 )
	{
		return cli_usage( &command, "which unit? --preset NAME, --config FILE.json or --set PATH=VALUE" );
	}
	if ( o.out == NULL )
	{
		return cli_usage( &command, "-o FILE.csv is missing" );
	}
	if ( !( o.seconds * o.rate >= 0.5 && o.seconds * o.rate <= MOST_SAMPLES ) )
	{
		return cli_usage( &command, "%g h at %g Hz are %.3g samples: expected 1 to %g", o.seconds / 3600, o.rate,
			o.seconds * o.rate, MOST_SAMPLES );
	}
	return run( &o );
}

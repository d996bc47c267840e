// deepsim render: one frame of a camera, as files

#include "base/base.h"
#include "cli/render.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SETTLE 20 // frames before the one that is wanted, from which automatic exposure starts

enum
{
	OPTION_CAMERA,
	OPTION_TIME,
	OPTION_OUTPUT,
	OPTION_FRAMES, // the others, one after another
	OPTION_SIZE = OPTION_FRAMES + RENDER_FRAMES - 1,
	OPTION_THREADS,
	OPTION_SET,
	OPTION_PLUGIN,
	OPTION_QUIET,
	OPTION_COUNT
};

static const cli_option options[] = {
	[OPTION_CAMERA] = { "--camera", "NAME", "which camera; the only one needs no name" },
	[OPTION_TIME] = { "--time", "S", "the first frame at or after this time [s] (0)" },
	[OPTION_OUTPUT] = { "-o", "FILE.png", "colour, of 8 or 16 bits as the camera's sensor has them" },
	[OPTION_FRAMES] = { "--radiance", "FILE.npy", "red, green, blue before lens and sensor [W/(m2 sr)]" },
	[OPTION_FRAMES + 1] = { "--depth", "FILE",
		"along each ray: .npy in m (inf: nothing), .png in mm (0: nothing within 65.535 m)" },
	[OPTION_FRAMES + 2] = { "--z-depth", "FILE", "along the optical axis, in the same ways" },
	[OPTION_FRAMES + 3] = { "--normals", "FILE", "right, down, ahead: .npy, or .png as 127.5 (n + 1)" },
	[OPTION_FRAMES + 4] = { "--segmentation", "FILE.png", "instances: number = R + 256 G + 65536 B" },
	[OPTION_FRAMES + 5] = { "--flow", "FILE.npy", "velocity of the image [px/s]" },
	[OPTION_SIZE] = { "--size", "WxH", "of the image, for lenses given by their field of view" },
	[OPTION_THREADS] = { "--threads", "N", "that share the work; the image does not depend on it" },
	[OPTION_SET] = { "--set", "PATH=VALUE",
		"change a value of the scenario (sensors.front.config.lit=false); may be repeated" },
	[OPTION_PLUGIN] = { "--plugin", "LIB.so", "load a plugin before the scenario; may be repeated" },
	[OPTION_QUIET] = { "--quiet", NULL, "print nothing but errors" },
};

static const cli_command command = { "render", "FILE",
	"Simulates the scenario in FILE up to a frame of one of its cameras, and writes that frame. Frames before it are "
	"not\n"
	"made, but where exposure is automatic, and where another part takes the camera's readings.",
	options, CLI_COUNT( options ),
	"  deepsim render rov.json --time 12.5 -o frame.png\n"
	"  deepsim render rov.json --camera left --time 3 -o left.png --depth left.npy --segmentation ids.png\n"
	"  deepsim render rov.json -o small.png --size 320x240 --threads 2 --set sensors.left.config.shadows=false\n" };

// ---- the command line --------------------------------------------------------------------------------------------

static bool take_size( const char *value, uint64_t size[2] )
{
	char text[64];
	const char *x = strchr( value, 'x' );
	if ( x == NULL || (size_t)( x - value ) >= sizeof( text ) )
	{
		return false;
	}
	memcpy( text, value, (size_t)( x - value ) );
	text[x - value] = '\0';
	return cli_unsigned( text, size ) && cli_unsigned( x + 1, size + 1 ) && size[0] > 0 && size[1] > 0;
}

// What is expected of an option; NULL: it was taken.
static const char *take_option( render_options *o, int option, const char *value )
{
	uint64_t number;
	if ( option >= OPTION_FRAMES && option < OPTION_SIZE )
	{
		int frame = 1 + option - OPTION_FRAMES;
		o->paths[frame] = value;
		return render_check_path( frame, value );
	}
	switch ( option )
	{
		case OPTION_CAMERA:
			o->camera = value;
			return value[0] ? NULL : "the name of a camera";
		case OPTION_TIME:
			return cli_number( value, &o->time ) && o->time >= 0 ? NULL : "seconds, at least 0";
		case OPTION_OUTPUT:
			o->paths[0] = value;
			return render_check_path( 0, value );
		case OPTION_SIZE:
			return take_size( value, o->size ) ? NULL : "a width and a height in pixels, as 320x240";
		case OPTION_THREADS:
			if ( !cli_unsigned( value, &number ) || number < 1 || number > 64 )
			{
				return "a number of threads from 1 to 64";
			}
			o->threads = (int32_t)number;
			return NULL;
		case OPTION_SET:
			o->overrides[o->override_count++] = value;
			return strchr( value, '=' ) && value[0] != '=' ? NULL : "PATH=VALUE, as sensors.front.config.lit=false";
		case OPTION_PLUGIN:
			o->plugins[o->plugin_count++] = value;
			return NULL;
		default:
			o->quiet = true;
			return NULL;
	}
}

// False: end at once with *exit_code.
static bool read_options( render_options *o, int argc, char **argv, int *exit_code )
{
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	for ( int found = cli_next( &parser, &value ); found != CLI_END; found = cli_next( &parser, &value ) )
	{
		if ( found == CLI_DONE )
		{
			*exit_code = parser.exit_code;
			return false;
		}
		if ( found == CLI_ARGUMENT && o->file )
		{
			*exit_code = cli_usage( &command, "one scenario at a time: \"%s\" comes after \"%s\"", value, o->file );
			return false;
		}
		if ( found == CLI_ARGUMENT )
		{
			o->file = value;
			continue;
		}
		const char *expected = take_option( o, found, value );
		if ( expected )
		{
			*exit_code =
				cli_usage( &command, "%s cannot be \"%s\": expected %s", options[found].name, value, expected );
			return false;
		}
	}
	bool any = false;
	for ( int i = 0; i < RENDER_FRAMES; ++i )
	{
		any = any || o->paths[i];
	}
	if ( o->file == NULL || !any )
	{
		*exit_code = cli_usage( &command,
			o->file ? "nothing to write: give -o FILE.png, --depth FILE or another frame" : "which scenario?" );
		return false;
	}
	return true;
}

// ---- the camera --------------------------------------------------------------------------------------------------

static bool is_camera( const ds_scenario *s, int32_t i )
{
	return strcmp( s->sensors[i].def.type, "camera" ) == 0;
}

// The camera that is meant, or NULL and an error that lists those that there are.
static const ds_scenario_sensor *find_camera( const ds_scenario *s, const render_options *o )
{
	const ds_scenario_sensor *found = NULL;
	int32_t count = 0;
	char names[512] = "";
	size_t used = 0;
	for ( int32_t i = 0; i < s->sensor_count; ++i )
	{
		const char *name = s->sensors[i].def.name;
		if ( !is_camera( s, i ) || ( ++count, 0 ) )
		{
			continue;
		}
		if ( o->camera ? strcmp( name, o->camera ) == 0 : count == 1 )
		{
			found = s->sensors + i;
		}
		if ( used < sizeof( names ) )
		{
			used += (size_t)snprintf( names + used, sizeof( names ) - used, "%s%s", count > 1 ? ", " : "", name );
		}
	}
	if ( count == 0 )
	{
		cli_error( "render: %s has no camera: add a sensor of the type camera", o->file );
		return NULL;
	}
	if ( o->camera == NULL && count > 1 )
	{
		cli_error( "render: %s has %d cameras: name one of %s by --camera", o->file, (int)count, names );
		return NULL;
	}
	if ( found == NULL )
	{
		cli_error( "render: %s has no camera \"%s\": expected one of %s", o->file, o->camera, names );
	}
	return found;
}

static bool in_inputs( const ds_sensor_def *def, const char *name )
{
	for ( int32_t i = 0; i < def->input_count; ++i )
	{
		if ( strcmp( def->inputs[i].source, name ) == 0 )
		{
			return true;
		}
	}
	return false;
}

// Whether another part takes a sensor's readings: then it must make them all.
static bool is_read( const ds_scenario *s, const char *name )
{
	bool read = false;
	for ( int32_t i = 0; i < s->sensor_count; ++i )
	{
		read = read || in_inputs( &s->sensors[i].def, name );
	}
	for ( int32_t i = 0; i < s->controller_count; ++i )
	{
		for ( int32_t k = 0; k < s->controllers[i].def.input_count; ++k )
		{
			read = read || strcmp( s->controllers[i].def.inputs[k].source, name ) == 0;
		}
	}
	return read;
}

// ---- changes of the scenario -------------------------------------------------------------------------------------

static bool change( render_options *o, const char *format, ... ) DS_PRINTF( 2, 3 );

static bool change( render_options *o, const char *format, ... )
{
	char *text = o->changes[o->change_count];
	va_list arguments;
	va_start( arguments, format );
	int n = o->change_count < RENDER_CHANGES ? vsnprintf( text, RENDER_TEXT, format, arguments ) : -1;
	va_end( arguments );
	if ( n < 0 || n >= RENDER_TEXT )
	{
		return false;
	}
	o->overrides[o->override_count++] = text;
	o->change_count++;
	return true;
}

// Frames that are asked for, the size; no frame before the one that is wanted.
static int change_camera( render_options *o, const ds_scenario *s, const ds_scenario_sensor *camera )
{
	const ds_camera_config *c = camera->def.config;
	const char *name = camera->def.name;
	static const char *const keys[] = { "color", "radiance", "depth", "normals", "segmentation", "flow" };
	const bool wanted[] = { o->paths[0] != NULL, o->paths[1] != NULL, true, o->paths[4] != NULL, o->paths[5] != NULL,
		o->paths[6] != NULL };
	bool good = true;
	const bool all = is_read( s, name );
	for ( int i = 0; i < CLI_COUNT( keys ); ++i )
	{
		// other parts may need frames that are not written
		good = good && ( ( all && !wanted[i] ) ||
						   change( o, "sensors.%s.config.%s=%s", name, keys[i], wanted[i] ? "true" : "false" ) );
	}
	if ( o->size[0] > 0 && ( c->lens.calibration[0] != '\0' || c->lens.fx > 0 ) )
	{
		cli_error(
			"render: --size: the lens of %s has focal lengths in pixels: change them and the size by --set", name );
		return CLI_FAILURE;
	}
	if ( o->size[0] > 0 )
	{
		good = good && change( o, "sensors.%s.config.lens.width=%llu", name, (unsigned long long)o->size[0] ) &&
			   change( o, "sensors.%s.config.lens.height=%llu", name, (unsigned long long)o->size[1] );
	}
	const double rate = camera->def.rate > 0 ? camera->def.rate : s->rate, offset = camera->def.offset;
	double frames = ceil( ( o->time - offset ) * rate - 1e-9 );
	double before = fmax( 0, frames );
	if ( c->sensor.auto_exposure || c->sensor.white == DS_WHITE_GREY_WORLD )
	{
		before = fmax( 0, before - SETTLE );
	}
	o->stamp = offset + fmax( 0, frames ) / rate;
	if ( !all )
	{
		good = good && change( o, "sensors.%s.offset=%.17g", name, offset + before / rate );
	}
	for ( int32_t i = 0; i < s->sensor_count; ++i )
	{
		const ds_scenario_sensor *other = s->sensors + i;
		if ( other != camera && is_camera( s, i ) && !is_read( s, other->def.name ) )
		{
			good = good && change( o, "sensors.%s.offset=9e8", other->def.name );
		}
	}
	if ( !good )
	{
		cli_error( "render: %s has more cameras than render can silence (%d)", o->file, RENDER_CHANGES - 12 );
	}
	return good ? CLI_OK : CLI_FAILURE;
}

// ---- the run -----------------------------------------------------------------------------------------------------

typedef struct render_run
{
	const render_options *o;
	ds_world *world;
	run_progress progress;
	int64_t done;
} render_run;

static bool cancel_wanted( void *user )
{
	(void)user;
	return cli_stop_wanted();
}

static void show_progress( void *user, int64_t ticks_done, int64_t ticks_wanted )
{
	(void)ticks_wanted;
	render_run *r = user;
	run_progress_update( &r->progress, r->done + ticks_done );
}

// Steps to the tick of the frame's stamp, and on until the frame is there.
static ds_status step_to_frame( render_run *r, ds_id camera, render_frame *frame )
{
	const double rate = ds_world_rate( r->world );
	const int64_t total = ds_world_ticks( r->world, r->o->stamp );
	const ds_time stamp = (ds_time)floor( 1e9 * r->o->stamp );
	r->progress.total = total;
	ds_status status = ds_world_step( r->world, total );
	run_progress_end( &r->progress );
	r->progress.shown = false;
	// a frame comes at the latest when its exposure and its latency are over
	for ( int64_t i = 0; status == DS_OK && i < (int64_t)( 100 * rate ) + 1000; ++i )
	{
		DS_TRY( ds_sensor_output( r->world, camera, NULL, &frame->size ) );
		frame->reading = frame->reading ? frame->reading : calloc( 1, frame->size );
		if ( frame->reading == NULL )
		{
			return ds_error( DS_ERROR_MEMORY, "out of memory for a frame of %zu bytes", frame->size );
		}
		status = ds_sensor_latest( r->world, camera, &frame->header, frame->reading, frame->size );
		if ( status == DS_OK && frame->header.time + 1 >= stamp )
		{
			return DS_OK;
		}
		status = status == DS_OK || status == DS_ERROR_EMPTY ? ds_world_step( r->world, 1 ) : status;
	}
	return status == DS_OK ? ds_error( DS_ERROR_EMPTY, "the camera made no frame at %g s", r->o->stamp ) : status;
}

static ds_status simulate( const render_options *o, ds_scenario *scenario, const char *camera, render_frame *frame )
{
	render_run r = { .o = o };
	ds_scenario_info info = ds_scenario_describe( scenario );
	run_progress_begin( &r.progress, info.name, info.rate, (int64_t)( o->stamp * info.rate + 0.5 ), o->quiet, false );
	ds_world_def def = ds_world_def_default();
	def.scenario = scenario;
	def.hooks = cli_hooks( o->quiet );
	def.progress = show_progress;
	def.progress_ticks = run_progress_interval( &r.progress );
	def.cancel = cancel_wanted;
	def.threads = o->threads;
	def.user = &r;
	ds_id id;
	double start = cli_clock();
	ds_status status = ds_world_create( &def, &r.world );
	status = status == DS_OK ? ds_world_find( r.world, DS_SENSOR, camera, &id ) : status;
	status = status == DS_OK ? step_to_frame( &r, id, frame ) : status;
	frame->wall_time = cli_clock() - start;
	if ( status == DS_ERROR_CANCELLED )
	{
		ds_error( status, "cancelled at t = %.9g s", (double)ds_world_time( r.world ) / 1e9 );
	}
	ds_world_destroy( r.world );
	return status;
}

static ds_status load( const render_options *o, ds_registry *registry, ds_scenario **scenario )
{
	return ds_scenario_load( o->file, o->overrides, o->override_count, registry, scenario );
}

// The scenario as it is, for what it has; then with the changes that the frame needs.
static int render_changed( render_options *o, ds_registry *registry, const char *camera )
{
	ds_scenario *changed = NULL;
	render_frame frame = { 0 };
	ds_status status = load( o, registry, &changed );
	status = status == DS_OK ? simulate( o, changed, camera, &frame ) : status;
	int code = status == DS_OK ? CLI_OK : status == DS_ERROR_CANCELLED ? CLI_CANCELLED : CLI_FAILURE;
	if ( status != DS_OK )
	{
		cli_fail();
	}
	else
	{
		code = render_write( o, camera, &frame );
	}
	free( frame.reading );
	ds_scenario_release( changed );
	return code;
}

static int render( render_options *o, ds_registry *registry )
{
	ds_scenario *scenario = NULL;
	if ( load( o, registry, &scenario ) != DS_OK )
	{
		return cli_fail();
	}
	int code = CLI_FAILURE;
	if ( o->time > scenario->duration )
	{
		code = cli_usage( &command, "--time %g is too late: the scenario ends at %g s", o->time, scenario->duration );
	}
	else
	{
		const ds_scenario_sensor *camera = find_camera( scenario, o );
		code = camera ? change_camera( o, scenario, camera ) : CLI_FAILURE;
		code = code == CLI_OK ? render_changed( o, registry, camera->def.name ) : code;
	}
	ds_scenario_release( scenario );
	return code;
}

int cmd_render( int argc, char **argv )
{
	render_options o = { 0 };
	o.overrides = calloc( (size_t)argc + RENDER_CHANGES, sizeof( *o.overrides ) );
	o.plugins = calloc( (size_t)argc, sizeof( *o.plugins ) );
	o.changes = calloc( RENDER_CHANGES, sizeof( *o.changes ) );
	int code = CLI_FAILURE;
	if ( o.overrides == NULL || o.plugins == NULL || o.changes == NULL )
	{
		cli_error( "out of memory" );
	}
	else if ( read_options( &o, argc, argv, &code ) && ( code = render_check_files( &o ) ) == CLI_OK )
	{
		ds_hooks hooks = cli_hooks( o.quiet );
		ds_registry *registry = NULL;
		cli_catch_signals();
		ds_status status = ds_registry_create( &hooks, &registry );
		for ( int32_t i = 0; i < o.plugin_count && status == DS_OK; i++ )
		{
			status = ds_registry_load_plugin( registry, o.plugins[i], "." );
		}
		code = status == DS_OK ? render( &o, registry ) : cli_fail();
		ds_registry_release( registry );
	}
	free( o.changes );
	free( o.plugins );
	free( o.overrides );
	return code;
}

// deepsim optics camera: what the cameras of a scenario see through lens and port

#include "cli/optics.h"

#include "base/base.h"
#include "base/json.h"
#include "core/scenario.h"
#include "deepsim/deepsim.h"
#include "optics/camera.h"

#include <math.h>
#include <string.h>

#define DEGREE ( 180 / DS_PI )

// A camera, and all that is told of it.
typedef struct facts
{
	const char *name, *body;
	const ds_camera_config *config;
	ds_vec3 position; // at the start, NED [m]
	ds_water water; // there
	double index; // of that water, relative to air; NaN in the air
	ds_lens lens;
	ds_port port; // in the water
	double field[2]
				[3]; // of view, of the lens alone and in the water: across, down, between corners [rad]; NaN: not seen
	double light[2]; // that passes the port in the middle and in the darkest corner
	double vignetting; // in the darkest corner
	bool fitted;
	ds_pinhole_fit fit;
	char unfitted[512]; // why there is no fit
} facts;

// ---- what is to tell -----------------------------------------------------------------------------------------------

// The direction in which a pixel looks in the water, or behind the lens alone (NULL).
static bool look( const facts *f, const ds_port *port, double u, double v, ds_vec3 *direction, double *light )
{
	ds_vec3 origin, inside;
	*light = 1;
	if ( ds_lens_ray( &f->lens, u, v, direction ) != DS_OK )
	{
		return false;
	}
	inside = *direction;
	return port == NULL || ds_port_ray( port, inside, &origin, direction, light ) == DS_OK;
}

// An angle to the axis in the plane of an axis of the image (0: u, 1: v), or any (2).
static double angle( ds_vec3 d, int axis )
{
	return axis == 2 ? atan2( hypot( d.x, d.y ), d.z ) : fabs( atan2( axis ? d.y : d.x, d.z ) );
}

static void fields_of_view( facts *f, const ds_port *port, double field[3] )
{
	double left = -0.5, right = (double)f->lens.width - 0.5, top = -0.5, bottom = (double)f->lens.height - 0.5;
	const double ends[3][2][2] = { { { left, f->lens.cy }, { right, f->lens.cy } },
		{ { f->lens.cx, top }, { f->lens.cx, bottom } }, { { left, top }, { right, bottom } } };
	for ( int i = 0; i < 3; ++i )
	{
		ds_vec3 a, b;
		double light;
		bool seen = look( f, port, ends[i][0][0], ends[i][0][1], &a, &light ) &&
					look( f, port, ends[i][1][0], ends[i][1][1], &b, &light );
		field[i] = seen ? angle( a, i ) + angle( b, i ) : NAN;
	}
}

static void lights( facts *f )
{
	ds_vec3 direction;
	double light;
	f->light[0] = look( f, &f->port, f->lens.cx, f->lens.cy, &direction, &light ) ? light : NAN;
	f->light[1] = INFINITY;
	f->vignetting = INFINITY;
	for ( int i = 0; i < 4; ++i )
	{
		double u = i % 2 ? (double)f->lens.width - 0.5 : -0.5, v = i / 2 ? (double)f->lens.height - 0.5 : -0.5;
		if ( look( f, NULL, u, v, &direction, &light ) )
		{
			f->vignetting = fmin( f->vignetting, ds_lens_light( &f->lens, direction ) );
		}
		if ( look( f, &f->port, u, v, &direction, &light ) )
		{
			f->light[1] = fmin( f->light[1], light );
		}
	}
}

static ds_status learn( facts *f, double distance )
{
	DS_TRY( ds_lens_make( &f->config->lens, &f->lens ) );
	DS_TRY( ds_port_make( &f->config->port, true, &f->port ) );
	f->index = NAN;
	if ( f->water.present )
	{
		double s = f->water.salinity, t = f->water.temperature, wavelength = f->config->port.wavelength;
		f->index = ds_refractive_index_seawater( s, t, wavelength ) +
				   ds_refractive_index_pressure( s, t, wavelength, f->water.gauge_pressure );
	}
	fields_of_view( f, NULL, f->field[0] );
	fields_of_view( f, &f->port, f->field[1] );
	lights( f );
	f->fitted = ds_port_fit_pinhole( &f->lens, &f->port, distance, &f->fit ) == DS_OK;
	if ( !f->fitted )
	{
		snprintf( f->unfitted, sizeof( f->unfitted ), "%s", ds_last_error() );
	}
	return DS_OK;
}

// ---- text ----------------------------------------------------------------------------------------------------------

static const char *choice_name( const ds_table *table, const char *field, int32_t value )
{
	const ds_field *f = ds_table_find( table, field );
	for ( int32_t i = 0; f && i < f->choice_count; ++i )
	{
		if ( f->choices[i].value == value )
		{
			return f->choices[i].name;
		}
	}
	return "?";
}

// Rounding is shown as 0.
static double shown( double number )
{
	return fabs( number ) < 1e-12 ? 0 : number;
}

static void print_lens( const char *what, const ds_lens *l )
{
	printf( "%-22s %s, %lld x %lld px, fx %.6g, fy %.6g, centre %.6g %.6g px\n", what,
		choice_name( ds_lens_config_table(), "model", l->model ), (long long)l->width, (long long)l->height, l->fx,
		l->fy, l->cx, l->cy );
	if ( l->model == DS_LENS_RECTILINEAR )
	{
		printf( "%-22s k1 %.6g, k2 %.6g, p1 %.6g, p2 %.6g, k3 %.6g\n", "", shown( l->k[0] ), shown( l->k[1] ),
			shown( l->p[0] ), shown( l->p[1] ), shown( l->k[2] ) );
	}
	else if ( l->model == DS_LENS_FISHEYE )
	{
		printf( "%-22s k1 %.6g, k2 %.6g, k3 %.6g, k4 %.6g\n", "", shown( l->k[0] ), shown( l->k[1] ), shown( l->k[2] ),
			shown( l->k[3] ) );
	}
}

static void print_port( const facts *f )
{
	const ds_port_config *c = &f->config->port;
	const char *glass = choice_name( ds_port_config_table(), "glass", c->glass );
	if ( c->kind == DS_PORT_NONE )
	{
		printf( "%-22s none: rays do not bend\n", "port" );
		return;
	}
	if ( c->kind == DS_PORT_FLAT )
	{
		printf( "%-22s flat, %.4g mm of %s, %.4g mm away, tilted %.4g %.4g deg\n", "port", 1e3 * c->thickness, glass,
			1e3 * c->distance, c->tilt[0] * DEGREE, c->tilt[1] * DEGREE );
	}
	else
	{
		printf( "%-22s dome, %.4g mm of %s, radius %.4g mm, decentred %.4g %.4g %.4g mm\n", "port", 1e3 * c->thickness,
			glass, 1e3 * c->radius, 1e3 * c->decentring[0], 1e3 * c->decentring[1], 1e3 * c->decentring[2] );
	}
	printf( "%-22s air %.6f, glass %.5f, water %.5f (at %.4g nm)\n", "refractive indices", f->port.air, f->port.glass,
		f->port.water, c->wavelength );
	double off = f->index - f->port.water / f->port.air;
	if ( fabs( off ) > 2e-4 )
	{
		printf( "%-22s the water there has %.5f: images are %.2g %% too %s; port.pressure %.3g would suit\n", "",
			f->index * f->port.air, 100 * fabs( off ) * f->port.air / f->port.water, off > 0 ? "small" : "large",
			f->water.gauge_pressure );
	}
}

static void print_field( const char *what, const double field[3] )
{
	printf( "%-22s", what );
	for ( int i = 0; i < 3; ++i )
	{
		char text[32] = "-";
		if ( isfinite( field[i] ) )
		{
			snprintf( text, sizeof( text ), "%.2f", field[i] * DEGREE );
		}
		printf( "%10s", text );
	}
	printf( "\n" );
}

static void print_facts( const facts *f, double distance )
{
	printf( "%scamera %s%s, %.6g m deep: ", cli_bold( stdout ), f->name, cli_plain( stdout ), f->position.z );
	if ( f->water.present )
	{
		printf( "water of %.4g PSU, %.4g degC, %.4g MPa above the surface's\n", f->water.salinity, f->water.temperature,
			1e-6 * f->water.gauge_pressure );
	}
	else
	{
		printf( "not in water; what follows is told as if it were\n" );
	}
	print_lens( "lens", &f->lens );
	print_port( f );
	printf( "%-22s%10s%10s%10s\n", "field of view [deg]", "across", "down", "diagonal" );
	print_field( "  of the lens", f->field[0] );
	print_field( "  in the water", f->field[1] );
	if ( f->config->port.kind != DS_PORT_NONE )
	{
		printf( "%-22s middle %.2f %%, darkest corner %.2f %%\n", "light past the port", 100 * f->light[0],
			100 * f->light[1] );
	}
	printf( "%-22s darkest corner %.2f %%\n", "vignetting", 100 * f->vignetting );
	if ( !f->fitted )
	{
		printf( "%-22s none: %s\n", "pinhole in the water", f->unfitted );
		return;
	}
	print_lens( "pinhole in the water", &f->fit.lens );
	printf( "%-22s %.3g px rms, %.3g px at worst, at %.4g m%s, where it is fitted\n", "  how far it is off", f->fit.rms,
		f->fit.worst, distance, f->config->port.kind == DS_PORT_NONE ? "" : " from the port" );
	printf( "%-22s %.3g px at worst at %.4g m, %.3g px at %.4g m\n", "", f->fit.near_worst, f->fit.near_distance,
		f->fit.far_worst, f->fit.far_distance );
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void put_lens( ds_json_writer *w, const char *key, const ds_lens *l )
{
	ds_json_key( w, key );
	ds_json_begin( w, '{' );
	ds_json_key( w, "model" );
	ds_json_put_string( w, choice_name( ds_lens_config_table(), "model", l->model ) );
	ds_json_key( w, "width" );
	ds_json_put_integer( w, l->width );
	ds_json_key( w, "height" );
	ds_json_put_integer( w, l->height );
	optics_put( w, "fx", l->fx );
	optics_put( w, "fy", l->fy );
	optics_put_list( w, "center", ( double[] ){ l->cx, l->cy }, 2 );
	optics_put_list( w, "k", l->k, 4 );
	optics_put_list( w, "p", l->p, 2 );
	ds_json_end( w, '}' );
}

static void put_degrees( ds_json_writer *w, const char *key, const double angles[3] )
{
	optics_put_list( w, key, ( double[] ){ angles[0] * DEGREE, angles[1] * DEGREE, angles[2] * DEGREE }, 3 );
}

static void put_facts( ds_json_writer *w, const facts *f, double distance )
{
	ds_json_begin( w, '{' );
	ds_json_key( w, "name" );
	ds_json_put_string( w, f->name );
	ds_json_key( w, "body" );
	ds_json_put_string( w, f->body );
	optics_put( w, "depth", f->position.z );
	put_lens( w, "lens", &f->lens );
	ds_json_key( w, "port" );
	ds_json_put_string( w, choice_name( ds_port_config_table(), "kind", f->config->port.kind ) );
	optics_put( w, "index_air", f->port.air );
	optics_put( w, "index_glass", f->port.glass );
	optics_put( w, "index_water", f->port.water );
	optics_put( w, "index_water_there", f->index * f->port.air );
	put_degrees( w, "field_of_lens_deg", f->field[0] );
	put_degrees( w, "field_in_water_deg", f->field[1] );
	optics_put( w, "light_middle", f->light[0] );
	optics_put( w, "light_corner", f->light[1] );
	optics_put( w, "vignetting_corner", f->vignetting );
	ds_json_key( w, "pinhole" );
	if ( f->fitted )
	{
		ds_json_begin( w, '{' );
		put_lens( w, "lens", &f->fit.lens );
		optics_put( w, "distance", distance );
		optics_put( w, "rms", f->fit.rms );
		optics_put( w, "worst", f->fit.worst );
		optics_put( w, "near_distance", f->fit.near_distance );
		optics_put( w, "near_worst", f->fit.near_worst );
		optics_put( w, "far_distance", f->fit.far_distance );
		optics_put( w, "far_worst", f->fit.far_worst );
		ds_json_end( w, '}' );
	}
	else
	{
		ds_json_put_raw( w, "null" );
	}
	ds_json_end( w, '}' );
}

// ---- command line --------------------------------------------------------------------------------------------------

typedef struct camera_options
{
	const char *file, *name, **overrides;
	int override_count;
	double distance;
	bool json;
} camera_options;

static ds_status place( const optics_world *s, const ds_scenario_sensor *sensor, facts *f )
{
	ds_id id, body;
	ds_pose mount;
	ds_body_motion motion;
	DS_TRY( ds_world_find( s->world, DS_SENSOR, sensor->def.name, &id ) );
	DS_TRY( ds_sensor_frame( s->world, id, &body, &mount ) );
	DS_TRY( ds_body_motion_get( s->world, body, &motion ) );
	f->name = sensor->def.name;
	f->body = ds_world_name( s->world, body );
	f->config = sensor->def.config;
	f->position = ds_pose_point( motion.pose, mount.position );
	return ds_water_at( s->world, f->position, &f->water );
}

// Tells of the camera that is named, or of all of them; *count is how many there are.
static ds_status tell( const camera_options *o, const optics_world *s, ds_json_writer *w, int *count )
{
	*count = 0;
	for ( int32_t i = 0; i < s->scenario->sensor_count; ++i )
	{
		const ds_scenario_sensor *sensor = &s->scenario->sensors[i];
		if ( strcmp( sensor->def.type, "camera" ) != 0 || ( o->name && strcmp( sensor->def.name, o->name ) != 0 ) )
		{
			continue;
		}
		facts f = { 0 };
		DS_TRY( place( s, sensor, &f ) );
		DS_TRY( learn( &f, o->distance ) );
		if ( o->json )
		{
			put_facts( w, &f, o->distance );
		}
		else
		{
			printf( "%s", *count > 0 ? "\n" : "" );
			print_facts( &f, o->distance );
		}
		++*count;
	}
	return DS_OK;
}

static int run( const camera_options *o )
{
	ds_hooks hooks = cli_hooks( false );
	optics_world s = { 0 };
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '[' );
	int count = 0;
	ds_status status = optics_open( &s, o->file, o->overrides, o->override_count, &hooks );
	status = status == DS_OK ? tell( o, &s, &w, &count ) : status;
	ds_json_end( &w, ']' );
	int code = status == DS_OK ? CLI_OK : cli_fail();
	if ( code == CLI_OK && count == 0 )
	{
		cli_error( o->name ? "optics camera: %s: no sensor \"%s\" of type camera"
						   : "optics camera: %s: no sensor of type camera",
			o->file, o->name );
		code = CLI_FAILURE;
	}
	if ( code == CLI_OK && o->json )
	{
		code = cli_print_text( &text );
	}
	ds_text_clear( &text );
	optics_close( &s );
	return code;
}

static const cli_option options[] = {
	{ "--distance", "M", "of the points that a pinhole is fitted to, from the port along the rays (2)" },
	{ "--set", "PATH=VALUE",
		"change a value of the scenario first (sensors.eye.config.port.kind=dome); may be repeated" },
	{ "--json", NULL, "print JSON" },
};

static const cli_command command = { "optics camera", "SCENARIO [NAME]",
	"Tells of the cameras of a scenario, or of the one that is named: lens, port, field of view in air and in the "
	"water, "
	"the light that\nthe port lets pass, and the pinhole camera that comes nearest to what is seen through the port, "
	"with "
	"how far it is off at the\ndistance that it is fitted at, at half of it and at four times it.",
	options, CLI_COUNT( options ),
	"  deepsim optics camera rov.json\n"
	"  deepsim optics camera rov.json eye --distance 1 --set sensors.eye.config.port.kind=dome\n" };

// False: end at once with *code.
static bool read_options( camera_options *o, int argc, char **argv, int *code )
{
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	for ( int found; ( found = cli_next( &parser, &value ) ) != CLI_END; )
	{
		if ( found == CLI_DONE )
		{
			*code = parser.exit_code;
			return false;
		}
		if ( found == CLI_ARGUMENT && o->name )
		{
			*code = cli_usage( &command, "expected a scenario and a camera, got \"%s\" too", value );
			return false;
		}
		if ( found == CLI_ARGUMENT )
		{
			*( o->file ? &o->name : &o->file ) = value;
		}
		else if ( found == 0 && !( cli_number( value, &o->distance ) && o->distance > 0 && o->distance <= 1e6 ) )
		{
			*code = cli_usage( &command, "--distance cannot be \"%s\": expected metres above 0, up to 1e6", value );
			return false;
		}
		else if ( found == 1 )
		{
			o->overrides[o->override_count++] = value;
		}
		o->json = o->json || found == 2;
	}
	if ( o->file == NULL )
	{
		*code = cli_usage( &command, "which scenario?" );
	}
	return o->file != NULL;
}

int cmd_optics_camera( int argc, char **argv )
{
	camera_options o = { .distance = 2 };
	int code = CLI_FAILURE;
	if ( DS_NEW( NULL, argc, &o.overrides ) != DS_OK )
	{
		return cli_fail();
	}
	if ( read_options( &o, argc, argv, &code ) )
	{
		code = run( &o );
	}
	DS_FREE( NULL, o.overrides, argc );
	return code;
}

// deepsim optics stereo: two cameras of a scenario as a stereo pair, and its calibration as files

#include "cli/optics.h"

#include "base/base.h"
#include "base/json.h"
#include "core/scenario.h"
#include "deepsim/deepsim.h"
#include "optics/camera.h"

#include <math.h>
#include <string.h>

#define DEGREE ( 180 / DS_PI )

static const double distances[] = { 1, 2, 5, 10 }; // that are told of [m]

typedef struct stereo_options
{
	const char *file, *names[2], **overrides, *out, *ros[2];
	int override_count;
	double distance;
	bool json;
} stereo_options;

// A pair, and all that is told of it.
typedef struct pair
{
	const ds_scenario_sensor *sensors[2];
	const char *body;
	ds_pose mounts[2];
	bool fitted[2], dry; // lenses behind ports; the cameras are not in water at the start
	ds_pinhole_fit fits[2];
	ds_stereo stereo;
	ds_rectification rectification;
	double overlap[CLI_COUNT( distances )];
} pair;

// ---- which cameras -------------------------------------------------------------------------------------------------

static bool is_camera( const ds_scenario_sensor *sensor )
{
	return strcmp( sensor->def.type, "camera" ) == 0;
}

static ds_status find_named( const stereo_options *o, const ds_scenario *scenario, pair *p )
{
	for ( int k = 0; k < 2; ++k )
	{
		for ( int32_t i = 0; i < scenario->sensor_count; ++i )
		{
			const ds_scenario_sensor *sensor = &scenario->sensors[i];
			if ( is_camera( sensor ) && strcmp( sensor->def.name, o->names[k] ) == 0 )
			{
				p->sensors[k] = sensor;
			}
		}
		if ( p->sensors[k] == NULL )
		{
			return ds_error(
				DS_ERROR_NOT_FOUND, "optics stereo: %s: no sensor \"%s\" of type camera", o->file, o->names[k] );
		}
	}
	return DS_OK;
}

static ds_status find_only( const stereo_options *o, const ds_scenario *scenario, pair *p )
{
	int count = 0;
	for ( int32_t i = 0; i < scenario->sensor_count; ++i )
	{
		if ( is_camera( &scenario->sensors[i] ) )
		{
			p->sensors[count < 2 ? count : 1] = &scenario->sensors[i];
			++count;
		}
	}
	return count == 2 ? DS_OK
					  : ds_error( DS_ERROR_NOT_FOUND,
							"optics stereo: %s has %d sensor%s of type camera: name the left and the right one%s",
							o->file, count, count == 1 ? "" : "s", count < 2 ? " of a scenario that has two" : "" );
}

// ---- what is to tell -----------------------------------------------------------------------------------------------

// The lens as it is in the water.
static ds_status take_lens( const stereo_options *o, pair *p, int k, ds_lens *lens )
{
	const ds_camera_config *config = p->sensors[k]->def.config;
	ds_port port;
	DS_TRY( ds_lens_make( &config->lens, lens ) );
	DS_TRY( ds_port_make( &config->port, true, &port ) );
	p->fitted[k] = port.kind != DS_PORT_NONE;
	if ( p->fitted[k] )
	{
		DS_TRY( ds_port_fit_pinhole( lens, &port, o->distance, &p->fits[k] ) );
		*lens = p->fits[k].lens;
	}
	return DS_OK;
}

static ds_status place( const stereo_options *o, const optics_world *s, pair *p )
{
	ds_id id, bodies[2];
	ds_body_motion motion;
	ds_water water;
	p->dry = false;
	for ( int k = 0; k < 2; ++k )
	{
		DS_TRY( ds_world_find( s->world, DS_SENSOR, p->sensors[k]->def.name, &id ) );
		DS_TRY( ds_sensor_frame( s->world, id, &bodies[k], &p->mounts[k] ) );
		DS_TRY( ds_body_motion_get( s->world, bodies[k], &motion ) );
		DS_TRY( ds_water_at( s->world, ds_pose_point( motion.pose, p->mounts[k].position ), &water ) );
		p->dry = p->dry || !water.present;
	}
	p->body = ds_world_name( s->world, bodies[0] );
	const char *other = ds_world_name( s->world, bodies[1] );
	if ( strcmp( p->body, other ) != 0 )
	{
		return ds_error( DS_ERROR_RANGE,
			"optics stereo: %s: cameras \"%s\" and \"%s\" are on different bodies, \"%s\" and \"%s\": a stereo pair "
			"needs both "
			"on the same",
			o->file, p->sensors[0]->def.name, p->sensors[1]->def.name, p->body, other );
	}
	return DS_OK;
}

static ds_status learn( const stereo_options *o, const optics_world *s, pair *p )
{
	ds_lens lenses[2];
	DS_TRY( place( o, s, p ) );
	DS_TRY( take_lens( o, p, 0, &lenses[0] ) );
	DS_TRY( take_lens( o, p, 1, &lenses[1] ) );
	DS_TRY( ds_stereo_make( lenses, p->mounts, &p->stereo ) );
	DS_TRY( ds_stereo_rectify( &p->stereo, &p->rectification ) );
	for ( int i = 0; i < CLI_COUNT( distances ); ++i )
	{
		p->overlap[i] = ds_stereo_overlap( &p->stereo, distances[i] );
	}
	return DS_OK;
}

// The cameras that are named, or the scenario's two, the left one first.
static ds_status find( const stereo_options *o, const optics_world *s, pair *p )
{
	if ( o->names[0] )
	{
		DS_TRY( find_named( o, s->scenario, p ) );
		return learn( o, s, p );
	}
	DS_TRY( find_only( o, s->scenario, p ) );
	DS_TRY( learn( o, s, p ) );
	if ( p->rectification.baseline < 0 )
	{
		const ds_scenario_sensor *first = p->sensors[0];
		p->sensors[0] = p->sensors[1];
		p->sensors[1] = first;
		return learn( o, s, p );
	}
	return DS_OK;
}

static ds_status write_files( const stereo_options *o, const pair *p )
{
	if ( o->out )
	{
		DS_TRY( ds_stereo_save( &p->stereo, &p->rectification, o->out ) );
	}
	for ( int k = 0; k < 2 && o->ros[k]; ++k )
	{
		DS_TRY( ds_stereo_save_ros( &p->stereo, &p->rectification, k, p->sensors[k]->def.name, o->ros[k] ) );
	}
	return DS_OK;
}

// ---- text ----------------------------------------------------------------------------------------------------------

static const char *side( const pair *p, int k )
{
	static const char *const names[2][2] = { { "left", "right" }, { "upper", "lower" } };
	int32_t first = p->rectification.baseline < 0;
	return names[p->rectification.vertical][k ^ first];
}

// Rounding is shown as 0.
static double shown( double number )
{
	return fabs( number ) < 1e-9 ? 0 : number;
}

static void print_lens( const pair *p, int k )
{
	const ds_lens *l = &p->stereo.lens[k];
	printf( "%-22s %s: %s, %lld x %lld px, fx %.6g, fy %.6g, centre %.6g %.6g px\n", side( p, k ),
		p->sensors[k]->def.name, l->model == DS_LENS_FISHEYE ? "fisheye" : "rectilinear", (long long)l->width,
		(long long)l->height, l->fx, l->fy, l->cx, l->cy );
	if ( p->fitted[k] )
	{
		const ds_pinhole_fit *f = &p->fits[k];
		printf( "%-22s the pinhole nearest to what its port shows in water, fitted at %.4g m from the port:\n", "",
			2 * f->near_distance );
		printf( "%-22s off by %.3g px rms, %.3g at worst; by %.3g at %.4g m, %.3g at %.4g m\n", "", shown( f->rms ),
			shown( f->worst ), shown( f->near_worst ), f->near_distance, shown( f->far_worst ), f->far_distance );
	}
}

static void print_pair( const stereo_options *o, const pair *p )
{
	const ds_stereo *s = &p->stereo;
	const ds_rectification *r = &p->rectification;
	printf( "%sstereo pair%s on %s%s\n", cli_bold( stdout ), cli_plain( stdout ), p->body,
		p->dry ? ", not in water at the start; lenses behind ports are told as if it were" : "" );
	print_lens( p, 0 );
	print_lens( p, 1 );
	printf(
		"%-22s %.6g m, from %s to %s\n", "baseline", s->baseline, p->sensors[0]->def.name, p->sensors[1]->def.name );
	printf( "%-22s %.6g %.6g %.6g m\n", "T, optical axes", shown( s->translation.x ), shown( s->translation.y ),
		shown( s->translation.z ) );
	printf( "%-22s %.4f deg\n", "vergence", s->vergence * DEGREE );
	printf(
		"%-22s focal length %.6g px, centre %.6g %.6g px\n", "rectified images", r->focal, r->center[0], r->center[1] );
	printf( "%-22s%14s%18s%20s\n", "distance [m]", "overlap [%]", "disparity [px]", "depth of 1 px [m]" );
	for ( int i = 0; i < CLI_COUNT( distances ); ++i )
	{
		printf( "%-22g%14.1f%18.2f%20.3g\n", distances[i], 100 * p->overlap[i], ds_stereo_disparity( r, distances[i] ),
			ds_stereo_resolution( r, distances[i], 1 ) );
	}
	if ( o->out )
	{
		printf( "%-22s %s (OpenCV)\n", "written", o->out );
	}
	if ( o->ros[0] )
	{
		printf( "%-22s %s, %s (ROS)\n", "written", o->ros[0], o->ros[1] );
	}
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void put_camera( ds_json_writer *w, const pair *p, int k )
{
	const ds_lens *l = &p->stereo.lens[k];
	ds_json_begin( w, '{' );
	ds_json_key( w, "name" );
	ds_json_put_string( w, p->sensors[k]->def.name );
	ds_json_key( w, "side" );
	ds_json_put_string( w, side( p, k ) );
	ds_json_key( w, "model" );
	ds_json_put_string( w, l->model == DS_LENS_FISHEYE ? "fisheye" : "rectilinear" );
	optics_put_list( w, "size", ( double[] ){ (double)l->width, (double)l->height }, 2 );
	optics_put_list( w, "focal", ( double[] ){ l->fx, l->fy }, 2 );
	optics_put_list( w, "center", ( double[] ){ l->cx, l->cy }, 2 );
	optics_put_list( w, "k", l->k, l->model == DS_LENS_FISHEYE ? 4 : 3 );
	optics_put_list( w, "p", l->p, 2 );
	ds_json_key( w, "fit" );
	if ( p->fitted[k] )
	{
		const ds_pinhole_fit *f = &p->fits[k];
		ds_json_begin( w, '{' );
		optics_put( w, "rms", f->rms );
		optics_put( w, "worst", f->worst );
		optics_put( w, "near_distance", f->near_distance );
		optics_put( w, "near_worst", f->near_worst );
		optics_put( w, "far_distance", f->far_distance );
		optics_put( w, "far_worst", f->far_worst );
		ds_json_end( w, '}' );
	}
	else
	{
		ds_json_put_raw( w, "null" );
	}
	ds_json_end( w, '}' );
}

static void put_pair( ds_json_writer *w, const pair *p )
{
	const ds_stereo *s = &p->stereo;
	const ds_rectification *r = &p->rectification;
	ds_json_begin( w, '{' );
	ds_json_key( w, "body" );
	ds_json_put_string( w, p->body );
	ds_json_key( w, "cameras" );
	ds_json_begin( w, '[' );
	put_camera( w, p, 0 );
	put_camera( w, p, 1 );
	ds_json_end( w, ']' );
	optics_put( w, "baseline", s->baseline );
	optics_put( w, "vergence_deg", s->vergence * DEGREE );
	optics_put_list( w, "R", &s->rotation.m[0][0], 9 );
	optics_put_list( w, "T", ( double[] ){ s->translation.x, s->translation.y, s->translation.z }, 3 );
	optics_put_list( w, "E", &s->essential.m[0][0], 9 );
	optics_put_list( w, "F", &s->fundamental.m[0][0], 9 );
	optics_put_list( w, "R1", &r->rotation[0].m[0][0], 9 );
	optics_put_list( w, "R2", &r->rotation[1].m[0][0], 9 );
	optics_put_list( w, "P1", &r->projection[0][0][0], 12 );
	optics_put_list( w, "P2", &r->projection[1][0][0], 12 );
	optics_put_list( w, "Q", &r->q[0][0], 16 );
	ds_json_key( w, "distances" );
	ds_json_begin( w, '[' );
	for ( int i = 0; i < CLI_COUNT( distances ); ++i )
	{
		ds_json_begin_flat( w, '{' );
		optics_put( w, "distance", distances[i] );
		optics_put( w, "overlap", p->overlap[i] );
		optics_put( w, "disparity", ds_stereo_disparity( r, distances[i] ) );
		optics_put( w, "resolution", ds_stereo_resolution( r, distances[i], 1 ) );
		ds_json_end( w, '}' );
	}
	ds_json_end( w, ']' );
	ds_json_end( w, '}' );
}

// ---- command line --------------------------------------------------------------------------------------------------

static int run( const stereo_options *o )
{
	ds_hooks hooks = cli_hooks( false );
	optics_world s = { 0 };
	pair p = { 0 };
	ds_status status = optics_open( &s, o->file, o->overrides, o->override_count, &hooks );
	status = status == DS_OK ? find( o, &s, &p ) : status;
	status = status == DS_OK ? write_files( o, &p ) : status;
	int code = status == DS_OK ? CLI_OK : cli_fail();
	if ( code == CLI_OK && o->json )
	{
		ds_text text;
		ds_text_init( &text, NULL );
		ds_json_writer w = { &text, 0, 0, false, false };
		put_pair( &w, &p );
		code = cli_print_text( &text );
	}
	else if ( code == CLI_OK )
	{
		print_pair( o, &p );
	}
	optics_close( &s );
	return code;
}

enum
{
	OUT,
	ROS,
	DISTANCE,
	SET,
	JSON
};

static const cli_option options[] = {
	{ "-o", "FILE", "write it for OpenCV: M1 D1 M2 D2 R T E F R1 R2 P1 P2 Q" },
	{ "--ros", "LEFT RIGHT", "write two files of ROS's CameraInfo" },
	{ "--distance", "M", "behind a port: of the points that a pinhole is fitted to, from the port along the rays (2)" },
	{ "--set", "PATH=VALUE", "change a value of the scenario first; may be repeated" },
	{ "--json", NULL, "print JSON" },
};

static const cli_command command = { "optics stereo", "SCENARIO [LEFT RIGHT]",
	"Tells of two cameras on a body as a stereo pair (without names: the scenario's two): baseline, vergence, overlap, "
	"disparity and\nresolution of depth by distance; and writes its true calibration, with rectification as "
	"cv2.stereoRectify\n(CALIB_ZERO_DISPARITY, alpha -1) makes it. A camera behind a port is told as the pinhole that "
	"comes nearest in the water.",
	options, CLI_COUNT( options ),
	"  deepsim optics stereo rig.json\n"
	"  deepsim optics stereo rig.json left right -o stereo.yaml --ros left.yaml right.yaml\n" };

static int take_argument( stereo_options *o, const char *value )
{
	const char **free_place = o->file == NULL       ? &o->file
							  : o->names[0] == NULL ? &o->names[0]
							  : o->names[1] == NULL ? &o->names[1]
													: NULL;
	if ( free_place == NULL )
	{
		return cli_usage( &command, "expected a scenario and two cameras, got \"%s\" too", value );
	}
	*free_place = value;
	return CLI_OK;
}

static int take_option( stereo_options *o, cli_parser *parser, int found, const char *value )
{
	switch ( found )
	{
		case OUT:
			o->out = value;
			break;
		case ROS: // the argument after its value belongs to it
			o->ros[0] = value;
			if ( cli_next( parser, &o->ros[1] ) != CLI_ARGUMENT )
			{
				return cli_usage( &command, "--ros %s: expected the names of two files", value );
			}
			break;
		case DISTANCE:
			if ( !( cli_number( value, &o->distance ) && o->distance > 0 && o->distance <= 1e6 ) )
			{
				return cli_usage( &command, "--distance cannot be \"%s\": expected metres above 0, up to 1e6", value );
			}
			break;
		case SET:
			o->overrides[o->override_count++] = value;
			break;
		default:
			o->json = true;
			break;
	}
	return CLI_OK;
}

// False: end at once with *code.
static bool read_options( stereo_options *o, int argc, char **argv, int *code )
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
		*code = found == CLI_ARGUMENT ? take_argument( o, value ) : take_option( o, &parser, found, value );
		if ( *code != CLI_OK )
		{
			return false;
		}
	}
	if ( o->file == NULL )
	{
		*code = cli_usage( &command, "which scenario?" );
		return false;
	}
	if ( o->names[0] && ( o->names[1] == NULL || strcmp( o->names[0], o->names[1] ) == 0 ) )
	{
		*code = cli_usage( &command, "expected two different cameras, got only \"%s\"", o->names[0] );
		return false;
	}
	return true;
}

int cmd_optics_stereo( int argc, char **argv )
{
	stereo_options o = { .distance = 2 };
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

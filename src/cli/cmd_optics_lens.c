// deepsim optics lens: what a calibration file says, and the same in another format

#include "base/json.h"
#include "cli/cli.h"
#include "cli/optics.h"
#include "deepsim/lens.h"
#include "deepsim/math.h"

#include <stdlib.h>
#include <string.h>

#define DEGREE     ( DS_PI / 180 )
#define MAX_WRITES 16

// What can be told of a lens; NaN: there is none.
typedef struct report
{
	double across, down,
		diagonal; // fields of view: angles from the axis of opposite edges, and of opposite corners, added [deg]
	double
		corner[4]
			  [2]; // by which distortion moves what is seen there [px]: top left, top right, bottom left, bottom right
} report;

static const char *const model_names[] = { "rectilinear", "fisheye", "equirectangular", "stereographic" };
static const char *const format_names[] = { "opencv_yaml", "opencv_xml", "ros_yaml" };
static const char *const corner_names[] = { "top left", "top right", "bottom left", "bottom right" };

// The angle from the axis at which a pixel is seen; NaN: none.
static double angle_of( const ds_lens *lens, double u, double v )
{
	ds_vec3 d;
	return ds_lens_ray( lens, u, v, &d ) == DS_OK ? atan2( hypot( d.x, d.y ), d.z ) / DEGREE : NAN;
}

// From where a pixel's direction would be seen without distortion to the pixel.
static void measure_corner( const ds_lens *lens, double u, double v, double shift[2] )
{
	ds_lens plain = *lens;
	memset( plain.k, 0, sizeof( plain.k ) );
	memset( plain.p, 0, sizeof( plain.p ) );
	plain.limit = lens->model == DS_LENS_RECTILINEAR ? 0.5 * DS_PI : DS_PI;
	plain.radius = plain.sure = plain.bound = INFINITY;
	ds_vec3 d;
	double pixel[2];
	shift[0] = shift[1] = NAN;
	if ( ds_lens_ray( lens, u, v, &d ) == DS_OK && ds_lens_project( &plain, d, pixel ) == DS_OK )
	{
		shift[0] = u - pixel[0];
		shift[1] = v - pixel[1];
	}
}

static report measure( const ds_lens *l )
{
	double left = -0.5, right = (double)l->width - 0.5, top = -0.5, bottom = (double)l->height - 0.5;
	report r;
	r.across = angle_of( l, left, l->cy ) + angle_of( l, right, l->cy );
	r.down = angle_of( l, l->cx, top ) + angle_of( l, l->cx, bottom );
	double falling = angle_of( l, left, top ) + angle_of( l, right, bottom );
	double rising = angle_of( l, left, bottom ) + angle_of( l, right, top );
	r.diagonal = falling > rising || isnan( rising ) ? falling : rising;
	for ( int i = 0; i < 4; ++i )
	{
		measure_corner( l, i % 2 ? right : left, i / 2 ? bottom : top, r.corner[i] );
	}
	return r;
}

// ---- text --------------------------------------------------------------------------------------------------------------

static void print_angle( const char *what, double degrees )
{
	if ( isnan( degrees ) )
	{
		printf( "%-24s none: an edge of the image has no direction\n", what );
	}
	else
	{
		printf( "%-24s %.4g deg\n", what, degrees );
	}
}

static void print_distortion( const ds_lens *l, const report *r )
{
	const double *k = l->k;
	if ( l->model == DS_LENS_FISHEYE )
	{
		printf( "%-24s k1 %.6g, k2 %.6g, k3 %.6g, k4 %.6g\n", "distortion", k[0], k[1], k[2], k[3] );
	}
	else
	{
		printf(
			"%-24s k1 %.6g, k2 %.6g, p1 %.6g, p2 %.6g, k3 %.6g\n", "distortion", k[0], k[1], l->p[0], l->p[1], k[2] );
	}
	for ( int i = 0; i < 4; ++i )
	{
		if ( isnan( r->corner[i][0] ) )
		{
			printf( "  %-22s no direction: beyond where the map is one-to-one\n", corner_names[i] );
		}
		else
		{
			printf( "  %-22s moved by %+.2f, %+.2f px\n", corner_names[i], r->corner[i][0], r->corner[i][1] );
		}
	}
	double degrees = l->limit / DEGREE;
	bool ends = l->model == DS_LENS_RECTILINEAR ? degrees < 90 : degrees < 180;
	printf( "%-24s %.4g deg from the axis%s\n", "one-to-one up to", degrees,
		ends ? ", where the distortion turns back" : "" );
}

static void print_lens( const char *path, const ds_lens *l )
{
	report r = measure( l );
	printf( "%-24s %s\n%-24s %s\n", "file", path, "model", model_names[l->model] );
	printf( "%-24s %lld x %lld px\n", "image", (long long)l->width, (long long)l->height );
	printf( "%-24s %.8g, %.8g px\n%-24s %.8g, %.8g px\n", "focal lengths", l->fx, l->fy, "centre", l->cx, l->cy );
	print_angle( "field of view across", r.across );
	print_angle( "field of view down", r.down );
	print_angle( "field of view diagonal", r.diagonal );
	print_distortion( l, &r );
}

// ---- JSON --------------------------------------------------------------------------------------------------------------

static int print_json( const char *path, const ds_lens *l )
{
	report r = measure( l );
	ds_text text;
	ds_text_init( &text, NULL );
	ds_json_writer w = { &text, 0, 0, false, false };
	ds_json_begin( &w, '{' );
	ds_json_key( &w, "file" );
	ds_json_put_string( &w, path );
	ds_json_key( &w, "model" );
	ds_json_put_string( &w, model_names[l->model] );
	const double size[2] = { (double)l->width, (double)l->height }, f[2] = { l->fx, l->fy }, c[2] = { l->cx, l->cy };
	const double fov[3] = { r.across, r.down, r.diagonal }, limit = l->limit / DEGREE;
	optics_put_list( &w, "size", size, 2 );
	optics_put_list( &w, "focal", f, 2 );
	optics_put_list( &w, "center", c, 2 );
	optics_put_list( &w, "k", l->k, l->model == DS_LENS_FISHEYE ? 4 : 3 );
	optics_put_list( &w, "p", l->p, 2 );
	optics_put_list( &w, "fov_deg", fov, 3 );
	ds_json_key( &w, "limit_deg" );
	ds_json_put_number( &w, limit );
	optics_put_list( &w, "corners", r.corner[0], 8 );
	ds_json_end( &w, '}' );
	return cli_print_text( &text );
}

// ---- the verb ----------------------------------------------------------------------------------------------------------

static int format_of( const char *name )
{
	for ( int i = 0; i < DS_LENS_FORMAT_COUNT; ++i )
	{
		if ( strcmp( name, format_names[i] ) == 0 )
		{
			return i;
		}
	}
	return -1;
}

// --write FORMAT OUT: the argument after its value belongs to it.
static bool take_write( cli_parser *parser, const char *value, int *format, const char **path )
{
	*format = format_of( value );
	return *format >= 0 && cli_next( parser, path ) == CLI_ARGUMENT;
}

enum
{
	WRITE,
	NAME,
	JSON
};

static const cli_option options[] = {
	{ "--write", "FORMAT OUT", "write the lens: opencv_yaml, opencv_xml or ros_yaml; may be repeated" },
	{ "--name", "NAME", "camera_name of a file for ROS (camera)" },
	{ "--json", NULL, "print JSON" },
};

static const cli_command command = { "optics lens", "FILE",
	"Reads the calibration of a camera (OpenCV's FileStorage in YAML or XML, ROS's CameraInfo in YAML), prints what "
	"its lens sees, "
	"and writes it in other formats.",
	options, CLI_COUNT( options ),
	"  deepsim optics lens left.yaml\n"
	"  deepsim optics lens calib.xml --write ros_yaml left.yaml --name left\n" };

// What the command line says.
typedef struct request
{
	const char *path, *name, *outs[MAX_WRITES];
	int formats[MAX_WRITES], writes;
	bool json;
} request;

// No file twice, and a name only where a file has room for it.
static int check_writes( const request *r )
{
	bool named = r->name == NULL;
	for ( int i = 0; i < r->writes; ++i )
	{
		named = named || r->formats[i] == DS_LENS_ROS_YAML;
		for ( int k = 0; k < i; ++k )
		{
			if ( strcmp( r->outs[i], r->outs[k] ) == 0 )
			{
				return cli_usage( &command, "--write: %s is given twice: expected a file for each", r->outs[i] );
			}
		}
	}
	return named ? CLI_OK : cli_usage( &command, "--name: only files for ROS have a name: add --write ros_yaml FILE" );
}

// False: end with *code.
static bool take_arguments( int argc, char **argv, request *r, int *code )
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
		if ( found == WRITE )
		{
			int w = r->writes++;
			if ( w == MAX_WRITES || !take_write( &parser, value, &r->formats[w], &r->outs[w] ) )
			{
				*code = cli_usage( &command,
					"--write %s: expected opencv_yaml, opencv_xml or ros_yaml, and the name of a file (at most %d "
					"times)",
					value, MAX_WRITES );
				return false;
			}
		}
		else if ( found == NAME )
		{
			r->name = value;
		}
		else if ( found == JSON )
		{
			r->json = true;
		}
		else if ( r->path )
		{
			*code = cli_usage( &command, "one file at a time, got %s and %s", r->path, value );
			return false;
		}
		else
		{
			r->path = value;
		}
	}
	*code = r->path ? check_writes( r ) : cli_usage( &command, "a file is missing" );
	return *code == CLI_OK;
}

int cmd_optics_lens( int argc, char **argv )
{
	request r = { .path = NULL };
	int code;
	if ( !take_arguments( argc, argv, &r, &code ) )
	{
		return code;
	}
	ds_lens lens;
	if ( ds_lens_load( r.path, &lens ) != DS_OK )
	{
		return cli_fail();
	}
	for ( int i = 0; i < r.writes; ++i )
	{
		if ( ds_lens_save( &lens, r.name, (ds_lens_format)r.formats[i], r.outs[i] ) != DS_OK )
		{
			return cli_fail();
		}
	}
	if ( r.json )
	{
		return print_json( r.path, &lens );
	}
	print_lens( r.path, &lens );
	for ( int i = 0; i < r.writes; ++i )
	{
		printf( "%-24s %s (%s)\n", "written", r.outs[i], format_names[r.formats[i]] );
	}
	return CLI_OK;
}

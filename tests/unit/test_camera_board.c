// A rendered checkerboard: its corners, found in the image alone, lie where lens and port project them to.

#include "camera_kit.h"

#include <math.h>

#define WIDTH  400
#define HEIGHT 300

// The point that all edges in a window run through: the gradient at each pixel is across the line from it to the corner.
static bool refine( const float *grey, double *u, double *v, int radius )
{
	for ( int pass = 0; pass < 30; ++pass )
	{
		double a = 0, b = 0, c = 0, d = 0, e = 0;
		int64_t x0 = lround( *u ), y0 = lround( *v );
		if ( x0 < radius + 1 || y0 < radius + 1 || x0 >= WIDTH - radius - 1 || y0 >= HEIGHT - radius - 1 )
		{
			return false;
		}
		for ( int64_t y = y0 - radius; y <= y0 + radius; ++y )
		{
			for ( int64_t x = x0 - radius; x <= x0 + radius; ++x )
			{
				double dx = (double)x - *u, dy = (double)y - *v;
				double w = exp( -2 * ( dx * dx + dy * dy ) / ( radius * radius ) );
				double gx = 0.5 * ( grey[y * WIDTH + x + 1] - grey[y * WIDTH + x - 1] );
				double gy = 0.5 * ( grey[( y + 1 ) * WIDTH + x] - grey[( y - 1 ) * WIDTH + x] );
				a += w * gx * gx;
				b += w * gx * gy;
				c += w * gy * gy;
				d += w * ( gx * gx * (double)x + gx * gy * (double)y );
				e += w * ( gx * gy * (double)x + gy * gy * (double)y );
			}
		}
		double det = a * c - b * b;
		if ( !( det > 1e-12 ) )
		{
			return false;
		}
		double nu = ( c * d - b * e ) / det, nv = ( a * e - b * d ) / det, step = hypot( nu - *u, nv - *v );
		*u = nu;
		*v = nv;
		if ( step < 1e-4 )
		{
			return true;
		}
	}
	return false;
}

typedef struct board_case
{
	const char *name;
	int32_t model, port;
	double fov, k[4], p[2];
} board_case;

// Worst and mean distance of corners from where they are projected to [px].
static void check_case( const board_case *of )
{
	ds_camera_config c = kit_camera( WIDTH, HEIGHT );
	c.depth = c.normals = c.segmentation = c.flow = false;
	c.supersampling = 2;
	c.sensor.transfer = DS_TRANSFER_LINEAR;
	c.lens.model = of->model;
	c.lens.fov = of->fov * DEGREE;
	memcpy( c.lens.k, of->k, sizeof( of->k ) );
	memcpy( c.lens.p, of->p, sizeof( of->p ) );
	c.port.kind = of->port;
	c.port.distance = 0.04;
	c.port.tilt[1] = of->port == DS_PORT_FLAT ? 3 * DEGREE : 0;
	c.port.decentring[2] = of->port == DS_PORT_DOME ? -0.015 : 0;
	ds_lens lens;
	ds_port port;
	OK( ds_lens_make( &c.lens, &lens ) );
	OK( ds_port_make( &c.port, true, &port ) );

	ds_board board = ds_board_default( DS_BOARD_CHECKERBOARD );
	ds_visual *visual;
	OK( ds_visual_board( &board, NULL, &visual ) );
	ds_environment_def e = kit_deep();
	e.seabed = DS_SEABED_NONE;
	ds_world *world = kit_camera_world( &e, 20, 1 );
	const ds_twist rest = { { 0, 0, 0 }, { 0, 0, 0 } };
	const ds_pose mount = { { 0, 0, 3000 }, ds_quat_identity() };
	const double size = board.square * (double)board.columns;
	const ds_pose pose = { { 1.2 * size, 0.12 * size, 3000 - 0.05 * size },
		ds_quat_from_rpy( ds_v3( 0.1, 0.25, -0.3 ) ) };
	ds_id body = kit_thing( world, "rov", mount, rest, NULL );
	kit_thing( world, "board", pose, rest, visual );
	ds_id id = kit_add_camera( world, "camera", body, ds_pose_identity(), &c, 0 );
	ds_sample_header header;
	ds_camera *r = kit_frame( world, id, &header );
	const uint8_t *color = KIT_SPAN( r, color8 );
	float *grey = calloc( WIDTH * HEIGHT, sizeof( *grey ) );
	for ( int i = 0; i < WIDTH * HEIGHT; ++i )
	{
		grey[i] = (float)color[3 * i] / 255;
	}
	int found = 0;
	double worst = 0, sum = 0;
	for ( int64_t i = 0; i < ( board.rows - 1 ) * ( board.columns - 1 ); ++i )
	{
		ds_vec3 corner;
		double pixel[2];
		OK( ds_board_corner( &board, i, &corner ) );
		ds_vec3 at = kit_optical( mount, ds_pose_point( pose, corner ) );
		if ( ds_port_project( &lens, &port, at, pixel ) != DS_OK )
		{
			continue;
		}
		// started beside it, so that the image has to say where it is
		double u = pixel[0] + 1, v = pixel[1] - 1;
		if ( refine( grey, &u, &v, 5 ) )
		{
			double off = hypot( u - pixel[0], v - pixel[1] );
			worst = fmax( worst, off );
			sum += off;
			++found;
		}
	}
	if ( found < 20 || worst > 0.5 || sum / found > 0.15 )
	{
		fail_msg( "%s: %d corners, at worst %g px off, %g px in the mean", of->name, found, worst, sum / found );
	}
	free( grey );
	free( r );
	ds_world_destroy( world );
	ds_visual_release( visual );
}

static void test_corners( void **state )
{
	(void)state;
	static const board_case cases[] = {
		{ "pinhole", DS_LENS_RECTILINEAR, DS_PORT_NONE, 70, { 0, 0, 0, 0 }, { 0, 0 } },
		{ "barrel", DS_LENS_RECTILINEAR, DS_PORT_NONE, 75, { -0.35, 0.15, -0.02, 0 }, { 0, 0 } },
		{ "pincushion and tangential", DS_LENS_RECTILINEAR, DS_PORT_NONE, 60, { 0.4, 0.2, 0, 0 }, { 0.02, -0.03 } },
		{ "fisheye", DS_LENS_FISHEYE, DS_PORT_NONE, 110, { -0.05, 0.01, 0, 0 }, { 0, 0 } },
		{ "flat port", DS_LENS_RECTILINEAR, DS_PORT_FLAT, 90, { -0.2, 0.05, 0, 0 }, { 0, 0 } },
		{ "dome port", DS_LENS_RECTILINEAR, DS_PORT_DOME, 70, { -0.2, 0.05, 0, 0 }, { 0, 0 } },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		check_case( cases + i );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_corners ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

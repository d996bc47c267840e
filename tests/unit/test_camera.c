// The camera's geometry: rays of pixels, depth, normals, instances and flow against lens, port and analytic scenes.

#include "camera_kit.h"
#include "core/host.h"
#include "optics/camera.h"
#include "sensor_kit.h"

#include <math.h>

static void test_options( void **state )
{
	(void)state;
	kit_check_ranges( &ds_camera_options, "" );
	ds_camera_config c;
	FAILS(
		ds_table_parse( &ds_camera_options, "{ \"color\": false }", &c ), DS_ERROR_RANGE, "no frames are asked for" );
	FAILS( ds_table_parse( &ds_camera_options, "{ \"lit\": false, \"radiance\": true }", &c ), DS_ERROR_RANGE,
		"radiance: there is none without light" );
	FAILS( ds_table_parse( &ds_camera_options, "{ \"lens\": { \"width\": 20000, \"height\": 20000 } }", &c ),
		DS_ERROR_RANGE, "20000 x 20000 pixels" );
	FAILS( ds_table_parse( &ds_camera_options, "{ \"sensor\": { \"exposure\": 3 } }", &c ), DS_ERROR_RANGE,
		"sensor: half of the longest exposure" );
	FAILS( ds_table_parse( &ds_camera_options, "{ \"snow\": { \"minimum\": 0.01 } }", &c ), DS_ERROR_RANGE,
		"minimum must be below maximum" );
}

// ---- rays --------------------------------------------------------------------------------------------------------

static ds_camera_model *make_model( const ds_camera_config *config )
{
	static ds_hooks hooks;
	static ds_host host;
	ds_host_init( &host, &hooks );
	ds_camera_model *model;
	OK( ds_camera_model_create( &host, config, &model ) );
	return model;
}

// Every pixel that the lens reaches is in the table once, in blocks of 4 x 4, with the ray that lens and port give it.
static void check_rays( const ds_camera_config *config, bool whole )
{
	ds_camera_model *m = make_model( config );
	const int64_t pixels = (int64_t)m->width * m->height;
	unsigned char *met = calloc( 1, (size_t)pixels );
	for ( int s = 0; s < m->sides; ++s )
	{
		const ds_camera_side *side = m->side + s;
		memset( met, 0, (size_t)pixels );
		for ( int32_t t = 0; t < m->columns * m->rows; ++t )
		{
			const ds_ray_tile *tile = side->center.tiles + t;
			for ( int32_t k = 0; k < tile->count; ++k )
			{
				int32_t x = tile->pixel[k] % m->width, y = tile->pixel[k] / m->width;
				assert_int_equal( x / 16, t % m->columns );
				assert_int_equal( y / 16, t / m->columns );
				assert_int_equal( met[tile->pixel[k]]++, 0 );
				ds_vec3 o, d, inside;
				double through = 1;
				const ds_pose pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } };
				assert_true( kit_ray( &m->lens, side->bends ? &side->port : NULL, pose, x, y, &o, &d, &inside ) );
				NEAR( tile->direction[0][k], d.y, 1e-7 );
				NEAR( tile->direction[1][k], d.z, 1e-7 );
				NEAR( tile->direction[2][k], d.x, 1e-7 );
				if ( side->bends )
				{
					NEAR( side->center.origins[t].at[0][k], o.y, 1e-7 );
					NEAR( side->center.origins[t].at[2][k], o.x, 1e-7 );
					OK( ds_port_ray( &side->port, inside, &o, &d, &through ) );
					// radiance / index^2 stays: a bit more than ( 3/4 )^2 from water to air
					through *= s == 0 ? 0.55454 : 1;
				}
				NEAR( side->light[tile->pixel[k]], through * ds_lens_light( &m->lens, inside ),
					side->bends ? 1e-5 : 1e-6 );
			}
		}
		int64_t count = 0;
		for ( int64_t i = 0; i < pixels; ++i )
		{
			count += met[i];
			assert_true( met[i] || side->light[i] == 0 );
		}
		assert_int_equal( count == pixels, whole );
	}
	free( met );
	ds_camera_model_destroy( m );
}

static void test_rays( void **state )
{
	(void)state;
	ds_camera_config c = kit_camera( 101, 75 );
	check_rays( &c, true );
	c.lens.k[0] = -0.3;
	c.lens.k[1] = 0.1;
	c.lens.p[0] = 0.002;
	c.lens.vignetting = 4;
	c.port.kind = DS_PORT_FLAT;
	c.port.distance = 0.05;
	c.port.tilt[0] = 0.05;
	check_rays( &c, true );
	c.port.kind = DS_PORT_DOME;
	c.port.decentring[2] = -0.01;
	check_rays( &c, true );
	// a fisheye of 190 degrees leaves the corners dark
	c = kit_camera( 120, 120 );
	c.lens.model = DS_LENS_FISHEYE;
	c.lens.fov = 340 * DEGREE;
	check_rays( &c, false );
}

// The pixels of a tile come in blocks of 4 x 4.
static void test_order( void **state )
{
	(void)state;
	ds_camera_config c = kit_camera( 32, 16 );
	ds_camera_model *m = make_model( &c );
	for ( int k = 0; k < 256; ++k )
	{
		int x = k / 16 % 4 * 4 + k % 4, y = k / 64 * 4 + k % 16 / 4;
		assert_int_equal( m->side[0].center.tiles[1].pixel[k], y * 32 + 16 + x );
	}
	ds_camera_model_destroy( m );
}

// Weights of colours in bands add up to 1.
static void test_bands( void **state )
{
	(void)state;
	ds_camera_config c = kit_camera( 16, 16 );
	for ( int n = 3; n <= DS_MAX_BANDS; ++n )
	{
		c.bands = n;
		ds_camera_model *m = make_model( &c );
		assert_int_equal( m->bands.count, n );
		for ( int b = 0; b < n; ++b )
		{
			NEAR( m->reflect[b][0] + m->reflect[b][1] + m->reflect[b][2], 1, 1e-6 );
		}
		NEAR( m->reflect[0][2], 1, 0 );
		NEAR( m->reflect[n - 1][0], 1, 0 );
		ds_camera_model_destroy( m );
	}
}

// ---- a plane and a sphere ----------------------------------------------------------------------------------------

typedef struct view
{
	ds_lens lens;
	ds_port port;
	bool bends;
	ds_pose pose;
} view;

static view view_of( const ds_camera_config *c, ds_pose pose )
{
	view v = { .bends = c->port.kind != DS_PORT_NONE, .pose = pose };
	OK( ds_lens_make( &c->lens, &v.lens ) );
	OK( ds_port_make( &c->port, true, &v.port ) );
	return v;
}

// Distance to a sphere (nearest, from outside), or < 0.
static double meet_sphere( ds_vec3 origin, ds_vec3 direction, ds_vec3 center, double radius )
{
	ds_vec3 o = ds_sub( origin, center );
	double b = ds_dot( o, direction ), c = ds_dot( o, o ) - radius * radius, d = b * b - c;
	return d > 0 && b < 0 ? -b - sqrt( d ) : -1;
}

// Holds every pixel against what its ray meets; how many see the ball.
static int64_t check_scene( const ds_camera *r, const view *v, double floor, ds_vec3 center, double radius )
{
	const float *depth = KIT_SPAN( r, depth ), *z_depth = KIT_SPAN( r, z_depth ), *normals = KIT_SPAN( r, normals );
	const int32_t *ids = KIT_SPAN( r, segmentation );
	int64_t balls = 0;
	for ( int64_t i = 0; i < r->width * r->height; ++i )
	{
		ds_vec3 o, d, inside;
		assert_true( kit_ray( &v->lens, v->bends ? &v->port : NULL, v->pose, (double)( i % r->width ),
			(double)( i / r->width ), &o, &d, &inside ) );
		double plane = d.z > 0 ? ( floor - o.z ) / d.z : INFINITY, ball = meet_sphere( o, d, center, radius );
		bool on_ball = ball > 0 && ball < plane;
		double t = on_ball ? ball : plane;
		ds_vec3 n = on_ball ? ds_scale( 1 / radius, ds_sub( ds_mad( o, t, d ), center ) ) : ds_v3( 0, 0, -1 );
		if ( -ds_dot( n, d ) < 0.35 && ( on_ball || t < 100 ) )
		{
			continue; // the limb of facets is not that of a sphere
		}
		if ( t > 100 )
		{
			assert_true( isinf( depth[i] ) && isinf( z_depth[i] ) && ids[i] == 0 && normals[3 * i + 2] == 0 );
			continue;
		}
		balls += on_ball;
		assert_int_equal( ids[i], on_ball ? 2 + 1 : 1 );
		NEAR( depth[i], t, 1e-5 * t );
		ds_vec3 seen = kit_optical( v->pose, ds_mad( o, t, d ) );
		NEAR( z_depth[i], seen.z, 1e-5 * t );
		ds_vec3 normal = ds_unrotate( v->pose.attitude, n );
		NEAR( normals[3 * i], normal.y, on_ball ? 2e-3 : 1e-6 );
		NEAR( normals[3 * i + 1], normal.z, on_ball ? 2e-3 : 1e-6 );
		NEAR( normals[3 * i + 2], normal.x, on_ball ? 2e-3 : 1e-6 );
	}
	return balls;
}

static void test_depth( void **state )
{
	(void)state;
	ds_environment_def e = kit_deep();
	ds_visual *ball = kit_ball( 0.5, 320000, 0.8, 0.1, 0.1 );
	for ( int kind = 0; kind < 4; ++kind )
	{
		ds_camera_config c = kit_camera( 160, 120 );
		c.range = 100;
		c.lens.k[0] = kind > 0 ? -0.25 : 0;
		c.lens.k[1] = kind > 0 ? 0.06 : 0;
		c.lens.p[1] = kind > 0 ? 0.003 : 0;
		c.port.kind = kind == 2 ? DS_PORT_FLAT : kind == 3 ? DS_PORT_DOME : DS_PORT_NONE;
		c.port.distance = 0.06;
		c.port.salinity = 5;
		c.port.temperature = 25;
		c.port.decentring[0] = 0.01;
		ds_world *world = kit_camera_world( &e, 50, 1 );
		const ds_pose body = { { 1, 2, 3007 }, ds_quat_from_rpy( ds_v3( 0.1, -0.3, 0.7 ) ) };
		const ds_pose mount = { { 0.4, 0.1, -0.2 }, ds_quat_from_rpy( ds_v3( -0.05, -0.2, 0.02 ) ) };
		const ds_twist rest = { { 0, 0, 0 }, { 0, 0, 0 } };
		ds_id carrier = kit_thing( world, "rov", body, rest, NULL );
		const ds_pose pose = ds_pose_mul( body, mount );
		const ds_vec3 center = ds_pose_point( pose, ds_v3( 3, 0.3, 0.2 ) );
		kit_thing( world, "ball", ( ds_pose ){ center, ds_quat_identity() }, rest, ball );
		ds_id id = kit_add_camera( world, "camera", carrier, mount, &c, 0 );
		ds_sample_header header;
		ds_camera *r = kit_frame( world, id, &header );
		view v = view_of( &c, pose );
		assert_true( check_scene( r, &v, 3010, center, 0.5 ) > 300 );
		free( r );
		ds_world_destroy( world );
	}
	ds_visual_release( ball );
}

// ---- flow --------------------------------------------------------------------------------------------------------

static ds_pose moved( ds_pose pose, ds_twist velocity, double t )
{
	ds_pose p = { ds_mad( pose.position, t, velocity.linear ),
		ds_quat_mul( ds_quat_exp( ds_scale( t, velocity.angular ) ), pose.attitude ) };
	return p;
}

// Where a point is seen.
static void see( const view *v, ds_pose pose, ds_vec3 point, double pixel[2] )
{
	ds_vec3 at = kit_optical( pose, point );
	OK( v->bends ? ds_port_project( &v->lens, &v->port, at, pixel ) : ds_lens_project( &v->lens, at, pixel ) );
}

// Every tenth pixel: the point that it sees, moved on with what it belongs to, seen from the camera, moved on too.
static void check_flow(
	const ds_camera *r, const view *v, ds_pose body, ds_pose mount, ds_twist own, ds_pose thing, ds_twist other )
{
	const float *depth = KIT_SPAN( r, depth ), *flow = KIT_SPAN( r, flow );
	const int32_t *ids = KIT_SPAN( r, segmentation );
	double largest = 0;
	for ( int64_t i = 0; i < r->width * r->height; i += 7 )
	{
		ds_vec3 o, d, inside;
		assert_true( kit_ray( &v->lens, v->bends ? &v->port : NULL, v->pose, (double)( i % r->width ),
			(double)( i / r->width ), &o, &d, &inside ) );
		if ( isinf( depth[i] ) )
		{
			assert_true( flow[2 * i] == 0 && flow[2 * i + 1] == 0 );
			continue;
		}
		const double h = 1e-4;
		ds_vec3 point = ds_mad( o, depth[i], d ),
				local = ds_unrotate( thing.attitude, ds_sub( point, thing.position ) );
		double pixel[2][2];
		for ( int k = 0; k < 2; ++k )
		{
			double t = k ? h : -h;
			ds_vec3 at = ids[i] == 3 ? ds_pose_point( moved( thing, other, t ), local ) : point;
			see( v, ds_pose_mul( moved( body, own, t ), mount ), at, pixel[k] );
		}
		double u = ( pixel[1][0] - pixel[0][0] ) / ( 2 * h ), w = ( pixel[1][1] - pixel[0][1] ) / ( 2 * h );
		double size = hypot( u, w );
		largest = fmax( largest, size );
		NEAR( flow[2 * i], u, 2e-4 * size + 0.01 );
		NEAR( flow[2 * i + 1], w, 2e-4 * size + 0.01 );
	}
	assert_true( largest > 50 );
}

static void test_flow( void **state )
{
	(void)state;
	ds_environment_def e = kit_deep();
	ds_visual *ball = kit_ball( 0.5, 5120, 0.8, 0.1, 0.1 );
	for ( int kind = 0; kind < 3; ++kind )
	{
		ds_camera_config c = kit_camera( 96, 72 );
		c.lens.k[0] = -0.2;
		c.lens.k[1] = 0.05;
		c.port.kind = kind == 1 ? DS_PORT_FLAT : kind == 2 ? DS_PORT_DOME : DS_PORT_NONE;
		c.port.distance = 0.05;
		c.port.decentring[2] = 0.01;
		ds_world *world = kit_camera_world( &e, 100, 1 );
		const ds_pose body = { { 0, 0, 3007 }, ds_quat_from_rpy( ds_v3( 0.1, -0.4, 0.7 ) ) };
		const ds_pose mount = { { 0.3, 0, 0.1 }, ds_quat_from_rpy( ds_v3( 0, -0.1, 0.1 ) ) };
		const ds_twist own = { { 0.5, -0.3, 0.1 }, { 0.1, 0.2, -0.15 } },
					   other = { { -0.4, 0.6, 0.2 }, { 0.5, -1, 2 } };
		const ds_pose pose = ds_pose_mul( body, mount );
		const ds_pose thing = { ds_pose_point( pose, ds_v3( 2.5, 0.2, 0.1 ) ), ds_quat_identity() };
		ds_id carrier = kit_thing( world, "rov", body, own, NULL );
		kit_thing( world, "ball", thing, other, ball );
		ds_id id = kit_add_camera( world, "camera", carrier, mount, &c, 0 );
		OK( ds_world_step( world, 0 ) );
		ds_sample_header header;
		ds_camera *r = kit_frame( world, id, &header );
		assert_int_equal( header.time, 0 );
		view v = view_of( &c, pose );
		check_flow( r, &v, body, mount, own, thing, other );
		free( r );
		ds_world_destroy( world );
	}
	ds_visual_release( ball );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_rays ),
		cmocka_unit_test( test_order ),
		cmocka_unit_test( test_bands ),
		cmocka_unit_test( test_depth ),
		cmocka_unit_test( test_flow ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

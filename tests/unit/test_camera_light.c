// The camera's pictures: exposures about the stamp, rolling shutters, smooth edges, the light of a wall, shadows, automatic exposure.

#include "camera_kit.h"

#include <math.h>

// Nothing but water, dark.
static ds_environment_def empty( void )
{
	ds_environment_def e = kit_deep();
	e.seabed = DS_SEABED_NONE;
	return e;
}

// 16 bits, linear: shares of full scale to 1.5e-5.
static ds_camera_config flat_camera( int64_t width, int64_t height )
{
	ds_camera_config c = kit_camera( width, height );
	c.depth = c.normals = c.segmentation = c.flow = false;
	c.sensor.bits = 16;
	c.sensor.transfer = DS_TRANSFER_LINEAR;
	return c;
}

static const ds_twist rest = { { 0, 0, 0 }, { 0, 0, 0 } };

// A frame of one thing in front of a camera at rest.
static ds_camera *frame_of(
	const ds_camera_config *c, const ds_visual *visual, ds_vec3 at, ds_twist velocity, ds_sample_header *header )
{
	ds_environment_def e = empty();
	ds_world *world = kit_camera_world( &e, 100, 1 );
	ds_id body = kit_thing( world, "rov", ( ds_pose ){ { 0, 0, 3000 }, ds_quat_identity() }, rest, NULL );
	kit_thing( world, "thing", ( ds_pose ){ ds_add( ds_v3( 0, 0, 3000 ), at ), ds_quat_identity() }, velocity, visual );
	ds_id id = kit_add_camera( world, "camera", body, ds_pose_identity(), c, 0 );
	ds_camera *r = kit_frame( world, id, header );
	assert_int_equal( header->time, 0 );
	ds_world_destroy( world );
	return r;
}

typedef struct blob
{
	double sum, u, v, spread; // of the red channel: total, centroid, standard deviation along u [px]
} blob;

static blob measure( const ds_camera *r, int64_t first_row, int64_t rows )
{
	const uint16_t *color = KIT_SPAN( r, color16 );
	blob b = { 0, 0, 0, 0 };
	double uu = 0;
	for ( int64_t i = first_row * r->width; i < ( first_row + rows ) * r->width; ++i )
	{
		double share = color[3 * i] / 65535.0, u = (double)( i % r->width );
		b.sum += share;
		b.u += share * u;
		b.v += share * (double)( i / r->width );
		uu += share * u * u;
	}
	b.u /= b.sum;
	b.v /= b.sum;
	b.spread = sqrt( uu / b.sum - b.u * b.u );
	return b;
}

// The blur of a moving ball lies evenly about where it is at the stamp: v T / sqrt( 12 ) is what it adds to the spread.
static void test_exposure_about_the_stamp( void **state )
{
	(void)state;
	ds_visual *ball = kit_ball( 0.2, 20480, 1, 1, 1 );
	ds_sample_header header;
	ds_camera_config c = flat_camera( 160, 120 );
	c.sensor.exposure = 0.1;
	c.supersampling = 2;
	const ds_vec3 at = ds_v3( 3, -0.3, 0.1 );
	ds_camera *sharp = frame_of( &c, ball, at, rest, &header );
	assert_true( header.available == 50000000 );
	c.motion_samples = 32;
	ds_camera *blurred = frame_of( &c, ball, at, ( ds_twist ){ { 0, 4, 0 }, { 0, 0, 0 } }, &header );
	blob a = measure( sharp, 0, 120 ), b = measure( blurred, 0, 120 );
	double focal = 80 / tan( 35 * DEGREE ), length = focal * 4 * 0.1 / 3;
	assert_true( length > 10 );
	NEAR( b.u, a.u, 0.05 );
	NEAR( b.v, a.v, 0.05 );
	NEAR( b.sum, a.sum, 0.005 * a.sum );
	NEAR( sqrt( b.spread * b.spread - a.spread * a.spread ), length / sqrt( 12 ), 0.1 );
	free( sharp );
	free( blurred );
	ds_visual_release( ball );
}

// Rows are exposed one after another, from the top; the middle one at the stamp. What goes to the right leans to the right at the bottom.
static void test_rolling_shutter( void **state )
{
	(void)state;
	ds_visual *post = kit_block( 0.1, 0.3, 20, 1 );
	ds_sample_header header;
	ds_camera_config c = flat_camera( 160, 121 );
	c.sensor.exposure = 1e-4;
	c.sensor.readout = 0.08;
	c.supersampling = 4;
	const ds_vec3 at = ds_v3( 3, 0.2, 0 );
	ds_camera *still = frame_of( &c, post, at, rest, &header );
	ds_camera *moves = frame_of( &c, post, at, ( ds_twist ){ { 0, 2, 0 }, { 0, 0, 0 } }, &header );
	double focal = 80 / tan( 35 * DEGREE ), lean = focal * 2 * 0.08 / ( 3 - 0.05 );
	for ( int64_t row = 0; row < 121; row += 10 )
	{
		blob a = measure( still, row, 1 ), b = measure( moves, row, 1 );
		NEAR( b.u - a.u, lean * ( (double)row / 120 - 0.5 ), 0.25 );
		NEAR( b.sum, a.sum, 0.3 );
	}
	free( still );
	free( moves );
	ds_visual_release( post );
}

// A disc's image has the area that it should, to a part of a pixel at its edge.
static void test_supersampling( void **state )
{
	(void)state;
	ds_visual *ball = kit_ball( 0.3, 81920, 1, 1, 1 );
	ds_sample_header header;
	ds_camera_config c = flat_camera( 96, 96 );
	double errors[2];
	const double focal = 48 / tan( 35 * DEGREE ), angle = asin( 0.3 / 3.0 );
	const double area = DS_PI * pow( focal * tan( angle ), 2 );
	for ( int i = 0; i < 2; ++i )
	{
		c.supersampling = i ? 4 : 1;
		ds_camera *r = frame_of( &c, ball, ds_v3( 3, 0, 0 ), rest, &header );
		errors[i] = fabs( measure( r, 0, 96 ).sum - area );
		free( r );
	}
	assert_true( errors[1] < 0.5 && errors[0] < 6 );
	ds_visual_release( ball );
}

// ---- light -------------------------------------------------------------------------------------------------------

typedef struct wall_rig
{
	ds_world *world;
	ds_id body, camera;
} wall_rig;

// A wall across the view, and an isotropic lamp at the pinhole.
static wall_rig make_wall( const ds_camera_config *c, double range )
{
	ds_environment_def e = empty();
	wall_rig r;
	r.world = kit_camera_world( &e, 20, 1 );
	r.body = kit_thing( r.world, "rov", ( ds_pose ){ { 0, 0, 3000 }, ds_quat_identity() }, rest, NULL );
	ds_visual *wall = kit_block( 0.2, 40, 40, 0.5 );
	kit_thing( r.world, "wall", ( ds_pose ){ { range + 0.1, 0, 3000 }, ds_quat_identity() }, rest, wall );
	ds_visual_release( wall );
	ds_actuator_def def = ds_actuator_def_default();
	ds_lamp_config lamp = ds_lamp_config_default();
	lamp.level = 1;
	lamp.flux = 20;
	lamp.beam = DS_BEAM_ISOTROPIC;
	lamp.radius = 0;
	snprintf( def.name, sizeof( def.name ), "lamp" );
	snprintf( def.type, sizeof( def.type ), "lamp" );
	def.body = r.body;
	def.config = &lamp;
	ds_id id;
	OK( ds_actuator_create( r.world, &def, &id ) );
	r.camera = kit_add_camera( r.world, "camera", r.body, ds_pose_identity(), c, 0 );
	return r;
}

// Direct light of a Lambert wall on the axis: I rho / pi exp( -2 c r ) / r^2, in each band.
static void test_wall( void **state )
{
	(void)state;
	ds_camera_config c = kit_camera( 33, 25 );
	c.lit = c.radiance = true;
	c.backscatter_steps = 0;
	c.forward_scatter = false;
	ds_water_optics_def water = ds_water_optics_def_default();
	ds_water_optics *optics;
	OK( ds_water_optics_create( &water, NULL, &optics ) );
	ds_lamp_config config = ds_lamp_config_default();
	config.flux = 20;
	config.beam = DS_BEAM_ISOTROPIC;
	ds_lamp lamp;
	OK( ds_lamp_make( &config, &lamp ) );
	const ds_bands bands = ds_bands_rgb();
	const double ranges[] = { 1, 2.5, 7 };
	for ( int i = 0; i < 3; ++i )
	{
		wall_rig w = make_wall( &c, ranges[i] );
		ds_sample_header header;
		OK( ds_world_step( w.world, 1 ) ); // lamps shine from the first tick on
		ds_camera *r = kit_frame( w.world, w.camera, &header );
		const float *radiance = (const float *)KIT_SPAN( r, radiance ) + 3 * ( 12 * 33 + 16 );
		for ( int b = 0; b < 3; ++b )
		{
			ds_iop iop = ds_water_optics_band( optics, 3000, bands.wavelength[b], bands.width[b] );
			double intensity = ds_lamp_intensity( &lamp, 0, bands.wavelength[b], bands.width[b] );
			double direct = intensity * 0.5 / DS_PI * exp( -2 * iop.c * ranges[i] ) / ( ranges[i] * ranges[i] );
			NEAR( radiance[2 - b], direct, 0.01 * direct );
		}
		free( r );
		ds_world_destroy( w.world );
	}
	ds_water_optics_release( optics );
}

// Automatic exposure comes to its target, and stays.
static void test_automatic_exposure( void **state )
{
	(void)state;
	ds_camera_config c = flat_camera( 64, 48 );
	c.lit = true;
	c.sensor.auto_exposure = true;
	c.sensor.exposure = 1e-4;
	c.backscatter_steps = 0; // right beside a lamp there is no end of it
	wall_rig w = make_wall( &c, 1.2 );
	ds_sample_header header;
	OK( ds_world_step( w.world, 30 ) );
	ds_camera *r = kit_frame( w.world, w.camera, &header );
	NEAR( r->mean, c.sensor.auto_target, 0.001 );
	assert_true( r->exposure > 1e-3 && r->exposure < 0.09 );
	blob b = measure( r, 0, 48 );
	assert_true( b.sum > 0.02 * 64 * 48 );
	free( r );
	ds_world_destroy( w.world );
}

// A ball between a lamp and the wall takes its direct light away, and in the water behind it the scattered light too.
static void test_shadows( void **state )
{
	(void)state;
	double direct[2], scattered[2];
	for ( int i = 0; i < 2; ++i )
	{
		for ( int k = 0; k < 2; ++k )
		{
			ds_camera_config c = kit_camera( 65, 49 );
			c.lit = c.radiance = true;
			c.forward_scatter = false;
			c.shadows = c.beam_shadows = i == 1;
			c.backscatter_steps = k ? 16 : 0;
			ds_environment_def e = empty();
			ds_world *world = kit_camera_world( &e, 20, 1 );
			ds_id body = kit_thing( world, "rov", ( ds_pose ){ { 0, 0, 3000 }, ds_quat_identity() }, rest, NULL );
			ds_visual *wall = kit_block( 0.2, 40, 40, k ? 0 : 0.5 ), *ball = kit_ball( 0.2, 1280, 0.5, 0.5, 0.5 );
			kit_thing( world, "wall", ( ds_pose ){ { 5, 0, 3000 }, ds_quat_identity() }, rest, wall );
			// the lamp is 2 m to the left and shines to the right, across the view
			kit_thing( world, "ball", ( ds_pose ){ { 1.4, -1.4, 3000 }, ds_quat_identity() }, rest, ball );
			kit_add_lamp(
				world, "lamp", body, ( ds_pose ){ { 0, -2, 0 }, ds_quat_from_rpy( ds_v3( 0, 0, 0.4 ) ) }, 30 );
			ds_id id = kit_add_camera( world, "camera", body, ds_pose_identity(), &c, 0 );
			OK( ds_world_step( world, 1 ) );
			ds_sample_header header;
			ds_camera *r = kit_frame( world, id, &header );
			// the ball's shadow goes through (1.4, -1.4), and meets the wall 0.1 m right of the axis
			const float *radiance = KIT_SPAN( r, radiance );
			( k ? scattered : direct )[i] = radiance[3 * ( 24 * 65 + 33 ) + 1];
			free( r );
			ds_visual_release( wall );
			ds_visual_release( ball );
			ds_world_destroy( world );
		}
	}
	assert_true( direct[0] > 1e-5 && direct[1] == 0 );
	assert_true( scattered[0] > 1e-6 && scattered[1] < 0.95 * scattered[0] && scattered[1] > 0 );
}

// In the air rays bend as a dry port bends them.
static void test_dry( void **state )
{
	(void)state;
	ds_camera_config c = kit_camera( 64, 48 );
	c.port.kind = DS_PORT_FLAT;
	c.port.distance = 0.03;
	ds_environment_def e = empty();
	ds_visual *wall = kit_block( 0.2, 40, 40, 0.5 );
	for ( int wet = 0; wet < 2; ++wet )
	{
		ds_world *world = kit_camera_world( &e, 20, 1 );
		const double z = wet ? 3000 : -50;
		ds_id body = kit_thing( world, "rov", ( ds_pose ){ { 0, 0, z }, ds_quat_identity() }, rest, NULL );
		kit_thing( world, "wall", ( ds_pose ){ { 3, 0, z }, ds_quat_identity() }, rest, wall );
		ds_id id = kit_add_camera( world, "camera", body, ds_pose_identity(), &c, 0 );
		ds_sample_header header;
		ds_camera *r = kit_frame( world, id, &header );
		const float *depth = KIT_SPAN( r, depth );
		ds_lens lens;
		ds_port port;
		OK( ds_lens_make( &c.lens, &lens ) );
		OK( ds_port_make( &c.port, wet, &port ) );
		for ( int k = 0; k < 64 * 48; k += 61 )
		{
			ds_vec3 o, d, inside;
			assert_true( kit_ray( &lens, &port, ds_pose_identity(), k % 64, k / 64, &o, &d, &inside ) );
			double t = ( 2.9 - o.x ) / d.x;
			NEAR( depth[k], t, 1e-5 * t );
		}
		free( r );
		ds_world_destroy( world );
	}
	ds_visual_release( wall );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_exposure_about_the_stamp ),
		cmocka_unit_test( test_rolling_shutter ),
		cmocka_unit_test( test_supersampling ),
		cmocka_unit_test( test_wall ),
		cmocka_unit_test( test_automatic_exposure ),
		cmocka_unit_test( test_shadows ),
		cmocka_unit_test( test_dry ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The example nodule_survey: what its camera shows of the seabed, made smaller for the time it takes.

#include "examples_kit.h"

#include <stdlib.h>
#include <string.h>

#define NODULES ( 1 << 23 )

static const char *const small[] = {
	"sensors.camera.config.lens.width=320",
	"sensors.camera.config.lens.height=240",
	"sensors.camera.config.supersampling=1",
	"sensors.camera.config.snow.density=0",
	"sensors.camera.config.sensor.shot_noise=false",
};

typedef struct rig
{
	ds_world *world;
	ds_id camera, pose;
	ds_camera *frame;
	size_t size;
} rig;

static rig start( void )
{
	rig r = { 0 };
	r.world = world_of( EXAMPLES "nodule_survey/nodule_survey.json", small, 5 );
	OK( ds_world_find( r.world, DS_SENSOR, "camera", &r.camera ) );
	OK( ds_world_find( r.world, DS_SENSOR, "camera_pose", &r.pose ) );
	OK( ds_sensor_output( r.world, r.camera, NULL, &r.size ) );
	r.frame = malloc( r.size );
	assert_non_null( r.frame );
	return r;
}

static ds_pose next( rig *r )
{
	ds_sample_header header, other;
	ds_odometry at;
	OK( ds_sensor_next( r->world, r->camera, &header, r->frame, r->size ) );
	OK( ds_sensor_next( r->world, r->pose, &other, &at, sizeof( at ) ) );
	assert_true( header.time == other.time );
	assert_int_equal( r->frame->width, 320 );
	const ds_pose pose = { { at.position[0], at.position[1], at.position[2] },
		{ at.attitude[0], at.attitude[1], at.attitude[2], at.attitude[3] } };
	return pose;
}

static void stop( rig *r )
{
	free( r->frame );
	ds_world_destroy( r->world );
}

static const void *span( const rig *r, ds_span at )
{
	return (const char *)r->frame + at.offset;
}

// Share of the pixels that show nodules.
static double cover( const rig *r )
{
	const int32_t *ids = span( r, r->frame->segmentation );
	const int64_t count = r->frame->segmentation.count;
	int64_t under = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		assert_true( ids[i] == 1 || ids[i] >= NODULES );
		under += ids[i] >= NODULES;
	}
	return (double)under / (double)count;
}

// Some 30 m2 of separate places, with 100 nodules each: 2 % of statistics.
static void test_cover( void **state )
{
	(void)state;
	rig r = start();
	double sum = 0;
	int frames = 0;
	for ( double t = 0; t < 9; t += 2.5 )
	{
		run_to( r.world, t + 0.02 ); // when the exposure is over
		next( &r );
		if ( t != 2.5 ) // it stands at the start, and half of what it saw is seen again
		{
			sum += cover( &r );
			++frames;
		}
	}
	assert_near( sum / frames, 0.22, 0.06 );
	stop( &r );
}

// Every pixel of the depth lies on the ground, through lens, port and the pose of the same stamp, while the vehicle pitches.
static void test_on_the_ground( void **state )
{
	(void)state;
	rig r = start();
	run_to( r.world, 2.52 );
	next( &r );
	ds_pose pose = next( &r );
	assert_true( fabs( ds_quat_to_rpy( pose.attitude ).y + DS_PI / 2 ) > 0.005 );

	ds_lens_config lens_config = ds_lens_config_default();
	ds_port_config port_config = ds_port_config_default();
	lens_config.width = 320;
	lens_config.height = 240;
	lens_config.fov = 65 * DEGREE;
	port_config.kind = DS_PORT_FLAT;
	port_config.glass = DS_GLASS_SAPPHIRE;
	port_config.thickness = 0.008;
	port_config.distance = 0.015;
	port_config.salinity = 34.7;
	port_config.temperature = 1.5;
	port_config.pressure = 40.6e6;
	ds_lens lens;
	ds_port port;
	OK( ds_lens_make( &lens_config, &lens ) );
	OK( ds_port_make( &port_config, true, &port ) );
	const float *depth = span( &r, r.frame->depth );
	for ( int64_t i = 0; i < 320 * 240; i += 7 )
	{
		ds_vec3 inside, origin, direction;
		OK( ds_lens_ray( &lens, (double)( i % 320 ), (double)( i / 320 ), &inside ) );
		OK( ds_port_ray( &port, inside, &origin, &direction, NULL ) );
		ds_vec3 p = ds_mad( origin, (double)depth[i], direction );
		p = ds_pose_point( pose, ds_v3( p.z, p.x, p.y ) );
		ds_ground_point ground;
		OK( ds_ground_at( r.world, p.x, p.y, &ground ) );
		assert_small( p.z - ground.z, 0.001 );
	}
	stop( &r );
}

// Mean of a square of 40 px about a place, of one channel.
static double patch( const rig *r, int64_t u, int64_t v, int channel )
{
	const unsigned char *color = span( r, r->frame->color8 );
	double sum = 0;
	for ( int64_t y = v - 20; y < v + 20; ++y )
	{
		for ( int64_t x = u - 20; x < u + 20; ++x )
		{
			sum += color[3 * ( 320 * y + x ) + channel];
		}
	}
	return sum / 1600;
}

// A deep-sea photograph: lit in the middle, dim in the corners, green and blue before red, nodules darker than sediment.
static void test_looks( void **state )
{
	(void)state;
	rig r = start();
	run_to( r.world, 0.02 );
	next( &r );
	double middle = patch( &r, 160, 120, 1 );
	assert_true( middle > 60 && middle < 220 );
	for ( int k = 0; k < 4; ++k )
	{
		assert_true( patch( &r, k % 2 ? 300 : 20, k / 2 ? 220 : 20, 1 ) < 0.85 * middle );
	}
	assert_true( patch( &r, 160, 120, 0 ) < 0.8 * middle );
	assert_true( patch( &r, 160, 120, 2 ) > 0.8 * middle );

	const unsigned char *color = span( &r, r.frame->color8 );
	const int32_t *ids = span( &r, r.frame->segmentation );
	double sums[2] = { 0, 0 };
	int64_t counts[2] = { 0, 0 };
	for ( int64_t i = 0; i < r.frame->segmentation.count; ++i )
	{
		sums[ids[i] >= NODULES] += color[3 * i + 1];
		++counts[ids[i] >= NODULES];
	}
	assert_true( sums[1] / (double)counts[1] < 0.75 * sums[0] / (double)counts[0] );
	stop( &r );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_cover ),
		cmocka_unit_test( test_on_the_ground ),
		cmocka_unit_test( test_looks ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

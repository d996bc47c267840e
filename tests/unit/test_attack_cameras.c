// Cameras against users who do what they should not: tasks that are lost, too many lamps, huge images, far places, things that vanish.

#include "camera_kit.h"

#include <math.h>

static ds_pose at( double x, double y, double z, double pitch )
{
	return ( ds_pose ){ ds_v3( x, y, z ), ds_quat_from_rpy( ds_v3( 0, pitch, 0 ) ) };
}

// ---- tasks of the user ---------------------------------------------------------------------------------------------

typedef enum crew_kind
{
	CREW_ALL,
	CREW_BACKWARDS, // one by one, the last first
	CREW_BEYOND, // asks for more than there is
	CREW_NOTHING,
	CREW_HALF,
	CREW_TWICE,
	CREW_LATE, // finish_task does it
} crew_kind;

typedef struct crew
{
	crew_kind kind;
	ds_task_fn *task;
	void *context;
	int32_t count;
} crew;

static void *crew_enqueue( ds_task_fn *task, int32_t count, int32_t minimum_range, void *context, void *user )
{
	(void)minimum_range;
	crew *c = user;
	switch ( c->kind )
	{
		case CREW_BACKWARDS:
			for ( int32_t i = count; i > 0; --i )
			{
				task( i - 1, i, context );
			}
			return NULL;
		case CREW_BEYOND:
			task( count / 2, 2 * count + 5, context );
			task( -7, count / 2, context );
			task( count, count + 1, context );
			return NULL;
		case CREW_NOTHING:
			return NULL;
		case CREW_HALF:
			task( 0, count / 2, context );
			return NULL;
		case CREW_LATE:
			c->task = task;
			c->context = context;
			c->count = count;
			return c;
		default:
			task( 0, count, context );
			break;
	}
	if ( c->kind == CREW_TWICE )
	{
		task( 0, count, context );
	}
	return NULL;
}

static void crew_finish( void *task, void *user )
{
	assert_ptr_equal( task, user );
	crew *c = user;
	c->task( 0, c->count, c->context );
}

static ds_world *crew_world( crew *c, ds_id *camera )
{
	ds_environment_def e = kit_deep();
	ds_world_def def = ds_world_def_default();
	def.rate = 100;
	def.environment = &e;
	def.enqueue_task = crew_enqueue;
	def.finish_task = crew_finish;
	def.user = c;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_id body = kit_thing( world, "rov", at( 0, 0, 3000, -0.7 ), ( ds_twist ){ { 0, 0, 0 }, { 0, 0, 0 } }, NULL );
	kit_thing( world, "other", at( 50, 0, 3000, 0 ), ( ds_twist ){ { 0, 0, 0 }, { 0, 0, 0 } }, NULL );
	kit_add_lamp( world, "lamp", body, at( 0, 0.5, 0, 0 ), 50 );
	ds_camera_config config = kit_camera( 40, 30 );
	config.lit = true;
	*camera = kit_add_camera( world, "eye", body, ds_pose_identity(), &config, 10 );
	return world;
}

// A pool that does all of the work gives the same frame in whatever order; one that does not is an error, of the frame's parts or of the
// bodies' forces, never a frame with holes.
static void test_tasks_of_the_user( void **state )
{
	(void)state;
	static const crew_kind good[] = { CREW_ALL, CREW_BACKWARDS, CREW_BEYOND, CREW_LATE };
	static const crew_kind bad[] = { CREW_NOTHING, CREW_HALF, CREW_TWICE };
	ds_camera *first = NULL;
	size_t size = 0;
	for ( size_t i = 0; i < sizeof( good ) / sizeof( good[0] ); ++i )
	{
		crew c = { .kind = good[i] };
		ds_id camera;
		ds_sample_header header;
		ds_world *world = crew_world( &c, &camera );
		OK( ds_sensor_output( world, camera, NULL, &size ) );
		ds_camera *frame = kit_frame( world, camera, &header );
		if ( first )
		{
			assert_memory_equal( frame, first, size );
			free( frame );
		}
		first = first ? first : frame;
		ds_world_destroy( world );
	}
	free( first );
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
	{
		crew c = { .kind = bad[i] };
		ds_id camera;
		ds_world *world = crew_world( &c, &camera );
		FAILS( ds_world_step( world, 0 ), DS_ERROR_STATE, "enqueue_task: " ); // of the first frame
		c.kind = CREW_ALL;
		OK( ds_world_reset( world, 1 ) );
		OK( ds_world_step( world, 1 ) );
		c.kind = bad[i];
		FAILS( ds_world_step( world, 1 ), DS_ERROR_STATE, "enqueue_task: " ); // of the forces
		ds_world_destroy( world );
	}
}

// ---- memory --------------------------------------------------------------------------------------------------------

// What a camera needs is known before it is taken.
static void test_huge_images( void **state )
{
	(void)state;
	ds_environment_def e = kit_deep();
	ds_world *world = kit_camera_world( &e, 100, 1 );
	ds_id body = kit_thing( world, "rov", at( 0, 0, 3000, 0 ), ( ds_twist ){ { 0, 0, 0 }, { 0, 0, 0 } }, NULL ), id;
	ds_camera_config c = ds_camera_config_default();
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "eye" );
	snprintf( def.type, sizeof( def.type ), "camera" );
	def.body = body;
	def.rate = 1;
	def.config = &c;
	c.lens.width = c.lens.height = 8192;
	c.supersampling = 4;
	FAILS( ds_sensor_create( world, &def, &id ), DS_ERROR_LIMIT, "supersampling" );
	c.supersampling = 1;
	c.bands = DS_MAX_BANDS;
	FAILS( ds_sensor_create( world, &def, &id ), DS_ERROR_LIMIT, "GiB" );
	c.lens.height = 8193;
	FAILS( ds_sensor_create( world, &def, &id ), DS_ERROR_RANGE, "8192 x 8193 pixels" );
	c.lens.width = 32769;
	c.lens.height = 1;
	FAILS( ds_sensor_create( world, &def, &id ), DS_ERROR_RANGE, "lens.width" );
	ds_world_destroy( world );
}

// ---- far away ------------------------------------------------------------------------------------------------------

// Depth of a plane and of a ball, exact to 1e-5 of the range, 150 km from the origin and 6 km deep too.
static void test_depth_far_away( void **state )
{
	(void)state;
	static const double places[][3] = { { 0, 0, 3 }, { 1e5, -1e5, 10 }, { -1e5, 1e5, 5990 }, { 1e6, 1e6, 5990 } };
	for ( size_t i = 0; i < sizeof( places ) / sizeof( places[0] ); ++i )
	{
		const double *p = places[i];
		ds_environment_def e = kit_deep();
		e.seabed_depth = p[2] + 10;
		ds_world *world = kit_camera_world( &e, 100, 1 );
		const ds_twist still = { { 0, 0, 0 }, { 0, 0, 0 } };
		const ds_pose eye = at( p[0], p[1], p[2], -0.8 );
		ds_visual *ball = kit_block( 2, 2, 2, 0.5 );
		ds_id body = kit_thing( world, "rov", eye, still, NULL );
		kit_thing( world, "block", at( p[0] + 6, p[1], p[2] + 4, 0 ), still, ball );
		ds_camera_config config = kit_camera( 64, 48 );
		ds_id camera = kit_add_camera( world, "eye", body, ds_pose_identity(), &config, 10 );
		ds_sample_header header;
		ds_camera *frame = kit_frame( world, camera, &header );
		ds_lens lens;
		OK( ds_lens_make( &config.lens, &lens ) );
		const float *depth = KIT_SPAN( frame, depth );
		const int32_t *ids = KIT_SPAN( frame, segmentation );
		int seabed = 0, block = 0;
		for ( int k = 0; k < 64 * 48; ++k )
		{
			ds_vec3 o, d, inside;
			assert_true( kit_ray( &lens, NULL, eye, k % 64, k / 64, &o, &d, &inside ) );
			double expected = 10 / d.z;
			if ( ids[k] == 3 )
			{
				// the top, or the side that is seen
				double top = 3 / d.z, side = 5 / d.x;
				expected = fmax( top, side );
				++block;
			}
			seabed += ids[k] == 1;
			if ( ids[k] > 0 )
			{
				NEAR( depth[k] / expected, 1, 1e-5 );
			}
		}
		assert_true( seabed > 500 && block > 50 );
		free( frame );
		ds_visual_release( ball );
		ds_world_destroy( world );
	}
}

// ---- lamps ---------------------------------------------------------------------------------------------------------

static float *radiance_of_lamps( int strong, int weak, int64_t *count )
{
	ds_environment_def e = kit_deep();
	ds_world *world = kit_camera_world( &e, 100, 1 );
	const ds_twist still = { { 0, 0, 0 }, { 0, 0, 0 } };
	ds_id body = kit_thing( world, "rov", at( 0, 0, 3000, -0.8 ), still, NULL );
	char name[16];
	for ( int i = 0; i < strong + weak; ++i )
	{
		snprintf( name, sizeof( name ), "lamp%d", i );
		kit_add_lamp( world, name, body, at( 0, 0.3, 0, 0 ), i < weak ? 1e-3 : 20 );
	}
	ds_camera_config config = kit_camera( 32, 24 );
	config.lit = config.radiance = true;
	ds_id camera = kit_add_camera( world, "eye", body, ds_pose_identity(), &config, 10 );
	ds_sample_header header;
	ds_camera *frame = kit_frame( world, camera, &header );
	*count = frame->radiance.count;
	float *copy = malloc( (size_t)*count * sizeof( float ) );
	memcpy( copy, KIT_SPAN( frame, radiance ), (size_t)*count * sizeof( float ) );
	free( frame );
	ds_world_destroy( world );
	return copy;
}

// More lamps than a frame takes: the strongest count.
static void test_too_many_lamps( void **state )
{
	(void)state;
	int64_t count;
	float *most = radiance_of_lamps( 16, 0, &count ), *more = radiance_of_lamps( 16, 24, &count );
	for ( int64_t i = 0; i < count; ++i )
	{
		assert_true( isfinite( more[i] ) && more[i] > 0 );
		NEAR( more[i] / most[i], 1, 1e-6 );
	}
	free( most );
	free( more );
}

// ---- things that vanish --------------------------------------------------------------------------------------------

// Bodies and lamps that are destroyed between frames: what is left is seen, old ids are stale, numbers of instances move up.
static void test_things_vanish( void **state )
{
	(void)state;
	ds_environment_def e = kit_deep();
	ds_world *world = kit_camera_world( &e, 100, 2 );
	const ds_twist still = { { 0, 0, 0 }, { 0, 0, 0 } };
	ds_visual *block = kit_block( 1, 1, 1, 0.5 );
	ds_id gone = kit_thing( world, "gone", at( 3, 0, 3000, 0 ), still, block );
	ds_id stays = kit_thing( world, "stays", at( 6, 0, 3000, 0 ), still, block );
	ds_id body = kit_thing( world, "rov", at( 0, 0, 3000, 0 ), still, NULL );
	ds_visual_release( block );
	ds_id lamp = kit_add_lamp( world, "lamp", body, at( 0, 0.5, 0, 0 ), 50 );
	ds_camera_config config = kit_camera( 16, 12 );
	config.lit = true;
	ds_id camera = kit_add_camera( world, "eye", body, ds_pose_identity(), &config, 20 );
	ds_sample_header header;
	ds_camera *frame = kit_frame( world, camera, &header );
	const int middle = 6 * 16 + 8;
	NEAR( ( (const float *)KIT_SPAN( frame, depth ) )[middle], 2.5, 0.02 );
	assert_true( frame->mean > 1e-3 );
	free( frame );

	OK( ds_body_destroy( world, gone ) );
	OK( ds_actuator_destroy( world, lamp ) );
	ds_look_ray ray = { .origin = { 0, 0, 3000 }, .direction = { 1, 0, 0 }, .range = 100, .ignore = DS_NO_ID };
	ds_look look;
	FAILS( ds_look_many( world, 1, &ray, &look ), DS_ERROR_STATE, "ds_world_step" );
	OK( ds_world_step( world, 10 ) );
	OK( ds_look_many( world, 1, &ray, &look ) );
	NEAR( look.distance, 5.5, 1e-9 );
	assert_true( look.body == stays );
	ray.ignore = gone;
	FAILS( ds_look_many( world, 1, &ray, &look ), DS_ERROR_STALE, "ray 0" );
	ray.ignore = lamp;
	assert_true( ds_look_many( world, 1, &ray, &look ) != DS_OK );
	frame = kit_frame( world, camera, &header );
	NEAR( ( (const float *)KIT_SPAN( frame, depth ) )[middle], 5.5, 0.05 );
	assert_string_equal(
		ds_instance_name( world, ( (const int32_t *)KIT_SPAN( frame, segmentation ) )[middle] ), "stays" );
	free( frame );
	// the body with the camera takes it along
	OK( ds_body_destroy( world, body ) );
	OK( ds_world_step( world, 3 ) );
	size_t size;
	FAILS( ds_sensor_output( world, camera, NULL, &size ), DS_ERROR_STALE, "" );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_tasks_of_the_user ),
		cmocka_unit_test( test_huge_images ),
		cmocka_unit_test( test_depth_far_away ),
		cmocka_unit_test( test_too_many_lamps ),
		cmocka_unit_test( test_things_vanish ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

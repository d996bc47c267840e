// A frame is the same bit for bit whatever the threads, again after a reset, from a snapshot and in clones that run at once; nothing is
// allocated in a step.

#include "camera_kit.h"
#include "sensor_kit.h"

#include <pthread.h>

#define FRAMES 4
#define FLUX   60

static ds_camera_config full( void )
{
	ds_camera_config c = kit_camera( 36, 26 );
	c.lit = c.radiance = true;
	c.lens.k[0] = -0.2;
	c.lens.k[1] = 0.05;
	c.port.kind = DS_PORT_FLAT;
	c.motion_samples = 2;
	c.supersampling = 2;
	c.beam_shadows = true;
	c.sensor.auto_exposure = true;
	c.sensor.white = DS_WHITE_GREY_WORLD;
	c.sensor.readout = 0.01;
	c.sensor.exposure = 0.01;
	c.snow.density = 200;
	return c;
}

typedef struct rig
{
	ds_world *world;
	ds_id camera;
	size_t size;
} rig;

// A vehicle with two lamps that flies over the ground past a ball that turns.
static rig make_rig( int32_t threads, kit_memory *memory )
{
	ds_environment_def e = kit_deep();
	ds_world_def def = ds_world_def_default();
	def.rate = 20;
	def.environment = &e;
	def.threads = threads;
	if ( memory )
	{
		def.hooks.allocator = ( ds_allocator ){ kit_allocate, kit_release, memory };
	}
	rig r;
	OK( ds_world_create( &def, &r.world ) );
	const ds_pose at = { { 0, 0, 3007.5 }, ds_quat_from_rpy( ds_v3( 0.05, -0.5, 0.2 ) ) };
	const ds_twist own = { { 0.4, 0.1, 0 }, { 0.02, -0.05, 0.1 } }, other = { { -0.2, 0.3, 0 }, { 0.5, 1, 0.3 } };
	ds_id body = kit_thing( r.world, "rov", at, own, NULL );
	ds_visual *ball = kit_ball( 0.4, 1280, 0.8, 0.6, 0.2 );
	kit_thing( r.world, "ball", ( ds_pose ){ { 2.5, 0.7, 3009 }, ds_quat_identity() }, other, ball );
	ds_visual_release( ball );
	kit_add_lamp( r.world, "left", body, ( ds_pose ){ { 0, -0.6, -0.3 }, ds_quat_identity() }, FLUX );
	kit_add_lamp( r.world, "right", body, ( ds_pose ){ { 0, 0.6, -0.3 }, ds_quat_identity() }, FLUX );
	ds_camera_config c = full();
	r.camera = kit_add_camera( r.world, "camera", body, ds_pose_identity(), &c, 0 );
	OK( ds_sensor_output( r.world, r.camera, NULL, &r.size ) );
	return r;
}

static void record( const rig *r, int64_t frames, unsigned char *out )
{
	// the first frame is there when its exposure would be over at the latest
	if ( ds_world_time( r->world ) == 0 )
	{
		OK( ds_world_step( r->world, 2 ) );
	}
	for ( int64_t i = 0; i < frames; ++i )
	{
		ds_sample_header header;
		OK( ds_world_step( r->world, 1 ) );
		OK( ds_sensor_latest( r->world, r->camera, &header, out + i * (int64_t)r->size, r->size ) );
	}
}

static unsigned char *room( const rig *r )
{
	unsigned char *bytes = calloc( FRAMES, r->size );
	assert_non_null( bytes );
	return bytes;
}

static void test_threads( void **state )
{
	(void)state;
	unsigned char *first = NULL;
	const int32_t threads[] = { 1, 2, 8, 2 };
	for ( int i = 0; i < 4; ++i )
	{
		rig r = make_rig( threads[i], NULL );
		unsigned char *frames = room( &r );
		record( &r, FRAMES, frames );
		if ( first )
		{
			assert_memory_equal( first, frames, FRAMES * r.size );
			free( frames );
		}
		else
		{
			first = frames;
			const ds_camera *a = (const void *)frames;
			assert_true( a->mean > 0.001 && a->exposure > 0 );
			assert_memory_not_equal( frames, frames + r.size, r.size );
		}
		ds_world_destroy( r.world );
	}
	free( first );
}

static void test_snapshot( void **state )
{
	(void)state;
	kit_memory memory = { 0, 0 };
	rig r = make_rig( 1, &memory );
	unsigned char *first = room( &r ), *other = room( &r );
	record( &r, 2, first );
	const int64_t made = memory.made;
	size_t size = ds_world_save_size( r.world );
	void *bytes = calloc( 1, size );
	OK( ds_world_save( r.world, bytes, size ) );
	record( &r, 2, first + 2 * r.size );
	assert_int_equal( memory.made, made );
	OK( ds_world_restore( r.world, bytes, size ) );
	record( &r, 2, other + 2 * r.size );
	assert_memory_equal( first + 2 * r.size, other + 2 * r.size, 2 * r.size );
	OK( ds_world_reset( r.world, ds_world_seed( r.world ) ) );
	record( &r, FRAMES, other );
	assert_memory_equal( first, other, FRAMES * r.size );
	OK( ds_world_reset( r.world, 99 ) );
	record( &r, 1, other );
	assert_memory_not_equal( first, other, r.size );
	ds_world_destroy( r.world );
	assert_int_equal( memory.out, 0 );
	free( bytes );
	free( first );
	free( other );
}

typedef struct runner
{
	rig r;
	unsigned char *frames;
} runner;

static void *run( void *user )
{
	runner *each = user;
	record( &each->r, FRAMES, each->frames );
	return NULL;
}

// Clones share the camera's model, and make frames in it at once.
static void test_clones_in_threads( void **state )
{
	(void)state;
	runner runners[3];
	pthread_t threads[3];
	runners[0].r = make_rig( 1, NULL );
	for ( int i = 1; i < 3; ++i )
	{
		runners[i].r = runners[0].r;
		OK( ds_world_clone( runners[0].r.world, &runners[i].r.world ) );
		OK( ds_world_find( runners[i].r.world, DS_SENSOR, "camera", &runners[i].r.camera ) );
	}
	for ( int i = 0; i < 3; ++i )
	{
		runners[i].frames = room( &runners[i].r );
		assert_int_equal( pthread_create( threads + i, NULL, run, runners + i ), 0 );
	}
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( pthread_join( threads[i], NULL ), 0 );
		assert_memory_equal( runners[0].frames, runners[i].frames, FRAMES * runners[0].r.size );
	}
	for ( int i = 0; i < 3; ++i )
	{
		ds_world_destroy( runners[i].r.world );
		free( runners[i].frames );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_threads ),
		cmocka_unit_test( test_snapshot ),
		cmocka_unit_test( test_clones_in_threads ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

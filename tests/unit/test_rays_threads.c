// Rays from several threads: one terrain is built once, and all threads find the same.

#include "rays_kit.h"

#include <pthread.h>

#define THREADS 4
#define COUNT   3001

typedef struct work
{
	const ds_terrain *terrain;
	const ds_ray_scene *scene; // of all
	ds_ray_geometry *geometry;
	const ds_ray *rays;
	ds_ray_found shared[COUNT], own[COUNT];
	const void *kept;
} work;

static void place( ds_ray_scene *scene, int32_t count )
{
	ds_pose poses[20];
	uint64_t s = 8;
	for ( int32_t i = 0; i < count; ++i )
	{
		poses[i].position = ds_add( ds_v3( 0, 0, 22 ), ds_scale( 10, kit_direction( &s ) ) );
		poses[i].attitude = kit_attitude( &s );
	}
	OK( ds_ray_scene_place( scene, poses ) );
}

static void *run( void *argument )
{
	work *w = argument;
	ds_ray_geometry *all[20];
	for ( int i = 0; i < 20; ++i )
	{
		all[i] = w->geometry;
	}
	ds_ray_scene *scene;
	OK( ds_ray_scene_create( NULL, w->terrain, all, 20, &scene ) );
	for ( int k = 0; k < 20; ++k )
	{
		place( scene, 20 );
		ds_ray_scene_cast( scene, w->rays, COUNT, w->own );
		ds_ray_scene_cast( w->scene, w->rays, COUNT, w->shared );
	}
	w->kept = ds_terrain_kept( w->terrain );
	ds_ray_scene_destroy( scene );
	return NULL;
}

static void test_threads( void **state )
{
	(void)state;
	static work works[THREADS];
	static ds_ray rays[COUNT];
	ds_terrain *terrain = kit_hills( 80, 80, 0.5, ds_v3( 0, 0, 30 ), false );
	ds_terrain *other = kit_hills( 80, 80, 0.5, ds_v3( 0, 0, 30 ), false ); // alike
	ds_ray_shape shapes[12];
	uint64_t s = 6;
	for ( int i = 0; i < 12; ++i )
	{
		shapes[i] = ( ds_ray_shape ){ .kind = i % 4, .half = { 1, 0.5, 0.3 }, .radius = 0.5, .length = 1 };
		shapes[i].pose.position = kit_direction( &s );
		shapes[i].pose.attitude = kit_attitude( &s );
	}
	ds_ray_geometry_def def = { .shapes = shapes, .shape_count = 12 };
	ds_ray_geometry *geometry, *all[20];
	OK( ds_ray_geometry_create( NULL, &def, &geometry ) );
	for ( int i = 0; i < 20; ++i )
	{
		all[i] = geometry;
	}
	ds_ray_scene *scene;
	OK( ds_ray_scene_create( NULL, other, all, 20, &scene ) );
	place( scene, 20 );
	for ( int i = 0; i < COUNT; ++i )
	{
		rays[i] = kit_random_ray( &s, ds_v3( 0, 0, 27 ), 15 );
	}
	pthread_t threads[THREADS];
	for ( int i = 0; i < THREADS; ++i )
	{
		works[i].terrain = terrain;
		works[i].scene = scene;
		works[i].geometry = geometry;
		works[i].rays = rays;
		assert_int_equal( pthread_create( threads + i, NULL, run, works + i ), 0 );
	}
	int ground = 0, bodies = 0;
	for ( int i = 0; i < THREADS; ++i )
	{
		assert_int_equal( pthread_join( threads[i], NULL ), 0 );
		assert_ptr_equal( works[i].kept, works[0].kept );
		for ( int k = 0; k < COUNT; ++k )
		{
			const ds_ray_found *a = works[i].own + k, *b = works[i].shared + k, *c = works[0].own + k;
			assert_true( a->distance == b->distance && a->distance == c->distance );
			assert_true( a->body == b->body && a->body == c->body );
			assert_true( a->primitive == b->primitive && a->primitive == c->primitive );
			assert_memory_equal( &a->normal, &b->normal, sizeof( ds_vec3 ) );
			ground += a->distance > 0 && a->body < 0;
			bodies += a->body >= 0;
		}
	}
	assert_true( ground > COUNT && bodies > COUNT / 4 );
	ds_ray_scene_destroy( scene );
	ds_ray_geometry_release( geometry );
	ds_terrain_release( terrain );
	ds_terrain_release( other );
}

int main( void )
{
	if ( ds_rays_open( NULL ) == DS_ERROR_UNSUPPORTED )
	{
		return 77;
	}
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_threads ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Host functions that parts see by: in one thread and in many, again after a restore, and in clones.

#include "looks_kit.h"
#include "rays_kit.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#define PIXELS 1200

// ---- a world full of things ------------------------------------------------------------------------------------------

typedef struct scene
{
	ds_world *world;
	ds_id rov, eye;
} scene;

static scene make_scene( int32_t threads )
{
	scene s;
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *hills = kit_hills( 100, 100, 0.5, ds_v3( 0, 0, 30 ), false );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = hills;
	e.seabed_look.nodule_cover = 0.2;
	s.world = kit_looks_world( &e, threads );
	ds_terrain_release( hills );
	ds_mesh *box = kit_box( 1, 0.7, 0.5 );
	for ( int i = 0; i < 12; ++i )
	{
		ds_body_def def = kit_hull( "thing0", box, 300 );
		def.name[5] = (char)( 'a' + i );
		def.pose.position = ds_v3( 1.5 * i - 8, 3 * sin( i ), 22 + cos( i ) );
		def.velocity.angular = ds_v3( 0.1 * i, 0.5, -0.2 );
		def.velocity.linear = ds_v3( 0.3, -0.1 * i, 0 );
		def.material.color[0] = 0.05 * i;
		ds_id id;
		OK( ds_body_create( s.world, &def, &id ) );
		s.rov = i == 0 ? id : s.rov;
	}
	ds_mesh_release( box );
	s.eye = kit_looker( s.world, s.rov );
	return s;
}

static void make_rays( const ds_context *context, ds_look_ray rays[PIXELS] )
{
	uint64_t s = 77;
	for ( int i = 0; i < PIXELS; ++i )
	{
		const ds_vec3 away = ds_mad( ds_v3( 0.5, 0, 0.4 ), 1, kit_direction( &s ) );
		rays[i] = ( ds_look_ray ){ context->pose.position, away, 60, 0.02 * kit_uniform( &s ), 0.002,
			i % 2 ? context->body : DS_NO_ID };
	}
}

// ---- work in parallel ------------------------------------------------------------------------------------------------

typedef struct picture
{
	const ds_context *context;
	ds_look_ray rays[PIXELS];
	ds_look looks[PIXELS];
	bool blocked[PIXELS];
	double noise[PIXELS];
	atomic_int parts;
} picture;

static picture the_picture;

static ds_status see_part( int32_t start, int32_t end, void *user )
{
	picture *p = user;
	const ds_host *host = p->context->host;
	const ds_random stream = host->random_stream( p->context );
	atomic_fetch_add( &p->parts, 1 );
	host->random_normals( &stream, (uint32_t)start, (uint32_t)( end - start ), p->noise + start );
	ds_status status = host->look_many( p->context, end - start, p->rays + start, p->looks + start );
	return status == DS_OK ? host->blocked_many( p->context, end - start, p->rays + start, p->blocked + start )
						   : status;
}

static ds_status take_picture( ds_context *context )
{
	picture *p = &the_picture;
	memset( p, 0, sizeof( *p ) );
	p->context = context;
	make_rays( context, p->rays );
	return context->host->parallel( context, PIXELS, see_part, p );
}

static void test_the_same_in_all_threads( void **state )
{
	(void)state;
	static const int32_t threads[] = { 1, 2, 8 };
	static ds_look first[PIXELS];
	static double noise[PIXELS];
	looks_at_sample = take_picture;
	for ( int i = 0; i < 3; ++i )
	{
		scene s = make_scene( threads[i] );
		OK( ds_world_step( s.world, 5 ) );
		const picture *p = &the_picture;
		int seen = 0, seabed = 0, nodules = 0, bodies = 0;
		for ( int k = 0; k < PIXELS; ++k )
		{
			const ds_look *l = p->looks + k;
			assert_true( p->blocked[k] == ( l->distance >= 0 ) );
			seen += l->distance >= 0;
			seabed += l->instance == 1;
			nodules += l->instance > 1 << 23;
			bodies += l->body != DS_NO_ID;
		}
		assert_true( seen > 400 && seen < PIXELS && seabed > 100 && bodies > 20 );
		(void)nodules;
		if ( i == 0 )
		{
			memcpy( first, p->looks, sizeof( first ) );
			memcpy( noise, p->noise, sizeof( noise ) );
			assert_int_equal( atomic_load( &p->parts ), 1 );
		}
		assert_memory_equal( p->looks, first, sizeof( first ) );
		assert_memory_equal( p->noise, noise, sizeof( noise ) );

		// once more after a restore, and in a clone
		const size_t size = ds_world_save_size( s.world );
		void *bytes = malloc( size );
		OK( ds_world_save( s.world, bytes, size ) );
		OK( ds_world_step( s.world, 7 ) );
		static ds_look later[PIXELS];
		memcpy( later, p->looks, sizeof( later ) );
		assert_memory_not_equal( later, first, sizeof( first ) );
		OK( ds_world_restore( s.world, bytes, size ) );
		OK( ds_world_step( s.world, 7 ) );
		assert_memory_equal( p->looks, later, sizeof( later ) );
		OK( ds_world_restore( s.world, bytes, size ) );
		ds_world *clone;
		OK( ds_world_clone( s.world, &clone ) );
		OK( ds_world_step( clone, 7 ) );
		assert_memory_equal( p->looks, later, sizeof( later ) );
		ds_world_destroy( clone );
		OK( ds_world_reset( s.world, 0 ) );
		OK( ds_world_step( s.world, 5 ) );
		assert_memory_equal( p->looks, first, sizeof( first ) );
		free( bytes );
		ds_world_destroy( s.world );
	}
}

// ---- the user's threads ----------------------------------------------------------------------------------------------

typedef struct crew
{
	ds_task_fn *task;
	void *context;
	int32_t start, end;
} crew;

static void *crew_run( void *argument )
{
	crew *c = argument;
	c->task( c->start, c->end, c->context );
	return NULL;
}

// Three threads, of unlike parts, the last first.
static void *crew_enqueue( ds_task_fn *task, int32_t count, int32_t minimum_range, void *context, void *user )
{
	(void)minimum_range;
	( *(int *)user )++;
	const int32_t parts[] = { 0, count / 7, count / 2, count };
	for ( int i = 2; i >= 0; --i )
	{
		crew c = { task, context, parts[i], parts[i + 1] };
		pthread_t thread;
		assert_int_equal( pthread_create( &thread, NULL, crew_run, &c ), 0 );
		pthread_join( thread, NULL );
	}
	return NULL;
}

static void crew_finish( void *task, void *user )
{
	(void)task;
	(void)user;
}

// ---- errors ------------------------------------------------------------------------------------------------------------

static ds_status bad_part( int32_t start, int32_t end, void *user )
{
	const ds_context *context = user;
	for ( int32_t i = start; i < end; ++i )
	{
		if ( i % 100 == 37 )
		{
			return context->host->error( DS_ERROR_RANGE, "item %d is bad", i );
		}
	}
	return DS_OK;
}

static ds_status bad_silently( int32_t start, int32_t end, void *user )
{
	(void)start;
	(void)end;
	(void)user;
	return DS_ERROR_LIMIT;
}

static ds_status misbehave( ds_context *context )
{
	const ds_host *host = context->host;
	assert_int_equal( host->parallel( context, 0, bad_part, context ), DS_OK );
	assert_int_equal( host->parallel( context, -1, bad_part, context ), DS_ERROR_ARGUMENT );
	assert_int_equal( host->parallel( context, 5, NULL, context ), DS_ERROR_ARGUMENT );
	assert_int_equal( host->parallel( context, 5, bad_silently, context ), DS_ERROR_LIMIT );
	assert_non_null( strstr( host->last_error(), ds_status_name( DS_ERROR_LIMIT ) ) );
	assert_int_equal( host->look_many( context, 1, NULL, NULL ), DS_ERROR_ARGUMENT );
	assert_int_equal( host->blocked_many( context, 1, NULL, NULL ), DS_ERROR_ARGUMENT );
	assert_int_equal( host->light_view( context, NULL ), DS_ERROR_ARGUMENT );
	return host->parallel( context, 1000, bad_part, context );
}

static void test_the_first_error_counts( void **state )
{
	(void)state;
	looks_at_sample = misbehave;
	for ( int32_t threads = 1; threads <= 8; threads *= 2 )
	{
		scene s = make_scene( threads );
		FAILS( ds_world_step( s.world, 1 ), DS_ERROR_RANGE,
			"sensor \"eye\" (type \"looker\"), sample at tick 0: item 37 is bad" );
		ds_world_destroy( s.world );
	}
}

static void test_the_users_threads( void **state )
{
	(void)state;
	looks_at_sample = take_picture;
	scene s = make_scene( 1 );
	OK( ds_world_step( s.world, 5 ) );
	static ds_look first[PIXELS];
	memcpy( first, the_picture.looks, sizeof( first ) );
	ds_world_destroy( s.world );

	int calls = 0;
	ds_registry *registry = kit_looks_registry();
	ds_environment_def e = ds_environment_def_default();
	ds_terrain *hills = kit_hills( 100, 100, 0.5, ds_v3( 0, 0, 30 ), false );
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = hills;
	ds_world_def def = ds_world_def_default();
	def.registry = registry;
	def.environment = &e;
	def.threads = 4; // the user's are used
	def.enqueue_task = crew_enqueue;
	def.finish_task = crew_finish;
	def.user = &calls;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_registry_release( registry );
	ds_terrain_release( hills );
	ds_body_def body = kit_point( "rov", 10, 1, 1, 1 );
	body.fixed = true;
	body.pose.position = ds_v3( 0, 0, 20 );
	ds_id rov;
	OK( ds_body_create( world, &body, &rov ) );
	kit_looker( world, rov );
	OK( ds_world_step( world, 0 ) );
	assert_int_equal( calls, 1 );
	assert_int_equal( atomic_load( &the_picture.parts ), 3 );
	static ds_look looks[PIXELS];
	OK( ds_look_many( world, PIXELS, the_picture.rays, looks ) );
	assert_memory_equal( looks, the_picture.looks, sizeof( looks ) );
	looks_at_sample = misbehave;
	FAILS( ds_world_step( world, 200 ), DS_ERROR_RANGE, "item 37 is bad" );
	ds_world_destroy( world );

	def.registry = NULL;
	def.environment = NULL;
	def.threads = 65;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "threads" );
	def.threads = -1;
	FAILS( ds_world_create( &def, &world ), DS_ERROR_RANGE, "threads" );
}

// ---- questions from many threads -------------------------------------------------------------------------------------

typedef struct asker
{
	const ds_world *world;
	const ds_look_ray *rays;
	ds_look looks[PIXELS];
} asker;

static void *ask( void *argument )
{
	asker *a = argument;
	OK( ds_look_many( a->world, PIXELS, a->rays, a->looks ) );
	return NULL;
}

// Nobody has looked before: the first of them makes what is needed, whoever it is.
static void test_const_calls_together( void **state )
{
	(void)state;
	looks_at_sample = NULL;
	scene s = make_scene( 1 );
	OK( ds_sensor_destroy( s.world, s.eye ) );
	OK( ds_world_step( s.world, 3 ) );
	static ds_look_ray rays[PIXELS];
	static asker askers[4];
	uint64_t r = 5;
	for ( int i = 0; i < PIXELS; ++i )
	{
		rays[i] = kit_look( ds_v3( 0, 0, 15 ), ds_add( ds_v3( 0, 0, 1 ), kit_direction( &r ) ), 100 );
		rays[i].time = i % 4 * 0.3 * kit_uniform( &r );
	}
	pthread_t threads[4];
	for ( int i = 0; i < 4; ++i )
	{
		askers[i].world = s.world;
		askers[i].rays = rays;
		assert_int_equal( pthread_create( threads + i, NULL, ask, askers + i ), 0 );
	}
	for ( int i = 0; i < 4; ++i )
	{
		pthread_join( threads[i], NULL );
		assert_memory_equal( askers[i].looks, askers[0].looks, sizeof( askers[0].looks ) );
	}
	ds_world_destroy( s.world );
}

int main( void )
{
	if ( ds_rays_open( NULL ) == DS_ERROR_UNSUPPORTED )
	{
		return 77;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_the_same_in_all_threads ),
		cmocka_unit_test( test_the_first_error_counts ),
		cmocka_unit_test( test_the_users_threads ),
		cmocka_unit_test( test_const_calls_together ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

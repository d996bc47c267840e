// Worlds share nothing: eight in eight threads do what eight do one after the other, bit for bit; and so does one world
// whose bodies are evaluated by a pool of threads.

#include "world_kit.h"

#include <pthread.h>

#define WORLDS 8
#define TICKS  400

typedef struct run
{
	const ds_mesh *mesh;
	ds_registry *registry;
	uint64_t seed;
	void *bytes;
	size_t size;
} run;

static ds_world *make( const run *r, const ds_world_def *base )
{
	ds_world_def def = base ? *base : ds_world_def_default();
	ds_environment_def e = ds_environment_def_default();
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = 4;
	def.environment = &e;
	def.seed = &r->seed;
	def.registry = r->registry;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	for ( int i = 0; i < 4; ++i )
	{
		ds_body_def body = ds_body_def_default();
		snprintf( body.name, sizeof( body.name ), "b%d", i );
		body.mesh = r->mesh;
		body.mass = 700;
		body.pose.position = ds_v3( 0.7 * i, 0.1 * i, 2 + 0.3 * i );
		body.velocity.angular = ds_v3( 0.1 * (double)r->seed, 0.2, 0.3 );
		ds_id id, s;
		OK( ds_body_create( world, &body, &id ) );
		ds_sensor_def odo = ds_sensor_def_default();
		snprintf( odo.name, sizeof( odo.name ), "odo%d", i );
		snprintf( odo.type, sizeof( odo.type ), "odometry" );
		odo.body = id;
		ds_odometry_config noise = {
			.position_noise = 0.1, .attitude_noise = 0.01, .linear_velocity_noise = 0.02, .angular_velocity_noise = 0.03
		};
		odo.config = &noise;
		OK( ds_sensor_create( world, &odo, &s ) );
	}
	return world;
}

static void finish( run *r, ds_world *world )
{
	r->size = ds_world_save_size( world );
	r->bytes = malloc( r->size );
	OK( ds_world_save( world, r->bytes, r->size ) );
	ds_world_destroy( world );
}

static void *work( void *argument )
{
	run *r = argument;
	ds_world *world = make( r, NULL );
	OK( ds_world_step( world, TICKS ) );
	finish( r, world );
	return NULL;
}

static void test_parallel_worlds_equal_serial_ones( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 320 );
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	run serial[WORLDS], parallel[WORLDS];
	pthread_t threads[WORLDS];
	for ( int i = 0; i < WORLDS; ++i )
	{
		serial[i] = parallel[i] = ( run ){ mesh, registry, (uint64_t)i, NULL, 0 };
		work( serial + i );
	}
	for ( int i = 0; i < WORLDS; ++i )
	{
		assert_int_equal( pthread_create( threads + i, NULL, work, parallel + i ), 0 );
	}
	for ( int i = 0; i < WORLDS; ++i )
	{
		assert_int_equal( pthread_join( threads[i], NULL ), 0 );
		assert_int_equal( serial[i].size, parallel[i].size );
		assert_memory_equal( serial[i].bytes, parallel[i].bytes, serial[i].size );
		assert_true( i == 0 || memcmp( serial[i].bytes, serial[0].bytes, serial[0].size ) != 0 );
	}
	for ( int i = 0; i < WORLDS; ++i )
	{
		free( serial[i].bytes );
		free( parallel[i].bytes );
	}
	ds_registry_release( registry );
	ds_mesh_release( mesh );
}

// A pool of the crudest kind: a thread for every item.
typedef struct item
{
	ds_task_fn *task;
	void *context;
	int32_t index;
	pthread_t thread;
} item;

typedef struct job
{
	int32_t count;
	item items[16];
} job;

static void *do_item( void *argument )
{
	item *it = argument;
	it->task( it->index, it->index + 1, it->context );
	return NULL;
}

static void *enqueue( ds_task_fn *task, int32_t count, int32_t minimum_range, void *context, void *user )
{
	(void)minimum_range;
	( *(int *)user )++;
	job *j = malloc( sizeof( *j ) );
	j->count = count;
	for ( int32_t i = 0; i < count; ++i )
	{
		j->items[i] = ( item ){ task, context, i, 0 };
		pthread_create( &j->items[i].thread, NULL, do_item, j->items + i );
	}
	return j;
}

static void wait_for( void *task, void *user )
{
	(void)user;
	job *j = task;
	for ( int32_t i = 0; i < j->count; ++i )
	{
		pthread_join( j->items[i].thread, NULL );
	}
	free( j );
}

static void test_tasks_change_no_bit( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 320 );
	run a = { mesh, NULL, 3, NULL, 0 }, b = a;
	work( &a );
	ds_world_def def = ds_world_def_default();
	int calls = 0;
	def.enqueue_task = enqueue;
	def.finish_task = wait_for;
	def.user = &calls;
	ds_world *world = make( &b, &def );
	OK( ds_world_step( world, TICKS ) );
	finish( &b, world );
	assert_int_equal( calls, TICKS );
	assert_int_equal( a.size, b.size );
	assert_memory_equal( a.bytes, b.bytes, a.size );
	free( a.bytes );
	free( b.bytes );
	ds_mesh_release( mesh );
}

// ---- questions together ------------------------------------------------------------------------------------------

typedef struct asked
{
	const ds_world *world;
	const ds_scenario *scenario;
	double sum;
	bool good;
} asked;

// All kinds of questions to one world; worlds made from one scenario, and scenarios that fail to load, beside them. No cmocka
// here: it is not made for threads.
static void *ask( void *argument )
{
	asked *a = argument;
	size_t size = ds_world_save_size( a->world );
	void *bytes = malloc( size );
	a->good = bytes != NULL;
	for ( int i = 0; i < 20 && a->good; ++i )
	{
		ds_id body = ds_world_at( a->world, DS_BODY, i % 4 ), odo, none;
		ds_water water;
		ds_ray_hit hit;
		ds_body_motion motion;
		ds_odometry reading;
		ds_sample_header header;
		a->good = ds_water_at( a->world, ds_v3( 0, 0, i ), &water ) == DS_OK &&
				  ds_ray_cast( a->world, ds_v3( 0.1 * i, 0, -1 ), ds_v3( 0, 0, 1 ), 50, DS_NO_ID, &hit ) == DS_OK &&
				  ds_body_motion_get( a->world, body, &motion ) == DS_OK &&
				  ds_world_find( a->world, DS_SENSOR, "odo1", &odo ) == DS_OK &&
				  ds_sensor_latest( a->world, odo, &header, &reading, sizeof( reading ) ) == DS_OK &&
				  ds_world_find( a->world, DS_BODY, "nobody", &none ) == DS_ERROR_NOT_FOUND &&
				  ds_world_save( a->world, bytes, size ) == DS_OK;
		a->sum += water.pressure + hit.distance + motion.pose.position.z + reading.position[0];
	}
	for ( int i = 0; i < 3 && a->good; ++i )
	{
		ds_scenario *broken = NULL;
		ds_world *clone = NULL, *world = NULL;
		ds_world_def def = ds_world_def_default();
		def.scenario = (ds_scenario *)(uintptr_t)a->scenario;
		a->good = ds_world_clone( a->world, &clone ) == DS_OK && ds_world_step( clone, 2 ) == DS_OK &&
				  ds_world_create( &def, &world ) == DS_OK && ds_world_step( world, 5 ) == DS_OK &&
				  ds_scenario_parse( "{ \"deepsim\": 2 }", "b", "", NULL, 0, NULL, &broken ) == DS_ERROR_UNSUPPORTED;
		ds_world_destroy( clone );
		ds_world_destroy( world );
	}
	free( bytes );
	return NULL;
}

static void test_questions_run_together( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.5, 320 );
	ds_registry *registry;
	ds_scenario *scenario;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_scenario_parse( "{ \"deepsim\": 1, \"bodies\": [ { \"name\": \"a\", \"mass\": 9,"
						   " \"mesh\": { \"make\": \"box\", \"size\": [1, 1, 1] } } ] }",
		"a", "", NULL, 0, NULL, &scenario ) );
	run r = { mesh, registry, 3, NULL, 0 };
	ds_world *world = make( &r, NULL );
	OK( ds_world_step( world, 10 ) );
	asked alone = { world, scenario, 0, false }, together[4];
	ask( &alone );
	assert_true( alone.good );
	pthread_t threads[4];
	for ( int i = 0; i < 4; ++i )
	{
		together[i] = ( asked ){ world, scenario, 0, false };
		assert_int_equal( pthread_create( threads + i, NULL, ask, together + i ), 0 );
	}
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( pthread_join( threads[i], NULL ), 0 );
		assert_true( together[i].good );
		assert_true( together[i].sum == alone.sum );
	}
	ds_world_destroy( world );
	ds_scenario_release( scenario );
	ds_registry_release( registry );
	ds_mesh_release( mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_parallel_worlds_equal_serial_ones ),
		cmocka_unit_test( test_tasks_change_no_bit ),
		cmocka_unit_test( test_questions_run_together ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

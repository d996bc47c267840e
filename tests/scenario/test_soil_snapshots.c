// Worlds on soil go on bit for bit: after save and restore, in clones, after a reset, in eight threads, in two processes. The ground is a
// grid that keeps ruts; on it a box bounces and slides, a crawler turns, and rays are cast.

#include "../unit/soil_kit.h"

#include <pthread.h>

static double hill( double north, double east )
{
	return 0.15 * sin( 1.1 * north ) * cos( 0.9 * east );
}

static ds_terrain *hills( void )
{
	enum
	{
		SIDE = 81
	};
	static double z[SIDE * SIDE];
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.rows = def.columns = SIDE;
	def.spacing_north = def.spacing_east = 0.25;
	def.north = def.east = -10;
	for ( int i = 0; i < SIDE * SIDE; ++i )
	{
		z[i] = hill( -10 + 0.25 * ( i / SIDE ), -10 + 0.25 * ( i % SIDE ) );
	}
	def.z = z;
	ds_terrain *terrain;
	OK( ds_terrain_grid( &def, NULL, &terrain ) );
	return terrain;
}

static ds_world *scene( ds_terrain *terrain )
{
	ds_soil soil = soil_named( "dry_sand" );
	ds_environment_def e = soil_ground( &soil );
	e.deformable = true;
	e.rut_memory = 4e6;
	ds_world *world = soil_world_on( 100, e, ds_terrain_retain( terrain ) );
	soil_crawler( world, "", soil_level( 0, 0, -SOIL_CRAWLER_BASE - 0.1 ) );
	ds_body_def def = kit_hull( "box", NULL, 60 );
	ds_mesh *mesh = kit_box( 0.5, 0.4, 0.3 );
	def.mesh = mesh;
	def.soil_spacing = 0.08;
	def.collision = DS_COLLISION_HULL;
	def.pose = soil_level( 3, 3, -0.8 );
	def.velocity.linear = ds_v3( -1, 0.3, 0 );
	def.velocity.angular = ds_v3( 0.5, 1, 2 );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	ds_mesh_release( mesh );
	return world;
}

// What a world is: its bytes, and what rays see.
typedef struct picture
{
	void *bytes;
	size_t size;
	double ranges[64];
} picture;

static picture take( ds_world *world )
{
	picture p;
	p.size = ds_world_save_size( world );
	p.bytes = malloc( p.size );
	OK( ds_world_save( world, p.bytes, p.size ) );
	for ( int i = 0; i < 64; ++i )
	{
		ds_ray_hit hit;
		ds_vec3 aim = ds_v3( 0.1 * ( i % 8 ) - 0.2, 0.1 * ( i / 8 ) - 0.2, 1 );
		OK( ds_ray_cast( world, ds_v3( 0.5, 0.5, -4 ), aim, 50, DS_NO_ID, &hit ) );
		p.ranges[i] = hit.hit ? hit.distance : -1;
	}
	return p;
}

static void expect_same( picture *a, picture b )
{
	assert_true( a->size == b.size );
	assert_memory_equal( a->bytes, b.bytes, a->size );
	assert_memory_equal( a->ranges, b.ranges, sizeof( b.ranges ) );
	free( b.bytes );
}

static void test_restored_and_cloned_worlds_go_on( void **state )
{
	(void)state;
	ds_terrain *terrain = hills();
	ds_world *world = scene( terrain );
	soil_drive( world, "", 0.5, 0.3 );
	OK( ds_world_step( world, 150 ) );
	picture middle = take( world );
	ds_world *clone, *other = scene( terrain );
	OK( ds_world_clone( world, &clone ) );
	OK( ds_world_step( world, 150 ) );
	picture end = take( world );
	ds_ground_point ground;
	bool rutted = false;
	for ( int i = 0; i < 400; ++i )
	{
		OK( ds_ground_at( world, 0.2 * ( i % 20 ) - 1, 0.2 * ( i / 20 ) - 2, &ground ) );
		rutted = rutted || ground.rut > 0.001;
	}
	assert_true( rutted );
	OK( ds_world_step( clone, 150 ) );
	expect_same( &end, take( clone ) );
	OK( ds_world_restore( world, middle.bytes, middle.size ) );
	OK( ds_world_step( world, 150 ) );
	expect_same( &end, take( world ) );
	OK( ds_world_step( other, 77 ) );
	OK( ds_world_restore( other, middle.bytes, middle.size ) );
	OK( ds_world_step( other, 150 ) );
	expect_same( &end, take( other ) );
	OK( ds_world_reset( world, 0 ) );
	soil_drive( world, "", 0.5, 0.3 );
	OK( ds_world_step( world, 300 ) );
	expect_same( &end, take( world ) );
	free( end.bytes );
	free( middle.bytes );
	ds_world_destroy( other );
	ds_world_destroy( clone );
	ds_world_destroy( world );
	ds_terrain_release( terrain );
}

typedef struct work
{
	ds_terrain *terrain;
	double speed;
	picture end;
} work;

static void *run( void *argument )
{
	work *w = argument;
	ds_world *world = scene( w->terrain );
	soil_drive( world, "", w->speed, 0.3 );
	OK( ds_world_step( world, 120 ) );
	w->end = take( world );
	ds_world_destroy( world );
	return NULL;
}

static void test_eight_threads_do_as_one( void **state )
{
	(void)state;
	work serial[8], parallel[8];
	ds_terrain *terrain = hills();
	pthread_t threads[8];
	for ( int i = 0; i < 8; ++i )
	{
		serial[i] = parallel[i] = ( work ){ .terrain = terrain, .speed = 0.1 * i };
		run( serial + i );
	}
	for ( int i = 0; i < 8; ++i )
	{
		assert_int_equal( pthread_create( threads + i, NULL, run, parallel + i ), 0 );
	}
	for ( int i = 0; i < 8; ++i )
	{
		assert_int_equal( pthread_join( threads[i], NULL ), 0 );
		expect_same( &serial[i].end, parallel[i].end );
		free( serial[i].end.bytes );
	}
	ds_terrain_release( terrain );
}

static char *contents( const char *path, long *size )
{
	FILE *file = fopen( path, "rb" );
	assert_non_null( file );
	fseek( file, 0, SEEK_END );
	*size = ftell( file );
	rewind( file );
	char *bytes = malloc( (size_t)*size + 1 );
	assert_true( bytes && fread( bytes, 1, (size_t)*size, file ) == (size_t)*size );
	fclose( file );
	return bytes;
}

// The example's crawler, run twice by the program: its logs are the same bytes.
static void test_two_processes_log_the_same( void **state )
{
	(void)state;
	if ( DEEPSIM_PROGRAM[0] == '\0' )
	{
		skip();
	}
	for ( int i = 0; i < 2; ++i )
	{
		char command[4096];
		snprintf( command, sizeof( command ),
			"'%s' run '%s/examples/crawler/crawler.json' --quiet --set duration=14 --set "
			"environment.seabed.deformable=true "
			"--log '%s/log%d'",
			DEEPSIM_PROGRAM, DEEPSIM_SOURCE_DIR, DEEPSIM_TEST_TMP, i );
		assert_int_equal( system( command ), 0 );
	}
	static const char *const files[] = { "odometry.csv", "contact.csv", "port.csv", "starboard.csv" };
	for ( size_t k = 0; k < 4; ++k )
	{
		char path[4096];
		long one, two;
		snprintf( path, sizeof( path ), "%s/log0/%s", DEEPSIM_TEST_TMP, files[k] );
		char *a = contents( path, &one );
		snprintf( path, sizeof( path ), "%s/log1/%s", DEEPSIM_TEST_TMP, files[k] );
		char *b = contents( path, &two );
		assert_true( one > 1000 && one == two );
		assert_memory_equal( a, b, (size_t)one );
		free( a );
		free( b );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_restored_and_cloned_worlds_go_on ),
		cmocka_unit_test( test_eight_threads_do_as_one ),
		cmocka_unit_test( test_two_processes_log_the_same ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

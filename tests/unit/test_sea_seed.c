// The world's seed is that of all randomness: waves and gusts too; and a snapshot carries it.

#include "world_kit.h"

static ds_world *stormy( uint64_t seed )
{
	ds_environment_def e = ds_environment_def_default();
	e.waves.kind = DS_WAVES_JONSWAP;
	e.waves.height = 2;
	e.waves.period = 8;
	e.wind.kind = DS_WIND_UNIFORM;
	e.wind.velocity[0] = 10;
	e.wind.gust[0] = e.wind.gust[1] = 2;
	ds_world_def def = ds_world_def_default();
	def.rate = 50;
	def.environment = &e;
	def.seed = &seed;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_mesh *mesh = kit_box( 1, 1, 0.4 );
	ds_body_def body = ds_body_def_default();
	snprintf( body.name, sizeof( body.name ), "buoy" );
	body.mesh = mesh;
	body.mass = 150;
	ds_id id;
	OK( ds_body_create( world, &body, &id ) );
	ds_mesh_release( mesh );
	return world;
}

static ds_vec3 place( const ds_world *world )
{
	return kit_motion( world, ds_world_at( world, DS_BODY, 0 ) ).pose.position;
}

static void test_seed_moves_the_sea( void **state )
{
	(void)state;
	ds_world *a = stormy( 1 ), *b = stormy( 1 ), *c = stormy( 2 );
	OK( ds_world_step( a, 500 ) );
	OK( ds_world_step( b, 500 ) );
	OK( ds_world_step( c, 500 ) );
	NEAR3( place( a ), place( b ), 0 );
	assert_true( ds_length( ds_sub( place( a ), place( c ) ) ) > 1e-3 );
	ds_water x, y;
	OK( ds_water_at( a, ds_v3( 3, 4, 5 ), &x ) );
	OK( ds_water_at( c, ds_v3( 3, 4, 5 ), &y ) );
	assert_true( x.gauge_pressure != y.gauge_pressure );

	// a reset to the other seed gives the other's run
	OK( ds_world_reset( b, 2 ) );
	OK( ds_world_step( b, 500 ) );
	NEAR3( place( b ), place( c ), 0 );
	ds_world_destroy( a );
	ds_world_destroy( b );
	ds_world_destroy( c );
}

static void test_snapshots_carry_the_sea( void **state )
{
	(void)state;
	ds_world *a = stormy( 1 ), *b = stormy( 2 ), *clone;
	OK( ds_world_step( a, 250 ) );
	size_t size = ds_world_save_size( a );
	void *bytes = malloc( size );
	OK( ds_world_save( a, bytes, size ) );
	OK( ds_world_restore( b, bytes, size ) );
	OK( ds_world_clone( b, &clone ) );
	OK( ds_world_step( a, 250 ) );
	OK( ds_world_step( b, 250 ) );
	ds_world_destroy( b ); // a clone outlives what it was made from
	OK( ds_world_step( clone, 250 ) );
	NEAR3( place( a ), place( clone ), 0 );
	free( bytes );
	ds_world_destroy( a );
	ds_world_destroy( clone );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_seed_moves_the_sea ),
		cmocka_unit_test( test_snapshots_carry_the_sea ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

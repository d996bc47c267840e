// Motion at its limits: spins of more than a radian a tick, large ratios of added mass, the way through the surface.

#include "../unit/world_kit.h"

static double uniform( uint64_t *seed, double low, double high )
{
	*seed = *seed * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return low + ( high - low ) * (double)( *seed >> 11 ) / 9007199254740992.0;
}

// Bodies of any inertia and added mass, turning by up to 2.5 rad a tick: the energy stays, whatever the rate.
static void test_violent_spins_keep_their_energy( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.gravity = 0;
	uint64_t seed = 11;
	for ( int i = 0; i < 400; ++i )
	{
		double rate = i % 2 ? 20 : 500, a = uniform( &seed, 0.5, 2 ), b = uniform( &seed, 0.5, 2 );
		double mass = pow( 10, uniform( &seed, -2, 4 ) ), size = mass * pow( 10, uniform( &seed, -2, 0 ) );
		ds_body_def def = kit_point( "b", mass, a * size, b * size, ( a + b ) * 0.7 * size );
		def.pose.position.z = 1000;
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
		for ( int k = 0; k < 6; ++k )
		{
			def.hydrodynamics.added_mass[k] = ( k < 3 ? mass : size ) * pow( 10, uniform( &seed, -2, 2 ) );
		}
		double turn = rate * uniform( &seed, 0, 2.5 ), speed = uniform( &seed, 0, 5 );
		ds_vec3 axis = ds_v3( uniform( &seed, -1, 1 ), uniform( &seed, -1, 1 ), uniform( &seed, -1, 1 ) );
		def.velocity.angular = ds_scale( turn / ds_length( axis ), axis );
		def.velocity.linear = ds_v3( speed, uniform( &seed, -1, 1 ), uniform( &seed, -1, 1 ) );
		ds_world *world = kit_world( rate, &e );
		ds_id id;
		double first, now;
		OK( ds_body_create( world, &def, &id ) );
		OK( ds_body_kinetic_energy( world, id, &first ) );
		for ( int k = 0; k < 50; ++k )
		{
			OK( ds_world_step( world, 1 ) );
			OK( ds_body_kinetic_energy( world, id, &now ) );
			NEAR( now, first, 1e-8 * first );
		}
		ds_world_destroy( world );
	}
}

// A spin of more than two turns in three ticks keeps its momentum in the world too, as long as it is below pi a tick.
static void test_violent_spins_keep_their_momentum( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_world( 20, &e );
	ds_body_def def = kit_point( "b", 1, 1, 2, 2.5 );
	def.velocity.angular = ds_v3( 14, 20, -6 ); // 1.26 rad a tick
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	OK( ds_world_step( world, 2000 ) );
	ds_body_motion m = kit_motion( world, id );
	ds_vec3 w = m.velocity_body.angular;
	NEAR3( ds_rotate( m.pose.attitude, ds_v3( w.x, 2 * w.y, 2.5 * w.z ) ), ds_v3( 14, 40, -15 ), 1e-9 );
	ds_world_destroy( world );
}

// Falling into the water, no tick changes the acceleration by much, whichever way the added mass is given.
static void test_entry_is_gradual( void **state )
{
	(void)state;
	ds_mesh *sphere = kit_sphere( 0.25, 1280 );
	double volume = ds_mesh_measure( sphere ).volume;
	for ( int given = 0; given < 2; ++given )
	{
		ds_body_def def = kit_hull( "ball", sphere, 1025 * volume );
		def.hydrodynamics.added_mass_kind = given ? DS_ADDED_MASS_DIAGONAL : DS_ADDED_MASS_ELLIPSOID;
		for ( int k = 0; k < 3; ++k )
		{
			def.hydrodynamics.added_mass[k] = 0.5 * 1025 * volume;
		}
		def.pose.position.z = -0.3;
		def.velocity.linear.z = 2;
		ds_world *world = kit_world( 1000, NULL );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		double last = 9.81;
		for ( int k = 0; k < 600; ++k )
		{
			OK( ds_world_step( world, 1 ) );
			double a = kit_motion( world, id ).acceleration_world.z;
			NEAR( a, last, 0.5 );
			last = a;
		}
		NEAR( last, 0, 1e-6 ); // neutral, and wholly under water
		ds_world_destroy( world );
	}
	ds_mesh_release( sphere );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_violent_spins_keep_their_energy ),
		cmocka_unit_test( test_violent_spins_keep_their_momentum ),
		cmocka_unit_test( test_entry_is_gradual ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

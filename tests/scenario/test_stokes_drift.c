// What drifts freely under waves: it keeps its mean depth, and goes with the waves at Stokes' drift.

#include "../unit/world_kit.h"

// A neutral sphere set going with the water at a crest, ten periods long. Its orbit's centre lies a e^(-kz) under its start, and
// there the drift is a^2 w k e^(-2kz) (Stokes 1847).
static void test_drifters_go_with_the_water( void **state )
{
	(void)state;
	ds_mesh *sphere = kit_sphere( 0.5, 1280 );
	double w = DS_PI / 4, k = w * w / 9.81;
	for ( int drag = 0; drag < 2; ++drag )
	{
		for ( double depth = 3; depth < 20; depth *= 1.6 )
		{
			ds_environment_def e = ds_environment_def_default();
			e.waves.kind = DS_WAVES_REGULAR;
			e.waves.height = 2;
			e.waves.period = 8;
			e.waves.direction = 0.5;
			ds_world *world = kit_world( 100, &e );
			ds_body_def def = kit_hull( "drifter", sphere, 500 );
			def.hydrodynamics.volume_kind = DS_VOLUME_NEUTRAL;
			def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
			def.hydrodynamics.drag = drag;
			def.pose.position.z = depth;
			double u = w * exp( -k * depth );
			def.velocity.linear = ds_v3( u * cos( 0.5 ), u * sin( 0.5 ), 0 );
			ds_id id;
			OK( ds_body_create( world, &def, &id ) );
			OK( ds_world_step( world, 8000 ) );
			ds_vec3 p = kit_motion( world, id ).pose.position;
			double drift = w * k * exp( -2 * k * ( depth + exp( -k * depth ) ) ) * 80;
			NEAR( p.x * cos( 0.5 ) + p.y * sin( 0.5 ), drift, 0.06 * drift );
			NEAR( p.y * cos( 0.5 ) - p.x * sin( 0.5 ), 0, 1e-6 );
			NEAR( p.z, depth, 0.02 );
			ds_world_destroy( world );
		}
	}
	ds_mesh_release( sphere );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_drifters_go_with_the_water ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

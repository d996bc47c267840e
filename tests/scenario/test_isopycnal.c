// A float at rest in layered water: a sphere as heavy as the water it displaces at 300 m in the linear pycnocline of the source
// paper's eq. 14 bobs, put 1 m too deep, at N sqrt( rho V / ( m + m_a ) ), N^2 = g rho' / rho. With m_a = rho V / 2 the period
// is 2 pi sqrt( 1.5 rho / ( g rho' ) ): 1418 s.

#include "../unit/world_kit.h"

static void test_period( void **state )
{
	(void)state;
	const double slope = 3.075e-3, depth = 300, rate = 2;
	ds_environment_def e = ds_environment_def_default();
	e.density_kind = DS_DENSITY_PYCNOCLINE;
	e.density = 1025;
	e.density_increase = 3.075;
	e.density_depth = 1000;
	ds_world *world = kit_world( rate, &e );

	ds_mesh *mesh = kit_sphere( 0.5, 1280 );
	ds_body_def def = kit_hull( "float", mesh, ( 1025 + slope * depth ) * ds_mesh_measure( mesh ).volume );
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.pose.position.z = depth + 1;
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	double crossings[3], last = 1, lowest = 0;
	int count = 0;
	for ( int tick = 1; tick < 3000 * rate && count < 3; ++tick )
	{
		OK( ds_world_step( world, 1 ) );
		double offset = kit_motion( world, id ).depth - depth;
		if ( offset * last < 0 )
		{
			crossings[count++] = ( tick - offset / ( offset - last ) ) / rate;
		}
		last = offset;
		lowest = fmin( lowest, offset );
	}
	assert_int_equal( count, 3 );
	double rho = 1025 + slope * depth;
	NEAR( crossings[2] - crossings[0], 2 * DS_PI * sqrt( 1.5 * rho / ( 9.81 * slope ) ), 1.5 );
	NEAR( crossings[2] - crossings[0], 1418, 0.01 * 1418 );
	NEAR( lowest, -1, 1e-3 ); // nothing is lost or won
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_period ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The contact kernel on elements that are given: pressure, shear, energy, each against what it is by hand.

#include "tests/unit/contact_kit.h"

// ---- pressure ----------------------------------------------------------------------------------------------------

// Sinkage of a plate under its weight, let down slowly: the load rises over `seconds`.
static double sink( const ds_soil *soil, double length, double width, int nx, int ny, double load, double yaw )
{
	site s = site_plane( 0, soil );
	plate p = plate_make( length, width, nx, ny, 0, 0 );
	body b = body_on( &p, load / 9.81, 0 );
	b.pose.attitude = ds_quat_from_rpy( ds_v3( 0, 0, yaw ) );
	const double dt = 0.0005, rise = 4;
	for ( int i = 0; i * dt < rise + 1; ++i )
	{
		double share = fmin( i * dt / rise, 1 );
		b.force.z = load * share;
		// as viscous as slow
		b.velocity.linear = ds_scale( 0.98, b.velocity.linear );
		body_step( &b, &s.ground, dt );
	}
	double z = b.pose.position.z;
	plate_free( &p );
	site_free( &s );
	return z;
}

static void test_static_sinkage( void **state )
{
	(void)state;
	// P12: 20 kPa under a plate of 0.5 m by 0.2 m
	ds_soil sand = soil_named( "dry_sand" );
	double z = sink( &sand, 0.5, 0.2, 10, 4, 2000, 0 );
	print_message( "dry sand %.6f m\n", z );
	assert_near( z, 0.019351, 0.01 * 0.019351 );

	int tried = 0;
	for ( int32_t i = 0; i < ds_soil_count(); ++i )
	{
		const ds_soil_set *set = ds_soil_at( i );
		const double sides[3][2] = { { 0.5, 0.2 }, { 0.1, 0.1 }, { 0.3, 1.2 } };
		for ( int k = 0; k < 3; ++k )
		{
			double b = fmin( sides[k][0], sides[k][1] ), pressure = 5000 + 10000 * k;
			double expected = ds_soil_sinkage( &set->soil, b, pressure );
			if ( expected < 0.0005 || expected > 5 )
			{
				continue;
			}
			double load = pressure * sides[k][0] * sides[k][1];
			double found = sink( &set->soil, sides[k][0], sides[k][1], 3, 2, load, 0.3 * k );
			print_message( "%s n %g: %.6f, expected %.6f\n", set->name, set->soil.n, found, expected );
			assert_near( found, expected, 0.01 * expected );
			++tried;
		}
	}
	assert_true( tried > 12 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_static_sinkage ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

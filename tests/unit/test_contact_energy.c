// Bodies that fall on soil, bounce and are shaken, at many steps: they come to rest where they must, and the soil gives back no more
// than it took.

#include "tests/unit/contact_kit.h"

static body dropped( double speed )
{
	// a lander: 300 kg in air, 2500 N in water, feet of 0.6 m by 0.6 m in all
	body b = body_of( mesh_box( 0.6, 0.6, 0.4, 12 ), 0.3, 300, 2500 );
	b.pose.position.z = -0.2 - 0.001;
	b.velocity.linear.z = speed;
	return b;
}

static const char *const soils[] = { "dry_sand", "deep_sea_clay", "heavy_clay_40", "clayey_soil", "lete_sand", "snow" };
#define SOILS ( (int)( sizeof( soils ) / sizeof( soils[0] ) ) )

// From 0.05 ms to 0.5 ms the same rest, and no less than the static sinkage, but for what rebounds.
static void test_drop( void **state )
{
	(void)state;
	const double speeds[3] = { 0.5, 2, 5 }, steps[3] = { 0.00005, 0.0002, 0.0005 };
	for ( int i = 0; i < SOILS; ++i )
	{
		ds_soil soil = soil_named( soils[i] );
		site s = site_plane( 0, &soil );
		for ( int k = 0; k < 3; ++k )
		{
			double sunk[3];
			for ( int h = 0; h < 3; ++h )
			{
				body b = dropped( speeds[k] );
				body_run( &b, &s.ground, steps[h], 4 );
				sunk[h] = b.pose.position.z + 0.2;
				double deepest = b.greatest_depth + 0.2;
				double energy = 0.5 * b.mass * speeds[k] * speeds[k] + 2500 * ( deepest + 0.001 );
				assert_true( b.least_work >= -1e-9 * energy );
				assert_true( b.least_soil_work >= -1e-9 * energy );
				if ( !( ds_length( b.velocity.linear ) < 0.001 ) )
					print_message( "%s %g %g: v %g\n", soils[i], speeds[k], steps[h], ds_length( b.velocity.linear ) );
				double still = ds_soil_sinkage( &soil, 0.6, 2500 / 0.36 );
				assert_true( deepest >= still );
				assert_true( sunk[h] >= 0.99 * ( 1 - soil.rebound ) * still );
				body_free( &b );
			}
			assert_near( sunk[1], sunk[0], 0.02 * sunk[0] );
			assert_near( sunk[2], sunk[0], 0.05 * sunk[0] );
		}
		site_free( &s );
	}
}

// Steps of 20 ms, on soils as hard as 1e9 Pa/m: nothing flies off, nothing ends up elsewhere than in the soil.
static void test_long_steps( void **state )
{
	(void)state;
	for ( int32_t i = 0; i < ds_soil_count(); ++i )
	{
		site s = site_plane( 0, &ds_soil_at( i )->soil );
		for ( int k = 0; k < 4; ++k )
		{
			body b = dropped( 1 + 2 * k );
			b.pose.attitude = ds_quat_from_rpy( ds_v3( 0.05 * k, -0.1 * k, 0.3 ) );
			b.velocity.linear.x = 0.5 * k;
			b.pose.position.z -= 0.2;
			double energy = 0.5 * 300 * ds_dot( b.velocity.linear, b.velocity.linear ), high = 0;
			for ( int n = 0; n < 1000; ++n )
			{
				body_step( &b, &s.ground, 0.02 );
				assert_true( ds_finite( b.pose.position ) && ds_finite( b.velocity.linear ) );
				high = n > 500 ? fmin( high, b.pose.position.z ) : high;
			}
			energy += 2500 * ( b.greatest_depth + 0.5 );
			assert_true( b.least_work >= -1e-9 * energy );
			assert_less( ds_length( b.velocity.linear ), 0.5 );
			assert_less( -high, 0.35 );
			body_free( &b );
		}
		site_free( &s );
	}
}

// Without damping: the bounce gives back what the rebound holds, at any step.
static void test_bounce( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	soil.damping = 0;
	soil.rebound = 0.3;
	site s = site_plane( 0, &soil );
	const double steps[4] = { 0.00005, 0.0002, 0.001, 0.005 };
	for ( int k = 0; k < 4; ++k )
	{
		body b = dropped( 2 );
		b.force.z = 0; // no weight: it flies off
		int n = 0;
		for ( ; n < 1000000 && ( b.velocity.linear.z > 0 || b.forces.touching > 0 ); ++n )
		{
			body_step( &b, &s.ground, steps[k] );
		}
		// virgin: W = A k z^(n+1) / (n+1); back: A p ( r z ) / 2: a share of r ( n + 1 ) / 2
		double e0 = 0.5 * 300 * 4, e1 = 0.5 * 300 * b.velocity.linear.z * b.velocity.linear.z;
		assert_near( e1 / e0, 0.3 * 2.1 / 2, k == 3 ? 0.1 : k == 2 ? 0.02 : 0.003 );
		assert_true( b.velocity.linear.z < 0 );
		assert_near( b.work, e0 - e1, 1e-9 * e0 );
		body_free( &b );
	}
	site_free( &s );
}

// Shaken up and down and sideways for long: the work on the soil never falls below what it held at the start, which is nothing.
static void test_shaken( void **state )
{
	(void)state;
	// the last is beyond k_e A dt^2 = m on the hardest soils
	const double steps[3] = { 0.0001, 0.0005, 0.001 };
	for ( int32_t i = 0; i < ds_soil_count(); ++i )
	{
		ds_soil soil = ds_soil_at( i )->soil;
		soil.damping = 0;
		site s = site_plane( 0, &soil );
		for ( int k = 0; k < 3; ++k )
		{
			body b = dropped( 0.5 );
			double low = 0;
			for ( int n = 0; n * steps[k] < 4; ++n )
			{
				double t = n * steps[k];
				b.force = ds_v3( 900 * sin( 11 * t ), 500 * cos( 7 * t ), 2500 + 3500 * sin( 17 * t ) );
				double before = b.work;
				body_step( &b, &s.ground, steps[k] );
				low = fmin( low, b.work - before );
			}
			assert_true( k == 2 || b.least_work >= 0 );
			assert_true( b.least_work >= -1e-4 * b.work );
			assert_true( b.least_soil_work >= 0 );
			assert_true( low < 0 );
			assert_true( isfinite( b.work ) );
			body_free( &b );
		}
		site_free( &s );
	}
}

// While it lifts off the soil does not hold a body: its force along the ground's normal is never below 0.
static void test_no_pull( void **state )
{
	(void)state;
	for ( int k = 0; k < SOILS; ++k )
	{
		ds_soil soil = soil_named( soils[k] );
		soil.suction = 0;
		site s = site_plane( 0, &soil );
		body b = dropped( 1 );
		body_run( &b, &s.ground, 0.0005, 1 );
		for ( int n = 0; n < 4000; ++n )
		{
			b.force.z = 2500 - 2 * n;
			ds_twist v0 = b.velocity;
			body_step( &b, &s.ground, 0.0005 );
			double f = b.forces.wrench.force.z - b.forces.give.m[2][2] * ( b.velocity.linear.z - v0.linear.z );
			assert_true( f <= 1e-9 * 2500 );
		}
		assert_less( b.pose.position.z, -0.5 );
		body_free( &b );
		site_free( &s );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_drop ),
		cmocka_unit_test( test_long_steps ),
		cmocka_unit_test( test_bounce ),
		cmocka_unit_test( test_shaken ),
		cmocka_unit_test( test_no_pull ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

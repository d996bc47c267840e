// Shear of the contact kernel: Janosi and Hanamoto's curve, ways back, cycles, changing pressure; never a gain of energy.

#include "tests/unit/contact_kit.h"

// Of the dashpot beside the spring of shear [s]: DS_CONTACT_SHEAR_TIME of contact_element.h.
#define SHEAR_TIME 0.01

static ds_soil sand( void )
{
	ds_soil soil = soil_named( "dry_sand" );
	soil.damping = 0;
	return soil;
}

// A plate dragged at a constant depth: tau is tau_max ( 1 - exp( -j/K ) ), as a mean over each step, for steps of any length.
static void test_janosi_hanamoto( void **state )
{
	(void)state;
	ds_soil soil = sand();
	site s = site_plane( 0, &soil );
	const double strides[4] = { 1e-5, 1e-3, 0.013, 0.2 };
	for ( int k = 0; k < 4; ++k )
	{
		plate p = plate_make( 0.5, 0.2, 3, 3, 0, 0 );
		ds_vec3 place = { 0, 0, 0 };
		ds_contact_sums sums;
		lead( &p, &s, &place, ds_v3( 0, 0, 0.02 ), 0.01, &sums );
		double most = 0.1 * ( soil.cohesion + ds_soil_pressure( &soil, 0.2, 0.02 ) * tan( soil.friction ) );
		double shift = soil.shear_displacement, j = 0;
		for ( int i = 0; i < 60; ++i )
		{
			// along a line at 30 degrees
			lead( &p, &s, &place, ds_scale( strides[k], ds_v3( cos( 0.5 ), sin( 0.5 ), 0 ) ), 0.01, &sums );
			double x0 = j / shift, x1 = ( j + strides[k] ) / shift;
			double expected = most * ( 1 - ( exp( -x0 ) - exp( -x1 ) ) / ( x1 - x0 ) );
			assert_near( sums.shear.x, -expected * cos( 0.5 ), 1e-9 * most );
			assert_near( sums.shear.y, -expected * sin( 0.5 ), 1e-9 * most );
			j += strides[k];
		}
		assert_near( ds_element_get( p.state, 4 ).slip, j, 1e-12 );
		plate_free( &p );
	}
	site_free( &s );
}

// (28) as printed: full strength from the first movement on.
static void test_printed_shear( void **state )
{
	(void)state;
	ds_soil soil = sand();
	soil.printed_shear = true;
	site s = site_plane( 0, &soil );
	plate p = plate_make( 0.5, 0.2, 3, 3, 0, 0 );
	ds_vec3 place = { 0, 0, 0 };
	ds_contact_sums sums;
	lead( &p, &s, &place, ds_v3( 0, 0, 0.02 ), 0.01, &sums );
	double most = 0.1 * ( soil.cohesion + ds_soil_pressure( &soil, 0.2, 0.02 ) * tan( soil.friction ) );
	const double strides[3] = { 1e-7, 1e-4, 0.1 };
	for ( int k = 0; k < 3; ++k )
	{
		lead( &p, &s, &place, ds_v3( 0, strides[k], 0 ), 0.01, &sums );
		assert_near( sums.shear.y, -most, 1e-9 * most );
	}
	plate_free( &p );

	// a body that slides comes to rest, and neither goes back nor trembles
	p = plate_make( 0.5, 0.2, 3, 3, 0, 0 );
	body b = body_on( &p, 200, 2000 );
	body_settle( &b, &s.ground, 2000 );
	b.velocity.linear.y = 0.5;
	body_run( &b, &s.ground, 0.0005, 1 );
	double v2 = 0.25, strength = 0.1 * soil.cohesion + 2000 * tan( soil.friction );
	assert_near( b.pose.position.y, 0.5 * v2 * 200 / strength, 0.02 * 0.5 * v2 * 200 / strength );
	assert_near( b.velocity.linear.y, 0, 1e-6 );
	plate_free( &p );
	site_free( &s );
}

// On the way back shear is elastic, by 1/K a metre, as far as it was wound up, and Janosi's from there; a dashpot is beside the spring.
static void test_reversal( void **state )
{
	(void)state;
	ds_soil soil = sand();
	site s = site_plane( 0, &soil );
	plate p = plate_make( 0.5, 0.2, 1, 1, 0, 0 );
	ds_vec3 place = { 0, 0, 0 };
	ds_contact_sums sums;
	const double dt = 0.01;
	lead( &p, &s, &place, ds_v3( 0, 0, 0.02 ), dt, &sums );
	double most = 0.1 * ( soil.cohesion + ds_soil_pressure( &soil, 0.2, 0.02 ) * tan( soil.friction ) );
	double shift = soil.shear_displacement;
	for ( int i = 0; i < 100; ++i )
	{
		lead( &p, &s, &place, ds_v3( shift / 100, 0, 0 ), dt, &sums );
	}
	const double u = 1 - exp( -1 ); // 0.632: elastic over 126.4 steps back
	assert_near( ds_element_get( p.state, 0 ).shear[0], u, 1e-12 );
	assert_near( ds_element_get( p.state, 0 ).reached, u, 1e-12 );
	double before = u;
	for ( int i = 1; i <= 500; ++i )
	{
		lead( &p, &s, &place, ds_v3( -shift / 100, 0, 0 ), dt, &sums );
		double x = i / 100.0, now = x < 2 * u ? u - x : -1 + ( 1 - u ) * exp( -( x - 2 * u ) );
		assert_near( ds_element_get( p.state, 0 ).shear[0], now, 1e-12 );
		assert_near( ds_element_get( p.state, 0 ).reached, fmax( u, -now ), 1e-12 );
		if ( x < 2 * u )
		{
			// mean stress of the step, and the dashpot at a hundredth of K in 0.01 s
			assert_near( sums.shear.x, -most * ( 0.5 * ( before + now ) - SHEAR_TIME / dt / 100 ), 1e-9 * most );
		}
		before = now;
	}
	plate_free( &p );
	site_free( &s );
}

// To and fro below the stress that was reached: nothing is lost but in the dashpot, and the stress is the same again.
static void test_elastic_cycle( void **state )
{
	(void)state;
	ds_soil soil = sand();
	site s = site_plane( 0, &soil );
	plate p = plate_make( 0.5, 0.2, 1, 1, 0, 0 );
	ds_vec3 place = { 0, 0, 0 };
	ds_contact_sums sums;
	const double dt = 0.01;
	lead( &p, &s, &place, ds_v3( 0, 0, 0.02 ), dt, &sums );
	double most = 0.1 * ( soil.cohesion + ds_soil_pressure( &soil, 0.2, 0.02 ) * tan( soil.friction ) );
	double shift = soil.shear_displacement, work = 0;
	lead( &p, &s, &place, ds_v3( shift, 0, 0 ), dt, &sums );
	const double u = 1 - exp( -1 );
	const int cycles = 1000;
	for ( int i = 0; i < 20 * cycles; ++i )
	{
		lead( &p, &s, &place, ds_v3( ( i % 20 < 10 ? -0.02 : 0.02 ) * shift, 0, 0 ), dt, &sums );
		work += sums.work;
	}
	assert_near( ds_element_get( p.state, 0 ).shear[0], u, 1e-10 );
	assert_near( ds_element_get( p.state, 0 ).reached, u, 1e-10 );
	// the dashpot's force over the way of each step
	double expected = cycles * 20 * most * ( SHEAR_TIME / dt * 0.02 ) * 0.02 * shift;
	assert_near( work, expected, 1e-6 * expected );
	plate_free( &p );
	site_free( &s );
}

// A body under a force that swings between shares of what the soil bears stays where it is, however long: it does not creep.
static void test_no_creep( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	site s = site_plane( 0, &soil );
	plate p = plate_make( 0.5, 0.2, 3, 3, 0, 0 );
	body b = body_on( &p, 200, 2000 );
	body_settle( &b, &s.ground, 2000 );
	const double strength = 0.1 * soil.cohesion + 2000 * tan( soil.friction ), dt = 0.001;
	double early = 0, late = 0, least = INFINITY, greatest = -INFINITY;
	for ( int i = 0; i < 110000; ++i )
	{
		// up to 0.7 within 4 s, then 0.4 +- 0.15, twice a second
		double t = i * dt, share = t < 4 ? 0.7 * 0.5 * ( 1 - cos( t / 4 * DS_PI ) ) : 0.4 + 0.15 * sin( 4 * DS_PI * t );
		share = t >= 4 && t < 6 ? 0.7 + ( t - 4 ) / 2 * ( share - 0.7 ) : share;
		b.force = ds_v3( share * strength, 0, 2000 );
		body_step( &b, &s.ground, dt );
		double x = b.pose.position.x;
		early += t >= 14 && t < 15 ? x : 0;
		late += t >= 109 ? x : 0;
		least = t >= 10 ? fmin( least, x ) : least;
		greatest = t >= 10 ? fmax( greatest, x ) : greatest;
	}
	const double shift = soil.shear_displacement;
	assert_true( greatest - least > 0.3 * shift ); // it does swing
	assert_near( late / 1000, early / 1000, 1e-6 * shift );
	plate_free( &p );
	site_free( &s );
}

static double random_number( uint64_t *seed )
{
	*seed = *seed * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return (double)( *seed >> 11 ) / 9007199254740992.0 * 2 - 1;
}

// What the soil of an element can give back at most: what pressure and shear hold.
static double stored( const plate *p, const ds_soil *soil )
{
	double sum = 0;
	for ( int i = 0; i < p->elements.count; ++i )
	{
		const ds_element_state state = ds_element_get( p->state, i ), *e = &state;
		double c = p->elements.nz[i], most = e->pressure > 0 ? soil->cohesion + e->pressure * tan( soil->friction ) : 0;
		double u2 = e->shear[0] * e->shear[0] + e->shear[1] * e->shear[1] + e->shear[2] * e->shear[2];
		double normal = e->stiffness > 0 ? 0.5 * e->pressure * e->pressure / e->stiffness : 0;
		sum += p->elements.area[i] * ( c * normal + 0.5 * most * soil->shear_displacement * u2 );
	}
	return sum;
}

// Any way at all, in steps of any length, tilted or not: what is held never grows by more than the work, so that no cycle gains.
static void test_passive( void **state )
{
	(void)state;
	uint64_t seed = 7;
	int given_back = 0;
	for ( int k = 0; k < 2 * ds_soil_count(); ++k )
	{
		ds_soil soil = ds_soil_at( k / 2 )->soil;
		soil.damping = k % 3 == 0 ? 0 : soil.damping;
		soil.slip_sinkage = k % 4 == 0 ? 0.2 : 0;
		site s = site_plane( 0, &soil );
		plate p = plate_make( 0.5, 0.2, 3, 2, 0, k % 2 ? 0.3 : 0 );
		ds_vec3 place = { 0, 0, 0.01 }, v = { 0, 0, 0 };
		ds_contact_sums sums;
		double work = 0, before = 0, scale = 1;
		for ( int i = 0; i < 20000; ++i )
		{
			if ( i % 50 == 0 )
			{
				scale = pow( 10, 2 * random_number( &seed ) - 1 );
				v = ds_v3( random_number( &seed ), random_number( &seed ),
					0.3 * random_number( &seed ) - 2 * ( place.z - 0.02 ) );
			}
			lead( &p, &s, &place, ds_scale( 1e-3 * scale, v ), 1e-3 * scale, &sums );
			double after = stored( &p, &soil );
			assert_less( after - before, sums.work + 1e-9 * ( 1 + after + before ) );
			given_back += sums.work < -1e-6;
			before = after;
			work += sums.work;
			assert_true( work >= 0 );
		}
		plate_free( &p );
		site_free( &s );
	}
	assert_true( given_back > 1000 );
}

// Wong and Reece: under a wheel's rim pressure and displacement grow together, and tau is tau_max(x) ( 1 - exp( -j(x)/K ) ). An
// element goes down to z and up again as on a rim, while it slips.
static void test_wong_reece( void **state )
{
	(void)state;
	ds_soil soil = sand();
	site s = site_plane( 0, &soil );
	const double slips[3] = { 0.002, 0.01, 0.05 };
	for ( int rut = 0; rut < 2; ++rut )
	{
		for ( int k = 0; k < 3; ++k )
		{
			plate p = plate_make( 0.02, 0.2, 1, 1, 0, 0 );
			ds_vec3 place = { 0, 0, 0 };
			ds_contact_sums sums;
			const double z = 0.02;
			const int steps = 400;
			double wrong = 0, most = 0;
			if ( rut )
			{
				// on soil that yielded before
				lead( &p, &s, &place, ds_v3( 0, 0, z ), 0.01, &sums );
				lead( &p, &s, &place, ds_v3( 0, 0, -0.0005 ), 0.01, &sums );
				lead( &p, &s, &place, ds_v3( 0, 0, -0.0005 ), 0.01, &sums );
				p.state->slip[0] = 0;
			}
			double from = place.z;
			for ( int i = 0; i < steps; ++i )
			{
				double x = ( i + 1.0 ) / steps, depth = from + ( z - from ) * ( 1 - ( 1 - x ) * ( 1 - x ) );
				lead( &p, &s, &place, ds_v3( slips[k] / steps, 0, depth - place.z ), 0.001, &sums );
				double strong = soil.cohesion + ds_element_get( p.state, 0 ).pressure * tan( soil.friction );
				double tau = strong * ds_element_get( p.state, 0 ).shear[0], j = ds_element_get( p.state, 0 ).slip;
				double expected = ds_element_get( p.state, 0 ).pressure > 0
									  ? strong * ( 1 - exp( -j / soil.shear_displacement ) )
									  : 0;
				most = fmax( most, expected );
				wrong = fmax( wrong, fabs( tau - expected ) );
			}
			assert_less( wrong, ( rut ? 0.2 : 1e-6 ) * most );
			plate_free( &p );
		}
	}
	site_free( &s );
}

// A body stands on a slope that the soil holds, and slides down one that it does not.
static void test_slope( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	soil.cohesion = 0;
	const double holds = atan( 0.8 * tan( soil.friction ) ), fails = atan( 1.2 * tan( soil.friction ) );
	for ( int k = 0; k < 2; ++k )
	{
		double slope = k ? fails : holds;
		site s = site_plane( slope, &soil );
		plate p = plate_make( 0.8, 0.5, 8, 5, 0, 0 );
		body b = body_on( &p, 150, 1 );
		b.inertia = ds_v3( 10, 10, 10 );
		b.pose.attitude = ds_quat_from_rpy( ds_v3( 0, -slope, 0 ) );
		b.force = ds_v3( 0, 0, 1 );
		body_settle( &b, &s.ground, 1000 );
		body_run( &b, &s.ground, 0.0005, 5 );
		ds_vec3 at = b.pose.position;
		body_run( &b, &s.ground, 0.0005, 10 );
		double moved = ds_length( ds_sub( b.pose.position, at ) );
		if ( k == 0 )
		{
			// 1 mm in 600 s
			assert_less( moved, 0.001 * 10 / 600 );
		}
		else
		{
			double a = ( sin( slope ) - cos( slope ) * tan( soil.friction ) ) * 1000 / 150;
			assert_true( moved > 0.5 * a * 100 * 0.9 );
		}
		plate_free( &p );
		site_free( &s );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_janosi_hanamoto ),
		cmocka_unit_test( test_printed_shear ),
		cmocka_unit_test( test_reversal ),
		cmocka_unit_test( test_elastic_cycle ),
		cmocka_unit_test( test_no_creep ),
		cmocka_unit_test( test_passive ),
		cmocka_unit_test( test_wong_reece ),
		cmocka_unit_test( test_slope ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

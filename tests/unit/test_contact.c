// The contact kernel on elements that are given: pressure and what belongs to it, each against what it is by hand.

#include "tests/unit/contact_kit.h"

#include "terrain/rut.h"

// ---- sinkage -----------------------------------------------------------------------------------------------------

static double sink( const ds_soil *soil, double length, double width, double load, double yaw )
{
	site s = site_plane( 0, soil );
	plate p = plate_make( length, width, 3, 2, 0, 0 );
	body b = body_on( &p, load / 9.81, 0 );
	b.pose.attitude = ds_quat_from_rpy( ds_v3( 0, 0, yaw ) );
	body_settle( &b, &s.ground, load );
	plate_free( &p );
	site_free( &s );
	return b.pose.position.z;
}

// P12: 20 kPa under a plate of 0.5 m by 0.2 m; the same of all soils that are not too hard to tell.
static void test_static_sinkage( void **state )
{
	(void)state;
	ds_soil sand = soil_named( "dry_sand" );
	assert_near( sink( &sand, 0.5, 0.2, 2000, 0 ), 0.019351, 0.01 * 0.019351 );

	int tried = 0;
	for ( int32_t i = 0; i < ds_soil_count(); ++i )
	{
		const ds_soil_set *set = ds_soil_at( i );
		const double sides[3][2] = { { 0.5, 0.2 }, { 0.1, 0.1 }, { 0.3, 1.2 } };
		for ( int k = 0; k < 3; ++k )
		{
			double b = fmin( sides[k][0], sides[k][1] ), pressure = 5000 + 10000 * k;
			double expected = ds_soil_sinkage( &set->soil, b, pressure );
			if ( expected < 0.0005 || expected > 2 )
			{
				continue;
			}
			double load = pressure * sides[k][0] * sides[k][1];
			double found = sink( &set->soil, sides[k][0], sides[k][1], load, 0.3 * k );
			if ( fabs( found / expected - 1 ) > 0.01 )
			{
				print_error( "%s, %g Pa, plate %d: ", set->name, pressure, k );
			}
			assert_near( found, expected, 0.01 * expected );
			++tried;
		}
	}
	assert_true( tried > 12 );
}

// ---- a plate that is led -----------------------------------------------------------------------------------------

static ds_soil plain_sand( void )
{
	ds_soil soil = soil_named( "dry_sand" );
	soil.damping = 0;
	return soil;
}

// The work of pressing a plate down is k z^(n+1) / (n+1) on its area, in steps of any length.
static void test_work_of_loading( void **state )
{
	(void)state;
	ds_soil soil = plain_sand();
	site s = site_plane( 0, &soil );
	const int steps[4] = { 1, 2, 7, 1000 };
	for ( int k = 0; k < 4; ++k )
	{
		plate p = plate_make( 0.5, 0.2, 2, 2, 0, 0 );
		ds_vec3 place = { 0, 0, -0.004 };
		const double z = 0.019351;
		double work = 0;
		ds_contact_sums sums;
		for ( int i = 0; i < steps[k]; ++i )
		{
			lead( &p, &s, &place, ds_v3( 0, 0, ( z + 0.004 ) / steps[k] ), 0.01, &sums );
			work += sums.work;
		}
		// P12: 184.30 J/m2
		double expected = 0.1 * ds_soil_pressure( &soil, 0.2, z ) * z / ( soil.n + 1 );
		assert_near( expected, 18.430, 0.005 );
		assert_near( work, expected, 1e-9 * expected );
		assert_near( ds_element_get( p.state, 3 ).pressure, ds_soil_pressure( &soil, 0.2, z ), 1e-9 * 2e4 );
		assert_near( sums.sinkage, z, 1e-12 );
		assert_near( sums.area, 0.1, 1e-12 );
		plate_free( &p );
	}
	site_free( &s );
}

// Unloading and reloading follow k_e: the rebound the soil says, a gap, and the same pressure where it yielded.
static void test_unload_and_reload( void **state )
{
	(void)state;
	for ( int given = 0; given < 2; ++given )
	{
		ds_soil soil = plain_sand();
		soil.rebound = 0.05;
		soil.elastic = given ? 3e7 : 0;
		site s = site_plane( 0, &soil );
		plate p = plate_make( 0.5, 0.2, 1, 1, 0, 0 );
		ds_vec3 place = { 0, 0, 0 };
		ds_contact_sums sums;
		double z = 0.02, p_yield = ds_soil_pressure( &soil, 0.2, z );
		double k = given ? 3e7 : p_yield / ( 0.05 * z ), back = p_yield / k;
		for ( int i = 0; i < 100; ++i )
		{
			lead( &p, &s, &place, ds_v3( 0, 0, z / 100 ), 0.01, &sums );
		}
		double work = 0;
		for ( int i = 0; i < 40; ++i )
		{
			lead( &p, &s, &place, ds_v3( 0, 0, -back / 10 ), 0.01, &sums );
			work += sums.work;
			double left = fmax( p_yield - k * ( z - place.z ), 0 );
			assert_near( ds_element_get( p.state, 0 ).pressure, left, 1e-6 * p_yield );
		}
		// only the elastic part comes back, then nothing holds
		assert_near( work, -0.1 * 0.5 * p_yield * back, 1e-6 * 0.1 * p_yield * back );
		assert_near( ds_element_get( p.state, 0 ).gap, 3 * back, 1e-9 );
		for ( int i = 0; i < 40; ++i )
		{
			lead( &p, &s, &place, ds_v3( 0, 0, back / 10 ), 0.01, &sums );
			work += sums.work;
		}
		assert_near( ds_element_get( p.state, 0 ).pressure, p_yield, 1e-6 * p_yield );
		assert_near( work, 0, 1e-6 * 0.1 * p_yield * back );
		lead( &p, &s, &place, ds_v3( 0, 0, 0.01 ), 0.01, &sums );
		assert_near( ds_element_get( p.state, 0 ).pressure, ds_soil_pressure( &soil, 0.2, 0.03 ), 1e-6 * p_yield );

		// gone from the ground it forgets
		lead( &p, &s, &place, ds_v3( 0, 0, -0.05 ), 0.01, &sums );
		assert_true( ds_element_get( p.state, 0 ).pressure == 0 && ds_element_get( p.state, 0 ).gap == 0 );
		plate_free( &p );
		site_free( &s );
	}
}

// Damping adds c_d z' while sinking, takes it while rising, and never pulls; with suction it pulls, up to that.
static void test_damping_and_suction( void **state )
{
	(void)state;
	ds_soil soil = plain_sand();
	soil.damping = 2e4;
	site s = site_plane( 0, &soil );
	plate p = plate_make( 0.5, 0.2, 1, 1, 0, 0 );
	ds_vec3 place = { 0, 0, 0 };
	ds_contact_sums sums;
	lead( &p, &s, &place, ds_v3( 0, 0, 0.02 ), 0.1, &sums );
	double mean = ds_soil_pressure( &soil, 0.2, 0.02 ) / ( soil.n + 1 );
	assert_near( sums.normal.z, -0.1 * ( mean + 2e4 * 0.2 ), 1e-6 );
	double p0 = ds_element_get( p.state, 0 ).pressure;
	lead( &p, &s, &place, ds_v3( 0, 0, -1e-6 ), 1e-5, &sums );
	assert_near( sums.normal.z, -0.1 * ( p0 - 2e4 * 0.1 ), 0.001 * 0.1 * p0 );
	lead( &p, &s, &place, ds_v3( 0, 0, -1e-5 ), 5e-6, &sums );
	assert_true( sums.normal.z == 0 && sums.normal_force == 0 );
	plate_free( &p );
	site_free( &s );

	// as printed: the other way round, and it may pull
	soil.printed_damping = true;
	s = site_plane( 0, &soil );
	p = plate_make( 0.5, 0.2, 1, 1, 0, 0 );
	place = ds_v3( 0, 0, 0 );
	lead( &p, &s, &place, ds_v3( 0, 0, 0.02 ), 0.1, &sums );
	assert_near( sums.normal.z, -0.1 * ( mean - 2e4 * 0.2 ), 1e-6 );
	lead( &p, &s, &place, ds_v3( 0, 0, 1e-5 ), 5e-6, &sums );
	assert_true( sums.normal.z > 0 );
	plate_free( &p );
	site_free( &s );
	soil.printed_damping = false;

	soil.suction = 3000;
	s = site_plane( 0, &soil );
	p = plate_make( 0.5, 0.2, 1, 1, 0, 0 );
	place = ds_v3( 0, 0, 0 );
	lead( &p, &s, &place, ds_v3( 0, 0, 0.02 ), 0.1, &sums );
	double deepest = 0;
	for ( int i = 0; i < 25; ++i )
	{
		lead( &p, &s, &place, ds_v3( 0, 0, -0.001 ), 1e-3, &sums );
		assert_less( sums.normal.z, 0.1 * 3000 * ( 1 + 1e-12 ) );
		assert_true( sums.work > -0.1 * 0.5 * p0 * 0.001 );
		deepest = fmax( deepest, sums.normal.z );
	}
	assert_near( deepest, 300, 30 );
	assert_true( sums.normal.z == 0 );
	plate_free( &p );
	site_free( &s );
}

// The area of an inclined plate counts as projected: the force along the ground's normal is A c p, and all of it lies along the
// plate's normal, or with `lateral` 0 along the ground's.
static void test_inclined_faces( void **state )
{
	(void)state;
	for ( int k = 0; k < 3; ++k )
	{
		ds_soil soil = plain_sand();
		soil.n = 1;
		soil.lateral = 0.5 * k;
		soil.cohesion = soil.friction = 0;
		site s = site_plane( 0, &soil );
		plate p = plate_make( 0.2, 0.2, 8, 1, 0, 0.4 );
		ds_vec3 place = { 0, 0, 0.05 };
		ds_contact_sums sums;
		// from well above to where its middle is 0.05 m deep
		place.z = -0.2;
		for ( int i = 0; i < 2500; ++i )
		{
			lead( &p, &s, &place, ds_v3( 0, 0, 0.0001 ), 1e-3, &sums );
		}
		// pressure rises with depth along the plate: its mean is that of the middle
		double mean = ds_soil_pressure( &soil, 0.2, 0.05 - 0.00005 ), a = 0.04;
		assert_near( sums.normal.x, -a * mean * soil.lateral * sin( 0.4 ), 2e-3 * a * mean );
		assert_near( sums.normal.z, -a * mean * cos( 0.4 ), 2e-3 * a * mean );
		plate_free( &p );
		site_free( &s );
	}
}

// A flat bottom that slides feels no pressure across its way. A bow that goes on at a constant depth is loaded to the virgin pressure:
// Bekker's compaction resistance, b times the integral of p over the depth. A stern gives its load up.
static void test_bow_and_stern( void **state )
{
	(void)state;
	ds_soil soil = plain_sand();
	soil.cohesion = soil.friction = 0;
	site s = site_plane( 0, &soil );
	const double depth = 0.06, width = 0.4, tilt = 0.5, length = depth / sin( tilt );
	// n = ( sin tilt, 0, cos tilt ): ahead and down; its lower edge is `depth` deep
	plate bow = plate_make( length, width, 40, 1, 0, tilt );
	for ( int i = 0; i < bow.elements.count; ++i )
	{
		bow.room[10 * bow.elements.count + i] = width;
	}
	ds_vec3 place = { 0, 0, 0.5 * depth };
	ds_contact_sums sums;
	for ( int i = 0; i < 2000; ++i )
	{
		lead( &bow, &s, &place, ds_v3( 0.0002, 0, 0 ), 1e-3, &sums );
	}
	double resistance = width * ds_soil_pressure( &soil, width, depth ) * depth / ( soil.n + 1 );
	assert_near( -sums.normal.x, resistance, 0.01 * resistance );
	// it takes the work of the rut that it makes
	assert_near( sums.work, resistance * 0.0002, 0.01 * resistance * 0.0002 );

	// now astern, 2 m: the same plate gives way
	for ( int i = 0; i < 10000; ++i )
	{
		lead( &bow, &s, &place, ds_v3( -0.0002, 0, 0 ), 1e-3, &sums );
	}
	assert_true( sums.normal.x == 0 && sums.normal.z == 0 );
	// and bears again ahead: its gap does not grow without end, and closes once its way in the face is b ln 2
	int steps = 0;
	for ( ; steps < 4000 && -sums.normal.x < 0.98 * resistance; ++steps )
	{
		lead( &bow, &s, &place, ds_v3( 0.0002, 0, 0 ), 1e-3, &sums );
	}
	assert_near( steps * 0.0002, width * log( 2.0 ) / cos( tilt ), 0.01 * width );
	plate_free( &bow );

	plate bottom = plate_make( 0.8, width, 8, 4, 0, 0 );
	place = ds_v3( 0, 0, 0 );
	lead( &bottom, &s, &place, ds_v3( 0, 0, depth ), 1e-3, &sums );
	for ( int i = 0; i < 100; ++i )
	{
		lead( &bottom, &s, &place, ds_v3( 0.01, 0, 0 ), 1e-3, &sums );
	}
	double weight = 0.8 * width * ds_soil_pressure( &soil, width, depth );
	assert_near( sums.normal.z, -weight, 1e-9 * weight );
	assert_near( sums.normal.x, 0, 1e-9 * weight );
	plate_free( &bottom );
	site_free( &s );
}

// ---- slip sinkage and bulldozing ---------------------------------------------------------------------------------

// Sinkage grows with slip by s J ( 1 - exp( -j / J ) ), J = 6.5 K: at first by s for each metre (Reece).
static void test_slip_sinkage( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	soil.slip_sinkage = 0.1;
	site s = site_plane( 0, &soil );
	plate p = plate_make( 0.5, 0.2, 5, 2, 0, 0 );
	body b = body_on( &p, 2000 / 9.81, 2000 );
	body_settle( &b, &s.ground, 2000 );
	double z0 = b.pose.position.z, j0 = ds_element_get( b.state, 0 ).slip;
	assert_near( z0, 0.019351, 0.01 * 0.019351 );
	// dragged slowly at a held speed
	const double dt = 0.0005, speed = 0.1;
	double slipped[3] = { 0, 0, 0 }, sunk[3] = { 0, 0, 0 };
	for ( int i = 0; i < 24000; ++i )
	{
		b.velocity.linear.x = speed;
		b.velocity.linear.z *= 0.99;
		b.velocity.angular = ds_v3( 0, 0, 0 );
		body_step( &b, &s.ground, dt );
		for ( int k = 0; k < 3; ++k )
		{
			if ( i == 4000 * ( k + 1 ) * ( k == 2 ? 2 : 1 ) - 1 )
			{
				slipped[k] = ds_element_get( b.state, 0 ).slip - j0;
				sunk[k] = b.pose.position.z - z0;
			}
		}
	}
	assert_near( slipped[0], 0.2, 0.01 );
	const double most = 6.5 * soil.shear_displacement;
	for ( int k = 0; k < 3; ++k )
	{
		assert_near( sunk[k], 0.1 * most * ( 1 - exp( -slipped[k] / most ) ), 0.03 * 0.1 * most );
	}
	plate_free( &p );
	site_free( &s );
}

// A wall that is pushed through soil feels Rankine's passive pressure: gamma' z^2 / 2 Kp + 2 c z sqrt( Kp ) a metre of its length.
static void test_bulldozing( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	soil.bulldozing = true;
	soil.unit_weight = 9500;
	site s = site_plane( 0, &soil );
	const double h = 0.3, width = 0.5;
	plate wall = plate_make( h, width, 100, 1, 0, 0.5 * DS_PI );
	ds_vec3 place = { 0, 0, 0.5 * h };
	ds_contact_sums sums;
	lead( &wall, &s, &place, ds_v3( 1e-4, 0, 0 ), 1e-3, &sums );
	double kp = pow( tan( 0.25 * DS_PI + 0.5 * soil.friction ), 2 );
	double expected = width * ( 0.5 * soil.unit_weight * h * h * kp + 2 * soil.cohesion * h * sqrt( kp ) );
	assert_near( -sums.normal.x, expected, 1e-3 * expected );
	assert_near( sums.work, expected * 1e-4, 1e-3 * expected * 1e-4 );
	// drawn back: nothing
	lead( &wall, &s, &place, ds_v3( -1e-4, 0, 0 ), 1e-3, &sums );
	assert_near( sums.normal.x, 0, 1e-12 );
	plate_free( &wall );

	// less than it takes: the wall stands; more: it goes
	for ( int k = 0; k < 2; ++k )
	{
		wall = plate_make( h, width, 10, 1, 0, 0.5 * DS_PI );
		body b = body_on( &wall, 100, 0 );
		b.pose.position.z = 0.5 * h;
		b.inertia = ds_v3( 1e9, 1e9, 1e9 );
		b.force = ds_v3( expected * ( k ? 1.2 : 0.8 ), 0, 0 );
		body_run( &b, &s.ground, 0.0005, 1 );
		if ( k == 0 )
		{
			assert_less( fabs( b.pose.position.x ), 1e-4 );
		}
		else
		{
			assert_near( b.pose.position.x, 0.5 * 0.2 * expected / 100, 0.1 * expected / 100 * 0.1 );
		}
		assert_true( b.least_work >= 0 );
		plate_free( &wall );
	}
	site_free( &s );
}

// (25) as printed, with b the square root of each face's area: the same plate in finer faces is borne by harder soil.
static void test_printed_pressure( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	soil.kc = 20000;
	soil.printed_pressure = true;
	site s = site_plane( 0, &soil );
	double z[2];
	for ( int k = 0; k < 2; ++k )
	{
		int n = k ? 20 : 2;
		plate p = plate_make( 0.5, 0.2, n, n, 0, 0 );
		body b = body_on( &p, 2000 / 9.81, 2000 );
		body_settle( &b, &s.ground, 2000 );
		z[k] = b.pose.position.z;
		double expected = ds_soil_sinkage( &soil, sqrt( 0.1 / ( n * n ) ), 20000 );
		assert_near( z[k], expected, 0.01 * expected );
		plate_free( &p );
	}
	// 0.158 m and 0.0158 m for b
	assert_true( z[1] < 0.65 * z[0] );
	site_free( &s );
}

// ---- ruts --------------------------------------------------------------------------------------------------------

// What has been pressed bears at once what pressed it, a rebound above where it was left; deeper it is virgin soil. Another toucher finds
// it, the one that made it does not while it stays.
static void test_rut( void **state )
{
	(void)state;
	ds_soil soil = plain_sand();
	soil.n = 1;
	site s = site_plane( 0, &soil );
	ds_rut_def def = { .cell = 0.02, .memory = 1 << 22, .repose = 1.4 };
	assert_ok( ds_rut_create( NULL, &def, &s.ground.rut ) );
	plate first = plate_make( 0.5, 0.2, 50, 20, 0, 0 ), second = plate_make( 0.02, 0.02, 1, 1, 0, 0 );
	const double z = 0.05, dt = 0.01;
	ds_vec3 place = { 0, 0, 0 };
	ds_contact_sums sums;
	ds_contact_step step = { { place, { 1, 0, 0, 0 } }, { { 0, 0, z / 20 / dt }, { 0, 0, 0 } }, dt, 0, 1 };
	for ( int i = 0; i < 20; ++i, ++step.tick )
	{
		ds_contact_commit( &s.ground, &first.elements, first.state, &step, &step.velocity, &sums );
		step.pose.position.z += z / 20;
		ds_rut_settle( s.ground.rut, step.tick );
	}
	double pressed = ds_soil_pressure( &soil, 0.2, z );
	assert_near( ds_element_get( first.state, 525 ).pressure, pressed, 1e-6 * pressed );
	for ( int i = 0; i < 3; ++i, ++step.tick )
	{
		ds_rut_settle( s.ground.rut, step.tick );
	}
	second.room[10] = 0.2;
	const double reach[4] = { 0.9 * z, 0.975 * z, z, 1.2 * z };
	step = ( ds_contact_step ){ { { 0.01, 0.01, 0 }, { 1, 0, 0, 0 } }, { { 0, 0, 0 }, { 0, 0, 0 } }, dt, step.tick, 2 };
	for ( int k = 0, n = 0; k < 4; ++k )
	{
		for ( double target = reach[k]; step.pose.position.z < target - 1e-9; ++n, ++step.tick )
		{
			step.velocity.linear.z = 1e-5 / dt;
			ds_contact_commit( &s.ground, &second.elements, second.state, &step, &step.velocity, &sums );
			step.pose.position.z += 1e-5;
		}
		const double share[4] = { 0, 0.5, 1, 1.2 };
		assert_near( ds_element_get( second.state, 0 ).pressure, share[k] * pressed, 0.01 * pressed );
	}
	plate_free( &first );
	plate_free( &second );
	ds_rut_destroy( s.ground.rut );
	site_free( &s );
}

// ---- bad input ---------------------------------------------------------------------------------------------------

static void test_not_finite( void **state )
{
	(void)state;
	ds_soil soil = soil_named( "dry_sand" );
	site s = site_plane( 0, &soil );
	plate p = plate_make( 0.5, 0.2, 4, 4, 0, 0 );
	const double bad[2] = { NAN, INFINITY };
	for ( int k = 0; k < 2 * 14; ++k )
	{
		ds_contact_step step = { { { 0, 0, 0.01 }, { 1, 0, 0, 0 } }, { { 0, 0, 0.1 }, { 0, 0, 0 } }, 0.001, 0, 1 };
		double *numbers = (double *)&step;
		numbers[k / 2] = bad[k % 2];
		ds_contact_forces forces;
		ds_contact_sums sums;
		(void)ds_contact_near( &s.ground, &p.elements, &step );
		ds_contact_press( &s.ground, &p.elements, p.state, &step, &forces );
		assert_true( forces.wrench.force.x != forces.wrench.force.x );
		ds_contact_commit( &s.ground, &p.elements, p.state, &step, &step.velocity, &sums );
	}
	memset( p.state, 0xff, sizeof( p.state[0] ) );
	ds_contact_step step = { { { 0, 0, 0.01 }, { 1, 0, 0, 0 } }, { { 0, 0, 0.1 }, { 0, 0, 0 } }, 0.001, 0, 1 };
	ds_contact_forces forces;
	ds_contact_press( &s.ground, &p.elements, p.state, &step, &forces );
	plate_free( &p );
	site_free( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_static_sinkage ),
		cmocka_unit_test( test_work_of_loading ),
		cmocka_unit_test( test_unload_and_reload ),
		cmocka_unit_test( test_damping_and_suction ),
		cmocka_unit_test( test_inclined_faces ),
		cmocka_unit_test( test_bow_and_stern ),
		cmocka_unit_test( test_slip_sinkage ),
		cmocka_unit_test( test_bulldozing ),
		cmocka_unit_test( test_printed_pressure ),
		cmocka_unit_test( test_rut ),
		cmocka_unit_test( test_not_finite ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

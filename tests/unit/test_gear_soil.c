// Belts and wheels on soil: Wong's thrust of a track under uniform pressure, Bekker's compaction resistance of a wheel, slip curves,
// grousers, ripple, energy.

#include "../scenario/wheel_rig.h"

static void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

#define NEAR( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )

static ds_soil plain_soil( const char *name )
{
	const ds_soil_set *set = ds_soil_find( name );
	assert_non_null( set );
	ds_soil soil = set->soil;
	soil.slip_sinkage = 0;
	soil.bulldozing = false;
	soil.suction = 0;
	soil.damping = 0;
	return soil;
}

static ds_gear long_belt( void )
{
	return ( ds_gear ){
		.kind = DS_GEAR_BELT, .radius = 0.02, .width = 0.3, .length = 1.5, .inertia = 1, .pads = 300, .lanes = 2
	};
}

// ( A c + W tan phi ) ( 1 - K/(i L) ( 1 - exp( -i L / K ) ) ): Wong 2008, section 2.9.
static double wong_thrust( const ds_soil *soil, double area, double load, double length, double slip )
{
	const double most = area * soil->cohesion + load * tan( soil->friction ),
				 x = fabs( slip ) * length / soil->shear_displacement;
	return most * ( x > 0 ? 1 - ( 1 - exp( -x ) ) / x : 0 );
}

// A belt under uniform pressure at a steady slip: the stress along it, and the thrust.
static void belt_at( const ds_soil *soil, double slip, double tolerance )
{
	const ds_gear gear = long_belt();
	rig r;
	rig_make( &r, &gear, soil );
	// pressed down to where its load would be borne, and held there: as it goes on, pressure stays the same all along
	r.load = 2000;
	const double depth = ds_soil_sinkage( soil, gear.width, r.load / ( gear.width * gear.length ) );
	r.held = true;
	r.pose.position.z = -gear.radius;
	r.velocity.z = depth / 0.1;
	const ds_drive stop = { .mode = DS_DRIVE_SPEED, .speed = 0, .torque = INFINITY };
	for ( int i = 0; i < 100; ++i )
	{
		rig_step( &r, &stop, 0.001 );
	}
	const double surface = 0.1, over = surface * ( 1 - slip );
	r.velocity = ds_v3( over, 0, 0 );
	rig_run( &r, surface, over > 0 ? 1.2 * gear.length * ( 1 - slip ) : 1.2 * gear.length, 0.02, 0.002 );

	// stress along the lower run, against the ideal
	const double pad = ds_gear_way( &gear ) / (double)gear.pads;
	double worst = 0;
	for ( int64_t k = 0; k < gear.pads; ++k )
	{
		const double s = fmod( r.state.travel + (double)k * pad, ds_gear_way( &gear ) );
		if ( s < gear.length - pad )
		{
			const ds_element_state e = ds_element_get( r.elements, k * gear.lanes );
			const double ideal = 1 - exp( -slip * s / soil->shear_displacement );
			worst = fmax( worst, fabs( ds_length( ds_v3( e.shear[0], e.shear[1], e.shear[2] ) ) - ideal ) );
		}
	}
	const double area = gear.width * gear.length;
	const double wong = wong_thrust( soil, area, r.load, gear.length, slip );
	print_message( "belt at slip %.2f: thrust %.1f N, Wong %.1f N; stress within %.4f of its strength\n", slip,
		r.reading.traction, wong, worst );
	// pads come in one by one: the first has slipped over half of its length when it counts as a whole
	NEAR( worst, 0, fmax( 0.02, 0.3 * slip * pad / soil->shear_displacement ) );
	NEAR( r.reading.traction, wong, tolerance * wong );
	// spinning in place nothing but the other pads' pressure loads those that come in
	NEAR( r.reading.normal_force, r.load, ( slip < 1 ? 0.01 : 0.04 ) * r.load );
	rig_free( &r );
}

static void test_wong_belt( void **state )
{
	(void)state;
	ds_soil soil = plain_soil( "dry_sand" );
	soil.cohesion = 1000;
	soil.kphi *= 50; // firm ground: a flat belt without ends
	const double slips[] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 };
	for ( int i = 0; i < 7; ++i )
	{
		belt_at( &soil, slips[i], 0.02 );
	}
}

// Slip of a driven wheel: it is held back without slip, its pull rises steeply and levels off, and stays finite when it spins in place.
static void test_slip_curve( void **state )
{
	(void)state;
	const ds_soil soil = plain_soil( "dry_sand" );
	const ds_gear wheel = { .kind = DS_GEAR_WHEEL, .radius = 0.3, .width = 0.2, .inertia = 1, .pads = 128, .lanes = 1 };
	const double slips[] = { 0, 0.05, 0.1, 0.2, 0.4, 0.7, 0.95 };
	double pull[7], torque = -INFINITY;
	for ( int i = 0; i < 7; ++i )
	{
		rig r;
		rig_make( &r, &wheel, &soil );
		r.load = 600;
		r.damper = r.load / 0.02;
		r.velocity.x = 0.05 * ( 1 - slips[i] );
		rig_run( &r, 0.05, fmax( 0.6 * ( 1 - slips[i] ), 0.2 ), 0.05, 0.002 );
		pull[i] = r.reading.drawbar_pull;
		print_message( "wheel at slip %.2f: pull %.1f N, torque %.1f N m, sinkage %.1f mm\n", r.reading.slip, pull[i],
			r.reading.torque, 1e3 * r.reading.sinkage );
		NEAR( r.reading.slip, slips[i], 1e-6 );
		assert_true( r.reading.torque > torque );
		torque = r.reading.torque;
		NEAR( r.reading.power, r.reading.torque * 0.05 / wheel.radius, 1e-6 * fabs( r.reading.power ) + 1e-9 );
		rig_free( &r );
	}
	assert_true( pull[0] < 0 );
	for ( int i = 1; i < 7; ++i )
	{
		assert_true( pull[i] > pull[i - 1] );
	}
	// steep at first, then slowly
	assert_true( ( pull[3] - pull[0] ) / 0.2 > 5 * ( pull[6] - pull[3] ) / 0.75 );
	assert_true( pull[6] < 600 * tan( soil.friction ) );

	rig r;
	rig_make( &r, &wheel, &soil );
	r.load = 600;
	r.damper = r.load / 0.02;
	rig_run( &r, 0.05, 2, 0.1, 0.002 );
	print_message(
		"wheel that spins in place: pull %.1f N, sinkage %.1f mm\n", r.reading.drawbar_pull, 1e3 * r.reading.sinkage );
	const double sunk = r.pose.position.z + wheel.radius;
	rig_run( &r, 0.05, 8, 0.1, 0.004 );
	print_message( "after four times that: pull %.1f N, sunk %.1f mm\n", r.reading.drawbar_pull,
		1e3 * ( r.pose.position.z + wheel.radius ) );
	NEAR( r.pose.position.z + wheel.radius, sunk, 0.1 * sunk ); // without slip sinkage it hardly goes deeper
	NEAR( r.reading.slip, 1, 1e-12 );
	NEAR( -r.sums.normal.z - r.sums.shear.z, 600, 12 );
	assert_true( r.reading.drawbar_pull > pull[6] );
	assert_true(
		r.reading.drawbar_pull < 1.05 * ( 600 * tan( soil.friction ) + soil.cohesion * r.reading.contact_area ) );
	rig_free( &r );
}

// A towed wheel without friction: all that holds it back is the work of the rut, Bekker's b k z^(n+1) / (n+1) with the soil that
// springs back taken off; the rut is as deep as the wheel.
static void test_compaction( void **state )
{
	(void)state;
	ds_soil soil = plain_soil( "dry_sand" );
	soil.friction = 1e-6;
	soil.cohesion = 0;
	soil.rebound = 0.01;
	const double widths[] = { 0.05, 0.2, 0.6 };
	for ( int i = 0; i < 3; ++i )
	{
		const ds_gear wheel = {
			.kind = DS_GEAR_WHEEL, .radius = 0.3, .width = widths[i], .inertia = 1, .pads = 256, .lanes = 1
		};
		rig r;
		rig_make( &r, &wheel, &soil );
		r.load = 3000 * widths[i];
		r.damper = r.load / 0.05;
		r.velocity.x = 0.05;
		rig_run( &r, 0.05, 0.6, 0.1, 0.001 );
		const double z = r.pose.position.z + wheel.radius, k = soil.kc / wheel.width + soil.kphi;
		const double bekker = wheel.width * k * pow( z, soil.n + 1 ) / ( soil.n + 1 );
		print_message( "wheel %.2f m wide: sunk %.1f mm, resistance %.2f N, Bekker %.2f N\n", widths[i], 1e3 * z,
			r.reading.resistance, bekker );
		NEAR( r.reading.resistance, bekker, 0.03 * bekker );
		NEAR( r.reading.drawbar_pull, -bekker, 0.03 * bekker );
		rig_free( &r );
	}
}

// Force that comes and goes as pads enter and leave.
static void test_ripple( void **state )
{
	(void)state;
	const ds_soil soil = plain_soil( "dry_sand" );
	const ds_gear gears[] = {
		{ .kind = DS_GEAR_WHEEL, .radius = 0.3, .width = 0.2, .inertia = 1, .pads = 128, .lanes = 1 },
		{ .kind = DS_GEAR_BELT, .radius = 0.15, .width = 0.3, .length = 1, .inertia = 1, .pads = 128, .lanes = 1 },
	};
	for ( int i = 0; i < 2; ++i )
	{
		rig r;
		rig_make( &r, &gears[i], &soil );
		r.load = 800;
		r.damper = r.load / 0.02;
		r.velocity.x = 0.045;
		rig_run( &r, 0.05, 0.7, 0.05, 0.001 );
		r.held = true;
		r.velocity.z = 0;
		const double pads = ds_gear_way( &gears[i] ) / (double)gears[i].pads;
		const ds_drive drive = { .mode = DS_DRIVE_SPEED, .speed = 0.05, .torque = INFINITY };
		double low = INFINITY, high = -INFINITY, sum = 0;
		const int steps = (int)( 3 * pads / 0.0005 );
		for ( int n = 0; n < steps; ++n )
		{
			rig_step( &r, &drive, 0.01 );
			const double force = -( r.sums.normal.z + r.sums.shear.z );
			low = fmin( low, force );
			high = fmax( high, force );
			sum += force;
		}
		const double mean = sum / steps;
		print_message( "ripple of gear %d: %.3f of %.0f N\n", i, 0.5 * ( high - low ) / mean, mean );
		assert_true( 0.5 * ( high - low ) < 0.02 * mean );
		rig_free( &r );
	}
}

// Bekker's thrust of grousers: c ( 1 + 2 h/b ), tan phi ( 1 + 0.64 (h/b) arccot( h/b ) ).
static void test_grousers( void **state )
{
	(void)state;
	ds_soil soil = plain_soil( "dry_sand" );
	soil.cohesion = 2000;
	soil.kphi *= 50;
	double thrust[2];
	for ( int i = 0; i < 2; ++i )
	{
		ds_gear gear = long_belt();
		gear.radius = 0.05;
		gear.grouser_height = i == 0 ? 0 : 0.03;
		gear.length = 1;
		rig r;
		rig_make( &r, &gear, &soil );
		r.load = 1000;
		r.damper = r.load / 0.001;
		rig_run( &r, 0.1, 1.5, 0.1, 0.002 );
		thrust[i] = r.reading.traction;
		rig_free( &r );
	}
	const double area = 0.3, most = area * 2000 + 1000 * tan( soil.friction ), ratio = 0.1;
	const double more = area * 2000 * 2 * ratio + 1000 * tan( soil.friction ) * 0.64 * ratio * atan( 1 / ratio );
	print_message( "grousers: thrust %.1f N, without %.1f N, ratio %.4f, Bekker %.4f\n", thrust[1], thrust[0],
		thrust[1] / thrust[0], 1 + more / most );
	NEAR( thrust[1] / thrust[0], 1 + more / most, 0.01 );
}

// The motor's work, that of the carriage and of the load that sinks are what the soil took, and what turns; soil gives nothing.
static void test_energy( void **state )
{
	(void)state;
	ds_soil soil = plain_soil( "dry_sand" );
	soil.bulldozing = true;
	soil.slip_sinkage = 0.3;
	const double surfaces[] = { -0.05, 0, 0.05, 0.3 };
	for ( int i = 0; i < 4; ++i )
	{
		const ds_gear wheel = {
			.kind = DS_GEAR_WHEEL, .radius = 0.2, .width = 0.15, .inertia = 0.5, .pads = 96, .lanes = 2
		};
		rig r;
		rig_make( &r, &wheel, &soil );
		r.load = 300;
		r.damper = r.load / 0.05;
		r.velocity = ds_v3( 0.05, 0.01, 0 );
		rig_run( &r, surfaces[i], 0.4, 0.1, 0.001 );
		const double given = r.motor_work + r.carriage_work, spent = r.soil_work;
		print_message( "surface %.2f m/s: motor %.3f J, carriage %.3f J, sinking %.3f J, soil %.3f J\n", surfaces[i],
			r.motor_work, r.carriage_work, r.load_work, spent );
		assert_true( spent > 0 );
		assert_true( spent < given + r.load_work + 0.02 * fabs( spent ) );
		assert_true( spent > given - 0.02 * fabs( spent ) );
		rig_free( &r );
	}
}

// A wheel that is free rolls along with its carriage, whichever way; its bearings' drag is what slips it.
static void test_free_wheel( void **state )
{
	(void)state;
	const ds_soil soil = plain_soil( "dry_sand" );
	ds_gear wheel = { .kind = DS_GEAR_WHEEL, .radius = 0.2, .width = 0.15, .inertia = 0.05, .pads = 96, .lanes = 1 };
	for ( int i = 0; i < 3; ++i )
	{
		wheel.drag_torque = i == 2 ? 5 : 0;
		wheel.drag_per_speed = 0.2;
		rig r;
		rig_make( &r, &wheel, &soil );
		r.load = 300;
		r.damper = r.load / 0.05;
		r.velocity.x = i == 1 ? -0.1 : 0.1;
		const ds_drive drive = { .mode = DS_DRIVE_FREE };
		double load = 0;
		for ( int n = 0; n < 3000; ++n )
		{
			if ( n == 2000 )
			{
				memset( &r.reading, 0, sizeof( r.reading ) );
			}
			rig_step( &r, &drive, 0.002 );
		}
		ds_gear_reading_finish( &r.state, 2, &r.reading );
		load = r.reading.slip;
		print_message( "free wheel %d: speed %.4f m/s, slip %.4f, pull %.2f N\n", i, r.reading.speed, load,
			r.reading.drawbar_pull );
		assert_true( r.reading.drawbar_pull * r.velocity.x < 0 );
		assert_true( fabs( load ) < ( i == 2 ? 0.3 : 0.12 ) );
		NEAR( r.reading.power, 0, 0 );
		rig_free( &r );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_wong_belt ),
		cmocka_unit_test( test_slip_curve ),
		cmocka_unit_test( test_compaction ),
		cmocka_unit_test( test_ripple ),
		cmocka_unit_test( test_grousers ),
		cmocka_unit_test( test_energy ),
		cmocka_unit_test( test_free_wheel ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

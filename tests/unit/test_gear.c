// Running gear without ground: where its elements lie, how it turns, what it reads.

#include "deepsim/math.h"
#include "terrain/gear.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

#define NEAR( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )

static ds_gear wheel( void )
{
	return ( ds_gear ){ .kind = DS_GEAR_WHEEL, .radius = 0.25, .width = 0.2, .inertia = 0.5, .pads = 64, .lanes = 4 };
}

static ds_gear belt( void )
{
	return ( ds_gear ){ .kind = DS_GEAR_BELT,
		.radius = 0.3,
		.width = 0.5,
		.length = 2,
		.grouser_height = 0.05,
		.inertia = 2,
		.pads = 120,
		.lanes = 3 };
}

static void refused( const ds_gear *gear, ds_status status, const char *word )
{
	assert_int_equal( ds_gear_check( gear ), status );
	assert_non_null( strstr( ds_last_error(), word ) );
}

static void test_check( void **state )
{
	(void)state;
	ds_gear good = belt(), g = good;
	assert_int_equal( ds_gear_check( &good ), DS_OK );
	g = wheel();
	assert_int_equal( ds_gear_check( &g ), DS_OK );
	assert_int_equal( ds_gear_check( NULL ), DS_ERROR_ARGUMENT );
	g.kind = 7;
	refused( &g, DS_ERROR_RANGE, "kind" );
	g = good;
	g.radius = 0;
	refused( &g, DS_ERROR_RANGE, "radius" );
	g.radius = NAN;
	refused( &g, DS_ERROR_NOT_FINITE, "radius" );
	g = good;
	g.width = -1;
	refused( &g, DS_ERROR_RANGE, "width" );
	g = good;
	g.length = 0;
	refused( &g, DS_ERROR_RANGE, "length" );
	g = good;
	g.grouser_height = 0.4;
	refused( &g, DS_ERROR_RANGE, "grouser_height" );
	g = good;
	g = good;
	g.inertia = 0;
	refused( &g, DS_ERROR_RANGE, "inertia" );
	g = good;
	g.drag_torque = -1;
	refused( &g, DS_ERROR_RANGE, "drag_torque" );
	g = good;
	g.drag_per_speed = INFINITY;
	refused( &g, DS_ERROR_NOT_FINITE, "drag_per_speed" );
	g = good;
	g.pads = 7;
	refused( &g, DS_ERROR_LIMIT, "pads" );
	g = good;
	g.lanes = INT64_MAX;
	refused( &g, DS_ERROR_LIMIT, "lanes" );
}

// Whatever the pose and the travel: a closed surface of the right size, whose pads move the way they face the ground for.
static void closed( const ds_gear *gear, double travel, const ds_pose *mount )
{
	double *room = calloc( ds_gear_room( gear ), sizeof( double ) );
	ds_gear_state state = { .speed = 0.7, .travel = travel };
	ds_elements e;
	ds_gear_place( gear, &state, mount, true, room, &e );
	assert_int_equal( e.count, ds_gear_elements( gear ) );
	NEAR( e.speed, 0.7, 0 );
	const int32_t pads = (int32_t)( gear->pads * gear->lanes );
	const double outer = gear->radius + gear->grouser_height;
	double area = 0, volume = 0, sides = 0;
	ds_vec3 sum = ds_v3( 0, 0, 0 ), turn = ds_v3( 0, 0, 0 );
	for ( int32_t i = 0; i < e.count; ++i )
	{
		const ds_vec3 p = ds_v3( e.x[i], e.y[i], e.z[i] ), n = ds_v3( e.nx[i], e.ny[i], e.nz[i] );
		const ds_vec3 v = ds_v3( e.vx[i], e.vy[i], e.vz[i] ), r = ds_sub( p, mount->position );
		NEAR( ds_length( n ), 1, 1e-12 );
		NEAR( ds_dot( n, v ), 0, 1e-12 );
		assert_true( p.x >= e.lower.x && p.y >= e.lower.y && p.z >= e.lower.z );
		assert_true( p.x <= e.upper.x && p.y <= e.upper.y && p.z <= e.upper.z );
		if ( i >= pads )
		{
			sides += e.area[i];
			continue;
		}
		area += e.area[i];
		sum = ds_mad( sum, e.area[i], n );
		volume += e.area[i] * ds_dot( n, r ) / 2; // no ends: a prism's two dimensions
		turn = ds_mad( turn, e.area[i], ds_cross( r, v ) );
	}
	const double straight = gear->kind == DS_GEAR_BELT ? gear->length : 0;
	const double whole = gear->width * ( 2 * straight + 2 * DS_PI * outer );
	NEAR( area, whole, 0.02 * whole );
	NEAR( ds_length( sum ), 0, 0.02 * whole );
	const double face = 2 * straight * outer + DS_PI * outer * outer;
	NEAR( sides, 2 * face, 0.02 * sides );
	NEAR( volume, gear->width * face, 0.02 * volume );
	// forward turning is about -y of the mount
	const ds_vec3 local = ds_unrotate( mount->attitude, turn );
	assert_true( local.y < 0 );
	NEAR( local.x, 0, 1e-9 * fabs( local.y ) );
	NEAR( local.z, 0, 1e-9 * fabs( local.y ) );
	free( room );
}

static void test_place( void **state )
{
	(void)state;
	const ds_gear w = wheel(), b = belt();
	const ds_pose here = ds_pose_identity();
	const ds_pose there = { { 1, -2, 0.5 }, ds_quat_from_rpy( ds_v3( 0.1, -0.3, 2 ) ) };
	for ( int i = 0; i < 5; ++i )
	{
		closed( &w, 0.31 * i, &here );
		closed( &w, 0.31 * i, &there );
		closed( &b, 1.17 * i, &here );
		closed( &b, 1.17 * i, &there );
	}
	// the lowest pads of a belt that drives forward go to the rear, at its speed
	ds_gear_state s = { .speed = 0.7 };
	double *room = calloc( ds_gear_room( &b ), sizeof( double ) );
	ds_elements e;
	ds_gear_place( &b, &s, &here, true, room, &e );
	NEAR( e.x[0], 1, 1e-12 );
	NEAR( e.y[0], -0.5 / 3, 1e-12 );
	NEAR( e.z[0], 0.35, 1e-12 );
	NEAR( e.nz[0], 1, 1e-12 );
	NEAR( e.vx[0], -1, 1e-12 );
	NEAR( e.width[0], 0.5, 0 );
	// half way round they are on the top, on their way to the front
	const int32_t top = 60 * 3;
	NEAR( e.z[top], -0.35, 1e-12 );
	NEAR( e.vx[top], 1, 1e-12 );
	free( room );
}

// A pad travels with the surface: after a step it is where its velocity leads.
static void test_travel( void **state )
{
	(void)state;
	const ds_gear gears[] = { wheel(), belt() };
	const ds_pose mount = { { 0.2, 0.1, 0 }, ds_quat_from_rpy( ds_v3( 0, 0.2, 0.3 ) ) };
	for ( int g = 0; g < 2; ++g )
	{
		const ds_gear *gear = &gears[g];
		double *room = calloc( 2 * ds_gear_room( gear ), sizeof( double ) );
		const ds_gear_state s0 = { .speed = -0.5, .travel = 0.77 };
		ds_gear_state s1 = s0;
		const ds_drive drive = { .mode = DS_DRIVE_SPEED, .speed = -0.5, .torque = 1e9 };
		ds_gear_turn( gear, &drive, 0, 1e-4, &s1 );
		ds_elements e0, e1;
		ds_gear_place( gear, &s0, &mount, true, room, &e0 );
		ds_gear_place( gear, &s1, &mount, true, room + ds_gear_room( gear ), &e1 );
		for ( int32_t i = 0; i < e0.count; ++i )
		{
			NEAR( e1.x[i], e0.x[i] + 1e-4 * e0.speed * e0.vx[i], 1e-7 );
			NEAR( e1.y[i], e0.y[i] + 1e-4 * e0.speed * e0.vy[i], 1e-7 );
			NEAR( e1.z[i], e0.z[i] + 1e-4 * e0.speed * e0.vz[i], 1e-7 );
		}
		free( room );
	}
}

static void test_speed( void **state )
{
	(void)state;
	ds_gear g = wheel();
	g.drag_torque = 2;
	g.drag_per_speed = 0.5;
	ds_gear_state s = { 0 };
	ds_drive d = { .mode = DS_DRIVE_SPEED, .speed = 0.5, .torque = 1000 };
	// within its torque the motor is at its target in one step, and holds it against load and drag
	ds_gear_turn( &g, &d, 10, 0.01, &s );
	NEAR( s.speed, 0.5, 1e-12 );
	NEAR( s.torque, 0.5 * 2 / 0.01 + 10 + 2 + 0.5 * 2, 1e-9 );
	ds_gear_turn( &g, &d, 10, 0.01, &s );
	NEAR( s.speed, 0.5, 1e-12 );
	NEAR( s.torque, 10 + 2 + 1, 1e-9 );
	NEAR( s.angle, 0.5 * 2 * 0.01 + 2 * 0.01, 1e-12 );
	NEAR( s.travel, 0.25 * s.angle, 1e-12 );
	// a load above it drives the gear back, at the rate of the torque that is missing
	d.torque = 20;
	ds_gear_turn( &g, &d, 100, 0.001, &s );
	NEAR( s.torque, 20, 0 );
	NEAR( s.speed, 0.25 * ( 0.5 * 2 + ( 20 - 100 - 2 ) * 0.001 ) / ( 0.5 + 0.5 * 0.001 ), 1e-12 );
	// at rest the bearings hold first
	s = ( ds_gear_state ){ 0 };
	d.speed = 0;
	ds_gear_turn( &g, &d, 1.5, 0.01, &s );
	NEAR( s.torque, 0, 0 );
	ds_gear_turn( &g, &d, 5, 0.01, &s );
	NEAR( s.torque, 3, 1e-12 );
	NEAR( s.speed, 0, 0 );
}

static void test_rolling_out( void **state )
{
	(void)state;
	ds_gear g = wheel();
	g.drag_torque = 2;
	ds_gear_state s = { .speed = 1 };
	const ds_drive d = { .mode = DS_DRIVE_FREE };
	// runs out under dry friction: I w = T t, w = 4 rad/s, in 1 s and 2 rad, and stays
	double time = 0;
	while ( s.speed > 0 && time < 5 )
	{
		ds_gear_turn( &g, &d, 0, 0.001, &s );
		time += 0.001;
		assert_true( s.speed >= 0 );
	}
	NEAR( time, 1, 0.0015 );
	NEAR( s.angle, 2, 1e-3 );
	ds_gear_turn( &g, &d, 1.9, 0.001, &s );
	NEAR( s.speed, 0, 0 );
	ds_gear_turn( &g, &d, -3, 0.001, &s );
	NEAR( s.speed, 0.25 * 1 * 0.001 / 0.5, 1e-12 );
	// viscous drag: e-folding in I / c, whatever the step
	g.drag_torque = 0;
	g.drag_per_speed = 0.5;
	s = ( ds_gear_state ){ .speed = 1 };
	for ( int i = 0; i < 10000; ++i )
	{
		ds_gear_turn( &g, &d, 0, 1e-4, &s );
	}
	NEAR( s.speed, exp( -1 ), 1e-4 );
	ds_gear_turn( &g, &d, 0, 1e6, &s );
	assert_true( s.speed >= 0 && s.speed < 1e-5 );
}

// Energy: what the motor gives is kinetic energy, work of the load, and heat of the bearings, never less than none.
static void test_energy( void **state )
{
	(void)state;
	ds_gear g = wheel();
	g.drag_torque = 1;
	g.drag_per_speed = 0.3;
	ds_gear_state s = { 0 };
	double motor = 0, work = 0;
	for ( int i = 0; i < 4000; ++i )
	{
		const ds_drive d = { .mode = i / 1000 % 2 ? DS_DRIVE_TORQUE : DS_DRIVE_SPEED,
			.speed = 2 * sin( 0.002 * i ),
			.torque = i / 1000 % 2 ? 5 * cos( 0.01 * i ) : 8 };
		const double load = 3 * sin( 0.013 * i ), before = 0.5 * 0.5 * pow( s.speed / 0.25, 2 );
		ds_gear_turn( &g, &d, load, 0.002, &s );
		motor += s.torque * s.turn;
		work += load * s.turn;
		const double heat = s.torque * s.turn - load * s.turn - ( 0.5 * 0.5 * pow( s.speed / 0.25, 2 ) - before );
		const double least = g.drag_torque * fabs( s.turn );
		assert_true( heat > -1e-12 || fabs( s.turn ) < 1e-4 );
		assert_true( heat > 0.5 * least - 1e-3 );
	}
	assert_true( motor > work );
}

static void test_carry( void **state )
{
	(void)state;
	ds_gear g = wheel();
	g.pads = 8;
	g.lanes = 2;
	const double pad = ds_gear_way( &g ) / 8;
	ds_element_block e[2] = { 0 };
	for ( int i = 0; i < 16; ++i )
	{
		e[i / 8].pressure[i % 8] = 100 * ( i / 2 ) + i % 2;
		e[i / 8].gap[i % 8] = i;
	}
	const ds_pose mount = { { 0, 0, 0 }, ds_quat_from_rpy( ds_v3( 0, 0, 0.5 * DS_PI ) ) };
	const ds_gear_state s0 = { .speed = 1 };
	ds_gear_state s1 = s0;
	// a quarter turn without ground speed: pad 0 comes from the bottom to the rear, its shear from forward to down
	e[0].shear[1][0] = 0.5; // forward, as the mount is yawed by 90 degrees
	const double dt = 2 * pad;
	const ds_drive d = { .mode = DS_DRIVE_SPEED, .speed = 1, .torque = 1e9 };
	ds_gear_turn( &g, &d, 0, dt, &s1 );
	ds_gear_carry( &g, &s0, &mount, ds_v3( 0, 0, 0 ), dt, &s1, e );
	NEAR( ds_element_get( e, 0 ).shear[0], 0, 1e-12 );
	NEAR( ds_element_get( e, 0 ).shear[1], 0, 1e-12 );
	NEAR( ds_element_get( e, 0 ).shear[2], 0.5, 1e-12 );
	// pressures stay over the ground: pad 6 is where pad 0 was
	NEAR( ds_element_get( e, 6 * 2 ).pressure, 0, 1e-9 );
	NEAR( ds_element_get( e, 6 * 2 + 1 ).pressure, 1, 1e-9 );
	NEAR( ds_element_get( e, 0 ).pressure, 200, 1e-9 );
	NEAR( ds_element_get( e, 1 ).gap, 5, 1e-9 );
	// rolling, nothing is handed on
	ds_gear_state s2 = s1;
	ds_gear_turn( &g, &d, 0, dt, &s2 );
	ds_gear_carry( &g, &s1, &mount, ds_v3( 1, 0, 0 ), dt, &s2, e );
	NEAR( ds_element_get( e, 0 ).pressure, 200, 1e-9 );
	// sliding forward, locked, over a pad: the ground takes pressures along to the rear
	ds_gear_state s3 = s2;
	s3.speed = 0;
	const ds_drive brake = { .mode = DS_DRIVE_SPEED, .speed = 0, .torque = 1e9 };
	ds_gear_turn( &g, &brake, 0, dt, &s3 );
	ds_gear_carry( &g, &s2, &mount, ds_v3( 0.5, 0.1, 0 ), dt, &s3, e );
	NEAR( ds_element_get( e, 2 ).pressure, 200, 1e-9 );
	NEAR( ds_element_get( e, 5 ).side, 0.3 * dt * 0 + 0.1 * dt, 1e-9 );
	// by parts of a pad, back and forth: nothing is made or lost, nothing goes beyond what was
	double sum = 0;
	for ( int i = 0; i < 100; ++i )
	{
		ds_gear_carry( &g, &s3, &mount, ds_v3( i % 3 ? 0.11 : -0.2, 0, 0 ), dt, &s3, e );
	}
	for ( int i = 0; i < 16; i += 2 )
	{
		const double pressure = ds_element_get( e, i ).pressure;
		sum += pressure;
		assert_true( pressure > -1e-9 && pressure < 700 + 1e-9 );
	}
	NEAR( sum, 2800, 1e-9 );
}

static void test_reading( void **state )
{
	(void)state;
	const ds_gear g = wheel();
	const ds_pose mount = { { 0, 0, 0 }, ds_quat_from_rpy( ds_v3( 0, 0, 0.5 * DS_PI ) ) };
	ds_gear_reading r = { 0 };
	ds_gear_state s = { 0 };
	for ( int i = 0; i < 10; ++i )
	{
		const ds_drive d = { .mode = DS_DRIVE_SPEED, .speed = 0.8, .torque = 1e9 };
		s.speed = 0.8;
		ds_gear_turn( &g, &d, 6, 0.01, &s );
		const ds_contact_sums sums = { .steps = 1,
			.normal = { 4, -10, -100 },
			.shear = { -1, 30 + i, 2 },
			.normal_force = 100,
			.area = 0.02,
			.sinkage = 0.01 + 0.001 * i };
		ds_gear_reading_add( &g, &s, &sums, &mount, ds_v3( -0.3, 0.4, 0.1 ), 0.01, &r );
	}
	ds_gear_reading_finish( &s, 0.1, &r );
	NEAR( r.speed, 0.8, 1e-12 );
	NEAR( r.ground_speed, 0.4, 1e-12 );
	NEAR( r.slip, 0.5, 1e-12 );
	NEAR( r.slip_angle, atan2( 0.3, 0.4 ), 1e-12 );
	NEAR( r.sinkage, 0.019, 1e-12 );
	NEAR( r.normal_force, 100, 1e-9 );
	NEAR( r.traction, 34.5, 1e-9 );
	NEAR( r.resistance, 10, 1e-9 );
	NEAR( r.drawbar_pull, 24.5, 1e-9 );
	NEAR( r.side_force, -3, 1e-9 );
	NEAR( r.torque, 6, 1e-9 );
	NEAR( r.power, 6 * 0.8 / 0.25, 1e-9 );
	NEAR( r.contact_area, 0.02, 1e-12 );
	NEAR( r.angle, 0.32, 1e-12 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_check ),
		cmocka_unit_test( test_place ),
		cmocka_unit_test( test_travel ),
		cmocka_unit_test( test_speed ),
		cmocka_unit_test( test_rolling_out ),
		cmocka_unit_test( test_energy ),
		cmocka_unit_test( test_carry ),
		cmocka_unit_test( test_reading ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The example scenarios against numbers worked out by hand: terminal speeds, thrust against drag, trim, resting contact, and
// the growth of the Munk instability of a hull without fins.

#include "examples_kit.h"

#include <stdlib.h>

// Area of a face times its outward normal.
static ds_vec3 face_area( const ds_vec3 *v, const int32_t *t )
{
	return ds_scale( 0.5, ds_cross( ds_sub( v[t[1]], v[t[0]] ), ds_sub( v[t[2]], v[t[0]] ) ) );
}

// ---- lander ------------------------------------------------------------------------------------------------------

#define LANDER      EXAMPLES "lander/lander.json"
#define LANDER_MASS 460.0
#define LANDER_FORM 0.738
#define LANDER_FOOT 1.235 // from the origin to the soles [m]

// The lander alone, upright in water of one density (tests/scenario/test_examples_sea.c has its sea).
#define LANDER_UPRIGHT                                                                                                 \
	"environment.water.density=1025", "bodies.lander.cg=[0,0,0.585]", "bodies.lander.hydrodynamics.lift=0",            \
		"bodies.lander.hydrodynamics.magnus=0"

// Weight in water [N] and terminal speed [m/s], from the mesh file alone.
static void lander_by_hand( double *weight, double *speed )
{
	ds_mesh *mesh = NULL;
	OK( ds_mesh_load( EXAMPLES "vehicles/lander.obj", NULL, NULL, &mesh, NULL ) );
	int64_t faces;
	const ds_vec3 *v = ds_mesh_vertices( mesh, NULL );
	const int32_t *t = ds_mesh_triangles( mesh, &faces );
	double volume = ds_mesh_measure( mesh ).volume, area = 0; // of the faces that look down
	for ( int64_t i = 0; i < faces; i++ )
	{
		area += fmax( 0, face_area( v, t + 3 * i ).z );
	}
	ds_mesh_release( mesh );
	*weight = ( LANDER_MASS - 1025 * volume ) * 9.81;
	*speed = sqrt( 2 * *weight / ( 1025 * LANDER_FORM * area ) );
}

static void lander_falls_at_its_terminal_speed( void **state )
{
	(void)state;
	double weight, speed;
	lander_by_hand( &weight, &speed );
	const char *overrides[] = { LANDER_UPRIGHT, "bodies.lander.pose.position=[0,0,100]", "environment.currents=[]" };
	ds_world *world = world_of( LANDER, overrides, 6 );
	run_to( world, 60 );
	ds_body_motion m = motion_of( world, "lander" );
	ds_world_destroy( world );

	assert_near( m.velocity_world.linear.z, speed, 1e-4 );
	assert_small( m.pose.position.x, 1e-6 );
	assert_small( m.pose.position.y, 1e-6 );
	assert_small( ds_length( m.rpy ), 1e-6 );
}

static void lander_drifts_with_the_current( void **state )
{
	(void)state;
	double weight, speed;
	lander_by_hand( &weight, &speed );
	const char *overrides[] = { LANDER_UPRIGHT, "bodies.lander.pose.position=[0,0,100]",
		"environment.currents=[{\"model\":\"uniform\",\"velocity\":[0.03,-0.04,0]}]" };
	ds_world *world = world_of( LANDER, overrides, 6 );
	run_to( world, 60 );
	ds_body_motion m = motion_of( world, "lander" );
	ds_world_destroy( world );

	// Drag across the fall is linear in the small slip, so the slip dies out exponentially.
	assert_near( m.velocity_world.linear.z, speed, 1e-3 );
	assert_near( m.velocity_world.linear.x, 0.03, 1e-2 );
	assert_near( m.velocity_world.linear.y, -0.04, 1e-2 );
}

static void lander_comes_to_rest_on_its_feet( void **state )
{
	(void)state;
	double weight, speed;
	lander_by_hand( &weight, &speed );
	const char *overrides[] = { LANDER_UPRIGHT, "bodies.lander.pose.position=[0,0,2996]" };
	ds_world *world = world_of( LANDER, overrides, 5 );
	run_to( world, 30 );
	ds_body_motion m = motion_of( world, "lander" );
	assert_small( m.pose.position.z - ( 3000 - LANDER_FOOT ), 2e-3 );
	assert_small( ds_length( m.velocity_world.linear ), 1e-3 );
	assert_small( m.rpy.x, 0.1 * DEGREE );
	assert_small( m.rpy.y, 0.1 * DEGREE );

	// The seabed carries the weight in water.
	ds_id body, gauge;
	ds_body_forces forces;
	OK( ds_world_find( world, DS_BODY, "lander", &body ) );
	OK( ds_body_forces_get( world, body, &forces ) );
	assert_near( forces.contact.force.z, -weight, 0.01 );

	// The pressure sensor sits 0.55 m below the origin.
	ds_sample_header header;
	ds_pressure reading;
	OK( ds_world_find( world, DS_SENSOR, "pressure", &gauge ) );
	OK( ds_sensor_latest( world, gauge, &header, &reading, sizeof reading ) );
	assert_near( reading.pressure, 101325 + 1025 * 9.81 * ( m.pose.position.z + 0.55 ), 1e-9 );
	ds_world_destroy( world );
}

// ---- AUV ---------------------------------------------------------------------------------------------------------

#define AUV EXAMPLES "auv/auv.json"

// Published drag [kg/m] along and across the hull: X_uu and Z_ww of Prestero 2001, table C.1 and C.2.
#define AUV_AXIAL 1.62
#define AUV_CROSS 131.0

// Drag of the hull that moves at 1.3 m/s along a body axis, deep under water.
static void auv_has_the_published_drag( void **state )
{
	(void)state;
	const char *velocities[] = { "bodies.auv.velocity.linear=[1.3,0,0]", "bodies.auv.velocity.linear=[-1.3,0,0]",
		"bodies.auv.velocity.linear=[0,1.3,0]", "bodies.auv.velocity.linear=[0,0,-1.3]" };
	const ds_vec3 right[] = { { -AUV_AXIAL, 0, 0 }, { AUV_AXIAL, 0, 0 }, { 0, -AUV_CROSS, 0 }, { 0, 0, AUV_CROSS } };
	for ( size_t i = 0; i < sizeof velocities / sizeof velocities[0]; i++ )
	{
		const char *overrides[] = { velocities[i], "bodies.auv.pose.position=[0,0,50]",
			"bodies.auv.pose.rpy_deg=[0,0,0]", "commands=[]", "rate=10000" };
		ds_world *world = world_of( AUV, overrides, 5 );
		OK( ds_world_step( world, 1 ) );
		ds_id body;
		ds_body_forces forces;
		OK( ds_world_find( world, DS_BODY, "auv", &body ) );
		OK( ds_body_forces_get( world, body, &forces ) );
		ds_world_destroy( world );
		ds_vec3 expected = ds_scale( 1.3 * 1.3, right[i] );
		assert_small( ds_length( ds_sub( forces.drag.force, expected ) ), 1e-3 * ds_length( expected ) );
	}
}

static void auv_cruises_where_thrust_is_drag( void **state )
{
	(void)state;
	ds_world *world = world_of( AUV, NULL, 0 );
	run_to( world, 124 );
	ds_body_motion m = motion_of( world, "auv" );
	double u = m.velocity_body.linear.x;
	assert_near( u, sqrt( 3.873 / AUV_AXIAL ), 0.003 );
	assert_near( u, 1.54, 0.01 ); // published, at 1500 rpm

	// Trimmed nose down by atan( x_G / z_G ), it flies along its own axis, without side-slip or roll.
	double trim = atan2( 0.002, 0.0196 );
	assert_small( m.rpy.y + trim, 0.2 * DEGREE );
	assert_near( m.velocity_world.linear.z, u * sin( trim ), 0.03 );
	assert_small( m.pose.position.y, 1e-3 );
	assert_small( m.rpy.x, 1e-3 );

	run_to( world, 214 );
	assert_near( motion_of( world, "auv" ).velocity_body.linear.x / u, sqrt( 9.25 / 3.873 ), 0.005 );
	ds_world_destroy( world );
}

// Without fins a slender hull turns broadside (Munk): in potential flow, small sway v and yaw rate r obey
// (m + A22) v' = -(m + A11) U r and (Iz + A66) r' = -(A22 - A11) U v, so both grow as exp( lambda t ).
static void published_added_mass_turns_the_bare_hull( void **state )
{
	(void)state;
	const char *overrides[] = { "bodies.auv.hydrodynamics.added_mass=[0.93,35.5,35.5,0.0704,4.88,4.88]",
		"bodies.auv.hydrodynamics.form_drag=0", "bodies.auv.hydrodynamics.skin_drag=0", "bodies.auv.cg=[0,0,0]",
		"bodies.auv.pose.position=[0,0,50]", "bodies.auv.pose.rpy_deg=[0,0,0]", "bodies.auv.velocity.linear=[1,1e-6,0]",
		"commands=[]", "rate=500" };
	ds_world *world = world_of( AUV, overrides, 9 );
	run_to( world, 4 );
	double early = motion_of( world, "auv" ).velocity_body.angular.z;
	run_to( world, 7 );
	double late = motion_of( world, "auv" ).velocity_body.angular.z;
	ds_world_destroy( world );

	double m = 30.48, lambda = sqrt( ( 35.5 - 0.93 ) * ( m + 0.93 ) / ( ( 3.45 + 4.88 ) * ( m + 35.5 ) ) );
	assert_true( early < 0 );
	assert_near( log( late / early ) / 3, lambda, 0.002 );
}

// ---- ROV ---------------------------------------------------------------------------------------------------------

#define ROV EXAMPLES "rov/rov.json"

// Published quadratic damping [N s2/m2] in fresh water, at this sea's density.
#define ROV_SURGE ( 141.0 * 1.025 )
#define ROV_SWAY  ( 217.0 * 1.025 )
#define ROV_HEAVE ( 190.0 * 1.025 )

// Steps to a time of the whole timeline, just before a leg ends.
static ds_body_motion rov_at( double time )
{
	ds_world *world = world_of( ROV, NULL, 0 );
	run_to( world, time );
	ds_body_motion m = motion_of( world, "rov/frame" );
	ds_world_destroy( world );
	return m;
}

static void rov_surges_ahead( void **state )
{
	(void)state;
	ds_body_motion m = rov_at( 19.9 );
	assert_near( m.velocity_body.linear.x, sqrt( 4 * 3 * sqrt( 0.5 ) / ROV_SURGE ), 0.002 );
	assert_small( m.velocity_body.linear.y, 1e-8 );
	assert_small( m.rpy.x, 1e-8 );
	assert_small( m.rpy.z, 1e-8 );
}

static void rov_sways_to_starboard_without_turning( void **state )
{
	(void)state;
	ds_body_motion m = rov_at( 39.9 );
	assert_near( m.velocity_body.linear.y, sqrt( ( 6 + 2 * 2.876033 ) * sqrt( 0.5 ) / ROV_SWAY ), 0.002 );
	assert_small( m.rpy.x, 0.5 * DEGREE );
	assert_small( m.rpy.z, 2 * DEGREE ); // turned a little by the surge that is left and the Munk moment
}

static void rov_dives_level( void **state )
{
	(void)state;
	ds_body_motion m = rov_at( 79.9 );
	assert_near( m.velocity_body.linear.z, sqrt( 20 / ROV_HEAVE ), 0.002 );
	assert_small( m.rpy.x, 0.5 * DEGREE );
	assert_small( m.rpy.y, 0.5 * DEGREE );
}

static void rov_yaws_to_starboard_on_the_spot( void **state )
{
	(void)state;
	assert_true( rov_at( 59.9 ).velocity_body.angular.z > 0.5 );

	// The leg alone, from rest. Couple of the four thrusters: sum of x F_y - y F_x.
	const char *overrides[] = { "bodies.rov/frame.hydrodynamics.volume=\"neutral\"",
		"commands=[{\"t\":0,\"actuator\":\"rov/t1\",\"value\":-2},{\"t\":0,\"actuator\":\"rov/t2\",\"value\":2},"
		"{\"t\":0,\"actuator\":\"rov/t3\",\"value\":2},{\"t\":0,\"actuator\":\"rov/t4\",\"value\":-2}]" };
	ds_world *world = world_of( ROV, overrides, 2 );
	ds_vec3 before = motion_of( world, "rov/frame" ).pose.position;
	run_to( world, 10 );
	ds_body_motion m = motion_of( world, "rov/frame" );
	ds_world_destroy( world );
	double couple = 2 * 2 * sqrt( 0.5 ) * ( ( 0.14 + 0.092 ) + ( 0.15 + 0.092 ) );

	// Drag of a turning box: a point (x, y) moves at w (-y, x), there C is (C_x y^2 + C_y x^2)/(x^2 + y^2), and a side at
	// x = a gives the moment 1/2 rho w^2 |y| (C_x y^2 + C_y a^2), over the half of it that moves outward; so for each side.
	double a = 0.4571 / 2, b = 0.575 / 2, h = 0.2539, form_x = 1.9316, form_y = 3.7395;
	double x_sides = 2 * h * ( form_x * b * b * b * b / 4 + form_y * a * a * b * b / 2 );
	double y_sides = 2 * h * ( form_y * a * a * a * a / 4 + form_x * a * a * b * b / 2 );
	assert_near( m.velocity_body.angular.z, sqrt( couple / ( 0.5 * 1025 * ( x_sides + y_sides ) ) ), 0.005 );
	assert_small( ds_length( ds_sub( m.pose.position, before ) ), 0.01 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( lander_falls_at_its_terminal_speed ),
		cmocka_unit_test( lander_drifts_with_the_current ),
		cmocka_unit_test( lander_comes_to_rest_on_its_feet ),
		cmocka_unit_test( auv_has_the_published_drag ),
		cmocka_unit_test( auv_cruises_where_thrust_is_drag ),
		cmocka_unit_test( published_added_mass_turns_the_bare_hull ),
		cmocka_unit_test( rov_surges_ahead ),
		cmocka_unit_test( rov_sways_to_starboard_without_turning ),
		cmocka_unit_test( rov_yaws_to_starboard_on_the_spot ),
		cmocka_unit_test( rov_dives_level ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

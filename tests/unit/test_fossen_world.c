// Hydrodynamic models of a body in a world: one word changes them. Lift and Magnus force in a tick.

#include "world_kit.h"

#define RHO 1025.0

static ds_body_def vehicle( const ds_mesh *mesh, int32_t model )
{
	ds_body_def def = kit_point( "rov", 100, 4, 6, 7 );
	def.mesh = mesh;
	def.pose.position.z = 30;
	def.cg[2] = 0.05;
	ds_hydrodynamics_def *h = &def.hydrodynamics;
	h->model = model;
	h->volume_kind = DS_VOLUME_NEUTRAL;
	h->has_cb = true;
	h->added_mass_kind = DS_ADDED_MASS_DIAGONAL;
	for ( int i = 0; i < 6; ++i )
	{
		h->added_mass[i] = i < 3 ? 50 + 30 * i : 2;
		h->linear_damping[7 * i] = i < 3 ? 20 : 3;
		h->quadratic_damping[7 * i] = i < 3 ? 100 : 8;
	}
	return def;
}

static ds_id add( ds_world *world, const ds_body_def *def )
{
	ds_id id;
	OK( ds_body_create( world, def, &id ) );
	return id;
}

// Each model has the forces that its name says.
static void test_one_word( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 0.5, 0.4, 0.5 );
	for ( int32_t model = DS_HYDRO_NONE; model <= DS_HYDRO_FOSSEN_SIMPLIFIED; ++model )
	{
		ds_body_def def = vehicle( mesh, model );
		def.velocity.linear = ds_v3( 1.2, 0.5, 0 );
		ds_world *world = kit_world( 1000, NULL );
		ds_id id = add( world, &def );
		ds_mass_properties mass;
		OK( ds_body_mass_get( world, id, &mass ) );
		bool water = model != DS_HYDRO_NONE, fossen = model > DS_HYDRO_MESH;
		NEAR( mass.added.m[0][0], model == DS_HYDRO_MESH || model == DS_HYDRO_FOSSEN ? 50 : 0, 1e-12 );
		NEAR( mass.volume, water ? 100 / RHO : 0, 1e-12 );
		OK( ds_world_step( world, 1 ) );
		ds_body_forces f;
		OK( ds_body_forces_get( world, id, &f ) );
		NEAR( f.hydrostatic.force.z, water ? -981 : 0, 1e-9 );
		if ( fossen )
		{
			NEAR3( f.drag.force, ds_v3( -20 * 1.2 - 100 * 1.44, -20 * 0.5 - 100 * 0.25, 0 ), 1e-9 );
		}
		else
		{
			double area = 0.4 * 0.5, e = 1.2 / 1.3;
			double form = 0.5 * RHO * 1.69 * ( area * e + 0.5 * 0.5 * 0.5 / 1.3 );
			assert_true( model == DS_HYDRO_NONE ? f.drag.force.x == 0 : f.drag.force.x < -form * e );
		}
		// Munk's moment is that of the added mass
		double munk = model == DS_HYDRO_MESH || model == DS_HYDRO_FOSSEN ? -30 * 1.2 * 0.5 / 9 : 0;
		double rate = kit_motion( world, id ).velocity_body.angular.z;
		NEAR( rate / 1e-3, munk, model == DS_HYDRO_MESH ? 0.1 : 0.01 );
		ds_world_destroy( world );
	}
	ds_mesh_release( mesh );
}

// Without a mesh the volume and its centre are all there is of it: a vehicle that floats up ends with its ball awash.
static void test_volume_alone( void **state )
{
	(void)state;
	ds_body_def def = vehicle( NULL, DS_HYDRO_FOSSEN );
	def.hydrodynamics.volume_kind = DS_VOLUME_GIVEN;
	def.hydrodynamics.volume = 0.12;
	def.hydrodynamics.cb[2] = -0.02;
	def.pose.position.z = 3;
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, -0.2, 1 ) );
	ds_world *world = kit_world( 100, NULL );
	ds_id id = add( world, &def );
	OK( ds_world_step( world, 8000 ) );
	ds_body_motion motion = kit_motion( world, id );
	ds_body_forces f;
	OK( ds_body_forces_get( world, id, &f ) );
	NEAR( f.displaced_volume, 100 / RHO, 3e-4 );
	NEAR( motion.rpy.x, 0, 1e-6 );
	NEAR( motion.rpy.y, 0, 1e-6 );
	assert_true( fabs( motion.depth ) < 0.3 );
	ds_world_destroy( world );

	world = kit_world( 100, NULL );
	def.hydrodynamics.has_cb = false;
	ds_body_def other = def;
	assert_int_equal( ds_body_create( world, &other, &id ), DS_ERROR_NOT_FOUND );
	assert_non_null( strstr( ds_last_error(), "volume and cb" ) );
	def.hydrodynamics.has_cb = true;
	def.hydrodynamics.quadratic_damping[3] = 500;
	assert_int_equal( ds_body_create( world, &def, &id ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "body \"rov\": damping.quadratic adds energy: [0][3] is 500" ) );
	ds_world_destroy( world );
}

// Damping never gives energy, at any rate, and acts as far as the body is wet: none in the air.
static void test_energy( void **state )
{
	(void)state;
	const double rates[] = { 1, 5, 20, 200 };
	for ( int k = 0; k < 4; ++k )
	{
		ds_body_def def = vehicle( NULL, DS_HYDRO_FOSSEN );
		def.hydrodynamics.linear_damping[1] = 30;
		def.hydrodynamics.linear_damping[6] = -25;
		def.hydrodynamics.forward_damping[7] = 300;
		def.hydrodynamics.damping_about[0] = 0.3;
		def.cg[2] = 0;
		def.velocity = ( ds_twist ){ { 3, -2, 1 }, { 2, -3, 1 } };
		ds_world *world = kit_world( rates[k], NULL );
		ds_id id = add( world, &def );
		double last, energy;
		OK( ds_body_kinetic_energy( world, id, &last ) );
		for ( int i = 0; i < 100; ++i )
		{
			OK( ds_world_step( world, 1 ) );
			OK( ds_body_kinetic_energy( world, id, &energy ) );
			assert_true( energy <= last * ( 1 + 1e-12 ) );
			last = energy;
		}
		ds_world_destroy( world );
	}
	ds_body_def def = vehicle( NULL, DS_HYDRO_FOSSEN );
	def.pose.position.z = -50;
	def.velocity.linear = ds_v3( 3, 0, 0 );
	ds_world *world = kit_world( 100, NULL );
	ds_id id = add( world, &def );
	OK( ds_world_step( world, 100 ) );
	NEAR( kit_motion( world, id ).velocity_world.linear.x, 3, 1e-12 );
	ds_world_destroy( world );
}

static ds_id spinning_ball( ds_world *world, const ds_mesh *mesh, bool printed )
{
	ds_body_def def = kit_point( "ball", RHO * ds_mesh_measure( mesh ).volume, 5, 5, 5 );
	def.mesh = mesh;
	def.pose.position.z = 30;
	def.velocity = ( ds_twist ){ { 1, 0, 0 }, { 0, 0, 4 } };
	ds_hydrodynamics_def *h = &def.hydrodynamics;
	h->added_mass_kind = DS_ADDED_MASS_NONE;
	h->form_drag[0] = h->form_drag[1] = h->form_drag[2] = h->skin_drag = 0;
	h->magnus = 0.25;
	h->printed_magnus = printed;
	return add( world, &def );
}

// A neutral ball that spins about the vertical and feels the Magnus force alone goes in circles: it turns at C_M rho V w / m,
// 1 rad/s, and keeps its energy for as long as it likes, at a coarse rate too. The angle is right to the second order of the
// tick.
static void test_magnus_circles( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_sphere( 0.3, 320 );
	double error[2];
	for ( int k = 0; k < 2; ++k )
	{
		int32_t rate = k ? 100 : 50;
		ds_world *world = kit_world( rate, NULL );
		ds_id id = spinning_ball( world, mesh, false );
		OK( ds_world_step( world, 10 * rate ) );
		ds_vec3 v = kit_motion( world, id ).velocity_world.linear;
		NEAR( ds_length( v ), 1, 1e-12 );
		error[k] = remainder( atan2( v.y, v.x ) - 10, 2 * DS_PI );
		ds_world_destroy( world );
	}
	NEAR( error[0], 0, 0.02 );
	NEAR( error[1] / error[0], 0.25, 0.02 );

	// the printed form turns the other way
	ds_world *world = kit_world( 50, NULL );
	ds_id id = spinning_ball( world, mesh, true );
	OK( ds_world_step( world, 1 ) );
	assert_true( kit_motion( world, id ).velocity_world.linear.y < 0 );
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

// A wing that is pushed along at 5 degrees lifts: its path bends to the side of the suction, and lift alone keeps its speed.
static void test_lift_bends_the_path( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 1, 1, 0.02 );
	double volume = ds_mesh_measure( mesh ).volume, last = 0;
	for ( int k = 0; k < 2; ++k )
	{
		ds_body_def def = kit_point( "wing", RHO * volume, 1e9, 1e9, 1e9 );
		def.mesh = mesh;
		def.pose.position.z = 30;
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 0, 5 * DS_PI / 180, 0 ) );
		def.velocity.linear = ds_v3( 1, 0, 0 );
		ds_hydrodynamics_def *h = &def.hydrodynamics;
		h->added_mass_kind = DS_ADDED_MASS_NONE;
		h->form_drag[0] = h->form_drag[1] = h->form_drag[2] = h->skin_drag = 0;
		h->lift = k;
		ds_world *world = kit_world( 200, NULL );
		ds_id id = add( world, &def );
		OK( ds_world_step( world, 1 ) );
		double a = 5 * DS_PI / 180, lift = 0.5 * RHO * 0.98 * sin( a ) * cos( a );
		ds_body_motion motion = kit_motion( world, id );
		NEAR( motion.acceleration_world.z, -k * lift / ( RHO * volume ), 0.02 );
		OK( ds_world_step( world, 40 ) );
		motion = kit_motion( world, id );
		NEAR( ds_length( motion.velocity_world.linear ), 1, 1e-12 );
		assert_true( k == 0 || motion.depth < last - 0.01 );
		last = motion.depth;
		ds_world_destroy( world );
	}
	ds_mesh_release( mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_one_word ),
		cmocka_unit_test( test_volume_alone ),
		cmocka_unit_test( test_energy ),
		cmocka_unit_test( test_magnus_circles ),
		cmocka_unit_test( test_lift_bends_the_path ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

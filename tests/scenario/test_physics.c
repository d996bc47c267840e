// The reference cases P01, P03, P04, P05 and their kinds, in whole worlds: right values from closed forms.

#include "../unit/world_kit.h"

#define RHO 1025.0
#define G   9.81

// Forces on a body held in a pose with a velocity, from one tick of a very fast world.
static ds_body_forces forces_at( ds_body_def def, const ds_environment_def *e, ds_pose pose, ds_twist velocity )
{
	ds_world *world = kit_world( 1e5, e );
	def.pose = pose;
	def.velocity = velocity;
	// the half step is where forces are taken: start half a tick before the pose
	def.pose.position = ds_mad( pose.position, -0.5e-5, velocity.linear );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	OK( ds_world_step( world, 1 ) );
	ds_body_forces forces;
	OK( ds_body_forces_get( world, id, &forces ) );
	ds_world_destroy( world );
	return forces;
}

static ds_twist still( void )
{
	return ( ds_twist ){ { 0, 0, 0 }, { 0, 0, 0 } };
}

static ds_pose pose_of( double x, double y, double z, double roll, double pitch, double yaw )
{
	return ( ds_pose ){ { x, y, z }, ds_quat_from_rpy( ds_v3( roll, pitch, yaw ) ) };
}

// ---- P01: hydrostatics of a box ------------------------------------------------------------------------------------

static void test_box_floats_at_its_draft( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 1, 0.4 );
	ds_body_def def = kit_hull( "box", box, 200 );

	// 0.10 m of draft pushes with rho g 0.1 m3; the box's bottom is 0.2 m below its centre
	ds_body_forces f = forces_at( def, NULL, pose_of( 0, 0, -0.1, 0, 0, 0 ), still() );
	NEAR( f.hydrostatic.force.z, -1005.525, 1e-6 );
	NEAR( f.displaced_volume, 0.1, 1e-9 );

	// weight and buoyancy are equal at a draft of m / (rho A)
	double draft = 200 / RHO;
	f = forces_at( def, NULL, pose_of( 3, 4, draft - 0.2, 0, 0, 1 ), still() );
	NEAR( f.hydrostatic.force.z + f.gravity.force.z, 0, 1e-6 );

	// 5 degrees of heel about the waterline's centre: GZ = sin(phi) (GM + BM tan^2(phi) / 2), righting
	double phi = 5 * DS_PI / 180, gm = 0.32464, bm = 0.42708;
	ds_pose heeled = pose_of( 0, 0, 0, phi, 0, 0 );
	heeled.position = ds_rotate( heeled.attitude, ds_v3( 0, 0, draft - 0.2 ) );
	f = forces_at( def, NULL, heeled, still() );
	double moment = -f.hydrostatic.torque.x;
	NEAR( moment, 200 * G * sin( phi ) * ( gm + 0.5 * bm * tan( phi ) * tan( phi ) ), 0.01 * 55.79 );
	NEAR( moment, 55.79, 0.01 * 55.79 );
	ds_mesh_release( box );
}

static void test_box_heaves_with_its_period( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 1, 0.4 );
	ds_body_def def = kit_hull( "box", box, 200 );
	def.pose.position.z = 200 / RHO - 0.2 + 0.02;
	ds_world *world = kit_world( 200, NULL );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	double level = 200 / RHO - 0.2, last = 0.02, first_up = -1, up = -1, highest = 0;
	int crossings = 0;
	for ( int i = 0; i < 200 * 60; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		double z = kit_motion( world, id ).depth - level, t = 1e-9 * (double)ds_world_time( world );
		highest = fmax( highest, fabs( z ) );
		if ( last < 0 && z >= 0 )
		{
			up = t - 0.005 * z / ( z - last );
			first_up = first_up < 0 ? up : first_up;
			++crossings;
		}
		last = z;
	}
	NEAR( ( up - first_up ) / ( crossings - 1 ), 2 * DS_PI * sqrt( 200 / ( RHO * G ) ), 0.001 * 0.8861 );
	NEAR( highest, 0.02, 0.0002 ); // neither gains nor loses
	ds_world_destroy( world );
	ds_mesh_release( box );
}

static void test_a_floating_box_does_not_turn( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 1, 0.4 );
	ds_body_def def = kit_hull( "box", box, 200 );
	def.hydrodynamics.drag = true;
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.pose = pose_of( 0, 0, -0.02, 0, 0, 0.4 );
	ds_world *world = kit_world( 200, NULL );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	for ( int i = 0; i < 60; ++i )
	{
		OK( ds_world_step( world, 200 ) );
		ds_body_motion m = kit_motion( world, id );
		NEAR( m.velocity_body.angular.z, 0, 1e-9 );
		NEAR( hypot( m.pose.position.x, m.pose.position.y ), 0, 1e-9 );
		NEAR( m.rpy.z, 0.4, 1e-9 );
	}
	ds_world_destroy( world );
	ds_mesh_release( box );
}

// CB over CG swings with the analytic period; CB under CG capsizes.
static void test_stability_follows_the_centres( void **state )
{
	(void)state;
	ds_mesh *sphere = kit_sphere( 0.5, 1280 );
	ds_mesh_properties p = ds_mesh_measure( sphere );
	for ( int upside = 0; upside < 2; ++upside )
	{
		ds_body_def def = kit_hull( "ball", sphere, RHO * p.volume );
		def.cg[2] = upside ? -0.05 : 0.05;
		def.pose = pose_of( 0, 0, 100, 0.01, 0, 0 );
		ds_world *world = kit_world( 200, NULL );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		double last = 0.01, first = -1, crossing = -1, largest = 0;
		int count = 0;
		for ( int i = 0; i < 200 * 30; ++i )
		{
			OK( ds_world_step( world, 1 ) );
			double roll = kit_motion( world, id ).rpy.x, t = 1e-9 * (double)ds_world_time( world );
			largest = fmax( largest, fabs( roll ) );
			if ( last < 0 && roll >= 0 )
			{
				crossing = t - 0.005 * roll / ( roll - last );
				first = first < 0 ? crossing : first;
				++count;
			}
			last = roll;
		}
		if ( upside )
		{
			assert_true( largest > 2 );
		}
		else
		{
			// the free neutral body swings about its centre of gravity; the inertia given is about that point
			double inertia = p.inertia.m[0][0] * RHO, weight = RHO * p.volume * G;
			NEAR( ( crossing - first ) / ( count - 1 ), 2 * DS_PI * sqrt( inertia / ( weight * 0.05 ) ), 0.003 );
		}
		ds_world_destroy( world );
	}
	ds_mesh_release( sphere );
}

// ---- buoyancy at depth, through the surface ------------------------------------------------------------------------

static void test_buoyancy_is_rho_g_v( void **state )
{
	(void)state;
	ds_mesh *meshes[] = { kit_sphere( 0.4, 1280 ), kit_box( 2, 0.7, 0.3 ) };
	srand( 5 );
	for ( int m = 0; m < 2; ++m )
	{
		double weight = RHO * G * ds_mesh_measure( meshes[m] ).volume;
		for ( int i = 0; i < 40; ++i )
		{
			double a[6];
			for ( int k = 0; k < 6; ++k )
			{
				a[k] = 6.0 * rand() / RAND_MAX - 3;
			}
			ds_body_def def = kit_hull( "b", meshes[m], weight / G );
			def.mesh_pose = pose_of( a[0], a[1], a[2], a[3], a[4], a[5] );
			def.cg[0] = a[0];
			def.cg[1] = a[1];
			def.cg[2] = a[2];
			ds_pose pose = pose_of( a[5], a[4], i % 2 ? 10 : 3000, a[2], a[1], a[0] );
			ds_body_forces f = forces_at( def, NULL, pose, still() );
			ds_vec3 force = ds_rotate( pose.attitude, f.hydrostatic.force );
			NEAR( force.z, -weight, 1e-9 * weight );
			NEAR( hypot( force.x, force.y ), 0, 1e-9 * weight );
			// CB and CG coincide: no moment about the centre
			ds_vec3 torque = ds_sub( f.hydrostatic.torque, ds_cross( ds_v3( a[0], a[1], a[2] ), f.hydrostatic.force ) );
			NEAR( ds_length( torque ), 0, 1e-9 * weight );
		}
		ds_mesh_release( meshes[m] );
	}
}

static void test_buoyancy_through_the_surface_is_continuous( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 0.6, 0.4 );
	ds_body_def def = kit_hull( "box", box, 100 );
	def.mesh_pose = pose_of( 0.1, -0.2, 0.3, 0.2, -0.4, 1 );
	ds_quat q = ds_quat_from_rpy( ds_v3( 0.3, -0.7, 2 ) );
	double last = 0, whole = RHO * G * 0.24;
	for ( double z = -1.5; z < 1.5; z += 0.005 )
	{
		ds_pose pose = { { 0, 0, z }, q };
		ds_body_forces f = forces_at( def, NULL, pose, still() );
		ds_vec3 force = ds_rotate( q, f.hydrostatic.force ), torque = ds_rotate( q, f.hydrostatic.torque );
		double up = -force.z;
		assert_true( up >= last - 1e-9 * whole );
		// no section is larger than the box's largest, a diagonal one
		assert_true( up - last <= RHO * G * 1.0 * 0.75 * 0.005 );
		NEAR( hypot( force.x, force.y ), 0, 1e-9 * whole );
		NEAR( torque.z, 0, 1e-9 * whole );
		last = up;
	}
	NEAR( last, whole, 1e-9 * whole );
	ds_mesh_release( box );
}

static void test_neutral_is_exactly_neutral( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 1, 1, 1 );
	ds_body_def def = kit_hull( "b", mesh, 777 );
	def.hydrodynamics.volume_kind = DS_VOLUME_NEUTRAL;
	ds_body_forces f = forces_at( def, NULL, pose_of( 0, 0, 2000, 1, 2, 3 ), still() );
	NEAR( ds_length( ds_add( f.gravity.force, f.hydrostatic.force ) ), 0, 1e-9 * 777 * G );
	ds_mesh_release( mesh );
}

// ---- P03: drag -----------------------------------------------------------------------------------------------------

static void test_terminal_velocity( void **state )
{
	(void)state;
	// a cube that falls along z: its projected area is exactly 1 side^2, C chosen for Cd A = 0.1 m2
	ds_mesh *cube = kit_box( 0.5, 0.5, 0.5 );
	const double rates[] = { 100, 200, 500, 1000, 2000 };
	double w = ( 20 - RHO * 0.015 ) * G, vt = sqrt( 2 * w / ( RHO * 0.1 ) ), previous = 0;
	NEAR( vt, 0.94090, 5e-6 );
	for ( int doubled = 0; doubled < 2; ++doubled )
	{
		for ( int i = 0; i < 5; ++i )
		{
			ds_body_def def = kit_hull( "cube", cube, 20 );
			def.hydrodynamics.drag = true;
			def.hydrodynamics.skin_drag = 0;
			def.hydrodynamics.form_drag[0] = def.hydrodynamics.form_drag[1] = def.hydrodynamics.form_drag[2] = 0.4;
			def.hydrodynamics.volume_kind = DS_VOLUME_GIVEN;
			def.hydrodynamics.volume = doubled ? ( 20 - 2 * w / G ) / RHO : 0.015;
			def.pose.position.z = 1000;
			ds_world *world = kit_world( rates[i], NULL );
			ds_id id;
			OK( ds_body_create( world, &def, &id ) );
			OK( ds_world_step( world, ds_world_ticks( world, 1 ) ) );
			double v1 = kit_motion( world, id ).velocity_world.linear.z;
			OK( ds_world_step( world, ds_world_ticks( world, 20 ) ) );
			double v = kit_motion( world, id ).velocity_world.linear.z;
			if ( !doubled )
			{
				NEAR( v1, vt * tanh( w / ( 20 * vt ) ),
					2e-4 * vt ); // the scheme is second order: far inside the 1 % asked for
				NEAR( v, vt, 1e-9 );
				previous = v;
			}
			else
			{
				NEAR( v, previous * sqrt( 2 ), 1e-9 );
			}
			ds_world_destroy( world );
		}
	}
	ds_mesh_release( cube );
}

static void test_drag_of_a_sphere( void **state )
{
	(void)state;
	double r = 0.4;
	ds_mesh *sphere = kit_sphere( r, 5120 );
	ds_body_def def = kit_hull( "ball", sphere, 300 );
	def.hydrodynamics.drag = true;
	srand( 9 );
	for ( int skin = 0; skin < 2; ++skin )
	{
		double c = skin ? 0.01 : 0.8;
		def.hydrodynamics.form_drag[0] = def.hydrodynamics.form_drag[1] = def.hydrodynamics.form_drag[2] = skin ? 0 : c;
		def.hydrodynamics.skin_drag = skin ? c : 0;
		double v = 1.3;
		double right =
			skin ? 0.5 * RHO * c * v * v * ( 3 * DS_PI * DS_PI / 4 ) * r * r : 0.5 * RHO * c * v * v * DS_PI * r * r;
		for ( int i = 0; i < 10; ++i )
		{
			ds_vec3 d = ds_v3( rand() - RAND_MAX / 2.0, rand() - RAND_MAX / 2.0, rand() - RAND_MAX / 2.0 );
			d = ds_scale( 1 / ds_length( d ), d );
			ds_twist slow = { ds_scale( v, d ), { 0, 0, 0 } }, fast = { ds_scale( 4 * v, d ), { 0, 0, 0 } };
			ds_vec3 f = forces_at( def, NULL, pose_of( 0, 0, 50, 0, 0, 0 ), slow ).drag.force;
			ds_vec3 f4 = forces_at( def, NULL, pose_of( 0, 0, 50, 0, 0, 0 ), fast ).drag.force;
			// 5120 flat faces have 0.1 % less area than the sphere
			NEAR( -ds_dot( f, d ), right, 0.004 * right );
			NEAR( ds_length( ds_cross( f, d ) ), 0, 0.002 * right );
			NEAR( ds_length( f4 ) / ds_length( f ), 16, 1e-9 );
		}
	}
	ds_mesh_release( sphere );
}

static void test_no_drag_when_drifting_with_the_current( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 0.5, 0.25 );
	ds_environment_def e = ds_environment_def_default();
	ds_current_def current = { .kind = DS_CURRENT_UNIFORM, .velocity = { 0.7, -0.4, 0.1 } };
	e.currents = ( ds_array ){ &current, 1 };
	ds_body_def def = kit_hull( "b", box, RHO * 0.125 );
	def.hydrodynamics.drag = true;
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	ds_twist drift = { { 0.7, -0.4, 0.1 }, { 0, 0, 0 } };
	ds_body_forces f = forces_at( def, &e, pose_of( 0, 0, 20, 0.5, 0.3, 1 ), drift );
	NEAR( ds_length( f.drag.force ) + ds_length( f.drag.torque ), 0, 1e-9 );

	// for a minute: it goes with the water and keeps its attitude
	def.pose = pose_of( 0, 0, 20, 0.5, 0.3, 1 );
	def.velocity = drift;
	ds_world *world = kit_world( 100, &e );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	OK( ds_world_step( world, 6000 ) );
	ds_body_motion m = kit_motion( world, id );
	NEAR3( m.pose.position, ds_v3( 42, -24, 26 ), 1e-9 );
	NEAR3( m.rpy, ds_v3( 0.5, 0.3, 1 ), 1e-9 );
	ds_world_destroy( world );
	ds_mesh_release( box );
}

// A turning, driven body relative to the water does the same in a current as in still water.
static void test_motion_relative_to_a_current_is_that_in_still_water( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 0.5, 0.25 );
	ds_current_def current = { .kind = DS_CURRENT_UNIFORM, .velocity = { 0.7, -0.4, 0 } };
	ds_environment_def e[2] = { ds_environment_def_default(), ds_environment_def_default() };
	e[1].currents = ( ds_array ){ &current, 1 };
	ds_world *worlds[2];
	ds_id ids[2];
	for ( int i = 0; i < 2; ++i )
	{
		ds_body_def def = kit_hull( "b", box, RHO * 0.125 );
		def.hydrodynamics.drag = true;
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
		def.cg[0] = 0.05;
		def.hydrodynamics.has_cb = true;
		def.hydrodynamics.cb[0] = 0.05;
		def.hydrodynamics.cb[2] = -0.02;
		def.pose = pose_of( 0, 0, 20, 0.2, 0.1, 1 );
		def.velocity = ( ds_twist ){ { 0.3, 0.2, 0.1 }, { 0.3, -0.5, 0.8 } };
		if ( i )
		{
			def.velocity.linear = ds_add( def.velocity.linear, ds_v3( 0.7, -0.4, 0 ) );
		}
		worlds[i] = kit_world( 100, e + i );
		OK( ds_body_create( worlds[i], &def, ids + i ) );
	}
	for ( int k = 0; k < 3000; ++k )
	{
		for ( int i = 0; i < 2; ++i )
		{
			ds_wrench push = { { 30 * sin( 0.01 * k ), 10, -5 }, { 1, 2 * cos( 0.02 * k ), 3 } };
			OK( ds_body_apply_wrench_body( worlds[i], ids[i], push, ds_v3( 0.1, 0, 0 ) ) );
			OK( ds_world_step( worlds[i], 1 ) );
		}
	}
	ds_body_motion a = kit_motion( worlds[0], ids[0] ), b = kit_motion( worlds[1], ids[1] );
	NEAR3( ds_sub( b.pose.position, a.pose.position ), ds_v3( 21, -12, 0 ), 1e-9 );
	NEAR3( b.rpy, a.rpy, 1e-9 );
	assert_true( ds_length( a.velocity_body.angular ) > 0.05 ); // it does turn
	ds_world_destroy( worlds[0] );
	ds_world_destroy( worlds[1] );
	ds_mesh_release( box );
}

// ---- P04: added mass -----------------------------------------------------------------------------------------------

static void test_released_sphere( void **state )
{
	(void)state;
	ds_mesh *sphere = kit_sphere( 0.2, 5120 );
	double v = ds_mesh_measure( sphere ).volume;
	ds_body_def def = kit_hull( "ball", sphere, 20 );
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.pose.position.z = 50;
	ds_world *world = kit_world( 200, NULL );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	for ( int i = 0; i < 100; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		double a = kit_motion( world, id ).acceleration_world.z;
		NEAR( a, -( RHO * v - 20 ) * G / ( 20 + 0.5 * RHO * v ), 1e-6 );
		NEAR( a, -3.7864, 0.01 * 3.7864 );
	}
	ds_world_destroy( world );
	ds_mesh_release( sphere );
}

static void test_large_added_mass_is_stable_at_any_rate( void **state )
{
	(void)state;
	const double rates[] = { 50, 100, 200, 500, 1000, 2000 };
	for ( int i = 0; i < 6; ++i )
	{
		ds_body_def def = kit_point( "b", 10, 1, 1, 1 );
		def.pose.position.z = 100;
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
		const double added[6] = { 100, 100, 100, 10, 10, 10 };
		memcpy( def.hydrodynamics.added_mass, added, sizeof( added ) );
		ds_environment_def e = ds_environment_def_default();
		e.gravity = 0;
		ds_world *world = kit_world( rates[i], &e );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		for ( int k = 0; k < (int)rates[i] * 5; ++k )
		{
			ds_wrench push = { { 55, 0, 0 }, { 0, 0, 2.2 } };
			ds_body_motion m = kit_motion( world, id );
			OK( ds_body_apply_wrench_world( world, id, push, m.pose.position ) );
			OK( ds_world_step( world, 1 ) );
			m = kit_motion( world, id );
			NEAR( m.acceleration_world.x, 0.5, 0.0005 );
			NEAR( m.velocity_world.angular.z, 0.2 * 1e-9 * (double)ds_world_time( world ), 1e-6 );
		}
		ds_world_destroy( world );
	}
}

// The kinetic energy of a neutral body that coasts in still water never rises.
static void test_coasting_never_gains_energy( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_ELLIPSOID );
	shape.semi_axes = ds_v3( 0.8, 0.1, 0.12 );
	shape.faces = 320;
	ds_mesh *hull;
	OK( ds_mesh_make( &shape, NULL, &hull ) );
	double v = ds_mesh_measure( hull ).volume;
	const double rates[] = { 20, 50, 200, 2000 };
	for ( int drag = 0; drag < 2; ++drag )
	{
		for ( int i = 0; i < 4; ++i )
		{
			ds_body_def def = kit_hull( "b", hull, RHO * v );
			def.hydrodynamics.drag = drag;
			def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
			def.pose = pose_of( 0, 0, 200, 0.1, 0.2, 0.3 );
			def.velocity = ( ds_twist ){ { 2, 0.4, -0.3 }, { 1.5, 0.8, -0.6 } };
			ds_world *world = kit_world( rates[i], NULL );
			ds_id id;
			OK( ds_body_create( world, &def, &id ) );
			double last, first;
			OK( ds_body_kinetic_energy( world, id, &first ) );
			last = first;
			for ( int k = 0; k < (int)rates[i] * 20; ++k )
			{
				OK( ds_world_step( world, 1 ) );
				double e;
				OK( ds_body_kinetic_energy( world, id, &e ) );
				assert_true( e <= last * ( 1 + 1e-12 ) );
				last = e;
			}
			if ( drag )
			{
				assert_true( last < 0.2 * first );
			}
			else
			{
				NEAR( last, first, 1e-9 * first );
			}
			ds_world_destroy( world );
		}
	}
	ds_mesh_release( hull );
}

// ---- P05: tumbling -------------------------------------------------------------------------------------------------

static void test_tumbling_turns_over_on_time( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_world( 1000, &e );
	ds_body_def def = kit_point( "b", 1, 1, 2, 3 );
	def.velocity.angular = ds_v3( 0.01, 2, 0.01 );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	double last = 2, turns[8];
	int count = 0;
	for ( int i = 0; i < 60000; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		double w = kit_motion( world, id ).velocity_body.angular.y;
		if ( w * last < 0 && count < 8 )
		{
			turns[count++] = 1e-9 * (double)ds_world_time( world );
			last = w;
		}
	}
	assert_int_equal( count, 5 );
	NEAR( turns[0], 6.060, 0.002 ); // values of an RK4 integration, reference case P05
	for ( int i = 1; i < count; ++i )
	{
		NEAR( turns[i] - turns[i - 1], 10.978, 0.002 );
	}
	ds_body_motion m = kit_motion( world, id );
	ds_vec3 w = m.velocity_body.angular;
	NEAR( ds_length( ds_v3( w.x, 2 * w.y, 3 * w.z ) ), 4.000125, 1e-9 * 4 + 5e-7 );
	double energy;
	OK( ds_body_kinetic_energy( world, id, &energy ) );
	NEAR( energy, 4.0002, 1e-9 );
	ds_world_destroy( world );
}

static void test_tumbling_keeps_momentum_and_energy( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_world( 200, &e );
	ds_body_def def = kit_point( "b", 5, 1, 2, 3 );
	def.velocity = ( ds_twist ){ { 3, -2, 1 }, { 1, 1, 1 } };
	def.cg[0] = 0.4; // the origin is not the centre of gravity
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	ds_body_motion start = kit_motion( world, id );
	ds_vec3 vc = ds_add( start.velocity_world.linear, ds_cross( ds_v3( 1, 1, 1 ), ds_v3( 0.4, 0, 0 ) ) );
	OK( ds_world_step( world, 12000 ) );
	ds_body_motion m = kit_motion( world, id );
	ds_vec3 w = m.velocity_body.angular, momentum = ds_rotate( m.pose.attitude, ds_v3( w.x, 2 * w.y, 3 * w.z ) );
	NEAR3( momentum, ds_v3( 1, 2, 3 ), 1e-9 );
	double energy;
	OK( ds_body_kinetic_energy( world, id, &energy ) );
	NEAR( energy, 3 + 0.5 * 5 * ds_dot( vc, vc ), 1e-9 );
	// the centre of gravity has gone straight
	ds_vec3 c = ds_pose_point( m.pose, ds_v3( 0.4, 0, 0 ) );
	NEAR3( c, ds_mad( ds_v3( 0.4, 0, 0 ), 60, vc ), 1e-8 );
	ds_world_destroy( world );
}

static void test_a_steady_spin_is_exact( void **state )
{
	(void)state;
	ds_environment_def e = kit_vacuum( 0 );
	ds_world *world = kit_world( 50, &e );
	ds_body_def def = kit_point( "b", 5, 1, 2, 3 );
	def.velocity.angular = ds_v3( 0, 0, 10 ); // 0.2 rad a tick
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	OK( ds_world_step( world, 50 * 60 ) );
	NEAR( kit_motion( world, id ).rpy.z, remainder( 600, 2 * DS_PI ), 1e-9 );
	ds_world_destroy( world );
}

// ---- far from the origin ---------------------------------------------------------------------------------------------

static void test_the_same_drop_far_away( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 0.8, 0.6 );
	ds_body_motion end[2];
	const double far[2] = { 0, 1e6 };
	for ( int i = 0; i < 2; ++i )
	{
		ds_environment_def e = ds_environment_def_default();
		e.seabed = DS_SEABED_FLAT;
		e.seabed_depth = 25;
		ds_body_def def = kit_hull( "b", box, 900 );
		def.hydrodynamics.drag = true;
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
		def.collision = DS_COLLISION_HULL;
		def.pose = pose_of( far[i], -far[i], -1, 0.2, 0.1, 0.5 );
		ds_world *world = kit_world( 200, &e );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		OK( ds_world_step( world, 12000 ) );
		end[i] = kit_motion( world, id );
		end[i].pose.position = ds_sub( end[i].pose.position, ds_v3( far[i], -far[i], 0 ) );
		ds_world_destroy( world );
	}
	NEAR3( end[1].pose.position, end[0].pose.position, 1e-6 );
	assert_true( end[0].pose.position.z > 24 ); // it has landed
	ds_mesh_release( box );
}

// ---- contacts and joints with added mass -----------------------------------------------------------------------------

static void test_a_resting_contact_carries_the_weight( void **state )
{
	(void)state;
	ds_mesh *box = kit_box( 1, 1, 0.5 );
	ds_environment_def e = ds_environment_def_default();
	e.seabed = DS_SEABED_FLAT;
	e.seabed_depth = 100;
	ds_body_def def = kit_hull( "b", box, 700 );
	def.hydrodynamics.drag = true;
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
	def.collision = DS_COLLISION_HULL;
	def.pose.position.z = 99.7;
	ds_world *world = kit_world( 200, &e );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	OK( ds_world_step( world, 200 * 20 ) );
	double w = ( 700 - RHO * 0.5 ) * G, sum = 0;
	for ( int i = 0; i < 200; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		ds_body_forces f;
		OK( ds_body_forces_get( world, id, &f ) );
		sum += -f.contact.force.z / 200;
	}
	NEAR( sum, w, 1e-5 * w );
	ds_body_motion m = kit_motion( world, id );
	NEAR( m.depth, 99.75, 0.002 );
	NEAR( ds_length( m.velocity_world.linear ), 0, 1e-4 );
	ds_world_destroy( world );
	ds_mesh_release( box );
}

static void test_welded_bodies_accelerate_by_the_sum_of_their_masses( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.gravity = 0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		ds_world *world = kit_world( 200, &e );
		ds_id ids[2];
		const double added[2][6] = { { 5, 40, 80, 1, 2, 3 }, { 30, 10, 20, 2, 1, 1 } };
		for ( int i = 0; i < 2; ++i )
		{
			ds_body_def def = kit_point( i ? "b" : "a", i ? 20 : 10, 2, 2, 2 );
			def.pose.position.z = 100;
			def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
			memcpy( def.hydrodynamics.added_mass, added[i], sizeof( added[i] ) );
			OK( ds_body_create( world, &def, ids + i ) );
		}
		ds_joint_def weld = ds_joint_def_default();
		snprintf( weld.name, sizeof( weld.name ), "weld" );
		weld.kind = DS_JOINT_FIXED;
		weld.body_a = ids[0];
		weld.body_b = ids[1];
		ds_id joint;
		OK( ds_joint_create( world, &weld, &joint ) );
		double total = 30 + added[0][axis] + added[1][axis];
		ds_vec3 unit = ds_v3( axis == 0, axis == 1, axis == 2 );
		for ( int k = 0; k < 400; ++k )
		{
			ds_body_motion m = kit_motion( world, ids[0] );
			OK( ds_body_apply_wrench_world(
				world, ids[0], ( ds_wrench ){ ds_scale( 9, unit ), { 0, 0, 0 } }, m.pose.position ) );
			OK( ds_world_step( world, 1 ) );
		}
		for ( int i = 0; i < 2; ++i )
		{
			ds_body_motion m = kit_motion( world, ids[i] );
			NEAR( ds_dot( m.velocity_world.linear, unit ), 9 * 2 / total, 1e-6 );
			NEAR( ds_dot( m.acceleration_world, unit ), 9 / total, 1e-5 );
		}
		ds_vec3 apart = ds_sub( kit_motion( world, ids[0] ).pose.position, kit_motion( world, ids[1] ).pose.position );
		NEAR( ds_length( apart ), 0, 1e-6 );
		ds_world_destroy( world );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_box_floats_at_its_draft ),
		cmocka_unit_test( test_box_heaves_with_its_period ),
		cmocka_unit_test( test_a_floating_box_does_not_turn ),
		cmocka_unit_test( test_stability_follows_the_centres ),
		cmocka_unit_test( test_buoyancy_is_rho_g_v ),
		cmocka_unit_test( test_buoyancy_through_the_surface_is_continuous ),
		cmocka_unit_test( test_neutral_is_exactly_neutral ),
		cmocka_unit_test( test_terminal_velocity ),
		cmocka_unit_test( test_drag_of_a_sphere ),
		cmocka_unit_test( test_no_drag_when_drifting_with_the_current ),
		cmocka_unit_test( test_motion_relative_to_a_current_is_that_in_still_water ),
		cmocka_unit_test( test_released_sphere ),
		cmocka_unit_test( test_large_added_mass_is_stable_at_any_rate ),
		cmocka_unit_test( test_coasting_never_gains_energy ),
		cmocka_unit_test( test_tumbling_turns_over_on_time ),
		cmocka_unit_test( test_tumbling_keeps_momentum_and_energy ),
		cmocka_unit_test( test_a_steady_spin_is_exact ),
		cmocka_unit_test( test_the_same_drop_far_away ),
		cmocka_unit_test( test_a_resting_contact_carries_the_weight ),
		cmocka_unit_test( test_welded_bodies_accelerate_by_the_sum_of_their_masses ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Joints of the Bullet shim against mechanics by hand.

#include "test_bullet_sim.h"

static int32_t join( sim *s, dsb_joint_def *def )
{
	int32_t joint;
	def->id = s->count + 100;
	assert_int_equal( dsb_joint_create( s->world, def, &joint ), DS_OK );
	return joint;
}

// Two welded bodies of unequal added mass go by F / ( M1 + M2 ) along each axis, and the weld does not drift.
static void weld_adds_masses( void **state )
{
	(void)state;
	for ( int axis = 0; axis < 3; ++axis )
	{
		sim s;
		sim_start( &s, 1.0 / 200 );
		ds_mat6 m1 = sim_mass( 50, 150, 400, 10, 20, 30 ), m2 = sim_mass( 20, 30, 25, 2, 3, 4 );
		sim_body *a = sim_add( &s, NULL, sim_at( 0, 0, 0 ), &m1, 0, 0 );
		sim_body *b = sim_add( &s, NULL, sim_at( 0.7, -0.4, 0.3 ), &m2, 0, 0 );
		dsb_joint_def def = dsb_joint_def_default();
		def.body_a = a->index;
		def.body_b = b->index;
		def.frame_a.position = ds_v3( 0.5, 0, 0.1 );
		def.frame_b.position = ds_v3( -0.2, 0.4, -0.2 );
		join( &s, &def );

		// A force along the axis and a moment that keep the pair from turning: the moment of b's inertia about a's point.
		double f = 40, total = m1.m[axis][axis] + m2.m[axis][axis], share = f * m2.m[axis][axis] / total;
		double e[3] = { axis == 0, axis == 1, axis == 2 };
		ds_vec3 direction = ds_v3( e[0], e[1], e[2] );
		a->force.force = ds_scale( f, direction );
		a->force.torque = ds_cross( ds_v3( 0.7, -0.4, 0.3 ), ds_scale( share, direction ) );
		for ( int k = 0; k < 200; ++k )
		{
			sim_step( &s );
		}
		assert_true( ds_length( ds_sub( a->v.linear, ds_scale( f / total, direction ) ) ) < 1e-6 * f / total );
		assert_true( ds_length( ds_sub( b->v.linear, a->v.linear ) ) < 1e-9 );
		assert_true( ds_length( b->contact.force ) > 0 );
		assert_true( ds_length( ds_sub( b->contact.force, ds_scale( share, direction ) ) ) < 1e-6 * f );

		// A minute with a moment of its own: the pair turns and speeds up, the weld holds.
		a->force.torque = ds_v3( 0.3, -0.2, 0.5 );
		double drift = 0;
		for ( int k = 0; k < 60 * 200; ++k )
		{
			a->force.force = ds_scale( -40, a->v.linear );
			a->force.torque = ds_mad( ds_v3( 0.3, -0.2, 0.5 ), -20, a->v.angular );
			b->force.force = ds_rotate( b->pose.attitude, ds_v3( 40, 0, 0 ) );
			sim_step( &s );
			ds_vec3 p = ds_pose_point( a->pose, def.frame_a.position ),
					q = ds_pose_point( b->pose, def.frame_b.position );
			ds_quat turn = ds_quat_mul( ds_quat_conjugate( a->pose.attitude ), b->pose.attitude );
			drift = fmax( drift, ds_length( ds_sub( p, q ) ) );
			drift = fmax( drift, ds_length( ds_quat_log( turn ) ) );
		}
		assert_true( drift < 1e-6 );
		sim_end( &s );
	}
}

// The internal forces of joints of every kind, motors among them, change no total momentum.
static void joints_keep_momentum( void **state )
{
	(void)state;
	for ( int kind = 0; kind < 4; ++kind )
	{
		sim s;
		sim_start( &s, 1.0 / 100 );
		ds_mat6 m1 = sim_mass( 50, 150, 400, 10, 20, 30 ), m2 = sim_mass( 20, 30, 25, 2, 3, 4 );
		sim_body *a = sim_add( &s, NULL, sim_at( 1, 2, 3 ), &m1, 0, 0 );
		sim_body *b = sim_add( &s, NULL, sim_at( 1.7, 1.6, 3.3 ), &m2, 0, 0 );
		a->v.angular = ds_v3( 0.3, -0.2, 0.1 );
		b->v.linear = ds_v3( 0.1, 0.3, -0.2 );
		dsb_joint_def def = dsb_joint_def_default();
		def.kind = (dsb_joint_kind)kind;
		def.body_a = a->index;
		def.body_b = b->index;
		def.frame_a.position = ds_v3( 0.5, 0, 0.1 );
		def.frame_b.position = ds_v3( -0.2, 0.4, -0.2 );
		def.limited = true;
		def.lower = -0.05;
		def.upper = 0.05;
		int32_t joint = join( &s, &def );
		dsb_motor motor = { DSB_MOTOR_VELOCITY, 0.7, 30, 0, 0 };
		dsb_joint_set_motor( s.world, joint, &motor );
		double greatest = 0;
		for ( int k = 0; k < 300; ++k )
		{
			// Where the bodies are in the middle of the step, for poses that move by mean velocities.
			ds_vec3 pa = ds_mad( a->pose.position, 0.5 * s.dt, a->v.linear );
			ds_vec3 pb = ds_mad( b->pose.position, 0.5 * s.dt, b->v.linear );
			sim_step( &s );
			ds_vec3 force = ds_add( a->contact.force, b->contact.force );
			ds_vec3 moment = ds_add( a->contact.torque, b->contact.torque );
			moment = ds_add( moment, ds_add( ds_cross( pa, a->contact.force ), ds_cross( pb, b->contact.force ) ) );
			greatest = fmax( greatest, ds_length( a->contact.force ) );
			assert_true( ds_length( force ) < 1e-9 * fmax( 1, ds_length( a->contact.force ) ) );
			assert_true( ds_length( moment ) < 1e-9 * fmax( 1, ds_length( a->contact.force ) ) );
		}
		assert_true( greatest > 1 );
		sim_end( &s );
	}
}

// A compound pendulum in vacuum: T = 2 pi sqrt( ( I + m r^2 ) / ( m g r ) ) for small swings; and it keeps its energy.
static void pendulum_keeps_time( void **state )
{
	(void)state;
	for ( int kind = 0; kind < 2; ++kind )
	{
		sim s;
		sim_start( &s, 1.0 / 500 );
		double m = 12, inertia = 1.5, r = 0.8, g = 9.81, start = 0.02;
		ds_mat6 mass = sim_mass( m, m, m, 1, inertia, 2 );
		ds_pose pose = sim_at( 0, 0, 0 );
		pose.attitude = ds_quat_from_rpy( ds_v3( 0, start, 0 ) );
		pose.position = ds_rotate( pose.attitude, ds_v3( 0, 0, r ) );
		sim_body *b = sim_add( &s, NULL, pose, &mass, 0, 0 );
		b->weight = m * g;
		dsb_joint_def def = dsb_joint_def_default();
		def.kind = kind ? DSB_JOINT_BALL : DSB_JOINT_HINGE;
		def.body_b = b->index;
		def.frame_a.attitude = def.frame_b.attitude = ds_quat_from_rpy( ds_v3( 0, 0, 0.5 * DS_PI ) );
		def.frame_b.position = ds_v3( 0, 0, -r );
		int32_t joint = join( &s, &def );

		// Time of ten swings from upward passages through the vertical.
		double expected = 2 * DS_PI * sqrt( ( inertia + m * r * r ) / ( m * g * r ) );
		double before = b->pose.position.x, first = 0, last = 0, top = 0;
		int passed = 0;
		for ( int k = 1; passed < 11; ++k )
		{
			sim_step( &s );
			double now = b->pose.position.x;
			if ( before < 0 && now >= 0 )
			{
				last = ( k - now / ( now - before ) ) * s.dt;
				first = passed++ ? first : last;
				top = 0;
			}
			top = fmax( top, now );
			before = now;
			assert_true( k < 20000 );
		}
		assert_true( fabs( ( last - first ) / 10 - expected ) < 0.002 * expected );
		sim_run( &s, 0.26 * expected );
		double angle, rate;
		ds_wrench reaction;
		dsb_joint_state( s.world, joint, &angle, &rate, &reaction );
		ds_vec3 pivot = ds_pose_point( b->pose, def.frame_b.position );
		assert_true( ds_length( pivot ) < 1e-6 );
		assert_true( fabs( reaction.force.z + m * g ) < 0.01 * m * g );
		if ( kind == 0 )
		{
			assert_true( fabs( fabs( angle ) - start ) < 0.01 * start );
			assert_true( ds_length( ds_v3( reaction.torque.x, reaction.torque.y, 0 ) ) < 1e-9 * m * g );
		}
		sim_end( &s );
	}
}

// A long swing from the horizontal loses no energy to the hinge: the speed below is sqrt( 2 m g r / ( I + m r^2 ) ).
static void hinge_loses_no_energy( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	double m = 12, inertia = 1.5, r = 0.8, g = 9.81;
	ds_mat6 mass = sim_mass( m, m, m, 1, inertia, 2 );
	ds_pose pose = sim_at( r, 0, 0 );
	sim_body *b = sim_add( &s, NULL, pose, &mass, 0, 0 );
	b->weight = m * g;
	dsb_joint_def def = dsb_joint_def_default();
	def.kind = DSB_JOINT_HINGE;
	def.body_b = b->index;
	def.frame_a.attitude = def.frame_b.attitude = ds_quat_from_rpy( ds_v3( 0, 0, 0.5 * DS_PI ) );
	def.frame_b.position = ds_v3( -r, 0, 0 );
	join( &s, &def );
	double fastest = 0, drift = 0;
	for ( int k = 0; k < 200 * 60; ++k )
	{
		sim_step( &s );
		fastest = k > 200 * 55 ? fmax( fastest, fabs( b->v.angular.y ) ) : 0;
		drift = fmax( drift, ds_length( ds_pose_point( b->pose, def.frame_b.position ) ) );
	}
	double expected = sqrt( 2 * m * g * r / ( inertia + m * r * r ) );
	assert_true( fabs( fastest - expected ) < 0.002 * expected );
	assert_true( drift < 1e-4 );
	sim_end( &s );
}

// A slider pushed against its stops stays between them and stops there; sideways it does not move.
static void slider_stops( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	ds_mat6 mass = sim_mass( 5, 8, 11, 1, 1, 1 );
	sim_body *b = sim_add( &s, NULL, sim_at( 0, 0, 0 ), &mass, 0, 0 );
	dsb_joint_def def = dsb_joint_def_default();
	def.kind = DSB_JOINT_SLIDER;
	def.body_b = b->index;
	def.frame_a.attitude = def.frame_b.attitude = ds_quat_from_rpy( ds_v3( 0, 0, 0.5 * DS_PI ) ); // along y
	def.limited = true;
	def.lower = -0.25;
	def.upper = 0.5;
	int32_t joint = join( &s, &def );
	for ( int side = 0; side < 2; ++side )
	{
		double push = side ? -16 : 16, stop = side ? -0.25 : 0.5, position, farthest = 0;
		b->force.force = ds_v3( 30, push, -20 );
		b->force.torque = ds_v3( 1, 2, 3 );
		for ( int k = 0; k < 600; ++k )
		{
			sim_step( &s );
			dsb_joint_state( s.world, joint, &position, NULL, NULL );
			farthest = fmax( farthest, side ? stop - position : position - stop );
		}
		assert_true( farthest < 0.01 );
		ds_wrench reaction;
		dsb_joint_state( s.world, joint, NULL, NULL, &reaction );
		assert_true( fabs( b->pose.position.y - stop ) < 1e-6 );
		assert_true( fabs( b->pose.position.x ) < 1e-9 && fabs( b->pose.position.z ) < 1e-9 );
		assert_true( fabs( b->v.linear.y ) < 1e-6 );
		assert_true( fabs( reaction.force.y + push ) < 1e-3 );
		assert_true( fabs( reaction.force.x + 30 ) < 1e-6 && fabs( reaction.force.z - 20 ) < 1e-6 );
		assert_true( fabs( reaction.torque.x + 1 ) < 1e-6 && fabs( reaction.torque.z + 3 ) < 1e-6 );
	}
	sim_end( &s );
}

// Between stops a slider moves by F / m of its axis.
static void slider_is_free( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	ds_mat6 mass = sim_mass( 5, 8, 11, 1, 1, 1 );
	sim_body *b = sim_add( &s, NULL, sim_at( 0, 0, 0 ), &mass, 0, 0 );
	dsb_joint_def def = dsb_joint_def_default();
	def.kind = DSB_JOINT_SLIDER;
	def.body_b = b->index;
	int32_t joint = join( &s, &def );
	b->force.force = ds_v3( 10, 50, 50 );
	sim_run( &s, 2 );
	double position, velocity;
	sim_predict( &s, b );
	dsb_joint_state( s.world, joint, &position, &velocity, NULL );
	assert_true( fabs( position - 0.5 * 2 * 4 ) < 1e-9 );
	assert_true( fabs( velocity - 2 * 2 ) < 1e-9 );
	sim_end( &s );
}

// A velocity motor speeds up by its greatest torque and then holds the speed; a servo reaches its angle and holds a load.
static void motors_drive( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	ds_mat6 mass = sim_mass( 5, 5, 5, 0.5, 2, 2 );
	sim_body *b = sim_add( &s, NULL, sim_at( 0, 0, 0 ), &mass, 0, 0 );
	dsb_joint_def def = dsb_joint_def_default();
	def.kind = DSB_JOINT_HINGE;
	def.body_b = b->index;
	int32_t joint = join( &s, &def );
	dsb_motor motor = { DSB_MOTOR_VELOCITY, 3, 1.5, 0, 0 };
	dsb_joint_set_motor( s.world, joint, &motor );
	sim_run( &s, 0.5 );
	assert_true( fabs( b->v.angular.x - 1.5 ) < 1e-9 );
	sim_run( &s, 1 );
	assert_true( fabs( b->v.angular.x - 3 ) < 1e-9 );

	double angle;
	motor.mode = DSB_MOTOR_POSITION;
	motor.target = -1;
	motor.gain = 5;
	motor.max_velocity = 2;
	motor.max_force = 20;
	dsb_joint_set_motor( s.world, joint, &motor );
	b->force.torque.x = 2;
	sim_run( &s, 6 );
	dsb_joint_state( s.world, joint, &angle, NULL, NULL );
	assert_true( fabs( angle + 1 ) < 1e-6 );
	ds_wrench reaction;
	dsb_joint_state( s.world, joint, NULL, NULL, &reaction );
	assert_true( fabs( reaction.torque.x + 2 ) < 1e-6 );
	sim_end( &s );
}

// A chain of ten hinges hangs: its top carries all.
static void chain_hangs( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	ds_mat6 mass = sim_mass( 2, 2, 2, 0.05, 0.05, 0.05 );
	int32_t top = -1;
	for ( int i = 0; i < 10; ++i )
	{
		sim_body *b = sim_add( &s, NULL, sim_at( 0, 0, 0.25 + 0.5 * i ), &mass, 0, 0 );
		b->weight = 2 * 9.81;
		dsb_joint_def def = dsb_joint_def_default();
		def.kind = DSB_JOINT_BALL;
		def.body_a = i ? s.body[i - 1].index : DSB_NONE;
		def.body_b = b->index;
		def.frame_a.position = ds_v3( 0, 0, i ? 0.25 : 0 );
		def.frame_b.position = ds_v3( 0, 0, -0.25 );
		int32_t joint = join( &s, &def );
		top = i ? top : joint;
	}
	sim_run( &s, 20 );
	ds_wrench reaction;
	dsb_joint_state( s.world, top, NULL, NULL, &reaction );
	assert_true( fabs( reaction.force.z + 20 * 9.81 ) < 1e-6 * 20 * 9.81 );
	assert_true( fabs( s.body[9].pose.position.z - 4.75 ) < 1e-6 );
	sim_end( &s );
}

// Far from the origin a weld is as good.
static void weld_holds_far_away( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	ds_mat6 m = sim_mass( 20, 30, 25, 2, 3, 4 );
	sim_body *a = sim_add( &s, NULL, sim_at( 1e6, -1e6, 5000 ), &m, 0, 0 );
	sim_body *b = sim_add( &s, NULL, sim_at( 1e6 + 1, -1e6, 5000 ), &m, 0, 0 );
	dsb_joint_def def = dsb_joint_def_default();
	def.body_a = a->index;
	def.body_b = b->index;
	def.frame_a.position = ds_v3( 0.5, 0, 0 );
	def.frame_b.position = ds_v3( -0.5, 0, 0 );
	join( &s, &def );
	b->force.force = ds_v3( 0, 10, 5 );
	double drift = 0;
	for ( int k = 0; k < 1000; ++k )
	{
		sim_step( &s );
		ds_vec3 p = ds_sub( b->pose.position, a->pose.position );
		p = ds_sub( ds_add( p, ds_rotate( b->pose.attitude, def.frame_b.position ) ),
			ds_rotate( a->pose.attitude, def.frame_a.position ) );
		drift = fmax( drift, ds_length( p ) );
	}
	assert_true( drift < 1e-5 );
	sim_end( &s );
}

// What is refused, and joints that go with their body.
static void wrong_joints( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 0.01 );
	ds_mat6 mass = sim_mass( 1, 1, 1, 1, 1, 1 );
	sim_body *a = sim_add( &s, NULL, ds_pose_identity(), &mass, 0, 0 );
	sim_body *b = sim_add( &s, NULL, ds_pose_identity(), NULL, 0, 0 );
	dsb_joint_def def = dsb_joint_def_default();
	int32_t joint = 7;
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_ERROR_ARGUMENT );
	assert_int_equal( joint, DSB_NONE );
	def.body_a = b->index;
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_ERROR_ARGUMENT );
	def.body_a = def.body_b = a->index;
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_ERROR_ARGUMENT );
	def.body_b = 99;
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_ERROR_STALE );
	def.body_b = b->index;
	def.kind = DSB_JOINT_HINGE;
	def.limited = true;
	def.lower = 1;
	def.upper = -1;
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_ERROR_RANGE );
	def.upper = 4;
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_ERROR_RANGE );
	def.upper = 2;
	def.frame_a.attitude.w = 0;
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_ERROR_NOT_FINITE );
	def.frame_a.attitude.w = 2; // any length will do
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_OK );
	assert_int_equal( joint, 0 );
	a->force.force.x = 1;
	sim_step( &s );
	assert_true( fabs( a->v.linear.x ) < 1e-12 );
	dsb_joint_destroy( s.world, joint );
	sim_step( &s );
	assert_true( fabs( a->v.linear.x - 0.01 ) < 1e-12 );
	assert_int_equal( dsb_joint_create( s.world, &def, &joint ), DS_OK );
	dsb_body_destroy( s.world, b->index );
	sim_step( &s );
	assert_true( fabs( a->v.linear.x - 0.02 ) < 1e-12 );
	sim_end( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( weld_adds_masses ),
		cmocka_unit_test( joints_keep_momentum ),
		cmocka_unit_test( pendulum_keeps_time ),
		cmocka_unit_test( hinge_loses_no_energy ),
		cmocka_unit_test( slider_stops ),
		cmocka_unit_test( slider_is_free ),
		cmocka_unit_test( motors_drive ),
		cmocka_unit_test( chain_hangs ),
		cmocka_unit_test( weld_holds_far_away ),
		cmocka_unit_test( wrong_joints ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Contacts of the Bullet shim against mechanics by hand: rest, impact, friction, bounce, far away.

#include "test_bullet_sim.h"

static const double GRAVITY = 9.81;

// A box on the floor keeps its height and carries its weight, at every rate.
static void box_rests( void **state )
{
	(void)state;
	const double rates[] = { 50, 200, 2000 };
	for ( int i = 0; i < 3; ++i )
	{
		sim s;
		sim_start( &s, 1 / rates[i] );
		sim_add( &s, sim_floor(), ds_pose_identity(), NULL, 0.5, 0 );
		ds_vec3 half = ds_v3( 0.5, 0.3, 0.2 );
		ds_mat6 mass = sim_box_mass( 80, half );
		mass.m[2][2] += 200; // added mass in heave
		sim_body *box = sim_add( &s, sim_box( half ), sim_at( 3, -2, -0.2 ), &mass, 0.5, 0 );
		box->weight = 80 * GRAVITY;
		double worst = 0, force = 0;
		int n = (int)( ( i < 2 ? 60 : 15 ) * rates[i] );
		for ( int k = 0; k < n; ++k )
		{
			sim_step( &s );
			worst = fmax( worst, fabs( box->pose.position.z + 0.2 ) );
			force = fmax( force, fabs( box->contact.force.z + box->weight ) );
		}
		assert_true( worst < 1e-9 );
		assert_true( force < 1e-6 * box->weight );
		assert_true( fabs( box->pose.position.x - 3 ) < 1e-9 && fabs( box->pose.position.y + 2 ) < 1e-9 );
		assert_true( ds_length( box->v.linear ) < 1e-9 );
		sim_end( &s );
	}
}

// A box dropped on a corner comes to rest flat, without sinking, and carries its weight then.
static void box_settles( void **state )
{
	(void)state;
	const double rates[] = { 50, 200, 1000 };
	for ( int i = 0; i < 3; ++i )
	{
		sim s;
		sim_start( &s, 1 / rates[i] );
		sim_add( &s, sim_floor(), ds_pose_identity(), NULL, 0.5, 0 );
		ds_vec3 half = ds_v3( 0.5, 0.3, 0.2 );
		ds_mat6 mass = sim_box_mass( 80, half );
		ds_pose pose = sim_at( 0, 0, -1 );
		pose.attitude = ds_quat_from_rpy( ds_v3( 0.3, 0.2, 0.1 ) );
		sim_body *box = sim_add( &s, sim_box( half ), pose, &mass, 0.5, 0 );
		box->weight = 80 * GRAVITY;
		sim_run( &s, 10 );
		double worst = 0, force = 0;
		for ( int k = 0; k < 2 * (int)rates[i]; ++k )
		{
			sim_step( &s );
			worst = fmax( worst, fabs( box->pose.position.z + 0.2 ) );
			force = fmax( force, fabs( box->contact.force.z + box->weight ) );
		}
		assert_true( worst < 1e-6 );
		assert_true( force < 1e-6 * box->weight );
		sim_end( &s );
	}
}

// Five boxes, each a little beside the one below, stay, and the lowest carries all.
static void stack_stands( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	sim_add( &s, sim_floor(), ds_pose_identity(), NULL, 0.5, 0 );
	ds_vec3 half = ds_v3( 0.2, 0.2, 0.1 );
	ds_mat6 mass = sim_box_mass( 10, half );
	for ( int i = 0; i < 5; ++i )
	{
		sim_add( &s, sim_box( half ), sim_at( 0.01 * i, 0, -0.1 - 0.2 * i ), &mass, 0.5, 0 )->weight = 10 * GRAVITY;
	}
	sim_run( &s, 20 );
	for ( int i = 0; i < 5; ++i )
	{
		assert_true( fabs( s.body[i + 1].pose.position.z + 0.1 + 0.2 * i ) < 1e-6 );
		assert_true( fabs( s.body[i + 1].pose.position.x - 0.01 * i ) < 1e-5 );
	}
	double load = 0;
	for ( int32_t i = 0; i < dsb_contact_count( s.world ); ++i )
	{
		const dsb_contact *c = &dsb_contacts( s.world )[i];
		load += c->body_a == 0 || c->body_b == 0 ? c->normal_impulse / s.dt : 0;
	}
	assert_true( fabs( load - 50 * GRAVITY ) < 1e-6 * 50 * GRAVITY );
	sim_end( &s );
}

// An inelastic blow on a body of unequal mass: the impulse is v / ( n^T M^-1 n ), here with the contact under the centre.
static void impact_feels_whole_mass( void **state )
{
	(void)state;
	for ( int i = 0; i < 12; ++i )
	{
		sim s;
		sim_start( &s, 1.0 / 500 );
		sim_add( &s, sim_floor(), ds_pose_identity(), NULL, 0, 0 );
		ds_mat6 mass = sim_mass( 50, 150, 400, 10, 20, 30 );
		mass.m[0][4] = mass.m[4][0] = 5; // couplings
		mass.m[1][3] = mass.m[3][1] = -8;
		dsb_shape *sphere;
		assert_int_equal( dsb_shape_sphere( 0.25, &sphere ), DS_OK );
		ds_pose pose = sim_at( 0, 0, -0.25 );
		pose.attitude = ds_quat_from_rpy( ds_v3( 0.7 * i, 0.4 * i, 1.1 * i ) );
		sim_body *ball = sim_add( &s, sphere, pose, &mass, 0, 0 );
		ball->v.linear = ds_v3( 0.3, 0, 1 );
		ds_mat6 world = sim_world_mass( &mass, pose.attitude );
		double n[6] = { 0, 0, 1, 0, 0, 0 }, x[6];
		sim_solve( &world, n, x );

		// Prediction as it is now: no forces.
		dsb_body_reset_pose_velocity( s.world, ball->index, &ball->pose, &ball->v );
		dsb_body_set_prediction( s.world, ball->index, &ball->v, &world );
		assert_int_equal( dsb_step( s.world, s.dt ), DS_OK );
		ds_twist after;
		ds_wrench impulse;
		dsb_body_get( s.world, ball->index, &after, &impulse );
		double expected = -1 / x[2];
		assert_true( fabs( impulse.force.z * s.dt - expected ) < 1e-9 * fabs( expected ) );
		assert_true( fabs( after.linear.z ) < 1e-12 );
		assert_true( fabs( after.linear.x - 0.3 - x[0] * expected ) < 1e-12 );
		assert_true( fabs( after.angular.y - x[4] * expected ) < 1e-12 );
		assert_true( ds_length( impulse.torque ) * s.dt < 1e-9 );
		assert_int_equal( dsb_contact_count( s.world ), 1 );
		assert_true( fabs( dsb_contacts( s.world )[0].normal_impulse + expected ) < 1e-9 * fabs( expected ) );
		sim_end( &s );
	}
}

// A box on a slope stays below the friction angle and slides with g ( sin - mu cos ) above it, whatever its heading.
static void friction_on_slope( void **state )
{
	(void)state;
	const double slope = 0.4;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int slides = 0; slides < 2; ++slides )
		{
			double mu = slides ? 0.5 * tan( slope ) : 1.05 * tan( slope );
			sim s;
			sim_start( &s, 1.0 / 200 );
			dsb_shape *plane;
			ds_vec3 normal = ds_v3( sin( slope ), 0, -cos( slope ) );
			assert_int_equal( dsb_shape_plane( normal, 0, &plane ), DS_OK );
			sim_add( &s, plane, ds_pose_identity(), NULL, 1, 0 );
			ds_vec3 half = ds_v3( 0.5, 0.4, 0.1 );
			ds_mat6 mass = sim_box_mass( 20, half );
			ds_pose pose = ds_pose_identity();
			pose.attitude = ds_quat_mul( ds_quat_exp( ds_v3( 0, slope, 0 ) ), ds_quat_exp( ds_v3( 0, 0, 0.5 * i ) ) );
			pose.attitude = ds_quat_mul( ds_quat_exp( ds_v3( 0, -2 * slope, 0 ) ), pose.attitude );
			pose.position = ds_scale( 0.1, normal );
			sim_body *box = sim_add( &s, sim_box( half ), pose, &mass, mu, 0 );
			box->weight = 20 * GRAVITY;
			sim_run( &s, 2 );
			double way = ds_length( ds_sub( box->pose.position, pose.position ) );
			double a = GRAVITY * ( sin( slope ) - mu * cos( slope ) );
			if ( slides )
			{
				assert_true( fabs( way - 2 * a ) < 0.01 * 2 * a );
				assert_true( fabs( ds_length( box->v.linear ) - 2 * a ) < 0.01 * 2 * a );
			}
			else
			{
				assert_true( way < 1e-5 );
			}
			sim_end( &s );
		}
	}
}

// A ball rises again to e^2 of the height it fell from.
static void ball_bounces( void **state )
{
	(void)state;
	const double restitution[] = { 0.5, 0.9, 1 };
	for ( int i = 0; i < 3; ++i )
	{
		sim s;
		sim_start( &s, 1.0 / 1000 );
		sim_add( &s, sim_floor(), ds_pose_identity(), NULL, 0, 0 );
		dsb_shape *sphere;
		assert_int_equal( dsb_shape_sphere( 0.1, &sphere ), DS_OK );
		ds_mat6 mass = sim_mass( 2, 2, 2, 0.01, 0.01, 0.01 );
		sim_body *ball = sim_add( &s, sphere, sim_at( 0, 0, -1.1 ), &mass, 0, restitution[i] );
		ball->weight = 2 * GRAVITY;
		sim_run( &s, 0.46 );
		double top = 0;
		for ( int k = 0; k < 450; ++k )
		{
			sim_step( &s );
			top = fmax( top, -ball->pose.position.z - 0.1 );
		}
		double e = restitution[i];
		assert_true( fabs( top - e * e ) < 0.01 * e * e );
		sim_end( &s );
	}
}

// A fast body neither goes through nor stays inside, and is not thrown back.
static void fast_body_stops( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 50 );
	sim_add( &s, sim_floor(), ds_pose_identity(), NULL, 0, 0 );
	dsb_shape *sphere;
	assert_int_equal( dsb_shape_sphere( 0.1, &sphere ), DS_OK );
	ds_mat6 mass = sim_mass( 2, 2, 2, 0.01, 0.01, 0.01 );
	sim_body *ball = sim_add( &s, sphere, sim_at( 0, 0, -5.03 ), &mass, 0, 0 );
	ball->v.linear.z = 20;
	double deepest = -1, highest = 1;
	for ( int k = 0; k < 200; ++k )
	{
		sim_step( &s );
		deepest = fmax( deepest, ball->pose.position.z + 0.1 );
		highest = k > 20 ? fmin( highest, ball->pose.position.z + 0.1 ) : highest;
	}
	assert_true( deepest < 1e-9 );
	assert_true( highest > -1e-3 );
	assert_true( fabs( ball->v.linear.z ) < 1e-6 );
	sim_end( &s );
}

// Every shape rests at its height on the floor, on a box and on a mesh.
static dsb_shape *shape_of( int kind )
{
	dsb_shape *shape = NULL;
	ds_vec3 points[6] = { { 0.3, 0, 0 }, { -0.3, 0, 0 }, { 0, 0.3, 0 }, { 0, -0.3, 0 }, { 0, 0, 0.3 }, { 0, 0, -0.3 } };
	switch ( kind )
	{
		case 0:
			assert_int_equal( dsb_shape_sphere( 0.2, &shape ), DS_OK );
			break;
		case 1:
			assert_int_equal( dsb_shape_capsule( 0.2, 1, &shape ), DS_OK );
			break;
		case 2:
			assert_int_equal( dsb_shape_cylinder( 0.2, 1, &shape ), DS_OK );
			break;
		case 3:
			shape = sim_box( ds_v3( 0.4, 0.3, 0.2 ) );
			break;
		default:
			assert_int_equal( dsb_shape_hull( points, 6, &shape ), DS_OK );
	}
	return shape;
}

static dsb_shape *ground_of( int kind )
{
	dsb_shape *shape;
	if ( kind == 0 )
	{
		return sim_floor();
	}
	if ( kind == 1 )
	{
		return sim_box( ds_v3( 5, 5, 1 ) );
	}
	ds_vec3 vertices[81];
	int32_t triangles[384], n = 0;
	for ( int i = 0; i < 9; ++i )
	{
		for ( int j = 0; j < 9; ++j )
		{
			vertices[9 * i + j] = ds_v3( i - 4.3, j - 3.8, -1 );
			if ( i < 8 && j < 8 )
			{
				int32_t a = 9 * i + j, b = a + 9, c = a + 1, d = a + 10;
				int32_t t[6] = { a, c, b, b, c, d };
				memcpy( triangles + n, t, sizeof t );
				n += 6;
			}
		}
	}
	assert_int_equal( dsb_shape_mesh( vertices, 81, triangles, n / 3, &shape ), DS_OK );
	return shape;
}

static void shapes_rest( void **state )
{
	(void)state;
	const double heights[5] = { 0.2, 0.2, 0.2, 0.2, 0.3 / 1.7320508075688772 };
	for ( int ground = 0; ground < 3; ++ground )
	{
		for ( int kind = 0; kind < 5; ++kind )
		{
			sim s;
			sim_start( &s, 1.0 / 200 );
			sim_add( &s, ground_of( ground ), sim_at( 0, 0, ground ? 1 : 0 ), NULL, 0.5, 0 );
			ds_mat6 mass = sim_mass( 30, 30, 30, 1, 2, 2 );
			ds_pose pose = sim_at( 0, 0, -heights[kind] - 0.05 );
			pose.attitude =
				kind == 4 ? ds_quat_from_rpy( ds_v3( 0.7, 0.5, 0 ) ) : ds_quat_from_rpy( ds_v3( 0, 0.05, 0.3 ) );
			sim_body *b = sim_add( &s, shape_of( kind ), pose, &mass, 0.5, 0 );
			b->weight = 30 * GRAVITY;
			sim_run( &s, 8 );
			if ( fabs( b->pose.position.z + heights[kind] ) > 1e-3 ||
				 fabs( b->contact.force.z + b->weight ) > 1e-3 * b->weight )
			{
				fail_msg( "shape %d on ground %d: height %.9g not %.9g, force %.9g not %.9g", kind, ground,
					-b->pose.position.z, heights[kind], -b->contact.force.z, b->weight );
			}
			sim_end( &s );
		}
	}
}

// A box that slides over the edges between flat triangles goes straight on.
static void mesh_edges_are_smooth( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	sim_add( &s, ground_of( 2 ), sim_at( 0, 0, 1 ), NULL, 0, 0 );
	ds_vec3 half = ds_v3( 0.35, 0.25, 0.2 );
	ds_mat6 mass = sim_box_mass( 30, half );
	ds_pose pose = sim_at( -3, 0.1, -0.2 );
	pose.attitude = ds_quat_from_rpy( ds_v3( 0, 0, 0.3 ) );
	sim_body *b = sim_add( &s, sim_box( half ), pose, &mass, 0, 0 );
	b->weight = 30 * GRAVITY;
	b->v.linear = ds_v3( 1, 0.1, 0 );
	sim_run( &s, 5 );
	assert_true( fabs( b->pose.position.x - 2 ) < 1e-9 );
	assert_true( fabs( b->pose.position.y - 0.6 ) < 1e-9 );
	assert_true( fabs( b->pose.position.z + 0.2 ) < 1e-9 );
	sim_end( &s );
}

// A ball that rolls on the floor is slowed by c g / ( r ( 1 + I / m r^2 ) ), with c the lever arm of rolling friction.
static void rolling_friction( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	sim_add( &s, sim_floor(), ds_pose_identity(), NULL, 1, 0 );
	dsb_body_def def = dsb_body_def_default();
	dsb_shape *sphere;
	double r = 0.2, m = 3, c = 0.004;
	assert_int_equal( dsb_shape_sphere( r, &sphere ), DS_OK );
	ds_mat6 mass = sim_mass( m, m, m, 0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r );
	sim_body *ball = sim_add( &s, dsb_shape_retain( sphere ), sim_at( 0, 0, -r ), &mass, 1, 0 );
	dsb_body_destroy( s.world, ball->index );
	def.id = 2;
	def.rolling_friction = c;
	assert_int_equal( dsb_body_create( s.world, sphere, &def, &ball->index ), DS_OK );
	dsb_shape_release( sphere );
	ball->weight = m * GRAVITY;
	ball->v.linear = ds_v3( 0.6, 0.8, 0 );
	ball->v.angular = ds_v3( 0.8 / r, -0.6 / r, 0 );
	sim_run( &s, 2 );
	double expected = 1 - 2 * c * GRAVITY / ( 1.4 * r );
	assert_true( fabs( ds_length( ball->v.linear ) - expected ) < 1e-3 );
	assert_true( fabs( ball->v.linear.x / ball->v.linear.y - 0.75 ) < 1e-3 );
	sim_run( &s, 10 );
	assert_true( ds_length( ball->v.linear ) < 1e-9 );
	sim_end( &s );
}

// A box that starts in the floor comes out within a second and is not thrown.
static void overlap_goes_quietly( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 200 );
	sim_add( &s, sim_floor(), ds_pose_identity(), NULL, 0.5, 0 );
	ds_vec3 half = ds_v3( 0.5, 0.3, 0.2 );
	ds_mat6 mass = sim_box_mass( 80, half );
	sim_body *box = sim_add( &s, sim_box( half ), sim_at( 0, 0, -0.15 ), &mass, 0.5, 0 );
	box->weight = 0; // neutral in water: a velocity from the overlap would stay
	sim_run( &s, 1 );
	assert_true( fabs( box->pose.position.z + 0.2 ) < 1e-6 );
	assert_true( ds_length( box->v.linear ) < 1e-9 && ds_length( box->v.angular ) < 1e-9 );
	sim_end( &s );
}

// The same fall and rest at the origin and 1000 km away.
static void far_is_as_near( void **state )
{
	(void)state;
	ds_vec3 end[2];
	for ( int i = 0; i < 2; ++i )
	{
		sim s;
		sim_start( &s, 1.0 / 200 );
		double x = i ? 1e6 : 0, y = i ? -1e6 : 0;
		sim_add( &s, ground_of( 2 ), sim_at( x, y, 1 ), NULL, 0.5, 0 );
		ds_mat6 mass = sim_box_mass( 50, ds_v3( 0.3, 0.3, 0.2 ) );
		ds_pose pose = sim_at( x + 0.1, y + 0.2, -0.6 );
		pose.attitude = ds_quat_from_rpy( ds_v3( 0.1, 0.05, 0.3 ) );
		sim_body *b = sim_add( &s, shape_of( 3 ), pose, &mass, 0.5, 0 );
		b->weight = 50 * GRAVITY;
		sim_run( &s, 5 );
		end[i] = ds_sub( b->pose.position, ds_v3( x, y, 0 ) );
		sim_end( &s );
	}
	assert_true( ds_length( ds_sub( end[0], end[1] ) ) < 1e-6 );
}

// Groups, activity and bodies that are let alone.
static void bodies_left_alone( void **state )
{
	(void)state;
	sim s;
	sim_start( &s, 1.0 / 100 );
	dsb_body_def def = dsb_body_def_default();
	dsb_shape *shape = sim_box( ds_v3( 1, 1, 1 ) );
	int32_t a, b;
	def.group = 2;
	def.mask = 1;
	assert_int_equal( dsb_body_create( s.world, shape, &def, &a ), DS_OK );
	def.id = 1;
	assert_int_equal( dsb_body_create( s.world, shape, &def, &b ), DS_OK );
	ds_pose pose = ds_pose_identity();
	ds_twist v = { { 0.1, 0.2, 0.3 }, { 0.4, 0.5, 0.6 } }, after;
	ds_mat6 mass = sim_mass( 3, 3, 3, 1, 1, 1 );
	dsb_body_reset_pose_velocity( s.world, a, &pose, &v );
	dsb_body_set_prediction( s.world, a, &v, &mass );
	assert_int_equal( dsb_step( s.world, 0.01 ), DS_OK );
	dsb_body_get( s.world, a, &after, NULL );
	assert_memory_equal( &after, &v, sizeof v );
	assert_int_equal( dsb_contact_count( s.world ), 0 );

	// The same two, in groups that touch; then one of them inactive.
	dsb_body_destroy( s.world, b );
	def.group = 1;
	def.mask = 2;
	assert_int_equal( dsb_body_create( s.world, shape, &def, &b ), DS_OK );
	assert_int_equal( dsb_step( s.world, 0.01 ), DS_OK );
	assert_true( dsb_contact_count( s.world ) > 0 );
	dsb_body_set_active( s.world, b, false );
	assert_int_equal( dsb_step( s.world, 0.01 ), DS_OK );
	assert_int_equal( dsb_contact_count( s.world ), 0 );

	// What cannot be.
	v.linear.x = NAN;
	dsb_body_reset_pose_velocity( s.world, a, &pose, &v );
	assert_int_equal( dsb_step( s.world, 0.01 ), DS_ERROR_NOT_FINITE );
	v.linear.x = 1e300;
	dsb_body_reset_pose_velocity( s.world, a, &pose, &v );
	assert_int_equal( dsb_step( s.world, 0.01 ), DS_ERROR_NOT_FINITE );
	v.linear.x = 0;
	mass.m[2][2] = -1;
	dsb_body_reset_pose_velocity( s.world, a, &pose, &v );
	dsb_body_set_prediction( s.world, a, &v, &mass );
	assert_int_equal( dsb_step( s.world, 0.01 ), DS_ERROR_RANGE );
	assert_int_equal( dsb_step( s.world, 0 ), DS_ERROR_RANGE );
	dsb_shape_release( shape );
	sim_end( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( box_rests ),
		cmocka_unit_test( box_settles ),
		cmocka_unit_test( stack_stands ),
		cmocka_unit_test( impact_feels_whole_mass ),
		cmocka_unit_test( friction_on_slope ),
		cmocka_unit_test( ball_bounces ),
		cmocka_unit_test( fast_body_stops ),
		cmocka_unit_test( shapes_rest ),
		cmocka_unit_test( mesh_edges_are_smooth ),
		cmocka_unit_test( rolling_friction ),
		cmocka_unit_test( overlap_goes_quietly ),
		cmocka_unit_test( far_is_as_near ),
		cmocka_unit_test( bodies_left_alone ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

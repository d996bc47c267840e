// Lift and Magnus force on faces: the default forms, and the printed ones by name.

#include "hydro_shapes.h"

#include "hydro/faces_kernel.h"

static ds_faces *faces_with( shape s, double lift, double magnus, bool printed )
{
	ds_faces_def def = shape_def( &s );
	def.lift = lift;
	def.magnus = magnus;
	def.printed_lift = def.printed_magnus = printed;
	ds_faces *faces = faces_of( &def );
	shape_free( &s );
	return faces;
}

static ds_face_forces evaluate( const ds_faces *faces, ds_vec3 velocity, ds_vec3 rate, double depth )
{
	ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( 0.2, 0.3, 0.4 ) ), depth );
	flow.velocity = velocity;
	flow.rate = rate;
	flow.lift = true;
	ds_face_forces out;
	ds_faces_evaluate( faces, &flow, &out );
	return out;
}

// ---- lift --------------------------------------------------------------------------------------------------------

static void test_sphere_feels_no_lift( void **state )
{
	(void)state;
	// along an axis of the icosahedron exactly, else to the second order in the size of its faces
	const double unit = 0.5 * RHO * DS_PI * 0.25;
	const double g = 0.5 * ( 1 + sqrt( 5.0 ) );
	double last = 0;
	for ( int level = 2; level <= 5; ++level )
	{
		ds_faces *faces = faces_with( shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), level ), 1, 0, false );
		ds_face_forces out = evaluate( faces, ds_scale( 2, on_sphere( ds_v3( 0, 1, g ) ) ), ds_v3( 0, 0, 0 ), 50 );
		ASSERT_NEAR3( out.lift.force, ds_v3( 0, 0, 0 ), 1e-12 * unit );
		ASSERT_NEAR3( out.lift.torque, ds_v3( 0, 0, 0 ), 1e-12 * unit );
		double error = 0;
		uint64_t seed = 3;
		for ( int k = 0; k < 20; ++k )
		{
			out = evaluate( faces, on_sphere( noise3( &seed ) ), ds_v3( 0, 0, 0 ), 50 );
			error = fmax( error, fmax( ds_length( out.lift.force ), ds_length( out.lift.torque ) ) / unit );
		}
		assert_true( level == 2 || error < 0.35 * last );
		last = error;
		ds_faces_destroy( faces );
	}
	assert_true( last < 5e-4 );
}

// A plate at 5 degrees: square to the flow, 1/2 rho C_L V^2 sin a cos a times the plate's area less that of its front edge,
// and away from the side the flow meets.
static void test_plate( void **state )
{
	(void)state;
	const double a = 5 * DS_PI / 180, c = 0.8, speed = 1.5;
	ds_faces *faces = faces_with( shape_box( ds_v3( -0.5, -0.5, -0.005 ), ds_v3( 0.5, 0.5, 0.005 ) ), c, 0, false );
	ds_vec3 e = ds_v3( cos( a ), 0, sin( a ) ), up = ds_v3( sin( a ), 0, -cos( a ) );
	ds_face_forces out = evaluate( faces, ds_scale( speed, e ), ds_v3( 0, 0, 0 ), 50 );
	double exact = 0.5 * RHO * c * speed * speed * 0.99 * sin( a ) * cos( a );
	ASSERT_NEAR( ds_dot( out.lift.force, e ), 0, 1e-12 * exact );
	ASSERT_NEAR3( out.lift.force, ds_scale( exact, up ), 1e-12 * exact );
	assert_true( ds_length( out.magnus.force ) == 0 );

	// broadside and edgewise there is none
	ASSERT_NEAR( ds_length( evaluate( faces, ds_v3( 0, 0, 2 ), ds_v3( 0, 0, 0 ), 50 ).lift.force ), 0, 1e-9 );
	ASSERT_NEAR( ds_length( evaluate( faces, ds_v3( 2, 0, 0 ), ds_v3( 0, 0, 0 ), 50 ).lift.force ), 0, 1e-9 );
	ASSERT_NEAR( ds_length( evaluate( faces, ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 0 ), 50 ).lift.force ), 0, 0 );
	ds_faces_destroy( faces );
}

// Source paper's form on a sphere of 0.5 m at 1 m/s: no force, but 1/2 rho C_L V^2 R^3 4 pi ( pi/4 - 1/3 ) = 365 N m about the
// flow, for rho 1028.
static void test_printed_lift_twists_a_sphere( void **state )
{
	(void)state;
	const double exact = 0.5 * 1028 * 0.125 * 4 * DS_PI * ( DS_PI / 4 - 1.0 / 3 );
	ASSERT_NEAR( exact, 365.0, 0.05 );
	ds_faces *faces = faces_with( shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), 5 ), 1, 0, true );
	uint64_t seed = 4;
	for ( int k = 0; k < 10; ++k )
	{
		ds_flow flow = still_water( noise_attitude( &seed ), 50 );
		ds_vec3 e = on_sphere( noise3( &seed ) );
		flow.velocity = e;
		flow.density = 1028;
		flow.lift = true;
		ds_face_forces out;
		ds_faces_evaluate( faces, &flow, &out );
		ASSERT_NEAR3( out.lift.force, ds_v3( 0, 0, 0 ), 1e-9 );
		ASSERT_NEAR3( out.lift.torque, ds_scale( exact, e ), 0.003 * exact );
	}
	ds_faces_destroy( faces );
}

// Sum over faces by this file, for faces all of which are under water.
static ds_wrench lift_by_hand( const shape *s, double c, bool printed, ds_vec3 velocity, ds_vec3 rate )
{
	ds_wrench sum = { { 0, 0, 0 }, { 0, 0, 0 } };
	for ( int i = 0; i < s->face_count; ++i )
	{
		const ds_vec3 *p = s->vertices + 3 * i;
		ds_vec3 w = ds_scale( 0.5, ds_cross( ds_sub( p[1], p[0] ), ds_sub( p[2], p[0] ) ) );
		ds_vec3 n = on_sphere( w ), at = ds_scale( 1.0 / 3, ds_add( ds_add( p[0], p[1] ), p[2] ) );
		ds_vec3 v = ds_add( velocity, ds_cross( rate, at ) ), e = on_sphere( v );
		double q = 0.5 * RHO * c * ds_length( w ) * ds_dot( v, v ), ne = ds_dot( n, e );
		ds_vec3 f = ds_scale( -q * fmax( ne, 0 ), ds_mad( n, -ne, e ) );
		if ( printed )
		{
			f = ds_scale( q * ( 1 - fabs( ne ) ), on_sphere( ds_cross( n, ds_scale( -1, e ) ) ) );
		}
		sum.force = ds_add( sum.force, f );
		sum.torque = ds_add( sum.torque, ds_cross( at, f ) );
	}
	return sum;
}

static void test_lift_of_any_shape( void **state )
{
	(void)state;
	uint64_t seed = 6;
	for ( int k = 0; k < 60; ++k )
	{
		ds_vec3 size = ds_v3( 0.6 + 0.2 * noise( &seed ), 0.4, 0.3 );
		shape s = k % 3 ? shape_ellipsoid( size, 2 ) : shape_box( ds_scale( -1, size ), size );
		for ( int i = 0; i < s.vertex_count; ++i )
		{
			s.vertices[i] = ds_add( s.vertices[i], ds_v3( 0.3, -0.2, 0.4 ) );
		}
		ds_vec3 v = noise3( &seed ), w = k % 4 ? noise3( &seed ) : ds_v3( 0, 0, 0 );
		ds_wrench exact = lift_by_hand( &s, 0.7, k % 2, v, w );
		ds_faces *faces = faces_with( s, 0.7, 0, k % 2 );
		ds_face_forces out = evaluate( faces, v, w, 50 );
		double size6 = RHO * 4;
		ASSERT_NEAR3( out.lift.force, exact.force, 1e-12 * size6 );
		ASSERT_NEAR3( out.lift.torque, exact.torque, 1e-12 * size6 );
		if ( k % 2 == 0 )
		{
			// square to the flow on every face: no work, also where faces are cut
			ASSERT_NEAR( ds_dot( out.lift.force, v ) + ds_dot( out.lift.torque, w ), 0, 1e-12 * size6 );
			out = evaluate( faces, v, w, 0.1 );
			ASSERT_NEAR( ds_dot( out.lift.force, v ) + ds_dot( out.lift.torque, w ), 0, 1e-12 * size6 );
			assert_true( ds_length( out.lift.force ) > 0 );
		}
		ds_faces_destroy( faces );
	}
}

// ---- Magnus ------------------------------------------------------------------------------------------------------

static void test_magnus_sums( void **state )
{
	(void)state;
	uint64_t seed = 7;
	for ( int k = 0; k < 40; ++k )
	{
		shape s = k % 2 ? shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), 1 + k % 4 )
						: shape_box( ds_v3( -0.4, -0.3, -0.2 ), ds_v3( 0.4, 0.3, 0.2 ) );
		ds_faces_def def = shape_def( &s );
		def.magnus = 0.75;
		def.pose.position = noise3( &seed );
		def.volume = k % 3 ? 0 : 0.3;
		ds_faces *faces = faces_of( &def );
		shape_free( &s );
		ds_vec3 v = noise3( &seed ), w = ds_scale( 3, noise3( &seed ) );
		ds_face_forces out = evaluate( faces, v, w, 50 );
		ds_vec3 centre = ds_add( v, ds_cross( w, def.pose.position ) );
		ds_vec3 exact = ds_scale( 0.75 * RHO * ds_faces_volume( faces ), ds_cross( w, centre ) );
		ASSERT_NEAR3( out.magnus.force, exact, 1e-11 * RHO );
		ASSERT_NEAR3( out.magnus.torque, ds_cross( def.pose.position, exact ), 1e-11 * RHO );
		ASSERT_NEAR( ds_dot( out.magnus.force, v ) + ds_dot( out.magnus.torque, w ), 0, 1e-11 * RHO );
		assert_true( ds_length( out.lift.force ) == 0 );

		// of a part of the surface, its share; still no work
		out = evaluate( faces, v, w, -def.pose.position.z + 0.05 );
		ASSERT_NEAR( ds_dot( out.magnus.force, v ) + ds_dot( out.magnus.torque, w ), 0, 1e-11 * RHO );
		ds_faces_destroy( faces );
	}
}

// A ball that spins about z and moves ahead is pushed to the right: w x v = z x x = y.
static void test_magnus_sense( void **state )
{
	(void)state;
	ds_faces *faces = faces_with( shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), 4 ), 0, 1, false );
	ds_face_forces out = evaluate( faces, ds_v3( 2, 0, 0 ), ds_v3( 0, 0, 3 ), 50 );
	ASSERT_NEAR3( out.magnus.force, ds_v3( 0, RHO * ds_faces_volume( faces ) * 6, 0 ), 1e-9 );
	ds_faces_destroy( faces );

	// the printed form is turned the other way, and grows with the speed once more: C_M rho A |v| ( w x v_c ), to the first
	// order in the spin
	faces = faces_with( shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), 4 ), 0, 0.1, true );
	const double w = 1e-3, area = 4 * DS_PI * 0.25;
	out = evaluate( faces, ds_v3( 2, 0, 0 ), ds_v3( 0, 0, w ), 50 );
	ASSERT_NEAR( out.magnus.force.y, -0.1 * RHO * area * 2 * w * 2, 0.005 * 0.1 * RHO * area * 4 * w );
	ds_faces_destroy( faces );
}

// ---- variants ----------------------------------------------------------------------------------------------------

static void test_switches_and_checks( void **state )
{
	(void)state;
	ds_faces *faces = faces_with( shape_ellipsoid( ds_v3( 0.7, 0.4, 0.3 ), 3 ), 1, 1, false );
	ds_face_forces with = evaluate( faces, ds_v3( 1, 0.5, 0 ), ds_v3( 0, 1, 0 ), 50 ), without;
	ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( 0.2, 0.3, 0.4 ) ), 50 );
	flow.velocity = ds_v3( 1, 0.5, 0 );
	flow.rate = ds_v3( 0, 1, 0 );
	ds_faces_evaluate( faces, &flow, &without );
	assert_true( ds_length( without.lift.force ) == 0 && ds_length( without.magnus.force ) == 0 );
	assert_true( ds_length( with.lift.force ) > 0 && ds_length( with.magnus.force ) > 0 );
	ASSERT_NEAR3( with.drag.force, without.drag.force, 1e-12 * ds_length( without.drag.force ) );
	ASSERT_NEAR3( with.hydrostatic.force, without.hydrostatic.force, 1e-12 * ds_length( without.hydrostatic.force ) );
	ds_faces_destroy( faces );

	shape s = shape_box( ds_v3( -1, -1, -1 ), ds_v3( 1, 1, 1 ) );
	ds_faces_def def = shape_def( &s );
	def.lift = -1;
	assert_int_equal( ds_faces_create( NULL, &def, &faces ), DS_ERROR_RANGE );
	def.lift = 0;
	def.magnus = NAN;
	assert_int_equal( ds_faces_create( NULL, &def, &faces ), DS_ERROR_RANGE );
	shape_free( &s );
}

static void test_variants_agree( void **state )
{
	(void)state;
	const ds_faces_kernel *kernels[4];
	int count = ds_faces_kernels( kernels );
	uint64_t seed = 8;
	for ( int k = 0; k < 80; ++k )
	{
		shape s = k % 4 ? shape_ellipsoid( ds_v3( 0.7, 0.4, 0.3 ), k % 4 )
						: shape_box( ds_v3( -1, -1, -1 ), ds_v3( 1, 1, 1 ) );
		ds_faces_def def = shape_def( &s );
		def.pose.position = noise3( &seed );
		def.form_drag = ds_v3( 0.4, k % 5 ? 0.4 : 0.8, 0.4 );
		def.skin_drag = 0.01;
		def.lift = 0.5;
		def.magnus = 0.7;
		def.printed_lift = k % 7 == 0;
		def.printed_magnus = k % 8 == 0;
		ds_faces *faces = faces_of( &def );
		ds_flow flow = still_water( noise_attitude( &seed ), k % 3 ? noise( &seed ) : 10 );
		flow.velocity = noise3( &seed );
		flow.rate = noise3( &seed );
		flow.lift = true;
		flow.density_gradient = 10 * noise( &seed );
		flow.density_curvature = noise( &seed );
		flow.shear = noise3( &seed );
		flow.shear_curvature = noise3( &seed );
		ds_face_forces chosen;
		ds_faces_evaluate( faces, &flow, &chosen );
		for ( int i = 0; i < count; ++i )
		{
			ds_face_forces out;
			ds_faces_evaluate_by( faces, kernels[i], &flow, &out );
			if ( memcmp( &out, &chosen, sizeof( out ) ) != 0 )
			{
				fail_msg( "the %s loop differs from the %s loop", kernels[i]->name, kernels[0]->name );
			}
		}
		ds_faces_destroy( faces );
		shape_free( &s );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_sphere_feels_no_lift ),
		cmocka_unit_test( test_plate ),
		cmocka_unit_test( test_printed_lift_twists_a_sphere ),
		cmocka_unit_test( test_lift_of_any_shape ),
		cmocka_unit_test( test_magnus_sums ),
		cmocka_unit_test( test_magnus_sense ),
		cmocka_unit_test( test_switches_and_checks ),
		cmocka_unit_test( test_variants_agree ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Form and skin drag, and the secant that an implicit step uses.

#include "hydro_shapes.h"

#include "hydro/faces_kernel.h"

static ds_face_forces evaluate( const ds_faces *faces, ds_vec3 velocity, ds_vec3 rate, double depth )
{
	ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( 0.2, 0.3, 0.4 ) ), depth );
	flow.velocity = velocity;
	flow.rate = rate;
	flow.hydrostatics = false;
	ds_face_forces out;
	ds_faces_evaluate( faces, &flow, &out );
	return out;
}

// Area of a convex shape's shadow along a direction: half the sum of the faces' own.
static double shadow( const shape *s, ds_vec3 along )
{
	double sum = 0;
	for ( int i = 0; i < s->face_count; ++i )
	{
		const ds_vec3 *p = s->vertices + 3 * i;
		sum += 0.25 * fabs( ds_dot( ds_cross( ds_sub( p[1], p[0] ), ds_sub( p[2], p[0] ) ), along ) );
	}
	return sum;
}

static void test_form_drag_is_on_projected_area( void **state )
{
	(void)state;
	uint64_t seed = 5;
	const double c = 0.47;
	for ( int k = 0; k < 60; ++k )
	{
		shape s = k % 3 == 0 ? shape_box( ds_v3( -1, -0.5, -0.25 ), ds_v3( 1, 0.5, 0.25 ) )
							 : shape_ellipsoid( ds_v3( 0.5, 0.5, 0.5 ), 1 + k % 3 );
		ds_faces_def def = shape_def( &s );
		def.form_drag = ds_v3( c, c, c );
		ds_faces *faces = faces_of( &def );
		ds_vec3 v = ds_scale( 3, noise3( &seed ) );
		double speed = ds_length( v );
		ds_face_forces out = evaluate( faces, v, ds_v3( 0, 0, 0 ), 50 );
		double d = 0.5 * RHO * c * speed * shadow( &s, ds_scale( 1 / speed, v ) );
		ASSERT_NEAR3( out.drag.force, ds_scale( -d, v ), 1e-12 * d * speed );
		ds_faces_destroy( faces );
		shape_free( &s );
	}
}

static void test_form_drag_per_axis( void **state )
{
	(void)state;
	shape s = shape_box( ds_v3( -1, -0.5, -0.25 ), ds_v3( 1, 0.5, 0.25 ) );
	ds_faces_def def = shape_def( &s );
	def.form_drag = ds_v3( 0.3, 0.6, 1.2 );
	ds_faces *faces = faces_of( &def );
	ASSERT_NEAR(
		evaluate( faces, ds_v3( 2, 0, 0 ), ds_v3( 0, 0, 0 ), 9 ).drag.force.x, -0.5 * RHO * 0.3 * 0.5 * 4, 1e-9 );
	ASSERT_NEAR(
		evaluate( faces, ds_v3( 0, -2, 0 ), ds_v3( 0, 0, 0 ), 9 ).drag.force.y, 0.5 * RHO * 0.6 * 1 * 4, 1e-9 );
	ASSERT_NEAR(
		evaluate( faces, ds_v3( 0, 0, 2 ), ds_v3( 0, 0, 0 ), 9 ).drag.force.z, -0.5 * RHO * 1.2 * 2 * 4, 1e-9 );
	ds_faces_destroy( faces );

	// the axes are the body's, not the mesh's
	def.pose.attitude = ds_quat_from_rpy( ds_v3( 0, 0, DS_PI / 2 ) );
	faces = faces_of( &def );
	ASSERT_NEAR(
		evaluate( faces, ds_v3( 2, 0, 0 ), ds_v3( 0, 0, 0 ), 9 ).drag.force.x, -0.5 * RHO * 0.3 * 1 * 4, 1e-9 );
	ds_faces_destroy( faces );
	shape_free( &s );
}

// The coefficient follows the flow: on a round body too, flow along an axis feels that axis' coefficient on the whole
// projected area, and oblique flow the mean by the squares of its direction.
static void test_form_drag_follows_the_flow( void **state )
{
	(void)state;
	shape s = shape_ellipsoid( ds_v3( 0.8, 0.3, 0.2 ), 4 );
	ds_faces_def def = shape_def( &s );
	def.form_drag = ds_v3( 0.1, 0.9, 1.4 );
	ds_faces *faces = faces_of( &def );
	const ds_vec3 flows[] = { { 2, 0, 0 }, { -2, 0, 0 }, { 0, 2, 0 }, { 0, 0, -2 }, { 1.2, -1.6, 0 },
		{ 0.8, 1.1, -0.5 } };
	for ( size_t i = 0; i < sizeof( flows ) / sizeof( flows[0] ); ++i )
	{
		double speed = ds_length( flows[i] );
		ds_vec3 e = ds_scale( 1 / speed, flows[i] );
		double c = 0.1 * e.x * e.x + 0.9 * e.y * e.y + 1.4 * e.z * e.z;
		ds_vec3 exact = ds_scale( -0.5 * RHO * c * shadow( &s, e ) * speed, flows[i] );
		ASSERT_NEAR3( evaluate( faces, flows[i], ds_v3( 0, 0, 0 ), 9 ).drag.force, exact, 1e-11 * ds_length( exact ) );
	}
	// still water gives no force and no NaN
	ASSERT_NEAR( ds_length( evaluate( faces, ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 0 ), 9 ).drag.force ), 0, 0 );
	ds_faces_destroy( faces );
	shape_free( &s );
}

// 1/2 rho C v^2 (3 pi^2 / 4) r^2: the integral of sin^3 over the sphere.
static void test_skin_drag_of_a_sphere( void **state )
{
	(void)state;
	const double c = 0.01, r = 0.5, speed = 1.5;
	const double exact = 0.5 * RHO * c * speed * speed * 0.75 * DS_PI * DS_PI * r * r;
	double last = 1;
	uint64_t seed = 6;
	for ( int level = 1; level <= 5; ++level )
	{
		ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( r, r, r ), level ), 0, c );
		double error = 0;
		for ( int k = 0; k < 20; ++k )
		{
			ds_vec3 e = on_sphere( noise3( &seed ) );
			ds_face_forces out = evaluate( faces, ds_scale( speed, e ), ds_v3( 0, 0, 0 ), 50 );
			error = fmax( error, ds_length( ds_sub( out.drag.force, ds_scale( -exact, e ) ) ) / exact );
		}
		// second order in the size of the faces
		assert_true( level == 1 || error < 0.3 * last );
		last = error;
		ds_faces_destroy( faces );
	}
	assert_true( last < 1.5e-3 );
}

// A spinning sphere feels skin drag: torque 1/2 rho C w^2 r^5 times the integral of sin^3 over the unit sphere,
// 3 pi^2 / 4.
static void test_spin( void **state )
{
	(void)state;
	const double c = 0.01, r = 0.5, w = 2;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( r, r, r ), 5 ), 0, c );
	ds_face_forces out = evaluate( faces, ds_v3( 0, 0, 0 ), ds_v3( 0, w, 0 ), 50 );
	double exact = 0.5 * RHO * c * w * w * pow( r, 5 ) * 0.75 * DS_PI * DS_PI;
	ASSERT_NEAR( out.drag.torque.y, -exact, 0.005 * exact );
	ASSERT_NEAR( ds_length( out.drag.force ), 0, 1e-3 * exact );
	ds_faces_destroy( faces );

	// a box that turns about a distant point moves as one that translates
	shape s = shape_box( ds_v3( -0.1, -0.1, -0.1 ), ds_v3( 0.1, 0.1, 0.1 ) );
	ds_faces_def def = shape_def( &s );
	def.form_drag = ds_v3( 1, 1, 1 );
	def.pose.position = ds_v3( 1000, 0, 0 );
	faces = faces_of( &def );
	out = evaluate( faces, ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 1e-3 ), 5000 );
	ASSERT_NEAR( out.drag.force.y, -0.5 * RHO * 0.04, 0.01 );
	ASSERT_NEAR( out.drag.torque.z, -1000 * 0.5 * RHO * 0.04, 10 );
	ds_faces_destroy( faces );
	shape_free( &s );
}

static void test_quadratic( void **state )
{
	(void)state;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( 0.7, 0.4, 0.3 ), 3 ), 0.8, 0.02 );
	for ( int k = 0; k < 2; ++k )
	{
		double depth = k ? 0.05 : 30;
		ds_face_forces a = evaluate( faces, ds_v3( 0.5, -0.2, 0.1 ), ds_v3( 0.1, 0.4, -0.3 ), depth );
		ds_face_forces b = evaluate( faces, ds_v3( 2, -0.8, 0.4 ), ds_v3( 0.4, 1.6, -1.2 ), depth );
		ASSERT_NEAR3( b.drag.force, ds_scale( 16, a.drag.force ), 0 );
		ASSERT_NEAR3( b.drag.torque, ds_scale( 16, a.drag.torque ), 0 );
	}
	ds_faces_destroy( faces );
}

static void test_no_relative_motion( void **state )
{
	(void)state;
	ds_faces *faces = faces_with_drag( shape_ellipsoid( ds_v3( 0.7, 0.4, 0.3 ), 2 ), 0.8, 0.02 );
	for ( int k = 0; k < 2; ++k )
	{
		ds_face_forces out = evaluate( faces, ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 0 ), k ? 0 : 30 );
		assert_true( ds_length( out.drag.force ) == 0 && ds_length( out.drag.torque ) == 0 );
		for ( int i = 0; i < 36; ++i )
		{
			assert_true( out.drag_secant.m[i / 6][i % 6] == 0 );
		}
	}
	ds_faces_destroy( faces );
}

// Drag of a half-wet body is that of its wet half alone, made as a mesh of its own without the waterplane.
static void test_drag_of_the_wet_part( void **state )
{
	(void)state;
	ds_faces *whole = faces_with_drag( shape_box( ds_v3( -0.5, -0.4, -0.3 ), ds_v3( 0.5, 0.4, 0.3 ) ), 0.9, 0.01 );
	ds_flow flow = still_water( ds_quat_identity(), -0.1 ); // bottom 0.2 m under water
	flow.velocity = ds_v3( 2, 0, 0 );
	ds_face_forces out;
	ds_faces_evaluate( whole, &flow, &out );
	double form = 0.5 * RHO * 0.9 * 4 * ( 0.8 * 0.2 );
	double skin = 0.5 * RHO * 0.01 * 4 * ( 1 * 0.8 + 2 * 1 * 0.2 );
	ASSERT_NEAR3( out.drag.force, ds_v3( -form - skin, 0, 0 ), 1e-9 );

	// the bow's force acts 0.2 m below the centre, the skin's at the sides' and bottom's centroids
	double moment = -form * 0.2 - 0.5 * RHO * 0.01 * 4 * ( 0.8 * 0.3 + 2 * 0.2 * 0.2 );
	ASSERT_NEAR3( out.drag.torque, ds_v3( 0, moment, 0 ), 1e-9 );
	ds_faces_destroy( whole );
}

static void test_order_and_degenerate_faces( void **state )
{
	(void)state;
	shape s = shape_ellipsoid( ds_v3( 0.7, 0.4, 0.3 ), 2 );
	shape t = shape_new( s.face_count + 20 );
	for ( int i = s.face_count - 1; i >= 0; --i )
	{
		const ds_vec3 *p = s.vertices + 3 * i;
		shape_add( &t, p[1], p[2], p[0] );
		if ( i % 17 == 0 )
		{
			shape_add( &t, p[0], p[0], p[1] );
		}
	}
	ds_face_forces a, b;
	for ( int k = 0; k < 2; ++k )
	{
		ds_faces_def d = shape_def( k ? &t : &s );
		d.form_drag = ds_v3( 1, 1, 1 );
		d.skin_drag = 0.1;
		ds_faces *faces = faces_of( &d );
		*( k ? &b : &a ) = evaluate( faces, ds_v3( 1, 2, 3 ), ds_v3( 3, 2, 1 ), 0.02 );
		ds_faces_destroy( faces );
	}
	ASSERT_NEAR3( b.drag.force, a.drag.force, 1e-12 * ds_length( a.drag.force ) );
	ASSERT_NEAR3( b.drag.torque, a.drag.torque, 1e-12 * ds_length( a.drag.force ) );
	shape_free( &s );
	shape_free( &t );
}

// ---- secant ------------------------------------------------------------------------------------------------------

// Positive semidefinite, by Gaussian elimination with pivots on the diagonal, to a tolerance of the unit-scaled matrix.
static bool is_semidefinite( const ds_mat6 *m, double tolerance )
{
	double a[6][6], d[6];
	bool done[6] = { false };
	for ( int i = 0; i < 6; ++i )
	{
		d[i] = sqrt( fmax( m->m[i][i], 1e-300 ) );
	}
	for ( int i = 0; i < 36; ++i )
	{
		a[i / 6][i % 6] = m->m[i / 6][i % 6] / ( d[i / 6] * d[i % 6] );
	}
	for ( int step = 0; step < 6; ++step )
	{
		int p = -1;
		for ( int i = 0; i < 6; ++i )
		{
			if ( !done[i] && ( p < 0 || a[i][i] > a[p][p] ) )
			{
				p = i;
			}
		}
		if ( a[p][p] <= tolerance )
		{
			// what is left must be nothing
			for ( int i = 0; i < 36; ++i )
			{
				if ( !done[i / 6] && !done[i % 6] && fabs( a[i / 6][i % 6] ) > tolerance )
				{
					return false;
				}
			}
			return true;
		}
		done[p] = true;
		for ( int i = 0; i < 6; ++i )
		{
			for ( int j = 0; j < 6 && !done[i]; ++j )
			{
				a[i][j] -= done[j] ? 0 : a[i][p] * a[p][j] / a[p][p];
			}
		}
	}
	return true;
}

static void check_secant( const ds_face_forces *out, ds_vec3 v, ds_vec3 w )
{
	const double nu[6] = { v.x, v.y, v.z, w.x, w.y, w.z };
	const double f[6] = { out->drag.force.x, out->drag.force.y, out->drag.force.z, out->drag.torque.x,
		out->drag.torque.y, out->drag.torque.z };
	double power = 0;
	for ( int i = 0; i < 6; ++i )
	{
		double row = 0, size = 0;
		for ( int j = 0; j < 6; ++j )
		{
			row += out->drag_secant.m[i][j] * nu[j];
			size += fabs( out->drag_secant.m[i][j] * nu[j] );
			ASSERT_NEAR( out->drag_secant.m[i][j], out->drag_secant.m[j][i], 0 );
		}
		ASSERT_NEAR( row, -f[i], 1e-10 * size );
		power -= f[i] * nu[i];
	}
	assert_true( power >= 0 );
	assert_true( is_semidefinite( &out->drag_secant, 1e-9 ) );
}

static void test_secant( void **state )
{
	(void)state;
	uint64_t seed = 7;
	for ( int k = 0; k < 400; ++k )
	{
		ds_vec3 size = ds_v3( 0.3 + 0.2 * noise( &seed ), 0.3 + 0.2 * noise( &seed ), 0.3 + 0.2 * noise( &seed ) );
		shape s = k % 2 ? shape_ellipsoid( size, 2 ) : shape_box( ds_scale( -1, size ), size );
		ds_faces_def def = shape_def( &s );
		def.pose.position = ds_scale( k % 7 ? 0.5 : 30, noise3( &seed ) );
		def.form_drag = ds_scale( k % 5 ? 1 : 0, ds_v3( 0.4, 0.8, 1.3 ) );
		def.skin_drag = k % 3 ? 0.01 : 0;
		ds_faces *faces = faces_of( &def );
		ds_vec3 v = ds_scale( k % 11 ? 1 : 0, noise3( &seed ) ), w = ds_scale( k % 13 ? 1 : 0, noise3( &seed ) );
		ds_face_forces out = evaluate( faces, v, w, k % 4 ? 200 : 0.1 * noise( &seed ) );
		check_secant( &out, v, w );
		ds_faces_destroy( faces );
		shape_free( &s );
	}
}

// ---- variants of the loop ----------------------------------------------------------------------------------------

static void test_variants_agree( void **state )
{
	(void)state;
	const ds_faces_kernel *kernels[4];
	int count = ds_faces_kernels( kernels );
	assert_in_range( count, 1, 4 );
	uint64_t seed = 8;
	for ( int k = 0; k < 80; ++k )
	{
		shape s = k % 4 ? shape_ellipsoid( ds_v3( 0.7, 0.4, 0.3 ), k % 4 )
						: shape_box( ds_v3( -1, -1, -1 ), ds_v3( 1, 1, 1 ) );
		ds_faces_def def = shape_def( &s );
		def.pose.position = noise3( &seed );
		def.form_drag = ds_v3( 0.4, 0.8, 1.3 );
		def.skin_drag = 0.01;
		ds_faces *faces = faces_of( &def );
		ds_flow flow = still_water( noise_attitude( &seed ), k % 3 ? noise( &seed ) : 10 );
		flow.velocity = noise3( &seed );
		flow.rate = noise3( &seed );
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
		cmocka_unit_test( test_form_drag_is_on_projected_area ),
		cmocka_unit_test( test_form_drag_per_axis ),
		cmocka_unit_test( test_form_drag_follows_the_flow ),
		cmocka_unit_test( test_skin_drag_of_a_sphere ),
		cmocka_unit_test( test_spin ),
		cmocka_unit_test( test_quadratic ),
		cmocka_unit_test( test_no_relative_motion ),
		cmocka_unit_test( test_drag_of_the_wet_part ),
		cmocka_unit_test( test_order_and_degenerate_faces ),
		cmocka_unit_test( test_secant ),
		cmocka_unit_test( test_variants_agree ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

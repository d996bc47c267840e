// Damping by matrices: values, derivatives, points of reference, and what is refused.

#include "hydro_shapes.h"

#include "hydro/fossen.h"

// REMUS 100 (Prestero 2001), body lift and drag without what C_A has: Y_uv -28.6, N_uv -24 + 34.57, Y_ur 5.22 + 0.93,
// N_ur -2 - 1.93, and the like in heave and pitch.
static ds_fossen remus( void )
{
	ds_fossen f;
	memset( &f, 0, sizeof( f ) );
	const double q[6] = { 2.94, 1310, 1310, 0.13, 188, 94 };
	for ( int i = 0; i < 6; ++i )
	{
		f.quadratic.m[i][i] = q[i];
	}
	f.quadratic.m[1][5] = -0.632;
	f.quadratic.m[2][4] = 0.632;
	f.quadratic.m[4][2] = -3.18;
	f.quadratic.m[5][1] = 3.18;
	f.forward.m[1][1] = f.forward.m[2][2] = 28.6;
	f.forward.m[1][5] = -6.15;
	f.forward.m[2][4] = 6.15;
	f.forward.m[4][2] = 10.57;
	f.forward.m[5][1] = -10.57;
	f.forward.m[4][4] = f.forward.m[5][5] = 3.93;
	return f;
}

static void test_values( void **state )
{
	(void)state;
	ds_fossen f = remus();
	f.linear.m[0][0] = 1.5;
	f.linear.m[3][3] = 0.2;
	assert_int_equal( ds_fossen_check( &f ), DS_OK );
	const double nu[6] = { 1.5, 0.2, -0.1, 0.3, -0.2, 0.4 };
	double r[6];
	ds_fossen_resistance( &f, nu, r, NULL );
	ASSERT_NEAR( r[0], 1.5 * 1.5 + 2.94 * 2.25, 1e-12 );
	ASSERT_NEAR( r[1], 1310 * 0.04 - 0.632 * 0.16 + 1.5 * ( 28.6 * 0.2 - 6.15 * 0.4 ), 1e-12 );
	ASSERT_NEAR( r[2], -1310 * 0.01 - 0.632 * 0.04 + 1.5 * ( -28.6 * 0.1 - 6.15 * 0.2 ), 1e-12 );
	ASSERT_NEAR( r[3], 0.2 * 0.3 + 0.13 * 0.09, 1e-12 );
	ASSERT_NEAR( r[4], -188 * 0.04 + 3.18 * 0.01 + 1.5 * ( -10.57 * 0.1 - 3.93 * 0.2 ), 1e-12 );
	ASSERT_NEAR( r[5], 94 * 0.16 + 3.18 * 0.04 + 1.5 * ( -10.57 * 0.2 + 3.93 * 0.4 ), 1e-12 );
	assert_false( ds_fossen_is_none( &f ) );
	memset( &f, 0, sizeof( f ) );
	assert_true( ds_fossen_is_none( &f ) );
}

// Any matrices and any point: R is what its own point feels, and its derivative that of finite differences.
static void test_points_and_derivatives( void **state )
{
	(void)state;
	uint64_t seed = 11;
	for ( int k = 0; k < 100; ++k )
	{
		ds_fossen f;
		memset( &f, 0, sizeof( f ) );
		for ( int i = 0; i < 36; ++i )
		{
			f.linear.m[i / 6][i % 6] = noise( &seed );
			f.quadratic.m[i / 6][i % 6] = noise( &seed );
			f.forward.m[i / 6][i % 6] = noise( &seed );
		}
		ds_fossen here = f;
		f.about = noise3( &seed );
		ds_vec3 v = noise3( &seed ), w = noise3( &seed ), at = ds_add( v, ds_cross( w, f.about ) );
		const double nu[6] = { v.x, v.y, v.z, w.x, w.y, w.z }, own[6] = { at.x, at.y, at.z, w.x, w.y, w.z };
		double r[6], o[6], d[6][6];
		ds_fossen_resistance( &here, own, o, NULL );
		ds_fossen_resistance( &f, nu, r, d );
		ds_vec3 force = ds_v3( o[0], o[1], o[2] ), torque = ds_v3( o[3], o[4], o[5] );
		ASSERT_NEAR3( ds_v3( r[0], r[1], r[2] ), force, 1e-12 );
		ASSERT_NEAR3( ds_v3( r[3], r[4], r[5] ), ds_add( torque, ds_cross( f.about, force ) ), 1e-12 );
		double step = 1e-6;
		for ( int j = 0; j < 6; ++j )
		{
			double more[6], less[6], a[6], b[6];
			memcpy( more, nu, sizeof( nu ) );
			memcpy( less, nu, sizeof( nu ) );
			more[j] += step;
			less[j] -= step;
			ds_fossen_resistance( &f, more, a, NULL );
			ds_fossen_resistance( &f, less, b, NULL );
			for ( int i = 0; i < 6; ++i )
			{
				ASSERT_NEAR( d[i][j], ( a[i] - b[i] ) / ( 2 * step ), 2e-5 );
			}
		}
	}
}

static void refused( const ds_fossen *f, const char *what )
{
	assert_int_equal( ds_fossen_check( f ), DS_ERROR_RANGE );
	if ( strstr( ds_last_error(), what ) == NULL )
	{
		fail_msg( "\"%s\" does not name %s", ds_last_error(), what );
	}
}

static void test_what_adds_energy_is_refused( void **state )
{
	(void)state;
	ds_fossen f = remus();
	f.quadratic.m[3][3] = -0.1;
	refused( &f, "damping.quadratic[3][3]" );

	f = remus();
	f.linear.m[2][2] = -1;
	refused( &f, "damping.linear[2][2]" );

	// skew entries take nothing and are no harm; symmetric ones have to be small
	f = remus();
	f.linear.m[1][1] = 4;
	f.linear.m[5][5] = 1;
	f.linear.m[1][5] = 10;
	f.linear.m[5][1] = -10;
	assert_int_equal( ds_fossen_check( &f ), DS_OK );
	f.linear.m[5][1] = -5;
	refused( &f, "[5][1] + [1][5]" );

	// Munk's moment is C_A's: left in the damping, it gives energy
	f = remus();
	f.forward.m[4][2] = -24;
	f.forward.m[4][4] = 0.5;
	refused( &f, "damping.forward" );

	f = remus();
	f.quadratic.m[0][1] = 3;
	f.quadratic.m[0][0] = 0;
	refused( &f, "[0][1] is 3, but [0][0] is 0" );
	f = remus();
	f.quadratic.m[5][1] = 4000;
	refused( &f, "[5][1]" );

	f = remus();
	f.linear.m[0][3] = NAN;
	assert_int_equal( ds_fossen_check( &f ), DS_ERROR_NOT_FINITE );
}

// In two axes the limit has a closed form: x^3 + y^3 - c x y^2 stays positive up to c = 3 / 2^(2/3).
static void test_limit_of_quadratic_coupling( void **state )
{
	(void)state;
	const double limit = 3 / cbrt( 4 );
	for ( int k = 0; k < 30; ++k )
	{
		int i = k % 6, j = ( i + 1 + k / 6 ) % 6;
		ds_fossen f;
		memset( &f, 0, sizeof( f ) );
		double a = 50 + k, b = 3 + k;
		f.quadratic.m[i][i] = a;
		f.quadratic.m[j][j] = b;
		double scale = ( k % 2 ? 1 : -1 ) * cbrt( a * b * b );
		f.quadratic.m[i][j] = 0.999 * limit * scale;
		assert_int_equal( ds_fossen_check( &f ), DS_OK );
		f.quadratic.m[i][j] = 1.002 * limit * scale;
		assert_int_equal( ds_fossen_check( &f ), DS_ERROR_RANGE );
	}
}

// What passes takes energy from every motion.
static void test_accepted_damping_takes_energy( void **state )
{
	(void)state;
	uint64_t seed = 13;
	int accepted = 0;
	for ( int k = 0; k < 300; ++k )
	{
		ds_fossen f;
		memset( &f, 0, sizeof( f ) );
		double size = 0.6 * fabs( noise( &seed ) );
		for ( int i = 0; i < 36; ++i )
		{
			bool diagonal = i / 6 == i % 6;
			f.linear.m[i / 6][i % 6] = diagonal ? 1 : size * noise( &seed );
			f.quadratic.m[i / 6][i % 6] = diagonal ? 1 : 2 * size * noise( &seed );
		}
		if ( ds_fossen_check( &f ) != DS_OK )
		{
			continue;
		}
		++accepted;
		for ( int t = 0; t < 2000; ++t )
		{
			double nu[6], r[6], power = 0, scale = exp( 4 * noise( &seed ) );
			for ( int i = 0; i < 6; ++i )
			{
				nu[i] = scale * noise( &seed );
			}
			ds_fossen_resistance( &f, nu, r, NULL );
			for ( int i = 0; i < 6; ++i )
			{
				power += nu[i] * r[i];
			}
			assert_true( power >= 0 );
		}
	}
	assert_in_range( accepted, 60, 290 );
}

static void test_buoyancy( void **state )
{
	(void)state;
	// the force of a mesh with that volume and centre
	shape s = shape_box( ds_v3( -0.3, -0.2, -0.1 ), ds_v3( 0.5, 0.4, 0.3 ) );
	ds_faces_def def = shape_def( &s );
	ds_faces *faces = faces_of( &def );
	ds_flow flow = still_water( ds_quat_from_rpy( ds_v3( 0.4, -0.3, 1 ) ), 20 );
	ds_face_forces out;
	ds_faces_evaluate( faces, &flow, &out );
	ds_wrench w =
		ds_buoyancy( 0.8 * 0.6 * 0.4, ds_v3( 0.1, 0.1, 0.1 ), ds_unrotate( flow.attitude, ds_v3( 0, 0, 1 ) ), RHO, G );
	ASSERT_NEAR3( out.hydrostatic.force, w.force, 1e-9 );
	ASSERT_NEAR3( out.hydrostatic.torque, w.torque, 1e-9 );
	ds_faces_destroy( faces );
	shape_free( &s );

	// a ball: wet by pi h^2 ( r - h/3 ) of its 4/3 pi r^3
	const double r = 0.4, v = 4.0 / 3 * DS_PI * r * r * r;
	for ( double depth = -0.5; depth < 0.55; depth += 0.1 )
	{
		double h = fmin( fmax( r + depth, 0 ), 2 * r );
		ASSERT_NEAR( ds_wet_share_of_sphere( v, depth ), DS_PI * h * h * ( r - h / 3 ) / v, 1e-12 );
	}
	ASSERT_NEAR( ds_wet_share_of_sphere( 0, 1 ), 1, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_values ),
		cmocka_unit_test( test_points_and_derivatives ),
		cmocka_unit_test( test_what_adds_energy_is_refused ),
		cmocka_unit_test( test_limit_of_quadratic_coupling ),
		cmocka_unit_test( test_accepted_damping_takes_energy ),
		cmocka_unit_test( test_buoyancy ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Vector algebra: rotations against matrices multiplied out from sines and cosines, identities, and limits.

#include "deepsim/math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "got %.17g, expected %.17g within %g", value, expected, tolerance );
	}
}

static void assert_vector( ds_vec3 v, ds_vec3 expected, double tolerance )
{
	assert_near( v.x, expected.x, tolerance );
	assert_near( v.y, expected.y, tolerance );
	assert_near( v.z, expected.z, tolerance );
}

// Numbers in [-1, 1) that are the same everywhere.
static double number( uint32_t *seed )
{
	*seed = *seed * 1664525u + 1013904223u;
	return (double)*seed / 0x1p31 - 1;
}

static ds_vec3 random_vector( uint32_t *seed )
{
	return ds_v3( number( seed ), number( seed ), number( seed ) );
}

static ds_quat random_attitude( uint32_t *seed )
{
	ds_quat q = { number( seed ), number( seed ), number( seed ), number( seed ) };
	return ds_quat_normalize( q );
}

// Rodrigues' formula: v cos a + (u x v) sin a + u (u.v) (1 - cos a).
static ds_vec3 rodrigues( ds_vec3 u, double a, ds_vec3 v )
{
	ds_vec3 r = ds_mad( ds_scale( cos( a ), v ), sin( a ), ds_cross( u, v ) );
	return ds_mad( r, ds_dot( u, v ) * ( 1 - cos( a ) ), u );
}

static void test_vectors( void **state )
{
	(void)state;
	ds_vec3 a = ds_v3( 1, 2, 3 ), b = ds_v3( -4, 5, 0.5 );
	assert_vector( ds_add( a, b ), ds_v3( -3, 7, 3.5 ), 0 );
	assert_vector( ds_sub( a, b ), ds_v3( 5, -3, 2.5 ), 0 );
	assert_vector( ds_scale( -2, a ), ds_v3( -2, -4, -6 ), 0 );
	assert_vector( ds_mad( a, 2, b ), ds_v3( -7, 12, 4 ), 0 );
	assert_near( ds_dot( a, b ), 7.5, 0 );
	assert_vector( ds_cross( a, b ), ds_v3( -14, -12.5, 13 ), 0 );
	assert_near( ds_length( ds_v3( 2, 3, 6 ) ), 7, 0 );
	assert_true( ds_finite( a ) );
	assert_false( ds_finite( ds_v3( 0, NAN, 0 ) ) );
	assert_false( ds_finite( ds_v3( INFINITY, 0, 0 ) ) );
	assert_false( ds_finite( ds_v3( 0, 0, -INFINITY ) ) );
}

static void test_rotation_by_vector( void **state )
{
	(void)state;
	uint32_t seed = 1;
	for ( int i = 0; i < 1000; ++i )
	{
		ds_vec3 u = random_vector( &seed ), v = random_vector( &seed );
		double angle = 3 * DS_PI * number( &seed );
		u = ds_scale( 1 / ds_length( u ), u );
		ds_quat q = ds_quat_exp( ds_scale( angle, u ) );
		ds_vec3 expected = rodrigues( u, angle, v );
		assert_vector( ds_rotate( q, v ), expected, 1e-14 );
		assert_vector( ds_unrotate( q, expected ), v, 1e-14 );
		ds_mat3 m = ds_mat3_from_quat( q );
		assert_vector( ds_mat3_mul_vec( &m, v ), expected, 1e-14 );
		assert_vector( ds_mat3_tmul_vec( &m, expected ), v, 1e-14 );
	}
}

static void test_exp_and_log_are_inverse( void **state )
{
	(void)state;
	uint32_t seed = 2;
	for ( double size = 1e-12; size < 3.1; size *= 3 )
	{
		ds_vec3 u = random_vector( &seed );
		ds_vec3 v = ds_scale( size / ds_length( u ), u );
		ds_quat q = ds_quat_exp( v );
		assert_near( q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15 );
		assert_vector( ds_quat_log( q ), v, 1e-14 * size + 1e-300 );
		ds_quat other = { -q.w, -q.x, -q.y, -q.z };
		assert_vector( ds_quat_log( other ), v, 1e-14 * size + 1e-300 );
	}
	assert_vector( ds_quat_log( ds_quat_exp( ds_v3( 0, 0, 0 ) ) ), ds_v3( 0, 0, 0 ), 0 );
	// turns beyond half come back the shorter way
	assert_vector( ds_quat_log( ds_quat_exp( ds_v3( 0, 0, 1.5 * DS_PI ) ) ), ds_v3( 0, 0, -0.5 * DS_PI ), 1e-14 );
}

static void test_product_is_composition( void **state )
{
	(void)state;
	uint32_t seed = 3;
	for ( int i = 0; i < 1000; ++i )
	{
		ds_quat a = random_attitude( &seed ), b = random_attitude( &seed );
		ds_vec3 v = random_vector( &seed );
		assert_vector( ds_rotate( ds_quat_mul( a, b ), v ), ds_rotate( a, ds_rotate( b, v ) ), 1e-14 );
		ds_pose pa = { random_vector( &seed ), a }, pb = { random_vector( &seed ), b };
		assert_vector( ds_pose_point( ds_pose_mul( pa, pb ), v ), ds_pose_point( pa, ds_pose_point( pb, v ) ), 2e-14 );
	}
	// Hamilton: i j = k
	ds_quat i = { 0, 1, 0, 0 }, j = { 0, 0, 1, 0 };
	ds_quat k = ds_quat_mul( i, j );
	assert_true( k.w == 0 && k.x == 0 && k.y == 0 && k.z == 1 );
}

// Rz( yaw ) Ry( pitch ) Rx( roll ), Fossen (2021) eq. (2.31).
static void test_rpy_matrix( void **state )
{
	(void)state;
	uint32_t seed = 4;
	for ( int n = 0; n < 1000; ++n )
	{
		ds_vec3 a = ds_v3( DS_PI * number( &seed ), 0.4999 * DS_PI * number( &seed ), DS_PI * number( &seed ) );
		double cf = cos( a.x ), sf = sin( a.x ), ct = cos( a.y ), st = sin( a.y ), cp = cos( a.z ), sp = sin( a.z );
		double expected[3][3] = { { cp * ct, -sp * cf + cp * st * sf, sp * sf + cp * cf * st },
			{ sp * ct, cp * cf + sf * st * sp, -cp * sf + st * sp * cf }, { -st, ct * sf, ct * cf } };
		ds_quat q = ds_quat_from_rpy( a );
		ds_mat3 m = ds_mat3_from_quat( q );
		for ( int i = 0; i < 9; ++i )
		{
			assert_near( m.m[i / 3][i % 3], expected[i / 3][i % 3], 1e-14 );
		}
		assert_vector( ds_quat_to_rpy( q ), a, 1e-9 );
	}
}

// At +-90 degrees of pitch only yaw and roll together are determined: roll 0 is given, and the same rotation.
static void test_rpy_at_the_poles( void **state )
{
	(void)state;
	for ( int sign = -1; sign <= 1; sign += 2 )
	{
		for ( double roll = -3; roll <= 3; roll += 0.5 )
		{
			ds_quat q = ds_quat_from_rpy( ds_v3( roll, 0.5 * sign * DS_PI, 1 ) );
			ds_vec3 rpy = ds_quat_to_rpy( q );
			assert_near( rpy.x, 0, 0 );
			assert_near( rpy.y, 0.5 * sign * DS_PI, 0 );
			ds_quat back = ds_quat_from_rpy( rpy );
			assert_near( ds_length( ds_quat_log( ds_quat_mul( ds_quat_conjugate( q ), back ) ) ), 0, 1e-7 );
		}
	}
}

static void test_normalize( void **state )
{
	(void)state;
	ds_quat zero = { 0, 0, 0, 0 }, invalid = { NAN, 0, 0, 0 }, large = { 2, 0, 0, -2 };
	assert_near( ds_quat_normalize( zero ).w, 1, 0 );
	assert_near( ds_quat_normalize( invalid ).w, 1, 0 );
	assert_near( ds_quat_normalize( large ).z, -sqrt( 0.5 ), 2e-16 );
	ds_pose identity = ds_pose_identity();
	assert_vector( ds_pose_point( identity, ds_v3( 1, 2, 3 ) ), ds_v3( 1, 2, 3 ), 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_vectors ),
		cmocka_unit_test( test_rotation_by_vector ),
		cmocka_unit_test( test_exp_and_log_are_inverse ),
		cmocka_unit_test( test_product_is_composition ),
		cmocka_unit_test( test_rpy_matrix ),
		cmocka_unit_test( test_rpy_at_the_poles ),
		cmocka_unit_test( test_normalize ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

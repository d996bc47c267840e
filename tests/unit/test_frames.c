// NED/FRD to ENU/FLU and back: reference case P02 and its kind.

#include "deepsim/frames.h"
#include "deepsim/math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double degree = DS_PI / 180;

static void assert_near( double value, double expected, double tolerance )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "got %.17g, expected %.17g within %g", value, expected, tolerance );
	}
}

static void assert_vector( ds_vec3 v, double x, double y, double z, double tolerance )
{
	assert_near( v.x, x, tolerance );
	assert_near( v.y, y, tolerance );
	assert_near( v.z, z, tolerance );
}

static void assert_rotation( ds_quat a, ds_quat b, double tolerance )
{
	assert_near( ds_length( ds_quat_log( ds_quat_mul( ds_quat_conjugate( a ), b ) ) ), 0, tolerance );
}

// Numbers in [-1, 1) that are the same everywhere.
static double number( uint32_t *seed )
{
	*seed = *seed * 1664525u + 1013904223u;
	return (double)*seed / 0x1p31 - 1;
}

static ds_quat random_attitude( uint32_t *seed )
{
	ds_quat q = { number( seed ), number( seed ), number( seed ), number( seed ) };
	return ds_quat_normalize( q );
}

// P02: NED (10, 5, -2) m, rpy (10, 20, 30) degrees.
static void test_reference_case( void **state )
{
	(void)state;
	ds_pose ned = { { 10, 5, -2 }, ds_quat_from_rpy( ds_scale( degree, ds_v3( 10, 20, 30 ) ) ) };
	ds_pose enu = ds_pose_enu_from_ned( ned );
	assert_vector( enu.position, 5, 10, 2, 0 );
	ds_vec3 rpy = ds_scale( 1 / degree, ds_quat_to_rpy( enu.attitude ) );
	assert_vector( rpy, 10, -20, 60, 1e-12 );
	assert_near( enu.attitude.w, 0.842056, 5e-7 );
	assert_near( enu.attitude.x, 0.160826, 5e-7 );
	assert_near( enu.attitude.y, -0.106896, 5e-7 );
	assert_near( enu.attitude.z, 0.503637, 5e-7 );
}

static void test_yaws( void **state )
{
	(void)state;
	static const double pairs[][2] = { { 0, 90 }, { 90, 0 }, { 180, -90 }, { -90, 180 }, { 45, 45 }, { 135, -45 } };
	for ( size_t i = 0; i < sizeof( pairs ) / sizeof( pairs[0] ); ++i )
	{
		ds_quat q = ds_enu_flu_from_ned_frd( ds_quat_from_rpy( ds_v3( 0, 0, pairs[i][0] * degree ) ) );
		ds_vec3 rpy = ds_quat_to_rpy( q );
		assert_near( rpy.x, 0, 1e-12 );
		assert_near( rpy.y, 0, 1e-12 );
		// yaws of 180 and -180 degrees are one
		assert_near( cos( rpy.z - pairs[i][1] * degree ), 1, 1e-12 );
		assert_near( sin( rpy.z - pairs[i][1] * degree ), 0, 1e-12 );
	}
}

// R_e = P R_n Q, multiplied out as matrices.
static void test_against_matrices( void **state )
{
	(void)state;
	static const double p[3][3] = { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, -1 } }, q[3] = { 1, -1, -1 };
	uint32_t seed = 1;
	for ( int n = 0; n < 1000; ++n )
	{
		ds_quat attitude = random_attitude( &seed );
		ds_mat3 ned = ds_mat3_from_quat( attitude ), enu = ds_mat3_from_quat( ds_enu_flu_from_ned_frd( attitude ) );
		for ( int i = 0; i < 3; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				double expected = 0;
				for ( int j = 0; j < 3; ++j )
				{
					expected += p[i][j] * ned.m[j][k] * q[k];
				}
				assert_near( enu.m[i][k], expected, 1e-14 );
			}
		}
	}
}

// A vector turned and then converted is the vector converted and then turned.
static void test_vectors_and_attitudes_agree( void **state )
{
	(void)state;
	uint32_t seed = 2;
	for ( int n = 0; n < 1000; ++n )
	{
		ds_quat q = random_attitude( &seed );
		ds_vec3 v = ds_v3( number( &seed ), number( &seed ), number( &seed ) );
		ds_vec3 a = ds_enu_from_ned( ds_rotate( q, v ) );
		ds_vec3 b = ds_rotate( ds_enu_flu_from_ned_frd( q ), ds_flu_from_frd( v ) );
		assert_vector( a, b.x, b.y, b.z, 1e-14 );
	}
}

static void test_round_trip( void **state )
{
	(void)state;
	uint32_t seed = 3;
	for ( int n = 0; n < 10000; ++n )
	{
		ds_vec3 position = ds_v3( 1e5 * number( &seed ), 1e5 * number( &seed ), 1e4 * number( &seed ) );
		ds_pose ned = { position, random_attitude( &seed ) };
		ds_pose enu = ds_pose_enu_from_ned( ned ), back = ds_pose_ned_from_enu( enu );
		assert_vector( back.position, position.x, position.y, position.z, 0 );
		assert_rotation( back.attitude, ned.attitude, 1e-12 );
		assert_true( enu.attitude.w >= 0 && back.attitude.w >= 0 );

		ds_vec3 v = ds_ned_from_enu( ds_enu_from_ned( position ) );
		assert_vector( v, position.x, position.y, position.z, 0 );
		v = ds_frd_from_flu( ds_flu_from_frd( position ) );
		assert_vector( v, position.x, position.y, position.z, 0 );
		assert_rotation( ds_ned_frd_from_enu_flu( ds_enu_flu_from_ned_frd( ned.attitude ) ), ned.attitude, 1e-12 );
	}
}

// North, east and down are where they should be.
static void test_axes( void **state )
{
	(void)state;
	assert_vector( ds_enu_from_ned( ds_v3( 1, 0, 0 ) ), 0, 1, 0, 0 );
	assert_vector( ds_enu_from_ned( ds_v3( 0, 1, 0 ) ), 1, 0, 0, 0 );
	assert_vector( ds_enu_from_ned( ds_v3( 0, 0, 1 ) ), 0, 0, -1, 0 );
	assert_vector( ds_flu_from_frd( ds_v3( 1, 2, 3 ) ), 1, -2, -3, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_reference_case ),
		cmocka_unit_test( test_yaws ),
		cmocka_unit_test( test_against_matrices ),
		cmocka_unit_test( test_vectors_and_attitudes_agree ),
		cmocka_unit_test( test_round_trip ),
		cmocka_unit_test( test_axes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Stereo pairs: geometry worked by hand, rectification's own conditions, what is refused.

#include "world_kit.h"

#include "deepsim/math.h"
#include "deepsim/stereo.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static ds_lens lens( int64_t width, int64_t height, double f )
{
	ds_lens_config c = ds_lens_config_default();
	c.width = width;
	c.height = height;
	c.fx = f;
	ds_lens l;
	OK( ds_lens_make( &c, &l ) );
	return l;
}

static ds_pose mount( double x, double y, double z, double roll, double pitch, double yaw )
{
	return ( ds_pose ){ ds_v3( x, y, z ), ds_quat_from_rpy( ds_v3( roll * DEGREE, pitch * DEGREE, yaw * DEGREE ) ) };
}

static ds_stereo make( ds_lens a, ds_lens b, ds_pose left, ds_pose right )
{
	ds_stereo s;
	OK( ds_stereo_make( ( const ds_lens[] ){ a, b }, ( const ds_pose[] ){ left, right }, &s ) );
	return s;
}

static void near_matrix( const double *got, const double *right, int count, double tolerance )
{
	for ( int i = 0; i < count; ++i )
	{
		NEAR( got[i], right[i], tolerance );
	}
}

// A point of the frame of the mounts in the optical axes of a mount.
static ds_vec3 seen_from( ds_pose m, ds_vec3 point )
{
	ds_vec3 p = ds_unrotate( m.attitude, ds_sub( point, m.position ) );
	return ds_v3( p.y, p.z, p.x );
}

// u, v by a projection matrix.
static void by_projection( double p[3][4], ds_vec3 x, double pixel[2] )
{
	double w = p[2][0] * x.x + p[2][1] * x.y + p[2][2] * x.z + p[2][3];
	for ( int i = 0; i < 2; ++i )
	{
		pixel[i] = ( p[i][0] * x.x + p[i][1] * x.y + p[i][2] * x.z + p[i][3] ) / w;
	}
}

// Two cameras side by side, 0.2 m apart, 500 px, 640 x 480: f B = 100 px m.
static void test_parallel( void **state )
{
	(void)state;
	ds_lens l = lens( 640, 480, 500 );
	ds_stereo s = make( l, l, mount( 1, -0.1, 2, 0, 0, 0 ), mount( 1, 0.1, 2, 0, 0, 0 ) );
	near_matrix( &s.rotation.m[0][0], ( double[] ){ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 9, 1e-15 );
	NEAR3( s.translation, ds_v3( -0.2, 0, 0 ), 1e-15 );
	NEAR( s.baseline, 0.2, 1e-15 );
	NEAR( s.vergence, 0, 1e-15 );
	near_matrix( &s.essential.m[0][0], ( double[] ){ 0, 0, 0, 0, 0, 0.2, 0, -0.2, 0 }, 9, 1e-15 );
	// rows of pixels are epipolar lines: F is E / 500 with the rest 0, and has no last member to divide by
	near_matrix( &s.fundamental.m[0][0], ( double[] ){ 0, 0, 0, 0, 0, 4e-4, 0, -4e-4, 0 }, 9, 1e-17 );
	ds_rectification r;
	OK( ds_stereo_rectify( &s, &r ) );
	assert_false( r.vertical );
	near_matrix( &r.projection[0][0][0], ( double[] ){ 500, 0, 319.5, 0, 0, 500, 239.5, 0, 0, 0, 1, 0 }, 12, 1e-12 );
	near_matrix( &r.projection[1][0][0], ( double[] ){ 500, 0, 319.5, -100, 0, 500, 239.5, 0, 0, 0, 1, 0 }, 12, 1e-12 );
	near_matrix( &r.q[0][0], ( double[] ){ 1, 0, 0, -319.5, 0, 1, 0, -239.5, 0, 0, 0, 500, 0, 0, 5, 0 }, 16, 1e-12 );
	NEAR( ds_stereo_disparity( &r, 4 ), 25, 1e-12 );
	NEAR( ds_stereo_distance( &r, 25 ), 4, 1e-12 );
	NEAR( ds_stereo_resolution( &r, 4, 0.5 ), 0.08, 1e-14 );
	assert_true( isinf( ds_stereo_distance( &r, 0 ) ) && isinf( ds_stereo_disparity( &r, 0 ) ) );
	// the left strip of 0.2 m of the 640 / 500 = 1.28 m per metre of distance is not seen by the right camera
	NEAR( ds_stereo_overlap( &s, 1 ), 1 - 0.2 / 1.28, 0.003 );
	NEAR( ds_stereo_overlap( &s, 10 ), 1 - 0.02 / 1.28, 0.003 );
	NEAR( ds_stereo_overlap( &s, 0.1 ), 0, 0 );
}

// The left camera yaws to the right by 30 degrees, the right one not; the baseline is in the plane of the axes.
static void test_converging( void **state )
{
	(void)state;
	ds_lens l = lens( 640, 480, 500 );
	ds_stereo s = make( l, l, mount( 0, -0.5, 0, 0, 0, 30 ), mount( 0, 0.5, 0, 0, 0, 0 ) );
	double c = sqrt( 0.75 ), i = 0.5;
	// what is ahead of the left camera is, for the right one, to the right by sin 30
	near_matrix( &s.rotation.m[0][0], ( double[] ){ c, 0, i, 0, 1, 0, -i, 0, c }, 9, 1e-15 );
	NEAR3( s.translation, ds_v3( -1, 0, 0 ), 1e-15 );
	NEAR( s.vergence, 30 * DEGREE, 1e-15 );
	near_matrix( &s.essential.m[0][0], ( double[] ){ 0, 0, 0, -i, 0, c, 0, -1, 0 }, 9, 1e-15 );
	// F divided by its last member
	NEAR( s.fundamental.m[2][2], 1, 1e-12 );
	ds_rectification r;
	OK( ds_stereo_rectify( &s, &r ) );
	// both look square to the baseline: the right one as it is, the left one turned back
	near_matrix( &r.rotation[1].m[0][0], ( double[] ){ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, 9, 1e-15 );
	near_matrix( &r.rotation[0].m[0][0], &s.rotation.m[0][0], 9, 1e-15 );
	NEAR( r.baseline, 1, 1e-15 );
}

// One camera 0.3 m above the other: disparities are along v.
static void test_vertical( void **state )
{
	(void)state;
	ds_lens l = lens( 640, 480, 500 );
	ds_stereo s = make( l, l, mount( 0, 0, -0.3, 0, 0, 0 ), mount( 0, 0, 0, 0, 0, 0 ) );
	NEAR3( s.translation, ds_v3( 0, -0.3, 0 ), 1e-15 );
	ds_rectification r;
	OK( ds_stereo_rectify( &s, &r ) );
	assert_true( r.vertical );
	NEAR( r.projection[1][1][3], -150, 1e-12 );
	NEAR( r.projection[1][0][3], 0, 0 );
	NEAR( ds_stereo_disparity( &r, 3 ), 50, 1e-12 );
	// the other way round: disparities are negative, distances stay
	s = make( l, l, mount( 0, 0, 0, 0, 0, 0 ), mount( 0, 0, -0.3, 0, 0, 0 ) );
	OK( ds_stereo_rectify( &s, &r ) );
	NEAR( ds_stereo_disparity( &r, 3 ), -50, 1e-12 );
	NEAR( ds_stereo_distance( &r, -50 ), 3, 1e-12 );
	NEAR( ds_stereo_resolution( &r, 3, 1 ), 0.06, 1e-14 );
}

static double uniform( double low, double high )
{
	static uint64_t state = 88172645463325252u;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return low + ( high - low ) * (double)( state >> 11 ) * 0x1p-53;
}

// A point keeps the definitions of R, T, E, F, and lies in the same row of both rectified images, at its disparity, from where Q finds it.
static void check_point( const ds_stereo *s, ds_rectification *r, const ds_pose mounts[2], ds_vec3 point )
{
	ds_vec3 x[2] = { seen_from( mounts[0], point ), seen_from( mounts[1], point ) };
	NEAR3( x[1], ds_add( ds_mat3_mul_vec( &s->rotation, x[0] ), s->translation ), 1e-13 );
	ds_vec3 n[2], u[2];
	double pixel[2][2];
	for ( int i = 0; i < 2; ++i )
	{
		const ds_lens *l = &s->lens[i];
		n[i] = ds_scale( 1 / x[i].z, x[i] );
		u[i] = ds_v3( l->fx * n[i].x + l->cx, l->fy * n[i].y + l->cy, 1 );
		// the projections are of points in the axes of rectified camera 0: the second one shifts by the baseline
		ds_vec3 shift = ds_v3( r->vertical ? 0 : r->baseline, r->vertical ? r->baseline : 0, 0 );
		ds_vec3 rectified = ds_mad( ds_mat3_mul_vec( &r->rotation[i], x[i] ), i, shift );
		by_projection( r->projection[i], rectified, pixel[i] );
	}
	NEAR( ds_dot( n[1], ds_mat3_mul_vec( &s->essential, n[0] ) ), 0, 1e-12 );
	double size = 0;
	for ( int i = 0; i < 9; ++i )
	{
		size += fabs( s->fundamental.m[i / 3][i % 3] ) * 1e6;
	}
	NEAR( ds_dot( u[1], ds_mat3_mul_vec( &s->fundamental, u[0] ) ) / size, 0, 1e-12 );
	ds_vec3 true_point = ds_mat3_mul_vec( &r->rotation[0], x[0] );
	int along = r->vertical ? 1 : 0;
	double disparity = pixel[0][along] - pixel[1][along];
	NEAR( pixel[0][1 - along], pixel[1][1 - along], 1e-9 );
	NEAR( disparity, ds_stereo_disparity( r, true_point.z ), 1e-9 );
	double h[4];
	for ( int i = 0; i < 4; ++i )
	{
		h[i] = r->q[i][0] * pixel[0][0] + r->q[i][1] * pixel[0][1] + r->q[i][2] * disparity + r->q[i][3];
	}
	NEAR3( ds_v3( h[0] / h[3], h[1] / h[3], h[2] / h[3] ), true_point, 1e-9 );
}

static void test_points( void **state )
{
	(void)state;
	for ( int i = 0; i < 300; ++i )
	{
		bool up = i % 3 == 0;
		ds_lens a = lens( 640, 480, uniform( 400, 600 ) ), b = lens( 640, 480, uniform( 400, 600 ) );
		a.k[0] = uniform( -0.05, 0.05 );
		const ds_pose mounts[2] = { mount( uniform( -0.02, 0.02 ), uniform( -0.02, 0.02 ), 0, uniform( -9, 9 ),
										uniform( -9, 9 ), uniform( -9, 9 ) ),
			mount( 0, up ? 0.03 : uniform( 0.1, 0.5 ), up ? uniform( 0.1, 0.5 ) : 0.03, uniform( -9, 9 ),
				uniform( -9, 9 ), uniform( -9, 9 ) ) };
		ds_stereo s;
		ds_rectification r;
		OK( ds_stereo_make( ( const ds_lens[] ){ a, b }, mounts, &s ) );
		OK( ds_stereo_rectify( &s, &r ) );
		assert_int_equal( r.vertical, up );
		check_point( &s, &r, mounts, ds_v3( uniform( 1, 5 ), uniform( -0.5, 0.5 ), uniform( -0.5, 0.5 ) ) );
	}
}

// Fisheyes of 200 px/rad, side by side, 400 x 400: r = f theta, so the edges' middles at 1 rad are at tan( 1 ). The new image, 400 px
// wide, reaches the nearer edge's middle from their mean.
static void test_fisheye( void **state )
{
	(void)state;
	ds_lens_config c = ds_lens_config_default();
	c.model = DS_LENS_FISHEYE;
	c.width = c.height = 400;
	c.fx = 200;
	c.center_kind = DS_LENS_CENTER_GIVEN;
	c.center[0] = c.center[1] = 200;
	ds_lens l;
	OK( ds_lens_make( &c, &l ) );
	ds_stereo s = make( l, l, mount( 0, 0, 0, 0, 0, 0 ), mount( 0, 0.1, 0, 0, 0, 0 ) );
	ds_rectification r;
	OK( ds_stereo_rectify( &s, &r ) );
	NEAR( r.focal, 200 / tan( 1 ), 1e-9 );
	NEAR( r.center[0], 200, 1e-9 );
	NEAR( r.center[1], 200, 1e-9 );
	// twice as high, and stretched to it
	c.height = 800;
	c.fy = 400;
	c.center[1] = 400;
	OK( ds_lens_make( &c, &l ) );
	s = make( l, l, mount( 0, 0, 0, 0, 0, 0 ), mount( 0, 0.1, 0, 0, 0, 0 ) );
	OK( ds_stereo_rectify( &s, &r ) );
	NEAR( r.focal, 400 / tan( 1 ), 1e-9 );
	// 2 rad to the edge cannot be rectified
	c.fx = 100;
	OK( ds_lens_make( &c, &l ) );
	s = make( l, l, mount( 0, 0, 0, 0, 0, 0 ), mount( 0, 0.1, 0, 0, 0, 0 ) );
	FAILS( ds_stereo_rectify( &s, &r ), DS_ERROR_RANGE, "at the edge of the image" );
}

static void test_refused( void **state )
{
	(void)state;
	ds_stereo s;
	ds_rectification r;
	ds_lens l = lens( 640, 480, 500 ), other = lens( 800, 480, 500 );
	ds_pose at = mount( 1, 2, 3, 0, 0, 0 ), off = mount( 1, 2.2, 3, 0, 0, 0 );
	const ds_lens same[2] = { l, l };
	FAILS( ds_stereo_make( same, ( ds_pose[] ){ at, at }, &s ), DS_ERROR_RANGE, "baseline above 0" );
	at.position.x = NAN;
	FAILS( ds_stereo_make( same, ( ds_pose[] ){ off, at }, &s ), DS_ERROR_NOT_FINITE, "mount of camera 1" );
	at = off;
	at.attitude = ( ds_quat ){ 0, 0, 0, 0 };
	FAILS( ds_stereo_make( same, ( ds_pose[] ){ at, off }, &s ), DS_ERROR_NOT_FINITE, "mount of camera 0" );
	at = mount( 1, 2, 3, 0, 0, 0 );
	ds_lens bad = l;
	bad.fx = NAN;
	FAILS( ds_stereo_make( ( ds_lens[] ){ l, bad }, ( ds_pose[] ){ at, off }, &s ), DS_ERROR_RANGE, "camera 1: fx" );
	for ( int32_t model = DS_LENS_EQUIRECTANGULAR; model <= DS_LENS_STEREOGRAPHIC; ++model )
	{
		bad = l;
		bad.model = model;
		FAILS( ds_stereo_make( ( ds_lens[] ){ bad, l }, ( ds_pose[] ){ at, off }, &s ), DS_ERROR_UNSUPPORTED,
			"no camera matrix" );
	}
	FAILS( ds_stereo_make( NULL, ( ds_pose[] ){ at, off }, &s ), DS_ERROR_ARGUMENT, "NULL" );
	s = make( l, other, at, off );
	FAILS( ds_stereo_rectify( &s, &r ), DS_ERROR_UNSUPPORTED, "same size" );
	bad = l;
	bad.model = DS_LENS_FISHEYE;
	s = make( l, bad, at, off );
	FAILS( ds_stereo_rectify( &s, &r ), DS_ERROR_UNSUPPORTED, "camera 1 is a fisheye" );
	// one behind the other
	s = make( l, l, at, mount( 1.5, 2, 3, 0, 0, 0 ) );
	FAILS( ds_stereo_rectify( &s, &r ), DS_ERROR_RANGE, "the baseline lies along the view" );
	// back to back
	s = make( l, l, at, mount( 1, 2.2, 3, 0, 0, 180 ) );
	FAILS( ds_stereo_rectify( &s, &r ), DS_ERROR_RANGE, "the cameras look apart" );
}

// ROS's file of either camera is read back as its lens.
static void test_files( void **state )
{
	(void)state;
	ds_lens l = lens( 640, 480, 500 ), read;
	l.k[0] = -0.1;
	l.p[1] = 0.01;
	ds_stereo s = make( l, l, mount( 0, 0, 0, 0, 0, 0 ), mount( 0, 0.1, 0, 0, 0, 0 ) );
	ds_rectification r;
	OK( ds_stereo_rectify( &s, &r ) );
	for ( int i = 0; i < 2; ++i )
	{
		OK( ds_stereo_save_ros( &s, &r, i, "an eye", DEEPSIM_TEST_TMP "/eye.yaml" ) );
		OK( ds_lens_load( DEEPSIM_TEST_TMP "/eye.yaml", &read ) );
		NEAR( read.fx, 500, 0 );
		NEAR( read.k[0], -0.1, 0 );
		NEAR( read.p[1], 0.01, 0 );
	}
	FAILS( ds_stereo_save( &s, &r, DEEPSIM_TEST_TMP "/none/s.yaml" ), DS_ERROR_IO, "cannot be written" );
	FAILS( ds_stereo_save_ros( &s, &r, 2, NULL, DEEPSIM_TEST_TMP "/eye.yaml" ), DS_ERROR_ARGUMENT, "0 or 1" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_parallel ),
		cmocka_unit_test( test_converging ),
		cmocka_unit_test( test_vertical ),
		cmocka_unit_test( test_points ),
		cmocka_unit_test( test_fisheye ),
		cmocka_unit_test( test_refused ),
		cmocka_unit_test( test_files ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

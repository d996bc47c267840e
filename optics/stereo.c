// The geometry of two cameras, and their rectification.
//
// Epipolar geometry: Hartley and Zisserman, Multiple View Geometry, 2nd ed. 2004, chapter 9. Rectification: J.-Y. Bouguet's, of the Camera
// Calibration Toolbox for Matlab, as Bradski and Kaehler, Learning OpenCV, 2008, chapter 12 tell it.

#include "deepsim/stereo.h"

#include "base/base.h"
#include "deepsim/math.h"
#include "optics/lens_internal.h"

#include <string.h>

#define OVERLAP_SIDE 256 // rays along each side of the image

static const char *const lens_names[2] = { "the lens of camera 0", "the lens of camera 1" };

// ---- matrices ------------------------------------------------------------------------------------------------------

static ds_mat3 multiply( const ds_mat3 *a, const ds_mat3 *b )
{
	ds_mat3 r;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
		}
	}
	return r;
}

static ds_mat3 transpose( const ds_mat3 *a )
{
	ds_mat3 r;
	for ( int i = 0; i < 9; ++i )
	{
		r.m[i / 3][i % 3] = a->m[i % 3][i / 3];
	}
	return r;
}

static ds_mat3 cross_matrix( ds_vec3 t )
{
	return ( ds_mat3 ){ { { 0, -t.z, t.y }, { t.z, 0, -t.x }, { -t.y, t.x, 0 } } };
}

// K^-1
static ds_mat3 inverse_camera( const ds_lens *l )
{
	return ( ds_mat3 ){ { { 1 / l->fx, 0, -l->cx / l->fx }, { 0, 1 / l->fy, -l->cy / l->fy }, { 0, 0, 1 } } };
}

// ---- geometry ------------------------------------------------------------------------------------------------------

// A vector of a mount's frame in optical axes.
static ds_vec3 optical( ds_vec3 v )
{
	return ds_v3( v.y, v.z, v.x );
}

static ds_mat3 fundamental_of( const ds_stereo *s )
{
	ds_mat3 k0 = inverse_camera( &s->lens[0] ), k1 = inverse_camera( &s->lens[1] ), left = transpose( &k1 );
	ds_mat3 f = multiply( &left, &s->essential );
	f = multiply( &f, &k0 );
	double largest = 0;
	for ( int i = 0; i < 9; ++i )
	{
		largest = fmax( largest, fabs( f.m[i / 3][i % 3] ) );
	}
	double last = f.m[2][2];
	for ( int i = 0; i < 9 && fabs( last ) > 1e-12 * largest; ++i )
	{
		f.m[i / 3][i % 3] /= last;
	}
	return f;
}

static ds_status check_pose( ds_pose pose, int camera )
{
	ds_quat q = pose.attitude;
	double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
	if ( !ds_finite( pose.position ) || !isfinite( norm ) || !( norm > 0 ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE,
			"the mount of camera %d has a position or an attitude that is not finite, or a quaternion of length 0",
			camera );
	}
	return DS_OK;
}

static ds_status check_lens( ds_lens *lens, int camera )
{
	if ( lens->model != DS_LENS_RECTILINEAR && lens->model != DS_LENS_FISHEYE )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"%s is %s and has no camera matrix: a stereo pair needs rectilinear or fisheye lenses", lens_names[camera],
			lens->model == DS_LENS_EQUIRECTANGULAR ? "equirectangular" : "stereographic" );
	}
	return ds_lens_finish( lens, lens_names[camera] );
}

ds_status ds_stereo_make( const ds_lens lenses[2], const ds_pose mounts[2], ds_stereo *stereo )
{
	if ( lenses == NULL || mounts == NULL || stereo == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_stereo_make: lenses, mounts and stereo must not be NULL" );
	}
	ds_stereo s;
	memset( &s, 0, sizeof( s ) );
	memset( stereo, 0, sizeof( *stereo ) );
	ds_quat attitude[2];
	for ( int i = 0; i < 2; ++i )
	{
		s.lens[i] = lenses[i];
		DS_TRY( check_lens( &s.lens[i], i ) );
		DS_TRY( check_pose( mounts[i], i ) );
		attitude[i] = ds_quat_normalize( mounts[i].attitude );
	}
	ds_vec3 apart = ds_sub( mounts[0].position, mounts[1].position );
	s.translation = optical( ds_unrotate( attitude[1], apart ) );
	s.baseline = ds_length( apart );
	double size = ds_length( mounts[0].position ) + ds_length( mounts[1].position );
	if ( !( s.baseline > 1e-12 * size ) || !isfinite( s.baseline ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"the cameras are %g m apart: a stereo pair needs a baseline above 0, so give their mounts different "
			"positions",
			s.baseline );
	}
	// of mounts' axes, then of optical ones, whose components are the same in another order
	ds_quat q = ds_quat_mul( ds_quat_conjugate( attitude[1] ), attitude[0] );
	ds_quat turned = { q.w, q.y, q.z, q.x };
	s.rotation = ds_mat3_from_quat( turned );
	// between the z axes
	s.vergence = atan2( hypot( s.rotation.m[0][2], s.rotation.m[1][2] ), s.rotation.m[2][2] );
	ds_mat3 t = cross_matrix( s.translation );
	s.essential = multiply( &t, &s.rotation );
	s.fundamental = fundamental_of( &s );
	*stereo = s;
	return DS_OK;
}

// ---- rectification -------------------------------------------------------------------------------------------------

// The quaternion of a rotation matrix, w >= 0 (Shepperd 1978: by its largest component).
static ds_quat quat_of( const ds_mat3 *r )
{
	double trace = r->m[0][0] + r->m[1][1] + r->m[2][2], best = trace, c[4];
	int at = 3;
	for ( int i = 0; i < 3; ++i )
	{
		if ( r->m[i][i] > best )
		{
			best = r->m[i][i];
			at = i;
		}
	}
	if ( at == 3 )
	{
		c[3] = 1 + trace;
		c[0] = r->m[2][1] - r->m[1][2];
		c[1] = r->m[0][2] - r->m[2][0];
		c[2] = r->m[1][0] - r->m[0][1];
	}
	else
	{
		int j = ( at + 1 ) % 3, k = ( at + 2 ) % 3;
		c[at] = 1 + r->m[at][at] - r->m[j][j] - r->m[k][k];
		c[j] = r->m[j][at] + r->m[at][j];
		c[k] = r->m[k][at] + r->m[at][k];
		c[3] = r->m[k][j] - r->m[j][k];
	}
	double sign = c[3] < 0 ? -1 : 1;
	return ds_quat_normalize( ( ds_quat ){ sign * c[3], sign * c[0], sign * c[1], sign * c[2] } );
}

// R1, R2, `vertical` and `baseline`.
static void turn( const ds_stereo *s, ds_rectification *r )
{
	ds_quat whole = quat_of( &s->rotation );
	// half of the rotation: camera 0 turns by it, camera 1 by its inverse, so that both look the same way
	ds_quat half = ds_quat_normalize( ( ds_quat ){ whole.w + 1, whole.x, whole.y, whole.z } );
	ds_vec3 t = ds_unrotate( half, s->translation );
	r->vertical = fabs( t.x ) <= fabs( t.y );
	// the axis that the baseline is to lie along, by the shortest turn
	double along = r->vertical ? t.y : t.x;
	ds_vec3 axis = r->vertical ? ds_v3( 0, along > 0 ? 1 : -1, 0 ) : ds_v3( along > 0 ? 1 : -1, 0, 0 );
	ds_vec3 about = ds_cross( t, axis );
	double sine = ds_length( about );
	double angle = atan2( sine, fabs( along ) );
	ds_quat common = sine > 0 ? ds_quat_exp( ds_scale( angle / sine, about ) ) : ds_quat_identity();
	r->rotation[0] = ds_mat3_from_quat( ds_quat_mul( common, half ) );
	r->rotation[1] = ds_mat3_from_quat( ds_quat_mul( common, ds_quat_conjugate( half ) ) );
	t = ds_mat3_mul_vec( &r->rotation[1], s->translation );
	r->baseline = -( r->vertical ? t.y : t.x );
}

// A pixel's direction without distortion, x/z and y/z, by five rounds of fixed-point iteration: as many as cv2.stereoRectify takes, so
// that its choice of the centre is ours too.
static void undistort( const ds_lens *l, double u, double v, double point[2] )
{
	double x0 = ( u - l->cx ) / l->fx, y0 = ( v - l->cy ) / l->fy, x = x0, y = y0;
	for ( int i = 0; i < 5; ++i )
	{
		double s = x * x + y * y, radial = 1 + s * ( l->k[0] + s * ( l->k[1] + s * l->k[2] ) );
		if ( radial < 0 )
		{
			x = x0;
			y = y0;
			break;
		}
		double dx = 2 * l->p[0] * x * y + l->p[1] * ( s + 2 * x * x );
		double dy = l->p[0] * ( s + 2 * y * y ) + 2 * l->p[1] * x * y;
		x = ( x0 - dx ) / radial;
		y = ( y0 - dy ) / radial;
	}
	point[0] = x;
	point[1] = y;
}

// A pixel in a rectified image of focal length 1 and centre 0.
static ds_status rectified_point(
	const ds_stereo *s, const ds_rectification *r, int camera, double u, double v, double point[2] )
{
	const ds_lens *l = &s->lens[camera];
	ds_vec3 d = ds_v3( NAN, NAN, NAN );
	if ( l->model == DS_LENS_RECTILINEAR )
	{
		undistort( l, u, v, point );
		d = ds_v3( point[0], point[1], 1 );
	}
	else if ( ds_lens_ray( l, u, v, &d ) != DS_OK )
	{
		d.z = NAN;
	}
	d = ds_mat3_mul_vec( &r->rotation[camera], d );
	if ( !( d.z > 1e-6 * ds_length( d ) ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"camera %d sees its pixel %g %g, at the edge of the image, beside or behind what a rectified camera can: "
			"the baseline "
			"lies along the view, the cameras look apart, or the lens sees too much (90 deg from the axis, or more)",
			camera, u, v );
	}
	point[0] = d.x / d.z;
	point[1] = d.y / d.z;
	return DS_OK;
}

// cv2.stereoRectify: the focal length across the baseline, the mean of both; the centre so that the mean of the images' corners stays in
// the middle, the mean of both.
static ds_status choose_rectilinear( const ds_stereo *s, ds_rectification *r )
{
	const ds_lens *a = &s->lens[0], *b = &s->lens[1];
	r->focal = 0.5 * ( r->vertical ? a->fx + b->fx : a->fy + b->fy );
	double right = (double)a->width - 1, bottom = (double)a->height - 1;
	double mean[2] = { 0, 0 };
	for ( int i = 0; i < 8; ++i )
	{
		double point[2];
		DS_TRY( rectified_point( s, r, i / 4, i % 2 ? right : 0, i / 2 % 2 ? bottom : 0, point ) );
		mean[0] += 0.125 * point[0];
		mean[1] += 0.125 * point[1];
	}
	r->center[0] = 0.5 * right - r->focal * mean[0];
	r->center[1] = 0.5 * bottom - r->focal * mean[1];
	return DS_OK;
}

// cv2.fisheye.stereoRectify with balance 0, for lenses of fx = fy: the focal length at which the nearest of the edges' middles, on its
// side of their mean, is at an edge of the new image, and their mean in its middle; the smaller and the mean of both cameras.
static ds_status choose_fisheye( const ds_stereo *s, ds_rectification *r )
{
	r->focal = INFINITY;
	r->center[0] = r->center[1] = 0;
	for ( int camera = 0; camera < 2; ++camera )
	{
		const ds_lens *l = &s->lens[camera];
		const double size[2] = { (double)l->width, (double)l->height };
		const double half[2] = { (double)( l->width / 2 ), (double)( l->height / 2 ) }; // whole pixels, as OpenCV's
		const double pixels[4][2] = { { half[0], 0 }, { size[0], half[1] }, { half[0], size[1] }, { 0, half[1] } };
		double points[4][2], focal = 0, mean[2] = { 0, 0 };
		for ( int i = 0; i < 4; ++i )
		{
			DS_TRY( rectified_point( s, r, camera, pixels[i][0], pixels[i][1], points[i] ) );
			mean[0] += 0.25 * points[i][0];
			mean[1] += 0.25 * points[i][1];
		}
		for ( int k = 0; k < 2; ++k )
		{
			double low = INFINITY, high = -INFINITY;
			for ( int i = 0; i < 4; ++i )
			{
				low = fmin( low, points[i][k] );
				high = fmax( high, points[i][k] );
			}
			focal = fmax( focal, 0.5 * size[k] / fmin( mean[k] - low, high - mean[k] ) );
		}
		r->focal = fmin( r->focal, focal );
		r->center[0] += 0.5 * ( 0.5 * size[0] - focal * mean[0] );
		r->center[1] += 0.5 * ( 0.5 * size[1] - focal * mean[1] );
	}
	return DS_OK;
}

static void fill( ds_rectification *r )
{
	double f = r->focal, cx = r->center[0], cy = r->center[1];
	for ( int i = 0; i < 2; ++i )
	{
		const double p[3][4] = { { f, 0, cx, 0 }, { 0, f, cy, 0 }, { 0, 0, 1, 0 } };
		memcpy( r->projection[i], p, sizeof( p ) );
	}
	r->projection[1][r->vertical ? 1 : 0][3] = -f * r->baseline;
	const double q[4][4] = { { 1, 0, 0, -cx }, { 0, 1, 0, -cy }, { 0, 0, 0, f }, { 0, 0, 1 / r->baseline, 0 } };
	memcpy( r->q, q, sizeof( q ) );
}

ds_status ds_stereo_rectify( const ds_stereo *stereo, ds_rectification *rectification )
{
	if ( stereo == NULL || rectification == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_stereo_rectify: stereo and rectification must not be NULL" );
	}
	memset( rectification, 0, sizeof( *rectification ) );
	const ds_lens *a = &stereo->lens[0], *b = &stereo->lens[1];
	if ( a->model != b->model )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"camera %d is a fisheye and the other one rectilinear: only pairs of the same model are rectified",
			a->model == DS_LENS_FISHEYE ? 0 : 1 );
	}
	if ( a->width != b->width || a->height != b->height )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"the images are %lld x %lld and %lld x %lld px: only pairs of the same size are rectified",
			(long long)a->width, (long long)a->height, (long long)b->width, (long long)b->height );
	}
	ds_rectification r;
	memset( &r, 0, sizeof( r ) );
	turn( stereo, &r );
	DS_TRY( a->model == DS_LENS_FISHEYE ? choose_fisheye( stereo, &r ) : choose_rectilinear( stereo, &r ) );
	fill( &r );
	*rectification = r;
	return DS_OK;
}

// ---- distances -----------------------------------------------------------------------------------------------------

double ds_stereo_disparity( const ds_rectification *r, double distance )
{
	return distance == 0 ? INFINITY : r->focal * r->baseline / distance;
}

double ds_stereo_distance( const ds_rectification *r, double disparity )
{
	return disparity == 0 ? INFINITY : r->focal * r->baseline / disparity;
}

double ds_stereo_resolution( const ds_rectification *r, double distance, double disparity )
{
	return distance * distance / ( r->focal * fabs( r->baseline ) ) * disparity;
}

double ds_stereo_overlap( const ds_stereo *s, double distance )
{
	const ds_lens *a = &s->lens[0], *b = &s->lens[1];
	int64_t seen = 0;
	for ( int i = 0; i < OVERLAP_SIDE * OVERLAP_SIDE; ++i )
	{
		double u = ( i % OVERLAP_SIDE + 0.5 ) / OVERLAP_SIDE * (double)a->width - 0.5;
		double v = ( i / OVERLAP_SIDE + 0.5 ) / OVERLAP_SIDE * (double)a->height - 0.5, pixel[2];
		ds_vec3 d;
		if ( ds_lens_ray( a, u, v, &d ) != DS_OK || !( d.z > 1e-9 ) )
		{
			continue;
		}
		ds_vec3 point = ds_add( ds_mat3_mul_vec( &s->rotation, ds_scale( distance / d.z, d ) ), s->translation );
		seen += ds_lens_project( b, point, pixel ) == DS_OK && pixel[0] >= -0.5 && pixel[0] <= (double)b->width - 0.5 &&
				pixel[1] >= -0.5 && pixel[1] <= (double)b->height - 0.5;
	}
	return (double)seen / ( OVERLAP_SIDE * OVERLAP_SIDE );
}

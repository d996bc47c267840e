// libdeepsim: small vector algebra, inline, over the types of deepsim/types.h.

#ifndef DEEPSIM_MATH_H
#define DEEPSIM_MATH_H

#include "deepsim/types.h"

#include <math.h>

#define DS_PI 3.14159265358979323846

static inline ds_vec3 ds_v3( double x, double y, double z )
{
	ds_vec3 v = { x, y, z };
	return v;
}

static inline ds_vec3 ds_add( ds_vec3 a, ds_vec3 b )
{
	return ds_v3( a.x + b.x, a.y + b.y, a.z + b.z );
}

static inline ds_vec3 ds_sub( ds_vec3 a, ds_vec3 b )
{
	return ds_v3( a.x - b.x, a.y - b.y, a.z - b.z );
}

static inline ds_vec3 ds_scale( double s, ds_vec3 a )
{
	return ds_v3( s * a.x, s * a.y, s * a.z );
}

// a + s b
static inline ds_vec3 ds_mad( ds_vec3 a, double s, ds_vec3 b )
{
	return ds_v3( a.x + s * b.x, a.y + s * b.y, a.z + s * b.z );
}

static inline double ds_dot( ds_vec3 a, ds_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ds_vec3 ds_cross( ds_vec3 a, ds_vec3 b )
{
	return ds_v3( a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x );
}

static inline double ds_length( ds_vec3 a )
{
	return sqrt( ds_dot( a, a ) );
}

static inline bool ds_finite( ds_vec3 a )
{
	return isfinite( a.x ) && isfinite( a.y ) && isfinite( a.z );
}

static inline ds_quat ds_quat_identity( void )
{
	ds_quat q = { 1, 0, 0, 0 };
	return q;
}

static inline ds_quat ds_quat_conjugate( ds_quat q )
{
	ds_quat r = { q.w, -q.x, -q.y, -q.z };
	return r;
}

// Hamilton product: the rotation b, then the rotation a.
static inline ds_quat ds_quat_mul( ds_quat a, ds_quat b )
{
	ds_quat r;
	r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
	r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
	r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
	r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
	return r;
}

// The unit quaternion along q; identity if q is zero.
static inline ds_quat ds_quat_normalize( ds_quat q )
{
	double n = sqrt( q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z );
	if ( !( n > 0 ) )
	{
		return ds_quat_identity();
	}
	ds_quat r = { q.w / n, q.x / n, q.y / n, q.z / n };
	return r;
}

// Turns a body vector into the parent frame.
static inline ds_vec3 ds_rotate( ds_quat q, ds_vec3 v )
{
	ds_vec3 u = ds_v3( q.x, q.y, q.z );
	ds_vec3 t = ds_scale( 2, ds_cross( u, v ) );
	return ds_add( ds_mad( v, q.w, t ), ds_cross( u, t ) );
}

// Turns a vector of the parent frame into the body frame.
static inline ds_vec3 ds_unrotate( ds_quat q, ds_vec3 v )
{
	return ds_rotate( ds_quat_conjugate( q ), v );
}

// The rotation matrix of a unit quaternion, body to parent.
static inline ds_mat3 ds_mat3_from_quat( ds_quat q )
{
	ds_mat3 r;
	r.m[0][0] = 1 - 2 * ( q.y * q.y + q.z * q.z );
	r.m[0][1] = 2 * ( q.x * q.y - q.w * q.z );
	r.m[0][2] = 2 * ( q.x * q.z + q.w * q.y );
	r.m[1][0] = 2 * ( q.x * q.y + q.w * q.z );
	r.m[1][1] = 1 - 2 * ( q.x * q.x + q.z * q.z );
	r.m[1][2] = 2 * ( q.y * q.z - q.w * q.x );
	r.m[2][0] = 2 * ( q.x * q.z - q.w * q.y );
	r.m[2][1] = 2 * ( q.y * q.z + q.w * q.x );
	r.m[2][2] = 1 - 2 * ( q.x * q.x + q.y * q.y );
	return r;
}

static inline ds_vec3 ds_mat3_mul_vec( const ds_mat3 *a, ds_vec3 v )
{
	return ds_v3( a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
		a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
		a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z );
}

// Transposed matrix times vector.
static inline ds_vec3 ds_mat3_tmul_vec( const ds_mat3 *a, ds_vec3 v )
{
	return ds_v3( a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
		a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
		a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z );
}

// Quaternion of roll, pitch, yaw [rad], applied in the order yaw, pitch, roll about moving axes (ZYX).
static inline ds_quat ds_quat_from_rpy( ds_vec3 rpy )
{
	double cr = cos( 0.5 * rpy.x ), sr = sin( 0.5 * rpy.x );
	double cp = cos( 0.5 * rpy.y ), sp = sin( 0.5 * rpy.y );
	double cy = cos( 0.5 * rpy.z ), sy = sin( 0.5 * rpy.z );
	ds_quat q = { cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
		cr * cp * sy - sr * sp * cy };
	return q;
}

// Roll, pitch, yaw [rad] (ZYX) of a unit quaternion; at pitch +-90 degrees roll is 0 and yaw takes the whole turn.
static inline ds_vec3 ds_quat_to_rpy( ds_quat q )
{
	double sp = 2 * ( q.w * q.y - q.z * q.x );
	double r11 = 1 - 2 * ( q.y * q.y + q.z * q.z ), r21 = 2 * ( q.x * q.y + q.w * q.z );
	double r32 = 2 * ( q.y * q.z + q.w * q.x ), r33 = 1 - 2 * ( q.x * q.x + q.y * q.y );
	double cp = sqrt( r11 * r11 + r21 * r21 );
	if ( cp < 1e-9 )
	{
		double r12 = 2 * ( q.x * q.y - q.w * q.z ), r22 = 1 - 2 * ( q.x * q.x + q.z * q.z );
		return ds_v3( 0, sp > 0 ? 0.5 * DS_PI : -0.5 * DS_PI, atan2( -r12, r22 ) );
	}
	return ds_v3( atan2( r32, r33 ), atan2( sp, cp ), atan2( r21, r11 ) );
}

// Quaternion of a rotation vector (axis times angle [rad]).
static inline ds_quat ds_quat_exp( ds_vec3 v )
{
	double angle = ds_length( v ), half = 0.5 * angle;
	double s = angle > 1e-8 ? sin( half ) / angle : 0.5 - angle * angle / 48;
	ds_quat q = { cos( half ), s * v.x, s * v.y, s * v.z };
	return q;
}

// Rotation vector (axis times angle [rad], angle in [0, pi]) of a unit quaternion.
static inline ds_vec3 ds_quat_log( ds_quat q )
{
	ds_vec3 u = q.w < 0 ? ds_v3( -q.x, -q.y, -q.z ) : ds_v3( q.x, q.y, q.z );
	double s2 = ds_dot( u, u ), c = fabs( q.w ), t = s2 / ( c * c );
	if ( t < 2.5e-3 ) // tangent of half the angle, squared
	{
		// 2 atan( x ) / x to the last bit
		double p = 1 + t * ( -1.0 / 3 + t * ( 1.0 / 5 + t * ( -1.0 / 7 + t * ( 1.0 / 9 - t * ( 1.0 / 11 ) ) ) ) );
		return ds_scale( 2 * p / c, u );
	}
	double s = sqrt( s2 );
	double k = s > 1e-8 ? 2 * atan2( s, c ) / s : 2;
	return ds_scale( k, u );
}

static inline ds_pose ds_pose_identity( void )
{
	ds_pose p = { { 0, 0, 0 }, { 1, 0, 0, 0 } };
	return p;
}

// A pose b given in the frame a, seen from a's parent.
static inline ds_pose ds_pose_mul( ds_pose a, ds_pose b )
{
	ds_pose r = { ds_add( a.position, ds_rotate( a.attitude, b.position ) ), ds_quat_mul( a.attitude, b.attitude ) };
	return r;
}

// A point of the frame `p`, seen from its parent.
static inline ds_vec3 ds_pose_point( ds_pose p, ds_vec3 point )
{
	return ds_add( p.position, ds_rotate( p.attitude, point ) );
}

#endif

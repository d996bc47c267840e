#include "deepsim/frames.h"

#include "deepsim/math.h"

// R_e = P R_n Q with P = [ 0 1 0; 1 0 0; 0 0 -1 ] (NED to ENU) and Q = diag( 1, -1, -1 ) (FLU to FRD). Both are half turns
// and their own inverses, so one formula serves both directions.

static ds_vec3 swap_world( ds_vec3 v )
{
	return ds_v3( v.y, v.x, -v.z );
}

static ds_vec3 swap_body( ds_vec3 v )
{
	return ds_v3( v.x, -v.y, -v.z );
}

// The quaternion product p q o with p = ( 0, 1, 1, 0 ) / sqrt( 2 ) and o = ( 0, 1, 0, 0 ), multiplied out, with w >= 0.
static ds_quat swap_attitude( ds_quat q )
{
	double s = sqrt( 0.5 );
	if ( q.w + q.z < 0 )
	{
		s = -s;
	}
	ds_quat r = { s * ( q.w + q.z ), s * ( q.x + q.y ), s * ( q.x - q.y ), s * ( q.w - q.z ) };
	return r;
}

static ds_pose swap_pose( ds_pose pose )
{
	ds_pose r = { swap_world( pose.position ), swap_attitude( pose.attitude ) };
	return r;
}

ds_vec3 ds_enu_from_ned( ds_vec3 v )
{
	return swap_world( v );
}

ds_vec3 ds_ned_from_enu( ds_vec3 v )
{
	return swap_world( v );
}

ds_vec3 ds_flu_from_frd( ds_vec3 v )
{
	return swap_body( v );
}

ds_vec3 ds_frd_from_flu( ds_vec3 v )
{
	return swap_body( v );
}

ds_quat ds_enu_flu_from_ned_frd( ds_quat q )
{
	return swap_attitude( q );
}

ds_quat ds_ned_frd_from_enu_flu( ds_quat q )
{
	return swap_attitude( q );
}

ds_pose ds_pose_enu_from_ned( ds_pose pose )
{
	return swap_pose( pose );
}

ds_pose ds_pose_ned_from_enu( ds_pose pose )
{
	return swap_pose( pose );
}

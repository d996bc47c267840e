// Joints: rows of a Jacobian for fixed, hinge, slider and ball, their limits and motors.
//
// Rows are taken at the poses of the middle of the step, by the velocities now, and ask that the joint holds at its end:
// with poses moved by mean velocities, swinging bodies then neither gain nor lose energy to the joint, and their angular
// momentum is kept. Linear rows act at the origin of b's frame for both bodies. The error of the start is taken away in part.

#include "bullet/bullet_internal.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

// Part of a joint's error that one step takes away. Core moves poses by mean velocities, for which parts above 0.34 ring.
static const double JOINT_ERP = 0.2;

// Where the two frames of a joint are.
struct Frames
{
	ds_pose a, b; // of the bodies, from an origin near them
	btTransform frame_a, frame_b;
};

static btVector3 relative( const btVector3 &p, const ds_pose &pose )
{
	return p - to_bt( pose.position );
}

// A pose after `dt` seconds of a steady velocity.
static ds_pose advanced( const ds_pose &pose, const ds_twist &v, double dt )
{
	btVector3 turn = to_bt( v.angular ) * dt;
	double angle = turn.length(), s = angle > 1e-8 ? std::sin( 0.5 * angle ) / angle : 0.5 - angle * angle / 48;
	btQuaternion step( turn.x() * s, turn.y() * s, turn.z() * s, std::cos( 0.5 * angle ) );
	const ds_quat &q = pose.attitude;
	btQuaternion r = step * btQuaternion( q.x, q.y, q.z, q.w );
	btVector3 position = to_bt( pose.position ) + to_bt( v.linear ) * dt;
	ds_pose result = { to_ds( position ), { r.w(), r.x(), r.y(), r.z() } };
	return result;
}

// A body's pose (the world's: NULL) after `dt` seconds, its position counted from `origin`.
static ds_pose pose_from( const Body *body, const btVector3 &origin, double dt )
{
	ds_pose pose = { { 0, 0, 0 }, { 1, 0, 0, 0 } };
	pose = body ? body->pose : pose;
	pose.position = to_ds( to_bt( pose.position ) - origin );
	return body && !body->is_static ? advanced( pose, body->now, dt ) : pose;
}

// Near the joint, so that a joint far from the world's origin is as exact as one near it.
static btVector3 origin_of( const Joint &joint )
{
	return to_bt( joint.a ? joint.a->pose.position : joint.b->pose.position );
}

static Frames frames_of( const Joint &joint, double dt )
{
	Frames f;
	btVector3 origin = origin_of( joint );
	f.a = pose_from( joint.a, origin, dt );
	f.b = pose_from( joint.b, origin, dt );
	f.frame_a = to_bt( f.a ) * to_bt( joint.def.frame_a );
	f.frame_b = to_bt( f.b ) * to_bt( joint.def.frame_b );
	return f;
}

static void set( Vector6 &v, const btVector3 &linear, const btVector3 &angular )
{
	v = { linear.x(), linear.y(), linear.z(), angular.x(), angular.y(), angular.z() };
}

static void linear_row( const Frames &f, const btVector3 &axis, Vector6 &a, Vector6 &b )
{
	const btVector3 &point = f.frame_b.getOrigin();
	set( a, -axis, -relative( point, f.a ).cross( axis ) );
	set( b, axis, relative( point, f.b ).cross( axis ) );
}

static void angular_row( const btVector3 &axis, Vector6 &a, Vector6 &b )
{
	set( a, btVector3( 0, 0, 0 ), -axis );
	set( b, btVector3( 0, 0, 0 ), axis );
}

// The Jacobians of the locked rows, and of the free axis of a hinge or slider after them; the number of locked ones.
static int jacobian( dsb_joint_kind kind, const Frames &f, Vector6 *a, Vector6 *b )
{
	const btMatrix3x3 &basis = f.frame_a.getBasis();
	int n = 0;
	for ( int k = kind == DSB_JOINT_SLIDER ? 1 : 0; k < 3; ++k, ++n )
	{
		linear_row( f, basis.getColumn( k ), a[n], b[n] );
	}
	for ( int k = kind == DSB_JOINT_HINGE ? 1 : 0; k < 3 && kind != DSB_JOINT_BALL; ++k, ++n )
	{
		angular_row( basis.getColumn( k ), a[n], b[n] );
	}
	if ( kind == DSB_JOINT_HINGE )
	{
		angular_row( basis.getColumn( 0 ), a[n], b[n] );
	}
	if ( kind == DSB_JOINT_SLIDER )
	{
		linear_row( f, basis.getColumn( 0 ), a[n], b[n] );
	}
	return n;
}

// The rotation vector from frame a to frame b in frame a's axes; for a hinge, only how far the x axes part.
static btVector3 angular_error( dsb_joint_kind kind, const Frames &f )
{
	btMatrix3x3 turn = f.frame_a.getBasis().transposeTimes( f.frame_b.getBasis() );
	if ( kind == DSB_JOINT_HINGE )
	{
		return btVector3( 1, 0, 0 ).cross( turn.getColumn( 0 ) );
	}
	btQuaternion q;
	turn.getRotation( q );
	btVector3 u( q.x(), q.y(), q.z() );
	u *= q.w() < 0 ? -1 : 1;
	double s = u.length();
	return s > 1e-8 ? u * ( 2 * std::atan2( s, std::fabs( q.w() ) ) / s ) : u * 2.0;
}

// The errors of the locked rows, in their order.
static void errors( dsb_joint_kind kind, const Frames &f, double *error )
{
	btVector3 gap = f.frame_a.getBasis().transpose() * ( f.frame_b.getOrigin() - f.frame_a.getOrigin() );
	btVector3 turn = angular_error( kind, f );
	int n = 0;
	for ( int k = kind == DSB_JOINT_SLIDER ? 1 : 0; k < 3; ++k )
	{
		error[n++] = gap[k];
	}
	for ( int k = kind == DSB_JOINT_HINGE ? 1 : 0; k < 3 && kind != DSB_JOINT_BALL; ++k )
	{
		error[n++] = turn[k];
	}
}

static double dot( const Vector6 &j, const Body *body )
{
	if ( !body || body->is_static )
	{
		return 0;
	}
	Vector6 v = to_vector6( body->now );
	double sum = 0;
	for ( size_t i = 0; i < 6; ++i )
	{
		sum += j[i] * v[i];
	}
	return sum;
}

Joint::Joint( const dsb_joint_def &definition, Body *body_a, Body *body_b, btRigidBody &rigid_a, btRigidBody &rigid_b )
	: btTypedConstraint( MAX_CONSTRAINT_TYPE, rigid_a, rigid_b ), def( definition ), a( body_a ), b( body_b )
{
}

double Joint::position() const
{
	Frames f = frames_of( *this, 0 );
	const btMatrix3x3 &basis = f.frame_a.getBasis();
	if ( def.kind == DSB_JOINT_HINGE )
	{
		btVector3 y = f.frame_b.getBasis().getColumn( 1 );
		return std::atan2( y.dot( basis.getColumn( 2 ) ), y.dot( basis.getColumn( 1 ) ) );
	}
	if ( def.kind == DSB_JOINT_SLIDER )
	{
		return basis.getColumn( 0 ).dot( f.frame_b.getOrigin() - f.frame_a.getOrigin() );
	}
	return 0;
}

double Joint::rate() const
{
	if ( def.kind != DSB_JOINT_HINGE && def.kind != DSB_JOINT_SLIDER )
	{
		return 0;
	}
	Vector6 ja[7], jb[7];
	int n = jacobian( def.kind, frames_of( *this, 0 ), ja, jb );
	return dot( ja[n], a ) + dot( jb[n], b );
}

// The rate that a motor wants.
static double motor_rate( const Joint &joint, double position, double dt )
{
	const dsb_motor &motor = joint.motor;
	if ( motor.mode == DSB_MOTOR_VELOCITY )
	{
		return motor.target;
	}
	double way = motor.target - position;
	if ( joint.def.kind == DSB_JOINT_HINGE && !joint.def.limited )
	{
		way = std::remainder( way, 2 * SIMD_PI );
	}
	double wanted = std::min( motor.gain, 1 / dt ) * way;
	return std::max( -motor.max_velocity, std::min( motor.max_velocity, wanted ) );
}

void Joint::make_rows( double dt )
{
	Frames now = frames_of( *this, 0 ), middle = frames_of( *this, 0.5 * dt ), next = frames_of( *this, dt );
	Vector6 ja[7], jb[7], ja_next[7], jb_next[7];
	double error[6];
	int locked = jacobian( def.kind, middle, ja, jb );
	jacobian( def.kind, next, ja_next, jb_next );
	errors( def.kind, now, error );
	auto turning = [&]( int i ) {
		return dot( ja_next[i], a ) + dot( jb_next[i], b ) - dot( ja[i], a ) - dot( jb[i], b );
	};
	for ( int i = 0; i < locked; ++i )
	{
		double target = -JOINT_ERP * error[i] / dt - turning( i );
		rows[(size_t)i] = { ja[i], jb[i], target, -SIMD_INFINITY, SIMD_INFINITY };
	}
	row_count = locked;
	if ( def.kind != DSB_JOINT_HINGE && def.kind != DSB_JOINT_SLIDER )
	{
		return;
	}

	// Motor, and limits: what is far from a stop may come up to it in this step, what is past it is brought back.
	double at = position(), bias = turning( locked );
	auto free_row = [&]( double target, double lower, double upper ) {
		rows[(size_t)row_count++] = { ja[locked], jb[locked], target, lower, upper };
	};
	if ( motor.mode != DSB_MOTOR_OFF )
	{
		free_row( motor_rate( *this, at, dt ) - bias, -motor.max_force * dt, motor.max_force * dt );
	}
	if ( def.limited )
	{
		auto stop = [&]( double way, double inside ) { return ( inside > 0 ? way : JOINT_ERP * way ) / dt - bias; };
		free_row( stop( def.lower - at, at - def.lower ), 0, SIMD_INFINITY );
		free_row( stop( def.upper - at, def.upper - at ), -SIMD_INFINITY, 0 );
	}
}

void Joint::set_reaction( const Body &body, bool on_b, const Vector6 &impulse, double step )
{
	Frames f = frames_of( *this, 0.5 * step );
	double sign = ( on_b ? 1 : -1 ) / step;
	btVector3 force = btVector3( impulse[0], impulse[1], impulse[2] ) * sign;
	btVector3 torque = btVector3( impulse[3], impulse[4], impulse[5] ) * sign;
	btVector3 arm = relative( f.frame_b.getOrigin(), &body == a ? f.a : f.b );
	reaction.force = to_ds( force );
	reaction.torque = to_ds( torque - arm.cross( force ) );
}

void Joint::getInfo1( btConstraintInfo1 *info )
{
	info->m_numConstraintRows = row_count;
	info->nub = 0;
}

void Joint::getInfo2( btConstraintInfo2 *info )
{
	for ( int i = 0; i < row_count; ++i )
	{
		const Row &row = rows[(size_t)i];
		int at = i * info->rowskip;
		for ( int k = 0; k < 3; ++k )
		{
			info->m_J1linearAxis[at + k] = row.a[(size_t)k];
			info->m_J1angularAxis[at + k] = row.a[(size_t)k + 3];
			info->m_J2linearAxis[at + k] = row.b[(size_t)k];
			info->m_J2angularAxis[at + k] = row.b[(size_t)k + 3];
		}
		info->m_constraintError[at] = row.target;
		info->m_lowerLimit[at] = row.lower;
		info->m_upperLimit[at] = row.upper;
	}
}

void Joint::setParam( int, btScalar, int )
{
}

btScalar Joint::getParam( int, int ) const
{
	return 0;
}

} // namespace dsb

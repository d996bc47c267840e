// Contacts and joints with the whole 6x6 mass of each body, by Bullet's sequential impulses.
//
// Bullet's rows know a scalar mass and an inertia. They are changed to coordinates in which every body has the unit mass:
// with M = L L^T and y = L^T v, a row J v becomes J' y, J' = J L^-T, and its effective mass 1 / (J M^-1 J^T) becomes
// 1 / |J'|^2. The rows of one joint that have no limits are replaced by orthonormal ones, so that a joint alone is solved
// exactly in one sweep. Changes of y are turned back by L^-T.

#include "bullet/bullet_internal.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

// Part of an overlap that one step takes away, by a correction of the pose.
static const double CONTACT_ERP = 0.2;

// Slower approach than this [m/s] does not bounce.
static const double BOUNCE_SPEED = 0.01;

// A joint's row whose part that is independent of the others is smaller than this (squared) is left out.
static const double INDEPENDENT = 1e-14;

bool factorize( const ds_mat6 &mass, double factor[6][6] )
{
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j <= i; ++j )
		{
			double sum = mass.m[i][j];
			for ( int k = 0; k < j; ++k )
			{
				sum -= factor[i][k] * factor[j][k];
			}
			if ( i != j )
			{
				factor[i][j] = sum / factor[j][j];
			}
			else if ( sum > 0 && std::isfinite( sum ) )
			{
				factor[i][i] = std::sqrt( sum );
			}
			else
			{
				return false;
			}
		}
	}
	return true;
}

Vector6 solve_forward( const double factor[6][6], const Vector6 &r )
{
	Vector6 x{};
	for ( size_t i = 0; i < 6; ++i )
	{
		double sum = r[i];
		for ( size_t k = 0; k < i; ++k )
		{
			sum -= factor[i][k] * x[k];
		}
		x[i] = sum / factor[i][i];
	}
	return x;
}

Vector6 solve_backward( const double factor[6][6], const Vector6 &r )
{
	Vector6 x{};
	for ( size_t i = 6; i-- > 0; )
	{
		double sum = r[i];
		for ( size_t k = i + 1; k < 6; ++k )
		{
			sum -= factor[k][i] * x[k];
		}
		x[i] = sum / factor[i][i];
	}
	return x;
}

Vector6 multiply( const double factor[6][6], const Vector6 &x )
{
	Vector6 r{};
	for ( size_t i = 0; i < 6; ++i )
	{
		for ( size_t k = 0; k <= i; ++k )
		{
			r[i] += factor[i][k] * x[k];
		}
	}
	return r;
}

// L^T v: a velocity in the coordinates of unit mass.
static Vector6 whitened( const double factor[6][6], const ds_twist &twist )
{
	Vector6 v = to_vector6( twist ), y{};
	for ( size_t i = 0; i < 6; ++i )
	{
		for ( size_t k = i; k < 6; ++k )
		{
			y[i] += factor[k][i] * v[k];
		}
	}
	return y;
}

Vector6 to_vector6( const ds_twist &t )
{
	return { t.linear.x, t.linear.y, t.linear.z, t.angular.x, t.angular.y, t.angular.z };
}

static Vector6 pack( const btVector3 &linear, const btVector3 &angular )
{
	return { linear.x(), linear.y(), linear.z(), angular.x(), angular.y(), angular.z() };
}

static btVector3 linear_of( const Vector6 &v )
{
	return btVector3( v[0], v[1], v[2] );
}

static btVector3 angular_of( const Vector6 &v )
{
	return btVector3( v[3], v[4], v[5] );
}

// J'a . ya + J'b . yb
static double row_dot( const btSolverConstraint &row, const Vector6 &a, const Vector6 &b )
{
	return row.m_contactNormal1.dot( linear_of( a ) ) + row.m_relpos1CrossNormal.dot( angular_of( a ) ) +
		   row.m_contactNormal2.dot( linear_of( b ) ) + row.m_relpos2CrossNormal.dot( angular_of( b ) );
}

static double row_dot( const btSolverConstraint &p, const btSolverConstraint &q )
{
	return row_dot(
		p, pack( q.m_contactNormal1, q.m_relpos1CrossNormal ), pack( q.m_contactNormal2, q.m_relpos2CrossNormal ) );
}

static void apply( btSolverBody &a, btSolverBody &b, const btSolverConstraint &row, double impulse )
{
	a.internalApplyImpulse( row.m_contactNormal1, row.m_angularComponentA, impulse );
	b.internalApplyImpulse( row.m_contactNormal2, row.m_angularComponentB, impulse );
}

// NULL for what does not move.
Body *Solver::body_of( int solver_body )
{
	btRigidBody *rigid = m_tmpSolverBodyPool[solver_body].m_originalBody;
	return rigid ? static_cast<Body *>( rigid->getUserPointer() ) : nullptr;
}

void Solver::set_row( btSolverConstraint &row, const Vector6 &ja, const Vector6 &jb )
{
	row.m_contactNormal1 = linear_of( ja );
	row.m_relpos1CrossNormal = row.m_angularComponentA = angular_of( ja );
	row.m_contactNormal2 = linear_of( jb );
	row.m_relpos2CrossNormal = row.m_angularComponentB = angular_of( jb );
	double square = row_dot( row, row );
	row.m_jacDiagABInv = square > 0 ? 1 / square : 0;
	row.m_cfm = 0;
	row.m_appliedImpulse = row.m_appliedPushImpulse = 0;
	row.m_rhsPenetration = 0;
}

// A row of Bullet's in the coordinates of unit mass.
void Solver::whiten( btSolverConstraint &row )
{
	Vector6 ja{}, jb{};
	if ( const Body *a = body_of( row.m_solverBodyIdA ) )
	{
		ja = solve_forward( a->factor, pack( row.m_contactNormal1, row.m_relpos1CrossNormal ) );
	}
	if ( const Body *b = body_of( row.m_solverBodyIdB ) )
	{
		jb = solve_forward( b->factor, pack( row.m_contactNormal2, row.m_relpos2CrossNormal ) );
	}
	set_row( row, ja, jb );
}

// The row's rate by the bodies' velocities now, or by the predicted ones plus what is solved so far.
double Solver::row_rate( const btSolverConstraint &row, bool predicted, bool solved )
{
	Vector6 y[2]{};
	int ids[2] = { row.m_solverBodyIdA, row.m_solverBodyIdB };
	for ( int k = 0; k < 2; ++k )
	{
		if ( const Body *body = body_of( ids[k] ) )
		{
			y[k] = whitened( body->factor, predicted ? body->predicted : body->now );
			const btSolverBody &s = m_tmpSolverBodyPool[ids[k]];
			Vector6 change = pack( s.m_deltaLinearVelocity, s.m_deltaAngularVelocity );
			for ( size_t i = 0; i < 6 && solved; ++i )
			{
				y[k][i] += change[i];
			}
		}
	}
	return row_dot( row, y[0], y[1] );
}

// Gram-Schmidt over the unlimited rows, which come first; the limited ones are freed of them, keeping their own impulses.
void Solver::orthogonalize( int first, int count )
{
	btConstraintArray &rows = m_tmpSolverNonContactConstraintPool;
	for ( int i = first; i < first + count; ++i )
	{
		btSolverConstraint &row = rows[i];
		bool limited = row.m_lowerLimit > -SIMD_INFINITY || row.m_upperLimit < SIMD_INFINITY;
		double before = row_dot( row, row ), wanted = row.m_rhs;
		Vector6 ja = pack( row.m_contactNormal1, row.m_relpos1CrossNormal );
		Vector6 jb = pack( row.m_contactNormal2, row.m_relpos2CrossNormal );
		// Twice, for rounding.
		for ( int pass = 0; pass < 2; ++pass )
		{
			for ( int k = first; k < i; ++k )
			{
				const btSolverConstraint &q = rows[k];
				if ( q.m_lowerLimit > -SIMD_INFINITY || q.m_upperLimit < SIMD_INFINITY || q.m_jacDiagABInv == 0 )
				{
					continue;
				}
				double part = row_dot( q, ja, jb );
				Vector6 qa = pack( q.m_contactNormal1, q.m_relpos1CrossNormal );
				Vector6 qb = pack( q.m_contactNormal2, q.m_relpos2CrossNormal );
				for ( size_t c = 0; c < 6; ++c )
				{
					ja[c] -= part * qa[c];
					jb[c] -= part * qb[c];
				}
				wanted -= part * q.m_rhs;
			}
		}
		set_row( row, ja, jb );
		double square = row_dot( row, row );
		if ( !( square > INDEPENDENT * before ) )
		{
			set_row( row, Vector6{}, Vector6{} );
			row.m_rhs = 0;
			continue;
		}
		double scale = limited ? 1 : 1 / std::sqrt( square );
		for ( size_t c = 0; c < 6; ++c )
		{
			ja[c] *= scale;
			jb[c] *= scale;
		}
		set_row( row, ja, jb );
		row.m_rhs = limited ? wanted * row.m_jacDiagABInv : wanted * scale;
		row.m_jacDiagABInv = limited ? row.m_jacDiagABInv : 1;
	}
}

void Solver::prepare_joints()
{
	for ( size_t j = 0; j < m_joints.size(); ++j )
	{
		for ( int i = m_joint_rows[j]; i < m_joint_rows[j + 1]; ++i )
		{
			btSolverConstraint &row = m_tmpSolverNonContactConstraintPool[i];
			whiten( row );
			row.m_rhs = m_joints[j]->rows[(size_t)( i - m_joint_rows[j] )].target - row_rate( row, true, false );
		}
		orthogonalize( m_joint_rows[j], m_joint_rows[j + 1] - m_joint_rows[j] );
	}
}

// A contact may close its gap in the step, and no more; what would touch within it, and bounces, leaves at once.
void Solver::prepare_contacts()
{
	for ( int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i )
	{
		btSolverConstraint &row = m_tmpSolverContactConstraintPool[i];
		const btManifoldPoint &point = *static_cast<const btManifoldPoint *>( row.m_originalContactPoint );
		whiten( row );
		double gap = point.getDistance(), approach = -row_rate( row, false, false );
		double target = gap > 0 ? -gap / dt : 0;
		if ( point.m_combinedRestitution > 0 && approach > BOUNCE_SPEED && gap < approach * dt )
		{
			target = point.m_combinedRestitution * approach;
		}
		row.m_rhs = ( target - row_rate( row, true, false ) ) * row.m_jacDiagABInv;
		row.m_lowerLimit = 0;
		row.m_upperLimit = SIMD_INFINITY;
	}
	for ( btConstraintArray *pool :
		{ &m_tmpSolverContactFrictionConstraintPool, &m_tmpSolverContactRollingFrictionConstraintPool } )
	{
		for ( int i = 0; i < pool->size(); ++i )
		{
			btSolverConstraint &row = ( *pool )[i];
			whiten( row );
			row.m_rhs = -row_rate( row, true, false ) * row.m_jacDiagABInv;
			row.m_lowerLimit = -SIMD_INFINITY;
			row.m_upperLimit = SIMD_INFINITY;
		}
	}
}

btScalar Solver::solveGroupCacheFriendlySetup( btCollisionObject **bodies, int body_count,
	btPersistentManifold **manifolds, int manifold_count, btTypedConstraint **constraints, int constraint_count,
	const btContactSolverInfo &info, btIDebugDraw *drawer )
{
	btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
		bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer );
	for ( int i = 0; i < m_tmpSolverBodyPool.size(); ++i )
	{
		m_tmpSolverBodyPool[i].internalSetInvMass( btVector3( 1, 1, 1 ) );
	}
	m_joints.clear();
	m_joint_rows.assign( 1, 0 );
	for ( int j = 0; j < constraint_count; ++j )
	{
		m_joints.push_back( static_cast<Joint *>( constraints[j] ) );
		m_joint_rows.push_back( m_joint_rows.back() + m_tmpConstraintSizesPool[j].m_numConstraintRows );
	}
	prepare_joints();
	prepare_contacts();
	return 0;
}

// Two friction rows of one contact, whose impulse stays within a circle: the two are solved together, and if that leaves the
// circle, the impulse goes against the sliding, as far as the stiffer direction allows, and back to the circle. Where it
// stays, it opposes the sliding. Returns the greatest change of rate.
double Solver::solve_pair( btSolverConstraint &first, btSolverConstraint &second, double limit )
{
	if ( first.m_jacDiagABInv == 0 || second.m_jacDiagABInv == 0 )
	{
		return 0;
	}
	btSolverBody &a = m_tmpSolverBodyPool[first.m_solverBodyIdA], &b = m_tmpSolverBodyPool[first.m_solverBodyIdB];
	Vector6 ya = pack( a.m_deltaLinearVelocity, a.m_deltaAngularVelocity );
	Vector6 yb = pack( b.m_deltaLinearVelocity, b.m_deltaAngularVelocity );
	double k11 = 1 / first.m_jacDiagABInv, k22 = 1 / second.m_jacDiagABInv, k12 = row_dot( first, second );
	double slip1 = row_dot( first, ya, yb ) - first.m_rhs * k11;
	double slip2 = row_dot( second, ya, yb ) - second.m_rhs * k22;
	double determinant = k11 * k22 - k12 * k12;
	double old1 = first.m_appliedImpulse, old2 = second.m_appliedImpulse;
	double new1 = old1, new2 = old2;
	if ( determinant > 1e-12 * k11 * k22 )
	{
		new1 = old1 - ( k22 * slip1 - k12 * slip2 ) / determinant;
		new2 = old2 - ( k11 * slip2 - k12 * slip1 ) / determinant;
	}
	if ( !( determinant > 1e-12 * k11 * k22 ) || new1 * new1 + new2 * new2 > limit * limit )
	{
		double stiffest = 0.5 * ( k11 + k22 ) + std::sqrt( 0.25 * ( k11 - k22 ) * ( k11 - k22 ) + k12 * k12 );
		new1 = old1 - slip1 / stiffest;
		new2 = old2 - slip2 / stiffest;
		double size = std::sqrt( new1 * new1 + new2 * new2 ), scale = size > limit ? limit / size : 1;
		new1 *= scale;
		new2 *= scale;
	}
	first.m_appliedImpulse = new1;
	second.m_appliedImpulse = new2;
	apply( a, b, first, new1 - old1 );
	apply( a, b, second, new2 - old2 );
	return std::max( std::fabs( new1 - old1 ) * k11, std::fabs( new2 - old2 ) * k22 );
}

btScalar Solver::solveSingleIteration( int, btCollisionObject **, int, btPersistentManifold **, int,
	btTypedConstraint **, int, const btContactSolverInfo &, btIDebugDraw * )
{
	double residual = 0;
	for ( btConstraintArray *pool : { &m_tmpSolverNonContactConstraintPool, &m_tmpSolverContactConstraintPool } )
	{
		for ( int i = 0; i < pool->size(); ++i )
		{
			btSolverConstraint &row = ( *pool )[i];
			if ( row.m_jacDiagABInv > 0 )
			{
				double change = resolveSingleConstraintRowGeneric(
					m_tmpSolverBodyPool[row.m_solverBodyIdA], m_tmpSolverBodyPool[row.m_solverBodyIdB], row );
				residual = std::max( residual, std::fabs( change ) );
			}
		}
	}
	for ( int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i )
	{
		const btSolverConstraint &contact = m_tmpSolverContactConstraintPool[i];
		btSolverConstraint *friction = &m_tmpSolverContactFrictionConstraintPool[contact.m_frictionIndex];
		residual =
			std::max( residual, solve_pair( friction[0], friction[1], contact.m_friction * contact.m_appliedImpulse ) );
	}
	// Three rows a rolling contact: spin, which is free, and the two directions of rolling.
	for ( int i = 0; i + 2 < m_tmpSolverContactRollingFrictionConstraintPool.size(); i += 3 )
	{
		btSolverConstraint *roll = &m_tmpSolverContactRollingFrictionConstraintPool[i];
		const btSolverConstraint &contact = m_tmpSolverContactConstraintPool[roll->m_frictionIndex];
		residual = std::max( residual, solve_pair( roll[1], roll[2], roll[1].m_friction * contact.m_appliedImpulse ) );
	}
	return residual;
}

// What the pose needs besides the mean of old and new velocity: overlaps that this mean would make are prevented, older
// ones are taken away in part. Contacts that stay apart only must not be made to overlap.
void Solver::prepare_corrections()
{
	for ( int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i )
	{
		btSolverConstraint &row = m_tmpSolverContactConstraintPool[i];
		const btManifoldPoint &point = *static_cast<const btManifoldPoint *>( row.m_originalContactPoint );
		double gap = point.getDistance();
		double next = gap + 0.5 * dt * ( row_rate( row, false, false ) + row_rate( row, true, true ) );
		double overlap = std::max( 0.0, -next ), old = std::min( overlap, std::max( 0.0, -gap ) );
		double wanted = next > 0 ? -next : overlap - old + CONTACT_ERP * old;
		row.m_rhsPenetration = wanted / dt * row.m_jacDiagABInv;
		row.m_appliedPushImpulse = 0;
	}
}

void Solver::list_rows()
{
	m_rows.clear();
	for ( btConstraintArray *pool : { &m_tmpSolverNonContactConstraintPool, &m_tmpSolverContactConstraintPool,
			  &m_tmpSolverContactFrictionConstraintPool, &m_tmpSolverContactRollingFrictionConstraintPool } )
	{
		for ( int i = 0; i < pool->size(); ++i )
		{
			m_rows.push_back( &( *pool )[i] );
		}
	}
	m_before.assign( m_rows.size(), 0 );
	m_direction.assign( m_rows.size(), 0 );
}

void Solver::keep_impulses()
{
	for ( size_t i = 0; i < m_rows.size(); ++i )
	{
		m_before[i] = m_rows[i]->m_appliedImpulse;
	}
}

// Between two sweeps: a step of the nonsmooth nonlinear conjugate gradient method (Silcowitz, Niebe, Erleben, "A nonsmooth
// nonlinear conjugate gradient method for interactive contact force problems", The Visual Computer 26, 2010, algorithm 1).
// A sweep's change of impulse is the descent direction; its size is measured in energy. `last`: that of the sweep before.
double Solver::accelerate( double last )
{
	double size = 0;
	for ( size_t i = 0; i < m_rows.size(); ++i )
	{
		const btSolverConstraint &row = *m_rows[i];
		double change = row.m_appliedImpulse - m_before[i];
		size += row.m_jacDiagABInv > 0 ? change * change / row.m_jacDiagABInv : 0;
	}
	double beta = last > 0 ? size / last : 2;
	for ( size_t i = 0; i < m_rows.size(); ++i )
	{
		btSolverConstraint &row = *m_rows[i];
		double change = row.m_appliedImpulse - m_before[i];
		if ( beta > 1 )
		{
			m_direction[i] = last > 0 ? 0 : change;
			continue;
		}
		double step = beta * m_direction[i];
		m_direction[i] = step + change;
		row.m_appliedImpulse += step;
		apply( m_tmpSolverBodyPool[row.m_solverBodyIdA], m_tmpSolverBodyPool[row.m_solverBodyIdB], row, step );
	}
	return size;
}

btScalar Solver::solveGroupCacheFriendlyIterations( btCollisionObject **bodies, int body_count,
	btPersistentManifold **manifolds, int manifold_count, btTypedConstraint **constraints, int constraint_count,
	const btContactSolverInfo &info, btIDebugDraw *drawer )
{
	list_rows();
	double last = 0;
	for ( int i = 0; i < info.m_numIterations; ++i )
	{
		if ( i > 0 )
		{
			last = accelerate( last );
		}
		keep_impulses();
		double residual = solveSingleIteration(
			i, bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer );
		if ( residual <= info.m_leastSquaresResidualThreshold )
		{
			break;
		}
	}
	prepare_corrections();
	for ( int i = 0; i < info.m_numIterations; ++i )
	{
		double residual = 0;
		for ( int k = 0; k < m_tmpSolverContactConstraintPool.size(); ++k )
		{
			btSolverConstraint &row = m_tmpSolverContactConstraintPool[k];
			btSolverBody &a = m_tmpSolverBodyPool[row.m_solverBodyIdA], &b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
			double rate =
				row_dot( row, pack( a.m_pushVelocity, a.m_turnVelocity ), pack( b.m_pushVelocity, b.m_turnVelocity ) );
			double impulse =
				std::max( 0.0, row.m_appliedPushImpulse + row.m_rhsPenetration - rate * row.m_jacDiagABInv );
			double change = impulse - row.m_appliedPushImpulse;
			row.m_appliedPushImpulse = impulse;
			a.internalApplyPushImpulse( row.m_contactNormal1, row.m_angularComponentA, change );
			b.internalApplyPushImpulse( row.m_contactNormal2, row.m_angularComponentB, change );
			residual = std::max( residual, std::fabs( change ) );
		}
		if ( residual == 0 )
		{
			break;
		}
	}
	return 0;
}

// The impulse of each joint on its body b, about the origin of b's joint frame.
void Solver::collect_joints()
{
	for ( size_t j = 0; j < m_joints.size(); ++j )
	{
		Vector6 sum[2]{};
		const Body *bodies[2] = { nullptr, nullptr };
		for ( int i = m_joint_rows[j]; i < m_joint_rows[j + 1]; ++i )
		{
			const btSolverConstraint &row = m_tmpSolverNonContactConstraintPool[i];
			Vector6 rows[2] = { pack( row.m_contactNormal1, row.m_relpos1CrossNormal ),
				pack( row.m_contactNormal2, row.m_relpos2CrossNormal ) };
			bodies[0] = body_of( row.m_solverBodyIdA );
			bodies[1] = body_of( row.m_solverBodyIdB );
			for ( size_t c = 0; c < 6; ++c )
			{
				sum[0][c] += row.m_appliedImpulse * rows[0][c];
				sum[1][c] += row.m_appliedImpulse * rows[1][c];
			}
		}
		int on = bodies[1] ? 1 : 0;
		if ( bodies[on] )
		{
			m_joints[j]->set_reaction( *bodies[on], on == 1, multiply( bodies[on]->factor, sum[on] ), dt );
		}
	}
}

btScalar Solver::solveGroupCacheFriendlyFinish(
	btCollisionObject **bodies, int body_count, const btContactSolverInfo &info )
{
	collect_joints();
	for ( int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i )
	{
		const btSolverConstraint &row = m_tmpSolverContactConstraintPool[i];
		btManifoldPoint &point = *static_cast<btManifoldPoint *>( row.m_originalContactPoint );
		point.m_appliedImpulse = row.m_appliedImpulse;
		point.m_appliedImpulseLateral1 = m_tmpSolverContactFrictionConstraintPool[row.m_frictionIndex].m_appliedImpulse;
		point.m_appliedImpulseLateral2 =
			m_tmpSolverContactFrictionConstraintPool[row.m_frictionIndex + 1].m_appliedImpulse;
	}
	for ( int i = 0; i < m_tmpSolverBodyPool.size(); ++i )
	{
		btSolverBody &solved = m_tmpSolverBodyPool[i];
		if ( Body *body = body_of( i ) )
		{
			Vector6 y = pack( solved.m_deltaLinearVelocity, solved.m_deltaAngularVelocity );
			body->change = solve_backward( body->factor, y );
			body->impulse = multiply( body->factor, y );
			body->correction = solve_backward( body->factor, pack( solved.m_pushVelocity, solved.m_turnVelocity ) );
		}
		solved.m_deltaLinearVelocity.setZero();
		solved.m_deltaAngularVelocity.setZero();
		solved.m_pushVelocity.setZero();
		solved.m_turnVelocity.setZero();
	}
	return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish( bodies, body_count, info );
}

} // namespace dsb

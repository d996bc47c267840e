// One step of a world: pairs, contacts, solving. See world.h.

#include "bullet/world.h"

#include <algorithm>
#include <cmath>
#include <new>

using namespace dsb;

// ---- Collision ----

// Bodies farther from the origin, or faster in a step [m], are refused: what they would do is no contact any more.
static const double FARTHEST = 1e12;

// Part of the margin within which triangles may bear a load.
static const double TOUCHING = 0.1;

static double travel( const Body &body, double dt )
{
	if ( body.is_static )
	{
		return 0;
	}
	double speed = std::max( to_bt( body.now.linear ).length(), to_bt( body.predicted.linear ).length() );
	double rate = std::max( to_bt( body.now.angular ).length(), to_bt( body.predicted.angular ).length() );
	return ( speed + rate * body.radius ) * dt;
}

bool dsb_world::may_touch( const Body &a, const Body &b ) const
{
	if ( !( a.moves() || b.moves() ) || !( a.group & b.mask ) || !( b.group & a.mask ) )
	{
		return false;
	}
	for ( const Joint *joint : joint_order )
	{
		if ( !joint->def.collide && ( ( joint->a == &a && joint->b == &b ) || ( joint->a == &b && joint->b == &a ) ) )
		{
			return false;
		}
	}
	return true;
}

static bool boxes_overlap(
	const btVector3 &lower_a, const btVector3 &upper_a, const btVector3 &lower_b, const btVector3 &upper_b, double gap )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( lower_a[k] > upper_b[k] + gap || lower_b[k] > upper_a[k] + gap )
		{
			return false;
		}
	}
	return true;
}

void dsb_world::add_manifold( Body &a, size_t part_a, Body &b, size_t part_b, const std::vector<int> &group )
{
	btPersistentManifold *manifold = dispatcher.getNewManifold( a.rigid.get(), b.rigid.get() );
	touches.push_back( { manifold, &a, &b, (int32_t)part_a, (int32_t)part_b } );
	int n = 0;
	for ( int i : group )
	{
		const Point &p = narrow.points[(size_t)i];
		btManifoldPoint point( p.on_a, p.on_b, p.normal, p.distance );
		point.m_positionWorldOnA = p.on_a;
		point.m_positionWorldOnB = p.on_b;
		point.m_combinedFriction = a.friction * b.friction;
		point.m_combinedRestitution = std::max( a.restitution, b.restitution );
		point.m_combinedRollingFriction = a.rolling_friction + b.rolling_friction;
		manifold->setNumContacts( n + 1 );
		manifold->getContactPoint( n++ ) = point;
	}
}

void dsb_world::collide_parts( Body &a, size_t part_a, Body &b, size_t part_b, double threshold )
{
	const Part &p = a.parts[part_a], &q = b.parts[part_b];
	// Near the moving body, so that contacts far from the world's origin are as exact as near it.
	btVector3 centre = to_bt( a.moves() ? a.pose.position : b.pose.position );
	btTransform pose_a = to_bt( a.pose ), pose_b = to_bt( b.pose );
	pose_a.setOrigin( pose_a.getOrigin() - centre );
	pose_b.setOrigin( pose_b.getOrigin() - centre );
	pose_a *= p.pose;
	pose_b *= q.pose;
	btVector3 lower_a, upper_a, lower_b, upper_b;
	primitive_bounds( *p.primitive, pose_a, lower_a, upper_a );
	primitive_bounds( *q.primitive, pose_b, lower_b, upper_b );
	if ( !boxes_overlap( lower_a, upper_a, lower_b, upper_b, threshold ) )
	{
		return;
	}
	narrow.collide( *p.primitive, pose_a, *q.primitive, pose_b, threshold );
	for ( Point &point : narrow.points )
	{
		point.on_a += centre - origin;
		point.on_b += centre - origin;
	}
	// Rough ground bears by peaks, which must not give way to points beside them that touch nothing yet.
	double margin = std::max( a.margin, b.margin );
	bool thin = is_thin( *p.primitive ) || is_thin( *q.primitive );
	narrow.reduce( thin ? TOUCHING * margin : -INFINITY, margin );
	for ( int i = 0; i < narrow.group_count(); ++i )
	{
		add_manifold( a, part_a, b, part_b, narrow.group( i ) );
	}
}

void dsb_world::collide_pair( Body &a, Body &b )
{
	double threshold = std::max( a.margin, b.margin ) + travel( a, dt ) + travel( b, dt );
	for ( size_t i = 0; i < a.parts.size(); ++i )
	{
		for ( size_t k = 0; k < b.parts.size(); ++k )
		{
			collide_parts( a, i, b, k, threshold );
		}
	}
}

// Sweeps the bodies along x; pairs come out by order of the first, then of the second.
void World::performDiscreteCollisionDetection()
{
	const std::vector<Body *> &order = m_owner.order;
	std::vector<Span> &spans = m_owner.spans;
	std::vector<double> &reach = m_owner.reach;
	std::vector<std::pair<size_t, size_t>> &pairs = m_owner.pairs;
	spans.clear();
	pairs.clear();
	reach.assign( order.size(), 0 );
	for ( size_t i = 0; i < order.size(); ++i )
	{
		const Body &body = *order[i];
		if ( body.collides && body.active )
		{
			reach[i] = body.margin + travel( body, m_owner.dt );
			spans.push_back( { body.lower.x() - reach[i], body.upper.x() + reach[i], i } );
		}
	}
	std::sort( spans.begin(), spans.end(),
		[]( const Span &p, const Span &q ) { return p.lower < q.lower || ( p.lower == q.lower && p.at < q.at ); } );
	for ( size_t i = 0; i < spans.size(); ++i )
	{
		for ( size_t k = i + 1; k < spans.size() && spans[k].lower <= spans[i].upper; ++k )
		{
			size_t p = std::min( spans[i].at, spans[k].at ), q = std::max( spans[i].at, spans[k].at );
			const Body &a = *order[p], &b = *order[q];
			if ( boxes_overlap( a.lower, a.upper, b.lower, b.upper, reach[p] + reach[q] ) && m_owner.may_touch( a, b ) )
			{
				pairs.push_back( { p, q } );
			}
		}
	}
	std::sort( pairs.begin(), pairs.end() );
	for ( const std::pair<size_t, size_t> &pair : pairs )
	{
		m_owner.collide_pair( *order[pair.first], *order[pair.second] );
	}
}

void dsb_world::release_manifolds()
{
	for ( Touch &touch : touches )
	{
		dispatcher.releaseManifold( touch.manifold );
	}
	touches.clear();
}

// ---- Step ----

void World::predictUnconstraintMotion( btScalar )
{
	for ( Body *body : m_owner.order )
	{
		if ( !body->is_static )
		{
			body->rigid->setLinearVelocity( to_bt( body->predicted.linear ) );
			body->rigid->setAngularVelocity( to_bt( body->predicted.angular ) );
		}
		btTransform pose = to_bt( body->pose );
		pose.setOrigin( pose.getOrigin() - m_owner.origin );
		body->rigid->setWorldTransform( pose );
	}
}

// All bodies, manifolds and joints in one group, in their order.
void World::solveConstraints( btContactSolverInfo &info )
{
	std::vector<btTypedConstraint *> &constraints = m_owner.constraints;
	std::vector<btCollisionObject *> &bodies = m_owner.objects;
	std::vector<btPersistentManifold *> &manifolds = m_owner.manifolds;
	constraints.clear();
	bodies.clear();
	manifolds.clear();
	for ( Joint *joint : m_owner.joint_order )
	{
		joint->reaction = ds_wrench{};
		bool moves = ( joint->a && joint->a->moves() ) || ( joint->b && joint->b->moves() );
		bool held = ( !joint->a || joint->a->active ) && ( !joint->b || joint->b->active );
		if ( moves && held )
		{
			joint->make_rows( m_owner.dt );
			constraints.push_back( joint );
		}
	}
	if ( constraints.empty() && m_owner.touches.empty() )
	{
		return;
	}
	for ( Body *body : m_owner.order )
	{
		if ( body->moves() )
		{
			bodies.push_back( body->rigid.get() );
		}
	}
	for ( const Touch &touch : m_owner.touches )
	{
		manifolds.push_back( touch.manifold );
	}
	m_owner.solver.dt = m_owner.dt;
	m_owner.solver.solveGroup( bodies.data(), (int)bodies.size(), manifolds.data(), (int)manifolds.size(),
		constraints.data(), (int)constraints.size(), info, nullptr, &m_owner.dispatcher );
}

void dsb_world::export_contacts()
{
	contacts.clear();
	for ( const Touch &touch : touches )
	{
		for ( int i = 0; i < touch.manifold->getNumContacts(); ++i )
		{
			const btManifoldPoint &p = touch.manifold->getContactPoint( i );
			dsb_contact contact;
			contact.body_a = touch.a->index;
			contact.body_b = touch.b->index;
			contact.child_a = touch.child_a;
			contact.child_b = touch.child_b;
			contact.point_a = to_ds( p.m_positionWorldOnA + origin );
			contact.point_b = to_ds( p.m_positionWorldOnB + origin );
			contact.normal = to_ds( p.m_normalWorldOnB );
			contact.distance = p.getDistance();
			contact.normal_impulse = p.m_appliedImpulse;
			contact.friction_impulse = to_ds( p.m_lateralFrictionDir1 * p.m_appliedImpulseLateral1 +
											  p.m_lateralFrictionDir2 * p.m_appliedImpulseLateral2 );
			contacts.push_back( contact );
		}
	}
}

// Checks and factorizes what the caller set, and clears the results of the last step.
ds_status dsb_world::check_bodies()
{
	bool placed = false;
	for ( Body *body : order )
	{
		body->change = body->impulse = body->correction = Vector6{};
		if ( !finite( body->pose ) || !finite( body->now ) || !finite( body->predicted ) )
		{
			return ds_error(
				DS_ERROR_NOT_FINITE, "collision: pose or velocity of body %lld is not finite", (long long)body->id );
		}
		if ( !( to_bt( body->pose.position ).length() < FARTHEST ) || !( travel( *body, dt ) < FARTHEST ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE,
				"collision: body %lld is farther than %g m away or goes as far in a step", (long long)body->id,
				FARTHEST );
		}
		if ( body->moves() && !factorize( body->mass, body->factor ) )
		{
			return ds_error(
				DS_ERROR_RANGE, "collision: the 6x6 mass of body %lld is not positive definite", (long long)body->id );
		}
		if ( !placed && body->moves() )
		{
			origin = to_bt( body->pose.position );
			placed = true;
		}
	}
	return DS_OK;
}

ds_status dsb_step( dsb_world *world, double dt )
{
	if ( !( std::isfinite( dt ) && dt > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "collision: a step of %g s is not possible; it must be positive", dt );
	}
	try
	{
		world->dt = dt;
		ds_status status = world->check_bodies();
		if ( status == DS_OK )
		{
			world->world.stepSimulation( dt, 0 );
			world->export_contacts();
			world->release_manifolds();
		}
		return status;
	}
	catch ( const std::bad_alloc & )
	{
		world->release_manifolds();
		return ds_error( DS_ERROR_MEMORY, "collision: out of memory in a step" );
	}
	catch ( ... )
	{
		world->release_manifolds();
		return ds_error( DS_ERROR_INTERNAL, "collision: Bullet failed in a step" );
	}
}

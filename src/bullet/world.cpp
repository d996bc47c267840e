// The world: bodies, joints, the step, and what is asked of it afterwards.
//
// Bullet's dynamics world calls predictUnconstraintMotion, collision detection, constraint solving and integrateTransforms;
// here the first puts in the caller's velocities, the last does nothing, and between them pairs are found, processed and
// solved in the order of ids, with nothing kept from earlier steps.

#include "bullet/narrow.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace dsb
{

static const int ITERATIONS = 200;
static const int POOL_SIZE = 16;

// Iterations stop when no row's rate changes by more than this [m/s] (joints: times the root of a mass).
static const double RESIDUAL = 1e-12;

// Bullet's world wants a broadphase; pairs are found by the world itself.
class NoBroadphase : public btBroadphaseInterface
{
  public:
	btBroadphaseProxy *createProxy( const btVector3 &lower, const btVector3 &upper, int, void *object, int group,
		int mask, btDispatcher * ) override
	{
		return new btBroadphaseProxy( lower, upper, object, group, mask );
	}
	void destroyProxy( btBroadphaseProxy *proxy, btDispatcher * ) override
	{
		delete proxy;
	}
	void setAabb( btBroadphaseProxy *, const btVector3 &, const btVector3 &, btDispatcher * ) override
	{
	}
	void getAabb( btBroadphaseProxy *proxy, btVector3 &lower, btVector3 &upper ) const override
	{
		lower = proxy->m_aabbMin;
		upper = proxy->m_aabbMax;
	}
	void rayTest(
		const btVector3 &, const btVector3 &, btBroadphaseRayCallback &, const btVector3 &, const btVector3 & ) override
	{
	}
	void aabbTest( const btVector3 &, const btVector3 &, btBroadphaseAabbCallback & ) override
	{
	}
	void calculateOverlappingPairs( btDispatcher * ) override
	{
	}
	btOverlappingPairCache *getOverlappingPairCache() override
	{
		return &m_pairs;
	}
	const btOverlappingPairCache *getOverlappingPairCache() const override
	{
		return &m_pairs;
	}
	void getBroadphaseAabb( btVector3 &lower, btVector3 &upper ) const override
	{
		lower.setValue( -1, -1, -1 );
		upper.setValue( 1, 1, 1 );
	}
	void printStats() override
	{
	}

  private:
	btNullPairCache m_pairs;
};

static btDefaultCollisionConstructionInfo construction()
{
	btDefaultCollisionConstructionInfo info;
	info.m_defaultMaxPersistentManifoldPoolSize = POOL_SIZE;
	info.m_defaultMaxCollisionAlgorithmPoolSize = POOL_SIZE;
	return info;
}

class World : public btDiscreteDynamicsWorld
{
  public:
	World( dsb_world &owner, btDispatcher *dispatcher, btBroadphaseInterface *broadphase, btConstraintSolver *solver,
		btCollisionConfiguration *configuration )
		: btDiscreteDynamicsWorld( dispatcher, broadphase, solver, configuration ), m_owner( owner )
	{
		setGravity( btVector3( 0, 0, 0 ) );
		btContactSolverInfo &info = getSolverInfo();
		info.m_solverMode = SOLVER_USE_2_FRICTION_DIRECTIONS;
		info.m_warmstartingFactor = 0;
		info.m_numIterations = ITERATIONS;
		info.m_splitImpulse = false; // the solver makes its own corrections
		info.m_leastSquaresResidualThreshold = RESIDUAL;
		info.m_damping = 1;
		info.m_globalCfm = 0;
	}

	void performDiscreteCollisionDetection() override;
	void solveConstraints( btContactSolverInfo &info ) override;

  protected:
	void predictUnconstraintMotion( btScalar dt ) override;
	void integrateTransforms( btScalar ) override
	{
	}
	void createPredictiveContacts( btScalar ) override
	{
	}
	void calculateSimulationIslands() override
	{
	}
	void updateActivationState( btScalar ) override
	{
	}
	void saveKinematicState( btScalar ) override
	{
	}

  private:
	dsb_world &m_owner;
};

// A manifold and what the contact list says of it.
struct Touch
{
	btPersistentManifold *manifold;
	const Body *a, *b;
	int32_t child_a, child_b;
};

} // namespace dsb

using namespace dsb;

struct dsb_world
{
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	NoBroadphase broadphase;
	Solver solver;
	btEmptyShape nothing;
	World world;
	std::unique_ptr<btRigidBody> anchor; // the world as a body of joints

	std::vector<std::unique_ptr<Body>> bodies;
	std::vector<std::unique_ptr<Joint>> joints;
	std::vector<Body *> order; // used bodies by id
	std::vector<Joint *> joint_order;

	// Of a step.
	double dt = 0;
	btVector3 origin{ 0, 0, 0 }; // positions given to Bullet count from here
	Narrow narrow;
	std::vector<Touch> touches;
	std::vector<dsb_contact> contacts;

	dsb_world()
		: configuration( construction() ), dispatcher( &configuration ),
		  world( *this, &dispatcher, &broadphase, &solver, &configuration )
	{
		dispatcher.setDispatcherFlags( 0 );
		btRigidBody::btRigidBodyConstructionInfo info( 0, nullptr, &nothing );
		anchor = std::make_unique<btRigidBody>( info );
	}

	~dsb_world()
	{
		joints.clear();
		for ( std::unique_ptr<Body> &body : bodies )
		{
			if ( body && body->rigid )
			{
				world.removeRigidBody( body->rigid.get() );
			}
		}
	}

	Body *get( int32_t body ) const
	{
		return body >= 0 && (size_t)body < bodies.size() && bodies[(size_t)body]->used ? bodies[(size_t)body].get()
																					   : nullptr;
	}

	Joint *get_joint( int32_t joint ) const
	{
		return joint >= 0 && (size_t)joint < joints.size() ? joints[(size_t)joint].get() : nullptr;
	}

	void sort();
	ds_status check_bodies();
	void collide_pair( Body &a, Body &b );
	void collide_parts( Body &a, size_t part_a, Body &b, size_t part_b, double threshold );
	void add_manifold( Body &a, size_t part_a, Body &b, size_t part_b, const std::vector<int> &group );
	bool may_touch( const Body &a, const Body &b ) const;
	void release_manifolds();
	void export_contacts();
};

// ---- Order ----

void dsb_world::sort()
{
	order.clear();
	for ( std::unique_ptr<Body> &body : bodies )
	{
		if ( body->used )
		{
			order.push_back( body.get() );
		}
	}
	std::stable_sort( order.begin(), order.end(), []( const Body *a, const Body *b ) { return a->id < b->id; } );
	joint_order.clear();
	for ( std::unique_ptr<Joint> &joint : joints )
	{
		if ( joint )
		{
			joint_order.push_back( joint.get() );
		}
	}
	std::stable_sort( joint_order.begin(), joint_order.end(),
		[]( const Joint *a, const Joint *b ) { return a->def.id < b->def.id; } );
}

// ---- Collision ----

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
	narrow.reduce( std::max( a.margin, b.margin ) );
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
	struct Span
	{
		double lower, upper;
		size_t at;
	};
	const std::vector<Body *> &order = m_owner.order;
	std::vector<Span> spans;
	std::vector<double> reach( order.size() );
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
	std::vector<std::pair<size_t, size_t>> pairs;
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
	std::vector<btTypedConstraint *> constraints;
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
	std::vector<btCollisionObject *> bodies;
	for ( Body *body : m_owner.order )
	{
		if ( body->moves() )
		{
			bodies.push_back( body->rigid.get() );
		}
	}
	std::vector<btPersistentManifold *> manifolds;
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
		ds_status status = world->check_bodies();
		if ( status == DS_OK )
		{
			world->dt = dt;
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

// ---- World and bodies ----

ds_status dsb_world_create( dsb_world **world )
{
	*world = nullptr;
	try
	{
		*world = new dsb_world();
		return DS_OK;
	}
	catch ( ... )
	{
		return ds_error( DS_ERROR_MEMORY, "collision world: out of memory" );
	}
}

void dsb_world_destroy( dsb_world *world )
{
	delete world;
}

dsb_body_def dsb_body_def_default( void )
{
	dsb_body_def def{};
	def.shape_pose.attitude.w = def.pose.attitude.w = 1;
	def.friction = 0.5;
	def.margin = 0.01;
	def.group = 1;
	def.mask = 0xffffffffu;
	return def;
}

// Where the body's parts are now: its box in the world.
static void place( Body &body, const ds_pose &pose )
{
	body.pose = normalized( pose );
	body.lower.setValue( INFINITY, INFINITY, INFINITY );
	body.upper.setValue( -INFINITY, -INFINITY, -INFINITY );
	btTransform transform = to_bt( body.pose );
	for ( const Part &part : body.parts )
	{
		btVector3 lower, upper;
		primitive_bounds( *part.primitive, transform * part.pose, lower, upper );
		body.lower.setMin( lower );
		body.upper.setMax( upper );
	}
}

static void add_parts( Body &body, const dsb_shape &shape, const ds_pose &pose )
{
	btTransform transform = to_bt( normalized( pose ) );
	for ( const Part &part : shape.parts )
	{
		body.parts.push_back( { part.primitive, transform * part.pose } );
		btVector3 lower, upper;
		primitive_bounds( *part.primitive, body.parts.back().pose, lower, upper );
		double reach = btVector3(
			std::max( -lower.x(), upper.x() ), std::max( -lower.y(), upper.y() ), std::max( -lower.z(), upper.z() ) )
						   .length();
		body.radius = std::max( body.radius, reach );
	}
	body.collides = !body.parts.empty();
}

static ds_status check_def( const dsb_shape *shape, const dsb_body_def &def )
{
	if ( !finite( def.shape_pose ) || !finite( def.pose ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "collision body %lld: a pose is not finite or its quaternion is zero",
			(long long)def.id );
	}
	for ( double x : { def.friction, def.rolling_friction, def.restitution, def.margin } )
	{
		if ( !( std::isfinite( x ) && x >= 0 ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"collision body %lld: friction, restitution and margin must be finite and not negative",
				(long long)def.id );
		}
	}
	if ( shape && !def.is_static && !dsb_shape_can_move( shape ) )
	{
		return ds_error( DS_ERROR_TYPE, "collision body %lld: only a static body may be a triangle mesh or a plane",
			(long long)def.id );
	}
	return DS_OK;
}

static void fill_body( Body &body, dsb_shape *shape, const dsb_body_def &def )
{
	body.is_static = def.is_static;
	body.id = def.id;
	body.friction = def.friction;
	body.rolling_friction = def.rolling_friction;
	body.restitution = def.restitution;
	body.margin = def.margin;
	body.group = def.group;
	body.mask = def.mask;
	for ( int i = 0; i < 6; ++i )
	{
		body.mass.m[i][i] = 1;
	}
	if ( shape )
	{
		add_parts( body, *shape, def.shape_pose );
	}
	place( body, def.pose );
}

ds_status dsb_body_create( dsb_world *world, dsb_shape *shape, const dsb_body_def *def, int32_t *body )
{
	*body = DSB_NONE;
	ds_status status = check_def( shape, *def );
	if ( status != DS_OK )
	{
		return status;
	}
	try
	{
		size_t at = 0;
		while ( at < world->bodies.size() && world->bodies[at]->used )
		{
			++at;
		}
		auto made = std::make_unique<Body>();
		made->index = (int32_t)at;
		fill_body( *made, shape, *def );

		// To Bullet every body has the unit mass; the solver puts in the true one.
		btRigidBody::btRigidBodyConstructionInfo info(
			def->is_static ? 0 : 1, nullptr, &world->nothing, btVector3( 1, 1, 1 ) );
		made->rigid = std::make_unique<btRigidBody>( info );
		made->rigid->setFlags( 0 );
		made->rigid->setActivationState( DISABLE_DEACTIVATION );
		made->rigid->setUserPointer( made.get() );
		if ( at == world->bodies.size() )
		{
			world->bodies.push_back( std::make_unique<Body>() );
		}
		world->world.addRigidBody( made->rigid.get() );
		made->used = true;
		world->bodies[at] = std::move( made );
		world->sort();
		world->contacts.clear();
		*body = (int32_t)at;
		return DS_OK;
	}
	catch ( ... )
	{
		return ds_error( DS_ERROR_MEMORY, "collision body %lld: out of memory", (long long)def->id );
	}
}

void dsb_body_destroy( dsb_world *world, int32_t body )
{
	Body *gone = world->get( body );
	if ( !gone )
	{
		return;
	}
	for ( std::unique_ptr<Joint> &joint : world->joints )
	{
		if ( joint && ( joint->a == gone || joint->b == gone ) )
		{
			joint.reset();
		}
	}
	world->world.removeRigidBody( gone->rigid.get() );
	gone->rigid.reset();
	gone->parts.clear();
	gone->used = false;
	world->sort();
	world->contacts.clear();
}

void dsb_body_set_active( dsb_world *world, int32_t body, bool active )
{
	if ( Body *b = world->get( body ) )
	{
		b->active = active;
	}
}

void dsb_body_reset_pose_velocity( dsb_world *world, int32_t body, const ds_pose *pose, const ds_twist *now )
{
	Body *b = world->get( body );
	if ( !b )
	{
		return;
	}
	if ( finite( *pose ) )
	{
		place( *b, *pose );
	}
	else
	{
		b->pose = *pose; // the step refuses it
	}
	if ( !b->is_static )
	{
		b->now = b->predicted = *now;
	}
}

void dsb_body_set_prediction( dsb_world *world, int32_t body, const ds_twist *predicted, const ds_mat6 *mass_world )
{
	Body *b = world->get( body );
	if ( b && !b->is_static )
	{
		b->predicted = *predicted;
		b->mass = *mass_world;
	}
}

void dsb_body_get(
	const dsb_world *world, int32_t body, ds_twist *velocity_after, ds_wrench *constraint_impulse_over_dt )
{
	const Body *b = world->get( body );
	ds_twist v = {};
	ds_wrench w = {};
	if ( b )
	{
		const Vector6 &c = b->change, &p = b->impulse;
		const ds_vec3 &l = b->predicted.linear, &a = b->predicted.angular;
		v = { { l.x + c[0], l.y + c[1], l.z + c[2] }, { a.x + c[3], a.y + c[4], a.z + c[5] } };
		if ( world->dt > 0 )
		{
			w = { { p[0] / world->dt, p[1] / world->dt, p[2] / world->dt },
				{ p[3] / world->dt, p[4] / world->dt, p[5] / world->dt } };
		}
	}
	if ( velocity_after )
	{
		*velocity_after = v;
	}
	if ( constraint_impulse_over_dt )
	{
		*constraint_impulse_over_dt = w;
	}
}

void dsb_body_correction( const dsb_world *world, int32_t body, ds_twist *correction )
{
	const Body *b = world->get( body );
	*correction = ds_twist{};
	if ( b )
	{
		const Vector6 &c = b->correction;
		*correction = { { c[0], c[1], c[2] }, { c[3], c[4], c[5] } };
	}
}

// ---- Contacts and rays ----

int32_t dsb_contact_count( const dsb_world *world )
{
	return (int32_t)world->contacts.size();
}

const dsb_contact *dsb_contacts( const dsb_world *world )
{
	return world->contacts.data();
}

ds_status dsb_ray_test( const dsb_world *world, ds_vec3 from, ds_vec3 to, int32_t ignore_body, dsb_hit *hit )
{
	if ( !finite( from ) || !finite( to ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "ray: an end is not finite" );
	}
	btVector3 start = to_bt( from ), end = to_bt( to );
	RayHit best{ std::nextafter( 1.0, 2.0 ), btVector3( 0, 0, 0 ) };
	hit->body = hit->child = DSB_NONE;
	for ( const Body *body : world->order )
	{
		if ( !body->active || body->index == ignore_body ||
			 !ray_box_overlap( start, end, body->lower, body->upper, best.fraction ) )
		{
			continue;
		}
		// Positions are subtracted before anything is turned, so that nothing is lost far from the world's origin.
		btTransform pose = to_bt( body->pose );
		btVector3 local_start = ( start - pose.getOrigin() ) * pose.getBasis();
		btVector3 local_end = ( end - pose.getOrigin() ) * pose.getBasis();
		for ( size_t i = 0; i < body->parts.size(); ++i )
		{
			const Part &part = body->parts[i];
			if ( ray_primitive(
					 *part.primitive, part.pose.invXform( local_start ), part.pose.invXform( local_end ), best ) )
			{
				hit->body = body->index;
				hit->child = (int32_t)i;
				hit->normal = to_ds( pose.getBasis() * ( part.pose.getBasis() * best.normal ) );
			}
		}
	}
	if ( hit->body == DSB_NONE )
	{
		return DS_ERROR_NOT_FOUND;
	}
	hit->fraction = best.fraction;
	hit->point = to_ds( start + ( end - start ) * best.fraction );
	return DS_OK;
}

// ---- Joints ----

dsb_joint_def dsb_joint_def_default( void )
{
	dsb_joint_def def{};
	def.frame_a.attitude.w = def.frame_b.attitude.w = 1;
	def.body_a = def.body_b = DSB_NONE;
	return def;
}

static ds_status check_joint( const dsb_world *world, const dsb_joint_def &def )
{
	const Body *a = world->get( def.body_a ), *b = world->get( def.body_b );
	if ( ( def.body_a != DSB_NONE && !a ) || ( def.body_b != DSB_NONE && !b ) )
	{
		return ds_error( DS_ERROR_STALE, "joint %lld: a body does not exist", (long long)def.id );
	}
	if ( ( !a || a->is_static ) && ( !b || b->is_static ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "joint %lld: at least one of its bodies must move", (long long)def.id );
	}
	if ( a == b )
	{
		return ds_error( DS_ERROR_ARGUMENT, "joint %lld: a body cannot be joined to itself", (long long)def.id );
	}
	if ( !finite( def.frame_a ) || !finite( def.frame_b ) )
	{
		return ds_error(
			DS_ERROR_NOT_FINITE, "joint %lld: a frame is not finite or its quaternion is zero", (long long)def.id );
	}
	bool angle = def.kind == DSB_JOINT_HINGE;
	if ( def.limited && !( std::isfinite( def.lower ) && std::isfinite( def.upper ) && def.lower <= def.upper &&
							( !angle || ( def.lower > -SIMD_PI && def.upper < SIMD_PI ) ) ) )
	{
		return ds_error( DS_ERROR_RANGE, "joint %lld: limits %g to %g must rise%s", (long long)def.id, def.lower,
			def.upper, angle ? " and lie between -pi and pi" : "" );
	}
	return DS_OK;
}

ds_status dsb_joint_create( dsb_world *world, const dsb_joint_def *def, int32_t *joint )
{
	*joint = DSB_NONE;
	ds_status status = check_joint( world, *def );
	if ( status != DS_OK )
	{
		return status;
	}
	try
	{
		size_t at = 0;
		while ( at < world->joints.size() && world->joints[at] )
		{
			++at;
		}
		dsb_joint_def clean = *def;
		clean.frame_a = normalized( def->frame_a );
		clean.frame_b = normalized( def->frame_b );
		Body *a = world->get( def->body_a ), *b = world->get( def->body_b );
		auto made =
			std::make_unique<Joint>( clean, a, b, a ? *a->rigid : *world->anchor, b ? *b->rigid : *world->anchor );
		if ( at == world->joints.size() )
		{
			world->joints.push_back( nullptr );
		}
		world->joints[at] = std::move( made );
		world->sort();
		*joint = (int32_t)at;
		return DS_OK;
	}
	catch ( ... )
	{
		return ds_error( DS_ERROR_MEMORY, "joint %lld: out of memory", (long long)def->id );
	}
}

void dsb_joint_destroy( dsb_world *world, int32_t joint )
{
	if ( world->get_joint( joint ) )
	{
		world->joints[(size_t)joint].reset();
		world->sort();
	}
}

void dsb_joint_set_motor( dsb_world *world, int32_t joint, const dsb_motor *motor )
{
	if ( Joint *j = world->get_joint( joint ) )
	{
		j->motor = *motor;
	}
}

void dsb_joint_state( const dsb_world *world, int32_t joint, double *position, double *velocity, ds_wrench *reaction )
{
	const Joint *j = world->get_joint( joint );
	if ( position )
	{
		*position = j ? j->position() : 0;
	}
	if ( velocity )
	{
		*velocity = j ? j->rate() : 0;
	}
	if ( reaction )
	{
		*reaction = j ? j->reaction : ds_wrench{};
	}
}

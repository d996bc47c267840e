// Making and unmaking worlds and bodies. See world.h.

#include "bullet/world.h"

#include <algorithm>
#include <cmath>
#include <new>

// Sweeps over all rows stop when no row's rate changes by more than RESIDUAL [m/s] (joints: times the root of a mass), which
// takes a box at rest a dozen; a stack of five creeps by 1e-7 m in 20 s with 200 at most, by 0.02 m with 50.
static const int ITERATIONS = 200;
static const double RESIDUAL = 1e-10;

static const int POOL_SIZE = 16;

static btDefaultCollisionConstructionInfo construction()
{
	btDefaultCollisionConstructionInfo info;
	info.m_defaultMaxPersistentManifoldPoolSize = POOL_SIZE;
	info.m_defaultMaxCollisionAlgorithmPoolSize = POOL_SIZE;
	return info;
}

using namespace dsb;

World::World( dsb_world &owner, btDispatcher *dispatcher, btBroadphaseInterface *broadphase, btConstraintSolver *solver,
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

dsb_world::dsb_world()
	: configuration( construction() ), dispatcher( &configuration ),
	  world( *this, &dispatcher, &broadphase, &solver, &configuration )
{
	dispatcher.setDispatcherFlags( 0 );
	btRigidBody::btRigidBodyConstructionInfo info( 0, nullptr, &nothing );
	anchor = std::make_unique<btRigidBody>( info );
}

dsb_world::~dsb_world()
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
		return ds_error( DS_ERROR_TYPE,
			"collision body %lld: only a static body may be a triangle mesh, a surface or a plane", (long long)def.id );
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

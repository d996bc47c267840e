// Inside the Bullet shim: the world, shared by the files that make it, step it and ask it.
//
// Bullet's dynamics world calls predictUnconstraintMotion, collision detection, constraint solving and integrateTransforms;
// here the first puts in the caller's velocities, the last does nothing, and between them pairs are found, processed and
// solved in the order of ids, with nothing kept from earlier steps.

#ifndef DEEPSIM_SRC_BULLET_WORLD_H
#define DEEPSIM_SRC_BULLET_WORLD_H

#include "bullet/narrow.h"

namespace dsb
{

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

class World : public btDiscreteDynamicsWorld
{
  public:
	World( dsb_world &owner, btDispatcher *dispatcher, btBroadphaseInterface *broadphase, btConstraintSolver *solver,
		btCollisionConfiguration *configuration );

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

// Of the sweep along x: what a body covers, and its place in the order of ids.
struct Span
{
	double lower, upper;
	size_t at;
};

} // namespace dsb

struct dsb_world
{
	using Body = dsb::Body;
	using Joint = dsb::Joint;

	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	dsb::NoBroadphase broadphase;
	dsb::Solver solver;
	btEmptyShape nothing;
	dsb::World world;
	std::unique_ptr<btRigidBody> anchor; // the world as a body of joints

	std::vector<std::unique_ptr<Body>> bodies;
	std::vector<std::unique_ptr<Joint>> joints;
	std::vector<Body *> order; // used bodies by id
	std::vector<Joint *> joint_order;

	// Of a step.
	double dt = 0;
	btVector3 origin{ 0, 0, 0 }; // positions given to Bullet count from here
	dsb::Narrow narrow;
	std::vector<dsb::Touch> touches;
	std::vector<dsb_contact> contacts;

	// Buffers, so that a step allocates nothing once they have grown.
	std::vector<double> reach;
	std::vector<dsb::Span> spans;
	std::vector<std::pair<size_t, size_t>> pairs;
	std::vector<btTypedConstraint *> constraints;
	std::vector<btCollisionObject *> objects;
	std::vector<btPersistentManifold *> manifolds;

	dsb_world();
	~dsb_world();

	Body *get( int32_t body ) const
	{
		bool known = body >= 0 && (size_t)body < bodies.size() && bodies[(size_t)body]->used;
		return known ? bodies[(size_t)body].get() : nullptr;
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

#endif

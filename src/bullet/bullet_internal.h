// Inside the Bullet shim: what its C++ files share. See bullet.h for what the shim does.

#ifndef DEEPSIM_SRC_BULLET_INTERNAL_H
#define DEEPSIM_SRC_BULLET_INTERNAL_H

#include "bullet/bullet.h"

#if defined( __GNUC__ )
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btEmptyShape.h>
#include <btBulletDynamicsCommon.h>
#if defined( __GNUC__ )
#pragma GCC diagnostic pop
#endif

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <type_traits>
#include <vector>

static_assert( std::is_same<btScalar, double>::value, "the shim needs Bullet built in double precision" );

namespace dsb
{

// ---- Conversions ----

inline btVector3 to_bt( ds_vec3 v )
{
	return btVector3( v.x, v.y, v.z );
}

inline ds_vec3 to_ds( const btVector3 &v )
{
	return { v.x(), v.y(), v.z() };
}

inline btTransform to_bt( const ds_pose &pose )
{
	const ds_quat &q = pose.attitude;
	return btTransform( btQuaternion( q.x, q.y, q.z, q.w ), to_bt( pose.position ) );
}

bool finite( const ds_vec3 &v );
bool finite( const ds_pose &pose ); // also: the quaternion is not zero
bool finite( const ds_twist &twist );
ds_pose normalized( const ds_pose &pose );

// ---- Shapes (shape.cpp, hull.cpp) ----

enum class Kind
{
	Box,
	Sphere,
	Capsule,
	Cylinder,
	Hull,
	Mesh,
	Surface,
	Plane
};

// A convex polyhedron: corners, plane faces wound counter-clockwise seen from outside, edges.
struct Polyhedron
{
	struct Face
	{
		std::vector<int> corners;
		btVector3 normal; // unit, outward
		double offset; // normal . p <= offset inside
	};

	std::vector<btVector3> vertices;
	std::vector<Face> faces;
	std::vector<std::array<int, 2>> edges;
	std::vector<btVector3> directions; // of edges, without parallel ones
	btVector3 centre;
};

// Convex hull of points, in double precision (Bullet's own rounds points to 1e-4 of the hull's size). False: no volume.
bool hull_build( const std::vector<btVector3> &points, Polyhedron &hull );
Polyhedron box_polyhedron( const btVector3 &half );
Polyhedron prism( double radius, double length ); // a cylinder along x, its first edge at +y

// One convex shape, mesh, surface or plane. Immutable.
struct Primitive
{
	Kind kind = Kind::Sphere;
	btVector3 half{ 0, 0, 0 }; // box
	double radius = 0, length = 0; // length: capsule between centres, cylinder whole
	btVector3 normal{ 0, 0, 0 }; // plane
	double offset = 0;
	btVector3 lower{ 0, 0, 0 }, upper{ 0, 0, 0 }; // bounding box
	Polyhedron polyhedron; // box, hull, and the prism of a cylinder
	std::vector<btVector3> vertices; // mesh
	std::vector<int> triangles;
	std::unique_ptr<btTriangleIndexVertexArray> mesh_interface;
	std::unique_ptr<btCollisionShape> shape; // mesh
	dsb_surface surface{}; // surface; lower and upper hold the ground below it, too

	Primitive() = default;
	Primitive( const Primitive & ) = delete;
	Primitive &operator=( const Primitive & ) = delete;
	~Primitive()
	{
		if ( surface.release )
		{
			surface.release( surface.user );
		}
	}
};

// A primitive in the frame of a shape or of a body.
struct Part
{
	std::shared_ptr<const Primitive> primitive;
	btTransform pose;
};

// Box around a primitive at a pose.
void primitive_bounds( const Primitive &primitive, const btTransform &pose, btVector3 &lower, btVector3 &upper );

// ---- Surfaces (surface.cpp) ----

// Calls `take( const btVector3 corners[3] )` with the triangles of a surface that reach into a box. What it throws goes past
// the functions of the surface, which are C.
template <typename Take>
void surface_visit( const dsb_surface &surface, const btVector3 &lower, const btVector3 &upper, Take take )
{
	struct Call
	{
		Take &take;
		std::exception_ptr thrown;
	} call{ take, nullptr };
	if ( surface.reaches && !surface.reaches( surface.user, to_ds( lower ), to_ds( upper ) ) )
	{
		return;
	}
	auto each = []( void *context, int64_t, const ds_vec3 corners[3] ) -> bool {
		Call &c = *static_cast<Call *>( context );
		btVector3 triangle[3] = { to_bt( corners[0] ), to_bt( corners[1] ), to_bt( corners[2] ) };
		try
		{
			c.take( triangle );
		}
		catch ( ... )
		{
			c.thrown = std::current_exception();
		}
		return !c.thrown;
	};
	surface.visit( surface.user, to_ds( lower ), to_ds( upper ), each, &call );
	if ( call.thrown )
	{
		std::rethrow_exception( call.thrown );
	}
}

// ---- Rays (ray.cpp) ----

struct RayHit
{
	double fraction;
	btVector3 normal; // in the primitive's frame
};

// Nearest hit of the segment from-to, in the primitive's frame, at a fraction below hit.fraction.
bool ray_primitive( const Primitive &primitive, const btVector3 &from, const btVector3 &to, RayHit &hit );

// The same for a surface, from either side (surface.cpp).
bool ray_surface( const Primitive &primitive, const btVector3 &from, const btVector3 &to, RayHit &hit );

// True if `t` is a hit before the one that is known, which it becomes.
bool nearer( double t, const btVector3 &normal, RayHit &hit );

// True if the segment comes into the box.
bool ray_box_overlap(
	const btVector3 &from, const btVector3 &to, const btVector3 &lower, const btVector3 &upper, double limit );

// ---- Bodies ----

using Vector6 = std::array<double, 6>; // linear, angular

struct Body
{
	bool used = false, active = true, is_static = false, collides = false;
	int64_t id = 0;
	int32_t index = 0;
	double friction = 0, rolling_friction = 0, restitution = 0, margin = 0;
	uint32_t group = 1, mask = 0xffffffffu;
	std::vector<Part> parts; // poses in the body's frame
	double radius = 0; // of the parts about the reference point
	std::unique_ptr<btRigidBody> rigid;

	ds_pose pose{};
	ds_twist now{}, predicted{};
	ds_mat6 mass{};
	btVector3 lower{ 0, 0, 0 }, upper{ 0, 0, 0 }; // bounds at the pose

	// Of a step: the Cholesky factor of the mass; change of velocity and impulse by contacts and joints; correction.
	double factor[6][6] = {};
	Vector6 change{}, impulse{}, correction{};

	bool moves() const
	{
		return used && active && !is_static;
	}
};

// ---- Joints (joint.cpp) ----

struct Row
{
	Vector6 a, b; // Jacobian
	double target; // wanted rate of the row's coordinate
	double lower, upper; // of the impulse
};

class Joint : public btTypedConstraint
{
  public:
	static constexpr int MAX_ROWS = 9;

	Joint( const dsb_joint_def &definition, Body *body_a, Body *body_b, btRigidBody &rigid_a, btRigidBody &rigid_b );

	dsb_joint_def def;
	Body *a, *b; // NULL: the world
	dsb_motor motor{};
	std::array<Row, MAX_ROWS> rows{};
	int row_count = 0;
	ds_wrench reaction{}; // mean of the last step on b, about the origin of its joint frame

	// Fills the rows for the present poses and velocities.
	void make_rows( double dt );
	double position() const;
	double rate() const;

	// Takes the impulse on one of the bodies, about its reference point.
	void set_reaction( const Body &body, bool on_b, const Vector6 &impulse, double step );

	void getInfo1( btConstraintInfo1 *info ) override;
	void getInfo2( btConstraintInfo2 *info ) override;
	void setParam( int, btScalar, int ) override;
	btScalar getParam( int, int ) const override;
};

// ---- Solver (solver.cpp) ----

// Bullet's sequential impulses, with the full 6x6 mass of each body.
class Solver : public btSequentialImpulseConstraintSolver
{
  public:
	double dt = 0;

  protected:
	btScalar solveGroupCacheFriendlySetup( btCollisionObject **bodies, int body_count, btPersistentManifold **manifolds,
		int manifold_count, btTypedConstraint **constraints, int constraint_count, const btContactSolverInfo &info,
		btIDebugDraw *drawer ) override;
	btScalar solveGroupCacheFriendlyIterations( btCollisionObject **bodies, int body_count,
		btPersistentManifold **manifolds, int manifold_count, btTypedConstraint **constraints, int constraint_count,
		const btContactSolverInfo &info, btIDebugDraw *drawer ) override;
	btScalar solveSingleIteration( int iteration, btCollisionObject **bodies, int body_count,
		btPersistentManifold **manifolds, int manifold_count, btTypedConstraint **constraints, int constraint_count,
		const btContactSolverInfo &info, btIDebugDraw *drawer ) override;
	btScalar solveGroupCacheFriendlyFinish(
		btCollisionObject **bodies, int body_count, const btContactSolverInfo &info ) override;

  private:
	std::vector<Joint *> m_joints;
	std::vector<int> m_joint_rows; // first row of each joint, and the end
	std::vector<btSolverConstraint *> m_rows; // all that are solved
	std::vector<double> m_before, m_direction; // of their impulses

	Body *body_of( int solver_body );
	void set_row( btSolverConstraint &row, const Vector6 &ja, const Vector6 &jb );
	void whiten( btSolverConstraint &row );
	double row_rate( const btSolverConstraint &row, bool predicted, bool solved );
	void prepare_joints();
	void orthogonalize( int first, int count );
	void prepare_contacts();
	void prepare_corrections();
	void list_rows();
	void keep_impulses();
	double accelerate( double last );
	double solve_pair( btSolverConstraint &first, btSolverConstraint &second, double limit );
	void collect_joints();
};

// L x = r (forward) and L^T x = r (backward), and L x, for a body's Cholesky factor.
bool factorize( const ds_mat6 &mass, double factor[6][6] );
Vector6 solve_forward( const double factor[6][6], const Vector6 &r );
Vector6 solve_backward( const double factor[6][6], const Vector6 &r );
Vector6 multiply( const double factor[6][6], const Vector6 &x );
Vector6 to_vector6( const ds_twist &twist );

} // namespace dsb

// The shape that C sees: parts of all its primitives, compounds flattened.
struct dsb_shape
{
	std::atomic<int64_t> references{ 1 };
	std::vector<dsb::Part> parts;
};

#endif

// Contact points of a pair of primitives, and which of them are kept. Polyhedra and planes are our own; curved shapes go
// through Bullet's algorithms, made anew each time, so that no simplex or axis of an earlier step is used.

#include "bullet/bullet_internal.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

// Takes the points that Bullet's algorithms report, without Bullet's own merging by distance.
class Collector : public btManifoldResult
{
  public:
	Collector( const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b, double threshold,
		std::vector<Point> &points )
		: btManifoldResult( a, b ), m_a( a->getCollisionObject() ), m_threshold( threshold ), m_points( points )
	{
	}

	void addContactPoint( const btVector3 &normal, const btVector3 &on_b, btScalar distance ) override
	{
		if ( !( distance <= m_threshold ) )
		{
			return;
		}
		// Inside, Bullet may have exchanged the two.
		btVector3 on_a = on_b + normal * distance;
		if ( getBody0Internal() == m_a )
		{
			m_points.push_back( { normal, on_a, on_b, distance } );
		}
		else
		{
			m_points.push_back( { -normal, on_b, on_a, distance } );
		}
	}

  private:
	const btCollisionObject *m_a;
	double m_threshold;
	std::vector<Point> &m_points;
};

static void collide_by_bullet( btCollisionDispatcher &dispatcher, const btDispatcherInfo &info,
	const btCollisionObject &object_a, const btCollisionObject &object_b, const Part &a, const btTransform &pose_a,
	const Part &b, const btTransform &pose_b, double threshold, std::vector<Point> &points )
{
	btCollisionObjectWrapper wrap_a( nullptr, a.primitive->shape.get(), &object_a, pose_a, -1, -1 );
	btCollisionObjectWrapper wrap_b( nullptr, b.primitive->shape.get(), &object_b, pose_b, -1, -1 );
	btPersistentManifold *manifold = dispatcher.getNewManifold( &object_a, &object_b );
	manifold->setContactBreakingThreshold( threshold );
	btCollisionAlgorithm *algorithm =
		dispatcher.findAlgorithm( &wrap_a, &wrap_b, manifold, BT_CONTACT_POINT_ALGORITHMS );
	if ( algorithm )
	{
		Collector collector( &wrap_a, &wrap_b, threshold, points );
		collector.setPersistentManifold( manifold );
		algorithm->processCollision( &wrap_a, &wrap_b, info, &collector );
		algorithm->~btCollisionAlgorithm();
		dispatcher.freeCollisionAlgorithm( algorithm );
	}
	dispatcher.releaseManifold( manifold );
}

// Four points of the rim of each end of a cylinder: the lowest along `down`, and at quarter turns from it.
static void cylinder_points( const Primitive &p, const btVector3 &down, std::vector<btVector3> &points )
{
	double n = std::hypot( down.y(), down.z() );
	double cosine = n > 1e-9 ? down.y() / n : 1, sine = n > 1e-9 ? down.z() / n : 0;
	for ( double x : { 0.5 * p.length, -0.5 * p.length } )
	{
		points.push_back( btVector3( x, p.radius * cosine, p.radius * sine ) );
		points.push_back( btVector3( x, -p.radius * cosine, -p.radius * sine ) );
		points.push_back( btVector3( x, -p.radius * sine, p.radius * cosine ) );
		points.push_back( btVector3( x, p.radius * sine, -p.radius * cosine ) );
	}
}

// The points of a convex primitive that may touch a plane whose inward direction is `down`.
static std::vector<btVector3> candidates( const Primitive &p, const btVector3 &down )
{
	switch ( p.kind )
	{
		case Kind::Sphere:
			return { down * p.radius };
		case Kind::Capsule:
			return { btVector3( 0.5 * p.length, 0, 0 ) + down * p.radius,
				btVector3( -0.5 * p.length, 0, 0 ) + down * p.radius };
		case Kind::Cylinder:
		{
			std::vector<btVector3> points;
			cylinder_points( p, down, points );
			return points;
		}
		default:
			return p.polyhedron.vertices;
	}
}

// `plane_is_a`: which of the two the plane is.
static void collide_plane( const Primitive &plane, const btTransform &plane_pose, const Primitive &convex,
	const btTransform &pose, bool plane_is_a, double threshold, std::vector<Point> &points )
{
	btVector3 normal = plane_pose.getBasis() * plane.normal;
	double offset = plane.offset + normal.dot( plane_pose.getOrigin() );
	btVector3 down = -( normal * pose.getBasis() );
	for ( const btVector3 &local : candidates( convex, down ) )
	{
		btVector3 p = pose * local;
		double d = normal.dot( p ) - offset;
		btVector3 foot = p - normal * d;
		if ( d <= threshold )
		{
			points.push_back( plane_is_a ? Point{ -normal, foot, p, d } : Point{ normal, p, foot, d } );
		}
	}
}

// The triangles near a polyhedron, in the mesh's frame.
class TriangleCollector : public btTriangleCallback
{
  public:
	TriangleCollector( const Polyhedron &polyhedron, double threshold )
		: m_polyhedron( polyhedron ), m_threshold( threshold )
	{
	}

	void processTriangle( btVector3 *triangle, int, int ) override
	{
		collide_triangle( triangle, m_polyhedron, m_threshold, points );
	}

	std::vector<Point> points;

  private:
	const Polyhedron &m_polyhedron;
	double m_threshold;
};

static void collide_mesh( const Primitive &mesh, const btTransform &mesh_pose, const Primitive &convex,
	const btTransform &pose, bool mesh_is_a, double threshold, std::vector<Point> &points )
{
	btTransform local = mesh_pose.inverseTimes( pose );
	Polyhedron polyhedron = placed( convex.polyhedron, local );
	TriangleCollector collector( polyhedron, threshold );
	btVector3 lower, upper, margin( threshold, threshold, threshold );
	primitive_bounds( convex, local, lower, upper );
	static_cast<const btBvhTriangleMeshShape *>( mesh.shape.get() )
		->processAllTriangles( &collector, lower - margin, upper + margin );
	for ( const Point &p : collector.points )
	{
		// Here the mesh was a.
		btVector3 normal = mesh_pose.getBasis() * p.normal, on_mesh = mesh_pose * p.on_a,
				  on_convex = mesh_pose * p.on_b;
		points.push_back( mesh_is_a ? Point{ normal, on_mesh, on_convex, p.distance }
									: Point{ -normal, on_convex, on_mesh, p.distance } );
	}
}

void collide( btCollisionDispatcher &dispatcher, const btDispatcherInfo &info, const btCollisionObject &object_a,
	const btCollisionObject &object_b, const Part &a, const btTransform &pose_a, const Part &b,
	const btTransform &pose_b, double threshold, std::vector<Point> &points )
{
	const Primitive &p = *a.primitive, &q = *b.primitive;
	if ( p.kind == Kind::Plane || q.kind == Kind::Plane )
	{
		bool plane_is_a = p.kind == Kind::Plane;
		collide_plane( plane_is_a ? p : q, plane_is_a ? pose_a : pose_b, plane_is_a ? q : p,
			plane_is_a ? pose_b : pose_a, plane_is_a, threshold, points );
	}
	else if ( p.faceted && q.faceted )
	{
		collide_polyhedra( p.polyhedron, pose_a, q.polyhedron, pose_b, threshold, points );
	}
	else if ( p.kind == Kind::Mesh && q.faceted )
	{
		collide_mesh( p, pose_a, q, pose_b, true, threshold, points );
	}
	else if ( q.kind == Kind::Mesh && p.faceted )
	{
		collide_mesh( q, pose_b, p, pose_a, false, threshold, points );
	}
	else
	{
		collide_by_bullet( dispatcher, info, object_a, object_b, a, pose_a, b, pose_b, threshold, points );
	}
}

// ---- Which points are kept ----

// Points whose normals are within 8 degrees belong together.
static const double SAME_DIRECTION = 0.99;

// Of the points of one direction, those four that hold the most: the deepest, the farthest from it, the farthest from the
// line of both, and the farthest on the other side of that line.
static std::vector<int> four_of( const std::vector<Point> &points, const std::vector<int> &group )
{
	if ( group.size() <= 4 )
	{
		return group;
	}
	auto best = [&]( auto measure ) {
		int found = -1;
		double value = 0;
		for ( int i : group )
		{
			double m = measure( points[(size_t)i] );
			if ( found < 0 || m > value )
			{
				value = m;
				found = i;
			}
		}
		return found;
	};
	int first = best( []( const Point &p ) { return -p.distance; } );
	btVector3 origin = points[(size_t)first].on_b, normal = points[(size_t)first].normal;
	int second = best( [&]( const Point &p ) { return ( p.on_b - origin ).length2(); } );
	btVector3 side = normal.cross( points[(size_t)second].on_b - origin );
	int third = best( [&]( const Point &p ) { return std::fabs( side.dot( p.on_b - origin ) ); } );
	double sign = side.dot( points[(size_t)third].on_b - origin ) < 0 ? 1 : -1;
	int fourth = best( [&]( const Point &p ) { return sign * side.dot( p.on_b - origin ); } );
	std::vector<int> kept{ first, second, third, fourth };
	std::sort( kept.begin(), kept.end() );
	kept.erase( std::unique( kept.begin(), kept.end() ), kept.end() );
	return kept;
}

void reduce( const std::vector<Point> &points, double margin, std::vector<std::vector<int>> &groups )
{
	groups.clear();
	std::vector<std::vector<int>> all;
	for ( size_t i = 0; i < points.size(); ++i )
	{
		// Those that touch, or nearly so, are grouped apart from those that the coming step may bring.
		bool near = points[i].distance <= margin, known = false;
		for ( std::vector<int> &group : all )
		{
			const Point &head = points[(size_t)group[0]];
			if ( ( head.distance <= margin ) == near && head.normal.dot( points[i].normal ) > SAME_DIRECTION )
			{
				group.push_back( (int)i );
				known = true;
				break;
			}
		}
		if ( !known )
		{
			all.push_back( { (int)i } );
		}
	}
	for ( const std::vector<int> &group : all )
	{
		groups.push_back( four_of( points, group ) );
	}
}

} // namespace dsb

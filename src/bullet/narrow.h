// Inside the Bullet shim: contact points of pairs of primitives.
//
// Bullet's own algorithms are not used for this. Without history they see boxes only once they overlap, give one point a
// pair for curved shapes, and round hulls to 1e-4 of their size; resting bodies then wobble. Here all primitives are
// planes, triangles, polyhedra, or points and segments with a radius, and every pair has its points at once and exactly.
// Cylinders are prisms turned so that an edge lies where they touch; planes see their true rim.

#ifndef DEEPSIM_SRC_BULLET_NARROW_H
#define DEEPSIM_SRC_BULLET_NARROW_H

#include "bullet/bullet_internal.h"

namespace dsb
{

struct Point
{
	btVector3 normal; // unit, from b to a
	btVector3 on_a, on_b;
	double distance;
	bool edge; // between edges or corners, not on a face; of a triangle: not along its normal
	double cut = 0; // where a body goes on over the side of a triangle: the triangle's angle there [rad]
};

// A point or a segment, with a radius around it.
struct Round
{
	btVector3 core[2];
	int count;
	double radius;
};

// Finds contact points. Keeps its buffers, so that it allocates nothing once they have grown, and nothing else.
class Narrow
{
  public:
	std::vector<Point> points; // of the last pair

	// Points of two primitives nearer than `threshold`. Poses near the origin.
	void collide( const Primitive &a, const btTransform &pose_a, const Primitive &b, const btTransform &pose_b,
		double threshold );

	// Parts the points into groups of one direction and at most four points that hold as the whole would. Points nearer than
	// `margin` are grouped apart from those that only the coming step may bring. Of those nearer than `touching`, which may
	// bear a load, none gives way to others that do not; -INFINITY: they are as all.
	void reduce( double touching, double margin );
	int group_count() const
	{
		return m_group_count;
	}
	const std::vector<int> &group( int i ) const
	{
		return m_groups[(size_t)i];
	}

  private:
	struct Axis
	{
		double separation;
		btVector3 normal;
		int face; // of the reference polyhedron
		btVector3 edge_a, edge_b; // directions of two edges
	};
	class TriangleCallback;

	// polyhedra.cpp: of m_a and m_b, which are placed; m_b against one side of m_flat; into `points`.
	Axis collide_polyhedra( double threshold );
	void collide_triangle( double threshold );
	static Axis face_axis( const Polyhedron &reference, const std::vector<btVector3> &other );
	static Axis edge_axis( const Polyhedron &from, const Polyhedron &to );
	static Axis triangle_face_axis(
		const Polyhedron &b, const std::vector<btVector3> &triangle, const btVector3 &up, bool &apart );
	static Axis triangle_edge_axis( const Polyhedron &triangle, const Polyhedron &b, const btVector3 &up, bool &apart );
	void clip( const btVector3 &normal, double offset );
	void clip_to( const Polyhedron &reference, int face );
	void polygon_of( const Polyhedron &polyhedron, int face );
	void add_face_points( const btVector3 &normal, double offset, bool reference_is_a, double threshold );
	void add_edge_point( const Polyhedron &a, const Polyhedron &b, const Axis &axis );

	// round.cpp
	void add_core_points(
		const Round &a, double s, double s2, const Polyhedron &b, const Polyhedron::Face &face, double threshold );
	btVector3 collide_round( const Round &a, const Polyhedron &b, double threshold );
	void collide_rounds( const Round &a, const Round &b, double threshold );

	// surface.cpp
	struct Cover;
	void collide_surface( const Primitive &surface, const btTransform &surface_pose, const Primitive &convex,
		const btTransform &pose, double threshold );

	// narrow.cpp
	void collide_plane( const Primitive &plane, const btTransform &plane_pose, const Primitive &convex,
		const btTransform &pose, double threshold );
	void collide_mesh( const Primitive &mesh, const btTransform &mesh_pose, const Primitive &convex,
		const btTransform &pose, double threshold );
	void touch_triangle( const btVector3 *corners, const Primitive &convex, const btTransform &pose, double threshold );
	void set_aside( size_t first );
	void settle_edges( double height, double angle );
	void drop_inner_cuts( double height, double angle );
	void set_triangle( const btVector3 *corners );
	void swap_sides();
	void keep_of( const std::vector<int> &all, double touching );
	void four_of( const std::vector<int> &all, std::vector<int> &kept ) const;

	Polyhedron m_a, m_b, m_flat;
	std::vector<Point> m_aside; // of triangles nearest by an edge: what lies over their own planes
	std::vector<btVector3> m_polygon, m_clipped, m_candidates;
	std::vector<std::vector<int>> m_sets, m_groups;
	std::vector<int> m_order, m_touching;
	std::vector<bool> m_inner;
	int m_group_count = 0;
};

// The angle of a triangle at a point of its outline: pi on a side [rad]; 0 within.
double angle_at( const std::vector<btVector3> &triangle, const btVector3 &point );

// Made of triangles.
bool is_thin( const Primitive &p );

// A sphere or a capsule.
bool is_round( const Primitive &p );

// Of what is taken for one plane [m]: a small part of a body's size.
double flatness( const Primitive &convex );

// dst = polyhedron at a pose.
void place_polyhedron( const Polyhedron &polyhedron, const btTransform &pose, Polyhedron &dst );

// The pose of a cylinder, turned about its axis so that an edge of its prism points along `direction`.
btTransform turned( const btTransform &pose, const btVector3 &direction );

} // namespace dsb

#endif

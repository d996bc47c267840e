// Contact points of convex polyhedra: the axis of greatest separation, then the facing polygons clipped on each other, or
// the nearest points of two edges. Works apart as well as in overlap, so that resting contacts never come and go.

#include "bullet/bullet_internal.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

// An edge axis must part the bodies by this much more than a face does: of the overlap, and of the smaller size.
static const double EDGE_RELATIVE = 0.05, EDGE_ABSOLUTE = 1e-5;

// Against triangles, contact normals make less than 84 degrees with the triangle's: its neighbours see to the rest.
static const double FACING = 0.1;

struct Axis
{
	double separation = -INFINITY;
	btVector3 normal{ 0, 0, 0 };
	int face = -1; // of the reference polyhedron, or
	btVector3 edge_a{ 0, 0, 0 }, edge_b{ 0, 0, 0 }; // directions of the two edges
};

Polyhedron placed( const Polyhedron &polyhedron, const btTransform &pose )
{
	Polyhedron p = polyhedron;
	for ( btVector3 &v : p.vertices )
	{
		v = pose * v;
	}
	for ( Polyhedron::Face &face : p.faces )
	{
		face.normal = pose.getBasis() * face.normal;
		face.offset += face.normal.dot( pose.getOrigin() );
	}
	for ( btVector3 &d : p.directions )
	{
		d = pose.getBasis() * d;
	}
	p.centre = pose * p.centre;
	return p;
}

static double least( const std::vector<btVector3> &vertices, const btVector3 &axis )
{
	double d = INFINITY;
	for ( const btVector3 &v : vertices )
	{
		d = std::min( d, axis.dot( v ) );
	}
	return d;
}

static double greatest( const std::vector<btVector3> &vertices, const btVector3 &axis )
{
	return -least( vertices, -axis );
}

static double size_of( const Polyhedron &p )
{
	return ( p.vertices[0] - p.centre ).length();
}

// The face of `reference` that parts the two most.
static Axis face_axis( const Polyhedron &reference, const std::vector<btVector3> &other )
{
	Axis best;
	for ( size_t i = 0; i < reference.faces.size(); ++i )
	{
		const Polyhedron::Face &face = reference.faces[i];
		double s = least( other, face.normal ) - face.offset;
		if ( s > best.separation )
		{
			best.separation = s;
			best.normal = face.normal;
			best.face = (int)i;
		}
	}
	return best;
}

// The pair of edge directions that parts the two most; the normal points from `from` to `to`.
static Axis edge_axis( const Polyhedron &from, const Polyhedron &to )
{
	Axis best;
	for ( const btVector3 &d : from.directions )
	{
		for ( const btVector3 &e : to.directions )
		{
			btVector3 n = d.cross( e );
			double length = n.length();
			if ( length < 1e-6 )
			{
				continue;
			}
			n *= ( n.dot( to.centre - from.centre ) < 0 ? -1 : 1 ) / length;
			double s = least( to.vertices, n ) - greatest( from.vertices, n );
			if ( s > best.separation )
			{
				best.separation = s;
				best.normal = n;
				best.edge_a = d;
				best.edge_b = e;
			}
		}
	}
	return best;
}

// Cuts off what lies above the plane normal . p = offset.
static void clip(
	std::vector<btVector3> &polygon, std::vector<btVector3> &scratch, const btVector3 &normal, double offset )
{
	scratch.clear();
	for ( size_t i = 0; i < polygon.size(); ++i )
	{
		const btVector3 &p = polygon[i], &q = polygon[( i + 1 ) % polygon.size()];
		double hp = normal.dot( p ) - offset, hq = normal.dot( q ) - offset;
		if ( hp <= 0 )
		{
			scratch.push_back( p );
		}
		if ( ( hp < 0 && hq > 0 ) || ( hp > 0 && hq < 0 ) )
		{
			scratch.push_back( p + ( q - p ) * ( hp / ( hp - hq ) ) );
		}
	}
	polygon.swap( scratch );
}

// Clips `polygon` by the planes through the edges of the reference polygon, at right angles to its normal.
static void clip_to( std::vector<btVector3> &polygon, const std::vector<btVector3> &reference, const btVector3 &normal )
{
	std::vector<btVector3> scratch;
	for ( size_t k = 0; k < reference.size() && !polygon.empty(); ++k )
	{
		const btVector3 &p = reference[k], &q = reference[( k + 1 ) % reference.size()];
		btVector3 side = ( q - p ).cross( normal );
		clip( polygon, scratch, side, side.dot( p ) );
	}
}

static std::vector<btVector3> polygon_of( const Polyhedron &p, int face )
{
	std::vector<btVector3> polygon;
	for ( int corner : p.faces[(size_t)face].corners )
	{
		polygon.push_back( p.vertices[(size_t)corner] );
	}
	return polygon;
}

static int face_against( const Polyhedron &p, const btVector3 &normal )
{
	int best = 0;
	double least_dot = INFINITY;
	for ( size_t i = 0; i < p.faces.size(); ++i )
	{
		double d = p.faces[i].normal.dot( normal );
		if ( d < least_dot - 1e-12 )
		{
			least_dot = d;
			best = (int)i;
		}
	}
	return best;
}

// Points of an incident polygon under a reference plane. `reference_is_a`: whose plane it is.
static void add_face_points( const std::vector<btVector3> &polygon, const btVector3 &normal, double offset,
	bool reference_is_a, double threshold, std::vector<Point> &points )
{
	for ( const btVector3 &p : polygon )
	{
		double d = normal.dot( p ) - offset;
		btVector3 foot = p - normal * d;
		if ( d <= threshold )
		{
			points.push_back( reference_is_a ? Point{ -normal, foot, p, d } : Point{ normal, p, foot, d } );
		}
	}
}

// The edge along `direction` that lies farthest along `axis`.
static bool support_edge(
	const Polyhedron &p, const btVector3 &direction, const btVector3 &axis, btVector3 &from, btVector3 &to )
{
	double best = -INFINITY;
	for ( const std::array<int, 2> &edge : p.edges )
	{
		const btVector3 &u = p.vertices[(size_t)edge[0]], &v = p.vertices[(size_t)edge[1]];
		double reach = axis.dot( u + v );
		if ( ( v - u ).cross( direction ).length() < 1e-6 * ( v - u ).length() && reach > best )
		{
			best = reach;
			from = u;
			to = v;
		}
	}
	return best > -INFINITY;
}

// The nearest points of two edges; `normal` points from a to b.
static void add_edge_point( const Polyhedron &a, const Polyhedron &b, const Axis &axis, std::vector<Point> &points )
{
	btVector3 a0, a1, b0, b1;
	if ( !support_edge( a, axis.edge_a, axis.normal, a0, a1 ) || !support_edge( b, axis.edge_b, -axis.normal, b0, b1 ) )
	{
		return;
	}
	btVector3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
	double uu = u.dot( u ), uv = u.dot( v ), vv = v.dot( v ), uw = u.dot( w ), vw = v.dot( w );
	double determinant = uu * vv - uv * uv;
	double s = determinant > 0 ? ( uv * vw - vv * uw ) / determinant : 0;
	s = std::min( 1.0, std::max( 0.0, s ) );
	double t = std::min( 1.0, std::max( 0.0, ( uv * s + vw ) / vv ) );
	btVector3 on_a = a0 + u * s, on_b = b0 + v * t;
	points.push_back( { -axis.normal, on_a, on_b, ( on_b - on_a ).dot( axis.normal ) } );
}

void collide_polyhedra( const Polyhedron &local_a, const btTransform &pose_a, const Polyhedron &local_b,
	const btTransform &pose_b, double threshold, std::vector<Point> &points )
{
	Polyhedron a = placed( local_a, pose_a ), b = placed( local_b, pose_b );
	Axis face_a = face_axis( a, b.vertices );
	Axis face_b = face_axis( b, a.vertices );
	if ( face_a.separation > threshold || face_b.separation > threshold )
	{
		return;
	}
	Axis edge = edge_axis( a, b );
	if ( edge.separation > threshold )
	{
		return;
	}
	double size = std::min( size_of( a ), size_of( b ) );
	double face = std::max( face_a.separation, face_b.separation );
	if ( edge.separation > face + EDGE_RELATIVE * std::fabs( face ) + EDGE_ABSOLUTE * size )
	{
		add_edge_point( a, b, edge, points );
		return;
	}

	// The first body's face is preferred, so that rounding does not change the reference.
	bool use_a = face_a.separation > face_b.separation - EDGE_ABSOLUTE * size;
	const Polyhedron &reference = use_a ? a : b, &other = use_a ? b : a;
	const Axis &axis = use_a ? face_a : face_b;
	std::vector<btVector3> polygon = polygon_of( other, face_against( other, axis.normal ) );
	clip_to( polygon, polygon_of( reference, axis.face ), axis.normal );
	add_face_points( polygon, axis.normal, reference.faces[(size_t)axis.face].offset, use_a, threshold, points );
}

// The best axis of a polyhedron's own faces against a triangle; apart: some axis holds them apart that is no contact.
static Axis triangle_face_axis(
	const Polyhedron &b, const std::vector<btVector3> &triangle, const btVector3 &up, bool &apart )
{
	Axis best;
	for ( size_t i = 0; i < b.faces.size(); ++i )
	{
		const Polyhedron::Face &face = b.faces[i];
		double s = least( triangle, face.normal ) - face.offset;
		bool facing = -face.normal.dot( up ) > FACING;
		apart = apart || ( !facing && s > 0 );
		if ( facing && s > best.separation )
		{
			best.separation = s;
			best.normal = face.normal;
			best.face = (int)i;
		}
	}
	return best;
}

static Axis triangle_edge_axis( const Polyhedron &triangle, const Polyhedron &b, const btVector3 &up, bool &apart )
{
	Axis best;
	for ( const btVector3 &d : triangle.directions )
	{
		for ( const btVector3 &e : b.directions )
		{
			btVector3 n = d.cross( e );
			double length = n.length();
			if ( length < 1e-6 )
			{
				continue;
			}
			n *= ( n.dot( up ) < 0 ? -1 : 1 ) / length;
			double s = least( b.vertices, n ) - greatest( triangle.vertices, n );
			bool facing = n.dot( up ) > FACING;
			apart = apart || ( !facing && s > 0 );
			if ( facing && s > best.separation )
			{
				best = { s, n, -1, d, e };
			}
		}
	}
	return best;
}

void collide_triangle( const btVector3 corners[3], const Polyhedron &b, double threshold, std::vector<Point> &points )
{
	std::vector<btVector3> triangle( corners, corners + 3 );
	btVector3 up = ( corners[1] - corners[0] ).cross( corners[2] - corners[0] );
	double area = up.length();
	if ( !( area > 0 ) )
	{
		return;
	}
	up /= area;
	double offset = up.dot( corners[0] );
	double plane = least( b.vertices, up ) - offset;
	if ( plane > threshold || up.dot( b.centre ) < offset )
	{
		return;
	}
	bool apart = false;
	Axis face = triangle_face_axis( b, triangle, up, apart );
	Polyhedron flat;
	flat.vertices = triangle;
	flat.edges = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
	for ( const std::array<int, 2> &edge : flat.edges )
	{
		flat.directions.push_back( ( corners[edge[1]] - corners[edge[0]] ).normalized() );
	}
	Axis edge = triangle_edge_axis( flat, b, up, apart );
	if ( apart || face.separation > threshold || edge.separation > threshold )
	{
		return;
	}

	double size = EDGE_ABSOLUTE * std::min( size_of( b ), std::sqrt( area ) );
	double flatter = std::max( plane, face.separation );
	if ( edge.separation > flatter + EDGE_RELATIVE * std::fabs( flatter ) + size )
	{
		add_edge_point( flat, b, edge, points );
	}
	else if ( face.separation > plane + EDGE_RELATIVE * std::fabs( plane ) + size )
	{
		std::vector<btVector3> polygon = triangle;
		clip_to( polygon, polygon_of( b, face.face ), face.normal );
		add_face_points( polygon, face.normal, b.faces[(size_t)face.face].offset, false, threshold, points );
	}
	else
	{
		std::vector<btVector3> polygon = polygon_of( b, face_against( b, up ) );
		clip_to( polygon, triangle, up );
		add_face_points( polygon, up, offset, true, threshold, points );
	}
}

} // namespace dsb

// Contact points of convex polyhedra: the axis of greatest separation, then the facing polygons clipped on each other, or
// the nearest points of two edges. Works apart as well as in overlap, so that resting contacts never come and go.

#include "bullet/narrow.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

// An edge axis must part the bodies by this much more than a face does: of the overlap, and of the smaller size.
static const double EDGE_RELATIVE = 0.05, EDGE_ABSOLUTE = 1e-5;

// Against triangles, contact normals make less than 84 degrees with the triangle's: its neighbours see to the rest.
static const double FACING = 0.1;

// More pairs of edge directions than this are not tried: hulls with so many have faces in every direction.
static const size_t EDGE_PAIRS = 4096;

void place_polyhedron( const Polyhedron &polyhedron, const btTransform &pose, Polyhedron &p )
{
	p = polyhedron;
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
}

#define NO_AXIS ( Axis{ -INFINITY, btVector3( 0, 0, 0 ), -1, btVector3( 0, 0, 0 ), btVector3( 0, 0, 0 ) } )

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
Narrow::Axis Narrow::face_axis( const Polyhedron &reference, const std::vector<btVector3> &other )
{
	Axis best = NO_AXIS;
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
Narrow::Axis Narrow::edge_axis( const Polyhedron &from, const Polyhedron &to )
{
	Axis best = NO_AXIS;
	if ( from.directions.size() * to.directions.size() > EDGE_PAIRS )
	{
		return best;
	}
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

// Cuts off what of the polygon lies above the plane normal . p = offset.
void Narrow::clip( const btVector3 &normal, double offset )
{
	m_clipped.clear();
	for ( size_t i = 0; i < m_polygon.size(); ++i )
	{
		const btVector3 &p = m_polygon[i], &q = m_polygon[( i + 1 ) % m_polygon.size()];
		double hp = normal.dot( p ) - offset, hq = normal.dot( q ) - offset;
		if ( hp <= 0 )
		{
			m_clipped.push_back( p );
		}
		if ( ( hp < 0 && hq > 0 ) || ( hp > 0 && hq < 0 ) )
		{
			m_clipped.push_back( p + ( q - p ) * ( hp / ( hp - hq ) ) );
		}
	}
	m_polygon.swap( m_clipped );
}

// Clips the polygon by the planes through the edges of a face, at right angles to it.
void Narrow::clip_to( const Polyhedron &reference, int face )
{
	const Polyhedron::Face &f = reference.faces[(size_t)face];
	for ( size_t k = 0; k < f.corners.size() && !m_polygon.empty(); ++k )
	{
		const btVector3 &p = reference.vertices[(size_t)f.corners[k]];
		const btVector3 &q = reference.vertices[(size_t)f.corners[( k + 1 ) % f.corners.size()]];
		btVector3 side = ( q - p ).cross( f.normal );
		clip( side, side.dot( p ) );
	}
}

void Narrow::polygon_of( const Polyhedron &p, int face )
{
	m_polygon.clear();
	for ( int corner : p.faces[(size_t)face].corners )
	{
		m_polygon.push_back( p.vertices[(size_t)corner] );
	}
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

// The polygon's points under a reference plane. `reference_is_a`: whose plane it is.
void Narrow::add_face_points( const btVector3 &normal, double offset, bool reference_is_a, double threshold )
{
	for ( const btVector3 &p : m_polygon )
	{
		double d = normal.dot( p ) - offset;
		btVector3 foot = p - normal * d;
		if ( d <= threshold )
		{
			points.push_back(
				reference_is_a ? Point{ -normal, foot, p, d, false } : Point{ normal, p, foot, d, false } );
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
void Narrow::add_edge_point( const Polyhedron &a, const Polyhedron &b, const Axis &axis )
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
	points.push_back( { -axis.normal, on_a, on_b, ( on_b - on_a ).dot( axis.normal ), true } );
}

Narrow::Axis Narrow::collide_polyhedra( double threshold )
{
	const Polyhedron &a = m_a, &b = m_b;
	Axis face_a = face_axis( a, b.vertices );
	Axis face_b = face_axis( b, a.vertices );
	if ( face_a.separation > threshold || face_b.separation > threshold )
	{
		return NO_AXIS;
	}
	Axis edge = edge_axis( a, b );
	if ( edge.separation > threshold )
	{
		return NO_AXIS;
	}
	double size = std::min( size_of( a ), size_of( b ) );
	double face = std::max( face_a.separation, face_b.separation );
	if ( edge.separation > face + EDGE_RELATIVE * std::fabs( face ) + EDGE_ABSOLUTE * size )
	{
		add_edge_point( a, b, edge );
		return edge;
	}

	// The first body's face is preferred, so that rounding does not change the reference.
	bool use_a = face_a.separation > face_b.separation - EDGE_ABSOLUTE * size;
	const Polyhedron &reference = use_a ? a : b, &other = use_a ? b : a;
	Axis axis = use_a ? face_a : face_b;
	polygon_of( other, face_against( other, axis.normal ) );
	clip_to( reference, axis.face );
	add_face_points( axis.normal, reference.faces[(size_t)axis.face].offset, use_a, threshold );
	axis.normal *= use_a ? 1 : -1;
	return axis;
}

// The best axis of a polyhedron's own faces against a triangle; apart: some axis holds them apart that is no contact.
Narrow::Axis Narrow::triangle_face_axis(
	const Polyhedron &b, const std::vector<btVector3> &triangle, const btVector3 &up, bool &apart )
{
	Axis best = NO_AXIS;
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

Narrow::Axis Narrow::triangle_edge_axis(
	const Polyhedron &triangle, const Polyhedron &b, const btVector3 &up, bool &apart )
{
	Axis best = NO_AXIS;
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
				best = Axis{ s, n, -1, d, e };
			}
		}
	}
	return best;
}

double angle_at( const std::vector<btVector3> &triangle, const btVector3 &point )
{
	int sides = 0, opposite = 0;
	for ( int k = 0; k < 3; ++k )
	{
		btVector3 side = triangle[( (size_t)k + 1 ) % 3] - triangle[(size_t)k];
		if ( side.cross( point - triangle[(size_t)k] ).length() < 1e-9 * side.length2() )
		{
			++sides;
			opposite += k;
		}
	}
	if ( sides < 2 )
	{
		return sides == 1 ? SIMD_PI : 0;
	}
	// Sides 0 and 1 meet in corner 1, 1 and 2 in corner 2, 0 and 2 in corner 0.
	size_t corner = opposite == 1 ? 1 : opposite == 3 ? 2 : 0;
	btVector3 p = triangle[( corner + 1 ) % 3] - triangle[corner], q = triangle[( corner + 2 ) % 3] - triangle[corner];
	return std::atan2( p.cross( q ).length(), p.dot( q ) );
}

static bool is_corner( const Polyhedron &p, int face, const btVector3 &point )
{
	const std::vector<int> &corners = p.faces[(size_t)face].corners;
	return std::any_of(
		corners.begin(), corners.end(), [&]( int corner ) { return p.vertices[(size_t)corner] == point; } );
}

void Narrow::collide_triangle( double threshold )
{
	const Polyhedron &b = m_b;
	const btVector3 &up = m_flat.faces[0].normal;
	double offset = m_flat.faces[0].offset;
	double plane = least( b.vertices, up ) - offset;
	if ( plane > threshold || up.dot( b.centre ) < offset )
	{
		return;
	}
	bool apart = false;
	Axis face = triangle_face_axis( b, m_flat.vertices, up, apart );
	Axis edge = triangle_edge_axis( m_flat, b, up, apart );
	if ( apart || face.separation > threshold || edge.separation > threshold )
	{
		return;
	}
	double size = EDGE_ABSOLUTE * std::min( size_of( b ), size_of( m_flat ) );
	double flatter = std::max( plane, face.separation );
	bool by_edge = edge.separation > flatter + EDGE_RELATIVE * std::fabs( flatter ) + size;
	bool by_face = !by_edge && face.separation > plane + EDGE_RELATIVE * std::fabs( plane ) + size;
	size_t first = points.size();
	int bottom = face_against( b, up );
	polygon_of( b, bottom );
	clip_to( m_flat, 0 );
	add_face_points( up, offset, true, threshold );
	for ( size_t i = first; i < points.size(); ++i )
	{
		points[i].cut = is_corner( b, bottom, points[i].on_b ) ? 0 : angle_at( m_flat.vertices, points[i].on_a );
	}
	if ( by_edge || by_face )
	{
		set_aside( first );
	}
	if ( by_edge )
	{
		add_edge_point( m_flat, b, edge );
	}
	else if ( by_face )
	{
		polygon_of( m_flat, 0 );
		clip_to( b, face.face );
		add_face_points( face.normal, b.faces[(size_t)face.face].offset, false, threshold );
		for ( size_t i = first; i < points.size(); ++i )
		{
			points[i].edge = true;
		}
	}
}

} // namespace dsb

// Contact points of spheres and capsules: points and segments with a radius.

#include "bullet/narrow.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

// Against triangles, contact normals make less than 84 degrees with the triangle's, as for polyhedra.
static const double FACING = 0.1;

// Nearest points of two segments (or points): p0 + s u and q0 + t v.
struct Nearest
{
	double s, t;
	bool parallel;
	double s2; // parallel: where along the first the common stretch ends; s is where it starts
};

static double clamped( double x )
{
	return std::min( 1.0, std::max( 0.0, x ) );
}

static Nearest nearest( const btVector3 &p0, const btVector3 &u, const btVector3 &q0, const btVector3 &v )
{
	btVector3 w = p0 - q0;
	double uu = u.dot( u ), uv = u.dot( v ), vv = v.dot( v ), uw = u.dot( w ), vw = v.dot( w );
	Nearest n{ 0, 0, false, 0 };
	double determinant = uu * vv - uv * uv;
	if ( uu > 0 && vv > 0 && determinant < 1e-10 * uu * vv )
	{
		double a = -uw / uu, b = ( uv - uw ) / uu;
		n.s = clamped( std::min( a, b ) );
		n.s2 = clamped( std::max( a, b ) );
		n.parallel = n.s2 > n.s;
	}
	else if ( uu > 0 && vv > 0 )
	{
		n.s = clamped( ( uv * vw - vv * uw ) / determinant );
	}
	n.t = vv > 0 ? clamped( ( uv * n.s + vw ) / vv ) : 0;
	if ( uu > 0 && !n.parallel )
	{
		n.s = clamped( ( uv * n.t - uw ) / uu );
	}
	return n;
}

static btVector3 along( const Round &a )
{
	return a.count == 2 ? a.core[1] - a.core[0] : btVector3( 0, 0, 0 );
}

// The part of a's core that is above the face: from s to s2. False: none of it.
static bool above_face( const Round &a, const Polyhedron &b, const Polyhedron::Face &face, double &s, double &s2 )
{
	btVector3 way = along( a );
	s = 0;
	s2 = 1;
	for ( size_t k = 0; k < face.corners.size(); ++k )
	{
		const btVector3 &p = b.vertices[(size_t)face.corners[k]];
		const btVector3 &q = b.vertices[(size_t)face.corners[( k + 1 ) % face.corners.size()]];
		btVector3 side = ( q - p ).cross( face.normal );
		double h = side.dot( a.core[0] - p ), rise = side.dot( way );
		if ( rise > 0 )
		{
			s2 = std::min( s2, -h / rise );
		}
		else if ( rise < 0 )
		{
			s = std::max( s, -h / rise );
		}
		else if ( h > 0 )
		{
			return false;
		}
	}
	return s <= s2;
}

// The edge of b nearest to a's core.
static double nearest_edge( const Round &a, const Polyhedron &b, Nearest &best, btVector3 &from, btVector3 &edge )
{
	double distance = INFINITY;
	btVector3 way = along( a );
	for ( const std::array<int, 2> &e : b.edges )
	{
		const btVector3 &q = b.vertices[(size_t)e[0]];
		btVector3 v = b.vertices[(size_t)e[1]] - q;
		Nearest n = nearest( a.core[0], way, q, v );
		double d = ( a.core[0] + way * n.s - q - v * n.t ).length();
		if ( d < distance )
		{
			distance = d;
			best = n;
			from = q;
			edge = v;
		}
	}
	return distance;
}

// How far an axis parts a's core from b.
static double separation( const Round &a, const Polyhedron &b, const btVector3 &axis )
{
	double low = axis.dot( a.core[0] ), high = -INFINITY;
	low = a.count == 2 ? std::min( low, axis.dot( a.core[1] ) ) : low;
	for ( const btVector3 &v : b.vertices )
	{
		high = std::max( high, axis.dot( v ) );
	}
	return low - high;
}

// The ends of a stretch of a's core, over a face.
void Narrow::add_core_points(
	const Round &a, double s, double s2, const Polyhedron &b, const Polyhedron::Face &face, double threshold )
{
	for ( int k = 0; k < ( s2 > s ? 2 : 1 ); ++k )
	{
		double at = k == 0 ? s : s2;
		btVector3 core = a.core[0] + along( a ) * at;
		double d = face.normal.dot( core ) - face.offset;
		if ( d - a.radius <= threshold )
		{
			btVector3 foot = core - face.normal * d;
			bool cut = a.count == 2 && at > 0 && at < 1 && b.faces.size() == 1;
			points.push_back( { face.normal, core - face.normal * a.radius, foot, d - a.radius, false,
				cut ? angle_at( b.vertices, foot ) : 0 } );
		}
	}
}

// Returns the direction from b to a of the contact; zero: there is none.
btVector3 Narrow::collide_round( const Round &a, const Polyhedron &b, double threshold )
{
	const Polyhedron::Face *face = nullptr;
	double face_separation = -INFINITY;
	for ( const Polyhedron::Face &f : b.faces )
	{
		double s = f.normal.dot( a.core[0] );
		s = ( a.count == 2 ? std::min( s, f.normal.dot( a.core[1] ) ) : s ) - f.offset;
		if ( s > face_separation )
		{
			face_separation = s;
			face = &f;
		}
	}
	if ( !face || face_separation > threshold + a.radius )
	{
		return btVector3( 0, 0, 0 );
	}

	// The nearest edge, when it parts the two more than any face.
	btVector3 way = along( a ), from( 0, 0, 0 ), edge( 0, 0, 0 );
	Nearest n{};
	double gap = nearest_edge( a, b, n, from, edge ), s = 0, s2 = 0;
	btVector3 axis = gap > 1e-12 ? ( a.core[0] + way * n.s - from - edge * n.t ) / gap : face->normal;
	bool over = above_face( a, b, *face, s, s2 );
	size_t first = points.size();
	bool by_edge = !over || separation( a, b, axis ) > face_separation + 1e-9 * a.radius;
	if ( by_edge )
	{
		bool one_sided = b.faces.size() == 1;
		if ( face_separation < 0 && !one_sided )
		{
			axis = face->normal; // the core is inside, and near an edge
		}
		else if ( gap > threshold + a.radius || ( one_sided && axis.dot( face->normal ) < FACING ) )
		{
			return btVector3( 0, 0, 0 );
		}
		if ( over && one_sided )
		{
			add_core_points( a, s, s2, b, *face, threshold );
			set_aside( first );
		}
		s = n.s;
		s2 = n.parallel ? n.s2 : n.s;
	}
	else
	{
		add_core_points( a, s, s2, b, *face, threshold );
		return face->normal;
	}
	for ( int k = 0; k < ( s2 > s ? 2 : 1 ); ++k )
	{
		btVector3 core = a.core[0] + way * ( k == 0 ? s : s2 );
		double d = face_separation >= 0 ? gap : axis.dot( core ) - face->offset;
		if ( d - a.radius <= threshold )
		{
			points.push_back( { axis, core - axis * a.radius, core - axis * d, d - a.radius, true } );
		}
	}
	return axis;
}

void Narrow::collide_rounds( const Round &a, const Round &b, double threshold )
{
	btVector3 u = along( a ), v = along( b );
	Nearest n = nearest( a.core[0], u, b.core[0], v );
	for ( int k = 0; k < ( n.parallel ? 2 : 1 ); ++k )
	{
		btVector3 p = a.core[0] + u * ( k == 0 ? n.s : n.s2 );
		double t = v.length2() > 0 ? clamped( v.dot( p - b.core[0] ) / v.length2() ) : 0;
		btVector3 way = p - ( b.core[0] + v * t );
		double d = way.length();
		btVector3 normal = d > 1e-12 ? way / d : btVector3( 0, 0, -1 );
		if ( d - a.radius - b.radius <= threshold )
		{
			points.push_back(
				{ normal, p - normal * a.radius, p - normal * ( d - b.radius ), d - a.radius - b.radius, true } );
		}
	}
}

} // namespace dsb

// Rays against primitives, in closed form. A ray that starts inside a solid does not hit it.

#include "bullet/bullet_internal.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

bool ray_box_overlap(
	const btVector3 &from, const btVector3 &to, const btVector3 &lower, const btVector3 &upper, double limit )
{
	double enter = 0, leave = limit;
	for ( int k = 0; k < 3; ++k )
	{
		// A little wider than the box, so that rounding loses no hit.
		double slack = 1e-9 * ( std::fabs( from[k] ) + std::fabs( to[k] ) + 1 );
		double low = lower[k] - slack - from[k], high = upper[k] + slack - from[k], d = to[k] - from[k];
		if ( d == 0 )
		{
			if ( low > 0 || high < 0 )
			{
				return false;
			}
			continue;
		}
		enter = std::max( enter, std::min( low / d, high / d ) );
		leave = std::min( leave, std::max( low / d, high / d ) );
	}
	return enter <= leave;
}

bool nearer( double t, const btVector3 &normal, RayHit &hit )
{
	if ( !( t >= 0 && t < hit.fraction ) )
	{
		return false;
	}
	hit.fraction = t;
	hit.normal = normal;
	return true;
}

// Cuts the interval of a ray inside one half space normal . p <= offset. False: nothing is left.
struct Interval
{
	double enter = -INFINITY, leave = INFINITY;
	btVector3 normal{ 0, 0, 0 };

	bool cut( double from_height, double to_height, const btVector3 &n )
	{
		double d = to_height - from_height;
		if ( d == 0 )
		{
			return from_height <= 0;
		}
		double t = -from_height / d;
		if ( d < 0 && t > enter )
		{
			enter = t;
			normal = n;
		}
		if ( d > 0 )
		{
			leave = std::min( leave, t );
		}
		return enter <= leave;
	}
};

static bool ray_polyhedron( const Polyhedron &p, const btVector3 &from, const btVector3 &to, RayHit &hit )
{
	Interval inside;
	for ( const Polyhedron::Face &face : p.faces )
	{
		if ( !inside.cut( face.normal.dot( from ) - face.offset, face.normal.dot( to ) - face.offset, face.normal ) )
		{
			return false;
		}
	}
	return nearer( inside.enter, inside.normal, hit );
}

// Where a ray enters a round body of radius r, with m its start and d its way, both across the axis (or in space). False: it
// misses, starts inside, or goes away.
static bool enter_round( const btVector3 &m, const btVector3 &d, double r, double &t )
{
	double a = d.dot( d ), b = m.dot( d );
	if ( !( a > 0 ) || b >= 0 )
	{
		return false;
	}
	btVector3 nearest = m - d * ( b / a );
	double rest = r * r - nearest.dot( nearest ), c = m.dot( m ) - r * r;
	if ( rest < 0 || c < 0 )
	{
		return false;
	}
	t = c / ( -b + std::sqrt( a * rest ) );
	return true;
}

static bool ray_sphere(
	const btVector3 &centre, double radius, const btVector3 &from, const btVector3 &to, RayHit &hit )
{
	double t = 0;
	btVector3 m = from - centre;
	return enter_round( m, to - from, radius, t ) && nearer( t, ( m + ( to - from ) * t ) / radius, hit );
}

static btVector3 across( const btVector3 &v )
{
	return btVector3( 0, v.y(), v.z() );
}

static bool ray_capsule( const Primitive &p, const btVector3 &from, const btVector3 &to, RayHit &hit )
{
	btVector3 d = to - from, end( 0.5 * p.length, 0, 0 );
	btVector3 axis_point( std::max( -end.x(), std::min( end.x(), from.x() ) ), 0, 0 );
	if ( ( from - axis_point ).length2() < p.radius * p.radius )
	{
		return false;
	}
	bool found = ray_sphere( end, p.radius, from, to, hit );
	found = ray_sphere( -end, p.radius, from, to, hit ) || found;
	double t = 0;
	if ( enter_round( across( from ), across( d ), p.radius, t ) && std::fabs( from.x() + t * d.x() ) <= end.x() )
	{
		found = nearer( t, across( from + d * t ) / p.radius, hit ) || found;
	}
	return found;
}

static bool ray_cylinder( const Primitive &p, const btVector3 &from, const btVector3 &to, RayHit &hit )
{
	double h = 0.5 * p.length;
	btVector3 d = to - from, m = across( from ), e = across( d ), x( 1, 0, 0 );
	Interval inside;
	if ( !inside.cut( from.x() - h, to.x() - h, x ) || !inside.cut( -from.x() - h, -to.x() - h, -x ) )
	{
		return false;
	}
	double a = e.dot( e ), c = m.dot( m ) - p.radius * p.radius, t = 0;
	if ( c < 0 || !( a > 0 ) )
	{
		// Starts within the infinite cylinder: only an end can be entered, where it is still within.
		btVector3 at = m + e * inside.enter;
		return c < 0 && at.length2() <= p.radius * p.radius && nearer( inside.enter, inside.normal, hit );
	}
	if ( !enter_round( m, e, p.radius, t ) )
	{
		return false;
	}
	double leave = -2 * m.dot( e ) / a - t;
	if ( t > inside.enter )
	{
		return t <= inside.leave && nearer( t, ( m + e * t ) / p.radius, hit );
	}
	return inside.enter <= leave && nearer( inside.enter, inside.normal, hit );
}

static bool ray_plane( const Primitive &p, const btVector3 &from, const btVector3 &to, RayHit &hit )
{
	double start = p.normal.dot( from ) - p.offset, end = p.normal.dot( to ) - p.offset;
	return start >= 0 && end < start && nearer( start / ( start - end ), p.normal, hit );
}

// Moeller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", J. Graphics Tools 2 (1997), both sides.
static bool ray_triangle( const btVector3 *corner, const btVector3 &from, const btVector3 &d, RayHit &hit )
{
	btVector3 u = corner[1] - corner[0], v = corner[2] - corner[0], p = d.cross( v );
	double determinant = u.dot( p );
	if ( determinant == 0 )
	{
		return false;
	}
	btVector3 s = from - corner[0], q = s.cross( u );
	double a = s.dot( p ) / determinant, b = d.dot( q ) / determinant;
	if ( a < -1e-12 || b < -1e-12 || a + b > 1 + 1e-12 )
	{
		return false;
	}
	btVector3 normal = u.cross( v ).normalized();
	return nearer( v.dot( q ) / determinant, normal.dot( d ) > 0 ? -normal : normal, hit );
}

class RayTriangles : public btTriangleCallback
{
  public:
	RayTriangles( const btVector3 &from, const btVector3 &way, RayHit &hit )
		: m_from( from ), m_way( way ), m_hit( hit )
	{
	}

	void processTriangle( btVector3 *corners, int, int ) override
	{
		found = ray_triangle( corners, m_from, m_way, m_hit ) || found;
	}

	bool found = false;

  private:
	btVector3 m_from, m_way;
	RayHit &m_hit;
};

static bool ray_mesh( const Primitive &p, const btVector3 &from, const btVector3 &to, RayHit &hit )
{
	// The tree sees the part of the ray near the mesh only, so that long rays lose nothing to its quantised boxes.
	double enter = 0, leave = 1;
	btVector3 way = to - from;
	double slack = 1e-3 * ( p.upper - p.lower ).length();
	for ( int k = 0; k < 3; ++k )
	{
		if ( way[k] != 0 )
		{
			double a = ( p.lower[k] - slack - from[k] ) / way[k], b = ( p.upper[k] + slack - from[k] ) / way[k];
			enter = std::max( enter, std::min( a, b ) );
			leave = std::min( leave, std::max( a, b ) );
		}
	}
	if ( enter > leave )
	{
		return false;
	}
	RayTriangles triangles( from, way, hit );
	btBvhTriangleMeshShape *mesh = static_cast<btBvhTriangleMeshShape *>( p.shape.get() );
	mesh->performRaycast( &triangles, from + way * enter, from + way * leave );
	return triangles.found;
}

bool ray_primitive( const Primitive &primitive, const btVector3 &from, const btVector3 &to, RayHit &hit )
{
	switch ( primitive.kind )
	{
		case Kind::Sphere:
			return ray_sphere( btVector3( 0, 0, 0 ), primitive.radius, from, to, hit );
		case Kind::Capsule:
			return ray_capsule( primitive, from, to, hit );
		case Kind::Cylinder:
			return ray_cylinder( primitive, from, to, hit );
		case Kind::Plane:
			return ray_plane( primitive, from, to, hit );
		case Kind::Mesh:
			return ray_mesh( primitive, from, to, hit );
		case Kind::Surface:
			return ray_surface( primitive, from, to, hit );
		default:
			return ray_polyhedron( primitive.polyhedron, from, to, hit );
	}
}

} // namespace dsb

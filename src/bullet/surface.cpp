// Surfaces that give their triangles when asked: contact with the ground, which is solid below them, and rays.

#include "bullet/narrow.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

// ---- Contact ----

// The uppermost triangle above or below a point, z pointing down.
struct Narrow::Cover
{
	bool found;
	double z; // of the ground, from the point
	btVector3 corners[3];
};

static double cross_xy( const btVector3 &p, const btVector3 &q )
{
	return p.x() * q.y() - p.y() * q.x();
}

// Takes a triangle if it lies over or under the origin and above what was taken before.
template <typename Cover> static void cover_origin( const btVector3 *corners, Cover &cover )
{
	double a = cross_xy( corners[1], corners[2] ), b = cross_xy( corners[2], corners[0] ),
		   c = cross_xy( corners[0], corners[1] ), sum = a + b + c;
	bool over = ( a >= 0 && b >= 0 && c >= 0 ) || ( a <= 0 && b <= 0 && c <= 0 );
	if ( !over || sum == 0 )
	{
		return;
	}
	double z = ( a * corners[0].z() + b * corners[1].z() + c * corners[2].z() ) / sum;
	if ( !cover.found || z < cover.z )
	{
		cover.found = true;
		cover.z = z;
		std::copy( corners, corners + 3, cover.corners );
	}
}

static bool box_meets( const btVector3 *corners, const btVector3 &lower, const btVector3 &upper )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( ( corners[0][k] < lower[k] && corners[1][k] < lower[k] && corners[2][k] < lower[k] ) ||
			 ( corners[0][k] > upper[k] && corners[1][k] > upper[k] && corners[2][k] > upper[k] ) )
		{
			return false;
		}
	}
	return true;
}

// The surface is a. A body whose centre lies above the ground touches triangles as those of a mesh. If its centre is below,
// it is in the half space under the triangle above its centre.
void Narrow::collide_surface( const Primitive &surface, const btTransform &surface_pose, const Primitive &convex,
	const btTransform &pose, double threshold )
{
	const dsb_surface &ground = surface.surface;
	// All is counted from the body's centre, so that nothing is lost far from the surface's origin.
	btTransform local = surface_pose.inverseTimes( pose );
	btVector3 middle = is_round( convex ) ? btVector3( 0, 0, 0 ) : convex.polyhedron.centre;
	btVector3 origin = local * middle;
	local.setOrigin( local.getBasis() * -middle );
	btVector3 lower, upper, margin( threshold, threshold, threshold );
	primitive_bounds( convex, local, lower, upper );
	double depth = ground.thickness;
	lower -= margin;
	upper += margin;
	if ( !is_round( convex ) )
	{
		place_polyhedron( convex.polyhedron, local, m_b );
	}

	Cover cover{ false, 0, {} };
	btVector3 above( lower.x(), lower.y(), std::min( lower.z(), -depth ) );
	surface_visit( ground, origin + above, origin + upper, [&]( btVector3 *corners ) {
		for ( int k = 0; k < 3; ++k )
		{
			corners[k] -= origin;
		}
		cover_origin( corners, cover );
		if ( box_meets( corners, lower, upper ) )
		{
			touch_triangle( corners, convex, local, threshold );
		}
	} );
	if ( cover.found && cover.z < 0 && cover.z >= -depth )
	{
		set_triangle( cover.corners );
		Primitive plane;
		plane.kind = Kind::Plane;
		plane.normal = m_flat.faces[0].normal;
		plane.offset = m_flat.faces[0].offset;
		points.clear();
		collide_plane( plane, btTransform::getIdentity(), convex, local, threshold );
		swap_sides();
	}
	else
	{
		settle_edges( flatness( convex ) + ground.resolution, ground.resolution / ground.cell );
	}
	btVector3 centre = pose * middle;
	for ( Point &p : points )
	{
		p.normal = surface_pose.getBasis() * p.normal;
		p.on_a = surface_pose.getBasis() * p.on_a + centre;
		p.on_b = surface_pose.getBasis() * p.on_b + centre;
	}
}

// ---- Rays ----

namespace
{

// A ray on its way through a surface.
struct Walk
{
	const dsb_surface &surface;
	btVector3 from, way;
	RayHit &hit;
	bool found;
};

} // namespace

// One triangle, from either side. `a`, `b`, `c`: its corners, counted from a point of the ray. The sides of an edge are told
// apart by the same numbers for both triangles that share it, so that no ray goes through between them. `t` counts from the
// point, in lengths of `way`.
static bool ray_triangle(
	const btVector3 &a, const btVector3 &b, const btVector3 &c, const btVector3 &way, double &t, btVector3 &normal )
{
	double u = way.dot( c.cross( b ) ), v = way.dot( a.cross( c ) ), w = way.dot( b.cross( a ) );
	if ( !( ( u >= 0 && v >= 0 && w >= 0 ) || ( u <= 0 && v <= 0 && w <= 0 ) ) )
	{
		return false;
	}
	normal = ( b - a ).cross( c - a );
	double slope = normal.dot( way );
	if ( slope == 0 )
	{
		return false;
	}
	t = normal.dot( a ) / slope;
	normal *= ( slope > 0 ? -1 : 1 ) / normal.length();
	return true;
}

// Triangles in the box of a piece of the ray that starts at `enter`.
static void walk_piece( Walk &walk, double enter, const btVector3 &lower, const btVector3 &upper )
{
	btVector3 start = walk.way * enter;
	surface_visit( walk.surface, lower, upper, [&]( const btVector3 *corners ) {
		// Corners and the ray's start are near each other or far apart: either way the difference loses nothing.
		btVector3 a = corners[0] - walk.from - start, b = corners[1] - walk.from - start,
				  c = corners[2] - walk.from - start, normal;
		double t = 0;
		if ( ray_triangle( a, b, c, walk.way, t, normal ) )
		{
			walk.found = nearer( enter + t, normal, walk.hit ) || walk.found;
		}
	} );
}

// Halves the way until a piece is as short as a cell, the nearer half first; leaves out where the surface is not.
static void walk_along( Walk &walk, double enter, double leave, int depth )
{
	if ( enter > walk.hit.fraction )
	{
		return;
	}
	btVector3 p = walk.from + walk.way * enter, q = walk.from + walk.way * leave, lower = p, upper = p;
	lower.setMin( q );
	upper.setMax( q );
	double span = std::hypot( upper.x() - lower.x(), upper.y() - lower.y() );
	for ( int k = 0; k < 3; ++k )
	{
		// A little wider, so that rounding loses no hit.
		double slack = 1e-12 * ( std::fabs( walk.from[k] ) + std::fabs( walk.way[k] ) ) + 1e-6 * walk.surface.cell;
		lower[k] -= slack;
		upper[k] += slack;
	}
	if ( span <= 2 * walk.surface.cell || depth == 0 )
	{
		walk_piece( walk, enter, lower, upper );
		return;
	}
	if ( walk.surface.reaches && !walk.surface.reaches( walk.surface.user, to_ds( lower ), to_ds( upper ) ) )
	{
		return;
	}
	double middle = 0.5 * ( enter + leave );
	walk_along( walk, enter, middle, depth - 1 );
	walk_along( walk, middle, leave, depth - 1 );
}

bool ray_surface( const Primitive &primitive, const btVector3 &from, const btVector3 &to, RayHit &hit )
{
	const dsb_surface &surface = primitive.surface;
	double enter = 0, leave = std::min( 1.0, hit.fraction );
	btVector3 way = to - from, lower = to_bt( surface.lower ), upper = to_bt( surface.upper );
	for ( int k = 0; k < 3; ++k )
	{
		double slack = 1e-12 * ( std::fabs( from[k] ) + std::fabs( to[k] ) ) + 1e-6 * surface.cell;
		double low = lower[k] - slack - from[k], high = upper[k] + slack - from[k];
		if ( way[k] == 0 && ( low > 0 || high < 0 ) )
		{
			return false;
		}
		if ( way[k] != 0 )
		{
			enter = std::max( enter, std::min( low / way[k], high / way[k] ) );
			leave = std::min( leave, std::max( low / way[k], high / way[k] ) );
		}
	}
	if ( enter > leave )
	{
		return false;
	}
	static const int DEEPEST = 60; // halvings: more than doubles can tell apart
	Walk walk{ surface, from, way, hit, false };
	walk_along( walk, enter, leave, DEEPEST );
	return walk.found;
}

} // namespace dsb

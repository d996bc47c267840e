// Contact points of a pair of primitives, and which of them are kept. See narrow.h.

#include "bullet/narrow.h"

#include <algorithm>
#include <cmath>

namespace dsb
{

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
static void candidates( const Primitive &p, const btVector3 &down, std::vector<btVector3> &points )
{
	btVector3 end( 0.5 * p.length, 0, 0 );
	points.clear();
	switch ( p.kind )
	{
		case Kind::Sphere:
			points.push_back( down * p.radius );
			break;
		case Kind::Capsule:
			points.push_back( end + down * p.radius );
			points.push_back( down * p.radius - end );
			break;
		case Kind::Cylinder:
			cylinder_points( p, down, points );
			break;
		default:
			points = p.polyhedron.vertices;
	}
}

// The plane is b.
void Narrow::collide_plane( const Primitive &plane, const btTransform &plane_pose, const Primitive &convex,
	const btTransform &pose, double threshold )
{
	btVector3 normal = plane_pose.getBasis() * plane.normal;
	double offset = plane.offset + normal.dot( plane_pose.getOrigin() );
	candidates( convex, -( normal * pose.getBasis() ), m_candidates );
	for ( const btVector3 &local : m_candidates )
	{
		btVector3 p = pose * local;
		double d = normal.dot( p ) - offset;
		if ( d <= threshold )
		{
			points.push_back( { normal, p, p - normal * d, d, false } );
		}
	}
}

// Of the points from the `first` on.
static void swap_sides( std::vector<Point> &points, size_t first )
{
	for ( size_t i = first; i < points.size(); ++i )
	{
		std::swap( points[i].on_a, points[i].on_b );
		points[i].normal = -points[i].normal;
	}
}

void Narrow::swap_sides()
{
	dsb::swap_sides( points, 0 );
}

bool is_thin( const Primitive &p )
{
	return p.kind == Kind::Mesh || p.kind == Kind::Surface;
}

bool is_round( const Primitive &p )
{
	return p.kind == Kind::Sphere || p.kind == Kind::Capsule;
}

static Round round_of( const Primitive &p, const btTransform &pose )
{
	btVector3 end( 0.5 * p.length, 0, 0 );
	return { { pose * end, pose * -end }, p.kind == Kind::Sphere ? 1 : 2, p.radius };
}

btTransform turned( const btTransform &pose, const btVector3 &direction )
{
	btVector3 d = direction * pose.getBasis();
	double angle = std::hypot( d.y(), d.z() ) > 1e-9 ? std::atan2( d.z(), d.y() ) : 0;
	return pose * btTransform( btQuaternion( btVector3( 1, 0, 0 ), angle ) );
}

// ---- Meshes ----

void Narrow::set_triangle( const btVector3 *corners )
{
	m_flat.vertices.assign( corners, corners + 3 );
	if ( m_flat.faces.empty() )
	{
		m_flat.faces.push_back( { { 0, 1, 2 }, btVector3( 0, 0, 0 ), 0 } );
		m_flat.edges = { { { 0, 1 } }, { { 1, 2 } }, { { 2, 0 } } };
		m_flat.directions.resize( 3 );
	}
	for ( int k = 0; k < 3; ++k )
	{
		btVector3 way = corners[( k + 1 ) % 3] - corners[k];
		double length = way.length();
		m_flat.directions[(size_t)k] = length > 0 ? way / length : way;
	}
	btVector3 up = ( corners[1] - corners[0] ).cross( corners[2] - corners[0] );
	double area = up.length();
	m_flat.faces[0].normal = area > 0 ? up / area : btVector3( 0, 0, 0 );
	m_flat.faces[0].offset = m_flat.faces[0].normal.dot( corners[0] );
	m_flat.centre = ( corners[0] + corners[1] + corners[2] ) / 3;
}

// Corners and pose of the convex body in the frame of the mesh, where m_b has its place.
void Narrow::touch_triangle(
	const btVector3 *corners, const Primitive &convex, const btTransform &pose, double threshold )
{
	set_triangle( corners );
	const Polyhedron::Face &face = m_flat.faces[0];
	if ( face.normal.fuzzyZero() )
	{
		return;
	}
	if ( is_round( convex ) )
	{
		if ( face.normal.dot( pose.getOrigin() ) >= face.offset )
		{
			// Found as round against flat; the mesh is a.
			size_t first = points.size(), aside = m_aside.size();
			collide_round( round_of( convex, pose ), m_flat, threshold );
			dsb::swap_sides( points, first );
			dsb::swap_sides( m_aside, aside );
		}
		return;
	}
	if ( convex.kind == Kind::Cylinder )
	{
		place_polyhedron( convex.polyhedron, turned( pose, -face.normal ), m_b );
	}
	collide_triangle( threshold );
}

class Narrow::TriangleCallback : public btTriangleCallback
{
  public:
	TriangleCallback( Narrow &narrow, const Primitive &convex, const btTransform &pose, double threshold )
		: m_narrow( narrow ), m_convex( convex ), m_pose( pose ), m_threshold( threshold )
	{
	}

	void processTriangle( btVector3 *corners, int, int ) override
	{
		m_narrow.touch_triangle( corners, m_convex, m_pose, m_threshold );
	}

  private:
	Narrow &m_narrow;
	const Primitive &m_convex;
	const btTransform &m_pose;
	double m_threshold;
};

// Moves the points from the `first` on to those that count only where edges are none.
void Narrow::set_aside( size_t first )
{
	m_aside.insert( m_aside.end(), points.begin() + (std::ptrdiff_t)first, points.end() );
	points.resize( first );
}

// True if two points are on one plane, within `height` [m], and within `angle` [rad] from the one to the other.
static bool in_plane( const Point &p, const Point &face, double height, double angle )
{
	btVector3 way = p.on_a - face.on_a;
	return !face.edge && std::fabs( face.normal.dot( way ) ) < height + angle * way.length();
}

static bool same_plane( const Point &p, const Point &face, double height, double angle )
{
	return ( p.normal - face.normal ).length() < 1e-6 + angle && in_plane( p, face, height, angle );
}

// Where a body goes on from triangle to triangle of one plane, it is cut at their common sides and corners. Such points bear
// nothing that its own would not: those all around which the plane goes on are dropped.
void Narrow::drop_inner_cuts( double height, double angle )
{
	m_order.clear();
	for ( size_t i = 0; i < points.size(); ++i )
	{
		if ( points[i].cut > 0 && !points[i].edge )
		{
			m_order.push_back( (int)i );
		}
	}
	auto at = [&]( size_t k ) -> Point & { return points[(size_t)m_order[k]]; };
	std::sort( m_order.begin(), m_order.end(), [&]( int i, int k ) {
		double x = points[(size_t)i].on_b.x(), y = points[(size_t)k].on_b.x();
		return x < y || ( x == y && i < k );
	} );
	m_inner.assign( m_order.size(), false );
	for ( size_t i = 0, first = 0; i < m_order.size(); ++i )
	{
		double around = 0;
		while ( at( first ).on_b.x() < at( i ).on_b.x() - height )
		{
			++first;
		}
		for ( size_t k = first; k < m_order.size() && at( k ).on_b.x() <= at( i ).on_b.x() + height; ++k )
		{
			bool same = ( at( k ).on_b - at( i ).on_b ).length2() < height * height;
			around += same && same_plane( at( k ), at( i ), height, angle ) ? at( k ).cut : 0;
		}
		m_inner[i] = around > SIMD_2_PI - 1e-6;
	}
	for ( size_t i = 0; i < m_order.size(); ++i )
	{
		at( i ).distance = m_inner[i] ? INFINITY : at( i ).distance;
	}
}

// A point on an edge in the plane of a face that is touched, too, is no edge but that face's continuation: a body that goes
// over the edges of flat triangles must not feel them. There, what lies over the triangles of that plane is touched instead.
void Narrow::settle_edges( double height, double angle )
{
	size_t found = points.size();
	for ( const Point &p : m_aside )
	{
		for ( size_t i = 0; i < found; ++i )
		{
			if ( same_plane( p, points[i], height, angle ) )
			{
				points.push_back( p );
				break;
			}
		}
	}
	for ( Point &p : points )
	{
		bool flat = p.edge && std::any_of( points.begin(), points.end(),
								  [&]( const Point &face ) { return in_plane( p, face, height, angle ); } );
		p.distance = flat ? INFINITY : p.distance;
	}
	drop_inner_cuts( height, angle );
	points.erase(
		std::remove_if( points.begin(), points.end(), []( const Point &p ) { return p.distance == INFINITY; } ),
		points.end() );
}

double flatness( const Primitive &convex )
{
	return 1e-6 * ( is_round( convex ) ? convex.radius : ( convex.upper - convex.lower ).length() );
}

// The mesh is a. It is one-sided: a body whose centre is behind a triangle does not touch it.
void Narrow::collide_mesh( const Primitive &mesh, const btTransform &mesh_pose, const Primitive &convex,
	const btTransform &pose, double threshold )
{
	btTransform local = mesh_pose.inverseTimes( pose );
	btVector3 lower, upper, margin( threshold, threshold, threshold );
	primitive_bounds( convex, local, lower, upper );
	if ( !is_round( convex ) )
	{
		place_polyhedron( convex.polyhedron, local, m_b );
	}
	TriangleCallback callback( *this, convex, local, threshold );
	static_cast<const btBvhTriangleMeshShape *>( mesh.shape.get() )
		->processAllTriangles( &callback, lower - margin, upper + margin );
	settle_edges( flatness( convex ), 0 );
	for ( Point &p : points )
	{
		p.normal = mesh_pose.getBasis() * p.normal;
		p.on_a = mesh_pose * p.on_a;
		p.on_b = mesh_pose * p.on_b;
	}
}

// ---- Pairs ----

void Narrow::collide(
	const Primitive &a, const btTransform &pose_a, const Primitive &b, const btTransform &pose_b, double threshold )
{
	points.clear();
	m_aside.clear();
	if ( a.kind == Kind::Plane || is_thin( b ) || ( is_round( b ) && !is_round( a ) && !is_thin( a ) ) )
	{
		// Planes come second, meshes and surfaces first, round bodies before polyhedra.
		if ( b.kind != Kind::Plane && !( is_thin( a ) && is_thin( b ) ) )
		{
			collide( b, pose_b, a, pose_a, threshold );
			swap_sides();
		}
		return;
	}
	if ( b.kind == Kind::Plane )
	{
		collide_plane( b, pose_b, a, pose_a, threshold );
	}
	else if ( a.kind == Kind::Mesh )
	{
		collide_mesh( a, pose_a, b, pose_b, threshold );
	}
	else if ( a.kind == Kind::Surface )
	{
		collide_surface( a, pose_a, b, pose_b, threshold );
	}
	else if ( is_round( a ) && is_round( b ) )
	{
		collide_rounds( round_of( a, pose_a ), round_of( b, pose_b ), threshold );
	}
	else if ( is_round( a ) )
	{
		place_polyhedron( b.polyhedron, pose_b, m_b );
		btVector3 normal = collide_round( round_of( a, pose_a ), m_b, threshold );
		if ( b.kind == Kind::Cylinder && !normal.isZero() )
		{
			points.clear();
			place_polyhedron( b.polyhedron, turned( pose_b, normal ), m_b );
			collide_round( round_of( a, pose_a ), m_b, threshold );
		}
	}
	else
	{
		place_polyhedron( a.polyhedron, pose_a, m_a );
		place_polyhedron( b.polyhedron, pose_b, m_b );
		Axis axis = collide_polyhedra( threshold );
		if ( ( a.kind == Kind::Cylinder || b.kind == Kind::Cylinder ) && !axis.normal.isZero() )
		{
			points.clear();
			place_polyhedron( a.polyhedron, a.kind == Kind::Cylinder ? turned( pose_a, axis.normal ) : pose_a, m_a );
			place_polyhedron( b.polyhedron, b.kind == Kind::Cylinder ? turned( pose_b, -axis.normal ) : pose_b, m_b );
			collide_polyhedra( threshold );
		}
	}
}

// ---- Which points are kept ----

// Points whose normals are within 8 degrees belong together.
static const double SAME_DIRECTION = 0.99;

// Of the points of one direction, those four that hold the most: the deepest, the farthest from it, the farthest from the
// line of both, and the farthest on the other side of that line.
void Narrow::four_of( const std::vector<int> &all, std::vector<int> &kept ) const
{
	kept = all;
	if ( all.size() <= 4 )
	{
		return;
	}
	auto best = [&]( auto measure ) {
		int found = -1;
		double value = 0;
		for ( int i : all )
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
	kept.assign( { first, second, third, fourth } );
	std::sort( kept.begin(), kept.end() );
	kept.erase( std::unique( kept.begin(), kept.end() ), kept.end() );
}

// The list at `count`, emptied; `lists` grows but keeps its buffers.
static std::vector<int> &fresh_list( std::vector<std::vector<int>> &lists, int count )
{
	if ( (size_t)count == lists.size() )
	{
		lists.emplace_back();
	}
	lists[(size_t)count].clear();
	return lists[(size_t)count];
}

// The points of a set that are kept: four of all, and four of those that touch. One group as long as four are enough.
void Narrow::keep_of( const std::vector<int> &all, double touching )
{
	four_of( all, fresh_list( m_groups, m_group_count++ ) );
	m_touching.clear();
	for ( int i : all )
	{
		if ( points[(size_t)i].distance <= touching )
		{
			m_touching.push_back( i );
		}
	}
	if ( all.size() <= 4 || m_touching.empty() )
	{
		return;
	}
	std::vector<int> &more = fresh_list( m_groups, m_group_count ), &kept = m_groups[(size_t)m_group_count - 1];
	four_of( m_touching, more );
	more.erase( std::remove_if( more.begin(), more.end(),
					[&]( int i ) { return std::find( kept.begin(), kept.end(), i ) != kept.end(); } ),
		more.end() );
	if ( kept.size() + more.size() <= 4 )
	{
		kept.insert( kept.end(), more.begin(), more.end() );
		std::sort( kept.begin(), kept.end() );
	}
	else
	{
		++m_group_count;
	}
}

void Narrow::reduce( double touching, double margin )
{
	int sets = 0;
	for ( size_t i = 0; i < points.size(); ++i )
	{
		bool near = points[i].distance <= margin, known = false;
		for ( int k = 0; k < sets && !known; ++k )
		{
			const Point &head = points[(size_t)m_sets[(size_t)k][0]];
			known = ( head.distance <= margin ) == near && head.normal.dot( points[i].normal ) > SAME_DIRECTION;
			if ( known )
			{
				m_sets[(size_t)k].push_back( (int)i );
			}
		}
		if ( !known )
		{
			fresh_list( m_sets, sets++ ).push_back( (int)i );
		}
	}
	m_group_count = 0;
	for ( int k = 0; k < sets; ++k )
	{
		keep_of( m_sets[(size_t)k], touching );
	}
}

} // namespace dsb

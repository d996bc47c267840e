// Convex hulls in double precision: quickhull, with triangles of one plane joined into polygons.

#include "bullet/bullet_internal.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dsb
{

// Sides of the prism that stands for a cylinder against all but planes: it is up to 0.2 % thinner away from its edges.
static const int PRISM_SIDES = 48;

// More directions of edges than this are not listed: no pair of polyhedra would try them (EDGE_PAIRS in polyhedra.cpp).
static const size_t MOST_DIRECTIONS = 1500;

// A triangle of the growing hull, its three neighbours (across the edge from corner k to k+1) and the points outside it.
struct Facet
{
	int corner[3];
	int neighbour[3];
	btVector3 normal;
	double offset;
	bool alive;
	std::vector<int> outside;
};

struct Quickhull
{
	// From corner to corner, with the facet beyond.
	struct Edge
	{
		int from, to, beyond;
	};

	const std::vector<btVector3> &points;
	double relative; // of the size: points nearer to a facet are on it
	double tolerance;
	std::vector<Facet> facets;

	double height( const Facet &f, int point ) const
	{
		return f.normal.dot( points[(size_t)point] ) - f.offset;
	}

	int add( int a, int b, int c );
	void give( const std::vector<int> &candidates, const std::vector<int> &targets );
	bool start();
	bool grow( int facet );
	void take_visible( int facet, int eye, std::vector<Edge> &rim, std::vector<int> &orphans );
	bool close( const std::vector<Edge> &rim, int eye, std::vector<int> &fresh );
};

int Quickhull::add( int a, int b, int c )
{
	Facet f{ { a, b, c }, { -1, -1, -1 }, btVector3( 0, 0, 0 ), 0, true, {} };
	const btVector3 &p = points[(size_t)a];
	btVector3 n = ( points[(size_t)b] - p ).cross( points[(size_t)c] - p );
	double length = n.length();
	f.normal = length > 0 ? n / length : n;
	f.offset = f.normal.dot( p );
	facets.push_back( f );
	return (int)facets.size() - 1;
}

// Each candidate goes to the first target facet that it is outside of.
void Quickhull::give( const std::vector<int> &candidates, const std::vector<int> &targets )
{
	for ( int point : candidates )
	{
		for ( int t : targets )
		{
			if ( height( facets[(size_t)t], point ) > tolerance )
			{
				facets[(size_t)t].outside.push_back( point );
				break;
			}
		}
	}
}

// The index of the point that `measure` is greatest for.
template <typename Measure> static int farthest( size_t count, Measure measure )
{
	int best = 0;
	double value = -INFINITY;
	for ( size_t i = 0; i < count; ++i )
	{
		double m = measure( i );
		if ( m > value )
		{
			value = m;
			best = (int)i;
		}
	}
	return best;
}

// A first tetrahedron of points far apart.
bool Quickhull::start()
{
	size_t n = points.size();
	if ( n < 4 )
	{
		return false;
	}
	int a = farthest( n, [&]( size_t i ) { return -points[i].x(); } );
	const btVector3 pa = points[(size_t)a];
	int b = farthest( n, [&]( size_t i ) { return ( points[i] - pa ).length2(); } );
	btVector3 axis = points[(size_t)b] - pa;
	double size = axis.length();
	tolerance = relative * size;
	if ( !( size > 0 ) )
	{
		return false;
	}
	axis /= size;
	int c = farthest( n, [&]( size_t i ) { return axis.cross( points[i] - pa ).length2(); } );
	btVector3 normal = axis.cross( points[(size_t)c] - pa );
	if ( !( normal.length() > 1e-7 * size ) )
	{
		return false;
	}
	normal.normalize();
	int d = farthest( n, [&]( size_t i ) { return std::fabs( normal.dot( points[i] - pa ) ); } );
	double apex = normal.dot( points[(size_t)d] - pa );
	if ( !( std::fabs( apex ) > 1e-7 * size ) )
	{
		return false;
	}
	if ( apex > 0 )
	{
		std::swap( b, c );
	}
	add( a, b, c );
	add( a, d, b );
	add( b, d, c );
	add( c, d, a );
	int links[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
	std::vector<int> all, targets{ 0, 1, 2, 3 };
	for ( size_t i = 0; i < 4; ++i )
	{
		std::copy( links[i], links[i] + 3, facets[i].neighbour );
	}
	for ( size_t i = 0; i < n; ++i )
	{
		all.push_back( (int)i );
	}
	give( all, targets );
	return true;
}

// The facets that see the point, found through neighbours, are taken away; what they leave is a rim of edges, and their
// outside points. An edge noted before the facet beyond was found to see the point, too, is no rim.
void Quickhull::take_visible( int facet, int eye, std::vector<Edge> &rim, std::vector<int> &orphans )
{
	std::vector<int> visible{ facet };
	std::vector<Edge> edges;
	facets[(size_t)facet].alive = false;
	for ( size_t i = 0; i < visible.size(); ++i )
	{
		const Facet &f = facets[(size_t)visible[i]];
		orphans.insert( orphans.end(), f.outside.begin(), f.outside.end() );
		for ( int k = 0; k < 3; ++k )
		{
			Facet &other = facets[(size_t)f.neighbour[k]];
			if ( other.alive && height( other, eye ) > tolerance )
			{
				other.alive = false;
				visible.push_back( f.neighbour[k] );
			}
			else if ( other.alive )
			{
				edges.push_back( { f.corner[k], f.corner[( k + 1 ) % 3], f.neighbour[k] } );
			}
		}
	}
	for ( const Edge &e : edges )
	{
		if ( facets[(size_t)e.beyond].alive )
		{
			rim.push_back( e );
		}
	}
	orphans.erase( std::remove( orphans.begin(), orphans.end(), eye ), orphans.end() );
}

// A cone of new facets from the rim to the point. False: the rim is no single loop.
bool Quickhull::close( const std::vector<Edge> &rim, int eye, std::vector<int> &fresh )
{
	std::map<int, size_t> starts;
	for ( size_t i = 0; i < rim.size(); ++i )
	{
		if ( !starts.emplace( rim[i].from, i ).second )
		{
			return false;
		}
		fresh.push_back( add( rim[i].from, rim[i].to, eye ) );
	}
	for ( size_t i = 0; i < rim.size(); ++i )
	{
		auto next = starts.find( rim[i].to );
		if ( next == starts.end() )
		{
			return false;
		}
		Facet &f = facets[(size_t)fresh[i]];
		f.neighbour[0] = rim[i].beyond;
		f.neighbour[1] = fresh[next->second];
		facets[(size_t)fresh[next->second]].neighbour[2] = fresh[i];
		Facet &beyond = facets[(size_t)rim[i].beyond];
		for ( int k = 0; k < 3; ++k )
		{
			if ( beyond.corner[k] == rim[i].to && beyond.corner[( k + 1 ) % 3] == rim[i].from )
			{
				beyond.neighbour[k] = fresh[i];
			}
		}
	}
	return true;
}

// Adds the point farthest outside a facet.
bool Quickhull::grow( int facet )
{
	const Facet &seed = facets[(size_t)facet];
	int eye = seed.outside[0];
	for ( int p : seed.outside )
	{
		eye = height( seed, p ) > height( seed, eye ) ? p : eye;
	}
	std::vector<Edge> rim;
	std::vector<int> orphans, fresh;
	take_visible( facet, eye, rim, orphans );
	if ( !close( rim, eye, fresh ) )
	{
		return false;
	}
	give( orphans, fresh );
	return true;
}

// The rim of a set of facets of one plane as a loop of points; empty if it is no single loop.
static std::vector<int> rim_of(
	const std::vector<Facet> &facets, const std::vector<int> &group, const std::vector<int> &plane_of, int plane )
{
	std::map<int, int> next;
	for ( int g : group )
	{
		const Facet &f = facets[(size_t)g];
		for ( int k = 0; k < 3; ++k )
		{
			if ( plane_of[(size_t)f.neighbour[k]] != plane &&
				 !next.emplace( f.corner[k], f.corner[( k + 1 ) % 3] ).second )
			{
				return {};
			}
		}
	}
	std::vector<int> loop;
	int at = next.empty() ? -1 : next.begin()->first;
	for ( size_t i = 0; i < next.size(); ++i )
	{
		loop.push_back( at );
		auto found = next.find( at );
		if ( found == next.end() )
		{
			return {};
		}
		at = found->second;
	}
	return loop.size() == next.size() && !loop.empty() && at == loop[0] ? loop : std::vector<int>{};
}

// Facets of one plane, joined through neighbours. `plane_of` tells each facet's plane.
static std::vector<std::vector<int>> planes_of( const std::vector<Facet> &facets, const std::vector<btVector3> &points,
	double tolerance, std::vector<int> &plane_of )
{
	std::vector<std::vector<int>> planes;
	for ( size_t i = 0; i < facets.size(); ++i )
	{
		if ( !facets[i].alive || plane_of[i] >= 0 )
		{
			continue;
		}
		int plane = (int)planes.size();
		std::vector<int> group{ (int)i };
		plane_of[i] = plane;
		for ( size_t g = 0; g < group.size(); ++g )
		{
			for ( int other : facets[(size_t)group[g]].neighbour )
			{
				const Facet &f = facets[(size_t)other];
				bool flat = plane_of[(size_t)other] < 0 && f.normal.dot( facets[i].normal ) > 0.999;
				for ( int k = 0; k < 3 && flat; ++k )
				{
					flat = std::fabs( facets[i].normal.dot( points[(size_t)f.corner[k]] ) - facets[i].offset ) <=
						   tolerance;
				}
				if ( flat )
				{
					plane_of[(size_t)other] = plane;
					group.push_back( other );
				}
			}
		}
		planes.push_back( group );
	}
	return planes;
}

// Corners that are used, edges, directions and centre of a polyhedron with faces whose corners are indices of `points`.
static void finish( const std::vector<btVector3> &points, Polyhedron &hull )
{
	std::map<int, int> used;
	for ( Polyhedron::Face &face : hull.faces )
	{
		for ( int &corner : face.corners )
		{
			auto known = used.emplace( corner, (int)hull.vertices.size() );
			if ( known.second )
			{
				hull.vertices.push_back( points[(size_t)corner] );
			}
			corner = known.first->second;
		}
	}
	hull.centre.setZero();
	for ( const btVector3 &v : hull.vertices )
	{
		hull.centre += v / (double)hull.vertices.size();
	}
	for ( Polyhedron::Face &face : hull.faces )
	{
		// The plane lies on the outermost corner, so that no corner is outside.
		face.offset = -INFINITY;
		for ( size_t k = 0; k < face.corners.size(); ++k )
		{
			int from = face.corners[k], to = face.corners[( k + 1 ) % face.corners.size()];
			face.offset = std::max( face.offset, face.normal.dot( hull.vertices[(size_t)from] ) );
			if ( from > to )
			{
				continue;
			}
			hull.edges.push_back( { from, to } );
			btVector3 d = ( hull.vertices[(size_t)to] - hull.vertices[(size_t)from] ).normalized();
			bool fresh = hull.directions.size() < MOST_DIRECTIONS;
			for ( const btVector3 &known : hull.directions )
			{
				fresh = fresh && std::fabs( known.dot( d ) ) < 1 - 1e-9;
			}
			if ( fresh )
			{
				hull.directions.push_back( d );
			}
		}
	}
}

static bool run( Quickhull &quick )
{
	if ( !quick.start() )
	{
		return false;
	}
	for ( size_t i = 0; i < quick.facets.size(); ++i )
	{
		if ( quick.facets[i].alive && !quick.facets[i].outside.empty() && !quick.grow( (int)i ) )
		{
			return false;
		}
	}
	return true;
}

bool hull_build( const std::vector<btVector3> &points, Polyhedron &hull )
{
	// Rounding can spoil the rim of nearly flat places; then points a little farther out count as on the hull.
	Quickhull quick{ points, 1e-10, 0, {} };
	while ( !run( quick ) )
	{
		quick.facets.clear();
		quick.relative *= 100;
		if ( quick.relative > 1e-5 )
		{
			return false;
		}
	}

	// Polygons; a group whose rim is no loop stays triangles.
	hull = Polyhedron();
	std::vector<int> plane_of( quick.facets.size(), -1 );
	auto planes = planes_of( quick.facets, points, 100 * quick.tolerance, plane_of );
	for ( size_t p = 0; p < planes.size(); ++p )
	{
		const Facet &first = quick.facets[(size_t)planes[p][0]];
		std::vector<int> loop = rim_of( quick.facets, planes[p], plane_of, (int)p );
		if ( !loop.empty() )
		{
			hull.faces.push_back( { loop, first.normal, first.offset } );
			continue;
		}
		for ( int g : planes[p] )
		{
			const Facet &f = quick.facets[(size_t)g];
			hull.faces.push_back( { { f.corner[0], f.corner[1], f.corner[2] }, f.normal, f.offset } );
		}
	}
	finish( points, hull );
	return true;
}

Polyhedron box_polyhedron( const btVector3 &half )
{
	std::vector<btVector3> corners;
	for ( int i = 0; i < 8; ++i )
	{
		corners.push_back( half * btVector3( i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1 ) );
	}
	Polyhedron box;
	box.faces.push_back( { { 0, 4, 6, 2 }, btVector3( -1, 0, 0 ), 0 } );
	box.faces.push_back( { { 1, 3, 7, 5 }, btVector3( 1, 0, 0 ), 0 } );
	box.faces.push_back( { { 0, 1, 5, 4 }, btVector3( 0, -1, 0 ), 0 } );
	box.faces.push_back( { { 2, 6, 7, 3 }, btVector3( 0, 1, 0 ), 0 } );
	box.faces.push_back( { { 0, 2, 3, 1 }, btVector3( 0, 0, -1 ), 0 } );
	box.faces.push_back( { { 4, 5, 7, 6 }, btVector3( 0, 0, 1 ), 0 } );
	finish( corners, box );
	return box;
}

Polyhedron prism( double radius, double length )
{
	std::vector<btVector3> rim;
	Polyhedron p;
	p.faces.resize( 2 );
	p.faces[0].normal.setValue( 1, 0, 0 );
	p.faces[1].normal.setValue( -1, 0, 0 );
	for ( int i = 0; i < PRISM_SIDES; ++i )
	{
		double angle = 2 * SIMD_PI * i / PRISM_SIDES, middle = 2 * SIMD_PI * ( i + 0.5 ) / PRISM_SIDES;
		int next = ( i + 1 ) % PRISM_SIDES;
		rim.push_back( btVector3( 0.5 * length, radius * std::cos( angle ), radius * std::sin( angle ) ) );
		rim.push_back( btVector3( -0.5 * length, radius * std::cos( angle ), radius * std::sin( angle ) ) );
		p.faces[0].corners.push_back( 2 * i );
		p.faces[1].corners.insert( p.faces[1].corners.begin(), 2 * i + 1 );
		btVector3 normal( 0, std::cos( middle ), std::sin( middle ) );
		p.faces.push_back( { { 2 * i, 2 * i + 1, 2 * next + 1, 2 * next }, normal, 0 } );
	}
	finish( rim, p );
	return p;
}

} // namespace dsb

// Shapes: what bodies touch and rays hit with. A shape is a list of primitives; compounds are flattened when they are made.

#include "bullet/bullet_internal.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace dsb
{

bool finite( const ds_vec3 &v )
{
	return std::isfinite( v.x ) && std::isfinite( v.y ) && std::isfinite( v.z );
}

bool finite( const ds_pose &pose )
{
	const ds_quat &q = pose.attitude;
	double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
	return finite( pose.position ) && std::isfinite( n ) && n > 0;
}

bool finite( const ds_twist &twist )
{
	return finite( twist.linear ) && finite( twist.angular );
}

ds_pose normalized( const ds_pose &pose )
{
	const ds_quat &q = pose.attitude;
	double n = std::sqrt( q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z );
	ds_pose result = { pose.position, { q.w / n, q.x / n, q.y / n, q.z / n } };
	return result;
}

static bool positive( double x )
{
	return std::isfinite( x ) && x > 0;
}

// Sides may be infinite.
static void surface_bounds( const Primitive &primitive, const btTransform &pose, btVector3 &lower, btVector3 &upper )
{
	lower = upper = pose.getOrigin();
	for ( int k = 0; k < 3; ++k )
	{
		for ( int i = 0; i < 3; ++i )
		{
			double r = pose.getBasis()[k][i];
			double p = r != 0 ? r * primitive.lower[i] : 0, q = r != 0 ? r * primitive.upper[i] : 0;
			lower[k] += std::min( p, q );
			upper[k] += std::max( p, q );
		}
	}
}

void primitive_bounds( const Primitive &primitive, const btTransform &pose, btVector3 &lower, btVector3 &upper )
{
	if ( primitive.kind == Kind::Plane )
	{
		lower.setValue( -INFINITY, -INFINITY, -INFINITY );
		upper.setValue( INFINITY, INFINITY, INFINITY );
		return;
	}
	if ( primitive.kind == Kind::Surface )
	{
		surface_bounds( primitive, pose, lower, upper );
		return;
	}
	btVector3 half = ( primitive.upper - primitive.lower ) * 0.5;
	btVector3 centre = pose * ( ( primitive.upper + primitive.lower ) * 0.5 );
	btVector3 extent =
		half.dot3( pose.getBasis()[0].absolute(), pose.getBasis()[1].absolute(), pose.getBasis()[2].absolute() );
	lower = centre - extent;
	upper = centre + extent;
}

// Runs `make`, which may throw, and wraps its primitive into a shape of one part.
template <typename Make> static ds_status shape_new( dsb_shape **shape, Make make )
{
	*shape = nullptr;
	try
	{
		auto primitive = std::make_shared<Primitive>();
		ds_status status = make( *primitive );
		if ( status != DS_OK )
		{
			return status;
		}
		auto made = std::make_unique<dsb_shape>();
		made->parts.push_back( { primitive, btTransform::getIdentity() } );
		*shape = made.release();
		return DS_OK;
	}
	catch ( const std::bad_alloc & )
	{
		return ds_error( DS_ERROR_MEMORY, "collision shape: out of memory" );
	}
	catch ( ... )
	{
		return ds_error( DS_ERROR_INTERNAL, "collision shape: Bullet failed" );
	}
}

static void set_bounds( Primitive &p, const btVector3 &half )
{
	p.lower = -half;
	p.upper = half;
}

static void bounds_of_points( Primitive &p, const std::vector<btVector3> &points )
{
	p.lower = p.upper = points[0];
	for ( const btVector3 &v : points )
	{
		p.lower.setMin( v );
		p.upper.setMax( v );
	}
}

static ds_status make_hull( Primitive &p, const ds_vec3 *points, int64_t count )
{
	std::vector<btVector3> list;
	list.reserve( (size_t)count );
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( !finite( points[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "convex hull: point %lld is not finite", (long long)i );
		}
		list.push_back( to_bt( points[i] ) );
	}
	if ( !hull_build( list, p.polyhedron ) )
	{
		return ds_error( DS_ERROR_MESH_VOLUME,
			"convex hull: %lld points enclose no volume; at least four points out of one plane are needed",
			(long long)count );
	}
	p.kind = Kind::Hull;
	bounds_of_points( p, p.polyhedron.vertices );
	return DS_OK;
}

static ds_status make_mesh(
	Primitive &p, const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles, int64_t triangle_count )
{
	for ( int64_t i = 0; i < vertex_count; ++i )
	{
		if ( !finite( vertices[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "triangle mesh: vertex %lld is not finite", (long long)i );
		}
		p.vertices.push_back( to_bt( vertices[i] ) );
	}
	for ( int64_t i = 0; i < 3 * triangle_count; ++i )
	{
		if ( triangles[i] < 0 || triangles[i] >= vertex_count )
		{
			return ds_error( DS_ERROR_RANGE, "triangle mesh: triangle %lld has corner %ld, but there are %lld vertices",
				(long long)( i / 3 ), (long)triangles[i], (long long)vertex_count );
		}
		p.triangles.push_back( triangles[i] );
	}
	p.kind = Kind::Mesh;
	bounds_of_points( p, p.vertices );
	p.mesh_interface = std::make_unique<btTriangleIndexVertexArray>( (int)triangle_count, p.triangles.data(),
		3 * (int)sizeof( int ), (int)vertex_count, &p.vertices[0].m_floats[0], (int)sizeof( btVector3 ) );
	auto mesh = std::make_unique<btBvhTriangleMeshShape>( p.mesh_interface.get(), true );
	mesh->setMargin( 0 );
	p.shape = std::move( mesh );
	return DS_OK;
}

} // namespace dsb

using namespace dsb;

ds_status dsb_shape_box( ds_vec3 half, dsb_shape **shape )
{
	return shape_new( shape, [&]( Primitive &p ) -> ds_status {
		if ( !positive( half.x ) || !positive( half.y ) || !positive( half.z ) )
		{
			return ds_error(
				DS_ERROR_RANGE, "collision box: half sizes %g %g %g must be positive", half.x, half.y, half.z );
		}
		p.kind = Kind::Box;
		p.half = to_bt( half );
		p.polyhedron = box_polyhedron( p.half );
		set_bounds( p, p.half );
		return DS_OK;
	} );
}

ds_status dsb_shape_sphere( double radius, dsb_shape **shape )
{
	return shape_new( shape, [&]( Primitive &p ) -> ds_status {
		if ( !positive( radius ) )
		{
			return ds_error( DS_ERROR_RANGE, "collision sphere: radius %g must be positive", radius );
		}
		p.kind = Kind::Sphere;
		p.radius = radius;
		set_bounds( p, btVector3( radius, radius, radius ) );
		return DS_OK;
	} );
}

ds_status dsb_shape_capsule( double radius, double length, dsb_shape **shape )
{
	return shape_new( shape, [&]( Primitive &p ) -> ds_status {
		if ( !positive( radius ) || !positive( length ) )
		{
			return ds_error(
				DS_ERROR_RANGE, "collision capsule: radius %g and length %g must be positive", radius, length );
		}
		p.kind = Kind::Capsule;
		p.radius = radius;
		p.length = length;
		set_bounds( p, btVector3( 0.5 * length + radius, radius, radius ) );
		return DS_OK;
	} );
}

ds_status dsb_shape_cylinder( double radius, double length, dsb_shape **shape )
{
	return shape_new( shape, [&]( Primitive &p ) -> ds_status {
		if ( !positive( radius ) || !positive( length ) )
		{
			return ds_error(
				DS_ERROR_RANGE, "collision cylinder: radius %g and length %g must be positive", radius, length );
		}
		p.kind = Kind::Cylinder;
		p.radius = radius;
		p.length = length;
		set_bounds( p, btVector3( 0.5 * length, radius, radius ) );
		p.polyhedron = prism( radius, length );
		return DS_OK;
	} );
}

ds_status dsb_shape_hull( const ds_vec3 *points, int64_t count, dsb_shape **shape )
{
	return shape_new( shape, [&]( Primitive &p ) { return make_hull( p, points, count ); } );
}

ds_status dsb_shape_mesh(
	const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles, int64_t triangle_count, dsb_shape **shape )
{
	return shape_new( shape, [&]( Primitive &p ) -> ds_status {
		if ( vertex_count < 3 || triangle_count < 1 || vertex_count > INT32_MAX || triangle_count > INT32_MAX / 3 )
		{
			return ds_error( DS_ERROR_MESH_EMPTY, "triangle mesh: %lld vertices and %lld triangles cannot be a surface",
				(long long)vertex_count, (long long)triangle_count );
		}
		return make_mesh( p, vertices, vertex_count, triangles, triangle_count );
	} );
}

static ds_status check_surface( const dsb_surface &s )
{
	bool bounds = finite( s.lower ) && finite( s.upper ) && s.lower.x <= s.upper.x && s.lower.y <= s.upper.y &&
				  s.lower.z <= s.upper.z;
	if ( !s.visit || !bounds || !positive( s.cell ) || !( s.thickness >= 0 ) || !( s.resolution >= 0 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"collision surface: it needs a function that gives triangles, finite bounds, a positive cell (%g), and a "
			"thickness (%g) and a resolution (%g) that are not negative",
			s.cell, s.thickness, s.resolution );
	}
	return DS_OK;
}

ds_status dsb_shape_surface( const dsb_surface *surface, dsb_shape **shape )
{
	return shape_new( shape, [&]( Primitive &p ) -> ds_status {
		ds_status status = check_surface( *surface );
		if ( status != DS_OK )
		{
			return status;
		}
		if ( surface->retain )
		{
			surface->retain( surface->user );
		}
		p.surface = *surface;
		p.kind = Kind::Surface;
		p.lower = to_bt( surface->lower );
		p.upper = to_bt( surface->upper );
		p.upper.setZ( p.upper.z() + surface->thickness );
		return DS_OK;
	} );
}

ds_status dsb_shape_plane( ds_vec3 normal, double offset, dsb_shape **shape )
{
	return shape_new( shape, [&]( Primitive &p ) -> ds_status {
		double n = to_bt( normal ).length();
		if ( !positive( n ) || !std::isfinite( offset ) )
		{
			return ds_error( DS_ERROR_RANGE, "collision plane: the normal must not be zero, the offset finite" );
		}
		p.kind = Kind::Plane;
		p.normal = to_bt( normal ) / n;
		p.offset = offset / n;
		return DS_OK;
	} );
}

ds_status dsb_shape_compound( dsb_shape *const *children, const ds_pose *poses, int64_t count, dsb_shape **shape )
{
	*shape = nullptr;
	try
	{
		auto made = std::make_unique<dsb_shape>();
		for ( int64_t i = 0; i < count; ++i )
		{
			if ( !finite( poses[i] ) )
			{
				return ds_error( DS_ERROR_NOT_FINITE,
					"compound shape: the pose of child %lld is not finite or its "
					"quaternion is zero",
					(long long)i );
			}
			btTransform pose = to_bt( normalized( poses[i] ) );
			for ( const Part &part : children[i]->parts )
			{
				made->parts.push_back( { part.primitive, pose * part.pose } );
			}
		}
		*shape = made.release();
		return DS_OK;
	}
	catch ( ... )
	{
		return ds_error( DS_ERROR_MEMORY, "compound shape: out of memory" );
	}
}

dsb_shape *dsb_shape_retain( dsb_shape *shape )
{
	if ( shape )
	{
		shape->references.fetch_add( 1, std::memory_order_relaxed );
	}
	return shape;
}

void dsb_shape_release( dsb_shape *shape )
{
	if ( shape && shape->references.fetch_sub( 1, std::memory_order_acq_rel ) == 1 )
	{
		delete shape;
	}
}

bool dsb_shape_can_move( const dsb_shape *shape )
{
	for ( const Part &part : shape->parts )
	{
		Kind kind = part.primitive->kind;
		if ( kind == Kind::Mesh || kind == Kind::Surface || kind == Kind::Plane )
		{
			return false;
		}
	}
	return true;
}

void dsb_shape_bounds( const dsb_shape *shape, ds_vec3 *lower, ds_vec3 *upper )
{
	btVector3 low( INFINITY, INFINITY, INFINITY ), high( -INFINITY, -INFINITY, -INFINITY );
	for ( const Part &part : shape->parts )
	{
		btVector3 a, b;
		primitive_bounds( *part.primitive, part.pose, a, b );
		low.setMin( a );
		high.setMax( b );
	}
	*lower = to_ds( low );
	*upper = to_ds( high );
}

// A hull's faces as fans about their first corners.
static bool visit_hull( const Part &part, int64_t &index, dsb_triangle_fn *fn, void *context )
{
	const Polyhedron &hull = part.primitive->polyhedron;
	for ( const Polyhedron::Face &face : hull.faces )
	{
		for ( size_t i = 2; i < face.corners.size(); ++i )
		{
			const size_t of_face[3] = { 0, i - 1, i };
			ds_vec3 corners[3];
			for ( int k = 0; k < 3; ++k )
			{
				corners[k] = to_ds( part.pose * hull.vertices[(size_t)face.corners[of_face[k]]] );
			}
			if ( !fn( context, index++, corners ) )
			{
				return false;
			}
		}
	}
	return true;
}

static bool visit_mesh( const Part &part, int64_t &index, dsb_triangle_fn *fn, void *context )
{
	const Primitive &mesh = *part.primitive;
	for ( size_t i = 0; i + 2 < mesh.triangles.size(); i += 3 )
	{
		ds_vec3 corners[3];
		for ( size_t k = 0; k < 3; ++k )
		{
			corners[k] = to_ds( part.pose * mesh.vertices[(size_t)mesh.triangles[i + k]] );
		}
		if ( !fn( context, index++, corners ) )
		{
			return false;
		}
	}
	return true;
}

void dsb_shape_triangles( const dsb_shape *shape, dsb_triangle_fn *fn, void *context )
{
	int64_t index = 0;
	for ( const Part &part : shape->parts )
	{
		Kind kind = part.primitive->kind;
		bool more = kind == Kind::Hull   ? visit_hull( part, index, fn, context )
					: kind == Kind::Mesh ? visit_mesh( part, index, fn, context )
										 : true;
		if ( !more )
		{
			return;
		}
	}
}

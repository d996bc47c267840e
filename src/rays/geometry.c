// Geometries: checking, copying, references.

#include "rays/geometry.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <string.h>

static bool pose_is_finite( const ds_pose *pose )
{
	const ds_quat *q = &pose->attitude;
	return ds_finite( pose->position ) && isfinite( q->w ) && isfinite( q->x ) && isfinite( q->y ) && isfinite( q->z );
}

static ds_status check_shape( const ds_ray_shape *s, int64_t i )
{
	const double sizes[] = { s->half.x, s->half.y, s->half.z, s->radius, s->length };
	const int first = s->kind == DS_RAY_BOX ? 0 : 3;
	const int end = s->kind == DS_RAY_BOX ? 3 : s->kind == DS_RAY_SPHERE ? 4 : 5;
	if ( s->kind < DS_RAY_BOX || s->kind > DS_RAY_CYLINDER )
	{
		return ds_error( DS_ERROR_RANGE, "rays: shape %lld: unknown kind %d", (long long)i, s->kind );
	}
	if ( !pose_is_finite( &s->pose ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "rays: shape %lld: its pose is not finite", (long long)i );
	}
	for ( int k = first; k < end; ++k )
	{
		if ( !( sizes[k] > 0 && sizes[k] < INFINITY ) )
		{
			return ds_error( DS_ERROR_RANGE, "rays: shape %lld: sizes must be finite and greater than 0, got %g m",
				(long long)i, sizes[k] );
		}
	}
	return DS_OK;
}

static ds_status check( const ds_ray_geometry_def *def )
{
	if ( def->triangle_count < 0 || def->shape_count < 0 || def->vertex_count < 0 ||
		 ( def->triangle_count > 0 && ( def->vertices == NULL || def->triangles == NULL ) ) ||
		 ( def->shape_count > 0 && def->shapes == NULL ) || def->triangle_count + def->shape_count == 0 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "rays: a geometry needs triangles with their vertices, or shapes" );
	}
	if ( def->triangle_count > INT64_C( 1 ) << 31 || def->shape_count > INT64_C( 1 ) << 24 )
	{
		return ds_error( DS_ERROR_LIMIT,
			"rays: a geometry of %lld triangles and %lld shapes: at most 2^31 and 2^24 are possible",
			(long long)def->triangle_count, (long long)def->shape_count );
	}
	if ( def->triangle_count > 0 && !pose_is_finite( &def->pose ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "rays: the pose of a geometry's triangles is not finite" );
	}
	for ( int64_t i = 0; i < 3 * def->triangle_count; ++i )
	{
		if ( def->triangles[i] < 0 || def->triangles[i] >= def->vertex_count )
		{
			return ds_error( DS_ERROR_RANGE, "rays: triangle %lld has vertex %d of %lld", (long long)( i / 3 ),
				def->triangles[i], (long long)def->vertex_count );
		}
		if ( !ds_finite( def->vertices[def->triangles[i]] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "rays: vertex %d of a geometry is not finite", def->triangles[i] );
		}
	}
	for ( int64_t i = 0; i < def->shape_count; ++i )
	{
		DS_TRY( check_shape( def->shapes + i, i ) );
	}
	return DS_OK;
}

static ds_status fill( ds_ray_geometry *g, const ds_ray_geometry_def *def )
{
	ds_ray_set *set = &g->set;
	if ( def->triangle_count > 0 )
	{
		DS_TRY( DS_NEW( &g->allocator, def->vertex_count, &g->vertices ) );
		g->vertex_count = def->vertex_count;
		DS_TRY( DS_NEW( &g->allocator, 3 * def->triangle_count, &g->triangles ) );
		set->triangle_count = def->triangle_count;
		ds_pose pose = { def->pose.position, ds_quat_normalize( def->pose.attitude ) };
		for ( int64_t i = 0; i < def->vertex_count; ++i )
		{
			g->vertices[i] = ds_pose_point( pose, def->vertices[i] );
		}
		memcpy( g->triangles, def->triangles, 3 * (size_t)def->triangle_count * sizeof( *g->triangles ) );
	}
	DS_TRY( DS_NEW( &g->allocator, def->shape_count, &g->shapes ) );
	set->shape_count = def->shape_count;
	for ( int64_t i = 0; i < def->shape_count; ++i )
	{
		g->shapes[i] = def->shapes[i];
		g->shapes[i].pose.attitude = ds_quat_normalize( def->shapes[i].pose.attitude );
	}
	set->vertices = g->vertices;
	set->triangles = g->triangles;
	set->shapes = g->shapes;
	set->front = def->solid;
	return ds_ray_set_build( set );
}

ds_status ds_ray_geometry_create( const ds_hooks *hooks, const ds_ray_geometry_def *def, ds_ray_geometry **geometry )
{
	if ( def == NULL || geometry == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "rays: a geometry needs a definition and room for the result" );
	}
	*geometry = NULL;
	DS_TRY( check( def ) );
	ds_ray_geometry *g;
	DS_TRY( DS_NEW( hooks ? &hooks->allocator : NULL, 1, &g ) );
	if ( hooks )
	{
		g->allocator = hooks->allocator;
	}
	atomic_init( &g->references, 1 );
	ds_status status = fill( g, def );
	if ( status != DS_OK )
	{
		ds_ray_geometry_release( g );
		return status;
	}
	*geometry = g;
	return DS_OK;
}

ds_ray_geometry *ds_ray_geometry_retain( ds_ray_geometry *geometry )
{
	if ( geometry )
	{
		atomic_fetch_add_explicit( &geometry->references, 1, memory_order_relaxed );
	}
	return geometry;
}

void ds_ray_geometry_release( ds_ray_geometry *geometry )
{
	if ( geometry == NULL || atomic_fetch_sub_explicit( &geometry->references, 1, memory_order_acq_rel ) != 1 )
	{
		return;
	}
	ds_allocator allocator = geometry->allocator;
	ds_ray_set_free( &geometry->set );
	DS_FREE( &allocator, geometry->vertices, geometry->vertex_count );
	DS_FREE( &allocator, geometry->triangles, 3 * geometry->set.triangle_count );
	DS_FREE( &allocator, geometry->shapes, geometry->set.shape_count );
	DS_FREE( &allocator, geometry, 1 );
}

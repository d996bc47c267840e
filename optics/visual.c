// Visuals: making, sharing, and what a point of one looks like.

#include "optics/visual.h"

#include "deepsim/math.h"

#include <cglm/mat3.h>
#include <string.h>

// ---- material ------------------------------------------------------------------------------------------------------

static const ds_field material_fields[] = {
	DS_F64( ds_material, color, "", "[0.5, 0.5, 0.5]", 0, 1, "reflectance for red, green, blue; linear" ),
	DS_F64( ds_material, metallic, "", "0", 0, 1, "0: paint, stone, plastic; 1: bare metal" ),
	DS_F64( ds_material, roughness, "", "0.9", 0, 1, "0: a mirror; 1: mat" ),
};
static const ds_table material_table =
	DS_TABLE( "material", "what a surface looks like, as glTF 2.0 has it", ds_material, material_fields );

const ds_table *ds_material_table( void )
{
	return &material_table;
}

ds_material ds_material_default( void )
{
	ds_material material;
	ds_table_defaults( &material_table, &material );
	return material;
}

ds_visual_material ds_visual_material_of( const ds_material *material )
{
	ds_material given = material ? *material : ds_material_default();
	ds_visual_material made = { { (float)given.color[0], (float)given.color[1], (float)given.color[2] },
		(float)given.metallic, (float)given.roughness, -1, -1, { 0, 0 }, { 0, 0 } };
	return made;
}

// ---- making, sharing -----------------------------------------------------------------------------------------------

static void destroy( ds_visual *v )
{
	const ds_allocator *a = &v->allocator;
	DS_FREE( a, v->vertices, v->vertex_count );
	DS_FREE( a, v->triangles, 3 * v->face_count );
	DS_FREE( a, v->normals, 3 * v->face_count );
	DS_FREE( a, v->uv, 3 * v->face_count );
	DS_FREE( a, v->surface_uv, 3 * v->face_count );
	DS_FREE( a, v->colors, 3 * v->face_count );
	DS_FREE( a, v->face_materials, v->face_count );
	DS_FREE( a, v->materials, v->material_count );
	for ( int32_t i = 0; i < v->texture_count && v->textures; ++i )
	{
		ds_texture_free( a, v->textures + i );
	}
	DS_FREE( a, v->textures, v->texture_count );
	ds_allocator allocator = *a;
	DS_FREE( &allocator, v, 1 );
}

ds_status ds_visual_new( const ds_hooks *hooks, int64_t vertices, int64_t faces, int32_t materials, ds_visual **visual )
{
	*visual = NULL;
	ds_allocator allocator = { NULL, NULL, NULL };
	allocator = hooks ? hooks->allocator : allocator;
	if ( vertices > INT32_MAX || faces > INT32_MAX / 3 )
	{
		return ds_error( DS_ERROR_LIMIT, "a visual can have %d vertices and %d faces, not %lld and %lld", INT32_MAX,
			INT32_MAX / 3, (long long)vertices, (long long)faces );
	}
	ds_visual *v;
	DS_TRY( DS_NEW( &allocator, 1, &v ) );
	v->allocator = allocator;
	atomic_init( &v->references, 1 );
	v->vertex_count = vertices;
	v->face_count = faces;
	v->material_count = materials;
	ds_status status = DS_NEW( &allocator, vertices, &v->vertices );
	status = status == DS_OK ? DS_NEW( &allocator, 3 * faces, &v->triangles ) : status;
	status = status == DS_OK ? DS_NEW( &allocator, 3 * faces, &v->normals ) : status;
	status = status == DS_OK ? DS_NEW( &allocator, materials, &v->materials ) : status;
	if ( status != DS_OK )
	{
		destroy( v );
		return status;
	}
	*visual = v;
	return DS_OK;
}

ds_visual *ds_visual_retain( ds_visual *visual )
{
	if ( visual )
	{
		atomic_fetch_add_explicit( &visual->references, 1, memory_order_relaxed );
	}
	return visual;
}

void ds_visual_release( ds_visual *visual )
{
	if ( visual && atomic_fetch_sub_explicit( &visual->references, 1, memory_order_acq_rel ) == 1 )
	{
		destroy( visual );
	}
}

ds_status ds_visual_from_mesh(
	const ds_mesh *mesh, ds_pose pose, const ds_material *material, const ds_hooks *hooks, ds_visual **visual )
{
	if ( mesh == NULL || visual == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_visual_from_mesh needs a mesh and a place for the visual" );
	}
	*visual = NULL;
	double norm = pose.attitude.w * pose.attitude.w + pose.attitude.x * pose.attitude.x +
				  pose.attitude.y * pose.attitude.y + pose.attitude.z * pose.attitude.z;
	if ( !ds_finite( pose.position ) || !isfinite( norm ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "the pose of a visual is not finite" );
	}
	ds_status status = material ? ds_table_check_value( &material_table, material ) : DS_OK;
	if ( status != DS_OK )
	{
		return ds_error_prefix( status, "material of a visual: " );
	}
	int64_t vertices, faces;
	const ds_vec3 *points = ds_mesh_vertices( mesh, &vertices );
	const int32_t *triangles = ds_mesh_triangles( mesh, &faces );
	ds_visual *v;
	DS_TRY( ds_visual_new( hooks, vertices, faces, 1, &v ) );
	ds_quat turn = ds_quat_normalize( pose.attitude );
	for ( int64_t i = 0; i < vertices; ++i )
	{
		v->vertices[i] = ds_add( pose.position, ds_rotate( turn, points[i] ) );
	}
	memcpy( v->triangles, triangles, (size_t)( 3 * faces ) * sizeof( *triangles ) );
	v->materials[0] = ds_visual_material_of( material );
	status = ds_visual_compute_normals( v, true );
	if ( status != DS_OK )
	{
		ds_visual_release( v );
		return status;
	}
	*visual = v;
	return DS_OK;
}

const ds_vec3 *ds_visual_vertices( const ds_visual *visual, int64_t *count )
{
	if ( count )
	{
		*count = visual ? visual->vertex_count : 0;
	}
	return visual ? visual->vertices : NULL;
}

const int32_t *ds_visual_triangles( const ds_visual *visual, int64_t *face_count )
{
	if ( face_count )
	{
		*face_count = visual ? visual->face_count : 0;
	}
	return visual ? visual->triangles : NULL;
}

// ---- a point -------------------------------------------------------------------------------------------------------

// A point's weights of a triangle's corners (they mix what corners have as a matrix does whose columns these are), and twice the triangle's area, squared [m4].
typedef struct weights
{
	vec3 w;
	double area2;
	ds_vec3 cross;
} weights;

// The point is taken to the plane of the triangle, and into it if it lies beyond an edge. (0, 0, 1) where there is no area.
static weights weigh( const ds_visual *v, const int32_t *t, ds_vec3 point )
{
	ds_vec3 a = v->vertices[t[0]], ab = ds_sub( v->vertices[t[1]], a ), ac = ds_sub( v->vertices[t[2]], a );
	ds_vec3 ap = ds_sub( point, a ), n = ds_cross( ab, ac );
	double area2 = ds_dot( n, n ), scale = area2 > 0 ? 1 / area2 : 0;
	double b = ds_dot( ds_cross( ap, ac ), n ) * scale, c = ds_dot( ds_cross( ab, ap ), n ) * scale;

	// comparisons that a NaN fails
	b = b > 0 ? b < 1 ? b : 1 : 0;
	c = c > 0 ? c < 1 ? c : 1 : 0;
	double sum = b + c;
	if ( sum > 1 )
	{
		b /= sum;
		c /= sum;
	}
	weights out = { { (float)( 1 - b - c ), (float)b, (float)c }, area2, n };
	return out;
}

static void sample( const ds_texture *texture, const uint8_t wrap[2], const float ( *uv )[2], const weights *at,
	double footprint, float color[3] )
{
	float u = at->w[0] * uv[0][0] + at->w[1] * uv[1][0] + at->w[2] * uv[2][0];
	float v = at->w[0] * uv[0][1] + at->w[1] * uv[1][1] + at->w[2] * uv[2][1];

	// texels for a square metre, by the areas of the triangle in the picture and in space
	double texels2 = 0;
	if ( footprint > 0 && at->area2 > 0 )
	{
		double du1 = (double)uv[1][0] - uv[0][0], dv1 = (double)uv[1][1] - uv[0][1];
		double du2 = (double)uv[2][0] - uv[0][0], dv2 = (double)uv[2][1] - uv[0][1];
		double picture = fabs( du1 * dv2 - du2 * dv1 ) * texture->width * texture->height;
		texels2 = footprint * footprint * picture / sqrt( at->area2 );
	}
	ds_texture_sample( texture, wrap, u, v, (float)texels2, color );
}

static void put_normal( const ds_visual *visual, int64_t face, weights *at, vec3 out )
{
	vec3 n;
	glm_mat3_mulv( visual->normals + 3 * face, at->w, n );
	const float square = glm_vec3_dot( n, n );
	if ( square > 1e-12f )
	{
		glm_vec3_scale( n, 1 / sqrtf( square ), out );
	}
	else
	{
		glm_vec3_copy( visual->normals[3 * face], out );
	}
}

void ds_visual_at( const ds_visual *visual, int64_t face, ds_vec3 point, double footprint, ds_surface *surface )
{
	const ds_visual_material *material =
		visual->materials + ( visual->face_materials ? visual->face_materials[face] : 0 );
	weights at = weigh( visual, visual->triangles + 3 * face, point );
	put_normal( visual, face, &at, surface->normal );
	memcpy( surface->color, material->color, sizeof( surface->color ) );
	surface->metallic = material->metallic;
	surface->roughness = material->roughness;
	vec3 color;
	if ( visual->colors )
	{
		glm_mat3_mulv( visual->colors + 3 * face, at.w, color );
		glm_vec3_mul( surface->color, color, surface->color );
	}
	if ( material->color_texture >= 0 )
	{
		const float( *uv )[2] = ( const float( * )[2] )( visual->uv + 3 * face );
		sample( visual->textures + material->color_texture, material->color_wrap, uv, &at, footprint, color );
		glm_vec3_mul( surface->color, color, surface->color );
	}
	if ( material->surface_texture >= 0 )
	{
		const float( *uv )[2] =
			( const float( * )[2] )( ( visual->surface_uv ? visual->surface_uv : visual->uv ) + 3 * face );
		sample( visual->textures + material->surface_texture, material->surface_wrap, uv, &at, footprint, color );
		surface->roughness *= color[1];
		surface->metallic *= color[2];
	}
}

// Parametric meshes: boxes and spheres. Surfaces of revolution are in mesh_lathe.c.

#include "io/mesh_make.h"

#include <string.h>

ds_status ds_make_box( ds_soup *soup, const ds_mesh_shape *shape )
{
	// corner i has the sign of bit 0 along x, bit 1 along y, bit 2 along z
	static const int32_t faces[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 },
		{ 2, 6, 7 }, { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
	for ( int i = 0; i < 8; ++i )
	{
		ds_vec3 p = { ( i & 1 ) - 0.5, ( i >> 1 & 1 ) - 0.5, ( i >> 2 ) - 0.5 };
		DS_TRY( ds_soup_add_vertex( soup, ds_v3( p.x * shape->size.x, p.y * shape->size.y, p.z * shape->size.z ) ) );
	}
	for ( int i = 0; i < 12; ++i )
	{
		DS_TRY( ds_soup_add_triangle( soup, faces[i][0], faces[i][1], faces[i][2] ) );
	}
	return DS_OK;
}

// ---- spheres

static ds_vec3 unit( ds_vec3 v )
{
	return ds_scale( 1 / ds_length( v ), v );
}

// The icosahedron with the corners (0, +-1, +-g) and their cyclic permutations, g the golden ratio: it is its own mirror
// image in all three planes. Its edges are 2 long, and its faces are the triples that are that far apart.
static ds_status add_icosahedron( ds_soup *soup )
{
	const double g = 0.5 * ( 1 + sqrt( 5.0 ) );
	ds_vec3 corners[12];
	for ( int i = 0; i < 4; ++i )
	{
		double one = i & 1 ? -1 : 1, golden = i & 2 ? -g : g;
		corners[i] = ds_v3( 0, one, golden );
		corners[i + 4] = ds_v3( golden, 0, one );
		corners[i + 8] = ds_v3( one, golden, 0 );
	}
	for ( int i = 0; i < 12; ++i )
	{
		DS_TRY( ds_soup_add_vertex( soup, unit( corners[i] ) ) );
	}
	for ( int32_t a = 0; a < 12; ++a )
	{
		for ( int32_t b = a + 1; b < 12; ++b )
		{
			for ( int32_t c = b + 1; c < 12; ++c )
			{
				ds_vec3 ab = ds_sub( corners[b], corners[a] ), ac = ds_sub( corners[c], corners[a] );
				bool face = ds_length( ab ) < 2.1 && ds_length( ac ) < 2.1 &&
							ds_length( ds_sub( corners[c], corners[b] ) ) < 2.1;
				bool outward = ds_dot( corners[a], ds_cross( ab, ac ) ) > 0;
				if ( face )
				{
					DS_TRY( ds_soup_add_triangle( soup, a, outward ? b : c, outward ? c : b ) );
				}
			}
		}
	}
	return DS_OK;
}

// A face in n^2 parts, on the unit sphere. Sums are commutative, so that neighbours get the same bits along their edge.
static ds_status add_parts( ds_soup *soup, ds_vec3 a, ds_vec3 b, ds_vec3 c, int64_t n )
{
	int32_t first = (int32_t)soup->vertex_count;
	for ( int64_t i = 0; i <= n; ++i )
	{
		for ( int64_t k = 0; k <= i; ++k )
		{
			double wa = (double)( n - i ), wb = (double)( i - k ), wc = (double)k;
			ds_vec3 p = ds_add( ds_add( ds_scale( wa, a ), ds_scale( wb, b ) ), ds_scale( wc, c ) );
			DS_TRY( ds_soup_add_vertex( soup, unit( p ) ) );
		}
	}
	for ( int64_t i = 0; i < n; ++i )
	{
		// row i starts after 1 + 2 + ... + i vertices
		int32_t row = first + (int32_t)( i * ( i + 1 ) / 2 ), next = row + (int32_t)i + 1;
		for ( int32_t k = 0; k <= (int32_t)i; ++k )
		{
			DS_TRY( ds_soup_add_triangle( soup, row + k, next + k, next + k + 1 ) );
			if ( k < (int32_t)i )
			{
				DS_TRY( ds_soup_add_triangle( soup, row + k, next + k + 1, row + k + 1 ) );
			}
		}
	}
	return DS_OK;
}

static ds_status subdivide( ds_soup *soup, int64_t n )
{
	ds_soup coarse = *soup;
	soup->vertices = NULL;
	soup->triangles = NULL;
	soup->vertex_count = soup->vertex_capacity = soup->face_count = soup->face_capacity = 0;
	ds_status status =
		ds_soup_reserve( soup, coarse.face_count * ( n + 1 ) * ( n + 2 ) / 2, coarse.face_count * n * n );
	for ( int64_t f = 0; f < coarse.face_count && status == DS_OK; ++f )
	{
		const int32_t *t = coarse.triangles + 3 * f;
		const ds_vec3 *v = coarse.vertices;
		status = add_parts( soup, v[t[0]], v[t[1]], v[t[2]], n );
	}
	ds_soup_free( &coarse );
	return status;
}

// 20 n^2 faces: the odd part of n in one go, then halving, which spaces the vertices more evenly.
ds_status ds_make_ellipsoid( ds_soup *soup, ds_vec3 semi_axes, int64_t faces )
{
	int64_t n = (int64_t)floor( sqrt( (double)faces / 20 ) + 0.5 );
	n = n > 1 ? n : 1;
	int64_t odd = n;
	while ( odd % 2 == 0 )
	{
		odd /= 2;
	}
	DS_TRY( add_icosahedron( soup ) );
	if ( odd > 1 )
	{
		DS_TRY( subdivide( soup, odd ) );
	}
	for ( int64_t done = odd; done < n; done *= 2 )
	{
		DS_TRY( subdivide( soup, 2 ) );
	}
	for ( int64_t i = 0; i < soup->vertex_count; ++i )
	{
		ds_vec3 *p = soup->vertices + i;
		*p = ds_v3( p->x * semi_axes.x, p->y * semi_axes.y, p->z * semi_axes.z );
	}
	return DS_OK;
}

// ---- the door

// Holds the options that the kind has against its descriptors.
static ds_status check_shape( const ds_table *table, const ds_mesh_shape *shape )
{
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = table->fields + i;
		for ( int32_t k = 0; k < field->count; ++k )
		{
			const char *at = (const char *)shape + field->offset;
			double value;
			if ( field->type == DS_FIELD_I64 )
			{
				int64_t integer;
				memcpy( &integer, at + (size_t)k * sizeof( integer ), sizeof( integer ) );
				value = (double)integer;
			}
			else
			{
				memcpy( &value, at + (size_t)k * sizeof( value ), sizeof( value ) );
				value *= field->flags & DS_FIELD_ANGLE ? 180 / DS_PI : 1;
			}
			bool exclusive = field->flags & DS_FIELD_EXCLUSIVE_MINIMUM;
			if ( !( exclusive ? value > field->minimum : value >= field->minimum ) || !( value <= field->maximum ) )
			{
				return ds_error( DS_ERROR_RANGE, "%s: %s%s is %g: it must be %s %g and at most %g", table->name,
					field->name, field->flags & DS_FIELD_ANGLE ? "_deg" : "", value, exclusive ? "above" : "at least",
					field->minimum, field->maximum );
			}
		}
	}
	return table->check ? table->check( shape ) : DS_OK;
}

static ds_status fill_shape( ds_soup *soup, const ds_mesh_shape *shape )
{
	switch ( shape->kind )
	{
		case DS_MESH_BOX:
			return ds_make_box( soup, shape );
		case DS_MESH_SPHERE:
			return ds_make_ellipsoid( soup, ds_v3( shape->radius, shape->radius, shape->radius ), shape->faces );
		case DS_MESH_ELLIPSOID:
			return ds_make_ellipsoid( soup, shape->semi_axes, shape->faces );
		default:
			return ds_make_lathe( soup, shape );
	}
}

ds_status ds_mesh_make( const ds_mesh_shape *shape, const ds_hooks *hooks, ds_mesh **mesh )
{
	if ( shape == NULL || mesh == NULL || shape->struct_size != sizeof( *shape ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a mesh shape must come from ds_mesh_shape_default()" );
	}
	*mesh = NULL;
	const ds_table *table = ds_mesh_shape_table( shape->kind );
	if ( table == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "there is no mesh shape of kind %d", (int)shape->kind );
	}
	DS_TRY( check_shape( table, shape ) );
	ds_mesh_options options = ds_mesh_options_default();
	ds_mesh_report report;
	memset( &report, 0, sizeof( report ) );
	ds_soup soup;
	memset( &soup, 0, sizeof( soup ) );
	soup.name = table->name;
	soup.options = &options;
	soup.hooks = hooks;
	soup.allocator = hooks ? &hooks->allocator : NULL;
	soup.report = &report;
	ds_status status = fill_shape( &soup, shape );
	if ( status == DS_OK )
	{
		status = ds_mesh_create(
			soup.vertices, soup.vertex_count, soup.triangles, soup.face_count, &options, hooks, mesh, &report );
	}
	ds_soup_free( &soup );
	return status;
}

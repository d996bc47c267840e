// Volume integrals of polyhedra as sums over the tetrahedra between a local origin and the faces:
// V = det/6, first moment det/24 (a + b + c), second moment det/120 (aa' + bb' + cc' + ss') with s = a + b + c.
// The origin is the middle of the bounding box, so that a mesh far from its own origin loses no digits.

#include "io/mesh_internal.h"

#include <string.h>

// Sums of one block of faces; second moments in the order xx, yy, zz, xy, yz, zx.
typedef struct moments
{
	double volume, area, first[3], second[6];
} moments;

#define MOMENT_COUNT 11
#define BLOCK        256

static void add_face( moments *m, ds_vec3 a, ds_vec3 b, ds_vec3 c )
{
	ds_vec3 normal = ds_cross( ds_sub( b, a ), ds_sub( c, a ) );
	ds_vec3 s = ds_add( a, ds_add( b, c ) );
	double det = ds_dot( a, normal );
	m->volume += det;
	m->area += ds_length( normal );
	m->first[0] += det * s.x;
	m->first[1] += det * s.y;
	m->first[2] += det * s.z;
	m->second[0] += det * ( a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x );
	m->second[1] += det * ( a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y );
	m->second[2] += det * ( a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z );
	m->second[3] += det * ( a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y );
	m->second[4] += det * ( a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z );
	m->second[5] += det * ( a.z * a.x + b.z * b.x + c.z * c.x + s.z * s.x );
}

// Sums by blocks: rounding grows with the blocks and not with the faces.
static moments sum_faces( const ds_vec3 *vertices, const int32_t *triangles, int64_t face_count, ds_vec3 origin )
{
	double total[MOMENT_COUNT] = { 0 };
	for ( int64_t begin = 0; begin < face_count; begin += BLOCK )
	{
		int64_t end = begin + BLOCK < face_count ? begin + BLOCK : face_count;
		moments block;
		memset( &block, 0, sizeof( block ) );
		for ( int64_t f = begin; f < end; ++f )
		{
			const int32_t *t = triangles + 3 * f;
			add_face( &block, ds_sub( vertices[t[0]], origin ), ds_sub( vertices[t[1]], origin ),
				ds_sub( vertices[t[2]], origin ) );
		}
		double part[MOMENT_COUNT];
		memcpy( part, &block, sizeof( part ) );
		for ( int i = 0; i < MOMENT_COUNT; ++i )
		{
			total[i] += part[i];
		}
	}
	moments out;
	memcpy( &out, total, sizeof( out ) );
	return out;
}

static void set_bounds( const ds_vec3 *vertices, int64_t count, ds_mesh_properties *out )
{
	out->lower = out->upper = vertices[0];
	for ( int64_t i = 1; i < count; ++i )
	{
		ds_extend_bounds( &out->lower, &out->upper, vertices[i] );
	}
}

static void set_volume( const moments *m, ds_vec3 origin, ds_mesh_properties *out )
{
	double volume = m->volume / 6;
	out->volume = volume;
	if ( volume == 0 )
	{
		return;
	}
	ds_vec3 c = ds_scale( 1 / ( 24 * volume ), ds_v3( m->first[0], m->first[1], m->first[2] ) );
	out->centroid = ds_add( origin, c );

	// second moments about the centroid, then I = tr(S) 1 - S
	double xx = m->second[0] / 120 - volume * c.x * c.x, xy = m->second[3] / 120 - volume * c.x * c.y;
	double yy = m->second[1] / 120 - volume * c.y * c.y, yz = m->second[4] / 120 - volume * c.y * c.z;
	double zz = m->second[2] / 120 - volume * c.z * c.z, zx = m->second[5] / 120 - volume * c.z * c.x;
	ds_mat3 inertia = { { { yy + zz, -xy, -zx }, { -xy, zz + xx, -yz }, { -zx, -yz, xx + yy } } };
	out->inertia = inertia;
}

void ds_mesh_integrate( const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles, int64_t face_count,
	bool closed, ds_mesh_properties *out )
{
	memset( out, 0, sizeof( *out ) );
	out->vertices = vertex_count;
	out->faces = face_count;
	out->closed = closed;
	if ( vertex_count == 0 )
	{
		return;
	}
	set_bounds( vertices, vertex_count, out );
	ds_vec3 origin = ds_mad( ds_scale( 0.5, out->lower ), 0.5, out->upper );
	moments m = sum_faces( vertices, triangles, face_count, origin );
	out->area = m.area / 2;
	if ( closed )
	{
		set_volume( &m, origin, out );
	}
}

// Preparing the faces of a mesh.

#include "base/base.h"
#include "deepsim/math.h"
#include "hydro/faces_internal.h"

#include <stdlib.h>
#include <string.h>

// A face of less area [m2] is a line or a point: it feels no force and has no normal.
#define LEAST_AREA 1e-140

int ds_faces_kernels( const ds_faces_kernel *kernels[4] )
{
	int count = 0;
#if defined( __x86_64__ )
	__builtin_cpu_init();
	if ( __builtin_cpu_supports( "avx512f" ) )
	{
		kernels[count++] = &ds_faces_kernel_avx512;
	}
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		kernels[count++] = &ds_faces_kernel_avx2;
	}
	kernels[count++] = &ds_faces_kernel_sse2;
#endif
	kernels[count++] = &ds_faces_kernel_scalar;
	return count;
}

// ---- checks ------------------------------------------------------------------------------------------------------

static ds_status check_numbers( const ds_faces_def *d )
{
	const ds_quat q = d->pose.attitude;
	double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
	if ( !ds_finite( d->pose.position ) || !( fabs( norm - 1 ) < 1e-6 ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "faces: the pose must be finite, with a unit quaternion" );
	}
	if ( !ds_finite( d->form_drag ) || d->form_drag.x < 0 || d->form_drag.y < 0 || d->form_drag.z < 0 )
	{
		return ds_error( DS_ERROR_RANGE, "faces: form drag coefficients must be finite and not negative" );
	}
	if ( !isfinite( d->skin_drag ) || d->skin_drag < 0 )
	{
		return ds_error( DS_ERROR_RANGE, "faces: the skin drag coefficient must be finite and not negative" );
	}
	if ( !isfinite( d->lift ) || d->lift < 0 || !isfinite( d->magnus ) )
	{
		return ds_error( DS_ERROR_RANGE, "faces: lift and Magnus coefficients must be finite, lift not negative" );
	}
	if ( !isfinite( d->volume ) || ( d->has_cb && !ds_finite( d->cb ) ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "faces: volume and centre of buoyancy must be finite" );
	}
	return DS_OK;
}

static ds_status check_mesh( const ds_faces_def *d )
{
	if ( d->vertex_count <= 0 || d->face_count <= 0 )
	{
		return ds_error( DS_ERROR_MESH_EMPTY, "faces: the mesh has no faces" );
	}
	for ( int64_t i = 0; i < d->vertex_count; ++i )
	{
		if ( !ds_finite( d->vertices[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "faces: vertex %lld is not finite", (long long)i );
		}
	}
	for ( int64_t i = 0; i < 3 * d->face_count; ++i )
	{
		if ( d->triangles[i] < 0 || d->triangles[i] >= d->vertex_count )
		{
			return ds_error( DS_ERROR_RANGE, "faces: face %lld has vertex %d, there are %lld", (long long)( i / 3 ),
				(int)d->triangles[i], (long long)d->vertex_count );
		}
	}
	return DS_OK;
}

// ---- the mesh as a whole -----------------------------------------------------------------------------------------

// A face in the frame of the results.
typedef struct face
{
	ds_vec3 vertex[3];
	uint64_t key; // place along a space-filling curve
	int64_t index;
} face;

static ds_vec3 face_center( const face *f )
{
	return ds_scale( 1.0 / 3, ds_add( ds_add( f->vertex[0], f->vertex[1] ), f->vertex[2] ) );
}

static ds_vec3 face_area( const face *f )
{
	ds_vec3 e1 = ds_sub( f->vertex[1], f->vertex[0] ), e2 = ds_sub( f->vertex[2], f->vertex[0] );
	return ds_scale( 0.5, ds_cross( e1, e2 ) );
}

// Vertices in the frame of the results; the box around those in use, and the farthest from the reference point.
static void place_faces( ds_faces *r, const ds_faces_def *d, face *faces )
{
	ds_vec3 low = ds_v3( INFINITY, INFINITY, INFINITY ), high = ds_v3( -INFINITY, -INFINITY, -INFINITY );
	for ( int64_t i = 0; i < d->face_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			ds_vec3 p = ds_pose_point( d->pose, d->vertices[d->triangles[3 * i + k]] );
			low = ds_v3( fmin( low.x, p.x ), fmin( low.y, p.y ), fmin( low.z, p.z ) );
			high = ds_v3( fmax( high.x, p.x ), fmax( high.y, p.y ), fmax( high.z, p.z ) );
			r->radius = fmax( r->radius, ds_length( p ) );
			faces[i].vertex[k] = p;
		}
		faces[i].index = i;
	}
	r->box_center = ds_scale( 0.5, ds_add( low, high ) );
	r->box_half = ds_scale( 0.5, ds_sub( high, low ) );
}

// Volume, its centre and area; checks that the surface is closed and turned outwards.
static ds_status measure( ds_faces *r, const face *faces, int64_t count )
{
	double volume = 0;
	ds_vec3 moment = { 0, 0, 0 }, open = { 0, 0, 0 };
	for ( int64_t i = 0; i < count; ++i )
	{
		// tetrahedron of the face and the middle of the box
		ds_vec3 c = ds_sub( face_center( faces + i ), r->box_center ), w = face_area( faces + i );
		double v = ds_dot( c, w ) / 3;
		volume += v;
		moment = ds_mad( moment, 0.75 * v, c );
		open = ds_add( open, w );
		r->area += ds_length( w );
	}
	if ( !( r->area > LEAST_AREA ) )
	{
		return ds_error( DS_ERROR_MESH_EMPTY, "faces: the mesh has no faces of any area" );
	}
	if ( !( ds_length( open ) <= 1e-9 * r->area ) )
	{
		return ds_error( DS_ERROR_MESH_OPEN, "faces: the mesh is not closed: its area vectors do not add to zero" );
	}
	if ( !( volume > 1e-12 * r->area * ds_length( r->box_half ) ) )
	{
		return ds_error( DS_ERROR_MESH_VOLUME,
			"faces: the mesh encloses %g m3: it must be closed, with its faces turned outwards", volume );
	}
	r->mesh_volume = volume;
	r->center = ds_mad( r->box_center, 1 / volume, moment );
	return DS_OK;
}

// Second and third moments of the volume about its centre, a tetrahedron a face. With the sums over its corners x (the centre
// is the fourth) S = sum x, Q = sum x x, R = sum x x x, those of a tetrahedron of volume v are
//   v/20 ( Q_ij + S_i S_j ),   v/120 ( S_i S_j S_k + S_i Q_jk + S_j Q_ik + S_k Q_ij + 2 R_ijk )
static void add_moments( ds_faces *r, const face *f )
{
	double x[3][3], s[3] = { 0 }, q[3][3] = { { 0 } }, t[3][3][3] = { { { 0 } } };
	ds_vec3 w = face_area( f );
	double v = ds_dot( ds_sub( face_center( f ), r->center ), w ) / 3;
	for ( int a = 0; a < 3; ++a )
	{
		ds_vec3 p = ds_sub( f->vertex[a], r->center );
		x[a][0] = p.x;
		x[a][1] = p.y;
		x[a][2] = p.z;
		for ( int n = 0; n < 27; ++n )
		{
			int i = n / 9, j = n / 3 % 3, k = n % 3;
			s[i] += j == 0 && k == 0 ? x[a][i] : 0;
			q[i][j] += k == 0 ? x[a][i] * x[a][j] : 0;
			t[i][j][k] += x[a][i] * x[a][j] * x[a][k];
		}
	}
	for ( int n = 0; n < 27; ++n )
	{
		int i = n / 9, j = n / 3 % 3, k = n % 3;
		r->second.m[i][j] += k == 0 ? v / 20 * ( q[i][j] + s[i] * s[j] ) : 0;
		r->third[i].m[j][k] +=
			v / 120 * ( s[i] * s[j] * s[k] + s[i] * q[j][k] + s[j] * q[i][k] + s[k] * q[i][j] + 2 * t[i][j][k] );
	}
}

// ---- order -------------------------------------------------------------------------------------------------------

// Spreads the low 21 bits of x to every third bit.
static uint64_t spread( uint64_t x )
{
	x = ( x | x << 32 ) & UINT64_C( 0x1f00000000ffff );
	x = ( x | x << 16 ) & UINT64_C( 0x1f0000ff0000ff );
	x = ( x | x << 8 ) & UINT64_C( 0x100f00f00f00f00f );
	x = ( x | x << 4 ) & UINT64_C( 0x10c30c30c30c30c3 );
	return ( x | x << 2 ) & UINT64_C( 0x1249249249249249 );
}

static uint64_t curve_cell( double offset, double size )
{
	double cell = 2097151 * ( 0.5 + 0.5 * offset / size );
	return (uint64_t)fmin( fmax( cell, 0 ), 2097151 );
}

static int compare_faces( const void *a, const void *b )
{
	const face *p = a, *q = b;
	if ( p->key != q->key )
	{
		return p->key < q->key ? -1 : 1;
	}
	return p->index < q->index ? -1 : p->index > q->index;
}

// Sorts faces along a Morton curve, so that the faces of a block lie together. Those without area go.
static int64_t sort_faces( const ds_faces *r, face *faces, int64_t count )
{
	double size = fmax( fmax( r->box_half.x, r->box_half.y ), r->box_half.z );
	int64_t kept = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( ds_length( face_area( faces + i ) ) > LEAST_AREA )
		{
			face f = faces[i];
			ds_vec3 c = ds_sub( face_center( &f ), r->box_center );
			f.key = spread( curve_cell( c.x, size ) ) | spread( curve_cell( c.y, size ) ) << 1 |
					spread( curve_cell( c.z, size ) ) << 2;
			faces[kept++] = f;
		}
	}
	qsort( faces, (size_t)kept, sizeof( *faces ), compare_faces );
	return kept;
}

// ---- blocks ------------------------------------------------------------------------------------------------------

static void set3( double ( *p )[DS_FACE_LANES], int lane, ds_vec3 v )
{
	p[0][lane] = v.x;
	p[1][lane] = v.y;
	p[2][lane] = v.z;
}

static void fill_lane( ds_faces *r, const ds_faces_def *d, const face *f, int64_t i )
{
	ds_face_block *b = r->blocks + i / DS_FACE_LANES;
	ds_edge_block *e = r->edges + i / DS_FACE_LANES;
	int lane = (int)( i % DS_FACE_LANES );

	ds_vec3 w = face_area( f ), c = ds_sub( face_center( f ), r->center );
	ds_vec3 e1 = ds_sub( f->vertex[1], f->vertex[0] ), e2 = ds_sub( f->vertex[2], f->vertex[0] );
	double area = ds_length( w );
	ds_vec3 n = ds_scale( 1 / area, w );
	set3( b->center, lane, c );
	set3( b->normal, lane, n );
	set3( b->arm, lane, ds_cross( c, n ) );
	b->area[lane] = area;
	b->half_form[lane] = 0.5 * area * ( r->per_axis ? 1 : d->form_drag.x );
	b->skin[lane] = area * d->skin_drag;
	set3( e->edge1, lane, e1 );
	set3( e->edge2, lane, e2 );

	// ( second moment of the face times down, per area ) x area vector, a column for each axis of down
	for ( int k = 0; k < 3; ++k )
	{
		double a = ( &e1.x )[k], g = ( &e2.x )[k];
		ds_vec3 lever = ds_add( ds_scale( ( 2 * a - g ) / 36, e1 ), ds_scale( ( 2 * g - a ) / 36, e2 ) );
		ds_vec3 column = ds_cross( lever, w );
		r->pressure_moment.m[0][k] += column.x;
		r->pressure_moment.m[1][k] += column.y;
		r->pressure_moment.m[2][k] += column.z;
	}
}

// Sphere around the faces of a block: about the mean of their centroids.
static void bound_block( ds_faces *r, const face *faces, int64_t count, int64_t block )
{
	int64_t first = block * DS_FACE_LANES, end = first + DS_FACE_LANES < count ? first + DS_FACE_LANES : count;
	ds_vec3 mean = { 0, 0, 0 };
	for ( int64_t i = first; i < end; ++i )
	{
		mean = ds_mad( mean, 1.0 / (double)( end - first ), face_center( faces + i ) );
	}
	double radius = 0;
	for ( int64_t i = first; i < end; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			radius = fmax( radius, ds_length( ds_sub( faces[i].vertex[k], mean ) ) );
			r->center_radius = fmax( r->center_radius, ds_length( ds_sub( faces[i].vertex[k], r->center ) ) );
		}
	}
	ds_vec3 c = ds_sub( mean, r->center );
	ds_face_bound bound = { c.x, c.y, c.z, radius };
	r->bounds[block] = bound;
}

static ds_status build( ds_faces *r, const ds_faces_def *d, face *faces )
{
	r->form_drag = d->form_drag;
	r->lift = d->lift;
	r->magnus = d->magnus;
	r->printed_lift = d->printed_lift;
	r->printed_magnus = d->printed_magnus;
	r->per_axis = d->form_drag.x != d->form_drag.y || d->form_drag.x != d->form_drag.z;
	place_faces( r, d, faces );
	DS_TRY( measure( r, faces, d->face_count ) );
	int64_t count = sort_faces( r, faces, d->face_count );
	r->box_center = ds_sub( r->box_center, r->center );

	r->block_count = ( count + DS_FACE_LANES - 1 ) / DS_FACE_LANES;
	DS_TRY( DS_NEW( &r->allocator, r->block_count, &r->blocks ) );
	DS_TRY( DS_NEW( &r->allocator, r->block_count, &r->edges ) );
	DS_TRY( DS_NEW( &r->allocator, r->block_count, &r->bounds ) );
	for ( int64_t i = 0; i < count; ++i )
	{
		fill_lane( r, d, faces + i, i );
		add_moments( r, faces + i );
	}
	for ( int64_t i = 0; i < r->block_count; ++i )
	{
		bound_block( r, faces, count, i );
	}

	const ds_faces_kernel *kernels[4];
	ds_faces_kernels( kernels );
	r->kernel = kernels[0];
	r->volume = d->volume > 0 ? d->volume : r->mesh_volume;
	r->volume_scale = r->volume / r->mesh_volume;
	r->cb = d->has_cb ? d->cb : r->center;
	return DS_OK;
}

ds_status ds_faces_create( const ds_allocator *allocator, const ds_faces_def *def, ds_faces **faces )
{
	if ( def == NULL || faces == NULL || def->vertices == NULL || def->triangles == NULL )
	{
		return ds_error(
			DS_ERROR_ARGUMENT, "faces: a definition, vertices, triangles and a place for the result are needed" );
	}
	*faces = NULL;
	DS_TRY( check_numbers( def ) );
	DS_TRY( check_mesh( def ) );

	ds_faces *r;
	face *placed = NULL;
	DS_TRY( DS_NEW( allocator, 1, &r ) );
	if ( allocator )
	{
		r->allocator = *allocator;
	}
	ds_status status = DS_NEW( allocator, def->face_count, &placed );
	if ( status == DS_OK )
	{
		status = build( r, def, placed );
	}
	DS_FREE( allocator, placed, def->face_count );
	if ( status != DS_OK )
	{
		ds_faces_destroy( r );
		return status;
	}
	*faces = r;
	return DS_OK;
}

void ds_faces_destroy( ds_faces *faces )
{
	if ( faces )
	{
		ds_allocator allocator = faces->allocator;
		DS_FREE( &allocator, faces->blocks, faces->block_count );
		DS_FREE( &allocator, faces->edges, faces->block_count );
		DS_FREE( &allocator, faces->bounds, faces->block_count );
		DS_FREE( &allocator, faces, 1 );
	}
}

// Elements of a mesh: its faces, parted along long edges until none is longer than the spacing.

#include "base/base.h"
#include "deepsim/math.h"
#include "terrain/contact_mesh_internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ELEMENTS ( INT64_C( 1 ) << 24 )

typedef struct triangle
{
	int32_t corner[3];
	int32_t face; // of the mesh
} triangle;

// A mesh while it is parted. Rooms are what was allocated.
typedef struct draft
{
	const ds_allocator *allocator;
	ds_vec3 *vertices;
	int64_t vertex_count, vertex_room;
	triangle *triangles;
	int64_t triangle_count, triangle_room;
} draft;

// A side of a triangle, its vertices in order of number.
typedef struct side
{
	int32_t low, high;
	int64_t triangle;
	int32_t number; // from corner `number` to the next
} side;

static int compare_sides( const void *a, const void *b )
{
	const side *s = a, *t = b;
	if ( s->low != t->low )
	{
		return s->low < t->low ? -1 : 1;
	}
	if ( s->high != t->high )
	{
		return s->high < t->high ? -1 : 1;
	}
	if ( s->triangle != t->triangle )
	{
		return s->triangle < t->triangle ? -1 : 1;
	}
	return s->number - t->number;
}

static ds_status list_sides( const draft *d, side **sides )
{
	DS_TRY( DS_NEW( d->allocator, 3 * d->triangle_count, sides ) );
	for ( int64_t i = 0; i < d->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int32_t a = d->triangles[i].corner[k], b = d->triangles[i].corner[( k + 1 ) % 3];
			( *sides )[3 * i + k] = ( side ){ a < b ? a : b, a < b ? b : a, i, k };
		}
	}
	qsort( *sides, (size_t)( 3 * d->triangle_count ), sizeof( **sides ), compare_sides );
	return DS_OK;
}

// Vectors take eight numbers at a time.
#define ROOM( count ) ( 8 * ds_element_blocks( count ) )

// ---- checks ------------------------------------------------------------------------------------------------------

static ds_status check_def( const ds_contact_mesh_def *def )
{
	const ds_quat q = def->pose.attitude;
	double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
	if ( def->vertices == NULL || def->triangles == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "contact mesh: vertices and triangles must not be NULL" );
	}
	if ( !ds_finite( def->pose.position ) || !( fabs( norm - 1 ) < 1e-6 ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "contact mesh: the pose must be finite, with a unit quaternion" );
	}
	if ( !( def->spacing >= 0 ) || !isfinite( def->spacing ) || !( def->width >= 0 ) || !isfinite( def->width ) )
	{
		return ds_error( DS_ERROR_RANGE, "contact mesh: spacing and width must be 0 or more, got %g and %g m",
			def->spacing, def->width );
	}
	if ( def->vertex_count < 3 || def->face_count < 1 )
	{
		return ds_error( DS_ERROR_RANGE, "contact mesh: a mesh has 3 vertices and a face at least" );
	}
	if ( def->vertex_count > MOST_ELEMENTS || def->face_count > MOST_ELEMENTS )
	{
		return ds_error( DS_ERROR_LIMIT, "contact mesh: at most %lld vertices and faces", (long long)MOST_ELEMENTS );
	}
	for ( int64_t i = 0; i < def->vertex_count; ++i )
	{
		if ( !ds_finite( def->vertices[i] ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "contact mesh: vertex %lld is not finite", (long long)i );
		}
	}
	for ( int64_t i = 0; i < 3 * def->face_count; ++i )
	{
		if ( def->triangles[i] < 0 || def->triangles[i] >= def->vertex_count )
		{
			return ds_error( DS_ERROR_RANGE, "contact mesh: face %lld names vertex %d, there are %lld",
				(long long)( i / 3 ), (int)def->triangles[i], (long long)def->vertex_count );
		}
	}
	return DS_OK;
}

// ---- the mesh as given -------------------------------------------------------------------------------------------

typedef struct place
{
	ds_vec3 at;
	int32_t number;
} place;

static int compare_places( const void *a, const void *b )
{
	const place *p = a, *q = b;
	const double x[3] = { p->at.x, p->at.y, p->at.z }, y[3] = { q->at.x, q->at.y, q->at.z };
	for ( int i = 0; i < 3; ++i )
	{
		if ( x[i] != y[i] )
		{
			return x[i] < y[i] ? -1 : 1;
		}
	}
	return p->number < q->number ? -1 : p->number > q->number;
}

// Equal vertices become one.
static ds_status weld( const ds_contact_mesh_def *def, const ds_allocator *allocator, int32_t *same )
{
	place *places = NULL;
	DS_TRY( DS_NEW( allocator, def->vertex_count, &places ) );
	for ( int64_t i = 0; i < def->vertex_count; ++i )
	{
		places[i] = ( place ){ def->vertices[i], (int32_t)i };
	}
	qsort( places, (size_t)def->vertex_count, sizeof( *places ), compare_places );
	for ( int64_t i = 0, first = 0; i < def->vertex_count; ++i )
	{
		const ds_vec3 a = places[first].at, b = places[i].at;
		if ( a.x != b.x || a.y != b.y || a.z != b.z )
		{
			first = i;
		}
		same[places[i].number] = places[first].number;
	}
	DS_FREE( allocator, places, def->vertex_count );
	return DS_OK;
}

static double face_area( const ds_vec3 *v, const int32_t corner[3] )
{
	ds_vec3 a = v[corner[0]];
	return 0.5 * ds_length( ds_cross( ds_sub( v[corner[1]], a ), ds_sub( v[corner[2]], a ) ) );
}

// Vertices in body axes, faces that have an area.
static ds_status draft_start( draft *d, const ds_contact_mesh_def *def )
{
	int32_t *same = NULL;
	ds_status status = DS_NEW( d->allocator, def->vertex_count, &same );
	d->vertex_room = def->vertex_count;
	d->triangle_room = def->face_count;
	status = status == DS_OK ? DS_NEW( d->allocator, d->vertex_room, &d->vertices ) : status;
	status = status == DS_OK ? DS_NEW( d->allocator, d->triangle_room, &d->triangles ) : status;
	status = status == DS_OK ? weld( def, d->allocator, same ) : status;
	if ( status == DS_OK )
	{
		d->vertex_count = def->vertex_count;
		for ( int64_t i = 0; i < def->vertex_count; ++i )
		{
			d->vertices[i] = ds_pose_point( def->pose, def->vertices[i] );
		}
		for ( int64_t i = 0; i < def->face_count; ++i )
		{
			triangle t = { { 0, 0, 0 }, (int32_t)i };
			for ( int k = 0; k < 3; ++k )
			{
				t.corner[k] = same[def->triangles[3 * i + k]];
			}
			if ( face_area( d->vertices, t.corner ) > 0 )
			{
				d->triangles[d->triangle_count++] = t;
			}
		}
	}
	DS_FREE( d->allocator, same, def->vertex_count );
	if ( status == DS_OK && d->triangle_count == 0 )
	{
		return ds_error( DS_ERROR_RANGE, "contact mesh: no face has an area" );
	}
	return status;
}

static void draft_free( draft *d )
{
	DS_FREE( d->allocator, d->vertices, d->vertex_room );
	DS_FREE( d->allocator, d->triangles, d->triangle_room );
}

// ---- parting -----------------------------------------------------------------------------------------------------

static double length2( const draft *d, int32_t a, int32_t b )
{
	ds_vec3 v = ds_sub( d->vertices[a], d->vertices[b] );
	return ds_dot( v, v );
}

// Middles of the sides of every triangle (-1: not parted); *more: how many triangles there will be more.
static int64_t mark(
	draft *d, const side *sides, double spacing, ds_vec3 *vertices, int32_t ( *middle )[3], int64_t *more )
{
	int64_t count = d->vertex_count;
	*more = 0;
	for ( int64_t i = 0; i < 3 * d->triangle_count; )
	{
		int32_t a = sides[i].low, b = sides[i].high, m = -1;
		if ( length2( d, a, b ) > spacing * spacing )
		{
			if ( vertices != NULL )
			{
				vertices[count] = ds_scale( 0.5, ds_add( d->vertices[a], d->vertices[b] ) );
			}
			m = (int32_t)count++;
		}
		for ( ; i < 3 * d->triangle_count && sides[i].low == a && sides[i].high == b; ++i )
		{
			middle[sides[i].triangle][sides[i].number] = m;
			*more += m >= 0;
		}
	}
	return count;
}

// Parts a triangle into 1 to 4; returns how many.
static int part( const ds_vec3 *v, const triangle *t, const int32_t middle[3], triangle out[4] )
{
	int marks = ( middle[0] >= 0 ) + ( middle[1] >= 0 ) + ( middle[2] >= 0 ), first = 0;
	const int32_t face = t->face;
	out[0] = *t;
	if ( marks == 0 )
	{
		return 1;
	}
	// turned so that side 0 is parted, and of two the second is side 1
	while ( middle[first] < 0 || ( marks == 2 && middle[( first + 1 ) % 3] < 0 ) )
	{
		++first;
	}
	int32_t a = t->corner[first], b = t->corner[( first + 1 ) % 3], c = t->corner[( first + 2 ) % 3];
	int32_t ab = middle[first], bc = middle[( first + 1 ) % 3], ca = middle[( first + 2 ) % 3];
	if ( marks == 1 )
	{
		out[0] = ( triangle ){ { a, ab, c }, face };
		out[1] = ( triangle ){ { ab, b, c }, face };
	}
	else if ( marks == 3 )
	{
		out[0] = ( triangle ){ { a, ab, ca }, face };
		out[1] = ( triangle ){ { ab, b, bc }, face };
		out[2] = ( triangle ){ { ca, bc, c }, face };
		out[3] = ( triangle ){ { ab, bc, ca }, face };
	}
	else
	{
		ds_vec3 p = ds_sub( v[a], v[bc] ), q = ds_sub( v[ab], v[c] );
		bool by_a = ds_dot( p, p ) < ds_dot( q, q );
		out[0] = ( triangle ){ { ab, b, bc }, face };
		out[1] = by_a ? ( triangle ){ { a, ab, bc }, face } : ( triangle ){ { ab, bc, c }, face };
		out[2] = by_a ? ( triangle ){ { a, bc, c }, face } : ( triangle ){ { a, ab, c }, face };
	}
	return marks + 1;
}

// One round: every side that is too long is parted in its middle. *parted: whether there was one.
static ds_status refine( draft *d, double spacing, bool *parted )
{
	draft next = { .allocator = d->allocator };
	side *sides = NULL;
	int32_t( *middle )[3] = NULL;
	int64_t more = 0;
	ds_status status = list_sides( d, &sides );
	status = status == DS_OK ? DS_NEW( d->allocator, d->triangle_count, &middle ) : status;
	if ( status == DS_OK )
	{
		next.vertex_count = next.vertex_room = mark( d, sides, spacing, NULL, middle, &more );
		next.triangle_room = d->triangle_count + more;
		*parted = more > 0;
		if ( next.triangle_room > MOST_ELEMENTS || next.vertex_room > MOST_ELEMENTS )
		{
			next.triangle_room = next.vertex_room = 0;
			status = ds_error( DS_ERROR_LIMIT,
				"contact mesh: a spacing of %g m makes more than %lld elements: give a larger one", spacing,
				(long long)MOST_ELEMENTS );
		}
	}
	if ( status == DS_OK && *parted )
	{
		status = DS_NEW( d->allocator, next.vertex_room, &next.vertices );
		status = status == DS_OK ? DS_NEW( d->allocator, next.triangle_room, &next.triangles ) : status;
		if ( status == DS_OK )
		{
			memcpy( next.vertices, d->vertices, (size_t)d->vertex_count * sizeof( *d->vertices ) );
			mark( d, sides, spacing, next.vertices, middle, &more );
			for ( int64_t i = 0; i < d->triangle_count; ++i )
			{
				triangle out[4];
				int count = part( next.vertices, &d->triangles[i], middle[i], out );
				memcpy( next.triangles + next.triangle_count, out, (size_t)count * sizeof( *out ) );
				next.triangle_count += count;
			}
		}
	}
	DS_FREE( d->allocator, sides, 3 * d->triangle_count );
	DS_FREE( d->allocator, middle, d->triangle_count );
	if ( status == DS_OK && *parted )
	{
		draft_free( d );
		*d = next;
	}
	else
	{
		draft_free( &next );
	}
	return status;
}

// ---- elements ----------------------------------------------------------------------------------------------------

// Which element lies across each side; of several at one edge, the next.
static ds_status join( ds_contact_mesh *m, const draft *d )
{
	side *sides = NULL;
	DS_TRY( list_sides( d, &sides ) );
	for ( int64_t i = 0, end; i < 3 * d->triangle_count; i = end )
	{
		for ( end = i + 1;
			  end < 3 * d->triangle_count && sides[end].low == sides[i].low && sides[end].high == sides[i].high; ++end )
		{
		}
		for ( int64_t k = i; k < end; ++k )
		{
			int64_t other = k + 1 < end ? k + 1 : i;
			m->across[sides[k].triangle][sides[k].number] = other == k ? -1 : (int32_t)sides[other].triangle;
		}
	}
	DS_FREE( d->allocator, sides, 3 * d->triangle_count );
	return DS_OK;
}

static void fill( ds_contact_mesh *m, const draft *d, const ds_contact_mesh_def *def )
{
	m->lower = ds_v3( INFINITY, INFINITY, INFINITY );
	m->upper = ds_v3( -INFINITY, -INFINITY, -INFINITY );
	for ( int32_t i = 0; i < m->count; ++i )
	{
		const int32_t *corner = d->triangles[i].corner;
		ds_vec3 a = d->vertices[corner[0]], b = d->vertices[corner[1]], c = d->vertices[corner[2]];
		ds_vec3 center = ds_scale( 1.0 / 3, ds_add( ds_add( a, b ), c ) );
		ds_vec3 n = ds_cross( ds_sub( b, a ), ds_sub( c, a ) );
		double size = ds_length( n );
		n = size > 0 ? ds_scale( 1 / size, n ) : ds_v3( 0, 0, 0 );
		m->x[i] = center.x;
		m->y[i] = center.y;
		m->z[i] = center.z;
		m->nx[i] = n.x;
		m->ny[i] = n.y;
		m->nz[i] = n.z;
		m->area[i] = 0.5 * size;
		m->face_area[i] = face_area( def->vertices, def->triangles + 3 * (int64_t)d->triangles[i].face );
		memcpy( m->corner[i], corner, sizeof( m->corner[i] ) );
		for ( int k = 0; k < 3; ++k )
		{
			ds_vec3 p = d->vertices[corner[k]];
			m->lower = ds_v3( fmin( m->lower.x, p.x ), fmin( m->lower.y, p.y ), fmin( m->lower.z, p.z ) );
			m->upper = ds_v3( fmax( m->upper.x, p.x ), fmax( m->upper.y, p.y ), fmax( m->upper.z, p.z ) );
		}
	}
	for ( int32_t i = 0; i < m->vertex_count; ++i )
	{
		m->vertex[0][i] = d->vertices[i].x;
		m->vertex[1][i] = d->vertices[i].y;
		m->vertex[2][i] = d->vertices[i].z;
	}
}

static ds_status build(
	const ds_allocator *allocator, const ds_contact_mesh_def *def, const draft *d, ds_contact_mesh **mesh )
{
	ds_contact_mesh *m = NULL;
	DS_TRY( DS_NEW( allocator, 1, &m ) );
	m->allocator = allocator != NULL ? *allocator : ( ds_allocator ){ 0 };
	m->count = (int32_t)d->triangle_count;
	m->vertex_count = (int32_t)d->vertex_count;
	m->width = def->width;
	double **arrays[8] = { &m->x, &m->y, &m->z, &m->nx, &m->ny, &m->nz, &m->area, &m->face_area };
	ds_status status = DS_OK;
	for ( int i = 0; status == DS_OK && i < 8; ++i )
	{
		status = DS_NEW( allocator, ROOM( m->count ), arrays[i] );
	}
	for ( int i = 0; status == DS_OK && i < 3; ++i )
	{
		status = DS_NEW( allocator, ROOM( m->vertex_count ), &m->vertex[i] );
	}
	status = status == DS_OK ? DS_NEW( allocator, m->count, &m->corner ) : status;
	status = status == DS_OK ? DS_NEW( allocator, m->count, &m->across ) : status;
	if ( status == DS_OK )
	{
		fill( m, d, def );
		status = join( m, d );
	}
	if ( status != DS_OK )
	{
		ds_contact_mesh_destroy( m );
		return status;
	}
	*mesh = m;
	return DS_OK;
}

static double diagonal( const draft *d )
{
	ds_vec3 low = d->vertices[d->triangles[0].corner[0]], high = low;
	for ( int64_t i = 0; i < d->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			ds_vec3 p = d->vertices[d->triangles[i].corner[k]];
			low = ds_v3( fmin( low.x, p.x ), fmin( low.y, p.y ), fmin( low.z, p.z ) );
			high = ds_v3( fmax( high.x, p.x ), fmax( high.y, p.y ), fmax( high.z, p.z ) );
		}
	}
	return ds_length( ds_sub( high, low ) );
}

ds_status ds_contact_mesh_create(
	const ds_allocator *allocator, const ds_contact_mesh_def *def, ds_contact_mesh **mesh )
{
	if ( def == NULL || mesh == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_contact_mesh_create: def and mesh must not be NULL" );
	}
	*mesh = NULL;
	DS_TRY( check_def( def ) );
	draft d = { .allocator = allocator };
	ds_status status = draft_start( &d, def );
	if ( status == DS_OK )
	{
		double spacing = def->spacing > 0 ? def->spacing : diagonal( &d ) / 32;
		bool parted = true;
		while ( status == DS_OK && parted )
		{
			status = refine( &d, spacing, &parted );
		}
	}
	status = status == DS_OK ? build( allocator, def, &d, mesh ) : status;
	draft_free( &d );
	return status;
}

void ds_contact_mesh_destroy( ds_contact_mesh *m )
{
	if ( m == NULL )
	{
		return;
	}
	ds_allocator allocator = m->allocator;
	double *arrays[8] = { m->x, m->y, m->z, m->nx, m->ny, m->nz, m->area, m->face_area };
	for ( int i = 0; i < 8; ++i )
	{
		DS_FREE( &allocator, arrays[i], ROOM( m->count ) );
	}
	for ( int i = 0; i < 3; ++i )
	{
		DS_FREE( &allocator, m->vertex[i], ROOM( m->vertex_count ) );
	}
	DS_FREE( &allocator, m->corner, m->count );
	DS_FREE( &allocator, m->across, m->count );
	DS_FREE( &allocator, m, 1 );
}

int32_t ds_contact_mesh_count( const ds_contact_mesh *mesh )
{
	return mesh->count;
}

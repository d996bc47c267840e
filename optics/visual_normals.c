// Smooth normals of corners, from the faces alone.

#include "deepsim/math.h"
#include "optics/visual.h"

#include <stdlib.h>
#include <string.h>

// A corner by the vertex at the other end of one of its two edges.
typedef struct spoke
{
	int32_t other, place; // place of the corner among those of its vertex
} spoke;

typedef struct normal_work
{
	ds_visual *visual;
	int32_t *ids; // of vertices: the first that is equal
	int64_t *starts; // of each vertex in `corners`
	int32_t *corners; // 3 f + k, by vertex
	ds_vec3 *face_normals; // unit, or zero
	int64_t most; // corners at one vertex
	spoke *spokes;
	int32_t *groups;
	ds_vec3 *sums;
} normal_work;

static uint64_t hash_point( ds_vec3 p )
{
	double parts[3] = { p.x + 0.0, p.y + 0.0, p.z + 0.0 }; // -0 is 0
	uint64_t bits[3], h = 0x9E3779B97F4A7C15u;
	memcpy( bits, parts, sizeof( bits ) );
	for ( int k = 0; k < 3; ++k )
	{
		h = ( h ^ bits[k] ) * 0xFF51AFD7ED558CCDu;
		h ^= h >> 32;
	}
	return h;
}

static bool same( ds_vec3 a, ds_vec3 b )
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Names each vertex by the first one at its place.
static ds_status name_vertices( normal_work *w, bool welded )
{
	const ds_visual *v = w->visual;
	DS_TRY( DS_NEW( &v->allocator, v->vertex_count, &w->ids ) );
	int64_t size = 16;
	while ( size < 2 * v->vertex_count )
	{
		size *= 2;
	}
	int32_t *table = NULL;
	DS_TRY( welded ? DS_OK : DS_NEW( &v->allocator, size, &table ) );
	for ( int32_t i = 0; i < v->vertex_count; ++i )
	{
		w->ids[i] = i;
		int64_t at = welded ? 0 : (int64_t)( hash_point( v->vertices[i] ) & (uint64_t)( size - 1 ) );
		while ( !welded && table[at] != 0 && !same( v->vertices[table[at] - 1], v->vertices[i] ) )
		{
			at = ( at + 1 ) & ( size - 1 );
		}
		if ( !welded && table[at] != 0 )
		{
			w->ids[i] = table[at] - 1;
		}
		else if ( !welded )
		{
			table[at] = i + 1;
		}
	}
	DS_FREE( &v->allocator, table, welded ? 0 : size );
	return DS_OK;
}

static ds_status sort_corners( normal_work *w )
{
	const ds_visual *v = w->visual;
	DS_TRY( DS_NEW( &v->allocator, v->vertex_count + 2, &w->starts ) );
	DS_TRY( DS_NEW( &v->allocator, 3 * v->face_count, &w->corners ) );
	int64_t *starts = w->starts + 1; // shifted: filling moves them to their places
	for ( int64_t c = 0; c < 3 * v->face_count; ++c )
	{
		++starts[w->ids[v->triangles[c]] + 1];
	}
	for ( int64_t i = 0; i < v->vertex_count; ++i )
	{
		w->most = starts[i + 1] > w->most ? starts[i + 1] : w->most;
		starts[i + 1] += starts[i];
	}
	for ( int64_t c = 0; c < 3 * v->face_count; ++c )
	{
		w->corners[starts[w->ids[v->triangles[c]]]++] = (int32_t)c;
	}
	return DS_OK;
}

static ds_vec3 unit( ds_vec3 a )
{
	// scaled first: the square of a small face's normal may be too small for a double
	double most = fmax( fabs( a.x ), fmax( fabs( a.y ), fabs( a.z ) ) );
	if ( !( most > 0 ) || !isfinite( most ) )
	{
		return ds_v3( 0, 0, 0 );
	}
	a = ds_v3( a.x / most, a.y / most, a.z / most );
	return ds_scale( 1 / ds_length( a ), a );
}

static ds_vec3 face_normal( const ds_visual *v, int64_t f )
{
	const int32_t *t = v->triangles + 3 * f;
	ds_vec3 a = v->vertices[t[0]];
	return unit( ds_cross( ds_sub( v->vertices[t[1]], a ), ds_sub( v->vertices[t[2]], a ) ) );
}

// Angle of a face at its corner [rad].
static double corner_angle( const ds_visual *v, int32_t corner )
{
	const int32_t *t = v->triangles + corner / 3 * 3;
	int k = corner % 3;
	ds_vec3 a = v->vertices[t[k]];
	ds_vec3 b = ds_sub( v->vertices[t[( k + 1 ) % 3]], a ), c = ds_sub( v->vertices[t[( k + 2 ) % 3]], a );
	return atan2( ds_length( ds_cross( b, c ) ), ds_dot( b, c ) );
}

static int compare_spokes( const void *a, const void *b )
{
	const spoke *p = a, *q = b;
	return p->other != q->other ? ( p->other > q->other ) - ( p->other < q->other )
								: ( p->place > q->place ) - ( p->place < q->place );
}

static int32_t find_group( int32_t *groups, int32_t i )
{
	while ( groups[i] != i )
	{
		groups[i] = groups[groups[i]];
		i = groups[i];
	}
	return i;
}

// The normals of the corners at one vertex.
static void smooth_vertex( normal_work *w, const int32_t *corners, int32_t count )
{
	ds_visual *v = w->visual;
	double sharp = cos( DS_CREASE * DS_PI / 180 );
	for ( int32_t i = 0; i < count; ++i )
	{
		int32_t c = corners[i], f3 = c - c % 3;
		w->groups[i] = i;
		w->sums[i] = ds_v3( 0, 0, 0 );
		w->spokes[2 * i] = ( spoke ){ w->ids[v->triangles[f3 + ( c + 1 - f3 ) % 3]], i };
		w->spokes[2 * i + 1] = ( spoke ){ w->ids[v->triangles[f3 + ( c + 2 - f3 ) % 3]], i };
	}
	qsort( w->spokes, (size_t)( 2 * count ), sizeof( spoke ), compare_spokes );
	for ( int32_t i = 0; i + 1 < 2 * count; ++i )
	{
		spoke a = w->spokes[i], b = w->spokes[i + 1];
		ds_vec3 na = w->face_normals[corners[a.place] / 3], nb = w->face_normals[corners[b.place] / 3];
		if ( a.other == b.other && ds_dot( na, nb ) > sharp )
		{
			int32_t ga = find_group( w->groups, a.place ), gb = find_group( w->groups, b.place );
			w->groups[ga > gb ? ga : gb] = ga > gb ? gb : ga;
		}
	}
	for ( int32_t i = 0; i < count; ++i )
	{
		int32_t g = find_group( w->groups, i );
		w->sums[g] = ds_mad( w->sums[g], corner_angle( v, corners[i] ), w->face_normals[corners[i] / 3] );
	}
	for ( int32_t i = 0; i < count; ++i )
	{
		ds_vec3 own = w->face_normals[corners[i] / 3], n = unit( w->sums[find_group( w->groups, i )] );

		// a cone's tip, or a fan that folds back on itself
		n = ds_dot( n, own ) > 0 ? n : own;
		float *out = v->normals[corners[i]];
		out[0] = (float)n.x;
		out[1] = (float)n.y;
		out[2] = (float)n.z;
	}
}

static ds_status compute( normal_work *w, bool welded )
{
	const ds_visual *v = w->visual;
	const ds_allocator *a = &v->allocator;
	DS_TRY( name_vertices( w, welded ) );
	DS_TRY( sort_corners( w ) );
	DS_TRY( DS_NEW( a, v->face_count, &w->face_normals ) );
	DS_TRY( DS_NEW( a, 2 * w->most, &w->spokes ) );
	DS_TRY( DS_NEW( a, w->most, &w->groups ) );
	DS_TRY( DS_NEW( a, w->most, &w->sums ) );
	for ( int64_t f = 0; f < v->face_count; ++f )
	{
		w->face_normals[f] = face_normal( v, f );
	}
	for ( int64_t i = 0; i < v->vertex_count; ++i )
	{
		smooth_vertex( w, w->corners + w->starts[i], (int32_t)( w->starts[i + 1] - w->starts[i] ) );
	}
	return DS_OK;
}

ds_status ds_visual_compute_normals( ds_visual *visual, bool welded )
{
	normal_work w;
	memset( &w, 0, sizeof( w ) );
	w.visual = visual;
	const ds_allocator *a = &visual->allocator;
	ds_status status = compute( &w, welded );
	DS_FREE( a, w.ids, visual->vertex_count );
	DS_FREE( a, w.starts, visual->vertex_count + 2 );
	DS_FREE( a, w.corners, 3 * visual->face_count );
	DS_FREE( a, w.face_normals, visual->face_count );
	DS_FREE( a, w.spokes, 2 * w.most );
	DS_FREE( a, w.groups, w.most );
	DS_FREE( a, w.sums, w.most );
	return status;
}

void ds_visual_mend_normals( ds_visual *visual )
{
	for ( int64_t c = 0; c < 3 * visual->face_count; ++c )
	{
		float *n = visual->normals[c];
		ds_vec3 given = unit( ds_v3( n[0], n[1], n[2] ) ), own = face_normal( visual, c / 3 );
		double side = ds_dot( given, own );
		given = side > 0 ? given : side < 0 ? ds_scale( -1, given ) : own;
		n[0] = (float)given.x;
		n[1] = (float)given.y;
		n[2] = (float)given.z;
	}
}

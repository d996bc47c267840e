// Faces without area. To drop one whose corners differ would leave a hole without width, so it is removed by turning the edge
// it shares with the neighbour at its longest side: that neighbour, cut in two at the third corner, takes its place, and the
// surface stays closed and where it was. A row of slivers along one edge unravels from its longest end.

#include "io/mesh_internal.h"

#include <string.h>

typedef struct slivers
{
	ds_soup *soup;
	ds_edges edges; // kept up to date
	uint8_t *sliver, *dropped, *queued; // of each face
	int32_t *stack; // faces to look at
	int64_t count;
	int64_t budget; // turns that are left, against slivers that go around in circles
} slivers;

// Is the height of a face lost in rounding beside its longest side? *longest: the half-edge of that side.
static bool is_sliver( const ds_soup *soup, int64_t f, int32_t *longest )
{
	const int32_t *t = soup->triangles + 3 * f;
	ds_vec3 p[3] = { soup->vertices[t[0]], soup->vertices[t[1]], soup->vertices[t[2]] };
	double most = 0;
	*longest = (int32_t)( 3 * f );
	for ( int k = 0; k < 3; ++k )
	{
		ds_vec3 d = ds_sub( p[( k + 1 ) % 3], p[k] );
		double square = ds_dot( d, d );
		if ( square > most )
		{
			most = square;
			*longest = (int32_t)( 3 * f + k );
		}
	}
	double area = ds_length( ds_cross( ds_sub( p[1], p[0] ), ds_sub( p[2], p[0] ) ) );
	return !( area > 1e-14 * most );
}

static int32_t next_side( int32_t h )
{
	return h % 3 == 2 ? h - 2 : h + 1;
}

// Puts the face of a half-edge on the stack if it is a sliver (again).
static void look_at( slivers *s, int32_t h )
{
	int32_t f = h / 3;
	if ( h >= 0 && s->sliver[f] && !s->queued[f] )
	{
		s->queued[f] = 1;
		s->stack[s->count++] = f;
	}
}

// Makes two half-edges mates; either may be a value that says there is none.
static void join( slivers *s, int32_t a, int32_t b )
{
	if ( a >= 0 )
	{
		s->edges.mate[a] = b;
		look_at( s, a );
	}
	if ( b >= 0 )
	{
		s->edges.mate[b] = a;
		look_at( s, b );
	}
}

static void drop( slivers *s, int32_t f )
{
	s->dropped[f] = 1;
	s->sliver[f] = 0;
}

// The half-edge of `h`'s face that joins v and w.
static int32_t side_between( const int32_t *t, int32_t h, int32_t v, int32_t w )
{
	int32_t base = h - h % 3, k = base;
	for ( ; k < base + 2; ++k )
	{
		int32_t a = ds_edge_start( t, k ), b = ds_edge_end( t, k );
		if ( ( a == v && b == w ) || ( a == w && b == v ) )
		{
			break;
		}
	}
	return k;
}

#define MOST_AROUND 1000

// Does a face around v, on the far side of the half-edge `h` of face f, have the corner w? Walks until it is back or at an
// end; very many faces count as yes.
static bool meets( const slivers *s, int32_t h, int32_t v, int32_t w )
{
	const int32_t *t = s->soup->triangles;
	int32_t first = h / 3;
	for ( int step = 0; step < MOST_AROUND; ++step )
	{
		int32_t m = s->edges.mate[h];
		if ( m < 0 || m / 3 == first )
		{
			return m == DS_EDGE_NON_MANIFOLD;
		}
		const int32_t *g = t + ( m - m % 3 );
		if ( g[0] == w || g[1] == w || g[2] == w )
		{
			return true;
		}
		h = next_side( m );
		if ( ds_edge_start( t, h ) != v && ds_edge_end( t, h ) != v )
		{
			h = next_side( h );
		}
	}
	return true;
}

// The sliver with the longest side `h` and third corner c lies on (p, q, d), whose half-edge p to q is `m`: they become
// (p, c, d) and (c, q, d).
static void turn( slivers *s, int32_t h, int32_t m, int32_t c, int32_t d )
{
	int32_t *t = s->soup->triangles, f = h / 3, g = m / 3;
	int32_t p = ds_edge_start( t, m ), q = ds_edge_end( t, m );
	int32_t pc = s->edges.mate[side_between( t, h, p, c )], cq = s->edges.mate[side_between( t, h, c, q )];
	int32_t qd = s->edges.mate[next_side( m )], dp = s->edges.mate[next_side( next_side( m ) )];
	const int32_t corners[2][3] = { { p, c, d }, { c, q, d } };
	memcpy( t + 3 * (int64_t)f, corners[0], sizeof( corners[0] ) );
	memcpy( t + 3 * (int64_t)g, corners[1], sizeof( corners[1] ) );
	int32_t longest;
	s->sliver[f] = is_sliver( s->soup, f, &longest );
	s->sliver[g] = is_sliver( s->soup, g, &longest );
	join( s, 3 * f, pc );
	join( s, 3 * f + 1, 3 * g + 2 );
	join( s, 3 * f + 2, dp );
	join( s, 3 * g, cq );
	join( s, 3 * g + 1, qd );
	--s->budget;
}

static void remove_sliver( slivers *s, int32_t f, int32_t h )
{
	const int32_t *t = s->soup->triangles;
	int32_t m = s->edges.mate[h], after = next_side( h ), before = next_side( after );
	if ( m < 0 )
	{
		// at the border: the two other sides become the border
		drop( s, f );
		join( s, s->edges.mate[after], DS_EDGE_OPEN );
		join( s, s->edges.mate[before], DS_EDGE_OPEN );
		return;
	}
	int32_t g = m / 3, c = ds_edge_end( t, after ), d = ds_edge_end( t, next_side( m ) );
	if ( c == d )
	{
		// two faces on each other: what lies around them joins without them
		int32_t a = ds_edge_start( t, h ), b = ds_edge_end( t, h );
		int32_t other_after = s->edges.mate[side_between( t, m, b, c )];
		int32_t other_before = s->edges.mate[side_between( t, m, c, a )];
		drop( s, f );
		drop( s, g );
		join( s, s->edges.mate[after], other_after );
		join( s, s->edges.mate[before], other_before );
		return;
	}

	// a neighbour that is a sliver itself goes first, unless this is its longest side, too
	int32_t longest = m;
	bool waits = s->sliver[g] && is_sliver( s->soup, g, &longest ) && longest != m;
	if ( !waits && s->budget > 0 && !meets( s, after, c, d ) && !meets( s, before, c, d ) )
	{
		turn( s, h, m, c, d );
	}
}

static void remove_slivers( slivers *s )
{
	while ( s->count > 0 )
	{
		int32_t f = s->stack[--s->count], longest;
		s->queued[f] = 0;
		if ( s->sliver[f] && is_sliver( s->soup, f, &longest ) )
		{
			remove_sliver( s, f, longest );
		}
	}
}

// Marks the slivers and returns how many there are.
static int64_t find_slivers( slivers *s )
{
	int64_t found = 0;
	for ( int64_t f = s->soup->face_count - 1; f >= 0; --f )
	{
		int32_t longest;
		if ( is_sliver( s->soup, f, &longest ) )
		{
			s->sliver[f] = 1;
			look_at( s, (int32_t)( 3 * f ) );
			++found;
		}
	}
	return found;
}

static ds_status work( slivers *s )
{
	int64_t found = find_slivers( s );
	s->budget = 4 * found;
	DS_TRY( ds_edges_build( s->soup, &s->edges ) );
	remove_slivers( s );
	ds_edges_free( s->soup, &s->edges );

	// what could not be turned goes all the same
	for ( int64_t f = 0; f < s->soup->face_count; ++f )
	{
		s->dropped[f] |= s->sliver[f];
	}
	ds_soup_remove_marked( s->soup, s->dropped );
	s->soup->report->faces_degenerate += found;
	return DS_OK;
}

ds_status ds_soup_drop_slivers( ds_soup *soup )
{
	int64_t count = soup->face_count, first = 0;
	int32_t longest;
	while ( first < count && !is_sliver( soup, first, &longest ) )
	{
		++first;
	}
	if ( first == count )
	{
		return DS_OK;
	}
	slivers s;
	memset( &s, 0, sizeof( s ) );
	s.soup = soup;
	const ds_allocator *allocator = soup->allocator;
	ds_status status = DS_NEW( allocator, count, &s.sliver );
	status = status == DS_OK ? DS_NEW( allocator, count, &s.dropped ) : status;
	status = status == DS_OK ? DS_NEW( allocator, count, &s.queued ) : status;
	status = status == DS_OK ? DS_NEW( allocator, count, &s.stack ) : status;
	status = status == DS_OK ? work( &s ) : status;
	DS_FREE( allocator, s.stack, count );
	DS_FREE( allocator, s.queued, count );
	DS_FREE( allocator, s.dropped, count );
	DS_FREE( allocator, s.sliver, count );
	return status;
}

// Repairs: duplicate faces, faces without area, holes.

#include "io/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

// ---- duplicate faces -----------------------------------------------------------------------------------------------

typedef struct face_key
{
	int32_t corners[3]; // ascending
	int32_t face;
} face_key;

static int compare_keys( const void *a, const void *b )
{
	const face_key *x = a, *y = b;
	for ( int k = 0; k < 3; ++k )
	{
		if ( x->corners[k] != y->corners[k] )
		{
			return x->corners[k] < y->corners[k] ? -1 : 1;
		}
	}
	return ( x->face > y->face ) - ( x->face < y->face );
}

static face_key key_of( const int32_t *t, int64_t face )
{
	int32_t a = t[0], b = t[1], c = t[2], swap;
	if ( a > b )
	{
		swap = a, a = b, b = swap;
	}
	if ( b > c )
	{
		swap = b, b = c, c = swap;
	}
	if ( a > b )
	{
		swap = a, a = b, b = swap;
	}
	face_key key = { { a, b, c }, (int32_t)face };
	return key;
}

// Removes the faces that are marked; returns how many there were.
static int64_t remove_marked( ds_soup *soup, const uint8_t *marked )
{
	int64_t kept = 0, before = soup->face_count;
	for ( int64_t f = 0; f < before; ++f )
	{
		if ( !marked[f] )
		{
			memmove( soup->triangles + 3 * kept++, soup->triangles + 3 * f, 3 * sizeof( int32_t ) );
		}
	}
	soup->face_count = kept;
	return before - kept;
}

ds_status ds_soup_drop_duplicates( ds_soup *soup )
{
	int64_t count = soup->face_count;
	face_key *keys = NULL;
	uint8_t *marked = NULL;
	ds_status status = DS_NEW( soup->allocator, count, &keys );
	status = status == DS_OK ? DS_NEW( soup->allocator, count, &marked ) : status;
	if ( status == DS_OK && count > 0 )
	{
		for ( int64_t f = 0; f < count; ++f )
		{
			keys[f] = key_of( soup->triangles + 3 * f, f );
		}
		qsort( keys, (size_t)count, sizeof( *keys ), compare_keys );
		for ( int64_t i = 1; i < count; ++i )
		{
			marked[keys[i].face] = memcmp( keys[i].corners, keys[i - 1].corners, sizeof( keys[i].corners ) ) == 0;
		}
		soup->report->faces_duplicate += remove_marked( soup, marked );
	}
	DS_FREE( soup->allocator, marked, count );
	DS_FREE( soup->allocator, keys, count );
	return status;
}

// ---- faces without area --------------------------------------------------------------------------------------------

// A face whose height is lost in rounding beside its longest edge. *longest: corner where that edge starts.
static bool is_sliver( const ds_soup *soup, int64_t f, int *longest )
{
	const int32_t *t = soup->triangles + 3 * f;
	ds_vec3 p[3] = { soup->vertices[t[0]], soup->vertices[t[1]], soup->vertices[t[2]] };
	double most = 0;
	for ( int k = 0; k < 3; ++k )
	{
		ds_vec3 d = ds_sub( p[( k + 1 ) % 3], p[k] );
		double square = ds_dot( d, d );
		if ( square > most )
		{
			most = square;
			*longest = k;
		}
	}
	double area = ds_length( ds_cross( ds_sub( p[1], p[0] ), ds_sub( p[2], p[0] ) ) );
	return !( area > 1e-14 * most );
}

// The other half-edge of `h`'s face that has the vertex `v`.
static int32_t other_side( const int32_t *t, int32_t h, int32_t v )
{
	int32_t base = h - h % 3;
	for ( int32_t k = base; k < base + 3; ++k )
	{
		if ( k != h && ( ds_edge_start( t, k ) == v || ds_edge_end( t, k ) == v ) )
		{
			return k;
		}
	}
	return h;
}

#define MOST_AROUND 1000

// May an edge between v and w be added: do no faces around v (seen from face f) have w, and were none of them changed?
static bool may_join(
	const ds_soup *soup, const ds_edges *edges, const uint8_t *changed, int32_t f, int32_t v, int32_t w )
{
	const int32_t *t = soup->triangles;
	for ( int side = 0, found = 0; side < 2; ++side )
	{
		// both half-edges of f at v, one after the other
		int32_t h = 3 * f;
		for ( found = 0; h < 3 * f + 3; ++h )
		{
			found += ds_edge_start( t, h ) == v || ds_edge_end( t, h ) == v;
			if ( found == side + 1 )
			{
				break;
			}
		}
		for ( int step = 0;; ++step )
		{
			int32_t m = edges->mate[h];
			if ( m == DS_EDGE_NON_MANIFOLD || step == MOST_AROUND )
			{
				return false;
			}
			if ( m == DS_EDGE_OPEN || m / 3 == f )
			{
				break;
			}
			const int32_t *g = t + m - m % 3;
			if ( changed[m / 3] || g[0] == w || g[1] == w || g[2] == w )
			{
				return false;
			}
			h = other_side( t, m, v );
		}
	}
	return true;
}

typedef enum sliver_result
{
	SLIVER_DROPPED,
	SLIVER_TURNED,
	SLIVER_LATER
} sliver_result;

// The sliver (a, b, c) with c on the edge ab: its neighbour across ab, (p, q, d) with pq = ab or ba, becomes (p, c, d) and
// (c, q, d). The surface stays closed and where it was.
static sliver_result turn_sliver(
	ds_soup *soup, const ds_edges *edges, uint8_t *changed, uint8_t *dropped, int32_t f, int longest )
{
	int32_t *t = soup->triangles, mate = edges->mate[3 * f + longest];
	if ( mate < 0 )
	{
		dropped[f] = changed[f] = 1;
		return SLIVER_DROPPED;
	}
	int32_t g = mate / 3, c = t[3 * f + ( longest + 2 ) % 3], d = t[3 * g + ( mate % 3 + 2 ) % 3];
	if ( changed[f] || changed[g] )
	{
		return SLIVER_LATER;
	}
	if ( c == d )
	{
		// two faces on each other: what lies around them joins without them
		dropped[f] = dropped[g] = changed[f] = changed[g] = 1;
		return SLIVER_DROPPED;
	}
	if ( !may_join( soup, edges, changed, f, c, d ) )
	{
		return SLIVER_LATER;
	}
	int32_t p = ds_edge_start( t, mate ), q = ds_edge_end( t, mate );
	int32_t first[3] = { p, c, d }, second[3] = { c, q, d };
	memcpy( t + 3 * (int64_t)f, first, sizeof( first ) );
	memcpy( t + 3 * (int64_t)g, second, sizeof( second ) );
	changed[f] = changed[g] = 1;
	return SLIVER_TURNED;
}

// One pass over the slivers. *done: how many were dealt with; *left: how many wait for the next pass.
static ds_status sliver_pass(
	ds_soup *soup, uint8_t *changed, uint8_t *dropped, bool last, int64_t *done, int64_t *left )
{
	ds_edges edges;
	DS_TRY( ds_edges_build( soup, &edges ) );
	memset( changed, 0, (size_t)soup->face_count );
	memset( dropped, 0, (size_t)soup->face_count );
	*done = *left = 0;
	int64_t turned = 0;
	for ( int64_t f = 0; f < soup->face_count; ++f )
	{
		int longest = 0;
		if ( changed[f] || !is_sliver( soup, f, &longest ) )
		{
			continue;
		}
		sliver_result result = SLIVER_DROPPED;
		if ( last )
		{
			dropped[f] = 1;
		}
		else
		{
			result = turn_sliver( soup, &edges, changed, dropped, (int32_t)f, longest );
		}
		turned += result == SLIVER_TURNED;
		*left += result == SLIVER_LATER;
	}
	ds_edges_free( soup, &edges );
	int64_t removed = remove_marked( soup, dropped );
	*done = turned + removed;
	soup->report->faces_degenerate += *done;
	return DS_OK;
}

#define MOST_PASSES 32

ds_status ds_soup_drop_slivers( ds_soup *soup )
{
	int64_t found = 0, count = soup->face_count;
	for ( int64_t f = 0; f < count && found == 0; ++f )
	{
		int longest = 0;
		found += is_sliver( soup, f, &longest );
	}
	if ( found == 0 )
	{
		return DS_OK;
	}
	uint8_t *changed = NULL, *dropped = NULL;
	ds_status status = DS_NEW( soup->allocator, count, &changed );
	status = status == DS_OK ? DS_NEW( soup->allocator, count, &dropped ) : status;
	bool again = true;
	for ( int pass = 0; again && status == DS_OK; ++pass )
	{
		// a turned diagonal may leave a new sliver: passes go on until one finds nothing; the last one only drops
		int64_t done, left;
		status = ds_soup_check_time( soup );
		status = status == DS_OK ? sliver_pass( soup, changed, dropped, pass == MOST_PASSES, &done, &left ) : status;
		again = status == DS_OK && done + left > 0 && pass < MOST_PASSES;
		if ( again && done == 0 )
		{
			pass = MOST_PASSES - 1;
		}
	}
	DS_FREE( soup->allocator, dropped, count );
	DS_FREE( soup->allocator, changed, count );
	return status;
}

// ---- holes ---------------------------------------------------------------------------------------------------------

static int32_t previous_edge( int32_t h )
{
	return h % 3 == 0 ? h + 2 : h - 1;
}

// The open half-edge that ends where the open half-edge `h` starts, going around that vertex through its faces: the next one
// of the hole. -1 if a non-manifold edge is met.
static int32_t next_of_hole( const ds_edges *edges, int32_t h )
{
	int32_t at = previous_edge( h );
	while ( edges->mate[at] >= 0 )
	{
		at = previous_edge( edges->mate[at] );
	}
	return edges->mate[at] == DS_EDGE_OPEN ? at : -1;
}

// The walk along the edge of a hole.
typedef struct hole_walk
{
	int32_t *places; // of each vertex: its place in `loop`, from 1; 0 if it is not there
	int32_t loop[DS_MESH_MAX_CORNERS];
	int32_t count;
	int64_t max_edges;
} hole_walk;

// Takes away the end of the loop, from `first` on, and fills it if it is whole and not too long.
static ds_status fill_loop( ds_soup *soup, hole_walk *walk, int32_t first, bool whole )
{
	int32_t count = walk->count - first;
	for ( int32_t i = first; i < walk->count; ++i )
	{
		walk->places[walk->loop[i]] = 0;
	}
	walk->count = first;
	if ( !whole || count < 3 || count > walk->max_edges )
	{
		return DS_OK;
	}
	int64_t before = soup->face_count;
	DS_TRY( ds_soup_add_polygon( soup, walk->loop + first, count ) );
	++soup->report->holes_closed;
	soup->report->faces_added += soup->face_count - before;
	return DS_OK;
}

// Closes the hole that starts at `h`. Going around a vertex through its faces, the walk passes from one hole to the next where
// holes meet: when it comes to a vertex again, what lies between is a hole of its own.
static ds_status close_hole( ds_soup *soup, const ds_edges *edges, uint8_t *seen, int32_t h, hole_walk *walk )
{
	int32_t at = h;
	bool fits = true;
	for ( ; at >= 0 && !seen[at]; at = next_of_hole( edges, at ) )
	{
		seen[at] = 1;
		int32_t vertex = ds_edge_end( soup->triangles, at );
		if ( fits && walk->places[vertex] > 0 )
		{
			DS_TRY( fill_loop( soup, walk, walk->places[vertex] - 1, true ) );
		}
		fits = fits && walk->count < DS_MESH_MAX_CORNERS;
		if ( fits )
		{
			walk->loop[walk->count++] = vertex;
			walk->places[vertex] = walk->count;
		}
	}
	return fill_loop( soup, walk, 0, fits && at == h );
}

ds_status ds_soup_close_holes( ds_soup *soup, const ds_edges *edges, int64_t max_edges )
{
	hole_walk *walk = NULL;
	uint8_t *seen = NULL;
	int32_t *places = NULL;
	const int64_t vertex_count = soup->vertex_count;
	ds_status status = DS_NEW( soup->allocator, edges->count, &seen );
	status = status == DS_OK ? DS_NEW( soup->allocator, vertex_count, &places ) : status;
	status = status == DS_OK ? DS_NEW( soup->allocator, 1, &walk ) : status;
	if ( status == DS_OK )
	{
		walk->places = places;
		walk->max_edges = max_edges;
	}
	for ( int64_t h = 0; h < edges->count && status == DS_OK; ++h )
	{
		if ( edges->mate[h] == DS_EDGE_OPEN && !seen[h] )
		{
			status = ds_soup_check_time( soup );
			status = status == DS_OK ? close_hole( soup, edges, seen, (int32_t)h, walk ) : status;
		}
	}
	DS_FREE( soup->allocator, walk, 1 );
	DS_FREE( soup->allocator, places, vertex_count );
	DS_FREE( soup->allocator, seen, edges->count );
	return status;
}

// Repairs: duplicate faces and holes.

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
		soup->report->faces_duplicate += ds_soup_remove_marked( soup, marked );
	}
	DS_FREE( soup->allocator, marked, count );
	DS_FREE( soup->allocator, keys, count );
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

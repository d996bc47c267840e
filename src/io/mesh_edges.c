// Edges of a face soup: which half-edges belong together. Half-edges are sorted into buckets by their lower vertex; a bucket
// holds some six of them, so that everything stays in the cache where the file has any order.

#include "io/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_entries( const void *a, const void *b )
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return ( x > y ) - ( x < y );
}

// Entries are (higher vertex << 32 | half-edge): all different, so that the order is unique.
static void sort_bucket( uint64_t *entries, int64_t count )
{
	if ( count > 24 )
	{
		qsort( entries, (size_t)count, sizeof( *entries ), compare_entries );
		return;
	}
	for ( int64_t i = 1; i < count; ++i )
	{
		uint64_t entry = entries[i];
		int64_t k = i;
		for ( ; k > 0 && entries[k - 1] > entry; --k )
		{
			entries[k] = entries[k - 1];
		}
		entries[k] = entry;
	}
}

// Fills the buckets; afterwards bucket v is [starts[v - 1], starts[v]) with starts[-1] read as 0.
static void fill_buckets( const ds_soup *soup, int32_t *starts, uint64_t *entries )
{
	const int32_t *t = soup->triangles;
	int32_t count = (int32_t)( 3 * soup->face_count );
	for ( int32_t h = 0; h < count; ++h )
	{
		int32_t a = ds_edge_start( t, h ), b = ds_edge_end( t, h );
		++starts[( a < b ? a : b ) + 1];
	}
	for ( int64_t v = 0; v < soup->vertex_count; ++v )
	{
		starts[v + 1] += starts[v];
	}
	for ( int32_t h = 0; h < count; ++h )
	{
		int32_t a = ds_edge_start( t, h ), b = ds_edge_end( t, h );
		int32_t low = a < b ? a : b, high = a < b ? b : a;
		entries[starts[low]++] = (uint64_t)(uint32_t)high << 32 | (uint32_t)h;
	}
}

// One edge: the half-edges of a bucket that share their higher vertex.
static void join_edge( const ds_soup *soup, ds_edges *edges, const uint64_t *entries, int64_t count )
{
	int32_t first = (int32_t)(uint32_t)entries[0];
	if ( count == 1 )
	{
		edges->mate[first] = DS_EDGE_OPEN;
		edges->open_example = edges->open++ == 0 ? first : edges->open_example;
	}
	else if ( count == 2 )
	{
		int32_t second = (int32_t)(uint32_t)entries[1];
		edges->mate[first] = second;
		edges->mate[second] = first;
		if ( ds_edge_start( soup->triangles, first ) == ds_edge_start( soup->triangles, second ) )
		{
			edges->mixed_example = edges->mixed++ == 0 ? first : edges->mixed_example;
		}
	}
	else
	{
		for ( int64_t i = 0; i < count; ++i )
		{
			edges->mate[(uint32_t)entries[i]] = DS_EDGE_NON_MANIFOLD;
		}
		edges->non_manifold_example = edges->non_manifold++ == 0 ? first : edges->non_manifold_example;
	}
}

static void join_edges( const ds_soup *soup, ds_edges *edges, const int32_t *starts, uint64_t *entries )
{
	int64_t begin = 0;
	for ( int64_t v = 0; v < soup->vertex_count; ++v )
	{
		int64_t end = starts[v];
		sort_bucket( entries + begin, end - begin );
		while ( begin < end )
		{
			int64_t next = begin + 1;
			while ( next < end && entries[next] >> 32 == entries[begin] >> 32 )
			{
				++next;
			}
			join_edge( soup, edges, entries + begin, next - begin );
			begin = next;
		}
	}
}

ds_status ds_edges_build( const ds_soup *soup, ds_edges *edges )
{
	memset( edges, 0, sizeof( *edges ) );
	edges->count = 3 * soup->face_count;
	if ( edges->count == 0 )
	{
		return DS_OK;
	}
	int32_t *starts = NULL;
	uint64_t *entries = NULL;
	ds_status status = DS_NEW( soup->allocator, edges->count, &edges->mate );
	status = status == DS_OK ? DS_NEW( soup->allocator, soup->vertex_count + 1, &starts ) : status;
	status = status == DS_OK ? DS_NEW( soup->allocator, edges->count, &entries ) : status;
	if ( status == DS_OK )
	{
		fill_buckets( soup, starts, entries );
		join_edges( soup, edges, starts, entries );
	}
	DS_FREE( soup->allocator, starts, soup->vertex_count + 1 );
	DS_FREE( soup->allocator, entries, edges->count );
	if ( status != DS_OK )
	{
		ds_edges_free( soup, edges );
	}
	return status;
}

void ds_edges_free( const ds_soup *soup, ds_edges *edges )
{
	DS_FREE( soup->allocator, edges->mate, edges->count );
	memset( edges, 0, sizeof( *edges ) );
}

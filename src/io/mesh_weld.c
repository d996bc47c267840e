// Welding by hash tables: of coordinates, or of the cells of a grid as wide as the weld distance.

#include "io/mesh_internal.h"

#include <string.h>

// An open-addressing table of vertex numbers + 1 (0: free), which grows with the distinct vertices and not with the read
// ones: a file that repeats every corner stays in the cache.
typedef struct weld_table
{
	const ds_allocator *allocator;
	uint32_t *slots;
	size_t capacity, used;
} weld_table;

static uint64_t hash_point( ds_vec3 p )
{
	uint64_t x, y, z;
	memcpy( &x, &p.x, 8 );
	memcpy( &y, &p.y, 8 );
	memcpy( &z, &p.z, 8 );
	uint64_t h = x * UINT64_C( 0x9E3779B97F4A7C15 );
	h = ( h ^ ( h >> 32 ) ^ y ) * UINT64_C( 0xC2B2AE3D27D4EB4F );
	h = ( h ^ ( h >> 29 ) ^ z ) * UINT64_C( 0x165667B19E3779F9 );
	return h ^ ( h >> 32 );
}

static bool same_point( ds_vec3 a, ds_vec3 b )
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// -0 and 0 are equal but have other bits
static ds_vec3 plain_zero( ds_vec3 p )
{
	return ds_v3( p.x + 0.0, p.y + 0.0, p.z + 0.0 );
}

static ds_status table_grow( weld_table *table, const ds_vec3 *keys )
{
	size_t capacity = table->capacity ? 2 * table->capacity : 1024;
	uint32_t *slots;
	DS_TRY( DS_NEW( table->allocator, capacity, &slots ) );
	for ( size_t i = 0; i < table->capacity; ++i )
	{
		if ( table->slots[i] )
		{
			size_t at = hash_point( keys[table->slots[i] - 1] ) & ( capacity - 1 );
			while ( slots[at] )
			{
				at = ( at + 1 ) & ( capacity - 1 );
			}
			slots[at] = table->slots[i];
		}
	}
	DS_FREE( table->allocator, table->slots, table->capacity );
	table->slots = slots;
	table->capacity = capacity;
	return DS_OK;
}

// The slot of the key that equals `p`, or the free slot where it belongs.
static size_t table_find( const weld_table *table, const ds_vec3 *keys, ds_vec3 p )
{
	size_t at = hash_point( p ) & ( table->capacity - 1 );
	while ( table->slots[at] && !same_point( keys[table->slots[at] - 1], p ) )
	{
		at = ( at + 1 ) & ( table->capacity - 1 );
	}
	return at;
}

// The table is the only memory that is not met in order: its slots are asked for some vertices ahead.
#define AHEAD 12

static void prefetch_slot( const weld_table *table, ds_vec3 p )
{
#if defined( __GNUC__ )
	__builtin_prefetch( table->slots + ( hash_point( plain_zero( p ) ) & ( table->capacity - 1 ) ) );
#else
	(void)table, (void)p;
#endif
}

// Moves the distinct vertices to the front; `map` gets the new number of each old vertex.
static ds_status weld_equal( ds_soup *soup, int32_t *map )
{
	weld_table table = { soup->allocator, NULL, 0, 0 };
	ds_status status = table_grow( &table, NULL );
	ds_vec3 *v = soup->vertices;
	int64_t kept = 0;
	for ( int64_t i = 0; i < soup->vertex_count && status == DS_OK; ++i )
	{
		prefetch_slot( &table, v[i + AHEAD < soup->vertex_count ? i + AHEAD : i] );
		ds_vec3 p = plain_zero( v[i] );
		size_t at = table_find( &table, v, p );
		if ( table.slots[at] == 0 )
		{
			v[kept] = p;
			table.slots[at] = (uint32_t)++kept;
			if ( 2 * ++table.used > table.capacity )
			{
				map[i] = (int32_t)kept - 1;
				status = table_grow( &table, v );
				continue;
			}
		}
		map[i] = (int32_t)table.slots[at] - 1;
	}
	DS_FREE( soup->allocator, table.slots, table.capacity );
	soup->vertex_count = kept;
	return status;
}

typedef struct weld_grid
{
	weld_table table; // cells; a slot names the cell's latest vertex
	ds_vec3 *cells; // of each kept vertex
	int32_t *next; // earlier vertex of the same cell, or -1
	double distance;
} weld_grid;

static ds_vec3 cell_of( ds_vec3 p, double size )
{
	return plain_zero( ds_v3( floor( p.x / size ), floor( p.y / size ), floor( p.z / size ) ) );
}

// The earliest kept vertex nearer to `p` than the weld distance, or -1. Cells hold few: kept vertices are that far apart.
static int32_t grid_nearest( const weld_grid *grid, const ds_vec3 *v, ds_vec3 p )
{
	ds_vec3 cell = cell_of( p, grid->distance );
	int32_t found = -1;
	for ( int n = 0; n < 27; ++n )
	{
		ds_vec3 beside = ds_add( cell, ds_v3( n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1 ) );
		size_t at = table_find( &grid->table, grid->cells, plain_zero( beside ) );
		int32_t k = grid->table.slots[at] ? (int32_t)grid->table.slots[at] - 1 : -1;
		for ( ; k >= 0; k = grid->next[k] )
		{
			if ( ( found < 0 || k < found ) && ds_length( ds_sub( v[k], p ) ) < grid->distance )
			{
				found = k;
			}
		}
	}
	return found;
}

static ds_status weld_near( ds_soup *soup, int32_t *map, weld_grid *grid )
{
	DS_TRY( DS_NEW( soup->allocator, soup->vertex_count, &grid->cells ) );
	DS_TRY( DS_NEW( soup->allocator, soup->vertex_count, &grid->next ) );
	DS_TRY( table_grow( &grid->table, NULL ) );
	ds_vec3 *v = soup->vertices;
	int64_t kept = 0, count = soup->vertex_count;
	for ( int64_t i = 0; i < count; ++i )
	{
		ds_vec3 p = plain_zero( v[i] );
		map[i] = grid_nearest( grid, v, p );
		if ( map[i] >= 0 )
		{
			continue;
		}
		map[i] = (int32_t)kept;
		v[kept] = p;
		grid->cells[kept] = cell_of( p, grid->distance );
		size_t at = table_find( &grid->table, grid->cells, grid->cells[kept] );
		grid->next[kept] = (int32_t)grid->table.slots[at] - 1;
		grid->table.used += grid->table.slots[at] == 0;
		grid->table.slots[at] = (uint32_t)++kept;
		if ( 2 * grid->table.used > grid->table.capacity )
		{
			DS_TRY( table_grow( &grid->table, grid->cells ) );
		}
		if ( i % 65536 == 0 )
		{
			DS_TRY( ds_soup_check_time( soup ) );
		}
	}
	soup->vertex_count = kept;
	return DS_OK;
}

ds_status ds_soup_weld( ds_soup *soup )
{
	int32_t *map;
	int64_t read = soup->vertex_count;
	DS_TRY( DS_NEW( soup->allocator, read, &map ) );
	ds_status status;
	if ( soup->options->weld_distance > 0 )
	{
		weld_grid grid = { { soup->allocator, NULL, 0, 0 }, NULL, NULL, soup->options->weld_distance };
		status = weld_near( soup, map, &grid );
		DS_FREE( soup->allocator, grid.cells, read );
		DS_FREE( soup->allocator, grid.next, read );
		DS_FREE( soup->allocator, grid.table.slots, grid.table.capacity );
	}
	else
	{
		status = weld_equal( soup, map );
	}

	// faces follow; those whose corners fell together go
	int64_t kept = 0;
	for ( int64_t f = 0; f < soup->face_count && status == DS_OK; ++f )
	{
		const int32_t *t = soup->triangles + 3 * f;
		int32_t a = map[t[0]], b = map[t[1]], c = map[t[2]];
		if ( a != b && b != c && c != a )
		{
			int32_t *out = soup->triangles + 3 * kept++;
			out[0] = a;
			out[1] = b;
			out[2] = c;
		}
	}
	if ( status == DS_OK )
	{
		soup->report->vertices_welded += read - soup->vertex_count;
		soup->report->faces_degenerate += soup->face_count - kept;
		soup->face_count = kept;
	}
	DS_FREE( soup->allocator, map, read );
	return status;
}

ds_status ds_soup_compact( ds_soup *soup )
{
	int32_t *map;
	int64_t read = soup->vertex_count;
	DS_TRY( DS_NEW( soup->allocator, read, &map ) );
	for ( int64_t i = 0; i < 3 * soup->face_count; ++i )
	{
		map[soup->triangles[i]] = 1;
	}
	int64_t kept = 0;
	for ( int64_t i = 0; i < read; ++i )
	{
		if ( map[i] )
		{
			soup->vertices[kept] = soup->vertices[i];
			map[i] = (int32_t)kept++;
		}
	}
	for ( int64_t i = 0; i < 3 * soup->face_count && kept < read; ++i )
	{
		soup->triangles[i] = map[soup->triangles[i]];
	}
	soup->vertex_count = kept;
	DS_FREE( soup->allocator, map, read );
	return DS_OK;
}

#include "terrain/soil_map.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

// A polygon, its edges filed by slabs of north: a query looks at those of one slab alone.
typedef struct edge
{
	double south, south_east, north,
		north_east; // its ends, the southern one first: edges that polygons share cut alike
} edge;

typedef struct polygon
{
	double south, west, north, east, per_slab; // slabs a metre
	int32_t first_slab, slabs; // into `starts`
} polygon;

struct ds_soil_map
{
	ds_allocator allocator;
	ds_soil *soils; // number 0, those of the polygons, those of the mask
	int64_t soil_count, polygon_count, edge_count, start_count;
	polygon *polygons;
	int32_t *starts; // of each slab and one more: its first edge
	edge *edges;
	bool masked;
	ds_soil_mask mask;
	int16_t *index;
};

#define MOST_CORNERS 1000000
#define MOST_EDGES   100000000
#define MOST_SLABS   1024

// ---- making --------------------------------------------------------------------------------------------------------

static int32_t slab_of( const polygon *p, double north )
{
	double slab = ( north - p->south ) * p->per_slab;
	return slab > 0 ? slab < p->slabs ? (int32_t)slab : p->slabs - 1 : 0;
}

static edge edge_of( const ds_soil_patch *patch, int64_t i )
{
	const double *corners = patch->polygon.data;
	const double *a = &corners[2 * i], *b = i + 1 < patch->polygon.count ? a + 2 : corners;
	return a[0] <= b[0] ? ( edge ){ a[0], a[1], b[0], b[1] } : ( edge ){ b[0], b[1], a[0], a[1] };
}

static ds_status measure( const ds_soil_patch *patch, int64_t number, polygon *p )
{
	const double *corners = patch->polygon.data;
	int64_t count = patch->polygon.count;
	if ( corners == NULL || count < 3 || count > MOST_CORNERS )
	{
		return ds_error( DS_ERROR_RANGE, "soil patch %lld: a polygon has 3 to %d corners, got %lld", (long long)number,
			MOST_CORNERS, (long long)( corners ? count : 0 ) );
	}
	*p = ( polygon ){ corners[0], corners[1], corners[0], corners[1], 0, 0, 0 };
	for ( int64_t i = 0; i < count; ++i )
	{
		double north = corners[2 * i], east = corners[2 * i + 1];
		if ( !isfinite( north ) || !isfinite( east ) )
		{
			return ds_error(
				DS_ERROR_NOT_FINITE, "soil patch %lld: corner %lld is not finite", (long long)number, (long long)i );
		}
		p->south = fmin( p->south, north );
		p->west = fmin( p->west, east );
		p->north = fmax( p->north, north );
		p->east = fmax( p->east, east );
	}
	if ( !( p->north > p->south ) || !( p->east > p->west ) )
	{
		return ds_error( DS_ERROR_RANGE, "soil patch %lld: its polygon encloses nothing", (long long)number );
	}
	p->slabs = (int32_t)( count < 8 ? 1 : count / 4 < MOST_SLABS ? count / 4 : MOST_SLABS );
	double per_slab = p->slabs / ( p->north - p->south );
	p->per_slab = isfinite( per_slab ) ? per_slab : 0;
	return DS_OK;
}

static void slabs_of( const polygon *p, const edge *e, int32_t *first, int32_t *last )
{
	*first = slab_of( p, e->south );
	*last = slab_of( p, e->north );
}

// Files a polygon's edges. `starts` is that of its first slab.
static void file_edges( const ds_soil_patch *patch, const polygon *p, int32_t *starts, edge *edges )
{
	int32_t first, last;
	for ( int64_t i = 0; i < patch->polygon.count; ++i )
	{
		edge e = edge_of( patch, i );
		slabs_of( p, &e, &first, &last );
		for ( int32_t s = first; s <= last; ++s )
		{
			edges[starts[s + 1]++] = e;
		}
	}
}

static ds_status make_polygons( ds_soil_map *map, const ds_soil_map_def *def )
{
	int64_t starts = 0, edges = 0;
	DS_TRY( DS_NEW( &map->allocator, def->patch_count, &map->polygons ) );
	map->polygon_count = def->patch_count;
	for ( int64_t i = 0; i < def->patch_count; ++i )
	{
		polygon *p = &map->polygons[i];
		DS_TRY( measure( &def->patches[i], i, p ) );
		p->first_slab = (int32_t)starts;
		starts += p->slabs;
		for ( int64_t k = 0; k < def->patches[i].polygon.count; ++k )
		{
			int32_t first, last;
			edge e = edge_of( &def->patches[i], k );
			slabs_of( p, &e, &first, &last );
			edges += last - first + 1;
		}
		if ( edges > MOST_EDGES )
		{
			return ds_error(
				DS_ERROR_LIMIT, "soil patch %lld: its polygon and those before are too large", (long long)i );
		}
	}
	// two more: while edges are filed, starts[s + 1] is where the next one of slab s goes
	map->start_count = starts + 2;
	DS_TRY( DS_NEW( &map->allocator, map->start_count, &map->starts ) );
	DS_TRY( DS_NEW( &map->allocator, edges, &map->edges ) );
	map->edge_count = edges;
	for ( int64_t i = 0; i < def->patch_count; ++i )
	{
		const polygon *p = &map->polygons[i];
		for ( int64_t k = 0; k < def->patches[i].polygon.count; ++k )
		{
			int32_t first, last;
			edge e = edge_of( &def->patches[i], k );
			slabs_of( p, &e, &first, &last );
			for ( int32_t s = first; s <= last; ++s )
			{
				++map->starts[p->first_slab + s + 2];
			}
		}
	}
	for ( int64_t s = 2; s < map->start_count; ++s )
	{
		map->starts[s] += map->starts[s - 1];
	}
	for ( int64_t i = 0; i < def->patch_count; ++i )
	{
		file_edges( &def->patches[i], &map->polygons[i], map->starts + map->polygons[i].first_slab, map->edges );
	}
	return DS_OK;
}

static ds_status make_mask( ds_soil_map *map, const ds_soil_map_def *def )
{
	const ds_soil_mask *m = def->mask;
	if ( !isfinite( m->north ) || !isfinite( m->east ) || !isfinite( m->spacing_north ) ||
		 !isfinite( m->spacing_east ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "soil mask: place and spacing must be finite" );
	}
	if ( !( m->spacing_north > 0 ) || !( m->spacing_east > 0 ) || m->rows < 1 || m->columns < 1 || m->index == NULL )
	{
		return ds_error( DS_ERROR_RANGE, "soil mask: it needs a row, a column and spacings above 0" );
	}
	if ( m->rows > INT32_MAX || m->columns > INT32_MAX / m->rows )
	{
		return ds_error(
			DS_ERROR_LIMIT, "soil mask: %lld x %lld samples are too many", (long long)m->rows, (long long)m->columns );
	}
	int64_t count = m->rows * m->columns;
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( m->index[i] > def->soil_count )
		{
			return ds_error( DS_ERROR_RANGE, "soil mask: row %lld, column %lld: soil %d of %lld",
				(long long)( i / m->columns ), (long long)( i % m->columns ), m->index[i], (long long)def->soil_count );
		}
	}
	map->mask = *m;
	DS_TRY( DS_NEW( &map->allocator, count, &map->index ) );
	memcpy( map->index, m->index, (size_t)count * sizeof( *m->index ) );
	map->masked = true;
	return DS_OK;
}

static ds_status make_soils( ds_soil_map *map, const ds_soil_map_def *def )
{
	map->soil_count = 1 + def->patch_count + def->soil_count;
	DS_TRY( DS_NEW( &map->allocator, map->soil_count, &map->soils ) );
	map->soils[0] = def->soil;
	for ( int64_t i = 0; i < def->patch_count; ++i )
	{
		map->soils[1 + i] = def->patches[i].soil;
	}
	for ( int64_t i = 0; i < def->soil_count; ++i )
	{
		map->soils[1 + def->patch_count + i] = def->soils[i];
	}
	for ( int64_t i = 0; i < map->soil_count; ++i )
	{
		ds_status status = ds_soil_check( &map->soils[i] );
		if ( status != DS_OK )
		{
			int64_t patch = i - 1, mask = patch - def->patch_count;
			return i == 0     ? status
				   : mask < 0 ? ds_error_prefix( status, "soil patch %lld: ", (long long)patch )
							  : ds_error_prefix( status, "soil mask: soil %lld: ", (long long)mask + 1 );
		}
	}
	return DS_OK;
}

ds_status ds_soil_map_create( const ds_allocator *allocator, const ds_soil_map_def *def, ds_soil_map **map )
{
	*map = NULL;
	if ( def == NULL || def->patch_count < 0 || def->soil_count < 0 || def->soil_count > INT16_MAX ||
		 def->patch_count > MOST_CORNERS || ( def->patch_count > 0 && def->patches == NULL ) ||
		 ( def->soil_count > 0 && def->soils == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT,
			"ds_soil_map_create: def, patches or soils are missing, or more than %d and %d of them", MOST_CORNERS,
			INT16_MAX );
	}
	ds_soil_map *fresh;
	DS_TRY( DS_NEW( allocator, 1, &fresh ) );
	if ( allocator )
	{
		fresh->allocator = *allocator;
	}
	ds_status status = make_soils( fresh, def );
	if ( status == DS_OK )
	{
		status = make_polygons( fresh, def );
	}
	if ( status == DS_OK && def->mask )
	{
		status = make_mask( fresh, def );
	}
	if ( status != DS_OK )
	{
		ds_soil_map_destroy( fresh );
		return status;
	}
	*map = fresh;
	return DS_OK;
}

void ds_soil_map_destroy( ds_soil_map *map )
{
	if ( map == NULL )
	{
		return;
	}
	ds_allocator allocator = map->allocator;
	DS_FREE( &allocator, map->soils, map->soil_count );
	DS_FREE( &allocator, map->polygons, map->polygon_count );
	DS_FREE( &allocator, map->starts, map->start_count );
	DS_FREE( &allocator, map->edges, map->edge_count );
	DS_FREE( &allocator, map->index, map->mask.rows * map->mask.columns );
	DS_FREE( &allocator, map, 1 );
}

// ---- queries -------------------------------------------------------------------------------------------------------

// Where an edge that is not level is at a latitude between its ends.
static double east_at( const edge *e, double north )
{
	return e->south_east + ( north - e->south ) / ( e->north - e->south ) * ( e->north_east - e->south_east );
}

// Whether a line from a point to the east meets an edge. Rounding does not carry the edge out of its box.
static bool crosses( const edge *e, double north, double east )
{
	if ( !( north >= e->south && north < e->north ) )
	{
		return false;
	}
	bool rises = e->south_east < e->north_east;
	double west = rises ? e->south_east : e->north_east, most = rises ? e->north_east : e->south_east;
	return east < west || ( east < most && east < east_at( e, north ) );
}

static bool inside( const ds_soil_map *map, const polygon *p, double north, double east )
{
	if ( !( north >= p->south && north < p->north && east >= p->west && east < p->east ) )
	{
		return false;
	}
	const int32_t *start = map->starts + p->first_slab + slab_of( p, north );
	bool odd = false;
	for ( int32_t i = start[0]; i < start[1]; ++i )
	{
		odd ^= crosses( &map->edges[i], north, east );
	}
	return odd;
}

static bool edge_meets( const edge *e, const double rectangle[4] )
{
	double south = fmax( rectangle[0], e->south ), north = fmin( rectangle[2], e->north );
	if ( south > north )
	{
		return false;
	}
	double a = e->north > e->south ? east_at( e, south ) : e->south_east;
	double b = e->north > e->south ? east_at( e, north ) : e->north_east;
	// a hair wider, for rounding
	double slack = 1e-12 * ( fabs( e->south_east ) + fabs( e->north_east ) );
	return fmax( a, b ) + slack >= rectangle[1] && fmin( a, b ) - slack <= rectangle[3];
}

// Whether an edge of a polygon meets a rectangle: south, west, north, east.
static bool outline_meets( const ds_soil_map *map, const polygon *p, const double rectangle[4] )
{
	int32_t first = slab_of( p, rectangle[0] ), last = slab_of( p, rectangle[2] );
	const int32_t *starts = map->starts + p->first_slab;
	for ( int32_t i = starts[first]; i < starts[last + 1]; ++i )
	{
		if ( edge_meets( &map->edges[i], rectangle ) )
		{
			return true;
		}
	}
	return false;
}

// Row or column of a mask, as a double that may lie beyond it.
static double cell_of( double at, double first, double spacing )
{
	return floor( ( at - first ) / spacing + 0.5 );
}

// The soil of a cell of the mask; that of all other ground outside.
static const ds_soil *mask_soil( const ds_soil_map *map, double row, double column )
{
	const ds_soil_mask *m = &map->mask;
	if ( row >= 0 && row < (double)m->rows && column >= 0 && column < (double)m->columns )
	{
		int16_t number = map->index[(int64_t)row * m->columns + (int64_t)column];
		return number > 0 ? &map->soils[map->polygon_count + number] : &map->soils[0];
	}
	return &map->soils[0];
}

const ds_soil *ds_soil_map_at( const ds_soil_map *map, double north, double east )
{
	for ( int64_t i = map->polygon_count; i-- > 0; )
	{
		if ( inside( map, &map->polygons[i], north, east ) )
		{
			return &map->soils[1 + i];
		}
	}
	if ( map->masked )
	{
		const ds_soil_mask *m = &map->mask;
		return mask_soil(
			map, cell_of( north, m->north, m->spacing_north ), cell_of( east, m->east, m->spacing_east ) );
	}
	return &map->soils[0];
}

// The mask's one soil in a rectangle, if it is of few cells.
static const ds_soil *mask_within( const ds_soil_map *map, const double rectangle[4] )
{
	const double few = 64;
	const ds_soil_mask *m = &map->mask;
	double row = cell_of( rectangle[0], m->north, m->spacing_north ),
		   column = cell_of( rectangle[1], m->east, m->spacing_east );
	double rows = cell_of( rectangle[2], m->north, m->spacing_north ) - row + 1;
	double columns = cell_of( rectangle[3], m->east, m->spacing_east ) - column + 1;
	const ds_soil *soil = mask_soil( map, row, column );
	if ( !( rows * columns <= few ) )
	{
		return NULL;
	}
	for ( double i = 0; i < rows; ++i )
	{
		for ( double k = 0; k < columns; ++k )
		{
			if ( mask_soil( map, row + i, column + k ) != soil )
			{
				return NULL;
			}
		}
	}
	return soil;
}

const ds_soil *ds_soil_map_within( const ds_soil_map *map, double south, double west, double north, double east )
{
	const double rectangle[4] = { south, west, north, east };
	if ( !( south <= north && west <= east ) )
	{
		return NULL;
	}
	for ( int64_t i = map->polygon_count; i-- > 0; )
	{
		const polygon *p = &map->polygons[i];
		if ( p->south > north || p->north < south || p->west > east || p->east < west )
		{
			continue;
		}
		if ( outline_meets( map, p, rectangle ) )
		{
			return NULL;
		}
		if ( inside( map, p, south, west ) )
		{
			return &map->soils[1 + i];
		}
	}
	return map->masked ? mask_within( map, rectangle ) : &map->soils[0];
}

const ds_soil *ds_soil_map_uniform( const ds_soil_map *map )
{
	return map->polygon_count == 0 && !map->masked ? &map->soils[0] : NULL;
}

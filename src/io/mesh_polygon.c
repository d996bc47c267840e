// Triangulation of polygons: a fan where every corner is convex, else ears.

#include "io/mesh_internal.h"

// Newell's normal: twice the vector area.
static ds_vec3 polygon_normal( const ds_vec3 *vertices, const int32_t *corners, int32_t count )
{
	ds_vec3 sum = { 0, 0, 0 };
	ds_vec3 origin = vertices[corners[0]];
	for ( int32_t i = 1; i + 1 < count; ++i )
	{
		ds_vec3 a = ds_sub( vertices[corners[i]], origin );
		ds_vec3 b = ds_sub( vertices[corners[i + 1]], origin );
		sum = ds_add( sum, ds_cross( a, b ) );
	}
	return sum;
}

// Twice the area of a triangle, seen along the normal.
static double turn( ds_vec3 a, ds_vec3 b, ds_vec3 c, ds_vec3 normal )
{
	return ds_dot( ds_cross( ds_sub( b, a ), ds_sub( c, a ) ), normal );
}

static bool is_convex( const ds_vec3 *vertices, const int32_t *corners, int32_t count, ds_vec3 normal, double least )
{
	for ( int32_t i = 0; i < count; ++i )
	{
		ds_vec3 a = vertices[corners[i]], b = vertices[corners[( i + 1 ) % count]],
				c = vertices[corners[( i + 2 ) % count]];
		// the corner itself and the triangle that a fan makes of it
		if ( turn( a, b, c, normal ) <= least )
		{
			return false;
		}
		if ( i > 0 && i + 1 < count && turn( vertices[corners[0]], a, b, normal ) <= least )
		{
			return false;
		}
	}
	return true;
}

// Is the corner at `i` of the remaining polygon an ear: convex, with no other corner in it?
static bool is_ear( const ds_vec3 *vertices, const int32_t *corners, const int32_t *ring, int32_t count, int32_t i,
	ds_vec3 normal, double least )
{
	int32_t before = ring[( i + count - 1 ) % count], here = ring[i], after = ring[( i + 1 ) % count];
	ds_vec3 a = vertices[corners[before]], b = vertices[corners[here]], c = vertices[corners[after]];
	if ( turn( a, b, c, normal ) <= least )
	{
		return false;
	}
	for ( int32_t k = 0; k < count; ++k )
	{
		int32_t other = corners[ring[k]];
		if ( other == corners[before] || other == corners[here] || other == corners[after] )
		{
			continue;
		}
		ds_vec3 p = vertices[other];
		if ( turn( a, b, p, normal ) >= 0 && turn( b, c, p, normal ) >= 0 && turn( c, a, p, normal ) >= 0 )
		{
			return false;
		}
	}
	return true;
}

void ds_polygon_triangulate(
	const ds_vec3 *vertices, const int32_t *corners, int32_t count, int32_t *scratch, int32_t *triangles )
{
	ds_vec3 normal = polygon_normal( vertices, corners, count );
	double least = 1e-12 * ds_dot( normal, normal ) / count;
	int32_t made = 0;
	if ( is_convex( vertices, corners, count, normal, least ) )
	{
		for ( int32_t i = 1; i + 1 < count; ++i, ++made )
		{
			triangles[3 * made] = 0;
			triangles[3 * made + 1] = i;
			triangles[3 * made + 2] = i + 1;
		}
		return;
	}

	// cut ears off; where there is none (a polygon that crosses itself or has no area) any corner must do
	int32_t *ring = scratch, left = count, at = 0, tried = 0;
	for ( int32_t i = 0; i < count; ++i )
	{
		ring[i] = i;
	}
	while ( left > 3 )
	{
		if ( tried < left && !is_ear( vertices, corners, ring, left, at, normal, least ) )
		{
			at = ( at + 1 ) % left;
			++tried;
			continue;
		}
		triangles[3 * made] = ring[( at + left - 1 ) % left];
		triangles[3 * made + 1] = ring[at];
		triangles[3 * made + 2] = ring[( at + 1 ) % left];
		++made;
		for ( int32_t k = at; k + 1 < left; ++k )
		{
			ring[k] = ring[k + 1];
		}
		--left;
		at = at % left;
		tried = 0;
	}
	triangles[3 * made] = ring[0];
	triangles[3 * made + 1] = ring[1];
	triangles[3 * made + 2] = ring[2];
}

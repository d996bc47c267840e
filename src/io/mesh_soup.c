#include "io/mesh_internal.h"

#include <string.h>
#include <time.h>

double ds_mesh_clock( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ds_soup_free( ds_soup *soup )
{
	DS_FREE( soup->allocator, soup->vertices, soup->vertex_capacity );
	DS_FREE( soup->allocator, soup->triangles, 3 * soup->face_capacity );
	DS_FREE( soup->allocator, soup->turned, soup->turned_capacity );
	DS_FREE( soup->allocator, soup->colors, soup->color_capacity );
	soup->colors = NULL;
	soup->color_capacity = 0;
	soup->vertices = NULL;
	soup->triangles = NULL;
	soup->turned = NULL;
	soup->turned_count = soup->turned_capacity = 0;
	soup->vertex_count = soup->vertex_capacity = soup->face_count = soup->face_capacity = 0;
}

ds_status ds_soup_check_time( const ds_soup *soup )
{
	if ( ds_mesh_clock() > soup->deadline )
	{
		return ds_error(
			DS_ERROR_LIMIT, "%s: reading took longer than max_seconds = %g s", soup->name, soup->options->max_seconds );
	}
	return DS_OK;
}

// Half-edges are numbered by 32-bit integers, too.
#define MOST_VERTICES ( INT32_MAX - 1 )
#define MOST_FACES    ( INT32_MAX / 3 - 1 )

static ds_status grow_vertices( ds_soup *soup, int64_t more )
{
	if ( more > MOST_VERTICES - soup->vertex_count )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: more than %d vertices", soup->name, MOST_VERTICES );
	}
	int64_t need = soup->vertex_count + more;
	if ( need <= soup->vertex_capacity )
	{
		return DS_OK;
	}
	int64_t capacity = soup->vertex_capacity * 2 > need ? soup->vertex_capacity * 2 : need;
	capacity = capacity < MOST_VERTICES ? capacity : MOST_VERTICES;
	ds_vec3 *vertices;
	DS_TRY( DS_NEW( soup->allocator, capacity, &vertices ) );
	if ( soup->vertex_count > 0 )
	{
		memcpy( vertices, soup->vertices, (size_t)soup->vertex_count * sizeof( *vertices ) );
	}
	DS_FREE( soup->allocator, soup->vertices, soup->vertex_capacity );
	soup->vertices = vertices;
	soup->vertex_capacity = capacity;
	return DS_OK;
}

static ds_status grow_faces( ds_soup *soup, int64_t more )
{
	int64_t most = soup->options->max_faces < MOST_FACES ? soup->options->max_faces : MOST_FACES;
	if ( more > most - soup->face_count )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: more than max_faces = %lld faces", soup->name, (long long)most );
	}
	int64_t need = soup->face_count + more;
	if ( need <= soup->face_capacity )
	{
		return DS_OK;
	}
	int64_t capacity = soup->face_capacity * 2 > need ? soup->face_capacity * 2 : need;
	capacity = capacity < most ? capacity : most;
	int32_t *triangles;
	DS_TRY( DS_NEW( soup->allocator, 3 * capacity, &triangles ) );
	if ( soup->face_count > 0 )
	{
		memcpy( triangles, soup->triangles, (size_t)soup->face_count * 3 * sizeof( *triangles ) );
	}
	DS_FREE( soup->allocator, soup->triangles, 3 * soup->face_capacity );
	soup->triangles = triangles;
	soup->face_capacity = capacity;
	return DS_OK;
}

ds_status ds_soup_reserve( ds_soup *soup, int64_t vertices, int64_t faces )
{
	DS_TRY( grow_vertices( soup, vertices ) );
	return grow_faces( soup, faces );
}

ds_status ds_soup_add_vertex( ds_soup *soup, ds_vec3 vertex )
{
	if ( !ds_finite( vertex ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "%s: vertex %lld is (%g, %g, %g): coordinates must be finite", soup->name,
			(long long)soup->vertex_count + 1, vertex.x, vertex.y, vertex.z );
	}
	if ( soup->vertex_count == soup->vertex_capacity )
	{
		DS_TRY( grow_vertices( soup, 1 ) );
	}
	soup->vertices[soup->vertex_count++] = vertex;
	return DS_OK;
}

ds_status ds_soup_add_triangle( ds_soup *soup, int32_t a, int32_t b, int32_t c )
{
	if ( soup->face_count == soup->face_capacity )
	{
		DS_TRY( grow_faces( soup, 1 ) );
	}
	int32_t *t = soup->triangles + 3 * soup->face_count++;
	t[0] = a;
	t[1] = b;
	t[2] = c;
	return DS_OK;
}

ds_status ds_soup_add_polygon( ds_soup *soup, const int32_t *corners, int64_t count )
{
	if ( count < 3 )
	{
		++soup->skipped;
		return DS_OK;
	}
	if ( count == 3 )
	{
		return ds_soup_add_triangle( soup, corners[0], corners[1], corners[2] );
	}
	if ( count > DS_MESH_MAX_CORNERS )
	{
		return ds_error( DS_ERROR_LIMIT, "%s: a polygon has %lld corners; at most %d are read", soup->name,
			(long long)count, DS_MESH_MAX_CORNERS );
	}
	if ( count > 64 )
	{
		DS_TRY( ds_soup_check_time( soup ) );
	}
	int32_t scratch[DS_MESH_MAX_CORNERS];
	DS_TRY( ds_soup_reserve( soup, 0, count - 2 ) );
	int32_t *out = soup->triangles + 3 * soup->face_count;
	ds_polygon_triangulate( soup->vertices, corners, (int32_t)count, scratch, out );
	for ( int64_t i = 0; i < 3 * ( count - 2 ); ++i )
	{
		out[i] = corners[out[i]];
	}
	soup->face_count += count - 2;
	return DS_OK;
}

int64_t ds_soup_remove_marked( ds_soup *soup, const uint8_t *marked )
{
	int64_t kept = 0, known = 0, before = soup->face_count;
	for ( int64_t f = 0; f < before; ++f )
	{
		if ( marked[f] )
		{
			continue;
		}
		memmove( soup->triangles + 3 * kept++, soup->triangles + 3 * f, 3 * sizeof( int32_t ) );
		if ( f < soup->turned_count )
		{
			soup->turned[known++] = soup->turned[f];
		}
	}
	soup->turned_count = known;
	soup->face_count = kept;
	return before - kept;
}

// Terrains, bodies and rays for tests of rays, and what a ray meets by brute force.

#ifndef DEEPSIM_TESTS_RAYS_KIT_H
#define DEEPSIM_TESTS_RAYS_KIT_H

#include "world_kit.h"

#include "rays/rays.h"

// Uniform in [-1, 1), by a counter.
static inline double kit_uniform( uint64_t *state )
{
	*state = *state * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return (double)( *state >> 11 ) / 4503599627370496.0 - 1;
}

static inline ds_vec3 kit_direction( uint64_t *state )
{
	for ( ;; )
	{
		ds_vec3 v = ds_v3( kit_uniform( state ), kit_uniform( state ), kit_uniform( state ) );
		double l = ds_length( v );
		if ( l > 0.1 && l <= 1 )
		{
			return ds_scale( 1 / l, v );
		}
	}
}

static inline ds_quat kit_attitude( uint64_t *state )
{
	return ds_quat_exp( ds_scale( 3 * kit_uniform( state ), kit_direction( state ) ) );
}

static inline ds_ray kit_ray( ds_vec3 origin, ds_vec3 direction, double range )
{
	ds_ray r = { origin, ds_scale( 1 / ds_length( direction ), direction ), range, -1 };
	return r;
}

// Hills: smooth ones with steep ones on top, the same for one place whatever the grid.
static inline double kit_hill( double x, double y )
{
	return 5 * sin( 0.05 * x ) * cos( 0.07 * y ) + 0.7 * sin( 0.9 * x + 0.3 * y ) * cos( 0.8 * y );
}

// A grid of hills of `rows` x `columns` samples centred on a place; `holes`: some samples are none.
static inline ds_terrain *kit_hills( int64_t rows, int64_t columns, double spacing, ds_vec3 place, bool holes )
{
	double *z = malloc( (size_t)( rows * columns ) * sizeof( *z ) );
	uint64_t state = 5;
	for ( int64_t i = 0; i < rows; ++i )
	{
		for ( int64_t j = 0; j < columns; ++j )
		{
			double h = kit_hill( (double)i * spacing, (double)j * spacing );
			z[i * columns + j] = holes && kit_uniform( &state ) > 0.8 ? NAN : place.z + h;
		}
	}
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.north = place.x - 0.5 * spacing * (double)( rows - 1 );
	def.east = place.y - 0.5 * spacing * (double)( columns - 1 );
	def.spacing_north = def.spacing_east = spacing;
	def.rows = rows;
	def.columns = columns;
	def.z = z;
	ds_terrain *terrain;
	OK( ds_terrain_grid( &def, NULL, &terrain ) );
	free( z );
	return terrain;
}

// Distance to a triangle by Cramer's rule in extended precision; < 0: missed. `edge` gets how far the ray passes inside of the edges,
// as a barycentric coordinate: negative outside.
static inline double kit_triangle( const ds_vec3 c[3], const ds_ray *ray, double *edge )
{
	long double u[3], v[3], s[3], d[3] = { ray->direction.x, ray->direction.y, ray->direction.z };
	const double o[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
	const double p[3][3] = { { c[0].x, c[0].y, c[0].z }, { c[1].x, c[1].y, c[1].z }, { c[2].x, c[2].y, c[2].z } };
	for ( int k = 0; k < 3; ++k )
	{
		u[k] = (long double)p[1][k] - p[0][k];
		v[k] = (long double)p[2][k] - p[0][k];
		s[k] = (long double)o[k] - p[0][k];
	}
#define KIT_DET( a, b, e )                                                                                             \
	( a[0] * ( b[1] * e[2] - b[2] * e[1] ) + a[1] * ( b[2] * e[0] - b[0] * e[2] ) +                                    \
		a[2] * ( b[0] * e[1] - b[1] * e[0] ) )
	// s = -t d + a u + b v
	long double whole = -KIT_DET( d, u, v );
	*edge = -1;
	if ( whole == 0 )
	{
		return -1;
	}
	long double t = KIT_DET( s, u, v ) / whole, a = -KIT_DET( d, s, v ) / whole, b = -KIT_DET( d, u, s ) / whole;
#undef KIT_DET
	long double least = a < b ? a : b;
	*edge = (double)( 1 - a - b < least ? 1 - a - b : least );
	return *edge >= 0 && t >= 0 && t <= ray->range ? (double)t : -1;
}

// All triangles of a terrain, with spheres around them.
typedef struct kit_soup
{
	int64_t count;
	ds_vec3 ( *corners )[3];
	int64_t *number;
	double *x, *y, *z, *radius2;
} kit_soup;

static inline kit_soup kit_soup_of( const ds_terrain *terrain )
{
	ds_terrain_properties p = ds_terrain_measure( terrain );
	int64_t count = p.rows ? 2 * ( p.rows - 1 ) * ( p.columns - 1 ) : p.triangles;
	size_t n = (size_t)count;
	kit_soup s = { 0, malloc( n * sizeof( *s.corners ) ), malloc( 8 * n ), malloc( 8 * n ), malloc( 8 * n ),
		malloc( 8 * n ), malloc( 8 * n ) };
	for ( int64_t i = 0; i < count; ++i )
	{
		ds_vec3 *c = s.corners[s.count];
		if ( ds_terrain_triangle( terrain, i, c ) )
		{
			ds_vec3 m = ds_scale( 1 / 3.0, ds_add( c[0], ds_add( c[1], c[2] ) ) );
			double r = 0;
			for ( int k = 0; k < 3; ++k )
			{
				r = fmax( r, ds_length( ds_sub( c[k], m ) ) );
			}
			s.x[s.count] = m.x;
			s.y[s.count] = m.y;
			s.z[s.count] = m.z;
			s.radius2[s.count] = 1.001 * r * r;
			s.number[s.count++] = i;
		}
	}
	return s;
}

static inline void kit_soup_free( kit_soup *s )
{
	free( s->corners );
	free( s->number );
	free( s->x );
	free( s->y );
	free( s->z );
	free( s->radius2 );
}

// The nearest of all triangles; < 0: none. `doubtful` is set when an edge is passed so near that the answer is anyone's.
static inline double kit_brute( const kit_soup *s, const ds_ray *ray, int64_t *number, bool *doubtful )
{
	double best = -1;
	const ds_vec3 o = ray->origin, d = ray->direction;
	*doubtful = false;
	*number = -1;
	for ( int64_t i = 0; i < s->count; ++i )
	{
		double x = s->x[i] - o.x, y = s->y[i] - o.y, z = s->z[i] - o.z, t = x * d.x + y * d.y + z * d.z;
		if ( x * x + y * y + z * z - t * t > s->radius2[i] + 1e-9 * t * t )
		{
			continue;
		}
		double edge, at = kit_triangle( s->corners[i], ray, &edge );
		*doubtful = *doubtful || fabs( edge ) < 1e-9;
		if ( at >= 0 && ( best < 0 || at < best ) )
		{
			best = at;
			*number = s->number[i];
		}
	}
	return best;
}

// Random rays about a terrain of some size around a place: from above, below, within and afar, at any angle.
static inline ds_ray kit_random_ray( uint64_t *state, ds_vec3 place, double size )
{
	double reach = kit_uniform( state ) > 0 ? 0.6 : 3;
	ds_vec3 aim = ds_v3( size * kit_uniform( state ), size * kit_uniform( state ), 6 * kit_uniform( state ) );
	ds_vec3 from = ds_scale( reach * size, ds_v3( kit_uniform( state ), kit_uniform( state ), kit_uniform( state ) ) );
	ds_vec3 origin = ds_add( place, from );
	double range = kit_uniform( state ) > -0.8 ? 1000 * size : size;
	return kit_ray( origin, ds_sub( ds_add( place, aim ), origin ), range );
}

static inline ds_ray_found kit_one( const ds_ray_scene *scene, ds_ray ray )
{
	ds_ray_found found;
	ds_ray_scene_cast( scene, &ray, 1, &found );
	return found;
}

static inline ds_ray_scene *kit_scene( const ds_terrain *terrain )
{
	ds_ray_scene *scene;
	OK( ds_ray_scene_create( NULL, terrain, NULL, 0, &scene ) );
	return scene;
}

#endif

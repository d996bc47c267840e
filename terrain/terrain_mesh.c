// Ground of triangles: making, binning, asking.

#include "terrain/terrain_internal.h"

#include <string.h>

// Entries of all bins together, for each triangle, at most: large triangles over small ones get wider bins.
#define ENTRIES_MOST 16

// Normals of triangles that stand upright have no slope; a projected area this small against the square of the longest edge is none.
#define UPRIGHT 1e-12

typedef struct box
{
	double south, west, north, east;
} box;

static box box_of( const ds_vec3 *vertices, const int32_t *triangle )
{
	box b = { INFINITY, INFINITY, -INFINITY, -INFINITY };
	for ( int k = 0; k < 3; ++k )
	{
		ds_vec3 p = vertices[triangle[k]];
		b.south = fmin( b.south, p.x );
		b.west = fmin( b.west, p.y );
		b.north = fmax( b.north, p.x );
		b.east = fmax( b.east, p.y );
	}
	return b;
}

// ---- bins ----------------------------------------------------------------------------------------------------------

static inline int64_t bin_at( double x, double start, double per_metre, int64_t count )
{
	double u = ( x - start ) * per_metre;
	u = u > 0 ? u : 0;
	return u < (double)( count - 1 ) ? (int64_t)u : count - 1;
}

// Bins that a box touches, first and last.
typedef struct range
{
	int64_t r0, r1, c0, c1;
} range;

static range bins_of( const ds_bins *bins, box b )
{
	range r = { bin_at( b.south, bins->south, bins->per_north, bins->rows ),
		bin_at( b.north, bins->south, bins->per_north, bins->rows ),
		bin_at( b.west, bins->west, bins->per_east, bins->columns ),
		bin_at( b.east, bins->west, bins->per_east, bins->columns ) };
	return r;
}

static void divide( ds_bins *bins, const ds_terrain_properties *p, int64_t wanted )
{
	double north = p->north - p->south, east = p->east - p->west;
	double rows = north > 0 ? ( east > 0 ? sqrt( (double)wanted * ( north / east ) ) : (double)wanted ) : 1;
	bins->rows = (int64_t)fmax( 1, fmin( rows, (double)wanted ) );
	bins->columns = east > 0 ? wanted / bins->rows : 1;
	bins->columns = bins->columns > 1 ? bins->columns : 1;
	bins->south = p->south;
	bins->west = p->west;
	bins->per_north = north > 0 ? (double)bins->rows / north : 0;
	bins->per_east = east > 0 ? (double)bins->columns / east : 0;
}

static int64_t count_entries( const ds_terrain *t )
{
	int64_t count = 0;
	for ( int64_t k = 0; k < t->view.triangle_count; ++k )
	{
		range r = bins_of( &t->bins, box_of( t->vertices, t->triangles + 3 * k ) );
		count += ( r.r1 - r.r0 + 1 ) * ( r.c1 - r.c0 + 1 );
	}
	return count;
}

// Lists each bin's triangles: counts, sums, then fills from the back.
static void fill_bins( ds_terrain *t )
{
	ds_bins *bins = &t->bins;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int64_t k = t->view.triangle_count - 1; k >= 0; --k )
		{
			range in = bins_of( bins, box_of( t->vertices, t->triangles + 3 * k ) );
			for ( int64_t r = in.r0; r <= in.r1; ++r )
			{
				for ( int64_t c = in.c0; c <= in.c1; ++c )
				{
					int64_t *start = &bins->starts[r * bins->columns + c];
					if ( pass == 0 )
					{
						*start += 1;
					}
					else
					{
						bins->triangles[--*start] = (int32_t)k;
					}
				}
			}
		}
		int64_t sum = 0, cells = bins->rows * bins->columns;
		for ( int64_t b = 0; pass == 0 && b <= cells; ++b )
		{
			sum += bins->starts[b];
			bins->starts[b] = sum; // the end of the list
		}
	}
}

// Floats that hold a double between them.
static float float_above( double z )
{
	float f = (float)z;
	return (double)f > z ? nextafterf( f, -INFINITY ) : f;
}

static float float_below( double z )
{
	float f = (float)z;
	return (double)f < z ? nextafterf( f, INFINITY ) : f;
}

static void fill_pyramid( ds_terrain *t )
{
	for ( int64_t b = 0; b < t->bins.rows * t->bins.columns; ++b )
	{
		ds_extremes e = ds_extremes_none();
		for ( int64_t k = t->bins.starts[b]; k < t->bins.starts[b + 1]; ++k )
		{
			const int32_t *triangle = t->triangles + 3 * (int64_t)t->bins.triangles[k];
			for ( int corner = 0; corner < 3; ++corner )
			{
				double z = t->vertices[triangle[corner]].z - t->view.base;
				ds_extremes_add( &e, float_above( z ), float_below( z ) );
			}
		}
		t->pyramid.blocks[0][b] = e;
	}
	ds_pyramid_build( &t->pyramid );
}

static ds_status build_bins( ds_terrain *t )
{
	ds_bins *bins = &t->bins;
	int64_t wanted = t->view.triangle_count;
	do
	{
		divide( bins, &t->properties, wanted );
		bins->entries = count_entries( t );
		wanted /= 4;
	}
	while ( bins->entries > ENTRIES_MOST * t->view.triangle_count && wanted > 0 );
	DS_TRY( DS_NEW( &t->allocator, bins->rows * bins->columns + 1, &bins->starts ) );
	DS_TRY( DS_NEW( &t->allocator, bins->entries, &bins->triangles ) );
	DS_TRY( ds_pyramid_create( &t->allocator, bins->rows, bins->columns, &t->pyramid ) );
	fill_bins( t );
	fill_pyramid( t );
	return DS_OK;
}

// ---- making --------------------------------------------------------------------------------------------------------

// Twice the projected area, positive where the triangle faces up (seen from above, north up, it runs counter-clockwise about -z).
static inline double facing_up( ds_vec3 a, ds_vec3 b, ds_vec3 c )
{
	return ( b.y - a.y ) * ( c.x - a.x ) - ( b.x - a.x ) * ( c.y - a.y );
}

static ds_status copy_mesh( ds_terrain *t, const ds_mesh *mesh, ds_pose pose )
{
	int64_t vertex_count, face_count;
	const ds_vec3 *vertices = ds_mesh_vertices( mesh, &vertex_count );
	const int32_t *triangles = ds_mesh_triangles( mesh, &face_count );
	t->view.vertex_count = vertex_count;
	t->view.triangle_count = face_count;
	DS_TRY( DS_NEW( &t->allocator, vertex_count, &t->vertices ) );
	DS_TRY( DS_NEW( &t->allocator, 3 * face_count, &t->triangles ) );
	t->view.vertices = t->vertices;
	t->view.triangles = t->triangles;
	for ( int64_t k = 0; k < vertex_count; ++k )
	{
		ds_vec3 p = ds_pose_point( pose, vertices[k] );
		t->vertices[k] = p;
		if ( !( fabs( p.x ) <= DS_TERRAIN_FARTHEST && fabs( p.y ) <= DS_TERRAIN_FARTHEST &&
				 fabs( p.z ) <= DS_TERRAIN_DEEPEST ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"ground of triangles must lie within %g m of the origin and %g m of depth, got a vertex at %g, %g, %g",
				DS_TERRAIN_FARTHEST, DS_TERRAIN_DEEPEST, p.x, p.y, p.z );
		}
	}
	memcpy( t->triangles, triangles, 3 * (size_t)face_count * sizeof( *triangles ) );
	for ( int64_t k = 0; k < face_count; ++k )
	{
		int32_t *corner = t->triangles + 3 * k;
		if ( facing_up( t->vertices[corner[0]], t->vertices[corner[1]], t->vertices[corner[2]] ) < 0 )
		{
			int32_t second = corner[1];
			corner[1] = corner[2];
			corner[2] = second;
		}
	}
	return DS_OK;
}

static void measure( ds_terrain *t )
{
	ds_terrain_properties p = { .bounded = true,
		.south = INFINITY,
		.west = INFINITY,
		.north = -INFINITY,
		.east = -INFINITY,
		.top = INFINITY,
		.bottom = -INFINITY,
		.triangles = t->view.triangle_count };
	for ( int64_t k = 0; k < 3 * t->view.triangle_count; ++k )
	{
		ds_vec3 v = t->vertices[t->triangles[k]];
		p.south = fmin( p.south, v.x );
		p.north = fmax( p.north, v.x );
		p.west = fmin( p.west, v.y );
		p.east = fmax( p.east, v.y );
		p.top = fmin( p.top, v.z );
		p.bottom = fmax( p.bottom, v.z );
	}
	t->properties = p;
	t->view.base = 0.5 * ( p.top + p.bottom );
}

ds_status ds_terrain_mesh( const ds_mesh *mesh, ds_pose pose, const ds_hooks *hooks, ds_terrain **terrain )
{
	if ( mesh == NULL || terrain == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ground of triangles needs a mesh and a place to put the terrain" );
	}
	*terrain = NULL;
	ds_quat q = pose.attitude;
	double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
	if ( !ds_finite( pose.position ) || !isfinite( square ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "ground of triangles needs a finite pose" );
	}
	if ( !( fabs( square - 1 ) < 1e-6 ) )
	{
		return ds_error( DS_ERROR_RANGE, "ground of triangles needs an attitude of length 1, got %g", sqrt( square ) );
	}
	pose.attitude = ds_quat_normalize( q );
	ds_terrain *t;
	DS_TRY( ds_terrain_new( hooks, DS_GROUND_MESH, &t ) );
	ds_status status = copy_mesh( t, mesh, pose );
	if ( status == DS_OK )
	{
		measure( t );
		status = build_bins( t );
	}
	if ( status != DS_OK )
	{
		ds_terrain_release( t );
		return status;
	}
	*terrain = t;
	return DS_OK;
}

// ---- asking --------------------------------------------------------------------------------------------------------

// Depth of a triangle at a place; NaN beside it. Edges belong to it, and triangles that share an edge find the very same number
// for it, with the sign turned: there is no crack between them.
static double z_on(
	ds_vec3 a, ds_vec3 b, ds_vec3 c, double north, double east, double *slope_north, double *slope_east )
{
	ds_vec3 p = ds_v3( north, east, 0 );
	a = ds_sub( a, p );
	b = ds_sub( b, p );
	c = ds_sub( c, p );
	double bc = b.y * c.x - b.x * c.y, ca = c.y * a.x - c.x * a.y, ab = a.y * b.x - a.x * b.y;
	if ( !( bc >= 0 && ca >= 0 && ab >= 0 ) )
	{
		return NAN;
	}
	ds_vec3 u = ds_sub( b, a ), v = ds_sub( c, a );
	double area = u.y * v.x - u.x * v.y;
	double longest = fmax( u.x * u.x + u.y * u.y + u.z * u.z, v.x * v.x + v.y * v.y + v.z * v.z );
	if ( !( area > UPRIGHT * longest ) )
	{
		return NAN;
	}
	*slope_north = ( u.y * v.z - u.z * v.y ) / area;
	*slope_east = ( u.z * v.x - u.x * v.z ) / area;
	double weight = bc + ca + ab;
	return a.z + ( ca / weight * u.z + ab / weight * v.z );
}

void ds_ground_mesh_at_many( const ds_terrain *t, int64_t count, const double *north, const double *east, double *z,
	double *slope_north, double *slope_east )
{
	const ds_terrain_properties *p = &t->properties;
	const ds_bins *bins = &t->bins;
	for ( int64_t k = 0; k < count; ++k )
	{
		double n = north[k], e = east[k];
		z[k] = NAN;
		slope_north[k] = slope_east[k] = 0;
		if ( !( n >= p->south && n <= p->north && e >= p->west && e <= p->east ) )
		{
			continue;
		}
		int64_t bin = bin_at( n, bins->south, bins->per_north, bins->rows ) * bins->columns +
					  bin_at( e, bins->west, bins->per_east, bins->columns );
		for ( int64_t m = bins->starts[bin]; m < bins->starts[bin + 1]; ++m )
		{
			const int32_t *corner = t->triangles + 3 * (int64_t)bins->triangles[m];
			double sn, se;
			double found =
				z_on( t->vertices[corner[0]], t->vertices[corner[1]], t->vertices[corner[2]], n, e, &sn, &se );
			// the uppermost; of equals the first
			if ( found < z[k] || ( found == found && z[k] != z[k] ) )
			{
				z[k] = found;
				slope_north[k] = sn;
				slope_east[k] = se;
			}
		}
	}
}

static bool apart( box b, const ds_rectangle *w )
{
	return w->south > b.north || w->north < b.south || w->west > b.east || w->east < b.west;
}

bool ds_ground_mesh_bounds( const ds_terrain *t, const ds_rectangle *where, double *top, double *bottom )
{
	const ds_terrain_properties *p = &t->properties;
	if ( apart( ( box ){ p->south, p->west, p->north, p->east }, where ) )
	{
		return false;
	}
	range r = bins_of( &t->bins, ( box ){ where->south, where->west, where->north, where->east } );
	ds_extremes e = ds_pyramid_bounds( &t->pyramid, r.r0, r.r1, r.c0, r.c1 );
	*top = fmax( p->top, t->view.base + (double)e.top );
	*bottom = fmin( p->bottom, t->view.base + (double)e.bottom );
	return e.top <= e.bottom;
}

bool ds_ground_mesh_triangle( const ds_terrain *t, int64_t index, ds_vec3 corners[3] )
{
	if ( index < 0 || index >= t->view.triangle_count )
	{
		return false;
	}
	for ( int k = 0; k < 3; ++k )
	{
		corners[k] = t->vertices[t->triangles[3 * index + k]];
	}
	return true;
}

// Bin by bin; a triangle of several is given in the first of them.
void ds_ground_mesh_visit( const ds_terrain *t, const ds_rectangle *where, ds_triangle_fn *visit, void *user )
{
	const ds_bins *bins = &t->bins;
	range in = bins_of( bins, ( box ){ where->south, where->west, where->north, where->east } );
	for ( int64_t r = in.r0; r <= in.r1; ++r )
	{
		for ( int64_t c = in.c0; c <= in.c1; ++c )
		{
			int64_t bin = r * bins->columns + c;
			for ( int64_t k = bins->starts[bin]; k < bins->starts[bin + 1]; ++k )
			{
				int64_t index = bins->triangles[k];
				box b = box_of( t->vertices, t->triangles + 3 * index );
				range own = bins_of( bins, b );
				bool first = r == ( own.r0 > in.r0 ? own.r0 : in.r0 ) && c == ( own.c0 > in.c0 ? own.c0 : in.c0 );
				ds_vec3 corners[3];
				if ( !first || apart( b, where ) )
				{
					continue;
				}
				ds_ground_mesh_triangle( t, index, corners );
				if ( !visit( user, index, corners ) )
				{
					return;
				}
			}
		}
	}
}

// Terrains: planes, lifetime, and queries that are the same for every kind.

#include "terrain/terrain.h"

#include "terrain/terrain_internal.h"

// Steepest plane [rad]: 80 degrees.
#define STEEPEST ( 80 * DS_PI / 180 )

static atomic_uint_fast64_t serials;

ds_status ds_terrain_new( const ds_hooks *hooks, int32_t kind, ds_terrain **terrain )
{
	ds_terrain *t;
	*terrain = NULL;
	DS_TRY( DS_NEW( hooks ? &hooks->allocator : NULL, 1, &t ) );
	if ( hooks )
	{
		t->allocator = hooks->allocator;
	}
	atomic_init( &t->references, 1 );
	t->serial = atomic_fetch_add( &serials, 1 ) + 1;
	t->view.kind = kind;
	const ds_ground_kernel *kernels[2];
	ds_ground_kernels( kernels );
	t->kernel = kernels[0];
	*terrain = t;
	return DS_OK;
}

ds_terrain *ds_terrain_retain( ds_terrain *terrain )
{
	if ( terrain )
	{
		atomic_fetch_add_explicit( &terrain->references, 1, memory_order_relaxed );
	}
	return terrain;
}

void ds_terrain_release( ds_terrain *terrain )
{
	if ( terrain == NULL || atomic_fetch_sub_explicit( &terrain->references, 1, memory_order_acq_rel ) != 1 )
	{
		return;
	}
	void *kept = atomic_load( &terrain->kept );
	if ( kept )
	{
		terrain->release_kept( kept );
	}
	ds_allocator allocator = terrain->allocator;
	const ds_bins *bins = &terrain->bins;
	DS_FREE( &allocator, terrain->z, terrain->view.rows * terrain->view.columns );
	DS_FREE( &allocator, terrain->vertices, terrain->view.vertex_count );
	DS_FREE( &allocator, terrain->triangles, 3 * terrain->view.triangle_count );
	DS_FREE( &allocator, bins->starts, bins->rows * bins->columns + 1 );
	DS_FREE( &allocator, bins->triangles, bins->entries );
	ds_pyramid_destroy( &allocator, &terrain->pyramid );
	DS_FREE( &allocator, terrain, 1 );
}

const ds_terrain_view *ds_terrain_see( const ds_terrain *terrain )
{
	return &terrain->view;
}

uint64_t ds_terrain_serial( const ds_terrain *terrain )
{
	return terrain->serial;
}

void *ds_terrain_kept( const ds_terrain *terrain )
{
	return atomic_load( &terrain->kept );
}

void ds_terrain_keep( const ds_terrain *terrain, void *built, void ( *release )( void *built ) )
{
	// the ground itself does not change: this is a cache beside it
	ds_terrain *t = (ds_terrain *)terrain;
	t->release_kept = release;
	atomic_store( &t->kept, built );
}

const ds_allocator *ds_terrain_allocator( const ds_terrain *terrain )
{
	return &terrain->allocator;
}

ds_terrain_properties ds_terrain_measure( const ds_terrain *terrain )
{
	return terrain ? terrain->properties : ( ds_terrain_properties ){ .bounded = false };
}

// Unit normal of z = slope_north north + slope_east east, out of the ground.
static ds_vec3 slope_normal( double slope_north, double slope_east )
{
	double s = 1 / sqrt( 1 + ( slope_north * slope_north + slope_east * slope_east ) );
	return ds_v3( s * slope_north, s * slope_east, -s );
}

// ---- planes --------------------------------------------------------------------------------------------------------

ds_status ds_terrain_plane( double depth, double slope, double towards, const ds_hooks *hooks, ds_terrain **terrain )
{
	if ( terrain == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a plane of ground needs a place to put the terrain, got NULL" );
	}
	*terrain = NULL;
	if ( !isfinite( depth ) || !isfinite( slope ) || !isfinite( towards ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE,
			"a plane of ground needs finite numbers, got depth %g m, slope %g rad, bearing %g rad", depth, slope,
			towards );
	}
	if ( fabs( depth ) > DS_TERRAIN_DEEPEST )
	{
		return ds_error( DS_ERROR_RANGE, "the depth of a plane of ground must lie within +-%g m, got %g",
			DS_TERRAIN_DEEPEST, depth );
	}
	if ( slope < 0 || slope > STEEPEST * ( 1 + 1e-12 ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"the slope of a plane of ground must lie in [0, %g] rad (80 degrees), got %g: turn `towards` for the other "
			"way",
			STEEPEST, slope );
	}
	DS_TRY( ds_terrain_new( hooks, DS_GROUND_PLANE, terrain ) );
	ds_terrain *t = *terrain;
	t->view.base = depth;
	t->view.slope_north = slope > 0 ? tan( slope ) * cos( towards ) : 0;
	t->view.slope_east = slope > 0 ? tan( slope ) * sin( towards ) : 0;
	t->normal = slope_normal( t->view.slope_north, t->view.slope_east );
	ds_terrain_properties *p = &t->properties;
	p->south = p->west = -INFINITY;
	p->north = p->east = INFINITY;
	p->top = slope > 0 ? -INFINITY : depth;
	p->bottom = slope > 0 ? INFINITY : depth;
	return DS_OK;
}

static double plane_z( const ds_terrain *t, double north, double east )
{
	return t->view.base + ( t->view.slope_north * north + t->view.slope_east * east );
}

static void plane_at_many( const ds_terrain *t, int64_t count, const double *north, const double *east, double *z,
	double *normal_x, double *normal_y, double *normal_z )
{
	for ( int64_t k = 0; k < count; ++k )
	{
		// infinite places have no ground: 0 * infinity is NaN
		z[k] = plane_z( t, north[k], east[k] ) + ( 0 * north[k] + 0 * east[k] );
		normal_x[k] = t->normal.x;
		normal_y[k] = t->normal.y;
		normal_z[k] = t->normal.z;
	}
}

static bool plane_bounds( const ds_terrain *t, const ds_rectangle *w, double *top, double *bottom )
{
	double sn = t->view.slope_north, se = t->view.slope_east;
	// a level direction adds nothing, however far
	double low = ( sn > 0     ? sn * w->south
					 : sn < 0 ? sn * w->north
							  : 0 ) +
				 ( se > 0     ? se * w->west
					 : se < 0 ? se * w->east
							  : 0 );
	double high = ( sn > 0     ? sn * w->north
					  : sn < 0 ? sn * w->south
							   : 0 ) +
				  ( se > 0     ? se * w->east
					  : se < 0 ? se * w->west
							   : 0 );
	*top = t->view.base + low;
	*bottom = t->view.base + high;
	return true;
}

static void plane_visit( const ds_terrain *t, const ds_rectangle *w, ds_triangle_fn *visit, void *user )
{
	ds_vec3 a = ds_v3( w->south, w->west, plane_z( t, w->south, w->west ) );
	ds_vec3 b = ds_v3( w->south, w->east, plane_z( t, w->south, w->east ) );
	ds_vec3 c = ds_v3( w->north, w->west, plane_z( t, w->north, w->west ) );
	ds_vec3 d = ds_v3( w->north, w->east, plane_z( t, w->north, w->east ) );
	const ds_vec3 first[3] = { a, b, c }, second[3] = { d, c, b };
	if ( ds_finite( a ) && ds_finite( d ) && visit( user, 0, first ) )
	{
		visit( user, 1, second );
	}
}

// ---- queries -------------------------------------------------------------------------------------------------------

void ds_terrain_at_many( const ds_terrain *terrain, int64_t count, const double *north, const double *east, double *z,
	double *normal_x, double *normal_y, double *normal_z )
{
	if ( terrain->view.kind == DS_GROUND_PLANE )
	{
		plane_at_many( terrain, count, north, east, z, normal_x, normal_y, normal_z );
		return;
	}
	for ( int64_t k = 0; k < count; k += DS_TERRAIN_BATCH )
	{
		int64_t n = count - k < DS_TERRAIN_BATCH ? count - k : DS_TERRAIN_BATCH;
		if ( terrain->view.kind == DS_GROUND_GRID )
		{
			ds_grid_at_many( terrain, n, north + k, east + k, z + k, normal_x + k, normal_y + k );
		}
		else
		{
			ds_ground_mesh_at_many( terrain, n, north + k, east + k, z + k, normal_x + k, normal_y + k );
		}
		terrain->kernel->normals( n, z + k, normal_x + k, normal_y + k, normal_z + k );
	}
}

bool ds_terrain_at( const ds_terrain *terrain, double north, double east, ds_terrain_point *point )
{
	if ( terrain == NULL )
	{
		*point = ( ds_terrain_point ){ NAN, { 0, 0, -1 } };
		return false;
	}
	ds_terrain_at_many( terrain, 1, &north, &east, &point->z, &point->normal.x, &point->normal.y, &point->normal.z );
	return point->z == point->z;
}

bool ds_terrain_bounds( const ds_terrain *terrain, const ds_rectangle *where, double *top, double *bottom )
{
	if ( !( where->south <= where->north && where->west <= where->east ) )
	{
		return false;
	}
	switch ( terrain->view.kind )
	{
		case DS_GROUND_PLANE:
			return plane_bounds( terrain, where, top, bottom );
		case DS_GROUND_GRID:
			return ds_grid_bounds( terrain, where, top, bottom );
		default:
			return ds_ground_mesh_bounds( terrain, where, top, bottom );
	}
}

void ds_terrain_visit( const ds_terrain *terrain, const ds_rectangle *where, ds_triangle_fn *visit, void *user )
{
	if ( !( where->south <= where->north && where->west <= where->east ) )
	{
		return;
	}
	switch ( terrain->view.kind )
	{
		case DS_GROUND_PLANE:
			plane_visit( terrain, where, visit, user );
			break;
		case DS_GROUND_GRID:
			ds_grid_visit( terrain, where, visit, user );
			break;
		default:
			ds_ground_mesh_visit( terrain, where, visit, user );
	}
}

bool ds_terrain_triangle( const ds_terrain *terrain, int64_t index, ds_vec3 corners[3] )
{
	switch ( terrain->view.kind )
	{
		case DS_GROUND_GRID:
			return ds_grid_triangle( terrain, index, corners );
		case DS_GROUND_MESH:
			return ds_ground_mesh_triangle( terrain, index, corners );
		default:
			return false;
	}
}

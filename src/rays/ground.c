// Terrains as rays meet them: a grid in blocks, or a mesh, kept with the terrain.

#include "rays/ground.h"

#include "base/base.h"
#include "deepsim/math.h"

#include <pthread.h>

// Rays that touch at most so many blocks go without the tree.
#define SHORT 16

// Of f, against the size of the ground: some rounding of the coordinates.
#define TOLERANCE 2e-15

// Least and greatest z of a block about the base; least > greatest: nothing but holes.
typedef struct extremes
{
	float top, bottom;
} extremes;

struct ds_ray_ground
{
	ds_allocator allocator;
	const ds_tree_module *module;
	// grid
	ds_ray_frame frame;
	int64_t rows, columns; // samples
	const float *z;
	int64_t block_rows, block_columns;
	extremes *blocks;
	double margin; // of boxes [m]
	ds_ray_grid all;
	bool countable; // `all` can be used
	ds_tree *tree;
	// mesh
	bool is_mesh;
	ds_ray_set set;
};

const ds_ray_kernel *ds_ray_kernel_best( void )
{
#if defined( __x86_64__ )
	if ( __builtin_cpu_supports( "avx512f" ) )
	{
		return &ds_ray_kernel_avx512;
	}
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		return &ds_ray_kernel_avx2;
	}
#endif
	return &ds_ray_kernel_scalar;
}

// ---- grids ---------------------------------------------------------------------------------------------------------

static int64_t least( int64_t a, int64_t b )
{
	return a < b ? a : b;
}

// Cells of a block: first row and column, and how many of each.
typedef struct part
{
	int64_t row, column, rows, columns;
} part;

static part part_of( const ds_ray_ground *g, int64_t number )
{
	int64_t i = number / g->block_columns, j = number - i * g->block_columns;
	part p = { i * DS_RAY_BLOCK, j * DS_RAY_BLOCK, 0, 0 };
	p.rows = least( DS_RAY_BLOCK, g->rows - 1 - p.row );
	p.columns = least( DS_RAY_BLOCK, g->columns - 1 - p.column );
	return p;
}

static ds_ray_block block_of( const ds_ray_ground *g, int64_t number )
{
	const part p = part_of( g, number );
	ds_ray_block b;
	b.row = (double)p.row;
	b.row_end = (double)( p.row + p.rows );
	b.column = (double)p.column;
	b.column_end = (double)( p.column + p.columns );
	b.top = g->blocks[number].top - g->margin;
	b.bottom = g->blocks[number].bottom + g->margin;
	b.stride = (double)g->columns;
	b.z = g->z + p.row * g->columns + p.column;
	b.z_next = b.z + g->columns;
	return b;
}

// Columns side by side, so that the compiler makes vectors of them; NaN changes nothing.
static extremes extremes_of( const ds_ray_ground *g, const part *p )
{
	float top[DS_RAY_BLOCK + 1], bottom[DS_RAY_BLOCK + 1];
	for ( int64_t j = 0; j <= DS_RAY_BLOCK; ++j )
	{
		top[j] = INFINITY;
		bottom[j] = -INFINITY;
	}
	for ( int64_t i = 0; i <= p->rows; ++i )
	{
		const float *z = g->z + ( p->row + i ) * g->columns + p->column;
		for ( int64_t j = 0; j <= p->columns; ++j )
		{
			top[j] = z[j] < top[j] ? z[j] : top[j];
			bottom[j] = z[j] > bottom[j] ? z[j] : bottom[j];
		}
	}
	extremes e = { top[0], bottom[0] };
	for ( int64_t j = 1; j <= DS_RAY_BLOCK; ++j )
	{
		e.top = top[j] < e.top ? top[j] : e.top;
		e.bottom = bottom[j] > e.bottom ? bottom[j] : e.bottom;
	}
	return e;
}

static void block_box( void *user, uint32_t item, float lower[3], float upper[3] )
{
	const ds_ray_ground *g = user;
	const ds_ray_frame *f = &g->frame;
	const extremes *e = g->blocks + item;
	if ( !( e->top <= e->bottom ) )
	{
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = upper[k] = NAN;
		}
		return;
	}
	ds_ray_block b = block_of( g, item );
	lower[0] = (float)( ( b.row - f->center[0] ) * f->spacing_north - g->margin );
	upper[0] = (float)( ( b.row_end - f->center[0] ) * f->spacing_north + g->margin );
	lower[1] = (float)( ( b.column - f->center[1] ) * f->spacing_east - g->margin );
	upper[1] = (float)( ( b.column_end - f->center[1] ) * f->spacing_east + g->margin );
	lower[2] = (float)( b.top - f->center[2] - g->margin );
	upper[2] = (float)( b.bottom - f->center[2] + g->margin );
}

// The frame of a grid whose z about the base lie in [top, bottom].
static void place( ds_ray_ground *g, const ds_terrain_view *view, double top, double bottom )
{
	ds_ray_frame *f = &g->frame;
	f->north = view->north;
	f->east = view->east;
	f->base = view->base;
	f->spacing_north = view->spacing_north;
	f->spacing_east = view->spacing_east;
	f->per_north = 1 / view->spacing_north;
	f->per_east = 1 / view->spacing_east;
	double u = (double)( view->rows - 1 ), v = (double)( view->columns - 1 );
	double north = u * f->spacing_north, east = v * f->spacing_east, height = bottom - top;
	double size = sqrt( north * north + east * east + height * height );
	f->last[0] = u;
	f->last[1] = v;
	g->margin = DS_RAY_MARGIN * size;
	f->tolerance = TOLERANCE * ( size + fabs( top ) + fabs( bottom ) );
	const double low[3] = { 0, 0, top }, high[3] = { u, v, bottom };
	const double margin[3] = { g->margin * f->per_north, g->margin * f->per_east, g->margin };
	for ( int k = 0; k < 3; ++k )
	{
		f->low[k] = low[k] - margin[k];
		f->high[k] = high[k] + margin[k];
		f->center[k] = 0.5 * ( low[k] + high[k] );
	}
}

static void see_all( ds_ray_ground *g )
{
	g->all.all = ( ds_ray_block ){ .row_end = (double)( g->rows - 1 ),
		.column_end = (double)( g->columns - 1 ),
		.stride = (double)g->columns,
		.z = g->z,
		.z_next = g->z + g->columns };
	g->all.block_rows = (double)g->block_rows;
	g->all.block_columns = (double)g->block_columns;
	g->all.extremes = &g->blocks->top;
	g->all.margin = g->margin;
	g->countable = g->rows <= INT32_MAX / g->columns;
}

static ds_status build_grid( ds_ray_ground *g, const ds_terrain_view *view )
{
	g->rows = view->rows;
	g->columns = view->columns;
	g->z = view->z;
	g->block_rows = ( g->rows - 1 + DS_RAY_BLOCK - 1 ) / DS_RAY_BLOCK;
	g->block_columns = ( g->columns - 1 + DS_RAY_BLOCK - 1 ) / DS_RAY_BLOCK;
	int64_t count = g->block_rows * g->block_columns;
	if ( count >= UINT32_MAX )
	{
		return ds_error( DS_ERROR_LIMIT, "rays: a grid of %lld x %lld samples is too large", (long long)g->rows,
			(long long)g->columns );
	}
	DS_TRY( DS_NEW( &g->allocator, count, &g->blocks ) );
	double top = INFINITY, bottom = -INFINITY;
	for ( int64_t k = 0; k < count; ++k )
	{
		part p = part_of( g, k );
		g->blocks[k] = extremes_of( g, &p );
		top = fmin( top, (double)g->blocks[k].top );
		bottom = fmax( bottom, (double)g->blocks[k].bottom );
	}
	place( g, view, top, bottom );
	see_all( g );
	ds_tree_def def = { .count = (uint32_t)count, .box = block_box, .user = g };
	return g->module->create( &def, &g->tree );
}

typedef struct visit
{
	const ds_ray_ground *ground;
	const ds_ray_kernel *kernel;
	ds_ray_tracks *rays;
	bool any;
} visit;

static void visit_block( void *user, ds_tree_packet *packet, uint32_t item, uint32_t lanes )
{
	const visit *v = user;
	ds_ray_block block = block_of( v->ground, item );
	v->kernel->walk( &block, v->rays, lanes );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		bool ended = v->any && v->rays->triangle[k] >= 0;
		packet->far[k] = ended ? -1 : ds_ray_beyond( v->rays->far[k] );
	}
}

static void cast_grid( const ds_ray_ground *g, const ds_ray_kernel *kernel, ds_ray_packet *packet )
{
	ds_ray_tracks rays;
	ds_tree_packet single;
	kernel->prepare( &g->frame, packet, &rays, &single );
	uint32_t lanes = single.lanes;
	if ( lanes )
	{
		if ( g->countable )
		{
			single.lanes &= ~kernel->walk_short( &g->all, &rays, lanes, SHORT );
		}
		if ( single.lanes )
		{
			visit v = { g, kernel, &rays, packet->any };
			g->module->cast( g->tree, &single, visit_block, &v );
		}
		kernel->finish( &g->frame, &rays, lanes, packet );
	}
}

// ---- meshes --------------------------------------------------------------------------------------------------------

static void cast_mesh( const ds_ray_ground *g, ds_ray_packet *packet )
{
	ds_ray_packet met;
	ds_ray_set_cast( &g->set, packet, &met );
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		double t = met.shift[k] + met.far[k];
		if ( ( met.lanes >> k & 1 ) && met.item[k] >= 0 && t <= packet->far[k] )
		{
			packet->far[k] = t;
			packet->item[k] = met.item[k];
			packet->body[k] = -1;
			for ( int x = 0; x < 3; ++x )
			{
				packet->normal[x][k] = met.normal[x][k];
			}
		}
	}
}

// ---- lifetime ------------------------------------------------------------------------------------------------------

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // one terrain is built at a time, once

static void release( void *built )
{
	ds_ray_ground *g = built;
	ds_allocator allocator = g->allocator;
	ds_ray_set_free( &g->set );
	if ( g->tree )
	{
		g->module->destroy( g->tree );
	}
	DS_FREE( &allocator, g->blocks, g->block_rows * g->block_columns );
	DS_FREE( &allocator, g, 1 );
}

static ds_status build( const ds_terrain *terrain, ds_ray_ground **ground )
{
	const ds_terrain_view *view = ds_terrain_see( terrain );
	const ds_allocator *allocator = ds_terrain_allocator( terrain );
	const ds_tree_module *module;
	DS_TRY( ds_ray_module( NULL, &module ) );
	ds_ray_ground *g;
	DS_TRY( DS_NEW( allocator, 1, &g ) );
	g->allocator = *allocator;
	g->module = module;
	ds_status status;
	if ( view->kind == DS_GROUND_MESH )
	{
		g->is_mesh = true;
		g->set.vertices = view->vertices;
		g->set.triangles = view->triangles;
		g->set.triangle_count = view->triangle_count;
		status = ds_ray_set_build( &g->set );
	}
	else
	{
		status = build_grid( g, view );
	}
	if ( status != DS_OK )
	{
		release( g );
		return status;
	}
	*ground = g;
	return DS_OK;
}

ds_status ds_ray_ground_of( const ds_terrain *terrain, const ds_ray_ground **ground )
{
	*ground = NULL;
	if ( ds_terrain_see( terrain )->kind == DS_GROUND_PLANE )
	{
		return DS_OK;
	}
	pthread_mutex_lock( &lock );
	ds_ray_ground *g = ds_terrain_kept( terrain );
	ds_status status = DS_OK;
	if ( g == NULL )
	{
		status = build( terrain, &g );
		if ( status == DS_OK )
		{
			ds_terrain_keep( terrain, g, release );
		}
	}
	pthread_mutex_unlock( &lock );
	*ground = g;
	return status;
}

void ds_ray_ground_cast( const ds_ray_ground *ground, const ds_ray_kernel *kernel, ds_ray_packet *packet )
{
	if ( ground->is_mesh )
	{
		cast_mesh( ground, packet );
	}
	else
	{
		cast_grid( ground, kernel ? kernel : ds_ray_kernel_best(), packet );
	}
}

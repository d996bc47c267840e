// Grids of heights: making and asking.

#include "terrain/terrain_internal.h"

// Cells along a side of the pyramid's lowest blocks.
#define BLOCK 8

// A place this near to an edge of a cell [cells] is on it, where that finds ground beside a hole: positions are rounded.
#define EDGE 1e-9

ds_terrain_grid_def ds_terrain_grid_default( void )
{
	ds_terrain_grid_def def = { .struct_size = sizeof( def ), .spacing_north = 1, .spacing_east = 1 };
	return def;
}

// ---- making --------------------------------------------------------------------------------------------------------

static ds_status check_frame( const ds_grid_frame *f )
{
	if ( f->rows < 2 || f->columns < 2 )
	{
		return ds_error( DS_ERROR_RANGE, "a grid of ground needs 2 or more rows and columns, got %lld x %lld",
			(long long)f->rows, (long long)f->columns );
	}
	if ( f->rows > DS_TERRAIN_MAX_SAMPLES / f->columns )
	{
		return ds_error( DS_ERROR_LIMIT,
			"a grid of ground holds at most %lld samples, got %lld x %lld: take a part of it, or a coarser one",
			(long long)DS_TERRAIN_MAX_SAMPLES, (long long)f->rows, (long long)f->columns );
	}
	if ( !isfinite( f->north ) || !isfinite( f->east ) || !isfinite( f->spacing_north ) ||
		 !isfinite( f->spacing_east ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE,
			"a grid of ground needs a finite corner and spacing, got corner %g, %g m and spacing %g, %g m", f->north,
			f->east, f->spacing_north, f->spacing_east );
	}
	if ( !( f->spacing_north > 0 && f->spacing_east > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "the spacing of a grid of ground must be greater than 0, got %g, %g m",
			f->spacing_north, f->spacing_east );
	}
	double last_north = f->north + (double)( f->rows - 1 ) * f->spacing_north;
	double last_east = f->east + (double)( f->columns - 1 ) * f->spacing_east;
	if ( fmax( fabs( f->north ), fabs( last_north ) ) > DS_TERRAIN_FARTHEST ||
		 fmax( fabs( f->east ), fabs( last_east ) ) > DS_TERRAIN_FARTHEST )
	{
		return ds_error( DS_ERROR_RANGE,
			"a grid of ground must lie within %g m of the origin, got north %g to %g m, east %g to %g m",
			DS_TERRAIN_FARTHEST, f->north, last_north, f->east, last_east );
	}
	// below that, neighbouring samples fall together in double precision
	double least =
		1e-12 * fmax( fmax( fabs( f->north ), fabs( last_north ) ), fmax( fabs( f->east ), fabs( last_east ) ) );
	if ( !( f->spacing_north > least && f->spacing_east > least ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"the spacing of a grid of ground is too small for where it lies: %g, %g m, %g m from the origin",
			f->spacing_north, f->spacing_east, 1e12 * least );
	}
	return DS_OK;
}

ds_status ds_terrain_grid_new( const ds_hooks *hooks, const ds_grid_frame *frame, double base, ds_terrain **terrain )
{
	*terrain = NULL;
	DS_TRY( check_frame( frame ) );
	ds_terrain *t;
	DS_TRY( ds_terrain_new( hooks, DS_GROUND_GRID, &t ) );
	ds_terrain_view *v = &t->view;
	v->base = base;
	v->north = frame->north;
	v->east = frame->east;
	v->spacing_north = frame->spacing_north;
	v->spacing_east = frame->spacing_east;
	v->rows = frame->rows;
	v->columns = frame->columns;
	ds_status status = DS_NEW( &t->allocator, v->rows * v->columns, &t->z );
	if ( status == DS_OK )
	{
		status = ds_pyramid_create(
			&t->allocator, ( v->rows - 1 + BLOCK - 1 ) / BLOCK, ( v->columns - 1 + BLOCK - 1 ) / BLOCK, &t->pyramid );
	}
	if ( status != DS_OK )
	{
		ds_terrain_release( t );
		return status;
	}
	v->z = t->z;
	t->lattice = ( ds_lattice ){ .north = v->north,
		.east = v->east,
		.last_north = v->north + (double)( v->rows - 1 ) * v->spacing_north,
		.last_east = v->east + (double)( v->columns - 1 ) * v->spacing_east,
		.per_north = 1 / v->spacing_north,
		.per_east = 1 / v->spacing_east,
		.base = base,
		.last_i = (int32_t)( v->rows - 2 ),
		.last_j = (int32_t)( v->columns - 2 ),
		.columns = v->columns,
		.z = t->z };
	*terrain = t;
	return DS_OK;
}

// Extremes of the samples at the corners of a block's cells.
static ds_extremes block_extremes( const ds_terrain *t, int64_t row, int64_t column )
{
	const int64_t columns = t->view.columns;
	int64_t r1 = row + BLOCK < t->view.rows ? row + BLOCK : t->view.rows - 1;
	int64_t width = column + BLOCK < columns ? BLOCK + 1 : columns - column;
	ds_extremes lanes[BLOCK + 1];
	for ( int64_t c = 0; c <= BLOCK; ++c )
	{
		lanes[c] = ds_extremes_none();
	}
	for ( int64_t r = row; r <= r1; ++r )
	{
		const float *z = t->z + r * columns + column;
		for ( int64_t c = 0; c < width; ++c )
		{
			ds_extremes_add( &lanes[c], z[c], z[c] );
		}
	}
	for ( int64_t c = 1; c <= BLOCK; ++c )
	{
		ds_extremes_add( &lanes[0], lanes[c].top, lanes[c].bottom );
	}
	return lanes[0];
}

// Triangles whose three corners are ground.
static int64_t count_triangles( const ds_terrain *t )
{
	const int64_t columns = t->view.columns;
	int64_t count = 0;
	for ( int64_t i = 0; i + 1 < t->view.rows; ++i )
	{
		const float *a = t->z + i * columns, *b = a + columns;
		for ( int64_t j = 0; j + 1 < columns; ++j )
		{
			int diagonal = a[j + 1] == a[j + 1] && b[j] == b[j];
			count += diagonal & ( a[j] == a[j] );
			count += diagonal & ( b[j + 1] == b[j + 1] );
		}
	}
	return count;
}

ds_status ds_terrain_grid_finish( ds_terrain *t )
{
	const ds_terrain_view *v = &t->view;
	ds_pyramid *pyramid = &t->pyramid;
	for ( int64_t r = 0; r < pyramid->rows[0]; ++r )
	{
		for ( int64_t c = 0; c < pyramid->columns[0]; ++c )
		{
			pyramid->blocks[0][r * pyramid->columns[0] + c] = block_extremes( t, BLOCK * r, BLOCK * c );
		}
	}
	ds_pyramid_build( pyramid );
	int64_t triangles = count_triangles( t );
	t->holes = triangles < 2 * ( v->rows - 1 ) * ( v->columns - 1 );
	if ( triangles == 0 )
	{
		return ds_error( DS_ERROR_NOT_FINITE,
			"a grid of %lld x %lld samples has no ground at all: no three neighbouring samples are numbers",
			(long long)v->rows, (long long)v->columns );
	}
	const ds_extremes *all = pyramid->blocks[pyramid->levels - 1];
	t->properties = ( ds_terrain_properties ){ .bounded = true,
		.south = v->north,
		.west = v->east,
		.north = t->lattice.last_north,
		.east = t->lattice.last_east,
		.top = v->base + (double)all->top,
		.bottom = v->base + (double)all->bottom,
		.rows = v->rows,
		.columns = v->columns,
		.triangles = triangles,
		.spacing_north = v->spacing_north,
		.spacing_east = v->spacing_east };
	return DS_OK;
}

// Sums and checks depths: the mean of those that are there.
typedef struct sums
{
	double sum, count, top, bottom;
} sums;

#define LANES 8

static sums sum_row( const double *z, int64_t count )
{
	// lanes side by side, for wide registers of any size to give the same bits
	sums lanes[LANES];
	double sum[LANES] = { 0 }, present[LANES] = { 0 }, top[LANES], bottom[LANES];
	for ( int k = 0; k < LANES; ++k )
	{
		top[k] = INFINITY;
		bottom[k] = -INFINITY;
	}
	for ( int64_t j = 0; j + LANES <= count; j += LANES )
	{
		for ( int k = 0; k < LANES; ++k )
		{
			double x = z[j + k];
			sum[k] += x == x ? x : 0;
			present[k] += x == x ? 1 : 0;
			top[k] = x < top[k] ? x : top[k];
			bottom[k] = x > bottom[k] ? x : bottom[k];
		}
	}
	for ( int k = 0; k < LANES; ++k )
	{
		lanes[k] = ( sums ){ sum[k], present[k], top[k], bottom[k] };
	}
	for ( int64_t j = count - count % LANES; j < count; ++j )
	{
		double x = z[j];
		lanes[0].sum += x == x ? x : 0;
		lanes[0].count += x == x ? 1 : 0;
		lanes[0].top = x < lanes[0].top ? x : lanes[0].top;
		lanes[0].bottom = x > lanes[0].bottom ? x : lanes[0].bottom;
	}
	for ( int k = 1; k < LANES; ++k )
	{
		lanes[0].sum += lanes[k].sum;
		lanes[0].count += lanes[k].count;
		lanes[0].top = fmin( lanes[0].top, lanes[k].top );
		lanes[0].bottom = fmax( lanes[0].bottom, lanes[k].bottom );
	}
	return lanes[0];
}

static ds_status bad_sample( const ds_terrain_grid_def *def )
{
	int64_t at = 0;
	while ( !( fabs( def->z[at] ) > DS_TERRAIN_DEEPEST ) )
	{
		at += 1;
	}
	ds_status status = isinf( def->z[at] ) ? DS_ERROR_NOT_FINITE : DS_ERROR_RANGE;
	return ds_error( status,
		"a grid of ground: the sample of row %lld, column %lld is %g m; depths must lie within +-%g m (NaN: no ground)",
		(long long)( at / def->columns ), (long long)( at % def->columns ), def->z[at], DS_TERRAIN_DEEPEST );
}

// The mean depth, to the metre, so that round numbers stay what they are.
static ds_status find_base( const ds_terrain_grid_def *def, double *base )
{
	sums all = { 0, 0, INFINITY, -INFINITY };
	for ( int64_t i = 0; i < def->rows; ++i )
	{
		sums row = sum_row( def->z + i * def->columns, def->columns );
		all.sum += row.sum;
		all.count += row.count;
		all.top = fmin( all.top, row.top );
		all.bottom = fmax( all.bottom, row.bottom );
	}
	if ( all.count == 0 )
	{
		return ds_error( DS_ERROR_NOT_FINITE,
			"a grid of %lld x %lld samples has no ground at all: every one of them is NaN", (long long)def->rows,
			(long long)def->columns );
	}
	if ( !( all.top >= -DS_TERRAIN_DEEPEST && all.bottom <= DS_TERRAIN_DEEPEST ) )
	{
		return bad_sample( def );
	}
	*base = rint( all.sum / all.count );
	return DS_OK;
}

ds_status ds_terrain_grid( const ds_terrain_grid_def *def, const ds_hooks *hooks, ds_terrain **terrain )
{
	if ( def == NULL || terrain == NULL || def->struct_size != sizeof( *def ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a grid of ground must come from ds_terrain_grid_default()" );
	}
	*terrain = NULL;
	if ( def->z == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a grid of ground needs its depths: z is NULL" );
	}
	const ds_grid_frame frame = { def->north, def->east, def->spacing_north, def->spacing_east, def->rows,
		def->columns };
	double base = 0;
	DS_TRY( check_frame( &frame ) );
	DS_TRY( find_base( def, &base ) );
	ds_terrain *t;
	DS_TRY( ds_terrain_grid_new( hooks, &frame, base, &t ) );
	for ( int64_t k = 0; k < def->rows * def->columns; ++k )
	{
		t->z[k] = (float)( def->z[k] - base );
	}
	ds_status status = ds_terrain_grid_finish( t );
	if ( status != DS_OK )
	{
		ds_terrain_release( t );
		return status;
	}
	*terrain = t;
	return DS_OK;
}

// ---- the surface at a place ----------------------------------------------------------------------------------------

// Where a place lies: its cell, and how far into it, each way in [0, 1] and scaled to the cell.
typedef struct place
{
	int32_t i, j;
	double u, v;
} place;

static inline double within( double x, double last )
{
	x = x > 0 ? x : 0; // NaN too
	return x < last ? x : last;
}

// The nearest place of the grid.
static inline place find( const ds_lattice *g, double north, double east )
{
	double u = within( ( north - g->north ) * g->per_north, g->last_i + 1.0 );
	double v = within( ( east - g->east ) * g->per_east, g->last_j + 1.0 );
	int32_t i = (int32_t)( u < g->last_i ? u : g->last_i ), j = (int32_t)( v < g->last_j ? v : g->last_j );
	place p = { i, j, u - i, v - j };
	return p;
}

static inline bool inside( const ds_lattice *g, double north, double east )
{
	return ( north >= g->north ) & ( north <= g->last_north ) & ( east >= g->east ) & ( east <= g->last_east );
}

// One of a cell's two triangles: depth about the base of the corner (0, 1), which both have, and rise a cell each way. NaN: a hole.
typedef struct rises
{
	double corner, north, east;
} rises;

// The corners are found by number and not by a branch: which triangle it is nobody can predict.
static inline rises rises_of( const ds_lattice *g, int64_t first, bool second )
{
	const int64_t k = second;
	const float *near_row = g->z + first, *far_row = near_row + g->columns, *row = near_row + k * g->columns;
	rises r = { (double)near_row[1], (double)far_row[k] - (double)near_row[k], (double)row[1] - (double)row[0] };
	return r;
}

// A place in a hole that lies on the edge of other triangles, too: the first of them that is ground, in the order of numbers.
static double on_edge( const ds_lattice *g, place p, double *slope_north, double *slope_east )
{
	int32_t i0 = p.u < EDGE && p.i > 0 ? p.i - 1 : p.i, i1 = p.u > 1 - EDGE && p.i < g->last_i ? p.i + 1 : p.i;
	int32_t j0 = p.v < EDGE && p.j > 0 ? p.j - 1 : p.j, j1 = p.v > 1 - EDGE && p.j < g->last_j ? p.j + 1 : p.j;
	for ( int32_t i = i0; i <= i1; ++i )
	{
		for ( int32_t j = j0; j <= j1; ++j )
		{
			place q = { i, j, within( p.u + ( p.i - i ), 1 ), within( p.v + ( p.j - j ), 1 ) };
			for ( int second = q.u + q.v > 1 + EDGE; second <= ( q.u + q.v >= 1 - EDGE ); ++second )
			{
				rises r = rises_of( g, i * g->columns + j, second );
				double z = g->base + ( r.corner + ( q.u * r.north + ( q.v - 1 ) * r.east ) );
				if ( z == z )
				{
					*slope_north = r.north * g->per_north;
					*slope_east = r.east * g->per_east;
					return z;
				}
			}
		}
	}
	return NAN;
}

void ds_grid_at_many( const ds_terrain *t, int64_t count, const double *north, const double *east, double *z,
	double *slope_north, double *slope_east )
{
	const ds_lattice g = t->lattice; // a copy: what is written cannot change it
	// three loops, of which the first and the last run in wide registers
	double u[DS_TERRAIN_BATCH], v[DS_TERRAIN_BATCH];
	int32_t cell[DS_TERRAIN_BATCH];
	for ( int64_t k = 0; k < count; ++k )
	{
		place p = find( &g, north[k], east[k] );
		u[k] = p.u;
		v[k] = p.v;
		cell[k] = (int32_t)( p.i * (double)g.columns + p.j ); // exact, and faster than whole numbers
	}
	for ( int64_t k = 0; k < count; ++k )
	{
		rises r = rises_of( &g, cell[k], u[k] + v[k] > 1 );
		z[k] = r.corner;
		slope_north[k] = r.north;
		slope_east[k] = r.east;
	}
	for ( int64_t k = 0; k < count; ++k )
	{
		double height = z[k] + ( u[k] * slope_north[k] + ( v[k] - 1 ) * slope_east[k] );
		z[k] = inside( &g, north[k], east[k] ) ? g.base + height : NAN;
		slope_north[k] *= g.per_north;
		slope_east[k] *= g.per_east;
	}
	for ( int64_t k = 0; t->holes && k < count; ++k )
	{
		if ( z[k] != z[k] && inside( &g, north[k], east[k] ) )
		{
			z[k] = on_edge( &g, find( &g, north[k], east[k] ), &slope_north[k], &slope_east[k] );
		}
	}
}

// ---- rectangles and triangles --------------------------------------------------------------------------------------

// Cells that touch a rectangle, first and last.
typedef struct cells
{
	int64_t i0, i1, j0, j1;
} cells;

static bool cells_in( const ds_terrain *t, const ds_rectangle *w, cells *found )
{
	const ds_lattice *g = &t->lattice;
	if ( w->south > g->last_north || w->north < g->north || w->west > g->last_east || w->east < g->east )
	{
		return false;
	}
	place first = find( g, w->south, w->west ), last = find( g, w->north, w->east );
	// on the edge of a cell, the one before touches as well
	*found = ( cells ){ first.u == 0 && first.i > 0 ? first.i - 1 : first.i, last.i,
		first.v == 0 && first.j > 0 ? first.j - 1 : first.j, last.j };
	return true;
}

bool ds_grid_bounds( const ds_terrain *t, const ds_rectangle *where, double *top, double *bottom )
{
	cells in;
	if ( !cells_in( t, where, &in ) )
	{
		return false;
	}
	ds_extremes e = ds_extremes_none();
	if ( in.i1 - in.i0 < BLOCK && in.j1 - in.j0 < BLOCK )
	{
		for ( int64_t i = in.i0; i <= in.i1 + 1; ++i )
		{
			const float *row = t->z + i * t->view.columns;
			for ( int64_t j = in.j0; j <= in.j1 + 1; ++j )
			{
				ds_extremes_add( &e, row[j], row[j] );
			}
		}
	}
	else
	{
		e = ds_pyramid_bounds( &t->pyramid, in.i0 / BLOCK, in.i1 / BLOCK, in.j0 / BLOCK, in.j1 / BLOCK );
	}
	*top = t->view.base + (double)e.top;
	*bottom = t->view.base + (double)e.bottom;
	return e.top <= e.bottom;
}

static ds_vec3 sample( const ds_terrain *t, int64_t i, int64_t j )
{
	const ds_terrain_view *v = &t->view;
	return ds_v3( v->north + (double)i * v->spacing_north, v->east + (double)j * v->spacing_east,
		v->base + (double)v->z[i * v->columns + j] );
}

// Counter-clockwise seen from above; false: a hole.
static bool triangle_of( const ds_terrain *t, int64_t i, int64_t j, bool second, ds_vec3 corners[3] )
{
	corners[0] = second ? sample( t, i + 1, j + 1 ) : sample( t, i, j );
	corners[1] = second ? sample( t, i + 1, j ) : sample( t, i, j + 1 );
	corners[2] = second ? sample( t, i, j + 1 ) : sample( t, i + 1, j );
	double sum = corners[0].z + corners[1].z + corners[2].z;
	return sum == sum;
}

bool ds_grid_triangle( const ds_terrain *t, int64_t index, ds_vec3 corners[3] )
{
	int64_t width = t->view.columns - 1, cell = index / 2;
	if ( index < 0 || cell >= width * ( t->view.rows - 1 ) )
	{
		return false;
	}
	return triangle_of( t, cell / width, cell % width, index % 2 == 1, corners );
}

void ds_grid_visit( const ds_terrain *t, const ds_rectangle *where, ds_triangle_fn *visit, void *user )
{
	cells in;
	if ( !cells_in( t, where, &in ) )
	{
		return;
	}
	for ( int64_t i = in.i0; i <= in.i1; ++i )
	{
		for ( int64_t j = in.j0; j <= in.j1; ++j )
		{
			int64_t index = 2 * ( i * ( t->view.columns - 1 ) + j );
			for ( int second = 0; second < 2; ++second )
			{
				ds_vec3 corners[3];
				if ( triangle_of( t, i, j, second, corners ) && !visit( user, index + second, corners ) )
				{
					return;
				}
			}
		}
	}
}

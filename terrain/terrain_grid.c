// Grids of heights: making.

#include "terrain/terrain_internal.h"

#define LEAST_SPACING 1e-6 // [m]

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
	if ( !( f->spacing_north >= LEAST_SPACING && f->spacing_east >= LEAST_SPACING ) )
	{
		return ds_error( DS_ERROR_RANGE, "the spacing of a grid of ground must be at least %g m, got %g, %g m",
			LEAST_SPACING, f->spacing_north, f->spacing_east );
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
		status = ds_pyramid_create( &t->allocator, ( v->rows - 1 + DS_TERRAIN_BLOCK - 1 ) / DS_TERRAIN_BLOCK,
			( v->columns - 1 + DS_TERRAIN_BLOCK - 1 ) / DS_TERRAIN_BLOCK, &t->pyramid );
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
	int64_t r1 = row + DS_TERRAIN_BLOCK < t->view.rows ? row + DS_TERRAIN_BLOCK : t->view.rows - 1;
	int64_t width = column + DS_TERRAIN_BLOCK < columns ? DS_TERRAIN_BLOCK + 1 : columns - column;
	ds_extremes lanes[DS_TERRAIN_BLOCK + 1];
	for ( int64_t c = 0; c <= DS_TERRAIN_BLOCK; ++c )
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
	for ( int64_t c = 1; c <= DS_TERRAIN_BLOCK; ++c )
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

static bool is_ground( const ds_terrain *t, int64_t i, int64_t j, bool second )
{
	const ds_terrain_view *v = &t->view;
	if ( i < 0 || j < 0 || i + 1 >= v->rows || j + 1 >= v->columns )
	{
		return false;
	}
	const float *near_row = t->z + i * v->columns + j, *far_row = near_row + v->columns;
	float sum = near_row[1] + far_row[0] + ( second ? far_row[1] : near_row[0] );
	return sum == sum;
}

// Samples that are no triangle's corner are no ground: they would widen the bounds.
static void drop_lone_samples( ds_terrain *t )
{
	for ( int64_t i = 0; i < t->view.rows; ++i )
	{
		for ( int64_t j = 0; j < t->view.columns; ++j )
		{
			bool used = is_ground( t, i, j, false ) || is_ground( t, i, j - 1, false ) ||
						is_ground( t, i - 1, j, false ) || is_ground( t, i - 1, j - 1, true ) ||
						is_ground( t, i - 1, j, true ) || is_ground( t, i, j - 1, true );
			if ( !used )
			{
				t->z[i * t->view.columns + j] = NAN;
			}
		}
	}
}

ds_status ds_terrain_grid_finish( ds_terrain *t )
{
	const ds_terrain_view *v = &t->view;
	ds_pyramid *pyramid = &t->pyramid;
	int64_t triangles = count_triangles( t );
	t->holes = triangles < 2 * ( v->rows - 1 ) * ( v->columns - 1 );
	if ( triangles == 0 )
	{
		return ds_error( DS_ERROR_NOT_FINITE,
			"a grid of %lld x %lld samples has no ground at all: no three neighbouring samples are numbers",
			(long long)v->rows, (long long)v->columns );
	}
	if ( t->holes )
	{
		drop_lone_samples( t );
	}
	for ( int64_t r = 0; r < pyramid->rows[0]; ++r )
	{
		for ( int64_t c = 0; c < pyramid->columns[0]; ++c )
		{
			pyramid->blocks[0][r * pyramid->columns[0] + c] =
				block_extremes( t, DS_TERRAIN_BLOCK * r, DS_TERRAIN_BLOCK * c );
		}
	}
	ds_pyramid_build( pyramid );
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

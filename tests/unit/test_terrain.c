// Ground as planes and grids of heights: against geometry by hand, and all queries against one another.

#include "terrain/terrain_internal.h"
#include "tests/unit/terrain_kit.h"

// ---- planes --------------------------------------------------------------------------------------------------------

static void test_level_plane( void **state )
{
	(void)state;
	ds_terrain *t;
	ds_terrain_point p;
	assert_ok( ds_terrain_plane( 3000.25, 0, 1, NULL, &t ) );
	for ( int k = 0; k < 5; ++k )
	{
		assert_true( ds_terrain_at( t, 1e6 * k, -3e5 * k, &p ) );
		assert_true( p.z == 3000.25 && p.normal.x == 0 && p.normal.y == 0 && p.normal.z == -1 );
	}
	assert_false( ds_terrain_at( t, NAN, 0, &p ) );
	assert_false( ds_terrain_at( t, 0, INFINITY, &p ) );
	ds_terrain_properties m = ds_terrain_measure( t );
	assert_false( m.bounded );
	assert_true( m.top == 3000.25 && m.bottom == 3000.25 );
	double top, bottom;
	ds_rectangle all = { -INFINITY, -INFINITY, INFINITY, INFINITY };
	assert_true( ds_terrain_bounds( t, &all, &top, &bottom ) );
	assert_true( top == 3000.25 && bottom == 3000.25 );
	ds_terrain_release( t );
}

// 30 degrees down towards the bearing 60 degrees: 100 m that way the ground lies 100 tan 30 degrees deeper, across it no deeper.
static void test_slope( void **state )
{
	(void)state;
	ds_terrain *t;
	ds_terrain_point p;
	double slope = DS_PI / 6, towards = DS_PI / 3;
	assert_ok( ds_terrain_plane( 50, slope, towards, NULL, &t ) );
	assert_true( ds_terrain_at( t, 100 * cos( towards ), 100 * sin( towards ), &p ) );
	assert_near( p.z, 50 + 100 / sqrt( 3 ), 1e-12 );
	assert_near( p.normal.x, sin( slope ) * cos( towards ), 1e-15 );
	assert_near( p.normal.y, sin( slope ) * sin( towards ), 1e-15 );
	assert_near( p.normal.z, -cos( slope ), 1e-15 );
	assert_true( ds_terrain_at( t, -77 * sin( towards ), 77 * cos( towards ), &p ) );
	assert_near( p.z, 50, 1e-13 );
	// out of the ground: a step along the normal is above it
	ds_vec3 above = ds_mad( ds_v3( 0, 0, 50 ), 2, p.normal );
	assert_true( ds_terrain_at( t, above.x, above.y, &p ) );
	assert_near( p.z - above.z, 2 / cos( slope ), 1e-13 );
	ds_terrain_release( t );
}

static bool collect( void *user, int64_t index, const ds_vec3 corners[3] )
{
	ds_vec3 *out = user;
	memcpy( out + 3 * index, corners, 3 * sizeof( ds_vec3 ) );
	return true;
}

static void test_plane_rectangle( void **state )
{
	(void)state;
	ds_terrain *t;
	ds_vec3 c[6];
	assert_ok( ds_terrain_plane( 20, 0.4, 2, NULL, &t ) );
	ds_rectangle w = { -3, 5, 4, 9 };
	double top, bottom, least = INFINITY, greatest = -INFINITY;
	ds_terrain_visit( t, &w, collect, c );
	assert_true( ds_terrain_bounds( t, &w, &top, &bottom ) );
	for ( int k = 0; k < 6; ++k )
	{
		ds_terrain_point p;
		assert_true( ds_terrain_at( t, c[k].x, c[k].y, &p ) );
		assert_near( p.z, c[k].z, 1e-13 );
		least = fmin( least, p.z );
		greatest = fmax( greatest, p.z );
	}
	for ( int k = 0; k < 2; ++k )
	{
		ds_terrain_point p;
		ds_terrain_at( t, 0, 0, &p );
		ds_vec3 n = triangle_normal( c + 3 * k );
		assert_near( ds_dot( n, p.normal ), 1, 1e-14 );
	}
	assert_near( top, least, 1e-13 );
	assert_near( bottom, greatest, 1e-13 );
	assert_true( covers( c, 0, 6, 0 ) != covers( c + 3, 0, 6, 0 ) );
	assert_false( ds_terrain_triangle( t, 0, c ) );
	ds_terrain_release( t );
}

static void test_bad_planes( void **state )
{
	(void)state;
	ds_terrain *t = NULL;
	assert_int_equal( ds_terrain_plane( NAN, 0, 0, NULL, &t ), DS_ERROR_NOT_FINITE );
	assert_int_equal( ds_terrain_plane( 0, 0, INFINITY, NULL, &t ), DS_ERROR_NOT_FINITE );
	assert_int_equal( ds_terrain_plane( 1e7, 0, 0, NULL, &t ), DS_ERROR_RANGE );
	assert_int_equal( ds_terrain_plane( 0, 1.4, 0, NULL, &t ), DS_ERROR_RANGE );
	assert_non_null( strstr( ds_last_error(), "80 degrees" ) );
	assert_int_equal( ds_terrain_plane( 0, -0.1, 0, NULL, &t ), DS_ERROR_RANGE );
	assert_int_equal( ds_terrain_plane( 0, 0, 0, NULL, NULL ), DS_ERROR_ARGUMENT );
	assert_null( t );
	assert_ok( ds_terrain_plane( 0, 80 * DS_PI / 180, 0, NULL, &t ) );
	ds_terrain_release( t );
}

// ---- grids ---------------------------------------------------------------------------------------------------------

// Two rows of three samples, 2 m by 0.5 m; the diagonal of a cell runs from (row, column + 1) to (row + 1, column).
static void test_grid_by_hand( void **state )
{
	(void)state;
	const double z[6] = { 10, 20, 30, 40, 50, 65 };
	ds_terrain *t = grid_of( 2, 3, 100, -5, 2, 0.5, z );
	const double cases[][3] = { { 100, -5, 10 }, { 100, -4.5, 20 }, { 100, -4, 30 }, { 102, -5, 40 }, { 102, -4.5, 50 },
		{ 102, -4, 65 }, // samples
		{ 101, -4.75, 30 }, { 101, -4.25, 40 }, // middles of diagonals: ( 20 + 40 )/2, ( 30 + 50 )/2
		{ 100.5, -4.875, 10 + 7.5 + 2.5 }, // a quarter each way in the first triangle of the first cell
		{ 101.5, -4.125, 65 - 0.25 * 35 - 0.25 * 15 }, // and from the far corner of the second
		{ 101, -5, 25 }, { 101, -4, 47.5 }, { 102, -4.25, 57.5 } }; // edges
	for ( int k = 0; k < DS_COUNT( cases ); ++k )
	{
		ds_terrain_point p;
		assert_true( ds_terrain_at( t, cases[k][0], cases[k][1], &p ) );
		assert_near( p.z, cases[k][2], 1e-12 );
	}
	// slopes of the last triangle: 35 over 2 m north, 15 over 0.5 m east
	ds_terrain_point p;
	assert_true( ds_terrain_at( t, 101.5, -4.125, &p ) );
	double length = sqrt( 1 + 17.5 * 17.5 + 30 * 30 );
	assert_near( p.normal.x, 17.5 / length, 1e-14 );
	assert_near( p.normal.y, 30 / length, 1e-14 );
	assert_near( p.normal.z, -1 / length, 1e-14 );
	assert_false( ds_terrain_at( t, 99.999, -4.5, &p ) );
	assert_true( p.z != p.z && p.normal.x == 0 && p.normal.y == 0 && p.normal.z == -1 );
	assert_false( ds_terrain_at( t, 102.001, -4.5, &p ) );
	assert_false( ds_terrain_at( t, 101, -5.001, &p ) );
	assert_false( ds_terrain_at( t, 101, -3.999, &p ) );
	assert_false( ds_terrain_at( t, NAN, -4.5, &p ) );
	assert_false( ds_terrain_at( t, INFINITY, -4.5, &p ) );
	assert_false( ds_terrain_at( t, 101, -INFINITY, &p ) );
	ds_terrain_properties m = ds_terrain_measure( t );
	assert_true( m.bounded && m.south == 100 && m.north == 102 && m.west == -5 && m.east == -4 );
	assert_true( m.top == 10 && m.bottom == 65 && m.rows == 2 && m.columns == 3 && m.triangles == 4 );
	assert_true( m.spacing_north == 2 && m.spacing_east == 0.5 );
	ds_terrain_release( t );
}

// What ds_terrain_see gives is what the others give.
static void test_view( void **state )
{
	(void)state;
	ds_terrain *t = rough_grid( 9, 14, 1e6, -2e6, 0 );
	const ds_terrain_view *v = ds_terrain_see( t );
	assert_int_equal( v->kind, DS_GROUND_GRID );
	for ( int64_t i = 0; i < v->rows; ++i )
	{
		for ( int64_t j = 0; j < v->columns; ++j )
		{
			ds_terrain_point p;
			double north = v->north + (double)i * v->spacing_north, east = v->east + (double)j * v->spacing_east;
			assert_true( ds_terrain_at( t, north, east, &p ) );
			// places a million metres off are rounded to 1e-10 m
			assert_near( p.z, v->base + (double)v->z[i * v->columns + j], 4e-9 );
		}
	}
	ds_terrain_release( t );
}

// A plane sampled on a grid is that plane, wherever it lies.
static void test_grid_plane( void **state )
{
	(void)state;
	const double corners[][2] = { { 0, 0 }, { 1e6, -1e6 }, { -123456.7, 7e6 } };
	for ( int c = 0; c < 3; ++c )
	{
		double north = corners[c][0], east = corners[c][1], z[20 * 30];
		for ( int k = 0; k < 600; ++k )
		{
			z[k] = 4000 + 0.25 * ( k / 30 ) - 0.125 * ( k % 30 );
		}
		ds_terrain *t = grid_of( 20, 30, north, east, 0.5, 0.25, z );
		ds_random random = numbers( 3 );
		for ( int k = 0; k < 1000; ++k )
		{
			double dn = between( &random, 0, 9.5 ), de = between( &random, 0, 7.25 );
			ds_terrain_point p;
			assert_true( ds_terrain_at( t, north + dn, east + de, &p ) );
			// the place as it is in doubles: not even a nanometre of it is lost
			double expected = 4000 + 0.5 * ( ( north + dn ) - north ) - 0.5 * ( ( east + de ) - east );
			assert_near( p.z, expected, 1e-12 * 4000 );
			assert_near( p.normal.x, 0.5 / sqrt( 1.5 ), 1e-15 );
			assert_near( p.normal.y, -0.5 / sqrt( 1.5 ), 1e-15 );
		}
		ds_terrain_release( t );
	}
}

typedef struct search
{
	double north, east, z;
	ds_vec3 normal;
	int64_t count, visited, last;
	const ds_terrain *terrain;
} search;

static bool seek( void *user, int64_t index, const ds_vec3 corners[3] )
{
	search *s = user;
	ds_vec3 same[3];
	assert_true( index > s->last );
	s->last = index;
	s->visited += 1;
	assert_true( ds_terrain_triangle( s->terrain, index, same ) );
	assert_memory_equal( same, corners, sizeof( same ) );
	assert_true( triangle_normal( corners ).z < 0 );
	if ( covers( corners, s->north, s->east, 0 ) )
	{
		s->count += 1;
		s->z = plane_z( corners, s->north, s->east );
		s->normal = triangle_normal( corners );
	}
	return true;
}

// A place anywhere, or on an edge, a diagonal or a sample.
static void some_place( ds_random *random, const ds_terrain_view *v, double *north, double *east )
{
	double u = between( random, -0.5, (double)v->rows - 0.5 ), w = between( random, -0.5, (double)v->columns - 0.5 );
	int sort = (int)( 5 * ds_random_uniform( random ) );
	u = sort == 1 || sort == 3 ? rint( u ) : u;
	w = sort == 2 || sort == 3 ? rint( w ) : w;
	w = sort == 4 ? floor( w ) + 1 - ( u - floor( u ) ) : w;
	*north = v->north + u * v->spacing_north;
	*east = v->east + w * v->spacing_east;
}

static void compare_queries( ds_terrain *t, int count, bool holes )
{
	const ds_terrain_view *v = ds_terrain_see( t );
	ds_terrain_properties m = ds_terrain_measure( t );
	double *room = malloc( 6 * (size_t)count * sizeof( double ) );
	double *north = room, *east = room + count, *z = room + 2 * count, *n = room + 3 * count;
	ds_random random = numbers( 11 );
	int ground = 0;
	for ( int k = 0; k < count; ++k )
	{
		some_place( &random, v, &north[k], &east[k] );
	}
	ds_terrain_at_many( t, count, north, east, z, n, n + count, n + 2 * count );
	for ( int k = 0; k < count; ++k )
	{
		ds_terrain_point p;
		bool there = ds_terrain_at( t, north[k], east[k], &p );
		assert_true( there == ( z[k] == z[k] ) );
		assert_true( !there || p.z == z[k] );
		assert_true( p.normal.x == n[k] && p.normal.y == n[k + count] && p.normal.z == n[k + 2 * count] );
		search s = { .north = north[k], .east = east[k], .terrain = t, .last = -1 };
		ds_rectangle point = { north[k], east[k], north[k], east[k] };
		ds_terrain_visit( t, &point, seek, &s );
		assert_true( s.visited <= 8 );
		bool within = north[k] >= m.south && north[k] <= m.north && east[k] >= m.west && east[k] <= m.east;
		assert_true( !there || within );
		assert_true( holes || there == within );
		// inside exactly one triangle: that is the ground; on an edge either side may be
		assert_true( s.count == 0 || there );
		if ( s.count == 1 && there )
		{
			assert_near( p.z, s.z, 1e-9 );
			ground += 1;
		}
	}
	assert_true( ground > count / 4 );
	free( room );
}

static void test_queries_agree( void **state )
{
	(void)state;
	const double corners[][2] = { { 0, 0 }, { 1e6, -2e6 } };
	for ( int c = 0; c < 2; ++c )
	{
		ds_terrain *whole = rough_grid( 23, 17, corners[c][0], corners[c][1], 0 );
		ds_terrain *torn = rough_grid( 23, 17, corners[c][0], corners[c][1], 0.1 );
		compare_queries( whole, 3000, false );
		compare_queries( torn, 3000, true );
		ds_terrain_release( whole );
		ds_terrain_release( torn );
	}
}

// Every kernel of this processor gives the bits of the plain one, for any number of places.
static void test_kernels( void **state )
{
	(void)state;
	enum
	{
		N = DS_TERRAIN_BATCH
	};
	const ds_ground_kernel *kernels[2];
	int kernel_count = ds_ground_kernels( kernels );
	assert_ptr_equal( kernels[kernel_count - 1], &ds_ground_kernel_plain );
	ds_terrain *t = rough_grid( 19, 23, 1e5, -3e4, 0.2 );
	ds_random random = numbers( 12 );
	for ( int count = 0; count <= N; count += count < 20 ? 1 : 59 )
	{
		double north[N], east[N], out[2][4][N];
		memset( out, 0, sizeof( out ) );
		for ( int k = 0; k < count; ++k )
		{
			some_place( &random, ds_terrain_see( t ), &north[k], &east[k] );
			north[k] = k % 17 == 3 ? NAN : north[k];
			east[k] = k % 19 == 5 ? -INFINITY : east[k];
		}
		for ( int which = 0; which < kernel_count; ++which )
		{
			double( *o )[N] = out[which];
			kernels[which]->slopes( &t->lattice, count, north, east, o[0], o[1], o[2] );
			kernels[which]->normals( count, o[0], o[1], o[2], o[3] );
			for ( int k = 0; k < N; ++k )
			{
				o[0][k] = o[0][k] == o[0][k] ? o[0][k] : -1; // one NaN is as good as another
			}
			assert_memory_equal( out[which], out[0], sizeof( out[0] ) );
		}
	}
	ds_terrain_release( t );
}

// The normal is that of the triangle that a place lies in.
static void test_normals( void **state )
{
	(void)state;
	ds_terrain *t = rough_grid( 12, 12, 40, -60, 0 );
	for ( int64_t index = 0; index < 2 * 11 * 11; ++index )
	{
		ds_vec3 c[3];
		ds_terrain_point p;
		assert_true( ds_terrain_triangle( t, index, c ) );
		ds_vec3 middle = ds_scale( 1.0 / 3, ds_add( c[0], ds_add( c[1], c[2] ) ) );
		assert_true( ds_terrain_at( t, middle.x, middle.y, &p ) );
		assert_near( p.z, middle.z, 1e-10 );
		ds_vec3 off = ds_sub( p.normal, triangle_normal( c ) );
		assert_near( ds_length( off ), 0, 1e-11 );
	}
	ds_vec3 c[3];
	assert_false( ds_terrain_triangle( t, 2 * 11 * 11, c ) );
	assert_false( ds_terrain_triangle( t, -1, c ) );
	assert_false( ds_terrain_triangle( t, INT64_MAX, c ) );
	ds_terrain_release( t );
}

// The surface has no steps: along a line every change is bounded by the steepest slope.
static void test_no_cracks( void **state )
{
	(void)state;
	ds_terrain *t = rough_grid( 40, 40, 0, 0, 0 );
	double steepest = sqrt( pow( 4 / 0.7, 2 ) + pow( 4 / 1.3, 2 ) ), step = 1e-4;
	for ( int line = 0; line < 5; ++line )
	{
		double angle = 0.1 + 0.3 * line, before = NAN;
		for ( int k = 0; k < 200000; ++k )
		{
			ds_terrain_point p;
			bool there = ds_terrain_at( t, 0.3 + k * step * cos( angle ), 0.2 + k * step * sin( angle ), &p );
			if ( !there )
			{
				break;
			}
			assert_true( before != before || fabs( p.z - before ) <= steepest * step + 1e-9 );
			before = p.z;
		}
	}
	ds_terrain_release( t );
}

// ---- holes ---------------------------------------------------------------------------------------------------------

static void test_one_corner_missing( void **state )
{
	(void)state;
	ds_terrain_point p;
	ds_vec3 c[3];
	// first triangle gone, second stays; and the other way around
	const double near_gone[4] = { NAN, 2, 3, 4 }, far_gone[4] = { 1, 2, 3, NAN };
	ds_terrain *t = grid_of( 2, 2, 0, 0, 1, 1, near_gone );
	assert_false( ds_terrain_at( t, 0.25, 0.25, &p ) );
	assert_true( ds_terrain_at( t, 0.75, 0.75, &p ) );
	assert_near( p.z, 4 - 0.25 * 2 - 0.25 * 1, 1e-14 );
	assert_true( ds_terrain_at( t, 0.5, 0.5, &p ) ); // the diagonal is the second's, too
	assert_near( p.z, 2.5, 1e-14 );
	assert_true( ds_terrain_at( t, 0, 1, &p ) && p.z == 2 );
	assert_true( ds_terrain_at( t, 1, 0, &p ) && p.z == 3 );
	assert_false( ds_terrain_at( t, 0, 0, &p ) );
	assert_false( ds_terrain_triangle( t, 0, c ) );
	assert_true( ds_terrain_triangle( t, 1, c ) );
	assert_int_equal( ds_terrain_measure( t ).triangles, 1 );
	ds_terrain_release( t );
	t = grid_of( 2, 2, 0, 0, 1, 1, far_gone );
	assert_true( ds_terrain_at( t, 0.25, 0.25, &p ) );
	assert_near( p.z, 1 + 0.25 * 2 + 0.25 * 1, 1e-14 );
	assert_false( ds_terrain_at( t, 0.75, 0.75, &p ) );
	assert_false( ds_terrain_at( t, 1, 1, &p ) );
	assert_true( ds_terrain_triangle( t, 0, c ) );
	assert_false( ds_terrain_triangle( t, 1, c ) );
	ds_terrain_release( t );
}

// Samples around a hole are ground, all of them, whatever their spacing is rounded to.
static void test_rim_of_a_hole( void **state )
{
	(void)state;
	double z[15 * 15];
	for ( int k = 0; k < 225; ++k )
	{
		z[k] = k == 7 * 15 + 7 ? NAN : 100.0 + k;
	}
	ds_terrain *t = grid_of( 15, 15, 0.3, -1.7, 0.1, 0.3, z );
	for ( int k = 0; k < 225; ++k )
	{
		ds_terrain_point p;
		bool there = ds_terrain_at( t, 0.3 + 0.1 * ( k / 15 ), -1.7 + 0.3 * ( k % 15 ), &p );
		assert_true( there == ( k != 7 * 15 + 7 ) );
		assert_true( !there || fabs( p.z - z[k] ) < 1e-9 );
	}
	assert_int_equal( ds_terrain_measure( t ).triangles, 2 * 14 * 14 - 6 );
	ds_terrain_release( t );
}

// A sample without a triangle is no ground, and widens no bounds.
static void test_lone_sample( void **state )
{
	(void)state;
	double z[25];
	for ( int k = 0; k < 25; ++k )
	{
		z[k] = k % 5 < 2 ? 10 : NAN;
	}
	z[2 * 5 + 4] = 999;
	ds_terrain *t = grid_of( 5, 5, 0, 0, 1, 1, z );
	ds_terrain_point p;
	double top, bottom;
	assert_false( ds_terrain_at( t, 2, 4, &p ) );
	assert_true( ds_terrain_measure( t ).bottom == 10 );
	ds_rectangle east = { 0, 2.5, 4, 4 }, west = { -9, -9, 1, 0.5 };
	assert_false( ds_terrain_bounds( t, &east, &top, &bottom ) );
	assert_true( ds_terrain_bounds( t, &west, &top, &bottom ) );
	assert_true( top == 10 && bottom == 10 );
	ds_terrain_release( t );
}

// ---- errors and lifetime -------------------------------------------------------------------------------------------

static void test_bad_grids( void **state )
{
	(void)state;
	double z[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	ds_terrain_grid_def good = ds_terrain_grid_default();
	good.rows = good.columns = 3;
	good.z = z;
	ds_terrain *t = NULL;
#define REFUSED( field, value, status )                                                                                \
	do                                                                                                                 \
	{                                                                                                                  \
		ds_terrain_grid_def bad = good;                                                                                \
		bad.field = value;                                                                                             \
		assert_int_equal( ds_terrain_grid( &bad, NULL, &t ), status );                                                 \
		assert_null( t );                                                                                              \
	}                                                                                                                  \
	while ( 0 )
	REFUSED( struct_size, 1, DS_ERROR_ARGUMENT );
	REFUSED( z, NULL, DS_ERROR_ARGUMENT );
	REFUSED( rows, 1, DS_ERROR_RANGE );
	REFUSED( columns, -4, DS_ERROR_RANGE );
	REFUSED( rows, INT64_MAX, DS_ERROR_LIMIT );
	REFUSED( columns, INT64_C( 1 ) << 40, DS_ERROR_LIMIT );
	REFUSED( spacing_north, 0, DS_ERROR_RANGE );
	REFUSED( spacing_east, -1, DS_ERROR_RANGE );
	REFUSED( spacing_north, NAN, DS_ERROR_NOT_FINITE );
	REFUSED( east, INFINITY, DS_ERROR_NOT_FINITE );
	REFUSED( north, 1e10, DS_ERROR_RANGE );
	REFUSED( spacing_east, 1e9, DS_ERROR_RANGE );
	ds_terrain_grid_def fine = good;
	fine.north = 1e8;
	fine.spacing_north = 1e-9;
	assert_int_equal( ds_terrain_grid( &fine, NULL, &t ), DS_ERROR_RANGE );
	z[5] = INFINITY;
	assert_int_equal( ds_terrain_grid( &good, NULL, &t ), DS_ERROR_NOT_FINITE );
	assert_non_null( strstr( ds_last_error(), "row 1, column 2" ) );
	z[5] = -3.4e38;
	assert_int_equal( ds_terrain_grid( &good, NULL, &t ), DS_ERROR_RANGE );
	for ( int k = 0; k < 9; ++k )
	{
		z[k] = NAN;
	}
	assert_int_equal( ds_terrain_grid( &good, NULL, &t ), DS_ERROR_NOT_FINITE );
	assert_non_null( strstr( ds_last_error(), "no ground at all" ) );
	z[0] = z[8] = 3; // samples, but no triangle
	assert_int_equal( ds_terrain_grid( &good, NULL, &t ), DS_ERROR_NOT_FINITE );
	assert_non_null( strstr( ds_last_error(), "no ground at all" ) );
	assert_int_equal( ds_terrain_grid( NULL, NULL, &t ), DS_ERROR_ARGUMENT );
	assert_int_equal( ds_terrain_grid( &good, NULL, NULL ), DS_ERROR_ARGUMENT );
	assert_null( t );
}

static ds_status make_grid( const void *user, const ds_hooks *hooks, ds_terrain **terrain )
{
	return ds_terrain_grid( user, hooks, terrain );
}

static ds_status make_plane( const void *user, const ds_hooks *hooks, ds_terrain **terrain )
{
	return ds_terrain_plane( *(const double *)user, 0.1, 0, hooks, terrain );
}

static void test_no_memory( void **state )
{
	(void)state;
	double z[100] = { 0 }, depth = 3;
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.rows = def.columns = 10;
	def.z = z;
	assert_int_equal( survives_failures( make_grid, &def ), 3 );
	assert_int_equal( survives_failures( make_plane, &depth ), 1 );
	// errors after the memory was taken give it back
	purse p = { .left = -1 };
	ds_hooks hooks = purse_hooks( &p );
	ds_terrain *t = NULL;
	for ( int k = 0; k < 100; ++k )
	{
		z[k] = k % 2 == 0 ? 1 : NAN; // alternate columns: no triangle anywhere
	}
	assert_int_equal( ds_terrain_grid( &def, &hooks, &t ), DS_ERROR_NOT_FINITE );
	assert_true( p.taken == p.given && p.bytes == 0 );
}

static void test_references( void **state )
{
	(void)state;
	purse p = { .left = -1 };
	ds_hooks hooks = purse_hooks( &p );
	ds_terrain *t, *other;
	assert_ok( ds_terrain_plane( 1, 0, 0, &hooks, &t ) );
	assert_ok( ds_terrain_plane( 1, 0, 0, &hooks, &other ) );
	assert_true( ds_terrain_serial( t ) != ds_terrain_serial( other ) && ds_terrain_serial( t ) != 0 );
	assert_ptr_equal( ds_terrain_retain( t ), t );
	ds_terrain_release( t );
	assert_int_equal( p.given, 0 );
	ds_terrain_release( t );
	assert_int_equal( p.given, 1 );
	ds_terrain_release( other );
	ds_terrain_release( NULL );
	assert_null( ds_terrain_retain( NULL ) );
	ds_terrain_point point;
	assert_false( ds_terrain_at( NULL, 0, 0, &point ) );
	assert_false( ds_terrain_measure( NULL ).bounded );
	assert_int_equal( p.given, 2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_level_plane ),
		cmocka_unit_test( test_slope ),
		cmocka_unit_test( test_plane_rectangle ),
		cmocka_unit_test( test_bad_planes ),
		cmocka_unit_test( test_grid_by_hand ),
		cmocka_unit_test( test_view ),
		cmocka_unit_test( test_grid_plane ),
		cmocka_unit_test( test_queries_agree ),
		cmocka_unit_test( test_kernels ),
		cmocka_unit_test( test_normals ),
		cmocka_unit_test( test_no_cracks ),
		cmocka_unit_test( test_one_corner_missing ),
		cmocka_unit_test( test_rim_of_a_hole ),
		cmocka_unit_test( test_lone_sample ),
		cmocka_unit_test( test_bad_grids ),
		cmocka_unit_test( test_no_memory ),
		cmocka_unit_test( test_references ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Rectangles of a grid: bounds and the triangles that are visited, against a search through all.

#include "tests/unit/terrain_kit.h"

typedef struct extent
{
	double top, bottom; // of all visited
	ds_rectangle where;
	int64_t last, count;
} extent;

static bool widen( void *user, int64_t index, const ds_vec3 corners[3] )
{
	extent *e = user;
	assert_true( index > e->last );
	e->last = index;
	e->count += 1;
	for ( int k = 0; k < 3; ++k )
	{
		e->top = fmin( e->top, corners[k].z );
		e->bottom = fmax( e->bottom, corners[k].z );
	}
	return true;
}

static void compare_bounds( ds_terrain *t, int count )
{
	ds_terrain_properties m = ds_terrain_measure( t );
	ds_random random = numbers( 5 );
	int found = 0;
	for ( int k = 0; k < count; ++k )
	{
		double size = pow( ds_random_uniform( &random ), 3 );
		double n = between( &random, m.south - 5, m.north + 5 ), e = between( &random, m.west - 5, m.east + 5 );
		double dn = size * between( &random, 0, m.north - m.south ), de = size * between( &random, 0, m.east - m.west );
		extent x = { INFINITY, -INFINITY, { n, e, n + dn, e + de }, -1, 0 };
		double top, bottom;
		ds_terrain_visit( t, &x.where, widen, &x );
		bool any = ds_terrain_bounds( t, &x.where, &top, &bottom );
		assert_true( any || x.count == 0 );
		// ground at places in it
		for ( int at = 0; at < 20 && any; ++at )
		{
			ds_terrain_point p;
			if ( ds_terrain_at( t, between( &random, n, n + dn ), between( &random, e, e + de ), &p ) )
			{
				assert_true( p.z >= top - 1e-9 && p.z <= bottom + 1e-9 );
			}
		}
		assert_true( !any || ( top <= x.top && bottom >= x.bottom ) );
		assert_true( !any || ( top >= m.top && bottom <= m.bottom ) );
		// no wider than a few cells, or about a quarter of the rectangle, ask for
		double by = 0.3 * fmax( dn / m.spacing_north, de / m.spacing_east ) + 8, bn = by * m.spacing_north;
		extent wide = { INFINITY, -INFINITY, { n - bn, e, n + dn + bn, e + de }, -1, 0 };
		wide.where.west -= by * m.spacing_east;
		wide.where.east += by * m.spacing_east;
		ds_terrain_visit( t, &wide.where, widen, &wide );
		assert_true( !any || ( top >= wide.top && bottom <= wide.bottom ) );
		found += any;
	}
	assert_true( count == 0 || found > count / 8 );
	// all of it
	ds_rectangle all = { -INFINITY, -INFINITY, INFINITY, INFINITY };
	extent x = { INFINITY, -INFINITY, all, -1, 0 };
	double top, bottom;
	ds_terrain_visit( t, &all, widen, &x );
	assert_int_equal( x.count, m.triangles );
	assert_true( ds_terrain_bounds( t, &all, &top, &bottom ) );
	assert_true( top == x.top && bottom == x.bottom && m.top == x.top && m.bottom == x.bottom );
}

static void test_bounds( void **state )
{
	(void)state;
	const int64_t sizes[][2] = { { 2, 2 }, { 9, 9 }, { 10, 200 }, { 101, 67 }, { 256, 257 } };
	for ( int k = 0; k < 5; ++k )
	{
		ds_terrain *whole = rough_grid( sizes[k][0], sizes[k][1], -20, 30, 0 );
		compare_bounds( whole, k == 0 ? 0 : 400 );
		ds_terrain_release( whole );
		ds_terrain *torn = rough_grid( sizes[k][0], sizes[k][1], 1e6, 30, k == 0 ? 0 : 0.4 );
		compare_bounds( torn, k == 0 ? 0 : 400 );
		ds_terrain_release( torn );
	}
}

static bool stop_at_three( void *user, int64_t index, const ds_vec3 corners[3] )
{
	(void)index;
	(void)corners;
	return ++*(int *)user < 3;
}

// All that a place touches: a cell's two triangles, four at an edge, eight at a sample.
static void test_touching( void **state )
{
	(void)state;
	const double z[16] = { 0 };
	ds_terrain *t = grid_of( 4, 4, 10, 20, 1, 1, z );
	const double cases[][3] = { { 11.5, 21.5, 2 }, { 12, 21.5, 4 }, { 11.5, 22, 4 }, { 12, 22, 8 }, { 10, 20, 2 },
		{ 13, 23, 2 }, { 13, 21, 4 } };
	for ( int k = 0; k < DS_COUNT( cases ); ++k )
	{
		extent x = { INFINITY, -INFINITY, { cases[k][0], cases[k][1], cases[k][0], cases[k][1] }, -1, 0 };
		ds_terrain_visit( t, &x.where, widen, &x );
		assert_int_equal( x.count, cases[k][2] );
	}
	ds_terrain_release( t );
}

static void test_rectangles_that_are_none( void **state )
{
	(void)state;
	ds_terrain *t = rough_grid( 5, 5, 0, 0, 0 );
	const ds_rectangle none[] = { { NAN, 0, 1, 1 }, { 0, 0, 1, NAN }, { 2, 0, 1, 1 }, { 0, 2, 1, 1 }, { 3, 0, 9, 9 },
		{ -3, -9, 3, -1 } };
	for ( int k = 0; k < DS_COUNT( none ); ++k )
	{
		double top, bottom;
		int count = 0;
		assert_false( ds_terrain_bounds( t, &none[k], &top, &bottom ) );
		ds_terrain_visit( t, &none[k], stop_at_three, &count );
		assert_int_equal( count, 0 );
	}
	ds_rectangle all = { -9, -9, 9, 9 };
	int count = 0;
	ds_terrain_visit( t, &all, stop_at_three, &count );
	assert_int_equal( count, 3 );
	ds_terrain_release( t );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_bounds ),
		cmocka_unit_test( test_touching ),
		cmocka_unit_test( test_rectangles_that_are_none ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

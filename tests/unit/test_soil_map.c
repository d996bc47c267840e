// Which soil lies where: polygons, masks, and what they refuse.

#include "deepsim/math.h"
#include "terrain/soil_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Soils that are told apart by their exponent.
static ds_soil soil_of( double n )
{
	ds_soil soil = ds_soil_default();
	soil.n = n;
	return soil;
}

#define PATCH( n_, corners_ )                                                                                          \
	{                                                                                                                  \
		soil_of( n_ ),                                                                                                 \
		{                                                                                                              \
			corners_, sizeof( corners_ ) / sizeof( corners_[0] )                                                       \
		}                                                                                                              \
	}

static ds_soil_map *make( const ds_soil_map_def *def )
{
	ds_soil_map *map;
	if ( ds_soil_map_create( NULL, def, &map ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return map;
}

static void is_at( const ds_soil_map *map, double north, double east, double n, int line )
{
	double found = ds_soil_map_at( map, north, east )->n;
	if ( found != n )
	{
		fail_msg( "line %d: (%g, %g) has soil %g, not %g", line, north, east, found, n );
	}
}

#define assert_soil( map, north, east, n ) is_at( map, north, east, n, __LINE__ )

static void test_uniform( void **state )
{
	(void)state;
	ds_soil_map *map = make( &( ds_soil_map_def ){ .soil = soil_of( 0.7 ) } );
	assert_non_null( ds_soil_map_uniform( map ) );
	assert_ptr_equal( ds_soil_map_uniform( map ), ds_soil_map_at( map, 1e9, -4 ) );
	assert_soil( map, NAN, 0, 0.7 );
	ds_soil_map_destroy( map );
	ds_soil_map_destroy( NULL );
}

static void test_polygons( void **state )
{
	(void)state;
	static const double square[][2] = { { 0, 0 }, { 10, 0 }, { 10, 10 }, { 0, 10 } };
	static const double reversed[][2] = { { 5, 15 }, { 15, 15 }, { 15, 5 }, { 5, 5 } };
	static const double hook[][2] = { { 20, 0 }, { 30, 0 }, { 30, 10 }, { 28, 10 }, { 28, 2 }, { 20, 2 } };
	static const double star[][2] = { { 50, 0 }, { 40.955, 2.939 }, { 46.545, -4.755 }, { 46.545, 4.755 },
		{ 40.955, -2.939 } }; // crosses itself: its middle is outside
	const ds_soil_patch patches[] = { PATCH( 0.2, square ), PATCH( 0.3, reversed ), PATCH( 0.4, hook ),
		PATCH( 0.5, star ) };
	ds_soil_map *map = make( &( ds_soil_map_def ){ .soil = soil_of( 0.1 ), .patches = patches, .patch_count = 4 } );
	assert_null( ds_soil_map_uniform( map ) );
	assert_soil( map, 2, 2, 0.2 );
	assert_soil( map, 7, 7, 0.3 ); // in both: the last
	assert_soil( map, 7, 4.999, 0.2 );
	assert_soil( map, 14, 14, 0.3 );
	assert_soil( map, -1, 5, 0.1 );
	assert_soil( map, 5, 11, 0.3 );
	assert_soil( map, 4, 11, 0.1 );
	// edges: those that lie north or east of them are inside
	assert_soil( map, 0, 2, 0.2 );
	assert_soil( map, 2, 0, 0.2 );
	assert_soil( map, 10, 2, 0.1 );
	assert_soil( map, 2, 10, 0.1 );
	// a hook's bay is outside
	assert_soil( map, 25, 1, 0.4 );
	assert_soil( map, 25, 5, 0.1 );
	assert_soil( map, 29, 5, 0.4 );
	// a star's points are inside, its middle is not
	assert_soil( map, 48, 0, 0.5 );
	assert_soil( map, 45, 0, 0.1 );
	assert_soil( map, NAN, NAN, 0.1 );
	assert_soil( map, INFINITY, 0, 0.1 );
	ds_soil_map_destroy( map );
}

// A circle of so many corners that its edges are filed in slabs, and a comb: against their formulas.
static void test_large( void **state )
{
	(void)state;
	enum
	{
		CORNERS = 5000,
		TEETH = 400
	};
	static double circle[CORNERS][2], comb[4 * TEETH + 2][2];
	for ( int i = 0; i < CORNERS; ++i )
	{
		double angle = 2 * DS_PI * i / CORNERS;
		circle[i][0] = 100 * cos( angle );
		circle[i][1] = 100 * sin( angle );
	}
	// teeth point east, each 1 m wide with 1 m between, 30 m long from a back of 5 m
	int count = 0;
	for ( int i = 0; i < TEETH; ++i )
	{
		const double tooth[4][2] = { { 2 * i, 205 }, { 2 * i, 235 }, { 2 * i + 1, 235 }, { 2 * i + 1, 205 } };
		memcpy( comb[count], tooth, sizeof( tooth ) );
		count += 4;
	}
	comb[count][0] = 2 * TEETH - 1, comb[count++][1] = 200;
	comb[count][0] = 0, comb[count++][1] = 200;
	const ds_soil_patch patches[] = { PATCH( 0.2, circle ), PATCH( 0.3, comb ) };
	ds_soil_map *map = make( &( ds_soil_map_def ){ .soil = soil_of( 0.1 ), .patches = patches, .patch_count = 2 } );
	srand( 5 );
	int in = 0, teeth = 0;
	for ( int i = 0; i < 200000; ++i )
	{
		double north = 240.0 * rand() / RAND_MAX - 120, east = 240.0 * rand() / RAND_MAX - 120;
		double r = hypot( north, east );
		if ( fabs( r - 100 ) > 1e-4 ) // the sagitta of an edge is 2e-5
		{
			assert_soil( map, north, east, r < 100 ? 0.2 : 0.1 );
			in += r < 100;
		}
		double n = 799.0 * rand() / RAND_MAX, e = 200 + 40.0 * rand() / RAND_MAX;
		bool tooth = e < 205 || ( e < 235 && fmod( n, 2 ) < 1 );
		assert_soil( map, n, e, tooth ? 0.3 : 0.1 );
		teeth += tooth;
	}
	assert_true( in > 100000 && teeth > 80000 );
	ds_soil_map_destroy( map );
}

// Rectangles: what is said to be one soil is so at all of its points, and what is far from edges is said to be.
static void test_rectangles( void **state )
{
	(void)state;
	static const double square[][2] = { { 0, 0 }, { 20, 0 }, { 20, 20 }, { 0, 20 } };
	static const double hook[][2] = { { 15, 5 }, { 40, 5 }, { 40, 30 }, { 36, 30 }, { 36, 9 }, { 15, 9 } };
	static const double tilted[][2] = { { -20, 0 }, { -10, 12 }, { -22, 25 } };
	static double circle[600][2];
	for ( int i = 0; i < 600; ++i )
	{
		circle[i][0] = 10 * cos( DS_PI * i / 300 ) - 10;
		circle[i][1] = 10 * sin( DS_PI * i / 300 ) - 20;
	}
	const ds_soil_patch patches[] = { PATCH( 0.2, square ), PATCH( 0.3, hook ), PATCH( 0.4, tilted ),
		PATCH( 0.5, circle ) };
	static int16_t index[16 * 16];
	for ( int i = 0; i < 256; ++i )
	{
		index[i] = (int16_t)( i % 16 > 8 );
	}
	const ds_soil soils[] = { soil_of( 0.6 ) };
	ds_soil_mask mask = { -40, -40, 5, 5, 16, 16, index };
	const ds_soil_map_def def = { soil_of( 0.1 ), patches, 4, soils, 1, &mask };
	ds_soil_map *map = make( &def );
	srand( 6 );
	int one = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		double south = 100.0 * rand() / RAND_MAX - 50, west = 100.0 * rand() / RAND_MAX - 50;
		double tall = 8.0 * rand() / RAND_MAX, wide = 8.0 * rand() / RAND_MAX;
		// corners that lie on edges too
		if ( i % 4 == 0 )
		{
			south = floor( south ), west = floor( west ), tall = floor( tall ), wide = floor( wide );
		}
		const ds_soil *soil = ds_soil_map_within( map, south, west, south + tall, west + wide );
		one += soil != NULL;
		bool same = true;
		for ( int k = 0; k < 36; ++k )
		{
			double north = south + tall * ( k / 6 ) / 5, east = west + wide * ( k % 6 ) / 5;
			const ds_soil *there = ds_soil_map_at( map, north, east );
			assert_true( soil == NULL || there == soil );
			same = same && there == ds_soil_map_at( map, south, west );
		}
		// what looks like several is not called one, and what is called several seldom looks like one
		assert_true( same || soil == NULL );
		one -= same && soil == NULL ? 2 : 0;
	}
	assert_true( one > 8000 );
	assert_null( ds_soil_map_within( map, 1, 1, 0, 2 ) );
	assert_null( ds_soil_map_within( map, NAN, 1, 0, 2 ) );
	assert_null( ds_soil_map_within( map, -1e300, -1e300, 1e300, 1e300 ) );
	ds_soil_map_destroy( map );

	map = make( &( ds_soil_map_def ){ .soil = soil_of( 0.1 ) } );
	assert_ptr_equal( ds_soil_map_within( map, -1e9, 0, 1e9, 0 ), ds_soil_map_uniform( map ) );
	ds_soil_map_destroy( map );
}

// Triangles about a point, with common edges: each point lies in one and no more, also on the edges.
static void test_common_edges( void **state )
{
	(void)state;
	enum
	{
		PARTS = 7
	};
	double corners[PARTS][3][2];
	ds_soil_patch patches[PARTS];
	for ( int i = 0; i < PARTS; ++i )
	{
		double a = 2 * DS_PI * i / PARTS, b = 2 * DS_PI * ( ( i + 1 ) % PARTS ) / PARTS;
		const double triangle[3][2] = { { 0.3, 0.1 }, { 10 * cos( a ), 10 * sin( a ) },
			{ 10 * cos( b ), 10 * sin( b ) } };
		memcpy( corners[i], triangle, sizeof( triangle ) );
		patches[i] = ( ds_soil_patch ){ soil_of( 0.2 ), { corners[i], 3 } };
	}
	ds_soil_map *maps[PARTS];
	for ( int i = 0; i < PARTS; ++i )
	{
		maps[i] = make( &( ds_soil_map_def ){ .soil = soil_of( 0.1 ), .patches = &patches[i], .patch_count = 1 } );
	}
	for ( int k = 0; k < 20000; ++k )
	{
		// on a common edge, as near as doubles get, and the point that all share
		const double *end = corners[k % PARTS][1];
		double t = k < PARTS ? 0 : 0.9 * ( k / PARTS ) / ( 20000 / PARTS );
		double north = 0.3 + t * ( end[0] - 0.3 ), east = 0.1 + t * ( end[1] - 0.1 );
		int held = 0;
		for ( int i = 0; i < PARTS; ++i )
		{
			held += ds_soil_map_at( maps[i], north, east )->n == 0.2;
		}
		assert_int_equal( held, 1 );
	}
	for ( int i = 0; i < PARTS; ++i )
	{
		ds_soil_map_destroy( maps[i] );
	}
}

static void test_mask( void **state )
{
	(void)state;
	static const int16_t index[] = { 0, 1, 2, 2, -1, 1 }; // 2 rows, 3 columns
	const ds_soil soils[] = { soil_of( 0.2 ), soil_of( 0.3 ) };
	static const double square[][2] = { { 99, 200 }, { 101, 200 }, { 101, 204 }, { 99, 204 } };
	const ds_soil_patch patch = PATCH( 0.9, square );
	ds_soil_mask mask = { 100, 200, 10, 5, 2, 3, index };
	ds_soil_map_def def = {
		.soil = soil_of( 0.1 ), .patches = &patch, .patch_count = 1, .soils = soils, .soil_count = 2, .mask = &mask
	};
	ds_soil_map *map = make( &def );
	assert_null( ds_soil_map_uniform( map ) );
	assert_soil( map, 96, 205, 0.2 );
	assert_soil( map, 100, 210, 0.3 );
	assert_soil( map, 100, 207.4, 0.2 ); // samples are the middles of their cells
	assert_soil( map, 100, 207.6, 0.3 );
	assert_soil( map, 104.9, 210, 0.3 );
	assert_soil( map, 105.1, 210, 0.2 );
	assert_soil( map, 110, 205, 0.1 ); // negative: none
	assert_soil( map, 96, 200, 0.1 );
	assert_soil( map, 110, 200, 0.3 );
	assert_soil( map, 94.9, 205, 0.1 ); // outside
	assert_soil( map, 115.1, 210, 0.1 );
	assert_soil( map, 100, 212.6, 0.1 );
	assert_soil( map, 100, 197.4, 0.1 );
	assert_soil( map, 100, 203, 0.9 ); // polygons lie over it
	assert_soil( map, NAN, 200, 0.1 );
	assert_soil( map, 1e300, -1e300, 0.1 );
	ds_soil_map_destroy( map );
}

static void refused( const ds_soil_map_def *def, ds_status status, const char *says, int line )
{
	ds_soil_map *map = (ds_soil_map *)&line;
	ds_status got = ds_soil_map_create( NULL, def, &map );
	if ( got != status || map != NULL || strstr( ds_last_error(), says ) == NULL )
	{
		fail_msg( "line %d: %s: %s", line, ds_status_name( got ), ds_last_error() );
	}
}

#define assert_refused( def, status, says ) refused( def, status, says, __LINE__ )

static void test_refusals( void **state )
{
	(void)state;
	ds_soil_map_def def = { .soil = soil_of( -1 ) };
	assert_refused( &def, DS_ERROR_RANGE, "soil: n must be" );
	assert_refused( NULL, DS_ERROR_ARGUMENT, "def" );
	def.soil = soil_of( 1 );
	def.patch_count = 1;
	assert_refused( &def, DS_ERROR_ARGUMENT, "patches" );

	double corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
	ds_soil_patch patches[2] = { PATCH( 1, corners ), PATCH( 1, corners ) };
	def.patches = patches;
	def.patch_count = 2;
	patches[1].soil.kphi = NAN;
	assert_refused( &def, DS_ERROR_NOT_FINITE, "soil patch 1: soil: kphi" );
	patches[1].soil = soil_of( 1 );
	patches[1].polygon.count = 2;
	assert_refused( &def, DS_ERROR_RANGE, "soil patch 1: a polygon has 3" );
	patches[1].polygon.count = 4;
	corners[2][1] = INFINITY;
	assert_refused( &def, DS_ERROR_NOT_FINITE, "soil patch 0: corner 2" );
	corners[2][1] = corners[3][1] = 0;
	assert_refused( &def, DS_ERROR_RANGE, "encloses nothing" );
	def.patch_count = 0;

	const int16_t index[] = { 0, 3 };
	ds_soil_mask mask = { 0, 0, 1, 1, 1, 2, index };
	const ds_soil soils[] = { soil_of( 1 ), soil_of( 2 ) };
	def.mask = &mask;
	def.soils = soils;
	def.soil_count = 2;
	assert_refused( &def, DS_ERROR_RANGE, "row 0, column 1: soil 3 of 2" );
	mask.columns = INT64_MAX;
	assert_refused( &def, DS_ERROR_LIMIT, "too many" );
	mask.columns = 1;
	mask.spacing_east = 0;
	assert_refused( &def, DS_ERROR_RANGE, "spacings" );
	mask.spacing_east = NAN;
	assert_refused( &def, DS_ERROR_NOT_FINITE, "finite" );
	mask.spacing_east = 1;
	ds_soil bad = soil_of( 1 );
	bad.cohesion = -1;
	def.soils = &bad;
	def.soil_count = 1;
	assert_refused( &def, DS_ERROR_RANGE, "soil mask: soil 1: soil: cohesion" );
}

// An allocator that gives out so many blocks and no more, and counts what is out.
typedef struct rations
{
	int left, out;
} rations;

static void *take( void *user, size_t size, size_t alignment )
{
	rations *r = user;
	if ( r->left-- <= 0 )
	{
		return NULL;
	}
	++r->out;
	return aligned_alloc( alignment, size );
}

static void give( void *user, void *memory, size_t size )
{
	(void)size;
	--( (rations *)user )->out;
	free( memory );
}

static void test_memory( void **state )
{
	(void)state;
	static const double square[][2] = { { 0, 0 }, { 10, 0 }, { 10, 10 }, { 0, 10 } };
	const ds_soil_patch patch = PATCH( 0.2, square );
	static const int16_t index[] = { 1 };
	const ds_soil soil = soil_of( 0.3 );
	ds_soil_mask mask = { 0, 0, 1, 1, 1, 1, index };
	ds_soil_map_def def = { soil, &patch, 1, &soil, 1, &mask };
	for ( int blocks = 0;; ++blocks )
	{
		rations r = { blocks, 0 };
		ds_allocator allocator = { take, give, &r };
		ds_soil_map *map;
		ds_status status = ds_soil_map_create( &allocator, &def, &map );
		if ( status == DS_OK )
		{
			assert_int_equal( r.out, blocks );
			assert_int_equal( blocks, 6 );
			ds_soil_map_destroy( map );
			assert_int_equal( r.out, 0 );
			break;
		}
		assert_int_equal( status, DS_ERROR_MEMORY );
		assert_null( map );
		assert_int_equal( r.out, 0 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_uniform ),
		cmocka_unit_test( test_polygons ),
		cmocka_unit_test( test_large ),
		cmocka_unit_test( test_rectangles ),
		cmocka_unit_test( test_common_edges ),
		cmocka_unit_test( test_mask ),
		cmocka_unit_test( test_refusals ),
		cmocka_unit_test( test_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The seabed of a scenario: its shapes, soils, patches, mask and ruts, and what is refused.

#include "core/scenario.h"
#include "deepsim/math.h"
#include "io/describe.h"
#include "terrain/soil_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scenario_text.h"

#define FLAT "'elevation': { 'model': 'flat', 'depth': 50 }"

// A scenario with this seabed; single quotes stand for double ones.
static ds_status load( const char *seabed, ds_scenario **scenario )
{
	char set[4096];
	snprintf( set, sizeof( set ), "environment.seabed={ %s }", seabed );
	for ( char *p = set; *p; ++p )
	{
		*p = *p == '\'' ? '"' : *p;
	}
	return parse_with( NULL, set, scenario );
}

static ds_scenario *good( const char *seabed )
{
	ds_scenario *scenario;
	if ( load( seabed, &scenario ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return scenario;
}

static void near_at( double value, double expected, double tolerance, int line )
{
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		print_error( "line %d: %.17g is not %.17g +- %g\n", line, value, expected, tolerance );
		fail();
	}
}

#define assert_near( value, expected, tolerance ) near_at( value, expected, tolerance, __LINE__ )

static double depth_at( const ds_scenario *s, double north, double east )
{
	ds_terrain_point point;
	return s->environment.terrain && ds_terrain_at( s->environment.terrain, north, east, &point ) ? point.z : NAN;
}

// ---- elevation -----------------------------------------------------------------------------------------------------

static void test_planes( void **state )
{
	(void)state;
	ds_scenario *s = good( FLAT );
	assert_true(
		s->environment.seabed == DS_SEABED_FLAT && s->environment.terrain == NULL && !s->environment.has_soil );
	ds_scenario_release( s );

	// soil needs ground that can be pressed on
	s = good( FLAT ", 'soil': 'dry_sand'" );
	assert_true( s->environment.seabed == DS_SEABED_TERRAIN && s->environment.has_soil );
	assert_near( s->environment.seabed_depth, 50, 0 );
	assert_near( depth_at( s, 1e5, -3e5 ), 50, 0 );
	ds_scenario_release( s );

	// falls by 10 degrees to the east
	s = good( "'elevation': { 'model': 'slope', 'depth': 20, 'slope_deg': 10, 'towards_deg': 90 }" );
	assert_int_equal( s->environment.seabed, DS_SEABED_TERRAIN );
	assert_near( depth_at( s, 7, 0 ), 20, 1e-12 );
	assert_near( depth_at( s, 7, 100 ), 20 + 100 * 0.17632698070846498, 1e-9 );
	assert_near( s->environment.seabed_depth, 20, 1e-12 );
	ds_scenario_release( s );
}

static void test_shapes( void **state )
{
	(void)state;
	ds_scenario *s =
		good( "'elevation': { 'model': 'sinusoid', 'depth': 30, 'size': [40, 20], 'spacing': 0.5, 'amplitude': 2, "
			  "'wavelength': [10, 0] }" );
	assert_near( depth_at( s, 0, 0 ), 32, 1e-5 );
	assert_near( depth_at( s, 5, 3 ), 28, 1e-5 ); // half a wavelength north; the same all along the east
	assert_near( depth_at( s, 2.5, -9 ), 30, 1e-5 );
	assert_true(
		isnan( depth_at( s, 20.1, 0 ) ) && isnan( depth_at( s, 0, -10.1 ) ) && !isnan( depth_at( s, 19.9, 9.9 ) ) );
	assert_near( s->environment.seabed_depth, 32, 1e-5 );
	ds_scenario_release( s );

	ds_scenario *t =
		good( "'elevation': { 'model': 'fractal', 'depth': 30, 'size': [64, 64], 'roughness': 0.5, 'seed': 3 }" );
	s = good( "'elevation': { 'model': 'fractal', 'depth': 30, 'size': [64, 64], 'roughness': 0.5, 'seed': 4 }" );
	double sum = 0, squares = 0;
	for ( int i = 0; i < 61 * 61; ++i )
	{
		double z = depth_at( t, i / 61 - 30, i % 61 - 30 ) - 30;
		sum += z;
		squares += z * z;
	}
	double mean = sum / ( 61 * 61 );
	assert_near( sqrt( squares / ( 61 * 61 ) - mean * mean ), 0.5, 0.2 );
	assert_true( depth_at( s, 1, 2 ) != depth_at( t, 1, 2 ) );
	ds_scenario_release( s );
	ds_scenario_release( t );

	s = good( "'elevation': { 'model': 'seamount', 'depth': 900, 'height': 200, 'radius': 100, 'size': [800, 600], "
			  "'spacing': 10 }" );
	assert_near( depth_at( s, 0, 0 ), 700, 1e-4 );
	assert_near( depth_at( s, -60, 80 ), 900 - 200 * exp( -1 ), 1e-4 );
	assert_near( depth_at( s, 400, -300 ), 900, 1e-4 );
	ds_scenario_release( s );
	t = good(
		"'elevation': { 'model': 'seamount', 'depth': 30, 'height': 2, 'radius': 9, 'size': [64, 64], 'roughness': "
		"0.5, 'seed': 3 }" );
	s = good( "'elevation': { 'model': 'fractal', 'depth': 30, 'size': [64, 64], 'roughness': 0.5, 'seed': 3 }" );
	assert_near( depth_at( t, 0, 9 ), depth_at( s, 0, 9 ) - 2 * exp( -1 ), 1e-5 );
	ds_scenario_release( s );
	ds_scenario_release( t );

	// defaults are those of the C API
	s = good( "'elevation': { 'model': 'fractal', 'depth': 30, 'roughness': 1 }" );
	ds_terrain_shape shape = ds_terrain_shape_default( DS_TERRAIN_FRACTAL );
	shape.depth = 30;
	shape.roughness = 1;
	ds_terrain *same;
	assert_int_equal( ds_terrain_make( &shape, NULL, &same ), DS_OK );
	ds_terrain_point point;
	for ( int i = 0; i < 9; ++i )
	{
		double north = 400.0 * ( i / 3 - 1 ), east = 301.5 * ( i % 3 - 1 );
		assert_true( ds_terrain_at( same, north, east, &point ) );
		assert_near( depth_at( s, north, east ), point.z, 0 );
	}
	ds_terrain_release( same );
	ds_scenario_release( s );
}

static void test_rasters( void **state )
{
	(void)state;
	// rows from the north; lower left corner at x 100 (east), y 200 (north)
	write_file( "ground.asc", "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -9999\n"
							  "-11 -12 -13\n-14 -15 -9999\n" );
	ds_scenario *s = good( "'elevation': { 'model': 'raster', 'file': 'ground.asc', 'crs': 'local' }" );
	assert_near( depth_at( s, 205, 105 ), 14, 1e-5 );
	assert_near( depth_at( s, 215, 115 ), 12, 1e-5 );
	assert_near( depth_at( s, 210, 105 ), 12.5, 1e-5 );
	assert_true( isnan( depth_at( s, 206, 124 ) ) ); // nothing there
	// no ground below the origin: the mean of the extremes
	assert_near( s->environment.seabed_depth, 13, 1e-5 );
	ds_scenario_release( s );

	s = good( "'elevation': { 'model': 'raster', 'file': 'ground.asc', 'crs': 'local', 'position': [0, 0], 'positive': "
			  "'down', "
			  "'scale': -2, 'offset': 1, 'nodata': -14 }" );
	// depth = -2 * value + 1; the centre lies at the origin, and -14 is a hole now
	assert_near( depth_at( s, 5, -10 ), 23, 1e-4 );
	assert_near( depth_at( s, 5, 9.9 ), 26.98, 1e-3 );
	assert_true( isnan( depth_at( s, -4, -9 ) ) );
	ds_scenario_release( s );

	s = good(
		"'elevation': { 'model': 'raster', 'file': 'ground.asc', 'crs': 'local', 'window': [200, 100, 220, 120] }" );
	ds_terrain_properties p = ds_terrain_measure( s->environment.terrain );
	assert_true( p.rows == 2 && p.columns == 2 );
	ds_scenario_release( s );
}

static void test_meshes( void **state )
{
	(void)state;
	// an open square of 2 units that rises by half a unit to the east, in ENU axes
	write_file( "ground.obj", "v -1 -1 0\nv 1 -1 0.5\nv 1 1 0.5\nv -1 1 0\nf 1 2 3\nf 1 3 4\n" );
	ds_scenario *s =
		good( "'elevation': { 'model': 'mesh', 'file': 'ground.obj', 'scale': 10, 'axes': 'flu', 'position': [100, "
			  "0, 40] }" );
	// flu: x forward, so that the file's x is north and its y is west
	assert_near( depth_at( s, 91, 1 ), 40 - 0.25, 1e-5 );
	assert_near( depth_at( s, 109, -5 ), 40 - 4.75, 1e-5 );
	assert_true( isnan( depth_at( s, 0, 0 ) ) );
	ds_scenario_release( s );
}

// ---- soils ---------------------------------------------------------------------------------------------------------

static void test_soils( void **state )
{
	(void)state;
	ds_scenario *s = good( FLAT ", 'soil': 'deep_sea_clay'" );
	assert_memory_equal( &s->environment.soil, &ds_soil_find( "deep_sea_clay" )->soil, sizeof( ds_soil ) );
	ds_scenario_release( s );

	// without a set, what is not said is dry sand's
	s = good( FLAT ", 'soil': { 'kphi': 2e6, 'friction_deg': 30 }" );
	ds_soil soil = ds_soil_default();
	assert_near( s->environment.soil.kphi, 2e6, 0 );
	assert_near( s->environment.soil.friction, DS_PI / 6, 1e-15 );
	assert_near( s->environment.soil.n, soil.n, 0 );
	assert_near( s->environment.soil.unit_weight, soil.unit_weight, 0 );
	ds_scenario_release( s );

	// what is given stays, though it is dry sand's number, and though dry sand could not have it
	s = good( FLAT ", 'soil': { 'cohesion': 1040, 'set': 'heavy_clay_40', 'rebound': 0.9, 'bulldozing': true }" );
	soil = ds_soil_find( "heavy_clay_40" )->soil;
	assert_near( s->environment.soil.cohesion, 1040, 0 );
	assert_near( s->environment.soil.rebound, 0.9, 0 );
	assert_true( s->environment.soil.bulldozing );
	assert_near( s->environment.soil.n, soil.n, 0 );
	assert_near( s->environment.soil.shear_displacement, soil.shear_displacement, 0 );
	ds_scenario_release( s );
}

static ds_soil_map *map_of( const ds_scenario *s )
{
	const ds_environment_def *e = &s->environment;
	const ds_soil_map_def def = { e->soil, e->soil_patches.data, e->soil_patches.count, e->mask_soils.data,
		e->mask_soils.count, e->soil_mask };
	ds_soil_map *map;
	assert_int_equal( ds_soil_map_create( NULL, &def, &map ), DS_OK );
	return map;
}

static void test_places( void **state )
{
	(void)state;
	write_file( "mask.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n"
							"1 2 2\n0 1 -9999\n" );
	ds_scenario *s =
		good( FLAT ", 'soil': { 'n': 0.9 }, 'mask': { 'file': 'mask.asc', 'crs': 'local', 'soils': [ 'snow', { "
				   "'n': 0.8 } ] }, 'patches': [ { 'soil': { 'n': 0.7 }, 'polygon': [[5, 5], [5, 25], [15, 25], "
				   "[15, 5]] }, { 'soil': 'lete_sand', 'polygon': [[12, 12], [12, 18], [14, 15]] } ]" );
	assert_int_equal( s->environment.soil_patches.count, 2 );
	assert_int_equal( s->environment.mask_soils.count, 2 );
	ds_soil_map *map = map_of( s );
	assert_near( ds_soil_map_at( map, 18, 2 )->n, 1.6, 0 ); // mask: snow in the north-west
	assert_near( ds_soil_map_at( map, 18, 28 )->n, 0.8, 0 );
	assert_near( ds_soil_map_at( map, 2, 12 )->n, 1.6, 0 );
	assert_near( ds_soil_map_at( map, 2, 2 )->n, 0.9, 0 ); // 0
	assert_near( ds_soil_map_at( map, 2, 28 )->n, 0.9, 0 ); // nothing
	assert_near( ds_soil_map_at( map, -2, 12 )->n, 0.9, 0 ); // outside
	assert_near( ds_soil_map_at( map, 10, 20 )->n, 0.7, 0 ); // patch
	assert_near( ds_soil_map_at( map, 12.5, 15 )->n, 0.79, 0 ); // patch on a patch
	ds_soil_map_destroy( map );
	ds_scenario_release( s );
}

static void test_ruts_and_bodies( void **state )
{
	(void)state;
	const ds_environment_def usual = ds_environment_def_default();
	static const struct
	{
		const char *json;
		bool deformable, erosion;
		double cell, memory, step;
	} rows[] = {
		{ FLAT ", 'soil': 'snow'", false, true, 0.02, 64e6, 0.0005 },
		{ FLAT ", 'soil': 'snow', 'deformable': false", false, true, 0.02, 64e6, 0.0005 },
		{ FLAT ", 'soil': 'snow', 'deformable': true, 'soil_step': 0.001", true, true, 0.02, 64e6, 0.001 },
		{ FLAT ", 'soil': 'snow', 'deformable': {}", true, true, 0.02, 64e6, 0.0005 },
		{ FLAT ", 'soil': 'snow', 'deformable': { 'cell': 0.05, 'memory': 8, 'erosion': false }", true, false, 0.05,
			8e6, 0.0005 },
	};
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		ds_scenario *s = good( rows[i].json );
		const ds_environment_def *e = &s->environment;
		assert_true( e->deformable == rows[i].deformable && e->rut_erosion == rows[i].erosion );
		assert_near( e->rut_cell, rows[i].cell, 0 );
		assert_near( e->rut_memory, rows[i].memory, 0 );
		assert_near( e->soil_step, rows[i].step, 0 );
		ds_scenario_release( s );
	}
	assert_true( usual.rut_cell == 0.02 && usual.rut_memory == 64e6 && usual.soil_step == 0.0005 && usual.rut_erosion );

	static const struct
	{
		const char *set;
		bool soil;
		double width, spacing;
	} bodies[] = {
		{ "bodies.hull.soil=true", true, 0, 0 },
		{ "bodies.hull.soil=false", false, 0, 0 },
		{ "bodies.hull.soil={\"width\": 0.4}", true, 0.4, 0 },
		{ "bodies.hull.soil={\"spacing\": 0.1}", true, 0, 0.1 },
	};
	for ( size_t i = 0; i < sizeof( bodies ) / sizeof( bodies[0] ); ++i )
	{
		ds_scenario *s;
		assert_int_equal( parse_with( NULL, bodies[i].set, &s ), DS_OK );
		const ds_body_def *b = &s->bodies[0];
		assert_true(
			b->soil == bodies[i].soil && b->soil_width == bodies[i].width && b->soil_spacing == bodies[i].spacing );
		assert_true( s->bodies[1].soil );
		ds_scenario_release( s );
	}
}

// ---- what is refused -------------------------------------------------------------------------------------------------

static void test_refusals( void **state )
{
	(void)state;
	write_file( "bad.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n0 1\n1.5 3\n" );
	write_file( "far.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 100\ncellsize 10\n0 1\n1 3\n" );
	write_file( "three.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n0 1\n1 3\n" );
#define AT "environment.seabed"
	static const struct
	{
		const char *json;
		ds_status status;
		const char *says;
	} rows[] = {
		{ FLAT ", 'soil': 'custard'", DS_ERROR_NOT_FOUND, AT ".soil: expected null, \"dry_sand\", \"sandy_loam\"," },
		{ FLAT ", 'soil': 'dry_sandd'", DS_ERROR_NOT_FOUND,
			AT ".soil: expected null, one of 26 names or an object, got \"dry_sandd\"; did you mean \"dry_sand\"?" },
		{ FLAT ", 'soil': 5", DS_ERROR_TYPE, AT ".soil: expected" },
		{ FLAT ", 'soil': { 'set': 'dry_sandd' }", DS_ERROR_NOT_FOUND, AT ".soil.set: expected one of 26 names" },
		{ FLAT ", 'soil': { 'friction': 0.5 }", DS_ERROR_UNKNOWN_KEY,
			AT ".soil.friction: unknown key \"friction\": an angle is given in degrees, as \"friction_deg\"" },
		{ FLAT ", 'soil': { 'n': 0 }", DS_ERROR_RANGE, AT ".soil.n: expected a number in (0, 3], got 0" },
		{ FLAT ", 'soil': { 'kc': 0, 'kphi': 0 }", DS_ERROR_RANGE, AT ".soil: soil: kc and kphi are both 0" },
		{ FLAT ", 'soil': { 'set': 'snow', 'rebound': 0.9 }", DS_ERROR_RANGE,
			AT ".soil: soil: rebound must be below 1/n" },
		{ FLAT ", 'patches': [ { 'soil': 'snow', 'polygon': [[0, 0], [1, 0], [1, 1]] } ]", DS_ERROR_NOT_FOUND,
			AT ".patches: \"soil\" is missing" },
		{ FLAT ", 'deformable': true", DS_ERROR_NOT_FOUND, AT ".deformable: \"soil\" is missing" },
		{ FLAT ", 'soil': 'snow', 'deformable': { 'cell': 0 }", DS_ERROR_RANGE, AT ".deformable.cell: expected" },
		{ FLAT ", 'soil': 'snow', 'deformable': { 'sell': 1 }", DS_ERROR_UNKNOWN_KEY, "did you mean \"cell\"" },
		{ FLAT ", 'soil': 'snow', 'patches': [ { 'soil': 'snow' } ]", DS_ERROR_NOT_FOUND,
			AT ".patches[0]: the key \"polygon\" is missing" },
		{ FLAT ", 'soil': 'snow', 'patches': [ { 'soil': null, 'polygon': [[0, 0], [1, 0], [1, 1]] } ]", DS_ERROR_TYPE,
			AT ".patches[0].soil: expected" },
		{ FLAT ", 'soil': 'snow', 'patches': [ { 'soil': 'snow', 'polygon': [[0, 0], [1]] } ]", DS_ERROR_TYPE,
			AT ".patches[0].polygon[1]: expected an array of 2 numbers" },
		{ FLAT ", 'soil': 'snow', 'patches': [ { 'soil': 'snow', 'polygon': [[0, 0], [1, 0]] } ]", DS_ERROR_RANGE,
			AT ".patches[0].polygon: a polygon has 3 to" },
		{ FLAT ", 'soil': 'snow', 'patches': [ { 'soil': { 'kc': 0, 'kphi': 0 }, 'polygon': [[0, 0], [1, 0]] } ]",
			DS_ERROR_RANGE, AT ".patches[0].soil: soil: kc" },
		{ FLAT ", 'soil': 'snow', 'mask': { 'file': 'none.asc', 'soils': [ 'snow' ] }", DS_ERROR_IO, "none.asc" },
		{ FLAT ", 'soil': 'snow', 'mask': { 'file': 'bad.asc', 'crs': 'local', 'soils': [ 'snow', 'snow', 'snow' ] }",
			DS_ERROR_RANGE,
			"bad.asc: the sample at north 5 m, east 5 m is 1.5: a mask holds whole numbers from 0 to 3" },
		{ FLAT ", 'soil': 'snow', 'mask': { 'file': 'three.asc', 'crs': 'local', 'soils': [ 'snow' ] }", DS_ERROR_RANGE,
			"east 15 m is 3: a mask holds whole numbers from 0 to 1" },
		{ FLAT ", 'soil': 'snow', 'mask': { 'file': 'three.asc', 'soils': [] }", DS_ERROR_RANGE,
			AT ".mask.soils: a mask needs 1 to" },
		{ FLAT ", 'soil': 'snow', 'mask': { 'file': 'three.asc' }", DS_ERROR_NOT_FOUND, "\"soils\"" },
		{ "'elevation': { 'model': 'hill' }", DS_ERROR_NOT_FOUND,
			AT ".elevation.model: expected \"flat\", \"slope\"," },
		{ "'elevation': { 'model': 'slope', 'depth': 5 }", DS_ERROR_NOT_FOUND, "\"slope_deg\" is missing" },
		{ "'elevation': { 'model': 'slope', 'depth': 5, 'slope_deg': 85 }", DS_ERROR_RANGE, "[0, 80] deg" },
		{ "'elevation': { 'model': 'sinusoid', 'depth': 5, 'amplitude': 1, 'wavelength': [1e-9, 0] }", DS_ERROR_RANGE,
			AT ".elevation: " },
		{ "'elevation': { 'model': 'fractal', 'depth': 5, 'roughness': 1, 'size': [1e7, 1e7], 'spacing': 0.01 }",
			DS_ERROR_LIMIT, AT ".elevation: " },
		{ "'elevation': { 'model': 'fractal', 'depth': 5, 'roughness': 1, 'spacing': 1e-300 }", DS_ERROR_RANGE,
			AT ".elevation.spacing: " },
		{ "'elevation': { 'model': 'seamount', 'depth': 5, 'height': 1 }", DS_ERROR_NOT_FOUND,
			"\"radius\" is missing" },
		{ "'elevation': { 'model': 'seamount', 'depth': 5, 'height': 1, 'radius': 0 }", DS_ERROR_RANGE,
			AT ".elevation.radius: " },
		{ "'elevation': { 'model': 'raster', 'file': 'none.asc' }", DS_ERROR_IO, AT ".elevation: " },
		{ "'elevation': { 'model': 'raster', 'file': 'far.asc', 'crs': 'geographic' }", DS_ERROR_RANGE,
			AT ".elevation: " },
		{ "'elevation': { 'model': 'raster', 'file': 'three.asc', 'positive': 'sideways' }", DS_ERROR_NOT_FOUND,
			AT ".elevation.positive: expected \"up\" or \"down\"" },
		{ "'elevation': { 'model': 'mesh', 'file': 'none.obj' }", DS_ERROR_IO, AT ".elevation: " },
		{ "'soil': 'snow'", DS_ERROR_NOT_FOUND, "\"elevation\" is missing" },
	};
	int faults = 0;
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		ds_scenario *s;
		ds_status status = load( rows[i].json, &s );
		if ( status != rows[i].status || s || strstr( ds_last_error(), rows[i].says ) == NULL )
		{
			print_error( "%s: %s: %s\n", rows[i].json, ds_status_name( status ), ds_last_error() );
			ds_scenario_release( s );
			++faults;
		}
	}
	assert_int_equal( faults, 0 );

	// in a file the line is named
	write_file( "soil.json", "{ \"deepsim\": 1,\n\"environment\": { \"seabed\": {\n\"elevation\": { \"model\": "
							 "\"flat\", \"depth\": 5 },\n\"soil\": \"dry_sandd\" } } }" );
	ds_scenario *s;
	assert_int_equal( load_file( "soil.json", &s ), DS_ERROR_NOT_FOUND );
	assert_non_null( strstr( short_error(), "soil.json:4: environment.seabed.soil: expected null" ) );
}

// ---- memory, and what is printed -------------------------------------------------------------------------------------

// An allocator that gives out so many blocks and no more, and counts what is out.
typedef struct rations
{
	int64_t left, out;
} rations;

static void *take( void *user, size_t size, size_t alignment )
{
	rations *r = user;
	if ( r->left-- <= 0 )
	{
		return NULL;
	}
	++r->out;
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void give( void *user, void *memory, size_t size )
{
	(void)size;
	--( (rations *)user )->out;
	free( memory );
}

static ds_status load_all( const ds_hooks *hooks, ds_scenario **scenario )
{
	static const char text[] = "{ \"deepsim\": 1, \"environment\": { \"seabed\": { \"elevation\": { \"model\": "
							   "\"raster\", \"file\": \"mask.asc\", "
							   "\"crs\": \"local\" }, \"soil\": \"snow\", \"mask\": { \"file\": \"mask.asc\", \"crs\": "
							   "\"local\", \"soils\": [ \"snow\", "
							   "{ \"n\": 0.8 } ] }, \"patches\": [ { \"soil\": \"lete_sand\", \"polygon\": [[12, 12], "
							   "[12, 18], [14, 15]] } ] } } }";
	ds_registry *registry;
	*scenario = NULL;
	DS_TRY( ds_registry_create( hooks, &registry ) );
	ds_status status = ds_scenario_parse( text, "all.json", DEEPSIM_TEST_TMP, NULL, 0, registry, scenario );
	ds_registry_release( registry );
	return status;
}

static void test_memory( void **state )
{
	(void)state;
	write_file( "mask.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 2\n0 1 0\n" );
	for ( int64_t blocks = 0;; ++blocks )
	{
		rations r = { blocks, 0 };
		const ds_hooks hooks = { { take, give, &r }, NULL, NULL };
		ds_scenario *scenario;
		ds_status status = load_all( &hooks, &scenario );
		if ( status == DS_OK )
		{
			assert_true( blocks > 20 );
			ds_scenario_release( scenario );
			assert_int_equal( r.out, 0 );
			return;
		}
		assert_int_equal( status, DS_ERROR_MEMORY );
		assert_null( scenario );
		assert_int_equal( r.out, 0 );
	}
}

// Every soil is listed with its numbers, and those that were derived say so.
static void test_describe( void **state )
{
	(void)state;
	ds_registry *registry;
	ds_text text = { 0 };
	assert_int_equal( ds_registry_create( NULL, &registry ), DS_OK );
	assert_int_equal( ds_describe( registry, "soils", &text ), DS_OK );
	for ( int32_t i = 0; i < ds_soil_count(); ++i )
	{
		const ds_soil_set *set = ds_soil_at( i );
		char title[256], number[64];
		snprintf( title, sizeof( title ), "\n%s: %s%s\n", set->name, set->title, set->assumed ? " (assumption)" : "" );
		const char *found = strstr( ds_text_get( &text ), title );
		assert_non_null( found );
		snprintf( number, sizeof( number ), "kphi %.7g N/m^(n+2)", set->soil.kphi );
		const char *kphi = strstr( found, number );
		snprintf( number, sizeof( number ), "friction_deg %.7g", set->soil.friction * ( 180 / DS_PI ) );
		const char *friction = strstr( found, number ), *next = strstr( found + 1, "\n\n" );
		assert_true( kphi && friction && ( next == NULL || ( kphi < next && friction < next ) ) );
	}
	ds_text_clear( &text );
	text = ( ds_text ){ 0 };
	assert_int_equal( ds_describe_list( registry, &text ), DS_OK );
	assert_non_null( strstr( ds_text_get( &text ), "  soils " ) );
	ds_text_clear( &text );
	// the numbers of a soil stand once, and are referred to elsewhere
	text = ( ds_text ){ 0 };
	assert_int_equal( ds_describe( registry, "seabed", &text ), DS_OK );
	const char *first = strstr( ds_text_get( &text ), "soil.kphi" );
	assert_non_null( first );
	assert_null( strstr( first + 9, ".kphi" ) );
	assert_non_null( strstr( ds_text_get( &text ), "patches[].soil.*" ) );
	assert_non_null( strstr( ds_text_get( &text ), "and 23 more names" ) );
	ds_text_clear( &text );
	text = ( ds_text ){ 0 };
	assert_int_equal( ds_describe( registry, "soilz", &text ), DS_ERROR_NOT_FOUND );
	assert_non_null( strstr( ds_last_error(), "did you mean \"soils\"?" ) );
	ds_text_clear( &text );
	ds_registry_release( registry );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_planes ),
		cmocka_unit_test( test_shapes ),
		cmocka_unit_test( test_rasters ),
		cmocka_unit_test( test_meshes ),
		cmocka_unit_test( test_soils ),
		cmocka_unit_test( test_places ),
		cmocka_unit_test( test_ruts_and_bodies ),
		cmocka_unit_test( test_refusals ),
		cmocka_unit_test( test_memory ),
		cmocka_unit_test( test_describe ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Projected rasters: a grid of UTM coordinates whose depths are a function of latitude and longitude, by gdaltransform, must give that
// function where it lies in the world, by radii of curvature that are written out here.

#include "tests/unit/raster_kit.h"

#include "base/module.h"

#define DEGREE ( 3.14159265358979323846 / 180 )
#define ASC    RASTER_PATH( "projected.asc" )
#define PRJ    RASTER_PATH( "projected.prj" )
#define PLACES RASTER_PATH( "places.txt" )
#define ROWS   61

typedef struct projection
{
	const char *epsg;
	double x, y; // of the south-western sample
	double cell;
	double latitude, longitude; // [degrees] of an origin in the raster
} projection;

static double depth_of( double latitude, double longitude, const projection *p )
{
	double a = latitude - p->latitude, b = longitude - p->longitude;
	return 4000 + 9000 * a - 5000 * b + 40000 * a * b - 30000 * a * a;
}

// WGS-84 radii of curvature (NIMA TR8350.2).
static void radii( double latitude, double *meridian, double *parallel )
{
	const double a = 6378137, b = 6356752.314245179;
	double c = cos( latitude ), s = sin( latitude ), root = hypot( a * c, b * s );
	*meridian = a * a * b * b / ( root * root * root );
	*parallel = a * a / root * c;
}

static void write_projected( const projection *p )
{
	char line[512];
	FILE *file = fopen( PLACES, "w" );
	assert_non_null( file );
	for ( int i = 0; i < ROWS * ROWS; ++i )
	{
		int row = i / ROWS, column = i % ROWS;
		fprintf( file, "%.6f %.6f\n", p->x + p->cell * column, p->y + p->cell * ( ROWS - 1 - row ) );
	}
	assert_int_equal( fclose( file ), 0 );
	snprintf( line, sizeof( line ), "gdalsrsinfo -o wkt_esri %s | tr -d '\\n' > '" PRJ "'", p->epsg );
	assert_int_equal( system( line ), 0 );
	snprintf( line, sizeof( line ), "gdaltransform -output_xy -s_srs %s -t_srs EPSG:4326 < '" PLACES "'", p->epsg );
	FILE *places = popen( line, "r" );
	assert_non_null( places );
	file = fopen( ASC, "w" );
	assert_non_null( file );
	fprintf(
		file, "ncols %d\nnrows %d\nxllcenter %.3f\nyllcenter %.3f\ncellsize %g\n", ROWS, ROWS, p->x, p->y, p->cell );
	for ( int i = 0; i < ROWS * ROWS; ++i )
	{
		double longitude, latitude;
		assert_int_equal( fscanf( places, "%lf %lf", &longitude, &latitude ), 2 );
		fprintf( file, "%.6f\n", -depth_of( latitude, longitude, p ) );
	}
	assert_int_equal( pclose( places ), 0 );
	assert_int_equal( fclose( file ), 0 );
}

static void check( const projection *p )
{
	write_projected( p );
	ds_raster_options o = ds_raster_options_default();
	o.latitude = p->latitude * DEGREE;
	o.longitude = p->longitude * DEGREE;
	ds_raster_report report;
	ds_terrain *t = load( ASC, &o, &report );
	double meridian, parallel;
	radii( o.latitude, &meridian, &parallel );
	// cells keep their size, but for the scale of the projection: EPSG:3995, true at 71 degrees, shrinks by 2 % at 80
	expect_near( report.spacing_north / p->cell, 1, 0.025 );
	expect_near( report.spacing_east / p->cell, 1, 0.025 );
	int tried = 0;
	double worst = 0;
	for ( int i = -20; i <= 20; ++i )
	{
		for ( int k = -20; k <= 20; ++k )
		{
			double north = p->cell * ( i + 0.3 ), east = p->cell * ( k - 0.2 );
			double latitude = p->latitude + north / meridian / DEGREE,
				   longitude = p->longitude + east / parallel / DEGREE;
			worst = fmax( worst, fabs( depth_at( t, north, east ) - depth_of( latitude, longitude, p ) ) );
			++tried;
		}
	}
	// a fifth of a cell off would be 1 m and more; the bend of the surface over a cell, which triangles do not follow, is 0.1 m
	print_message( "%s: worst of %d places %.3f m\n", p->epsg, tried, worst );
	assert_true( worst < 0.2 );
	ds_terrain_release( t );
}

// UTM away from its central meridian, where north is turned by two degrees; polar stereographic, turned by 100.
static void test_projections( void **state )
{
	(void)state;
	const projection utm = { "EPSG:32633", 634000, 6650000, 150, 60.0, 17.5 };
	const projection ups = { "EPSG:3995", 0, 0, 150, 80.0, 100.0 };
	projection found[2] = { utm, ups };
	for ( int i = 0; i < 2; ++i )
	{
		// the grid is centred on the origin
		char line[256];
		snprintf( line, sizeof( line ), "echo '%.9f %.9f' | gdaltransform -output_xy -s_srs EPSG:4326 -t_srs %s",
			found[i].longitude, found[i].latitude, found[i].epsg );
		FILE *pipe = popen( line, "r" );
		double x, y;
		assert_non_null( pipe );
		assert_int_equal( fscanf( pipe, "%lf %lf", &x, &y ), 2 );
		pclose( pipe );
		found[i].x = round( x ) - 0.5 * ( ROWS - 1 ) * found[i].cell;
		found[i].y = round( y ) - 0.5 * ( ROWS - 1 ) * found[i].cell;
		check( &found[i] );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( test_projections ) };
	const void *table;
	if ( system( "gdaltransform --version >/dev/null 2>&1 && gdalsrsinfo --version >/dev/null 2>&1" ) != 0 )
	{
		print_message( "skipped: gdaltransform and gdalsrsinfo are not installed (Debian: gdal-bin)\n" );
		return 77;
	}
	if ( ds_module_open( "raster_gdal", NULL, &table ) != DS_OK )
	{
		print_message( "skipped: %s\n", ds_last_error() );
		return 77;
	}
	return cmocka_run_group_tests( tests, NULL, NULL );
}

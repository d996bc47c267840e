// The geomagnetic models: every official test value of WMM2025 and WMM2020, IGRF-14 by its reference program, DGRF 2010 by NOAA's
// calculator; poles, zones, dates.

#include "world_kit.h"

#include <math.h>

#define DEGREE   ( DS_PI / 180 )
#define FIXTURES DEEPSIM_SOURCE_DIR "/tests/fixtures/geomagnetic/"
#define NANO     1e-9

// The next row of numbers of a CSV file; lines that do not start with a number are passed over.
static bool next_row( FILE *file, double *row, int count )
{
	char line[512];
	while ( fgets( line, sizeof( line ), file ) )
	{
		char *at = line;
		int found = 0;
		for ( ; found < count; ++found, ++at )
		{
			char *end;
			row[found] = strtod( at, &end );
			if ( end == at )
			{
				break;
			}
			at = end;
		}
		if ( found == count )
		{
			return true;
		}
		assert_int_equal( found, 0 );
	}
	return false;
}

static FILE *open_fixture( const char *name )
{
	char path[512];
	snprintf( path, sizeof( path ), FIXTURES "%s", name );
	FILE *file = fopen( path, "r" );
	assert_non_null( file );
	return file;
}

// Rows of year, altitude, latitude, longitude, D, I, H, X, Y, Z, F and their rates. Tolerances: of components and of angles.
static void check_wmm( const ds_geomagnetic_model *model, const char *name, double nt, double degrees, double nt_year,
	double degrees_year )
{
	FILE *file = open_fixture( name );
	double r[18];
	int rows = 0;
	for ( ; next_row( file, r, 18 ); ++rows )
	{
		ds_geomagnetic f;
		OK( ds_geomagnetic_at( model, r[2] * DEGREE, r[3] * DEGREE, 1000 * r[1], r[0], &f ) );
		NEAR( f.field.x / NANO, r[7], nt );
		NEAR( f.field.y / NANO, r[8], nt );
		NEAR( f.field.z / NANO, r[9], nt );
		NEAR( f.horizontal / NANO, r[6], nt );
		NEAR( f.total / NANO, r[10], nt );
		NEAR( f.declination / DEGREE, r[4], degrees );
		NEAR( f.inclination / DEGREE, r[5], degrees );
		NEAR( f.declination_rate / DEGREE, r[11], degrees_year );
		NEAR( f.inclination_rate / DEGREE, r[12], degrees_year );
		NEAR( f.horizontal_rate / NANO, r[13], nt_year );
		NEAR( f.field_rate.x / NANO, r[14], nt_year );
		NEAR( f.field_rate.y / NANO, r[15], nt_year );
		NEAR( f.field_rate.z / NANO, r[16], nt_year );
		NEAR( f.total_rate / NANO, r[17], nt_year );
	}
	assert_int_equal( rows, 100 );
	fclose( file );
}

static void test_wmm2025( void **state )
{
	(void)state;
	check_wmm( ds_geomagnetic_wmm2025(), "wmm2025.csv", 0.002, 0.005001, 1e-4, 5.1e-7 + 1e-6 );
}

// A model from coefficients of one's own.
static void test_wmm2020( void **state )
{
	(void)state;
	double values[168], rates[168], row[2];
	FILE *file = open_fixture( "wmm2020_coefficients.csv" );
	int count = 0;
	for ( ; count < 168 && next_row( file, row, 2 ); ++count )
	{
		values[count] = row[0];
		rates[count] = row[1];
	}
	assert_int_equal( count, 168 );
	fclose( file );
	const double epoch = 2020;
	const ds_geomagnetic_model model = { "WMM2020", 12, 1, &epoch, values, rates, 2020, 2025 };
	// printed to 0.1 nT, 0.01 degrees, 0.1 nT/year and 0.1 degrees/year
	check_wmm( &model, "wmm2020.csv", 0.0501, 0.005001, 0.0501, 0.0501 );
}

static void test_igrf14( void **state )
{
	(void)state;
	FILE *file = open_fixture( "igrf14.csv" );
	double r[8];
	int rows = 0;
	for ( ; next_row( file, r, 8 ); ++rows )
	{
		ds_geomagnetic f;
		OK( ds_geomagnetic_at(
			ds_geomagnetic_igrf14(), ( 90 - r[2] ) * DEGREE, r[3] * DEGREE, 1000 * r[1], r[0], &f ) );
		NEAR( f.field.x / NANO, r[4], 0.1 );
		NEAR( f.field.y / NANO, r[5], 0.1 );
		NEAR( f.field.z / NANO, r[6], 0.1 );
		NEAR( f.total / NANO, r[7], 0.1 );
		assert_int_equal( f.warnings & DS_GEOMAGNETIC_DATE, r[0] < 1900 || r[0] > 2030 ? DS_GEOMAGNETIC_DATE : 0 );
	}
	assert_int_equal( rows, 203 );
	fclose( file );
}

static void test_dgrf2010( void **state )
{
	(void)state;
	FILE *file = open_fixture( "dgrf2010.csv" );
	double r[7];
	int rows = 0;
	for ( ; next_row( file, r, 7 ); ++rows )
	{
		ds_geomagnetic f;
		OK( ds_geomagnetic_at( ds_geomagnetic_igrf14(), r[1] * DEGREE, r[2] * DEGREE, 1000 * r[3], r[0], &f ) );
		NEAR( f.field.x / NANO, r[4], 0.0501 );
		NEAR( f.field.y / NANO, r[5], 0.0501 );
		NEAR( f.field.z / NANO, r[6], 0.0501 );
	}
	assert_int_equal( rows, 108 );
	fclose( file );
}

// IGRF is linear between epochs and continuous at them, and its rate is its own slope.
static void test_epochs( void **state )
{
	(void)state;
	const ds_geomagnetic_model *model = ds_geomagnetic_igrf14();
	for ( double year = 1900; year < 2030; year += 5 )
	{
		ds_geomagnetic a, b, middle;
		OK( ds_geomagnetic_at( model, 0.8, -0.3, 0, year, &a ) );
		OK( ds_geomagnetic_at( model, 0.8, -0.3, 0, nextafter( year + 5, 0 ), &b ) );
		OK( ds_geomagnetic_at( model, 0.8, -0.3, 0, year + 2.5, &middle ) );
		NEAR3( middle.field, ds_scale( 0.5, ds_add( a.field, b.field ) ), 1e-17 );
		NEAR3( middle.field_rate, ds_scale( 0.2, ds_sub( b.field, a.field ) ), 1e-17 );
		OK( ds_geomagnetic_at( model, 0.8, -0.3, 0, year + 5, &middle ) );
		NEAR3( middle.field, b.field, 1e-17 );
	}
}

// At and beside the poles: finite, continuous, one and the same vector whatever the longitude that names north.
static void test_poles( void **state )
{
	(void)state;
	for ( int south = 0; south < 2; ++south )
	{
		double sign = south ? -1 : 1;
		ds_vec3 first = ds_v3( 0, 0, 0 );
		for ( int i = 0; i < 36; ++i )
		{
			double longitude = ( 10 * i - 180 ) * DEGREE;
			ds_geomagnetic pole, near;
			OK( ds_geomagnetic_at( ds_geomagnetic_wmm2025(), sign * 90 * DEGREE, longitude, 0, 2026, &pole ) );
			OK( ds_geomagnetic_at(
				ds_geomagnetic_wmm2025(), sign * ( 90 - 1e-8 ) * DEGREE, longitude, 0, 2026, &near ) );
			assert_true( ds_finite( pole.field ) && ds_finite( pole.field_rate ) && pole.total > 5e-5 );
			NEAR3( pole.field, near.field, 1e-12 );
			NEAR3( pole.field_rate, near.field_rate, 1e-12 );
			// towards the pole, then east, as seen in axes that do not turn with the longitude
			double c = cos( longitude ), s = sin( longitude ), n = -sign * pole.field.x, e = pole.field.y;
			ds_vec3 fixed = ds_v3( n * c - e * s, n * s + e * c, pole.field.z );
			first = i == 0 ? fixed : first;
			NEAR3( fixed, first, 1e-18 );
		}
	}
}

// The field is a gradient without sources: its divergence and curl vanish, by differences in local axes over a flat patch.
static void test_is_a_potential_field( void **state )
{
	(void)state;
	const double latitude = 45 * DEGREE, longitude = -30 * DEGREE, step = 200;
	const double meridian = 6367381.8,
				 parallel = 6388838.3 * cos( latitude ); // radii of curvature at 45 degrees (WGS-84) [m]
	ds_vec3 d[3];
	for ( int k = 0; k < 3; ++k )
	{
		double n = k == 0 ? step / meridian : 0, e = k == 1 ? step / parallel : 0, h = k == 2 ? -step : 0;
		ds_geomagnetic a, b;
		OK( ds_geomagnetic_at( ds_geomagnetic_wmm2025(), latitude + n, longitude + e, h, 2026, &a ) );
		OK( ds_geomagnetic_at( ds_geomagnetic_wmm2025(), latitude - n, longitude - e, -h, 2026, &b ) );
		d[k] = ds_scale( 0.5 / step, ds_sub( a.field, b.field ) );
	}
	// the local axes turn on the way: by 1/R about east on the way north, by tan(lat)/R and 1/R on the way east
	ds_geomagnetic here;
	OK( ds_geomagnetic_at( ds_geomagnetic_wmm2025(), latitude, longitude, 0, 2026, &here ) );
	ds_vec3 b = here.field;
	double rn = meridian, re = 6388838.3, t = tan( latitude );
	d[0] = ds_add( d[0], ds_v3( -b.z / rn, 0, b.x / rn ) );
	d[1] = ds_add( d[1], ds_v3( b.y * t / re, -( b.z + b.x * t ) / re, b.y / re ) );
	const double small = 1e-3 * 3 * 6.4e-5 / 6.4e6; // of the gradient's size
	NEAR( d[0].x + d[1].y + d[2].z, 0, small );
	NEAR( d[0].y - d[1].x, 0, small );
	NEAR( d[1].z - d[2].y, 0, small );
	NEAR( d[2].x - d[0].z, 0, small );
}

static uint32_t warnings_at( double latitude, double longitude, double height, double year )
{
	ds_geomagnetic f;
	OK( ds_geomagnetic_at( ds_geomagnetic_wmm2025(), latitude * DEGREE, longitude * DEGREE, height, year, &f ) );
	return f.warnings;
}

static void test_warnings( void **state )
{
	(void)state;
	assert_int_equal( warnings_at( 45, -30, 0, 2026 ), 0 );
	assert_int_equal( warnings_at( 45, -30, 0, 2025 ) | warnings_at( 45, -30, 0, 2030 ), 0 );
	assert_int_equal( warnings_at( 45, -30, 0, 2024.99 ), DS_GEOMAGNETIC_DATE );
	assert_int_equal( warnings_at( 45, -30, 0, 2030.01 ), DS_GEOMAGNETIC_DATE );
	assert_int_equal( warnings_at( 45, -30, -1001, 2026 ), DS_GEOMAGNETIC_ALTITUDE );
	assert_int_equal( warnings_at( 45, -30, 851e3, 2026 ), DS_GEOMAGNETIC_ALTITUDE );
	// rows 1 and 2 of the official values: H is 1504 and 2164 nT
	assert_int_equal( warnings_at( 89, -121, 28e3, 2025 ), DS_GEOMAGNETIC_BLACKOUT );
	assert_int_equal( warnings_at( 80, -96, 48e3, 2025 ), DS_GEOMAGNETIC_CAUTION );
	ds_geomagnetic f = { .warnings = 0xf };
	char text[256] = "x";
	ds_geomagnetic_warning( ds_geomagnetic_wmm2025(), &f, text, 60 );
	assert_int_equal( strlen( text ), 59 );
	char all[512];
	ds_geomagnetic_warning( ds_geomagnetic_wmm2025(), &f, all, sizeof( all ) );
	assert_non_null( strstr( all, "2025 to 2030 of WMM2025" ) );
	assert_non_null( strstr( all, "; blackout zone" ) );
	f.warnings = 0;
	ds_geomagnetic_warning( ds_geomagnetic_wmm2025(), &f, text, sizeof( text ) );
	assert_string_equal( text, "" );
}

static void test_dates( void **state )
{
	(void)state;
	static const struct
	{
		const char *text;
		double year, seconds;
	} dates[] = { { "2025-01-01", 2025, 1735689600 }, { "2026-07-02T12:00:00Z", 2026.5, 1782993600 },
		{ "2024-07-02", 2024.5, 1719878400 }, { "2024-12-31", 2024 + 365 / 366.0, 1735603200 },
		{ "1900-03-01", 1900 + 59 / 365.0, -2203891200 }, { "2000-02-29T00:00:00Z", 2000 + 59 / 366.0, 951782400 },
		{ "1970-01-01", 1970, 0 }, { "1969-12-31T23:59:59Z", 1970 - 1 / ( 365 * 86400.0 ), -1 } };
	for ( size_t i = 0; i < sizeof( dates ) / sizeof( dates[0] ); ++i )
	{
		double year;
		OK( ds_decimal_year( dates[i].text, &year ) );
		NEAR( year, dates[i].year, 1e-12 );
		NEAR( ds_decimal_year_of( dates[i].seconds ), year, 1e-12 );
	}
	static const char *const wrong[] = { "", "2026", "2026-13-01", "2026-00-10", "2026-02-29", "2026-01-01T24:00:00Z",
		"2026-01-01T00:00:00", "2026-1-1", "2026-01-01 00:00:00Z", "+026-01-01", "2026-01-01x" };
	for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
	{
		double year;
		FAILS( ds_decimal_year( wrong[i], &year ), DS_ERROR_FORMAT, "expected a UTC date" );
	}
	// every day of eight centuries goes on from the day before
	double last = ds_decimal_year_of( -86400.0 * 365 * 300 );
	for ( int day = 1 - 365 * 300; day < 365 * 500; ++day )
	{
		double now = ds_decimal_year_of( 86400.0 * day );
		assert_true( now - last > 1 / 366.1 && now - last < 1 / 364.9 );
		last = now;
	}
}

static void test_errors( void **state )
{
	(void)state;
	const ds_geomagnetic_model *m = ds_geomagnetic_wmm2025();
	ds_geomagnetic f;
	FAILS( ds_geomagnetic_at( m, 91 * DEGREE, 0, 0, 2026, &f ), DS_ERROR_RANGE, "latitude must lie in [-90, 90]" );
	FAILS( ds_geomagnetic_at( m, 0, 0, -2e6, 2026, &f ), DS_ERROR_RANGE, "height above the ellipsoid" );
	FAILS( ds_geomagnetic_at( m, 0, 0, 0, 999, &f ), DS_ERROR_RANGE, "year must lie in" );
	FAILS( ds_geomagnetic_at( m, NAN, 0, 0, 2026, &f ), DS_ERROR_NOT_FINITE, "must be finite" );
	FAILS( ds_geomagnetic_at( m, 0, INFINITY, 0, 2026, &f ), DS_ERROR_NOT_FINITE, "must be finite" );
	FAILS( ds_geomagnetic_at( NULL, 0, 0, 0, 2026, &f ), DS_ERROR_ARGUMENT, "needs a model" );
	FAILS( ds_geomagnetic_at( m, 0, 0, 0, 2026, NULL ), DS_ERROR_ARGUMENT, "room for the field" );
	ds_geomagnetic_model bad = *m;
	bad.degree = 14;
	FAILS( ds_geomagnetic_at( &bad, 0, 0, 0, 2026, &f ), DS_ERROR_ARGUMENT, "degree 1 to 13" );
	assert_ptr_equal( ds_geomagnetic_find( "wmm2025" ), m );
	assert_ptr_equal( ds_geomagnetic_find( "igrf14" ), ds_geomagnetic_igrf14() );
	assert_null( ds_geomagnetic_find( "wmm2020" ) );
	assert_null( ds_geomagnetic_find( NULL ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_wmm2025 ),
		cmocka_unit_test( test_wmm2020 ),
		cmocka_unit_test( test_igrf14 ),
		cmocka_unit_test( test_dgrf2010 ),
		cmocka_unit_test( test_epochs ),
		cmocka_unit_test( test_poles ),
		cmocka_unit_test( test_is_a_potential_field ),
		cmocka_unit_test( test_warnings ),
		cmocka_unit_test( test_dates ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

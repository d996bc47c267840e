// Lenses: values worked by hand, inverses of strong ones, derivatives, limits, options.

#include "deepsim/lens.h"
#include "world_kit.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static ds_lens lens_of( const char *json )
{
	ds_lens_config config;
	OK( ds_table_parse( ds_lens_config_table(), json, &config ) );
	ds_lens lens;
	OK( ds_lens_make( &config, &lens ) );
	return lens;
}

// A number from 0 to 1 of a sequence of its own.
static double uniform( void )
{
	static uint64_t x = 88172645463325252u;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (double)( x >> 11 ) * 0x1p-53;
}

static double between( double low, double high )
{
	return low + ( high - low ) * uniform();
}

static ds_vec3 at_angle( double from_axis, double around )
{
	return ds_v3( sin( from_axis ) * cos( around ), sin( from_axis ) * sin( around ), cos( from_axis ) );
}

// ---- by hand -----------------------------------------------------------------------------------------------------------

static void test_default( void **state )
{
	(void)state;
	ds_lens_config config = ds_lens_config_default();
	ds_lens lens;
	OK( ds_table_check( ds_lens_config_table() ) );
	OK( ds_lens_make( &config, &lens ) );
	assert_int_equal( lens.width, 640 );
	assert_int_equal( lens.height, 480 );
	NEAR( lens.fx, 320 / tan( 35 * DEGREE ), 1e-10 );
	NEAR( lens.fy, lens.fx, 0 );
	NEAR( lens.cx, 319.5, 0 );
	NEAR( lens.cy, 239.5, 0 );
	NEAR( lens.limit, 90 * DEGREE, 1e-15 );
	ds_vec3 d;
	// the edge of the image is half a pixel beyond the centre of its first one
	OK( ds_lens_ray( &lens, -0.5, 239.5, &d ) );
	NEAR3( d, at_angle( 35 * DEGREE, DS_PI ), 1e-15 );
}

// Source paper (30, 31) at x/z = 0.5, y/z = -0.25: r^2 = 0.3125.
static void test_rectilinear_by_hand( void **state )
{
	(void)state;
	ds_lens lens = lens_of( "{ \"fx\": 100, \"fy\": 200, \"center\": [10, 20], \"k\": [0.1, -0.2, 0.3, 0], "
							"\"p\": [0.01, -0.02] }" );
	double radial = 1 + 0.1 * 0.3125 - 0.2 * 0.09765625 + 0.3 * 0.030517578125, pixel[2];
	double x = 0.5 * radial + 2 * 0.01 * 0.5 * -0.25 - 0.02 * ( 0.3125 + 2 * 0.25 );
	double y = -0.25 * radial + 0.01 * ( 0.3125 + 2 * 0.0625 ) + 2 * -0.02 * 0.5 * -0.25;
	OK( ds_lens_project( &lens, ds_v3( 2, -1, 4 ), pixel ) );
	NEAR( pixel[0], 10 + 100 * x, 1e-13 );
	NEAR( pixel[1], 20 + 200 * y, 1e-13 );
	FAILS( ds_lens_project( &lens, ds_v3( 0.1, 0, -1 ), pixel ), DS_ERROR_RANGE, "no pixel for a direction 174.289" );
	FAILS( ds_lens_project( &lens, ds_v3( 0, 0, 0 ), pixel ), DS_ERROR_RANGE, "not all 0" );
	FAILS( ds_lens_project( &lens, ds_v3( 0, NAN, 1 ), pixel ), DS_ERROR_NOT_FINITE, "finite" );
	ds_vec3 d;
	FAILS( ds_lens_ray( &lens, INFINITY, 0, &d ), DS_ERROR_NOT_FINITE, "finite" );
}

static void test_fisheye_by_hand( void **state )
{
	(void)state;
	ds_lens lens = lens_of( "{ \"model\": \"fisheye\", \"fx\": 100, \"fy\": 50, \"center\": [0, 0], "
							"\"k\": [0.1, 0.01, -0.001, 0.0001] }" );
	double pixel[2], t = 100 * DEGREE, s = t * t;
	OK( ds_lens_project( &lens, at_angle( t, 30 * DEGREE ), pixel ) );
	double r = t + 0.1 * t * s + 0.01 * t * s * s - 0.001 * t * s * s * s + 0.0001 * t * s * s * s * s;
	NEAR( pixel[0], 100 * r * cos( 30 * DEGREE ), 1e-11 );
	NEAR( pixel[1], 50 * r * 0.5, 1e-11 );
	NEAR( lens.limit, DS_PI, 0 );
	FAILS( ds_lens_project( &lens, ds_v3( 0, 0, -1 ), pixel ), DS_ERROR_RANGE, "180 degrees from its axis" );
}

static void test_wide_by_hand( void **state )
{
	(void)state;
	double pixel[2];
	ds_vec3 d;
	ds_lens lens = lens_of( "{ \"model\": \"equirectangular\", \"width\": 720, \"height\": 360, \"fov_deg\": 360 }" );
	OK( ds_lens_project( &lens, ds_v3( 3, 0, 0 ), pixel ) ); // to the right
	NEAR( pixel[0], 359.5 + 180, 1e-12 );
	NEAR( pixel[1], 179.5, 1e-12 );
	OK( ds_lens_project( &lens, ds_v3( 0, 1, -1 ), pixel ) ); // behind, 45 degrees down: the right edge
	NEAR( pixel[0], 719.5, 1e-12 );
	NEAR( pixel[1], 179.5 + 90, 1e-12 );
	OK( ds_lens_ray( &lens, -0.5, 179.5, &d ) );
	NEAR3( d, ds_v3( 0, 0, -1 ), 1e-12 );
	FAILS( ds_lens_ray( &lens, 720, 179.5, &d ), DS_ERROR_RANGE, "180 degrees across" );
	FAILS( ds_lens_ray( &lens, 10, 360, &d ), DS_ERROR_RANGE, "90 up or down" );
	FAILS( ds_lens_project( &lens, ds_v3( 0, -1, 0 ), pixel ), DS_ERROR_RANGE, "up and down" );

	lens = lens_of( "{ \"model\": \"stereographic\", \"width\": 201, \"height\": 201, \"fov_deg\": 180 }" );
	NEAR( lens.fx, 100.5 / 2, 1e-12 );
	OK( ds_lens_project( &lens, ds_v3( 0, -7, 0 ), pixel ) ); // 90 degrees up: half the field of view
	NEAR( pixel[0], 100, 1e-12 );
	NEAR( pixel[1], -0.5, 1e-12 );
	OK( ds_lens_project( &lens, at_angle( 120 * DEGREE, 0 ), pixel ) );
	NEAR( pixel[0], 100 + lens.fx * 2 * tan( 60 * DEGREE ), 1e-11 );
}

static void test_light( void **state )
{
	(void)state;
	ds_lens lens = lens_of( "{ \"vignetting\": 4 }" );
	NEAR( ds_lens_light( &lens, ds_v3( 0, 0, 9 ) ), 1, 0 );
	NEAR( ds_lens_light( &lens, ds_v3( 0, 2, 2 ) ), 0.25, 1e-15 );
	NEAR( ds_lens_light( &lens, ds_v3( 0, 2, -1 ) ), 0, 0 );
	lens = lens_of( "{ \"model\": \"fisheye\" }" );
	NEAR( ds_lens_light( &lens, ds_v3( 0, 2, -1 ) ), 1, 0 );
}

// ---- limits ------------------------------------------------------------------------------------------------------------

// Barrel: r - r^3 / 3 turns back at r = 1, where it is 2 / 3.
static void test_barrel_turns_back( void **state )
{
	(void)state;
	ds_lens lens = lens_of( "{ \"fx\": 300, \"center\": [0, 0], \"k\": [-0.33333333333333333, 0, 0, 0] }" );
	NEAR( lens.limit, 45 * DEGREE, 1e-15 );
	NEAR( lens.radius, 2.0 / 3, 1e-15 );
	double pixel[2];
	ds_vec3 d;
	OK( ds_lens_project( &lens, ds_v3( 0.999999, 0, 1 ), pixel ) );
	FAILS( ds_lens_project( &lens, ds_v3( 1.000001, 0, 1 ), pixel ), DS_ERROR_RANGE, "it reaches to 45" );
	OK( ds_lens_ray( &lens, 199.9999, 0, &d ) );
	FAILS( ds_lens_ray( &lens, 200.0001, 0, &d ), DS_ERROR_RANGE, "one-to-one" );

	// a zero that does not come from the first term: 1 + 3 s - 10 s^2 + 7/8 s^3 ...
	lens = lens_of( "{ \"fx\": 300, \"k\": [1, -2, 0.125, 0] }" );
	double s = tan( lens.limit ) * tan( lens.limit );
	NEAR( 1 + 3 * s - 10 * s * s + 0.875 * s * s * s, 0, 1e-14 );
	assert_true( s < 1 ); // the first of two

	// two zeros of the slope that come close to each other, and lie within 1e-3 of touching: 1 - 2 (1 - e) s + s^2
	lens = lens_of( "{ \"fx\": 300, \"k\": [-0.666666, 0.2, 0, 0] }" );
	NEAR( lens.limit, 90 * DEGREE, 1e-15 );
	lens = lens_of( "{ \"fx\": 300, \"k\": [-0.666667, 0.2, 0, 0] }" );
	NEAR( pow( tan( lens.limit ), 2 ), 1.0000005 - sqrt( 1.0000005 * 1.0000005 - 1 ), 1e-9 );

	// fisheye: theta - theta^3 / 3 turns back at 1 rad
	lens = lens_of(
		"{ \"model\": \"fisheye\", \"fx\": 300, \"center\": [0, 0], \"k\": [-0.33333333333333333, 0, 0, 0] }" );
	NEAR( lens.limit, 1, 1e-15 );
	FAILS( ds_lens_project( &lens, at_angle( 1.001, 2 ), pixel ), DS_ERROR_RANGE, "57.3" );
	FAILS( ds_lens_ray( &lens, 200.0001, 0, &d ), DS_ERROR_RANGE, "one-to-one" );
}

// Tangential terms alone: along x with p2 = -0.1, x - 0.3 x^2 turns back at 5/3; y, at that x, at 1 - 0.2 x = 0, thus later.
static void test_tangential_turns_back( void **state )
{
	(void)state;
	ds_lens lens = lens_of( "{ \"fx\": 300, \"center\": [0, 0], \"p\": [0, -0.1] }" );
	double pixel[2];
	ds_vec3 d;
	OK( ds_lens_project( &lens, ds_v3( 1.6666, 0, 1 ), pixel ) );
	FAILS( ds_lens_project( &lens, ds_v3( 1.6667, 0, 1 ), pixel ), DS_ERROR_RANGE, "no pixel" );
	OK( ds_lens_project( &lens, ds_v3( -50, 0, 1 ), pixel ) );
	double last = 5.0 / 3 - 0.3 * 25 / 9;
	OK( ds_lens_ray( &lens, 300 * ( last - 1e-6 ), 0, &d ) );
	NEAR( d.x / d.z, 5.0 / 3, 3e-3 );
	FAILS( ds_lens_ray( &lens, 300 * ( last + 1e-6 ), 0, &d ), DS_ERROR_RANGE, "one-to-one" );
}

// ---- inverses ----------------------------------------------------------------------------------------------------------

// Random lenses, among them ones that no maker would sell.
static ds_lens random_lens( int32_t model, double strength )
{
	ds_lens_config config = ds_lens_config_default();
	config.model = model;
	config.fx = between( 100, 2000 );
	config.fy = config.fx * between( 0.9, 1.1 );
	config.center_kind = DS_LENS_CENTER_GIVEN;
	config.center[0] = between( 200, 400 );
	config.center[1] = between( 150, 350 );
	for ( int i = 0; i < 4; ++i )
	{
		bool has = model == DS_LENS_FISHEYE || ( model == DS_LENS_RECTILINEAR && i < 3 );
		config.k[i] = has ? strength * between( -1, 1 ) : 0;
	}
	for ( int i = 0; i < 2; ++i )
	{
		config.p[i] = model == DS_LENS_RECTILINEAR && uniform() < 0.8 ? 0.2 * strength * between( -1, 1 ) : 0;
	}
	ds_lens lens;
	OK( ds_lens_make( &config, &lens ) );
	return lens;
}

static void test_round_trips( void **state )
{
	(void)state;
	int64_t trips = 0, refused = 0;
	for ( int i = 0; i < 800; ++i )
	{
		ds_lens lens = random_lens( i % DS_LENS_MODEL_COUNT, i % 3 ? 0.3 : 2 );
		double widest = lens.model == DS_LENS_RECTILINEAR ? 75 * DEGREE : 179 * DEGREE;
		for ( int k = 0; k < 100; ++k )
		{
			ds_vec3 d = at_angle( between( 0, widest ), between( 0, 2 * DS_PI ) ), back;
			double pixel[2], again[2];
			if ( ds_lens_project( &lens, ds_scale( between( 0.1, 10 ), d ), pixel ) != DS_OK )
			{
				++refused;
				continue;
			}
			OK( ds_lens_ray( &lens, pixel[0], pixel[1], &back ) );
			NEAR( ds_length( back ), 1, 1e-15 );
			OK( ds_lens_project( &lens, back, again ) );
			NEAR( hypot( again[0] - pixel[0], again[1] - pixel[1] ), 0, 1e-6 );
			// near a fold a direction is worth little, but it is the same one
			NEAR3( back, d, 1e-5 );
			++trips;
		}
	}
	assert_true( trips > 30000 && refused > 5000 );
}

// Pixels that have a ray are seen along it; rays of different pixels differ.
static void test_pixels( void **state )
{
	(void)state;
	int64_t trips = 0, refused = 0;
	for ( int i = 0; i < 200; ++i )
	{
		ds_lens lens = random_lens( i % DS_LENS_MODEL_COUNT, i % 3 ? 0.3 : 2 );
		for ( int k = 0; k < 100; ++k )
		{
			double u = between( -200, 840 ), v = between( -200, 680 ), pixel[2];
			ds_vec3 d;
			if ( ds_lens_ray( &lens, u, v, &d ) != DS_OK )
			{
				++refused;
				continue;
			}
			OK( ds_lens_project( &lens, d, pixel ) );
			NEAR( hypot( pixel[0] - u, pixel[1] - v ), 0, 1e-6 );
			++trips;
		}
	}
	assert_true( trips > 8000 && refused > 500 );
}

// What the lens refuses has its reason: a ray that is refused has a fold of the map on the way to it from the axis, by samples of
// the determinant of the derivative in numbers; one that is not refused has none.
static void test_refusals( void **state )
{
	(void)state;
	for ( int i = 0; i < 400; ++i )
	{
		ds_lens lens = random_lens( DS_LENS_RECTILINEAR, i % 3 ? 0.3 : 2 );
		double around = between( 0, 2 * DS_PI ), ends = 0, folds = 0, step = 1e-3;
		for ( double r = step; r < 3 && ( ends == 0 || folds == 0 ); r += step )
		{
			double a = r * cos( around ), b = r * sin( around ), s = r * r, pixel[2];
			double d = 1 + s * ( lens.k[0] + s * ( lens.k[1] + s * lens.k[2] ) );
			double e = 2 * ( lens.k[0] + s * ( 2 * lens.k[1] + 3 * s * lens.k[2] ) );
			double xx = d + e * a * a + 2 * lens.p[0] * b + 6 * lens.p[1] * a;
			double yy = d + e * b * b + 6 * lens.p[0] * b + 2 * lens.p[1] * a;
			double xy = e * a * b + 2 * lens.p[0] * a + 2 * lens.p[1] * b;
			folds = folds == 0 && xx * yy - xy * xy <= 0 ? r : folds;
			ends = ends == 0 && ds_lens_project( &lens, ds_v3( a, b, 1 ), pixel ) != DS_OK ? r : ends;
		}
		NEAR( ends, folds, 1.001 * step );
	}
}

static void test_jacobian( void **state )
{
	(void)state;
	int64_t count = 0;
	for ( int i = 0; i < 4000; ++i )
	{
		ds_lens lens = random_lens( i % DS_LENS_MODEL_COUNT, 0.3 );
		double size = pow( 10, between( -3, 3 ) ), j[6], step = 1e-5 * size;
		ds_vec3 d = ds_scale( size, at_angle( i % 5 ? between( 0, 2.5 ) : 0, between( 0, 2 * DS_PI ) ) );
		if ( ds_lens_jacobian( &lens, d, j ) != DS_OK )
		{
			continue;
		}
		for ( int axis = 0; axis < 3; ++axis )
		{
			ds_vec3 h = ds_v3( axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0 );
			double far[2], near[2];
			if ( ds_lens_project( &lens, ds_add( d, h ), far ) == DS_OK &&
				 ds_lens_project( &lens, ds_sub( d, h ), near ) == DS_OK )
			{
				double scale = 1e-6 * ( lens.fx + fabs( j[0] * size ) + fabs( j[4] * size ) + fabs( j[2] * size ) ) *
							   ( 1 + pow( fabs( size / d.z ), 3 ) );
				if ( fabs( far[0] - near[0] ) < lens.fx ) // not across the seam of a panorama
				{
					NEAR( size * j[axis], size * ( far[0] - near[0] ) / ( 2 * step ), scale );
					NEAR( size * j[3 + axis], size * ( far[1] - near[1] ) / ( 2 * step ), scale );
					++count;
				}
			}
		}
	}
	assert_true( count > 6000 );
}

// ---- options -----------------------------------------------------------------------------------------------------------

static void refuse( const char *json, const char *text )
{
	ds_lens_config config;
	FAILS( ds_table_parse( ds_lens_config_table(), json, &config ), DS_ERROR_RANGE, text );
}

static void test_options( void **state )
{
	(void)state;
	refuse( "{ \"fov_deg\": 180 }", "fov: a rectilinear lens sees less than 180 degrees, got 180" );
	refuse( "{ \"model\": \"stereographic\", \"fov_deg\": 360 }", "less than 360" );
	refuse( "{ \"model\": \"fisheye\", \"fov_deg\": 361 }", "fov" );
	refuse( "{ \"fov_deg\": 0 }", "fov" );
	refuse( "{ \"width\": 0 }", "width" );
	refuse( "{ \"height\": 40000 }", "height" );
	refuse( "{ \"fx\": -1 }", "fx" );
	refuse( "{ \"fy\": 1e7 }", "fy" );
	refuse( "{ \"center\": [1e7, 0] }", "center" );
	refuse( "{ \"k\": [0, 0, 0, 1] }", "k: a lens of model rectilinear has 3 radial terms, got k[3] = 1" );
	refuse( "{ \"model\": \"equirectangular\", \"k\": [1, 0, 0, 0] }", "has 0 radial terms" );
	refuse( "{ \"model\": \"fisheye\", \"p\": [1, 0] }", "p: a lens of model fisheye has no tangential terms" );
	refuse( "{ \"p\": [1e7, 0] }", "p[0]" );
	refuse( "{ \"vignetting\": -1 }", "vignetting" );
	ds_lens_config config = ds_lens_config_default();
	ds_lens lens;
	config.fov = NAN;
	FAILS( ds_lens_make( &config, &lens ), DS_ERROR_NOT_FINITE, "fov" );
	config = ds_lens_config_default();
	config.model = 7;
	FAILS( ds_lens_make( &config, &lens ), DS_ERROR_RANGE, "model" );
	FAILS( ds_lens_make( NULL, &lens ), DS_ERROR_ARGUMENT, "NULL" );
	lens = lens_of( "{ \"fx\": 500, \"fov_deg\": 200 }" ); // fx is given: fov has no say
	NEAR( lens.fx, 500, 0 );
	lens = lens_of( "{ \"model\": \"fisheye\", \"width\": 1000, \"fov_deg\": 220 }" );
	NEAR( lens.fx, 500 / ( 110 * DEGREE ), 1e-10 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_default ),
		cmocka_unit_test( test_rectilinear_by_hand ),
		cmocka_unit_test( test_fisheye_by_hand ),
		cmocka_unit_test( test_wide_by_hand ),
		cmocka_unit_test( test_light ),
		cmocka_unit_test( test_barrel_turns_back ),
		cmocka_unit_test( test_tangential_turns_back ),
		cmocka_unit_test( test_round_trips ),
		cmocka_unit_test( test_pixels ),
		cmocka_unit_test( test_refusals ),
		cmocka_unit_test( test_jacobian ),
		cmocka_unit_test( test_options ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

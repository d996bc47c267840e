// Daylight: the surface, how it fades, what is sun and what is sky.

#include "world_kit.h"

#include "deepsim/math.h"
#include "optics/pure_water.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static ds_water_optics *measured( double a, double b, const ds_turbidity_level *profile, int64_t count )
{
	static ds_iop_level level;
	level = ( ds_iop_level ){ 500, a, b };
	ds_water_optics_def def = ds_water_optics_def_default();
	def.kind = DS_WATER_OPTICS_MEASURED;
	def.measured = ( ds_array ){ &level, 1 };
	def.profile = ( ds_array ){ profile, count };
	ds_water_optics *water;
	OK( ds_water_optics_create( &def, NULL, &water ) );
	return water;
}

static double all_of( ds_daylight light )
{
	return light.sun + light.sky;
}

// In the air: the irradiance as it is given, over bands that fill 400 to 700 nm; straight from the sun.
static void test_air( void **state )
{
	(void)state;
	ds_sky_def sky = ds_sky_def_default();
	sky.irradiance = 300;
	sky.diffuse = 0.3;
	sky.elevation = 30 * DEGREE;
	sky.azimuth = 90 * DEGREE; // in the east: light goes west
	ds_daylight light = ds_daylight_at( &sky, NULL, 10, 550, 300 );
	NEAR( light.sun, 210, 1e-9 );
	NEAR( light.sky, 90, 1e-9 );
	NEAR3( light.direction, ds_v3( 0, -cos( 30 * DEGREE ), sin( 30 * DEGREE ) ), 1e-12 );
	ds_bands bands;
	OK( ds_bands_even( 7, 400, 700, &bands ) );
	double sum = 0;
	for ( int i = 0; i < 7; ++i )
	{
		sum += all_of( ds_daylight_at( &sky, NULL, 0, bands.wavelength[i], bands.width[i] ) );
	}
	NEAR( sum, 300, 1e-9 );
	// ASTM G173: 400 to 410 nm has 1.1547 / 1.4328 of the mean
	NEAR( all_of( ds_daylight_at( &sky, NULL, 0, 405, 10 ) ), 300 * 11.547 / 429.83, 0.001 );
	NEAR( all_of( ds_daylight_at( &sky, NULL, 0, 300, 100 ) ), 0, 0 );
	NEAR( all_of( ds_daylight_at( &sky, NULL, 0, 550, 0 ) ), 0, 0 );
	sky.dark = 1;
	NEAR( all_of( ds_daylight_at( &sky, NULL, 0, 550, 300 ) ), 0, 0 );
}

// Snell; Fresnel's formulas from the top: ( 2 / ( n + 1 ) )^2 n for a sun in the zenith; the sky's loss and steepness by quadrature.
static void test_surface( void **state )
{
	(void)state;
	ds_water_optics *water = measured( 0.05, 0, NULL, 0 );
	const double n = DS_WATER_INDEX;
	ds_sky_def sky = ds_sky_def_default();
	sky.diffuse = 0;
	for ( double elevation = 5; elevation <= 90; elevation += 17 )
	{
		sky.elevation = elevation * DEGREE;
		ds_daylight light = ds_daylight_at( &sky, water, 0, 550, 300 );
		double t = 0.5 * DS_PI - sky.elevation, w = asin( sin( t ) / n );
		NEAR3( light.direction, ds_v3( -sin( w ), 0, cos( w ) ), 1e-12 );
		double s = t > 0 ? sin( t - w ) / sin( t + w ) : ( n - 1 ) / ( n + 1 );
		double p = t > 0 ? tan( t - w ) / tan( t + w ) : s;
		NEAR( light.sun / sky.irradiance, 1 - 0.5 * ( s * s + p * p ), 1e-9 );
	}
	sky.elevation = 0.5 * DS_PI;
	NEAR( ds_daylight_at( &sky, water, 0, 550, 300 ).sun / sky.irradiance, 4 * n / ( ( n + 1 ) * ( n + 1 ) ), 1e-9 );
	sky.elevation = 0;
	NEAR( ds_daylight_at( &sky, water, 0, 550, 300 ).sun, 0, 1e-9 );

	double through = 0, scalar = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		double t = ( i + 0.5 ) / 20000 * 0.5 * DS_PI, w = asin( sin( t ) / n );
		double s = sin( t - w ) / sin( t + w ), p = tan( t - w ) / tan( t + w );
		double part = ( 1 - 0.5 * ( s * s + p * p ) ) * sin( 2 * t ) * 0.5 * DS_PI / 20000;
		through += part;
		scalar += part / cos( w );
	}
	sky.diffuse = 1;
	NEAR( ds_daylight_at( &sky, water, 0, 550, 300 ).sky / sky.irradiance, through, 1e-3 );
	// as steep as the sun at 0.813 rad: Kd by this zenith angle
	NEAR( asin( n * sin( acos( through / scalar ) ) ), 0.813, 1e-3 );
	double kd = ds_diffuse_attenuation( 0.05, 0, 0.813 );
	NEAR( log( all_of( ds_daylight_at( &sky, water, 0, 550, 300 ) ) /
			   all_of( ds_daylight_at( &sky, water, 20, 550, 300 ) ) ),
		20 * kd, 1e-9 );
	ds_water_optics_release( water );
}

// Grey water: closed forms of sun and sky with depth. Light leaves the sun's direction by b ( 1 - g ) along its path, and counts as sky.
static void test_depth( void **state )
{
	(void)state;
	ds_water_optics *water = measured( 0.05, 0.3, NULL, 0 );
	ds_sky_def sky = ds_sky_def_default();
	sky.diffuse = 0;
	sky.elevation = 40 * DEGREE;
	ds_iop iop = ds_water_optics_at( water, 0, 505 );
	double backward, g;
	ds_phase_moments( ds_water_optics_phase( water ), &backward, &g );
	double cosine = sqrt( 1 - pow( cos( 40 * DEGREE ) / DS_WATER_INDEX, 2 ) );
	for ( double depth = 0; depth < 120; depth += 13 )
	{
		ds_daylight top = ds_daylight_at( &sky, water, 0, 505, 5 ),
					light = ds_daylight_at( &sky, water, depth, 505, 5 );
		NEAR( log( all_of( top ) / all_of( light ) ), depth * ds_diffuse_attenuation( iop.a, iop.bb, 50 * DEGREE ),
			1e-9 );
		NEAR(
			log( all_of( light ) / light.sun ), depth * ( iop.b_water + iop.b_particles * ( 1 - g ) ) / cosine, 1e-9 );
		assert_true( light.sky >= 0 && light.sun >= 0 && all_of( light ) <= sky.irradiance );
	}
	ds_water_optics_release( water );
}

// Over a profile the exponent is the integral of Kd: against a fine sum.
static void test_profile( void **state )
{
	(void)state;
	static const ds_turbidity_level levels[] = { { 5, 0.5 }, { 20, 6 }, { 22, 1 }, { 80, 0.2 } };
	ds_water_optics *water = measured( 0.08, 0.3, levels, 4 );
	ds_sky_def sky = ds_sky_def_default();
	sky.diffuse = 1;
	const int steps = 20000;
	const double depth = 100;
	double sum = 0;
	for ( int i = 0; i < steps; ++i )
	{
		ds_iop iop = ds_water_optics_at( water, ( i + 0.5 ) * depth / steps, 500 );
		sum += ds_diffuse_attenuation( iop.a, iop.bb, 0.813 ) * depth / steps;
	}
	ds_daylight top = ds_daylight_at( &sky, water, 0, 500, 1 ), light = ds_daylight_at( &sky, water, depth, 500, 1 );
	NEAR( log( all_of( top ) / all_of( light ) ) / sum, 1, 1e-5 );
	// between levels too
	NEAR( log( all_of( ds_daylight_at( &sky, water, 21, 500, 1 ) ) /
			   all_of( ds_daylight_at( &sky, water, 21.001, 500, 1 ) ) ),
		0.001 * ds_diffuse_attenuation(
					ds_water_optics_at( water, 21, 500 ).a, ds_water_optics_at( water, 21, 500 ).bb, 0.813 ),
		1e-5 );
	ds_water_optics_release( water );
}

// The ocean goes blue with depth, and dark: from 200 m on less than a thousandth of the light is left in the default water, at 1000 m less
// than 10^-14.
static void test_dark( void **state )
{
	(void)state;
	ds_water_optics_def def = ds_water_optics_def_default();
	ds_water_optics *water;
	OK( ds_water_optics_create( &def, NULL, &water ) );
	ds_sky_def sky = ds_sky_def_default();
	ds_bands rgb = ds_bands_rgb();
	double last[3] = { 1e9, 1e9, 1e9 };
	for ( double depth = 0; depth <= 1000; depth += 50 )
	{
		double e[3];
		for ( int i = 0; i < 3; ++i )
		{
			e[i] = all_of( ds_daylight_at( &sky, water, depth, rgb.wavelength[i], rgb.width[i] ) );
			assert_true( e[i] >= 0 && e[i] < last[i] );
			last[i] = e[i];
		}
		assert_true( depth == 0 || ( e[0] > e[1] && e[1] > e[2] ) );
		double whole = ( e[0] + e[1] + e[2] ) / sky.irradiance;
		assert_true( depth < 200 || whole < 1e-3 );
		assert_true( depth < 1000 || whole < 1e-14 );
	}
	ds_water_optics_release( water );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_air ),
		cmocka_unit_test( test_surface ),
		cmocka_unit_test( test_depth ),
		cmocka_unit_test( test_profile ),
		cmocka_unit_test( test_dark ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

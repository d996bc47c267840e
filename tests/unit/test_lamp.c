// Lamps: beams and spectra hold all of the flux; the actuator.

#include "sensor_kit.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

// Flux over the sphere [W] of what ds_lamp_intensity says, by the midpoint rule over the angle.
static double flux_of( const ds_lamp *lamp, double wavelength, double width )
{
	const int count = 100000;
	double sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		double angle = ( i + 0.5 ) * DS_PI / count;
		sum += sin( angle ) * ds_lamp_intensity( lamp, angle, wavelength, width );
	}
	return 2 * DS_PI * sum * DS_PI / count;
}

static void test_flux( void **state )
{
	(void)state;
	static const ds_beam_level levels[] = { { 0, 1 }, { 0.2, 0.9 }, { 0.5, 0.4 }, { 0.9, 0.05 }, { 2.5, 0.01 } };
	const double widths[] = { 0.5, 5, 40, 80, 120, 179 };
	for ( int32_t beam = 0; beam < DS_BEAM_KIND_COUNT; ++beam )
	{
		for ( int i = 0; i < 6; ++i )
		{
			ds_lamp_config config = ds_lamp_config_default();
			config.beam = beam;
			config.width = widths[i] * DEGREE;
			config.edge = i % 2 ? 0.2 : 0;
			config.profile = ( ds_array ){ levels, 5 };
			ds_lamp lamp;
			OK( ds_lamp_make( &config, &lamp ) );
			assert_null( lamp.config.profile.data );
			double step = ( 1 - lamp.cos_limit ) / ( DS_LAMP_PROFILE - 1 ), sum = 0;
			for ( int k = 0; k + 1 < DS_LAMP_PROFILE; ++k )
			{
				sum += DS_PI * step * ( (double)lamp.profile[k] + lamp.profile[k + 1] );
			}
			NEAR( sum, 1, 1e-6 );
			// the hard edge of a cone of half a degree meets the quadrature's steps
			NEAR( flux_of( &lamp, 550, 300 ) / config.flux, 1, widths[i] > 1 ? 1e-4 : 1e-2 );
		}
	}
}

// Closed forms: the spot is ( m + 1 ) / ( 2 pi ) cos^m, half as bright at half of its width; the hard cone 1 over its solid angle;
// Lambert's emitter cos / pi; the even lamp 1 / ( 4 pi ).
static void test_beams( void **state )
{
	(void)state;
	ds_lamp_config config = ds_lamp_config_default();
	ds_lamp lamp;
	config.flux = 10;
	config.width = 60 * DEGREE;
	OK( ds_lamp_make( &config, &lamp ) );
	double m = log( 0.5 ) / log( cos( 30 * DEGREE ) ), peak = 10 * ( m + 1 ) / ( 2 * DS_PI );
	NEAR( ds_lamp_intensity( &lamp, 0, 550, 300 ) / peak, 1, 1e-4 );
	NEAR( ds_lamp_intensity( &lamp, 30 * DEGREE, 550, 300 ) / peak, 0.5, 1e-4 );
	NEAR( ds_lamp_intensity( &lamp, 50 * DEGREE, 550, 300 ) / peak, pow( cos( 50 * DEGREE ), m ), 1e-4 );
	NEAR( ds_lamp_intensity( &lamp, 100 * DEGREE, 550, 300 ), 0, 0 );

	config.beam = DS_BEAM_CONE;
	config.edge = 0;
	OK( ds_lamp_make( &config, &lamp ) );
	double even = 10 / ( 2 * DS_PI * ( 1 - cos( 30 * DEGREE ) ) );
	NEAR( ds_lamp_intensity( &lamp, 29.99 * DEGREE, 550, 300 ) / even, 1, 1e-6 );
	NEAR( ds_lamp_intensity( &lamp, 30.01 * DEGREE, 550, 300 ), 0, 0 );
	config.edge = 0.5;
	OK( ds_lamp_make( &config, &lamp ) );
	double middle = ds_lamp_intensity( &lamp, 0, 550, 300 );
	NEAR( ds_lamp_intensity( &lamp, 22 * DEGREE, 550, 300 ) / middle, 1, 1e-5 );
	NEAR( ds_lamp_intensity( &lamp, 30 * DEGREE, 550, 300 ) / middle, 0.5, 1e-3 );
	NEAR( ds_lamp_intensity( &lamp, 37.6 * DEGREE, 550, 300 ), 0, 0 );

	config.beam = DS_BEAM_LAMBERT;
	OK( ds_lamp_make( &config, &lamp ) );
	NEAR( ds_lamp_intensity( &lamp, 60 * DEGREE, 550, 300 ), 10 * 0.5 / DS_PI, 1e-5 );
	NEAR( ds_lamp_intensity( &lamp, 91 * DEGREE, 550, 300 ), 0, 0 );
	config.beam = DS_BEAM_ISOTROPIC;
	OK( ds_lamp_make( &config, &lamp ) );
	NEAR( ds_lamp_intensity( &lamp, DS_PI, 550, 300 ), 10 / ( 4 * DS_PI ), 1e-6 );

	static const ds_beam_level levels[] = { { 0.1, 2 }, { 0.3, 1 }, { 1, 0.5 } };
	config.beam = DS_BEAM_TABLE;
	config.profile = ( ds_array ){ levels, 3 };
	OK( ds_lamp_make( &config, &lamp ) );
	double one = ds_lamp_intensity( &lamp, 0.3, 550, 300 ); // a kink, which 1024 values round
	NEAR( ds_lamp_intensity( &lamp, 0, 550, 300 ) / one, 2, 5e-3 );
	NEAR( ds_lamp_intensity( &lamp, 0.2, 550, 300 ) / one, 1.5, 5e-3 );
	NEAR( ds_lamp_intensity( &lamp, 0.999, 550, 300 ) / one, 0.5, 5e-3 );
	NEAR( ds_lamp_intensity( &lamp, 1.001, 550, 300 ), 0, 0 );
}

// Bands that fill 400 to 700 nm hold all of the flux; nothing lies beyond.
static void test_spectra( void **state )
{
	(void)state;
	ds_bands bands;
	OK( ds_bands_even( 12, 400, 700, &bands ) );
	for ( int32_t spectrum = 0; spectrum < DS_SPECTRUM_KIND_COUNT; ++spectrum )
	{
		ds_lamp_config config = ds_lamp_config_default();
		config.spectrum = spectrum;
		ds_lamp lamp;
		OK( ds_lamp_make( &config, &lamp ) );
		double sum = 0;
		for ( int32_t i = 0; i < bands.count; ++i )
		{
			double share = ds_lamp_spectrum( &lamp, bands.wavelength[i], bands.width[i] );
			assert_true( share >= 0 );
			sum += share;
		}
		NEAR( sum, 1, 1e-6 );
		NEAR( ds_lamp_spectrum( &lamp, 550, 1000 ), 1, 1e-12 );
		NEAR( ds_lamp_spectrum( &lamp, 380, 40 ), 0, 0 );
		NEAR( ds_lamp_spectrum( &lamp, 550, 0 ), 0, 0 );
		assert_true( ds_lamp_spectrum( &lamp, NAN, 10 ) == 0 );
	}
}

static double lobe( double w, double middle, double below, double above )
{
	double t = ( w - middle ) / ( w < middle ? below : above );
	return exp( -0.5 * t * t );
}

// Correlated colour temperature [K] of a lamp: the CIE 1931 observer by Wyman, Sloan and Shirley (JCGT 2, 2013), and McCamy's cubic (Color
// Res. Appl. 17, 1992).
static double colour_temperature( const ds_lamp *lamp )
{
	double x = 0, y = 0, z = 0;
	for ( double w = 400.5; w < 700; ++w )
	{
		double power = ds_lamp_spectrum( lamp, w, 1 );
		x += power * ( 1.056 * lobe( w, 599.8, 37.9, 31.0 ) + 0.362 * lobe( w, 442.0, 16.0, 26.7 ) -
						 0.065 * lobe( w, 501.1, 20.4, 26.2 ) );
		y += power * ( 0.821 * lobe( w, 568.8, 46.9, 40.5 ) + 0.286 * lobe( w, 530.9, 16.3, 31.1 ) );
		z += power * ( 1.217 * lobe( w, 437.0, 11.8, 36.0 ) + 0.681 * lobe( w, 459.0, 26.0, 13.8 ) );
	}
	double n = ( x / ( x + y + z ) - 0.3320 ) / ( 0.1858 - y / ( x + y + z ) );
	return 449 * n * n * n + 3525 * n * n + 6823.3 * n + 5520.33;
}

static void test_colour( void **state )
{
	(void)state;
	ds_lamp_config config = ds_lamp_config_default();
	ds_lamp lamp;
	OK( ds_lamp_make( &config, &lamp ) );
	NEAR( colour_temperature( &lamp ), 6500, 250 );
	config.spectrum = DS_SPECTRUM_LED_WARM;
	OK( ds_lamp_make( &config, &lamp ) );
	NEAR( colour_temperature( &lamp ), 3000, 150 );
	config.spectrum = DS_SPECTRUM_BLACKBODY;
	for ( double temperature = 2800; temperature < 8000; temperature += 800 )
	{
		config.temperature = temperature;
		OK( ds_lamp_make( &config, &lamp ) );
		NEAR( colour_temperature( &lamp ) / temperature, 1, 0.025 );
	}
	// Planck: half as much per nanometre at twice the wavelength and so on: 3000 K, 450 against 650 nm
	config.temperature = 3000;
	OK( ds_lamp_make( &config, &lamp ) );
	const double c2 = 1.438776877e7;
	double expected = pow( 650.0 / 450, 5 ) * ( exp( c2 / 3000 / 650 ) - 1 ) / ( exp( c2 / 3000 / 450 ) - 1 );
	NEAR( ds_lamp_spectrum( &lamp, 450, 1 ) / ds_lamp_spectrum( &lamp, 650, 1 ), expected, 1e-4 * expected );
	// a line of 20 nm: 76.1 % of it lies within its half width
	config.spectrum = DS_SPECTRUM_LINE;
	config.wavelength = 520;
	config.linewidth = 20;
	OK( ds_lamp_make( &config, &lamp ) );
	NEAR( ds_lamp_spectrum( &lamp, 520, 20 ), erf( sqrt( log( 2 ) ) ), 1e-9 );
}

static void test_errors( void **state )
{
	(void)state;
	kit_check_ranges( ds_lamp_config_table(), "" );
	ds_lamp lamp;
	ds_lamp_config config = ds_lamp_config_default();
	FAILS( ds_lamp_make( NULL, &lamp ), DS_ERROR_ARGUMENT, "must not be NULL" );
	config.flux = NAN;
	FAILS( ds_lamp_make( &config, &lamp ), DS_ERROR_NOT_FINITE, "flux" );
	config = ds_lamp_config_default();
	config.beam = DS_BEAM_TABLE;
	FAILS( ds_lamp_make( &config, &lamp ), DS_ERROR_RANGE, "profile: expected at least two levels" );
	config.profile.count = 3;
	FAILS( ds_lamp_make( &config, &lamp ), DS_ERROR_ARGUMENT, "profile" );
	ds_beam_level levels[3] = { { 0, 1 }, { 0.5, 1 }, { 0.5, 1 } };
	config.profile = ( ds_array ){ levels, 3 };
	FAILS( ds_lamp_make( &config, &lamp ), DS_ERROR_RANGE, "profile[2].angle_deg: expected more than" );
	levels[2] = ( ds_beam_level ){ 1, NAN };
	FAILS( ds_lamp_make( &config, &lamp ), DS_ERROR_NOT_FINITE, "profile[2].intensity" );
	levels[2] = ( ds_beam_level ){ NAN, 1 };
	FAILS( ds_lamp_make( &config, &lamp ), DS_ERROR_NOT_FINITE, "profile[2].angle" );
	levels[2] = ( ds_beam_level ){ 1, -1 };
	FAILS( ds_lamp_make( &config, &lamp ), DS_ERROR_RANGE, "profile[2].intensity" );
	levels[0].intensity = levels[1].intensity = levels[2].intensity = 0;
	FAILS( ds_lamp_make( &config, &lamp ), DS_ERROR_RANGE, "profile: expected an intensity above 0" );
}

// In a world: commands in [0, 1], level and power of the reading.
static void test_actuator( void **state )
{
	(void)state;
	ds_world *world = kit_world( 50, NULL );
	ds_body_def def = kit_point( "body", 10, 1, 1, 1 );
	def.hydrodynamics.model = DS_HYDRO_NONE;
	ds_id body, lamp;
	OK( ds_body_create( world, &def, &body ) );
	ds_lamp_config config = ds_lamp_config_default();
	config.power = 40;
	config.level = 0.25;
	ds_actuator_def actuator = ds_actuator_def_default();
	snprintf( actuator.name, sizeof( actuator.name ), "lamp" );
	snprintf( actuator.type, sizeof( actuator.type ), "lamp" );
	actuator.body = body;
	actuator.config = &config;
	OK( ds_actuator_create( world, &actuator, &lamp ) );
	const double half = 0.5, much = 1.5, negative = -0.1;
	assert_true( ds_actuator_set( world, lamp, &much, 1 ) != DS_OK );
	assert_true( ds_actuator_set( world, lamp, &negative, 1 ) != DS_OK );
	OK( ds_actuator_set( world, lamp, &half, 1 ) );
	OK( ds_world_step( world, 10 ) );
	ds_lamp_reading reading;
	OK( ds_sensor_latest( world, lamp, NULL, &reading, sizeof( reading ) ) );
	NEAR( reading.level, 0.5, 0 );
	NEAR( reading.power, 20, 1e-12 );
	config.flux = INFINITY;
	snprintf( actuator.name, sizeof( actuator.name ), "lamp2" );
	FAILS( ds_actuator_create( world, &actuator, &lamp ), DS_ERROR_NOT_FINITE, "flux" );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_flux ),
		cmocka_unit_test( test_beams ),
		cmocka_unit_test( test_spectra ),
		cmocka_unit_test( test_colour ),
		cmocka_unit_test( test_errors ),
		cmocka_unit_test( test_actuator ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// Practical salinity against published values, and the CTD: elements, their lags, what is derived.

#include "hydro/gravity.h"
#include "hydro/seawater.h"
#include "sensor_kit.h"
#include "sensors/ctd.h"

static ds_ctd_config config_of( const char *json )
{
	ds_ctd_config config;
	OK( ds_table_parse( &ds_ctd_options, json, &config ) );
	return config;
}

static ds_ctd_truth water_of( double salinity, double temperature, double gauge_pressure, double time )
{
	return ( ds_ctd_truth ){ true, salinity, temperature, gauge_pressure, gauge_pressure + 101325, time, 0 };
}

static ds_ctd_state started( const ds_ctd_config *c, const ds_ctd_truth *truth, uint64_t run )
{
	ds_random stream = ds_random_stream( run, "ctd", DS_RANDOM_RESET, 0 );
	ds_ctd_state state;
	ds_ctd_reset( c, truth, &stream, &state );
	return state;
}

static ds_ctd read_at( const ds_ctd_config *c, ds_ctd_state *state, const ds_ctd_truth *truth )
{
	ds_random stream = ds_random_stream( 3, "ctd", DS_RANDOM_SAMPLE, (uint64_t)llround( truth->time * 1000 ) );
	ds_ctd reading;
	ds_ctd_measure( c, truth, &stream, state, &reading );
	return reading;
}

static void test_options( void **state )
{
	(void)state;
	kit_check_ranges( &ds_ctd_options, "" );
	OK( ds_table_check( &ds_ctd_readings ) );
	ds_ctd_config c;
	FAILS( ds_table_parse( &ds_ctd_options, "{ \"temperature\": { \"minimum\": 3, \"maximum\": 2 } }", &c ),
		DS_ERROR_RANGE, "minimum must be below maximum" );
}

// UNESCO 44: check values of the practical salinity scale, and of its inverse.
static void test_salinity_published( void **state )
{
	(void)state;
	static const struct
	{
		double ratio, t68, dbar, salinity;
	} rows[] = { { 1, 15, 0, 35.000000 }, { 1.2, 20, 2000, 37.245628 }, { 0.65, 5, 1500, 27.995347 } };
	for ( size_t i = 0; i < sizeof( rows ) / sizeof( rows[0] ); ++i )
	{
		NEAR( ds_pss78_salinity( rows[i].ratio, rows[i].t68, rows[i].dbar * 1e4 ), rows[i].salinity, 6e-7 );
		NEAR( ds_pss78_ratio( rows[i].salinity, rows[i].t68, rows[i].dbar * 1e4 ), rows[i].ratio, 1e-7 );
	}
}

static void test_salinity_inverse( void **state )
{
	(void)state;
	for ( double s = 0.05; s <= 42; s += s < 1 ? 0.05 : 0.5 )
	{
		for ( double t = -2; t <= 35; t += 3.7 )
		{
			for ( double p = 0; p <= 1e8; p += 2.5e7 )
			{
				double ratio = ds_pss78_ratio( s, t, p );
				NEAR( ds_pss78_salinity( ratio, t, p ), s, 1e-11 );
			}
		}
	}
	// nothing that is not finite at the ends
	assert_true( ds_pss78_ratio( 0, 10, 0 ) == 0 && ds_pss78_salinity( 0, 10, 0 ) == 0 );
	assert_true( ds_pss78_salinity( -1, 10, 0 ) == 0 && ds_pss78_ratio( NAN, 10, 0 ) == 0 );
	for ( double s = 1e-6; s < 0.05; s *= 2 )
	{
		double ratio = ds_pss78_ratio( s, 10, 0 );
		assert_true( ratio >= 0 && ratio < 0.003 );
	}
}

// A perfect instrument gives back the water, in both standards.
static void test_perfect( void **state )
{
	(void)state;
	const char *const configs[] = { "{}", "{ \"equation\": \"teos10\" }",
		"{ \"pressure\": { \"reference\": \"gauge\" } }" };
	for ( int k = 0; k < 3; ++k )
	{
		ds_ctd_config c = config_of( configs[k] );
		for ( double s = 5; s <= 40; s += 5 )
		{
			for ( double p = 0; p <= 6e7; p += 2e7 )
			{
				double t = 4 + s / 4;
				ds_ctd_truth truth = water_of( s, t, p, 0 );
				truth.pressure = k == 2 ? p : p + 101325;
				ds_ctd_state state0 = started( &c, &truth, 1 );
				ds_ctd r = read_at( &c, &state0, &truth );
				assert_true( r.valid && r.temperature == t && r.pressure == truth.pressure );
				NEAR( r.salinity, s, 1e-9 );
				double t68 = ds_t68_of_t90( t ), sa = ds_teos10_absolute_salinity( s );
				double ct = ds_teos10_conservative_temperature( sa, t, p );
				NEAR( r.density, k == 1 ? ds_teos10_density( sa, ct, p ) : ds_eos80_density( s, t68, p ), 1e-7 );
				NEAR( r.sound_speed, k == 1 ? ds_teos10_sound( sa, ct, p ) : ds_sound_chen_millero( s, t68, p ), 1e-7 );
				assert_true( r.salinity_variance == 0 );
			}
		}
	}
	// 42.914 mS/cm is 35 at 15 degC (IPTS-68)
	ds_ctd_config c = ds_ctd_config_default();
	ds_ctd_truth truth = water_of( 35, 15 / 1.00024, 0, 0 );
	ds_ctd_state s = started( &c, &truth, 1 );
	NEAR( read_at( &c, &s, &truth ).conductivity, 4.2914, 1e-8 );
}

static void test_elements( void **state )
{
	(void)state;
	ds_ctd_config c = config_of( "{ \"conductivity\": { \"bias\": 0.002, \"scale\": 1e-3, \"drift\": 1e-7 }, "
								 "\"temperature\": { \"bias\": -0.01, \"drift\": 2e-6, \"resolution\": 0.001 } }" );
	ds_ctd_truth truth = water_of( 35, 10, 1e7, 0 );
	ds_ctd_state s = started( &c, &truth, 1 );
	double conductivity = DS_CONDUCTIVITY_35_15_0 * ds_pss78_ratio( 35, ds_t68_of_t90( 10 ), 1e7 );
	truth.time = 1000;
	ds_ctd r = read_at( &c, &s, &truth );
	NEAR( r.conductivity, 1.001 * conductivity + 0.002 + 1e-4, 1e-12 );
	NEAR( r.temperature, 9.992, 1e-12 );
	NEAR( r.temperature_variance, 1e-6 / 12, 1e-15 );
	// and the salinity is what follows of them
	NEAR( r.salinity, ds_pss78_salinity( r.conductivity / 4.2914, ds_t68_of_t90( r.temperature ), 1e7 ), 1e-9 );
}

// Thermometer and cell follow a ramp by their time constants at any rate.
static void test_lags( void **state )
{
	(void)state;
	ds_ctd_config c = config_of( "{ \"conductivity\": { \"tau\": 0.5 }, \"temperature\": { \"tau\": 2 } }" );
	const double steps[2] = { 0.0625, 0.5 };
	for ( int k = 0; k < 2; ++k )
	{
		ds_ctd_truth truth = water_of( 35, 10, 0, 0 );
		ds_ctd_state s = started( &c, &truth, 1 );
		ds_ctd r;
		for ( int i = 1; i * steps[k] <= 10; ++i )
		{
			truth.time = i * steps[k];
			truth.temperature = 10 + 0.1 * truth.time;
			r = read_at( &c, &s, &truth );
		}
		NEAR( r.temperature, 11 - 0.1 * 2 * ( 1 - exp( -5 ) ), 1e-12 );
		double behind = DS_CONDUCTIVITY_35_15_0 * ds_pss78_ratio( 35, ds_t68_of_t90( 11 - 0.1 * 0.5 ), 0 );
		NEAR( r.conductivity, behind, 2e-6 );
		// conductivity is nearer to the warm water than the thermometer: salinity spikes upwards
		assert_true( r.salinity > 35.1 );
	}
}

// The heat of the cell. The correction of Lueck and Picklo (1990), as processing tools apply it, takes it away:
// C_T[n] = -b C_T[n-1] + a dC/dT (T[n] - T[n-1]), a = 4 f alpha tau / (1 + 4 f tau), b = 1 - 2 a / alpha, f half the sample rate.
static void test_cell_heat( void **state )
{
	(void)state;
	const double alpha = 0.04, tau = 8, rate = 16, f = 0.5 * rate;
	const double a = 4 * f * alpha * tau / ( 1 + 4 * f * tau ), b = 1 - 2 * a / alpha;
	ds_ctd_config c = config_of( "{ \"cell_alpha\": 0.04, \"cell_tau\": 8 }" );
	ds_ctd_truth truth = water_of( 35, 20, 0, 0 );
	ds_ctd_state s = started( &c, &truth, 1 );
	double last = 20, correction = 0, worst_raw = 0, worst_corrected = 0, worst_step = 0;
	for ( int i = 1; i <= 40 * rate; ++i )
	{
		truth.time = i / rate;
		truth.temperature = truth.time < 5 ? 20 : truth.time < 10 ? 20 - 2 * ( truth.time - 5 ) : 10;
		ds_ctd r = read_at( &c, &s, &truth );
		double t = r.temperature,
			   slope = ( ds_pss78_ratio( 35, t + 0.01, 0 ) - ds_pss78_ratio( 35, t - 0.01, 0 ) ) / 0.02;
		correction = -b * correction + a * slope * DS_CONDUCTIVITY_35_15_0 * ( t - last );
		last = t;
		double corrected =
			ds_pss78_salinity( ( r.conductivity + correction ) / DS_CONDUCTIVITY_35_15_0, ds_t68_of_t90( t ), 0 );
		worst_raw = fmax( worst_raw, fabs( r.salinity - 35 ) );
		worst_corrected = fmax( worst_corrected, fabs( corrected - 35 ) );
		// after the ramp the excess decays with tau
		if ( truth.time >= 10 )
		{
			double warm = 0.04 * 2 * 8 * ( 1 - exp( -5 / 8.0 ) ) * exp( -( truth.time - 10 ) / 8 );
			double expected = DS_CONDUCTIVITY_35_15_0 * ds_pss78_ratio( 35, ds_t68_of_t90( 10 + warm ), 0 );
			worst_step = fmax( worst_step, fabs( r.conductivity - expected ) );
		}
	}
	NEAR( worst_step, 0, 1e-10 );
	assert_true( worst_raw > 0.2 );
	assert_true( worst_corrected < 0.05 * worst_raw ); // dC/dT changes by some percent in ten degrees
}

static void test_noise( void **state )
{
	(void)state;
	ds_ctd_config c = config_of( "{ \"conductivity\": { \"noise\": 3e-4 }, \"temperature\": { \"noise\": 2e-3 }, "
								 "\"pressure\": { \"noise\": 500 } }" );
	ds_ctd_truth truth = water_of( 35, 10, 1e7, 0 );
	ds_ctd_state s = started( &c, &truth, 1 );
	double exact = DS_CONDUCTIVITY_35_15_0 * ds_pss78_ratio( 35, ds_t68_of_t90( 10 ), 1e7 ), product = 0;
	kit_moments conductivity = { 0 }, temperature = { 0 }, pressure = { 0 }, salinity = { 0 };
	ds_ctd r;
	for ( int i = 1; i <= 40000; ++i )
	{
		truth.time = i * 0.25;
		r = read_at( &c, &s, &truth );
		kit_take( &conductivity, r.conductivity - exact );
		kit_take( &temperature, r.temperature - 10 );
		kit_take( &pressure, r.pressure - truth.pressure );
		kit_take( &salinity, r.salinity - 35 );
		product += ( r.conductivity - exact ) / 3e-4 * ( r.temperature - 10 ) / 2e-3 / 40000;
	}
	KIT_NORMAL( conductivity, 0, 3e-4 );
	KIT_NORMAL( temperature, 0, 2e-3 );
	KIT_NORMAL( pressure, 0, 500 );
	KIT_NORMAL( salinity, 0, sqrt( r.salinity_variance ) );
	NEAR( product, 0, 4.5 / 200 );
}

// Over runs: turn-on biases and random walks of both elements.
static void test_slow_errors( void **state )
{
	(void)state;
	ds_ctd_config c = config_of( "{ \"conductivity\": { \"turn_on\": 3e-4, \"walk\": 1e-5 }, "
								 "\"temperature\": { \"turn_on\": 2e-3, \"walk\": 1e-4 } }" );
	double exact = DS_CONDUCTIVITY_35_15_0 * ds_pss78_ratio( 35, ds_t68_of_t90( 10 ), 0 );
	kit_moments conductivity = { 0 }, temperature = { 0 };
	for ( uint64_t run = 0; run < 4000; ++run )
	{
		ds_ctd_truth truth = water_of( 35, 10, 0, 0 );
		ds_ctd_state s = started( &c, &truth, run );
		ds_ctd r;
		for ( int i = 1; i <= 4; ++i )
		{
			ds_random stream = ds_random_stream( run, "ctd", DS_RANDOM_SAMPLE, (uint64_t)i );
			truth.time = 225 * i;
			ds_ctd_measure( &c, &truth, &stream, &s, &r );
		}
		kit_take( &conductivity, r.conductivity - exact );
		kit_take( &temperature, r.temperature - 10 );
	}
	KIT_NORMAL( conductivity, 0, sqrt( 9e-8 + 900 * 1e-10 ) );
	KIT_NORMAL( temperature, 0, sqrt( 4e-6 + 900 * 1e-8 ) );
}

// An element's parameter moves its own channel and what is derived, not a bit of the others.
static void test_channels_are_apart( void **state )
{
	(void)state;
	static const char *const configs[] = { "{}",
		"{ \"conductivity\": { \"noise\": 1e-3, \"walk\": 1e-4, \"turn_on\": 0.1 } }",
		"{ \"temperature\": { \"noise\": 1e-3, \"walk\": 1e-4, \"turn_on\": 0.1 } }",
		"{ \"pressure\": { \"noise\": 100, \"walk\": 10, \"turn_on\": 500, \"markov_sigma\": 50 } }" };
	ds_ctd r[4];
	for ( int k = 0; k < 4; ++k )
	{
		// on top of noise everywhere
		ds_ctd_config c = config_of( configs[k] );
		ds_ctd_truth truth = water_of( 35, 10, 1e6, 0 );
		c.conductivity.noise += 1e-3;
		c.temperature.noise += 1e-2;
		c.pressure.noise += 10;
		ds_ctd_state s = started( &c, &truth, 1 );
		truth.time = 1;
		r[k] = read_at( &c, &s, &truth );
	}
	for ( int k = 1; k < 4; ++k )
	{
		assert_true( ( r[k].conductivity == r[0].conductivity ) == ( k != 1 ) );
		assert_true( ( r[k].temperature == r[0].temperature ) == ( k != 2 ) );
		assert_true( ( r[k].pressure == r[0].pressure ) == ( k != 3 ) );
		assert_true( r[k].salinity != r[0].salinity );
	}
}

static void test_validity( void **state )
{
	(void)state;
	ds_ctd_config c =
		config_of( "{ \"temperature\": { \"minimum\": -5, \"maximum\": 35 }, \"pressure\": { \"maximum\": 1e7 } }" );
	ds_ctd_truth truth = water_of( 35, 10, 0, 0 );
	ds_ctd_state s = started( &c, &truth, 1 );
	assert_true( read_at( &c, &s, &truth ).valid );
	truth.temperature = 36;
	ds_ctd r = read_at( &c, &s, &truth );
	assert_true( !r.valid && r.temperature == 35 && r.salinity == 0 && r.density == 0 && r.sound_speed == 0 );
	truth.temperature = 10;
	truth.pressure = 2e7;
	r = read_at( &c, &s, &truth );
	assert_true( !r.valid && r.pressure == 1e7 );
	truth.pressure = 101325;
	truth.wet = false;
	r = read_at( &c, &s, &truth );
	assert_true( !r.valid && r.conductivity == 0 && r.temperature == 10 );
}

// In a world with a profile: the water of the world, at depth and in the air.
static void test_in_a_world( void **state )
{
	(void)state;
	static const ds_water_level levels[] = { { 0, 18, 36 }, { 200, 12, 35.5 }, { 3000, 2.5, 34.8 } };
	ds_environment_def e = ds_environment_def_default();
	e.density_kind = DS_DENSITY_TEOS10;
	e.profile = ( ds_array ){ levels, 3 };
	const double depths[] = { -1, 0.5, 200, 3000 };
	for ( int i = 0; i < 4; ++i )
	{
		kit_memory memory = { 0, 0 };
		kit_life life = {
			.type = "ctd", .config = "{ \"equation\": \"teos10\" }", .environment = &e, .start = { 0, 0, depths[i] }
		};
		ds_world *world = kit_life_world( &life, &memory, 1 );
		ds_id id = kit_add_sensor( world, &life, "ctd" );
		OK( ds_world_step( world, 0 ) );
		ds_ctd r;
		OK( ds_sensor_latest( world, id, NULL, &r, sizeof( r ) ) );
		ds_water water;
		OK( ds_water_at( world, life.start, &water ) );
		assert_true( r.valid == ( depths[i] > 0 ) );
		if ( r.valid )
		{
			NEAR( r.salinity, water.salinity, 1e-9 );
			NEAR( r.temperature, water.temperature, 1e-12 );
			NEAR( r.density, water.density, 1e-3 ); // between the points of the world's table
			assert_true( r.conductivity > 2.5 && r.conductivity < 6 );
		}
		else
		{
			assert_true( r.conductivity == 0 && r.temperature == 15 );
		}
		ds_world_destroy( world );
	}
}

static void test_presets( void **state )
{
	(void)state;
	ds_ctd_config c;
	for ( int32_t i = 0; i < ds_ctd_options.preset_count; ++i )
	{
		OK( ds_ctd_config_preset( ds_ctd_options.presets[i].name, &c ) );
	}
	OK( ds_ctd_config_preset( "sbe19plus_v2", &c ) );
	const double month = 365.25 / 12 * 86400;
	NEAR( c.temperature.drift * month, 0.0002, 1e-7 );
	NEAR( c.conductivity.drift * month, 0.0003, 1e-7 );
	NEAR( c.pressure.ageing * 12 * month, 0.001 * 3.5e7, 10 );
	assert_true( c.temperature.turn_on == 0.0025 && c.conductivity.resolution == 5e-5 && c.cell_tau == 8 );
	FAILS( ds_ctd_config_preset( "sbe19plus", &c ), DS_ERROR_NOT_FOUND, "sbe19plus_v2" );
}

static void test_life( void **state )
{
	(void)state;
	kit_life life = { .type = "ctd",
		.config =
			"{ \"conductivity\": { \"noise\": 3e-4, \"walk\": 1e-5, \"turn_on\": 1e-4, \"tau\": 0.1 }, "
			"\"temperature\": { "
			"\"noise\": 2e-3, \"walk\": 1e-5, \"tau\": 0.5 }, \"pressure\": { \"noise\": 500, \"hysteresis\": 1e-3 }, "
			"\"cell_alpha\": 0.03 }",
		.start = { 0, 0, -2 } };
	kit_sensor_life( &life, true );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_salinity_published ),
		cmocka_unit_test( test_salinity_inverse ),
		cmocka_unit_test( test_perfect ),
		cmocka_unit_test( test_elements ),
		cmocka_unit_test( test_lags ),
		cmocka_unit_test( test_cell_heat ),
		cmocka_unit_test( test_noise ),
		cmocka_unit_test( test_slow_errors ),
		cmocka_unit_test( test_channels_are_apart ),
		cmocka_unit_test( test_validity ),
		cmocka_unit_test( test_in_a_world ),
		cmocka_unit_test( test_presets ),
		cmocka_unit_test( test_life ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

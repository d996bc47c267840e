// The pressure gauge alone: every term against what it is by hand, the loop of its hysteresis, its statistics.

#include "sea_kit.h"
#include "sensor_kit.h"
#include "sensors/pressure.h"

static ds_pressure_config config_of( const char *json )
{
	ds_pressure_config config;
	OK( ds_table_parse( &ds_pressure_options, json, &config ) );
	return config;
}

static ds_random stream_of( uint32_t domain, uint64_t index )
{
	return ds_random_stream( 3, "gauge", domain, index );
}

static ds_pressure_state started( const ds_pressure_config *c, double pressure, double temperature, uint64_t run )
{
	ds_random stream = ds_random_stream( run, "gauge", DS_RANDOM_RESET, 0 );
	ds_pressure_truth truth = { pressure, temperature, 0, 0 };
	ds_pressure_state state;
	ds_pressure_reset( c, &truth, &stream, &state );
	return state;
}

static ds_pressure read_at(
	const ds_pressure_config *c, ds_pressure_state *state, double pressure, double temperature, double time )
{
	ds_random stream = stream_of( DS_RANDOM_SAMPLE, (uint64_t)llround( time * 1000 ) );
	ds_pressure_truth truth = { pressure, temperature, time, 0 };
	ds_pressure reading;
	ds_pressure_measure( c, &truth, &stream, state, &reading );
	return reading;
}

static void test_options( void **state )
{
	(void)state;
	kit_check_ranges( &ds_pressure_options, "" );
	ds_pressure_config c = ds_pressure_config_default(), zero = config_of( "{}" );
	assert_memory_equal( &c, &zero, sizeof( c ) );
}

// A perfect gauge is perfect, to the bit, in any pressure.
static void test_perfect( void **state )
{
	(void)state;
	ds_pressure_config c = ds_pressure_config_default();
	ds_pressure_state s = started( &c, 101325, 15, 1 );
	for ( int i = 0; i < 1000; ++i )
	{
		double p = 101325 + 60123.7 * i;
		ds_pressure r = read_at( &c, &s, p, 4, i );
		assert_true( r.pressure == p && r.valid && r.variance == 0 && r.bias_variance == 0 && r.temperature == 4 );
	}
}

static void test_steady_terms( void **state )
{
	(void)state;
	ds_pressure_config c = config_of( "{ \"bias\": 120, \"scale\": 2e-4, \"ageing\": 0.01, \"offset_temperature\": 30, "
									  "\"span_temperature\": -1e-5, \"reference_temperature\": 10 }" );
	ds_pressure_state s = started( &c, 1e5, 10, 1 );
	double p = 3e7, t = 4, time = 5000;
	double expected = p * ( 1 + 2e-4 - 1e-5 * ( t - 10 ) ) + 120 + 0.01 * time + 30 * ( t - 10 );
	NEAR( read_at( &c, &s, p, t, time ).pressure, expected, 1e-7 );
}

// The sensor's temperature follows a step by its time constant and a ramp behind it, whatever the rate.
static void test_thermal_lag( void **state )
{
	(void)state;
	ds_pressure_config c =
		config_of( "{ \"offset_temperature\": 100, \"thermal_tau\": 60, \"reference_temperature\": 20 }" );
	const double steps[3] = { 0.01, 1, 45 };
	for ( int k = 0; k < 3; ++k )
	{
		ds_pressure_state s = started( &c, 1e5, 20, 1 );
		double time = 0;
		ds_pressure r;
		while ( time < 180 - 1e-9 )
		{
			time += steps[k];
			r = read_at( &c, &s, 1e5, 20 - 0.05 * time, time );
		}
		// of a ramp of -0.05 K/s
		double expected = 20 - 0.05 * ( time - 60 * ( 1 - exp( -time / 60 ) ) );
		NEAR( r.temperature, expected, 1e-9 );
		NEAR( r.pressure, 1e5 + 100 * ( expected - 20 ), 1e-6 );
	}
	// a step, held from the first sample after it
	ds_pressure_state s = started( &c, 1e5, 20, 1 );
	read_at( &c, &s, 1e5, 4, 1e-9 );
	ds_pressure r = read_at( &c, &s, 1e5, 4, 60 );
	NEAR( r.temperature, 4 + 16 * exp( -1 ), 1e-6 );
}

static void test_range_and_resolution( void **state )
{
	(void)state;
	ds_pressure_config c = config_of( "{ \"minimum\": 0, \"maximum\": 3e6, \"resolution\": 1000 }" );
	ds_pressure_state s = started( &c, 101325, 10, 1 );
	ds_pressure r = read_at( &c, &s, 101325, 10, 1 );
	assert_true( r.valid && r.pressure == 101000 );
	NEAR( r.variance, 1e6 / 12, 1e-9 );
	r = read_at( &c, &s, 3.1e6, 10, 2 );
	assert_true( !r.valid && r.pressure == 3e6 );
	r = read_at( &c, &s, -5, 10, 3 );
	assert_true( !r.valid && r.pressure == 0 );

	// ends that are no multiples: no reading lies beyond them
	c = config_of( "{ \"minimum\": 400, \"maximum\": 2999600, \"resolution\": 1000 }" );
	s = started( &c, 101325, 10, 1 );
	assert_true( read_at( &c, &s, 3.1e6, 10, 1 ).pressure == 2999000 );
	assert_true( read_at( &c, &s, 0, 10, 2 ).pressure == 1000 );
}

// ---- hysteresis --------------------------------------------------------------------------------------------------

#define FULL 6e7
#define H    1e-3

static double cycle( const ds_pressure_config *c, ds_pressure_state *s, double from, double to, int steps, double at )
{
	static double time = 0;
	double error = NAN;
	for ( int i = 1; i <= steps; ++i )
	{
		double p = from + ( to - from ) * i / steps;
		time += 1;
		double e = read_at( c, s, p, 20, time ).pressure - p;
		if ( fabs( p - at ) < 0.5 * fabs( to - from ) / steps )
		{
			error = e;
		}
	}
	return error;
}

// The loop over the full scale: true at both ends, low as pressure rises, high as it falls, H of the full scale apart at the
// middle; the same again.
static void test_major_loop( void **state )
{
	(void)state;
	ds_pressure_config c = config_of( "{ \"hysteresis\": 1e-3, \"full_scale\": 6e7 }" );
	ds_pressure_state s = started( &c, 0, 20, 1 );
	NEAR( read_at( &c, &s, 0, 20, 0 ).pressure, 0, 1e-7 );
	for ( int turn = 0; turn < 2; ++turn )
	{
		NEAR( cycle( &c, &s, 0, FULL, 600, FULL / 2 ), -0.5 * H * FULL, 1e-6 );
		NEAR( read_at( &c, &s, FULL, 20, 1e7 + turn ).pressure, FULL, 1e-6 );
		NEAR( cycle( &c, &s, FULL, 0, 600, FULL / 2 ), 0.5 * H * FULL, 1e-6 );
		NEAR( read_at( &c, &s, 0, 20, 2e7 + turn ).pressure, 0, 1e-6 );
	}
	// the shape: the branches lie sum min( 2 r, p - r, ... ) apart, a parabola 4 x (1 - x) but for the eight steps
	for ( int i = 1; i < 16; ++i )
	{
		double x = i / 16.0;
		double up = cycle( &c, &s, 0, FULL, 160, x * FULL ), down = cycle( &c, &s, FULL, 0, 160, x * FULL );
		NEAR( ( down - up ) / ( H * FULL ), 4 * x * ( 1 - x ), 0.016 );
	}
}

// Loops over a part of the scale: as wide as the square of their part, closed, and without a trace afterwards.
static void test_minor_loops( void **state )
{
	(void)state;
	ds_pressure_config c = config_of( "{ \"hysteresis\": 1e-3, \"full_scale\": 6e7 }" );
	for ( int part = 2; part <= 8; part += 2 )
	{
		double low = FULL * 0.0, high = FULL * part / 8.0, middle = 0.5 * high;
		ds_pressure_state s = started( &c, 0, 20, 1 );
		cycle( &c, &s, low, high, 400, middle );
		double down = cycle( &c, &s, high, low, 400, middle ), up = cycle( &c, &s, low, high, 400, middle );
		NEAR( ( down - up ) / ( H * FULL ), part * part / 64.0, 1e-9 );
	}
	// return-point memory: an excursion on the way up leaves no trace
	ds_pressure_state a = started( &c, 0, 20, 1 );
	cycle( &c, &a, 0, 0.7 * FULL, 700, 0 );
	ds_pressure_state b = a;
	cycle( &c, &b, 0.7 * FULL, 0.3 * FULL, 37, 0 );
	cycle( &c, &b, 0.3 * FULL, 0.7 * FULL, 41, 0 );
	for ( int k = 0; k < DS_PRESSURE_PLAYS; ++k )
	{
		NEAR( a.play[k], b.play[k], 1e-6 );
	}
}

// What happens between does not depend on how often it is sampled.
static void test_hysteresis_has_no_rate( void **state )
{
	(void)state;
	ds_pressure_config c = config_of( "{ \"hysteresis\": 1e-3, \"full_scale\": 6e7 }" );
	ds_pressure_state coarse = started( &c, 0, 20, 1 ), fine = coarse;
	cycle( &c, &coarse, 0, 4e7, 1, 0 );
	cycle( &c, &fine, 0, 4e7, 4000, 0 );
	cycle( &c, &coarse, 4e7, 1e7, 1, 0 );
	cycle( &c, &fine, 4e7, 1e7, 333, 0 );
	for ( int k = 0; k < DS_PRESSURE_PLAYS; ++k )
	{
		NEAR( coarse.play[k], fine.play[k], 1e-6 );
	}
}

// ---- noise -------------------------------------------------------------------------------------------------------

static void test_white_noise( void **state )
{
	(void)state;
	const double rates[2] = { 10, 160 };
	for ( int k = 0; k < 2; ++k )
	{
		ds_pressure_config c = config_of( "{ \"noise\": 30, \"noise_density\": 10 }" );
		ds_pressure_state s = started( &c, 1e5, 20, 1 );
		double deviation = sqrt( 900 + 100 * rates[k] );
		kit_moments m = { 0 };
		for ( int i = 1; i <= 50000; ++i )
		{
			ds_pressure r = read_at( &c, &s, 1e5, 20, i / rates[k] );
			kit_take( &m, r.pressure - 1e5 );
			NEAR( r.variance, deviation * deviation, 1e-6 * deviation * deviation );
		}
		KIT_NORMAL( m, 0, deviation );
	}
}

// The first sample is the mean of nothing: its density goes by the nominal period, without a world and in one, and is not left out.
static void test_first_sample( void **state )
{
	(void)state;
	ds_pressure_config c = config_of( "{ \"noise_density\": 10 }" );
	kit_moments m = { 0 };
	for ( uint64_t run = 0; run < 20000; ++run )
	{
		ds_pressure_state s = started( &c, 1e5, 20, run );
		ds_pressure_truth truth = { 1e5, 20, 0, 0.25 };
		ds_pressure r;
		ds_random stream = stream_of( DS_RANDOM_SAMPLE, run );
		ds_pressure_measure( &c, &truth, &stream, &s, &r );
		kit_take( &m, r.pressure - 1e5 );
		NEAR( r.variance, 400, 1e-9 );
	}
	KIT_NORMAL( m, 0, 20 );
	static const char *const types[3] = { "'pressure', 'config': { 'noise_density': 10 }",
		"'depth', 'config': { 'gauge': { 'noise_density': 10 } }",
		"'ctd', 'config': { 'pressure': { 'noise_density': 10 } }" };
	for ( int i = 0; i < 3; ++i )
	{
		char rest[512];
		snprintf( rest, sizeof( rest ),
			", 'rate': 20, 'duration': 1, 'bodies': [ { 'name': 'b', 'mass': 10, 'inertia': [1, 1, 1], 'fixed': true, "
			"'pose': { 'position': [0, 0, 9] } } ], 'sensors': [ { 'name': 's', 'body': 'b', 'rate': 4, 'type': %s } ]",
			types[i] );
		ds_world *world = sea_world( "{}", rest );
		OK( ds_world_step( world, 1 ) );
		ds_id id;
		OK( ds_world_find( world, DS_SENSOR, "s", &id ) );
		union
		{
			ds_pressure pressure;
			ds_depth depth;
			ds_ctd ctd;
		} r;
		memset( &r, 0, sizeof( r ) );
		OK( ds_sensor_latest( world, id, NULL, &r,
			i == 0   ? sizeof( r.pressure )
			: i == 1 ? sizeof( r.depth )
					 : sizeof( r.ctd ) ) );
		double slope = 1 / ( 1025 * 9.81 );
		double variance = i == 0   ? r.pressure.variance
						  : i == 1 ? r.depth.variance / ( slope * slope )
								   : r.ctd.pressure_variance;
		NEAR( variance, 400, 10 );
		ds_world_destroy( world );
	}
}

// Over many runs, turn-on bias, random walk and Gauss-Markov process have the variance that the reading says.
static void test_slow_errors( void **state )
{
	(void)state;
	static const char *const configs[] = { "{ \"turn_on\": 50 }", "{ \"walk\": 2 }",
		"{ \"markov_sigma\": 40, \"markov_tau\": 100 }",
		"{ \"turn_on\": 50, \"walk\": 2, \"markov_sigma\": 40, \"markov_tau\": 100 }" };
	const double expected[] = { 2500, 4 * 300, 1600, 2500 + 1200 + 1600 };
	for ( int k = 0; k < 4; ++k )
	{
		ds_pressure_config c = config_of( configs[k] );
		kit_moments m = { 0 };
		for ( uint64_t run = 0; run < 4000; ++run )
		{
			ds_pressure_state s = started( &c, 1e5, 20, run );
			ds_pressure r;
			for ( int i = 1; i <= 30; ++i )
			{
				ds_random stream = ds_random_stream( run, "gauge", DS_RANDOM_SAMPLE, (uint64_t)i );
				ds_pressure_truth truth = { 1e5, 20, 10.0 * i, 0 };
				ds_pressure_measure( &c, &truth, &stream, &s, &r );
			}
			kit_take( &m, r.pressure - 1e5 );
			NEAR( r.bias_variance, expected[k], 1e-9 );
		}
		KIT_NORMAL( m, 0, sqrt( expected[k] ) );
	}
}

// The correlation of the Gauss-Markov process over a time is exp( -t / tau ), at any rate.
static void test_correlation( void **state )
{
	(void)state;
	ds_pressure_config c = config_of( "{ \"markov_sigma\": 40, \"markov_tau\": 100 }" );
	double sum = 0, runs = 20000;
	for ( uint64_t run = 0; run < (uint64_t)runs; ++run )
	{
		ds_pressure_state s = started( &c, 0, 20, run );
		double first = read_at( &c, &s, 0, 20, 0 ).pressure, last = 0;
		for ( int i = 1; i <= 4; ++i )
		{
			ds_random stream = ds_random_stream( run, "gauge", DS_RANDOM_SAMPLE, (uint64_t)i );
			ds_pressure_truth truth = { 0, 20, 12.5 * i, 0 };
			ds_pressure r;
			ds_pressure_measure( &c, &truth, &stream, &s, &r );
			last = r.pressure;
		}
		sum += first * last / 1600 / runs;
	}
	NEAR( sum, exp( -0.5 ), 4.5 * sqrt( ( 1 + exp( -1 ) ) / runs ) );
}

// Each random term has numbers of its own: switching one on or off moves the readings by its own part and nothing else.
static void test_terms_are_apart( void **state )
{
	(void)state;
	static const char *const terms[] = { "\"noise\": 30", "\"walk\": 2", "\"markov_sigma\": 40", "\"turn_on\": 50",
		"\"bias\": 7" };
	double part[5][50], all[50];
	for ( int k = 0; k <= 5; ++k )
	{
		char json[256] = "{ \"noise\": 30, \"walk\": 2, \"markov_sigma\": 40, \"turn_on\": 50, \"bias\": 7 }";
		if ( k < 5 )
		{
			snprintf( json, sizeof( json ), "{ %s }", terms[k] );
		}
		ds_pressure_config c = config_of( json );
		ds_pressure_state s = started( &c, 0, 20, 1 );
		for ( int i = 0; i < 50; ++i )
		{
			( k < 5 ? part[k] : all )[i] = read_at( &c, &s, 0, 20, i ).pressure;
		}
	}
	for ( int i = 0; i < 50; ++i )
	{
		NEAR( all[i], part[0][i] + part[1][i] + part[2][i] + part[3][i] + part[4][i], 1e-9 );
	}
}

static void test_presets( void **state )
{
	(void)state;
	ds_pressure_config c;
	for ( int32_t i = 0; i < ds_pressure_options.preset_count; ++i )
	{
		OK( ds_pressure_config_preset( ds_pressure_options.presets[i].name, &c ) );
	}
	OK( ds_pressure_config_preset( "digiquartz_7000m", &c ) );
	NEAR( c.turn_on, 0.5 * 0.0002 * 7e7, 1e-9 );
	NEAR( c.ageing * 365.25 * 86400, 0.0002 * 7e7, 5 );
	NEAR( c.resolution, 2.5e-5 * 7e7, 1e-9 );
	FAILS( ds_pressure_config_preset( "bar3", &c ), DS_ERROR_NOT_FOUND, "did you mean \"bar30\"" );
	FAILS( ds_pressure_config_preset( NULL, &c ), DS_ERROR_ARGUMENT, "must not be NULL" );
}

static void test_life( void **state )
{
	(void)state;
	kit_life life = { .type = "pressure",
		.config = "{ \"noise\": 20, \"noise_density\": 3, \"turn_on\": 50, \"walk\": 2, \"ageing\": 0.1, "
				  "\"markov_sigma\": 9, "
				  "\"hysteresis\": 1e-3, \"full_scale\": 3e6, \"offset_temperature\": 30, \"thermal_tau\": 5, "
				  "\"resolution\": 0.1 }",
		.start = { 0, 0, -1 } };
	kit_sensor_life( &life, true );
	life.config = "{}";
	kit_sensor_life( &life, false );
}

// A sensor that starts a run of its own and has inputs may come into a world that has run: its inputs are not there yet.
static void test_added_later_with_inputs( void **state )
{
	(void)state;
	kit_memory memory = { 0, 0 };
	kit_life life = { .type = "pressure", .config = "{}", .start = { 0, 0, 5 } };
	ds_world *world = kit_life_world( &life, &memory, 1 );
	kit_add_sensor( world, &life, "first" );
	OK( ds_world_step( world, 3 ) );
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "second" );
	snprintf( def.type, sizeof( def.type ), "pressure" );
	snprintf( def.inputs[0].name, sizeof( def.inputs[0].name ), "other" );
	snprintf( def.inputs[0].source, sizeof( def.inputs[0].source ), "first" );
	def.input_count = 1;
	def.body = ds_world_at( world, DS_BODY, 0 );
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	OK( ds_world_step( world, 3 ) );
	ds_pressure a, b;
	OK( ds_sensor_latest( world, ds_world_at( world, DS_SENSOR, 0 ), NULL, &a, sizeof( a ) ) );
	OK( ds_sensor_latest( world, id, NULL, &b, sizeof( b ) ) );
	assert_true( a.pressure == b.pressure );
	ds_world_destroy( world );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_perfect ),
		cmocka_unit_test( test_steady_terms ),
		cmocka_unit_test( test_thermal_lag ),
		cmocka_unit_test( test_range_and_resolution ),
		cmocka_unit_test( test_major_loop ),
		cmocka_unit_test( test_minor_loops ),
		cmocka_unit_test( test_hysteresis_has_no_rate ),
		cmocka_unit_test( test_white_noise ),
		cmocka_unit_test( test_first_sample ),
		cmocka_unit_test( test_slow_errors ),
		cmocka_unit_test( test_correlation ),
		cmocka_unit_test( test_terms_are_apart ),
		cmocka_unit_test( test_presets ),
		cmocka_unit_test( test_life ),
		cmocka_unit_test( test_added_later_with_inputs ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

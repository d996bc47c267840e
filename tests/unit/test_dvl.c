// The DVL without a world: geometry, validity, sound, water track, rate, options; each against what can be worked out by hand.

#include "dvl_kit.h"

// ---- geometry ------------------------------------------------------------------------------------------------------

// Reference case P09: 30 degrees, 45/135/225/315 degrees, 10 m above a level bottom.
static void test_level( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{}" );
	ds_dvl_truth t = kit_level( &m, 10 );
	t.velocity = ds_v3( 1.0, -0.5, 0.2 );
	ds_dvl r = kit_first( &m, &t );
	const double along[DS_BEAMS] = { 0.349982, -0.357125, -0.003572, 0.703535 };
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		NEAR( r.beam_range[i], 11.5470, 5e-5 );
		NEAR( r.beam_velocity[i], along[i], 1e-6 );
		assert_true( r.beam_valid[i] && r.beam_quality[i] == 1 );
	}
	NEAR3( kit_v3( r.velocity ), t.velocity, 1e-14 );
	assert_true( r.fresh && r.bottom_valid && r.altitude_valid && !r.water_valid && r.mode == DS_DVL_MODE_BOTTOM );
	assert_int_equal( r.n_good, 4 );
	NEAR( r.altitude, 10, 1e-12 );
	NEAR( r.error_velocity, 0, 1e-15 );
	NEAR( r.ping_time, 2 * 11.547005 / 1500, 1e-8 );
}

static void test_pitched( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{}" );
	ds_dvl_truth t = kit_over_plane( &m, ds_quat_from_rpy( ds_v3( 0, 10 * DEGREE, 0 ) ), ds_v3( 0, 0, -1 ), 10 );
	ds_dvl r = kit_first( &m, &t );
	const double ranges[DS_BEAMS] = { 12.6346, 10.9378, 10.9378, 12.6346 };
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		NEAR( r.beam_range[i], ranges[i], 5e-5 );
	}
	NEAR( r.altitude, 10, 1e-12 );
}

// Any attitude over any plane: the altitude is the height straight above it, whatever the tilt; the velocity is exact.
static void test_planes( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"maximum_altitude\": 1000 }" );
	uint64_t s = 5;
	int whole = 0;
	for ( int k = 0; k < 2000; ++k )
	{
		ds_vec3 rpy = kit_random3( &s, 0.6, 0.6, 3 );
		double slope = 0.25 * ( 1 + kit_uniform( &s ) );
		ds_vec3 n = kit_plane_normal( slope, 3 * kit_uniform( &s ) );
		double height = 30 + 20 * kit_uniform( &s );
		ds_dvl_truth t = kit_over_plane( &m, ds_quat_from_rpy( rpy ), n, height );
		t.velocity = kit_random3( &s, 3, 3, 3 );
		ds_dvl r = kit_first( &m, &t );
		if ( r.n_good == 4 )
		{
			++whole;
			NEAR( r.altitude, height, 1e-8 * height );
		}
		if ( r.n_good >= 3 )
		{
			NEAR3( kit_v3( r.velocity ), t.velocity, 1e-12 );
		}
	}
	assert_true( whole > 1500 );
}

// What is hit may move, each place in its own way; a common velocity is subtracted.
static void test_moving_ground( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{}" );
	ds_dvl_truth t = kit_level( &m, 10 );
	t.velocity = ds_v3( 0.4, 0.1, -0.2 );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		t.surface_velocity[i] = ds_v3( 0.3, -0.2, 0.1 );
	}
	NEAR3( kit_v3( kit_first( &m, &t ).velocity ), ds_v3( 0.1, 0.3, -0.3 ), 1e-15 );
}

// Janus beams given as vectors, of any length, are the same instrument; other geometries solve too.
static void test_vectors( void **state )
{
	(void)state;
	ds_dvl_model a = kit_dvl_model( "{ \"beams\": { \"angle_deg\": 45, \"azimuth_deg\": [0, 90, 180, 270] } }" );
	ds_dvl_model b = kit_dvl_model( "{ \"beams\": [2, 0, 2, 0, 1, 1, -3, 0, 3, 0, -1, 1] }" );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		NEAR3( a.direction[i], b.direction[i], 1e-15 );
		NEAR( a.cosine[i], sqrt( 0.5 ), 1e-15 );
	}
	ds_dvl_model c = kit_dvl_model( "{ \"beams\": [1, 0, 2, 0, 1, 1.5, -1, 0.2, 2, 0.1, -1, 1] }" );
	ds_dvl_truth t = kit_level( &c, 20 );
	t.velocity = ds_v3( -1, 2, 0.5 );
	NEAR3( kit_v3( kit_first( &c, &t ).velocity ), t.velocity, 1e-14 );
	NEAR( kit_first( &c, &t ).altitude, 20, 1e-12 );
}

// ---- validity ------------------------------------------------------------------------------------------------------

static void test_beams_heard( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"noise\": 0.01 }" );
	for ( unsigned mask = 0; mask < 16; ++mask )
	{
		ds_dvl_truth t = kit_level( &m, 10 );
		t.velocity = ds_v3( 1, 2, 0.3 );
		int count = 0;
		for ( int i = 0; i < DS_BEAMS; ++i )
		{
			bool heard = mask >> i & 1;
			t.range[i] = heard ? t.range[i] : -1;
			count += heard;
		}
		ds_dvl r = kit_first( &m, &t );
		assert_true( r.fresh );
		assert_int_equal( r.n_good, count );
		assert_int_equal( r.bottom_valid, count >= 3 );
		assert_int_equal( r.mode, count >= 3 ? DS_DVL_MODE_BOTTOM : DS_DVL_NONE );
		assert_int_equal( r.altitude_valid, count > 0 );
		NEAR( r.altitude, count ? 10 : 0, 1e-12 );
		for ( int i = 0; i < DS_BEAMS; ++i )
		{
			bool heard = mask >> i & 1;
			assert_int_equal( r.beam_valid[i], heard );
			assert_int_equal( r.beam_range[i] > 0, heard );
			assert_int_equal( r.beam_velocity[i] != 0, heard );
		}
		if ( count < 3 ) // not even what was there before
		{
			assert_true( r.velocity[0] == 0 && r.velocity[1] == 0 && r.velocity[2] == 0 && r.covariance[0] == 0 &&
						 r.figure_of_merit == 0 );
		}
		else
		{
			NEAR3( kit_v3( r.velocity ), t.velocity, 0.15 );
		}
		assert_int_equal( r.error_velocity != 0, count == 4 );
	}
}

static void test_nothing_in_air( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"track\": \"both\", \"noise\": 0.1 }" );
	ds_dvl_truth t = kit_level( &m, 10 );
	t.wet = false;
	ds_dvl r = kit_first( &m, &t );
	assert_true( r.fresh && !r.bottom_valid && !r.water_valid && !r.altitude_valid && r.n_good == 0 && r.n_water == 0 );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		assert_true( !r.beam_valid[i] && r.beam_range[i] == 0 && !r.water_beam_valid[i] );
	}
}

static void test_altitude_limits( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"minimum_altitude\": 1, \"maximum_altitude\": 50 }" );
	const double heights[] = { 0.999, 1.001, 49.99, 50.01 };
	for ( int i = 0; i < 4; ++i )
	{
		ds_dvl_truth t = kit_level( &m, heights[i] );
		assert_int_equal( kit_first( &m, &t ).n_good, i == 1 || i == 2 ? 4 : 0 );
	}
	NEAR( ds_dvl_reach( &m ), 50 / cos( 30 * DEGREE ), 1 );
	assert_true( ds_dvl_reach( &m ) > 50 / cos( 30 * DEGREE ) );
}

// How often beams are heard, of 20000 pings: the given dropout, and the smooth loss near the greatest range and incidence.
static double heard( const ds_dvl_model *m, const ds_dvl_truth *t, double *quality )
{
	ds_dvl_state state;
	ds_dvl_reset( &state );
	int64_t count = 0;
	for ( uint64_t k = 0; k < 5000; ++k )
	{
		ds_dvl r = kit_ping( m, &state, t, 3, k );
		count += r.n_good;
		*quality = r.beam_valid[0] ? r.beam_quality[0] : *quality;
	}
	return (double)count / 20000;
}

static void test_dropouts( void **state )
{
	(void)state;
	const struct
	{
		const char *json;
		double height, incidence, chance;
	} cases[] = {
		{ "{ \"dropout\": 0.2 }", 10, 30, 0.8 },
		{ "{ \"range_fade\": 0.2 }", 75, 30, 1 }, // it starts at 80 m
		{ "{ \"range_fade\": 0.2 }", 85, 30, 1 - 0.0625 * ( 3 - 0.5 ) },
		{ "{ \"range_fade\": 0.2 }", 90, 30, 0.5 },
		{ "{ \"range_fade\": 0.2, \"dropout\": 0.5 }", 90, 30, 0.25 },
		{ "{ \"incidence_limit_deg\": 75, \"incidence_fade_deg\": 20 }", 10, 54, 1 },
		{ "{ \"incidence_limit_deg\": 75, \"incidence_fade_deg\": 20 }", 10, 65, 0.5 },
		{ "{ \"incidence_limit_deg\": 75, \"incidence_fade_deg\": 20 }", 10, 76, 0 },
		{ "{ \"incidence_limit_deg\": 75 }", 10, 74, 1 },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_dvl_model m = kit_dvl_model( cases[i].json );
		ds_dvl_truth t = kit_level( &m, cases[i].height );
		for ( int k = 0; k < DS_BEAMS; ++k )
		{
			t.cosine[k] = cos( cases[i].incidence * DEGREE );
		}
		double quality = 0, p = cases[i].chance;
		NEAR( heard( &m, &t, &quality ), p, 4 * sqrt( p * ( 1 - p ) / 20000 ) );
		NEAR( quality, p, 1e-12 );
	}
}

// ---- sound ---------------------------------------------------------------------------------------------------------

static void test_sound_piston( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"sound_speed\": 1500 }" );
	ds_dvl_truth t = kit_level( &m, 10 );
	t.velocity = ds_v3( 1, -0.5, 0.2 );
	t.sound_speed = 1480;
	t.mean_sound_speed = 1530;
	ds_dvl r = kit_first( &m, &t );
	NEAR3(
		kit_v3( r.velocity ), ds_scale( 1500.0 / 1480, t.velocity ), 1e-14 ); // of the layers, the transducer's alone
	NEAR( r.beam_range[0], t.range[0] * 1500 / 1530, 1e-12 );
	NEAR( r.altitude, 10.0 * 1500 / 1530, 1e-12 );
	NEAR( r.ping_time, 2 * t.range[0] / 1530, 1e-12 );
	NEAR( r.sound_speed, 1500, 0 );

	ds_dvl_model own = kit_dvl_model( "{}" ); // measures it itself
	r = kit_first( &own, &t );
	NEAR3( kit_v3( r.velocity ), t.velocity, 1e-14 );
	NEAR( r.beam_range[0], t.range[0] * 1480 / 1530, 1e-12 );
	NEAR( r.sound_speed, 1480, 0 );
}

// Horizontal velocities of a phased array do not feel the speed of sound; the vertical one does as the Pathfinder DVL Guide (April 2018,
// p. 127) has it: its correction factor for 1500 assumed and 1450 true is 0.9569.
static void test_sound_phased( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"sound_speed\": 1500, \"array\": \"phased\", \"array_sound_speed\": 1536 }" );
	ds_vec3 beams[DS_BEAMS];
	ds_dvl_beams( &m, 1450, beams );
	NEAR( hypot( beams[0].x, beams[0].y ), 1450.0 / ( 2 * 1536 ), 1e-15 ); // sin(angle) = c/(2 c0)
	NEAR( ds_length( beams[0] ), 1, 1e-15 );
	ds_dvl_truth t = kit_level( &m, 10 );
	t.velocity = ds_v3( 1, -0.5, 0.2 );
	t.sound_speed = 1450;
	ds_dvl r = kit_first( &m, &t );
	NEAR( r.velocity[0], 1, 1e-14 );
	NEAR( r.velocity[1], -0.5, 1e-14 );
	NEAR( 0.2 / r.velocity[2], 0.9569, 5e-5 );
	ds_dvl_model own = kit_dvl_model( "{ \"array\": \"phased\", \"array_sound_speed\": 1536 }" );
	NEAR3( kit_v3( kit_first( &own, &t ).velocity ), t.velocity, 1e-14 );
}

// ---- water track ---------------------------------------------------------------------------------------------------

// v - v_water; each beam sees its own water.
static void test_water( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"track\": \"both\", \"water_noise\": 0.02 }" );
	ds_dvl_truth t = kit_level( &m, 50 );
	t.velocity = ds_v3( 1, 0, 0 );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		t.water_velocity[i] = ds_v3( 0.3, 0.2, 0 );
	}
	const int count = 20000;
	double mean[3] = { 0 }, square = 0;
	ds_dvl_state run;
	ds_dvl_reset( &run );
	for ( uint64_t k = 0; k < (uint64_t)count; ++k )
	{
		ds_dvl r = kit_ping( &m, &run, &t, 9, k );
		assert_true( r.water_valid && r.n_water == 4 && r.mode == DS_DVL_MODE_BOTTOM );
		NEAR3( kit_v3( r.velocity ), t.velocity, 1e-14 ); // without the water's noise
		for ( int i = 0; i < 3; ++i )
		{
			mean[i] += r.water_velocity[i] / count;
		}
		square += ( r.water_velocity[0] - 0.7 ) * ( r.water_velocity[0] - 0.7 ) / count;
		NEAR( sqrt( r.water_covariance[0] ), 0.02 * sqrt( 2 ), 1e-12 );
	}
	NEAR3( kit_v3( mean ), ds_v3( 0.7, -0.2, 0 ), 1e-3 );
	NEAR( sqrt( square ), 0.02 * sqrt( 2 ), 0.02 * 0.02 * sqrt( 2 ) );

	// different water in the beams ahead and astern: the least-squares solution of four values
	ds_dvl_model quiet = kit_dvl_model( "{ \"track\": \"water\" }" );
	t.velocity = ds_v3( 0, 0, 0 );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		t.water_velocity[i] = ds_v3( i == 0 || i == 3 ? 1 : 0, 0, 0 );
	}
	ds_dvl r = kit_first( &quiet, &t );
	NEAR( r.water_velocity[0], -0.5, 1e-14 );
	NEAR( r.water_velocity[2], -0.5 * tan( 30 * DEGREE ) * sqrt( 0.5 ), 1e-14 ); // a difference ahead looks like heave
	assert_true( r.mode == DS_DVL_MODE_WATER && !r.bottom_valid && r.n_good == 0 );
}

// The layer ends at 80 % of the shortest distance to the bottom.
static void test_layer( void **state )
{
	(void)state;
	ds_dvl_model m =
		kit_dvl_model( "{ \"track\": \"both\", \"layer_near\": 2, \"layer_far\": 6, \"layer_minimum\": 1 }" );
	const double c = cos( 30 * DEGREE );
	const double heights[] = { 20, 7, 6, 5, 3.8, 3.7 };
	const double ends[] = { 6, 5.6, 4.8, 4, 3.04, 0 };
	for ( int k = 0; k < 6; ++k )
	{
		ds_dvl_truth t = kit_level( &m, heights[k] );
		double nearest[DS_BEAMS], farthest[DS_BEAMS];
		bool room = ds_dvl_layer( &m, t.range, nearest, farthest );
		assert_int_equal( room, ends[k] > 0 );
		NEAR( nearest[2], room ? 2 / c : 0, 1e-12 );
		NEAR( farthest[2], ends[k] / c, 1e-12 );
		assert_int_equal( kit_first( &m, &t ).water_valid, room );
	}
	ds_dvl_truth t = kit_level( &m, 20 );
	t.water_present[1] = t.water_present[2] = false;
	ds_dvl r = kit_first( &m, &t );
	assert_true( !r.water_valid && r.n_water == 2 && r.bottom_valid );
	ds_dvl_model printed = kit_dvl_model( "{ \"track\": \"water\", \"water\": \"printed\" }" );
	double nearest[DS_BEAMS], farthest[DS_BEAMS];
	assert_true( ds_dvl_layer( &printed, t.range, nearest, farthest ) && nearest[0] == 0 && farthest[0] == 0 );
}

// ---- rate ----------------------------------------------------------------------------------------------------------

static int fresh_readings( const ds_dvl_model *m, double height, double rate, double seconds )
{
	ds_dvl_truth t = kit_level( m, height );
	t.velocity = ds_v3( 1, 2, 3 );
	ds_dvl_state run;
	ds_dvl_reset( &run );
	int fresh = 0;
	for ( int k = 0; k < (int)( seconds * rate ); ++k )
	{
		t.time = k / rate;
		ds_dvl r = kit_ping( m, &run, &t, 1, (uint64_t)k );
		fresh += r.fresh;
		ds_dvl nothing;
		memset( &nothing, 0, sizeof( nothing ) );
		assert_true( r.fresh || memcmp( &r, &nothing, sizeof( r ) ) == 0 );
		assert_int_equal( r.fresh, r.bottom_valid || ( r.fresh && height > 100 ) );
	}
	return fresh;
}

static void test_adaptive( void **state )
{
	(void)state;
	ds_dvl_model fixed = kit_dvl_model( "{}" ), m = kit_dvl_model( "{ \"adaptive\": true, \"overhead\": 0.01 }" );
	assert_int_equal( fresh_readings( &fixed, 90, 20, 60 ), 1200 );
	// at 90 m an echo takes 2 x 103.9/1500 + 0.01 = 0.1486 s: every third of 20 samples a second
	assert_int_equal( fresh_readings( &m, 90, 20, 60 ), 400 );
	assert_int_equal( fresh_readings( &m, 50, 20, 60 ), 600 ); // 0.087 s
	assert_int_equal( fresh_readings( &m, 20, 20, 60 ), 1200 ); // 0.041 s
	assert_int_equal( fresh_readings( &m, 500, 20, 60 ), 300 ); // no echo: the greatest range, 0.164 s
}

// ---- options -------------------------------------------------------------------------------------------------------

// Every number has a range; one beyond it, and one that is none, is refused by name, in a file and in C.
static void test_ranges( void **state )
{
	(void)state;
	const ds_table *table = ds_dvl_config_table();
	OK( ds_table_check( table ) );
	OK( ds_table_check( ds_dvl_table() ) );
	int checked = 0;
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *f = table->fields + i;
		if ( f->type != DS_FIELD_F64 )
		{
			continue;
		}
		assert_true( f->minimum < f->maximum );
		double unit = f->flags & DS_FIELD_ANGLE ? DEGREE : 1;
		const double wrong[] = { unit * f->minimum - 1, unit * f->maximum * 1.01 + 1, NAN, INFINITY };
		for ( int k = 0; k < 4; ++k )
		{
			ds_dvl_config c = ds_dvl_config_default();
			ds_dvl_model m;
			double *value = (double *)(void *)( (char *)&c + f->offset );
			value[f->count - 1] = wrong[k];
			FAILS( ds_dvl_prepare( &c, &m ), k < 2 ? DS_ERROR_RANGE : DS_ERROR_NOT_FINITE, f->name );
		}
		++checked;
	}
	assert_true( checked >= 20 );
	ds_dvl_config c;
	FAILS( ds_table_parse( table, "{ \"noise\": -1 }", &c ), DS_ERROR_RANGE, "noise" );
	FAILS( ds_table_parse( table, "{ \"beams\": { \"angle_deg\": 61 } }", &c ), DS_ERROR_RANGE, "angle_deg" );
	FAILS( ds_table_parse( table, "{ \"minimum_altitude\": 100 }", &c ), DS_ERROR_RANGE, "below maximum_altitude" );
	FAILS( ds_table_parse( table, "{ \"track\": \"both\", \"layer_far\": 2.5 }", &c ), DS_ERROR_RANGE, "layer_far" );
	FAILS( ds_table_parse( table, "{ \"beams\": [1, 0, 1, -1, 0, 1, 2, 0, 1, -2, 0, 1] }", &c ), DS_ERROR_RANGE,
		"one plane" );
	FAILS( ds_table_parse( table, "{ \"beams\": [1, 0, 1, -1, 0, 1, 0, 0, 0, 0, 1, 1] }", &c ), DS_ERROR_RANGE,
		"beam 2 has no direction" );
	FAILS( ds_table_parse( table, "{ \"beams\": [1, 0, 1, -1, 0, 1, 0, 1, 1, 0, 0, -1] }", &c ), DS_ERROR_RANGE,
		"85 degrees" );
	c = ds_dvl_config_default();
	c.track = 9;
	ds_dvl_model m;
	FAILS( ds_dvl_prepare( &c, &m ), DS_ERROR_RANGE, "track" );
	FAILS( ds_dvl_prepare( NULL, &m ), DS_ERROR_ARGUMENT, "ds_dvl_prepare" );
}

static void test_presets( void **state )
{
	(void)state;
	const ds_table *table = ds_dvl_config_table();
	assert_true( table->preset_count >= 5 );
	for ( int32_t i = 0; i < table->preset_count; ++i )
	{
		ds_dvl_config c;
		ds_dvl_model m;
		OK( ds_dvl_config_preset( table->presets[i].name, &c ) );
		OK( ds_dvl_prepare( &c, &m ) );
		ds_dvl_truth t = kit_level( &m, 10 );
		t.velocity = ds_v3( 1, 0, 0 );
		assert_true( kit_first( &m, &t ).bottom_valid );
	}
	ds_dvl_config c;
	OK( ds_dvl_config_preset( "dvl500", &c ) );
	NEAR( c.beams.angle, 25 * DEGREE, 1e-15 );
	NEAR( c.maximum_altitude, 200, 0 );
	c = kit_dvl(
		"{ \"preset\": \"dvl500\", \"maximum_altitude\": 150, \"bias_walk\": 0.001 }" ); // and changes single values
	NEAR( c.beams.angle, 25 * DEGREE, 1e-15 );
	NEAR( c.minimum_altitude, 0.3, 0 );
	NEAR( c.maximum_altitude, 150, 0 );
	NEAR( c.bias_walk[2], 0.001, 0 );
	FAILS( ds_dvl_config_preset( "dvl50", &c ), DS_ERROR_NOT_FOUND, "did you mean \"dvl500\"" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_level ),
		cmocka_unit_test( test_pitched ),
		cmocka_unit_test( test_planes ),
		cmocka_unit_test( test_moving_ground ),
		cmocka_unit_test( test_vectors ),
		cmocka_unit_test( test_beams_heard ),
		cmocka_unit_test( test_nothing_in_air ),
		cmocka_unit_test( test_altitude_limits ),
		cmocka_unit_test( test_dropouts ),
		cmocka_unit_test( test_sound_piston ),
		cmocka_unit_test( test_sound_phased ),
		cmocka_unit_test( test_water ),
		cmocka_unit_test( test_layer ),
		cmocka_unit_test( test_adaptive ),
		cmocka_unit_test( test_ranges ),
		cmocka_unit_test( test_presets ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

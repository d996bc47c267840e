// The satellite receiver: where it is, when it has a fix, how it errs.

#include "base/geodesy.h"
#include "sensor_kit.h"
#include "sensors/gnss.h"

#define RAD ( DS_PI / 180 )

static ds_gnss_config config_of( const char *json )
{
	ds_gnss_config config;
	OK( ds_table_parse( &ds_gnss_options, json, &config ) );
	return config;
}

static ds_gnss_state started( const ds_gnss_config *c, uint64_t run )
{
	ds_random stream = ds_random_stream( run, "gnss", DS_RANDOM_RESET, 0 );
	ds_gnss_state state;
	ds_gnss_reset( c, 0, &stream, &state );
	return state;
}

static ds_gnss read_at( const ds_gnss_config *c, ds_gnss_state *state, double time, bool masked, uint64_t run )
{
	ds_random stream = ds_random_stream( run, "gnss", DS_RANDOM_SAMPLE, (uint64_t)llround( time * 100 ) );
	ds_gnss_truth truth = { { 47 * RAD, -8 * RAD, 2 }, { 1, -2, 0.5 }, masked, time };
	ds_gnss reading;
	ds_gnss_measure( c, &truth, &stream, state, &reading );
	return reading;
}

static void test_options( void **state )
{
	(void)state;
	kit_check_ranges( &ds_gnss_options, "" );
	OK( ds_table_check( &ds_gnss_readings ) );
	ds_gnss_config c;
	OK( ds_gnss_config_preset( "u_blox_m8", &c ) );
	// circular error probable of a normal error: sigma sqrt( 2 ln 2 )
	NEAR( c.horizontal_sigma * sqrt( 2 * log( 2 ) ), 2.5, 0.005 );
	FAILS( ds_gnss_config_preset( "ublox_m8", &c ), DS_ERROR_NOT_FOUND, "u_blox_m8" );
}

static void test_perfect( void **state )
{
	(void)state;
	ds_gnss_config c = config_of( "{ \"undulation\": 48.5, \"satellites\": 9 }" );
	ds_gnss_state s = started( &c, 1 );
	ds_gnss r = read_at( &c, &s, 0, false, 1 );
	assert_true( r.valid && r.fix == DS_GNSS_3D && r.satellites == 9 && r.age == 0 );
	assert_true( r.latitude == 47 * RAD && fabs( r.longitude + 8 * RAD ) < 1e-15 );
	assert_true( r.altitude == 2 && r.height == 50.5 );
	assert_true( r.velocity[0] == 1 && r.velocity[1] == -2 && r.velocity[2] == 0.5 );
	r = read_at( &c, &s, 5, true, 1 );
	assert_true(
		!r.valid && r.fix == 0 && r.satellites == 0 && r.latitude == 0 && r.height == 0 && r.velocity[0] == 0 );
	assert_true( r.age == 5 );
}

// Cold start, a short dive, a long one, and one that breaks an acquisition off.
static void test_delays( void **state )
{
	(void)state;
	ds_gnss_config c =
		config_of( "{ \"cold_start\": 26, \"warm_start\": 10, \"reacquisition\": 2, \"ephemeris_life\": 1000 }" );
	ds_gnss_state s = started( &c, 1 );
	double time = 0;
	for ( ; time < 20; ++time )
	{
		ds_gnss r = read_at( &c, &s, time, false, 1 );
		assert_true( !r.valid && r.age == -1 );
	}
	read_at( &c, &s, time++, true, 1 ); // a wave breaks over it: the cold start begins anew
	double seen = time;
	for ( ; time < seen + 40; ++time )
	{
		assert_int_equal( read_at( &c, &s, time, false, 1 ).valid, time >= seen + 26 );
	}
	const double dives[3] = { 100, 1000 - 2, 1500 }, delays[3] = { 2, 2, 10 };
	for ( int k = 0; k < 3; ++k )
	{
		double up = time + dives[k];
		for ( ; time < up; ++time )
		{
			ds_gnss r = read_at( &c, &s, time, true, 1 );
			assert_true( !r.valid && r.age == time - up + dives[k] + 1 );
		}
		for ( ; time < up + 30; ++time )
		{
			assert_int_equal( read_at( &c, &s, time, false, 1 ).valid, time >= up + delays[k] );
		}
	}
}

// Errors in metres, north, east and down: their size, their correlation in time, and that axes have none between them.
static void test_errors( void **state )
{
	(void)state;
	ds_gnss_config c = config_of( "{ \"horizontal_noise\": 0.5, \"vertical_noise\": 1, \"horizontal_sigma\": 2, "
								  "\"vertical_sigma\": 4, \"horizontal_tau\": 100, \"vertical_tau\": 50, "
								  "\"horizontal_velocity_noise\": 0.05, \"vertical_velocity_noise\": 0.1 }" );
	double meridian, parallel;
	ds_earth_radii( 47 * RAD, &meridian, &parallel );
	kit_moments moments[6] = { { 0 } };
	double later[3] = { 0 }, across[3] = { 0 };
	const double runs = 10000;
	for ( uint64_t run = 0; run < (uint64_t)runs; ++run )
	{
		ds_gnss_state s = started( &c, run );
		double e[2][6];
		for ( int k = 0; k < 2; ++k )
		{
			// twenty seconds under water between: the errors go on
			read_at( &c, &s, 20 * k + 10, true, run );
			ds_gnss r = read_at( &c, &s, 20 * k + 20, false, run );
			e[k][0] = ( r.latitude - 47 * RAD ) * meridian;
			e[k][1] = ( r.longitude + 8 * RAD ) * parallel;
			e[k][2] = -( r.altitude - 2 );
			e[k][3] = r.velocity[0] - 1;
			e[k][4] = r.velocity[1] + 2;
			e[k][5] = r.velocity[2] - 0.5;
			NEAR( r.position_variance[1], 4.25, 1e-12 );
			NEAR( r.position_variance[2], 17, 1e-12 );
			NEAR( r.velocity_variance[2], 0.01, 1e-12 );
		}
		for ( int i = 0; i < 6; ++i )
		{
			kit_take( moments + i, e[1][i] );
		}
		const double sigma[3] = { 2, 2, 4 };
		for ( int i = 0; i < 3; ++i )
		{
			later[i] += e[0][i] * e[1][i] / ( sigma[i] * sigma[i] ) / runs;
			across[i] += e[0][i] * e[0][( i + 1 ) % 3] / ( sigma[i] * sigma[( i + 1 ) % 3] ) / runs;
		}
	}
	const double expected[6] = { sqrt( 4.25 ), sqrt( 4.25 ), sqrt( 17 ), 0.05, 0.05, 0.1 };
	for ( int i = 0; i < 6; ++i )
	{
		KIT_NORMAL( moments[i], 0, expected[i] );
	}
	for ( int i = 0; i < 3; ++i )
	{
		NEAR( later[i], exp( -20 / ( i < 2 ? 100.0 : 50.0 ) ), 4.5 * 1.5 / sqrt( runs ) );
		NEAR( across[i], 0, 4.5 * 1.1 / sqrt( runs ) );
	}
}

static void test_outliers( void **state )
{
	(void)state;
	ds_gnss_config c = config_of( "{ \"outlier_rate\": 0.02, \"outlier_sigma\": 30 }" );
	ds_gnss_state s = started( &c, 1 );
	double meridian, parallel, count = 0, square = 0;
	ds_earth_radii( 47 * RAD, &meridian, &parallel );
	for ( int i = 0; i < 50000; ++i )
	{
		ds_gnss r = read_at( &c, &s, i, false, 1 );
		double north = ( r.latitude - 47 * RAD ) * meridian;
		count += fabs( north ) > 1e-6;
		square += north * north / 900;
		assert_true( r.altitude == 2 );
	}
	NEAR( count, 1000, 4.5 * sqrt( 1000 * 0.98 ) );
	NEAR( square / count, 1, 4.5 * sqrt( 2 / count ) );
}

// A parameter moves its own channel: the others keep their bits.
static void test_channels_are_apart( void **state )
{
	(void)state;
	static const char *const configs[] = {
		"{ \"horizontal_noise\": 1, \"vertical_noise\": 1, \"horizontal_velocity_noise\": 1 }",
		"{ \"horizontal_noise\": 2, \"vertical_noise\": 1, \"horizontal_velocity_noise\": 1 }",
		"{ \"horizontal_noise\": 1, \"vertical_noise\": 1, \"vertical_sigma\": 2, \"horizontal_velocity_noise\": 1 }",
		"{ \"horizontal_noise\": 1, \"vertical_noise\": 1, \"horizontal_velocity_noise\": 2, \"outlier_rate\": 1e-9 }"
	};
	ds_gnss r[4];
	for ( int k = 0; k < 4; ++k )
	{
		ds_gnss_config c = config_of( configs[k] );
		ds_gnss_state s = started( &c, 1 );
		r[k] = read_at( &c, &s, 1, false, 1 );
	}
	for ( int k = 1; k < 4; ++k )
	{
		assert_true( ( r[k].latitude == r[0].latitude ) == ( k != 1 ) );
		assert_true( ( r[k].altitude == r[0].altitude ) == ( k != 2 ) );
		assert_true( ( r[k].velocity[0] == r[0].velocity[0] ) == ( k != 3 ) );
		assert_true( r[k].velocity[2] == r[0].velocity[2] );
	}
}

// Across the date line and near a pole the numbers stay in their ranges.
static void test_edges( void **state )
{
	(void)state;
	ds_gnss_config c = config_of( "{ \"horizontal_noise\": 100 }" );
	ds_gnss_state s = started( &c, 1 );
	int east = 0;
	for ( int i = 0; i < 1000; ++i )
	{
		ds_random stream = ds_random_stream( 1, "gnss", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_gnss_truth truth = { { i % 2 ? 0 : 89.9999 * RAD, DS_PI, 0 }, { 0, 0, 0 }, false, i };
		ds_gnss r;
		ds_gnss_measure( &c, &truth, &stream, &s, &r );
		assert_true( r.longitude > -DS_PI && r.longitude <= DS_PI && fabs( r.latitude ) <= 0.5 * DS_PI );
		east += r.longitude > 0;
	}
	assert_true( east > 300 && east < 700 );
}

// In a world: the antenna's place, and a fix to within its depth of water.
static void test_in_a_world( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	e.latitude = 47 * RAD;
	e.longitude = -8 * RAD;
	const double depths[] = { -1, 0.02, 0.04, 50 };
	for ( int i = 0; i < 4; ++i )
	{
		kit_memory memory = { 0, 0 };
		kit_life life = { .type = "gnss", .config = "{}", .environment = &e, .start = { 500, -300, depths[i] } };
		ds_world *world = kit_life_world( &life, &memory, 1 );
		ds_id id = kit_add_sensor( world, &life, "gnss" );
		OK( ds_world_step( world, 0 ) );
		ds_gnss r;
		OK( ds_sensor_latest( world, id, NULL, &r, sizeof( r ) ) );
		assert_true( r.valid == ( depths[i] < 0.03 ) );
		ds_geodetic place;
		OK( ds_geodetic_at( world, life.start, &place ) );
		if ( r.valid )
		{
			NEAR( r.latitude, place.latitude, 1e-15 );
			NEAR( r.longitude, place.longitude, 1e-15 );
			NEAR( r.altitude, -depths[i], 1e-12 );
			NEAR( r.velocity[0], 0.5, 1e-12 );
			NEAR( r.velocity[2], -0.2, 1e-12 );
		}
		ds_world_destroy( world );
	}
}

static void test_life( void **state )
{
	(void)state;
	kit_life life = { .type = "gnss",
		.config =
			"{ \"horizontal_noise\": 1, \"vertical_noise\": 1, \"horizontal_sigma\": 2, \"vertical_sigma\": 3, "
			"\"outlier_rate\": 0.1, \"cold_start\": 0.5, \"reacquisition\": 0.2, \"vertical_velocity_noise\": 0.1 }",
		.start = { 0, 0, -3 } };
	kit_sensor_life( &life, true ); // it falls into the water at 0.8 s
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_options ),
		cmocka_unit_test( test_perfect ),
		cmocka_unit_test( test_delays ),
		cmocka_unit_test( test_errors ),
		cmocka_unit_test( test_outliers ),
		cmocka_unit_test( test_channels_are_apart ),
		cmocka_unit_test( test_edges ),
		cmocka_unit_test( test_in_a_world ),
		cmocka_unit_test( test_life ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

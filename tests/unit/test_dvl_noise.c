// The errors of the DVL without a world: their size, what is reported of them, what they add up to, and that each keeps to its channel.

#include "dvl_kit.h"

// ---- noise ---------------------------------------------------------------------------------------------------------

// Means and second moments of velocity errors.
typedef struct moments
{
	double mean[3], covariance[9], error_velocity;
	double reported[9]; // mean of the covariances that were reported
} moments;

static moments sample_moments( const ds_dvl_model *m, const ds_dvl_truth *t, int count, uint64_t seed )
{
	moments s;
	memset( &s, 0, sizeof( s ) );
	ds_dvl_state state;
	ds_dvl_reset( &state );
	for ( int k = 0; k < count; ++k )
	{
		ds_dvl r = kit_ping( m, &state, t, seed, (uint64_t)k );
		const double e[3] = { r.velocity[0] - t->velocity.x, r.velocity[1] - t->velocity.y,
			r.velocity[2] - t->velocity.z };
		for ( int i = 0; i < 9; ++i )
		{
			s.covariance[i] += e[i / 3] * e[i % 3] / count;
			s.reported[i] += r.covariance[i] / count;
			s.mean[i % 3] += e[i % 3] / count / 3;
		}
		s.error_velocity += r.error_velocity * r.error_velocity / count;
	}
	return s;
}

// sigma_xy = sigma_b/(sqrt(2) sin), sigma_z = sigma_b/(2 cos); what is reported is what is sampled; the error velocity is as large as
// a velocity across the axis.
static void test_noise( void **state )
{
	(void)state;
	const double angles[] = { 20, 25, 30 };
	const int count = 40000;
	for ( int a = 0; a < 3; ++a )
	{
		char json[128];
		snprintf( json, sizeof( json ), "{ \"noise\": 0.01, \"beams\": { \"angle_deg\": %g } }", angles[a] );
		ds_dvl_model m = kit_dvl_model( json );
		ds_dvl_truth t = kit_level( &m, 10 );
		t.velocity = ds_v3( 0.5, 0.1, 0 );
		moments s = sample_moments( &m, &t, count, 17 );
		double xy = 0.01 / ( sqrt( 2 ) * sin( angles[a] * DEGREE ) ), z = 0.01 / ( 2 * cos( angles[a] * DEGREE ) );
		double error = 4 / sqrt( 2.0 * count ); // relative, of a deviation
		NEAR( sqrt( s.covariance[0] ), xy, error * xy );
		NEAR( sqrt( s.covariance[4] ), xy, error * xy );
		NEAR( sqrt( s.covariance[8] ), z, error * z );
		NEAR( sqrt( s.error_velocity ), xy, error * xy );
		NEAR( sqrt( s.reported[0] ), xy, 1e-12 );
		NEAR( sqrt( s.reported[4] ), xy, 1e-12 );
		NEAR( sqrt( s.reported[8] ), z, 1e-12 );
		for ( int i = 0; i < 3; ++i )
		{
			NEAR( s.mean[i], 0, 4 * sqrt( s.covariance[4 * i] / count ) );
		}
	}
}

// Three beams, unequal noise: the whole matrix agrees with the sample's.
static void test_covariance( void **state )
{
	(void)state;
	ds_dvl_model m =
		kit_dvl_model( "{ \"noise\": 0.004, \"noise_proportional\": 0.02, \"beams\": [1, 0, 2, 0, 1, 1.5, -1, 0.2, "
					   "2, 0.1, -1, 1] }" );
	ds_dvl_truth t = kit_level( &m, 10 );
	t.velocity = ds_v3( 2, -1, 0.4 );
	for ( int beams = 3; beams <= 4; ++beams )
	{
		t.range[1] = beams == 3 ? -1 : 15;
		moments s = sample_moments( &m, &t, 60000, 23 );
		for ( int i = 0; i < 9; ++i )
		{
			double scale = sqrt( s.reported[4 * ( i / 3 )] * s.reported[4 * ( i % 3 )] );
			NEAR( s.covariance[i], s.reported[i], 0.03 * scale );
		}
	}
}

// Ahead and astern at the same speed: the same noise, by size of the speed along each beam.
static void test_backward_noise( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"noise_proportional\": 0.01 }" );
	ds_dvl_truth t = kit_level( &m, 10 );
	t.velocity = ds_v3( 2, 0, 0 );
	moments ahead = sample_moments( &m, &t, 40000, 29 );
	t.velocity = ds_v3( -2, 0, 0 );
	moments astern = sample_moments( &m, &t, 40000, 31 );
	double beam = 0.01 * 2 * sin( 30 * DEGREE ) * sqrt( 0.5 ), xy = beam / ( sqrt( 2 ) * 0.5 );
	NEAR( sqrt( ahead.covariance[0] ), xy, 0.015 * xy );
	NEAR( sqrt( astern.covariance[0] ), xy, 0.015 * xy );
	NEAR( sqrt( ahead.reported[0] ), xy, 0.001 * xy );
	NEAR( sqrt( astern.reported[0] ), xy, 0.001 * xy );
}

static void test_outliers( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"outlier_probability\": 0.05, \"outlier_size\": 2 }" );
	ds_dvl_truth t = kit_level( &m, 10 );
	ds_dvl_state run;
	ds_dvl_reset( &run );
	int count = 0;
	double square = 0;
	for ( uint64_t k = 0; k < 20000; ++k )
	{
		ds_dvl r = kit_ping( &m, &run, &t, 7, k );
		for ( int i = 0; i < DS_BEAMS; ++i )
		{
			count += r.beam_velocity[i] != 0;
			square += r.beam_velocity[i] * r.beam_velocity[i];
		}
	}
	NEAR( count, 4000, 4 * sqrt( 4000 * 0.95 ) );
	NEAR( sqrt( square / count ), 2, 4 * 2 / sqrt( 2.0 * count ) );

	// four beams that disagree are refused, and raise the figure of merit where they are not
	ds_dvl_model strict = kit_dvl_model(
		"{ \"outlier_probability\": 0.05, \"outlier_size\": 2, \"noise\": 0.01, \"error_limit\": 0.2 }" );
	ds_dvl_model open = kit_dvl_model( "{ \"outlier_probability\": 0.05, \"outlier_size\": 2, \"noise\": 0.01 }" );
	int refused = 0;
	for ( uint64_t k = 0; k < 4000; ++k )
	{
		ds_dvl a = kit_ping( &strict, &run, &t, 7, k ), b = kit_ping( &open, &run, &t, 7, k );
		assert_int_equal( a.bottom_valid, fabs( b.error_velocity ) <= 0.2 );
		assert_true( a.bottom_valid || ( a.velocity[0] == 0 && a.mode == DS_DVL_NONE && a.n_good == 4 ) );
		refused += !a.bottom_valid;
		double quiet = sqrt( b.covariance[0] + b.covariance[4] + b.covariance[8] );
		assert_true( b.figure_of_merit >= quiet * ( 1 - 1e-12 ) );
		assert_true( fabs( b.error_velocity ) < 0.2 || b.figure_of_merit > 10 * quiet );
	}
	assert_true( refused > 500 && refused < 800 ); // 4000 (1 - 0.95^4) are 742
}

// The walk of (11) adds up to walk sqrt(t) at any rate; as printed (9) to walk sqrt(t dt).
static void test_bias( void **state )
{
	(void)state;
	for ( int printed = 0; printed < 2; ++printed )
	{
		char json[128];
		snprintf( json, sizeof( json ),
			"{ \"bias\": [0.1, 0, -0.2], \"bias_walk\": [0.01, 0.02, 0.03], \"walk\": \"%s\" }",
			printed ? "printed" : "root" );
		ds_dvl_model m = kit_dvl_model( json );
		for ( int rate = 2; rate <= 8; rate *= 4 )
		{
			ds_dvl_truth t = kit_level( &m, 10 );
			double square[3] = { 0 };
			const int runs = 2000, samples = 16 * rate;
			for ( int k = 0; k < runs; ++k )
			{
				ds_dvl_state run;
				ds_dvl_reset( &run );
				ds_dvl r;
				for ( int i = 0; i <= samples; ++i )
				{
					t.interval = i ? 1.0 / rate : 0;
					r = kit_ping( &m, &run, &t, (uint64_t)k, (uint64_t)i );
					if ( i == 0 )
					{
						NEAR3( kit_v3( r.velocity ), ds_v3( 0.1, 0, -0.2 ), 1e-15 );
					}
				}
				const double e[3] = { r.velocity[0] - 0.1, r.velocity[1], r.velocity[2] + 0.2 };
				for ( int i = 0; i < 3; ++i )
				{
					square[i] += e[i] * e[i] / runs;
				}
			}
			for ( int i = 0; i < 3; ++i )
			{
				double expected = 0.01 * ( i + 1 ) * sqrt( printed ? 16.0 / rate : 16.0 );
				NEAR( sqrt( square[i] ), expected, 4 * expected / sqrt( 2.0 * runs ) );
			}
		}
	}
}

static void test_resolution( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"resolution\": 0.01, \"range_resolution\": 0.5, \"range_noise\": 0.2 }" );
	ds_dvl_truth t = kit_level( &m, 10 );
	t.velocity = ds_v3( 0.777, 0.31, -0.1 );
	ds_dvl r = kit_first( &m, &t );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		NEAR( remainder( r.beam_velocity[i], 0.01 ), 0, 1e-15 );
		NEAR( r.beam_velocity[i], ds_dot( t.velocity, m.direction[i] ), 0.005 );
		NEAR( remainder( r.beam_range[i], 0.5 ), 0, 1e-15 );
	}
	NEAR( r.covariance[0], 0.01 * 0.01 / 12 / ( 2 * 0.25 ), 1e-12 );
}

// ---- one parameter, one channel ------------------------------------------------------------------------------------

static void test_channels( void **state )
{
	(void)state;
	const char *base = "\"track\": \"both\", \"noise\": 0.01, \"water_noise\": 0.02, \"range_noise\": 0.1";
	const struct
	{
		const char *add;
		bool velocity, range, water;
	} cases[] = {
		{ "\"noise\": 0.03", true, false, false },
		{ "\"water_noise\": 0.03", false, false, true },
		{ "\"range_noise\": 0.3", false, true, false },
		{ "\"range_resolution\": 0.2", false, true, false },
		{ "\"noise_proportional\": 0.1", true, false, true },
		{ "\"bias\": [0.1, 0, 0]", true, false, true },
		{ "\"scale\": 0.01", true, false, true },
		{ "\"outlier_probability\": 1", true, false, true },
		{ "\"resolution\": 0.05", true, false, true },
		{ "\"overhead\": 1", false, false, false },
		{ "\"layer_near\": 3", false, false, false }, // the truth's water is what it is
		{ "\"range_fade\": 0.1", false, false, false }, // not at this height
		{ "\"incidence_fade_deg\": 10", false, false, false },
		{ "\"bias_walk\": [0.1, 0.1, 0.1]", true, false, true },
	};
	ds_dvl_model m0;
	char json[512];
	snprintf( json, sizeof( json ), "{ %s }", base );
	m0 = kit_dvl_model( json );
	ds_dvl_truth t = kit_level( &m0, 20 );
	t.velocity = ds_v3( 1, 0.5, 0.1 );
	ds_dvl a = kit_first( &m0, &t );
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_dvl_config c = m0.config, changed = kit_dvl( "{}" );
		snprintf( json, sizeof( json ), "{ %s }", cases[i].add );
		changed = kit_dvl( json );
		// the one field that the case names, over the base
		const ds_table *table = ds_dvl_config_table();
		char name[64] = { 0 };
		sscanf( cases[i].add, "\"%63[a-z_]", name );
		char *deg = strstr( name, "_deg" );
		if ( deg )
		{
			*deg = 0;
		}
		const ds_field *field = ds_table_find( table, name );
		assert_non_null( field );
		memcpy( (char *)&c + field->offset, (char *)&changed + field->offset, sizeof( double ) * (size_t)field->count );
		ds_dvl_model m;
		OK( ds_dvl_prepare( &c, &m ) );
		ds_dvl b = kit_first( &m, &t );
		bool same = memcmp( a.beam_velocity, b.beam_velocity, sizeof( a.beam_velocity ) ) == 0;
		assert_int_equal( same, !cases[i].velocity );
		same = memcmp( a.beam_range, b.beam_range, sizeof( a.beam_range ) ) == 0;
		assert_int_equal( same, !cases[i].range );
		same = memcmp( a.water_beam_velocity, b.water_beam_velocity, sizeof( a.water_beam_velocity ) ) == 0;
		assert_int_equal( same, !cases[i].water );
	}
}

// ---- Fig 4 ---------------------------------------------------------------------------------------------------------

// Standing still: a standard deviation of 0.02 m/s at 10 Hz across the axis is sigma_b = 0.02 sqrt(2) sin(30) on each beam. Dead
// reckoned over T it drifts by 0.02 sqrt(0.1/T) of white noise and walk sqrt(T/3) of the bias. tests/long has the paper's three hours
// and 2000 seeds; here 200 s, with a walk so much greater that both parts weigh alike.
static void test_drift( void **state )
{
	(void)state;
	ds_dvl_model m = kit_dvl_model( "{ \"noise\": 0.0141421356, \"bias_walk\": [1e-4, 1e-4, 0] }" );
	ds_dvl_truth t = kit_level( &m, 10 );
	const int runs = 300, samples = 2000;
	double drift = 0, square = 0;
	for ( int k = 0; k < runs; ++k )
	{
		ds_dvl_state run;
		ds_dvl_reset( &run );
		double sum[2] = { 0 };
		for ( int i = 0; i < samples; ++i )
		{
			ds_dvl r = kit_ping( &m, &run, &t, (uint64_t)k, (uint64_t)i );
			for ( int a = 0; a < 2; ++a )
			{
				sum[a] += r.velocity[a] / samples;
				square += r.velocity[a] * r.velocity[a] / ( 2.0 * runs * samples );
			}
		}
		drift += ( sum[0] * sum[0] + sum[1] * sum[1] ) / ( 2.0 * runs );
	}
	NEAR( sqrt( square ), 0.02, 0.02 * 0.01 );
	double expected = hypot( 0.02 * sqrt( 0.1 / 200 ), 1e-4 * sqrt( 200.0 / 3 ) );
	NEAR( sqrt( drift ), expected, 4 * expected / sqrt( 4.0 * runs ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_noise ),
		cmocka_unit_test( test_covariance ),
		cmocka_unit_test( test_backward_noise ),
		cmocka_unit_test( test_outliers ),
		cmocka_unit_test( test_bias ),
		cmocka_unit_test( test_resolution ),
		cmocka_unit_test( test_channels ),
		cmocka_unit_test( test_drift ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

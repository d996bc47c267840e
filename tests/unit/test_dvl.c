// The DVL without a world: geometry, validity, noise, sound, water track, rate; each against what can be worked out by hand.

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
		ds_vec3 rpy = ds_v3( 0.6 * kit_uniform( &s ), 0.6 * kit_uniform( &s ), 3 * kit_uniform( &s ) );
		ds_vec3 n = kit_plane_normal( 0.25 * ( 1 + kit_uniform( &s ) ), 3 * kit_uniform( &s ) );
		double height = 30 + 20 * kit_uniform( &s );
		ds_dvl_truth t = kit_over_plane( &m, ds_quat_from_rpy( rpy ), n, height );
		t.velocity = ds_v3( 3 * kit_uniform( &s ), 3 * kit_uniform( &s ), 3 * kit_uniform( &s ) );
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
		cmocka_unit_test( test_level ),
		cmocka_unit_test( test_pitched ),
		cmocka_unit_test( test_planes ),
		cmocka_unit_test( test_moving_ground ),
		cmocka_unit_test( test_vectors ),
		cmocka_unit_test( test_beams_heard ),
		cmocka_unit_test( test_nothing_in_air ),
		cmocka_unit_test( test_altitude_limits ),
		cmocka_unit_test( test_dropouts ),
		cmocka_unit_test( test_noise ),
		cmocka_unit_test( test_covariance ),
		cmocka_unit_test( test_backward_noise ),
		cmocka_unit_test( test_outliers ),
		cmocka_unit_test( test_bias ),
		cmocka_unit_test( test_resolution ),
		cmocka_unit_test( test_sound_piston ),
		cmocka_unit_test( test_sound_phased ),
		cmocka_unit_test( test_water ),
		cmocka_unit_test( test_layer ),
		cmocka_unit_test( test_adaptive ),
		cmocka_unit_test( test_channels ),
		cmocka_unit_test( test_ranges ),
		cmocka_unit_test( test_presets ),
		cmocka_unit_test( test_drift ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

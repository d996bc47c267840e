// Acoustic positioning without a world: rays against closed forms and an independent integration, statistics of fixes by theory,
// positions from ranges.

#include "world_kit.h"

#include <math.h>

#define BOUND 4.5 // standard errors

// ---- rays ------------------------------------------------------------------------------------------------------------

static void test_constant_speed( void **state )
{
	(void)state;
	const double z = 0, c = 1500;
	const ds_sound_profile profile = { &z, &c, 1 };
	const ds_vec3 a = ds_v3( 10, -20, 5 ), b = ds_v3( 1510, 2980, 4005 );
	ds_sound_path path;
	OK( ds_sound_path_find( &profile, a, b, &path ) );
	double length = sqrt( 1500.0 * 1500 + 3000.0 * 3000 + 4000.0 * 4000 );
	NEAR( path.distance, length, 1e-9 );
	NEAR( path.time, length / 1500, 1e-12 );
	NEAR( path.straight_time, length / 1500, 1e-12 );
	NEAR3( path.direction, ds_scale( 1 / length, ds_sub( b, a ) ), 1e-12 );
	OK( ds_sound_path_find( &profile, a, a, &path ) );
	NEAR( path.time, 0, 0 );
	NEAR( ds_length( path.direction ), 1, 1e-15 );
}

// In water whose speed changes linearly, rays are arcs of circles, and the time is acosh( 1 + g^2 d^2 / ( 2 c1 c2 ) ) / g of the
// straight distance d: Jensen et al., "Computational ocean acoustics", 2nd ed., section 3.3; the half-plane of Poincare.
static void test_linear_profile( void **state )
{
	(void)state;
	const double gradients[] = { 0.017, -0.05, 0.1, 1e-7 };
	const double across[] = { 0, 1, 500, 2000, 3500 };
	for ( int g = 0; g < 4; ++g )
	{
		double z[2] = { 0, 4000 }, c[2] = { 1500, 1500 + 4000 * gradients[g] };
		const ds_sound_profile profile = { z, c, 2 };
		for ( int k = 0; k < 5; ++k )
		{
			ds_vec3 a = ds_v3( 0, 0, 20 ), b = ds_v3( 0.6 * across[k], -0.8 * across[k], 3900 );
			ds_sound_path down, up;
			OK( ds_sound_path_find( &profile, a, b, &down ) );
			OK( ds_sound_path_find( &profile, b, a, &up ) );
			double c1 = 1500 + 20 * gradients[g], c2 = 1500 + 3900 * gradients[g], d = down.distance;
			double y = gradients[g] * gradients[g] * d * d / ( 2 * c1 * c2 );
			double exact = log1p( y + sqrt( y * ( y + 2 ) ) ) / gradients[g];
			exact = gradients[g] < 0 ? -exact : exact;
			assert_true( down.bent && up.bent );
			NEAR( down.time, exact, 1e-11 * exact );
			NEAR( up.time, down.time, 1e-12 * exact ); // reciprocity
			assert_true( down.time <= down.straight_time * ( 1 + 1e-12 ) ); // Fermat

			// Snell at both ends; each ray leaves in the vertical plane of the two
			double p1 = hypot( down.direction.x, down.direction.y ) / c1,
				   p2 = hypot( up.direction.x, up.direction.y ) / c2;
			NEAR( p1, p2, 1e-15 );
			NEAR( down.direction.x * b.y - down.direction.y * b.x, 0, 1e-9 );
			NEAR( ds_length( down.direction ), 1, 1e-12 );
			assert_true( down.direction.z > 0 && up.direction.z < 0 );
		}
	}
}

// Munk's canonical profile (JASA 55, 1974; the parameters of "Computational ocean acoustics", eq. 5.83).
static double munk( double z )
{
	double x = 2 * ( z - 1300 ) / 1300;
	return 1500 * ( 1 + 0.00737 * ( x - 1 + exp( -x ) ) );
}

static double munk_slope( double z )
{
	double x = 2 * ( z - 1300 ) / 1300;
	return 1500 * 0.00737 * ( 1 - exp( -x ) ) * 2 / 1300;
}

// The ray equations d(x, z, theta, t)/ds = ( cos, sin, -c'/c cos, 1/c ), by Runge and Kutta, to a depth.
static void trace( double z0, double z1, double theta, double *across, double *time )
{
	const int steps = 20000;
	double x = 0, z = z0, t = 0, d = ( z1 - z0 ) / steps; // in steps of depth: ds = dz / sin
	for ( int i = 0; i < steps; ++i )
	{
		double k[4][3], at[3] = { x, theta, t };
		for ( int stage = 0; stage < 4; ++stage )
		{
			double h = stage == 0 ? 0 : stage == 3 ? d : 0.5 * d;
			double angle = theta + ( stage ? h * k[stage - 1][1] : 0 ), c = munk( z + h );
			k[stage][0] = cos( angle ) / sin( angle );
			k[stage][1] = -munk_slope( z + h ) / c * cos( angle ) / sin( angle );
			k[stage][2] = 1 / ( c * sin( angle ) );
		}
		for ( int j = 0; j < 3; ++j )
		{
			at[j] += d / 6 * ( k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j] );
		}
		x = at[0];
		theta = at[1];
		t = at[2];
		z += d;
	}
	*across = x;
	*time = t;
}

// A direct ray through the deep sound channel is that of an independent integration, and a straight one is as late as the documents say.
static void test_munk_profile( void **state )
{
	(void)state;
	enum
	{
		LEVELS = 401
	};
	static double z[LEVELS], c[LEVELS];
	for ( int i = 0; i < LEVELS; ++i )
	{
		z[i] = 10 * i;
		c[i] = munk( z[i] );
	}
	const ds_sound_profile profile = { z, c, LEVELS };
	const double depressions[] = { 80, 60, 45, 30 };
	for ( int k = 0; k < 4; ++k )
	{
		double across, time, angle = depressions[k] * DS_PI / 180;
		trace( 10, 3990, angle, &across, &time );
		ds_sound_path path;
		OK( ds_sound_path_find( &profile, ds_v3( 0, 0, 10 ), ds_v3( across, 0, 3990 ), &path ) );
		assert_true( path.bent );
		NEAR( path.time, time, 2e-7 * time ); // of levels 10 m apart
		NEAR( asin( path.direction.z ), angle, 2e-6 );
		double late = ( path.straight_time - path.time ) * 1500, off = angle - asin( path.straight.z );
		print_message( "[   INFO   ] %2.0f degrees down, %5.0f m across: a straight ray is %.3f m late, its angle %.3f "
					   "degrees off\n",
			depressions[k], across, late, off * 180 / DS_PI );
		assert_true( late >= 0 && late < 6 );
	}
}

// Two ends at almost one depth are joined by no ray without a turn: the straight one is given.
static void test_level_paths( void **state )
{
	(void)state;
	double z[2] = { 0, 4000 }, c[2] = { 1500, 1568 };
	const ds_sound_profile profile = { z, c, 2 };
	ds_sound_path path;
	OK( ds_sound_path_find( &profile, ds_v3( 0, 0, 1000 ), ds_v3( 5000, 0, 1000 ), &path ) );
	assert_false( path.bent );
	NEAR( path.time, 5000 / 1517.0, 1e-12 );
	OK( ds_sound_path_find( &profile, ds_v3( 0, 0, 1000 ), ds_v3( 5000, 0, 1001 ), &path ) );
	assert_false( path.bent );
	NEAR( path.time, 5000 / 1517.0, 1e-4 );
	// the exact arc, which dips, is no more than this faster
	double y = 0.017 * 0.017 * 25e6 / ( 2 * 1517.0 * 1517.017 );
	NEAR( path.time, acosh( 1 + y ) / 0.017, 1e-3 );
	NEAR( path.direction.x, 1, 1e-6 );
}

static void test_bad_profiles( void **state )
{
	(void)state;
	double z[3] = { 0, 100, 50 }, c[3] = { 1500, 1500, 1500 };
	ds_sound_profile profile = { z, c, 3 };
	ds_sound_path path;
	ds_vec3 a = ds_v3( 0, 0, 1 ), b = ds_v3( 0, 0, 60 );
	FAILS( ds_sound_path_find( &profile, a, b, &path ), DS_ERROR_RANGE, "level 2" );
	z[2] = 200;
	c[1] = 0;
	FAILS( ds_sound_path_find( &profile, a, b, &path ), DS_ERROR_RANGE, "level 1" );
	c[1] = (double)NAN;
	FAILS( ds_sound_path_find( &profile, a, b, &path ), DS_ERROR_RANGE, "level 1" );
	c[1] = 1500;
	b.x = (double)NAN;
	FAILS( ds_sound_path_find( &profile, a, b, &path ), DS_ERROR_NOT_FINITE, "finite" );
	profile.count = 0;
	FAILS( ds_sound_path_find( &profile, a, a, &path ), DS_ERROR_ARGUMENT, "one level" );
}

// ---- usbl ------------------------------------------------------------------------------------------------------------

static ds_usbl_config usbl_default( void )
{
	ds_usbl_config config;
	OK( ds_table_defaults( ds_usbl_config_table(), &config ) );
	return config;
}

static ds_acoustic_truth truth_of( const ds_sound_profile *profile, ds_vec3 a, ds_vec3 b )
{
	ds_acoustic_truth truth = { .clear = true };
	OK( ds_sound_path_find( profile, a, b, &truth.path ) );
	return truth;
}

// Without noise the fix is the truth, in any attitude of the transceiver, if it knows the profile.
static void test_usbl_exact( void **state )
{
	(void)state;
	double z[2] = { 0, 4000 }, c[2] = { 1500, 1568 };
	const ds_sound_profile profile = { z, c, 2 };
	ds_usbl_config config = usbl_default();
	config.range_noise = config.angle_noise = 0;
	config.position[0] = 100;
	config.rpy[0] = 0.1;
	config.rpy[1] = -0.2;
	config.rpy[2] = 2;
	const ds_vec3 ship = ds_v3( 100, 0, 2 ), vehicle = ds_v3( -700, 900, 3100 );
	ds_acoustic_truth truth = truth_of( &profile, ship, vehicle );
	ds_random stream = ds_random_stream( 1, "usbl", DS_RANDOM_SAMPLE, 0 );
	ds_usbl fix;
	ds_usbl_measure( &config, &truth, 12.5, &stream, &fix );
	assert_true( fix.valid );
	NEAR( fix.time, 12.5, 0 );
	NEAR3( ds_v3( fix.position[0], fix.position[1], fix.position[2] ), vehicle, 1e-9 );
	NEAR( fix.range, truth.path.distance, 1e-12 );
	NEAR( fix.travel_time, 2 * truth.path.time, 1e-14 );
	NEAR( fix.age, 2 * truth.path.time, 1e-14 );
	ds_vec3 seen = ds_unrotate( ds_quat_from_rpy( ds_v3( 0.1, -0.2, 2 ) ), ds_sub( vehicle, ship ) );
	NEAR( fix.bearing, atan2( seen.y, seen.x ), 1e-12 );
	NEAR( fix.depression, asin( seen.z / ds_length( seen ) ), 1e-12 );
	config.telemetry = false;
	config.delay = 0.3;
	ds_usbl_measure( &config, &truth, 12.5, &stream, &fix );
	NEAR( fix.age, truth.path.time + 0.3, 1e-14 );

	// one that takes 1500 m/s for granted is short of the range, and hears the ray as it arrives
	config.sound_speed = 1500;
	ds_usbl_measure( &config, &truth, 12.5, &stream, &fix );
	NEAR( fix.range, 1500 * truth.path.time, 1e-9 );
	NEAR( fix.travel_time, 2 * truth.path.time, 1e-14 );
	assert_true( fix.range < truth.path.distance - 50 );
	ds_vec3 ray = ds_unrotate( ds_quat_from_rpy( ds_v3( 0.1, -0.2, 2 ) ), truth.path.direction );
	NEAR( fix.depression, asin( ray.z ), 1e-12 );

	// mounted askew about the vertical by 1 degree: bearing off by it
	config = usbl_default();
	config.range_noise = config.angle_noise = 0;
	config.alignment[2] = DS_PI / 180;
	config.position[0] = 100;
	ds_usbl_measure( &config, &truth, 0, &stream, &fix );
	NEAR( fix.bearing, atan2( 900, -800 ) - DS_PI / 180, 1e-12 );
}

#define PINGS 20000

static void test_usbl_statistics( void **state )
{
	(void)state;
	const double z = 0, c = 1500;
	const ds_sound_profile profile = { &z, &c, 1 };
	ds_usbl_config config = usbl_default();
	config.range_noise = 0.5;
	config.angle_noise = 0.002;
	const ds_vec3 ship = ds_v3( 0, 0, 2 ), vehicle = ds_v3( 800, -600, 2402 );
	const double range = 2600;
	ds_acoustic_truth truth = truth_of( &profile, ship, vehicle );
	ds_vec3 ray = truth.path.straight, side = ds_cross( ray, ds_v3( 0, 0, 1 ) );
	side = ds_scale( 1 / ds_length( side ), side );
	ds_vec3 third = ds_cross( ray, side );
	double along = 0, across = 0, upward = 0, mixed = 0, mean = 0, chi = 0;
	for ( uint64_t i = 0; i < PINGS; ++i )
	{
		ds_random stream = ds_random_stream( 3, "usbl", DS_RANDOM_SAMPLE, i );
		ds_usbl fix;
		ds_usbl_measure( &config, &truth, 0, &stream, &fix );
		ds_vec3 e = ds_sub( ds_v3( fix.position[0], fix.position[1], fix.position[2] ), vehicle );
		double a = fix.range - range, b = ds_dot( e, side ), d = ds_dot( e, third );
		mean += a / PINGS;
		along += a * a / PINGS;
		across += b * b / PINGS;
		upward += d * d / PINGS;
		mixed += a * b / ( 0.5 * 0.002 * range ) / PINGS;
		chi += a * a / 0.25 + ( b * b + d * d ) / ( 5.2 * 5.2 );
		if ( i == 0 )
		{
			// covariance along and across the ray
			ds_mat3 p;
			memcpy( &p, fix.covariance, sizeof( p ) );
			NEAR( ds_dot( ray, ds_mat3_mul_vec( &p, ray ) ), 0.25, 1e-3 );
			NEAR( ds_dot( side, ds_mat3_mul_vec( &p, side ) ), 5.2 * 5.2, 0.05 );
			NEAR( p.m[0][0] + p.m[1][1] + p.m[2][2], 0.25 + 2 * 5.2 * 5.2, 0.05 );
		}
	}
	double e = BOUND * sqrt( 2.0 / PINGS );
	NEAR( mean, 0, BOUND * 0.5 / sqrt( PINGS ) );
	NEAR( along, 0.25, 0.25 * e );
	NEAR( across, 5.2 * 5.2, 5.2 * 5.2 * e ); // 2600 m x 2 mrad
	NEAR( upward, 5.2 * 5.2, 5.2 * 5.2 * e );
	NEAR( mixed, 0, BOUND / sqrt( PINGS ) );
	NEAR( chi / PINGS, 3, 3 * BOUND * sqrt( 2.0 / 3 / PINGS ) );
}

// Outliers and lost replies come as often and as large as they are asked for, and move no other number.
static void test_usbl_outliers( void **state )
{
	(void)state;
	const double z = 0, c = 1500;
	const ds_sound_profile profile = { &z, &c, 1 };
	ds_usbl_config plain = usbl_default(), rough = plain;
	rough.outlier_rate = 0.1;
	rough.outlier = 40;
	rough.dropout = 0.2;
	ds_acoustic_truth truth = truth_of( &profile, ds_v3( 0, 0, 2 ), ds_v3( 100, 50, 1000 ) );
	double lost = 0, wild = 0, squares = 0, heard = 0;
	for ( uint64_t i = 0; i < PINGS; ++i )
	{
		ds_random stream = ds_random_stream( 4, "usbl", DS_RANDOM_SAMPLE, i );
		ds_usbl a, b;
		ds_usbl_measure( &plain, &truth, 0, &stream, &a );
		ds_usbl_measure( &rough, &truth, 0, &stream, &b );
		assert_true( a.valid );
		if ( !b.valid )
		{
			const ds_usbl none = { 0 };
			assert_memory_equal( &b, &none, sizeof( b ) ); // no stale number
			++lost;
			continue;
		}
		++heard;
		NEAR( a.bearing, b.bearing, 0 );
		NEAR( a.depression, b.depression, 0 );
		double off = b.range - a.range;
		wild += off != 0;
		squares += off * off;
	}
	NEAR( lost / PINGS, 0.2, BOUND * sqrt( 0.16 / PINGS ) );
	NEAR( wild / heard, 0.1, BOUND * sqrt( 0.09 / heard ) );
	NEAR( squares / wild, 1600, 1600 * BOUND * sqrt( 2 / wild ) );
}

static void test_usbl_validity( void **state )
{
	(void)state;
	const double z = 0, c = 1500;
	const ds_sound_profile profile = { &z, &c, 1 };
	ds_usbl_config config = usbl_default();
	ds_random stream = ds_random_stream( 4, "usbl", DS_RANDOM_SAMPLE, 0 );
	ds_usbl fix;
	config.maximum = 2000;
	config.cone = 120 * DS_PI / 180;
	const struct
	{
		ds_vec3 place;
		bool clear, valid;
	} cases[] = { { { 0, 0, 1999 }, true, true }, { { 0, 0, 2003 }, true, false }, { { 0, 0, 1000 }, false, false },
		{ { 173, 0, 102 }, true, true }, { { 174, 0, 102 }, true, false }, { { 500, 0, 1 }, true, false } };
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		ds_acoustic_truth truth = truth_of( &profile, ds_v3( 0, 0, 2 ), cases[i].place );
		truth.clear = cases[i].clear;
		ds_usbl_measure( &config, &truth, 1, &stream, &fix );
		assert_int_equal( fix.valid, cases[i].valid );
		assert_true( fix.valid || ( fix.range == 0 && fix.position[2] == 0 && fix.covariance[0] == 0 ) );
	}
}

// ---- lbl -------------------------------------------------------------------------------------------------------------

static const ds_lbl_beacon array[5] = { { { 1000, 900, 3000 } }, { { -1100, 800, 3050 } }, { { -900, -1000, 2950 } },
	{ { 1200, -700, 2980 } }, { { 0, 1500, 2700 } } };

static ds_vec3 place_of( int i )
{
	return ds_v3( array[i].position[0], array[i].position[1], array[i].position[2] );
}

// Exact ranges give the exact place, above the beacons, from anywhere in reach.
static void test_lbl_exact( void **state )
{
	(void)state;
	ds_vec3 beacons[5];
	double ranges[5], covariance[9], residual;
	bool used[5] = { true, true, true, true, true };
	for ( int i = 0; i < 5; ++i )
	{
		beacons[i] = place_of( i );
	}
	for ( int count = 3; count <= 5; ++count )
	{
		for ( int k = 0; k < 200; ++k )
		{
			ds_vec3 truth = ds_v3( 2500 * sin( 1.7 * k ), 2500 * cos( 2.3 * k ), 1450 + 1350 * sin( 3.1 * k ) ), found;
			for ( int i = 0; i < count; ++i )
			{
				ranges[i] = ds_length( ds_sub( truth, beacons[i] ) );
			}
			const ds_lbl_ranges given = { beacons, ranges, used, count, 0.1, 0, 0 };
			assert_true( ds_lbl_solve( &given, &found, covariance, &residual ) );
			NEAR3( found, truth, 1e-5 );
			NEAR( residual, 0, 1e-6 );
		}
	}
	// two ranges, or beacons on a line, are not enough
	used[0] = used[3] = used[4] = false;
	ds_vec3 found;
	ds_lbl_ranges given = { beacons, ranges, used, 5, 0.1, 0, 0 };
	assert_false( ds_lbl_solve( &given, &found, covariance, &residual ) );
	const ds_vec3 line[3] = { { 0, 0, 3000 }, { 500, 0, 3000 }, { 1500, 0, 3000 } };
	for ( int i = 0; i < 3; ++i )
	{
		ranges[i] = ds_length( ds_sub( ds_v3( 400, 300, 2000 ), line[i] ) );
		used[i] = true;
	}
	given = ( ds_lbl_ranges ){ line, ranges, used, 3, 0.1, 0, 0 };
	assert_false( ds_lbl_solve( &given, &found, covariance, &residual ) );
}

static ds_lbl_config lbl_config( int count )
{
	ds_lbl_config config;
	OK( ds_table_defaults( ds_lbl_config_table(), &config ) );
	config.beacons = ( ds_array ){ array, count };
	return config;
}

static void lbl_truth( ds_vec3 vehicle, ds_vec3 beacons[5], ds_acoustic_truth truth[5] )
{
	const double z = 0, c = 1500;
	const ds_sound_profile profile = { &z, &c, 1 };
	for ( int i = 0; i < 5; ++i )
	{
		beacons[i] = place_of( i );
		truth[i] = truth_of( &profile, beacons[i], vehicle );
	}
}

// Errors are as large as the covariance says, and the residual is that of the degrees of freedom.
static void test_lbl_statistics( void **state )
{
	(void)state;
	const ds_vec3 vehicle = ds_v3( 300, 200, 2500 );
	ds_vec3 beacons[5];
	ds_acoustic_truth truth[5];
	lbl_truth( vehicle, beacons, truth );
	for ( int with_depth = 0; with_depth < 2; ++with_depth )
	{
		ds_lbl_config config = lbl_config( 5 );
		config.range_noise = 0.5;
		config.depth_noise = with_depth ? 0.2 : 0;
		double sum[9] = { 0 }, residual = 0;
		ds_vec3 mean = ds_v3( 0, 0, 0 );
		ds_lbl fix;
		for ( uint64_t i = 0; i < PINGS; ++i )
		{
			ds_random stream = ds_random_stream( 5, "lbl", DS_RANDOM_SAMPLE, i );
			ds_lbl_measure( &config, beacons, truth, 7, vehicle.z, &stream, &fix );
			assert_true( fix.valid && fix.count == 5 );
			const double e[3] = { fix.position[0] - vehicle.x, fix.position[1] - vehicle.y,
				fix.position[2] - vehicle.z };
			mean = ds_mad( mean, 1.0 / PINGS, ds_v3( e[0], e[1], e[2] ) );
			for ( int k = 0; k < 9; ++k )
			{
				sum[k] += e[k / 3] * e[k % 3] / PINGS;
			}
			residual += 5 * fix.residual * fix.residual / PINGS;
		}
		const double *p = fix.covariance;
		for ( int k = 0; k < 9; ++k )
		{
			// of a product of two normal numbers: Isserlis
			double spread = sqrt( ( p[k / 3 * 4] * p[k % 3 * 4] + p[k] * p[k] ) / PINGS );
			NEAR( sum[k], p[k], BOUND * spread + 5e-3 * fabs( p[k] ) );
		}
		NEAR( mean.x, 0, BOUND * sqrt( p[0] / PINGS ) + 1e-3 );
		NEAR( mean.z, 0, BOUND * sqrt( p[8] / PINGS ) + 1e-3 );
		if ( !with_depth )
		{
			NEAR( residual, 0.25 * ( 5 - 3 ), 0.5 * BOUND * sqrt( 1.0 / PINGS ) ); // chi squared of 2: variance 4
		}
		assert_true( with_depth == 0 || p[8] < 0.2 * 0.2 );
	}
}

static void test_lbl_validity( void **state )
{
	(void)state;
	const ds_vec3 vehicle = ds_v3( 300, 200, 2500 );
	ds_vec3 beacons[5];
	ds_acoustic_truth truth[5];
	lbl_truth( vehicle, beacons, truth );
	ds_lbl_config config = lbl_config( 5 );
	config.range_noise = 0;
	ds_random stream = ds_random_stream( 5, "lbl", DS_RANDOM_SAMPLE, 1 );
	ds_lbl fix;
	for ( int heard = 5; heard >= 0; --heard )
	{
		for ( int i = 0; i < 5; ++i )
		{
			truth[i].clear = i < heard;
		}
		ds_lbl_measure( &config, beacons, truth, 7, vehicle.z, &stream, &fix );
		assert_int_equal( fix.valid, heard >= 3 );
		assert_int_equal( fix.count, heard >= 3 ? heard : 0 );
		for ( int i = 0; i < DS_LBL_MAX_BEACONS; ++i )
		{
			assert_int_equal( fix.heard[i], i < heard );
			NEAR( fix.ranges[i], i < heard ? truth[i].path.distance : 0, 1e-9 );
		}
		NEAR3(
			ds_v3( fix.position[0], fix.position[1], fix.position[2] ), heard >= 3 ? vehicle : ds_v3( 0, 0, 0 ), 1e-5 );
		assert_true( fix.valid || fix.covariance[0] == 0 );
	}
}

// The gate leaves outliers out: with it the error stays that of the noise.
static void test_lbl_gate( void **state )
{
	(void)state;
	const ds_vec3 vehicle = ds_v3( 300, 200, 2500 );
	ds_vec3 beacons[5];
	ds_acoustic_truth truth[5];
	lbl_truth( vehicle, beacons, truth );
	ds_lbl_config config = lbl_config( 5 );
	config.depth_noise = 0.1;
	config.outlier_rate = 0.05;
	double wild[2] = { 0, 0 };
	for ( int gated = 0; gated < 2; ++gated )
	{
		config.gate = gated ? 6 : 0;
		for ( uint64_t i = 0; i < PINGS; ++i )
		{
			ds_random stream = ds_random_stream( 6, "lbl", DS_RANDOM_SAMPLE, i );
			ds_lbl fix;
			ds_lbl_measure( &config, beacons, truth, 7, vehicle.z, &stream, &fix );
			assert_true( fix.valid );
			ds_vec3 e = ds_sub( ds_v3( fix.position[0], fix.position[1], fix.position[2] ), vehicle );
			wild[gated] += ds_length( e ) > 1;
		}
	}
	print_message( "[   INFO   ] more than 1 m off: %.2f %% of positions, gated %.2f %%\n", 100 * wild[0] / PINGS,
		100 * wild[1] / PINGS );
	assert_true( wild[0] / PINGS > 0.18 ); // 1 - 0.95^5 of them have an outlier
	assert_true( wild[1] / PINGS < 0.0226 ); // no more than have two
}

static void test_tables( void **state )
{
	(void)state;
	OK( ds_table_check( ds_usbl_config_table() ) );
	OK( ds_table_check( ds_lbl_config_table() ) );
	ds_usbl_config config;
	OK( ds_table_parse( ds_usbl_config_table(), "{ \"angle_noise_deg\": 0.06, \"cone_deg\": 150 }", &config ) );
	NEAR( config.cone, 150 * DS_PI / 180, 1e-15 );
	FAILS(
		ds_table_parse( ds_usbl_config_table(), "{ \"range_noise\": -1 }", &config ), DS_ERROR_RANGE, "range_noise" );
	FAILS( ds_table_parse( ds_usbl_config_table(), "{ \"dropout\": 1.5 }", &config ), DS_ERROR_RANGE, "dropout" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_constant_speed ),
		cmocka_unit_test( test_linear_profile ),
		cmocka_unit_test( test_munk_profile ),
		cmocka_unit_test( test_level_paths ),
		cmocka_unit_test( test_bad_profiles ),
		cmocka_unit_test( test_usbl_exact ),
		cmocka_unit_test( test_usbl_statistics ),
		cmocka_unit_test( test_usbl_outliers ),
		cmocka_unit_test( test_usbl_validity ),
		cmocka_unit_test( test_lbl_exact ),
		cmocka_unit_test( test_lbl_statistics ),
		cmocka_unit_test( test_lbl_validity ),
		cmocka_unit_test( test_lbl_gate ),
		cmocka_unit_test( test_tables ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

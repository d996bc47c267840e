// Waves: dispersion, the kinematics of a component, spectra and directions of a sea.

#include "hydro_shapes.h"

#include "hydro/waves.h"

static ds_waves *sea_of( const ds_waves_def *def )
{
	ds_waves *waves = NULL;
	if ( ds_waves_create( NULL, def, &waves ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return waves;
}

static ds_waves_def regular( double height, double period, double depth )
{
	ds_waves_def def = ds_waves_def_default();
	def.kind = DS_WAVES_REGULAR;
	def.height = height;
	def.period = period;
	def.depth = depth;
	return def;
}

static ds_waves_def irregular( int32_t kind, double height, double period )
{
	ds_waves_def def = ds_waves_def_default();
	def.kind = kind;
	def.height = height;
	def.period = period;
	return def;
}

// ---- dispersion --------------------------------------------------------------------------------------------------

static void test_dispersion( void **state )
{
	(void)state;
	for ( double depth = 0.01; depth < 2e4; depth *= 1.7 )
	{
		for ( double omega = 1e-3; omega < 100; omega *= 1.3 )
		{
			double k = ds_wave_number( omega, depth, G );
			double again = G * k * tanh( k * depth );
			ASSERT_NEAR( again / ( omega * omega ), 1, 1e-13 );
		}
	}

	// an 8 s wave over 10 m, solved by bisection to the last digit
	double low = 0, high = 1, omega = 2 * DS_PI / 8;
	for ( int i = 0; i < 100; ++i )
	{
		double k = 0.5 * ( low + high );
		*( G * k * tanh( 10 * k ) < omega * omega ? &low : &high ) = k;
	}
	ASSERT_NEAR( ds_wave_number( omega, 10, G ), low, 1e-15 );

	// limits: deep w^2 = g k, shallow w^2 = g h k^2 ( 1 - (k h)^2 / 3 )
	assert_true( ds_wave_number( 1.5, 0, G ) == 1.5 * 1.5 / G );
	ASSERT_NEAR( ds_wave_number( 1.5, 1e4, G ), 1.5 * 1.5 / G, 1e-16 );
	double k = ds_wave_number( 1e-3, 10, G ), kh = 10 * k;
	ASSERT_NEAR( k * sqrt( G * 10 * ( 1 - kh * kh / 3 ) ) / 1e-3, 1, 1e-12 );
}

// ---- one component -----------------------------------------------------------------------------------------------

// A wave of no height to speak of, so that stretching does nothing: the formulas, and that they satisfy the equations.
static void test_kinematics( void **state )
{
	(void)state;
	const double depths[] = { 0, 5, 30, 500 };
	uint64_t seed = 3;
	for ( int k = 0; k < 40; ++k )
	{
		ds_waves_def def = regular( 2e-9, 6, depths[k % 4] );
		def.direction = 3 * noise( &seed );
		def.phase = noise( &seed );
		ds_waves *waves = sea_of( &def );
		ds_wave_component c = ds_waves_component( waves, 0 );
		double h = depths[k % 4], w = c.omega, wn = c.wavenumber, a = c.amplitude;
		double reach = h > 0 && h < 40 ? h : 40;
		ds_vec3 p = ds_v3( 100 * noise( &seed ), 100 * noise( &seed ), reach * ( 0.5 + 0.49 * noise( &seed ) ) );
		double t = 50 * noise( &seed ), s = -p.z;
		ds_wave_point at;
		ds_waves_at( waves, p, t, &at );

		double psi = wn * ( p.x * cos( c.direction ) + p.y * sin( c.direction ) ) - w * t + c.phase;
		double ch = h > 0 && wn * h < 300 ? cosh( wn * ( h + s ) ) / cosh( wn * h ) : exp( wn * s );
		double sh = h > 0 && wn * h < 300 ? sinh( wn * ( h + s ) ) / cosh( wn * h ) : exp( wn * s );
		double u = a * G * wn / w;
		ASSERT_NEAR( at.elevation / a, cos( psi ), 1e-10 );
		ASSERT_NEAR( at.depth, p.z, 1e-8 );
		ASSERT_NEAR( at.head / a, ch * cos( psi ), 1e-8 );
		ASSERT_NEAR( at.slope_north / ( a * wn ), -cos( c.direction ) * sin( psi ), 1e-8 );
		ASSERT_NEAR( at.slope_east / ( a * wn ), -sin( c.direction ) * sin( psi ), 1e-8 );
		ASSERT_NEAR( at.velocity.x / u, cos( c.direction ) * ch * cos( psi ), 1e-8 );
		ASSERT_NEAR( at.velocity.y / u, sin( c.direction ) * ch * cos( psi ), 1e-8 );
		ASSERT_NEAR( at.velocity.z / u, -sh * sin( psi ), 1e-8 );

		// at the surface the water moves with it; acceleration is the rate of the velocity and minus the head's gradient
		ds_wave_point top, before, after, side;
		ds_waves_at( waves, ds_v3( p.x, p.y, 0 ), t, &top );
		ASSERT_NEAR( -top.velocity.z / ( a * w ), sin( psi ), 1e-8 );
		ds_waves_at( waves, p, t - 1e-4, &before );
		ds_waves_at( waves, p, t + 1e-4, &after );
		ds_vec3 rate = ds_scale( 1 / 2e-4, ds_sub( after.velocity, before.velocity ) );
		ASSERT_NEAR3( ds_scale( 1 / ( u * w ), rate ), ds_scale( 1 / ( u * w ), at.acceleration ), 1e-7 );
		for ( int axis = 0; axis < 3; ++axis )
		{
			ds_vec3 q = p;
			( &q.x )[axis] += 1e-4;
			ds_waves_at( waves, q, t, &side );
			( &q.x )[axis] -= 2e-4;
			ds_waves_at( waves, q, t, &before );
			ASSERT_NEAR(
				-G * ( side.head - before.head ) / 2e-4 / ( u * w ), ( &at.acceleration.x )[axis] / ( u * w ), 1e-7 );
		}
		ds_waves_destroy( waves );
	}
}

// The crest moves where the direction says, at w / k.
static void test_crest_moves_towards_direction( void **state )
{
	(void)state;
	ds_waves_def def = regular( 1, 7, 20 );
	def.direction = 0.5 * DS_PI;
	ds_waves *waves = sea_of( &def );
	ds_wave_component c = ds_waves_component( waves, 0 );
	for ( int i = 0; i < 50; ++i )
	{
		double t = 1.7 * i, east = c.omega / c.wavenumber * t;
		ASSERT_NEAR( ds_waves_elevation( waves, -333 + 20.0 * i, east, t ), 0.5, 1e-12 );
	}
	ds_wave_point at;
	ds_waves_at( waves, ds_v3( 0, 0, 1 ), 0, &at );
	assert_true( at.velocity.y > 0.3 && fabs( at.velocity.x ) < 1e-15 );
	ds_waves_destroy( waves );
}

// Deep down profiles stay finite and right: with k h = 2000 cosh and sinh would overflow.
static void test_profiles_do_not_overflow( void **state )
{
	(void)state;
	ds_waves_def def = regular( 0.1, 1, 5000 ), deep = regular( 0.1, 1, 0 );
	ds_waves *waves = sea_of( &def ), *other = sea_of( &deep );
	for ( double z = -5; z <= 5000; z += 33.3 )
	{
		ds_wave_point a, b;
		ds_waves_at( waves, ds_v3( 3, 4, z ), 5, &a );
		ds_waves_at( other, ds_v3( 3, 4, z ), 5, &b );
		ASSERT_NEAR( a.head, b.head, 1e-13 );
		ASSERT_NEAR3( a.velocity, b.velocity, 1e-13 );
		assert_true( ds_finite( a.acceleration ) );
	}
	ds_waves_destroy( waves );
	ds_waves_destroy( other );

	// shallow: the velocity along is the same from top to bottom, that upwards falls linearly to 0 at the bed
	def = regular( 1e-6, 100, 1 );
	waves = sea_of( &def );
	double phase = 12.5;
	for ( double z = 0; z <= 1; z += 0.125 )
	{
		ds_wave_point a;
		ds_waves_at( waves, ds_v3( 0, 0, z ), phase, &a );
		double w = 2 * DS_PI / 100, along = 0.5e-6 * w / ds_wave_number( w, 1, G ) / 1 * sqrt( 0.5 );
		ASSERT_NEAR( a.velocity.x / along, 1, 1e-3 );
		ASSERT_NEAR( a.velocity.z / ( 0.5e-6 * w * sqrt( 0.5 ) ), 1 - z, 1e-3 );
	}
	ds_waves_destroy( waves );
}

// Wheeler: gauge pressure rho g ( z + head ) is zero at the surface; above it everything keeps the surface's value.
static void test_pressure_is_zero_at_the_surface( void **state )
{
	(void)state;
	const double depths[] = { 0, 12 };
	for ( int k = 0; k < 20; ++k )
	{
		ds_waves_def def = irregular( DS_WAVES_JONSWAP, 3, 8 );
		def.depth = depths[k % 2];
		def.seed = k;
		ds_waves *waves = sea_of( &def );
		double north = 17.0 * k, east = -9.0 * k, t = 3.3 * k;
		double eta = ds_waves_elevation( waves, north, east, t );
		ds_wave_point at, above;
		ds_waves_at( waves, ds_v3( north, east, -eta ), t, &at );
		ASSERT_NEAR( at.elevation, eta, 1e-14 );
		ASSERT_NEAR( -eta + at.head, 0, 1e-12 );
		ASSERT_NEAR( at.depth, 0, 1e-12 );
		ds_waves_at( waves, ds_v3( north, east, -eta - 2 ), t, &above );
		ASSERT_NEAR( above.head, eta, 1e-12 );
		ASSERT_NEAR3( above.velocity, at.velocity, 1e-12 );
		ASSERT_NEAR( above.depth, -2, 1e-12 );
		ds_waves_destroy( waves );
	}
}

// Stretching of a component by a long wave: at a crest of 1 m the profile starts at the crest.
static void test_wheeler_stretches( void **state )
{
	(void)state;
	ds_waves_def def = regular( 2, 10, 0 );
	ds_waves *waves = sea_of( &def );
	double k = ds_waves_component( waves, 0 ).wavenumber;
	for ( double z = -1; z < 30; z += 0.3 )
	{
		// a layer of 1.5 m stretches; below it all stays where it is
		ds_wave_point at;
		ds_waves_at( waves, ds_v3( 0, 0, z ), 0, &at );
		ASSERT_NEAR( at.head, exp( -k * ( z < 1.5 ? ( z + 1 ) * 1.5 / 2.5 : z ) ), 1e-13 );
	}
	ds_waves_destroy( waves );
	def.depth = 25;
	waves = sea_of( &def );
	k = ds_waves_component( waves, 0 ).wavenumber;
	for ( double z = -1; z < 25; z += 0.3 )
	{
		ds_wave_point at;
		ds_waves_at( waves, ds_v3( 0, 0, z ), 0, &at );
		double s = z < 1.5 ? ( -z - 1 ) * 1.5 / 2.5 : -z;
		ASSERT_NEAR( at.head, cosh( k * ( 25 + s ) ) / cosh( k * 25 ), 1e-13 );
	}
	ds_waves_destroy( waves );
}

// k-scaling with depth: over deep water the standard deviation of velocity falls as exp( -k z ), in all directions alike.
static void test_decay_with_depth( void **state )
{
	(void)state;
	ds_waves_def def = regular( 0.02, 5, 0 );
	ds_waves *waves = sea_of( &def );
	double k = ds_waves_component( waves, 0 ).wavenumber, w = ds_waves_component( waves, 0 ).omega;
	for ( double z = 1; z < 60; z *= 1.5 )
	{
		double along = 0, down = 0;
		for ( int i = 0; i < 64; ++i )
		{
			ds_wave_point at;
			ds_waves_at( waves, ds_v3( 0, 0, z ), 5.0 * i / 64, &at );
			along += at.velocity.x * at.velocity.x / 32;
			down += at.velocity.z * at.velocity.z / 32;
		}
		double expected = 0.01 * w * exp( -k * z );
		ASSERT_NEAR( sqrt( along ) / expected, 1, 1e-3 );
		ASSERT_NEAR( sqrt( down ) / expected, 1, 1e-3 );
	}
	ds_waves_destroy( waves );
}

// Far away and late: the phase of a component against exact arithmetic in integers (frequency and wavenumber are binary
// fractions, the products exact).
static void test_phases_keep_their_digits( void **state )
{
	(void)state;
	ds_waves_def def = irregular( DS_WAVES_JONSWAP, 2, 8 );
	ds_waves *waves = sea_of( &def );

	// a shift by whole seconds of time or metres of place, taken in two parts, changes the elevation by rounding alone
	double e1 = ds_waves_elevation( waves, 1e6 + 3, -2e6, 1e9 + 0.25 ), sum = 0;
	for ( int32_t i = 0; i < ds_waves_count( waves ); ++i )
	{
		ds_wave_component c = ds_waves_component( waves, i );
		long double two_pi = 2 * 3.14159265358979323846264338327950288L;
		long double psi = (long double)c.wavenumber *
							  ( (long double)cos( c.direction ) * 1000003 - (long double)sin( c.direction ) * 2e6L ) -
						  (long double)c.omega * ( 1e9L + 0.25L ) + (long double)c.phase;
		psi -= two_pi * roundl( psi / two_pi );
		sum += c.amplitude * cos( (double)psi );
	}
	// omega t is 1e9 radians: the half unit in the last place of omega itself, in cycles, is 1e-7 of one
	ASSERT_NEAR( e1, sum, 1e-6 );

	// the elevation is smooth in time there: a second difference over a millisecond is that of the waves, not of rounding
	double step = 1.0 / 1024, rough = 0;
	for ( int i = 0; i < 200; ++i )
	{
		double t = 1e6 + i * step;
		double bend = ds_waves_elevation( waves, 1e6, 1e6, t - step ) - 2 * ds_waves_elevation( waves, 1e6, 1e6, t ) +
					  ds_waves_elevation( waves, 1e6, 1e6, t + step );
		rough = fmax( rough, fabs( bend ) );
	}
	assert_true( rough < 5 * step * step );
	ds_waves_destroy( waves );
}

// ---- a sea -------------------------------------------------------------------------------------------------------

static void test_variance_is_exact( void **state )
{
	(void)state;
	const int32_t kinds[] = { DS_WAVES_JONSWAP, DS_WAVES_PIERSON_MOSKOWITZ };
	for ( int k = 0; k < 6; ++k )
	{
		ds_waves_def def = irregular( kinds[k % 2], 2.5, 9 );
		def.components = 32 << k % 3;
		def.seed = k;
		ds_waves *waves = sea_of( &def );
		ASSERT_NEAR( ds_waves_variance( waves ) / ( 2.5 * 2.5 / 16 ), 1, 1e-12 );

		// the spectrum's integral by Simpson's rule
		double sum = 0, wp = 2 * DS_PI / 9;
		const int n = 7000;
		for ( int i = 0; i <= n; ++i )
		{
			double w = wp * ( 0.5 + 3.5 * i / n );
			sum += ds_waves_spectrum( waves, w ) * ( i == 0 || i == n ? 1 : 2 + 2 * ( i % 2 ) );
		}
		ASSERT_NEAR( sum * 3.5 * wp / n / 3 / ( 2.5 * 2.5 / 16 ), 1, 1e-5 );
		ds_waves_destroy( waves );
	}
}

// JONSWAP over Pierson-Moskowitz is gamma at the peak; far from it the two have one shape. The peak is at Tp.
static void test_shapes( void **state )
{
	(void)state;
	ds_waves_def def = irregular( DS_WAVES_JONSWAP, 2, 10 );
	ds_waves *j = sea_of( &def );
	def.kind = DS_WAVES_PIERSON_MOSKOWITZ;
	ds_waves *p = sea_of( &def );
	double wp = 2 * DS_PI / 10, at_peak = ds_waves_spectrum( j, wp ) / ds_waves_spectrum( p, wp );
	double far = ds_waves_spectrum( j, 3 * wp ) / ds_waves_spectrum( p, 3 * wp );
	ASSERT_NEAR( at_peak / far, 3.3, 1e-9 );
	double best = 0, where = 0;
	for ( double w = 0.3; w < 2; w += 1e-4 )
	{
		double s = ds_waves_spectrum( p, w );
		if ( s > best )
		{
			best = s;
			where = w;
		}
	}
	ASSERT_NEAR( where, wp, 2e-4 );

	// DNV-RP-C205 (2010), 3.5.5: JONSWAP is (1 - 0.287 ln gamma) times that of Pierson-Moskowitz with gamma^b
	ASSERT_NEAR( far, 1 - 0.287 * log( 3.3 ), 0.01 );
	// and S_PM( wp ) = 5/16 Hs^2 / wp exp( -5/4 ), the tail beyond 4 wp (0.5 %) folded in
	ASSERT_NEAR( best / ( 5.0 / 16 * 4 / wp * exp( -1.25 ) ), 1, 0.006 );
	ds_waves_destroy( j );
	ds_waves_destroy( p );
}

// Samples of many seas, far apart in time: mean 0, variance Hs^2 / 16, and the tails of a normal distribution.
static void test_variance_over_seeds( void **state )
{
	(void)state;
	const int seeds = 400, samples = 100;
	double sum = 0, squares = 0, fourth = 0;
	for ( int k = 0; k < seeds; ++k )
	{
		ds_waves_def def = irregular( DS_WAVES_JONSWAP, 4, 8 );
		def.components = 64;
		def.seed = k;
		ds_waves *waves = sea_of( &def );
		for ( int i = 0; i < samples; ++i )
		{
			double e = ds_waves_elevation( waves, 0, 0, 97.3 * i );
			sum += e;
			squares += e * e;
			fourth += e * e * e * e;
		}
		ds_waves_destroy( waves );
	}
	double n = (double)seeds * samples, variance = squares / n;
	ASSERT_NEAR( sum / n, 0, 0.025 );
	ASSERT_NEAR( variance, 1, 0.03 );
	// the kurtosis of N cosines of equal amplitude is 3 - 1.5 / N
	ASSERT_NEAR( fourth / n / ( variance * variance ), 3, 0.1 );
}

// Mean direction by the horizontal velocity's covariance with the elevation, as a wave buoy finds it; spread as theory:
// the mean of cos( theta - mean ) over cos^2s is s / ( s + 1 ).
static void test_direction( void **state )
{
	(void)state;
	for ( int k = 0; k < 12; ++k )
	{
		ds_waves_def def = irregular( DS_WAVES_JONSWAP, 2, 8 );
		def.direction = -DS_PI + 0.55 * k;
		def.spreading = k % 3 == 0 ? 5 : k % 3 == 1 ? 20 : 75;
		def.seed = 1000 + k;
		ds_waves *waves = sea_of( &def );
		double north = 0, east = 0, sum = 0;
		for ( int i = 0; i < 4000; ++i )
		{
			ds_wave_point at;
			ds_waves_at( waves, ds_v3( 0, 0, k % 2 ? 2 : 15 ), 3.7 * i, &at );
			north += at.elevation * at.velocity.x;
			east += at.elevation * at.velocity.y;
		}
		double off = remainder( atan2( east, north ) - def.direction, 2 * DS_PI );
		ASSERT_NEAR( off, 0, 2 * DS_PI / 180 );
		for ( int32_t i = 0; i < ds_waves_count( waves ); ++i )
		{
			sum += cos( ds_waves_component( waves, i ).direction - def.direction );
		}
		ASSERT_NEAR( sum / ds_waves_count( waves ), def.spreading / ( def.spreading + 1 ), 0.01 );
		ds_waves_destroy( waves );
	}

	// long-crested
	ds_waves_def def = irregular( DS_WAVES_PIERSON_MOSKOWITZ, 2, 8 );
	def.spreading = 0;
	def.direction = 1;
	ds_waves *waves = sea_of( &def );
	for ( int32_t i = 0; i < ds_waves_count( waves ); ++i )
	{
		assert_true( ds_waves_component( waves, i ).direction == 1 );
	}
	ds_waves_destroy( waves );
}

// The same seed gives the same bits; another seed another sea. Frequencies rise, are distinct, and stay in their bins.
static void test_seeds( void **state )
{
	(void)state;
	ds_waves_def def = irregular( DS_WAVES_JONSWAP, 2, 8 );
	def.seed = 7;
	ds_waves *a = sea_of( &def ), *b = sea_of( &def );
	def.seed = 8;
	ds_waves *c = sea_of( &def );
	assert_true( ds_waves_elevation( a, 1, 2, 3 ) == ds_waves_elevation( b, 1, 2, 3 ) );
	assert_true( fabs( ds_waves_elevation( a, 1, 2, 3 ) - ds_waves_elevation( c, 1, 2, 3 ) ) > 1e-3 );
	for ( int32_t i = 1; i < ds_waves_count( a ); ++i )
	{
		assert_true( ds_waves_component( a, i ).omega > ds_waves_component( a, i - 1 ).omega );
	}
	ds_waves_destroy( a );
	ds_waves_destroy( b );
	ds_waves_destroy( c );
}

static void test_flat_water( void **state )
{
	(void)state;
	ds_waves_def def = ds_waves_def_default();
	ds_waves *waves = sea_of( &def );
	ds_wave_point at, none;
	ds_waves_at( waves, ds_v3( 1, 2, 3 ), 4, &at );
	ds_waves_at( NULL, ds_v3( 1, 2, 3 ), 4, &none );
	assert_memory_equal( &at, &none, sizeof( at ) );
	assert_true( at.depth == 3 && at.head == 0 && at.velocity.x == 0 );
	ds_waves_destroy( waves );
	ds_waves_destroy( NULL );
}

static void refuse( ds_waves_def def, ds_status status, const char *part )
{
	ds_waves *waves = (ds_waves *)1;
	assert_int_equal( ds_waves_create( NULL, &def, &waves ), status );
	assert_null( waves );
	assert_non_null( strstr( ds_last_error(), part ) );
}

static void test_errors( void **state )
{
	(void)state;
	ds_waves_def def = regular( 1, 8, 0 );
	def.kind = 9;
	refuse( def, DS_ERROR_RANGE, "kind" );
	def = regular( -1, 8, 0 );
	refuse( def, DS_ERROR_RANGE, "height" );
	refuse( regular( 1, 0, 0 ), DS_ERROR_RANGE, "period" );
	refuse( regular( NAN, 8, 0 ), DS_ERROR_NOT_FINITE, "height" );
	refuse( regular( 1, INFINITY, 0 ), DS_ERROR_NOT_FINITE, "period" );
	refuse( regular( 1, 8, -3 ), DS_ERROR_RANGE, "depth" );
	refuse( regular( 3, 3, 0 ), DS_ERROR_RANGE, "break" ); // limit 2.0 m
	refuse( regular( 3, 20, 2 ), DS_ERROR_RANGE, "break" ); // 1.8 m over 2 m of water
	refuse( irregular( DS_WAVES_JONSWAP, 5, 5 ), DS_ERROR_RANGE, "break" );
	def = irregular( DS_WAVES_JONSWAP, 1, 5 );
	def.components = 0;
	refuse( def, DS_ERROR_RANGE, "components" );
	def.components = DS_WAVES_MAX_COMPONENTS + 1;
	refuse( def, DS_ERROR_RANGE, "components" );
	def.components = 10;
	def.peak_enhancement = 0.5;
	refuse( def, DS_ERROR_RANGE, "peak_enhancement" );
	def.peak_enhancement = 2;
	def.spreading = -1;
	refuse( def, DS_ERROR_RANGE, "spreading" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_dispersion ),
		cmocka_unit_test( test_kinematics ),
		cmocka_unit_test( test_crest_moves_towards_direction ),
		cmocka_unit_test( test_profiles_do_not_overflow ),
		cmocka_unit_test( test_pressure_is_zero_at_the_surface ),
		cmocka_unit_test( test_wheeler_stretches ),
		cmocka_unit_test( test_decay_with_depth ),
		cmocka_unit_test( test_phases_keep_their_digits ),
		cmocka_unit_test( test_variance_is_exact ),
		cmocka_unit_test( test_shapes ),
		cmocka_unit_test( test_variance_over_seeds ),
		cmocka_unit_test( test_direction ),
		cmocka_unit_test( test_seeds ),
		cmocka_unit_test( test_flat_water ),
		cmocka_unit_test( test_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The IMU without a world: its random errors against theory.

#include "imu_kit.h"

#include <math.h>

// ---- white noise (reference case P08) -------------------------------------------------------------------------------------------

static const double N = 3e-4; // [rad/s/sqrt(Hz)]

// Allan deviation from adjacent means of m samples.
static double allan( const double *x, int count, int m )
{
	double last = 0, sum = 0;
	int clusters = count / m;
	for ( int k = 0; k < clusters; ++k )
	{
		double mean = 0;
		for ( int i = 0; i < m; ++i )
		{
			mean += x[k * m + i] / m;
		}
		sum += k > 0 ? ( mean - last ) * ( mean - last ) : 0;
		last = mean;
	}
	return sqrt( sum / ( 2 * ( clusters - 1 ) ) );
}

static void test_white_noise_at_every_rate( void **state )
{
	(void)state;
	const int rates[] = { 50, 100, 200, 400 };
	const double expected[] = { 2.1213e-3, 3.0000e-3, 4.2426e-3, 6.0000e-3 };
	for ( int k = 0; k < 4; ++k )
	{
		ds_imu_config c = ds_imu_config_default();
		c.gyro.N[0] = c.gyro.N[1] = c.gyro.N[2] = N;
		c.accel.N[0] = c.accel.N[1] = c.accel.N[2] = 2 * N;
		kit_imu imu = kit_imu_make( &c, rates[k], 42 );
		int count = 3600 * rates[k];
		double *x = malloc( (size_t)count * sizeof( double ) );
		double squares[6] = { 0 }, sum = 0, lag = 0, cross = 0;
		for ( int i = 0; i < count; ++i )
		{
			ds_imu r = kit_imu_next( &imu );
			x[i] = r.angular_velocity[1];
			sum += x[i];
			lag += i > 0 ? x[i] * x[i - 1] : 0;
			cross += r.angular_velocity[1] * r.linear_acceleration[1];
			for ( int a = 0; a < 6; ++a )
			{
				squares[a] += kit_imu_channel( &r, a ) * kit_imu_channel( &r, a ) / count;
			}
			NEAR( r.angular_velocity_variance[1], N * N * rates[k], 1e-15 * N );
			NEAR( r.linear_acceleration_variance[2], 4 * N * N * rates[k], 1e-15 * N );
		}
		for ( int a = 0; a < 6; ++a )
		{
			NEAR( sqrt( squares[a] ), ( a < 3 ? 1 : 2 ) * expected[k], 0.01 * ( a < 3 ? 1 : 2 ) * expected[k] );
		}
		NEAR( sum / count, 0, 4 * N / 60 );
		NEAR( lag / ( squares[1] * count ), 0, 0.01 );
		NEAR( cross / ( 2 * squares[1] * count ), 0, 0.01 );
		NEAR( allan( x, count, rates[k] ), 3e-4, 0.05 * 3e-4 );
		// slope from 0.06 s to 10 s
		int m = rates[k] / 50 * 3;
		double slope = log( allan( x, count, 10 * rates[k] ) / allan( x, count, m ) ) / log( 10.0 * rates[k] / m );
		NEAR( slope, -0.5, 0.03 );
		free( x );
		ds_imu_destroy( imu.model );
	}
}

// Behind a low-pass the reported variance is still that of the readings.
static void test_variance_behind_a_low_pass( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.accel.N[0] = N;
	c.accel.bandwidth = 25;
	c.accel.resolution = 1e-3;
	kit_imu imu = kit_imu_make( &c, 200, 42 );
	double squares = 0, reported = 0;
	const int count = 400000;
	for ( int i = 0; i < count; ++i )
	{
		ds_imu r = kit_imu_next( &imu );
		squares += r.linear_acceleration[0] * r.linear_acceleration[0] / count;
		reported = r.linear_acceleration_variance[0];
	}
	assert_true( reported < 0.4 * N * N * 200 + 1e-6 / 12 );
	NEAR( squares, reported, 0.02 * reported );
	ds_imu_destroy( imu.model );
}

// ---- processes ---------------------------------------------------------------------------------------------------

// Mean and covariances of what 3 samples of a process say, against those that a fine simulation of the process gives.
static void test_residual_of_a_mean( void **state )
{
	(void)state;
	// a Gauss-Markov process of standard deviation 1 and correlation time 1 in 400 steps an interval; by the trapezoid
	enum
	{
		FINE = 400
	};
	const double lengths[] = { 0.01, 0.3, 2, 8 };
	uint64_t index = 0;
	for ( int k = 0; k < 4; ++k )
	{
		double u = lengths[k], h = u / FINE, phi = exp( -h ), kick = sqrt( -expm1( -2 * h ) );
		double share = tanh( 0.5 * u ) / u, squares = 0, ends = 0;
		const int count = 4000;
		for ( int run = 0; run < count; ++run )
		{
			double n[FINE + 1], x, x0, mean = 0;
			ds_random stream = ds_random_stream( 5, "fine", DS_RANDOM_SAMPLE, index++ );
			ds_random_normals( &stream, 0, FINE + 1, n );
			x = x0 = n[FINE];
			for ( int i = 0; i < FINE; ++i )
			{
				double next = phi * x + kick * n[i];
				mean += 0.5 * ( x + next ) / FINE;
				x = next;
			}
			double left = mean - share * ( x0 + x );
			squares += left * left / count;
			ends += left * x / count;
		}
		double variance = ds_imu_bridge( u );
		NEAR( squares, variance, 4 * variance * sqrt( 2.0 / count ) ); // 4 standard errors
		NEAR( ends, 0, 4 * sqrt( variance / count ) );
		// and the variance of the mean is whole: ends and residual
		double whole = 2 * share * share * ( 1 + exp( -u ) ) + variance;
		NEAR( whole, 2 / ( u * u ) * ( u - 1 + exp( -u ) ), 1e-10 );
	}
	for ( double u = 1e-6; u < 1; u *= 1.3 )
	{
		NEAR( ds_imu_bridge( u ) / ( u / 6 * ( 1 - u * u / 10 + 17 * pow( u, 4 ) / 1680 ) ), 1,
			2e-3 * pow( u, 6 ) + 3e-12 / ( u * u + 1e-3 ) );
	}
}

// Ensemble of a Gauss-Markov process: mean 0, sigma, covariance over a lag, at two rates, from the first sample on.
static void test_markov_ensemble( void **state )
{
	(void)state;
	const double sigma = 0.02, tau = 5, rates[] = { 1, 10 };
	ds_imu_config c = ds_imu_config_default();
	for ( int i = 0; i < 3; ++i )
	{
		c.gyro.markov_sigma[i] = sigma;
		c.gyro.markov_tau[i] = tau;
	}
	for ( int k = 0; k < 2; ++k )
	{
		const int runs = 3000, steps = (int)( 4 * rates[k] );
		double sum = 0, first = 0, last = 0, lag = 0, u = 1 / ( rates[k] * tau );
		for ( int run = 0; run < runs; ++run )
		{
			kit_imu imu = kit_imu_make( &c, rates[k], (uint64_t)run );
			ds_imu a = kit_imu_next( &imu ), b = a;
			for ( int i = 0; i < steps; ++i )
			{
				b = kit_imu_next( &imu );
			}
			for ( int axis = 0; axis < 3; ++axis )
			{
				double x = a.angular_velocity[axis], y = b.angular_velocity[axis];
				sum += x / ( 3 * runs );
				first += x * x / ( 3 * runs );
				last += y * y / ( 3 * runs );
				lag += x * y / ( 3 * runs );
			}
			assert_true( b.linear_acceleration[0] == 0 );
			ds_imu_destroy( imu.model );
		}
		// of means over an interval: 2 s^2 (u - 1 + e^-u) / u^2, and between two 4 s apart s^2 (1 - e^-u)^2 / u^2 e^(u - 4 / tau)
		double variance = sigma * sigma * 2 * ( u - 1 + exp( -u ) ) / ( u * u );
		double apart = sigma * sigma * pow( ( 1 - exp( -u ) ) / u, 2 ) * exp( u - 4 / tau );
		double error = sqrt( 1.0 / ( 3 * runs ) );
		NEAR( sum, 0, 3 * sigma * error );
		NEAR( first, variance, 4 * sqrt( 2 ) * variance * error );
		NEAR( last, variance, 4 * sqrt( 2 ) * variance * error );
		NEAR( lag, apart, 4 * sqrt( 2 ) * variance * error );
	}
}

// A process that hardly moves is the same in samples of any interval, and at an instant.
static void test_changing_intervals( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.gyro.markov_sigma[0] = 1;
	c.gyro.markov_tau[0] = 1e9;
	kit_imu imu = kit_imu_make( &c, 100, 3 );
	imu.truth.interval = 0;
	double start = kit_imu_next( &imu ).angular_velocity[0];
	assert_true( fabs( start ) > 0.1 );
	const double intervals[] = { 0.01, 0.01, 0.02, 0.01, 5, 0.001, 0, 0.001, 0.02, 0, 1e-4 };
	for ( int i = 0; i < 11; ++i )
	{
		imu.truth.interval = intervals[i];
		NEAR( kit_imu_next( &imu ).angular_velocity[0], start, 6 * sqrt( 2 * 5.1 / 1e9 ) );
	}
	ds_imu_destroy( imu.model );
}

// Random walk: variance K^2 t, Allan deviation K at 3 s, at every rate.
static void test_walk( void **state )
{
	(void)state;
	const double K = 1e-3, rates[] = { 0.5, 20 };
	ds_imu_config c = ds_imu_config_default();
	c.accel.K[0] = c.accel.K[1] = c.accel.K[2] = K;
	for ( int k = 0; k < 2; ++k )
	{
		const int runs = 1500;
		double squares = 0, sum = 0, allan_squares = 0, dt = 1 / rates[k];
		int m = rates[k] > 1 ? 60 : 2, steps = (int)( 40 * rates[k] );
		for ( int run = 0; run < runs; ++run )
		{
			kit_imu imu = kit_imu_make( &c, rates[k], (uint64_t)run );
			double means[2][3] = { { 0 } };
			ds_imu r = { 0 };
			for ( int i = 0; i < steps; ++i )
			{
				r = kit_imu_next( &imu );
				for ( int axis = 0; axis < 3 && i < 2 * m; ++axis )
				{
					means[i / m][axis] += r.linear_acceleration[axis] / m;
				}
			}
			for ( int axis = 0; axis < 3; ++axis )
			{
				sum += r.linear_acceleration[axis] / ( 3 * runs );
				squares += pow( r.linear_acceleration[axis], 2 ) / ( 3 * runs );
				allan_squares += 0.5 * pow( means[1][axis] - means[0][axis], 2 ) / ( 3 * runs );
			}
			ds_imu_destroy( imu.model );
		}
		// the last sample is the mean over [40 - dt, 40]: K^2 (40 - dt + dt / 3)
		double variance = K * K * ( 40 - dt * 2 / 3 ), error = sqrt( 1.0 / ( 3 * runs ) );
		NEAR( sum, 0, 3 * sqrt( variance ) * error );
		NEAR( squares, variance, 4 * sqrt( 2 ) * variance * error );
		double tau = m * dt; // 3 s; 4 s: K^2 tau / 3
		NEAR( allan_squares, K * K * tau / 3, 4 * sqrt( 2 ) * K * K * tau / 3 * error );
	}
}

// Bias instability: the Allan deviation is flat at 0.664 B.
static void test_bias_instability_is_flat( void **state )
{
	(void)state;
	const double B = 1e-4;
	ds_imu_config c = ds_imu_config_default();
	for ( int i = 0; i < 3; ++i )
	{
		c.gyro.B[i] = B;
		c.accel.B[i] = 10 * B;
	}
	const int count = 1 << 18;
	double sums[3] = { 0 };
	double *x[6];
	for ( int a = 0; a < 6; ++a )
	{
		x[a] = malloc( (size_t)count * sizeof( double ) );
	}
	for ( uint64_t seed = 1; seed <= 2; ++seed )
	{
		kit_imu imu = kit_imu_make( &c, 10, seed );
		for ( int i = 0; i < count; ++i )
		{
			ds_imu r = kit_imu_next( &imu );
			for ( int a = 0; a < 6; ++a )
			{
				x[a][i] = kit_imu_channel( &r, a ) / ( a < 3 ? B : 10 * B );
			}
		}
		const int m[3] = { 10, 100, 1000 }; // 1, 10, 100 s
		for ( int k = 0; k < 3; ++k )
		{
			for ( int a = 0; a < 6; ++a )
			{
				sums[k] += pow( allan( x[a], count, m[k] ), 2 ) / 12;
			}
		}
		ds_imu_destroy( imu.model );
	}
	for ( int k = 0; k < 3; ++k )
	{
		// ripple 3 %, and 3 standard errors of 12 curves
		NEAR( sqrt( sums[k] ), 0.664, 0.664 * ( 0.03 + 3 * sqrt( 0.5 / 12 / ( 262.0 * pow( 10, 2 - k ) ) ) ) );
	}
	for ( int a = 0; a < 6; ++a )
	{
		free( x[a] );
	}
}

// ---- once a run --------------------------------------------------------------------------------------------------

static void test_turn_on_bias( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.gyro.turn_on[2] = 0.01;
	c.accel.turn_on[0] = 0.5;
	double squares = 0, sum = 0;
	const int runs = 2000;
	for ( uint64_t seed = 0; seed < (uint64_t)runs; ++seed )
	{
		kit_imu imu = kit_imu_make( &c, 100, seed );
		ds_imu a = kit_imu_next( &imu );
		for ( int i = 0; i < 5; ++i )
		{
			ds_imu b = kit_imu_next( &imu );
			assert_memory_equal( a.angular_velocity, b.angular_velocity, sizeof( a.angular_velocity ) );
			assert_memory_equal( a.linear_acceleration, b.linear_acceleration, sizeof( a.linear_acceleration ) );
		}
		assert_true( a.angular_velocity[0] == 0 && a.linear_acceleration[1] == 0 );
		sum += a.angular_velocity[2] / runs;
		squares += a.linear_acceleration[0] * a.linear_acceleration[0] / runs;
		ds_imu_destroy( imu.model );
	}
	NEAR( sum, 0, 3 * 0.01 / sqrt( runs ) );
	NEAR( sqrt( squares ), 0.5, 0.5 * 3 / sqrt( 2.0 * runs ) );
}

// ---- each parameter its own channel ------------------------------------------------------------------------------

static void fill( ds_imu_config *c, ds_imu_vibration *lines )
{
	*c = ds_imu_config_default();
	for ( int k = 0; k < 6; ++k )
	{
		ds_inertial_config *t = kit_imu_triad( c, k );
		int i = k % 3;
		t->N[i] = 1e-3;
		t->B[i] = t->markov_sigma[i] = t->temperature_coefficient[i] = 1e-3;
		t->K[i] = t->bias[i] = t->turn_on[i] = t->scale[i] = 1e-3;
		t->markov_tau[i] = 3;
		t->misalignment[( 4 * i + 1 ) % 9] = 1e-3;
		t->bandwidth = 30;
		t->range = 50;
		t->resolution = 1e-7;
		c->gyro.g_sensitivity[4 * i] = 1e-3;
	}
	c->self_heating = 10;
	lines[0] = ( ds_imu_vibration ){ 30, 0, { 0.1, 0.2, 0.3 }, { 1, 2, 3 } };
	lines[1] = ( ds_imu_vibration ){ 70, 0, { 0.1, 0.2, 0.3 }, { 1, 2, 3 } };
	c->vibration = ( ds_array ){ lines, 2 };
}

// Channels whose bits differ over a run, as a bit each.
static unsigned moved( const ds_imu_config *a, const ds_imu_config *b )
{
	kit_imu x = kit_imu_make( a, 100, 9 ), y = kit_imu_make( b, 100, 9 );
	unsigned channels = 0;
	for ( int i = 0; i < 60; ++i )
	{
		kit_imu_hold( &x, ds_v3( 0.1, 0.2, 0.3 ), ds_v3( 1, 2, 3 ) );
		kit_imu_hold( &y, ds_v3( 0.1, 0.2, 0.3 ), ds_v3( 1, 2, 3 ) );
		ds_imu r = kit_imu_next( &x ), s = kit_imu_next( &y );
		for ( int k = 0; k < 6; ++k )
		{
			channels |= kit_imu_channel( &r, k ) != kit_imu_channel( &s, k ) ? 1u << k : 0;
		}
	}
	ds_imu_destroy( x.model );
	ds_imu_destroy( y.model );
	return channels;
}

// Every number of an axis moves that axis, and no other, whether the other terms are on or off.
static void test_parameters_move_their_own_channel( void **state )
{
	(void)state;
	for ( int on = 0; on < 2; ++on )
	{
		ds_imu_vibration lines[2];
		ds_imu_config base;
		fill( &base, lines );
		if ( !on )
		{
			base = ds_imu_config_default();
		}
		for ( int k = 0; k < 6; ++k )
		{
			const size_t of_axis[] = { offsetof( ds_inertial_config, N ), offsetof( ds_inertial_config, B ),
				offsetof( ds_inertial_config, K ), offsetof( ds_inertial_config, markov_sigma ),
				offsetof( ds_inertial_config, bias ), offsetof( ds_inertial_config, turn_on ),
				offsetof( ds_inertial_config, temperature_coefficient ), offsetof( ds_inertial_config, scale ) };
			for ( size_t p = 0; p < sizeof( of_axis ) / sizeof( of_axis[0] ); ++p )
			{
				ds_imu_config c = base;
				c.self_heating = 10;
				ds_imu_config d = c;
				double *value = (double *)(void *)( (char *)kit_imu_triad( &d, k ) + of_axis[p] );
				value[k % 3] += 0.01;
				unsigned channels = moved( &c, &d );
				// a scale factor reaches the axes that see its own askew
				unsigned askew = on && of_axis[p] == offsetof( ds_inertial_config, scale ) ? 7u << ( k / 3 * 3 ) : 0;
				assert_true( channels & 1u << k );
				assert_true( ( channels & ~( 1u << k | askew ) ) == 0 );
			}
			ds_imu_config c = base;
			kit_imu_triad( &c, k )->misalignment[3 * ( k % 3 ) + 2] += 0.01;
			assert_int_equal( moved( &base, &c ), 1u << k );
			c = base;
			kit_imu_triad( &c, k )->bandwidth = 10;
			kit_imu_triad( &c, k )->resolution = 1e-5;
			assert_true( ( moved( &base, &c ) & ~( 7u << ( k / 3 * 3 ) ) ) == 0 );
			c = base;
			c.gyro.g_sensitivity[3 * ( k % 3 )] += 0.01;
			assert_int_equal( moved( &base, &c ), 1u << ( k % 3 ) );
			c = base;
			c.stamp_jitter = 0.01;
			assert_int_equal( moved( &base, &c ), 0 );
		}
	}
}

static void test_stamp_jitter( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.stamp_jitter = 2e-4;
	for ( int with_noise = 0; with_noise < 2; ++with_noise )
	{
		c.gyro.B[0] = with_noise ? 1 : 0;
		kit_imu imu = kit_imu_make( &c, 1000, 1 );
		double squares = 0, sum = 0;
		const int count = 20000;
		for ( int i = 0; i < count; ++i )
		{
			ds_imu r = kit_imu_next( &imu );
			double off = r.stamp - imu.truth.time;
			sum += off / count;
			squares += off * off / count;
		}
		NEAR( sum, 0, 3 * 2e-4 / sqrt( count ) );
		NEAR( sqrt( squares ), 2e-4, 2e-4 * 4 / sqrt( 2.0 * count ) );
		ds_imu_destroy( imu.model );
	}
}

// ---- the same bits -----------------------------------------------------------------------------------------------

// By every kernel, and from a copied state, at intervals that change.
static void test_bits_do_not_depend_on_the_kernel( void **state )
{
	(void)state;
	ds_imu_vibration lines[2];
	ds_imu_config c;
	fill( &c, lines );
	ds_imu_kernel *kernels[2];
	int count = ds_imu_kernels( kernels );
	for ( int output = 0; output < 2; ++output )
	{
		c.output = output;
		kit_imu a = kit_imu_make( &c, 200, 4 ), b = kit_imu_make( &c, 200, 4 );
		a.model->kernel = kernels[0];
		b.model->kernel = kernels[count - 1];
		for ( int i = 0; i < 500; ++i )
		{
			if ( i == 250 )
			{
				b.state = a.state; // a snapshot
			}
			a.truth.interval = b.truth.interval = i % 7 ? 0.005 : i % 3 ? 0.01 : 0.015;
			kit_imu_hold( &a, ds_v3( 0.1 * i, sin( i ), -2 ), ds_v3( 1, -2, 60 * sin( 0.1 * i ) ) );
			kit_imu_hold( &b, ds_v3( 0.1 * i, sin( i ), -2 ), ds_v3( 1, -2, 60 * sin( 0.1 * i ) ) );
			ds_imu x = kit_imu_next( &a ), y = kit_imu_next( &b );
			assert_memory_equal( &x, &y, sizeof( x ) );
		}
		assert_memory_equal( &a.state, &b.state, sizeof( a.state ) );
		ds_imu_destroy( a.model );
		ds_imu_destroy( b.model );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_white_noise_at_every_rate ),
		cmocka_unit_test( test_variance_behind_a_low_pass ),
		cmocka_unit_test( test_residual_of_a_mean ),
		cmocka_unit_test( test_markov_ensemble ),
		cmocka_unit_test( test_changing_intervals ),
		cmocka_unit_test( test_walk ),
		cmocka_unit_test( test_bias_instability_is_flat ),
		cmocka_unit_test( test_turn_on_bias ),
		cmocka_unit_test( test_parameters_move_their_own_channel ),
		cmocka_unit_test( test_stamp_jitter ),
		cmocka_unit_test( test_bits_do_not_depend_on_the_kernel ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

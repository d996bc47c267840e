// The IMU without a world: what is not random, by hand and by formula.

#include "imu_kit.h"

#include "base/field_io.h"

#include <math.h>

static const ds_vec3 turn = { 0.3, -0.2, 0.5 }, push = { 1.5, -2.5, -9.7 };

// ---- order and terms ---------------------------------------------------------------------------------------------

static void test_perfect_unit( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	kit_imu imu = kit_imu_make( &c, 100, 1 );
	kit_imu_hold( &imu, turn, push );
	for ( int i = 0; i < 3; ++i )
	{
		ds_imu r = kit_imu_next( &imu );
		assert_true( r.valid && !r.saturated );
		NEAR3( ds_v3( r.angular_velocity[0], r.angular_velocity[1], r.angular_velocity[2] ), turn, 1e-15 );
		NEAR3( ds_v3( r.linear_acceleration[0], r.linear_acceleration[1], r.linear_acceleration[2] ), push, 1e-14 );
		NEAR3( ds_v3( r.delta_angle[0], r.delta_angle[1], r.delta_angle[2] ), ds_scale( 0.01, turn ), 1e-17 );
		NEAR3( ds_v3( r.delta_velocity[0], r.delta_velocity[1], r.delta_velocity[2] ), ds_scale( 0.01, push ), 1e-16 );
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( r.angular_velocity_variance[k] == 0 && r.linear_acceleration_variance[k] == 0 );
		}
		NEAR( r.interval, 0.01, 0 );
		NEAR( r.stamp, 0.01 * ( i + 1 ), 1e-15 );
		NEAR( r.temperature, 25, 0 );
	}
	ds_imu_destroy( imu.model );
}

// M (I + S) u + g-sensitivity f + bias, the numbers by hand.
static void test_scale_misalignment_and_g( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	const double m[9] = { 1, 0.01, -0.02, 0.03, 0.99, 0.005, 0, -0.04, 1.01 };
	memcpy( c.gyro.misalignment, m, sizeof( m ) );
	c.gyro.scale[0] = 0.1;
	c.gyro.scale[1] = -0.2;
	c.gyro.scale[2] = 0.05;
	c.gyro.g_sensitivity[0] = 0.001;
	c.gyro.g_sensitivity[5] = -0.002; // of y by z
	c.gyro.bias[2] = 0.25;
	c.accel.misalignment[1] = 0.1;
	c.accel.scale[1] = 1;
	c.accel.bias[0] = -0.5;
	kit_imu imu = kit_imu_make( &c, 50, 1 );
	kit_imu_hold( &imu, turn, push );
	ds_imu r = kit_imu_next( &imu );
	// scaled: 0.33, -0.16, 0.525
	NEAR( r.angular_velocity[0], 0.33 - 0.0016 - 0.0105 + 0.0015, 1e-15 );
	NEAR( r.angular_velocity[1], 0.0099 - 0.1584 + 0.002625 + 0.0194, 1e-15 );
	NEAR( r.angular_velocity[2], 0.0064 + 0.53025 + 0.25, 1e-15 );
	NEAR( r.linear_acceleration[0], 1.5 + 0.1 * 2 * -2.5 - 0.5, 1e-14 );
	NEAR( r.linear_acceleration[1], 2 * -2.5, 1e-14 );
	NEAR( r.linear_acceleration[2], -9.7, 1e-14 );
	NEAR( r.delta_angle[2], 0.02 * ( 0.0064 + 0.53025 + 0.25 ), 1e-16 );
	ds_imu_destroy( imu.model );
}

// The unit warms up from the surroundings' temperature by 1 - exp( -t / tau ); a sample has the mean over its interval.
static void test_temperature( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.self_heating = 12;
	c.heating_tau = 40;
	c.reference_temperature = 20;
	c.gyro.temperature_coefficient[1] = 1e-3;
	c.accel.temperature_coefficient[2] = -2e-2;
	const double rates[] = { 100, 1, 0.05 };
	for ( int k = 0; k < 3; ++k )
	{
		kit_imu imu = kit_imu_make( &c, rates[k], 1 );
		double dt = 1 / rates[k], sum = 0, sea = 4;
		ds_random stream = ds_random_stream( 1, "imu", DS_RANDOM_RESET, 0 );
		ds_imu_reset( imu.model, &imu.state, &stream, sea );
		imu.truth.temperature = sea;
		int count = (int)( 60 * rates[k] );
		for ( int i = 1; i <= count; ++i )
		{
			ds_imu r = kit_imu_next( &imu );
			double t = i * dt, mean = sea + 12 - 12 * 40 / dt * ( exp( -( t - dt ) / 40 ) - exp( -t / 40 ) );
			NEAR( r.temperature, sea + 12 * ( 1 - exp( -t / 40 ) ), 1e-10 );
			NEAR( r.angular_velocity[1], 1e-3 * ( mean - 20 ), 1e-12 );
			NEAR( r.linear_acceleration[2], -2e-2 * ( mean - 20 ), 1e-11 );
			assert_true( r.angular_velocity[0] == 0 );
			sum += r.delta_angle[1];
		}
		// the integral does not know the rate
		NEAR( sum, 1e-3 * ( ( sea + 12 - 20 ) * 60 - 12 * 40 * ( 1 - exp( -1.5 ) ) ), 1e-10 );
		ds_imu_destroy( imu.model );
	}
}

// ---- range and steps ---------------------------------------------------------------------------------------------

static void test_range( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.gyro.range = 2;
	c.gyro.resolution = 0.3; // 2 is no multiple
	c.accel.range = 20;
	kit_imu imu = kit_imu_make( &c, 100, 1 );
	kit_imu_hold( &imu, ds_v3( 5, -5, 1.99 ), ds_v3( 19.99, -20, 1e9 ) );
	ds_imu r = kit_imu_next( &imu );
	assert_true( r.saturated );
	NEAR( r.angular_velocity[0], 1.8, 1e-15 );
	NEAR( r.angular_velocity[1], -1.8, 1e-15 );
	NEAR( r.angular_velocity[2], 1.8, 1e-15 ); // 2.1 is nearer, but out of range
	NEAR( r.linear_acceleration[0], 19.99, 1e-14 );
	assert_true( r.linear_acceleration[1] == -20 && r.linear_acceleration[2] == 20 );
	NEAR( r.delta_velocity[2], 0.2, 1e-15 );
	kit_imu_hold( &imu, ds_v3( 1.9, 0, 0 ), ds_v3( 19.99, -19, 0 ) );
	assert_true( !kit_imu_next( &imu ).saturated );
	ds_imu_destroy( imu.model );

	// noise is clipped too, whatever the output, and a range is a round number of steps as a datasheet has it
	c.accel.range = 16 * 9.80665;
	c.accel.resolution = c.accel.range / 32768;
	for ( int output = 0; output < 2; ++output )
	{
		c.output = output;
		c.gyro.N[0] = c.gyro.N[1] = c.gyro.N[2] = 1;
		c.accel.N[0] = c.accel.N[1] = c.accel.N[2] = 20;
		imu = kit_imu_make( &c, 100, 1 );
		double most = 0;
		for ( int i = 0; i < 2000; ++i )
		{
			r = kit_imu_next( &imu );
			for ( int k = 0; k < 3; ++k )
			{
				assert_true( fabs( r.angular_velocity[k] ) <= 2 );
				assert_true( fabs( r.linear_acceleration[k] ) <= c.accel.range );
				most = fmax( most, fabs( r.linear_acceleration[k] ) );
			}
		}
		NEAR( most, c.accel.range, output == DS_IMU_RATES ? 1e-12 : 100 * c.accel.resolution );
		ds_imu_destroy( imu.model );
	}
}

static void test_rates_are_multiples( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.gyro.resolution = 1e-3;
	c.accel.resolution = 0.25;
	kit_imu imu = kit_imu_make( &c, 200, 1 );
	for ( int i = 0; i < 100; ++i )
	{
		kit_imu_hold( &imu, ds_v3( 0.0123456 * i, -0.001 * i, 0.00049 ), ds_v3( 0.1 * i, -9.81, 0.126 ) );
		ds_imu r = kit_imu_next( &imu );
		NEAR( r.angular_velocity[0], 1e-3 * round( 12.3456 * i ), 1e-12 );
		NEAR( r.angular_velocity[1], -0.001 * i, 1e-15 );
		assert_true( r.angular_velocity[2] == 0 );
		NEAR( r.linear_acceleration[0], 0.1 * i, 0.125 + 1e-12 );
		assert_true( r.linear_acceleration[1] == -9.75 && r.linear_acceleration[2] == 0.25 );
		NEAR( r.angular_velocity_variance[0], 1e-6 / 12, 1e-20 );
		NEAR( r.linear_acceleration_variance[2], 0.0625 / 12, 1e-16 );
	}
	ds_imu_destroy( imu.model );
}

// Each increment is a multiple, and their sum is never off by more than half a step: the remainder is carried on.
static void test_increments_carry_their_remainder( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.output = DS_IMU_INCREMENTS;
	c.gyro.resolution = 1e-4;
	c.accel.resolution = 3e-3;
	kit_imu imu = kit_imu_make( &c, 200, 1 );
	double sums[6] = { 0 }, truth[6] = { 0 }, squares = 0;
	const int count = 20000;
	for ( int i = 0; i < count; ++i )
	{
		ds_vec3 w = ds_v3( 0.007, 30 * sin( 1.0 * i * i ), -1e-4 ), f = ds_v3( 0.01, -9.81 + sin( 0.1 * i ), 1e-4 * i );
		kit_imu_hold( &imu, w, f );
		ds_imu r = kit_imu_next( &imu );
		const double u[6] = { w.x, w.y, w.z, f.x, f.y, f.z };
		for ( int k = 0; k < 6; ++k )
		{
			double step = k < 3 ? 1e-4 : 3e-3, d = k < 3 ? r.delta_angle[k] : r.delta_velocity[k - 3];
			NEAR( d / step, round( d / step ), 1e-9 );
			NEAR( kit_imu_channel( &r, k ) * r.interval, d, 1e-15 );
			sums[k] += d;
			truth[k] += u[k] * r.interval;
			NEAR( sums[k], truth[k], 0.5 * step + 1e-9 );
		}
		squares += pow( r.angular_velocity[1] - w.y, 2 );
		NEAR( r.angular_velocity_variance[1], 1e-8 / 6 * 200 * 200, 1e-15 );
	}
	// the variance that is reported is that of the readings: the remainders before and after, each of r^2 / 12
	NEAR( squares / count, 1e-8 / 6 * 200 * 200, 0.03 * 1e-8 / 6 * 200 * 200 );
	ds_imu_destroy( imu.model );
}

// A counter at the end of its range loses what does not fit, but for half a step, and recovers at once.
static void test_saturated_increments( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.output = DS_IMU_INCREMENTS;
	c.gyro.range = 1;
	c.gyro.resolution = 0.003; // 3.33 steps in 0.01 s
	kit_imu imu = kit_imu_make( &c, 100, 1 );
	kit_imu_hold( &imu, ds_v3( 1.5, -1, 0 ), ds_v3( 0, 0, 0 ) );
	for ( int i = 0; i < 1000; ++i )
	{
		ds_imu r = kit_imu_next( &imu );
		assert_true( r.saturated );
		NEAR( r.delta_angle[0], 0.009, 1e-15 );
		NEAR( r.delta_angle[1], -0.009, 1e-15 );
	}
	kit_imu_hold( &imu, ds_v3( 0, 0, 0 ), ds_v3( 0, 0, 0 ) );
	ds_imu r = kit_imu_next( &imu );
	assert_true( !r.saturated && fabs( r.delta_angle[0] ) <= 0.003 );
	NEAR( kit_imu_next( &imu ).delta_angle[0], 0, 0 );
	ds_imu_destroy( imu.model );
}

// ---- vibration ---------------------------------------------------------------------------------------------------

// The mean of A sin over each interval has the amplitude A |sinc( pi f dt )| and the frequency f, folded at half the rate.
static void test_vibration_lines( void **state )
{
	(void)state;
	const double rate = 200, frequencies[] = { 3, 60, 99, 130, 190, 430, 200 };
	for ( int k = 0; k < 7; ++k )
	{
		double f = frequencies[k];
		ds_imu_vibration line = { f, 0, { 0.1, 0, -0.2 }, { 0, 3, 0 } };
		ds_imu_config c = ds_imu_config_default();
		c.vibration = ( ds_array ){ &line, 1 };
		kit_imu imu = kit_imu_make( &c, rate, 7 );
		double in = 0, out = 0, sinc = sin( DS_PI * f / rate ) / ( DS_PI * f / rate );
		const int count = 2000; // whole periods of all
		for ( int i = 0; i < count; ++i )
		{
			ds_imu r = kit_imu_next( &imu );
			double angle = 2 * DS_PI * f * ( i + 0.5 ) / rate;
			in += 2.0 / count * r.angular_velocity[0] * sin( angle );
			out += 2.0 / count * r.angular_velocity[0] * cos( angle );
			NEAR( r.angular_velocity[2], -2 * r.angular_velocity[0], 1e-15 );
			NEAR( r.linear_acceleration[1], 30 * r.angular_velocity[0], 1e-13 );
			assert_true( r.angular_velocity[1] == 0 && r.linear_acceleration[0] == 0 );
		}
		NEAR( hypot( in, out ), 0.1 * fabs( sinc ), 1e-10 );
		ds_imu_destroy( imu.model );
	}
}

// The phase is drawn with the seed, and the same for the same seed.
static void test_vibration_phase( void **state )
{
	(void)state;
	const ds_imu_vibration lines[2] = { { 10, 0, { 1, 0, 0 }, { 0, 0, 0 } }, { 10, 0, { 0, 1, 0 }, { 0, 0, 0 } } };
	ds_imu_config c = ds_imu_config_default();
	c.vibration = ( ds_array ){ lines, 2 };
	double squares = 0;
	for ( uint64_t seed = 0; seed < 500; ++seed )
	{
		kit_imu a = kit_imu_make( &c, 100, seed ), b = kit_imu_make( &c, 100, seed );
		ds_imu x = kit_imu_next( &a ), y = kit_imu_next( &b );
		assert_memory_equal( &x, &y, sizeof( x ) );
		assert_true( x.angular_velocity[0] != x.angular_velocity[1] );
		squares += x.angular_velocity[0] * x.angular_velocity[0] / 500;
		ds_imu_destroy( a.model );
		ds_imu_destroy( b.model );
	}
	NEAR( squares, 0.5 * pow( sin( 0.1 * DS_PI ) / ( 0.1 * DS_PI ), 2 ), 0.06 );
}

// A line that follows a speed: the phase is that of the speed's integral, the amplitude grows with its square.
static void test_vibration_follows_speed( void **state )
{
	(void)state;
	ds_imu_vibration line = { 0, 3, { 0, 0, 0 }, { 0.2, 0, 0 } };
	ds_imu_config c = ds_imu_config_default();
	c.vibration = ( ds_array ){ &line, 1 };
	kit_imu imu = kit_imu_make( &c, 500, 3 );
	double turns = atan2( imu.state.sine[0], imu.state.cosine[0] ) / ( 2 * DS_PI );
	for ( int i = 0; i < 5000; ++i )
	{
		double speed = 12 + 8 * sin( 0.003 * i ), f = 3 * speed, x = DS_PI * f / 500;
		imu.truth.speed = i % 3 ? speed : -speed; // backward is as fast
		ds_imu r = kit_imu_next( &imu );
		double expected = 0.2 * speed * speed / 100 * sin( 2 * DS_PI * ( turns + 0.5 * f / 500 ) ) * sin( x ) / x;
		NEAR( r.linear_acceleration[0], expected, 1e-10 );
		turns += f / 500;
	}
	imu.truth.speed = 0;
	NEAR( kit_imu_next( &imu ).linear_acceleration[0], 0, 0 );
	ds_imu_destroy( imu.model );
}

// ---- low-pass ----------------------------------------------------------------------------------------------------

// A constant passes unchanged; a tone is weakened to 1 / sqrt( 1 + (tan( pi f dt ) / tan( pi fc dt ))^4 ): at fc by 3 dB.
static void test_bandwidth( void **state )
{
	(void)state;
	const double rate = 200, cutoff = 40, frequencies[] = { 1, 10, 40, 60, 90 };
	ds_imu_config c = ds_imu_config_default();
	c.gyro.bandwidth = cutoff;
	kit_imu imu = kit_imu_make( &c, rate, 1 );
	kit_imu_hold( &imu, turn, push );
	for ( int i = 0; i < 100; ++i )
	{
		ds_imu r = kit_imu_next( &imu );
		NEAR( r.angular_velocity[0], turn.x, 1e-15 );
		NEAR( r.linear_acceleration[2], push.z, 1e-15 );
	}
	ds_imu_destroy( imu.model );
	for ( int k = 0; k < 5; ++k )
	{
		double f = frequencies[k], in = 0, out = 0, other = 0;
		imu = kit_imu_make( &c, rate, 1 );
		for ( int i = 0; i < 3000; ++i )
		{
			double angle = 2 * DS_PI * f * i / rate;
			kit_imu_hold( &imu, ds_v3( sin( angle ), 0, 0 ), ds_v3( sin( angle ), 0, 0 ) );
			ds_imu r = kit_imu_next( &imu );
			in += i < 1000 ? 0 : 1e-3 * r.angular_velocity[0] * sin( angle );
			out += i < 1000 ? 0 : 1e-3 * r.angular_velocity[0] * cos( angle );
			other = fmax( other, fabs( r.linear_acceleration[0] - sin( angle ) ) );
		}
		double ratio = tan( DS_PI * f / rate ) / tan( DS_PI * cutoff / rate );
		NEAR( hypot( in, out ), 1 / sqrt( 1 + pow( ratio, 4 ) ), 1e-9 );
		NEAR( other, 0, 1e-15 ); // the accelerometers have none
		ds_imu_destroy( imu.model );
	}
}

// Changing intervals do not disturb a constant; half the sample rate and more is no low-pass.
static void test_bandwidth_of_any_interval( void **state )
{
	(void)state;
	ds_imu_config c = ds_imu_config_default();
	c.gyro.bandwidth = 50;
	kit_imu imu = kit_imu_make( &c, 200, 1 );
	for ( int i = 0; i < 50; ++i )
	{
		imu.truth.interval = 0.001 + 0.0007 * ( i % 13 );
		kit_imu_hold( &imu, turn, push );
		NEAR( kit_imu_next( &imu ).angular_velocity[2], turn.z, 1e-15 );
	}
	ds_imu_destroy( imu.model );
	imu = kit_imu_make( &c, 100, 1 );
	for ( int i = 0; i < 10; ++i )
	{
		kit_imu_hold( &imu, ds_scale( i % 2, turn ), push );
		NEAR( kit_imu_next( &imu ).angular_velocity[2], i % 2 ? turn.z : 0, 1e-16 );
	}
	ds_imu_destroy( imu.model );
}

// ---- instants and bad input --------------------------------------------------------------------------------------

static void test_first_sample( void **state )
{
	(void)state;
	const ds_imu_vibration line = { 25, 0, { 0, 0, 0 }, { 0, 0, 0.5 } };
	ds_imu_config c = ds_imu_config_default();
	c.gyro.N[0] = 1;
	c.gyro.bias[1] = 0.125;
	c.gyro.resolution = 0.25;
	c.gyro.range = 10;
	c.accel.bandwidth = 20;
	c.vibration = ( ds_array ){ &line, 1 };
	kit_imu imu = kit_imu_make( &c, 100, 1 );
	kit_imu_hold( &imu, ds_v3( 1.3, 20, -0.6 ), push );
	imu.truth.interval = 0;
	ds_imu r = kit_imu_next( &imu );
	assert_true( r.valid && r.saturated && r.interval == 0 );
	NEAR( r.angular_velocity[0], 1.25, 0 ); // no white noise
	NEAR( r.angular_velocity[1], 10, 0 );
	NEAR( r.angular_velocity[2], -0.5, 0 );
	NEAR( r.linear_acceleration[2], push.z + 0.5 * imu.state.sine[0], 1e-15 );
	NEAR( r.angular_velocity_variance[0], 0.0625 / 12, 1e-17 );
	for ( int i = 0; i < 3; ++i )
	{
		assert_true( r.delta_angle[i] == 0 && r.delta_velocity[i] == 0 );
	}
	ds_imu_destroy( imu.model );
}

static void test_truth_that_is_not_finite( void **state )
{
	(void)state;
	const double bad[] = { NAN, INFINITY, -INFINITY };
	ds_imu_config c = ds_imu_config_default();
	c.gyro.N[0] = c.accel.B[1] = 0.1;
	c.gyro.bandwidth = 10;
	kit_imu imu = kit_imu_make( &c, 100, 1 );
	kit_imu_hold( &imu, turn, push );
	kit_imu_next( &imu );
	const ds_imu_truth good = imu.truth;
	ds_imu_state before = imu.state;
	for ( int k = 0; k < 3; ++k )
	{
		for ( size_t i = 0; i < sizeof( good ) / sizeof( double ); ++i )
		{
			imu.truth = good;
			( (double *)(void *)&imu.truth )[i] = bad[k];
			ds_imu r = kit_imu_next( &imu );
			assert_true( !r.valid && isnan( r.angular_velocity[0] ) && isnan( r.delta_velocity[2] ) );
			assert_memory_equal( &before, &imu.state, sizeof( before ) );
		}
	}
	imu.truth = good;
	imu.truth.interval = -0.01;
	assert_true( !kit_imu_next( &imu ).valid );
	imu.truth.interval = 0;
	imu.force.y = NAN;
	assert_true( !kit_imu_next( &imu ).valid );
	assert_memory_equal( &before, &imu.state, sizeof( before ) );
	imu.truth = good;
	ds_imu r = kit_imu_next( &imu );
	assert_true( r.valid && isfinite( r.angular_velocity[0] ) );
	ds_imu_destroy( imu.model );
}

// ---- the config --------------------------------------------------------------------------------------------------

static void refuses( const ds_imu_config *config, ds_status status, const char *text )
{
	ds_imu_model *model = (ds_imu_model *)1;
	FAILS( ds_imu_create( NULL, config, &model ), status, text );
	assert_null( model );
}

// Every number of a table, in a config that holds it at `base`: NaN and what is out of range is refused by its name.
static int check_numbers( const ds_table *table, size_t base, ds_imu_config *config )
{
	int count = 0;
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		const ds_field *field = table->fields + i;
		if ( field->type == DS_FIELD_STRUCT )
		{
			count += check_numbers( field->table, base + field->offset, config );
		}
		if ( field->type != DS_FIELD_F64 )
		{
			continue;
		}
		assert_true( field->minimum < field->maximum );
		double *numbers = (double *)(void *)( (char *)config + base + field->offset );
		for ( int32_t k = 0; k < field->count; ++k )
		{
			double keep = numbers[k];
			numbers[k] = NAN;
			refuses( config, DS_ERROR_NOT_FINITE, field->name );
			numbers[k] = field->minimum - 1e-3 * ( 1 + fabs( field->minimum ) );
			refuses( config, DS_ERROR_RANGE, field->name );
			numbers[k] = field->maximum * 1.001;
			refuses( config, DS_ERROR_RANGE, field->name );
			numbers[k] = keep;
			++count;
		}
	}
	return count;
}

static void test_every_number_is_checked( void **state )
{
	(void)state;
	OK( ds_table_check( ds_imu_config_table() ) );
	OK( ds_table_check( ds_imu_table() ) );
	ds_imu_config c = ds_imu_config_default();
	assert_int_equal( check_numbers( ds_imu_config_table(), 0, &c ), 2 * 39 + 9 + 5 );

	ds_imu_vibration lines[9];
	memset( lines, 0, sizeof( lines ) );
	for ( int i = 0; i < 9; ++i )
	{
		lines[i].frequency = 1 + i;
	}
	c.vibration = ( ds_array ){ lines, 9 };
	refuses( &c, DS_ERROR_LIMIT, "at most 8 lines, got 9" );
	c.vibration.count = 8;
	lines[3].rotation[1] = NAN;
	refuses( &c, DS_ERROR_NOT_FINITE, "vibration[3].rotation[1]" );
	lines[3].rotation[1] = 0;
	lines[7].order = 1;
	refuses( &c, DS_ERROR_RANGE, "a frequency or an order" );
	lines[7].order = 0;
	lines[7].frequency = 0;
	refuses( &c, DS_ERROR_RANGE, "a frequency or an order" );
	c.vibration = ( ds_array ){ NULL, 1 };
	refuses( &c, DS_ERROR_ARGUMENT, "vibration" );
	c.vibration = ( ds_array ){ NULL, 0 };
	c.accel.g_sensitivity[4] = 1e-3;
	refuses( &c, DS_ERROR_RANGE, "g_sensitivity[4]" );
	c.accel.g_sensitivity[4] = 0;
	c.gyro.range = 1;
	c.gyro.resolution = 2;
	refuses( &c, DS_ERROR_RANGE, "resolution" );
	c.gyro.resolution = 1e-16;
	refuses( &c, DS_ERROR_RANGE, "resolution" );
	c.gyro.resolution = 0;
	c.output = 7;
	refuses( &c, DS_ERROR_RANGE, "output" );
	FAILS( ds_imu_create( NULL, NULL, NULL ), DS_ERROR_ARGUMENT, "ds_imu_create" );
	ds_imu_destroy( NULL );
}

static void test_config_of_json( void **state )
{
	(void)state;
	ds_imu_config c;
	OK( ds_table_parse( ds_imu_config_table(),
		"{ \"gyro\": { \"N\": [1e-4, 2e-4, 3e-4], \"scale\": [0, 0.01, 0] }, \"accel\": { \"range\": 40 },"
		"  \"output\": \"increments\" }",
		&c ) );
	assert_true( c.gyro.N[1] == 2e-4 && c.gyro.scale[1] == 0.01 && c.gyro.misalignment[4] == 1 );
	assert_true( c.accel.range == 40 && c.accel.markov_tau[2] == 100 && c.output == DS_IMU_INCREMENTS );
	FAILS( ds_table_parse( ds_imu_config_table(), "{ \"accel\": { \"g_sensitivity\": 1 } }", &c ), DS_ERROR_UNKNOWN_KEY,
		"g_sensitivity" );
	FAILS( ds_table_parse( ds_imu_config_table(), "{ \"gyro\": { \"N\": [-1, 0, 0] } }", &c ), DS_ERROR_RANGE, "N" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_perfect_unit ),
		cmocka_unit_test( test_scale_misalignment_and_g ),
		cmocka_unit_test( test_temperature ),
		cmocka_unit_test( test_range ),
		cmocka_unit_test( test_rates_are_multiples ),
		cmocka_unit_test( test_increments_carry_their_remainder ),
		cmocka_unit_test( test_saturated_increments ),
		cmocka_unit_test( test_vibration_lines ),
		cmocka_unit_test( test_vibration_phase ),
		cmocka_unit_test( test_vibration_follows_speed ),
		cmocka_unit_test( test_bandwidth ),
		cmocka_unit_test( test_bandwidth_of_any_interval ),
		cmocka_unit_test( test_first_sample ),
		cmocka_unit_test( test_truth_that_is_not_finite ),
		cmocka_unit_test( test_every_number_is_checked ),
		cmocka_unit_test( test_config_of_json ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

// The AHRS: headings against the textbook formula and by hand, every attitude, errors of acceleration as physics gives them, iron,
// covariance against what scatters, the filter's lag, inputs, snapshots.

#include "sensor_kit.h"
#include "sensors/ahrs.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )
#define G      9.81

static const ds_vec3 field_45 = { 22845e-9, -3645e-9, 40790e-9 }; // WMM2025 at 45 N, 30 W, 2026

static ds_quat rpy( double roll, double pitch, double yaw )
{
	return ds_quat_from_rpy( ds_v3( roll * DEGREE, pitch * DEGREE, yaw * DEGREE ) );
}

static double wrapped( double angle )
{
	return remainder( angle, 2 * DS_PI );
}

// The heading of compass makers: the field turned back by roll and pitch.
static double textbook_heading( ds_vec3 f, ds_vec3 m, double *roll, double *pitch )
{
	*roll = atan2( -f.y, -f.z );
	*pitch = atan2( f.x, hypot( f.y, f.z ) );
	double sr = sin( *roll ), cr = cos( *roll ), sp = sin( *pitch ), cp = cos( *pitch );
	return atan2( m.z * sr - m.y * cr, m.x * cp + m.y * sp * sr + m.z * sp * cr );
}

static ds_ahrs_model prepared( const ds_ahrs_config *c )
{
	ds_ahrs_model model;
	OK( ds_ahrs_prepare( c, &model ) );
	return model;
}

static ds_ahrs_truth truth_of( ds_quat attitude, double interval )
{
	ds_ahrs_truth truth = { .magnetic = { field_45, { 0, 0, 0 }, attitude, interval, 0.1 },
		.specific_force = ds_unrotate( attitude, ds_v3( 0, 0, -G ) ) };
	return truth;
}

// The first sample at rest.
static ds_ahrs once( const ds_ahrs_model *model, const ds_ahrs_truth *truth, double declination )
{
	ds_ahrs_state state;
	ds_ahrs_signals signals;
	ds_ahrs reading;
	ds_random start = ds_random_stream( 1, "a", DS_RANDOM_RESET, 0 ),
			  stream = ds_random_stream( 1, "a", DS_RANDOM_SAMPLE, 0 );
	ds_ahrs_reset( model, &state, &start );
	ds_ahrs_sense( model, &state, truth, &stream, &signals );
	ds_ahrs_update( model, &state, &signals, declination, &reading );
	return reading;
}

static void test_attitudes( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	ds_ahrs_model model = prepared( &c );
	double declination = atan2( field_45.y, field_45.x );
	NEAR( declination / DEGREE, -9.065, 0.001 );
	for ( int roll = -180; roll <= 180; roll += 15 )
	{
		for ( int pitch = -90; pitch <= 90; pitch += 15 )
		{
			for ( int yaw = -180; yaw <= 180; yaw += 20 )
			{
				ds_quat q = rpy( roll, pitch, yaw );
				ds_ahrs_truth truth = truth_of( q, 0 );
				ds_ahrs r = once( &model, &truth, declination );
				assert_true( r.valid && !r.heading_unreliable );
				ds_quat got = { r.attitude[0], r.attitude[1], r.attitude[2], r.attitude[3] };
				NEAR( ds_length( ds_quat_log( ds_quat_mul( got, ds_quat_conjugate( q ) ) ) ), 0, 1e-12 );
				if ( abs( pitch ) < 90 )
				{
					double rolled, pitched,
						heading =
							textbook_heading( truth.specific_force, ds_unrotate( q, field_45 ), &rolled, &pitched );
					NEAR( wrapped( r.magnetic_heading - heading ), 0, 1e-12 );
					NEAR( wrapped( r.roll - rolled ), 0, 1e-12 );
					NEAR( r.pitch, pitched, 1e-12 );
					NEAR( wrapped( r.yaw - yaw * DEGREE ), 0, 1e-11 );
				}
			}
		}
	}
	// without declination the whole of it is the error
	ds_ahrs_truth truth = truth_of( rpy( 5, -10, 77 ), 0 );
	NEAR( wrapped( once( &model, &truth, 0 ).yaw - 77 * DEGREE ), -declination, 1e-12 );
}

// An acceleration is taken for a tilt: pitch atan( a / g ), and heading east atan2( H, Z sin(pitch) ); heading magnetic north nothing.
static void test_acceleration( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	ds_ahrs_model model = prepared( &c );
	double h = hypot( field_45.x, field_45.y ), declination = atan2( field_45.y, field_45.x );
	for ( double a = -2; a <= 2; a += 0.5 )
	{
		ds_ahrs_truth truth = truth_of( rpy( 0, 0, 90 + declination / DEGREE ), 0 );
		truth.specific_force.x = a;
		ds_ahrs r = once( &model, &truth, 0 );
		double pitch = atan2( a, G );
		NEAR( r.pitch, pitch, 1e-12 );
		NEAR( r.roll, 0, 1e-12 );
		NEAR( r.yaw, atan2( h, field_45.z * sin( pitch ) ), 1e-12 );
		truth = truth_of( rpy( 0, 0, declination / DEGREE ), 0 );
		truth.specific_force.x = a;
		NEAR( once( &model, &truth, 0 ).yaw, 0, 1e-12 );
	}
	// a turn of 1.5 m/s at 6 degrees/s: 0.157 m/s2 to the right, 0.917 degrees of roll, up to tan(60.4 deg) times as much heading
	ds_ahrs_truth truth = truth_of( rpy( 0, 0, declination / DEGREE ), 0 );
	truth.specific_force.y = 1.5 * 6 * DEGREE;
	ds_ahrs r = once( &model, &truth, 0 );
	NEAR( r.roll / DEGREE, -0.9173, 1e-3 );
	NEAR( r.yaw / DEGREE, -0.9173 * field_45.z / h, 2e-3 );
}

static void test_iron( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	const double soft[9] = { 1.1, 0.02, 0.01, 0.03, 0.95, -0.01, 0, -0.02, 1.03 };
	memcpy( c.magnetometer.soft_iron, soft, sizeof( soft ) );
	c.magnetometer.hard_iron[0] = 3e-6;
	c.magnetometer.hard_iron[1] = -2e-6;
	ds_ahrs_model iron = prepared( &c );
	memcpy( c.calibration_soft_iron, soft, sizeof( soft ) );
	memcpy( c.calibration_hard_iron, c.magnetometer.hard_iron, sizeof( c.calibration_hard_iron ) );
	ds_ahrs_model calibrated = prepared( &c );
	double worst = 0;
	for ( int yaw = 0; yaw < 360; yaw += 10 )
	{
		ds_ahrs_truth truth = truth_of( rpy( 10, -15, yaw ), 0 );
		double declination = atan2( field_45.y, field_45.x );
		NEAR( wrapped( once( &calibrated, &truth, declination ).yaw - yaw * DEGREE ), 0, 1e-12 );
		worst = fmax( worst, fabs( wrapped( once( &iron, &truth, declination ).yaw - yaw * DEGREE ) ) );
	}
	assert_true( worst > 5 * DEGREE );
	// level, hard iron alone, by hand: tan( psi ) = ( H sin - h_y ) / ( H cos + h_x )
	c = ds_ahrs_config_default();
	c.magnetometer.hard_iron[0] = 3e-6;
	c.magnetometer.hard_iron[1] = -2e-6;
	iron = prepared( &c );
	double h = hypot( field_45.x, field_45.y );
	for ( int yaw = 0; yaw < 360; yaw += 10 )
	{
		double magnetic = yaw * DEGREE - atan2( field_45.y, field_45.x );
		ds_ahrs_truth truth = truth_of( rpy( 0, 0, yaw ), 0 );
		double right = atan2( h * sin( magnetic ) + 2e-6, h * cos( magnetic ) + 3e-6 );
		NEAR( wrapped( once( &iron, &truth, 0 ).yaw - right ), 0, 1e-12 );
	}
}

static void test_deviation_card( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	const double card[5] = { 1, -3, 2, 0.5, -0.25 };
	for ( int i = 0; i < 5; ++i )
	{
		c.deviation[i] = card[i] * DEGREE;
	}
	ds_ahrs_model model = prepared( &c );
	for ( int compass = -170; compass <= 170; compass += 10 )
	{
		double x = compass * DEGREE;
		ds_ahrs_truth truth = truth_of( rpy( 12, 20, compass + atan2( field_45.y, field_45.x ) / DEGREE ), 0 );
		double right = compass + 1 - 3 * sin( x ) + 2 * cos( x ) + 0.5 * sin( 2 * x ) - 0.25 * cos( 2 * x );
		ds_ahrs r = once( &model, &truth, 0 );
		NEAR( wrapped( r.magnetic_heading - right * DEGREE ), 0, 1e-12 );
		NEAR( r.roll, 12 * DEGREE, 1e-12 );
		NEAR( r.pitch, 20 * DEGREE, 1e-12 );
	}
}

// A run at 10 Hz at rest: scatter about the truth against the covariance that is reported.
static void scatter( const ds_ahrs_config *c, double *reported, double *found )
{
	ds_ahrs_model model = prepared( c );
	ds_quat q = rpy( 20, -30, 70 );
	memset( found, 0, 3 * sizeof( double ) );
	ds_ahrs_state state;
	ds_random start = ds_random_stream( 1, "a", DS_RANDOM_RESET, 0 );
	ds_ahrs_reset( &model, &state, &start );
	const int samples = 40000, settle = 2000;
	for ( int i = 0; i < samples + settle; ++i )
	{
		ds_random stream = ds_random_stream( 1, "a", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_ahrs_truth truth = truth_of( q, i > 0 ? 0.1 : 0 );
		ds_ahrs_signals signals;
		ds_ahrs r;
		ds_ahrs_sense( &model, &state, &truth, &stream, &signals );
		ds_ahrs_update( &model, &state, &signals, atan2( field_45.y, field_45.x ), &r );
		ds_quat got = { r.attitude[0], r.attitude[1], r.attitude[2], r.attitude[3] };
		ds_vec3 e = ds_quat_log( ds_quat_mul( got, ds_quat_conjugate( q ) ) );
		if ( i >= settle )
		{
			found[0] += e.x * e.x / samples;
			found[1] += e.y * e.y / samples;
			found[2] += e.z * e.z / samples;
		}
		reported[0] = r.covariance[0];
		reported[1] = r.covariance[4];
		reported[2] = r.covariance[8];
	}
}

static void test_covariance( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	for ( int i = 0; i < 3; ++i )
	{
		c.accelerometer.N[i] = 2e-3;
		c.gyro.N[i] = 2e-4;
		c.magnetometer.N[i] = 2e-8;
	}
	// iron does not spoil it
	c.magnetometer.soft_iron[0] = c.calibration_soft_iron[0] = 1.3;
	double reported[3], found[3];
	scatter( &c, reported, found );
	for ( int i = 0; i < 3; ++i )
	{
		NEAR( found[i] / reported[i], 1, 0.03 );
	}
	// tilt alone by hand: N sqrt(rate) / g
	NEAR( sqrt( reported[0] ) / ( 2e-3 * sqrt( 10 ) / G ), 1, 1e-3 );
	c.filter = DS_AHRS_COMPLEMENTARY;
	c.tilt_tau = 1;
	c.heading_tau = 2;
	double filtered[3];
	scatter( &c, filtered, found );
	for ( int i = 0; i < 3; ++i )
	{
		NEAR( found[i] / filtered[i], 1, 0.12 ); // correlated over seconds
		assert_true( filtered[i] < 0.2 * reported[i] );
	}
}

// The covariance is about true north, east and down: declination and deviation turn it with the attitude. Accelerometers of unlike noise
// show it, and a dip of the field that ties the heading to the tilt.
static void test_covariance_turns( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	const double n[3] = { 1e-2, 1e-3, 1e-3 };
	memcpy( c.accelerometer.N, n, sizeof( n ) );
	c.deviation[0] = 20 * DEGREE;
	ds_ahrs_model model = prepared( &c );
	const double declination = 40 * DEGREE, turn = declination + 20 * DEGREE - atan2( field_45.y, field_45.x );
	ds_quat q = rpy( 10, 20, 70 ), shown = ds_quat_mul( ds_quat_from_rpy( ds_v3( 0, 0, turn ) ), q );
	ds_ahrs_state s;
	ds_random start = ds_random_stream( 1, "a", DS_RANDOM_RESET, 0 );
	ds_ahrs_reset( &model, &s, &start );
	const int samples = 20000;
	double found[9] = { 0 };
	ds_ahrs r;
	for ( int i = 0; i < samples; ++i )
	{
		ds_random stream = ds_random_stream( 1, "a", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_ahrs_truth truth = truth_of( q, 0.1 );
		ds_ahrs_signals signals;
		ds_ahrs_sense( &model, &s, &truth, &stream, &signals );
		ds_ahrs_update( &model, &s, &signals, declination, &r );
		ds_quat got = { r.attitude[0], r.attitude[1], r.attitude[2], r.attitude[3] };
		ds_vec3 e = ds_quat_log( ds_quat_mul( got, ds_quat_conjugate( shown ) ) );
		const double v[3] = { e.x, e.y, e.z };
		for ( int k = 0; k < 9; ++k )
		{
			found[k] += v[k / 3] * v[k % 3] / samples;
		}
	}
	// the reported one is of the last sample: the noise moves it by some parts in a thousand
	for ( int k = 0; k < 9; ++k )
	{
		NEAR( ( found[k] - r.covariance[k] ) / sqrt( found[k / 3 * 4] * found[k % 3 * 4] ), 0, 0.05 );
	}
}

// What nothing tells is not told: no attitude of an earlier sample.
static void test_not_stale( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	c.accelerometer.N[0] = 1e-3;
	ds_ahrs_model model = prepared( &c );
	ds_ahrs_state s;
	ds_ahrs r;
	ds_ahrs_signals signals;
	ds_random stream = ds_random_stream( 1, "a", DS_RANDOM_SAMPLE, 0 );
	ds_ahrs_reset( &model, &s, &stream );
	ds_ahrs_truth truth = truth_of( rpy( 30, 20, 10 ), 0 );
	ds_ahrs_sense( &model, &s, &truth, &stream, &signals );
	ds_ahrs_update( &model, &s, &signals, 0.1, &r );
	assert_true( r.valid && r.covariance[0] > 0 && r.roll > 0.5 );
	memset( signals.field, 0, sizeof( signals.field ) );
	ds_ahrs_update( &model, &s, &signals, 0.1, &r );
	assert_true( !r.valid && r.heading_unreliable );
	NEAR( fabs( r.roll ) + fabs( r.pitch ) + fabs( r.yaw ) + fabs( r.attitude[0] - 1 ) + r.covariance[0], 0, 0 );
}

// With a gyroscope's bias the filter hangs behind by bias times time constant, and a disturbance of a second is filtered out.
static void test_filter( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	c.filter = DS_AHRS_COMPLEMENTARY;
	c.heading_tau = 8;
	c.tilt_tau = 5;
	c.gyro.bias[2] = 0.01;
	ds_ahrs_model model = prepared( &c );
	ds_ahrs_state s;
	ds_ahrs r;
	ds_random start = ds_random_stream( 1, "a", DS_RANDOM_RESET, 0 );
	ds_ahrs_reset( &model, &s, &start );
	double declination = atan2( field_45.y, field_45.x ), dt = 0.01, rate = 0.2;
	for ( int i = 0; i < 12000; ++i )
	{
		double yaw = 1 + rate * dt * i;
		ds_ahrs_truth truth = truth_of( ds_quat_from_rpy( ds_v3( 0, 0, yaw ) ), i > 0 ? dt : 0 );
		truth.delta_angle = ds_v3( 0, 0, i > 0 ? rate * dt : 0 );
		ds_random stream = ds_random_stream( 1, "a", DS_RANDOM_SAMPLE, (uint64_t)i );
		ds_ahrs_signals signals;
		ds_ahrs_sense( &model, &s, &truth, &stream, &signals );
		if ( i >= 11900 ) // the last second: a push of 2 m/s2 to the side, and no magnetometer
		{
			signals.specific_force[1] += 2;
			signals.field_valid = false;
			signals.field[0] = 1;
		}
		ds_ahrs_update( &model, &s, &signals, declination, &r );
		if ( i == 11899 )
		{
			double k = -expm1( -dt / 8 );
			NEAR( wrapped( r.yaw - yaw ), 0.01 * dt * ( 1 - k ) / k, 1e-6 );
			NEAR( r.roll, 0, 1e-9 );
			assert_true( r.valid && !r.heading_unreliable );
		}
		if ( i == 11999 )
		{
			NEAR( wrapped( r.yaw - yaw ), 0.01 * 8 + 0.01, 2e-3 ); // it drifts on by a second of bias
			assert_true( r.valid && r.heading_unreliable );
			// a second of five: 1 - exp(-1/5) of the 11.5 degrees
			NEAR( hypot( r.roll, r.pitch ), -expm1( -0.2 ) * atan2( 2, G ), 0.02 );
		}
	}
}

static void test_validity( void **state )
{
	(void)state;
	ds_ahrs_config c = ds_ahrs_config_default();
	ds_ahrs_model model = prepared( &c );
	ds_ahrs_truth truth = truth_of( rpy( 0, 0, 0 ), 0 );
	truth.specific_force = ds_v3( 0, 0, 0 ); // free fall
	ds_ahrs r = once( &model, &truth, 0 );
	assert_true( !r.valid && r.heading_unreliable );
	truth = truth_of( rpy( 3, 4, 5 ), 0 );
	truth.magnetic.field = ds_v3( 0, 0, 5e-5 ); // at a magnetic pole
	r = once( &model, &truth, 0 );
	assert_true( r.heading_unreliable && isfinite( r.yaw ) );
	truth.magnetic.field = ds_v3( 1.9e-6, 0, 5e-5 );
	r = once( &model, &truth, 0 );
	assert_true( r.valid && r.heading_unreliable );
	truth.magnetic.field = ds_v3( 2.1e-6, 0, 5e-5 );
	assert_false( once( &model, &truth, 0 ).heading_unreliable );
	c.magnetometer.range = 2e-5;
	model = prepared( &c );
	assert_true( once( &model, &truth, 0 ).heading_unreliable );
}

static void test_ranges( void **state )
{
	(void)state;
	kit_check_ranges( ds_ahrs_config_table(), "\"reference\": \"fixed\", " );
	static const char *const wrong[][2] = {
		{ "{ \"declination_deg\": 5 }", "declination_deg goes with the reference \"fixed\"" },
		{ "{ \"declination\": 5 }", "declination_deg" },
		{ "{ \"reference\": \"wmm\" }", "\"model\"" },
		{ "{ \"filter\": \"kalman\" }", "\"complementary\"" },
		{ "{ \"calibration_soft_iron\": [[1, 0, 0], [1, 0, 0], [0, 0, 1]] }", "must have an inverse" },
	};
	for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
	{
		ds_ahrs_config c;
		ds_status status = ds_table_parse( ds_ahrs_config_table(), wrong[i][0], &c );
		if ( status == DS_OK || strstr( ds_last_error(), wrong[i][1] ) == NULL )
		{
			fail_msg( "%s: %s", wrong[i][0], status == DS_OK ? "taken" : ds_last_error() );
		}
	}
	OK( ds_table_check( ds_ahrs_config_table() ) );
	OK( ds_table_check( ds_ahrs_table() ) );
	ds_ahrs_config c = ds_ahrs_config_default();
	ds_ahrs_model model;
	c.gyro.N[1] = NAN;
	FAILS( ds_ahrs_prepare( &c, &model ), DS_ERROR_NOT_FINITE, "gyro.N[1]: expected a number" );
	c.gyro.N[1] = 0;
	c.filter = 7;
	FAILS( ds_ahrs_prepare( &c, &model ), DS_ERROR_RANGE, "filter" );
}

// ---- in a world --------------------------------------------------------------------------------------------------

static ds_id add_sensor( ds_world *world, const char *name, const char *type, ds_id body, const void *config,
	const char *imu, ds_quat mount )
{
	ds_sensor_def def = ds_sensor_def_default();
	snprintf( def.name, sizeof( def.name ), "%s", name );
	snprintf( def.type, sizeof( def.type ), "%s", type );
	def.body = body;
	def.config = config;
	def.mount.attitude = mount;
	if ( imu )
	{
		def.input_count = 2;
		snprintf( def.inputs[0].name, sizeof( def.inputs[0].name ), "imu" );
		snprintf( def.inputs[0].source, sizeof( def.inputs[0].source ), "%s", imu );
		snprintf( def.inputs[1].name, sizeof( def.inputs[1].name ), "magnetometer" );
		snprintf( def.inputs[1].source, sizeof( def.inputs[1].source ), "compass" );
	}
	ds_id id;
	OK( ds_sensor_create( world, &def, &id ) );
	return id;
}

static ds_ahrs latest( const ds_world *world, ds_id sensor )
{
	ds_sample_header header;
	ds_ahrs reading;
	OK( ds_sensor_latest( world, sensor, &header, &reading, sizeof( reading ) ) );
	return reading;
}

// A perfect inertial unit under another name of type: fields are found by their names.
typedef struct unit
{
	double linear_acceleration[3], angular_velocity[3], linear_acceleration_variance[3], angular_velocity_variance[3];
} unit;

static const ds_field unit_fields[] = {
	DS_F64( unit, linear_acceleration, "m/s2", NULL, 0, 0, "mean" ),
	DS_F64( unit, angular_velocity, "rad/s", NULL, 0, 0, "mean" ),
	DS_F64( unit, linear_acceleration_variance, "", NULL, 0, 0, "of it" ),
	DS_F64( unit, angular_velocity_variance, "", NULL, 0, 0, "of it" ),
};
static const ds_table unit_table = DS_TABLE( "unit", "A perfect inertial unit", unit, unit_fields );

static ds_status unit_create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)config;
	(void)host;
	(void)layout;
	(void)model;
	return DS_OK;
}

static ds_status unit_sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)model;
	(void)state;
	unit *u = output;
	double per = context->interval > 0 ? 1 / context->interval : 0;
	ds_vec3 f = per > 0 ? ds_scale( per, context->delta_velocity ) : context->specific_force;
	ds_vec3 w = ds_scale( per, context->delta_angle );
	*u = ( unit ){ { f.x, f.y, f.z }, { w.x, w.y, w.z }, { 1e-6, 1e-6, 1e-6 }, { 0, 0, 0 } };
	return DS_OK;
}

static const ds_type unit_type = { .abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "unit",
	.doc = "a perfect inertial unit",
	.output = &unit_table,
	.create = unit_create,
	.sample = unit_sample };

// A body that turns on the spot about all axes, held up: own elements and inputs give the same, on any mount.
static void test_world( void **state )
{
	(void)state;
	ds_registry *registry;
	OK( ds_registry_create( NULL, &registry ) );
	OK( ds_registry_add( registry, &unit_type ) );
	ds_world_def def = ds_world_def_default();
	ds_environment_def e = kit_vacuum( G );
	e.latitude = 45 * DEGREE;
	e.longitude = -30 * DEGREE;
	def.environment = &e;
	def.registry = registry;
	def.rate = 50;
	ds_world *world;
	OK( ds_world_create( &def, &world ) );
	ds_registry_release( registry );
	ds_body_def point = kit_point( "body", 1, 1, 1, 1 );
	point.fixed = true;
	point.pose.attitude = rpy( 25, -40, 130 );
	ds_id body;
	OK( ds_body_create( world, &point, &body ) );
	ds_ahrs_config c = ds_ahrs_config_default();
	c.filter = DS_AHRS_COMPLEMENTARY;
	ds_quat mount = rpy( 10, 5, -60 );
	add_sensor( world, "inertial", "unit", body, NULL, NULL, mount );
	ds_imu_config imu = ds_imu_config_default();
	imu.accel.N[0] = imu.accel.N[1] = imu.accel.N[2] = 1e-9;
	add_sensor( world, "imu", "imu", body, &imu, NULL, mount );
	add_sensor( world, "compass", "magnetometer", body, NULL, NULL, mount );
	ds_id own = add_sensor( world, "own", "ahrs", body, &c, NULL, mount );
	ds_id fed = add_sensor( world, "fed", "ahrs", body, &c, "inertial", mount );
	ds_id real = add_sensor( world, "real", "ahrs", body, &c, "imu", mount );
	c.filter = DS_AHRS_NONE;
	ds_id plain = add_sensor( world, "plain", "ahrs", body, &c, NULL, mount );
	ds_quat right = ds_quat_mul( rpy( 25, -40, 130 ), mount );
	for ( int i = 0; i < 100; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		const ds_ahrs readings[4] = { latest( world, own ), latest( world, fed ), latest( world, plain ),
			latest( world, real ) };
		for ( int k = 0; k < 4; ++k )
		{
			const double *a = readings[k].attitude;
			ds_quat got = { a[0], a[1], a[2], a[3] };
			NEAR( ds_length( ds_quat_log( ds_quat_mul( got, ds_quat_conjugate( right ) ) ) ), 0, 1e-8 );
			NEAR( readings[k].declination / DEGREE, -9.147, 0.01 );
			assert_true( readings[k].valid && !readings[k].heading_unreliable );
		}
		assert_true( readings[1].covariance[0] > 0 && readings[0].covariance[0] == 0 && readings[3].covariance[0] > 0 );
	}
	ds_world_destroy( world );
}

// Repeats, restores, clones; leaves others alone; allocates nothing in a step.
static void test_life( void **state )
{
	(void)state;
	ds_environment_def e = ds_environment_def_default();
	kit_life life = { .type = "ahrs",
		.environment = &e,
		.config = "{ \"filter\": \"complementary\", \"magnetometer\": { \"N\": 1e-8, \"markov_sigma\": 1e-8 }, "
				  "\"accelerometer\": { \"N\": 0.01, \"K\": 0.01, \"turn_on\": 0.01 }, "
				  "\"gyro\": { \"N\": 0.001, \"K\": 0.001, \"turn_on\": 0.001 } }" };
	kit_sensor_life( &life, true );
	e.gravity = 0; // weightless: the gyroscopes alone go on
	kit_sensor_life( &life, true );
	e.gravity = 9.81;
	life.config = "{}";
	kit_sensor_life( &life, false );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_attitudes ),
		cmocka_unit_test( test_acceleration ),
		cmocka_unit_test( test_iron ),
		cmocka_unit_test( test_deviation_card ),
		cmocka_unit_test( test_covariance ),
		cmocka_unit_test( test_covariance_turns ),
		cmocka_unit_test( test_not_stale ),
		cmocka_unit_test( test_filter ),
		cmocka_unit_test( test_validity ),
		cmocka_unit_test( test_ranges ),
		cmocka_unit_test( test_world ),
		cmocka_unit_test( test_life ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}

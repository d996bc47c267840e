// The options and the reading of an IMU.

#include "deepsim/imu.h"

#include "base/base.h"
#include "sensors/imu_model.h"
#include "sensors/imu_presets.h"
#include "sensors/tables.h"

// ---- a triad -----------------------------------------------------------------------------------------------------

// The errors that both triads have. `unit_` of a reading; `limit_`: far beyond any instrument.
#define TRIAD( unit_, limit_ )                                                                                         \
	DS_EACH( ds_inertial_config, N, unit_ "/sqrt(Hz)", "0", 0, limit_, "white noise, IEEE 952" ),                      \
		DS_EACH( ds_inertial_config, B, unit_, "0", 0, limit_,                                                         \
			"bias instability, IEEE 952: the flat of the Allan deviation is 0.664 B" ),                                \
		DS_EACH( ds_inertial_config, K, unit_ "/s/sqrt(Hz)", "0", 0, limit_,                                           \
			"rate random walk, IEEE 952: the Allan deviation is K at 3 s" ),                                           \
		DS_EACH( ds_inertial_config, markov_sigma, unit_, "0", 0, limit_,                                              \
			"standard deviation of a Gauss-Markov process, started stationary" ),                                      \
		DS_EACH( ds_inertial_config, markov_tau, "s", "100", 1e-4, 1e9, "its correlation time" ),                      \
		DS_EACH( ds_inertial_config, bias, unit_, "0", -limit_, limit_, "constant error" ),                            \
		DS_EACH(                                                                                                       \
			ds_inertial_config, turn_on, unit_, "0", 0, limit_, "standard deviation of a bias drawn once a run" ),     \
		DS_EACH( ds_inertial_config, scale, "", "0", -1, 10, "error of the scale factor; 0.001 is 1000 ppm" ),         \
		{ "misalignment", DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( ds_inertial_config, misalignment ), 9, 0, "",       \
			"[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", -10, 10, "what each axis sees of the mount's x, y and z", NULL, NULL, \
			0, DS_ELEMENT_NONE },                                                                                      \
		DS_EACH( ds_inertial_config, temperature_coefficient, unit_ "/K", "0", -limit_, limit_,                        \
			"bias for each degree above the reference temperature" ),                                                  \
		DS_F64( ds_inertial_config, bandwidth, "Hz", "0", 0, 1e6,                                                      \
			"two-pole Butterworth low-pass; 0, or half the sample rate and above: none" ),                             \
		DS_F64( ds_inertial_config, range, unit_, "0", 0, 1e9, "readings are clipped to plus or minus this; 0: none" )

static const ds_field gyro_fields[] = {
	TRIAD( "rad/s", 1e4 ),
	DS_F64( ds_inertial_config, resolution, "rad/s", "0", 0, 1e3,
		"least step of a reading, or of an increment [rad]; 0: exact" ),
	{ "g_sensitivity", DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( ds_inertial_config, g_sensitivity ), 9, 0,
		"rad/s/(m/s2)", "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]", -1e3, 1e3,
		"rate that each axis reads from specific force along x, y and z", NULL, NULL, 0, DS_ELEMENT_NONE },
};

static const ds_field accel_fields[] = {
	TRIAD( "m/s2", 1e6 ),
	DS_F64( ds_inertial_config, resolution, "m/s2", "0", 0, 1e3,
		"least step of a reading, or of an increment [m/s]; 0: exact" ),
};

static ds_status check_triad( const void *value )
{
	const ds_inertial_config *c = value;
	if ( c->resolution > 0 && c->resolution < 1e-15 )
	{
		return ds_error( DS_ERROR_RANGE, "resolution: expected 0 or at least 1e-15, got %g", c->resolution );
	}
	if ( c->range > 0 && c->range < 1e-9 )
	{
		return ds_error( DS_ERROR_RANGE, "range: expected 0 (none) or at least 1e-9, got %g", c->range );
	}
	return DS_OK;
}

static ds_status check_accel( const void *value )
{
	const ds_inertial_config *c = value;
	for ( int i = 0; i < 9; ++i )
	{
		if ( c->g_sensitivity[i] != 0 )
		{
			return ds_error( DS_ERROR_RANGE, "g_sensitivity[%d]: accelerometers have none: expected 0, got %g", i,
				c->g_sensitivity[i] );
		}
	}
	return check_triad( value );
}

static const ds_table gyro_table = { "imu_gyro", "Errors of the gyroscopes", sizeof( ds_inertial_config ), gyro_fields,
	DS_COUNT( gyro_fields ), check_triad, NULL, 0 };
static const ds_table accel_table = { "imu_accel", "Errors of the accelerometers", sizeof( ds_inertial_config ),
	accel_fields, DS_COUNT( accel_fields ), check_accel, NULL, 0 };

// ---- vibration ---------------------------------------------------------------------------------------------------

static const ds_field vibration_fields[] = {
	DS_F64( ds_imu_vibration, frequency, "Hz", "0", 0, 1e6, "of a line of fixed frequency; 0: it follows by `order`" ),
	DS_F64( ds_imu_vibration, order, "", "0", 0, 1000,
		"times the speed of the input \"vibration\" [rev/s]; 3 for the blades of a three-bladed propeller" ),
	DS_F64( ds_imu_vibration, rotation, "rad/s", "[0, 0, 0]", -1e4, 1e4,
		"amplitude of the angular rate; of a line with `order` at 10 rev/s, growing with speed squared" ),
	DS_F64( ds_imu_vibration, acceleration, "m/s2", "[0, 0, 0]", -1e6, 1e6,
		"amplitude of the acceleration; of a line with `order` at 10 rev/s, growing with speed squared" ),
};

static ds_status check_vibration( const void *value )
{
	const ds_imu_vibration *v = value;
	if ( ( v->frequency > 0 ) == ( v->order > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "a line of vibration needs a frequency or an order, one of them above 0" );
	}
	return DS_OK;
}

static const ds_table vibration_table = { "imu_vibration", "A line of vibration", sizeof( ds_imu_vibration ),
	vibration_fields, DS_COUNT( vibration_fields ), check_vibration, NULL, 0 };

// ---- the config --------------------------------------------------------------------------------------------------

static const ds_choice outputs[] = {
	{ DS_IMU_RATES, DS_FORM_NAME, "rates", NULL, NULL, "resolution is that of rates and accelerations" },
	{ DS_IMU_INCREMENTS, DS_FORM_NAME, "increments", NULL, NULL,
		"resolution is that of delta angles and delta velocities; what was not reported is carried on" },
};

static const ds_field config_fields[] = {
	DS_STRUCT( ds_imu_config, gyro, &gyro_table, "errors of the gyroscopes" ),
	DS_STRUCT( ds_imu_config, accel, &accel_table, "errors of the accelerometers" ),
	DS_F64( ds_imu_config, reference_temperature, "degC", "25", -273.15, 1000,
		"at which temperature coefficients add nothing" ),
	DS_F64( ds_imu_config, self_heating, "K", "0", 0, 1000, "how much warmer than the water the unit becomes" ),
	DS_F64( ds_imu_config, heating_tau, "s", "600", 1e-3, 1e9, "time constant of its temperature" ),
	{ "vibration", DS_FIELD_ARRAY, 0, offsetof( ds_imu_config, vibration ), 1, sizeof( ds_imu_vibration ), "", "[]", 0,
		0, "lines of vibration, at most 8", &vibration_table, NULL, 0, DS_ELEMENT_NONE },
	DS_F64( ds_imu_config, propeller_speed, "rev/s", "1", 0, 1e4,
		"at 1 N of thrust, where the input \"vibration\" is a thruster; it grows as the root of thrust" ),
	DS_ENUM( ds_imu_config, output, outputs, "\"rates\"", "what is quantised" ),
	DS_F64( ds_imu_config, stamp_jitter, "s", "0", 0, 1, "standard deviation of the device's time stamps" ),
};

static ds_status check_config( const void *value )
{
	const ds_imu_config *c = value;
	if ( c->vibration.count > DS_IMU_MAX_VIBRATIONS )
	{
		return ds_error( DS_ERROR_LIMIT, "vibration: expected at most %d lines, got %lld", DS_IMU_MAX_VIBRATIONS,
			(long long)c->vibration.count );
	}
	const ds_inertial_config *triads[] = { &c->gyro, &c->accel };
	for ( int i = 0; c->output == DS_IMU_RATES && i < 2; ++i )
	{
		double range = triads[i]->range, resolution = triads[i]->resolution;
		if ( range > 0 && resolution > range )
		{
			return ds_error( DS_ERROR_RANGE, "%s.resolution: expected at most the range, %g, got %g",
				i == 0 ? "gyro" : "accel", range, resolution );
		}
	}
	return DS_OK;
}

const ds_table ds_imu_options = { "imu_config", "Options of the sensor imu", sizeof( ds_imu_config ), config_fields,
	DS_COUNT( config_fields ), check_config, ds_imu_presets, DS_IMU_PRESET_COUNT };

// ---- the reading -------------------------------------------------------------------------------------------------

static const ds_field reading_fields[] = {
	DS_BOOL( ds_imu, valid, NULL, "false: what it should have measured is not finite; the readings are not either" ),
	DS_BOOL( ds_imu, saturated, NULL, "some axis is at the end of its range" ),
	DS_F64( ds_imu, angular_velocity, "rad/s", NULL, 0, 0, "mean over the interval, mount axes" ),
	DS_F64( ds_imu, linear_acceleration, "m/s2", NULL, 0, 0, "specific force, mean over the interval, mount axes" ),
	DS_F64( ds_imu, delta_angle, "rad", NULL, 0, 0, "angular_velocity times interval" ),
	DS_F64( ds_imu, delta_velocity, "m/s", NULL, 0, 0, "linear_acceleration times interval" ),
	DS_F64( ds_imu, angular_velocity_variance, "(rad/s)2", NULL, 0, 0, "of white noise and quantisation" ),
	DS_F64( ds_imu, linear_acceleration_variance, "(m/s2)2", NULL, 0, 0, "of white noise and quantisation" ),
	DS_F64( ds_imu, interval, "s", NULL, 0, 0, "that the sample is the mean of; 0: as it is at the instant" ),
	DS_F64( ds_imu, stamp, "s", NULL, 0, 0, "the device's time of the end of the interval, with its jitter" ),
	DS_F64( ds_imu, temperature, "degC", NULL, 0, 0, "of the unit, at the end of the interval" ),
};

const ds_table ds_imu_readings = DS_TABLE( "imu",
	"Angular rate and specific force in mount axes (forward-right-down): at rest and level z reads -9.81 m/s2", ds_imu,
	reading_fields );

DS_SENSOR_TABLES( imu )
DS_SENSOR_PRESETS( imu )

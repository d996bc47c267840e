// The tables of the AHRS.

#include "sensors/ahrs.h"

#include "sensors/magnetometer.h"
#include "sensors/tables.h"

#include <math.h>

static const ds_field accelerometer_fields[] = {
	DS_EACH( ds_ahrs_triad, N, "m/s2/sqrt(Hz)", "[0, 0, 0]", 0, 1000, "white noise, density" ),
	DS_EACH( ds_ahrs_triad, K, "m/s3/sqrt(Hz)", "[0, 0, 0]", 0, 1000, "bias walk" ),
	DS_F64( ds_ahrs_triad, bias, "m/s2", "[0, 0, 0]", -1000, 1000, "constant" ),
	DS_EACH( ds_ahrs_triad, turn_on, "m/s2", "[0, 0, 0]", 0, 1000, "standard deviation of a bias drawn once a run" ),
};
static const ds_table accelerometer_table =
	DS_TABLE( "accelerometer", "Three accelerometers", ds_ahrs_triad, accelerometer_fields );

static const ds_field gyro_fields[] = {
	DS_EACH( ds_ahrs_triad, N, "rad/s/sqrt(Hz)", "[0, 0, 0]", 0, 100, "white noise, density" ),
	DS_EACH( ds_ahrs_triad, K, "rad/s2/sqrt(Hz)", "[0, 0, 0]", 0, 100, "bias walk" ),
	DS_F64( ds_ahrs_triad, bias, "rad/s", "[0, 0, 0]", -100, 100, "constant" ),
	DS_EACH( ds_ahrs_triad, turn_on, "rad/s", "[0, 0, 0]", 0, 100, "standard deviation of a bias drawn once a run" ),
};
static const ds_table gyro_table = DS_TABLE( "gyro", "Three gyroscopes", ds_ahrs_triad, gyro_fields );

static const ds_choice filters[] = {
	{ DS_AHRS_NONE, DS_FORM_NAME, "none", NULL, NULL, "each sample by itself, from accelerometers and magnetometers" },
	{ DS_AHRS_COMPLEMENTARY, DS_FORM_NAME, "complementary", NULL, NULL, "gyroscopes, drawn to the others" },
};
static const ds_choice references[] = {
	{ DS_AHRS_MODEL, DS_FORM_NAME, "model", NULL, NULL, "declination by the world's geomagnetic model at the place" },
	{ DS_AHRS_FIXED, DS_FORM_NAME, "fixed", NULL, NULL, "declination_deg everywhere" },
};

#define CALIBRATION_AT( key_, flags_, member_, count_, unit_, initial_, low_, high_, doc_ )                            \
	{                                                                                                                  \
		key_, DS_FIELD_F64, flags_, offsetof( ds_ahrs_config, member_ ), count_, 0, unit_, initial_, low_, high_,      \
			doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                                       \
	}

static const ds_field config_fields[] = {
	DS_ENUM( ds_ahrs_config, filter, filters, "\"none\"", "how samples are joined" ),
	DS_F64( ds_ahrs_config, tilt_tau, "s", "10", 1e-3, 1e6, "time constant of roll and pitch in the filter" ),
	DS_F64( ds_ahrs_config, heading_tau, "s", "20", 1e-3, 1e6, "time constant of the heading in the filter" ),
	DS_ENUM( ds_ahrs_config, reference, references, "\"model\"", "what leads from magnetic to true north" ),
	DS_ANGLE( ds_ahrs_config, declination, "0", -180, 180, "with the reference \"fixed\"; positive to the east" ),
	CALIBRATION_AT( "calibration_hard_iron", 0, calibration_hard_iron, 3, "T", "[0, 0, 0]", -1, 1,
		"iron as it was found, which is undone: field = soft b + hard" ),
	CALIBRATION_AT(
		"calibration_soft_iron", DS_FIELD_MATRIX, calibration_soft_iron, 9, "", DS_IDENTITY3, -10, 10, "the same" ),
	{ "deviation", DS_FIELD_F64, DS_FIELD_ANGLE | DS_FIELD_NUMBERED, offsetof( ds_ahrs_config, deviation ), 5, 0, "rad",
		"[0, 0, 0, 0, 0]", -180, 180,
		"A to E: added to a compass heading c are A + B sin c + C cos c + D sin 2c + E cos 2c", NULL, NULL, 0,
		DS_ELEMENT_NONE },
	DS_STRUCT( ds_ahrs_config, magnetometer, &ds_magnetometer_options, "its own, without an input \"magnetometer\"" ),
	DS_STRUCT( ds_ahrs_config, accelerometer, &accelerometer_table, "its own, without an input \"imu\"" ),
	DS_STRUCT( ds_ahrs_config, gyro, &gyro_table, "its own, without an input \"imu\"" ),
};

static double determinant( const double m[9] )
{
	return m[0] * ( m[4] * m[8] - m[5] * m[7] ) - m[1] * ( m[3] * m[8] - m[5] * m[6] ) +
		   m[2] * ( m[3] * m[7] - m[4] * m[6] );
}

static ds_status check_config( const void *value )
{
	const ds_ahrs_config *c = value;
	if ( c->reference == DS_AHRS_MODEL && c->declination != 0 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "declination_deg goes with the reference \"fixed\"" );
	}
	if ( !( fabs( determinant( c->calibration_soft_iron ) ) > 1e-6 ) )
	{
		return ds_error( DS_ERROR_RANGE, "calibration_soft_iron must have an inverse" );
	}
	return DS_OK;
}

const ds_table ds_ahrs_options = { "ahrs_config", "Options of the sensor ahrs", sizeof( ds_ahrs_config ), config_fields,
	DS_COUNT( config_fields ), check_config, NULL, 0 };

static const ds_field reading_fields[] = {
	DS_ANGLE( ds_ahrs, roll, NULL, 0, 0, "of the mount" ),
	DS_ANGLE( ds_ahrs, pitch, NULL, 0, 0, "of the mount" ),
	DS_ANGLE( ds_ahrs, yaw, NULL, 0, 0, "heading from true north" ),
	DS_ANGLE( ds_ahrs, magnetic_heading, NULL, 0, 0, "heading from magnetic north" ),
	DS_ANGLE( ds_ahrs, declination, NULL, 0, 0, "that was added to the magnetic heading" ),
	DS_F64( ds_ahrs, attitude, "", NULL, 0, 0, "quaternion w, x, y, z, mount to north, east, down" ),
	DS_F64( ds_ahrs, covariance, "rad2", NULL, 0, 0, "of a small rotation about north, east and down, by white noise" ),
	DS_BOOL( ds_ahrs, valid, NULL, "false: nothing tells down or north, and the rest is 0" ),
	DS_BOOL( ds_ahrs, heading_unreliable, NULL, "the level field is below 2000 nT, or the magnetometer saturated" ),
};

const ds_table ds_ahrs_readings = DS_TABLE( "ahrs", "Roll, pitch and heading", ds_ahrs, reading_fields );

DS_SENSOR_TABLES( ahrs )

ds_status ds_ahrs_prepare( const ds_ahrs_config *config, ds_ahrs_model *model )
{
	if ( config == NULL || model == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_ahrs_prepare needs a config and room for the model" );
	}
	ds_status status = ds_table_check_value( &ds_ahrs_options, config );
	if ( status != DS_OK )
	{
		return status;
	}
	model->config = *config;
	const double *m = config->calibration_soft_iron;
	double d = 1 / determinant( m );
	for ( int row = 0; row < 3; ++row )
	{
		for ( int column = 0; column < 3; ++column )
		{
			// cyclic cofactors, transposed
			int a = ( column + 1 ) % 3, b = ( column + 2 ) % 3, e = ( row + 1 ) % 3, f = ( row + 2 ) % 3;
			model->calibration[3 * row + column] = d * ( m[3 * a + e] * m[3 * b + f] - m[3 * a + f] * m[3 * b + e] );
		}
	}
	return DS_OK;
}

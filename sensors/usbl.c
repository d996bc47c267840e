#include "sensors/acoustic.h"
#include "sensors/tables.h"

#include "deepsim/math.h"

#include <math.h>
#include <string.h>

static const ds_field config_fields[] = {
	DS_F64( ds_usbl_config, position, "m", "[0, 0, 2]", -1e7, 1e7, "of the transceiver, world" ),
	DS_ANGLE( ds_usbl_config, rpy, "[0, 0, 0]", -360, 360, "roll, pitch, yaw of the transceiver, which it knows" ),
	DS_ANGLE(
		ds_usbl_config, alignment, "[0, 0, 0]", -45, 45, "rotation vector of its mounting, which it does not know" ),
	DS_F64( ds_usbl_config, sound_speed, "m/s", "0", 0, 2000,
		"that the instrument takes for granted; 0: it knows the profile, and corrects range and angles" ),
	DS_F64( ds_usbl_config, range_noise, "m", "0.2", 0, 1000, "standard deviation of white noise of the range" ),
	DS_ANGLE( ds_usbl_config, angle_noise, "0.1", 0, 45, "standard deviation about each of two axes across the ray" ),
	DS_F64( ds_usbl_config, outlier_rate, "", "0", 0, 1, "share of ranges that are outliers" ),
	DS_F64( ds_usbl_config, outlier, "m", "50", 0, 1e5, "standard deviation of an outlier" ),
	DS_F64( ds_usbl_config, dropout, "", "0", 0, 1, "share of replies that are lost" ),
	DS_F64( ds_usbl_config, maximum, "m", "7000", 1, 1e5, "what is farther is not heard" ),
	DS_ANGLE( ds_usbl_config, cone, "180", 1, 360, "full width of the cone about z of the transceiver that is heard" ),
	DS_F64( ds_usbl_config, delay, "s", "0", 0, 60, "from the arrival of the reply to the fix" ),
	DS_BOOL( ds_usbl_config, telemetry, "true", "the fix is sent down to the vehicle, another travel time later" ),
};
const ds_table ds_usbl_options = DS_TABLE( "usbl_config", "Options of the sensor usbl", ds_usbl_config, config_fields );

static const ds_field reading_fields[] = {
	DS_BOOL( ds_usbl, valid, NULL, "a fix arrived since the last reading; false: the rest is 0" ),
	DS_F64( ds_usbl, time, "s", NULL, 0, 0, "of validity: when the vehicle replied" ),
	DS_F64( ds_usbl, age, "s", NULL, 0, 0, "of the fix" ),
	DS_F64( ds_usbl, travel_time, "s", NULL, 0, 0, "of sound there and back" ),
	DS_F64( ds_usbl, range, "m", NULL, 0, 0, "from the transceiver" ),
	DS_ANGLE( ds_usbl, bearing, NULL, 0, 0, "about z of the transceiver, from x to y" ),
	DS_ANGLE( ds_usbl, depression, NULL, 0, 0, "towards z of the transceiver, from its x-y plane" ),
	DS_F64( ds_usbl, position, "m", NULL, 0, 0, "of the mount, world" ),
	{ "covariance", DS_FIELD_F64, DS_FIELD_MATRIX, offsetof( ds_usbl, covariance ), 9, 0, "m2", NULL, 0, 0,
		"of the position, by the noises of range and angles", NULL, NULL, 0, DS_ELEMENT_NONE },
};
const ds_table ds_usbl_readings =
	DS_TABLE( "usbl", "A vehicle's position by an acoustic transceiver", ds_usbl, reading_fields );

DS_SENSOR_TABLES( usbl )

// Slots of a ping.
enum
{
	RANGE, // and the outlier after it
	ANGLES = 2,
	NORMALS = 4,
	OUTLIER = 0,
	DROPOUT,
	UNIFORMS
};

// Unit vectors across a direction.
static void across( ds_vec3 d, ds_vec3 *first, ds_vec3 *second )
{
	ds_vec3 other = fabs( d.x ) < 0.6 ? ds_v3( 1, 0, 0 ) : ds_v3( 0, 1, 0 );
	*first = ds_cross( d, other );
	*first = ds_scale( 1 / ds_length( *first ), *first );
	*second = ds_cross( d, *first );
}

// Of range and angles, independent, along and across the ray.
static void fill_covariance( const ds_usbl_config *config, double range, ds_vec3 ray, double out[9] )
{
	const double u[3] = { ray.x, ray.y, ray.z };
	double along = config->range_noise * config->range_noise, side = range * config->angle_noise;
	for ( int i = 0; i < 9; ++i )
	{
		double uu = u[i / 3] * u[i % 3];
		out[i] = along * uu + side * side * ( ( i % 4 == 0 ? 1 : 0 ) - uu );
	}
}

void ds_usbl_measure(
	const ds_usbl_config *config, const ds_acoustic_truth *truth, double time, const ds_random *stream, ds_usbl *fix )
{
	memset( fix, 0, sizeof( *fix ) );
	const ds_sound_path *path = &truth->path;
	double normal[NORMALS], uniform[UNIFORMS];
	ds_random_uniforms( stream, 0, UNIFORMS, uniform );
	ds_quat attitude = ds_quat_from_rpy( ds_v3( config->rpy[0], config->rpy[1], config->rpy[2] ) );
	ds_vec3 askew = ds_v3( config->alignment[0], config->alignment[1], config->alignment[2] );
	ds_vec3 ray = config->sound_speed > 0 ? path->direction : path->straight;
	ray = ds_unrotate( ds_quat_exp( askew ), ds_unrotate( attitude, ray ) );
	if ( !truth->clear || path->distance > config->maximum || uniform[DROPOUT] < config->dropout ||
		 ray.z < cos( 0.5 * config->cone ) )
	{
		return;
	}
	ds_random_normals( stream, 0, NORMALS, normal );
	fix->range = ds_acoustic_range( path, config->sound_speed, config->range_noise, config->outlier_rate,
		config->outlier, normal + RANGE, uniform[OUTLIER] );
	ds_vec3 first, second;
	across( ray, &first, &second );
	ray = ds_mad(
		ds_mad( ray, config->angle_noise * normal[ANGLES], first ), config->angle_noise * normal[ANGLES + 1], second );
	ray = ds_scale( 1 / ds_length( ray ), ray );

	fix->valid = true;
	fix->time = time;
	double longer = path->distance > 0 ? fix->range / path->distance : 1;
	fix->travel_time = 2 * ( config->sound_speed > 0 ? fix->range / config->sound_speed : path->time * longer );
	fix->age = path->time * ( config->telemetry ? 2 : 1 ) + config->delay;
	fix->bearing = atan2( ray.y, ray.x );
	fix->depression = atan2( ray.z, hypot( ray.x, ray.y ) );
	ray = ds_rotate( attitude, ray );
	fix->position[0] = config->position[0] + fix->range * ray.x;
	fix->position[1] = config->position[1] + fix->range * ray.y;
	fix->position[2] = config->position[2] + fix->range * ray.z;
	fill_covariance( config, fix->range, ray, fix->covariance );
}
